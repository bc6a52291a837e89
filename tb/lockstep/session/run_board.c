// SPDX-License-Identifier: Apache-2.0
//
// run_board: what a workload is on a board, and what the C model of the board makes of it (tb/totem/board_plan.h).

#include "../../totem/board_plan.h"
#include "../../totem/commands.h"
#include "run_prepare.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST = 1 << 28 }; // bytes of a board's memory that the bridge can address

typedef struct {
    board_plan *plan;
    uint64_t    beyond; // first address that no board has, 0 none
} image;

static void take_word(void *user, uint64_t address, uint32_t value)
{
    image      *i = user;
    board_plan *p = i->plan;
    if (address >= LARGEST) {
        i->beyond = i->beyond ? i->beyond : address;
        return;
    }
    if (address + 4 > p->bytes) {
        const uint32_t bytes = ((uint32_t)address + 4 + 0xffff) & ~0xffffu;
        p->image             = realloc(p->image, bytes);
        if (!p->image)
            abort();
        memset((uint8_t *)p->image + p->bytes, 0, bytes - p->bytes);
        p->bytes = bytes;
    }
    p->image[address / 4] = value;
    if (address + 4 > p->end)
        p->end = (uint32_t)address + 4;
}

int board_plan_make(const totem_workload *w, char **words, board_plan *plan, char *message, size_t size)
{
    (void)words;
    *plan = (board_plan){.configuration = TOTEM_CONFIG_NAME, .hash = TOTEM_CONFIG_HASH};
    if (strcmp(w->configuration, TOTEM_CONFIG_NAME) != 0) {
        snprintf(message, size,
                 "%s: the workload wants configuration %s, this tool is built for " TOTEM_CONFIG_NAME
                 "; start it with build/totem",
                 w->path, w->configuration);
        return TOTEM_EXIT_USAGE;
    }
    image     i = {.plan = plan};
    host_port h;
    host_port_init(&h, 0, 0);
    run_prepare(w, &h, take_word, &i);
    plan->count = (uint32_t)h.count;
    plan->list  = calloc(h.count + 1, sizeof *plan->list);
    if (!plan->list)
        abort();
    bool late = false;
    for (size_t n = 0; n < h.count; n++) {
        const host_access *a = &h.list[n];
        late                 = late || a->at > UINT32_MAX;
        plan->list[n]        = (board_entry){.clock   = (uint32_t)a->at,
                                             .address = a->address,
                                             .wait    = !a->write,
                                             .data    = a->write ? a->data : a->wanted,
                                             .mask    = a->mask};
    }
    host_port_free(&h);
    if (i.beyond)
        snprintf(message, size, "%s: 0x%010" PRIx64 " is outside of the memory of any board; take lower addresses",
                 w->path, i.beyond);
    else if (late)
        snprintf(message, size, "%s: a run on a board has clocks below 2^32; take earlier ones", w->path);
    return i.beyond || late ? TOTEM_EXIT_USAGE : TOTEM_EXIT_GOOD;
}

void board_plan_free(board_plan *plan)
{
    free(plan->list);
    free(plan->image);
    *plan = (board_plan){0};
}

int board_model_run(const board_plan *plan, const board_run *run, board_result *r, char *message, size_t size)
{
    (void)plan, (void)run;
    *r = (board_result){0};
    snprintf(message, size, "configuration " TOTEM_CONFIG_NAME " has no model of a board");
    return TOTEM_EXIT_USAGE;
}

bool board_model_register(const board_result *r, uint32_t address, uint32_t *value)
{
    (void)r, (void)address, (void)value;
    return false;
}

void board_result_free(board_result *r)
{
    *r = (board_result){0};
}
