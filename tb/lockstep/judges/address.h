// SPDX-License-Identifier: Apache-2.0
//
// address: where an address of a packet that is not refused is at the memory port (docs/queue.md, "Addresses").

#ifndef ADDRESS_H
#define ADDRESS_H

#include <stdint.h>

// From its two dwords, as multiple of 4. Bits 47:40 are 0, or those of ADDRESS_HIGH: then bit 39 is 0, and stands for
// them.
static inline uint64_t packet_address(uint32_t low, uint32_t high)
{
    return (uint64_t)((high & 0x7f) | ((high & 0xff80) != 0 ? 0x80u : 0)) << 32 | (low & ~3u);
}

#endif
