// SPDX-License-Identifier: Apache-2.0
//
// totem_events: error records and counters, interrupt status, enable and test bits, the level output irq.
// Twin of rtl/host/totem_events.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/events.md.

#ifndef TOTEM_EVENTS_H
#define TOTEM_EVENTS_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// The number of a pipe of the machine; one bit is a bool.
#if TOTEM_PIPE_COUNT > 2
#define TOTEM_EVENTS_TURN uint8_t
#else
#define TOTEM_EVENTS_TURN bool
#endif

// Where error messages come from: the host, then by pipe or front end.
enum {
    TOTEM_EVENTS_MQD     = 1 + 2 * TOTEM_PIPE_COUNT, // behind packet and fence of every pipe; record and poll too
    TOTEM_EVENTS_FETCH   = 1 + 3 * TOTEM_PIPE_COUNT,
    TOTEM_EVENTS_MEMORY  = 1 + 4 * TOTEM_PIPE_COUNT,
    TOTEM_EVENTS_SOURCES = 1 + 4 * TOTEM_PIPE_COUNT + TOTEM_FE_COUNT
};

typedef struct {
    uint8_t           phase; // 0 IDLE, 1 READ, 2 DECIDE, 3 DONE
    uint8_t           dword;
    uint32_t          word;
    uint8_t           error;
    uint8_t           source; // error source whose turn it is
    bool              part;   // the first word of its message has been taken
    uint64_t          head;   // that word
    bool              record_valid;
    uint8_t           record_code;
    uint8_t           record_queue;
    uint8_t           record_source;
    uint64_t          record_address;
    uint32_t          record_word;
    uint64_t          record_time;
    uint16_t          later;
    uint16_t          count[6];
    uint8_t           status;
    uint8_t           enable;
    bool              checked;
    TOTEM_EVENTS_TURN turn; // pipe whose interrupt may be taken
    uint8_t           eop[TOTEM_PIPE_COUNT];
    uint8_t           eop_enable[TOTEM_PIPE_COUNT];
    bool              context_valid;
    uint8_t           context_addr;
    uint32_t          context_word;
    bool              irq;
} totem_events;

typedef struct {
    bool     host_valid;
    bool     host_write;
    uint8_t  host_dword;
    uint8_t  host_strobe;
    uint32_t host_data;
    bool     host_error_valid;
    uint64_t host_error_word;
    bool     packet_error_valid[TOTEM_PIPE_COUNT];
    uint64_t packet_error_word[TOTEM_PIPE_COUNT];
    bool     fence_error_valid[TOTEM_PIPE_COUNT];
    uint64_t fence_error_word[TOTEM_PIPE_COUNT];
    bool     mqd_error_valid[TOTEM_PIPE_COUNT];
    uint64_t mqd_error_word[TOTEM_PIPE_COUNT];
    bool     record_error_valid[TOTEM_PIPE_COUNT];
    uint64_t record_error_word[TOTEM_PIPE_COUNT];
    bool     poll_error_valid[TOTEM_PIPE_COUNT];
    uint64_t poll_error_word[TOTEM_PIPE_COUNT];
    bool     poll_error_second[TOTEM_PIPE_COUNT];
    bool     fetch_error_valid[TOTEM_PIPE_COUNT];
    uint64_t fetch_error_word[TOTEM_PIPE_COUNT];
    bool     memory_error_valid[TOTEM_FE_COUNT];
    uint64_t memory_error_word[TOTEM_FE_COUNT];
    bool     fence_interrupt_valid[TOTEM_PIPE_COUNT];
    uint64_t fence_interrupt_word[TOTEM_PIPE_COUNT];
    bool     mqd_interrupt_valid[TOTEM_PIPE_COUNT];
    uint64_t mqd_interrupt_word[TOTEM_PIPE_COUNT];
    uint64_t clock;
    bool     machine_fatal;
    uint32_t ram_read_data;
} totem_events_in;

typedef struct {
    bool     host_done;
    uint8_t  host_error; // counts only while host_done
    uint32_t host_rdata; // counts only while host_done
    bool     host_error_ready;
    bool     packet_error_ready[TOTEM_PIPE_COUNT];
    bool     fence_error_ready[TOTEM_PIPE_COUNT];
    bool     mqd_error_ready[TOTEM_PIPE_COUNT]; // for record and poll too
    bool     fetch_error_ready[TOTEM_PIPE_COUNT];
    bool     memory_error_ready[TOTEM_FE_COUNT];
    bool     interrupt_ready[TOTEM_PIPE_COUNT]; // of fence and mqd
    bool     stop;                              // a self-check has fired: nothing is granted any more
    bool     irq;
    bool     ram_write_enable;
    uint8_t  ram_write_addr; // counts only while ram_write_enable
    uint32_t ram_write_data; // counts only while ram_write_enable
    bool     ram_read_enable;
    uint8_t  ram_read_addr; // counts only while ram_read_enable
} totem_events_out;

void totem_events_reset(totem_events *s);
void totem_events_outputs(const totem_events *s, totem_events_out *o);
void totem_events_step(totem_events *s, const totem_events_in *i);
bool totem_events_invariant(const totem_events *s);

#endif
