// SPDX-License-Identifier: Apache-2.0
//
// The Verilated bench of one block behind kind.h. Compiled once for each block, with BLOCK its name, MODEL the class
// and MODEL_FILE its code.

#include "kind.h"

#include MODEL_FILE
#include "verilated.h"
#if VM_TRACE
#include "../lockstep/session/traced.h"
#endif

#include <cstring>

// The linker sees this one name of a block.
#define JOIN(a, b) a##b
#define NAME(block) JOIN(block, _rtl)

namespace
{

enum { PS_PER_CLOCK = 1000 };

struct model {
    VerilatedContext context;
    MODEL           *top;
    uint64_t         clock;
#if VM_TRACE
    VerilatedFstC *trace;
    model_trace    twin;
#endif
};

void *create(void)
{
    model *m = new model;
    m->context.traceEverOn(VM_TRACE);
    m->context.randSeed(1);
    m->top   = new MODEL(&m->context);
    m->clock = 0;
#if VM_TRACE
    m->trace = nullptr;
#endif
    m->top->clk      = 1;
    m->top->rst_next = 1;
    std::memset(&m->top->in_next, 0, sizeof m->top->in_next);
    m->top->eval();
    return m;
}

#if VM_TRACE
void trace_close(model *m)
{
    if (m->trace)
        m->trace->close();
    delete m->trace;
    m->trace = nullptr;
}
#endif

void destroy(void *rtl)
{
    model *m = static_cast<model *>(rtl);
#if VM_TRACE
    trace_close(m);
#endif
    m->top->final();
    Verilated::threadContextp(&m->context);
    delete m->top;
    delete m;
}

void step(void *rtl, bool reset, const uint32_t *in)
{
    model *m         = static_cast<model *>(rtl);
    m->top->rst_next = reset;
    std::memcpy(&m->top->in_next, in, sizeof m->top->in_next);
    m->top->clk = 0;
    m->top->eval();
#if VM_TRACE
    if (m->trace)
        m->trace->dump(m->clock * PS_PER_CLOCK + PS_PER_CLOCK / 2);
#endif
    m->top->clk = 1;
    m->top->eval();
    m->clock++;
}

const uint32_t *probe(void *rtl)
{
    return static_cast<model *>(rtl)->top->probe.data();
}

#if VM_TRACE
// The words of registers, of a block that has any.
template <typename T>
auto states_of(T *top, int) -> decltype(top->states.data(), static_cast<const uint32_t *>(nullptr))
{
    return top->states.data();
}
template <typename T> const uint32_t *states_of(T *, long)
{
    return nullptr;
}

const uint32_t *states(void *rtl)
{
    return states_of(static_cast<model *>(rtl)->top, 0);
}

bool trace(void *rtl, const char *path, uint64_t clock, const block_kind *kind, const void *state, const void *out)
{
    model *m = static_cast<model *>(rtl);
    m->clock = clock;
    m->trace = new VerilatedFstC;
    m->top->trace(m->trace, 99);
    for (uint32_t p = kind->inputs; p < kind->ports_count; p++) {
        const block_port &port = kind->ports[p];
        m->twin.add("", {port.name, port.name, port.width, port.elements, nullptr},
                    {static_cast<const char *>(out) + port.offset, 0, 8 * port.size});
    }
    for (const block_register *r = kind->registers; r->signal.name; r++)
        m->twin.add("", r->signal, {static_cast<const char *>(state) + r->offset, 0, 8 * r->size});
    m->twin.join(m->trace, &m->clock);
    m->trace->open(path);
    return m->trace->isOpen();
}

void trace_clock(void *rtl)
{
    model *m = static_cast<model *>(rtl);
    if (m->trace)
        m->trace->dump(m->clock * PS_PER_CLOCK);
}

void trace_rows(void *rtl, const char *view, const char *trace)
{
    trace_close(static_cast<model *>(rtl));
    traced_rows(view, trace);
}
#endif

} // namespace

extern "C" {
extern const block_rtl NAME(BLOCK);
const block_rtl        NAME(BLOCK) = {
           create, destroy,     step,       probe,
#if VM_TRACE
    trace,  trace_clock, trace_rows, states,
#else
    nullptr, nullptr, nullptr, nullptr,
#endif
};
}
