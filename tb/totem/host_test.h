// SPDX-License-Identifier: Apache-2.0
//
// Test of a board's memory over the line.
#ifndef TOTEM_HOST_TEST_H
#define TOTEM_HOST_TEST_H

#include "host_board.h"

typedef enum { HOST_TEST_GOOD, HOST_TEST_BAD, HOST_TEST_LINE } host_test_verdict;

enum { HOST_TEST_LISTED = 16 };

typedef struct {
    const char *part; // of the test
    uint32_t    address, wanted, got;
} host_test_fault;

typedef struct {
    uint32_t        from, bytes;
    uint64_t        words, wrong; // compared
    host_test_fault faults[HOST_TEST_LISTED];
} host_test;

// Walking ones and zeros at the first 8 bytes of the area, then each address line, then a pattern and its complement
// over all of the area. The machine is put into reset, the area is overwritten. LINE: link.message of the board.
host_test_verdict host_test_run(host_board *b, uint32_t from, uint32_t bytes, bool show, host_test *result);
json_t           *host_test_json(const host_test *t);
void              host_test_print(const host_test *t);

#endif
