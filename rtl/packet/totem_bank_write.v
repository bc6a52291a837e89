// SPDX-License-Identifier: Apache-2.0
//
// totem_bank_write: part of totem_bank: which write takes place in a clock, and what it writes.
//
// Policy    a register cannot wait; behind it a save, the derived word, the result of a product, a clear, and an access
//           of mqd, which waits for every clear that is to come. A register that is also launch state is written there
//           at the same time; the table of partial groups stands only there.
// Boundary  pure function.
// Twin      cmodel/packet/totem_bank_write.c.

`default_nettype none
`include "totem_pm4.vh"

module totem_bank_write #(
    parameter QUEUES   = 8,                 // a power of two, 2 to 8
    parameter SE_COUNT = 4                  // 1 to 4
) (
    input  wire                      rsrc3_gfx9,    // RSRC3 is at its place of GFX9.4
    input  wire [$clog2(QUEUES)-1:0] own_queue,
    // register
    input  wire                      write_register,
    input  wire [6:0]                write_offset,
    input  wire [31:0]               write_data,
    // save
    input  wire                      saving,
    input  wire [4:0]                step,
    input  wire [63:0]               restart,
    input  wire [6:0]                restart_mask,
    input  wire [63:0]               restart_end,
    // derived word, result
    input  wire                      stale,
    input  wire                      loading,
    input  wire [SE_COUNT-1:0]       engines,
    input  wire [5:0]                vgprs,
    input  wire                      result,        // a product has ended
    input  wire [$clog2(QUEUES)-1:0] derive_queue,
    input  wire                      reads_itself,
    input  wire [2:0]                combo,
    input  wire                      in_table,
    input  wire                      words,         // the result is that of a preload
    input  wire [12:0]               sum,
    // clear
    input  wire                      clear_active,
    input  wire                      clear_pending, // some queue's registers are to be cleared
    input  wire [$clog2(QUEUES)-1:0] clear_queue,
    input  wire [6:0]                clear_step,
    // access
    input  wire                      access_valid,
    input  wire                      access_write,
    input  wire [$clog2(QUEUES)-1:0] access_queue,
    input  wire [6:0]                access_offset,
    input  wire [31:0]               access_data,
    // what is written
    output wire                      write_save,
    output wire                      write_derived,
    output wire                      write_result,
    output wire                      write_clear,
    output wire                      write_access,
    output reg                       ram_write_enable,
    output reg  [$clog2(QUEUES)+6:0] ram_write_addr,
    output reg  [31:0]               ram_write_data,
    output wire                      state_low,     // a write to the launch state, low half
    output wire                      state_high,
    output wire [$clog2(QUEUES)+3:0] state_addr,
    output wire [31:0]               state_data
);
`include "totem_bank_values.vh"
    localparam [127:0] RESET_ONES = `TOTEM_SH_RESET_ONES;

    wire nothing_clear = !clear_active && !clear_pending;
    assign write_save    = saving && !write_register;
    assign write_derived = stale && !loading && !saving && !write_register;
    assign write_result  = result && !loading && !write_derived && !saving && !write_register;
    assign write_clear   = clear_active && !write_result && !write_derived && !saving && !write_register;
    assign write_access  = access_valid && access_write && nothing_clear && !reads_itself && !write_result
                           && !write_derived && !saving && !write_register;

    wire [3:0]  present      = {{(4-SE_COUNT){1'b0}}, engines};
    wire [31:0] derived_word = {22'd0, present, vgprs};
    wire [31:0] every_engine = ((32'd1 << SE_COUNT) - 32'd1) << 6;
    wire [31:0] reset_word   = (clear_step == OFFSET_DERIVED) ? every_engine : {32{RESET_ONES[clear_step]}};

    // The word of a save, by step.
    reg [9:0]  save_register;
    reg [31:0] save_word;
    always @*
        case (step)
            5'd0:    {save_register, save_word} = {`TOTEM_SH_COMPUTE_RESTART_X, restart[31:0]};
            5'd1:    {save_register, save_word} = {`TOTEM_SH_COMPUTE_RESTART_Y, 16'd0, restart[47:32]};
            5'd2:    {save_register, save_word} = {`TOTEM_SH_COMPUTE_RESTART_Z, 16'd0, restart[63:48]};
            5'd3:    {save_register, save_word} = {`TOTEM_SH_COMPUTE_RELAUNCH, 25'd0, restart_mask};
            5'd4:    {save_register, save_word} = {`TOTEM_SH_COMPUTE_DIM_X, restart_end[31:0]};
            5'd5:    {save_register, save_word} = {`TOTEM_SH_COMPUTE_DIM_Y, 16'd0, restart_end[47:32]};
            default: {save_register, save_word} = {`TOTEM_SH_COMPUTE_DIM_Z, 16'd0, restart_end[63:48]};
        endcase

    always @* begin
        ram_write_enable = 1'b1;
        ram_write_addr   = {own_queue, write_offset};
        ram_write_data   = write_data;
        if (!write_register) begin
            if (saving) begin
                ram_write_addr[6:0] = save_register[6:0];
                ram_write_data      = save_word;
            end else if (write_derived) begin
                ram_write_addr[6:0] = OFFSET_DERIVED;
                ram_write_data      = derived_word;
            end else if (write_result) begin
                ram_write_enable = !in_table;
                ram_write_addr   = {derive_queue, words ? OFFSET_DERIVED : OFFSET_THREADS};
                ram_write_data   = {19'd0, sum};
            end else begin
                ram_write_enable = clear_active || write_access;
                ram_write_addr   = clear_active ? {clear_queue, clear_step} : {access_queue, access_offset};
                ram_write_data   = clear_active ? reset_word : access_data;
            end
        end
    end

    // The place of an offset in the launch state: whether it has one, {word, high half}.
    wire [6:0]  offset = write_register ? write_offset : write_access ? access_offset : clear_step;
    reg  [5:0]  place;
    always @*
        case ({3'b100, offset})
            `TOTEM_SH_COMPUTE_PGM_RSRC1:    place = {1'b1, 4'd0, 1'b0};
            `TOTEM_SH_COMPUTE_PGM_RSRC2:    place = {1'b1, 4'd0, 1'b1};
            {3'b100, OFFSET_RSRC3}:         place = rsrc3_gfx9 ? 6'd0 : {1'b1, 4'd1, 1'b0};
            {3'b100, OFFSET_RSRC3_GFX9}:    place = rsrc3_gfx9 ? {1'b1, 4'd1, 1'b0} : 6'd0;
            `TOTEM_SH_COMPUTE_TMPRING_SIZE: place = {1'b1, 4'd1, 1'b1};
            `TOTEM_SH_COMPUTE_DISPATCH_SCRATCH_BASE_LO, `TOTEM_SH_COMPUTE_DISPATCH_SCRATCH_BASE_HI:
                place = {1'b1, 4'd15, offset[0]};
            default:
                if (offset[6:4] == 3'b100)      // USER_DATA
                    place = {1'b1, {1'b0, offset[3:1]} + 4'd2, offset[0]};
                else
                    place = 6'd0;
        endcase

    wire state_write = (write_register || write_clear || write_access) && place[5];
    assign state_low  = (state_write && !place[0]) || (write_result && in_table && !combo[0]);
    assign state_high = (state_write && place[0]) || (write_result && in_table && combo[0]);
    assign state_addr = {write_register ? own_queue : write_result ? derive_queue : write_access ? access_queue
                                        : clear_queue,
                         write_result ? 4'd10 + {2'd0, combo[2:1]} : place[4:1]};
    assign state_data = write_register ? write_data : write_result ? {19'd0, sum} : write_access ? access_data : 32'd0;

    wire unused = &{1'b0, save_register[9:7]};
endmodule

`default_nettype wire
