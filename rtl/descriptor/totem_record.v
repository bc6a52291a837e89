// SPDX-License-Identifier: Apache-2.0
//
// totem_record: records at top and end of pipe in the queues' descriptors.
//
// Policy    every switch-out is counted; its pair (read pointer, sequence number) goes to the MQD when it has left the
//           pipe (top), and again when nothing of the queue is in flight (end). One record under way, queues in turn,
//           the newest switch-out replaces an older one that waits; no switch waits for a record.
// Latency   first word 11 clocks after the switch-out; the end record follows the acknowledges of the top record.
// Boundary  every word that is written lies in a RAM as the beat of the MQD gets it. Port of memory and error source
//           are those of mqd: this block begins only while mqd offers nothing, and then goes first. The second word of
//           poll's messages, which have that error source too, goes before.
// Cost      about 190 flip-flops and 5 a queue; QUEUES: the choice of the queue and the multiplexers of what fetch
//           shows.
// Proved    1 pair to 8 steady of the contract.
// Twin      cmodel/descriptor/totem_record.c, same names.

`default_nettype none
`include "totem_pm4.vh"

module totem_record #(
    parameter QUEUES = 8                    // a power of two, 2 to 8
) (
    input  wire                         clk,
    input  wire                         rst,
    // load bus
    input  wire                         load_valid,
    input  wire [$clog2(QUEUES)-1:0]    load_queue,
    input  wire [4:0]                   load_kind,
    input  wire [39:0]                  load_data,
    // packet
    input  wire                         packet_left,
    input  wire [$clog2(QUEUES)-1:0]    dispatch_queue,
    // fetch
    input  wire [QUEUES*32-1:0]         fetch_rptr,
    input  wire [QUEUES-1:0]            fetch_buffer,
    input  wire [QUEUES*38-1:0]         fetch_buffer_addr,
    // fence
    input  wire [QUEUES*16-1:0]         fence_waves,
    input  wire [QUEUES-1:0]            fence_settled,
    input  wire [QUEUES-1:0]            fence_abandoned,
    output wire                         fence_valid,
    output wire [63:0]                  fence_word,
    output wire [$clog2(QUEUES)-1:0]    fence_queue,
    input  wire                         fence_ready,
    // hqd
    input  wire [QUEUES-1:0]            hqd_parting,
    input  wire [QUEUES-1:0]            hqd_killing,
    input  wire [QUEUES-1:0]            hqd_leaving,
    output wire [QUEUES-1:0]            top_pending,
    output wire [QUEUES-1:0]            end_pending,
    output wire [QUEUES-1:0]            busy,
    // kill, arbiter
    input  wire [QUEUES-1:0]            kill_ended,
    input  wire                         arbiter_selected_valid,
    input  wire [$clog2(QUEUES)-1:0]    arbiter_selected,
    // record RAM
    output wire                         ram_write_enable,
    output wire [$clog2(QUEUES)+1:0]    ram_write_addr,
    output wire [63:0]                  ram_write_data,
    output wire                         ram_read_enable,
    output wire [$clog2(QUEUES)+1:0]    ram_read_addr,
    input  wire [63:0]                  ram_read_data,
    // sequence RAM
    output wire                         sequence_write_enable,
    output wire [$clog2(QUEUES):0]      sequence_write_addr,
    output wire [31:0]                  sequence_write_data,
    // memory
    input  wire                         mqd_write_valid,
    output wire                         write_valid,
    output wire [63:0]                  write_word,
    input  wire                         write_ready,
    input  wire                         write_ack,
    input  wire [5:0]                   ack_tag,
    input  wire [1:0]                   ack_error,
    // events
    input  wire                         mqd_error_valid,
    output wire                         error_valid,
    output wire [63:0]                  error_word,
    input  wire                         events_mqd_error_ready,
    // poll
    input  wire                         poll_error_valid,
    input  wire                         poll_error_second
);
`include "totem_hqd_values.vh"
`include "totem_memory_values.vh"
`include "totem_record_values.vh"
    localparam Q = $clog2(QUEUES);

    generate
        if (QUEUES < 2 || QUEUES > 8 || QUEUES != (1 << Q)) begin : check
            totem_record_needs_QUEUES_2_4_or_8 refused ();
        end
    endgenerate

    localparam [7:0] WRITE_FAILED = `TOTEM_ERROR_MEMORY_WRITE_SLVERR - 8'd1;    // plus the error of the response
    // Beats of 64 bits in the RECORD_MQD: dwords 92, 94, 96, 106.
    localparam [36:0] AT_WAVES = 37'd46, AT_BUFFER = 37'd47, AT_END = 37'd48, AT_SEQUENCE = 37'd53;

    reg [QUEUES-1:0] described_q, described_d;
    reg [QUEUES-1:0] top_due_q, top_due_d;
    reg [QUEUES-1:0] end_due_q, end_due_d;
    reg [QUEUES-1:0] lost_q, lost_d;
    reg [1:0]        turn_q, turn_d;
    reg [Q-1:0]      last_q, last_d;
    reg              again_q, again_d;
    reg              keep_valid_q, keep_valid_d;
    reg [Q-1:0]      keep_queue_q, keep_queue_d;
    reg [1:0]        keep_place_q, keep_place_d;
    reg [63:0]       keep_word_q, keep_word_d;
    reg              keep_ended_q, keep_ended_d;
    reg [3:0]        phase_q, phase_d;
    reg [1:0]        job_q, job_d;
    reg [Q-1:0]      queue_q, queue_d;
    reg [1:0]        place_q, place_d;
    reg [36:0]       base_q, base_d;
    reg [63:0]       word_q, word_d;
    reg [1:0]        step_q, step_d;
    reg [1:0]        owed_q, owed_d;
    reg [1:0]        fault_q, fault_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        described_q = 0;  top_due_q = 0;    end_due_q = 0;    lost_q = 0;      turn_q = 0;  last_q = 0;  again_q = 0;
        keep_valid_q = 0; keep_queue_q = 0; keep_place_q = 0; keep_word_q = 0; keep_ended_q = 0;
        phase_q = 0;      job_q = 0;        queue_q = 0;      place_q = 0;     base_q = 0;  word_q = 0;
        step_q = 0;       owed_q = 0;       fault_q = 0;
    end

    // A queue that has the pipe has not left it, whatever the host wants; one that is killed waits for its waves.
    wire [QUEUES-1:0] has_pipe  = {{(QUEUES-1){1'b0}}, arbiter_selected_valid} << arbiter_selected;
    wire [QUEUES-1:0] parting   = hqd_parting & ~(hqd_killing & ~kill_ended) & ~has_pipe;
    wire [QUEUES-1:0] abandoned = fence_abandoned & hqd_leaving;
    wire              acked     = write_ack && ack_tag[0];
    wire              told      = events_mqd_error_ready && !(poll_error_valid && poll_error_second);
    wire              still = turn_q == 2'd0 && !keep_valid_q;      // the RAM has all of the last switch-out
    wire [QUEUES-1:0] under = {{(QUEUES-1){1'b0}}, phase_q != RECORD_IDLE} << queue_q;

    assign top_pending = top_due_q | lost_q | (job_q == RECORD_TOP ? under : {QUEUES{1'b0}});
    assign end_pending = end_due_q | (job_q != RECORD_TOP ? under : {QUEUES{1'b0}});
    assign busy        = top_due_q | end_due_q | under;

    assign ram_write_enable = keep_valid_q;
    assign ram_write_addr   = {keep_queue_q, keep_place_q};
    assign ram_write_data   = keep_word_q;
    assign ram_read_enable  = turn_q == 2'd1 || (phase_q == RECORD_READ && still);
    assign ram_read_addr    = (turn_q == 2'd1) ? {last_q, RECORD_PAIR} : {queue_q, place_q};

    assign sequence_write_enable = keep_valid_q ? keep_place_q == RECORD_PAIR : phase_q == RECORD_MARK;
    assign sequence_write_addr   = keep_valid_q ? {keep_queue_q, keep_ended_q} : {queue_q, 1'b1};
    assign sequence_write_data   = keep_valid_q ? keep_word_q[63:32] : word_q[63:32];

    wire        top    = job_q == RECORD_TOP;
    wire [36:0] offset = (place_q == RECORD_WAVES) ? AT_WAVES : (place_q == RECORD_BUFFER) ? AT_BUFFER :
                         top ? AT_SEQUENCE : AT_END;
    wire        whole  = place_q == RECORD_WAVES || (place_q != RECORD_BUFFER && !top);       // both dwords of the beat
    wire [36:0] target = base_q + offset;
    wire [2:0]  slot   = {{(3-Q){1'b0}}, queue_q};

    assign write_valid = phase_q == RECORD_WRITE;
    assign write_word  = (step_q == 2'd0) ? {15'd0, 1'b1, 4'hf, {4{whole}}, target, 3'd0} : word_q;
    assign fence_valid = phase_q == RECORD_FENCE;
    assign fence_queue = queue_q;
    assign fence_word  = (step_q == 2'd0) ? {21'd0, `TOTEM_DATA_64_BITS, target, 3'd0} : (step_q == 2'd1) ? word_q :
        64'd0;
    assign error_valid = phase_q == RECORD_ERROR;
    assign error_word  = (step_q == 2'd0) ? {WRITE_FAILED + {6'd0, fault_q}, 5'd0, slot, 8'd0, base_q, 3'd0} :
        {32'd0, base_q[28:0], 3'd0};

    // What the switch-out hands over, of the queue that left last.
    wire [31:0] rptr     = fetch_rptr[last_q*32 +: 32];
    wire [15:0] waves    = fence_waves[last_q*16 +: 16];
    wire [37:0] position = fetch_buffer_addr[last_q*38 +: 38];
    wire        unused   = &{1'b0, position[37:30], ack_tag[5:1]};

    // The first queue that wants something, after the last one served.
    wire [QUEUES-1:0] wants = top_due_q | (end_due_q & (fence_settled | parting));
    reg  [Q-1:0]      chosen;
    reg  [Q-1:0]      candidate;
    integer           i;
    always @* begin
        chosen    = queue_q;
        candidate = queue_q;
        for (i = QUEUES - 1; i > 0; i = i - 1) begin
            candidate = queue_q + i[Q-1:0];
            if (wants[candidate])
                chosen = candidate;
        end
    end

    always @* begin
        described_d  = described_q;
        top_due_d    = top_due_q;
        end_due_d    = end_due_q;
        lost_d       = lost_q;
        turn_d       = turn_q;
        last_d       = last_q;
        again_d      = again_q;
        keep_valid_d = keep_valid_q;
        keep_queue_d = keep_queue_q;
        keep_place_d = keep_place_q;
        keep_word_d  = keep_word_q;
        keep_ended_d = keep_ended_q;
        phase_d      = phase_q;
        job_d        = job_q;
        queue_d      = queue_q;
        place_d      = place_q;
        base_d       = base_q;
        word_d       = word_q;
        step_d       = step_q;
        owed_d       = owed_q;
        fault_d      = fault_q;

        // 1 Word for the RAM
        keep_valid_d = 1'b0;
        if (load_valid && load_kind == LOAD_MQD_ADDR) begin
            keep_valid_d            = 1'b1;
            keep_queue_d            = load_queue;
            keep_place_d            = RECORD_MQD;
            keep_word_d             = {24'd0, load_data};
            described_d[load_queue] = load_data[39:3] != 37'd0;
            lost_d[load_queue]      = 1'b0;
        end else if (load_valid && load_kind == LOAD_SEQUENCE) begin
            keep_valid_d = 1'b1;
            keep_queue_d = load_queue;
            keep_place_d = RECORD_PAIR;
            keep_word_d  = {load_data[31:0], 32'd0};
            keep_ended_d = 1'b0;
            again_d      = 1'b1;
        end else if (again_q) begin
            keep_valid_d = 1'b1;
            keep_ended_d = 1'b1;
            again_d      = 1'b0;
        end else if (turn_q != 2'd0) begin
            keep_valid_d = 1'b1;
            keep_queue_d = last_q;
            keep_place_d = turn_q - 2'd1;
            keep_ended_d = 1'b0;
            turn_d       = turn_q + 2'd1;
            case (turn_q)
                2'd1:    keep_word_d = {rptr, 16'd0, waves};
                2'd2:    keep_word_d = {ram_read_data[63:32] + 32'd1, rptr};
                default: keep_word_d = fetch_buffer[last_q] ? {position[29:0], 2'b00, 32'd0} : 64'd0;
            endcase
        end

        // 2 Acknowledges
        owed_d = owed_q + {1'b0, write_valid && step_q != 2'd0 && write_ready} - {1'b0, acked};
        if (acked && fault_q == MEMORY_OK)
            fault_d = ack_error;

        case (phase_q)
            // 3 Choice
            RECORD_IDLE:
                if (still && wants != {QUEUES{1'b0}}) begin
                    queue_d = chosen;
                    place_d = RECORD_MQD;
                    fault_d = MEMORY_OK;
                    phase_d = RECORD_READ;
                    if (top_due_q[chosen]) begin
                        job_d             = RECORD_TOP;
                        top_due_d[chosen] = 1'b0;
                    end else
                        job_d = fence_settled[chosen] ? RECORD_END : RECORD_CLOSE;
                end
            // 4 Beats of the RAM
            RECORD_READ: if (still) phase_d = RECORD_TAKE;
            RECORD_TAKE:
                if (!top && (top_due_q[queue_q] || (job_q == RECORD_CLOSE && !parting[queue_q])))
                    phase_d = RECORD_IDLE;
                else if (place_q == RECORD_MQD) begin
                    base_d  = ram_read_data[39:3];
                    place_d = top ? RECORD_WAVES : RECORD_PAIR;
                    phase_d = RECORD_READ;
                end else begin
                    word_d  = ram_read_data;
                    step_d  = 2'd0;
                    phase_d = (job_q == RECORD_TOP || job_q == RECORD_END) ? RECORD_ASK : RECORD_FENCE;
                    if (!top) end_due_d[queue_q] = 1'b0;
                end
            // 5 Writes
            RECORD_ASK:
                if (fault_q != MEMORY_OK)
                    phase_d = RECORD_WAIT;
                else if (!mqd_write_valid)
                    phase_d = RECORD_WRITE;
            RECORD_WRITE:
                if (write_ready) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else if (top && place_q != RECORD_PAIR) begin
                        place_d = (place_q == RECORD_WAVES) ? RECORD_BUFFER : RECORD_PAIR;
                        phase_d = RECORD_READ;
                    end else
                        phase_d = RECORD_WAIT;
                end
            // 6 Answers
            RECORD_WAIT:
                if (owed_q == 2'd0) begin
                    step_d  = 2'd0;
                    phase_d = (fault_q != MEMORY_OK) ? RECORD_REPORT : top ? RECORD_IDLE : RECORD_MARK;
                    if (top) lost_d[queue_q] = fault_q != MEMORY_OK;
                    if (fault_q == MEMORY_TIME_OUT) begin      // it may come late: no newer record may follow
                        lost_d[queue_q]      = 1'b1;
                        described_d[queue_q] = 1'b0;
                        top_due_d[queue_q]   = 1'b0;
                        end_due_d[queue_q]   = 1'b0;
                    end
                end
            // 7 Ends
            RECORD_MARK: if (!keep_valid_q) phase_d = RECORD_IDLE;
            RECORD_FENCE:
                if (fence_ready) begin
                    step_d = step_q + 2'd1;
                    if (step_q[1]) phase_d = RECORD_IDLE;
                end
            RECORD_REPORT: if (!mqd_error_valid) phase_d = RECORD_ERROR;
            RECORD_ERROR:
                if (told) begin
                    if (step_q == 2'd0)
                        step_d = 2'd1;
                    else
                        phase_d = RECORD_IDLE;
                end
            default: ;
        endcase

        // 8 Switch-out
        end_due_d = end_due_d | (abandoned & described_d);   // its pair may have been with fence
        if (packet_left) begin
            turn_d = 2'd1;
            last_d = dispatch_queue;
            if (described_d[dispatch_queue]) begin
                top_due_d[dispatch_queue] = 1'b1;
                end_due_d[dispatch_queue] = 1'b1;
            end
        end
    end

    always @(posedge clk) begin
        described_q  <= described_d;
        top_due_q    <= top_due_d;
        end_due_q    <= end_due_d;
        lost_q       <= lost_d;
        turn_q       <= turn_d;
        last_q       <= last_d;
        again_q      <= again_d;
        keep_valid_q <= keep_valid_d;
        keep_queue_q <= keep_queue_d;
        keep_place_q <= keep_place_d;
        keep_word_q  <= keep_word_d;
        keep_ended_q <= keep_ended_d;
        phase_q      <= phase_d;
        job_q        <= job_d;
        queue_q      <= queue_d;
        place_q      <= place_d;
        base_q       <= base_d;
        word_q       <= word_d;
        step_q       <= step_d;
        owed_q       <= owed_d;
        fault_q      <= fault_d;
        if (rst) begin
            described_q  <= {QUEUES{1'b0}};
            top_due_q    <= {QUEUES{1'b0}};
            end_due_q    <= {QUEUES{1'b0}};
            lost_q       <= {QUEUES{1'b0}};
            turn_q       <= 2'd0;
            last_q       <= {Q{1'b0}};
            again_q      <= 1'b0;
            keep_valid_q <= 1'b0;
            phase_q      <= RECORD_IDLE;
            job_q        <= RECORD_TOP;
            queue_q      <= {Q{1'b0}};
            place_q      <= RECORD_WAVES;
            step_q       <= 2'd0;
            owed_q       <= 2'd0;
            fault_q      <= MEMORY_OK;
        end
    end

`ifdef FORMAL
`include "totem_record_properties.vh"
`endif
endmodule

`default_nettype wire
