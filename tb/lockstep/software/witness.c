// SPDX-License-Identifier: Apache-2.0
//
// witness: looks at the machine in every clock: read pointers, fences in the order of their packets, interrupts, each
// the one that is due, words for waits.

#include "agent_state.h"

#include "../../../cmodel/top/totem_offers.h"

#include <inttypes.h>

// The executed fence of a client with that value; NULL: there is none.
static given_fence *fence_of(client *c, uint32_t value)
{
    for (size_t n = c->executed; n > 0 && c->fences[n - 1].value >= value; n--)
        if (c->fences[n - 1].value == value)
            return &c->fences[n - 1];
    return NULL;
}

static void pass_written(client *c)
{
    while (c->written_fences < c->executed &&
           (c->fences[c->written_fences].lost || c->fences[c->written_fences].written))
        c->written_fences++;
}

// Fence writes that memory has just taken: of each mapping in the order given, none that its packet has not been
// executed.
static bool writes(agent *a)
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        uint32_t            count;
        const memory_write *w = memory_taken(session_memory(a->s), f, &count);
        if (count != 1 || w->address < FENCE_BASE || w->address >= FENCE_BASE + 16 * SLOTS || w->address & 8 ||
            !(w->strobe & 15))
            continue;
        client        *c     = &a->clients[(w->address - FENCE_BASE) / 16];
        const uint32_t data  = (uint32_t)w->data;
        given_fence   *given = fence_of(c, data);
        pass_written(c);
        bool good = given && !given->written && !given->lost && w->strobe == (given->wide ? 0xff : 0x0f) &&
                    (!given->wide || given->high == (uint32_t)(w->data >> 32));
        for (given_fence *b = given; good && b > &c->fences[given->first]; b--)
            good = b[-1].written || b[-1].lost;
        if (!good)
            return broken(a, "client %d: fence %u is written, %zu are written and %zu executed before it", c->number,
                          data, c->written_fences, c->executed);
        given->written = true;
        // One of a later mapping came first: its value is what others wait for.
        for (size_t n = c->executed; n > 0 && &c->fences[n - 1] > given; n--)
            if (c->fences[n - 1].written) {
                tally_count(a->tally, "fence.of a later mapping first");
                memory_write32(session_memory(a->s), w->address, c->fences[n - 1].value);
                break;
            }
    }
    return true;
}

// A fence of that slot that was executed and is not written, nor abandoned. One whose write has failed is none, but its
// record comes when it likes.
static bool unwritten(const agent *a, const client *c, int slot, size_t from)
{
    for (size_t n = from > c->written_fences ? from : c->written_fences; n < c->executed && !a->options.failures; n++)
        if (!c->fences[n].lost && !c->fences[n].written && c->fences[n].slot == slot)
            return true;
    return false;
}

// A dequeue is done: the waves of its mapping, if that has begun, have ended, of an inactive slot all, but for those
// that were abandoned; fences are written, and of an inactive slot the pairs of whoever was there are equal.
static bool ended(agent *a, const client *c, uint32_t type, bool mapped)
{
    const int slot = c->pipe * QUEUES + c->queue;
    bool      good = (mapped && !c->began) || !account_running(session_account(a->s), c->pipe, c->queue, !mapped);
    if (mapped && c->began)
        good = good && !unwritten(a, c, slot, c->first_executed);
    for (int n = 0; n < SLOTS && !mapped; n++) {
        const client *o = &a->clients[n];
        good            = good && !unwritten(a, o, slot, 0) &&
               (!o->used || !o->mqd || !o->kept || o->doubtful || o->ran != slot || clients_equal_pairs(a, o));
    }
    if (good)
        return true;
    return broken(a, "pipe %d queue %d: a dequeue of type %u is done, but not all of it has ended", c->pipe, c->queue,
                  type);
}

static bool interrupt(agent *a, int pipe, const totem_front_out *p)
{
    const uint64_t word = totem_offers_interrupt_word(p);
    const int      slot = pipe * QUEUES + (int)(word >> 32 & 7);
    if (!p->fence.interrupt_valid) { // a dequeue is done
        client *c = a->in[slot];
        if (c->state == LEAVING && c->killing && c->type != 2 && !c->killed && (uint32_t)word == 2) {
            c->killed = true;
            kills_answered(a, c);
            return ended(a, c, 2, kills_mapping(c));
        }
        if (c->state != LEAVING || c->type != (uint32_t)word || c->answered || c->killed)
            return broken(a, "pipe %d queue %d: an interrupt of a dequeue of type %u that nobody waits for", pipe,
                          slot % QUEUES, (uint32_t)word);
        const bool mapped = c->type != 2 || kills_mapping(c);
        c->answered       = true;
        if (c->type == 2)
            kills_answered(a, c);
        return c->type == 4 || ended(a, c, c->type, mapped);
    }
    if ((word >> 24 & 0xff) == BARE)
        return true;
    client      *c     = &a->clients[(word >> 24 & 0xff) % SLOTS];
    given_fence *given = fence_of(c, word & 0xffffff);
    bool         good  = given && given->irq && given->written && !given->notified && given->slot == slot;
    for (given_fence *b = given; good && b > &c->fences[given->first]; b--)
        good = b[-1].notified || !b[-1].irq;
    if (!good)
        return broken(a, "pipe %d queue %d: an interrupt of fence %u of client %d that is not due", pipe, slot % QUEUES,
                      (unsigned)(word & 0xffffff), c->number);
    given->notified = true;
    return true;
}

static bool has_pipe(const agent *a, const client *c)
{
    const totem_arbiter_out *o = &front_of(a, c)->arbiter;
    return o->selected_valid && o->selected == c->queue;
}

// Words whose clock has come. The wait for each must still stand; the clocks of one in a ring count from when it is
// reached. A word that has been shown may have been seen: its wait is passed, or will be if its queue has the pipe.
// Else it is set back, and the wait stands until it is written again. Waits for waves: none is left when they are
// passed.
static bool write_later(agent *a)
{
    const uint64_t clock = session_clock(a->s);
    for (uint32_t n = 0; n < a->later_count;) {
        const client *c    = a->later[n].of;
        const int32_t past = c ? (int32_t)(c->rptr - a->later[n].position) : 0;
        if (c && a->later[n].waves) {
            if (past > 0 && account_running(session_account(a->s), c->pipe, c->queue, true))
                return broken(a, "pipe %d queue %d: the wait at 0x%08x for its waves was passed while some run",
                              c->pipe, c->queue, a->later[n].position);
            if (past <= 0) {
                n++;
                continue;
            }
            tally_count(a->tally, "wait.for waves");
            a->later[n] = a->later[--a->later_count];
            continue;
        }
        if (c && a->later[n].shown) {
            if (a->later[n].at > clock && past <= 0) {
                n++;
                continue;
            }
            if (past > 0 || has_pipe(a, c)) {
                a->later[n] = a->later[--a->later_count];
                continue;
            }
            memory_write32(session_memory(a->s), a->later[n].address, a->later[n].before);
            tally_count(a->tally, "wait.set back");
            a->later[n].shown = false;
            a->later[n].blink = 0;
            a->later[n].at    = clock + a->later[n].delay;
        }
        if (past > 0)
            return broken(a, "pipe %d queue %d: the wait at 0x%08x was passed before its word was written", c->pipe,
                          c->queue, a->later[n].position);
        if (past == 0 && a->later[n].at == 0)
            a->later[n].at = clock + a->later[n].delay;
        if (past < 0 || a->later[n].at > clock) {
            n++;
            continue;
        }
        memory_write32(session_memory(a->s), a->later[n].address, a->later[n].value);
        if (a->later[n].blink) {
            a->later[n].shown = true;
            a->later[n].at    = clock + a->later[n].blink;
            n++;
        } else
            a->later[n] = a->later[--a->later_count];
    }
    return true;
}

// A dword of the packet that ends.
static uint32_t dword(const agent *a, const client *c, const totem_fetch_out *f, uint32_t n)
{
    uint64_t at = f->position + 4 * (uint64_t)n;
    if (!f->in_buffer && at >= c->ring + 4 * (uint64_t)c->size)
        at -= 4 * (uint64_t)c->size;
    return memory_read32(session_memory(a->s), at);
}

static void execute(agent *a, int slot)
{
    client *c = a->in[slot];
    if (dword(a, c, &slot_front(a, slot)->fetch, 7) >> 24 == BARE)
        return;
    c->fences[c->executed].slot    = slot;
    c->fences[c->executed++].first = c->first_executed;
}

static uint64_t sum(const agent *a, uint32_t n)
{
    const uint64_t at = atomic_address(n), low = memory_read32(session_memory(a->s), at);
    return n < NARROW ? low : (uint64_t)memory_read32(session_memory(a->s), at + 4) << 32 | low;
}

static void count(agent *a, uint32_t n, uint64_t value)
{
    a->sums[n] += value;
    if (n < NARROW)
        a->sums[n] = (uint32_t)a->sums[n];
}

// An atomic has been executed: what it has added is counted.
static void add(agent *a, int slot)
{
    const client          *c = a->in[slot];
    const totem_fetch_out *f = &slot_front(a, slot)->fetch;
    for (uint32_t n = 0; n < ATOMICS; n++)
        if (dword(a, c, f, 2) == atomic_address(n))
            count(a, n, (uint64_t)dword(a, c, f, 5) << 32 | dword(a, c, f, 4));
}

// The host adds too, between the reads and writes of the queues.
static void interfere(agent *a)
{
    if (!a->adding || a->ended || session_clock(a->s) % 32 || !chance(a, 64))
        return;
    const uint32_t n     = below(a, ATOMICS);
    const uint64_t value = sum(a, n) + 1;
    memory_write32(session_memory(a->s), atomic_address(n), (uint32_t)value);
    if (n >= NARROW)
        memory_write32(session_memory(a->s), atomic_address(n) + 4, (uint32_t)(value >> 32));
    count(a, n, 1);
}

// Whether its mapping has begun in this clock: not without two free epochs.
static bool begin(agent *a, client *c)
{
    if (slot_front(a, slot_of(c))->slot_idle.spare[c->queue])
        c->had_room = true;
    else
        c->full_at = session_clock(a->s);
    const uint32_t mapping = account_mapping(session_account(a->s), c->pipe, c->queue);
    if ((c->state != COMING && (c->state != LEAVING || c->inactive)) || mapping == c->mapping)
        return true;
    if (!c->had_room)
        return broken(a, "pipe %d queue %d: it was mapped without two free epochs", c->pipe, c->queue);
    c->mapping        = mapping;
    c->began          = true;
    c->once           = false;
    c->ran            = slot_of(c);
    c->first_executed = c->executed;
    return true;
}

// A write pointer that was read is one that was in memory, and none comes twice.
static bool take(agent *a, client *c, uint32_t wptr)
{
    if (!reads_pointer(c) || !c->began || c->state == AWAY || (c->state == LEAVING && c->inactive) || wptr == c->told)
        return true;
    uint32_t n = 0;
    while (n < c->posts_count && c->posts[n] != wptr)
        n++;
    if (n == c->posts_count)
        return broken(a, "pipe %d queue %d: it takes a write pointer 0x%08x that nobody has told, behind 0x%08x",
                      c->pipe, c->queue, wptr, c->told);
    memmove(c->posts, c->posts + n + 1, (c->posts_count - n - 1) * sizeof *c->posts);
    c->posts_count -= n + 1;
    c->told = wptr;
    tally_count(a->tally, c->way == POLLED ? "took.polled" : "took.one-shot");
    return true;
}

bool witness_look(agent *a)
{
    for (int n = 0; n < PIPES; n++) {
        const totem_front_out *p = &session_out(a->s)->fe[n / TOTEM_PIPES].pipe[n % TOTEM_PIPES].front;
        if (p->execute.executed && p->execute.executed_opcode == TOTEM_OP_RELEASE_MEM)
            execute(a, n * QUEUES + p->arbiter.selected);
        if (p->execute.executed && p->execute.executed_opcode == TOTEM_OP_ATOMIC_MEM && !p->execute.unsuccessful)
            add(a, n * QUEUES + p->arbiter.selected);
        if (totem_offers_interrupt(p) && session_out(a->s)->events.interrupt_ready[n] && !interrupt(a, n, p))
            return false;
        for (int q = 0; q < QUEUES; q++) {
            client *c = a->in[n * QUEUES + q];
            if (!begin(a, c))
                return false;
            if (c->state == RUNNING || (c->state == LEAVING && !c->inactive))
                c->rptr = p->fetch.rptr[q];
            if (!take(a, c, p->fetch.wptr[q]))
                return false;
            // Not when its save was asked for. The slot may be free before the answer of the access is seen.
            if (c->clearing && c->type && p->hqd.leaving[q] && !p->hqd.dequeuing[q]) {
                c->type = 0;
                tally_count(a->tally, "left.ACTIVE cleared in place of a request");
            }
            if (c->clearing)
                c->clearing = !session_host(a->s)->list[c->clear].done;
            if (p->hqd.killing[q]) // until the kill has ended
                c->kills = true;
        }
    }
    interfere(a);
    return writes(a) && write_later(a) && kills_look(a);
}

bool witness_check(agent *a)
{
    const memory *m = session_memory(a->s);
    for (uint32_t n = 0; n < ATOMICS; n++)
        if (sum(a, n) != a->sums[n])
            return broken(a, "ATOMIC_MEM: word %u holds 0x%" PRIx64 ", 0x%" PRIx64 " was added", n, sum(a, n),
                          a->sums[n]);
    for (int n = 0; n < SLOTS; n++) {
        client *c = &a->clients[n];
        if (!c->fences_count)
            continue;
        pass_written(c);
        if (c->executed != c->fences_count || c->written_fences != c->fences_count)
            return broken(a, "client %d: of %zu fences %zu are executed and %zu written", n, c->fences_count,
                          c->executed, c->written_fences);
        if (memory_read32(m, FENCE_BASE + 16 * (uint64_t)n) != c->fences[c->fences_count - 1].value)
            return broken(a, "client %d: last fence is %u, not %u", n, memory_read32(m, FENCE_BASE + 16 * (uint64_t)n),
                          c->fences[c->fences_count - 1].value);
        for (size_t f = 0; f < c->fences_count; f++)
            if (c->fences[f].irq && !c->fences[f].notified)
                return broken(a, "client %d: the interrupt of fence %u has not come", n, c->fences[f].value);
    }
    for (uint32_t n = 0; n < a->data; n++)
        if (a->written[n].of && memory_read32(m, DATA_BASE + 4 * (uint64_t)n) != a->written[n].value)
            return broken(a, "WRITE_DATA: word %u is 0x%08x, not 0x%08x", n,
                          memory_read32(m, DATA_BASE + 4 * (uint64_t)n), a->written[n].value);
    return true;
}
