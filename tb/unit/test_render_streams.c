// SPDX-License-Identifier: Apache-2.0
//
// decode, execute, render, context, frames and dispatches of a graphics ring together, with everything around them
// simple: dwords as fast as they are taken, reads answered at once, draws and waves of dispatches that end after a while.
// At every draw and dispatch all context registers are those of a plain replay: of a made stream and of captured frames,
// bounced and plain (docs/graphics.md). A set keeps its frame until the last wave of a dispatch on it has ended.
// Configuration: full, because five states in turn are found again only where they have a set each.

#include "block_bench.h"
#include "tests.h"

#include "totem_context.h"
#include "totem_decode.h"
#include "totem_dispatches.h"
#include "totem_execute.h"
#include "totem_frames.h"
#include "totem_pm4.h"
#include "totem_render.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUEUE = 0, ROWS = TOTEM_REGISTERS / TOTEM_BANKS, DRAWS = 200, STREAM = 1 << 15, SET = 0x69, REGISTERS = 1024 };

#define HEADER(op, body) (0xc0000000u | (uint32_t)((body)-1) << 16 | (uint32_t)(op) << 8)

typedef struct {
    totem_decode         d;
    totem_decode_in      di;
    totem_decode_out     d_o;
    totem_execute        x;
    totem_execute_in     xi;
    totem_execute_out    xo;
    totem_render         r;
    totem_render_in      ri;
    totem_render_out     ro;
    totem_context        c;
    totem_context_in     ci;
    totem_context_out    co;
    totem_frames         f;
    totem_frames_in      fi;
    totem_frames_out     fo;
    totem_dispatches     s;
    totem_dispatches_in  si;
    totem_dispatches_out so;
    uint32_t             bank[TOTEM_BANKS][2 * (TOTEM_SETS + 2) * ROWS], shader[512];
    const uint32_t      *words;
    size_t               count, at, next; // committed, delivered
    bool                 reads, registers;
    unsigned             walks;
    uint32_t             answer;
    struct {
        size_t  clock;
        uint8_t set;
    } end[DRAWS], wave[DRAWS];
    size_t   first, last, first_wave, last_wave, clock, draws, stay;
    uint64_t digest; // of the registers of all draws
} world;

static world w;

static void outputs(void)
{
    totem_decode_outputs(&w.d, &w.d_o);
    totem_execute_outputs(&w.x, &w.xo);
    totem_render_outputs(&w.r, &w.ro);
    totem_context_outputs(&w.c, &w.co);
    totem_frames_outputs(&w.f, &w.fo);
    totem_dispatches_outputs(&w.s, &w.so);
}

static uint32_t initial(unsigned place)
{
    return place * 0x10203u;
}

static void open_world(const uint32_t *words, size_t count, bool bounce, size_t stay)
{
    memset(&w, 0, sizeof w);
    w.words = words;
    w.count = count;
    w.stay  = stay;
    totem_decode_reset(&w.d);
    totem_execute_reset(&w.x);
    totem_render_reset(&w.r);
    totem_context_reset(&w.c);
    totem_frames_reset(&w.f);
    totem_dispatches_reset(&w.s);
    w.ci.bounce_enable = bounce;
    w.fi.filter_enable = true;
    for (unsigned place = 0; place < REGISTERS; place++) // the table, and the first set, which CLEAR_STATE has made
        for (unsigned frame = 0; frame <= TOTEM_SETS + 1; frame += TOTEM_SETS + 1)
            w.bank[place % TOTEM_BANKS][frame * ROWS + place / TOTEM_BANKS] = initial(place);
    outputs();
}

// A register of the current set; one that the copy has not reached is still where it comes from.
static uint32_t current(unsigned place)
{
    const unsigned b = place % TOTEM_BANKS, row = place / TOTEM_BANKS;
    unsigned       frame = w.f.frame[w.c.current];
    if (w.f.copying && w.f.copy_target == frame && row >= w.f.copy_done[b])
        frame = w.f.copy_source;
    return w.bank[b][frame * ROWS + row];
}

static void connect_packets(void)
{
    w.di.graphics              = true;
    w.di.settings_address_high = 0x80808080u >> (32 - 8 * TOTEM_FE_COUNT); // bits 47:40 of the streams
    w.di.fetch_available       = (uint32_t)(w.count - w.at);
    w.di.bank_loaded           = true;
    w.di.execute_ready         = w.xo.ready;
    w.di.execute_skip          = w.xo.skip;
    w.di.execute_drop          = w.xo.drop;
    w.di.execute_left          = w.xo.left;
    w.di.execute_group         = w.xo.group;
    w.di.execute_deferred      = w.xo.deferred;
    w.di.fetch_dword_valid     = w.next < w.count;
    w.di.fetch_dword_data      = w.next < w.count ? w.words[w.next] : 0;

    totem_execute_in *x      = &w.xi;
    x->graphics              = true;
    x->decode_boundary       = w.d_o.boundary;
    x->decode_stream         = w.d_o.stream;
    x->decode_valid          = w.d_o.valid;
    x->decode_kind           = w.d_o.kind;
    x->decode_last           = w.d_o.last;
    x->decode_unread         = w.d_o.unread;
    x->decode_code           = w.d_o.code;
    x->decode_header         = w.d_o.header;
    x->decode_length         = w.d_o.length;
    x->decode_counted        = w.d_o.counted;
    x->decode_writes_context = w.d_o.writes_context;
    x->decode_control        = w.d_o.control;
    x->decode_address        = w.d_o.address;
    x->decode_data           = w.d_o.data;
    x->decode_extra          = w.d_o.extra;
    x->decode_second         = w.d_o.second;
    x->fetch_available       = (uint32_t)(w.count - w.at);
    x->bank_loaded           = true;
    x->bank_threads          = 64;
    x->bank_partial          = 1;
    x->bank_vgprs            = 1;
    x->bank_engines[0]       = true;
    x->walker_busy           = w.walks != 0;
    x->arbiter_go            = w.clock == 0;
    x->arbiter_active[QUEUE] = x->fence_room[QUEUE] = x->fence_flushed[QUEUE] = x->fence_settled[QUEUE] = true;
    x->fence_packet_ready = x->poll_packet_read_ready = x->write_ready = x->poll_packet_answer = true;
    x->events_packet_error_ready                                                               = true;
    x->service_room                                                                            = w.ro.room;
    x->service_still     = w.ro.empty && w.fo.idle && w.co.draw_ready;
    x->service_read      = w.ro.read;
    x->service_read_addr = w.ro.read_addr;
    x->service_done      = w.ro.done;
    x->service_code      = w.ro.code;
    x->service_word      = w.ro.word;
    x->service_again     = w.ro.again;
    x->service_skip      = w.ro.skip;
    x->service_group     = w.ro.group;
    x->poll_data_valid   = w.reads && !w.registers;
    x->hqd_poll_done     = w.reads && w.registers;
    x->hqd_poll_rdata    = w.answer;
    x->data_word         = (uint64_t)w.answer << 32 | w.answer;
}

static void connect_graphics(void)
{
    totem_render_in *r              = &w.ri;
    r->execute_service_valid        = w.xo.service_valid;
    r->execute_service_kind         = w.xo.service_kind;
    r->execute_service_control      = w.xo.service_control;
    r->execute_service_address      = w.xo.service_address;
    r->execute_service_data         = w.xo.service_data;
    r->execute_service_extra        = w.xo.service_extra;
    r->execute_service_stop         = w.xo.service_stop;
    r->execute_service_read_done    = w.xo.service_read_done;
    r->execute_service_read_data    = w.xo.service_read_data;
    r->execute_service_resume       = w.xo.service_resume;
    r->execute_service_resume_plain = w.xo.service_resume_plain;
    r->execute_service_group_end    = w.xo.service_group_end;
    r->frames_op_ready              = w.fo.op_ready;
    r->frames_idle                  = w.fo.idle;
    r->frames_read_valid            = w.fo.read_valid;
    r->frames_read_data             = w.fo.read_data;
    r->context_hash_ready           = w.co.hash_ready;
    r->context_answer_valid         = w.co.answer_valid;
    r->context_answer               = w.co.answer;
    r->context_draw_ready           = w.co.draw_ready;
    r->context_current              = w.co.current;
    r->draws_free                   = w.last - w.first < 16;
    r->draws_message_ready          = true;
    r->graphics_generation          = 1;
    r->settings_reserve_slots       = 1;
    r->settings_reserve_vgprs       = 64;
    r->settings_reserve_lds         = 255;

    totem_context_in *c = &w.ci;
    c->hash_valid       = w.ro.hash_valid;
    c->hash_data        = w.ro.hash_data;
    c->hash_count       = w.ro.hash_count;
    c->group_end        = w.ro.group_end;
    c->draw_valid       = w.ro.draw_valid || w.so.use_valid;
    c->resume_valid     = w.ro.resume_valid;
    c->resume_plain     = w.ro.resume_plain;
    c->end_valid        = w.so.end_valid;
    c->end_set          = w.so.end_set;
    c->frames_want      = w.fo.roll_want;
    c->frames_room      = w.fo.roll_room;
    c->frames_changed   = w.fo.changed;
    c->frames_cleared   = w.fo.cleared;

    totem_frames_in *f   = &w.fi;
    f->op_valid          = w.ro.op_valid;
    f->op_kind           = w.ro.op_kind;
    f->op_index          = w.ro.op_index;
    f->op_data           = w.ro.op_data;
    f->op_mask           = w.ro.op_mask;
    f->context_used      = w.co.used;
    f->context_has_tag   = w.co.has_tag;
    f->context_roll_want = w.co.roll_want;
    f->context_roll_free = w.co.roll_free;
    f->context_roll_set  = w.co.roll_set;
    f->context_hit_valid = w.co.hit_valid;
    f->context_hit_set   = w.co.hit_set;
}

static void connect_dispatches(void)
{
    totem_dispatches_in *s = &w.si;
    s->packet_start        = w.xo.start;
    s->walker_busy         = w.walks != 0;
    s->context_current     = w.co.current;
    s->context_draw_ready  = w.co.draw_ready;
    s->render_draw_valid   = w.ro.draw_valid;
    s->draws_end_valid     = w.first != w.last && w.end[w.first % DRAWS].clock <= w.clock;
    s->draws_end_set       = w.end[w.first % DRAWS].set;
    s->grant_valid[0]      = w.walks == 2;
    s->grant_waves[0]      = 1;
    s->grant_set[0]        = w.so.dispatch_set;
    s->complete_valid[0]   = w.first_wave != w.last_wave && w.wave[w.first_wave % DRAWS].clock <= w.clock;
    s->complete_set[0]     = w.wave[w.first_wave % DRAWS].set;
}

// A draw or a dispatch begins: its registers.
static void digest(void)
{
    assert_true(w.fo.idle && !w.ro.op_valid && w.co.idle && w.co.draw_ready);
    for (unsigned place = 0; place < REGISTERS; place++)
        w.digest = (w.digest ^ current(place)) * 0x100000001b3u + place;
    w.draws++;
}

// What happens in this clock outside the blocks.
static void surroundings(void)
{
    const bool delivered = w.di.fetch_dword_valid && w.d_o.dword_ready;
    w.next += delivered;
    if (w.xo.commit)
        w.at += w.xo.commit_count;
    if (w.xo.drop)
        w.next = w.at;
    assert_true(w.at <= w.count && !w.xo.error_valid && !w.xo.left);
    w.reads     = w.xo.poll_valid;
    w.registers = w.xo.poll_register;
    w.answer    = w.x.kind == TOTEM_KIND_WAIT ? (uint32_t)w.x.data : 1; // every wait ends at once
    if (w.si.grant_valid[0]) {
        w.wave[w.last_wave % DRAWS].clock = w.clock + w.stay;
        w.wave[w.last_wave++ % DRAWS].set = w.so.dispatch_set;
    }
    w.first_wave += w.si.complete_valid[0];
    for (size_t n = w.first_wave; n != w.last_wave; n++) // a wave uses its set
        assert_int_not_equal(w.c.uses[w.wave[n % DRAWS].set], 0);
    if (w.xo.start) {
        digest();
        w.walks = 5;
    } else {
        w.walks -= w.walks != 0;
    }
    if (w.x.phase == 12) // CLOSED
        w.xi.fence_epoch[QUEUE] = (uint8_t)((w.xi.fence_epoch[QUEUE] + 1) % TOTEM_EPOCHS);
    w.first += w.si.draws_end_valid;
    if (w.ro.draw_valid && w.co.draw_ready) {
        digest();
        w.end[w.last % DRAWS].clock = w.clock + w.stay;
        w.end[w.last++ % DRAWS].set = w.co.current;
    }
    if (w.ro.shader_read_enable)
        w.ri.shader_read_data = w.shader[w.ro.shader_read_addr];
    if (w.ro.shader_write_enable)
        w.shader[w.ro.shader_write_addr] = w.ro.shader_write_data;
}

static void clock_edge(void)
{
    uint32_t read[TOTEM_BANKS];
    connect_packets();
    connect_graphics();
    connect_dispatches();
    surroundings();
    memcpy(read, w.fi.ram_read_data, sizeof read);
    for (unsigned b = 0; b < TOTEM_BANKS; b++)
        if (w.fo.ram_read_enable[b])
            read[b] = w.bank[b][w.fo.ram_read_addr[b]];
    for (unsigned b = 0; b < TOTEM_BANKS; b++)
        if (w.fo.ram_write_enable[b])
            w.bank[b][w.fo.ram_write_addr[b]] = w.fo.ram_write_data[b];
    totem_decode_step(&w.d, &w.di);
    totem_execute_step(&w.x, &w.xi);
    totem_render_step(&w.r, &w.ri);
    totem_context_step(&w.c, &w.ci);
    totem_frames_step(&w.f, &w.fi);
    totem_dispatches_step(&w.s, &w.si);
    memcpy(w.fi.ram_read_data, read, sizeof read);
    w.clock++;
    outputs();
}

static void play(const uint32_t *words, size_t count, bool bounce, size_t stay)
{
    open_world(words, count, bounce, stay);
    while (w.at < w.count || w.first != w.last || !w.so.idle) {
        clock_edge();
        if (w.clock > 4000000)
            fail_msg("dword %zu of %zu: it hangs", w.at, w.count);
    }
    clock_edge();
    assert_false(w.c.fault || w.s.fault || w.co.used);
}

// ---- the replay, which knows packets on its own

static bool is_draw(uint32_t op) // or a dispatch
{
    return op == 0x15 || op == 0x27 || op == 0x2d || op == 0x35;
}

static size_t size_of(uint32_t word)
{
    return word >> 30 != 3 || word == 0xffff1000 ? 1 : 2 + (word >> 16 & 0x3fff);
}

// Digest and number of draws of a stream; with `to`, the stream with its runs of SET_CONTEXT_REG wrapped as groups.
static uint64_t replay(const uint32_t *words, size_t count, size_t *draws, uint32_t *to, size_t *made)
{
    static uint32_t registers[REGISTERS];
    uint64_t        digest = 0;
    for (unsigned place = 0; place < REGISTERS; place++)
        registers[place] = initial(place);
    *draws = 0;
    for (size_t at = 0, end; at < count; at = end) {
        const uint32_t op = words[at] >> 8 & 0xff;
        end               = at + size_of(words[at]);
        if (words[at] >> 30 == 3 && op == SET) {
            while (end < count && words[end] >> 30 == 3 && (words[end] >> 8 & 0xff) == SET)
                end += size_of(words[end]);
            for (size_t p = at; p < end; p += size_of(words[p]))
                for (size_t k = 2; k < size_of(words[p]); k++)
                    registers[(words[p + 1] & 0xffff) + k - 2] = words[p + k];
            if (to) {
                uint64_t hash = 0xcbf29ce484222325u;
                for (unsigned place = 0; place < REGISTERS; place++)
                    hash = (hash ^ registers[place]) * 0x100000001b3u;
                to[(*made)++] = HEADER(TOTEM_OP_CONTEXT_BOUNCE, 3);
                to[(*made)++] = (uint32_t)(end - at);
                to[(*made)++] = (uint32_t)hash;
                to[(*made)++] = (uint32_t)(hash >> 32);
            }
        } else if (words[at] >> 30 == 3 && op == 0x12) {
            for (unsigned place = 0; place < REGISTERS; place++)
                registers[place] = initial(place);
        } else if (words[at] >> 30 == 3 && is_draw(op)) {
            for (unsigned place = 0; place < REGISTERS; place++)
                digest = (digest ^ registers[place]) * 0x100000001b3u + place;
            ++*draws;
        }
        for (size_t k = at; to && k < end; k++)
            to[(*made)++] = words[k];
        assert_true(!to || *made < 2 * STREAM - 8);
    }
    return digest;
}

static void compare(const char *name, const uint32_t *words, size_t count, size_t stay, bool hits)
{
    static uint32_t bounced[2 * STREAM];
    size_t          draws, made = 0;
    const uint64_t  digest = replay(words, count, &draws, bounced, &made);
    for (unsigned run = 0; run < 3; run++) { // plain, bounced, bounced with BOUNCE_EN 0
        play(run == 0 ? words : bounced, run == 0 ? count : made, run != 2, stay);
        if (w.draws != draws || w.digest != digest)
            fail_msg("%s, run %u: %zu draws of %zu, registers %s", name, run, w.draws, draws,
                     w.digest == digest ? "equal" : "differ");
        assert_true(run == 1 ? (w.c.hits != 0) == hits && w.c.misses != 0 : w.c.hits == 0 && w.c.misses == 0);
        print_message("%s, run %u: %zu draws, %zu clocks, %u rolls, %u hits\n", name, run, w.draws, w.clock, w.c.rolls,
                      w.c.hits);
    }
}

// Five states in turn, one register each of which the others differ, draws and dispatches between; then CLEAR_STATE.
TEST(made_stream)
{
    static uint32_t words[STREAM];
    size_t          count = 0;
    if (TOTEM_REGISTERS < REGISTERS)
        skip();
    for (unsigned n = 0; n < 60; n++) {
        const uint32_t state[] = {
            HEADER(SET, 3),  0x100,     n % 5, 7, HEADER(SET, 2), 0x3ff, n % 5 * 3, HEADER(0x76, 2), 0x4a, n,
            HEADER(0x2d, 2), 3 * n + 3, 2};
        const uint32_t dispatch[] = {HEADER(0x15, 4), 4, 1, 1, 1};
        memcpy(words + count, state, sizeof state);
        count += COUNT(state);
        if (n % 3 != 0) { // in place of the draw, or behind it
            count -= n % 3 == 1 ? 3 : 0;
            memcpy(words + count, dispatch, sizeof dispatch);
            count += COUNT(dispatch);
        }
        if (n == 40) {
            words[count++] = HEADER(0x12, 1);
            words[count++] = 0;
        }
    }
    compare("made", words, count, 10, TOTEM_SETS > 5);
    compare("made, long draws", words, count, 600, TOTEM_SETS > 5);
}

TEST(captured_frames)
{
    static const char *const rows[] = {"umr_gfx10_navi10_heaven_ib0", "umr_gfx10_navi10_heaven_ib1",
                                       "umr_gfx9_cezanne_glmark2_ib0"};
    static uint32_t          words[STREAM];
    const char              *asked = getenv("TOTEM_STREAMS"), *folder = asked ? asked : "../shared/streams";
    DIR                     *directory = opendir(folder);
    if (!directory && asked)
        fail_msg("TOTEM_STREAMS=%s: no such folder", folder);
    if (!directory)
        print_message("SKIPPED captured streams: they are not in %s; name their folder with TOTEM_STREAMS=\n", folder);
    if (!directory || TOTEM_REGISTERS < REGISTERS)
        skip();
    closedir(directory); // NOLINT(clang-analyzer-core.NonNullParamChecker): skip does not return
    for (size_t n = 0; n < COUNT(rows); n++) {
        char   path[512], line[512];
        size_t count = 0;
        snprintf(path, sizeof path, "%s/%s.hex", folder, rows[n]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        while (fgets(line, sizeof line, file))
            if (line[0] != '/') {
                assert_true(count < STREAM);
                words[count++] = (uint32_t)strtoul(line, NULL, 16);
            }
        fclose(file);
        compare(rows[n], words, count, 1000, n < 2);
    }
}
