// SPDX-License-Identifier: Apache-2.0
//
// totem_machine: wiring of the whole machine. See totem_machine.h.

#include "totem_machine.h"

#include <string.h>

#define COPY(to, from)                                                    \
    do {                                                                  \
        _Static_assert(sizeof(to) == sizeof(from), "ports of one shape"); \
        memcpy((to), (from), sizeof(to));                                 \
    } while (0)

void totem_machine_reset(totem_machine *s)
{
    totem_host_reset(&s->host);
    totem_events_reset(&s->events);
    totem_context_ram_reset(&s->context_ram);
    totem_bus_reset(&s->bus);
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        totem_fe_reset(&s->fe[f]);
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        totem_se_reset(&s->se[e]);
        totem_wave_reset(&s->wave[e]);
        totem_time_ram_reset(&s->time_ram[e]);
    }
}

void totem_machine_outputs(const totem_machine *s, totem_machine_out *o)
{
    totem_host_outputs(&s->host, &o->host);
    totem_events_outputs(&s->events, &o->events);
    totem_context_ram_outputs(&s->context_ram, &o->context_ram);
    totem_bus_outputs(&s->bus, &o->bus);
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        totem_fe_outputs(&s->fe[f], &o->fe[f]);
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        totem_se_outputs(&s->se[e], &o->se[e]);
        totem_wave_outputs(&s->wave[e], &o->wave[e]);
        totem_time_ram_outputs(&s->time_ram[e], &o->time_ram[e]);
    }
}

bool totem_machine_idle(const totem_machine_out *o)
{
    bool idle = true;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        idle = idle && totem_fe_idle(&o->fe[f]);
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        idle = idle && totem_se_idle(&o->se[e]);
    return idle;
}

bool totem_machine_fatal(const totem_machine_out *o)
{
    bool fault = false;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int p = 0; p < TOTEM_PIPES; p++)
            fault = fault || o->fe[f].pipe[p].walker.mismatch;
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        fault = fault || totem_se_fault(&o->se[e]);
    return fault;
}

static void step_host(totem_machine *s, const totem_machine_out *o, const totem_machine_in *x)
{
    totem_host_in i;
    i.s_axil_awaddr  = x->axil.awaddr;
    i.s_axil_awprot  = x->axil.awprot;
    i.s_axil_awvalid = x->axil.awvalid;
    i.s_axil_wdata   = x->axil.wdata;
    i.s_axil_wstrb   = x->axil.wstrb;
    i.s_axil_wvalid  = x->axil.wvalid;
    i.s_axil_bready  = x->axil.bready;
    i.s_axil_araddr  = x->axil.araddr;
    i.s_axil_arprot  = x->axil.arprot;
    i.s_axil_arvalid = x->axil.arvalid;
    i.s_axil_rready  = x->axil.rready;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int p = 0; p < TOTEM_PIPES; p++) {
            const totem_hqd_out *hqd           = &o->fe[f].pipe[p].hqd;
            i.pipe_done[f * TOTEM_PIPES + p]   = hqd->host_done;
            i.pipe_error[f * TOTEM_PIPES + p]  = hqd->host_error;
            i.pipe_rdata[f * TOTEM_PIPES + p]  = hqd->host_rdata;
            i.pipe_drains[f * TOTEM_PIPES + p] = hqd->drains;
            i.pipe_lost[f * TOTEM_PIPES + p]   = o->fe[f].pipe[p].fence.lost;
            i.pipe_late[f * TOTEM_PIPES + p]   = o->fe[f].pipe[p].fence.late;

            const totem_tally_out *tally       = &o->fe[f].pipe[p].tally;
            i.tally_done[f * TOTEM_PIPES + p]  = tally->host_done;
            i.tally_rdata[f * TOTEM_PIPES + p] = tally->host_rdata;
        }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        i.engine_done[e]  = o->wave[e].host_done;
        i.engine_error[e] = o->wave[e].host_error;
        i.engine_rdata[e] = o->wave[e].host_rdata;
    }
    i.events_done  = o->events.host_done;
    i.events_error = o->events.host_error;
    i.events_rdata = o->events.host_rdata;
    i.idle         = totem_machine_idle(o);
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        i.dead[f] = o->fe[f].memory.dead;
    i.error_ready = o->events.error_ready[0];
    totem_host_step(&s->host, &i);
}

static void step_events(totem_machine *s, const totem_machine_out *o)
{
    totem_events_in i;
    i.host_valid     = o->host.events_valid;
    i.host_write     = o->host.request_write;
    i.host_dword     = o->host.request_dword;
    i.host_strobe    = o->host.request_strobe;
    i.host_data      = o->host.request_data;
    i.error_valid[0] = o->host.error_valid;
    i.error_word[0]  = o->host.error_word;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int p = 0; p < TOTEM_PIPES; p++) {
            const totem_pipe_out *pipe            = &o->fe[f].pipe[p];
            const int             n               = f * TOTEM_PIPES + p;
            i.error_valid[1 + 2 * n]              = pipe->packet.error_valid;
            i.error_word[1 + 2 * n]               = pipe->packet.error_word;
            i.error_valid[2 + 2 * n]              = pipe->fence.error_valid;
            i.error_word[2 + 2 * n]               = pipe->fence.error_word;
            i.error_valid[TOTEM_EVENTS_MQD + n]   = totem_pipe_error_valid(pipe);
            i.error_word[TOTEM_EVENTS_MQD + n]    = totem_pipe_error_word(pipe);
            i.error_valid[TOTEM_EVENTS_FETCH + n] = pipe->fetch.error_valid;
            i.error_word[TOTEM_EVENTS_FETCH + n]  = pipe->fetch.error_word;
            i.interrupt_valid[n]                  = totem_pipe_interrupt_valid(pipe);
            i.interrupt_word[n]                   = totem_pipe_interrupt_word(pipe);
        }
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        i.error_valid[TOTEM_EVENTS_MEMORY + f] = o->fe[f].memory.error_valid;
        i.error_word[TOTEM_EVENTS_MEMORY + f]  = o->fe[f].memory.error_word;
    }
    i.clock         = o->host.clock;
    i.fatal         = totem_machine_fatal(o);
    i.ram_read_data = o->context_ram.read_data;
    totem_events_step(&s->events, &i);

    const totem_context_ram_in context = {
        .write_enable = o->events.ram_write_enable,
        .write_addr   = o->events.ram_write_addr,
        .write_data   = o->events.ram_write_data,
        .read_enable  = o->events.ram_read_enable,
        .read_addr    = o->events.ram_read_addr,
    };
    totem_context_ram_step(&s->context_ram, &context);
}

static void step_bus(totem_machine *s, const totem_machine_out *o)
{
    totem_bus_in i;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        i.fe_valid[f] = o->fe[f].dc.bus_valid;
        i.fe_word[f]  = o->fe[f].dc.bus_word;
        i.fe_tag[f]   = o->fe[f].dc.bus_tag;
    }
    totem_bus_step(&s->bus, &i);
}

static void step_fe(totem_machine *s, const totem_machine_out *o, const totem_machine_in *x, int f)
{
    totem_fe_in i;
    i.number           = (uint8_t)f;
    i.host_write       = o->host.request_write;
    i.host_doorbell    = o->host.request_doorbell;
    i.host_queue       = o->host.request_queue;
    i.host_dword       = o->host.request_dword;
    i.host_strobe      = o->host.request_strobe;
    i.host_data        = o->host.request_data;
    i.settings_timeout = o->host.settings_timeout;
    i.settings         = (totem_pipe_settings){
                .quantum_unit0           = o->host.settings_quantum_unit0,
                .quantum_unit1           = o->host.settings_quantum_unit1,
                .turn_limit              = o->host.settings_turn_limit,
                .event_on_priority_write = o->host.settings_event_on_priority_write,
                .priority_write_open     = o->host.settings_priority_write_open,
                .mqd_save                = o->host.settings_mqd_save,
                .dequeue_timeout         = o->host.settings_dequeue_timeout,
                .poll_enable             = o->host.settings_poll_enable,
                .poll_period             = o->host.settings_poll_period,
    };
    i.clock = o->host.clock;
    for (int p = 0; p < TOTEM_PIPES; p++) {
        const int n             = f * TOTEM_PIPES + p;
        i.host_valid[p]         = o->host.pipe_valid[n];
        i.poll_once[p]          = o->host.poll_once[n];
        i.tally_host_valid[p]   = o->host.tally_valid[n];
        i.packet_error_ready[p] = o->events.error_ready[1 + 2 * n];
        i.fence_error_ready[p]  = o->events.error_ready[2 + 2 * n];
        i.mqd_error_ready[p]    = o->events.error_ready[TOTEM_EVENTS_MQD + n];
        i.fetch_error_ready[p]  = o->events.error_ready[TOTEM_EVENTS_FETCH + n];
        i.interrupt_ready[p]    = o->events.interrupt_ready[n];
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_se_out *se = &o->se[e];
        totem_fe_reports   *r  = &i.reports;
        r->grant_valid[e]      = se->issue.grant_valid;
        r->grant_fe[e]         = se->issue.grant_fe;
        r->grant_pipe[e]       = se->issue.grant_pipe;
        r->grant_waves[e]      = se->issue.grant_waves;
        r->grant_queue[e]      = se->issue.grant_queue;
        r->grant_epoch[e]      = se->issue.grant_epoch;
        r->release_valid[e]    = se->launch.release_valid;
        r->release_fe[e]       = se->launch.release_fe;
        r->release_pipe[e]     = se->launch.release_pipe;
        r->release_buffer[e]   = se->launch.release_buffer;
        r->complete_valid[e]   = se->retire.complete_valid;
        r->complete_fe[e]      = se->retire.complete_fe;
        r->complete_pipe[e]    = se->retire.complete_pipe;
        r->complete_queue[e]   = se->retire.complete_queue;
        r->complete_epoch[e]   = se->retire.complete_epoch;
        r->answer_valid[e]     = se->port[f].answer_valid;
        r->answer_pipe[e]      = se->port[f].answer_pipe;
        r->answer_count[e]     = se->port[f].answer_count;
        r->free_slots[e]       = se->issue.free_slots;
        r->free_vgprs[e]       = se->issue.free_vgprs_left;
        r->free_lds[e]         = se->issue.free_lds_left;
    }
    i.memory_error_ready = o->events.error_ready[TOTEM_EVENTS_MEMORY + f];
    i.axi                = x->axi[f];
    totem_fe_step(&s->fe[f], &o->fe[f], &i);
}

static void step_se(totem_machine *s, const totem_machine_out *o, int e)
{
    const totem_launch_out *launch = &o->se[e].launch;

    totem_se_in i;
    i.number      = (uint8_t)e;
    i.events_stop = o->events.stop;
    COPY(i.lane_valid, o->bus.lane_valid);
    COPY(i.lane_word, o->bus.lane_word);
    COPY(i.lane_tag, o->bus.lane_tag);
    i.launch_ready = o->wave[e].launch_ready;
    i.state_index  = o->wave[e].state_index;
    i.done_valid   = o->wave[e].done_valid;
    i.done_slot    = o->wave[e].done_slot;
    totem_se_step(&s->se[e], &o->se[e], &i);

    totem_wave_in w;
    w.launch_valid     = launch->launch_valid;
    w.launch_slot      = launch->launch_slot;
    w.launch_program   = launch->launch_program;
    w.launch_state_new = launch->launch_state_new;
    w.launch_fe        = launch->launch_fe;
    w.launch_pipe      = launch->launch_pipe;
    w.launch_queue     = launch->launch_queue;
    w.launch_epoch     = launch->launch_epoch;
    w.kill_fe          = totem_se_kill_fe(&o->se[e]);
    w.kill_valid       = o->se[e].port[w.kill_fe].kill_valid;
    w.kill_pipe        = o->se[e].port[w.kill_fe].kill_pipe;
    w.kill_queue       = o->se[e].port[w.kill_fe].kill_queue;
    w.kill_epochs      = o->se[e].port[w.kill_fe].kill_epochs;
    w.state_data       = totem_se_state_data(&o->se[e]);
    w.host_valid       = o->host.engine_valid[e];
    w.host_write       = o->host.request_write;
    w.host_dword       = o->host.request_dword;
    w.host_strobe      = o->host.request_strobe;
    w.host_data        = o->host.request_data;
    w.time_read_data   = o->time_ram[e].read_data;
    totem_wave_step(&s->wave[e], &w);

    const totem_time_ram_in time = {
        .write_enable = o->wave[e].time_write_enable,
        .write_addr   = o->wave[e].time_write_addr,
        .write_data   = o->wave[e].time_write_data,
        .read_enable  = o->wave[e].time_read_enable,
        .read_addr    = o->wave[e].time_read_addr,
    };
    totem_time_ram_step(&s->time_ram[e], &time);
}

void totem_machine_step(totem_machine *s, const totem_machine_out *o, const totem_machine_in *i)
{
    step_host(s, o, i);
    step_events(s, o);
    step_bus(s, o);
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        step_fe(s, o, i, f);
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        step_se(s, o, e);
}
