// SPDX-License-Identifier: Apache-2.0
//
// totem_tmd_load: twin of rtl/task/totem_tmd_load.v, from docs/contract/tmd_load.md.

#include "totem_tmd_load.h"

#include "../lib/totem_upper.h"
#include "../memory/totem_memory_values.h"
#include "../packet/totem_pm4.h"

enum { VERSION_02_02 = 0x22, VERSION_03_00 = 0x30 };

static bool bit(uint32_t dword, unsigned place)
{
    return (dword >> place & 1) != 0;
}

static uint64_t pair(uint32_t low, uint32_t high)
{
    return (uint64_t)high << 32 | low;
}

static uint32_t low(uint64_t word)
{
    return (uint32_t)word;
}

static uint32_t high(uint64_t word)
{
    return (uint32_t)(word >> 32);
}

static bool asks(const totem_tmd_load *s)
{
    return s->phase == META_FIRST || s->phase == META_SECOND;
}

void totem_tmd_load_outputs(const totem_tmd_load *s, totem_tmd_load_out *o)
{
    o->request_ready    = s->phase == META_REST;
    o->read_valid       = asks(s);
    o->read_addr        = (uint64_t)s->pointer << 8 | (s->phase == META_SECOND ? 128 : 0);
    o->read_beats       = 16;
    o->tmd_write_enable = s->write_enable;
    o->tmd_write_addr   = (TOTEM_TMD_LOAD_TMD_ADDR)(s->entry * 8u + s->write_word);
    o->tmd_write_data   = s->write_data;
    o->answer_valid     = s->answer_valid;
    o->answer_entry     = s->entry;
    o->answer_error     = s->code;
    o->answer_word      = s->value;
    o->answer_group     = s->common & 63;
    o->answer_head      = bit(s->common, 9);
    o->answer_dependent = s->dependent;
    o->answer_pointer   = s->target;
    o->answer_prefetch  = s->prefetch;
    o->answer_renew     = bit(s->action, 1);
    o->answer_empty     = s->empty;
}

static uint32_t flags(const totem_tmd_load *s, uint64_t w)
{
    if (!s->older)
        return high(w);
    return s->beat == 12 ? low(w) : high(s->kept);
}

static uint32_t address(const totem_tmd_load *s, uint64_t w)
{
    if (!s->older)
        return low(w);
    return s->beat == 12 ? high(s->kept) : low(s->kept);
}

static bool is_enabled(const totem_tmd_load *s, uint32_t f)
{
    return s->older ? bit(s->common, s->beat == 12 ? 10 : 11) : bit(f, 23);
}

// `top`: bits 39:32 of an address.
static bool is_strange(const totem_tmd_load_in *i, uint32_t top)
{
    const totem_upper_in in = {.address = (uint8_t)top,
                               .above   = (uint8_t)(i->settings_address_high >> 8 * i->fe_number)};
    totem_upper_out      out;
    totem_upper_outputs(&in, &out);
    return out.strange;
}

// META_RELEASE0 without LDS_SIZE, or META_RELEASE1.
static uint64_t release_word(const totem_tmd_load *s, uint64_t w)
{
    const uint32_t f     = flags(s, w);
    uint32_t       upper = (f & 255) | (uint32_t)is_enabled(s, f) << 8;
    if (s->older)
        upper |= (f >> 31) << 9;
    else
        upper |= (f >> 30) << 9 | (uint32_t)bit(f, 29) << 11 | (uint32_t)bit(f, 27) << 12;
    return pair(address(s, w), upper);
}

static uint64_t program_word(const totem_tmd_load *s, uint64_t w)
{
    const uint32_t copy  = s->older && bit(s->common, 15);
    const uint32_t upper = (high(w) & 0xffff) | (uint32_t)s->action << 16 | (uint32_t)s->prefetch << 19 | copy << 20 |
                           (uint32_t)s->membar << 21 | (uint32_t)s->invalidate << 23;
    return pair(low(w), upper);
}

static void put(totem_tmd_load *n, unsigned word, uint64_t data)
{
    n->write_enable = true;
    n->write_word   = (uint8_t)word;
    n->write_data   = data;
}

// 5 Fields
// 6 Words
static void fields(totem_tmd_load *n, const totem_tmd_load *s, uint64_t w)
{
    const uint32_t l = low(w), h = high(w), kl = low(s->kept), kh = high(s->kept);
    switch (s->beat) {
    case 2:
        n->common     = l;
        n->invalidate = (uint8_t)(h >> 26);
        break;
    case 5: n->membar = h >> 16 & 3; break;
    case 7:
        n->target = h;
        n->empty  = kl == 0 || (kh & 0xffff) == 0 || (l & 0xffff) == 0;
        put(n, META_GRID, pair(kl, (kh & 0xffff) | l << 16));
        break;
    case 8:
        n->lds = h & 0x3ffff;
        put(n, META_POINTER, pair(s->pointer, s->target));
        break;
    case 9:
        n->older     = (l & 255) == VERSION_02_02;
        n->dependent = n->older ? bit(s->common, 13) : bit(kl, 0);
        n->action    = n->older ? 3 : kl >> 1 & 7;
        n->prefetch  = n->older || bit(kl, 4);
        break;
    case 10: put(n, META_BLOCK, pair((kl & 0xffff0000u) | (h & 15) << 9 | (l >> 8 & 0x1ff), kh)); break;
    case 12: put(n, META_RELEASE0, release_word(s, w) | (uint64_t)s->lds << 46); break;
    case 13: put(n, META_PAYLOAD0, s->older ? kh : w); break;
    case 14: put(n, META_RELEASE1, release_word(s, w)); break;
    case 15: put(n, META_PAYLOAD1, s->older ? kl : w); break;
    case 24: put(n, META_PROGRAM, program_word(s, w)); break;
    default: break;
    }
}

static void fail(totem_tmd_load *n, uint32_t code, uint32_t value)
{
    n->code  = (uint8_t)code;
    n->value = value;
}

// 7 Errors, continued: in beat 9 checks 1 to 5, and if none before failed 7 to 11.
static void check_version(totem_tmd_load *n, const totem_tmd_load *s, const totem_tmd_load_in *i)
{
    const uint64_t w       = i->data_word;
    const uint32_t version = w & 255, common = s->common, kl = low(s->kept), action = kl >> 1 & 7;
    const bool     older = version == VERSION_02_02, newer = version == VERSION_03_00;
    if (!older && !newer)
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_VERSION, low(w));
    else if (bit(common, 8))
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_QUEUE, common);
    else if (newer && (common >> 14 & 0xffff) != 0)
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_COUNTER, common);
    else if (older && bit(common, 13) && !bit(common, 14))
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_TYPE, common);
    else if (s->strict && (common & 63) != s->group)
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_GROUP, common);
    else if (s->code != 0)
        return;
    else if ((newer ? bit(kl, 0) : bit(common, 13)) && is_strange(i, s->target >> 24))
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS, s->target);
    else if (newer && bit(kl, 5))
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_DEPENDENT1, kl);
    else if (newer && bit(kl, 0) && action != 1 && action != 3)
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_ACTION, kl);
    else if (low(w) >> 16 == 0)
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_FIELD, low(w));
    else if ((high(w) & 0xffff) == 0 || high(w) >> 16 == 0)
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_FIELD, high(w));
}

// 7 Errors
static void check(totem_tmd_load *n, const totem_tmd_load *s, const totem_tmd_load_in *i)
{
    const uint32_t h = high(i->data_word), f = flags(s, i->data_word);
    bool           bad   = false;
    uint32_t       value = h;
    if (s->code >> 5 == TOTEM_ERROR_CLASS_MEMORY)
        return;
    if (i->data_error != MEMORY_OK) {
        fail(n, TOTEM_ERROR_MEMORY_READ_SLVERR - 1u + i->data_error, s->pointer << 8 | (uint32_t)s->beat << 3);
        return;
    }
    if (s->beat == 9) {
        check_version(n, s, i);
        return;
    }
    if (s->beat == 5)
        bad = bit(h, 15) || bit(h, 18) || bit(h, 19) || (h >> 16 & 3) == 2;
    if (s->beat == 12 || s->beat == 14) {
        value = f;
        bad   = is_enabled(s, f) && (bit(f, 26) || (!s->older && (f >> 30 == 3 || bit(f, 28))));
    }
    if (s->beat == 26)
        bad = !s->older && bit(h, 23);
    if (s->code != 0)
        return;
    if (bad)
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_FIELD, value);
    else if ((s->beat == 12 || s->beat == 14) && is_enabled(s, f) && is_strange(i, f & 255))
        fail(n, TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS, f);
}

void totem_tmd_load_step(totem_tmd_load *s, const totem_tmd_load_in *i)
{
    totem_tmd_load n = *s; // what follows the clock edge; s stays as it was before

    // 1 Defaults
    n.answer_valid = false;
    n.write_enable = false;
    // 2 Request
    if (s->phase == META_REST && i->request_valid) {
        n.entry   = i->request_entry;
        n.pointer = i->request_pointer;
        n.strict  = i->request_strict;
        n.group   = i->request_group;
        n.beat    = 0;
        if (is_strange(i, i->request_pointer >> 24)) {
            n.answer_valid = true;
            fail(&n, TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS, i->request_pointer);
        } else {
            n.phase = META_FIRST;
            fail(&n, 0, 0);
        }
    }
    // 3 Bursts
    if (asks(s) && i->read_ready)
        n.phase = (uint8_t)(s->phase + 1);
    // 4 Beat
    const bool taken = i->data_valid && s->phase >= META_SECOND;
    if (taken) {
        n.kept = i->data_word;
        n.beat = i->data_last ? 16 : (s->beat + 1) & 31;
        if (i->data_last && s->phase == META_WAIT && s->beat >= 16) {
            n.phase        = META_REST;
            n.answer_valid = true;
        }
        fields(&n, s, i->data_word);
        check(&n, s, i);
    }

    *s = n;
}
