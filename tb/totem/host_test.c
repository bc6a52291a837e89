// SPDX-License-Identifier: Apache-2.0
#include "host_test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void compare(host_test *t, const char *part, uint32_t address, uint32_t wanted, uint32_t got)
{
    t->words++;
    if (wanted == got)
        return;
    if (t->wrong < HOST_TEST_LISTED)
        t->faults[t->wrong] = (host_test_fault){part, address, wanted, got};
    t->wrong++;
}

// Another value at every address; its complement in the second pass.
static uint32_t value_at(uint32_t address, bool second)
{
    uint32_t v = address * 0x9e3779b1u;
    v          = (v ^ v >> 15) * 0x85ebca6bu;
    v ^= v >> 13;
    return second ? ~v : v;
}

// One 1, then one 0, in each of the 64 data lines.
static bool data_lines(host_board *b, host_test *t)
{
    for (uint32_t n = 0; n < 128; n++) {
        const uint64_t one = UINT64_C(1) << n % 64, value = n < 64 ? one : ~one;
        uint32_t       out[2] = {(uint32_t)value, (uint32_t)(value >> 32)}, in[2];
        if (!host_link_ask(&b->link, BRIDGE_WRITE, t->from, out, 2) ||
            !host_link_ask(&b->link, BRIDGE_READ, t->from, in, 2))
            return false;
        compare(t, "data lines", t->from, out[0], in[0]);
        compare(t, "data lines", t->from + 4, out[1], in[1]);
    }
    return true;
}

// The words at distance 0, 4, 8, 16, .. of the first, all written and then all read: two that meet differ.
static bool address_lines(host_board *b, host_test *t)
{
    for (int read = 0; read < 2; read++)
        for (uint32_t distance = 0; distance < t->bytes; distance = distance ? 2 * distance : 4) {
            const uint32_t address = t->from + distance, value = value_at(address, false);
            uint32_t       word = value;
            if (!host_link_ask(&b->link, read ? BRIDGE_READ : BRIDGE_WRITE, address, &word, 1))
                return false;
            if (read)
                compare(t, "address lines", address, value, word);
        }
    return true;
}

static bool pattern(host_board *b, host_test *t, uint32_t *words, bool second, bool show)
{
    const uint32_t count = t->bytes / 4;
    for (uint32_t n = 0; n < count; n++)
        words[n] = value_at(t->from + 4 * n, second);
    if (!host_board_transfer(b, BRIDGE_WRITE, t->from, words, count,
                             second ? "memory test, complement: write" : "memory test: write", show) ||
        !host_board_transfer(b, BRIDGE_READ, t->from, words, count,
                             second ? "memory test, complement: read" : "memory test: read", show))
        return false;
    for (uint32_t n = 0; n < count; n++)
        compare(t, second ? "complement" : "pattern", t->from + 4 * n, value_at(t->from + 4 * n, second), words[n]);
    return true;
}

host_test_verdict host_test_run(host_board *b, uint32_t from, uint32_t bytes, bool show, host_test *result)
{
    *result         = (host_test){.from = from, .bytes = bytes};
    uint32_t *words = calloc(bytes / 4, sizeof *words);
    if (!words)
        abort();
    const bool reached = host_board_reset(b) && data_lines(b, result) && address_lines(b, result) &&
                         pattern(b, result, words, false, show) && pattern(b, result, words, true, show);
    free(words);
    return !reached ? HOST_TEST_LINE : result->wrong ? HOST_TEST_BAD : HOST_TEST_GOOD;
}

static uint64_t listed(const host_test *t)
{
    return t->wrong < HOST_TEST_LISTED ? t->wrong : HOST_TEST_LISTED;
}

json_t *host_test_json(const host_test *t)
{
    json_t *faults = json_array();
    for (uint64_t n = 0; n < listed(t); n++)
        json_array_append_new(faults, json_pack("{s:s, s:I, s:I, s:I}", "part", t->faults[n].part, "address",
                                                (json_int_t)t->faults[n].address, "wanted",
                                                (json_int_t)t->faults[n].wanted, "got", (json_int_t)t->faults[n].got));
    return json_pack("{s:I, s:I, s:I, s:I, s:o}", "from", (json_int_t)t->from, "bytes", (json_int_t)t->bytes, "words",
                     (json_int_t)t->words, "wrong", (json_int_t)t->wrong, "faults", faults);
}

void host_test_print(const host_test *t)
{
    for (uint64_t n = 0; n < listed(t); n++)
        printf("%s: 0x%08" PRIx32 " reads 0x%08" PRIx32 ", not 0x%08" PRIx32 " (bits 0x%08" PRIx32 ")\n",
               t->faults[n].part, t->faults[n].address, t->faults[n].got, t->faults[n].wanted,
               t->faults[n].got ^ t->faults[n].wanted);
    if (t->wrong > listed(t))
        printf("... and %" PRIu64 " more\n", t->wrong - listed(t));
    printf("memory test of %" PRIu32 " bytes from 0x%08" PRIx32 ": %" PRIu64 " words compared, %" PRIu64 " wrong\n",
           t->bytes, t->from, t->words, t->wrong);
}
