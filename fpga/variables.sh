# SPDX-License-Identifier: Apache-2.0
#
# Checks of numbers (sourced by fpga/check.sh and fpga/build.sh).

# Ends with an error unless the value is a number that is allowed.
whole() # name, value
{
    case $2 in
    '' | *[!0-9]* | 0* | ???????????*) ;;
    *) [ "$2" -gt 2147483647 ] || return 0 ;;
    esac
    echo "fpga: $1 has '$2': write a decimal number from 1 to 2147483647" >&2
    exit 2
}
