// SPDX-License-Identifier: Apache-2.0
//
// Frames of the serial line to a board (docs/contract/frame.md): a flag at both ends, bytes that look like a flag or an
// escape are escaped, and the FCS-32 of RFC 1662 stands behind the payload.
#ifndef TOTEM_HOST_FRAME_H
#define TOTEM_HOST_FRAME_H

#include <stddef.h>
#include <stdint.h>

enum {
    HOST_WORDS   = 64,                        // of a request or an answer, at most
    HOST_PAYLOAD = 8 + 4 * HOST_WORDS,        // bytes of the longest frame without its check
    HOST_STUFFED = 2 + 2 * (HOST_PAYLOAD + 4) // on the line, at most
};

// The frame on the line. Returns its bytes.
size_t host_frame_pack(const uint8_t *payload, size_t count, uint8_t line[HOST_STUFFED]);

typedef struct {
    uint8_t bytes[HOST_PAYLOAD + 4];
    size_t  count;
    int     escaped, broken;
} host_frame_reader;

typedef enum { HOST_FRAME_NONE, HOST_FRAME_GOOD, HOST_FRAME_BAD } host_frame_got;

// The next byte of the line. GOOD: a frame with a right check has ended, its payload is the first *payload of `bytes`
// until the next call. BAD: what has ended was none.
host_frame_got host_frame_take(host_frame_reader *r, uint8_t byte, size_t *payload);

#endif
