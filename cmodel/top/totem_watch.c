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
    const totem_front_out  *o    = &t->out.fe[f].pipe[p].front;
    const totem_memory_out *m    = &t->out.fe[f].memory;
    totem_event             e    = event_of(t, kind, n, -1);
    bool                    seen = false;

    e.queue = o->arbiter.selected;
    switch (kind) {
    case TOTEM_EVENT_SELECTED: seen = o->arbiter.go; break;
    case TOTEM_EVENT_EXECUTED:
        seen   = o->execute.executed;
        e.code = o->execute.executed_opcode;
        break;
    case TOTEM_EVENT_DISPATCH:
        seen      = o->execute.start;
        e.resumed = o->execute.start_resume;
        break;
    case TOTEM_EVENT_FENCE:
        seen    = m->ack_valid && m->ack_target == TOTEM_STREAMS + p;
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
    int                 pipe  = -1;
    bool                valid = s->source == TOTEM_SOURCE_HOST && t->out.host.error_valid;
    uint64_t            word  = t->out.host.error_word;

    for (int p = 0; p < TOTEM_PIPE_COUNT; p++) {
        const totem_front_out *o = &t->out.fe[p / TOTEM_PIPES].pipe[p % TOTEM_PIPES].front;
        const struct {
            int      source;
            bool     valid;
            uint64_t word;
        } offers[] = {{TOTEM_SOURCE_EXECUTE(p), o->execute.error_valid, o->execute.error_word},
                      {TOTEM_SOURCE_FENCE(p), o->fence.error_valid, o->fence.error_word},
                      {TOTEM_SOURCE_MQD(p), totem_offers_error(o), totem_offers_error_word(o)},
                      {TOTEM_SOURCE_FETCH(p), o->fetch.error_valid, o->fetch.error_word}};
        for (size_t n = 0; n < sizeof offers / sizeof *offers; n++)
            if (s->source == offers[n].source) {
                pipe  = p;
                valid = offers[n].valid;
                word  = offers[n].word;
            }
    }
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        if (s->source == TOTEM_SOURCE_MEMORY(f)) {
            valid = t->out.fe[f].memory.error_valid;
            word  = t->out.fe[f].memory.error_word;
        }
    if (!s->part || !valid)
        return;
    totem_event e = event_of(t, TOTEM_EVENT_ERROR, pipe, -1);
    e.queue       = (uint8_t)(s->head >> 48 & 7);
    e.code        = (uint8_t)(s->head >> 56);
    e.address     = s->head & 0xffffffffffu;
    e.word        = (uint32_t)word;
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
