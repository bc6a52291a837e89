// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_view, included at the end of the module. The numbers are those of docs/contract/view.md.

    wire [3:0] f_reason = value[19:16];
    wire       f_mapped = hqd_active[hqd_shown_queue];
    wire       f_stays  = f_mapped && !hqd_leaving[hqd_shown_queue] && !hqd_killing[hqd_shown_queue]
                          && hqd_request[hqd_shown_queue*3 +: 3] == REQUEST_NONE;
    wire       f_state  = hqd_shown_dword == `TOTEM_REG_QUEUE_STATE;
    wire       f_runs   = f_reason == `TOTEM_REG_QUEUE_STATE_REASON_RUNNING;
    always @* begin
        if (f_state && f_stays) assert (f_runs == value[1]);                                            // 1 running
        if (f_state && !f_mapped) assert (!value[0] && !value[3] && !f_runs);                           // 1 running
        if (f_state) assert (value[3] == waiting && !(value[9] && waiting) && value[31:20] == 0);       // 2 work
        if (hqd_shown_dword == `TOTEM_REG_QUEUE_CP_HQD_PQ_CONTROL)
            assert (value[15] == !waiting && ((value ^ window_data) & ~32'h8000) == 32'd0);             // 2 work
        if (hqd_shown_dword == `TOTEM_REG_QUEUE_CP_HQD_HQ_STATUS0) assert (!(value[30] && waiting));    // 2 work
        cover (f_state && f_reason == `TOTEM_REG_QUEUE_STATE_REASON_LINE);
    end
