// SPDX-License-Identifier: Apache-2.0
//
// What a run on a board has given, for people and as JSON.
#include "host_run.h"

#include <inttypes.h>
#include <stdio.h>

static json_t *hex(uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "0x%016" PRIx64, value);
    return json_string(text);
}

static json_t *points_of(const uint64_t *points, uint32_t count)
{
    json_t *list = json_array();
    for (uint32_t n = 0; n < count; n++)
        json_array_append_new(list, hex(points[n]));
    return list;
}

static json_t *statistics_of(const host_run *r)
{
    json_t *list = json_object();
    for (uint32_t n = 0; n < r->statistics_count; n++) {
        const host_run_statistic *s = &r->statistics[n];
        json_t *each = json_pack("{s:I, s:I}", "board", (json_int_t)s->board, "model", (json_int_t)s->model);
        if (s->differs)
            json_object_set_new(each, "differs", json_true());
        json_object_set_new(list, s->name, each);
    }
    return list;
}

json_t *host_run_json(const totem_workload *w, const host_run *r)
{
    json_t *run = json_pack("{s:s, s:s, s:s}", "workload", w->name, "file", w->path, "configuration", w->configuration);
    if (r->modelled)
        json_object_set_new(run, "model",
                            json_pack("{s:I, s:b, s:o, s:I, s:o, s:I, s:I, s:I}", "clocks", (json_int_t)r->model.clocks,
                                      "idle", r->model.idle, "signature", hex(r->model.signature), "stride",
                                      (json_int_t)r->model.stride, "checkpoints",
                                      points_of(r->model.points, r->model.points_count), "waves",
                                      (json_int_t)r->model.waves, "fences", (json_int_t)r->model.fences, "interrupts",
                                      (json_int_t)r->model.interrupts));
    if (!r->ran)
        return run;
    json_object_set_new(run, "board",
                        json_pack("{s:I, s:I, s:o, s:I, s:o, s:f}", "loaded", (json_int_t)r->loaded, "clocks",
                                  (json_int_t)r->now, "signature", hex(r->signature), "status", (json_int_t)r->status,
                                  "checkpoints", points_of(r->points, r->points_count), "seconds", r->seconds));
    json_object_set_new(run, "equal", json_boolean(r->equal));
    if (r->traced)
        json_object_set_new(run, "trace", host_trace_json(&r->trace, &r->model.trace));
    if (!r->equal)
        json_object_set_new(run, "parts",
                            json_pack("{s:I, s:I, s:I}", "from", (json_int_t)r->from, "to", (json_int_t)(r->to - 1),
                                      "runs", (json_int_t)r->runs));
    host_folds_json(&r->folds, run);
    if (r->replay.ran)
        json_object_set_new(run, "lockstep",
                            json_pack("{s:I, s:b, s:s}", "clocks", (json_int_t)r->replay.clocks, "equal",
                                      r->replay.equal, "folder", r->replay.equal ? "" : r->replay.folder));
    json_object_set_new(run, "expectations", json_integer((json_int_t)r->expectations));
    json_object_set_new(run, "unmet", json_incref(r->texts));
    json_object_set_new(run, "statistics", statistics_of(r));
    return run;
}

void host_run_print(const totem_workload *w, const host_run *r)
{
    if (!r->ran)
        return;
    printf("%s (%s): %" PRIu32 " clocks on the board in %.3f s\n", w->name, w->configuration, r->now, r->seconds);
    if (!r->model.idle)
        printf("the machine was not idle at the end; --clocks sets another one\n");
    printf("signature of the board  %016" PRIx64 ", %" PRIu32 " checkpoints, one in %" PRIu64 " clocks\n", r->signature,
           r->points_count, UINT64_C(1) << r->model.stride);
    printf("signature of the model  %016" PRIx64 ", %" PRIu32 " checkpoints\n", r->model.signature,
           r->model.points_count);
    if (r->equal)
        printf("equal in every clock; %" PRIu64 " waves, %" PRIu64 " fences, %" PRIu64 " interrupts\n", r->model.waves,
               r->model.fences, r->model.interrupts);
    else
        printf("DIFFERENT: the pins part in a clock from %" PRIu64 " to %" PRIu64 "\n", r->from, r->to - 1);
    host_folds_print(&r->folds);
    if (r->replay.ran && r->replay.equal)
        printf("the Verilog is equal to the model in all %" PRIu64
               " clocks: the board is not this Verilog, or faulty\n",
               r->replay.clocks);
    else if (r->replay.ran)
        printf("the Verilog differs from the model, too, from clock %" PRIu64 " on: %s/board.txt, .fst and .gtkw\n",
               r->replay.clocks, r->replay.folder);
    for (uint32_t n = 0; n < r->statistics_count; n++)
        if (r->statistics[n].differs)
            printf("%s is 0x%08" PRIx32 " on the board, 0x%08" PRIx32 " in the model\n", r->statistics[n].name,
                   r->statistics[n].board, r->statistics[n].model);
    printf("%" PRIu32 " registers read, %" PRIu32 " differ from the model's\n", r->statistics_count,
           r->statistics_differ);
    if (r->traced)
        host_trace_print(&r->trace, &r->model.trace);
    for (size_t n = 0; n < json_array_size(r->texts); n++)
        printf("unmet: %s\n", json_string_value(json_array_get(r->texts, n)));
    if (!r->equal)
        printf("%" PRIu64 " of %" PRIu64 " expectations met; those of counts are not looked at\n",
               r->expectations - r->unmet, r->expectations);
    else
        printf("%" PRIu64 " of %" PRIu64 " expectations met\n", r->expectations - r->unmet, r->expectations);
    if (r->unseen)
        printf("%" PRIu64 " expectations about queues that stand are not looked at on a board\n", r->unseen);
}
