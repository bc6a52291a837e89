// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_boot, included at the end of the module. The numbers are those of docs/contract/boot.md.

    initial assume (rst);
    reg        f_past   = 1'b0;
    reg        f_start  = 1'b0;
    reg [31:0] f_wanted = 32'd0;                // clocks that the run is to have
    reg [31:0] f_ran    = 32'd0;                // clocks that it has had
    reg        f_abort  = 1'b0;                 // control was written in the clock before
    reg        f_run    = 1'b0;
    reg        f_mdone  = 1'b0;
    reg        f_cdone  = 1'b0;
    reg        f_aw     = 1'b0;                 // offered, not taken, machine not in reset
    reg        f_w      = 1'b0;
    reg        f_ar     = 1'b0;
    reg [19:0] f_addr   = 20'd0;
    reg [31:0] f_data   = 32'd0;
    reg [1:0]  f_port   = 2'd0;
    reg        f_closed = 1'b0;                 // a run with an end was under way in the clock before
    reg [ENTRY_BITS-1:0] f_entry = 0;
    reg        f_due    = 1'b0;                 // the run had reached the clock of the entry a clock ago
    reg        f_list   = 1'b0;                 // two clocks ago
    wire       f_going  = phase_q != BOOT_REST;
    wire       f_writes = control_q == CONTROL_REST && bridge_control_valid && bridge_request_write &&
                          !bridge_request_address[16] && bridge_request_address[7:0] == BRIDGE_CONTROL[7:0];
    wire       f_answer = s_axil_bvalid || s_axil_rvalid;

    always @(posedge clk) begin
        f_past   <= !rst;
        f_start  <= !rst && start;
        if (start) begin
            f_wanted <= left_q;
            f_ran    <= 32'd0;
        end else if (running)
            f_ran <= f_ran + 32'd1;
        f_abort  <= f_writes && !rst;
        f_run    <= !rst && running;
        f_mdone  <= !rst && machine_done;
        f_cdone  <= !rst && control_done;
        f_aw     <= !rst && !reset && s_axil_awvalid && !s_axil_awready;
        f_w      <= !rst && !reset && s_axil_wvalid && !s_axil_wready;
        f_ar     <= !rst && !reset && s_axil_arvalid && !s_axil_arready;
        f_addr   <= port_address_q;
        f_data   <= port_data_q;
        f_port   <= port_q;
        f_closed <= !rst && busy;
        f_entry  <= entry_q;
        f_due    <= now_q >= due_q;
        f_list   <= f_due;
        if (!rst) begin
            assume (!(bridge_machine_valid && bridge_control_valid));                           // A1 one
            if (f_answer) assume (port_q != PORT_REST && !aw_valid_q && !w_valid_q && !ar_valid_q); // A2 slave

            if (running) assert (f_ran == now_q && left_q == f_wanted - f_ran);                 // 1 length
            if (running && !endless_q) assert (left_q != 32'd0 && last_q == (left_q == 32'd1)); // 1 length
            if (f_past && f_run && !running && !endless_q && !f_abort)
                assert (f_ran == f_wanted);                                                     // 1 length
            assert (!running || !reset);                                                        // 2 reset
            if (start) assert (reset && !f_start);                                              // 2 reset
            if (f_past && f_aw) assert (s_axil_awvalid && s_axil_awaddr == f_addr);             // 3 master
            if (f_past && f_w) assert (s_axil_wvalid && s_axil_wdata == f_data);                // 3 master
            if (f_past && f_ar) assert (s_axil_arvalid && s_axil_araddr == f_addr);             // 3 master
            assert (port_q != PORT_REST || (!aw_valid_q && !w_valid_q && !ar_valid_q));         // 3 master
            if (f_past && f_run && entry_q != f_entry) assert (entry_q == f_entry + 1'b1);      // 4 order
            if (f_past && f_port == PORT_REST && port_q == PORT_LIST) assert (f_list);          // 4 order
            assert (!(list_write_enable && list_read_enable));                                  // 5 apart
            if (list_write_enable) assert (!f_going);                                         // 5 apart
            if (f_closed && f_port == PORT_REST) assert (port_q != PORT_BRIDGE);                // 6 alone
            if (machine_q == MACHINE_WAIT) assert (!reset && !busy);                            // 6 alone
            if (f_mdone) assert (!machine_done);                                                // 7 done
            if (f_cdone) assert (!control_done);                                                // 7 done
            // helpers
            if (f_past) assert (due_now_q == f_due);
            assert (phase_q <= BOOT_RUN && step_q <= LIST_CHECK);
            assert (control_q <= CONTROL_DONE && machine_q <= MACHINE_DONE);
            if (phase_q == BOOT_START) assert (reset_q && endless_q == (left_q == 32'd0));
            if (running) assert (endless_q == (f_wanted == 32'd0));
            if (step_q != LIST_REST && step_q != LIST_ACCESS && step_q != LIST_CHECK && !f_going) assert (f_past);
            if (step_q == LIST_READ) assert (part_q <= 3'd4);
            if (f_going) assert (control_q != CONTROL_WRITE && control_q != CONTROL_READ);
            if (control_q == CONTROL_READ || control_q == CONTROL_WRITE) assert (!f_going);
            if (step_q == LIST_READ && !f_going) assert (f_run);
            if (port_q == PORT_LIST) assert (step_q == LIST_ACCESS);
            cover (running && port_q == PORT_LIST);
            cover (machine_done && machine_status == BRIDGE_OK);
        end
    end
