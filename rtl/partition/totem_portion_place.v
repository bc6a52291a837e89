// SPDX-License-Identifier: Apache-2.0
//
// totem_portion_place: place of a line in the cache, part of totem_portion.
//
// The two low bits are folded with those above the place, so that rows of a matrix that lie 4 KiB apart spread. Bits
// [7:0] of the line address are bits [13:6] of the address.
// Twin      place_of in cmodel/partition/totem_portion.c.

`default_nettype none

module totem_portion_place (
    input  wire [7:0] line,
    output wire [5:0] place
);
    assign place = {line[5:2], line[1:0] ^ line[7:6]};
endmodule

`default_nettype wire
