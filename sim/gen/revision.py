# SPDX-License-Identifier: Apache-2.0
"""The revision that a recorded figure is of."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# What a figure may depend on; pages may change.
SOURCES = ("rtl", "cmodel", "tb", "sim", "synth", "fpga", "docs/contract")


def revision():
    """Short hash of HEAD, and whether the sources differ from it."""
    def git(*words):
        return subprocess.run(["git", "-C", str(ROOT), *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True).stdout.strip()

    if Path(git("rev-parse", "--show-toplevel")) != ROOT:
        return "unknown (no repository)"    # exported files
    return git("rev-parse", "--short",
               "HEAD") + (" and changes not committed" if git("status", "--porcelain", "--", *SOURCES) else "")
