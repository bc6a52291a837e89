// SPDX-License-Identifier: Apache-2.0
//
// totem_runner: runs the tasks of a compute pipe, and takes launches from its packet processor.
//
// Policy    ring and list of a queue take turns; launches are no turn. A task that is begun comes before everything
//           else of its queue. The task registers of the selected queue are loaded as soon as they are prepared.
// Latency   a loaded task starts 3 clocks after it is asked for.
// Boundary  one service at a time; a task is an unfinished grid, its first group included.
// Cost      4 flip-flops for each queue.
// Proved    a task starts only begun and loaded (1); taken, granted and refused alternate (2); go keeps its distance
//           (3); what comes before the ring (4).
// Twin      cmodel/task/totem_runner.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_runner #(
    parameter QUEUES  = 8,                  // a power of two, 2 to 8
    parameter ENTRIES = 64,                 // a power of two, 2 to 256
    parameter SLOTS   = 64,                 // up to 64
    parameter VGPRS   = 2048,               // up to 8191
    parameter LDS     = 512                 // up to 512
) (
    input  wire                                 clk,
    input  wire                                 rst,
    // load bus
    input  wire                                 load_valid,
    input  wire [$clog2(QUEUES)-1:0]            load_queue,
    input  wire [4:0]                           load_kind,
    input  wire [39:0]                          load_data,
    // arbiter, and what the ring waits for
    input  wire                                 arbiter_selected_valid,
    input  wire [$clog2(QUEUES)-1:0]            arbiter_selected,
    input  wire [QUEUES-1:0]                    arbiter_active,
    input  wire [QUEUES-1:0]                    fetch_pending,
    input  wire [QUEUES-1:0]                    fence_flushed,
    input  wire [QUEUES-1:0]                    poll_waiting,
    input  wire [QUEUES-1:0]                    packet_wait_flush,
    input  wire [QUEUES-1:0]                    packet_wait_entry,
    // packet processor
    input  wire                                 packet_executed,
    input  wire                                 packet_service_valid,
    input  wire [4:0]                           packet_service_kind,
    input  wire [63:0]                          packet_service_data,
    input  wire                                 packet_service_stop,
    output wire [QUEUES-1:0]                    begun,
    output wire [QUEUES-1:0]                    lists_turn,
    input  wire                                 setup_mark_valid,
    input  wire [8:0]                           setup_mark_data,
    input  wire [$clog2(QUEUES)-1:0]            setup_bank_queue,
    output wire [8:0]                           marks,
    output wire                                 done,
    output wire [7:0]                           code,
    output wire [31:0]                          word,
    output wire                                 again,
    output wire [QUEUES-1:0]                    due,
    output wire [QUEUES-1:0]                    stall,
    // task_bank
    input  wire [QUEUES-1:0]                    bank_prepared,
    input  wire                                 bank_loaded,
    input  wire                                 bank_busy,
    input  wire [12:0]                          bank_threads,
    input  wire [6:0]                           bank_vgprs,
    input  wire [8:0]                           bank_lds,
    output wire                                 go,
    output wire [$clog2(QUEUES)-1:0]            go_queue,
    output wire                                 save,
    output wire                                 loading,
    // feed, walker
    output wire                                 on,
    output wire                                 start,
    output wire                                 stop,
    output wire [6:0]                           waves,
    output wire [6:0]                           threads,
    input  wire                                 walker_busy,
    input  wire                                 walker_stopped,
    // task
    input  wire [QUEUES-1:0]                    task_run,
    input  wire [QUEUES-1:0]                    task_resume,
    input  wire [QUEUES-1:0]                    task_written,
    input  wire [QUEUES-1:0]                    task_room,
    input  wire [QUEUES*$clog2(ENTRIES)-1:0]    task_entry,
    output wire                                 taken,
    output wire                                 granted,
    output wire                                 refused,
    output wire [$clog2(QUEUES)-1:0]            task_queue,
    output wire                                 launch_valid,
    output wire [$clog2(QUEUES)-1:0]            launch_queue,
    output wire [31:0]                          launch_pointer,
    input  wire                                 task_launch_done,
    input  wire                                 task_launch_again,
    input  wire [7:0]                           task_launch_code,
    input  wire [31:0]                          task_launch_word,
    input  wire                                 task_fault_valid,
    input  wire [$clog2(QUEUES)-1:0]            task_fault_queue,
    input  wire [7:0]                           task_fault_code,
    input  wire [31:0]                          task_fault_word,
    input  wire [39:0]                          task_fault_addr,
    input  wire                                 task_fault_orphaned,
    output wire                                 fault_ready,
    // packet processor and events: errors that belong to no packet
    output wire                                 halt,
    output wire [$clog2(QUEUES)-1:0]            halt_queue,
    output wire                                 error_valid,
    output wire [63:0]                          error_word,
    input  wire                                 events_error_ready
);
`include "totem_hqd_values.vh"
`include "totem_runner_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam N = $clog2(ENTRIES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || ENTRIES < 2 || ENTRIES > 256 || ENTRIES != (1 << N)
            || SLOTS < 1 || SLOTS > 64 || VGPRS < 1 || VGPRS > 8191 || LDS < 1 || LDS > 512) begin : check
            totem_runner_needs_sizes_as_its_parameters_say refused_sizes ();
        end
    endgenerate

    localparam [3:0]  PAUSE = 4'd3;             // clocks from a save to the next load
    localparam [12:0] MOST  = 13'd2048;         // threads of 64 waves of 32

    reg [2:0]        phase_q, phase_d;
    reg [Q-1:0]      queue_q, queue_d;
    reg [QUEUES-1:0] turn_q, turn_d;
    reg [QUEUES-1:0] begun_q, begun_d;
    reg [QUEUES-1:0] able_q, stall_q, here_q;
    reg              served_q, served_d;
    reg              taken_q, taken_d;
    reg              granted_q, granted_d;
    reg              refused_q, refused_d;
    reg [7:0]        code_q, code_d;
    reg [31:0]       word_q, word_d;
    reg              again_q, again_d;
    reg [31:0]       pointer_q, pointer_d;
    reg [6:0]        waves_q, waves_d;
    reg [6:0]        threads_q, threads_d;
    reg              go_q, go_d;
    reg [Q-1:0]      go_queue_q, go_queue_d;
    reg              held_q, held_d;
    reg              loading_q, loading_d;
    reg              save_q, save_d;
    reg [3:0]        pause_q, pause_d;
    reg [1:0]        telling_q, telling_d;
    reg [Q-1:0]      fault_queue_q, fault_queue_d;
    reg [7:0]        fault_code_q, fault_code_d;
    reg [31:0]       fault_word_q, fault_word_d;
    reg [39:0]       fault_addr_q, fault_addr_d;
    reg              fault_orphaned_q, fault_orphaned_d;
    reg [QUEUES*9-1:0] marks_q;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        word_q = 0;       pointer_q = 0;    waves_q = 0;     threads_q = 0;     fault_queue_q = 0; fault_code_q = 0;
        fault_word_q = 0; fault_addr_q = 0; fault_orphaned_q = 0; marks_q = 0;
    end

    assign done           = phase_q == RUNNER_DONE;
    assign code           = code_q;
    assign word           = word_q;
    assign again          = again_q;
    assign stall          = stall_q;
    assign due            = begun_q | (able_q & (turn_q | ~here_q));
    assign go             = go_q;
    assign go_queue       = go_queue_q;
    assign save           = save_q;
    assign loading        = loading_q;
    assign on             = phase_q == RUNNER_START || phase_q == RUNNER_RUN || phase_q == RUNNER_STOP;
    assign start          = phase_q == RUNNER_START;
    assign stop           = phase_q == RUNNER_STOP;
    assign waves          = waves_q;
    assign threads        = threads_q;
    assign taken          = taken_q;
    assign granted        = granted_q;
    assign refused        = refused_q;
    assign task_queue     = queue_q;
    assign marks          = marks_q[queue_q*9 +: 9];
    assign launch_valid   = phase_q == RUNNER_LAUNCH;
    assign launch_queue   = queue_q;
    assign launch_pointer = pointer_q;
    assign begun          = begun_q;
    assign lists_turn     = turn_q;
    assign fault_ready    = telling_q == TELLING_DONE;
    assign halt           = fault_ready && !fault_orphaned_q;
    assign halt_queue     = fault_queue_q;
    assign error_valid    = telling_q == TELLING_PLACE || telling_q == TELLING_WORD;
    wire [2:0] fault_slot = {{(3-Q){1'b0}}, fault_queue_q};
    assign error_word     = (telling_q == TELLING_PLACE) ? {fault_code_q, 5'd0, fault_slot, 8'd0, fault_addr_q}
                                                : {32'd0, fault_word_q};

    wire [Q-1:0] s = arbiter_selected;
    wire         reads = arbiter_selected_valid && task_written[s] && bank_prepared[s] && pause_q == 4'd0
                         && !on && !(held_q && go_queue_q == s);
    wire         has = held_q && go_queue_q == queue_q && !go_q && bank_loaded && !bank_busy;
    wire [13:0]  vgprs_of_group = {7'd0, waves_q} * {7'd0, bank_vgprs};
    wire         too_large = bank_threads > MOST || {25'd0, waves_q} > SLOTS || {18'd0, vgprs_of_group} > VGPRS
                             || {23'd0, bank_lds} > LDS;
    wire [13:0]  rounded = {1'b0, bank_threads} + 14'd31;
    wire [4:0]   last    = bank_threads[4:0] - 5'd1;

    wire unused = &{1'b0, packet_service_data[63:32], rounded[12], rounded[4:0], load_data};

    reg all_granted;    // the last group is granted
    always @* begin
        phase_d       = phase_q;
        queue_d       = queue_q;
        turn_d        = turn_q;
        begun_d       = begun_q;
        taken_d       = 1'b0;
        granted_d     = 1'b0;
        refused_d     = 1'b0;
        code_d        = code_q;
        word_d        = word_q;
        again_d       = again_q;
        pointer_d     = pointer_q;
        waves_d       = waves_q;
        threads_d     = threads_q;
        go_d          = 1'b0;
        go_queue_d    = go_queue_q;
        held_d        = held_q;
        loading_d     = loading_q;
        save_d        = 1'b0;
        pause_d       = (pause_q != 4'd0) ? pause_q - 4'd1 : 4'd0;
        telling_d     = telling_q;
        fault_queue_d = fault_queue_q;
        fault_code_d  = fault_code_q;
        fault_word_d  = fault_word_q;
        fault_addr_d  = fault_addr_q;
        fault_orphaned_d = fault_orphaned_q;
        served_d      = served_q;
        all_granted   = 1'b0;

        // 2 Turn
        if (packet_executed) begin
            turn_d[s] = !served_q;
            served_d  = 1'b0;
        end

        // 4 Registers
        if (loading_q && bank_loaded && !go_q)
            loading_d = 1'b0;
        if (held_q && !task_written[go_queue_q])
            held_d = 1'b0;
        if (reads) begin
            go_d       = 1'b1;
            go_queue_d = s;
            held_d     = 1'b1;
            loading_d  = 1'b1;
        end

        case (phase_q)
            // 5 Service
            RUNNER_IDLE:
                if (packet_service_valid) begin
                    queue_d = s;
                    code_d  = 8'd0;
                    again_d = 1'b0;
                    if (packet_service_kind == `TOTEM_KIND_LAUNCH) begin
                        pointer_d = packet_service_data[31:0];
                        phase_d   = RUNNER_LAUNCH;
                    end else if (begun_q[s])
                        phase_d = RUNNER_LOAD;
                    else if (task_run[s] && able_q[s]) begin
                        taken_d    = 1'b1;
                        begun_d[s] = 1'b1;
                        phase_d    = RUNNER_LOAD;
                    end else begin
                        again_d = 1'b1;
                        phase_d = RUNNER_DONE;
                    end
                end
            // 6 Launch
            RUNNER_LAUNCH:
                if (task_launch_done) begin
                    again_d = task_launch_again;
                    code_d  = task_launch_code;
                    word_d  = task_launch_word;
                    phase_d = RUNNER_DONE;
                end
            // 7 Load
            RUNNER_LOAD:
                if (packet_service_stop) begin
                    again_d = 1'b1;
                    phase_d = RUNNER_DONE;
                end else if (has) begin
                    waves_d   = rounded[11:5];
                    threads_d = {2'd0, last} + 7'd1;
                    phase_d   = RUNNER_FIT;
                end
            // 8 Fit
            RUNNER_FIT:
                if (too_large) begin
                    code_d           = `TOTEM_ERROR_PACKET_GROUP_TOO_LARGE;
                    word_d           = {23'd0, rounded[13:5]};
                    refused_d        = 1'b1;
                    begun_d[queue_q] = 1'b0;
                    phase_d          = RUNNER_DONE;
                end else
                    phase_d = RUNNER_START;
            // 9 Run
            RUNNER_START:
                phase_d = RUNNER_RUN;
            RUNNER_RUN:
                if (!walker_busy)
                    all_granted = 1'b1;
                else if (packet_service_stop)
                    phase_d = RUNNER_STOP;
            // 10 Stop
            RUNNER_STOP:
                if (walker_stopped && !walker_busy)
                    all_granted = 1'b1;
                else if (walker_stopped) begin
                    again_d = 1'b1;
                    phase_d = RUNNER_DONE;
                    if (arbiter_active[queue_q]) begin
                        save_d  = 1'b1;
                        held_d  = 1'b0;
                        pause_d = PAUSE;
                    end
                end
            // 11 Done
            default: begin  // RUNNER_DONE
                phase_d = RUNNER_IDLE;
                if (!again_q && code_q == 8'd0)
                    served_d = 1'b1;
            end
        endcase
        if (all_granted) begin
            granted_d        = 1'b1;
            begun_d[queue_q] = 1'b0;
            word_d           = {{(32-N){1'b0}}, task_entry[queue_q*N +: N]};
            phase_d          = RUNNER_DONE;
        end

        // 12 Mapping
        if (load_valid && load_kind == LOAD_ACTIVE) begin
            turn_d[load_queue]  = load_data[3];
            begun_d[load_queue] = 1'b0;
        end

        // 13 Faults
        case (telling_q)
            TELLING_NOTHING:
                if (task_fault_valid) begin
                    fault_queue_d = task_fault_queue;
                    fault_code_d  = task_fault_code;
                    fault_word_d  = task_fault_word;
                    fault_addr_d  = task_fault_addr;
                    fault_orphaned_d = task_fault_orphaned;
                    telling_d     = TELLING_PLACE;
                end
            TELLING_DONE:
                telling_d = TELLING_NOTHING;
            default:
                if (events_error_ready)
                    telling_d = telling_q + 2'd1;
        endcase
    end

    wire [QUEUES-1:0] waits = (packet_wait_flush & ~fence_flushed) | poll_waiting | (packet_wait_entry & ~task_room);
    always @(posedge clk) begin
        phase_q       <= phase_d;
        queue_q       <= queue_d;
        turn_q        <= turn_d;
        begun_q       <= begun_d;
        // 1 Readiness
        able_q        <= task_run & bank_prepared;
        stall_q       <= task_resume & ~(task_run & bank_prepared);
        served_q      <= served_d;
        here_q        <= fetch_pending & ~waits;
        taken_q       <= taken_d;
        granted_q     <= granted_d;
        refused_q     <= refused_d;
        code_q        <= code_d;
        word_q        <= word_d;
        again_q       <= again_d;
        pointer_q     <= pointer_d;
        waves_q       <= waves_d;
        threads_q     <= threads_d;
        go_q          <= go_d;
        go_queue_q    <= go_queue_d;
        held_q        <= held_d;
        loading_q     <= loading_d;
        save_q        <= save_d;
        pause_q       <= pause_d;
        telling_q     <= telling_d;
        fault_queue_q <= fault_queue_d;
        fault_code_q  <= fault_code_d;
        fault_word_q  <= fault_word_d;
        fault_addr_q  <= fault_addr_d;
        fault_orphaned_q <= fault_orphaned_d;
        // 3 Marks
        if (setup_mark_valid)
            marks_q[setup_bank_queue*9 +: 9] <= setup_mark_data;
        if (rst) begin
            phase_q    <= RUNNER_IDLE;
            queue_q    <= {Q{1'b0}};
            turn_q     <= {QUEUES{1'b0}};
            begun_q    <= {QUEUES{1'b0}};
            able_q     <= {QUEUES{1'b0}};
            stall_q    <= {QUEUES{1'b0}};
            served_q   <= 1'b0;
            here_q     <= {QUEUES{1'b0}};
            taken_q    <= 1'b0;
            granted_q  <= 1'b0;
            refused_q  <= 1'b0;
            code_q     <= 8'd0;
            again_q    <= 1'b0;
            go_q       <= 1'b0;
            go_queue_q <= {Q{1'b0}};
            held_q     <= 1'b0;
            loading_q  <= 1'b0;
            save_q     <= 1'b0;
            pause_q    <= 4'd0;
            telling_q  <= TELLING_NOTHING;
        end
    end

`ifdef FORMAL
`include "totem_runner_properties.vh"
`endif
endmodule

`default_nettype wire
