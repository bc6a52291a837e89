// SPDX-License-Identifier: Apache-2.0
//
// totem_execute_wait: part of totem_execute, twin of rtl/packet/totem_execute_wait.v, from docs/contract/execute.md.

#include "totem_execute_wait.h"

#include "totem_execute_end.h"

// RUN and STOP: the dispatch ends, or gives the pipe up with its rest.
static void run(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    if (s->phase == EXECUTE_STOP && !i->walker_stopped)
        return;
    if (!i->walker_busy) {
        n->drop = s->resume;
        finish(n, s->counted);
    } else if (s->phase == EXECUTE_STOP) {
        if (i->arbiter_active[s->queue]) {
            n->bank_save            = true;
            n->unfinished[s->queue] = true;
        }
        n->phase = EXECUTE_LEAVE;
    } else if (i->arbiter_leave) {
        n->phase = EXECUTE_STOP;
    }
}

// 3 Phase, continued: a phase that waits.
void totem_execute_wait(totem_execute *n, const totem_execute *s, const totem_execute_in *i)
{
    const uint8_t q = s->queue;

    switch (s->phase) {
    case EXECUTE_START:
        if (s->resume)
            n->unfinished[q] = false;
        n->phase = EXECUTE_RUN;
        break;
    case EXECUTE_RUN:
    case EXECUTE_STOP: run(n, s, i); break;
    case EXECUTE_GIVE:
        if (s->step >= (s->kind == TOTEM_KIND_WAIT_64 ? 2 : 1) || s->kind == TOTEM_KIND_TIMER)
            n->phase = EXECUTE_LEAVE;
        else
            n->step++;
        break;
    case EXECUTE_FLUSH:
        if (s->fence_close)
            break; // the fence has not seen it yet
        if (i->fence_flushed[q]) {
            n->closed[q] = false;
            finish(n, s->counted);
        } else {
            give_up(n, &n->wait_flush[q]);
        }
        break;
    case EXECUTE_RELEASE:
        if (i->fence_packet_ready) {
            n->step = (s->step + 1) & 3;
            if (s->step >= 2)
                n->phase = EXECUTE_CLOSED;
        }
        break;
    case EXECUTE_CLOSED:
        if (i->fence_epoch[q] == s->dispatch_epoch)
            break;
        if (s->kind == TOTEM_KIND_TASK) {
            n->executed = true;
            n->phase    = EXECUTE_READY;
        } else {
            finish(n, s->counted);
        }
        break;
    case EXECUTE_TASK:
        if (!i->fence_room[q]) {
            give_up(n, &n->wait_epoch[q]);
        } else {
            n->dispatch_epoch = i->fence_epoch[q];
            n->phase          = EXECUTE_SERVICE;
        }
        break;
    case EXECUTE_WRITE:
        if (!i->write_ready)
            break;
        if (s->step == 0) {
            n->step = 1;
            break;
        }
        if (s->last)
            finish(n, s->counted);
        else
            n->phase = EXECUTE_READY;
        break;
    case EXECUTE_POLL:
        if (i->poll_packet_read_ready)
            n->phase = EXECUTE_ANSWER;
        break;
    case EXECUTE_RETRY:
        if (!s->executed)
            n->phase = i->arbiter_leave || i->runner_due[q] ? EXECUTE_LEAVE : EXECUTE_POLL;
        break;
    case EXECUTE_ERROR:
        if (!i->events_packet_error_ready)
            break;
        if (s->step == 0) {
            n->step = 1;
        } else {
            n->halted[q] = true;
            n->phase     = EXECUTE_LEAVE;
        }
        break;
    default: break;
    }
}
