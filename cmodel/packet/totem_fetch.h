// SPDX-License-Identifier: Apache-2.0
//
// totem_fetch: lines of the queues of a pipe: fetches them ahead, delivers the selected queue's dwords to the
// packet processor, holds ring and indirect-buffer pointers, reports read pointers.
// Twin of rtl/packet/totem_fetch.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/fetch.md.

#ifndef TOTEM_FETCH_H
#define TOTEM_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

typedef struct {
    uint32_t base[TOTEM_QUEUES];  // byte address [39:8]
    uint8_t  size[TOTEM_QUEUES];  // the ring has 2 << size dwords
    uint8_t  block[TOTEM_QUEUES]; // 31: no reports on the way
    bool     quiet[TOTEM_QUEUES];
    uint32_t rptr[TOTEM_QUEUES]; // running dword counts
    uint32_t wptr[TOTEM_QUEUES];
    bool     buffer[TOTEM_QUEUES];
    uint64_t buffer_addr[TOTEM_QUEUES]; // byte address [39:2]
    uint32_t buffer_left[TOTEM_QUEUES]; // dwords
    uint8_t  have[TOTEM_QUEUES];        // dwords on chip
    uint8_t  fault[TOTEM_QUEUES];       // error of the dword behind them
    uint64_t report_addr[TOTEM_QUEUES]; // byte address [39:2], 0 none
    bool     report_due[TOTEM_QUEUES];
    bool     running;
    uint8_t  queue;
    uint16_t given; // dwords transferred and not committed
    uint16_t slid;  // dwords between committed position and first dword on chip
    uint8_t  out_count;
    uint32_t out_data[3]; // element 0 is the oldest
    uint8_t  out_error[3];
    bool     reading;
    bool     reading_high;
    uint8_t  reading_error;
    bool     pick_valid;
    uint8_t  pick;
    bool     turn; // the last burst was for the running queue
    uint8_t  last; // queue of the last burst for another
    bool     read_valid;
    uint64_t read_addr; // byte address [39:3]
    uint8_t  read_beats;
    uint8_t  burst_count;
    uint8_t  burst_queue[2]; // element 0 is the oldest
    bool     burst_live[2];
    uint8_t  burst_index[2];  // dword address [5:0] of the next dword
    uint8_t  burst_dwords[2]; // still to come
    bool     land_valid;
    uint8_t  land_queue;
    uint8_t  land_count;
    uint8_t  land_error;
    uint8_t  land_word;
    uint64_t land_data;
    uint8_t  report_state; // 0 none, 1, 2 a word is offered, 3 waits for the acknowledge, 4, 5 error message
    uint8_t  report_queue;
    uint64_t report_to; // byte address [39:2]
    uint32_t report_value;
    bool     report_live;  // of the present mapping of its queue
    uint8_t  report_error; // of its acknowledge
    bool     halt;
} totem_fetch;

typedef struct {
    bool     load_valid;
    uint8_t  load_queue;
    uint8_t  load_kind;
    uint64_t load_data;
    bool     arbiter_go;
    uint8_t  arbiter_selected;
    bool     arbiter_active[TOTEM_QUEUES];
    uint8_t  arbiter_queue_priority[TOTEM_QUEUES];
    bool     settings_mqd_save;
    bool     packet_dword_ready;
    bool     packet_commit;
    uint16_t packet_commit_count;
    bool     packet_drop;
    bool     packet_open;
    uint64_t packet_open_addr;
    uint32_t packet_open_size;
    bool     packet_left;
    uint64_t line_read_data;
    bool     read_ready;
    bool     data_valid;
    uint64_t data_word;
    bool     data_last;
    uint8_t  data_error;
    bool     write_ready;
    bool     write_ack;
    uint8_t  ack_error;
    bool     events_error_ready;
} totem_fetch_in;

typedef struct {
    bool     dword_valid;
    uint32_t dword_data;  // counts only while dword_valid
    uint8_t  dword_error; // counts only while dword_valid
    uint32_t available;
    bool     in_buffer;
    uint64_t position;
    uint64_t fault_position; // of the first dword that came with an error, once one did
    bool     pending[TOTEM_QUEUES];
    bool     line[TOTEM_QUEUES];
    uint32_t rptr[TOTEM_QUEUES];
    uint32_t wptr[TOTEM_QUEUES];
    bool     buffer[TOTEM_QUEUES];
    uint64_t buffer_addr[TOTEM_QUEUES];
    uint32_t buffer_left[TOTEM_QUEUES];
    bool     line_write_enable;
    uint8_t  line_write_addr; // counts only while line_write_enable
    uint64_t line_write_data; // counts only while line_write_enable
    bool     line_read_enable;
    uint8_t  line_read_addr; // counts only while line_read_enable
    bool     read_valid;
    uint64_t read_addr;  // counts only while read_valid
    uint8_t  read_beats; // counts only while read_valid
    bool     write_valid;
    uint64_t write_word; // counts only while write_valid
    bool     halt;
    uint8_t  halt_queue; // counts only while halt
    bool     error_valid;
    uint64_t error_word;
    bool     reporting[TOTEM_QUEUES];
    bool     busy;
} totem_fetch_out;

void totem_fetch_reset(totem_fetch *s);
void totem_fetch_outputs(const totem_fetch *s, totem_fetch_out *o);
void totem_fetch_step(totem_fetch *s, const totem_fetch_in *i);

// What the proof of the step rests on: holds after reset and after every step.
bool totem_fetch_invariant(const totem_fetch *s);

#endif
