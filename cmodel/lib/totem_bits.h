// SPDX-License-Identifier: Apache-2.0
//
// TOTEM_BITS: width of a number below n, at least 1, as $clog2 of a contract; for #if too. n is at most 65536.

#ifndef TOTEM_BITS_H
#define TOTEM_BITS_H

#define TOTEM_BITS(n)                                                                                           \
    (1 + ((n) > 2) + ((n) > 4) + ((n) > 8) + ((n) > 16) + ((n) > 32) + ((n) > 64) + ((n) > 128) + ((n) > 256) + \
     ((n) > 512) + ((n) > 1024) + ((n) > 2048) + ((n) > 4096) + ((n) > 8192) + ((n) > 16384) + ((n) > 32768))

#endif
