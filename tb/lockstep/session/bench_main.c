// SPDX-License-Identifier: Apache-2.0
//
// bench: the measured figures: speed of lockstep, RTL alone and C model alone on the same work in one run, latency of
// the first wave, length of a queue switch. Prints JSON. sim/bench/bench.py runs it and records its figures.
//
//   bench [CLOCKS]             clocks of a speed measurement (default 30000)
//   bench saved [CLOCKS]       only what goes through an MQD: a mapping, a save, the sources' switch
//   bench switches [CLOCKS]    only the switches, and in words each that takes longer than the bound
//   bench speed [CLOCKS]       only the speeds
//   bench lockstep [CLOCKS]    only runs lockstep, for a profile
//   bench model [CLOCKS]       only runs the C model, for a profile

#include "agent.h"
#include "driver.h"

#include "../../../cmodel/packet/totem_pm4.h"

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

static void put(session *s, uint64_t ring, uint32_t *at, const uint32_t *words, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++)
        memory_write32(session_memory(s), ring + 4 * (uint64_t)(*at)++, words[n]);
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
                    const uint32_t fence = 0x80000 + 8 * (p * TOTEM_QUEUES + q), value = at;
                    put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_SET_SH_REG, 4), 0x207, 128, 1, 1}, 5);
                    put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_SET_SH_REG, 3), 0x212, 3, 4u << 1}, 4);
                    put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), 40, 2, 1, 5}, 5);
                    put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_RELEASE_MEM, 7), 0x528, 1u << 29}, 3);
                    put(s, ring, &at, (uint32_t[]){fence, 0, value, 0, 0}, 5);
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

// Clocks from the clock in which a DISPATCH_DIRECT executes (is taken by `execute`, two clocks before `start`) to the
// first wave on the launch port, on an empty machine, for `user` user-data registers.
static int first_wave(uint32_t user)
{
    session_options so = {.engine = SESSION_MODEL, .memory = {.latency = 20}};
    session        *s  = session_create(&so);
    if (!s)
        exit(3);
    driver_program(session_host(s), 0, 0, 50, 0);
    uint32_t at = 0;
    put(s, 0x100000, &at, (uint32_t[]){TYPE3(TOTEM_OP_SET_SH_REG, 3), 0x212, 3, user << 1}, 4);
    put(s, 0x100000, &at, (uint32_t[]){TYPE3(TOTEM_OP_SET_SH_REG, 4), 0x207, 64, 1, 1}, 5);
    put(s, 0x100000, &at, (uint32_t[]){TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), 1, 1, 1, 5}, 5);
    char message[256];
    account_stream(session_account(s), 0, 0, session_memory(s), 0x100000, 256, 0, at, message);
    const driver_queue queue = {.ring = 0x100000, .size = 256, .priority = 7, .pipe_priority = 1};
    driver_map(session_host(s), 0, &queue);
    driver_doorbell(session_host(s), 0, 0, 0, at);
    uint64_t start = 0;
    int      wave  = -1;
    while (wave < 0 && session_clock(s) < 20000) {
        const totem_machine_out *o = session_out(s);
        if (o->fe[0].pipe[0].front.execute.start)
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

// Clocks of a mapping by register MAP whose registers are preloaded, and of a save by a dequeue, each from the clock
// behind its request to that behind its end, on an empty machine; memory answers in 100 clocks.
static void moves(uint64_t *map, uint64_t *save)
{
    enum { MQD = 0x600000 };
    session_options so = {.engine = SESSION_MODEL, .memory = {.latency = 100}};
    session        *s  = session_create(&so);
    if (!s)
        exit(3);
    const driver_queue q = {.ring = 0x100000, .size = 256, .priority = 7, .mqd = MQD};
    uint32_t           image[DRIVER_MQD], at = 0;
    driver_image(&q, true, image);
    put(s, MQD, &at, image, DRIVER_MQD);
    driver_map_mqd(session_host(s), 0, 0, 0, MQD);
    uint64_t begun[2] = {0}, ended[2] = {0};
    while (!ended[1] && session_clock(s) < 20000) {
        const totem_front_out *f   = &session_out(s)->fe[0].pipe[0].front;
        const uint64_t         now = session_clock(s);
        if (!begun[0] && f->hqd.request[0])
            begun[0] = now;
        if (begun[0] && !ended[0] && f->arbiter.active[0]) {
            ended[0] = now;
            driver_ask_dequeue(session_host(s), 0, 0, 0, 4);
        }
        if (ended[0] && !begun[1] && f->hqd.request[0] == 3)
            begun[1] = now;
        if (begun[1] && !f->hqd.active[0])
            ended[1] = now;
        if (session_step(s) != SESSION_GOOD)
            exit(1);
    }
    *map  = ended[0] - begun[0];
    *save = ended[1] - begun[1];
    session_destroy(s);
}

typedef struct {
    uint32_t pipes; // one bit each
    bool     one;   // engine 0 alone
    uint32_t groups, duration;
    uint32_t (*waves)(uint32_t n, uint32_t pipe); // of a group of dispatch n
} load;

// Each of these pipes has a queue with more dispatches than the clocks can hold. Long programs run up to 63 clocks
// more.
static session *loaded(const load *work)
{
    session_options so = {.engine = SESSION_MODEL, .seed = 1, .memory = {.seed = 1, .latency = 100}};
    session        *s  = session_create(&so);
    if (!s)
        exit(3);
    host_port *h                         = session_host(s);
    uint32_t   written[TOTEM_PIPE_COUNT] = {0};
    for (uint32_t e = 0; e < 16; e++)
        driver_program(h, 0, e, work->duration, work->duration > 64 ? 6 : 0);
    for (uint32_t p = 0; p < TOTEM_PIPE_COUNT; p++) {
        const uint64_t ring = 0x100000 + p * 0x10000u;
        uint32_t       at   = 0;
        if (!(work->pipes >> p & 1))
            continue;
        if (work->one) {
            put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_SET_SH_REG, 3), 0x216, ~0u, 0}, 4);
            put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_SET_SH_REG, 3), 0x219, 0, 0}, 4);
        }
        for (uint32_t n = 0; at + 16 < 8192; n++) {
            put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_SET_SH_REG, 4), 0x207, 64 * work->waves(n, p), 1, 1}, 5);
            put(s, ring, &at, (uint32_t[]){TYPE3(TOTEM_OP_DISPATCH_DIRECT, 4), work->groups, 1, 1, 5}, 5);
        }
        char message[256];
        if (!account_stream(session_account(s), (int)p, 0, session_memory(s), ring, 8192, 0, at, message))
            exit(3);
        const driver_queue queue = {.pipe = p, .priority = 1, .pipe_priority = p % 3, .ring = ring, .size = 8192};
        driver_map(h, 0, &queue);
        written[p] = at;
    }
    for (uint32_t p = 0; p < TOTEM_PIPE_COUNT; p++)
        if (written[p])
            driver_doorbell(h, 0, p, 0, written[p]);
    return s;
}

static void go_on(session *s, uint64_t clocks)
{
    for (const uint64_t end = session_clock(s) + clocks; session_clock(s) < end;)
        if (session_step(s) != SESSION_GOOD) {
            fprintf(stderr, "%s", session_report(s));
            exit(1);
        }
}

static uint32_t one_wave(uint32_t n, uint32_t pipe)
{
    (void)n, (void)pipe;
    return 1;
}

static uint32_t two_waves(uint32_t n, uint32_t pipe)
{
    return 2 * one_wave(n, pipe);
}

// Small groups, and every fourth dispatch half an engine a group.
static uint32_t mixed_waves(uint32_t n, uint32_t pipe)
{
    return (n + pipe) % 4 == 0 ? TOTEM_SLOTS / 2 : 1 + (n * 5 + pipe) % 7;
}

// Waves that engine 0 starts in a clock until its slots are full, without the first ones, whose headers came between.
static double wave_rate(uint32_t pipes, uint32_t (*waves)(uint32_t n, uint32_t pipe))
{
    enum { FIRST = TOTEM_SLOTS / 4 };
    session *s     = loaded(&(load){pipes, true, 60000, 8000, waves});
    uint64_t begin = 0;
    for (uint32_t launched = 0; launched < TOTEM_SLOTS; go_on(s, 1)) {
        const totem_machine_out *o = session_out(s);
        launched += o->se[0].launch.launch_valid && o->wave[0].launch_ready;
        if (launched == FIRST && !begin)
            begin = session_clock(s);
    }
    const double clocks = (double)(session_clock(s) - 1 - begin);
    session_destroy(s);
    return (TOTEM_SLOTS - FIRST) / clocks;
}

// Longest wait of a head in clocks, by pipe priority, in a machine whose engines are always full: not fitting, or
// passed.
static void longest_waits(uint64_t clocks, uint32_t found[3])
{
    session *s = loaded(&(load){~0u, false, 6, 200, mixed_waves});
    go_on(s, clocks);
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        for (unsigned p = 0; p < TOTEM_PIPE_COUNT; p++) {
            const totem_stats *n    = &session_model(s)->se[e].stats;
            const uint32_t     wait = n->lacked_longest[p] + n->passed_longest[p];
            if (wait > found[p % 3])
                found[p % 3] = wait;
        }
    session_destroy(s);
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

typedef struct {
    histogram kinds[SWITCH_KINDS];
    histogram hidden; // waits for lines of the same switches
    bool      trace;  // print every switch above the bound
    uint64_t  seed;
} switch_sums;

static void seen(void *context, int pipe, const switch_turn *turn)
{
    switch_sums *sums = context;
    count_switch(&sums->kinds[turn->kind], turn->end);
    if (turn->hidden)
        count_switch(&sums->hidden, turn->hidden);
    if (sums->trace && turn->end > SWITCH_BOUND) {
        char words[256];
        switch_words(turn, words, sizeof words);
        printf("seed %" PRIu64 ", pipe %d: %s\n", sums->seed, pipe, words);
    }
}

// Queue switches of random mixes; the session breaks at one that takes longer than its bound
// (tb/lockstep/judges/switches.h). `saved`: by the sources' switch, MQD_SAVE, which has no bound. `pipes` have queues.
static void switches(uint64_t clocks, bool saved, uint32_t pipes, switch_sums *sums)
{
    for (uint64_t seed = 1; seed <= SWITCH_SEEDS; seed++) {
        session_options so;
        agent_options   ao;
        agent_draw(seed, clocks, &so, &ao);
        so.engine   = SESSION_MODEL;
        so.memory   = (memory_options){.seed = seed, .latency = 100};
        ao.waits    = false;
        ao.errors   = false;
        ao.pipes    = pipes;
        ao.queues   = pipes * TOTEM_QUEUES;
        ao.mqd_save = saved;
        session *s  = session_create(&so);
        agent   *a  = s ? agent_create(s, &ao) : NULL;
        if (!a)
            exit(3);
        sums->seed = seed;
        session_watch_switches(s, seen, sums);
        while (session_clock(s) < clocks) {
            if (!agent_step(a)) {
                fprintf(stderr, "%s\n", agent_message(a));
                exit(1);
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
    printf("  \"%s\": {\"count\": %" PRIu64 ", \"mean\": %.1f, \"most\": %" PRIu64 ", \"bins\": {", name, h->count,
           h->count ? (double)h->sum / (double)h->count : 0.0, h->most);
    for (uint64_t n = 0, first = 1; n < LONGEST; n++)
        if (h->bin[n]) {
            printf("%s\"%" PRIu64 "\": %" PRIu64, first ? "" : ", ", n, h->bin[n]);
            first = 0;
        }
    printf("}}");
}

static void print_switches(const char *name, const switch_sums *sums)
{
    printf(" \"%s\": {\n", name);
    for (switch_kind k = 0; k < SWITCH_KINDS; k++) {
        print_histogram(switch_name(k), &sums->kinds[k]);
        printf(",\n");
    }
    print_histogram("hidden", &sums->hidden);
    printf("}\n");
}

static void print_speeds(uint64_t clocks)
{
    // Interleaved and the best of two, since machines are noisy.
    double rate[3] = {0};
    for (int round = 0; round < 2; round++)
        for (int e = 0; e < 3; e++) {
            const double got = speed((session_engine)e, clocks);
            rate[e]          = got > rate[e] ? got : rate[e];
        }
    printf(" \"config\": \"" TOTEM_CONFIG_NAME "\",\n \"clocks\": %" PRIu64 ",\n", clocks * SPEED_SEEDS);
    printf(" \"lockstep_clocks_per_second\": %.0f,\n \"rtl_clocks_per_second\": %.0f,\n \"model_clocks_per_second\": "
           "%.0f",
           rate[SESSION_BOTH], rate[SESSION_RTL], rate[SESSION_MODEL]);
}

static void print_saved(uint64_t clocks)
{
    static switch_sums saved, alone;
    uint64_t           map, save;
    moves(&map, &save);
    printf(" \"moves\": {\"map\": %" PRIu64 ", \"save\": %" PRIu64 "},\n", map, save);
    switches(SWITCH_TIMES * clocks, true, TOTEM_PIPE_COUNT, &saved);
    switches(SWITCH_TIMES * clocks, true, 1, &alone);
    print_switches("switches_saved", &saved);
    printf(",\n");
    print_switches("switches_saved_alone", &alone);
}

int main(int argc, char **argv)
{
    static switch_sums sums;
    const char        *only   = argc > 1 && (argv[1][0] < '0' || argv[1][0] > '9') ? argv[1] : "";
    const int          at     = *only ? 2 : 1;
    const uint64_t     clocks = argc > at ? strtoull(argv[at], NULL, 0) : 30000;
    if (argc > at + 1 || !clocks || !strstr(" switches saved speed lockstep model ", only)) {
        fprintf(stderr, "usage: bench [switches|saved|speed|lockstep|model] [CLOCKS]\n");
        return 2;
    }
    if (strcmp(only, "lockstep") == 0 || strcmp(only, "model") == 0)
        return !(speed(*only == 'l' ? SESSION_BOTH : SESSION_MODEL, clocks) > 0);
    printf("{\n");
    if (strcmp(only, "switches") == 0) {
        sums.trace = true;
        switches(SWITCH_TIMES * clocks, false, TOTEM_PIPE_COUNT, &sums);
        print_switches("switches", &sums);
        printf("}\n");
        return 0;
    }
    if (strcmp(only, "saved") == 0) {
        print_saved(clocks);
        printf("}\n");
        return 0;
    }
    print_speeds(clocks);
    if (strcmp(only, "speed") == 0) {
        printf("\n}\n");
        return 0;
    }
    printf(",\n");
    switches(SWITCH_TIMES * clocks, false, TOTEM_PIPE_COUNT, &sums);
    printf(" \"first_wave\": {");
    for (uint32_t user = 0; user <= 16; user += 2)
        printf("%s\"%u\": %d", user ? ", " : "", user, first_wave(user));
    printf("},\n");
    uint32_t waits[3] = {0};
    longest_waits(SWITCH_TIMES * clocks, waits);
    printf(" \"waves_per_clock\": [%.3f, %.3f],\n", wave_rate(1 | 1 << TOTEM_PIPES, one_wave), wave_rate(1, two_waves));
    printf(" \"longest_waits\": [%u, %u, %u],\n", waits[0], waits[1], waits[2]);
    print_switches("switches", &sums);
    printf(",\n");
    print_saved(clocks);
    printf("}\n");
    return 0;
}
