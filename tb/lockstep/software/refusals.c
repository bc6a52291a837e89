// SPDX-License-Identifier: Apache-2.0
//
// refusals: accesses that the host port must refuse: SLVERR, and a record with the right code, register and word; what
// a locked register held is read back.

#include "agent_state.h"

#include <inttypes.h>
#include <stdlib.h>

#define HOST(name) TOTEM_ERROR_HOST_##name

static refusal *append(agent *a, size_t access)
{
    if (a->refusals_count == a->refusals_room) {
        a->refusals_room = a->refusals_room ? 2 * a->refusals_room : 64;
        refusal *larger  = realloc(a->refusals, a->refusals_room * sizeof *larger);
        if (!larger)
            abort();
        a->refusals = larger;
    }
    refusal *r = &a->refusals[a->refusals_count++];
    *r         = (refusal){.access = access};
    return r;
}

static void refuse(agent *a, uint8_t code, int queue, bool write, uint32_t address, uint32_t data)
{
    host_port   *h = session_host(a->s);
    const size_t access =
        write ? host_write(h, session_clock(a->s), address, data) : host_read(h, session_clock(a->s), address);
    h->list[access].expect_error = true;
    refusal *r                   = append(a, access);
    r->code                      = code;
    r->queue                     = (uint8_t)queue;
    r->word                      = write ? data : 0;
}

void refusals_maybe(agent *a, size_t access, uint8_t code, int queue, uint32_t word)
{
    refusal *r = append(a, access);
    r->maybe   = true;
    r->code    = code;
    r->queue   = (uint8_t)queue;
    r->word    = word;
}

void refusals_launch(agent *a, size_t access, uint32_t word)
{
    refusals_maybe(a, access, HOST(TASK_FULL), 0, word);
    a->refusals[a->refusals_count - 1].other = HOST(TASK_UNMAPPED);
}

static void set(agent *a, int pipe, int queue, uint32_t dword, uint32_t value)
{
    host_write(session_host(a->s), session_clock(a->s), driver_window((uint32_t)pipe, (uint32_t)queue, dword), value);
}

// A slot that nobody uses now: its window may be written, each mapping writes all of it anew, but for one over its own
// save.
static void of_free_slot(agent *a, int pipe, int queue)
{
    const uint32_t base = driver_window((uint32_t)pipe, (uint32_t)queue, 0);
    const uint32_t bell = TOTEM_REG_DOORBELL_BASE +
                          ((uint32_t)pipe * TOTEM_REG_QUEUE_COUNT + (uint32_t)queue) * TOTEM_REG_DOORBELL_STRIDE;
    switch (below(a, 10)) {
    case 0: refuse(a, HOST(DOORBELL_UNMAPPED), queue, true, bell, below(a, 1000)); return;
    case 1: refuse(a, HOST(RESUME), queue, true, base + 4 * WINDOW(CONTROL), 1 + below(a, 2)); return;
    case 2: {
        static const uint32_t types[] = {1, 3, 4};
        refuse(a, HOST(DEQUEUE), queue, true, base + 4 * WINDOW(CP_HQD_DEQUEUE_REQUEST), types[below(a, 3)]);
        return;
    }
    case 3: refuse(a, HOST(VALUE), queue, true, base + 4 * WINDOW(MAP), MQD_BASE + 1 + below(a, 7)); return;
    default: break;
    }
    // A mapping with one thing wrong; what a save has left there is gone.
    a->held[pipe * QUEUES + queue] = NULL;
    const uint32_t state[] = {0x0be05301, 0x8be05300}; // PRELOAD_REQ without an MQD; DISP_ACTIVE without PRELOAD_REQ
    const uint32_t kind    = below(a, 7);
    set(a, pipe, queue, WINDOW(CP_MQD_BASE_ADDR), kind == 5 ? MQD_BASE + 1 + below(a, 7) : 0);
    set(a, pipe, queue, WINDOW(CP_MQD_BASE_ADDR_HI), 0);
    set(a, pipe, queue, WINDOW(CP_HQD_PERSISTENT_STATE), kind == 4 ? state[below(a, 2)] : 0x0be05300);
    set(a, pipe, queue, WINDOW(CP_HQD_PIPE_PRIORITY), kind == 0 ? 3 : 0);
    set(a, pipe, queue, WINDOW(CP_HQD_PQ_CONTROL),
        5u << 8 | (kind == 1   ? 1u << 25 | 5
                   : kind == 2 ? (chance(a, 128) ? 31 : 2)
                               : 5));
    set(a, pipe, queue, WINDOW(CP_HQD_PQ_BASE_HI), kind == 6 ? 1 + below(a, 255) : 0);
    set(a, pipe, queue, WINDOW(CP_HQD_PQ_RPTR_REPORT_ADDR_HI), 0);
    set(a, pipe, queue, WINDOW(CP_HQD_PQ_WPTR_POLL_ADDR_HI), 0);
    set(a, pipe, queue, WINDOW(CP_HQD_IB_CONTROL), 0);
    set(a, pipe, queue, WINDOW(CP_HQD_AQL_CONTROL), 0);
    set(a, pipe, queue, WINDOW(CP_HQD_PQ_RPTR), 0);
    set(a, pipe, queue, WINDOW(CP_HQD_PQ_WPTR_LO), kind == 3 ? 65 : 0);
    static const uint8_t codes[] = {HOST(MAP_PIPE_PRIORITY), HOST(MAP_AQL), HOST(MAP_QUEUE_SIZE), HOST(MAP_POINTERS),
                                    HOST(MAP_STATE),         HOST(MAP_MQD), HOST(MAP_ADDRESS)};
    refuse(a, codes[kind], queue, true, base + 4 * WINDOW(CP_HQD_ACTIVE), 1);
    if (kind == 6) // the machine looks for two free epochs before
        a->refusals[a->refusals_count - 1].other = HOST(MAP_NO_EPOCH);
}

// Of a queue that runs.
static void of_client(agent *a, const client *c)
{
    const uint32_t bell = TOTEM_REG_DOORBELL_BASE +
                          (uint32_t)(c->pipe * (int)TOTEM_REG_QUEUE_COUNT + c->queue) * TOTEM_REG_DOORBELL_STRIDE;
    const uint32_t kind = below(a, 6);
    if (kind < 2 && (c->way == POLLED || c->way == NOWHERE)) {
        refuse(a, HOST(DOORBELL_DISABLED), c->queue, true, bell, c->written);
        return;
    }
    switch (kind) {
    case 0: // one that reads its pointer goes on by itself
        refuse(a, HOST(DOORBELL_RANGE), c->queue, true, bell,
               c->told + (c->way == ONCE ? 1u << 30 : c->size) + 1 + below(a, 1000));
        return;
    case 1: refuse(a, HOST(DOORBELL_RANGE), c->queue, true, bell, c->told - 1 - below(a, 20)); return;
    case 2:
        refuse(a, HOST(DEQUEUE_TYPE), c->queue, true, window_of(c, WINDOW(CP_HQD_DEQUEUE_REQUEST)), 5 + below(a, 3));
        return;
    case 3: refuse(a, HOST(VALUE), c->queue, true, window_of(c, WINDOW(CP_HQD_PIPE_PRIORITY)), 3); return;
    case 4: refuse(a, HOST(MAP_BUSY), c->queue, true, window_of(c, WINDOW(MAP)), MQD_BASE); return;
    default: { // and the register is as it was
        refuse(a, HOST(LOCKED), c->queue, true, window_of(c, WINDOW(CP_HQD_PQ_BASE)),
               (uint32_t)random_next(&a->random));
        refusal *r =
            append(a, host_read(session_host(a->s), session_clock(a->s), window_of(c, WINDOW(CP_HQD_PQ_BASE))));
        r->recorded = true;
        r->word     = (uint32_t)(c->ring >> 8);
        return;
    }
    }
}

// It says that nothing may be mapped over it as it is.
void refusals_torn(agent *a, const client *c)
{
    const uint32_t state = window_of(c, WINDOW(CP_HQD_PERSISTENT_STATE));
    refusal       *r     = append(a, host_read(session_host(a->s), session_clock(a->s), state));
    r->recorded          = true;
    r->word              = (c->persistent & 0x7ffffffeu) | 1u << 31;
    if (slot_front(a, slot_of(c))->slot_idle.spare[c->queue] && chance(a, 128)) {
        tally_count(a->tally, "left.MQD torn, mapped over its window");
        refuse(a, HOST(MAP_STATE), c->queue, true, window_of(c, WINDOW(CP_HQD_ACTIVE)), 1);
    }
}

void refusals_look(agent *a)
{
    if (!a->options.refusals || session_clock(a->s) < a->next_refusal || session_clock(a->s) >= a->options.clocks)
        return;
    a->next_refusal = session_clock(a->s) + 1 + below(a, 2000);
    client *c       = a->in[below(a, SLOTS)];
    if (c->used && c->state == RUNNING && !c->half) {
        of_client(a, c);
        return;
    }
    if (!c->used || (c->state == AWAY && !c->once)) {
        of_free_slot(a, c->pipe, c->queue);
        return;
    }
    const uint32_t dword = 56 + below(a, 4);
    switch (below(a, 5)) {
    case 0: refuse(a, HOST(READ_ONLY), 0, true, MACHINE(MAGIC) + 4 * below(a, 12), below(a, 1000)); break;
    case 1: refuse(a, HOST(READ_ONLY), c->queue, true, window_of(c, dword), below(a, 1000)); break;
    case 2: refuse(a, HOST(HOLE), 0, chance(a, 128), 0x90000 + 4 * below(a, 1000), 7); break;
    case 3: refuse(a, HOST(READ_ONLY), c->queue, true, window_of(c, 61 + below(a, 2)), 7); break;
    default: refuse(a, HOST(VALUE), c->queue, true, window_of(c, WINDOW(CONTROL)), 3 + below(a, 1000)); break;
    }
}

bool refusals_record(agent *a, const session_error *e)
{
    for (size_t n = a->refusals_first; n < a->refusals_count; n++) {
        refusal           *r      = &a->refusals[n];
        const host_access *access = &session_host(a->s)->list[r->access];
        if (r->recorded || (r->maybe && access->done && !access->response))
            continue;
        if (access->address == e->address && (r->code == e->code || (r->other && r->other == e->code)) &&
            r->word == e->word && r->queue == e->queue) {
            r->recorded       = true;
            a->refusals_first = n + 1;
            return true;
        }
        r->lost = true; // the message of an earlier one was still waiting
    }
    return broken(a, "a host access was refused that should not: %s address 0x%05" PRIx64 " word 0x%08x",
                  totem_error_name(e->code), e->address, e->word);
}

bool refusals_check(agent *a)
{
    host_port *h    = session_host(a->s);
    uint32_t   lost = 0;
    for (size_t n = 0; n < a->refusals_count; n++) {
        const refusal *r      = &a->refusals[n];
        host_access   *access = &h->list[r->access];
        if (r->maybe) {
            access->expect_error = access->response != 0;
            if (r->recorded && !access->response)
                return broken(a, "host access 0x%05x has a record, and was answered without an error", access->address);
            lost += access->response && !r->recorded;
            continue;
        }
        if (!access->expect_error && access->data != r->word)
            return broken(a, "host register 0x%05x is 0x%08x after a refused write, not 0x%08x", access->address,
                          access->data, r->word);
        lost += !r->recorded;
    }
    for (size_t n = 0; n < h->count; n++)
        if ((h->list[n].response != 0) != h->list[n].expect_error)
            return broken(a, "host access 0x%05x was answered %s", h->list[n].address,
                          h->list[n].response ? "with an error" : "without an error");
    if (lost != session_model(a->s)->host.lost)
        return broken(a, "%u refused accesses have no record, ERRORS_LOST is %u", lost, session_model(a->s)->host.lost);
    return true;
}
