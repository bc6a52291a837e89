// SPDX-License-Identifier: Apache-2.0
//
// totem_epoch: a slot that is blocked: a pair has closed its current epoch while no other one was free
// (docs/contract/epoch.md).
// The bench answers every fence write after a while.

#include "fence_bench.h"

enum { SLOT = 1, LAST = TOTEM_EPOCHS - 1, TIME = 4, WRITES = 2 * TOTEM_EPOCHS };

static const uint64_t PAIR = 0x8000, FENCES = 0x1000;

typedef struct {
    entry_bench e;
    uint64_t    address[WRITES];
    unsigned    writes;
    bool        second;
    unsigned    answer; // clocks until it, 0: none is to come
    uint8_t     tag;
} blocked_bench;

static void stepped(blocked_bench *t)
{
    bench *b = &t->e.b;
    if (t->answer != 0 && --t->answer == 0) {
        b->i.fence_write_ack = true;
        b->i.ack_tag         = t->tag;
    }
    if (b->o->fence.write_valid) {
        if (!t->second) {
            assert_true(t->writes < WRITES);
            t->address[t->writes++] = b->o->fence.write_word & 0xffffffffffu;
            t->tag                  = b->o->fence.write_word >> 48 & 0x3f;
            assert_int_equal(t->tag & 7, SLOT);
        } else {
            t->answer = TIME;
        }
        t->second = !t->second;
    }
    clock_edge(&t->e);
}

static void steps(blocked_bench *t, unsigned count)
{
    while (count--)
        stepped(t);
}

static bool is_blocked(const blocked_bench *t)
{
    const totem_front_out *o       = t->e.b.o;
    const bool             blocked = o->epoch.closed[SLOT] >> o->epoch.current[SLOT] & 1;
    if (blocked)
        assert_false(o->epoch.room[SLOT] || o->epoch.flushed[SLOT] || o->slot_idle.settled[SLOT] ||
                     o->slot_idle.idle[SLOT] || o->slot_idle.spare[SLOT]);
    return blocked;
}

static void end(blocked_bench *t, uint8_t epoch)
{
    complete(&t->e, SLOT, epoch);
    stepped(t);
}

// Slot 1 is mapped: a wave and a fence in every epoch but the last, which has a wave and a pair.
static void all_closed(blocked_bench *t)
{
    memset(t, 0, sizeof *t);
    open_bench(&t->e);
    load(&t->e, SLOT, true);
    for (uint8_t e = 0; e < LAST; e++) {
        granted(&t->e, SLOT, e, 1);
        message(&t->e, SLOT, FENCES + 8u * e, 1, 0, e, 0);
    }
    assert_false(t->e.b.o->epoch.room[SLOT] || is_blocked(t));
    granted(&t->e, SLOT, LAST, 1);
    pair(&t->e, SLOT, PAIR, 70);
    assert_true(is_blocked(t));
    assert_int_equal(t->e.b.o->epoch.current[SLOT], LAST);
}

// Slot 1 is not mapped; a mapping that was given up has all its epochs but the last. That one has a wave and a pair.
static void others_reserved(blocked_bench *t)
{
    memset(t, 0, sizeof *t);
    open_bench(&t->e);
    load(&t->e, SLOT, true);
    for (uint8_t e = 0; e < LAST; e++) {
        granted(&t->e, SLOT, e, 1);
        closed(&t->e, SLOT);
    }
    give_up(&t->e);
    steps(t, 4 * TOTEM_EPOCHS);
    assert_true(t->e.b.o->slot_idle.settled[SLOT] && t->e.b.o->epoch.flushed[SLOT] && !t->e.b.o->epoch.room[SLOT]);
    granted(&t->e, SLOT, LAST, 1);
    pair(&t->e, SLOT, PAIR, 70);
    load(&t->e, SLOT, false);
    assert_true(is_blocked(t));
}

// The slot is unmapped, and goes on in the first epoch that is free; the pair comes in its turn, once, when its own
// waves have ended.
TEST(goes_on_when_an_epoch_is_free)
{
    static blocked_bench t;
    all_closed(&t);
    load(&t.e, SLOT, false);
    assert_int_equal(t.e.b.o->slot_idle.targets[SLOT], (1u << TOTEM_EPOCHS) - 1);
    steps(&t, 50);
    assert_true(is_blocked(&t));
    assert_int_equal(t.writes, 0);
    for (uint8_t e = 0; e < LAST; e++) {
        end(&t, e);
        steps(&t, 30);
        assert_int_equal(t.writes, e + 1);
        assert_int_equal(t.address[e], FENCES + 8u * e);
        assert_int_equal(t.e.b.o->epoch.current[SLOT], 0);
        assert_int_equal(t.e.b.o->epoch.room[SLOT], e > 0);
        assert_false(is_blocked(&t) || t.e.b.o->slot_idle.settled[SLOT]);
    }
    end(&t, LAST);
    steps(&t, 30);
    assert_int_equal(t.writes, TOTEM_EPOCHS);
    assert_int_equal(t.address[LAST], PAIR);
    assert_true(t.e.b.o->slot_idle.idle[SLOT]);
}

// It is the oldest, and no other is free: it is done where it is, and is the current one still. A late end may come in
// any clock.
TEST(oldest_is_done_where_it_is)
{
    for (unsigned late = 0; late < 30; late++) {
        static blocked_bench t;
        others_reserved(&t);
        steps(&t, 20);
        assert_int_equal(t.writes, 0);
        end(&t, LAST);
        for (unsigned n = 0; n < 30; n++) {
            if (n == late)
                complete(&t.e, SLOT, 1);
            stepped(&t);
            is_blocked(&t);
        }
        steps(&t, 10);
        assert_int_equal(t.writes, 1);
        assert_int_equal(t.address[0], PAIR);
        assert_int_equal(t.tag >> 3, LAST);
        assert_true(t.e.b.o->slot_idle.settled[SLOT] && t.e.b.o->epoch.flushed[SLOT] && t.e.b.o->epoch.room[SLOT] &&
                    !is_blocked(&t));
        assert_true(t.e.b.o->epoch.current[SLOT] == 1 || t.e.b.o->epoch.current[SLOT] == LAST);
        load(&t.e, SLOT, true); // the next mapping works
        const uint8_t epoch = t.e.b.o->epoch.current[SLOT];
        granted(&t.e, SLOT, epoch, 1);
        message(&t.e, SLOT, FENCES, 1, 0, 1, 0);
        end(&t, epoch);
        steps(&t, 30);
        assert_int_equal(t.writes, 2);
        assert_int_equal(t.address[1], FENCES);
    }
}

// Given up in any clock around the one in which an epoch becomes free. Of a mapped slot the pair is dropped, else it is
// written, once.
TEST(given_up_while_blocked)
{
    enum { AROUND = 30 };
    bool blocked[2] = {false, false}, gone_on = false;
    for (unsigned row = 0; row < 4 * AROUND; row++) {
        static blocked_bench t;
        const bool           mapped = row & 1, frees = row & 2;
        all_closed(&t);
        if (!mapped)
            load(&t.e, SLOT, false);
        if (frees)
            end(&t, 0);
        steps(&t, row / 4);
        LEVEL(&t.e.b, kill_abandon[SLOT], true);
        unsigned n     = 0;
        bool     stood = false;
        while (!t.e.b.o->epoch.abandoned[SLOT]) {
            assert_true(n++ < 30);
            stood = is_blocked(&t);
            stepped(&t);
        }
        LEVEL(&t.e.b, kill_abandon[SLOT], false);
        assert_int_equal(t.e.b.o->epoch.lost, LAST - t.writes);
        blocked[mapped] = blocked[mapped] || (stood && !frees);
        gone_on         = gone_on || !stood;
        if (mapped)
            assert_false(is_blocked(&t));
        steps(&t, 60);
        assert_true(t.e.b.o->slot_idle.settled[SLOT] && t.e.b.o->epoch.flushed[SLOT] &&
                    !t.e.b.o->slot_idle.idle[SLOT] && !is_blocked(&t));
        const unsigned fences = frees ? t.writes - !mapped : 0;
        assert_in_range(fences, 0, 1);
        assert_int_equal(t.writes, fences + !mapped);
        if (!mapped)
            assert_int_equal(t.address[fences], PAIR);
        for (uint8_t e = frees; e <= LAST; e++)
            end(&t, e);
        steps(&t, 10);
        assert_true(t.e.b.o->slot_idle.idle[SLOT] && t.e.b.o->epoch.room[SLOT]);
        assert_int_equal(t.writes, fences + !mapped);
    }
    assert_true(blocked[0] && blocked[1] && gone_on);
}
