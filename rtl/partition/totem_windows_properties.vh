// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_windows, included at the end of the module. The numbers are those of docs/contract/windows.md.

    initial assume (rst);
    (* anyconst *) wire [1:0] f_any;
    wire [1:0]  f_w = f_any < WINDOWS ? f_any : 2'd0;       // any window
    reg         f_was = 1'b0;                               // the clock before was not one of reset
    reg         f_written;                                  // it was written in the clock before
    reg [90:0]  f_new, f_old;
    wire [90:0] f_now = {window_valid[f_w], window_base[f_w*33 +: 33], window_size[f_w*6 +: 6],
                         window_first[f_w*2 +: 2], window_spread[f_w*2 +: 2], window_chunk[f_w*6 +: 6],
                         window_stride[f_w*6 +: 6], window_place[f_w*33 +: 33], 2'd0};

    always @(posedge clk) begin
        f_was     <= !rst;
        f_written <= write_valid && write_window == f_w;
        f_new     <= {write_present, write_base, write_size, write_first, write_spread, write_chunk, write_stride,
                      write_place, 2'd0};
        f_old     <= f_now;
        if (f_was) begin
            assert (f_now == (f_written ? f_new : f_old));                                              // 1 only
            cover (f_written && f_new != f_old);
        end
    end
