// SPDX-License-Identifier: Apache-2.0
//
// Workload files: what the loader makes of the bundled ones, and what it says about wrong ones. That their
// expectations follow from their packets is seen where they run (70-lockstep). Needs more than the model, so
// sim/tests.d/30-pm4.sh builds it.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pm4_decode.h"
#include "totem/commands.h"
#include "totem/register_name.h"
#include "totem/run.h"
#include "totem/workload.h"
#include "totem/yaml_line.h"
#include "totem_pm4.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests.h"

#define HELLO "sim/workloads/hello.yaml"
#define MIX "build/workloads/compute-mix.yaml" // made by sim/workloads/compute_mix.py

static totem_workload *load(const char *path)
{
    char            message[600];
    totem_workload *w;
    if (!totem_workload_load(path, &w, message, sizeof message))
        fail_msg("%s", message);
    return w;
}

TEST(hello)
{
    totem_workload *w = load(HELLO);
    assert_string_equal(w->name, "hello");
    assert_string_equal(w->configuration, "full");
    assert_int_equal(w->seed, 1);
    assert_int_equal(w->memory.latency, 100);
    assert_int_equal(w->programs_count, 1);
    assert_int_equal(w->programs[0].duration, 200);
    assert_null(w->programs[0].primitives);
    assert_int_equal(w->queues_count, 1);
    assert_int_equal(w->queues[0].priority, 7);
    assert_int_equal(w->queues[0].ring.address, 0x100000);
    assert_int_equal(w->queues[0].stream.words_count, 30);
    assert_int_equal(w->queues[0].stream.words[1], 0x20c);
    assert_int_equal(w->queues[0].stream.packet_ends[5], 30);
    assert_int_equal(w->queues[0].doorbells_count, 1);
    assert_int_equal(w->queues[0].doorbells[0].write_pointer, 30);
    assert_int_equal(*w->expect.waves, 32);
    assert_null(w->expect.interrupts);
    assert_int_equal(w->expect.memory[0].value, 0x5eed);
    totem_workload_free(w);
}

#define RING "rings:\n  - {front_end: 0, ring: {address: 0x200000, size: 64}, map_at: 0, dwords: [1, 2]"

static totem_workload *load_with(const char *piece)
{
    char  path[] = "/tmp/totem-test-XXXXXX";
    int   handle = mkstemp(path);
    FILE *file   = handle >= 0 ? fdopen(handle, "w") : NULL;
    assert_non_null(file);
    fprintf(file, "name: a\nconfiguration: full\nseed: 1\ncycles: 1\nmemory: {latency: 1}\n%s", piece);
    fclose(file);
    totem_workload *w = load(path);
    unlink(path);
    return w;
}

TEST(rings)
{
    totem_workload *w = load_with(RING "}\n");
    assert_int_equal(w->queues_count, 0);
    assert_int_equal(w->rings_count, 1);
    assert_int_equal(w->rings[0].pipe, TOTEM_WORKLOAD_RING);
    assert_int_equal(w->rings[0].doorbells[0].write_pointer, 2);
    assert_null(w->rings[0].graphics);
    assert_null(w->rings[0].table);
    totem_workload_free(w);
    w = load_with("rings:\n  - {front_end: 3, ring: {address: 0x200000, size: 64}, map_at: 0, packets: [NOP],\n"
                  "     graphics: {hp3d: true, bounce: false, filter: true, generation: 11},\n"
                  "     table: {packets: [SET_CONTEXT_REG 0x10 5 6]}}\n"
                  "expect: {draws: 4, geometry: 5}\n");
    assert_int_equal(w->rings[0].pipe, TOTEM_WORKLOAD_RING + 3);
    assert_true(w->rings[0].graphics->hp3d && !w->rings[0].graphics->bounce && w->rings[0].graphics->filter);
    assert_int_equal(w->rings[0].graphics->generation, 11);
    assert_int_equal(w->rings[0].table->stream.words_count, 4);
    assert_int_equal(*w->expect.draws, 4);
    assert_int_equal(*w->expect.geometry, 5);
    totem_workload_free(w);
}

TEST(throttling)
{
    totem_workload *w = load_with(RING "}\n");
    assert_null(w->throttle);
    assert_null(w->reserve);
    totem_workload_free(w);
    w = load_with("throttle: {cntl1: 0x12395123, ph: true, limit: 127, thresholds: [1, 2, 64]}\n"
                  "reserve: {slots: 2, vgprs: 64, lds: 255}\n");
    assert_int_equal(*w->throttle->cntl1, 0x12395123);
    assert_null(w->throttle->cntl2);
    assert_true(w->throttle->ph && !w->throttle->spi && !w->throttle->b_hold);
    assert_int_equal(*w->throttle->limit, 127);
    assert_int_equal(w->throttle->thresholds_count, 3);
    assert_int_equal(w->throttle->thresholds[2], 64);
    assert_true(w->reserve->slots == 2 && w->reserve->vgprs == 64 && w->reserve->lds == 255);
    totem_workload_free(w);
    w = load_with("throttle: {cntl2: 0x1ffee, spi: true, b_hold: true}\n");
    assert_int_equal(*w->throttle->cntl2, 0x1ffee);
    assert_true(!w->throttle->ph && w->throttle->spi && w->throttle->b_hold);
    assert_null(w->throttle->limit);
    assert_null(w->throttle->thresholds);
    totem_workload_free(w);
}

// ---- Files with a fault ----

static char *read_all(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char  *text = calloc(1, 1 << 16);
    size_t got  = fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    assert_true(got > 0 && got < (1 << 16) - 1);
    return text;
}

// hello.yaml with one piece replaced: line and text of the message.
static void check_bad(const char *old, const char *new, const char *complaint)
{
    char  path[] = "/tmp/totem-test-XXXXXX", message[600];
    char *text   = read_all(HELLO);
    char *place  = strstr(text, old);
    int   handle = mkstemp(path);
    FILE *file   = handle >= 0 ? fdopen(handle, "w") : NULL;
    assert_non_null(place);
    assert_non_null(file);
    fprintf(file, "%.*s%s%s", (int)(place - text), text, new, place + strlen(old));
    fclose(file);
    totem_workload *w;
    bool            good = totem_workload_load(path, &w, message, sizeof message);
    unlink(path);
    free(text);
    if (good)
        fail_msg("'%s' is accepted", new);
    assert_null(w);
    if (strncmp(message, path, strlen(path)) != 0 || !strstr(message, complaint))
        fail_msg("'%s' complains '%s', not '%s'", new, message, complaint);
}

TEST(register_names)
{
    static const struct {
        const char *name;
        uint32_t    address;
    } names[] = {{"machine.MAGIC", 0},
                 {"machine.MEMORY_TIMEOUT", 0x40},
                 {"events.EOP_ENABLE[1]", 0x101c},
                 {"doorbell[9]", 0x4024},
                 {"ring_doorbell[2]", 0x4108},
                 {"graphics[1].TABLE_INDEX", 0x5404},
                 {"pipe[2].queue[5].CONTROL", 0x125fc}};
    for (size_t n = 0; n < COUNT(names); n++) {
        uint32_t address = 1;
        char     message[256];
        assert_true(totem_register_address(names[n].name, &address, message, sizeof message));
        assert_int_equal(address, names[n].address);
    }
}

// What a COND_EXEC may skip is written with it, whole packets.
TEST(units_of_a_fed_stream)
{
    uint32_t words[] = {0xc0032200, 0x1000, 0, 0, 3, 0xc0001000, 0, 0xc0001000, 0, 0x80000000, 0xffff1000, 0xc0051000};
    const totem_workload_stream stream = {.words = words, .words_count = COUNT(words)};
    const uint32_t              ends[] = {9, 0, 0, 0, 0, 7, 0, 9, 0, 10, 11, 12};
    for (uint32_t at = 0; at < COUNT(ends); at++)
        if (ends[at])
            assert_int_equal(totem_workload_unit(&stream, at), ends[at]);
}

#define TASKS "tasks:\n  - {name: first, address: 0x300000, fields: {GRID_X: 5}, dependent: second}\n"
#define SECOND "  - {name: second, address: 0x300100, version: \"02_02\", fields: {BLOCK_X: 0xffff, QMD_VERSION: 1}"

TEST(tasks_by_name)
{
    totem_workload *w = load_with(TASKS SECOND "}\nimage: [{address: 0, packets: [LAUNCH_TASK second]}]\n");
    assert_int_equal(w->tasks_count, 2);
    const uint32_t *words = w->tasks[0].words;
    assert_int_equal(words[12], 5);                   // GRID_X
    assert_int_equal(words[13], 1);                   // GRID_Y
    assert_int_equal(words[15], 0x3001);              // DEPENDENT_POINTER
    assert_int_equal(words[16], 1 | 1 << 1 | 1 << 4); // enabled, schedule, prefetched
    assert_int_equal(words[18], 0x30);
    assert_int_equal(words[19], 1u << 16 | 1); // BLOCK_Y, BLOCK_Z
    words = w->tasks[1].words;
    assert_int_equal(words[18], 0xffff0021); // BLOCK_X, a version that is refused
    assert_int_equal(words[16] | words[15] | words[4], 0);
    assert_int_equal(w->image[0].stream.words[1], 0x3001);
    totem_workload_free(w);
}

#define TEN " 0 0 0 0 0 0 0 0 0 0"
#define TENS "1, 1, 1, 1, 1, 1, 1, 1, 1, 1, "
#define ENTRY(first, last)                                                                                          \
    "entries: [{entry: " first ", priority: 7, pipe_priority: 1, ring: {address: 0x400000, size: 64}, list_at: 0, " \
    "dwords: [1, 2]" last "}]\n"
#define PACKETS "size: 256}\n    map_at: 0\n    packets:\n"

TEST(bad_files)
{
    static const struct {
        const char *old, *new, *complaint;
    } rows[] = {
        {"latency: 100", "latenc: 100", ":10: memory.latenc: no such key; did you mean latency?"},
        {"latency: 100", "latency: -1", ":10: memory.latency: '-1' is no number; numbers are decimal"},
        {"latency: 100", "latency: soon", ":10: memory.latency: 'soon' is no number"},
        {"seed: 1\n", "", ":1: seed is missing"},
        {"seed: 1", "seed: [1",
         ":7: while parsing a flow sequence, did not find expected ',' or ']'; correct the YAML"},
        {"memory:\n", "memory: {latency: 100}\nmemory:\n", ":10: memory: stands twice; remove one"},
        {"  latency: 100", "  100", ":9: memory: expects keys (latency: ...)"},
        {"    map_at: 0", "    maped_at: 0", ":22: queues[0].maped_at: no such key; did you mean map_at?"},
        {"    map_at: 0\n", "", ":17: queues[0]: map_at is missing"},
        {", size: 256", "", ":21: queues[0].ring: size is missing"},
        {"    map_at: 0\n", "    map_at: 0\n    privileged: flase\n",
         ":23: queues[0].privileged: 'flase' is neither true nor false"},
        {"    map_at: 0\n", "    map_at: 0\n    dequeue: {at: 4, type: 1}\n", ":23: queues[0].dequeue: expects a list"},
        {"    map_at: 0\n", "    map_at: [0]\n", ":22: queues[0].map_at: expects one value"},
        {"  latency: 100", "  latency: 100\n  visible: acepted",
         ":11: memory.visible: 'acepted' is no value here; the nearest are accepted, response"},
        {"configuration: full", "configuration: big", ":5: configuration: 'big'"},
        {"configuration: full", "configuration: mini\ntasks: [{name: a, address: 0, fields: {GRID_X: 1}}]",
         ":6: tasks: configuration mini has no tasks; take one that has"},
        {"configuration: full", "configuration: mini\n" RING "}", ":7: rings[0].front_end: configuration mini has 0"},
        {"configuration: full", "configuration: mini\nreserve: {slots: 1, vgprs: 1, lds: 1}",
         ":6: reserve: configuration mini has no geometry waves; remove the key"},
        {"configuration: full", "configuration: board\nreserve: {slots: 33, vgprs: 1, lds: 1}",
         ":6: reserve: configuration board has less than that in an engine"},
        {"cycles: 20000", "cycles: 0", ":7: cycles"},
        {"entry: 0", "entry: 16", ":14: programs[0].entry: 16 is too large"},
        {"spread: 0", "spread: 31", ":14: programs[0].spread"},
        {"spread: 0", "primitives: 5", ":14: programs[0].primitives: 5 is too large; the most is 4"},
        {"spread: 0", "child: 0x101", ":14: programs[0].child: 0x101 is not aligned; take a multiple of 256"},
        {"spread: 0", "culled: 256", ":14: programs[0].culled: 256 is too large; the most is 255"},
        {"spread: 0", "pixels: 1048576", ":14: programs[0].pixels: 1048576 is too large"},
        {"queues:\n", "  - {entry: 0, duration: 1}\n\nqueues:\n", ":16: programs[1].entry: entry 0 stands twice"},
        {"pipe: 0", "pipe: 8", ":17: queues[0].pipe: 8 is too large"},
        {"priority: 7", "priority: 16", ":19: queues[0].priority"},
        {"pipe_priority: 1", "pipe_priority: 4", ":20: queues[0].pipe_priority"},
        {"size: 256", "size: 100", ":21: queues[0].ring.size: 100 dwords"},
        {"0x00100000", "0x00100010", ":21: queues[0].ring.address: 0x100010 is not aligned"},
        {"0x00100000", "0xffffffff00", ":21: queues[0].ring: reaches past 40 bits"},
        {"0x00100000", "0x10000000000", ":21: queues[0].ring.address: 0x10000000000 has more than 40 bits"},
        {PACKETS, "size: 64}\n    map_at: 0\n    packets:\n      - NOP" TEN TEN TEN TEN TEN TEN TEN "\n",
         ":21: queues[0].ring.size: a packet, with what it may skip, has 71 dwords, the ring 64; enlarge it"},
        {PACKETS,
         "size: 64}\n    map_at: 0\n    dequeue: [{at: 1, type: 1}]\n    packets:\n      - NOP" TEN TEN TEN TEN "\n",
         ":21: queues[0].ring.size: the stream has 71 dwords, the ring of a queue that is dequeued 64; enlarge it, or"},
        {"queues:\n",
         "rings: [{front_end: 0, ring: {address: 0x200000, size: 64}, map_at: 0, "
         "dwords: [" TENS TENS TENS TENS TENS TENS TENS "1]}]\nqueues:\n",
         ":16: rings[0].ring.size: the stream has 71 dwords, the ring of graphics 64; enlarge it"},
        {"VGPRS=3", "VGPR=3", ":25: queues[0].packets[1]: no field 'VGPR'"},
        {"int_sel=interrupt_after", "int_sel=after",
         ":29: queues[0].packets[5]: int_sel: 'after_write' is neither a number nor a name known here; its values are "
         "0 to "
         "0x7, with a name none interrupt interrupt_after_write data_after_write"},
        {"16 1 1 compute", "16 1 compute",
         ":28: queues[0].packets[4]: DISPATCH_DIRECT takes 4 body dwords, here are 3"},
        {"    packets:\n", "    dwords: [1]\n    packets:\n", "queues[0]: more than one of hex, dwords and packets"},
        {"    map_at: 0\n", "    map_at: 9\n    doorbells: [{at: 8}]\n",
         ":23: queues[0].doorbells[0]: at 8 lies before 9"},
        {"    map_at: 0\n", "    map_at: 0\n    doorbells: [{at: 1, packets: 7}]\n",
         ":23: queues[0].doorbells[0].packets: 7 is too large; the most is 6 packets"},
        {"    map_at: 0\n", "    map_at: 0\n    doorbells: [{at: 1, packets: 3}, {at: 2, packets: 2}]\n",
         ":23: queues[0].doorbells[1]: announces less"},
        {"    map_at: 0\n", "    map_at: 5\n    dequeue: [{at: 4, type: 1}]\n",
         ":23: queues[0].dequeue[0]: at 4 lies before 5"},
        {"    map_at: 0\n", "    map_at: 0\n    dequeue: [{at: 4, type: 5}]\n",
         ":23: queues[0].dequeue[0]: 5 is no type"},
        {"    map_at: 0\n", "    map_at: 0\n    dequeue: [{at: 4, type: 1}, {at: 5, type: 1}]\n",
         ":23: queues[0].dequeue[1]: the queue is not mapped then"},
        {"    map_at: 0\n", "    map_at: 0\n    map: [{at: 4, pipe: 0, queue: 1}]\n",
         ":23: queues[0].map: the queue has no MQD"},
        {"    map_at: 0\n", "    map_at: 0\n    mqd: 0x4000\n    map: [{at: 4, pipe: 0, queue: 1}]\n",
         ":24: queues[0].map[0]: the queue is mapped still"},
        {"    map_at: 0\n", "    map_at: 0\n    doorbells: [{at: 9}]\n    dequeue: [{at: 4, type: 1}]\n",
         ":23: queues[0].doorbells[0]: at 9 the queue is dequeued"},
        {"    map_at: 0\n", "    map_at: 0\n    write: [{at: 9, register: CONTROLL, value: 1}]\n",
         ":23: queues[0].write[0].register: no register is called 'pipe[0].queue[0].CONTROLL'"},
        {"queues:\n", "image: [{address: 0x1003fc, dwords: [1, 2]}]\nqueues:\n",
         ":22: queues[0].ring: overlaps image[0]"},
        {"queues:\n", "image: [{address: 2, dwords: [1]}]\nqueues:\n", ":16: image[0]: 0x2 is not aligned"},
        {"queues:\n", "image: [{address: 0}]\nqueues:\n", ":16: image[0]: none of hex, dwords and packets"},
        {"queues:\n", "image: [{address: 0, hex: no-such-file.hex}]\nqueues:\n",
         ":16: image[0].hex: /tmp/no-such-file.hex: No such file"},
        {"queues:\n", RING ", pipe: 0}\nqueues:\n",
         ":17: rings[0].pipe: no such key; take one of front_end, ring, rptr_report, map_at, "},
        {"queues:\n", RING ", graphics: {hp3d: true, bounce: true, filter: true, generation: 12}}\nqueues:\n",
         ":17: rings[0].graphics.generation: 12 is no generation"},
        {"queues:\n", RING ", graphics: {hp3d: true}}\nqueues:\n", ":17: rings[0].graphics: bounce is missing"},
        {"queues:\n", RING ", table: {}}\nqueues:\n", ":17: rings[0].table: none of hex, dwords and packets"},
        {"queues:\n", RING ", doorbells: [{at: 0, packets: 3}]}\nqueues:\n",
         ":17: rings[0].doorbells[0].packets: 3 is too large; the most is 2 dwords"},
        {"queues:\n", RING "}\n  - {front_end: 0, ring: {address: 0, size: 64}, map_at: 0, dwords: [1]}\nqueues:\n",
         ":18: rings[1]: that of front end 0 is rings[0] already"},
        {"queues:\n", "rings: [{front_end: 4, ring: {address: 0, size: 64}, map_at: 0, dwords: [1]}]\nqueues:\n",
         ":16: rings[0].front_end: 4 is too large"},
        {"queues:\n", "rings: [{front_end: 0, ring: {address: 0x100000, size: 64}, map_at: 0, dwords: [1]}]\nqueues:\n",
         ": rings[0].ring: overlaps queues[0].ring"},
        {"queues:\n", TASKS "queues:\n", ":17: tasks[0].dependent: no task is called 'second'; take one of first"},
        {"queues:\n", TASKS SECOND ", dependent: third}\nqueues:\n",
         ":18: tasks[1].dependent: no task is called 'third'; take one of first, second"},
        {"queues:\n", TASKS "  - {name: first, address: 0x300100, fields: {}}\nqueues:\n",
         ":18: tasks[1].name: 'first' stands twice; take another name"},
        {"queues:\n", "tasks: [{name: 1st, address: 0x300100, fields: {GRID_X: 1}}]\nqueues:\n",
         ":16: tasks[0].name: '1st' is no name; begin with a letter"},
        {"queues:\n", "tasks: [{name: a, address: 0x300080, fields: {GRID_X: 1}}]\nqueues:\n",
         ":16: tasks[0].address: 0x300080 is not aligned; take a multiple of 256"},
        {"queues:\n", "tasks: [{name: a, address: 0x100300, fields: {GRID_X: 1}}]\nqueues:\n",
         ":22: queues[0].ring: overlaps tasks[0]"},
        {"queues:\n", "tasks: [{name: a, address: 0, version: \"04_00\", fields: {GRID_X: 1}}]\nqueues:\n",
         ":16: tasks[0].version: '04_00' is no version; take 02_02 or 03_00"},
        {"queues:\n", "tasks: [{name: a, address: 0, fields: {GRID_W: 1}}]\nqueues:\n",
         ":16: tasks[0].fields.GRID_W: no such key; did you mean GRID_X?"},
        {"queues:\n", "tasks: [{name: a, address: 0, fields: {GRID_Y: 0x10000}}]\nqueues:\n",
         ":16: tasks[0].fields.GRID_Y: 0x10000 is too large; the field has 16 bits"},
        {"queues:\n", "tasks: [{name: a, address: 0, fields: {GRID_Y: 010}}]\nqueues:\n",
         ":16: tasks[0].fields.GRID_Y: '010' is no number"},
        {"queues:\n", "tasks: [{name: a, address: 0, fields: {DEPENDENT_TYPE: 1}}]\nqueues:\n",
         ":16: tasks[0].fields.DEPENDENT_TYPE: version 03_00 has no such field; remove it, or take the other version"},
        {"SET_SH_REG COMPUTE_PGM_LO 0x3000000 0", "LAUNCH_TASK first",
         ":24: queues[0].packets[0]: no task is called 'first'; give it under tasks, or write its address >> 8"},
        {"queues:\n", "throttle: {cntl1: 0x1235a123}\nqueues:\n", ":16: throttle.cntl1: 0x1235a123 has a threshold"},
        {"queues:\n", "throttle: {cntl1: 0x123a5123}\nqueues:\n", ":16: throttle.cntl1: 0x123a5123 has a threshold"},
        {"queues:\n", "throttle: {cntl2: 3}\nqueues:\n", ":16: throttle.cntl2: 0x00000003 has mode 3"},
        {"queues:\n", "throttle: {cntl2: 0x20000}\nqueues:\n", ":16: throttle.cntl2: 131072 is too large"},
        {"queues:\n", "throttle: {limit: 128}\nqueues:\n", ":16: throttle.limit: 128 is too large; the most is 127"},
        {"queues:\n", "throttle: {thresholds: [1, 2]}\nqueues:\n", ":16: throttle.thresholds: not three numbers"},
        {"queues:\n", "throttle: {thresholds: []}\nqueues:\n", ":16: throttle.thresholds: has no entries"},
        {"queues:\n", "throttle: {thresholds: [0, 2, 3]}\nqueues:\n", ":16: throttle.thresholds: not three numbers"},
        {"queues:\n", "throttle: {thresholds: [2, 2, 3]}\nqueues:\n", ":16: throttle.thresholds: not three numbers"},
        {"queues:\n", "throttle: {thresholds: [1, 3, 3]}\nqueues:\n", ":16: throttle.thresholds: not three numbers"},
        {"queues:\n", "throttle: {thresholds: [1, 2, 65]}\nqueues:\n", ":16: throttle.thresholds: not three numbers"},
        {"queues:\n", "throttle: {gs: 1}\nqueues:\n", ":16: throttle.gs: no such key; take one of cntl1, cntl2, "},
        {"queues:\n", "reserve: {slots: 128, vgprs: 0, lds: 0}\nqueues:\n", ":16: reserve.slots: 128 is too large"},
        {"queues:\n", "reserve: {slots: 0, vgprs: 4096, lds: 0}\nqueues:\n", ":16: reserve.vgprs: 4096 is too large"},
        {"queues:\n", "reserve: {slots: 0, vgprs: 0, lds: 1024}\nqueues:\n", ":16: reserve.lds: 1024 is too large"},
        {"queues:\n", "reserve: {slots: 0}\nqueues:\n", ":16: reserve: vgprs is missing"},
        {"queues:\n", "run_list: {slots: 3}\nqueues:\n", ":16: run_list.slots: 0x3 has a slot that"},
        {"queues:\n", "run_list: {slots: 2, park: 65536}\nqueues:\n", ":16: run_list.park: 65536 is too large"},
        {"queues:\n", ENTRY("0, mqd: 0", "") "queues:\n", ":16: entries[0].mqd: 0 is no address"},
        {"queues:\n", ENTRY("0, mqd: 0x500004", "") "queues:\n", ":16: entries[0].mqd: 0x500004 is not aligned"},
        {"queues:\n", ENTRY("0, mqd: 0x400000", "") "queues:\n", ":16: entries[0].mqd: overlaps entries[0].ring"},
        {"queues:\n", ENTRY("0, mqd: 0x500000", ", dequeue: [{at: 9, type: 1}]") "queues:\n",
         ":16: entries[0].dequeue[0]: the run list has no removal of type 1"},
        {"queues:\n", ENTRY("0, mqd: 0x500000", ", dequeue: [{at: 9, type: 2}, {at: 9, type: 2}]") "queues:\n",
         ":16: entries[0].dequeue: an entry is removed once"},
        {"queues:\n", ENTRY("1024, mqd: 0x500000", "") "queues:\n",
         "configuration full has 1024 entries of a run list"},
        {"queues:\n", "writes: [{at: 1, value: 1}]\nqueues:\n", ":16: writes[0]: give either register"},
        {"queues:\n", "writes: [{at: 1, register: machine.MEMORY_TIME, value: 1}]\nqueues:\n",
         ":16: writes[0].register: no register is called 'machine.MEMORY_TIME'; the nearest is machine.MEMORY_TIMEOUT"},
        {"queues:\n", "writes: [{at: 1, register: 'pipe[16].queue[0].CONTROL', value: 1}]\nqueues:\n",
         ":16: writes[0].register: index 16 of 'pipe[16].queue[0].CONTROL' is too large; the most is 15"},
        {"queues:\n", "writes: [{at: 1, register: 'doorbell[x]', value: 1}]\nqueues:\n", "is no register name"},
        {"queues:\n", "writes: [{at: 1, register: 'doorbell[07]', value: 1}]\nqueues:\n", "is no register name"},
        {"  fences: 1", "  errors: [{code: NIX, pipe: 0, queue: 0}]",
         ":35: expect.errors[0].code: no error is called 'NIX'"},
        {"value: 0x5eed}", "value: 0x100000000}",
         ":33: expect.memory[0].value: 0x100000000 is too large; the most is 0xffffffff"},
    };
    for (size_t n = 0; n < COUNT(rows); n++)
        check_bad(rows[n].old, rows[n].new, rows[n].complaint);
    char            message[600];
    totem_workload *w;
    assert_false(totem_workload_load("no-such.yaml", &w, message, sizeof message));
    assert_non_null(strstr(message, "no-such.yaml: cannot be read; check the name and the rights"));
}

TEST(lines)
{
    assert_int_equal(totem_yaml_line(HELLO, "memory.latency"), 10);
    assert_int_equal(totem_yaml_line(HELLO, "queues[0].packets[4]"), 28);
    assert_int_equal(totem_yaml_line(HELLO, "queues[0].nothing.here"), 17);
    assert_int_equal(totem_yaml_line(HELLO, "queues[7]"), 16);
    assert_int_equal(totem_yaml_line("no-such.yaml", ""), 0);
}

// What the default workload is for: many queues, several priorities, every packet a compute queue has in this shape.
TEST(compute_mix)
{
    totem_workload *w     = load(MIX);
    unsigned        pipes = 0, priorities = 0, pipe_priorities = 0, seen[256] = {0}, ignored = 0;
    for (uint32_t q = 0; q < w->queues_count; q++) {
        const totem_workload_queue *queue = &w->queues[q];
        pipes |= 1u << queue->pipe;
        priorities |= 1u << queue->priority;
        pipe_priorities |= 1u << queue->pipe_priority;
        for (size_t offset = 0; offset < queue->stream.words_count;) {
            totem_pm4_packet packet;
            totem_pm4_cut(queue->stream.words, queue->stream.words_count, offset, false, &packet);
            assert_int_equal(packet.fault, TOTEM_PM4_SOUND);
            seen[packet.op]++;
            ignored += !packet.executed;
            offset += packet.dwords;
        }
    }
    assert_int_equal(w->queues_count, 20);
    assert_int_equal(pipes, 0xff);
    assert_int_equal(pipe_priorities, 7);
    assert_true(__builtin_popcount(priorities) >= 8);
    assert_true(*w->expect.waves > 10000);
    assert_true(seen[TOTEM_OP_WAIT_REG_MEM] > 5 && seen[TOTEM_OP_WRITE_DATA] > 5 && seen[TOTEM_OP_INDIRECT_BUFFER] > 5);
    assert_true(seen[TOTEM_OP_RELEASE_MEM] > 50 && seen[TOTEM_OP_EVENT_WRITE] > 20 && seen[TOTEM_OP_NOP] > 5 &&
                ignored > 10);
    totem_workload_free(w);
}

// ---- totem run, on a totem_run of this file ----

static totem_run_options got;
static int               answer;

int totem_run(const totem_workload *workload, const totem_run_options *options, totem_run_result *result)
{
    assert_string_equal(workload->name, "hello");
    got     = *options;
    *result = (totem_run_result){.cycles = 1234, .expectations = 2};
    return answer;
}

static int run_command(int count, const char **words)
{
    char *argv[8] = {NULL};
    for (int n = 0; n < count; n++)
        argv[n] = strdup(words[n]);
    int code = totem_command_run(count, argv);
    // argp moves the words about, it loses none.
    for (int n = 0; n < count; n++)
        free(argv[n]);
    return code;
}

TEST(run_options)
{
    answer = TOTEM_EXIT_FINDING;
    assert_int_equal(run_command(5, (const char *[]){"totem run", HELLO, "--engine=model", "--cycles=0x10", "--json"}),
                     1);
    assert_int_equal(got.engine, TOTEM_ENGINE_MODEL);
    assert_int_equal(got.cycles, 16);
    assert_false(got.seed_given);
    assert_false(got.progress);
    answer = TOTEM_EXIT_GOOD;
    assert_int_equal(run_command(3, (const char *[]){"totem run", "--seed=7", HELLO}), 0);
    assert_int_equal(got.engine, TOTEM_ENGINE_BOTH);
    assert_int_equal(got.seed, 7);
    assert_true(got.seed_given); // progress is for a terminal
    assert_int_equal(run_command(2, (const char *[]){"totem run", "no-such.yaml"}), TOTEM_EXIT_FILE);
    answer = TOTEM_EXIT_USAGE; // no run
    assert_int_equal(run_command(3, (const char *[]){"totem run", "--events=/tmp/totem-test-none", HELLO}), 2);
    assert_int_not_equal(access("/tmp/totem-test-none", F_OK), 0);
}
