// SPDX-License-Identifier: Apache-2.0
//
// recovery: every error record is one that was asked for: a malformed packet that stands there, a fault that the memory
// drew, a descriptor or an access that must be refused. What halts is repaired and resumed, skipped, dequeued and
// mapped again, or abandoned, at random.

#include "agent_state.h"
#include "rings.h"

#include <inttypes.h>

enum { CLASS_PACKET = 1, CLASS_DESCRIPTOR = 2, CLASS_MEMORY = 3 };

static bool strange(agent *a, const session_error *e, const char *what)
{
    return broken(a, "%s: %s, pipe %d queue %u address 0x%" PRIx64 " word 0x%08x", what, totem_error_name(e->code),
                  e->pipe, e->queue, e->address, e->word);
}

static void halts(agent *a, client *c)
{
    c->halts++;
    c->recorded = session_clock(a->s);
}

// ---- malformed packets

void recovery_repair(agent *a, client *c)
{
    const spoiled *b = &c->bad[c->bad_seen - 1];
    for (uint32_t n = 0; n < b->dwords; n++)
        memory_write32(session_memory(a->s), spoiled_address(c, b, n), FILLER);
    if (b->code == TOTEM_ERROR_PACKET_COUNT_PAST_WPTR) {
        c->half = false;
        if (c->state == RUNNING)
            clients_tell(a, c, c->written);
    }
    c->standing = false;
}

static client *client_at(agent *a, uint64_t address, uint64_t base, uint64_t stride)
{
    return address >= base && address < base + SLOTS * stride ? &a->clients[(address - base) / stride] : NULL;
}

// A write pointer in memory that is refused: the one that stands there, of the queue that was told so.
static bool pointer_record(agent *a, const session_error *e)
{
    client *c = client_at(a, e->address, POINTER_BASE, 16);
    if (!c || (!c->pointer_bad && !c->pointer_again) || e->address != pointer_address(c) || e->word != c->bad_pointer ||
        c->pointer_slot != e->pipe * QUEUES + e->queue)
        return strange(a, e, "a record of a write pointer that nobody spoilt");
    c->pointer_told  = true;
    c->pointer_again = false;
    if (c->state == RUNNING)
        halts(a, c);
    return true;
}

static bool packet_record(agent *a, const session_error *e)
{
    if (e->code == TOTEM_ERROR_PACKET_WPTR_RANGE)
        return pointer_record(a, e);
    client        *c    = a->in[e->pipe * QUEUES + e->queue];
    const spoiled *last = c->bad_seen ? &c->bad[c->bad_seen - 1] : NULL;
    // A queue that was told the rest of its packet may not know it yet: it reads its write pointer in memory, or it was
    // mapped again with the write pointer of its MQD.
    const bool early = last && last->code == TOTEM_ERROR_PACKET_COUNT_PAST_WPTR &&
                       (c->mapped > c->recorded || (reads_pointer(c) && c->resumed > c->recorded));
    // A ring comes round: another malformed packet may stand where the last one stood.
    const uint32_t rptr  = front_of(a, c)->fetch.rptr[c->queue];
    const bool     again = last && (c->skipping || early) && last->address == e->address && last->position == rptr;
    const spoiled *b     = again ? last : c->bad_seen < c->bad_count ? &c->bad[c->bad_seen] : NULL;
    if ((c->state != RUNNING && c->state != LEAVING && c->state != COMING) || !b)
        return strange(a, e, "a record of a packet that nobody spoilt");
    if (b->code != e->code || b->address != e->address || b->word != e->word)
        return broken(a, "%s at 0x%" PRIx64 " word 0x%x was recorded, planted is %s at 0x%" PRIx64 " word 0x%x",
                      totem_error_name(e->code), e->address, e->word, totem_error_name(b->code), b->address, b->word);
    if (rptr != b->position)
        return broken(a, "pipe %d queue %d: halted at 0x%08x, planted at 0x%08x", c->pipe, c->queue, rptr, b->position);
    c->bad_seen = (uint32_t)(b - c->bad) + 1;
    c->skipping = false;
    c->standing = true;
    halts(a, c);
    if (c->state == LEAVING)
        recovery_repair(a, c); // it goes on with the repaired one, if it does
    return true;
}

// ---- memory

typedef enum { LINES, POLLS, PRELOADS, REPORTS, PACKETS, SAVES, TOPS, ENDS, FENCES, LOADS, RELEASES, RING } requester;

static const char *const requesters[] = {"lines",       "polls",       "preloads", "reports", "packets",  "saves",
                                         "top records", "end records", "fences",   "tasks",   "releases", "a ring"};

// Who of a front end asks with that ID, and for which of its pipes; -1: fences and tasks of all, -2: a ring (rings.c).
static requester requester_of(const memory_failure *f, int *pipe)
{
    const bool write = f->kind >= MEMORY_WRITE_SLVERR, shared = write && f->id >= TOTEM_MEMORY_FENCE_ID;
    // Fences, and the writes of streams whose own ID is taken.
    *pipe = shared ? -1 : f->fe * TOTEM_PIPES + (f->id < 2 * TOTEM_FE_PIPES ? f->id / 2 : f->id - 2 * TOTEM_FE_PIPES);
    if (rings_own(f->address)) {
        *pipe = shared ? -1 : -2;
        return RING;
    }
    if (write ? chains_is_release(f->address) : chains_is_load(f->address)) {
        *pipe = -1;
        return write ? RELEASES : LOADS;
    }
    // Behind the pipes come those of tmd_load, or finish, and spill.
    if (!shared && f->id > 3 * TOTEM_FE_PIPES)
        *pipe = -1;
    if (write && f->of) {
        const uint64_t dword = (f->address - f->of) / 4;
        return dword < 84 || dword >= 128 ? SAVES : dword == 96 ? ENDS : TOPS;
    }
    if (shared)
        return f->address >= DATA_BASE ? PACKETS : f->address & 8 ? REPORTS : FENCES;
    return f->id >= 2 * TOTEM_FE_PIPES ? PRELOADS : f->id % 2 ? (write ? PACKETS : POLLS) : (write ? REPORTS : LINES);
}

// An access that failed while its queue is still in the same mapping has halted it, unless the host has let it go on
// since.
static bool stands(agent *a, const client *c, const session_error *e, const memory_failure *f)
{
    if (!c || !f || !f->answered || c->state != RUNNING || c->asked || f->clock <= c->mapped ||
        f->answered <= c->resumed || f->kind == MEMORY_WRITE_NOTHING || front_of(a, c)->execute.halted[c->queue])
        return true;
    return strange(a, e, "the queue of a failed access goes on");
}

// Faults are told apart by what lies there when they are drawn: the MQD of a client, which moves.
static void new_faults(agent *a)
{
    size_t          count;
    memory_failure *list = memory_failures(session_memory(a->s), &count);
    for (; a->failures_seen < count; a->failures_seen++) {
        memory_failure *f = &list[a->failures_seen];
        const client   *c = client_at(a, f->address, MQD_BASE, MQD_STRIDE);
        f->of             = c ? c->places[0] : 0;
    }
}

// A save, a top record, an end record has failed: one record for all of its writes that did.
static bool mqd_record(agent *a, const session_error *e, client *c)
{
    const bool      pair  = e->source == TOTEM_SOURCE_FENCE(e->pipe);
    const uint64_t  base  = e->address - (pair ? 4 * 96 : 0);
    const bool      late  = (e->code & 31) == 7;
    const int       fe    = e->pipe / TOTEM_PIPES;
    size_t          count = 0, told = 0;
    memory_failure *list = memory_failures(session_memory(a->s), &count), *cause = NULL, *first = NULL;
    const uint64_t  now  = session_clock(a->s);
    requester       who  = pair ? ENDS : e->record ? TOPS : SAVES;
    bool            kind = false;
    for (size_t n = 0; n < count; n++) {
        memory_failure *f = &list[n];
        int             pipe;
        if (f->kind < MEMORY_WRITE_SLVERR || f->fe != fe)
            continue;
        const requester of = requester_of(f, &pipe);
        // One without an answer takes those of its stream with it, and when all shared IDs are taken every write.
        if (f->kind == MEMORY_WRITE_NOTHING && (!f->answered || now < f->answered + 2 * a->options.timeout + 4000) &&
            (pipe == -1 || pipe == e->pipe))
            cause = f;
        if (f->told || of == RING || f->of != base || (pipe >= 0 && (pair || pipe != e->pipe)) ||
            (e->record ? of != TOPS && of != ENDS : of != who))
            continue;
        if (e->record && told == 0)
            who = of;
        // Answers of a stream keep their order: the first one counts.
        kind    = kind || ((told == 0 || a->options.timeout) &&
                        f->kind - MEMORY_WRITE_SLVERR == (memory_fault_kind)((e->code & 31) - 5));
        first   = told ? first : f;
        f->told = true;
        told++;
    }
    if (!(told && kind) && !(late && cause))
        return strange(a, e, "a record of a write to an MQD that did not fail so");
    if (e->word != (uint32_t)e->address)
        return strange(a, e, "the word of the record is not its address");
    tally_count2(a->tally, told ? pair ? "fault of a fence" : "fault" : "fault behind a late one", requesters[who]);
    if (who == SAVES) {
        const totem_mqd *job = &session_model(a->s)->fe[fe].pipe[e->pipe % TOTEM_PIPES].front.mqd;
        if (c != a->in[e->pipe * QUEUES + e->queue] || c->mqd != base)
            return strange(a, e, "a save of nobody");
        if (job->job == 5 && a->options.mqd_save) {
            tally_count(a->tally, "fault.save of a switch");
            halts(a, c);
            return stands(a, c, e, first);
        }
        c->torn = true;
        return c->state == LEAVING || strange(a, e, "a save of nobody");
    }
    if (c->mqd == base)
        c->doubtful = true;
    if (pair)
        return true;
    if (c != a->in[e->pipe * QUEUES + e->queue] || c->mqd != base)
        return strange(a, e, "a record of top or end of nobody");
    if (who == TOPS && told && !front_of(a, c)->record.top_pending[c->queue])
        return strange(a, e, "a top record has failed, and TOP_PENDING is gone");
    return true;
}

// Number, from 1 on, of the first fence that is not written and behind one of its mapping without an answer; else of
// the first that is not written. 0: there is none.
static size_t next_silent(const client *c)
{
    size_t first = 0;
    for (size_t n = 0; n < c->executed; n++) {
        const given_fence *f = &c->fences[n];
        if (f->written || f->lost)
            continue;
        if (first == 0)
            first = n + 1;
        for (size_t k = f->first; k < n; k++)
            if (c->fences[k].silent)
                return n + 1;
    }
    return first;
}

// A packet looks at such words.
static bool is_word(uint64_t address)
{
    return chains_is_release(address) || (address >= WORD_BASE && address < BUFFER_BASE);
}

// The word of the record is of a descriptor that was to be loaded.
static bool is_launch(agent *a, const client *c, const session_error *e)
{
    return e->task || memory_read32(session_memory(a->s), e->address) >> 8 == TYPE3(TOTEM_OP_LAUNCH_TASK, 1) >> 8 ||
           (c->bad_seen < c->bad_count && c->bad[c->bad_seen].address == e->address);
}

static bool memory_record(agent *a, const session_error *e)
{
    const bool write = (e->code & 31) > 4;
    client    *mqd   = client_at(a, e->address, MQD_BASE, MQD_STRIDE);
    client    *fence = client_at(a, e->address, FENCE_BASE, 16);
    client    *c     = a->in[e->pipe * QUEUES + e->queue];
    // Of a descriptor of a task the word says where it has failed; the address is that of the packet, or of the
    // descriptor.
    const bool              load = !write && chains_is_load(e->word) && is_launch(a, c, e);
    const uint64_t          at   = load ? e->word : e->address;
    requester               who  = write && chains_is_release(e->address) ? RELEASES
                                   : load                                 ? LOADS
                                   : write ? fence ? (e->address & 8 ? REPORTS : FENCES) : PACKETS
                                   : mqd   ? PRELOADS
                                   : fence || is_word(e->address) ? POLLS
                                                                  : LINES;
    const memory_fault_kind kind =
        (memory_fault_kind)((e->code & 31) - (write ? 5 : 1) + (write ? MEMORY_WRITE_SLVERR : 0));
    const bool late = kind == MEMORY_READ_NOTHING || kind == MEMORY_WRITE_NOTHING;
    if (write && mqd)
        return mqd_record(a, e, mqd);
    size_t          count;
    memory_failure *list = memory_failures(session_memory(a->s), &count), *found = NULL, *cause = NULL, *behind = NULL;
    const uint64_t  now = session_clock(a->s), patience = 2 * a->options.timeout + 4000;
    for (size_t n = count; n-- > 0 && !found;) {
        memory_failure *f = &list[n];
        int             pipe;
        const requester of = requester_of(f, &pipe);
        // The time-out of a line or a polled word has its record when its queue needs it, however late that is.
        const bool open = !f->answered || now < f->answered + patience || who == LINES || who == POLLS;
        // A read waits for a write to the same 4 KiB.
        if (late && !write && f->kind == MEMORY_WRITE_NOTHING && f->fe == e->pipe / TOTEM_PIPES &&
            (f->address ^ at) < 4096 && open)
            cause = f;
        if (of == RING && pipe == -1 && late && write && f->kind == kind && f->fe == e->pipe / TOTEM_PIPES && open)
            cause = f; // it has taken a shared ID
        if (of != who || (pipe < 0 ? f->fe != e->pipe / TOTEM_PIPES : pipe != e->pipe))
            continue;
        // One that fails behind a late one of its ID is given up with it: a time-out is its record too.
        if (late && f->kind != kind && !f->told && f->address <= at && at < f->address + f->bytes &&
            (!write || f->strobe >> (at & 7) & 1))
            behind = f;
        if (f->kind != kind)
            continue;
        // A fence that was closed behind one without an answer is not tried, however late its turn comes.
        if (late && (open || (who == FENCES && client_at(a, f->address, FENCE_BASE, 16) == fence)))
            cause = f;
        // Of a line it is the first dword that was asked for of the 8 bytes that failed, or of a late burst.
        const bool here = who == LINES ? f->address == (e->address & ~(uint64_t)7)
                          : who == PRELOADS
                              ? f->address >= (e->address & ~(uint64_t)7) && f->address <= (e->address | 127)
                              : f->address <= at && at < f->address + f->bytes;
        if (here && !f->told)
            found = f;
    }
    if (!found && !cause)
        return strange(a, e, "a record of a memory fault that never was");
    if (found)
        found->told = true;
    else if (behind)
        behind->told = true;
    if (e->word != (uint32_t)at)
        return strange(a, e, "the word of the record is not its address");
    tally_count2(a->tally, found ? "fault" : "fault behind a late one", requesters[who]);
    if (who == LOADS) { // a packet is executed again, a dependent is not loaded again
        if (e->task)
            chains_lost(a, e->address);
        halts(a, c);
        return true;
    }
    if (who == RELEASES) { // one record for all writes of a task that have failed
        for (size_t n = 0; n < count; n++)
            if (list[n].kind >= MEMORY_WRITE_SLVERR && (list[n].address ^ e->address) < RELEASE_STRIDE)
                list[n].told = true;
        chains_released(a, e->address);
        halts(a, c);
        return true;
    }
    if (who == PRELOADS) {
        for (size_t n = 0; n < count; n++) { // bursts follow each other: one record for all of a job that have failed
            int pipe;
            list[n].told = list[n].told || (requester_of(&list[n], &pipe) == PRELOADS && pipe == e->pipe);
        }
        const totem_mqd *job = &session_model(a->s)->fe[e->pipe / TOTEM_PIPES].pipe[e->pipe % TOTEM_PIPES].front.mqd;
        // One that ACTIVE 0 has called off is told when the slot is free already.
        if (mqd->dropped && mqd->worked == e->pipe * QUEUES + e->queue && (c != mqd || mqd->state == AWAY)) {
            tally_count(a->tally, "fault.preload that was called off");
            return true;
        }
        // Nor is one that has ended meanwhile: its queue comes again already, with another MQD.
        if (c == mqd && c->state == COMING && e->address - c->mqd >= 4 * DRIVER_MQD) {
            tally_count(a->tally, "fault.preload of the mapping before");
            return true;
        }
        if (c != mqd || c->state == AWAY)
            return strange(a, e, "a preload of nobody");
        if (job->job == 6) {
            tally_count(a->tally, "fault.load of a switch");
            halts(a, c);
            return stands(a, c, e, found);
        }
        tally_count(a->tally, job->job == 2                    ? "fault.window of a mapping"
                              : (e->address - c->mqd) / 4 > 83 ? "fault.pairs of a mapping"
                                                               : "fault.preload of a mapping");
        c->refused = true;
        return c->state == COMING || c->state == LEAVING ? true : strange(a, e, "a preload of nobody");
    }
    if (who == PACKETS) { // what it did not write is written by other means
        const uint64_t n = (e->address - DATA_BASE) / 4;
        if (n >= DATA_WORDS)
            return strange(a, e, "a packet write of nobody");
        for (uint64_t k = n; a->written[n].of && k < n + 1 + a->written[n].wide; k++)
            memory_write32(session_memory(a->s), DATA_BASE + 4 * k, a->written[k].value);
        if (a->written[n].of)
            halts(a, a->written[n].of);
        return stands(a, a->written[n].of, e, found);
    }
    if (who == REPORTS) {
        halts(a, fence);
        return stands(a, fence, e, found);
    }
    if (who == FENCES) {
        // The write that failed, or, not sent at all, the next one of its mapping; its interrupt does not come.
        size_t n = fence->executed;
        if (found)
            while (n > 0 && fence->fences[n - 1].value != (uint32_t)found->data)
                n--;
        else
            n = next_silent(fence);
        if (n == 0)
            return strange(a, e, "a fence that was not given");
        fence->fences[n - 1].irq     = false;
        fence->fences[n - 1].written = true;
        fence->fences[n - 1].silent  = late;
        memory_write32(session_memory(a->s), e->address, fence->fences[n - 1].value);
        halts(a, fence);
        return stands(a, fence, e, found);
    }
    client *pointer = client_at(a, e->address, POINTER_BASE, 16);
    if (pointer)
        tally_count(a->tally, "fault.write pointer");
    halts(a, pointer ? pointer : c);
    return true;
}

static bool descriptor_record(agent *a, const session_error *e)
{
    client *c = a->in[e->pipe * QUEUES + e->queue];
    if (e->code == TOTEM_ERROR_DESCRIPTOR_NO_EPOCH && c->state == COMING && c->crowded && !c->refusal &&
        e->address == c->mqd && c->full_at + 2000 > e->clock) {
        c->refused = true;
        return true;
    }
    // Kept bits of PQ_CONTROL are not loaded.
    const uint32_t mask = c->refusal == TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE ? ~0x80c0u : ~0u;
    if (c->state != COMING || !c->refusal || e->code != c->refusal || e->address != c->mqd ||
        (e->word ^ c->refusal_word) & mask)
        return strange(a, e, "a descriptor that nobody spoilt was refused");
    c->refused = true;
    return true;
}

// The queue of a task halts: tasks.c has judged its error.
static bool task_record(agent *a, const session_error *e)
{
    tally_count2(a->tally, "task.error", totem_error_name(e->code));
    halts(a, a->in[e->pipe * QUEUES + e->queue]);
    return true;
}

bool recovery_records(agent *a)
{
    new_faults(a);
    const uint64_t count = session_count(a->s).errors;
    for (; a->errors_seen < count; a->errors_seen++) {
        const session_error *e = session_error_at(a->s, a->errors_seen);
        if (e->pipe >= RING_PIPE)
            continue; // rings.c
        tally_count2(a->tally, "error", totem_error_name(e->code) ? totem_error_name(e->code) : "without a name");
        const int class = e->code >> 5;
        if (e->code == TOTEM_ERROR_MEMORY_PATH_DEAD)
            continue; // it goes with a late answer, which has its own record
        if (e->pipe < 0                                                               ? !refusals_record(a, e)
            : e->code == TOTEM_ERROR_HOST_DEQUEUE_TIMEOUT                             ? !kills_record(a, e)
            : e->task && class != CLASS_MEMORY                                        ? !task_record(a, e)
            : class == CLASS_DESCRIPTOR && e->source == TOTEM_SOURCE_EXECUTE(e->pipe) ? !packet_record(a, e)
            : class == CLASS_PACKET                                                   ? !packet_record(a, e)
            : class == CLASS_MEMORY                                                   ? !memory_record(a, e)
            : class == CLASS_DESCRIPTOR                                               ? !descriptor_record(a, e)
                                        : !strange(a, e, "a record of a class that no pipe has"))
            return false;
    }
    return true;
}

// ---- ways on

static void control(agent *a, client *c, uint32_t value)
{
    const bool grid = value == 2 && front_of(a, c)->execute.unfinished[c->queue];
    account_skip(session_account(a->s), c->pipe, c->queue, grid ? ACCOUNT_SKIPPED : ACCOUNT_GOES_ON);
    c->access  = host_write(session_host(a->s), session_clock(a->s), window_of(c, WINDOW(CONTROL)), value);
    c->asked   = true;
    c->resumed = session_clock(a->s);
}

// Whether the packet at the read pointer may be passed without anybody missing it.
static bool harmless(agent *a, const client *c)
{
    const totem_front_out *p = front_of(a, c);
    if (p->fetch.buffer[c->queue] || p->execute.unfinished[c->queue] || c->rptr == c->told || c->half)
        return false;
    for (uint32_t n = c->bad_seen; n < c->bad_count; n++)
        if (c->bad[n].position == c->rptr) // its record is to come
            return false;
    const uint32_t header = memory_read32(session_memory(a->s), ring_address(c, c->rptr)), op = header >> 8 & 0xff;
    if (header >> 30 != 3)
        return header >> 30 == 2;
    return op == TOTEM_OP_NOP || op == TOTEM_OP_ACQUIRE_MEM || op == TOTEM_OP_WAIT_REG_MEM ||
           op == TOTEM_OP_WAIT_REG_MEM64 || op == TOTEM_OP_WAIT_TIMER || op == TOTEM_OP_CP_DMA ||
           op == TOTEM_OP_COPY_DW;
}

// The word that it waits for is written at once: a dequeue that comes before the SKIP makes it wait again.
static void passed(agent *a, const client *c)
{
    for (uint32_t n = 0; n < a->later_count;)
        if (a->later[n].of == c && a->later[n].position == c->rptr) {
            if (!a->later[n].waves)
                memory_write32(session_memory(a->s), a->later[n].address, a->later[n].value);
            a->later[n] = a->later[--a->later_count];
        } else
            n++;
}

static bool leave(agent *a, client *c, bool abandon)
{
    static const uint32_t types[] = {1, 3, 4, 4, 2};
    tally_count(a->tally, abandon ? "recovery.abandoned" : "recovery.dequeued");
    if (c->standing && !abandon)
        recovery_repair(a, c);
    clients_leave(a, c, abandon ? 0 : types[below(a, a->options.kills ? 5 : 4)]);
    return true;
}

bool recovery_look(agent *a, client *c)
{
    const totem_front_out *p = front_of(a, c);
    c->next                  = session_clock(a->s) + 1 + below(a, 60);
    if (c->asked) { // a RESUME or SKIP is under way
        const host_access *access = &session_host(a->s)->list[c->access];
        if (access->done) {
            c->asked   = false;
            c->resumed = access->ended;
        }
        return true;
    }
    if (!p->execute.halted[c->queue]) { // a record of an earlier mapping, or behind a RESUME; its halt comes with it
        if (!c->standing && session_clock(a->s) > c->recorded + 16)
            c->halts = 0;
        return true;
    }
    if (c->halts == 0 && !c->standing) // its record has to come
        return true;
    if (p->arbiter.selected_valid && p->arbiter.selected == c->queue)
        return true;
    if (c->pointer_bad && session_clock(a->s) < c->recorded + 64) // a packet may have halted it too
        return true;
    if (c->pointer_told)
        clients_correct(a, c);
    const uint32_t way  = below(a, 16);
    const bool     past = c->standing && (c->bad[c->bad_seen - 1].code == TOTEM_ERROR_PACKET_COUNT_PAST_WPTR ||
                                      c->bad[c->bad_seen - 1].code == TOTEM_ERROR_PACKET_COUNT_PAST_IB);
    c->halts            = 0;
    if (way < 3 && (c->mqd || way == 0) && !clients_stay(a, c) && session_clock(a->s) < a->options.clocks)
        return leave(a, c, way == 0);
    if (c->standing && way < 10) {
        tally_count(a->tally, past ? "recovery.skipped in vain" : "recovery.skipped");
        c->skipping =
            true; // it may come again: its end is not written, or it halts again, or leaves, before it is passed
        c->standing = false;
        control(a, c, 2);
    } else if (!c->standing && way < 13 && p->execute.unfinished[c->queue]) {
        tally_count(a->tally, "recovery.skipped a grid");
        control(a, c, 2);
    } else if (!c->standing && way < 10 && harmless(a, c)) {
        tally_count(a->tally, "recovery.skipped good");
        passed(a, c);
        control(a, c, 2);
    } else {
        tally_count(a->tally, "recovery.resumed");
        if (c->standing)
            recovery_repair(a, c);
        control(a, c, 1);
    }
    return true;
}

bool recovery_check(agent *a)
{
    size_t                count;
    const memory_failure *list = memory_failures(session_memory(a->s), &count);
    for (size_t n = 0; n < count; n++) {
        int             pipe;
        const requester who = requester_of(&list[n], &pipe);
        if (who == RING)
            continue;
        tally_count2(a->tally,
                     list[n].kind % 3 == 2   ? "memory late"
                     : list[n].kind % 3 == 1 ? "memory DECERR"
                                             : "memory SLVERR",
                     requesters[who]);
        // Lines and smart waits are dropped with what they are for; a dependent is loaded again behind
        // its parent.
        if (!list[n].told && who != LINES && who != POLLS && who != LOADS)
            return broken(a, "the fault of %s at 0x%" PRIx64 " in clock %" PRIu64 " has no record", requesters[who],
                          list[n].address, list[n].clock);
    }
    for (int n = 0; n < SLOTS; n++)
        if (a->clients[n].bad_seen != a->clients[n].bad_count)
            return broken(a, "client %d: %u of %u malformed packets were recorded", n, a->clients[n].bad_seen,
                          a->clients[n].bad_count);
    return true;
}
