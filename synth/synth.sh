#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Yosys on the RTL: no error, no latch, no multiple or missing driver, and what it costs (docs/results.md).
#
#   synth/synth.sh                  every block for generic gates in full and mini, then the machine mini for iCE40
#   synth/synth.sh BLOCK            one block: generic gates and iCE40 in full and mini; prints, writes no page
#   synth/synth.sh machine CONFIG   the machine of a configuration: mini for iCE40, board for ECP5 (many minutes)
#   synth/synth.sh quick            every block in mini, not mapped to gates; the last line is "N passed, N failed"
#   synth/synth.sh page             build/synth/synth.md, the table, from the last results, without a run
#
# SYNTH_RTL= another rtl/ folder below the project (a planted fault); its results go to build/synth-copy/.
# SYNTH_SECONDS= limit of one run (default 1800); SYNTH_JOBS= runs at a time (default 2). Results, logs and netlists of
# the machine are in build/synth/.
set -eu
cd "$(dirname "$0")/.."
python=python3
[ -x .venv/bin/python ] && python=.venv/bin/python
exec "$python" synth/synth.py "$@"
