// SPDX-License-Identifier: Apache-2.0
//
// totem_replay: a recorded run of the model once more, in a second simulator.
//
// Policy    drives the machine with the inputs of the record (record_main.c) and compares, every clock, one digest over
//           all outputs of all blocks with the model's. Stops at the first difference and writes the words that it saw,
//           so that `record --explain` can name block and signal. An unknown bit anywhere makes the digest unknown,
//           and unknown is never equal.
// Use       vvp totem_replay +record=FILE [+dump=FILE]; the last line is "N clocks equal" or says what is not.
//           The four clocks of reset stand at the start of a record like all others.

`default_nettype none

`include "totem_config.vh"

module totem_replay;
    reg clk = 1'b1;

    integer file, dump_file, got, clocks, clock;
    reg [8*512-1:0] name;
    reg [31:0]      hash, expected, digest, mixed;

    // Folding is one to one in the digest before: a single word that differs always shows.
    task fold(input [31:0] word);
        begin
            mixed  = digest ^ word;
            digest = {mixed[26:0], mixed[31:27]} * 32'h9e3779b1;
        end
    endtask

    task dump(input [31:0] word);
        $fdisplay(dump_file, "%b", word);
    endtask

    `include "replay_wiring.vh"

    integer bits;

    initial begin
        if (!$value$plusargs("record=%s", name)) begin
            $display("FAIL totem_replay: +record=FILE is missing");
            $finish;
        end
        file = $fopen(name, "r");
        if (file == 0) begin
            $display("FAIL totem_replay: cannot read %0s", name);
            $finish;
        end
        got = $fscanf(file, "totem-record %h %d %d\n", hash, bits, clocks);
        if (got != 3 || hash != `TOTEM_CONFIG_HASH || bits != INPUT_BITS || clocks <= 0) begin
            $display("FAIL totem_replay: %0s is no record of this configuration; make it anew", name);
            $finish;
        end
        #1;
        for (clock = 0; clock < clocks; clock = clock + 1) begin
            got = $fscanf(file, "%h %h\n", inputs, expected);
            if (got != 2) begin
                $display("FAIL totem_replay: the record ends at clock %0d of %0d", clock, clocks);
                $finish;
            end
            digest = 32'd0;
            fold_all;
            // In the first clocks of reset nothing is settled yet: what counts begins after it.
            if (!inputs[0] && digest !== expected) begin
                $display("FAIL clock %0d: digest %h, the model's is %h", clock, digest, expected);
                if ($value$plusargs("dump=%s", name)) begin
                    dump_file = $fopen(name, "w");
                    $fdisplay(dump_file, "%0d", clock);
                    dump_all;
                    $fclose(dump_file);
                end
                $finish;
            end
            #1 clk = 1'b0;      // totem_tb takes the inputs over
            #1 clk = 1'b1;
            #1;
        end
        $display("%0d clocks equal", clocks);
        $finish;
    end
endmodule

`default_nettype wire
