// SPDX-License-Identifier: Apache-2.0
//
// bench: the measured figures: speed of lockstep, RTL alone and C model alone on the same work in one run, latency of the
// first wave, length of a queue switch. Prints JSON. sim/bench.py runs it and writes the table of docs/bench.md.
//
//   bench [CLOCKS]     clocks of a speed measurement (default 30000)

#include "agent.h"
#include "driver.h"

#include "../../cmodel/queue/totem_pm4.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TYPE3(op, body) (3u << 30 | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8 | 2u)

enum { SPEED_SEEDS = 3, SWITCH_SEEDS = 20, SWITCH_TIMES = 4, LONGEST = 256 };

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The same work on each engine: every queue has more to do than the clocks can hold, so nothing waits for software.
static double speed(session_engine engine, uint64_t clocks)
{
    double spent = 0;
    for (uint64_t seed = 1; seed <= SPEED_SEEDS; seed++) {
        session_options so = {.engine = engine, .seed = seed, .memory = {.seed = seed, .latency = 100}};
        session        *s  = session_create(&so);
        if (!s)
            exit(3);
        host_port *h = session_host(s);
        for (uint32_t e = 0; e < 16; e++)
            driver_program(h, 0, e, 150, 5);
        // Every queue of the machine runs the same loop of dispatches and fences, more than the clocks can hold.
        for (uint32_t p = 0; p < TOTEM_PIPE_COUNT; p++)
            for (uint32_t q = 0; q < TOTEM_QUEUES; q++) {
                const uint64_t ring = 0x100000 + (p * TOTEM_QUEUES + q) * 0x10000u;
                uint32_t       at   = 0;
                while (at + 64 < 8192) {
                    const uint32_t words[] = {
                        TYPE3(TOTEM_OP_SET_SH_REG, 4),
                        0x207,
                        128,
                        1,
                        1,
                        TYPE3(TOTEM_OP_SET_SH_REG, 3),
                        0x212,
                        3,
                        4u << 1,
                        TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4),
                        40,
                        2,
                        1,
                        5,
                        TYPE3(TOTEM_OP_RELEASE_MEM, 7),
                        0x528,
                        1u << 29,
                        (uint32_t)(0x80000 + 8 * (p * TOTEM_QUEUES + q)),
                        0,
                        at,
                        0,
                        0,
                    };
                    for (uint32_t n = 0; n < sizeof words / sizeof *words; n++)
                        memory_write32(session_memory(s), ring + 4 * (uint64_t)at++, words[n]);
                }
                char message[256];
                if (!account_stream(session_account(s), (int)p, (int)q, session_memory(s), ring, 8192, 0, at, message))
                    exit(3);
                const driver_queue queue = {
                    .pipe = p, .queue = q, .priority = q, .pipe_priority = q % 3, .ring = ring, .size = 8192};
                driver_map(h, 0, &queue);
                driver_doorbell(h, 0, p, q, at);
            }
        const double from = now();
        while (session_clock(s) < clocks)
            if (session_step(s) != SESSION_GOOD) {
                fprintf(stderr, "%s", session_report(s));
                exit(1);
            }
        spent += now() - from;
        session_destroy(s);
    }
    return (double)clocks * SPEED_SEEDS / spent;
}

// Clocks from the clock in which a DISPATCH_DIRECT executes (packet's phase EXECUTE, two clocks before `start`) to the
// first wave on the launch port, on an empty machine, for `user` user-data registers.
static int first_wave(uint32_t user)
{
    session_options so = {.engine = SESSION_MODEL, .memory = {.latency = 20}};
    session        *s  = session_create(&so);
    if (!s)
        exit(3);
    driver_program(session_host(s), 0, 0, 50, 0);
    const uint32_t words[] = {
        TYPE3(TOTEM_OP_SET_SH_REG, 3),
        0x212,
        3,
        user << 1,
        TYPE3(TOTEM_OP_SET_SH_REG, 4),
        0x207,
        64,
        1,
        1,
        TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4),
        1,
        1,
        1,
        5,
    };
    for (uint32_t n = 0; n < sizeof words / sizeof *words; n++)
        memory_write32(session_memory(s), 0x100000 + 4 * n, words[n]);
    char message[256];
    account_stream(session_account(s), 0, 0, session_memory(s), 0x100000, 256, 0, sizeof words / sizeof *words,
                   message);
    const driver_queue queue = {.ring = 0x100000, .size = 256, .priority = 7, .pipe_priority = 1};
    driver_map(session_host(s), 0, &queue);
    driver_doorbell(session_host(s), 0, 0, 0, sizeof words / sizeof *words);
    uint64_t start = 0;
    int      wave  = -1;
    while (wave < 0 && session_clock(s) < 20000) {
        const totem_machine_out *o = session_out(s);
        if (o->fe[0].pipe[0].packet.start)
            start = session_clock(s);
        for (int e = 0; e < TOTEM_SE_COUNT; e++)
            if (o->se[e].launch.launch_valid && start)
                wave = (int)(session_clock(s) - start) + 2;
        if (session_step(s) != SESSION_GOOD)
            exit(1);
    }
    session_destroy(s);
    return wave;
}

// Clocks of switches, by number; the last bin holds everything above it.
typedef struct {
    uint64_t bin[LONGEST], count, sum, most;
} histogram;

static void count_switch(histogram *h, uint64_t took)
{
    h->bin[took < LONGEST ? took : LONGEST - 1]++;
    h->count++;
    h->sum += took;
    h->most = took > h->most ? took : h->most;
}

// Has the selected queue's first packet begun to act in this clock? Then *needed is how many of its dwords that took: it is
// executed, starts its grid, polls, closes an epoch or gives the pipe up with all of them, writes memory with its first data
// dword and registers with its first value; one that is only consumed acts with its second. A resumed grid needs none.
static bool acts(const totem_pipe_out *p, const totem_packet *s, uint32_t *needed)
{
    enum { BODY = 4 }; // phase of docs/contract/packet.md
    const uint32_t op = s->header >> 8 & 0xff;
    *needed           = s->length;
    if (p->packet.start)
        *needed = s->resume ? 0 : s->length;
    else if (p->packet.bank_write && op == TOTEM_OP_SET_SH_REG)
        *needed = 3;
    else if (p->packet.write_valid)
        *needed = 5;
    else if (s->phase == BODY && (s->counted || op == TOTEM_OP_NOP))
        *needed = 2;
    else
        return p->packet.left || p->packet.executed || p->packet.poll_valid || p->packet.fence_valid ||
               p->packet.fence_close;
    return true;
}

// Clocks from `left` (the boundary) to the clock in which the first packet of the next queue acts. Random mixes; only where
// the queue that was selected was ready at the boundary. `whole`: the dwords with which the packet acts were on chip then;
// `cut`: some were not, since it crosses into a line that was still on its way. `saved`: by the sources' switch, MQD_SAVE.
static void switches(uint64_t clocks, bool saved, histogram *whole, histogram *cut)
{
    for (uint64_t seed = 1; seed <= SWITCH_SEEDS; seed++) {
        session_options so;
        agent_options   ao;
        agent_draw(seed, clocks, &so, &ao);
        so.engine   = SESSION_MODEL;
        so.memory   = (memory_options){.seed = seed, .latency = 100};
        ao.waits    = false;
        ao.errors   = false;
        ao.queues   = TOTEM_PIPE_COUNT * TOTEM_QUEUES;
        ao.mqd_save = saved;
        session *s  = session_create(&so);
        agent   *a  = s ? agent_create(s, &ao) : NULL;
        if (!a)
            exit(3);
        uint64_t left[TOTEM_PIPE_COUNT]                    = {0};
        bool     was_ready[TOTEM_PIPE_COUNT][TOTEM_QUEUES] = {0};
        uint8_t  on_chip[TOTEM_PIPE_COUNT][TOTEM_QUEUES]   = {0};
        while (session_clock(s) < clocks) {
            if (!agent_step(a)) {
                fprintf(stderr, "%s\n", agent_message(a));
                exit(1);
            }
            for (int n = 0; n < TOTEM_PIPE_COUNT; n++) {
                const totem_pipe_out *p = &session_out(s)->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES];
                const totem_pipe     *m = &session_model(s)->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES];
                uint32_t              needed;
                if (left[n] && acts(p, &m->packet, &needed)) {
                    const int q = p->arbiter.selected;
                    if (was_ready[n][q])
                        count_switch(on_chip[n][q] >= needed ? whole : cut, session_clock(s) - left[n]);
                    left[n] = 0;
                }
                if (p->packet.left) {
                    left[n] = session_clock(s);
                    memcpy(was_ready[n], p->arbiter.ready, sizeof was_ready[n]);
                    memcpy(on_chip[n], m->fetch.have, sizeof on_chip[n]);
                    was_ready[n][p->arbiter.selected] = false; // the one that leaves
                }
            }
            if (session_step(s) != SESSION_GOOD) {
                fprintf(stderr, "%s", session_report(s));
                exit(1);
            }
        }
        agent_destroy(a);
        session_destroy(s);
    }
}

static void print_histogram(const char *name, const histogram *h)
{
    printf(" \"%s\": {\"count\": %" PRIu64 ", \"mean\": %.1f, \"most\": %" PRIu64 ", \"bins\": {", name, h->count,
           h->count ? (double)h->sum / (double)h->count : 0.0, h->most);
    for (uint64_t n = 0, first = 1; n < LONGEST; n++)
        if (h->bin[n]) {
            printf("%s\"%" PRIu64 "\": %" PRIu64, first ? "" : ", ", n, h->bin[n]);
            first = 0;
        }
    printf("}}");
}

int main(int argc, char **argv)
{
    const uint64_t clocks = argc > 1 ? strtoull(argv[1], NULL, 0) : 30000;
    if (argc > 2 || !clocks) {
        fprintf(stderr, "usage: bench [CLOCKS]\n");
        return 2;
    }
    // Interleaved and the best of two, since machines are noisy.
    double rate[3] = {0};
    for (int round = 0; round < 2; round++)
        for (int e = 0; e < 3; e++) {
            const double got = speed((session_engine)e, clocks);
            rate[e]          = got > rate[e] ? got : rate[e];
        }
    static histogram whole, cut, saved;
    switches(SWITCH_TIMES * clocks, false, &whole, &cut);
    switches(SWITCH_TIMES * clocks, true, &saved, &saved);
    printf("{\n \"config\": \"" TOTEM_CONFIG_NAME "\",\n \"clocks\": %" PRIu64 ",\n", clocks * SPEED_SEEDS);
    printf(" \"lockstep_clocks_per_second\": %.0f,\n \"rtl_clocks_per_second\": %.0f,\n \"model_clocks_per_second\": "
           "%.0f,\n",
           rate[SESSION_BOTH], rate[SESSION_RTL], rate[SESSION_MODEL]);
    printf(" \"lockstep_time_over_rtl\": %.2f,\n \"model_over_rtl\": %.2f,\n", rate[SESSION_RTL] / rate[SESSION_BOTH],
           rate[SESSION_MODEL] / rate[SESSION_RTL]);
    printf(" \"first_wave\": {");
    for (uint32_t user = 0; user <= 16; user += 2)
        printf("%s\"%u\": %d", user ? ", " : "", user, first_wave(user));
    printf("},\n");
    print_histogram("switches", &whole);
    printf(",\n");
    print_histogram("switches_cut", &cut);
    printf(",\n");
    print_histogram("switches_saved", &saved);
    printf("\n}\n");
    return 0;
}
