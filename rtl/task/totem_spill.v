// SPDX-License-Identifier: Apache-2.0
//
// totem_spill: moves the list of tasks of a queue between the front end and its MQD.
//
// Policy    one request of mqd at a time; every pointer is one access of memory.
// Latency   a load takes an answer of memory for the count and one for each pointer.
// Boundary  tasks come out of block task, and go back to it; the restart state of an unfinished one goes through setup.
// Cost      about 150 flip-flops.
// Proved    writes are counted (1); a load only reads, a save only writes, and only their dwords (2); a load gives back
//           what the count says (3).
// Twin      cmodel/task/totem_spill.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_spill #(
    parameter PIPES  = 2,                   // 1 or 2
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                             clk,
    input  wire                             rst,
    // mqd
    input  wire [PIPES-1:0]                 mqd_spill_valid,
    input  wire [PIPES*2-1:0]               mqd_spill_op,
    input  wire [PIPES*$clog2(QUEUES)-1:0]  mqd_spill_queue,
    input  wire [PIPES*38-1:0]              mqd_spill_base,
    input  wire [PIPES-1:0]                 mqd_spill_grid,
    output wire [PIPES-1:0]                 done,
    output wire [7:0]                       code,
    output wire [31:0]                      word,
    output wire [37:0]                      where,
    output wire                             turn,
    output wire                             resume,
    // runner, task
    input  wire [PIPES*QUEUES-1:0]          runner_begun,
    input  wire [PIPES*QUEUES-1:0]          task_resume,
    input  wire [PIPES*QUEUES-1:0]          runner_lists_turn,
    input  wire [PIPES*QUEUES-1:0]          task_purging,
    output wire                             unload_valid,
    output wire [$clog2(PIPES*QUEUES)-1:0]  unload_queue,
    input  wire                             task_unload_done,
    input  wire                             task_unload_last,
    input  wire [31:0]                      task_unload_pointer,
    output wire                             restore_valid,
    output wire [$clog2(PIPES*QUEUES)-1:0]  restore_queue,
    output wire [31:0]                      restore_pointer,
    output wire                             restore_resume,
    input  wire                             task_restore_ready,
    // setup
    output wire                             relay_valid,
    output wire                             relay_write,
    output wire                             relay_pipe,
    output wire [$clog2(QUEUES)-1:0]        relay_queue,
    output wire [6:0]                       relay_offset,
    output wire [31:0]                      relay_data,
    input  wire                             setup_relay_done,
    input  wire [31:0]                      setup_relay_data,
    // memory
    output wire                             read_valid,
    output wire [39:0]                      read_addr,
    output wire [4:0]                       read_beats,
    input  wire                             read_ready,
    input  wire                             data_valid,
    input  wire [63:0]                      data_word,
    input  wire [1:0]                       data_error,
    output wire                             write_valid,
    output wire [63:0]                      write_word,
    input  wire                             write_ready,
    input  wire                             write_ack,
    input  wire [1:0]                       ack_error
);
`include "totem_memory_values.vh"
`include "totem_mqd_values.vh"
`include "totem_spill_values.vh"
    localparam Q = $clog2(QUEUES);
    localparam X = $clog2(PIPES * QUEUES);

    generate
        if (PIPES < 1 || PIPES > 2 || QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)) begin : check
            totem_spill_needs_sizes_as_its_parameters_say refused ();
        end
    endgenerate

    localparam [7:0] READ_FAILED  = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;
    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;

    reg [3:0]   phase_q, phase_d;
    reg         pipe_q, pipe_d;
    reg [Q-1:0] queue_q, queue_d;
    reg [1:0]   op_q, op_d;
    reg [37:0]  base_q, base_d;
    reg         grid_q, grid_d;
    reg [8:0]   dword_q, dword_d;
    reg [6:0]   count_q, count_d;
    reg         turn_q, turn_d;
    reg         resume_q, resume_d;
    reg [31:0]  value_q, value_d;
    reg         step_q, step_d;
    reg [6:0]   owed_q, owed_d;
    reg [7:0]   code_q, code_d;
    reg [31:0]  word_q, word_d;
    reg [37:0]  where_q, where_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        pipe_q = 0;  queue_q = 0; op_q = 0;   base_q = 0; grid_q = 0; dword_q = 0; count_q = 0; value_q = 0; word_q = 0;
        where_q = 0;
    end

    wire [X:0]   place   = {pipe_q, {X{1'b0}}} >> (PIPES == 2 ? 1 : X + 1);
    wire [X-1:0] x       = place[X-1:0] | {{X-Q{1'b0}}, queue_q};
    wire [1:0]   of_pipe = 2'd1 << pipe_q;
    wire [37:0]  at      = base_q + {29'd0, dword_q};
    wire [31:0]  heard   = at[0] ? data_word[63:32] : data_word[31:0];
    wire [8:0]   onward  = (dword_q == DWORD_RESTART_Z) ? DWORD_RELAUNCH
                           : (dword_q == DWORD_RELAUNCH) ? DWORD_FIRST : dword_q + 9'd1;

    assign done            = of_pipe[PIPES-1:0] & {PIPES{phase_q == SPILL_DONE}};
    assign code            = code_q;
    assign word            = word_q;
    assign where           = where_q;
    assign turn            = turn_q;
    assign resume          = resume_q;
    assign unload_valid    = phase_q == SPILL_UNLOAD;
    assign unload_queue    = x;
    assign restore_valid   = phase_q == SPILL_RESTORE;
    assign restore_queue   = x;
    assign restore_pointer = value_q;
    assign restore_resume  = resume_q && dword_q == DWORD_FIRST;
    assign relay_valid     = phase_q == SPILL_RELAY;
    assign relay_write     = op_q == SPILL_LOAD;
    assign relay_pipe      = pipe_q;
    assign relay_queue     = queue_q;
    assign relay_offset    = dword_q[6:0] - 7'd1;
    assign relay_data      = value_q;
    assign read_valid      = phase_q == SPILL_ASK;
    assign read_addr       = {at[37:1], 3'b000};
    assign read_beats      = 5'd1;
    assign write_valid     = phase_q == SPILL_WRITE;
    assign write_word      = step_q ? {value_q, value_q}
                                    : {16'd0, at[0] ? 8'hf0 : 8'h0f, at[37:1], 3'b000};

    wire [PIPES*QUEUES-1:0] begun = runner_begun | task_resume;
    wire unused = &{1'b0, of_pipe, place};

    integer     p;
    reg [X-1:0] from;               // queue x of a request
    always @* begin
        phase_d  = phase_q;
        pipe_d   = pipe_q;
        queue_d  = queue_q;
        op_d     = op_q;
        base_d   = base_q;
        grid_d   = grid_q;
        dword_d  = dword_q;
        count_d  = count_q;
        turn_d   = turn_q;
        resume_d = resume_q;
        value_d  = value_q;
        step_d   = step_q;
        owed_d   = owed_q;
        code_d   = code_q;
        word_d   = word_q;
        where_d  = where_q;
        from     = {X{1'b0}};

        // 1 Acknowledged
        owed_d = owed_q + {6'd0, write_valid && step_q && write_ready} - {6'd0, write_ack};
        if (write_ack && ack_error != MEMORY_OK && code_q == 8'd0) begin
            code_d = WRITE_FAILED + {6'd0, ack_error};
            word_d = {base_q[29:0], 2'b00};
        end

        case (phase_q)
            // 2 Request
            SPILL_REST:
                for (p = PIPES - 1; p >= 0; p = p - 1)
                    if (mqd_spill_valid[p]) begin
                        from     = (p[0] && PIPES == 2 ? {1'b1, {(X-1){1'b0}}} : {X{1'b0}})
                                   | {{X-Q{1'b0}}, mqd_spill_queue[p*Q +: Q]};
                        pipe_d   = PIPES == 2 && p[0];
                        queue_d  = mqd_spill_queue[p*Q +: Q];
                        op_d     = mqd_spill_op[p*2 +: 2];
                        base_d   = mqd_spill_base[p*38 +: 38];
                        where_d  = mqd_spill_base[p*38 +: 38];
                        grid_d   = mqd_spill_grid[p];
                        count_d  = 7'd0;
                        turn_d   = 1'b0;
                        step_d   = 1'b0;
                        code_d   = 8'd0;
                        resume_d = mqd_spill_op[p*2 +: 2] == SPILL_SAVE && begun[from];
                        dword_d  = dword_q;
                        case (mqd_spill_op[p*2 +: 2])
                            SPILL_LOAD: begin
                                dword_d = DWORD_COUNT;
                                phase_d = SPILL_CLEAN;
                            end
                            SPILL_SAVE:
                                if (begun[from]) begin
                                    dword_d = DWORD_RESTART_X;
                                    phase_d = SPILL_RELAY;
                                end else
                                    phase_d = SPILL_UNLOAD;
                            default: phase_d = SPILL_LAST;
                        endcase
                    end
            // 3 Read
            SPILL_CLEAN:
                if (!task_purging[x])
                    phase_d = SPILL_ASK;
            SPILL_ASK:
                if (read_ready)
                    phase_d = SPILL_HEAR;
            // 4 Heard
            SPILL_HEAR:
                if (data_valid) begin
                    value_d = heard;
                    if (data_error != MEMORY_OK) begin
                        code_d  = READ_FAILED + {6'd0, data_error};
                        word_d  = {at[29:0], 2'b00};
                        where_d = at;
                        phase_d = SPILL_END;
                    end else if (dword_q < DWORD_COUNT)
                        phase_d = SPILL_RELAY;
                    else if (dword_q > DWORD_COUNT)
                        phase_d = SPILL_RESTORE;
                    else if (heard[29:0] > 30'd64) begin
                        code_d  = `TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
                        word_d  = heard;
                        phase_d = SPILL_END;
                    end else begin
                        count_d = heard[6:0];
                        turn_d  = heard[30];
                        if (heard[6:0] == 7'd0)
                            phase_d = SPILL_END;
                        else begin
                            resume_d = heard[31] && grid_q;
                            dword_d  = (heard[31] && grid_q) ? DWORD_RESTART_X : DWORD_FIRST;
                            phase_d  = SPILL_ASK;
                        end
                    end
                end
            // 5 Relay
            SPILL_RELAY:
                if (setup_relay_done) begin
                    if (op_q == SPILL_LOAD) begin
                        dword_d = onward;
                        phase_d = SPILL_ASK;
                    end else begin
                        value_d = setup_relay_data;
                        phase_d = SPILL_WRITE;
                    end
                end
            // 6 Restore
            SPILL_RESTORE:
                if (task_restore_ready) begin
                    dword_d = dword_q + 9'd1;
                    phase_d = (dword_q == DWORD_COUNT + {2'd0, count_q}) ? SPILL_END : SPILL_ASK;
                end
            // 7 Unload
            SPILL_UNLOAD:
                if (task_unload_done) begin
                    if (task_unload_last)
                        phase_d = SPILL_LAST;
                    else begin
                        value_d = task_unload_pointer;
                        dword_d = DWORD_FIRST + {3'd0, count_q[5:0]};
                        phase_d = SPILL_WRITE;
                    end
                end
            // 8 Write
            SPILL_WRITE:
                if (write_ready) begin
                    step_d = !step_q;
                    if (step_q) begin
                        if (dword_q == DWORD_COUNT)
                            phase_d = SPILL_END;
                        else if (dword_q > DWORD_COUNT) begin
                            count_d = count_q + 7'd1;
                            phase_d = SPILL_UNLOAD;
                        end else if (dword_q == DWORD_RELAUNCH)
                            phase_d = SPILL_UNLOAD;
                        else begin
                            dword_d = onward;
                            phase_d = SPILL_RELAY;
                        end
                    end
                end
            // 9 Last
            SPILL_LAST: begin
                dword_d = DWORD_COUNT;
                value_d = {25'd0, count_q};
                if (op_q == SPILL_SAVE)
                    value_d[31:30] = {resume_q, resume_q || runner_lists_turn[x]};
                phase_d = SPILL_WRITE;
            end
            // 10 End
            SPILL_END:
                if (owed_q == 7'd0)
                    phase_d = SPILL_DONE;
            default: phase_d = SPILL_REST;        // SPILL_DONE
        endcase
    end

    always @(posedge clk) begin
        phase_q  <= phase_d;
        pipe_q   <= pipe_d;
        queue_q  <= queue_d;
        op_q     <= op_d;
        base_q   <= base_d;
        grid_q   <= grid_d;
        dword_q  <= dword_d;
        count_q  <= count_d;
        turn_q   <= turn_d;
        resume_q <= resume_d;
        value_q  <= value_d;
        step_q   <= step_d;
        owed_q   <= owed_d;
        code_q   <= code_d;
        word_q   <= word_d;
        where_q  <= where_d;
        if (rst) begin
            phase_q  <= SPILL_REST;
            turn_q   <= 1'b0;
            resume_q <= 1'b0;
            step_q   <= 1'b0;
            owed_q   <= 7'd0;
            code_q   <= 8'd0;
        end
    end

`ifdef FORMAL
`include "totem_spill_properties.vh"
`endif
endmodule

`default_nettype wire
