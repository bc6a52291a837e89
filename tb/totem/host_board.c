// SPDX-License-Identifier: Apache-2.0
#include "host_board.h"

#include "number.h"
#include "register_name.h"
#include "totem_configurations.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { WORDS = BRIDGE_END / 4, CONFIGURATIONS = sizeof totem_configurations / sizeof *totem_configurations };

// Names as in docs/contract/bridge.md; NULL: a gap.
#define WORD(name) [BRIDGE_##name / 4] = #name
static const char *const words[WORDS] = {
    WORD(MAGIC),          WORD(VERSION),    WORD(CONFIG),       WORD(MEMORY),      WORD(CLOCK),
    WORD(SIZES),          WORD(FEATURES),   WORD(BOARD),        WORD(CONTROL),     WORD(STATUS),
    WORD(CLOCKS),         WORD(NOW),        WORD(STRIDE),       WORD(POINTS),      WORD(SIGNATURE_LOW),
    WORD(SIGNATURE_HIGH), WORD(DROPPED),    WORD(FOLDS),        WORD(TRACE_MASK),  WORD(TRACE_TRIGGER),
    WORD(TRACE_VALUE),    WORD(TRACE_CARE), WORD(TRACE_BEHIND), WORD(TRACE_STATE), WORD(TRACE_WRITTEN),
    WORD(TRACE_AT)};
#undef WORD

static const char *const boards[] = {"simulation", "ulx3s", "orangecrab"};

host_progress host_progress_begin(const char *what, bool on)
{
    return (host_progress){.what = what, .began = host_now(), .shown = host_now() + 0.5, .on = on};
}

void host_progress_show(host_progress *p, uint64_t done, uint64_t of, const char *unit)
{
    const double t = host_now();
    if (!p->on || t - p->shown < 0.5 || !done)
        return;
    p->shown   = t;
    p->written = true;
    if (of)
        fprintf(stderr, "\r%s: %" PRIu64 " of %" PRIu64 " %s, %.0f s left \033[K", p->what, done, of, unit,
                (t - p->began) * (double)(of - done) / (double)done);
    else
        fprintf(stderr, "\r%s: %" PRIu64 " %s \033[K", p->what, done, unit);
    fflush(stderr);
}

void host_progress_end(host_progress *p)
{
    if (p->written)
        fprintf(stderr, "\r\033[K");
}

bool host_board_get(host_board *b, uint32_t offset, uint32_t *word)
{
    return host_link_ask(&b->link, BRIDGE_READ, HOST_BRIDGE + offset, word, 1);
}

bool host_board_set(host_board *b, uint32_t offset, uint32_t word)
{
    return host_link_ask(&b->link, BRIDGE_WRITE, HOST_BRIDGE + offset, &word, 1);
}

static bool refuse(host_board *b, const char *what, uint32_t got, uint32_t wanted)
{
    snprintf(b->link.message, sizeof b->link.message,
             "%s: what answers is no board with this tool's bridge: %s is 0x%08" PRIx32 ", not 0x%08" PRIx32
             "; load a bitstream of `make fpga BOARD= TOP=mini` of this revision",
             b->link.name, what, got, wanted);
    b->link.refused = true;
    return false;
}

bool host_board_open(host_board *b, const char *port, uint32_t baud, uint32_t timeout)
{
    uint32_t got[BRIDGE_BOARD / 4 + 1];
    *b = (host_board){0};
    if (!host_link_open(&b->link, port, baud, timeout) || !host_board_get(b, BRIDGE_MAGIC, got))
        return false;
    if (*got != BRIDGE_MAGIC_IS)
        return refuse(b, "MAGIC", *got, BRIDGE_MAGIC_IS);
    if (!host_link_ask(&b->link, BRIDGE_READ, HOST_BRIDGE, got, BRIDGE_BOARD / 4 + 1))
        return false;
    b->version  = got[BRIDGE_VERSION / 4];
    b->config   = got[BRIDGE_CONFIG / 4];
    b->memory   = got[BRIDGE_MEMORY / 4];
    b->khz      = got[BRIDGE_CLOCK / 4];
    b->entries  = got[BRIDGE_SIZES / 4] & 0xffff;
    b->points   = got[BRIDGE_SIZES / 4] >> 16;
    b->features = got[BRIDGE_FEATURES / 4];
    b->number   = got[BRIDGE_BOARD / 4];
    b->name     = b->number < sizeof boards / sizeof *boards ? boards[b->number] : "unknown";
    if (b->features & BRIDGE_HAS_FOLDS && !host_board_get(b, BRIDGE_FOLDS, &b->folds))
        return false;
    b->known = true;
    for (size_t n = 0; n < CONFIGURATIONS; n++)
        if (totem_configurations[n].hash == b->config)
            b->configuration = totem_configurations[n].name;
    return b->version == BRIDGE_VERSION_IS || refuse(b, "VERSION", b->version, BRIDGE_VERSION_IS);
}

json_t *host_board_json(const host_board *b)
{
    char hash[16];
    snprintf(hash, sizeof hash, "0x%08" PRIx32, b->config);
    return json_pack("{s:s, s:I, s:s, s:s?, s:I, s:I, s:I, s:I, s:{s:b, s:b, s:b, s:b}}", "board", b->name, "version",
                     (json_int_t)b->version, "configuration_hash", hash, "configuration", b->configuration, "memory",
                     (json_int_t)b->memory, "clock_khz", (json_int_t)b->khz, "boot_entries", (json_int_t)b->entries,
                     "checkpoints", (json_int_t)b->points, "features", "signature",
                     (b->features & BRIDGE_HAS_SIGNATURE) != 0, "trace", (b->features & BRIDGE_HAS_TRACE) != 0, "folds",
                     (b->features & BRIDGE_HAS_FOLDS) != 0, "core", (b->features & BRIDGE_HAS_CORE) != 0);
}

void host_board_print(const host_board *b)
{
    printf("board %s, configuration %s (0x%08" PRIx32 "), %.3f MHz\n", b->name,
           b->configuration ? b->configuration : "unknown to this tool", b->config, b->khz / 1e3);
    printf("memory %" PRIu32 " bytes, boot list of %" PRIu32 " entries, %" PRIu32 " checkpoints\n", b->memory,
           b->entries, b->points);
    printf("features:%s%s%s%s%s\n", b->features & BRIDGE_HAS_SIGNATURE ? " signature" : "",
           b->features & BRIDGE_HAS_TRACE ? " trace" : "", b->features & BRIDGE_HAS_FOLDS ? " folds" : "",
           b->features & BRIDGE_HAS_CORE ? " core" : "", b->features ? "" : " none");
}

bool host_board_reset(host_board *b)
{
    uint32_t status;
    return host_board_get(b, BRIDGE_STATUS, &status) &&
           (!(status & HOST_UNDERWAY) || host_board_set(b, BRIDGE_CONTROL, CONTROL_ABORT | CONTROL_RESET)) &&
           host_board_set(b, BRIDGE_CONTROL, CONTROL_RESET);
}

bool host_board_place(const host_board *b, const char *text, host_place *place, char *message, size_t size)
{
    char     name[128];
    uint64_t address, count = 1;
    snprintf(name, sizeof name, "%s", text);
    char *colon = strchr(name, ':');
    if (colon)
        *colon = 0;
    if (colon && (!totem_number(colon + 1, 0x40000, &count) || !count)) {
        snprintf(message, size, "'%s' is no count of dwords from 1 on; " TOTEM_NUMBER_TEXT, colon + 1);
        return false;
    }
    *place = (host_place){.text = text, .count = (uint32_t)count};
    if (name[0] >= '0' && name[0] <= '9') {
        if (!totem_number(name, UINT32_MAX, &address) || address % 4) {
            snprintf(message, size, "'%s' is no address of a dword: a multiple of 4; " TOTEM_NUMBER_TEXT, name);
            return false;
        }
        place->address = (uint32_t)address;
        if (b && b->known && address + 4 * count > b->memory) {
            snprintf(message, size, "0x%08" PRIx64 " is outside: memory of this board ends at 0x%08" PRIx32,
                     address < b->memory ? b->memory : address, b->memory);
            return false;
        }
        return true;
    }
    if (strncmp(name, "bridge.", 7) == 0) {
        for (uint32_t n = 0; n < WORDS; n++)
            if (words[n] && strcmp(name + 7, words[n]) == 0 && n + count <= WORDS) {
                place->address = HOST_BRIDGE + 4 * n;
                return true;
            }
        snprintf(message, size, "the bridge has no register '%s'; docs/contract/bridge.md has: MAGIC to TRACE_AT",
                 name + 7);
        return false;
    }
    if (!totem_register_address(name, &place->address, message, size))
        return false;
    place->address |= HOST_MACHINE;
    return true;
}

bool host_board_transfer(host_board *b, uint8_t command, uint32_t address, uint32_t *with, uint32_t count,
                         const char *what, bool show)
{
    host_progress p    = host_progress_begin(what, show);
    bool          good = true;
    for (uint32_t n = 0; n < count && good;) {
        const uint32_t part = count - n < HOST_WORDS ? count - n : HOST_WORDS;
        good                = host_link_ask(&b->link, command, address + 4 * n, with + n, part);
        n += part;
        host_progress_show(&p, 4 * (uint64_t)n, 4 * (uint64_t)count, "bytes");
    }
    host_progress_end(&p);
    return good;
}
