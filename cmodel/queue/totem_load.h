// SPDX-License-Identifier: Apache-2.0
//
// Kinds of words on the load bus of a pipe (docs/architecture.md, Load bus). For the .c files of the blocks on it and
// for the harness.

#ifndef TOTEM_LOAD_H
#define TOTEM_LOAD_H

enum {
    LOAD_ACTIVE         = 0,
    LOAD_QUEUE_PRIORITY = 1,
    LOAD_PIPE_PRIORITY  = 2,
    LOAD_QUANTUM        = 3,
    LOAD_PQ_BASE        = 4,
    LOAD_PQ_CONTROL     = 5,
    LOAD_RPTR           = 6,
    LOAD_WPTR           = 7,
    LOAD_REPORT_ADDR    = 8,
    LOAD_MQD_ADDR       = 9,
    LOAD_RESUME         = 10,
    LOAD_SKIP           = 11,
    LOAD_BUFFER         = 12, // position in an open indirect buffer
    LOAD_BUFFER_LEFT    = 13,
    LOAD_SEQUENCE       = 14,
    LOAD_POLLED         = 15,
    LOAD_MOVED          = 16
};

#endif
