// SPDX-License-Identifier: Apache-2.0
//
// Takes memory queue descriptors (MQD, v9 layout) apart: names and fields of their dwords, and whether Totem would map
// the queue. Window: rtl/host/totem.rdl; compute registers: rtl/packet/pm4.yaml; checks: docs/contract/hqd.md, MAP.
#ifndef TOTEM_MQD_DECODE_H
#define TOTEM_MQD_DECODE_H

#include "pm4_decode.h"

enum {
    TOTEM_MQD_LEAST    = 184, // dwords up to the end of the window
    TOTEM_MQD_DWORDS   = 512,
    TOTEM_MQD_MOST     = 516, // with what drivers allocate behind it
    TOTEM_MQD_REFUSALS = 13
};

// What a mapping goes on from, and the records at top and end of pipe (docs/queue.md).
typedef struct {
    bool     preload, grid, buffer; // PRELOAD_REQ, DISP_ACTIVE, PROCESSING_IB
    uint32_t restart[3], granted;   // lowest work-group that is not granted; mask of the seven behind it
    uint64_t buffer_address;        // of the next packet in the open indirect buffer
    uint32_t buffer_left;           // dwords from there
    uint32_t top_rptr, top_sequence, end_rptr, end_sequence;
    bool     ended; // the two records are equal: all launched work had ended
} totem_mqd_state;

// Why Totem does not map the queue: code when the host writes the window and then ACTIVE, code when the queue is mapped
// from memory by register MAP (0: that way it is no obstacle, the address of the MQD is the one given to MAP), and the
// dword that the record shows.
typedef struct {
    uint8_t  window_code, map_code;
    unsigned dword;
} totem_mqd_refusal;

// Name of a dword, below TOTEM_MQD_MOST, in `register_name` (NULL: it has none) and its fields. `is_register`: one of
// the compute block. The names are those of the structure of that chip (v9 to v12); TOTEM_CHIP_ANY: v9.
void totem_mqd_word_of(const uint32_t *words, unsigned dword, totem_chip chip, totem_pm4_word *word);

// Bits 47:40 of an address that Totem accesses, if the dword is its upper one, else 0. ADDRESS_HIGH must have them.
uint8_t totem_mqd_upper(unsigned dword, uint32_t value);

// `words` has at least TOTEM_MQD_LEAST.
void totem_mqd_state_of(const uint32_t *words, totem_mqd_state *state);

// All refusals in the order in which Totem looks, so the first is the one of the record; their number. `words` has at
// least TOTEM_MQD_LEAST. `above` is ADDRESS_HIGH of the front end. What depends on the slot (busy, no free epoch) or
// on memory is not in the file.
size_t totem_mqd_check(const uint32_t *words, uint8_t above, totem_mqd_refusal refusals[TOTEM_MQD_REFUSALS]);

#endif
