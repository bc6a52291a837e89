// SPDX-License-Identifier: Apache-2.0
//
// Decoder of memory queue descriptors (cmodel/tool/mqd_decode.h): names and fields, restart state, records; and its
// verdict against blocks hqd and mqd: descriptors with random faults are written into a window, then ACTIVE.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "block_bench.h"

#include "mqd_decode.h"
#include "totem_hqd.h"
#include "totem_mqd.h"
#include "totem_phases.h"
#include "totem_pm4.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

BENCH(hqd)

#define MQD_PHASE(name, number) MQD_##name = (number)
enum { TOTEM_MQD_PHASES(MQD_PHASE) };

enum { WINDOW = 128, WORDS = TOTEM_QUEUES * 64, DESCRIPTORS = 4000 };

typedef struct {
    bench    b;
    uint32_t ram[WORDS];
} window_bench;

static void clock_edge(window_bench *t)
{
    TICK_WITH_RAM(t, t->ram, ram);
}

// Writes a dword of queue 0, as the host (kind 0) or as mqd; the error code of the machine, or 0.
static uint8_t put(window_bench *t, bool guest, unsigned place, uint32_t value, uint32_t *answer)
{
    LEVEL(&t->b, host_valid, !guest);
    LEVEL(&t->b, host_write, true);
    LEVEL(&t->b, host_queue, 0);
    LEVEL(&t->b, host_dword, (uint8_t)place);
    LEVEL(&t->b, host_strobe, 0xf);
    LEVEL(&t->b, host_data, value);
    LEVEL(&t->b, mqd_access_valid, guest);
    LEVEL(&t->b, mqd_access_kind, 1);
    LEVEL(&t->b, mqd_access_queue, 0);
    LEVEL(&t->b, mqd_access_dword, (uint8_t)place);
    LEVEL(&t->b, mqd_access_data, value);
    for (unsigned clocks = 0; !(guest ? t->b.o.mqd_done : t->b.o.host_done); clocks++) {
        assert_true(clocks < 1000);
        clock_edge(t);
    }
    const uint8_t error  = guest ? t->b.o.mqd_error : t->b.o.host_error;
    *answer              = guest ? t->b.o.mqd_rdata : t->b.o.host_rdata;
    t->b.hold.host_valid = t->b.hold.mqd_access_valid = false; // still 1 in this clock
    clock_edge(t);
    return error ? (uint8_t)(TOTEM_ERROR_CLASS_HOST << 5 | error) : 0;
}

static void open_bench(window_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        t->b.hold.fence_room[q] = t->b.hold.fence_idle[q] = true;
    t->b.i = t->b.hold;
    for (unsigned n = 0; n < WORDS; n++)
        clock_edge(t);
}

static void sound(uint32_t words[TOTEM_MQD_MOST])
{
    memset(words, 0, TOTEM_MQD_MOST * sizeof *words);
    words[128] = 0x2000;
    words[132] = 0x0be05301;
    words[145] = 0x0030850a;
    words[149] = 0x00300000;
}

static uint32_t random_below(uint64_t *seed, uint32_t below)
{
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z          = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z          = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)((z >> 32) * below >> 32);
}

static bool chance(uint64_t *seed, uint32_t of)
{
    return random_below(seed, of) == 0;
}

// A descriptor in which each thing that is looked at is wrong now and then.
static void draw(uint64_t *seed, uint32_t words[TOTEM_MQD_MOST])
{
    sound(words);
    words[128] = chance(seed, 3) ? random_below(seed, 4) : words[128];
    words[129] = chance(seed, 3) ? random_below(seed, 2) << random_below(seed, 16) : 0;
    words[132] = (words[132] & ~1u) | random_below(seed, 2) | (uint32_t)chance(seed, 4) << 31;
    words[133] = chance(seed, 8) ? 3 : random_below(seed, 3);
    words[145] = (words[145] & ~0x3fu) | (chance(seed, 4) ? random_below(seed, 64) : 3 + random_below(seed, 28));
    words[145] |= chance(seed, 8) ? (1 + random_below(seed, 3)) << 25 : 0;
    words[149] |= (uint32_t)chance(seed, 4) << 31;
    words[181] = chance(seed, 8) ? 1u << random_below(seed, 32) : 0;
    words[138] = random_below(seed, UINT32_MAX);
    // At, around and beyond the size of the ring.
    const uint32_t ring = UINT32_C(2) << (words[145] & 31u);
    words[182]          = words[138] + (chance(seed, 4) ? ring - 1 + random_below(seed, 3) : random_below(seed, ring));
}

// What block mqd makes of an error of hqd, in the phase in which it sets ACTIVE.
static uint8_t code_of_map(uint8_t window_code)
{
    totem_mqd          s;
    const totem_mqd_in in = {.hqd_done = true, .hqd_error = window_code & 31u};
    totem_mqd_reset(&s);
    s.phase = MQD_ACTIVATE;
    s.job   = 2;
    totem_mqd_step(&s, &in);
    return s.code;
}

// The first refusal of the list is the machine's, with the dword that it names; and so is that of the way over MAP.
static void verdict(void **state)
{
    (void)state;
    static window_bench t;
    uint64_t            seed      = 1;
    unsigned            seen[256] = {0};
    for (unsigned n = 0; n < DESCRIPTORS; n++) {
        uint32_t          words[TOTEM_MQD_MOST], answer;
        totem_mqd_refusal why[TOTEM_MQD_REFUSALS];
        const bool        guest = n % 2 != 0;
        draw(&seed, words);
        const size_t count = totem_mqd_check(words, why);
        size_t       first = 0;
        while (guest && first < count && why[first].map_code == 0)
            first++;
        const uint8_t expected = first < count ? why[first].window_code : 0;

        open_bench(&t);
        if (guest) {
            // The address of MAP stands in dword 0.
            assert_int_equal(put(&t, false, 60, 0x2000, &answer), 0);
            assert_int_equal(t.b.o.request[0], 2);
        }
        for (unsigned place = guest ? 2 : 0; place < 56; place++)
            assert_int_equal(put(&t, guest, place, place == 2 ? 0 : words[WINDOW + place], &answer), 0);
        const uint8_t got = put(&t, guest, 2, 1, &answer);
        if (got != expected)
            fail_msg("descriptor %u: the machine says 0x%02x, the decoder 0x%02x", n, got, expected);
        if (got)
            assert_int_equal(answer, words[why[first].dword]);
        if (got && guest)
            assert_int_equal(code_of_map(got), why[first].map_code);
        seen[got]++;
    }
    // Each verdict has been seen often.
    static const uint8_t all[] = {0,
                                  TOTEM_ERROR_HOST_MAP_STATE,
                                  TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY,
                                  TOTEM_ERROR_HOST_MAP_AQL,
                                  TOTEM_ERROR_HOST_MAP_QUEUE_SIZE,
                                  TOTEM_ERROR_HOST_MAP_POINTERS};
    for (size_t n = 0; n < sizeof all; n++)
        if (seen[all[n]] < DESCRIPTORS / 50)
            fail_msg("0x%02x was seen %u times", all[n], seen[all[n]]);
}

static const totem_pm4_word *word_of(const uint32_t *words, unsigned dword)
{
    static totem_pm4_word word;
    totem_mqd_word_of(words, dword, &word);
    return &word;
}

static void names(void **state)
{
    (void)state;
    uint32_t words[TOTEM_MQD_MOST];
    sound(words);
    assert_string_equal(word_of(words, 1)->register_name, "COMPUTE_DISPATCH_INITIATOR");
    assert_string_equal(word_of(words, 80)->register_name, "COMPUTE_USER_DATA_15");
    assert_string_equal(word_of(words, 92)->register_name, "cp_mqd_connect_end_wf_count");
    assert_string_equal(word_of(words, 128)->register_name, "CP_MQD_BASE_ADDR");
    assert_string_equal(word_of(words, 183)->register_name, "CP_HQD_PQ_WPTR_HI");
    assert_null(word_of(words, 184)->register_name);
    assert_null(word_of(words, 511)->register_name);
    const totem_pm4_word *control = word_of(words, 145);
    assert_string_equal(control->register_name, "CP_HQD_PQ_CONTROL");
    assert_string_equal(control->item[0].name, "QUEUE_SIZE");
    assert_int_equal(control->item[0].value, 10);
    assert_string_equal(control->item[3].name, "RPTR_BLOCK_SIZE");
    assert_int_equal(control->item[3].value, 5);
    for (unsigned dword = WINDOW; dword < WINDOW + 56; dword++)
        assert_true(word_of(words, dword)->register_name && word_of(words, dword)->items > 0);
}

static void restart_and_records(void **state)
{
    (void)state;
    uint32_t        words[TOTEM_MQD_MOST];
    totem_mqd_state s;
    sound(words);
    words[28]  = 5;
    words[29]  = 6;
    words[30]  = 7;
    words[35]  = 0xffffff83;
    words[93]  = 0x40;
    words[96]  = 0x40;
    words[107] = 9;
    words[97]  = 8;
    words[132] |= 1u << 31;
    words[146] = 0xfffffff0;
    words[147] = 0xabff;
    words[148] = 6;
    words[149] = 0x80000010;
    totem_mqd_state_of(words, &s);
    assert_true(s.preload && s.grid && s.buffer && !s.ended);
    assert_int_equal(s.restart[0] << 8 | s.restart[1] << 4 | s.restart[2], 0x567);
    assert_int_equal(s.granted, 3);
    assert_true(s.buffer_address == UINT64_C(0x10000000008));
    assert_int_equal(s.buffer_left, 10);
    words[97] = 9;
    totem_mqd_state_of(words, &s);
    assert_true(s.ended);
    words[93] = 0x41;
    totem_mqd_state_of(words, &s);
    assert_false(s.ended);
}

static void binary_files(void **state)
{
    (void)state;
    char          path[]  = "/tmp/totem_mqd_XXXXXX", message[512];
    const int     file    = mkstemp(path);
    const uint8_t bytes[] = {0x78, 0x56, 0x34, 0x12, 0xff, 0, 0, 0x80, 1};
    totem_hex     hex;
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, 8), 8);
    assert_true(totem_binary_read(path, &hex, message, sizeof message));
    assert_int_equal(hex.count, 2);
    assert_int_equal(hex.words[0], 0x12345678);
    assert_int_equal(hex.words[1], 0x800000ff);
    assert_int_equal(hex.lines[1], 4);
    totem_hex_free(&hex);
    assert_int_equal(write(file, bytes + 8, 1), 1);
    assert_false(totem_binary_read(path, &hex, message, sizeof message));
    assert_non_null(strstr(message, "byte 0x8: a dword is cut short"));
    close(file);
    unlink(path);
    assert_false(totem_binary_read(path, &hex, message, sizeof message));
    assert_non_null(strstr(message, "No such file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdict),
        cmocka_unit_test(names),
        cmocka_unit_test(restart_and_records),
        cmocka_unit_test(binary_files),
    };

    return cmocka_run_group_tests_name("mqd_decode", tests, NULL, NULL);
}
