// SPDX-License-Identifier: Apache-2.0
//
// board_model: see run_board_model.h.

#include "run_board_model.h"

#if TOTEM_FE_COUNT == 1

#include "../../../cmodel/bridge/totem_fold.h"

#include <stdlib.h>
#include <string.h>

// What machine and core show in the next clock.
static void look(board_model *b)
{
    if (b->cores) {
        totem_core_outputs(&b->machine, &b->out, &b->seen);
        cores_port_look(b->cores, b->out.wave);
    } else
        totem_machine_outputs(&b->machine, &b->out, &b->seen);
}

board_model *board_model_create(void)
{
    board_model *b = calloc(1, sizeof *b);
    if (b && cores_port_there())
        b->cores = cores_port_create();
    if (!b || (cores_port_there() && !b->cores)) {
        free(b);
        return NULL;
    }
    totem_machine_reset(&b->machine);
    totem_store_reset(&b->store);
    totem_boot_reset(&b->boot);
    totem_signature_reset(&b->signature);
    totem_trace_reset(&b->trace);
    look(b);
    return b;
}

void board_model_destroy(board_model *b)
{
    if (b)
        cores_port_destroy(b->cores);
    free(b);
}

// The machine's output pins, for those who read them by the same names.
#define PINS(to, from, at)                              \
    do {                                                \
        (to)->m_axi_awid    at = (from)->m_axi_awid;    \
        (to)->m_axi_awaddr  at = (from)->m_axi_awaddr;  \
        (to)->m_axi_awlock  at = (from)->m_axi_awlock;  \
        (to)->m_axi_awvalid at = (from)->m_axi_awvalid; \
        (to)->m_axi_wdata   at = (from)->m_axi_wdata;   \
        (to)->m_axi_wstrb   at = (from)->m_axi_wstrb;   \
        (to)->m_axi_wlast   at = (from)->m_axi_wlast;   \
        (to)->m_axi_wvalid  at = (from)->m_axi_wvalid;  \
        (to)->m_axi_bready  at = (from)->m_axi_bready;  \
        (to)->m_axi_arid    at = (from)->m_axi_arid;    \
        (to)->m_axi_araddr  at = (from)->m_axi_araddr;  \
        (to)->m_axi_arlen   at = (from)->m_axi_arlen;   \
        (to)->m_axi_arlock  at = (from)->m_axi_arlock;  \
        (to)->m_axi_arvalid at = (from)->m_axi_arvalid; \
        (to)->m_axi_rready  at = (from)->m_axi_rready;  \
    } while (0)

static totem_signature_in signature_inputs(const totem_boot_out *boot, const totem_machine_out *out)
{
    const totem_host_out   *h = &out->host;
    const totem_memory_out *m = &out->fe[0].memory;
    totem_signature_in      i = {.boot_start     = boot->start,
                                 .boot_running   = boot->running,
                                 .s_axil_awready = h->s_axil_awready,
                                 .s_axil_wready  = h->s_axil_wready,
                                 .s_axil_bresp   = h->s_axil_bresp,
                                 .s_axil_bvalid  = h->s_axil_bvalid,
                                 .s_axil_arready = h->s_axil_arready,
                                 .s_axil_rdata   = h->s_axil_rdata,
                                 .s_axil_rresp   = h->s_axil_rresp,
                                 .s_axil_rvalid  = h->s_axil_rvalid,
                                 .irq            = out->events.irq};
    PINS(&i, m, [0]);
    i.m_axi_awlen[0]   = m->m_axi_awlen;
    i.m_axi_awsize[0]  = m->m_axi_awsize;
    i.m_axi_awburst[0] = m->m_axi_awburst;
    i.m_axi_arsize[0]  = m->m_axi_arsize;
    i.m_axi_arburst[0] = m->m_axi_arburst;
    return i;
}

// The bridge reads none of its records here: who looks at the model has them.
static totem_trace_in trace_inputs(const totem_boot_out *boot, const totem_store_out *store,
                                   const totem_machine_out *out, uint16_t inner)
{
    const totem_host_out   *h = &out->host;
    const totem_memory_out *m = &out->fe[0].memory;
    return (totem_trace_in){.boot_start     = boot->start,
                            .boot_running   = boot->running,
                            .s_axil_awaddr  = boot->s_axil_awaddr,
                            .s_axil_awvalid = boot->s_axil_awvalid,
                            .s_axil_awready = h->s_axil_awready,
                            .s_axil_wdata   = boot->s_axil_wdata,
                            .s_axil_wvalid  = boot->s_axil_wvalid,
                            .s_axil_wready  = h->s_axil_wready,
                            .s_axil_bresp   = h->s_axil_bresp,
                            .s_axil_bvalid  = h->s_axil_bvalid,
                            .s_axil_bready  = boot->s_axil_bready,
                            .s_axil_araddr  = boot->s_axil_araddr,
                            .s_axil_arvalid = boot->s_axil_arvalid,
                            .s_axil_arready = h->s_axil_arready,
                            .s_axil_rdata   = h->s_axil_rdata,
                            .s_axil_rresp   = h->s_axil_rresp,
                            .s_axil_rvalid  = h->s_axil_rvalid,
                            .s_axil_rready  = boot->s_axil_rready,
                            .irq            = out->events.irq,
                            .inner          = inner,
                            .m_axi_awvalid  = {m->m_axi_awvalid},
                            .m_axi_awready  = {store->m_axi_awready},
                            .m_axi_wvalid   = {m->m_axi_wvalid},
                            .m_axi_wready   = {store->m_axi_wready},
                            .m_axi_bresp    = {store->m_axi_bresp},
                            .m_axi_bvalid   = {store->m_axi_bvalid},
                            .m_axi_bready   = {m->m_axi_bready},
                            .m_axi_arvalid  = {m->m_axi_arvalid},
                            .m_axi_arready  = {store->m_axi_arready},
                            .m_axi_rresp    = {store->m_axi_rresp},
                            .m_axi_rvalid   = {store->m_axi_rvalid},
                            .m_axi_rready   = {m->m_axi_rready}};
}

static totem_store_in store_inputs(const board_model *b, const totem_boot_out *boot)
{
    totem_store_in i = {.boot_reset = boot->reset};
    PINS(&i, &b->out.fe[0].memory, );
    if (b->cores) {
        const totem_memory_out c = cores_port_asked(b->cores, 0);
        i.core_araddr            = c.m_axi_araddr;
        i.core_arlen             = c.m_axi_arlen;
        i.core_arvalid           = c.m_axi_arvalid;
        i.core_rready            = c.m_axi_rready;
        i.core_awaddr            = c.m_axi_awaddr;
        i.core_awvalid           = c.m_axi_awvalid;
        i.core_wdata             = c.m_axi_wdata;
        i.core_wstrb             = c.m_axi_wstrb;
        i.core_wlast             = c.m_axi_wlast;
        i.core_wvalid            = c.m_axi_wvalid;
        i.core_bready            = c.m_axi_bready;
    }
    memcpy(i.ram_read_data, b->lane_data, sizeof i.ram_read_data);
    return i;
}

static totem_boot_in boot_inputs(const board_model *b, const board_access *a)
{
    const totem_host_out *h = &b->out.host;
    return (totem_boot_in){.bridge_machine_valid   = a->valid && a->machine,
                           .bridge_control_valid   = a->valid && !a->machine,
                           .bridge_request_write   = a->write,
                           .bridge_request_address = a->address,
                           .bridge_request_data    = a->data,
                           .s_axil_awready         = h->s_axil_awready,
                           .s_axil_wready          = h->s_axil_wready,
                           .s_axil_bresp           = h->s_axil_bresp,
                           .s_axil_bvalid          = h->s_axil_bvalid,
                           .s_axil_arready         = h->s_axil_arready,
                           .s_axil_rdata           = h->s_axil_rdata,
                           .s_axil_rresp           = h->s_axil_rresp,
                           .s_axil_rvalid          = h->s_axil_rvalid,
                           .irq                    = b->out.events.irq,
                           .list_read_data         = b->list_data};
}

static totem_machine_in machine_inputs(const totem_boot_out *h, const totem_store_out *m)
{
    return (totem_machine_in){.axil   = {.awaddr  = h->s_axil_awaddr,
                                         .awprot  = h->s_axil_awprot,
                                         .awvalid = h->s_axil_awvalid,
                                         .wdata   = h->s_axil_wdata,
                                         .wstrb   = h->s_axil_wstrb,
                                         .wvalid  = h->s_axil_wvalid,
                                         .bready  = h->s_axil_bready,
                                         .araddr  = h->s_axil_araddr,
                                         .arprot  = h->s_axil_arprot,
                                         .arvalid = h->s_axil_arvalid,
                                         .rready  = h->s_axil_rready},
                              .axi[0] = {.awready = m->m_axi_awready,
                                         .wready  = m->m_axi_wready,
                                         .bid     = m->m_axi_bid,
                                         .bresp   = m->m_axi_bresp,
                                         .bvalid  = m->m_axi_bvalid,
                                         .arready = m->m_axi_arready,
                                         .rid     = m->m_axi_rid,
                                         .rdata   = m->m_axi_rdata,
                                         .rresp   = m->m_axi_rresp,
                                         .rlast   = m->m_axi_rlast,
                                         .rvalid  = m->m_axi_rvalid}};
}

static totem_axi_in core_inputs(const totem_store_out *m)
{
    return (totem_axi_in){.awready = m->core_awready,
                          .wready  = m->core_wready,
                          .bresp   = m->core_bresp,
                          .bvalid  = m->core_bvalid,
                          .arready = m->core_arready,
                          .rdata   = m->core_rdata,
                          .rresp   = m->core_rresp,
                          .rlast   = m->core_rlast,
                          .rvalid  = m->core_rvalid};
}

// The RAMs beside store and boot: the read comes first.
static void step_rams(board_model *b, const totem_store_out *store, const totem_boot_out *boot)
{
    for (int n = 0; n < 8; n++) {
        if (store->ram_read_enable[n])
            b->lane_data[n] = b->lanes[n][store->ram_read_addr[n] % BOARD_WORDS];
        if (store->ram_write_enable[n])
            b->lanes[n][store->ram_write_addr[n] % BOARD_WORDS] = store->ram_write_data[n];
    }
    if (boot->list_read_enable)
        b->list_data = b->list[boot->list_read_addr % BOARD_LIST];
    if (boot->list_write_enable)
        b->list[boot->list_write_addr % BOARD_LIST] = boot->list_write_data;
}

// What every totem_fold makes of this clock.
static void step_folds(board_model *b)
{
    uint32_t words[PROBE_LONGEST];
    for (size_t k = 0; k < PROBE_FOLDS; k++) {
        const probe_fold *f = &probe_folds[k];
        f->pack((const char *)&b->out + probe_table[f->probe].offset, words);
        b->folds[k] = totem_fold_stepped(b->folds[k], totem_fold_of(words, f->words));
    }
}

static void step_trace(board_model *b, const totem_trace_in *i)
{
    totem_trace_out o;
    totem_trace_outputs(&b->trace, &o);
    if (o.record_write_enable)
        memcpy(b->records[o.record_write_addr], o.record_write_data, sizeof o.record_write_data);
    totem_trace_step(&b->trace, i);
}

// An access of machine or core in a run. A burst does not cross 128 bytes (docs/memory.md), so it is in one block.
static void note_address(board_model *b, bool read, bool valid, uint64_t address)
{
    if (valid && address > b->highest)
        b->highest = address;
    if (valid && read && address < TOTEM_STORE_BYTES)
        b->read[address / BOARD_BLOCK] = true;
}

// Everything around the machine goes on to the next clock; the machine shows b->out in this one.
static void step_around(board_model *b, const board_access *access, const totem_boot_out *boot,
                        const totem_store_out *store)
{
    const uint16_t           inner         = b->folding ? probe_traced(&b->out) : 0;
    const totem_signature_in for_signature = signature_inputs(boot, &b->out);
    const totem_trace_in     for_trace     = trace_inputs(boot, store, &b->out, inner);
    const totem_store_in     for_store     = store_inputs(b, boot);
    const totem_boot_in      for_boot      = boot_inputs(b, access);
    if (boot->running) {
        note_address(b, true, for_store.m_axi_arvalid, for_store.m_axi_araddr);
        note_address(b, false, for_store.m_axi_awvalid, for_store.m_axi_awaddr);
        note_address(b, true, for_store.core_arvalid, for_store.core_araddr);
        note_address(b, false, for_store.core_awvalid, for_store.core_awaddr);
    }
    if (boot->running && b->folding)
        step_folds(b);
    totem_signature_step(&b->signature, &for_signature);
    step_trace(b, &for_trace);
    totem_store_step(&b->store, &for_store);
    totem_boot_step(&b->boot, &for_boot);
    step_rams(b, store, boot);
    b->clock++;
}

void board_model_step(board_model *b, const board_access *access)
{
    totem_boot_out  boot;
    totem_store_out store;
    totem_boot_outputs(&b->boot, &boot);
    totem_store_outputs(&b->store, &store);
    const totem_machine_in for_machine = machine_inputs(&boot, &store);
    step_around(b, access, &boot, &store);
    if (b->cores) {
        const totem_axi_in for_core[TOTEM_SE_COUNT] = {core_inputs(&store)}; // a board has one engine
        cores_port_edge(b->cores, boot.reset, &b->out, for_core);
        totem_core_step(&b->machine, &b->out, &for_machine, &b->seen);
    } else
        totem_machine_step(&b->machine, &b->out, &for_machine, &b->seen);
    if (boot.reset) {
        totem_machine_reset(&b->machine);
        memset(&b->seen, 0, sizeof b->seen);
        for (size_t k = 0; k < PROBE_FOLDS; k++)
            b->folds[k] = FOLD_START;
    }
    look(b);
}

void board_model_drive(const board_model *b, totem_machine_in *in)
{
    totem_boot_out  boot;
    totem_store_out store;
    totem_boot_outputs(&b->boot, &boot);
    totem_store_outputs(&b->store, &store);
    *in = machine_inputs(&boot, &store);
}

void board_model_around(board_model *b, const totem_machine_out *shown)
{
    static const board_access none = {0};
    totem_boot_out            boot;
    totem_store_out           store;
    totem_boot_outputs(&b->boot, &boot);
    totem_store_outputs(&b->store, &store);
    b->out.host         = shown->host;
    b->out.events       = shown->events;
    b->out.fe[0].memory = shown->fe[0].memory;
    step_around(b, &none, &boot, &store);
}

uint8_t board_model_access(board_model *b, const board_access *access, uint32_t *value)
{
    static const board_access none = {0};
    totem_boot_out            boot;
    totem_boot_outputs(&b->boot, &boot);
    while (access->machine ? !boot.machine_done : !boot.control_done) {
        board_model_step(b, access);
        totem_boot_outputs(&b->boot, &boot);
    }
    *value = access->machine ? boot.machine_rdata : boot.control_rdata;
    board_model_step(b, access); // the clock of `done`
    board_model_step(b, &none);
    return access->machine ? boot.machine_status : boot.control_status;
}

void board_model_put(board_model *b, uint32_t address, uint32_t value)
{
    for (uint32_t n = 0; n < 4; n++)
        b->lanes[(address + n) % 8][address / 8 % BOARD_WORDS] = (uint8_t)(value >> 8 * n);
}

#endif
