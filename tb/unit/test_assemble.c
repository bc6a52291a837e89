// SPDX-License-Identifier: Apache-2.0
//
// totem_assemble: rules, latencies and meetings of docs/contract/assemble.md.

#include "block_bench.h"

#include "totem_assemble.h"

BENCH(assemble)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { CONVERTERS = TOTEM_SE_COUNT };

// A wave was accepted into slot `slot`: kind, front end and draw state are the hexadecimal figures of `what`.
static void alloc(bench *b, unsigned slot, uint64_t what)
{
    b->i.alloc_valid = true;
    b->i.alloc_slot  = (uint8_t)slot;
    b->i.alloc_kind  = what >> 8 & 3;
    b->i.alloc_fe    = what >> 4 & 3;
    b->i.alloc_draw  = what & (TOTEM_DRAW_STATES - 1);
}

// From now on the wave of a slot offers so many primitives, of slot + 100 pixels each.
static void offer(bench *b, unsigned slot, uint64_t primitives)
{
    LEVEL(b, export_valid, true);
    LEVEL(b, export_slot, (uint8_t)slot);
    LEVEL(b, export_primitives, (uint16_t)primitives);
    LEVEL(b, export_pixels, slot + 100);
}

static void answered(bench *b, unsigned none, uint64_t nothing)
{
    (void)none;
    (void)nothing;
    assert_true(b->o.export_ready && b->i.export_valid);
    b->hold.export_valid = false;
}

static void ended(bench *b, unsigned none, uint64_t slot)
{
    (void)none;
    b->i.done_valid = true;
    b->i.done_slot  = (uint8_t)slot;
}

// Converters with room from now on, a bit each.
static void room(bench *b, unsigned none, uint64_t bits)
{
    (void)none;
    for (unsigned c = 0; c < CONVERTERS; c++)
        LEVEL(b, hub_push_ready[c], (bits >> c & 1) != 0);
}

// Converters for which there is a primitive, a bit each.
static uint64_t to(const bench *b)
{
    uint64_t bits = 0;
    for (unsigned c = 0; c < CONVERTERS; c++)
        bits |= (uint64_t)b->o.push_valid[c] << c;
    return bits;
}

static const script_word words[] = {
    ACT(alloc),
    ACT(offer),
    ACT(answered),
    ACT(ended),
    ACT(room),
    VIEW(to),
    WORD(data, o.push_data[0]),
    WORD(ready, o.export_ready),
    WORD(cull, o.cull_valid),
    WORD(count, o.cull_count),
    WORD(fe, o.cull_fe),
    WORD(state, o.cull_state),
    OUTPUT(idle),
    OUTPUT(fault),
    {0},
};

// Slot 5 has a geometry wave of front end 2 and draw state 9, slot 6 one of front end 1 and draw state 3.
static void two_waves(bench *b)
{
    fresh(b);
    alloc(b, 5, 0x129);
    tick(b);
    alloc(b, 6, 0x113);
    tick(b);
    room(b, 0, 15);
}

static const script_row promises[] = {
    {"an_export_twice", two_waves, "offer[5]=1; ; answered; offer[5]=1; to:0 fault:0; ready:1 cull:0 fault:1"},
    {"only_geometry_owes_an_export", two_waves,
     "alloc[9]=0x029; alloc[10]=0x229; ended=9; ended=10; fault:0 ended=5; fault:1 offer[6]=1; to:1; answered; "
     "fault:1"},
    {"ended_without_its_export", two_waves, // it owes none any more
     "ended=5; fault:1 offer[5]=1; to:0; ready:1 cull:0"},
};

SCRIPTS(promises)

#if TOTEM_SE_COUNT == 4 // one converter has no turn
// A primitive of slot 5 is 0x4c00069, with its mark 0x4d00069; one of slot 6 0x1a0006a, 0x1b0006a.
static const script_row rows[] = {
    {"primitives_in_turn_the_last_of_each_converter_is_marked", two_waves,
     "idle:1 offer[5]=6; idle:0 to:1 data:0x4c00069; to:2 data[3]:0x4c00069 data:0x4c00069; to:4 data:0x4d00069;"
     "to:8 data:0x4d00069; to:1 data:0x4d00069; to:2 data[3]:0x4d00069 ready:0; to:0 ready:1 cull:0 answered;"
     "idle:1 ready:0 to:0 fault:0"},
    {"marks_without_a_primitive_are_given_back", two_waves,
     "offer[5]=1; to:1 data:0x4d00069 cull:0; ready:1 cull:1 count:3 fe:2 state:9 idle:0 answered;"
     "cull:0 idle:1 offer[6]=0; to:0 ready:0; to:0 ready:1 cull:1 count:4 fe:1 state:3 answered; cull:0 fault:0"},
    {"as_many_primitives_as_converters", two_waves,
     "offer[5]=4; to:1 data:0x4d00069; to:2 data:0x4d00069; to:4 data:0x4d00069; to:8 data:0x4d00069;"
     "ready:1 cull:0 answered; fault:0"},
    {"a_full_fifo_holds_the_assembler", two_waves, // the others have room
     "room=13 offer[5]=3; to:1; to:2 ready:0 5; to:2 room=2; to:4 room=3; to:4 3; to:4 room=4; ready:1 cull:1 count:1"},
    {"alloc_meets_the_export_of_another_slot", two_waves,
     "offer[5]=2 alloc[7]=0x134; to:1 data:0x4d00069; to:2; answered; offer[7]=1; to:1 data:0x270006b; answered; "
     "fault:0"},
};

SCRIPTS(rows)
#endif

// Any number of primitives and any rhythm of room: each is pushed once, in turn, with one mark for each converter that
// gets one, behind which nothing comes.
TEST(all_counts)
{
    for (unsigned primitives = 0; primitives <= 256; primitives += primitives < 20 ? 1 : 59)
        for (unsigned rhythm = 1; rhythm < 4; rhythm++) {
            bench    b;
            unsigned total = 0, marks[CONVERTERS] = {0}, back = 0;
            two_waves(&b);
            offer(&b, 5, primitives);
            for (unsigned n = 0; !b.o.export_ready; n++) {
                assert_in_range(n, 0, 4 * 256 + 8);
                room(&b, 0, n % rhythm == 0 ? 15 : 0);
                assert_true((to(&b) & (to(&b) - 1)) == 0);
                for (unsigned c = 0; c < CONVERTERS; c++)
                    if (b.o.push_valid[c] && b.i.hub_push_ready[c]) {
                        assert_int_equal(c, total % CONVERTERS);
                        assert_int_equal(marks[c], 0);
                        marks[c] += b.o.push_data[c] >> 20 & 1;
                        total++;
                    }
                tick(&b);
            }
            back = b.o.cull_valid ? b.o.cull_count : 0;
            for (unsigned c = 0; c < CONVERTERS; c++) {
                assert_int_equal(marks[c], c < primitives);
                back += marks[c];
            }
            assert_int_equal(back, CONVERTERS);
            assert_int_equal(total, primitives);
        }
}
