// SPDX-License-Identifier: Apache-2.0
//
// world: see world.h.

#include "world.h"

#include <stdio.h>
#include <stdlib.h>

enum { SCRATCH = 15 }; // state word of CS

enum { SLOT_PAUSE = 6, HOST_MOST = 8 };

uint32_t draw_random(world *w)
{
    w->seed ^= w->seed << 13;
    w->seed ^= w->seed >> 17;
    w->seed ^= w->seed << 5;
    return w->seed;
}

bool refuses(world *w)
{
    return w->busy && draw_random(w) % 3 == 0;
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

void reset(world *w)
{
    const totem_engine_pins_out in  = {0};
    const cores_axi_in          axi = {0};
    cores_step(w->cores, true, &in, &axi);
    cores_look(w->cores, &w->pins, &w->axi);
    memset(w->bursts, 0, sizeof w->bursts);
    memset(&w->before, 0, sizeof w->before);
    memset(&w->next, 0, sizeof w->next);
    w->task.task_valid = w->export.export_valid = false;
    w->has_address = w->has_data = false;
    w->writes = w->count = w->offered = w->done = 0;
    for (unsigned s = 0; s < SLOTS; s++)
        w->in_slot[s] = -1;
}

void open_world(world *w)
{
    memset(w, 0, sizeof *w);
    w->cores   = cores_create(1);
    w->seed    = 1;
    w->latency = 20;
    assert_non_null(w->cores);
    reset(w);
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
                const uint64_t rsrc2 = (uint64_t)g->user_count << 1 | g->scratch;

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
                if (g->scratch)
                    r->words[SCRATCH] = 0x6600005555;
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
        in->state_data = w->asked < r->valid || (w->asked == SCRATCH && r->words[0] >> 32 & 1) ? r->words[w->asked]
                                                                                               : 0xdeadbeefdeadbeef;
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
    wave_record *r = wave_in(w, w->pins.done_slot);
    assert_true(r->launch.launch_kind != GEOMETRY || r->exported);
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
        wave_record *r = wave_in(w, w->pins.export_slot);
        assert_true(r->launch.launch_kind == GEOMETRY && !r->exported && w->clock >= r->accepted + 2);
        in.export_ready = w->export_wait == 0 || draw_random(w) % w->export_wait == 0;
        r->exported     = in.export_ready;
        if (in.export_ready) {
            w->exports++;
            w->primitives += w->pins.export_primitives;
            w->pixels = w->pins.export_pixels;
        }
    }
    // What is offered stands until it is taken.
    if (w->export.export_valid)
        assert_true(w->pins.export_valid && w->pins.export_slot == w->export.export_slot &&
                    w->pins.export_primitives == w->export.export_primitives);
    w->export              = w->pins;
    w->export.export_valid = w->pins.export_valid && !in.export_ready;
    if (w->task.task_valid)
        assert_true(w->pins.task_valid && w->pins.task_pointer == w->task.task_pointer &&
                    w->pins.task_queue == w->task.task_queue);
    w->task.task_valid = false;
    if (w->pins.task_valid) {
        in.task_ready   = w->task_wait == 0 || draw_random(w) % w->task_wait == 0;
        in.task_refused = in.task_ready && w->task_refuse;
        w->tasks += in.task_ready;
        w->task            = w->pins;
        w->task.task_valid = !in.task_ready;
    }
    const bool host = in.host_valid;
    offer(w, &in);
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
