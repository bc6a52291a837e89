// SPDX-License-Identifier: Apache-2.0
//
// libtotem: state by name, save and restore. See cmodel/totem.h.

#include "totem_library.h"
#include "totem_names.h"

#include <string.h>

static uint64_t load(const totem *t, size_t at, unsigned size)
{
    const char *from = (const char *)&t->machine + at;
    uint8_t     b1;
    uint16_t    b2;
    uint32_t    b4;
    uint64_t    b8;
    switch (size) {
    case 1: memcpy(&b1, from, 1); return b1;
    case 2: memcpy(&b2, from, 2); return b2;
    case 4: memcpy(&b4, from, 4); return b4;
    default: memcpy(&b8, from, 8); return b8;
    }
}

static void store(totem *t, size_t at, unsigned size, uint64_t value)
{
    char          *to = (char *)&t->machine + at;
    const uint8_t  b1 = (uint8_t)value;
    const uint16_t b2 = (uint16_t)value;
    const uint32_t b4 = (uint32_t)value;
    switch (size) {
    case 1: memcpy(to, &b1, 1); break;
    case 2: memcpy(to, &b2, 2); break;
    case 4: memcpy(to, &b4, 4); break;
    default: memcpy(to, &value, 8); break;
    }
}

// -- names ---------------------------------------------------------------------------------------------------------

// A decimal number; false if there is none or it is out of all proportion.
static bool take_number(const char **text, uint32_t *number)
{
    const char *at = *text;
    *number        = 0;
    while (*at >= '0' && *at <= '9' && *number < 1000000)
        *number = *number * 10 + (uint32_t)(*at++ - '0');
    if (at == *text)
        return false;
    *text = at;
    return true;
}

// Does the text begin with an instance, indices in range, and a point? Where it goes on, and where the instance lies.
static const char *take_path(const totem_names_instance *t, const char *text, size_t *at)
{
    unsigned place = 0;
    *at            = t->offset;
    for (const char *pattern = t->path; *pattern; pattern++) {
        if (*pattern != *text++)
            return NULL;
        if (*pattern == '[') {
            uint32_t number;
            if (!take_number(&text, &number) || number >= t->range[place & 1].count)
                return NULL;
            *at += (size_t)number * t->range[place++ & 1].stride;
        }
    }
    return *text == '.' ? text + 1 : NULL;
}

totem_status totem_find(const char *name, totem_register *found)
{
    for (uint32_t k = 0; k < totem_names_count; k++) {
        const totem_names_instance *t = &totem_names_instances[k];
        size_t                      at;
        const char                 *rest = take_path(t, name, &at);
        if (!rest)
            continue;
        const size_t length = strcspn(rest, "[");
        for (uint32_t n = 0; n < t->fields_count; n++) {
            const totem_names_field *field = &t->fields[n];
            if (strlen(field->name) != length || strncmp(field->name, rest, length) != 0)
                continue;
            const char *end = rest + length;
            *found = (totem_register){at + field->offset, field->size, field->width, field->elements, 0, *end == '['};
            if (!found->given)
                return TOTEM_STATUS_OK;
            end++;
            if (!take_number(&end, &found->element) || strcmp(end, "]") != 0)
                return TOTEM_STATUS_NAME;
            return found->element < found->elements ? TOTEM_STATUS_OK : TOTEM_STATUS_ELEMENT;
        }
    }
    return TOTEM_STATUS_NAME;
}

uint64_t totem_get(const totem *machine, const totem_register *which, uint32_t element)
{
    if (element >= (which->elements ? which->elements : 1))
        return 0;
    return load(machine, which->offset + (size_t)element * which->size, which->size);
}

totem_status totem_read(const totem *machine, const char *name, uint64_t *value)
{
    totem_register     found;
    const totem_status status = totem_find(name, &found);
    if (status != TOTEM_STATUS_OK)
        return status;
    if (found.given != (found.elements != 0))
        return TOTEM_STATUS_ELEMENT;
    *value = totem_get(machine, &found, found.element);
    return TOTEM_STATUS_OK;
}

static size_t copies(const totem_names_instance *t)
{
    return (size_t)t->range[0].count * t->range[1].count;
}

size_t totem_names(void)
{
    size_t count = 0;
    for (uint32_t k = 0; k < totem_names_count; k++)
        count += copies(&totem_names_instances[k]) * totem_names_instances[k].fields_count;
    return count;
}

// Text that may be cut.
typedef struct {
    char  *text;
    size_t room, used;
} cut;

static void put(cut *c, char letter)
{
    if (c->used + 1 < c->room)
        c->text[c->used++] = letter;
}

static void put_number(cut *c, uint32_t number)
{
    if (number >= 10)
        put_number(c, number / 10);
    put(c, (char)('0' + number % 10));
}

bool totem_name(size_t index, char *text, size_t room, totem_register *found)
{
    for (uint32_t k = 0; k < totem_names_count; k++) {
        const totem_names_instance *t = &totem_names_instances[k];
        if (index >= copies(t) * t->fields_count) {
            index -= copies(t) * t->fields_count;
            continue;
        }
        const totem_names_field *field   = &t->fields[index % t->fields_count];
        const uint32_t           copy    = (uint32_t)(index / t->fields_count);
        const uint32_t           step[2] = {copy / t->range[1].count, copy % t->range[1].count};
        cut                      c       = {text, room, 0};
        unsigned                 place   = 0;
        for (const char *pattern = t->path; *pattern; pattern++) {
            put(&c, *pattern);
            if (*pattern == '[')
                put_number(&c, step[place++ & 1]);
        }
        put(&c, '.');
        for (const char *letter = field->name; *letter; letter++)
            put(&c, *letter);
        if (room)
            text[c.used] = 0;
        if (found)
            *found = (totem_register){(size_t)t->offset + (size_t)step[0] * t->range[0].stride +
                                          (size_t)step[1] * t->range[1].stride + field->offset,
                                      field->size,
                                      field->width,
                                      field->elements,
                                      0,
                                      false};
        return true;
    }
    return false;
}

// -- images --------------------------------------------------------------------------------------------------------

// An image is: "TOTEMIMG", configuration hash (4 bytes), layout hash (4), the elements of all registers in the order of
// totem_name, each in as many bytes as it has in memory, and the hash of all that (8). Low bytes first.

enum { HEAD = 16, TAIL = 8 };

static const char magic[8] = {'T', 'O', 'T', 'E', 'M', 'I', 'M', 'G'};

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t size)
{
    const uint8_t *b = bytes;
    while (size--)
        hash = (hash ^ *b++) * 0x100000001b3u;
    return hash;
}

static const uint64_t hash_start = 0xcbf29ce484222325u;

// Of the machine with the shipped wave engines or that without them.
static uint32_t layout_hash(const totem *machine)
{
    uint64_t hash = hash_start ^ machine->own_cores;
    for (uint32_t k = 0; k < totem_names_count; k++) {
        const totem_names_instance *t = &totem_names_instances[k];
        hash                          = hash_bytes(hash, t->path, strlen(t->path) + 1);
        for (uint32_t n = 0; n < t->fields_count; n++) {
            const uint8_t shape[5] = {t->fields[n].width, (uint8_t)t->fields[n].elements,
                                      (uint8_t)(t->fields[n].elements >> 8), (uint8_t)(t->fields[n].elements >> 16),
                                      (uint8_t)copies(t)};
            hash                   = hash_bytes(hash, t->fields[n].name, strlen(t->fields[n].name) + 1);
            hash                   = hash_bytes(hash, shape, sizeof shape);
        }
    }
    return (uint32_t)(hash ^ hash >> 32);
}

static void put_bytes(uint8_t *to, uint64_t value, unsigned size)
{
    for (unsigned n = 0; n < size; n++)
        to[n] = (uint8_t)(value >> 8 * n);
}

static uint64_t take_bytes(const uint8_t *from, unsigned size)
{
    uint64_t value = 0;
    for (unsigned n = 0; n < size; n++)
        value |= (uint64_t)from[n] << 8 * n;
    return value;
}

// Calls `visit` for every element of every register, in the order of totem_name, until it returns false.
typedef bool (*visit_function)(void *user, size_t at, unsigned size, unsigned width);

static bool visit_all(visit_function visit, void *user)
{
    for (uint32_t k = 0; k < totem_names_count; k++) {
        const totem_names_instance *t = &totem_names_instances[k];
        for (uint32_t a = 0; a < t->range[0].count; a++)
            for (uint32_t b = 0; b < t->range[1].count; b++)
                for (uint32_t n = 0; n < t->fields_count; n++) {
                    const totem_names_field *field = &t->fields[n];
                    size_t at = (size_t)t->offset + (size_t)a * t->range[0].stride + (size_t)b * t->range[1].stride +
                                field->offset;
                    for (uint32_t e = 0; e < (field->elements ? field->elements : 1); e++, at += field->size)
                        if (!visit(user, at, field->size, field->width))
                            return false;
                }
    }
    return true;
}

typedef struct {
    const totem   *from;
    totem         *to;
    uint8_t       *bytes;
    const uint8_t *image;
    size_t         used;
} transfer;

static bool count_element(void *user, size_t at, unsigned size, unsigned width)
{
    (void)at;
    (void)width;
    *(size_t *)user += size;
    return true;
}

static bool save_element(void *user, size_t at, unsigned size, unsigned width)
{
    transfer *x = user;
    (void)width;
    put_bytes(x->bytes + x->used, load(x->from, at, size), size);
    x->used += size;
    return true;
}

static bool check_element(void *user, size_t at, unsigned size, unsigned width)
{
    transfer      *x     = user;
    const uint64_t value = take_bytes(x->image + x->used, size);
    (void)at;
    x->used += size;
    return width == 64 || value >> width == 0;
}

static bool restore_element(void *user, size_t at, unsigned size, unsigned width)
{
    transfer *x = user;
    (void)width;
    store(x->to, at, size, take_bytes(x->image + x->used, size));
    x->used += size;
    return true;
}

size_t totem_image_size(void)
{
    size_t size = HEAD + TAIL;
    visit_all(count_element, &size);
    return size;
}

void totem_save(const totem *machine, void *image)
{
    transfer x = {.from = machine, .bytes = image, .used = HEAD};
    memcpy(x.bytes, magic, sizeof magic);
    put_bytes(x.bytes + 8, TOTEM_CONFIG_HASH, 4);
    put_bytes(x.bytes + 12, layout_hash(machine), 4);
    visit_all(save_element, &x);
    put_bytes(x.bytes + x.used, hash_bytes(hash_start, x.bytes, x.used), TAIL);
}

totem_status totem_restore(totem *machine, const void *image, size_t size)
{
    const uint8_t *bytes = image;
    transfer       x     = {.to = machine, .image = bytes, .used = HEAD};

    if (size < HEAD + TAIL || memcmp(bytes, magic, sizeof magic) != 0)
        return TOTEM_STATUS_IMAGE;
    if (take_bytes(bytes + 8, 4) != TOTEM_CONFIG_HASH || take_bytes(bytes + 12, 4) != layout_hash(machine))
        return TOTEM_STATUS_CONFIGURATION;
    if (size != totem_image_size())
        return TOTEM_STATUS_SIZE;
    if (take_bytes(bytes + size - TAIL, TAIL) != hash_bytes(hash_start, bytes, size - TAIL))
        return TOTEM_STATUS_IMAGE;
    if (!visit_all(check_element, &x))
        return TOTEM_STATUS_RANGE;
    x.used = HEAD;
    visit_all(restore_element, &x);
    totem_refresh(machine);
    return TOTEM_STATUS_OK;
}
