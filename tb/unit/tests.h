// SPDX-License-Identifier: Apache-2.0
//
// tests: a program of cmocka tests. TEST(name) { .. } is a test; all of them run in their order, without a list.
//
// RULE_OF(type, open, t, name) { .. } is the test of one rule: `t` is a world or a bench of that type, as `open` leaves
// it. RULE_IN has a `close` too, for a test that has passed. Worlds and benches make RULE(name) of them.
//
// The program runs all its tests, or those that its arguments name.

#ifndef TESTS_H
#define TESTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

// Leaves the tests that are named; false: one of the names is none.
static bool leave_named(int count, char **names)
{
    struct CMUnitTest left[TESTS_AT_MOST] = {0};
    for (int k = 0; k < count; k++) {
        unsigned n = 0;
        while (n < test_count && strcmp(all_tests[n].name, names[k]) != 0)
            n++;
        if (n == test_count)
            return false;
        left[n] = all_tests[n];
    }
    memcpy(all_tests, left, sizeof left);
    return true;
}

int main(int count, char **words)
{
    if (count > 1 && !leave_named(count - 1, words + 1))
        return 2;
    return cmocka_run_group_tests_name(__BASE_FILE__, all_tests, NULL, NULL);
}

#endif
