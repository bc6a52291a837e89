// SPDX-License-Identifier: Apache-2.0
//
// world: see world.h.

#include "world.h"

#include <stdio.h>
#include <stdlib.h>

enum { SLOT_PAUSE = 6, ERROR = 3, HOST_MOST = 8 };

uint32_t draw_random(world *w)
{
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 17;
    w->seed ^= w->seed << 5;
    return w->seed;
}

static bool refuses(world *w)
{
    return w->busy && draw_random(w) % 3 == 0;
}

static uint64_t quad_at(const world *w, uint64_t address)
{
    uint64_t word;
    memcpy(&word, w->memory + address, sizeof word);
    return word;
}

uint32_t word_at(const world *w, uint32_t address)
{
    uint32_t word;
    memcpy(&word, w->memory + address, sizeof word);
    return word;
}

void put_word(world *w, uint32_t address, uint32_t value)
{
    memcpy(w->memory + address, &value, sizeof value);
}

void open_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->cores   = cores_create(1);
    w->seed    = 1;
    w->latency = 20;
    for (unsigned s = 0; s < SLOTS; s++)
        w->in_slot[s] = -1;
    assert_non_null(w->cores);
    cores_look(w->cores, &w->pins, &w->axi);
}

void close_world(world *w)
{
    cores_destroy(w->cores);
}

void load(world *w, const char *kernel, uint32_t address)
{
    char path[256];
    snprintf(path, sizeof path, "build/core/kernels/%s.bin", kernel);
    FILE *file = fopen(path, "rb");
    if (!file)
        fail_msg("%s: missing; run make -f tb/core/rules.mk kernels", path);
    assert_true(fread(w->memory + address, 1, MEMORY - address, file) > 0);
    fclose(file);
}

unsigned dispatch(world *w, const grid *g)
{
    const unsigned first = w->count;
    for (uint32_t y = 0; y < g->groups_y; y++)
        for (uint32_t x = 0; x < g->groups_x; x++)
            for (uint8_t n = 0; n < g->waves; n++) {
                assert_true(w->count < QUEUED);
                wave_record   *r     = &w->waves[w->count++];
                const uint8_t  lanes = g->wave32 ? 32 : 64;
                const uint64_t rsrc2 = (uint64_t)g->user_count << 1;

                *r        = (wave_record){.valid = 2 + (g->user_count + 1u) / 2};
                r->launch = (totem_engine_pins_out){
                    .launch_valid      = true,
                    .launch_kind       = (uint8_t)g->kind,
                    .launch_fe         = g->fe,
                    .launch_pipe       = g->pipe,
                    .launch_queue      = g->queue,
                    .launch_epoch      = g->epoch,
                    .launch_group      = (uint64_t)y << 32 | x,
                    .launch_index      = n,
                    .launch_waves      = g->waves,
                    .launch_wave32     = g->wave32,
                    .launch_threads    = n == g->waves - 1 && g->last_threads ? g->last_threads : lanes,
                    .launch_program    = g->program >> 8,
                    .launch_lds        = g->lds,
                    .launch_primitives = g->primitives,
                    .launch_draw       = g->kind ? 3 : 0,
                };
                r->words[0] = rsrc2 << 32 | 0x1111;
                r->words[1] = 0x4444000033330000;
                for (unsigned u = 0; u < g->user_count; u++)
                    r->words[2 + u / 2] |= (uint64_t)g->user[u] << 32 * (u % 2);
            }
    return first;
}

void kill(world *w, uint8_t pipe, uint8_t queue, uint8_t epochs)
{
    w->next.kill_valid  = true;
    w->next.kill_pipe   = pipe;
    w->next.kill_queue  = queue;
    w->next.kill_epochs = epochs;
}

// -- memory ----------------------------------------------------------------------------------------------------------

static burst *new_burst(world *w, uint8_t id, bool write, uint64_t address)
{
    for (unsigned n = 0; n < BURSTS; n++)
        if (!w->bursts[n].valid) {
            // Those before it are older: there is no hole, as remove_burst closes it.
            w->bursts[n] = (burst){.valid   = true,
                                   .write   = write,
                                   .id      = id,
                                   .address = address,
                                   .beats   = 1,
                                   .error   = address >= MEMORY,
                                   .due     = w->clock + w->latency + draw_random(w) % (w->latency / 4 + 1)};
            return &w->bursts[n];
        }
    fail_msg("more than %d accesses under way", BURSTS);
    return NULL;
}

static void remove_burst(world *w, burst *b)
{
    const size_t behind = (size_t)(w->bursts + BURSTS - 1 - b);
    memmove(b, b + 1, behind * sizeof *b);
    w->bursts[BURSTS - 1].valid = false;
}

// One of those that are due and the oldest of their ID and direction, by chance.
static burst *answer(world *w, bool write)
{
    burst   *found = NULL;
    unsigned seen = 0, among = 0;
    for (burst *b = w->bursts; b < w->bursts + BURSTS && b->valid; b++) {
        if (b->write != write || seen >> b->id & 1)
            continue;
        seen |= 1u << b->id;
        if (b->due <= w->clock && draw_random(w) % ++among == 0)
            found = b;
    }
    return w->deaf || refuses(w) ? NULL : found;
}

static void memory_clock(world *w, cores_axi_in *in)
{
    const cores_axi_out *o = &w->axi, *p = &w->before;
    // What was offered and not taken stands.
    if (p->arvalid)
        assert_true(o->arvalid && o->araddr == p->araddr && o->arlen == p->arlen && o->arid == p->arid);
    if (p->awvalid)
        assert_true(o->awvalid && o->awaddr == p->awaddr && o->awid == p->awid);
    if (p->wvalid)
        assert_true(o->wvalid && o->wdata == p->wdata && o->wstrb == p->wstrb);
    assert_true(o->rready && o->bready);

    burst *read = answer(w, false), *write = answer(w, true);
    if (read) {
        in->rvalid = true;
        in->rid    = read->id;
        in->rdata  = read->words[read->beat];
        in->rresp  = read->error ? ERROR : 0;
        in->rlast  = ++read->beat == read->beats;
    }
    if (write) {
        in->bvalid = true;
        in->bid    = write->id;
        in->bresp  = write->error ? ERROR : 0;
        // Memory has what was written when it says so, not before.
        for (unsigned n = 0; n < 8 && !write->error; n++)
            if (write->strobe >> n & 1)
                w->memory[write->address + n] = (uint8_t)(write->data >> 8 * n);
        w->writes--;
    }
    if (read && in->rlast) {
        if (write > read)
            write--;
        remove_burst(w, read);
    }
    if (write)
        remove_burst(w, write);

    if (o->arvalid && !refuses(w)) {
        in->arready = true;
        burst *b    = new_burst(w, o->arid, false, o->araddr);
        b->beats    = (uint8_t)(o->arlen + 1);
        assert_true(b->beats == 1 || (b->beats == 4 && o->araddr % 32 == 0));
        for (unsigned n = 0; n < b->beats && !b->error; n++)
            b->words[n] = quad_at(w, o->araddr + 8 * n);
    }
    if (o->awvalid && !w->has_address && !refuses(w)) {
        in->awready = w->has_address = true;
        w->address = o->awaddr, w->id = o->awid;
        assert_int_equal(o->awlen, 0);
    }
    if (o->wvalid && !w->has_data && !refuses(w)) {
        in->wready = w->has_data = true;
        w->data = o->wdata, w->strobe = o->wstrb;
        assert_true(o->wlast && o->wstrb);
    }
    if (w->has_address && w->has_data) {
        burst *b  = new_burst(w, w->id, true, w->address);
        b->data   = w->data;
        b->strobe = w->strobe;
        w->writes++;
        w->has_address = w->has_data = false;
    }
    w->before         = *o;
    w->before.arvalid = o->arvalid && !in->arready;
    w->before.awvalid = o->awvalid && !in->awready;
    w->before.wvalid  = o->wvalid && !in->wready;
}

// -- wave interface --------------------------------------------------------------------------------------------------

static wave_record *wave_in(world *w, uint8_t slot)
{
    if (slot >= SLOTS || w->in_slot[slot] < 0)
        fail_msg("clock %llu: slot %u holds no wave", (unsigned long long)w->clock, slot);
    return &w->waves[w->in_slot[slot]];
}

static void offer(world *w, totem_engine_pins_out *in)
{
    if (w->offered == w->count)
        return;
    wave_record *r = &w->waves[w->offered];
    if (!r->launch.launch_slot) { // it has no slot yet; slot 0 is left out
        for (uint8_t s = 1; s < SLOTS && !r->launch.launch_slot; s++)
            if (w->in_slot[s] < 0 && w->free_at[s] <= w->clock)
                r->launch.launch_slot = s;
        if (!r->launch.launch_slot)
            return;
        in->state_data = 0xdeadbeefdeadbeef; // the word of no wave
    } else
        in->state_data = w->asked < r->valid ? r->words[w->asked] : 0xdeadbeefdeadbeef;
    const totem_engine_pins_out keep = *in;

    *in              = r->launch;
    in->state_data   = keep.state_data;
    in->export_ready = keep.export_ready;
    in->task_ready   = keep.task_ready;
    in->task_refused = keep.task_refused;
    in->kill_valid   = keep.kill_valid;
    in->kill_pipe    = keep.kill_pipe;
    in->kill_queue   = keep.kill_queue;
    in->kill_epochs  = keep.kill_epochs;
    in->host_valid   = keep.host_valid;
    in->host_write   = keep.host_write;
    in->host_dword   = keep.host_dword;
    in->host_strobe  = keep.host_strobe;
    in->host_data    = keep.host_data;
    if (w->pins.launch_ready) {
        r->state                          = RUNS;
        r->accepted                       = w->clock;
        w->in_slot[r->launch.launch_slot] = (int)w->offered++;
    }
}

static void take_done(world *w)
{
    if (!w->pins.done_valid)
        return;
    wave_record *r                = wave_in(w, w->pins.done_slot);
    r->state                      = IS_DONE;
    r->done                       = w->clock;
    w->in_slot[w->pins.done_slot] = -1;
    w->free_at[w->pins.done_slot] = w->clock + SLOT_PAUSE;
    w->done++;
}

void step(world *w)
{
    totem_engine_pins_out in  = w->next;
    cores_axi_in          axi = {0};
    take_done(w);
    if (w->pins.export_valid) {
        in.export_ready = w->export_wait == 0 || draw_random(w) % w->export_wait == 0;
        if (in.export_ready) {
            w->exports++;
            w->primitives += w->pins.export_primitives;
            w->pixels = w->pins.export_pixels;
        }
    }
    if (w->pins.task_valid) {
        in.task_ready   = w->task_wait == 0 || draw_random(w) % w->task_wait == 0;
        in.task_refused = in.task_ready && w->task_refuse;
        w->tasks += in.task_ready;
        w->task = w->pins;
    }
    const bool host = in.host_valid;
    offer(w, &in);
    const char *broken = promises_clock(&w->promises, &w->pins, &in);
    if (broken)
        fail_msg("%s", broken);
    memory_clock(w, &axi);
    w->asked = w->pins.state_index;
    w->next  = (totem_engine_pins_out){0};
    if (host && !w->pins.host_done) { // held until it is done
        w->next.host_valid  = true;
        w->next.host_write  = in.host_write;
        w->next.host_dword  = in.host_dword;
        w->next.host_strobe = in.host_strobe;
        w->next.host_data   = in.host_data;
    }
    cores_step(w->cores, false, &in, &axi);
    w->clock++;
    cores_look(w->cores, &w->pins, &w->axi);
}

void steps(world *w, unsigned count)
{
    while (count--)
        step(w);
}

unsigned run(world *w, unsigned most)
{
    const uint64_t start = w->clock;
    while (w->done < w->count) {
        if (w->clock - start >= most)
            fail_msg("%u of %u waves are done after %u clocks", w->done, w->count, most);
        step(w);
    }
    return (unsigned)(w->clock - start);
}

static void host_access(world *w)
{
    w->next.host_valid = true;
    for (unsigned n = 0; n < HOST_MOST; n++) {
        step(w);
        if (w->pins.host_done) {
            w->host_error = w->pins.host_error;
            w->host_rdata = w->pins.host_rdata;
            step(w);
            return;
        }
    }
    fail_msg("the host has no answer after %d clocks", HOST_MOST);
}

uint32_t host_read(world *w, uint8_t dword)
{
    w->next.host_dword = dword;
    host_access(w);
    assert_int_equal(w->host_error, 0);
    return w->host_rdata;
}

uint8_t host_write(world *w, uint8_t dword, uint32_t value)
{
    w->next.host_write  = true;
    w->next.host_dword  = dword;
    w->next.host_strobe = 15;
    w->next.host_data   = value;
    host_access(w);
    return w->host_error;
}
