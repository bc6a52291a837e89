// SPDX-License-Identifier: Apache-2.0
//
// libtotem: life, pins and running of a machine. See cmodel/totem.h.

#include "totem_library.h"
#include "totem_skip.h"

#include <stdlib.h>
#include <string.h>

// While looks for quiet find none they come this many clocks apart at most.
enum { TRY_GAP_MAX = 32 };

const char *totem_status_text(totem_status status)
{
    switch (status) {
    case TOTEM_STATUS_OK: return "no error";
    case TOTEM_STATUS_NAME: return "no register of this name; totem_name lists them";
    case TOTEM_STATUS_ELEMENT:
        return "give an array's name with one element below its length, [n], and a single word's name without";
    case TOTEM_STATUS_SIZE: return "the image has another length; totem_image_size tells the right one";
    case TOTEM_STATUS_IMAGE: return "this is no image of totem_save, or it is damaged; save again";
    case TOTEM_STATUS_CONFIGURATION:
        return "the image is of another configuration, version or kind of machine; restore it where it was saved";
    case TOTEM_STATUS_RANGE: return "a value of the image does not fit its register; save again";
    }
    return "unknown status";
}

void totem_configuration(totem_sizes *sizes)
{
    *sizes = (totem_sizes){
        .name       = TOTEM_CONFIG_NAME,
        .hash       = TOTEM_CONFIG_HASH,
        .front_ends = TOTEM_FE_COUNT,
        .engines    = TOTEM_SE_COUNT,
        .pipes      = TOTEM_PIPES,
        .graphics   = TOTEM_GRAPHICS,
        .queues     = TOTEM_QUEUES,
        .epochs     = TOTEM_EPOCHS,
        .slots      = TOTEM_SLOTS,
        .vgprs      = TOTEM_VGPRS,
        .lds        = TOTEM_LDS,
        .lanes      = TOTEM_LANES,
    };
}

static void to_machine(const totem_inputs *from, totem_machine_in *to)
{
    const totem_host_pins_in *h = &from->host;
    to->axil                    = (totem_axil_in){
                           .awaddr  = h->awaddr & 0xfffff,
                           .awprot  = h->awprot & 7,
                           .awvalid = h->awvalid,
                           .wdata   = h->wdata,
                           .wstrb   = h->wstrb & 15,
                           .wvalid  = h->wvalid,
                           .bready  = h->bready,
                           .araddr  = h->araddr & 0xfffff,
                           .arprot  = h->arprot & 7,
                           .arvalid = h->arvalid,
                           .rready  = h->rready,
    };
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_memory_pins_in *m = &from->memory[f];
        to->axi[f]                    = (totem_axi_in){
                               .awready = m->awready,
                               .wready  = m->wready,
                               .bid     = m->bid & ((1 << TOTEM_PORT_WRITE_ID_BITS) - 1),
                               .bresp   = m->bresp & 3,
                               .bvalid  = m->bvalid,
                               .arready = m->arready,
                               .rid     = m->rid & ((1 << TOTEM_PORT_READER_BITS) - 1),
                               .rdata   = m->rdata,
                               .rresp   = m->rresp & 3,
                               .rlast   = m->rlast,
                               .rvalid  = m->rvalid,
        };
    }
}

static void to_engines(const totem_inputs *from, totem_wave_out *to)
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++)
        to[e] = totem_engine_core(&from->engine[e]);
}

void totem_look(const totem *machine, totem_outputs *outputs)
{
    const totem_host_out *h = &machine->out.host;

    memset(outputs, 0, sizeof *outputs);
    outputs->host = (totem_host_pins_out){
        .awready = h->s_axil_awready,
        .wready  = h->s_axil_wready,
        .bresp   = h->s_axil_bresp,
        .bvalid  = h->s_axil_bvalid,
        .arready = h->s_axil_arready,
        .rdata   = h->s_axil_rdata,
        .rresp   = h->s_axil_rresp,
        .rvalid  = h->s_axil_rvalid,
    };
    outputs->irq = machine->out.events.irq;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
#if TOTEM_PARTITION
        const totem_axi_channel_out *m       = &machine->out.axi_channel[f];
        const bool                   b_ready = machine->out.lattice.b_ready[f];
        const bool                   r_ready = machine->out.lattice.r_ready[f];
#else
        const totem_memory_out *m       = &machine->out.fe[f].memory;
        const bool              b_ready = m->m_axi_bready;
        const bool              r_ready = m->m_axi_rready;
#endif
        outputs->memory[f] = (totem_memory_pins_out){
            .awid    = m->m_axi_awid,
            .awaddr  = m->m_axi_awaddr,
            .awlen   = m->m_axi_awlen,
            .awsize  = m->m_axi_awsize,
            .awburst = m->m_axi_awburst,
            .awlock  = m->m_axi_awlock,
            .awvalid = m->m_axi_awvalid,
            .wdata   = m->m_axi_wdata,
            .wstrb   = m->m_axi_wstrb,
            .wlast   = m->m_axi_wlast,
            .wvalid  = m->m_axi_wvalid,
            .bready  = b_ready,
            .arid    = m->m_axi_arid,
            .araddr  = m->m_axi_araddr,
            .arlen   = m->m_axi_arlen,
            .arsize  = m->m_axi_arsize,
            .arburst = m->m_axi_arburst,
            .arlock  = m->m_axi_arlock,
            .arvalid = m->m_axi_arvalid,
            .rready  = r_ready,
        };
    }
    for (int e = 0; machine->own_cores && e < TOTEM_SE_COUNT; e++)
        outputs->engine[e] = totem_engine_pins(&machine->out, e);
}

// The edge of a clock. The outputs stay those before it.
static void edge(totem *t, bool watched)
{
    totem_machine_in in;
    to_machine(&t->inputs, &in);
    if (t->own_cores)
        to_engines(&t->inputs, t->out.wave);
    if (watched)
        totem_watch(t);
    if (t->own_cores)
        totem_core_step(&t->machine, &t->out, &in, &t->seen);
    else
        totem_machine_step(&t->machine, &t->out, &in, &t->seen);
}

// Nothing is known of the clocks before.
static void forget(totem *t)
{
    memset(&t->seen, 0, sizeof t->seen);
}

// The outputs after it. Who skips nothing leaves out no block either.
static void show(totem *t)
{
    if (t->own_cores)
        totem_core_outputs(&t->machine, &t->out, &t->seen);
    else
        totem_machine_outputs(&t->machine, &t->out, &t->seen);
    if (!t->skipping)
        forget(t);
}

void totem_refresh(totem *t)
{
    forget(t);
    show(t);
    memset(&t->inputs, 0, sizeof t->inputs);
    t->quiet   = 0;
    t->try_at  = 0;
    t->try_gap = 1;
}

static totem *create(bool own_cores)
{
    totem *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    t->own_cores = own_cores;
    t->skipping  = true;
    totem_refresh(t);
    totem_reset(t);
    return t;
}

totem *totem_create(void)
{
    return create(false);
}

totem *totem_create_core(void)
{
    return create(true);
}

void totem_destroy(totem *machine)
{
    free(machine);
}

void totem_reset(totem *machine)
{
    totem_refresh(machine);
    edge(machine, false);
    totem_machine_reset(&machine->machine);
    totem_refresh(machine);
}

void totem_step(totem *machine, const totem_inputs *inputs, totem_outputs *outputs)
{
    machine->inputs = *inputs;
    edge(machine, machine->kinds != 0);
    show(machine);
    machine->quiet = 0;
    if (outputs)
        totem_look(machine, outputs);
}

uint64_t totem_clock(const totem *machine)
{
    return machine->machine.host.clock;
}

bool totem_idle(const totem *machine)
{
    return machine->out.machine_idle.all;
}

void totem_set_skipping(totem *machine, bool on)
{
    machine->skipping = on;
    machine->quiet    = 0;
    forget(machine);
}

uint64_t totem_skipped(const totem *machine)
{
    return machine->skipped;
}

// Skips what may be skipped, not beyond `until`.
static void skip(totem *t, const totem_world *world, uint64_t until)
{
    const uint64_t clock  = totem_clock(t);
    uint64_t       steady = UINT64_MAX;
    uint64_t       n      = t->quiet;

    t->quiet = 0;
    if (world->drive)
        steady = world->steady ? world->steady(world->user, clock) : clock;
    if (steady <= clock)
        return;
    n = n < steady - clock ? n : steady - clock;
    n = n < until - clock ? n : until - clock;
    totem_skip(&t->machine, !t->own_cores, n);
    forget(t);
    show(t);
    t->skipped += n;
}

// One clock, with a look for quiet if it is time for one.
static void run_clock(totem *t, const totem_world *world)
{
    const uint64_t clock = totem_clock(t);
    const bool     look  = t->skipping && clock >= t->try_at;

    if (world->drive) {
        totem_outputs pins;
        totem_look(t, &pins);
        world->drive(world->user, clock, &pins, &t->inputs);
    } else
        memset(&t->inputs, 0, sizeof t->inputs);
    if (look)
        totem_skip_keep(&t->before, &t->machine);
    edge(t, t->kinds != 0);
    if (look) {
        t->quiet   = totem_skip_quiet(&t->before, &t->machine, &t->out, !t->own_cores);
        t->try_gap = t->quiet != 0 ? 1 : t->try_gap < TRY_GAP_MAX ? 2 * t->try_gap : TRY_GAP_MAX;
        t->try_at  = clock + t->try_gap;
    }
    show(t);
}

bool totem_run(totem *machine, const totem_world *world, uint64_t until)
{
    static const totem_world nothing = {0};
    if (!world)
        world = &nothing;
    machine->quiet = 0;
    while (totem_clock(machine) < until) {
        if (world->stop && world->stop(world->user, machine))
            return true;
        if (machine->quiet != 0)
            skip(machine, world, until);
        else
            run_clock(machine, world);
    }
    machine->quiet = 0;
    return false;
}

void totem_set_events(totem *machine, uint32_t kinds, totem_event_function function, void *user)
{
    machine->kinds    = function ? kinds & TOTEM_EVENT_ALL : 0;
    machine->function = function;
    machine->user     = user;
}
