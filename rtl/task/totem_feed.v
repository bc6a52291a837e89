// SPDX-License-Identifier: Apache-2.0
//
// totem_feed: joins ring and tasks of a compute pipe in front of walker and dispatch controller.
//
// Policy    what runs a grid drives them: the packet processor with its bank, or runner with task_bank.
// Latency   none, a pure function.
// Boundary  a task is an unfinished grid from work-group 0, 0, 0 on, of waves of 32 threads, on every engine.
// Cost      one selector for each bit.
// Proved    equal to its twin for every input.
// Twin      cmodel/task/totem_feed.c, same names.

`default_nettype none

module totem_feed #(
    parameter SE_COUNT = 4                  // 1 to 4
) (
    // runner
    input  wire                 runner_on,
    input  wire                 runner_start,
    input  wire                 runner_stop,
    input  wire [6:0]           runner_waves,
    input  wire [6:0]           runner_threads,
    input  wire [8:0]           runner_marks,       // INVALIDATE in the low bits
    // execute
    input  wire                 execute_start,
    input  wire                 execute_start_resume,
    input  wire                 execute_start_fresh_at_zero,
    input  wire                 execute_start_partial,
    input  wire [63:0]          execute_start_end,
    input  wire                 execute_stop,
    input  wire [6:0]           execute_dispatch_waves,
    input  wire [6:0]           execute_dispatch_threads,
    input  wire                 execute_dispatch_wave32,
    // bank
    input  wire [63:0]          bank_origin,
    input  wire [63:0]          bank_restart,
    input  wire [6:0]           bank_restart_mask,
    input  wire [63:0]          bank_restart_end,
    input  wire [63:0]          bank_restart_origin,
    input  wire [39:0]          bank_program_addr,
    input  wire [6:0]           bank_vgprs,
    input  wire [8:0]           bank_lds,
    input  wire [SE_COUNT-1:0]  bank_engines,
    input  wire                 bank_scratch,
    input  wire [3:0]           bank_words,
    // task_bank
    input  wire [63:0]          task_restart,
    input  wire [6:0]           task_restart_mask,
    input  wire [63:0]          task_restart_end,
    input  wire [39:0]          task_program_addr,
    input  wire [6:0]           task_vgprs,
    input  wire [8:0]           task_lds,
    input  wire [SE_COUNT-1:0]  task_engines,
    input  wire [3:0]           task_words,
    // launch state RAMs
    input  wire [31:0]          ring_low_data,
    input  wire [31:0]          ring_high_data,
    input  wire [31:0]          task_low_data,
    input  wire [31:0]          task_high_data,
    // walker, dc
    output wire                 start,
    output wire                 start_resume,
    output wire                 start_fresh_at_zero,
    output wire                 start_partial,
    output wire [63:0]          start_end,
    output wire                 stop,
    output wire [6:0]           waves,
    output wire [6:0]           threads,
    output wire                 wave32,
    output wire [63:0]          origin,
    output wire [63:0]          restart,
    output wire [6:0]           restart_mask,
    output wire [63:0]          restart_end,
    output wire [63:0]          restart_origin,
    output wire [39:0]          program_addr,
    output wire [6:0]           vgprs,
    output wire [8:0]           lds,
    output wire [SE_COUNT-1:0]  engines,
    output wire                 scratch,
    output wire [3:0]           words,
    output wire [5:0]           invalidate,
    output wire [31:0]          low_data,
    output wire [31:0]          high_data
);
    assign start               = runner_on ? runner_start : execute_start;
    assign start_resume        = runner_on || execute_start_resume;
    assign start_fresh_at_zero = !runner_on && execute_start_fresh_at_zero;
    assign start_partial       = !runner_on && execute_start_partial;
    assign start_end           = runner_on ? 64'd0 : execute_start_end;
    assign stop                = runner_on ? runner_stop : execute_stop;
    assign waves               = runner_on ? runner_waves : execute_dispatch_waves;
    assign threads             = runner_on ? runner_threads : execute_dispatch_threads;
    assign wave32              = runner_on || execute_dispatch_wave32;
    assign origin              = runner_on ? 64'd0 : bank_origin;
    assign restart             = runner_on ? task_restart : bank_restart;
    assign restart_mask        = runner_on ? task_restart_mask : bank_restart_mask;
    assign restart_end         = runner_on ? task_restart_end : bank_restart_end;
    assign restart_origin      = runner_on ? 64'd0 : bank_restart_origin;
    assign program_addr        = runner_on ? task_program_addr : bank_program_addr;
    assign vgprs               = runner_on ? task_vgprs : bank_vgprs;
    assign invalidate          = runner_on ? runner_marks[5:0] : 6'd0;
    assign lds                 = runner_on ? task_lds : bank_lds;
    assign engines             = runner_on ? task_engines : bank_engines;
    assign scratch             = !runner_on && bank_scratch;
    assign words               = runner_on ? task_words : bank_words;
    assign low_data            = runner_on ? task_low_data : ring_low_data;
    assign high_data           = runner_on ? task_high_data : ring_high_data;

    wire unused = &{1'b0, runner_marks[8:6]};
endmodule

`default_nettype wire
