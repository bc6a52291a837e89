// SPDX-License-Identifier: Apache-2.0
//
// totem_service: packets of the scheduler's queue, as commands of the run list.
//
// Policy    one packet at a time. A packet that waits while its queue is to leave, or for queues to leave their slots,
//           is given up; its work continues, and the same packet, when it comes again, is answered without a command.
// Latency   a dword a clock; 2 clocks from the last one to an answer without a command.
// Boundary  outputs are functions of state only.
// Mask      answer and operands count only while done, a command only while command_valid.
// Cost      the seven dwords of a packet that count, 224 of 312 flip-flops.
// Proved    1 answered, 2 once, 3 said, 4 steady, 5 left, 6 stop, 7 waits, 8 list, 9 held.
// Twin      cmodel/schedule/totem_service.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_service #(
    parameter RUN_QUEUES = 1024         // a power of two, 2 to 1024
) (
    input  wire                              clk,
    input  wire                              rst,
    // execute
    input  wire                              packet_valid,
    input  wire [31:0]                       packet_word,
    input  wire [3:0]                        packet_index,
    input  wire                              packet_last,
    input  wire                              packet_privileged,
    input  wire                              packet_inside,
    input  wire                              packet_stop,
    output wire                              ready,
    output wire                              done,
    output wire                              again,
    output wire [7:0]                        code,
    output wire [31:0]                       word,
    output wire [1:0]                        answer,
    output wire [31:0]                       control,
    output wire [39:0]                       address,
    output wire [63:0]                       data,
    output wire [31:0]                       extra,
    // arbiter
    output wire                              waiting,
    // runlist
    output wire                              command_valid,
    output wire [2:0]                        command_op,
    output wire [$clog2(RUN_QUEUES)-1:0]     command_entry,
    output wire [36:0]                       command_mqd,
    output wire [36:0]                       command_pointer,
    output wire [15:0]                       command_process,
    output wire [1:0]                        command_tenant,
    output wire [6:0]                        command_quantum,
    output wire                              command_static,
    output wire                              command_reset,
    output wire [63:0]                       command_data,
    input  wire                              runlist_command_done,
    input  wire [1:0]                        runlist_command_answer,
    input  wire                              runlist_removing,
    // host
    input  wire [7:0]                        settings_address_high
);
`include "totem_runlist_values.vh"
`include "totem_service_values.vh"

    reg [2:0]   phase_q, phase_d;
    reg [223:0] words_q, words_d;
    reg [1:0]   step_q, step_d;
    reg         gone_q, gone_d;
    reg         again_q, again_d;
    reg [7:0]   code_q, code_d;
    reg [31:0]  word_q, word_d;
    reg [1:0]   answer_q, answer_d;
    reg [7:0]   page_q, page_d;
    reg [7:0]   pointer_page_q, pointer_page_d;
    reg [15:0]  process_q, process_d;
    reg [6:0]   quantum_q, quantum_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; words_q = 0; step_q = 0; gone_q = 0; again_q = 0; code_q = 0; word_q = 0; answer_q = 0;
        page_q = 0; pointer_page_q = 0; process_q = 0; quantum_q = 0;
    end

    wire [31:0] header = words_q[31:0];
    wire [31:0] first  = words_q[63:32];
    wire [31:0] second = words_q[95:64];
    wire [31:0] third  = words_q[127:96];
    wire [31:0] fourth = words_q[159:128];
    wire [31:0] fifth  = words_q[191:160];
    wire [31:0] sixth  = words_q[223:192];

    wire [7:0]  opcode  = header[15:8];
    wire        is_list = opcode == `TOTEM_OP_RUN_LIST;
    wire        is_map  = opcode == `TOTEM_OP_MAP_QUEUES;
    wire        unmaps  = opcode == `TOTEM_OP_UNMAP_QUEUES;
    wire        named   = first[5:4] == 2'd0;

    assign ready   = phase_q == SERVICE_TAKE;
    assign done    = phase_q == SERVICE_DONE || again_q;
    assign waiting = gone_q && !ready;
    assign again   = again_q;
    assign code    = code_q;
    assign word    = word_q;
    assign answer  = answer_q;
    assign address = {page_q, is_list ? first[31:2] : third[31:2], 2'b00};
    assign data    = {sixth, fifth};
    assign extra   = {4'd0, first[27:0]};
    assign control = is_list ? {12'd0, third[19:0]}
                             : {1'b0, first[31:30] != 2'd0, 4'd0, first[31:30] == 2'd3, first[31:30] == 2'd0, 24'd0};

    wire [31:0] door    = words_q[64 + {30'd0, step_q}*32 +: 32];
    wire        outside = door[2] || {7'd0, door[27:3]} >= RUN_QUEUES;
    wire        sweeps  = unmaps && !named;
    wire        more    = unmaps && named && {1'b0, step_q} + 3'd1 < first[31:29];

    assign command_valid   = phase_q == SERVICE_COMMAND;
    assign command_op      = opcode == `TOTEM_OP_SET_RESOURCES ? RUN_MASK : is_map ? RUN_ADD
                                                               : RUN_REMOVE + {1'b0, first[5:4]};
    assign command_entry   = door[3 +: $clog2(RUN_QUEUES)];
    assign command_mqd     = address[39:3];
    assign command_pointer = {pointer_page_q, fifth[31:3]};
    assign command_process = is_map ? process_q : second[15:0];
    assign command_tenant  = 2'd0;
    assign command_quantum = quantum_q;
    assign command_static  = first[22];
    assign command_reset   = first[1:0] == 2'd1;
    assign command_data    = {third, second[31:1], 1'b0};

    wire [7:0] page, pointer_page;
    wire       strange, pointer_strange;
    totem_upper upper (
        .address(is_list ? second[15:0] : fourth[15:0]), .above(settings_address_high), .strange(strange), .page(page)
    );
    totem_upper pointer_upper (
        .address(sixth[15:0]), .above(settings_address_high), .strange(pointer_strange), .page(pointer_page)
    );

    // The dword that packet_index names; those behind the seventh do not count.
    reg [31:0] old;
    integer    n;
    always @* begin
        old = packet_word;
        for (n = 0; n < 7; n = n + 1)
            if (packet_index == n[3:0]) old = words_q[n*32 +: 32];
    end
    wire same = gone_q && old == packet_word;

    // 3 Act: what a packet is refused for, its offending word, and how it continues.
    reg [7:0]  fault;
    reg [31:0] fault_word;
    reg [1:0]  continues;
    reg        commands;
    always @* begin
        fault      = `TOTEM_ERROR_NONE;
        fault_word = first;
        continues  = SERVICE_PLAIN;
        commands   = 1'b0;
        case (opcode)
            `TOTEM_OP_SET_RESOURCES: commands = 1'b1;
            `TOTEM_OP_MAP_PROCESS: ;
            `TOTEM_OP_MAP_QUEUES:
                if (first[3:2] != 2'd0 || first[5:4] != 2'd1 || first[23] || first[28:26] != 3'd0
                    || first[31:29] != 3'd1) fault = `TOTEM_ERROR_RUNLIST_LAYOUT;
                else if (outside) begin
                    fault      = `TOTEM_ERROR_RUNLIST_ENTRY;
                    fault_word = second;
                end else if (strange) begin
                    fault      = `TOTEM_ERROR_PACKET_ADDRESS;
                    fault_word = fourth;
                end else if (pointer_strange) begin
                    fault      = `TOTEM_ERROR_PACKET_ADDRESS;
                    fault_word = sixth;
                end else if (third[2:0] != 3'd0) begin
                    fault      = `TOTEM_ERROR_RUNLIST_MQD;
                    fault_word = third;
                end else if (fifth[2:0] != 3'd0) begin
                    fault      = `TOTEM_ERROR_RUNLIST_MQD;
                    fault_word = fifth;
                end else commands = 1'b1;
            `TOTEM_OP_UNMAP_QUEUES:
                if (first[1:0] == 2'd3 || (first[1:0] == 2'd2 && first[5:4] != 2'd1) || first[28:26] != 3'd0
                    || (named && (first[31:29] == 3'd0 || first[31:29] > 3'd4))) fault = `TOTEM_ERROR_RUNLIST_LAYOUT;
                else if (named && outside) begin
                    fault      = `TOTEM_ERROR_RUNLIST_ENTRY;
                    fault_word = door;
                end else commands = 1'b1;
            `TOTEM_OP_QUERY_STATUS:
                if (first[29:28] != 2'd0) fault = `TOTEM_ERROR_RUNLIST_LAYOUT;
                else if (first[31:30] != 2'd0 && strange) begin
                    fault      = `TOTEM_ERROR_PACKET_ADDRESS;
                    fault_word = fourth;
                end else continues = SERVICE_FENCE;
            `TOTEM_OP_RUN_LIST: begin
                fault_word = third;
                if (!third[23]) fault = `TOTEM_ERROR_RUNLIST_LAYOUT;
                else if (packet_inside && third[20]) continues = SERVICE_END;
                else if (packet_inside) begin
                    fault      = `TOTEM_ERROR_PACKET_IB_NESTED;
                    fault_word = header;
                end else if (third[19:0] == 20'd0) fault = `TOTEM_ERROR_PACKET_IB_SIZE_ZERO;
                else if (strange) begin
                    fault      = `TOTEM_ERROR_PACKET_ADDRESS;
                    fault_word = second;
                end else continues = SERVICE_LIST;
            end
            default: begin
                fault      = `TOTEM_ERROR_RUNLIST_LAYOUT;
                fault_word = header;
            end
        endcase
    end

    wire       fail = fault != `TOTEM_ERROR_NONE;
    wire [2:0] ends = gone_q ? SERVICE_TAKE : SERVICE_DONE;

    always @* begin
        phase_d        = phase_q;
        words_d        = words_q;
        step_d         = step_q;
        gone_d         = gone_q;
        code_d         = code_q;
        word_d         = word_q;
        answer_d       = answer_q;
        page_d         = page_q;
        pointer_page_d = pointer_page_q;
        process_d      = process_q;
        quantum_d      = quantum_q;

        // 1 Single clock
        again_d = 1'b0;

        case (phase_q)
            // 2 Take
            SERVICE_TAKE:
                if (packet_valid) begin
                    gone_d = same;
                    for (n = 0; n < 7; n = n + 1)
                        if (packet_index == n[3:0]) words_d[n*32 +: 32] = packet_word;
                    if (packet_last) begin
                        step_d  = 2'd0;
                        gone_d  = 1'b0;
                        phase_d = SERVICE_DONE;
                        if (!packet_privileged) begin
                            code_d   = `TOTEM_ERROR_RUNLIST_PRIVILEGE;
                            word_d   = words_d[31:0];
                            answer_d = SERVICE_PLAIN;
                        end else if (!same) begin
                            code_d   = `TOTEM_ERROR_NONE;
                            answer_d = SERVICE_PLAIN;
                            phase_d  = SERVICE_ACT;
                        end
                    end
                end
            // 3 Act, continued
            SERVICE_ACT: begin
                page_d         = page;
                pointer_page_d = pointer_page;
                phase_d        = commands ? SERVICE_COMMAND : ends;
                if (continues != SERVICE_PLAIN) answer_d = continues;
                if (fail) begin
                    code_d = fault;
                    word_d = fault_word;
                end
                if (opcode == `TOTEM_OP_MAP_PROCESS) begin
                    process_d = first[15:0];
                    quantum_d = first[31:25];
                end
            end
            // 4 Command
            SERVICE_COMMAND:
                if (runlist_command_done) begin
                    phase_d = ends;
                    if (runlist_command_answer == RUN_ENTRY) begin
                        code_d = `TOTEM_ERROR_RUNLIST_ENTRY;
                        word_d = second;
                    end else if (runlist_command_answer == RUN_MQD) begin
                        code_d = `TOTEM_ERROR_RUNLIST_MQD;
                        word_d = third;
                    end else if (more) begin
                        step_d  = step_q + 2'd1;
                        phase_d = SERVICE_ACT;
                    end else if (unmaps) phase_d = SERVICE_LEAVE;
                end
            // 5 Leave
            SERVICE_LEAVE:
                if (!runlist_removing) phase_d = ends;
            // 7 Done
            default: phase_d = SERVICE_TAKE;
        endcase

        // 6 Give up
        if (!gone_q && ((command_valid && (packet_stop || sweeps) && !runlist_command_done)
                        || (phase_q == SERVICE_LEAVE && runlist_removing))) begin
            again_d = 1'b1;
            gone_d  = 1'b1;
        end
    end

    always @(posedge clk) begin
        phase_q        <= phase_d;
        words_q        <= words_d;
        step_q         <= step_d;
        gone_q         <= gone_d;
        again_q        <= again_d;
        code_q         <= code_d;
        word_q         <= word_d;
        answer_q       <= answer_d;
        page_q         <= page_d;
        pointer_page_q <= pointer_page_d;
        process_q      <= process_d;
        quantum_q      <= quantum_d;
        if (rst) begin
            phase_q   <= SERVICE_TAKE;
            step_q    <= 2'd0;
            gone_q    <= 1'b0;
            again_q   <= 1'b0;
            code_q    <= 8'd0;
            answer_q  <= SERVICE_PLAIN;
            process_q <= 16'd0;
            quantum_q <= 7'd0;
        end
    end

`ifdef FORMAL
`include "totem_service_properties.vh"
`endif
endmodule

`default_nettype wire
