# SPDX-License-Identifier: Apache-2.0
#
# A program in the place of a board, for scripts (sourced by fpga/bring_up.sh and sim/tests.d/64-bring-up.sh): its
# terminal is $work/port. It ends with the script.

board_process=
stop()
{
    [ -z "$board_process" ] || { kill "$board_process"; wait "$board_process"; } 2>/dev/null
    board_process=
    rm -f "$work/port" "$work/board.txt"
}

board() # command: it prints a line once the port is there
{
    local command=("$@")
    stop
    [ "${1##*/}" != simulate ] || command+=(--link "$work/port")
    "${command[@]}" >"$work/board.txt" 2>&1 &
    board_process=$!
    for _ in {1..50}; do
        [ ! -s "$work/board.txt" ] || return 0
        sleep 0.1
    done
}
trap stop EXIT
