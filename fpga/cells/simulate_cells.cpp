// SPDX-License-Identifier: Apache-2.0
//
// The clock of totem_cells_bench.

#include "Vtotem_cells_bench.h"

int main(int count, char **words)
{
    VerilatedContext context;
    context.commandArgs(count, words);
    Vtotem_cells_bench top(&context);
    while (!context.gotFinish()) {
        top.clk = !top.clk;
        top.eval();
    }
    return 0;
}
