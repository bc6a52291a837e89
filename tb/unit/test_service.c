// SPDX-License-Identifier: Apache-2.0
//
// totem_service: packets, errors, latencies and meetings of docs/contract/service.md. The bench is execute, which hands
// packets over, and runlist, which keeps the commands and says how they end.

#include "block_bench.h"

#include "../../cmodel/packet/totem_pm4.h"
#include "totem_runlist_values.h"
#include "totem_service.h"

BENCH(service)

enum { MOST = 16 };

typedef struct {
    uint32_t word[MOST];
    unsigned count;
} packet;

typedef struct {
    bench             b;
    totem_service_out commands[MOST]; // as they stood when they ended
    unsigned          ended;
    uint8_t           how;   // the answer of runlist,
    unsigned          after; // in the clock that is so many behind the first one
    unsigned          held;  // clocks for which the present one has stood
} service_bench;

static void open_bench(service_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    LEVEL(&t->b, packet_privileged, true);
}

#define RULE(name) RULE_OF(service_bench, open_bench, t, name)

// A clock. A command does not change while it stands.
static void clock_edge(service_bench *t)
{
    const totem_service_out was = t->b.o;

    t->b.i.runlist_command_done   = was.command_valid && t->held >= t->after;
    t->b.i.runlist_command_answer = t->b.i.runlist_command_done ? t->how : RUN_MQD;
    if (t->b.i.runlist_command_done)
        t->commands[t->ended++ % MOST] = was;
    t->held = was.command_valid && !t->b.i.runlist_command_done ? t->held + 1 : 0;
    tick(&t->b);
    if (t->held != 0) {
        assert_true(t->b.o.command_valid);
        assert_int_equal(t->b.o.command_op, was.command_op);
        assert_int_equal(t->b.o.command_entry, was.command_entry);
    }
}

static void clocks(service_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

// Up to the clock behind the last dword.
static void hand_over(service_bench *t, packet p)
{
    for (unsigned n = 0; n < p.count; n++) {
        assert_true(t->b.o.ready);
        t->b.i.packet_valid = true;
        t->b.i.packet_word  = p.word[n];
        t->b.i.packet_index = (uint8_t)n;
        t->b.i.packet_last  = n + 1 == p.count;
        clock_edge(t);
        assert_true(n + 1 == p.count || !t->b.o.done);
    }
    assert_false(t->b.o.ready);
}

// A packet up to the clock of its answer; how many clocks that is behind its last dword.
static unsigned give(service_bench *t, packet p)
{
    unsigned clock = 1;
    hand_over(t, p);
    for (; !t->b.o.done; clock++) {
        assert_true(clock < 100);
        clock_edge(t);
    }
    return clock;
}

static void answered(service_bench *t, packet p, uint8_t answer, unsigned after)
{
    assert_int_equal(give(t, p), after);
    assert_false(t->b.o.again || t->b.o.waiting);
    assert_int_equal(t->b.o.code, TOTEM_ERROR_NONE);
    assert_int_equal(t->b.o.answer, answer);
    clock_edge(t);
    assert_true(t->b.o.ready && !t->b.o.done);
}

// The packet is an error, and no command was given.
static void refused(service_bench *t, packet p, uint8_t code, unsigned dword)
{
    const unsigned before = t->ended;
    give(t, p);
    assert_false(t->b.o.again);
    assert_int_equal(t->b.o.code, code);
    assert_int_equal(t->b.o.word, p.word[dword]);
    assert_int_equal(t->b.o.answer, SERVICE_PLAIN);
    assert_int_equal(t->ended, before);
    clock_edge(t);
}

static uint32_t header(uint8_t op, unsigned count)
{
    return 3u << 30 | (count - 2) << 16 | (uint32_t)op << 8;
}

static packet set_resources(uint64_t mask)
{
    return (packet){{header(TOTEM_OP_SET_RESOURCES, 8), 1u << 29 | 0xff00, (uint32_t)mask, (uint32_t)(mask >> 32)}, 8};
}

static packet map_process(uint32_t pasid, uint32_t units)
{
    packet p = {{header(TOTEM_OP_MAP_PROCESS, 16), units << 25 | 1u << 24 | pasid}, 16};
    for (unsigned n = 2; n < 16; n++)
        p.word[n] = 0x11111111 * n;
    return p;
}

static packet map_queues(uint32_t type, uint32_t doorbell, uint64_t mqd, uint64_t pointer)
{
    return (packet){{header(TOTEM_OP_MAP_QUEUES, 7), 1u << 29 | type << 21 | 1u << 4, doorbell << 2 | 2, (uint32_t)mqd,
                     (uint32_t)(mqd >> 32), (uint32_t)pointer, (uint32_t)(pointer >> 32)},
                    7};
}

static packet unmap_queues(uint32_t action, uint32_t selects, uint32_t named)
{
    return (packet){{header(TOTEM_OP_UNMAP_QUEUES, 6), named << 29 | selects << 4 | action}, 6};
}

static packet query_status(uint32_t command, uint64_t address, uint64_t data)
{
    return (packet){{header(TOTEM_OP_QUERY_STATUS, 7), command << 30 | 0x0abcdef, 0, (uint32_t)address,
                     (uint32_t)(address >> 32), (uint32_t)data, (uint32_t)(data >> 32)},
                    7};
}

static packet run_list(uint64_t address, uint32_t size, bool chain)
{
    return (packet){{header(TOTEM_OP_RUN_LIST, 4), (uint32_t)address, (uint32_t)(address >> 32),
                     1u << 23 | (uint32_t)chain << 20 | size},
                    4};
}

static void last_command(service_bench *t, unsigned count, uint8_t op, unsigned entry)
{
    assert_int_equal(t->ended, count);
    assert_int_equal(t->commands[(count - 1) % MOST].command_op, op);
    assert_int_equal(t->commands[(count - 1) % MOST].command_entry, entry);
}

// What a driver does: resources, a list that is longer than the slots, all away, a fence, a new list.
RULE(driver_stream)
{
    const uint64_t start = 0x1234567890;
    for (unsigned list = 0; list < 2; list++) {
        const unsigned before = t->ended;
        if (list == 0) {
            answered(t, set_resources(0xfedcba9876543211), SERVICE_PLAIN, 3);
            assert_int_equal(t->commands[0].command_op, RUN_MASK);
            assert_int_equal(t->commands[0].command_data, 0xfedcba9876543210);
        }
        answered(t, run_list(start | 3, 99, false), SERVICE_LIST, 2);
        assert_int_equal(t->b.o.address, start);
        assert_int_equal(t->b.o.control, 99);
        LEVEL(&t->b, packet_inside, true);
        answered(t, map_process(0xbeef, 10 + list), SERVICE_PLAIN, 2);
        for (unsigned n = 0; n < 3; n++) {
            answered(t, map_queues(n, 2 * (5 + n), 0x9900001000 + 8 * n, 0x8800002000 + 8 * n), SERVICE_PLAIN, 3);
            const totem_service_out *c = &t->commands[(t->ended - 1) % MOST];
            last_command(t, before + (list == 0) + n + 1, RUN_ADD, 5 + n);
            assert_int_equal(c->command_mqd, 0x9900001000 / 8 + n);
            assert_int_equal(c->command_pointer, 0x8800002000 / 8 + n);
            assert_int_equal(c->command_process, 0xbeef);
            assert_int_equal(c->command_quantum, 10 + list);
            assert_int_equal(c->command_static, n == 2);
        }
        answered(t, run_list(start, 99, true), SERVICE_END, 2); // it names its own start
        LEVEL(&t->b, packet_inside, false);
        answered(t, unmap_queues(0, 2, 0), SERVICE_PLAIN, 4);
        assert_int_equal(t->commands[(t->ended - 1) % MOST].command_op, RUN_REMOVE_ALL);
        answered(t, query_status(2, 0x7766554438, 0x0123456789abcdef), SERVICE_FENCE, 2);
        assert_int_equal(t->b.o.control, 2u << 29);
        assert_int_equal(t->b.o.address, 0x7766554438);
        assert_int_equal(t->b.o.data, 0x0123456789abcdef);
        assert_int_equal(t->b.o.extra, 0x0abcdef);
    }
}

// Named queues one after the other, those of a process, all, all but static; actions 1 and 2.
RULE(unmapping)
{
    packet p = unmap_queues(0, 0, 4);
    for (unsigned n = 0; n < 4; n++)
        p.word[2 + n] = 8u * (20 + n);
    answered(t, p, SERVICE_PLAIN, 10);
    for (unsigned n = 0; n < 4; n++) {
        assert_int_equal(t->commands[n].command_op, RUN_REMOVE);
        assert_int_equal(t->commands[n].command_entry, 20 + n);
    }
    p.word[1] = unmap_queues(1, 0, 1).word[1];
    answered(t, p, SERVICE_PLAIN, 4);
    last_command(t, 5, RUN_REMOVE, 20);
    for (unsigned action = 0; action < 3; action++) {
        p         = unmap_queues(action, 1, 0);
        p.word[2] = 0xfff01234;
        answered(t, p, SERVICE_PLAIN, 4);
        assert_int_equal(t->commands[5 + action].command_op, RUN_REMOVE_PROCESS);
        assert_int_equal(t->commands[5 + action].command_process, 0x1234);
        assert_int_equal(t->commands[5 + action].command_reset, action == 1);
    }
    answered(t, unmap_queues(0, 3, 0), SERVICE_PLAIN, 4);
    assert_int_equal(t->commands[8].command_op, RUN_REMOVE_DYNAMIC);
}

// Queues have not left: the packet is given up at once, comes again when they have, and has no second command.
RULE(waits_for_queues)
{
    LEVEL(&t->b, runlist_removing, true);
    assert_int_equal(give(t, unmap_queues(0, 2, 0)), 4);
    assert_true(t->b.o.again && t->b.o.waiting && t->b.o.code == 0);
    clocks(t, 50);
    assert_true(t->b.o.waiting && !t->b.o.done && !t->b.o.ready);
    LEVEL(&t->b, runlist_removing, false);
    clock_edge(t);
    assert_true(t->b.o.ready && !t->b.o.waiting);
    LEVEL(&t->b, runlist_removing, true); // of others: this packet is done
    answered(t, unmap_queues(0, 2, 0), SERVICE_PLAIN, 1);
    assert_int_equal(t->ended, 1);
    assert_int_equal(give(t, unmap_queues(0, 2, 0)), 4); // the next one of its kind is another one
    assert_true(t->b.o.again);
    assert_int_equal(t->ended, 2);
}

// The command of such a packet looks at every entry: the pipe is given up meanwhile.
RULE(sweeps)
{
    t->after = 30;
    assert_int_equal(give(t, unmap_queues(0, 2, 0)), 3);
    assert_true(t->b.o.again && t->b.o.command_valid);
    clocks(t, 40);
    answered(t, unmap_queues(0, 2, 0), SERVICE_PLAIN, 1);
    assert_int_equal(t->ended, 1);
}

// The queue is to leave while a command stands: its error, too, is told when the packet comes again.
RULE(gives_way)
{
    for (unsigned wrong = 0; wrong < 2; wrong++) {
        const packet p = map_queues(0, 6, 0x1000, 0x2000);
        t->after       = 30;
        t->how         = wrong ? RUN_MQD : RUN_GOOD;
        hand_over(t, p);
        clocks(t, 10);
        assert_false(t->b.o.done);
        LEVEL(&t->b, packet_stop, true);
        clock_edge(t);
        assert_true(t->b.o.again && t->b.o.waiting && t->b.o.command_valid);
        LEVEL(&t->b, packet_stop, false);
        clock_edge(t);
        assert_false(t->b.o.done);
        clocks(t, 30);
        assert_true(t->b.o.ready && !t->b.o.waiting);
        assert_int_equal(t->ended, 1 + wrong);
        assert_int_equal(give(t, p), 1);
        assert_int_equal(t->b.o.code, wrong ? TOTEM_ERROR_RUNLIST_MQD : TOTEM_ERROR_NONE);
        assert_int_equal(t->b.o.word == p.word[3], wrong);
        clock_edge(t);
        assert_int_equal(t->ended, 1 + wrong);
    }
}

// packet_stop from the begin, and a command that ends in the clock of packet_stop: it is answered.
RULE(stops)
{
    LEVEL(&t->b, packet_stop, true);
    answered(t, set_resources(6), SERVICE_PLAIN, 3);
    t->after = 1;
    assert_int_equal(give(t, set_resources(7)), 3);
    assert_true(t->b.o.again && t->b.o.waiting);
    clock_edge(t);
    assert_true(t->b.o.ready);
    answered(t, set_resources(7), SERVICE_PLAIN, 1);
    assert_int_equal(t->ended, 2);
}

// Given up with three of four names left: the rest is done without the pipe. A packet in its place is a new one.
RULE(another_in_its_place)
{
    packet p  = unmap_queues(0, 0, 4);
    p.word[5] = 8;
    t->after  = 2;
    hand_over(t, p);
    LEVEL(&t->b, packet_stop, true);
    CLOCKS_UNTIL(&t->b, t->b.o.done, 3);
    LEVEL(&t->b, packet_stop, false);
    assert_true(t->b.o.again);
    for (unsigned n = 0; n < 20; n++) {
        assert_int_equal(t->b.o.waiting, !t->b.o.ready);
        clock_edge(t);
    }
    last_command(t, 4, RUN_REMOVE, 1);
    t->after  = 0;
    p.word[4] = 16;
    answered(t, p, SERVICE_PLAIN, 10);
    assert_int_equal(t->ended, 8);
    assert_int_equal(t->commands[6].command_entry, 2);
}

// Dwords of a packet that ends early are forgotten.
RULE(cut_packet)
{
    t->b.i.packet_valid = true;
    t->b.i.packet_word  = header(TOTEM_OP_SET_RESOURCES, 8);
    clock_edge(t);
    clocks(t, 3);
    answered(t, query_status(1, 0x100, 1), SERVICE_FENCE, 2);
    assert_int_equal(t->ended, 0);
}

// What each command of a QUERY_STATUS asks for.
RULE(fences)
{
    static const uint32_t expected[] = {1u << 24, 2u << 29, 2u << 29, 2u << 29 | 2u << 24};
    for (unsigned n = 0; n < 4; n++) {
        answered(t, query_status(n, 0x1007, 5), SERVICE_FENCE, 2);
        assert_int_equal(t->b.o.control, expected[n]);
        assert_int_equal(t->b.o.address, 0x1004);
    }
}

RULE(entry_errors)
{
    const packet p = map_queues(0, 2 * TOTEM_RUN_QUEUES - 2, 0x1000, 0x2000);
    answered(t, p, SERVICE_PLAIN, 3);
    last_command(t, 1, RUN_ADD, TOTEM_RUN_QUEUES - 1);
    refused(t, map_queues(0, 7, 0x1000, 0x2000), TOTEM_ERROR_RUNLIST_ENTRY, 2);
    refused(t, map_queues(0, 2 * TOTEM_RUN_QUEUES, 0x1000, 0x2000), TOTEM_ERROR_RUNLIST_ENTRY, 2);
    packet u  = unmap_queues(0, 0, 3);
    u.word[3] = 1u << 27;
    give(t, u); // the first one is removed
    assert_int_equal(t->b.o.code, TOTEM_ERROR_RUNLIST_ENTRY);
    assert_int_equal(t->b.o.word, u.word[3]);
    assert_int_equal(t->ended, 2);
    clock_edge(t);
    t->how = RUN_ENTRY; // listed twice
    give(t, p);
    assert_int_equal(t->b.o.code, TOTEM_ERROR_RUNLIST_ENTRY);
    assert_int_equal(t->b.o.word, p.word[2]);
}

RULE(mqd_and_address_errors)
{
    refused(t, map_queues(0, 2, 0x1004, 0x2000), TOTEM_ERROR_RUNLIST_MQD, 3);
    refused(t, map_queues(0, 2, 0x1000, 0x2001), TOTEM_ERROR_RUNLIST_MQD, 5);
    refused(t, map_queues(0, 2, 0x10000001000, 0x2000), TOTEM_ERROR_PACKET_ADDRESS, 4);
    refused(t, map_queues(0, 2, 0x1000, 0x10000002000), TOTEM_ERROR_PACKET_ADDRESS, 6);
    refused(t, query_status(2, 0x10000001000, 0), TOTEM_ERROR_PACKET_ADDRESS, 4);
    refused(t, run_list(0x10000001000, 8, false), TOTEM_ERROR_PACKET_ADDRESS, 2);
    answered(t, query_status(0, 0x10000001000, 0), SERVICE_FENCE, 2); // no address is used
    LEVEL(&t->b, settings_address_high, 1);
    answered(t, run_list(0x10000001000, 8, false), SERVICE_LIST, 2);
    assert_int_equal(t->b.o.address, 0x8000001000);
    answered(t, map_queues(0, 2, 0x1000, 0x10000002000), SERVICE_PLAIN, 3);
    assert_int_equal(t->commands[0].command_pointer, 0x8000002000 / 8);
    assert_int_equal(t->commands[0].command_mqd, 0x1000 / 8);
}

// Any other queue: whatever the packet is, and also if it comes in place of one that was given up.
RULE(privilege)
{
    LEVEL(&t->b, runlist_removing, true);
    give(t, unmap_queues(0, 2, 0));
    assert_true(t->b.o.again);
    LEVEL(&t->b, runlist_removing, false);
    clock_edge(t);
    LEVEL(&t->b, packet_privileged, false);
    refused(t, unmap_queues(0, 2, 0), TOTEM_ERROR_RUNLIST_PRIVILEGE, 0);
    refused(t, map_process(1, 1), TOTEM_ERROR_RUNLIST_PRIVILEGE, 0);
    LEVEL(&t->b, packet_privileged, true);
    answered(t, map_queues(3, 0, 8, 0), SERVICE_PLAIN, 3);
    assert_int_equal(t->commands[1].command_process, 0); // that MAP_PROCESS did nothing
    assert_true(t->commands[1].command_static);
}

RULE(layout_errors)
{
    static const uint32_t maps[]   = {1u << 2, 1u << 3, 1u << 4, 1u << 5, 1u << 23, 1u << 26, 1u << 29, 1u << 30};
    static const uint32_t unmaps[] = {0x20000003, 0x20000002, 0x24000000, 0, 0xa0000000};
    packet                p;
    for (unsigned n = 0; n < COUNT(maps); n++) {
        p = map_queues(0, 2, 0x1000, 0x2000);
        p.word[1] ^= maps[n];
        refused(t, p, TOTEM_ERROR_RUNLIST_LAYOUT, 1);
    }
    for (unsigned n = 0; n < COUNT(unmaps); n++) {
        p         = unmap_queues(0, 0, 0);
        p.word[1] = unmaps[n];
        refused(t, p, TOTEM_ERROR_RUNLIST_LAYOUT, 1);
    }
    for (unsigned bit = 28; bit < 30; bit++) {
        p = query_status(2, 0, 0);
        p.word[1] |= 1u << bit;
        refused(t, p, TOTEM_ERROR_RUNLIST_LAYOUT, 1);
    }
    p = run_list(0x1000, 5, false);
    p.word[3] &= ~(1u << 23);
    refused(t, p, TOTEM_ERROR_RUNLIST_LAYOUT, 3);
    refused(t, run_list(0x1000, 0, true), TOTEM_ERROR_PACKET_IB_SIZE_ZERO, 3);
    answered(t, run_list(0x1000, 5, true), SERVICE_LIST, 2); // in the ring chain says nothing
    LEVEL(&t->b, packet_inside, true);
    refused(t, run_list(0x1000, 5, false), TOTEM_ERROR_PACKET_IB_NESTED, 0);
    p.word[0] = header(TOTEM_OP_MAP_PROCESS + 5, 4); // MAP_PROCESS_VM
    refused(t, p, TOTEM_ERROR_RUNLIST_LAYOUT, 0);
}
