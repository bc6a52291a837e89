// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: window of the queues of a compute pipe.
//
// Policy    the 56 dwords of a queue are in a RAM; a write is merged into the word read before. A dequeue request waits
//           here until its slot can be saved. Setting ACTIVE reads what a mapping needs, first to check it, then to
//           send it over the load bus, so a refused mapping has changed nothing. Clearing ACTIVE asks the pipe to give
//           the queue up, and ends when it has. access says who is served next, view what a dword reads, drain what a
//           slot that leaves waits for, fetch whether a write pointer fits. See docs/contract/hqd.md.
// Latency   3 or 4 clocks an access, 6 a write pointer, 26 a mapping (invariant 2); QUEUES*64 clocks after reset the
//           window is ready.
// Boundary  one access at a time, held until its done; every output comes from state alone.
// Cost      about 160 flip-flops and 10 per queue; the RAM (QUEUES*64 x 32) stands beside the block and may have
//           MEETS 0.
// Twin      cmodel/queue/totem_hqd.c, same names.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_hqd #(
    parameter QUEUES = 8,                   // 2, 4 or 8
    parameter EPOCHS = 8                    // from 2: a slot needs another one when it closes one
) (
    input  wire                        clk,
    input  wire                        rst,
    // access
    input  wire                        access_next_valid,
    input  wire                        access_next_from_mqd,
    input  wire                        access_next_pointer,
    input  wire [$clog2(QUEUES)-1:0]   access_next_queue,
    input  wire [5:0]                  access_next_dword,
    input  wire                        access_write,
    input  wire                        access_doorbell,
    input  wire                        access_load,
    input  wire [3:0]                  access_strobe,
    input  wire [39:0]                 access_data,
    output wire                        from_mqd,
    output wire                        pointer,
    // view
    output wire [$clog2(QUEUES)-1:0]   shown_queue,
    output wire [5:0]                  shown_dword,
    output wire [QUEUES-1:0]           active,
    output wire [QUEUES*3-1:0]         dequeue,
    input  wire [31:0]                 view_value,
    input  wire                        view_waiting,
    input  wire                        view_stopped,
    // drain
    input  wire [QUEUES-1:0]           drain_not_selected,
    input  wire [QUEUES-1:0]           drain_drained,
    input  wire [QUEUES-1:0]           drain_free,
    // host
    input  wire                        host_request_quiet,
    output wire                        host_done,
    output wire [4:0]                  host_error,
    output wire [31:0]                 host_rdata,
    // ram
    output wire                        ram_write_enable,
    output wire [$clog2(QUEUES)+6-1:0] ram_write_addr,
    output wire [31:0]                 ram_write_data,
    output wire                        ram_read_enable,
    output wire [$clog2(QUEUES)+6-1:0] ram_read_addr,
    input  wire [31:0]                 ram_read_data,
    // load
    output wire                        load_valid,
    output wire [$clog2(QUEUES)-1:0]   load_queue,
    output wire [4:0]                  load_kind,
    output wire [39:0]                 load_data,
    // arbiter
    input  wire [1:0]                  arbiter_move,
    input  wire [$clog2(QUEUES)-1:0]   arbiter_move_queue,
    // fetch
    input  wire [QUEUES*32-1:0]        fetch_rptr,
    input  wire [QUEUES*32-1:0]        fetch_wptr,
    output wire                        offer_valid,
    output wire [$clog2(QUEUES)-1:0]   offer_queue,
    output wire [31:0]                 offer_wptr,
    input  wire                        fetch_offer_fits,
    // host
    input  wire [31:0]                 settings_address_high,
    input  wire [1:0]                  fe_number,
    // poll
    input  wire [QUEUES-1:0]           poll_once,
    output wire                        poll_done,
    output wire [4:0]                  poll_error,
    output wire [31:0]                 poll_rdata,
    // fence
    input  wire [QUEUES-1:0]           fence_spare,
    // kill
    output wire [QUEUES-1:0]           killing,
    // record
    output wire                        sequence_read_enable,
    output wire [$clog2(QUEUES):0]     sequence_read_addr,
    // mqd
    output wire                        mqd_done,
    output wire [4:0]                  mqd_error,
    output wire [31:0]                 mqd_rdata,
    output wire [QUEUES*3-1:0]         request,
    output wire [QUEUES-1:0]           dropping,
    output wire [QUEUES-1:0]           resetting,
    output wire [QUEUES-1:0]           leaving,
    // record, arbiter, pipe, host
    output wire [QUEUES-1:0]           parting,
    output wire [QUEUES-1:0]           dequeuing,
    output wire                        busy,
    output wire [15:0]                 drains
);
`include "totem_arbiter_values.vh"
`include "totem_hqd_values.vh"
    localparam BITS = $clog2(QUEUES);

    generate
        if ((QUEUES != 2 && QUEUES != 4 && QUEUES != 8) || EPOCHS < 2) begin : check
            totem_hqd_needs_QUEUES_2_4_or_8_and_EPOCHS_from_2 refused ();
        end
    endgenerate

    localparam [7:0] DOORBELL_DISABLED = `TOTEM_ERROR_HOST_DOORBELL_DISABLED;      // the low bits go to the host
    localparam [7:0] DOORBELL_RANGE = `TOTEM_ERROR_HOST_DOORBELL_RANGE;

    reg [3:0]        phase_q, phase_d;
    reg [4:0]        step_q, step_d;
    reg [BITS+5:0]   addr_q, addr_d;
    reg [31:0]       word_q, word_d;
    reg [31:0]       low_q, low_d;
    reg [5:0]        size_q, size_d;
    reg              quiet_q, quiet_d;
    reg [4:0]        error_q, error_d;
    reg [2:0]        settle_q, settle_d;
    reg [QUEUES-1:0] active_q, active_d;
    reg [QUEUES-1:0] leaving_q, leaving_d;
    reg [QUEUES*3-1:0] dequeue_q, dequeue_d;
    reg [QUEUES-1:0] silent_q, silent_d;
    reg [QUEUES*3-1:0] request_q, request_d;
    reg [QUEUES-1:0] killing_q, killing_d;
    reg [QUEUES-1:0] later_q, later_d;
    reg [15:0]       drains_q, drains_d;
    reg              from_mqd_q, from_mqd_d;
    reg              pointer_q, pointer_d;
    reg              needs_q, needs_d;
    reg              described_q, described_d;
    reg              load_valid_q, load_valid_d;
    reg [4:0]        load_kind_q, load_kind_d;
    reg [39:0]       load_data_q, load_data_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q     = 0;
        addr_q      = 0;
        word_q      = 32'd0;
        low_q       = 32'd0;
        size_q      = 6'd0;
        quiet_q     = 1'b0;
        error_q     = 5'd0;
        load_kind_q = LOAD_ACTIVE;
        load_data_q = 40'd0;
        needs_q     = 1'b0;
        described_q = 1'b0;
    end

    wire [BITS-1:0] queue = addr_q[BITS+5:6];
    wire [5:0]      dword = addr_q[5:0];
    wire [31:0]     data  = access_data[31:0];

    assign from_mqd         = from_mqd_q;
    assign pointer          = pointer_q;
    assign shown_queue      = queue;
    assign shown_dword      = dword;
    assign active           = active_q;
    assign dequeue          = dequeue_q;
    assign offer_valid      = (phase_q == HQD_RING);
    assign offer_queue      = queue;
    assign offer_wptr       = word_q;
    assign host_done        = (phase_q == HQD_DONE) && !from_mqd_q && !pointer_q;
    assign mqd_done         = (phase_q == HQD_DONE) && from_mqd_q;
    assign mqd_error        = error_q;
    assign mqd_rdata        = word_q;
    assign poll_done        = (phase_q == HQD_DONE) && pointer_q;
    assign poll_error       = error_q;
    assign poll_rdata       = word_q;
    assign request          = request_q;
    assign killing          = killing_q;
    assign drains           = drains_q;
    assign leaving          = leaving_q;
    assign busy             = (|request_q) || (|dequeue_q);
    assign host_error       = error_q;
    assign host_rdata       = word_q;
    assign ram_write_enable = phase_q == HQD_SWEEP || phase_q == HQD_STORE || phase_q == HQD_SAVE ||
                              phase_q == HQD_SAVED;
    assign ram_write_addr   = addr_q;
    assign ram_write_data   = (phase_q == HQD_SWEEP) ? `TOTEM_REG_QUEUE_RESET(dword) : word_q;
    assign ram_read_enable  = (phase_q == HQD_READ) || (phase_q == HQD_RING) || (phase_q == HQD_MAP);
    assign ram_read_addr    = addr_q;
    assign sequence_read_enable = ram_read_enable;
    assign sequence_read_addr   = {addr_q[BITS+5:6], addr_q[1]};
    assign load_valid       = load_valid_q;
    assign load_queue       = queue;
    assign load_kind        = load_kind_q;
    assign load_data        = load_data_q;

    // The queue of the access.
    wire [2:0]  asked   = request_q[queue*3 +: 3];
    wire [2:0]  type_of = dequeue_q[queue*3 +: 3];
    wire [2:0]  told    = silent_q[queue] ? DEQUEUE_NONE : type_of;
    wire [31:0] strobed = {{8{access_strobe[3]}}, {8{access_strobe[2]}}, {8{access_strobe[1]}}, {8{access_strobe[0]}}};
    wire [31:0] enabled = strobed & ~`TOTEM_REG_QUEUE_KEPT(dword);
    wire [31:0] control = data & enabled;
    wire [31:0] merged  = (view_value & ~enabled) | control;

    // A step of a mapping.
    wire [31:0] map_low;
    wire [5:0]  map_size, map_dword;
    wire        map_quiet, map_needs, map_described, map_ends, map_last, map_send;
    wire [4:0]  map_error, map_kind;
    wire [39:0] map_word;
    totem_hqd_map map (
        .step(step_q), .data(ram_read_data), .failed(error_q != 5'd0), .poll_once(poll_once[queue]),
        .spare(fence_spare[queue]), .above(settings_address_high[fe_number*8 +: 8]), .low(low_q), .size(size_q),
        .quiet(quiet_q), .needs(needs_q),
        .described(described_q),
        .new_low(map_low), .new_size(map_size), .new_quiet(map_quiet), .new_needs(map_needs),
        .new_described(map_described), .dword(map_dword), .error(map_error), .ends(map_ends),
        .last(map_last), .send(map_send), .kind(map_kind), .word(map_word));

    // The queues that have left the pipe: mqd saves them if they are dequeued, else they are finished here.
    wire [QUEUES-1:0] out  = (settle_q == 3'd0) ? leaving_q & drain_not_selected : {QUEUES{1'b0}};
    wire [QUEUES-1:0] unasked;
    wire [QUEUES-1:0] saves;
    wire [QUEUES-1:0] moves;
    wire [QUEUES-1:0] free = out & drain_free & ~dequeuing & unasked;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            assign dequeuing[g] = dequeue_q[g*3 +: 3] != DEQUEUE_NONE;
            assign unasked[g]   = request_q[g*3 +: 3] == REQUEST_NONE;
            assign resetting[g] = dequeue_q[g*3 +: 3] == DEQUEUE_RESET;
            assign dropping[g]  = resetting[g] && !later_q[g];
            assign parting[g]   = leaving_q[g] && settle_q == 3'd0
                                  && (dequeue_q[g*3 +: 3] == DEQUEUE_LEAVE || !dequeuing[g] || killing_q[g]);
            assign saves[g]     = (out[g] || !active_q[g]) && dequeuing[g] && unasked[g] && drain_drained[g];
            // The arbiter sees the end of a move one clock later.
            assign moves[g]     = arbiter_move_queue == g[BITS-1:0] && active_q[g] && unasked[g]
                                  && (arbiter_move == MOVE_SAVE || arbiter_move == MOVE_LOAD)
                                  && !(load_valid_q && load_kind_q == LOAD_MOVED);
        end
    endgenerate

    // What a write does.
    wire [4:0]  write_error, write_kind;
    wire [3:0]  write_phase;
    wire [31:0] write_word;
    wire        write_window, write_leaving, write_accepted, write_later, write_settles, write_drains, write_send;
    wire [2:0]  write_dequeue;
    wire [39:0] write_load;
    wire        saving = asked == REQUEST_SAVE || (saves[queue] && active_q[queue] && !moves[queue]);
    totem_hqd_write write (
        .dword(dword), .merged(merged), .control(control), .strobe(access_strobe),
        .bell(access_doorbell || pointer_q), .from_mqd(from_mqd_q), .active(active_q[queue]), .leaving(leaving_q[queue]),
        .request(asked), .saving(saving), .dequeue(type_of), .view_stopped(view_stopped), .view_waiting(view_waiting),
        .error(write_error), .phase(write_phase), .word(write_word), .window(write_window),
        .new_leaving(write_leaving), .new_dequeue(write_dequeue), .accepted(write_accepted),
        .later(write_later), .settles(write_settles), .drains(write_drains), .send(write_send), .kind(write_kind), .load(write_load));

    reg  [BITS-1:0]   finish;
    integer place;
    integer slots;
    always @* begin
        finish = {BITS{1'b0}};
        for (place = QUEUES - 1; place >= 0; place = place - 1)
            if (free[place])
                finish = place[BITS-1:0];
    end

    always @* begin
        phase_d      = phase_q;
        step_d       = step_q;
        addr_d       = addr_q;
        word_d       = word_q;
        low_d        = low_q;
        size_d       = size_q;
        quiet_d      = quiet_q;
        error_d      = error_q;
        active_d     = active_q;
        leaving_d    = leaving_q;
        dequeue_d    = dequeue_q;
        silent_d     = silent_q;
        request_d    = request_q;
        from_mqd_d   = from_mqd_q;
        pointer_d    = pointer_q;
        needs_d      = needs_q;
        described_d  = described_q;
        load_kind_d  = load_kind_q;
        load_data_d  = load_data_q;
        drains_d     = drains_q;
        later_d      = later_q;

        // 1 Jobs
        load_valid_d = 1'b0;
        settle_d     = (settle_q == 3'd0) ? 3'd0 : settle_q - 3'd1;
        // Other queues that leave do not change killing once it is 1.
        killing_d    = resetting & ~(saves & ~moves) & (killing_q | (unasked & ~moves & (out | ~active_q)));
        for (slots = 0; slots < QUEUES; slots = slots + 1) begin
            if (saves[slots])
                request_d[slots*3 +: 3] = active_q[slots] ? REQUEST_SAVE : REQUEST_END;
            if (moves[slots])
                request_d[slots*3 +: 3] = arbiter_move == MOVE_SAVE ? REQUEST_SWITCH_SAVE : REQUEST_SWITCH_LOAD;
        end

        case (phase_q)
        // 2 Sweep
        HQD_SWEEP: begin
            addr_d = addr_q + 1'b1;
            if (&addr_q)
                phase_d = HQD_IDLE;
        end
        // 3 Idle
        HQD_IDLE:
            if (|free) begin
                addr_d     = {finish, `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR};
                word_d    = fetch_rptr[finish*32 +: 32];
                from_mqd_d = 1'b0;
                pointer_d = 1'b0;
                phase_d = HQD_SAVE;
            end else if (access_next_valid) begin
                from_mqd_d = access_next_from_mqd;
                pointer_d  = access_next_pointer;
                addr_d     = {access_next_queue, access_next_dword};
                phase_d    = HQD_READ;
            end
        // 4 Read
        HQD_READ: phase_d = HQD_DECIDE;
        HQD_DECIDE: begin
            error_d = 5'd0;
            // 5 Load word
            if (from_mqd_q && access_load) begin
                word_d  = 32'd0;
                phase_d = HQD_DONE;
                if (dword[4:0] == LOAD_ACTIVE && !active_q[queue] && !access_data[0]) begin
                    if (asked == REQUEST_WINDOW) begin      // nothing was mapped: its one-shot is forgotten
                        load_valid_d = 1'b1;
                        load_kind_d  = LOAD_POLLED;
                        load_data_d  = POLLED_FORGET;
                    end
                    word_d                  = {29'd0, told};
                    dequeue_d[queue*3 +: 3] = DEQUEUE_NONE;
                    killing_d[queue]        = 1'b0;
                end
                if (dword[4:0] == LOAD_MOVED
                    || (dword[4:0] == LOAD_ACTIVE && !(active_q[queue] && (leaving_q[queue] || !access_data[0]))))
                    request_d[queue*3 +: 3] = REQUEST_NONE;     // else when the pointers are in the window
                if (dword[4:0] != LOAD_ACTIVE || (access_data[0] && !leaving_q[queue])) begin
                    load_valid_d = 1'b1;
                    load_kind_d  = dword[4:0];
                    load_data_d  = access_data;
                end else if (active_q[queue]) begin
                    load_valid_d = 1'b1;
                    load_kind_d  = LOAD_ACTIVE;
                    load_data_d  = 40'd0;
                    addr_d[5:0]  = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR;
                    word_d       = fetch_rptr[queue*32 +: 32];
                    phase_d      = HQD_SAVE;
                end
            end else if (!access_write) begin
                word_d  = view_value;
                phase_d = HQD_DONE;
            end else begin
                // 6 Write
                word_d  = write_word;
                error_d = write_error;
                phase_d = write_phase;
                if (write_phase == HQD_RING) begin
                    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL;
                    step_d      = 5'd0;
                end
                if (write_phase == HQD_MAP) begin
                    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE;
                    step_d      = 5'd0;
                end
                if (write_window) begin
                    addr_d[5:0]             = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
                    request_d[queue*3 +: 3] = REQUEST_WINDOW;
                end
                leaving_d[queue]        = write_leaving;
                dequeue_d[queue*3 +: 3] = write_dequeue;
                later_d[queue]          = later_q[queue] || write_later;
                if (write_accepted)
                    silent_d[queue] = host_request_quiet && (type_of == DEQUEUE_NONE || silent_q[queue]);
                if (write_settles)
                    settle_d = 3'd7;
                if (write_drains && drains_q != 16'hffff)
                    drains_d = drains_q + 16'd1;
                load_valid_d = write_send;
                if (write_send) begin
                    load_kind_d = write_kind;
                    load_data_d = write_load;
                end
            end
        end
        // 7 Ring
        HQD_RING: begin             // fetch sees the pointer in step 0
            step_d = step_q + 5'd1;
            if (step_q == 5'd1) begin
                if (access_doorbell && !ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN]) begin
                    error_d = DOORBELL_DISABLED[4:0];
                    phase_d = HQD_DONE;
                end
            end else if (step_q != 5'd0) begin
                phase_d = HQD_DONE;
                if (!fetch_offer_fits)
                    error_d = DOORBELL_RANGE[4:0];
                else begin
                    error_d      = 5'd0;
                    load_valid_d = 1'b1;
                    load_kind_d  = LOAD_WPTR;
                    load_data_d  = {8'd0, word_q};
                end
            end
        end
        // 8 Map
        HQD_MAP: begin
            step_d       = step_q + 5'd1;
            addr_d[5:0]  = map_dword;
            low_d        = map_low;
            size_d       = map_size;
            quiet_d      = map_quiet;
            needs_d      = map_needs;
            described_d  = map_described;
            load_valid_d = map_send;
            if (map_send) begin
                load_kind_d = map_kind;
                load_data_d = map_word;
            end
            if (error_q == 5'd0 && map_error != 5'd0) begin
                error_d = map_error;
                word_d  = ram_read_data;
            end
            if (map_ends)
                phase_d = HQD_DONE;
            if (map_last) begin
                active_d[queue]         = 1'b1;
                request_d[queue*3 +: 3] = described_q ? REQUEST_PRELOAD : REQUEST_NONE;
                phase_d                 = HQD_STORE;
            end
        end
        // 9 Store
        HQD_STORE: phase_d = HQD_DONE;
        // 10 Save
        HQD_SAVE: begin
            addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
            word_d      = fetch_wptr[queue*32 +: 32];
            phase_d     = HQD_SAVED;
        end
        // 11 Saved
        HQD_SAVED: begin
            active_d[queue]  = 1'b0;
            leaving_d[queue] = 1'b0;
            dequeue_d[queue*3 +: 3] = later_q[queue] ? DEQUEUE_RESET : DEQUEUE_NONE;
            request_d[queue*3 +: 3] = REQUEST_NONE;
            killing_d[queue] = 1'b0;
            later_d[queue]   = 1'b0;
            phase_d          = HQD_IDLE;
            if (from_mqd_q) begin
                word_d  = later_q[queue] ? 32'd0 : {29'd0, told};
                error_d = 5'd0;
                phase_d = HQD_DONE;
            end
        end
        // 12 Done
        default: phase_d = HQD_IDLE;
        endcase
    end

    always @(posedge clk) begin
        phase_q      <= phase_d;
        step_q       <= step_d;
        addr_q       <= addr_d;
        word_q       <= word_d;
        low_q        <= low_d;
        size_q       <= size_d;
        quiet_q      <= quiet_d;
        error_q      <= error_d;
        settle_q     <= settle_d;
        active_q     <= active_d;
        leaving_q    <= leaving_d;
        dequeue_q    <= dequeue_d;
        silent_q     <= silent_d;
        request_q    <= request_d;
        killing_q    <= killing_d;
        later_q      <= later_d;
        drains_q     <= drains_d;
        from_mqd_q   <= from_mqd_d;
        pointer_q    <= pointer_d;
        needs_q      <= needs_d;
        described_q  <= described_d;
        load_valid_q <= load_valid_d;
        load_kind_q  <= load_kind_d;
        load_data_q  <= load_data_d;
        if (rst) begin
            phase_q      <= HQD_SWEEP;
            step_q       <= 5'd0;
            addr_q       <= {BITS+6{1'b0}};
            settle_q     <= 3'd0;
            active_q     <= {QUEUES{1'b0}};
            leaving_q    <= {QUEUES{1'b0}};
            dequeue_q    <= {QUEUES*3{1'b0}};
            silent_q     <= {QUEUES{1'b0}};
            request_q    <= {QUEUES*3{1'b0}};
            killing_q    <= {QUEUES{1'b0}};
            later_q      <= {QUEUES{1'b0}};
            drains_q     <= 16'd0;
            from_mqd_q   <= 1'b0;
            pointer_q    <= 1'b0;
            load_valid_q <= 1'b0;
        end
    end

`ifdef FORMAL
`include "totem_hqd_properties.vh"
`endif
endmodule

`default_nettype wire
