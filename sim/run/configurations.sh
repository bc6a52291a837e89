#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# sim/run/configurations.sh     the names of the configurations (rtl/top/config.yaml), in one line

cd "$(dirname "$0")/../.." && sed -n 's/^    {"\([a-z]*\)",.*/\1/p' tb/totem/totem_configurations.h | xargs
