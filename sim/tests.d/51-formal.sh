#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Properties in the RTL by induction (synth/formal.sh), and that a planted fault is refuted.
set -u
cd "$(dirname "$0")/../.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
CONFIG=full synth/formal.sh --quick >"$folder/all" 2>&1
CONFIG=full synth/formal.sh inbox --plant 2 >"$folder/plant" 2>&1
passed=0
failed=0
for name in all plant; do
    cat "$folder/$name"
    line=$(tail -n 1 "$folder/$name")
    case "$line" in
    *' passed, '*' failed') ;;
    *) line='0 passed, 1 failed' ;;
    esac
    passed=$((passed + ${line%% *}))
    rest=${line#* passed, }
    failed=$((failed + ${rest%% *}))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
