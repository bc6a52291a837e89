// SPDX-License-Identifier: Apache-2.0
//
// totem_port: twin of rtl/issue/totem_port.v, from docs/contract/port.md.

#include "totem_port.h"

#include "totem_dc_values.h"

enum { DEPTH = 4 };

// Number of a pipe: always 0 where there is only one.
static unsigned pipe_of(bool pipe)
{
    return TOTEM_PIPES > 1 && pipe ? 1 : 0;
}

static unsigned header_of(unsigned pipe, bool buffer)
{
    return 2 * pipe + (buffer ? 1 : 0);
}

static unsigned entry_of(unsigned pipe, unsigned place)
{
    return DEPTH * pipe + (place & (DEPTH - 1));
}

static unsigned killing_of(const totem_port *s)
{
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (s->kill_pending[p])
            return p;
    return 0;
}

void totem_port_outputs(const totem_port *s, totem_port_out *o)
{
    const unsigned killing = killing_of(s);

    o->kill_valid  = s->kill_pending[killing];
    o->kill_pipe   = killing != 0;
    o->kill_queue  = s->kill_queues[killing];
    o->kill_epochs = s->kill_masks[killing];

    o->idle = true;
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        const unsigned entry  = entry_of(p, s->first[p]);
        const unsigned header = header_of(p, s->fifo_buffer[entry]);
        const bool     awaits = s->awaited && pipe_of(s->awaited_pipe) == p && s->awaited_place == s->first[p];
        const bool     own    = s->fifo_partial[entry];

        o->head_valid[p]      = s->count[p] != 0 && !(s->recall_valid && pipe_of(s->recall_pipe) == p) && !awaits;
        o->head_priority[p]   = s->pipe_priority[p];
        o->head_buffer[p]     = s->fifo_buffer[entry];
        o->head_group[p]      = s->fifo_group[entry];
        o->head_new[p]        = s->header_fresh[header];
        o->head_waves[p]      = own ? s->fifo_waves[entry] : s->header_waves[header];
        o->head_threads[p]    = own ? s->fifo_threads[entry] : s->header_threads[header];
        o->head_wave32[p]     = s->header_wave32[header];
        o->head_invalidate[p] = s->header_invalidate[header];
        o->head_vgprs[p]      = s->header_vgprs[header];
        o->head_total[p]      = own ? s->fifo_total[entry] : s->header_total[header];
        o->head_lds[p]        = s->header_lds[header];
        o->head_program[p]    = s->header_program[header];
        o->head_queue[p]      = s->header_queue[header];
        o->head_epoch[p]      = s->header_epoch[header];
        o->head_set[p]        = s->header_set[header];
        o->idle               = o->idle && !o->head_valid[p];
    }

    o->answer_valid       = s->answer_valid;
    o->answer_pipe        = s->answer_pipe;
    o->answer_count       = s->answer_count;
    o->state_write_enable = s->state_write_enable;
    o->state_write_addr   = s->state_write_addr;
    o->state_write_data   = s->state_write_data;
    o->overrun            = s->overrun;
}

void totem_port_step(totem_port *s, const totem_port_in *i)
{
    bool     word_valid = false;
    uint64_t word       = 0;
    uint16_t word_tag   = 0;
    for (unsigned lane = 0; lane < TOTEM_LANES; lane++) {
        const uint16_t tag = i->bus_lane_tag[lane];
        if (i->bus_lane_valid[lane] && (tag >> 2 & 3) == i->fe_number && (tag >> 4 & 3) == i->se_number) {
            word_valid = true;
            word |= i->bus_lane_word[lane];
            word_tag |= tag;
        }
    }

    const unsigned kind        = (unsigned)word_tag >> 11 & 7;
    const bool     ours        = i->bus_class == CLASS_COMPUTE || (word_tag >> 8 & 1) == 0; // else a draw's
    const bool     taken       = word_valid && (word_tag >> 6 & 3) == i->bus_class && ours;
    const unsigned word_pipe   = pipe_of((word_tag >> 8 & 1) != 0);
    const bool     buffer      = (word_tag >> 14 & 1) != 0;
    const unsigned word_header = header_of(word_pipe, buffer);

    const bool     recall   = s->recall_valid;
    const uint8_t  vgprs    = s->header_vgprs[word_header];
    const uint16_t blocks   = (uint16_t)((word & 0x7f) * vgprs & 0x1fff);
    const bool     arrives  = taken && kind == WORD_GROUP;
    const bool     no_place = s->count[word_pipe] == DEPTH;

    // 1 Pulses
    s->answer_valid       = false;
    s->recall_valid       = false;
    s->state_write_enable = false;

    // 2 Grant
    const unsigned lead   = pipe_of((i->grant_pipe & 1) != 0);
    const bool     popped = i->pop && (i->grant_pipe >> 1 != 0) == (i->bus_class != CLASS_COMPUTE);
    if (popped && s->count[lead] != 0) {
        s->header_fresh[header_of(lead, s->fifo_buffer[entry_of(lead, s->first[lead])])] = false;

        s->count[lead] = (uint8_t)((s->count[lead] - 1) & 7);
        s->first[lead] = (uint8_t)((s->first[lead] + 1) & (DEPTH - 1));
    }

    // 3 Recall
    if (recall) {
        const unsigned r = pipe_of(s->recall_pipe);

        s->answer_valid = true;
        s->answer_pipe  = (uint8_t)((i->bus_class != CLASS_COMPUTE ? 2u : 0u) | r);
        s->answer_count = s->count[r];
        s->count[r]     = 0;
        if (pipe_of(s->awaited_pipe) == r)
            s->awaited = false;
    }

    // 4 Header A
    if (taken && kind == WORD_HEADER_A) {
        s->header_program[word_header]    = word & 0xffffffffffu;
        s->header_vgprs[word_header]      = (uint8_t)(word >> 40 & 0x7f);
        s->header_lds[word_header]        = (uint16_t)(word >> 47 & 0x1ff);
        s->header_wave32[word_header]     = (word >> 56 & 1) != 0;
        s->header_invalidate[word_header] = word >> 57 & 63;
        s->header_fresh[word_header]      = true;
        s->index[word_pipe]               = word >> 63 != 0 ? 15 : 0;
    }

    // 5 Header B
    if (taken && kind == WORD_HEADER_B) {
        s->header_waves[word_header]   = (uint8_t)(word & 0x7f);
        s->header_threads[word_header] = (uint8_t)(word >> 7 & 0x7f);
        s->header_queue[word_header]   = (uint8_t)(word >> 14 & (TOTEM_QUEUES - 1));
        s->header_epoch[word_header]   = (uint8_t)(word >> 17 & (TOTEM_EPOCHS - 1));
        s->header_set[word_header]     = (uint8_t)(word >> 24 & (TOTEM_SETS - 1));
        s->header_total[word_header]   = blocks;
    }

    // 6 State word
    if (taken && kind == WORD_STATE) {
        s->state_write_enable = true;
        s->state_write_addr   = (uint8_t)(word_pipe << 6 | (buffer ? 32u : 0u) | s->index[word_pipe]);
        s->state_write_data   = word;
        s->index[word_pipe]   = (uint8_t)((s->index[word_pipe] + 1) & 15);
    }

    // 7 Group
    if (arrives && no_place)
        s->overrun = true;
    if (arrives && !no_place) {
        const unsigned e = entry_of(word_pipe, (unsigned)s->first[word_pipe] + s->count[word_pipe]);

        s->fifo_group[e]    = word;
        s->fifo_buffer[e]   = buffer;
        s->fifo_partial[e]  = (word_tag >> 15 & 1) != 0;
        s->awaited          = s->fifo_partial[e];
        s->awaited_pipe     = word_pipe != 0;
        s->awaited_place    = (uint8_t)(e & (DEPTH - 1));
        s->count[word_pipe] = (uint8_t)((s->count[word_pipe] + 1) & 7);

        s->pipe_priority[word_pipe] = (uint8_t)(word_tag >> 9 & 3);
    }

    // 8 Partial word
    if (taken && kind == WORD_PARTIAL && s->awaited) {
        const unsigned e = entry_of(pipe_of(s->awaited_pipe), s->awaited_place);

        s->fifo_waves[e]   = (uint8_t)(word & 0x7f);
        s->fifo_threads[e] = (uint8_t)(word >> 7 & 0x7f);
        s->fifo_total[e]   = blocks;
        s->awaited         = false;
    }

    // 9 Recall word
    if (taken && kind == WORD_RECALL) {
        s->recall_valid = true;
        s->recall_pipe  = word_pipe != 0;
    }

    // 10 Kill taken
    if (i->engine_kill_kill_ready)
        s->kill_pending[killing_of(s)] = false;

    // 11 Kill word
    if (taken && kind == WORD_KILL) {
        s->kill_pending[word_pipe] = true;
        s->kill_queues[word_pipe]  = (uint8_t)(word & (TOTEM_QUEUES - 1));
        s->kill_masks[word_pipe]   = (uint8_t)(word >> 8 & ((1u << TOTEM_EPOCHS) - 1));
    }

    // 12 Priority word
    if (taken && kind == WORD_PRIORITY)
        s->pipe_priority[word_pipe] = (uint8_t)(word_tag >> 9 & 3);
}

// From the Invariants of the contract: what the step relies on.
bool totem_port_invariant(const totem_port *s)
{
    bool good = true;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        good = good && s->count[p] <= DEPTH;
    return good;
}
