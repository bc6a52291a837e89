// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_slot_idle, included at the end of the module. The numbers are those of
// docs/contract/slot_idle.md.

    (* anyconst *) wire [Q-1:0] f_slot;
    (* anyconst *) wire [E-1:0] f_epoch;
    wire [EPOCHS-1:0] f_empty    = flight_empty[f_slot*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_reserved = epoch_reserved[f_slot*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_closed   = epoch_closed[f_slot*EPOCHS +: EPOCHS];
    wire [EPOCHS-1:0] f_pending  = fence_write_pending[f_slot*EPOCHS +: EPOCHS];
    wire [E-1:0]      f_current  = epoch_current[f_slot*E +: E];
    wire              f_still    = failure_waits[f_slot] || fence_telling[f_slot] || intake_storing[f_slot];
    wire              f_comes    = intake_storing[f_slot] || (record_fence_valid && record_fence_queue == f_slot);
    wire              f_meant    = !epoch_mapped[f_slot] || epoch_present[f_slot*EPOCHS + f_epoch];
    wire              f_over     = epoch_mapped[f_slot] ? (f_pending & epoch_present[f_slot*EPOCHS +: EPOCHS]) == 0
                                                        : f_pending == 0;
    integer k, f_count;
    always @* begin
        f_count = 0;
        for (k = 0; k < EPOCHS; k = k + 1)
            if (f_empty[k] && !f_closed[k] && !f_reserved[k])
                f_count = f_count + 1;
        assert (over[f_slot*EPOCHS + f_epoch] ==
                (epoch_turn[f_slot*EPOCHS + f_epoch] && (f_empty[f_epoch] || f_reserved[f_epoch])));    // 1 over
        if (drop_valid) assert (fence_free && !failure_valid);                                          // 2 dropped
        if (drop_valid && drop_queue == f_slot)
            assert (kill_abandon[f_slot] && !epoch_abandoned[f_slot] && !f_comes && f_over &&
                    !quiet[f_slot]);                                                                    // 2 dropped
        if (fence_free && !failure_valid && kill_abandon[f_slot] && !epoch_abandoned[f_slot] && !f_comes && f_over &&
            !quiet[f_slot])
            assert (drop_valid && drop_queue <= f_slot);                                                // 2 dropped
        if (idle[f_slot])
            assert (!f_closed[f_epoch] && f_empty[f_epoch] && !f_reserved[f_epoch] && !f_still);        // 3 idle
        if (!idle[f_slot])
            assert (f_closed != 0 || f_empty != ALL || f_reserved != 0 || f_still);                     // 3 idle
        assert (settled[f_slot] == (epoch_flushed[f_slot] && (f_empty[f_current] || f_reserved[f_current])));  // 3 idle
        assert (targets[f_slot*EPOCHS + f_epoch] == (!f_empty[f_epoch] && f_meant));                    // 4 quiet
        assert (quiet[f_slot] == (epoch_mapped[f_slot] ? settled[f_slot] : idle[f_slot]));              // 4 quiet
        assert (spare[f_slot] == (!f_closed[f_current] && f_count >= 2));                               // 5 spare
        cover (drop_valid);
    end
