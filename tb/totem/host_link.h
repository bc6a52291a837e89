// SPDX-License-Identifier: Apache-2.0
//
// The serial line to a board and its requests: one at a time, sent again until it is answered or too many were in vain.
#ifndef TOTEM_HOST_LINK_H
#define TOTEM_HOST_LINK_H

#include "../../cmodel/bridge/totem_bridge_values.h"
#include "host_frame.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int         fd;
    const char *name;
    uint32_t    baud;
    uint32_t    timeout;    // milliseconds that an answer may take, at most
    uint8_t     sequence;   // of the next request; 0: the first of the session
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

// One request: BRIDGE_READ or BRIDGE_WRITE of up to HOST_WORDS words. The first of a session is soon given up: another
// thing may be on the port. False: message.
bool host_link_ask(host_link *l, uint8_t command, uint32_t address, uint32_t *words, uint32_t count);

// Seconds since some time in the past.
double host_now(void);

#endif
