// SPDX-License-Identifier: Apache-2.0
//
// totem_record: twin of rtl/descriptor/totem_record.v, from docs/contract/record.md.

#include "totem_record.h"

#include "../packet/totem_pm4.h"
#include "../queue/totem_hqd_values.h"
#include "../queue/totem_phases.h"

enum { TOTEM_RECORD_PHASES(TOTEM_PHASE) };
enum { TIME_OUT = 3 }; // error of a write that was never answered
enum { JOB_TOP = 0, JOB_END = 1, JOB_FENCE = 2 };
enum { PLACE_WAVES = 0, PLACE_PAIR = 1, PLACE_BUFFER = 2, PLACE_MQD = 3 };

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
static bool acknowledged(const totem_record_in *i)
{
    return i->write_ack && (i->ack_tag & 1) != 0;
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
    uint64_t beat = s->job == JOB_TOP ? BEAT_SEQUENCE : BEAT_END;
    if (s->place == PLACE_WAVES)
        beat = BEAT_WAVES;
    else if (s->place == PLACE_BUFFER)
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
    const bool upper_only = s->place == PLACE_BUFFER || (s->place != PLACE_WAVES && s->job == JOB_TOP);
    return upper_only ? 0xf0 : 0xff;
}

void totem_record_outputs(const totem_record *s, totem_record_out *o)
{
    const uint64_t mqd = s->base << 3;

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        const bool under  = s->phase != IDLE && s->queue == q;
        o->top_pending[q] = s->top_due[q] || s->lost[q] || (under && s->job == JOB_TOP);
        o->end_pending[q] = s->end_due[q] || (under && s->job != JOB_TOP);
        o->busy[q]        = s->top_due[q] || s->end_due[q] || under;
    }
    o->ram_write_enable = s->keep_valid;
    o->ram_write_addr   = ram_place(s->keep_queue, s->keep_place);
    o->ram_write_data   = s->keep_word;
    o->ram_read_enable  = s->turn == 1 || (s->phase == READ && still(s));
    o->ram_read_addr    = s->turn == 1 ? ram_place(s->last, PLACE_PAIR) : ram_place(s->queue, s->place);

    if (s->keep_valid) {
        o->sequence_write_enable = s->keep_place == PLACE_PAIR;
        o->sequence_write_addr   = (uint8_t)(s->keep_queue << 1 | s->keep_ended);
        o->sequence_write_data   = (uint32_t)(s->keep_word >> 32);
    } else {
        o->sequence_write_enable = s->phase == MARK;
        o->sequence_write_addr   = (uint8_t)(s->queue << 1 | 1);
        o->sequence_write_data   = (uint32_t)(s->word >> 32);
    }

    o->write_valid = s->phase == WRITE;
    o->write_word  = s->step == 0 ? TAG | strobe(s) << 40 | target(s) : s->word;

    o->fence_valid = s->phase == FENCE;
    o->fence_queue = s->queue;
    o->fence_word  = 0;
    if (s->step == 0)
        o->fence_word = DATA_64_BITS | target(s);
    else if (s->step == 1)
        o->fence_word = s->word;

    o->error_valid = s->phase == ERROR;
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

// Rule 1: one word for the RAM in a clock.
static void words(totem_record *n, const totem_record *s, const totem_record_in *i)
{
    n->keep_valid = false;
    if (i->load_valid && i->load_kind == LOAD_MQD_ADDR) {
        keep(n, i->load_queue, PLACE_MQD, i->load_data);
        n->described[i->load_queue] = i->load_data >> 3 != 0;
        n->lost[i->load_queue]      = false;
    } else if (i->load_valid && i->load_kind == LOAD_SEQUENCE) {
        keep(n, i->load_queue, PLACE_PAIR, upper((uint32_t)i->load_data));
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
            keep(n, q, PLACE_WAVES, upper(i->fetch_rptr[q]) | i->fence_waves[q]);
        else if (s->turn == 2)
            keep(n, q, PLACE_PAIR, upper(sequence) | i->fetch_rptr[q]);
        else
            keep(n, q, PLACE_BUFFER, i->fetch_buffer[q] ? upper((uint32_t)(i->fetch_buffer_addr[q] << 2)) : 0);
        n->keep_ended = false;
        n->turn       = (s->turn + 1) & 3;
    }
}

// Rule 3, IDLE.
static void choose(totem_record *n, const totem_record *s, const totem_record_in *i)
{
    if (!still(s))
        return;
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q = (uint8_t)((s->queue + k) & (TOTEM_QUEUES - 1));
        if (!s->top_due[q] && !(s->end_due[q] && (i->fence_settled[q] || parting(i, q))))
            continue;
        n->queue = q;
        n->place = PLACE_MQD;
        n->fault = 0;
        n->phase = READ;
        n->job   = i->fence_settled[q] ? JOB_END : JOB_FENCE;
        if (s->top_due[q]) {
            n->job        = JOB_TOP;
            n->top_due[q] = false;
        }
        return;
    }
}

static void take(totem_record *n, const totem_record *s, const totem_record_in *i)
{
    const uint64_t word = i->ram_read_data;

    if (s->job != JOB_TOP && s->top_due[s->queue]) {
        n->phase = IDLE;
    } else if (s->job == JOB_FENCE && !parting(i, s->queue)) {
        n->phase = IDLE;
    } else if (s->place == PLACE_MQD) {
        n->base  = (word & 0xffffffffffu) >> 3;
        n->place = s->job == JOB_TOP ? PLACE_WAVES : PLACE_PAIR;
        n->phase = READ;
    } else {
        n->word  = word;
        n->step  = 0;
        n->phase = s->job < JOB_FENCE ? ASK : FENCE;
        if (s->job != JOB_TOP)
            n->end_due[s->queue] = false;
    }
}

static void written(totem_record *n, const totem_record *s)
{
    if (s->step == 0) {
        n->step = 1;
    } else if (s->job == JOB_TOP && s->place != PLACE_PAIR) {
        n->place = s->place == PLACE_WAVES ? PLACE_BUFFER : PLACE_PAIR;
        n->phase = READ;
    } else {
        n->phase = WAIT;
    }
}

static void answered(totem_record *n, const totem_record *s)
{
    n->step  = 0;
    n->phase = s->job == JOB_TOP ? IDLE : MARK;
    if (s->fault != 0)
        n->phase = REPORT;
    if (s->job == JOB_TOP)
        n->lost[s->queue] = s->fault != 0;
    // Of a write that was never answered nobody knows when it lands: nothing newer is written beside it.
    if (s->fault == TIME_OUT) {
        n->lost[s->queue]      = true;
        n->described[s->queue] = false;
        n->top_due[s->queue]   = false;
        n->end_due[s->queue]   = false;
    }
}

void totem_record_step(totem_record *s, const totem_record_in *i)
{
    totem_record n    = *s; // what follows the clock edge; s stays as it was before
    const bool   sent = s->phase == WRITE && s->step != 0 && i->write_ready;

    words(&n, s, i);

    n.owed = (uint8_t)((s->owed + sent - acknowledged(i)) & 3);
    if (acknowledged(i) && s->fault == 0)
        n.fault = i->ack_error;

    switch (s->phase) {
    case IDLE: choose(&n, s, i); break;
    case READ:
        if (still(s))
            n.phase = TAKE;
        break;
    case TAKE: take(&n, s, i); break;
    case ASK:
        if (s->fault != 0)
            n.phase = WAIT;
        else if (!i->mqd_write_valid)
            n.phase = WRITE;
        break;
    case WRITE:
        if (i->write_ready)
            written(&n, s);
        break;
    case WAIT:
        if (s->owed == 0)
            answered(&n, s);
        break;
    case MARK:
        if (!s->keep_valid)
            n.phase = IDLE;
        break;
    case FENCE:
        if (i->fence_ready) {
            n.step = (s->step + 1) & 3;
            if (s->step >= 2)
                n.phase = IDLE;
        }
        break;
    case REPORT:
        if (!i->mqd_error_valid)
            n.phase = ERROR;
        break;
    case ERROR:
        if (i->events_mqd_error_ready && !(i->poll_error_valid && i->poll_error_second)) {
            if (s->step == 0)
                n.step = 1;
            else
                n.phase = IDLE;
        }
        break;
    default: break;
    }

    // 4. Switch-out.
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        if (i->fence_abandoned[q] && i->hqd_leaving[q] && n.described[q])
            n.end_due[q] = true;
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
