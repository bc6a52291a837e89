// SPDX-License-Identifier: Apache-2.0
//
// Decoder of memory queue descriptors (cmodel/tool/mqd_decode.h): names and fields, restart state, records; and its
// verdict against blocks hqd and mqd: descriptors with random faults are written into a window, then ACTIVE.

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "hqd_bench.h"

#include "mqd_decode.h"
#include "totem_mqd.h"
#include "totem_pm4.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { WINDOW = 128, DESCRIPTORS = 4000 };

// Writes a dword of queue 0, as the host or as mqd; the error code of the machine, or 0.
static uint8_t writes(window_bench *t, bool as_mqd, unsigned place, uint32_t value, uint32_t *answer)
{
    const totem_hqd_out *o = &t->b.o;
    ask(t, 0, (uint8_t)place, true, 0xf, value);
    ACCESS(t, host_valid, !as_mqd);
    ACCESS(t, mqd_access_valid, as_mqd);
    ACCESS(t, mqd_access_kind, 1);
    ACCESS(t, mqd_access_dword, (uint8_t)place);
    ACCESS(t, mqd_access_data, value);
    while (!(as_mqd ? o->mqd_done : o->host_done)) {
        assert_true(t->now < 1000);
        clock_edge(t);
    }
    const uint8_t error = as_mqd ? o->mqd_error : o->host_error;
    *answer             = as_mqd ? o->mqd_rdata : o->host_rdata;
    ACCESS(t, host_valid, false); // still 1 in this clock
    ACCESS(t, mqd_access_valid, false);
    clock_edge(t);
    return error ? (uint8_t)(TOTEM_ERROR_CLASS_HOST << 5 | error) : 0;
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
    words[181]                    = chance(seed, 8) ? 1u << random_below(seed, 32) : 0;
    words[138]                    = random_below(seed, UINT32_MAX);
    static const unsigned upper[] = {129, 137, 140, 142, 147}; // of addresses: bits 47:40, and bit 39
    for (unsigned n = 0; n < 5; n++)
        if (chance(seed, 4))
            words[upper[n]] |= (n == 1 ? 0x7fu : 0x7f00u) | chance(seed, 4);
    words[136] |= (uint32_t)chance(seed, 8) << 31;
    words[147] |= (uint32_t)chance(seed, 8) << 7;
    words[145] |= (uint32_t)chance(seed, 2) << 27; // NO_UPDATE_RPTR
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
RULE(verdict)
{
    static const uint8_t all[]     = {0,
                                      TOTEM_ERROR_HOST_MAP_STATE,
                                      TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY,
                                      TOTEM_ERROR_HOST_MAP_AQL,
                                      TOTEM_ERROR_HOST_MAP_QUEUE_SIZE,
                                      TOTEM_ERROR_HOST_MAP_POINTERS,
                                      TOTEM_ERROR_HOST_MAP_ADDRESS};
    uint64_t             seed      = 1;
    unsigned             seen[256] = {0};
    for (unsigned n = 0; n < DESCRIPTORS; n++) {
        uint32_t          words[TOTEM_MQD_MOST], answer;
        totem_mqd_refusal why[TOTEM_MQD_REFUSALS];
        const bool        map_way = n % 2 != 0;
        draw(&seed, words);
        const uint8_t above = n / 2 % 2 != 0 ? 0x7f : 0; // ADDRESS_HIGH
        const size_t  count = totem_mqd_check(words, above, why);
        size_t        first = 0;
        while (map_way && first < count && why[first].map_code == 0)
            first++;
        const uint8_t expected = first < count ? why[first].window_code : 0;

        open_bench(t);
        LEVEL(&t->b, settings_address_high, above);
        if (map_way) { // the address of MAP stands in dword 0
            assert_int_equal(writes(t, false, 60, 0x2000, &answer), 0);
            assert_int_equal(t->b.o.request[0], 2);
        }
        for (unsigned place = map_way ? 2 : 0; place < 56; place++)
            assert_int_equal(writes(t, map_way, place, place == 2 ? 0 : words[WINDOW + place], &answer), 0);
        const uint8_t got = writes(t, map_way, 2, 1, &answer);
        if (got != expected)
            fail_msg("descriptor %u: the machine says 0x%02x, the decoder 0x%02x", n, got, expected);
        if (got)
            assert_int_equal(answer, words[why[first].dword]);
        if (got && map_way)
            assert_int_equal(code_of_map(got), why[first].map_code);
        seen[got]++;
    }
    for (size_t n = 0; n < COUNT(all); n++)
        if (seen[all[n]] < DESCRIPTORS / 50)
            fail_msg("0x%02x was seen %u times", all[n], seen[all[n]]);
}

static const totem_pm4_word *word_of(const uint32_t *words, unsigned dword)
{
    static totem_pm4_word word;
    totem_mqd_word_of(words, dword, TOTEM_CHIP_ANY, &word);
    return &word;
}

RULE(names)
{
    static const struct {
        unsigned    dword;
        const char *name;
    } rows[] = {{1, "COMPUTE_DISPATCH_INITIATOR"},
                {15, "compute_tba_lo"},
                {38, "compute_wave_restore_control"},
                {42, "compute_static_thread_mgmt_se7"},
                {80, "COMPUTE_USER_DATA_15"},
                {92, "cp_mqd_connect_end_wf_count"},
                {128, "CP_MQD_BASE_ADDR"},
                {145, "CP_HQD_PQ_CONTROL"},
                {183, "CP_HQD_PQ_WPTR_HI"}};
    uint32_t words[TOTEM_MQD_MOST];
    sound(words);
    for (unsigned n = 0; n < COUNT(rows); n++)
        assert_string_equal(word_of(words, rows[n].dword)->register_name, rows[n].name);
    totem_pm4_word later;
    totem_mqd_word_of(words, 35, TOTEM_CHIP_GFX10, &later);
    assert_string_equal(later.register_name, "compute_relaunch");
    totem_mqd_word_of(words, 160, TOTEM_CHIP_GFX10, &later);
    assert_string_equal(later.register_name, "cp_hqd_hq_scheduler0");
    totem_mqd_word_of(words, 18, TOTEM_CHIP_GFX10, &later);
    assert_string_equal(later.register_name, "compute_tma_hi");
    assert_string_equal(word_of(words, 160)->register_name, "CP_HQD_HQ_STATUS0");
    assert_string_equal(word_of(words, 224)->register_name, "iqtimer_pkt_dw31");
    assert_string_equal(word_of(words, 255)->register_name, "queue_doorbell_id15");
    totem_mqd_word_of(words, 52, TOTEM_CHIP_GFX11, &later);
    assert_string_equal(later.register_name, "compute_wave_restore_control");
    totem_mqd_word_of(words, 36, TOTEM_CHIP_GFX11, &later);
    assert_null(later.register_name);
    totem_mqd_word_of(words, 449, TOTEM_CHIP_GFX11, &later);
    assert_string_equal(later.register_name, "gws_1_val");
    totem_mqd_word_of(words, 108, TOTEM_CHIP_GFX12, &later);
    assert_null(later.register_name);
    totem_mqd_word_of(words, 59, TOTEM_CHIP_GFX12, &later);
    assert_string_equal(later.register_name, "compute_static_thread_mgmt_se8");
    totem_mqd_word_of(words, 41, TOTEM_CHIP_GFX12, &later);
    assert_string_equal(later.register_name, "COMPUTE_PGM_RSRC3");
    assert_null(word_of(words, 184)->register_name);
    assert_null(word_of(words, 511)->register_name);
    const totem_pm4_word *control = word_of(words, 145);
    assert_string_equal(control->item[0].name, "QUEUE_SIZE");
    assert_int_equal(control->item[0].value, 10);
    assert_string_equal(control->item[3].name, "RPTR_BLOCK_SIZE");
    assert_int_equal(control->item[3].value, 5);
    for (unsigned dword = WINDOW; dword < WINDOW + 56; dword++)
        assert_true(word_of(words, dword)->register_name && word_of(words, dword)->items > 0);
}

RULE(restart_and_records)
{
    uint32_t        words[TOTEM_MQD_MOST];
    totem_mqd_state s;
    sound(words);
    words[28] = 5;
    words[29] = 6;
    words[30] = 7;
    words[35] = 0xffffff83;
    words[93] = words[96] = 0x40;
    words[107]            = 9;
    words[97]             = 8;
    words[132] |= 1u << 31;
    words[146] = 0xfffffff0;
    words[147] = 0xabff;
    words[148] = 6;
    words[149] = 0x80000010;
    totem_mqd_state_of(words, &s);
    assert_true(s.preload && s.grid && s.buffer && !s.ended);
    assert_int_equal(s.restart[0] << 8 | s.restart[1] << 4 | s.restart[2], 0x567);
    assert_int_equal(s.granted, 3);
    assert_true(s.buffer_address == UINT64_C(0xac0000000008));
    assert_int_equal(s.buffer_left, 10);
    words[97] = 9;
    totem_mqd_state_of(words, &s);
    assert_true(s.ended);
    words[93] = 0x41;
    totem_mqd_state_of(words, &s);
    assert_false(s.ended);
}

RULE(binary_files)
{
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
