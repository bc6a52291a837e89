// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: rules, latencies and meetings of docs/contract/memory.md. Requests and responses are those of the test.

#include "block_bench.h"

#include "totem_memory.h"

BENCH(memory)

enum {
    READERS = 3 * TOTEM_PIPES,
    STREAMS = 3 * TOTEM_PIPES,
    WRITERS = 4 * TOTEM_PIPES,
    FENCE   = STREAMS,
    SLVERR  = 1,
    DECERR,
    TIMEOUT
};

static void open_bench(bench *b)
{
    fresh(b);
    LEVEL(b, m_axi_arready, true);
    LEVEL(b, m_axi_awready, true);
    LEVEL(b, m_axi_wready, true);
}

static void ask(bench *b, unsigned r, uint64_t address, uint8_t beats)
{
    assert_true(b->o.read_ready[r]);
    b->i.read_valid[r] = true;
    b->i.read_addr[r]  = address;
    b->i.read_beats[r] = beats;
}

static void beat(bench *b, unsigned r, uint64_t data, bool last, unsigned response)
{
    b->i.m_axi_rvalid = true;
    b->i.m_axi_rid    = (uint8_t)r;
    b->i.m_axi_rdata  = data;
    b->i.m_axi_rlast  = last;
    b->i.m_axi_rresp  = (uint8_t)response;
    tick(b);
}

static void response(bench *b, unsigned w, unsigned code)
{
    b->i.m_axi_bvalid = true;
    b->i.m_axi_bid    = (uint8_t)w;
    b->i.m_axi_bresp  = (uint8_t)code;
    tick(b);
}

// Offers a write message until both words are taken; returns the clocks from the offer to the second word.
static unsigned write(bench *b, unsigned w, uint64_t address, unsigned strobe, unsigned tag, uint64_t data)
{
    const uint64_t words[2] = {address | (uint64_t)strobe << 40 | (uint64_t)tag << 48, data};
    unsigned       clocks   = 0;
    for (unsigned n = 0; n < 2;) {
        b->i.write_valid[w] = true;
        b->i.write_word[w]  = words[n];
        n += b->o.write_ready[w];
        tick(b);
        assert_true(++clocks < 60);
    }
    return clocks;
}

static void expect_data(const bench *b, unsigned r, uint64_t word, bool last, unsigned error)
{
    assert_true(b->o.data_valid);
    assert_int_equal(b->o.data_target, r);
    assert_int_equal(b->o.data_word, word);
    assert_int_equal(b->o.data_last, last);
    assert_int_equal(b->o.data_error, error);
}

static void expect_ack(const bench *b, unsigned w, unsigned tag, unsigned error)
{
    assert_true(b->o.ack_valid);
    assert_int_equal(b->o.ack_target, w);
    assert_int_equal(b->o.ack_tag, tag);
    assert_int_equal(b->o.ack_error, error);
}

// Request in t: arvalid in t+2. Beat in t: data_valid in t+1.
static void read_of_every_requester(void **state)
{
    (void)state;
    for (unsigned r = 0; r < READERS; r++) {
        bench b;
        open_bench(&b);
        assert_true(b.o.idle);
        ask(&b, r, 0x123456780, 3);
        tick(&b);
        assert_false(b.o.m_axi_arvalid || b.o.idle || b.o.read_ready[r]);
        tick(&b);
        assert_true(b.o.m_axi_arvalid);
        assert_int_equal(b.o.m_axi_arid, r);
        assert_int_equal(b.o.m_axi_araddr, 0x123456780);
        assert_int_equal(b.o.m_axi_arlen, 2);
        assert_int_equal(b.o.m_axi_arsize, 3);
        assert_int_equal(b.o.m_axi_arburst, 1);
        tick(&b);
        assert_false(b.o.m_axi_arvalid);
        for (unsigned n = 0; n < 3; n++) {
            beat(&b, r, 70 + n, n == 2, 0);
            expect_data(&b, r, 70 + n, n == 2, 0);
        }
        tick(&b);
        assert_true(b.o.idle);
        assert_false(b.o.data_valid);
    }
}

// Offer in t, words taken in t+1 and t+2, awvalid and wvalid in t+4. Response in t: ack in t+1.
static void write_of_every_requester(void **state)
{
    (void)state;
    for (unsigned w = 0; w < WRITERS; w++) {
        bench b;
        open_bench(&b);
        assert_int_equal(write(&b, w, 0x1234567898, 0xf0, 0x2a, 0xfeedface), 3);
        assert_false(b.o.m_axi_awvalid || b.o.m_axi_wvalid);
        tick(&b);
        assert_true(b.o.m_axi_awvalid && b.o.m_axi_wvalid && b.o.m_axi_wlast);
        assert_int_equal(b.o.m_axi_awid, w < STREAMS ? w : 8);
        assert_int_equal(b.o.m_axi_awaddr, 0x1234567898);
        assert_int_equal(b.o.m_axi_awlen, 0);
        assert_int_equal(b.o.m_axi_wdata, 0xfeedface);
        assert_int_equal(b.o.m_axi_wstrb, 0xf0);
        tick(&b);
        assert_false(b.o.m_axi_awvalid || b.o.m_axi_wvalid || b.o.idle);
        response(&b, w < STREAMS ? w : 8, 0);
        expect_ack(&b, w, 0x2a, 0);
        assert_int_equal(b.o.ack_addr, 0x123456789c); // where the strobe begins
        tick(&b);
        assert_true(b.o.idle);
    }
}

static void channels_are_held_until_ready(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, m_axi_arready, false);
    LEVEL(&b, m_axi_awready, false);
    LEVEL(&b, m_axi_wready, false);
    ask(&b, 0, 0x1000, 1);
    write(&b, 0, 0x2000, 0xff, 1, 5);
    ticks(&b, 3);
    for (unsigned n = 0; n < 5; n++) {
        assert_true(b.o.m_axi_arvalid && b.o.m_axi_awvalid && b.o.m_axi_wvalid);
        assert_int_equal(b.o.m_axi_araddr, 0x1000);
        assert_int_equal(b.o.m_axi_awaddr, 0x2000);
        tick(&b);
    }
    b.i.m_axi_wready = true; // data before address
    tick(&b);
    assert_true(b.o.m_axi_awvalid && !b.o.m_axi_wvalid);
}

static void errors_of_responses(void **state)
{
    static const unsigned code[] = {0, 0, SLVERR, DECERR};
    bench                 b;
    (void)state;
    open_bench(&b);
    for (unsigned n = 0; n < 4; n++) {
        ask(&b, 1, 0x1000, 1);
        ticks(&b, 3);
        beat(&b, 1, 9, true, n);
        expect_data(&b, 1, 9, true, code[n]);
        write(&b, 1, 0x2000, 0xff, n, 5);
        ticks(&b, 2);
        response(&b, 1, n);
        expect_ack(&b, 1, n, code[n]);
    }
}

static void bursts_of_the_wrong_length(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    ask(&b, 0, 0x1000, 3);
    ticks(&b, 3);
    beat(&b, 0, 1, false, 0);
    beat(&b, 0, 2, true, 0); // too short
    expect_data(&b, 0, 2, true, SLVERR);
    ask(&b, 0, 0x1000, 1);
    ticks(&b, 3);
    beat(&b, 0, 3, false, 0); // too long: the rest is dropped
    expect_data(&b, 0, 3, true, SLVERR);
    assert_true(b.o.dead);
    beat(&b, 0, 4, true, 0);
    assert_false(b.o.data_valid || b.o.dead);
    beat(&b, 0, 5, true, 0); // answers nothing
    assert_false(b.o.data_valid);
    response(&b, 0, 0);
    assert_false(b.o.ack_valid);
    beat(&b, 15, 5, true, 0); // nobody's
    assert_false(b.o.data_valid);
    assert_true(b.o.idle);
}

static void two_outstanding_in_order(void **state)
{
    bench    b;
    unsigned sent = 0;
    (void)state;
    open_bench(&b);
    for (unsigned n = 0; n < 3; n++) {
        ask(&b, 0, 0x1000 + 64 * n, (uint8_t)(n + 1));
        for (unsigned k = 0; k < 4; k++) {
            tick(&b);
            sent += b.o.m_axi_arvalid;
        }
    }
    assert_int_equal(sent, 2); // the third waits
    beat(&b, 0, 1, true, 0);
    expect_data(&b, 0, 1, true, 0);
    CLOCKS_UNTIL(&b, b.o.m_axi_arvalid, 2);
    beat(&b, 0, 2, false, 0);
    expect_data(&b, 0, 2, false, 0);
    beat(&b, 0, 3, true, 0);
    expect_data(&b, 0, 3, true, 0);
}

// A read waits for every outstanding write to its 4 KiB, and for the message being held.
static void read_behind_write(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    write(&b, 0, 0x5008, 0xff, 1, 5);
    ask(&b, 1, 0x5ff8, 1); // the message is held or sent
    ask(&b, 0, 0x6000, 1); // another page
    unsigned others = 0;
    for (unsigned n = 0; n < 10; n++) {
        tick(&b);
        assert_false(b.o.m_axi_arvalid && b.o.m_axi_arid == 1);
        others += b.o.m_axi_arvalid;
    }
    assert_int_equal(others, 1);
    response(&b, 0, 0); // still waits in this clock
    assert_false(b.o.m_axi_arvalid);
    CLOCKS_UNTIL(&b, b.o.m_axi_arvalid, 2);
    assert_int_equal(b.o.m_axi_arid, 1);
}

// ---- time-outs

enum { PERIOD = 20 };

// Given up after more than one and at most two periods; the ID is reserved until the late response has been dropped.
static void read_times_out(void **state)
{
    (void)state;
    for (unsigned phase = 0; phase < PERIOD; phase++) {
        bench b;
        open_bench(&b);
        LEVEL(&b, settings_timeout, PERIOD);
        ticks(&b, phase);
        ask(&b, 0, 0x1000, 2);
        ticks(&b, 2); // sent
        const unsigned n = CLOCKS_UNTIL(&b, b.o.data_valid, 3 * PERIOD);
        assert_in_range(n, PERIOD, 2 * PERIOD + 2);
        expect_data(&b, 0, 0, true, TIMEOUT);
        assert_true(b.o.dead);
        tick(&b);
        assert_true(b.o.idle); // reserved IDs count as drained
        ask(&b, 0, 0x2000, 1); // waits with the same patience
        const unsigned k = CLOCKS_UNTIL(&b, b.o.data_valid, 3 * PERIOD);
        assert_in_range(k, PERIOD, 2 * PERIOD + 3);
        expect_data(&b, 0, 0, true, TIMEOUT);
        assert_false(b.o.m_axi_arvalid); // without having been sent
        beat(&b, 0, 7, false, 0);        // late
        assert_false(b.o.data_valid);
        assert_true(b.o.dead);
        beat(&b, 0, 8, true, 0);
        assert_false(b.o.data_valid || b.o.dead);
        ask(&b, 0, 0x3000, 1);
        ticks(&b, 2);
        assert_true(b.o.m_axi_arvalid);
    }
}

static void write_times_out(void **state)
{
    (void)state;
    for (unsigned phase = 0; phase < PERIOD; phase++) {
        bench b;
        open_bench(&b);
        LEVEL(&b, settings_timeout, PERIOD);
        ticks(&b, phase);
        write(&b, 1, 0x1000, 0xff, 5, 1);
        tick(&b); // sent
        const unsigned n = CLOCKS_UNTIL(&b, b.o.ack_valid, 3 * PERIOD);
        assert_in_range(n, PERIOD, 2 * PERIOD + 2);
        expect_ack(&b, 1, 5, TIMEOUT);
        assert_false(b.o.dead); // there are others
        // Another requester goes on.
        write(&b, 0, 0x1000, 0xff, 6, 1);
        ticks(&b, 2);
        response(&b, 0, 0);
        expect_ack(&b, 0, 6, 0);
        // So does this one, with a borrowed ID, and again with its own when the late response has come.
        assert_in_range(write(&b, 1, 0x2008, 0xf0, 7, 1), 1, 4);
        CLOCKS_UNTIL(&b, b.o.m_axi_awvalid, 3);
        assert_int_equal(b.o.m_axi_awid, 8);
        tick(&b);
        response(&b, 1, 0);
        assert_false(b.o.ack_valid);
        response(&b, 8, 2);
        expect_ack(&b, 1, 7, SLVERR);
        assert_int_equal(b.o.ack_addr, 0x200c);
        write(&b, 1, 0x1000, 0xff, 8, 1);
        CLOCKS_UNTIL(&b, b.o.m_axi_awvalid, 3);
        assert_int_equal(b.o.m_axi_awid, 1);
    }
}

// Borrowed IDs: one write of the stream at a time, also across the late response that gives its own ID back; reads of that page
// wait; when all IDs are reserved the path is dead, and the next write waits as long, then ends without having been sent.
static void streams_borrow(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, settings_timeout, 50);
    write(&b, 1, 0x1000, 0xff, 60, 1);
    CLOCKS_UNTIL(&b, b.o.ack_valid, 150);
    tick(&b);
    for (unsigned k = 0; k < TOTEM_FENCES; k++) {
        write(&b, 1, 0x3000 + 8 * k, 0xff, k, k);
        CLOCKS_UNTIL(&b, b.o.m_axi_awvalid, 3);
        assert_int_equal(b.o.m_axi_awid, 8 + k);
        for (unsigned n = 0; n < 8; n++) { // the next one waits for it
            b.i.write_valid[1] = true;
            assert_false(b.o.write_ready[1]);
            tick(&b);
        }
        CLOCKS_UNTIL(&b, b.o.ack_valid, 150);
        expect_ack(&b, 1, k, TIMEOUT);
        assert_int_equal(b.o.ack_addr, 0x3000 + 8 * k);
        assert_int_equal(b.o.dead, k + 1 == TOTEM_FENCES);
    }
    tick(&b);
    unsigned n = 0;
    for (unsigned words = 0; !b.o.ack_valid; n++) {
        b.i.write_valid[1] = words < 2;
        words += b.o.write_ready[1];
        tick(&b);
        assert_false(b.o.m_axi_awvalid);
        assert_true(n < 150);
    }
    assert_in_range(n, 50, 110);
    assert_int_equal(b.o.ack_error, TIMEOUT);
    response(&b, 8, 0); // one comes back
    assert_false(b.o.ack_valid || b.o.dead);
    write(&b, 1, 0x7000, 0xff, 9, 1);
    CLOCKS_UNTIL(&b, b.o.m_axi_awvalid, 3);
    assert_int_equal(b.o.m_axi_awid, 8);
    tick(&b);
    response(&b, 1, 0); // its own, but the write behind must not overtake
    ask(&b, 0, 0x7f80, 1);
    for (n = 0; n < 8; n++) {
        b.i.write_valid[1] = true;
        assert_false(b.o.write_ready[1] || b.o.m_axi_arvalid);
        tick(&b);
    }
    response(&b, 8, 0);
    expect_ack(&b, 1, 9, 0);
    CLOCKS_UNTIL(&b, b.o.m_axi_arvalid, 3);
    write(&b, 1, 0x7000, 0xff, 10, 1);
    CLOCKS_UNTIL(&b, b.o.m_axi_awvalid, 3);
    assert_int_equal(b.o.m_axi_awid, 1);
}

// Of every path that is shut one message goes out, when the one before it is through; it comes again when the path was open
// in between.
static void shut_paths_are_told(void **state)
{
    enum { READERS = 3 * TOTEM_PIPES, PATHS = READERS + 1 };
    bench b;
    (void)state;
    open_bench(&b);
    for (unsigned round = 0; round < 2; round++) {
        ticks(&b, 3);
        assert_false(b.o.error_valid || b.o.dead);
        for (unsigned n = 0; n < READERS; n++)
            b.s.reads_late[n] = 1;
        for (unsigned n = 0; n < TOTEM_FENCES; n++)
            b.s.fence_late[n] = true;
        totem_memory_outputs(&b.s, &b.o);
        assert_true(b.o.dead && !b.o.error_valid);
        for (unsigned path = 0; path < PATHS; path++) {
            tick(&b);
            for (unsigned n = 0; n < 3; n++) {
                assert_true(b.o.error_valid);
                assert_int_equal(b.o.error_word, 0x6aull << 56);
                b.i.error_ready = n == 2;
                tick(&b);
            }
            assert_true(b.o.error_valid);
            assert_int_equal(b.o.error_word, path);
            b.i.error_ready = true;
            tick(&b);
        }
        ticks(&b, 5);
        assert_false(b.o.error_valid); // each once
        for (uint8_t n = 0; n < READERS; n++)
            beat(&b, n, 0, true, 0);
        for (uint8_t n = 0; n < TOTEM_FENCES; n++)
            response(&b, 8 + n, 0);
    }
}

// A beat is progress, also in the clock in which the requester would be given up.
static void progress_renews_patience(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, settings_timeout, PERIOD);
    ask(&b, 0, 0x1000, 16);
    ticks(&b, 3);
    for (unsigned n = 0; n < 15; n++) {
        for (unsigned k = 0; k < PERIOD - 1; k++) {
            tick(&b);
            assert_false(b.o.data_valid);
        }
        beat(&b, 0, n, false, 0);
        expect_data(&b, 0, n, false, 0);
    }
    beat(&b, 0, 15, true, 0);
    expect_data(&b, 0, 15, true, 0);
}

static void zero_is_never(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    ask(&b, 0, 0x1000, 1);
    for (unsigned n = 0; n < 5000; n++) {
        tick(&b);
        assert_false(b.o.data_valid);
    }
}

// ---- meetings

static void last_beat_meets_the_next_read(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    ask(&b, 0, 0x1000, 1);
    ticks(&b, 3);
    ask(&b, 0, 0x2000, 2);
    tick(&b);
    beat(&b, 0, 1, true, 0); // the second is sent at the end of this clock
    expect_data(&b, 0, 1, true, 0);
    assert_true(b.o.m_axi_arvalid);
    assert_int_equal(b.s.reads[0], 1);
    assert_int_equal(b.s.beats[0], 2);
}

static void response_meets_the_next_write(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    write(&b, 0, 0x1000, 0xff, 1, 1);
    tick(&b);
    write(&b, 0, 0x2000, 0xff, 2, 2);
    response(&b, 0, 0); // in the clock in which the second is sent
    expect_ack(&b, 0, 1, 0);
    assert_true(b.o.m_axi_awvalid);
    assert_int_equal(b.s.writes[0], 1);
    tick(&b);
    response(&b, 0, 0);
    expect_ack(&b, 0, 2, 0);
}

// ---- fence writes

static void fence_writes_do_not_wait_for_each_other(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    for (unsigned k = 0; k < TOTEM_FENCES; k++) {
        write(&b, FENCE, 0x1000 * (k + 1), 0xff, k, k);
        CLOCKS_UNTIL(&b, b.o.m_axi_awvalid, 4);
        assert_int_equal(b.o.m_axi_awid, 8 + k);
        tick(&b);
    }
    b.i.write_valid[FENCE] = true; // no ID is left
    for (unsigned n = 0; n < 10; n++) {
        assert_false(b.o.write_ready[FENCE]);
        b.i.write_valid[FENCE] = true;
        tick(&b);
    }
    for (unsigned k = TOTEM_FENCES; k-- > 0;) { // the other way round, the first one last
        response(&b, 8 + k, k == 1 ? 2 : 0);
        expect_ack(&b, FENCE, k, k == 1 ? SLVERR : 0);
        assert_int_equal(b.o.ack_addr, 0x1000 * (k + 1));
        response(&b, 8 + k, 0); // answers nothing
        assert_false(b.o.ack_valid);
    }
}

#if TOTEM_PIPES == 2
static void fence_writes_of_two_pipes(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    write(&b, FENCE, 0x1000, 0xff, 3, 1);
    ticks(&b, 2);
    write(&b, FENCE + 1, 0x2000, 0x0f, 3, 2);
    ticks(&b, 2);
    response(&b, 9, 0);
    expect_ack(&b, FENCE + 1, 3, 0);
    response(&b, 8, 3);
    expect_ack(&b, FENCE, 3, DECERR);
}
#endif

// A fence write without an answer ends with error 3 and reserves its ID only; when all are reserved, the next one is not sent.
static void fence_writes_without_an_answer(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, settings_timeout, 50);
    for (unsigned k = 0; k < TOTEM_FENCES; k++) {
        write(&b, FENCE, 0x3000 + 8 * k, 0xff, k, k);
        CLOCKS_UNTIL(&b, b.o.ack_valid, 150);
        expect_ack(&b, FENCE, k, TIMEOUT);
        assert_int_equal(b.o.ack_addr, 0x3000 + 8 * k);
        assert_int_equal(b.o.dead, k + 1 == TOTEM_FENCES);
        ask(&b, 0, 0x3000, 1); // a write given up keeps no read away
        CLOCKS_UNTIL(&b, b.o.m_axi_arvalid, 4);
        tick(&b);
        beat(&b, 0, 1, true, 0);
    }
    unsigned n     = 0;
    unsigned words = 0;
    while (!b.o.ack_valid) {
        b.i.write_valid[FENCE] = words < 2;
        b.i.write_word[FENCE]  = words == 0 ? 0x4004 | 0xf0ull << 40 | 9ull << 48 : 5;
        words += b.o.write_ready[FENCE];
        tick(&b);
        assert_false(b.o.m_axi_awvalid);
        assert_true(n++ < 150);
    }
    assert_in_range(n, 50, 110);
    expect_ack(&b, FENCE, 9, TIMEOUT);
    assert_int_equal(b.o.ack_addr, 0x4004);
    response(&b, 8 + TOTEM_FENCES - 1, 0); // late: dropped, the ID is free again
    assert_false(b.o.ack_valid || b.o.dead);
    write(&b, FENCE, 0x5000, 0xff, 1, 1);
    CLOCKS_UNTIL(&b, b.o.m_axi_awvalid, 4);
    assert_int_equal(b.o.m_axi_awid, 8 + TOTEM_FENCES - 1);
}

static void a_read_waits_for_a_fence_write(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    write(&b, FENCE, 0x7008, 0xff, 1, 1);
    ticks(&b, 3);
    ask(&b, 0, 0x7f80, 1);
    for (unsigned n = 0; n < 10; n++) {
        tick(&b);
        assert_false(b.o.m_axi_arvalid);
    }
    response(&b, 8, 0);
    CLOCKS_UNTIL(&b, b.o.m_axi_arvalid, 3);
}

// Two writes of a stream are out at once: the answers come in order, each with its own tag and address.
static void two_writes_have_their_own_tags(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    write(&b, 0, 0x1000, 0xff, 1, 1);
    write(&b, 0, 0x2000, 0xff, 2, 2);
    for (unsigned n = 0; n < 4; n++)
        tick(&b);
    assert_int_equal(b.s.writes[0], 2);
    for (unsigned n = 1; n <= 2; n++) {
        response(&b, 0, 0);
        expect_ack(&b, 0, n, 0);
        assert_int_equal(b.o.ack_addr, 0x1000 * n);
    }
}

// A write that a busy channel holds back is not outstanding yet: a read of its page waits behind it all the same.
static void a_read_waits_for_a_write_that_is_held(void **state)
{
    bench b;
    (void)state;
    open_bench(&b);
    LEVEL(&b, m_axi_awready, false);
    write(&b, 0, 0x4000, 0xff, 1, 1);
    write(&b, 1, 0x5000, 0xff, 2, 2);
    ask(&b, 1, 0x5010, 1);
    for (unsigned n = 0; n < 10; n++) {
        tick(&b);
        assert_false(b.o.m_axi_arvalid);
        assert_int_equal(b.o.m_axi_awaddr, 0x4000);
    }
    LEVEL(&b, m_axi_awready, true);
    CLOCKS_UNTIL(&b, b.o.m_axi_awvalid && b.o.m_axi_awaddr == 0x5000, 2);
    response(&b, 0, 0);
    assert_false(b.o.m_axi_arvalid);
    response(&b, 1, 0);
    CLOCKS_UNTIL(&b, b.o.m_axi_arvalid, 3);
    assert_int_equal(b.o.m_axi_araddr, 0x5010);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(read_of_every_requester),
        cmocka_unit_test(write_of_every_requester),
        cmocka_unit_test(channels_are_held_until_ready),
        cmocka_unit_test(errors_of_responses),
        cmocka_unit_test(bursts_of_the_wrong_length),
        cmocka_unit_test(two_outstanding_in_order),
        cmocka_unit_test(read_behind_write),
        cmocka_unit_test(read_times_out),
        cmocka_unit_test(write_times_out),
        cmocka_unit_test(streams_borrow),
        cmocka_unit_test(shut_paths_are_told),
        cmocka_unit_test(progress_renews_patience),
        cmocka_unit_test(zero_is_never),
        cmocka_unit_test(last_beat_meets_the_next_read),
        cmocka_unit_test(response_meets_the_next_write),
        cmocka_unit_test(fence_writes_do_not_wait_for_each_other),
#if TOTEM_PIPES == 2
        cmocka_unit_test(fence_writes_of_two_pipes),
#endif
        cmocka_unit_test(fence_writes_without_an_answer),
        cmocka_unit_test(a_read_waits_for_a_fence_write),
        cmocka_unit_test(two_writes_have_their_own_tags),
        cmocka_unit_test(a_read_waits_for_a_write_that_is_held),
    };

    return cmocka_run_group_tests_name("memory", tests, NULL, NULL);
}
