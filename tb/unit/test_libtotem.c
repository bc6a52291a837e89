// SPDX-License-Identifier: Apache-2.0
//
// libtotem: life and pins, running with and without skipping, events, state by name, save and restore.

#include <stdio.h>

#include "tests.h"

#include "library_world.h"
#include "totem_config.h"
#include "totem_library.h"

enum { SEEDS = 3, CHECKPOINTS = 12 };

// -- helpers -------------------------------------------------------------------------------------------------------

static uint64_t value_of(const totem *t, const char *name)
{
    uint64_t value = 0;
    assert_int_equal(totem_read(t, name, &value), TOTEM_STATUS_OK);
    return value;
}

// A register over the host port.
static uint32_t register_read(totem *t, uint32_t address, uint8_t *response)
{
    totem_inputs  in = {.host = {.arvalid = true, .araddr = address}};
    totem_outputs out;
    totem_look(t, &out);
    while (!out.host.arready)
        totem_step(t, &(totem_inputs){0}, &out);
    totem_step(t, &in, &out);
    in = (totem_inputs){.host = {.rready = true}};
    for (int clocks = 0; !out.host.rvalid; clocks++) {
        assert_true(clocks < 2000);
        totem_step(t, &in, &out);
    }
    if (response)
        *response = out.host.rresp;
    totem_step(t, &in, NULL);
    return out.host.rdata;
}

typedef struct {
    uint64_t hash;
    uint64_t counts[9];
    uint64_t last;
} event_log;

static void log_event(void *user, const totem_event *e)
{
    event_log     *log    = user;
    const uint64_t list[] = {
        (uint64_t)e->kind, e->clock, (uint64_t)e->pipe, (uint64_t)e->engine, e->queue, e->epoch,   e->slot,
        e->waves,          e->wave,  e->code,           e->resumed,          e->group, e->address, e->word};
    for (size_t n = 0; n < COUNT(list); n++)
        log->hash = (log->hash ^ list[n]) * 0x100000001b3u;
    for (int k = 0; k < 9; k++)
        log->counts[k] += (uint64_t)e->kind >> k & 1;
    assert_true(e->clock >= log->last);
    log->last = e->clock;
}

// A machine with its own copy of everything around it.
typedef struct {
    totem    *machine;
    world    *around;
    event_log log;
    uint8_t  *image;
} run;

static run run_create(uint64_t seed, bool skipping)
{
    run r = {totem_create(), malloc(sizeof(world)), {0}, malloc(totem_image_size())};
    assert_non_null(r.machine);
    assert_non_null(r.around);
    assert_non_null(r.image);
    world_init(r.around, seed);
    totem_set_skipping(r.machine, skipping);
    return r;
}

static void run_destroy(run *r)
{
    totem_destroy(r->machine);
    free(r->around);
    free(r->image);
}

static void run_to(run *r, uint64_t clock)
{
    const totem_world w = {.user = r->around, .drive = world_drive, .steady = world_steady};
    totem_set_events(r->machine, TOTEM_EVENT_ALL, log_event, &r->log);
    assert_false(totem_run(r->machine, &w, clock));
    assert_int_equal(totem_clock(r->machine), clock);
    totem_save(r->machine, r->image);
}

// Names of the registers whose elements differ, for a message.
static void assert_same(const run *a, const run *b)
{
    if (memcmp(a->image, b->image, totem_image_size()) == 0)
        return;
    for (size_t n = 0; n < totem_names(); n++) {
        char           name[100];
        totem_register r;
        totem_name(n, name, sizeof name, &r);
        for (uint32_t e = 0; e < (r.elements ? r.elements : 1); e++)
            if (totem_get(a->machine, &r, e) != totem_get(b->machine, &r, e))
                print_message("%s[%u]: 0x%llx and 0x%llx\n", name, e, (unsigned long long)totem_get(a->machine, &r, e),
                              (unsigned long long)totem_get(b->machine, &r, e));
    }
    fail_msg("the states differ in clock %llu", (unsigned long long)totem_clock(a->machine));
}

// Both machines run to a clock; state, events and what surrounds them agree then.
static void both_to(run r[2], uint64_t clock)
{
    for (int k = 0; k < 2; k++)
        run_to(&r[k], clock);
    assert_same(&r[0], &r[1]);
    assert_true(r[0].log.hash == r[1].log.hash);
    assert_memory_equal(r[0].around, r[1].around, sizeof(world));
}

static void both_destroy(run r[2])
{
    run_destroy(&r[0]);
    run_destroy(&r[1]);
}

// A world without the random workload.
static world *calm(run *r, uint32_t latency)
{
    world *w          = r->around;
    w->accesses_count = 0;
    w->latency        = latency;
    w->straggle = w->hold = 0;
    return w;
}

// Dwords of the window of a queue of pipe 0, then ACTIVE.
static void map_window(world *w, uint32_t queue, const uint32_t (*dwords)[2], unsigned count)
{
    const uint32_t window = 0x10000 + queue * 0x100;
    world_write(w, 0, window + 4 * 4, 0x0be05300);
    world_write(w, 0, window + 8 * 4, (WORLD_RING + queue * WORLD_RING_BYTES) >> 8);
    world_write(w, 0, window + 17 * 4, 0x00300007);
    for (unsigned n = 0; n < count; n++)
        world_write(w, 0, window + dwords[n][0] * 4, dwords[n][1]);
    world_write(w, 0, window + 2 * 4, 1);
}

// -- tests ---------------------------------------------------------------------------------------------------------

TEST(starts_reset)
{
    totem      *t = totem_create();
    totem_sizes sizes;
    uint8_t     response;
    assert_non_null(t);
    totem_configuration(&sizes);
    assert_int_equal(totem_clock(t), 0);
    assert_true(totem_idle(t));
    assert_int_equal(value_of(t, "host.settings_timeout"), 0x100000);
    assert_int_equal(value_of(t, "wave[0].seed"), 1);
    assert_int_equal(register_read(t, 0x08, &response), sizes.hash);
    assert_int_equal(response, 0);
    assert_int_equal(register_read(t, 0x10, NULL),
                     sizes.front_ends | sizes.pipes << 8 | sizes.queues << 16 | sizes.engines << 24);
    assert_int_equal(register_read(t, 0x3f0, &response), 0);
    assert_int_equal(response, 2);
    for (int n = 0; n < 100; n++)
        totem_step(t, &(totem_inputs){0}, NULL);
    assert_int_equal(value_of(t, "events.count[3]"), 1);
    totem_reset(t);
    assert_int_equal(totem_clock(t), 0);
    assert_int_equal(value_of(t, "events.count[3]"), 0);
    totem_destroy(t);
}

// The same machine, once skipping what it can, once stepped through every clock: state, events, answers and memory
// agree.
TEST(skips_exactly)
{
    uint64_t counts[9] = {0}, skipped = 0, clocks = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run      r[2]  = {run_create(seed, true), run_create(seed, false)};
        uint64_t clock = 0;
        for (int n = 0; n < CHECKPOINTS; n++) {
            clock += 1 + world_random(r[0].around, 4000);
            world_random(r[1].around, 4000);
            both_to(r, clock);
        }
        // A long rest, in which the last waves end.
        clock += 30000;
        both_to(r, clock);
        assert_int_equal(totem_skipped(r[1].machine), 0);
        for (int k = 0; k < 9; k++)
            counts[k] += r[0].log.counts[k];
        skipped += totem_skipped(r[0].machine);
        clocks += clock;
        both_destroy(r);
    }
    print_message("%llu of %llu clocks skipped\n", (unsigned long long)skipped, (unsigned long long)clocks);
    // The workload is worth the name, and there was something to skip.
    for (int k = 0; k < 9; k++)
        assert_true(counts[k] != 0);
    assert_true(skipped * 4 > clocks);
}

// Step by step no clock is skipped, but blocks that stand still are left out: every output of every block and every
// word of the state is as in a machine that knows nothing of the clocks before (`seen` is cleared in every clock).
TEST(leaves_out_exactly)
{
    static const totem_machine_seen nothing;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        run      r[2] = {run_create(seed, true), run_create(seed, false)};
        uint64_t left = 0;
        for (uint64_t clock = totem_clock(r[0].machine); clock < 6000; clock++) {
            for (int k = 0; k < 2; k++) {
                totem_inputs  in;
                totem_outputs out;
                totem_look(r[k].machine, &out);
                world_drive(r[k].around, clock, &out, &in);
                totem_step(r[k].machine, &in, NULL);
            }
            assert_memory_equal(&r[0].machine->out, &r[1].machine->out, sizeof(totem_machine_out));
            assert_memory_equal(&r[0].machine->machine, &r[1].machine->machine, sizeof(totem_machine));
            assert_memory_equal(&r[1].machine->seen, &nothing, sizeof nothing);
            left += r[0].machine->seen.fe[0].memory.still + r[0].machine->seen.fe[0].pipe[0].front.fetch.still;
        }
        assert_in_range(left, 1000, 11000); // both happen
        both_destroy(r);
    }
}

// Two equal queues whose grids have no room: nothing moves but the clocks of a turn, until the quantum of the one
// that has the pipe is used up, or its turn at its limit. The turns end in the same clocks, skipped or not.
TEST(turns_end_alike)
{
    static const uint32_t threads[] = {0x207, 1024, 1, 1}, groups[] = {5, 1, 1, 1};
    static const uint32_t others[][3] = {{0x20c, 0, 0}, {0x216, ~0u, 0}, {0x219, 0, 0}}; // program, engine 0 alone
    for (unsigned limited = 0; limited < 2; limited++) {
        run      r[2]    = {run_create(1, true), run_create(1, false)};
        uint64_t changes = 0;
        for (int k = 0; k < 2; k++) {
            world *w = calm(&r[k], 1);
            world_write(w, 0, 0x2000, 40000); // waves of engine 0 never seem to end
            world_write(w, 0, 0x44, 700);
            world_write(w, 0, 0x4c, limited ? 3000 : 0);
            for (uint32_t q = 0; q < 2; q++) {
                world_ring ring = {w->bytes + WORLD_RING + q * WORLD_RING_BYTES, 0};
                world_packet(&ring, TOTEM_OP_SET_SH_REG, 4, threads);
                for (unsigned n = 0; n < 3; n++)
                    world_packet(&ring, TOTEM_OP_SET_SH_REG, 3, others[n]);
                world_packet(&ring, TOTEM_OP_DISPATCH_DIRECT, 4, groups);
                // Priority, a quantum of 3 units, doorbells, write pointer.
                map_window(w, q, (const uint32_t[][2]){{6, 5}, {7, 0x301}, {15, 1u << 30}, {54, ring.count}}, 4);
            }
        }
        for (uint64_t clock = 4000; clock < 40000; clock += 997) {
            const uint64_t before = value_of(r[0].machine, "fe[0].pipe[0].front.arbiter.selected");
            both_to(r, clock);
            changes += value_of(r[0].machine, "fe[0].pipe[0].front.arbiter.selected") != before;
        }
        // Each turn lasts until its limit, in which nothing is granted; without one the one that waits for room stays.
        assert_in_range(changes, limited ? 8 : 1, limited ? 14 : 2);
        assert_true(totem_skipped(r[0].machine) > 20000);
        both_destroy(r);
    }
}

// Queues whose write pointers are polled: between two reads nothing happens. The reads come in the same clocks,
// skipped or not, and find what is new.
TEST(polls_alike)
{
    enum { POINTER = 0x1000 };
    for (unsigned period = 1; period < 256; period += 127) {
        run r[2] = {run_create(period, true), run_create(period, false)};
        for (int k = 0; k < 2; k++) {
            world     *w    = calm(&r[k], 20);
            world_ring ring = {w->bytes + WORLD_RING, 0};
            world_write(w, 0, 0x60, 1u << 31 | period);
            for (uint32_t q = 0; q < 2; q++)
                map_window(w, q, (const uint32_t[][2]){{13, POINTER + 8 * q}}, 1);
            while (ring.count < 2 * WORLD_RING_BYTES / 4)
                world_dword(&ring, 0xffff1000);
            memset(w->bytes + POINTER, 0, 16);
        }
        for (uint64_t clock = 5000; clock < 60000; clock += 3989) {
            both_to(r, clock);
            for (int k = 0; k < 2; k++)
                r[k].around->bytes[POINTER + 8] = (uint8_t)(clock / 5000);
        }
        both_to(r, 70000);
        assert_int_equal(value_of(r[0].machine, "fe[0].pipe[0].front.fetch.rptr[1]"), 56876 / 5000);
        if (period > 1)
            assert_true(totem_skipped(r[0].machine) > 40000);
        both_destroy(r);
    }
}

// Without surroundings a machine rests for good; a year is a moment.
TEST(rests_long)
{
    totem *t = totem_create(), *u = totem_create();
    totem_run(t, NULL, 3155760000000000);
    assert_int_equal(totem_clock(t), 3155760000000000);
    assert_true(totem_skipped(t) > 3155750000000000);
    totem_set_skipping(u, false);
    totem_run(u, NULL, 5000);
    assert_int_equal(totem_skipped(u), 0);
    // The visit of the wave engine goes on in step with the clock.
    assert_int_equal((value_of(t, "wave[0].visit") - value_of(u, "wave[0].visit")) & 15,
                     (3155760000000000 - 5000) & 15);
    totem_destroy(t);
    totem_destroy(u);
}

static bool stop_at_error(void *user, const totem *t)
{
    uint64_t count = 0;
    (void)user;
    return totem_read(t, "events.record_valid", &count) == TOTEM_STATUS_OK && count;
}

// A stop condition holds in the same clock with and without skipping.
TEST(stops_alike)
{
    uint64_t clocks[2];
    for (int skipping = 0; skipping < 2; skipping++) {
        run               r = run_create(2, skipping);
        const totem_world w = {r.around, world_drive, world_steady, stop_at_error};
        assert_true(totem_run(r.machine, &w, 1000000));
        clocks[skipping] = totem_clock(r.machine);
        assert_true(totem_run(r.machine, &w, 1000000));
        assert_int_equal(totem_clock(r.machine), clocks[skipping]);
        run_destroy(&r);
    }
    assert_int_equal(clocks[0], clocks[1]);
}

TEST(finds_names)
{
    totem *t = totem_create();
    assert_true(totem_names() > 300);
    for (size_t n = 0; n < totem_names(); n++) {
        char           name[100], element[120], cut[8];
        totem_register r, found;
        uint64_t       value;
        assert_true(totem_name(n, name, sizeof name, &r));
        assert_int_equal(totem_find(name, &found), TOTEM_STATUS_OK);
        assert_int_equal(found.offset, r.offset);
        assert_int_equal(found.elements, r.elements);
        assert_true(r.width >= 1 && r.width <= 8 * r.size);
        snprintf(element, sizeof element, "%s[%u]", name, r.elements ? r.elements - 1 : 0);
        assert_int_equal(totem_read(t, r.elements ? element : name, &value), TOTEM_STATUS_OK);
        assert_int_equal(totem_read(t, r.elements ? name : element, &value), TOTEM_STATUS_ELEMENT);
        snprintf(element, sizeof element, "%s[%u]", name, r.elements);
        assert_int_equal(totem_find(element, &found), TOTEM_STATUS_ELEMENT);
        assert_true(totem_name(n, cut, sizeof cut, NULL));
        assert_true(strncmp(cut, name, sizeof cut - 1) == 0 && strlen(cut) == 7);
    }
    assert_false(totem_name(totem_names(), NULL, 0, NULL));
    static const char *const wrong[] = {"",
                                        "host",
                                        "host.",
                                        "host.clok",
                                        "hostclock",
                                        "host.clock.",
                                        "fe[9].dc.total[0]",
                                        "fe[].dc.total[0]",
                                        "fe[0]dc.total[0]",
                                        "wave[0].duration[",
                                        "wave[0].duration[]",
                                        "wave[0].duration[1",
                                        "wave[0].duration[1]x",
                                        "wave[99999999999].now"};
    for (size_t n = 0; n < COUNT(wrong); n++) {
        uint64_t value;
        assert_int_equal(totem_read(t, wrong[n], &value), TOTEM_STATUS_NAME);
    }
    totem_destroy(t);
}

// An image with a change at one place, and a hash that fits where it is not the hash that is to be wrong.
static void damage(uint8_t *image, size_t at, uint8_t value, bool rehash)
{
    const size_t end  = totem_image_size() - 8;
    uint64_t     hash = 0xcbf29ce484222325u;
    image[at] ^= value;
    for (size_t n = 0; n < end; n++)
        hash = (hash ^ image[n]) * 0x100000001b3u;
    for (unsigned n = 0; rehash && n < 8; n++)
        image[end + n] = (uint8_t)(hash >> 8 * n);
}

// A machine restored in the middle of work goes on as the one saved; what is no image is refused and changes nothing.
TEST(saves_and_restores)
{
    const size_t size = totem_image_size();
    const struct {
        const char  *name;
        size_t       at;
        uint8_t      value;
        bool         rehash;
        size_t       size;
        totem_status expected;
    } rows[] = {
        {"another magic", 0, 1, false, size, TOTEM_STATUS_IMAGE},
        {"another configuration", 8, 1, false, size, TOTEM_STATUS_CONFIGURATION},
        {"state that the hash does not fit", size / 2, 1, false, size, TOTEM_STATUS_IMAGE},
        {"a byte short", 0, 0, false, size - 1, TOTEM_STATUS_SIZE},
        {"a bit register with the value 2", 16, 2, true, size, TOTEM_STATUS_RANGE},
    };
    run      r[2]  = {run_create(5, true), run_create(77, false)};
    uint8_t *image = malloc(size), *after = malloc(size);
    assert_true(image && after);
    run_to(&r[0], 6000);
    *r[1].around = *r[0].around;
    r[1].log     = r[0].log;
    assert_int_equal(totem_restore(r[1].machine, r[0].image, size), TOTEM_STATUS_OK);
    both_to(r, 20000);
    for (size_t n = 0; n < COUNT(rows); n++) {
        memcpy(image, r[0].image, size);
        damage(image, rows[n].at, rows[n].value, rows[n].rehash);
        if (totem_restore(r[0].machine, image, rows[n].size) != rows[n].expected)
            fail_msg("%s", rows[n].name);
        assert_true(strlen(totem_status_text(rows[n].expected)) > 10);
        totem_save(r[0].machine, after);
        assert_memory_equal(r[0].image, after, size);
    }
    free(image);
    free(after);
    both_destroy(r);
}
