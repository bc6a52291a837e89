// SPDX-License-Identifier: Apache-2.0
//
// totem_render_frames: part of totem_render: what is offered to frames, and the words that wait for it.

#ifndef TOTEM_RENDER_FRAMES_H
#define TOTEM_RENDER_FRAMES_H

#include "totem_render.h"

enum { TOTEM_RENDER_CONTEXT_READS = 4 }; // context registers that a draw gathers

// No word is held, and context knows of the end of a group.
bool totem_render_free(const totem_render *s);

// Sets op_valid, op_kind, op_index, op_data, op_mask.
void totem_render_operation(const totem_render *s, totem_render_out *o);

// The operation of the packet is taken.
bool totem_render_op_taken(const totem_render *s, const totem_render_in *i);

// The oldest word held is taken; a word of the stream comes; groups end.
void totem_render_take(totem_render *n, const totem_render *s, const totem_render_in *i);
void totem_render_hold(totem_render *n, uint16_t index, uint32_t data);
void totem_render_groups(totem_render *n, const totem_render *s, const totem_render_in *i);

#endif
