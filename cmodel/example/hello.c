// SPDX-License-Identifier: Apache-2.0
//
// Makes a machine, reads its MAGIC register over the host port, lets a second of 100 MHz pass, looks inside.
// Build: make -C cmodel hello, or cc hello.c $(pkg-config --cflags --libs libtotem).

#include <totem.h>

#include <inttypes.h>
#include <stdio.h>

static bool answered(void *magic, const totem *machine)
{
    totem_outputs pins;
    totem_look(machine, &pins);
    *(uint32_t *)magic = pins.host.rdata;
    return pins.host.rvalid;
}

int main(void)
{
    uint32_t          magic   = 0;
    uint64_t          swept   = 0;
    const totem_world world   = {.user = &magic, .stop = answered};
    totem            *machine = totem_create();
    if (!machine)
        return 1;
    totem_step(machine, &(totem_inputs){.host = {.arvalid = true, .araddr = 0}}, NULL);
    if (!totem_run(machine, &world, 100))
        return 1;
    printf("magic 0x%08" PRIx32 " in clock %" PRIu64 "\n", magic, totem_clock(machine));
    totem_run(machine, NULL, 100000000);
    if (totem_read(machine, "fe[0].pipe[0].front.hqd.phase", &swept) != TOTEM_STATUS_OK)
        return 1;
    printf("clock %" PRIu64 ", %" PRIu64 " skipped, hqd phase %" PRIu64 "\n", totem_clock(machine),
           totem_skipped(machine), swept);
    totem_destroy(machine);
    return 0;
}
