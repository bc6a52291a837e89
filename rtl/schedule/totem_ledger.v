// SPDX-License-Identifier: Apache-2.0
//
// totem_ledger: the host's page of the run list, and the commands of service and host to runlist.
//
// Policy    a command of the host is written into operands, then given by COMMAND; commands of service and host go to
//           runlist in turn, one at a time. Operands are locked while a command of the host is under way.
// Latency   3 clocks for an access, whatever runlist does. A command takes a clock to runlist, its answer one back.
// Boundary  outputs are functions of state only; the read address of the RAM of entries too.
// Mask      the answer to the host counts only while host_done, a command only while command_valid, its answer only
//           while service_command_done, the address only while view_read_enable.
// Cost      FE_COUNT*PIPES*QUEUES: a multiplexer of so many entries; 468 flip-flops with RUN_QUEUES 1024.
// Proved    1 answered, 2 same, 3 steady, 4 turn, 5 access, 6 kept, 7 shown, 8 held.
// Twin      cmodel/schedule/totem_ledger.c, same names.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_ledger #(
    parameter FE_COUNT   = 4,
    parameter PIPES      = 2,
    parameter QUEUES     = 8,       // FE_COUNT*PIPES*QUEUES: 2 to 64 slots
    parameter RUN_QUEUES = 1024     // a power of two, 2 to 1024
) (
    input  wire                                             clk,
    input  wire                                             rst,
    // host
    input  wire                                             host_ledger_valid,
    input  wire                                             host_request_write,
    input  wire [7:0]                                       host_request_dword,
    input  wire [3:0]                                       host_request_strobe,
    input  wire [31:0]                                      host_request_data,
    output wire                                             host_done,
    output wire [4:0]                                       host_error,
    output wire [31:0]                                      host_rdata,
    // service
    input  wire                                             service_command_valid,
    input  wire [2:0]                                       service_command_op,
    input  wire                                             service_command_reset,
    input  wire [$clog2(RUN_QUEUES)-1:0]                    service_command_entry,
    input  wire [36:0]                                      service_command_mqd,
    input  wire [36:0]                                      service_command_pointer,
    input  wire [15:0]                                      service_command_process,
    input  wire [1:0]                                       service_command_tenant,
    input  wire [6:0]                                       service_command_quantum,
    input  wire                                             service_command_static,
    input  wire [63:0]                                      service_command_data,
    output wire                                             service_command_done,
    output wire [1:0]                                       service_command_answer,
    // runlist
    output wire                                             command_valid,
    output wire [2:0]                                       command_op,
    output wire                                             command_reset,
    output wire [$clog2(RUN_QUEUES)-1:0]                    command_entry,
    output wire [36:0]                                      command_mqd,
    output wire [36:0]                                      command_pointer,
    output wire [15:0]                                      command_process,
    output wire [1:0]                                       command_tenant,
    output wire [6:0]                                       command_quantum,
    output wire                                             command_static,
    output wire [63:0]                                      command_data,
    input  wire                                             runlist_command_done,
    input  wire [1:0]                                       runlist_command_answer,
    input  wire                                             runlist_removing,
    input  wire [31:0]                                      runlist_decisions,
    input  wire [31:0]                                      runlist_moves,
    input  wire [FE_COUNT*PIPES*QUEUES*2-1:0]               runlist_place_phase,
    input  wire [FE_COUNT*PIPES*QUEUES*$clog2(RUN_QUEUES)-1:0] runlist_place_entry,
    output wire [7:0]                                       settings_yield,
    output wire [15:0]                                      settings_park,
    output wire [3:0]                                       settings_spare,
    output wire [23:0]                                      settings_leave,
    // proxy
    input  wire [15:0]                                      proxy_lost,
    // notice
    input  wire                                             notice_valid,
    input  wire [9:0]                                       notice_entry,
    input  wire [31:0]                                      notice_ctxid,
    input  wire                                             notice_lost,
    output wire                                             take,
    output wire                                             clear,
    // RAM of entries
    output wire                                             view_read_enable,
    output wire [$clog2(RUN_QUEUES)+1:0]                    view_read_addr,
    input  wire [63:0]                                      view_read_data
);
`include "totem_ledger_values.vh"
`include "totem_runlist_values.vh"

    localparam N = FE_COUNT * PIPES * QUEUES;
    localparam A = $clog2(RUN_QUEUES);

    generate
        if (N < 2 || N > 64 || RUN_QUEUES < 2 || RUN_QUEUES > 1024 || RUN_QUEUES != (1 << A)) begin : check
            totem_ledger_needs_2_to_64_slots_and_RUN_QUEUES_2_to_1024_a_power_of_two refused ();
        end
    endgenerate

    localparam [7:0]   HOLE = `TOTEM_ERROR_HOST_HOLE, READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY;
    localparam [7:0]   VALUE = `TOTEM_ERROR_HOST_VALUE, LOCKED = `TOTEM_ERROR_HOST_LOCKED;
    localparam [127:0] EXISTS = `TOTEM_REG_RUNLIST_EXISTS, WRITABLE = `TOTEM_REG_RUNLIST_WRITABLE;
    localparam [31:0]  YIELD = `TOTEM_REG_RUNLIST_RESET(`TOTEM_REG_RUNLIST_YIELD);
    localparam [31:0]  PARK  = `TOTEM_REG_RUNLIST_RESET(`TOTEM_REG_RUNLIST_PARK);
    localparam [31:0]  SPARE = `TOTEM_REG_RUNLIST_RESET(`TOTEM_REG_RUNLIST_SPARE);
    localparam [31:0]  SLOTS = N;

    reg [1:0]   step_q, step_d;
    reg [1:0]   word_q, word_d;
    reg         host_done_q, host_done_d;
    reg [4:0]   host_error_q, host_error_d;
    reg [31:0]  host_rdata_q, host_rdata_d;
    reg [7:0]   settings_yield_q, settings_yield_d;
    reg [15:0]  settings_park_q, settings_park_d;
    reg [3:0]   settings_spare_q, settings_spare_d;
    reg [23:0]  settings_leave_q, settings_leave_d;
    reg         take_q, take_d;
    reg         clear_q, clear_d;
    reg [A-1:0] look_q, look_d;
    reg [A-1:0] operand_entry_q, operand_entry_d;
    reg [36:0]  operand_mqd_q, operand_mqd_d;
    reg [36:0]  operand_pointer_q, operand_pointer_d;
    reg [15:0]  operand_process_q, operand_process_d;
    reg [1:0]   operand_tenant_q, operand_tenant_d;
    reg         operand_static_q, operand_static_d;
    reg [6:0]   operand_quantum_q, operand_quantum_d;
    reg [63:0]  operand_data_q, operand_data_d;
    reg [2:0]   operand_op_q, operand_op_d;
    reg         operand_reset_q, operand_reset_d;
    reg         busy_q, busy_d;
    reg [1:0]   answer_q, answer_d;
    reg         command_valid_q, command_valid_d;
    reg [2:0]   command_op_q, command_op_d;
    reg         command_reset_q, command_reset_d;
    reg [A-1:0] command_entry_q, command_entry_d;
    reg [36:0]  command_mqd_q, command_mqd_d;
    reg [36:0]  command_pointer_q, command_pointer_d;
    reg [15:0]  command_process_q, command_process_d;
    reg [1:0]   command_tenant_q, command_tenant_d;
    reg [6:0]   command_quantum_q, command_quantum_d;
    reg         command_static_q, command_static_d;
    reg [63:0]  command_data_q, command_data_d;
    reg         from_host_q, from_host_d;
    reg         service_command_done_q, service_command_done_d;
    reg [1:0]   service_command_answer_q, service_command_answer_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        step_q = LEDGER_REST; word_q = 0; host_done_q = 0; host_error_q = 0; host_rdata_q = 0;
        settings_yield_q = YIELD[7:0]; settings_park_q = PARK[15:0]; settings_spare_q = SPARE[3:0];
        settings_leave_q = 0; take_q = 0; clear_q = 0; look_q = 0; operand_entry_q = 0; operand_mqd_q = 0;
        operand_pointer_q = 0; operand_process_q = 0; operand_tenant_q = 0; operand_static_q = 0; operand_quantum_q = 0; operand_data_q = 0;
        operand_op_q = 0; operand_reset_q = 0; busy_q = 0; answer_q = 0; command_valid_q = 0; command_op_q = 0;
        command_reset_q = 0; command_entry_q = 0; command_mqd_q = 0; command_pointer_q = 0; command_process_q = 0;
        command_tenant_q = 0; command_quantum_q = 0; command_static_q = 0; command_data_q = 0; from_host_q = 0;
        service_command_done_q = 0; service_command_answer_q = 0;
    end

    assign host_done              = host_done_q;
    assign host_error             = host_error_q;
    assign host_rdata             = host_rdata_q;
    assign service_command_done   = service_command_done_q;
    assign service_command_answer = service_command_answer_q;
    assign command_valid          = command_valid_q;
    assign command_op             = command_op_q;
    assign command_reset          = command_reset_q;
    assign command_entry          = command_entry_q;
    assign command_mqd            = command_mqd_q;
    assign command_pointer        = command_pointer_q;
    assign command_process        = command_process_q;
    assign command_tenant         = command_tenant_q;
    assign command_quantum        = command_quantum_q;
    assign command_static         = command_static_q;
    assign command_data           = command_data_q;
    assign settings_yield         = settings_yield_q;
    assign settings_park          = settings_park_q;
    assign settings_spare         = settings_spare_q;
    assign settings_leave         = settings_leave_q;
    assign take                   = take_q;
    assign clear                  = clear_q;
    assign view_read_enable       = step_q == LEDGER_READ;
    assign view_read_addr         = {look_q, word_q};

    // The page.
    wire [6:0]  dword     = host_request_dword[`TOTEM_REG_RUNLIST_DWORD];
    wire        of_slot   = dword >= `TOTEM_REG_RUNLIST_SLOT;
    wire        hole      = host_request_dword[7] || !EXISTS[dword] || (of_slot && {26'd0, dword[5:0]} >= SLOTS);
    wire        read_only = !WRITABLE[dword];
    wire        operand   = dword >= `TOTEM_REG_RUNLIST_ENTRY && dword <= `TOTEM_REG_RUNLIST_COMMAND;
    wire        locked    = operand && busy_q;
    reg [31:0]  slot;
    integer     s;
    always @* begin
        slot = 32'd0;
        for (s = 0; s < N; s = s + 1)
            if (dword[5:0] == s[5:0]) begin
                slot[`TOTEM_REG_RUNLIST_SLOT_PHASE] = runlist_place_phase[s*2 +: 2];
                if (runlist_place_phase[s*2 +: 2] != PHASE_EMPTY)
                    slot[8 +: A] = runlist_place_entry[s*A +: A];
            end
    end
    reg [31:0] value;
    always @* begin
        value = 32'd0;
        case (dword)
            `TOTEM_REG_RUNLIST_YIELD:     value[`TOTEM_REG_RUNLIST_YIELD_PLACEMENTS] = settings_yield_q;
            `TOTEM_REG_RUNLIST_PARK:      value[`TOTEM_REG_RUNLIST_PARK_CLOCKS] = settings_park_q;
            `TOTEM_REG_RUNLIST_SPARE:     value[`TOTEM_REG_RUNLIST_SPARE_SLOTS] = settings_spare_q;
            `TOTEM_REG_RUNLIST_LEAVE:     value[`TOTEM_REG_RUNLIST_LEAVE_CLOCKS] = settings_leave_q;
            `TOTEM_REG_RUNLIST_DECISIONS: value = runlist_decisions;
            `TOTEM_REG_RUNLIST_MOVES:     value = runlist_moves;
            `TOTEM_REG_RUNLIST_STATUS: begin
                value[`TOTEM_REG_RUNLIST_STATUS_REMOVING] = runlist_removing;
                value[`TOTEM_REG_RUNLIST_STATUS_BUSY]     = busy_q;
                value[`TOTEM_REG_RUNLIST_STATUS_ANSWER]   = answer_q;
            end
            `TOTEM_REG_RUNLIST_PROXY_LOST: value[`TOTEM_REG_RUNLIST_PROXY_LOST_COUNT] = proxy_lost;
            `TOTEM_REG_RUNLIST_ENTRY:      value[A-1:0] = operand_entry_q;
            `TOTEM_REG_RUNLIST_MQD_LO:     value[`TOTEM_REG_RUNLIST_MQD_LO_ADDRESS] = operand_mqd_q[28:0];
            `TOTEM_REG_RUNLIST_MQD_HI:     value[`TOTEM_REG_RUNLIST_MQD_HI_ADDRESS] = operand_mqd_q[36:29];
            `TOTEM_REG_RUNLIST_POINTER_LO: value[`TOTEM_REG_RUNLIST_POINTER_LO_ADDRESS] = operand_pointer_q[28:0];
            `TOTEM_REG_RUNLIST_POINTER_HI: value[`TOTEM_REG_RUNLIST_POINTER_HI_ADDRESS] = operand_pointer_q[36:29];
            `TOTEM_REG_RUNLIST_PROCESS: begin
                value[`TOTEM_REG_RUNLIST_PROCESS_PROCESS] = operand_process_q;
                value[`TOTEM_REG_RUNLIST_PROCESS_TENANT]  = operand_tenant_q;
                value[`TOTEM_REG_RUNLIST_PROCESS_STATIC]  = operand_static_q;
                value[`TOTEM_REG_RUNLIST_PROCESS_QUANTUM] = operand_quantum_q;
            end
            `TOTEM_REG_RUNLIST_DATA_LO: value = operand_data_q[31:0];
            `TOTEM_REG_RUNLIST_DATA_HI: value = operand_data_q[63:32];
            `TOTEM_REG_RUNLIST_COMMAND: ;
            `TOTEM_REG_RUNLIST_LOOK:    value[A-1:0] = look_q;
            `TOTEM_REG_RUNLIST_NOTICE: begin
                value[`TOTEM_REG_RUNLIST_NOTICE_ENTRY] = notice_valid ? notice_entry : 10'd0;
                value[`TOTEM_REG_RUNLIST_NOTICE_LOST]  = notice_lost;
                value[`TOTEM_REG_RUNLIST_NOTICE_VALID] = notice_valid;
            end
            `TOTEM_REG_RUNLIST_NOTICE_CTXID: value = notice_valid ? notice_ctxid : 32'd0;
            default: value = of_slot ? slot : dword[0] ? view_read_data[63:32] : view_read_data[31:0];
        endcase
        if (hole) value = 32'd0;
    end

    // What a write puts, and whether it is refused.
    wire [31:0] mask    = {{8{host_request_strobe[3]}}, {8{host_request_strobe[2]}},
                           {8{host_request_strobe[1]}}, {8{host_request_strobe[0]}}};
    wire [31:0] put     = (value & ~mask) | (host_request_data & mask);
    wire [2:0]  op      = put[`TOTEM_REG_RUNLIST_COMMAND_OP];
    wire        removal = op >= RUN_REMOVE && op <= RUN_REMOVE_DYNAMIC;
    reg         legal;
    always @*
        case (dword)
            `TOTEM_REG_RUNLIST_ENTRY, `TOTEM_REG_RUNLIST_LOOK:         legal = put >> A == 32'd0;
            `TOTEM_REG_RUNLIST_MQD_LO, `TOTEM_REG_RUNLIST_POINTER_LO:  legal = put[2:0] == 3'd0;
            `TOTEM_REG_RUNLIST_MQD_HI, `TOTEM_REG_RUNLIST_POINTER_HI:  legal = put[31:8] == 24'd0;
            `TOTEM_REG_RUNLIST_COMMAND:
                legal = &host_request_strobe && put[31:4] == 28'd0 && op <= RUN_MASK
                        && (!put[`TOTEM_REG_RUNLIST_COMMAND_RESET] || removal);
            default: legal = 1'b1;
        endcase
    wire [4:0] refused = hole ? HOLE[4:0] : !host_request_write ? 5'd0 : read_only ? READ_ONLY[4:0]
                         : !legal ? VALUE[4:0] : locked ? LOCKED[4:0] : 5'd0;

    wire service_asks = service_command_valid && !service_command_done_q;
    wire host_goes    = busy_q && !(service_asks && from_host_q);

    always @* begin
        step_d                   = step_q;
        word_d                   = word_q;
        host_error_d             = host_error_q;
        host_rdata_d             = host_rdata_q;
        settings_yield_d         = settings_yield_q;
        settings_park_d          = settings_park_q;
        settings_spare_d         = settings_spare_q;
        settings_leave_d         = settings_leave_q;
        look_d                   = look_q;
        operand_entry_d          = operand_entry_q;
        operand_mqd_d            = operand_mqd_q;
        operand_pointer_d        = operand_pointer_q;
        operand_process_d        = operand_process_q;
        operand_tenant_d         = operand_tenant_q;
        operand_static_d         = operand_static_q;
        operand_quantum_d        = operand_quantum_q;
        operand_data_d           = operand_data_q;
        operand_op_d             = operand_op_q;
        operand_reset_d          = operand_reset_q;
        busy_d                   = busy_q;
        answer_d                 = answer_q;
        command_valid_d          = command_valid_q;
        command_op_d             = command_op_q;
        command_reset_d          = command_reset_q;
        command_entry_d          = command_entry_q;
        command_mqd_d            = command_mqd_q;
        command_pointer_d        = command_pointer_q;
        command_process_d        = command_process_q;
        command_tenant_d         = command_tenant_q;
        command_quantum_d        = command_quantum_q;
        command_static_d         = command_static_q;
        command_data_d           = command_data_q;
        from_host_d              = from_host_q;
        service_command_answer_d = service_command_answer_q;

        // 1 Defaults
        host_done_d            = 1'b0;
        take_d                 = 1'b0;
        clear_d                = 1'b0;
        service_command_done_d = 1'b0;

        if (command_valid_q) begin
            // 2 Answer
            if (runlist_command_done) begin
                command_valid_d = 1'b0;
                if (from_host_q) begin
                    busy_d   = 1'b0;
                    answer_d = runlist_command_answer;
                end else begin
                    service_command_done_d   = 1'b1;
                    service_command_answer_d = runlist_command_answer;
                end
            end
        // 3 Give
        end else if (host_goes) begin
            command_valid_d   = 1'b1;
            from_host_d       = 1'b1;
            command_op_d      = operand_op_q;
            command_reset_d   = operand_reset_q;
            command_entry_d   = operand_entry_q;
            command_mqd_d     = operand_mqd_q;
            command_pointer_d = operand_pointer_q;
            command_process_d = operand_process_q;
            command_tenant_d  = operand_tenant_q;
            command_quantum_d = operand_quantum_q;
            command_static_d  = operand_static_q;
            command_data_d    = operand_data_q;
        end else if (service_asks) begin
            command_valid_d   = 1'b1;
            from_host_d       = 1'b0;
            command_op_d      = service_command_op;
            command_reset_d   = service_command_reset;
            command_entry_d   = service_command_entry;
            command_mqd_d     = service_command_mqd;
            command_pointer_d = service_command_pointer;
            command_process_d = service_command_process;
            command_tenant_d  = service_command_tenant;
            command_quantum_d = service_command_quantum;
            command_static_d  = service_command_static;
            command_data_d    = service_command_data;
        end

        case (step_q)
            // 4 Host
            LEDGER_REST:
                if (host_ledger_valid && !host_done_q) begin
                    step_d = LEDGER_READ;
                    word_d = host_request_dword[2:1];
                end
            LEDGER_READ: step_d = LEDGER_ACT;
            default: begin
                step_d       = LEDGER_REST;
                host_done_d  = 1'b1;
                host_rdata_d = value;
                host_error_d = refused;
                // 5 Write
                if (host_request_write && refused == 5'd0)
                    case (dword)
                        `TOTEM_REG_RUNLIST_YIELD: settings_yield_d = put[`TOTEM_REG_RUNLIST_YIELD_PLACEMENTS];
                        `TOTEM_REG_RUNLIST_PARK:  settings_park_d = put[`TOTEM_REG_RUNLIST_PARK_CLOCKS];
                        `TOTEM_REG_RUNLIST_SPARE: settings_spare_d = put[`TOTEM_REG_RUNLIST_SPARE_SLOTS];
                        `TOTEM_REG_RUNLIST_LEAVE: settings_leave_d = put[`TOTEM_REG_RUNLIST_LEAVE_CLOCKS];
                        `TOTEM_REG_RUNLIST_ENTRY: operand_entry_d = put[A-1:0];
                        `TOTEM_REG_RUNLIST_MQD_LO: operand_mqd_d[28:0] = put[`TOTEM_REG_RUNLIST_MQD_LO_ADDRESS];
                        `TOTEM_REG_RUNLIST_MQD_HI: operand_mqd_d[36:29] = put[`TOTEM_REG_RUNLIST_MQD_HI_ADDRESS];
                        `TOTEM_REG_RUNLIST_POINTER_LO:
                            operand_pointer_d[28:0] = put[`TOTEM_REG_RUNLIST_POINTER_LO_ADDRESS];
                        `TOTEM_REG_RUNLIST_POINTER_HI:
                            operand_pointer_d[36:29] = put[`TOTEM_REG_RUNLIST_POINTER_HI_ADDRESS];
                        `TOTEM_REG_RUNLIST_PROCESS: begin
                            operand_process_d = put[`TOTEM_REG_RUNLIST_PROCESS_PROCESS];
                            operand_tenant_d  = put[`TOTEM_REG_RUNLIST_PROCESS_TENANT];
                            operand_static_d  = put[`TOTEM_REG_RUNLIST_PROCESS_STATIC];
                            operand_quantum_d = put[`TOTEM_REG_RUNLIST_PROCESS_QUANTUM];
                        end
                        `TOTEM_REG_RUNLIST_DATA_LO: operand_data_d[31:0] = put;
                        `TOTEM_REG_RUNLIST_DATA_HI: operand_data_d[63:32] = put;
                        `TOTEM_REG_RUNLIST_LOOK:    look_d = put[A-1:0];
                        `TOTEM_REG_RUNLIST_NOTICE: begin
                            take_d  = notice_valid && host_request_data[31] && host_request_strobe[3];
                            clear_d = notice_lost && host_request_data[30] && host_request_strobe[3];
                        end
                        default: begin
                            operand_op_d    = op;
                            operand_reset_d = put[`TOTEM_REG_RUNLIST_COMMAND_RESET];
                            busy_d          = 1'b1;
                        end
                    endcase
            end
        endcase
    end

    always @(posedge clk) begin
        step_q                   <= step_d;
        word_q                   <= word_d;
        host_done_q              <= host_done_d;
        host_error_q             <= host_error_d;
        host_rdata_q             <= host_rdata_d;
        settings_yield_q         <= settings_yield_d;
        settings_park_q          <= settings_park_d;
        settings_spare_q         <= settings_spare_d;
        settings_leave_q         <= settings_leave_d;
        take_q                   <= take_d;
        clear_q                  <= clear_d;
        look_q                   <= look_d;
        operand_entry_q          <= operand_entry_d;
        operand_mqd_q            <= operand_mqd_d;
        operand_pointer_q        <= operand_pointer_d;
        operand_process_q        <= operand_process_d;
        operand_tenant_q         <= operand_tenant_d;
        operand_static_q         <= operand_static_d;
        operand_quantum_q        <= operand_quantum_d;
        operand_data_q           <= operand_data_d;
        operand_op_q             <= operand_op_d;
        operand_reset_q          <= operand_reset_d;
        busy_q                   <= busy_d;
        answer_q                 <= answer_d;
        command_valid_q          <= command_valid_d;
        command_op_q             <= command_op_d;
        command_reset_q          <= command_reset_d;
        command_entry_q          <= command_entry_d;
        command_mqd_q            <= command_mqd_d;
        command_pointer_q        <= command_pointer_d;
        command_process_q        <= command_process_d;
        command_tenant_q         <= command_tenant_d;
        command_quantum_q        <= command_quantum_d;
        command_static_q         <= command_static_d;
        command_data_q           <= command_data_d;
        from_host_q              <= from_host_d;
        service_command_done_q   <= service_command_done_d;
        service_command_answer_q <= service_command_answer_d;
        if (rst) begin
            step_q                 <= LEDGER_REST;
            word_q                 <= 2'd0;
            host_done_q            <= 1'b0;
            settings_yield_q       <= YIELD[7:0];
            settings_park_q        <= PARK[15:0];
            settings_spare_q       <= SPARE[3:0];
            settings_leave_q       <= 24'd0;
            take_q                 <= 1'b0;
            clear_q                <= 1'b0;
            look_q                 <= {A{1'b0}};
            operand_entry_q        <= {A{1'b0}};
            operand_mqd_q          <= 37'd0;
            operand_pointer_q      <= 37'd0;
            operand_process_q      <= 16'd0;
            operand_tenant_q       <= 2'd0;
            operand_static_q       <= 1'b0;
            operand_quantum_q      <= 7'd0;
            operand_data_q         <= 64'd0;
            busy_q                 <= 1'b0;
            answer_q               <= 2'd0;
            command_valid_q        <= 1'b0;
            from_host_q            <= 1'b0;
            service_command_done_q <= 1'b0;
        end
    end

    // formal: maxsteps=4
`ifdef FORMAL
`include "totem_ledger_properties.vh"
`endif
endmodule

`default_nettype wire
