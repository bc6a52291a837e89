// SPDX-License-Identifier: Apache-2.0
//
// memory: see memory.h. The table of pages is uthash's (field-made, a single header).

#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum { PAGE = 4096, REQUESTS = 64, TIMED_OUT = 3, EXOKAY = 1, MONITORS = TOTEM_PARTITION ? 256 : 16, BEATS = 16 };

// Of each dword of a page what was delivered last, and the clock + 1 in which it was read; 0: never.
typedef struct {
    uint32_t value[PAGE / 4];
    uint64_t clock[PAGE / 4];
} delivery;

typedef struct {
    uint64_t       number;
    uint8_t        bytes[PAGE];
    delivery      *delivered; // NULL: nothing
    UT_hash_handle hh;
} page;

typedef struct {
    bool     used;
    uint8_t  id;
    uint64_t address;
    uint32_t beats; // left
    uint64_t due;   // clock of the first beat or of the response
    uint64_t order; // arrival
    uint64_t data;  // of the beat on offer: stable until it is taken
    uint8_t  response;
    uint32_t good;    // beats before the one that `response` is for
    bool     silent;  // never answered
    bool     dropped; // of a read: its requester has been told a time-out, nobody takes the beats
    size_t   failure; // its place in the list of failures + 1, 0 none
    bool     exclusive;
    bool     hidden;       // of a write: its bytes are not in memory yet
    uint64_t value[BEATS]; // they
    uint8_t  strobe[BEATS];
} request;

// What the last exclusive read of an ID has read, until somebody writes it.
typedef struct {
    bool     held;
    uint64_t address;
} monitor;

typedef struct {
    monitor      monitors[MONITORS]; // of each ID
    bool         watched;            // one of them has been in use
    request      reads[REQUESTS];
    request      writes[REQUESTS];
    int          offered_read;  // the beat on the R channel belongs to it; -1 none
    int          offered_write; // the response on the B channel belongs to it; -1 none
    bool         aw_held;       // address of a write whose data has not come yet
    uint8_t      aw_id;
    uint64_t     aw_address;
    uint32_t     aw_beats;
    bool         aw_lock;
    uint64_t     w_data[BEATS]; // beats whose write is not taken yet
    uint8_t      w_strobe[BEATS];
    uint32_t     w_count;
    bool         w_last;       // the last one is there
    memory_write write[BEATS]; // what was written in the last clock
    uint32_t     taken;
    bool         asked; // a read in the last clock
    memory_read  read;
    uint32_t     owed_writes, owed_reads[256]; // not answered
} port;

struct memory {
    memory_options  options;
    memory_fault   *faults;
    totem_random    random;
    page           *pages;
    uint64_t        clock, arrivals;
    port            ports[MEMORY_PORTS];
    int             ports_count;
    memory_counts   counts;
    memory_failure *failures;
    size_t          failures_count, failures_room;
#if TOTEM_PARTITION
    uint32_t fe_reads[TOTEM_FE_COUNT][256], fe_writes[TOTEM_FE_COUNT]; // of a front end, from when its route takes them
#endif
};

// The master of an access, and its ID there. At a channel the ID is {front end, ID}.
enum { CHANNEL_IDS = 1 << TOTEM_WRITE_ID_BITS };

static int master_of(int port, uint32_t id)
{
    return TOTEM_PARTITION && port < TOTEM_FE_COUNT ? (int)(id / CHANNEL_IDS) : port;
}

static uint8_t id_there(int port, uint32_t id)
{
    return (uint8_t)(TOTEM_PARTITION && port < TOTEM_FE_COUNT ? id % CHANNEL_IDS : id);
}

memory *memory_create(const memory_options *options)
{
    memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->options = *options;
    if (m->options.latency < 1)
        m->options.latency = 1;
    m->random.state = options->seed ^ 0x6d656d6f72790000u;
    if (options->faults_count) {
        m->faults = malloc(options->faults_count * sizeof *m->faults);
        if (!m->faults) {
            free(m);
            return NULL;
        }
        memcpy(m->faults, options->faults, options->faults_count * sizeof *m->faults);
    }
    m->ports_count = options->engines ? MEMORY_PORTS : TOTEM_FE_COUNT;
    for (int n = 0; n < MEMORY_PORTS; n++)
        m->ports[n].offered_read = m->ports[n].offered_write = -1;
    return m;
}

void memory_destroy(memory *m)
{
    if (!m)
        return;
    page *p = m->pages;
    HASH_CLEAR(hh, m->pages); // the table; the pages stay chained
    while (p) {
        page *next = p->hh.next;
        free(p->delivered);
        free(p);
        p = next;
    }
    free(m->faults);
    free(m->failures);
    free(m);
}

static page *find(const memory *m, uint64_t address)
{
    const uint64_t number = address / PAGE;
    page          *p;
    HASH_FIND(hh, m->pages, &number, sizeof number, p);
    return p;
}

static page *made(memory *m, uint64_t address)
{
    page *p = find(m, address);
    if (!p) {
        p = calloc(1, sizeof *p);
        if (!p)
            abort(); // a test machine without memory for 4 KiB cannot go on
        p->number = address / PAGE;
        HASH_ADD(hh, m->pages, number, sizeof p->number, p);
    }
    return p;
}

// The caller's contents; NULL: it has given none, or the address lies outside of them.
static uint8_t *given(const memory *m, uint64_t address)
{
    const memory_options *o = &m->options;
    return o->arena && address - o->arena_from < o->arena_bytes ? o->arena + (address - o->arena_from) : NULL;
}

static uint8_t *place(memory *m, uint64_t address)
{
    uint8_t *bytes = given(m, address);
    return bytes ? bytes : &made(m, address)->bytes[address % PAGE];
}

uint32_t memory_read32(const memory *m, uint64_t address)
{
    uint32_t       value = 0;
    const uint8_t *bytes = given(m, address & ~(uint64_t)3);
    const page    *p     = bytes ? NULL : find(m, address);
    if (p)
        bytes = &p->bytes[address % PAGE & ~3u];
    if (bytes)
        memcpy(&value, bytes, sizeof value);
    return value;
}

uint32_t memory_seen(const memory *m, uint64_t address, uint64_t since)
{
    const page    *p = find(m, address);
    const uint32_t n = (uint32_t)(address % PAGE / 4);
    return p && p->delivered && p->delivered->clock[n] > since ? p->delivered->value[n] : memory_read32(m, address);
}

// Memory has read these 8 bytes for a good beat.
static void remember(memory *m, uint64_t address, uint64_t data)
{
    page          *p = made(m, address);
    const uint32_t n = (uint32_t)(address % PAGE / 8 * 2);
    if (!p->delivered && !(p->delivered = calloc(1, sizeof *p->delivered)))
        abort();
    for (uint32_t half = 0; half < 2; half++) {
        p->delivered->value[n + half] = (uint32_t)(data >> 32 * half);
        p->delivered->clock[n + half] = m->clock + 1;
    }
}

// Somebody writes these 8 bytes.
static void lose(memory *m, uint64_t address)
{
    for (int n = 0; n < m->ports_count; n++) {
        monitor *seen = m->ports[n].monitors;
        for (int id = 0; id < MONITORS && m->ports[n].watched; id++)
            if (seen[id].held && seen[id].address / 8 == address / 8)
                seen[id].held = false;
    }
}

void memory_write32(memory *m, uint64_t address, uint32_t value)
{
    lose(m, address);
    memcpy(place(m, address & ~(uint64_t)3), &value, sizeof value);
}

static uint64_t read64(const memory *m, uint64_t address)
{
    const uint64_t low = address & ~(uint64_t)7;
    return (uint64_t)memory_read32(m, low + 4) << 32 | memory_read32(m, low);
}

// What a beat has that nobody may look at: one that fails, one that is dropped. Neither what lies there nor plain
// zeros.
static uint64_t garbage(const memory *m, uint64_t address)
{
    totem_random r = {.state = address ^ m->clock << 40 ^ 0x6761726261676500u};
    return random_next(&r) | 1;
}

// `beat`: the beat in which the 8 bytes of the fault lie; those before it are good.
static bool fault_hits(memory *m, uint64_t from, uint64_t bytes, memory_fault_kind first, memory_fault_kind last,
                       memory_fault_kind *kind, uint32_t *beat)
{
    for (uint32_t n = 0; n < m->options.faults_count; n++) {
        memory_fault  *fault = &m->faults[n];
        const uint64_t at    = fault->address & ~(uint64_t)7;
        const bool     now   = m->clock >= fault->at && (!fault->until || m->clock < fault->until);
        if (!fault->used && now && fault->kind >= first && fault->kind <= last && at >= (from & ~(uint64_t)7) &&
            at < from + bytes) {
            fault->used = true;
            *kind       = fault->kind;
            *beat       = (uint32_t)((at - (from & ~(uint64_t)7)) / 8);
            return true;
        }
    }
    return false;
}

const memory_fault *memory_listed(const memory *m, uint32_t *count)
{
    *count = m->options.faults_count;
    return m->faults;
}

static bool refuse(memory *m)
{
    return m->options.stall && random_below(&m->random, 256) < m->options.stall;
}

static bool outside(const memory *m, uint64_t address)
{
    return m->options.arena && !given(m, address);
}

// A memory may forget what was read exclusively.
static bool forgets(memory *m)
{
    return m->options.forgets && random_below(&m->random, 256) < m->options.forgets;
}

static uint64_t due(memory *m)
{
    return m->clock + m->options.latency +
           (m->options.latency_spread ? random_below(&m->random, m->options.latency_spread + 1) : 0);
}

static int space(const request *list)
{
    for (int n = 0; n < REQUESTS; n++)
        if (!list[n].used)
            return n;
    return -1;
}

// The bytes of a write.
static void store(memory *m, const request *w)
{
    for (uint32_t k = 0; k < w->beats; k++) {
        const uint64_t at    = (w->address & ~(uint64_t)7) + 8 * (uint64_t)k;
        uint8_t       *bytes = w->strobe[k] ? place(m, at) : NULL;
        if (bytes)
            lose(m, at);
        for (int n = 0; bytes && n < 8; n++)
            if (w->strobe[k] >> n & 1)
                bytes[n] = (uint8_t)(w->value[k] >> 8 * n);
    }
}

// The next answer to offer: among requests that are due, those first of their ID; the oldest, or any with reorder.
static int choose(memory *m, const request *list)
{
    int candidates[REQUESTS], count = 0;
    for (int n = 0; n < REQUESTS; n++) {
        if (!list[n].used || list[n].silent || list[n].due > m->clock)
            continue;
        bool first = true;
        for (int k = 0; k < REQUESTS; k++)
            if (list[k].used && !list[k].silent && list[k].id == list[n].id && list[k].order < list[n].order)
                first = false;
        if (first)
            candidates[count++] = n;
    }
    if (!count)
        return -1;
    if (m->options.reorder)
        return candidates[random_below(&m->random, (uint32_t)count)];
    int best = candidates[0];
    for (int n = 1; n < count; n++)
        if (list[candidates[n]].order < list[best].order)
            best = candidates[n];
    return best;
}

void memory_drive_port(memory *m, int number, totem_axi_in *in)
{
    port *p     = &m->ports[number];
    *in         = (totem_axi_in){0};
    in->arready = space(p->reads) >= 0 && !refuse(m);
    in->awready = !p->aw_held && space(p->writes) >= 0 && !refuse(m);
    in->wready  = !p->w_last && !refuse(m);
    // What is offered stays offered until it is taken.
    if (p->offered_read < 0 && !refuse(m)) {
        p->offered_read = choose(m, p->reads);
        if (p->offered_read >= 0) {
            request   *r   = &p->reads[p->offered_read];
            const bool bad = r->dropped || (r->response && !r->good);
            r->data        = bad ? garbage(m, r->address) : read64(m, r->address);
            if (m->options.remembers && !bad && number < TOTEM_FE_COUNT)
                remember(m, r->address, r->data);
            if (r->exclusive && !bad && !m->options.shared) {
                p->monitors[r->id % MONITORS] = (monitor){true, r->address};
                p->watched                    = true;
                r->response                   = EXOKAY;
            }
        }
    }
    if (p->offered_write < 0 && !refuse(m)) {
        p->offered_write = p->owed_writes ? choose(m, p->writes) : -1;
        request *w       = p->offered_write < 0 ? NULL : &p->writes[p->offered_write];
        if (w && w->hidden)
            store(m, w);
    }
    if (p->offered_read >= 0) {
        const request *r = &p->reads[p->offered_read];
        in->rvalid       = true;
        in->rid          = r->id;
        in->rdata        = r->data;
        in->rresp        = r->good ? 0 : r->response;
        in->rlast        = r->beats == 1;
    }
    if (p->offered_write >= 0) {
        const request *w = &p->writes[p->offered_write];
        in->bvalid       = true;
        in->bid          = w->id;
        in->bresp        = w->response;
    }
}

void memory_drive(memory *m, totem_axi_in in[TOTEM_FE_COUNT])
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        memory_drive_port(m, f, &in[f]);
}

// Whether this access fails at random; then it is in the list, and r has what follows.
static void fail(memory *m, int port, request *r, memory_fault_kind first)
{
    if (!m->options.failures || m->clock >= m->options.failures_until ||
        random_below(&m->random, 65536) >= m->options.failures)
        return;
    if (m->options.spared && r->address >= m->options.spared) {
        const uint32_t rarer = first == MEMORY_READ_SLVERR ? (m->options.rarer + 3) / 4
                               : m->options.rarer && id_there(port, r->id) >= TOTEM_MEMORY_FENCE_ID ? 1
                                                                                                    : m->options.rarer;
        if (!rarer || random_below(&m->random, rarer))
            return;
    }
    const bool late = random_below(&m->random, 256) < m->options.late;
    if (m->failures_count == m->failures_room) {
        m->failures_room       = m->failures_room ? 2 * m->failures_room : 64;
        memory_failure *larger = realloc(m->failures, m->failures_room * sizeof *larger);
        if (!larger)
            abort();
        m->failures = larger;
    }
    r->failure = m->failures_count + 1;
    if (late) {
        r->due += m->options.lateness + random_below(&m->random, m->options.lateness + 1);
    } else {
        r->response = (uint8_t)(2 + random_below(&m->random, 2));
        r->good     = random_below(&m->random, r->beats);
    }
    m->failures[m->failures_count++] = (memory_failure){
        .kind    = late ? first + 2 : first + r->response - 2,
        .fe      = master_of(port, r->id),
        .id      = id_there(port, r->id),
        .address = (r->address & ~(uint64_t)7) + 8 * (uint64_t)r->good,
        .bytes   = late ? 8 * r->beats : 8,
        .clock   = m->clock,
    };
}

static void answered(memory *m, const request *r)
{
    if (r->failure)
        m->failures[r->failure - 1].answered = m->clock;
}

static void accept_read(memory *m, int number, port *p, const totem_memory_out *o)
{
    request          *r     = &p->reads[space(p->reads)];
    const uint32_t    beats = (uint32_t)o->m_axi_arlen + 1;
    memory_fault_kind kind;
    uint32_t          beat;
    *r = (request){.used      = true,
                   .id        = o->m_axi_arid,
                   .address   = o->m_axi_araddr,
                   .beats     = beats,
                   .exclusive = o->m_axi_arlock,
                   .due       = due(m),
                   .order     = m->arrivals++};
    if (outside(m, o->m_axi_araddr))
        r->response = 3;
    else if (fault_hits(m, o->m_axi_araddr, 8 * (uint64_t)beats, MEMORY_READ_SLVERR, MEMORY_READ_NOTHING, &kind,
                        &beat)) {
        r->good     = kind == MEMORY_READ_NOTHING ? 0 : beat;
        r->response = kind == MEMORY_READ_SLVERR ? 2 : 3;
        r->silent   = kind == MEMORY_READ_NOTHING;
    } else
        fail(m, number, r, MEMORY_READ_SLVERR);
    for (int n = 0; n < REQUESTS; n++) // answers of an ID keep their order: none comes behind one that does not
        r->silent = r->silent || (p->reads[n].used && p->reads[n].silent && p->reads[n].id == r->id);
    p->asked = true;
    p->read  = (memory_read){
         .id = id_there(number, r->id), .source = master_of(number, r->id), .address = r->address, .beats = beats};
    p->owed_reads[r->id]++;
    m->counts.reads++;
    m->counts.read_beats += beats;
}

// A burst fails as a whole, at the first 8 bytes that it writes.
static void accept_write(memory *m, int number, port *p)
{
    request          *w = &p->writes[space(p->writes)];
    memory_fault_kind kind;
    uint32_t          beat, first = 0;
    *w = (request){
        .used = true, .id = p->aw_id, .address = p->aw_address, .beats = 1, .due = due(m), .order = m->arrivals++};
    p->taken = 0;
    for (uint32_t k = p->w_count; k-- > 0;)
        if (p->w_strobe[k])
            first = k;
    w->address += 8 * (uint64_t)first;
    if (outside(m, w->address))
        w->response = 3;
    else if (fault_hits(m, p->aw_address, 8 * (uint64_t)p->w_count, MEMORY_WRITE_SLVERR, MEMORY_WRITE_NOTHING, &kind,
                        &beat)) {
        w->response = kind == MEMORY_WRITE_SLVERR ? 2 : 3;
        w->silent   = kind == MEMORY_WRITE_NOTHING;
    } else
        fail(m, number, w, MEMORY_WRITE_SLVERR);
    if (w->failure) {
        m->failures[w->failure - 1].data   = p->w_data[first];
        m->failures[w->failure - 1].strobe = p->w_strobe[first];
    }
    w->address = p->aw_address;
    w->beats   = p->w_count;
    memcpy(w->value, p->w_data, sizeof w->value);
    memcpy(w->strobe, p->w_strobe, sizeof w->strobe);
    for (uint32_t k = 0; k < w->beats; k++)
        if (w->strobe[k])
            p->write[p->taken++] =
                (memory_write){.address = w->address + 8 * (uint64_t)k, .data = w->value[k], .strobe = w->strobe[k]};
    if (p->aw_lock && !w->response && !w->silent) { // it counts at once, or not at all
        monitor *seen = &p->monitors[w->id % MONITORS];
        if (seen->held && seen->address == w->address && !forgets(m)) {
            store(m, w);
            w->response = EXOKAY;
        }
        seen->held = false;
    } else if (!w->response && !w->silent) {
        w->hidden = m->options.visible_late;
        if (!w->hidden)
            store(m, w);
    }
    m->counts.writes++;
    p->aw_held = p->w_last = false;
    p->w_count             = 0;
}

// A time-out that a requester is told: of its oldest read that is still to be answered, if that is here already.
static void drop_read(port *p, uint32_t id)
{
    int oldest = -1;
    for (int n = 0; n < REQUESTS; n++)
        if (p->reads[n].used && !p->reads[n].dropped && p->reads[n].id == id &&
            (oldest < 0 || p->reads[n].order < p->reads[oldest].order))
            oldest = n;
    if (oldest >= 0)
        p->reads[oldest].dropped = true;
}

void memory_step_port(memory *m, int number, const totem_memory_out *o, const totem_axi_in *in)
{
    port *p  = &m->ports[number];
    p->taken = 0;
    p->asked = false;
    if (o->data_valid && o->data_error == TIMED_OUT)
        drop_read(p, o->data_target);
    if (in->rvalid && o->m_axi_rready) {
        request *r = &p->reads[p->offered_read];
        r->address = (r->address & ~(uint64_t)7) + 8;
        if (r->good)
            r->good--;
        if (--r->beats == 0) {
            r->used = false;
            p->owed_reads[r->id]--;
            answered(m, r);
        }
        p->offered_read = -1;
    }
    if (in->bvalid && o->m_axi_bready) {
        answered(m, &p->writes[p->offered_write]);
        p->writes[p->offered_write].used = false;
        p->owed_writes--;
        p->offered_write = -1;
    }
    if (in->arready && o->m_axi_arvalid)
        accept_read(m, number, p, o);
    if (in->awready && o->m_axi_awvalid) {
        p->owed_writes++;
        p->aw_held    = true;
        p->aw_id      = o->m_axi_awid;
        p->aw_address = o->m_axi_awaddr;
        p->aw_beats   = o->m_axi_awlen + 1u;
        p->aw_lock    = o->m_axi_awlock;
    }
    if (in->wready && o->m_axi_wvalid) {
        if (p->w_count == BEATS)
            abort(); // longer than any burst of a machine
        p->w_data[p->w_count]     = o->m_axi_wdata;
        p->w_strobe[p->w_count++] = o->m_axi_wstrb;
        p->w_last                 = o->m_axi_wlast;
    }
    if (p->aw_held && p->w_last) {
        if (p->w_count != p->aw_beats)
            abort(); // WLAST is not where AWLEN says
        accept_write(m, number, p);
    }
}

#if TOTEM_PARTITION
// What a port sends: requests and data of a channel; a response is taken when all routes have room for it.
static totem_memory_out sent(const totem_axi_channel_out *o, bool b_ready, bool r_ready)
{
    return (totem_memory_out){.m_axi_awid    = o->m_axi_awid,
                              .m_axi_awaddr  = o->m_axi_awaddr,
                              .m_axi_awlen   = o->m_axi_awlen,
                              .m_axi_awlock  = o->m_axi_awlock,
                              .m_axi_awvalid = o->m_axi_awvalid,
                              .m_axi_wdata   = o->m_axi_wdata,
                              .m_axi_wstrb   = o->m_axi_wstrb,
                              .m_axi_wlast   = o->m_axi_wlast,
                              .m_axi_wvalid  = o->m_axi_wvalid,
                              .m_axi_bready  = b_ready,
                              .m_axi_arid    = o->m_axi_arid,
                              .m_axi_araddr  = o->m_axi_araddr,
                              .m_axi_arlen   = o->m_axi_arlen,
                              .m_axi_arlock  = o->m_axi_arlock,
                              .m_axi_arvalid = o->m_axi_arvalid,
                              .m_axi_rready  = r_ready};
}

// What a front end has under way, and what it is told.
static void step_master(memory *m, const totem_machine_out *out, int f)
{
    const totem_memory_out   *o = &out->fe[f].memory;
    const totem_fe_route_out *r = &out->fe_route[f];
    m->fe_reads[f][o->m_axi_arid] += o->m_axi_arvalid && r->ar_ready;
    m->fe_reads[f][r->r_id] -= r->r_valid && r->r_last;
    m->fe_writes[f] += o->m_axi_awvalid && r->aw_ready;
    m->fe_writes[f] -= r->b_valid;
    if (o->data_valid && o->data_error == TIMED_OUT)
        for (int c = 0; c < TOTEM_FE_COUNT; c++)
            drop_read(&m->ports[c], (uint32_t)f * CHANNEL_IDS + o->data_target);
}

void memory_step(memory *m, const totem_machine_out *out, const totem_axi_in in[TOTEM_FE_COUNT])
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        step_master(m, out, f);
    for (int c = 0; c < TOTEM_FE_COUNT; c++) {
        const totem_memory_out o = sent(&out->axi_channel[c], out->lattice.b_ready[c], out->lattice.r_ready[c]);
        memory_step_port(m, c, &o, &in[c]);
    }
    m->clock++;
}
#else
void memory_step(memory *m, const totem_machine_out *out, const totem_axi_in in[TOTEM_FE_COUNT])
{
    for (int f = 0; f < TOTEM_FE_COUNT; f++)
        memory_step_port(m, f, &out->fe[f].memory, &in[f]);
    m->clock++;
}
#endif

const memory_write *memory_taken(const memory *m, int port, uint32_t *count)
{
    *count = m->ports[port].taken;
    return m->ports[port].write;
}

const memory_read *memory_asked(const memory *m, int port)
{
    return m->ports[port].asked ? &m->ports[port].read : NULL;
}

memory_failure *memory_failures(memory *m, size_t *count)
{
    *count = m->failures_count;
    return m->failures;
}

bool memory_owes_writes(const memory *m, int fe)
{
#if TOTEM_PARTITION
    return m->fe_writes[fe] != 0;
#else
    return m->ports[fe].owed_writes != 0;
#endif
}

bool memory_owes_reads(const memory *m, int fe, uint32_t id)
{
#if TOTEM_PARTITION
    return m->fe_reads[fe][id] != 0;
#else
    return m->ports[fe].owed_reads[id] != 0;
#endif
}

bool memory_idle(const memory *m)
{
    for (int f = 0; f < m->ports_count; f++)
        for (int n = 0; n < REQUESTS; n++)
            if ((m->ports[f].reads[n].used && !m->ports[f].reads[n].silent) ||
                (m->ports[f].writes[n].used && !m->ports[f].writes[n].silent))
                return false;
    return true;
}

memory_counts memory_count(const memory *m)
{
    return m->counts;
}
