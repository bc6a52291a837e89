// SPDX-License-Identifier: Apache-2.0
//
// promises: see promises.h.

#include "promises.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum { CS, GS, PS };
enum {
    DONE_TO_OFFER  = 6,  // clocks from the done of a slot to its next offer, at least
    KILL_TO_KILL   = 64, // from a kill to the next one of the same pipe
    LAUNCH_EXPORT  = 2,  // from the acceptance of a GS wave to its export
    PIPES_OF_FE    = 4,  // numbers that a pipe can have
    WAVES_OF_GROUP = 64
};

typedef struct {
    bool     running, exported;
    uint64_t accepted, exported_at;
    uint64_t ended;  // clock of its done + 1; 0: it never held a wave
    int      leader; // number of its group
    uint8_t  kind, fe, pipe, queue, epoch, vgprs;
} wave;

typedef struct {
    unsigned waves; // not ended; 0: free
    uint16_t lds;
} group;

typedef struct {
    wave             slots[TOTEM_SLOTS];
    group            groups[TOTEM_SLOTS];
    unsigned         waves, vgprs, lds;                   // held
    totem_launch_out offer;                               // launch_valid: it was not accepted in the clock before
    totem_launch_out last;                                // accepted last
    int              leader;                              // number of its group
    totem_wave_out   core;                                // as it was shown in the clock before
    bool             taken;                               // what it asked then was answered: an export
    bool             answered;                            // likewise a task
    uint64_t         killed[TOTEM_FE_COUNT][PIPES_OF_FE]; // clock + 1 of the last kill
    bool             held;                                // a host access was not done
    uint8_t          dword, strobe;
    bool             write;
    uint32_t         data;
} engine;

struct promises {
    engine   engines[TOTEM_SE_COUNT];
    uint64_t clock;
    int      number; // of the engine that is looked at
    char    *message;
};

promises *promises_create(void)
{
    return calloc(1, sizeof(promises));
}

void promises_destroy(promises *p)
{
    free(p);
}

static bool broken(promises *p, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool broken(promises *p, const char *format, ...)
{
    va_list   arguments;
    const int used = snprintf(p->message, 256, "clock %" PRIu64 ", wave interface of engine %d: ", p->clock, p->number);
    va_start(arguments, format);
    vsnprintf(p->message + used, 256 - (size_t)used, format, arguments);
    va_end(arguments);
    return false;
}

#define SAME(field) (a->field == b->field)

static bool same_offer(const totem_launch_out *a, const totem_launch_out *b)
{
    return SAME(launch_kind) && SAME(launch_path) && SAME(launch_fe) && SAME(launch_pipe) && SAME(launch_queue) &&
           SAME(launch_epoch) && SAME(launch_group) && SAME(launch_index) && SAME(launch_waves) &&
           SAME(launch_wave32) && SAME(launch_invalidate) && SAME(launch_threads) && SAME(launch_program) &&
           SAME(launch_vgprs) && SAME(launch_lds) && SAME(launch_slot) && SAME(launch_buffer) &&
           SAME(launch_state_new) && SAME(launch_draw) && SAME(launch_set) && SAME(launch_primitives);
}

static bool same_group(const totem_launch_out *a, const totem_launch_out *b)
{
    return SAME(launch_kind) && SAME(launch_fe) && SAME(launch_pipe) && SAME(launch_queue) && SAME(launch_epoch) &&
           SAME(launch_group) && SAME(launch_waves) && SAME(launch_wave32) && SAME(launch_program) &&
           SAME(launch_vgprs) && SAME(launch_lds) && SAME(launch_buffer);
}

static bool same_export(const totem_wave_out *a, const totem_wave_out *b)
{
    return b->export_valid && SAME(export_slot) && SAME(export_primitives) && SAME(export_pixels);
}

static bool same_task(const totem_wave_out *a, const totem_wave_out *b)
{
    return b->task_valid && SAME(task_pointer) && SAME(task_fe) && SAME(task_pipe) && SAME(task_queue) &&
           SAME(task_epoch);
}

static bool ends(promises *p, engine *e, unsigned slot)
{
    wave *w = &e->slots[slot];
    if (!w->running)
        return broken(p, "done of slot %u, which holds no wave", slot);
    if (w->kind == GS && !(w->exported && p->clock > w->exported_at))
        return broken(p, "done of the geometry wave in slot %u before its export was taken", slot);
    group *g = &e->groups[w->leader];
    if (--g->waves == 0)
        e->lds -= g->lds;
    e->vgprs -= w->vgprs;
    e->waves--;
    w->running = false;
    w->ended   = p->clock + 1;
    return true;
}

static bool offered(promises *p, engine *e, const totem_launch_out *l)
{
    const unsigned slot = l->launch_slot, lanes = l->launch_wave32 ? 32 : 64;
    const wave    *w = &e->slots[slot];
    if (e->offer.launch_valid)
        return same_offer(&e->offer, l) || broken(p, "the offered wave (slot %u) is not what it was", slot);
    if (w->running)
        return broken(p, "a wave is offered slot %u, which holds one", slot);
    if (w->ended && p->clock + 1 < w->ended + DONE_TO_OFFER)
        return broken(p, "slot %u is offered %" PRIu64 " clocks after its done", slot, p->clock + 1 - w->ended);
    if (l->launch_waves < 1 || l->launch_waves > WAVES_OF_GROUP || l->launch_threads < 1 || l->launch_threads > lanes ||
        (l->launch_index + 1 < l->launch_waves && l->launch_threads != lanes) || !l->launch_vgprs)
        return broken(p, "wave %u of %u has %u threads of %u, %u register blocks", l->launch_index, l->launch_waves,
                      l->launch_threads, lanes, l->launch_vgprs);
    const bool goes_on = e->last.launch_valid && e->last.launch_index + 1 < e->last.launch_waves;
    const int  index   = goes_on ? e->last.launch_index + 1 : 0;
    if (l->launch_index != index || (goes_on && !same_group(&e->last, l)))
        return broken(p, "wave %u of a group of %u is offered where wave %d of the group before is due",
                      l->launch_index, l->launch_waves, index);
    return true;
}

static bool accepted(promises *p, engine *e, const totem_launch_out *l)
{
    if (l->launch_index == 0) {
        e->leader = 0;
        while (e->leader < TOTEM_SLOTS - 1 && e->groups[e->leader].waves)
            e->leader++;
        e->groups[e->leader] = (group){l->launch_waves, l->launch_lds};
        e->lds += l->launch_lds;
    }
    e->last                  = *l;
    e->slots[l->launch_slot] = (wave){.running  = true,
                                      .accepted = p->clock,
                                      .leader   = e->leader,
                                      .kind     = l->launch_kind,
                                      .fe       = l->launch_fe,
                                      .pipe     = l->launch_pipe,
                                      .queue    = l->launch_queue,
                                      .epoch    = l->launch_epoch,
                                      .vgprs    = l->launch_vgprs};
    e->vgprs += l->launch_vgprs;
    e->waves++;
    if (e->waves <= TOTEM_SLOTS && e->vgprs <= TOTEM_VGPRS && e->lds <= TOTEM_LDS)
        return true;
    return broken(p, "%u waves, %u register blocks and %u LDS blocks are more than there are", e->waves, e->vgprs,
                  e->lds);
}

static bool exports(promises *p, engine *e, const totem_wave_out *c, bool ready)
{
    wave *w = &e->slots[c->export_slot];
    if (e->core.export_valid && !e->taken)
        if (!same_export(&e->core, c))
            return broken(p, "the export of slot %u changes before it is taken", e->core.export_slot);
    e->taken = c->export_valid && ready;
    if (!c->export_valid)
        return true;
    if (!w->running || w->kind != GS || w->exported || p->clock < w->accepted + LAUNCH_EXPORT)
        return broken(p, "export of slot %u, which %s", c->export_slot,
                      !w->running     ? "holds no wave"
                      : w->kind != GS ? "holds no geometry wave"
                      : w->exported   ? "has exported"
                                      : "was accepted less than two clocks before");
    if (ready) {
        w->exported    = true;
        w->exported_at = p->clock;
    }
    return true;
}

static bool asks(promises *p, engine *e, const totem_wave_out *c, bool ready)
{
    if (e->core.task_valid && !e->answered && !same_task(&e->core, c))
        return broken(p, "the task 0x%08" PRIx32 " changes before it is answered", e->core.task_pointer);
    // Until it is answered: the task must belong to the epoch of a wave that runs.
    bool whose = !c->task_valid;
    for (int n = 0; !whose && n < TOTEM_SLOTS; n++) {
        const wave *w = &e->slots[n];
        whose         = w->running && w->kind == CS && w->fe == c->task_fe && w->pipe == c->task_pipe &&
                w->queue == c->task_queue && w->epoch == c->task_epoch;
    }
    e->answered = c->task_valid && ready;
    return whose || broken(p, "the task 0x%08" PRIx32 " is of no wave that runs", c->task_pointer);
}

static bool kills(promises *p, engine *e, const totem_engine_kill_out *k)
{
    if (!k->kill_valid)
        return true;
    uint64_t  *last  = &e->killed[k->kill_fe][k->kill_pipe];
    const bool often = *last && p->clock + 1 < *last + KILL_TO_KILL;
    *last            = p->clock + 1;
    return !often ||
           broken(p, "two kills of pipe %u of front end %u within %d clocks", k->kill_pipe, k->kill_fe, KILL_TO_KILL);
}

static bool host(promises *p, engine *e, const totem_host_out *h, const totem_wave_out *c)
{
    const bool valid = h->wave_valid[p->number];
    if (e->held && !(valid && h->request_write == e->write && h->request_dword == e->dword &&
                     h->request_strobe == e->strobe && h->request_data == e->data))
        return broken(p, "the host's access to dword %u changes before it is done", e->dword);
    if (c->host_done && !valid)
        return broken(p, "an answer to a host that does not access it");
    e->held = valid && !c->host_done;
    if (e->held) {
        e->write  = h->request_write;
        e->dword  = h->request_dword;
        e->strobe = h->request_strobe;
        e->data   = h->request_data;
    }
    return true;
}

bool promises_step(promises *p, const totem_machine_out *out, uint64_t clock, char message[256])
{
    p->clock   = clock;
    p->message = message;
    for (p->number = 0; p->number < TOTEM_SE_COUNT; p->number++) {
        engine                 *e = &p->engines[p->number];
        const totem_wave_out   *c = &out->wave[p->number];
        const totem_se_out     *s = &out->se[p->number];
        const totem_launch_out *l = &s->launch;
#if TOTEM_GRAPHICS
        const bool taken = s->pixels.assemble.export_ready;
#else
        const bool taken    = false;
#endif
#if TOTEM_TASKS
        const bool answered = s->task_answer.any;
#else
        const bool answered = false;
#endif
        if ((TOTEM_GRAPHICS && !exports(p, e, c, taken)) || (TOTEM_TASKS && !asks(p, e, c, answered)) ||
            (c->done_valid && !ends(p, e, c->done_slot)) ||
            (e->offer.launch_valid && !l->launch_valid &&
             !broken(p, "the offered wave (slot %u) is withdrawn", e->offer.launch_slot)) ||
            (l->launch_valid && !offered(p, e, l)) || (l->launch_valid && c->launch_ready && !accepted(p, e, l)) ||
            !kills(p, e, &s->engine_kill) || !host(p, e, &out->host, c))
            return false;
        if (l->launch_valid)
            e->offer = *l;
        e->offer.launch_valid = l->launch_valid && !c->launch_ready;
        if (c->export_valid || c->task_valid)
            e->core = *c;
        e->core.export_valid = c->export_valid;
        e->core.task_valid   = c->task_valid;
    }
    return true;
}
