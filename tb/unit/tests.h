// SPDX-License-Identifier: Apache-2.0
//
// tests: a program of cmocka tests. TEST(name) { .. } is a test; all of them run in their order, without a list.
//
// RULE_OF(type, open, t, name) { .. } is the test of one rule: `t` is a world or a bench of that type, as `open` leaves
// it. RULE_IN has a `close` too, for a test that has passed. Worlds and benches make RULE(name) of them.

#ifndef TESTS_H
#define TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// The elements of an array.
#define COUNT(array) (sizeof(array) / sizeof *(array))

enum { TESTS_AT_MOST = 128 };

static struct CMUnitTest all_tests[TESTS_AT_MOST]; // cmocka passes over those without a name
static unsigned          test_count;

static inline void add_test(struct CMUnitTest test)
{
    assert_true(test_count < TESTS_AT_MOST);
    all_tests[test_count++] = test;
}

// A function, and its place among the tests, which it takes before main.
#define LISTED(name, function)                                            \
    static void __attribute__((constructor)) name##_is_listed(void)       \
    {                                                                     \
        add_test((struct CMUnitTest){#name, function, NULL, NULL, NULL}); \
    }

#define TEST(name)                  \
    static void name(void **state); \
    LISTED(name, name)              \
    static void name(void **state __attribute__((unused)))

#define RULE_IN(type, open, close, t, name)       \
    static void name(type *t);                    \
    static void name##_with_a_bench(void **state) \
    {                                             \
        static type bench_;                       \
        (void)state;                              \
        open(&bench_);                            \
        name(&bench_);                            \
        close(&bench_);                           \
    }                                             \
    LISTED(name, name##_with_a_bench)             \
    static void name(type *t __attribute__((unused)))

#define RULE_OF(type, open, t, name) RULE_IN(type, open, (void), t, name)

int main(void)
{
    return cmocka_run_group_tests_name(__BASE_FILE__, all_tests, NULL, NULL);
}

#endif
