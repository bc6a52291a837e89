// SPDX-License-Identifier: Apache-2.0
//
// totem_finish: completion actions of the tasks of a front end.
//
// Policy    a task whose last wave has ended is taken from fence, the pipes in turn. Its releases are written one after
//           the other; when all are acknowledged the task is over, queues in turn.
// Latency   taken to first write 4 clocks; last acknowledge to `over_valid` 2 clocks.
// Boundary  one task of a queue at a time; the writes of several queues are under way together.
// Cost      $clog2(ENTRIES)+48 flip-flops for each queue.
// Proved    a task is over once, after all its writes were acknowledged (2).
// Twin      cmodel/task/totem_finish.c, same names.

`default_nettype none

module totem_finish #(
    parameter PIPES   = 2,                  // 1 or 2
    parameter QUEUES  = 8,                  // a power of two, 2 to 8
    parameter ENTRIES = 64                  // a power of two, 2 to 4096
) (
    input  wire                                 clk,
    input  wire                                 rst,
    // fence
    input  wire [PIPES-1:0]                     fence_task_valid,
    input  wire [PIPES*$clog2(QUEUES)-1:0]      fence_task_queue,
    input  wire [PIPES*$clog2(ENTRIES)-1:0]     fence_task_entry,
    output wire [PIPES-1:0]                     fence_ready,
    output wire [PIPES*QUEUES-1:0]              ending,
    output wire [PIPES*QUEUES*$clog2(ENTRIES)-1:0] item,
    // RAM of metadata
    output wire                                 tmd_read_enable,
    output wire [$clog2(ENTRIES)+2:0]           tmd_read_addr,
    input  wire [63:0]                          tmd_read_data,
    // memory
    output wire                                 write_valid,
    output wire [63:0]                          write_word,
    input  wire                                 write_ready,
    input  wire                                 write_ack,
    input  wire [5:0]                           ack_tag,
    input  wire [1:0]                           ack_error,
    input  wire [39:0]                          ack_addr,
    // task
    output wire                                 over_valid,
    output wire [$clog2(PIPES*QUEUES)-1:0]      over_queue,
    output wire [$clog2(ENTRIES)-1:0]           over_entry,
    output wire [1:0]                           over_error,
    output wire [39:0]                          over_addr,
    output wire                                 over_trap,
    input  wire                                 task_over_ready,
    // host
    input  wire [63:0]                          clock
);
`include "totem_memory_values.vh"
`include "totem_tmd_load_values.vh"
`include "totem_finish_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam N = $clog2(ENTRIES);
    localparam X = $clog2(PIPES * QUEUES);
    localparam ALL = PIPES * QUEUES;

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q) || ENTRIES < 2 || ENTRIES > 4096
            || ENTRIES != (1 << N)) begin : check
            totem_finish_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    reg [ALL-1:0]    ending_q, ending_d;
    reg [ALL-1:0]    sent_q, sent_d;
    reg [ALL*3-1:0]  owed_q, owed_d;
    reg [ALL*2-1:0]  error_q, error_d;
    reg [ALL*40-1:0] address_q, address_d;
    reg [ALL-1:0]    trap_q, trap_d;
    reg [ALL*N-1:0]  entry_q, entry_d;
    reg [2:0]        phase_q, phase_d;
    reg              turn_q, turn_d;
    reg [X-1:0]      queue_q, queue_d;
    reg              step_q, step_d;
    reg              second_q, second_d;
    reg              upper_q, upper_d;
    reg [39:0]       where_q, where_d;
    reg [1:0]        size_q, size_d;
    reg              wide_q, wide_d;
    reg [63:0]       value_q, value_d;
    reg [63:0]       stamp_q, stamp_d;
    reg              over_valid_q, over_valid_d;
    reg [X-1:0]      over_queue_q, over_queue_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        ending_q = 0; sent_q = 0;  owed_q = 0;  error_q = 0; address_q = 0; trap_q = 0;  entry_q = 0; phase_q = 0;
        turn_q = 0;   queue_q = 0; step_q = 0;  second_q = 0; upper_q = 0;  where_q = 0; size_q = 0;  wide_q = 0;
        value_q = 0;  stamp_q = 0; over_valid_q = 0; over_queue_q = 0;
    end

    wire [1:0] of_turn = 2'd1 << turn_q;
    assign fence_ready      = of_turn[PIPES-1:0] & {PIPES{phase_q == FINISH_IDLE}};
    assign ending           = ending_q;
    assign item             = entry_q;
    assign tmd_read_enable = phase_q == FINISH_PLACE || phase_q == FINISH_FLAGS;
    wire [2:0] source = (phase_q == FINISH_FLAGS) ? (second_q ? META_PAYLOAD1 : META_PAYLOAD0)
                                                  : (second_q ? META_RELEASE1 : META_RELEASE0);
    assign tmd_read_addr   = {entry_q[queue_q*N +: N], source};
    assign over_valid       = over_valid_q;
    assign over_queue       = over_queue_q;
    assign over_entry       = entry_q[over_queue_q*N +: N];
    assign over_error       = error_q[over_queue_q*2 +: 2];
    assign over_addr        = address_q[over_queue_q*40 +: 40];
    assign over_trap        = trap_q[over_queue_q];

    wire [36:0] beat   = where_q[39:3] + {36'd0, upper_q};
    wire [7:0]  strobe = (size_q != SIZE_ONE) ? 8'hff : where_q[2] ? 8'hf0 : 8'h0f;
    wire [63:0] head   = {10'd0, {6-X{1'b0}}, queue_q, strobe, beat, 3'd0};
    wire [63:0] data   = upper_q ? stamp_q : (size_q == SIZE_ONE) ? {value_q[31:0], value_q[31:0]} : value_q;
    assign write_valid = phase_q == FINISH_WRITE;
    assign write_word  = step_q ? data : head;

    // A task of the pipe whose turn it is.
    wire           comes    = |(fence_task_valid & of_turn[PIPES-1:0]);
    wire [Q-1:0]   of_queue = fence_task_queue[(PIPES == 2 && turn_q ? Q : 0) +: Q];
    wire [N-1:0]   of_entry = fence_task_entry[(PIPES == 2 && turn_q ? N : 0) +: N];
    wire [X:0]     place    = {turn_q, {X{1'b0}}} >> (PIPES == 2 ? 1 : X + 1);
    wire [X-1:0]   comer    = place[X-1:0] | {{X-Q{1'b0}}, of_queue};
    wire [X-1:0]   ack      = ack_tag[X-1:0];
    wire unused = &{1'b0, of_turn, place, ack_tag};

    // The next queue whose actions are done.
    reg [X-1:0] pick, candidate;
    reg         found;
    integer     hop;
    always @* begin
        pick      = over_queue_q;
        candidate = over_queue_q;
        found     = 1'b0;
        for (hop = ALL; hop > 0; hop = hop - 1) begin
            candidate = over_queue_q + hop[X-1:0];
            if (ending_q[candidate] && sent_q[candidate] && owed_q[candidate*3 +: 3] == 3'd0) begin
                pick  = candidate;
                found = 1'b1;
            end
        end
    end

    always @* begin
        ending_d     = ending_q;
        sent_d       = sent_q;
        owed_d       = owed_q;
        error_d      = error_q;
        address_d    = address_q;
        trap_d       = trap_q;
        entry_d      = entry_q;
        phase_d      = phase_q;
        turn_d       = turn_q;
        queue_d      = queue_q;
        step_d       = step_q;
        second_d     = second_q;
        upper_d      = upper_q;
        where_d      = where_q;
        size_d       = size_q;
        wide_d       = wide_q;
        value_d      = value_q;
        stamp_d      = stamp_q;
        over_valid_d = over_valid_q;
        over_queue_d = over_queue_q;

        // 1 Acknowledged
        if (write_ack) begin
            owed_d[ack*3 +: 3] = owed_q[ack*3 +: 3] - 3'd1;
            if (ack_error != MEMORY_OK && error_q[ack*2 +: 2] == MEMORY_OK) begin
                error_d[ack*2 +: 2]     = ack_error;
                address_d[ack*40 +: 40] = ack_addr;
            end
        end

        // 2 Over
        if (over_valid_q) begin
            if (task_over_ready) begin
                over_valid_d           = 1'b0;
                ending_d[over_queue_q] = 1'b0;
            end
        end else if (found) begin
            over_valid_d = 1'b1;
            over_queue_d = pick;
        end

        case (phase_q)
            // 3 Taken
            FINISH_IDLE: begin
                if (PIPES == 2 && fence_task_valid != {PIPES{1'b0}})
                    turn_d = !turn_q;
                if (comes) begin
                    queue_d                = comer;
                    ending_d[comer]        = 1'b1;
                    sent_d[comer]          = 1'b0;
                    owed_d[comer*3 +: 3]   = 3'd0;
                    error_d[comer*2 +: 2]  = MEMORY_OK;
                    trap_d[comer]          = 1'b0;
                    entry_d[comer*N +: N]  = of_entry;
                    second_d               = 1'b0;
                    phase_d                = FINISH_PLACE;
                end
            end
            // 4 Release
            FINISH_PLACE:
                phase_d = FINISH_FLAGS;
            FINISH_FLAGS: begin
                where_d = tmd_read_data[39:0];
                size_d  = tmd_read_data[42:41];
                wide_d  = tmd_read_data[43];
                if (tmd_read_data[40] && tmd_read_data[44])
                    trap_d[queue_q] = 1'b1;
                phase_d = tmd_read_data[40] ? FINISH_VALUE : FINISH_NEXT;
            end
            // 5 Payload
            FINISH_VALUE: begin
                value_d = {wide_q ? tmd_read_data[63:32] : 32'd0, tmd_read_data[31:0]};
                stamp_d = clock;
                upper_d = size_q == SIZE_FOUR;
                step_d  = 1'b0;
                phase_d = FINISH_WRITE;
            end
            // 6 Write
            FINISH_WRITE:
                if (write_ready && !step_q)
                    step_d = 1'b1;
                else if (write_ready) begin
                    owed_d[queue_q*3 +: 3] = owed_d[queue_q*3 +: 3] + 3'd1;
                    step_d                 = 1'b0;
                    upper_d                = 1'b0;
                    if (!upper_q)
                        phase_d = FINISH_NEXT;
                end
            // 7 Next
            FINISH_NEXT:
                if (second_q) begin
                    sent_d[queue_q] = 1'b1;
                    phase_d         = FINISH_IDLE;
                end else begin
                    second_d = 1'b1;
                    phase_d  = FINISH_PLACE;
                end
            default: ;
        endcase
    end

    always @(posedge clk) begin
        ending_q     <= ending_d;
        sent_q       <= sent_d;
        owed_q       <= owed_d;
        error_q      <= error_d;
        address_q    <= address_d;
        trap_q       <= trap_d;
        entry_q      <= entry_d;
        phase_q      <= phase_d;
        turn_q       <= turn_d;
        queue_q      <= queue_d;
        step_q       <= step_d;
        second_q     <= second_d;
        upper_q      <= upper_d;
        where_q      <= where_d;
        size_q       <= size_d;
        wide_q       <= wide_d;
        value_q      <= value_d;
        stamp_q      <= stamp_d;
        over_valid_q <= over_valid_d;
        over_queue_q <= over_queue_d;
        if (rst) begin
            ending_q     <= {ALL{1'b0}};
            sent_q       <= {ALL{1'b0}};
            owed_q       <= {ALL*3{1'b0}};
            error_q      <= {ALL*2{1'b0}};
            trap_q       <= {ALL{1'b0}};
            phase_q      <= FINISH_IDLE;
            turn_q       <= 1'b0;
            queue_q      <= {X{1'b0}};
            step_q       <= 1'b0;
            second_q     <= 1'b0;
            upper_q      <= 1'b0;
            over_valid_q <= 1'b0;
            over_queue_q <= {X{1'b0}};
        end
    end

`ifdef FORMAL
`include "totem_finish_properties.vh"
`endif
endmodule

`default_nettype wire
