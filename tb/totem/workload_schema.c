// SPDX-License-Identifier: Apache-2.0
#define TOTEM_TMD_TABLES
#include "workload_schema.h"

#include "workload.h"

// Fields of a stream, as members `m` of a structure `s`, so that a stream stands at the level of its owner.
#define STREAM_FIELDS(s, m)                                                                                            \
    CYAML_FIELD_STRING_PTR("hex", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, s, m.hex, 1, CYAML_UNLIMITED),             \
        CYAML_FIELD_SEQUENCE_COUNT("dwords", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, s, m.dwords, m.dwords_count,    \
                                   &number_schema, 1, CYAML_UNLIMITED),                                                \
        CYAML_FIELD_SEQUENCE_COUNT("packets", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, s, m.packets, m.packets_count, \
                                   &text_schema, 1, CYAML_UNLIMITED)

#define LIST(key, flags, s, m, entry) \
    CYAML_FIELD_SEQUENCE_COUNT(key, CYAML_FLAG_POINTER | (flags), s, m, m##_count, entry, 0, CYAML_UNLIMITED)

#define OPTIONAL CYAML_FLAG_OPTIONAL
#define REQUIRED CYAML_FLAG_DEFAULT

static const cyaml_schema_value_t number_schema = {CYAML_VALUE_UINT(CYAML_FLAG_DEFAULT, uint32_t)};
static const cyaml_schema_value_t text_schema   = {CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char *, 1, CYAML_UNLIMITED)};

static const cyaml_schema_field_t piece_fields[] = {
    CYAML_FIELD_UINT("address", REQUIRED, totem_workload_piece, address), STREAM_FIELDS(totem_workload_piece, stream),
    CYAML_FIELD_END};
static const cyaml_schema_value_t piece_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_piece, piece_fields)};

static const cyaml_strval_t fault_kinds[] = {
    {"read_slverr", TOTEM_MEMORY_READ_SLVERR},   {"read_decerr", TOTEM_MEMORY_READ_DECERR},
    {"read_timeout", TOTEM_MEMORY_READ_TIMEOUT}, {"write_slverr", TOTEM_MEMORY_WRITE_SLVERR},
    {"write_decerr", TOTEM_MEMORY_WRITE_DECERR}, {"write_timeout", TOTEM_MEMORY_WRITE_TIMEOUT}};
static const cyaml_schema_field_t fault_fields[] = {
    CYAML_FIELD_UINT("address", REQUIRED, totem_workload_fault, address),
    CYAML_FIELD_ENUM("kind", CYAML_FLAG_STRICT, totem_workload_fault, kind, fault_kinds, CYAML_ARRAY_LEN(fault_kinds)),
    CYAML_FIELD_UINT("at", OPTIONAL, totem_workload_fault, at),
    CYAML_FIELD_UINT("until", OPTIONAL, totem_workload_fault, until), CYAML_FIELD_END};
static const cyaml_schema_value_t fault_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_fault, fault_fields)};

static const cyaml_strval_t       visible_kinds[] = {{"accepted", TOTEM_VISIBLE_ACCEPTED},
                                                     {"response", TOTEM_VISIBLE_RESPONSE}};
static const cyaml_schema_field_t memory_fields[] = {
    CYAML_FIELD_UINT("latency", REQUIRED, totem_workload_memory, latency),
    CYAML_FIELD_UINT("latency_spread", OPTIONAL, totem_workload_memory, latency_spread),
    CYAML_FIELD_ENUM("visible", CYAML_FLAG_STRICT | OPTIONAL, totem_workload_memory, visible, visible_kinds,
                     CYAML_ARRAY_LEN(visible_kinds)),
    LIST("faults", OPTIONAL, totem_workload_memory, faults, &fault_schema),
    CYAML_FIELD_UINT("resume", OPTIONAL, totem_workload_memory, resume),
    CYAML_FIELD_END};

static const cyaml_schema_field_t ring_fields[] = {CYAML_FIELD_UINT("address", REQUIRED, totem_workload_ring, address),
                                                   CYAML_FIELD_UINT("size", REQUIRED, totem_workload_ring, size),
                                                   CYAML_FIELD_END};

static const cyaml_schema_field_t quantum_fields[] = {
    CYAML_FIELD_BOOL("enable", REQUIRED, totem_workload_quantum, enable),
    CYAML_FIELD_UINT("scale", OPTIONAL, totem_workload_quantum, scale),
    CYAML_FIELD_UINT("duration", OPTIONAL, totem_workload_quantum, duration), CYAML_FIELD_END};

static const cyaml_schema_field_t doorbell_fields[] = {
    CYAML_FIELD_UINT("at", REQUIRED, totem_workload_doorbell, at),
    CYAML_FIELD_UINT("packets", OPTIONAL, totem_workload_doorbell, packets), CYAML_FIELD_END};
static const cyaml_schema_value_t doorbell_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_doorbell, doorbell_fields)};

static const cyaml_schema_field_t dequeue_fields[] = {CYAML_FIELD_UINT("at", REQUIRED, totem_workload_dequeue, at),
                                                      CYAML_FIELD_UINT("type", REQUIRED, totem_workload_dequeue, type),
                                                      CYAML_FIELD_END};
static const cyaml_schema_value_t dequeue_schema   = {
      CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_dequeue, dequeue_fields)};

static const cyaml_schema_field_t map_fields[] = {CYAML_FIELD_UINT("at", REQUIRED, totem_workload_map, at),
                                                  CYAML_FIELD_UINT("pipe", REQUIRED, totem_workload_map, pipe),
                                                  CYAML_FIELD_UINT("queue", REQUIRED, totem_workload_map, queue),
                                                  CYAML_FIELD_END};
static const cyaml_schema_value_t map_schema   = {
      CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_map, map_fields)};

static const cyaml_schema_field_t window_fields[] = {
    CYAML_FIELD_UINT("at", REQUIRED, totem_workload_window, at),
    CYAML_FIELD_STRING_PTR("register", CYAML_FLAG_POINTER, totem_workload_window, name, 1, 80),
    CYAML_FIELD_UINT("value", REQUIRED, totem_workload_window, value), CYAML_FIELD_END};
static const cyaml_schema_value_t window_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_window, window_fields)};

// Keys of queues, wherever they are mapped.
#define QUEUE_FIELDS                                                                             \
    CYAML_FIELD_UINT("priority", REQUIRED, totem_workload_queue, priority),                      \
        CYAML_FIELD_UINT("pipe_priority", REQUIRED, totem_workload_queue, pipe_priority),        \
        CYAML_FIELD_BOOL("privileged", OPTIONAL, totem_workload_queue, privileged),              \
        CYAML_FIELD_MAPPING("ring", REQUIRED, totem_workload_queue, ring, ring_fields),          \
        CYAML_FIELD_MAPPING("quantum", OPTIONAL, totem_workload_queue, quantum, quantum_fields), \
        CYAML_FIELD_UINT("rptr_report", OPTIONAL, totem_workload_queue, rptr_report),            \
        LIST("doorbells", OPTIONAL, totem_workload_queue, doorbells, &doorbell_schema),          \
        LIST("dequeue", OPTIONAL, totem_workload_queue, dequeue, &dequeue_schema),               \
        STREAM_FIELDS(totem_workload_queue, stream)

static const cyaml_schema_field_t queue_fields[] = {
    CYAML_FIELD_UINT("pipe", REQUIRED, totem_workload_queue, pipe),
    CYAML_FIELD_UINT("queue", REQUIRED, totem_workload_queue, queue),
    QUEUE_FIELDS,
    CYAML_FIELD_UINT("mqd", OPTIONAL, totem_workload_queue, mqd),
    CYAML_FIELD_UINT("map_at", REQUIRED, totem_workload_queue, map_at),
    LIST("map", OPTIONAL, totem_workload_queue, map, &map_schema),
    LIST("write", OPTIONAL, totem_workload_queue, write, &window_schema),
    CYAML_FIELD_END};
static const cyaml_schema_value_t queue_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_queue, queue_fields)};

static const cyaml_schema_field_t graphics_fields[] = {
    CYAML_FIELD_BOOL("hp3d", REQUIRED, totem_workload_graphics, hp3d),
    CYAML_FIELD_BOOL("bounce", REQUIRED, totem_workload_graphics, bounce),
    CYAML_FIELD_BOOL("filter", REQUIRED, totem_workload_graphics, filter),
    CYAML_FIELD_UINT("generation", REQUIRED, totem_workload_graphics, generation), CYAML_FIELD_END};

static const cyaml_schema_field_t table_fields[] = {STREAM_FIELDS(totem_workload_table, stream), CYAML_FIELD_END};

static const cyaml_schema_field_t front_end_fields[] = {
    CYAML_FIELD_UINT("front_end", REQUIRED, totem_workload_queue, front_end),
    CYAML_FIELD_MAPPING("ring", REQUIRED, totem_workload_queue, ring, ring_fields),
    CYAML_FIELD_UINT("rptr_report", OPTIONAL, totem_workload_queue, rptr_report),
    CYAML_FIELD_UINT("map_at", REQUIRED, totem_workload_queue, map_at),
    CYAML_FIELD_MAPPING_PTR("graphics", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_queue, graphics, graphics_fields),
    CYAML_FIELD_MAPPING_PTR("table", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_queue, table, table_fields),
    LIST("doorbells", OPTIONAL, totem_workload_queue, doorbells, &doorbell_schema),
    LIST("write", OPTIONAL, totem_workload_queue, write, &window_schema),
    STREAM_FIELDS(totem_workload_queue, stream),
    CYAML_FIELD_END};
static const cyaml_schema_value_t front_end_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_queue, front_end_fields)};

static const cyaml_schema_field_t run_list_fields[] = {
    CYAML_FIELD_UINT("slots", REQUIRED, totem_workload_run_list, slots),
    CYAML_FIELD_UINT_PTR("yield", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_run_list, yield),
    CYAML_FIELD_UINT_PTR("park", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_run_list, park),
    CYAML_FIELD_UINT_PTR("spare", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_run_list, spare),
    CYAML_FIELD_UINT_PTR("leave", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_run_list, leave),
    CYAML_FIELD_END};

static const cyaml_schema_field_t entry_fields[] = {
    CYAML_FIELD_UINT("entry", REQUIRED, totem_workload_queue, queue),
    QUEUE_FIELDS,
    CYAML_FIELD_UINT("mqd", REQUIRED, totem_workload_queue, mqd),
    CYAML_FIELD_UINT("pointer", OPTIONAL, totem_workload_queue, pointer),
    CYAML_FIELD_UINT("process", OPTIONAL, totem_workload_queue, process),
    CYAML_FIELD_UINT("process_quantum", OPTIONAL, totem_workload_queue, process_quantum),
    CYAML_FIELD_BOOL("static", OPTIONAL, totem_workload_queue, stays),
    CYAML_FIELD_UINT("list_at", REQUIRED, totem_workload_queue, map_at),
    CYAML_FIELD_END};
static const cyaml_schema_value_t entry_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_queue, entry_fields)};

static const cyaml_schema_field_t program_fields[] = {
    CYAML_FIELD_UINT("entry", REQUIRED, totem_workload_program, entry),
    CYAML_FIELD_UINT("duration", REQUIRED, totem_workload_program, duration),
    CYAML_FIELD_UINT("spread", OPTIONAL, totem_workload_program, spread),
    CYAML_FIELD_UINT_PTR("primitives", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_program, primitives),
    CYAML_FIELD_UINT_PTR("culled", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_program, culled),
    CYAML_FIELD_UINT_PTR("pixels", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_program, pixels),
    CYAML_FIELD_UINT_PTR("child", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_program, child),
    CYAML_FIELD_END};
static const cyaml_schema_value_t program_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_program, program_fields)};

// Every field that fits a number; made from the table.
static cyaml_schema_field_t value_fields[TOTEM_TMD_FIELDS + 1];

void totem_workload_schema_prepare(void)
{
    static const cyaml_schema_field_t value =
        CYAML_FIELD_UINT_PTR("", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_fields, value[0]);
    unsigned count = 0;
    for (unsigned n = 0; n < TOTEM_TMD_FIELDS; n++) {
        const totem_tmd_field *f       = &totem_tmd_fields[n];
        const unsigned         version = f->name[0] ? 0 : 1;
        if (f->high[version] - f->low[version] >= 64)
            continue;
        value_fields[count]             = value;
        value_fields[count].key         = f->key;
        value_fields[count].data_offset = n * (uint32_t)sizeof(uint64_t *);
        count++;
    }
    value_fields[count] = (cyaml_schema_field_t)CYAML_FIELD_END;
}

static const cyaml_schema_field_t task_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, totem_workload_task, name, 1, 60),
    CYAML_FIELD_UINT("address", REQUIRED, totem_workload_task, address),
    CYAML_FIELD_STRING_PTR("version", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_task, version, 1, 60),
    CYAML_FIELD_STRING_PTR("dependent", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_task, dependent, 1, 60),
    CYAML_FIELD_MAPPING("fields", REQUIRED, totem_workload_task, fields, value_fields),
    CYAML_FIELD_END};
static const cyaml_schema_value_t task_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_task, task_fields)};

static const cyaml_schema_field_t throttle_fields[] = {
    CYAML_FIELD_UINT_PTR("cntl1", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_throttle, cntl1),
    CYAML_FIELD_UINT_PTR("cntl2", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_throttle, cntl2),
    CYAML_FIELD_BOOL("ph", OPTIONAL, totem_workload_throttle, ph),
    CYAML_FIELD_BOOL("spi", OPTIONAL, totem_workload_throttle, spi),
    CYAML_FIELD_BOOL("b_hold", OPTIONAL, totem_workload_throttle, b_hold),
    CYAML_FIELD_UINT_PTR("limit", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_throttle, limit),
    CYAML_FIELD_SEQUENCE_COUNT("thresholds", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_throttle, thresholds,
                               thresholds_count, &number_schema, 1, CYAML_UNLIMITED),
    CYAML_FIELD_END};

static const cyaml_schema_field_t reserve_fields[] = {
    CYAML_FIELD_UINT("slots", REQUIRED, totem_workload_reserve, slots),
    CYAML_FIELD_UINT("vgprs", REQUIRED, totem_workload_reserve, vgprs),
    CYAML_FIELD_UINT("lds", REQUIRED, totem_workload_reserve, lds), CYAML_FIELD_END};

static const cyaml_schema_field_t write_fields[] = {
    CYAML_FIELD_UINT("at", REQUIRED, totem_workload_write, at),
    CYAML_FIELD_STRING_PTR("register", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_write, name, 1, 80),
    CYAML_FIELD_UINT("address", OPTIONAL, totem_workload_write, address),
    CYAML_FIELD_UINT("value", REQUIRED, totem_workload_write, value), CYAML_FIELD_END};
static const cyaml_schema_value_t write_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_write, write_fields)};

static const cyaml_schema_field_t word_fields[] = {CYAML_FIELD_UINT("address", REQUIRED, totem_workload_word, address),
                                                   CYAML_FIELD_UINT("value", REQUIRED, totem_workload_word, value),
                                                   CYAML_FIELD_END};
static const cyaml_schema_value_t word_schema   = {
      CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_word, word_fields)};

static const cyaml_schema_field_t result_fields[] = {
    CYAML_FIELD_UINT("address", REQUIRED, totem_workload_result, address),
    CYAML_FIELD_UINT("behind", OPTIONAL, totem_workload_result, behind), STREAM_FIELDS(totem_workload_result, stream),
    CYAML_FIELD_END};
static const cyaml_schema_value_t result_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_result, result_fields)};

static const cyaml_schema_field_t error_fields[] = {
    CYAML_FIELD_STRING_PTR("code", CYAML_FLAG_POINTER, totem_workload_error, code_name, 1, 80),
    CYAML_FIELD_UINT_PTR("pipe", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_error, pipe),
    CYAML_FIELD_UINT_PTR("queue", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_error, queue),
    CYAML_FIELD_UINT_PTR("entry", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_error, entry), CYAML_FIELD_END};
static const cyaml_schema_value_t error_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_error, error_fields)};

static const cyaml_schema_field_t blocked_fields[] = {
    CYAML_FIELD_UINT("pipe", REQUIRED, totem_workload_blocked, pipe),
    CYAML_FIELD_UINT("queue", REQUIRED, totem_workload_blocked, queue), CYAML_FIELD_END};
static const cyaml_schema_value_t blocked_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, totem_workload_blocked, blocked_fields)};

static const cyaml_schema_field_t expect_fields[] = {
    LIST("memory", OPTIONAL, totem_workload_expect, memory, &word_schema),
    LIST("registers", OPTIONAL, totem_workload_expect, registers, &write_schema),
    LIST("results", OPTIONAL, totem_workload_expect, results, &result_schema),
    CYAML_FIELD_UINT_PTR("waves", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_expect, waves),
    CYAML_FIELD_UINT_PTR("geometry", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_expect, geometry),
    CYAML_FIELD_UINT_PTR("draws", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_expect, draws),
    CYAML_FIELD_UINT_PTR("fences", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_expect, fences),
    CYAML_FIELD_UINT_PTR("interrupts", CYAML_FLAG_POINTER | OPTIONAL, totem_workload_expect, interrupts),
    LIST("errors", OPTIONAL, totem_workload_expect, errors, &error_schema),
    LIST("blocked", OPTIONAL, totem_workload_expect, blocked, &blocked_schema),
    CYAML_FIELD_END};

static const cyaml_schema_field_t workload_fields[] = {
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER, totem_workload, name, 1, 80),
    CYAML_FIELD_STRING_PTR("about", CYAML_FLAG_POINTER | OPTIONAL, totem_workload, about, 0, CYAML_UNLIMITED),
    CYAML_FIELD_STRING_PTR("configuration", CYAML_FLAG_POINTER, totem_workload, configuration, 1, 80),
    CYAML_FIELD_STRING_PTR("core", CYAML_FLAG_POINTER | OPTIONAL, totem_workload, core, 1, 80),
    CYAML_FIELD_UINT("seed", REQUIRED, totem_workload, seed),
    CYAML_FIELD_UINT("cycles", REQUIRED, totem_workload, cycles),
    CYAML_FIELD_MAPPING("memory", REQUIRED, totem_workload, memory, memory_fields),
    LIST("image", OPTIONAL, totem_workload, image, &piece_schema),
    LIST("programs", OPTIONAL, totem_workload, programs, &program_schema),
    LIST("tasks", OPTIONAL, totem_workload, tasks, &task_schema),
    CYAML_FIELD_MAPPING_PTR("throttle", CYAML_FLAG_POINTER | OPTIONAL, totem_workload, throttle, throttle_fields),
    CYAML_FIELD_MAPPING_PTR("reserve", CYAML_FLAG_POINTER | OPTIONAL, totem_workload, reserve, reserve_fields),
    LIST("queues", OPTIONAL, totem_workload, queues, &queue_schema),
    LIST("rings", OPTIONAL, totem_workload, rings, &front_end_schema),
    CYAML_FIELD_MAPPING_PTR("run_list", CYAML_FLAG_POINTER | OPTIONAL, totem_workload, run_list, run_list_fields),
    LIST("entries", OPTIONAL, totem_workload, entries, &entry_schema),
    LIST("writes", OPTIONAL, totem_workload, writes, &write_schema),
    CYAML_FIELD_MAPPING("expect", OPTIONAL, totem_workload, expect, expect_fields),
    CYAML_FIELD_END};
const cyaml_schema_value_t totem_workload_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, totem_workload, workload_fields)};
