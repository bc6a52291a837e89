// SPDX-License-Identifier: Apache-2.0
//
// totem_mqd: rules, errors and meetings of docs/contract/mqd.md. The bench holds the MQDs in memory, the windows and the
// registers, and answers every request as the neighbours do.

#include "block_bench.h"

#include "totem_load.h"
#include "totem_mqd.h"
#include "totem_pm4.h"

BENCH(mqd)

enum { DWORDS = 512, WAIT = 20000 };

typedef struct {
    bench    b;
    uint64_t address; // of the MQD, in bytes; dword 0 of `memory`
    uint32_t memory[DWORDS];
    uint32_t window[TOTEM_QUEUES][64];
    uint32_t registers[TOTEM_QUEUES][128];
    uint64_t block[16];
    uint64_t load[32];      // last load word of every kind
    unsigned loads[32];     // how many came
    uint8_t  refuse;        // error of the next ACTIVE write
    uint8_t  reason;        // dequeue type that the word ACTIVE answers
    unsigned read_error_at; // dword whose beat fails, 0 none
    bool     write_error;   // the next acknowledge fails
    uint64_t burst;         // address of the next beat
    unsigned beats;         // still to come
    unsigned acks;          // still to come
    uint64_t first;         // first word of a write
    bool     second;
    unsigned writes;
    uint64_t interrupt;
    unsigned interrupts;
    uint64_t error[2];
    unsigned errors;
} mqd_bench;

static void open_bench(mqd_bench *t, uint64_t address)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->address            = address;
    t->b.hold.write_ready = t->b.hold.read_ready = t->b.hold.bank_ready = true;
    t->b.hold.interrupt_ready = t->b.hold.error_ready = true;
    t->b.i                                            = t->b.hold;
    for (unsigned d = 0; d < DWORDS; d++)
        t->memory[d] = 0xabc00000u + d;
    t->memory[96] = t->memory[93]; // its older work has ended
    t->memory[97] = t->memory[107];
    for (unsigned q = 0; q < TOTEM_QUEUES; q++) {
        for (unsigned d = 0; d < 64; d++)
            t->window[q][d] = 0x10000u * q + 0x700 + d;
        t->window[q][0]  = (uint32_t)address;
        t->window[q][1]  = (uint32_t)(address >> 32);
        t->window[q][4]  = 0;
        t->window[q][21] = 0;
        for (unsigned r = 0; r < 128; r++)
            t->registers[q][r] = 0x20000u * q + 0x9000 + r;
    }
}

static uint32_t *memory_at(mqd_bench *t, uint64_t address)
{
    const uint64_t  d = (address - t->address) / 4;
    static uint32_t outside;
    return address >= t->address && d < DWORDS ? &t->memory[d] : &outside;
}

static void hqd(mqd_bench *t, const totem_mqd_out *o)
{
    totem_mqd_in *i = &t->b.i;
    uint32_t     *w = t->window[o->access_queue];
    if (!o->access_valid)
        return;
    i->hqd_done = true;
    switch (o->access_kind) {
    case 0: i->hqd_data = w[o->access_dword]; break;
    case 1:
        w[o->access_dword] = (uint32_t)o->access_data;
        if (o->access_dword == 2) {
            i->hqd_error                           = t->refuse;
            i->hqd_data                            = 0x5151;
            t->b.hold.hqd_request[o->access_queue] = t->refuse ? 2 : 1;
        }
        break;
    default:
        assert_int_equal(o->access_kind, 2);
        assert_true(o->access_dword <= LOAD_MOVED);
        t->load[o->access_dword] = o->access_data;
        t->loads[o->access_dword]++;
        if (o->access_dword == LOAD_MOVED)
            t->b.hold.hqd_request[o->access_queue] = 0;
        if (o->access_dword == LOAD_ACTIVE) {
            t->b.hold.hqd_request[o->access_queue] = 0;
            i->hqd_data                            = t->reason;
        }
        break;
    }
}

static void clock_edge(mqd_bench *t)
{
    const totem_mqd_out o = t->b.o;
    totem_mqd_in       *i = &t->b.i;

    hqd(t, &o);
    bool answer = false;
    if (o.bank_valid && i->bank_ready) {
        uint32_t *r = &t->registers[o.bank_queue][o.bank_offset];
        if (o.bank_write)
            *r = o.bank_data;
        else
            answer = true;
        t->b.hold.bank_read_data = *r;
    }
    if (t->beats != 0) {
        const unsigned d = (unsigned)((t->burst - t->address) / 4);
        i->data_valid    = true;
        i->data_word     = *memory_at(t, t->burst) | (uint64_t)*memory_at(t, t->burst + 4) << 32;
        i->data_error    = t->read_error_at != 0 && (d == t->read_error_at || d + 1 == t->read_error_at) ? 2 : 0;
        i->data_last     = --t->beats == 0;
        t->burst += 8;
    }
    if (o.read_valid && i->read_ready) {
        assert_int_equal(o.read_addr / 128, (o.read_addr + o.read_beats * 8 - 1) / 128);
        t->burst = o.read_addr;
        t->beats = o.read_beats;
    }
    if (t->acks != 0) {
        t->acks--;
        i->write_ack       = true;
        i->write_ack_error = t->write_error ? 1 : 0;
        t->write_error     = false;
    }
    if (o.write_valid && i->write_ready) {
        if (!t->second) {
            t->first = o.write_word;
        } else {
            const uint64_t to = t->first & 0xffffffffffull;
            if (t->first >> 40 & 1)
                *memory_at(t, to) = (uint32_t)o.write_word;
            if (t->first >> 44 & 1)
                *memory_at(t, to + 4) = (uint32_t)(o.write_word >> 32);
            t->acks++;
            t->writes++;
        }
        t->second = !t->second;
    }
    if (o.interrupt_valid && i->interrupt_ready) {
        t->interrupt = o.interrupt_word;
        t->interrupts++;
    }
    if (o.error_valid && i->error_ready)
        t->error[t->errors++ & 1] = o.error_word;
    if (o.ram_write_enable)
        t->block[o.ram_write_addr] = o.ram_write_data;
    const uint64_t read = o.ram_read_enable ? t->block[o.ram_read_addr] : t->b.hold.ram_read_data;

    // The word ACTIVE and the write of ACTIVE change the request behind this clock edge.
    tick(&t->b);
    t->b.hold.ram_read_data = t->b.i.ram_read_data = read;
    t->b.i.bank_answer                             = answer;
}

static unsigned run(mqd_bench *t, uint8_t queue, uint8_t job)
{
    unsigned clocks = 0;
    LEVEL(&t->b, hqd_request[queue], job);
    clock_edge(t);
    while (t->b.o.busy) {
        assert_true(++clocks < WAIT);
        clock_edge(t);
    }
    return clocks;
}

static const uint64_t addresses[] = {0x80001000, 0x80001004, 0x123456787c, 0xffffffe00};

static void preload_brings_all_registers(void **unused)
{
    (void)unused;
    for (unsigned a = 0; a < 4; a++) {
        mqd_bench t;
        open_bench(&t, addresses[a]);
        t.window[1][4] = 0x80000001u;
        run(&t, 1, 1);
        for (unsigned r = 0; r < 83; r++)
            assert_int_equal(t.registers[1][r], 0xabc00001u + r);
        assert_int_equal(t.registers[1][83], 0x20000u + 0x9000 + 83);
        assert_int_equal(t.loads[LOAD_ACTIVE], 1);
        assert_int_equal(t.load[LOAD_ACTIVE], 7);
        assert_int_equal(t.loads[LOAD_BUFFER] + t.loads[LOAD_BUFFER_LEFT], 0);
        assert_int_equal(t.errors + t.interrupts + t.writes, 0);
    }
}

// Clocks until the next burst is asked for.
static unsigned next_read(mqd_bench *t)
{
    unsigned clocks = 0;
    do {
        assert_true(++clocks < WAIT);
        clock_edge(t);
    } while (!t->b.o.read_valid);
    return clocks;
}

// Records that differ are read again, at a distance, until they are equal; other slots are served in between.
static void records_are_compared(void **unused)
{
    static const unsigned dwords[] = {93, 96, 97, 107};
    (void)unused;
    for (unsigned a = 0; a < 4; a++)
        for (unsigned d = 0; d < 4; d++) {
            mqd_bench t;
            open_bench(&t, addresses[a]);
            t.memory[dwords[d]] ^= 0x100u << d;
            run(&t, 1, 1);
            assert_true(t.b.o.behind[1]);
            assert_int_equal(t.loads[LOAD_ACTIVE] + t.loads[LOAD_SEQUENCE], 0);
            const unsigned first = next_read(&t);
            assert_in_range(first, 64, 70);
            while (t.b.o.busy)
                clock_edge(&t);
            assert_true(t.b.o.behind[1]);
            LEVEL(&t.b, hqd_request[2 % TOTEM_QUEUES], 3); // a save meanwhile
            t.window[2 % TOTEM_QUEUES][0] = t.window[2 % TOTEM_QUEUES][1] = 0;
            for (unsigned k = 0; k < 40; k++)
                clock_edge(&t);
            assert_int_equal(t.loads[LOAD_ACTIVE], 1);
            t.memory[dwords[d]] ^= 0x100u << d;
            while (t.b.o.behind[1] || t.b.o.busy)
                clock_edge(&t);
            assert_int_equal(t.loads[LOAD_SEQUENCE], 1);
            assert_int_equal(t.load[LOAD_SEQUENCE], t.memory[107]);
            assert_int_equal(t.loads[LOAD_ACTIVE], 2);
            assert_int_equal(t.load[LOAD_ACTIVE], 1);
            assert_int_equal(t.errors + t.interrupts + t.writes, 0);
        }
}

// The host calls such a mapping off: it ends at once, not at the next look.
static void waiting_mapping_is_called_off(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    t.memory[97] ^= 1;
    run(&t, 1, 1);
    LEVEL(&t.b, hqd_leaving[1], true);
    assert_in_range(next_read(&t), 1, 14);
    t.reason = 4;
    while (t.b.o.busy)
        clock_edge(&t);
    assert_false(t.b.o.behind[1]);
    assert_int_equal(t.loads[LOAD_ACTIVE], 1);
    assert_int_equal(t.loads[LOAD_SEQUENCE], 0);
    assert_int_equal(t.interrupts, 1);
}

static void mapping_without_preload_reads_no_registers(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    run(&t, 0, 1);
    assert_int_equal(t.load[LOAD_ACTIVE], 1);
    assert_int_equal(t.registers[0][0], 0x9000);
}

static void open_buffer_goes_over_the_load_bus(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    t.window[2][18] = 0x40000010;
    t.window[2][19] = 0x12;
    t.window[2][20] = 5;
    t.window[2][21] = 0x80000000u | 100;
    run(&t, 2, 1);
    assert_int_equal(t.load[LOAD_BUFFER], 0x1240000024);
    assert_int_equal(t.load[LOAD_BUFFER_LEFT], 95);
    assert_int_equal(t.load[LOAD_ACTIVE], 1);
    // Nothing left of it: none is open.
    open_bench(&t, 0x80001000);
    t.window[2][20] = 100;
    t.window[2][21] = 0x80000000u | 100;
    run(&t, 2, 1);
    assert_int_equal(t.loads[LOAD_BUFFER] + t.loads[LOAD_BUFFER_LEFT], 0);
    assert_int_equal(t.load[LOAD_ACTIVE], 1);
}

static void failed_read_refuses_the_mapping(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    t.window[0][4]  = 1;
    t.read_error_at = 40;
    run(&t, 0, 1);
    assert_int_equal(t.loads[LOAD_ACTIVE], 1);
    assert_int_equal(t.load[LOAD_ACTIVE], 0);
    assert_int_equal(t.errors, 2);
    assert_int_equal(t.error[0] >> 56, TOTEM_ERROR_MEMORY_READ_DECERR);
    assert_int_equal(t.error[0] & 0xffffffffff, 0x80001000 + 4 * 32); // the burst of the block that failed
    assert_int_equal(t.error[1], (0x80001000 + 4 * 32) & 0xffffffff);
    assert_int_equal(t.interrupts, 0);
    // Called off by a dequeue: its interrupt follows the record.
    t.reason = 1;
    run(&t, 0, 1);
    assert_int_equal(t.errors, 4);
    assert_int_equal(t.interrupts, 1);
}

static void map_register_loads_the_window(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001004);
    run(&t, 1, 2);
    // hqd turned the job into 1 when ACTIVE was written; that job has run too.
    assert_int_equal(t.window[1][0], 0x80001004);
    assert_int_equal(t.window[1][1], 0);
    for (unsigned d = 3; d < 56; d++)
        assert_int_equal(t.window[1][d], 0xabc00080u + d);
    assert_int_equal(t.window[1][56], 0x10000 + 0x700 + 56);
    while (t.b.hold.hqd_request[1] != 0 || t.b.o.busy)
        clock_edge(&t);
    assert_int_equal(t.loads[LOAD_ACTIVE], 1);
    assert_int_equal(t.load[LOAD_ACTIVE] & 1, 1);
}

static void refused_descriptor_is_a_record(void **unused)
{
    (void)unused;
    static const uint8_t codes[][2] = {{TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY, TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY},
                                       {TOTEM_ERROR_HOST_MAP_AQL, TOTEM_ERROR_DESCRIPTOR_AQL},
                                       {TOTEM_ERROR_HOST_MAP_QUEUE_SIZE, TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE},
                                       {TOTEM_ERROR_HOST_MAP_NO_EPOCH, TOTEM_ERROR_DESCRIPTOR_NO_EPOCH},
                                       {TOTEM_ERROR_HOST_MAP_POINTERS, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD}};
    for (unsigned n = 0; n < 5; n++) {
        mqd_bench t;
        open_bench(&t, 0x80001000);
        t.refuse = codes[n][0] & 31;
        run(&t, 0, 2);
        assert_int_equal(t.error[0] >> 56, codes[n][1]);
        assert_int_equal(t.error[0] & 0xffffffffff, 0x80001000);
        assert_int_equal(t.error[1], 0x5151);
        assert_int_equal(t.loads[LOAD_ACTIVE], 1);
        assert_int_equal(t.load[LOAD_ACTIVE], 0);
    }
}

static void save_writes_the_v9_layout(void **unused)
{
    (void)unused;
    for (unsigned a = 0; a < 4; a++) {
        mqd_bench t;
        open_bench(&t, addresses[a]);
        t.reason        = 4;
        t.window[3][2]  = 1;
        t.window[3][24] = 0x404;
        LEVEL(&t.b, packet_unfinished[3], true);
        uint32_t before[64];
        memcpy(before, t.window[3], sizeof before);
        run(&t, 3, 3);
        for (unsigned d = 0; d < 64;
             d++) // what is saved of grid and buffer is in the window too, nothing else has changed
            assert_int_equal(t.window[3][d], d == 4 || (d >= 18 && d <= 21) ? t.memory[128 + d] : before[d]);
        for (unsigned d = 0; d < DWORDS; d++) {
            uint32_t want = 0xabc00000u + d;
            if (d >= 1 && d <= 83)
                want = 0x60000u + 0x9000 + d - 1;
            else if (d >= 128 && d <= 183)
                want = t.window[3][d - 128];
            switch (d) {
            case 96: want = 0xabc00000u + 93; break; // as it was
            case 97: want = 0xabc00000u + 107; break;
            case 130: want = 0; break;
            case 132: want = 0x80000001u; break;
            case 149: want = 0; break;
            case 152: want = 0x400; break;
            default: break;
            }
            assert_int_equal(t.memory[d], want);
        }
        assert_int_equal(t.writes, addresses[a] / 4 % 2 ? 71 : 70);
        assert_int_equal(t.load[LOAD_ACTIVE], 0);
        assert_int_equal(t.interrupts, 1);
        assert_int_equal(t.interrupt, 3ull << 32 | 4);
        assert_int_equal(t.errors, 0);
    }
}

static void save_keeps_the_open_buffer(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    LEVEL(&t.b, fetch_buffer[0], true);
    LEVEL(&t.b, fetch_buffer_addr[0], 0x1240000024 >> 2);
    LEVEL(&t.b, fetch_buffer_left[0], 95);
    t.window[0][21] = 0x80300123u;
    run(&t, 0, 3);
    assert_int_equal(t.memory[146], 0x40000024);
    assert_int_equal(t.memory[147], 0x12);
    assert_int_equal(t.memory[148], 0);
    assert_int_equal(t.memory[149], 0x80300000u | 95);
    for (unsigned d = 18; d <= 21; d++)
        assert_int_equal(t.window[0][d], t.memory[128 + d]);
    assert_int_equal(t.window[0][4], t.memory[132]);
}

static void failed_write_is_a_record_and_the_save_goes_on(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    t.write_error  = true;
    t.reason       = 1;
    t.window[0][4] = 0x0be05301;
    run(&t, 0, 3);
    assert_int_equal(t.writes, 70);
    assert_int_equal(t.window[0][4], 0x8be05300); // nothing that can be mapped
    assert_int_equal(t.error[0] >> 56, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
    assert_int_equal(t.error[0] & 0xffffffffff, 0x80001000);
    assert_int_equal(t.error[1], 0x80001000);
    assert_int_equal(t.load[LOAD_ACTIVE], 0);
    assert_int_equal(t.interrupts, 1);
}

static void no_descriptor_no_save(void **unused)
{
    (void)unused;
    for (unsigned n = 0; n < 4; n++) { // its window tells what is lost
        mqd_bench  t;
        const bool grid = n & 1, open = n & 2;
        open_bench(&t, 0);
        t.reason         = 4;
        t.window[0][4]   = 0x0be05300;
        t.window[0][21]  = 0x00b00000;
        const uint32_t a = t.window[0][18];
        LEVEL(&t.b, packet_unfinished[0], grid);
        LEVEL(&t.b, fetch_buffer[0], open);
        LEVEL(&t.b, fetch_buffer_addr[0], 0x1240000024 >> 2);
        LEVEL(&t.b, fetch_buffer_left[0], 95);
        run(&t, 0, 3);
        assert_int_equal(t.writes, 0);
        assert_int_equal(t.loads[LOAD_ACTIVE], 1);
        assert_int_equal(t.interrupts, 1);
        assert_int_equal(t.errors, 0);
        assert_int_equal(t.window[0][4], grid ? 0x8be05300 : 0x0be05300);
        assert_int_equal(t.window[0][18], open ? 0x40000024 : a);
        assert_int_equal(t.window[0][21], open ? 0x80b00000u + 95 : 0x00b00000);
    }
}

// Job 7 only says that it is done: what a slot that is not active left has ended.
static void end_of_a_reset_without_a_queue(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x600000);
    t.reason = 2;
    run(&t, 1, 7);
    assert_int_equal(t.writes, 0);
    assert_int_equal(t.loads[LOAD_ACTIVE], 1);
    assert_int_equal(t.load[LOAD_ACTIVE], 0);
    assert_int_equal(t.interrupts, 1);
}

static void job_ends_only_when_all_writes_are_acknowledged(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    LEVEL(&t.b, hqd_request[0], 3);
    for (unsigned n = 0; n < 4000; n++) {
        t.acks = 0; // swallowed
        clock_edge(&t);
    }
    assert_true(t.b.o.busy);
    assert_int_equal(t.loads[LOAD_ACTIVE], 0);
    assert_int_equal(t.writes, 70);
    t.acks = 70;
    for (unsigned n = 0; n < 100; n++)
        clock_edge(&t);
    assert_int_equal(t.loads[LOAD_ACTIVE], 1);
}

// ---- the sources' switch

static void switch_save_keeps_the_slot(void **unused)
{
    (void)unused;
    for (unsigned row = 0; row < 3; row++) {
        mqd_bench t;
        open_bench(&t, row == 2 ? 0 : 0x80001008);
        t.reason      = 4; // of another queue: not this one's business
        t.write_error = row == 1;
        LEVEL(&t.b, packet_unfinished[3], true);
        uint32_t before[64];
        memcpy(before, t.window[3], sizeof before);
        run(&t, 3, 5);
        assert_memory_equal(t.window[3], before, sizeof before);
        assert_int_equal(t.loads[LOAD_ACTIVE] + t.interrupts, 0);
        assert_int_equal(t.loads[LOAD_MOVED], 1);
        assert_int_equal(t.load[LOAD_MOVED] & 0xb, row == 0 ? 2 : row == 1 ? 8 : 0);
        assert_int_equal(t.writes, row == 2 ? 0 : 70);
        assert_int_equal(t.errors, row == 1 ? 2 : 0);
        if (row == 1)
            assert_int_equal(t.error[0] >> 56, TOTEM_ERROR_MEMORY_WRITE_SLVERR);
        for (unsigned d = 1; d <= 83 && row < 2; d++)
            assert_int_equal(t.memory[d], 0x60000u + 0x9000 + d - 1);
        if (row == 0)
            assert_int_equal(t.memory[132], 0x80000001u);
    }
}

// What is the pipe's or the host's in the window.
static bool own(unsigned d)
{
    static const uint8_t list[] = {0, 1, 2, 4, 5, 6, 7, 10, 18, 19, 20, 21, 24, 54, 55};
    for (unsigned n = 0; n < sizeof list; n++)
        if (list[n] == d)
            return true;
    return d >= 56;
}

static void switch_load_brings_everything(void **unused)
{
    (void)unused;
    for (unsigned a = 0; a < 4; a++)
        for (unsigned open = 0; open < 2; open++) {
            mqd_bench t;
            open_bench(&t, addresses[a]);
            uint32_t before[64];
            memcpy(before, t.window[1], sizeof before);
            t.memory[132] = open ? 0x80000001u : 1;
            t.memory[146] = 0x40000024;
            t.memory[147] = 0x12;
            t.memory[148] = 3; // not looked at
            t.memory[149] = open ? 0x80300000u | 95 : 0x300000u | 95;
            run(&t, 1, 6);
            for (unsigned r = 0; r < 83; r++)
                assert_int_equal(t.registers[1][r], 0xabc00001u + r);
            assert_int_equal(t.registers[1][83], 0x20000u + 0x9000 + 83);
            for (unsigned d = 0; d < 64; d++)
                assert_int_equal(t.window[1][d], own(d) ? before[d] : 0xabc00080u + d);
            assert_int_equal(t.loads[LOAD_RPTR], 1);
            assert_int_equal(t.load[LOAD_RPTR], 0xabc00080u + 10);
            assert_int_equal(t.load[LOAD_BUFFER], 0x1240000024);
            assert_int_equal(t.load[LOAD_BUFFER_LEFT], open ? 95 : 0);
            assert_int_equal(t.loads[LOAD_MOVED], 1);
            assert_int_equal(t.load[LOAD_MOVED], open ? 7 : 3);
            assert_int_equal(t.loads[LOAD_ACTIVE] + t.errors + t.interrupts + t.writes, 0);
        }
}

// A load that failed has told nobody anything but that; it is made again and succeeds.
static void failed_switch_load_can_be_repeated(void **unused)
{
    static const uint8_t places[] = {1, 40, 83, 138, 150, 183};
    (void)unused;
    for (unsigned n = 0; n < sizeof places; n++) {
        mqd_bench t;
        open_bench(&t, 0x80001000);
        t.read_error_at = places[n];
        run(&t, 1, 6);
        assert_int_equal(t.loads[LOAD_RPTR] + t.loads[LOAD_BUFFER] + t.loads[LOAD_BUFFER_LEFT] + t.loads[LOAD_ACTIVE], 0);
        assert_int_equal(t.loads[LOAD_MOVED], 1);
        assert_int_equal(t.load[LOAD_MOVED] & 0xb, 10);
        assert_int_equal(t.errors, 2);
        assert_int_equal(t.error[0] >> 56, TOTEM_ERROR_MEMORY_READ_DECERR);
        t.read_error_at = 0;
        run(&t, 1, 6);
        assert_int_equal(t.loads[LOAD_MOVED], 2);
        assert_int_equal(t.load[LOAD_MOVED] & 0xb, 3);
        assert_int_equal(t.errors, 2);
    }
}

static void slots_take_turns(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        LEVEL(&t.b, hqd_request[q], 1);
    for (unsigned n = 1; n <= TOTEM_QUEUES; n++) {
        while (t.loads[LOAD_ACTIVE] < n)
            clock_edge(&t);
        assert_int_equal(t.b.s.queue, n % TOTEM_QUEUES);
    }
}

static void latency_of_preload_and_save(void **unused)
{
    (void)unused;
    mqd_bench t;
    open_bench(&t, 0x80001000);
    t.window[0][4]         = 1;
    const unsigned preload = run(&t, 0, 1);
    open_bench(&t, 0x80001000);
    const unsigned save = run(&t, 0, 3);
    const unsigned load = run(&t, 0, 6);
    print_message("preload %u clocks, save %u, switch load %u clocks with answers in the next clock\n", preload, save,
                  load);
    assert_true(load < 700);
    assert_true(preload < 400);
    assert_true(save < 800);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(preload_brings_all_registers),
        cmocka_unit_test(records_are_compared),
        cmocka_unit_test(waiting_mapping_is_called_off),
        cmocka_unit_test(mapping_without_preload_reads_no_registers),
        cmocka_unit_test(open_buffer_goes_over_the_load_bus),
        cmocka_unit_test(failed_read_refuses_the_mapping),
        cmocka_unit_test(map_register_loads_the_window),
        cmocka_unit_test(refused_descriptor_is_a_record),
        cmocka_unit_test(save_writes_the_v9_layout),
        cmocka_unit_test(save_keeps_the_open_buffer),
        cmocka_unit_test(failed_write_is_a_record_and_the_save_goes_on),
        cmocka_unit_test(no_descriptor_no_save),
        cmocka_unit_test(end_of_a_reset_without_a_queue),
        cmocka_unit_test(job_ends_only_when_all_writes_are_acknowledged),
        cmocka_unit_test(switch_save_keeps_the_slot),
        cmocka_unit_test(switch_load_brings_everything),
        cmocka_unit_test(failed_switch_load_can_be_repeated),
        cmocka_unit_test(slots_take_turns),
        cmocka_unit_test(latency_of_preload_and_save),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
