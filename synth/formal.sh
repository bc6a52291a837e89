#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Proves the properties that stand in the RTL under `ifdef FORMAL, for ever, by induction (docs/proof.md).
#
#   synth/formal.sh [BLOCK ...] [--config CONFIGURATION] [option ...]
#
# Without a block all that have properties. Options: see synth/formal/induct.py --help.
set -eu
cd "$(dirname "$0")/.."
python=python3
[ -x .venv/bin/python ] && python=.venv/bin/python
exec "$python" synth/formal/induct.py "$@"
