// SPDX-License-Identifier: Apache-2.0
#include "register_name.h"

#include "../../cmodel/host/totem_regs_names.h"
#include "../../cmodel/tool/nearest.h"
#include "number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { INDICES = 3, LONGEST = TOTEM_NEAREST_LONGEST, NAMES = sizeof totem_regs_names / sizeof *totem_regs_names };

// The name with its indices taken out: pipe[].queue[].RPTR. False if it is too long or an index is no number.
static bool take_indices(const char *name, char pattern[LONGEST], unsigned long index[INDICES], int *count)
{
    size_t length = 0;
    *count        = 0;
    while (*name && length < LONGEST - 2) {
        pattern[length++] = *name;
        if (*name++ != '[')
            continue;
        char         digits[12] = {0};
        const size_t many       = strcspn(name, "]");
        uint64_t     value;
        if (*count == INDICES || !name[many] || many >= sizeof digits)
            return false;
        memcpy(digits, name, many);
        if (!totem_number(digits, UINT32_MAX, &value))
            return false;
        index[(*count)++] = (unsigned long)value;
        name += many;
    }
    pattern[length] = 0;
    return *name == 0;
}

bool totem_register_address(const char *name, uint32_t *address, char *message, size_t size)
{
    char          pattern[LONGEST] = {0};
    unsigned long index[INDICES];
    int           count;
    if (!take_indices(name, pattern, index, &count)) {
        snprintf(message, size, "'%s' is no register name; write one like pipe[0].queue[1].CP_HQD_QUANTUM", name);
        return false;
    }
    size_t nearest = 0, least = SIZE_MAX;
    for (size_t n = 0; n < NAMES; n++) {
        const size_t far = totem_distance(pattern, strlen(pattern), totem_regs_names[n].name);
        if (far < least) {
            least   = far;
            nearest = n;
        }
    }
    if (least) {
        snprintf(message, size, "no register is called '%s'; the nearest is %s", name, totem_regs_names[nearest].name);
        return false;
    }
    *address = totem_regs_names[nearest].address;
    for (int n = 0; n < count; n++) {
        const uint32_t most = totem_regs_names[nearest].index[n].count;
        if (index[n] >= most) {
            snprintf(message, size, "index %lu of '%s' is too large; the most is %u", index[n], name, most - 1);
            return false;
        }
        *address += (uint32_t)index[n] * totem_regs_names[nearest].index[n].stride;
    }
    return true;
}
