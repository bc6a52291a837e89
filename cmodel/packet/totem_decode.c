// SPDX-License-Identifier: Apache-2.0
//
// totem_decode: twin of rtl/packet/totem_decode.v, from docs/contract/decode.md.

#include "totem_decode.h"

#include "../queue/totem_phases.h"
#include "totem_decode_table.h"

enum { TOTEM_DECODE_PHASES(TOTEM_PHASE) };

enum { READ_ERROR = TOTEM_ERROR_MEMORY_READ_SLVERR - 1, LONG_NOP = 0x3fff, LAST_PLACE = 7 };

#define LOW32 ((uint64_t)0xffffffffu)
#define ADDRESS_MASK ((uint64_t)0xffffffffffu)

static uint64_t with_low(uint64_t word, uint32_t low)
{
    return (word & ~LOW32) | low;
}

static uint64_t with_high(uint64_t word, uint32_t high)
{
    return (word & LOW32) | (uint64_t)high << 32;
}

static uint8_t opcode(const totem_decode *s)
{
    return s->header >> 8 & 0xff;
}

static uint8_t beat_error(const totem_decode *s)
{
    return s->dwords.head >> 32 & 3;
}

// The rules of its opcode hold for what is handed over.
static bool ruled(const totem_decode *s)
{
    return s->kind != TOTEM_KIND_NONE && s->kind != TOTEM_KIND_ERROR && s->kind != TOTEM_KIND_PASS;
}

// The first check of the operands that fails, 0: none.
static uint8_t bad_operand(const totem_decode *s)
{
    const totem_decode_row row    = totem_decode_find(opcode(s));
    const uint32_t         offset = (uint32_t)s->address & 0xffff;

    if (!ruled(s))
        return 0;
    const uint8_t code = totem_decode_code(opcode(s), s->control);
    if (code != 0 || row.window == 0)
        return code;
    // Offset and values end at the last register; an offset beyond it is wrong even without a value.
    const uint32_t end = offset + (s->rest != 0 ? s->rest : 1u);
    return end > row.window ? row.window_code : 0;
}

// Registers that the bank does not have.
static bool elsewhere(const totem_decode *s)
{
    const uint32_t offset = (uint32_t)s->address & 0xffff;
    const bool     writes = ruled(s) && totem_decode_find(opcode(s)).window != 0;

    return writes && (offset < TOTEM_SH_COMPUTE_FIRST || offset > TOTEM_SH_COMPUTE_LAST);
}

void totem_decode_outputs(const totem_decode *s, totem_decode_out *o)
{
    const bool offered = s->dwords.count != 0;

    o->dword_ready = s->dwords.count < 2;
    o->boundary    = s->phase == HEADER || s->phase == CHECK;
    o->stream      = s->phase == DATA;
    o->unread      = (s->phase == BODY || s->phase == DATA) && offered && beat_error(s) != 0;
    o->valid       = s->phase == GIVE || o->unread || (s->phase == DATA && offered);
    o->kind        = s->kind;
    o->last        = s->phase == GIVE || s->rest == 1;
    if (o->unread)
        o->code = (uint8_t)(READ_ERROR + beat_error(s));
    else
        o->code = s->code != 0 ? s->code : bad_operand(s);
    o->header  = s->header;
    o->length  = s->length;
    o->counted = s->counted || elsewhere(s);
    o->control = s->control;
    o->address = s->address;
    o->data    = s->phase == DATA ? with_low(s->data, (uint32_t)s->dwords.head) : s->data;
    o->extra   = s->extra;
}

// -- rule 2, phase by phase --------------------------------------------------------------------------------------

static void look(totem_decode *n, const totem_decode *s)
{
    const uint32_t word  = (uint32_t)s->dwords.head;
    const uint32_t count = word >> 16 & 0x3fff;
    const bool     tiny  = (word >> 8 & 0xff) == TOTEM_OP_NOP && count == LONG_NOP;

    n->header = word;
    n->fault  = beat_error(s);
    n->length = word >> 30 == 3 && !tiny ? (uint16_t)(count + 2) : 1;
    n->phase  = CHECK;
}

static void refuse(totem_decode *n, unsigned code)
{
    n->kind = TOTEM_KIND_ERROR;
    n->code = (uint8_t)code;
}

static void check(totem_decode *n, const totem_decode *s, const totem_decode_in *i)
{
    const uint8_t          op   = opcode(s);
    const uint32_t         type = s->header >> 30;
    const totem_decode_row row  = totem_decode_find(op);

    if (i->arbiter_leave) {
        n->phase = HEADER;
        return;
    }
    n->code    = 0;
    n->counted = false;
    n->control = s->header;
    n->phase   = GIVE;
    if (s->fault != 0) {
        refuse(n, READ_ERROR + s->fault);
        n->control = (uint32_t)i->fetch_position;
    } else if (type == 2) {
        n->kind = TOTEM_KIND_NONE;
    } else if (type != 3 || !totem_op_known(op)) {
        if (i->execute_skip) {
            n->kind   = TOTEM_KIND_PASS;
            n->length = 1; // where the next packet begins is not known
        } else {
            refuse(n, type != 3 ? TOTEM_ERROR_PACKET_HEADER_TYPE : TOTEM_ERROR_PACKET_OPCODE);
        }
    } else if (i->fetch_available < s->length) {
        refuse(n, i->fetch_in_buffer ? TOTEM_ERROR_PACKET_COUNT_PAST_IB : TOTEM_ERROR_PACKET_COUNT_PAST_WPTR);
    } else if (i->execute_skip) {
        n->kind = TOTEM_KIND_PASS;
    } else if (!totem_decode_sized(op, s->header >> 16 & 0x3fff)) {
        refuse(n, TOTEM_ERROR_PACKET_COUNT_FORM);
    } else if (row.refused) {
        refuse(n, TOTEM_ERROR_PACKET_FEATURE);
    } else if (row.window != 0 && !i->bank_loaded) {
        n->phase = CHECK; // registers of the queue are not in place yet
    } else if (s->length == 1) {
        n->kind = TOTEM_KIND_NONE;
    } else {
        n->kind    = row.kind;
        n->rest    = (uint16_t)((s->length - 1) & 0x7fff);
        n->place   = 1;
        n->counted = !totem_op_executed(op);
        n->phase   = BODY;
    }
}

// A body dword goes where its packet needs it.
static void keep(totem_decode *n, const totem_decode *s, const totem_decode_row *row)
{
    const uint32_t word = (uint32_t)s->dwords.head;

    if (row->at_control != 0 && s->place == row->at_control)
        n->control = word;
    if (row->at_address != 0 && s->place == row->at_address)
        n->address = with_low(s->address, word);
    if (row->at_address != 0 && s->place == row->at_address + 1)
        n->address = with_high(s->address, word & 0xff);
    if (row->at_data != 0 && s->place == row->at_data)
        n->data = with_low(s->data, word);
    if (row->at_data != 0 && s->place == row->at_data + 1)
        n->data = with_high(s->data, word);
    if (row->at_extra != 0 && s->place == row->at_extra)
        n->extra = word;
}

static void body(totem_decode *n, const totem_decode *s, const totem_decode_in *i)
{
    const totem_decode_row row = totem_decode_find(opcode(s));

    if (s->dwords.count == 0)
        return;
    if (beat_error(s) != 0) {
        if (i->execute_ready)
            n->phase = HEADER;
        return;
    }
    n->rest = (uint16_t)((s->rest - 1) & 0x7fff);
    if (s->place != LAST_PLACE)
        n->place = (uint8_t)(s->place + 1);
    keep(n, s, &row);
    if (s->rest == 1)
        n->phase = GIVE;
    else if (row.at_stream != 0 && ((s->place + 1) & 7) == row.at_stream)
        n->phase = DATA;
}

static void data(totem_decode *n, const totem_decode *s, const totem_decode_in *i)
{
    if (s->dwords.count == 0 || !i->execute_ready)
        return;
    n->rest    = (uint16_t)((s->rest - 1) & 0x7fff);
    n->address = (s->address + totem_decode_stride(opcode(s), s->control)) & ADDRESS_MASK;
    n->counted = s->counted || elsewhere(s);
    if (s->rest == 1 || beat_error(s) != 0 || s->code != 0 || bad_operand(s) != 0)
        n->phase = HEADER;
}

void totem_decode_step(totem_decode *s, const totem_decode_in *i)
{
    totem_decode n       = *s; // what follows the clock edge; s stays as it was before
    const bool   looking = s->phase == HEADER && i->execute_ready && !i->arbiter_leave && !i->execute_drop;

    const totem_inbox_in in = {
        .in_valid = i->fetch_dword_valid,
        .in_data  = (uint64_t)i->fetch_dword_error << 32 | i->fetch_dword_data,
        .out_take = looking || (s->phase == BODY && (beat_error(s) == 0 || i->execute_ready)) ||
                    (s->phase == DATA && i->execute_ready),
    };
    totem_inbox_step(&n.dwords, &in);
    if (i->execute_left || i->execute_drop)
        n.dwords.count = 0;

    switch (s->phase) {
    case HEADER:
        if (looking && s->dwords.count != 0)
            look(&n, s);
        break;
    case CHECK: check(&n, s, i); break;
    case BODY: body(&n, s, i); break;
    case DATA: data(&n, s, i); break;
    case GIVE:
        if (i->execute_ready)
            n.phase = HEADER;
        break;
    default: break;
    }
    if (i->execute_left)
        n.phase = HEADER;

    *s = n;
}

// The inbox holds at most two dwords; a body dword is still to come in BODY and DATA.
bool totem_decode_invariant(const totem_decode *s)
{
    const bool more = s->phase == BODY || s->phase == DATA;

    return s->dwords.count <= 2 && s->phase <= GIVE && (!more || s->rest >= 1);
}
