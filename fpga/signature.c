// SPDX-License-Identifier: Apache-2.0
//
// Signature of a top by the C model.
//
//   signature                        signature, and how often the run did each kind of work
//   signature --expected FILE        writes FILE: length, signature and marks as Verilog macros
//   signature --flips CLOCK          flips every bit of the outputs in turn in that clock: all signatures must differ
//   signature --show CLOCK           inputs and masked outputs of that clock (0 is the first) by name, in hexadecimal;
//                                    of an array element 0 first
//   --clocks N                       another length of the run; kinds of work that it lacks are then no error

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { MARKS = 32 };

static int usage(void)
{
    fputs("usage: signature [--clocks N] [--expected FILE | --flips CLOCK | --show CLOCK]\n"
          "N from 1 to 2147483647, CLOCK below N\n",
          stderr);
    return 2;
}

static bool number(const char *text, uint64_t *value)
{
    char *end = NULL;
    errno     = 0;
    *value    = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && *end == '\0' && errno == 0;
}

// Runs to the end; the low 16 bits of the signature after every power of two go to marks.
static uint64_t run(check *c, uint64_t clocks, uint64_t flip_clock, int flip, uint16_t marks[MARKS])
{
    unsigned mark = 0;
    for (uint64_t clock = 0; clock < clocks; clock++) {
        check_clock(c, clock == flip_clock ? flip : -1);
        if (mark < MARKS && clock + 1 == UINT64_C(1) << mark)
            marks[mark++] = (uint16_t)(check_signature(c) & 0xffff);
    }
    return check_signature(c);
}

// A short run need not do all work; what must never be is an error in every run.
static int report(const check *c, bool is_short)
{
    int bad = 0;
    for (unsigned n = 0; n < check_works; n++) {
        const uint64_t count = check_count(c, n);
        const bool     good  = (count == 0) == check_table[n].never;
        const bool     none  = is_short && !check_table[n].never && count == 0;
        printf("%-4s %10" PRIu64 " %s\n", none ? "none" : good ? "ok" : "FAIL", count, check_table[n].name);
        bad += !good && !none;
    }
    return bad == 0 ? 0 : 1;
}

static int flips(uint64_t clocks, uint64_t clock, uint64_t good)
{
    unsigned same = 0;
    for (unsigned bit = 0; bit < check_bits; bit++) {
        uint16_t marks[MARKS];
        check   *c = check_create();
        if (c == NULL)
            return 2;
        same += run(c, clocks, clock, (int)bit, marks) == good;
        free(c);
    }
    printf("%u bits of outputs, each flipped alone: %u signatures are the right one\n", check_bits, same);
    return same == 0 ? 0 : 1;
}

static int write_expected(const char *path, uint64_t clocks, uint64_t signature, const uint16_t marks[MARKS])
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        return 2;
    }
    fprintf(file, "// Written by signature for top %s. Do not edit.\n", check_name);
    fprintf(file, "`define TOTEM_CHECK_CLOCKS 32'd%" PRIu64 "\n", clocks);
    fprintf(file, "`define TOTEM_CHECK_EXPECTED 64'h%016" PRIx64 "\n", signature);
    fputs("`define TOTEM_CHECK_MARKS 512'h", file);
    for (unsigned n = MARKS; n > 0; n--)
        fprintf(file, "%04x", (unsigned)marks[n - 1]);
    fputs("\n", file);
    return fclose(file) == 0 ? 0 : 2;
}

int main(int count, char **words)
{
    const char *expected     = NULL;
    bool        flip         = false;
    bool        show         = false;
    bool        is_short     = false;
    uint64_t    clocks       = check_clocks;
    uint64_t    clock        = 0; // to flip or to show
    uint16_t    marks[MARKS] = {0};
    for (int n = 1; n < count; n += 2) {
        if (n + 1 == count)
            return usage();
        if (strcmp(words[n], "--expected") == 0)
            expected = words[n + 1];
        else if (strcmp(words[n], "--flips") == 0 && number(words[n + 1], &clock))
            flip = true;
        else if (strcmp(words[n], "--show") == 0 && number(words[n + 1], &clock))
            show = true;
        else if (strcmp(words[n], "--clocks") == 0 && number(words[n + 1], &clocks))
            is_short = true;
        else
            return usage();
    }
    if (clocks == 0 || clocks >= UINT64_C(1) << 31 || clock >= clocks || (expected != NULL) + flip + show > 1)
        return usage();
    check *c = check_create();
    if (c == NULL)
        return 2;
    if (show) {
        run(c, clock, 0, -1, marks);
        printf("%s: clock %" PRIu64 "\n", check_name, clock);
        check_show(c);
        free(c);
        return 0;
    }
    const uint64_t signature = run(c, clocks, 0, -1, marks);
    printf("%s: signature %016" PRIx64 " after %" PRIu64 " clocks\n", check_name, signature, clocks);
    int code = 0;
    if (expected != NULL)
        code = write_expected(expected, clocks, signature, marks);
    else if (flip)
        code = flips(clocks, clock, signature);
    else
        code = report(c, is_short);
    free(c);
    return code;
}
