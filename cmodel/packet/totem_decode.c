// SPDX-License-Identifier: Apache-2.0
//
// totem_decode: twin of rtl/packet/totem_decode.v, from docs/contract/decode.md.

#include "totem_decode.h"

#include "../lib/totem_upper.h"
#include "../memory/totem_memory_values.h"
#include "totem_decode_table.h"

enum { READ_ERROR = TOTEM_ERROR_MEMORY_READ_SLVERR - 1, LONG_NOP = 0x3fff, LAST_PLACE = 15 };

// A field of a generated header.
#define FIELD(word, name) ((word) >> name##_LSB & name##_MASK)

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

static bool offered(const totem_decode *s)
{
    return s->dwords.count != 0;
}

static uint8_t op(const totem_decode *s)
{
    return FIELD(s->header, TOTEM_PM4_HEADER_OPCODE);
}

static uint8_t beat_error(const totem_decode *s)
{
    return s->dwords.head >> 32 & 3;
}

static bool wrong(const totem_decode *s)
{
    return beat_error(s) != 0;
}

static totem_decode_row row_of(const totem_decode *s)
{
    return totem_decode_find(s->drawn, op(s));
}

static bool ruled(const totem_decode *s)
{
    return s->kind != TOTEM_KIND_NONE && s->kind != TOTEM_KIND_ERROR && s->kind != TOTEM_KIND_PASS;
}

// Offset and values end at the last register of a window; an offset beyond it is wrong even without a value. In pairs
// every value has its own.
static bool beyond(const totem_decode *s)
{
    const totem_decode_row row = row_of(s);
    const uint32_t         end = ((uint32_t)s->address & 0xffff) + (s->rest != 0 && row.pairs == 0 ? s->rest : 1u);

    return row.window != 0 && end > row.window;
}

// The first check of the operands that fails, 0: none.
static uint8_t bad_operand(const totem_decode *s)
{
    const uint8_t code = totem_decode_code(s->drawn, op(s), s->control);

    if (s->far)
        return TOTEM_ERROR_PACKET_ADDRESS;
    if (!ruled(s))
        return 0;
    if (code != 0)
        return code;
    return beyond(s) ? row_of(s).window_code : 0;
}

static bool elsewhere(const totem_decode *s)
{
    const uint32_t offset = (uint32_t)s->address & 0xffff;

    return s->kind == TOTEM_KIND_REGISTERS && (offset < TOTEM_SH_COMPUTE_FIRST || offset > TOTEM_SH_COMPUTE_LAST);
}

static bool is_offset(const totem_decode *s)
{
    return s->phase == DECODE_DATA && s->turn == TURN_OFFSET && row_of(s).pairs != 0;
}

static bool writes_context(const totem_decode_row *row)
{
    return row->kind == TOTEM_KIND_CONTEXT || row->kind == TOTEM_KIND_MODIFY || row->kind == TOTEM_KIND_LOAD;
}

void totem_decode_outputs(const totem_decode *s, totem_decode_out *o)
{
    o->dword_ready = s->dwords.count < 2;
    o->boundary    = s->phase == DECODE_HEADER || s->phase == DECODE_CHECK;
    o->stream      = s->phase == DECODE_DATA;
    o->unread      = s->phase == DECODE_GIVE
                         ? s->fault != MEMORY_OK
                         : (s->phase == DECODE_BODY || s->phase == DECODE_DATA) && offered(s) && wrong(s);
    o->valid       = s->phase == DECODE_GIVE || o->unread || (s->phase == DECODE_DATA && offered(s) && !is_offset(s));
    o->kind        = s->kind;
    o->last        = s->phase == DECODE_GIVE || s->rest == 1;
    if (s->code != 0)
        o->code = s->code;
    else
        o->code = o->unread ? (uint8_t)(READ_ERROR + beat_error(s)) : bad_operand(s);
    o->header  = s->header;
    o->length  = s->length;
    o->counted = s->counted || elsewhere(s);

    const totem_decode_row row = row_of(s);
    o->writes_context          = writes_context(&row) || row.kind == TOTEM_KIND_CLEAR;

    o->control = s->control;
    o->address = s->address;
    o->data    = s->phase == DECODE_DATA ? with_low(s->data, (uint32_t)s->dwords.head) : s->data;
    o->extra   = s->extra;
    o->second  = s->second;
}

// 2 Packet, continued: DECODE_HEADER.
static void look(totem_decode *n, const totem_decode *s, const totem_decode_in *i)
{
    const uint32_t word  = (uint32_t)s->dwords.head;
    const uint32_t count = FIELD(word, TOTEM_PM4_HEADER_COUNT);
    const bool     tiny  = FIELD(word, TOTEM_PM4_HEADER_OPCODE) == TOTEM_OP_NOP && count == LONG_NOP;

    n->header = word;
    n->drawn  = i->graphics;
    n->fault  = beat_error(s);
    n->length = FIELD(word, TOTEM_PM4_HEADER_TYPE) == HEADER_PACKET && !tiny ? (uint16_t)(count + 2) : 1;
    n->phase  = DECODE_CHECK;
}

static void refuse(totem_decode *n, unsigned code)
{
    n->kind = TOTEM_KIND_ERROR;
    n->code = (uint8_t)code;
}

// It writes registers of the bank, or may.
static bool of_bank(uint8_t kind)
{
    return kind == TOTEM_KIND_REGISTERS || kind == TOTEM_KIND_SHADER || kind == TOTEM_KIND_COPY ||
           kind == TOTEM_KIND_LOAD_REGISTERS;
}

// 2 Packet, continued: DECODE_CHECK.
static void check(totem_decode *n, const totem_decode *s, const totem_decode_in *i)
{
    const uint32_t         type = FIELD(s->header, TOTEM_PM4_HEADER_TYPE);
    const totem_decode_row row  = row_of(s);
    const uint64_t         end  = (uint64_t)i->execute_deferred + s->length;

    if (i->arbiter_leave) {
        n->phase = DECODE_HEADER;
        return;
    }
    n->code    = 0;
    n->counted = false;
    n->far     = false;
    n->control = s->header;
    n->phase   = DECODE_GIVE;
    if (s->fault != MEMORY_OK) {
        refuse(n, READ_ERROR + s->fault);
    } else if (type == HEADER_FILLER) {
        n->kind = TOTEM_KIND_NONE;
    } else if (type != HEADER_PACKET || !totem_decode_known(s->drawn, op(s))) {
        if (i->execute_skip) {
            n->kind   = TOTEM_KIND_PASS;
            n->length = 1; // where the next packet begins is not known
        } else {
            refuse(n, type != HEADER_PACKET ? TOTEM_ERROR_PACKET_HEADER_TYPE : TOTEM_ERROR_PACKET_OPCODE);
        }
    } else if (i->execute_group != 0 && i->execute_group < s->length) {
        refuse(n, TOTEM_ERROR_PACKET_BOUNCE_COUNT);
    } else if (i->execute_group != 0 && op(s) != TOTEM_OP_NOP && !writes_context(&row)) {
        refuse(n, TOTEM_ERROR_PACKET_BOUNCE_CONTENT);
    } else if (i->fetch_available < end) {
        refuse(n, i->fetch_in_buffer ? TOTEM_ERROR_PACKET_COUNT_PAST_IB : TOTEM_ERROR_PACKET_COUNT_PAST_WPTR);
    } else if (i->execute_skip) {
        n->kind = TOTEM_KIND_PASS;
    } else if (!totem_decode_sized(s->drawn, op(s), FIELD(s->header, TOTEM_PM4_HEADER_COUNT))) {
        refuse(n, TOTEM_ERROR_PACKET_COUNT_FORM);
    } else if (row.refused && TOTEM_TASKS == 0) {
        refuse(n, TOTEM_ERROR_PACKET_FEATURE);
    } else if (of_bank(row.kind) && !i->bank_loaded) {
        n->phase = DECODE_CHECK; // registers of the queue are not in place yet
    } else if (s->length == 1) {
        n->kind = TOTEM_KIND_NONE;
    } else {
        n->kind    = row.kind;
        n->rest    = (uint16_t)((s->length - 1) & 0x7fff);
        n->place   = 1;
        n->turn    = TURN_OFFSET;
        n->counted = !totem_decode_executed(s->drawn, op(s));
        n->phase   = row.at_stream == 1 ? DECODE_DATA : DECODE_BODY;
    }
}

// The upper dword of an address: its part at the memory port.
static uint32_t keep_upper(totem_decode *n, const totem_decode *s, const totem_decode_in *i, bool accessed)
{
    const uint32_t       word  = (uint32_t)s->dwords.head;
    const uint8_t        above = (uint8_t)(i->settings_address_high >> 8 * i->fe_number);
    const totem_upper_in in    = {.address = (uint16_t)word, .above = above};
    totem_upper_out      upper;

    totem_upper_outputs(&in, &upper);
    if (upper.strange && accessed && !s->far) {
        n->far     = true;
        n->control = word;
    }
    return upper.page;
}

// A body dword goes where its packet needs it.
static void keep(totem_decode *n, const totem_decode *s, const totem_decode_in *i, const totem_decode_row *row)
{
    const uint32_t word = (uint32_t)s->dwords.head;

    if (row->at_control != 0 && s->place == row->at_control && !s->far)
        n->control = word;
    if (row->at_address != 0 && s->place == row->at_address)
        n->address = with_low(s->address, word);
    if (row->at_address != 0 && s->place == row->at_address + 1)
        n->address = with_high(s->address, keep_upper(n, s, i, totem_decode_accessed(s->drawn, op(s), s->control)));
    if (row->at_data != 0 && s->place == row->at_data)
        n->data = with_low(s->data, word);
    if (row->at_high != 0 && s->place == row->at_high)
        n->data = with_high(s->data,
                            totem_decode_accessed_data(s->drawn, op(s), s->control) ? keep_upper(n, s, i, true) : word);
    if (row->at_extra != 0 && s->place == row->at_extra)
        n->extra = word;
    if (row->at_second != 0 && s->place == row->at_second)
        n->second = with_low(s->second, word);
    if (row->at_second != 0 && s->place == row->at_second + 1)
        n->second = with_high(
            s->second, totem_decode_accessed_second(s->drawn, op(s), s->control) ? keep_upper(n, s, i, true) : word);
}

// 2 Packet, continued: DECODE_BODY.
static void body(totem_decode *n, const totem_decode *s, const totem_decode_in *i)
{
    const totem_decode_row row = row_of(s);

    if (!offered(s))
        return;
    if (wrong(s)) {
        if (i->execute_ready)
            n->phase = DECODE_HEADER;
        return;
    }
    n->rest = (uint16_t)((s->rest - 1) & 0x7fff);
    if (s->place != LAST_PLACE)
        n->place = (uint8_t)(s->place + 1);
    keep(n, s, i, &row);
    if (s->rest == 1)
        n->phase = DECODE_GIVE;
    else if (row.at_stream != 0 && ((s->place + 1) & 15) == row.at_stream)
        n->phase = DECODE_DATA;
}

// 2 Packet, continued: DECODE_DATA.
static void data(totem_decode *n, const totem_decode *s, const totem_decode_in *i)
{
    const uint32_t         word = (uint32_t)s->dwords.head;
    const totem_decode_row row  = row_of(s);

    if (!offered(s) || !i->execute_ready)
        return;
    n->rest = (uint16_t)((s->rest - 1) & 0x7fff);
    if (is_offset(s) && !wrong(s)) {
        if (!s->far)
            n->control = word;
        n->address = word & 0xffff;
        n->turn    = TURN_FIRST;
        if (s->rest == 1)
            n->phase = DECODE_GIVE;
        return;
    }
    if (row.pairs != 0) {
        n->address = s->control >> 16;
        n->turn    = s->turn == TURN_FIRST && row.pairs == 2 ? TURN_SECOND : TURN_OFFSET;
    } else {
        n->address = (s->address + totem_decode_stride(s->drawn, op(s), s->control)) & ADDRESS_MASK;
    }
    n->counted = s->counted || elsewhere(s);
    if (s->rest == 1 || wrong(s) || s->code != 0 || bad_operand(s) != 0)
        n->phase = DECODE_HEADER;
}

void totem_decode_step(totem_decode *s, const totem_decode_in *i)
{
    totem_decode n       = *s; // what follows the clock edge; s stays as it was before
    const bool   looking = s->phase == DECODE_HEADER && i->execute_ready && !i->arbiter_leave && !i->execute_drop;

    // 1 Inbox
    const totem_inbox_in in = {
        .in_valid = i->fetch_dword_valid,
        .in_data  = (uint64_t)i->fetch_dword_error << 32 | i->fetch_dword_data,
        .out_take = looking || (s->phase == DECODE_BODY && (!wrong(s) || i->execute_ready)) ||
                    (s->phase == DECODE_DATA && i->execute_ready),
    };
    totem_inbox_step(&n.dwords, &in);
    if (i->execute_left || i->execute_drop)
        n.dwords.count = 0;

    // 2 Packet
    switch (s->phase) {
    case DECODE_HEADER:
        if (looking && offered(s))
            look(&n, s, i);
        break;
    case DECODE_CHECK: check(&n, s, i); break;
    case DECODE_BODY: body(&n, s, i); break;
    case DECODE_DATA: data(&n, s, i); break;
    case DECODE_GIVE:
        if (i->execute_ready)
            n.phase = DECODE_HEADER;
        break;
    default: break;
    }

    // 3 Left
    if (i->execute_left)
        n.phase = DECODE_HEADER;

    *s = n;
}

// The inbox holds at most two dwords; a body dword is still to come in BODY and DATA.
bool totem_decode_invariant(const totem_decode *s)
{
    const bool more = s->phase == DECODE_BODY || s->phase == DECODE_DATA;

    return s->dwords.count <= 2 && s->phase <= DECODE_GIVE && (!more || s->rest >= 1);
}
