#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# What a netlist can say of features, prefixes and sizes: in a copy of the tree the blocks of a pipe stand a second time,
# with 2 queues, where GRAPHICS is 1, as requesters of the memory master and of the bus too. Where it is 0 they are not
# there. Both are linted, and the wiring with them is proved equal in C and RTL.
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh

work=build/test/features
rm -rf "$work"
mkdir -p "$work"
cp -r cmodel docs rtl sim synth "$work"
mkdir -p "$work/tb/lockstep"
cp tb/lockstep/instances.txt "$work/tb/lockstep"
[ ! -e .venv ] || ln -s "$PWD/.venv" "$work/.venv"

python=$([ -x .venv/bin/python ] && echo .venv/bin/python || echo python3)
$python - "$work/rtl/top" <<'END'
import re, sys
from pathlib import Path

config, netlist = Path(sys.argv[1], "config.yaml"), Path(sys.argv[1], "machine.yaml")
config.write_text(re.sub(r"GRAPHICS:( *)\[.*?,( *)., *.,", r"GRAPHICS:\1[    0,    0,    1,", config.read_text()))
text = netlist.read_text()
blocks = re.search(r" blocks: \[(access, hqd.*?)\]", text, re.S)[1]
rams = re.search(r"                  rams:\n(                    window_ram.*?)    - dim: se\n", text, re.S)[1]
second = f"""          modules:
            - module: totem_second
              as: second
              doc: "a second pipe"
              when: GRAPHICS
              prefix: second_
              sizes: {{QUEUES: GRAPHICS_QUEUES, PIPES: 1}}
              blocks: [dc, {blocks}]
              rams:
{rams}              parts:
                grant_of_pipe:    {{is: match, COUNT: SE_COUNT, WIDTH: 2, valid: grant_of_fe.mine,
                                   tag: issue.grant_pipe, value: 2}}
                complete_of_pipe: {{is: match, COUNT: SE_COUNT, WIDTH: 2, valid: complete_of_fe.mine,
                                   tag: retire.complete_pipe, value: 2}}
                release_of_pipe:  {{is: match, COUNT: SE_COUNT, WIDTH: 2, valid: release_of_fe.mine,
                                   tag: launch.release_pipe, value: 2}}
                answer_of_pipe:   {{is: match, COUNT: SE_COUNT, WIDTH: 2, valid: port.answer_valid,
                                   tag: port.answer_pipe, value: 2}}
"""
constants = """second_execute.pipe_number: 2, second_dc.bus_class: 2, second_record.events_mqd_error_ready: 0,
second_mqd.events_error_ready: 0, second_mqd.events_interrupt_ready: 0, second_fence.events_error_ready: 0,
second_fence.events_interrupt_ready: 0, second_flight.complete_queue: low retire.complete_queue, second_flight.grant_queue: low issue.grant_queue,
second_tally.host_valid: 0, second_poll.host_poll_once: 0, second_poll.events_mqd_error_ready: 0,
second_execute.events_packet_error_ready: 0, second_fetch.events_error_ready: 0, second_access.host_valid: 0,
second_decode.graphics: 1, second_execute.graphics: 1, second_execute.service_room: 1, second_execute.service_read: 0,
second_execute.service_read_addr: 0, second_execute.service_done: 0, second_execute.service_code: 0,
second_execute.service_word: 0, second_execute.service_again: 0, second_execute.service_skip: 0,
second_execute.service_group: 0"""
unused = """record.error_word record.write_word kill.overdue mqd.error_word mqd.interrupt_word mqd.interrupt_valid
fence.error_word fence.error_valid fence.interrupt_word failure.write_room epoch.lost flight.late walker.mismatch
tally.host_rdata tally.host_done poll.error_word execute.error_word execute.error_valid fetch.error_word
fetch.error_valid hqd.drains hqd.host_rdata hqd.host_error hqd.host_done execute.service_valid execute.service_kind
execute.service_last execute.service_control execute.service_address execute.service_data execute.service_extra
execute.service_stop execute.service_read_done execute.service_read_data execute.service_resume
execute.service_resume_plain execute.service_group_end"""
for old, new in (
        ("    - dim: se\n      modules", second + "    - dim: se\n      modules"),
        ("requesters: [dc]", "requesters: [[dc, second_dc]]"),
        ("[[fetch, poll], mqd]", "[[fetch, poll], mqd, [second_fetch, second_poll], second_mqd]"),
        ("mqd, fence]\n", "mqd, [second_fetch, second_execute], second_mqd, fence, second_fence]\n"),
        ("also: {record: mqd}", "also: {record: mqd, second_record: second_mqd}"),
        ("COUNT: PIPES+1, each: [memory.idle, rest", "COUNT: PIPES+1+GRAPHICS, each: [memory.idle, second_rest.idle, rest"),
        ("unused: [", "unused: [" + "".join(f"second_{name}, " for name in unused.split())),
        ("\nconnect:\n", "\nconnect:\n  " + re.sub(r",\s+", "\n  ", constants) + "\n")):
    assert text.count(old) == 1, old
    text = text.replace(old, new)
netlist.write_text(text)
END
cd "$work" || exit 1
if $python sim/gen_config.py >generate.log 2>&1 && $python sim/gen_machine.py >>generate.log 2>&1 &&
    $python sim/gen_sources.py >>generate.log 2>&1; then
    good "the netlist with a second set of blocks"
else
    bad "the netlist with a second set of blocks" generate.log
fi
includes=()
for folder in rtl/*/; do includes+=("-I${folder%/}" -y "${folder%/}"); done
for config in mini board; do
    if verilator --lint-only -Wall --default-language 1364-2005 "-DTOTEM_CONFIG_${config^^}" "${includes[@]}" \
        --top-module totem sim/verilator.vlt rtl/top/totem.v >"lint-$config.log" 2>&1; then
        good "its wiring in $config"
    else
        bad "its wiring in $config" "lint-$config.log"
    fi
    for file in cmodel/top/totem_machine.c cmodel/top/totem_second_*.c; do
        clang-14 -std=c11 -Wall -Wextra -Wconversion -Werror -fsyntax-only "-DTOTEM_CONFIG_${config^^}" "$file" ||
            echo "$file"
    done >"model-$config.log" 2>&1
    if [ -s "model-$config.log" ]; then
        bad "its model in $config" "model-$config.log"
    else
        good "its model in $config"
    fi
done
if CONFIG=mini synth/equiv.sh wiring >wiring.log 2>&1; then
    good "$(grep -m 1 '^wiring (mini)' wiring.log)"
else
    bad "its wiring is not proved" wiring.log
fi
if CONFIG=mini synth/equiv.sh bus -P SOURCES=3 -P FE_COUNT=2 -P LANES=3 >bus.log 2>&1; then
    good "three sources: $(grep -m 1 '^bus (mini)' bus.log)"
else
    bad "the bus with three sources is not proved" bus.log
fi
for instance in second_hqd second_line_ram second_mqd_data; do
    if [ "$(grep -c "g_graphics\..*$instance .* when=GRAPHICS$" tb/lockstep/instances.txt)" = 1 ]; then
        good "$instance stands in the table of instances"
    else
        bad "$instance does not stand once in the table of instances"
    fi
done
finish
