// SPDX-License-Identifier: Apache-2.0
//
// block: see block.h.

#include "block.h"
#include "bundle.h"

#include <stdlib.h>
#include <string.h>

static void *zeros(size_t count, size_t size)
{
    void *words = calloc(count, size);
    if (!words) {
        fprintf(stderr, "no memory for the bench\n");
        exit(2);
    }
    return words;
}

uint64_t block_get(const void *from, const block_port *port, uint32_t element)
{
    const char *at = (const char *)from + port->offset + element * port->size;
    switch (port->size) {
    case 1: return *(const uint8_t *)at;
    case 2: return *(const uint16_t *)at;
    case 4: return *(const uint32_t *)at;
    default: return *(const uint64_t *)at;
    }
}

void block_set(void *to, const block_port *port, uint32_t element, uint64_t value)
{
    char *at = (char *)to + port->offset + element * port->size;
    value &= ~0ull >> (64 - port->width);
    switch (port->size) {
    case 1: *(uint8_t *)at = (uint8_t)value; break;
    case 2: *(uint16_t *)at = (uint16_t)value; break;
    case 4: *(uint32_t *)at = (uint32_t)value; break;
    default: *(uint64_t *)at = value; break;
    }
}

block *block_open(block_bench *bench, const block_kind *kind)
{
    block *b     = zeros(1, sizeof *b);
    b->bench     = bench;
    b->kind      = kind;
    b->state     = zeros(1, kind->state_size);
    b->in        = zeros(1, kind->in_size);
    b->out       = zeros(1, kind->out_size);
    b->in_words  = zeros(kind->in_words, sizeof *b->in_words);
    b->out_words = zeros(kind->out_words, sizeof *b->out_words);
    b->memories  = zeros(kind->rams_count + 1, sizeof *b->memories);
    for (uint32_t r = 0; r < kind->rams_count; r++) {
        b->memories[r].data = zeros((size_t)kind->rams[r].banks << kind->rams[r].addr_bits, sizeof(uint64_t));
        b->memories[r].read = zeros(kind->rams[r].banks, sizeof(uint64_t));
    }
    b->rtl        = kind->rtl->create();
    bench->traced = kind->rtl->trace;
    for (b->place = 0; b->place < BLOCK_MOST - 1 && bench->open[b->place];)
        b->place++;
    bench->open[b->place] = b;
    kind->rtl->step(b->rtl, true, b->in_words);
    kind->step(b->state, b->in);
    kind->reset(b->state);
    kind->outputs(b->state, b->out);
    return b;
}

void block_close(block *b)
{
    b->kind->rtl->destroy(b->rtl);
    b->bench->open[b->place] = NULL;
    for (uint32_t r = 0; r < b->kind->rams_count; r++) {
        free(b->memories[r].data);
        free(b->memories[r].read);
    }
    free(b->memories);
    free(b->words);
    free(b->waves);
    free(b->state);
    free(b->in);
    free(b->out);
    free(b->in_words);
    free(b->out_words);
    free(b);
}

void *block_in(block *b)
{
    return b->in;
}

const void *block_out(const block *b)
{
    return b->out;
}

uint64_t block_clock(const block *b)
{
    return b->clock;
}

void block_read_data(block *b)
{
    for (uint32_t r = 0; r < b->kind->rams_count; r++)
        for (uint32_t n = 0; n < b->kind->rams[r].banks; n++)
            block_set(b->in, &b->kind->ports[b->kind->rams[r].port[RAM_READ_DATA]], n, b->memories[r].read[n]);
}

// The memories take the outputs of this clock; a word read while it is written is the old one (docs/contract/ram.md).
static void clock_rams(block *b)
{
    const block_port *ports = b->kind->ports;
    for (uint32_t r = 0; r < b->kind->rams_count; r++) {
        const block_ram *ram = &b->kind->rams[r];
        for (uint32_t n = 0; n < ram->banks; n++) {
            uint64_t *words = b->memories[r].data + ((size_t)n << ram->addr_bits);
            if (block_get(b->out, &ports[ram->port[RAM_READ_ENABLE]], n))
                b->memories[r].read[n] = words[block_get(b->out, &ports[ram->port[RAM_READ_ADDR]], n)];
            if (block_get(b->out, &ports[ram->port[RAM_WRITE_ENABLE]], n))
                words[block_get(b->out, &ports[ram->port[RAM_WRITE_ADDR]], n)] =
                    block_get(b->out, &ports[ram->port[RAM_WRITE_DATA]], n);
        }
    }
}

bool block_step(block *b, bool reset)
{
    const block_kind *kind  = b->kind;
    block_bench      *bench = b->bench;
    if (__builtin_expect(bench->waves && !b->tracing, 0))
        bundle_trace(b);
    block_read_data(b);
    kind->pack_in(b->in, b->in_words);
    clock_rams(b);
    kind->rtl->step(b->rtl, reset, b->in_words);
    kind->step(b->state, b->in);
    if (reset)
        kind->reset(b->state);
    kind->outputs(b->state, b->out);
    kind->pack_out(b->out, b->out_words);
    b->clock++;
    if (__builtin_expect(bench->waves, 0))
        bundle_clock(b, reset);
    const uint32_t *probe     = kind->rtl->probe(b->rtl);
    uint32_t        different = 0;
    for (uint32_t n = 0; n < kind->out_words; n++)
        different |= probe[n] ^ b->out_words[n];
    if (__builtin_expect(different == 0, 1))
        return true;
    bundle_mismatch(b, reset);
    return false;
}

bool block_run(block_bench *bench, bool (*run)(block_bench *bench, void *given), void *given)
{
    if (run(bench, given))
        return true;
    if (bench->failed && bench->folder && bench->traced) {
        bench->from  = bench->clock > BLOCK_WINDOW ? bench->clock - BLOCK_WINDOW : 0;
        bench->waves = true;
        for (int n = 0; n < 2; n++) { // once more if it began before the window
            memset(bench->open, 0, sizeof bench->open);
            bench->began = bench->clock;
            if (run(bench, given) || !bench->recorded)
                fprintf(stderr, "The second run did not fail in the same way.\n");
            if (bench->began >= bench->from)
                break;
            bench->from = bench->began > BLOCK_BEFORE ? bench->began - BLOCK_BEFORE : 0;
        }
        bench->waves = false;
    }
    return false;
}
