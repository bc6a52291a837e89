// SPDX-License-Identifier: Apache-2.0
//
// totem_issue in a machine with graphics: tiers, turns, reserve and holds of docs/contract/issue.md.
// Configuration: full, because front ends take turns.

#include "block_bench.h"

// The twin of a machine with graphics stands in the place of the library's.
#include "totem_config.h"
#undef TOTEM_GRAPHICS
#define TOTEM_GRAPHICS 1
#include "totem_issue.c"

BENCH(issue)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, launch_room, true);
    LEVEL(b, gate, true);
}

// A geometry wave at the head of that front end from now on, of one block of VGPRS; hp3d or not.
static inline void geometry(bench *b, unsigned f, uint64_t hp3d)
{
    b->hold.geometry_valid[f] = true;
    b->hold.geometry_vgprs[f] = 1;
    b->hold.geometry_hp3d[f]  = hp3d != 0;
    b->i                      = b->hold;
}

static inline void pixel(bench *b, unsigned f, uint64_t hp3d)
{
    b->hold.pixel_valid[f]   = true;
    b->hold.pixel_vgprs[f]   = 1;
    b->hold.pixel_threads[f] = 64;
    b->hold.pixel_hp3d[f]    = hp3d != 0;
    b->i                     = b->hold;
}

// A group of the graphics queue, of so many waves of one block.
static inline void group(bench *b, unsigned f, uint64_t waves)
{
    b->hold.graphics_head_valid[f] = true;
    b->hold.graphics_head_waves[f] = (uint8_t)waves;
    b->hold.graphics_head_total[f] = (uint16_t)waves;
    b->hold.graphics_head_vgprs[f] = 1;
    b->i                           = b->hold;
}

// A group of one wave at the head of a compute pipe.
static inline void wants(bench *b, unsigned n, uint64_t priority)
{
    b->hold.head_valid[n]    = true;
    b->hold.head_priority[n] = (uint8_t)priority;
    b->hold.head_waves[n]    = 1;
    b->hold.head_total[n]    = 1;
    b->i                     = b->hold;
}

// 0, or who is granted: 1, kind, pipe, front end, a figure each.
static uint64_t won(const bench *b)
{
    return b->o.grant_valid ? 1000u + b->o.grant_kind * 100u + b->o.grant_pipe * 10u + b->o.grant_fe : 0;
}

static const script_word words[] = {
    ACT(geometry),
    ACT(pixel),
    ACT(group),
    ACT(wants),
    VIEW(won),
    WORD(gone, i.geometry_valid[0]), // of geometry, with 0
    WORD(pixel_gone, i.pixel_valid[0]),
    WORD(vgprs, s.free_vgprs_left),
    WORD(slots, s.free_slots),
    WORD(lds, s.free_lds_left),
    WORD(held_slots, s.held_slots),
    WORD(held_vgprs, s.held_vgprs),
    WORD(held_lds, s.held_lds),
    WORD(need_lds, i.geometry_lds[0]),
    WORD(pixel_need, i.pixel_vgprs[0]),
    WORD(pixel_lds, i.pixel_lds[0]),
    WORD(waves, i.head_waves[0]),
    WORD(reserve_slots, i.settings_reserve_slots),
    WORD(reserve_vgprs, i.settings_reserve_vgprs),
    WORD(reserve_lds, i.settings_reserve_lds),
    WORD(hold, i.hold_valid[0]),
    WORD(group_hold, i.graphics_hold_valid[0]),
    WORD(group_before, i.graphics_hold_before[0]),
    WORD(free, i.free_valid),
    WORD(free_kind, i.free_kind),
    WORD(free_vgprs, i.free_vgprs),
    WORD(free_lds, i.free_lds),
    WORD(lacks, o.geometry_lacks[0]),
    WORD(passed, o.geometry_passed[0]),
    WORD(pixel_lacks, o.pixel_lacks[0]),
    WORD(pixel_passed, o.pixel_passed[0]),
    WORD(group_lacks, o.group_lacks[0]),
    WORD(group_passed, o.group_passed[0]),
    WORD(order, o.group_order[0]),
    {0},
};

static const script_row rows[] = {
    {"geometry_leaves_the_reserve_of_lds", open_bench,
     "lds=20 reserve_lds==15 geometry[0]=1 need_lds==6; won:0; won:0 lds=21; won:1120 lds:15"},
    {"others_may_use_the_reserve", open_bench,
     "slots=3 reserve_slots==3 group[0]=1; won:1020 pixel[0]=0; won:1220 wants[0]=2; won:1000 slots:0"},
    {"what_pixels_hold_is_part_of_the_reserve", open_bench,
     "slots=1 held_slots=1 reserve_slots==2 geometry[0]=1; won:0 held_slots=2; won:1120 slots:0 slots=1; won:0;"
     "won:1120 vgprs=5 reserve_vgprs==9 held_vgprs=4; slots=3; won:0 held_vgprs=5; won:1120"},
    {"pixels_are_counted", open_bench,
     "pixel[0]=0 pixel_need==5 pixel_lds==3; won:1220 held_slots:1 held_vgprs:5 held_lds:3 pixel_gone==0;"
     "held_slots:1 free free_kind=1 free_vgprs=2; held_slots:1 held_vgprs:5;"
     "free free_kind=2 free_vgprs=5 free_lds=3; held_slots:0 held_vgprs:0 held_lds:0"},
    {"lacks_and_passed", open_bench,
     "slots=0 geometry[0]=0 group[0]=1; lacks:1 group_lacks:1 passed:0 group_passed:0 slots=9;"
     "won:1020 lacks:0 passed:1 group_passed:0; won:1120 passed:0 group_passed:0"},
    {"lacks_and_passed_of_pixels", open_bench, // HP3D pixels pass over a GFX wave, which fits no more then
     "slots=1 pixel[0]=0 geometry[0]=1; won:1120 pixel_passed:1 pixel_lacks:0; won:0 pixel_passed:0 pixel_lacks:1;"
     "pixel_lacks:1 slots=1 gone==0; won:1220 pixel_lacks:0 pixel_passed:0 pixel_gone==0; pixel_lacks:0"},
#if TOTEM_FE_COUNT == 4 && TOTEM_PIPES == 2
    {"kinds_of_gfx_alternate", open_bench,
     "geometry[0]=0 geometry[1]=0 pixel[0]=0 pixel[1]=0 group[0]=1 group[1]=1;"
     "won:1020; won:1120; won:1220; won:1021; won:1121; won:1221; won:1020"},
    {"no_geometry_behind_geometry", open_bench, // of another front end; but anything else
     "geometry[0]=1 geometry[1]=1 wants[4]=0; won:1120; won:1002 passed[1]:0; won:1121 gone[1]==0; won:1002; won:1120"},
    {"group_order", open_bench,
     "order:0 order[3]:3 group[0]=1; won:1020 order:1 order[3]:0 group[3]=1; won:1023 order:0"},
    {"hold_of_a_pipe", open_bench, // medium: against GFX, not HP3D; not pixels while geometry is in flight
     "slots=3 wants[1]=1 waves[1]==4 hold[1]==1 geometry[0]=0 group[1]=1; won:0 group_lacks[1]:1 lacks:1"
     " geometry[2]=1; won:1122 gone[2]==0; won:0 pixel[3]=0; won:1223 pixel_gone[3]==0; won:0 slots=5; won:1010"},
    {"hold_keeps_back_pixels", open_bench, // of lower tiers, without geometry; one is owed when it is granted
     "slots=3 wants[1]=1 waves[1]==4 hold[1]==1 pixel[0]=0; won:0 pixel_lacks:1 pixel[3]=1; won:1223 pixel_gone[3]==0;"
     "won:0 slots=5; won:1010 hold[1]==0; hold[1]==1 won:1220; won:0"},
    {"hold_of_a_group_takes_the_turn", open_bench, // of front end 0, which fits as little
     "slots=3 group[0]=5 group[2]=4 ; won:0; won:0 group_hold[2]==1 slots=4; won:1022"},
    {"older_hold_of_a_group", open_bench,
     "slots=4 group[0]=5 group[2]=4 group_hold[0]==1 group_hold[2]==1 group_before[2]==1; won:0; won:0 slots=9;"
     "won:1020; won:1022"},
#endif
};

// What a grant carries.
TEST(grant_carries_the_head)
{
    enum { F = TOTEM_FE_COUNT - 1 };
    bench b;
    open_bench(&b);
    geometry(&b, F, 1);
    pixel(&b, F, 1);
    group(&b, F, 3);
    b.hold.geometry_vgprs[F] = 7, b.hold.geometry_lds[F] = 9, b.hold.geometry_program[F] = 0x9876543210;
    b.hold.geometry_epoch[F] = 3, b.hold.geometry_draw[F] = 2, b.hold.geometry_set[F] = 1;
    b.hold.geometry_number[F] = 0x123456789, b.hold.geometry_primitives[F] = 63;
    b.hold.geometry_throttle[F] = 2, b.hold.pixel_threads[F] = 17;
    b.hold.pixel_wave32[F] = true, b.hold.pixel_number[F] = 0x1fedcba98, b.hold.pixel_draw[F] = 1;
    b.hold.pixel_set[F] = 1, b.hold.pixel_epoch[F] = 2, b.hold.pixel_program[F] = 0x123456789a;
    b.hold.graphics_head_buffer[F] = true, b.hold.graphics_head_group[F] = 0x1111222233334444;
    b.hold.graphics_head_threads[F] = 17, b.hold.graphics_head_lds[F] = 30, b.hold.graphics_head_queue[F] = 1;
    b.hold.graphics_head_program[F] = 0x55, b.hold.graphics_head_epoch[F] = 1, b.hold.graphics_head_wave32[F] = true;
    b.hold.graphics_head_set[F] = 1;
    b.i                         = b.hold;
    tick(&b);
    assert_int_equal(won(&b), 1120 + F);
    assert_int_equal(b.o.grant_group, 0x123456789);
    assert_true(b.o.grant_new && !b.o.grant_buffer && !b.o.grant_wave32);
    assert_int_equal(b.o.grant_waves, 1);
    assert_int_equal(b.o.grant_threads, 64);
    assert_int_equal(b.o.grant_vgprs, 7);
    assert_int_equal(b.o.grant_lds, 9);
    assert_int_equal(b.o.grant_program, 0x9876543210);
    assert_int_equal(b.o.grant_epoch, 3);
    assert_int_equal(b.o.grant_queue, 0);
    assert_int_equal(b.o.grant_draw, 2);
    assert_int_equal(b.o.grant_set, 1);
    assert_int_equal(b.o.grant_primitives, 63);
    assert_true(b.o.grant_throttle == 2 && b.o.grant_drawn);
    assert_int_equal(b.o.free_slots, TOTEM_SLOTS - 1);
    assert_int_equal(b.o.free_vgprs_left, TOTEM_VGPRS - 7);
    assert_int_equal(b.o.free_lds_left, TOTEM_LDS - 9);
    tick(&b);
    assert_int_equal(won(&b), 1220 + F);
    assert_int_equal(b.o.grant_group, 0x1fedcba98);
    assert_true(b.o.grant_new && b.o.grant_wave32);
    assert_int_equal(b.o.grant_threads, 17);
    assert_int_equal(b.o.grant_program, 0x123456789a);
    assert_int_equal(b.o.grant_epoch, 2);
    assert_int_equal(b.o.grant_draw, 1);
    assert_int_equal(b.o.grant_set, 1);
    assert_int_equal(b.o.grant_primitives, 0);
    assert_true(b.o.grant_throttle == 0 && b.o.grant_drawn);
    b.hold.geometry_valid[F] = b.i.geometry_valid[F] = false;
    tick(&b);
    assert_int_equal(won(&b), 1020 + F);
    assert_int_equal(b.o.grant_group, 0x1111222233334444);
    assert_true(b.o.grant_buffer && !b.o.grant_new && b.o.grant_wave32);
    assert_int_equal(b.o.grant_waves, 3);
    assert_int_equal(b.o.grant_threads, 17);
    assert_int_equal(b.o.grant_vgprs, 1);
    assert_int_equal(b.o.grant_lds, 30);
    assert_int_equal(b.o.grant_queue, 1);
    assert_int_equal(b.o.grant_epoch, 1);
    assert_true(b.o.grant_draw == 1 && b.o.grant_set == 1); // both the set
    assert_true(b.o.grant_throttle == 0 && !b.o.grant_drawn);
}

TEST(geometry_of_32)
{
    bench b;
    open_bench(&b);
    geometry(&b, 0, 1);
    b.hold.geometry_wave32[0] = true;
    b.i                       = b.hold;
    tick(&b);
    assert_true(b.o.grant_valid && b.o.grant_wave32);
    assert_int_equal(b.o.grant_threads, 32);
}

TEST(self_check)
{
    for (unsigned row = 0; row < 5; row++) {
        bench b;
        open_bench(&b);
        b.s.hp3d_order[2] = row == 0 ? 1 : 2;
        b.s.gfx_order[0]  = row == 1 ? 3 : 0;
        b.s.held_slots    = row == 2 ? TOTEM_SLOTS + 1 : 0;
        b.s.held_vgprs    = row == 3 ? TOTEM_VGPRS + 1 : 0;
        b.s.held_lds      = row == 4 ? TOTEM_LDS + 1 : 0;
        show(&b);
        assert_false(b.o.fault);
        tick(&b);
        assert_true(b.o.fault);
        geometry(&b, 0, 0);
        pixel(&b, 0, 0);
        group(&b, 0, 1);
        ticks(&b, 2);
        assert_int_equal(won(&b), 0);
    }
}

SCRIPTS(rows)
