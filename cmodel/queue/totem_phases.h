// SPDX-License-Identifier: Apache-2.0
//
// Phases of the blocks that the harness looks into, as their contracts number them: for the block's .c file and for
// tb/lockstep. A list is used with a macro P(name, number); TOTEM_PHASE makes plain constants of it.

#ifndef TOTEM_PHASES_H
#define TOTEM_PHASES_H

#define TOTEM_PHASE(name, number) name = (number)

#define TOTEM_DECODE_PHASES(P) P(HEADER, 0), P(CHECK, 1), P(BODY, 2), P(DATA, 3), P(GIVE, 4)

#define TOTEM_EXECUTE_PHASES(P)                                                                                      \
    P(IDLE, 0), P(RESUME, 1), P(READY, 2), P(GRID, 3), P(PARTS, 4), P(DIVIDE, 5), P(FIT, 6), P(START, 7), P(RUN, 8), \
        P(STOP, 9), P(FLUSH, 10), P(RELEASE, 11), P(CLOSED, 12), P(WRITE, 13), P(REGISTER, 14), P(POLL, 15),         \
        P(ANSWER, 16), P(DIM, 17), P(RETRY, 18), P(GIVE, 19), P(ERROR, 20), P(LEAVE, 21), P(SERVICE, 22), P(TASK, 23)

#define TOTEM_DIVIDE_PHASES(P) P(IDLE, 0), P(ASK, 1), P(WAIT, 2), P(TAKE, 3), P(SHIFT, 4), P(ROUND, 5)

#define TOTEM_MQD_PHASES(P)                                                                                     \
    P(IDLE, 0), P(HEAD, 1), P(BUFFER, 2), P(ASK, 3), P(BEATS, 4), P(FIND, 5), P(TAKE, 6), P(SET, 7), P(GET, 8), \
        P(ANSWER, 9), P(PUT, 10), P(DRAIN, 11), P(ACTIVATE, 12), P(FINISH, 13), P(INTERRUPT, 14), P(ERROR, 15), \
        P(ROLL, 16)

#define TOTEM_POLL_PHASES(P)                                                                                    \
    P(FREE, 0), P(LOOK, 1), P(TAKE, 2), P(ASK, 3), P(ANSWER, 4), P(LOW, 5), P(HIGH, 6), P(GIVE, 7), P(HALT, 8), \
        P(RECORD, 9), P(WORD, 10), P(WINDOW, 11)

#define TOTEM_RECORD_PHASES(P)                                                                                     \
    P(IDLE, 0), P(READ, 1), P(TAKE, 2), P(ASK, 3), P(WRITE, 4), P(WAIT, 5), P(MARK, 6), P(FENCE, 7), P(REPORT, 8), \
        P(ERROR, 9)

#define TOTEM_TALLY_PHASES(P) P(SWEEP, 0), P(IDLE, 1), P(READ, 2), P(TAKE, 3), P(STORE, 4)

#endif
