// SPDX-License-Identifier: Apache-2.0
//
// The serial line to a board and its requests: one at a time, sent again until it is answered or too many were in vain.
#ifndef TOTEM_HOST_LINK_H
#define TOTEM_HOST_LINK_H

#include "host_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOST_TRIES = 12 };

typedef struct {
    int         fd;
    const char *name;
    uint32_t    baud;
    uint32_t    timeout; // milliseconds that an answer may take, at most
    uint8_t     sequence;
    double      slowest[2]; // answer so far, in seconds, of short and of long frames; 0: none yet
    // Counted for the report.
    uint64_t requests, retries, bad, stale, sent, received;
    char     message[1024]; // what went wrong, with a remedy
    bool     refused;       // by the board, which was reached
} host_link;

// Opens the port and makes it raw, eight bits, without parity. False: message.
bool host_link_open(host_link *l, const char *name, uint32_t baud, uint32_t timeout);
void host_link_close(host_link *l);

// Bauds that host_link_open() takes, a list for messages.
const char *host_link_bauds(void);
bool        host_link_baud_good(uint32_t baud);

// The first request of a session; `word` is at the address. A port with something else on it ends here.
bool host_link_greet(host_link *l, uint32_t address, uint32_t *word);

// Any number of words. False: message; what stands behind the failed frame has not been asked for.
bool host_link_read(host_link *l, uint32_t address, uint32_t *words, size_t count);
bool host_link_write(host_link *l, uint32_t address, const uint32_t *words, size_t count);

#endif
