// SPDX-License-Identifier: Apache-2.0
#include "host_run.h"

#include "../../cmodel/bridge/totem_trace_values.h"
#include "../../cmodel/host/totem_regs_map.h"
#include "../../cmodel/tool/pm4_decode.h"
#include "commands.h"
#include "host_statistics.h"
#include "totem_configurations.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CONFIGURATIONS = sizeof totem_configurations / sizeof *totem_configurations };

static bool refuse(const totem_workload *w, const char *key, const char *why, char *message, size_t size)
{
    totem_workload_place(w, key, message, size);
    const size_t used = strlen(message);
    snprintf(message + used, size - used, ": %s", why);
    return true;
}

// Registers that reset leaves (docs/contract/boot.md): what a read gives is of an earlier run.
static bool left_by_reset(uint32_t address)
{
    static const struct {
        uint32_t first, last;
    } dwords[] = {{TOTEM_REG_EVENTS_RECORD, TOTEM_REG_EVENTS_RECORD_TIME_HI},
                  {TOTEM_REG_EVENTS_RING_INT_CTXID, TOTEM_REG_EVENTS_RING_INT_CTXID + 3},
                  {TOTEM_REG_EVENTS_INT_CTXID, TOTEM_REG_EVENTS_INT_CTXID + 63}};
    for (size_t n = 0; n < sizeof dwords / sizeof *dwords; n++)
        if (address >= TOTEM_REG_EVENTS_BASE + 4 * dwords[n].first &&
            address <= TOTEM_REG_EVENTS_BASE + 4 * dwords[n].last)
            return true;
    return false;
}

bool host_run_refuses(const totem_workload *w, char *message, size_t size)
{
    char key[64];
    for (size_t n = 0; n < CONFIGURATIONS; n++)
        if (strcmp(totem_configurations[n].name, w->configuration) == 0 && totem_configurations[n].front_ends != 1)
            return refuse(w, "configuration", "a board has one front end; take a workload of mini or board", message,
                          size);
    if (w->memory.latency_spread)
        return refuse(w, "memory.latency_spread",
                      "the memory of a board has no random latency, its runs are equal in every clock; leave it out",
                      message, size);
    if (w->memory.faults_count)
        return refuse(w, "memory.faults", "the memory of a board has no faults to inject; leave them out", message,
                      size);
    for (uint32_t n = 0; n < w->queues_count + w->rings_count; n++) {
        const bool                  ring = n >= w->queues_count;
        const uint32_t              k    = ring ? n - w->queues_count : n;
        const totem_workload_queue *q    = ring ? &w->rings[k] : &w->queues[k];
        if (!totem_workload_fed(q))
            continue;
        snprintf(key, sizeof key, "%s[%" PRIu32 "].ring", ring ? "rings" : "queues", k);
        return refuse(w, key,
                      "its packets are more than the ring holds, and in a run on a board nobody writes the rest; "
                      "take a larger ring",
                      message, size);
    }
    for (uint32_t n = 0; n < w->expect.results_count; n++)
        if (w->expect.results[n].behind) {
            snprintf(key, sizeof key, "expect.results[%" PRIu32 "].behind", n);
            return refuse(w, key, "on a board memory is read behind the run only; leave it out", message, size);
        }
    for (uint32_t n = 0; n < w->expect.registers_count; n++)
        if (left_by_reset((uint32_t)w->expect.registers[n].address)) {
            snprintf(key, sizeof key, "expect.registers[%" PRIu32 "].address", n);
            return refuse(w, key,
                          "a reset leaves this register as it was, so a run would depend on the one before; leave it "
                          "out: expect.errors has the first error, and behind the run the registers are compared",
                          message, size);
        }
    return false;
}

// The first thing of the workload that lies outside of `bytes` of memory.
static bool outside(const totem_workload *w, uint32_t bytes, char *message, size_t size)
{
    char     key[64] = "";
    uint64_t address = 0, end;
#define LIES(from, length, ...)                      \
    do {                                             \
        end = (uint64_t)(from) + (uint64_t)(length); \
        if (!key[0] && end > bytes) {                \
            snprintf(key, sizeof key, __VA_ARGS__);  \
            address = (from);                        \
        }                                            \
    } while (0)
    for (uint32_t n = 0; n < w->image_count; n++)
        LIES(w->image[n].address, 4 * w->image[n].stream.words_count, "image[%" PRIu32 "]", n);
    for (uint32_t n = 0; n < w->tasks_count; n++)
        LIES(w->tasks[n].address, 4 * TOTEM_TMD_DWORDS, "tasks[%" PRIu32 "]", n);
    for (uint32_t n = 0; n < w->queues_count + w->rings_count; n++) {
        const bool                  ring = n >= w->queues_count;
        const uint32_t              k    = ring ? n - w->queues_count : n;
        const totem_workload_queue *q    = ring ? &w->rings[k] : &w->queues[k];
        const char                 *list = ring ? "rings" : "queues";
        LIES(q->ring.address, 4 * (uint64_t)q->ring.size, "%s[%" PRIu32 "].ring", list, k);
        LIES(q->mqd, q->mqd ? 2048 : 0, "%s[%" PRIu32 "].mqd", list, k);
        LIES(q->rptr_report, q->rptr_report ? 4 : 0, "%s[%" PRIu32 "].rptr_report", list, k);
    }
    for (uint32_t n = 0; n < w->expect.memory_count; n++)
        LIES(w->expect.memory[n].address, 4, "expect.memory[%" PRIu32 "]", n);
    for (uint32_t n = 0; n < w->expect.results_count; n++)
        LIES(w->expect.results[n].address, 4 * w->expect.results[n].stream.words_count, "expect.results[%" PRIu32 "]",
             n);
#undef LIES
    if (!key[0])
        return false;
    char why[160];
    snprintf(why, sizeof why,
             "0x%010" PRIx64 " is outside: memory of this board ends at 0x%08" PRIx32 "; take lower addresses", address,
             bytes);
    return refuse(w, key, why, message, size);
}

// Whether the board is one for this run.
static bool suits(const host_board *b, const totem_workload *w, const board_plan *plan, const host_run_options *o,
                  host_run *r)
{
    if (b->config != plan->hash)
        snprintf(
            r->message, sizeof r->message,
            "wrong bitstream: the board has configuration %s (0x%08" PRIx32 "), the workload wants %s (0x%08" PRIx32
            "). Load a bitstream of this revision and configuration, or take the tool of the bitstream's revision. "
            "Nothing was written.",
            b->configuration ? b->configuration : "unknown", b->config, plan->configuration, plan->hash);
    else if (w->core && !(b->features & BRIDGE_HAS_CORE))
        refuse(w, "core", "this board has no core in the place of its wave engine; load a bitstream with it",
               r->message, sizeof r->message);
    else if (!w->core && b->features & BRIDGE_HAS_CORE)
        snprintf(r->message, sizeof r->message,
                 "%s: this board has a RISC-V core in the place of its wave engine; take a workload with `core: rv32`",
                 w->path);
    else if (!(b->features & BRIDGE_HAS_SIGNATURE))
        snprintf(r->message, sizeof r->message,
                 "this board folds no signature, so there is nothing to compare; load a bitstream with it");
    else if (o->waves && !(b->features & BRIDGE_HAS_TRACE))
        snprintf(r->message, sizeof r->message,
                 "this board keeps no trace; load a bitstream with it, or leave out --trace");
    else if (o->waves && ((o->trace.mask && !(o->trace.mask & host_trace_there(b))) ||
                          (o->trace.trigger >> 30 == TRIGGER_RISE && !(o->trace.value & host_trace_there(b)))))
        snprintf(r->message, sizeof r->message,
                 "this board has no folds, so its trace has no signals of blocks; name one of its pins, or load a "
                 "bitstream with folds");
    else if (o->lockstep && w->core)
        refuse(w, "core", "a board with a core is not compared in lockstep; leave out --lockstep", r->message,
               sizeof r->message);
    else if (plan->count > b->entries)
        snprintf(r->message, sizeof r->message,
                 "%s: the host makes %" PRIu32 " accesses, and the boot list of this board has %" PRIu32
                 " entries; take fewer queues, programs or writes",
                 w->path, plan->count, b->entries);
    else if (host_folds_fit(b, r->message, sizeof r->message) &&
             !outside(w, b->memory, r->message, sizeof r->message) && plan->end > b->memory)
        snprintf(r->message, sizeof r->message,
                 "%s: the image ends at 0x%08" PRIx32 ", memory of this board at 0x%08" PRIx32, w->path, plan->bytes,
                 b->memory);
    return !r->message[0];
}

static bool load_list(host_board *b, const board_plan *plan)
{
    const uint32_t count = plan->count < b->entries ? plan->count + 1 : plan->count; // an end if there is room
    uint32_t      *words = calloc(4 * (size_t)count, sizeof *words);
    if (!words)
        abort();
    for (uint32_t n = 0; n < plan->count; n++)
        board_entry_pack(&plan->list[n], words + 4 * n);
    const bool good = host_board_transfer(b, BRIDGE_WRITE, HOST_LIST, words, 4 * count, "boot list", false);
    free(words);
    return good;
}

// What the run reads and the workload writes or expects. As long as the pins are the model's the machine reads nothing
// else, so all other memory may hold what it held.
static void choose_blocks(const totem_workload *w, const board_plan *plan, const board_result *m, uint32_t blocks,
                          bool *chosen)
{
    const totem_workload_expect *e = &w->expect;
    for (uint32_t n = 0; n < blocks; n++)
        chosen[n] = m->read[n];
    for (uint32_t n = 0; n < plan->end / 4; n++)
        chosen[n / HOST_WORDS] = chosen[n / HOST_WORDS] || plan->image[n];
    for (uint32_t n = 0; n < e->memory_count; n++)
        chosen[e->memory[n].address / BOARD_PLAN_BLOCK] = true;
    for (uint32_t n = 0; n < e->results_count; n++)
        for (uint32_t k = 0; k < e->results[n].stream.words_count; k++)
            chosen[(e->results[n].address + 4 * (uint64_t)k) / BOARD_PLAN_BLOCK] = true;
}

static bool load_memory(host_board *b, const totem_workload *w, const board_plan *plan, bool show, host_run *r)
{
    const uint32_t blocks = b->memory / BOARD_PLAN_BLOCK;
    uint32_t      *words  = calloc(b->memory / 4, sizeof *words);
    bool          *chosen = calloc(blocks, sizeof *chosen), good = true;
    host_progress  p = host_progress_begin("memory", show);
    if (!words || !chosen)
        abort();
    if (plan->end)
        memcpy(words, plan->image, plan->end);
    choose_blocks(w, plan, &r->model, blocks, chosen);
    r->loaded = 0;
    for (uint32_t n = 0; n < blocks && good; n++) {
        if (!chosen[n])
            continue;
        good = host_link_ask(&b->link, BRIDGE_WRITE, n * BOARD_PLAN_BLOCK, words + n * HOST_WORDS, HOST_WORDS);
        r->loaded += BOARD_PLAN_BLOCK;
        host_progress_show(&p, r->loaded, 0, "bytes");
    }
    host_progress_end(&p);
    free(words);
    free(chosen);
    return good;
}

static void pause_for(double seconds)
{
    struct timespec t = {.tv_sec = (time_t)seconds, .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&t, NULL);
}

// Until the run is over. A run whose clock stands has lost its clock.
static bool wait_end(host_board *b, uint64_t clocks, bool show, host_run *r)
{
    host_progress p     = host_progress_begin("run", show);
    double        moved = host_now(), rest = 0.002;
    uint32_t      last = 0;
    for (;;) {
        if (!host_board_get(b, BRIDGE_STATUS, &r->status) || !host_board_get(b, BRIDGE_NOW, &r->now))
            return false;
        if (!(r->status & HOST_UNDERWAY))
            break;
        if (r->now != last)
            moved = host_now();
        last = r->now;
        if (host_now() - moved > 5) {
            snprintf(b->link.message, sizeof b->link.message,
                     "the run stands at clock %" PRIu32 " of %" PRIu64 " for five seconds: the board does not count. "
                     "Load the bitstream again; is its clock there (LED 0)?",
                     r->now, clocks);
            return false;
        }
        host_progress_show(&p, r->now, clocks, "clocks");
        pause_for(rest);
        rest = rest < 0.1 ? 2 * rest : rest;
    }
    host_progress_end(&p);
    return true;
}

// One run on the board: all that it reads is written before it, so that a run leaves nothing for the next.
static bool run_once(host_board *b, const totem_workload *w, const board_plan *plan, uint64_t clocks, uint32_t stride,
                     bool show, host_run *r)
{
    uint32_t half[2];
    if (!host_board_reset(b) || !load_memory(b, w, plan, show, r) || !load_list(b, plan) ||
        !host_board_set(b, BRIDGE_CLOCKS, (uint32_t)clocks) || !host_board_set(b, BRIDGE_STRIDE, stride))
        return false;
    const double began = host_now();
    if (!host_board_set(b, BRIDGE_CONTROL, CONTROL_RUN) || !wait_end(b, clocks, show, r))
        return false;
    r->seconds = host_now() - began;
    r->runs++;
    if (!host_link_ask(&b->link, BRIDGE_READ, HOST_BRIDGE + BRIDGE_SIGNATURE_LOW, half, 2))
        return false;
    r->signature = half[0] | (uint64_t)half[1] << 32;
    return true;
}

static bool read_points(host_board *b, host_run *r)
{
    if (!host_board_get(b, BRIDGE_POINTS, &r->points_count))
        return false;
    if (r->points_count > b->points)
        r->points_count = b->points;
    uint32_t *halves = calloc(2 * (size_t)r->points_count + 1, sizeof *halves);
    r->points        = calloc((size_t)r->points_count + 1, sizeof *r->points);
    if (!halves || !r->points)
        abort();
    const bool good =
        host_board_transfer(b, BRIDGE_READ, HOST_POINTS, halves, 2 * r->points_count, "checkpoints", false);
    for (uint32_t n = 0; n < r->points_count; n++)
        r->points[n] = halves[2 * n] | (uint64_t)halves[2 * n + 1] << 32;
    free(halves);
    return good;
}

// The interval between two checkpoints in which the pins part.
static void part(host_run *r)
{
    const board_result *m     = &r->model;
    uint32_t            count = m->points_count < r->points_count ? m->points_count : r->points_count, n = 0;
    while (n < count && m->points[n] == r->points[n])
        n++;
    r->from  = (uint64_t)n << m->stride;
    r->to    = n < count ? (uint64_t)(n + 1) << m->stride : m->clocks;
    r->equal = n == count && m->points_count == r->points_count && r->signature == m->signature && r->now == m->clocks;
}

// What the whole run has given, as in the report, behind other runs.
static void restore(host_run *r, const host_run *first)
{
    r->signature = first->signature;
    r->status    = first->status;
    r->now       = first->now;
    r->seconds   = first->seconds;
}

// Runs of the first half of the interval, until it has one clock.
static bool bisect(host_board *b, const totem_workload *w, const board_plan *plan, const host_run_options *o,
                   host_run *r)
{
    const host_run first = *r;
    bool           good  = true;
    while (good && r->to - r->from > 1) {
        const uint64_t  middle = r->from + (r->to - r->from) / 2;
        board_result    model;
        const board_run run = {.bytes = b->memory, .points = b->points, .stride = -1, .clocks = middle};
        if (o->show)
            fprintf(stderr, "the pins part in a clock from %" PRIu64 " to %" PRIu64 "; a run of %" PRIu64 "\n", r->from,
                    r->to - 1, middle);
        good = board_model_run(plan, &run, &model, r->message, sizeof r->message) == TOTEM_EXIT_GOOD &&
               run_once(b, w, plan, middle, model.stride, o->show, r);
        if (good && r->signature == model.signature)
            r->from = middle;
        else if (good)
            r->to = middle;
        board_result_free(&model);
    }
    restore(r, &first);
    return good;
}

typedef struct {
    host_board             *b;
    const totem_workload   *w;
    const board_plan       *plan;
    const host_run_options *o;
    host_run               *r;
} again;

static bool run_again(void *user, uint64_t clocks)
{
    const again *a = user;
    return run_once(a->b, a->w, a->plan, clocks, a->r->model.stride, a->o->show, a->r);
}

// The first block that differs. If the pins are equal, a run of all clocks has differed in a fold.
static bool find_block(host_board *b, const totem_workload *w, const board_plan *plan, const host_run_options *o,
                       host_run *r)
{
    const host_run first = *r;
    again          a     = {b, w, plan, o, r};
    const bool good = host_folds_find(b, plan, r->equal ? r->model.clocks : r->to, run_again, &a, o->show, &r->folds);
    if (r->equal && !json_array_size(r->folds.blocks))
        r->folds.repeats = false;
    restore(r, &first);
    return good;
}

static void unmet(host_run *r, const char *format, ...)
{
    char    text[256];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    r->unmet++;
    json_array_append_new(r->texts, json_string(text));
    if (!r->message[0])
        snprintf(r->message, sizeof r->message, "%s", text);
}

static bool check_memory(host_board *b, const totem_workload *w, host_run *r)
{
    for (uint32_t n = 0; n < w->expect.memory_count; n++) {
        const totem_workload_word *e = &w->expect.memory[n];
        uint32_t                   got;
        if (!host_link_ask(&b->link, BRIDGE_READ, (uint32_t)e->address, &got, 1))
            return false;
        r->expectations++;
        if (got != e->value)
            unmet(r, "memory 0x%010" PRIx64 " is 0x%08" PRIx32 ", not 0x%08" PRIx32, e->address, got, e->value);
    }
    for (uint32_t n = 0; n < w->expect.results_count; n++) {
        const totem_workload_stream *s     = &w->expect.results[n].stream;
        const uint32_t               from  = (uint32_t)w->expect.results[n].address;
        uint32_t                    *words = calloc((size_t)s->words_count + 1, sizeof *words), k = 0;
        if (!words)
            abort();
        const bool good = host_board_transfer(b, BRIDGE_READ, from, words, s->words_count, "results", false);
        while (good && k < s->words_count && words[k] == s->words[k])
            k++;
        r->expectations++;
        if (good && k < s->words_count)
            unmet(r, "expect.results[%" PRIu32 "]: 0x%08" PRIx32 " is 0x%08" PRIx32 ", not 0x%08" PRIx32, n,
                  from + 4 * k, words[k], s->words[k]);
        free(words);
        if (!good)
            return false;
    }
    return true;
}

// What the board cannot show by itself: in a run with equal pins in every clock it is what the model has.
static void check_model(const totem_workload *w, const board_plan *plan, host_run *r)
{
    const totem_workload_expect *e = &w->expect;
    const board_result          *m = &r->model;
    const struct {
        const char     *what;
        const uint64_t *wanted;
        uint64_t        got;
    } counts[] = {{"waves were launched", e->waves, m->waves},
                  {"geometry waves were launched", e->geometry, m->geometry},
                  {"draws were begun", e->draws, m->draws},
                  {"fences were written", e->fences, m->fences},
                  {"interrupts were raised", e->interrupts, m->interrupts}};
    for (size_t n = 0; n < sizeof counts / sizeof *counts; n++) {
        if (!counts[n].wanted)
            continue;
        r->expectations++;
        if (*counts[n].wanted != counts[n].got)
            unmet(r, "%" PRIu64 " %s, not %" PRIu64, counts[n].got, counts[n].what, *counts[n].wanted);
    }
    for (uint32_t n = 0; n < e->registers_count; n++)
        for (uint32_t k = 0; k < plan->count; k++) {
            const board_entry *a = &plan->list[k];
            if (!a->wait || a->mask || a->clock != e->registers[n].at || a->address != e->registers[n].address)
                continue;
            r->expectations++;
            if (m->reads[k] != e->registers[n].value)
                unmet(r, "register 0x%05" PRIx32 " reads 0x%08" PRIx32 " at clock %" PRIu32 ", not 0x%08" PRIx32,
                      a->address, m->reads[k], a->clock, e->registers[n].value);
        }
}

static uint32_t on_board(const host_run *r, const char *name)
{
    for (uint32_t n = 0; n < r->statistics_count; n++)
        if (strcmp(r->statistics[n].name, name) == 0)
            return r->statistics[n].board;
    return 0;
}

// From the board itself: how many errors of each class, and the first one. It keeps no more of them.
static void check_errors(const totem_workload *w, host_run *r)
{
    const totem_workload_expect *e      = &w->expect;
    const uint32_t               record = on_board(r, "events.RECORD"), queue = record >> 16 & 7;
    const uint8_t                code      = (uint8_t)(record >> 8);
    uint32_t                     wanted[8] = {0};
    bool                         found     = !(record & 1);
    for (uint32_t n = 0; n < e->errors_count; n++) {
        const totem_workload_error *one = &e->errors[n];
        wanted[one->code >> 5]++;
        found = found || (one->code == code && (!one->queue || *one->queue == queue));
    }
    for (uint32_t n = 0; n < ERROR_CLASSES; n++) {
        char name[32];
        snprintf(name, sizeof name, "events.ERROR_COUNT[%" PRIu32 "]", n);
        const uint32_t got = on_board(r, name);
        r->expectations += got || wanted[n + 1];
        if (got != wanted[n + 1])
            unmet(r, "%s is %" PRIu32 ", not %" PRIu32 "; registers events.RECORD* have the first error", name, got,
                  wanted[n + 1]);
    }
    const char *name = totem_error_name(code);
    r->expectations++;
    if (!found)
        unmet(r, "the first error is %s of queue %" PRIu32 ", which expect.errors does not have",
              name ? name : "unknown", queue);
    r->unseen += e->blocked_count;
}

static int line_failed(const host_board *b, host_run *r)
{
    if (!r->message[0])
        snprintf(r->message, sizeof r->message, "%s", b->link.message);
    return TOTEM_EXIT_FILE;
}

static void tell_clock(void *user, uint64_t clock)
{
    host_progress_show(user, clock, 0, "clocks");
}

// Also of a run of which the rest could not be read. The model's trace is in the file if it is another. Exit code; the
// run had `code`.
static int take_waves(const host_board *b, const host_run_options *o, host_run *r, int code)
{
    uint32_t    part, clock;
    const bool  equal = host_trace_equal(&r->trace, &r->model.trace, &part, &clock);
    char        message[512];
    board_trace t = o->trace;
    t.mask &= host_trace_there(b);
    if (code == TOTEM_EXIT_GOOD && !equal) {
        snprintf(r->message, sizeof r->message, "the trace is not the model's behind a run with equal signatures");
        code = TOTEM_EXIT_FINDING;
    }
    if (!host_waves_write(o->waves, &t, &r->trace, equal ? NULL : &r->model.trace, r->now, message, sizeof message)) {
        const size_t used = code == TOTEM_EXIT_FILE ? strlen(r->message) : 0;
        snprintf(r->message + used, sizeof r->message - used, "%s%s", used ? "; " : "", message);
        return TOTEM_EXIT_FILE;
    }
    return code;
}

// The board differs: whether the Verilog does, too.
static bool replay(const board_plan *plan, const host_run_options *o, host_run *r)
{
    if (!o->lockstep)
        return true;
    host_progress p = host_progress_begin("lockstep", o->show);
    const int code  = board_lockstep(plan, r->equal ? r->model.clocks : r->to, o->lockstep, tell_clock, &p, &r->replay,
                                     r->message, sizeof r->message);
    host_progress_end(&p);
    return code == TOTEM_EXIT_GOOD;
}

static int run_and_compare(host_board *b, const totem_workload *w, const board_plan *plan, const host_run_options *o,
                           host_run *r)
{
    *r = (host_run){.texts = json_array()};
    if (!suits(b, w, plan, o, r))
        return b->config != plan->hash ? TOTEM_EXIT_FINDING : TOTEM_EXIT_USAGE;
    host_progress   p    = host_progress_begin("model", o->show);
    const board_run run  = {.bytes  = b->memory,
                            .points = b->points,
                            .stride = o->stride,
                            .clocks = o->clocks,
                            .limit  = w->cycles,
                            .trace  = o->trace,
                            .folds  = (b->features & BRIDGE_HAS_FOLDS) != 0,
                            .shown  = tell_clock,
                            .user   = &p};
    const int       code = board_model_run(plan, &run, &r->model, r->message, sizeof r->message);
    host_progress_end(&p);
    if (code != TOTEM_EXIT_GOOD)
        return code;
    r->modelled = true;
    if ((o->waves && !host_trace_set(b, &o->trace)) ||
        !run_once(b, w, plan, r->model.clocks, r->model.stride, o->show, r) || !read_points(b, r) ||
        (o->waves && !host_trace_fetch(b, &r->trace)))
        return line_failed(b, r);
    r->traced = o->waves != NULL;
    r->ran    = true;
    part(r);
    if (!host_folds_read(b, &r->folds) || !check_memory(b, w, r) || !host_statistics_read(b, w, r))
        return line_failed(b, r);
    check_errors(w, r);
    if (r->status & HOST_FAILED)
        unmet(r, "entry %" PRIu32 " of the boot list was answered with an error", r->status >> 16);
    if (r->equal)
        check_model(w, plan, r);
    else {
        r->message[0] = 0;
        if ((o->bisect && !bisect(b, w, plan, o, r)) || !find_block(b, w, plan, o, r))
            return line_failed(b, r);
        if (!replay(plan, o, r))
            return TOTEM_EXIT_FILE;
        snprintf(r->message, sizeof r->message,
                 "the pins of the board and those of the model part in a clock from %" PRIu64 " to %" PRIu64
                 "; docs/bring-up.md says what to look at",
                 r->from, r->to - 1);
    }
    if (r->equal && !host_folds_equal(&r->folds, &r->model)) {
        if (!find_block(b, w, plan, o, r))
            return line_failed(b, r);
        if (!replay(plan, o, r))
            return TOTEM_EXIT_FILE;
        snprintf(r->message, sizeof r->message,
                 "the pins are the model's, but blocks of the board differ; docs/bring-up.md says what to look at");
    }
    if (r->equal && r->statistics_differ && !r->message[0])
        snprintf(r->message, sizeof r->message,
                 "registers differ from the model's behind a run with equal signatures; "
                 "the report lists them");
    return r->message[0] ? TOTEM_EXIT_FINDING : TOTEM_EXIT_GOOD;
}

int host_run_do(host_board *b, const totem_workload *w, const board_plan *plan, const host_run_options *o, host_run *r)
{
    const int code = run_and_compare(b, w, plan, o, r);
    return r->traced ? take_waves(b, o, r, code) : code;
}

void host_run_free(host_run *r)
{
    board_result_free(&r->model);
    host_folds_free(&r->folds);
    free(r->points);
    free(r->trace.records);
    free(r->statistics);
    json_decref(r->texts);
}
