// SPDX-License-Identifier: Apache-2.0
//
// rtl_waves: see rtl.h.

#include "rtl.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 1024 };

// Folder of the program: build/lockstep/<name>. False if it cannot be told.
static bool own_folder(char folder[ROOM])
{
    const ssize_t length = readlink("/proc/self/exe", folder, ROOM - 1);
    if (length <= 0)
        return false;
    folder[length] = 0;
    char *slash    = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    return slash;
}

const rtl_calls *rtl_waves(void)
{
    static const rtl_calls *calls;
    char                    folder[ROOM], file[ROOM + 16], command[2 * ROOM + 128];
    if (calls)
        return calls;
    if (!own_folder(folder))
        return NULL;
    snprintf(file, sizeof file, "%s/waves.so", folder);
    snprintf(command, sizeof command, "make -s -C '%s/../../../tb/lockstep' %s waves >&2", folder, LOCKSTEP_ARGUMENTS);
    if (access(file, R_OK) != 0)
        fprintf(stderr, "Building the RTL with waves (once, up to some minutes)\n");
    if (system(command) != 0) { // also makes it again if the RTL has changed
        fprintf(stderr, "The RTL with waves cannot be built: %s\n", command);
        return NULL;
    }
    void *library                   = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    const rtl_calls *(*entry)(void) = NULL;
    if (library)
        *(void **)&entry = dlsym(library, "rtl_plain");
    if (!entry)
        fprintf(stderr, "%s\n", dlerror());
    calls = entry ? entry() : NULL;
    return calls;
}
