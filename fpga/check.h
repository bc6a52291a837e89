// SPDX-License-Identifier: Apache-2.0
//
// The self-check of a top in C: what its FPGA does clock by clock, with the block's C twin in place of the RTL.
// sim/gen/gen_fpga.py writes the functions for one top into build/fpga/<top>/selfcheck.c.

#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHECK_RULE UINT64_C(0x420b0ebe378c74dc) // of totem_random.v and totem_check.v
#define CHECK_START UINT64_C(1)                 // signature before the first clock

// The automaton of rules 90 and 150: random bits of the next clock, and the step of the signature.
static inline uint64_t random_next(uint64_t bits)
{
    return bits << 1 ^ bits >> 1 ^ (bits & CHECK_RULE);
}

static inline uint64_t rotate(uint64_t word, unsigned left)
{
    return left == 0 ? word : word << left | word >> (64 - left);
}

typedef struct {
    const char *name;
    bool        never; // a count above 0 is an error; else a count of 0 is
} check_work;

typedef struct check check;

// What the generated table of the top says.
extern const char *const check_name;
extern const uint64_t    check_clocks;
extern const unsigned    check_bits; // of all outputs
extern const unsigned    check_works;
extern const check_work  check_table[];

check *check_create(void); // as after reset; NULL if there is no memory; given back with free()

// One clock. `flip` is a bit of the outputs to flip before they are folded, -1 for none.
void     check_clock(check *c, int flip);
uint64_t check_signature(const check *c); // of all clocks up to now
uint64_t check_count(const check *c, unsigned work);
void     check_show(const check *c); // prints inputs and masked outputs of the clock that comes next, by name

#ifdef __cplusplus
}
#endif

#endif
