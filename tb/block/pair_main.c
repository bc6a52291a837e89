// SPDX-License-Identifier: Apache-2.0
//
// Example of a program with two blocks: `bus` carries random words, `port` takes its own from the lanes and gives its
// heads up at will. Both are compared with their RTL in every clock.
//
//   make -C tb/block program MAIN=pair_main.c BLOCKS="bus port" CONFIG=mini && build/block/pair-mini/program

#include "block.h"

#include "../lockstep/session/random.h"
#include "totem_bus.h"
#include "totem_port.h"

#include <string.h>

extern const block_kind bus_block, port_block;

enum { CLOCKS = 20000 };

static bool run(block_bench *bench, void *given)
{
    uint64_t             *heads   = given;
    totem_random          random  = {1};
    block                *bus     = block_open(bench, &bus_block);
    block                *port    = block_open(bench, &port_block);
    totem_bus_in         *bus_in  = block_in(bus);
    const totem_bus_out  *bus_out = block_out(bus);
    totem_port_in        *port_in = block_in(port);
    const totem_port_out *out     = block_out(port);
    bool                  good    = true;
    for (*heads = 0; good && block_clock(bus) < CLOCKS;) {
        for (int f = 0; f < TOTEM_FE_COUNT; f++) {
            bus_in->source_valid[f] = random_below(&random, 4) == 0;
            bus_in->source_word[f]  = random_next(&random);
            bus_in->source_tag[f]   = (uint16_t)random_next(&random);
        }
        memcpy(port_in->bus_lane_valid, bus_out->lane_valid, sizeof bus_out->lane_valid);
        memcpy(port_in->bus_lane_word, bus_out->lane_word, sizeof bus_out->lane_word);
        memcpy(port_in->bus_lane_tag, bus_out->lane_tag, sizeof bus_out->lane_tag);
        port_in->grant_pipe             = TOTEM_PIPES > 1 && random_below(&random, 2);
        port_in->pop                    = out->head_valid[port_in->grant_pipe] && random_below(&random, 2);
        port_in->engine_kill_kill_ready = random_below(&random, 2);
        *heads += port_in->pop;
        const bool reset = random_below(&random, 4096) == 0;
        // Both, though one may differ: they stay in the same clock.
        good = block_step(bus, reset);
        good = block_step(port, reset) && good;
    }
    block_close(port);
    block_close(bus);
    return good;
}

int main(int count, char **words)
{
    uint64_t    heads;
    block_bench bench = {.folder = count > 1 ? words[1] : NULL};
    const bool  good  = block_run(&bench, run, &heads);
    printf("bus and port: %d clocks, %llu heads taken, %s\n", CLOCKS, (unsigned long long)heads,
           good ? "equal" : "a mismatch");
    return good && heads > 0 ? 0 : 1;
}
