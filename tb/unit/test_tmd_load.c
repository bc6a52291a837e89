// SPDX-License-Identifier: Apache-2.0
//
// totem_tmd_load: loads of docs/contract/tmd_load.md. The bench is the memory and the RAM. What is due follows from the
// table of fields that is generated from the map (rtl/task/tmd.yaml), not from the places that the contract names.

#define TOTEM_TMD_TABLES
#include "totem_tmd.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../cmodel/tool/pm4_decode.h"
#include "block_bench.h"
#include "totem_tmd_load.h"

BENCH(tmd_load)

enum { ENTRIES = TOTEM_ENTRIES, NO_BEAT = 99, OLDER = 0, NEWER = 1 };

typedef struct {
    bench    b;
    uint32_t tmd[TOTEM_TMD_DWORDS];
    uint64_t ram[ENTRIES][8];
    unsigned written;    // bit n: word n
    unsigned entry, gap; // of the load; clocks before a beat
    uint32_t pointer;    // of the load
    bool     strict, far;
    uint8_t  group;
    unsigned fails[2], with[2]; // beats that fail, and with what; the first word of a burst that ends with it
    bool     cut;
    uint64_t random;
} tmd_load_bench;

static unsigned draw(tmd_load_bench *t, unsigned below)
{
    t->random = t->random * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)((t->random >> 33) % below);
}

static void open_bench(tmd_load_bench *t)
{
    memset(t, 0, sizeof *t);
    t->random   = 1;
    t->fails[0] = t->fails[1] = NO_BEAT;
    t->pointer                = 0x81234567;
    fresh(&t->b);
    LEVEL(&t->b, fe_number, 2);
    LEVEL(&t->b, settings_address_high, 0xff00ffff);
}

// ADDRESS_HIGH of the front end is not 0, or that of all others.
static void set_far(tmd_load_bench *t, bool far)
{
    t->far = far;
    LEVEL(&t->b, settings_address_high, far ? 0x00010000 : 0xff00ffff);
}

static void close_bench(tmd_load_bench *t)
{
    (void)t;
}

#define META_RULE(name) RULE_IN(tmd_load_bench, open_bench, close_bench, t, name)

// ---- What the map says ----

static unsigned version_of(const tmd_load_bench *t)
{
    return (t->tmd[18] & 255) == totem_tmd_versions[OLDER].number ? OLDER : NEWER;
}

static uint32_t field(const tmd_load_bench *t, unsigned key)
{
    const unsigned version = version_of(t);
    if (!totem_tmd_fields[key].name[version])
        return 0;
    const unsigned low = totem_tmd_fields[key].low[version], bits = totem_tmd_fields[key].high[version] - low + 1u;
    return (uint32_t)(t->tmd[low / 32] >> low % 32 & ((1ull << bits) - 1));
}

static void set(tmd_load_bench *t, unsigned key, uint32_t value)
{
    const unsigned version = version_of(t);
    assert_non_null(totem_tmd_fields[key].name[version]);
    const unsigned low = totem_tmd_fields[key].low[version], bits = totem_tmd_fields[key].high[version] - low + 1u;
    const uint32_t ones = (uint32_t)((1ull << bits) - 1);
    t->tmd[low / 32]    = (t->tmd[low / 32] & ~(ones << low % 32)) | (value & ones) << low % 32;
}

// A descriptor without fault, all else drawn.
static void legal(tmd_load_bench *t, unsigned version)
{
    for (unsigned n = 0; n < TOTEM_TMD_DWORDS; n++)
        t->tmd[n] = draw(t, 1u << 16) | draw(t, 1u << 16) << 16;
    t->tmd[18] = (t->tmd[18] & ~255u) | totem_tmd_versions[version].number;
    for (unsigned key = 0; key < TOTEM_TMD_FIELDS; key++) {
        const totem_tmd_field *f = &totem_tmd_fields[key];
        if (f->allowed && f->name[version]) {
            uint32_t value = draw(t, 4);
            while (!(f->allowed >> value & 1) || (value > 1 && f->high[version] == f->low[version]))
                value = draw(t, 4);
            set(t, key, value);
        }
        if (f->not_zero && field(t, key) == 0)
            set(t, key, 7);
    }
}

static bool is_wrong(const tmd_load_bench *t, unsigned key)
{
    const totem_tmd_field *f = &totem_tmd_fields[key];
    if (f->ignored || f->error == 0 || !f->name[version_of(t)] || (f->when >= 0 && field(t, (unsigned)f->when) == 0))
        return false;
    const uint32_t value = field(t, key);
    return (f->not_zero && value == 0) || (f->allowed && (value > 7 || !(f->allowed >> value & 1)));
}

// The error that is due: the version, then by dword, then by number. Gives the dword.
static unsigned due(const tmd_load_bench *t, uint32_t *word)
{
    unsigned best = 1000 << 8;
    if ((t->tmd[18] & 255) != totem_tmd_versions[OLDER].number &&
        (t->tmd[18] & 255) != totem_tmd_versions[NEWER].number) {
        *word = t->tmd[18];
        return TOTEM_ERROR_DESCRIPTOR_TMD_VERSION;
    }
    for (unsigned key = 0; key < TOTEM_TMD_FIELDS; key++) {
        const totem_tmd_field *f     = &totem_tmd_fields[key];
        const unsigned         place = (f->low[version_of(t)] / 32u) << 8 | f->error;
        if (is_wrong(t, key) && place < best)
            best = place;
    }
    static const unsigned addresses[][2] = {{TOTEM_TMD_DEPENDENT_POINTER, TOTEM_TMD_DEPENDENT_ENABLE},
                                            {TOTEM_TMD_RELEASE0_ADDRESS_HIGH, TOTEM_TMD_RELEASE0_ENABLE},
                                            {TOTEM_TMD_RELEASE1_ADDRESS_HIGH, TOTEM_TMD_RELEASE1_ENABLE}};
    for (unsigned n = 0; t->far && n < COUNT(addresses); n++) {
        const unsigned top   = totem_tmd_fields[addresses[n][0]].high[version_of(t)]; // bit 39 of it
        const unsigned place = (top / 32u) << 8 | TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS;
        if (field(t, addresses[n][1]) && (t->tmd[top / 32] >> top % 32 & 1) && place < best)
            best = place;
    }
    if (t->strict && field(t, TOTEM_TMD_GROUP_ID) != t->group && (4 << 8 | TOTEM_ERROR_DESCRIPTOR_TMD_GROUP) < best)
        best = 4 << 8 | TOTEM_ERROR_DESCRIPTOR_TMD_GROUP;
    *word = best >> 8 == 1000 ? 0 : t->tmd[best >> 8];
    return best & 255;
}

static uint64_t release_due(const tmd_load_bench *t, unsigned first)
{
    const unsigned step = first - TOTEM_TMD_RELEASE0_ENABLE;
    return field(t, TOTEM_TMD_RELEASE0_ADDRESS_LOW + step) |
           (uint64_t)field(t, TOTEM_TMD_RELEASE0_ADDRESS_HIGH + step) << 32 |
           (uint64_t)field(t, TOTEM_TMD_RELEASE0_ENABLE + step) << 40 |
           (uint64_t)field(t, TOTEM_TMD_RELEASE0_SIZE + step) << 41 |
           (uint64_t)field(t, TOTEM_TMD_RELEASE0_PAYLOAD64 + step) << 43 |
           (uint64_t)(field(t, TOTEM_TMD_RELEASE0_TRAP + step) & 1) << 44;
}

static void words_are_kept(const tmd_load_bench *t)
{
    const uint64_t *const w   = t->ram[t->entry];
    const bool            old = version_of(t) == OLDER;
    assert_int_equal(t->written, 255);
    assert_int_equal(w[0], t->pointer | (uint64_t)field(t, TOTEM_TMD_DEPENDENT_POINTER) << 32);
    assert_int_equal(w[1], field(t, TOTEM_TMD_GRID_X) | (uint64_t)field(t, TOTEM_TMD_GRID_Y) << 32 |
                               (uint64_t)field(t, TOTEM_TMD_GRID_Z) << 48);
    assert_int_equal(w[2], field(t, TOTEM_TMD_REGISTER_COUNT) | (field(t, TOTEM_TMD_SM_DISABLE_MASK) & 15) << 9 |
                               (uint64_t)field(t, TOTEM_TMD_BLOCK_X) << 16 |
                               (uint64_t)field(t, TOTEM_TMD_BLOCK_Y) << 32 |
                               (uint64_t)field(t, TOTEM_TMD_BLOCK_Z) << 48);
    assert_int_equal(w[3], release_due(t, TOTEM_TMD_RELEASE0_ENABLE) | (uint64_t)field(t, TOTEM_TMD_LDS_SIZE) << 46);
    assert_int_equal(w[4], field(t, TOTEM_TMD_RELEASE0_PAYLOAD_LOW) |
                               (uint64_t)field(t, TOTEM_TMD_RELEASE0_PAYLOAD_HIGH) << 32);
    assert_int_equal(w[5], release_due(t, TOTEM_TMD_RELEASE1_ENABLE));
    assert_int_equal(w[6], field(t, TOTEM_TMD_RELEASE1_PAYLOAD_LOW) |
                               (uint64_t)field(t, TOTEM_TMD_RELEASE1_PAYLOAD_HIGH) << 32);
    assert_int_equal(
        w[7], field(t, TOTEM_TMD_PROGRAM_LOW) | (uint64_t)(field(t, TOTEM_TMD_PROGRAM_HIGH) & 0xffff) << 32 |
                  (uint64_t)(old ? 3 : field(t, TOTEM_TMD_DEPENDENT_ACTION)) << 48 |
                  (uint64_t)(old ? 1 : field(t, TOTEM_TMD_DEPENDENT_PREFETCH)) << 51 |
                  (uint64_t)field(t, TOTEM_TMD_DEPENDENT_FIELD_COPY) << 52 |
                  (uint64_t)field(t, TOTEM_TMD_MEMBAR_TYPE) << 53 | (uint64_t)field(t, TOTEM_TMD_INVALIDATE) << 55);
}

// ---- A load ----

static void clock_edge(tmd_load_bench *t)
{
    const totem_tmd_load_out *o = &t->b.o;
    if (o->tmd_write_enable) {
        const unsigned word = o->tmd_write_addr % 8u;
        assert_int_equal(o->tmd_write_addr / 8u, t->entry);
        assert_false(t->written >> word & 1);
        t->written |= 1u << word;
        t->ram[t->entry][word] = o->tmd_write_data;
    }
    tick(&t->b);
}

// The beats of a burst. Gives the first beat that failed.
static void give_burst(tmd_load_bench *t, unsigned first, unsigned *failed)
{
    for (unsigned n = first; n < first + 16; n++) {
        for (unsigned wait = t->gap ? draw(t, t->gap) : 0; wait; wait--) {
            clock_edge(t);
            assert_false(t->b.o.answer_valid || t->b.o.request_ready);
        }
        const unsigned which = n == t->fails[1];
        t->b.i.data_valid    = true;
        t->b.i.data_word     = t->tmd[2 * n] | (uint64_t)t->tmd[2 * n + 1] << 32;
        t->b.i.data_error    = (uint8_t)(n == t->fails[which] ? t->with[which] : 0);
        const bool last      = n == first + 15 || (t->cut && t->b.i.data_error);
        t->b.i.data_last     = last;
        if (t->b.i.data_error && *failed == NO_BEAT)
            *failed = n;
        clock_edge(t);
        assert_int_equal(t->b.o.answer_valid, last && first == 16);
        assert_int_equal(t->b.o.request_ready, last && first == 16);
        if (last)
            return;
    }
}

// A load from its request to its answer, which is compared. Gives the error.
static unsigned load(tmd_load_bench *t)
{
    unsigned failed = NO_BEAT, code;
    uint32_t word;
    assert_true(t->b.o.request_ready);
    t->written             = 0;
    t->b.i.request_valid   = true;
    t->b.i.request_entry   = (TOTEM_TMD_LOAD_ENTRY)t->entry;
    t->b.i.request_pointer = t->pointer;
    t->b.i.request_strict  = t->strict;
    t->b.i.request_group   = t->group;
    clock_edge(t);
    for (unsigned burst = 0; burst < 2; burst++) {
        for (unsigned wait = t->gap ? draw(t, t->gap) : 0;; wait--) {
            assert_true(t->b.o.read_valid);
            assert_int_equal(t->b.o.read_addr, ((uint64_t)t->pointer << 8) + 128 * burst);
            assert_int_equal(t->b.o.read_beats, 16);
            if (!wait)
                break;
            clock_edge(t);
        }
        t->b.i.read_ready = true;
        clock_edge(t);
        if (t->gap % 2) // the beats of the first burst come before the second one is asked for
            give_burst(t, 16 * burst, &failed);
    }
    assert_false(t->b.o.read_valid);
    for (unsigned burst = 0; burst < 2 && t->gap % 2 == 0; burst++)
        give_burst(t, 16 * burst, &failed);

    const totem_tmd_load_out o = t->b.o;
    assert_int_equal(o.answer_entry, t->entry);
    if (failed == NO_BEAT)
        code = due(t, &word);
    else {
        code = 0x60 + t->with[failed == t->fails[1]];
        word = (t->pointer << 8) + 8 * failed;
    }
    assert_int_equal(o.answer_error, code);
    assert_int_equal(o.answer_word, word);
    clock_edge(t);
    assert_false(t->b.o.answer_valid || t->b.o.tmd_write_enable);
    if (code)
        return code;
    words_are_kept(t);
    assert_int_equal(o.answer_group, field(t, TOTEM_TMD_GROUP_ID));
    assert_int_equal(o.answer_head, field(t, TOTEM_TMD_ADD_TO_HEAD));
    assert_int_equal(o.answer_dependent, field(t, TOTEM_TMD_DEPENDENT_ENABLE));
    assert_int_equal(o.answer_pointer, field(t, TOTEM_TMD_DEPENDENT_POINTER));
    assert_int_equal(o.answer_prefetch, version_of(t) == OLDER || field(t, TOTEM_TMD_DEPENDENT_PREFETCH));
    if (o.answer_dependent)
        assert_int_equal(o.answer_renew, version_of(t) == OLDER || field(t, TOTEM_TMD_DEPENDENT_ACTION) == 3);
    assert_int_equal(o.answer_empty,
                     !field(t, TOTEM_TMD_GRID_X) || !field(t, TOTEM_TMD_GRID_Y) || !field(t, TOTEM_TMD_GRID_Z));
    return 0;
}

// ---- Tests ----

META_RULE(both_versions)
{
    for (unsigned n = 0; n < 400; n++) {
        legal(t, n % 2);
        t->entry   = draw(t, ENTRIES);
        t->pointer = t->tmd[0];
        t->gap     = n % 5;
        for (unsigned key = TOTEM_TMD_GRID_X; key <= TOTEM_TMD_GRID_Z; key++)
            if (n % 7 == key)
                set(t, key, 0);
        assert_int_equal(load(t), 0);
    }
}

// Each value of each checked field that a descriptor may not have, with and without what makes it count.
META_RULE(each_error)
{
    bool seen[256] = {false};
    for (unsigned n = 0; n < 2 * TOTEM_TMD_FIELDS * 8; n++) {
        const unsigned         version = n & 1, key = n / 16, value = n / 2 % 8;
        const totem_tmd_field *f = &totem_tmd_fields[key];
        if (!f->error || !f->name[version])
            continue;
        legal(t, version);
        if (f->when >= 0)
            set(t, (unsigned)f->when, n / 4 % 4 != 0);
        set(t, key, value);
        t->gap        = n % 3;
        seen[load(t)] = true;
    }
    for (unsigned n = 0; n < 256; n++) {
        legal(t, NEWER);
        t->tmd[18] = (t->tmd[18] & ~255u) | n;
        if (n != totem_tmd_versions[OLDER].number)
            seen[load(t)] = true;
    }
    t->strict = true;
    for (unsigned n = 0; n < 64; n++) {
        legal(t, n % 2);
        t->group      = (uint8_t)(field(t, TOTEM_TMD_GROUP_ID) ^ (n / 2 ? 1u << n / 2 % 6 : 0));
        seen[load(t)] = true;
    }
    t->strict  = false;
    t->pointer = 0x7fffffff;
    set_far(t, true);
    for (unsigned n = 0; n < 64; n++) {
        legal(t, n % 2);
        seen[load(t)] = true;
    }
    for (unsigned code = TOTEM_ERROR_DESCRIPTOR_TMD_VERSION; code <= TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS; code++)
        assert_true(seen[code]);
    assert_true(seen[0]);
}

// Several faults at once: which is answered.
META_RULE(first_error)
{
    unsigned with_two = 0;
    t->pointer        = 0;
    for (unsigned n = 0; n < 3000; n++) {
        unsigned wrong = 0;
        legal(t, n % 2);
        set_far(t, n % 5 == 0);
        t->strict = n % 3 == 0;
        t->group  = (uint8_t)(n % 4 ? field(t, TOTEM_TMD_GROUP_ID) : n % 64);
        for (unsigned key = 0; key < TOTEM_TMD_FIELDS; key++)
            if (totem_tmd_fields[key].error && totem_tmd_fields[key].name[n % 2] && draw(t, 8) == 0) {
                set(t, key, draw(t, 2) ? 0 : draw(t, 8));
                wrong++;
            }
        if (n % 16 == 0)
            t->tmd[18] ^= 1u << n / 16 % 8;
        if (wrong > 1 && load(t))
            with_two++;
    }
    assert_true(with_two > 500);
}

// A pointer that would be another place at the memory port: answered at once, nothing is read or written.
META_RULE(strange_pointer)
{
    for (unsigned n = 0; n < 8; n++) {
        const uint32_t pointer = 0x80000000u | n;
        set_far(t, true);
        t->b.i.request_valid   = true;
        t->b.i.request_entry   = (TOTEM_TMD_LOAD_ENTRY)(n % ENTRIES);
        t->b.i.request_pointer = pointer;
        clock_edge(t);
        assert_true(t->b.o.answer_valid && t->b.o.request_ready);
        assert_false(t->b.o.read_valid || t->b.o.tmd_write_enable);
        assert_int_equal(t->b.o.answer_entry, n % ENTRIES);
        assert_int_equal(t->b.o.answer_error, TOTEM_ERROR_DESCRIPTOR_TMD_ADDRESS);
        assert_int_equal(t->b.o.answer_word, pointer);
        if (n % 2) // the next one in that clock
            continue;
        clock_edge(t);
        assert_false(t->b.o.answer_valid || t->b.o.read_valid);
        set_far(t, false);
        legal(t, NEWER);
        assert_int_equal(load(t), 0);
    }
}

META_RULE(failed_reads)
{
    for (unsigned n = 0; n < 32 * 3 * 8; n++) {
        legal(t, n % 2);
        if (n / 2 % 2) // a failed read comes before all
            t->tmd[18] ^= 1;
        if (n % 5 == 0)
            set(t, TOTEM_TMD_SEQUENTIAL, 1);
        t->gap      = n % 4;
        t->fails[0] = n % 32;
        t->with[0]  = 1 + n / 32 % 3;
        t->fails[1] = n / 96 % 2 ? n * 7 % 32 : NO_BEAT;
        t->with[1]  = 1 + n % 3;
        t->cut      = n / 192 % 2;
        assert_in_range(load(t), TOTEM_ERROR_MEMORY_READ_SLVERR, TOTEM_ERROR_MEMORY_READ_TIMEOUT);
    }
    t->fails[0] = t->fails[1] = NO_BEAT; // the next load is as if nothing had been
    legal(t, NEWER);
    assert_int_equal(load(t), 0);
}
