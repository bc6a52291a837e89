// SPDX-License-Identifier: Apache-2.0
//
// picture_read: events into spans; see picture.h.
#include "commands.h"
#include "picture.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define WRITE_AGAIN "write the file with totem run --events"

// What is open while the events are read.
typedef struct {
    picture    *p;
    const char *path;
    uint64_t    line, clock;
    char       *message;
    size_t      room;
    int         code;
    struct {
        bool     open;
        uint16_t value;
        uint64_t from;
    } turn[PICTURE_PIPES], state[PICTURE_PIPES * PICTURE_QUEUES], slot[PICTURE_PIPES * PICTURE_QUEUES];
    uint64_t lacked[PICTURE_ENGINES]; // from this clock on
    bool     lacking[PICTURE_ENGINES][PICTURE_PIPES], states;
    uint64_t waves[PICTURE_ENGINES];
    uint64_t begun; // first clock in which something has work; UINT64_MAX: none yet
} reader;

static void fail(reader *r, const char *what, const char *more)
{
    if (!r->code)
        snprintf(r->message, r->room, "%s:%llu: %s%s; " WRITE_AGAIN, r->path, (unsigned long long)r->line, what, more);
    r->code = TOTEM_EXIT_FINDING;
}

static void add(reader *r, picture_what what, unsigned row, unsigned value, uint64_t from, uint64_t to)
{
    picture *p = r->p;
    if (p->count == p->room) {
        const size_t  room = p->room ? 2 * p->room : 4096;
        picture_span *more = realloc(p->spans, room * sizeof *more);
        if (!more) {
            fail(r, "memory is short", "");
            return;
        }
        p->spans = more;
        p->room  = room;
    }
    p->spans[p->count++] = (picture_span){from, to, (uint8_t)what, (uint8_t)row, (uint16_t)value};
}

static unsigned number(reader *r, const json_t *event, const char *key, unsigned below)
{
    const json_t    *member = json_object_get(event, key);
    const json_int_t value  = json_integer_value(member);
    if (json_is_integer(member) && value >= 0 && value < below)
        return (unsigned)value;
    fail(r, "this event has no good member ", key);
    return 0;
}

static const char *text(reader *r, const json_t *event, const char *key)
{
    const char *value = json_string_value(json_object_get(event, key));
    if (!value)
        fail(r, "this event has no text ", key);
    return value ? value : "";
}

static void end_turn(reader *r, unsigned pipe, uint64_t to)
{
    if (r->turn[pipe].open)
        add(r, PICTURE_TURN, pipe, r->turn[pipe].value, r->turn[pipe].from, to);
    r->turn[pipe].open = false;
}

static void end_state(reader *r, unsigned row)
{
    if (r->state[row].open)
        add(r, PICTURE_STATE, row, r->state[row].value, r->state[row].from, r->clock);
    r->state[row].open = false;
}

// The engine is lacked while any head lacks it.
static void lacks(reader *r, unsigned engine, unsigned pipe, bool begins)
{
    bool others = false;
    for (unsigned n = 0; n < PICTURE_PIPES; n++)
        others = others || (n != pipe && r->lacking[engine][n]);
    if (!others && begins && !r->lacking[engine][pipe])
        r->lacked[engine] = r->clock;
    if (!others && !begins && r->lacking[engine][pipe])
        add(r, PICTURE_LACKS, engine, 0, r->lacked[engine], r->clock);
    r->lacking[engine][pipe] = begins;
}

static void state(reader *r, unsigned row, const char *name)
{
    unsigned reason = 0;
    while (totem_reason_name(reason) && strcmp(totem_reason_name(reason), name) != 0)
        reason++;
    if (!totem_reason_name(reason))
        fail(r, "no queue has the reason ", name);
    end_state(r, row);
    r->states           = true;
    r->state[row].open  = reason != TOTEM_REASON_UNMAPPED;
    r->state[row].value = (uint8_t)reason;
    r->state[row].from  = r->clock;
    r->p->queue[row]    = true;
}

static void end_slot(reader *r, unsigned row)
{
    if (r->slot[row].open)
        add(r, PICTURE_ENTRY, row, r->slot[row].value, r->slot[row].from, r->clock);
    r->slot[row].open = false;
}

// A queue of the run list: it is in its slot while it is mapped.
static void entry(reader *r, const json_t *event)
{
    const unsigned value = number(r, event, "entry", TOTEM_RUN_ENTRIES);
    for (unsigned n = 0; n < PICTURE_PIPES * PICTURE_QUEUES; n++)
        if (r->slot[n].value == value)
            end_slot(r, n);
    if (strcmp(text(r, event, "state"), "mapped") != 0)
        return;
    const unsigned row =
        PICTURE_QUEUES * number(r, event, "pipe", PICTURE_PIPES) + number(r, event, "queue", PICTURE_QUEUES);
    end_slot(r, row);
    r->slot[row].open  = true;
    r->slot[row].value = (uint16_t)value;
    r->slot[row].from  = r->clock;
    r->p->slot[row]    = true;
}

static void wave(reader *r, const json_t *event, picture_what what)
{
    static const char *const kinds[PICTURE_KINDS] = {"compute", "geometry", "pixel"};
    const char              *kind                 = text(r, event, "kind");
    const unsigned           engine               = number(r, event, "engine", PICTURE_ENGINES);
    unsigned                 n                    = 0;
    while (n < PICTURE_KINDS && strcmp(kinds[n], kind) != 0)
        n++;
    if (n == PICTURE_KINDS)
        fail(r, "there are no waves of kind ", kind);
    if (what == PICTURE_ENDED && r->waves[engine]-- == 0)
        fail(r, "a wave ends that has not begun", "");
    if (what == PICTURE_STARTED)
        r->waves[engine]++;
    add(r, what, engine, n, r->clock, r->clock);
    r->p->engine[engine] = true;
}

static void one(reader *r, const json_t *event)
{
    const char *name = text(r, event, "event");
#define IS(of) (strcmp(name, of) == 0)
#define PIPE number(r, event, "pipe", PICTURE_PIPES)
#define QUEUE number(r, event, "queue", PICTURE_QUEUES)
    const uint64_t clock = number(r, event, "clock", UINT32_MAX);
    if (clock < r->clock)
        fail(r, "this clock is before that of the line above", "");
    r->clock = clock;
    if (r->begun == UINT64_MAX && (IS("doorbell") || IS("selected") || IS("launched")))
        r->begun = clock;
    if (IS("selected")) {
        const unsigned pipe = PIPE;
        end_turn(r, pipe, clock);
        r->turn[pipe].open  = true;
        r->turn[pipe].value = (uint8_t)QUEUE;
        r->turn[pipe].from  = clock;
        r->p->pipe[pipe]    = true;
    } else if (IS("left"))
        end_turn(r, PIPE, clock + 1);
    else if (IS("state"))
        state(r, PICTURE_QUEUES * PIPE + QUEUE, text(r, event, "reason"));
    else if (IS("entry"))
        entry(r, event);
    else if (IS("doorbell") || IS("fence"))
        add(r, IS("fence") ? PICTURE_FENCE : PICTURE_DOORBELL, PICTURE_QUEUES * PIPE + QUEUE, 0, clock, clock);
    else if (IS("launched") || IS("done"))
        wave(r, event, IS("done") ? PICTURE_ENDED : PICTURE_STARTED);
    else if (IS("lacks") || IS("fits"))
        lacks(r, number(r, event, "engine", PICTURE_ENGINES), PIPE, IS("lacks"));
}

int picture_read(picture *p, const char *path, char *message, size_t room)
{
    FILE *file = fopen(path, "r");
    *p         = (picture){0};
    if (!file) {
        snprintf(message, room, "%s cannot be read: %s; " WRITE_AGAIN, path, strerror(errno));
        return TOTEM_EXIT_FILE;
    }
    reader r    = {.p = p, .path = path, .message = message, .room = room, .begun = UINT64_MAX};
    char  *text = NULL;
    size_t size = 0;
    while (!r.code && getline(&text, &size, file) > 0) {
        json_error_t error;
        json_t      *event = json_loads(text, 0, &error);
        r.line++;
        if (json_is_object(event))
            one(&r, event);
        else
            fail(&r, "no JSON object: ", event ? "another value" : error.text);
        json_decref(event);
    }
    if (!r.states && !r.code) {
        snprintf(message, room, "%s: no event tells a state; " WRITE_AGAIN, path);
        r.code = TOTEM_EXIT_FINDING;
    }
    free(text);
    fclose(file);
    r.clock++;
    for (unsigned n = 0; n < PICTURE_PIPES; n++)
        end_turn(&r, n, r.clock);
    for (unsigned n = 0; n < PICTURE_PIPES * PICTURE_QUEUES; n++) {
        end_state(&r, n);
        end_slot(&r, n);
    }
    for (unsigned e = 0; e < PICTURE_ENGINES; e++)
        for (unsigned n = 0; n < PICTURE_PIPES; n++)
            lacks(&r, e, n, false);
    p->first = r.begun == UINT64_MAX ? 0 : r.begun;
    p->last  = r.clock;
    return r.code;
}
