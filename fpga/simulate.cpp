// SPDX-License-Identifier: Apache-2.0
//
// A self-check under Verilator, its signature compared with the C model's in every clock.
//
//   simulate               one run; says pass or fail, and the first clock whose outputs differ
//   simulate --restart N   the run is restarted N clocks after its start, and then judged
//   simulate --plant N     the plant input is held in clock N of the run
//
// Exit code 0 if the run passed.

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "Vtotem_selfcheck.h"
#include "check.h"
#include "verilated.h"

int main(int count, char **words)
{
    int64_t restart = -1, plant = -1;
    for (int n = 1; n + 1 < count; n += 2) {
        if (std::strcmp(words[n], "--restart") == 0)
            restart = std::strtoll(words[n + 1], nullptr, 0);
        else if (std::strcmp(words[n], "--plant") == 0)
            plant = std::strtoll(words[n + 1], nullptr, 0);
    }
    VerilatedContext context;
    auto             top    = std::make_unique<Vtotem_selfcheck>(&context);
    auto             want   = check_create();
    uint32_t         folded = 0;
    int64_t          clock = -1, wrong = -1; // of the run; the first whose outputs differ
    top->clk = 0;
    top->eval();
    while (!top->pass && !top->fail) {
        clock += clock >= 0 || top->running;
        top->restart = restart >= 0 && clock == restart;
        if (top->restart) {
            std::free(want);
            want    = check_create();
            folded  = 0;
            clock   = -1;
            restart = -1;
        }
        top->plant = plant >= 0 && clock == plant;
        top->clk   = 1;
        top->eval();
        top->clk = 0;
        top->eval();
        if (top->folded == folded + 1) {
            check_clock(want, -1);
            folded++;
            if (wrong < 0 && top->signature != check_signature(want))
                wrong = folded - 1;
        }
    }
    std::printf("%s: %s after %" PRIu32 " clocks, signature %016" PRIx64 "\n", check_name, top->pass ? "pass" : "FAIL",
                folded, static_cast<uint64_t>(top->signature));
    if (wrong >= 0)
        std::printf("first clock whose outputs differ: %" PRId64 "; LEDs show mark %d\n", wrong, top->first);
    const bool pass = top->pass && wrong < 0;
    std::free(want);
    return pass ? 0 : 1;
}
