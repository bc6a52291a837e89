// SPDX-License-Identifier: Apache-2.0
//
// totem_geometry: rules, latencies and meetings of docs/contract/geometry.md.

#include "block_bench.h"

#include "totem_draws_values.h"
#include "totem_geometry.h"

BENCH(geometry)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { LANE = TOTEM_LANES - 1 };
enum { MINE = 1 << 2 | 1 << 4 | CLASS_GFX << 6 | 1 << 8 }; // front end 1, engine 1, GFX

static void word(bench *b, unsigned tag, uint64_t data)
{
    b->i.bus_lane_valid[LANE] = true;
    b->i.bus_lane_word[LANE]  = data;
    b->i.bus_lane_tag[LANE]   = (uint16_t)tag;
}

// Of draw state `state`: its header, a state word, a wave.
static void header(bench *b, unsigned state, uint64_t data)
{
    word(b, MINE | DRAW_HEADER << 9 | state << 12, data);
}

static void state_word(bench *b, unsigned state, uint64_t data)
{
    word(b, MINE | DRAW_STATE_WORD << 9 | state << 12, data);
}

static void pixel_header(bench *b, unsigned state, uint64_t data)
{
    word(b, MINE | DRAW_PIXEL_HEADER << 9 | state << 12, data);
}

static void wave(bench *b, unsigned state, uint64_t number)
{
    word(b, MINE | DRAW_WAVE << 9 | state << 12, number << 31);
}

// A wave word or, of another kind, a word with that tag.
static void tagged(bench *b, unsigned one, uint64_t tag)
{
    (void)one;
    word(b, (unsigned)tag, 0x123456789abcdef);
}

static const script_word words[] = {
    ACT(header),
    ACT(state_word),
    ACT(pixel_header),
    ACT(wave),
    ACT(tagged),
    WORD(pop, i.pop),
    WORD(valid, o.head_valid),
    WORD(hp3d, o.head_hp3d),
    WORD(state, o.head_state),
    WORD(number, o.head_number),
    WORD(write, o.state_write_enable),
    WORD(write_addr, o.state_write_addr),
    WORD(write_data, o.state_write_data),
    WORD(pixel, o.pixel_write_enable),
    WORD(pixel_addr, o.pixel_write_addr),
    WORD(pixel_data, o.pixel_write_data),
    WORD(header_put, o.header_write_enable),
    WORD(header_addr, o.header_write_addr),
    WORD(header_data, o.header_write_data),
    WORD(throttle, o.head_throttle),
    WORD(put, o.program_write_enable),
    WORD(put_addr, o.program_write_addr),
    WORD(program, o.program_write_data),
    WORD(read, o.program_read_enable),
    OUTPUT(idle),
    OUTPUT(overrun),
    WORD(count, s.count),
    {0},
};

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, fe_number, 1);
    LEVEL(b, se_number, 1);
}

// A wave of draw state 1 that came behind its header.
static void one_wave(bench *b)
{
    open_bench(b);
    header(b, 1, 9);
    tick(b);
    wave(b, 1, 5);
    tick(b);
}

static const script_row rows[] = {
    {"a_header_goes_to_the_program_RAM", open_bench,
     "put:0 header[1]=0xff123456789a; put:1 put_addr:1 program:0x123456789a count:0 idle:1 read:0; put:0"},
    {"state_words_behind_a_pixel_header_go_to_the_pixel_RAM", open_bench, // from index 0 on, up to the next header
     "header[1]=5; state_word[1]=70; write:1 pixel:0 header_put:0 pixel_header[1]=0xf123456789abcdef;"
     "write:0 put:0 header_put:1 header_addr:1 header_data:0xf123456789abcdef state_word[1]=71;"
     "header_put:0 write:0 pixel:1 pixel_addr:32 pixel_data:71 state_word[1]=72; pixel:1 pixel_addr:33 pixel_data:72 "
     "wave[1]=0; pixel:0 count:1 header[1]=1; put:1 state_word[1]=8; pixel:0 write:1 write_addr:32 write_data:8"},
    {"enables_are_those_of_the_heads_draw_state", open_bench,
     "header[1]=0x20000000000; header[2]=0x1ffffffffff; wave[1]=1; wave[2]=2;; valid:1 state:1 throttle:2 pop;; "
     "valid:1 "
     "state:2 throttle:1 header[2]=0;;; valid:1 throttle:0"},
    {"a_new_header_of_the_draw_state_is_read_again", one_wave,
     "; valid:1 header[1]=3; valid:0 put:1 read:0; valid:0 read:1; valid:1 header[2]=3; valid:1"},
    {"a_header_meets_the_read", one_wave, "read:1 header[1]=3; valid:0 read:0; read:1; valid:1"},
    {"eight_waves_then_overrun", one_wave, // a pop does not make room in its clock
     "wave[1]=6; wave[1]=7; wave[1]=8; wave[1]=9; wave[1]=10; wave[1]=11; wave[1]=12; count:8 overrun:0 pop wave[1]=13;"
     "count:7 overrun:1 number:6 wave[1]=14; count:8 pop; pop; pop; pop; pop; pop; pop; number:14 pop; idle:1 "
     "overrun:1"},
    {"words_of_others_are_skipped", open_bench, // engine, front end, class, [8]; waves of this place have 0x594
     "tagged=0x584; tagged=0x598; tagged=0x514; tagged=0x5d4; tagged=0x494; count:0 put:0 write:0 tagged=0x798; "
     "header_put:0;"
     "tagged=0x594; count:1 hp3d:0; tagged=0x554; count:2 valid:1 pop; valid:1 hp3d:1"},
};

// What a wave carries, bit by bit.
TEST(fields_of_a_wave)
{
    static const unsigned at[] = {0, 7, 16, 23, 24, 27, 31, 64};
    bench                 b;
    for (unsigned bit = 0; bit < 64; bit++) {
        one_wave(&b);
        tick(&b);
        b.i.pop = true;
        word(&b, MINE | DRAW_WAVE << 9 | 1 << 12, 1ull << bit);
        tick(&b);
        const uint64_t fields[] = {b.o.head_vgprs, b.o.head_lds, b.o.head_primitives, b.o.head_wave32,
                                   b.o.head_epoch, b.o.head_set, b.o.head_number};
        for (unsigned n = 0; n < COUNT(fields); n++) {
            const uint64_t size  = n == 4 ? TOTEM_EPOCHS : n == 5 ? TOTEM_SETS : 1ull << (at[n + 1] - at[n]);
            const uint64_t shown = bit >= at[n] && bit < at[n + 1] ? (1ull << (bit - at[n])) & (size - 1) : 0;
            assert_int_equal(fields[n], shown);
        }
    }
}

SCRIPTS(rows)
