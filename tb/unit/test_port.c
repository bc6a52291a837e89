// SPDX-License-Identifier: Apache-2.0
//
// totem_port: rules, latencies and meetings of docs/contract/port.md.

#include "block_bench.h"

#include "totem_port.h"

BENCH(port)

enum { HEADER_A, HEADER_B, STATE_WORD, GROUP, RECALL = 5, KILL };
enum { LANE = TOTEM_LANES - 1 };

static void word(bench *b, unsigned kind, unsigned pipe, unsigned buffer, unsigned priority, uint64_t data)
{
    // On the highest lane, for front end 0 and engine 0.
    b->i.bus_lane_valid[LANE] = true;
    b->i.bus_lane_word[LANE]  = data;
    b->i.bus_lane_tag[LANE]   = (uint16_t)(pipe << 8 | priority << 9 | kind << 11 | buffer << 14);
}

static void header(bench *b, unsigned pipe, unsigned buffer, unsigned waves)
{
    // Program 0x12345, 3 blocks a wave, 9 of LDS, wave32; threads 17, queue 2, epoch 1.
    word(b, HEADER_A, pipe, buffer, 0, (0x12345u + pipe) | 3ull << 40 | 9ull << 47 | 1ull << 56);
    tick(b);
    word(b, HEADER_B, pipe, buffer, 0, waves | 17u << 7 | 2u << 14 | 1u << 17 | 5u << 20);
    tick(b);
}

static void group(bench *b, unsigned pipe, unsigned buffer, uint64_t id)
{
    word(b, GROUP, pipe, buffer, 2, id);
    tick(b);
}

static void pop(bench *b)
{
    b->i.pop = true;
    tick(b);
}

static void group_with_its_header(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 1, 5);
    assert_false(b.o.head_valid);
    group(&b, 0, 1, 0x1122334455667788);
    assert_true(b.o.head_valid); // one clock after the lane
    assert_true(b.o.head_new && b.o.head_buffer && b.o.head_wave32);
    assert_int_equal(b.o.head_pipe, 0);
    assert_int_equal(b.o.head_priority, 2);
    assert_int_equal(b.o.head_group, 0x1122334455667788);
    assert_int_equal(b.o.head_waves, 5);
    assert_int_equal(b.o.head_threads, 17);
    assert_int_equal(b.o.head_vgprs, 3);
    assert_int_equal(b.o.head_total, 15);
    assert_int_equal(b.o.head_lds, 9);
    assert_int_equal(b.o.head_program, 0x12345);
    assert_int_equal(b.o.head_queue, 2);
    assert_int_equal(b.o.head_epoch, 1);
    group(&b, 0, 1, 2);
    pop(&b);
    assert_true(b.o.head_valid);
    assert_false(b.o.head_new); // only the first of its header
    assert_int_equal(b.o.head_group, 2);
    pop(&b);
    assert_false(b.o.head_valid);
    pop(&b); // ignored
    assert_false(b.o.head_valid || b.o.overrun);
}

static void state_words_go_to_the_ram(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 1, 1);
    for (unsigned n = 0; n < 10; n++) {
        word(&b, STATE_WORD, 0, 1, 0, 100 + n);
        tick(&b);
        assert_true(b.o.state_write_enable);
        assert_int_equal(b.o.state_write_addr, 0 << 5 | 1 << 4 | n);
        assert_int_equal(b.o.state_write_data, 100 + n);
    }
    tick(&b);
    assert_false(b.o.state_write_enable);
    header(&b, 0, 0, 1); // header A begins again at word 0
    word(&b, STATE_WORD, 0, 0, 0, 7);
    tick(&b);
    assert_int_equal(b.o.state_write_addr, 0);
}

static void four_groups_then_overrun(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    for (unsigned n = 0; n < 4; n++)
        group(&b, 0, 0, n);
    assert_false(b.o.overrun);
    b.i.pop = true; // a full FIFO refuses all the same
    group(&b, 0, 0, 4);
    assert_true(b.o.overrun);
    for (unsigned n = 1; n < 4; n++) {
        assert_int_equal(b.o.head_group, n);
        pop(&b);
    }
    assert_false(b.o.head_valid);
    assert_true(b.o.overrun);
}

static void group_meets_pop(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    group(&b, 0, 0, 1);
    b.i.pop = true;
    group(&b, 0, 0, 2);
    assert_true(b.o.head_valid);
    assert_int_equal(b.o.head_group, 2);
    assert_int_equal(b.s.count[0], 1);
}

// Recall on the lane in n: nothing offered from n+1 on, the answer in n+2.
static void recall(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    for (unsigned n = 0; n < 3; n++)
        group(&b, 0, 0, n);
    word(&b, RECALL, 0, 0, 0, 0);
    tick(&b);
    assert_false(b.o.head_valid || b.o.answer_valid);
    tick(&b);
    assert_true(b.o.answer_valid);
    assert_int_equal(b.o.answer_pipe, 0);
    assert_int_equal(b.o.answer_count, 3);
    assert_false(b.o.head_valid);
    tick(&b);
    assert_false(b.o.answer_valid);
    word(&b, RECALL, 0, 0, 0, 0); // nothing there: an answer all the same
    ticks(&b, 2);
    assert_true(b.o.answer_valid);
    assert_int_equal(b.o.answer_count, 0);
}

// The last grant can be popped while the answer is made: it counts as granted.
static void recall_meets_pop(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    group(&b, 0, 0, 1);
    group(&b, 0, 0, 2);
    word(&b, RECALL, 0, 0, 0, 0);
    tick(&b);
    pop(&b);
    assert_true(b.o.answer_valid);
    assert_int_equal(b.o.answer_count, 1);
    assert_false(b.o.head_valid);
    group(&b, 0, 0, 3);
    assert_int_equal(b.o.head_group, 3);
    assert_false(b.o.head_new); // the header has had its first group
}

static void recall_meets_a_group_of_its_own(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    group(&b, 0, 0, 1);
    word(&b, RECALL, 0, 0, 0, 0);
    tick(&b);
    group(&b, 0, 0, 2); // arrives while the recall is carried out: the drop first
    assert_int_equal(b.o.answer_count, 1);
    assert_true(b.o.head_valid);
    assert_int_equal(b.o.head_group, 2);
}

static void header_a_meets_pop(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    group(&b, 0, 0, 1);
    group(&b, 0, 0, 2);
    b.i.pop = true;
    word(&b, HEADER_A, 0, 0, 0, 0);
    tick(&b);
    assert_true(b.o.head_new);
}

static void other_words_change_nothing(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    for (unsigned kind = 0; kind < 8; kind++)
        for (unsigned class = 0; class < 4; class ++) {
            if (class == 0 && (kind < 4 || kind == RECALL || kind == KILL))
                continue;
            const totem_port before = b.s;
            word(&b, kind, 0, 0, 0, 0xffffffffffffffff);
            b.i.bus_lane_tag[LANE] |= (uint16_t)(class << 6);
            tick(&b);
            assert_memory_equal(&before, &b.s, sizeof before);
        }
}

// A word is taken from any lane, if its tag names this front end and this engine; idle is no head.
static void words_of_others(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    b.hold.fe_number = 2;
    b.hold.se_number = 1;
    b.i              = b.hold;
    assert_true(b.o.idle);
    for (unsigned tag = 0; tag < 16; tag++) {
        const bool     mine                   = tag == (1u << 2 | 2u);
        const unsigned before                 = b.s.count[0];
        b.i.bus_lane_valid[tag % TOTEM_LANES] = true;
        b.i.bus_lane_word[tag % TOTEM_LANES]  = 7;
        b.i.bus_lane_tag[tag % TOTEM_LANES]   = (uint16_t)(GROUP << 11 | tag << 2);
        tick(&b);
        assert_int_equal(b.s.count[0], before + mine);
        b.i.bus_lane_tag[0] = (uint16_t)(GROUP << 11 | 1u << 4 | 2u << 2); // no word is there
        tick(&b);
        assert_int_equal(b.s.count[0], before + mine);
    }
    assert_true(b.o.head_valid && !b.o.idle);
    assert_int_equal(b.o.head_group, 7);
}

// A kill is offered one clock after the lane, until it is taken; a newer one of its pipe takes its place.
static void kill_is_offered(void **state)
{
    const uint8_t all = (uint8_t)((1u << TOTEM_EPOCHS) - 1);
    bench         b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    group(&b, 0, 0, 1);
    word(&b, KILL, 0, 0, 3, 0xffffffffffffa501);
    tick(&b);
    for (unsigned n = 0; n < 3; n++) {
        assert_true(b.o.kill_valid && b.o.head_valid && !b.o.answer_valid);
        assert_int_equal(b.o.kill_pipe, 0);
        assert_int_equal(b.o.kill_queue, 1);
        assert_int_equal(b.o.kill_epochs, 0xa5 & all);
        tick(&b);
    }
    word(&b, KILL, 0, 0, 0, 0x0302);
    tick(&b);
    assert_int_equal(b.o.kill_queue, 2);
    assert_int_equal(b.o.kill_epochs, 3);
    b.i.share_kill_ready = true;
    word(&b, KILL, 0, 0, 0, 0x0103); // arrives as the one before is taken
    tick(&b);
    assert_true(b.o.kill_valid);
    assert_int_equal(b.o.kill_queue, 3);
    b.i.share_kill_ready = true;
    tick(&b);
    assert_false(b.o.kill_valid);
    b.i.share_kill_ready = true;
    tick(&b);
    assert_false(b.o.kill_valid);
}

#if TOTEM_PIPES == 2
// Each pipe has a place for a kill; the lower one goes first.
static void kills_of_two_pipes(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    word(&b, KILL, 1, 0, 0, 0x0201);
    tick(&b);
    word(&b, KILL, 0, 0, 0, 0x0102);
    tick(&b);
    assert_true(b.o.kill_valid && !b.o.kill_pipe);
    assert_int_equal(b.o.kill_queue, 2);
    b.i.share_kill_ready = true;
    tick(&b);
    assert_true(b.o.kill_valid && b.o.kill_pipe);
    assert_int_equal(b.o.kill_queue, 1);
    assert_int_equal(b.o.kill_epochs, 2);
    b.i.share_kill_ready = true;
    tick(&b);
    assert_false(b.o.kill_valid);
}

// Groups of two pipes keep one order; a recall takes those of one out of it.
static void two_pipes_one_order(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    header(&b, 1, 0, 2);
    group(&b, 0, 0, 1);
    group(&b, 1, 0, 2);
    group(&b, 0, 0, 3);
    group(&b, 1, 0, 4);
    assert_int_equal(b.o.head_pipe, 0);
    pop(&b);
    assert_int_equal(b.o.head_pipe, 1);
    assert_int_equal(b.o.head_group, 2);
    assert_int_equal(b.o.head_waves, 2);
    word(&b, RECALL, 0, 0, 0, 0);
    tick(&b);
    assert_true(b.o.head_valid); // the other pipe's stays on offer
    assert_int_equal(b.o.head_group, 2);
    pop(&b);
    assert_true(b.o.answer_valid);
    assert_int_equal(b.o.answer_count, 1);
    assert_int_equal(b.o.head_group, 4);
    pop(&b);
    assert_false(b.o.head_valid);
}

static void recall_meets_a_group_of_the_other(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 1);
    header(&b, 1, 0, 1);
    group(&b, 0, 0, 1);
    group(&b, 1, 0, 2);
    word(&b, RECALL, 0, 0, 0, 0);
    tick(&b);
    group(&b, 1, 0, 3);
    assert_int_equal(b.o.head_group, 2);
    pop(&b);
    assert_int_equal(b.o.head_group, 3);
    assert_int_equal(b.o.head_pipe, 1);
}

static void state_words_of_pipe_1(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 1, 1, 1);
    word(&b, STATE_WORD, 1, 1, 0, 5);
    tick(&b);
    assert_int_equal(b.o.state_write_addr, 1 << 5 | 1 << 4);
}
#endif

static void partial_word(bench *b, unsigned pipe, unsigned buffer, unsigned waves, unsigned threads)
{
    word(b, 4, pipe, buffer, 0, waves | threads << 7);
    tick(b);
}

static void partial_group(bench *b, unsigned pipe, unsigned buffer, uint64_t id)
{
    word(b, GROUP, pipe, buffer, 2, id);
    b->i.bus_lane_tag[LANE] |= 1u << 15;
    tick(b);
}

// A partial group is offered when its numbers are there; groups before and behind it keep theirs.
static void partial_group_waits_for_its_word(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 1, 5);
    partial_group(&b, 0, 1, 1);
    assert_false(b.o.head_valid);
    ticks(&b, 3);
    assert_false(b.o.head_valid);
    partial_word(&b, 0, 1, 2, 9);
    assert_true(b.o.head_valid && b.o.head_new);
    assert_int_equal(b.o.head_waves, 2);
    assert_int_equal(b.o.head_threads, 9);
    assert_int_equal(b.o.head_total, 6);
    assert_int_equal(b.o.head_vgprs, 3);
    group(&b, 0, 1, 2);
    partial_group(&b, 0, 1, 3);
    assert_true(b.o.head_valid); // the head is not the one that waits
    partial_word(&b, 0, 1, 4, 11);
    partial_word(&b, 0, 1, 60, 60); // nobody waits: ignored
    pop(&b);
    assert_int_equal(b.o.head_waves, 5);
    assert_int_equal(b.o.head_threads, 17);
    assert_int_equal(b.o.head_total, 15);
    pop(&b);
    assert_int_equal(b.o.head_group, 3);
    assert_int_equal(b.o.head_waves, 4);
    assert_int_equal(b.o.head_threads, 11);
    assert_int_equal(b.o.head_total, 12);
    pop(&b);
    assert_false(b.o.head_valid);
}

// Recalled with its word on the way: the group is returned, the word changes nothing, a group behind it is whole.
static void recall_of_a_partial_group(void **state)
{
    bench b;
    (void)state;
    fresh(&b);
    header(&b, 0, 0, 5);
    partial_group(&b, 0, 0, 1);
    word(&b, RECALL, 0, 0, 0, 0);
    tick(&b);
    tick(&b);
    assert_true(b.o.answer_valid);
    assert_int_equal(b.o.answer_count, 1);
    partial_word(&b, 0, 0, 2, 9);
    group(&b, 0, 0, 2);
    assert_true(b.o.head_valid);
    assert_int_equal(b.o.head_waves, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partial_group_waits_for_its_word),
        cmocka_unit_test(recall_of_a_partial_group),
        cmocka_unit_test(group_with_its_header),
        cmocka_unit_test(state_words_go_to_the_ram),
        cmocka_unit_test(four_groups_then_overrun),
        cmocka_unit_test(group_meets_pop),
        cmocka_unit_test(recall),
        cmocka_unit_test(recall_meets_pop),
        cmocka_unit_test(recall_meets_a_group_of_its_own),
        cmocka_unit_test(header_a_meets_pop),
        cmocka_unit_test(other_words_change_nothing),
        cmocka_unit_test(words_of_others),
        cmocka_unit_test(kill_is_offered),
#if TOTEM_PIPES == 2
        cmocka_unit_test(kills_of_two_pipes),
#endif
#if TOTEM_PIPES == 2
        cmocka_unit_test(two_pipes_one_order),
        cmocka_unit_test(recall_meets_a_group_of_the_other),
        cmocka_unit_test(state_words_of_pipe_1),
#endif
    };

    return cmocka_run_group_tests_name("port", tests, NULL, NULL);
}
