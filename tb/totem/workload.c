// SPDX-License-Identifier: Apache-2.0
#include "workload.h"

#include "../../cmodel/packet/totem_pm4.h"
#include "../../cmodel/tool/pm4_assemble.h"
#include "../../cmodel/tool/pm4_decode.h"
#include "number.h"
#include "register_name.h"
#include "totem_configurations.h"
#include "workload_form.h"
#include "workload_schema.h"
#include "workload_tasks.h"
#include "yaml_line.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What fits the fields of PS_RESERVE.
enum { RESERVE_SLOTS = 127, RESERVE_VGPRS = 4095, RESERVE_LDS = 1023 };

#define ADDRESS_END (UINT64_C(1) << 40)

// ---- Messages ----

// The file being read, and where the first complaint goes.
typedef struct {
    const char           *path;
    const totem_workload *workload;
    char                 *message;
    size_t                size;
    char                  complaint[256]; // libcyaml's first
    unsigned              line;           // and the line that its backtrace names first; 0: none yet
} reader;

static void keep_complaint(cyaml_log_t level, void *context, const char *format, va_list list)
    __attribute__((format(printf, 3, 0)));

// libcyaml complains in several lines: what is wrong, then from the innermost node outwards where.
static void keep_complaint(cyaml_log_t level, void *context, const char *format, va_list list)
{
    reader *r = context;
    char    text[256];
    vsnprintf(text, sizeof text, format, list);
    text[strcspn(text, "\n")] = 0;
    const char *place         = strstr(text, "line: ");
    if (place && r->line == 0)
        r->line = (unsigned)strtoul(place + strlen("line: "), NULL, 10);
    if (!place && level >= CYAML_LOG_ERROR && r->complaint[0] == 0)
        snprintf(r->complaint, sizeof r->complaint, "%s", strncmp(text, "Load: ", 6) == 0 ? text + 6 : text);
}

static bool fail(reader *r, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));

// The value at `path` of the file is wrong.
static bool fail(reader *r, const char *path, const char *format, ...)
{
    char    text[TOTEM_PM4_MESSAGE];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    snprintf(r->message, r->size, "%s:%u: %s: %s", r->path, totem_yaml_line(r->path, path), path, text);
    return false;
}

// A path such as queues[3].ring, made where it is needed.
typedef struct {
    char text[96];
} place;

static place at(const char *format, ...) __attribute__((format(printf, 1, 2)));

static place at(const char *format, ...)
{
    place   p;
    va_list list;
    va_start(list, format);
    vsnprintf(p.text, sizeof p.text, format, list);
    va_end(list);
    return p;
}

// ---- Checks that the schema cannot make ----

static bool check_most(reader *r, place p, uint64_t value, uint64_t most)
{
    return value <= most ? true : fail(r, p.text, "%" PRIu64 " is too large; the most is %" PRIu64, value, most);
}

static bool check_address(reader *r, place p, uint64_t address, uint64_t alignment)
{
    if (address >= ADDRESS_END)
        return fail(r, p.text, "0x%" PRIx64 " has more than 40 bits; take a lower address", address);
    if (address % alignment)
        return fail(r, p.text, "0x%" PRIx64 " is not aligned; take a multiple of %" PRIu64, address, alignment);
    return true;
}

static bool read_hex(reader *r, place owner, totem_workload_stream *stream)
{
    const char *slash = strrchr(r->path, '/');
    size_t      size  = strlen(r->path) + strlen(stream->hex) + 1;
    char       *path  = malloc(size);
    char        text[400];
    totem_hex   hex;
    if (!path)
        return fail(r, owner.text, "out of memory; split the workload");
    if (slash && stream->hex[0] != '/')
        snprintf(path, size, "%.*s%s", (int)(slash - r->path) + 1, r->path, stream->hex);
    else
        snprintf(path, size, "%s", stream->hex);
    bool good = totem_hex_read(path, &hex, text, sizeof text);
    free(path);
    if (!good)
        return fail(r, at("%s.hex", owner.text).text, "%s", text);
    free(hex.lines);
    stream->words       = hex.words;
    stream->words_count = (uint32_t)hex.count;
    return hex.count ? true : fail(r, at("%s.hex", owner.text).text, "%s has no dwords; write some", stream->hex);
}

static bool copy_dwords(reader *r, place owner, totem_workload_stream *stream)
{
    stream->words = malloc(stream->dwords_count * sizeof *stream->words);
    if (!stream->words)
        return fail(r, owner.text, "out of memory; split the workload");
    memcpy(stream->words, stream->dwords, stream->dwords_count * sizeof *stream->words);
    stream->words_count = stream->dwords_count;
    return true;
}

static bool assemble(reader *r, place owner, totem_workload_stream *stream)
{
    size_t   room = 0;
    uint32_t packet[TOTEM_PM4_MOST_DWORDS];
    stream->packet_ends = malloc(stream->packets_count * sizeof *stream->packet_ends);
    if (!stream->packet_ends)
        return fail(r, owner.text, "out of memory; split the workload");
    for (uint32_t n = 0; n < stream->packets_count; n++) {
        place  p = at("%s.packets[%" PRIu32 "]", owner.text, n);
        char   text[TOTEM_PM4_MESSAGE];
        char   launch[40];
        size_t count = 0;
        if (!totem_workload_launch(r->workload, stream->packets[n], launch, text, sizeof text))
            return fail(r, p.text, "%s", text);
        if (!totem_pm4_assemble(launch[0] ? launch : stream->packets[n], packet, TOTEM_PM4_MOST_DWORDS, &count, text,
                                sizeof text))
            return fail(r, p.text, "%s", text);
        if (stream->words_count + count > room) {
            room            = 2 * (stream->words_count + count);
            uint32_t *words = realloc(stream->words, room * sizeof *words);
            if (!words)
                return fail(r, p.text, "out of memory; split the workload");
            stream->words = words;
        }
        memcpy(stream->words + stream->words_count, packet, count * sizeof *packet);
        stream->words_count += (uint32_t)count;
        stream->packet_ends[n] = stream->words_count;
    }
    return true;
}

static bool make_stream(reader *r, place owner, totem_workload_stream *stream)
{
    int given = (stream->hex != NULL) + (stream->dwords != NULL) + (stream->packets != NULL);
    if (given != 1)
        return fail(r, owner.text, "%s of hex, dwords and packets; give exactly one", given ? "more than one" : "none");
    if (stream->hex)
        return read_hex(r, owner, stream);
    return stream->dwords ? copy_dwords(r, owner, stream) : assemble(r, owner, stream);
}

// One doorbell for everything if there is no list; the write pointers of those that there are.
static bool make_doorbells(reader *r, place owner, totem_workload_queue *queue)
{
    if (queue->doorbells_count == 0) {
        free(queue->doorbells);
        queue->doorbells = calloc(1, sizeof *queue->doorbells);
        if (!queue->doorbells)
            return fail(r, owner.text, "out of memory; split the workload");
        queue->doorbells_count = 1;
        queue->doorbells[0].at = queue->map_at;
    }
    const totem_workload_stream *stream = &queue->stream;
    for (uint32_t n = 0; n < queue->doorbells_count; n++) {
        totem_workload_doorbell *bell   = &queue->doorbells[n];
        place                    p      = at("%s.doorbells[%" PRIu32 "]", owner.text, n);
        uint64_t                 before = n ? queue->doorbells[n - 1].at : queue->map_at;
        uint32_t                 last   = n ? queue->doorbells[n - 1].write_pointer : 0;
        uint32_t                 most   = stream->packet_ends ? stream->packets_count : stream->words_count;
        if (bell->at < before)
            return fail(r, p.text,
                        "at %" PRIu64 " lies before %" PRIu64 "; order the doorbells, the first not before map_at",
                        bell->at, before);
        if (bell->packets > most)
            return fail(r, at("%s.packets", p.text).text, "%" PRIu32 " is too large; the most is %" PRIu32 " %s",
                        bell->packets, most, stream->packet_ends ? "packets" : "dwords");
        if (bell->packets == 0)
            bell->write_pointer = stream->words_count;
        else
            bell->write_pointer = stream->packet_ends ? stream->packet_ends[bell->packets - 1] : bell->packets;
        if (bell->write_pointer < last)
            return fail(r, p.text,
                        "announces less than the doorbell before it; packets counts from the start of the stream");
    }
    return true;
}

uint32_t totem_workload_mapped(const totem_workload_queue *queue, uint64_t at)
{
    uint32_t n = 0;
    while (n < queue->map_count && queue->map[n].at <= at)
        n++;
    return n;
}

// Dequeue and mapping take turns; the queue has its MQD to be mapped from.
static bool check_turns(reader *r, place owner, const totem_workload_queue *queue)
{
    uint64_t last = queue->map_at;
    if (queue->map_count && !queue->mqd)
        return fail(r, at("%s.map", owner.text).text, "the queue has no MQD to be mapped from; give it mqd");
    for (uint32_t n = 0; n < queue->dequeue_count; n++) {
        const totem_workload_dequeue *dequeue = &queue->dequeue[n];
        place                         p       = at("%s.dequeue[%" PRIu32 "]", owner.text, n);
        if (dequeue->type < 1 || dequeue->type > 4)
            return fail(r, p.text, "%" PRIu32 " is no type; take 1 drain, 2 reset, 3 save waves or 4 leave",
                        dequeue->type);
        if (dequeue->at < last)
            return fail(r, p.text, "at %" PRIu64 " lies before %" PRIu64 ", when the queue is mapped", dequeue->at,
                        last);
        if (n > queue->map_count)
            return fail(r, p.text, "the queue is not mapped then; give it a map before");
        last = n < queue->map_count ? queue->map[n].at : dequeue->at;
    }
    for (uint32_t n = 0; n < queue->map_count; n++) {
        place p = at("%s.map[%" PRIu32 "]", owner.text, n);
        if (n >= queue->dequeue_count || queue->map[n].at < queue->dequeue[n].at)
            return fail(r, p.text, "the queue is mapped still; give it a dequeue before, one for each map");
        if (!check_most(r, at("%s.pipe", p.text), queue->map[n].pipe, 7) ||
            !check_most(r, at("%s.queue", p.text), queue->map[n].queue, 7))
            return false;
    }
    return true;
}

// Doorbells and writes go to the slot of the queue: it has one.
static bool check_mapped(reader *r, const totem_workload_queue *queue, place p, uint64_t clock)
{
    const uint32_t n = totem_workload_mapped(queue, clock);
    if (n < queue->dequeue_count && queue->dequeue[n].at <= clock)
        return fail(r, p.text, "at %" PRIu64 " the queue is dequeued; take a clock before, or one from a map on",
                    clock);
    return true;
}

static bool check_slot(reader *r, place owner, const totem_workload_queue *queue)
{
    if (!check_turns(r, owner, queue))
        return false;
    for (uint32_t n = 0; n < queue->doorbells_count; n++)
        if (!check_mapped(r, queue, at("%s.doorbells[%" PRIu32 "]", owner.text, n), queue->doorbells[n].at))
            return false;
    for (uint32_t n = 0; n < queue->write_count; n++) {
        totem_workload_window *write = &queue->write[n];
        place                  p     = at("%s.write[%" PRIu32 "]", owner.text, n);
        char                   name[120], text[256];
        uint32_t               first, address;
        snprintf(name, sizeof name, "pipe[0].queue[0].%s", write->name);
        if (!totem_register_address(name, &address, text, sizeof text))
            return fail(r, at("%s.register", p.text).text, "%s", text);
        totem_register_address("pipe[0].queue[0].CP_MQD_BASE_ADDR", &first, text, sizeof text);
        write->dword = (address - first) / 4;
        if (write->at < queue->map_at)
            return fail(r, p.text, "at %" PRIu64 " lies before map_at", write->at);
        if (!check_mapped(r, queue, p, write->at))
            return false;
    }
    return true;
}

bool totem_workload_fed(const totem_workload_queue *queue)
{
    return queue->stream.words_count > queue->ring.size;
}

uint32_t totem_workload_unit(const totem_workload_stream *stream, uint32_t at)
{
    uint32_t end = at + 1;
    for (uint32_t from = at, wanted = end; from < wanted; from = end) {
        const uint32_t header = from < stream->words_count ? stream->words[from] : 0;
        const bool     packet = header >> 30 == 3 && header != 0xffff1000u;
        end                   = from + 1 + (packet ? (header >> 16 & 0x3fff) + 1 : 0);
        wanted                = wanted < end ? end : wanted;
        const uint32_t op = header >> 8 & 0xff, counts = op == TOTEM_OP_COND_EXEC ? 4 : 1; // its dword with exec_count
        if (packet && (op == TOTEM_OP_COND_EXEC || op == TOTEM_OP_PRED_EXEC) && from + counts < stream->words_count)
            wanted = end + (stream->words[from + counts] & 0x3fff);
    }
    return end < stream->words_count ? end : stream->words_count;
}

// A stream that is longer than its ring: the host feeds it.
static bool check_fed(reader *r, place owner, const totem_workload_queue *queue)
{
    const uint32_t count = queue->stream.words_count, size = queue->ring.size;
    place          p = at("%s.ring.size", owner.text);
    if (!totem_workload_fed(queue))
        return true;
    if (queue->pipe >= TOTEM_WORKLOAD_RING)
        return fail(r, p.text, "the stream has %" PRIu32 " dwords, %s %" PRIu32 "; enlarge it", count,
                    queue->pipe == TOTEM_WORKLOAD_ENTRY ? "the ring of an entry" : "the ring of graphics", size);
    if (queue->dequeue_count)
        return fail(r, p.text,
                    "the stream has %" PRIu32 " dwords, the ring of a queue that is dequeued %" PRIu32
                    "; enlarge it, or remove dequeue and map",
                    count, size);
    for (uint32_t from = 0, end; from < count; from = end) {
        end = totem_workload_unit(&queue->stream, from);
        if (end - from > size)
            return fail(r, p.text,
                        "a packet, with what it may skip, has %" PRIu32 " dwords, the ring %" PRIu32 "; enlarge it",
                        end - from, size);
    }
    return true;
}

// What a queue and a graphics ring have.
static bool check_stream(reader *r, place owner, totem_workload_queue *queue)
{
    const uint32_t size = queue->ring.size;
    if (!check_address(r, at("%s.ring.address", owner.text), queue->ring.address, 256) ||
        !check_address(r, at("%s.rptr_report", owner.text), queue->rptr_report, 4))
        return false;
    if (size < 64 || (size & (size - 1)) || size > 1u << 28)
        return fail(r, at("%s.ring.size", owner.text).text, "%" PRIu32 " dwords; take a power of two from 64 to 2^28",
                    size);
    if (!make_stream(r, owner, &queue->stream))
        return false;
    return check_fed(r, owner, queue) && make_doorbells(r, owner, queue) && check_slot(r, owner, queue);
}

// A value that may be absent.
static bool check_given(reader *r, place p, const uint32_t *value, uint32_t most)
{
    return !value || check_most(r, p, *value, most);
}

// What a queue in a slot and one of the run list have.
static bool check_compute(reader *r, place owner, const totem_workload_queue *queue, uint64_t alignment)
{
    return check_most(r, at("%s.priority", owner.text), queue->priority, 15) &&
           // 3 is for the mapping to refuse.
           check_most(r, at("%s.pipe_priority", owner.text), queue->pipe_priority, 3) &&
           check_most(r, at("%s.quantum.scale", owner.text), queue->quantum.scale, 1) &&
           check_most(r, at("%s.quantum.duration", owner.text), queue->quantum.duration, 63) &&
           check_address(r, at("%s.mqd", owner.text), queue->mqd, alignment);
}

static bool check_queue(reader *r, const totem_workload *w, uint32_t q)
{
    totem_workload_queue *queue = &w->queues[q];
    place                 owner = at("queues[%" PRIu32 "]", q);
    if (!check_most(r, at("%s.pipe", owner.text), queue->pipe, 7) ||
        !check_most(r, at("%s.queue", owner.text), queue->queue, 7) || !check_compute(r, owner, queue, 4))
        return false;
    for (uint32_t n = 0; n < q; n++)
        if (w->queues[n].pipe == queue->pipe && w->queues[n].queue == queue->queue)
            return fail(r, owner.text,
                        "pipe %" PRIu32 " queue %" PRIu32 " is queues[%" PRIu32 "] already; take another slot",
                        queue->pipe, queue->queue, n);
    return check_stream(r, owner, queue);
}

static bool check_ring(reader *r, const totem_workload *w, uint32_t n)
{
    totem_workload_queue          *ring     = &w->rings[n];
    const totem_workload_graphics *graphics = ring->graphics;
    place                          owner    = at("rings[%" PRIu32 "]", n);
    if (!check_most(r, at("%s.front_end", owner.text), ring->front_end, 3))
        return false;
    for (uint32_t other = 0; other < n; other++)
        if (w->rings[other].front_end == ring->front_end)
            return fail(r, owner.text,
                        "that of front end %" PRIu32 " is rings[%" PRIu32 "] already; take another front end",
                        ring->front_end, other);
    if (graphics && (graphics->generation < 9 || graphics->generation > 11))
        return fail(r, at("%s.graphics.generation", owner.text).text, "%" PRIu32 " is no generation; take 9, 10 or 11",
                    graphics->generation);
    ring->pipe = TOTEM_WORKLOAD_RING + ring->front_end;
    return (!ring->table || make_stream(r, at("%s.table", owner.text), &ring->table->stream)) &&
           check_stream(r, owner, ring);
}

static bool check_entry(reader *r, const totem_workload *w, uint32_t n)
{
    totem_workload_queue *queue = &w->entries[n];
    place                 owner = at("entries[%" PRIu32 "]", n);
    queue->pipe                 = TOTEM_WORKLOAD_ENTRY;
    for (uint32_t other = 0; other < n; other++)
        if (w->entries[other].queue == queue->queue)
            return fail(r, owner.text, "entry %" PRIu32 " is entries[%" PRIu32 "] already; take another one",
                        queue->queue, other);
    if (queue->dequeue_count > 1)
        return fail(r, at("%s.dequeue", owner.text).text, "an entry is removed once; give one");
    for (uint32_t k = 0; k < queue->dequeue_count; k++)
        if (queue->dequeue[k].type != 2 && queue->dequeue[k].type != 4)
            return fail(r, at("%s.dequeue[%" PRIu32 "]", owner.text, k).text,
                        "the run list has no removal of type %" PRIu32 "; take 2 reset or 4 leave",
                        queue->dequeue[k].type);
    return check_compute(r, owner, queue, 8) && check_address(r, at("%s.pointer", owner.text), queue->pointer, 8) &&
           check_most(r, at("%s.process", owner.text), queue->process, 0xffff) &&
           check_most(r, at("%s.process_quantum", owner.text), queue->process_quantum, 127) &&
           (queue->mqd || fail(r, at("%s.mqd", owner.text).text, "0 is no address of an MQD; give it one")) &&
           check_stream(r, owner, queue);
}

static bool check_run_list(reader *r, const totem_workload_run_list *l)
{
    return !l || (check_given(r, at("run_list.yield"), l->yield, 255) &&
                  check_given(r, at("run_list.park"), l->park, 0xffff) &&
                  check_given(r, at("run_list.spare"), l->spare, 15) &&
                  check_given(r, at("run_list.leave"), l->leave, 0xffffff));
}

static bool check_tasks(reader *r, totem_workload *w)
{
    char key[96], text[256];
    for (uint32_t n = 0; n < w->tasks_count; n++)
        if (!check_address(r, at("tasks[%" PRIu32 "].address", n), w->tasks[n].address, 4 * TOTEM_TMD_DWORDS))
            return false;
    return totem_workload_tasks(w, key, sizeof key, text, sizeof text) || fail(r, key, "%s", text);
}

// Number n of all pieces of memory: the image, tasks, rings of queues, of graphics and of entries, MQDs of entries. Its
// bytes are [first, end). `name`: its key; NULL: not wanted.
static bool piece_of(const totem_workload *w, uint32_t n, uint64_t *first, uint64_t *end, place *name)
{
    const struct {
        const char                 *key, *of;
        const totem_workload_queue *queues;
        uint32_t                    count;
    } lists[] = {{"image", "", NULL, w->image_count},
                 {"tasks", "", NULL, w->tasks_count},
                 {"queues", ".ring", w->queues, w->queues_count},
                 {"rings", ".ring", w->rings, w->rings_count},
                 {"entries", ".ring", w->entries, w->entries_count},
                 {"entries", ".mqd", w->entries, w->entries_count}};
    enum { LISTS = sizeof lists / sizeof *lists };
    unsigned k = 0;
    while (k < LISTS && n >= lists[k].count)
        n -= lists[k++].count;
    if (k == LISTS)
        return false;
    const totem_workload_queue *q = lists[k].queues ? &lists[k].queues[n] : NULL;
    *first = k == 0 ? w->image[n].address : k == 1 ? w->tasks[n].address : k == 5 ? q->mqd : q->ring.address;
    *end   = *first + UINT64_C(4) * (k == 0   ? w->image[n].stream.words_count
                                     : k == 1 ? TOTEM_TMD_DWORDS
                                     : k == 5 ? TOTEM_WORKLOAD_MQD
                                              : q->ring.size);
    if (name)
        *name = at("%s[%" PRIu32 "]%s", lists[k].key, n, lists[k].of);
    return true;
}

static bool check_pieces(reader *r, const totem_workload *w)
{
    uint64_t first, end, other_first, other_end;
    for (uint32_t n = 0; piece_of(w, n, &first, &end, NULL); n++) {
        place p, o;
        for (uint32_t other = 0; other < n; other++) {
            piece_of(w, other, &other_first, &other_end, NULL);
            if (first < other_end && other_first < end) {
                piece_of(w, n, &first, &end, &p);
                piece_of(w, other, &other_first, &other_end, &o);
                return fail(r, p.text, "overlaps %s (0x%" PRIx64 " to 0x%" PRIx64 "); move one", o.text, other_first,
                            other_end - 1);
            }
        }
        if (end > ADDRESS_END) {
            piece_of(w, n, &first, &end, &p);
            return fail(r, p.text, "reaches past 40 bits of address; take a lower address");
        }
    }
    return true;
}

static bool check_programs(reader *r, const totem_workload *w)
{
    uint32_t seen = 0;
    for (uint32_t n = 0; n < w->programs_count; n++) {
        uint32_t entry = w->programs[n].entry;
        place    p     = at("programs[%" PRIu32 "].entry", n);
        if (!check_most(r, p, entry, 15) ||
            !check_most(r, at("programs[%" PRIu32 "].duration", n), w->programs[n].duration, (1u << 30) - 1) ||
            !check_most(r, at("programs[%" PRIu32 "].spread", n), w->programs[n].spread, 30) ||
            !check_given(r, at("programs[%" PRIu32 "].primitives", n), w->programs[n].primitives, 4) ||
            !check_given(r, at("programs[%" PRIu32 "].culled", n), w->programs[n].culled, 255) ||
            !check_given(r, at("programs[%" PRIu32 "].pixels", n), w->programs[n].pixels, (1u << 20) - 1) ||
            (w->programs[n].child &&
             !check_address(r, at("programs[%" PRIu32 "].child", n), *w->programs[n].child, 256)))
            return false;
        if (seen >> entry & 1)
            return fail(r, p.text, "entry %" PRIu32 " stands twice; remove one", entry);
        seen |= UINT32_C(1) << entry;
    }
    return true;
}

// Values that the page of controls refuses.
static bool check_throttle(reader *r, const totem_workload_throttle *t)
{
    if (!t)
        return true;
    if (t->cntl1 && ((*t->cntl1 >> 12 & 15) > 9 || (*t->cntl1 >> 16 & 15) > 9))
        return fail(r, "throttle.cntl1",
                    "0x%08" PRIx32 " has a threshold above 9 tenths in bits 15:12 or 19:16; "
                    "lower it",
                    *t->cntl1);
    if (t->cntl2 && (*t->cntl2 & 3) == 3)
        return fail(r, "throttle.cntl2", "0x%08" PRIx32 " has mode 3 in bits 1:0; take 0, 1 or 2", *t->cntl2);
    if (t->cntl2 && !check_most(r, at("throttle.cntl2"), *t->cntl2, 0x1ffff))
        return false;
    if (!check_given(r, at("throttle.limit"), t->limit, 127))
        return false;
    if (!t->thresholds)
        return true;
    const uint32_t *h = t->thresholds;
    if (t->thresholds_count != 3 || h[0] < 1 || h[0] >= h[1] || h[1] >= h[2] || h[2] > 64)
        return fail(r, "throttle.thresholds",
                    "not three numbers that ascend from 1 to 64; take for example [16, 32, 48]");
    return true;
}

static bool check_reserve(reader *r, const totem_workload_reserve *v)
{
    return !v || (check_most(r, at("reserve.slots"), v->slots, RESERVE_SLOTS) &&
                  check_most(r, at("reserve.vgprs"), v->vgprs, RESERVE_VGPRS) &&
                  check_most(r, at("reserve.lds"), v->lds, RESERVE_LDS));
}

static bool check_accesses(reader *r, const char *key, totem_workload_write *list, uint32_t count)
{
    for (uint32_t n = 0; n < count; n++) {
        totem_workload_write *write = &list[n];
        place                 p     = at("%s[%" PRIu32 "]", key, n);
        char                  text[256];
        if ((write->name != NULL) == (write->address != 0))
            return fail(r, p.text, "give either register (a name) or address (not 0)");
        if (write->name && !totem_register_address(write->name, &write->address, text, sizeof text))
            return fail(r, at("%s.register", p.text).text, "%s", text);
        if (!check_address(r, p, write->address, 4))
            return false;
    }
    return true;
}

static bool check_expect(reader *r, totem_workload_expect *expect)
{
    for (uint32_t n = 0; n < expect->results_count; n++) {
        totem_workload_result *result = &expect->results[n];
        place                  p      = at("expect.results[%" PRIu32 "]", n);
        if (!check_address(r, p, result->address, 4) || !check_address(r, p, result->behind, 4) ||
            !make_stream(r, p, &result->stream))
            return false;
    }
    for (uint32_t n = 0; n < expect->memory_count; n++)
        if (!check_address(r, at("expect.memory[%" PRIu32 "].address", n), expect->memory[n].address, 4))
            return false;
    for (uint32_t n = 0; n < expect->errors_count; n++) {
        totem_workload_error *error = &expect->errors[n];
        place                 p     = at("expect.errors[%" PRIu32 "].code", n);
        error->code                 = totem_error_code(error->code_name);
        if (error->code == 0)
            return fail(r, p.text, "no error is called '%s'; docs/pm4.md lists the names", error->code_name);
    }
    return true;
}

// ---- What the configuration has ----

static bool fit_queue(reader *r, const totem_configuration *c, place owner, uint32_t pipe, uint32_t queue)
{
    if (pipe < c->pipes && queue < c->queues)
        return true;
    return fail(r, at("%s.%s", owner.text, pipe < c->pipes ? "queue" : "pipe").text,
                "configuration %s has no queue %" PRIu32 " of pipe %" PRIu32 "; its pipes are 0 to %" PRIu32
                ", each has queues 0 to %" PRIu32,
                c->name, queue, pipe, c->pipes - 1, c->queues - 1);
}

static bool fit_program(reader *r, const totem_configuration *c, const totem_workload *w, uint32_t n)
{
    const totem_workload_program *p     = &w->programs[n];
    const char                   *lacks = !c->graphics && p->primitives ? "primitives"
                                          : !c->graphics && p->culled   ? "culled"
                                          : !c->graphics && p->pixels   ? "pixels"
                                          : !c->tasks && p->child       ? "child"
                                                                        : NULL;
    if (!lacks)
        return true;
    return fail(r, at("programs[%" PRIu32 "].%s", n, lacks).text, "configuration %s has no %s; remove the key", c->name,
                strcmp(lacks, "child") == 0 ? "tasks" : "geometry waves");
}

static bool fit(reader *r, const totem_configuration *c, const totem_workload *w)
{
    const totem_workload_reserve *v     = w->reserve;
    const uint32_t                rings = c->graphics ? c->front_ends : 0;
    if (w->tasks_count && !c->tasks)
        return fail(r, "tasks", "configuration %s has no tasks; take one that has", c->name);
    if ((w->throttle || v) && !c->graphics)
        return fail(r, w->throttle ? "throttle" : "reserve", "configuration %s has no geometry waves; remove the key",
                    c->name);
    if (v && (v->slots > c->slots || v->vgprs > c->vgprs || v->lds > c->lds))
        return fail(r, "reserve", "configuration %s has less than that in an engine; lower the reserve", c->name);
    for (uint32_t n = 0; n < w->programs_count; n++)
        if (!fit_program(r, c, w, n))
            return false;
    for (uint32_t n = 0; n < w->queues_count; n++) {
        const totem_workload_queue *queue = &w->queues[n];
        if (!fit_queue(r, c, at("queues[%" PRIu32 "]", n), queue->pipe, queue->queue))
            return false;
        for (uint32_t k = 0; k < queue->map_count; k++)
            if (!fit_queue(r, c, at("queues[%" PRIu32 "].map[%" PRIu32 "]", n, k), queue->map[k].pipe,
                           queue->map[k].queue))
                return false;
    }
    for (uint32_t n = 0; n < w->rings_count; n++)
        if (w->rings[n].front_end >= rings)
            return fail(r, at("rings[%" PRIu32 "].front_end", n).text,
                        "configuration %s has %" PRIu32 " graphics rings", c->name, rings);
    const uint32_t slots = c->pipes * c->queues, entries = c->run_list ? c->entries : 0;
    for (uint32_t n = 0; n < w->entries_count; n++)
        if (w->entries[n].queue >= entries)
            return fail(r, at("entries[%" PRIu32 "].entry", n).text,
                        "configuration %s has %" PRIu32 " entries of a run list", c->name, entries);
    if (w->run_list && !c->run_list)
        return fail(r, "run_list", "configuration %s has none; remove the key", c->name);
    if (w->run_list && ((slots < 64 && w->run_list->slots >> slots) || w->run_list->slots & 1))
        return fail(r, "run_list.slots",
                    "0x%" PRIx64 " has a slot that configuration %s lacks, or slot 0, which is never the run list's",
                    w->run_list->slots, c->name);
    return true;
}

static bool check(reader *r, totem_workload *w)
{
    const totem_configuration *c = totem_configurations, *end = c + sizeof totem_configurations / sizeof *c;
    while (c < end && strcmp(w->configuration, c->name) != 0)
        c++;
    if (c == end) {
        char names[80] = "";
        for (c = totem_configurations; c < end; c++)
            snprintf(names + strlen(names), sizeof names - strlen(names), " %s", c->name);
        return fail(r, "configuration", "'%s' is not a configuration; take one of:%s", w->configuration, names);
    }
    if (w->core && strcmp(w->core, "rv32") != 0)
        return fail(r, "core", "'%s' is not a core; take rv32, or remove the key for the shipped wave engine", w->core);
    if (w->core && w->programs_count)
        return fail(r, "programs", "the core has no table of programs; load them into memory with image");
    if (w->cycles == 0)
        return fail(r, "cycles", "0 clocks; give the most clocks that the run may take");
    for (uint32_t n = 0; n < w->memory.faults_count; n++)
        if (!check_address(r, at("memory.faults[%" PRIu32 "].address", n), w->memory.faults[n].address, 1))
            return false;
    if (!check_tasks(r, w))
        return false;
    for (uint32_t n = 0; n < w->image_count; n++) {
        place p = at("image[%" PRIu32 "]", n);
        if (!check_address(r, p, w->image[n].address, 4) || !make_stream(r, p, &w->image[n].stream))
            return false;
    }
    for (uint32_t n = 0; n < w->queues_count; n++)
        if (!check_queue(r, w, n))
            return false;
    for (uint32_t n = 0; n < w->rings_count; n++)
        if (!check_ring(r, w, n))
            return false;
    for (uint32_t n = 0; n < w->entries_count; n++)
        if (!check_entry(r, w, n))
            return false;
    return check_pieces(r, w) && check_programs(r, w) && check_throttle(r, w->throttle) &&
           check_reserve(r, w->reserve) && check_run_list(r, w->run_list) &&
           check_accesses(r, "writes", w->writes, w->writes_count) &&
           check_accesses(r, "expect.registers", w->expect.registers, w->expect.registers_count) &&
           check_expect(r, &w->expect) && fit(r, c, w);
}

static const cyaml_config_t *configure(cyaml_config_t *config, reader *r)
{
    *config =
        (cyaml_config_t){.log_fn = keep_complaint, .log_ctx = r, .mem_fn = cyaml_mem, .log_level = CYAML_LOG_ERROR};
    return config;
}

bool totem_workload_load(const char *path, totem_workload **workload, char *message, size_t size)
{
    reader         r = {.path = path, .message = message, .size = size};
    cyaml_config_t config;
    cyaml_data_t  *data = NULL;
    *workload           = NULL;
    totem_workload_schema_prepare();
    if (!totem_workload_form(path, message, size))
        return false;
    cyaml_err_t error = cyaml_load_file(path, configure(&config, &r), &totem_workload_schema, &data, NULL);
    if (error != CYAML_OK) { // what the schema has no form for
        const char *text = r.complaint[0] ? r.complaint : cyaml_strerror(error);
        snprintf(message, size, "%s:%u: %s; docs/workloads.md describes workload files", path, r.line ? r.line : 1,
                 text);
        return false;
    }
    if (!data) {
        snprintf(message, size, "%s:1: the file is empty; docs/workloads.md describes workload files", path);
        return false;
    }
    totem_workload *w = data;
    w->path           = strdup(path);
    r.workload        = w;
    if (!w->path || !check(&r, w)) {
        totem_workload_free(w);
        return false;
    }
    *workload = w;
    return true;
}

void totem_workload_place(const totem_workload *w, const char *key, char *text, size_t size)
{
    snprintf(text, size, "%s:%u: %s", w->path, totem_yaml_line(w->path, key), key);
}

static void free_stream(totem_workload_stream *stream)
{
    free(stream->words);
    free(stream->packet_ends);
}

void totem_workload_free(totem_workload *workload)
{
    if (!workload)
        return;
    for (uint32_t n = 0; n < workload->image_count; n++)
        free_stream(&workload->image[n].stream);
    for (uint32_t n = 0; n < workload->expect.results_count; n++)
        free_stream(&workload->expect.results[n].stream);
    for (uint32_t n = 0; n < workload->queues_count; n++)
        free_stream(&workload->queues[n].stream);
    for (uint32_t n = 0; n < workload->rings_count; n++) {
        free_stream(&workload->rings[n].stream);
        if (workload->rings[n].table)
            free_stream(&workload->rings[n].table->stream);
    }
    for (uint32_t n = 0; n < workload->entries_count; n++)
        free_stream(&workload->entries[n].stream);
    free(workload->path);
    reader         r = {0};
    cyaml_config_t config;
    cyaml_free(configure(&config, &r), &totem_workload_schema, workload, 0);
}
