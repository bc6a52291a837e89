#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# From a top of fpga/tops.yaml to a bitstream, with area, clock and critical path.
#
#   fpga/build.sh BOARD TOP    hx8k or ulx3s; bitstream and logs in build/fpga/BOARD-TOP/, with FAULT=1
#                              in build/fpga/BOARD-TOP-fault/
#   fpga/build.sh alone TOP    the top's block alone between registers on the ECP5; logs in build/fpga/alone-TOP/
#   fpga/build.sh record       all tops, both boards and alone: writes a section of docs/synth.md (about half an hour)
#   fpga/build.sh page         that section from the logs of the last runs
#
# CLOCKS= another length of the run. FAULT=1 plants a fault, so that the board shows red. FPGA_SEEDS="1 2 3" seeds of
# nextpnr (default 1; record: 1 2 3); the bitstream is that of the fastest. FPGA_JOBS= runs at a time (default 2).
set -eu
cd "$(dirname "$0")/.."
exec .venv/bin/python fpga/build.py "$@"
