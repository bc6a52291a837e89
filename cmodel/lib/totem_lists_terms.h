// SPDX-License-Identifier: Apache-2.0
//
// Requests to totem_lists (docs/contract/lists.md).

#ifndef TOTEM_LISTS_TERMS_H
#define TOTEM_LISTS_TERMS_H

enum {
    TOTEM_LISTS_PUSH_TAIL = 0,
    TOTEM_LISTS_PUSH_HEAD = 1,
    TOTEM_LISTS_POP       = 2,
    TOTEM_LISTS_PEEK      = 3,
    TOTEM_LISTS_REPLACE   = 4,
    TOTEM_LISTS_TAKE      = 5,
    TOTEM_LISTS_FREE      = 6
};

#endif
