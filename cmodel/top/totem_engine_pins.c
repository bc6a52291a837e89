// SPDX-License-Identifier: Apache-2.0
//
// The wave interface of an engine between the machine and shader cores that stand beside it (docs/engine.md): for the
// library, whose caller drives them, and for the lockstep.

#include "totem_library.h"

totem_wave_out totem_engine_core(const totem_engine_pins_in *c)
{
    return (totem_wave_out){
        .launch_ready      = c->launch_ready,
        .state_index       = c->state_index & 31,
        .done_valid        = c->done_valid,
        .done_slot         = c->done_slot & ((1 << TOTEM_SLOT_BITS) - 1),
        .export_valid      = c->export_valid,
        .export_slot       = c->export_slot & ((1 << TOTEM_SLOT_BITS) - 1),
        .export_primitives = c->export_primitives & 0x1ff,
        .export_pixels     = c->export_pixels & 0xfffff,
        .task_valid        = c->task_valid,
        .task_pointer      = c->task_pointer,
        .task_fe           = c->task_fe & 3,
        .task_pipe         = c->task_pipe & 3,
        .task_queue        = c->task_queue & ((1 << TOTEM_QUEUE_BITS) - 1),
        .task_epoch        = c->task_epoch & ((1 << TOTEM_EPOCH_BITS) - 1),
        .host_done         = c->host_done,
        .host_error        = c->host_error & 31,
        .host_rdata        = c->host_rdata,
    };
}

totem_engine_pins_out totem_engine_pins(const totem_machine_out *o, int engine)
{
    const totem_launch_out      *l = &o->se[engine].launch;
    const totem_engine_kill_out *k = &o->se[engine].engine_kill;

    return (totem_engine_pins_out)
    {
        .launch_valid = l->launch_valid, .launch_kind = l->launch_kind, .launch_path = l->launch_path,
        .launch_fe = l->launch_fe, .launch_pipe = l->launch_pipe, .launch_queue = l->launch_queue,
        .launch_epoch = l->launch_epoch, .launch_group = l->launch_group, .launch_index = l->launch_index,
        .launch_waves = l->launch_waves, .launch_wave32 = l->launch_wave32, .launch_invalidate = l->launch_invalidate,
        .launch_threads = l->launch_threads, .launch_program = l->launch_program, .launch_vgprs = l->launch_vgprs,
        .launch_lds = l->launch_lds, .launch_slot = l->launch_slot, .launch_buffer = l->launch_buffer,
        .launch_state_new = l->launch_state_new, .launch_draw = l->launch_draw, .launch_set = l->launch_set,
        .launch_primitives = l->launch_primitives, .state_data = o->se[engine].word_pick.word,
#if TOTEM_GRAPHICS
        .export_ready = o->se[engine].pixels.assemble.export_ready,
#endif
#if TOTEM_TASKS
        .task_ready = o->se[engine].task_answer.any, .task_refused = o->se[engine].task_refusal.any,
#endif
        .kill_valid = k->kill_valid, .kill_path = k->kill_path, .kill_fe = k->kill_fe, .kill_pipe = k->kill_pipe,
        .kill_queue = k->kill_queue, .kill_epochs = k->kill_epochs, .host_valid = o->host.wave_valid[engine],
        .host_write = o->host.request_write, .host_dword = o->host.request_dword, .host_strobe = o->host.request_strobe,
        .host_data = o->host.request_data,
    };
}
