// SPDX-License-Identifier: Apache-2.0
//
// totem_dc: twin of rtl/issue/totem_dc.v, from docs/contract/dc.md.

#include "totem_dc.h"

enum { DEPTH = 4, USES = 15, PATIENCE = 64, BOTH = TOTEM_PIPES * TOTEM_SE_COUNT };
enum { TABLE_WORD = 10, TAG_PARTIAL = 1 << 15 };

// What an engine has left for a pipe once all that was presented there by pipes no worse than it is granted.
typedef struct {
    int left_slots;
    int left_vgprs;
    int left_lds;
} dc_left;

static unsigned pipe_of(bool pipe)
{
    return TOTEM_PIPES > 1 && pipe ? 1 : 0;
}

static unsigned at(unsigned pipe, unsigned engine)
{
    return pipe * TOTEM_SE_COUNT + engine;
}

static unsigned used_at(unsigned pipe, unsigned engine, bool buffer)
{
    return 2 * at(pipe, engine) + (buffer ? 1 : 0);
}

static uint8_t less(unsigned value, unsigned by)
{
    return (uint8_t)(value > by ? value - by : 0);
}

static uint8_t returned(const totem_dc_in *i, unsigned pipe, unsigned engine)
{
    return i->answer_valid[at(pipe, engine)] ? i->answer_count[engine] : 0;
}

static uint8_t held(const totem_dc *s, const totem_dc_in *i, unsigned pipe, unsigned engine)
{
    const unsigned n = at(pipe, engine);
    return less(s->presented[n], (i->grant_valid[n] ? 1u : 0u) + returned(i, pipe, engine));
}

static bool possible(const totem_dc *s, const totem_dc_in *i, unsigned pipe, unsigned engine)
{
    const unsigned n    = at(pipe, engine);
    const bool     room = s->header_sent[n] ? s->used[used_at(pipe, engine, s->buffer[n])] < USES
                                            : s->used[used_at(pipe, engine, !s->buffer[n])] == 0;
    return i->bank_engines[n] && i->walker_room[n] && s->presented[n] < DEPTH && room;
}

static dc_left left_of(const totem_dc *s, const totem_dc_in *i, unsigned pipe, unsigned engine)
{
    dc_left left = {i->issue_free_slots[engine], i->issue_free_vgprs_left[engine], i->issue_free_lds_left[engine]};
    for (unsigned q = 0; q < TOTEM_PIPES; q++)
        if (i->arbiter_pipe_priority[q] >= i->arbiter_pipe_priority[pipe]) {
            const int groups = held(s, i, q, engine);
            left.left_slots -= groups * i->dispatch_waves[q];
            left.left_vgprs -= groups * s->total[q];
            left.left_lds -= groups * i->bank_lds[q];
        }
    return left;
}

static bool fits(const totem_dc *s, const totem_dc_in *i, const dc_left *left, unsigned pipe)
{
    return i->dispatch_waves[pipe] <= left->left_slots && s->total[pipe] <= left->left_vgprs &&
           i->bank_lds[pipe] <= left->left_lds;
}

// Groups of the pipe wait there, and, as the engine reports, none of them fits.
static bool lacking(const totem_dc *s, const totem_dc_in *i, unsigned pipe, unsigned engine)
{
    const dc_left free = {i->issue_free_slots[engine], i->issue_free_vgprs_left[engine],
                          i->issue_free_lds_left[engine]};
    return held(s, i, pipe, engine) != 0 && !fits(s, i, &free, pipe);
}

static bool quiet(const totem_dc_in *i, unsigned pipe)
{
    return !i->packet_stop[pipe] && !i->packet_start[pipe];
}

// Groups of the pipe wait there with another priority than the pipe has now.
static bool untold(const totem_dc *s, const totem_dc_in *i, unsigned pipe, unsigned engine)
{
    const unsigned n = at(pipe, engine);
    return held(s, i, pipe, engine) != 0 && quiet(i, pipe) && !s->recalled[n] &&
           s->told[n] != i->arbiter_pipe_priority[pipe];
}

static void send(totem_dc *n, const totem_dc_in *i, unsigned pipe, unsigned engine, unsigned kind, bool buffer,
                 uint64_t word)
{
    n->bus_valid = true;
    n->bus_word  = word;
    n->bus_tag   = (uint16_t)((i->fe_number & 3u) << 2 | (engine & 3u) << 4 | (i->bus_class & 3u) << 6 | pipe << 8 |
                            kind << 11 | (buffer ? 1u : 0u) << 14);
}

// Groups of the pipe at that engine are called back, since they fit elsewhere. `open`: where a group of it fits now.
static bool better(const totem_dc *s, const totem_dc_in *i, const bool open[BOTH], unsigned pipe, unsigned engine)
{
    bool recalled = false, elsewhere = false;
    for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
        recalled  = recalled || s->recalled[at(pipe, e)];
        elsewhere = elsewhere || (e != engine && open[at(pipe, e)]);
    }
    return s->shorts[at(pipe, engine)] == PATIENCE && quiet(i, pipe) && !s->moved[pipe] && !recalled && elsewhere;
}

// WORD_GROUP or WORD_PRIORITY: all groups of the pipe at that engine have the present priority from then on.
static void send_priority(totem_dc *n, const totem_dc_in *i, unsigned pipe, unsigned engine, unsigned kind, bool buffer,
                          uint64_t word)
{
    send(n, i, pipe, engine, kind, buffer, word);
    n->bus_tag |= (uint16_t)((i->arbiter_pipe_priority[pipe] & 3u) << 9);
    n->told[at(pipe, engine)] = i->arbiter_pipe_priority[pipe] & 3;
}

// Called after rule 2.
static void present(totem_dc *n, const totem_dc_in *i, unsigned pipe, unsigned engine, bool buffer)
{
    send_priority(n, i, pipe, engine, WORD_GROUP, buffer, i->walker_group[pipe]);
    n->take[pipe]  = true;
    n->take_engine = (uint8_t)engine;
    n->served      = pipe != 0;
    n->last        = (uint8_t)engine;

    const unsigned place = at(pipe, engine);
    const unsigned use   = used_at(pipe, engine, buffer);
    n->presented[place]  = (uint8_t)((n->presented[place] + 1) & 7);
    n->used[use]         = (uint8_t)((n->used[use] + 1) & 15);

    // 9 Partial group
    if (i->walker_group_partial[pipe] != 0) {
        n->bus_tag |= TAG_PARTIAL;
        n->stream_valid   = true;
        n->stream_pipe    = pipe != 0;
        n->stream_engine  = (uint8_t)engine;
        n->stream_step    = STREAM_TABLE;
        n->stream_partial = i->walker_group_partial[pipe];
    }
}

void totem_dc_outputs(const totem_dc *s, totem_dc_out *o)
{
    const unsigned step = (s->stream_step - (s->stale ? 1u : 0u)) & 31; // whose state word is read

    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        o->take[p]              = s->take[p];
        o->killed[p]            = s->killed[p];
        o->state_read_enable[p] = s->stream_valid && pipe_of(s->stream_pipe) == p;
        o->state_read_addr[p]   = (uint8_t)(step == STREAM_TABLE ? TABLE_WORD + (s->stream_partial >> 1 & 3)
                                                                 : (int)((step + (s->stream_scratch ? 15u : 0u)) & 15));
    }
    o->take_engine = s->take_engine;
    o->bus_valid   = s->bus_valid;
    o->bus_word    = s->bus_word;
    o->bus_tag     = s->bus_tag;
}

// 4 Stream, continued: behind a partial group, its waves, and the threads of the last one.
static void partial_word(totem_dc *n, const totem_dc *s, const totem_dc_in *i, unsigned p, unsigned e)
{
    const unsigned threads = ((s->stream_partial & 1) != 0 ? i->state_high_data[p] : i->state_low_data[p]) & 0x1fff;
    const unsigned shift   = i->dispatch_wave32[p] ? 5 : 6;
    const unsigned size    = 1u << shift;
    const unsigned waves   = (threads + size - 1) >> shift & 0x7f;
    const unsigned last    = ((threads - 1) & (size - 1)) + 1;

    send(n, i, p, e, WORD_PARTIAL, s->buffer[at(p, e)], waves | (uint64_t)last << 7);
    n->stream_valid = false;
}

// 4 Stream, continued: for the pipe p and the engine e of the stream.
static void stream(const totem_dc *s, totem_dc *n, const totem_dc_in *i, unsigned p, unsigned e)
{
    const bool buffer = !s->buffer[at(p, e)];

    if (s->stream_step == STREAM_TABLE) {
        n->stream_step = STREAM_PARTIAL;
    } else if (s->stream_step > STREAM_TABLE) {
        partial_word(n, s, i, p, e);
    } else if (!quiet(i, p)) {
        n->stream_valid = false;
    } else if (s->stream_step == STREAM_HEADER_B) {
        send(n, i, p, e, WORD_HEADER_B, buffer,
             (uint64_t)i->dispatch_waves[p] | (uint64_t)i->dispatch_threads[p] << 7 |
                 (uint64_t)i->dispatch_queue[p] << 14 | (uint64_t)i->dispatch_epoch[p] << 17 |
                 (uint64_t)i->bank_words[p] << 20 | (uint64_t)i->dispatch_set[p] << 24);
        n->stream_step = STREAM_STATE;
    } else if (s->stream_step <= i->bank_words[p]) {
        send(n, i, p, e, WORD_STATE, buffer, (uint64_t)i->state_high_data[p] << 32 | i->state_low_data[p]);
        n->stream_step = (uint8_t)((s->stream_step + 1) & 31);
    } else {
        n->stream_valid = false;
        if (i->walker_group_valid[p]) {
            present(n, i, p, e, buffer);
            n->header_sent[at(p, e)] = true;
            n->buffer[at(p, e)]      = buffer;
        }
    }
}

// 8 Group, continued: for the pipe p and the engine e that were chosen.
static void begin_group(const totem_dc *s, totem_dc *n, const totem_dc_in *i, unsigned p, unsigned e)
{
    if (s->header_sent[at(p, e)]) {
        present(n, i, p, e, s->buffer[at(p, e)]);
        return;
    }
    send(n, i, p, e, WORD_HEADER_A, !s->buffer[at(p, e)],
         i->bank_program_addr[p] | (uint64_t)i->bank_vgprs[p] << 40 | (uint64_t)i->bank_lds[p] << 47 |
             (uint64_t)i->dispatch_wave32[p] << 56 | (uint64_t)i->dispatch_invalidate[p] << 57 |
             (uint64_t)i->bank_scratch[p] << 63);
    n->stream_valid   = true;
    n->stream_pipe    = p != 0;
    n->stream_engine  = (uint8_t)e;
    n->stream_step    = STREAM_HEADER_B;
    n->stream_scratch = i->bank_scratch[p];
}

void totem_dc_step(totem_dc *s, const totem_dc_in *i)
{
    totem_dc n = *s; // what follows the clock edge; s stays as it was before
    dc_left  left[BOTH];
    bool     may[BOTH], fit[BOTH], open[BOTH];

    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
            left[at(p, e)] = left_of(s, i, p, e);
            may[at(p, e)]  = possible(s, i, p, e);
            fit[at(p, e)]  = fits(s, i, &left[at(p, e)], p);
            open[at(p, e)] = may[at(p, e)] && fit[at(p, e)];
        }

    // 1 Bus
    const bool blocked = s->bus_valid && !i->bus_ready;

    n.bus_valid = blocked;
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        n.take[p]   = false;
        n.killed[p] = false;
    }

    // 2 Notices
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
            const unsigned m = at(p, e);

            n.presented[m] = held(s, i, p, e);
            for (unsigned b = 0; b < 2; b++) {
                const bool     ours = i->release_valid[m] && i->release_buffer[e] == (b != 0);
                const unsigned back = s->buffer[m] == (b != 0) ? returned(i, p, e) : 0u;
                n.used[2 * m + b]   = less(s->used[2 * m + b], (ours ? 1u : 0u) + back);
            }
            if (i->answer_valid[m])
                n.recalled[m] = false;
            if (i->grant_valid[m])
                n.moved[p] = false;
            if (i->grant_valid[m] || !lacking(s, i, p, e))
                n.shorts[m] = 0;
            else if (s->shorts[m] < PATIENCE)
                n.shorts[m] = (uint8_t)(s->shorts[m] + 1);
        }
        n.total[p] = (uint16_t)((unsigned)i->dispatch_waves[p] * i->bank_vgprs[p] & 0x1fff);
    }

    // 3 Priority. The lowest pipe, then the lowest engine.
    const bool turned      = (s->bus_tag >> 11 & 7) == WORD_PRIORITY && (s->bus_valid || s->stream_valid);
    bool       tell        = false;
    unsigned   tell_pipe   = 0;
    unsigned   tell_engine = 0;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            if (!tell && !turned && untold(s, i, p, e)) {
                tell        = true;
                tell_pipe   = p;
                tell_engine = e;
            }

    n.stale = s->stream_valid && (blocked || tell);

    // 5 Recall. The same order.
    bool     recall        = false;
    unsigned recall_pipe   = 0;
    unsigned recall_engine = 0;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            if (!recall && i->packet_stop[p] && i->walker_outstanding[at(p, e)] && !s->recalled[at(p, e)]) {
                recall        = true;
                recall_pipe   = p;
                recall_engine = e;
            }

    // 6 Call back. The same order.
    bool     call        = false;
    unsigned call_pipe   = 0;
    unsigned call_engine = 0;
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            if (!call && better(s, i, open, p, e)) {
                call        = true;
                call_pipe   = p;
                call_engine = e;
            }

    // 7 Kill. The lowest pipe.
    bool     kill      = false;
    unsigned kill_pipe = 0;
    for (unsigned p = TOTEM_PIPES; p-- > 0;)
        if (i->kill_word_valid[p] && !s->killed[p]) {
            kill      = true;
            kill_pipe = p;
        }

    // 8 Group. Which pipe.
    bool     group      = false;
    unsigned group_pipe = 0;
    for (unsigned p = 0; p < TOTEM_PIPES; p++) {
        bool waits = false; // for the answer to a recall
        bool way   = false;
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
            waits = waits || s->recalled[at(p, e)];
            way   = way || may[at(p, e)];
        }
        const bool ready = i->walker_group_valid[p] && quiet(i, p) && !s->take[p] && !waits && way;
        const bool first =
            !group || i->arbiter_pipe_priority[p] > i->arbiter_pipe_priority[group_pipe] ||
            (i->arbiter_pipe_priority[p] == i->arbiter_pipe_priority[group_pipe] && pipe_of(s->served) == group_pipe);
        if (ready && first) {
            group      = true;
            group_pipe = p;
        }
    }

    // 8 Group, continued. Which engine: those that fit first; then most free slots; then the next after the last used.
    bool     found        = false;
    bool     found_fits   = false;
    int      found_slots  = 0;
    unsigned found_engine = 0;
    for (unsigned distance = 1; distance <= TOTEM_SE_COUNT; distance++)
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
            if (e == (s->last + distance) % TOTEM_SE_COUNT && may[at(group_pipe, e)]) {
                const int  slots   = left[at(group_pipe, e)].left_slots;
                const bool fitting = fit[at(group_pipe, e)];
                const bool more    = fitting == found_fits ? slots > found_slots : fitting;
                if (!found || more) {
                    found        = true;
                    found_fits   = fitting;
                    found_slots  = slots;
                    found_engine = e;
                }
            }

    // One word a clock, unless the one before waits or the state is read again.
    if (blocked) {
        // nothing is sent
    } else if (tell) {
        send_priority(&n, i, tell_pipe, tell_engine, WORD_PRIORITY, false, 0);
    } else if (s->stale && s->stream_valid) {
        // nothing is sent
    } else if (s->stream_valid) {
        // 4 Stream
        for (unsigned p = 0; p < TOTEM_PIPES; p++)
            for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
                if (pipe_of(s->stream_pipe) == p && s->stream_engine == e)
                    stream(s, &n, i, p, e);
    } else if (recall) {
        send(&n, i, recall_pipe, recall_engine, WORD_RECALL, false, RECALL_STOP);
        n.recalled[at(recall_pipe, recall_engine)] = true;
    } else if (call) {
        send(&n, i, call_pipe, call_engine, WORD_RECALL, false, RECALL_ELSEWHERE);
        n.recalled[at(call_pipe, call_engine)] = true;
        n.moved[call_pipe]                     = true;
    } else if (kill) {
        send(&n, i, kill_pipe, i->kill_word_engine[kill_pipe], WORD_KILL, false,
             i->kill_word_queue[kill_pipe] | (uint64_t)i->kill_word_epochs[kill_pipe] << 8);
        n.killed[kill_pipe] = true;
    } else if (group) {
        begin_group(s, &n, i, group_pipe, found_engine);
    }

    // 10 New dispatch
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        if (i->packet_start[p])
            for (unsigned e = 0; e < TOTEM_SE_COUNT; e++)
                n.header_sent[at(p, e)] = false;

    *s = n;
}

// From the Invariants of the contract: what the step relies on. A header is sent only where a group may follow.
bool totem_dc_invariant(const totem_dc *s)
{
    bool good = s->last < TOTEM_SE_COUNT && s->stream_engine < TOTEM_SE_COUNT && s->stream_step <= STREAM_PARTIAL &&
                (TOTEM_PIPES > 1 || !s->stream_pipe);
    for (unsigned p = 0; p < TOTEM_PIPES; p++)
        for (unsigned e = 0; e < TOTEM_SE_COUNT; e++) {
            const bool streams = s->stream_valid && s->stream_step < STREAM_TABLE && pipe_of(s->stream_pipe) == p &&
                                 s->stream_engine == e;
            good = good && s->presented[at(p, e)] <= DEPTH - (streams ? 1 : 0) && s->shorts[at(p, e)] <= PATIENCE;
        }
    return good;
}
