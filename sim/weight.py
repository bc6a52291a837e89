#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts the lines of the tracked files: hand-written, generated (a first line says so), and records of measurements.

    python3 sim/weight.py [REVISION]      the present index without a revision

The licence is not counted. Comments and empty lines are.
"""

import subprocess
import sys
from collections import Counter
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent


def main(arguments):
    if len(arguments) > 1 or arguments[:1] in (["-h"], ["--help"]):
        sys.exit(__doc__)
    listed = ["git", "ls-tree", "-r", "--name-only", "-z", arguments[0]] if arguments else ["git", "ls-files", "-z"]
    revision = arguments[0] if arguments else ""
    names = subprocess.run(listed, cwd=TOP, check=True, capture_output=True).stdout.decode().split("\0")[:-1]
    # All contents in one process.
    asked = "".join(f"{revision}:{name}\n" for name in names)
    data = subprocess.run(["git", "cat-file", "--batch"], cwd=TOP, check=True, capture_output=True,
                          input=asked.encode()).stdout
    written, generated, records, at = Counter(), Counter(), Counter(), 0
    for name in names:
        end = data.index(b"\n", at)
        size = int(data[at:end].split()[2])
        text, at = data[end + 1:end + 1 + size], end + 2 + size
        if name == "LICENSE" or b"\0" in text:
            continue
        kind = (records if name.startswith("docs/results") else
                generated if b"enerated by" in b"\n".join(text.split(b"\n")[:6]) else written)
        kind[name.split("/")[0] if "/" in name else "."] += text.count(b"\n")
    print(f"{'folder':<10} {'written':>9} {'generated':>9} {'records':>9}")
    for folder in sorted(written | generated | records):
        print(f"{folder:<10} {written[folder]:>9,} {generated[folder]:>9,} {records[folder]:>9,}")
    print(f"{'sum':<10} {written.total():>9,} {generated.total():>9,} {records.total():>9,}")


if __name__ == "__main__":
    main(sys.argv[1:])
