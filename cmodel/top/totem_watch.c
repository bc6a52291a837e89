// SPDX-License-Identifier: Apache-2.0
//
// libtotem: events, told from what the blocks show in a clock. See cmodel/totem.h.

#include "totem_library.h"
#include "totem_offers.h"

static totem_event event_of(const totem *t, totem_event_kind kind, int pipe, int engine)
{
    return (totem_event){.kind = kind, .clock = t->machine.host.clock, .pipe = pipe, .engine = engine};
}

static void tell(const totem *t, const totem_event *event)
{
    t->function(t->user, event);
}

static void watch_pipe(const totem *t, totem_event_kind kind, int n)
{
    const int               f    = n / TOTEM_PIPES;
    const int               p    = n % TOTEM_PIPES;
    const totem_pipe_out   *o    = &t->out.fe[f].pipe[p];
    const totem_memory_out *m    = &t->out.fe[f].memory;
    totem_event             e    = event_of(t, kind, n, -1);
    bool                    seen = false;

    e.queue = o->arbiter.selected;
    switch (kind) {
    case TOTEM_EVENT_SELECTED: seen = o->arbiter.go; break;
    case TOTEM_EVENT_EXECUTED:
        seen   = o->packet.executed;
        e.code = o->packet.executed_opcode;
        break;
    case TOTEM_EVENT_DISPATCH:
        seen      = o->packet.start;
        e.resumed = o->packet.start_resume;
        break;
    case TOTEM_EVENT_FENCE:
        seen    = m->ack_valid && m->ack_target == 3 * TOTEM_PIPES + p;
        e.queue = m->ack_tag & 7;
        e.code  = m->ack_error;
        break;
    case TOTEM_EVENT_INTERRUPT:
        seen    = totem_offers_interrupt(o) && t->out.events.interrupt_ready[n];
        e.queue = (uint8_t)(totem_offers_interrupt_word(o) >> 32 & 7);
        e.word  = (uint32_t)totem_offers_interrupt_word(o);
        break;
    default: break;
    }
    if (seen)
        tell(t, &e);
}

static void watch_engine(const totem *t, totem_event_kind kind, int engine)
{
    const totem_issue_out  *issue  = &t->out.se[engine].issue;
    const totem_launch_out *launch = &t->out.se[engine].launch;
    const totem_wave_out   *wave   = &t->out.wave[engine];
    totem_event             e      = event_of(t, kind, -1, engine);
    bool                    seen   = false;

    switch (kind) {
    case TOTEM_EVENT_GRANT:
        seen    = issue->grant_valid;
        e.pipe  = issue->grant_fe * TOTEM_PIPES + issue->grant_pipe;
        e.queue = issue->grant_queue;
        e.epoch = issue->grant_epoch;
        e.group = issue->grant_group;
        e.waves = issue->grant_waves;
        break;
    case TOTEM_EVENT_LAUNCH:
        seen    = launch->launch_valid && wave->launch_ready;
        e.pipe  = launch->launch_fe * TOTEM_PIPES + launch->launch_pipe;
        e.queue = launch->launch_queue;
        e.epoch = launch->launch_epoch;
        e.group = launch->launch_group;
        e.wave  = launch->launch_index;
        e.slot  = launch->launch_slot;
        break;
    case TOTEM_EVENT_DONE:
        seen   = wave->done_valid;
        e.slot = wave->done_slot;
        break;
    default: break;
    }
    if (seen)
        tell(t, &e);
}

// An error is taken with its second word; events holds the first one.
static void watch_error(const totem *t)
{
    const totem_events *s     = &t->machine.events;
    const int           from  = s->source;
    const int           pipe  = from == 0 || from >= TOTEM_EVENTS_MEMORY ? -1
                                : from < TOTEM_EVENTS_MQD                ? (from - 1) / 2
                                                                         : (from - TOTEM_EVENTS_MQD) % TOTEM_PIPE_COUNT;
    totem_event         e     = event_of(t, TOTEM_EVENT_ERROR, pipe, -1);
    bool                valid = t->out.host.error_valid;
    uint64_t            word  = t->out.host.error_word;

    if (pipe >= 0) {
        const totem_pipe_out *o = &t->out.fe[pipe / TOTEM_PIPES].pipe[pipe % TOTEM_PIPES];
        if (from >= TOTEM_EVENTS_FETCH) {
            valid = o->fetch.error_valid;
            word  = o->fetch.error_word;
        } else if (from >= TOTEM_EVENTS_MQD) {
            valid = totem_offers_error(o);
            word  = totem_offers_error_word(o);
        } else {
            valid = from % 2 == 1 ? o->packet.error_valid : o->fence.error_valid;
            word  = from % 2 == 1 ? o->packet.error_word : o->fence.error_word;
        }
    } else if (from != 0) {
        const totem_memory_out *o = &t->out.fe[from - TOTEM_EVENTS_MEMORY].memory;
        valid                     = o->error_valid;
        word                      = o->error_word;
    }
    if (!s->part || !valid)
        return;
    e.queue   = (uint8_t)(s->head >> 48 & 7);
    e.code    = (uint8_t)(s->head >> 56);
    e.address = s->head & 0xffffffffffu;
    e.word    = (uint32_t)word;
    tell(t, &e);
}

void totem_watch(const totem *t)
{
    static const totem_event_kind kinds[] = {TOTEM_EVENT_SELECTED, TOTEM_EVENT_EXECUTED, TOTEM_EVENT_DISPATCH,
                                             TOTEM_EVENT_GRANT,    TOTEM_EVENT_LAUNCH,   TOTEM_EVENT_DONE,
                                             TOTEM_EVENT_FENCE,    TOTEM_EVENT_INTERRUPT};
    enum { ENGINES = TOTEM_EVENT_GRANT | TOTEM_EVENT_LAUNCH | TOTEM_EVENT_DONE };

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if ((t->kinds & (uint32_t)kinds[k]) == 0)
            continue;
        if ((ENGINES & (int)kinds[k]) != 0)
            for (int e = 0; e < TOTEM_SE_COUNT; e++)
                watch_engine(t, kinds[k], e);
        else
            for (int n = 0; n < TOTEM_PIPE_COUNT; n++)
                watch_pipe(t, kinds[k], n);
    }
    if ((t->kinds & TOTEM_EVENT_ERROR) != 0)
        watch_error(t);
}
