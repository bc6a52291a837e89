// SPDX-License-Identifier: Apache-2.0
//
// totem_record: rules, latencies and meetings of docs/contract/record.md. The bench holds the two RAMs and the memory
// behind the write port, which answers after `delay` clocks.

#include "block_bench.h"

#include "totem_hqd_values.h"
#include "totem_pm4.h"
#include "totem_record.h"

BENCH(record)

enum { Q = 1, LAST = TOTEM_QUEUES - 1, ANSWERS = 64 };

typedef struct {
    bench    b;
    uint64_t ram[TOTEM_QUEUES * 4];
    uint32_t sequence[TOTEM_QUEUES * 2];
    uint32_t memory[TOTEM_QUEUES][128]; // the MQDs
    unsigned delay, now;
    unsigned due[ANSWERS]; // clocks of the acknowledges to come
    unsigned sent, acked;
    uint64_t first; // word 0 of the message under way
    bool     second;
    uint8_t  fail; // error of the next acknowledge
    uint64_t fence[3], error[2];
    unsigned fences, errors;
} record_bench;

static uint64_t mqd_of(uint8_t q)
{
    return 0x1200001008ull + 0x10000ull * q;
}

static void clock_edge(record_bench *t)
{
    const totem_record_out o = t->b.o;
    totem_record_in       *i = &t->b.i;

    if (t->acked < t->sent && t->due[t->acked % ANSWERS] == t->now) {
        i->write_ack = true;
        i->ack_error = t->fail;
        i->ack_tag   = 0x15;
        t->fail      = 0;
        t->acked++;
    } else if (t->now % 3 != 0) { // mqd's
        i->write_ack = true;
        i->ack_error = 3;
        i->ack_tag   = 0x3e;
    }
    if (o.write_valid && i->write_ready) {
        if (!t->second) {
            t->first = o.write_word;
            assert_int_equal(t->first >> 48, 1); // the tag
        } else {
            const uint64_t at = t->first & 0xffffffffffull;
            const uint8_t  q  = (uint8_t)(at >> 16 & (TOTEM_QUEUES - 1));
            const uint64_t d  = (at - mqd_of(q)) / 4;
            assert_in_range(d, 92, 106);
            if (t->first >> 40 & 15)
                t->memory[q][d] = (uint32_t)o.write_word;
            t->memory[q][d + 1]         = (uint32_t)(o.write_word >> 32);
            t->due[t->sent++ % ANSWERS] = t->now + t->delay;
        }
        t->second = !t->second;
    }
    if (o.fence_valid && i->fence_ready)
        t->fence[t->fences++ % 3] = o.fence_word;
    if (o.error_valid && i->events_mqd_error_ready && !(i->poll_error_valid && i->poll_error_second))
        t->error[t->errors++ % 2] = o.error_word;
    const uint64_t read = o.ram_read_enable ? t->ram[o.ram_read_addr] : t->b.hold.ram_read_data;
    if (o.ram_write_enable)
        t->ram[o.ram_write_addr] = o.ram_write_data;
    if (o.sequence_write_enable)
        t->sequence[o.sequence_write_addr] = o.sequence_write_data;
    tick(&t->b);
    LEVEL(&t->b, ram_read_data, read);
    assert_true(++t->now < 10000);
}

static void clocks(record_bench *t, unsigned count)
{
    while (count--)
        clock_edge(t);
}

static void load(record_bench *t, uint8_t q, uint8_t kind, uint64_t data)
{
    LOAD_WORD(&t->b, q, kind, data);
    clock_edge(t);
}

static void open_bench(record_bench *t, uint32_t sequence)
{
    memset(t, 0, sizeof *t);
    fresh(&t->b);
    t->delay              = 10;
    t->b.hold.write_ready = t->b.hold.fence_ready = t->b.hold.events_mqd_error_ready = true;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        t->b.hold.fetch_rptr[q]  = 0x1000u * q + 5;
        t->b.hold.fence_waves[q] = (uint16_t)(30 + q);
    }
    t->b.i = t->b.hold;
    for (uint8_t q = 0; q < TOTEM_QUEUES; q++) {
        load(t, q, LOAD_MQD_ADDR, mqd_of(q));
        load(t, q, LOAD_SEQUENCE, sequence);
        clocks(t, 3);
        assert_int_equal(t->sequence[2 * q], sequence);
        assert_int_equal(t->sequence[2 * q + 1], sequence);
    }
}

static void open_at_0(record_bench *t)
{
    open_bench(t, 0);
}

#define RULE(name) RULE_OF(record_bench, open_at_0, t, name)

static void leave(record_bench *t, uint8_t q)
{
    t->b.i.packet_left    = true;
    t->b.i.dispatch_queue = q;
    clock_edge(t);
}

static void quiet(record_bench *t)
{
    for (unsigned q = 0; q < TOTEM_QUEUES; q++)
        while (t->b.o.busy[q]) // clock_edge has a limit
            clock_edge(t);
}

static void abandons(record_bench *t, uint8_t q)
{
    t->b.i.fence_abandoned[q] = true;
    clock_edge(t);
}

RULE(records_and_their_latency)
{
    open_bench(t, 0xffffffff);
    LEVEL(&t->b, fetch_buffer[Q], true);
    LEVEL(&t->b, fetch_buffer_addr[Q], 0x1240000024ull >> 2);
    leave(t, Q);
    assert_true(t->b.o.top_pending[Q] && t->b.o.end_pending[Q] && t->b.o.busy[Q]);
    const unsigned begun = t->now;
    while (!t->b.o.write_valid)
        clock_edge(t);
    assert_int_equal(t->now - begun, 10);
    while (t->b.o.top_pending[Q])
        clock_edge(t);
    assert_int_equal(t->sent, 3);
    assert_int_equal(t->acked, 3);
    const uint32_t top[] = {30 + Q, 0x1000 * Q + 5, 0, 0x40000024};
    assert_memory_equal(&t->memory[Q][92], top, sizeof top);
    assert_int_equal(t->memory[Q][106], 0);
    assert_int_equal(t->memory[Q][107], 0); // it wraps
    assert_int_equal(t->sequence[2 * Q], 0);
    assert_int_equal(t->sequence[2 * Q + 1], 0xffffffff);
    clocks(t, 100);
    assert_int_equal(t->sent, 3); // the end waits
    assert_true(t->b.o.end_pending[Q] && t->b.o.busy[Q]);
    LEVEL(&t->b, fence_settled[Q], true);
    quiet(t);
    assert_int_equal(t->sent, 4);
    assert_int_equal(t->first >> 40 & 0xff, 0xff); // both dwords in one beat
    assert_int_equal(t->memory[Q][96], 0x1000 * Q + 5);
    assert_int_equal(t->memory[Q][97], 0);
    assert_int_equal(t->sequence[2 * Q + 1], 0);
    assert_false(t->b.o.end_pending[Q]);
    assert_int_equal(t->errors + t->fences, 0);
}

// A switch-out while its record is being written: it is written again, and the end record comes behind the newer one.
RULE(newer_switch_replaces)
{
    for (unsigned gap = 5; gap < 60; gap++) {
        open_bench(t, 7);
        LEVEL(&t->b, fence_settled[Q], true);
        leave(t, Q);
        clocks(t, gap - 1);
        LEVEL(&t->b, fetch_rptr[Q], 999);
        leave(t, Q);
        while (t->b.o.busy[Q]) {
            clock_edge(t);
            if (!t->b.o.top_pending[Q])
                assert_int_equal(t->memory[Q][107], 9);
            assert_true((int32_t)(t->memory[Q][107] - t->memory[Q][97]) >= 0 || t->memory[Q][107] == 0);
        }
        assert_int_equal(t->memory[Q][93], 999);
        assert_int_equal(t->memory[Q][96], 999);
        assert_int_equal(t->memory[Q][97], 9);
        assert_in_range(t->sent, 4, 8);
    }
}

RULE(unmapping_hands_the_end_to_fence)
{
    open_bench(t, 3);
    leave(t, LAST);
    clocks(t, 200);
    assert_int_equal(t->sent, 3);
    assert_int_equal(t->fences, 0); // it may come back
    assert_true(t->b.o.busy[LAST]);
    LEVEL(&t->b, hqd_parting[LAST], true);
    quiet(t);
    assert_int_equal(t->fences, 3);
    assert_int_equal(t->b.o.fence_queue, LAST);
    const uint64_t words[] = {(mqd_of(LAST) + 384) | 2ull << 40, 4ull << 32 | (0x1000u * LAST + 5), 0};
    assert_memory_equal(t->fence, words, sizeof words);
    assert_int_equal(t->sent, 3);
    // It is abandoned there: it is written here.
    LEVEL(&t->b, fence_settled[LAST], true);
    LEVEL(&t->b, hqd_leaving[LAST], true);
    abandons(t, LAST);
    assert_true(t->b.o.busy[LAST]);
    quiet(t);
    assert_int_equal(t->sent, 4);
    assert_int_equal(t->fences, 3);
    assert_int_equal(t->memory[LAST][97], 4);
    // A slot without an MQD has no record.
    load(t, LAST, LOAD_MQD_ADDR, 0);
    clocks(t, 3);
    abandons(t, LAST);
    assert_false(t->b.o.busy[LAST]);
    // Nothing in flight: it is written at once.
    open_bench(t, 3);
    LEVEL(&t->b, fence_settled[LAST], true);
    LEVEL(&t->b, hqd_parting[LAST], true);
    leave(t, LAST);
    quiet(t);
    assert_int_equal(t->sent, 4);
    assert_int_equal(t->fences, 0);
}

// A queue that has the pipe has not left it, one that is killed waits for its waves. What is abandoned counts of a slot
// that leaves.
RULE(not_yet_parting)
{
    for (unsigned n = 0; n < 3; n++) {
        open_bench(t, 3);
        leave(t, Q);
        clocks(t, 60);
        LEVEL(&t->b, arbiter_selected_valid, n == 0); // it has come back before it was called off
        LEVEL(&t->b, arbiter_selected, Q);
        LEVEL(&t->b, hqd_killing[Q], n != 0);
        LEVEL(&t->b, kill_ended[Q], n == 2);
        LEVEL(&t->b, hqd_parting[Q], true);
        clocks(t, 60);
        assert_int_equal(t->fences, n == 2 ? 3 : 0);
        LEVEL(&t->b, arbiter_selected, 0); // another one has it now
        LEVEL(&t->b, kill_ended[Q], true);
        quiet(t);
        assert_int_equal(t->fences, 3);
        LEVEL(&t->b, fence_settled[Q], true);
        LEVEL(&t->b, fence_abandoned[Q], true);
        clocks(t, 1);
        assert_false(t->b.o.busy[Q]);
        LEVEL(&t->b, hqd_leaving[Q], true);
        clocks(t, 1);
        assert_true(t->b.o.busy[Q]);
    }
}

// mqd's messages are not cut: this block begins only while none is offered.
RULE(port_is_shared)
{
    LEVEL(&t->b, mqd_write_valid, true);
    leave(t, 0);
    clocks(t, 100);
    assert_int_equal(t->sent, 0);
    LEVEL(&t->b, mqd_write_valid, false);
    clock_edge(t);
    LEVEL(&t->b, mqd_write_valid, true);
    assert_true(t->b.o.write_valid);
    clocks(t, 60);
    assert_int_equal(t->sent, 1);
    LEVEL(&t->b, mqd_write_valid, false);
    LEVEL(&t->b, mqd_error_valid, true);
    t->fail = 2;
    clocks(t, 100);
    assert_int_equal(t->errors, 0);
    LEVEL(&t->b, mqd_error_valid, false);
    LEVEL(&t->b, poll_error_valid, true);
    LEVEL(&t->b, poll_error_second, true); // it is told to its end
    clocks(t, 20);
    assert_int_equal(t->errors, 0);
    assert_true(t->b.o.error_valid);
    assert_int_equal(t->b.o.error_word, 0x66ull << 56 | mqd_of(0));
    LEVEL(&t->b, poll_error_second, false); // another one waits
    clocks(t, 3);
    assert_int_equal(t->errors, 2);
    LEVEL(&t->b, poll_error_valid, false);
    assert_int_equal(t->error[0], 0x66ull << 56 | mqd_of(0));
    assert_int_equal(t->error[1], 0x00001008);
    assert_true(t->b.o.top_pending[0]); // lost, until the next one
    clocks(t, 50);
    assert_true(t->b.o.top_pending[0]);
    leave(t, 0);
    clocks(t, 60);
    assert_false(t->b.o.top_pending[0]);
}

RULE(load_words_meet_a_switch)
{
    for (unsigned n = 0; n < 6; n++)
        for (unsigned kind = LOAD_MQD_ADDR; kind <= LOAD_SEQUENCE; kind += LOAD_SEQUENCE - LOAD_MQD_ADDR) {
            open_bench(t, 20);
            LEVEL(&t->b, fence_settled[0], true);
            t->b.i.packet_left    = true;
            t->b.i.dispatch_queue = 0;
            clocks(t, n);
            load(t, LAST, (uint8_t)kind, kind == LOAD_MQD_ADDR ? mqd_of(LAST) + 0x800 : 77);
            quiet(t);
            assert_int_equal(t->memory[0][107], 21);
            assert_int_equal(t->memory[0][97], 21);
            assert_int_equal(t->memory[0][92], 30);
            assert_int_equal(t->ram[4 * LAST + 3], mqd_of(LAST) + (kind == LOAD_MQD_ADDR ? 0x800 : 0));
            assert_int_equal(t->ram[4 * LAST + 1] >> 32, kind == LOAD_MQD_ADDR ? 20 : 77);
            assert_int_equal(t->sequence[2 * LAST + 1], kind == LOAD_MQD_ADDR ? 20 : 77);
        }
}

RULE(without_descriptor_only_counted)
{
    open_bench(t, 4);
    load(t, Q, LOAD_MQD_ADDR, 0);
    leave(t, Q);
    assert_false(t->b.o.top_pending[Q] || t->b.o.end_pending[Q] || t->b.o.busy[Q]);
    clocks(t, 60);
    assert_int_equal(t->sent, 0);
    assert_int_equal(t->sequence[2 * Q], 5);
    load(t, Q, LOAD_MQD_ADDR, 0x1200000000); // one whose lower half is 0 is one
    leave(t, Q);
    assert_true(t->b.o.top_pending[Q] && t->b.o.end_pending[Q]);
}

// A word that is never answered: the words behind it that were not begun are not written, nor any later record, until
// the slot is mapped again, whenever the queue leaves meanwhile, also in the clock in which the record is given up.
RULE(record_without_an_answer_is_the_last)
{
    for (unsigned word = 0; word < 4; word++) // three of the top record, and the end record
        for (unsigned gap = 0; gap < 40; gap++) {
            open_bench(t, 7);
            t->delay = word == 0 ? 4 : 20; // the first may come before the second is begun
            LEVEL(&t->b, fence_settled[0], true);
            LEVEL(&t->b, fence_settled[Q], true);
            leave(t, Q);
            while (t->acked < word)
                clock_edge(t);
            t->fail = 3;
            clocks(t, 4 + gap);
            leave(t, Q);
            quiet(t);
            assert_int_equal(t->errors, 2);
            assert_int_equal(t->error[0] >> 56, TOTEM_ERROR_MEMORY_WRITE_TIMEOUT);
            assert_in_range(t->sent, 1, 8);
            const unsigned sent = t->sent;
            assert_true(t->b.o.top_pending[Q] && !t->b.o.end_pending[Q]);
            clocks(t, 5);
            leave(t, Q);
            LEVEL(&t->b, hqd_leaving[Q], true);
            abandons(t, Q);
            clocks(t, 100);
            assert_false(t->b.o.busy[Q]);
            assert_true(t->b.o.top_pending[Q] && !t->b.o.end_pending[Q]);
            assert_int_equal(t->sent, sent);
            assert_int_equal(t->sequence[2 * Q], 10); // counted all the same
            leave(t, 0);                              // others have theirs
            clocks(t, 60);
            assert_int_equal(t->memory[0][107], 8);
            load(t, Q, LOAD_MQD_ADDR, mqd_of(Q));
            assert_false(t->b.o.top_pending[Q]);
            clocks(t, 3);
            leave(t, Q);
            quiet(t);
            assert_int_equal(t->memory[Q][107], 11);
            assert_int_equal(t->memory[Q][97], 11);
        }
}
