// SPDX-License-Identifier: Apache-2.0
//
// kills: dequeue requests 2: of a queue in any state, in place of another request, of a slot that is not active;
// time-outs, after which waves run on that nobody waits for, and fences are lost.

#include "agent_state.h"

#include <inttypes.h>
#include <stdlib.h>

void kills_ask(agent *a, client *c)
{
    host_port *h = session_host(a->s);
    c->kill      = host_write(h, session_clock(a->s), window_of(c, WINDOW(CP_HQD_DEQUEUE_REQUEST)), 2);
    c->killing   = true;
    c->kills     = false;
    c->later     = false;
    account_kill(session_account(a->s), c->pipe, c->queue, true);
    const totem_flight_out *f = &slot_front(a, slot_of(c))->flight;
    tally_count(a->tally, f->waves[c->queue] ? "reset.with waves" : "reset.without waves");
}

void kills_answered(agent *a, client *c)
{
    account_kill(session_account(a->s), c->pipe, c->queue, false);
}

bool kills_mapping(const client *c)
{
    return !c->inactive && !c->answered && !c->later && (c->type || !c->kills);
}

bool kills_pending(agent *a, client *c)
{
    if (c->replace_at && session_clock(a->s) >= c->replace_at) {
        c->replace_at = 0;
        tally_count(a->tally, c->answered                                ? "reset.just dequeued"
                              : c->type                                  ? "reset.in place of another request"
                              : front_of(a, c)->arbiter.active[c->queue] ? "reset.in place of a cleared ACTIVE"
                                                                         : "reset.behind a cleared ACTIVE");
        kills_ask(a, c);
    }
    return c->killing && c->type != 2 && !c->killed;
}

// ---- going on

static uint32_t get(const agent *a, const client *c, uint32_t dword)
{
    return memory_read32(session_memory(a->s), c->mqd + 4 * (uint64_t)dword);
}

static void put(agent *a, const client *c, uint32_t dword, uint32_t value)
{
    memory_write32(session_memory(a->s), c->mqd + 4 * (uint64_t)dword, value);
}

// Its MQD stands at a grid that was dropped: that grid begins anew, or the driver puts the packet behind it there.
bool kills_left(agent *a, client *c)
{
    enum { RPTR = DRIVER_WINDOW + WINDOW(CP_HQD_PQ_RPTR), IB = DRIVER_WINDOW + WINDOW(CP_HQD_IB_BASE_ADDR) };
    if (get(a, c, DRIVER_WINDOW + WINDOW(CP_HQD_PERSISTENT_STATE)) >> 31) {
        if (!c->later)
            return broken(a, "pipe %d queue %d: it was reset, and its MQD has a grid", c->pipe, c->queue);
        tally_count(a->tally, "reset.behind a save with its grid");
        return true;
    }
    account_skip(session_account(a->s), c->pipe, c->queue, ACCOUNT_GOES_ON);
    if (!account_begun(session_account(a->s), c->pipe, c->queue))
        return true;
    const bool     inside  = get(a, c, IB + 3) >> 31;
    const uint64_t buffer  = (uint64_t)(get(a, c, IB + 1) & 0xff) << 32 | get(a, c, IB);
    const uint64_t address = inside ? buffer : ring_address(c, c->rptr);
    const uint32_t header = memory_read32(session_memory(a->s), address), op = header >> 8 & 0xff;
    const uint32_t dwords = (header >> 16 & 0x3fff) + 2;
    if (header >> 30 != 3 || (op != TOTEM_OP_DISPATCH_DIRECT && op != TOTEM_OP_DISPATCH_INDIRECT))
        return broken(a, "pipe %d queue %d: it was reset in a grid, and stands at 0x%010" PRIx64 ", where none is",
                      c->pipe, c->queue, address);
    if (chance(a, c->hard && session_clock(a->s) >= a->options.clocks ? 30 : 110)) {
        tally_count(a->tally, "reset.grid begun anew");
        account_restart(session_account(a->s), c->pipe, c->queue);
        return true;
    }
    tally_count(a->tally, inside ? "reset.grid in a buffer passed" : "reset.grid passed");
    account_cut(session_account(a->s), c->pipe, c->queue);
    if (!inside) {
        c->rptr += dwords;
        put(a, c, RPTR, c->rptr);
        return true;
    }
    const uint32_t control = get(a, c, IB + 3), rest = (control & 0xfffff) - dwords;
    put(a, c, IB, (uint32_t)(buffer + 4 * dwords));
    put(a, c, IB + 1, (uint32_t)((buffer + 4 * dwords) >> 32));
    put(a, c, IB + 3, rest ? (control & ~0xfffffu) | rest : 0x00b00000);
    return true;
}

// ---- time-outs

// Fences of a client that were executed in that slot and are not written: nobody writes them any more.
static uint32_t lose(agent *a, client *c, int slot, size_t from)
{
    uint32_t count = 0, value = 0;
    for (size_t n = from > c->written_fences ? from : c->written_fences; n < c->executed; n++) {
        given_fence *f = &c->fences[n];
        if (f->lost || f->written || f->slot != slot)
            continue;
        f->lost = true;
        f->irq  = false;
        value   = f->value;
        count++;
    }
    const uint64_t at = FENCE_BASE + 16 * (uint64_t)c->number;
    if (count && memory_read32(session_memory(a->s), at) < value)
        memory_write32(session_memory(a->s), at, value); // for those that wait for it
    c->owes_fence = c->owes_fence || count;
    return count;
}

static bool expire(agent *a, int pipe, int queue)
{
    const int  slot   = pipe * QUEUES + queue;
    client    *c      = a->in[slot];
    const bool mapped = kills_mapping(c);
    if (c->state != LEAVING || !c->killing || !a->options.patience ||
        session_clock(a->s) < session_host(a->s)->list[c->kill].at + a->options.patience - 2 * QUEUES)
        return broken(a, "pipe %d queue %d: it is abandoned, and no time-out has passed", pipe, queue);
    if (a->expiries_count == a->expiries_room) {
        a->expiries_room = a->expiries_room ? 2 * a->expiries_room : 16;
        void *larger     = realloc(a->expiries, a->expiries_room * sizeof *a->expiries);
        if (!larger)
            abort();
        a->expiries = larger;
    }
    uint32_t fences = 0;
    for (int n = 0; n < SLOTS; n++)
        if (!mapped || &a->clients[n] == c)
            fences += lose(a, &a->clients[n], slot, mapped ? c->first_executed : 0);
    tally_count(a->tally, mapped ? "reset.timed out" : "reset.inactive slot timed out");
    if (fences)
        tally_count(a->tally, "reset.fences lost");
    a->expiries[a->expiries_count].pipe       = pipe;
    a->expiries[a->expiries_count].queue      = queue;
    a->expiries[a->expiries_count].exact      = mapped && !a->options.bare;
    a->expiries[a->expiries_count].fences     = fences;
    a->expiries[a->expiries_count].ends       = tasks_unended(session_tasks(a->s), slot);
    a->expiries[a->expiries_count].epochs     = 0;
    a->expiries[a->expiries_count++].recorded = false;
    return true;
}

// A kill has ended, or fence is asked to give up what is left of it, this many clocks after it has begun, whatever
// other queues of the pipe do (docs/contract/kill.md): the turn of a slot comes within QUEUES clocks, the limit is
// passed when so many clocks have gone by since the first turn, and `abandon`, or `ended`, shows one clock later.
static uint64_t longest_kill(const agent *a)
{
    return a->options.patience + QUEUES + 1;
}

// Once it is asked fence gives it up, or it ends, in a round of its jobs; but it waits for a write of the slot that is
// with memory, one fence after the other. Memory answers within the longest latency, its spread and a queue of stalls;
// what it does not answer it gives up after two periods of the time-out, since the reset is overdue.
static uint64_t longest_abandonment(const agent *a)
{
    const uint64_t period = (a->options.patience | 0xfff) + 1, answer = 1000;
    return TOTEM_EPOCHS * ((a->options.timeout ? 2 * period : 0) + answer);
}

bool kills_beside(const agent *a, const client *c)
{
    for (int q = 0; q < QUEUES; q++)
        if (q != c->queue && front_of(a, c)->hqd.killing[q])
            return true;
    return false;
}

static bool look_at_reset(agent *a, int slot)
{
    const client          *c = a->in[slot];
    const int              q = slot % QUEUES;
    const totem_front_out *p = front_of(a, c);
    const uint64_t         t = session_clock(a->s);
    const struct {
        bool killing, abandon, ended, abandoned;
    } seen = {p->hqd.killing[q], p->kill.abandon[q], p->kill.ended[q], p->epoch.abandoned[q]};
    if (!p->hqd.resetting[q]) {
        memset(&a->resets[slot], 0, sizeof a->resets[slot]);
        return true;
    }
    if (seen.killing && !a->resets[slot].killing)
        a->resets[slot].killing = t;
    if (!a->resets[slot].killing)
        return true;
    if (seen.abandoned && a->resets[slot].abandoned)
        return broken(a, "pipe %d queue %d: abandoned twice by one reset", c->pipe, c->queue);
    if (seen.abandon && !a->resets[slot].asked)
        a->resets[slot].asked = t;
    a->resets[slot].abandoned = a->resets[slot].abandoned || seen.abandoned;
    a->resets[slot].ended     = a->resets[slot].ended || seen.ended;
    if (!a->options.patience || a->resets[slot].ended || a->resets[slot].abandoned)
        return true;
    if (!a->resets[slot].asked && t > a->resets[slot].killing + longest_kill(a))
        return broken(a, "pipe %d queue %d: its kill has lasted %" PRIu64 " clocks, and is not given up", c->pipe,
                      c->queue, t - a->resets[slot].killing);
    if (a->resets[slot].asked && t > a->resets[slot].asked + longest_abandonment(a))
        return broken(a, "pipe %d queue %d: it is to be abandoned, and is not after %" PRIu64 " clocks", c->pipe,
                      c->queue, t - a->resets[slot].asked);
    return true;
}

bool kills_look(agent *a)
{
    for (int n = 0; n < SLOTS; n++)
        if (!look_at_reset(a, n))
            return false;
    for (int n = 0; n < SLOTS; n++)
        if (front_of(a, a->in[n])->hqd.resetting[n % QUEUES] && !front_of(a, a->in[n])->hqd.dropping[n % QUEUES])
            a->in[n]->later = true;
    for (int n = 0; n < SLOTS; n++)
        if (slot_front(a, n)->epoch.abandoned[n % QUEUES] && !expire(a, n / QUEUES, n % QUEUES))
            return false;
    return true;
}

bool kills_record(agent *a, const session_error *e)
{
    for (size_t n = 0; n < a->expiries_count; n++) {
        if (a->expiries[n].recorded || a->expiries[n].pipe != e->pipe || a->expiries[n].queue != e->queue)
            continue;
        const uint32_t epochs = account_left_behind(session_account(a->s), e->pipe, e->queue), fences = e->word >> 8;
        a->expiries[n].recorded = true;
        a->lost[e->pipe] += fences;
        if (e->address || (epochs & ~(e->word & 0xff)) || fences < a->expiries[n].fences ||
            (a->expiries[n].exact && fences > a->expiries[n].fences + a->expiries[n].ends))
            return broken(
                a, "pipe %d queue %d: a time-out was recorded with 0x%x, it had %u fences, %u tasks and epochs 0x%x",
                e->pipe, e->queue, e->word, a->expiries[n].fences, a->expiries[n].ends, epochs);
        return true;
    }
    return broken(a, "pipe %d queue %d: a time-out was recorded that never was", e->pipe, e->queue);
}

bool kills_check(agent *a)
{
    for (size_t n = 0; n < a->expiries_count; n++)
        if (!a->expiries[n].recorded)
            return broken(a, "pipe %d queue %d: a time-out has no record", a->expiries[n].pipe, a->expiries[n].queue);
    for (int n = 0; n < PIPES; n++) {
        const totem_epoch_out *f = &slot_front(a, n * QUEUES)->epoch;
        if (f->lost != (a->lost[n] < 0xffff ? a->lost[n] : 0xffff))
            return broken(a, "pipe %d: ABANDONED counts %u fences, the records %u", n, f->lost, a->lost[n]);
    }
    return true;
}
