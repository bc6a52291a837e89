// SPDX-License-Identifier: Apache-2.0
#include "host_trace.h"

#include "../../cmodel/bridge/totem_trace_values.h"
#include "number.h"
#include "register_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS = 32, RECORDS_AT = BRIDGE_REGISTERS << 20 | BRIDGE_PAGE_TRACE << 16 };

static const char *const names[LEVELS] = {[TRACE_IRQ]            = "irq",
                                          [TRACE_HOST_WRITE]     = "host_write",
                                          [TRACE_HOST_READ]      = "host_read",
                                          [TRACE_HOST_ERROR]     = "host_error",
                                          [TRACE_MEMORY_WRITE]   = "memory_write",
                                          [TRACE_MEMORY_DATA]    = "memory_data",
                                          [TRACE_MEMORY_WRITTEN] = "memory_written",
                                          [TRACE_MEMORY_READ]    = "memory_read",
                                          [TRACE_MEMORY_GIVES]   = "memory_gives",
                                          [TRACE_MEMORY_ERROR]   = "memory_error",
                                          [TRACE_SELECTED]       = "selected",
                                          [TRACE_EXECUTED]       = "executed",
                                          [TRACE_WAIT]           = "wait",
                                          [TRACE_DISPATCH]       = "dispatch",
                                          [TRACE_WALK]           = "walk",
                                          [TRACE_HEAD]           = "head",
                                          [TRACE_GRANT]          = "grant",
                                          [TRACE_LAUNCH]         = "launch",
                                          [TRACE_FREE]           = "free",
                                          [TRACE_COMPLETE]       = "complete",
                                          [TRACE_FENCE]          = "fence",
                                          [TRACE_INTERRUPT]      = "interrupt",
                                          [TRACE_REPORT]         = "report",
                                          [TRACE_IMAGE]          = "image",
                                          [TRACE_DEQUEUE]        = "dequeue",
                                          [TRACE_KILL]           = "kill"};

static const uint32_t errors = 1u << TRACE_HOST_ERROR | 1u << TRACE_MEMORY_ERROR | 1u << TRACE_REPORT;

const char *host_trace_name(unsigned level)
{
    return names[level];
}

bool host_trace_levels(const char *text, uint32_t *levels, char *message, size_t size)
{
    *levels = 0;
    while (*text) {
        const size_t length = strcspn(text, ",");
        unsigned     n      = 0;
        while (n < LEVELS && !(names[n] && strlen(names[n]) == length && strncmp(names[n], text, length) == 0))
            n++;
        if (n == LEVELS) {
            int used = snprintf(message, size, "a trace has no signal '%.*s'; there are", (int)length, text);
            for (n = 0; n < LEVELS; n++)
                if (names[n] && used >= 0 && (size_t)used < size)
                    used += snprintf(message + used, size - (size_t)used, " %s", names[n]);
            return false;
        }
        *levels |= 1u << n;
        text += length + (text[length] == ',');
    }
    return true;
}

bool host_trace_trigger(const char *text, board_trace *t, char *message, size_t size)
{
    char     name[128];
    uint32_t address;
    uint64_t value = 0, care = 0;
    if (!strchr(text, '.') && !strchr(text, '[')) {
        t->trigger = (uint32_t)TRIGGER_RISE << 30;
        t->value   = errors;
        return strcmp(text, "error") == 0 || host_trace_levels(text, &t->value, message, size);
    }
    if ((size_t)snprintf(name, sizeof name, "%s", text) >= sizeof name) {
        snprintf(message, size, "a trigger has at most %zu characters; '%.20s..' has more", sizeof name - 1, text);
        return false;
    }
    char *wanted = strchr(name, '=');
    if (wanted) {
        *wanted++  = 0;
        char *bits = strchr(wanted, '/');
        care       = UINT32_MAX;
        if (bits)
            *bits++ = 0;
        if (!totem_number(wanted, UINT32_MAX, &value) || (bits && !totem_number(bits, UINT32_MAX, &care))) {
            snprintf(message, size, "'%s': behind the register =VALUE or =VALUE/BITS; " TOTEM_NUMBER_TEXT, text);
            return false;
        }
    }
    if (!totem_register_address(name, &address, message, size))
        return false;
    t->trigger = (uint32_t)TRIGGER_ACCESS << 30 | address;
    t->value   = (uint32_t)value;
    t->care    = (uint32_t)care;
    return true;
}

bool host_trace_path(const char *path, char *message, size_t size)
{
    const size_t length = strlen(path);
    if (length > HOST_TRACE_PATH)
        snprintf(message, size, "--trace %.20s..: the name has more than %d characters", path, HOST_TRACE_PATH);
    else if (length <= 4 || (strcmp(path + length - 4, ".fst") != 0 && strcmp(path + length - 4, ".vcd") != 0))
        snprintf(message, size, "--trace %.200s: the name ends in .fst or .vcd", path);
    else
        return true;
    return false;
}

uint32_t host_trace_there(const host_board *b)
{
    return b->features & BRIDGE_HAS_FOLDS ? UINT32_MAX : UINT16_MAX;
}

bool host_trace_set(host_board *b, const board_trace *t)
{
    uint32_t words[] = {t->mask, t->trigger, t->value, t->care, t->behind};
    _Static_assert(BRIDGE_TRACE_BEHIND - BRIDGE_TRACE_MASK == sizeof words - 4, "settings are in this order");
    return host_link_ask(&b->link, BRIDGE_WRITE, HOST_BRIDGE + BRIDGE_TRACE_MASK, words, sizeof words / sizeof *words);
}

bool host_trace_fetch(host_board *b, board_records *r)
{
    uint32_t got[3];
    if (!host_link_ask(&b->link, BRIDGE_READ, HOST_BRIDGE + BRIDGE_TRACE_STATE, got, 3))
        return false;
    *r                   = (board_records){.state = got[0] & 3, .most = got[0] >> 16, .written = got[1], .at = got[2]};
    const uint32_t count = r->written < r->most ? r->written : r->most;
    uint32_t      *words = calloc(4 * (size_t)count + 1, sizeof *words);
    r->records           = calloc((size_t)r->most + 1, sizeof *r->records);
    if (!words || !r->records)
        abort();
    const bool good = host_board_transfer(b, BRIDGE_READ, RECORDS_AT, words, 4 * count, "trace", false);
    for (uint32_t n = 0; n < 2 * count; n++)
        r->records[n / 2][n % 2] = words[2 * n] | (uint64_t)words[2 * n + 1] << 32;
    free(words);
    return good;
}

uint32_t host_trace_first(const board_records *board, const board_records *model)
{
    const uint32_t b = board->written > board->most ? board->written - board->most : 0;
    const uint32_t m = model && model->written > model->most ? model->written - model->most : 0;
    return b > m ? b : m;
}

bool host_trace_equal(const board_records *board, const board_records *model, uint32_t *part, uint32_t *clock)
{
    static const uint64_t none[2] = {UINT64_MAX, UINT64_MAX};
    const uint32_t        most    = board->written > model->written ? board->written : model->written;
    for (*part = host_trace_first(board, model); *part < most; ++*part) {
        const uint64_t *b = *part < board->written ? board->records[*part % board->most] : none;
        const uint64_t *m = *part < model->written ? model->records[*part % model->most] : none;
        *clock            = (uint32_t)b[0] < (uint32_t)m[0] ? (uint32_t)b[0] : (uint32_t)m[0];
        if (b[0] != m[0] || b[1] != m[1])
            return false;
    }
    return board->state == model->state && board->at == model->at;
}

json_t *host_trace_json(const board_records *board, const board_records *model)
{
    uint32_t   part, clock = 0;
    const bool same = host_trace_equal(board, model, &part, &clock);
    json_t    *o    = json_pack("{s:I, s:I, s:b, s:b}", "records", (json_int_t)board->written, "room",
                                (json_int_t)board->most, "stopped", board->state == TRACE_STOPPED, "equal", same);
    if (board->state >= TRACE_BEHIND)
        json_object_set_new(o, "triggered", json_integer((json_int_t)board->at));
    if (!same)
        json_object_set_new(o, "parts",
                            json_pack("{s:I, s:I}", "record", (json_int_t)part, "clock", (json_int_t)clock));
    return o;
}

void host_trace_print(const board_records *board, const board_records *model)
{
    uint32_t part, clock = 0;
    printf("trace: the last %" PRIu32 " of %" PRIu32 " records, ",
           board->written < board->most ? board->written : board->most, board->written);
    if (board->state >= TRACE_BEHIND)
        printf("triggered at clock %" PRIu32 "%s; ", board->at,
               board->state == TRACE_STOPPED ? "" : ", and the run ended before it stopped");
    else
        printf("not triggered; ");
    if (host_trace_equal(board, model, &part, &clock))
        printf("equal to the model's\n");
    else
        printf("DIFFERENT from the model's from record %" PRIu32 " on (clock %" PRIu32 ")\n", part, clock);
}
