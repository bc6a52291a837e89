// SPDX-License-Identifier: Apache-2.0
#define TOTEM_PM4_TABLES
#include "../packet/totem_pm4.h"

#include "pm4_assemble.h"

#include "nearest.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))
#define FILLER 0x80000000u

enum { LISTED = 12 }; // so many names a message lists

// A piece of the text: not ended by 0.
typedef struct {
    const char *start;
    size_t      length;
} piece;

typedef struct {
    uint32_t *words;
    size_t    room, count;
    char     *message;
    size_t    size;
} assembler;

static bool fail(const assembler *a, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool fail(const assembler *a, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(a->message, a->size, format, list);
    va_end(list);
    return false;
}

#define SHOW(p) (int)(p).length, (p).start

static piece next_piece(const char **position)
{
    const char *start = *position;
    while (isspace((unsigned char)*start))
        start++;
    const char *end = start;
    while (*end && !isspace((unsigned char)*end))
        end++;
    *position = end;
    return (piece){start, (size_t)(end - start)};
}

static bool is(piece p, const char *name)
{
    return strlen(name) == p.length && strncmp(p.start, name, p.length) == 0;
}

static bool is_hexadecimal(piece p)
{
    return p.length > 2 && p.start[0] == '0' && (p.start[1] == 'x' || p.start[1] == 'X');
}

// A number is one as a whole: 32_bit is a name.
static bool is_number(piece p)
{
    const bool hexadecimal = is_hexadecimal(p);
    for (size_t n = hexadecimal ? 2 : 0; n < p.length; n++)
        if (hexadecimal ? !isxdigit((unsigned char)p.start[n]) : !isdigit((unsigned char)p.start[n]))
            return false;
    return true;
}

static bool read_number(const assembler *a, piece p, uint64_t most, uint64_t *value)
{
    const bool     hexadecimal = is_hexadecimal(p);
    const unsigned base        = hexadecimal ? 16 : 10;
    *value                     = 0;
    if (!is_number(p))
        return fail(a, "'%.*s' is neither a number nor a name known here", SHOW(p));
    for (size_t n = hexadecimal ? 2 : 0; n < p.length; n++) {
        const int      sign  = tolower((unsigned char)p.start[n]);
        const unsigned digit = (unsigned)(isdigit(sign) ? sign - '0' : sign - 'a' + 10);
        if (digit > most || *value > (most - digit) / base)
            return fail(a, "%.*s is too large; the most is 0x%" PRIx64, SHOW(p), most);
        *value = *value * base + digit;
    }
    if (p.length == 0)
        return fail(a, "a number is missing; write field=value");
    if (!hexadecimal && p.start[0] == '0' && p.length > 1)
        return fail(a, "%.*s begins with 0; numbers are decimal, without a 0 in front, or 0x...", SHOW(p));
    return true;
}

static bool put(assembler *a, uint32_t word)
{
    if (a->count == a->room)
        return fail(a, "the packet has more than %zu dwords; split it", a->room);
    a->words[a->count++] = word;
    return true;
}

// Of fields of that name the one that counts whatever the chip, else that of a chip.
static const totem_pm4_field *find_field(totem_pm4_range range, piece name)
{
    const totem_pm4_field *found = NULL;
    for (unsigned n = range.first; n < (unsigned)range.first + range.count; n++)
        if (is(name, totem_pm4_fields[n].name) && (!found || totem_pm4_fields[n].chips & 1))
            found = &totem_pm4_fields[n];
    return found;
}

static bool find_register(piece name, unsigned rest, uint32_t *offset);

static bool find_value(const totem_pm4_field *field, piece name, uint64_t *value)
{
    uint32_t offset;
    if (field->show == TOTEM_PM4_SHOW_SH_REGISTER || field->show == TOTEM_PM4_SHOW_CONTEXT_REGISTER) {
        const bool sh = field->show == TOTEM_PM4_SHOW_SH_REGISTER;
        if (!find_register(name, sh ? TOTEM_PM4_REST_SH : TOTEM_PM4_REST_CONTEXT, &offset))
            return false;
        *value = offset;
        return true;
    }
    if (field->show < TOTEM_PM4_SHOW_ENUM)
        return false;
    totem_pm4_range range = totem_pm4_enums[field->show - TOTEM_PM4_SHOW_ENUM];
    for (unsigned n = range.first; n < (unsigned)range.first + range.count; n++) {
        if (!is(name, totem_pm4_values[n].name))
            continue;
        *value = totem_pm4_values[n].value;
        return true;
    }
    for (size_t n = 0; n < LENGTH(totem_pm4_others); n++) {
        if (totem_pm4_others[n].show != field->show || !is(name, totem_pm4_others[n].name))
            continue;
        *value = totem_pm4_others[n].value;
        return true;
    }
    return false;
}

// Adds words behind the message that stands there.
static void add(const assembler *a, const char *before, const char *words)
{
    const size_t used = strlen(a->message);
    snprintf(a->message + used, a->size - used, "%s%s", before, words);
}

static void add_nearest(const assembler *a, const char *before, const totem_nearest *near)
{
    char names[200];
    add(a, before, totem_nearest_text(near, names, sizeof names));
}

// A value that a field does not have: the message has those that it has, of many the nearest.
static bool refuse_value(const assembler *a, const totem_pm4_field *field, piece p, uint32_t most)
{
    totem_pm4_range range = totem_pm4_enums[field->show - TOTEM_PM4_SHOW_ENUM];
    totem_nearest   near  = {0};
    char            why[128];
    snprintf(why, sizeof why, "%s", a->message);
    fail(a, "%s: %s; its values are 0 to 0x%" PRIx32, field->name, why, most);
    for (unsigned n = 0; n < range.count; n++) {
        const char *name = totem_pm4_values[range.first + n].name;
        if (range.count <= LISTED)
            add(a, n ? " " : ", with a name ", name);
        else
            totem_nearest_see(&near, p.start, p.length, name);
    }
    if (range.count <= LISTED)
        return false;
    if (!is_number(p))
        add_nearest(a, "; the nearest names are ", &near);
    snprintf(why, sizeof why, "; docs/pm4.md lists all %u names", range.count);
    add(a, "", why);
    return false;
}

// A name that is no register of the window that a SET packet with this rest writes.
static bool refuse_register(const assembler *a, piece name, unsigned rest)
{
    totem_nearest near = {0};
    if (is_number(name))
        return false;
    for (size_t n = 0; n < LENGTH(totem_pm4_graphics); n++)
        if (totem_pm4_graphics[n].window == rest)
            totem_nearest_see(&near, name.start, name.length, totem_pm4_graphics[n].name);
    for (size_t n = 0; rest == TOTEM_PM4_REST_SH && n < LENGTH(totem_pm4_registers); n++)
        if (totem_pm4_registers[n].name)
            totem_nearest_see(&near, name.start, name.length, totem_pm4_registers[n].name);
    for (size_t n = 0; rest == TOTEM_PM4_REST_SH && n < LENGTH(totem_pm4_register_aliases); n++)
        totem_nearest_see(&near, name.start, name.length, totem_pm4_register_aliases[n].name);
    if (near.count && near.far[0] == 0)
        add(a, "; chips have it at several offsets: ", "write the offset");
    else if (near.count)
        add_nearest(a, "; the nearest registers are ", &near);
    return false;
}

// field=value,field=value
static bool read_fields(const assembler *a, piece p, totem_pm4_range range, uint32_t *word)
{
    *word          = 0;
    uint32_t given = 0;
    for (const char *at = p.start, *end = p.start + p.length; at < end;) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const char *stop  = comma ? comma : end;
        const char *sign  = memchr(at, '=', (size_t)(stop - at));
        if (!sign)
            return fail(a, "'%.*s' has no '='; write field=value", (int)(stop - at), at);
        piece                  name = {at, (size_t)(sign - at)}, text = {sign + 1, (size_t)(stop - sign) - 1};
        const totem_pm4_field *field = find_field(range, name);
        if (!field) {
            fail(a, "no field '%.*s' in this dword; %s", SHOW(name), range.count ? "its fields are" : "it has none");
            for (unsigned n = range.first; n < (unsigned)range.first + range.count; n++)
                add(a, " ", totem_pm4_fields[n].name);
            return false;
        }
        uint32_t mask = field->width == 32 ? UINT32_MAX : (UINT32_C(1) << field->width) - 1;
        if (given & mask << field->lsb)
            return fail(a, "field '%.*s' stands twice; remove one", SHOW(name));
        given |= mask << field->lsb;
        bool     in_place = field->show == TOTEM_PM4_SHOW_ADDR;
        uint64_t value;
        if (!find_value(field, text, &value) && !read_number(a, text, in_place ? mask << field->lsb : mask, &value))
            return field->show >= TOTEM_PM4_SHOW_ENUM               ? refuse_value(a, field, text, mask)
                   : field->show == TOTEM_PM4_SHOW_SH_REGISTER      ? refuse_register(a, text, TOTEM_PM4_REST_SH)
                   : field->show == TOTEM_PM4_SHOW_CONTEXT_REGISTER ? refuse_register(a, text, TOTEM_PM4_REST_CONTEXT)
                                                                    : false;
        if (in_place && (value & ~(uint64_t)(mask << field->lsb)))
            return fail(a, "%.*s is not aligned; its low %u bits must be 0", SHOW(name), field->lsb);
        *word |= in_place ? (uint32_t)value : (uint32_t)value << field->lsb;
        at = stop + (comma != NULL);
    }
    return true;
}

// The offset of a register in the window that a SET packet with this rest writes.
static bool find_register(piece name, unsigned rest, uint32_t *offset)
{
    const uint32_t address = totem_pm4_find_address(name.start, name.length, rest);
    if (address) {
        *offset = address - totem_pm4_window(rest);
        return true;
    }
    if (rest != TOTEM_PM4_REST_SH)
        return false;
    for (unsigned n = 0; n < LENGTH(totem_pm4_registers); n++) {
        if (!totem_pm4_registers[n].name || !is(name, totem_pm4_registers[n].name))
            continue;
        *offset = TOTEM_SH_COMPUTE_FIRST + n;
        return true;
    }
    for (size_t n = 0; n < LENGTH(totem_pm4_register_aliases); n++) {
        if (!is(name, totem_pm4_register_aliases[n].name))
            continue;
        *offset = totem_pm4_register_aliases[n].value;
        return true;
    }
    return false;
}

// Fields of the register a value goes to, chosen by the names used where chips differ.
static totem_pm4_range register_fields(unsigned rest, uint32_t offset, piece p)
{
    const char *sign = memchr(p.start, '=', p.length);
    piece       name = {p.start, sign ? (size_t)(sign - p.start) : 0};
    if (rest != TOTEM_PM4_REST_SH || offset < TOTEM_SH_COMPUTE_FIRST || offset > TOTEM_SH_COMPUTE_LAST) {
        size_t                 rows;
        const totem_pm4_named *row = totem_pm4_find_named(totem_pm4_window(rest) + offset, &rows);
        for (size_t n = 0; n < rows; n++)
            if (n + 1 == rows || find_field(row[n].fields, name))
                return row[n].fields;
        return (totem_pm4_range){0, 0};
    }
    const totem_pm4_register *entry = &totem_pm4_registers[offset - TOTEM_SH_COMPUTE_FIRST];
    for (size_t n = 0; n < LENGTH(entry->later); n++)
        if (entry->later[n].name && !find_field(entry->fields, name) && find_field(entry->later[n].fields, name))
            return entry->later[n].fields;
    return entry->fields;
}

static totem_pm4_range body_fields(const totem_pm4_form *form, size_t number)
{
    if (!form || number > form->words)
        return (totem_pm4_range){0, 0};
    return totem_pm4_words[form->first_word + number - 1];
}

// @address: the low dword stands here, the high one next.
static bool put_address(assembler *a, const totem_pm4_form *form, size_t number, piece p)
{
    if (!totem_pm4_is_pair(form, number))
        return fail(a, "%.*s: @ fits only a pair of dwords ..._lo, ..._hi; write two numbers", SHOW(p));
    uint64_t value;
    if (!read_number(a, (piece){p.start + 1, p.length - 1}, UINT64_MAX, &value))
        return false;
    const totem_pm4_field *field = totem_pm4_only_field(form, number);
    if (value & ((UINT64_C(1) << field->lsb) - 1))
        return fail(a, "%.*s is not aligned; its low %u bits must be 0", SHOW(p), field->lsb);
    return put(a, (uint32_t)value) && put(a, (uint32_t)(value >> 32));
}

// Operand for body dword a->count of a packet whose header is word 0.
static bool put_operand(assembler *a, const totem_pm4_form *form, piece p)
{
    size_t number = a->count;
    if (p.start[0] == '@')
        return put_address(a, form, number, p);
    uint32_t word;
    bool     sets_registers = totem_pm4_sets(form);
    if (memchr(p.start, '=', p.length)) {
        totem_pm4_range range = body_fields(form, number);
        if (sets_registers && number > 1)
            range = register_fields(form->rest, (a->words[1] & 0xffffu) + (uint32_t)number - 2, p);
        return read_fields(a, p, range, &word) && put(a, word);
    }
    if (sets_registers && number == 1 && find_register(p, form->rest, &word))
        return put(a, word);
    uint64_t value;
    if (!read_number(a, p, UINT32_MAX, &value))
        return sets_registers && number == 1 ? refuse_register(a, p, form->rest) : false;
    return put(a, (uint32_t)value);
}

static bool find_opcode(piece name, uint8_t *op)
{
    for (unsigned n = 0; n < 256; n++) {
        if (!totem_pm4_opcodes[n].name || !is(name, totem_pm4_opcodes[n].name))
            continue;
        *op = (uint8_t)n;
        return true;
    }
    for (size_t n = 0; n < LENGTH(totem_pm4_aliases); n++) {
        if (!is(name, totem_pm4_aliases[n].name))
            continue;
        *op = (uint8_t)totem_pm4_aliases[n].value;
        return true;
    }
    return false;
}

static bool refuse_packet(const assembler *a, piece name)
{
    totem_nearest near = {0};
    for (unsigned n = 0; n < 256; n++)
        if (totem_pm4_opcodes[n].name)
            totem_nearest_see(&near, name.start, name.length, totem_pm4_opcodes[n].name);
    for (size_t n = 0; n < LENGTH(totem_pm4_aliases); n++)
        totem_nearest_see(&near, name.start, name.length, totem_pm4_aliases[n].name);
    fail(a, "no packet is called '%.*s'", SHOW(name));
    add_nearest(a, "; the nearest are ", &near);
    add(a, "; docs/pm4.md lists the names, ", "OPCODE 0x.. makes any");
    return false;
}

// Sizes of a packet in words, for a message.
static void list_sizes(uint8_t op, char *text, size_t size)
{
    size_t used = 0;
    text[0]     = 0;
    for (size_t n = 0; n < LENGTH(totem_pm4_forms) && used < size; n++) {
        const totem_pm4_form *form = &totem_pm4_forms[n];
        if (form->op != op)
            continue;
        int wrote = snprintf(text + used, size - used, "%s%d%s", used ? " or " : "", form->size - 1,
                             form->open ? " or more" : "");
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

// `raw`: of any size, operands are numbers.
static bool put_packet(assembler *a, uint8_t op, uint32_t low, bool raw, piece name, const char *operands)
{
    size_t      body     = 0;
    const char *position = operands;
    for (piece p = next_piece(&position); p.length; p = next_piece(&position))
        body += p.start[0] == '@' ? 2 : 1;
    const totem_pm4_form *form = raw ? NULL : totem_pm4_find_form(op, body + 1, false, 0);
    if (!raw && !form && totem_pm4_has_form(op)) {
        char sizes[64];
        list_sizes(op, sizes, sizeof sizes);
        return fail(a, "%.*s takes %s body dwords, here are %zu; docs/pm4.md lists them", SHOW(name), sizes, body);
    }
    if (body == 0 && op != TOTEM_OP_NOP)
        return fail(a, "%.*s needs a body dword; only NOP goes without", SHOW(name));
    if (body > TOTEM_PM4_HEADER_COUNT_MASK + 1u || (op == TOTEM_OP_NOP && body > TOTEM_PM4_HEADER_COUNT_MASK))
        return fail(a, "%.*s has %zu body dwords; the count field ends at %u", SHOW(name), body,
                    TOTEM_PM4_HEADER_COUNT_MASK + 1u);
    uint32_t count = ((uint32_t)body - 1) & TOTEM_PM4_HEADER_COUNT_MASK;
    if (!put(a, 3u << TOTEM_PM4_HEADER_TYPE_LSB | count << TOTEM_PM4_HEADER_COUNT_LSB |
                    (uint32_t)op << TOTEM_PM4_HEADER_OPCODE_LSB | low))
        return false;
    position = operands;
    for (piece p = next_piece(&position); p.length; p = next_piece(&position)) {
        if (!put_operand(a, form, p))
            return false;
        if (form && a->count == 2) // dword 1 may choose among forms of a size
            form = totem_pm4_find_form(op, body + 1, false, a->words[1]);
    }
    return true;
}

static bool put_dwords(assembler *a, const char *operands)
{
    for (piece p = next_piece(&operands); p.length; p = next_piece(&operands)) {
        uint64_t value;
        if (!read_number(a, p, UINT32_MAX, &value) || !put(a, (uint32_t)value))
            return false;
    }
    return a->count ? true : fail(a, "DWORD needs a number");
}

bool totem_pm4_assemble(const char *text, uint32_t *words, size_t room, size_t *count, char *message, size_t size)
{
    assembler   a        = {.words = words, .room = room, .message = message, .size = size};
    const char *position = text;
    piece       name     = next_piece(&position);
    const char *slash    = memchr(name.start, '/', name.length);
    uint64_t    low = 0, op = 0;
    bool        good;
    if (slash) {
        piece bits  = {slash + 1, (size_t)(name.start + name.length - slash) - 1};
        name.length = (size_t)(slash - name.start);
        if (!read_number(&a, bits, 0xff, &low))
            return false;
    }
    uint8_t number = 0;
    if (name.length == 0)
        good = fail(&a, "empty packet; write NAME operand ...");
    else if (is(name, "FILLER"))
        good = next_piece(&position).length ? fail(&a, "FILLER takes no operands") : put(&a, FILLER);
    else if (is(name, "DWORD"))
        good = put_dwords(&a, position);
    else if (is(name, "OPCODE"))
        good = read_number(&a, next_piece(&position), 0xff, &op) &&
               put_packet(&a, (uint8_t)op, (uint32_t)low, true, name, position);
    else if (find_opcode(name, &number))
        good = put_packet(&a, number, (uint32_t)low, false, name, position);
    else
        good = refuse_packet(&a, name);
    *count = a.count;
    return good;
}
