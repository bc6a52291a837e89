#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Compiles what Verilator has written, in few compilations. Each of its many files reads the headers of the whole
# machine, which takes longer than the file itself; here some files that follow each other are one compilation. What
# runs once (Verilator's "slow" files) is not optimized. Clang, where it is there: for `full` it takes two
# thirds of gcc's time, and what it makes runs an eighth faster.
#
#   sim/run/compile_verilated.sh FOLDER PREFIX FLAGS OBJECT...     FLAGS: of what runs in every clock, such as -O1

set -eu
folder=$1 prefix=$2 flags=$3
shift 3
cd "$folder"
unset MAKEFLAGS MAKELEVEL
bytes=3000000   # of one compilation; a machine of many megabytes has work for all cores
# shellcheck disable=SC2016 # variables of make
parts=$(make -s -f "$prefix.mk" --eval 'parts: ; @echo "fast $(VM_FAST)"; echo "slow $(VM_SLOW)"' parts)
units()
{
    for file in $(printf '%s\n' "$parts" | sed -n "s/^$1 //p"); do wc -c "$file.cpp"; done |
        awk -v name="unit_$1" -v bytes=$bytes '{ print name int(sum / bytes), $2; sum += $1 }' >"unit_$1.txt"
    for unit in $(cut -d ' ' -f 1 "unit_$1.txt" | uniq); do
        sed -n "s/^$unit \(.*\)/#include \"\1\"/p" "unit_$1.txt" >"$unit.new"
        cmp -s "$unit.new" "$unit.cpp" || cp "$unit.new" "$unit.cpp"
        echo "$unit"
    done
}
fast=$(units fast | xargs)
slow=$(units slow | xargs)
if ! make -s -f "$prefix.mk" -j2 CXX="$(command -v clang++-14 || echo g++)" OBJCACHE="$(command -v ccache || true)" \
    OPT_FAST="$flags" OPT_SLOW=-O0 OPT_GLOBAL=-O2 \
    VM_PARALLEL_BUILDS=1 VM_CLASSES_FAST="$fast" VM_SUPPORT_FAST= VM_CLASSES_SLOW="$slow" VM_SUPPORT_SLOW= \
    "$@" >make.log 2>&1; then
    cat make.log >&2
    exit 1
fi
