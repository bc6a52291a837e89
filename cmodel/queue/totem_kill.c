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

// 1 Rounds, continued: the next slot with something to be killed, and its epochs.
static void begin_round(totem_kill *n, const totem_kill *s, const totem_kill_in *i)
{
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t chosen = (uint8_t)((s->word_queue + k) & (TOTEM_QUEUES - 1));
        if (i->hqd_killing[chosen] && i->fence_targets[chosen] != 0) {
            n->word_queue  = chosen;
            n->word_epochs = i->fence_targets[chosen];
            n->word_engine = 0;
            n->word_valid  = true;
            return;
        }
    }
}

void totem_kill_step(totem_kill *s, const totem_kill_in *i)
{
    totem_kill     n     = *s; // what follows the clock edge; s stays as it was before
    const unsigned turn  = (unsigned)(i->clock & (TOTEM_QUEUES - 1));
    const uint32_t limit = i->settings_dequeue_timeout / TOTEM_QUEUES;
    const bool     timed = i->settings_dequeue_timeout != 0;

    // 1 Rounds
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

    // 2 Time
    if (s->since[turn] < SINCE_END)
        n.since[turn] = s->since[turn] + 1;
    if (timed && s->since[turn] >= limit) {
        n.slow[turn] = true;
        if (i->hqd_killing[turn] && !s->expired[turn])
            n.abandon[turn] = true;
    }

    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        // 3 End
        if (i->fence_quiet[q])
            n.abandon[q] = false;
        if (i->fence_abandoned[q]) {
            n.abandon[q] = false;
            n.expired[q] = true;
        }
        n.ended[q] = i->fence_quiet[q] || (s->expired[q] && i->fence_settled[q]);

        // 4 Stages
        const bool stays = i->hqd_resetting[q] && i->hqd_killing[q] == s->before[q];
        if (!stays) {
            n.since[q]   = 0;
            n.slow[q]    = false;
            n.abandon[q] = false;
        }
        n.before[q] = i->hqd_killing[q];
        if (!timed) {
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
