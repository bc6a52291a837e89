// SPDX-License-Identifier: Apache-2.0
//
// rtl.h for programs that run the model alone and are built without Verilator: there is no RTL to create, so a session
// that asks for one is refused and the other functions are never reached.

#include "rtl.h"

#include <stdlib.h>

rtl *rtl_create(void)
{
    return NULL;
}

void rtl_destroy(rtl *r)
{
    (void)r;
}

void rtl_step(rtl *r, bool reset, const totem_machine_in *in)
{
    (void)r;
    (void)reset;
    (void)in;
    abort();
}

void rtl_ports(rtl *r, totem_machine_out *out, bool *irq)
{
    (void)r;
    (void)out;
    (void)irq;
    abort();
}

bool rtl_idle(rtl *r)
{
    (void)r;
    abort();
}

bool rtl_fatal(rtl *r)
{
    (void)r;
    abort();
}

int rtl_compare(rtl *r, const uint32_t *model)
{
    (void)r;
    (void)model;
    abort();
}

void rtl_probe(rtl *r, int probe, uint32_t *words)
{
    (void)r;
    (void)probe;
    (void)words;
    abort();
}

int rtl_compare_rams(rtl *r, const totem_machine *model, uint32_t *word)
{
    (void)r;
    (void)model;
    (void)word;
    abort();
}

uint64_t rtl_ram_word(rtl *r, int ram, uint32_t word)
{
    (void)r;
    (void)ram;
    (void)word;
    abort();
}

bool rtl_trace_open(rtl *r, const char *path, uint64_t clock)
{
    (void)r;
    (void)path;
    (void)clock;
    return false;
}

void rtl_trace_close(rtl *r)
{
    (void)r;
}
