#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A fault in a netlist: the flip-flop of a signal never changes (its CEMUX is "0").

    fpga/plant_cell.py NETLIST SIGNAL    prints the netlist with the fault; SIGNAL is the end of the flip-flop's name
"""

import re
import sys
from pathlib import Path


def main():
    path, signal = sys.argv[1:]
    cells = re.split(r"(?<=\);\n)", Path(path).read_text(encoding="utf-8"))
    found = [n for n, cell in enumerate(cells) if "TRELLIS_FF #(" in cell and f"{signal} )" in cell.split(".Q(")[-1]]
    if len(found) != 1:
        sys.exit(f"{path}: {len(found)} flip-flops have a name that ends in {signal}; give another")
    cells[found[0]] = re.sub(r'\.CEMUX\("\w+"\)', '.CEMUX("0")', cells[found[0]])
    sys.stdout.write("".join(cells))


if __name__ == "__main__":
    main()
