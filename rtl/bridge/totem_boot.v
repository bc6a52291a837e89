// SPDX-License-Identifier: Apache-2.0
//
// totem_boot: control of a run of the machine on a board: reset, clocks, boot list, master of the host port.
//
// Policy    entries of the list in order, one access of the machine at a time; the list goes before the bridge.
// Latency   clock 0 two clocks behind the write of RUN; the next entry 8 clocks behind the answer of the one before.
// Boundary  the list stands in a RAM beside it. In a run that has an end the bridge does not reach the machine, so the
//           run is a function of memory, list and length.
// Cost      about 430 flip-flops, and a comparison of 32 bits that has a clock of its own.
// Proved    the length of a run (1), reset around it (2), the AXI master (3), the order of entries (4).
// Twin      cmodel/bridge/totem_boot.c, same names.

`default_nettype none

module totem_boot #(
    parameter LIST_ENTRIES = 512,                // a power of two from 2 to 4096
    parameter ENTRY_BITS   = $clog2(LIST_ENTRIES),
    parameter PLACE_BITS   = $clog2(4 * LIST_ENTRIES)
) (
    input  wire                  clk,
    input  wire                  rst,
    // bridge
    input  wire                  bridge_machine_valid,
    input  wire                  bridge_control_valid,
    input  wire                  bridge_request_write,
    input  wire [31:0]           bridge_request_address,
    input  wire [31:0]           bridge_request_data,
    output wire                  machine_done,
    output wire [2:0]            machine_status,
    output wire [31:0]           machine_rdata,
    output wire                  control_done,
    output wire [2:0]            control_status,
    output wire [31:0]           control_rdata,
    output wire                  busy,
    // machine, store, signature, board
    output wire                  reset,
    output wire                  start,
    output wire                  running,
    output wire                  failed,
    // host port of the machine
    output wire [19:0]           s_axil_awaddr,
    output wire [2:0]            s_axil_awprot,
    output wire                  s_axil_awvalid,
    input  wire                  s_axil_awready,
    output wire [31:0]           s_axil_wdata,
    output wire [3:0]            s_axil_wstrb,
    output wire                  s_axil_wvalid,
    input  wire                  s_axil_wready,
    input  wire [1:0]            s_axil_bresp,
    input  wire                  s_axil_bvalid,
    output wire                  s_axil_bready,
    output wire [19:0]           s_axil_araddr,
    output wire [2:0]            s_axil_arprot,
    output wire                  s_axil_arvalid,
    input  wire                  s_axil_arready,
    input  wire [31:0]           s_axil_rdata,
    input  wire [1:0]            s_axil_rresp,
    input  wire                  s_axil_rvalid,
    output wire                  s_axil_rready,
    input  wire                  irq,
    // list
    output wire                  list_write_enable,
    output wire [PLACE_BITS-1:0] list_write_addr,
    output wire [31:0]           list_write_data,
    output wire                  list_read_enable,
    output wire [PLACE_BITS-1:0] list_read_addr,
    input  wire [31:0]           list_read_data
);
`include "totem_bridge_values.vh"
`include "totem_boot_values.vh"

    generate
        if (LIST_ENTRIES < 2 || LIST_ENTRIES > 4096 || LIST_ENTRIES != (1 << ENTRY_BITS)) begin : check
            totem_boot_needs_LIST_ENTRIES_a_power_of_two_from_2_to_4096 refused ();
        end
    endgenerate

    reg                  reset_q, reset_d;
    reg [1:0]            phase_q, phase_d;
    reg                  endless_q, endless_d;
    reg [31:0]           clocks_q, clocks_d;
    reg [31:0]           left_q, left_d;
    reg                  last_q, last_d;
    reg [31:0]           now_q, now_d;
    reg                  irq_seen_q, irq_seen_d;
    reg [2:0]            step_q, step_d;
    reg [ENTRY_BITS-1:0] entry_q, entry_d;
    reg [2:0]            part_q, part_d;
    reg [31:0]           due_q, due_d;
    reg                  due_now_q, due_now_d;
    reg [1:0]            kind_q, kind_d;
    reg [19:0]           address_q, address_d;
    reg [31:0]           data_q, data_d;
    reg [31:0]           mask_q, mask_d;
    reg                  ended_q, ended_d;
    reg                  failed_q, failed_d;
    reg [ENTRY_BITS-1:0] failed_entry_q, failed_entry_d;
    reg [1:0]            port_q, port_d;
    reg [19:0]           port_address_q, port_address_d;
    reg [31:0]           port_data_q, port_data_d;
    reg                  aw_valid_q, aw_valid_d;
    reg                  w_valid_q, w_valid_d;
    reg                  ar_valid_q, ar_valid_d;
    reg                  answer_error_q, answer_error_d;
    reg [31:0]           answer_data_q, answer_data_d;
    reg [1:0]            machine_q, machine_d;
    reg [2:0]            machine_status_q, machine_status_d;
    reg [31:0]           machine_rdata_q, machine_rdata_d;
    reg [2:0]            control_q, control_d;
    reg [2:0]            control_status_q, control_status_d;
    reg [31:0]           control_rdata_q, control_rdata_d;
    reg [PLACE_BITS-1:0] place_q, place_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        due_q = 0;            due_now_q = 0;      kind_q = 0;         address_q = 0;        data_q = 0;
        mask_q = 0;           failed_entry_q = 0; port_address_q = 0; port_data_q = 0;      answer_error_q = 0;
        answer_data_q = 0;    machine_status_q = 0; machine_rdata_q = 0; control_status_q = 0; control_rdata_q = 0;
        place_q = 0;
    end

    assign machine_done      = machine_q == MACHINE_DONE;
    assign machine_status    = machine_status_q;
    assign machine_rdata     = machine_rdata_q;
    assign control_done      = control_q == CONTROL_DONE;
    assign control_status    = control_status_q;
    assign control_rdata     = control_rdata_q;
    assign busy              = phase_q != BOOT_REST && !endless_q;
    assign reset             = reset_q;
    assign start             = phase_q == BOOT_START;
    assign running           = phase_q == BOOT_RUN;
    assign failed            = failed_q;
    assign s_axil_awaddr     = port_address_q;
    assign s_axil_awprot     = 3'd0;
    assign s_axil_awvalid    = aw_valid_q;
    assign s_axil_wdata      = port_data_q;
    assign s_axil_wstrb      = 4'd15;
    assign s_axil_wvalid     = w_valid_q;
    assign s_axil_bready     = 1'b1;
    assign s_axil_araddr     = port_address_q;
    assign s_axil_arprot     = 3'd0;
    assign s_axil_arvalid    = ar_valid_q;
    assign s_axil_rready     = 1'b1;
    assign list_write_enable = control_q == CONTROL_WRITE;
    assign list_write_addr   = place_q;
    assign list_write_data   = control_rdata_q;
    assign list_read_enable  = control_q == CONTROL_READ || (step_q == LIST_READ && !part_q[2]);
    assign list_read_addr    = control_q == CONTROL_READ ? place_q : {entry_q, part_q[1:0]};

    wire        under_way       = phase_q != BOOT_REST;
    wire        in_list         = bridge_request_address[16];
    wire [7:0]  chosen          = bridge_request_address[7:0];
    wire        asked           = control_q == CONTROL_REST && bridge_control_valid;
    wire        control_written = asked && !in_list && bridge_request_write && chosen == BRIDGE_CONTROL[7:0];
    wire        writes_reset    = (bridge_request_data[2:0] & CONTROL_RESET) != 3'd0;
    wire        writes_run      = (bridge_request_data[2:0] & CONTROL_RUN) != 3'd0;
    wire        writes_abort    = (bridge_request_data[2:0] & CONTROL_ABORT) != 3'd0;
    wire        run_wanted      = control_written && writes_run;
    wire        run_granted     = run_wanted && reset_q && !under_way;
    wire        reset_refused   = control_written && !writes_run && writes_reset && !writes_abort && under_way;
    wire        list_wants      = step_q == LIST_DUE && due_now_q && phase_q == BOOT_RUN
                                  && (kind_q == ENTRY_WRITE || kind_q == ENTRY_WAIT);
    wire        answered        = (s_axil_bvalid || s_axil_rvalid) && port_q != PORT_REST;
    wire        error           = s_axil_bvalid ? s_axil_bresp[1] : s_axil_rresp[1];
    wire        unfit           = (answer_data_q & mask_q) != data_q;
    wire        bridge_takes    = !list_wants && machine_q == MACHINE_WAIT && bridge_machine_valid;
    wire [15:0] shown_entry     = {{16-ENTRY_BITS{1'b0}}, failed_q ? failed_entry_q : entry_q};
    wire [31:0] status_word     = {shown_entry, 11'd0, irq_seen_q, irq, failed_q, ended_q, under_way};

    wire unused = &{1'b0, s_axil_bresp[0], s_axil_rresp[0], bridge_request_address[31:20]};

    always @* begin
        reset_d          = reset_q;
        phase_d          = phase_q;
        endless_d        = endless_q;
        clocks_d         = clocks_q;
        left_d           = left_q;
        last_d           = last_q;
        now_d            = now_q;
        irq_seen_d       = irq_seen_q;
        step_d           = step_q;
        entry_d          = entry_q;
        part_d           = part_q;
        due_d            = due_q;
        due_now_d        = now_q >= due_q;
        kind_d           = kind_q;
        address_d        = address_q;
        data_d           = data_q;
        mask_d           = mask_q;
        ended_d          = ended_q;
        failed_d         = failed_q;
        failed_entry_d   = failed_entry_q;
        port_d           = port_q;
        port_address_d   = port_address_q;
        port_data_d      = port_data_q;
        aw_valid_d       = aw_valid_q && !s_axil_awready;
        w_valid_d        = w_valid_q && !s_axil_wready;
        ar_valid_d       = ar_valid_q && !s_axil_arready;
        answer_error_d   = answer_error_q;
        answer_data_d    = answer_data_q;
        machine_d        = machine_q;
        machine_status_d = machine_status_q;
        machine_rdata_d  = machine_rdata_q;
        control_d        = control_q;
        control_status_d = control_status_q;
        control_rdata_d  = control_rdata_q;
        place_d          = place_q;

        // 1 Run
        if (phase_q == BOOT_START) begin
            phase_d = BOOT_RUN;
            reset_d = 1'b0;
            now_d   = 32'd0;
            last_d  = left_q == 32'd1;
        end
        if (phase_q == BOOT_RUN) begin
            now_d  = now_q + 32'd1;
            left_d = left_q - 32'd1;
            last_d = left_q == 32'd2;
            if (irq)
                irq_seen_d = 1'b1;
            if (last_q && !endless_q)
                phase_d = BOOT_REST;
        end

        // 2 Entry
        case (step_q)
        LIST_READ: begin
            part_d = part_q + 3'd1;
            case (part_q)
            3'd1: due_d = list_read_data;
            3'd2: begin
                kind_d    = list_read_data[31:30];
                address_d = list_read_data[19:0];
            end
            3'd3: data_d = list_read_data;
            3'd4: begin
                mask_d = list_read_data;
                step_d = LIST_DUE;
            end
            default: ;
            endcase
        end
        LIST_DUE:
            if (kind_q != ENTRY_WRITE && kind_q != ENTRY_WAIT) begin
                ended_d = 1'b1;
                step_d  = LIST_REST;
            end else if (list_wants && port_q == PORT_REST)
                step_d = LIST_ACCESS;
        LIST_ACCESS:
            if (answered)
                step_d = LIST_CHECK;
        LIST_CHECK: begin
            if (answer_error_q && !failed_q) begin
                failed_d       = 1'b1;
                failed_entry_d = entry_q;
            end
            if (kind_q == ENTRY_WAIT && !answer_error_q && unfit)
                step_d = LIST_DUE;
            else if (&entry_q) begin
                ended_d = 1'b1;
                step_d  = LIST_REST;
            end else begin
                entry_d = entry_q + {{ENTRY_BITS-1{1'b0}}, 1'b1};
                part_d  = 3'd0;
                step_d  = LIST_READ;
            end
        end
        default: ;
        endcase

        // 3 End of the list
        if (!under_way && (step_q == LIST_READ || step_q == LIST_DUE || step_q == LIST_CHECK))
            step_d = LIST_REST;

        // 4 Port
        if (answered) begin
            answer_error_d = error;
            answer_data_d  = s_axil_rdata;
            port_d         = PORT_REST;
        end
        if (port_q == PORT_REST && (list_wants || bridge_takes)) begin
            port_d         = list_wants ? PORT_LIST : PORT_BRIDGE;
            port_address_d = list_wants ? address_q : bridge_request_address[19:0];
            port_data_d    = list_wants ? data_q : bridge_request_data;
            aw_valid_d     = list_wants ? kind_q == ENTRY_WRITE : bridge_request_write;
            w_valid_d      = aw_valid_d;
            ar_valid_d     = !aw_valid_d;
        end

        // 5 Machine access
        case (machine_q)
        MACHINE_REST:
            if (bridge_machine_valid) begin
                machine_d = MACHINE_WAIT;
                if (reset_q || busy) begin
                    machine_d        = MACHINE_DONE;
                    machine_status_d = BRIDGE_BUSY;
                end
            end
        MACHINE_WAIT:
            if (!bridge_machine_valid) begin
                machine_d = MACHINE_REST;
                if (port_d == PORT_BRIDGE)
                    port_d = PORT_NOBODY;
            end else if (answered && port_q == PORT_BRIDGE) begin
                machine_d        = MACHINE_DONE;
                machine_status_d = error ? BRIDGE_BUS : BRIDGE_OK;
                machine_rdata_d  = s_axil_rdata;
            end
        default:
            machine_d = MACHINE_REST;
        endcase

        // 6 Control access
        case (control_q)
        CONTROL_REST:
            if (asked) begin
                control_d        = CONTROL_DONE;
                control_status_d = BRIDGE_OK;
                place_d          = bridge_request_address[2 +: PLACE_BITS];
                if (in_list) begin
                    control_rdata_d = bridge_request_data;
                    if (under_way)
                        control_status_d = BRIDGE_BUSY;
                    else
                        control_d = bridge_request_write ? CONTROL_WRITE : CONTROL_READ;
                end else begin
                    case (chosen)
                    BRIDGE_CONTROL[7:0]: control_rdata_d = {30'd0, under_way, reset_q};
                    BRIDGE_STATUS[7:0]:  control_rdata_d = status_word;
                    BRIDGE_CLOCKS[7:0]:  control_rdata_d = clocks_q;
                    default:             control_rdata_d = now_q;
                    endcase
                    if (bridge_request_write && (chosen == BRIDGE_STATUS[7:0] || chosen == BRIDGE_NOW[7:0]))
                        control_status_d = BRIDGE_READONLY;
                    if ((run_wanted && !run_granted) || reset_refused)
                        control_status_d = BRIDGE_BUSY;
                end
            end
        CONTROL_READ:
            control_d = CONTROL_TAKE;
        CONTROL_TAKE: begin
            control_rdata_d = list_read_data;
            control_d       = CONTROL_DONE;
        end
        CONTROL_WRITE:
            control_d = CONTROL_DONE;
        default:
            control_d = CONTROL_REST;
        endcase
        if (!bridge_control_valid)
            control_d = CONTROL_REST;

        // 7 Setting
        if (asked && !in_list && bridge_request_write && chosen == BRIDGE_CLOCKS[7:0])
            clocks_d = bridge_request_data;

        // 8 Control
        if (control_written && !run_wanted && !reset_refused) begin
            reset_d = writes_reset;
            if (writes_abort)
                phase_d = BOOT_REST;
        end

        // 9 Begin
        if (run_granted) begin
            phase_d    = BOOT_START;
            left_d     = clocks_q;
            endless_d  = clocks_q == 32'd0;
            last_d     = 1'b0;
            now_d      = 32'd0;
            irq_seen_d = 1'b0;
            ended_d    = 1'b0;
            failed_d   = 1'b0;
            step_d     = LIST_READ;
            entry_d    = {ENTRY_BITS{1'b0}};
            part_d     = 3'd0;
        end

        // 10 Machine in reset
        if (reset_q) begin
            port_d     = PORT_REST;
            aw_valid_d = 1'b0;
            w_valid_d  = 1'b0;
            ar_valid_d = 1'b0;
            if (!under_way && !run_granted)
                step_d = LIST_REST;
        end
    end

    always @(posedge clk) begin
        reset_q          <= reset_d;
        phase_q          <= phase_d;
        endless_q        <= endless_d;
        clocks_q         <= clocks_d;
        left_q           <= left_d;
        last_q           <= last_d;
        now_q            <= now_d;
        irq_seen_q       <= irq_seen_d;
        step_q           <= step_d;
        entry_q          <= entry_d;
        part_q           <= part_d;
        due_q            <= due_d;
        due_now_q        <= due_now_d;
        kind_q           <= kind_d;
        address_q        <= address_d;
        data_q           <= data_d;
        mask_q           <= mask_d;
        ended_q          <= ended_d;
        failed_q         <= failed_d;
        failed_entry_q   <= failed_entry_d;
        port_q           <= port_d;
        port_address_q   <= port_address_d;
        port_data_q      <= port_data_d;
        aw_valid_q       <= aw_valid_d;
        w_valid_q        <= w_valid_d;
        ar_valid_q       <= ar_valid_d;
        answer_error_q   <= answer_error_d;
        answer_data_q    <= answer_data_d;
        machine_q        <= machine_d;
        machine_status_q <= machine_status_d;
        machine_rdata_q  <= machine_rdata_d;
        control_q        <= control_d;
        control_status_q <= control_status_d;
        control_rdata_q  <= control_rdata_d;
        place_q          <= place_d;
        if (rst) begin
            reset_q    <= 1'b1;
            phase_q    <= BOOT_REST;
            endless_q  <= 1'b0;
            clocks_q   <= 32'd0;
            left_q     <= 32'd0;
            last_q     <= 1'b0;
            now_q      <= 32'd0;
            irq_seen_q <= 1'b0;
            step_q     <= LIST_REST;
            entry_q    <= {ENTRY_BITS{1'b0}};
            part_q     <= 3'd0;
            ended_q    <= 1'b0;
            failed_q   <= 1'b0;
            port_q     <= PORT_REST;
            aw_valid_q <= 1'b0;
            w_valid_q  <= 1'b0;
            ar_valid_q <= 1'b0;
            machine_q  <= MACHINE_REST;
            control_q  <= CONTROL_REST;
        end
    end

`ifdef FORMAL
`include "totem_boot_properties.vh"
`endif
endmodule

`default_nettype wire
