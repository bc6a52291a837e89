#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# libtotem as its users see it: installed in a folder of its own, the examples are compiled from there through
# pkg-config and run, one with a shader core of its own; the headers serve C99 and C++, in any order; no state outside a machine, no
# allocation but in totem_create. A tarball (make dist) builds library and tool without Python.

set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh
work=build/library
rm -rf "$work"
mkdir -p "$work"
prefix=$PWD/$work/installed

for configuration in full mini; do
    make -s -C cmodel install OPT=-O1 CONFIG=$configuration PREFIX="$prefix/$configuration" >"$work/log" 2>&1
    note $? "install $configuration" "$work/log"
    flags=$(PKG_CONFIG_PATH=$prefix/$configuration/lib/pkgconfig pkg-config --cflags --libs libtotem)
    gcc -std=c11 -Wall -Wextra -Wconversion -Werror cmodel/example/hello.c $flags -o "$work/hello-$configuration" \
        >"$work/log" 2>&1
    note $? "hello $configuration compiles" "$work/log"
    timeout 60 "$work/hello-$configuration" >"$work/hello-$configuration.txt" 2>&1
    note $? "hello $configuration runs" "$work/hello-$configuration.txt"
    grep -q '^magic 0x544f544d in clock 3$' "$work/hello-$configuration.txt"
    note $? "hello $configuration reads MAGIC" "$work/hello-$configuration.txt"
    # All but a few hundred clocks (the sweep of the queue windows) are skipped.
    grep -Eq '^clock 100000000, 9999[0-9]{4} skipped, hqd phase 1$' "$work/hello-$configuration.txt"
    note $? "hello $configuration skips" "$work/hello-$configuration.txt"

    gcc -std=c11 -Wall -Wextra -Wconversion -Werror cmodel/example/core.c $flags -o "$work/core-$configuration" \
        >"$work/log" 2>&1
    note $? "core $configuration compiles" "$work/log"
    # Ten waves end by themselves, ten others by a kill. With graphics 200 points are exported; the fence is behind their
    # pixels.
    timeout 60 "$work/core-$configuration" >"$work/core-$configuration.txt" 2>&1
    points='geometry 4, primitives 200, pixel waves 56, fence 2'
    [ $configuration = full ] || points=
    printf '%s\n' 'accepted 10, ended 10, killed 0, fence 1' 'accepted 20, ended 20, killed 10, idle 1' ${points:+"$points"} |
        cmp - "$work/core-$configuration.txt"
    note $? "core $configuration: every wave answers, by its end or a kill" "$work/core-$configuration.txt"

    # The program of docs/driver.md, from the page; and with the driver as two files, under sanitizers.
    awk '/^```c$/ { on = 1; next } /^```$/ { on = 0 } on' docs/driver.md >"$work/first.c"
    { [ $configuration = full ] && echo '8 pipes of 8 queues, 4 engines' || echo '1 pipes of 4 queues, 1 engines'
        printf '%s\n' 'fence 16' 'ended 0x2, halted 0x0' 'PACKET_OPCODE by packet processor of pipe 0, queue 1' reset
        [ $configuration = mini ] || printf '%s\n' 'tasks 2' drawn; } >"$work/first.expected"
    for driver in "$(PKG_CONFIG_PATH=$prefix/$configuration/lib/pkgconfig pkg-config --libs libtotem_driver)" \
        'cmodel/driver/totem_driver.c -fsanitize=address,undefined -fno-sanitize-recover=all'; do
        gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -Icmodel/example "$work/first.c" $driver $flags \
            -o "$work/first" >"$work/log" 2>&1 && timeout 60 "$work/first" >"$work/log" 2>&1 &&
            sed 's/ in clock .*//' "$work/log" | cmp - "$work/first.expected" >>"$work/log" 2>&1
        note $? "docs/driver.md on $configuration, ${driver%% *}" "$work/log"
    done

    # The driver on the last queue and the last ring: the page has the first ones, and mini has one pipe.
    if [ $configuration = full ]; then
        cat >"$work/last.c" <<'C'
#include "platform.h"

#include <stdio.h>
#include <totem/pm4.h>
#include <totem/regs.h>
#include <totem/tmd.h>
#include <totem_driver.h>

#define MUST(is, call) ((call) == TOTEM_DRIVER_##is ? (void)0 : (void)(printf("line %d\n", __LINE__), exit(1)))

static void happened(const totem_driver *m, const totem_driver_queue *q)
{
    totem_driver_events e;
    uint32_t            ctxid;
    char                text[512];
    m->platform.pause(m->platform.context, 1); // interrupts and records are behind what is seen first
    MUST(OK, totem_driver_interrupt(m, &e));
    MUST(OK, totem_driver_ctxid(m, q->pipe, q->queue, &ctxid));
    printf("ended %x %x %x, halted %x %x %x, ctxid of %s\n", e.ended[0], e.ended[1], e.rings_ended, e.halted[0],
           e.halted[1], e.rings_halted,
           ctxid == q->fence ? "the fence" : ctxid == TOTEM_DEQUEUE_DRAIN ? "the drain" : "an old fence");
    totem_driver_describe(m, &e.error, text, sizeof text);
    if (e.record)
        printf("%s\n", text);
}

int main(void)
{
    const uint32_t        bad[] = {TOTEM_PM4_TYPE3(0x18, 1), TOTEM_PM4_FILLER};
    totem_driver_platform p = platform_open();
    totem_driver          m;
    totem_driver_queue    q;
    uint32_t              value, done = 0;
    MUST(OK, totem_driver_open(&m, &p));
    MUST(OK, totem_driver_enable(&m));
    for (int ring = 0; ring < 2; ring++) {
        MUST(OK, totem_driver_create(&m, &q, ring ? TOTEM_DRIVER_RING(m.front_ends - 1) : m.pipes - 1,
                                     ring ? 0 : m.queues - 1, 64, NULL));
        MUST(OK, totem_driver_map(&q));
        for (int n = 0; n < 2; n++) { // a fence, then one behind a packet with an unknown opcode
            if (n)
                MUST(OK, totem_driver_push(&q, bad, 2));
            MUST(OK, totem_driver_push_fence(&q, &value));
            MUST(OK, totem_driver_doorbell(&q));
            if (n) {
                MUST(HALTED, totem_driver_wait(&q, value));
                happened(&m, &q);
                MUST(OK, totem_driver_skip(&q));
            }
            MUST(OK, totem_driver_wait(&q, value));
            happened(&m, &q);
        }
        if (!ring) {
            totem_driver_memory task;
            if (p.allocate(p.context, 4 * TOTEM_TMD_DWORDS, 256, &task))
                return 1;
            uint32_t *tmd = task.cpu;
            TOTEM_TMD_SET(tmd, TOTEM_TMD_03_00_QMD_MAJOR_VERSION, TOTEM_TMD_03_00_QMD_MAJOR_VERSION_VALUE);
            TOTEM_TMD_SET(tmd, TOTEM_TMD_03_00_GRID_X, 4);
            TOTEM_TMD_SET(tmd, TOTEM_TMD_03_00_GRID_Y, 1);
            TOTEM_TMD_SET(tmd, TOTEM_TMD_03_00_GRID_Z, 1);
            TOTEM_TMD_SET(tmd, TOTEM_TMD_03_00_BLOCK_X, 32);
            TOTEM_TMD_SET(tmd, TOTEM_TMD_03_00_BLOCK_Y, 1);
            TOTEM_TMD_SET(tmd, TOTEM_TMD_03_00_BLOCK_Z, 1);
            MUST(OK, totem_driver_launch(&q, task.device));
            for (uint32_t poll = 1; !done && poll < p.polls; poll++) {
                p.pause(p.context, poll);
                MUST(OK, totem_driver_tasks_done(&q, &done));
            }
            printf("tasks %u\n", done);
        }
        MUST(OK, totem_driver_unmap(&q, TOTEM_DEQUEUE_DRAIN));
        happened(&m, &q);
        ((uint32_t *)q.state.cpu)[133] = 3; // a pipe priority that does not exist
        MUST(REFUSED, totem_driver_map_mqd(&q));
        happened(&m, &q);
        MUST(OK, totem_driver_destroy(&q));
    }
    // The other sources of the table of RECORD.SOURCE (docs/host.md).
    static const uint8_t sources[] = {16, 32, 36, 44, 52};
    for (size_t n = 0; n < sizeof sources; n++) {
        const totem_driver_error e = {.code = 1, .source = sources[n]};
        char                     text[512];
        totem_driver_describe(&m, &e, text, sizeof text);
        printf("%s\n", text);
    }
    platform_close(&p);
    return 0;
}
C
        cat >"$work/last.expected" <<'C'
ended 0 80000000 0, halted 0 0 0, ctxid of the fence
ended 0 0 0, halted 0 80000000 0, ctxid of an old fence
PACKET_OPCODE by packet processor of pipe 7, queue 7
ended 0 80000000 0, halted 0 0 0, ctxid of the fence
tasks 1
ended 0 80000000 0, halted 0 0 0, ctxid of the drain
ended 0 0 0, halted 0 0 0, ctxid of the drain
DESCRIPTOR_PIPE_PRIORITY by MQD unit of pipe 7, queue 7
ended 0 0 8, halted 0 0 0, ctxid of the fence
ended 0 0 0, halted 0 0 8, ctxid of an old fence
PACKET_OPCODE by packet processor of ring 3, queue 0
ended 0 0 8, halted 0 0 0, ctxid of the fence
ended 0 0 8, halted 0 0 0, ctxid of the drain
ended 0 0 0, halted 0 0 0, ctxid of the drain
DESCRIPTOR_PIPE_PRIORITY by MQD unit of ring 3, queue 0
error 0x1 by fence unit of pipe 7, queue 0
error 0x1 by fetch of pipe 7, queue 0
error 0x1 by memory path of front end 3
error 0x1 by fence unit of ring 3, queue 0
error 0x1 by fetch of ring 3, queue 0
C
        gcc -std=c99 -pedantic -Wall -Wextra -Wconversion -Werror -Icmodel/example "$work/last.c" $driver $flags \
            -o "$work/last" >"$work/log" 2>&1 && timeout 60 "$work/last" >"$work/log" 2>&1 &&
            sed 's/ in clock .*//' "$work/log" | cmp - "$work/last.expected" >>"$work/log" 2>&1
        note $? "driver on the last queue and ring" "$work/log"
    fi

    # Of a language that calls C: all of it in a shared object, with what pkg-config names and nothing else.
    library=$prefix/$configuration/lib/libtotem.a
    static=$(PKG_CONFIG_PATH=$prefix/$configuration/lib/pkgconfig pkg-config --static --libs libtotem_driver libtotem)
    gcc -shared -Wl,--no-undefined -Wl,--whole-archive $static -Wl,--no-whole-archive -o "$work/libtotem.so" \
        >"$work/log" 2>&1
    note $? "a shared object holds library and driver ($configuration)" "$work/log"
    nm --defined-only -A "$library" | grep ' [A-Z] ' | grep -v ' totem_' >"$work/names" && result=1 || result=0
    note $result "every name that the library gives begins with totem_ ($configuration)" "$work/names"
    ar t "$library" | grep -xF "$(cd cmodel/tool && printf '%s\n' *.c | sed 's/c$/o/')" >"$work/names" &&
        result=1 || result=0
    note $result "no object of the tool in the library ($configuration)" "$work/names"
    # Constant tables with pointers lie in .data.rel.ro.
    objdump -t "$library" | grep ' O ' | grep -E '\s(\.data|\.bss|\*COM\*)' |
        grep -v '\.data\.rel\.ro' >"$work/globals" && result=1 || result=0
    note $result "no variables outside a machine ($configuration)" "$work/globals"
    nm -A "$library" | grep -E ' U (malloc|calloc|realloc|aligned_alloc|strdup)$' |
        sed 's/.*libtotem.a:\([^:]*\):.* U /\1 /' |
        grep -v '^totem.o calloc$' >"$work/allocations" && result=1 || result=0
    note $result "allocation in totem_create only ($configuration)" "$work/allocations"
done

# Firmware of 32 bits has no library of 64-bit division.
gcc -m32 -ffreestanding -fno-pic -Os -std=c99 -I"$prefix/mini/include" -c "$prefix/mini/share/totem/totem_driver.c" \
    -o "$work/driver32.o" >"$work/log" 2>&1 && nm -u "$work/driver32.o" >"$work/log" && ! grep -vE ' mem(set|cpy)$' "$work/log"
note $? "the driver calls no function of a library on 32 bits" "$work/log"

# All headers in one file and the other way round; every text of a list is there.
flags=$(PKG_CONFIG_PATH=$prefix/mini/lib/pkgconfig pkg-config --cflags --libs libtotem)
headers=$(cd "$prefix/mini/include" && ls totem.h totem/*.h)
for order in sort 'sort -r'; do
    { printf '#include <%s>\n' $(printf '%s\n' $headers | $order)
        cat <<'C'
#define ERROR(name, what, word, remedy) {TOTEM_ERROR_##name, what remedy word},
#define REASON(name, value, text) {value, text},
static const struct { unsigned value; const char *text; } texts[] = {
    TOTEM_ERRORS(ERROR) TOTEM_REASON_LIST(REASON) TOTEM_DEQUEUE_LIST(REASON) TOTEM_PIPE_PRIORITY_LIST(REASON)};
int main(void)
{
    unsigned n = sizeof texts / sizeof *texts;
    totem *machine = totem_create();
    totem_mqd_v9 mqd;
    mqd.cp_hqd_pq_control = TOTEM_QUEUE_CP_HQD_PQ_CONTROL_RESET;
    while (n-- > 0)
        if (!texts[n].text[0])
            return 1;
    totem_destroy(machine);
    return TOTEM_FIELD(mqd.cp_hqd_pq_control, TOTEM_QUEUE_CP_HQD_PQ_CONTROL_QUEUE_SIZE) == 9 &&
                   TOTEM_PM4_TYPE3(TOTEM_OP_NOP, 1) == 0xc0001000u
               ? machine == NULL
               : 2;
}
C
    } >"$work/headers.c"
    cp "$work/headers.c" "$work/headers.cpp"
    for compiler in 'gcc -std=c99' 'clang-14 -std=c99' 'g++ -std=c++11'; do
        case $compiler in g++*) source=headers.cpp ;; *) source=headers.c ;; esac
        $compiler -pedantic -Wall -Wextra -Wconversion -Werror "$work/$source" $flags -o "$work/headers" \
            >"$work/log" 2>&1 && "$work/headers" >>"$work/log" 2>&1
        note $? "installed headers, $compiler, $order" "$work/log"
    done
done

# Python that fails stands first on the path; setup would make a .venv. Optimization would cost time.
if git rev-parse --verify -q HEAD >/dev/null; then
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    archive=$(sim/dist.sh 2>"$work/log") && tar -xzf "$archive" -C "$folder"
    note $? "make dist" "$work/log"
    printf '#!/bin/sh\necho "python3 is called: $*" >&2\nexit 1\n' >"$folder/python3"
    chmod +x "$folder/python3"
    export PATH=$folder:$PATH CCACHE_BASEDIR=$folder CCACHE_NOHASHDIR=1 OPT=-O0
    cd "$folder"/totem-*/ || exit 1
    log=$OLDPWD/$work/log
    make -s -j2 -C cmodel hello CONFIG=mini >"$log" 2>&1 && "$(dirname "$(make -s -C cmodel print-lib CONFIG=mini)")/hello" \
        >>"$log" 2>&1 && grep -q '^magic 0x544f544d in clock 3$' "$log"
    note $? "library of a tarball, without Python" "$log"
    make -s tool >"$log" 2>&1 && build/totem run --engine model sim/workloads/hello.yaml >>"$log" 2>&1 &&
        grep -q '^5 of 5 expectations met' "$log"
    note $? "tool of a tarball, and a run of the model, without Python" "$log"
    [ ! -e .venv ] && make -s clean && make -s -C cmodel wiring >"$log" 2>&1
    note $? "make clean leaves what a tarball brought along" "$log"
else
    echo "SKIPPED make dist: no repository"
fi

finish
