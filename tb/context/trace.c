// SPDX-License-Identifier: Apache-2.0
//
// trace: see trace.h.

#include "trace.h"

#include <inttypes.h>

void trace_head(FILE *file)
{
    fprintf(
        file,
        "clock,item,name,current,group,draw,end,answer,roll,hit,changed,copying,copy_source,copy_target,copied,spare,"
        "rolls,hits,misses,full");
    for (unsigned s = 0; s < TOTEM_SETS; s++)
        fprintf(file, ",uses%u,pending%u,tag%u,frame%u", s, s, s, s);
    fputc('\n', file);
}

void trace_clock(FILE *file, const world *w, uint64_t clock, int item, const char *name)
{
    const totem_context     *c    = w->context_state;
    const totem_frames      *f    = w->frames_state;
    const totem_context_out *o    = w->context;
    unsigned                 rows = 0;
    for (unsigned b = 0; b < TOTEM_BANKS; b++)
        rows += f->copy_done[b];
    // Nothing: no answer, no tag.
    fprintf(file, "%" PRIu64 ",%d,%s,%u,%d,%d,%d,%d,%d,%d,%d,%d,%u,%u,%u,%u,%u,%u,%u,%u", clock, item, name, c->current,
            c->group, w->context_in->draw_valid, w->context_in->end_valid ? w->context_in->end_set : -1,
            o->answer_valid ? o->answer : -1,
            (o->roll_want || w->frames->roll_want) && o->roll_free && w->frames->roll_room, o->hit_valid,
            w->frames->changed, f->copying, f->copy_source, f->copy_target, rows, f->spare, o->rolls, o->hits,
            o->misses, o->full_clocks);
    for (unsigned s = 0; s < TOTEM_SETS; s++) {
        fprintf(file, ",%u,%d,", c->uses[s], c->pending[s]);
        if (c->tagged[s])
            fprintf(file, "%08" PRIx32 "%08" PRIx32, c->tag_high[s], c->tag_low[s]);
        fprintf(file, ",%u", f->frame[s]);
    }
    fputc('\n', file);
}
