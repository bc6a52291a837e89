// SPDX-License-Identifier: Apache-2.0
//
// rtl: the Verilated machine behind plain C functions. The only C++ of the project is on the other side.

#ifndef RTL_H
#define RTL_H

#include "totem_machine.h"

#include "probe_table.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rtl rtl;

typedef struct {
    // Built with everything at 0 and in reset. NULL if a RAM or an output is not where instances.txt says.
    rtl *(*create)(void);
    void (*destroy)(rtl *r);

    // One clock: the inputs are latched at the falling edge, then the rising edge. `waves` are inputs too where the RTL
    // is totem_core.
    void (*step)(rtl *r, bool reset, const totem_machine_in *in, const totem_wave_out waves[TOTEM_SE_COUNT]);

    // What the machine drives at its ports in this clock: the members of the blocks' outputs that are ports of the
    // machine. Other members of *out are left alone. This is all that a run without the model needs.
    void (*ports)(rtl *r, totem_machine_out *out, bool *irq);

    // Nets of totem: no work anywhere in the machine; a self-check has fired.
    bool (*idle)(rtl *r);
    bool (*fatal)(rtl *r);

    // Number of the first probe that differs from the model's outputs, which lie in these arrays (probe_table.h); -1:
    // none.
    int (*compare)(rtl *r, void *const model[PROBE_KINDS]);

    // Where an output stands: a field of a probe.
    const void *(*output)(rtl *r, int probe, uint32_t field);

    // Number of the first RAM of probe_rams, from one on, whose words differ from the model's, or -1; *word is the
    // first such word.
    int (*compare_rams)(rtl *r, const totem_machine *model, int from, uint32_t *word);
    uint64_t (*ram_word)(rtl *r, int ram, uint32_t word);

    // Where a register stands: a state of a probe. NULL in a build without waves.
    const void *(*state)(rtl *r, int probe, uint32_t state);

    // FST of everything from the next clock on; false if the file cannot be written, or the build has no waves. A clock
    // is 1 ns: its rising edge is at `clock` ns, its falling edge half a ns later. With a model, its states and outputs
    // (those in `kinds`) stand in the scope TOP.model, in the places that the blocks have below TOP.totem_tb.dut.
    bool (*trace_open)(rtl *r, const char *path, uint64_t clock, const totem_machine *model,
                       void *const kinds[PROBE_KINDS]);
    // The clock behind the last step into the trace: when the model has taken that step too.
    void (*trace_clock)(rtl *r);
    // From a view (difference.h) of a trace that is closed go inputs, outputs and registers that do not change in its
    // window; what differs stays.
    void (*trace_rows)(const char *view, const char *trace);
} rtl_calls;

// The RTL that the program is linked with; NULL: none.
const rtl_calls *rtl_plain(void);

// The same RTL with waves: three times the code, so it is a library of its own (waves.so beside the program), which is
// made when a run first asks for it. NULL: it cannot be made; the reason is on stderr.
const rtl_calls *rtl_waves(void);

#ifdef __cplusplus
}
#endif

#endif
