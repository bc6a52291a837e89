// SPDX-License-Identifier: Apache-2.0
//
// PM4 tables, decoder, assembler; and, where the folder of captured streams is there ($TOTEM_STREAMS, or shared/streams
// beside the clone), every AMD stream against the counts and decodes that came with it. The same in every
// configuration, so sim/tests.d/30-pm4.sh builds it, and not sim/unit.sh.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "pm4_assemble.h"
#include "pm4_decode.h"
#include "totem_pm4.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests.h"

static totem_pm4_packet cut(const uint32_t *words, size_t count, bool graphics)
{
    totem_pm4_packet packet;
    totem_pm4_cut(words, count, 0, graphics, &packet);
    return packet;
}

TEST(tables)
{
    unsigned known = 0, executed = 0;
    for (unsigned op = 0; op < 256; op++) {
        assert_int_equal(totem_op_known((uint8_t)op), totem_pm4_opcode_name((uint8_t)op) != NULL);
        known += totem_op_known((uint8_t)op);
        executed += totem_op_executed((uint8_t)op);
        assert_true(totem_op_known((uint8_t)op) || !totem_op_executed((uint8_t)op));
    }
    assert_int_equal(known, 150 + 3);
    assert_int_equal(executed, 22);
    assert_string_equal(totem_pm4_opcode_name(0x76), "SET_SH_REG");
    assert_int_equal(TOTEM_SH_COMPUTE_USER_DATA_15, 0x24f);
    assert_int_equal(totem_sh_reset(TOTEM_SH_COMPUTE_STATIC_THREAD_MGMT_SE2), 0xffffffffu);
    assert_int_equal(totem_sh_reset(TOTEM_SH_COMPUTE_TMPRING_SIZE), 0);
    assert_int_equal(totem_error_code("MEMORY_WRITE_DECERR"), 0x66);
    assert_string_equal(totem_error_name(0x21), "PACKET_HEADER_TYPE");
    assert_null(totem_error_name(0));
}

TEST(cuts)
{
    static const struct {
        uint32_t        words[5];
        size_t          count; // of them
        bool            graphics;
        totem_pm4_fault fault;
        size_t          dwords;
    } rows[] = {
        {{0xffff1000u, 0}, 2, false, TOTEM_PM4_SOUND, 1}, // NOP of one dword
        {{0x80000000u, 0}, 2, false, TOTEM_PM4_SOUND, 1}, // filler
        {{0x00012345u, 0}, 2, false, TOTEM_PM4_HEADER_TYPE, 0},
        {{0x40000000u, 0}, 2, false, TOTEM_PM4_HEADER_TYPE, 0},
        {{0xc0000300u, 0}, 2, false, TOTEM_PM4_OPCODE, 0},
        {{0xc0031500u, 1, 2, 3, 1}, 5, false, TOTEM_PM4_SOUND, 5},
        {{0xc0031500u, 1, 2, 3}, 4, false, TOTEM_PM4_CUT_SHORT, 0},
        {{0xc0014600u, 0x407, 0}, 3, false, TOTEM_PM4_COUNT_FORM, 0}, // 2 or 4 dwords, not 3
        {{0xc0014600u, 0x407, 0}, 3, true, TOTEM_PM4_SOUND, 3},
    };
    for (size_t n = 0; n < COUNT(rows); n++) {
        const totem_pm4_packet packet = cut(rows[n].words, rows[n].count, rows[n].graphics);
        assert_int_equal(packet.fault, rows[n].fault);
        if (packet.fault == TOTEM_PM4_SOUND)
            assert_int_equal(packet.dwords, rows[n].dwords);
        if (packet.fault == TOTEM_PM4_CUT_SHORT)
            assert_int_equal(packet.present, rows[n].count);
    }
    for (totem_pm4_fault fault = TOTEM_PM4_HEADER_TYPE; fault <= TOTEM_PM4_CUT_SHORT; fault++) {
        char             text[256];
        totem_pm4_packet packet = {.fault = fault};
        totem_pm4_explain(&packet, text, sizeof text);
        assert_true(strlen(text) > 40);
    }
}

static const totem_pm4_item *item(const totem_pm4_word *word, const char *name)
{
    for (size_t n = 0; n < word->items; n++)
        if (strcmp(word->item[n].name, name) == 0)
            return &word->item[n];
    fail_msg("no field %s", name);
    return NULL;
}

TEST(fields)
{
    const uint32_t   release[] = {0xc0064900u, 0x0070f514u, 0x42000000u, 0xf0000000u, 7, 9, 0, 0};
    totem_pm4_packet packet    = cut(release, 8, false);
    totem_pm4_word   word;
    totem_pm4_word_of(&packet, release, 1, TOTEM_CHIP_ANY, &word);
    assert_string_equal(item(&word, "event_type")->text, "CACHE_FLUSH_AND_INV_TS_EVENT");
    assert_string_equal(item(&word, "event_index")->text, "end_of_pipe");
    assert_int_equal(item(&word, "gcr_cntl")->value, 0x70f);
    totem_pm4_word_of(&packet, release, 2, TOTEM_CHIP_ANY, &word);
    assert_string_equal(item(&word, "data_sel")->text, "64_bits");
    assert_string_equal(item(&word, "int_sel")->text, "interrupt_after_write");

    // Fields and names of values by chip. The bits are one mistake of a driver: those of GFX9 on a later chip.
    static const struct {
        totem_chip  chip;
        const char *field;
        uint32_t    value;
    } chips[]           = {{TOTEM_CHIP_GFX9, "tc_wb_action_ena", 1},   {TOTEM_CHIP_GFX9, "tc_md_action_ena", 1},
                           {TOTEM_CHIP_GFX9, "tc_nc_action_ena", 1},   {TOTEM_CHIP_GFX9, "tcl1_vol_action_ena", 0},
                           {TOTEM_CHIP_GFX9, "reserved", 0x81000000},  {TOTEM_CHIP_GFX10, "gcr_cntl", 0x2b8},
                           {TOTEM_CHIP_GFX10, "reserved", 0x81000000}, {TOTEM_CHIP_GFX11, "gcr_cntl", 0x12b8},
                           {TOTEM_CHIP_GFX11, "pws_enable", 1}};
    const uint32_t wb[] = {0xc0064900u, 0x812b8515u, 0, 0, 0, 0, 0, 0};
    packet              = cut(wb, 8, false);
    for (size_t n = 0; n < COUNT(chips); n++) {
        totem_pm4_word_of(&packet, wb, 1, chips[n].chip, &word);
        assert_int_equal(item(&word, chips[n].field)->value, chips[n].value);
        assert_string_equal(item(&word, "event_type")->text,
                            chips[n].chip == TOTEM_CHIP_GFX11 ? "WAIT_SYNC" : "ZPASS_DONE");
    }

    const uint32_t set[] = {0xc0027600u, 0x227, 5, 3};
    packet               = cut(set, 4, false);
    totem_pm4_word_of(&packet, set, 3, TOTEM_CHIP_ANY, &word);
    assert_true(word.is_register);
    assert_int_equal(word.address, 0x2e28);
    assert_string_equal(word.register_name, "COMPUTE_STATIC_THREAD_MGMT_SE7");
    assert_string_equal(word.later_name, "COMPUTE_PGM_RSRC3");
    totem_pm4_word_of(&packet, set, 3, TOTEM_CHIP_GFX11, &word);
    assert_string_equal(word.register_name, "COMPUTE_PGM_RSRC3");
    assert_int_equal(item(&word, "SHARED_VGPR_CNT")->value, 3);
    totem_pm4_word_of(&packet, set, 3, TOTEM_CHIP_GFX9, &word);
    assert_string_equal(word.register_name, "COMPUTE_STATIC_THREAD_MGMT_SE7");
    assert_int_equal(item(&word, "SH0_CU_EN")->value, 3);
}

// Registers of a graphics queue, in each form that writes or names them.
TEST(graphics_registers)
{
    static const struct {
        uint32_t    words[5];
        size_t      number; // of the body dword
        const char *name;   // of its register, or of its first field's value
    } rows[] = {
        {{0xc0016900u, 0x2d6, 0xc335}, 2, "VGT_LS_HS_CONFIG"},
        {{0xc0027600u, 0x08a, 0, 0}, 3, "SPI_SHADER_PGM_RSRC2_GS"},
        {{0xc0017900u, 0x242, 4}, 2, "VGT_PRIMITIVE_TYPE"},
        {{0xc0017a00u, 0x10000243u, 1}, 2, "VGT_INDEX_TYPE"},
        {{0xc003b800u, 0x08e, 1, 0x327, 2}, 4, "CB_COLOR1_BASE"},
        {{0xc003b900u, 2, 0x0327008eu, 1, 2}, 3, "CB_TARGET_MASK"},
        {{0xc003b900u, 2, 0x0327008eu, 1, 2}, 4, "CB_COLOR1_BASE"},
        {{0xc003b900u, 2, 0x0327008eu, 1, 2}, 2, "CB_TARGET_MASK"},
        {{0xc003ba00u, 0x00c, 1, 0x02b, 2}, 4, "SPI_SHADER_USER_DATA_PS_31"},
        {{0xc003bb00u, 2, 0x020c008c, 1, 2}, 4, "COMPUTE_PGM_LO"},
        {{0xc003bd00u, 2, 0x020c008c, 1, 2}, 3, "SPI_SHADER_USER_DATA_GS_0"},
        {{0xc0025100u, 0x1e7, 0xff, 1}, 1, "CB_BLEND7_CONTROL"},
        {{0xc0036100u, 0x1000, 0, 0x202, 1}, 3, "CB_COLOR_CONTROL"},
        {{0xc0039f00u, 0x1000, 0, 0x202, 1}, 3, "CB_COLOR_CONTROL"},
        {{0xc0032400u, 0, 0x08e, 0x08f, 2}, 2, "SPI_SHADER_USER_DATA_GS_2"},
    };
    totem_pm4_word word;
    for (size_t n = 0; n < COUNT(rows); n++) {
        const totem_pm4_packet packet = cut(rows[n].words, 5, true);
        assert_true(packet.form >= 0 && packet.executed);
        totem_pm4_word_of(&packet, rows[n].words, rows[n].number, TOTEM_CHIP_GFX10, &word);
        const char *found = word.is_register ? word.register_name : word.item[0].text;
        if (!found || strcmp(found, rows[n].name) != 0)
            fail_msg("row %zu is %s, not %s", n, found ? found : "without a name", rows[n].name);
    }
    const uint32_t   set[]  = {0xc0016900u, 0x00e, 5};
    totem_pm4_packet packet = cut(set, 3, true);
    totem_pm4_word_of(&packet, set, 2, TOTEM_CHIP_ANY, &word);
    assert_string_equal(word.register_name, "DB_Z_INFO");
    assert_string_equal(word.later_name, "DB_DFSM_CONTROL");
    totem_pm4_word_of(&packet, set, 2, TOTEM_CHIP_GFX10, &word);
    assert_string_equal(word.register_name, "DB_DFSM_CONTROL");
    totem_pm4_word_of(&packet, set, 2, TOTEM_CHIP_GFX11, &word);
    assert_null(word.register_name);
    packet = cut(rows[0].words, 3, true);
    totem_pm4_word_of(&packet, rows[0].words, 2, TOTEM_CHIP_ANY, &word);
    assert_int_equal(item(&word, "HS_NUM_INPUT_CP")->value, 3);
    packet = cut(rows[2].words, 3, true);
    totem_pm4_word_of(&packet, rows[2].words, 2, TOTEM_CHIP_ANY, &word);
    assert_string_equal(item(&word, "PRIM_TYPE")->text, "triangle_list");
}

static void assemble_good(const char *text, size_t count, const uint32_t *expected)
{
    uint32_t words[32];
    char     message[256] = "";
    size_t   made         = 0;
    if (!totem_pm4_assemble(text, words, 32, &made, message, sizeof message))
        fail_msg("%s: %s", text, message);
    assert_int_equal(made, count);
    assert_memory_equal(words, expected, count * sizeof *words);
}

#define GOOD(text, ...) \
    assemble_good(text, sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), (const uint32_t[]){__VA_ARGS__})

TEST(assembles)
{
    GOOD("NOP", 0xffff1000u);
    GOOD("NOP 1 0x2", 0xc0011000u, 1, 2);
    GOOD("FILLER", 0x80000000u);
    GOOD("DWORD 0x12 34", 0x12, 34);
    GOOD("OPCODE 0x03 7", 0xc0000300u, 7);
    GOOD("DISPATCH_DIRECT 16 1 1 0x8005", 0xc0031500u, 16, 1, 1, 0x8005);
    GOOD("DISPATCH_DIRECT/0x2 16 1 1 cs_w32_en=1,compute_shader_en=1", 0xc0031502u, 16, 1, 1, 0x8001);
    GOOD("SET_SH_REG COMPUTE_PGM_LO 0x3000000 0", 0xc0027600u, 0x20c, 0x3000000, 0);
    GOOD("SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3,WGP_MODE=1", 0xc0017600u, 0x212, 0x20000003u);
    GOOD("SET_SH_REG COMPUTE_PGM_RSRC3 INST_PREF_SIZE=2", 0xc0017600u, 0x228, 0x20);
    // A smart wait in both ways that a packet has, and under the name that public lists have for one.
    GOOD("WAIT_REG_MEM operation=smart_wait 0 0 0 0 optimize_ace_offload_mode=smart_wait", 0xc0053c00u, 0xc0, 0, 0, 0,
         0, 0x80000000u);
    GOOD("WAIT_REG_MEM operation=wait_mem_preemptable 0 0 0 0 0", 0xc0053c00u, 0xc0, 0, 0, 0, 0, 0);
    GOOD("RELEASE_MEM event_type=ZPASS_DONE,tc_wb_action_ena=1,tc_action_ena=1 0 0 0 0 0 0", 0xc0064900u, 0x28015, 0, 0,
         0, 0, 0, 0);
    GOOD("EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush", 0xc0004600u, 0x407);
    GOOD("INDIRECT_BUFFER @0x1234567890 ib_size=8,valid=1", 0xc0023f00u, 0x34567890u, 0x12, 0x00800008u);
    GOOD("WAIT_REG_MEM function=ge,mem_space=memory @0x7f0000000 1 0xffffffff 4", 0xc0053c00u, 0x15, 0xf0000000u, 7, 1,
         0xffffffffu, 4);
    GOOD("LAUNCH_TASK 0x1000", 0xc000fc00u, 0x1000);
    GOOD("WAIT_TIMER 500", 0xc000fd00u, 500);
    GOOD("CONTEXT_BOUNCE 3 0x89abcdef 0x01234567", 0xc002d400u, 3, 0x89abcdefu, 0x1234567);
    GOOD("SET_CONTEXT_REG VGT_LS_HS_CONFIG NUM_PATCHES=53,HS_NUM_INPUT_CP=3,HS_NUM_OUTPUT_CP=3", 0xc0016900u, 0x2d6,
         0xc335);
    GOOD("SET_UCONFIG_REG VGT_PRIMITIVE_TYPE PRIM_TYPE=patch", 0xc0017900u, 0x242, 9);
    GOOD("SET_SH_REG SPI_SHADER_PGM_RSRC1_PS VGPRS=3", 0xc0017600u, 0x00a, 3);
    GOOD("DRAW_INDEX_INDIRECT 16 base_vtx_loc=SPI_SHADER_USER_DATA_GS_2 0x8f 0", 0xc0032500u, 16, 0x8e, 0x8f, 0);
}

TEST(refuses)
{
    static const struct {
        const char *text, *complaint;
    } bad[] = {
        {"", "empty packet"},
        {"NOPE 1", "no packet is called 'NOPE'; the nearest are NOP, "},
        {"DISPATCH_DIRECT 1 2 3", "takes 4 body dwords, here are 3"},
        {"EVENT_WRITE 1 2", "takes 1 or 3 body dwords"},
        {"SET_SH_REG", "takes 1 or more"},
        {"HDP_FLUSH", "needs a body dword"},
        {"FILLER 1", "takes no operands"},
        {"DWORD", "needs a number"},
        {"NOP 0x100000000", "too large"},
        {"NOP 12a", "neither a number nor a name"},
        {"EVENT_WRITE event=7", "no field 'event' in this dword; its fields are event_type event_index samp_plst"},
        {"SET_CONTEXT_REG 0 A=1", "no field 'A' in this dword; it has none"},
        {"DISPATCH_DIRECT 1 1 1 cs_w32_en=2", "too large"},
        {"WAIT_REG_MEM function=equal 0 0 0 0 0",
         "function: 'equal' is neither a number nor a name known here; its values are 0 to 0x7, with a name always "
         "lt le eq ne ge gt"},
        {"WAIT_REG_MEM function=8 0 0 0 0 0", "the most is 0x7; its values are 0 to 0x7, with a name always lt"},
        {"EVENT_WRITE event_type=CS_PARTIAL", // one of many values
         "known here; its values are 0 to 0x3f; the nearest names are CS_PARTIAL_FLUSH, VS_PARTIAL_FLUSH, "},
        {"EVENT_WRITE event_type=64", "the most is 0x3f; its values are 0 to 0x3f; docs/pm4.md lists all 63 names"},
        {"EVENT_WRITE event_type=32_bit", "event_type: '32_bit' is neither a number nor"},
        {"DISPATCH_DIRECT 1 1 1 cs_w32_en=1,cs_w32_en=1", "stands twice"},
        {"DISPATCH_DIRECT 1 1 1 cs_w32_en=", "number is missing"},
        {"INDIRECT_BUFFER @0x1001 8", "not aligned"},
        {"DISPATCH_DIRECT @0x1 1 1", "pair of dwords"},
        {"SET_SH_REG COMPUTE_NUMTHREAD_X 0", "a name known here; the nearest registers are COMPUTE_NUM_THREAD_X, "},
        {"SET_CONTEXT_REG VGT_PRIMITIVE_TYPE 4", "neither a number nor a name"}, // of another window
        {"SET_CONTEXT_REG DB_Z_INFO 4", "chips have it at several offsets"},
        {"OPCODE 256 1", "too large"}};
    for (size_t n = 0; n < COUNT(bad); n++) {
        uint32_t words[32];
        char     message[TOTEM_PM4_MESSAGE] = "";
        size_t   made;
        assert_false(totem_pm4_assemble(bad[n].text, words, 32, &made, message, sizeof message));
        if (!strstr(message, bad[n].complaint))
            fail_msg("'%s' complains '%s', not '%s'", bad[n].text, message, bad[n].complaint);
    }
    uint32_t two[2];
    char     message[256];
    size_t   made;
    assert_false(totem_pm4_assemble("NOP 1 2", two, 2, &made, message, sizeof message));
    assert_non_null(strstr(message, "more than 2 dwords"));
}

// Prints the packet and assembles what is printed: the same dwords must come back.
static void round_trip(const uint32_t *words, const totem_pm4_packet *packet)
{
    static uint32_t made[TOTEM_PM4_MOST_DWORDS];
    char           *text = NULL, message[256] = "";
    size_t          size = 0, count = 0;
    FILE           *out = open_memstream(&text, &size);
    assert_non_null(out);
    totem_pm4_print(out, packet, words);
    fclose(out);
    if (!totem_pm4_assemble(text, made, TOTEM_PM4_MOST_DWORDS, &count, message, sizeof message))
        fail_msg("'%s': %s", text, message);
    if (count != packet->present || memcmp(made, words + packet->offset, count * sizeof *made) != 0)
        fail_msg("'%s' gives other dwords than it was printed from", text);
    free(text);
}

static uint32_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*seed >> 32);
}

// Every opcode, named or not, every size up to 20 dwords, words dense and sparse, whole and cut short.
TEST(round_trips)
{
    uint64_t seed = 1;
    for (unsigned round = 0; round < 10 * 256; round++) {
        unsigned op = round % 256;
        for (uint32_t body = 1; body < 20; body++) {
            uint32_t words[20];
            words[0] = 0xc0000000u | (body - 1) << 16 | op << 8 | (op & 3 ? 0 : next_random(&seed) & 0xff);
            for (uint32_t n = 1; n <= body; n++) {
                uint32_t value = next_random(&seed);
                switch (next_random(&seed) % 4) {
                case 0: break;
                case 1: value &= 0xff; break;
                case 2: value &= UINT32_C(1) << next_random(&seed) % 32; break;
                default: value = 0x200 + value % 0x80; break;
                }
                words[n] = value;
            }
            totem_pm4_packet packet = cut(words, body + 1, body & 1);
            round_trip(words, &packet);
            packet = cut(words, body, false);
            round_trip(words, &packet);
        }
    }
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

TEST(hex_files)
{
    static const struct {
        const char *text, *complaint;
    } bad[]     = {{"12\n3x\n", ":2: not a hexadecimal dword"},
                   {"// a\n\n123456789\n", ":3: more than 8 digits"},
                   {"1\n@10\n", ":2: @ addresses"},
                   {"1 /* \n\n", ":1: comment without end"},
                   {"1\n/2\n", ":2: '/' begins no comment"}};
    char path[] = "/tmp/totem-test-XXXXXX", message[512];
    int  handle = mkstemp(path);
    assert_true(handle >= 0);
    close(handle);
    totem_hex hex;
    write_file(path, "// one\nc0031500 // two\n/* 3\n4 */ 00_01 2\nFFFFFFFF");
    if (!totem_hex_read(path, &hex, message, sizeof message))
        fail_msg("%s", message);
    assert_int_equal(hex.count, 4);
    assert_int_equal(hex.words[0], 0xc0031500u);
    assert_int_equal(hex.words[1], 1);
    assert_int_equal(hex.words[3], 0xffffffffu);
    assert_int_equal(hex.lines[0], 2);
    assert_int_equal(hex.lines[2], 4);
    assert_int_equal(hex.lines[3], 5);
    totem_hex_free(&hex);
    for (size_t n = 0; n < COUNT(bad); n++) {
        write_file(path, bad[n].text);
        assert_false(totem_hex_read(path, &hex, message, sizeof message));
        if (strncmp(message, path, strlen(path)) != 0 || !strstr(message, bad[n].complaint))
            fail_msg("complains '%s', not '%s'", message, bad[n].complaint);
    }
    unlink(path);
    assert_false(totem_hex_read(path, &hex, message, sizeof message));
    assert_non_null(strstr(message, "No such file"));
}

// ---- Captured streams ----

// The folder of the streams, or NULL with a message where it is absent.
static const char *streams(void)
{
    const char *folder = getenv("TOTEM_STREAMS");
    if (!folder)
        folder = "../shared/streams";
    DIR *directory = opendir(folder);
    if (directory) {
        closedir(directory);
        return folder;
    }
    // A folder that was asked for must be there.
    if (getenv("TOTEM_STREAMS"))
        fail_msg("TOTEM_STREAMS=%s: no such folder", folder);
    print_message("SKIPPED captured streams: they are not in %s; name their folder with TOTEM_STREAMS=\n", folder);
    return NULL;
}

static void read_stream(const char *folder, const char *name, totem_hex *hex)
{
    char path[512], message[600];
    snprintf(path, sizeof path, "%s/%s.hex", folder, name);
    if (!totem_hex_read(path, hex, message, sizeof message))
        fail_msg("%s", message);
}

// Packets of every AMD stream, as its source counts them; of the compute stream also those of each opcode.
TEST(all_streams)
{
    static const struct {
        const char *name;
        size_t      dwords, packets;
    } all[]                            = {{"umr_gfx9_cezanne_glmark2_ring", 2048, 1736},
                                          {"umr_gfx9_cezanne_glmark2_ib0", 768, 361},
                                          {"umr_gfx9_cezanne_glmark2_ib1", 512, 274},
                                          {"umr_gfx10_navi10_heaven_ring", 2048, 1760},
                                          {"umr_gfx10_navi10_heaven_ib0", 8448, 1767},
                                          {"umr_gfx10_navi10_heaven_ib1", 10240, 2026},
                                          {"libdrm_gfx9_preamblecache", 156, 41},
                                          {"libdrm_gfx9_cached_cmd", 50, 12},
                                          {"libdrm_gfx10_preamblecache", 203, 53},
                                          {"libdrm_gfx10_cached_cmd", 50, 12},
                                          {"radeon_cik_default_state", 190, 22},
                                          {"clearstate_ci", 908, 11},
                                          {"clearstate_gfx9", 904, 12},
                                          {"clearstate_gfx10", 946, 12},
                                          {"pm4_compute_gfx11_0_0_tinygrad", 1820, 392}};
    static const uint32_t compute[][2] = {{TOTEM_OP_SET_SH_REG, 288},     {TOTEM_OP_ACQUIRE_MEM, 32},
                                          {TOTEM_OP_DISPATCH_DIRECT, 32}, {TOTEM_OP_EVENT_WRITE, 32},
                                          {TOTEM_OP_WAIT_REG_MEM, 4},     {TOTEM_OP_RELEASE_MEM, 4}};
    const char           *folder       = streams();
    if (!folder)
        skip();
    for (size_t n = 0; n < COUNT(all); n++) {
        const bool graphics = strncmp(all[n].name, "pm4_compute", 11) != 0;
        totem_hex  hex;
        size_t     packets = 0, offset = 0;
        uint32_t   seen[256] = {0};
        read_stream(folder, all[n].name, &hex);
        while (offset < hex.count) {
            totem_pm4_packet packet;
            totem_pm4_cut(hex.words, hex.count, offset, graphics, &packet);
            if (packet.fault != TOTEM_PM4_SOUND || !packet.name || !(graphics || packet.executed))
                fail_msg("%s: dword %zu: fault %d", all[n].name, offset, packet.fault);
            round_trip(hex.words, &packet);
            packets++;
            seen[packet.op]++;
            offset += packet.dwords;
        }
        if (offset != all[n].dwords || packets != all[n].packets)
            fail_msg("%s: %zu dwords, %zu packets", all[n].name, offset, packets);
        for (size_t k = 0; !graphics && k < COUNT(compute); k++)
            assert_int_equal(seen[compute[k][0]], compute[k][1]);
        totem_hex_free(&hex);
    }
}

// A register has the name that the other decoder uses for that chip; one of the compute block may have it as a further
// name.
static bool named_as(const totem_hex *hex, const totem_pm4_packet *packet, size_t number, const char *name,
                     totem_chip chip)
{
    totem_pm4_word word;
    uint32_t       words[3];
    size_t         count;
    char           text[160], message[256];
    totem_pm4_word_of(packet, hex->words, number, chip, &word);
    if (!word.is_register)
        return packet->op == TOTEM_OP_WRITE_DATA; // to a register
    if (word.register_name && strcmp(word.register_name, name) == 0)
        return true;
    snprintf(text, sizeof text, "SET_SH_REG %s 0", name);
    return totem_pm4_assemble(text, words, 3, &count, message, sizeof message) &&
           words[1] + TOTEM_WINDOW_SH_FIRST == word.address;
}

// Packet by packet against another decoder's reading of the same stream: `P dword opcode name body`, `R dword name
// value`.
static size_t compare_golden(const char *folder, const char *name, bool whole)
{
    char      path[512], line[256];
    totem_hex hex;
    read_stream(folder, name, &hex);
    snprintf(path, sizeof path, "%s/%s.golden.txt", folder, name);
    FILE *golden = fopen(path, "r");
    if (!golden)
        fail_msg("%s: %s", path, strerror(errno));
    totem_pm4_packet packet  = {0};
    size_t           packets = 0, registers = 0;
    const totem_chip chip = strstr(name, "gfx9") ? TOTEM_CHIP_GFX9 : TOTEM_CHIP_GFX10;
    while (fgets(line, sizeof line, golden)) {
        char       *rest = NULL;
        const char *kind = strtok_r(line, " \n", &rest), *first = strtok_r(NULL, " \n", &rest);
        const char *second = strtok_r(NULL, " \n", &rest), *third = strtok_r(NULL, " \n", &rest);
        const char *fourth = strtok_r(NULL, " \n", &rest);
        if (!third)
            continue;
        size_t index = strtoul(first, NULL, 10);
        if (strcmp(kind, "P") == 0 && fourth) {
            unsigned long op = strtoul(second, NULL, 16), body = strtoul(fourth, NULL, 10);
            if (whole && index != packet.offset + packet.dwords && packets)
                fail_msg("%s: a packet at dword %zu, here at %zu", path, index, packet.offset + packet.dwords);
            totem_pm4_cut(hex.words, hex.count, index, true, &packet);
            if (packet.type != 3 || packet.op != op || packet.dwords != body + 1 || !packet.name ||
                strcmp(packet.name, third) != 0)
                fail_msg("%s: dword %zu is %s 0x%02lx of %lu body dwords, here %s 0x%02x of %zu", path, index, third,
                         op, body, packet.name ? packet.name : "?", packet.op, packet.dwords - 1);
            packets++;
        } else if (strcmp(kind, "R") == 0) {
            if (index <= packet.offset || index >= packet.offset + packet.dwords ||
                hex.words[index] != strtoul(third, NULL, 16) ||
                !named_as(&hex, &packet, index - packet.offset, second, chip))
                fail_msg("%s: register %s at dword %zu is not so here", path, second, index);
            registers++;
        }
    }
    fclose(golden);
    if (whole && packet.offset + packet.dwords != hex.count)
        fail_msg("%s: ends at dword %zu of %zu", path, packet.offset + packet.dwords, hex.count);
    totem_hex_free(&hex);
    assert_true(packets > 0);
    return packets + registers;
}

TEST(golden_streams)
{
    const char *folder = streams();
    if (!folder)
        skip();
    static const struct {
        const char *name;
        bool        whole; // of the rings the other decoder read the live part only
    } rows[]        = {{"umr_gfx9_cezanne_glmark2_ib0", true},   {"umr_gfx9_cezanne_glmark2_ib1", true},
                       {"umr_gfx10_navi10_heaven_ib0", true},    {"umr_gfx10_navi10_heaven_ib1", true},
                       {"umr_gfx9_cezanne_glmark2_ring", false}, {"umr_gfx10_navi10_heaven_ring", false}};
    size_t compared = 0;
    for (size_t n = 0; n < COUNT(rows); n++)
        compared += compare_golden(folder, rows[n].name, rows[n].whole);
    print_message("%zu packets and register writes agree with the other decoder\n", compared);
}
