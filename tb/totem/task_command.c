// SPDX-License-Identifier: Apache-2.0
//
// totem task: task descriptors with their fields, chains of dependents, and what the task unit refuses.
#define TOTEM_TMD_TABLES
#include "commands.h"
#include "dword_file.h"
#include "number.h"
#include "tmd_fields.h"

#include <argp.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    totem_dword_file from;
    uint64_t         base, step, above;
} settings;

typedef struct {
    const settings  *with;
    const totem_hex *hex;
    size_t           count;
    bool            *shown;
} descriptors;

enum { KEY_BASE = 0x100, KEY_STEP, KEY_ABOVE, BYTES = 4 * TOTEM_TMD_DWORDS };

static const struct argp_option options[] = {
    {"base", KEY_BASE, "ADDRESS", 0, "Address of the first descriptor (0)", 0},
    {"step", KEY_STEP, "BYTES", 0, "Distance of descriptors in memory (256)", 0},
    {"address-high", KEY_ABOVE, "N", 0, "Register ADDRESS_HIGH; if it is not 0, no address has bit 39 (0)", 0},
    {0}};

static error_t parse(int key, char *argument, struct argp_state *state)
{
    settings *with = state->input;
    switch (key) {
    case ARGP_KEY_INIT: state->child_inputs[0] = &with->from; return 0;
    case KEY_BASE:
        if (!totem_number(argument, (UINT64_C(1) << 40) - 1, &with->base) || with->base % BYTES)
            argp_error(state, "--base: '%s' is no multiple of 256 below 2^40; " TOTEM_NUMBER_TEXT, argument);
        return 0;
    case KEY_STEP:
        if (!totem_number(argument, UINT32_MAX, &with->step) || with->step % BYTES || with->step == 0)
            argp_error(state, "--step: '%s' is no multiple of 256 from 256 on; " TOTEM_NUMBER_TEXT, argument);
        return 0;
    case KEY_ABOVE:
        if (!totem_number(argument, 255, &with->above))
            argp_error(state, "--address-high: '%s' is not 0 to 255; " TOTEM_NUMBER_TEXT, argument);
        return 0;
    default: return ARGP_ERR_UNKNOWN;
    }
}

static const uint32_t *words_of(const descriptors *d, size_t n)
{
    return d->hex->words + n * TOTEM_TMD_DWORDS;
}

static uint64_t address_of(const descriptors *d, size_t n)
{
    return d->with->base + n * d->with->step;
}

// The descriptor that n names; `count` if it is not in the file. False: it names none.
static bool dependent_of(const descriptors *d, size_t n, size_t *next, uint64_t *address)
{
    const unsigned version = totem_tmd_version(words_of(d, n));
    if (version == TOTEM_TMD_VERSIONS || !totem_tmd_value(words_of(d, n), version, TOTEM_TMD_DEPENDENT_ENABLE))
        return false;
    *address = (uint64_t)totem_tmd_value(words_of(d, n), version, TOTEM_TMD_DEPENDENT_POINTER) << 8;
    *next    = d->count;
    if (*address >= d->with->base && (*address - d->with->base) % d->with->step == 0 &&
        (*address - d->with->base) / d->with->step < d->count)
        *next = (size_t)((*address - d->with->base) / d->with->step);
    return true;
}

// The field has bit 39 of an address that is used.
static bool is_far(const uint32_t *words, unsigned version, unsigned field)
{
    const unsigned when = field == TOTEM_TMD_DEPENDENT_POINTER       ? TOTEM_TMD_DEPENDENT_ENABLE
                          : field == TOTEM_TMD_RELEASE0_ADDRESS_HIGH ? TOTEM_TMD_RELEASE0_ENABLE
                          : field == TOTEM_TMD_RELEASE1_ADDRESS_HIGH ? TOTEM_TMD_RELEASE1_ENABLE
                                                                     : TOTEM_TMD_FIELDS;
    const unsigned top  = totem_tmd_fields[field].high[version];
    return when != TOTEM_TMD_FIELDS && totem_tmd_value(words, version, when) && words[top / 32] >> top % 32 & 1;
}

// What is refused in a descriptor, on standard error; how much.
static unsigned report(const descriptors *d, size_t n)
{
    const uint32_t *words   = words_of(d, n);
    const unsigned  version = totem_tmd_version(words);
    unsigned        count   = 0;
    for (unsigned f = 0; f < TOTEM_TMD_FIELDS; f++) {
        const totem_tmd_field *field = &totem_tmd_fields[f];
        const unsigned         at    = version == TOTEM_TMD_VERSIONS ? 0 : version;
        const uint32_t         value = field->ignored ? 0 : totem_tmd_value(words, at, f);
        const bool             far   = version != TOTEM_TMD_VERSIONS && d->with->above && is_far(words, version, f);
        const uint8_t          error = far ? TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS : totem_tmd_refused(words, f);
        if (!error)
            continue;
        const unsigned dword = field->low[at] / 32;
        totem_dword_file_place(&d->with->from, d->hex, n * TOTEM_TMD_DWORDS + dword);
        fprintf(stderr, "task 0x%" PRIx64 ", dword %u: %s [%u:%u] is 0x%" PRIx32 ": %s: %s; %s\n", address_of(d, n),
                dword, field->name[at], field->high[at], field->low[at], value, totem_error_name(error),
                totem_error_what(error), totem_error_remedy(error));
        count++;
    }
    return count;
}

static void print_release(const uint32_t *words, unsigned version, unsigned first, const char *name)
{
    if (!totem_tmd_value(words, version, first))
        return;
    const unsigned off     = first - TOTEM_TMD_RELEASE0_ENABLE; // both releases have the same fields in the same order
    const uint64_t address = (uint64_t)totem_tmd_value(words, version, TOTEM_TMD_RELEASE0_ADDRESS_HIGH + off) << 32 |
                             totem_tmd_value(words, version, TOTEM_TMD_RELEASE0_ADDRESS_LOW + off);
    const uint64_t payload = (uint64_t)totem_tmd_value(words, version, TOTEM_TMD_RELEASE0_PAYLOAD_HIGH + off) << 32 |
                             totem_tmd_value(words, version, TOTEM_TMD_RELEASE0_PAYLOAD_LOW + off);
    printf(", %s 0x%" PRIx64 " = 0x%" PRIx64 " (structure size %" PRIu32 ")", name, address, payload,
           totem_tmd_value(words, version, TOTEM_TMD_RELEASE0_SIZE + off));
}

static void print_task(const descriptors *d, size_t n, unsigned depth)
{
    const uint32_t *words   = words_of(d, n);
    const unsigned  version = totem_tmd_version(words);
    printf("%*s0x%" PRIx64, (int)(2 * (depth < 20 ? depth : 20)), "", address_of(d, n));
    if (version == TOTEM_TMD_VERSIONS) {
        printf("  unknown version %02" PRIx32 "_%02" PRIx32 "\n", totem_tmd_number(words) >> 4,
               totem_tmd_number(words) & 15);
        return;
    }
#define V(key) totem_tmd_value(words, version, TOTEM_TMD_##key)
    printf("  %s  grid %" PRIu32 " x %" PRIu32 " x %" PRIu32 ", block %" PRIu32 " x %" PRIu32 " x %" PRIu32
           ", program 0x%" PRIx64 ", registers %" PRIu32 ", LDS %" PRIu32 ", group %" PRIu32,
           totem_tmd_versions[version].name, V(GRID_X), V(GRID_Y), V(GRID_Z), V(BLOCK_X), V(BLOCK_Y), V(BLOCK_Z),
           (uint64_t)(V(PROGRAM_HIGH) & 0xffff) << 32 | V(PROGRAM_LOW), V(REGISTER_COUNT), V(LDS_SIZE), V(GROUP_ID));
    if (V(ADD_TO_HEAD))
        printf(", to the head");
    if (V(MEMBAR_TYPE))
        printf(", membar %" PRIu32, V(MEMBAR_TYPE));
    if (V(INVALIDATE))
        printf(", invalidate 0x%02" PRIx32, V(INVALIDATE));
    print_release(words, version, TOTEM_TMD_RELEASE0_ENABLE, "release 0");
    print_release(words, version, TOTEM_TMD_RELEASE1_ENABLE, "release 1");
    if (V(DEPENDENT_ENABLE)) {
        printf(", dependent 0x%" PRIx64, (uint64_t)V(DEPENDENT_POINTER) << 8);
        if (totem_tmd_fields[TOTEM_TMD_DEPENDENT_ACTION].name[version])
            printf(" action %" PRIu32 "%s", V(DEPENDENT_ACTION), V(DEPENDENT_PREFETCH) ? " prefetch" : "");
        else
            printf(" type %" PRIu32 "%s", V(DEPENDENT_TYPE), V(DEPENDENT_FIELD_COPY) ? " copy" : "");
    }
    putchar('\n');
#undef V
}

static void print_chain(descriptors *d, size_t n)
{
    uint64_t address;
    for (unsigned depth = 0;; depth++) {
        d->shown[n] = true;
        print_task(d, n, depth);
        if (!dependent_of(d, n, &n, &address))
            return;
        if (n == d->count) {
            printf("%*s0x%" PRIx64 "  not in the file\n", (int)(2 * (depth < 20 ? depth + 1 : 20)), "", address);
            return;
        }
        if (d->shown[n]) {
            printf("%*s0x%" PRIx64 "  shown above\n", (int)(2 * (depth < 20 ? depth + 1 : 20)), "", address);
            return;
        }
    }
}

// Chains from tasks that no other names, then what only names itself or goes round.
static bool decode(descriptors *d)
{
    bool    *named  = calloc(d->count, sizeof *named);
    unsigned chains = 0, refusals = 0;
    d->shown = calloc(d->count, sizeof *d->shown);
    if (!named || !d->shown) {
        fprintf(stderr, "%s: out of memory; split the file\n", d->with->from.file);
        free(named);
        free(d->shown);
        return false;
    }
    for (size_t n = 0; n < d->count; n++) {
        size_t   next;
        uint64_t address;
        if (dependent_of(d, n, &next, &address) && next < d->count && next != n)
            named[next] = true;
    }
    for (unsigned round = 0; round < 2; round++)
        for (size_t n = 0; n < d->count; n++)
            if (!d->shown[n] && (round || !named[n])) {
                print_chain(d, n);
                chains++;
            }
    for (size_t n = 0; n < d->count; n++)
        refusals += report(d, n);
    printf("%zu tasks, %u chains, %u refusals\n", d->count, chains, refusals);
    free(named);
    free(d->shown);
    return refusals == 0;
}

// Descriptors of the layout QMD 05_00, longer and with the version elsewhere: named, not read by the task unit.
enum { LONG_DWORDS = 96 };

static bool is_long(const totem_hex *hex)
{
    bool all = hex->count != 0 && hex->count % LONG_DWORDS == 0;
    for (size_t at = 0; at < hex->count && all; at += LONG_DWORDS)
        all = (hex->words[at + 14] >> 20 & 15) == 5;
    return all;
}

static void print_long(const settings *with, const totem_hex *hex)
{
    for (size_t at = 0; at < hex->count; at += LONG_DWORDS) {
        const uint32_t *w = hex->words + at;
        printf("%zu  v05_%02" PRIx32 "  grid %" PRIu32 " x %" PRIu32 " x %" PRIu32 ", block %" PRIu32 " x %" PRIu32
               " x %" PRIu32 ", program 0x%" PRIx64 ", registers %" PRIu32 ", LDS %" PRIu32 ", group %" PRIu32,
               at / LONG_DWORDS, w[14] >> 16 & 15, w[39], w[40] & 0xffff, w[41] & 0xffff, w[34] & 0xffff, w[34] >> 16,
               w[35] & 0xff, ((uint64_t)(w[33] & 0x1fffff) << 32 | w[32]) << 4, w[35] >> 8 & 0x1ff,
               (w[36] & 0x7ff) << 7, w[4] >> 16 & 63);
        if (w[10] >> 16 & 1)
            printf(", dependent 0x%" PRIx64 " action %" PRIu32 "%s", (uint64_t)w[12] << 8, w[10] >> 17 & 7,
                   w[10] >> 20 & 1 ? " prefetch" : "");
        putchar('\n');
    }
    totem_dword_file_place(&with->from, hex, 14);
    fprintf(stderr, "QMD 05_00, %zu descriptors of %d dwords; Totem reads QMD 02_02 and 03_00\n",
            hex->count / LONG_DWORDS, LONG_DWORDS);
}

int totem_command_task(int argc, char **argv)
{
    const struct argp_child children[] = {{.argp = &totem_dword_file_argp}, {0}};
    const struct argp       argp       = {
                    .options  = options,
                    .parser   = parse,
                    .args_doc = "FILE",
                    .children = children,
                    .doc = "Reads task descriptors (QMD 02_02 and 03_00, 64 dwords each): a text file of hexadecimal dwords, // "
                                       "comments allowed, or binary.\n\nPrints chains of tasks and dependents with their fields.\v"
                                       "Descriptor n stands at ADDRESS + n * BYTES. Fields that the task unit refuses go to standard error "
                                       "with file, line, dword and remedy.\n\n" TOTEM_EXIT_TEXT};
    settings with = {.step = BYTES};
    if (argp_parse(&argp, argc, argv, 0, NULL, &with))
        return TOTEM_EXIT_USAGE;
    totem_hex hex;
    if (!totem_dword_file_read(&with.from, &hex))
        return TOTEM_EXIT_FILE;
    if (is_long(&hex)) {
        print_long(&with, &hex);
        totem_hex_free(&hex);
        return totem_written(with.from.file, false);
    }
    bool good = hex.count != 0 && hex.count % TOTEM_TMD_DWORDS == 0;
    if (!hex.count)
        fprintf(stderr, "%s:1: no dwords; a descriptor has %d\n", with.from.file, TOTEM_TMD_DWORDS);
    else if (!good)
        totem_dword_file_place(&with.from, &hex, hex.count - 1);
    if (hex.count && !good)
        fprintf(stderr, "the last descriptor ends after %zu dwords; it has %d", hex.count % TOTEM_TMD_DWORDS,
                TOTEM_TMD_DWORDS);
    if (hex.count >= TOTEM_TMD_DWORDS && !good && totem_tmd_version(hex.words) == TOTEM_TMD_VERSIONS)
        fprintf(stderr,
                " (the first is of version %02" PRIx32 "_%02" PRIx32
                ", which is another layout; Totem reads QMD 02_02 and 03_00)",
                totem_tmd_number(hex.words) >> 4, totem_tmd_number(hex.words) & 15);
    if (hex.count && !good)
        fputc('\n', stderr);
    if (good) {
        descriptors d = {.with = &with, .hex = &hex, .count = hex.count / TOTEM_TMD_DWORDS};
        good          = decode(&d);
    }
    totem_hex_free(&hex);
    return totem_written(with.from.file, good);
}
