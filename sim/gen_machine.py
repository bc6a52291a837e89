#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the wiring of the machine from rtl/top/machine.yaml and the contracts, in both languages.

    python3 sim/gen_machine.py            writes rtl/top/totem*.v and cmodel/top/totem_machine.[ch] (those that change)
    python3 sim/gen_machine.py --check    exit code 1 if they are not current, nothing is written
    python3 sim/gen_machine.py --netlist FILE --to FOLDER
                                          of another netlist, all files into that folder (sim/netlist_faults.py)

The two halves, sim/machine_verilog.py and sim/machine_c.py, share the netlist (sim/netlist.py) and nothing else; that
they say the same is proved (synth/equiv/wiring.py).
"""

import argparse
import sys
from pathlib import Path

import contract
import netlist
from machine_c import CWiring
from machine_verilog import Verilog
from netlist import HEAD

ROOT = Path(__file__).resolve().parent.parent

INSTANCES = """# {head}
#
# Every block of the machine: where it stands in the RTL (below the top) and in the C model (below totem_machine_out).
# sim/gen_lockstep.py makes the comparison of all their outputs from this table and the contracts, sim/gen_names.py the
# library's table of states. A range `f=FE_COUNT` repeats the line for f = 0 .. FE_COUNT-1; `when=FEATURE`: only where
# that is 1. Sizes of its own, as blocks of lib have, stand behind a block in brackets.
#
# block              RTL                                        C                                ranges
"""


def instance_table(net, wiring):
    """Text of tb/lockstep/instances.txt."""
    lines = []
    letters = {name: dim.index for name, dim in net.dims.items()}
    for instance in net.instances.values():
        rtl, node = instance.name, instance.node
        if instance.when != node.when:
            rtl = f"g_{instance.when.lower()}.{rtl}"
        while node.parent is not None:
            rtl = f"{node.name}.{rtl}" if node.module else f"g_{node.dim.name}[{node.dim.index}].{rtl}"
            if node.when != node.parent.when:
                rtl = f"g_{node.when.lower()}.{rtl}"
            node = node.parent
        kind = instance.block
        if instance.kind == "ram":
            kind += f"(WIDTH={instance.parameters['WIDTH']})"
        elif instance.own:
            kind += "(" + ",".join(f"{name}={text}" for name, text in instance.own.items()) + ")"
        ranges = " ".join([f"{dim.index}={dim.size}" for dim in instance.dims] +
                          ([f"when={instance.when}"] if instance.when else []))
        lines.append(f"{kind:<20} {rtl:<42} {wiring.path(instance, letters):<32} {ranges}".rstrip())
    return INSTANCES.format(head=HEAD) + "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, exit code 1 if a file is not current")
    parser.add_argument("--netlist", type=Path, default=netlist.FILE,
                        help="another netlist (default: rtl/top/machine.yaml)")
    parser.add_argument("--to", type=Path, help="folder for all files; another netlist is not written into the tree")
    a = parser.parse_args()
    if a.netlist != netlist.FILE and not a.to:
        parser.error("--netlist needs --to FOLDER")
    try:
        net = netlist.load(a.netlist)
        verilog, wiring = Verilog(net), CWiring(net)
    except (netlist.NetlistError, contract.ContractError) as error:
        sys.exit(f"sim/gen_machine.py: {error}")
    files = {}
    for name, module in verilog.modules.items():
        files[ROOT / "rtl" / "top" / f"{name}.v"] = verilog.text(module)
    files[ROOT / "cmodel" / "top" / "totem_machine.h"] = wiring.header()
    files[ROOT / "cmodel" / "top" / "totem_machine.c"] = wiring.body()
    files.update((ROOT / "cmodel" / "top" / name, text) for name, text in wiring.variants().items())
    files[ROOT / "tb" / "lockstep" / "instances.txt"] = instance_table(net, wiring)
    if a.to:
        a.to.mkdir(parents=True, exist_ok=True)
        files = {a.to / path.name: text for path, text in files.items()}
    stale = 0
    for path, text in files.items():
        if path.exists() and path.read_text() == text:
            continue
        stale += 1
        told = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path
        if a.check:
            print(f"{told} is not current; run `make generate`")
        else:
            path.write_text(text)
            print(f"wrote {told}")
    sys.exit(1 if a.check and stale else 0)


if __name__ == "__main__":
    main()
