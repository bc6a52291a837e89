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
