// SPDX-License-Identifier: Apache-2.0
//
// totem_fe: wiring of one front end. See totem_fe.h.

#include "totem_fe.h"

#include <string.h>

#define COPY(to, from)                                                    \
    do {                                                                  \
        _Static_assert(sizeof(to) == sizeof(from), "ports of one shape"); \
        memcpy((to), (from), sizeof(to));                                 \
    } while (0)

void totem_fe_reset(totem_fe *s)
{
    for (int p = 0; p < TOTEM_PIPES; p++)
        totem_pipe_reset(&s->pipe[p]);
    totem_dc_reset(&s->dc);
    totem_memory_reset(&s->memory);
}

void totem_fe_outputs(const totem_fe *s, totem_fe_out *o)
{
    for (int p = 0; p < TOTEM_PIPES; p++)
        totem_pipe_outputs(&s->pipe[p], &o->pipe[p]);
    totem_dc_outputs(&s->dc, &o->dc);
    totem_memory_outputs(&s->memory, &o->memory);
}

bool totem_fe_idle(const totem_fe_out *o)
{
    bool idle = o->memory.idle;
    for (int p = 0; p < TOTEM_PIPES; p++)
        idle = idle && totem_pipe_idle(&o->pipe[p]);
    return idle;
}

static bool names(const totem_fe_in *x, uint8_t fe, bool pipe, int p)
{
    return fe == x->number && pipe == (bool)p;
}

static void step_pipe(totem_fe *s, const totem_fe_out *o, const totem_fe_in *x, int p)
{
    const totem_fe_reports *r = &x->reports;
    const totem_memory_out *m = &o->memory;

    totem_pipe_in i;
    i.host_valid       = x->host_valid[p];
    i.tally_host_valid = x->tally_host_valid[p];
    i.host_write       = x->host_write;
    i.host_doorbell    = x->host_doorbell;
    i.host_queue       = x->host_queue;
    i.host_dword       = x->host_dword;
    i.host_strobe      = x->host_strobe;
    i.host_data        = x->host_data;
    i.settings         = x->settings;
    i.poll_once        = x->poll_once[p];
    i.pipe_number      = (uint8_t)(x->number * TOTEM_PIPES + p);
    i.clock            = x->clock;

    i.data_word          = m->data_word;
    i.data_last          = m->data_last;
    i.data_error         = m->data_error;
    i.fetch_read_ready   = m->read_ready[2 * p];
    i.poll_read_ready    = m->read_ready[2 * p + 1];
    i.fetch_data_valid   = m->data_valid && m->data_target == 2 * p;
    i.poll_data_valid    = m->data_valid && m->data_target == 2 * p + 1;
    i.fetch_write_ready  = m->write_ready[2 * p];
    i.packet_write_ready = m->write_ready[2 * p + 1];
    i.fence_write_ready  = m->write_ready[3 * TOTEM_PIPES + p];
    i.fetch_write_ack    = m->ack_valid && m->ack_target == 2 * p;
    i.packet_write_ack   = m->ack_valid && m->ack_target == 2 * p + 1;
    i.fence_write_ack    = m->ack_valid && m->ack_target == 3 * TOTEM_PIPES + p;
    i.ack_tag            = m->ack_tag;
    i.ack_error          = m->ack_error;
    i.ack_addr           = m->ack_addr;
    i.mqd_read_ready     = m->read_ready[2 * TOTEM_PIPES + p];
    i.mqd_data_valid     = m->data_valid && m->data_target == 2 * TOTEM_PIPES + p;
    i.mqd_write_ready    = m->write_ready[2 * TOTEM_PIPES + p];
    i.mqd_write_ack      = m->ack_valid && m->ack_target == 2 * TOTEM_PIPES + p;

    i.packet_error_ready = x->packet_error_ready[p];
    i.fence_error_ready  = x->fence_error_ready[p];
    i.mqd_error_ready    = x->mqd_error_ready[p];
    i.fetch_error_ready  = x->fetch_error_ready[p];
    i.interrupt_ready    = x->interrupt_ready[p];

    i.killed            = o->dc.killed[p];
    i.take              = o->dc.take[p];
    i.take_engine       = o->dc.take_engine;
    i.state_read_enable = o->dc.state_read_enable[p];
    i.state_read_addr   = o->dc.state_read_addr[p];

    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        i.grant_valid[e]    = r->grant_valid[e] && names(x, r->grant_fe[e], r->grant_pipe[e], p);
        i.complete_valid[e] = r->complete_valid[e] && names(x, r->complete_fe[e], r->complete_pipe[e], p);
        i.answer_valid[e]   = r->answer_valid[e] && r->answer_pipe[e] == (bool)p;
    }
    COPY(i.grant_waves, r->grant_waves);
    COPY(i.grant_queue, r->grant_queue);
    COPY(i.grant_epoch, r->grant_epoch);
    COPY(i.complete_queue, r->complete_queue);
    COPY(i.complete_epoch, r->complete_epoch);
    COPY(i.answer_count, r->answer_count);

    totem_pipe_step(&s->pipe[p], &o->pipe[p], &i);
}

static void step_dc(totem_fe *s, const totem_fe_out *o, const totem_fe_in *x)
{
    const totem_fe_reports *r = &x->reports;

    totem_dc_in i;
    i.fe = x->number;
    for (int p = 0; p < TOTEM_PIPES; p++) {
        const totem_pipe_out *q = &o->pipe[p];
        i.walker_valid[p]       = q->walker.group_valid;
        i.walker_group[p]       = q->walker.group;
        i.walker_partial[p]     = q->walker.group_partial;
        i.walker_stop[p]        = q->packet.stop;
        i.dispatch_start[p]     = q->packet.start;
        i.dispatch_waves[p]     = q->packet.dispatch_waves;
        i.dispatch_threads[p]   = q->packet.dispatch_threads;
        i.dispatch_wave32[p]    = q->packet.dispatch_wave32;
        i.dispatch_queue[p]     = q->packet.dispatch_queue;
        i.dispatch_epoch[p]     = q->packet.dispatch_epoch;
        i.pipe_priority[p]      = q->arbiter.pipe_priority;
        i.bank_program_addr[p]  = q->bank.program_addr;
        i.bank_vgprs[p]         = q->bank.vgprs;
        i.bank_lds[p]           = q->bank.lds;
        i.bank_words[p]         = q->bank.words;
        i.kill_valid[p]         = q->kill.word_valid;
        i.kill_engine[p]        = q->kill.word_engine;
        i.kill_queue[p]         = q->kill.word_queue;
        i.kill_epochs[p]        = q->kill.word_epochs;
        i.state_read_data[p]    = (uint64_t)q->state_high_ram.read_data << 32 | q->state_low_ram.read_data;
        for (int e = 0; e < TOTEM_SE_COUNT; e++) {
            const int pe             = p * TOTEM_SE_COUNT + e;
            i.walker_room[pe]        = q->walker.room[e];
            i.walker_outstanding[pe] = q->walker.outstanding[e];
            i.bank_engines[pe]       = q->bank.engines[e];
            i.grant_valid[pe]        = r->grant_valid[e] && names(x, r->grant_fe[e], r->grant_pipe[e], p);
            i.release_valid[pe]      = r->release_valid[e] && names(x, r->release_fe[e], r->release_pipe[e], p);
            i.answer_valid[pe]       = r->answer_valid[e] && r->answer_pipe[e] == (bool)p;
        }
    }
    COPY(i.free_slots, r->free_slots);
    COPY(i.free_vgprs, r->free_vgprs);
    COPY(i.free_lds, r->free_lds);
    COPY(i.release_buffer, r->release_buffer);
    COPY(i.answer_count, r->answer_count);

    totem_dc_step(&s->dc, &i);
}

// Clocks that memory waits for an answer, 0 for ever: less than the host has set while a reset takes too long.
static uint32_t patience(const totem_fe_out *o, const totem_fe_in *x)
{
    const uint32_t most = x->settings.dequeue_timeout | 0xfff;
    if (x->settings.dequeue_timeout == 0)
        return x->settings_timeout;
    for (int p = 0; p < TOTEM_PIPES; p++)
        if (o->pipe[p].kill.overdue && (x->settings_timeout == 0 || x->settings_timeout > most))
            return most;
    return x->settings_timeout;
}

static void step_memory(totem_fe *s, const totem_fe_out *o, const totem_fe_in *x)
{
    totem_memory_in i;
    for (int p = 0; p < TOTEM_PIPES; p++) {
        const totem_pipe_out *q            = &o->pipe[p];
        i.read_valid[2 * p]                = q->fetch.read_valid;
        i.read_addr[2 * p]                 = q->fetch.read_addr;
        i.read_beats[2 * p]                = q->fetch.read_beats;
        i.read_valid[2 * p + 1]            = q->poll.read_valid;
        i.read_addr[2 * p + 1]             = q->poll.read_addr;
        i.read_beats[2 * p + 1]            = 1;
        i.read_valid[2 * TOTEM_PIPES + p]  = q->mqd.read_valid;
        i.read_addr[2 * TOTEM_PIPES + p]   = q->mqd.read_addr;
        i.read_beats[2 * TOTEM_PIPES + p]  = q->mqd.read_beats;
        i.write_valid[2 * TOTEM_PIPES + p] = totem_pipe_mqd_write_valid(q);
        i.write_word[2 * TOTEM_PIPES + p]  = totem_pipe_mqd_write_word(q);
        i.write_valid[2 * p]               = q->fetch.write_valid;
        i.write_word[2 * p]                = q->fetch.write_word;
        i.write_valid[2 * p + 1]           = q->packet.write_valid && q->fence.write_room && !q->packet.fence_write;
        i.write_word[2 * p + 1]            = q->packet.write_word;
        i.write_valid[3 * TOTEM_PIPES + p] = q->fence.write_valid;
        i.write_word[3 * TOTEM_PIPES + p]  = q->fence.write_word;
    }
    i.settings_timeout = patience(o, x);
    i.m_axi_awready    = x->axi.awready;
    i.m_axi_wready     = x->axi.wready;
    i.m_axi_bid        = x->axi.bid;
    i.m_axi_bresp      = x->axi.bresp;
    i.m_axi_bvalid     = x->axi.bvalid;
    i.m_axi_arready    = x->axi.arready;
    i.m_axi_rid        = x->axi.rid;
    i.m_axi_rdata      = x->axi.rdata;
    i.m_axi_rresp      = x->axi.rresp;
    i.m_axi_rlast      = x->axi.rlast;
    i.m_axi_rvalid     = x->axi.rvalid;
    i.error_ready      = x->memory_error_ready;

    totem_memory_step(&s->memory, &i);
}

void totem_fe_step(totem_fe *s, const totem_fe_out *o, const totem_fe_in *i)
{
    for (int p = 0; p < TOTEM_PIPES; p++)
        step_pipe(s, o, i, p);
    step_dc(s, o, i);
    step_memory(s, o, i);
}
