// SPDX-License-Identifier: Apache-2.0
//
// totem_cells_bench: totem_cells as it is and its netlist (module totem_cells_netlist) get the same random accesses in
// each clock; their outputs must be equal.

`default_nettype none

module totem_cells_bench #(
    parameter CLOCKS = 20000
) (
    input wire clk
);
    reg           write_enable = 1'b0, read_enable = 1'b1;
    reg  [14:0]   write_addr = 15'd0, read_addr = 15'd0, near = 15'd0;
    reg  [63:0]   write_data = 64'd0;
    wire [1151:0] is, wanted;
    wire [71:0]   product, wanted_product;
    integer       clock = 0, wrong = 0;

    totem_cells rtl (
        .clk(clk), .write_enable(write_enable), .write_addr(write_addr), .write_data(write_data),
        .read_enable(read_enable), .read_addr(read_addr), .read_data(wanted), .product(wanted_product[35:0]),
        .signed_product(wanted_product[71:36])
    );

    totem_cells_netlist netlist (
        .clk(clk), .write_enable(write_enable), .write_addr(write_addr), .write_data(write_data),
        .read_enable(read_enable), .read_addr(read_addr), .read_data(is), .product(product[35:0]),
        .signed_product(product[71:36])
    );

    always @(posedge clk) begin
        if (is !== wanted || product !== wanted_product) begin
            wrong <= wrong + 1;
            if (wrong < 3)
                $display("clock %0d: differ in %h, %h", clock, is ^ wanted, product ^ wanted_product);
        end
        // Often the same few words, so that reads meet writes and read what was written. In the first quarter all reads
        // are of initial contents.
        if ($random % 64 == 0)
            near <= $random;
        write_enable <= clock > CLOCKS / 4 && $random % 4 != 0;
        write_addr   <= $random % 2 == 0 ? $random : near ^ ($random & 15'd3);
        write_data   <= {$random, $random};
        read_enable  <= $random % 4 != 0;
        read_addr    <= $random % 2 == 0 ? $random : near ^ ($random & 15'd3);
        clock        <= clock + 1;
        if (clock == CLOCKS) begin
            $display("%0d passed, %0d failed", wrong == 0, wrong != 0);
            $finish;
        end
    end
endmodule

`default_nettype wire
