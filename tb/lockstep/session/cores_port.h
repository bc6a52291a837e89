// SPDX-License-Identifier: Apache-2.0
//
// cores_port: the cores of tb/core at the wave interfaces of a machine without wave engines (totem_core), each with a
// port of its own at the memory. A program has them if it is linked with their library (CORE= of the Makefile).

#ifndef CORES_PORT_H
#define CORES_PORT_H

#include "memory.h"
#include "totem_machine.h"

#include <stdbool.h>

typedef struct cores_port cores_port;

// The program is linked with cores.
bool cores_port_there(void);

// NULL: it is not, or memory is short.
cores_port *cores_port_create(void);
void        cores_port_destroy(cores_port *p);

// What the cores show in this clock, in the place of the wave engines.
void cores_port_look(cores_port *p, totem_wave_out waves[TOTEM_SE_COUNT]);

// The clock edge: the cores take what the machine shows, and what memory drives; memory takes their accesses. Before
// memory_step.
void cores_port_step(cores_port *p, bool reset, const totem_machine_out *out, memory *m);

// Likewise with another memory: what the cores of an engine asked for at the last look, and what it drives.
totem_memory_out cores_port_asked(const cores_port *p, int engine);
void             cores_port_edge(cores_port *p, bool reset, const totem_machine_out *out,
                                 const totem_axi_in driven[TOTEM_SE_COUNT]);

#endif
