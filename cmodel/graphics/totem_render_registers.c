// SPDX-License-Identifier: Apache-2.0
//
// totem_render_registers: twin of rtl/graphics/totem_render_registers.v, from docs/contract/render.md.

#include "totem_render_registers.h"

#include "../packet/totem_pm4.h"

enum { USER_MOST = 32, MSB_GFX9 = 28 };

// Bits of a register.
#define FIELD(word, name) ((word) >> name##_LSB & name##_MASK)

// Two words of resources and of user data: two registers make a state word.
static uint8_t state_words(bool high, uint32_t low)
{
    const uint32_t user = high ? USER_MOST : low;

    return (uint8_t)(2 + (user + 1) / 2);
}

totem_render_waves totem_render_waves_of(const totem_render *s)
{
    const uint32_t high =
        s->old ? s->rsrc2 >> MSB_GFX9 & 1 : FIELD(s->rsrc2, TOTEM_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR_MSB);

    return (totem_render_waves){
        .vgprs        = (uint8_t)(FIELD(s->rsrc1, TOTEM_SPI_SHADER_PGM_RSRC1_GS_VGPRS) + 1),
        .blocks       = (uint8_t)(s->wrote[1] ? FIELD(s->rsrc2, TOTEM_SPI_SHADER_PGM_RSRC2_GS_LDS_SIZE) : 0),
        .words        = state_words(high != 0, FIELD(s->rsrc2, TOTEM_SPI_SHADER_PGM_RSRC2_GS_USER_SGPR)),
        .wave32       = !s->old && s->stages[s->wrote[0] ? 0 : 1],
        .pixel_vgprs  = (uint8_t)(FIELD(s->pixel_rsrc1, TOTEM_SPI_SHADER_PGM_RSRC1_PS_VGPRS) + 1),
        .pixel_blocks = (uint8_t)FIELD(s->pixel_rsrc2, TOTEM_SPI_SHADER_PGM_RSRC2_PS_EXTRA_LDS_SIZE),
        .pixel_words  = state_words(FIELD(s->pixel_rsrc2, TOTEM_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR_MSB) != 0,
                                    FIELD(s->pixel_rsrc2, TOTEM_SPI_SHADER_PGM_RSRC2_PS_USER_SGPR)),
    };
}

static uint32_t program(const totem_render *s)
{
    if (!s->wrote[0])
        return TOTEM_SH_SPI_SHADER_PGM_LO_VS;
    return s->old ? TOTEM_SH_SPI_SHADER_PGM_LO_ES_GFX9 : TOTEM_SH_SPI_SHADER_PGM_LO_ES_GFX10;
}

static uint32_t user_data(const totem_render *s)
{
    if (s->part)
        return TOTEM_SH_SPI_SHADER_USER_DATA_PS_0;
    if (!s->wrote[0])
        return TOTEM_SH_SPI_SHADER_USER_DATA_VS_0;
    return s->old ? TOTEM_SH_SPI_SHADER_USER_DATA_ES_0 : TOTEM_SH_SPI_SHADER_USER_DATA_GS_0;
}

static uint32_t rsrc1(const totem_render *s)
{
    return s->wrote[0] ? TOTEM_SH_SPI_SHADER_PGM_RSRC1_GS : TOTEM_SH_SPI_SHADER_PGM_RSRC1_VS;
}

static uint32_t rsrc2(const totem_render *s)
{
    return s->wrote[1] ? TOTEM_SH_SPI_SHADER_PGM_RSRC2_GS : TOTEM_SH_SPI_SHADER_PGM_RSRC2_VS;
}

static uint32_t rsrc3(const totem_render *s)
{
    if (s->part)
        return TOTEM_SH_SPI_SHADER_PGM_RSRC3_PS;
    return s->wrote[0] ? TOTEM_SH_SPI_SHADER_PGM_RSRC3_GS : TOTEM_SH_SPI_SHADER_PGM_RSRC3_VS;
}

// Of those that the draw gathers.
static uint32_t gathered(const totem_render *s)
{
    switch (s->place) {
    case 0: return rsrc1(s);
    case 1: return rsrc2(s);
    case 2: return program(s);
    case 3: return program(s) + 1;
    case 4: return TOTEM_SH_SPI_SHADER_PGM_RSRC1_PS;
    case 5: return TOTEM_SH_SPI_SHADER_PGM_RSRC2_PS;
    case 6: return TOTEM_SH_SPI_SHADER_PGM_LO_PS;
    case 7: return TOTEM_SH_SPI_SHADER_PGM_HI_PS;
    default: return TOTEM_SH_SPI_SHADER_PGM_RSRC4_GS;
    }
}

// Of those in its state words.
static uint32_t fetched(const totem_render *s)
{
    if (s->fetch == 0 && s->part)
        return s->half ? TOTEM_SH_SPI_SHADER_PGM_RSRC2_PS : TOTEM_SH_SPI_SHADER_PGM_RSRC1_PS;
    if (s->fetch == 0)
        return s->half ? rsrc2(s) : rsrc1(s);
    if (s->fetch == 1)
        return rsrc3(s);
    return user_data(s) + 2u * ((s->fetch - 2u) & 31) + s->half;
}

uint16_t totem_render_place(const totem_render *s)
{
    return (s->phase == RENDER_GATHER ? gathered(s) : fetched(s)) & 0x1ff;
}
