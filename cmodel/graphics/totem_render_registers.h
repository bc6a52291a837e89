// SPDX-License-Identifier: Apache-2.0
//
// totem_render_registers: part of totem_render: which shader registers a draw reads, and what they say.

#ifndef TOTEM_RENDER_REGISTERS_H
#define TOTEM_RENDER_REGISTERS_H

#include "totem_render.h"

// Waves of a draw, in the terms of docs/contract/render.md.
typedef struct {
    uint8_t vgprs, blocks, words;
    bool    wave32;
    uint8_t pixel_vgprs, pixel_blocks, pixel_words;
} totem_render_waves;

totem_render_waves totem_render_waves_of(const totem_render *s);

// Offset of the register that is read, in the window of shader registers.
uint16_t totem_render_place(const totem_render *s);

#endif
