// SPDX-License-Identifier: Apache-2.0
//
// Numbers in files and options.
#ifndef TOTEM_NUMBER_H
#define TOTEM_NUMBER_H

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TOTEM_NUMBER_TEXT "numbers are decimal, without a 0 in front, or 0x..."

// Decimal, or hexadecimal behind 0x; a decimal number with a 0 in front may be meant as octal, so it is refused. False:
// the text is something else, or the number is above `most`.
static inline bool totem_number(const char *text, uint64_t most, uint64_t *value)
{
    const bool  hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits      = hexadecimal ? text + 2 : text;
    if (digits[0] == 0 || digits[strspn(digits, hexadecimal ? "0123456789abcdefABCDEF" : "0123456789")] ||
        (!hexadecimal && digits[0] == '0' && digits[1]))
        return false;
    errno  = 0;
    *value = strtoull(digits, NULL, hexadecimal ? 16 : 10);
    return errno == 0 && *value <= most;
}

#endif
