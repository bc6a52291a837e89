#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# The netlist of the machine: broken ones are refused with file and remedy; every fault of sim/faults/netlist_faults.txt
# can be planted, and some of them are noticed in mini on the C model alone (all of them: make faults).
set -u
cd "$(dirname "$0")/../.."

. sim/tally.sh

work=build/test/netlist
rm -rf "$work"
mkdir -p "$work"

# refused NAME 'OLD' 'NEW' 'MESSAGE': a text of machine.yaml, which stands there once, is replaced.
refused() {
    if ! .venv/bin/python - "$2" "$3" "$work/$1.yaml" <<'END'; then
import pathlib, sys
text, (old, new) = pathlib.Path("rtl/top/machine.yaml").read_text(), sys.argv[1:3]
pathlib.Path(sys.argv[3]).write_text(text.replace(old, new))
sys.exit(text.count(old) != 1)
END
        bad "$1: its text does not stand once in rtl/top/machine.yaml"
        return
    fi
    if .venv/bin/python sim/gen/gen_machine.py --netlist "$work/$1.yaml" --c "$work/$1" >"$work/$1.txt" 2>&1; then
        bad "$1 is not refused"
    elif [ ! -e "$work/$1" ] && grep -qF "sim/gen/gen_machine.py: $work/$1.yaml: $4" "$work/$1.txt" &&
        [ "$(wc -l <"$work/$1.txt")" = 1 ]; then
        good "$1 is refused: ${4%%;*}"
    else
        bad "$1: expected '$4', not '$(cat "$work/$1.txt")'"
    fi
}

refused unknown-block 'blocks: [issue, hold,' 'blocks: [issues, hold,' \
    'there is no block issues; correct the name, or write docs/contract/issues.md'
refused shape 'tag: issue.grant_fe,
                             value: fe_number}
            complete' 'tag: issue.grant_buffer,
                             value: fe_number}
            complete' 'grant_of_fe.tag (SE_COUNTx2) and issue.grant_buffer (1x1) differ in shape; correct one'
refused nothing-drives '  port.pop: port_pop.mine
' '' 'nothing drives port.pop (1); rename it after its driver, or write it down under `connect`'
refused nobody-uses 'flight.complete_valid: complete_of_pipe.mine' 'flight.complete_valid: complete_of_fe.mine' \
    'nobody uses complete_of_pipe.mine; rename an input after it, or write it down under `unused`'
refused nobody-uses-idle 'each: [issue.idle, launch.idle, ' 'each: [issue.idle, issue.idle, ' \
    'nobody uses launch.idle; rename an input after it, or write it down under `unused`'
refused feature 'parts:
                port_pop:' 'parts:
                port_pop: {when: GRAPHIC, is: any, COUNT: 1, each: [port.idle]}
                xxx:' 'port_pop is there when GRAPHIC, which is no feature; use one of GRAPHICS'
refused sizes 'as: pipe
' 'as: pipe
                  sizes: {QUEUE: 2}
' 'totem_pipe has `sizes` that are none: QUEUE; use FE_COUNT'
refused number 'dc.bus_class: 0' 'dc.walker_room: 1' 'dc.walker_room has elements, which one number cannot be; only 0'
refused per 'per: fe
' 'per: front
' 'channel source: there is no dimension front; correct `per`'
refused loop 'COUNT: FE_COUNT+2+GRAPHICS*(FE_COUNT*3+2),
                         each: [issue.idle, ' 'COUNT: FE_COUNT+3+GRAPHICS*(FE_COUNT*3+2),
                         each: [issue.idle, se_idle.all, ' \
    'a loop through parts: machine_idle, se_idle; drive one of them from a block'
refused outside-core 'COUNT: FE_COUNT+2+GRAPHICS*(FE_COUNT*3+2),
                         each: [issue.idle, ' 'COUNT: FE_COUNT+3+GRAPHICS*(FE_COUNT*3+2),
                         each: [issue.idle, wave.launch_ready, ' \
    'part se_idle stands outside totem_core, or sees what does: wave; what the core shows has to be a function of its'
refused unmatched '  arbiter.grant_valid: grant_of_pipe.mine
' '' 'graphics_arbiter.grant_valid would take every issue.grant_valid, whoever it is for; write the `mine` of a match'
refused no-exception 'wave.state_data: word_pick.word' 'wave.state_data: word_pick.word
  wave.state_date: word_pick.word' '`connect` names what needs no exception or does not exist: wave.state_date'
refused bind 'work_drawn: 0, draw: 0}' 'work_drawn: 0, draw: 0, drawn: 0}' \
    '`bind` names what no block takes: totem_front.drawn; take it away'
refused part '{is: feed, task: task_bank}' '{is: feed, task: task_bank, taks: task_bank}' \
    'parts name what they do not take: feed.taks; correct it'
refused part-output 'bank: task_bank}' 'bank: setup}' \
    'runner.bank_prepared: there is no output setup.prepared; correct the name'
refused instead 'memory.m_axi_rready:  lattice.r_ready' 'memory.m_axi_rready:  lattice.r_ready
  memory.idle: lattice.r_ready' '`instead` names memory.idle, which is no pin; correct it, or take the line away'
refused instead-shape 'memory.m_axi_rready:  lattice.r_ready' 'memory.m_axi_rready:  lattice.target_ar_ready' \
    'memory.m_axi_rready and lattice.target_ar_ready differ in shape; correct one'
refused pin-size '  m_axi_arid: PORT_READER_BITS' '  m_axi_arid: PORT_WRITE_ID_BITS' \
    'the pin m_axi_arid has 5 bits in full, what stands at it 4; correct `pin_sizes`'
refused roles 'work_drawn: flight.geometry_valid' 'work_drawn: [flight.geometry_valid, hqd.load_valid]' \
    'totem_front has `roles` of no inputs: hqd.load_valid; take them away'
refused places '  view.window_data: window_ram.read_data
' '  view.window_data: window_ram.read_data
  graphics_bank.packet_save: execute.bank_forget
' 'bank.packet_save of totem_front takes execute.bank_forget in one place and execute.bank_save in another; only what'
refused requesters 'requesters: [[fetch, poll], [graphics_fetch, graphics_poll], mqd, graphics_mqd, tmd_load, tmd_second, spill,
                 runlist]' \
    'requesters: [[fetch, poll], mqd, runlist]' \
    'memory_read has PIPES*3+RUNLIST requesters, memory.read_valid READERS elements; give it `count: SIZE`'

log=$work/check.txt
if .venv/bin/python sim/faults/netlist_faults.py --check >"$log" 2>&1; then
    good "$(tail -n 1 "$log")"
else
    bad "sim/faults/netlist_faults.txt does not fit: $(tail -n 3 "$log")"
fi

log=$work/faults.txt
if .venv/bin/python sim/faults/netlist_faults.py state-index pointers fence-queues >"$log" 2>&1; then
    good "$(tail -n 1 "$log")"
else
    bad "not every fault is noticed: $(tail -n 3 "$log")"
fi

finish
