#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Bus side: the AXI4 master and the AXI4-Lite slave against bus models made by others (cocotb, cocotbext-axi) under
# Icarus, a shader core in Python on the wave interface of totem_core, and planted faults, each of which the tests must
# find (tb/bus).

set -u
cd "$(dirname "$0")/../.."
. sim/tally.sh
sim/setup.sh bus || { bad 'set-up'; finish; }
work=build/bus
rm -rf "$work"
mkdir -p "$work"
export PYTHONDONTWRITEBYTECODE=1 COCOTB_ANSI_OUTPUT=0 COCOTB_LOG_LEVEL=WARNING

# NAME BLOCK OPTION...: all tests of the block pass.
run_tests()
{
    local name=$1 block=$2
    shift 2
    .venv/bin/python tb/bus/run.py "$block" "$work/$name" "$@" >"$work/$name.log" 2>&1
    grep -E '^(ok  |FAIL) ' "$work/$name.log" | sed "s/\$/ ($name)/"
    passed=$((passed + $(grep -c '^ok  ' "$work/$name.log")))
    failed=$((failed + $(grep -c '^FAIL' "$work/$name.log")))
    if ! tail -n 1 "$work/$name.log" | grep -q ', 0 failed$'; then
        grep -q '^FAIL' "$work/$name.log" || { echo "FAIL $name did not run"; failed=$((failed + 1)); }
        tail -n 40 "$work/$name.log" | sed 's/^/     /'
    fi
}

# NAME BLOCK TEST SED: with the RTL of the block, or of one of its parts, changed so, this test fails.
planted()
{
    local name=$1 block=$2 test=$3 change=$4 source file=
    mkdir -p "$work/planted-$name"
    for source in rtl/*/totem_"$block".v rtl/*/totem_"$block"_*.v; do
        [ -e "$source" ] || continue
        file=$work/planted-$name/${source##*/}
        sed "$change" "$source" >"$file"
        cmp -s "$file" "$source" || break
        file=
    done
    if [ -z "$file" ]; then
        echo "FAIL planted $name: nothing was changed"
        failed=$((failed + 1))
        return
    fi
    TESTCASE=$test .venv/bin/python tb/bus/run.py "$block" "$work/$name" --rtl "$file" >"$work/$name.log" 2>&1
    if grep -qx "FAIL $block: $test" "$work/$name.log"; then
        echo "ok   planted: $name"
        passed=$((passed + 1))
    else
        echo "FAIL planted $name was not found:"
        tail -n 15 "$work/$name.log" | sed 's/^/     /'
        failed=$((failed + 1))
    fi
}

run_tests memory memory
run_tests memory_one_pipe memory FE_PIPES=1 READERS=3 WRITERS=4 STREAMS=3
run_tests host host
run_tests host_small host FE_COUNT=1 PIPES=1 QUEUES=4 SE_COUNT=1
run_tests core core

planted read_overtakes_write memory read_waits_for_write "s/read_blocked = 1'b1;/read_blocked = 1'b0;/"
planted tags_not_moved_up memory reordered "s/write_tag_d\[i\*12 +: 6\]   = write_tag_q\[i\*12 + 6 +: 6\];//"
planted decerr_as_slverr memory reordered_with_errors \
    "s/m_axi_\([rb]\)resp\[0\] ? MEMORY_DECERR : MEMORY_SLVERR/m_axi_\1resp[0] ? MEMORY_SLVERR : MEMORY_SLVERR/"
planted late_beats_not_expected memory time_out_of_a_read \
    "s/reads_late_d\[i\*2 +: 2\] = reads_late_d\[i\*2 +: 2\] + 2'd1;//"
planted held_message_never_fails memory time_out_of_a_write "s/held_fail || (tick \&\& stage == MEMORY_HELD \&\& held_old)/held_fail/"
planted long_burst_passed_on memory wrong_length "s/beat_last          = m_axi_rlast || !fits;/beat_last          = m_axi_rlast;/"
planted address_lost_under_pressure memory ram_with_back_pressure \
    "s/^        if (m_axi_arready)\$/        if (1'b1)/"
planted strobes_lost host random_accesses "s/w_strobe_d = s_axil_wstrb;/w_strobe_d = 4'hf;/"
planted refusal_not_answered host global_registers "s/s_axil_rresp     = {r_error_q, 1'b0}/s_axil_rresp     = 2'b00/"
planted state_word_not_chosen core a_core_of_ones_own \
    "s/\.state_index(state_index\[s\*5 +: 5\])/.state_index(5'd0)/"
planted read_of_the_core_lost core a_core_of_ones_own \
    "s/\.wave_rdata(wave_host_rdata)/.wave_rdata({SE_COUNT*32{1'b0}})/"
finish
