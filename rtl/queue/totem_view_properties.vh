// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_view, included at the end of the module. The numbers are those of docs/contract/view.md.

    // Contract 1: REASON 0 (running) and the bit of a queue that has the pipe agree: of a slot that is active, stays
    //             and has no job, REASON is 0 exactly if it has the pipe.
    // Contract 2: a queue that has something to do is not idle, and EMPTY, IDLE and STATE tell the same of it.
    wire [3:0] f_reason = value[19:16];
    wire       f_mapped = hqd_active[hqd_shown_queue];
    wire       f_stays  = f_mapped && !hqd_leaving[hqd_shown_queue] && !hqd_killing[hqd_shown_queue]
                          && hqd_request[hqd_shown_queue*3 +: 3] == REQUEST_NONE;
    always @* begin
        if (hqd_shown_dword == 6'd59 && f_stays) assert ((f_reason == 4'd0) == value[1]); // 1
        if (hqd_shown_dword == 6'd59 && !f_mapped) assert (!value[0] && !value[3] && f_reason != 4'd0); // 1
        if (hqd_shown_dword == 6'd59) assert (value[3] == waiting && !(value[9] && waiting) && value[31:20] == 0); // 2
        if (hqd_shown_dword == 6'd17)
            assert (value[15] == !waiting && ((value ^ window_data) & ~32'h8000) == 32'd0);  // 2
        if (hqd_shown_dword == 6'd32) assert (!(value[30] && waiting)); // 2
        cover (hqd_shown_dword == 6'd59 && f_reason == 4'd7);
    end
