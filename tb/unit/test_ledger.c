// SPDX-License-Identifier: Apache-2.0
//
// totem_ledger: rules, latencies and meetings of docs/contract/ledger.md. The bench is host, service and runlist.

#include "block_bench.h"

#include "totem_ledger.h"

#include "../cmodel/host/totem_regs_map.h"
#include "../cmodel/packet/totem_pm4.h"
#include "../cmodel/schedule/totem_runlist_values.h"

BENCH(ledger)

#define RULE(name) RULE_OF(bench, fresh, b, name)
#define REGISTER(name) TOTEM_REG_RUNLIST_##name

enum {
    SLOTS     = TOTEM_FE_COUNT * TOTEM_PIPES * TOTEM_QUEUES,
    LAST      = TOTEM_RUN_QUEUES - 1,
    HOLE      = TOTEM_ERROR_HOST_HOLE & 31,
    READ_ONLY = TOTEM_ERROR_HOST_READ_ONLY & 31,
    VALUE     = TOTEM_ERROR_HOST_VALUE & 31,
    LOCKED    = TOTEM_ERROR_HOST_LOCKED & 31,
    OTHER     = RUN_PRIORITY, // a command of service
};

// Dwords 0 to 17: after reset, bits that they have, bits of a value that is refused.
static const struct {
    uint32_t reset, bits, refused;
} row[] = {
    {10, 0xff, 0},     {2048, 0xffff, 0},  {1, 15, 0},     {0, 0xffffff, 0}, {0, 0, 0},         {0, 0, 0},
    {0, 0, 0},         {0, 0, 0},          {0, LAST, ~0u}, {0, ~7u, 7},      {0, 0xff, ~0xffu}, {0, ~7u, 7},
    {0, 0xff, ~0xffu}, {0, 0xfe07ffff, 0}, {0, ~0u, 0},    {0, ~0u, 0},      {0, 0, 0},         {0, LAST, ~0u},
};

// An access, done in the third clock and in none but that; its error.
static bool taken, cleared; // by the last access

static unsigned access_error(bench *b, bool write, unsigned dword, uint32_t data, unsigned strobe)
{
    LEVEL(b, host_ledger_valid, true);
    LEVEL(b, host_request_write, write);
    LEVEL(b, host_request_dword, (uint8_t)dword);
    LEVEL(b, host_request_strobe, (uint8_t)strobe);
    LEVEL(b, host_request_data, data);
    for (unsigned n = 0; n < 3; n++) {
        assert_false(b->o.host_done);
        tick(b);
    }
    assert_true(b->o.host_done);
    const unsigned error = b->o.host_error;
    taken                = b->o.take;
    cleared              = b->o.clear;
    tick(b); // it stands until it is done, and is not done again
    LEVEL(b, host_ledger_valid, false);
    assert_false(b->o.host_done);
    return error;
}

static unsigned put(bench *b, unsigned dword, uint32_t data)
{
    return access_error(b, true, dword, data, 15);
}

static uint32_t get(bench *b, unsigned dword)
{
    assert_int_equal(access_error(b, false, dword, ~0u, 15), 0);
    return b->s.host_rdata;
}

static bool writable(unsigned dword)
{
    return dword <= REGISTER(LEAVE) || (dword >= REGISTER(ENTRY) && dword != REGISTER(COMMAND));
}

RULE(after_reset)
{
    for (unsigned d = 0; d < COUNT(row); d++)
        assert_int_equal(get(b, d), row[d].reset);
    assert_true(b->o.settings_yield == 10 && b->o.settings_park == 2048);
    assert_true(b->o.settings_spare == 1 && b->o.settings_leave == 0);
    assert_false(b->o.command_valid || b->o.service_command_done);
}

// Each has its bits and no other, byte by byte, and reaches into no other register.
RULE(every_register)
{
    for (unsigned d = 0; d < COUNT(row); d++) {
        if (!writable(d))
            continue;
        const uint32_t all = row[d].refused ? row[d].bits : ~0u;
        fresh(b);
        assert_int_equal(put(b, d, all), 0);
        assert_int_equal(b->s.host_rdata, row[d].reset); // as it was
        for (unsigned other = 0; other < COUNT(row); other++)
            assert_int_equal(get(b, other), other == d ? row[d].bits : row[other].reset);
        for (unsigned strobe = 0; strobe < 16; strobe++) {
            const uint32_t kept = (strobe & 1 ? 0 : 0xffu) | (strobe & 2 ? 0 : 0xff00u) | (strobe & 4 ? 0 : 0xff0000u) |
                                  (strobe & 8 ? 0 : 0xff000000u);
            put(b, d, all);
            assert_int_equal(access_error(b, true, d, 0, strobe), 0);
            assert_int_equal(get(b, d), row[d].bits & kept);
        }
    }
    fresh(b);
    put(b, REGISTER(YIELD), 0x21);
    put(b, REGISTER(PARK), 0x4321);
    put(b, REGISTER(SPARE), 7);
    put(b, REGISTER(LEAVE), 0x654321);
    assert_true(b->o.settings_yield == 0x21 && b->o.settings_park == 0x4321);
    assert_true(b->o.settings_spare == 7 && b->o.settings_leave == 0x654321);
}

RULE(refused)
{
    for (unsigned d = 0; d < 256; d++) {
        const bool slot   = d >= REGISTER(SLOT) && d < REGISTER(SLOT) + SLOTS;
        const bool word   = d >= REGISTER(WORDS) && d < REGISTER(WORDS) + 8;
        const bool notice = d == REGISTER(NOTICE) || d == REGISTER(NOTICE_CTXID);
        if (d >= COUNT(row) && !slot && !word && !notice) {
            assert_int_equal(access_error(b, false, d, 0, 15), HOLE);
            assert_int_equal(b->s.host_rdata, 0);
            assert_int_equal(put(b, d, 0), HOLE);
        } else if (slot || word || d == REGISTER(NOTICE_CTXID) ||
                   (d >= REGISTER(DECISIONS) && d <= REGISTER(PROXY_LOST))) {
            assert_int_equal(put(b, d, 0), READ_ONLY);
        } else if (!notice) {
            for (unsigned bit = 0; bit < 32; bit++)
                if (row[d].refused & ~row[d].bits & 1u << bit)
                    assert_int_equal(put(b, d, 1u << bit), VALUE);
        }
    }
    for (unsigned op = 0; op < 32; op++) // COMMAND: no operation 7, RESET of removals alone, no bit above
        if (op >= 16 || (op > 6 && (op < 9 || op > 12)))
            assert_int_equal(put(b, REGISTER(COMMAND), op), VALUE);
    for (unsigned strobe = 0; strobe < 15; strobe++)
        assert_int_equal(access_error(b, true, REGISTER(COMMAND), RUN_ADD, strobe), VALUE);
    assert_false(b->s.busy);
    for (unsigned d = 0; d < COUNT(row); d++)
        assert_int_equal(get(b, d), row[d].reset);
}

// What is there, and that it is taken or LOST cleared, by the bits that are written as 1 and no other. What comes
// behind such a write stays.
RULE(notices)
{
    LEVEL(b, notice_entry, 0x2a5);
    LEVEL(b, notice_ctxid, 0x89abcdef);
    assert_true(get(b, REGISTER(NOTICE)) == 0 && get(b, REGISTER(NOTICE_CTXID)) == 0);
    assert_int_equal(put(b, REGISTER(NOTICE), 0xc0000000), 0);
    assert_true(!taken && !cleared);
    LEVEL(b, notice_valid, true);
    LEVEL(b, notice_lost, true);
    assert_true(get(b, REGISTER(NOTICE)) == 0xc00002a5 && get(b, REGISTER(NOTICE_CTXID)) == 0x89abcdef);
    for (unsigned strobe = 0; strobe < 16; strobe++)
        for (unsigned ones = 0; ones < 4; ones++) {
            const unsigned meant = strobe & 8 ? ones : 0;
            assert_int_equal(access_error(b, true, REGISTER(NOTICE), ones << 30 | 0x3fffffff, strobe), 0);
            assert_true(taken == meant >> 1 && cleared == (meant & 1));
            assert_false(b->o.take || b->o.clear);
        }
}

RULE(counters_and_slots_are_shown)
{
    LEVEL(b, runlist_decisions, 0x87654321);
    LEVEL(b, runlist_moves, 0x12345678);
    LEVEL(b, proxy_lost, 0xabcd);
    LEVEL(b, runlist_removing, true);
    for (unsigned s = 0; s < SLOTS; s++) {
        LEVEL(b, runlist_place_phase[s], s % 4);
        LEVEL(b, runlist_place_entry[s], (TOTEM_LEDGER_LOOK)(LAST - s));
    }
    assert_int_equal(get(b, REGISTER(DECISIONS)), 0x87654321);
    assert_int_equal(get(b, REGISTER(MOVES)), 0x12345678);
    assert_int_equal(get(b, REGISTER(STATUS)), 1);
    assert_int_equal(get(b, REGISTER(PROXY_LOST)), 0xabcd);
    for (unsigned s = 0; s < SLOTS; s++) // the entry of an empty slot is none
        assert_int_equal(get(b, REGISTER(SLOT) + s), s % 4 == PHASE_EMPTY ? 0 : (LAST - s) << 8 | s % 4);
}

// WORDS: the RAM is asked for the words of the entry that LOOK names.
RULE(words_of_an_entry)
{
    assert_int_equal(put(b, REGISTER(LOOK), LAST - 2), 0);
    for (unsigned n = 0; n < 8; n++) {
        LEVEL(b, host_ledger_valid, true);
        LEVEL(b, host_request_write, false);
        LEVEL(b, host_request_dword, (uint8_t)(REGISTER(WORDS) + n));
        assert_false(b->o.view_read_enable);
        tick(b);
        assert_true(b->o.view_read_enable);
        assert_int_equal(b->o.view_read_addr, (LAST - 2) * 4 + n / 2);
        tick(b);
        assert_false(b->o.view_read_enable);
        b->i.view_read_data = 0xfedcba9876543210;
        tick(b);
        assert_true(b->o.host_done && b->o.host_error == 0);
        assert_int_equal(b->o.host_rdata, n % 2 ? 0xfedcba98 : 0x76543210);
        tick(b);
    }
}

// ---- commands

static void operands(bench *b)
{
    put(b, REGISTER(ENTRY), LAST);
    put(b, REGISTER(MQD_LO), 0x89abcde8);
    put(b, REGISTER(MQD_HI), 0x67);
    put(b, REGISTER(POINTER_LO), 0x12345670);
    put(b, REGISTER(POINTER_HI), 0x9a);
    put(b, REGISTER(PROCESS), 0x55u << 25 | 1u << 18 | 2u << 16 | 0xbeef);
    put(b, REGISTER(DATA_LO), 0x01234567);
    put(b, REGISTER(DATA_HI), 0xfedcba98);
}

static void of_host(bench *b, unsigned op, bool reset)
{
    assert_true(b->o.command_valid && b->o.command_op == op && b->o.command_reset == reset);
    assert_int_equal(b->o.command_entry, LAST);
    assert_int_equal(b->o.command_mqd, 0x6789abcde8 >> 3);
    assert_int_equal(b->o.command_pointer, 0x9a12345670 >> 3);
    assert_true(b->o.command_process == 0xbeef && b->o.command_tenant == 2);
    assert_true(b->o.command_static && b->o.command_quantum == 0x55);
    assert_int_equal(b->o.command_data, 0xfedcba9801234567);
}

static void offer(bench *b)
{
    LEVEL(b, service_command_valid, true);
    LEVEL(b, service_command_op, OTHER);
    LEVEL(b, service_command_reset, true);
    LEVEL(b, service_command_entry, 1);
    LEVEL(b, service_command_mqd, 0x1abcdef012);
    LEVEL(b, service_command_pointer, 0x1fedcba987);
    LEVEL(b, service_command_process, 0x4321);
    LEVEL(b, service_command_tenant, 1);
    LEVEL(b, service_command_quantum, 99);
    LEVEL(b, service_command_static, false);
    LEVEL(b, service_command_data, 0x1122334455667788);
}

static void of_service(bench *b)
{
    assert_true(b->o.command_valid && b->o.command_op == OTHER && b->o.command_reset && b->o.command_entry == 1);
    assert_int_equal(b->o.command_mqd, 0x1abcdef012);
    assert_int_equal(b->o.command_pointer, 0x1fedcba987);
    assert_true(b->o.command_process == 0x4321 && b->o.command_tenant == 1);
    assert_true(!b->o.command_static && b->o.command_quantum == 99);
    assert_int_equal(b->o.command_data, 0x1122334455667788);
}

static void done(bench *b, unsigned answer)
{
    b->i.runlist_command_done   = true;
    b->i.runlist_command_answer = (uint8_t)answer;
    tick(b);
    assert_false(b->o.command_valid);
}

// Every operation; operands and COMMAND are locked until it is answered, all else is not. Reads never wait.
RULE(commands_of_the_host)
{
    for (unsigned n = 0; n < 16; n++) {
        if (n > RUN_MASK && (n < 9 || n > 12))
            continue;
        fresh(b);
        operands(b);
        assert_false(b->o.command_valid);
        assert_int_equal(put(b, REGISTER(COMMAND), n), 0);
        of_host(b, n & 7, n >> 3);
        for (unsigned d = 0; d < COUNT(row); d++)
            if (writable(d) || d == REGISTER(COMMAND))
                assert_int_equal(put(b, d, 0), d >= REGISTER(ENTRY) && d <= REGISTER(COMMAND) ? LOCKED : 0);
        assert_int_equal(get(b, REGISTER(COMMAND)), 0);
        assert_int_equal(get(b, REGISTER(STATUS)), 2);
        of_host(b, n & 7, n >> 3);
        done(b, RUN_MQD);
        assert_false(b->o.service_command_done);
        tick(b);
        assert_false(b->o.command_valid);
        assert_int_equal(get(b, REGISTER(STATUS)), RUN_MQD << 2);
        assert_int_equal(get(b, REGISTER(MQD_LO)), 0x89abcde8);
        assert_int_equal(put(b, REGISTER(ENTRY), 0), 0);
    }
}

// Taken in the next clock, answered in the next; it is not taken again while it is answered.
RULE(commands_of_service)
{
    for (unsigned answer = 0; answer < 3; answer++) {
        offer(b);
        tick(b);
        of_service(b);
        LEVEL(b, service_command_data, 0); // what runlist has stays
        LEVEL(b, service_command_op, 0);
        ticks(b, answer);
        of_service(b);
        done(b, answer);
        assert_true(b->o.service_command_done);
        assert_int_equal(b->o.service_command_answer, answer);
        tick(b);
        assert_false(b->o.service_command_done || b->o.command_valid);
    }
    tick(b);
    assert_true(b->o.command_valid); // the next one
    LEVEL(b, service_command_valid, false);
    done(b, RUN_ENTRY);
    b->i.runlist_command_done = true; // of nobody
    tick(b);
    assert_false(b->o.service_command_done || b->o.command_valid);
    assert_int_equal(get(b, REGISTER(STATUS)), 0);
}

// Both always have one: in turn. The host's waits in the registers meanwhile.
RULE(in_turn)
{
    operands(b);
    offer(b);
    tick(b);
    for (unsigned n = 0; n < 3; n++) {
        of_service(b);
        assert_int_equal(put(b, REGISTER(COMMAND), RUN_MASK), 0);
        assert_int_equal(put(b, REGISTER(ENTRY), 0), LOCKED);
        of_service(b);
        done(b, RUN_ENTRY);
        assert_true(b->o.service_command_done);
        tick(b);
        of_host(b, RUN_MASK, false);
        done(b, RUN_GOOD);
        assert_false(b->o.service_command_done);
        tick(b);
    }
    // The one that was not served last: service, which had the last one before this.
    done(b, RUN_GOOD);
    LEVEL(b, service_command_valid, false);
    tick(b);
    put(b, REGISTER(COMMAND), RUN_ADD);
    of_host(b, RUN_ADD, false);
    done(b, RUN_GOOD);
    LEVEL(b, host_ledger_valid, true); // COMMAND and a command of service in one clock
    LEVEL(b, host_request_write, true);
    LEVEL(b, host_request_dword, REGISTER(COMMAND));
    ticks(b, 3);
    assert_true(b->o.host_done);
    offer(b);
    tick(b);
    of_service(b);
}
