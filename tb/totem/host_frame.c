// SPDX-License-Identifier: Apache-2.0
#include "host_frame.h"

#include "../../cmodel/bridge/totem_frame_values.h"

#include <stdbool.h>
#include <string.h>

enum { CHECK = 4 }; // bytes

static uint32_t check_of(const uint8_t *bytes, size_t count)
{
    uint32_t rest = FRAME_START;
    for (size_t n = 0; n < count; n++) {
        rest ^= bytes[n];
        for (int bit = 0; bit < 8; bit++)
            rest = rest >> 1 ^ (rest & 1 ? FRAME_POLYNOMIAL : 0);
    }
    return rest;
}

size_t host_frame_pack(const uint8_t *payload, size_t count, uint8_t line[HOST_STUFFED])
{
    const uint32_t check  = check_of(payload, count) ^ FRAME_START;
    size_t         length = 0;
    line[length++]        = FRAME_FLAG;
    for (size_t n = 0; n < count + CHECK; n++) {
        const uint8_t byte = (uint8_t)(n < count ? payload[n] : check >> 8 * (n - count));
        if (byte == FRAME_FLAG || byte == FRAME_ESCAPE) {
            line[length++] = FRAME_ESCAPE;
            line[length++] = byte ^ FRAME_CHANGE;
        } else
            line[length++] = byte;
    }
    line[length++] = FRAME_FLAG;
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
    *payload = count - CHECK;
    return check_of(r->bytes, count) == FRAME_RIGHT ? HOST_FRAME_GOOD : HOST_FRAME_BAD;
}

host_frame_got host_frame_take(host_frame_reader *r, uint8_t byte, size_t *payload)
{
    if (byte == FRAME_FLAG)
        return end(r, payload);
    if (byte == FRAME_ESCAPE) {
        r->broken |= r->escaped;
        r->escaped = 1;
        return HOST_FRAME_NONE;
    }
    if (r->count == sizeof r->bytes)
        r->broken = 1;
    else
        r->bytes[r->count++] = r->escaped ? byte ^ FRAME_CHANGE : byte;
    r->escaped = 0;
    return HOST_FRAME_NONE;
}
