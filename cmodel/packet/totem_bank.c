// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: twin of rtl/packet/totem_bank.v, from docs/contract/bank.md.

#include "totem_bank.h"

#include "../queue/totem_hqd_values.h"
#include "totem_bank_derive.h"
#include "totem_bank_write.h"

enum { USER_COUNT = 16 };
enum { FRESH_READS = 8, RESUME_READS = 16, LAST_SAVE = 6 };

static uint64_t clamp(uint32_t value)
{
    return value < 0xffff ? value : 0xffff;
}

static uint64_t with_x(uint64_t id, uint64_t x)
{
    return (id & ~(uint64_t)0xffffffffu) | x;
}

static uint64_t with_y(uint64_t id, uint64_t y)
{
    return (id & ~((uint64_t)0xffff << 32)) | y << 32;
}

static uint64_t with_z(uint64_t id, uint64_t z)
{
    return (id & ~((uint64_t)0xffff << 48)) | z << 48;
}

static uint64_t with_program_low(uint64_t program, uint32_t value)
{
    return (program & ~(uint64_t)0xffffffffu) | value;
}

static uint64_t with_program_high(uint64_t program, uint32_t value)
{
    return (program & 0xffffffffu) | (uint64_t)(value & 0xff) << 32;
}

static uint8_t reads(const totem_bank *s)
{
    return s->saved[s->queue] ? RESUME_READS : FRESH_READS;
}

static void ram_reads(const totem_bank *s, totem_bank_out *o)
{
    unsigned offset;
    uint8_t  queue = s->queue;
    if (s->loading) {
        switch (s->step) {
        case 0: offset = OFFSET_DERIVED; break;
        case 1: offset = OFFSET_THREADS; break;
        case 2: offset = OFFSET(PGM_RSRC2); break;
        case 3: offset = OFFSET(PGM_LO); break;
        case 4: offset = OFFSET(PGM_HI); break;
        case 5: offset = OFFSET(START_X); break;
        case 6: offset = OFFSET(START_Y); break;
        case 7: offset = OFFSET(START_Z); break;
        case 8: offset = OFFSET(DISPATCH_INITIATOR); break;
        case 9: offset = OFFSET(DIM_X); break;
        case 10: offset = OFFSET(DIM_Y); break;
        case 11: offset = OFFSET(DIM_Z); break;
        case 12: offset = OFFSET(RESTART_X); break;
        case 13: offset = OFFSET(RESTART_Y); break;
        case 14: offset = OFFSET(RESTART_Z); break;
        default: offset = OFFSET(RELAUNCH); break;
        }
    } else if (s->asked) {
        offset = OFFSET(NUM_THREAD_X) + s->asked_place;
    } else {
        offset = totem_bank_derive_offset(s);
        queue  = s->derive_queue;
    }
    o->ram_read_enable = s->loading ? s->step < reads(s) : reads_itself(s) || s->asked;
    o->ram_read_addr   = ram_place(queue, offset);
    if (access_reads(s)) {
        o->ram_read_enable = true;
        o->ram_read_addr   = ram_place(s->access_queue, s->access_offset);
    }
    o->mqd_ready  = !s->access_valid;
    o->mqd_answer = s->answer;
}

void totem_bank_outputs(const totem_bank *s, totem_bank_out *o)
{
    const unsigned user      = s->user < USER_COUNT ? s->user : USER_COUNT;
    const uint8_t  own_stage = s->stage[s->queue];

    o->loaded         = s->loaded;
    o->busy           = s->saving || own_stage == STAGE_WORDS || own_stage == STAGE_FULL;
    o->threads        = s->threads;
    o->partial        = own_stage == STAGE_NONE ? s->partial[s->queue] : PARTIAL_COMPUTING;
    o->vgprs          = (uint8_t)(s->vgprs + 1);
    o->lds            = s->lds;
    o->initiator      = s->initiator;
    o->origin         = s->origin;
    o->restart        = s->restart;
    o->restart_mask   = s->restart_mask;
    o->restart_end    = s->restart_end;
    o->restart_origin = FIELD(s->initiator, TOTEM_COMPUTE_DISPATCH_INITIATOR_FORCE_START_AT_000) != 0 ? 0 : s->origin;
    o->program_addr   = s->program_addr;
    o->scratch        = s->scratch;
    o->words          = (uint8_t)(2 + (user + 1) / 2 + s->scratch);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        o->engines[e] = s->engines[e];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        o->prepared[q] = s->stage[q] == STAGE_NONE && !s->clear_pending[q] && !(s->clear_active && s->clear_queue == q);
    totem_bank_write(s, o);
    ram_reads(s, o);
}

// 4 Clearing, continued
static void clearing(totem_bank *n, const totem_bank *s)
{
    if (write_clear(s)) {
        n->clear_step = (s->clear_step + 1) & 127;
        if (s->clear_step == 127)
            n->clear_active = false;
    }
    if (s->clear_active)
        return;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        if (s->clear_pending[q]) {
            n->clear_active     = true;
            n->clear_queue      = q;
            n->clear_step       = 0;
            n->clear_pending[q] = false;
            return;
        }
    }
}

// 6 Load, continued: the word read one clock ago.
static void load(totem_bank *n, const totem_bank *s, uint32_t word)
{
    switch (s->step) {
    case 1:
        n->vgprs = word & 0x3f;
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            n->engines[e] = (word >> (ENGINES_AT + e) & 1) != 0;
        break;
    case 2: n->threads = word & 0x1fff; break;
    case 3:
        n->lds     = FIELD(word, TOTEM_COMPUTE_PGM_RSRC2_LDS_SIZE);
        n->user    = FIELD(word, TOTEM_COMPUTE_PGM_RSRC2_USER_SGPR);
        n->scratch = FIELD(word, TOTEM_COMPUTE_PGM_RSRC2_SCRATCH_EN) != 0;
        break;
    case 4: n->program_addr = with_program_low(s->program_addr, word); break;
    case 5: n->program_addr = with_program_high(s->program_addr, word); break;
    case 6: n->origin = with_x(s->origin, word); break;
    case 7: n->origin = with_y(s->origin, clamp(word)); break;
    case 8: n->origin = with_z(s->origin, clamp(word)); break;
    case 9: n->initiator = word; break;
    case 10: n->restart_end = with_x(s->restart_end, word); break;
    case 11: n->restart_end = with_y(s->restart_end, word & 0xffff); break;
    case 12: n->restart_end = with_z(s->restart_end, word & 0xffff); break;
    case 13: n->restart = with_x(s->restart, word); break;
    case 14: n->restart = with_y(s->restart, word & 0xffff); break;
    case 15: n->restart = with_z(s->restart, word & 0xffff); break;
    case 16: n->restart_mask = word & 0x7f; break;
    default: break;
    }
    if (s->step >= reads(s)) {
        n->loading = false;
        n->loaded  = true;
    } else {
        n->step = (uint8_t)(s->step + 1);
    }
}

// What is under way for this queue begins again, if at all.
static void give_up(totem_bank *n, uint8_t queue)
{
    if (n->derive_queue == queue)
        n->derive_step = DERIVE_IDLE;
}

// 7 Packet write, continued
static void packet_write(totem_bank *n, uint8_t offset, uint32_t value)
{
    n->write_valid  = offset != OFFSET_DERIVED && offset != OFFSET_THREADS;
    n->write_offset = offset;
    n->write_data   = value;
    switch (offset) {
    case OFFSET(DISPATCH_INITIATOR): n->initiator = value; break;
    case OFFSET(START_X): n->origin = with_x(n->origin, value); break;
    case OFFSET(START_Y): n->origin = with_y(n->origin, clamp(value)); break;
    case OFFSET(START_Z): n->origin = with_z(n->origin, clamp(value)); break;
    case OFFSET(PGM_LO): n->program_addr = with_program_low(n->program_addr, value); break;
    case OFFSET(PGM_HI): n->program_addr = with_program_high(n->program_addr, value); break;
    case OFFSET(PGM_RSRC1):
        n->vgprs = FIELD(value, TOTEM_COMPUTE_PGM_RSRC1_VGPRS);
        n->stale = true;
        break;
    case OFFSET(PGM_RSRC2):
        n->lds     = FIELD(value, TOTEM_COMPUTE_PGM_RSRC2_LDS_SIZE);
        n->user    = FIELD(value, TOTEM_COMPUTE_PGM_RSRC2_USER_SGPR);
        n->scratch = FIELD(value, TOTEM_COMPUTE_PGM_RSRC2_SCRATCH_EN) != 0;
        break;
    case OFFSET(NUM_THREAD_X):
    case OFFSET(NUM_THREAD_Y):
    case OFFSET(NUM_THREAD_Z):
        n->stage[n->queue] = STAGE_FULL;
        give_up(n, n->queue);
        break;
    default: break;
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        if (offset == engine_mask_offset(e)) {
            n->engines[e] = value != 0;
            n->stale      = true;
        }
    }
}

// 10 Go, continued
static void go(totem_bank *n, const totem_bank *s, const totem_bank_in *i)
{
    const uint8_t target = i->arbiter_go ? i->arbiter_selected : s->next_queue;
    const bool    old    = s->saving || i->packet_save || s->write_valid || i->packet_write || s->stale;

    if (i->arbiter_go) {
        n->loaded     = false;
        n->loading    = false;
        n->go_pending = true;
        n->next_queue = i->arbiter_selected;
    }
    if ((i->arbiter_go || s->go_pending) && !old) {
        n->go_pending = false;
        n->loading    = true;
        n->step       = 0;
        n->queue      = target;
    }
}

// 12 Access, continued
static void access(totem_bank *n, const totem_bank *s, const totem_bank_in *i)
{
    if (write_access(s)) { // what an earlier mapping left to derive has no meaning any more
        give_up(n, s->access_queue);
        n->stage[s->access_queue] = STAGE_NONE;
    }
    n->answer = access_reads(s);
    if (access_reads(s) || write_access(s))
        n->access_valid = false;
    if (i->mqd_valid && !s->access_valid) {
        n->access_valid  = true;
        n->access_write  = i->mqd_write;
        n->access_queue  = i->mqd_queue;
        n->access_offset = i->mqd_offset;
        n->access_data   = i->mqd_data;
    }
}

void totem_bank_step(totem_bank *s, const totem_bank_in *i)
{
    totem_bank n = *s; // what follows the clock edge; s stays as it was before

    // 1 Question
    n.write_valid = false;
    n.asked       = i->divide_read;
    n.rsrc3_gfx9  = i->settings_rsrc3_gfx9;
    n.asked_place = i->divide_read_place;

    totem_bank_derive(&n, s, i->ram_read_data);

    // 3 Derived word
    if (write_derived(s))
        n.stale = false;

    // 4 Clearing
    clearing(&n, s);

    // 5 Save
    if (write_save(s)) {
        if (s->step >= LAST_SAVE)
            n.saving = false;
        else
            n.step = (uint8_t)(s->step + 1);
    }

    // 6 Load
    if (s->loading)
        load(&n, s, i->ram_read_data);

    // 7 Packet write
    if (i->packet_write)
        packet_write(&n, i->packet_offset, i->packet_data);

    // 8 Start
    if (i->packet_start) {
        if (!s->saved[s->queue])
            n.restart_end = i->packet_start_end;
        n.saved[s->queue] = false;
    }
    if (i->packet_forget)
        n.saved[s->queue] = false;

    // 9 Save requested
    if (i->packet_save) {
        n.saving          = true;
        n.loading         = false;
        n.loaded          = false;
        n.step            = 0;
        n.saved[s->queue] = true;
        n.restart         = i->walker_low;
        n.restart_mask    = i->walker_mask;
    }

    // 10 Go
    go(&n, s, i);

    // 11 Load bus
    if (i->load_valid && i->load_kind == LOAD_ACTIVE && (i->load_data & 1) != 0) {
        const uint8_t q       = i->load_queue;
        const bool    written = (i->load_data & 2) != 0;
        give_up(&n, q);
        n.saved[q] = written && (i->load_data & 4) != 0;
        n.stage[q] = written ? STAGE_WORDS : STAGE_NONE;
        if (!written) {
            n.clear_pending[q] = true;
            n.partial[q]       = PARTIAL_ZERO; // NUM_THREAD is 0
        }
    }
    if (i->load_valid && i->load_kind == LOAD_MOVED && (i->load_data & 1) != 0) { // loaded at a switch
        give_up(&n, i->load_queue);
        n.saved[i->load_queue] = s->saved[i->load_queue] && (i->load_data & 4) != 0;
        n.stage[i->load_queue] = STAGE_WORDS;
    }

    // 12 Access
    access(&n, s, i);

    *s = n;
}
