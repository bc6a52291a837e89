// SPDX-License-Identifier: Apache-2.0
//
// pixels: the harness's own account of what geometry waves become (docs/pixels.md), for draws. From the registers of a
// draw it knows the shape of its pixel waves; from exports at the wave interface how many pixels each converter gets;
// from grants, launches and ends which of them have become waves. Every geometry wave exports once, before it ends; the
// threads of the pixel waves of a draw at an engine are the pixels that its converter got, at the end all of them. It
// looks at nothing between the export and the grant.

#ifndef PIXELS_H
#define PIXELS_H

#include "totem_machine.h"

#include <stdbool.h>
#include <stdint.h>

enum { PIXEL_WORDS = 18 };

// Of one draw.
typedef struct {
    uint32_t ring, set, epoch, vgprs, lds;
    bool     wave32;
    uint64_t program;
    uint64_t word[PIXEL_WORDS]; // state words
    // Bits that the stream has given.
    bool     vgprs_given, lds_given, wave32_given;
    uint64_t program_given, word_given[PIXEL_WORDS];
    uint32_t words;
    uint64_t exported;                                   // geometry waves
    uint64_t due[TOTEM_SE_COUNT], given[TOTEM_SE_COUNT]; // pixels of each converter: of primitives, of waves granted
    uint64_t granted, launched, ended;                   // pixel waves
} pixel_draw;

typedef struct pixels pixels;

pixels *pixels_create(void);
void    pixels_destroy(pixels *p);

// What the shader registers (from 0x2c00 on) and SPI_PS_IN_CONTROL say of its pixel waves. `given`: the stream has
// written it. Generation: 0 GFX9, which has no wave32.
void pixels_shape(pixel_draw *d, const uint32_t *shader, const bool *given, uint32_t control, bool control_known,
                  uint32_t generation);

// A geometry wave of the draw is launched into this slot.
void pixels_geometry(pixels *p, int e, uint32_t slot, pixel_draw *d);
// A pixel wave of the draw is granted, or launched. What is broken, NULL: nothing.
const char *pixels_grant(pixels *p, const totem_issue_out *i, int e, pixel_draw *d);
const char *pixels_launch(pixels *p, const totem_launch_out *l, int e, const pixel_draw *d);
// Exports, ends and state words of an engine in this clock; before what it launches and grants. `ring`: of whom, if
// something is broken.
const char *pixels_clock(pixels *p, const totem_machine_out *out, int e, int *ring);

// The draw, whose geometry waves have ended, has no pixel any more. `killed`: what of them were not granted need not
// come.
bool pixels_ended(const pixel_draw *d, bool killed);

// Exports, primitives, pixels and pixel waves so far.
typedef struct {
    uint64_t exports, primitives, pixels, waves;
} pixels_sums;
pixels_sums pixels_sum(const pixels *p);

#endif
