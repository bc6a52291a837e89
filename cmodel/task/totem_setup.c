// SPDX-License-Identifier: Apache-2.0
//
// totem_setup: twin of rtl/task/totem_setup.v, from docs/contract/setup.md.

#include "totem_setup.h"

#include "../packet/totem_pm4.h"
#include "../queue/totem_hqd_values.h"
#include "totem_tmd_load_values.h"

enum { BEFORE = 16, BEHIND = 21, LAST = 22, BLOCK = 512, BLOCKS_MOST = 511 };
enum { SHADER_EN = 1 << 0, START_AT_000 = 1 << 2, W32_EN = 1 << 15 }; // of COMPUTE_DISPATCH_INITIATOR

typedef struct {
    uint16_t number; // SH offset
    uint32_t value;
} setting;

// Word of the metadata that a step needs.
static uint8_t source(uint8_t step)
{
    if (step < 2)
        return META_PROGRAM;
    if (step < 5)
        return META_GRID;
    if (step < 13)
        return META_BLOCK;
    return step == 13 ? META_RELEASE0 : META_POINTER;
}

static uint32_t half(uint64_t w, unsigned place)
{
    return w >> place & 0xffff;
}

static uint32_t vgprs(uint64_t w)
{
    const uint32_t registers = w & 0x1ff;
    return registers == 0 ? 0 : (registers - 1) / 8;
}

static uint32_t blocks(uint64_t w)
{
    const uint32_t count = ((uint32_t)(w >> 46) + BLOCK - 1) / BLOCK;
    return count > BLOCKS_MOST ? BLOCKS_MOST : count;
}

// Engines that the task must not use, if that leaves one.
static uint32_t disabled(uint64_t w)
{
    const uint32_t mask = w >> 9 & 15, all = (1u << TOTEM_SE_COUNT) - 1;
    return (mask & all) == all ? 0 : mask;
}

static uint32_t engine(uint64_t w, unsigned number)
{
    return disabled(w) >> number & 1 ? 0 : 0xffffffffu;
}

// The register of a step and its value.
static setting what(uint8_t step, uint64_t w)
{
    switch (step) {
    case 0: return (setting){TOTEM_SH_COMPUTE_PGM_LO, (uint32_t)(w >> 8)};
    case 1: return (setting){TOTEM_SH_COMPUTE_PGM_HI, w >> 40 & 0xff};
    case 2: return (setting){TOTEM_SH_COMPUTE_DIM_X, (uint32_t)w};
    case 3: return (setting){TOTEM_SH_COMPUTE_DIM_Y, half(w, 32)};
    case 4: return (setting){TOTEM_SH_COMPUTE_DIM_Z, half(w, 48)};
    case 5: return (setting){TOTEM_SH_COMPUTE_NUM_THREAD_X, half(w, 16)};
    case 6: return (setting){TOTEM_SH_COMPUTE_NUM_THREAD_Y, half(w, 32)};
    case 7: return (setting){TOTEM_SH_COMPUTE_NUM_THREAD_Z, half(w, 48)};
    case 8: return (setting){TOTEM_SH_COMPUTE_PGM_RSRC1, vgprs(w)};
    case 9: return (setting){TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE0, engine(w, 0)};
    case 10: return (setting){TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE1, engine(w, 1)};
    case 11: return (setting){TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE2, engine(w, 2)};
    case 12: return (setting){TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE3, engine(w, 3)};
    case 13: return (setting){TOTEM_SH_COMPUTE_PGM_RSRC2, 2u << 1 | blocks(w) << 15};
    case 14: return (setting){TOTEM_SH_COMPUTE_USER_DATA_0, (uint32_t)w << 8};
    case 15: return (setting){TOTEM_SH_COMPUTE_USER_DATA_0 + 1, (uint32_t)w >> 24};
    case 16: return (setting){TOTEM_SH_COMPUTE_DISPATCH_INITIATOR, SHADER_EN | START_AT_000 | W32_EN};
    case 17: return (setting){TOTEM_SH_COMPUTE_RESTART_X, 0};
    case 18: return (setting){TOTEM_SH_COMPUTE_RESTART_Y, 0};
    case 19: return (setting){TOTEM_SH_COMPUTE_RESTART_Z, 0};
    case 20: return (setting){TOTEM_SH_COMPUTE_RELAUNCH, 0};
    case 21: return (setting){TOTEM_SH_COMPUTE_TMPRING_SIZE, 0};
    case 22: return (setting){TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE7, 0}; // RSRC3
    default: return (setting){TOTEM_SH_COMPUTE_FIRST, 0};
    }
}

void totem_setup_outputs(const totem_setup *s, totem_setup_out *o)
{
    const setting now = what(s->step, s->word);

    o->done            = s->phase == SETUP_DONE;
    o->tmd_read_enable = s->phase == SETUP_READ;
    o->tmd_read_addr   = (TOTEM_SETUP_TMD_ADDR)(s->entry * 8u + source(s->step));
    o->bank_queue      = s->queue;
    o->bank_write      = s->phase != SETUP_RELAY || s->write;
    o->bank_offset     = s->phase == SETUP_RELAY ? s->offset : now.number & 0x7f;
    o->bank_data       = s->phase == SETUP_RELAY ? (uint32_t)s->word : now.value;
    o->mark_data       = (uint16_t)((s->word >> 55 & 0x3f) | (s->word >> 52 & 1) << 6 | (s->word >> 53 & 3) << 7);
    o->relay_done      = s->phase == SETUP_TOLD;
    o->relay_data      = (uint32_t)s->word;
    o->load_queue      = s->queue;
    o->load_kind       = LOAD_ACTIVE;
    o->load_data       = 7;
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        o->mark_valid[p] = s->phase == SETUP_WRITE && s->step == 0 && s->pipe == p;
        o->bank_valid[p] = (s->phase == SETUP_WRITE || s->phase == SETUP_RELAY) && s->pipe == p;
        o->load_valid[p] = s->phase == SETUP_SEND && s->pipe == p;
    }
}

// 1 Request: task first.
static void begin(totem_setup *n, const totem_setup_in *i)
{
    if (i->task_setup_valid) {
        n->pipe   = i->task_setup_pipe;
        n->queue  = i->task_setup_queue;
        n->entry  = i->task_setup_entry;
        n->resume = i->task_setup_resume;
        n->step   = 0;
        n->phase  = SETUP_READ;
        return;
    }
    if (i->spill_relay_valid) {
        n->pipe   = i->spill_relay_pipe;
        n->queue  = i->spill_relay_queue;
        n->write  = i->spill_relay_write;
        n->offset = i->spill_relay_offset;
        n->word   = i->spill_relay_data;
        n->phase  = SETUP_RELAY;
    }
}

void totem_setup_step(totem_setup *s, const totem_setup_in *i)
{
    totem_setup n     = *s;
    bool        ready = false, loading = false, answer = false;
    uint32_t    data = 0;

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (s->pipe == p) {
            ready   = i->bank_ready[p];
            loading = i->runner_loading[p];
            answer  = i->bank_answer[p];
            data    = i->bank_read_data[p];
        }
    switch (s->phase) {
    case SETUP_REST: begin(&n, i); break;
    // 2 Word
    case SETUP_READ:
        if (!loading)
            n.phase = SETUP_TAKE;
        break;
    case SETUP_TAKE:
        n.word  = i->tmd_read_data;
        n.phase = SETUP_WRITE;
        break;
    // 3 Register
    case SETUP_WRITE:
        if (!ready)
            break;
        n.step = s->step == BEFORE && s->resume ? BEHIND : (s->step + 1) & 31;
        if (s->step >= LAST)
            n.phase = SETUP_DRAIN;
        else if (source(s->step) != source(n.step) && n.step <= 14)
            n.phase = SETUP_READ;
        break;
    // 4 End
    case SETUP_DRAIN:
        if (ready)
            n.phase = SETUP_SEND;
        break;
    case SETUP_SEND: n.phase = SETUP_PAUSE; break;
    case SETUP_PAUSE: n.phase = SETUP_DONE; break;
    // 5 Relay
    case SETUP_RELAY:
        if (ready)
            n.phase = s->write ? SETUP_TOLD : SETUP_HEAR;
        break;
    case SETUP_HEAR:
        if (answer) {
            n.word  = data;
            n.phase = SETUP_TOLD;
        }
        break;
    default: n.phase = SETUP_REST; break;
    }

    *s = n;
}
