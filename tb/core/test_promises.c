// SPDX-License-Identifier: Apache-2.0
//
// promises: each broken promise is named, and waves that keep all of them are not blamed. Run by sim/tests.d/77-core.sh.

#include "tests.h"

#include "promises.h"

#include <stdio.h>

enum { COMPUTE, GEOMETRY };

typedef struct {
    promises              p;
    totem_engine_pins_in  shown;
    totem_engine_pins_out given;
} bench;

static void fresh(bench *b)
{
    memset(b, 0, sizeof *b);
}

#define RULE(name) RULE_OF(bench, fresh, b, name)

// A clock with what was set; the next one begins without it. `text`: part of what is said, NULL nothing.
static void tick(bench *b, const char *text)
{
    const char *said = promises_clock(&b->p, &b->shown, &b->given);
    if (text ? !said || !strstr(said, text) : said != NULL)
        fail_msg("said '%s', expected '%s'", said ? said : "nothing", text ? text : "nothing");
    b->shown = (totem_engine_pins_in){0};
    b->given = (totem_engine_pins_out){0};
}

static void accept(bench *b, uint8_t slot, uint8_t kind)
{
    b->given.launch_valid = b->shown.launch_ready = true;
    b->given.launch_slot                          = slot;
    b->given.launch_kind                          = kind;
    b->given.launch_pipe                          = kind ? 2 : 1;
    b->given.launch_queue                         = 3;
    tick(b, NULL);
}

static void done(bench *b, uint8_t slot, const char *text)
{
    b->shown.done_valid = true;
    b->shown.done_slot  = slot;
    tick(b, text);
}

static void export(bench *b, uint8_t slot, uint16_t primitives, bool taken, const char *text)
{
    b->shown.export_valid      = true;
    b->shown.export_slot       = slot;
    b->shown.export_primitives = primitives;
    b->given.export_ready      = taken;
    tick(b, text);
}

static void task(bench *b, uint32_t pointer, uint8_t queue, const char *text)
{
    b->shown.task_valid   = true;
    b->shown.task_pointer = pointer;
    b->shown.task_pipe    = 1;
    b->shown.task_queue   = queue;
    tick(b, text);
}

RULE(promises_of_done)
{
    done(b, 5, "holds no wave");
    accept(b, 5, COMPUTE);
    done(b, 4, "holds no wave");
    done(b, 200, "holds no wave");
    done(b, 5, NULL);
    done(b, 5, "holds no wave");
    b->given.launch_valid = b->shown.launch_ready = b->shown.done_valid = true;
    tick(b, "holds no wave"); // a wave is accepted behind what is shown in its clock
    assert_int_equal(b->p.accepted, 2);
    assert_int_equal(b->p.done, 1);
}

RULE(promises_of_exports)
{
    accept(b, 7, GEOMETRY);
    accept(b, 8, COMPUTE);
    done(b, 7, "has not exported");
    accept(b, 7, GEOMETRY);
    export(b, 7, 3, false, "earlier than two clocks");
    fresh(b);
    accept(b, 7, GEOMETRY);
    accept(b, 8, COMPUTE);
    export(b, 7, 257, true, "more than 256");
    export(b, 8, 0, true, "owes none");
    export(b, 7, 3, false, NULL);
    export(b, 7, 3, false, NULL);
    export(b, 7, 2, false, "changes before it is taken");
    export(b, 7, 2, true, NULL);
    export(b, 7, 2, true, "owes none");
    done(b, 7, NULL);
    accept(b, 9, GEOMETRY);
    tick(b, NULL);
    export(b, 9, 1, false, NULL);
    tick(b, "changes before it is taken");
}

RULE(promises_of_tasks)
{
    task(b, 1, 3, "an owner without a wave");
    b->given.task_ready = true;
    task(b, 1, 3, "an owner without a wave");
    accept(b, 0, COMPUTE);
    task(b, 1, 3, NULL);
    task(b, 2, 3, "changes before it is answered");
    b->given.task_ready = true;
    task(b, 2, 3, NULL);
    task(b, 2, 4, "an owner without a wave");
}

RULE(promises_of_rates)
{
    for (unsigned n = 1; n < PROMISES_READY; n++) {
        b->given.launch_valid = true;
        tick(b, NULL);
    }
    b->given.launch_valid = true;
    tick(b, "is not accepted");
    b->shown.host_done = true;
    tick(b, "without an access");
    b->shown.host_done = b->given.host_valid = true;
    b->shown.host_error                      = 4;
    tick(b, "with an error that is none");
    for (unsigned n = 1; n < PROMISES_HOST; n++) {
        b->given.host_valid = true;
        tick(b, NULL);
    }
    b->given.host_valid = true;
    tick(b, "has no answer");
}
