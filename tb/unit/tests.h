// SPDX-License-Identifier: Apache-2.0
//
// tests: a program of cmocka tests. TEST(name) { .. } is a test; all of them run, without a list. Included by the bench
// of a block, or by the test.

#ifndef TESTS_H
#define TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The elements of an array.
#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { TESTS_AT_MOST = 32 };

static struct CMUnitTest all_tests[TESTS_AT_MOST]; // cmocka passes over those without a name
static unsigned          test_count;

static void add_test(const char *name, CMUnitTestFunction function)
{
    assert_true(test_count < TESTS_AT_MOST);
    all_tests[test_count].name        = name;
    all_tests[test_count++].test_func = function;
}

// The function, and its place among the tests, which it takes before main.
#define TEST(name)                                             \
    static void name(void **state);                            \
    static void __attribute__((constructor)) list_##name(void) \
    {                                                          \
        add_test(#name, name);                                 \
    }                                                          \
    static void name(void **state __attribute__((unused)))

int main(void)
{
    return cmocka_run_group_tests_name(__BASE_FILE__, all_tests, NULL, NULL);
}

#endif
