// SPDX-License-Identifier: Apache-2.0
//
// totem_rv32_local: LDS and state RAM of an engine, with one access a clock for all cores.
//
// Policy    round robin. LDS is one region per group that runs; a core's accesses fall into the region of its group.
// Latency   the answer comes one clock behind the grant.

`default_nettype none

module totem_rv32_local #(
    parameter SLOTS = 64,
    parameter CORES = 4,
    parameter LDS   = 1024,                 // dwords of a region, a power of two from 2 to 16,384
    parameter S     = $clog2(SLOTS),        // these follow, and are not to be set
    parameter R     = CORES > 1 ? $clog2(CORES) : 1
) (
    input  wire                clk,
    input  wire                rst,
    // accept
    input  wire                write_enable,
    input  wire [S-1:0]        write_slot,
    input  wire [4:0]          write_word,
    input  wire [63:0]         write_data,
    // cores
    input  wire [CORES-1:0]    lds_valid,
    input  wire [CORES-1:0]    state_valid,
    input  wire [CORES*16-1:0] addr,        // bytes
    input  wire [CORES*32-1:0] wdata,
    input  wire [CORES*4-1:0]  strobe,      // 0: a load
    input  wire [CORES*S-1:0]  slot,
    input  wire [CORES*R-1:0]  region,
    output wire [CORES-1:0]    done,
    output wire [63:0]         data
);
    localparam A = $clog2(LDS);

    reg [R-1:0]  turn_q, turn_d;            // core that was granted last
    reg          done_q, done_d, lds_q, lds_d;
    reg [R-1:0]  chosen;
    reg          found;
    reg [15:0]   at;
    reg [31:0]   into;
    reg [3:0]    bytes;
    reg [S-1:0]  wave;
    reg [R-1:0]  place;
    integer      n;

    wire [CORES-1:0] asks = (lds_valid | state_valid) & ~done;
    wire [63:0]      state_word;
    wire [31:0]      lds_word;

    totem_ram #(.WIDTH(64), .DEPTH(SLOTS*32), .MEETS(1)) state (
        .clk(clk), .write_enable(write_enable), .write_addr({write_slot, write_word}), .write_data(write_data),
        .read_enable(found && !lds_d), .read_addr({wave, at[7:3]}), .read_data(state_word));

    genvar lane;
    generate
        for (lane = 0; lane < 4; lane = lane + 1) begin : lanes
            totem_ram #(.WIDTH(8), .DEPTH((1 << R) * LDS), .MEETS(0)) ram (
                .clk(clk), .write_enable(found && lds_d && bytes[lane]), .write_addr({place, at[2 +: A]}),
                .write_data(into[lane*8 +: 8]), .read_enable(found && lds_d && bytes == 4'd0),
                .read_addr({place, at[2 +: A]}), .read_data(lds_word[lane*8 +: 8]));
        end
    endgenerate

    assign done = done_q ? {{CORES-1{1'b0}}, 1'b1} << turn_q : {CORES{1'b0}};
    assign data = lds_q ? {32'd0, lds_word} : state_word;

    wire unused = &{1'b0, at};

    // The next one that asks behind the last, else the lowest.
    always @* begin
        found  = 1'b0;
        chosen = turn_q;
        for (n = CORES - 1; n >= 0; n = n - 1)
            if (asks[n]) begin
                found  = 1'b1;
                chosen = n[R-1:0];
            end
        for (n = CORES - 1; n >= 0; n = n - 1)
            if (asks[n] && n > turn_q)
                chosen = n[R-1:0];
        at    = addr[15:0];
        into  = wdata[31:0];
        bytes = strobe[3:0];
        wave  = slot[S-1:0];
        place = region[R-1:0];
        for (n = 1; n < CORES; n = n + 1)
            if (chosen == n[R-1:0]) begin
                at    = addr[n*16 +: 16];
                into  = wdata[n*32 +: 32];
                bytes = strobe[n*4 +: 4];
                wave  = slot[n*S +: S];
                place = region[n*R +: R];
            end
        turn_d = found ? chosen : turn_q;
        done_d = found;
        lds_d  = lds_valid[chosen];
    end

    always @(posedge clk) begin
        turn_q <= turn_d;
        done_q <= done_d;
        lds_q  <= lds_d;
        if (rst) begin
            turn_q <= {R{1'b0}};
            done_q <= 1'b0;
        end
    end
endmodule

`default_nettype wire
