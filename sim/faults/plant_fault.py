#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants one fault of sim/faults/faults.txt in a copy of rtl/ or cmodel/.

    python3 sim/faults/plant_fault.py FAULT FOLDER           FOLDER is a copy of rtl/
    python3 sim/faults/plant_fault.py --model FAULT FOLDER   FOLDER is a copy of cmodel/: the same fault in the C model
    python3 sim/faults/plant_fault.py --list                 names, one a line
    python3 sim/faults/plant_fault.py --check                every text stands exactly once in its file

A line of sim/faults/faults.txt: name, file below rtl/, then the text to replace and what to put there, each between |;
a line that begins with = is the last named fault in the C model. An indented line goes on with the one before it. A
text must stand in its file exactly once, so that a fault that no longer applies is an error and not a silent pass.
"""

import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
TABLE = TOP / "sim/faults/faults.txt"


def faults():
    """name -> {"rtl": (file, old, new), "cmodel": the same, if there is one}"""
    found, name, lines = {}, None, []
    for number, line in enumerate(TABLE.read_text().splitlines(), 1):
        if line.startswith(" ") and lines:
            lines[-1] = (lines[-1][0], lines[-1][1] + " " + line.strip())
        elif line.strip() and not line.startswith("#"):
            lines.append((number, line))
    for number, line in lines:
        head, *rest = line.split(" |", 1)
        words = head.split()
        parts = rest[0].removesuffix("|").split("| |") if rest and rest[0].endswith("|") else []
        if len(words) != 2 or len(parts) != 2 or not parts[0] or (words[0] == "=" and not name):
            sys.exit(f"{TABLE}:{number}: expected `name file |old| |new|` or `= file |old| |new|`")
        if words[0] == "=":
            found[name]["cmodel"] = (words[1], *parts)
        else:
            name = words[0]
            found[name] = {"rtl": (words[1], *parts)}
    return found


def plant(name, folder, side="rtl"):
    """Plants it below the folder; the file that was changed."""
    known = faults()
    if name not in known or side not in known[name]:
        sys.exit(f"plant: no fault '{name}' in {side}; known: {', '.join(n for n in known if side in known[n])}")
    file, old, new = known[name][side]
    path = Path(folder) / file
    text = path.read_text()
    if text.count(old) != 1:
        sys.exit(f"plant: '{old}' stands {text.count(old)} times in {path}; mend sim/faults/faults.txt")
    path.write_text(text.replace(old, new))
    return path


def check():
    bad = 0
    for name, sides in faults().items():
        for side, (file, old, _) in sides.items():
            count = (TOP / side / file).read_text().count(old)
            if count != 1:
                bad += 1
                print(f"{name}: '{old}' stands {count} times in {side}/{file}; mend sim/faults/faults.txt")
    return bad


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(faults()))
        return
    if sys.argv[1:] == ["--check"]:
        sys.exit(1 if check() else 0)
    side = "cmodel" if sys.argv[1:2] == ["--model"] else "rtl"
    words = sys.argv[2:] if side == "cmodel" else sys.argv[1:]
    if len(words) != 2:
        sys.exit(__doc__)
    path = plant(words[0], words[1], side)
    _, old, new = faults()[words[0]][side]
    print(f"{path}: '{old}' is now '{new}'")


if __name__ == "__main__":
    main()
