// SPDX-License-Identifier: Apache-2.0
//
// totem_tmd_load: loads the descriptor of a task, checks it, keeps its fields.
//
// Policy    one descriptor at a time, in two bursts, always read to their end; of a strange address nothing is read.
//           The version is checked first, then the dwords in order; the first error is answered, a failed read before
//           all. Of both versions the same fields end in the same bits of the same eight words.
// Latency   a word is written in the clock after its beat, the answer shown in the clock after the last beat; the next
//           request can be accepted in that clock.
// Boundary  the RAM of metadata (ENTRIES*8 x 64) lies beside the block, which only writes it. Beats are always taken.
//           Outputs are functions of state only.
// Mask      the answer counts only while answer_valid, address and data of the RAM while tmd_write_enable.
// Cost      316 + log2(ENTRIES) flip-flops, and the RAM.
// Proved    one answer after the last beat (1), writes of the entry (2), bursts (3), failed reads (4), the checks (5).
// Twin      cmodel/task/totem_tmd_load.c, same names.

`default_nettype none

`include "totem_pm4.vh"
`include "totem_tmd.vh"

module totem_tmd_load #(
    parameter ENTRIES = 64      // a power of two, 2 to 4096: eight words of the RAM each
) (
    input  wire                         clk,
    input  wire                         rst,
    // owner
    input  wire                         request_valid,
    output wire                         request_ready,
    input  wire [$clog2(ENTRIES)-1:0]   request_entry,
    input  wire [31:0]                  request_pointer,
    input  wire                         request_strict,
    input  wire [5:0]                   request_group,
    // host
    input  wire [31:0]                  settings_address_high,
    // number of the front end, a constant
    input  wire [1:0]                   fe_number,
    // memory
    output wire                         read_valid,
    output wire [39:0]                  read_addr,
    output wire [4:0]                   read_beats,
    input  wire                         read_ready,
    input  wire                         data_valid,
    input  wire [63:0]                  data_word,
    input  wire                         data_last,
    input  wire [1:0]                   data_error,
    // RAM of metadata
    output wire                         tmd_write_enable,
    output wire [$clog2(ENTRIES)+2:0]   tmd_write_addr,
    output wire [63:0]                  tmd_write_data,
    // owner
    output wire                         answer_valid,
    output wire [$clog2(ENTRIES)-1:0]   answer_entry,
    output wire [7:0]                   answer_error,
    output wire [31:0]                  answer_word,
    output wire [5:0]                   answer_group,
    output wire                         answer_head,
    output wire                         answer_dependent,
    output wire [31:0]                  answer_pointer,
    output wire                         answer_prefetch,
    output wire                         answer_renew,
    output wire                         answer_empty
);
`include "totem_memory_values.vh"
`include "totem_tmd_load_values.vh"
    localparam A = $clog2(ENTRIES);

    generate
        if (ENTRIES < 2 || ENTRIES > 4096 || ENTRIES != (1 << A)) begin : check
            totem_tmd_load_needs_ENTRIES_2_to_4096_a_power_of_two refused ();
        end
    endgenerate

    localparam [7:0] READ_FAILED = `TOTEM_ERROR_MEMORY_READ_SLVERR - 8'd1;     // plus the error of the beat

    reg [1:0]   phase_q, phase_d;
    reg [4:0]   beat_q, beat_d;
    reg [A-1:0] entry_q, entry_d;
    reg [31:0]  pointer_q, pointer_d;
    reg         strict_q, strict_d;
    reg [5:0]   group_q, group_d;
    reg [63:0]  kept_q, kept_d;
    reg [31:0]  common_q, common_d;
    reg [5:0]   invalidate_q, invalidate_d;
    reg [1:0]   membar_q, membar_d;
    reg [31:0]  target_q, target_d;
    reg         empty_q, empty_d;
    reg [17:0]  lds_q, lds_d;
    reg         older_q, older_d;
    reg         dependent_q, dependent_d;
    reg [2:0]   action_q, action_d;
    reg         prefetch_q, prefetch_d;
    reg [7:0]   code_q, code_d;
    reg [31:0]  value_q, value_d;
    reg         answer_valid_q, answer_valid_d;
    reg         write_enable_q, write_enable_d;
    reg [2:0]   write_word_q, write_word_d;
    reg [63:0]  write_data_q, write_data_d;

    // Registers that reset leaves alone read 0 at start, as in the model.
    initial begin
        phase_q = 0; beat_q = 0; entry_q = 0; pointer_q = 0; strict_q = 0; group_q = 0; kept_q = 0; common_q = 0;
        invalidate_q = 0; membar_q = 0; target_q = 0; empty_q = 0; lds_q = 0; older_q = 0; dependent_q = 0;
        action_q = 0; prefetch_q = 0; code_q = 0; value_q = 0; answer_valid_q = 0; write_enable_q = 0;
        write_word_q = 0; write_data_q = 0;
    end

    // A field of the map, taken from the beat in which it stands: the beat, as often as it fits into a descriptor. So
    // the place of the field is right whatever the beat; the rules below name it.
    wire [2047:0] here     = {32{data_word}};   // the present beat
    wire [2047:0] previous = {32{kept_q}};      // the beat before
    wire [2047:0] common   = {64{common_q}};    // dword 4
    wire [31:0]   low    = data_word[31:0];
    wire [31:0]   high   = data_word[63:32];

    wire taken = data_valid && phase_q[1];
    wire ends  = taken && data_last && phase_q == META_WAIT && beat_q[4];

    // Beat 9: the version, and with it dwords 4 and 16.
    wire [7:0] version = {here[`TOTEM_TMD_03_00_QMD_MAJOR_VERSION], here[`TOTEM_TMD_03_00_QMD_VERSION]};
    wire       is_older = version == `TOTEM_TMD_02_02_NUMBER;
    wire       is_newer = version == `TOTEM_TMD_03_00_NUMBER;
    wire       bad_counter = is_newer && common[`TOTEM_TMD_03_00_DEPENDENCE_COUNTER] != 16'd0;
    wire       bad_type = is_older && common[`TOTEM_TMD_02_02_DEPENDENT_ENABLE] &&
                          !common[`TOTEM_TMD_02_02_DEPENDENT_TYPE];
    wire       bad_group = strict_q && common[`TOTEM_TMD_03_00_GROUP_ID] != group_q;
    wire [2:0] asks = previous[`TOTEM_TMD_03_00_DEPENDENT_ACTION];
    wire       bad_action = is_newer && previous[`TOTEM_TMD_03_00_DEPENDENT_ENABLE] && asks != 3'd1 && asks != 3'd3;
    wire       bad_second = is_newer && previous[`TOTEM_TMD_03_00_DEPENDENT1_ENABLE];

    // Beats 12 and 14: a release.
    wire          which   = beat_q[1];          // release 1
    wire [31:0]   flags   = !older_q ? high : which ? kept_q[63:32] : low;
    wire [31:0]   address = !older_q ? low : which ? kept_q[31:0] : kept_q[63:32];
    wire [2047:0] release_flags = {64{flags}};
    wire          release_enable = !older_q ? release_flags[`TOTEM_TMD_03_00_RELEASE0_ENABLE] :
                                   which ? common[`TOTEM_TMD_02_02_RELEASE1_ENABLE] :
                                   common[`TOTEM_TMD_02_02_RELEASE0_ENABLE];
    wire [1:0]    release_size = older_q ? {1'b0, release_flags[`TOTEM_TMD_02_02_RELEASE0_SIZE]} :
                                 release_flags[`TOTEM_TMD_03_00_RELEASE0_SIZE];
    wire [1:0]    release_trap = older_q ? 2'd0 : release_flags[`TOTEM_TMD_03_00_RELEASE0_TRAP];
    wire          release_wide = !older_q && release_flags[`TOTEM_TMD_03_00_RELEASE0_PAYLOAD64];
    wire          bad_release = release_enable && (release_flags[`TOTEM_TMD_03_00_RELEASE0_REDUCTION] ||
                                                   release_size == 2'd3 || release_trap[1]);
    wire [44:0]   release_word = {release_trap[0], release_wide, release_size, release_enable, flags[7:0], address};

    // An address of 40 bits that would be that of another place, with bits 47:40, at the memory port.
    wire [7:0] page = phase_q == META_REST ? request_pointer[31:24] : beat_q == 5'd9 ? target_q[31:24] : flags[7:0];
    wire       strange;
    wire [7:0] unused_page;
    totem_upper upper (
        .address({8'd0, page}), .above(settings_address_high[fe_number*8 +: 8]), .strange(strange), .page(unused_page)
    );

    wire bad_counts = here[`TOTEM_TMD_03_00_COUNT_INCREMENT] || here[`TOTEM_TMD_03_00_COUNT_DECREMENT] ||
                      here[`TOTEM_TMD_03_00_SEQUENTIAL] || here[`TOTEM_TMD_03_00_MEMBAR_TYPE] == 2'd2;

    wire [31:0] disabled = here[`TOTEM_TMD_03_00_SM_DISABLE_MASK];
    wire unused = &{1'b0, unused_page, here, previous, common, release_flags, disabled};

    assign request_ready     = phase_q == META_REST;
    assign read_valid        = phase_q == META_FIRST || phase_q == META_SECOND;
    assign read_addr         = {pointer_q, phase_q == META_SECOND, 7'd0};
    assign read_beats        = 5'd16;
    assign tmd_write_enable = write_enable_q;
    assign tmd_write_addr   = {entry_q, write_word_q};
    assign tmd_write_data   = write_data_q;
    assign answer_valid      = answer_valid_q;
    assign answer_entry      = entry_q;
    assign answer_error      = code_q;
    assign answer_word       = value_q;
    assign answer_group      = common[`TOTEM_TMD_03_00_GROUP_ID];
    assign answer_head       = common[`TOTEM_TMD_03_00_ADD_TO_HEAD];
    assign answer_dependent  = dependent_q;
    assign answer_pointer    = target_q;
    assign answer_prefetch   = prefetch_q;
    assign answer_renew      = action_q[1];
    assign answer_empty      = empty_q;

    always @* begin
        phase_d        = phase_q;
        beat_d         = beat_q;
        entry_d        = entry_q;
        pointer_d      = pointer_q;
        strict_d       = strict_q;
        group_d        = group_q;
        kept_d         = kept_q;
        common_d       = common_q;
        invalidate_d   = invalidate_q;
        membar_d       = membar_q;
        target_d       = target_q;
        empty_d        = empty_q;
        lds_d          = lds_q;
        older_d        = older_q;
        dependent_d    = dependent_q;
        action_d       = action_q;
        prefetch_d     = prefetch_q;
        code_d         = code_q;
        value_d        = value_q;
        // 1 Defaults
        answer_valid_d = 1'b0;
        write_enable_d = 1'b0;
        write_word_d   = write_word_q;
        write_data_d   = write_data_q;

        // 2 Request
        if (request_valid && request_ready) begin
            beat_d    = 5'd0;
            entry_d   = request_entry;
            pointer_d = request_pointer;
            strict_d  = request_strict;
            group_d   = request_group;
            if (strange) begin
                answer_valid_d = 1'b1;
                code_d         = `TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS;
                value_d        = request_pointer;
            end else begin
                phase_d = META_FIRST;
                code_d  = 8'd0;
                value_d = 32'd0;
            end
        end
        // 3 Bursts
        if (read_valid && read_ready)
            phase_d = phase_q == META_FIRST ? META_SECOND : META_WAIT;
        // 4 Beat
        if (ends) begin
            phase_d        = META_REST;
            answer_valid_d = 1'b1;
        end

        if (taken) begin
            kept_d = data_word;
            beat_d = data_last ? 5'd16 : beat_q + 5'd1;
            // 5 Fields
            // 6 Words
            case (beat_q)
                5'd2: begin
                    common_d     = low;
                    invalidate_d = here[`TOTEM_TMD_03_00_INVALIDATE];
                end
                5'd5: membar_d = here[`TOTEM_TMD_03_00_MEMBAR_TYPE];
                5'd7: begin
                    target_d       = here[`TOTEM_TMD_03_00_DEPENDENT_POINTER];
                    empty_d        = previous[`TOTEM_TMD_03_00_GRID_X] == 32'd0 ||
                                     previous[`TOTEM_TMD_03_00_GRID_Y] == 16'd0 ||
                                     here[`TOTEM_TMD_03_00_GRID_Z] == 16'd0;
                    write_enable_d = 1'b1;
                    write_word_d   = META_GRID;
                    write_data_d   = {here[`TOTEM_TMD_03_00_GRID_Z], previous[`TOTEM_TMD_03_00_GRID_Y],
                                      previous[`TOTEM_TMD_03_00_GRID_X]};
                end
                5'd8: begin
                    lds_d          = here[`TOTEM_TMD_03_00_LDS_SIZE];
                    write_enable_d = 1'b1;
                    write_word_d   = META_POINTER;
                    write_data_d   = {target_q, pointer_q};
                end
                5'd9: begin
                    older_d     = is_older;
                    dependent_d = is_older ? common[`TOTEM_TMD_02_02_DEPENDENT_ENABLE] :
                                  previous[`TOTEM_TMD_03_00_DEPENDENT_ENABLE];
                    action_d    = is_older ? 3'd3 : asks;
                    prefetch_d  = is_older || previous[`TOTEM_TMD_03_00_DEPENDENT_PREFETCH];
                end
                5'd10: begin
                    write_enable_d = 1'b1;
                    write_word_d   = META_BLOCK;
                    write_data_d   = {previous[`TOTEM_TMD_03_00_BLOCK_Z], previous[`TOTEM_TMD_03_00_BLOCK_Y],
                                      previous[`TOTEM_TMD_03_00_BLOCK_X], 3'd0, disabled[3:0],
                                      here[`TOTEM_TMD_03_00_REGISTER_COUNT]};
                end
                5'd12, 5'd14: begin
                    write_enable_d = 1'b1;
                    write_word_d   = which ? META_RELEASE1 : META_RELEASE0;
                    write_data_d   = {which ? 18'd0 : lds_q, 1'b0, release_word};
                end
                5'd13, 5'd15: begin
                    write_enable_d = 1'b1;
                    write_word_d   = which ? META_PAYLOAD1 : META_PAYLOAD0;
                    write_data_d   = older_q ? {32'd0, which ? kept_q[31:0] : kept_q[63:32]} : data_word;
                end
                5'd24: begin
                    write_enable_d = 1'b1;
                    write_word_d   = META_PROGRAM;
                    write_data_d   = {3'd0, invalidate_q, membar_q,
                                      older_q && common[`TOTEM_TMD_02_02_DEPENDENT_FIELD_COPY], prefetch_q, action_q,
                                      high[15:0], here[`TOTEM_TMD_03_00_PROGRAM_LOW]};
                end
                default: ;
            endcase
        end

        // 7 Errors. That of a read stays; what beat 9 finds in dword 4 or the version comes before dword 11.
        if (taken && code_q[7:5] != `TOTEM_ERROR_CLASS_MEMORY) begin
            if (data_error != MEMORY_OK) begin
                code_d  = READ_FAILED + {6'd0, data_error};
                value_d = {pointer_q[23:0], beat_q, 3'd0};
            end else if (beat_q == 5'd9 && !is_older && !is_newer) begin
                code_d  = `TOTEM_ERROR_DESCRIPTOR_TMD_VERSION;
                value_d = low;
            end else if (beat_q == 5'd9 && (common[`TOTEM_TMD_03_00_IS_QUEUE] || bad_counter || bad_type || bad_group))
            begin
                code_d  = common[`TOTEM_TMD_03_00_IS_QUEUE] ? `TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE :
                          bad_counter ? `TOTEM_ERROR_DESCRIPTOR_TMD_COUNTER :
                          bad_type ? `TOTEM_ERROR_DESCRIPTOR_TMD_TYPE : `TOTEM_ERROR_DESCRIPTOR_TMD_GROUP;
                value_d = common_q;
            end else if (code_q == 8'd0)
                case (beat_q)
                    5'd5:
                        if (bad_counts) begin
                            code_d  = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
                            value_d = high;
                        end
                    5'd9:
                        if (dependent_d && strange) begin
                            code_d  = `TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS;
                            value_d = target_q;
                        end else if (bad_second || bad_action) begin
                            code_d  = bad_second ? `TOTEM_ERROR_DESCRIPTOR_TMD_DEPENDENT1 :
                                      `TOTEM_ERROR_DESCRIPTOR_TMD_ACTION;
                            value_d = kept_q[31:0];
                        end else if (here[`TOTEM_TMD_03_00_BLOCK_X] == 16'd0) begin
                            code_d  = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
                            value_d = low;
                        end else if (here[`TOTEM_TMD_03_00_BLOCK_Y] == 16'd0 ||
                                     here[`TOTEM_TMD_03_00_BLOCK_Z] == 16'd0) begin
                            code_d  = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
                            value_d = high;
                        end
                    5'd12, 5'd14:
                        if (bad_release || (release_enable && strange)) begin
                            code_d  = bad_release ? `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD :
                                      `TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS;
                            value_d = flags;
                        end
                    5'd26:
                        if (!older_q && here[`TOTEM_TMD_03_00_RELEASE2_ENABLE]) begin
                            code_d  = `TOTEM_ERROR_DESCRIPTOR_TMD_FIELD;
                            value_d = high;
                        end
                    default: ;
                endcase
        end
    end

    always @(posedge clk) begin
        phase_q        <= phase_d;
        beat_q         <= beat_d;
        entry_q        <= entry_d;
        pointer_q      <= pointer_d;
        strict_q       <= strict_d;
        group_q        <= group_d;
        kept_q         <= kept_d;
        common_q       <= common_d;
        invalidate_q   <= invalidate_d;
        membar_q       <= membar_d;
        target_q       <= target_d;
        empty_q        <= empty_d;
        lds_q          <= lds_d;
        older_q        <= older_d;
        dependent_q    <= dependent_d;
        action_q       <= action_d;
        prefetch_q     <= prefetch_d;
        code_q         <= code_d;
        value_q        <= value_d;
        answer_valid_q <= answer_valid_d;
        write_enable_q <= write_enable_d;
        write_word_q   <= write_word_d;
        write_data_q   <= write_data_d;
        if (rst) begin
            phase_q        <= META_REST;
            answer_valid_q <= 1'b0;
            write_enable_q <= 1'b0;
        end
    end

    // formal: maxsteps=3 params=ENTRIES=2
    // formal: maxsteps=3
`ifdef FORMAL
`include "totem_tmd_load_properties.vh"
`endif
endmodule

`default_nettype wire
