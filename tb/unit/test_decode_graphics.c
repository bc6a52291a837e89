// SPDX-License-Identifier: Apache-2.0
//
// totem_decode on a graphics queue (docs/contract/decode.md): its kinds, pairs, groups, and captured rings, of which
// every packet and register write is compared with what another decoder made of them.
// Configuration: mini, because decode has no sizes.

#include "block_bench.h"
#include "tests.h"

#include "totem_decode.h"
#include "totem_pm4.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

BENCH(decode)

#define HEADER(op, body) (0xc0000000u | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8)

typedef struct {
    bench           b;
    const uint32_t *words;
    size_t          left, taken;
} decode_bench;

static void clock_edge(decode_bench *t)
{
    t->b.i.fetch_dword_valid = t->left != 0;
    t->b.i.fetch_dword_data  = t->left != 0 ? *t->words : 0xdeadbeef;
    if (t->left != 0 && t->b.o.dword_ready) {
        t->words++;
        t->left--;
        t->taken++;
    }
    tick(&t->b);
    assert_true(totem_decode_invariant(&t->b.s));
}

static void begin(decode_bench *t, const uint32_t *words, size_t count)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->b.hold.graphics        = true;
    t->b.hold.fetch_available = 100000;
    t->b.hold.bank_loaded     = true;
    t->b.hold.execute_ready   = true;
    t->b.i                    = t->b.hold;
    t->words                  = words;
    t->left                   = count;
}

// The next word, at most 16 clocks from now (a packet that is consumed: as many more as it has dwords).
static void to_word(decode_bench *t)
{
    for (unsigned n = 0; !t->b.o.valid; n++, clock_edge(t)) // NOLINT(clang-analyzer-core.uninitialized.Branch)
        assert_true(n < 0x4010);
}

// Offsets and values, also two and two; what is left over is no word; every offset is looked at.
TEST(pairs)
{
    static const struct {
        uint32_t words[10];
        unsigned count, writes;
        uint32_t write[4][2];
        uint8_t  kind, code;
        uint32_t word;
    } rows[] = {
        {{HEADER(0xb8, 4), 0x3ff, 7, 5, 8}, 5, 2, {{0x3ff, 7}, {5, 8}}, TOTEM_KIND_CONTEXT, 0, 0},
        {{HEADER(0xba, 4), 0x3ff, 7, 5, 8}, 5, 2, {{0x3ff, 7}, {5, 8}}, TOTEM_KIND_SHADER, 0, 0},
        {{HEADER(0xb8, 3), 1, 7, 5}, 4, 1, {{1, 7}}, TOTEM_KIND_CONTEXT, 0, 0},
        {{HEADER(0xb8, 4), 1, 7, 0x400, 8}, 5, 1, {{1, 7}}, TOTEM_KIND_CONTEXT, 0x3e, 0x400},
        {{HEADER(0xba, 2), 0xabcd, 7}, 3, 0, {{0}}, TOTEM_KIND_SHADER, 0x28, 0xabcd},
        {{HEADER(0xb9, 7), 4, 0x3ff0001, 7, 8, 0x30002, 9, 10},
         8,
         4,
         {{1, 7}, {0x3ff, 8}, {2, 9}, {3, 10}},
         TOTEM_KIND_CONTEXT,
         0,
         0},
        {{HEADER(0xbb, 4), 2, 0x2450044, 7, 8}, 5, 2, {{0x44, 7}, {0x245, 8}}, TOTEM_KIND_SHADER, 0, 0},
        {{HEADER(0xbd, 4), 2, 0x4000044, 7, 8}, 5, 1, {{0x44, 7}}, TOTEM_KIND_SHADER, 0x28, 0x4000044},
        {{HEADER(0xb9, 6), 3, 0x20001, 7, 8, 0x30002, 9}, 7, 3, {{1, 7}, {2, 8}, {2, 9}}, TOTEM_KIND_CONTEXT, 0, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        decode_bench t;
        begin(&t, rows[n].words, rows[n].count);
        for (unsigned k = 0; k < rows[n].writes; k++, clock_edge(&t)) {
            to_word(&t);
            if (t.b.o.code != 0 || t.b.o.kind != rows[n].kind || t.b.o.address != rows[n].write[k][0] ||
                (uint32_t)t.b.o.data != rows[n].write[k][1] || !t.b.o.stream)
                fail_msg("row %u, word %u", n, k);
        }
        if (rows[n].code != 0) {
            to_word(&t);
            assert_int_equal(t.b.o.code, rows[n].code);
            assert_int_equal(t.b.o.control, rows[n].word);
            clock_edge(&t);
        } else if (rows[n].count == 4) { // an offset without a value
            to_word(&t);
            assert_true(t.b.o.last && !t.b.o.stream && t.b.o.code == 0);
            clock_edge(&t);
        }
        assert_true(t.b.o.boundary && !t.b.o.valid);
    }
}

// What is refused, and with which word.
TEST(refused)
{
    static const struct {
        uint32_t words[5];
        uint16_t group, deferred, available;
        uint8_t  code; // 0: none
        bool     skip;
        uint32_t word;
    } rows[] = {
        {{HEADER(0x12, 1), 1}, 0, 0, 9, 0x3d, false, 1},                        // CLEAR_STATE, push
        {{HEADER(0x69, 2), 0x400, 1}, 0, 0, 9, 0x3e, false, 0x400},             // a context register
        {{HEADER(0x79, 2), 0x4000, 1}, 0, 0, 9, 0x3e, false, 0x4000},           // a user-configuration register
        {{HEADER(0x51, 3), 0x400, 1, 1}, 0, 0, 9, 0x3e, false, 0x400},          // .. to be modified
        {{HEADER(0x76, 2), 0x400, 1}, 0, 0, 9, 0x28, false, 0x400},             // a shader register
        {{HEADER(0x27, 2), 1, 1}, 0, 0, 9, 0x25, false, HEADER(0x27, 2)},       // DRAW_INDEX_2, the short form
        {{HEADER(0x37, 4), 0x300, 0, 0, 1}, 0, 0, 9, 0x29, false, 0x300},       // WRITE_DATA to GDS
        {{HEADER(0x14, 1), 0}, 4, 0, 9, 0x22, false, HEADER(0x14, 1)},          // no opcode
        {{HEADER(0x69, 2), 1, 1}, 3, 5, 8, 0, false, 0},                        // in a group that ends with it
        {{HEADER(0x69, 2), 1, 1}, 2, 5, 9, 0x3b, false, HEADER(0x69, 2)},       // .. that cuts it
        {{HEADER(0x69, 2), 1, 1}, 3, 5, 7, 0x23, false, HEADER(0x69, 2)},       // .. past what is written
        {{HEADER(0x69, 2), 1, 1}, 0, 5, 7, 0x23, false, HEADER(0x69, 2)},       // behind one
        {{HEADER(0x10, 2), 1, 1}, 3, 0, 9, 0, false, 0},                        // NOP
        {{0xffff1000}, 1, 0, 9, 0, false, 0},                                   // .. of one dword
        {{0x80000000}, 1, 0, 9, 0, false, 0},                                   // a filler
        {{HEADER(0x51, 3), 1, 1, 1}, 4, 0, 9, 0, false, 0},                     // CONTEXT_REG_RMW
        {{HEADER(0x9f, 4), 0, 0, 1, 1}, 5, 0, 9, 0, false, 0},                  // LOAD_CONTEXT_REG_INDEX
        {{HEADER(0xb8, 2), 1, 1}, 3, 0, 9, 0, false, 0},                        // SET_CONTEXT_REG_PAIRS
        {{HEADER(0xba, 2), 1, 1}, 3, 0, 9, 0x3c, false, HEADER(0xba, 2)},       // SET_SH_REG_PAIRS
        {{HEADER(0x12, 1), 0}, 2, 0, 9, 0x3c, false, HEADER(0x12, 1)},          // CLEAR_STATE
        {{HEADER(0x2d, 2), 3, 2}, 9, 0, 9, 0x3c, false, HEADER(0x2d, 2)},       // a draw
        {{HEADER(0x42, 1), 0}, 9, 0, 9, 0x3c, false, HEADER(0x42, 1)},          // a packet that is counted
        {{HEADER(0x63, 4), 0, 0, 1, 1}, 9, 0, 9, 0x3c, false, HEADER(0x63, 4)}, // LOAD_SH_REG_INDEX
        {{HEADER(TOTEM_OP_CONTEXT_BOUNCE, 3), 1, 1, 1}, 9, 0, 9, 0x3c, false, HEADER(TOTEM_OP_CONTEXT_BOUNCE, 3)},
        {{HEADER(0x12, 1), 1}, 0, 0, 9, 0, true, 0}, // passed
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        decode_bench t;
        begin(&t, rows[n].words, 5);
        LEVEL(&t.b, execute_group, rows[n].group);
        LEVEL(&t.b, execute_deferred, rows[n].deferred);
        LEVEL(&t.b, fetch_available, rows[n].available);
        LEVEL(&t.b, execute_skip, rows[n].skip);
        to_word(&t);
        if (t.b.o.code != rows[n].code || (rows[n].code != 0 && t.b.o.control != rows[n].word))
            fail_msg("row %u: code 0x%02x, word 0x%08x", n, t.b.o.code, t.b.o.control);
        assert_true(!rows[n].skip || (t.b.o.kind == TOTEM_KIND_PASS && t.b.o.writes_context));
    }
}

// ---- captured streams

// The folder of the streams, or NULL with a message where it is absent.
static const char *streams(void)
{
    const char *asked = getenv("TOTEM_STREAMS"), *folder = asked ? asked : "../shared/streams";
    DIR        *directory = opendir(folder);
    if (directory) {
        closedir(directory);
        return folder;
    }
    if (asked)
        fail_msg("TOTEM_STREAMS=%s: no such folder", asked);
    print_message("SKIPPED captured streams: they are not in %s; name their folder with TOTEM_STREAMS=\n", folder);
    return NULL;
}

static FILE *open_stream(const char *folder, const char *name, const char *end)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, end);
    FILE *file = fopen(path, "r");
    if (!file)
        fail_msg("%s cannot be read", path);
    return file;
}

// Other decoders print names: one name is one address, and one address one name.
typedef struct {
    char     name[64];
    uint64_t address;
} named;

static void check_name(named *names, size_t *count, const char *name, uint64_t address)
{
    for (size_t n = 0; n < *count; n++)
        if ((strcmp(names[n].name, name) == 0) != (names[n].address == address))
            fail_msg("%s is at 0x%llx, and %s at 0x%llx", name, (unsigned long long)address, names[n].name,
                     (unsigned long long)names[n].address);
        else if (names[n].address == address)
            return;
    assert_true(*count < 1024 && strlen(name) < sizeof names->name);
    snprintf(names[*count].name, sizeof names[*count].name, "%s", name);
    names[(*count)++].address = address;
}

static uint64_t window_of(uint8_t kind)
{
    return kind == TOTEM_KIND_CONTEXT  ? TOTEM_WINDOW_CONTEXT_FIRST
           : kind == TOTEM_KIND_SHADER ? TOTEM_WINDOW_SH_FIRST
           : kind == TOTEM_KIND_USER   ? TOTEM_WINDOW_UCONFIG_FIRST
                                       : 0;
}

static size_t compare_golden(const char *folder, const char *name)
{
    static uint32_t words[1 << 14];
    static named    names[1024];
    size_t          count = 0, known = 0, lines = 0, start = 0, place = 0;
    char            line[512];
    FILE           *file = open_stream(folder, name, "hex");
    while (fgets(line, sizeof line, file))
        if (line[0] != '/') {
            assert_true(count < COUNT(words));
            words[count++] = (uint32_t)strtoul(line, NULL, 16);
        }
    fclose(file);
    FILE        *golden = open_stream(folder, name, "golden.txt");
    decode_bench t;
    bool         open = false; // in the packet that begins at dword `start`
    while (fgets(line, sizeof line, golden)) {
        char          text[4][64] = {""};
        char          kind;
        unsigned long index;
        // NOLINTNEXTLINE(cert-err34-c): a line that has no number is refused by the count
        if (sscanf(line, "%c %lu %63s %63s %63s", &kind, &index, text[0], text[1], text[2]) < 4 || kind == '/')
            continue;
        if (kind == 'P') {
            // Words of the packet before that are no register writes.
            for (; open && !t.b.o.boundary; clock_edge(&t))
                if (t.b.o.valid && t.b.o.stream && t.b.o.kind != TOTEM_KIND_WRITE)
                    fail_msg("%s: more registers than the packet at dword %zu has", name, start);
            if (!open || index != start + t.b.o.length) // the live part begins here
                begin(&t, words + index, count - index);
            LEVEL(&t.b, settings_address_high, 0x80); // bits 47:40 of its buffers
            open  = true;
            start = index;
            to_word(&t);
            place = t.b.o.kind == TOTEM_KIND_WRITE ? 4 : 2;
            if (t.b.o.code != 0 || (t.b.o.header >> 8 & 0xff) != strtoul(text[0], NULL, 16) ||
                t.b.o.length != strtoul(text[2], NULL, 10) + 1 || t.b.o.header != words[index])
                fail_msg("%s: the packet of line '%s' is not so here: header 0x%08x, %u dwords, code 0x%02x", name,
                         line, t.b.o.header, t.b.o.length, t.b.o.code);
        } else {
            to_word(&t);
            if (!t.b.o.stream || index != start + place++ || (uint32_t)t.b.o.data != strtoul(text[1], NULL, 16))
                fail_msg("%s: the write of line '%s' is not so here", name, line);
            check_name(names, &known, text[0], window_of(t.b.o.kind) + (t.b.o.address & 0xffff));
            clock_edge(&t);
        }
        lines++;
    }
    fclose(golden);
    return lines;
}

TEST(golden_streams)
{
    static const char *const rows[] = {"umr_gfx9_cezanne_glmark2_ib0",  "umr_gfx9_cezanne_glmark2_ib1",
                                       "umr_gfx10_navi10_heaven_ib0",   "umr_gfx10_navi10_heaven_ib1",
                                       "umr_gfx9_cezanne_glmark2_ring", "umr_gfx10_navi10_heaven_ring"};
    const char              *folder = streams();
    size_t                   lines  = 0;
    if (!folder)
        skip();
    for (size_t n = 0; n < COUNT(rows); n++)
        lines += compare_golden(folder, rows[n]);
    print_message("%zu packets and register writes agree with the other decoder\n", lines);
}
