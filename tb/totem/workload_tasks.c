// SPDX-License-Identifier: Apache-2.0
#define TOTEM_TMD_TABLES
#include "workload_tasks.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define NEWEST "03_00"

// Where the first complaint goes.
typedef struct {
    char  *key, *text;
    size_t key_size, size;
} complaint;

static const totem_workload_task *named(const totem_workload *w, const char *name)
{
    for (uint32_t n = 0; n < w->tasks_count; n++)
        if (strcmp(w->tasks[n].name, name) == 0)
            return &w->tasks[n];
    return NULL;
}

static void nobody(const totem_workload *w, const char *name, char *text, size_t size)
{
    int used = snprintf(text, size, "no task is called '%s'; ", name);
    for (uint32_t n = 0; n < w->tasks_count && (size_t)used < size; n++)
        used += snprintf(text + used, size - (size_t)used, "%s%s", n ? ", " : "take one of ", w->tasks[n].name);
    if (w->tasks_count == 0)
        snprintf(text + used, size - (size_t)used, "give it under tasks, or write its address >> 8");
}

static bool is_name(const char *name)
{
    return (isalpha((unsigned char)name[0]) || name[0] == '_') &&
           name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == 0;
}

// Fields within one dword, and those of 64 bits that nobody looks at.
static void put(uint32_t words[TOTEM_TMD_DWORDS], const totem_tmd_field *f, unsigned version, uint64_t value)
{
    for (unsigned bit = f->low[version]; bit <= f->high[version]; bit++, value >>= 1)
        words[bit / 32] = (words[bit / 32] & ~(UINT32_C(1) << bit % 32)) | (uint32_t)(value & 1) << bit % 32;
}

static bool check_name(const totem_workload *w, uint32_t number, const complaint *c)
{
    const char *name = w->tasks[number].name;
    if (is_name(name) && named(w, name) == &w->tasks[number])
        return true;
    snprintf(c->key, c->key_size, "tasks[%" PRIu32 "].name", number);
    snprintf(c->text, c->size, "'%s' %s", name,
             is_name(name) ? "stands twice; take another name"
                           : "is no name; begin with a letter, go on with letters, digits, _ and -");
    return false;
}

static bool make(const totem_workload *w, totem_workload_task *task, const complaint *c)
{
    const uint32_t number  = (uint32_t)(task - w->tasks);
    const char    *wanted  = task->version ? task->version : NEWEST;
    unsigned       version = 0;
    while (version < TOTEM_TMD_VERSIONS && strcmp(totem_tmd_versions[version].name, wanted) != 0)
        version++;
    if (version == TOTEM_TMD_VERSIONS) {
        snprintf(c->key, c->key_size, "tasks[%" PRIu32 "].version", number);
        snprintf(c->text, c->size, "'%s' is no version; take %s or %s", wanted, totem_tmd_versions[0].name,
                 totem_tmd_versions[1].name);
        return false;
    }
    const totem_workload_task *next = task->dependent ? named(w, task->dependent) : NULL;
    if (task->dependent && !next) {
        snprintf(c->key, c->key_size, "tasks[%" PRIu32 "].dependent", number);
        nobody(w, task->dependent, c->text, c->size);
        return false;
    }
    const struct {
        unsigned field;
        uint64_t value;
    } unless_given[] = {{TOTEM_TMD_QMD_MAJOR_VERSION, totem_tmd_versions[version].number >> 4},
                        {TOTEM_TMD_QMD_VERSION, totem_tmd_versions[version].number & 15},
                        {TOTEM_TMD_GRID_Y, 1},
                        {TOTEM_TMD_GRID_Z, 1},
                        {TOTEM_TMD_BLOCK_Y, 1},
                        {TOTEM_TMD_BLOCK_Z, 1},
                        {TOTEM_TMD_DEPENDENT_ENABLE, next != NULL},
                        {TOTEM_TMD_DEPENDENT_POINTER, next ? next->address >> 8 : 0},
                        {TOTEM_TMD_DEPENDENT_TYPE, next != NULL},
                        {TOTEM_TMD_DEPENDENT_ACTION, next != NULL},
                        {TOTEM_TMD_DEPENDENT_PREFETCH, next != NULL}};
    for (size_t n = 0; n < sizeof unless_given / sizeof *unless_given; n++)
        if (totem_tmd_fields[unless_given[n].field].name[version])
            put(task->words, &totem_tmd_fields[unless_given[n].field], version, unless_given[n].value);
    for (unsigned n = 0; n < TOTEM_TMD_FIELDS; n++) {
        const totem_tmd_field *f     = &totem_tmd_fields[n];
        const uint64_t        *value = task->fields.value[n];
        const unsigned         width = f->high[version] - f->low[version] + 1u;
        if (!value)
            continue;
        snprintf(c->key, c->key_size, "tasks[%" PRIu32 "].fields.%s", number, f->key);
        if (!f->name[version]) {
            snprintf(c->text, c->size, "version %s has no such field; remove it, or take the other version", wanted);
            return false;
        }
        if (width < 64 && *value >> width) {
            snprintf(c->text, c->size, "0x%" PRIx64 " is too large; the field has %u bits", *value, width);
            return false;
        }
        put(task->words, f, version, *value);
    }
    return true;
}

bool totem_workload_tasks(totem_workload *w, char *key, size_t key_size, char *text, size_t size)
{
    const complaint c = {.key = key, .text = text, .key_size = key_size, .size = size};
    for (uint32_t n = 0; n < w->tasks_count; n++)
        if (!check_name(w, n, &c))
            return false;
    for (uint32_t n = 0; n < w->tasks_count; n++)
        if (!make(w, &w->tasks[n], &c))
            return false;
    return true;
}

bool totem_workload_launch(const totem_workload *w, const char *packet, char launch[40], char *text, size_t size)
{
    char name[80];
    int  end  = 0;
    launch[0] = 0;
    if (sscanf(packet, " LAUNCH_TASK %79s %n", name, &end) != 1 || packet[end] || !is_name(name))
        return true;
    const totem_workload_task *task = named(w, name);
    if (!task) {
        nobody(w, name, text, size);
        return false;
    }
    snprintf(launch, 40, "LAUNCH_TASK 0x%" PRIx64, task->address >> 8);
    return true;
}
