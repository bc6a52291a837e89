// SPDX-License-Identifier: Apache-2.0
//
// run_slot: see run_slot.h.

#include "run_slot.h"

#include "../../../cmodel/host/totem_regs_map.h"

#include <stdio.h>
#include <string.h>

#define READ_SLOT(state, view, wire)                                         \
    do {                                                                     \
        view##_in  in;                                                       \
        view##_out shown;                                                    \
        memset(&in, 0, sizeof in);                                           \
        wire;                                                                \
        in.hqd_shown_queue = (uint8_t)q;                                     \
        in.hqd_shown_dword = TOTEM_REG_QUEUE_STATE;                          \
        view##_outputs(&in, &shown);                                         \
        v->reason   = shown.value >> 16 & 15;                                \
        v->mapped   = in.hqd_active[q];                                      \
        v->halted   = in.packet_halted[q];                                   \
        v->selected = in.arbiter_selected_valid && in.arbiter_selected == q; \
        v->priority = in.arbiter_queue_priority[q];                          \
        v->idle     = in.fence_idle[q];                                      \
        v->waves    = in.fence_waves[q];                                     \
        v->rptr     = in.fetch_rptr[q];                                      \
        v->wptr     = in.fetch_wptr[q];                                      \
        v->base     = (state)->fetch.base[q];                                \
        v->size     = (state)->fetch.size[q];                                \
        v->buffer   = (state)->fetch.buffer[q];                              \
        v->address  = (state)->fetch.buffer_addr[q] << 2;                    \
        v->left     = (state)->fetch.buffer_left[q];                         \
        v->timer    = (state)->poll.timer[q] && (state)->poll.waiting[q];    \
        v->deadline = (state)->poll.deadline[q];                             \
    } while (0)

bool run_slot_read(const session *s, int pipe, unsigned q, run_slot *v)
{
    const totem_machine     *m = session_model(s);
    const totem_machine_out *o = session_out(s);
    memset(v, 0, sizeof *v);
    if (pipe < TOTEM_PIPE_COUNT) {
        const int f = pipe / TOTEM_PIPES, p = pipe % TOTEM_PIPES;
        READ_SLOT(&m->fe[f].pipe[p].front, totem_view, totem_wire_view(o, NULL, f, p, &in));
        return true;
    }
#if TOTEM_GRAPHICS
    const int f = pipe - RING_PIPE;
    if (f >= 0 && f < RINGS && q == 0) {
        READ_SLOT(&m->fe[f].graphics_pipe.front, totem_graphics_view, totem_wire_graphics_view(o, NULL, f, &in));
        return true;
    }
#endif
    return false;
}

uint64_t run_slot_dword(const run_slot *v, uint32_t n)
{
    const uint32_t ring = (uint32_t)((UINT64_C(2) << v->size) - 1);
    return v->buffer ? v->address + 4 * (uint64_t)n : ((uint64_t)v->base << 8) + 4 * (uint64_t)((v->rptr + n) & ring);
}

uint32_t run_slot_written(const run_slot *v)
{
    return v->buffer ? v->left : v->wptr - v->rptr;
}

bool run_slot_packet(const memory *m, const run_slot *v, bool ring, uint32_t from, uint32_t words[], uint32_t room,
                     totem_pm4_packet *packet)
{
    const uint32_t left  = run_slot_written(v) > from ? run_slot_written(v) - from : 0,
                   count = left < room ? left : room;
    for (uint32_t n = 0; n < count; n++)
        words[n] = memory_read32(m, run_slot_dword(v, from + n));
    if (count)
        totem_pm4_cut(words, count, 0, ring, packet);
    return count;
}

const char *run_slot_owner(int pipe, unsigned queue, char text[40])
{
    if (pipe >= RING_PIPE)
        snprintf(text, 40, "the ring of front end %d", pipe - RING_PIPE);
    else
        snprintf(text, 40, "pipe %d queue %u", pipe, queue);
    return text;
}
