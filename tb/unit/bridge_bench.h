// SPDX-License-Identifier: Apache-2.0
//
// bridge_bench: totem_frame and totem_bridge behind each other: bytes of the line in, accesses of the targets and bytes
// of the answer out. Memory has 64 dwords; accesses of machine registers are counted.

#ifndef BRIDGE_BENCH_H
#define BRIDGE_BENCH_H

#include "tests.h"

#include "totem_bridge.h"
#include "totem_frame.h"

enum { DWORDS = 64, LINE = 700, MACHINE_AT = 0x10000000, BRIDGE_AT = 0x20000000, FLAG = 0x7e, MOST = 80000 };

static const uint32_t none[65]; // no words

typedef struct {
    totem_frame  frame;
    totem_bridge bridge;
    uint32_t     request[64], response[64], request_read, response_read;
    uint32_t     memory[DWORDS];
    unsigned     machine_accesses, refuse_from; // accesses of the machine from this number on are refused
    bool         busy, deaf;                    // a run is under way; memory does not answer
    uint8_t      got[LINE];                     // bytes of the answer, as on the line
    unsigned     length;
} bench;

// One clock; a byte of the line, or -1.
static void clock_of(bench *b, int byte)
{
    totem_frame_out  f;
    totem_bridge_out o;
    totem_frame_outputs(&b->frame, &f);
    totem_bridge_outputs(&b->bridge, &o);
    const totem_frame_in  fi = {.uart_byte_valid     = byte >= 0,
                                .uart_byte_data      = (uint8_t)byte,
                                .uart_ready          = true,
                                .bridge_busy         = o.busy,
                                .bridge_answer_valid = o.answer_valid,
                                .bridge_answer_data  = o.answer_data,
                                .bridge_answer_last  = o.answer_last};
    const uint32_t        at = o.request_address / 4;
    const totem_bridge_in bi = {.frame_head_valid    = f.head_valid,
                                .frame_head_second   = f.head_second,
                                .frame_head_data     = f.head_data,
                                .frame_end_valid     = f.end_valid,
                                .frame_end_words     = f.end_words,
                                .frame_dropped       = f.dropped,
                                .frame_answer_ready  = f.answer_ready,
                                .request_read_data   = b->request_read,
                                .response_read_data  = b->response_read,
                                .store_done          = o.memory_valid && !b->deaf,
                                .store_rdata         = at < DWORDS ? b->memory[at] : 0,
                                .boot_machine_done   = o.machine_valid,
                                .boot_machine_status = b->machine_accesses >= b->refuse_from ? BRIDGE_BUS : BRIDGE_OK,
                                .boot_machine_rdata  = o.request_address,
                                .boot_busy           = b->busy,
                                .board_memory        = 4 * DWORDS,
                                .board_entries       = 8,
                                .board_points        = 8,
                                .board_records       = 8};
    if (o.memory_valid)
        assert_true(at < DWORDS);
    if (bi.store_done && o.request_write)
        b->memory[at] = o.request_data;
    b->machine_accesses += o.machine_valid && b->machine_accesses < b->refuse_from;
    if (o.request_read_enable)
        b->request_read = b->request[o.request_read_addr];
    if (f.request_write_enable)
        b->request[f.request_write_addr] = f.request_write_data;
    if (o.response_read_enable)
        b->response_read = b->response[o.response_read_addr];
    if (o.response_write_enable)
        b->response[o.response_write_addr] = o.response_write_data;
    if (f.send_valid) {
        assert_true(b->length < LINE);
        b->got[b->length++] = f.send_data;
    }
    totem_frame_step(&b->frame, &fi);
    totem_bridge_step(&b->bridge, &bi);
}

static void open_bench(bench *b)
{
    *b = (bench){.refuse_from = ~0u};
    totem_frame_reset(&b->frame);
    totem_bridge_reset(&b->bridge);
}

// Bit by bit, from the definition of the check (RFC 1662).
static uint32_t check_of(const uint8_t *bytes, unsigned count)
{
    uint32_t check = ~0u;
    for (unsigned n = 0; n < 8 * count; n++)
        check = check >> 1 ^ (((check ^ (uint32_t)bytes[n / 8] >> n % 8) & 1) != 0 ? 0xedb88320 : 0);
    return ~check;
}

static void stuffed(bench *b, uint8_t byte)
{
    if (byte == FLAG || byte == 0x7d) {
        clock_of(b, 0x7d);
        byte ^= 0x20;
    }
    clock_of(b, byte);
}

// A request; `wrong` changes its check. Leaves bits of the answer's head, ~0 if there is no answer.
static uint32_t ask(bench *b, uint8_t sequence, uint8_t command, uint8_t count, uint32_t address, const uint32_t *data,
                    unsigned words, uint32_t wrong)
{
    uint32_t frame[70] = {sequence | (uint32_t)command << 8 | (uint32_t)count << 16, address};
    memcpy(frame + 2, data, 4 * words);
    uint8_t bytes[4 * 70];
    memcpy(bytes, frame, 8 + 4 * words);
    const uint32_t check = check_of(bytes, 8 + 4 * words) ^ wrong;
    b->length            = 0;
    clock_of(b, FLAG);
    for (unsigned n = 0; n < 8 + 4 * words; n++)
        stuffed(b, bytes[n]);
    for (unsigned n = 0; n < 4; n++)
        stuffed(b, (uint8_t)(check >> 8 * n));
    clock_of(b, FLAG);
    for (unsigned n = 0; n < MOST && (n < 8 || b->bridge.phase != BRIDGE_IDLE || b->frame.phase != FRAME_IDLE); n++)
        clock_of(b, -1);
    for (unsigned n = 0; n < 8; n++)
        clock_of(b, -1);
    if (b->length == 0)
        return ~0u;
    uint8_t  plain[LINE];
    unsigned length = 0;
    assert_int_equal(b->got[0], FLAG);
    assert_int_equal(b->got[b->length - 1], FLAG);
    for (unsigned n = 1; n < b->length - 1; n++)
        plain[length++] = b->got[n] == 0x7d ? b->got[++n] ^ 0x20 : b->got[n];
    assert_true(length >= 8);
    uint32_t head, said;
    memcpy(&head, plain, 4);
    memcpy(&said, plain + length - 4, 4);
    assert_int_equal(said, check_of(plain, length - 4));
    memcpy(b->got, plain + 4, length - 8); // the words
    b->length = length - 8;
    return head;
}

static uint32_t answer(uint8_t sequence, unsigned status, unsigned done)
{
    return sequence | status << 8 | done << 16;
}

#endif
