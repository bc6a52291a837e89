// SPDX-License-Identifier: Apache-2.0
//
// run_board: what a workload is on a board, and what the C model of the board makes of it (tb/totem/board_plan.h).

#include "../../totem/board_plan.h"

#include "../../totem/commands.h"
#include "bundle.h"
#include "run_board_model.h"
#include "run_prepare.h"
#include "session.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 28 }; // bytes of a board's memory that the bridge can address

typedef struct {
    board_plan *plan;
    uint64_t    beyond; // first address that no board has, 0 none
} image;

static void take_word(void *user, uint64_t address, uint32_t value)
{
    image      *i = user;
    board_plan *p = i->plan;
    if (address >= LARGEST) {
        i->beyond = i->beyond ? i->beyond : address;
        return;
    }
    if (address + 4 > p->bytes) {
        const uint32_t bytes = ((uint32_t)address + 4 + 0xffff) & ~0xffffu;
        p->image             = realloc(p->image, bytes);
        if (!p->image)
            abort();
        memset((uint8_t *)p->image + p->bytes, 0, bytes - p->bytes);
        p->bytes = bytes;
    }
    p->image[address / 4] = value;
    if (address + 4 > p->end)
        p->end = (uint32_t)address + 4;
}

int board_plan_make(const totem_workload *w, char **words, bool rtl, board_plan *plan, char *message, size_t size)
{
    (void)words, (void)rtl;
    *plan = (board_plan){.configuration = TOTEM_CONFIG_NAME, .hash = TOTEM_CONFIG_HASH};
    if (strcmp(w->configuration, TOTEM_CONFIG_NAME) != 0) {
        snprintf(message, size,
                 "%s: the workload wants configuration %s, this tool is built for " TOTEM_CONFIG_NAME
                 "; start it with build/totem",
                 w->path, w->configuration);
        return TOTEM_EXIT_USAGE;
    }
    if (cores_port_there() != (w->core != NULL)) {
        snprintf(message, size, "%s: this program is for other cores; start the workload with build/totem", w->path);
        return TOTEM_EXIT_USAGE;
    }
    image     i = {.plan = plan};
    host_port h;
    host_port_init(&h, 0, 0);
    run_prepare(w, &h, take_word, &i);
    plan->count = (uint32_t)h.count;
    plan->list  = calloc(h.count + 1, sizeof *plan->list);
    if (!plan->list)
        abort();
    bool late = false;
    for (size_t n = 0; n < h.count; n++) {
        const host_access *a = &h.list[n];
        late                 = late || a->at > UINT32_MAX;
        plan->list[n]        = (board_entry){.clock   = (uint32_t)a->at,
                                             .address = a->address,
                                             .wait    = !a->write,
                                             .data    = a->write ? a->data : a->wanted,
                                             .mask    = a->mask};
    }
    host_port_free(&h);
    if (i.beyond)
        snprintf(message, size, "%s: 0x%010" PRIx64 " is outside of the memory of any board; take lower addresses",
                 w->path, i.beyond);
    else if (late)
        snprintf(message, size, "%s: a run on a board has clocks below 2^32; take earlier ones", w->path);
    return i.beyond || late ? TOTEM_EXIT_USAGE : TOTEM_EXIT_GOOD;
}

void board_plan_free(board_plan *plan)
{
    free(plan->list);
    free(plan->image);
    *plan = (board_plan){0};
}

#if TOTEM_FE_COUNT == 1

enum { SETTLE = 64, TOLD = 1 << 16 }; // clocks without work at the end; between two calls of `shown`

_Static_assert((int)BOARD_PLAN_BLOCK == (int)BOARD_BLOCK, "blocks of memory");

static const board_access none = {0};

// Memory, boot list, and the write that begins the run; the next clock is its clock 0. clocks 0: without an end.
static board_model *start(const board_plan *plan, uint64_t clocks, uint32_t stride, const board_trace *trace)
{
    board_model *b = board_model_create();
    if (!b)
        return NULL;
    for (uint32_t n = 0; n < plan->end; n += 4)
        board_model_put(b, n, plan->image[n / 4]);
    for (uint32_t n = 0; n < plan->count; n++)
        board_entry_pack(&plan->list[n], b->list + 4 * n);
    b->boot.clocks         = (uint32_t)clocks;
    b->signature.stride    = (uint8_t)stride;
    b->trace.mask          = trace->mask;
    b->trace.kind          = (uint8_t)(trace->trigger >> 30);
    b->trace.place         = trace->trigger & 0xfffff;
    b->trace.value         = trace->value;
    b->trace.care          = trace->care;
    b->trace.behind        = (uint16_t)trace->behind;
    const board_access run = {
        .valid = true, .write = true, .address = BRIDGE_REGISTERS << 20 | BRIDGE_CONTROL, .data = CONTROL_RUN};
    while (b->boot.phase != BOOT_RUN)
        board_model_step(b, b->boot.phase == BOOT_REST ? &run : &none);
    return b;
}

// Clocks until all is idle, at most `limit`.
static uint64_t measure(board_model *b, const board_run *run)
{
    uint64_t clock = 0, quiet = 0;
    while (clock < run->limit && quiet < SETTLE) {
        quiet = b->boot.ended && b->out.machine_idle.all ? quiet + 1 : 0;
        board_model_step(b, &none);
        clock++;
        if (run->shown && clock % TOLD == 0)
            run->shown(run->user, clock);
    }
    return clock;
}

// One clock of the run, or behind it.
static void step(board_model *b, const board_run *run, board_result *r)
{
    board_model_step(b, &none);
    if (b->signature.mark && r->points_count < run->points)
        r->points[r->points_count++] = b->signature.signature;
}

static void follow(board_model *b, const board_run *run, board_result *r)
{
    session_counts counts = {0};
    for (uint64_t clock = 0; b->boot.phase == BOOT_RUN; clock++) {
        r->idle = b->boot.ended && b->out.machine_idle.all;
        session_count_work(&b->out, &counts);
        if (b->boot.step == LIST_CHECK)
            r->reads[b->boot.entry] = b->boot.answer_data;
        step(b, run, r);
        if (run->shown && clock % TOLD == 0)
            run->shown(run->user, clock);
    }
    // The last clocks are on their way to signature and trace.
    for (int n = 0; n < 4; n++)
        step(b, run, r);
    r->signature  = b->signature.signature;
    r->trace      = (board_records){.records = b->records,
                                    .most    = TOTEM_TRACE_RECORDS,
                                    .written = b->trace.written,
                                    .at      = b->trace.at,
                                    .state   = b->trace.capture};
    r->read       = b->read;
    r->waves      = counts.launches;
    r->geometry   = counts.geometry;
    r->draws      = counts.draws;
    r->fences     = counts.fences;
    r->interrupts = counts.interrupts;
}

int board_model_run(const board_plan *plan, const board_run *run, board_result *r, char *message, size_t size)
{
    *r = (board_result){.clocks = run->clocks};
    if (run->bytes > TOTEM_STORE_BYTES || plan->end > run->bytes || plan->count > TOTEM_BOOT_LIST_ENTRIES) {
        snprintf(message, size, "the model of a board has %d bytes of memory and %d entries of the boot list",
                 TOTEM_STORE_BYTES, TOTEM_BOOT_LIST_ENTRIES);
        return TOTEM_EXIT_USAGE;
    }
    r->points          = calloc((size_t)run->points + 1, sizeof *r->points);
    r->reads           = calloc(TOTEM_BOOT_LIST_ENTRIES, sizeof *r->reads);
    board_model *b     = r->points && r->reads ? start(plan, 0, 0, &run->trace) : NULL;
    const bool   there = b != NULL;
    if (there && !r->clocks)
        r->clocks = measure(b, run);
    board_model_destroy(b);
    if (run->stride >= 0)
        r->stride = (uint32_t)run->stride;
    else
        while (r->stride < 31 && (uint64_t)run->points << r->stride < r->clocks)
            r->stride++;
    r->model = there ? start(plan, r->clocks, r->stride, &run->trace) : NULL;
    if (r->model) {
        r->model->folding = run->folds;
        r->folds          = r->model->folds;
    } else {
        snprintf(message, size, "memory is short");
        return TOTEM_EXIT_FILE;
    }
    follow(r->model, run, r);
    if (r->model->highest < run->bytes || run->bytes == TOTEM_STORE_BYTES)
        return TOTEM_EXIT_GOOD;
    snprintf(message, size, "the workload accesses 0x%010" PRIx64 "; memory of this board ends at 0x%08" PRIx32,
             r->model->highest, run->bytes);
    return TOTEM_EXIT_USAGE;
}

// A run in lockstep: the board's surroundings at clock 0 of the run, without its machine.
typedef struct {
    const board_plan *plan;
    board_model      *around;
} replay;

static void drive(void *user, totem_machine_in *in)
{
    board_model_drive(((const replay *)user)->around, in);
}

static void go_on(void *user, const totem_machine_out *shown)
{
    board_model_around(((replay *)user)->around, shown);
}

static session *again_start(void *user, const char *trace, uint64_t from)
{
    replay               *run     = user;
    const board_trace     no      = {0};
    const session_options options = {.trace = trace, .trace_from = from, .around = {run, drive, go_on}};
    board_model_destroy(run->around);
    run->around = start(run->plan, 0, 0, &no);
    return run->around ? session_create(&options) : NULL;
}

static session_verdict again_step(void *user, session *s)
{
    (void)user;
    return session_step(s);
}

static void again_end(void *user, session *s)
{
    (void)user;
    session_destroy(s);
}

int board_lockstep(const board_plan *plan, uint64_t clocks, const char *folder, board_shown *shown, void *user,
                   board_replay *r, char *message, size_t size)
{
    replay             run     = {.plan = plan};
    const bundle_again again   = {&run, again_start, again_step, again_end};
    session           *s       = again_start(&run, NULL, 0);
    session_verdict    verdict = SESSION_GOOD;
    *r                         = (board_replay){0};
    if (!s) {
        board_model_destroy(run.around);
        snprintf(message, size, "the machine cannot be created; is memory short?");
        return TOTEM_EXIT_FILE;
    }
    while (verdict == SESSION_GOOD && session_clock(s) < clocks) {
        verdict = session_step(s);
        if (shown && session_clock(s) % TOLD == 0)
            shown(user, session_clock(s));
    }
    if (verdict == SESSION_GOOD)
        verdict = session_end(s);
    r->ran    = true;
    r->equal  = verdict == SESSION_GOOD;
    r->clocks = session_clock(s);
    snprintf(r->folder, sizeof r->folder, "%s", folder);
    if (!r->equal)
        bundle_write(&again, s, verdict, session_report(s), folder, "board");
    session_destroy(s);
    board_model_destroy(run.around);
    return TOTEM_EXIT_GOOD;
}

bool board_model_register(const board_result *r, uint32_t address, uint32_t *value)
{
    const board_access access = {.valid = true, .machine = true, .address = address};
    return board_model_access(r->model, &access, value) == BRIDGE_OK;
}

uint32_t board_folds(void)
{
    return PROBE_FOLDS;
}

const char *board_fold_name(uint32_t n, const char **place)
{
    const probe_instance *p = &probe_table[probe_folds[n].probe];
    *place                  = p->rtl + strlen("totem_tb.dut.");
    return p->block;
}

void board_result_free(board_result *r)
{
    free(r->points);
    free(r->reads);
    board_model_destroy(r->model);
    *r = (board_result){0};
}

#else

int board_model_run(const board_plan *plan, const board_run *run, board_result *r, char *message, size_t size)
{
    (void)plan, (void)run;
    *r = (board_result){0};
    snprintf(message, size, "configuration " TOTEM_CONFIG_NAME " has no model of a board");
    return TOTEM_EXIT_USAGE;
}

int board_lockstep(const board_plan *plan, uint64_t clocks, const char *folder, board_shown *shown, void *user,
                   board_replay *r, char *message, size_t size)
{
    (void)plan, (void)clocks, (void)folder, (void)shown, (void)user;
    *r = (board_replay){0};
    snprintf(message, size, "configuration " TOTEM_CONFIG_NAME " has no model of a board");
    return TOTEM_EXIT_USAGE;
}

bool board_model_register(const board_result *r, uint32_t address, uint32_t *value)
{
    (void)r, (void)address, (void)value;
    return false;
}

uint32_t board_folds(void)
{
    return 0;
}

const char *board_fold_name(uint32_t n, const char **place)
{
    (void)n;
    return *place = "";
}

void board_result_free(board_result *r)
{
    *r = (board_result){0};
}

#endif
