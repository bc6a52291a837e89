// SPDX-License-Identifier: Apache-2.0
//
// totem_scan: rules, latencies and meetings of docs/contract/scan.md. The bench is the hubs: what an assembler puts
// into its FIFO is offered in order.

#include "block_bench.h"

#include "totem_scan.h"

BENCH(scan)

enum { ASSEMBLERS = TOTEM_SE_COUNT, PLACES = 32, FE = TOTEM_FE_COUNT - 1 };

typedef struct {
    bench    b;
    uint32_t fifo[ASSEMBLERS][PLACES];
    unsigned put[ASSEMBLERS], got[ASSEMBLERS];
} scan_bench;

static void clock_with_hubs(bench *b)
{
    scan_bench *t = (scan_bench *)b;
    for (unsigned e = 0; e < ASSEMBLERS; e++) {
        b->i.hub_valid[e] = t->got[e] < t->put[e];
        b->i.hub_data[e]  = b->i.hub_valid[e] ? t->fifo[e][t->got[e]] : 0xffffffff;
        t->got[e] += b->i.hub_valid[e] && b->o.hub_ready[e];
    }
    tick(b);
}

#define SCRIPT_BENCH scan_bench
#define SCRIPT_CLOCK clock_with_hubs
#include "script_bench.h"

// Assembler `e` has a primitive: pixels below 0x1000, a mark 0x1000, the draw state in the figure above.
static void prim(bench *b, unsigned e, uint64_t what)
{
    scan_bench    *t     = (scan_bench *)b;
    const uint32_t draw  = what >> 16 & (TOTEM_DRAW_STATES - 1);
    const uint32_t mark  = what >> 12 & 1;
    const uint32_t place = t->put[e]++;
    assert_true(place < PLACES);
    t->fifo[e][place] = (what & 0xfff) | mark << 20 | (uint32_t)FE << 21 | draw << 23;
}

// A header of a draw state: epoch in the low figure, 0x10 wave32, 0x20 HP3D.
static void header(bench *b, unsigned draw, uint64_t what)
{
    b->i.header_valid[FE] = true;
    b->i.header_state[FE] = (uint8_t)draw;
    b->i.header_data[FE]  = (what & 7) << 60 | (what >> 4 & 1) << 55 | (what >> 5 & 1) << 63;
}

// Waves of these epochs are to end; of a compute pipe behind 0x100, of another front end behind 0x200.
static void kill(bench *b, unsigned none, uint64_t epochs)
{
    (void)none;
    b->i.kill_valid  = true;
    b->i.kill_fe     = epochs & 0x200 ? FE ^ 1 : FE;
    b->i.kill_pipe   = epochs & 0x100 ? 1 : 2;
    b->i.kill_epochs = epochs & 0xff & ((1u << TOTEM_EPOCHS) - 1);
}

// The wave on offer: pixels, 0x1000 for a mark, the draw state above; without one 0xffff.
static uint64_t wave(const bench *b)
{
    if (!b->o.wave_valid)
        return 0xffff;
    assert_int_equal(b->o.wave_fe, FE);
    return b->o.wave_threads | (uint64_t)b->o.wave_mark << 12 | (uint64_t)b->o.wave_state << 16;
}

static const script_word words[] = {
    ACT(prim),
    ACT(header),
    ACT(kill),
    VIEW(wave),
    WORD(ready, o.hub_ready[0]),
    WORD(taken, i.pixel_ready[FE]),
    WORD(count, s.count),
    OUTPUT(hp3d),
    OUTPUT(idle),
    {0},
};

// Draw state 1: waves of 64, epoch 1; 2: waves of 32, epoch 2; 3: HP3D, waves of 64, epoch 3. Waves are taken.
static void open_bench(bench *b)
{
    static const uint8_t headers[] = {0, 0x01, 0x12, 0x23};
    memset(b, 0, sizeof(scan_bench));
    fresh(b);
    for (unsigned draw = 1; draw < 4; draw++) {
        header(b, draw, headers[draw]);
        tick(b);
    }
    LEVEL(b, pixel_ready[FE], true);
}

// From one assembler.
static const script_row rows[] = {
    {"three_clocks_from_the_hub_to_the_wave", open_bench,
     "idle:1 prim=0x11005; idle:0; idle:0; wave:0x11005 idle:0; wave:0xffff idle:1"},
    {"a_wave_of_64_in_four_clocks", open_bench, // and the next one in the next four
     "prim=0x10fff; ; 4; wave:0x10040; wave:0xffff 3; wave:0x10040"},
    {"a_full_wave_and_a_rest_with_the_mark", open_bench,
     "prim=0x2001f prim=0x21002; ; ; count:16; count:31; wave:0x20020; wave:0x21001; wave:0xffff idle:1"},
    {"pixels_wait_for_their_mark", open_bench,
     "prim=0x10005; ; ; 50; count:5 wave:0xffff idle:0 prim=0x11001; ; ; wave:0x11006"},
    {"another_draw_state_waits", open_bench, // the wave comes first, a clock behind the last primitive of it
     "prim=0x10005 prim=0x20001; ; ; count:5 wave:0xffff; wave:0x10005 count:0; wave:0xffff; count:1"},
    {"a_wave_waits_for_pixel", open_bench, // one on the port, one here; the others wait where they are
     "taken==0 prim=0x11001 prim=0x11002 prim=0x11003 prim=0x11004 prim=0x11005; ; ; wave:0x11001; wave:0x11001; "
     "ready:0 5;"
     "wave:0x11001 ready:0 taken==1; wave:0x11002; wave:0x11003; wave:0x11004; wave:0x11005; wave:0xffff idle:1"},
    {"a_kill_takes_what_is_collected", open_bench,
     "prim=0x10005; ; ; count:5 kill=2; count:5; count:0 idle:1 wave:0xffff"},
    {"a_kill_of_another_epoch_pipe_or_front_end", open_bench,
     "kill=0xd; kill=0x102; kill=0x202; prim=0x11005; ; ; wave:0x11005"},
    {"a_header_revives_its_draw_state", open_bench,
     "kill=6; header[1]=1; prim=0x11005 prim=0x21001; ; ; wave:0x11005; wave:0x21000"},
    {"hp3d_primitives_wait", open_bench, // also while pixels of another draw state are collected
     "prim=0x10fff prim=0x31001; hp3d:0; hp3d:1 kill=2; hp3d:1; hp3d:1; hp3d:0 wave:0x31001"},
    {"a_header_ends_hp3d", open_bench, "header[3]=1; prim=0x31005; hp3d:0; hp3d:0; hp3d:0 wave:0x31005"},
    {"hp3d_pixels_are_collected", open_bench,
     "prim=0x30005; hp3d:1; hp3d:1; hp3d:1 9; hp3d:1 prim=0x31005; hp3d:1; hp3d:1; hp3d:0"},
};

SCRIPTS(rows)

#if TOTEM_SE_COUNT == 4
// From several.
static const script_row turns[] = {
    {"assemblers_in_turn", open_bench,
     "prim[0]=0x11001 prim[1]=0x11002 prim[2]=0x11003 prim[3]=0x11004 prim[0]=0x11005; ; ; wave:0x11001; wave:0x11002;"
     "wave:0x11003; wave:0x11004; wave:0x11005; idle:1"},
};

SCRIPTS(turns)
#endif
