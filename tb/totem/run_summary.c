// SPDX-License-Identifier: Apache-2.0
//
// run_summary: see run_summary.h.
#include "run_summary.h"

#include "../../cmodel/tool/pm4_decode.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRY_ROWS = 24 };

static const char *const reasons[TOTEM_REASON_COUNT] = {
    "works", "waits_turn", "unmapped", "leaving", "halted",  "flush",  "epoch", "line",
    "empty", "wait",       "mapping",  "records", "killing", "moving", "polls", "idle"};

// Why a queue left its pipe: the name in JSON, and the words.
static const struct {
    const char *name, *words;
} left[TOTEM_LEFT_COUNT] = {{NULL, NULL},
                            {"better", "a better queue was ready"},
                            {"quantum", "its quantum was used up"},
                            {"yields", "it yielded to an equal queue"},
                            {"gives_up", "a packet gave the pipe up"},
                            {"empty", "it was empty and another one ready"},
                            {"dequeue", "a dequeue request"},
                            {"unable", "halted, stalled or unmapped"},
                            {"flush", "flush"},
                            {"epoch", "no free fence epoch"},
                            {"entry", "no free entry for a task"},
                            {"wait", "smart wait"}};

const char *totem_reason_name(unsigned reason)
{
    return reason < TOTEM_REASON_COUNT ? reasons[reason] : NULL;
}

const char *totem_entry_state(const totem_run_entry *e)
{
    static const char *const states[] = {"free", "listed", "moves", "mapped"};
    return e->waits ? "waits" : states[e->state & 3];
}

const char *totem_entry_reason(const totem_run_entry *e)
{
    static const char *const places[] = {"free", "idle", "parked", "lower", "quantum", "yield", "none", "none"};
    return places[e->reason & 7];
}

static double share(const totem_run_result *r, const totem_run_queue *q)
{
    const uint64_t clocks = q->clocks[TOTEM_REASON_RUNNING] + q->clocks[TOTEM_REASON_POLLS];
    return r->cycles ? (double)clocks / (double)r->cycles : 0;
}

static double average(const totem_run_result *r, uint32_t engine)
{
    return r->cycles ? (double)r->engines[engine].slots_sum / (double)r->cycles : 0;
}

// Columns of the table that are not 0 everywhere; what is in none of them is `other`.
static const struct {
    const char *name;
    unsigned    reason;
} columns[] = {{"works", TOTEM_REASON_RUNNING},   {"polls", TOTEM_REASON_POLLS}, {"idle", TOTEM_REASON_IDLE},
               {"turn", TOTEM_REASON_WAITS_TURN}, {"line", TOTEM_REASON_LINE},   {"flush", TOTEM_REASON_FLUSH},
               {"epoch", TOTEM_REASON_EPOCH},     {"wait", TOTEM_REASON_WAIT},   {"empty", TOTEM_REASON_EMPTY}};

enum { COLUMNS = sizeof columns / sizeof *columns };

static bool shown(const totem_run_result *r, int column)
{
    for (uint32_t n = 0; n < r->queues_count; n++)
        if (r->queues[n].clocks[columns[column].reason])
            return true;
    return false;
}

static void print_name(const totem_run_queue *q)
{
    char name[24];
    if (q->pipe < 8)
        snprintf(name, sizeof name, "%" PRIu32 ".%" PRIu32, q->pipe, q->queue);
    else
        snprintf(name, sizeof name, "ring %" PRIu32, q->pipe - 8);
    printf("%-6s", name);
}

static void print_queue(const totem_run_result *r, const totem_run_queue *q)
{
    uint64_t other = r->cycles - q->clocks[TOTEM_REASON_UNMAPPED];
    print_name(q);
    for (int n = 0; n < COLUMNS; n++) {
        if (shown(r, n))
            printf(" %7" PRIu64, q->clocks[columns[n].reason]);
        other -= q->clocks[columns[n].reason];
    }
    printf(" %7" PRIu64 " %5.1f %% %7" PRIu64 " %7" PRIu64, other, 100 * share(r, q), q->waves, q->lacked);
    if (q->longest)
        printf("  %" PRIu64 " %s from %" PRIu64, q->longest,
               q->longest_reason == TOTEM_REASON_WAITS_TURN ? "turn" : reasons[q->longest_reason], q->longest_from);
    putchar('\n');
}

static void print_left(const totem_run_queue *q)
{
    uint64_t times = 0;
    for (int n = 1; n < TOTEM_LEFT_COUNT; n++)
        times += q->left[n];
    if (!times)
        return;
    print_name(q);
    printf(" left %" PRIu64 "x", times);
    for (int n = 1, first = 1; n < TOTEM_LEFT_COUNT; n++)
        if (q->left[n]) {
            printf("%s %" PRIu64 " %s", first ? ":" : ",", q->left[n], left[n].words);
            first = 0;
        }
    putchar('\n');
}

void totem_summary_print(const totem_run_result *r)
{
    if (r->queues_count) {
        printf("%-6s", "queue");
        for (int n = 0; n < COLUMNS; n++)
            if (shown(r, n))
                printf(" %7s", columns[n].name);
        printf(" %7s %7s %7s %7s  %s\n", "other", "of pipe", "waves", "lacked", "longest wait");
    }
    for (uint32_t n = 0; n < r->queues_count; n++)
        print_queue(r, &r->queues[n]);
    for (uint32_t n = 0; n < r->queues_count; n++)
        print_left(&r->queues[n]);
    for (uint32_t e = 0; r->queues_count && e < r->engines_count; e++) {
        uint64_t lacked = 0, passed = 0;
        for (uint32_t p = 0; p < r->pipes_count; p++) {
            lacked += r->engines[e].lacked[p];
            passed += r->engines[e].passed[p];
        }
        printf("engine %" PRIu32 ": %.1f of %" PRIu32 " wave slots in use on average, %" PRIu32
               " at most; heads lacked it for %" PRIu64 " clocks, were passed for %" PRIu64 "\n",
               e, average(r, e), r->engines[e].slots, r->engines[e].slots_max, lacked, passed);
    }
}

static int by_wait(const void *a, const void *b)
{
    const totem_run_entry *x = a, *y = b;
    return x->longest != y->longest ? (x->longest < y->longest ? 1 : -1) : (int)x->entry - (int)y->entry;
}

void totem_summary_entries(const totem_run_result *r)
{
    if (!r->entries_count)
        return;
    static totem_run_entry sorted[TOTEM_RUN_ENTRIES];
    const uint32_t         count = r->entries_count, rows = count < ENTRY_ROWS ? count : ENTRY_ROWS;
    memcpy(sorted, r->entries, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_wait);
    printf("run list: %" PRIu32 " queues, %" PRIu32 " placements in %" PRIu32
           " scans; longest wait for a slot: %" PRIu64 " clocks, 90 %% of the queues %" PRIu64 ", half of them %" PRIu64
           "\n",
           count, r->placements, r->scans, sorted[0].longest, sorted[count / 10].longest, sorted[count / 2].longest);
    printf("%-6s %-7s %-5s %8s %6s %10s %10s %10s  %s\n", "entry", "state", "slot", "priority", "moves", "waited",
           "longest", "selected", "last slot because");
    for (uint32_t n = 0; n < rows; n++) {
        const totem_run_entry *e        = &sorted[n];
        char                   slot[24] = "";
        if (e->state >= 2)
            snprintf(slot, sizeof slot, "%" PRIu32 ".%" PRIu32, e->pipe, e->queue);
        printf("%-6" PRIu32 " %-7s %-5s %8u %6" PRIu32 " %10" PRIu64 " %10" PRIu64 " %10" PRIu64 "  %s\n", e->entry,
               totem_entry_state(e), slot, e->priority, e->moves, e->waited, e->longest, e->ran, totem_entry_reason(e));
    }
    if (count > rows)
        printf("... and %" PRIu32 " more, which waited less; --json has all\n", count - rows);
}

json_t *totem_summary_entries_json(const totem_run_result *r)
{
    json_t *list = json_array();
    for (uint32_t n = 0; n < r->entries_count; n++) {
        const totem_run_entry *e = &r->entries[n];
        json_t *each = json_pack("{s:I, s:s, s:i, s:I, s:I, s:I, s:I, s:s}", "entry", (json_int_t)e->entry, "state",
                                 totem_entry_state(e), "priority", e->priority, "moves", (json_int_t)e->moves, "waited",
                                 (json_int_t)e->waited, "longest", (json_int_t)e->longest, "selected",
                                 (json_int_t)e->ran, "reason", totem_entry_reason(e));
        if (e->state >= 2) {
            json_object_set_new(each, "pipe", json_integer(e->pipe));
            json_object_set_new(each, "queue", json_integer(e->queue));
        }
        json_array_append_new(list, each);
    }
    return json_pack("{s:I, s:I, s:o}", "placements", (json_int_t)r->placements, "scans", (json_int_t)r->scans,
                     "entries", list);
}

json_t *totem_summary_queues(const totem_run_result *r)
{
    json_t *list = json_array();
    for (uint32_t n = 0; n < r->queues_count; n++) {
        const totem_run_queue *q      = &r->queues[n];
        json_t                *clocks = json_object();
        for (unsigned k = 0; k < TOTEM_REASON_COUNT; k++)
            json_object_set_new(clocks, reasons[k], json_integer((json_int_t)q->clocks[k]));
        json_t *times = json_object();
        for (unsigned k = 1; k < TOTEM_LEFT_COUNT; k++)
            if (q->left[k])
                json_object_set_new(times, left[k].name, json_integer((json_int_t)q->left[k]));
        json_t *entry = json_pack("{s:I, s:I, s:o, s:f, s:o, s:I, s:I}", "pipe", (json_int_t)q->pipe, "queue",
                                  (json_int_t)q->queue, "clocks", clocks, "share", share(r, q), "left", times, "waves",
                                  (json_int_t)q->waves, "lacked", (json_int_t)q->lacked);
        if (q->longest)
            json_object_set_new(entry, "longest",
                                json_pack("{s:I, s:s, s:I}", "clocks", (json_int_t)q->longest, "reason",
                                          reasons[q->longest_reason], "from", (json_int_t)q->longest_from));
        json_array_append_new(list, entry);
    }
    return list;
}

json_t *totem_summary_slots(const totem_run_result *r, uint32_t engine)
{
    return json_pack("{s:I, s:f, s:I}", "count", (json_int_t)r->engines[engine].slots, "average", average(r, engine),
                     "most", (json_int_t)r->engines[engine].slots_max);
}

static uint64_t listed(const totem_run_result *r)
{
    return r->errors < TOTEM_RUN_RECORDS ? r->errors : TOTEM_RUN_RECORDS;
}

void totem_summary_records(const totem_run_result *r)
{
    for (uint64_t n = 0; n < listed(r); n++) {
        const totem_run_record *e = &r->records[n];
        printf("error in clock %" PRIu64 ": ", e->clock);
        if (e->listed)
            printf("entry %" PRIu32 ", ", e->entry);
        if (e->owned && e->pipe < 8)
            printf("pipe %" PRIu32 " queue %" PRIu32 ", ", e->pipe, e->queue);
        else if (e->owned)
            printf("ring %" PRIu32 ", ", e->pipe - 8);
        printf("%s at 0x%010" PRIx64 " (word 0x%08" PRIx32 "): %s; %s\n", totem_error_name(e->code), e->address,
               e->word, totem_error_what(e->code), totem_error_remedy(e->code));
    }
    if (r->errors > listed(r))
        printf("... and %" PRIu64 " more errors; --events has all\n", r->errors - listed(r));
}

json_t *totem_summary_records_json(const totem_run_result *r)
{
    json_t *list = json_array();
    for (uint64_t n = 0; n < listed(r); n++) {
        const totem_run_record *e = &r->records[n];
        json_t                 *each =
            json_pack("{s:I, s:s, s:I, s:I}", "clock", (json_int_t)e->clock, "error", totem_error_name(e->code),
                      "address", (json_int_t)e->address, "word", (json_int_t)e->word);
        if (e->owned) {
            json_object_set_new(each, "pipe", json_integer(e->pipe));
            json_object_set_new(each, "queue", json_integer(e->queue));
        }
        if (e->listed)
            json_object_set_new(each, "entry", json_integer(e->entry));
        json_array_append_new(list, each);
    }
    return list;
}

json_t *totem_wide_json(uint64_t value)
{
    char text[20];
    snprintf(text, sizeof text, "0x%" PRIx64, value);
    return value > INT64_MAX ? json_string(text) : json_integer((json_int_t)value);
}
