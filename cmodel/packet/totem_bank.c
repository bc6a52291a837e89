// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: twin of rtl/packet/totem_bank.v, from docs/contract/bank.md.

#include "totem_bank.h"

#include "../queue/totem_hqd_values.h"
#include "totem_pm4.h"

// Offsets of registers from the start of the compute block.
#define OFFSET(name) (TOTEM_SH_COMPUTE_##name - TOTEM_SH_COMPUTE_FIRST)

enum { USER_FIRST = OFFSET(USER_DATA_0), USER_COUNT = 16 };
enum { FRESH_READS = 8, RESUME_READS = 16, LAST_SAVE = 6, ENGINES_AT = 6 };
enum { MOST_THREADS = 8191, TABLE_WORD = 10 };

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
    } else if (offset == OFFSET_RSRC3) {
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

// Which of the six writers has its turn in this clock.
enum { NONE, REGISTER, SAVE, DERIVE, DERIVED_RESULT, CLEAR, GUEST };

static bool clears_to_come(const totem_bank *s)
{
    bool pending = s->clear_active;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        pending = pending || s->clear_pending[q];
    return pending;
}

static bool reads_itself(const totem_bank *s)
{
    return (s->derive_step >= DERIVE_READ_X && s->derive_step <= DERIVE_READ_Z) ||
           (s->derive_step >= DERIVE_READ_WORDS && s->derive_step < DERIVE_TAKE_SE3);
}

// The stage at hand, and the group that it is about: partial in x (bit 0), y, z.
static uint8_t stage_of(const totem_bank *s)
{
    return s->stage[s->derive_queue];
}

static unsigned combo_of(const totem_bank *s)
{
    return (stage_of(s) - 2u) & 7;
}

static bool in_table(const totem_bank *s)
{
    return stage_of(s) != STAGE_WORDS && stage_of(s) != STAGE_FULL;
}

static int writer(const totem_bank *s)
{
    if (s->write_valid)
        return REGISTER;
    if (s->saving)
        return SAVE;
    if (s->stale && !s->loading)
        return DERIVE;
    if (s->derive_step == DERIVE_RESULT && !s->loading)
        return DERIVED_RESULT;
    if (s->clear_active)
        return CLEAR;
    return s->guest_valid && s->guest_write && !clears_to_come(s) && !reads_itself(s) ? GUEST : NONE;
}

static bool guest_reads(const totem_bank *s)
{
    return s->guest_valid && !s->guest_write && writer(s) == NONE && !clears_to_come(s) && !s->loading &&
           !reads_itself(s) && !s->asked;
}

static uint16_t ram_place(uint8_t queue, unsigned offset)
{
    return (uint16_t)(queue * 128u + offset);
}

static uint8_t last_read(const totem_bank *s)
{
    return s->saved[s->queue] ? RESUME_READS : FRESH_READS;
}

static uint32_t derived_word(const totem_bank *s)
{
    uint32_t word = s->vgprs;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
        word |= (uint32_t)s->engines[e] << (ENGINES_AT + e);
    return word;
}

static uint32_t cleared(uint8_t offset)
{
    if (offset == OFFSET_DERIVED)
        return ((1u << TOTEM_SE_COUNT) - 1) << ENGINES_AT;
    return totem_sh_reset(TOTEM_SH_COMPUTE_FIRST + offset);
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
        offset = OFFSET_DERIVED;
        value  = derived_word(s);
        break;
    case DERIVED_RESULT:
        queue  = s->derive_queue;
        offset = stage_of(s) == STAGE_WORDS ? OFFSET_DERIVED : OFFSET_THREADS;
        value  = s->sum;
        break;
    case CLEAR:
        queue  = s->clear_queue;
        offset = s->clear_step;
        value  = cleared(s->clear_step);
        break;
    default: // the guest, or nobody
        queue  = s->guest_queue;
        offset = s->guest_offset;
        value  = s->guest_data;
        break;
    }
    o->ram_write_enable = writer(s) != NONE && !(writer(s) == DERIVED_RESULT && in_table(s));
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
    const half h   = half_of(shown);
    const bool any = writer(s) == REGISTER || writer(s) == CLEAR || writer(s) == GUEST;

    o->state_low_write_enable  = any && h.low;
    o->state_high_write_enable = any && h.high;
    o->state_low_write_addr    = (uint8_t)(owner * 16 + h.word);
    o->state_low_write_data    = word;
    if (writer(s) == DERIVED_RESULT) {
        const unsigned combo       = combo_of(s);
        o->state_low_write_enable  = in_table(s) && (combo & 1) == 0;
        o->state_high_write_enable = in_table(s) && (combo & 1) == 1;
        o->state_low_write_addr    = (uint8_t)(s->derive_queue * 16u + TABLE_WORD + combo / 2);
        o->state_low_write_data    = s->sum;
    }
    o->state_high_write_addr = o->state_low_write_addr;
    o->state_high_write_data = o->state_low_write_data;
}

// What a product reads in this step.
static unsigned derive_offset(const totem_bank *s)
{
    switch (s->derive_step) {
    case DERIVE_READ_X: return OFFSET(NUM_THREAD_X);
    case DERIVE_READ_Y: return OFFSET(NUM_THREAD_Y);
    case DERIVE_READ_WORDS: return OFFSET(PGM_RSRC1);
    case DERIVE_TAKE_WORD: return engine_mask_offset[0];
    case DERIVE_TAKE_SE0: return engine_mask_offset[1];
    case DERIVE_TAKE_SE1: return engine_mask_offset[2];
    case DERIVE_TAKE_SE2: return engine_mask_offset[3];
    default: return OFFSET(NUM_THREAD_Z);
    }
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
        offset = derive_offset(s);
        queue  = s->derive_queue;
    }
    o->ram_read_enable = s->loading ? s->step < last_read(s) : reads_itself(s) || s->asked;
    o->ram_read_addr   = ram_place(queue, offset);
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
    const uint8_t  own  = s->stage[s->queue];

    o->loaded         = s->loaded;
    o->busy           = s->saving || own == STAGE_WORDS || own == STAGE_FULL;
    o->threads        = s->threads;
    o->partial        = own == STAGE_NONE ? s->partial[s->queue] : PARTIAL_COMPUTING;
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
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        o->prepared[q] = s->stage[q] == STAGE_NONE && !s->clear_pending[q] && !(s->clear_active && s->clear_queue == q);
    ram_writes(s, o);
    ram_reads(s, o);
}

// Rule 2, at rest: the selected queue comes first, but another one after each time it did.
static void choose(totem_bank *n, const totem_bank *s)
{
    bool    found = false;
    uint8_t turn  = 0;
    for (unsigned k = 1; k <= TOTEM_QUEUES; k++) {
        const uint8_t q = (uint8_t)((s->derive_turn + k) % TOTEM_QUEUES);
        if (!found && s->stage[q] != STAGE_NONE) {
            found = true;
            turn  = q;
        }
    }
    if (!found)
        return;
    n->derive_own   = s->stage[s->queue] != STAGE_NONE && !s->derive_own;
    n->derive_queue = n->derive_own ? s->queue : turn;
    if (!n->derive_own)
        n->derive_turn = turn;
    n->derive_step = s->stage[n->derive_queue] == STAGE_WORDS ? DERIVE_READ_WORDS : DERIVE_READ_X;
}

// Rule 2, the result is written: this stage is done.
static void result(totem_bank *n, const totem_bank *s)
{
    const uint8_t d     = s->derive_queue;
    const uint8_t stage = s->stage[d];
    n->derive_step      = DERIVE_IDLE;
    n->stage[d]         = (stage + 1) & 15;
    if (stage == STAGE_FULL && d == s->queue)
        n->threads = s->sum;
    if (stage == STAGE_LAST) {
        n->stage[d]   = STAGE_NONE;
        n->partial[d] = s->sum == 0 ? PARTIAL_ZERO : s->above ? PARTIAL_ABOVE : PARTIAL_READY;
    }
}

// Rule 2: X times Y times Z, saturating, a bit of the multiplier at a time; and the words that need no product.
static void derive(totem_bank *n, const totem_bank *s, uint32_t word)
{
    const unsigned full      = word & 0xffff;
    const unsigned partial   = word >> 16;
    const unsigned dimension = s->derive_step == DERIVE_READ_Y ? 0 : s->derive_step == DERIVE_READ_Z ? 1 : 2;
    const uint16_t read      = saturate((combo_of(s) >> dimension & 1) != 0 ? partial : full);
    const uint16_t sum       = (s->times_y & 1) != 0 ? saturate((uint32_t)s->sum + s->factor) : s->sum;

    switch (s->derive_step) {
    case DERIVE_IDLE: choose(n, s); break;
    case DERIVE_RESULT:
        if (writer(s) == DERIVED_RESULT)
            result(n, s);
        break;
    case DERIVE_READ_X: n->derive_step = DERIVE_READ_Y; break;
    case DERIVE_READ_Y:
        n->factor      = read;
        n->above       = partial > full;
        n->derive_step = DERIVE_READ_Z;
        break;
    case DERIVE_READ_Z:
        n->times_y     = read;
        n->above       = s->above || partial > full;
        n->derive_step = DERIVE_TAKE_Z;
        break;
    case DERIVE_TAKE_Z:
        n->times_z     = read;
        n->above       = s->above || partial > full;
        n->sum         = 0;
        n->derive_step = DERIVE_TIMES_Y;
        break;
    case DERIVE_TIMES_Y:
    case DERIVE_TIMES_Z:
        if (s->times_y >> 1 != 0) {
            n->sum     = sum;
            n->factor  = saturate(2u * s->factor);
            n->times_y = s->times_y >> 1;
        } else if (s->derive_step == DERIVE_TIMES_Y) {
            n->factor      = sum;
            n->sum         = 0;
            n->times_y     = s->times_z;
            n->derive_step = DERIVE_TIMES_Z;
        } else {
            n->sum         = sum;
            n->derive_step = DERIVE_RESULT;
        }
        break;
    case DERIVE_READ_WORDS: n->derive_step = DERIVE_TAKE_WORD; break;
    case DERIVE_TAKE_WORD:
        n->sum         = word & 0x3f;
        n->derive_step = DERIVE_TAKE_SE0;
        break;
    case DERIVE_TAKE_SE0:
    case DERIVE_TAKE_SE1:
    case DERIVE_TAKE_SE2:
    case DERIVE_TAKE_SE3:
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            if (s->derive_step == DERIVE_TAKE_SE0 + e)
                n->sum = (uint16_t)((s->sum & ~(1u << (ENGINES_AT + e))) | (unsigned)(word != 0) << (ENGINES_AT + e));
        n->derive_step = s->derive_step == DERIVE_TAKE_SE3 ? DERIVE_RESULT : (uint8_t)(s->derive_step + 1);
        break;
    default: break;
    }
    if (reads_itself(s) && (s->loading || s->asked)) // its read was displaced
        n->derive_step = s->derive_step >= DERIVE_READ_WORDS ? DERIVE_READ_WORDS : DERIVE_READ_X;
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
        n->lds  = word >> 15 & 0x1ff;
        n->user = word >> 1 & 0x1f;
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
    if (s->step >= last_read(s)) {
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

// Rule 7.
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
        n->stage[n->queue] = STAGE_FULL;
        give_up(n, n->queue);
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

// Rule 12.
static void guest(totem_bank *n, const totem_bank *s, const totem_bank_in *i)
{
    if (writer(s) == GUEST) { // what an earlier mapping left to derive has no meaning any more
        give_up(n, s->guest_queue);
        n->stage[s->guest_queue] = STAGE_NONE;
    }
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
    n.asked_place = i->divide_read_place;
    derive(&n, s, i->ram_read_data);
    if (writer(s) == DERIVE)
        n.stale = false;
    clearing(&n, s);
    if (writer(s) == SAVE) {
        if (s->step >= LAST_SAVE)
            n.saving = false;
        else
            n.step = (uint8_t)(s->step + 1);
    }
    if (s->loading)
        load(&n, s, i->ram_read_data);
    if (i->packet_write)
        packet_write(&n, i->packet_offset, i->packet_data);
    if (i->packet_start) {
        if (!s->saved[s->queue])
            n.restart_end = i->packet_start_end;
        n.saved[s->queue] = false;
    }
    if (i->packet_forget)
        n.saved[s->queue] = false;
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
    guest(&n, s, i);

    *s = n;
}
