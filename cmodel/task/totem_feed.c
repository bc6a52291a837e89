// SPDX-License-Identifier: Apache-2.0
//
// totem_feed: twin of rtl/task/totem_feed.v, from docs/contract/feed.md.

#include "totem_feed.h"

static void ring(const totem_feed_in *i, totem_feed_out *o)
{
    o->start               = i->execute_start;
    o->start_resume        = i->execute_start_resume;
    o->start_fresh_at_zero = i->execute_start_fresh_at_zero;
    o->start_partial       = i->execute_start_partial;
    o->start_end           = i->execute_start_end;
    o->stop                = i->execute_stop;
    o->waves               = i->execute_dispatch_waves;
    o->threads             = i->execute_dispatch_threads;
    o->wave32              = i->execute_dispatch_wave32;
    o->origin              = i->bank_origin;
    o->restart             = i->bank_restart;
    o->restart_mask        = i->bank_restart_mask;
    o->restart_end         = i->bank_restart_end;
    o->restart_origin      = i->bank_restart_origin;
    o->program_addr        = i->bank_program_addr;
    o->vgprs               = i->bank_vgprs;
    o->lds                 = i->bank_lds;
    o->invalidate          = 0;
    o->scratch             = i->bank_scratch;
    o->words               = i->bank_words;
    o->low_data            = i->ring_low_data;
    o->high_data           = i->ring_high_data;
}

// A task is an unfinished grid that begins at work-group 0, 0, 0.
static void task(const totem_feed_in *i, totem_feed_out *o)
{
    o->start               = i->runner_start;
    o->start_resume        = true;
    o->start_fresh_at_zero = false;
    o->start_partial       = false;
    o->start_end           = 0;
    o->stop                = i->runner_stop;
    o->waves               = i->runner_waves;
    o->threads             = i->runner_threads;
    o->wave32              = true;
    o->origin              = 0;
    o->restart             = i->task_restart;
    o->restart_mask        = i->task_restart_mask;
    o->restart_end         = i->task_restart_end;
    o->restart_origin      = 0;
    o->program_addr        = i->task_program_addr;
    o->vgprs               = i->task_vgprs;
    o->lds                 = i->task_lds;
    o->invalidate          = i->runner_marks & 63;
    o->scratch             = false;
    o->words               = i->task_words;
    o->low_data            = i->task_low_data;
    o->high_data           = i->task_high_data;
}

void totem_feed_outputs(const totem_feed_in *i, totem_feed_out *o)
{
    if (i->runner_on)
        task(i, o);
    else
        ring(i, o);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        o->engines[e] = i->runner_on ? i->task_engines[e] : i->bank_engines[e];
}
