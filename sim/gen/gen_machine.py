#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates the wiring of the machine from rtl/top/machine.yaml and the contracts, in both languages.

    python3 sim/gen/gen_machine.py            writes rtl/top/totem*.v, tb/lockstep/instances.txt and docs/machine.md
                                          (those that change)
    python3 sim/gen/gen_machine.py --check    exit code 1 if they are not current, nothing is written
    python3 sim/gen/gen_machine.py --c FOLDER [--netlist FILE]
                                          the wiring in C into that folder, of another netlist too: for a build
                                          (cmodel/Makefile) or for planted faults (sim/faults/netlist_faults.py)

The two halves, sim/gen/machine_verilog.py and sim/gen/machine_c.py, share the netlist (sim/gen/netlist.py) and nothing
else; that they say the same is proved (synth/equiv/wiring.py). FOLDER gets a files.mk too: the names of the C files,
and what they are made from. It is written last, also if nothing has changed.
"""

import argparse
import math
import os
import sys
from pathlib import Path

import contract
import gen_config
import machine_names
import netlist
from machine_c import CWiring
from machine_verilog import Verilog
from netlist import HEAD

ROOT = Path(__file__).resolve().parents[2]

INSTANCES = """# {head}
#
# Every block of the machine: where it stands in the RTL (below the top) and in the C model (below totem_machine_out).
# sim/gen/gen_lockstep.py makes the comparison of all their outputs from this table and the contracts,
# sim/gen/machine_names.py the library's table of states. The type of C structs is that of the block, in other sizes
# another one. A range `f=FE_COUNT` repeats the line for f = 0 .. FE_COUNT-1; `when=FEATURE`: only where that is 1.
# Sizes of its own, as blocks of lib have, stand behind a block in brackets.
#
# block              RTL                                        C                                type ranges
"""


TREE = """# The machine

*{head}*

Every module and every block of `totem` in its place, and how many of them a configuration has. A name with an index is
an array. [Architecture](architecture.md#files) says what the areas do.

| instance | module | {configs} |
|---|---|{rule}
"""


def tree(net):
    """Text of docs/machine.md."""
    known = {name: values for name, values in gen_config.configurations().items() if name in ("full", "board", "mini")}
    rows, shown = [], set()

    def counted(dims, when):
        return [math.prod(contract.evaluate(str(dim.size), values) for dim in dims) * values.get(when, 1)
                for values in known.values()]

    def row(depth, name, block, numbers):
        rows.append(f"| {'· ' * depth}{name} | {block} | {' | '.join(map(str, numbers))} |")

    def walk(node, depth):
        array = node.parent if node.module and node.parent else node
        index = f"[{array.dim.index}]" if array.dim else ""
        if node.module:
            again = node.module in shown
            row(depth, f"**{node.name}{index}**", f"[{node.module}](../rtl/top/{node.module}.v)" + again * ", as above",
                counted(node.dims, node.when))
            if again:
                return
            shown.add(node.module)
            depth, index = depth + 1, ""
        blocks = {}
        for instance in net.instances.values():
            if instance.node is node:
                blocks.setdefault(instance.block, []).append(instance)
        for block, found in blocks.items():
            row(depth, ", ".join(instance.local + index for instance in found), f"[{block}](contract/{block}.md)",
                [sum(each) for each in zip(*(counted(one.dims, one.when) for one in found))])
        for child in node.nodes:
            walk(child, depth)

    walk(net.root, 0)
    every = [counted(instance.dims, instance.when) for instance in net.instances.values()]
    row(0, "all instances of blocks", "", [sum(each) for each in zip(*every)])
    return TREE.format(head=HEAD.replace("*", "\\*"), configs=" | ".join(known), rule="---:|" * len(known)) + "".join(
        f"{line}\n" for line in rows)


def instance_table(net, wiring):
    """Text of tb/lockstep/instances.txt."""
    lines = []
    letters = {name: dim.index for name, dim in net.dims.items()}
    for instance in net.instances.values():
        rtl, node = instance.local, instance.node
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
        lines.append(f"{kind:<20} {rtl:<42} {wiring.path(instance, letters):<32} {wiring.type(instance)} "
                     f"{ranges}".rstrip())
    return INSTANCES.format(head=HEAD) + "\n".join(lines) + "\n"


def c_files(net, wiring):
    """{name: text} of the wiring in C."""
    return {"totem_machine.h": wiring.header(), "totem_machine.c": wiring.body(), **wiring.variants(),
            "totem_names.c": machine_names.text(instance_table(net, wiring))}


def rules(names, wiring):
    """Text of files.mk."""
    modules = {Path(module.__file__).resolve() for module in list(sys.modules.values())
               if getattr(module, "__file__", None)}
    sources = {path for path in modules if path.parent == ROOT / "sim/gen"}
    sources.update((ROOT / "docs" / "contract").glob("*.md"))
    sources.update(ROOT / "rtl" / "top" / name for name in ("machine.yaml", "config.yaml"))
    sources.update(path for instance in wiring.others() for path in wiring.around(instance))
    sources = " \\\n\t".join(f"$(ROOT)/{path.relative_to(ROOT)}" for path in sorted(sources))
    names = " \\\n\t".join(sorted(name for name in names if name.endswith(".c")))
    return f"# {HEAD}\n\nWIRING := {names}\n\n" \
           f"WIRING_SOURCES := {sources}\n\n$(WIRED)/files.mk: $(WIRING_SOURCES)\n$(WIRING_SOURCES):\n"


def write(path, text):
    """Another program that reads the file finds the old or the new one."""
    new = path.with_name(f".{path.name}.{os.getpid()}")
    new.write_text(text)
    new.replace(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing, exit code 1 if a file is not current")
    parser.add_argument("--netlist", type=Path, default=netlist.FILE,
                        help="another netlist (default: rtl/top/machine.yaml)")
    parser.add_argument("--c", type=Path, metavar="FOLDER", help="write the wiring in C, into that folder")
    a = parser.parse_args()
    if a.netlist != netlist.FILE and not a.c:
        parser.error("--netlist needs --c FOLDER")
    try:
        net = netlist.load(a.netlist)
        verilog, wiring = Verilog(net), CWiring(net)
        if a.c:
            files = {a.c / name: text for name, text in c_files(net, wiring).items()}
        else:
            files = {ROOT / "rtl" / "top" / f"{name}.v": verilog.text(module)
                     for name, module in verilog.modules.items()}
            files[ROOT / "tb" / "lockstep" / "instances.txt"] = instance_table(net, wiring)
            files[ROOT / "docs" / "machine.md"] = tree(net)
    except (netlist.NetlistError, contract.ContractError) as error:
        sys.exit(f"sim/gen/gen_machine.py: {error}")
    if a.c:
        a.c.mkdir(parents=True, exist_ok=True)
        for left in set(a.c.glob("totem_*.[ch]")) - set(files):
            left.unlink()
    stale = 0
    for path, text in files.items():
        if path.exists() and path.read_text() == text:
            continue
        stale += 1
        if a.check:
            print(f"{path.relative_to(ROOT)} is not current; run `make generate`")
        else:
            write(path, text)
            if not a.c:
                print(f"wrote {path.relative_to(ROOT)}")
    if a.c:
        write(a.c / "files.mk", rules([path.name for path in files], wiring))
    sys.exit(1 if a.check and stale else 0)


if __name__ == "__main__":
    main()
