// SPDX-License-Identifier: Apache-2.0
//
// totem_bank: rules, latencies and meetings of docs/contract/bank.md. The bench holds the register RAM and the launch
// state RAM. Clock 0 is the one in which a neighbour asks.

#include "block_bench.h"

#include "totem_bank.h"
#include "totem_load.h"

BENCH(bank)

enum {
    Q         = TOTEM_QUEUES - 1,
    INITIATOR = 0x00,
    DIM       = 0x01,
    START     = 0x04,
    THREAD_X  = 0x07,
    THREAD_Y  = 0x08,
    THREAD_Z  = 0x09,
    PGM_LO    = 0x0c,
    PGM_HI    = 0x0d,
    RSRC1     = 0x12,
    RSRC2     = 0x13,
    TMPRING   = 0x18,
    RESTART   = 0x1b,
    RELAUNCH  = 0x22,
    RSRC3     = 0x28,
    USER_DATA = 0x40,
    DERIVED   = 0x7c,
    THREADS   = 0x7d,
    LOADED    = 10, // clocks from go to loaded
    RESUMED   = 18, // with an unfinished grid
};

static const uint8_t mgmt[4] = {0x16, 0x17, 0x19, 0x1a};

#define EVERY_ENGINE (((1u << TOTEM_SE_COUNT) - 1) << 6)

typedef struct {
    bench    b;
    uint32_t ram[TOTEM_QUEUES * 128];
    uint32_t low[TOTEM_QUEUES * 16], high[TOTEM_QUEUES * 16];
    unsigned now, reads;
    uint16_t read[16];
} register_bench;

static void clock_edge(register_bench *t)
{
    const totem_bank_out o    = t->b.o;
    const uint32_t       read = o.ram_read_enable ? t->ram[o.ram_read_addr] : t->b.hold.ram_read_data;
    assert_false(o.ram_read_enable && o.ram_write_enable && o.ram_read_addr == o.ram_write_addr);
    if (o.ram_read_enable && t->reads < 16)
        t->read[t->reads++] = o.ram_read_addr;
    if (o.ram_write_enable)
        t->ram[o.ram_write_addr] = o.ram_write_data;
    if (o.state_write_low)
        t->low[o.state_write_addr] = (uint32_t)o.state_write_data;
    if (o.state_write_high)
        t->high[o.state_write_addr] = (uint32_t)(o.state_write_data >> 32);
    tick(&t->b);
    LEVEL(&t->b, ram_read_data, read);
    t->now++;
    assert_false((t->b.s.loading && t->b.s.saving) || (t->b.s.loaded && (t->b.s.loading || t->b.s.saving)));
    assert_false(t->b.s.go_pending && (t->b.s.loaded || t->b.s.loading));
}

static void clocks(register_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static void open_bench(register_bench *t)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
}

static void mapped(register_bench *t, uint8_t queue)
{
    t->b.i.load_valid = true;
    t->b.i.load_queue = queue;
    t->b.i.load_kind  = LOAD_ACTIVE;
    t->b.i.load_data  = 1;
}

static void go(register_bench *t, uint8_t queue)
{
    t->b.i.arbiter_go       = true;
    t->b.i.arbiter_selected = queue;
    t->now = t->reads = 0;
}

static void loaded_in(register_bench *t, unsigned clock)
{
    while (t->now < clock) {
        clock_edge(t);
        if (t->b.o.loaded != (t->now == clock))
            fail_msg("loaded is %d in clock %u, not %u", t->b.o.loaded, t->now, clock);
    }
}

static void put(register_bench *t, uint8_t offset, uint32_t data)
{
    t->b.i.packet_write  = true;
    t->b.i.packet_offset = offset;
    t->b.i.packet_data   = data;
}

// A queue selected with all its registers 0.
static void selected(register_bench *t, uint8_t queue)
{
    open_bench(t);
    go(t, queue);
    loaded_in(t, LOADED);
}

static uint32_t reset_value(unsigned offset)
{
    if (offset == DERIVED)
        return EVERY_ENGINE;
    return offset == 0x16 || offset == 0x17 || offset == 0x19 || offset == 0x1a || (offset >= 0x25 && offset <= 0x28)
               ? 0xffffffff
               : 0;
}

static bool in_launch_state(unsigned offset, unsigned *word, bool *high)
{
    *word = offset >= USER_DATA ? 2 + (offset - USER_DATA) / 2 : offset == RSRC3 || offset == TMPRING;
    *high = offset >= USER_DATA ? offset & 1 : offset == RSRC2 || offset == TMPRING;
    return (offset >= USER_DATA && offset < USER_DATA + 16) || offset == RSRC1 || offset == RSRC2 || offset == RSRC3 ||
           offset == TMPRING;
}

static void mapping_clears(void **state)
{
    static register_bench t;
    (void)state;
    open_bench(&t);
    memset(t.ram, 0x55, sizeof t.ram);
    memset(t.low, 0x55, sizeof t.low);
    memset(t.high, 0x55, sizeof t.high);
    mapped(&t, Q);
    clocks(&t, 2);
    for (unsigned n = 0; n < 128; n++) {
        unsigned word;
        bool     high;
        assert_true(t.b.o.ram_write_enable);
        assert_int_equal(t.b.o.ram_write_addr, Q * 128 + n);
        assert_int_equal(t.b.o.ram_write_data, reset_value(n));
        const bool launch = in_launch_state(n, &word, &high);
        assert_int_equal(t.b.o.state_write_low, launch && !high);
        assert_int_equal(t.b.o.state_write_high, launch && high);
        assert_int_equal(t.b.o.state_write_data, 0);
        clock_edge(&t);
    }
    assert_false(t.b.o.ram_write_enable);
    for (unsigned n = 0; n < TOTEM_QUEUES * 16; n++) {
        const bool cleared = n / 16 == Q && n % 16 < 10;
        assert_int_equal(t.low[n], cleared ? 0 : 0x55555555);
        assert_int_equal(t.high[n], cleared ? 0 : 0x55555555);
    }
    go(&t, Q);
    loaded_in(&t, LOADED);
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        assert_true(t.b.o.engines[n]);
    assert_int_equal(t.b.o.vgprs, 1);
    assert_int_equal(t.b.o.threads, 0);
}

static void other_loads_are_nothing(void **state)
{
    static register_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t kind = 0; kind < 32; kind++) {
        mapped(&t, 1);
        t.b.i.load_kind = kind;
        t.b.i.load_data = kind == LOAD_ACTIVE ? 0xfffffffffe : 1;
        clock_edge(&t);
        clock_edge(&t);
        clock_edge(&t);
        assert_false(t.b.o.ram_write_enable);
    }
}

// The sources' switch has loaded the registers: they are read anew as after a preload, the grid only if it is still kept.
static void moved(void **state)
{
    static register_bench t;
    (void)state;
    for (unsigned kept = 0; kept < 2; kept++)
        for (uint64_t data = 0; data < 8; data++) {
            open_bench(&t);
            t.b.s.saved[Q]   = kept;
            t.b.i.load_valid = true;
            t.b.i.load_queue = Q;
            t.b.i.load_kind  = LOAD_MOVED;
            t.b.i.load_data  = data;
            clock_edge(&t);
            const bool loaded = data & 1, grid = kept && (!loaded || (data & 4) != 0);
            assert_int_equal(t.b.s.stage[Q] != 0, loaded);
            assert_int_equal(t.b.s.saved[Q], grid);
            assert_int_equal(t.b.o.ram_write_enable, 0); // nothing is cleared
            assert_int_equal(t.b.o.prepared[Q], !loaded);
            for (unsigned n = 0; n < 250 && !t.b.o.prepared[Q]; n++)
                clock_edge(&t);
            assert_true(t.b.o.prepared[Q]); // derived meanwhile
            go(&t, Q);
            loaded_in(&t, grid ? LOADED + 8 : LOADED);
        }
}

static void clears_go_lowest_first(void **state)
{
    static register_bench t;
    (void)state;
    open_bench(&t);
    for (uint8_t q = TOTEM_QUEUES; q-- > 0;) {
        mapped(&t, q);
        clock_edge(&t);
    }
    assert_int_equal(t.b.o.ram_write_addr, Q * 128 + TOTEM_QUEUES - 2); // the first that came is under way
    clocks(&t, 128 - (TOTEM_QUEUES - 2));
    for (unsigned q = 0; q < Q; q++) {
        assert_false(t.b.o.ram_write_enable);
        clock_edge(&t);
        assert_true(t.b.o.ram_write_enable);
        assert_int_equal(t.b.o.ram_write_addr, q * 128);
        clocks(&t, 128);
    }
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
}

// ---- load

static void load(void **state)
{
    static const uint8_t  order[] = {DERIVED, THREADS, RSRC2, PGM_LO, PGM_HI, START, START + 1, START + 2};
    static register_bench t;
    (void)state;
    open_bench(&t);
    uint32_t *r  = &t.ram[Q * 128];
    r[DERIVED]   = 1u << 6 | 0x15u;
    r[THREADS]   = 0x1abc;
    r[RSRC2]     = 0x1a5u << 15 | 7u << 1;
    r[PGM_LO]    = 0x89abcdef;
    r[PGM_HI]    = 0xffffff67;
    r[START]     = 0xfffffffe;
    r[START + 1] = 65535;
    r[START + 2] = 65536;
    r[INITIATOR] = 4;
    go(&t, Q);
    clock_edge(&t);
    assert_true(t.b.o.ram_read_enable); // in t + 1
    while (t.now < LOADED) {
        assert_false(t.b.o.loaded);
        clock_edge(&t);
    }
    assert_true(t.b.o.loaded);
    assert_false(t.b.o.busy);
    assert_int_equal(t.reads, 8);
    for (unsigned n = 0; n < 8; n++)
        assert_int_equal(t.read[n], Q * 128 + order[n]);
    assert_int_equal(t.b.o.threads, 0x1abc);
    assert_int_equal(t.b.o.vgprs, 0x16);
    for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
        assert_int_equal(t.b.o.engines[n], n == 0);
    assert_int_equal(t.b.o.lds, 0x1a5);
    assert_int_equal(t.b.o.words, 2 + 4);
    assert_int_equal(t.b.o.program_addr, 0x6789abcdef);
    assert_int_equal(t.b.o.origin, 0xfffffffffffffffe);
}

static void words_of_the_launch_state(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    for (uint32_t user = 0; user < 32; user++) {
        put(&t, RSRC2, user << 1);
        clock_edge(&t);
        assert_int_equal(t.b.o.words, 2 + ((user > 16 ? 16 : user) + 1) / 2);
    }
}

// ---- writes of the packet processor

static void writes_reach_their_places(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    clocks(&t, 20);
    for (uint8_t offset = 0; offset < 128; offset++) {
        const uint32_t data = 0x11000000u * (offset & 7u) + 0xa5a500u + offset;
        unsigned       word;
        bool           high;
        const bool     launch = in_launch_state(offset, &word, &high);
        put(&t, offset, data);
        clock_edge(&t); // in the next clock
        if (offset == DERIVED || offset == THREADS) {
            assert_true(!t.b.o.ram_write_enable || t.b.o.ram_write_data != data);
            assert_true(!(t.b.o.state_write_low || t.b.o.state_write_high) || (t.b.o.state_write_addr & 15) >= 10);
            continue;
        }
        assert_true(t.b.o.ram_write_enable);
        assert_int_equal(t.b.o.ram_write_addr, Q * 128 + offset);
        assert_int_equal(t.b.o.ram_write_data, data);
        assert_int_equal(t.b.o.state_write_low, launch && !high);
        assert_int_equal(t.b.o.state_write_high, launch && high);
        if (launch) {
            assert_int_equal(t.b.o.state_write_addr, Q * 16 + word);
            assert_int_equal(t.b.o.state_write_data, (uint64_t)data << 32 | data);
        }
    }
}

static void working_registers(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, 1);
    put(&t, INITIATOR, 0x12345671);
    clock_edge(&t);
    assert_int_equal(t.b.o.initiator, 0x12345671);
    put(&t, START, 0xffffffff);
    clock_edge(&t);
    put(&t, START + 1, 0x10000);
    clock_edge(&t);
    put(&t, START + 2, 0xfffe);
    clock_edge(&t);
    assert_int_equal(t.b.o.origin, 0xfffeffffffffffff);
    assert_int_equal(t.b.o.restart_origin, 0xfffeffffffffffff);
    put(&t, INITIATOR, 4); // FORCE_START_AT_000
    clock_edge(&t);
    assert_int_equal(t.b.o.restart_origin, 0);
    assert_int_equal(t.b.o.origin, 0xfffeffffffffffff);
    put(&t, PGM_LO, 0x89abcdef);
    clock_edge(&t);
    put(&t, PGM_HI, 0x167);
    clock_edge(&t);
    assert_int_equal(t.b.o.program_addr, 0x6789abcdef);
    put(&t, RSRC2, 0x1ffu << 15);
    clock_edge(&t);
    assert_int_equal(t.b.o.lds, 0x1ff);
    assert_false(t.b.o.busy);
}

// What is derived stands in the RAM two clocks after the write.
static void derived_word(void **state)
{
    static register_bench t;
    uint32_t              engines = 0;
    (void)state;
    selected(&t, Q);
    put(&t, RSRC1, 0xffffffff);
    clock_edge(&t);
    assert_int_equal(t.b.o.vgprs, 64);
    clock_edge(&t);
    assert_true(t.b.o.ram_write_enable);
    assert_int_equal(t.b.o.ram_write_addr, Q * 128 + DERIVED);
    assert_int_equal(t.b.o.ram_write_data, 0x3fu);
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
    for (unsigned n = 0; n < 4; n++) {
        put(&t, mgmt[n], 0x80000000);
        clocks(&t, 3);
        if (n < TOTEM_SE_COUNT) {
            assert_true(t.b.o.engines[n]);
            engines |= 1u << n;
        }
        assert_int_equal(t.ram[Q * 128 + DERIVED], engines << 6 | 0x3fu);
    }
    put(&t, mgmt[0], 0);
    clocks(&t, 3);
    assert_false(t.b.o.engines[0]);
    assert_int_equal(t.ram[Q * 128 + DERIVED], (engines & ~1u) << 6 | 0x3fu);
}

static unsigned bits_of(uint32_t v)
{
    unsigned n = 1;
    v          = v > 8191 ? 8191 : v;
    while (v >>= 1)
        n++;
    return n;
}

static void product(void **state)
{
    static const uint16_t rows[][4] = {{0, 0, 0, 0},        {1, 1, 1, 1},        {64, 1, 1, 64},
                                       {1, 64, 1, 64},      {1, 1, 64, 64},      {7, 11, 13, 1001},
                                       {13, 7, 11, 1001},   {1024, 1, 0, 0},     {0, 1024, 1024, 0},
                                       {1024, 0, 5, 0},     {91, 90, 1, 8190},   {91, 91, 1, 8191},
                                       {8191, 1, 1, 8191},  {65535, 1, 1, 8191}, {1, 65535, 1, 8191},
                                       {1, 1, 65535, 8191}, {5000, 2, 1, 8191},  {300, 300, 0, 0},
                                       {4096, 1, 2, 8191},  {2, 4096, 1, 8191},  {65535, 65535, 65535, 8191}};
    (void)state;
    for (unsigned n = 0; n < sizeof rows / sizeof *rows; n++)
        for (unsigned last = 0; last < 3; last++) {
            static register_bench t;
            const unsigned        length = bits_of(rows[n][1]) + bits_of(rows[n][2]) + 7;
            selected(&t, Q);
            t.ram[Q * 128 + THREAD_X] = 0xffff0000u | rows[n][0]; // [31:16] is nothing here
            t.ram[Q * 128 + THREAD_Y] = 0xffff0000u | rows[n][1];
            t.ram[Q * 128 + THREAD_Z] = 0xffff0000u | rows[n][2];
            put(&t, (uint8_t)(THREAD_X + last), t.ram[Q * 128 + THREAD_X + last]);
            t.now = 0;
            clock_edge(&t);
            while (t.b.o.busy)
                clock_edge(&t);
            assert_int_equal(t.now, length);
            assert_int_equal(t.b.o.threads, rows[n][3]);
            assert_int_equal(t.ram[Q * 128 + THREADS], rows[n][3]);
        }
}

static void three_in_three_clocks(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    for (uint8_t n = 0; n < 3; n++) {
        put(&t, (uint8_t)(THREAD_X + n), 2u + n);
        t.now = 0;
        clock_edge(&t);
    }
    while (t.b.o.busy)
        clock_edge(&t);
    assert_int_equal(t.now, 2 + 3 + 7);
    assert_int_equal(t.b.o.threads, 24);
}

static void threads_xyz(register_bench *t, const uint32_t full[3], const uint32_t partial[3])
{
    for (unsigned d = 0; d < 3; d++) {
        put(t, (uint8_t)(THREAD_X + d), full[d] | partial[d] << 16);
        clock_edge(t);
    }
}

static void table_complete(register_bench *t, const uint32_t full[3], const uint32_t partial[3])
{
    for (unsigned combo = 1; combo < 8; combo++) {
        uint64_t threads = 1;
        for (unsigned d = 0; d < 3; d++)
            threads *= combo >> d & 1 ? partial[d] : full[d];
        const unsigned at = Q * 16 + 10 + combo / 2;
        assert_int_equal(combo & 1 ? t->high[at] : t->low[at], threads < 8191 ? threads : 8191);
    }
}

// ---- unfinished grids

static void save(register_bench *t)
{
    t->b.i.packet_start     = true;
    t->b.i.packet_start_end = 0x4444333322222222;
    clock_edge(t);
    t->b.i.packet_save = true;
    t->b.i.walker_low  = 0x8888777766666666;
    t->b.i.walker_mask = 0x5a;
    t->now             = 0;
    clock_edge(t);
}

static const struct {
    uint8_t  offset;
    uint32_t data;
} image[] = {{RESTART, 0x66666666}, {RESTART + 1, 0x7777}, {RESTART + 2, 0x8888}, {RELAUNCH, 0x5a},
             {DIM, 0x22222222},     {DIM + 1, 0x3333},     {DIM + 2, 0x4444}};

static void save_and_load_again(void **state)
{
    static register_bench t;
    static const uint8_t  order[] = {DERIVED,   THREADS, RSRC2,   PGM_LO,  PGM_HI,  START,       START + 1,   START + 2,
                                     INITIATOR, DIM,     DIM + 1, DIM + 2, RESTART, RESTART + 1, RESTART + 2, RELAUNCH};
    (void)state;
    selected(&t, Q);
    put(&t, INITIATOR, 0x8001);
    clock_edge(&t);
    save(&t);
    for (unsigned n = 0; n < 7; n++) {
        assert_true(t.b.o.busy && t.b.o.ram_write_enable && !t.b.o.loaded);
        assert_int_equal(t.b.o.ram_write_addr, Q * 128 + image[n].offset);
        assert_int_equal(t.b.o.ram_write_data, image[n].data);
        clock_edge(&t);
    }
    assert_false(t.b.o.busy || t.b.o.ram_write_enable || t.b.o.loaded);
    go(&t, 0); // another queue between has none
    loaded_in(&t, LOADED);
    put(&t, INITIATOR, 0);
    clocks(&t, 3);
    go(&t, Q);
    loaded_in(&t, RESUMED);
    assert_int_equal(t.reads, 16);
    for (unsigned n = 0; n < 16; n++)
        assert_int_equal(t.read[n], Q * 128 + order[n]);
    assert_int_equal(t.b.o.initiator, 0x8001);
    assert_int_equal(t.b.o.restart, 0x8888777766666666);
    assert_int_equal(t.b.o.restart_mask, 0x5a);
    assert_int_equal(t.b.o.restart_end, 0x4444333322222222);

    t.b.i.packet_start     = true; // resumed: the saved end stays
    t.b.i.packet_start_end = 1;
    clock_edge(&t);
    assert_int_equal(t.b.o.restart_end, 0x4444333322222222);
    t.b.i.packet_start     = true; // the next one is fresh
    t.b.i.packet_start_end = 1;
    clock_edge(&t);
    assert_int_equal(t.b.o.restart_end, 1);
    go(&t, Q);
    loaded_in(&t, LOADED);
}

// The grid is passed over: the next load is a short one, the next start a fresh one. SKIP alone does not do it.
static void passed_grid_is_forgotten(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    save(&t);
    clocks(&t, 8);
    t.b.i.load_valid = true;
    t.b.i.load_queue = Q;
    t.b.i.load_kind  = LOAD_SKIP;
    clock_edge(&t);
    go(&t, Q);
    loaded_in(&t, RESUMED);
    t.b.i.packet_forget = true;
    clock_edge(&t);
    t.b.i.packet_start     = true;
    t.b.i.packet_start_end = 1;
    clock_edge(&t);
    assert_int_equal(t.b.o.restart_end, 1);
    go(&t, Q);
    loaded_in(&t, LOADED);
}

static void mapping_forgets_the_grid(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    save(&t);
    clocks(&t, 8);
    mapped(&t, Q);
    clocks(&t, 131);
    go(&t, Q);
    loaded_in(&t, LOADED);
}

// ---- meetings

static void write_meets_the_derived_word(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    put(&t, RSRC1, 1);
    clock_edge(&t);
    clock_edge(&t);
    assert_int_equal(t.b.o.ram_write_data, 1);
    put(&t, RSRC1, 2); // in the clock of that write
    clock_edge(&t);
    assert_int_equal(t.b.o.ram_write_addr, Q * 128 + RSRC1);
    clock_edge(&t);
    assert_int_equal(t.b.o.ram_write_addr, Q * 128 + DERIVED);
    assert_int_equal(t.b.o.ram_write_data, 2);
    clock_edge(&t);
    assert_false(t.b.o.ram_write_enable);
}

static void threads_meet_the_product(void **state)
{
    (void)state;
    for (unsigned before = 1; before < 16; before++) {
        static register_bench t;
        selected(&t, Q);
        t.ram[Q * 128 + THREAD_X] = 3;
        t.ram[Q * 128 + THREAD_Y] = 5;
        put(&t, THREAD_Z, 9);
        clocks(&t, before);
        put(&t, THREAD_Z, 33);
        t.now = 0;
        clock_edge(&t);
        while (t.b.o.busy)
            clock_edge(&t);
        assert_int_equal(t.now, 3 + 6 + 7);
        assert_int_equal(t.b.o.threads, 495);
        assert_int_equal(t.ram[Q * 128 + THREADS], 495);
    }
}

static void write_meets_a_clear(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    mapped(&t, 0);
    clocks(&t, 12);
    assert_int_equal(t.b.o.ram_write_addr, 10);
    for (unsigned n = 0; n < 5; n++) {
        put(&t, USER_DATA, n);
        clock_edge(&t);
        assert_int_equal(t.b.o.ram_write_addr, Q * 128 + USER_DATA);
        assert_int_equal(t.b.o.state_write_addr, Q * 16 + 2);
    }
    for (unsigned n = 11; n < 128; n++) {
        clock_edge(&t);
        assert_true(t.b.o.ram_write_enable);
        assert_int_equal(t.b.o.ram_write_addr, n);
    }
}

static void write_meets_a_save(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    put(&t, USER_DATA + 3, 99); // on its way as the save begins
    t.b.i.packet_save = true;
    t.b.i.walker_mask = 3;
    clock_edge(&t);
    assert_int_equal(t.b.o.ram_write_addr, Q * 128 + USER_DATA + 3);
    for (unsigned n = 0; n < 7; n++) {
        clock_edge(&t);
        assert_true(t.b.o.busy);
        assert_int_equal(t.b.o.ram_write_addr, Q * 128 + image[n].offset);
    }
    clock_edge(&t);
    assert_false(t.b.o.busy);
    assert_int_equal(t.ram[Q * 128 + USER_DATA + 3], 99);
    assert_int_equal(t.ram[Q * 128 + RELAUNCH], 3);
}

static void go_meets_a_load(void **state)
{
    (void)state;
    for (unsigned after = 1; after < LOADED; after++) {
        static register_bench t;
        open_bench(&t);
        t.ram[PGM_LO]           = 0x1111;
        t.ram[Q * 128 + PGM_LO] = 0x2222;
        go(&t, 0);
        clocks(&t, after);
        go(&t, Q);
        loaded_in(&t, LOADED);
        assert_int_equal(t.b.o.program_addr, 0x2222);
        for (unsigned n = 0; n < t.reads; n++)
            assert_true(n == 0 || t.read[n] / 128 == Q); // one may be asked for in the clock of go
    }
}

static void go_meets_what_is_left_of_the_old_queue(void **state)
{
    static register_bench t;
    (void)state;
    selected(&t, Q);
    save(&t); // clock 0; the last write in clock 7
    t.b.i.arbiter_go       = true;
    t.b.i.arbiter_selected = 0;
    loaded_in(&t, 8 + LOADED);
    for (unsigned n = 0; n < 7; n++)
        assert_int_equal(t.ram[Q * 128 + image[n].offset], image[n].data);

    selected(&t, Q);
    t.ram[Q * 128 + THREAD_X] = t.ram[Q * 128 + THREAD_Y] = 6;
    put(&t, THREAD_Z, 7);
    clocks(&t, 2);
    go(&t, 0);
    loaded_in(&t, LOADED); // the product goes on behind it
    assert_int_equal(t.b.o.threads, 0);
    clocks(&t, 3 + 3 + 7);
    assert_int_equal(t.ram[Q * 128 + THREADS], 252);
    assert_int_equal(t.b.o.threads, 0);

    selected(&t, Q);
    put(&t, USER_DATA, 1);
    go(&t, 0);
    loaded_in(&t, 2 + LOADED); // written, then its way to the RAM
    assert_int_equal(t.ram[Q * 128 + USER_DATA], 1);
}

// A queue is prepared when its clear has ended; a clear of one holds up no load of another.
static void prepared_after_the_clear(void **state)
{
    static register_bench t;
    (void)state;
    open_bench(&t);
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        assert_true(t.b.o.prepared[q]);
    mapped(&t, Q);
    t.now = 0;
    clock_edge(&t);
    while (!t.b.o.prepared[Q]) {
        assert_true(t.b.o.prepared[0]);
        clock_edge(&t);
    }
    assert_int_equal(t.now, 130); // pending in 1, cleared in 2 to 129
    open_bench(&t);
    mapped(&t, Q);
    clock_edge(&t);
    go(&t, 0);
    loaded_in(&t, LOADED);
    mapped(&t, 1);
    clock_edge(&t);
    assert_true(t.b.o.loaded);
}

// What a preload brought is derived before the queue is prepared: blocks, engines, threads, table.
static void prepared_after_a_preload(void **state)
{
    static const uint32_t full[3] = {9, 5, 3}, partial[3] = {8, 1, 2};
    (void)state;
    for (unsigned absent = 0; absent < TOTEM_SE_COUNT; absent++) {
        static register_bench t;
        selected(&t, 0);
        t.ram[Q * 128 + RSRC1] = 0xffffffc0u | 0x2a;
        for (unsigned n = 0; n < 4; n++)
            t.ram[Q * 128 + mgmt[n]] = n == absent ? 0 : 0x10000;
        for (unsigned d = 0; d < 3; d++)
            t.ram[Q * 128 + THREAD_X + d] = full[d] | partial[d] << 16;
        mapped(&t, Q);
        t.b.i.load_data = 3;
        clock_edge(&t);
        for (unsigned spent = 0; !t.b.o.prepared[Q]; spent++) {
            assert_true(spent < 200);
            clock_edge(&t);
        }
        table_complete(&t, full, partial);
        assert_int_equal(t.b.s.partial[Q], 1);
        go(&t, Q);
        loaded_in(&t, LOADED);
        assert_false(t.b.o.busy);
        assert_int_equal(t.b.o.partial, 1);
        assert_int_equal(t.b.o.threads, 135);
        assert_int_equal(t.b.o.vgprs, 0x2b);
        for (unsigned n = 0; n < TOTEM_SE_COUNT; n++)
            assert_int_equal(t.b.o.engines[n], n != absent);
    }
}

static void guest_writes(register_bench *t, uint8_t queue, uint8_t offset, uint32_t data)
{
    t->b.i.mqd_valid  = true;
    t->b.i.mqd_write  = true;
    t->b.i.mqd_queue  = queue;
    t->b.i.mqd_offset = offset;
    t->b.i.mqd_data   = data;
    clock_edge(t);
}

// mqd writes registers of a queue whose earlier mapping left something to derive: nothing of it goes on.
static void guest_ends_what_is_derived(void **state)
{
    (void)state;
    for (unsigned before = 0; before < 60; before++) {
        static register_bench t;
        selected(&t, Q);
        put(&t, THREAD_Z, 9);
        clocks(&t, 2 + before);
        go(&t, 0);
        loaded_in(&t, LOADED);
        guest_writes(&t, Q, THREAD_X, 0x12345678);
        for (unsigned spent = 0; t.ram[Q * 128 + THREAD_X] != 0x12345678; spent++) {
            assert_true(spent < 8);
            clock_edge(&t);
        }
        assert_int_equal(t.b.s.stage[Q], 0);
        assert_true(t.b.s.derive_step == 0 || t.b.s.derive_queue != Q);
    }
}

static void mapping_meets_its_clear(void **state)
{
    static register_bench t;
    (void)state;
    open_bench(&t);
    mapped(&t, 1);
    clocks(&t, 60);
    mapped(&t, 1);
    clocks(&t, 70);
    assert_false(t.b.o.ram_write_enable);
    for (unsigned n = 0; n < 128; n++) {
        clock_edge(&t);
        assert_true(t.b.o.ram_write_enable);
        assert_int_equal(t.b.o.ram_write_addr, 128 + n);
    }
    clocks(&t, 3);
    assert_false(t.b.o.ram_write_enable);
}

// ---- partial groups

static void table_of_partial_groups(void **state)
{
    static const struct {
        uint32_t full[3], partial[3];
        uint8_t  result;
    } rows[] = {
        {{8, 8, 1}, {8, 8, 1}, 1},       {{64, 2, 3}, {1, 1, 1}, 1},        {{16, 16, 4}, {15, 3, 2}, 1},
        {{8, 8, 1}, {0, 8, 1}, 2},       {{8, 8, 1}, {8, 8, 0}, 2},         {{8, 8, 1}, {8, 9, 1}, 3},
        {{8, 8, 1}, {9, 8, 1}, 3},       {{8, 8, 1}, {9, 0, 1}, 2},         {{8, 8, 1}, {8, 8, 2}, 3},
        {{100, 100, 1}, {90, 91, 1}, 1}, {{65535, 1, 1}, {65535, 1, 1}, 1},
    };
    (void)state;
    for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++) {
        static register_bench t;
        selected(&t, Q);
        clocks(&t, 7);
        threads_xyz(&t, rows[row].full, rows[row].partial);
        assert_int_equal(t.b.o.partial, 0);
        unsigned spent = 0;
        for (; t.b.o.partial == 0; spent++) {
            assert_true(spent < 400);
            // divide asks now and then: it is answered two clocks later, whatever is under way
            const bool ask = spent % 23 == 5 && !t.b.o.busy;
            if (ask) {
                t.b.i.divide_read  = true;
                t.b.i.divide_place = (uint8_t)(spent % 3);
            }
            clock_edge(&t);
            if (ask) {
                assert_true(t.b.o.ram_read_enable);
                assert_int_equal(t.b.o.ram_read_addr, Q * 128 + THREAD_X + spent % 3);
            }
        }
        assert_int_equal(t.b.o.partial, rows[row].result);
        table_complete(&t, rows[row].full, rows[row].partial);
        go(&t, Q); // it is kept: nothing is computed again
        loaded_in(&t, LOADED);
        assert_int_equal(t.b.o.partial, rows[row].result);
        t.reads = 0;
        clocks(&t, 30);
        assert_int_equal(t.reads, 0);
    }
}

// A switch does not wait for the table, and nothing of it is lost: it goes on while other queues run.
static void table_survives_a_switch(void **state)
{
    static const uint32_t full[3] = {8, 8, 2}, partial[3] = {7, 5, 1};
    (void)state;
    for (unsigned before = 0; before < 160; before++) {
        static register_bench t;
        selected(&t, Q);
        threads_xyz(&t, full, partial);
        clocks(&t, 1 + before);
        go(&t, 0);
        loaded_in(&t, LOADED);
        assert_int_equal(t.b.o.threads, 0);
        for (unsigned n = 0; t.b.s.stage[Q] != 0; n++) {
            assert_true(n + before < 150);
            clock_edge(&t);
        }
        table_complete(&t, full, partial);
        go(&t, Q);
        loaded_in(&t, LOADED);
        assert_int_equal(t.b.o.threads, 128);
        assert_int_equal(t.b.o.partial, 1);
    }
}

// A queue that is given 12 clocks at a time comes to its table as another one would.
static void table_between_short_turns(void **state)
{
    static const uint32_t full[3] = {64, 4, 2}, partial[3] = {63, 3, 1};
    static register_bench t;
    (void)state;
    selected(&t, Q);
    threads_xyz(&t, full, partial);
    unsigned turns = 0;
    for (; t.b.s.stage[Q] != 0; turns++) {
        assert_true(turns < 20);
        clocks(&t, 4);
        go(&t, turns % 2 == 0 ? 0 : Q);
        loaded_in(&t, LOADED);
    }
    table_complete(&t, full, partial);
}

// Products of two queues: the selected one comes first, and then they take turns; both are right.
static void products_take_turns(void **state)
{
    static const uint32_t full[3] = {8, 8, 2}, partial[3] = {7, 5, 1};
    (void)state;
    for (unsigned after = 4; after < 100; after++) {
        static register_bench t;
        selected(&t, Q);
        threads_xyz(&t, full, partial);
        clocks(&t, after);
        go(&t, 0);
        loaded_in(&t, LOADED);
        put(&t, THREAD_X, 3u << 16 | 4);
        clock_edge(&t);
        put(&t, THREAD_Y, 5u << 16 | 6);
        clock_edge(&t);
        put(&t, THREAD_Z, 1u << 16 | 2);
        unsigned spent = 0, own = 0, others = 0;
        for (; t.b.s.stage[0] != 0 || t.b.s.stage[Q] != 0 || spent == 0; spent++) {
            const uint8_t queue = t.b.s.derive_queue;
            const bool    ends  = t.b.s.derive_step == 1;
            assert_true(spent < 400);
            clock_edge(&t);
            if (ends && t.b.s.stage[Q] != 0) {
                own += queue == 0;
                others += queue == Q;
                assert_true(own <= 3 * others + 3); // every second choice, and its turn among the two
            }
            if (!t.b.o.busy && spent > 2)
                assert_int_equal(t.b.o.threads, 48);
        }
        table_complete(&t, full, partial);
        assert_int_equal(t.b.o.partial, 1);
        assert_int_equal(t.high[10], 3 * 6 * 2);
        assert_int_equal(t.high[13], 3 * 5 * 1);
        assert_int_equal(t.ram[Q * 128 + THREADS], 128);
        assert_int_equal(t.ram[THREADS], 48);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mapping_clears),
        cmocka_unit_test(other_loads_are_nothing),
        cmocka_unit_test(moved),
        cmocka_unit_test(clears_go_lowest_first),
        cmocka_unit_test(load),
        cmocka_unit_test(words_of_the_launch_state),
        cmocka_unit_test(writes_reach_their_places),
        cmocka_unit_test(working_registers),
        cmocka_unit_test(derived_word),
        cmocka_unit_test(product),
        cmocka_unit_test(three_in_three_clocks),
        cmocka_unit_test(save_and_load_again),
        cmocka_unit_test(passed_grid_is_forgotten),
        cmocka_unit_test(mapping_forgets_the_grid),
        cmocka_unit_test(write_meets_the_derived_word),
        cmocka_unit_test(threads_meet_the_product),
        cmocka_unit_test(write_meets_a_clear),
        cmocka_unit_test(write_meets_a_save),
        cmocka_unit_test(go_meets_a_load),
        cmocka_unit_test(go_meets_what_is_left_of_the_old_queue),
        cmocka_unit_test(prepared_after_the_clear),
        cmocka_unit_test(prepared_after_a_preload),
        cmocka_unit_test(guest_ends_what_is_derived),
        cmocka_unit_test(mapping_meets_its_clear),
        cmocka_unit_test(table_of_partial_groups),
        cmocka_unit_test(table_survives_a_switch),
        cmocka_unit_test(table_between_short_turns),
        cmocka_unit_test(products_take_turns),
    };

    return cmocka_run_group_tests_name("bank", tests, NULL, NULL);
}
