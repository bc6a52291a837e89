// SPDX-License-Identifier: Apache-2.0
//
// totem_hqd: host window of the queues of a compute pipe.
//
// Policy    the 56 dwords of a queue live in a RAM; a write is merged into the word read before. A dequeue request waits here until its slot can be saved. Setting ACTIVE reads
//           what a mapping needs, first to check it, then to send it over the load bus, so a refused mapping has
//           changed nothing. Clearing ACTIVE asks the pipe to let go and ends when it has. See docs/contract/hqd.md.
// Latency   3 or 4 clocks an access, 6 a write pointer, 26 a mapping (contract 2); QUEUES*64 clocks after reset the window is ready.
// Boundary  one access at a time, of the host, of mqd (the guest) or of poll, in turn, held until its done; every output comes from state alone.
// Cost      about 160 flip-flops and 10 per queue; the RAM (QUEUES*64 x 32) stands beside the block and may have MEETS 0.
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
    // host
    input  wire                        host_valid,
    input  wire                        host_write,
    input  wire                        host_doorbell,
    input  wire [2:0]                  host_queue,
    input  wire [7:0]                  host_dword,
    input  wire [3:0]                  host_strobe,
    input  wire [31:0]                 host_data,
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
    input  wire                        arbiter_selected_valid,
    input  wire [$clog2(QUEUES)-1:0]   arbiter_selected,
    input  wire [QUEUES-1:0]           arbiter_active,
    input  wire [QUEUES-1:0]           arbiter_ready,
    input  wire [QUEUES*4-1:0]         arbiter_queue_priority,
    input  wire [1:0]                  arbiter_move,
    input  wire [$clog2(QUEUES)-1:0]   arbiter_move_queue,
    // fetch
    input  wire [QUEUES-1:0]           fetch_pending,
    input  wire [QUEUES-1:0]           fetch_line,
    input  wire [QUEUES*32-1:0]        fetch_rptr,
    input  wire [QUEUES*32-1:0]        fetch_wptr,
    input  wire [QUEUES-1:0]           fetch_reporting,
    // packet
    input  wire [QUEUES-1:0]           packet_unfinished,
    input  wire [QUEUES-1:0]           packet_halted,
    input  wire [QUEUES-1:0]           packet_wait_flush,
    input  wire [QUEUES-1:0]           packet_wait_epoch,
    // poll
    input  wire [QUEUES-1:0]           poll_waiting,
    input  wire [QUEUES-1:0]           poll_polled,
    input  wire [QUEUES-1:0]           poll_once,
    input  wire                        poll_access_valid,
    input  wire                        poll_access_write,
    input  wire [$clog2(QUEUES)-1:0]   poll_access_queue,
    input  wire [5:0]                  poll_access_dword,
    input  wire [31:0]                 poll_access_data,
    output wire                        poll_done,
    output wire [4:0]                  poll_error,
    output wire [31:0]                 poll_rdata,
    // fence
    input  wire [QUEUES*16-1:0]        fence_waves,
    input  wire [QUEUES-1:0]           fence_room,
    input  wire [QUEUES-1:0]           fence_flushed,
    input  wire [QUEUES-1:0]           fence_idle,
    input  wire [QUEUES-1:0]           fence_settled,
    // kill
    input  wire [QUEUES-1:0]           kill_ended,
    output wire [QUEUES-1:0]           killing,
    // record
    input  wire [QUEUES-1:0]           record_busy,
    input  wire [QUEUES-1:0]           record_top_pending,
    input  wire [QUEUES-1:0]           record_end_pending,
    output wire                        sequence_read_enable,
    output wire [$clog2(QUEUES):0]     sequence_read_addr,
    input  wire [31:0]                 sequence_read_data,
    // mqd
    input  wire                        mqd_access_valid,
    input  wire [1:0]                  mqd_access_kind,
    input  wire [$clog2(QUEUES)-1:0]   mqd_access_queue,
    input  wire [5:0]                  mqd_access_dword,
    input  wire [39:0]                 mqd_access_data,
    output wire                        mqd_done,
    output wire [4:0]                  mqd_error,
    output wire [31:0]                 mqd_rdata,
    input  wire [QUEUES-1:0]           mqd_behind,
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

    localparam SWEEP = 4'd0, IDLE = 4'd1, READ = 4'd2, DECIDE = 4'd3, RING = 4'd4, MAP = 4'd5, STORE = 4'd6, SAVE = 4'd7,
               SAVED = 4'd8, DONE = 4'd9;
    localparam KIND_ACTIVE = `TOTEM_LOAD_ACTIVE, KIND_QUEUE_PRIORITY = `TOTEM_LOAD_QUEUE_PRIORITY, KIND_PIPE_PRIORITY = `TOTEM_LOAD_PIPE_PRIORITY,
               KIND_PQ_BASE = `TOTEM_LOAD_PQ_BASE, KIND_PQ_CONTROL = `TOTEM_LOAD_PQ_CONTROL,
               KIND_RPTR = `TOTEM_LOAD_RPTR, KIND_WPTR = `TOTEM_LOAD_WPTR, KIND_REPORT = `TOTEM_LOAD_REPORT_ADDR,
               KIND_MQD = `TOTEM_LOAD_MQD_ADDR, KIND_RESUME = `TOTEM_LOAD_RESUME, KIND_SKIP = `TOTEM_LOAD_SKIP,
               KIND_QUANTUM = `TOTEM_LOAD_QUANTUM, KIND_POLLED = `TOTEM_LOAD_POLLED, KIND_MOVED = `TOTEM_LOAD_MOVED;
    localparam [39:0] FORGET_ONCE = 40'd2;      // of KIND_POLLED: the one-shot of a mapping that was refused
    // Error codes of class host, of which the low bits go to the host.
    localparam [7:0] DOORBELL_UNMAPPED = `TOTEM_ERROR_HOST_DOORBELL_UNMAPPED;
    localparam [7:0] READ_ONLY = `TOTEM_ERROR_HOST_READ_ONLY, VALUE = `TOTEM_ERROR_HOST_VALUE;
    localparam [7:0] RESUME = `TOTEM_ERROR_HOST_RESUME, MAP_BUSY = `TOTEM_ERROR_HOST_MAP_BUSY;
    localparam [7:0] LOCKED = `TOTEM_ERROR_HOST_LOCKED, DEQUEUE_TYPE = `TOTEM_ERROR_HOST_DEQUEUE_TYPE;
    localparam [7:0] DEQUEUE = `TOTEM_ERROR_HOST_DEQUEUE, DOORBELL_DISABLED = `TOTEM_ERROR_HOST_DOORBELL_DISABLED;
    localparam [7:0] DOORBELL_RANGE = `TOTEM_ERROR_HOST_DOORBELL_RANGE, MAP_STATE = `TOTEM_ERROR_HOST_MAP_STATE;
    localparam [7:0] MAP_PIPE_PRIORITY = `TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY, MAP_AQL = `TOTEM_ERROR_HOST_MAP_AQL;
    localparam [7:0] MAP_QUEUE_SIZE = `TOTEM_ERROR_HOST_MAP_QUEUE_SIZE, MAP_POINTERS = `TOTEM_ERROR_HOST_MAP_POINTERS;
    localparam [7:0] MAP_NO_EPOCH = `TOTEM_ERROR_HOST_MAP_NO_EPOCH, MAP_MQD = `TOTEM_ERROR_HOST_MAP_MQD;
    // Dwords that can be written while the queue is active; ACTIVE itself has its own rule.
    localparam [63:0] LIVE = `TOTEM_REG_QUEUE_LIVE;

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

    wire unused = &{1'b0, host_queue, host_dword[7:6]};     // high bits: fewer than 8 queues, a window of 64 dwords

    wire [BITS-1:0] queue = addr_q[BITS+5:6];
    wire [5:0]      dword = addr_q[5:0];

    localparam [2:0] NONE = 3'd0, PRELOAD = 3'd1, WINDOW = 3'd2, UNMAP = 3'd3, END = 3'd7;   // jobs of mqd
    localparam [2:0] TO_MEMORY = 3'd5, FROM_MEMORY = 3'd6;                      // of a switch: 4 + arbiter_move
    localparam [2:0] RESET = 3'd2, SAVING = 3'd3, LEAVE = 3'd4;                 // types of dequeue request

    // The access under way.
    wire        is_host  = !guest_q && !pointer_q;
    wire        is_write = guest_q ? mqd_access_kind == 2'd1 : pointer_q ? poll_access_write : host_write;
    wire        doorbell = is_host && host_doorbell;
    wire [3:0]  strobe   = is_host ? host_strobe : 4'hf;
    wire [31:0] data     = guest_q ? mqd_access_data[31:0] : pointer_q ? poll_access_data : host_data;

    // Whose turn it is: the next behind the last one that asks.
    wire        takes_host = host_valid && (pointer_q || (guest_q ? !poll_access_valid : !mqd_access_valid && !poll_access_valid));
    wire        takes_mqd  = mqd_access_valid && (is_host || (pointer_q ? !host_valid : !poll_access_valid && !host_valid));
    wire        takes_poll = poll_access_valid && (guest_q || (is_host ? !mqd_access_valid : !host_valid && !mqd_access_valid));

    assign host_done        = (phase_q == DONE) && is_host;
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

    // What the neighbours say of the queue of the access.
    wire [31:0] rptr     = fetch_rptr[queue*32 +: 32];
    wire [31:0] wptr     = fetch_wptr[queue*32 +: 32];
    wire        active   = active_q[queue];
    wire        departs  = leaving_q[queue];
    wire        halted   = packet_halted[queue] && active;
    wire        flushing = packet_wait_flush[queue] && !fence_flushed[queue];
    wire        lacking  = packet_wait_epoch[queue] && !fence_room[queue];
    wire [2:0]  asked    = request_q[queue*3 +: 3];
    wire [2:0]  leave    = dequeue_q[queue*3 +: 3];
    wire        locked   = asked == WINDOW && !guest_q;    // the window is being loaded
    wire        selected = arbiter_selected_valid && arbiter_selected == queue;
    wire        empty    = poll_once[queue];                // how it is mapped
    wire        waiting  = active && (fetch_pending[queue] || asked == FROM_MEMORY);    // its buffer is open again in a moment
    wire        idle     = fence_idle[queue] && !packet_unfinished[queue] && !waiting;

    reg [3:0] reason;
    always @* begin
        if (killing_q[queue])                                         reason = `TOTEM_REG_QUEUE_STATE_REASON_KILLING;
        else if (asked == PRELOAD && mqd_behind[queue] && !departs)   reason = `TOTEM_REG_QUEUE_STATE_REASON_RECORDS;
        else if ((asked == PRELOAD || asked == WINDOW) && !departs)   reason = `TOTEM_REG_QUEUE_STATE_REASON_MAPPING;
        else if (!active)                                             reason = `TOTEM_REG_QUEUE_STATE_REASON_UNMAPPED;
        else if (departs)                                             reason = `TOTEM_REG_QUEUE_STATE_REASON_LEAVING;
        else if (asked == TO_MEMORY || asked == FROM_MEMORY)          reason = `TOTEM_REG_QUEUE_STATE_REASON_MOVING;
        else if (selected)                                            reason = `TOTEM_REG_QUEUE_STATE_REASON_RUNNING;
        else if (halted)                                              reason = `TOTEM_REG_QUEUE_STATE_REASON_HALTED;
        else if (flushing)                                            reason = `TOTEM_REG_QUEUE_STATE_REASON_FLUSH;
        else if (lacking)                                             reason = `TOTEM_REG_QUEUE_STATE_REASON_EPOCH;
        else if (poll_waiting[queue])                                 reason = `TOTEM_REG_QUEUE_STATE_REASON_WAIT;
        else if (arbiter_ready[queue])                                reason = `TOTEM_REG_QUEUE_STATE_REASON_WAITS_TURN;
        else if (!fetch_pending[queue])                               reason = `TOTEM_REG_QUEUE_STATE_REASON_EMPTY;
        else                                                          reason = `TOTEM_REG_QUEUE_STATE_REASON_LINE;
    end

    reg [31:0] present;
    always @* begin
        present = ram_read_data;
        case (dword)
            `TOTEM_REG_QUEUE_CP_HQD_ACTIVE:     present[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE] = active;
            `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY:
                present[`TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY_PRIORITY_LEVEL] = arbiter_queue_priority[queue*4 +: 4];
            `TOTEM_REG_QUEUE_CP_HQD_QUANTUM:
                present[`TOTEM_REG_QUEUE_CP_HQD_QUANTUM_QUANTUM_ACTIVE] = selected && ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_QUANTUM_QUANTUM_EN];
            `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL: present[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_PQ_EMPTY] = !waiting;
            `TOTEM_REG_QUEUE_CP_HQD_HQ_STATUS0: present[`TOTEM_REG_QUEUE_CP_HQD_HQ_STATUS0_QUEUE_IDLE] = idle;
            `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST: present[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = leave;
            `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR:    if (active) present = rptr;
            `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO: if (active) present = wptr;
            `TOTEM_REG_QUEUE_RPTR:              present = rptr;
            `TOTEM_REG_QUEUE_WPTR:              present = wptr;
            `TOTEM_REG_QUEUE_WAVES:             present = {16'd0, fence_waves[queue*16 +: 16]};
            `TOTEM_REG_QUEUE_STATE:             present = {12'd0, reason, poll_polled[queue] || poll_once[queue], record_end_pending[queue], record_top_pending[queue], poll_waiting[queue],
                                                           fence_room[queue], departs, idle, lacking,
                                                           flushing, halted, packet_unfinished[queue], fetch_line[queue],
                                                           waiting, arbiter_ready[queue], selected, active};
            `TOTEM_REG_QUEUE_SEQUENCE, `TOTEM_REG_QUEUE_SEQUENCE_ENDED: present = sequence_read_data;
            default:                            if (dword[5:2] == 4'd15) present = 32'd0;
        endcase
    end

    wire [31:0] enabled = {{8{strobe[3]}}, {8{strobe[2]}}, {8{strobe[1]}}, {8{strobe[0]}}} & ~`TOTEM_REG_QUEUE_KEPT(dword);
    wire [31:0] merged  = (present & ~enabled) | (data & enabled);
    wire [31:0] control = data & enabled;
    wire [2:0]  asks    = merged[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ];

    // A reset is taken also where another request waits, and in a slot that is not active.
    wire        resets  = dword == `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST && !guest_q && asks == RESET && asked != WINDOW;

    // A ring of 2 << QUEUE_SIZE dwords; how far ahead of the read pointer the new and the old write pointer are.
    wire [31:0] ring    = 32'd2 << ram_read_data[4:0];
    wire [31:0] lead    = word_q - rptr;
    wire [31:0] old     = wptr - rptr;
    wire [31:0] mapped  = 32'd2 << size_q[4:0];
    wire [31:0] distance = ram_read_data - low_q;

    // The queues that have left the pipe: saved by mqd if dequeued, else finished here, the lowest first.
    wire [QUEUES-1:0] held = {{QUEUES-1{1'b0}}, arbiter_selected_valid} << arbiter_selected;
    wire [QUEUES-1:0] out  = (settle_q == 3'd0) ? leaving_q & ~held : {QUEUES{1'b0}};
    wire [QUEUES-1:0] writing = record_busy | fetch_reporting;    // memory has not all of it yet
    wire [QUEUES-1:0] unasked;
    wire [QUEUES-1:0] at_once;              // its waves are not waited for
    wire [QUEUES-1:0] ends;                 // reset, and nothing of it is left
    wire [QUEUES-1:0] saves;
    wire [QUEUES-1:0] moves;                // a move of the arbiter waits for mqd
    wire [QUEUES-1:0] free = out & ~arbiter_active & ~dequeuing & unasked & ~writing;
    genvar g;
    generate
        for (g = 0; g < QUEUES; g = g + 1) begin : slot
            assign dequeuing[g] = dequeue_q[g*3 +: 3] != 3'd0;
            assign unasked[g]   = request_q[g*3 +: 3] == NONE;
            assign at_once[g]   = dequeue_q[g*3 +: 3] == LEAVE;
            assign resetting[g] = dequeue_q[g*3 +: 3] == RESET;
            assign dropping[g]  = resetting[g] && !later_q[g];
            assign ends[g]      = resetting[g] && killing_q[g] && kill_ended[g];
            assign parting[g]   = leaving_q[g] && settle_q == 3'd0 && (at_once[g] || !dequeuing[g] || killing_q[g]);
            assign saves[g]     = (out[g] || !active_q[g]) && dequeuing[g] && unasked[g] && !writing[g]
                                  && (resetting[g] ? ends[g] : at_once[g] || fence_settled[g]);
            // The arbiter sees the end of a move one clock after it has gone out.
            assign moves[g]     = arbiter_move_queue == g[BITS-1:0] && (arbiter_move == 2'd1 || arbiter_move == 2'd2) && active_q[g] && unasked[g]
                                  && !(load_valid_q && load_kind_q == KIND_MOVED);
        end
    endgenerate
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
            end else if (host_valid || mqd_access_valid || poll_access_valid) begin
                guest_d   = takes_mqd;
                pointer_d = takes_poll;
                phase_d   = READ;
                if (takes_host)
                    addr_d = {host_queue[BITS-1:0],
                              host_doorbell ? `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO : host_dword[5:0]};
                else if (takes_mqd)
                    addr_d = {mqd_access_queue, mqd_access_dword};
                else
                    addr_d = {poll_access_queue, poll_access_dword};
            end
        READ: phase_d = DECIDE;
        DECIDE: begin
            error_d = 5'd0;
            if (guest_q && mqd_access_kind[1]) begin
                word_d  = 32'd0;
                phase_d = DONE;
                if (mqd_access_dword[4:0] == KIND_ACTIVE && !active && !mqd_access_data[0]) begin
                    if (asked == WINDOW) begin      // nothing was mapped: its one-shot is forgotten
                        load_valid_d = 1'b1;
                        load_kind_d  = KIND_POLLED;
                        load_data_d  = FORGET_ONCE;
                    end
                    word_d                  = {29'd0, leave};
                    dequeue_d[queue*3 +: 3] = 3'd0;
                    killing_d[queue]        = 1'b0;
                end
                if (mqd_access_dword[4:0] == KIND_MOVED || (mqd_access_dword[4:0] == KIND_ACTIVE && !(active && (departs || !mqd_access_data[0]))))
                    request_d[queue*3 +: 3] = NONE;     // else when the pointers are in the window
                if (mqd_access_dword[4:0] != KIND_ACTIVE || (mqd_access_data[0] && !departs)) begin
                    load_valid_d = 1'b1;
                    load_kind_d  = mqd_access_dword[4:0];
                    load_data_d  = mqd_access_data;
                end else if (active) begin
                    load_valid_d = 1'b1;
                    load_kind_d  = KIND_ACTIVE;
                    load_data_d  = 40'd0;
                    addr_d[5:0]  = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR;
                    word_d       = rptr;
                    phase_d      = SAVE;
                end
            end else if (!is_write) begin
                word_d  = present;
                phase_d = DONE;
            end else begin
                word_d  = merged;
                phase_d = DONE;
                if (doorbell || pointer_q) begin
                    if (!active || departs)
                        error_d = DOORBELL_UNMAPPED[4:0];
                    else begin
                        addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL;
                        step_d      = 5'd0;
                        phase_d     = RING;
                    end
                end else if ((dword >= `TOTEM_REG_QUEUE_RPTR && dword <= `TOTEM_REG_QUEUE_STATE) || dword == `TOTEM_REG_QUEUE_SEQUENCE
                         || dword == `TOTEM_REG_QUEUE_SEQUENCE_ENDED)
                    error_d = READ_ONLY[4:0];
                else if (dword == `TOTEM_REG_QUEUE_MAP) begin
                    if (active || asked != NONE || leave != 3'd0)
                        error_d = MAP_BUSY[4:0];
                    else if (strobe != 4'hf || control[2:0] != 3'd0)
                        error_d = VALUE[4:0];
                    else begin
                        addr_d[5:0] = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
                        word_d      = control;
                        phase_d     = STORE;
                        request_d[queue*3 +: 3] = WINDOW;
                    end
                end
                else if (dword == `TOTEM_REG_QUEUE_CONTROL) begin
                    if (control > 32'd2)
                        error_d = VALUE[4:0];
                    else if (control != 32'd0) begin
                        if (active && !departs && asked != PRELOAD && halted && !selected &&
                            (!control[`TOTEM_REG_QUEUE_CONTROL_SKIP] || waiting)) begin
                            load_valid_d = 1'b1;
                            load_kind_d  = control[`TOTEM_REG_QUEUE_CONTROL_SKIP] ? KIND_SKIP : KIND_RESUME;
                            load_data_d  = 40'd0;
                        end else
                            error_d = RESUME[4:0];
                    end
                end else if (dword == `TOTEM_REG_QUEUE_CP_HQD_ACTIVE && merged[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE]) begin
                    word_d[`TOTEM_REG_QUEUE_CP_HQD_ACTIVE_ACTIVE] = 1'b0;
                    if (departs || locked || leave != 3'd0)
                        error_d = MAP_BUSY[4:0];
                    else if (active)
                        phase_d = STORE;
                    else begin
                        addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE;
                        step_d      = 5'd0;
                        phase_d     = MAP;
                    end
                end else if (dword == `TOTEM_REG_QUEUE_CP_HQD_ACTIVE) begin
                    phase_d = STORE;
                    if (active && (!departs || (leave != 3'd0 && leave != RESET && request_d[queue*3 +: 3] != UNMAP))) begin
                        leaving_d[queue]        = 1'b1;
                        dequeue_d[queue*3 +: 3] = 3'd0;
                        settle_d                = 3'd7;
                        if (asked != PRELOAD) begin
                            load_valid_d = 1'b1;
                            load_kind_d  = KIND_ACTIVE;
                            load_data_d  = 40'd0;
                        end
                    end
                end else if (resets) begin
                    word_d[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = 3'd0;
                    // Of a slot that is being saved it begins when that is done.
                    if (request_d[queue*3 +: 3] == UNMAP && leave != RESET)
                        later_d[queue] = 1'b1;
                    dequeue_d[queue*3 +: 3] = RESET;
                    leaving_d[queue]        = active;
                    if (active && !departs)
                        settle_d = 3'd7;
                    phase_d = STORE;
                end else if (dword == `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST && !guest_q && asks == 3'd0 && departs && leave == 3'd0)
                    phase_d = STORE;        // nothing to be taken back
                else if (!guest_q && (departs || (active && !LIVE[dword]) || asked == WINDOW))
                    error_d = LOCKED[4:0];
                else if (dword == `TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST) begin
                    word_d[`TOTEM_REG_QUEUE_CP_HQD_DEQUEUE_REQUEST_DEQUEUE_REQ] = 3'd0;
                    if (guest_q || asks == 3'd0)
                        phase_d = STORE;
                    else if (asks > 3'd4)
                        error_d = DEQUEUE_TYPE[4:0];
                    else if (!active)
                        error_d = DEQUEUE[4:0];
                    else begin
                        dequeue_d[queue*3 +: 3] = asks;
                        leaving_d[queue]        = 1'b1;
                        settle_d                = 3'd7;
                        phase_d                 = STORE;
                        if (asks == SAVING && drains_q != 16'hffff)
                            drains_d = drains_q + 16'd1;
                    end
                end else if (active && dword == `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY
                         && merged[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY] == 2'd3)
                    error_d = VALUE[4:0];
                else if (active && dword == `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO) begin
                    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL;
                    step_d      = 5'd0;
                    phase_d     = RING;
                end else begin
                    phase_d = STORE;
                    if (active && dword == `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY) begin
                        load_valid_d = 1'b1;
                        load_kind_d  = KIND_PIPE_PRIORITY;
                        load_data_d  = {38'd0, merged[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY]};
                    end
                    if (strobe[0] && dword == `TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY) begin
                        load_valid_d = 1'b1;
                        load_kind_d  = KIND_QUEUE_PRIORITY;
                        load_data_d  = {36'd0, merged[`TOTEM_REG_QUEUE_CP_HQD_QUEUE_PRIORITY_PRIORITY_LEVEL]};
                    end
                    if (active && dword == `TOTEM_REG_QUEUE_CP_HQD_QUANTUM) begin
                        load_valid_d = 1'b1;
                        load_kind_d  = KIND_QUANTUM;
                        load_data_d  = {8'd0, merged};
                    end
                end
            end
        end
        RING: begin
            step_d = step_q + 5'd1;
            if (step_q == 5'd0)
                addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL;
            else if (step_q == 5'd1) begin
                if (doorbell && !ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN]) begin
                    error_d = DOORBELL_DISABLED[4:0];
                    phase_d = DONE;
                end
            end else begin
                phase_d = DONE;
                if (lead > ring || lead < old)
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
            step_d = step_q + 5'd1;
            // In the clock of step n the word of step n - 1 is on ram_read_data.
            case (step_q)
                5'd0:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY;
                5'd1:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL;
                5'd2:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL;
                5'd3:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_AQL_CONTROL;
                5'd4:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
                5'd5:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI;
                5'd6:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR;
                5'd7:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
                5'd8:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_BASE;
                5'd9:    addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL;
                5'd10:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR;
                5'd11:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
                5'd12:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR;
                5'd13:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_RPTR_REPORT_ADDR_HI;
                5'd14:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR;
                5'd15:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_MQD_BASE_ADDR_HI;
                5'd16:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_QUANTUM;
                5'd17:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY;
                5'd18:   addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL;
                default: addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_ACTIVE;
            endcase
            load_valid_d = (step_q >= 5'd10) && (step_q != 5'd14) && (step_q != 5'd16);
            case (step_q)
                5'd0: ;
                5'd1: begin
                    needs_d = ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_PRELOAD_REQ];
                    if (error_q == 5'd0 && !needs_d && ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PERSISTENT_STATE_DISP_ACTIVE])
                        error_d = MAP_STATE[4:0];
                end
                5'd2: if (error_q == 5'd0 && ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PIPE_PRIORITY_PIPE_PRIORITY] == 2'd3)
                    error_d = MAP_PIPE_PRIORITY[4:0];
                5'd3: begin
                    size_d  = ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_QUEUE_SIZE];
                    quiet_d = ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_NO_UPDATE_RPTR];
                    if (error_q == 5'd0) begin
                        if (ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_SLOT_BASED_WPTR] != 2'd0)
                            error_d = MAP_AQL[4:0];
                        else if (ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_QUEUE_SIZE] < 6'd3
                                 || ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL_QUEUE_SIZE] > 6'd30)
                            error_d = MAP_QUEUE_SIZE[4:0];
                    end
                end
                5'd4: if (ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_IB_CONTROL_PROCESSING_IB])
                    needs_d = 1'b1;
                5'd5: if (error_q == 5'd0 && ram_read_data != 32'd0)
                    error_d = MAP_AQL[4:0];
                5'd6: begin
                    described_d = ram_read_data != 32'd0;
                    if (error_q == 5'd0 && ram_read_data[2:0] != 3'd0)
                        error_d = MAP_MQD[4:0];
                end
                5'd7: begin
                    described_d = described_q || ram_read_data[7:0] != 8'd0;
                    if (error_q == 5'd0 && needs_q && !described_d)
                        error_d = MAP_STATE[4:0];
                end
                5'd8, 5'd14, 5'd16: low_d = ram_read_data;
                5'd9: begin
                    if (error_q == 5'd0) begin
                        if (!empty && distance > mapped)
                            error_d = MAP_POINTERS[4:0];
                        else if (!fence_room[queue])
                            error_d = MAP_NO_EPOCH[4:0];
                    end
                    if (error_d != 5'd0) begin
                        load_valid_d = 1'b1;
                        load_kind_d  = KIND_POLLED;
                        load_data_d  = FORGET_ONCE;
                        phase_d      = DONE;
                    end
                end
                5'd10: begin load_kind_d = KIND_PQ_BASE;        load_data_d = {ram_read_data, 8'd0}; end
                5'd11: begin load_kind_d = KIND_PQ_CONTROL;     load_data_d = {8'd0, ram_read_data}; end
                5'd12: begin load_kind_d = KIND_RPTR;           load_data_d = {8'd0, ram_read_data}; end
                5'd13: begin load_kind_d = KIND_WPTR;           load_data_d = {8'd0, empty ? low_q : ram_read_data}; end
                5'd15: begin load_kind_d = KIND_REPORT;         load_data_d = quiet_q ? 40'd0 : {ram_read_data[7:0], low_q[31:2], 2'd0}; end
                5'd17: begin load_kind_d = KIND_MQD;            load_data_d = {ram_read_data[7:0], low_q[31:2], 2'd0}; end
                5'd18: begin load_kind_d = KIND_QUANTUM;        load_data_d = {8'd0, ram_read_data}; end
                5'd19: begin load_kind_d = KIND_PIPE_PRIORITY;  load_data_d = {38'd0, ram_read_data[1:0]}; end
                5'd20: begin load_kind_d = KIND_POLLED;         load_data_d = {39'd0, !ram_read_data[`TOTEM_REG_QUEUE_CP_HQD_PQ_DOORBELL_CONTROL_DOORBELL_EN]}; end
                default: begin
                    load_valid_d    = !described_q;
                    if (!described_q) begin
                        load_kind_d = KIND_ACTIVE;
                        load_data_d = 40'd1;
                    end
                    active_d[queue] = 1'b1;
                    phase_d         = STORE;
                    request_d[queue*3 +: 3] = described_q ? PRELOAD : NONE;
                end
            endcase
            if (error_q == 5'd0 && error_d != 5'd0)
                word_d = ram_read_data;
        end
        STORE: phase_d = DONE;
        SAVE: begin
            addr_d[5:0] = `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO;
            word_d      = wptr;
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
    // Contract 1: an access that ends with an error has sent nothing over the load bus, but that the one-shot of a refused mapping is forgotten.
    // Contract 2: an access ends at most 26 clocks after host_valid, 25 after READ, whatever the neighbours do.
    // Contract 3: a queue becomes active only by the last word of its mapping, or with a request to preload it, and stops being so only
    // after it has left, or by the end of its job.
    // Contract 4: the RAM is never read and written in one clock (it needs no MEETS).
    // Contract 5: a reset that is pending ends only with the word to mqd that makes its interrupt, and with nothing of the slot active.
    // Contract 6: a slot is saved, becomes free without a save, or ends its reset, only when no record or report of its queue is due or under way.
    // Contract 7: killing rises once in a reset, and falls only when job 3 or 7 is asked for.
    initial assume (rst);
    reg            f_sent = 1'b0;           // the access has sent a word
    reg [4:0]      f_age  = 5'd0;           // clocks since it was taken up
    reg            f_was  = 1'b0;           // the values of the clock before are known
    reg [QUEUES-1:0] f_active, f_leaving, f_unasked, f_resetting, f_record, f_report, f_killing, f_saves;
    reg [QUEUES-1:0] f_over = {QUEUES{1'b0}};       // killing has fallen in this reset
    integer f;
    wire             f_forgets = load_valid_q && load_kind_q == KIND_POLLED && load_data_q == FORGET_ONCE;

    always @(posedge clk) begin
        f_sent    <= (phase_d != IDLE) && (f_sent || load_valid_q);
        f_age     <= (phase_q == READ || phase_q == DECIDE || phase_q == RING || phase_q == MAP || phase_q == STORE) ? f_age + 5'd1 : 5'd0;
        f_was     <= !rst;
        f_active  <= active_q;
        f_leaving <= leaving_q;
        f_resetting <= resetting;
        f_unasked <= unasked;
        f_record  <= record_busy;
        f_report  <= fetch_reporting;
        f_killing <= killing_q;
        f_saves   <= saves & ~moves;
        for (f = 0; f < QUEUES; f = f + 1)
            f_over[f] <= (f_over[f] || (killing_q[f] && !killing_d[f])) && dequeue_d[f*3 +: 3] == RESET;
        if (rst) begin
            f_sent <= 1'b0;
            f_age  <= 5'd0;
            f_over <= {QUEUES{1'b0}};
        end

        // A load word of mqd belongs to a job; MOVED ends the jobs of a switch, ACTIVE the others, as 0 a reset.
        if (!rst && guest_q && mqd_access_kind[1] && phase_q == DECIDE) begin
            assume (asked != NONE);
            assume (mqd_access_dword[4:0] != KIND_MOVED || asked == TO_MEMORY || asked == FROM_MEMORY);
            assume (mqd_access_dword[4:0] != KIND_ACTIVE || (asked != TO_MEMORY && asked != FROM_MEMORY && (asked != END || !mqd_access_data[0])));
        end

        if (!rst) begin
            if (phase_q == DONE && error_q != 5'd0) assert (!f_sent && (!load_valid_q || f_forgets));        // 1
            assert (f_age <= 5'd25);                                                                        // 2
            if (f_was) assert ((active_q & ~f_active) == 0
                               || (((load_valid_q && load_kind_q == KIND_ACTIVE && load_data_q[0]) || asked == PRELOAD)
                                   && (active_q & ~f_active) == ({{QUEUES-1{1'b0}}, 1'b1} << queue)));      // 3
            if (f_was) assert ((f_active & ~active_q & ~f_leaving & f_unasked) == 0);                                   // 3
            assert (!(ram_write_enable && ram_read_enable));                                                // 4
            if (f_was && (f_resetting & ~resetting) != 0)
                assert (phase_q == DONE && guest_q && word_q == {29'd0, RESET} && (f_resetting & ~resetting) == ({{QUEUES-1{1'b0}}, 1'b1} << queue) && !active);   // 5

            if (f_was && phase_q == SAVE && !guest_q) assert (!f_record[queue] && !f_report[queue]);        // 6
            for (f = 0; f < QUEUES; f = f + 1)
                if (f_was && f_unasked[f] && (request_q[f*3 +: 3] == UNMAP || request_q[f*3 +: 3] == END)) assert (!f_record[f] && !f_report[f]);

            if (f_was) assert ((f_killing & ~killing_q & ~f_saves) == 0);                                   // 7
            assert ((f_over & killing_q) == 0);                                                             // 7

            // Helpers.
            assert (phase_q <= DONE);
            assert (!(guest_q && pointer_q));
            assert ((leaving_q & ~active_q) == 0);
            if (phase_q == SAVE || phase_q == SAVED) assert (active && (departs || asked != 3'd0) && (guest_q || leave == 3'd0));
            for (f = 0; f < QUEUES; f = f + 1) begin
                assert (!dequeuing[f] || leaving_q[f] || (resetting[f] && !active_q[f]));
                assert (unasked[f] || active_q[f] == (request_q[f*3 +: 3] != WINDOW && request_q[f*3 +: 3] != END));
                assert (request_q[f*3 +: 3] != 3'd4);
                assert (request_q[f*3 +: 3] != UNMAP || dequeuing[f]);
                assert (request_q[f*3 +: 3] != END || resetting[f]);
                assert (request_q[f*3 +: 3] != WINDOW || !dequeuing[f]);
                assert (!killing_q[f] || (resetting[f] && request_q[f*3 +: 3] != UNMAP && request_q[f*3 +: 3] != END));
                assert (!killing_q[f] || request_q[f*3 +: 3] != PRELOAD);
                assert (!f_over[f] || (resetting[f] && !later_q[f] && (request_q[f*3 +: 3] == UNMAP || request_q[f*3 +: 3] == END)));
                assert (!(killing_q[f] && f == queue && (phase_q == SAVE || phase_q == SAVED)));
                assert (!later_q[f] || (request_q[f*3 +: 3] == UNMAP && resetting[f]));
            end
            if (phase_q == RING) assert (step_q <= 5'd2 && f_age == step_q + 5'd2 && error_q == 5'd0);
            if (phase_q == MAP) assert (step_q <= 5'd21 && f_age == step_q + 5'd2 && !active && leave == 3'd0);
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
            cover (phase_q == DONE && f_sent && active);
        end
    end
`endif
endmodule

`default_nettype wire
