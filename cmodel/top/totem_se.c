// SPDX-License-Identifier: Apache-2.0
//
// totem_se: wiring of one shader engine. See totem_se.h.

#include "totem_se.h"

void totem_se_reset(totem_se *s)
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        totem_port_reset(&s->port[f]);
        totem_launch_state_ram_reset(&s->state_ram[f]);
    }
    totem_issue_reset(&s->issue);
    totem_launch_reset(&s->launch);
    totem_retire_reset(&s->retire);
    totem_table_ram_reset(&s->table_ram);
}

void totem_se_outputs(const totem_se *s, totem_se_out *o)
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        totem_port_outputs(&s->port[f], &o->port[f]);
        totem_launch_state_ram_outputs(&s->state_ram[f], &o->state_ram[f]);
    }
    totem_issue_outputs(&s->issue, &o->issue);
    totem_launch_outputs(&s->launch, &o->launch);
    totem_retire_outputs(&s->retire, &o->retire);
    totem_table_ram_outputs(&s->table_ram, &o->table_ram);
}

uint64_t totem_se_state_data(const totem_se_out *o)
{
    const uint8_t fe = o->launch.launch_fe < TOTEM_FE_COUNT ? o->launch.launch_fe : 0;
    return o->state_ram[fe].read_data;
}

uint8_t totem_se_kill_fe(const totem_se_out *o)
{
    for (uint8_t f = 0; f < TOTEM_FE_COUNT; f++)
        if (o->port[f].kill_valid)
            return f;
    return 0;
}

bool totem_se_idle(const totem_se_out *o)
{
    bool idle = o->issue.free_slots == TOTEM_SLOTS && !o->launch.launch_valid;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        idle = idle && !o->port[f].head_valid;
    return idle;
}

bool totem_se_fault(const totem_se_out *o)
{
    bool fault = o->issue.fault || o->retire.fault;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        fault = fault || o->port[f].overrun;
    return fault;
}

// The word for this engine from front end f, if a lane carries one; at most one does.
static void step_port(totem_se *s, const totem_se_out *o, const totem_se_in *x, int f)
{
    totem_port_in i = {
        .word_valid = false,
        .word       = 0,
        .word_tag   = 0,
        .pop        = o->issue.grant_valid && o->issue.grant_fe == f,
        .kill_ready = totem_se_kill_fe(o) == f,
    };
    for (int lane = 0; lane < TOTEM_LANES; lane++) {
        const uint16_t tag = x->lane_tag[lane];
        if (x->lane_valid[lane] && (tag >> 2 & 3) == f && (tag >> 4 & 3) == x->number) {
            i.word_valid = true;
            i.word       = x->lane_word[lane];
            i.word_tag   = tag;
        }
    }
    totem_port_step(&s->port[f], &i);

    const totem_launch_state_ram_in state = {
        .write_enable = o->port[f].state_write_enable,
        .write_addr   = o->port[f].state_write_addr,
        .write_data   = o->port[f].state_write_data,
        .read_enable  = o->launch.launch_valid,
        .read_addr    = (uint32_t)o->launch.launch_pipe << 5 | (uint32_t)o->launch.launch_buffer << 4 | x->state_index,
    };
    totem_launch_state_ram_step(&s->state_ram[f], &state);
}

static void step_issue(totem_se *s, const totem_se_out *o, const totem_se_in *x)
{
    totem_issue_in i;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_port_out *head = &o->port[f];
        i.head_valid[f]            = head->head_valid;
        i.head_pipe[f]             = head->head_pipe;
        i.head_priority[f]         = head->head_priority;
        i.head_buffer[f]           = head->head_buffer;
        i.head_new[f]              = head->head_new;
        i.head_group[f]            = head->head_group;
        i.head_waves[f]            = head->head_waves;
        i.head_threads[f]          = head->head_threads;
        i.head_wave32[f]           = head->head_wave32;
        i.head_vgprs[f]            = head->head_vgprs;
        i.head_total[f]            = head->head_total;
        i.head_lds[f]              = head->head_lds;
        i.head_program[f]          = head->head_program;
        i.head_queue[f]            = head->head_queue;
        i.head_epoch[f]            = head->head_epoch;
    }
    i.events_stop = x->events_stop;
    i.launch_room = o->launch.room;
    i.free_valid  = o->retire.free_valid;
    i.free_vgprs  = o->retire.free_vgprs;
    i.free_lds    = o->retire.free_lds;
    totem_issue_step(&s->issue, &i);
}

static void step_launch(totem_se *s, const totem_se_out *o, const totem_se_in *x)
{
    const totem_launch_in i = {
        .grant_valid   = o->issue.grant_valid,
        .grant_fe      = o->issue.grant_fe,
        .grant_pipe    = o->issue.grant_pipe,
        .grant_buffer  = o->issue.grant_buffer,
        .grant_new     = o->issue.grant_new,
        .grant_group   = o->issue.grant_group,
        .grant_waves   = o->issue.grant_waves,
        .grant_threads = o->issue.grant_threads,
        .grant_wave32  = o->issue.grant_wave32,
        .grant_vgprs   = o->issue.grant_vgprs,
        .grant_lds     = o->issue.grant_lds,
        .grant_program = o->issue.grant_program,
        .grant_queue   = o->issue.grant_queue,
        .grant_epoch   = o->issue.grant_epoch,
        .launch_ready  = x->launch_ready,
        .retire_valid  = o->retire.free_valid,
        .retire_slot   = o->retire.free_slot,
    };
    totem_launch_step(&s->launch, &i);
}

static void step_retire(totem_se *s, const totem_se_out *o, const totem_se_in *x)
{
    const totem_retire_in i = {
        .alloc_valid     = o->launch.alloc_valid,
        .alloc_slot      = o->launch.alloc_slot,
        .alloc_first     = o->launch.alloc_first,
        .alloc_waves     = o->launch.alloc_waves,
        .alloc_fe        = o->launch.alloc_fe,
        .alloc_pipe      = o->launch.alloc_pipe,
        .alloc_queue     = o->launch.alloc_queue,
        .alloc_epoch     = o->launch.alloc_epoch,
        .alloc_vgprs     = o->launch.alloc_vgprs,
        .alloc_lds       = o->launch.alloc_lds,
        .done_valid      = x->done_valid,
        .done_slot       = x->done_slot,
        .table_read_data = o->table_ram.read_data,
    };
    totem_retire_step(&s->retire, &i);

    const totem_table_ram_in table = {
        .write_enable = o->retire.table_write_enable,
        .write_addr   = o->retire.table_write_addr,
        .write_data   = o->retire.table_write_data,
        .read_enable  = o->retire.table_read_enable,
        .read_addr    = o->retire.table_read_addr,
    };
    totem_table_ram_step(&s->table_ram, &table);
}

void totem_se_step(totem_se *s, const totem_se_out *o, const totem_se_in *i)
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        step_port(s, o, i, f);
    step_issue(s, o, i);
    step_launch(s, o, i);
    step_retire(s, o, i);
}
