// SPDX-License-Identifier: Apache-2.0
//
// totem_upper: an address is one of two places at the memory port, or refused (docs/queue.md, Addresses).

#include "tests.h"

#include "totem_upper.h"

TEST(two_places)
{
    static const struct {
        uint16_t address;
        uint8_t  above, page;
        bool     strange;
    } rows[] = {
        {0x0012, 0x00, 0x12, false}, {0x0092, 0x00, 0x92, false}, // ADDRESS_HIGH 0: 40 bits
        {0x0112, 0x00, 0x12, true},  {0x0012, 0x7f, 0x12, false}, // else bit 39 says which of two
        {0x7f12, 0x7f, 0x92, false}, {0x0092, 0x7f, 0x12, true},
        {0x7f92, 0x7f, 0x92, true},  {0x7e12, 0x7f, 0x92, true},
    };
    for (unsigned n = 0; n < COUNT(rows); n++) {
        const totem_upper_in in = {.address = rows[n].address, .above = rows[n].above};
        totem_upper_out      out;
        totem_upper_outputs(&in, &out);
        assert_int_equal(out.page, rows[n].page);
        assert_int_equal(out.strange, rows[n].strange);
    }
}
