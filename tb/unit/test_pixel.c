// SPDX-License-Identifier: Apache-2.0
//
// totem_pixel: rules, latencies and meetings of docs/contract/pixel.md. The bench is the header RAM.

#include "block_bench.h"

#include "totem_pixel.h"

BENCH(pixel)

enum { STATES = TOTEM_DRAW_STATES, FE = 2 };

typedef struct {
    bench    b;
    uint64_t ram[STATES];
    uint64_t word; // written in this clock, if header_valid
} pixel_bench;

static void clock_with_ram(bench *b)
{
    pixel_bench *t = (pixel_bench *)b;
    if (b->o.header_read_enable)
        b->hold.header_read_data = t->ram[b->o.header_read_addr];
    if (b->i.header_valid)
        t->ram[b->i.header_state] = t->word;
    tick(b);
}

#define SCRIPT_BENCH pixel_bench
#define SCRIPT_CLOCK clock_with_ram
#include "script_bench.h"

// The header of a draw state is written: program `data`, the rest 0.
static void header(bench *b, unsigned state, uint64_t data)
{
    b->i.header_valid        = true;
    b->i.header_state        = (uint8_t)state;
    ((pixel_bench *)b)->word = data;
}

// A wave of a draw state with so many pixels is on offer, behind 0x100 with a mark, behind 0x200 of another front end.
static void wave(bench *b, unsigned state, uint64_t pixels)
{
    b->i.scan_wave_valid   = true;
    b->i.scan_wave_fe      = pixels & 0x200 ? FE - 1 : FE;
    b->i.scan_wave_state   = (uint8_t)state;
    b->i.scan_wave_threads = pixels & 0x7f;
    b->i.scan_wave_mark    = (pixels & 0x100) != 0;
}

static const script_word words[] = {
    ACT(header),
    ACT(wave),
    WORD(pop, i.pop),
    WORD(urgent, i.scan_hp3d),
    OUTPUT(ready),
    OUTPUT(idle),
    WORD(read, o.header_read_enable),
    WORD(addr, o.header_read_addr),
    WORD(valid, o.head_valid),
    WORD(hp3d, o.head_hp3d),
    WORD(program, o.head_program),
    WORD(state, o.head_state),
    WORD(threads, o.head_threads),
    WORD(number, o.head_number),
    WORD(mark, o.mark_valid),
    WORD(mark_state, o.mark_state),
    WORD(count, s.count),
    {0},
};

static void open_bench(bench *b)
{
    memset(((pixel_bench *)b)->ram, 0, sizeof((pixel_bench *)b)->ram);
    fresh(b);
    LEVEL(b, fe_number, FE);
    header(b, 1, 11);
    clock_with_ram(b);
    header(b, 3, 33);
    clock_with_ram(b);
}

static const script_row rows[] = {
    {"a_wave_arrives_at_pop", open_bench,
     "wave[1]=1; wave[1]=2; ready:0; valid:1 ready:0 pop wave[3]=9; count:1 ready:1 pop wave[3]=3;"
     "count:1 state:3 valid:0 read:1 addr:3 pop; count:1 pop; valid:1 program:33 threads:3 number:2"},
    {"waves_of_other_front_ends_pass_by", open_bench, "wave[1]=0x210; count:0 idle:1"},
    {"a_mark_comes_back_behind_the_grant", open_bench,
     "wave[1]=0x140; wave[3]=0x101; mark:0; mark:0 pop; mark:1 mark_state:1 idle:0; mark:0 valid:0; valid:1 pop;"
     "mark:1 mark_state:3 idle:0 count:0; mark:0 idle:1"},
    {"a_mark_alone_leaves_at_once", open_bench, // and is no wave
     "wave[3]=0x100; count:1 mark:0 valid:0 read:0 pop wave[1]=0x100; count:1 mark:1 mark_state:3; count:0 mark:1 "
     "mark_state:1; mark:0 idle:1 number:0"},
    {"a_mark_alone_waits_for_its_turn", open_bench,
     "wave[1]=1; wave[3]=0x100; ; valid:1; mark:0 pop; mark:0 count:1 number:1; mark:1 mark_state:3 count:0"},
    {"a_header_meets_the_read", open_bench, // it does not count
     "wave[1]=1; read:1 header[1]=12; valid:0 read:1; valid:0; valid:1 program:12"},
    {"hp3d_primitives_wait", open_bench, // all waves go with them
     "wave[1]=1; ; ; valid:1 hp3d:0 urgent; valid:1 hp3d:1; valid:1 hp3d:0 pop"},
};

// What a header says, bit by bit.
TEST(fields_of_a_header)
{
    static const unsigned at[] = {0, 40, 46, 55, 56, 60, 63, 64};
    for (unsigned bit = 0; bit < 64; bit++) {
        pixel_bench t;
        open_bench(&t.b);
        header(&t.b, 2, 1ull << bit);
        clock_with_ram(&t.b);
        wave(&t.b, 2, 64);
        for (unsigned n = 0; n < 3; n++)
            clock_with_ram(&t.b);
        const totem_pixel_out *o = &t.b.o;
        assert_true(o->head_valid);
        const uint64_t fields[] = {o->head_program, o->head_vgprs - 1u, o->head_lds, o->head_wave32,
                                   o->head_set,     o->head_epoch,      o->head_hp3d};
        for (unsigned n = 0; n < COUNT(fields); n++) {
            const uint64_t size  = n == 4 ? TOTEM_SETS : n == 5 ? TOTEM_EPOCHS : 1ull << (at[n + 1] - at[n]);
            const uint64_t shown = bit >= at[n] && bit < at[n + 1] ? (1ull << (bit - at[n])) & (size - 1) : 0;
            assert_int_equal(fields[n], shown);
        }
    }
}

SCRIPTS(rows)
