// SPDX-License-Identifier: Apache-2.0
#define TOTEM_PM4_TABLES
#include "../packet/totem_decode_table.h"

#include "pm4_decode.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

// Why a queue counts a whole packet although its opcode has a rule (docs/queue.md, Packets), or NULL. Waits on and
// writes of registers of other units are left out: whose they are depends on the pipe.
static const char *ignored(const uint32_t *words, const totem_pm4_packet *packet, bool graphics)
{
    const uint32_t *body = words + packet->offset;
    switch (packet->op) {
    case TOTEM_OP_EVENT_WRITE: {
        const uint32_t event   = TOTEM_FIELD(body[1], TOTEM_PM4_EVENT_WRITE_EVENT_TYPE);
        const bool     drawing = event == TOTEM_EVENT_VS_PARTIAL_FLUSH || event == TOTEM_EVENT_PS_PARTIAL_FLUSH;
        const bool     flush   = event == TOTEM_EVENT_CS_PARTIAL_FLUSH || (graphics && drawing);
        return packet->dwords == 4 && !flush ? "Totem does not have this event" : NULL;
    }
    case TOTEM_OP_DISPATCH_DIRECT:
    case TOTEM_OP_DISPATCH_INDIRECT: return (body[packet->dwords - 1] & 1) == 0 ? "COMPUTE_SHADER_EN is 0" : NULL;
    case TOTEM_OP_SET_SH_REG:
    case TOTEM_OP_SET_SH_REG_INDEX: {
        const size_t first = body[1] & 0xffffu, last = first + packet->dwords - 3;
        const bool   inside = first >= TOTEM_SH_COMPUTE_FIRST && last <= TOTEM_SH_COMPUTE_LAST;
        return !graphics && packet->dwords > 2 && !inside ? "not in the compute block" : NULL;
    }
    default: return NULL;
    }
}

bool totem_is_aql(const uint32_t *words, size_t count)
{
    enum { VENDOR, INVALID, DISPATCH, BARRIER_AND, AGENT, BARRIER_OR, DWORDS = 16 };
    bool work = false;
    for (size_t at = 0; at < count; at += DWORDS) {
        const uint32_t type = words[at] & 0xff, setup = words[at] >> 16;
        // Bits 15:13 of the header are reserved. A dispatch has 1 to 3 dimensions, a vendor packet a format.
        if (type > BARRIER_OR || (words[at] & 0xe000) != 0 || (type == DISPATCH && (setup == 0 || setup > 3)) ||
            (type == VENDOR && (setup == 0 || setup > 0xff)))
            return false;
        work = work || type != INVALID;
    }
    return count >= DWORDS && count % DWORDS == 0 && work;
}

void totem_pm4_cut(const uint32_t *words, size_t count, size_t offset, bool graphics, totem_pm4_packet *packet)
{
    uint32_t header = words[offset];
    *packet         = (totem_pm4_packet){.offset = offset, .dwords = 1, .present = 1, .header = header, .form = -1};
    packet->type    = (uint8_t)TOTEM_FIELD(header, TOTEM_PM4_HEADER_TYPE);
    if (packet->type == 2) {
        packet->name     = "FILLER";
        packet->executed = true;
        return;
    }
    if (packet->type != 3) {
        packet->fault = TOTEM_PM4_HEADER_TYPE;
        return;
    }
    uint32_t body = TOTEM_FIELD(header, TOTEM_PM4_HEADER_COUNT) + 1;
    packet->op    = (uint8_t)TOTEM_FIELD(header, TOTEM_PM4_HEADER_OPCODE);
    if (packet->op == TOTEM_OP_NOP && body == TOTEM_PM4_HEADER_COUNT_MASK + 1)
        body = 0;
    packet->dwords   = (size_t)body + 1;
    packet->present  = packet->dwords < count - offset ? packet->dwords : count - offset;
    packet->name     = totem_pm4_opcodes[packet->op].name;
    packet->executed = graphics ? totem_pm4_opcodes[packet->op].drawn : totem_pm4_opcodes[packet->op].executed;
    const uint32_t        first = packet->present > 1 ? words[offset + 1] : 0;
    const totem_pm4_form *form  = totem_pm4_find_form(packet->op, packet->dwords, graphics, first);
    if (form)
        packet->form = (int)(form - totem_pm4_forms);
    bool compute_form = form && !form->graphics;
    if (packet->present < packet->dwords)
        packet->fault = TOTEM_PM4_CUT_SHORT;
    else if (packet->name == NULL)
        packet->fault = TOTEM_PM4_OPCODE;
    else if (packet->executed && !graphics && !compute_form)
        packet->fault = TOTEM_PM4_COUNT_FORM;
    if (packet->executed && packet->fault == TOTEM_PM4_SOUND && packet->present > 1)
        packet->ignored = ignored(words, packet, graphics);
    if (packet->ignored)
        packet->executed = false;
}

static bool has_chip(const char *chips, totem_chip chip)
{
    static const char *const numbers[] = {"", "9", "10", "11", "12"};
    return strstr(chips, numbers[chip]) != NULL;
}

static const char *value_name(unsigned show, uint32_t value, totem_chip chip)
{
    if (show == TOTEM_PM4_SHOW_SH_REGISTER && value)
        return totem_pm4_register_name(TOTEM_WINDOW_SH_FIRST + value, chip, NULL);
    if (show == TOTEM_PM4_SHOW_CONTEXT_REGISTER)
        return totem_pm4_register_name(TOTEM_WINDOW_CONTEXT_FIRST + value, chip, NULL);
    if (show < TOTEM_PM4_SHOW_ENUM)
        return NULL;
    for (size_t n = 0; n < LENGTH(totem_pm4_others); n++)
        if (chip != TOTEM_CHIP_ANY && totem_pm4_others[n].show == show && totem_pm4_others[n].value == value &&
            has_chip(totem_pm4_others[n].chips, chip))
            return totem_pm4_others[n].name;
    totem_pm4_range range = totem_pm4_enums[show - TOTEM_PM4_SHOW_ENUM];
    for (unsigned n = range.first; n < (unsigned)range.first + range.count; n++)
        if (totem_pm4_values[n].value == value)
            return totem_pm4_values[n].name;
    return NULL;
}

static void add_field(totem_pm4_word *word, const totem_pm4_field *field, uint32_t value, totem_chip chip)
{
    if (word->items == LENGTH(word->item))
        return;
    uint32_t        mask = field->width == 32 ? UINT32_MAX : (UINT32_C(1) << field->width) - 1;
    uint32_t        bits = value >> field->lsb & mask;
    totem_pm4_item *item = &word->item[word->items++];
    *item                = (totem_pm4_item){.name = field->name, .value = bits, .width = field->width};
    item->text           = value_name(field->show, bits, chip);
    item->decimal        = field->show == TOTEM_PM4_SHOW_DEC;
    // An address keeps its bits at their place.
    if (field->show == TOTEM_PM4_SHOW_ADDR)
        item->value = bits << field->lsb;
}

// The fields of that chip. Bits that none of them has are shown as another one.
static void add_items(totem_pm4_word *word, totem_pm4_range range, uint32_t value, totem_chip chip)
{
    uint32_t rest = value;
    for (unsigned n = range.first; n < (unsigned)range.first + range.count; n++) {
        const totem_pm4_field *field = &totem_pm4_fields[n];
        if ((field->chips >> chip & 1) == 0)
            continue;
        add_field(word, field, value, chip);
        rest &= ~((UINT32_MAX >> (32 - field->width)) << field->lsb);
    }
    if (rest && chip != TOTEM_CHIP_ANY && word->items > 0 && word->items < LENGTH(word->item))
        word->item[word->items++] = (totem_pm4_item){.name = "reserved", .value = rest, .width = 32};
}

// Name and fields of a register outside the compute block. Where chips differ, only a given chip tells the fields.
static void describe_graphics(totem_pm4_word *word, uint32_t value, totem_chip chip)
{
    size_t                 count;
    const totem_pm4_named *rows  = totem_pm4_find_named(word->address, &count);
    bool                   alone = count == 1;
    for (size_t n = 0; n < count; n++) {
        if (!has_chip(rows[n].chips, chip))
            continue;
        if (word->register_name == NULL)
            word->register_name = rows[n].name;
        else if (strcmp(word->register_name, rows[n].name) != 0)
            word->later_name = rows[n].name;
        if (alone || chip != TOTEM_CHIP_ANY)
            add_items(word, rows[n].fields, value, chip);
    }
}

static void describe_register(totem_pm4_word *word, uint32_t value, totem_chip chip)
{
    const uint32_t first = TOTEM_WINDOW_SH_FIRST + TOTEM_SH_COMPUTE_FIRST;
    const uint32_t last  = TOTEM_WINDOW_SH_FIRST + TOTEM_SH_COMPUTE_LAST;
    if (word->address < first || word->address > last) {
        describe_graphics(word, value, chip);
        return;
    }
    const totem_pm4_register *entry = &totem_pm4_registers[word->address - first];
    word->register_name             = entry->name;
    word->later_name                = chip == TOTEM_CHIP_ANY ? entry->others : NULL;
    if (word->later_name)
        return; // whose fields these are, only the chip tells
    totem_pm4_range fields = entry->fields;
    for (size_t n = 0; n < LENGTH(entry->later); n++)
        if (entry->later[n].name && has_chip(entry->later[n].chips, chip)) {
            word->register_name = entry->later[n].name;
            fields              = entry->later[n].fields;
        }
    add_items(word, fields, value, chip);
}

const char *totem_pm4_register_name(uint32_t address, totem_chip chip, const char **later)
{
    totem_pm4_word word = {.address = address};
    describe_register(&word, 0, chip);
    if (later)
        *later = word.later_name;
    return word.register_name;
}

// Behind the named dwords: which of them are offsets, which are values and of what. `body` is dword 0 of the packet.
static void describe_rest(const totem_pm4_form *form, const uint32_t *body, size_t number, totem_chip chip,
                          totem_pm4_word *word)
{
    static const totem_pm4_field offsets[2][2] = {{{"reg_offset", 0, 16, TOTEM_PM4_SHOW_SH_REGISTER, 31},
                                                   {"reg_offset_2", 16, 16, TOTEM_PM4_SHOW_SH_REGISTER, 31}},
                                                  {{"reg_offset", 0, 16, TOTEM_PM4_SHOW_CONTEXT_REGISTER, 31},
                                                   {"reg_offset_2", 16, 16, TOTEM_PM4_SHOW_CONTEXT_REGISTER, 31}}};
    static const totem_pm4_field length        = {"num_dwords", 0, 14, TOTEM_PM4_SHOW_DEC, 31};
    const uint32_t               window        = totem_pm4_window(form->rest);
    const totem_pm4_field       *fields        = offsets[window == TOTEM_WINDOW_CONTEXT_FIRST];
    const size_t                 n             = number - form->words - 1;
    switch (form->rest) {
    case TOTEM_PM4_REST_SH_PACKED:
    case TOTEM_PM4_REST_CONTEXT_PACKED:
        if (n % 3 == 0) {
            add_field(word, &fields[0], body[number], chip);
            add_field(word, &fields[1], body[number], chip);
        } else {
            word->address = window + (n % 3 == 1 ? body[number - 1] & 0xffffu : body[number - 2] >> 16);
        }
        break;
    case TOTEM_PM4_REST_SH_PAIRS:
    case TOTEM_PM4_REST_CONTEXT_PAIRS:
        if (n % 2 == 0)
            add_field(word, &fields[0], body[number], chip);
        else
            word->address = window + (body[number - 1] & 0xffffu);
        break;
    case TOTEM_PM4_REST_CONTEXT_RANGES: add_field(word, n % 2 == 0 ? &fields[0] : &length, body[number], chip); break;
    default: word->address = window + (body[1] & 0xffffu) + (uint32_t)n; break;
    }
}

void totem_pm4_word_of(const totem_pm4_packet *packet, const uint32_t *words, size_t number, totem_chip chip,
                       totem_pm4_word *word)
{
    *word          = (totem_pm4_word){0};
    uint32_t value = words[packet->offset + number];
    if (packet->form < 0) {
        word->is_data = true;
        return;
    }
    const totem_pm4_form *form = &totem_pm4_forms[packet->form];
    if (number <= form->words) {
        add_items(word, totem_pm4_words[form->first_word + number - 1], value, chip);
        return;
    }
    if (totem_pm4_window(form->rest) == 0) {
        word->is_data = true;
        return;
    }
    describe_rest(form, words + packet->offset, number, chip, word);
    word->is_register = word->address != 0;
    if (word->is_register)
        describe_register(word, value, chip);
}

bool totem_pm4_upper(const totem_pm4_packet *packet, const uint32_t *words, size_t number, bool graphics,
                     uint8_t *above)
{
    const totem_decode_row row     = totem_decode_find(graphics, packet->op);
    const uint32_t        *body    = words + packet->offset;
    const uint32_t         upper   = number < packet->present ? body[number] : 0;
    const uint32_t         control = row.at_control != 0 && row.at_control < packet->present ? body[row.at_control] : 0;

    if (packet->type != 3 || !packet->executed || row.at_address == 0 || number != row.at_address + 1u ||
        (upper >> 8 & 0xff) == 0 || !totem_decode_accessed(graphics, packet->op, control))
        return false;
    *above = (upper & 0x80) != 0 ? 0 : upper >> 8 & 0xff;
    return true;
}

void totem_pm4_explain(const totem_pm4_packet *packet, char *text, size_t size)
{
    const char *name = packet->name ? packet->name : "packet";
    switch (packet->fault) {
    case TOTEM_PM4_SOUND: snprintf(text, size, "%s", ""); break;
    case TOTEM_PM4_HEADER_TYPE:
        snprintf(text, size,
                 "header 0x%08" PRIx32 " is of type %u; expected type 3 or filler 0x80000000: "
                 "check the count of the packet before it",
                 packet->header, packet->type);
        break;
    case TOTEM_PM4_OPCODE:
        snprintf(text, size,
                 "opcode 0x%02x is in no public list; see docs/pm4.md, or check the count of the packet "
                 "before it",
                 packet->op);
        break;
    case TOTEM_PM4_COUNT_FORM:
        snprintf(text, size,
                 "%s has no form of %zu dwords on a compute queue; docs/pm4.md lists its sizes "
                 "(graphics streams: --queue=graphics)",
                 name, packet->dwords);
        break;
    case TOTEM_PM4_CUT_SHORT:
        snprintf(text, size,
                 "%s 0x%08" PRIx32 " needs %zu dwords, the stream has %zu; add the rest or correct the count", name,
                 packet->header, packet->dwords, packet->present);
        break;
    }
}

// Whether the named fields of the dword hold all its set bits.
static bool fields_hold(const totem_pm4_form *form, size_t number, uint32_t value)
{
    totem_pm4_range range = totem_pm4_words[form->first_word + number - 1];
    for (unsigned n = range.first; n < (unsigned)range.first + range.count; n++) {
        const totem_pm4_field *field = &totem_pm4_fields[n];
        uint32_t mask = field->width == 32 ? UINT32_MAX : ((UINT32_C(1) << field->width) - 1) << field->lsb;
        if (field->chips & 1)
            value &= ~mask;
    }
    return value == 0;
}

static void print_fields(FILE *out, const totem_pm4_word *word)
{
    const char *separator = "";
    for (size_t n = 0; n < word->items; n++) {
        const totem_pm4_item *item = &word->item[n];
        if (item->value == 0)
            continue;
        fprintf(out, "%s%s=", separator, item->name);
        if (item->text)
            fprintf(out, "%s", item->text);
        else
            fprintf(out, item->decimal || item->value < 10 ? "%" PRIu32 : "0x%" PRIx32, item->value);
        separator = ",";
    }
}

static void print_number(FILE *out, uint32_t value)
{
    fprintf(out, value < 10 ? "%" PRIu32 : "0x%" PRIx32, value);
}

// Name of the first register of a SET packet whose dword 1 is `value`; NULL where the name does not give this offset.
static const char *named_offset(const totem_pm4_form *form, uint32_t value)
{
    if (!totem_pm4_sets(form) || value > 0xffffu)
        return NULL;
    const uint32_t address = totem_pm4_window(form->rest) + value;
    const char    *name    = totem_pm4_register_name(address, TOTEM_CHIP_ANY, NULL);
    size_t         rows;
    totem_pm4_find_named(address, &rows);
    return !name || (rows && totem_pm4_find_address(name, strlen(name), form->rest) != address) ? NULL : name;
}

void totem_pm4_print(FILE *out, const totem_pm4_packet *packet, const uint32_t *words)
{
    const uint32_t *body = words + packet->offset;
    if (packet->type == 2 && packet->header == 0x80000000u) {
        fprintf(out, "FILLER");
        return;
    }
    if (packet->type != 3 || packet->present < packet->dwords) {
        fprintf(out, "DWORD");
        for (size_t n = 0; n < packet->present; n++)
            fprintf(out, " 0x%" PRIx32, body[n]);
        return;
    }
    // A size that the packet does not have goes only without its name.
    bool odd = !packet->name || (packet->form < 0 && packet->dwords > 1 && totem_pm4_has_form(packet->op));
    fprintf(out, "%s", odd ? "OPCODE" : packet->name);
    if (packet->header & 0xffu)
        fprintf(out, "/0x%" PRIx32, packet->header & 0xffu);
    if (odd)
        fprintf(out, " 0x%02x", packet->op);
    for (size_t number = 1; number < packet->dwords; number++) {
        totem_pm4_word word;
        totem_pm4_word_of(packet, words, number, TOTEM_CHIP_ANY, &word);
        uint32_t value = body[number];
        fputc(' ', out);
        const totem_pm4_form *form = packet->form < 0 ? NULL : &totem_pm4_forms[packet->form];
        if (!form || number > form->words) {
            print_number(out, value);
            continue;
        }
        const char *name = number == 1 ? named_offset(form, value) : NULL;
        if (name) {
            fprintf(out, "%s", name);
        } else if (totem_pm4_is_pair(form, number) && body[number + 1] <= 0xffu && fields_hold(form, number, value)) {
            fprintf(out, "@0x%" PRIx64, (uint64_t)body[number + 1] << 32 | value);
            number++;
        } else if (word.items > 1 && value != 0 && fields_hold(form, number, value)) {
            print_fields(out, &word);
        } else {
            print_number(out, value);
        }
    }
}

const char *totem_pm4_opcode_name(uint8_t op)
{
    return totem_pm4_opcodes[op].name;
}

static const totem_error_text *error_text(uint8_t code)
{
    for (size_t n = 0; n < LENGTH(totem_error_texts); n++)
        if (totem_error_texts[n].code == code)
            return &totem_error_texts[n];
    return NULL;
}

const char *totem_error_name(uint8_t code)
{
    const totem_error_text *text = error_text(code);
    return text ? text->name : NULL;
}

const char *totem_error_what(uint8_t code)
{
    const totem_error_text *text = error_text(code);
    return text ? text->what : NULL;
}

const char *totem_error_remedy(uint8_t code)
{
    const totem_error_text *text = error_text(code);
    return text ? text->remedy : NULL;
}

uint8_t totem_error_code(const char *name)
{
    for (size_t n = 0; n < LENGTH(totem_error_texts); n++)
        if (strcmp(totem_error_texts[n].name, name) == 0)
            return totem_error_texts[n].code;
    return 0;
}

typedef struct {
    FILE       *file;
    const char *path;
    char       *message;
    size_t      size;
    uint32_t    line;
    size_t      room;
} hex_reader;

static bool hex_fail(const hex_reader *reader, const char *text)
{
    snprintf(reader->message, reader->size, "%s:%" PRIu32 ": %s", reader->path, reader->line, text);
    return false;
}

// Skips a comment whose first '/' has been read.
static bool skip_comment(hex_reader *reader)
{
    int sign = getc(reader->file);
    if (sign == '/') {
        while ((sign = getc(reader->file)) != '\n' && sign != EOF) {
        }
        ungetc(sign, reader->file);
        return true;
    }
    if (sign != '*')
        return hex_fail(reader, "'/' begins no comment; write // or /* */");
    uint32_t start  = reader->line;
    int      before = 0;
    while ((sign = getc(reader->file)) != EOF) {
        if (sign == '\n')
            reader->line++;
        if (before == '*' && sign == '/')
            return true;
        before = sign;
    }
    reader->line = start;
    return hex_fail(reader, "comment without end; add */");
}

static bool add_word(hex_reader *reader, totem_hex *hex, uint32_t value)
{
    if (hex->count == reader->room) {
        size_t    room  = reader->room ? reader->room * 2 : 1024;
        uint32_t *words = realloc(hex->words, room * sizeof(*words));
        if (words)
            hex->words = words;
        uint32_t *lines = realloc(hex->lines, room * sizeof(*lines));
        if (lines)
            hex->lines = lines;
        if (!words || !lines)
            return hex_fail(reader, "out of memory; split the file");
        reader->room = room;
    }
    hex->lines[hex->count]   = reader->line;
    hex->words[hex->count++] = value;
    return true;
}

static bool read_words(hex_reader *reader, totem_hex *hex)
{
    int sign;
    while ((sign = getc(reader->file)) != EOF) {
        if (sign == '\n')
            reader->line++;
        if (isspace(sign))
            continue;
        if (sign == '/') {
            if (!skip_comment(reader))
                return false;
            continue;
        }
        if (sign == '@')
            return hex_fail(reader, "@ addresses are not understood; write the stream without gaps");
        uint32_t value  = 0;
        unsigned digits = 0;
        for (; sign != EOF && !isspace(sign) && sign != '/'; sign = getc(reader->file)) {
            if (sign == '_')
                continue;
            if (!isxdigit(sign))
                return hex_fail(reader, "not a hexadecimal dword; write one of 8 digits, without 0x");
            if (++digits > 8)
                return hex_fail(reader, "more than 8 digits; write one dword of 32 bits");
            value = value << 4 | (uint32_t)(isdigit(sign) ? sign - '0' : tolower(sign) - 'a' + 10);
        }
        ungetc(sign, reader->file);
        if (!add_word(reader, hex, value))
            return false;
    }
    return true;
}

// `line` of the reader counts bytes.
static bool read_bytes(hex_reader *reader, totem_hex *hex)
{
    uint8_t b[4];
    size_t  got;
    while ((got = fread(b, 1, sizeof b, reader->file)) == sizeof b) {
        if (!add_word(reader, hex, b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24))
            return false;
        reader->line += 4;
    }
    if (got == 0 || ferror(reader->file))
        return true;
    snprintf(reader->message, reader->size, "%s: byte 0x%" PRIx32 ": a dword is cut short; a file has whole dwords",
             reader->path, reader->line);
    return false;
}

static bool read_file(hex_reader *reader, bool (*read)(hex_reader *, totem_hex *), totem_hex *hex)
{
    *hex         = (totem_hex){0};
    reader->file = fopen(reader->path, "r");
    if (!reader->file) {
        snprintf(reader->message, reader->size, "%s: %s; check the name and the rights", reader->path, strerror(errno));
        return false;
    }
    bool good = read(reader, hex);
    if (good && ferror(reader->file))
        good = hex_fail(reader, "the file cannot be read to its end");
    fclose(reader->file);
    if (!good)
        totem_hex_free(hex);
    return good;
}

bool totem_hex_read(const char *path, totem_hex *hex, char *message, size_t size)
{
    hex_reader reader = {.path = path, .message = message, .size = size, .line = 1};
    return read_file(&reader, read_words, hex);
}

bool totem_binary_read(const char *path, totem_hex *hex, char *message, size_t size)
{
    hex_reader reader = {.path = path, .message = message, .size = size};
    return read_file(&reader, read_bytes, hex);
}

void totem_hex_free(totem_hex *hex)
{
    free(hex->words);
    free(hex->lines);
    *hex = (totem_hex){0};
}
