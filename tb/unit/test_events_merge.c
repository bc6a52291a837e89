// SPDX-License-Identifier: Apache-2.0
//
// totem_events with mqd, record and poll of one pipe, wired as in the pipe; fence is a stub. Messages are begun at
// random: every one arrives whole and once, and no interrupt is lost.

#include <string.h>

#include "tests.h"

#include "totem_events.h"
#include "totem_mqd.h"
#include "totem_poll.h"
#include "totem_record.h"

enum { PIPE = TOTEM_PIPE_COUNT - 1, CLOCKS = 300000 };
enum { MQD, RECORD, POLL, SENDERS };

static uint32_t seed;

static uint32_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

TEST(whole_and_once)
{
    static totem_events events;
    static totem_mqd    mqd;
    static totem_record record;
    static totem_poll   poll;
    unsigned            begun[SENDERS] = {0}, came[SENDERS] = {0}, notices[2] = {0}, taken[2] = {0}, met = 0, cut = 0;
    uint32_t            word[SENDERS] = {0};
    bool                fence         = false;
    totem_events_reset(&events);
    totem_mqd_reset(&mqd);
    totem_record_reset(&record);
    totem_poll_reset(&poll);
    seed = 7;
    for (unsigned now = 0; now < CLOCKS; now++) {
        const bool rest = now > CLOCKS - 2000; // what is under way goes to its end
        if (!rest && mqd.phase == 0 && draw() % 64 == 0) {
            mqd.phase  = draw() % 4 == 0 ? MQD_INTERRUPT : MQD_ERROR;
            mqd.code   = 0x65;
            mqd.step   = 0;
            mqd.reason = mqd.phase == MQD_INTERRUPT ? 4 : 4 * (draw() & 1);
            mqd.value = word[MQD] = draw();
            begun[MQD] += mqd.phase == MQD_ERROR;
            notices[1] += mqd.reason != 0;
        }
        if (!rest && record.phase == 0 && draw() % 64 == 0) {
            record.phase = RECORD_REPORT;
            record.fault = 2;
            record.step  = 0;
            record.base  = draw();
            word[RECORD] = (uint32_t)(record.base << 3);
            begun[RECORD]++;
        }
        if (!rest && poll.phase == 0 && draw() % 64 == 0) {
            poll.phase = POLL_RECORD;
            poll.fault = 1;
            poll.value = word[POLL] = draw();
            begun[POLL]++;
        }
        if (!rest && !fence && draw() % 8 == 0) {
            fence = true;
            notices[0]++;
        }
        totem_events_out e;
        totem_mqd_out    m;
        totem_record_out r;
        totem_poll_out   p;
        totem_events_outputs(&events, &e);
        totem_mqd_outputs(&mqd, &m);
        totem_record_outputs(&record, &r);
        totem_poll_outputs(&poll, &p);
        met += m.error_valid && r.error_valid;
        cut += p.error_second && (m.error_valid || r.error_valid);

        totem_events_in ie             = {0};
        ie.mqd_error_valid[PIPE]       = m.error_valid;
        ie.mqd_error_word[PIPE]        = m.error_word;
        ie.record_error_valid[PIPE]    = r.error_valid;
        ie.record_error_word[PIPE]     = r.error_word;
        ie.poll_error_valid[PIPE]      = p.error_valid;
        ie.poll_error_word[PIPE]       = p.error_word;
        ie.poll_error_second[PIPE]     = p.error_second;
        ie.mqd_interrupt_valid[PIPE]   = m.interrupt_valid;
        ie.mqd_interrupt_word[PIPE]    = m.interrupt_word;
        ie.fence_interrupt_valid[PIPE] = fence;
        ie.fence_interrupt_word[PIPE]  = 0xfe;
        totem_mqd_in im                = {0};
        im.events_error_ready          = e.mqd_error_ready[PIPE];
        im.record_error_valid          = r.error_valid;
        im.poll_error_valid            = p.error_valid;
        im.poll_error_second           = p.error_second;
        im.events_interrupt_ready      = e.interrupt_ready[PIPE];
        im.fence_interrupt_valid       = fence;
        totem_record_in ir             = {0};
        ir.events_mqd_error_ready      = e.mqd_error_ready[PIPE];
        ir.mqd_error_valid             = m.error_valid;
        ir.poll_error_valid            = p.error_valid;
        ir.poll_error_second           = p.error_second;
        totem_poll_in ip               = {0};
        ip.events_mqd_error_ready      = e.mqd_error_ready[PIPE];
        ip.record_error_valid          = r.error_valid;
        ip.mqd_error_valid             = m.error_valid;
        fence                          = fence && !e.interrupt_ready[PIPE];

        events.record_valid = false; // keep the next one
        totem_events_step(&events, &ie);
        totem_mqd_step(&mqd, &im);
        totem_record_step(&record, &ir);
        totem_poll_step(&poll, &ip);

        if (events.record_valid) {
            const unsigned from = events.record_code == 0x65 ? MQD : events.record_code == 0x66 ? RECORD : POLL;
            assert_int_equal(events.record_code, from == POLL ? 0x61 : events.record_code);
            assert_int_equal(events.record_source, TOTEM_SOURCE_MQD(PIPE));
            assert_int_equal(events.record_word, word[from]);
            came[from]++;
        }
        if (events.context_valid)
            taken[events.context_word == 4]++;
    }
    assert_true(met > 100 && cut > 10);
    for (unsigned n = MQD; n < SENDERS; n++) {
        assert_true(begun[n] > 100);
        assert_int_equal(came[n], begun[n]);
    }
    assert_true(notices[1] > 100);
    assert_int_equal(taken[0], notices[0]);
    assert_int_equal(taken[1], notices[1]);
    assert_true(mqd.phase == 0 && record.phase == 0 && poll.phase == 0 && !events.part);
}
