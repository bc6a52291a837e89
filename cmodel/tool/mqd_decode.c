// SPDX-License-Identifier: Apache-2.0
#include "mqd_decode.h"

#include "../host/totem_regs_map.h"
#include "../host/totem_regs_names.h"
#include "../include/totem/regs.h"
#include "../packet/totem_pm4.h"

#include <string.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

enum {
    REGISTERS_FIRST = 1, // dword of COMPUTE_DISPATCH_INITIATOR
    TOP_RPTR        = 93,
    TOP_SEQUENCE    = 107,
    END_RPTR        = 96,
    END_SEQUENCE    = 97,
    WINDOW_FIRST    = 128, // dword of CP_MQD_BASE_ADDR
    WINDOW_LAST     = 183
};

enum { GFX9 = 1, GFX10 = 2, GFX11 = 4, GFX12 = 8, ALL = 15 };

// In which structures (v9 to v12) dword 1 + i is register i of the compute block.
static const struct {
    uint8_t chips, first, last;
} registers[] = {{GFX9 | GFX10, 1, 14},  {GFX9, 19, 37},          {GFX10, 19, 34},
                 {GFX11 | GFX12, 1, 35}, {GFX11 | GFX12, 37, 51}, {ALL, 65, 80}};

// Where one has another name there.
static const struct {
    uint8_t     chips;
    uint16_t    dword;
    const char *name;
} places[] = {
    {GFX9 | GFX10, 15, "compute_tba_lo"},
    {GFX9 | GFX10, 16, "compute_tba_hi"},
    {GFX9 | GFX10, 17, "compute_tma_lo"},
    {GFX9 | GFX10, 18, "compute_tma_hi"},
    {GFX10, 35, "compute_relaunch"},
    {GFX10, 36, "compute_wave_restore_addr_lo"},
    {GFX10, 37, "compute_wave_restore_addr_hi"},
    {GFX9 | GFX10, 38, "compute_wave_restore_control"},
    {GFX9, 39, "compute_static_thread_mgmt_se4"},
    {GFX9, 40, "compute_static_thread_mgmt_se5"},
    {GFX9, 41, "compute_static_thread_mgmt_se6"},
    {GFX9, 42, "compute_static_thread_mgmt_se7"},
    {GFX9, 46, "compute_pgm_rsrc3"}, // of GFX9.4, in images that Totem saves
    {GFX11 | GFX12, 52, "compute_wave_restore_control"},
    {GFX12, 59, "compute_static_thread_mgmt_se8"},
    {GFX10, 160, "cp_hqd_hq_scheduler0"}, // in the window
    {GFX10, 161, "cp_hqd_hq_scheduler1"},
    {GFX10, 184, "cp_hqd_suspend_cntl_stack_offset"},
    {GFX10, 185, "cp_hqd_suspend_cntl_stack_dw_cnt"},
    {GFX10, 186, "cp_hqd_suspend_wg_state_offset"},
    {GFX9, 225, "pm4_target_xcc_in_xcp"}, // of GFX9.4.3, as 226
    {GFX9, 226, "cp_mqd_stride_size"},
    {GFX11 | GFX12, 256, "control_buf_addr_lo"},
    {GFX11 | GFX12, 257, "control_buf_addr_hi"},
    {GFX11 | GFX12, 258, "control_buf_wptr_lo"},
    {GFX11 | GFX12, 259, "control_buf_wptr_hi"},
    {GFX11 | GFX12, 260, "control_buf_dptr_lo"},
    {GFX11 | GFX12, 261, "control_buf_dptr_hi"},
    {GFX11 | GFX12, 262, "control_buf_num_entries"},
    {GFX11 | GFX12, 263, "draw_ring_addr_lo"},
    {GFX11 | GFX12, 264, "draw_ring_addr_hi"},
    {GFX12, 272, "dfwx_flags"},
    {GFX12, 273, "dfwx_slot"},
    {GFX12, 274, "dfwx_client_data_addr_lo"},
    {GFX12, 275, "dfwx_client_data_addr_hi"},
};

// Dwords that are reserved in v12, though they have names in v11.
static bool reserved(unsigned dword)
{
    return (dword >= 108 && dword <= 111) || (dword >= 120 && dword <= 123) || dword == 178;
}

// Dwords 448 to 511 of v11 and v12.
enum { GWS_FIRST = 448 };
#define GWS(n) "gws_" #n "_val"
static const char *const gws[] = {
    GWS(0),  GWS(1),  GWS(2),  GWS(3),  GWS(4),  GWS(5),  GWS(6),  GWS(7),  GWS(8),  GWS(9),  GWS(10), GWS(11), GWS(12),
    GWS(13), GWS(14), GWS(15), GWS(16), GWS(17), GWS(18), GWS(19), GWS(20), GWS(21), GWS(22), GWS(23), GWS(24), GWS(25),
    GWS(26), GWS(27), GWS(28), GWS(29), GWS(30), GWS(31), GWS(32), GWS(33), GWS(34), GWS(35), GWS(36), GWS(37), GWS(38),
    GWS(39), GWS(40), GWS(41), GWS(42), GWS(43), GWS(44), GWS(45), GWS(46), GWS(47), GWS(48), GWS(49), GWS(50), GWS(51),
    GWS(52), GWS(53), GWS(54), GWS(55), GWS(56), GWS(57), GWS(58), GWS(59), GWS(60), GWS(61), GWS(62), GWS(63),
};

// Eight dwords whose names end in a number.
#define NUMBERED(at, name, a, b, c, d, e, f, g, h)                                                          \
    [at] = name #a, [(at) + 1] = name #b, [(at) + 2] = name #c, [(at) + 3] = name #d, [(at) + 4] = name #e, \
    [(at) + 5] = name #f, [(at) + 6] = name #g, [(at) + 7] = name #h

// Dwords of the structures that are neither registers nor window; 126 and 127 of v9 alone.
static const char *const others[TOTEM_MQD_MOST] = {
    [0]   = "header",
    [81]  = "cp_compute_csinvoc_count_lo",
    [82]  = "cp_compute_csinvoc_count_hi",
    [86]  = "cp_mqd_query_time_lo",
    [87]  = "cp_mqd_query_time_hi",
    [88]  = "cp_mqd_connect_start_time_lo",
    [89]  = "cp_mqd_connect_start_time_hi",
    [90]  = "cp_mqd_connect_end_time_lo",
    [91]  = "cp_mqd_connect_end_time_hi",
    [92]  = "cp_mqd_connect_end_wf_count",
    [93]  = "cp_mqd_connect_end_pq_rptr",
    [94]  = "cp_mqd_connect_end_pq_wptr",
    [95]  = "cp_mqd_connect_end_ib_rptr",
    [96]  = "cp_mqd_readindex_lo",
    [97]  = "cp_mqd_readindex_hi",
    [98]  = "cp_mqd_save_start_time_lo",
    [99]  = "cp_mqd_save_start_time_hi",
    [100] = "cp_mqd_save_end_time_lo",
    [101] = "cp_mqd_save_end_time_hi",
    [102] = "cp_mqd_restore_start_time_lo",
    [103] = "cp_mqd_restore_start_time_hi",
    [104] = "cp_mqd_restore_end_time_lo",
    [105] = "cp_mqd_restore_end_time_hi",
    [106] = "disable_queue",
    [107] = "totem_sequence",
    [108] = "gds_cs_ctxsw_cnt0",
    [109] = "gds_cs_ctxsw_cnt1",
    [110] = "gds_cs_ctxsw_cnt2",
    [111] = "gds_cs_ctxsw_cnt3",
    [114] = "cp_pq_exe_status_lo",
    [115] = "cp_pq_exe_status_hi",
    [116] = "cp_packet_id_lo",
    [117] = "cp_packet_id_hi",
    [118] = "cp_packet_exe_status_lo",
    [119] = "cp_packet_exe_status_hi",
    [120] = "gds_save_base_addr_lo",
    [121] = "gds_save_base_addr_hi",
    [122] = "gds_save_mask_lo",
    [123] = "gds_save_mask_hi",
    [124] = "ctx_save_base_addr_lo",
    [125] = "ctx_save_base_addr_hi",
    [126] = "dynamic_cu_mask_addr_lo",
    [127] = "dynamic_cu_mask_addr_hi",
    [192] = "iqtimer_pkt_header",
    NUMBERED(193, "iqtimer_pkt_dw", 0, 1, 2, 3, 4, 5, 6, 7),
    NUMBERED(201, "iqtimer_pkt_dw", 8, 9, 10, 11, 12, 13, 14, 15),
    NUMBERED(209, "iqtimer_pkt_dw", 16, 17, 18, 19, 20, 21, 22, 23),
    NUMBERED(217, "iqtimer_pkt_dw", 24, 25, 26, 27, 28, 29, 30, 31),
    [228] = "set_resources_header",
    [229] = "set_resources_dw1",
    [230] = "set_resources_dw2",
    [231] = "set_resources_dw3",
    [232] = "set_resources_dw4",
    [233] = "set_resources_dw5",
    [234] = "set_resources_dw6",
    [235] = "set_resources_dw7",
    NUMBERED(240, "queue_doorbell_id", 0, 1, 2, 3, 4, 5, 6, 7),
    NUMBERED(248, "queue_doorbell_id", 8, 9, 10, 11, 12, 13, 14, 15),
    [512] = "wptr_poll_mem",
    [513] = "rptr_report_mem",
    [514] = "dynamic_cu_mask",
    [515] = "dynamic_rb_mask",
};

static void window_word(uint32_t value, unsigned place, totem_pm4_word *word)
{
    static const char queue[] = "pipe[].queue[].";
    for (size_t n = 0; n < LENGTH(totem_regs_names); n++) {
        if (strncmp(totem_regs_names[n].name, queue, sizeof queue - 1) != 0 ||
            totem_regs_names[n].address != TOTEM_REG_PIPE_BASE + TOTEM_REG_QUEUE_BASE + 4 * place)
            continue;
        word->register_name = totem_regs_names[n].name + sizeof queue - 1;
        for (size_t f = 0; f < totem_regs_names[n].fields && word->items < LENGTH(word->item); f++) {
            const size_t    at    = totem_regs_names[n].first_field + f;
            const unsigned  width = totem_regs_fields[at].width;
            totem_pm4_item *item  = &word->item[word->items++];
            item->name            = totem_regs_fields[at].name;
            item->width           = width;
            item->value           = value >> totem_regs_fields[at].lsb & (UINT32_MAX >> (32 - width));
        }
        return;
    }
}

void totem_mqd_word_of(const uint32_t *words, unsigned dword, totem_chip chip, totem_pm4_word *word)
{
    const unsigned bit         = chip == TOTEM_CHIP_ANY ? GFX9 : 1u << (chip - TOTEM_CHIP_GFX9);
    bool           is_register = false;
    *word                      = (totem_pm4_word){0};
    if (bit == GFX12 && reserved(dword))
        return;
    if ((bit & (GFX11 | GFX12)) != 0 && dword >= GWS_FIRST && dword < GWS_FIRST + LENGTH(gws)) {
        word->register_name = gws[dword - GWS_FIRST];
        return;
    }
    if (dword >= WINDOW_FIRST && dword <= WINDOW_LAST)
        window_word(words[dword], dword - WINDOW_FIRST, word);
    for (size_t n = 0; n < LENGTH(places); n++)
        if (places[n].dword == dword && (places[n].chips & bit) != 0) {
            word->register_name = places[n].name;
            return;
        }
    if (word->register_name)
        return;
    for (size_t n = 0; n < LENGTH(registers); n++)
        is_register = is_register ||
                      (dword >= registers[n].first && dword <= registers[n].last && (registers[n].chips & bit) != 0);
    if (is_register) {
        // A packet of one write, so that names come from the same place as in a stream.
        const uint32_t   packet[] = {0xc0000000u | 1u << TOTEM_PM4_HEADER_COUNT_LSB |
                                         TOTEM_OP_SET_SH_REG << TOTEM_PM4_HEADER_OPCODE_LSB,
                                     TOTEM_SH_COMPUTE_FIRST + dword - REGISTERS_FIRST, words[dword]};
        totem_pm4_packet cut;
        totem_pm4_cut(packet, 3, 0, false, &cut);
        totem_pm4_word_of(&cut, packet, 2, chip, word);
        if (word->later_name)
            totem_pm4_word_of(&cut, packet, 2, TOTEM_CHIP_GFX9, word);
        if (word->register_name)
            return;
    }
    if (bit == GFX9 || (dword != 126 && dword != 127))
        word->register_name = others[dword];
}

#define DWORD(name) (WINDOW_FIRST + TOTEM_REG_QUEUE_##name)
#define FIELD(name, field) TOTEM_FIELD(words[DWORD(name)], TOTEM_QUEUE_##name##_##field)
#define REGISTER(name) words[REGISTERS_FIRST + TOTEM_SH_##name - TOTEM_SH_COMPUTE_DISPATCH_INITIATOR]

uint8_t totem_mqd_upper(unsigned dword, uint32_t value)
{
    switch (dword) {
    case DWORD(CP_HQD_PQ_BASE_HI): return (uint8_t)value; // of a ring bits 47:40 stand here alone
    case DWORD(CP_MQD_BASE_ADDR_HI):
    case DWORD(CP_HQD_PQ_RPTR_REPORT_ADDR_HI):
    case DWORD(CP_HQD_PQ_WPTR_POLL_ADDR_HI):
    case DWORD(CP_HQD_IB_BASE_ADDR_HI): return (uint8_t)(value >> 8);
    default: return 0;
    }
}

static uint64_t address(uint32_t low, uint32_t high)
{
    return (uint64_t)(high & 0xffffu) << 32 | (low & ~UINT32_C(3));
}

void totem_mqd_state_of(const uint32_t *words, totem_mqd_state *state)
{
    const uint32_t passed = FIELD(CP_HQD_IB_RPTR, CONSUMED_OFFSET);
    const uint32_t size   = FIELD(CP_HQD_IB_CONTROL, IB_SIZE);

    state->preload      = FIELD(CP_HQD_PERSISTENT_STATE, PRELOAD_REQ) != 0;
    state->grid         = FIELD(CP_HQD_PERSISTENT_STATE, DISP_ACTIVE) != 0;
    state->buffer       = FIELD(CP_HQD_IB_CONTROL, PROCESSING_IB) != 0;
    state->restart[0]   = REGISTER(COMPUTE_RESTART_X);
    state->restart[1]   = REGISTER(COMPUTE_RESTART_Y);
    state->restart[2]   = REGISTER(COMPUTE_RESTART_Z);
    state->granted      = REGISTER(COMPUTE_RELAUNCH) & 0x7fu;
    state->buffer_left  = passed < size ? size - passed : 0;
    state->top_rptr     = words[TOP_RPTR];
    state->top_sequence = words[TOP_SEQUENCE];
    state->end_rptr     = words[END_RPTR];
    state->end_sequence = words[END_SEQUENCE];
    state->buffer_address =
        address(words[DWORD(CP_HQD_IB_BASE_ADDR)], words[DWORD(CP_HQD_IB_BASE_ADDR_HI)]) + UINT64_C(4) * passed;
    state->ended = state->top_rptr == state->end_rptr && state->top_sequence == state->end_sequence;
}

// Whether a front end with that ADDRESS_HIGH cannot tell the address from another one.
static bool strange(uint8_t above, uint8_t upper, bool bit39)
{
    return (upper != 0 && upper != above) || (above != 0 && bit39);
}

static bool strange_half(uint8_t above, const uint32_t *words, unsigned dword)
{
    return strange(above, totem_mqd_upper(dword, words[dword]), (words[dword] & 0x80) != 0);
}

size_t totem_mqd_check(const uint32_t *words, uint8_t above, totem_mqd_refusal refusals[TOTEM_MQD_REFUSALS])
{
    totem_mqd_state state;
    totem_mqd_state_of(words, &state);
    const bool     aql       = FIELD(CP_HQD_PQ_CONTROL, SLOT_BASED_WPTR) != 0;
    const uint32_t size      = FIELD(CP_HQD_PQ_CONTROL, QUEUE_SIZE);
    const uint32_t base      = words[DWORD(CP_MQD_BASE_ADDR)];
    const bool     described = base != 0 || (words[DWORD(CP_MQD_BASE_ADDR_HI)] & 0xffff) != 0;
    const uint32_t lead      = words[DWORD(CP_HQD_PQ_WPTR_LO)] - words[DWORD(CP_HQD_PQ_RPTR)];
    const bool     nowhere   = (state.preload || state.buffer) && !described;
    const bool     quiet     = FIELD(CP_HQD_PQ_CONTROL, NO_UPDATE_RPTR) != 0;
    const bool     ring = strange(above, (uint8_t)words[DWORD(CP_HQD_PQ_BASE_HI)], words[DWORD(CP_HQD_PQ_BASE)] >> 31);
    const uint8_t  address = TOTEM_ERROR_HOST_MAP_ADDRESS, field = TOTEM_ERROR_DESCRIPTOR_MQD_FIELD;
    const struct {
        bool              refused;
        totem_mqd_refusal why;
    } checks[TOTEM_MQD_REFUSALS] = {
        {state.grid && !state.preload,
         {TOTEM_ERROR_HOST_MAP_STATE, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD, DWORD(CP_HQD_PERSISTENT_STATE)}},
        {FIELD(CP_HQD_PIPE_PRIORITY, PIPE_PRIORITY) == 3,
         {TOTEM_ERROR_HOST_MAP_PIPE_PRIORITY, TOTEM_ERROR_DESCRIPTOR_PIPE_PRIORITY, DWORD(CP_HQD_PIPE_PRIORITY)}},
        {state.buffer && strange_half(above, words, DWORD(CP_HQD_IB_BASE_ADDR_HI)),
         {address, field, DWORD(CP_HQD_IB_BASE_ADDR_HI)}},
        {aql, {TOTEM_ERROR_HOST_MAP_AQL, TOTEM_ERROR_DESCRIPTOR_AQL, DWORD(CP_HQD_PQ_CONTROL)}},
        {!aql && (size < 3 || size > 30),
         {TOTEM_ERROR_HOST_MAP_QUEUE_SIZE, TOTEM_ERROR_DESCRIPTOR_QUEUE_SIZE, DWORD(CP_HQD_PQ_CONTROL)}},
        {words[DWORD(CP_HQD_AQL_CONTROL)] != 0,
         {TOTEM_ERROR_HOST_MAP_AQL, TOTEM_ERROR_DESCRIPTOR_AQL, DWORD(CP_HQD_AQL_CONTROL)}},
        {(base & 7) != 0, {TOTEM_ERROR_HOST_MAP_MQD, 0, DWORD(CP_MQD_BASE_ADDR)}},
        {nowhere, {TOTEM_ERROR_HOST_MAP_STATE, 0, DWORD(CP_MQD_BASE_ADDR_HI)}},
        {!nowhere && strange_half(above, words, DWORD(CP_MQD_BASE_ADDR_HI)), {address, 0, DWORD(CP_MQD_BASE_ADDR_HI)}},
        {!quiet && strange_half(above, words, DWORD(CP_HQD_PQ_RPTR_REPORT_ADDR_HI)),
         {address, field, DWORD(CP_HQD_PQ_RPTR_REPORT_ADDR_HI)}},
        {strange_half(above, words, DWORD(CP_HQD_PQ_WPTR_POLL_ADDR_HI)),
         {address, field, DWORD(CP_HQD_PQ_WPTR_POLL_ADDR_HI)}},
        {lead > UINT32_C(2) << (size & 31u),
         {TOTEM_ERROR_HOST_MAP_POINTERS, TOTEM_ERROR_DESCRIPTOR_MQD_FIELD, DWORD(CP_HQD_PQ_WPTR_LO)}},
        {ring, {address, field, DWORD(CP_HQD_PQ_BASE)}},
    };
    size_t count = 0;
    for (size_t n = 0; n < TOTEM_MQD_REFUSALS; n++)
        if (checks[n].refused)
            refusals[count++] = checks[n].why;
    return count;
}
