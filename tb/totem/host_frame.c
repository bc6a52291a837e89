// SPDX-License-Identifier: Apache-2.0
#include "host_frame.h"

#include <stdbool.h>
#include <string.h>

enum { FLAG = 0x7e, ESCAPE = 0x7d, FLIP = 0x20, CHECK = 4 };

uint32_t host_frame_check(const uint8_t *bytes, size_t count)
{
    uint32_t rest = 0xffffffff;
    for (size_t n = 0; n < count; n++) {
        rest ^= bytes[n];
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? 0xedb88320 : 0);
    }
    return ~rest;
}

size_t host_frame_pack(const uint8_t *payload, size_t count, uint8_t line[HOST_STUFFED])
{
    const uint32_t check  = host_frame_check(payload, count);
    size_t         length = 0;
    line[length++]        = FLAG;
    for (size_t n = 0; n < count + CHECK; n++) {
        const uint8_t byte = (uint8_t)(n < count ? payload[n] : check >> 8 * (n - count));
        if (byte == FLAG || byte == ESCAPE) {
            line[length++] = ESCAPE;
            line[length++] = byte ^ FLIP;
        } else
            line[length++] = byte;
    }
    line[length++] = FLAG;
    return length;
}

static host_frame_got end(host_frame_reader *r, size_t *payload)
{
    const size_t count  = r->count;
    const bool   broken = r->broken || r->escaped;
    r->count            = 0;
    r->broken = r->escaped = 0;
    if (!count && !broken)
        return HOST_FRAME_NONE; // the flags between two frames
    if (broken || count < CHECK)
        return HOST_FRAME_BAD;
    uint32_t check = 0;
    for (size_t n = 0; n < CHECK; n++)
        check |= (uint32_t)r->bytes[count - CHECK + n] << 8 * n;
    *payload = count - CHECK;
    return check == host_frame_check(r->bytes, count - CHECK) ? HOST_FRAME_GOOD : HOST_FRAME_BAD;
}

host_frame_got host_frame_take(host_frame_reader *r, uint8_t byte, size_t *payload)
{
    if (byte == FLAG)
        return end(r, payload);
    if (byte == ESCAPE) {
        r->broken |= r->escaped;
        r->escaped = 1;
        return HOST_FRAME_NONE;
    }
    if (r->count == sizeof r->bytes)
        r->broken = 1;
    else
        r->bytes[r->count++] = r->escaped ? byte ^ FLIP : byte;
    r->escaped = 0;
    return HOST_FRAME_NONE;
}
