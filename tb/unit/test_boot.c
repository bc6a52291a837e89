// SPDX-License-Identifier: Apache-2.0
//
// totem_boot (docs/contract/boot.md) with its list and a machine that takes its time, and refuses one address.

#include "totem_boot.h"

#include "totem_bridge_values.h"

#include "block_bench.h"

BENCH(boot)

enum { ENTRIES = TOTEM_BOOT_LIST_ENTRIES, LIST = BRIDGE_PAGE_LIST << 16, BAD = 0xbad0 };

typedef struct {
    bench    b;
    uint32_t list[4 * ENTRIES];
    struct {
        unsigned clock, answered; // of the run
        bool     write;
        uint32_t address, data;
    } seen[ENTRIES + 1]; // accesses of the machine
    unsigned count;
    unsigned clock; // since the machine's reset ended
    unsigned slow;  // clocks until the machine takes an address, and from there until it answers
    unsigned age;   // clocks of the access under way
    uint32_t value; // what reads give, and their address
    uint32_t data;  // of the bridge's last read
} world;

static void open_world(world *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
}

static void clock_of(world *t)
{
    const totem_boot_out *o = &t->b.o;
    totem_boot_in        *i = &t->b.i;
    assert_false(o->running && o->reset);
    if (o->reset)
        t->age = 0;
    else if (t->age != 0 || o->s_axil_awvalid || o->s_axil_arvalid)
        t->age++;
    if (t->age == 1) {
        assert_true(o->s_axil_awvalid ? o->s_axil_wvalid && !o->s_axil_arvalid && o->s_axil_wstrb == 15
                                      : !o->s_axil_wvalid);
        t->seen[t->count].clock   = t->clock;
        t->seen[t->count].write   = o->s_axil_awvalid;
        t->seen[t->count].address = o->s_axil_awvalid ? o->s_axil_awaddr : o->s_axil_araddr;
        t->seen[t->count++].data  = o->s_axil_wdata;
        assert_true(t->count < COUNT(t->seen));
    }
    i->s_axil_awready = i->s_axil_arready = t->age == 1 + t->slow;
    i->s_axil_wready                      = t->age == 1 + t->slow / 2;
    if (t->age == 2 + 2 * t->slow) {
        const bool write               = t->seen[t->count - 1].write;
        const bool bad                 = t->seen[t->count - 1].address == BAD;
        i->s_axil_bvalid               = write;
        i->s_axil_rvalid               = !write;
        i->s_axil_bresp                = bad ? 2 : 0;
        i->s_axil_rresp                = bad ? 3 : 0;
        i->s_axil_rdata                = t->value + t->seen[t->count - 1].address;
        t->seen[t->count - 1].answered = t->clock;
        t->age                         = 0;
    }
    t->clock = o->reset ? 0 : t->clock + 1;
    TICK_WITH_RAM(t, t->list, list);
}

static void clocks_of(world *t, unsigned clocks)
{
    while (clocks--)
        clock_of(t);
}

static void request(world *t, bool write, uint32_t address, uint32_t data)
{
    LEVEL(&t->b, bridge_request_write, write);
    LEVEL(&t->b, bridge_request_address, address);
    LEVEL(&t->b, bridge_request_data, data);
}

// An access of the bridge to control or list, or to the machine; returns the status.
static unsigned control(world *t, bool write, uint32_t address, uint32_t data)
{
    request(t, write, BRIDGE_REGISTERS << 20 | address, data);
    LEVEL(&t->b, bridge_control_valid, true);
    for (unsigned n = 0; n < 4 && !t->b.o.control_done; n++)
        clock_of(t);
    assert_true(t->b.o.control_done);
    t->data               = t->b.o.control_rdata;
    const unsigned status = t->b.o.control_status;
    clock_of(t);
    LEVEL(&t->b, bridge_control_valid, false);
    return status;
}

static unsigned machine(world *t, bool write, uint32_t address, uint32_t data)
{
    request(t, write, BRIDGE_MACHINE << 20 | address, data);
    LEVEL(&t->b, bridge_machine_valid, true);
    for (unsigned n = 0; n < 100 && !t->b.o.machine_done; n++)
        clock_of(t);
    assert_true(t->b.o.machine_done);
    t->data               = t->b.o.machine_rdata;
    const unsigned status = t->b.o.machine_status;
    clock_of(t);
    LEVEL(&t->b, bridge_machine_valid, false);
    return status;
}

static uint32_t get(world *t, uint32_t address)
{
    assert_int_equal(control(t, false, address, 0), BRIDGE_OK);
    return t->data;
}

static void entry(world *t, unsigned n, uint32_t due, uint32_t kind, uint32_t address, uint32_t data, uint32_t mask)
{
    const uint32_t dwords[4] = {due, kind << 30 | address, data, mask};
    for (unsigned k = 0; k < 4; k++)
        assert_int_equal(control(t, true, LIST + 16 * n + 4 * k, dwords[k]), BRIDGE_OK);
}

// From reset to clock 0 of a run.
static void begin(world *t, uint32_t clocks)
{
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RESET | CONTROL_ABORT), BRIDGE_OK);
    assert_int_equal(control(t, true, BRIDGE_CLOCKS, clocks), BRIDGE_OK);
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RUN), BRIDGE_OK);
    assert_int_equal(t->clock, 0);
    t->count = 0;
}

// The machine without reset, and no run.
static void release(world *t)
{
    assert_int_equal(control(t, true, BRIDGE_CONTROL, 0), BRIDGE_OK);
}

#define RULE(name) RULE_OF(world, open_world, t, name)

RULE(a_run_has_its_clocks)
{
    static const unsigned lengths[] = {1, 2, 3, 40};
    for (unsigned k = 0; k < COUNT(lengths); k++) {
        begin(t, lengths[k]);
        for (unsigned n = 0; n < lengths[k]; n++) {
            assert_true(t->b.o.running && t->b.o.busy && !t->b.o.reset);
            t->b.i.irq = k == 2 && n == 2;
            clock_of(t);
        }
        for (unsigned n = 0; n < 9; n++, clock_of(t))
            assert_true(!t->b.o.running && !t->b.o.busy && !t->b.o.reset);
        assert_int_equal(get(t, BRIDGE_NOW), lengths[k]);
        LEVEL(&t->b, irq, k == 1); // behind the run
        assert_int_equal(get(t, BRIDGE_STATUS) & 0x19, k == 2 ? 0x10 : k == 1 ? 8 : 0);
        LEVEL(&t->b, irq, false);
        assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RUN), BRIDGE_BUSY); // it is not in reset
        assert_false(t->b.o.start || t->b.o.running);
    }
}

// What is written in a run: a length is that of the next; neither a reset nor another run.
RULE(a_run_is_not_changed)
{
    begin(t, 50);
    assert_int_equal(control(t, true, BRIDGE_CLOCKS, 7), BRIDGE_OK);
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RESET), BRIDGE_BUSY);
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RUN), BRIDGE_BUSY);
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RUN | CONTROL_ABORT), BRIDGE_BUSY);
    assert_int_equal(control(t, true, BRIDGE_NOW, 0), BRIDGE_READONLY);
    assert_int_equal(control(t, true, BRIDGE_STATUS, 0), BRIDGE_READONLY);
    assert_int_equal(get(t, BRIDGE_CONTROL), CONTROL_RUN);
    assert_int_equal(control(t, true, LIST, 7), BRIDGE_BUSY);
    assert_int_equal(control(t, false, LIST, 0), BRIDGE_BUSY);
    assert_int_equal(t->list[0], 0);
    while (t->b.o.running)
        clock_of(t);
    assert_int_equal(t->clock, 50);
    assert_int_equal(get(t, BRIDGE_CLOCKS), 7);
    assert_int_equal(control(t, true, LIST + 4 * (4 * ENTRIES - 1), 0x1234), BRIDGE_OK);
    assert_int_equal(get(t, LIST + 4 * (4 * ENTRIES - 1)), 0x1234);
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RESET), BRIDGE_OK);
    assert_int_equal(get(t, BRIDGE_CONTROL), CONTROL_RESET);
}

// In order; each two clocks behind its own, or as soon as the one before lets it.
RULE(entries_are_done_when_due)
{
    static const unsigned due[] = {0, 20, 20, 3, 90};
    for (unsigned n = 0; n < 5; n++)
        entry(t, n, due[n], ENTRY_WRITE, 0x100 + 4 * n, n, 0);
    entry(t, 5, 0, 3, 0x200, 0, 0); // the end
    entry(t, 6, 0, ENTRY_WRITE, 0x300, 0, 0);
    for (t->slow = 0; t->slow < 4; t->slow++) {
        begin(t, 200);
        clocks_of(t, 150);
        assert_int_equal(t->count, 5);
        for (unsigned n = 0; n < 5; n++)
            assert_true(t->seen[n].write && t->seen[n].address == 0x100 + 4 * n && t->seen[n].data == n);
        assert_int_equal(t->seen[0].clock, 5);
        assert_int_equal(t->seen[1].clock, 22);
        assert_int_equal(t->seen[2].clock, t->seen[1].answered + 8);
        assert_int_equal(t->seen[3].clock, t->seen[2].answered + 8);
        assert_int_equal(t->seen[4].clock, 92);
        assert_int_equal(get(t, BRIDGE_STATUS), 5 << 16 | 2 | 1); // at its end
    }
}

RULE(the_last_entry_ends_the_list)
{
    for (unsigned n = 0; n < ENTRIES; n++)
        t->list[4 * n + 1] = (uint32_t)ENTRY_WRITE << 30 | n;
    begin(t, 20 * ENTRIES);
    while (t->b.o.running)
        clock_of(t);
    assert_int_equal(t->count, ENTRIES);
    assert_int_equal(t->seen[ENTRIES - 1].address, ENTRIES - 1);
    assert_int_equal(get(t, BRIDGE_STATUS), (ENTRIES - 1) << 16 | 2);
}

// A wait reads until the bits of its mask fit; the next entry follows the read that fits.
RULE(a_wait_ends_when_it_fits)
{
    t->slow = 2;
    entry(t, 0, 0, ENTRY_WAIT, 0x40, 0x1200, 0xff00);
    entry(t, 1, 0, ENTRY_WRITE, 0x44, 1, 0);
    begin(t, 200);
    t->value = 0x1300;
    clocks_of(t, 100);
    const unsigned reads = t->count;
    assert_true(reads > 5);
    t->value = 0x771211;
    clocks_of(t, 100);
    assert_true(t->count <= reads + 3);
    for (unsigned n = 0; n < t->count; n++)
        assert_true(t->seen[n].write == (n == t->count - 1) && t->seen[n].address == (t->seen[n].write ? 0x44 : 0x40));
    // One that does not fit ends with the run, and the next run begins with entry 0.
    for (unsigned n = 0; n < 2; n++) {
        begin(t, 200);
        t->value = 0;
        clocks_of(t, 300);
        assert_true(t->seen[0].clock == 5 && t->seen[t->count - 1].clock <= 200);
        assert_int_equal(get(t, BRIDGE_STATUS), 0);
    }
}

// No access begins behind the clock after the run; one under way is finished, and noted if it is an error.
RULE(the_end_of_a_run_stops_the_list)
{
    t->slow = 10;
    entry(t, 0, 10, ENTRY_WRITE, BAD, 0, 0);
    entry(t, 1, 10, ENTRY_WRITE, 0x104, 0, 0);
    for (unsigned length = 9; length < 60; length++) {
        begin(t, length);
        clocks_of(t, 120);
        assert_int_equal(t->count, length < 12 ? 0 : t->seen[0].answered + 7 > length - 1 ? 1 : 2);
        assert_int_equal(t->b.o.failed, t->count != 0);
        assert_true(t->count == 0 || t->seen[0].answered == 12 + 1 + 2 * 10);
    }
}

// The next entry follows; the status tells the first that failed, until the next run.
RULE(errors_are_noted)
{
    entry(t, 0, 0, ENTRY_WRITE, 0x100, 0, 0);
    entry(t, 1, 0, ENTRY_WAIT, BAD, 1, 1);
    entry(t, 2, 0, ENTRY_WRITE, BAD, 0, 0);
    entry(t, 3, 0, ENTRY_WRITE, 0x104, 0, 0);
    for (unsigned n = 0; n < 2; n++) {
        begin(t, 100);
        assert_false(t->b.o.failed);
        clocks_of(t, 110);
        assert_int_equal(t->count, 4);
        assert_true(!t->seen[1].write && t->seen[3].address == 0x104);
        assert_true(t->b.o.failed);
        assert_int_equal(get(t, BRIDGE_STATUS), 1 << 16 | 4 | 2);
    }
}

// Refused from reset to the last clock of a run with an end, then done.
RULE(the_bridge_has_the_machine_behind_the_run)
{
    assert_int_equal(machine(t, false, 0x10, 0), BRIDGE_BUSY);
    for (unsigned length = 30; length < 32; length++) {
        begin(t, length);
        while (t->clock < length)
            assert_int_equal(machine(t, true, 0x10, 5), BRIDGE_BUSY);
        assert_int_equal(t->count, 0);
        t->value = 0x700;
        assert_int_equal(machine(t, false, 0x10, 0), BRIDGE_OK);
        assert_int_equal(t->data, 0x710);
        assert_int_equal(machine(t, true, 0x14, 5), BRIDGE_OK);
        assert_true(t->count == 2 && !t->seen[0].write && t->seen[1].write && t->seen[1].data == 5);
        assert_true(t->seen[0].address == 0x10 && t->seen[1].address == 0x14);
        assert_int_equal(machine(t, true, BAD, 5), BRIDGE_BUS);
        assert_int_equal(machine(t, false, BAD, 5), BRIDGE_BUS);
        assert_false(t->b.o.failed); // that is of the list
    }
}

// A run without an end: the bridge has the machine, but the list goes before it.
RULE(an_endless_run)
{
    entry(t, 0, 20, ENTRY_WRITE, 0x100, 0, 0);
    begin(t, 0);
    assert_true(t->b.o.running && !t->b.o.busy);
    assert_int_equal(machine(t, false, 0x10, 0), BRIDGE_OK);
    while (t->clock < 20)
        clock_of(t);
    assert_int_equal(machine(t, false, 0x14, 0), BRIDGE_OK);
    assert_true(t->count == 3 && t->seen[1].address == 0x100 && t->seen[1].clock == 22);
    clocks_of(t, 1000);
    assert_true(t->b.o.running && !t->b.o.busy);
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_RESET), BRIDGE_BUSY);
    assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_ABORT), BRIDGE_OK);
    assert_true(!t->b.o.running && !t->b.o.reset);
    const uint32_t now = get(t, BRIDGE_NOW);
    assert_in_range(now, 1020, t->clock);
    assert_int_equal(get(t, BRIDGE_NOW), now);
    assert_int_equal(machine(t, false, 0x10, 0), BRIDGE_OK);
}

// An access that the bridge withdraws, at whatever clock: its answer is not that of the next.
RULE(a_withdrawn_access_answers_nobody)
{
    release(t);
    for (t->slow = 0; t->slow < 6; t->slow += 5)
        for (unsigned held = 1; held < 16; held++) {
            request(t, held % 2, BRIDGE_MACHINE << 20 | BAD, 0);
            LEVEL(&t->b, bridge_machine_valid, true);
            for (unsigned n = 0; n < held && !t->b.o.machine_done; n++)
                clock_of(t);
            LEVEL(&t->b, bridge_machine_valid, false);
            clock_of(t);
            assert_false(t->b.o.machine_done);
            t->value = held << 16;
            assert_int_equal(machine(t, false, 0x20, 0), BRIDGE_OK);
            assert_int_equal(t->data, (held << 16) + 0x20);
            t->count = 0;
        }
}

// An abort ends the run in the next clock; with a reset, what was under way is dropped. The next run is a fresh one.
RULE(an_abort)
{
    t->slow = 30;
    entry(t, 0, 0, ENTRY_WRITE, 0x100, 0, 0);
    for (unsigned n = 0; n < 4; n++) {
        begin(t, 100);
        clocks_of(t, 10 * n);
        const unsigned clocks = t->clock;
        assert_int_equal(control(t, true, BRIDGE_CONTROL, CONTROL_ABORT | (n % 2 ? CONTROL_RESET : 0)), BRIDGE_OK);
        assert_true(!t->b.o.running && !t->b.o.busy && t->b.o.reset == n % 2);
        assert_int_equal(get(t, BRIDGE_NOW), clocks + 1);
        assert_false(n % 2 && (t->b.o.s_axil_awvalid || t->b.o.s_axil_wvalid));
        assert_true(t->count == (n != 0) && (n == 0 || t->seen[0].clock == 5));
        clocks_of(t, 100);
    }
}
