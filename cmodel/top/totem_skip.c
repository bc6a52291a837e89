// SPDX-License-Identifier: Apache-2.0
//
// totem_skip: see totem_skip.h.

#include "totem_skip.h"

#include "totem_names.h"
#include "totem_offers.h"

#include <string.h>

// Ends of the counters of a turn (docs/contract/arbiter.md).
enum { TURN_END = 0x3fffffff };

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

// host: the clock counter runs, nothing waits for it.
static void totem_host_skip(totem_host *s, uint64_t n)
{
    s->clock += n;
}

// events: the turns go round. Nobody may be waiting for his: what is shown to events decides that.
static bool events_waited_for(const totem_machine_out *o)
{
    bool waited = o->host.error_valid;
#if TOTEM_RUNLIST
    waited = waited || o->proxy.error_valid;
#endif
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        waited = waited || o->fe[f].memory.error_valid;
        for (int p = 0; p < TOTEM_PIPES; p++) {
            const totem_front_out *front = &o->fe[f].pipe[p].front;
            waited = waited || front->execute.error_valid || front->fence.error_valid || totem_offers_error(front) ||
                     front->fetch.error_valid || totem_offers_interrupt(front);
        }
    }
    return waited;
}

static void totem_events_skip(totem_events *s, uint64_t n)
{
    const unsigned turns = TOTEM_FE_COUNT * TOTEM_FE_PIPES;

    s->turn = (uint8_t)((s->turn + n % turns) % turns);
    if (!s->part)
        s->source = (uint8_t)((s->source + n % TOTEM_ERROR_SOURCES) % TOTEM_ERROR_SOURCES);
}

// wave: one slot is visited in every clock, the next one in the clock after.
static uint8_t slot_number(uint64_t number)
{
    return (uint8_t)(number % TOTEM_SLOTS);
}

// Until the first wave is found done, and until the next launch is taken.
static uint64_t totem_wave_quiet(const totem_wave *s, const totem_time_ram *ram)
{
    uint64_t n = UINT64_MAX;
    if (s->start_valid || s->done_valid || s->phase != 0 || s->task_valid)
        return 0;
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        if (s->asks[slot])
            return 0;
    for (unsigned slot = 0; slot < TOTEM_SLOTS; slot++)
        if (s->occupied[slot]) {
            // In step k slot `look_slot` + k is looked at, and is done, or begins to ask, if `now` + k has reached its
            // deadline, or if it is killed.
            if (s->endless[slot] && !s->killed[slot])
                continue;
            const uint32_t past = s->now - (uint32_t)ram->data[slot];
            const uint64_t due  = s->killed[slot] || past < 0x80000000u ? 0 : (uint32_t)-past;
            n = least(n, due + slot_number(slot + 2u * TOTEM_SLOTS - s->look_slot - due % TOTEM_SLOTS));
        }
    return s->wait_clocks == 0 ? n : least(n, s->wait_clocks);
}

static void totem_wave_skip(totem_wave *s, totem_time_ram *ram, uint64_t n)
{
    if (n == 0)
        return;
    // The last slot looked at of those with a wave, in the steps 0 .. n - 1.
    const uint64_t looks = least(n, TOTEM_SLOTS);
    if (s->look_valid)
        s->done_slot = s->look_slot;
    for (uint64_t step = n - looks; step < n; step++)
        if (step != 0 && s->occupied[slot_number(s->visit + step - 1)])
            s->done_slot = slot_number(s->visit + step - 1);
    s->now += (uint32_t)n;
    s->wait_clocks = (uint16_t)(s->wait_clocks - least(n, s->wait_clocks));
    s->look_slot   = slot_number(s->visit + n - 1);
    s->look_valid  = s->occupied[s->look_slot];
    s->visit       = slot_number(s->visit + n);
    if (TOTEM_TASKS)
        s->task_turn = slot_number(s->task_turn + n);
    ram->read_data = ram->data[s->look_slot];
}

// memory: the time-out period runs, and its end matters to whatever has been asked for.
static bool memory_patient(const totem_memory *s, const totem_fe_out *o)
{
    bool patient = s->stage != 0;
    for (int r = 0; r < TOTEM_READERS; r++)
        patient = patient || s->ask_valid[r] || s->reads[r] != 0;
    for (int w = 0; w < TOTEM_STREAMS; w++)
        patient = patient || s->writes[w] != 0;
    for (int k = 0; k < TOTEM_FENCES; k++)
        patient = patient || s->fence_busy[k];
    for (int p = 0; p < TOTEM_PIPES; p++)
        patient = patient || o->pipe[p].front.fetch.write_valid || o->pipe[p].front.execute.write_valid ||
                  o->pipe[p].front.fence.write_valid || o->pipe[p].front.mqd.write_valid ||
                  o->pipe[p].front.record.write_valid;
    return patient;
}

static uint64_t totem_memory_quiet(const totem_memory *s, const totem_fe_out *o, uint32_t timeout)
{
    if (timeout == 0 || !memory_patient(s, o))
        return UINT64_MAX;
    return s->period >= timeout - 1 ? 0 : timeout - 1 - s->period;
}

static void totem_memory_skip(totem_memory *s, uint32_t timeout, uint64_t n)
{
    if (n == 0)
        return;
    if (timeout == 0)
        s->period = 0;
    else if (s->period >= timeout - 1) // the first step ends the period
        s->period = (uint32_t)((n - 1) % timeout);
    else
        s->period = (uint32_t)((s->period + n % timeout) % timeout);
}

// arbiter: the turn of the selected queue gets longer, until its quantum is used up or its limit reached.
static uint64_t totem_arbiter_quiet(const totem_arbiter *s, const totem_host *settings)
{
    const uint32_t set   = settings->settings_turn_limit;
    const uint32_t limit = set != 0 && set < 1024 ? 1024 : set;
    uint64_t       n     = UINT64_MAX;
    if (!s->selected_valid)
        return n;
    if (s->turn < limit)
        n = limit - s->turn;
    if (s->timed && s->turn < s->limit)
        n = least(n, s->limit - s->turn);
    return n;
}

static void totem_arbiter_skip(totem_arbiter *s, uint64_t n)
{
    if (s->selected_valid)
        s->turn = (uint32_t)least(s->turn + n, TURN_END);
}

// hold, stats: the clocks of heads that do not fit go on; a hold that begins is news.
enum { WAIT_END = 0xffffff };

static uint64_t totem_hold_quiet(const totem_machine *s, const totem_machine_out *o, int e)
{
    uint64_t n = UINT64_MAX;
    for (int p = 0; p < TOTEM_PIPE_COUNT; p++) {
        const totem_port_out *port     = &o->se[e].port[p / TOTEM_PIPES];
        const uint8_t         priority = port->head_priority[p % TOTEM_PIPES];
        const uint32_t        after    = priority == 2   ? s->host.settings_hold_high
                                         : priority == 1 ? s->host.settings_hold_medium
                                                         : s->host.settings_hold_low;
        const uint32_t        waited   = s->se[e].hold.waited[p];
        if (port->head_valid[p % TOTEM_PIPES] && s->se[e].issue.lacks[p] && !s->se[e].hold.valid[p])
            n = least(n, waited < after ? after - waited : 0);
    }
    return n;
}

static void totem_hold_skip(totem_hold *s, totem_stats *stats, const bool lacks[TOTEM_PIPE_COUNT], uint64_t n)
{
    const uint64_t full = ((uint64_t)1 << TOTEM_COUNT_BITS) - 1;
    for (int p = 0; n != 0 && p < TOTEM_PIPE_COUNT; p++) {
        const uint64_t more = lacks[p] ? n : 0, last = least(s->waited[p] + (more ? more - 1 : 0), WAIT_END);
        if (last > stats->lacked_longest[p])
            stats->lacked_longest[p] = (uint32_t)last;
        stats->lacked[p] = (TOTEM_STATS_PASSED)least(stats->lacked[p] + more, full);
        s->waited[p]     = (uint32_t)least(s->waited[p] + more, WAIT_END);
    }
}

#if TOTEM_GRAPHICS
// monitor, throttle: without primitives and geometry waves polls and samples find nothing, and change nothing.
static uint32_t interval(uint32_t code)
{
    return code == 0 ? 100 : (uint32_t)125 << code;
}

static uint32_t elapsed_after(uint32_t elapsed, uint32_t length, uint64_t n)
{
    if (n == 0)
        return elapsed;
    return (uint32_t)(elapsed + 1 >= length ? (n - 1) % length : (elapsed + n) % length);
}

static bool throttle_rests(const totem_throttle *t, const totem_monitor *m)
{
    bool rests = m->status == 0 && t->stall_a == 0 && t->stall_b == 0 && t->stall_c == 0 && t->seen_status == 0 &&
                 t->stalls == 0 && !t->wide && t->sum == 0 && t->late == 0 && t->old == 0 && t->dead == 0 && !t->walk;
    for (int k = 0; k < 8; k++)
        rests = rests && t->history[k] == 0;
    for (int k = 0; k < TOTEM_SLOTS; k++)
        rests = rests && !t->live[k];
    return rests;
}

static void throttle_skip(totem_throttle *t, totem_monitor *m, uint32_t cntl1, uint64_t n)
{
    if (n == 0)
        return;
    m->elapsed = elapsed_after(m->elapsed, interval(cntl1 & 15), n);
    m->polled  = m->elapsed == 0;
    t->elapsed = elapsed_after(t->elapsed, interval(cntl1 >> 20 & 15), n);
    t->now += (uint32_t)n;
}
#endif

#if TOTEM_TASKS
// submit: the turn goes round while no wave and no host asks.
static bool submit_waited_for(const totem_machine *s, const totem_machine_out *o)
{
    bool waited = false;
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        waited = waited || o->wave[e].task_valid;
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        waited = waited || s->fe[f].submit.call_valid || s->fe[f].submit.step != 0;
    return waited;
}

static void totem_submit_skip(totem_submit *s, uint64_t n)
{
    const unsigned turns = TOTEM_SE_COUNT + 1;

    s->turn = (uint8_t)((s->turn + n % turns) % turns);
}
#endif

#if TOTEM_RUNLIST
// runlist: clocks run, and slots are looked at in turn. A queue that runs or waits moves other counters.
static void totem_runlist_skip(totem_runlist *s, uint64_t n)
{
    const unsigned slots = TOTEM_PIPE_COUNT * TOTEM_QUEUES;

    s->now += (uint32_t)n;
    s->age += (uint32_t)n;
    s->dull   = (uint8_t)(s->dull - least(n, s->dull));
    s->looked = (uint8_t)((s->looked + n % slots) % slots);
}
#endif

void totem_skip(totem_machine *s, bool shipped, uint64_t n)
{
#if TOTEM_RUNLIST
    totem_runlist_skip(&s->runlist, n);
#endif
    totem_host_skip(&s->host, n);
    totem_events_skip(&s->events, n);
    for (int e = 0; shipped && e < TOTEM_SE_COUNT; e++)
        totem_wave_skip(&s->wave[e], &s->time_ram[e], n);
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        totem_hold_skip(&s->se[e].hold, &s->se[e].stats, s->se[e].issue.lacks, n);
#if TOTEM_GRAPHICS
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        throttle_skip(&s->se[e].pixels.throttle, &s->se[e].pixels.monitor, s->controls.cntl1, n);
#endif
#if TOTEM_TASKS
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        totem_submit_skip(&s->fe[f].submit, n);
#endif
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        totem_memory_skip(&s->fe[f].memory, s->host.settings_timeout, n);
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int p = 0; p < TOTEM_PIPES; p++)
            totem_arbiter_skip(&s->fe[f].pipe[p].front.arbiter, n);
}

// Is anything put into a RAM? (What an owner reads, it reads again.)
static bool ram_written(const totem_machine_out *o)
{
    bool written = o->events.ram_write_enable;
#if TOTEM_RUNLIST
    written = written || o->runlist.ram_write_enable || o->bell.word_write_enable || o->bell.queue_write_enable ||
              o->roster.link_write_enable || o->roster.ends_write_enable || o->notice.ram_write_enable;
#endif
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int p = 0; p < TOTEM_PIPES; p++) {
            const totem_front_out *front = &o->fe[f].pipe[p].front;
            written                      = written || front->hqd.ram_write_enable || front->fetch.line_write_enable ||
                      front->bank.ram_write_enable || front->bank.state_low_write_enable ||
                      front->bank.state_high_write_enable || front->intake.ram_write_enable ||
                      front->mqd.ram_write_enable || front->execute.wait_valid || front->record.ram_write_enable ||
                      front->record.sequence_write_enable || front->tally.ram_write_enable;
        }
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        written = written || o->se[e].retire.table_write_enable || o->wave[e].time_write_enable;
        for (int f = 0; f < TOTEM_FE_COUNT; f++)
            written = written || o->se[e].port[f].state_write_enable;
    }
    return written;
}

// Has a graphics pipe anything to do? It is skipped only while none has: no rule of time is foretold for it.
static bool graphics_busy(const totem_machine *s, const totem_machine_out *o)
{
    bool busy = false;
#if TOTEM_GRAPHICS
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_fe_out *fe = &o->fe[f];
        busy = busy || !fe->graphics_pipe.front.pipe_idle.idle || !fe->graphics_pipe.graphics_draws.idle ||
               fe->graphics_pipe.front.arbiter.active[0];
        for (int e = 0; e < TOTEM_SE_COUNT; e++)
            busy = busy || !o->se[e].graphics_engine[f].graphics_port.idle ||
                   !o->se[e].graphics_engine[f].graphics_geometry.idle ||
                   !o->se[e].graphics_engine[f].graphics_pixel.idle;
    }
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        busy = busy || !o->se[e].pixels.assemble.idle || !o->se[e].pixels.scan.idle ||
               !throttle_rests(&s->se[e].pixels.throttle, &s->se[e].pixels.monitor);
#else
    (void)o, (void)s;
#endif
    return busy;
}

// Part of an instance that counts here: all of a block, what a RAM shows.
static void part_of(const totem_names_instance *t, uint32_t *offset, uint32_t *size)
{
    *offset = t->offset;
    *size   = t->size;
    for (uint32_t n = 0; t->ram && n < t->fields_count; n++)
        if (t->fields[n].elements == 0) {
            *offset = t->offset + t->fields[n].offset;
            *size   = t->fields[n].size;
        }
}

void totem_skip_keep(totem_machine *before, const totem_machine *s)
{
    for (uint32_t k = 0; k < totem_names_count; k++) {
        const totem_names_instance *t = &totem_names_instances[k];
        uint32_t                    offset, size;
        part_of(t, &offset, &size);
        for (uint32_t a = 0; a < t->range[0].count; a++)
            for (uint32_t b = 0; b < t->range[1].count; b++) {
                const size_t at = (size_t)offset + a * t->range[0].stride + b * t->range[1].stride;
                memcpy((char *)before + at, (const char *)s + at, size);
            }
    }
}

static bool same(const totem_machine *before, const totem_machine *s)
{
    for (uint32_t k = 0; k < totem_names_count; k++) {
        const totem_names_instance *t = &totem_names_instances[k];
        uint32_t                    offset, size;
        part_of(t, &offset, &size);
        for (uint32_t a = 0; a < t->range[0].count; a++)
            for (uint32_t b = 0; b < t->range[1].count; b++) {
                const size_t at = (size_t)offset + a * t->range[0].stride + b * t->range[1].stride;
                if (memcmp((const char *)before + at, (const char *)s + at, size) != 0)
                    return false;
            }
    }
    return true;
}

uint64_t totem_skip_quiet(totem_machine *before, const totem_machine *s, const totem_machine_out *o, bool shipped)
{
    uint64_t n = UINT64_MAX;
    if (events_waited_for(o) || ram_written(o) || graphics_busy(s, o))
        return 0;
#if TOTEM_TASKS
    if (submit_waited_for(s, o))
        return 0;
#endif
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        n = least(n, totem_hold_quiet(s, o, e));
    for (int e = 0; shipped && e < TOTEM_SE_COUNT; e++) {
        // A launch rate that has just run out shows the launch port ready: that is news.
        if (before->wave[e].wait_clocks != 0 && s->wave[e].wait_clocks == 0)
            return 0;
        n = least(n, totem_wave_quiet(&s->wave[e], &s->time_ram[e]));
        // Deadlines are not kept; the one foretold is read where it stands.
        memcpy(before->time_ram[e].data, s->time_ram[e].data, sizeof s->time_ram[e].data);
    }
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        n = least(n, totem_memory_quiet(&s->fe[f].memory, &o->fe[f], s->host.settings_timeout));
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        for (int p = 0; p < TOTEM_PIPES; p++) {
            n = least(n, totem_arbiter_quiet(&s->fe[f].pipe[p].front.arbiter, &s->host));
            n = least(n, totem_poll_quiet(&s->fe[f].pipe[p].front.poll, s->host.clock));
            // While a reset is pending time is counted, now and then.
            for (int q = 0; q < TOTEM_QUEUES; q++)
                if (o->fe[f].pipe[p].front.hqd.resetting[q])
                    return 0;
        }
    if (n == 0)
        return 0;
    totem_skip(before, shipped, 1);
    return same(before, s) ? n : 0;
}
