// SPDX-License-Identifier: Apache-2.0
//
// totem_pipe: one compute pipe. Wiring only: the blocks of the pipe and their RAMs, no state of its own.
//
// Policy    docs/architecture.md. A net is called after the block that drives it: <block>_<port>.
// Boundary  idle is a function of the blocks' states; everything else is a block's output as it is.
// Twin      cmodel/queue/totem_pipe.c.

`default_nettype none

module totem_pipe #(
    parameter QUEUES   = 8,
    parameter EPOCHS   = 8,
    parameter SE_COUNT = 4,
    parameter SLOTS    = 64,
    parameter VGPRS    = 2048,
    parameter LDS      = 512,
    parameter QUEUE_BITS = (QUEUES > 1) ? $clog2(QUEUES) : 1,   // follow from the others
    parameter EPOCH_BITS = (EPOCHS > 1) ? $clog2(EPOCHS) : 1
) (
    input  wire clk,
    input  wire rst,
    input  wire                                host_valid,
    input  wire                                tally_host_valid,
    input  wire                                host_write,
    input  wire                                host_doorbell,
    input  wire [2:0]                          host_queue,
    input  wire [7:0]                          host_dword,
    input  wire [3:0]                          host_strobe,
    input  wire [31:0]                         host_data,
    input  wire                                fetch_read_ready,
    input  wire                                fetch_data_valid,
    input  wire [63:0]                         data_word,
    input  wire                                data_last,
    input  wire [1:0]                          data_error,
    input  wire                                fetch_write_ready,
    input  wire                                fetch_write_ack,
    input  wire [1:0]                          ack_error,
    input  wire                                poll_read_ready,
    input  wire                                poll_data_valid,
    input  wire                                packet_write_ready,
    input  wire                                packet_error_ready,
    input  wire [23:0]                         settings_quantum_unit0,
    input  wire [23:0]                         settings_quantum_unit1,
    input  wire [23:0]                         settings_turn_limit,
    input  wire                                settings_event_on_priority_write,
    input  wire                                settings_priority_write_open,
    input  wire                                settings_mqd_save,
    input  wire [23:0]                         settings_dequeue_timeout,
    input  wire                                settings_poll_enable,
    input  wire [7:0]                          settings_poll_period,
    input  wire [QUEUES-1:0]                   poll_once,
    input  wire [2:0]                          pipe_number,
    input  wire [63:0]                         clock,
    input  wire                                killed,
    input  wire                                take,
    input  wire [1:0]                          take_engine,
    input  wire [SE_COUNT-1:0]                 grant_valid,
    input  wire [SE_COUNT-1:0]                 answer_valid,
    input  wire [SE_COUNT*3-1:0]               answer_count,
    input  wire [SE_COUNT*7-1:0]               grant_waves,
    input  wire [SE_COUNT*QUEUE_BITS-1:0]      grant_queue,
    input  wire [SE_COUNT*EPOCH_BITS-1:0]      grant_epoch,
    input  wire [SE_COUNT-1:0]                 complete_valid,
    input  wire [SE_COUNT*QUEUE_BITS-1:0]      complete_queue,
    input  wire [SE_COUNT*EPOCH_BITS-1:0]      complete_epoch,
    input  wire                                fence_write_ready,
    input  wire                                fence_write_ack,
    input  wire                                packet_write_ack,
    input  wire [5:0]                          ack_tag,
    input  wire [39:0]                         ack_addr,
    input  wire                                interrupt_ready,
    input  wire                                mqd_read_ready,
    input  wire                                mqd_data_valid,
    input  wire                                mqd_write_ready,
    input  wire                                mqd_write_ack,
    input  wire                                mqd_error_ready,
    input  wire                                fence_error_ready,
    input  wire                                state_read_enable,
    input  wire [3:0]                          state_read_addr,
    output wire [63:0]                         state_read_data,
    output wire                                hqd_host_done,
    output wire [4:0]                          hqd_host_error,
    output wire [31:0]                         hqd_host_rdata,
    output wire                                tally_host_done,
    output wire [15:0]                         tally_host_rdata,
    output wire                                fetch_read_valid,
    output wire [39:0]                         fetch_read_addr,
    output wire [4:0]                          fetch_read_beats,
    output wire                                fetch_write_valid,
    output wire [63:0]                         fetch_write_word,
    output wire                                poll_read_valid,
    output wire [39:0]                         poll_read_addr,
    output wire                                packet_write_valid,
    output wire [63:0]                         packet_write_word,
    output wire                                packet_error_valid,
    output wire [63:0]                         packet_error_word,
    output wire                                fence_write_valid,
    output wire [63:0]                         fence_write_word,
    output wire                                fence_error_valid,
    output wire [63:0]                         fence_error_word,
    output wire                                interrupt_valid,
    output wire [63:0]                         interrupt_word,
    output wire                                mqd_read_valid,
    output wire [39:0]                         mqd_read_addr,
    output wire [4:0]                          mqd_read_beats,
    output wire                                mqd_write_valid,
    output wire [63:0]                         mqd_write_word,
    input  wire                                fetch_error_ready,
    output wire                                fetch_error_valid,
    output wire [63:0]                         fetch_error_word,
    output wire                                mqd_error_valid,
    output wire [63:0]                         mqd_error_word,
    output wire                                packet_start,
    output wire                                packet_stop,
    output wire [6:0]                          packet_dispatch_waves,
    output wire [6:0]                          packet_dispatch_threads,
    output wire                                packet_dispatch_wave32,
    output wire [QUEUE_BITS-1:0]               packet_dispatch_queue,
    output wire [EPOCH_BITS-1:0]               packet_dispatch_epoch,
    output wire [1:0]                          arbiter_pipe_priority,
    output wire [39:0]                         bank_program_addr,
    output wire [6:0]                          bank_vgprs,
    output wire [8:0]                          bank_lds,
    output wire [SE_COUNT-1:0]                 bank_engines,
    output wire [3:0]                          bank_words,
    output wire                                walker_group_valid,
    output wire [63:0]                         walker_group,
    output wire [2:0]                          walker_group_partial,
    output wire [SE_COUNT-1:0]                 walker_room,
    output wire [SE_COUNT-1:0]                 walker_outstanding,
    output wire                                walker_mismatch,
    output wire                                overdue,
    output wire                                kill_word_valid,
    output wire [1:0]                          kill_word_engine,
    output wire [QUEUE_BITS-1:0]               kill_word_queue,
    output wire [EPOCHS-1:0]                   kill_word_epochs,
    output wire [15:0]                         hqd_drains,
    output wire [15:0]                         fence_lost,
    output wire [15:0]                         fence_late,
    output wire                                idle
);
    wire                                hqd_ram_write_enable;
    wire [QUEUE_BITS+6-1:0]             hqd_ram_write_addr;
    wire [31:0]                         hqd_ram_write_data;
    wire                                hqd_ram_read_enable;
    wire [QUEUE_BITS+6-1:0]             hqd_ram_read_addr;
    wire                                hqd_mqd_done;
    wire [4:0]                          hqd_mqd_error;
    wire [31:0]                         hqd_mqd_rdata;
    wire [QUEUES*3-1:0]                 hqd_request;
    wire [QUEUES-1:0]                   hqd_killing;
    wire [QUEUES-1:0]                   hqd_dropping;
    wire [QUEUES-1:0]                   hqd_resetting;
    wire [QUEUES-1:0]                   kill_ended;
    wire [QUEUES-1:0]                   kill_abandon;
    wire [QUEUES*EPOCHS-1:0]            fence_targets;
    wire [QUEUES-1:0]                   fence_quiet;
    wire [QUEUES-1:0]                   fence_abandoned;
    wire [QUEUES-1:0]                   hqd_leaving;
    wire [QUEUES-1:0]                   hqd_parting;
    wire [QUEUES-1:0]                   hqd_dequeuing;
    wire                                hqd_busy;
    wire                                mqd_access_valid;
    wire [1:0]                          mqd_access_kind;
    wire [QUEUE_BITS-1:0]               mqd_access_queue;
    wire [5:0]                          mqd_access_dword;
    wire [39:0]                         mqd_access_data;
    wire                                mqd_bank_valid;
    wire                                mqd_bank_write;
    wire [QUEUE_BITS-1:0]               mqd_bank_queue;
    wire [6:0]                          mqd_bank_offset;
    wire [31:0]                         mqd_bank_data;
    wire                                mqd_ram_write_enable;
    wire [3:0]                          mqd_ram_write_addr;
    wire [63:0]                         mqd_ram_write_data;
    wire                                mqd_ram_read_enable;
    wire [3:0]                          mqd_ram_read_addr;
    wire                                mqd_interrupt_valid;
    wire [63:0]                         mqd_interrupt_word;
    wire                                mqd_busy;
    wire [QUEUES-1:0]                   mqd_behind;
    wire                                mqd_offers;
    wire [63:0]                         mqd_offered;
    wire                                mqd_reports;
    wire [63:0]                         mqd_reported;
    wire                                record_fence_valid;
    wire [63:0]                         record_fence_word;
    wire [QUEUE_BITS-1:0]               record_fence_queue;
    wire                                fence_record_ready;
    wire [QUEUES-1:0]                   record_top_pending;
    wire [QUEUES-1:0]                   record_end_pending;
    wire [QUEUES-1:0]                   record_busy;
    wire                                record_ram_write_enable;
    wire [QUEUE_BITS+2-1:0]             record_ram_write_addr;
    wire [63:0]                         record_ram_write_data;
    wire                                record_ram_read_enable;
    wire [QUEUE_BITS+2-1:0]             record_ram_read_addr;
    wire                                record_sequence_write_enable;
    wire [QUEUE_BITS:0]                 record_sequence_write_addr;
    wire [31:0]                         record_sequence_write_data;
    wire                                record_write_valid;
    wire [63:0]                         record_write_word;
    wire                                record_error_valid;
    wire [63:0]                         record_error_word;
    wire [63:0]                         record_read_data;
    wire [31:0]                         sequence_read_data;
    wire [63:0]                         block_read_data;
    wire                                bank_mqd_ready;
    wire                                bank_mqd_answer;
    wire [QUEUES-1:0]                   fetch_buffer;
    wire [QUEUES*38-1:0]                fetch_buffer_addr;
    wire [QUEUES*20-1:0]                fetch_buffer_left;
    wire                                fence_interrupt_valid;
    wire [63:0]                         fence_interrupt_word;
    wire                                hqd_load_valid;
    wire [QUEUE_BITS-1:0]               hqd_load_queue;
    wire [4:0]                          hqd_load_kind;
    wire [39:0]                         hqd_load_data;
    wire                                arbiter_go;
    wire                                arbiter_selected_valid;
    wire [QUEUE_BITS-1:0]               arbiter_selected;
    wire                                arbiter_leave;
    wire [QUEUES-1:0]                   arbiter_active;
    wire [QUEUES-1:0]                   arbiter_ready;
    wire [QUEUES*4-1:0]                 arbiter_queue_priority;
    wire [1:0]                          arbiter_move;
    wire [QUEUE_BITS-1:0]               arbiter_move_queue;
    wire                                fetch_dword_valid;
    wire [31:0]                         fetch_dword_data;
    wire [1:0]                          fetch_dword_error;
    wire [31:0]                         fetch_available;
    wire                                fetch_in_buffer;
    wire [39:0]                         fetch_position;
    wire [39:0]                         fetch_fault_position;
    wire [QUEUES-1:0]                   fetch_pending;
    wire [QUEUES-1:0]                   fetch_line;
    wire [QUEUES*32-1:0]                fetch_rptr;
    wire [QUEUES*32-1:0]                fetch_wptr;
    wire                                fetch_line_write_enable;
    wire [QUEUE_BITS+5-1:0]             fetch_line_write_addr;
    wire [63:0]                         fetch_line_write_data;
    wire                                fetch_line_read_enable;
    wire [QUEUE_BITS+5-1:0]             fetch_line_read_addr;
    wire                                fetch_halt;
    wire [QUEUE_BITS-1:0]               fetch_halt_queue;
    wire [QUEUES-1:0]                   fetch_reporting;
    wire                                fetch_busy;
    wire                                packet_left;
    wire [QUEUES-1:0]                   packet_unfinished;
    wire [QUEUES-1:0]                   packet_halted;
    wire [QUEUES-1:0]                   packet_wait_flush;
    wire [QUEUES-1:0]                   packet_wait_epoch;
    wire                                packet_executed;
    wire [7:0]                          packet_executed_opcode;
    wire                                packet_ignored;
    wire                                packet_dword_ready;
    wire                                packet_commit;
    wire [14:0]                         packet_commit_count;
    wire                                packet_open;
    wire [39:0]                         packet_open_addr;
    wire [19:0]                         packet_open_size;
    wire                                packet_bank_write;
    wire [6:0]                          packet_bank_offset;
    wire [31:0]                         packet_bank_data;
    wire                                packet_bank_save;
    wire                                packet_bank_forget;
    wire                                packet_start_resume;
    wire                                packet_start_fresh_at_zero;
    wire                                packet_start_partial;
    wire [63:0]                         packet_start_end;
    wire                                packet_fence_close;
    wire                                packet_fence_valid;
    wire [63:0]                         packet_fence_word;
    wire                                packet_fence_write;
    wire                                packet_divide_valid;
    wire [1:0]                          packet_divide_place;
    wire [31:0]                         packet_divide_data;
    wire                                packet_divide_start;
    wire                                divide_busy;
    wire [95:0]                         divide_quotient;
    wire                                divide_read;
    wire [1:0]                          divide_read_place;
    wire                                bank_loaded;
    wire                                bank_busy;
    wire [QUEUES-1:0]                   bank_prepared;
    wire [12:0]                         bank_threads;
    wire [1:0]                          bank_partial;
    wire [31:0]                         bank_initiator;
    wire [63:0]                         bank_origin;
    wire [63:0]                         bank_restart;
    wire [6:0]                          bank_restart_mask;
    wire [63:0]                         bank_restart_end;
    wire [63:0]                         bank_restart_origin;
    wire                                bank_state_write_low;
    wire                                bank_state_write_high;
    wire [QUEUE_BITS+4-1:0]             bank_state_write_addr;
    wire [63:0]                         bank_state_write_data;
    wire                                bank_ram_write_enable;
    wire [QUEUE_BITS+7-1:0]             bank_ram_write_addr;
    wire [31:0]                         bank_ram_write_data;
    wire                                bank_ram_read_enable;
    wire [QUEUE_BITS+7-1:0]             bank_ram_read_addr;
    wire                                walker_busy;
    wire                                walker_stopped;
    wire [63:0]                         walker_low;
    wire [6:0]                          walker_mask;
    wire                                fence_packet_ready;
    wire [QUEUES*EPOCH_BITS-1:0]        fence_epoch;
    wire [QUEUES-1:0]                   fence_room;
    wire [QUEUES-1:0]                   fence_flushed;
    wire [QUEUES*16-1:0]                fence_waves;
    wire [QUEUES-1:0]                   fence_idle;
    wire [QUEUES-1:0]                   fence_settled;
    wire                                fence_write_room;
    wire                                packet_offers;
    wire                                fence_halt;
    wire [QUEUE_BITS-1:0]               fence_halt_queue;
    wire                                fence_ram_write_enable;
    wire [QUEUE_BITS+EPOCH_BITS+2-1:0]  fence_ram_write_addr;
    wire [63:0]                         fence_ram_write_data;
    wire                                fence_ram_read_enable;
    wire [QUEUE_BITS+EPOCH_BITS+2-1:0]  fence_ram_read_addr;
    wire                                packet_drop;
    wire                                packet_priority_write;
    wire [QUEUE_BITS-1:0]               packet_priority_queue;
    wire [3:0]                          packet_priority_data;
    wire                                packet_wait_valid;
    wire                                packet_wait_last;
    wire                                packet_wait_timer;
    wire [63:0]                         packet_wait_word;
    wire                                packet_poll_valid;
    wire [39:0]                         packet_poll_addr;
    wire                                poll_packet_ready;
    wire                                poll_packet_answer;
    wire [QUEUES-1:0]                   poll_waiting;
    wire [QUEUES-1:0]                   poll_ended;
    wire [QUEUES*2-1:0]                 poll_ended_error;
    wire [QUEUES-1:0]                   poll_polled;
    wire [QUEUES-1:0]                   poll_to_come;
    wire                                poll_access_valid;
    wire                                poll_access_write;
    wire [QUEUE_BITS-1:0]               poll_access_queue;
    wire [5:0]                          poll_access_dword;
    wire [31:0]                         poll_access_data;
    wire                                poll_halt;
    wire [QUEUE_BITS-1:0]               poll_halt_queue;
    wire                                poll_error_valid;
    wire [63:0]                         poll_error_word;
    wire                                poll_error_second;
    wire                                hqd_poll_done;
    wire [4:0]                          hqd_poll_error;
    wire [31:0]                         hqd_poll_rdata;
    wire                                poll_ram_read_enable;
    wire [QUEUE_BITS:0]                 poll_ram_read_addr;
    wire [63:0]                         condition_read_data;
    wire                                tally_ram_write_enable;
    wire [QUEUE_BITS+6-1:0]             tally_ram_write_addr;
    wire [63:0]                         tally_ram_write_data;
    wire                                tally_ram_read_enable;
    wire [QUEUE_BITS+6-1:0]             tally_ram_read_addr;
    wire [63:0]                         tally_read_data;
    wire [31:0]                         window_read_data;
    wire [31:0]                         register_read_data;
    wire [63:0]                         entry_read_data;
    wire [63:0]                         line_read_data;

    // A packet write goes to memory only while its failure would find a place; in its first clock fence does not count it yet.
    assign packet_write_valid = packet_offers && fence_write_room && !packet_fence_write;

    // record and mqd have one port of memory and one error source. record begins a message only while mqd offers none, so the one that
    // goes first here never cuts another in two. Their acknowledges differ in the tag.
    assign mqd_write_valid = record_write_valid || mqd_offers;
    assign mqd_write_word  = record_write_valid ? record_write_word : mqd_offered;

    // poll has that error source too: both words of a message go without a word of another between.
    wire poll_tells        = poll_error_valid && (poll_error_second || !(record_error_valid || mqd_reports));
    assign mqd_error_valid = record_error_valid || mqd_reports || poll_error_valid;
    assign mqd_error_word  = poll_tells ? poll_error_word : (record_error_valid ? record_error_word : mqd_reported);

    // A queue that has the pipe has not left it, whatever the host wants; one that is killed waits for its waves.
    wire [QUEUES-1:0] parting = hqd_parting & ~(hqd_killing & ~kill_ended) & ~({{(QUEUES-1){1'b0}}, arbiter_selected_valid} << arbiter_selected);

    // Waves, writes and fences are counted in fence, reads in memory, read-pointer reports in fetch. A queue
    // whose ACTIVE was cleared is busy until it has left.
    wire                                poll_busy;
    wire [QUEUES-1:0] asks = arbiter_active & (fetch_pending | (poll_to_come & ~packet_halted));     // or will, when its pointer has come
    assign idle = !walker_busy && !fetch_busy && !hqd_busy && !mqd_busy && !poll_busy && !(|record_busy) && (&fence_idle) && !(|packet_unfinished) && !(|asks) &&
                  !(arbiter_selected_valid && !arbiter_active[arbiter_selected]);

    // The interrupts of a pipe are taken one at a time; those of its fences go first.
    assign interrupt_valid = fence_interrupt_valid || mqd_interrupt_valid;
    assign interrupt_word  = fence_interrupt_valid ? fence_interrupt_word : mqd_interrupt_word;

    totem_hqd #(
        .QUEUES(QUEUES), .EPOCHS(EPOCHS)
    ) hqd (
        .clk(clk), .rst(rst),
        .host_valid(host_valid),
        .host_write(host_write),
        .host_doorbell(host_doorbell),
        .host_queue(host_queue),
        .host_dword(host_dword[5:0]),
        .host_strobe(host_strobe),
        .host_data(host_data),
        .host_done(hqd_host_done),
        .host_error(hqd_host_error),
        .host_rdata(hqd_host_rdata),
        .ram_write_enable(hqd_ram_write_enable),
        .ram_write_addr(hqd_ram_write_addr),
        .ram_write_data(hqd_ram_write_data),
        .ram_read_enable(hqd_ram_read_enable),
        .ram_read_addr(hqd_ram_read_addr),
        .ram_read_data(window_read_data),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .arbiter_selected_valid(arbiter_selected_valid),
        .arbiter_selected(arbiter_selected),
        .arbiter_active(arbiter_active),
        .arbiter_ready(arbiter_ready),
        .arbiter_queue_priority(arbiter_queue_priority),
        .arbiter_move(arbiter_move),
        .arbiter_move_queue(arbiter_move_queue),
        .fetch_pending(fetch_pending),
        .fetch_line(fetch_line),
        .fetch_rptr(fetch_rptr),
        .fetch_wptr(fetch_wptr),
        .fetch_reporting(fetch_reporting),
        .packet_unfinished(packet_unfinished),
        .packet_halted(packet_halted),
        .packet_wait_flush(packet_wait_flush),
        .packet_wait_epoch(packet_wait_epoch),
        .poll_waiting(poll_waiting),
        .poll_polled(poll_polled),
        .poll_once(poll_to_come),
        .poll_valid(poll_access_valid),
        .poll_write(poll_access_write),
        .poll_queue(poll_access_queue),
        .poll_dword(poll_access_dword),
        .poll_data(poll_access_data),
        .poll_done(hqd_poll_done),
        .poll_error(hqd_poll_error),
        .poll_rdata(hqd_poll_rdata),
        .fence_waves(fence_waves),
        .fence_room(fence_room),
        .fence_flushed(fence_flushed),
        .fence_idle(fence_idle),
        .fence_settled(fence_settled),
        .kill_ended(kill_ended),
        .killing(hqd_killing),
        .record_busy(record_busy),
        .record_top_pending(record_top_pending),
        .record_end_pending(record_end_pending),
        .sequence_data(sequence_read_data),
        .mqd_behind(mqd_behind),
        .leaving(hqd_leaving),
        .parting(hqd_parting),
        .mqd_valid(mqd_access_valid),
        .mqd_kind(mqd_access_kind),
        .mqd_queue(mqd_access_queue),
        .mqd_dword(mqd_access_dword),
        .mqd_data(mqd_access_data),
        .mqd_done(hqd_mqd_done),
        .mqd_error(hqd_mqd_error),
        .mqd_rdata(hqd_mqd_rdata),
        .request(hqd_request),
        .dropping(hqd_dropping),
        .resetting(hqd_resetting),
        .dequeuing(hqd_dequeuing),
        .busy(hqd_busy),
        .drains(hqd_drains)
    );

    totem_arbiter #(
        .QUEUES(QUEUES), .SE_COUNT(SE_COUNT)
    ) arbiter (
        .clk(clk), .rst(rst),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .settings_quantum_unit0(settings_quantum_unit0),
        .settings_quantum_unit1(settings_quantum_unit1),
        .settings_turn_limit(settings_turn_limit),
        .settings_event_on_priority_write(settings_event_on_priority_write),
        .settings_mqd_save(settings_mqd_save),
        .fetch_pending(fetch_pending),
        .fetch_line(fetch_line),
        .bank_prepared(bank_prepared),
        .packet_left(packet_left),
        .packet_executed(packet_executed),
        .packet_priority_write(packet_priority_write),
        .packet_priority_queue(packet_priority_queue),
        .packet_priority_data(packet_priority_data),
        .packet_unfinished(packet_unfinished),
        .packet_halted(packet_halted),
        .packet_wait_flush(packet_wait_flush),
        .packet_wait_epoch(packet_wait_epoch),
        .hqd_dequeuing(hqd_dequeuing),
        .poll_waiting(poll_waiting),
        .fence_flushed(fence_flushed),
        .fence_room(fence_room),
        .walker_busy(walker_busy),
        .grant_valid(grant_valid),
        .go(arbiter_go),
        .selected_valid(arbiter_selected_valid),
        .selected(arbiter_selected),
        .leave(arbiter_leave),
        .pipe_priority(arbiter_pipe_priority),
        .active(arbiter_active),
        .ready(arbiter_ready),
        .queue_priority(arbiter_queue_priority),
        .move(arbiter_move),
        .move_queue(arbiter_move_queue)
    );

    totem_fetch #(
        .QUEUES(QUEUES)
    ) fetch (
        .clk(clk), .rst(rst),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .arbiter_go(arbiter_go),
        .arbiter_selected(arbiter_selected),
        .arbiter_active(arbiter_active),
        .arbiter_queue_priority(arbiter_queue_priority),
        .settings_mqd_save(settings_mqd_save),
        .dword_valid(fetch_dword_valid),
        .dword_data(fetch_dword_data),
        .dword_error(fetch_dword_error),
        .dword_ready(packet_dword_ready),
        .available(fetch_available),
        .in_buffer(fetch_in_buffer),
        .position(fetch_position),
        .fault_position(fetch_fault_position),
        .packet_commit(packet_commit),
        .packet_commit_count(packet_commit_count),
        .packet_drop(packet_drop),
        .packet_open(packet_open),
        .packet_open_addr(packet_open_addr),
        .packet_open_size(packet_open_size),
        .packet_left(packet_left),
        .pending(fetch_pending),
        .line(fetch_line),
        .rptr(fetch_rptr),
        .wptr(fetch_wptr),
        .buffer(fetch_buffer),
        .buffer_addr(fetch_buffer_addr),
        .buffer_left(fetch_buffer_left),
        .line_write_enable(fetch_line_write_enable),
        .line_write_addr(fetch_line_write_addr),
        .line_write_data(fetch_line_write_data),
        .line_read_enable(fetch_line_read_enable),
        .line_read_addr(fetch_line_read_addr),
        .line_read_data(line_read_data),
        .read_valid(fetch_read_valid),
        .read_addr(fetch_read_addr),
        .read_beats(fetch_read_beats),
        .read_ready(fetch_read_ready),
        .data_valid(fetch_data_valid),
        .data_word(data_word),
        .data_last(data_last),
        .data_error(data_error),
        .write_valid(fetch_write_valid),
        .write_word(fetch_write_word),
        .write_ready(fetch_write_ready),
        .write_ack(fetch_write_ack),
        .write_ack_error(ack_error),
        .halt(fetch_halt),
        .halt_queue(fetch_halt_queue),
        .error_valid(fetch_error_valid),
        .error_word(fetch_error_word),
        .error_ready(fetch_error_ready),
        .reporting(fetch_reporting),
        .busy(fetch_busy)
    );

    totem_packet #(
        .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SE_COUNT(SE_COUNT), .SLOTS(SLOTS), .VGPRS(VGPRS), .LDS(LDS)
    ) packet (
        .clk(clk), .rst(rst),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .arbiter_go(arbiter_go),
        .arbiter_selected(arbiter_selected),
        .arbiter_leave(arbiter_leave),
        .arbiter_active(arbiter_active),
        .left(packet_left),
        .unfinished(packet_unfinished),
        .halted(packet_halted),
        .wait_flush(packet_wait_flush),
        .wait_epoch(packet_wait_epoch),
        .executed(packet_executed),
        .executed_opcode(packet_executed_opcode),
        .ignored(packet_ignored),
        .dword_valid(fetch_dword_valid),
        .dword_data(fetch_dword_data),
        .dword_error(fetch_dword_error),
        .dword_ready(packet_dword_ready),
        .fetch_available(fetch_available),
        .fetch_in_buffer(fetch_in_buffer),
        .fetch_position(fetch_position),
        .fetch_fault_position(fetch_fault_position),
        .commit(packet_commit),
        .commit_count(packet_commit_count),
        .drop(packet_drop),
        .open(packet_open),
        .open_addr(packet_open_addr),
        .open_size(packet_open_size),
        .bank_write(packet_bank_write),
        .bank_offset(packet_bank_offset),
        .bank_data(packet_bank_data),
        .bank_save(packet_bank_save),
        .bank_forget(packet_bank_forget),
        .bank_loaded(bank_loaded),
        .bank_busy(bank_busy),
        .bank_threads(bank_threads),
        .bank_partial(bank_partial),
        .bank_vgprs(bank_vgprs),
        .bank_lds(bank_lds),
        .bank_engines(bank_engines),
        .bank_initiator(bank_initiator),
        .divide_valid(packet_divide_valid),
        .divide_place(packet_divide_place),
        .divide_data(packet_divide_data),
        .divide_start(packet_divide_start),
        .divide_busy(divide_busy),
        .divide_quotient(divide_quotient),
        .start(packet_start),
        .start_resume(packet_start_resume),
        .start_fresh_at_zero(packet_start_fresh_at_zero),
        .start_partial(packet_start_partial),
        .start_end(packet_start_end),
        .stop(packet_stop),
        .walker_busy(walker_busy),
        .walker_stopped(walker_stopped),
        .dispatch_waves(packet_dispatch_waves),
        .dispatch_threads(packet_dispatch_threads),
        .dispatch_wave32(packet_dispatch_wave32),
        .dispatch_queue(packet_dispatch_queue),
        .dispatch_epoch(packet_dispatch_epoch),
        .fence_epoch(fence_epoch),
        .fence_room(fence_room),
        .fence_flushed(fence_flushed),
        .fence_settled(fence_settled),
        .fence_close(packet_fence_close),
        .fence_valid(packet_fence_valid),
        .fence_word(packet_fence_word),
        .fence_ready(fence_packet_ready),
        .fence_write(packet_fence_write),
        .wait_valid(packet_wait_valid),
        .wait_last(packet_wait_last),
        .wait_timer(packet_wait_timer),
        .wait_word(packet_wait_word),
        .poll_ended(poll_ended),
        .poll_ended_error(poll_ended_error),
        .poll_valid(packet_poll_valid),
        .poll_addr(packet_poll_addr),
        .poll_ready(poll_packet_ready),
        .poll_data_valid(poll_data_valid && poll_packet_answer),
        .poll_data(data_word),
        .poll_error(data_error),
        .priority_write(packet_priority_write),
        .priority_queue(packet_priority_queue),
        .priority_data(packet_priority_data),
        .write_valid(packet_offers),
        .write_word(packet_write_word),
        .write_ready(packet_write_ready),
        .error_valid(packet_error_valid),
        .error_word(packet_error_word),
        .error_ready(packet_error_ready),
        .fence_halt(fence_halt),
        .fence_halt_queue(fence_halt_queue),
        .poll_halt(poll_halt),
        .poll_halt_queue(poll_halt_queue),
        .fetch_halt(fetch_halt),
        .fetch_halt_queue(fetch_halt_queue),
        .settings_priority_write_open(settings_priority_write_open),
        .pipe_number(pipe_number)
    );

    totem_poll #(
        .QUEUES(QUEUES)
    ) poll (
        .clk(clk), .rst(rst),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .arbiter_active(arbiter_active),
        .packet_halted(packet_halted),
        .packet_queue(packet_dispatch_queue),
        .packet_commit(packet_commit),
        .packet_wait(packet_wait_valid),
        .packet_wait_last(packet_wait_last),
        .packet_wait_timer(packet_wait_timer),
        .packet_wait_word(packet_wait_word),
        .packet_read_valid(packet_poll_valid),
        .packet_read_addr(packet_poll_addr),
        .packet_read_ready(poll_packet_ready),
        .packet_answer(poll_packet_answer),
        .waiting(poll_waiting),
        .ended(poll_ended),
        .error(poll_ended_error),
        .ram_read_enable(poll_ram_read_enable),
        .ram_read_addr(poll_ram_read_addr),
        .ram_read_data(condition_read_data),
        .polled(poll_polled),
        .once(poll_to_come),
        .access_valid(poll_access_valid),
        .access_write(poll_access_write),
        .access_queue(poll_access_queue),
        .access_dword(poll_access_dword),
        .access_data(poll_access_data),
        .hqd_done(hqd_poll_done),
        .hqd_error(hqd_poll_error),
        .hqd_data(hqd_poll_rdata),
        .halt(poll_halt),
        .halt_queue(poll_halt_queue),
        .error_valid(poll_error_valid),
        .error_word(poll_error_word),
        .error_second(poll_error_second),
        .error_ready(mqd_error_ready && poll_tells),
        .busy(poll_busy),
        .read_valid(poll_read_valid),
        .read_addr(poll_read_addr),
        .read_ready(poll_read_ready),
        .data_valid(poll_data_valid),
        .data_word(data_word),
        .data_error(data_error),
        .clock(clock),
        .host_once(poll_once),
        .settings_poll_enable(settings_poll_enable),
        .settings_poll_period(settings_poll_period)
    );

    totem_tally #(
        .QUEUES(QUEUES)
    ) tally (
        .clk(clk), .rst(rst),
        .packet_ignored(packet_ignored),
        .packet_queue(packet_dispatch_queue),
        .packet_opcode(packet_executed_opcode),
        .host_valid(tally_host_valid),
        .host_write(host_write),
        .host_queue(host_queue),
        .host_dword(host_dword),
        .host_strobe(host_strobe),
        .host_done(tally_host_done),
        .host_rdata(tally_host_rdata),
        .ram_write_enable(tally_ram_write_enable),
        .ram_write_addr(tally_ram_write_addr),
        .ram_write_data(tally_ram_write_data),
        .ram_read_enable(tally_ram_read_enable),
        .ram_read_addr(tally_ram_read_addr),
        .ram_read_data(tally_read_data)
    );

    totem_bank #(
        .QUEUES(QUEUES), .SE_COUNT(SE_COUNT)
    ) bank (
        .clk(clk), .rst(rst),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .arbiter_go(arbiter_go),
        .arbiter_selected(arbiter_selected),
        .packet_write(packet_bank_write),
        .packet_offset(packet_bank_offset),
        .packet_data(packet_bank_data),
        .packet_save(packet_bank_save),
        .packet_forget(packet_bank_forget),
        .packet_start(packet_start),
        .packet_start_end(packet_start_end),
        .loaded(bank_loaded),
        .busy(bank_busy),
        .prepared(bank_prepared),
        .threads(bank_threads),
        .partial(bank_partial),
        .vgprs(bank_vgprs),
        .lds(bank_lds),
        .engines(bank_engines),
        .initiator(bank_initiator),
        .walker_low(walker_low),
        .walker_mask(walker_mask),
        .origin(bank_origin),
        .restart(bank_restart),
        .restart_mask(bank_restart_mask),
        .restart_end(bank_restart_end),
        .restart_origin(bank_restart_origin),
        .divide_read(divide_read),
        .divide_place(divide_read_place),
        .program_addr(bank_program_addr),
        .words(bank_words),
        .state_write_low(bank_state_write_low),
        .state_write_high(bank_state_write_high),
        .state_write_addr(bank_state_write_addr),
        .state_write_data(bank_state_write_data),
        .ram_write_enable(bank_ram_write_enable),
        .ram_write_addr(bank_ram_write_addr),
        .ram_write_data(bank_ram_write_data),
        .ram_read_enable(bank_ram_read_enable),
        .ram_read_addr(bank_ram_read_addr),
        .ram_read_data(register_read_data),
        .mqd_valid(mqd_bank_valid),
        .mqd_write(mqd_bank_write),
        .mqd_queue(mqd_bank_queue),
        .mqd_offset(mqd_bank_offset),
        .mqd_data(mqd_bank_data),
        .mqd_ready(bank_mqd_ready),
        .mqd_answer(bank_mqd_answer)
    );

    totem_mqd #(
        .QUEUES(QUEUES)
    ) mqd (
        .clk(clk), .rst(rst),
        .hqd_request(hqd_request),
        .hqd_leaving(hqd_leaving),
        .behind(mqd_behind),
        .access_valid(mqd_access_valid),
        .access_kind(mqd_access_kind),
        .access_queue(mqd_access_queue),
        .access_dword(mqd_access_dword),
        .access_data(mqd_access_data),
        .hqd_done(hqd_mqd_done),
        .hqd_error(hqd_mqd_error),
        .hqd_data(hqd_mqd_rdata),
        .bank_valid(mqd_bank_valid),
        .bank_write(mqd_bank_write),
        .bank_queue(mqd_bank_queue),
        .bank_offset(mqd_bank_offset),
        .bank_data(mqd_bank_data),
        .bank_ready(bank_mqd_ready),
        .bank_answer(bank_mqd_answer),
        .bank_read_data(register_read_data),
        .packet_unfinished(packet_unfinished & ~hqd_dropping),     // a reset drops the grid
        .fetch_buffer(fetch_buffer),
        .fetch_buffer_addr(fetch_buffer_addr),
        .fetch_buffer_left(fetch_buffer_left),
        .ram_write_enable(mqd_ram_write_enable),
        .ram_write_addr(mqd_ram_write_addr),
        .ram_write_data(mqd_ram_write_data),
        .ram_read_enable(mqd_ram_read_enable),
        .ram_read_addr(mqd_ram_read_addr),
        .ram_read_data(block_read_data),
        .read_valid(mqd_read_valid),
        .read_addr(mqd_read_addr),
        .read_beats(mqd_read_beats),
        .read_ready(mqd_read_ready),
        .data_valid(mqd_data_valid),
        .data_word(data_word),
        .data_last(data_last),
        .data_error(data_error),
        .write_valid(mqd_offers),
        .write_word(mqd_offered),
        .write_ready(mqd_write_ready && !record_write_valid),
        .write_ack(mqd_write_ack && !ack_tag[0]),
        .write_ack_error(ack_error),
        .interrupt_valid(mqd_interrupt_valid),
        .interrupt_word(mqd_interrupt_word),
        .interrupt_ready(interrupt_ready && !fence_interrupt_valid),
        .error_valid(mqd_reports),
        .error_word(mqd_reported),
        .error_ready(mqd_error_ready && !record_error_valid && !poll_tells),
        .busy(mqd_busy)
    );

    totem_record #(
        .QUEUES(QUEUES)
    ) record (
        .clk(clk), .rst(rst),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .packet_left(packet_left),
        .packet_queue(packet_dispatch_queue),
        .fetch_rptr(fetch_rptr),
        .fetch_buffer(fetch_buffer),
        .fetch_buffer_addr(fetch_buffer_addr),
        .fence_waves(fence_waves),
        .fence_settled(fence_settled),
        .fence_abandoned(fence_abandoned & hqd_leaving),
        .fence_valid(record_fence_valid),
        .fence_word(record_fence_word),
        .fence_queue(record_fence_queue),
        .fence_ready(fence_record_ready),
        .hqd_parting(parting),
        .top_pending(record_top_pending),
        .end_pending(record_end_pending),
        .busy(record_busy),
        .ram_write_enable(record_ram_write_enable),
        .ram_write_addr(record_ram_write_addr),
        .ram_write_data(record_ram_write_data),
        .ram_read_enable(record_ram_read_enable),
        .ram_read_addr(record_ram_read_addr),
        .ram_read_data(record_read_data),
        .sequence_write_enable(record_sequence_write_enable),
        .sequence_write_addr(record_sequence_write_addr),
        .sequence_write_data(record_sequence_write_data),
        .mqd_write_valid(mqd_offers),
        .write_valid(record_write_valid),
        .write_word(record_write_word),
        .write_ready(mqd_write_ready),
        .write_ack(mqd_write_ack && ack_tag[0]),
        .write_ack_error(ack_error),
        .mqd_error_valid(mqd_reports),
        .error_valid(record_error_valid),
        .error_word(record_error_word),
        .error_ready(mqd_error_ready && !poll_tells)
    );

    totem_divide divide (
        .clk(clk), .rst(rst),
        .packet_valid(packet_divide_valid),
        .packet_place(packet_divide_place),
        .packet_data(packet_divide_data),
        .packet_start(packet_divide_start),
        .busy(divide_busy),
        .quotient(divide_quotient),
        .read(divide_read),
        .read_place(divide_read_place),
        .register_data(register_read_data)
    );

    totem_walker #(
        .SE_COUNT(SE_COUNT)
    ) walker (
        .clk(clk), .rst(rst),
        .packet_start(packet_start),
        .packet_start_resume(packet_start_resume),
        .packet_start_fresh_at_zero(packet_start_fresh_at_zero),
        .packet_start_partial(packet_start_partial),
        .packet_start_end(packet_start_end),
        .packet_stop(packet_stop),
        .bank_origin(bank_origin),
        .bank_restart(bank_restart),
        .bank_restart_mask(bank_restart_mask),
        .bank_restart_end(bank_restart_end),
        .bank_restart_origin(bank_restart_origin),
        .busy(walker_busy),
        .stopped(walker_stopped),
        .low(walker_low),
        .mask(walker_mask),
        .group_valid(walker_group_valid),
        .group(walker_group),
        .group_partial(walker_group_partial),
        .room(walker_room),
        .outstanding(walker_outstanding),
        .dc_take(take),
        .dc_take_engine(take_engine),
        .grant_valid(grant_valid),
        .answer_valid(answer_valid),
        .answer_count(answer_count),
        .mismatch(walker_mismatch)
    );

    totem_fence #(
        .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SE_COUNT(SE_COUNT)
    ) fence (
        .clk(clk), .rst(rst),
        .packet_close(packet_fence_close),
        .packet_valid(packet_fence_valid),
        .packet_word(packet_fence_word),
        .packet_ready(fence_packet_ready),
        .packet_write(packet_fence_write),
        .packet_queue(arbiter_selected),
        .record_valid(record_fence_valid),
        .record_word(record_fence_word),
        .record_queue(record_fence_queue),
        .record_ready(fence_record_ready),
        .epoch(fence_epoch),
        .room(fence_room),
        .flushed(fence_flushed),
        .waves(fence_waves),
        .idle(fence_idle),
        .settled(fence_settled),
        .targets(fence_targets),
        .quiet(fence_quiet),
        .abandon(kill_abandon),
        .abandoned(fence_abandoned),
        .lost(fence_lost),
        .late(fence_late),
        .write_room(fence_write_room),
        .halt(fence_halt),
        .halt_queue(fence_halt_queue),
        .load_valid(hqd_load_valid),
        .load_queue(hqd_load_queue),
        .load_kind(hqd_load_kind),
        .load_data(hqd_load_data),
        .grant_valid(grant_valid),
        .grant_waves(grant_waves),
        .grant_queue(grant_queue),
        .grant_epoch(grant_epoch),
        .complete_valid(complete_valid),
        .complete_queue(complete_queue),
        .complete_epoch(complete_epoch),
        .ram_write_enable(fence_ram_write_enable),
        .ram_write_addr(fence_ram_write_addr),
        .ram_write_data(fence_ram_write_data),
        .ram_read_enable(fence_ram_read_enable),
        .ram_read_addr(fence_ram_read_addr),
        .ram_read_data(entry_read_data),
        .write_valid(fence_write_valid),
        .write_word(fence_write_word),
        .write_ready(fence_write_ready),
        .write_ack(fence_write_ack),
        .packet_ack(packet_write_ack),
        .ack_tag(ack_tag),
        .ack_error(ack_error),
        .ack_addr(ack_addr),
        .interrupt_valid(fence_interrupt_valid),
        .interrupt_word(fence_interrupt_word),
        .interrupt_ready(interrupt_ready),
        .error_valid(fence_error_valid),
        .error_word(fence_error_word),
        .error_ready(fence_error_ready),
        .clock(clock)
    );

    totem_kill #(
        .QUEUES(QUEUES), .EPOCHS(EPOCHS), .SE_COUNT(SE_COUNT)
    ) kill (
        .clk(clk), .rst(rst),
        .hqd_resetting(hqd_resetting),
        .hqd_killing(hqd_killing),
        .ended(kill_ended),
        .fence_targets(fence_targets),
        .fence_quiet(fence_quiet),
        .fence_settled(fence_settled),
        .overdue(overdue),
        .fence_abandoned(fence_abandoned),
        .abandon(kill_abandon),
        .word_valid(kill_word_valid),
        .word_engine(kill_word_engine),
        .word_queue(kill_word_queue),
        .word_epochs(kill_word_epochs),
        .dc_killed(killed),
        .settings_dequeue_timeout(settings_dequeue_timeout),
        .clock(clock)
    );

    totem_ram #(.WIDTH(32), .DEPTH(QUEUES*64)) window_ram (
        .clk(clk),
        .write_enable(hqd_ram_write_enable), .write_addr(hqd_ram_write_addr), .write_data(hqd_ram_write_data),
        .read_enable(hqd_ram_read_enable), .read_addr(hqd_ram_read_addr), .read_data(window_read_data)
    );

    totem_ram #(.WIDTH(64), .DEPTH(QUEUES*32)) line_ram (
        .clk(clk),
        .write_enable(fetch_line_write_enable), .write_addr(fetch_line_write_addr), .write_data(fetch_line_write_data),
        .read_enable(fetch_line_read_enable), .read_addr(fetch_line_read_addr), .read_data(line_read_data)
    );

    totem_ram #(.WIDTH(32), .DEPTH(QUEUES*128)) register_ram (
        .clk(clk),
        .write_enable(bank_ram_write_enable), .write_addr(bank_ram_write_addr), .write_data(bank_ram_write_data),
        .read_enable(bank_ram_read_enable), .read_addr(bank_ram_read_addr), .read_data(register_read_data)
    );

    totem_ram #(.WIDTH(64), .DEPTH(16)) block_ram (
        .clk(clk),
        .write_enable(mqd_ram_write_enable), .write_addr(mqd_ram_write_addr), .write_data(mqd_ram_write_data),
        .read_enable(mqd_ram_read_enable), .read_addr(mqd_ram_read_addr), .read_data(block_read_data)
    );

    totem_ram #(.WIDTH(64), .DEPTH(QUEUES*4)) record_ram (
        .clk(clk),
        .write_enable(record_ram_write_enable), .write_addr(record_ram_write_addr), .write_data(record_ram_write_data),
        .read_enable(record_ram_read_enable), .read_addr(record_ram_read_addr), .read_data(record_read_data)
    );

    // Sequence numbers for the host: {queue, 0} of the last switch-out, dword 61; {queue, 1} of the last end record, dword 62.
    totem_ram #(.WIDTH(32), .DEPTH(QUEUES*2)) sequence_ram (
        .clk(clk),
        .write_enable(record_sequence_write_enable), .write_addr(record_sequence_write_addr), .write_data(record_sequence_write_data),
        .read_enable(hqd_ram_read_enable), .read_addr({hqd_ram_read_addr[QUEUE_BITS+5:6], hqd_ram_read_addr[1]}), .read_data(sequence_read_data)
    );

    // What a queue waits for: two words each.
    totem_ram #(.WIDTH(64), .DEPTH(QUEUES*2)) condition_ram (
        .clk(clk),
        .write_enable(packet_wait_valid), .write_addr({packet_dispatch_queue, packet_wait_last}), .write_data(packet_wait_word),
        .read_enable(poll_ram_read_enable), .read_addr(poll_ram_read_addr), .read_data(condition_read_data)
    );

    // Packets without a rule, four counters a word.
    totem_ram #(.WIDTH(64), .DEPTH(QUEUES*64), .MEETS(0)) tally_ram (
        .clk(clk),
        .write_enable(tally_ram_write_enable), .write_addr(tally_ram_write_addr), .write_data(tally_ram_write_data),
        .read_enable(tally_ram_read_enable), .read_addr(tally_ram_read_addr), .read_data(tally_read_data)
    );

    totem_ram #(.WIDTH(64), .DEPTH(QUEUES*EPOCHS*4)) entry_ram (
        .clk(clk),
        .write_enable(fence_ram_write_enable), .write_addr(fence_ram_write_addr), .write_data(fence_ram_write_data),
        .read_enable(fence_ram_read_enable), .read_addr(fence_ram_read_addr), .read_data(entry_read_data)
    );

    // Launch state of every queue, written by halves as registers change, read by the dispatch controller.
    totem_ram #(.WIDTH(32), .DEPTH(QUEUES*16)) state_low_ram (
        .clk(clk),
        .write_enable(bank_state_write_low), .write_addr(bank_state_write_addr), .write_data(bank_state_write_data[31:0]),
        .read_enable(state_read_enable), .read_addr({packet_dispatch_queue, state_read_addr}), .read_data(state_read_data[31:0])
    );

    totem_ram #(.WIDTH(32), .DEPTH(QUEUES*16)) state_high_ram (
        .clk(clk),
        .write_enable(bank_state_write_high), .write_addr(bank_state_write_addr), .write_data(bank_state_write_data[63:32]),
        .read_enable(state_read_enable), .read_addr({packet_dispatch_queue, state_read_addr}), .read_data(state_read_data[63:32])
    );

    wire unused = &{1'b0, fetch_busy};
endmodule

`default_nettype wire
