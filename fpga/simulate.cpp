// SPDX-License-Identifier: Apache-2.0
//
// A self-check under Verilator, its signature compared with the C model's in every clock.
//
//   simulate               one run; says pass or fail, and the first clock whose outputs differ
//   simulate --restart N   the run is restarted N clocks after its start, and then judged
//   simulate --plant N     the plant input is 1 in clock N of the run; behind its register it flips bit 0 of the
//                          outputs of clock N + 1
//   --clocks N             length of the run that the top was made for, if it is not that of fpga/tops.yaml
//
// Exit code 0 if the run passed, 1 if it did not or gave no verdict in time, 2 for a wrong option.

#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "Vtotem_selfcheck.h"
#include "check.h"
#include "verilated.h"

static int usage()
{
    std::fputs("usage: simulate [--restart N] [--plant N] [--clocks N]\n"
               "  --restart N   the run is restarted N clocks after its start, and then judged\n"
               "  --plant N     the plant input is 1 in clock N (from 0): bit 0 of the outputs flips in clock N + 1\n"
               "  --clocks N    length of the run that the top was made for\n"
               "N is a decimal number below 2147483648\n",
               stderr);
    return 2;
}

// -1 if it is no number.
static int64_t number(const char *text)
{
    char *end           = nullptr;
    errno               = 0;
    const int64_t value = std::strtoll(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0 && value < INT64_C(1) << 31 ? value : -1;
}

int main(int count, char **words)
{
    int64_t restart = -1, plant = -1, clocks = static_cast<int64_t>(check_clocks);
    for (int n = 1; n < count; n += 2) {
        int64_t *option = std::strcmp(words[n], "--restart") == 0  ? &restart
                          : std::strcmp(words[n], "--plant") == 0  ? &plant
                          : std::strcmp(words[n], "--clocks") == 0 ? &clocks
                                                                   : nullptr;
        if (option == nullptr || n + 1 == count || (*option = number(words[n + 1])) < 0)
            return usage();
    }
    // Twice the reset of 128 clocks, the fold and the verdict are far below 4096 clocks.
    const int64_t    limit = (restart < 0 ? 0 : restart) + clocks + 4096;
    int64_t          spent = 0;
    VerilatedContext context;
    auto             top    = std::make_unique<Vtotem_selfcheck>(&context);
    auto             want   = check_create();
    uint32_t         folded = 0;
    int64_t          clock = -1, wrong = -1; // of the run; the first whose outputs differ
    top->clk = 0;
    top->eval();
    while (!top->pass && !top->fail) {
        if (spent++ == limit) {
            std::fprintf(stderr, "%s: no verdict after %" PRId64 " clocks\n", check_name, limit);
            std::free(want);
            return 1;
        }
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
