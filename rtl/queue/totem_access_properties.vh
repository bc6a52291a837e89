// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_access, included at the end of the module. The numbers are those of docs/contract/access.md.

    always @* begin
        assert (!(next_from_mqd && next_pointer) && (next_valid || (!next_from_mqd && !next_pointer))); // 1 asked
        if (next_from_mqd) assert (mqd_access_valid);                                                   // 1 asked
        if (next_pointer) assert (poll_access_valid);                                                   // 1 asked
        if (next_valid && !next_from_mqd && !next_pointer) assert (host_valid);                         // 1 asked
        if (!hqd_from_mqd && !hqd_pointer && mqd_access_valid) assert (next_from_mqd);                  // 2 turn
        if (!hqd_from_mqd && !hqd_pointer && !mqd_access_valid && poll_access_valid) assert (next_pointer); // 2 turn
        if (hqd_from_mqd && !hqd_pointer && poll_access_valid) assert (next_pointer);                   // 2 turn
        if (hqd_from_mqd && !hqd_pointer && !poll_access_valid && host_valid)
            assert (!next_from_mqd && !next_pointer);                                                   // 2 turn
        if (hqd_pointer && host_valid) assert (!next_from_mqd && !next_pointer);                        // 2 turn
        if (hqd_pointer && !host_valid && mqd_access_valid) assert (next_from_mqd);                     // 2 turn
        if (next_from_mqd) assert (next_queue == mqd_access_queue && next_dword == mqd_access_dword);   // 3 request
        if (next_pointer) assert (next_queue == poll_access_queue && next_dword == poll_access_dword);  // 3 request
        if (next_valid && !next_from_mqd && !next_pointer) begin
            assert (next_queue == host_queue[$clog2(QUEUES)-1:0]);                                      // 3 request
            assert (next_dword == (host_doorbell ? `TOTEM_REG_QUEUE_CP_HQD_PQ_WPTR_LO : host_dword[5:0]));  // 3 request
        end
        if (load)
            assert (hqd_from_mqd && mqd_access_kind > ACCESS_WRITE);                                    // 4 owner
        if (doorbell) assert (host_doorbell);                                                           // 4 owner
        if (hqd_from_mqd || hqd_pointer) assert (!doorbell && strobe == 4'd15);                         // 4 owner
        if (hqd_from_mqd)
            assert (load == (mqd_access_kind > ACCESS_WRITE) && write == (mqd_access_kind == ACCESS_WRITE)
                    && data == mqd_access_data);                                                        // 4 owner
        if (hqd_pointer && !hqd_from_mqd)
            assert (write == poll_access_write && data == {8'd0, poll_access_data});                    // 4 owner
        if (!hqd_pointer && !hqd_from_mqd)
            assert (write == host_write && doorbell == host_doorbell && strobe == host_strobe
                    && data == {8'd0, host_data});                                                      // 4 owner
        cover (next_valid && next_pointer && host_valid);
    end
