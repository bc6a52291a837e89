// SPDX-License-Identifier: Apache-2.0
//
// totem_ram: memory with one write port and one read port whose data is registered.
//
// Policy    a read of the word being written in the same clock returns the old word; read_data
//           keeps its value while read_enable is 0. There is no reset: contents and read_data are
//           0 at start and only writes and reads change them.
// Latency   read_data follows read_enable by one clock; one read and one write per clock.
// Boundary  read_data is a flip-flop, so an owner sees it as an input like any other: an owner
//           stays small enough to prove, because the contents are not part of its state.
// Cost      block RAM on iCE40 (16 bits x 256 each) and ECP5 (36 bits x 512 each). Their makers do not
//           say which word a meeting reads, so the old one is kept beside them: about 2 flip-flops
//           and 1 LUT4 per bit, and an address compare. An owner that never reads a word while it
//           writes it sets MEETS to 0 and gets the bare block RAM; simulation stops if it does.
// Twin      cmodel/lib/totem_ram.h, TOTEM_RAM(name, type, depth).

`default_nettype none

module totem_ram #(
    parameter WIDTH = 64,                   // 1..64
    parameter DEPTH = 16,                   // words, a power of two from 2
    parameter MEETS = 1,                    // 0: the owner never reads the word it is writing
    parameter ADDR_BITS = $clog2(DEPTH)     // follows from DEPTH, not to be set
) (
    input  wire                 clk,
    // writer
    input  wire                 write_enable,
    input  wire [ADDR_BITS-1:0] write_addr,
    input  wire [WIDTH-1:0]     write_data,
    // reader
    input  wire                 read_enable,
    input  wire [ADDR_BITS-1:0] read_addr,
    output wire [WIDTH-1:0]     read_data
);
    generate
        if (WIDTH < 1 || WIDTH > 64 || DEPTH < 2 || DEPTH != (1 << ADDR_BITS) || MEETS < 0 || MEETS > 1) begin : check
            totem_ram_needs_WIDTH_1_to_64_and_DEPTH_a_power_of_two_and_MEETS_0_or_1 refused ();
        end
    endgenerate

`ifdef YOSYS
    (* no_rw_check = (MEETS == 0) *)    // Icarus refuses a parameter here
`endif
    reg [WIDTH-1:0] data_q [0:DEPTH-1];
    reg [WIDTH-1:0] read_data_q;

    assign read_data = read_data_q;

    integer word;
    initial begin
        for (word = 0; word < DEPTH; word = word + 1)
            data_q[word] = {WIDTH{1'b0}};
`ifndef SYNTHESIS
        // Block RAMs have no initial value for their output register: asking for one would put a
        // multiplexer behind each. No owner looks at read_data before its first read.
        read_data_q = {WIDTH{1'b0}};
`endif
    end

    always @(posedge clk) begin
        // 1 Read
        if (read_enable)
            read_data_q <= data_q[read_addr];
        // 2 Write
        if (write_enable)
            data_q[write_addr] <= write_data;
    end

`ifdef FORMAL
`include "totem_ram_properties.vh"
`else
`ifndef SYNTHESIS
    always @(posedge clk)
        if (MEETS == 0 && write_enable && read_enable && write_addr == read_addr) begin
            $display("totem_ram: word %0d of %0d is read while it is written; set MEETS to 1", read_addr, DEPTH);
            $stop;
        end
`endif
`endif
endmodule

`default_nettype wire
