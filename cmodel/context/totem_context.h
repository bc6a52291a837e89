// SPDX-License-Identifier: Apache-2.0
//
// totem_context: context sets of a graphics pipe: the current set, draws of every set, rolls, and the hash CAM.
// Twin of rtl/context/totem_context.v: the same names, the same rules, one step per clock. Rules and
// their numbers are those of docs/contract/context.md.

#ifndef TOTEM_CONTEXT_H
#define TOTEM_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "../lib/totem_config.h"

// One bit for each set.
#if TOTEM_SETS > 8
#define TOTEM_CONTEXT_BITS uint16_t
#else
#define TOTEM_CONTEXT_BITS uint8_t
#endif

typedef struct {
    uint8_t            current;
    uint8_t            uses[TOTEM_SETS];    // draws that use the set
    bool               pending[TOTEM_SETS]; // a context-done event is pending
    bool               tagged[TOTEM_SETS];
    uint32_t           tag_low[TOTEM_SETS];
    uint32_t           tag_high[TOTEM_SETS];
    TOTEM_CONTEXT_BITS newer[TOTEM_SETS]; // bit j of element i, j < i: set i was current later than set j
    bool               half;              // the low dword of a hash is taken
    uint32_t           low;               // that dword
    bool               near[TOTEM_SETS];  // sets whose tag_low equals it
    bool               looking;           // both dwords are taken: the lookup is decided
    uint8_t            kind;              // of that lookup: 0 by the CAM, 2 PLAIN, 3 REFUSED
    uint32_t           hash_low;          // hash of the lookup and of the open group
    uint32_t           hash_high;
    bool               match[TOTEM_SETS]; // sets whose two dwords equal it
    bool               group;             // a group is open
    bool               plain;             // groups are executed plainly until CLEAR_STATE
    bool               answer_valid;
    uint8_t            answer;
    bool               end_refused;
    uint32_t           rolls;
    uint32_t           hits;
    uint32_t           misses;
    uint32_t           full_clocks;
    bool               fault; // two tags matched
} totem_context;

typedef struct {
    bool     hash_valid;
    uint32_t hash_data;
    uint16_t hash_count;
    bool     bounce_enable;
    bool     group_end;
    bool     draw_valid;
    bool     resume_valid;
    bool     resume_plain;
    bool     end_valid;
    uint8_t  end_set;
    bool     frames_want;
    bool     frames_room;
    bool     frames_changed;
    bool     frames_cleared;
} totem_context_in;

typedef struct {
    bool     hash_ready;
    bool     answer_valid;
    uint8_t  answer; // counts only while answer_valid: 0 HIT, 1 MISS, 2 PLAIN, 3 REFUSED
    bool     draw_ready;
    uint8_t  current;
    bool     used;
    bool     has_tag;
    bool     group;
    bool     idle;
    bool     end_refused;
    bool     done[TOTEM_SETS];
    bool     roll_want;
    bool     roll_free;
    uint8_t  roll_set; // counts only while roll_free
    bool     hit_valid;
    uint8_t  hit_set; // counts only while hit_valid
    uint32_t rolls;
    uint32_t hits;
    uint32_t misses;
    uint32_t full_clocks;
    bool     fault;
} totem_context_out;

void totem_context_reset(totem_context *s);
void totem_context_outputs(const totem_context *s, totem_context_out *o);
void totem_context_step(totem_context *s, const totem_context_in *i);
bool totem_context_invariant(const totem_context *s);

#endif
