// SPDX-License-Identifier: Apache-2.0
#include "host_board.h"

#include "number.h"
#include "register_name.h"
#include "totem_configurations.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    MAGIC          = 0x42544f54,
    VERSION        = 1,
    WORDS          = 17,
    CONFIGURATIONS = sizeof totem_configurations / sizeof *totem_configurations
};

static const char *const words[WORDS] = {"MAGIC",    "VERSION", "CONFIG",    "MEMORY",         "CLOCK_KHZ", "SIZES",
                                         "FEATURES", "BOARD",   "CONTROL",   "STATUS",         "CLOCKS",    "NOW",
                                         "STRIDE",   "POINTS",  "SIGNATURE", "SIGNATURE_HIGH", "DROPPED"};

static const char *const boards[] = {"simulation", "ulx3s", "orangecrab"};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

host_progress host_progress_begin(const char *what, bool on)
{
    return (host_progress){.what = what, .began = now(), .shown = now() + 0.5, .on = on};
}

void host_progress_show(host_progress *p, uint64_t done, uint64_t of, const char *unit)
{
    const double t = now();
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
    return host_link_read(&b->link, HOST_BRIDGE + offset, word, 1);
}

bool host_board_set(host_board *b, uint32_t offset, uint32_t word)
{
    return host_link_write(&b->link, HOST_BRIDGE + offset, &word, 1);
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
    uint32_t got[8];
    *b = (host_board){0};
    if (!host_link_open(&b->link, port, baud, timeout))
        return false;
    if (!host_link_greet(&b->link, HOST_BRIDGE, &got[0]))
        return false;
    if (got[0] != MAGIC)
        return refuse(b, "MAGIC", got[0], MAGIC);
    if (!host_link_read(&b->link, HOST_BRIDGE, got, 8))
        return false;
    b->version  = got[1];
    b->config   = got[2];
    b->memory   = got[3];
    b->khz      = got[4];
    b->entries  = got[5] & 0xffff;
    b->points   = got[5] >> 16;
    b->features = got[6];
    b->number   = got[7];
    b->name     = b->number < sizeof boards / sizeof *boards ? boards[b->number] : "unknown";
    b->known    = true;
    for (size_t n = 0; n < CONFIGURATIONS; n++)
        if (totem_configurations[n].hash == b->config)
            b->configuration = totem_configurations[n].name;
    return b->version == VERSION || refuse(b, "VERSION", b->version, VERSION);
}

json_t *host_board_json(const host_board *b)
{
    char hash[16];
    snprintf(hash, sizeof hash, "0x%08" PRIx32, b->config);
    return json_pack("{s:s, s:I, s:s, s:s?, s:I, s:I, s:I, s:I, s:{s:b, s:b, s:b, s:b}}", "board", b->name, "version",
                     (json_int_t)b->version, "configuration_hash", hash, "configuration", b->configuration, "memory",
                     (json_int_t)b->memory, "clock_khz", (json_int_t)b->khz, "boot_entries", (json_int_t)b->entries,
                     "checkpoints", (json_int_t)b->points, "features", "signature", b->features & 1, "trace",
                     b->features >> 1 & 1, "folds", b->features >> 2 & 1, "core", b->features >> 3 & 1);
}

void host_board_print(const host_board *b)
{
    printf("board %s, configuration %s (0x%08" PRIx32 "), %.3f MHz\n", b->name,
           b->configuration ? b->configuration : "unknown to this tool", b->config, b->khz / 1e3);
    printf("memory %" PRIu32 " bytes, boot list of %" PRIu32 " entries, %" PRIu32 " checkpoints\n", b->memory,
           b->entries, b->points);
    printf("features:%s%s%s%s%s\n", b->features & 1 ? " signature" : "", b->features & 2 ? " trace" : "",
           b->features & 4 ? " folds" : "", b->features & 8 ? " core" : "", b->features & 15 ? "" : " none");
}

bool host_board_reset(host_board *b)
{
    uint32_t status;
    if (!host_board_get(b, HOST_STATUS, &status))
        return false;
    return (!(status & HOST_UNDERWAY) || host_board_set(b, HOST_CONTROL, HOST_ABORT | HOST_RESET)) &&
           host_board_set(b, HOST_CONTROL, HOST_RESET);
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
            if (strcmp(name + 7, words[n]) == 0 && n + count <= WORDS) {
                place->address = HOST_BRIDGE + 4 * n;
                return true;
            }
        snprintf(message, size, "the bridge has no register '%s'; docs/contract/bridge.md has: MAGIC to DROPPED",
                 name + 7);
        return false;
    }
    if (!totem_register_address(name, &place->address, message, size))
        return false;
    place->address |= HOST_MACHINE;
    return true;
}

bool host_board_load(host_board *b, uint32_t address, const uint32_t *from, uint32_t count, const char *what, bool show)
{
    host_progress p    = host_progress_begin(what, show);
    bool          good = true;
    for (uint32_t n = 0; n < count && good;) {
        const uint32_t part = count - n < HOST_WORDS ? count - n : HOST_WORDS;
        good                = host_link_write(&b->link, address + 4 * n, from + n, part);
        n += part;
        host_progress_show(&p, 4 * (uint64_t)n, 4 * (uint64_t)count, "bytes");
    }
    host_progress_end(&p);
    return good;
}

bool host_board_fetch(host_board *b, uint32_t address, uint32_t *to, uint32_t count, const char *what, bool show)
{
    host_progress p    = host_progress_begin(what, show);
    bool          good = true;
    for (uint32_t n = 0; n < count && good;) {
        const uint32_t part = count - n < HOST_WORDS ? count - n : HOST_WORDS;
        good                = host_link_read(&b->link, address + 4 * n, to + n, part);
        n += part;
        host_progress_show(&p, 4 * (uint64_t)n, 4 * (uint64_t)count, "bytes");
    }
    host_progress_end(&p);
    return good;
}
