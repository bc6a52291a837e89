// SPDX-License-Identifier: Apache-2.0
//
// totem_render: registers, lookups and draws of a graphics ring (docs/contract/render.md). The test is everything
// around it: a RAM, frames that take what is offered and answer reads, context, memory, draws.

#include "block_bench.h"
#include "tests.h"

#include "totem_frames_values.h"
#include "totem_pm4.h"
#include "totem_render.h"

BENCH(render)

enum { MOST = 64 };

typedef struct {
    bench    b;
    uint32_t shader[512], registers[1024];
    struct {
        uint8_t  kind;
        uint16_t index;
        uint32_t data, mask;
    } op[MOST];
    uint64_t message[MOST];
    unsigned ops, words, messages, draws, hashes, ends, reads;
    unsigned busy;  // clocks for which frames are not idle
    unsigned told;  // operations taken when the end of a group was told
    unsigned begun; // draws that count in their epoch
    uint32_t hash[8];
    uint64_t memory;    // what a read brings is its address [31:0] + memory
    uint32_t served[4]; // .. or this, for the first reads, if `given`
    unsigned given;
    bool     last;
} render_bench;

static void clock_edge(render_bench *t)
{
    bench *b = &t->b;
    if (b->o.group_end)
        t->told = t->ops;
    // What was promised to the neighbours.
    if (b->o.draw_valid || b->o.hash_valid || b->o.group_end)
        assert_true(b->i.frames_idle && (b->o.group_end || !b->o.op_valid));
    if (b->o.op_valid && b->i.frames_op_ready) {
        assert_true(t->ops < MOST);
        t->op[t->ops].kind   = b->o.op_kind;
        t->op[t->ops].index  = b->o.op_index;
        t->op[t->ops].data   = b->o.op_data;
        t->op[t->ops++].mask = b->o.op_mask;
        t->busy              = 3;
        if (b->o.op_kind == OP_READ) {
            b->hold.frames_read_valid = true;
            b->hold.frames_read_data  = t->registers[b->o.op_index & 0x3ff];
        }
    }
    if (b->o.message_valid && b->i.draws_message_ready) {
        assert_true(t->messages < MOST && !t->last);
        t->message[t->messages++] = b->o.message_word;
        t->last                   = b->o.message_last;
    }
    if (b->o.hash_valid && b->i.context_hash_ready) {
        t->hash[t->hashes++ & 7] = b->o.hash_data;
        assert_int_equal(b->o.hash_count, b->s.control & 0x3fff);
    }
    t->draws += b->o.draw_valid && b->i.context_draw_ready;
    t->ends += b->o.group_end;
    t->begun += b->o.draw_begun;
    if (b->o.read && !b->i.execute_service_read_done) {
        b->hold.execute_service_read_done = true;
        b->hold.execute_service_read_data =
            t->reads < t->given ? t->served[t->reads] : (uint32_t)(b->o.read_addr + t->memory);
        t->reads++;
    }
    if (b->o.shader_read_enable)
        b->hold.shader_read_data = t->shader[b->o.shader_read_addr];
    if (b->o.shader_write_enable)
        t->shader[b->o.shader_write_addr] = b->o.shader_write_data;
    b->hold.frames_idle = t->busy == 0;
    t->busy -= t->busy != 0;
    tick(b);
    b->hold.frames_read_valid         = false;
    b->hold.execute_service_read_done = false;
    assert_true(totem_render_invariant(&b->s));
}

static void open_render(render_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    totem_render_in *hold = &t->b.hold;
    hold->frames_op_ready = hold->frames_idle = hold->context_hash_ready = hold->context_draw_ready = true;
    hold->draws_free = hold->draws_message_ready = true;
    hold->graphics_generation                    = 1;
    hold->settings_reserve_slots                 = 1;
    hold->settings_reserve_vgprs                 = 64;
    hold->settings_reserve_lds                   = 128;
    t->b.i                                       = t->b.hold;
}

#define RULE(name) RULE_OF(render_bench, open_render, t, name)

static void clocks(render_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

// A word of a stream.
static void flow(render_bench *t, uint8_t kind, uint32_t place, uint32_t value)
{
    t->b.i.execute_service_valid   = true;
    t->b.i.execute_service_kind    = kind;
    t->b.i.execute_service_address = place;
    t->b.i.execute_service_data    = value;
    clock_edge(t);
}

static void give(render_bench *t, uint8_t kind, uint32_t control, uint64_t address, uint64_t data, uint32_t extra)
{
    LEVEL(&t->b, execute_service_valid, true);
    LEVEL(&t->b, execute_service_kind, kind);
    LEVEL(&t->b, execute_service_control, control);
    LEVEL(&t->b, execute_service_address, address);
    LEVEL(&t->b, execute_service_data, data);
    LEVEL(&t->b, execute_service_extra, extra);
}

// Up to the answer, which stands in this clock; the packet is over in the next.
static void to_done(render_bench *t, unsigned most)
{
    for (unsigned n = 0; !t->b.o.done; n++, clock_edge(t))
        if (n >= most)
            fail_msg("no answer within %u clocks, phase %u", most, t->b.s.phase);
}

static void over(render_bench *t)
{
    clock_edge(t);
    LEVEL(&t->b, execute_service_valid, false);
    assert_false(t->b.o.done);
    t->last = false;
}

static void plain_end(render_bench *t, unsigned most)
{
    to_done(t, most);
    assert_true(t->b.o.code == 0 && !t->b.o.again && t->b.o.skip == 0 && t->b.o.group == 0);
    over(t);
}

// Context registers go to frames in their order, one a clock; while these take none, words are held, and `room` falls
// while four more have a place.
RULE(streams)
{
    LEVEL(&t->b, frames_op_ready, false);
    for (uint32_t n = 0; n < 8; n++) {
        assert_int_equal(t->b.o.room, n < 5);
        flow(t, TOTEM_KIND_CONTEXT, 0x20000100 + n, n);
    }
    LEVEL(&t->b, frames_op_ready, true);
    clocks(t, 8);
    assert_false(t->b.o.op_valid);
    assert_int_equal(t->ops, 8);
    for (uint32_t n = 0; n < 8; n++)
        assert_true(t->op[n].kind == OP_WRITE && t->op[n].index == 0x100 + n && t->op[n].data == n &&
                    t->op[n].mask == 0xffffffff);
    for (uint32_t n = 0; n < 20; n++)
        flow(t, TOTEM_KIND_CONTEXT, n, n);
    clocks(t, 2);
    assert_int_equal(t->ops, 28);
    flow(t, TOTEM_KIND_SHADER, 0x1ff, 77);
    flow(t, TOTEM_KIND_SHADER, 0x3ff, 78); // kept nowhere
    flow(t, TOTEM_KIND_USER, 0x242, 0x1234);
    flow(t, TOTEM_KIND_USER, 0x24d, 9);
    clocks(t, 2);
    assert_true(t->shader[0x1ff] == 77 && t->b.s.primitive == 0x34 && t->b.s.instances == 9);
    assert_int_equal(t->ops, 28);
}

RULE(modify_and_clear)
{
    flow(t, TOTEM_KIND_SHADER, 0x8a, 0);
    flow(t, TOTEM_KIND_SHADER, 0x8b, 0);
    flow(t, TOTEM_KIND_CONTEXT, 1, 2);
    give(t, TOTEM_KIND_MODIFY, 0, 0x3ff, 0x12000000ff00, 0);
    plain_end(t, 10);
    give(t, TOTEM_KIND_CLEAR, 0, 0, 0, 0);
    plain_end(t, 10);
    assert_true(t->ops == 3 && t->op[0].index == 1 && t->op[1].kind == OP_WRITE && t->op[2].kind == OP_CLEAR);
    assert_true(t->op[1].index == 0x3ff && t->op[1].data == 0x1200 && t->op[1].mask == 0xff00);
    assert_false(t->b.s.wrote[0] || t->b.s.wrote[1]);
}

// A read for every register; one that fails ends the packet without an answer; none beyond the window.
RULE(load)
{
    t->memory = 5;
    give(t, TOTEM_KIND_LOAD, 3, 0x1000, 0, 0x3fd);
    plain_end(t, 40);
    assert_true(t->ops == 3 && t->reads == 3);
    for (uint32_t n = 0; n < 3; n++)
        assert_true(t->op[n].kind == OP_WRITE && t->op[n].index == 0x3fd + n && t->op[n].data == 0x1005 + 4 * n);
    give(t, TOTEM_KIND_LOAD, 3, 0x1000, 0, 0x3fe);
    to_done(t, 4);
    assert_true(t->b.o.code == 0x3e && t->b.o.word == 0x3fe);
    over(t);
    give(t, TOTEM_KIND_LOAD, 0, 0x1001, 0, 0);
    plain_end(t, 4);
    give(t, TOTEM_KIND_LOAD, 1, 0x1001, 0, 0); // an index, and no address
    to_done(t, 4);
    assert_true(t->b.o.code == TOTEM_ERROR_PACKET_FEATURE && t->b.o.word == 0x1001);
    over(t);
    give(t, TOTEM_KIND_LOAD, 2, 0x1000, 0, 0);
    clock_edge(t);
    assert_true(t->b.o.read);
    LEVEL(&t->b, execute_service_valid, false);
    t->b.hold.execute_service_read_done = t->b.i.execute_service_read_done = false;
    tick(&t->b);
    assert_true(t->b.s.phase == RENDER_IDLE && !t->b.o.done);
    give(t, TOTEM_KIND_LOAD, 2, 0x1000, 0, 0); // the queue is to leave: given back between two registers
    LEVEL(&t->b, execute_service_stop, true);
    to_done(t, 10);
    assert_true(t->b.o.again);
    over(t);
    assert_int_equal(t->ops, 4);
}

// Offsets stand in memory, each in front of its value. What a read brings is its address and 5.
RULE(load_with_offsets)
{
    t->memory = 5;
    give(t, TOTEM_KIND_LOAD, 2, 0x2000100, 0, 1u << 31 | 0x3ff);
    plain_end(t, 40);
    assert_true(t->ops == 2 && t->reads == 4);
    for (uint32_t n = 0; n < 2; n++)
        assert_true(t->op[n].index == 0x105 + 8 * n && t->op[n].data == 0x2000109 + 8 * n);
    give(t, TOTEM_KIND_LOAD, 3, 0x20003f0, 0, 1u << 31);
    to_done(t, 40);
    assert_true(t->b.o.code == TOTEM_ERROR_PACKET_CONTEXT_OFFSET && t->b.o.word == 0x2000405);
}

static void set_shader(render_bench *t)
{
    for (uint32_t n = 0; n < 512; n++)
        t->shader[n] = 0x10000 * n + 0x5000;
    t->shader[0x4a]     = 0x11;             // VS: 18 blocks of VGPRs
    t->shader[0x4b]     = 5 << 1 | 1 << 19; // 5 words of user data; no LDS
    t->shader[0x8a]     = 0x20;
    t->shader[0x8b]     = 1u << 27 | 7 << 19; // GS: 32 words, 7 blocks of LDS
    t->shader[0x09]     = 0xff12;             // program of pixel waves, high
    t->shader[0x0a]     = 0x3f;               // 64 blocks of VGPRs
    t->shader[0x0b]     = 3 << 1 | 40 << 8;   // 3 words of user data, 40 blocks of LDS
    t->shader[0x81]     = 2 << 14;            // SPI_THROTTLE_EN
    t->registers[0x1b6] = 1 << 15;            // PS_W32_EN
    t->registers[0x2d6] = 0xc335;
    t->registers[0x2d5] = 1 << 22;
    t->registers[0x1ba] = 0x777;
}

// What the message has of the pixel waves, from that place on: of set 1, epoch 1, HP3D.
static void check_pixels(const render_bench *t, unsigned at, bool wave32)
{
    const uint64_t words[] = {0x1200085000 | 63ull << 40 | 40ull << 46 | (uint64_t)wave32 << 55 | 1ull << 56 |
                                  1ull << 60 | 1ull << 63,
                              (3ull << 1 | 40 << 8) << 32 | 0x3f, 0x777ull << 32 | 0x075000, 0xd5000ull << 32 | 0xc5000,
                              0xf5000ull << 32 | 0xe5000};
    for (unsigned n = 0; n < COUNT(words); n++)
        assert_int_equal(t->message[at + n], words[n]);
    assert_int_equal(t->messages, at + COUNT(words));
}

// The message of a draw: of VS, of GS once its resource words were written, with the registers of its generation.
RULE(draw)
{
    set_shader(t);
    t->b.hold.context_current = 1;
    t->b.hold.graphics_hp3d   = true;
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        t->b.hold.fence_epoch[q] = (uint8_t)(q % TOTEM_EPOCHS);
    t->b.hold.execute_dispatch_queue = 1;
    t->b.i                           = t->b.hold;
    flow(t, TOTEM_KIND_USER, 0x242, 9);
    give(t, TOTEM_KIND_INSTANCES, 0, 0, 3, 0);
    plain_end(t, 4);
    give(t, TOTEM_KIND_DRAW, 2, 0, 100, 0);
    plain_end(t, 80);
    assert_true(t->draws == 1 && t->begun == 1);
    assert_int_equal(t->message[0], 3ull << 32 | 100);
    assert_int_equal(t->message[1],
                     9 | 3ull << 6 | 18ull << 13 | 1ull << 29 | 1ull << 33 | 1ull << 36 | 5ull << 37 | 4ull << 42);
    assert_int_equal(t->message[2], 0x00485000ull);
    assert_int_equal(t->message[3], (5ull << 1 | 1 << 19) << 32 | 0x11);
    assert_int_equal(t->message[4], 0x777ull << 32 | 0x465000);
    for (uint32_t n = 0; n < 3; n++)
        assert_int_equal(t->message[5 + n], (0x4d5000ull + 0x20000 * n) << 32 | (0x4c5000 + 0x20000 * n));
    check_pixels(t, 8, true);
    for (uint8_t generation = 0; generation < 3; generation++) {
        t->messages = 0;
        LEVEL(&t->b, graphics_generation, generation);
        LEVEL(&t->b, draws_message_ready, true);
        flow(t, TOTEM_KIND_SHADER, 0x8a, 0x20);
        flow(t, TOTEM_KIND_SHADER, 0x8b, 1u << 27 | 1u << 28 | 7 << 19);
        give(t, TOTEM_KIND_DRAW, 2, 0, 6, 0);
        plain_end(t, 100);
        check_pixels(t, 3 + 18, generation > 0);
        assert_int_equal(t->message[1], 9 | 3ull << 6 | (uint64_t)(generation > 0) << 12 | 33ull << 13 | 7ull << 20 |
                                            1ull << 29 | 1ull << 33 | 1ull << 36 | 18ull << 37 | 4ull << 42);
        assert_int_equal(t->message[2] >> 40, generation == 2 ? 2 : 0);
        assert_int_equal(t->message[2] & 0xffffffff, generation == 0 ? 0x845000 : 0xc85000);
        assert_int_equal(t->message[4] & 0xffffffff, 0x875000);
        assert_int_equal(t->message[5] & 0xffffffff, generation == 0 ? 0xcc5000 : 0x8c5000);
        assert_int_equal(t->message[20] >> 32, generation == 0 ? 0xeb5000 : 0xab5000);
    }
}

// A draw waits for frames, a draw state and context; to leave it is given back, but not when it is issued.
RULE(draw_waits)
{
    set_shader(t);
    LEVEL(&t->b, draws_free, false);
    give(t, TOTEM_KIND_DRAW, 2, 0, 3, 0);
    clocks(t, 40);
    assert_true(t->draws == 0);
    LEVEL(&t->b, draws_free, true);
    LEVEL(&t->b, context_draw_ready, false);
    clocks(t, 10);
    assert_true(t->b.o.draw_valid && !t->b.o.done);
    t->b.i.execute_service_stop = true;
    clock_edge(t);
    to_done(t, 2);
    assert_true(t->b.o.again && t->draws == 0 && t->messages == 0);
    over(t);
    LEVEL(&t->b, context_draw_ready, true);
    LEVEL(&t->b, draws_message_ready, false);
    give(t, TOTEM_KIND_DRAW, 2, 0, 3, 0);
    clocks(t, 40);
    LEVEL(&t->b, execute_service_stop, true);
    clocks(t, 5);
    assert_true(t->draws == 1 && !t->b.o.done);
    LEVEL(&t->b, draws_message_ready, true);
    plain_end(t, 60);
}

// A geometry wave must fit an engine less the reserve, a pixel wave the reserve; each up to the last block.
RULE(too_large)
{
    enum { V = TOTEM_VGPRS, L = TOTEM_LDS, S = TOTEM_SLOTS };
    static const struct {
        unsigned slots, vgprs, lds;     // the reserve
        unsigned rows, blocks;          // of a geometry wave
        unsigned pixel_rows, pixel_lds; // of a pixel wave
        unsigned guilty;                // 0 nobody, 1 geometry, 2 pixels
    } rows[] = {
        {S - 1, V - 40, L - 9, 40, 9, 64, 200, 0},
        {1, V - 40, 0, 41, 9, 64, 0, 1},
        {1, 64, L - 9, 40, 10, 64, 0, 1},
        {S, 64, 0, 1, 0, 1, 0, 1},
        {1, 20, 9, 40, 9, 20, 9, 0},
        {1, 20, 9, 40, 9, 21, 9, 2},
        {1, 20, 9, 40, 9, 20, 10, 2},
        {0, 64, 64, 40, 9, 1, 0, 2},
        {0, V, 64, 1, 0, 1, 65, 1},
        {1, 64, 128, 64, 128, 64, 128, 0},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        open_render(t);
        LEVEL(&t->b, settings_reserve_slots, (uint8_t)rows[n].slots);
        LEVEL(&t->b, settings_reserve_vgprs, (uint16_t)rows[n].vgprs);
        LEVEL(&t->b, settings_reserve_lds, (uint16_t)rows[n].lds);
        flow(t, TOTEM_KIND_SHADER, 0x8a, rows[n].rows - 1);
        flow(t, TOTEM_KIND_SHADER, 0x8b, rows[n].blocks << 19);
        flow(t, TOTEM_KIND_SHADER, 0x0a, rows[n].pixel_rows - 1);
        flow(t, TOTEM_KIND_SHADER, 0x0b, rows[n].pixel_lds << 8);
        give(t, TOTEM_KIND_DRAW, 2, 0, 3, 0);
        to_done(t, 100);
        const uint32_t word[] = {0, rows[n].blocks << 16 | rows[n].rows,
                                 1u << 31 | rows[n].pixel_lds << 16 | rows[n].pixel_rows};
        assert_int_equal(t->b.o.code, rows[n].guilty ? 0x3f : 0);
        assert_int_equal(t->b.o.word, word[rows[n].guilty]);
        assert_int_equal(t->draws, rows[n].guilty == 0);
        assert_int_equal(t->messages != 0, rows[n].guilty == 0);
    }
}

// SPI_GS_THROTTLE_CNTL1 and 2 of a stream go to the controls, of GFX11 alone.
RULE(throttle_registers)
{
    for (uint8_t generation = 0; generation < 3; generation++) {
        LEVEL(&t->b, graphics_generation, generation);
        for (unsigned n = 0; n < 4; n++) { // its neighbours are nothing
            const bool is = generation == 2 && (n == 1 || n == 2);
            flow(t, TOTEM_KIND_USER, 0x443 + n, 0x12345670 + n);
            assert_int_equal(t->b.o.throttle_write_valid, is);
            assert_true(!is ||
                        (t->b.o.throttle_write_second == (n == 2) && t->b.o.throttle_write_data == 0x12345670 + n));
        }
        clock_edge(t);
        assert_false(t->b.o.throttle_write_valid);
    }
}

// Arguments in memory: one draw; several, a stride apart; their number in memory, at most that of the packet.
RULE(indirect)
{
    set_shader(t);
    give(t, TOTEM_KIND_BASE, 0, 0x99999, 0, 0); // another base
    plain_end(t, 4);
    give(t, TOTEM_KIND_BASE, 1, 0x1200000000, 0, 0);
    plain_end(t, 4);
    give(t, TOTEM_KIND_DRAW_INDIRECT, 2, 0, 0, 0x100);
    plain_end(t, 100);
    assert_true(t->draws == 1 && t->reads == 2);
    assert_int_equal(t->message[0], 0x104ull << 32 | 0x100);
    t->messages = t->reads = 0;
    give(t, TOTEM_KIND_DRAW_MULTI, 0, 0, 0x20ull << 32 | 2, 0x100);
    for (unsigned n = 0; !t->b.o.done; n++, t->last = false, clock_edge(t))
        assert_true(n < 200);
    over(t);
    assert_true(t->draws == 3 && t->reads == 4);
    assert_int_equal(t->message[13], 0x124ull << 32 | 0x120);
    t->messages = t->reads = 0;
    t->given               = 1;
    t->served[0]           = 1;
    give(t, TOTEM_KIND_DRAW_MULTI, 1u << 30, 0x500, 0x20ull << 32 | 2, 0x100);
    plain_end(t, 200);
    assert_true(t->draws == 4 && t->reads == 3);
    t->reads     = 0;
    t->served[0] = 0;
    give(t, TOTEM_KIND_DRAW_MULTI, 1u << 30, 0x500, 0x20ull << 32 | 2, 0x100);
    plain_end(t, 20);
    assert_true(t->draws == 4 && t->reads == 1);
}

// What context answers to a lookup; its two dwords; nothing is looked up before frames are idle.
RULE(bounce)
{
    for (uint8_t answer = 0; answer < 4; answer++) {
        const unsigned before = t->hashes;
        flow(t, TOTEM_KIND_CONTEXT, 1, 2);
        give(t, TOTEM_KIND_BOUNCE, 7, 0, 0x2222222211111111, 0);
        clocks(t, 20);
        assert_int_equal(t->hashes, before + 2);
        assert_true(t->hash[before & 7] == 0x11111111 && t->hash[(before + 1) & 7] == 0x22222222);
        assert_false(t->b.o.done);
        t->b.i.context_answer_valid = true;
        t->b.i.context_answer       = answer;
        clock_edge(t);
        to_done(t, 1);
        assert_int_equal(t->b.o.skip, answer == 0 ? 7 : 0);
        assert_int_equal(t->b.o.group, answer == 1 ? 7 : 0);
        assert_int_equal(t->b.o.code, answer == 3 ? 0x3b : 0);
        assert_int_equal(t->b.o.word, answer == 3 ? 7 : 0);
        over(t);
    }
    give(t, TOTEM_KIND_BOUNCE, 7, 0, 0, 0); // a lookup that waits is given up
    clocks(t, 20);
    t->b.i.execute_service_stop = true;
    clock_edge(t);
    assert_true(t->b.o.done && t->b.o.again && t->b.o.resume_valid && !t->b.o.resume_plain);
    over(t);
}

// A group that is given up does not end; its words are written all the same.
RULE(resume)
{
    LEVEL(&t->b, frames_op_ready, false);
    t->b.i.execute_service_group_end = true;
    flow(t, TOTEM_KIND_CONTEXT, 2, 2);
    t->b.i.execute_service_resume       = true;
    t->b.i.execute_service_resume_plain = true;
    clock_edge(t);
    assert_true(t->b.o.resume_valid && t->b.o.resume_plain);
    LEVEL(&t->b, frames_op_ready, true);
    clocks(t, 20);
    assert_true(t->ends == 0 && t->ops == 1 && !t->b.o.resume_valid);
}
