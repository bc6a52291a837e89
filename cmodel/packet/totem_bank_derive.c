// SPDX-License-Identifier: Apache-2.0
//
// totem_bank_derive: part of totem_bank, twin of rtl/packet/totem_bank_derive.v, from docs/contract/bank.md.

#include "totem_bank_derive.h"

#include "totem_bank_write.h"

enum { MOST_THREADS = 8191 };

static uint16_t saturate(uint32_t value)
{
    return (uint16_t)(value < MOST_THREADS ? value : MOST_THREADS);
}

unsigned totem_bank_derive_offset(const totem_bank *s)
{
    switch (s->derive_step) {
    case DERIVE_READ_X: return OFFSET(NUM_THREAD_X);
    case DERIVE_READ_Y: return OFFSET(NUM_THREAD_Y);
    case DERIVE_READ_WORDS: return OFFSET(PGM_RSRC1);
    case DERIVE_TAKE_WORD: return engine_mask_offset(0);
    case DERIVE_TAKE_SE0: return engine_mask_offset(1);
    case DERIVE_TAKE_SE1: return engine_mask_offset(2);
    case DERIVE_TAKE_SE2: return engine_mask_offset(3);
    default: return OFFSET(NUM_THREAD_Z);
    }
}

// 2 Deriving, continued: the selected queue comes first, but another one after each time it did.
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

// 2 Deriving, continued: the result is stored.
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

// 2 Deriving: X times Y times Z, saturating, a bit of the multiplier at a time; and the words that need no product.
void totem_bank_derive(totem_bank *n, const totem_bank *s, uint32_t word)
{
    const unsigned full      = word & 0xffff;
    const unsigned partial   = word >> 16;
    const unsigned dimension = s->derive_step == DERIVE_READ_Y ? 0 : s->derive_step == DERIVE_READ_Z ? 1 : 2;
    const uint16_t read      = saturate((combo(s) >> dimension & 1) != 0 ? partial : full);
    const uint16_t sum       = (s->times_y & 1) != 0 ? saturate((uint32_t)s->sum + s->factor) : s->sum;

    switch (s->derive_step) {
    case DERIVE_IDLE: choose(n, s); break;
    case DERIVE_RESULT:
        if (write_result(s))
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
        n->sum         = FIELD(word, TOTEM_COMPUTE_PGM_RSRC1_VGPRS);
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
