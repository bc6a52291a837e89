// SPDX-License-Identifier: Apache-2.0
//
// totem_frame: frames with a 32-bit check on the serial line of the host bridge.
// Twin of rtl/bridge/totem_frame.v; the rules are those of docs/contract/frame.md.

#include "totem_frame.h"

enum {
    HEAD    = 8,   // bytes of the two words that go to the bridge
    PAYLOAD = 264, // bytes without the check, at most
    CHECKED = 268, // and with it
};

void totem_frame_outputs(const totem_frame *s, totem_frame_out *o)
{
    o->send_valid           = s->send_valid;
    o->send_data            = s->send_data;
    o->head_valid           = s->head_valid;
    o->head_second          = s->place & 1;
    o->head_data            = s->word;
    o->request_write_enable = s->write_enable;
    o->request_write_addr   = (s->place - 2) & 63;
    o->request_write_data   = s->word;
    o->end_valid            = s->end_valid;
    o->end_words            = s->end_words;
    o->dropped              = s->dropped;
    o->answer_ready         = s->phase == FRAME_WORD;
}

static uint32_t check_of(uint32_t check, uint8_t byte)
{
    check ^= byte;
    for (unsigned bit = 0; bit < 8; bit++)
        check = check & 1 ? check >> 1 ^ FRAME_POLYNOMIAL : check >> 1;
    return check;
}

// 1 Flag. True: a frame is dropped.
static bool flagged(totem_frame *n, const totem_frame *s, const totem_frame_in *i)
{
    const bool begun = !s->hunting && (s->length != 0 || s->escaped);
    const bool whole =
        s->length % 4 == 0 && s->length >= HEAD + 4 && s->check == FRAME_RIGHT && !s->escaped && !i->bridge_busy;

    n->hunting = false;
    n->escaped = false;
    n->length  = 0;
    n->check   = FRAME_START;
    if (!begun || !whole)
        return begun;
    n->end_valid = true;
    n->end_words = (uint8_t)((s->length / 4 - 1) & 0x7f);
    return false;
}

// 2 Byte. True: the frame is dropped.
static bool taken(totem_frame *n, const totem_frame *s, const totem_frame_in *i)
{
    const bool    full  = s->length == CHECKED;
    const uint8_t plain = (uint8_t)(s->escaped ? i->uart_byte_data ^ FRAME_CHANGE : i->uart_byte_data);

    if (i->bridge_busy || full) {
        n->hunting = true;
        return true;
    }
    n->escaped = !s->escaped && i->uart_byte_data == FRAME_ESCAPE;
    if (n->escaped)
        return false;
    n->length = (s->length + 1) & 0x1ff;
    n->check  = check_of(s->check, plain);
    n->word   = (uint32_t)plain << 24 | s->word >> 8;
    if (s->length % 4 == 3) {
        n->place        = (uint8_t)(s->length / 4);
        n->head_valid   = s->length < HEAD;
        n->write_enable = s->length >= HEAD && s->length < PAYLOAD;
    }
    return false;
}

static void receive(totem_frame *n, const totem_frame *s, const totem_frame_in *i)
{
    const bool flag     = i->uart_byte_valid && i->uart_byte_data == FRAME_FLAG;
    const bool of_frame = i->uart_byte_valid && !flag && !s->hunting;
    bool       drop     = false;

    n->head_valid   = false;
    n->write_enable = false;
    n->end_valid    = false;
    if (flag)
        drop = flagged(n, s, i);
    else if (of_frame)
        drop = taken(n, s, i);

    // 3 Broken
    if (i->uart_byte_broken) {
        drop         = drop || !s->hunting;
        n->hunting   = true;
        n->end_valid = false;
    }

    // 4 Count
    if (drop && s->dropped < 0xffff)
        n->dropped = (uint16_t)(s->dropped + 1);
}

static void send(totem_frame *n, uint8_t byte)
{
    n->send_valid = true;
    n->send_data  = byte;
}

// 6 Answer, continued: sends the next byte of a word, or its escape. True: that was the last byte.
static bool send_byte(totem_frame *n, const totem_frame *s)
{
    const uint8_t next_byte = s->send_word & 0xff;
    const bool    stuffed   = (next_byte == FRAME_FLAG || next_byte == FRAME_ESCAPE) && !s->send_changed;

    n->send_changed = stuffed;
    if (stuffed) {
        send(n, FRAME_ESCAPE);
        return false;
    }
    send(n, (uint8_t)(s->send_changed ? next_byte ^ FRAME_CHANGE : next_byte));
    n->send_word  = s->send_word >> 8;
    n->send_left  = (s->send_left - 1) & 3;
    n->send_check = check_of(s->send_check, next_byte);
    return s->send_left == 0;
}

void totem_frame_step(totem_frame *s, const totem_frame_in *i)
{
    totem_frame n    = *s; // what follows the clock edge; s stays as it was before
    const bool  free = !s->send_valid;

    receive(&n, s, i);

    // 5 Taken
    if (s->send_valid && i->uart_ready)
        n.send_valid = false;

    // 6 Answer
    switch (s->phase) {
    case FRAME_IDLE:
        if (free && i->bridge_answer_valid) {
            send(&n, FRAME_FLAG);
            n.send_check = FRAME_START;
            n.phase      = FRAME_WORD;
        }
        break;
    case FRAME_WORD:
        if (i->bridge_answer_valid) {
            n.send_word = i->bridge_answer_data;
            n.send_last = i->bridge_answer_last;
            n.send_left = 3;
            n.phase     = FRAME_BYTE;
        }
        break;
    case FRAME_BYTE:
        if (free && send_byte(&n, s)) {
            n.phase = s->send_last ? FRAME_CHECK : FRAME_WORD;
            if (s->send_last)
                n.send_word = n.send_check ^ FRAME_START;
        }
        break;
    case FRAME_CHECK:
        if (free && send_byte(&n, s))
            n.phase = FRAME_CLOSE;
        break;
    case FRAME_CLOSE:
        if (free) {
            send(&n, FRAME_FLAG);
            n.phase = FRAME_IDLE;
        }
        break;
    default: break;
    }

    *s = n;
}
