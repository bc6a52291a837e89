// SPDX-License-Identifier: Apache-2.0
//
// totem_memory: twin of rtl/memory/totem_memory.v, from docs/contract/memory.md.

#include "totem_memory.h"

#include "../packet/totem_pm4.h"

enum { READERS = TOTEM_READERS, STREAMS = TOTEM_STREAMS, WRITERS = TOTEM_WRITERS, OUTSTANDING = 2 };
enum { PATHS = READERS + 1, BEATS = 16 };

// Address bits [39:3] and, of those, the 4 KiB page.
static uint64_t beat_address(uint64_t word)
{
    return word >> 3 & 0x1fffffffffu;
}

static uint32_t page_of(uint64_t beat_addr)
{
    return (uint32_t)(beat_addr >> 9 & 0xfffffffu);
}

// Of a write [39:2] is kept.
static uint64_t message_addr(const totem_memory *s)
{
    return s->held_addr << 1 | ((s->held_strobe & 0x0f) == 0);
}

static uint32_t page_of_addr(uint64_t place)
{
    return (uint32_t)(place >> 10 & 0xfffffffu);
}

static bool exokay(uint8_t response)
{
    return response == 1;
}

static uint8_t error_of(uint8_t response)
{
    return response == 3 ? MEMORY_DECERR : response == 2 ? MEMORY_SLVERR : MEMORY_OK;
}

// Numbers of requesters are below their count (invariant); the bound keeps array accesses inside anyway.
static unsigned reader(unsigned number)
{
    return number < READERS ? number : 0;
}

static unsigned writer(unsigned number)
{
    return number < WRITERS ? number : 0;
}

static unsigned stream(unsigned number)
{
    return number < STREAMS ? number : 0;
}

// The lowest ID for fences that is neither in use nor reserved; TOTEM_FENCES if there is none.
static unsigned vacant(const totem_memory *s)
{
    unsigned found = TOTEM_FENCES;
    for (unsigned i = TOTEM_FENCES; i > 0; i--)
        if (!s->fence_busy[i - 1] && !s->fence_late[i - 1])
            found = i - 1;
    return found;
}

static bool all_late(const totem_memory *s)
{
    bool all = true;
    for (unsigned i = 0; i < TOTEM_FENCES; i++)
        all = all && s->fence_late[i];
    return all;
}

// A stream whose own ID is reserved takes one of those for fences.
static bool borrows(const totem_memory *s, unsigned w)
{
    return s->writes_late[w] != 0;
}

// No ID is left: read requesters, writes.
static bool closed(const totem_memory *s, unsigned k)
{
    if (k < READERS)
        return s->reads_late[k] != 0;
    return all_late(s);
}

// A write of stream w has an ID for fences.
static bool lends(const totem_memory *s, unsigned w)
{
    bool found = false;
    for (unsigned k = 0; k < TOTEM_FENCES; k++)
        found = found || (s->fence_busy[k] && s->fence_owner[k] == w);
    return found;
}

// A message of w may be sent.
static bool may(const totem_memory *s, unsigned w)
{
    const bool is_free = vacant(s) < TOTEM_FENCES;
    if (s->left > 0) // the beats of a burst go first
        return false;
    if (w >= STREAMS)
        return is_free;
    if (lends(s, w))
        return false;
    return borrows(s, w) ? s->writes[w] == 0 && is_free : s->writes[w] < OUTSTANDING;
}

// An exclusive write has the ID of its stream, or none.
static bool unsendable(const totem_memory *s)
{
    return s->held_exclusive && s->serve < STREAMS && borrows(s, s->serve);
}

static bool ids_exhausted(const totem_memory *s, unsigned w)
{
    return all_late(s) && (w >= STREAMS || borrows(s, w));
}

// Nothing of w can be sent: no ID, or a burst is stuck. What it has sent before ends first.
static bool barred(const totem_memory *s, unsigned w)
{
    if (ids_exhausted(s, w))
        return true;
    if (s->left == 0)
        return false;
    return w >= STREAMS || (s->writes[w] == 0 && !lends(s, w));
}

static bool writes_due(const totem_memory *s)
{
    bool expired = false;
    for (unsigned w = 0; w < STREAMS; w++)
        expired = expired || s->write_expired[w];
    for (unsigned i = 0; i < TOTEM_FENCES; i++)
        expired = expired || s->fence_expired[i];
    return expired;
}

static bool reads_due(const totem_memory *s)
{
    bool expired = false;
    for (unsigned r = 0; r < READERS; r++)
        expired = expired || s->read_expired[r];
    return expired;
}

void totem_memory_outputs(const totem_memory *s, totem_memory_out *o)
{
    o->idle = s->stage == MEMORY_REST && !s->data_valid && !s->ack_valid;
    o->dead = false;
    for (unsigned k = 0; k < PATHS; k++)
        if (closed(s, k))
            o->dead = true;
    o->error_valid = s->error_left != 0;
    o->error_word  = s->error_left == 2 ? (uint64_t)TOTEM_ERROR_MEMORY_PATH_DEAD << 56 : s->error_path;
    for (unsigned r = 0; r < READERS; r++) {
        o->read_ready[r] = !s->ask_valid[r];
        if (s->ask_valid[r] || s->reads[r] != 0)
            o->idle = false;
    }
    for (unsigned i = 0; i < TOTEM_FENCES; i++)
        if (s->fence_busy[i])
            o->idle = false;
    for (unsigned w = 0; w < WRITERS; w++)
        o->write_ready[w] = (s->stage == MEMORY_FIRST || s->stage == MEMORY_SECOND) && s->serve == w;
    for (unsigned w = 0; w < STREAMS; w++) {
        if (s->writes[w] != 0)
            o->idle = false;
    }
    o->data_valid  = s->data_valid;
    o->data_target = s->data_target;
    o->data_word   = s->data_word;
    o->data_last   = s->data_last;
    o->data_error  = s->data_error;
    o->data_exokay = s->data_exokay;
    o->ack_valid   = s->ack_valid;
    o->ack_target  = s->ack_target;
    o->ack_tag     = s->ack_tag;
    o->ack_error   = s->ack_error;
    o->ack_addr    = s->ack_addr << 2;

    o->ack_exclusive = s->ack_exclusive;
    o->ack_exokay    = s->ack_exokay;

    o->m_axi_awid    = s->aw_id;
    o->m_axi_awaddr  = s->aw_addr << 3;
    o->m_axi_awlen   = s->aw_burst ? BEATS - 1 : 0;
    o->m_axi_awsize  = 3;
    o->m_axi_awburst = 1;
    o->m_axi_awlock  = s->aw_lock;
    o->m_axi_awvalid = s->aw_valid;
    o->m_axi_wdata   = s->w_data;
    o->m_axi_wstrb   = s->w_strobe;
    o->m_axi_wlast   = s->left == 0;
    o->m_axi_wvalid  = s->w_valid;
    o->m_axi_bready  = true;
    o->m_axi_arid    = s->ar_id;
    o->m_axi_araddr  = s->ar_addr << 3;
    o->m_axi_arlen   = s->ar_len;
    o->m_axi_arsize  = 3;
    o->m_axi_arburst = 1;
    o->m_axi_arlock  = s->ar_lock;
    o->m_axi_arvalid = s->ar_valid;
    o->m_axi_rready  = true;
}

// Has w a word to write: packet only with a place in fence for a failure, record with the stream of mqd.
static bool offered(const totem_memory_in *i, unsigned w)
{
    for (unsigned p = 0; p < TOTEM_FE_PIPES; p++) {
        if (w == TOTEM_WRITER_EXECUTE(p))
            return i->write_valid[w] && i->fence_write_room[p] && !i->packet_fence_write[p];
        if (w == TOTEM_WRITER_MQD(p))
            return i->record_write_valid[p] || i->write_valid[w];
    }
    return i->write_valid[w];
}

static uint64_t serve_word(const totem_memory_in *i, unsigned w)
{
    for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
        if (w == TOTEM_WRITER_MQD(p) && i->record_write_valid[p])
            return i->record_write_word[p];
    return i->write_word[w];
}

// Clocks of a period, 0 for ever: less than the host has set while a reset takes too long.
static uint32_t patience(const totem_memory_in *i)
{
    const uint32_t hurried = i->settings_dequeue_timeout | 0xfff;
    if (i->settings_dequeue_timeout == 0)
        return i->settings_timeout;
    for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
        if (i->kill_overdue[p] && (i->settings_timeout == 0 || i->settings_timeout > hurried))
            return hurried;
    return i->settings_timeout;
}

// Who has waited since before the period began is given up at its end.
static void step_patience(totem_memory *n, const totem_memory *s, const totem_memory_in *i)
{
    const uint32_t length = patience(i);
    const bool     tick   = length != 0 && s->period >= length - 1;

    // 1 Period
    n->period = tick || length == 0 ? 0 : s->period + 1;

    // 2 Patience of reads
    for (unsigned r = 0; r < READERS; r++)
        if (tick && (s->ask_valid[r] || s->reads[r] != 0)) {
            if (s->read_old[r])
                n->read_expired[r] = true;
            else
                n->read_old[r] = true;
        }

    // 3 Patience of writes
    for (unsigned w = 0; w < STREAMS; w++)
        if (tick && s->writes[w] != 0) {
            if (s->write_old[w])
                n->write_expired[w] = true;
            else
                n->write_old[w] = true;
        }
    for (unsigned k = 0; k < TOTEM_FENCES; k++)
        if (tick && s->fence_busy[k]) {
            if (s->fence_old[k])
                n->fence_expired[k] = true;
            else
                n->fence_old[k] = true;
        }

    for (unsigned w = 0; w < WRITERS; w++) {
        const bool served = s->stage != MEMORY_REST && s->serve == w;
        if (tick && offered(i, w) && barred(s, w) && !served) {
            if (s->wait_old[w])
                n->give_up[w] = true;
            else
                n->wait_old[w] = true;
        }
        if (!barred(s, w)) {
            n->wait_old[w] = false;
            n->give_up[w]  = false;
        }
    }

    if (tick && s->stage == MEMORY_HELD) {
        if (s->held_old)
            n->held_fail = true;
        else
            n->held_old = true;
    }
}

// What the read requesters see: a beat, or the end of a read that is given up.
static void read_answers(totem_memory *n, const totem_memory *s, const totem_memory_in *i)
{
    bool beat_forwarded = false;

    // 4 No answer
    n->data_valid = false;

    // 5 Read beat
    if (i->m_axi_rvalid && i->m_axi_rid < READERS) {
        const unsigned r = reader(i->m_axi_rid);
        if (s->reads_late[r] != 0) {
            if (i->m_axi_rlast)
                n->reads_late[r] = (uint8_t)(s->reads_late[r] - 1);
        } else if (s->reads[r] != 0) {
            const bool    expected   = s->beats[r] == 1;
            const uint8_t beat_error = error_of(i->m_axi_rresp);

            beat_forwarded     = true;
            n->data_valid      = true;
            n->data_target     = (uint8_t)r;
            n->data_word       = i->m_axi_rdata;
            n->data_exokay     = exokay(i->m_axi_rresp);
            n->data_last       = i->m_axi_rlast || expected;
            n->data_error      = beat_error == MEMORY_OK && i->m_axi_rlast != expected ? MEMORY_SLVERR : beat_error;
            n->read_old[r]     = false;
            n->read_expired[r] = false;
            if (n->data_last) {
                n->reads[r] = (uint8_t)(s->reads[r] - 1);
                n->beats[r] = s->beats_next[r];
                if (!i->m_axi_rlast)
                    n->reads_late[r] = 1;
            } else
                n->beats[r] = (uint8_t)((s->beats[r] - 1) & 31);
        }
    }

    // 6 A read given up
    unsigned lowest = 0;
    for (unsigned r = READERS; r > 0; r--)
        if (s->read_expired[r - 1])
            lowest = r - 1;
    if (!beat_forwarded && reads_due(s)) {
        n->data_valid       = true;
        n->data_target      = (uint8_t)lowest;
        n->data_word        = 0;
        n->data_last        = true;
        n->data_error       = MEMORY_TIME_OUT;
        n->data_exokay      = false;
        n->read_old[lowest] = false;
        if (s->reads[lowest] != 0) {
            n->reads[lowest]      = (uint8_t)(s->reads[lowest] - 1);
            n->reads_late[lowest] = (uint8_t)((n->reads_late[lowest] + 1) & 3);
            n->beats[lowest]      = s->beats_next[lowest];
            if (s->reads[lowest] == 1)
                n->read_expired[lowest] = false;
        } else {
            n->ask_valid[lowest]    = false;
            n->read_expired[lowest] = false;
        }
    }
}

// A write of this page is outstanding, or held and not yet known to fail.
static bool read_blocked(const totem_memory *s, uint32_t page)
{
    bool found =
        (s->stage == MEMORY_SECOND || s->stage == MEMORY_HELD) && !s->held_fail && page_of(s->held_addr) == page;
    for (unsigned w = 0; w < STREAMS; w++) {
        found = found || (s->writes[w] != 0 && page_of_addr(s->write_addr[2 * w]) == page);
        found = found || (s->writes[w] == 2 && page_of_addr(s->write_addr[2 * w + 1]) == page);
    }
    for (unsigned i = 0; i < TOTEM_FENCES; i++)
        found = found || (s->fence_busy[i] && page_of_addr(s->fence_addr[i]) == page);
    return found;
}

// One request goes to the AR channel, new ones are taken.
static void read_requests(totem_memory *n, const totem_memory *s, const totem_memory_in *i)
{
    // 7 Read address
    if (s->ar_valid && i->m_axi_arready)
        n->ar_valid = false;

    bool     found     = false;
    unsigned read_pick = 0;
    for (unsigned distance = READERS; distance > 0; distance--) { // the nearest stays
        const unsigned sum = reader(s->read_turn) + distance - 1;
        const unsigned r   = sum < READERS ? sum : sum - READERS;
        if (s->ask_valid[r] && s->reads[r] < OUTSTANDING && s->reads_late[r] == 0) {
            found     = true;
            read_pick = r;
        }
    }

    if (!n->ar_valid && found) {
        n->read_turn = (uint8_t)(read_pick + 1 < READERS ? read_pick + 1 : 0);
        if (!reads_due(s) && !read_blocked(s, page_of(s->ask_addr[read_pick]))) {
            n->ar_valid = true;
            n->ar_id    = (uint8_t)read_pick;
            n->ar_addr  = s->ask_addr[read_pick];
            n->ar_len   = (uint8_t)((s->ask_beats[read_pick] - 1) & 15);
            n->ar_lock  = false;
            for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
                if (read_pick == TOTEM_READER_POLL(p))
                    n->ar_lock = s->ask_exclusive[p];
            n->ask_valid[read_pick] = false;
            if (n->reads[read_pick] == 0) {
                n->beats[read_pick]        = s->ask_beats[read_pick];
                n->read_old[read_pick]     = false;
                n->read_expired[read_pick] = false;
            } else
                n->beats_next[read_pick] = s->ask_beats[read_pick];
            n->reads[read_pick] = (uint8_t)(n->reads[read_pick] + 1);
        }
    }

    // 8 Request
    for (unsigned r = 0; r < READERS; r++)
        if (i->read_valid[r] && !s->ask_valid[r]) {
            n->ask_valid[r] = true;
            n->ask_addr[r]  = beat_address(i->read_addr[r]);
            n->ask_beats[r] = i->read_beats[r];
            for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
                if (r == TOTEM_READER_POLL(p))
                    n->ask_exclusive[p] = i->poll_read_exclusive[p];
        }
}

// The oldest outstanding write of a stream has ended.
static void end_write(totem_memory *n, const totem_memory *s, unsigned w)
{
    n->writes[w]         = (uint8_t)(s->writes[w] - 1);
    n->write_tag[2 * w]  = s->write_tag[2 * w + 1];
    n->write_addr[2 * w] = s->write_addr[2 * w + 1];

    n->write_exclusive[2 * w] = s->write_exclusive[2 * w + 1];
}

static void acknowledge(totem_memory *n, unsigned w, uint8_t tag, uint64_t addr, uint8_t error)
{
    n->ack_addr   = addr;
    n->ack_valid  = true;
    n->ack_target = (uint8_t)w;
    n->ack_tag    = tag;
    n->ack_error  = error;

    n->ack_exclusive = false; // unless the caller says so
    n->ack_exokay    = false;
}

static void end_fence(totem_memory *n, const totem_memory *s, unsigned k, uint8_t error)
{
    acknowledge(n, s->fence_owner[k], s->fence_tag[k], s->fence_addr[k], error);
    n->fence_busy[k]    = false;
    n->fence_expired[k] = false;
}

// What the write requesters see: a response, or the end of a write that is given up.
static void write_answers(totem_memory *n, const totem_memory *s, const totem_memory_in *i)
{
    const uint8_t response_error     = error_of(i->m_axi_bresp);
    bool          response_forwarded = false;

    // 4 No answer, continued
    n->ack_valid = false;

    // 9 Write response
    if (i->m_axi_bvalid && i->m_axi_bid >= TOTEM_MEMORY_FENCE_ID &&
        i->m_axi_bid < TOTEM_MEMORY_FENCE_ID + TOTEM_FENCES) {
        const unsigned k = i->m_axi_bid - TOTEM_MEMORY_FENCE_ID;
        if (s->fence_late[k])
            n->fence_late[k] = false;
        else if (s->fence_busy[k]) {
            response_forwarded = true;
            end_fence(n, s, k, response_error);
            n->ack_exokay = exokay(i->m_axi_bresp);
        }
    }
    if (i->m_axi_bvalid && i->m_axi_bid < STREAMS) {
        const unsigned w = stream(i->m_axi_bid);
        if (s->writes_late[w] != 0)
            n->writes_late[w] = (uint8_t)(s->writes_late[w] - 1);
        else if (s->writes[w] != 0) {
            response_forwarded = true;
            acknowledge(n, w, s->write_tag[2 * w], s->write_addr[2 * w], response_error);
            n->ack_exclusive = s->write_exclusive[2 * w];
            n->ack_exokay    = exokay(i->m_axi_bresp);
            end_write(n, s, w);
            n->write_old[w]     = false;
            n->write_expired[w] = false;
        }
    }

    // 10 A write given up
    bool     expired = false;
    unsigned lowest  = 0;
    for (unsigned w = STREAMS; w > 0; w--)
        if (s->write_expired[w - 1]) {
            expired = true;
            lowest  = w - 1;
        }
    bool     fence_expired = false;
    unsigned lowest_fence  = 0;
    for (unsigned k = TOTEM_FENCES; k > 0; k--)
        if (s->fence_expired[k - 1]) {
            fence_expired = true;
            lowest_fence  = k - 1;
        }
    if (response_forwarded)
        return;
    if (expired) {
        acknowledge(n, lowest, s->write_tag[2 * lowest], s->write_addr[2 * lowest], MEMORY_TIME_OUT);
        n->ack_exclusive = s->write_exclusive[2 * lowest];
        end_write(n, s, lowest);
        n->write_old[lowest]   = false;
        n->writes_late[lowest] = (uint8_t)((n->writes_late[lowest] + 1) & 3);
        if (s->writes[lowest] == 1)
            n->write_expired[lowest] = false;
    } else if (fence_expired) {
        end_fence(n, s, lowest_fence, MEMORY_TIME_OUT);
        n->fence_late[lowest_fence] = true;
    } else if (s->stage == MEMORY_HELD && (s->held_fail || unsendable(s))) {
        acknowledge(n, s->serve, s->held_tag, message_addr(s), MEMORY_TIME_OUT);
        n->ack_exclusive = s->held_exclusive;
        n->stage         = MEMORY_REST;
    }
}

// Which bytes of a beat two dwords of a burst are.
static uint8_t beat_strobe(uint32_t dwords)
{
    return (uint8_t)((dwords & 1 ? 0x0f : 0) | (dwords & 2 ? 0xf0 : 0));
}

// The buffer moves down by one beat; the top one is `last`.
static void move_down(totem_memory *n, const totem_memory *s, uint64_t last)
{
    for (unsigned k = 0; k < BEATS - 1; k++)
        n->buffer[k] = s->buffer[k + 1];
    n->buffer[BEATS - 1] = last;
}

// The next beat of a burst is shown; `dwords` are those of it and of the beats behind it.
static void next_beat(totem_memory *n, const totem_memory *s, uint32_t dwords, unsigned left)
{
    n->w_data   = s->buffer[0];
    n->w_strobe = beat_strobe(dwords);
    n->w_mask   = dwords >> 2;
    n->left     = (uint8_t)left;
    move_down(n, s, 0);
}

// The held message goes to the AW and W channels, the next message is taken.
static void write_messages(totem_memory *n, const totem_memory *s, const totem_memory_in *i)
{
    const unsigned serve = writer(s->serve);

    // 11 Write address and data
    if (s->aw_valid && i->m_axi_awready)
        n->aw_valid = false;
    if (s->w_valid && i->m_axi_wready) {
        if (s->left != 0)
            next_beat(n, s, s->w_mask, s->left - 1u);
        else
            n->w_valid = false;
    }

    const bool fails = s->held_fail || unsendable(s);
    if (s->stage == MEMORY_HELD && !fails && !n->aw_valid && !n->w_valid && !writes_due(s) && may(s, serve)) {
        n->aw_valid = true;
        n->w_valid  = true;
        n->aw_addr  = s->held_addr;
        n->aw_lock  = s->held_exclusive;
        n->aw_burst = s->held_burst;
        n->stage    = MEMORY_REST;
        if (s->held_burst) {
            next_beat(n, s, (uint32_t)s->held_data, BEATS - 1);
        } else {
            n->w_strobe = s->held_strobe;
            n->w_data   = s->held_data;
        }
        if (serve < STREAMS && !borrows(s, serve)) {
            const unsigned k             = n->writes[serve] & 1u;
            n->aw_id                     = (uint8_t)serve;
            n->write_tag[2 * serve + k]  = s->held_tag;
            n->write_addr[2 * serve + k] = message_addr(s);

            n->write_exclusive[2 * serve + k] = s->held_exclusive;
            n->writes[serve]                  = (uint8_t)(k + 1);
            if (k == 0)
                n->write_old[serve] = false;
        } else {
            const unsigned k    = vacant(s) < TOTEM_FENCES ? vacant(s) : 0; // there is one: serve may be served
            n->aw_id            = (uint8_t)(TOTEM_MEMORY_FENCE_ID + k);
            n->fence_busy[k]    = true;
            n->fence_owner[k]   = (uint8_t)serve;
            n->fence_tag[k]     = s->held_tag;
            n->fence_addr[k]    = message_addr(s);
            n->fence_old[k]     = false;
            n->fence_expired[k] = false;
        }
    }

    // 12 Write message
    if (s->stage == MEMORY_REST) {
        bool     found      = false;
        unsigned write_pick = 0;
        for (unsigned distance = WRITERS; distance > 0; distance--) { // the nearest stays
            const unsigned sum = writer(s->write_turn) + distance - 1;
            const unsigned w   = sum < WRITERS ? sum : sum - WRITERS;
            if (offered(i, w) && (may(s, w) || (barred(s, w) && s->give_up[w]))) {
                found      = true;
                write_pick = w;
            }
        }
        if (found) {
            n->stage                = MEMORY_FIRST;
            n->serve                = (uint8_t)write_pick;
            n->write_turn           = (uint8_t)(write_pick + 1 < WRITERS ? write_pick + 1 : 0);
            n->held_old             = false;
            n->held_fail            = barred(s, write_pick);
            n->wait_old[write_pick] = false;
            n->give_up[write_pick]  = false;
        }
    }
    const uint64_t word = serve_word(i, serve);
    if (s->stage == MEMORY_FIRST && offered(i, serve)) {
        n->held_addr   = beat_address(word);
        n->held_strobe = (uint8_t)(word >> 40 & 0xff);
        n->held_tag    = (uint8_t)(word >> 48 & 0x3f);
        n->held_burst  = (word >> 55 & 1) != 0;
        n->fill        = n->held_burst ? BEATS : 0;
        n->stage       = MEMORY_SECOND;

        n->held_exclusive = false;
        for (unsigned p = 0; p < TOTEM_FE_PIPES; p++)
            if (serve == TOTEM_WRITER_EXECUTE(p))
                n->held_exclusive = (word >> 54 & 1) != 0;
    }
    if (s->stage == MEMORY_SECOND && offered(i, serve)) {
        const bool behind = s->held_burst && s->fill != BEATS; // beats, behind the dwords of the burst
        if (!behind)
            n->held_data = word;
        else if (!s->held_fail)
            move_down(n, s, word);
        if (s->fill == 0)
            n->stage = MEMORY_HELD;
        else
            n->fill = (uint8_t)(s->fill - 1);
    }
}

// 13 Path message
static void tell(totem_memory *n, const totem_memory *s, const totem_memory_in *i)
{
    for (unsigned k = 0; k < PATHS; k++)
        if (!closed(s, k))
            n->told[k] = false;
    if (s->error_left != 0) {
        if (i->events_error_ready)
            n->error_left = (uint8_t)(s->error_left - 1);
        return;
    }
    bool found = false;
    for (unsigned k = 0; k < PATHS; k++)
        if (!found && closed(s, k) && !s->told[k]) {
            found         = true;
            n->told[k]    = true;
            n->error_path = (uint8_t)k;
            n->error_left = 2;
        }
}

void totem_memory_step(totem_memory *s, const totem_memory_in *i)
{
    totem_memory n = *s; // what follows the clock edge; s stays as it was before

    step_patience(&n, s, i);
    read_answers(&n, s, i);
    read_requests(&n, s, i);
    write_answers(&n, s, i);
    write_messages(&n, s, i);
    tell(&n, s, i);

    *s = n;
}

// The Invariants of the contract, as far as the step relies on them.
bool totem_memory_invariant(const totem_memory *s)
{
    bool good = s->read_turn < READERS && s->serve < WRITERS && s->write_turn < WRITERS;
    for (unsigned r = 0; r < READERS; r++) {
        good = good && s->reads[r] + s->reads_late[r] <= OUTSTANDING;
        good = good && (!s->read_expired[r] || s->reads[r] != 0 || s->ask_valid[r]);
    }
    for (unsigned k = 0; k < TOTEM_FENCES; k++) {
        good = good && !(s->fence_busy[k] && s->fence_late[k]);
        good = good && (!s->fence_expired[k] || s->fence_busy[k]);
        good = good && (!s->fence_busy[k] || s->fence_owner[k] < WRITERS);
    }
    for (unsigned w = 0; w < STREAMS; w++) {
        good = good && s->writes[w] + s->writes_late[w] <= OUTSTANDING;
        good = good && (!s->write_expired[w] || s->writes[w] != 0);
    }
    return good;
}
