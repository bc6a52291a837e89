// SPDX-License-Identifier: Apache-2.0
//
// totem_pipe: one compute pipe: its blocks and RAMs, and how they are wired.
// Twin of rtl/queue/totem_pipe.v. No state of its own.

#ifndef TOTEM_PIPE_H
#define TOTEM_PIPE_H

#include "../issue/totem_walker.h"
#include "../lib/totem_ram.h"
#include "../top/totem_config.h"
#include "totem_arbiter.h"
#include "totem_bank.h"
#include "totem_divide.h"
#include "totem_fence.h"
#include "totem_fetch.h"
#include "totem_hqd.h"
#include "totem_kill.h"
#include "totem_mqd.h"
#include "totem_packet.h"
#include "totem_poll.h"
#include "totem_record.h"
#include "totem_tally.h"

TOTEM_RAM(totem_window_ram, uint32_t, TOTEM_QUEUES * 64)
TOTEM_RAM(totem_line_ram, uint64_t, TOTEM_QUEUES * 32)
TOTEM_RAM(totem_register_ram, uint32_t, TOTEM_QUEUES * 128)
TOTEM_RAM(totem_block_ram, uint64_t, 16)
TOTEM_RAM(totem_record_ram, uint64_t, TOTEM_QUEUES * 4)
TOTEM_RAM(totem_sequence_ram, uint32_t, TOTEM_QUEUES * 2)
TOTEM_RAM(totem_condition_ram, uint64_t, TOTEM_QUEUES * 2)
TOTEM_RAM(totem_tally_ram, uint64_t, TOTEM_QUEUES * 64)
TOTEM_RAM(totem_entry_ram, uint64_t, TOTEM_QUEUES *TOTEM_EPOCHS * 4)
TOTEM_RAM(totem_state_half_ram, uint32_t, TOTEM_QUEUES * 16)

typedef struct {
    totem_hqd            hqd;
    totem_arbiter        arbiter;
    totem_fetch          fetch;
    totem_packet         packet;
    totem_poll           poll;
    totem_tally          tally;
    totem_bank           bank;
    totem_divide         divide;
    totem_walker         walker;
    totem_fence          fence;
    totem_mqd            mqd;
    totem_kill           kill;
    totem_record         record;
    totem_window_ram     window_ram;
    totem_line_ram       line_ram;
    totem_register_ram   register_ram;
    totem_block_ram      block_ram;
    totem_record_ram     record_ram;
    totem_sequence_ram   sequence_ram;
    totem_condition_ram  condition_ram;
    totem_tally_ram      tally_ram;
    totem_entry_ram      entry_ram;
    totem_state_half_ram state_low_ram;
    totem_state_half_ram state_high_ram;
} totem_pipe;

// What every block of the pipe shows in this clock.
typedef struct {
    totem_hqd_out            hqd;
    totem_arbiter_out        arbiter;
    totem_fetch_out          fetch;
    totem_packet_out         packet;
    totem_poll_out           poll;
    totem_tally_out          tally;
    totem_bank_out           bank;
    totem_divide_out         divide;
    totem_walker_out         walker;
    totem_fence_out          fence;
    totem_mqd_out            mqd;
    totem_kill_out           kill;
    totem_record_out         record;
    totem_window_ram_out     window_ram;
    totem_line_ram_out       line_ram;
    totem_register_ram_out   register_ram;
    totem_block_ram_out      block_ram;
    totem_record_ram_out     record_ram;
    totem_sequence_ram_out   sequence_ram;
    totem_condition_ram_out  condition_ram;
    totem_tally_ram_out      tally_ram;
    totem_entry_ram_out      entry_ram;
    totem_state_half_ram_out state_low_ram;
    totem_state_half_ram_out state_high_ram;
} totem_pipe_out;

// Settings of the host that hold for every pipe.
typedef struct {
    uint32_t quantum_unit0;
    uint32_t quantum_unit1;
    uint32_t turn_limit;
    bool     event_on_priority_write;
    bool     priority_write_open;
    bool     mqd_save;
    uint32_t dequeue_timeout;
    bool     poll_enable;
    uint8_t  poll_period;
} totem_pipe_settings;

// What comes from outside the pipe; reports of the engines only as far as they name this pipe.
typedef struct {
    bool                host_valid;
    bool                tally_host_valid;
    bool                host_write;
    bool                host_doorbell;
    uint8_t             host_queue;
    uint8_t             host_dword;
    uint8_t             host_strobe;
    uint32_t            host_data;
    bool                fetch_read_ready;
    bool                fetch_data_valid;
    uint64_t            data_word;
    bool                data_last;
    uint8_t             data_error;
    bool                fetch_write_ready;
    bool                fetch_write_ack;
    uint8_t             ack_error;
    bool                poll_read_ready;
    bool                poll_data_valid;
    bool                packet_write_ready;
    bool                packet_error_ready;
    totem_pipe_settings settings;
    uint8_t             poll_once; // queues of the pipe
    uint8_t             pipe_number;
    uint64_t            clock;
    bool                killed;
    bool                take;
    uint8_t             take_engine;
    bool                grant_valid[TOTEM_SE_COUNT];
    bool                answer_valid[TOTEM_SE_COUNT];
    uint8_t             answer_count[TOTEM_SE_COUNT];
    uint8_t             grant_waves[TOTEM_SE_COUNT];
    uint8_t             grant_queue[TOTEM_SE_COUNT];
    uint8_t             grant_epoch[TOTEM_SE_COUNT];
    bool                complete_valid[TOTEM_SE_COUNT];
    uint8_t             complete_queue[TOTEM_SE_COUNT];
    uint8_t             complete_epoch[TOTEM_SE_COUNT];
    bool                fence_write_ready;
    bool                fence_write_ack;
    bool                packet_write_ack;
    uint8_t             ack_tag;
    uint64_t            ack_addr;
    bool                interrupt_ready;
    bool                mqd_read_ready;
    bool                mqd_data_valid;
    bool                mqd_write_ready;
    bool                mqd_write_ack;
    bool                mqd_error_ready;
    bool                fetch_error_ready;
    bool                fence_error_ready;
    bool                state_read_enable;
    uint8_t             state_read_addr;
} totem_pipe_in;

void totem_pipe_reset(totem_pipe *s);
void totem_pipe_outputs(const totem_pipe *s, totem_pipe_out *o);
// Interrupts are taken one at a time; those of the fences go first.
bool     totem_pipe_interrupt_valid(const totem_pipe_out *o);
uint64_t totem_pipe_interrupt_word(const totem_pipe_out *o);
// Writes of mqd and record share a port, and so do the errors of mqd, record and poll. Those of record go before mqd's: it begins only
// while mqd has none.
bool     totem_pipe_mqd_write_valid(const totem_pipe_out *o);
uint64_t totem_pipe_mqd_write_word(const totem_pipe_out *o);
bool     totem_pipe_error_valid(const totem_pipe_out *o);
uint64_t totem_pipe_error_word(const totem_pipe_out *o);
// No work-group ungranted, nothing in flight, no mapped queue with something to fetch.
bool totem_pipe_idle(const totem_pipe_out *o);
void totem_pipe_step(totem_pipe *s, const totem_pipe_out *o, const totem_pipe_in *i);

#endif
