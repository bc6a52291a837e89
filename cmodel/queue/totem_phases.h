// SPDX-License-Identifier: Apache-2.0
//
// Phases of the blocks that the harness looks into, as their contracts number them: for the block's .c file and for
// tb/lockstep. A list is used with a macro P(name, number); TOTEM_PHASE makes plain constants of it.

#ifndef TOTEM_PHASES_H
#define TOTEM_PHASES_H

#define TOTEM_PHASE(name, number) name = (number)

#define TOTEM_MQD_PHASES(P)                                                                                     \
    P(IDLE, 0), P(HEAD, 1), P(BUFFER, 2), P(ASK, 3), P(BEATS, 4), P(FIND, 5), P(TAKE, 6), P(SET, 7), P(GET, 8), \
        P(ANSWER, 9), P(PUT, 10), P(DRAIN, 11), P(ACTIVATE, 12), P(FINISH, 13), P(INTERRUPT, 14), P(ERROR, 15), \
        P(ROLL, 16)

#endif
