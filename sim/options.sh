# SPDX-License-Identifier: Apache-2.0
#
# Options of scripts (sourced): `options workload cycles -- "$@"` sets the variables workload and cycles from --workload
# VALUE or --workload=VALUE, empty without the option. --help prints the head of the script; all else is refused.

options() # name..., --, argument...
{
    local known=()
    while [ "$1" != -- ]; do
        known+=("$1")
        printf -v "$1" ''
        shift
    done
    shift
    while [ $# -gt 0 ]; do
        local option=${1%%=*}
        case $option in
        -h | --help)
            awk 'NR > 3 { if (!sub(/^# ?/, "")) exit; print }' "$0"
            exit
            ;;
        esac
        if [[ " ${known[*]/#/--} " != *" $option "* ]]; then
            echo "${0##*/}: unknown option '$1'; take --help or ${known[*]/#/--}" >&2
            exit 2
        fi
        [[ $1 != *=* ]] || set -- "$option" "${1#*=}" "${@:2}"
        [ $# -gt 1 ] || { echo "${0##*/}: $1 has no value; write $1 VALUE" >&2; exit 2; }
        printf -v "${1#--}" %s "$2"
        shift 2
    done
}
