// SPDX-License-Identifier: Apache-2.0
//
// totem_render_message: part of totem_render: the words of a draw's message.

#ifndef TOTEM_RENDER_MESSAGE_H
#define TOTEM_RENDER_MESSAGE_H

#include "totem_render_registers.h"

// The word is the pixel header.
bool totem_render_header(const totem_render *s, const totem_render_waves *w);

// Sets message_valid, message_word, message_last.
void totem_render_message(const totem_render *s, const totem_render_waves *w, totem_render_out *o);

#endif
