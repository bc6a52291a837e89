// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_drain, included at the end of the module. The numbers are those of docs/contract/drain.md.

    integer f;
    always @* begin
        assert (((drained | free) & record_busy) == 0 && ((drained | free) & fetch_reporting) == 0);    // 1 written
        for (f = 0; f < QUEUES; f = f + 1) begin
            if (hqd_dequeue[f*3 +: 3] == DEQUEUE_RESET && drained[f]) assert (kill_ended[f] &&
                                                                              hqd_killing[f]);          // 2 reset
            if (!not_selected[f]) assert (arbiter_selected_valid && arbiter_selected == f[QUEUE_BITS-1:0]); // 3 pipe
        end
        cover (drained != 0 && free != 0 && !not_selected[QUEUES-1]);
    end
