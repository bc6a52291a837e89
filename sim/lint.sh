#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
#
# Lint. As Verilog-2005, every block of rtl/ in configuration full goes through Verilator -Wall and Icarus -Wall
# without a single warning, and so does the whole machine, which holds the modules of the wiring, in board and (Icarus
# alone) in full. As SystemVerilog, all files of totem.f are read with the example system in board, so no name is a word
# of that language (Icarus refuses all of IEEE 1800). sim/ports.py and synth/synth.sh have the blocks with Yosys.
#
# Every C file goes through clang-format and clang-tidy. The wiring of the machine (rtl/top) has no operator, no net
# with two drivers or none, and no port of another width, in any configuration; properties share no wire with what they
# judge (sim/shared_wires.py).
#
#   sim/lint.sh [hdl|c|format]     without an argument hdl and c; format rewrites the C files
#   sim/lint.sh block NAME...      RTL and properties, C twin and unit tests of these blocks
#   LINT_SECONDS=                  limit of one clang-tidy run (default 120)
#
# What passed is not looked at again while nothing that it reads changes (build/lint/passed/).

set -u
cd "$(dirname "$0")/.."
work=build/lint
mkdir -p "$work/passed"
tools=$(verilator --version; yosys -V)
export work tools

# A command, which says nothing if all is well. It is not run again on texts with which it passed.
once() # what, name of its log, files that it reads (none: it always runs), command...
{
    local what=$1 log=$work/$2.log files=$3 key
    shift 3
    key=$({ echo "$tools $*"; cat sim/lint.sh sim/verilator.vlt $files; } | sha256sum | cut -c1-32)
    if [ "$files" ] && [ -f "$work/passed/$key" ]; then
        echo "ok   $what"
    elif "$@" >"$log" 2>&1 && [ ! -s "$log" ]; then
        [ ! "$files" ] || : >"$work/passed/$key"
        echo "ok   $what"
    else
        echo "FAIL $what"
        sed 's/^/     /' "$log" | head -n 20
    fi
}
export -f once

# One module in one configuration: tools, language, module, file, configuration, parameters NAME=value. Icarus says
# which files it has read; it takes little time and always runs.
hdl_one()
{
    local use=$1 language=$2 module=$3 file=$4 configuration=$5 name=$3-$2-$5 generation=2005 verilog=1364-2005
    local define=TOTEM_CONFIG_${5^^} files parameters read
    shift 5
    [ "$language" = verilog ] || { generation=2012 verilog=1800-2017; }
    files=$(for folder in rtl/*/; do echo "-I${folder%/} -y ${folder%/}"; done)
    [ "$module" != soc ] || files='-f totem.f tb/soc/soc_core.v tb/soc/soc_ram.v'
    parameters=$(printf " -P$module.%s" "$@")
    : >"$work/$name.read"
    [[ $use != *iverilog* ]] || once "iverilog $language $module $configuration" "iverilog-$name" "" \
        iverilog -g$generation -Wall -t null -M"$work/$name.read" -D$define $files ${1:+$parameters} \
        -s "$module" "$file"
    read=$(sort -u "$work/$name.read")
    parameters=$(printf ' -G%s' "$@")
    [[ $use != *verilator* ]] || once "verilator $language $module $configuration" "verilator-$name" "$read" \
        verilator --lint-only -Wall --default-language $verilog -D$define ${1:+$parameters} --top-module "$module" \
        sim/verilator.vlt $files "$file"
}
export -f hdl_one

# The wiring of one configuration: with the blocks as black boxes no cell is left but instances. Operators of constants
# alone, such as those of indices, are none. In board as SystemVerilog. Arguments: configuration; folder and top of a
# part of the wiring.
wiring_one()
{
    local folder=${2:-rtl/top} top=${3:-totem} flags blocks tops
    flags="-DTOTEM_CONFIG_${1^^} $(printf ' -I%s' rtl/*/)"
    [ "$1" != board ] || flags="-sv $flags"
    tops=$(echo "$folder"/totem*.v)
    blocks=$(ls rtl/*/totem_*.v | grep -v '^rtl/top/')
    if [ "$top" != totem ]; then
        tops=$folder/$top.v
        blocks=$(grep -Ff <(grep -o '\btotem_[a-z0-9_]*' "$tops" | sort -u | sed 's,.*,/&.v,') <<<"$blocks")
    fi
    once "wiring $1" "wiring-$1" "$tops $(echo rtl/*/*.v*)" \
        yosys -q -e '.*' -p "read_verilog -lib $flags $(echo $blocks); read_verilog $flags $tops;
        hierarchy -check -top $top; proc; opt_clean; select -assert-none t:\$* t:\$paramod* %d; check -assert"
}
export -f wiring_one

# clang-tidy is slow: a file whose preprocessed text and rules passed before is not looked at again.
c_one()
{
    local file=$1 key
    key=$({ cat .clang-tidy "$file"; cc -std=c11 -D_GNU_SOURCE -E $c_flags "$file"; } 2>&1 | sha256sum | cut -c1-32)
    if [ ! -f "$work/passed/$key" ]; then
        # LOCKSTEP_ARGUMENTS: the Makefile of the lockstep gives it
        if timeout "${LINT_SECONDS:-120}" clang-tidy-14 --quiet "$file" -- -std=c11 -D_GNU_SOURCE \
            -DLOCKSTEP_ARGUMENTS='""' $c_flags >"$work/tidy-$key.log" 2>&1; then
            mv "$work/tidy-$key.log" "$work/passed/$key"
        else
            [ $? -ne 124 ] || echo "not done within ${LINT_SECONDS:-120} s: raise LINT_SECONDS" >>"$work/tidy-$key.log"
            echo "FAIL clang-tidy $file"
            grep -v "warnings\? generated\|^Suppressed\|^Use -header" "$work/tidy-$key.log" | head -n 20 |
                sed 's/^/     /'
            return
        fi
    fi
    echo "ok   clang-tidy $file"
}
export -f c_one

format_some() # files
{
    if clang-format-14 --dry-run -Werror "$@" >"$work/format.$$" 2>&1; then
        printf 'ok   clang-format %s\n' "$@"
    else
        echo "FAIL clang-format (make format)"
        head -n 20 "$work/format.$$" | sed 's/^/     /'
    fi
    rm -f "$work/format.$$"
}
export -f format_some

check_c() # files
{
    local written folder
    c_flags=
    for folder in cmodel/ cmodel/*/ build/generated/cmodel/top/ tb/ tb/lockstep/*/ tb/*/ fpga/ build/lint/generated/; do
        c_flags+=" -I${folder%/}"
    done
    c_flags+=" $(for package in cmocka jansson libcyaml yaml-0.1 libxxhash; do
        pkg-config --cflags $package 2>/dev/null
    done | xargs)"
    export c_flags
    # Headers that the builds generate.
    mkdir -p "$work/generated"
    [ "$what" = block ] && [ -f "$work/generated/probe.h" ] || for generator in gen_lockstep gen_replay gen_same; do
        .venv/bin/python sim/gen/$generator.py full build/lint/generated || exit 1
    done
    # The shape of the others is their generators' business.
    grep -L '^// Generated by' "$@" | xargs -r -P 2 -n 40 bash -c 'format_some "$@"' lint
    printf '%s\n' "$@" | grep '\.c$' | xargs -r -P 2 -n 1 bash -c 'c_one "$@"' lint
}

check_hdl()
{
    .venv/bin/python sim/gen/gen_config.py --modules full mini board >"$work/modules" || exit 1
    {
        echo verilator,iverilog verilog totem rtl/top/totem.v board
        echo iverilog verilog totem rtl/top/totem.v full
        echo verilator,iverilog system soc tb/soc/soc.v board
        while read -r module file configuration values; do
            case $file:$configuration in
            rtl/top/*) ;;
            *:full) echo "verilator,iverilog verilog $module $file $configuration${values:+ $values}" ;;
            esac
        done <"$work/modules"
    } | xargs -P 2 -L 1 bash -c 'hdl_one "$@"' lint
    sim/run/configurations.sh | tr ' ' '\n' | xargs -P 2 -n 1 bash -c 'wiring_one "$@"' lint
    .venv/bin/python sim/shared_wires.py --self-test || echo "FAIL shared wires"
    planted
}

# The checks themselves.
planted()
{
    local fault word
    rm -rf "$work/planted"
    mkdir -p "$work/planted"
    # An operator in the wiring, a net that nobody drives, one with two drivers, one of another width.
    for fault in 's/\.fetch_busy(fetch_busy)/.fetch_busy(fetch_busy \&\& hqd_busy)/:totem_front\/$logic_and' \
        's/\.idle(slot_idle_idle)/.idle()/:slot_idle_idle.*has no driver' \
        's/\.idle(slot_idle_idle)/.idle(drain_free)/:conflicting drivers.*drain_free' \
        's/\.idle(slot_idle_idle)/.idle(hqd_busy)/:Resizing cell port .*slot_idle.idle'; do
        sed "${fault%%:*}" rtl/top/totem_front.v >"$work/planted/totem_front.v"
        if wiring_one mini "$work/planted" totem_front | grep -q '^FAIL' &&
            grep -q "${fault#*:}" "$work/wiring-mini.log"; then
            echo "ok   wiring: planted, and found: ${fault#*:}"
        else
            echo "FAIL wiring: planted, and not found: ${fault#*:}"
        fi
    done
    # A word of SystemVerilog as the name of a net.
    for word in before cross final; do
        sed "s/^endmodule/    wire $word = \&each;\n&/" rtl/lib/totem_any.v >"$work/planted/totem_any.v"
        if hdl_one iverilog verilog totem_any "$work/planted/totem_any.v" full | grep -q '^ok' &&
            [ "$(for tool in iverilog verilator; do
                hdl_one $tool system totem_any "$work/planted/totem_any.v" full
            done | grep -c '^FAIL')" = 2 ]; then
            echo "ok   SystemVerilog: a net $word is found"
        else
            echo "FAIL SystemVerilog: a net $word is not found"
        fi
    done
}

check_block() # names
{
    local name file files
    .venv/bin/python sim/gen/gen_config.py --modules full mini >"$work/modules" || exit 1
    for name in "$@"; do
        files=$(ls rtl/*/totem_"$name".v 2>/dev/null) || { echo "lint: there is no block '$name'" >&2; exit 2; }
        grep "^totem_$name " "$work/modules" | while read -r module file configuration values; do
            for language in verilog system; do
                hdl_one verilator,iverilog $language "$module" "$file" "$configuration" $values
            done
        done
        [ ! -f "${files%.v}_properties.vh" ] || once "yosys properties totem_$name" "yosys-$name" "" \
            yosys -q -p "read_verilog -sv -formal -DFORMAL $(printf ' -I%s' rtl/*/) $files"
        .venv/bin/python sim/shared_wires.py "$files" || echo "FAIL shared wires $name"
        check_c $(ls cmodel/*/totem_"$name"{,_*}.[ch] tb/unit/test_"$name"{,_*}.c 2>/dev/null)
    done
}

what=${1:-all}
case $what in all | hdl | c | block | format) ;; *)
    echo "lint: '$what' is neither hdl, c, block nor format" >&2
    exit 2
    ;;
esac
[ "$what" = hdl ] || make -s -C cmodel wiring || exit 1
c_files=$(find cmodel tb fpga build/generated/cmodel -name '*.[ch]' 2>/dev/null | LC_ALL=C sort)
if [ "$what" = format ]; then
    grep -L '^// Generated by' $c_files | xargs clang-format-14 -i
    exit
fi
log=$work/all.log
case $what in
hdl) check_hdl ;;
c) check_c $c_files ;;
block) shift; check_block "$@" ;;
all) check_hdl; check_c $c_files ;;
esac | tee "$log"
status=${PIPESTATUS[0]}
passed=$(grep -c '^ok ' "$log")
failed=$(grep -c '^FAIL ' "$log")
echo "$passed passed, $failed failed"
[ "$status" = 0 ] || { echo "lint: it stopped before its end" >&2; exit "$status"; }
[ "$failed" = 0 ] && [ "$passed" != 0 ]
