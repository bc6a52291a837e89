#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# PM4 tables, decoder, assembler, workload loader and the tool: what is generated is current, planted faults are found,
# unit tests under the sanitizers, bounced streams draw as the plain ones do, exit codes and messages of the tool.

set -u
cd "$(dirname "$0")/../.."
export CMOCKA_MESSAGE_OUTPUT=TAP ASAN_OPTIONS=detect_leaks=1
python=.venv/bin/python
[ -x "$python" ] || python=python3
work=build/pm4
rm -rf "$work"
mkdir -p "$work"
. sim/tally.sh

# ---- One source ----

expect 'generated files are current' 0 '' $python sim/gen/gen_pm4.py --check
expect 'the default workload is made' 0 '' $python sim/workloads/compute_mix.py

# The headers, read by another program than those that wrote them, give the same numbers.
same_numbers()
{
    $python - <<'PYTHON'
import re
def read(form, *paths):
    return {name: int(digits, {"h": 16, "d": 10, "0x": 16, "": 10}[base]) for path in paths
            for name, base, digits in re.findall(form, open(path).read(), re.M)}
verilog = read(r"^`define (\w+) \d+'([hd])([0-9a-f]+)", "rtl/packet/totem_pm4.vh")
c = read(r"^#define (\w+) (0x|)([0-9a-f]+)u(?: //.*)?$", "cmodel/packet/totem_pm4.h",
         "cmodel/include/totem/pm4.h", "cmodel/include/totem/errors.h")
common = verilog.keys() & c.keys()
wrong = [name for name in common if verilog[name] != c[name]]
print(len(common), "numbers; different:", wrong)
raise SystemExit(bool(wrong or len(common) < 100))
PYTHON
}
expect 'the Verilog and the C header agree' 0 'different: []' same_numbers

# A generator looks into all files that may use what it makes. Links do: sed -i writes another file.
copy_sources() # folder
{
    rm -rf "$1"
    mkdir -p "$1"
    cp -rl sim rtl cmodel tb fpga synth docs "$1"
}

# Faults planted in a copy of the sources.
plant()
{
    local name=$1 file=$2 change=$3 text=$4 copy=$work/copy
    copy_sources "$copy"
    sed -i "$change" "$copy/$file"
    if cmp -s "$file" "$copy/$file"; then
        echo "FAIL $name: nothing was planted"
        failed=$((failed + 1))
        return
    fi
    expect "planted: $name" 1 "$text" $python "$copy/sim/gen/gen_pm4.py" --check
}
plant 'an opcode number twice' rtl/packet/pm4.yaml 's/op: 0x11,/op: 0x10,/' 'stands twice'
plant 'fields that overlap' rtl/packet/pm4.yaml 's/event_index\[11:8\]/event_index[11:5]/' 'overlaps another'
plant 'an unknown enum' rtl/packet/pm4.yaml 's/function\[2:0\]:compare/function[2:0]:comparison/' "no enum 'comparison'"
plant 'an executed packet without layout' rtl/packet/pm4.yaml \
    's/name: HDP_FLUSH, \(.*\)compute: count/name: HDP_FLUSH, \1compute: execute/' 'no compute form'
plant 'a packet key twice' rtl/packet/pm4.yaml 's/^  WAIT_TIMER:/  LAUNCH_TASK:/' 'is there twice'
plant 'an error number twice' rtl/host/errors.yaml 's/number: 2, name: OPCODE/number: 1, name: OPCODE/' 'taken by'
plant 'a changed header' cmodel/packet/totem_pm4.h 's/TOTEM_KIND_PASS 2u/TOTEM_KIND_PASS 3u/' \
    'out of date: cmodel/packet/totem_pm4.h'
plant 'a changed source' rtl/packet/pm4.yaml 's/op: 0xFC,/op: 0xFB,/' 'out of date: rtl/packet/totem_pm4.vh'
plant 'a graphics register twice' rtl/packet/graphics_registers.yaml 's/offset: 0x008,/offset: 0x009,/' \
    'register SPI_SHADER_PGM_HI_PS: its offset or its name stands twice for GFX9'
plant 'a register outside its window' rtl/packet/graphics_registers.yaml 's/offset: 0x3B8,/offset: 0x3F9,/' \
    'register CB_COLOR7_ATTRIB3: outside its window'

# ---- Unit tests ----

flags=(-std=c11 -D_GNU_SOURCE -Itb -Wall -Wextra -Wconversion -Werror -O0 -g -fsanitize=address,undefined
    -fno-sanitize-recover=all)
for folder in cmodel/*/; do flags+=("-I${folder%/}"); done
unit()
{
    local name=$1 log=$work/$1.log code good bad planned skipped
    shift
    if ! gcc "${flags[@]}" "$@" -lcmocka $(pkg-config --libs jansson libcyaml yaml-0.1 libxxhash) -o "$work/$name"; then
        echo "FAIL $name does not compile"
        failed=$((failed + 1))
        return
    fi
    timeout 300 "$work/$name" >"$log" 2>&1
    code=$?
    good=$(grep -c '^ok ' "$log")
    skipped=$(grep -c '^not ok .*# SKIP' "$log")    # said in a line SKIPPED, neither passed nor failed
    bad=$(($(grep -c '^not ok ' "$log") - skipped))
    planned=$(sed -n 's/^1\.\.\([0-9]*\)$/\1/p' "$log" | head -n 1)
    # A program that stops before its last test, or leaks after it, has not passed.
    if [ "$code" != 0 ] && [ "$bad" = 0 ] || [ "$((good + bad + skipped))" != "${planned:-none}" ]; then
        bad=$((bad + 1))
    fi
    passed=$((passed + good))
    failed=$((failed + bad))
    grep '^SKIPPED' "$log" | sort -u
    if [ "$bad" != 0 ]; then
        echo "FAIL $name, exit code $code"
        grep -v '^ok ' "$log" | head -n 40
    else
        echo "ok   $name: $good"
    fi
}
unit test_pm4 tb/unit/test_pm4.c cmodel/tool/pm4_*.c
unit test_workload tb/unit/test_workload.c tb/totem/workload.c \
    tb/totem/workload_schema.c tb/totem/workload_form.c tb/totem/register_name.c tb/totem/yaml_line.c \
    tb/totem/workload_tasks.c tb/totem/run_command.c tb/totem/run_summary.c cmodel/tool/pm4_*.c

# ---- The tool ----

expect 'the tool compiles' 0 '' make -s -f tb/totem/rules.mk TOTEM_SAN=1
totem=build/totem-san
cat >"$work/good.hex" <<'HEX'
// SET_SH_REG COMPUTE_PGM_LO, DISPATCH_DIRECT, CS_PARTIAL_FLUSH, one-dword NOP
c0027600 0000020c 03000000 00000000
c0031500 00000010 00000001 00000001 00008005
c0004600 00000407
ffff1000
HEX
printf '// two faults\nffff1000\nc0000300\n00000001\nc0031500\n00000001\n' >"$work/bad.hex"
printf 'c0000300\nhello\n' >"$work/text.hex"
expect 'decode' 0 'COMPUTE_PGM_HI  DATA=0' $totem pm4 decode "$work/good.hex"
expect 'decode names values' 0 'event_type=CS_PARTIAL_FLUSH  event_index=partial_flush' $totem pm4 decode \
    "$work/good.hex"
printf 'c0033700\n00100500\n00200000\n00007f12\n1\nc0033700\n00100000\n00004006\n00007f12\n1\n' >"$work/upper.hex"
expect 'decode marks an upper address' 0 'dst_addr_hi=0x7f12  needs ADDRESS_HIGH 0x7f' $totem pm4 decode \
    "$work/upper.hex"
grep -c 'ADDRESS_HIGH' "$work/out" | grep -qx 1
note $? 'and only where memory is accessed' "$work/out"
printf 'c0064900\n002b8514\n24000000\n00200000\n0\n1\n0\n0\n' >"$work/release.hex"
expect 'decode names fields of GFX9' 0 'tc_wb_action_ena=1  tcl1_action_ena=1  tc_action_ena=1' $totem pm4 \
    decode --chip=gfx9 "$work/release.hex"
expect 'decode names fields of GFX11' 0 'gcr_cntl=0x2b8' $totem pm4 decode --chip=gfx11 "$work/release.hex"
printf 'c0017600\n22d\n1000c\n' >"$work/place.hex" # RSRC3 of GFX9.4; another register later
expect 'decode names RSRC3 of GFX9.4' 0 'COMPUTE_PGM_RSRC3_GFX9  ACCUM_OFFSET=12  TG_SPLIT=1' $totem pm4 decode \
    --chip=gfx9 "$work/place.hex"
expect 'decode names that register of GFX10' 0 'COMPUTE_WAVE_RESTORE_ADDR_HI_GFX10  ADDR=' $totem pm4 decode \
    --chip=gfx10 "$work/place.hex"
expect 'decode names that register of GFX12' 0 'MGMT_SE6_GFX11  SA0_CU_EN=0xc  SA1_CU_EN=1' $totem pm4 decode \
    --chip=gfx12 "$work/place.hex"
expect 'decode gives all names without a chip' 0 \
    'COMPUTE_PGM_RSRC3_GFX9|COMPUTE_WAVE_RESTORE_ADDR_HI_GFX10|COMPUTE_STATIC_THREAD_MGMT_SE6_GFX11' $totem pm4 decode \
    "$work/place.hex"
printf 'c0017600\n228\n2a01\n' >"$work/place.hex"
expect 'decode names fields of GFX12' 0 'COMPUTE_PGM_RSRC3  SHARED_VGPR_CNT=1  INST_PREF_SIZE=160  GLG_EN=1' $totem \
    pm4 decode --chip=gfx12 "$work/place.hex"
printf 'c0053c00\n43\ne7\ne8\nffffffff\nffffffff\n4\n' >"$work/wait.hex"
expect 'decode names the polled register of operation 1' 0 'polled_register=0xe8' $totem pm4 decode "$work/wait.hex"
line='WAIT_REG_MEM function=eq,operation=wr_wait_wr_reg 0xe7 0xe8 0xffffffff 0xffffffff poll_interval=4'
expect 'and in the readable form' 0 "$line" $totem pm4 decode --packets "$work/wait.hex"
{ printf '%08x\n' 0x10100 && yes 0 | head -15 && printf '%08x\n' 0x31502 && yes 0 | head -15; } >"$work/aql.hex"
expect 'an AQL stream' 1 'aql.hex:1: an AQL stream of 2 packets' $totem pm4 decode "$work/aql.hex"
[ "$(grep -c . "$work/out")" = 1 ]
note $? 'says so in one line' "$work/out"
expect 'decode --packets' 0 'DISPATCH_DIRECT 0x10 1 1 compute_shader_en=1,force_start_at_000=1,cs_w32_en=1' $totem pm4 \
    decode --packets "$work/good.hex"
# Packets without a rule in this form: events with an address, a dispatch without COMPUTE_SHADER_EN, other SH registers.
printf '%s\n' 'c0024600 21e 200040 0' 'c0024600 115 200080 0' 'c0024600 407 200080 0' 'c0004600 1e' \
    'c0031500 1 1 1 4' 'c0017600 c 0' 'c0017600 27f 0' >"$work/ignored.hex"
expect 'decode marks events without a rule' 0 \
    'EVENT_WRITE  4 dwords, consumed without a rule: Totem does not have this event' $totem pm4 decode \
    "$work/ignored.hex"
grep -c 'consumed without a rule' "$work/out" | grep -qx 4
note $? 'and what else has none, nothing more' "$work/out"
expect 'stats count them' 0 '0x46 EVENT_WRITE, 2 of them consumed without a rule' $totem pm4 stats "$work/ignored.hex"
expect 'stats' 0 '12 dwords, 4 packets, 0 type-2 fillers, 0 faults' $totem pm4 stats "$work/good.hex"
expect 'an unknown opcode' 1 "$work/bad.hex:3: dword 1: opcode 0x03 is in no public list" $totem pm4 decode \
    "$work/bad.hex"
expect 'a packet cut short' 1 "$work/bad.hex:5: dword 3: DISPATCH_DIRECT 0xc0031500 needs 5 dwords, the stream has 2" \
    $totem pm4 stats "$work/bad.hex"
expect 'a file that is no stream' 3 "$work/text.hex:2: not a hexadecimal dword" $totem pm4 decode "$work/text.hex"
expect 'an empty file' 1 '/dev/null:1: no dwords' $totem pm4 decode /dev/null
expect 'a file that is not there' 3 'No such file' $totem pm4 decode "$work/none.hex"
expect 'no command' 2 'which command?' $totem
expect 'an unknown command' 2 "no command 'fly'" $totem fly
expect 'no file' 2 'decode, stats or bounce, and a FILE' $totem pm4 decode
expect 'a wrong option value' 2 'take compute or graphics' $totem pm4 stats --queue=copy "$work/good.hex"
expect 'help' 0 'Exit codes: 0 good' $totem --help

# ---- totem pm4 bounce ----

# A stream is bounced, decodes, and draws the same (sim/run/bounce_check.py). The last line has groups and bounced ones.
bounced() # stream, table or ''
{
    local table=()
    [ -z "$2" ] || table=("$2" "$work/digests")
    $totem pm4 bounce "$1" -o "$work/bounced.hex" ${2:+--table "$2"} --digests "$work/digests" --json >"$work/counts" &&
        $totem pm4 decode --queue=graphics "$work/bounced.hex" >"$work/decoded" &&
        ! grep unknown "$work/decoded" &&
        $python sim/run/bounce_check.py "$1" "$work/bounced.hex" "${table[@]}" &&
        $python -c 'import json, sys
c = json.load(open(sys.argv[1]))
print("groups", c["groups"], "bounced", c["bounced"], "gathered", c["gathered"], "barrier", c["plain_barrier"],
      "unknown", c["plain_unknown"], "long", c["plain_long"])' "$work/counts"
}
frames=sim/workloads/frame_stream.py made=sim/workloads/context_stream.py
$python $frames table "$work/table.hex"
for chip in 9 10 11; do
    $python $frames --chip $chip frame "$work/frame.hex"
    $python $frames --chip $chip frame "$work/again.hex"
    expect "frame of gfx$chip: the same again" 0 '' cmp "$work/frame.hex" "$work/again.hex"
    expect "frame of gfx$chip: registers by name" 1 '' sh -c \
        "$totem pm4 decode --queue=graphics --chip=gfx$chip $work/frame.hex | grep -e 'register 0x' -e 'not executed'"
    expect "frame of gfx$chip bounced" 0 'groups 149 bounced 139 gathered 116 barrier 10 unknown 0 long 0' bounced \
        "$work/frame.hex" "$work/table.hex"
done
expect 'without a table nothing is bounced' 0 'bounced 0 gathered 0 barrier 10 unknown 139' bounced "$work/frame.hex" ''
expect 'and is as it was' 0 '' $python -c 'import sys
plain, bounced = ([w for line in open(path) for w in line.partition("//")[0].split()] for path in sys.argv[1:])
assert plain == bounced' "$work/frame.hex" "$work/bounced.hex"
$python $made long "$work/long.hex"
expect 'the longest group' 0 'groups 2 bounced 1 gathered 0 barrier 0 unknown 0 long 1' bounced "$work/long.hex" \
    "$work/table.hex"
for kind in 'random 1' 'random 2' 'random 3' 'hidden 1' 'hidden 2' 'hidden 3' 'hidden 4'; do
    # shellcheck disable=SC2086 # kind has arguments
    $python $made $kind "$work/made.hex"
    expect "$kind bounced" 0 'have the same registers' bounced "$work/made.hex" "$work/table.hex"
done
# What a wrong driver would make of the frame.
$totem pm4 bounce "$work/frame.hex" -o "$work/bounced.hex" --table "$work/table.hex" 2>/dev/null
spoilt() # name, what is said, Python that changes the packets `p`, a list of lines of dwords
{
    expect "the check finds $1" 1 "$2" $python -c '
import subprocess, sys
p = [line.split() for line in open(sys.argv[1]) if line[0] != "/"]
bounces = [n for n, line in enumerate(p) if line[0] == "c002d400"]
exec(sys.argv[4])
open(sys.argv[2], "w").writelines(" ".join(line) + "\n" for line in p)
sys.exit(subprocess.call([sys.executable, "sim/run/bounce_check.py", sys.argv[3], sys.argv[2], sys.argv[5]]))' \
        "$work/bounced.hex" "$work/spoilt.hex" "$work/frame.hex" "$3" "$work/table.hex"
}
spoilt 'a wrong hash' 'of its registers' 'p[bounces[5]][2] = "00000000"'
spoilt 'a wrong count' 'its count is not that of whole packets' 'p[bounces[5]][1] = "00003000"'
spoilt 'a changed value' 'order: not those of the plain stream' 'p[bounces[5] + 1][2] = "0badc0de"'
spoilt 'a lost packet' 'other packets: not those of the plain stream' 'del p[bounces[5] - 1]'
spoilt 'a hash of another state' 'of its registers' 'p[bounces[50]][2:] = p[bounces[5]][2:]'
spoilt 'a write behind its draw' 'order: not those' '
draw = next(n for n in range(bounces[5], len(p)) if p[n][0] == "c0042700")
p[draw - 1], p[draw] = p[draw], p[draw - 1]'

stream() # dwords
{
    printf '%s\n' "// a stream" "$@" >"$work/stream.hex"
    $totem pm4 bounce "$work/stream.hex" -o "$work/bounced.hex"
}
expect 'a write behind the window' 1 \
    "$work/stream.hex:3: dword 2: SET_CONTEXT_REG writes offset 0x400, outside the 1024" stream c0001200\ 0 'c0026900 3ff 1 2'
expect 'another CLEAR_STATE' 1 "$work/stream.hex:2: dword 0: CLEAR_STATE with command 2; Totem knows 0 only" \
    stream 'c0001200 2'
expect 'a stream that is bounced' 1 ':2: dword 0: CONTEXT_BOUNCE: the stream is bounced already; give' \
    stream 'c002d400 3 0 0'
expect 'a packet that is cut' 1 ':3: dword 2: DRAW_INDEX_AUTO 0xc0012d00 needs 3 dwords' stream c0001200\ 0 'c0012d00 3'
expect 'an unknown opcode in it' 1 ':2: dword 0: opcode 0x03 is in no public list' stream 'c0000300 1'
expect 'an empty stream' 1 '/dev/null:1: no dwords' $totem pm4 bounce /dev/null -o "$work/bounced.hex"
expect 'no output' 2 'a FILE, and -o OUT' $totem pm4 bounce "$work/frame.hex"
expect 'an output that cannot be written' 3 "$work/none/x cannot be written: No such file" $totem pm4 bounce \
    "$work/frame.hex" -o "$work/none/x"
expect 'digests that cannot be written' 3 "$work/none/x cannot be written" $totem pm4 bounce "$work/frame.hex" \
    -o "$work/x" --digests "$work/none/x"
expect 'a table that is not there' 3 "$work/none.hex: No such file" $totem pm4 bounce "$work/frame.hex" -o "$work/x" \
    --table "$work/none.hex"
expect 'a hint at the table' 0 'CLEAR_STATE makes all registers known if --table names its values' $totem pm4 bounce \
    "$work/frame.hex" -o "$work/x"

streams=${TOTEM_STREAMS:-../shared/streams}
if [ -d "$streams" ]; then
    cat "$streams"/umr_gfx10_navi10_heaven_ib{0,1}.hex >"$work/heaven.hex"
    expect 'heaven bounced' 0 'groups 68 bounced 63 gathered 46 barrier 5 unknown 0 long 0' bounced "$work/heaven.hex" \
        "$streams/clearstate_gfx10.hex"
    grep -qF '873 digests hold' "$work/out"
    note $? 'heaven: all digests hold' "$work/out"
    grep -qF 'any number of states: [0, 0, 20, 24]' "$work/out"
    note $? 'heaven: 20 groups return to one of 4 states, 24 to any' "$work/out"
    for name in umr_gfx9_cezanne_glmark2_{ib0,ib1,ring} umr_gfx10_navi10_heaven_ring libdrm_gfx{9,10}_cached_cmd; do
        expect "$name bounced" 0 'have the same registers' bounced "$streams/$name.hex" "$streams/clearstate_gfx9.hex"
    done
    # Fields by generation: real streams have no other bits, but for the length that drivers give whole.
    for name in gfx9/umr_gfx9_cezanne_glmark2_{ib0,ib1,ring} gfx10/umr_gfx10_navi10_heaven_{ib0,ib1,ring} \
        gfx11/pm4_compute_gfx11_0_0_tinygrad; do
        expect "fields of ${name#*/}" 1 '' sh -c "$totem pm4 decode --queue=graphics --chip=${name%/*} \
            $streams/${name#*/}.hex | grep reserved= | grep -v coher_size_hi"
    done
    rm -f "$work/heaven.hex" "$work/bounced.hex" "$work/decoded" "$work/out"
else
    echo "SKIPPED bounced captured streams: they are not in $streams; name their folder with TOTEM_STREAMS="
fi

# ---- totem run without RTL ----

# A clone without a build, where Verilator fails: the model runs, and the RTL is what asks for it.
clone=$work/clone
mkdir -p "$clone/docs" "$work/bin"
cp -r Makefile cmodel tb sim rtl "$clone"
cp -r docs/contract "$clone/docs"
[ ! -e .venv ] || ln -s "$(readlink -f .venv)" "$clone/.venv"
printf '#!/bin/sh\necho "Verilator is asked for" >&2\nexit 1\n' >"$work/bin/verilator"
chmod +x "$work/bin/verilator"
in_clone() # words of make
{
    PATH=$PWD/$work/bin:$PATH OPT=-O1 make -s -C "$clone" "$@"
}
expect 'make tool needs no Verilator' 0 '' in_clone tool
expect 'the model runs without Verilator, a workload by its name' 0 'turns (mini): ' in_clone run ENGINE=model \
    WORKLOAD=turns
grep -q 'Verilator is asked for' "$work/out"
note $((1 - $?)) 'nothing asks for Verilator' "$work/out"
expect 'lockstep does ask for it' 2 'Verilator is asked for' in_clone run WORKLOAD=turns
expect 'a clash of configurations is told' 2 'turns.yaml is for configuration mini, not for full' in_clone run \
    WORKLOAD=turns CONFIG=full ENGINE=model
expect 'an unknown name' 2 "there is no workload 'nix'; take a file or one of: atomics chains compute-mix contexts copies copy-predicate disabled-dispatch dispatch-refused frame frame-alone frame-bounced frame-high frame-low frame-medium frame-small hello " in_clone run \
    WORKLOAD=nix
expect 'waves without RTL' 2 '--waves are those of the RTL' $totem run --engine=model --waves=x sim/workloads/hello.yaml

changed() # sed script for turns.yaml, options of the run
{
    sed "$1" sim/workloads/turns.yaml >"$work/changed.yaml"
    cmp -s sim/workloads/turns.yaml "$work/changed.yaml" && echo "'$1' changes nothing"
    "$clone/build/totem" run --engine model "${@:2}" "$work/changed.yaml"
}
expect 'a queue that the configuration lacks' 3 \
    "$work/changed.yaml:56: queues[3].queue: configuration mini has no queue 5 of pipe 0" changed \
    's/queue: 3/queue: 5/' --events "$work/refused"
[ ! -e "$work/refused" ]
note $? 'a refused run leaves no file' "$work/out"
expect 'the same as JSON' 3 '"message": "'"$work/changed.yaml:56: queues[3].queue: configuration mini has no queue 5" changed \
    's/queue: 3/queue: 5/' --json
expect 'a pipe that it lacks' 3 ":17: queues[0].pipe: configuration mini has no queue 0 of pipe 3" changed \
    's/pipe: 0/pipe: 3/'
moved() # sed script for moves.yaml, options of the run
{
    sed "$1" sim/workloads/moves.yaml >"$work/moved.yaml"
    "$clone/build/totem" run --engine model "${@:2}" "$work/moved.yaml"
}
expect 'queues that move, and a call that is passed' 0 '5 of 5 expectations met' moved ''
expect 'a slot that is not there' 3 'queues[0].map[0].queue: configuration mini has no queue 6' moved \
    's/queue: 2}/queue: 6}/'
expect 'a wait of the host that does not end' 1 'the host still waits for register 0x10008, since clock 2100' moved \
    's/type: 4/type: 1/; s/duration: 200/duration: 0x3fffffff/' --cycles=15000
events() # sed script for `changed`, Python that is given `lines`, `count`
{
    changed "$1" --events "$work/events" >"$work/run" 2>&1
    $python -c '
import collections, json, sys
lines = [json.loads(line) for line in open(sys.argv[1])]
count = collections.Counter(line["event"] for line in lines)
assert [line["clock"] for line in lines] == sorted(line["clock"] for line in lines)
exec(sys.argv[2])
print("events hold")' "$work/events" "$2"
}
expect 'events' 0 'events hold' events 's/^name: .*/name: renamed/' '
assert count["launched"] == count["done"] == 480 and count["granted"] == 240, count
assert count["fence"] == count["interrupt"] == 4 and count["selected"] == count["left"] + 1 > 4, count
wave = lambda line: (line["engine"], line["pipe"], line["queue"], *line["group"], line["wave"], line["slot"])
running = set()
for line in lines:
    if line["event"] == "launched":
        assert wave(line) not in running
        running.add(wave(line))
    if line["event"] == "done":
        running.remove(wave(line))
first = [line for line in lines if line["event"] in ("selected", "executed", "granted")][:2]
assert first[0]["queue"] == 0 and first[1]["packet"] == "SET_SH_REG" and first[1]["pipe"] == 0, first
fence = next(line for line in lines if line["event"] == "fence")
assert fence["address"] == 0x5000 and fence["answer"] == "ok", fence'
expect 'events of errors' 0 'events hold' events '0,/- SET_SH_REG.*/s//- OPCODE 0x03 1/' '
error = [line for line in lines if line["event"] == "error"]
assert {(e["error"], e["pipe"], e["queue"]) for e in error} >= {("PACKET_OPCODE", 0, 0)}, error'
expect '--events that cannot be written' 3 "$work/none/x cannot be written" $totem run --events="$work/none/x" \
    sim/workloads/turns.yaml
expect '--events without a model' 2 '--events are those of the model' $totem run --engine=rtl --events=x \
    sim/workloads/turns.yaml
expect 'a dispatch that is disabled' 0 \
    'queue 0.0: DISPATCH_DIRECT at 0x0000100034 has no compute_shader_en: nothing launched' "$clone/build/totem" run \
    --engine model sim/workloads/disabled-dispatch.yaml
expect 'a program that is not there' 0 'queue 0.0: its waves run program 0, which `programs` does not have' changed \
    's/entry: 0/entry: 1/'
expect 'a late host' 0 'done 1950; mapping of 0.1 asked 1000, done 2516' changed '44s/0/1000/'
expect 'a host in time' 0 '6 of 6 expectations met' changed '44s/0/1000/;52s/0/2000/;60s/0/3000/'
grep -q 'host was late' "$work/out"
note $((1 - $?)) 'of which nothing is said' "$work/out"
expect 'an empty workload' 3 "$work/changed.yaml:1: the file is empty" changed '/./d'
expect 'a workload of comments' 3 "$work/changed.yaml:1: the file is empty" changed '/^[^#]/d'
for number in 1e5 7.5 09 010 +1 1_000 0x 0x1g; do
    expect "$number is no number" 3 "$work/changed.yaml:11: memory.latency: '$number' is no number" changed \
        "s/latency: 20/latency: $number/"
done
expect 'a number of a packet' 3 ":28: queues[0].packets[3]: 09 begins with 0" changed 's/128 1 1/128 09 1/'
expect '--cycles=0' 2 "'0' is no number from 1 on" $totem run --cycles=0 sim/workloads/turns.yaml
expect '--seed=1e5' 2 "'1e5' is no number" $totem run --seed=1e5 sim/workloads/turns.yaml
expect '--cover that cannot be written' 3 "$work/none: the hits of coverage cannot be written there" $totem run \
    --engine=model --cover="$work/none" sim/workloads/turns.yaml
expect '--waves that cannot be written' 3 "$work/none/x cannot be written: No such file or directory" $totem run \
    --waves="$work/none/x" sim/workloads/turns.yaml

# ---- Settings of make targets ----

for command in 'synth/equiv.sh tally' 'synth/equiv.sh wiring' 'synth/equiv.sh' 'synth/formal.sh tally' \
    "$python sim/run/regress.py" "$python sim/run/assumptions.py"; do
    expect "$command of foo" 2 "'foo' is not a configuration; take full, board, mini, pole" $command --config foo
done
for script in run/{regress,cover,assumptions} faults/{faults,netlist_faults}; do
    expect "$script of abc seeds" 2 "argument --seeds: invalid int value: 'abc'" $python sim/$script.py --seeds abc
done
for target in 'regress SEEDS' 'block SEEDS' 'same CYCLES' 'run SEED'; do
    expect "make $target=abc" 2 'abc' make -s $target=abc BLOCK=tally BASE=HEAD WORKLOAD=hello ENGINE=model
done
for script in run/{run,waves,demo_mismatch,same}; do
    expect "$script, an unknown option" 2 "unknown option '--nope=1'; take --help or --" sim/$script.sh --nope=1
    expect "$script, no value" 2 '--config has no value; write --config VALUE' sim/$script.sh --config
    expect "$script --help" 0 "  sim/$script.sh " sim/$script.sh --help
done

# ---- JSON ----

json()
{
    $totem pm4 "$@" --json "$work/good.hex" >"$work/json" || return
    $python -c '
import json, sys
text = json.load(open(sys.argv[1]))
if sys.argv[2] == "decode":
    packets = text["packets"]
    assert [p["name"] for p in packets] == ["SET_SH_REG", "DISPATCH_DIRECT", "EVENT_WRITE", "NOP"], packets
    assert packets[0]["body"][1]["register"] == "COMPUTE_PGM_LO" and packets[0]["body"][1]["value"] == 0x3000000
    assert packets[2]["body"][0]["fields"]["event_type_name"] == "CS_PARTIAL_FLUSH"
else:
    assert text["packets"] == 4 and text["register_writes"] == {"COMPUTE_PGM_LO": 1, "COMPUTE_PGM_HI": 1}, text
assert text["faults"] == []
print("json holds")' "$work/json" "$1"
}
expect 'decode --json' 0 'json holds' json decode
expect 'stats --json' 0 'json holds' json stats

# A descriptor: sound; with a ring of 4 dwords and a write pointer ahead of it; too short; too long; in binary.
descriptor() # last dword and changes "dword=value" of a sound descriptor, one dword a line
{
    $python - "$@" <<'PYTHON'
import sys
words = {128: 0x2000, 132: 0x0be05301, 145: 0x0030850a, 149: 0x00300000, 19: 0x2c0041}
words.update((int(n), int(v, 0)) for n, v in (change.split("=") for change in sys.argv[2:]))
print("".join(f"{words.get(n, 0):08x}\n" for n in range(int(sys.argv[1]) + 1)), end="")
PYTHON
}
descriptor 511 >"$work/mqd.hex"
descriptor 183 145=0x00308501 182=5 >"$work/mqd-bad.hex"
descriptor 183 128=0 >"$work/mqd-nowhere.hex"
descriptor 183 93=64 107=2 96=64 97=2 132=0x8be05301 28=5 35=3 >"$work/mqd-ended.hex"
descriptor 183 93=64 107=2 96=64 97=1 >"$work/mqd-running.hex"
descriptor 182 >"$work/mqd-short.hex"
descriptor 183 137=0x7f >"$work/mqd-upper.hex"
descriptor 516 >"$work/mqd-long.hex"
$python -c 'import struct, sys
for line in open(sys.argv[1]):
    sys.stdout.buffer.write(struct.pack("<I", int(line, 16)))' "$work/mqd.hex" >"$work/mqd.bin"
cp "$work/mqd.bin" "$work/mqd.image"
head -c 735 "$work/mqd.bin" >"$work/mqd-cut.bin"
expect 'mqd' 0 'CP_HQD_PQ_CONTROL  QUEUE_SIZE=0xa  RPTR_BLOCK_SIZE=5' $totem mqd "$work/mqd.hex"
expect 'mqd marks an upper address' 0 '  needs ADDRESS_HIGH 0x7f' $totem mqd --address-high=0x7f "$work/mqd-upper.hex"
expect 'mqd, names of GFX10' 0 'compute_wave_restore_control' $totem mqd --chip=gfx10 "$work/mqd.hex"
expect 'mqd, verdict' 0 'a window written from it is mapped, register MAP maps it' $totem mqd "$work/mqd.hex"
expect 'mqd, registers' 0 'COMPUTE_PGM_RSRC1  VGPRS=1' $totem mqd "$work/mqd.bin"
expect 'mqd --binary' 0 'equal, no switch-out is recorded' $totem mqd --binary "$work/mqd.image"
expect 'mqd, equal records' 0 'end of pipe rptr 0x40 sequence 2: equal, all launched work had ended' $totem mqd \
    "$work/mqd-ended.hex"
expect 'mqd, unequal records' 0 'not equal, launched work had not ended' $totem mqd "$work/mqd-running.hex"
expect 'mqd, restart' 0 'goes on at work-group (5, 0, 0), of the seven behind it granted already: 0x03' $totem mqd \
    "$work/mqd-ended.hex"
place="$work/mqd-bad.hex:146: dword 145 CP_HQD_PQ_CONTROL 0x00308501: HOST_MAP_QUEUE_SIZE, by MAP DESCRIPTOR_QUEUE_SIZE"
expect 'mqd, the ring refused' 1 \
    "$place: ACTIVE set with a ring size that is refused; QUEUE_SIZE = log2(dwords) - 1" $totem mqd "$work/mqd-bad.hex"
expect 'mqd, the pointer refused' 1 "$work/mqd-bad.hex:183: dword 182 CP_HQD_PQ_WPTR_LO 0x00000005: HOST_MAP_POINTERS" \
    $totem mqd "$work/mqd-bad.hex"
expect 'mqd, no address' 1 'HOST_MAP_STATE, by MAP no error' $totem mqd "$work/mqd-nowhere.hex"
expect 'mqd, too short' 1 "$work/mqd-short.hex:183: the file ends after 183 dwords" $totem mqd "$work/mqd-short.hex"
expect 'mqd, too long' 1 "$work/mqd-long.hex:517: more than the 516 dwords" $totem mqd "$work/mqd-long.hex"
expect 'mqd, a dword cut short' 3 "$work/mqd-cut.bin: byte 0x2dc: a dword is cut short" $totem mqd "$work/mqd-cut.bin"
expect 'mqd, text that is none' 3 "$work/mqd.image:1: not a hexadecimal dword" $totem mqd "$work/mqd.image"
expect 'mqd, no file' 2 'which FILE?' $totem mqd
# What amdkfd shows of its queues: two of compute, one of a DMA engine, the second one with the refused ring.
{
    dump() { grep -v : "$1" | xargs -n 8 | awk '{ printf "    %08x: %s\n", 32 * (NR - 1), $0 }'; }
    printf 'Process 812 PASID 32769:\n  Compute queue on device f7bc\n'
    dump "$work/mqd.hex"
    printf '  SDMA queue on device f7bc\n    00000000: 00000000 00000001\n'
    printf 'Process 913 PASID 32770:\n  Compute queue on device f7bc\n'
    dump "$work/mqd-bad.hex"
} >"$work/mqds"
expect 'mqds of debugfs, all' 1 "descriptor 1 of 3, $work/mqds:3: Process 812 PASID 32769, Compute queue on device f7bc" \
    $totem mqd "$work/mqds"
grep -cE 'verdict|SDMA queue on device f7bc: of no compute queue' "$work/out" | grep -qx 3
note $? 'mqds of debugfs, each queue' "$work/out"
expect 'mqds of debugfs, the refused one' 1 "$work/mqds:89: dword 145 CP_HQD_PQ_CONTROL 0x00308501: HOST_MAP_QUEUE_SIZE" \
    $totem mqd --number=3 "$work/mqds"
expect 'mqds of debugfs, one' 0 'register MAP maps it' $totem mqd --number=1 "$work/mqds"
expect 'mqds of debugfs, one too many' 1 'the file has 3 descriptors' $totem mqd --number=4 "$work/mqds"
expect 'mqds of debugfs, json' 0 '"title": "Process 812 PASID 32769, Compute queue on device f7bc"' $totem mqd --json \
    --number=1 "$work/mqds"
sed -i 5d "$work/mqds"
expect 'mqds of debugfs, a line lost' 3 "$work/mqds:5: the offset does not follow" $totem mqd "$work/mqds"
mqd_json()
{
    $totem mqd --json "$work/mqd-bad.hex" >"$work/json" 2>"$work/json-errors"
    [ $? = 1 ] || return 1
    $python -c '
import json, sys
text = json.load(open(sys.argv[1]))
words = {word["dword"]: word for word in text["words"]}
assert words[145]["name"] == "CP_HQD_PQ_CONTROL" and words[145]["fields"]["QUEUE_SIZE"] == 1, words[145]
state = text["state"]
assert state["preload"] and state["records_equal"] and not state["unfinished_grid"], state
assert not text["mapped"] and not text["mapped_by_map"]
assert [(r["error"], r["line"]) for r in text["refusals"]] == [("HOST_MAP_QUEUE_SIZE", 146), ("HOST_MAP_POINTERS", 183)]
print("json holds")' "$work/json"
}
expect 'mqd --json' 0 'json holds' mqd_json

# Task descriptors: a chain in 02_02 and 03_00, a task that names itself, everything that is refused.
expect 'the field map is current' 0 '' $python sim/gen/gen_tmd.py --check
plant_field() # name, change of the source, what is said
{
    copy_sources "$work/copy"
    sed -i "$2" "$work/copy/rtl/task/tmd.yaml"
    expect "planted: $1" 1 "$3" $python "$work/copy/sim/gen/gen_tmd.py" --check
}
plant_field 'a field that overlaps' 's/v02_02: "\[136\]"/v02_02: "[137]"/' 'overlaps another field of 02_02'
plant_field 'a key twice' 's/key: GRID_Y/key: GRID_X/' 'field GRID_X: the key stands twice'
plant_field 'an unknown error' 's/error: TMD_QUEUE/error: TMD_KIND/' 'a condition needs an error of class descriptor'
plant_field 'an unknown condition' 's/when: RELEASE1_ENABLE/when: RELEASE3_ENABLE/' "no field 'RELEASE3_ENABLE'"
plant_field 'a field across dwords' 's/v03_00: "\[157:142\]"/v03_00: "[165:142]"/' 'within one dword'
plant_field 'a moved field' 's/DEPENDENT_QMD1_ENABLE\[517\]/DEPENDENT_QMD1_ENABLE[518]/' \
    'out of date: rtl/task/totem_tmd.vh, cmodel/task/totem_tmd.h, docs/tmd.md'
tasks() # changes "key=value" of three tasks at 0x1000: 03_00 -> 02_02 -> itself; keys are task.KEY of the field map
{
    $python - "$@" <<'PYTHON'
import re, sys
sys.path.insert(0, "sim/gen")
import gen_tmd
source = gen_tmd.Source()
places = {(version, field["key"]): (low, (2 << high - low) - 1)
          for version in source.versions for field, _, high, low in source.each(version)}
versions, tasks = ["v03_00", "v02_02", "v03_00"], [0, 0, 0]
def put(task, key, value):
    low, mask = places[versions[task], key]
    tasks[task] = tasks[task] & ~(mask << low) | value << low
for task, version in enumerate(versions):
    put(task, "QMD_MAJOR_VERSION", int(version[2]))
    put(task, "QMD_VERSION", int(version[5]))
    for key, value in {"GRID_X": 3 + task, "GRID_Y": 1, "GRID_Z": 1, "BLOCK_X": 64, "BLOCK_Y": 1, "BLOCK_Z": 1}.items():
        put(task, key, value)
put(0, "DEPENDENT_ENABLE", 1), put(0, "DEPENDENT_POINTER", 0x11), put(0, "DEPENDENT_ACTION", 3)
put(1, "DEPENDENT_ENABLE", 1), put(1, "DEPENDENT_POINTER", 0x11), put(1, "DEPENDENT_TYPE", 1)
for change in sys.argv[1:]:
    task, key, value = re.fullmatch(r"(\d)\.(\w+)=(\w+)", change).groups()
    put(int(task), key, int(value, 0))
for task in tasks:
    for dword in range(64):
        print(f"{task >> 32 * dword & 0xffffffff:08x}")
PYTHON
}
task() # changes
{
    tasks "$@" >"$work/tasks.hex"
    # shellcheck disable=SC2086 # an option or none
    $totem task --base=0x1000 $above "$work/tasks.hex"
}
above=
expect 'task, chains' 0 '3 tasks, 2 chains, 0 refusals' task
expect 'task, a dependent' 0 '  0x1100  02_02  grid 4 x 1 x 1, block 64 x 1 x 1' task
expect 'task, itself' 0 '    0x1100  shown above' task
expect 'task, elsewhere' 0 '    0x22200  not in the file' task 1.DEPENDENT_POINTER=0x222
expect 'task, releases' 0 'release 1 0x9900000010 = 0x7 (structure size 2)' task 0.RELEASE1_ENABLE=1 \
    0.RELEASE1_ADDRESS_LOW=16 0.RELEASE1_ADDRESS_HIGH=0x99 0.RELEASE1_PAYLOAD_LOW=7 0.RELEASE1_SIZE=2
while read -r change line text; do
    expect "task, $change" 1 "$work/tasks.hex:$line: $text" task "$change"
done <<'END'
0.QMD_VERSION=1 19 task 0x1000, dword 18: QMD_VERSION [579:576] is 0x1: DESCRIPTOR_TMD_VERSION
0.IS_QUEUE=1 5 task 0x1000, dword 4: IS_QUEUE [136:136] is 0x1: DESCRIPTOR_TMD_QUEUE
0.DEPENDENT1_ENABLE=1 17 task 0x1000, dword 16: DEPENDENT_QMD1_ENABLE [517:517] is 0x1: DESCRIPTOR_TMD_DEPENDENT1
0.DEPENDENCE_COUNTER=2 5 task 0x1000, dword 4: DEPENDENCE_COUNTER [157:142] is 0x2: DESCRIPTOR_TMD_COUNTER
0.DEPENDENT_ACTION=4 17 task 0x1000, dword 16: DEPENDENT_QMD0_ACTION [515:513] is 0x4: DESCRIPTOR_TMD_ACTION
1.DEPENDENT_TYPE=0 69 task 0x1100, dword 4: DEPENDENT_QMD_TYPE [142:142] is 0x0: DESCRIPTOR_TMD_TYPE
0.MEMBAR_TYPE=2 12 task 0x1000, dword 11: CWD_MEMBAR_TYPE [369:368] is 0x2: DESCRIPTOR_TMD_FIELD
1.QMD_MAJOR_VERSION=4 83 task 0x1100, dword 18: QMD_MAJOR_VERSION [583:580] is 0x4: DESCRIPTOR_TMD_VERSION
1.BLOCK_Y=0 84 task 0x1100, dword 19: CTA_THREAD_DIMENSION1 [623:608] is 0x0: DESCRIPTOR_TMD_FIELD
0.RELEASE2_ENABLE=1 54 task 0x1000, dword 53: RELEASE2_ENABLE [1719:1719] is 0x1: DESCRIPTOR_TMD_FIELD
END
expect 'task, 48 bits of a program' 0 'program 0x956700000000' task 0.PROGRAM_HIGH=0x19567
expect 'task, bit 39' 0 '3 tasks' task 0.RELEASE1_ENABLE=1 0.RELEASE1_ADDRESS_HIGH=0x80
above=--address-high=1
expect 'task, bit 39 with ADDRESS_HIGH' 1 'dword 29: RELEASE1_ADDRESS_UPPER [935:928] is 0x80: DESCRIPTOR_TMD_ADDRESS' \
    task 0.RELEASE1_ENABLE=1 0.RELEASE1_ADDRESS_HIGH=0x80
expect 'task, a dependent with bit 39' 1 'DEPENDENT_QMD_POINTER [511:480] is 0x80000222: DESCRIPTOR_TMD_ADDRESS' \
    task 1.DEPENDENT_POINTER=0x80000222
above=
expect 'task, a reduction' 1 'RELEASE0_REDUCTION_ENABLE [826:826] is 0x1: DESCRIPTOR_TMD_FIELD' task 0.RELEASE0_ENABLE=1 \
    0.RELEASE0_REDUCTION=1
expect 'task, a reduction of no release' 0 '0 refusals' task 0.RELEASE0_REDUCTION=1
expect 'task, an empty file' 1 '/dev/null:1: no dwords; a descriptor has 64' $totem task /dev/null
head -n 100 "$work/tasks.hex" >"$work/tasks-short.hex"
expect 'task, too short' 1 "$work/tasks-short.hex:100: the last descriptor ends after 36 dwords" $totem task \
    "$work/tasks-short.hex"
sed '19s/.*/00000040/' "$work/tasks-short.hex" >"$work/tasks-later.hex"
expect 'task, a later layout' 1 'the first is of version 04_00, which is another layout' $totem task \
    "$work/tasks-later.hex"
{ yes 0 | head -14 && echo 00500000 && yes 0 | head -19 && echo 00020040 && yes 0 | head -4 && echo 7 &&
    yes 0 | head -56; } >"$work/tasks-long.hex"
expect 'task, QMD 05_00' 1 'QMD 05_00, 1 descriptors of 96 dwords; Totem reads QMD 02_02 and 03_00' $totem task \
    "$work/tasks-long.hex"
grep -q 'v05_00  grid 7 x 0 x 0, block 64 x 2 x 0' "$work/out"
note $? 'and its fields' "$work/out"
expect 'task, text that is none' 3 "$work/text.hex:2: not a hexadecimal dword" $totem task "$work/text.hex"
expect 'task, a wrong base' 2 "'7' is no multiple of 256" $totem task --base=7 "$work/tasks.hex"
expect 'task, no file' 2 'which FILE?' $totem task
streams=${TOTEM_STREAMS:-../shared/streams}
generated_chains()
{
    $totem task --base=0x200000200 --step=0x1000 "$streams/qmd_v03_00_tinygrad_chain.hex" >"$work/chains" || return
    grep -c 'grid 12544 x 1 x 1' "$work/chains" && grep -c 'grid 16 x 1 x 32' "$work/chains" &&
        [ "$(grep -c ', release 0' "$work/chains")" = 4 ] && [ "$(grep -c '^0x' "$work/chains")" = 4 ] &&
        [ "$(grep -c '^ \{14\}0x' "$work/chains")" = 4 ] && tail -n 1 "$work/chains"
}
if [ -f "$streams/qmd_v03_00_tinygrad_chain.hex" ]; then
    expect 'task, generated chains' 0 '32 tasks, 4 chains, 0 refusals' generated_chains
elif [ -n "${TOTEM_STREAMS:-}" ]; then
    expect 'task, generated chains' 0 '' false
else
    echo "SKIPPED task, generated chains: they are not in $streams; name their folder with TOTEM_STREAMS="
fi

# Every option of --help stands in the manual page.
manual()
{
    local option missing=0
    for option in \
        $({ $totem pm4 --help; $totem pm4 bounce --help; $totem mqd --help; $totem task --help; $totem run --help; } |
        grep -o -- '--[a-z]*' | sort -u); do
        case $option in --help | --usage) continue ;; esac
        sed 's/\\-/-/g' docs/totem.1 | grep -qF -- "$option" || { echo "$option is not in docs/totem.1"; missing=1; }
    done
    return $missing
}
expect 'the manual has every option' 0 '' manual

finish
