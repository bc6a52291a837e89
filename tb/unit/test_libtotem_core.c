// SPDX-License-Identifier: Apache-2.0
//
// libtotem without the shipped wave engines (totem_create_core): with the shipped one behind its wave interfaces it is
// the machine of totem_create, bit for bit; shader cores of the caller meet launches, states, kills and host accesses
// as docs/engine.md says, and idle time is skipped exactly with them too.

#include "tests.h"

#include "library_world.h"
#include "totem_config.h"
#include "totem_library.h"

enum { SEEDS = 3, REGISTERS = 4, CLOCKS = 3000, DATA = 0x765 };

static uint64_t value_of(const totem *t, const char *name)
{
    uint64_t value = 0;
    assert_int_equal(totem_read(t, name, &value), TOTEM_STATUS_OK);
    return value;
}

static void hash_event(void *user, const totem_event *e)
{
    const uint64_t list[] = {
        (uint64_t)e->kind, e->clock, (uint64_t)e->pipe, (uint64_t)e->engine, e->queue, e->epoch,   e->slot,
        e->waves,          e->wave,  e->code,           e->resumed,          e->group, e->address, e->word};
    for (size_t n = 0; n < COUNT(list); n++)
        *(uint64_t *)user = (*(uint64_t *)user ^ list[n]) * 0x100000001b3u;
}

// -- the shipped wave engine behind the pins -----------------------------------------------------------------------

typedef struct {
    totem_wave         state;
    totem_wave_out     shows;
    totem_time_ram     ram;
    totem_time_ram_out word;
} shipped;

static totem_engine_pins_in shipped_shows(shipped *c)
{
    totem_wave_outputs(&c->state, &c->shows);
    totem_time_ram_outputs(&c->ram, &c->word);
    return (totem_engine_pins_in){.launch_ready      = c->shows.launch_ready,
                                  .state_index       = c->shows.state_index,
                                  .done_valid        = c->shows.done_valid,
                                  .done_slot         = c->shows.done_slot,
                                  .export_valid      = c->shows.export_valid,
                                  .export_slot       = c->shows.export_slot,
                                  .export_primitives = c->shows.export_primitives,
                                  .export_pixels     = c->shows.export_pixels,
                                  .task_valid        = c->shows.task_valid,
                                  .task_pointer      = c->shows.task_pointer,
                                  .task_fe           = c->shows.task_fe,
                                  .task_pipe         = c->shows.task_pipe,
                                  .task_queue        = c->shows.task_queue,
                                  .task_epoch        = c->shows.task_epoch,
                                  .host_done         = c->shows.host_done,
                                  .host_error        = c->shows.host_error,
                                  .host_rdata        = c->shows.host_rdata};
}

static void shipped_step(shipped *c, const totem_engine_pins_out *o)
{
    const totem_wave_in     i   = {.launch_valid      = o->launch_valid,
                                   .launch_slot       = o->launch_slot,
                                   .launch_program    = o->launch_program,
                                   .launch_kind       = o->launch_kind,
                                   .launch_primitives = o->launch_primitives,
                                   .launch_state_new  = o->launch_state_new,
                                   .state_data        = o->state_data,
                                   .launch_fe         = o->launch_fe,
                                   .launch_pipe       = o->launch_pipe,
                                   .launch_queue      = o->launch_queue,
                                   .launch_epoch      = o->launch_epoch,
                                   .kill_valid        = o->kill_valid,
                                   .kill_fe           = o->kill_fe,
                                   .kill_pipe         = o->kill_pipe,
                                   .kill_queue        = o->kill_queue,
                                   .kill_epochs       = o->kill_epochs,
                                   .host_valid        = o->host_valid,
                                   .host_write        = o->host_write,
                                   .host_dword        = o->host_dword,
                                   .host_strobe       = o->host_strobe,
                                   .host_data         = o->host_data,
                                   .export_ready      = o->export_ready,
                                   .task_ready        = o->task_ready,
                                   .task_refused      = o->task_refused,
                                   .time_read_data    = c->word.read_data};
    const totem_time_ram_in ram = {.write_enable = c->shows.time_write_enable,
                                   .write_addr   = c->shows.time_write_addr,
                                   .write_data   = c->shows.time_write_data,
                                   .read_enable  = c->shows.time_read_enable,
                                   .read_addr    = c->shows.time_read_addr};
    totem_wave_step(&c->state, &i);
    totem_time_ram_step(&c->ram, &ram);
}

// Pins, state and events agree in every clock, with blocks left out and without. Every queue is reset once.
TEST(shipped_behind_the_pins)
{
    uint64_t kills = 0, exports = 0;
    for (uint64_t seed = 1; seed <= 2 * SEEDS; seed++) {
        totem   *t[2]      = {totem_create(), totem_create_core()};
        world   *around[2] = {malloc(sizeof(world)), malloc(sizeof(world))};
        shipped *cores     = calloc(TOTEM_SE_COUNT, sizeof *cores);
        uint64_t hash[2]   = {0};
        assert_true(t[0] && t[1] && around[0] && around[1] && cores);
        for (int e = 0; e < TOTEM_SE_COUNT; e++)
            totem_wave_reset(&cores[e].state);
        for (int k = 0; k < 2; k++) {
            world_init(around[k], seed);
            world_map_ring(around[k]);
            for (uint32_t n = 0; n < TOTEM_PIPE_COUNT * TOTEM_QUEUES; n++)
                world_write(around[k], 0, 0x10000 + n / TOTEM_QUEUES * 0x1000 + n % TOTEM_QUEUES * 0x100 + 24 * 4, 2);
            totem_set_skipping(t[k], seed & 1);
            totem_set_events(t[k], TOTEM_EVENT_ALL, hash_event, &hash[k]);
        }
        for (uint64_t clock = 0; clock < 12000; clock++) {
            static totem_inputs in[2];
            totem_outputs       out[2];
            for (int k = 0; k < 2; k++) {
                totem_look(t[k], &out[k]);
                world_drive(around[k], clock, &out[k], &in[k]);
            }
            for (int e = 0; e < TOTEM_SE_COUNT; e++) {
                in[1].engine[e] = shipped_shows(&cores[e]);
                in[0].engine[e] = (totem_engine_pins_in){.done_valid = true, .host_done = true}; // ignored
                shipped_step(&cores[e], &out[1].engine[e]);
                kills += out[1].engine[e].kill_valid;
                exports += in[1].engine[e].export_valid && out[1].engine[e].export_ready;
            }
            assert_memory_equal(&out[0].host, &out[1].host, sizeof out[0].host);
            assert_memory_equal(out[0].memory, out[1].memory, sizeof out[0].memory);
            assert_int_equal(out[0].irq, out[1].irq);
            totem_step(t[0], &in[0], NULL);
            totem_step(t[1], &in[1], NULL);
            assert_memory_equal(&t[0]->machine, &t[1]->machine, offsetof(totem_machine, wave));
            assert_memory_equal(t[0]->machine.wave, &cores[0].state, sizeof(totem_wave));
        }
        assert_true(hash[0] == hash[1] && hash[0] != 0);
        assert_memory_equal(around[0], around[1], sizeof(world));
        for (int k = 0; k < 2; k++) {
            totem_destroy(t[k]);
            free(around[k]);
        }
        free(cores);
    }
    assert_true(kills != 0);
    assert_true(TOTEM_GRAPHICS ? exports > 50 : exports == 0);
}

// -- a core of the test --------------------------------------------------------------------------------------------

// Its waves run for as many clocks as USER_DATA[0] says; host registers 0 to 3 are storage, 4 and above do not exist.
typedef struct {
    bool     busy[TOTEM_SLOTS];
    uint64_t end[TOTEM_SLOTS];
    bool     asked;
    uint32_t registers[REGISTERS];
} timer;

typedef struct {
    world   *around;
    timer    cores[TOTEM_SE_COUNT];
    bool     answered; // a wave or the host was, or a wave waits: the next clock is another one
    unsigned accepted, ended;
    uint64_t groups[2]; // of whose wave 0 and 1 was accepted
} timers;

static void timer_clock(timers *w, timer *c, uint64_t clock, const totem_engine_pins_out *o, totem_engine_pins_in *i)
{
    *i = (totem_engine_pins_in){.state_index = 2, .host_done = o->host_valid};
    if (o->host_valid && o->host_dword >= REGISTERS)
        i->host_error = 1;
    else if (o->host_valid) {
        i->host_rdata = c->registers[o->host_dword];
        if (o->host_write)
            c->registers[o->host_dword] = o->host_data;
    }
    for (uint8_t slot = 0; slot < TOTEM_SLOTS && !i->done_valid; slot++)
        if (c->busy[slot] && c->end[slot] <= clock) {
            c->busy[slot] = false;
            i->done_valid = true;
            i->done_slot  = slot;
            w->ended++;
        }
    if (o->launch_valid && c->asked) {
        assert_false(c->busy[o->launch_slot]);
        c->busy[o->launch_slot] = true;
        c->end[o->launch_slot]  = clock + (uint32_t)o->state_data;
        i->launch_ready         = true;
        w->accepted++;
        // What one_grid has written.
        assert_true(o->launch_kind == WAVE_COMPUTE && o->launch_path == 0 && o->launch_fe == 0 && o->launch_pipe == 0);
        assert_true(o->launch_queue == 0 && o->launch_waves == 2 && o->launch_index < 2 && !o->launch_wave32);
        assert_int_equal(o->launch_threads, o->launch_index ? 36 : 64);
        assert_int_equal(o->launch_vgprs, 4);
        assert_int_equal(o->launch_lds, 5);
        assert_int_equal(o->state_data, (uint64_t)DATA << 32 | CLOCKS);
        assert_int_equal(o->launch_program, 0x1234567);
        assert_true(o->launch_group < 40);
        w->groups[o->launch_index] |= 1ull << o->launch_group;
    }
    c->asked    = o->launch_valid && !c->asked;
    w->answered = w->answered || o->launch_valid || i->launch_ready || i->done_valid || i->host_done;
}

static void timers_drive(void *user, uint64_t clock, const totem_outputs *outputs, totem_inputs *inputs)
{
    timers *w   = user;
    w->answered = false;
    world_drive(w->around, clock, outputs, inputs);
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        timer_clock(w, &w->cores[e], clock, &outputs->engine[e], &inputs->engine[e]);
}

static uint64_t timers_steady(void *user, uint64_t clock)
{
    const timers *w    = user;
    uint64_t      next = world_steady(w->around, clock);
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        for (int slot = 0; slot < TOTEM_SLOTS; slot++)
            if (w->cores[e].busy[slot] && w->cores[e].end[slot] < next)
                next = w->cores[e].end[slot];
    return w->answered || next < clock ? clock : next;
}

// A grid of `groups` groups of two waves of CLOCKS clocks and a fence that writes 1, in queue 0.
static void one_grid(world *w, uint32_t groups)
{
    const uint32_t threads[] = {0x207, 100, 1, 1}, data[] = {0x240, CLOCKS, DATA};
    const uint32_t program[] = {0x20c, 0x1234567, 0}, resources[] = {0x212, 3, 5 << 15 | 2 << 1};
    const uint32_t dispatch[] = {groups, 1, 1, 1}, release[] = {0x14, 1u << 29, 0x8000, 0, 1, 0, 0};
    const uint32_t window[][2] = {{4, 0x0be05300}, {8, WORLD_RING >> 8}, {15, 1u << 30}, {17, 0x00300007}, {2, 1}};
    world_ring     ring        = {w->bytes + WORLD_RING, 0};
    w->accesses_count          = 0;
    world_packet(&ring, TOTEM_OP_SET_SH_REG, 4, threads);
    world_packet(&ring, TOTEM_OP_SET_SH_REG, 3, program);
    world_packet(&ring, TOTEM_OP_SET_SH_REG, 3, resources);
    world_packet(&ring, TOTEM_OP_SET_SH_REG, 3, data);
    world_packet(&ring, TOTEM_OP_DISPATCH_DIRECT, 4, dispatch);
    world_packet(&ring, TOTEM_OP_RELEASE_MEM, 7, release);
    for (size_t n = 0; n < COUNT(window); n++)
        world_write(w, 0, 0x10000 + 4 * window[n][0], window[n][1]);
    world_write(w, 0, 0x4000, ring.count);
}

// The same run skipped and stepped: image, memory and cores agree, and most of the time is skipped.
TEST(skips_exactly)
{
    totem   *t[2];
    timers  *w[2];
    uint8_t *image[2];
    for (int k = 0; k < 2; k++) {
        t[k]     = totem_create_core();
        w[k]     = calloc(1, sizeof *w[k]);
        image[k] = malloc(totem_image_size());
        assert_true(t[k] && w[k] && image[k]);
        w[k]->around = malloc(sizeof(world));
        assert_non_null(w[k]->around);
        world_init(w[k]->around, 5);
        one_grid(w[k]->around, 40);
        totem_set_skipping(t[k], k == 0);
    }
    for (uint64_t clock = 700; clock < 40000; clock += 701)
        for (int k = 0; k < 2; k++) {
            const totem_world around = {.user = w[k], .drive = timers_drive, .steady = timers_steady};
            assert_false(totem_run(t[k], &around, clock));
            totem_save(t[k], image[k]);
            if (k == 0)
                continue;
            assert_memory_equal(image[0], image[1], totem_image_size());
            assert_memory_equal(w[0]->around, w[1]->around, sizeof(world));
            assert_memory_equal(w[0]->cores, w[1]->cores, sizeof w[0]->cores);
        }
    assert_int_equal(w[0]->accepted, 80);
    assert_int_equal(w[0]->ended, 80);
    for (int n = 0; n < 2; n++)
        assert_true(w[0]->groups[n] == (1ull << 40) - 1);
    assert_int_equal(w[0]->around->bytes[0x8000], 1);
    assert_true(totem_idle(t[0]));
    assert_in_range(totem_skipped(t[0]), 20000, 40000);
    assert_int_equal(totem_skipped(t[1]), 0);
    for (int k = 0; k < 2; k++) {
        totem_destroy(t[k]);
        free(w[k]->around);
        free(w[k]);
        free(image[k]);
    }
}

// The engines' page belongs to the core: its registers are its own, its refusals become SLVERR and a record.
TEST(registers_of_the_core)
{
    totem *t      = totem_create_core();
    timers w      = {.around = malloc(sizeof(world))};
    world *around = w.around;
    assert_true(t && around);
    world_init(around, 1);
    around->accesses_count = 0;
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++) {
        world_write(around, 0, 0x2000 + 0x400 * e + 4 * 3, 0x1000 + e);
        world_read(around, 0, 0x2000 + 0x400 * e + 4 * 3);
    }
    const totem_world world = {.user = &w, .drive = timers_drive, .steady = timers_steady};
    totem_run(t, &world, 2000);
    assert_int_equal(around->refused, 0);
    for (uint32_t e = 0; e < TOTEM_SE_COUNT; e++)
        assert_int_equal(w.cores[e].registers[3], 0x1000 + e);
    assert_int_equal(value_of(t, "wave[0].duration[3]"), 0);
    world_write(around, 0, 0x2000 + 4 * 4, 1);
    totem_run(t, &world, 3000);
    assert_int_equal(around->refused, 1);
    assert_int_equal(value_of(t, "events.record_valid"), 1);
    free(around);
    totem_destroy(t);
}

// Pins beyond their widths are cut; a done or an export for a slot without a wave is a fault that stops launches, not a
// crash.
TEST(careless_core)
{
    totem *t = totem_create_core();
    assert_non_null(t);
    for (int n = 0; n < 20; n++) {
        totem_inputs in;
        memset(&in, 0, sizeof in);
        for (int e = 0; e < TOTEM_ENGINES_MAX; e++)
            in.engine[e] = (totem_engine_pins_in){.state_index       = 255,
                                                  .done_slot         = 255,
                                                  .host_error        = 255,
                                                  .done_valid        = n == 5,
                                                  .export_valid      = n == 2,
                                                  .export_slot       = 255,
                                                  .export_primitives = 65535,
                                                  .export_pixels     = UINT32_MAX};
        totem_step(t, &in, NULL);
        if (n == 4)
            assert_int_equal(value_of(t, "se[0].retire.fault"), 0);
    }
    assert_int_equal(value_of(t, "se[0].retire.fault"), 1);
#if TOTEM_GRAPHICS
    assert_int_equal(value_of(t, "se[0].pixels.assemble.fault"), 1);
    assert_int_equal(value_of(t, "se[0].pixels.assemble.primitives"), 511);
    assert_int_equal(value_of(t, "se[0].pixels.assemble.pixels"), 0xfffff);
#endif
    assert_int_equal(value_of(t, "events.checked"), 1);
    totem_reset(t);
    assert_int_equal(value_of(t, "se[0].retire.fault"), 0);
    totem_destroy(t);
}

// An image is of one kind of machine; a machine of the other kind refuses it and stays as it is.
TEST(images_of_both_kinds)
{
    totem       *t[2]  = {totem_create(), totem_create_core()};
    const size_t size  = totem_image_size();
    uint8_t     *image = malloc(size);
    assert_true(t[0] && t[1] && image);
    for (int k = 0; k < 2; k++) {
        totem_run(t[k], NULL, 1000);
        totem_save(t[k], image);
        totem_run(t[k], NULL, 2000);
        assert_int_equal(totem_restore(t[!k], image, size), TOTEM_STATUS_CONFIGURATION);
        assert_int_equal(totem_restore(t[k], image, size), TOTEM_STATUS_OK);
        assert_int_equal(totem_clock(t[k]), 1000);
    }
    totem_destroy(t[0]);
    totem_destroy(t[1]);
    free(image);
}
