// SPDX-License-Identifier: Apache-2.0
//
// totem_port: rules, latencies and meetings of docs/contract/port.md.

#include "block_bench.h"

#include "totem_dc_values.h"
#include "totem_port.h"

BENCH(port)

#define SCRIPT_BENCH bench
#define SCRIPT_CLOCK tick
#include "script_bench.h"

enum { LANE = TOTEM_LANES - 1 };

// A word on the highest lane, for front end 0 and engine 0; `place`: 2 x buffer + pipe.
static void word(bench *b, unsigned kind, unsigned place, uint64_t data)
{
    const unsigned priority   = kind == WORD_GROUP ? PRIORITY_HIGH : 0;
    b->i.bus_lane_valid[LANE] = true;
    b->i.bus_lane_word[LANE]  = data;
    b->i.bus_lane_tag[LANE]   = (uint16_t)((place & 1) << 8 | priority << 9 | kind << 11 | place >> 1 << 14);
}

static void header_a(bench *b, unsigned place, uint64_t data)
{
    word(b, WORD_HEADER_A, place, data);
}

static void state_word(bench *b, unsigned place, uint64_t data)
{
    word(b, WORD_STATE, place, data);
}

static void group(bench *b, unsigned place, uint64_t id)
{
    word(b, WORD_GROUP, place, id);
}

static void partial(bench *b, unsigned place, uint64_t id)
{
    word(b, WORD_GROUP, place, id);
    b->i.bus_lane_tag[LANE] |= 1u << 15;
}

// Of a partial group: 100 x waves + threads.
static void numbers(bench *b, unsigned place, uint64_t value)
{
    word(b, WORD_PARTIAL, place, value / 100 | value % 100 << 7);
}

static void recall(bench *b, unsigned place, uint64_t data)
{
    word(b, WORD_RECALL, place, data);
}

static void priority(bench *b, unsigned place, uint64_t value)
{
    word(b, WORD_PRIORITY, place, 0);
    b->i.bus_lane_tag[LANE] |= (uint16_t)(value << 9);
}

// epochs << 8 | queue
static void kill(bench *b, unsigned place, uint64_t data)
{
    word(b, WORD_KILL, place, data);
}

static const script_word words[] = {
    ACT(header_a),
    ACT(state_word),
    ACT(group),
    ACT(partial),
    ACT(numbers),
    ACT(recall),
    ACT(kill),
    ACT(priority),
    WORD(pop, i.pop),
    WORD(of, i.grant_pipe),
    WORD(kill_ready, i.engine_kill_kill_ready),
    WORD(valid, o.head_valid[0]),
    WORD(new, o.head_new[0]),
    WORD(buffer, o.head_buffer[0]),
    WORD(level, o.head_priority[0]),
    WORD(head, o.head_group[0]),
    WORD(waves, o.head_waves[0]),
    WORD(threads, o.head_threads[0]),
    WORD(wave32, o.head_wave32[0]),
    WORD(vgprs, o.head_vgprs[0]),
    WORD(total, o.head_total[0]),
    WORD(lds, o.head_lds[0]),
    WORD(program, o.head_program[0]),
    WORD(queue, o.head_queue[0]),
    WORD(epoch, o.head_epoch[0]),
    WORD(context_set, o.head_set[0]),
    WORD(write, o.state_write_enable),
    WORD(write_addr, o.state_write_addr),
    WORD(write_data, o.state_write_data),
    WORD(answer, o.answer_valid),
    WORD(answer_pipe, o.answer_pipe),
    WORD(returned, o.answer_count),
    OUTPUT(kill_valid),
    OUTPUT(kill_pipe),
    OUTPUT(kill_queue),
    OUTPUT(kill_epochs),
    OUTPUT(overrun),
    {0},
};

// Program 0x12345, 3 blocks a wave, 9 of LDS, wave32; threads 17, queue 2, epoch 1, set 1.
static void header(bench *b, unsigned place, unsigned waves)
{
    word(b, WORD_HEADER_A, place, (0x12345u + (place & 1)) | 3ull << 40 | 9ull << 47 | 1ull << 56);
    tick(b);
    word(b, WORD_HEADER_B, place, waves | 17u << 7 | 2u << 14 | 1u << 17 | 5u << 20 | 1u << 24);
    tick(b);
}

static void one_header(bench *b)
{
    fresh(b);
    header(b, 0, 5);
}

static void header_of_buffer_1(bench *b)
{
    fresh(b);
    header(b, 2, 5);
}

static inline void two_headers(bench *b)
{
    one_header(b);
    header(b, 1, 2);
}

static const script_row rows[] = {
    {"partial_group_waits_for_its_word", header_of_buffer_1, // groups before and behind it keep their numbers
     "partial[2]=1; valid:0 4; valid:0 numbers[2]=209; valid:1 new:1 waves:2 threads:9 total:6 vgprs:3 group[2]=2;"
     "partial[2]=3; valid:1 numbers[2]=411; numbers[2]=6060; pop;" // nobody waits for the last numbers
     "waves:5 threads:17 total:15 pop; head:3 waves:4 threads:11 total:12 pop; valid:0"},
    {"group_with_its_header", header_of_buffer_1, // one clock after the lane; only the first one is new
     "valid:0 group[2]=0x1122334455667788; valid:1 new:1 buffer:1 wave32:1 level:2 head:0x1122334455667788"
     " waves:5 threads:17 vgprs:3 total:15 lds:9 program:0x12345 queue:2 epoch:1 context_set:1 group[2]=2;"
     "pop;"
     "valid:1 new:0 head:2 pop; valid:0 pop; valid:0 overrun:0"},
    {"four_groups_then_overrun", one_header, // a pop does not make room in its clock
     "group=0; group=1; group=2; group=3; overrun:0 pop group=4; overrun:1 head:1 pop; head:2 pop; head:3 pop;"
     "valid:0 overrun:1"},
    {"recall", one_header, // on the lane in n: nothing is offered from n+1 on, the answer in n+2, of no group as well
     "group=0; group=1; group=2; recall; valid:0 answer:0; valid:0 answer:1 answer_pipe:0 returned:3;"
     "answer:0 recall 2; answer:1 returned:0"},
    {"recall_meets_pop", one_header, // what is popped while the answer is made is granted
     "group=1; group=2; recall; pop; answer:1 returned:1 valid:0 group=3; head:3 new:0"},
    {"priority_of_all_groups", one_header, // what was granted in that clock leaves with the one before
     "group=1; group=2; group=3; level:2 priority=1 pop; head:2 level:1 pop; head:3 level:1 group=4; level:2"},
    {"header_a_begins_the_state_words", one_header, // at 0, or with its bit 63 at 15
     "state_word=5; write_addr:0 state_word=6; write_addr:1 header_a[2]=0x8000000000000000; write:0 state_word[2]=7; "
     "write_addr:0x2f write_data:7 state_word[2]=8; write_addr:0x20"},
#if TOTEM_PIPES == 2
    {"kills_of_two_pipes", fresh, // the lower one first
     "kill[1]=0x0201; kill=0x0102; kill_valid:1 kill_pipe:0 kill_queue:2 kill_ready;"
     "kill_valid:1 kill_pipe:1 kill_queue:1 kill_epochs:2 kill_ready; kill_valid:0"},
    {"two_pipes_beside_each_other", two_headers, // neither waits for the other; a recall takes the groups of its pipe
     "group=1; group[1]=2; group=3; group[1]=4; priority[1]=0; level:2 level[1]:0 head:1 head[1]:2 "
     "waves[1]:2 pop of=1; head:1 head[1]:4 pop; head:3 recall;"
     "valid:0 valid[1]:1 head[1]:4; answer:1 answer_pipe:0 returned:1 valid:0 pop of=1; valid[1]:0 overrun:0"},
    {"state_words_of_pipe_1", fresh, "header_a[3]; state_word[3]=5; write_addr:0x60"},
#endif
};

// A port of another class takes words of that class that are no draw's ([8]), and no others.
TEST(words_of_its_class)
{
    bench b;
    fresh(&b);
    b.hold.bus_class = 2;
    b.i              = b.hold;
    for (unsigned region = 0; region < 4; region++)
        for (unsigned draw = 0; draw < 2; draw++) {
            const unsigned expected = b.s.count[0] + (region == 2 && draw == 0 ? 1u : 0u);
            word(&b, WORD_GROUP, 0, 7);
            b.i.bus_lane_tag[LANE] |= (uint16_t)(region << 6 | draw << 8);
            tick(&b);
            assert_int_equal(b.s.count[0], expected);
        }
    assert_int_equal(b.s.count[0], 1);
}

// A word is taken from any lane, if its tag names this front end and this engine; idle is no head.
TEST(words_of_others)
{
    bench b;
    fresh(&b);
    b.hold.fe_number = 2;
    b.hold.se_number = 1;
    b.i              = b.hold;
    assert_true(b.o.idle);
    for (unsigned tag = 0; tag < 16; tag++) {
        const unsigned expected = b.s.count[0] + (tag == (1u << 2 | 2u) ? 1u : 0u);
        for (unsigned valid = 2; valid-- > 0;) { // in the second clock no word is there
            b.i.bus_lane_valid[tag % TOTEM_LANES] = valid;
            b.i.bus_lane_word[tag % TOTEM_LANES]  = 7;
            b.i.bus_lane_tag[tag % TOTEM_LANES]   = (uint16_t)(WORD_GROUP << 11 | (valid ? tag : 1u << 2 | 2u) << 2);
            tick(&b);
            assert_int_equal(b.s.count[0], expected);
        }
    }
    assert_true(b.o.head_valid[0] && !b.o.idle);
    assert_int_equal(b.o.head_group[0], 7);
}

SCRIPTS(rows)
