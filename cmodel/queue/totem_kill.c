// SPDX-License-Identifier: Apache-2.0
//
// totem_kill: twin of rtl/queue/totem_kill.v, from docs/contract/kill.md.

#include "totem_kill.h"

enum { PAUSE = 63, SINCE_END = (1 << 24) / TOTEM_QUEUES - 1 };

void totem_kill_outputs(const totem_kill *s, totem_kill_out *o)
{
    o->overdue = false;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        o->abandon[q] = s->abandon[q];
        o->ended[q]   = s->ended[q];
        o->overdue    = o->overdue || s->slow[q];
    }
    o->word_valid  = s->word_valid;
    o->word_engine = s->word_engine;
    o->word_queue  = s->word_queue;
    o->word_epochs = s->word_epochs;
}

// Rule 1: the next slot with something to be killed, and its epochs.
static void begin_round(totem_kill *n, const totem_kill *s, const totem_kill_in *i)
{
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q = (uint8_t)((s->word_queue + k) & (TOTEM_QUEUES - 1));
        if (i->hqd_killing[q] && i->fence_targets[q] != 0) {
            n->word_queue  = q;
            n->word_epochs = i->fence_targets[q];
            n->word_engine = 0;
            n->word_valid  = true;
            return;
        }
    }
}

// Rule 2, for the slot whose turn it is.
static void count_time(totem_kill *n, const totem_kill *s, const totem_kill_in *i, unsigned q)
{
    const uint32_t timeout = i->settings_dequeue_timeout;
    if (s->since[q] < SINCE_END)
        n->since[q] = s->since[q] + 1;
    if (timeout == 0 || s->since[q] < timeout / TOTEM_QUEUES)
        return;
    n->slow[q] = true;
    if (i->hqd_killing[q] && !s->expired[q])
        n->abandon[q] = true;
}

void totem_kill_step(totem_kill *s, const totem_kill_in *i)
{
    totem_kill     n    = *s; // what follows the clock edge; s stays as it was before
    const unsigned turn = (unsigned)(i->clock & (TOTEM_QUEUES - 1));

    // 1. Rounds.
    if (s->word_valid && i->dc_killed && s->word_engine == TOTEM_SE_COUNT - 1) {
        n.word_valid = false;
        n.pause      = PAUSE;
    } else if (s->word_valid && i->dc_killed) {
        n.word_engine = (uint8_t)((s->word_engine + 1) & 3);
    } else if (!s->word_valid && s->pause != 0) {
        n.pause = (uint8_t)(s->pause - 1);
    } else if (!s->word_valid) {
        begin_round(&n, s, i);
    }

    count_time(&n, s, i, turn);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        // 3.
        if (i->fence_quiet[q])
            n.abandon[q] = false;
        if (i->fence_abandoned[q]) {
            n.abandon[q] = false;
            n.expired[q] = true;
        }
        n.ended[q] = i->fence_quiet[q] || (s->expired[q] && i->fence_settled[q]);
        // 4.
        if (!i->hqd_resetting[q] || i->hqd_killing[q] != s->before[q]) {
            n.since[q]   = 0;
            n.slow[q]    = false;
            n.abandon[q] = false;
        }
        n.before[q] = i->hqd_killing[q];
        if (i->settings_dequeue_timeout == 0) {
            n.slow[q]    = false;
            n.abandon[q] = false;
        }
        if (!i->hqd_killing[q]) {
            n.abandon[q] = false;
            n.expired[q] = false;
            n.ended[q]   = false;
        }
    }

    *s = n;
}
