// SPDX-License-Identifier: Apache-2.0
//
// rtl: see rtl.h. Compiled once per configuration against the Verilated totem_tb.

#include "rtl.h"

#include "probe.h"

#include "Vtotem_tb.h"
#include "verilated.h"
#include "verilated_sym_props.h"
#if VM_TRACE
#include "traced.h"
#include "verilated_fst_c.h"
#endif
#if VM_COVERAGE
#include "verilated_cov.h"

#include <cstdlib>
#include <fstream>
#include <map>
#endif

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

// Time unit of the trace is 1 ps (--timescale-override).
enum { PS_PER_CLOCK = 1000 };

struct rtl {
    VerilatedContext context;
    Vtotem_tb       *top;
    const char      *ram[PROBE_RAMS]; // words of each
    // Where the outputs stand, by kind (probe_table.h).
    const uint8_t  *kind0[PROBE_KIND0 + 1];
    const uint16_t *kind1[PROBE_KIND1 + 1];
    const uint32_t *kind2[PROBE_KIND2 + 1];
    const uint64_t *kind3[PROBE_KIND3 + 1];
    const uint32_t *kind4[PROBE_KIND4 + 1]; // each of its words
    uint64_t        clock;
    bool            tracing;
#if VM_TRACE
    VerilatedFstC                         *trace;
    std::vector<std::vector<const void *>> states; // of each probe
    model_trace                            model;
#endif
};

// Ports of several front ends lie in one vector: element f of width bits. Verilator gives such a vector as an integer
// up to 64 bits and as an array of 32-bit words above.
static inline uint64_t bits(const WData *words, int low, int width)
{
    uint64_t value = 0;
    for (int done = 0; done < width;) {
        const int at = (low + done) / 32, shift = (low + done) % 32;
        value |= static_cast<uint64_t>(words[at] >> shift) << done;
        done += 32 - shift;
    }
    return width == 64 ? value : value & ((1ULL << width) - 1);
}
static inline uint64_t bits(uint64_t word, int low, int width)
{
    return width == 64 ? word : word >> low & ((1ULL << width) - 1);
}
template <std::size_t N> static inline uint64_t bits(const VlWide<N> &words, int low, int width)
{
    return bits(words.data(), low, width);
}

template <typename T> static inline void set_bits(T &word, int low, int width, uint64_t value)
{
    const uint64_t mask = width == 64 ? ~0ULL : (1ULL << width) - 1;
    word                = static_cast<T>((static_cast<uint64_t>(word) & ~(mask << low)) | value << low);
}
template <std::size_t N> static inline void set_bits(VlWide<N> &words, int low, int width, uint64_t value)
{
    for (int done = 0; done < width;) {
        const int      at = (low + done) / 32, shift = (low + done) % 32;
        const int      count = width - done < 32 - shift ? width - done : 32 - shift;
        const uint32_t mask  = (count == 32 ? ~0u : (1u << count) - 1) << shift;
        words[at]            = (words[at] & ~mask) | (static_cast<uint32_t>(value >> done) << shift & mask);
        done += count;
    }
}

// Finds the words of every RAM by name; they are public (rams.vlt).
static bool find_rams(rtl *r)
{
    for (int n = 0; n < PROBE_RAMS; n++) {
        const probe_ram      &ram   = probe_rams[n];
        const VerilatedScope *scope = r->context.scopeFind((std::string("TOP.") + ram.rtl).c_str());
        VerilatedVar         *words = scope ? scope->varFind("data_q") : nullptr;
        if (!words || words->totalSize() != ram.bytes || words->entSize() != ram.size) {
            std::fprintf(
                stderr,
                "%s: no RAM of %zu words of %zu bytes in the RTL; correct tb/lockstep/instances.txt or the model\n",
                ram.rtl, ram.bytes / ram.size, ram.size);
            return false;
        }
        r->ram[n] = static_cast<const char *>(words->datap());
    }
    return true;
}

// Finds the outputs of every block by name; they are public (inputs.vlt).
static bool find_outputs(rtl *r)
{
    for (int n = 0; n < PROBE_COUNT; n++) {
        const probe_instance &p     = probe_table[n];
        const VerilatedScope *scope = r->context.scopeFind((std::string("TOP.") + p.rtl).c_str());
        for (uint32_t f = 0; f < p.fields_count; f++) {
            const probe_field &field = p.fields[f];
            const uint32_t     bits  = field.width * (field.elements ? field.elements : 1);
            const uint32_t     words = field.kind == 4 ? (bits + 31) / 32 : 1, at = p.at[field.kind] + field.index;
            VerilatedVar      *var = scope ? scope->varFind(field.name) : nullptr;
            if (!var || var->totalSize() != words * probe_bytes[field.kind]) {
                std::fprintf(stderr,
                             "%s.%s: no output of %u bits in the RTL; correct tb/lockstep/instances.txt or the "
                             "contract\n",
                             p.rtl, field.name, bits);
                return false;
            }
            const char *place = static_cast<const char *>(var->datap());
            switch (field.kind) {
            case 0: r->kind0[at] = reinterpret_cast<const uint8_t *>(place); break;
            case 1: r->kind1[at] = reinterpret_cast<const uint16_t *>(place); break;
            case 2: r->kind2[at] = reinterpret_cast<const uint32_t *>(place); break;
            case 3: r->kind3[at] = reinterpret_cast<const uint64_t *>(place); break;
            default:
                for (uint32_t w = 0; w < words; w++)
                    r->kind4[at + w] = reinterpret_cast<const uint32_t *>(place) + w;
            }
        }
    }
    return true;
}

// Finds the registers of every block by name; in this build they are public (states.vlt).
static bool find_states(rtl *r)
{
#if VM_TRACE
    r->states.resize(PROBE_COUNT);
    for (int n = 0; n < PROBE_COUNT; n++)
        for (const probe_state *s = probe_table[n].states; s->signal.name; s++) {
            const std::string     path  = std::string("TOP.") + probe_table[n].rtl + "." + s->signal.rtl;
            const size_t          dot   = path.rfind('.');
            const VerilatedScope *scope = r->context.scopeFind(path.substr(0, dot).c_str());
            VerilatedVar         *var   = scope ? scope->varFind(path.substr(dot + 1).c_str()) : nullptr;
            if (!var) {
                std::fprintf(stderr, "%s: no register in the RTL; correct the contract of %s\n", path.c_str(),
                             probe_table[n].block);
                return false;
            }
            r->states[n].push_back(var->datap());
        }
#endif
    (void)r;
    return true;
}

static void rtl_destroy(rtl *r);

static void rtl_trace_close(rtl *r)
{
#if VM_TRACE
    if (r->tracing) {
        r->trace->close();
        delete r->trace;
        r->tracing = false;
    }
#else
    (void)r;
#endif
}

static rtl *rtl_create(void)
{
    static int
         machines; // what a machine draws (sim/run/assumptions.py) is its own, and the same in each run of the program
    rtl *r = new rtl;
    r->context.traceEverOn(VM_TRACE);
    r->context.randSeed(++machines);
    r->top         = new Vtotem_tb(&r->context);
    r->clock       = 0;
    r->tracing     = false;
    r->top->clk    = 1;
    r->top->rst_in = 1;
    r->top->eval();
    if (!find_rams(r) || !find_outputs(r) || !find_states(r)) {
        rtl_destroy(r);
        return nullptr;
    }
    return r;
}

#if VM_COVERAGE
// The counts of all machines of this program. At its end they are written as a new file of the folder that
// TOTEM_RTL_COVERAGE names: one machine's are 8 MB, and a directed test program has hundreds.
struct coverage_counts {
    std::map<std::string, uint64_t> points;
    std::string                     name;

    bool begin()
    {
        const char *folder = std::getenv("TOTEM_RTL_COVERAGE");
        for (int n = 0; name.empty() && folder && n < 100000; n++) {
            const std::string next = std::string(folder) + "/coverage-" + std::to_string(n) + ".dat";
            if (!std::ifstream(next))
                name = next;
        }
        return !name.empty();
    }

    void add(rtl *r)
    {
        if (!begin())
            return;
        r->context.coveragep()->write(name.c_str());
        std::ifstream file(name);
        for (std::string line; std::getline(file, line);) {
            const size_t at = line.rfind(' '); // C 'point' count
            if (line[0] == 'C' && at != std::string::npos)
                points[line.substr(0, at)] += std::strtoull(line.c_str() + at, nullptr, 10);
        }
    }

    ~coverage_counts()
    {
        if (name.empty())
            return;
        std::ofstream file(name);
        file << "# SystemC::Coverage-3\n";
        for (const auto &point : points)
            file << point.first << ' ' << point.second << '\n';
    }
};

static coverage_counts counts;
#endif

static void rtl_destroy(rtl *r)
{
    if (!r)
        return;
    rtl_trace_close(r);
    r->top->final();
#if VM_COVERAGE
    counts.add(r);
#endif
    // Scopes take themselves out of the thread's context, which may be that of a machine destroyed before.
    Verilated::threadContextp(&r->context);
    delete r->top;
    delete r;
}

#if PROBE_CORE
static void set_waves(Vtotem_tb *top, const totem_wave_out *waves)
{
    for (int e = 0; e < TOTEM_SE_COUNT; e++) {
        const totem_wave_out &w = waves[e];
        set_bits(top->launch_ready_in, e, 1, w.launch_ready);
        set_bits(top->state_index_in, e * 5, 5, w.state_index);
        set_bits(top->done_valid_in, e, 1, w.done_valid);
        set_bits(top->done_slot_in, e * TOTEM_SLOT_BITS, TOTEM_SLOT_BITS, w.done_slot);
        set_bits(top->export_valid_in, e, 1, w.export_valid);
        set_bits(top->export_slot_in, e * TOTEM_SLOT_BITS, TOTEM_SLOT_BITS, w.export_slot);
        set_bits(top->export_primitives_in, e * 9, 9, w.export_primitives);
        set_bits(top->export_pixels_in, e * 20, 20, w.export_pixels);
        set_bits(top->task_valid_in, e, 1, w.task_valid);
        set_bits(top->task_pointer_in, e * 32, 32, w.task_pointer);
        set_bits(top->task_fe_in, e * 2, 2, w.task_fe);
        set_bits(top->task_pipe_in, e * 2, 2, w.task_pipe);
        set_bits(top->task_queue_in, e * TOTEM_QUEUE_BITS, TOTEM_QUEUE_BITS, w.task_queue);
        set_bits(top->task_epoch_in, e * TOTEM_EPOCH_BITS, TOTEM_EPOCH_BITS, w.task_epoch);
        set_bits(top->wave_host_done_in, e, 1, w.host_done);
        set_bits(top->wave_host_error_in, e * 5, 5, w.host_error);
        set_bits(top->wave_host_rdata_in, e * 32, 32, w.host_rdata);
    }
}
#else
static void set_waves(Vtotem_tb *, const totem_wave_out *)
{
}
#endif

static void rtl_step(rtl *r, bool reset, const totem_machine_in *in, const totem_wave_out *waves)
{
    Vtotem_tb *top         = r->top;
    top->rst_in            = reset;
    top->s_axil_awaddr_in  = in->axil.awaddr;
    top->s_axil_awprot_in  = in->axil.awprot;
    top->s_axil_awvalid_in = in->axil.awvalid;
    top->s_axil_wdata_in   = in->axil.wdata;
    top->s_axil_wstrb_in   = in->axil.wstrb;
    top->s_axil_wvalid_in  = in->axil.wvalid;
    top->s_axil_bready_in  = in->axil.bready;
    top->s_axil_araddr_in  = in->axil.araddr;
    top->s_axil_arprot_in  = in->axil.arprot;
    top->s_axil_arvalid_in = in->axil.arvalid;
    top->s_axil_rready_in  = in->axil.rready;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
        const totem_axi_in &a = in->axi[f];
        set_bits(top->m_axi_awready_in, f, 1, a.awready);
        set_bits(top->m_axi_wready_in, f, 1, a.wready);
        set_bits(top->m_axi_bid_in, f * TOTEM_PORT_WRITE_ID_BITS, TOTEM_PORT_WRITE_ID_BITS, a.bid);
        set_bits(top->m_axi_bresp_in, f * 2, 2, a.bresp);
        set_bits(top->m_axi_bvalid_in, f, 1, a.bvalid);
        set_bits(top->m_axi_arready_in, f, 1, a.arready);
        set_bits(top->m_axi_rid_in, f * TOTEM_PORT_READER_BITS, TOTEM_PORT_READER_BITS, a.rid);
        set_bits(top->m_axi_rdata_in, f * 64, 64, a.rdata);
        set_bits(top->m_axi_rresp_in, f * 2, 2, a.rresp);
        set_bits(top->m_axi_rlast_in, f, 1, a.rlast);
        set_bits(top->m_axi_rvalid_in, f, 1, a.rvalid);
    }
    set_waves(top, waves);
    top->clk = 0;
    top->eval();
#if VM_TRACE
    if (r->tracing)
        r->trace->dump(r->clock * PS_PER_CLOCK + PS_PER_CLOCK / 2);
#endif
    top->clk = 1;
    top->eval();
    r->clock++;
    r->context.time(r->clock * PS_PER_CLOCK);
}

static void rtl_ports(rtl *r, totem_machine_out *out, bool *irq)
{
    Vtotem_tb *top           = r->top;
    out->host.s_axil_awready = top->s_axil_awready;
    out->host.s_axil_wready  = top->s_axil_wready;
    out->host.s_axil_bresp   = top->s_axil_bresp;
    out->host.s_axil_bvalid  = top->s_axil_bvalid;
    out->host.s_axil_arready = top->s_axil_arready;
    out->host.s_axil_rdata   = top->s_axil_rdata;
    out->host.s_axil_rresp   = top->s_axil_rresp;
    out->host.s_axil_rvalid  = top->s_axil_rvalid;
    *irq                     = top->irq;
    for (int f = 0; f < TOTEM_FE_COUNT; f++) {
#if TOTEM_PARTITION
        totem_axi_channel_out &m       = out->axi_channel[f];
        bool                  &b_ready = out->lattice.b_ready[f];
        bool                  &r_ready = out->lattice.r_ready[f];
#else
        totem_memory_out &m = out->fe[f].memory;
        bool &b_ready = m.m_axi_bready;
        bool &r_ready = m.m_axi_rready;
#endif
        m.m_axi_awid =
            static_cast<uint8_t>(bits(top->m_axi_awid, f * TOTEM_PORT_WRITE_ID_BITS, TOTEM_PORT_WRITE_ID_BITS));
        m.m_axi_awaddr  = bits(top->m_axi_awaddr, f * 40, 40);
        m.m_axi_awlen   = static_cast<uint8_t>(bits(top->m_axi_awlen, f * 8, 8));
        m.m_axi_awsize  = static_cast<uint8_t>(bits(top->m_axi_awsize, f * 3, 3));
        m.m_axi_awburst = static_cast<uint8_t>(bits(top->m_axi_awburst, f * 2, 2));
        m.m_axi_awlock  = bits(top->m_axi_awlock, f, 1);
        m.m_axi_awvalid = bits(top->m_axi_awvalid, f, 1);
        m.m_axi_wdata   = bits(top->m_axi_wdata, f * 64, 64);
        m.m_axi_wstrb   = static_cast<uint8_t>(bits(top->m_axi_wstrb, f * 8, 8));
        m.m_axi_wlast   = bits(top->m_axi_wlast, f, 1);
        m.m_axi_wvalid  = bits(top->m_axi_wvalid, f, 1);
        b_ready         = bits(top->m_axi_bready, f, 1);
        m.m_axi_arid = static_cast<uint8_t>(bits(top->m_axi_arid, f * TOTEM_PORT_READER_BITS, TOTEM_PORT_READER_BITS));
        m.m_axi_araddr  = bits(top->m_axi_araddr, f * 40, 40);
        m.m_axi_arlen   = static_cast<uint8_t>(bits(top->m_axi_arlen, f * 8, 8));
        m.m_axi_arsize  = static_cast<uint8_t>(bits(top->m_axi_arsize, f * 3, 3));
        m.m_axi_arburst = static_cast<uint8_t>(bits(top->m_axi_arburst, f * 2, 2));
        m.m_axi_arlock  = bits(top->m_axi_arlock, f, 1);
        m.m_axi_arvalid = bits(top->m_axi_arvalid, f, 1);
        r_ready         = bits(top->m_axi_rready, f, 1);
    }
}

static bool rtl_idle(rtl *r)
{
    return r->top->idle;
}

static bool rtl_fatal(rtl *r)
{
    return r->top->fatal;
}

static const void *rtl_output(rtl *r, int probe, uint32_t field)
{
    const probe_field &f  = probe_table[probe].fields[field];
    const uint32_t     at = probe_table[probe].at[f.kind] + f.index;
    switch (f.kind) {
    case 0: return r->kind0[at];
    case 1: return r->kind1[at];
    case 2: return r->kind2[at];
    case 3: return r->kind3[at];
    default: return r->kind4[at];
    }
}

// Whether any output of a kind differs. All are looked at: no branch in the loop.
template <typename T> static inline T different(const T *const *rtl_outputs, const void *model, int count)
{
    const T *expected = static_cast<const T *>(model);
    T        found    = 0;
    for (int n = 0; n < count; n++)
        found = static_cast<T>(found | (*rtl_outputs[n] ^ expected[n]));
    return found;
}

static int rtl_compare(rtl *r, void *const model[PROBE_KINDS])
{
    if (!(different(r->kind0, model[0], PROBE_KIND0) | different(r->kind1, model[1], PROBE_KIND1) |
          different(r->kind2, model[2], PROBE_KIND2) | different(r->kind4, model[4], PROBE_KIND4)) &&
        !different(r->kind3, model[3], PROBE_KIND3))
        return -1;
    for (int n = 0; n < PROBE_COUNT; n++) {
        const probe_instance &p = probe_table[n];
        for (uint32_t f = 0; f < p.fields_count; f++) {
            const probe_field &field    = p.fields[f];
            const uint32_t     bits     = field.width * (field.elements ? field.elements : 1);
            const std::size_t  size     = probe_bytes[field.kind] * (field.kind == 4 ? (bits + 31) / 32 : 1);
            const char        *expected = static_cast<const char *>(model[field.kind]) +
                                   probe_bytes[field.kind] * (p.at[field.kind] + field.index);
            if (std::memcmp(rtl_output(r, n, f), expected, size) != 0)
                return n;
        }
    }
    return -1;
}

static int rtl_compare_rams(rtl *r, const totem_machine *model, int from, uint32_t *word)
{
    for (int n = from; n < PROBE_RAMS; n++) {
        const probe_ram &ram    = probe_rams[n];
        const char      *expect = reinterpret_cast<const char *>(model) + ram.offset;
        if (std::memcmp(r->ram[n], expect, ram.bytes) == 0)
            continue;
        std::size_t at = 0;
        while (std::memcmp(r->ram[n] + at, expect + at, ram.size) == 0)
            at += ram.size;
        *word = static_cast<uint32_t>(at / ram.size);
        return n;
    }
    return -1;
}

static uint64_t rtl_ram_word(rtl *r, int ram, uint32_t word)
{
    uint64_t value = 0; // the low bytes come first
    std::memcpy(&value, r->ram[ram] + word * probe_rams[ram].size, probe_rams[ram].size);
    return value;
}

static const void *rtl_state(rtl *r, int probe, uint32_t state)
{
#if VM_TRACE
    return r->states[probe][state];
#else
    (void)r, (void)probe, (void)state;
    return nullptr;
#endif
}

#if VM_TRACE
static void trace_model(rtl *r, const totem_machine *model, void *const kinds[PROBE_KINDS])
{
    static const char dut[] = "totem_tb.dut.";
    for (int n = 0; n < PROBE_COUNT; n++) {
        const probe_instance &p     = probe_table[n];
        const std::string     scope = p.rtl + sizeof dut - 1;
        for (uint32_t f = 0; f < p.fields_count; f++) {
            const probe_field &field = p.fields[f];
            const char        *at    = static_cast<const char *>(kinds[field.kind]);
            r->model.add(scope, {field.name, field.name, field.width, field.elements, nullptr},
                         {at + probe_bytes[field.kind] * (p.at[field.kind] + field.index), 0, field.width});
        }
        for (const probe_state *s = p.states; s->signal.name; s++)
            r->model.add(scope, s->signal,
                         {reinterpret_cast<const char *>(model) + p.state + s->offset, 0, 8 * s->size});
    }
}
#endif

static bool rtl_trace_open(rtl *r, const char *path, uint64_t clock, const totem_machine *model,
                           void *const kinds[PROBE_KINDS])
{
#if VM_TRACE
    r->clock = clock;
    r->trace = new VerilatedFstC;
    r->top->trace(r->trace, 99);
    if (model)
        trace_model(r, model, kinds);
    r->model.join(r->trace, &r->clock);
    r->trace->open(path);
    r->tracing = r->trace->isOpen();
    if (!r->tracing)
        delete r->trace;
    return r->tracing;
#else
    (void)r, (void)path, (void)clock, (void)model, (void)kinds;
    return false;
#endif
}

static void rtl_trace_clock(rtl *r)
{
#if VM_TRACE
    if (r->tracing)
        r->trace->dump(r->clock * PS_PER_CLOCK);
#else
    (void)r;
#endif
}

static void rtl_trace_rows(const char *view, const char *trace)
{
#if VM_TRACE
    traced_rows(view, trace);
#else
    (void)view, (void)trace;
#endif
}

static const rtl_calls calls = {rtl_create, rtl_destroy,    rtl_step,        rtl_ports,        rtl_idle,
                                rtl_fatal,  rtl_compare,    rtl_output,      rtl_compare_rams, rtl_ram_word,
                                rtl_state,  rtl_trace_open, rtl_trace_clock, rtl_trace_rows};

extern "C" const rtl_calls *rtl_plain(void)
{
    return &calls;
}
