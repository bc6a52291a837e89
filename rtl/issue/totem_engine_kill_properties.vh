// SPDX-License-Identifier: Apache-2.0
//
// Properties of totem_engine_kill, included at the end of the module. The numbers are those of
// docs/contract/engine_kill.md.

    integer f_n;
    always @* begin
        assert ((kill_ready & (kill_ready - 1'b1)) == {FE_COUNT{1'b0}});                          // 1 one
        assert (kill_pipe[1] || kill_ready[kill_fe*1 +: 1]);                                      // 1 one
        for (f_n = 0; f_n < FE_COUNT; f_n = f_n + 1) begin
            if (port_kill_valid[f_n]) assert (kill_valid && !kill_pipe[1] && kill_fe <= f_n[1:0]);  // 2 lowest
            if (graphics_port_kill_valid[f_n] && GRAPHICS != 0)
                assert (kill_valid && (!kill_pipe[1] || kill_fe <= f_n[1:0]));                    // 2 lowest
            assert (graphics_port_kill_ready[f_n] == (kill_pipe[1] && kill_fe == f_n[1:0]));  // 1 one
        end
        assert (!kill_valid || (kill_pipe[1] ? graphics_port_kill_valid[kill_fe*1 +: 1] && !(|port_kill_valid) :
                                               port_kill_valid[kill_fe*1 +: 1]));             // 2 lowest
        cover (kill_valid && !port_kill_valid[0] || FE_COUNT == 1);
    end
