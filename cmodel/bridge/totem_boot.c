// SPDX-License-Identifier: Apache-2.0
//
// totem_boot: see totem_boot.h and docs/contract/boot.md.

#include "totem_boot.h"

#include "totem_bridge_values.h"

enum { LAST_ENTRY = TOTEM_BOOT_LIST_ENTRIES - 1, ALL_BYTES = 15, PAGE_LIST = BRIDGE_PAGE_LIST << 16 };

static bool under_way(const totem_boot *s)
{
    return s->phase != BOOT_REST;
}

static bool is_access(const totem_boot *s)
{
    return s->kind == ENTRY_WRITE || s->kind == ENTRY_WAIT;
}

void totem_boot_outputs(const totem_boot *s, totem_boot_out *o)
{
    const bool for_bridge = s->control == CONTROL_READ;

    o->machine_done   = s->machine == MACHINE_DONE;
    o->machine_status = s->machine_status;
    o->machine_rdata  = s->machine_rdata;
    o->control_done   = s->control == CONTROL_DONE;
    o->control_status = s->control_status;
    o->control_rdata  = s->control_rdata;

    o->busy    = under_way(s) && !s->endless;
    o->reset   = s->reset;
    o->start   = s->phase == BOOT_START;
    o->running = s->phase == BOOT_RUN;
    o->failed  = s->failed;

    o->s_axil_awaddr  = s->port_address;
    o->s_axil_awprot  = 0;
    o->s_axil_awvalid = s->aw_valid;
    o->s_axil_wdata   = s->port_data;
    o->s_axil_wstrb   = ALL_BYTES;
    o->s_axil_wvalid  = s->w_valid;
    o->s_axil_bready  = true;
    o->s_axil_araddr  = s->port_address;
    o->s_axil_arprot  = 0;
    o->s_axil_arvalid = s->ar_valid;
    o->s_axil_rready  = true;

    o->list_write_enable = s->control == CONTROL_WRITE;
    o->list_write_addr   = s->place;
    o->list_write_data   = s->control_rdata;
    o->list_read_enable  = for_bridge || (s->step == LIST_READ && s->part < 4);
    o->list_read_addr    = for_bridge ? s->place : (uint16_t)(4 * s->entry + (s->part & 3));
}

// 2 Entry
static void follow_list(totem_boot *n, const totem_boot *s, const totem_boot_in *i, bool list_wants, bool answered)
{
    n->due_now = s->now >= s->due;
    switch (s->step) {
    case LIST_READ:
        n->part = (s->part + 1) & 7;
        if (s->part == 1)
            n->due = i->list_read_data;
        if (s->part == 2) {
            n->kind    = (uint8_t)(i->list_read_data >> 30);
            n->address = i->list_read_data & 0xfffff;
        }
        if (s->part == 3)
            n->data = i->list_read_data;
        if (s->part == 4) {
            n->mask = i->list_read_data;
            n->step = LIST_DUE;
        }
        break;
    case LIST_DUE:
        if (!is_access(s)) {
            n->ended = true;
            n->step  = LIST_REST;
        } else if (list_wants && s->port == PORT_REST) {
            n->step = LIST_ACCESS;
        }
        break;
    case LIST_ACCESS:
        if (answered)
            n->step = LIST_CHECK;
        break;
    case LIST_CHECK:
        if (s->answer_error && !s->failed) {
            n->failed       = true;
            n->failed_entry = s->entry;
        }
        if (s->kind == ENTRY_WAIT && !s->answer_error && (s->answer_data & s->mask) != s->data) {
            n->step = LIST_DUE;
        } else if (s->entry == LAST_ENTRY) {
            n->ended = true;
            n->step  = LIST_REST;
        } else {
            n->entry = (uint16_t)(s->entry + 1);
            n->part  = 0;
            n->step  = LIST_READ;
        }
        break;
    default: break;
    }
}

// 5 Machine access
static void answer_machine(totem_boot *n, const totem_boot *s, const totem_boot_in *i, bool busy, bool answered,
                           bool error)
{
    switch (s->machine) {
    case MACHINE_REST:
        if (i->bridge_machine_valid) {
            const bool refused = s->reset || busy;

            n->machine = refused ? MACHINE_DONE : MACHINE_WAIT;
            if (refused)
                n->machine_status = BRIDGE_BUSY;
        }
        break;
    case MACHINE_WAIT:
        if (!i->bridge_machine_valid) {
            n->machine = MACHINE_REST;
            if (n->port == PORT_BRIDGE)
                n->port = PORT_NOBODY;
        } else if (s->port == PORT_BRIDGE && answered) {
            n->machine        = MACHINE_DONE;
            n->machine_status = error ? BRIDGE_BUS : BRIDGE_OK;
            n->machine_rdata  = i->s_axil_rdata;
        }
        break;
    default: n->machine = MACHINE_REST; break;
    }
}

// Read value of a register.
static uint32_t value(const totem_boot *s, bool irq, uint8_t chosen)
{
    const uint32_t entry       = s->failed ? s->failed_entry : s->entry;
    const uint32_t status_word = (under_way(s) ? 1u : 0) | (s->ended ? 2u : 0) | (s->failed ? 4u : 0) | (irq ? 8u : 0) |
                                 (s->irq_seen ? 16u : 0) | entry << 16;

    if (chosen == BRIDGE_CONTROL)
        return (s->reset ? (uint32_t)CONTROL_RESET : 0) | (under_way(s) ? (uint32_t)CONTROL_RUN : 0);
    if (chosen == BRIDGE_STATUS)
        return status_word;
    return chosen == BRIDGE_CLOCKS ? s->clocks : s->now;
}

void totem_boot_step(totem_boot *s, const totem_boot_in *i)
{
    totem_boot n = *s; // what follows the clock edge; s stays as it was before

    const uint32_t word            = i->bridge_request_data;
    const bool     busy            = under_way(s) && !s->endless;
    const bool     in_list         = (i->bridge_request_address & PAGE_LIST) != 0;
    const uint8_t  chosen          = (uint8_t)i->bridge_request_address;
    const bool     asked           = i->bridge_control_valid && s->control == CONTROL_REST;
    const bool     written         = asked && !in_list && i->bridge_request_write;
    const bool     control_written = written && chosen == BRIDGE_CONTROL;
    const bool     run_wanted      = control_written && (word & CONTROL_RUN) != 0;
    const bool     run_granted     = run_wanted && s->reset && !under_way(s);
    const bool     reset_refused =
        control_written && !run_wanted && under_way(s) && (word & (CONTROL_RESET | CONTROL_ABORT)) == CONTROL_RESET;
    const bool list_wants = s->phase == BOOT_RUN && s->step == LIST_DUE && s->due_now && is_access(s);
    const bool answered   = s->port != PORT_REST && (i->s_axil_bvalid || i->s_axil_rvalid);
    const bool error      = ((i->s_axil_bvalid ? i->s_axil_bresp : i->s_axil_rresp) & 2) != 0;

    // 1 Run
    if (s->phase == BOOT_START) {
        n.phase = BOOT_RUN;
        n.reset = false;
        n.now   = 0;
        n.last  = s->left == 1;
    } else if (s->phase == BOOT_RUN) {
        n.now++;
        n.left--;
        n.last     = s->left == 2;
        n.irq_seen = s->irq_seen || i->irq;
        if (!s->endless && s->last)
            n.phase = BOOT_REST;
    }

    follow_list(&n, s, i, list_wants, answered);

    // 3 End of the list
    if (!under_way(s) && s->step != LIST_ACCESS && s->step <= LIST_CHECK)
        n.step = LIST_REST;

    // 4 Port
    if (i->s_axil_awready)
        n.aw_valid = false;
    if (i->s_axil_wready)
        n.w_valid = false;
    if (i->s_axil_arready)
        n.ar_valid = false;
    if (answered) {
        n.answer_error = error;
        n.answer_data  = i->s_axil_rdata;
        n.port         = PORT_REST;
    }
    if (s->port == PORT_REST) {
        bool write = false;
        if (list_wants) {
            n.port         = PORT_LIST;
            n.port_address = s->address;
            n.port_data    = s->data;
            write          = s->kind == ENTRY_WRITE;
        } else if (s->machine == MACHINE_WAIT && i->bridge_machine_valid) {
            n.port         = PORT_BRIDGE;
            n.port_address = i->bridge_request_address & 0xfffff;
            n.port_data    = word;
            write          = i->bridge_request_write;
        }
        if (n.port != PORT_REST) {
            n.aw_valid = n.w_valid = write;
            n.ar_valid             = !write;
        }
    }

    answer_machine(&n, s, i, busy, answered, error);

    // 6 Control access
    switch (s->control) {
    case CONTROL_REST:
        if (asked) {
            n.control        = CONTROL_DONE;
            n.control_status = BRIDGE_OK;
            n.place          = (uint16_t)(i->bridge_request_address >> 2 & (4 * TOTEM_BOOT_LIST_ENTRIES - 1));
            n.control_rdata  = in_list ? word : value(s, i->irq, chosen);
            if (in_list && under_way(s))
                n.control_status = BRIDGE_BUSY;
            else if (in_list)
                n.control = i->bridge_request_write ? CONTROL_WRITE : CONTROL_READ;
            else if (written && (chosen == BRIDGE_NOW || chosen == BRIDGE_STATUS))
                n.control_status = BRIDGE_READONLY;
            else if (reset_refused || (run_wanted && !run_granted))
                n.control_status = BRIDGE_BUSY;
        }
        break;
    case CONTROL_READ: n.control = CONTROL_TAKE; break;
    case CONTROL_TAKE:
        n.control_rdata = i->list_read_data;
        n.control       = CONTROL_DONE;
        break;
    case CONTROL_WRITE: n.control = CONTROL_DONE; break;
    default: n.control = CONTROL_REST; break;
    }
    if (!i->bridge_control_valid)
        n.control = CONTROL_REST;

    // 7 Setting
    if (written && chosen == BRIDGE_CLOCKS)
        n.clocks = word;

    // 8 Control
    if (control_written && !run_wanted && !reset_refused) {
        n.reset = (word & CONTROL_RESET) != 0;
        if ((word & CONTROL_ABORT) != 0)
            n.phase = BOOT_REST;
    }

    // 9 Begin
    if (run_granted) {
        n.phase    = BOOT_START;
        n.left     = s->clocks;
        n.endless  = s->clocks == 0;
        n.last     = false;
        n.now      = 0;
        n.irq_seen = n.ended = n.failed = false;
        n.step                          = LIST_READ;
        n.entry                         = 0;
        n.part                          = 0;
    }

    // 10 Machine in reset
    if (s->reset) {
        n.port     = PORT_REST;
        n.aw_valid = n.w_valid = n.ar_valid = false;
        if (!under_way(s) && !run_granted)
            n.step = LIST_REST;
    }

    *s = n;
}
