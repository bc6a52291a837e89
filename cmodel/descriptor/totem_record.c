// SPDX-License-Identifier: Apache-2.0
//
// totem_record: twin of rtl/descriptor/totem_record.v, from docs/contract/record.md.

#include "totem_record.h"

#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"
#include "../queue/totem_hqd_values.h"

// Beats of the MQD: dwords 92 and 93, 94 and 95, 96 and 97, 106 and 107.
enum { BEAT_WAVES = 46, BEAT_BUFFER = 47, BEAT_END = 48, BEAT_SEQUENCE = 53 };

#define BASE_MASK ((1ull << 37) - 1)
#define TAG (1ull << 48)
#define DATA_64_BITS (2ull << 40)

// The slot is unmapped as soon as its records are out: it has left the pipe, and waves that are to be killed are gone.
static bool parting(const totem_record_in *i, unsigned q)
{
    if (i->arbiter_selected_valid && i->arbiter_selected == q)
        return false;
    if (i->hqd_killing[q] && !i->kill_ended[q])
        return false;
    return i->hqd_parting[q];
}

// The port of memory is mqd's too.
static bool acked(const totem_record_in *i)
{
    return i->write_ack && (i->ack_tag & 1) != 0;
}

// The queue has a record that can begin.
static bool wants(const totem_record *s, const totem_record_in *i, unsigned q)
{
    return s->top_due[q] || (s->end_due[q] && (i->fence_settled[q] || parting(i, q)));
}

// Block events takes the word of this block.
static bool told(const totem_record_in *i)
{
    return i->events_mqd_error_ready && !(i->poll_error_valid && i->poll_error_second);
}

static bool still(const totem_record *s)
{
    return s->turn == 0 && !s->keep_valid;
}

static uint8_t ram_place(uint8_t queue, uint8_t place)
{
    return (uint8_t)(queue << 2 | place);
}

// Byte address of the beat that the word goes to.
static uint64_t target(const totem_record *s)
{
    uint64_t beat = s->job == RECORD_TOP ? BEAT_SEQUENCE : BEAT_END;
    if (s->place == RECORD_WAVES)
        beat = BEAT_WAVES;
    else if (s->place == RECORD_BUFFER)
        beat = BEAT_BUFFER;
    return ((s->base + beat) & BASE_MASK) << 3;
}

static uint64_t upper(uint32_t word)
{
    return (uint64_t)word << 32;
}

// Only dword 95, and only dword 107, are written of their beats.
static uint64_t strobe(const totem_record *s)
{
    const bool upper_only = s->place == RECORD_BUFFER || (s->place != RECORD_WAVES && s->job == RECORD_TOP);
    return upper_only ? 0xf0 : 0xff;
}

void totem_record_outputs(const totem_record *s, totem_record_out *o)
{
    const uint64_t mqd = s->base << 3;

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        const bool under  = s->phase != RECORD_IDLE && s->queue == q;
        o->top_pending[q] = s->top_due[q] || s->lost[q] || (under && s->job == RECORD_TOP);
        o->end_pending[q] = s->end_due[q] || (under && s->job != RECORD_TOP);
        o->busy[q]        = s->top_due[q] || s->end_due[q] || under;
    }
    o->ram_write_enable = s->keep_valid;
    o->ram_write_addr   = ram_place(s->keep_queue, s->keep_place);
    o->ram_write_data   = s->keep_word;
    o->ram_read_enable  = s->turn == 1 || (s->phase == RECORD_READ && still(s));
    o->ram_read_addr    = s->turn == 1 ? ram_place(s->last, RECORD_PAIR) : ram_place(s->queue, s->place);

    if (s->keep_valid) {
        o->sequence_write_enable = s->keep_place == RECORD_PAIR;
        o->sequence_write_addr   = (uint8_t)(s->keep_queue << 1 | s->keep_ended);
        o->sequence_write_data   = (uint32_t)(s->keep_word >> 32);
    } else {
        o->sequence_write_enable = s->phase == RECORD_MARK;
        o->sequence_write_addr   = (uint8_t)(s->queue << 1 | 1);
        o->sequence_write_data   = (uint32_t)(s->word >> 32);
    }

    o->write_valid = s->phase == RECORD_WRITE;
    o->write_word  = s->step == 0 ? TAG | strobe(s) << 40 | target(s) : s->word;

    o->fence_valid = s->phase == RECORD_FENCE;
    o->fence_queue = s->queue;
    o->fence_word  = 0;
    if (s->step == 0)
        o->fence_word = DATA_64_BITS | target(s);
    else if (s->step == 1)
        o->fence_word = s->word;

    o->error_valid = s->phase == RECORD_ERROR;
    o->error_word  = mqd & 0xffffffffu;
    if (s->step == 0)
        o->error_word =
            (uint64_t)(TOTEM_ERROR_MEMORY_WRITE_SLVERR - 1 + s->fault) << 56 | (uint64_t)s->queue << 48 | mqd;
}

static void keep(totem_record *n, uint8_t queue, uint8_t place, uint64_t word)
{
    n->keep_valid = true;
    n->keep_queue = queue;
    n->keep_place = place;
    n->keep_word  = word;
}

// 1 Word for the RAM: at most one in a clock.
static void words(totem_record *n, const totem_record *s, const totem_record_in *i)
{
    n->keep_valid = false;
    if (i->load_valid && i->load_kind == LOAD_MQD_ADDR) {
        keep(n, i->load_queue, RECORD_MQD, i->load_data);
        n->described[i->load_queue] = i->load_data >> 3 != 0;
        n->lost[i->load_queue]      = false;
    } else if (i->load_valid && i->load_kind == LOAD_SEQUENCE) {
        keep(n, i->load_queue, RECORD_PAIR, upper((uint32_t)i->load_data));
        n->keep_ended = false;
        n->again      = true;
    } else if (s->again) {
        n->keep_valid = true;
        n->keep_ended = true;
        n->again      = false;
    } else if (s->turn != 0) {
        const uint8_t  q        = s->last;
        const uint32_t sequence = (uint32_t)(i->ram_read_data >> 32) + 1;
        if (s->turn == 1)
            keep(n, q, RECORD_WAVES, upper(i->fetch_rptr[q]) | i->fence_waves[q]);
        else if (s->turn == 2)
            keep(n, q, RECORD_PAIR, upper(sequence) | i->fetch_rptr[q]);
        else
            keep(n, q, RECORD_BUFFER, i->fetch_buffer[q] ? upper((uint32_t)(i->fetch_buffer_addr[q] << 2)) : 0);
        n->keep_ended = false;
        n->turn       = (s->turn + 1) & 3;
    }
}

// 3 Choice
static void choose(totem_record *n, const totem_record *s, const totem_record_in *i)
{
    if (!still(s))
        return;
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q = (uint8_t)((s->queue + k) & (TOTEM_QUEUES - 1));
        if (!wants(s, i, q))
            continue;
        n->queue = q;
        n->place = RECORD_MQD;
        n->fault = MEMORY_OK;
        n->phase = RECORD_READ;
        n->job   = i->fence_settled[q] ? RECORD_END : RECORD_CLOSE;
        if (s->top_due[q]) {
            n->job        = RECORD_TOP;
            n->top_due[q] = false;
        }
        return;
    }
}

// 4 Beats of the RAM, continued
static void take(totem_record *n, const totem_record *s, const totem_record_in *i)
{
    const uint64_t word = i->ram_read_data;

    if (s->job != RECORD_TOP && s->top_due[s->queue]) {
        n->phase = RECORD_IDLE;
    } else if (s->job == RECORD_CLOSE && !parting(i, s->queue)) {
        n->phase = RECORD_IDLE;
    } else if (s->place == RECORD_MQD) {
        n->base  = (word & 0xffffffffffu) >> 3;
        n->place = s->job == RECORD_TOP ? RECORD_WAVES : RECORD_PAIR;
        n->phase = RECORD_READ;
    } else {
        n->word  = word;
        n->step  = 0;
        n->phase = s->job == RECORD_TOP || s->job == RECORD_END ? RECORD_ASK : RECORD_FENCE;
        if (s->job != RECORD_TOP)
            n->end_due[s->queue] = false;
    }
}

// 5 Writes, continued
static void written(totem_record *n, const totem_record *s)
{
    if (s->step == 0) {
        n->step = 1;
    } else if (s->job == RECORD_TOP && s->place != RECORD_PAIR) {
        n->place = s->place == RECORD_WAVES ? RECORD_BUFFER : RECORD_PAIR;
        n->phase = RECORD_READ;
    } else {
        n->phase = RECORD_WAIT;
    }
}

// 6 Answers
static void answered(totem_record *n, const totem_record *s)
{
    n->step  = 0;
    n->phase = s->job == RECORD_TOP ? RECORD_IDLE : RECORD_MARK;
    if (s->fault != MEMORY_OK)
        n->phase = RECORD_REPORT;
    if (s->job == RECORD_TOP)
        n->lost[s->queue] = s->fault != MEMORY_OK;
    // A write that was never answered may still land: nothing newer is written beside it.
    if (s->fault == MEMORY_TIME_OUT) {
        n->lost[s->queue]      = true;
        n->described[s->queue] = false;
        n->top_due[s->queue]   = false;
        n->end_due[s->queue]   = false;
    }
}

void totem_record_step(totem_record *s, const totem_record_in *i)
{
    totem_record n    = *s; // what follows the clock edge; s stays as it was before
    const bool   sent = s->phase == RECORD_WRITE && s->step != 0 && i->write_ready;

    words(&n, s, i);

    // 2 Acknowledges
    n.owed = (uint8_t)((s->owed + sent - acked(i)) & 3);
    if (acked(i) && s->fault == MEMORY_OK)
        n.fault = i->ack_error;

    switch (s->phase) {
    case RECORD_IDLE: choose(&n, s, i); break;
    // 4 Beats of the RAM
    case RECORD_READ:
        if (still(s))
            n.phase = RECORD_TAKE;
        break;
    case RECORD_TAKE: take(&n, s, i); break;
    // 5 Writes
    case RECORD_ASK:
        if (s->fault != MEMORY_OK)
            n.phase = RECORD_WAIT;
        else if (!i->mqd_write_valid)
            n.phase = RECORD_WRITE;
        break;
    case RECORD_WRITE:
        if (i->write_ready)
            written(&n, s);
        break;
    case RECORD_WAIT:
        if (s->owed == 0)
            answered(&n, s);
        break;
    // 7 Ends
    case RECORD_MARK:
        if (!s->keep_valid)
            n.phase = RECORD_IDLE;
        break;
    case RECORD_FENCE:
        if (i->fence_ready) {
            n.step = (s->step + 1) & 3;
            if (s->step >= 2)
                n.phase = RECORD_IDLE;
        }
        break;
    case RECORD_REPORT:
        if (!i->mqd_error_valid)
            n.phase = RECORD_ERROR;
        break;
    case RECORD_ERROR:
        if (told(i)) {
            if (s->step == 0)
                n.step = 1;
            else
                n.phase = RECORD_IDLE;
        }
        break;
    default: break;
    }

    // 8 Switch-out
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        const bool abandoned = i->fence_abandoned[q] && i->hqd_leaving[q];
        if (abandoned && n.described[q])
            n.end_due[q] = true;
    }
    if (i->packet_left) {
        const uint8_t q = i->dispatch_queue;
        n.turn          = 1;
        n.last          = q;
        if (n.described[q]) {
            n.top_due[q] = true;
            n.end_due[q] = true;
        }
    }

    *s = n;
}
