// SPDX-License-Identifier: Apache-2.0
//
// totem_pipe: wiring of one compute pipe. See totem_pipe.h.

#include "totem_pipe.h"

#include <string.h>

#define COPY(to, from)                                                    \
    do {                                                                  \
        _Static_assert(sizeof(to) == sizeof(from), "ports of one shape"); \
        memcpy((to), (from), sizeof(to));                                 \
    } while (0)

void totem_pipe_reset(totem_pipe *s)
{
    totem_hqd_reset(&s->hqd);
    totem_arbiter_reset(&s->arbiter);
    totem_fetch_reset(&s->fetch);
    totem_packet_reset(&s->packet);
    totem_poll_reset(&s->poll);
    totem_tally_reset(&s->tally);
    totem_bank_reset(&s->bank);
    totem_divide_reset(&s->divide);
    totem_walker_reset(&s->walker);
    totem_fence_reset(&s->fence);
    totem_mqd_reset(&s->mqd);
    totem_kill_reset(&s->kill);
    totem_record_reset(&s->record);
    totem_window_ram_reset(&s->window_ram);
    totem_line_ram_reset(&s->line_ram);
    totem_register_ram_reset(&s->register_ram);
    totem_block_ram_reset(&s->block_ram);
    totem_record_ram_reset(&s->record_ram);
    totem_sequence_ram_reset(&s->sequence_ram);
    totem_condition_ram_reset(&s->condition_ram);
    totem_tally_ram_reset(&s->tally_ram);
    totem_entry_ram_reset(&s->entry_ram);
    totem_state_half_ram_reset(&s->state_low_ram);
    totem_state_half_ram_reset(&s->state_high_ram);
}

void totem_pipe_outputs(const totem_pipe *s, totem_pipe_out *o)
{
    totem_hqd_outputs(&s->hqd, &o->hqd);
    totem_arbiter_outputs(&s->arbiter, &o->arbiter);
    totem_fetch_outputs(&s->fetch, &o->fetch);
    totem_packet_outputs(&s->packet, &o->packet);
    totem_poll_outputs(&s->poll, &o->poll);
    totem_tally_outputs(&s->tally, &o->tally);
    totem_bank_outputs(&s->bank, &o->bank);
    totem_divide_outputs(&s->divide, &o->divide);
    totem_walker_outputs(&s->walker, &o->walker);
    totem_fence_outputs(&s->fence, &o->fence);
    totem_mqd_outputs(&s->mqd, &o->mqd);
    totem_kill_outputs(&s->kill, &o->kill);
    totem_record_outputs(&s->record, &o->record);
    totem_window_ram_outputs(&s->window_ram, &o->window_ram);
    totem_line_ram_outputs(&s->line_ram, &o->line_ram);
    totem_register_ram_outputs(&s->register_ram, &o->register_ram);
    totem_block_ram_outputs(&s->block_ram, &o->block_ram);
    totem_record_ram_outputs(&s->record_ram, &o->record_ram);
    totem_sequence_ram_outputs(&s->sequence_ram, &o->sequence_ram);
    totem_condition_ram_outputs(&s->condition_ram, &o->condition_ram);
    totem_tally_ram_outputs(&s->tally_ram, &o->tally_ram);
    totem_entry_ram_outputs(&s->entry_ram, &o->entry_ram);
    totem_state_half_ram_outputs(&s->state_low_ram, &o->state_low_ram);
    totem_state_half_ram_outputs(&s->state_high_ram, &o->state_high_ram);
}

bool totem_pipe_interrupt_valid(const totem_pipe_out *o)
{
    return o->fence.interrupt_valid || o->mqd.interrupt_valid;
}

uint64_t totem_pipe_interrupt_word(const totem_pipe_out *o)
{
    return o->fence.interrupt_valid ? o->fence.interrupt_word : o->mqd.interrupt_word;
}

bool totem_pipe_mqd_write_valid(const totem_pipe_out *o)
{
    return o->record.write_valid || o->mqd.write_valid;
}

uint64_t totem_pipe_mqd_write_word(const totem_pipe_out *o)
{
    return o->record.write_valid ? o->record.write_word : o->mqd.write_word;
}

// mqd, record and poll share an error source: both words of a message go without a word of another between.
static bool poll_tells(const totem_pipe_out *o)
{
    return o->poll.error_valid && (o->poll.error_second || !(o->record.error_valid || o->mqd.error_valid));
}

bool totem_pipe_error_valid(const totem_pipe_out *o)
{
    return o->record.error_valid || o->mqd.error_valid || o->poll.error_valid;
}

uint64_t totem_pipe_error_word(const totem_pipe_out *o)
{
    return poll_tells(o) ? o->poll.error_word : o->record.error_valid ? o->record.error_word : o->mqd.error_word;
}

bool totem_pipe_idle(const totem_pipe_out *o)
{
    bool idle = !o->walker.busy && !o->fetch.busy && !o->hqd.busy && !o->mqd.busy && !o->poll.busy &&
                !(o->arbiter.selected_valid && !o->arbiter.active[o->arbiter.selected]);
    for (int q = 0; q < TOTEM_QUEUES; q++)
        idle = idle && o->fence.idle[q] && !o->record.busy[q] && !o->packet.unfinished[q] &&
               !(o->arbiter.active[q] && (o->fetch.pending[q] || (o->poll.once[q] && !o->packet.halted[q])));
    return idle;
}

static void step_hqd(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_hqd_in i;
    i.host_valid             = x->host_valid;
    i.host_write             = x->host_write;
    i.host_doorbell          = x->host_doorbell;
    i.host_queue             = x->host_queue;
    i.host_dword             = x->host_dword & 0x3f;
    i.host_strobe            = x->host_strobe;
    i.host_data              = x->host_data;
    i.ram_read_data          = o->window_ram.read_data;
    i.arbiter_selected_valid = o->arbiter.selected_valid;
    i.arbiter_selected       = o->arbiter.selected;
    COPY(i.arbiter_active, o->arbiter.active);
    COPY(i.arbiter_ready, o->arbiter.ready);
    COPY(i.arbiter_queue_priority, o->arbiter.queue_priority);
    i.arbiter_move       = o->arbiter.move;
    i.arbiter_move_queue = o->arbiter.move_queue;
    COPY(i.fetch_pending, o->fetch.pending);
    COPY(i.fetch_line, o->fetch.line);
    COPY(i.fetch_rptr, o->fetch.rptr);
    COPY(i.fetch_wptr, o->fetch.wptr);
    COPY(i.fetch_reporting, o->fetch.reporting);
    COPY(i.packet_unfinished, o->packet.unfinished);
    COPY(i.packet_halted, o->packet.halted);
    COPY(i.packet_wait_flush, o->packet.wait_flush);
    COPY(i.packet_wait_epoch, o->packet.wait_epoch);
    COPY(i.poll_waiting, o->poll.waiting);
    COPY(i.poll_polled, o->poll.polled);
    COPY(i.poll_once, o->poll.once);
    i.poll_valid = o->poll.access_valid;
    i.poll_write = o->poll.access_write;
    i.poll_queue = o->poll.access_queue;
    i.poll_dword = o->poll.access_dword;
    i.poll_data  = o->poll.access_data;
    COPY(i.fence_waves, o->fence.waves);
    COPY(i.fence_room, o->fence.room);
    COPY(i.fence_flushed, o->fence.flushed);
    COPY(i.fence_idle, o->fence.idle);
    COPY(i.fence_settled, o->fence.settled);
    COPY(i.kill_ended, o->kill.ended);
    COPY(i.record_busy, o->record.busy);
    COPY(i.record_top_pending, o->record.top_pending);
    COPY(i.record_end_pending, o->record.end_pending);
    i.sequence_data = o->sequence_ram.read_data;
    COPY(i.mqd_behind, o->mqd.behind);
    i.mqd_valid = o->mqd.access_valid;
    i.mqd_kind  = o->mqd.access_kind;
    i.mqd_queue = o->mqd.access_queue;
    i.mqd_dword = o->mqd.access_dword;
    i.mqd_data  = o->mqd.access_data;
    totem_hqd_step(&s->hqd, &i);
}

static void step_arbiter(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_arbiter_in i;
    i.load_valid                       = o->hqd.load_valid;
    i.load_queue                       = o->hqd.load_queue;
    i.load_kind                        = o->hqd.load_kind;
    i.load_data                        = o->hqd.load_data;
    i.settings_quantum_unit0           = x->settings.quantum_unit0;
    i.settings_quantum_unit1           = x->settings.quantum_unit1;
    i.settings_turn_limit              = x->settings.turn_limit;
    i.settings_event_on_priority_write = x->settings.event_on_priority_write;
    i.settings_mqd_save                = x->settings.mqd_save;
    COPY(i.fetch_pending, o->fetch.pending);
    COPY(i.fetch_line, o->fetch.line);
    COPY(i.bank_prepared, o->bank.prepared);
    i.packet_left           = o->packet.left;
    i.packet_executed       = o->packet.executed;
    i.packet_priority_write = o->packet.priority_write;
    i.packet_priority_queue = o->packet.priority_queue;
    i.packet_priority_data  = o->packet.priority_data;
    COPY(i.packet_unfinished, o->packet.unfinished);
    COPY(i.packet_halted, o->packet.halted);
    COPY(i.packet_wait_flush, o->packet.wait_flush);
    COPY(i.packet_wait_epoch, o->packet.wait_epoch);
    COPY(i.poll_waiting, o->poll.waiting);
    COPY(i.fence_flushed, o->fence.flushed);
    COPY(i.fence_room, o->fence.room);
    i.walker_busy = o->walker.busy;
    COPY(i.grant_valid, x->grant_valid);
    COPY(i.hqd_dequeuing, o->hqd.dequeuing);
    totem_arbiter_step(&s->arbiter, &i);
}

static void step_fetch(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_fetch_in i;
    i.load_valid       = o->hqd.load_valid;
    i.load_queue       = o->hqd.load_queue;
    i.load_kind        = o->hqd.load_kind;
    i.load_data        = o->hqd.load_data;
    i.arbiter_go       = o->arbiter.go;
    i.arbiter_selected = o->arbiter.selected;
    COPY(i.arbiter_active, o->arbiter.active);
    COPY(i.arbiter_queue_priority, o->arbiter.queue_priority);
    i.settings_mqd_save   = x->settings.mqd_save;
    i.dword_ready         = o->packet.dword_ready;
    i.packet_commit       = o->packet.commit;
    i.packet_commit_count = o->packet.commit_count;
    i.packet_open         = o->packet.open;
    i.packet_drop         = o->packet.drop;
    i.packet_open_addr    = o->packet.open_addr;
    i.packet_open_size    = o->packet.open_size;
    i.packet_left         = o->packet.left;
    i.line_read_data      = o->line_ram.read_data;
    i.read_ready          = x->fetch_read_ready;
    i.data_valid          = x->fetch_data_valid;
    i.data_word           = x->data_word;
    i.data_last           = x->data_last;
    i.data_error          = x->data_error;
    i.write_ready         = x->fetch_write_ready;
    i.write_ack           = x->fetch_write_ack;
    i.write_ack_error     = x->ack_error;
    i.error_ready         = x->fetch_error_ready;
    totem_fetch_step(&s->fetch, &i);
}

static void step_packet(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_packet_in i;
    i.load_valid       = o->hqd.load_valid;
    i.load_queue       = o->hqd.load_queue;
    i.load_kind        = o->hqd.load_kind;
    i.load_data        = o->hqd.load_data;
    i.arbiter_go       = o->arbiter.go;
    i.arbiter_selected = o->arbiter.selected;
    i.arbiter_leave    = o->arbiter.leave;
    COPY(i.arbiter_active, o->arbiter.active);
    i.dword_valid          = o->fetch.dword_valid;
    i.dword_data           = o->fetch.dword_data;
    i.dword_error          = o->fetch.dword_error;
    i.fetch_available      = o->fetch.available;
    i.fetch_in_buffer      = o->fetch.in_buffer;
    i.fetch_position       = o->fetch.position;
    i.fetch_fault_position = o->fetch.fault_position;
    i.bank_loaded          = o->bank.loaded;
    i.bank_busy            = o->bank.busy;
    i.bank_threads         = o->bank.threads;
    i.bank_partial         = o->bank.partial;
    i.bank_vgprs           = o->bank.vgprs;
    i.bank_lds             = o->bank.lds;
    COPY(i.bank_engines, o->bank.engines);
    i.bank_initiator = o->bank.initiator;
    i.divide_busy    = o->divide.busy;
    COPY(i.divide_quotient, o->divide.quotient);
    i.walker_busy    = o->walker.busy;
    i.walker_stopped = o->walker.stopped;
    COPY(i.fence_epoch, o->fence.epoch);
    COPY(i.fence_room, o->fence.room);
    COPY(i.fence_flushed, o->fence.flushed);
    COPY(i.fence_settled, o->fence.settled);
    i.fence_ready = o->fence.packet_ready;
    COPY(i.poll_ended, o->poll.ended);
    COPY(i.poll_ended_error, o->poll.error);
    i.poll_ready                   = o->poll.packet_read_ready;
    i.poll_data_valid              = x->poll_data_valid && o->poll.packet_answer;
    i.poll_data                    = x->data_word;
    i.poll_error                   = x->data_error;
    i.write_ready                  = x->packet_write_ready;
    i.error_ready                  = x->packet_error_ready;
    i.fence_halt                   = o->fence.halt;
    i.fence_halt_queue             = o->fence.halt_queue;
    i.poll_halt                    = o->poll.halt;
    i.poll_halt_queue              = o->poll.halt_queue;
    i.fetch_halt                   = o->fetch.halt;
    i.fetch_halt_queue             = o->fetch.halt_queue;
    i.settings_priority_write_open = x->settings.priority_write_open;
    i.pipe_number                  = x->pipe_number;
    totem_packet_step(&s->packet, &i);
}

static void step_poll(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_poll_in i;
    i.load_valid = o->hqd.load_valid;
    i.load_queue = o->hqd.load_queue;
    i.load_kind  = o->hqd.load_kind;
    i.load_data  = o->hqd.load_data;
    COPY(i.arbiter_active, o->arbiter.active);
    COPY(i.packet_halted, o->packet.halted);
    i.packet_queue      = o->packet.dispatch_queue;
    i.packet_commit     = o->packet.commit;
    i.packet_wait       = o->packet.wait_valid;
    i.packet_wait_last  = o->packet.wait_last;
    i.packet_wait_timer = o->packet.wait_timer;
    i.packet_wait_word  = o->packet.wait_word;
    i.packet_read_valid = o->packet.poll_valid;
    i.packet_read_addr  = o->packet.poll_addr;
    i.ram_read_data     = o->condition_ram.read_data;
    i.read_ready        = x->poll_read_ready;
    i.data_valid        = x->poll_data_valid;
    i.data_word         = x->data_word;
    i.data_error        = x->data_error;
    i.clock             = x->clock;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        i.host_once[q] = (x->poll_once >> q & 1) != 0;
    i.settings_poll_enable = x->settings.poll_enable;
    i.settings_poll_period = x->settings.poll_period;
    i.hqd_done             = o->hqd.poll_done;
    i.hqd_error            = o->hqd.poll_error;
    i.hqd_data             = o->hqd.poll_rdata;
    i.error_ready          = x->mqd_error_ready && poll_tells(o);
    totem_poll_step(&s->poll, &i);
}

static void step_tally(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    const totem_tally_in i = {
        .packet_ignored = o->packet.ignored,
        .packet_queue   = o->packet.dispatch_queue,
        .packet_opcode  = o->packet.executed_opcode,
        .host_valid     = x->tally_host_valid,
        .host_write     = x->host_write,
        .host_queue     = x->host_queue,
        .host_dword     = x->host_dword,
        .host_strobe    = x->host_strobe,
        .ram_read_data  = o->tally_ram.read_data,
    };
    totem_tally_step(&s->tally, &i);
}

static void step_bank(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_bank_in i;
    i.load_valid       = o->hqd.load_valid;
    i.load_queue       = o->hqd.load_queue;
    i.load_kind        = o->hqd.load_kind;
    i.load_data        = o->hqd.load_data;
    i.arbiter_go       = o->arbiter.go;
    i.arbiter_selected = o->arbiter.selected;
    i.packet_write     = o->packet.bank_write;
    i.packet_offset    = o->packet.bank_offset;
    i.packet_data      = o->packet.bank_data;
    i.packet_save      = o->packet.bank_save;
    i.packet_forget    = o->packet.bank_forget;
    i.packet_start     = o->packet.start;
    i.packet_start_end = o->packet.start_end;
    i.walker_low       = o->walker.low;
    i.walker_mask      = o->walker.mask;
    i.divide_read      = o->divide.read;
    i.divide_place     = o->divide.read_place;
    i.ram_read_data    = o->register_ram.read_data;
    (void)x;
    i.mqd_valid  = o->mqd.bank_valid;
    i.mqd_write  = o->mqd.bank_write;
    i.mqd_queue  = o->mqd.bank_queue;
    i.mqd_offset = o->mqd.bank_offset;
    i.mqd_data   = o->mqd.bank_data;
    totem_bank_step(&s->bank, &i);
}

static void step_divide(totem_pipe *s, const totem_pipe_out *o)
{
    const totem_divide_in i = {
        .packet_valid  = o->packet.divide_valid,
        .packet_place  = o->packet.divide_place,
        .packet_data   = o->packet.divide_data,
        .packet_start  = o->packet.divide_start,
        .register_data = o->register_ram.read_data,
    };
    totem_divide_step(&s->divide, &i);
}

static void step_walker(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_walker_in i;
    i.packet_start               = o->packet.start;
    i.packet_start_resume        = o->packet.start_resume;
    i.packet_start_fresh_at_zero = o->packet.start_fresh_at_zero;
    i.packet_start_end           = o->packet.start_end;
    i.packet_start_partial       = o->packet.start_partial;
    i.packet_stop                = o->packet.stop;
    i.bank_origin                = o->bank.origin;
    i.bank_restart               = o->bank.restart;
    i.bank_restart_mask          = o->bank.restart_mask;
    i.bank_restart_end           = o->bank.restart_end;
    i.bank_restart_origin        = o->bank.restart_origin;
    i.dc_take                    = x->take;
    i.dc_take_engine             = x->take_engine;
    COPY(i.grant_valid, x->grant_valid);
    COPY(i.answer_valid, x->answer_valid);
    COPY(i.answer_count, x->answer_count);
    totem_walker_step(&s->walker, &i);
}

static void step_fence(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_fence_in i;
    i.packet_close = o->packet.fence_close;
    i.packet_valid = o->packet.fence_valid;
    i.packet_word  = o->packet.fence_word;
    i.packet_write = o->packet.fence_write;
    i.packet_queue = o->arbiter.selected;
    i.record_valid = o->record.fence_valid;
    i.record_word  = o->record.fence_word;
    i.record_queue = o->record.fence_queue;
    i.load_valid   = o->hqd.load_valid;
    i.load_queue   = o->hqd.load_queue;
    i.load_kind    = o->hqd.load_kind;
    i.load_data    = o->hqd.load_data;
    COPY(i.grant_valid, x->grant_valid);
    COPY(i.grant_waves, x->grant_waves);
    COPY(i.grant_queue, x->grant_queue);
    COPY(i.grant_epoch, x->grant_epoch);
    COPY(i.complete_valid, x->complete_valid);
    COPY(i.complete_queue, x->complete_queue);
    COPY(i.complete_epoch, x->complete_epoch);
    COPY(i.abandon, o->kill.abandon);
    i.ram_read_data   = o->entry_ram.read_data;
    i.write_ready     = x->fence_write_ready;
    i.write_ack       = x->fence_write_ack;
    i.packet_ack      = x->packet_write_ack;
    i.ack_tag         = x->ack_tag;
    i.ack_error       = x->ack_error;
    i.ack_addr        = x->ack_addr;
    i.interrupt_ready = x->interrupt_ready;
    i.error_ready     = x->fence_error_ready;
    i.clock           = x->clock;
    totem_fence_step(&s->fence, &i);
}

static void step_mqd(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_mqd_in i;
    COPY(i.hqd_request, o->hqd.request);
    COPY(i.hqd_leaving, o->hqd.leaving);
    i.hqd_done       = o->hqd.mqd_done;
    i.hqd_error      = o->hqd.mqd_error;
    i.hqd_data       = o->hqd.mqd_rdata;
    i.bank_ready     = o->bank.mqd_ready;
    i.bank_answer    = o->bank.mqd_answer;
    i.bank_read_data = o->register_ram.read_data;
    for (int q = 0; q < TOTEM_QUEUES; q++) // a reset drops the grid
        i.packet_unfinished[q] = o->packet.unfinished[q] && !o->hqd.dropping[q];
    COPY(i.fetch_buffer, o->fetch.buffer);
    COPY(i.fetch_buffer_addr, o->fetch.buffer_addr);
    COPY(i.fetch_buffer_left, o->fetch.buffer_left);
    i.ram_read_data   = o->block_ram.read_data;
    i.read_ready      = x->mqd_read_ready;
    i.data_valid      = x->mqd_data_valid;
    i.data_word       = x->data_word;
    i.data_last       = x->data_last;
    i.data_error      = x->data_error;
    i.write_ready     = x->mqd_write_ready && !o->record.write_valid;
    i.write_ack       = x->mqd_write_ack && (x->ack_tag & 1) == 0;
    i.write_ack_error = x->ack_error;
    i.interrupt_ready = x->interrupt_ready && !o->fence.interrupt_valid;
    i.error_ready     = x->mqd_error_ready && !o->record.error_valid && !poll_tells(o);
    totem_mqd_step(&s->mqd, &i);
}

static void step_kill(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_kill_in i;
    COPY(i.hqd_resetting, o->hqd.resetting);
    COPY(i.hqd_killing, o->hqd.killing);
    COPY(i.fence_targets, o->fence.targets);
    COPY(i.fence_quiet, o->fence.quiet);
    COPY(i.fence_settled, o->fence.settled);
    COPY(i.fence_abandoned, o->fence.abandoned);
    i.dc_killed                = x->killed;
    i.settings_dequeue_timeout = x->settings.dequeue_timeout;
    i.clock                    = x->clock;
    totem_kill_step(&s->kill, &i);
}

static void step_record(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    totem_record_in i;
    i.load_valid   = o->hqd.load_valid;
    i.load_queue   = o->hqd.load_queue;
    i.load_kind    = o->hqd.load_kind;
    i.load_data    = o->hqd.load_data;
    i.packet_left  = o->packet.left;
    i.packet_queue = o->packet.dispatch_queue;
    COPY(i.fetch_rptr, o->fetch.rptr);
    COPY(i.fetch_buffer, o->fetch.buffer);
    COPY(i.fetch_buffer_addr, o->fetch.buffer_addr);
    COPY(i.fence_waves, o->fence.waves);
    COPY(i.fence_settled, o->fence.settled);
    i.fence_ready = o->fence.record_ready;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) // a queue that has the pipe has not left it
    {
        i.hqd_parting[q] = o->hqd.parting[q] && !(o->hqd.killing[q] && !o->kill.ended[q]) &&
                           !(o->arbiter.selected_valid && o->arbiter.selected == q);
        i.fence_abandoned[q] = o->fence.abandoned[q] && o->hqd.leaving[q];
    }
    i.ram_read_data   = o->record_ram.read_data;
    i.mqd_write_valid = o->mqd.write_valid;
    i.write_ready     = x->mqd_write_ready;
    i.write_ack       = x->mqd_write_ack && (x->ack_tag & 1) != 0;
    i.write_ack_error = x->ack_error;
    i.mqd_error_valid = o->mqd.error_valid;
    i.error_ready     = x->mqd_error_ready && !poll_tells(o);
    totem_record_step(&s->record, &i);
}

static void step_rams(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *x)
{
    const totem_window_ram_in window_ram = {
        .write_enable = o->hqd.ram_write_enable,
        .write_addr   = o->hqd.ram_write_addr,
        .write_data   = o->hqd.ram_write_data,
        .read_enable  = o->hqd.ram_read_enable,
        .read_addr    = o->hqd.ram_read_addr,
    };
    totem_window_ram_step(&s->window_ram, &window_ram);

    const totem_line_ram_in line_ram = {
        .write_enable = o->fetch.line_write_enable,
        .write_addr   = o->fetch.line_write_addr,
        .write_data   = o->fetch.line_write_data,
        .read_enable  = o->fetch.line_read_enable,
        .read_addr    = o->fetch.line_read_addr,
    };
    totem_line_ram_step(&s->line_ram, &line_ram);

    const totem_register_ram_in register_ram = {
        .write_enable = o->bank.ram_write_enable,
        .write_addr   = o->bank.ram_write_addr,
        .write_data   = o->bank.ram_write_data,
        .read_enable  = o->bank.ram_read_enable,
        .read_addr    = o->bank.ram_read_addr,
    };
    totem_register_ram_step(&s->register_ram, &register_ram);

    const totem_block_ram_in block_ram = {
        .write_enable = o->mqd.ram_write_enable,
        .write_addr   = o->mqd.ram_write_addr,
        .write_data   = o->mqd.ram_write_data,
        .read_enable  = o->mqd.ram_read_enable,
        .read_addr    = o->mqd.ram_read_addr,
    };
    totem_block_ram_step(&s->block_ram, &block_ram);

    const totem_record_ram_in record_ram = {
        .write_enable = o->record.ram_write_enable,
        .write_addr   = o->record.ram_write_addr,
        .write_data   = o->record.ram_write_data,
        .read_enable  = o->record.ram_read_enable,
        .read_addr    = o->record.ram_read_addr,
    };
    totem_record_ram_step(&s->record_ram, &record_ram);
    const totem_sequence_ram_in sequence_ram = {
        .write_enable = o->record.sequence_write_enable,
        .write_addr   = o->record.sequence_write_addr,
        .write_data   = o->record.sequence_write_data,
        .read_enable  = o->hqd.ram_read_enable,
        .read_addr    = (uint32_t)o->hqd.ram_read_addr >> 6 << 1 | (o->hqd.ram_read_addr >> 1 & 1),
    };
    totem_sequence_ram_step(&s->sequence_ram, &sequence_ram);

    const totem_condition_ram_in condition_ram = {
        .write_enable = o->packet.wait_valid,
        .write_addr   = (uint32_t)o->packet.dispatch_queue * 2 + (o->packet.wait_last ? 1 : 0),
        .write_data   = o->packet.wait_word,
        .read_enable  = o->poll.ram_read_enable,
        .read_addr    = o->poll.ram_read_addr,
    };
    totem_condition_ram_step(&s->condition_ram, &condition_ram);

    const totem_tally_ram_in tally_ram = {
        .write_enable = o->tally.ram_write_enable,
        .write_addr   = o->tally.ram_write_addr,
        .write_data   = o->tally.ram_write_data,
        .read_enable  = o->tally.ram_read_enable,
        .read_addr    = o->tally.ram_read_addr,
    };
    totem_tally_ram_step(&s->tally_ram, &tally_ram);

    const totem_entry_ram_in entry_ram = {
        .write_enable = o->fence.ram_write_enable,
        .write_addr   = o->fence.ram_write_addr,
        .write_data   = o->fence.ram_write_data,
        .read_enable  = o->fence.ram_read_enable,
        .read_addr    = o->fence.ram_read_addr,
    };
    totem_entry_ram_step(&s->entry_ram, &entry_ram);

    const totem_state_half_ram_in state_low = {
        .write_enable = o->bank.state_write_low,
        .write_addr   = o->bank.state_write_addr,
        .write_data   = (uint32_t)(o->bank.state_write_data),
        .read_enable  = x->state_read_enable,
        .read_addr    = (uint32_t)o->packet.dispatch_queue << 4 | x->state_read_addr,
    };
    totem_state_half_ram_step(&s->state_low_ram, &state_low);
    const totem_state_half_ram_in state_high = {
        .write_enable = o->bank.state_write_high,
        .write_addr   = o->bank.state_write_addr,
        .write_data   = (uint32_t)(o->bank.state_write_data >> 32),
        .read_enable  = x->state_read_enable,
        .read_addr    = (uint32_t)o->packet.dispatch_queue << 4 | x->state_read_addr,
    };
    totem_state_half_ram_step(&s->state_high_ram, &state_high);
}

void totem_pipe_step(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *i)
{
    step_hqd(s, o, i);
    step_arbiter(s, o, i);
    step_fetch(s, o, i);
    step_packet(s, o, i);
    step_poll(s, o, i);
    step_tally(s, o, i);
    step_bank(s, o, i);
    step_divide(s, o);
    step_walker(s, o, i);
    step_fence(s, o, i);
    step_mqd(s, o, i);
    step_kill(s, o, i);
    step_record(s, o, i);
    step_rams(s, o, i);
}
