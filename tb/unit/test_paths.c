// SPDX-License-Identifier: Apache-2.0
//
// The memory side of a partitioned machine (docs/partition.md): masters, windows, routes, channels and ports, wired as
// the machine will be. Masters read and write at random; ports answer late, out of order, each request once. What only
// this sees: that the blocks agree about IDs, order and ready, and what the way costs.
// Configuration: full, because mini has one front end.
// Blocks: route, channel, window, windows, lattice.

#include "block_bench.h"

#include "totem_channel.h"
#include "totem_lattice.h"
#include "totem_route.h"
#include "totem_window.h"
#include "totem_windows.h"

#if TOTEM_FE_COUNT == TOTEM_ROUTE_TARGETS
enum {
    SIDE    = TOTEM_FE_COUNT, // masters, and channels
    IDS     = 4,              // that a master uses
    MEMORY  = 1 << 10,        // words of 8 bytes
    LONG    = 64,             // requests that a port holds
    LATENCY = 20,
    LAST    = 1 << 8
};

typedef struct {
    bool     write;
    unsigned id, beats, left, wait; // id: at the port; left: beats still to be sent
    uint64_t word;                  // number of its first word
} job;

typedef struct {
    job      jobs[LONG];
    unsigned count;
    int      sends;     // job under way at R, -1 none
    bool     stands;    // it answers nothing
    job      writes[4]; // whose data come, in this order
    unsigned waiting;
    bool     answers;
    unsigned bid;
} port;

// What a master waits for: of each ID in order.
typedef struct {
    bool     busy, write, refused;
    unsigned beats, done;
    uint64_t word;
    uint64_t expected[16];
    unsigned began;
} request;

typedef struct {
    totem_windows windows[SIDE];
    totem_route   routes[SIDE];
    totem_channel channels[SIDE];
    port          ports[SIDE];
    request       reads[SIDE][IDS], behind[SIDE][IDS]; // the read of an ID, and the one behind it
    request       writes[SIDE][IDS], then[SIDE][IDS];  // the write of an ID, and the one behind it
    int           deaf;                                // ID at the ports that gets no answer, -1 none
    bool          cautious;                            // ports take the address of a write only with data
    uint64_t      memory[SIDE][MEMORY];                // of each channel
    uint64_t      seed;
    unsigned      clock, served, refused, slowest;
    unsigned      served_of[SIDE];
    unsigned      latency;
    int           quiet; // masters from here on ask nothing
    // offered by a master and not taken
    bool     ar[SIDE], aw[SIDE], w[SIDE];
    unsigned ar_id[SIDE], aw_id[SIDE], w_left[SIDE];
} world;

static unsigned draw(world *w, unsigned below)
{
    w->seed = w->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(w->seed >> 33) % below;
}

static void open_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->seed    = 1;
    w->latency = LATENCY;
    w->quiet   = SIDE;
    w->deaf    = -1;
    for (int n = 0; n < SIDE; n++) {
        totem_windows_reset(&w->windows[n]);
        totem_route_reset(&w->routes[n]);
        totem_channel_reset(&w->channels[n]);
        w->ports[n].sends = -1;
        for (unsigned k = 0; k < MEMORY; k++)
            w->memory[n][k] = (uint64_t)n << 32 | k;
    }
}

#define RULE(name) RULE_OF(world, open_world, w, name)

static totem_window_out look_up(const world *w, int f, uint64_t address)
{
    totem_windows_out o;
    totem_windows_outputs(&w->windows[f], &o);
    totem_window_in i = {.address = address >> 3};
    memcpy(i.window_valid, o.window_valid, sizeof i.window_valid);
    memcpy(i.window_base, o.window_base, sizeof i.window_base);
    memcpy(i.window_size, o.window_size, sizeof i.window_size);
    memcpy(i.window_first, o.window_first, sizeof i.window_first);
    memcpy(i.window_spread, o.window_spread, sizeof i.window_spread);
    memcpy(i.window_chunk, o.window_chunk, sizeof i.window_chunk);
    memcpy(i.window_stride, o.window_stride, sizeof i.window_stride);
    memcpy(i.window_place, o.window_place, sizeof i.window_place);
    totem_window_out found;
    totem_window_outputs(&i, &found);
    return found;
}

// Window 0 of a front end: 2^size bytes from `base` on, in one channel, at their own addresses.
static void give(world *w, int f, uint64_t base, unsigned size, unsigned channel)
{
    const totem_windows_in i = {.write_valid   = true,
                                .write_present = true,
                                .write_base    = base >> 7,
                                .write_size    = (uint8_t)size,
                                .write_first   = (uint8_t)channel,
                                .write_chunk   = 7,
                                .write_stride  = 7,
                                .write_place   = base >> 7};
    totem_windows_step(&w->windows[f], &i);
}

// Where the beat of a request is: a word of a channel's memory.
static uint64_t *beat_of(world *w, int f, uint64_t address, unsigned beat)
{
    const totem_window_out at = look_up(w, f, address);
    assert_true(at.hit);
    return &w->memory[at.target][(at.moved + beat) % MEMORY];
}

// One clock of a port. `i` goes to the routes by the lattice's rule, `c` to the channel.
static void port_drives(world *w, int c, totem_route_in r[SIDE])
{
    port *p = &w->ports[c];
    for (unsigned n = 0; p->sends < 0 && n < p->count && !p->stands; n++)
        if (!p->jobs[n].write && p->jobs[n].wait == 0 && (int)p->jobs[n].id != w->deaf) {
            bool first = true; // of its ID
            for (unsigned k = 0; k < n; k++)
                first = first && (p->jobs[k].write || p->jobs[k].id != p->jobs[n].id);
            if (first && draw(w, 2))
                p->sends = (int)n;
        }
    for (unsigned n = 0; !p->answers && n < p->count && !p->stands; n++)
        if (p->jobs[n].write && p->jobs[n].wait == 0 && (int)p->jobs[n].id != w->deaf) {
            p->answers = true;
            p->bid     = p->jobs[n].id;
            memmove(&p->jobs[n], &p->jobs[n + 1], (--p->count - n) * sizeof(job));
            p->sends -= p->sends > (int)n;
        }
    const job *j = p->sends < 0 ? NULL : &p->jobs[p->sends];
    for (int f = 0; f < SIDE; f++) {
        r[f].target_r_valid[c] = j != NULL;
        if (j) {
            r[f].target_r_id[c]   = (uint8_t)j->id;
            r[f].target_r_data[c] = w->memory[c][(j->word + j->beats - j->left) % MEMORY];
            r[f].target_r_last[c] = j->left == 1;
        }
        r[f].target_b_valid[c] = p->answers;
        r[f].target_b_id[c]    = (uint8_t)p->bid;
    }
}

static void port_steps(world *w, int c, const totem_channel_out *o, const totem_channel_in *i, bool r_ready,
                       bool b_ready)
{
    port *p = &w->ports[c];
    if (p->sends >= 0 && r_ready && --p->jobs[p->sends].left == 0) {
        memmove(&p->jobs[p->sends], &p->jobs[p->sends + 1], (--p->count - (unsigned)p->sends) * sizeof(job));
        p->sends = -1;
    }
    p->answers = p->answers && !b_ready;
    for (unsigned n = 0; n < p->count; n++)
        p->jobs[n].wait -= p->jobs[n].wait != 0;
    if (o->m_axi_arvalid && i->m_axi_arready)
        p->jobs[p->count++] = (job){.id    = o->m_axi_arid,
                                    .beats = o->m_axi_arlen + 1u,
                                    .left  = o->m_axi_arlen + 1u,
                                    .wait  = w->latency,
                                    .word  = o->m_axi_araddr >> 3};
    if (o->m_axi_awvalid && i->m_axi_awready) {
        assert_true(p->waiting < 4);
        p->writes[p->waiting++] =
            (job){.write = true, .id = o->m_axi_awid, .beats = o->m_axi_awlen + 1u, .word = o->m_axi_awaddr >> 3};
    }
    if (o->m_axi_wvalid && i->m_axi_wready) {
        job *j = &p->writes[0];
        assert_int_not_equal(p->waiting, 0);
        w->memory[c][(j->word + j->left++) % MEMORY] = o->m_axi_wdata;
        assert_int_equal(o->m_axi_wlast, j->left == j->beats);
        if (o->m_axi_wlast) {
            j->wait             = w->latency;
            p->jobs[p->count++] = *j;
            memmove(j, j + 1, --p->waiting * sizeof *j);
        }
    }
    assert_true(p->count < LONG - 4);
}

// A master draws what to ask: words of its own, so that no other one changes them.
static void master_draws(world *w, int f)
{
    const unsigned id = draw(w, IDS), size = draw(w, 2) ? 16 : 1;
    const bool     reads = w->reads[f][id].busy, writes = w->writes[f][id].busy;
    if (f >= w->quiet)
        return;
    request   *r    = writes ? &w->then[f][id] : reads ? &w->behind[f][id] : NULL;
    uint64_t   word = (uint64_t)f * (MEMORY / SIDE) + 16 * id * 2 + (uint64_t)(16 * draw(w, 2));
    const bool asks = writes || (!reads && draw(w, 2)); // to write
    if (!r)
        r = asks ? &w->writes[f][id] : &w->reads[f][id];
    if (r->busy || (asks ? w->aw[f] || w->w_left[f] != 0 : w->ar[f]))
        return;
    if (writes) // not where the other one writes
        word = w->writes[f][id].word ^ 16;
    const bool hit = look_up(w, f, word << 3).hit;
    *r = (request){.busy = true, .write = asks, .beats = size, .word = word, .began = w->clock, .refused = !hit};
    for (unsigned k = 0; k < size; k++)
        r->expected[k] = asks ? (uint64_t)draw(w, 1u << 30) << 8 | (unsigned)f : hit ? *beat_of(w, f, word << 3, k) : 0;
    if (asks) {
        w->aw[f]     = true;
        w->aw_id[f]  = id;
        w->w_left[f] = size;
    } else {
        w->ar[f]    = true;
        w->ar_id[f] = id;
    }
}

static void ended(world *w, int f, const request *r)
{
    w->served++;
    w->served_of[f]++;
    w->refused += r->refused;
    w->slowest = w->clock - r->began > w->slowest ? w->clock - r->began : w->slowest;
}

static void clock_edge(world *w)
{
    totem_route_in    r[SIDE]  = {0};
    totem_channel_in  c[SIDE]  = {0};
    totem_route_out   ro[SIDE] = {0};
    totem_channel_out co[SIDE] = {0};
    totem_lattice_in  li       = {0};
    totem_lattice_out lo;
    for (int n = 0; n < SIDE; n++) {
        totem_route_outputs(&w->routes[n], &ro[n]);
        totem_channel_outputs(&w->channels[n], &co[n]);
    }
    for (int f = 0; f < SIDE; f++) {
        for (int t = 0; t < SIDE; t++) {
            li.route_to_ar_valid[f * SIDE + t] = ro[f].to_ar_valid[t];
            li.route_to_aw_valid[f * SIDE + t] = ro[f].to_aw_valid[t];
            li.route_to_w_valid[f * SIDE + t]  = ro[f].to_w_valid[t];
            li.route_r_room[f * SIDE + t]      = ro[f].r_room[t];
            li.route_b_room[f * SIDE + t]      = ro[f].b_room[t];
            li.channel_ar_ready[f * SIDE + t]  = co[f].ar_ready[t];
            li.channel_aw_ready[f * SIDE + t]  = co[f].aw_ready[t];
            li.channel_w_ready[f * SIDE + t]   = co[f].w_ready[t];
        }
        li.route_to_ar_id[f]    = ro[f].to_ar_id;
        li.route_to_ar_addr[f]  = ro[f].to_ar_addr;
        li.route_to_ar_len[f]   = ro[f].to_ar_len;
        li.route_to_aw_id[f]    = ro[f].to_aw_id;
        li.route_to_aw_addr[f]  = ro[f].to_aw_addr;
        li.route_to_aw_len[f]   = ro[f].to_aw_len;
        li.route_to_w_data[f]   = ro[f].to_w_data;
        li.route_to_w_strobe[f] = ro[f].to_w_strobe;
        li.route_to_w_last[f]   = ro[f].to_w_last;
    }
    totem_lattice_outputs(&li, &lo);
    for (int n = 0; n < SIDE; n++) {
        port_drives(w, n, r);
        c[n].m_axi_arready = w->latency == 0 || draw(w, 4) != 0;
        c[n].m_axi_awready = draw(w, 4) != 0 && (!w->cautious || co[n].m_axi_wvalid);
        c[n].m_axi_wready  = draw(w, 4) != 0 && w->ports[n].waiting != 0;
    }
    for (int f = 0; f < SIDE; f++) {
        master_draws(w, f);
        const request *read = &w->reads[f][w->ar_id[f]], *write = &w->writes[f][w->aw_id[f]];
        write                          = w->then[f][w->aw_id[f]].busy ? &w->then[f][w->aw_id[f]] : write;
        read                           = w->behind[f][w->ar_id[f]].busy ? &w->behind[f][w->ar_id[f]] : read;
        const totem_window_out to_read = look_up(w, f, read->word << 3), to_write = look_up(w, f, write->word << 3);
        r[f].source_number   = (uint8_t)f;
        r[f].master_ar_valid = w->ar[f];
        r[f].master_ar_id    = (uint8_t)w->ar_id[f];
        r[f].master_ar_len   = (uint8_t)(read->beats - 1) & 15;
        r[f].read_hit        = to_read.hit;
        r[f].read_target     = to_read.target;
        r[f].read_addr       = to_read.moved;
        r[f].master_aw_valid = w->aw[f];
        r[f].master_aw_id    = (uint8_t)w->aw_id[f];
        r[f].master_aw_len   = (uint8_t)(write->beats - 1) & 15;
        r[f].write_hit       = to_write.hit;
        r[f].write_target    = to_write.target;
        r[f].write_addr      = to_write.moved;
        r[f].master_w_valid  = w->w_left[f] != 0;
        r[f].master_w_data   = w->w_left[f] ? write->expected[write->beats - w->w_left[f]] : 0;
        r[f].master_w_strobe = 0xff;
        r[f].master_w_last   = w->w_left[f] == 1;
        r[f].master_r_ready = r[f].master_b_ready = true;
        for (int t = 0; t < SIDE; t++) {
            r[f].target_ar_ready[t] = lo.target_ar_ready[f * SIDE + t];
            r[f].target_aw_ready[t] = lo.target_aw_ready[f * SIDE + t];
            r[f].target_w_ready[t]  = lo.target_w_ready[f * SIDE + t];
            r[f].target_r_ready[t]  = lo.target_r_ready[t];
            r[f].target_b_ready[t]  = lo.target_b_ready[t];
            c[f].source_ar_valid[t] = lo.source_ar_valid[f * SIDE + t];
            c[f].source_aw_valid[t] = lo.source_aw_valid[f * SIDE + t];
            c[f].source_w_valid[t]  = lo.source_w_valid[f * SIDE + t];
            c[f].source_ar_id[t]    = lo.source_ar_id[t];
            c[f].source_ar_addr[t]  = lo.source_ar_addr[t];
            c[f].source_ar_len[t]   = lo.source_ar_len[t];
            c[f].source_aw_id[t]    = lo.source_aw_id[t];
            c[f].source_aw_addr[t]  = lo.source_aw_addr[t];
            c[f].source_aw_len[t]   = lo.source_aw_len[t];
            c[f].source_w_data[t]   = lo.source_w_data[t];
            c[f].source_w_strobe[t] = lo.source_w_strobe[t];
            c[f].source_w_last[t]   = lo.source_w_last[t];
        }
        for (unsigned id = 0; id < IDS; id++) { // what is on its way is nobody else's channel yet
            const request *q       = w->reads[f][id].busy ? &w->reads[f][id] : &w->writes[f][id];
            const bool     offered = q->write ? w->aw[f] && w->aw_id[f] == id : w->ar[f] && w->ar_id[f] == id;
            if (q->busy && !offered && !q->refused)
                assert_true(ro[f].busy[look_up(w, f, q->word << 3).target] && !ro[f].idle);
        }
        w->ar[f] = w->ar[f] && !ro[f].ar_ready;
        w->aw[f] = w->aw[f] && !ro[f].aw_ready;
        w->w_left[f] -= w->w_left[f] != 0 && ro[f].w_ready;
        if (ro[f].r_valid) {
            request *q = &w->reads[f][ro[f].r_id];
            assert_true(q->busy);
            assert_int_equal(ro[f].r_response, q->refused ? ROUTE_SLVERR : 0);
            if (!q->refused)
                assert_int_equal(ro[f].r_data, q->expected[q->done]);
            assert_int_equal(ro[f].r_last, ++q->done == q->beats);
            if (ro[f].r_last) {
                ended(w, f, q);
                *q                            = w->behind[f][ro[f].r_id];
                w->behind[f][ro[f].r_id].busy = false;
            }
        }
        if (ro[f].b_valid) {
            request *q = &w->writes[f][ro[f].b_id];
            assert_true(q->busy);
            assert_int_equal(ro[f].b_response, q->refused ? ROUTE_SLVERR : 0);
            for (unsigned k = 0; !q->refused && k < q->beats; k++)
                assert_int_equal(*beat_of(w, f, q->word << 3, k), q->expected[k]);
            ended(w, f, q);
            *q                          = w->then[f][ro[f].b_id];
            w->then[f][ro[f].b_id].busy = false;
        }
    }
    for (int n = 0; n < SIDE; n++)
        port_steps(w, n, &co[n], &c[n], lo.r_ready[n], lo.b_ready[n]);
    for (int n = 0; n < SIDE; n++) {
        totem_route_step(&w->routes[n], &r[n]);
        totem_channel_step(&w->channels[n], &c[n]);
    }
    w->clock++;
}

static void drain(world *w)
{
    w->quiet = 0;
    for (unsigned n = 0; n < 2000; n++)
        clock_edge(w);
    for (int f = 0; f < SIDE; f++) {
        totem_route_out o;
        totem_route_outputs(&w->routes[f], &o);
        assert_true(o.idle && o.refusals == (f == 1 ? w->refused : 0));
        for (int t = 0; t < SIDE; t++)
            assert_false(o.busy[t]);
        for (unsigned id = 0; id < IDS; id++)
            assert_false(w->reads[f][id].busy || w->writes[f][id].busy);
    }
}

// All masters, all channels, as at reset: every request has its answer, every beat its word.
RULE(every_request_is_answered)
{
    while (w->served < 4000)
        clock_edge(w);
    drain(w);
    assert_int_equal(w->refused, 0);
}

// Front end 1 has a window of an eighth of what it asks for, half of what ID 0 does: the rest gets SLVERR, in its turn,
// and reaches no channel.
RULE(what_is_in_no_window_is_refused)
{
    give(w, 1, 8 * (MEMORY / SIDE), 7, 2);
    while (w->served < 4000)
        clock_edge(w);
    drain(w);
    assert_in_range(w->refused, 200, 2000);
}

// Memory that takes the address of a write only with its data, as it may.
RULE(no_address_waits_for_data)
{
    w->cautious = true;
    while (w->served < 2000)
        clock_edge(w);
    drain(w);
}

// An ID without answers: no other one waits for it.
RULE(an_id_that_waits_stops_no_other_one)
{
    bool read = false, write = false;
    for (unsigned seed = 1; seed <= 6; seed++) {
        open_world(w);
        w->seed = seed;
        w->deaf = 0; // of front end 0
        while (w->served_of[0] < 500) {
            clock_edge(w);
            assert_in_range(w->clock, 0, 500 * LATENCY);
        }
        read    = read || w->behind[0][0].busy;
        write   = write || w->then[0][0].busy;
        w->deaf = -1;
        drain(w);
    }
    assert_true(read && write); // both have occurred: something was behind the one that waits
}

// Paths with a channel each: that one channel answers nothing delays nobody else.
RULE(a_dead_channel_stops_its_own_path)
{
    for (int f = 0; f < SIDE; f++)
        give(w, f, 0, 40, (unsigned)f);
    w->ports[0].stands = true;
    while (w->served < 2000)
        clock_edge(w);
    assert_true(w->slowest < 40 * LATENCY);
    w->ports[0].stands = false;
    drain(w);
}

// A read of an empty machine: request and beat are 3 clocks longer on the way than at the pins.
RULE(the_way_costs_three_clocks)
{
    w->latency                 = 0;
    w->quiet                   = 0;
    w->reads[0][0]             = (request){.busy = true, .beats = 1, .began = w->clock};
    w->reads[0][0].expected[0] = *beat_of(w, 0, 0, 0);
    w->ar[0]                   = true;
    unsigned offered = 0, at_pin = 0, answered = 0, back = 0;
    for (offered = w->clock; w->reads[0][0].busy; clock_edge(w)) {
        totem_channel_out o;
        totem_route_out   a;
        totem_channel_outputs(&w->channels[0], &o);
        totem_route_outputs(&w->routes[0], &a);
        at_pin   = o.m_axi_arvalid ? w->clock : at_pin;
        back     = a.r_valid ? w->clock : back;
        answered = w->ports[0].sends < 0 && !a.r_valid ? w->clock : answered;
    }
    assert_int_equal(at_pin - offered, 2);
    assert_int_equal(back - answered, 1);
}

// Where an address is, by hand: 1 MiB at 0x40000000 in channels 2 and 3, blocks of 256 bytes, 1 KiB apart from 0x8000 on.
RULE(windows_by_hand)
{
    static const struct {
        uint64_t address, moved;
        unsigned target;
        bool     hit;
    } cases[] = {{0x40000000, 0x8000, 2, true}, {0x400000f8, 0x80f8, 2, true},   {0x40000100, 0x8400, 3, true},
                 {0x40000238, 0x8838, 2, true}, {0x400ffff8, 0x407cf8, 3, true}, {0x40100000, 0, 0, false},
                 {0x3ffffff8, 0, 0, false}};
    const totem_windows_in i = {.write_valid   = true,
                                .write_present = true,
                                .write_base    = 0x40000000 >> 7,
                                .write_size    = 20,
                                .write_first   = 2,
                                .write_spread  = 1,
                                .write_chunk   = 8,
                                .write_stride  = 10,
                                .write_place   = 0x8000 >> 7};
    totem_windows_step(&w->windows[0], &i);
    for (unsigned n = 0; n < sizeof cases / sizeof *cases; n++) {
        const totem_window_out o = look_up(w, 0, cases[n].address);
        assert_int_equal(o.hit, cases[n].hit);
        assert_int_equal(o.target, cases[n].target);
        assert_int_equal(o.moved << 3, cases[n].moved);
    }
}
#endif
