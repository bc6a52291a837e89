// SPDX-License-Identifier: Apache-2.0
//
// base: see base.h.

#include "base.h"

#include "Vbase.h"
#include "verilated.h"

#include <cstring>

struct base {
    VerilatedContext context;
    Vbase           *top;
};

extern "C" {

base *base_create(void)
{
    base *b = new base;
    b->top  = new Vbase(&b->context);
    b->top->clk = 1;
    b->top->inputs[0] = 1;
    b->top->eval();
    return b;
}

void base_destroy(base *b)
{
    b->top->final();
    // Scopes take themselves out of the thread's context, which may be that of a machine destroyed before.
    Verilated::threadContextp(&b->context);
    delete b->top;
    delete b;
}

void base_step(base *b, const uint32_t *inputs)
{
    std::memcpy(&b->top->inputs[0], inputs, sizeof b->top->inputs);
    b->top->clk = 0;
    b->top->eval();
    b->top->clk = 1;
    b->top->eval();
}

const uint32_t *base_pins(const base *b)
{
    return &b->top->pins[0];
}

}
