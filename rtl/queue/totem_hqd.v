// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: window of the queues of a compute pipe.
//
// Policy    the 56 dwords of a queue live in a RAM; a write is merged into the word read before. A dequeue request
//           waits here until its slot can be saved. Setting ACTIVE reads what a mapping needs, first to check it,
//           then to send it over the load bus, so a refused mapping has changed nothing. Clearing ACTIVE asks the
//           pipe to let go and ends when it has. Who is served next says access, what a dword reads view, what a slot
//           that leaves waits for drain, whether a write pointer fits fetch. See docs/contract/hqd.md.
// Latency   3 or 4 clocks an access, 6 a write pointer, 26 a mapping (contract 2); QUEUES*64 clocks after reset the
//           window is ready.
// Boundary  one access at a time, held until its done; every output comes from state alone.
// Cost      about 160 flip-flops and 10 per queue; the RAM (QUEUES*64 x 32) stands beside the block and may have
//           MEETS 0.
// Twin      cmodel/queue/totem_hqd.c, same names.

`default_nettype none

`include "totem_load.vh"
`include "totem_pm4.vh"
`include "totem_regs.vh"

module totem_hqd #(
    parameter QUEUES = 8,                   // 2, 4 or 8
    parameter EPOCHS = 8                    // from 2: a slot needs one to go on with
) (
    input  wire                        clk,
    input  wire                        rst,
    // access
    input  wire                        access_next_valid,
    input  wire                        access_next_guest,
    input  wire                        access_next_pointer,
    input  wire [$clog2(QUEUES)-1:0]   access_next_queue,
    input  wire [5:0]                  access_next_dword,
    input  wire                        access_write,
    input  wire                        access_doorbell,
    input  wire                        access_load,
    input  wire [3:0]                  access_strobe,
    input  wire [39:0]                 access_data,
    output wire                        guest,
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
    input  wire [QUEUES-1:0]           drain_away,
    input  wire [QUEUES-1:0]           drain_drained,
    input  wire [QUEUES-1:0]           drain_free,
    // host
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
    localparam BITS = $clog2(QUEUES);

    generate
        if ((QUEUES != 2 && QUEUES != 4 && QUEUES != 8) || EPOCHS < 2) begin : check
            totem_hqd_needs_QUEUES_2_4_or_8_and_EPOCHS_from_2 refused ();
        end
    endgenerate

    localparam SWEEP = 4'd0, IDLE = 4'd1, READ = 4'd2, DECIDE = 4'd3, RING = 4'd4, MAP = 4'd5, STORE = 4'd6,
               SAVE = 4'd7, SAVED = 4'd8, DONE = 4'd9;
    localparam KIND_ACTIVE = `TOTEM_LOAD_ACTIVE, KIND_WPTR = `TOTEM_LOAD_WPTR, KIND_POLLED = `TOTEM_LOAD_POLLED,
               KIND_MOVED = `TOTEM_LOAD_MOVED;
    localparam [39:0] FORGET_ONCE = 40'd2;      // of KIND_POLLED: the one-shot of a mapping that was refused
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
    reg [QUEUES*3-1:0] request_q, request_d;
    reg [QUEUES-1:0] killing_q, killing_d;
    reg [QUEUES-1:0] later_q, later_d;
    reg [15:0]       drains_q, drains_d;
    reg              guest_q, guest_d;
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
        load_kind_q = 5'd0;
        load_data_q = 40'd0;
        needs_q     = 1'b0;
        described_q = 1'b0;
    end

    localparam [2:0] NONE = 3'd0, PRELOAD = 3'd1, WINDOW = 3'd2, UNMAP = 3'd3, END = 3'd7;   // jobs of mqd
    localparam [2:0] TO_MEMORY = 3'd5, FROM_MEMORY = 3'd6;                      // of a switch: 4 + arbiter_move
    localparam [2:0] RESET = 3'd2, LEAVE = 3'd4;                                 // types of dequeue request

    wire [BITS-1:0] queue = addr_q[BITS+5:6];
    wire [5:0]      dword = addr_q[5:0];
    wire [31:0]     data  = access_data[31:0];

    assign guest            = guest_q;
    assign pointer          = pointer_q;
    assign shown_queue      = queue;
    assign shown_dword      = dword;
    assign active           = active_q;
    assign dequeue          = dequeue_q;
    assign offer_valid      = (phase_q == RING);
    assign offer_queue      = queue;
    assign offer_wptr       = word_q;
    assign host_done        = (phase_q == DONE) && !guest_q && !pointer_q;
    assign mqd_done         = (phase_q == DONE) && guest_q;
    assign mqd_error        = error_q;
    assign mqd_rdata        = word_q;
    assign poll_done        = (phase_q == DONE) && pointer_q;
    assign poll_error       = error_q;
    assign poll_rdata       = word_q;
    assign request          = request_q;
    assign killing          = killing_q;
    assign drains           = drains_q;
    assign leaving          = leaving_q;
    assign busy             = (|request_q) || (|dequeue_q);
    assign host_error       = error_q;
    assign host_rdata       = word_q;
    assign ram_write_enable = (phase_q == SWEEP) || (phase_q == STORE) || (phase_q == SAVE) || (phase_q == SAVED);
    assign ram_write_addr   = addr_q;
    assign ram_write_data   = (phase_q == SWEEP) ? `TOTEM_REG_QUEUE_RESET(dword) : word_q;
    assign ram_read_enable  = (phase_q == READ) || (phase_q == RING) || (phase_q == MAP);
    assign ram_read_addr    = addr_q;
    assign sequence_read_enable = ram_read_enable;
    assign sequence_read_addr   = {addr_q[BITS+5:6], addr_q[1]};
    assign load_valid       = load_valid_q;
    assign load_queue       = queue;
    assign load_kind        = load_kind_q;
    assign load_data        = load_data_q;

    // The queue of the access.
    wire        mapped   = active_q[queue];
    wire        departs  = leaving_q[queue];
    wire [2:0]  asked    = request_q[queue*3 +: 3];
    wire [2:0]  leave    = dequeue_q[queue*3 +: 3];
    wire [31:0] strobed = {{8{access_strobe[3]}}, {8{access_strobe[2]}}, {8{access_strobe[1]}}, {8{access_strobe[0]}}};
    wire [31:0] enabled = strobed & ~`TOTEM_REG_QUEUE_KEPT(dword);
    wire [31:0] merged  = (view_value & ~enabled) | (data & enabled);

    // A step of a mapping.
    wire [31:0] map_low;
    wire [5:0]  map_size, map_dword;
    wire        map_quiet, map_needs, map_described, map_ends, map_last, map_send;
    wire [4:0]  map_error, map_kind;
    wire [39:0] map_word;
    totem_hqd_map map (
        .step(step_q), .data(ram_read_data), .failed(error_q != 5'd0), .empty(poll_once[queue]),
        .spare(fence_spare[queue]), .low(low_q), .size(size_q), .quiet(quiet_q), .needs(needs_q),
        .described(described_q),
        .new_low(map_low), .new_size(map_size), .new_quiet(map_quiet), .new_needs(map_needs),
        .new_described(map_described), .dword(map_dword), .error(map_error), .ends(map_ends),
        .last(map_last), .send(map_send), .kind(map_kind), .word(map_word));

    // The queues that have left the pipe: saved by mqd if dequeued, else finished here, the lowest first.
    wire [QUEUES-1:0] out  = (settle_q == 3'd0) ? leaving_q & drain_away : {QUEUES{1'b0}};
    wire [QUEUES-1:0] unasked;
    wire [QUEUES-1:0] saves;
    wire [QUEUES-1:0] moves;                // a move of the arbiter waits for mqd
    wire [QUEUES-1:0] free = out & drain_free & ~dequeuing & unasked;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            assign dequeuing[g] = dequeue_q[g*3 +: 3] != 3'd0;
            assign unasked[g]   = request_q[g*3 +: 3] == NONE;
            assign resetting[g] = dequeue_q[g*3 +: 3] == RESET;
            assign dropping[g]  = resetting[g] && !later_q[g];
            assign parting[g]   = leaving_q[g] && settle_q == 3'd0
                                  && (dequeue_q[g*3 +: 3] == LEAVE || !dequeuing[g] || killing_q[g]);
            assign saves[g]     = (out[g] || !active_q[g]) && dequeuing[g] && unasked[g] && drain_drained[g];
            // The arbiter sees the end of a move one clock after it has gone out.
            assign moves[g]     = arbiter_move_queue == g[BITS-1:0] && (arbiter_move == 2'd1 || arbiter_move == 2'd2)
                                  && active_q[g] && unasked[g] && !(load_valid_q && load_kind_q == KIND_MOVED);
        end
    endgenerate

    // What a write does.
    wire [4:0]  write_error, write_kind;
    wire [1:0]  write_action;
    wire [31:0] write_word;
    wire        write_window, write_departs, write_later, write_settles, write_drains, write_send;
    wire [2:0]  write_leave;
    wire [39:0] write_load;
    wire        saving = asked == UNMAP || (saves[queue] && mapped && !moves[queue]);
    totem_hqd_write write (
        .dword(dword), .merged(merged), .control(data & enabled), .strobe(access_strobe),
        .bell(access_doorbell || pointer_q), .by_mqd(guest_q), .mapped(mapped), .departs(departs), .asked(asked),
        .saving(saving), .leave(leave), .stopped(view_stopped), .waiting(view_waiting), .error(write_error),
        .action(write_action), .word(write_word), .window(write_window), .new_departs(write_departs),
        .new_leave(write_leave), .later(write_later), .settles(write_settles), .drains(write_drains), .send(write_send),
        .kind(write_kind), .load(write_load));

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
        settle_d     = (settle_q == 3'd0) ? 3'd0 : settle_q - 3'd1;
        active_d     = active_q;
        leaving_d    = leaving_q;
        dequeue_d    = dequeue_q;
        request_d    = request_q;
        guest_d      = guest_q;
        pointer_d    = pointer_q;
        needs_d      = needs_q;
        described_d  = described_q;
        load_valid_d = 1'b0;
        load_kind_d  = load_kind_q;
        load_data_d  = load_data_q;

        // Once it is up, others that leave do not touch it.
        killing_d    = resetting & ~(saves & ~moves) & (killing_q | (unasked & ~moves & (out | ~active_q)));
        drains_d     = drains_q;
        later_d      = later_q;

        for (slots = 0; slots < QUEUES; slots = slots + 1)
            if (saves[slots])
                request_d[slots*3 +: 3] = active_q[slots] ? UNMAP : END;
        for (slots = 0; slots < QUEUES; slots = slots + 1)
            if (moves[slots])
                request_d[slots*3 +: 3] = arbiter_move == 2'd1 ? TO_MEMORY : FROM_MEMORY;

        case (phase_q)
        SWEEP: begin
            addr_d = addr_q + 1'b1;
            if (&addr_q)
                phase_d = IDLE;
        end
        IDLE:
            if (|free) begin
                addr_d  = {finish, `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR};
                word_d  = fetch_rptr[finish*32 +: 32];
                guest_d = 1'b0;
                pointer_d = 1'b0;
                phase_d = SAVE;
            end else if (access_next_valid) begin
                guest_d   = access_next_guest;
                pointer_d = access_next_pointer;
                addr_d    = {access_next_queue, access_next_dword};
                phase_d   = READ;
            end
        READ: phase_d = DECIDE;
        DECIDE: begin
            error_d = 5'd0;
            if (guest_q && access_load) begin
                word_d  = 32'd0;
                phase_d = DONE;
                if (dword[4:0] == KIND_ACTIVE && !mapped && !access_data[0]) begin
                    if (asked == WINDOW) begin      // nothing was mapped: its one-shot is forgotten
                        load_valid_d = 1'b1;
                        load_kind_d  = KIND_POLLED;
                        load_data_d  = FORGET_ONCE;
                    end
                    word_d                  = {29'd0, leave};
                    dequeue_d[queue*3 +: 3] = 3'd0;
                    killing_d[queue]        = 1'b0;
                end
                if (dword[4:0] == KIND_MOVED
                    || (dword[4:0] == KIND_ACTIVE && !(mapped && (departs || !access_data[0]))))
                    request_d[queue*3 +: 3] = NONE;     // else when the pointers are in the window
                if (dword[4:0] != KIND_ACTIVE || (access_data[0] && !departs)) begin
                    load_valid_d = 1'b1;
                    load_kind_d  = dword[4:0];
                    load_data_d  = access_data;
                end else if (mapped) begin
                    load_valid_d = 1'b1;
                    load_kind_d  = KIND_ACTIVE;
                    load_data_d  = 40'd0;
                    addr_d[5:0]  = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR;
                    word_d       = fetch_rptr[queue*32 +: 32];
                    phase_d      = SAVE;
                end
            end else if (!access_write) begin
                word_d  = view_value;
                phase_d = DONE;
            end else begin
                word_d  = write_word;
                error_d = write_error;
                case (write_action)
                    2'd0: phase_d = DONE;
                    2'd1: phase_d = STORE;
                    2'd2: begin
                        addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL;
                        step_d      = 5'd0;
                        phase_d     = RING;
                    end
                    default: begin
                        addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE;
                        step_d      = 5'd0;
                        phase_d     = MAP;
                    end
                endcase
                if (write_window) begin
                    addr_d[5:0]             = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
                    request_d[queue*3 +: 3] = WINDOW;
                end
                leaving_d[queue]        = write_departs;
                dequeue_d[queue*3 +: 3] = write_leave;
                later_d[queue]          = later_q[queue] || write_later;
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
        RING: begin             // fetch sees the pointer in the first of the three clocks
            step_d = step_q + 5'd1;
            if (step_q == 5'd1) begin
                if (access_doorbell && !ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN]) begin
                    error_d = DOORBELL_DISABLED[4:0];
                    phase_d = DONE;
                end
            end else if (step_q != 5'd0) begin
                phase_d = DONE;
                if (!fetch_offer_fits)
                    error_d = DOORBELL_RANGE[4:0];
                else begin
                    error_d      = 5'd0;
                    load_valid_d = 1'b1;
                    load_kind_d  = KIND_WPTR;
                    load_data_d  = {8'd0, word_q};
                end
            end
        end
        MAP: begin
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
                phase_d = DONE;
            if (map_last) begin
                active_d[queue]         = 1'b1;
                request_d[queue*3 +: 3] = described_q ? PRELOAD : NONE;
                phase_d                 = STORE;
            end
        end
        STORE: phase_d = DONE;
        SAVE: begin
            addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
            word_d      = fetch_wptr[queue*32 +: 32];
            phase_d     = SAVED;
        end
        SAVED: begin
            active_d[queue]  = 1'b0;
            leaving_d[queue] = 1'b0;
            dequeue_d[queue*3 +: 3] = later_q[queue] ? RESET : 3'd0;
            request_d[queue*3 +: 3] = NONE;
            killing_d[queue] = 1'b0;
            later_d[queue]   = 1'b0;
            phase_d          = IDLE;
            if (guest_q) begin
                word_d  = later_q[queue] ? 32'd0 : {29'd0, leave};
                error_d = 5'd0;
                phase_d = DONE;
            end
        end
        default: phase_d = IDLE;
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
        request_q    <= request_d;
        killing_q    <= killing_d;
        later_q      <= later_d;
        drains_q     <= drains_d;
        guest_q      <= guest_d;
        pointer_q    <= pointer_d;
        needs_q      <= needs_d;
        described_q  <= described_d;
        load_valid_q <= load_valid_d;
        load_kind_q  <= load_kind_d;
        load_data_q  <= load_data_d;
        if (rst) begin
            phase_q      <= SWEEP;
            step_q       <= 5'd0;
            addr_q       <= {BITS+6{1'b0}};
            settle_q     <= 3'd0;
            active_q     <= {QUEUES{1'b0}};
            leaving_q    <= {QUEUES{1'b0}};
            dequeue_q    <= {QUEUES*3{1'b0}};
            request_q    <= {QUEUES*3{1'b0}};
            killing_q    <= {QUEUES{1'b0}};
            later_q      <= {QUEUES{1'b0}};
            drains_q     <= 16'd0;
            guest_q      <= 1'b0;
            pointer_q    <= 1'b0;
            load_valid_q <= 1'b0;
        end
    end

`ifdef FORMAL
    // Contract 1: an access that ends with an error has sent nothing over the load bus, but that the one-shot of a
    //             refused mapping is forgotten.
    // Contract 2: an access ends at most 26 clocks after host_valid, 25 after READ, whatever the neighbours do.
    // Contract 3: a queue becomes active only by the last word of its mapping, or with a request to preload it, and
    //             stops being so only after it has left, or by the end of its job.
    // Contract 4: the RAM is never read and written in one clock (it needs no MEETS).
    // Contract 5: a reset that is pending ends only with the word to mqd that makes its interrupt, and with nothing
    //             of the slot active.
    // Contract 6: a slot is saved, becomes free without a save, or ends its reset, only when drain has said so.
    // Contract 7: killing rises once in a reset, and falls only when job 3 or 7 is asked for.
    // Contract 8: a mapping reads, checks and sends the dwords of the window in their order; its first error counts.
    // Contract 9: a job is asked for when the request of a slot may be served, or the arbiter moves its queue and no
    //             end of a move is on its way.
    // Contract 10: a cleared ACTIVE takes the place of a request that waits, but of no reset and of no save.
    // Contract 11: drains counts requests of type 3, up to 0xFFFF.
    initial assume (rst);
    reg            f_sent = 1'b0;           // the access has sent a word
    reg [4:0]      f_age  = 5'd0;           // clocks since it was taken up
    reg            f_was  = 1'b0;           // the values of the clock before are known
    reg [QUEUES-1:0] f_active, f_leaving, f_unasked, f_resetting, f_drained, f_free, f_killing;
    reg [QUEUES-1:0] f_over = {QUEUES{1'b0}};       // killing has fallen in this reset
    integer f;
    wire [BITS-1:0]  f_slot   = addr_q[BITS+5:6];       // of the access
    wire [2:0]       f_asked  = request_q[f_slot*3 +: 3];
    wire [2:0]       f_type   = dequeue_q[f_slot*3 +: 3];
    wire             f_mapped = active_q[f_slot];
    wire             f_forgets = load_valid_q && load_kind_q == KIND_POLLED && load_data_q == FORGET_ONCE;

    // Jobs, and killing, in the next clock, if the access that is under way does not change them (f_touches).
    reg [QUEUES*3-1:0] f_job, f_job_was, f_dequeue;
    reg [QUEUES-1:0] f_kills, f_kills_was, f_touches, f_touched;
    reg              f_three;                           // a request of type 3 has come
    reg [15:0]       f_drains;
    always @* begin
        f_job     = request_q;
        f_kills   = {QUEUES{1'b0}};
        f_touches = {QUEUES{1'b0}};
        f_three   = 1'b0;
        for (f = 0; f < QUEUES; f = f + 1) begin
            if (request_q[f*3 +: 3] == 3'd0) begin
                if (active_q[f] && dequeue_q[f*3 +: 3] != 3'd0 && leaving_q[f] && drain_away[f] && settle_q == 3'd0
                    && drain_drained[f])
                    f_job[f*3 +: 3] = 3'd3;
                if (!active_q[f] && dequeue_q[f*3 +: 3] != 3'd0 && drain_drained[f])
                    f_job[f*3 +: 3] = 3'd7;
                if (active_q[f] && arbiter_move_queue == f[BITS-1:0] && !(load_valid && load_kind == 5'd16)) begin
                    if (arbiter_move == 2'd1) f_job[f*3 +: 3] = 3'd5;
                    if (arbiter_move == 2'd2) f_job[f*3 +: 3] = 3'd6;
                end
                f_kills[f] = f_job[f*3 +: 3] == 3'd0 && ((leaving_q[f] && drain_away[f] && settle_q == 3'd0)
                                                         || !active_q[f]);
            end
            if (killing_q[f] && f_job[f*3 +: 3] != 3'd3 && f_job[f*3 +: 3] != 3'd7)
                f_kills[f] = 1'b1;
            if (dequeue_q[f*3 +: 3] != 3'd2)
                f_kills[f] = 1'b0;
            if (f_slot == f[BITS-1:0] && (phase_q == DECIDE || phase_q == MAP || phase_q == SAVED))
                f_touches[f] = 1'b1;
            if (dequeue_q[f*3 +: 3] == 3'd3 && f_dequeue[f*3 +: 3] != 3'd3)
                f_three = 1'b1;
        end
    end

    // A write that clears ACTIVE.
    wire f_clears   = phase_q == DECIDE && access_write && !(guest_q && access_load) && !access_doorbell && !pointer_q
                      && addr_q[5:0] == 6'd2 && !(access_strobe[0] ? access_data[0] : view_value[0]);
    wire f_waiting  = (f_type == 3'd1 || f_type == 3'd3 || f_type == 3'd4) && f_job[f_slot*3 +: 3] != 3'd3;
    wire f_replaces = f_clears && f_mapped && (!leaving_q[f_slot] || f_waiting);
    reg  f_cleared, f_replaced, f_tells, f_was_active;
    reg [2:0] f_was_type;

    // A mapping: dwords to be read, by step; what it has read; the word that it sends, and the error of this step.
    localparam [125:0] F_READS = {6'd2, 6'd15, 6'd5, 6'd7, 6'd1, 6'd0, 6'd12, 6'd11, 6'd54, 6'd10, 6'd17, 6'd8, 6'd54,
                                  6'd10, 6'd1, 6'd0, 6'd53, 6'd21, 6'd17, 6'd5, 6'd4};
    wire [31:0] f_data  = ram_read_data;
    wire [31:0] f_ahead = f_data - f_low;
    wire        f_empty = poll_once[f_slot];
    reg         f_needs, f_described, f_quiet;
    reg  [5:0]  f_size;
    reg  [31:0] f_low;
    reg  [4:0]  f_first = 5'd0;
    reg  [7:0]  f_fails;
    reg  [45:0] f_sends, f_send;                        // {valid, kind, data}
    reg         f_map = 1'b0;
    reg  [4:0]  f_step;
    always @* begin
        f_fails = 8'd0;
        f_sends = 46'd0;
        case (step_q)
            5'd1:  if (f_data[31] && !f_data[0]) f_fails = `TOTEM_ERROR_HOST_MAP_STATE;
            5'd2:  if (&f_data[1:0]) f_fails = `TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY;
            5'd3:
                if (f_data[26] || f_data[25]) f_fails = `TOTEM_ERROR_HOST_MAP_AQL;
                else if (f_data[5:0] <= 6'd2 || f_data[5:0] >= 6'd31) f_fails = `TOTEM_ERROR_HOST_MAP_QUEUE_SIZE;
            5'd5:  if (f_data != 32'd0) f_fails = `TOTEM_ERROR_HOST_MAP_AQL;
            5'd6:  if (f_data[2:0] != 3'd0) f_fails = `TOTEM_ERROR_HOST_MAP_MQD;
            5'd7:  if (f_needs && !f_described && f_data[7:0] == 8'd0) f_fails = `TOTEM_ERROR_HOST_MAP_STATE;
            5'd9: begin
                if (!fence_spare[f_slot]) f_fails = `TOTEM_ERROR_HOST_MAP_NO_EPOCH;
                if (!f_empty && {1'b0, f_ahead} > (33'd2 << f_size[4:0])) f_fails = `TOTEM_ERROR_HOST_MAP_POINTERS;
                if (f_first != 5'd0 || f_fails != 8'd0) f_sends = {1'b1, 5'd15, 40'd2};
            end
            5'd10: f_sends = {1'b1, 5'd4, f_data, 8'd0};
            5'd11: f_sends = {1'b1, 5'd5, 8'd0, f_data};
            5'd12: f_sends = {1'b1, 5'd6, 8'd0, f_data};
            5'd13: f_sends = {1'b1, 5'd7, 8'd0, f_empty ? f_low : f_data};
            5'd15: f_sends = {1'b1, 5'd8, f_quiet ? 40'd0 : {f_data[7:0], f_low[31:2], 2'd0}};
            5'd17: f_sends = {1'b1, 5'd9, f_data[7:0], f_low[31:2], 2'd0};
            5'd18: f_sends = {1'b1, 5'd3, 8'd0, f_data};
            5'd19: f_sends = {1'b1, 5'd2, 38'd0, f_data[1:0]};
            5'd20: f_sends = {1'b1, 5'd15, 39'd0, !f_data[30]};
            5'd21: if (!f_described) f_sends = {1'b1, 5'd0, 40'd1};
            default: ;
        endcase
    end

    always @(posedge clk) begin
        f_job_was    <= f_job;
        f_kills_was  <= f_kills;
        f_touched    <= f_touches;
        f_dequeue    <= dequeue_q;
        f_drains     <= drains_q;
        f_cleared    <= f_clears;
        f_replaced   <= f_replaces;
        f_tells      <= f_replaces && f_asked != PRELOAD;
        f_was_active <= f_mapped;
        f_was_type   <= f_type;
        f_map        <= !rst && phase_q == MAP;
        f_step       <= step_q;
        f_send       <= f_sends;
        f_first      <= (rst || phase_q != MAP) ? 5'd0 : (f_first != 5'd0) ? f_first : f_fails[4:0];
        if (phase_q == MAP)
            case (step_q)
                5'd1: f_needs <= f_data[0];
                5'd3: {f_size, f_quiet} <= {f_data[5:0], f_data[27]};
                5'd4: if (f_data[31]) f_needs <= 1'b1;
                5'd6: f_described <= |f_data;
                5'd7: if (f_data[7:0] != 8'd0) f_described <= 1'b1;
                5'd8, 5'd14, 5'd16: f_low <= f_data;
                default: ;
            endcase
        f_sent    <= (phase_d != IDLE) && (f_sent || load_valid_q);
        f_age     <= (phase_q == READ || phase_q == DECIDE || phase_q == RING || phase_q == MAP || phase_q == STORE) ?
                     f_age + 5'd1 : 5'd0;
        f_was     <= !rst;
        f_active  <= active_q;
        f_leaving <= leaving_q;
        f_resetting <= resetting;
        f_drained <= drain_drained;
        f_free    <= drain_free & drain_away;
        f_killing <= killing_q;
        for (f = 0; f < QUEUES; f = f + 1)
            f_unasked[f] <= request_q[f*3 +: 3] == 3'd0;
        for (f = 0; f < QUEUES; f = f + 1)
            f_over[f] <= (f_over[f] || (killing_q[f] && !killing_d[f])) && dequeue_d[f*3 +: 3] == RESET;
        if (rst) begin
            f_sent <= 1'b0;
            f_age  <= 5'd0;
            f_over <= {QUEUES{1'b0}};
        end

        // A load word of mqd belongs to a job; MOVED ends the jobs of a switch, ACTIVE the others, as 0 a reset.
        if (!rst && guest_q && access_load && phase_q == DECIDE) begin
            assume (f_asked != NONE);
            assume (addr_q[4:0] != KIND_MOVED || f_asked == TO_MEMORY || f_asked == FROM_MEMORY);
            assume (addr_q[4:0] != KIND_ACTIVE
                    || (f_asked != TO_MEMORY && f_asked != FROM_MEMORY && (f_asked != END || !access_data[0])));
        end

        if (!rst) begin
            if (phase_q == DONE && error_q != 5'd0) assert (!f_sent && (!load_valid_q || f_forgets));        // 1
            assert (f_age <= 5'd25);                                                                        // 2
            if (f_was) assert ((active_q & ~f_active) == 0
                               || (((load_valid_q && load_kind_q == KIND_ACTIVE && load_data_q[0])
                                    || f_asked == PRELOAD)
                                   && (active_q & ~f_active) == ({{QUEUES-1{1'b0}}, 1'b1} << f_slot)));    // 3
            if (f_was) assert ((f_active & ~active_q & ~f_leaving & f_unasked) == 0);   // 3
            assert (!(ram_write_enable && ram_read_enable));                                                // 4
            if (f_was && (f_resetting & ~resetting) != 0)
                assert (phase_q == DONE && guest_q && word_q == {29'd0, RESET} && !f_mapped
                        && (f_resetting & ~resetting) == ({{QUEUES-1{1'b0}}, 1'b1} << f_slot));         // 5

            if (f_was && phase_q == SAVE && !guest_q) assert (f_free[f_slot]);                              // 6
            for (f = 0; f < QUEUES; f = f + 1)
                if (f_was && f_unasked[f] && (request_q[f*3 +: 3] == UNMAP || request_q[f*3 +: 3] == END))
                    assert (f_drained[f]);

            for (f = 0; f < QUEUES; f = f + 1)
                if (f_was && f_killing[f] && !killing_q[f])
                    assert (f_unasked[f] && (request_q[f*3 +: 3] == UNMAP || request_q[f*3 +: 3] == END));  // 7
            assert ((f_over & killing_q) == 0);                                                             // 7

            if (f_was && phase_q == MAP)
                assert (shown_dword == ((step_q > 5'd20) ? 6'd2 : F_READS[step_q*6 +: 6]) && error_q == f_first);   // 8
            if (f_was && f_map)
                assert (load_valid == f_send[45] && (!load_valid || {load_kind, load_data} == f_send[44:0]));       // 8
            if (f_was && f_map && f_step == 5'd9 && f_first != 5'd0)
                assert (phase_q == DONE && error_q == f_first);    // 8
            if (f_was && f_map && f_step < 5'd21 && (f_step != 5'd9 || f_first == 5'd0))
                assert (phase_q == MAP && step_q == f_step + 5'd1);                                         // 8
            if (f_was && f_map && f_step == 5'd21)
                assert (f_mapped && f_asked == (f_described ? 3'd1 : 3'd0));                                // 8
            for (f = 0; f < QUEUES; f = f + 1)
                if (f_was && !f_touched[f])
                    assert (request_q[f*3 +: 3] == f_job_was[f*3 +: 3] && killing_q[f] == f_kills_was[f]);  // 9, 7
            if (f_was && f_cleared)
                assert (leaving_q[f_slot] == f_was_active && f_type == (f_replaced ? 3'd0 : f_was_type)
                        && load_valid == f_tells && (!load_valid || {load_kind, load_data} == 45'd0));      // 10
            if (f_was) assert (drains == ((f_three && f_drains != 16'hffff) ? f_drains + 16'd1 : f_drains));       // 11

            // Helpers.
            if (phase_q == MAP && step_q > 5'd1) assert (needs_q == f_needs);
            if (phase_q == MAP && step_q > 5'd3) assert (quiet_q == f_quiet && size_q == f_size);
            if (phase_q == MAP && step_q > 5'd3 && f_first == 5'd0) assert (f_size > 6'd2 && f_size < 6'd31);
            if (phase_q == MAP && step_q > 5'd6) assert (described_q == f_described);
            if (phase_q == MAP && step_q > 5'd8) assert (low_q == f_low);
            assert (phase_q <= DONE);
            assert ((leaving_q & ~active_q) == 0);
            if (phase_q == SAVE || phase_q == SAVED)
                assert (f_mapped && (leaving_q[f_slot] || f_asked != 3'd0) && (guest_q || f_type == 3'd0));
            for (f = 0; f < QUEUES; f = f + 1) begin
                assert (!dequeuing[f] || leaving_q[f] || (resetting[f] && !active_q[f]));
                assert (request_q[f*3 +: 3] == NONE
                        || active_q[f] == (request_q[f*3 +: 3] != WINDOW && request_q[f*3 +: 3] != END));
                assert (dequeue_q[f*3 +: 3] <= LEAVE);
                assert (request_q[f*3 +: 3] != 3'd4);
                assert (request_q[f*3 +: 3] != UNMAP || dequeuing[f]);
                assert (request_q[f*3 +: 3] != END || resetting[f]);
                assert (request_q[f*3 +: 3] != WINDOW || !dequeuing[f]);
                assert (!killing_q[f] || (resetting[f] && request_q[f*3 +: 3] != UNMAP && request_q[f*3 +: 3] != END));
                assert (!killing_q[f] || request_q[f*3 +: 3] != PRELOAD);
                assert (!f_over[f] || (resetting[f] && !later_q[f]
                                       && (request_q[f*3 +: 3] == UNMAP || request_q[f*3 +: 3] == END)));
                assert (!(killing_q[f] && f == f_slot && (phase_q == SAVE || phase_q == SAVED)));
                assert (!later_q[f] || (request_q[f*3 +: 3] == UNMAP && resetting[f]));
            end
            if (phase_q == RING) assert (step_q <= 5'd2 && f_age == step_q + 5'd2 && error_q == 5'd0);
            if (phase_q == MAP) assert (step_q <= 5'd21 && f_age == step_q + 5'd2 && !f_mapped && f_type == 3'd0);
            if (phase_q == MAP && step_q >= 5'd10) assert (error_q == 5'd0);
            if (phase_q == STORE) assert (error_q == 5'd0 && f_age <= 5'd24);
            if (phase_q == READ || phase_q == IDLE || phase_q == SWEEP || phase_q == SAVED) assert (f_age == 5'd0);
            if (phase_q == SAVE) assert (f_age == 5'd0 || guest_q);
            if (phase_q == DECIDE) assert (f_age == 5'd1);
            if (f_sent || load_valid_q)
                assert (phase_q == STORE || (phase_q == MAP && step_q > 5'd10) || phase_q == DONE || phase_q == IDLE
                        || ((phase_q == SAVE || phase_q == SAVED) && guest_q));
            if ((f_sent || (load_valid_q && !f_forgets)) && phase_q == DONE) assert (error_q == 5'd0);
            if (phase_q == IDLE) assert (!f_sent && !load_valid_q);
            cover (phase_q == DONE && f_sent && f_mapped);
        end
    end
`endif
endmodule

`default_nettype wire
