#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one fault of sim/faults.txt in a copy of rtl/.

    python3 sim/plant_fault.py FAULT FOLDER     FOLDER is the copy
    python3 sim/plant_fault.py --list           names, one a line

A line of sim/faults.txt: name, file below rtl/, then the text to replace and what to put there, each between |. The text
must stand in the file exactly once, so that a fault that no longer applies is an error and not a silent pass.
"""

import sys
from pathlib import Path

TABLE = Path(__file__).resolve().parent / "faults.txt"


def faults():
    found = {}
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        head, *rest = line.split("|")
        if len(head.split()) != 2 or len(rest) != 4 or not rest[0] or not rest[2]:
            sys.exit(f"{TABLE}:{number}: expected `name file |old| |new|`")
        found[head.split()[0]] = (head.split()[1], rest[0], rest[2])
    return found


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(faults()))
        return
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    known = faults()
    if sys.argv[1] not in known:
        sys.exit(f"plant: no fault '{sys.argv[1]}'; known: {', '.join(known)}")
    file, old, new = known[sys.argv[1]]
    path = Path(sys.argv[2]) / file
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"plant: '{old}' stands {text.count(old)} times in {path}; mend sim/faults.txt")
    path.write_text(text.replace(old, new))
    print(f"{path}: '{old}' is now '{new}'")


if __name__ == "__main__":
    main()
