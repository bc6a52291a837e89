// SPDX-License-Identifier: Apache-2.0
//
// totem_events: twin of rtl/host/totem_events.v, from docs/contract/events.md.

#include "totem_events.h"

#include "../packet/totem_pm4.h"
#include "totem_regs_map.h"

enum { CLASSES = 7, LEGAL = (1 << TOTEM_QUEUES) - 1 };
// int_ctxids of pipes; words of the RAM; turns for interrupts.
enum {
    RINGS         = TOTEM_GRAPHICS ? TOTEM_FE_COUNT : 0,
    PIPE_CONTEXTS = TOTEM_PIPE_COUNT * 8,
    CONTEXTS      = PIPE_CONTEXTS * (1 + TOTEM_GRAPHICS),
    TURNS         = TOTEM_PIPE_COUNT + RINGS
};

static bool ring_exists(unsigned f)
{
    return TOTEM_GRAPHICS != 0 && f < TOTEM_FE_COUNT;
}

static bool runs_tasks(unsigned p)
{
    return TOTEM_TASKS != 0 && p < TOTEM_PIPE_COUNT;
}

static uint16_t saturated(uint16_t value)
{
    return (uint16_t)(value == 0xffff ? value : value + 1);
}

static uint8_t byte_of(uint32_t word, unsigned b)
{
    return (uint8_t)(word >> 8 * b);
}

// Interrupt sources that are pending: bit 0 end of pipe, bits [7:1] the error classes, bit 8 notices.
static uint16_t pending(const totem_events *s, const totem_events_in *i)
{
    bool any = false;
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        any = any || (s->eop[p] & s->eop_enable[p]) != 0;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        any = any || (s->ring_eop[f] && s->ring_eop_enable[f]);
    const bool notices = TOTEM_RUNLIST != 0 && i->notice_due;
    return (uint16_t)((notices ? 0x100 : 0) | s->status << 1 | (any ? 1 : 0));
}

// One byte per pipe, four pipes per dword.
static uint32_t bytes_of(const uint8_t *bytes, unsigned k)
{
    uint32_t word = 0;
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        if (p / 4 == k)
            word |= (uint32_t)bytes[p] << 8 * (p % 4);
    return word;
}

// A bit per ring.
static uint32_t bits_of(const bool *bits)
{
    uint32_t word = 0;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        word |= (uint32_t)bits[f] << f;
    return word;
}

static bool is_ring_context(uint8_t dword)
{
    return dword >= TOTEM_REG_EVENTS_RING_INT_CTXID && dword < TOTEM_REG_EVENTS_RING_INT_CTXID + 4;
}

static bool hole(uint8_t dword)
{
    if (dword >= 128)
        return true;
    if (is_ring_context(dword))
        return !ring_exists(dword - TOTEM_REG_EVENTS_RING_INT_CTXID);
    if (dword >= TOTEM_REG_EVENTS_RING_EOP_STATUS && dword <= TOTEM_REG_EVENTS_RING_EOP_TEST)
        return !ring_exists(0);
    if (dword >= TOTEM_REG_EVENTS_INT_CTXID) {
        const unsigned place = dword - TOTEM_REG_EVENTS_INT_CTXID;
        return place / 8 >= TOTEM_PIPE_COUNT || place % 8 >= TOTEM_QUEUES;
    }
    if (dword == TOTEM_REG_EVENTS_EOP_STATUS + 1 || dword == TOTEM_REG_EVENTS_EOP_ENABLE + 1 ||
        dword == TOTEM_REG_EVENTS_EOP_TEST + 1)
        return TOTEM_PIPE_COUNT <= 4;
    return (TOTEM_REG_EVENTS_EXISTS_0 >> dword & 1) == 0;
}

static bool is_writable(uint8_t dword)
{
    return dword < 64 && (TOTEM_REG_EVENTS_WRITABLE_0 >> dword & 1) != 0;
}

// Read value of a dword that is no hole.
static uint32_t read_value(const totem_events *s, const totem_events_in *i)
{
    const uint8_t d = s->dword;
    if (d >= TOTEM_REG_EVENTS_INT_CTXID || is_ring_context(d))
        return i->ram_read_data;
    for (unsigned n = 0; n < CLASSES; n++)
        if (d == TOTEM_REG_EVENTS_ERROR_COUNT + n)
            return s->count[n];
    switch (d) {
    case TOTEM_REG_EVENTS_INTERRUPT_STATUS: return pending(s, i);
    case TOTEM_REG_EVENTS_INTERRUPT_ENABLE: return s->enable;
    case TOTEM_REG_EVENTS_SELF_CHECK: return s->checked;
    case TOTEM_REG_EVENTS_EOP_STATUS: return bytes_of(s->eop, 0);
    case TOTEM_REG_EVENTS_EOP_STATUS + 1: return bytes_of(s->eop, 1);
    case TOTEM_REG_EVENTS_EOP_ENABLE: return bytes_of(s->eop_enable, 0);
    case TOTEM_REG_EVENTS_EOP_ENABLE + 1: return bytes_of(s->eop_enable, 1);
    case TOTEM_REG_EVENTS_RING_EOP_STATUS: return bits_of(s->ring_eop);
    case TOTEM_REG_EVENTS_RING_EOP_ENABLE: return bits_of(s->ring_eop_enable);
    case TOTEM_REG_EVENTS_RECORD:
        return (s->record_valid ? 1u : 0u) | (uint32_t)s->record_code << 8 | (uint32_t)s->record_queue << 16 |
               (uint32_t)s->record_source << 24;
    case TOTEM_REG_EVENTS_RECORD_ADDRESS_LO: return (uint32_t)s->record_address;
    case TOTEM_REG_EVENTS_RECORD_ADDRESS_HI: return (uint32_t)(s->record_address >> 32);
    case TOTEM_REG_EVENTS_RECORD_WORD: return s->record_word;
    case TOTEM_REG_EVENTS_RECORD_TIME_LO: return (uint32_t)s->record_time;
    case TOTEM_REG_EVENTS_RECORD_TIME_HI: return (uint32_t)(s->record_time >> 32);
    case TOTEM_REG_EVENTS_RECORD_LATER: return s->later;
    default: return 0;
    }
}

// A write that is allowed takes effect.
static void write_dword(totem_events *n, const totem_events *s, const totem_events_in *i)
{
    uint32_t mask = 0;
    for (unsigned b = 0; b < 4; b++)
        if ((i->host_strobe >> b & 1) != 0)
            mask |= 0xffu << 8 * b;
    const uint32_t set     = i->host_data & mask;
    const uint8_t  classes = (uint8_t)(set >> 1 & 0x7f);

    switch (s->dword) {
    case TOTEM_REG_EVENTS_INTERRUPT_STATUS: n->status = (uint8_t)(s->status & ~classes); break;
    case TOTEM_REG_EVENTS_INTERRUPT_ENABLE:
        n->enable = (uint16_t)((s->enable & ~(mask & 0x1ff)) | (set & 0x1ff));
        break;
    case TOTEM_REG_EVENTS_INTERRUPT_TEST: n->status = s->status | classes; break;
    case TOTEM_REG_EVENTS_RECORD:
        if ((set & 1) != 0) {
            n->record_valid = false;
            n->later        = 0;
        }
        break;
    default: break;
    }
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++) {
        const uint8_t set_here  = byte_of(set, p % 4);
        const uint8_t mask_here = byte_of(mask, p % 4);
        if (s->dword == TOTEM_REG_EVENTS_EOP_STATUS + p / 4)
            n->eop[p] = (uint8_t)(s->eop[p] & ~set_here);
        if (s->dword == TOTEM_REG_EVENTS_EOP_ENABLE + p / 4)
            n->eop_enable[p] = (uint8_t)(((s->eop_enable[p] & ~mask_here) | set_here) & LEGAL);
        if (s->dword == TOTEM_REG_EVENTS_EOP_TEST + p / 4)
            n->eop[p] = (uint8_t)(s->eop[p] | (set_here & LEGAL));
    }
    for (unsigned f = 0; ring_exists(f); f++) {
        const bool ones = (set >> f & 1) != 0;
        if (s->dword == TOTEM_REG_EVENTS_RING_EOP_STATUS && ones)
            n->ring_eop[f] = false;
        if (s->dword == TOTEM_REG_EVENTS_RING_EOP_ENABLE && (mask >> f & 1) != 0)
            n->ring_eop_enable[f] = ones;
        if (s->dword == TOTEM_REG_EVENTS_RING_EOP_TEST && ones)
            n->ring_eop[f] = true;
    }
}

// What a source of errors offers, by its number.
typedef struct {
    bool     valid;
    uint64_t word;
} offer;

// mqd, record and poll of a pipe are one source.
static offer mqd_group(const totem_events_in *i, unsigned p)
{
    const bool others = i->record_error_valid[p] || i->mqd_error_valid[p];
    offer      o      = {others || i->poll_error_valid[p], i->mqd_error_word[p]};

    if (i->record_error_valid[p])
        o.word = i->record_error_word[p];
    const bool told = i->poll_error_valid[p] && (i->poll_error_second[p] || !others);
    if (told)
        o.word = i->poll_error_word[p];
    return o;
}

static offer ring_mqd_group(const totem_events_in *i, unsigned f)
{
    const bool others = i->graphics_record_error_valid[f] || i->graphics_mqd_error_valid[f];
    offer      o      = {others || i->graphics_poll_error_valid[f], i->graphics_mqd_error_word[f]};

    if (i->graphics_record_error_valid[f])
        o.word = i->graphics_record_error_word[f];
    const bool told = i->graphics_poll_error_valid[f] && (i->graphics_poll_error_second[f] || !others);
    if (told)
        o.word = i->graphics_poll_error_word[f];
    return o;
}

static void gather(offer all[TOTEM_ERROR_SOURCES], const totem_events_in *i)
{
    all[TOTEM_SOURCE_HOST] = (offer){i->host_error_valid, i->host_error_word};
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++) {
        all[TOTEM_SOURCE_EXECUTE(p)] = (offer){i->packet_error_valid[p], i->packet_error_word[p]};
        all[TOTEM_SOURCE_FENCE(p)]   = (offer){i->fence_error_valid[p], i->fence_error_word[p]};
        all[TOTEM_SOURCE_MQD(p)]     = mqd_group(i, p);
        all[TOTEM_SOURCE_FETCH(p)]   = (offer){i->fetch_error_valid[p], i->fetch_error_word[p]};
    }
    for (unsigned p = 0; runs_tasks(p); p++)
        all[TOTEM_SOURCE_RUNNER(p)] = (offer){i->runner_error_valid[p], i->runner_error_word[p]};
    if (TOTEM_RUNLIST != 0)
        all[TOTEM_SOURCE_PROXY] = (offer){i->proxy_error_valid, i->proxy_error_word};
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        all[TOTEM_SOURCE_MEMORY(f)] = (offer){i->memory_error_valid[f], i->memory_error_word[f]};
    for (unsigned f = 0; ring_exists(f); f++) {
        all[TOTEM_SOURCE_GRAPHICS_EXECUTE(f)] =
            (offer){i->graphics_packet_error_valid[f], i->graphics_packet_error_word[f]};
        all[TOTEM_SOURCE_GRAPHICS_FENCE(f)] =
            (offer){i->graphics_fence_error_valid[f], i->graphics_fence_error_word[f]};
        all[TOTEM_SOURCE_GRAPHICS_MQD(f)] = ring_mqd_group(i, f);
        all[TOTEM_SOURCE_GRAPHICS_FETCH(f)] =
            (offer){i->graphics_fetch_error_valid[f], i->graphics_fetch_error_word[f]};
    }
}

// The second word of an error message has come: the error is counted and kept.
static void keep_error(totem_events *n, const totem_events *s, uint64_t word, uint64_t clock)
{
    const uint8_t code = (uint8_t)(s->head >> 56);
    const uint8_t kind = code >> 5; // class

    for (unsigned c = 0; c < CLASSES; c++)
        if (kind == c + 1) {
            n->count[c] = saturated(s->count[c]);
            n->status   = (uint8_t)(n->status | 1u << c);
        }
    if (!n->record_valid) {
        n->record_valid   = true;
        n->record_code    = code;
        n->record_queue   = (uint8_t)(s->head >> 48 & 7);
        n->record_source  = s->source;
        n->record_address = s->head & 0xffffffffffu;
        n->record_word    = (uint32_t)word;
        n->record_time    = clock;
    } else
        n->later = saturated(n->later);
}

void totem_events_outputs(const totem_events *s, totem_events_out *o)
{
    o->host_done  = s->phase == EVENTS_DONE;
    o->host_error = s->error;
    o->host_rdata = s->word;

    o->host_error_ready  = s->source == TOTEM_SOURCE_HOST;
    o->proxy_error_ready = TOTEM_RUNLIST != 0 && s->source == TOTEM_SOURCE_PROXY;
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++) {
        o->packet_error_ready[p] = s->source == TOTEM_SOURCE_EXECUTE(p);
        o->fence_error_ready[p]  = s->source == TOTEM_SOURCE_FENCE(p);
        o->mqd_error_ready[p]    = s->source == TOTEM_SOURCE_MQD(p);
        o->fetch_error_ready[p]  = s->source == TOTEM_SOURCE_FETCH(p);
        o->runner_error_ready[p] = runs_tasks(p) && s->source == TOTEM_SOURCE_RUNNER(p);
        o->interrupt_ready[p]    = s->turn == p;
    }
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        o->memory_error_ready[f] = s->source == TOTEM_SOURCE_MEMORY(f);
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++) {
        const bool there = ring_exists(f);

        o->graphics_packet_error_ready[f] = there && s->source == TOTEM_SOURCE_GRAPHICS_EXECUTE(f);
        o->graphics_fence_error_ready[f]  = there && s->source == TOTEM_SOURCE_GRAPHICS_FENCE(f);
        o->graphics_mqd_error_ready[f]    = there && s->source == TOTEM_SOURCE_GRAPHICS_MQD(f);
        o->graphics_fetch_error_ready[f]  = there && s->source == TOTEM_SOURCE_GRAPHICS_FETCH(f);
        o->graphics_interrupt_ready[f]    = there && s->turn == TOTEM_PIPE_COUNT + f;
    }

    o->stop             = s->checked;
    o->notice_valid     = s->notice_valid;
    o->notice_entry     = s->notice_entry;
    o->notice_context   = s->context_word;
    o->irq              = s->irq;
    o->ram_write_enable = s->context_valid;
    o->ram_write_addr   = s->context_addr;
    o->ram_write_data   = s->context_word;
    o->ram_read_enable  = s->phase == EVENTS_READ;
    o->ram_read_addr    = (uint8_t)(s->dword & 63 & ((1u << TOTEM_BITS(CONTEXTS)) - 1));
    for (unsigned f = 0; ring_exists(f); f++)
        if (s->dword == TOTEM_REG_EVENTS_RING_INT_CTXID + f)
            o->ram_read_addr = (uint8_t)(PIPE_CONTEXTS + f);
}

void totem_events_step(totem_events *s, const totem_events_in *i)
{
    totem_events n = *s; // what follows the clock edge; s stays as it was before

    // 1 Level
    n.irq = (pending(s, i) & s->enable) != 0;

    // 2 Interrupts
    bool    taken = false, named = false;
    uint8_t queue = 0;
    n.turn        = (uint8_t)(s->turn + 1 < TURNS ? s->turn + 1 : 0);
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        if (s->turn == p && (i->fence_interrupt_valid[p] || i->mqd_interrupt_valid[p] ||
                             (TOTEM_TASKS != 0 && i->submit_interrupt_valid[p]))) {
            const uint64_t word = i->fence_interrupt_valid[p] ? i->fence_interrupt_word[p]
                                  : i->mqd_interrupt_valid[p] ? i->mqd_interrupt_word[p]
                                                              : i->submit_interrupt_word[p / TOTEM_PIPES];

            taken          = true;
            named          = TOTEM_RUNLIST != 0 && (word >> 46 & 1) != 0;
            queue          = (uint8_t)(word >> 32 & 7);
            n.context_word = (uint32_t)word;
            n.notice_entry = (uint16_t)(word >> 36 & 0x3ff);
            if (!named)
                n.context_addr = (uint8_t)(8 * p + queue);
        }
    for (unsigned f = 0; ring_exists(f); f++)
        if (s->turn == TOTEM_PIPE_COUNT + f &&
            (i->graphics_fence_interrupt_valid[f] || i->graphics_mqd_interrupt_valid[f])) {
            taken               = true;
            const uint64_t word = i->graphics_fence_interrupt_valid[f] ? i->graphics_fence_interrupt_word[f]
                                                                       : i->graphics_mqd_interrupt_word[f];
            n.context_addr      = (uint8_t)(PIPE_CONTEXTS + f);
            n.context_word      = (uint32_t)word;
            n.notice_entry      = (uint16_t)(word >> 36 & 0x3ff);
        }
    n.context_valid = taken && !named;
    n.notice_valid  = named;

    switch (s->phase) {
    // 3 Access
    case EVENTS_IDLE:
        if (i->host_valid) {
            n.dword = i->host_dword;
            n.error = 0;
            n.phase = EVENTS_READ;
        }
        break;
    case EVENTS_READ: n.phase = EVENTS_DECIDE; break;
    // 4 Decide
    case EVENTS_DECIDE:
        n.phase = EVENTS_DONE;
        n.word  = hole(s->dword) ? 0 : read_value(s, i);
        n.error = 0;
        if (hole(s->dword))
            n.error = TOTEM_ERROR_HOST_HOLE & 31;
        else if (!is_writable(s->dword) && i->host_write)
            n.error = TOTEM_ERROR_HOST_READ_ONLY & 31;
        else if (i->host_write)
            write_dword(&n, s, i);
        break;
    default: n.phase = EVENTS_IDLE; break;
    }

    // 5 End of pipe: the interrupt of rule 2 marks its queue.
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        if (taken && !named && s->turn == p && queue < TOTEM_QUEUES)
            n.eop[p] = (uint8_t)(n.eop[p] | 1u << queue);
    for (unsigned f = 0; ring_exists(f); f++)
        if (taken && s->turn == TOTEM_PIPE_COUNT + f)
            n.ring_eop[f] = true;

    // 6 Errors
    offer    all[TOTEM_ERROR_SOURCES];
    bool     offered = false;
    uint64_t word    = 0;
    gather(all, i);
    for (unsigned e = 0; e < TOTEM_ERROR_SOURCES; e++)
        if (s->source == e && all[e].valid) {
            offered = true;
            word    = all[e].word;
        }
    if (offered && !s->part) {
        n.head = word;
        n.part = true;
    }
    if (offered && s->part) {
        n.part = false;
        keep_error(&n, s, word, i->clock);
    }
    if (offered == s->part)
        n.source = (uint8_t)(s->source + 1 < TOTEM_ERROR_SOURCES ? s->source + 1 : 0);

    // 7 Self-check
    if (i->machine_fatal) {
        n.checked = true;
        if (!s->checked)
            n.status = (uint8_t)(n.status | 1u << 5);
    }

    *s = n;
}

bool totem_events_invariant(const totem_events *s)
{
    bool holds = s->source < TOTEM_ERROR_SOURCES && s->turn < TURNS;
    for (unsigned f = 0; f < TOTEM_FE_COUNT; f++)
        holds = holds && (RINGS != 0 || (!s->ring_eop[f] && !s->ring_eop_enable[f]));
    for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++)
        holds = holds && (s->eop[p] & ~LEGAL) == 0 && (s->eop_enable[p] & ~LEGAL) == 0;
    return holds;
}
