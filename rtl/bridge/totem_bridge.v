// SPDX-License-Identifier: Apache-2.0
//
// totem_bridge: executes the requests of the host at the serial line, and answers them.
//
// Policy    one request at a time, word by word in the order of addresses. Sequence, command, count and the whole range
//           of addresses are checked before the first word. A target that does not answer is given up after 65,536
//           clocks, so a machine that stands does not hold the line. A repeated request is answered from the response
//           RAM, and not executed.
// Latency   the head of an answer 2 clocks after frame_end_valid if nothing is accessed, else 3 to 5 clocks a word and
//           the target's time; a word of the answer 3 clocks after the one before.
// Boundary  outputs are functions of state alone; the words live in two RAMs beside the block.
// Cost      about 140 flip-flops; three comparisons of 33 bits, in a clock of their own.
// Proved    1 bound to 6 again of the contract.
// Twin      cmodel/bridge/totem_bridge.c, same names.

`default_nettype none

module totem_bridge (
    input  wire        clk,
    input  wire        rst,
    // frame, request
    input  wire        frame_head_valid,
    input  wire        frame_head_second,
    input  wire [31:0] frame_head_data,
    input  wire        frame_end_valid,
    input  wire [6:0]  frame_end_words,
    input  wire [15:0] frame_dropped,
    input  wire        frame_answer_ready,
    // RAMs
    output wire        request_read_enable,
    output wire [5:0]  request_read_addr,
    input  wire [31:0] request_read_data,
    output wire        response_write_enable,
    output wire [5:0]  response_write_addr,
    output wire [31:0] response_write_data,
    output wire        response_read_enable,
    output wire [5:0]  response_read_addr,
    input  wire [31:0] response_read_data,
    // frame, answer
    output wire        busy,
    output wire        answer_valid,
    output wire [31:0] answer_data,
    output wire        answer_last,
    // targets
    output wire        memory_valid,
    output wire        machine_valid,
    output wire        control_valid,
    output wire        points_valid,
    output wire        trace_valid,
    output wire        request_write,
    output wire [31:0] request_address,
    output wire [31:0] request_data,
    // store
    input  wire        store_done,
    input  wire [31:0] store_rdata,
    // boot
    input  wire        boot_machine_done,
    input  wire [2:0]  boot_machine_status,
    input  wire [31:0] boot_machine_rdata,
    input  wire        boot_control_done,
    input  wire [2:0]  boot_control_status,
    input  wire [31:0] boot_control_rdata,
    input  wire        boot_busy,
    // signature
    input  wire        signature_done,
    input  wire [2:0]  signature_status,
    input  wire [31:0] signature_rdata,
    // trace
    input  wire        trace_done,
    input  wire [2:0]  trace_status,
    input  wire [31:0] trace_rdata,
    // board
    input  wire [31:0] board_config,
    input  wire [31:0] board_memory,
    input  wire [31:0] board_clock,
    input  wire [15:0] board_entries,
    input  wire [15:0] board_points,
    input  wire [15:0] board_records,
    input  wire [15:0] board_folds,
    input  wire [31:0] board_features,
    input  wire [31:0] board_number
);
`include "totem_bridge_values.vh"
    reg [3:0]  phase_q, phase_d;
    reg [7:0]  request_sequence_q, request_sequence_d;
    reg [7:0]  command_q, command_d;
    reg [7:0]  count_q, count_d;
    reg [31:0] address_q, address_d;
    reg [6:0]  words_q, words_d;
    reg [7:0]  last_q, last_d;
    reg [2:0]  status_q, status_d;
    reg [6:0]  done_q, done_d;
    reg        reads_q, reads_d;
    reg [2:0]  target_q, target_d;
    reg [31:0] data_q, data_d;
    reg [15:0] patience_q, patience_d;
    reg [6:0]  sent_q, sent_d;

    // The register that reset leaves alone reads 0 at start, as in the model.
    initial data_q = 32'd0;

    wire accesses = phase_q == BRIDGE_ACCESS;
    wire sends    = phase_q == BRIDGE_SEND;

    assign busy                  = phase_q != BRIDGE_IDLE;
    assign request_read_enable   = phase_q == BRIDGE_AIM;
    assign request_read_addr     = done_q[5:0];
    assign response_write_enable = phase_q == BRIDGE_STORE;
    assign response_write_addr   = done_q[5:0];
    assign response_write_data   = data_q;
    assign response_read_enable  = phase_q == BRIDGE_LOAD;
    assign response_read_addr    = sent_q[5:0];
    assign answer_valid          = phase_q == BRIDGE_HEAD || sends;
    assign answer_data           = sends ? data_q : {8'd0, 1'b0, done_q, 5'd0, status_q, last_q};
    assign answer_last           = sends ? sent_q + 7'd1 == done_q : !reads_q || done_q == 7'd0;
    assign memory_valid          = accesses && target_q == BRIDGE_TO_MEMORY;
    assign machine_valid         = accesses && target_q == BRIDGE_TO_MACHINE;
    assign control_valid         = accesses && target_q == BRIDGE_TO_CONTROL;
    assign points_valid          = accesses && target_q == BRIDGE_TO_POINTS;
    assign trace_valid           = accesses && target_q == BRIDGE_TO_TRACE;
    assign request_write         = !reads_q;
    assign request_address       = address_q;
    assign request_data          = data_q;

    wire        again     = request_sequence_q != 8'd0 && request_sequence_q == last_q;
    wire [32:0] limit     = {1'b0, address_q} + {23'd0, count_q, 2'd0};
    wire        in_memory = limit <= {1'b0, board_memory};
    wire        in_machine = address_q[31:20] == BRIDGE_MACHINE && limit <= 33'h0_1010_0000;
    reg         in_registers;
    reg  [31:0] own_word;
    reg         answered;
    reg  [2:0]  answered_status;
    reg  [31:0] answered_data;

    always @* begin
        in_registers = 1'b0;
        case (address_q[19:16])
            BRIDGE_PAGE_WORDS:  in_registers = limit <= {17'h0_2000, BRIDGE_END};
            BRIDGE_PAGE_LIST:   in_registers = limit <= 33'h0_2001_0000 + {13'd0, board_entries, 4'd0};
            BRIDGE_PAGE_POINTS: in_registers = limit <= 33'h0_2002_0000 + {14'd0, board_points, 3'd0};
            BRIDGE_PAGE_TRACE:  in_registers = limit <= 33'h0_2003_0000 + {13'd0, board_records, 4'd0};
            BRIDGE_PAGE_FOLDS:  in_registers = limit <= 33'h0_2004_0000 + {15'd0, board_folds, 2'd0};
            default: ;
        endcase
        in_registers = in_registers && address_q[31:20] == BRIDGE_REGISTERS;
    end

    always @* begin
        case (address_q[6:2])
            BRIDGE_MAGIC[6:2]:    own_word = BRIDGE_MAGIC_IS;
            BRIDGE_VERSION[6:2]:  own_word = BRIDGE_VERSION_IS;
            BRIDGE_CONFIG[6:2]:   own_word = board_config;
            BRIDGE_MEMORY[6:2]:   own_word = board_memory;
            BRIDGE_CLOCK[6:2]:    own_word = board_clock;
            BRIDGE_SIZES[6:2]:    own_word = {board_points, board_entries};
            BRIDGE_FEATURES[6:2]: own_word = board_features;
            BRIDGE_BOARD[6:2]:    own_word = board_number;
            BRIDGE_FOLDS[6:2]:    own_word = {16'd0, board_folds};
            BRIDGE_DROPPED[6:2]:  own_word = {16'd0, frame_dropped};
            default:              own_word = 32'd0;
        endcase
    end

    always @* begin
        answered        = 1'b0;
        answered_status = BRIDGE_OK;
        answered_data   = 32'd0;
        case (target_q)
            BRIDGE_OWN: begin
                answered        = 1'b1;
                answered_status = reads_q ? BRIDGE_OK : BRIDGE_READONLY;
                answered_data   = own_word;
            end
            BRIDGE_TO_MEMORY: begin
                answered      = store_done;
                answered_data = store_rdata;
            end
            BRIDGE_TO_MACHINE: begin
                answered        = boot_machine_done;
                answered_status = boot_machine_status;
                answered_data   = boot_machine_rdata;
            end
            BRIDGE_TO_CONTROL: begin
                answered        = boot_control_done;
                answered_status = boot_control_status;
                answered_data   = boot_control_rdata;
            end
            BRIDGE_TO_POINTS: begin
                answered        = signature_done;
                answered_status = signature_status;
                answered_data   = signature_rdata;
            end
            BRIDGE_TO_TRACE: begin
                answered        = trace_done;
                answered_status = trace_status;
                answered_data   = trace_rdata;
            end
            default: ;
        endcase
    end

    always @* begin
        phase_d            = phase_q;
        request_sequence_d = request_sequence_q;
        command_d          = command_q;
        count_d            = count_q;
        address_d          = address_q;
        words_d            = words_q;
        last_d             = last_q;
        status_d           = status_q;
        done_d             = done_q;
        reads_d            = reads_q;
        target_d           = target_q;
        data_d             = data_q;
        patience_d         = patience_q;
        sent_d             = sent_q;

        case (phase_q)
            BRIDGE_IDLE: begin
                // 1 Head
                if (frame_head_valid && frame_head_second)
                    address_d = frame_head_data;
                if (frame_head_valid && !frame_head_second) begin
                    request_sequence_d = frame_head_data[7:0];
                    command_d          = frame_head_data[15:8];
                    count_d            = frame_head_data[23:16];
                end
                // 2 Begin
                if (frame_end_valid) begin
                    words_d = frame_end_words;
                    phase_d = BRIDGE_CHECK;
                end
            end
            // 3 Check
            BRIDGE_CHECK: begin
                sent_d  = 7'd0;
                phase_d = BRIDGE_HEAD;
                if (!again) begin
                    last_d   = request_sequence_q;
                    done_d   = 7'd0;
                    reads_d  = command_q == BRIDGE_READ;
                    status_d = BRIDGE_OK;
                    if (command_q != BRIDGE_READ && command_q != BRIDGE_WRITE)
                        status_d = BRIDGE_COMMAND;
                    else if (count_q == 8'd0 || count_q > 8'd64)
                        status_d = BRIDGE_COUNT;
                    else if ({1'b0, words_q} != 8'd2 + (command_q == BRIDGE_WRITE ? count_q : 8'd0))
                        status_d = BRIDGE_COMMAND;
                    else
                        phase_d = BRIDGE_RANGE;
                end
            end
            // 4 Range
            BRIDGE_RANGE: begin
                phase_d = BRIDGE_HEAD;
                if (address_q[1:0] != 2'd0 || !(in_memory || in_machine || in_registers))
                    status_d = BRIDGE_ADDRESS;
                else if (boot_busy && (in_memory || in_machine))
                    status_d = BRIDGE_BUSY;
                else
                    phase_d = BRIDGE_AIM;
            end
            // 5 Aim
            BRIDGE_AIM: begin
                patience_d = 16'd0;
                phase_d    = reads_q ? BRIDGE_ACCESS : BRIDGE_TAKE;
                target_d   = BRIDGE_TO_MEMORY;
                if (address_q[31:20] == BRIDGE_MACHINE)
                    target_d = BRIDGE_TO_MACHINE;
                else if (address_q[31:20] == BRIDGE_REGISTERS)
                    case (address_q[19:16])
                        BRIDGE_PAGE_LIST: target_d = BRIDGE_TO_CONTROL;
                        BRIDGE_PAGE_POINTS, BRIDGE_PAGE_FOLDS: target_d = BRIDGE_TO_POINTS;
                        BRIDGE_PAGE_TRACE: target_d = BRIDGE_TO_TRACE;
                        default:
                            case (address_q[6:4])
                                BRIDGE_CONTROL[6:4]: target_d = BRIDGE_TO_CONTROL;
                                BRIDGE_STRIDE[6:4]:  target_d = BRIDGE_TO_POINTS;
                                BRIDGE_TRACE_MASK[6:4], BRIDGE_TRACE_BEHIND[6:4]: target_d = BRIDGE_TO_TRACE;
                                default:             target_d = BRIDGE_OWN;
                            endcase
                    endcase
            end
            // 6 Take
            BRIDGE_TAKE: begin
                data_d  = request_read_data;
                phase_d = BRIDGE_ACCESS;
            end
            // 7 Access
            BRIDGE_ACCESS: begin
                patience_d = patience_q + 16'd1;
                if (answered) begin
                    status_d = answered_status;
                    phase_d  = answered_status == BRIDGE_OK && reads_q ? BRIDGE_STORE : BRIDGE_HEAD;
                    if (reads_q && answered_status == BRIDGE_OK)
                        data_d = answered_data;
                end else if (&patience_q) begin
                    status_d = BRIDGE_TIME_OUT;
                    phase_d  = BRIDGE_HEAD;
                end
            end
            // 9 Answer
            BRIDGE_HEAD, BRIDGE_SEND:
                if (frame_answer_ready) begin
                    phase_d = answer_last ? BRIDGE_IDLE : BRIDGE_LOAD;
                    if (sends)
                        sent_d = sent_q + 7'd1;
                end
            BRIDGE_LOAD:
                phase_d = BRIDGE_COPY;
            BRIDGE_COPY: begin
                data_d  = response_read_data;
                phase_d = BRIDGE_SEND;
            end
            default: ;
        endcase

        // 8 Store: and a word that is written, or stored, is done.
        if (phase_q == BRIDGE_STORE || (accesses && answered && answered_status == BRIDGE_OK && !reads_q)) begin
            done_d    = done_q + 7'd1;
            address_d = address_q + 32'd4;
            phase_d   = {1'b0, done_d} == count_q ? BRIDGE_HEAD : BRIDGE_AIM;
        end
    end

    always @(posedge clk) begin
        phase_q            <= phase_d;
        request_sequence_q <= request_sequence_d;
        command_q          <= command_d;
        count_q            <= count_d;
        address_q          <= address_d;
        words_q            <= words_d;
        last_q             <= last_d;
        status_q           <= status_d;
        done_q             <= done_d;
        reads_q            <= reads_d;
        target_q           <= target_d;
        data_q             <= data_d;
        patience_q         <= patience_d;
        sent_q             <= sent_d;
        if (rst) begin
            phase_q            <= BRIDGE_IDLE;
            request_sequence_q <= 8'd0;
            command_q          <= {8{1'b0}};
            count_q            <= 8'd0;
            address_q          <= 32'd0;
            words_q            <= 7'd0;
            last_q             <= 8'd0;
            status_q           <= BRIDGE_OK;
            done_q             <= 7'd0;
            reads_q            <= 1'b0;
            target_q           <= BRIDGE_OWN;
            patience_q         <= 16'd0;
            sent_q             <= 7'd0;
        end
    end

`ifdef FORMAL
`include "totem_bridge_properties.vh"
`endif
endmodule

`default_nettype wire
