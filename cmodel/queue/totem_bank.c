// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: twin of rtl/queue/totem_bank.v, from docs/contract/bank.md.

#include "totem_bank.h"

#include "totem_pm4.h"

// Offsets of registers from the start of the compute block.
#define OFFSET(name) (TOTEM_SH_COMPUTE_##name - TOTEM_SH_COMPUTE_FIRST)

enum { DERIVED = 0x7c }; // no register: the RAM keeps the derived word there
enum { USER_FIRST = OFFSET(USER_DATA_0), USER_COUNT = 16, RSRC3 = 0x28 };
enum { FRESH_READS = 7, RESUME_READS = 15, RAW_READS = 20, RAW_ENGINES = 17, LAST_SAVE = 6, ENGINES_AT = 19 };
enum { MOST_THREADS = 8191, TABLE_WORD = 10, PARTIAL_AT = 23 };

static const uint8_t engine_mask_offset[4] = {OFFSET(STATIC_THREAD_MGMT_SE0), OFFSET(STATIC_THREAD_MGMT_SE1),
                                              OFFSET(STATIC_THREAD_MGMT_SE2), OFFSET(STATIC_THREAD_MGMT_SE3)};

static uint16_t saturate(uint32_t value)
{
    return (uint16_t)(value < MOST_THREADS ? value : MOST_THREADS);
}

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

// Launch state: where a register lies among the state words.
typedef struct {
    bool    low;
    bool    high;
    uint8_t word;
} half;

static half half_of(uint8_t offset)
{
    half h = {false, false, 0};
    if (offset == OFFSET(PGM_RSRC1)) {
        h.low = true;
    } else if (offset == OFFSET(PGM_RSRC2)) {
        h.high = true;
    } else if (offset == RSRC3) {
        h.low  = true;
        h.word = 1;
    } else if (offset == OFFSET(TMPRING_SIZE)) {
        h.high = true;
        h.word = 1;
    } else if (offset >= USER_FIRST && offset < USER_FIRST + USER_COUNT) {
        const unsigned k = offset - (unsigned)USER_FIRST;
        h.low            = (k & 1) == 0;
        h.high           = (k & 1) == 1;
        h.word           = (uint8_t)(2 + k / 2);
    }
    return h;
}

// Which of the five writers has the register RAM in this clock.
enum { NONE, REGISTER, SAVE, DERIVE, CLEAR, GUEST };

static bool clears_to_come(const totem_bank *s)
{
    bool pending = s->clear_active;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        pending = pending || s->clear_pending[q];
    return pending;
}

// The product of the full group: nothing goes on before it is there.
static bool full_product(const totem_bank *s)
{
    return s->product_step != 0 && s->combo == 0;
}

static int writer(const totem_bank *s)
{
    if (s->write_valid)
        return REGISTER;
    if (s->saving)
        return SAVE;
    if (s->stale && !full_product(s) && !s->loading)
        return DERIVE;
    if (s->table_valid)
        return NONE;
    if (s->clear_active)
        return CLEAR;
    return s->guest_valid && s->guest_write && !clears_to_come(s) ? GUEST : NONE;
}

static bool reads_dimension(const totem_bank *s)
{
    return s->product_step >= 2 && s->product_step <= 4;
}

static bool guest_reads(const totem_bank *s)
{
    return s->guest_valid && !s->guest_write && writer(s) == NONE && !clears_to_come(s) && !s->loading &&
           !reads_dimension(s) && !s->asked;
}

static uint16_t ram_place(uint8_t queue, unsigned offset)
{
    return (uint16_t)(queue * 128u + offset);
}

static uint8_t last_read(const totem_bank *s)
{
    if (s->raw[s->queue])
        return RAW_READS;
    return s->saved[s->queue] ? RESUME_READS : FRESH_READS;
}

static uint32_t derived_word(const totem_bank *s)
{
    uint32_t word = s->threads | (uint32_t)s->vgprs << 13 | (uint32_t)s->partial << PARTIAL_AT;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        word |= (uint32_t)s->engines[e] << (ENGINES_AT + e);
    return word;
}

static uint32_t cleared(uint8_t offset)
{
    if (offset == DERIVED)
        return ((1u << TOTEM_SE_COUNT) - 1) << ENGINES_AT;
    return totem_sh_reset(TOTEM_SH_COMPUTE_FIRST + offset);
}

void totem_bank_reset(totem_bank *s)
{
    s->queue        = 0;
    s->loaded       = false;
    s->go_pending   = false;
    s->loading      = false;
    s->saving       = false;
    s->step         = 0;
    s->write_valid  = false;
    s->stale        = false;
    s->product_step = 0;
    s->asked        = false;
    s->combo        = 0;
    s->table_valid  = false;
    s->clear_active = false;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        s->saved[q]         = false;
        s->clear_pending[q] = false;
        s->raw[q]           = false;
    }
    s->guest_valid = false;
    s->answer      = false;
}

static void ram_writes(const totem_bank *s, totem_bank_out *o)
{
    unsigned offset = 0;
    uint32_t value  = 0;
    uint8_t  queue  = s->queue;

    switch (writer(s)) {
    case REGISTER:
        offset = s->write_offset;
        value  = s->write_data;
        break;
    case SAVE:
        switch (s->step) {
        case 0:
            offset = OFFSET(RESTART_X);
            value  = (uint32_t)s->restart;
            break;
        case 1:
            offset = OFFSET(RESTART_Y);
            value  = (uint32_t)(s->restart >> 32 & 0xffff);
            break;
        case 2:
            offset = OFFSET(RESTART_Z);
            value  = (uint32_t)(s->restart >> 48);
            break;
        case 3:
            offset = OFFSET(RELAUNCH);
            value  = s->restart_mask;
            break;
        case 4:
            offset = OFFSET(DIM_X);
            value  = (uint32_t)s->restart_end;
            break;
        case 5:
            offset = OFFSET(DIM_Y);
            value  = (uint32_t)(s->restart_end >> 32 & 0xffff);
            break;
        default:
            offset = OFFSET(DIM_Z);
            value  = (uint32_t)(s->restart_end >> 48);
            break;
        }
        break;
    case DERIVE:
        offset = DERIVED;
        value  = derived_word(s);
        break;
    case CLEAR:
        queue  = s->clear_queue;
        offset = s->clear_step;
        value  = cleared(s->clear_step);
        break;
    case GUEST:
        queue  = s->guest_queue;
        offset = s->guest_offset;
        value  = s->guest_data;
        break;
    default: break;
    }
    o->ram_write_enable = writer(s) != NONE;
    o->ram_write_addr   = ram_place(queue, offset);
    o->ram_write_data   = value;

    // A register that is also launch state.
    uint8_t  shown = s->clear_step;
    uint8_t  owner = s->clear_queue;
    uint32_t word  = 0;
    if (s->write_valid) {
        shown = s->write_offset;
        owner = s->queue;
        word  = s->write_data;
    } else if (writer(s) == GUEST) {
        shown = s->guest_offset;
        owner = s->guest_queue;
        word  = s->guest_data;
    }
    const half h        = half_of(shown);
    const bool any      = writer(s) == REGISTER || writer(s) == CLEAR || writer(s) == GUEST;
    o->state_write_low  = any && h.low;
    o->state_write_high = any && h.high;
    o->state_write_addr = (uint8_t)(owner * 16 + h.word);
    o->state_write_data = (uint64_t)word << 32 | word;
    if (s->table_valid && !s->write_valid) {
        o->state_write_low  = (s->combo & 1) == 0;
        o->state_write_high = (s->combo & 1) == 1;
        o->state_write_addr = (uint8_t)(s->queue * 16 + TABLE_WORD + s->combo / 2);
        o->state_write_data = (uint64_t)s->sum << 32 | s->sum;
    }
}

static void ram_reads(const totem_bank *s, totem_bank_out *o)
{
    unsigned offset;
    if (s->loading) {
        switch (s->step) {
        case 0: offset = DERIVED; break;
        case 1: offset = OFFSET(PGM_RSRC2); break;
        case 2: offset = OFFSET(PGM_LO); break;
        case 3: offset = OFFSET(PGM_HI); break;
        case 4: offset = OFFSET(START_X); break;
        case 5: offset = OFFSET(START_Y); break;
        case 6: offset = OFFSET(START_Z); break;
        case 7: offset = OFFSET(DISPATCH_INITIATOR); break;
        case 8: offset = OFFSET(DIM_X); break;
        case 9: offset = OFFSET(DIM_Y); break;
        case 10: offset = OFFSET(DIM_Z); break;
        case 11: offset = OFFSET(RESTART_X); break;
        case 12: offset = OFFSET(RESTART_Y); break;
        case 13: offset = OFFSET(RESTART_Z); break;
        case 14: offset = OFFSET(RELAUNCH); break;
        case 15: offset = OFFSET(PGM_RSRC1); break;
        case 16: offset = engine_mask_offset[0]; break;
        case 17: offset = engine_mask_offset[1]; break;
        case 18: offset = engine_mask_offset[2]; break;
        default: offset = engine_mask_offset[3]; break;
        }
    } else if (s->asked) {
        offset = OFFSET(NUM_THREAD_X) + s->asked_place;
    } else if (s->product_step == 2) {
        offset = OFFSET(NUM_THREAD_X);
    } else if (s->product_step == 3) {
        offset = OFFSET(NUM_THREAD_Y);
    } else {
        offset = OFFSET(NUM_THREAD_Z);
    }
    o->ram_read_enable = s->loading ? s->step < last_read(s) : reads_dimension(s) || s->asked;
    o->ram_read_addr   = ram_place(s->queue, offset);
    if (guest_reads(s)) {
        o->ram_read_enable = true;
        o->ram_read_addr   = ram_place(s->guest_queue, s->guest_offset);
    }
    o->mqd_ready  = !s->guest_valid;
    o->mqd_answer = s->answer;
}

void totem_bank_outputs(const totem_bank *s, totem_bank_out *o)
{
    const unsigned user = s->user < USER_COUNT ? s->user : USER_COUNT;

    o->loaded         = s->loaded;
    o->busy           = s->saving || full_product(s);
    o->threads        = s->threads;
    o->partial        = s->partial;
    o->vgprs          = (uint8_t)(s->vgprs + 1);
    o->lds            = s->lds;
    o->initiator      = s->initiator;
    o->origin         = s->origin;
    o->restart        = s->restart;
    o->restart_mask   = s->restart_mask;
    o->restart_end    = s->restart_end;
    o->restart_origin = (s->initiator & 4) != 0 ? 0 : s->origin;
    o->program_addr   = s->program_addr;
    o->words          = (uint8_t)(2 + (user + 1) / 2);
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        o->engines[e] = s->engines[e];
    ram_writes(s, o);
    ram_reads(s, o);
}

// Rule 2: X times Y times Z, saturating, a bit of the multiplier at a time; first of the full group, then of the seven
// partial ones.
static void product(totem_bank *n, const totem_bank *s, const totem_bank_in *i)
{
    const unsigned full      = i->ram_read_data & 0xffff;
    const unsigned partial   = i->ram_read_data >> 16;
    const unsigned dimension = s->product_step == 3 ? 0 : s->product_step == 4 ? 1 : 2;
    const uint16_t read      = saturate((s->combo >> dimension & 1) != 0 ? partial : full);
    const uint16_t sum       = (s->times_y & 1) != 0 ? saturate((uint32_t)s->sum + s->factor) : s->sum;

    switch (s->product_step) {
    case 1: n->product_step = 2; break;
    case 2: n->product_step = 3; break;
    case 3:
        n->factor       = read;
        n->above        = partial > full;
        n->product_step = 4;
        break;
    case 4:
        n->times_y      = read;
        n->above        = s->above || partial > full;
        n->product_step = 5;
        break;
    case 5:
        n->times_z      = read;
        n->above        = s->above || partial > full;
        n->sum          = 0;
        n->product_step = 6;
        break;
    case 6:
    case 7:
        if (s->times_y >> 1 != 0) {
            n->sum     = sum;
            n->factor  = saturate(2u * s->factor);
            n->times_y = s->times_y >> 1;
        } else if (s->product_step == 6) {
            n->factor       = sum;
            n->sum          = 0;
            n->times_y      = s->times_z;
            n->product_step = 7;
        } else {
            n->sum = sum;
            if (s->combo == 0) {
                n->threads      = sum;
                n->combo        = 1;
                n->product_step = 2;
            } else {
                n->table_valid  = true;
                n->product_step = 0;
            }
        }
        break;
    default: break;
    }
    if (s->asked && s->product_step >= 2 && s->product_step <= 4)
        n->product_step = 2;
}

// Rule 2, table.
static void table(totem_bank *n, const totem_bank *s)
{
    if (!s->table_valid || s->write_valid)
        return;
    n->table_valid = false;
    if (s->combo == 7) {
        n->partial = s->sum == 0 ? 2 : s->above ? 3 : 1;
        n->combo   = 0;
        n->stale   = true;
    } else {
        n->combo        = (s->combo + 1) & 7;
        n->product_step = 2;
    }
}

static void no_product(totem_bank *n)
{
    n->product_step = 0;
    n->combo        = 0;
    n->table_valid  = false;
}

// Rule 4.
static void clearing(totem_bank *n, const totem_bank *s)
{
    if (writer(s) == CLEAR) {
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

// Rule 6: the word read one clock ago.
static void load(totem_bank *n, const totem_bank *s, uint32_t word, bool another)
{
    switch (s->step) {
    case 1:
        n->threads = word & 0x1fff;
        n->partial = word >> PARTIAL_AT & 3;
        n->vgprs   = word >> 13 & 0x3f;
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            n->engines[e] = (word >> (ENGINES_AT + e) & 1) != 0;
        break;
    case 2:
        n->lds  = word >> 15 & 0x1ff;
        n->user = word >> 1 & 0x1f;
        break;
    case 3: n->program_addr = with_program_low(s->program_addr, word); break;
    case 4: n->program_addr = with_program_high(s->program_addr, word); break;
    case 5: n->origin = with_x(s->origin, word); break;
    case 6: n->origin = with_y(s->origin, clamp(word)); break;
    case 7: n->origin = with_z(s->origin, clamp(word)); break;
    case 8: n->initiator = word; break;
    case 9: n->restart_end = with_x(s->restart_end, word); break;
    case 10: n->restart_end = with_y(s->restart_end, word & 0xffff); break;
    case 11: n->restart_end = with_z(s->restart_end, word & 0xffff); break;
    case 12: n->restart = with_x(s->restart, word); break;
    case 13: n->restart = with_y(s->restart, word & 0xffff); break;
    case 14: n->restart = with_z(s->restart, word & 0xffff); break;
    case 15: n->restart_mask = word & 0x7f; break;
    case 16: n->vgprs = word & 0x3f; break;
    default: break;
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        if (s->step == RAW_ENGINES + e)
            n->engines[e] = word != 0;
    if (s->step >= last_read(s)) {
        n->loading = false;
        n->loaded  = true;
        if (s->raw[s->queue]) {
            if (!another) {
                n->product_step  = 2;
                n->combo         = 0;
                n->partial       = 0;
                n->stale         = true;
                n->raw[s->queue] = false;
            }
        } else if (s->partial == 0) {
            n->product_step = 2;
            n->combo        = 1;
        }
    } else {
        n->step = (uint8_t)(s->step + 1);
    }
}

// Rule 7.
static void packet_write(totem_bank *n, uint8_t offset, uint32_t value)
{
    n->write_valid  = offset != DERIVED;
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
        n->vgprs = value & 0x3f;
        n->stale = true;
        break;
    case OFFSET(PGM_RSRC2):
        n->lds  = value >> 15 & 0x1ff;
        n->user = value >> 1 & 0x1f;
        break;
    case OFFSET(NUM_THREAD_X):
    case OFFSET(NUM_THREAD_Y):
    case OFFSET(NUM_THREAD_Z):
        no_product(n);
        n->product_step = offset == OFFSET(NUM_THREAD_X) ? 1 : 2;
        n->partial      = 0;
        n->stale        = true;
        break;
    default: break;
    }
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        if (offset == engine_mask_offset[e]) {
            n->engines[e] = value != 0;
            n->stale      = true;
        }
    }
}

// Rule 10.
static void go(totem_bank *n, const totem_bank *s, const totem_bank_in *i)
{
    const uint8_t target = i->arbiter_go ? i->arbiter_selected : s->next_queue;
    const bool    old    = s->saving || i->packet_save || s->write_valid || i->packet_write || s->stale ||
                     full_product(s); // what still belongs to the queue before
    const bool clear = s->clear_pending[target] || (s->clear_active && s->clear_queue == target);

    if (i->arbiter_go) {
        n->loaded     = false;
        n->loading    = false;
        n->go_pending = true;
        n->next_queue = i->arbiter_selected;
    }
    if ((i->arbiter_go || s->go_pending) && !old && !clear) {
        n->go_pending = false;
        n->loading    = true;
        n->step       = 0;
        n->queue      = target;
        n->stale      = false; // a table that completes now belongs to the queue before
        no_product(n);
    }
}

// Rule 12.
static void guest(totem_bank *n, const totem_bank *s, const totem_bank_in *i)
{
    n->answer = guest_reads(s);
    if (guest_reads(s) || writer(s) == GUEST)
        n->guest_valid = false;
    if (i->mqd_valid && !s->guest_valid) {
        n->guest_valid  = true;
        n->guest_write  = i->mqd_write;
        n->guest_queue  = i->mqd_queue;
        n->guest_offset = i->mqd_offset;
        n->guest_data   = i->mqd_data;
    }
}

void totem_bank_step(totem_bank *s, const totem_bank_in *i)
{
    totem_bank n = *s; // what follows the clock edge; s stays as it was before

    n.write_valid = false;
    n.asked       = i->divide_read;
    n.asked_place = i->divide_place;
    product(&n, s, i);
    if (writer(s) == DERIVE)
        n.stale = false;
    table(&n, s);
    clearing(&n, s);
    if (writer(s) == SAVE) {
        if (s->step >= LAST_SAVE)
            n.saving = false;
        else
            n.step = (uint8_t)(s->step + 1);
    }
    if (s->loading)
        load(&n, s, i->ram_read_data, i->arbiter_go);
    if (i->packet_write)
        packet_write(&n, i->packet_offset, i->packet_data);
    if (i->packet_start) {
        if (!s->saved[s->queue])
            n.restart_end = i->packet_start_end;
        n.saved[s->queue] = false;
    }
    if (i->packet_save) {
        n.saving          = true;
        n.loading         = false;
        n.loaded          = false;
        n.step            = 0;
        n.saved[s->queue] = true;
        n.restart         = i->walker_low;
        n.restart_mask    = i->walker_mask;
    }
    go(&n, s, i);
    if (i->load_valid && i->load_kind == 0 && (i->load_data & 1) != 0) {
        const bool written     = (i->load_data & 2) != 0;
        n.raw[i->load_queue]   = written;
        n.saved[i->load_queue] = written && (i->load_data & 4) != 0;
        if (!written)
            n.clear_pending[i->load_queue] = true;
        if (i->load_queue == s->queue)
            no_product(&n);
    }
    if (i->load_valid && i->load_kind == 16 && (i->load_data & 1) != 0) { // MOVED: loaded at a switch
        n.raw[i->load_queue]   = true;
        n.saved[i->load_queue] = s->saved[i->load_queue] && (i->load_data & 4) != 0;
        if (i->load_queue == s->queue)
            no_product(&n);
    }
    if (i->load_valid && i->load_kind == 11) // SKIP: the grid goes with its packet
        n.saved[i->load_queue] = false;
    guest(&n, s, i);

    *s = n;
}
