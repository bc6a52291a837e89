#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that the wiring of the machine is the same in C and in RTL, with the blocks as black boxes (docs/proof.md).

    wiring.py [--config CONFIGURATION] [--plant N] [-O 1|2]

The outputs of all blocks with state and of all RAMs, and the input pins, are free words. From them the RTL (module
totem, in which these blocks are empty) and the C model (totem_machine_outputs and _step, in which the calls of these
blocks only record what they are given) compute all inputs of all blocks and all outputs of what has no state. The C
functions know nothing of the clocks before (totem_machine_seen is all 0), so they leave nothing out. They run once more
with free flags: a block is left out only if it stands still and has the inputs that were seen.
tb/lockstep/instances.txt says where each block stands on both sides, its contract which ports it has.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field, replace
from pathlib import Path

import prove
from prove import ROOT, FAILED, Progress, contracts, csource, miters, report, rtl, solve
import gen_lockstep
import netlist as netlists
from machine_c import CWiring
from machine_verilog import Verilog
from aig import Aig, FALSE, TRUE
from csource import Field
from irexec import Machine
from irmem import Memory
from irtext import Module

FLAGS = ("in", "still", "shown", "known")       # members of totem_machine_seen that each has which may be left out
WARNINGS = re.compile(r"Warning: (?:Resizing|multiple conflicting drivers|.*implicitly declared|.*out of bounds)[^\n]*")


@dataclass
class Instance:
    """A block, a RAM or a part at one place of the machine."""
    block: str
    rtl: str                # path below the top
    c: str                  # member of totem_machine and totem_machine_out
    type: str               # of its C structs
    contract: contracts.Resolved
    base: dict = field(default_factory=dict)        # 'state', 'out' -> offset in the machine's struct

    @property
    def combinational(self):
        return self.contract.combinational


def last(path):
    """Name of the member at the end of a C path."""
    return re.sub(r"\[\d+\]", "", path).rsplit(".", 1)[-1]


def number(bits):
    """A parameter in Yosys' JSON."""
    return int(bits, 2) if isinstance(bits, str) else bits


# -- the machine -----------------------------------------------------------------------------------------------------


class Wiring:
    """Both sides of one configuration."""

    def __init__(self, options, folder, say):
        self.options, self.folder, self.say = options, Path(folder), say
        self.root = options.root
        csource._run(["make", "-s", "-C", str(self.root / "cmodel"), "wiring"], "make", folder)
        self.generated = self.root / "build" / "generated" / "cmodel" / "top"
        self.flags = [*csource._defines(options.config), *csource._includes(self.root, "top"), f"-I{self.generated}"]
        names = {name for block in contracts.blocks() for name in contracts.load(block).expressions}
        names |= set(re.findall(r"\b[A-Z][A-Z_]+\b", gen_lockstep.INSTANCES.read_text()))
        self.values = csource.parameters(self.root, sorted(names), options.config, folder)
        table = gen_lockstep.instances(self.values)
        depths = self._depths([kind for block, _, _, _, kind in table if block == "ram"])
        self.instances = []
        for block, sizes, path, c, kind in table:
            known = contracts.load(block)
            if block == "ram":
                sizes = {**sizes, "DEPTH": depths[kind]}
            given = {name: self.values[name] for name in known.expressions if name in self.values}
            resolved = known.resolve({**given, **sizes}) if sizes else known.configured(self.values)
            self.instances.append(Instance(block, path, c, kind, resolved))
        self.wires = CWiring(netlists.load())
        self.places = {re.sub(r"\[\w+\]", "", self.wires.path(one)): one
                       for one in self.wires.net.instances.values()}
        self._pins()
        self._exports()

    def _exports(self):
        """[(port of the core's instance in module totem, instance, port)]: what leaves it for a shader core."""
        net, self.exports = netlists.load(), []
        names = Verilog(net)
        for node in (node for node in net.root.nodes if node.top):
            for block, _, lead in (export.partition(".") for export in node.exports):
                for item in (item for item in self.instances if last(item.c) == block):
                    self.exports += [(f"{node.name}.{names.output_name(net.instances[block], port.name)}", item, port)
                                     for port in item.contract.outputs if port.name.startswith(lead)]

    def _pins(self):
        """[(RTL pin, C member of totem_machine_in or None, instance, port)]: one for each place of an array. Of an output
        what the pin shows: with a feature that may be another block's."""
        self.pins = []
        net = netlists.load()
        for owner in net.pins:
            instance = net.instances[owner]
            for place, item in enumerate(item for item in self.instances if last(item.c) == owner):
                index = f"[{place}]" if item.c != owner else ""
                for port in item.contract.ports:
                    prefix = net.pin(instance, instance.ports[port.name])
                    wire = net.shown.get((owner, port.name))
                    if wire and self.values[wire.instance.when]:
                        items = [one for one in self.instances if last(one.c) == wire.instance.name]
                        if place < len(items):      # one that has an element for each place stands for all of them
                            shown = next(one for one in items[place].contract.ports if one.name == wire.port.name)
                            self.pins.append((port.name, None, items[place], shown))
                    elif prefix:
                        short = prefix.strip("_").split("_")[-1]
                        member = f"{short}{index}.{port.name[len(prefix):]}" if port.dir == "in" else None
                        size = net.pin_sizes.get(port.name) if member else None
                        wide = contracts.evaluate(size, self.values) if size else port.bits
                        self.pins.append((port.name, member, item, port if wide == port.bits else
                                          replace(port, elements=None, width=wide)))

    def of_netlist(self, item):
        return self.places[re.sub(r"\[\d+\]", "", item.c)]

    def watched(self, item):
        """Whether it may be left out."""
        return self.wires.watched(self.of_netlist(item))

    # -- C -----------------------------------------------------------------------------------------------------------

    def _numbers(self, lines, items, name):
        """Constants that clang computes."""
        if not items:
            return []
        path = self.folder / f"{name}.c"
        path.write_text("\n".join([*lines, "const unsigned long equiv[] = {"
                                   + ",\n".join(f"(unsigned long)({item})" for item in items) + "};"]) + "\n")
        command = [csource.CLANG, *csource.FLAGS, "-O1", *self.flags, str(path), "-o", "-"]
        text = csource._run(command, "clang", self.folder)
        _, values = Module(text).global_value("@equiv")
        if values[0] == "zero":
            return [0] * len(items)
        return [item[1] for item in values[1]]

    def _depths(self, names):
        names = sorted(set(names))
        found = self._numbers(['#include "totem_machine.h"'], [
            f"sizeof((({name} *)0)->data) / sizeof((({name} *)0)->data[0])" for name in names], "depths")
        return dict(zip(names, found))

    def model(self, source=None):
        """Compiles the wiring; sets the layout. The calls of blocks with state lead to functions without a body."""
        self.say("clang")
        types = {item.type: item for item in self.instances}
        lines = ["#include <stddef.h>", '#include "totem_machine.h"']
        for name, item in types.items():
            if item.combinational:
                continue
            taken = f", const {name}_in *"
            lines += [f"void equiv_{name}_reset({name} *);",
                      f"void equiv_{name}_outputs(const {name} *, {name}_out *);",
                      f"void equiv_{name}_step({name} *{taken if item.contract.inputs else ''});"]
            lines += [f"#define {name}_{what} equiv_{name}_{what}" for what in ("reset", "outputs", "step")]
        source = Path(source or self.generated / "totem_machine.c").resolve()
        wiring = self.folder / "machine.c"
        wiring.write_text("\n".join([*lines, f'#include "{source}"']) + "\n")
        options = [csource.CLANG, *csource.FLAGS, *csource.OPTIMISATION[self.options.optimisation], *self.flags]
        if self.options.sanitize:
            options += csource.SANITIZE
        linked = []
        bodies = [(self.root / "cmodel" / item.contract.area if name == f"totem_{item.block}" else self.generated)
                  / f"{name}.c" for name, item in types.items() if item.combinational]
        for place, path in enumerate([wiring, *sorted({path for path in bodies if path.exists()})]):
            linked.append(str(self.folder / f"machine{place}.ll"))
            csource._run([*options, str(path), "-o", linked[-1]], "clang", self.folder)
        whole = self.folder / "wiring.ll"
        csource._run(["llvm-link-14", "-S", *linked, "-o", str(whole)], "llvm-link", self.folder)
        self._layout(types)
        return Module(whole.read_text())

    def _layout(self, types):
        """Offsets of every instance in the machine's structs, of every port in those of its type, and of the pins."""
        structs = {"state": "totem_machine", "out": "totem_machine_out", "seen": "totem_machine_seen",
                   "pins": "totem_machine_in"}
        items = [f"sizeof({name})" for name in structs.values()]
        keys = []
        for item in self.instances:
            for kind in ("out", ) if item.combinational else ("state", "out"):
                keys.append((item.base, kind))
                items.append(f"__builtin_offsetof({structs[kind]}, {item.c})")
        rows = []
        for name, item in types.items():
            for port in item.contract.ports:
                rows.append((name, port))
                struct = f"{name}_{port.dir}"
                items += [f"__builtin_offsetof({struct}, {port.name})", f"sizeof((({struct} *)0)->{port.name})"]
            items += [f"sizeof({name}_in)", f"sizeof({name}_out)"]
            rows.append((name, None))
        watched = [item for item in self.instances if self.watched(item)]
        for item in watched:
            items += [f"__builtin_offsetof(totem_machine_seen, {item.c}.{name})" for name in FLAGS]
        pins = [pin for pin in self.pins if pin[1]]
        for _, member, _, _ in pins:
            items += [f"__builtin_offsetof(totem_machine_in, {member})", f"sizeof(((totem_machine_in *)0)->{member})"]
        found = iter(self._numbers(["#include <stddef.h>", '#include "totem_machine.h"'], items, "layout"))
        self.sizes = {kind: next(found) for kind in structs}
        for base, kind in keys:
            base[kind] = next(found)
        self.fields, self.struct_sizes, self.pin_fields = {}, {}, {}
        for name, port in rows:
            one, two = next(found), next(found)
            if port is None:
                self.struct_sizes[name] = {"in": one, "out": two}
            else:
                self.fields[(name, port.name)] = self._field(name, port, one, two)
        self.seen_at = {item.c: {name: next(found) for name in FLAGS} for item in watched}
        for _, member, item, port in pins:
            one, two = next(found), next(found)
            self.pin_fields[member] = self._field("totem_machine_in", port, one, two)

    @staticmethod
    def _field(struct, port, offset, size):
        count = port.elements or 1
        if size % count or size // count not in (1, 2, 4, 8) or 8 * (size // count) < port.width:
            raise csource.SourceError(f"member {port.name} of {struct} has {size} bytes, "
                                      f"the contract {count} x {port.width} bits")
        return Field(offset, size // count, size // count, port.elements, port.width)

    # -- RTL ---------------------------------------------------------------------------------------------------------

    def netlist(self, replaced=()):
        """Yosys' JSON of module totem; blocks with state and RAMs are cells in it, everything else is flattened."""
        self.say("Yosys")
        root, options = self.root, self.options
        kinds = {item.block: item for item in self.instances}
        empty = [root / "rtl" / item.contract.area / f"totem_{name}.v" for name, item in kinds.items()
                 if not item.combinational]
        files = {path.stem: path for path in sorted((root / "rtl" / "top").glob("totem*.v"))}
        for name, item in kinds.items():
            if item.combinational:
                files.update({path.stem: path for path in rtl.sources(root, f"totem_{name}")})
        files.update({Path(path).stem: Path(path) for path in replaced})
        include = " ".join(f"-I{path}" for path in sorted({str(item.parent) for item in root.glob("rtl/*/*.v*")}))
        flags = f"-DTOTEM_CONFIG_{options.config.upper()} {include}"
        out = self.folder / "wiring.json"
        script = "\n".join([f"read_verilog -lib {flags} " + " ".join(map(str, empty)),
                            f"read_verilog -defer {flags} " + " ".join(map(str, files.values())),
                            "hierarchy -check -top totem", "proc", "flatten",
                            "techmap\nsimplemap" if options.gates else "", f"write_json {out}"])
        (self.folder / "wiring.ys").write_text(script + "\n")
        run = subprocess.run(["yosys", "-q", "-s", str(self.folder / "wiring.ys")], capture_output=True, text=True,
                             timeout=900)
        if run.returncode:
            raise rtl.RtlError("yosys: " + (run.stdout + run.stderr).strip()[-1500:])
        bad = WARNINGS.search(run.stdout + run.stderr)
        if bad:
            raise rtl.RtlError("yosys: " + bad[0])
        return json.loads(out.read_text())["modules"]["totem"]


# -- the miter -------------------------------------------------------------------------------------------------------


class Build:
    """The list of properties of one pair of RTL and C."""

    def __init__(self, wiring, code, module):
        self.wiring, self.module = wiring, module
        self.aig = Aig()
        self.miter = miters.Miter(self.aig)
        self.machine = Machine(self.aig, code)
        self.calls = {}                 # (what, C path) -> [(when it is called, {input: [bits of the C element]})]
        self.at = {(item.type, item.base["state"]): item for item in wiring.instances if not item.combinational}
        self.free = {}                  # (C path, output) or pin's C member -> [bits of each element]
        for item in wiring.instances:
            if not item.combinational:
                for port in item.contract.outputs:
                    self.free[(item.c, port.name)] = self._fresh(f"{item.c}.{port.name}", port)
        for _, member, _, port in wiring.pins:
            if member:
                self.free[member] = self._fresh(f"pin {member}", port)

    def _fresh(self, text, port):
        words = []
        for element in range(port.elements or 1):
            label = text + (f"[{element}]" if port.elements is not None else "")
            words.append(self.aig.fresh(port.width, label))
            self.miter.words.append((label, words[-1]))
        return words

    def run(self):
        self.wiring.say("executing C")
        outputs, inputs = self._c()
        self.wiring.say("evaluating RTL")
        self._rtl(outputs, inputs)
        self.miter.executed = self.machine.executed
        return self.miter

    def holds(self, name, good):
        self.miter.properties.append(miters.Property(name, FALSE if good else TRUE, kind="structure"))

    # -- C -----------------------------------------------------------------------------------------------------------

    def _place(self, pointer, what):
        """(name of the object, offset) of a pointer that has no choice."""
        if len(pointer.ways) != 1 or pointer.ways[0][3]:
            raise csource.SourceError(f"{what}: not one place")
        return pointer.ways[0][1], pointer.ways[0][2]

    def _hook(self, what, name):
        def called(memory, arguments, condition):
            where, offset = self._place(arguments[0], name)
            item = self.at.get((name, offset))
            if item is None or not where.startswith("state#"):
                raise csource.SourceError(f"{name}_{what} is called for what is no {name} of the machine")
            given = {}
            if what == "outputs":
                target, at = self._place(arguments[1], name)
                if not target.startswith("out#") or at != item.base["out"]:
                    raise csource.SourceError(f"the outputs of {item.c} go to another place")
                data = memory.writable(target)
                for port in item.contract.outputs:
                    self._fill(data, at, self.wiring.fields[(name, port.name)], self.free[(item.c, port.name)])
            elif what == "step" and item.contract.inputs:
                source, at = self._place(arguments[1], name)
                given = self._read(item, memory.objects[source], at)
            self.calls.setdefault((what, item.c), []).append((condition.total, given))
        return called

    def _unequal(self, one, two):
        """Whether two sets of inputs or outputs differ."""
        return self.aig.any(self._differ(x, y) for name in one for x, y in zip(one[name], two[name]))

    def _compare(self, memory, arguments, condition):
        """memcmp, of which nobody asks which of both is less. State is not known, so two states may differ."""
        size = self.aig.value(arguments[2])
        sides = [self.machine.access.load(condition, memory, one, size, "memcmp") for one in arguments[:2]]
        differ = self.aig.any(self._differ(x, y) if x is not None and y is not None
                              else self.machine.access.undefined_byte()[0] for x, y in zip(*sides))
        return (differ, ) + (FALSE, ) * 31

    def _fill(self, data, at, place, values):
        for element, bits in enumerate(values):
            wide = self.aig.extend(bits, 8 * place.size)
            first = at + place.offset + element * place.stride
            data[first:first + place.size] = [wide[n:n + 8] for n in range(0, len(wide), 8)]

    def _words(self, data, at, place):
        """Bits of every element, those beyond its width too."""
        found = []
        for element in range(place.elements or 1):
            first = at + place.offset + element * place.stride
            bits = ()
            for byte in data[first:first + place.size]:
                bits += byte if byte is not None else self.machine.access.undefined_byte()
            found.append(bits)
        return found

    def _read(self, item, data, at, direction="in"):
        return {port.name: self._words(data, at, self.wiring.fields[(item.type, port.name)])
                for port in item.contract.ports if port.dir == direction}

    def _oblige(self, where):
        found, self.machine.access.obligations = self.machine.access.obligations, []
        for bad, text in found:
            self.miter.properties.append(miters.Property(f"no undefined behaviour in {where}: {text}", bad))

    def _c(self):
        """({C path: its outputs} of what has no state, {C path: its inputs} of all)"""
        wiring, machine = self.wiring, self.machine
        stateful = [item for item in wiring.instances if not item.combinational]
        for name in {item.type for item in stateful}:
            for what in ("reset", "outputs", "step"):
                machine.hooks[f"@equiv_{name}_{what}"] = self._hook(what, name)
        memory = Memory({})
        s = machine.allocate(memory, "state", [None] * wiring.sizes["state"])
        o = machine.allocate(memory, "out", [None] * wiring.sizes["out"])
        pins = [None] * wiring.sizes["pins"]
        for member, place in wiring.pin_fields.items():
            self._fill(pins, 0, place, self.free[member])
        x = machine.allocate(memory, "pins", pins)
        seen = [machine.allocate(memory, "seen", [self.aig.const(0, 8)] * wiring.sizes["seen"]) for _ in range(2)]
        machine.access.readonly |= {s.ways[0][1], x.ways[0][1]}      # what a block does to its state is its own affair

        machine.run("@totem_machine_reset", [s], memory.fork())
        self._oblige("reset")
        _, shown = machine.run("@totem_machine_outputs", [s, o, seen[0]], memory.fork())
        self._oblige("outputs")
        machine.access.readonly.add(o.ways[0][1])
        machine.run("@totem_machine_step", [s, o, x, seen[1]], shown.fork())
        self._oblige("step")
        for item in stateful:
            for what in ("reset", "outputs", "step"):
                calls = self.calls.get((what, item.c), [])
                self.holds(f"C: {what} of {item.c} is called once", [when for when, _ in calls] == [TRUE])

        inputs = {item.c: self._wire(item, o, x, shown.fork()) if item.combinational else
                  self.calls[("step", item.c)][0][1] for item in wiring.instances}
        self._oblige("wires")
        data = shown.objects[o.ways[0][1]]
        outputs = {item.c: self._read(item, data, item.base["out"], "out")
                   for item in wiring.instances if item.combinational}
        self._left_out(s, o, x, shown, inputs, outputs)
        return outputs, inputs

    def _left_out(self, s, o, x, memory, inputs, outputs):
        """Whatever the flags are, a block is left out only if it stands still and has the inputs that were seen. `o` is
        what it is if nothing is left out: what a block left out would have written stands there already."""
        aig, machine = self.aig, self.machine
        data = [aig.fresh(8, f"seen {at}") for at in range(self.wiring.sizes["seen"])]
        for flags in self.wiring.seen_at.values():
            for name in ("still", "shown", "known"):
                data[flags[name]] = data[flags[name]][:1] + (FALSE, ) * 7
        n = machine.allocate(memory, "seen", data)
        machine.hooks |= {"@memcmp": self._compare, "@bcmp": self._compare}
        self.calls = {}
        machine.run("@totem_machine_step", [s, o, x, n], memory.fork())
        machine.access.readonly.discard(o.ways[0][1])
        _, after = machine.run("@totem_machine_outputs", [s, o, n], memory.fork())
        self._oblige("a clock in which blocks are left out")
        for item in self.wiring.instances:
            flags, bad, stands, still = self.wiring.seen_at.get(item.c), FALSE, FALSE, FALSE
            if flags:
                still = data[flags["still"]][0]
                seen = self._read(item, data, flags["in"])
                stands = aig.land(still, self._unequal(seen, inputs[item.c]) ^ 1)
                self.miter.words.append((f"{item.c} is still", (still, )))
                shown = after.objects[n.ways[0][1]][flags["shown"]][0]
            if item.combinational:
                now = self._read(item, after.objects[o.ways[0][1]], item.base["out"], "out")
                bad = aig.lor(self._unequal(now, outputs[item.c]), self._missing([shown], stands) if flags else FALSE)
            else:
                steps, shows = (self.calls.get((what, item.c), []) for what in ("step", "outputs"))
                bad = aig.any([self._missing([when for when, _ in steps], stands),
                               self._missing([when for when, _ in shows], still),
                               *(aig.land(when, self._unequal(given, inputs[item.c])) for when, given in steps)])
                if flags:
                    bad = aig.lor(bad, aig.lxor(shown, aig.any(when for when, _ in shows)))
            self.miter.properties.append(miters.Property(f"C: {item.c} is left out only while it stands still", bad))

    def _missing(self, calls, may):
        """Whether something is called twice, or not at all though it may not be left out."""
        aig, called, bad = self.aig, FALSE, FALSE
        for when in calls:
            bad, called = aig.lor(bad, aig.land(called, when)), aig.lor(called, when)
        return aig.lor(bad, aig.land(called ^ 1, may ^ 1))

    def _wire(self, item, o, x, memory):
        """The inputs of a part, from its function of the wiring."""
        i = self.machine.allocate(memory, "in", [None] * self.wiring.struct_sizes[item.type]["in"])
        places = [self.aig.const(int(place), 32) for place in re.findall(r"\[(\d+)\]", item.c)]
        _, wired = self.machine.run(f"@totem_wire_{self.wiring.of_netlist(item).name}", [o, x, *places, i], memory)
        return self._read(item, wired.objects[i.ways[0][1]], 0)

    def _differ(self, one, two):
        if one == two:
            return FALSE
        if len(one) != len(two):
            return TRUE
        return self.aig.any(self.aig.lxor(x, y) for x, y in zip(one, two))

    # -- RTL ---------------------------------------------------------------------------------------------------------

    def _cell(self, item):
        """The black box of an instance; its parameters are those that its own proof took."""
        cell = self.boxes.get(item.rtl)
        if cell is None or cell["type"] != f"totem_{item.block}":
            raise rtl.RtlError(f"no totem_{item.block} at {item.rtl}")
        given = {name: number(bits) for name, bits in cell["parameters"].items()}
        found = contracts.load(item.block).resolve(given).parameters
        if found != item.contract.parameters:
            text = [f"{name} is {found[name]} in the RTL, {value} in C"
                    for name, value in item.contract.parameters.items() if found[name] != value]
            raise rtl.RtlError(f"{item.rtl}: {', '.join(text)}")
        return cell

    def _nets(self, item, port, links):
        bits = links.get(port.name)
        if bits is None:
            return ["x"] * port.bits
        if len(bits) != port.bits:
            raise rtl.RtlError(f"{item.rtl}.{port.name} has {len(bits)} bits, the contract {port.bits}")
        return bits

    def _drive(self, netlist, nets, bits, text):
        for net, bit in zip(nets, bits):
            if not isinstance(net, int):
                raise rtl.RtlError(f"{text} drives the constant {net}")
            if net in netlist.bit or net in netlist.driver:
                raise rtl.RtlError(f"{text} drives a net that has a driver: {netlist.name_of(net)}")
            netlist.bit[net] = bit

    def _rtl(self, outputs, inputs):
        wiring, module = self.wiring, self.module
        self.boxes = {name: cell for name, cell in module["cells"].items() if cell["type"].startswith("totem_")}
        parts = {name: cell for name, cell in module["cells"].items() if name not in self.boxes}
        netlist = rtl.Netlist(self.aig, {**module, "cells": parts})
        ports = module["ports"]
        self._check_pins(ports)
        clk, rst = ports["clk"]["bits"], ports["rst"]["bits"]
        for name, nets in (("clk", clk), ("rst", rst)):
            self._drive(netlist, nets, [self.aig.new(name)], f"pin {name}")
        stateful = [item for item in wiring.instances if not item.combinational]
        left = set(self.boxes) - {item.rtl for item in stateful}
        if left:
            raise rtl.RtlError(f"in the RTL alone: {', '.join(sorted(left))}")
        for name in {pin[0] for pin in wiring.pins if pin[1]}:
            words = [bit for one, member, _, _ in wiring.pins if one == name for bit in miters.flat(self.free[member])]
            self._drive(netlist, ports[name]["bits"], words, f"pin {name}")
        cells = {item.c: self._cell(item) for item in stateful}
        for item in stateful:
            links = cells[item.c]["connections"]
            for port in item.contract.outputs:
                if links.get(port.name):        # not connected: nobody reads it
                    self._drive(netlist, self._nets(item, port, links), miters.flat(self.free[(item.c, port.name)]),
                                f"{item.rtl}.{port.name}")
        for item in wiring.instances:
            if item.combinational:
                links = {port.name: module["netnames"].get(f"{item.rtl}.{port.name}", {}).get("bits")
                         for port in item.contract.ports}
                lost = [name for name, bits in links.items() if bits is None]
                if lost:
                    raise rtl.RtlError(f"no net {item.rtl}.{lost[0]}")
                for port in item.contract.outputs:
                    self._port(netlist, item, port, links, outputs[item.c][port.name], "output")
            else:
                links = cells[item.c]["connections"]
                for name, nets in (("clk", clk), ("rst", rst)):
                    if name == "clk" or item.block != "ram":
                        self.holds(f"{name} of {item.c} is the pin", links.get(name) == nets)
            for port in item.contract.inputs:
                self._port(netlist, item, port, links, inputs[item.c][port.name], "input")
        for name in dict.fromkeys(pin[0] for pin in wiring.pins if not pin[1]):
            at = 0
            for _, _, item, port in (pin for pin in wiring.pins if pin[0] == name):
                links = {port.name: ports[name]["bits"][at:at + port.bits]}
                words = outputs[item.c][port.name] if item.combinational else self.free[(item.c, port.name)]
                self._port(netlist, item, port, links, words, "pin")
                at += port.bits
        for name in dict.fromkeys(export[0] for export in wiring.exports):
            at, nets = 0, module["netnames"].get(name, {}).get("bits", [])
            for _, item, port in (export for export in wiring.exports if export[0] == name):
                words = outputs[item.c][port.name] if item.combinational else self.free[(item.c, port.name)]
                self._port(netlist, item, port, {port.name: nets[at:at + port.bits]}, words, "wave interface")
                at += port.bits
            self.holds(f"{name} has no other bits", at == len(nets))
        self.miter.free = netlist.free + self.machine.undefined + self.machine.access.count

    def _check_pins(self, ports):
        wanted = {"clk": ("input", 1), "rst": ("input", 1)}
        for name, _, _, port in self.wiring.pins:
            wanted[name] = ("input" if port.dir == "in" else "output", wanted.get(name, ("", 0))[1] + port.bits)
        found = {name: (port["direction"], len(port["bits"])) for name, port in ports.items()}
        if found != wanted:
            text = [f"pin {name}: RTL has {found.get(name, 'none')}, contracts {wanted.get(name, 'none')}"
                    for name in sorted(set(found) | set(wanted)) if found.get(name) != wanted.get(name)]
            raise rtl.RtlError("; ".join(text))

    def _port(self, netlist, item, port, links, words, kind):
        theirs = netlist.vector(self._nets(item, port, links))
        self.miter.outputs += port.bits
        for element, ours in enumerate(words):
            label = f"{kind} {item.c}.{port.name}" + (f"[{element}]" if port.elements is not None else "")
            bits = theirs[element * port.width:(element + 1) * port.width]
            differ = self._differ(ours, self.aig.extend(bits, len(ours)))
            self.miter.properties.append(miters.Property(label, differ, TRUE, (ours, bits), kind))


# -- faults ----------------------------------------------------------------------------------------------------------


def faults(text, pattern, seed):
    """(what, the text with the nets of two neighbouring connections swapped), at random. The nets have one shape."""
    rng = random.Random(seed)
    widths = {name: width for width, name in re.findall(r"wire +(\[[^]]*\])? *(\w+)[;,\n]", text)}

    def shape(net):
        return widths.get(re.match(r"\w+", net)[0]), re.sub(r"^\w+", "", net) if "->" not in net else None

    groups = []
    for line in re.finditer(pattern, text, re.M):
        if groups and groups[-1][-1].end() + 1 == line.start():
            groups[-1].append(line)
        else:
            groups.append([line])
    pairs = [(one, two) for group in groups for place, one in enumerate(group) for two in group[place + 1:place + 4]
             if one[2] != two[2] and shape(one[2]) == shape(two[2])]
    rng.shuffle(pairs)
    for one, two in pairs:
        yield (f"{one[2]} and {two[2]} swapped", text[:one.start(2)] + two[2] + text[one.end(2):two.start(2)] + one[2]
               + text[two.end(2):])


def planted(wiring, code, module, options):
    """Swaps connections in each half alone until enough are refuted. Returns (lines, good)."""
    lines, good = [], True
    source = wiring.generated / "totem_machine.c"
    sides = [("C", source, r"^ +i->(\w+) = (\w+->[^;\n]+);$")]
    sides += [("RTL", path, r"^ +\.(?!clk|rst)(\w+)\(([^(){}\n]+)\),?$")
              for path in sorted((wiring.root / "rtl" / "top").glob("totem*.v"))]
    for side, path, pattern in sides:
        refuted = noticed = equal = 0
        for what, text in faults(path.read_text(), pattern, options.seed):
            if refuted >= options.plant or equal + noticed > 8 * options.plant:
                break
            wrong = wiring.folder / path.name
            wrong.write_text(text)
            try:
                miter, outcomes = decide(wiring, wiring.model(wrong) if side == "C" else code,
                                         wiring.netlist([wrong]) if side == "RTL" else module, options)
            except FAILED:
                noticed += 1        # before any proof, such as nets of different width
                continue
            hit = prove.first_refuted(miter, outcomes)
            wiring.say(f"{path.name}: {what}")
            refuted += hit is not None
            equal += hit is None
            if hit and refuted == 1:
                told = report.counterexample(miter.aig, hit[0], miter.words, hit[1].inputs)
                lines.append(f"{path.name}, {what}: {told[0]}")
        lines.append(f"faults in {path.name}: {refuted} refuted, {noticed} noticed before, {equal} without effect")
        good &= refuted >= options.plant
    return lines, good


# -- one run ---------------------------------------------------------------------------------------------------------


def decide(wiring, code, module, options):
    miter = Build(wiring, code, module).run()
    goals = [item.bad for item in miter.properties]
    outcomes = solve.decide(miter.aig, goals, wiring.folder, options.limit, progress=wiring.say)
    return miter, outcomes


def run(options):
    start = time.monotonic()
    say = Progress("wiring", options.quiet)
    result = {"block": "wiring", "config": options.config, "verdict": "FAILED"}
    with tempfile.TemporaryDirectory(prefix="totem-wiring-") as scratch:
        folder = options.keep or scratch
        Path(folder).mkdir(parents=True, exist_ok=True)
        try:
            wiring = Wiring(options, folder, say)
            code, module = wiring.model(options.c), wiring.netlist(options.rtl)
            miter, outcomes = decide(wiring, code, module, options)
            count = {name: sum(item.verdict == name for item in outcomes)
                     for name in ("proved", "refuted", "unknown")}
            nodes = miter.aig.cone([item.bad for item in miter.properties]
                                   + [bit for item in miter.properties for side in item.sides for bit in side])
            result.update(outputs=miter.outputs, nodes=sum(miter.aig.left[node] >= 0 for node in nodes),
                          properties=len(outcomes), structural=sum(item.by == "structure" for item in outcomes),
                          instances=len(wiring.instances), free=miter.free, parameters=wiring.values, **count)
            refuted = [pair for pair in zip(miter.properties, outcomes) if pair[1].verdict == "refuted"]
            for item, outcome in refuted[:options.show]:
                print("\n".join(report.counterexample(miter.aig, item, miter.words, outcome.inputs)))
            if len(refuted) > options.show:
                names = [item.name for item, _ in refuted[options.show:]]
                print(f"and {len(names)} more: {', '.join(names[:12])}" + (", ..." if len(names) > 12 else ""))
            unknown = [item.name for item, outcome in zip(miter.properties, outcomes) if outcome.verdict == "unknown"]
            if unknown:
                print(f"not decided in {options.limit} s: {', '.join(unknown[:12])}"
                      + (", ..." if len(unknown) > 12 else ""))
            good = count["proved"] == len(outcomes) and miter.outputs > 0
            if good and options.plant:
                lines, good = planted(wiring, code, module, options)
                print("\n".join(lines))
            result["verdict"] = "proved" if good else "undecided" if unknown and not refuted else "FAILED"
        except FAILED as error:
            result["verdict"], result["error"] = "error", str(error)
            print(f"wiring: {error}")
        say.end()
    result["seconds"] = round(time.monotonic() - start, 1)
    return result


def summary(result):
    if result["verdict"] == "error":
        return "wiring: ERROR"
    return (f"wiring ({result['config']}): {result['verdict']}; {result['instances']} instances, "
            f"{result['outputs']} bits compared, {result['nodes']} AND nodes, {result['properties']} properties "
            f"({result['structural']} alike by structure), {result['seconds']} s")


def arguments(words=None):
    parser = argparse.ArgumentParser(description="Proves the wiring of the machine equal in C and RTL.")
    add = parser.add_argument
    add("--config", type=contracts.configuration, default="full",
        help="configuration of rtl/top/config.yaml (default full)")
    add("-O", dest="optimisation", choices=["1", "2"], default="1", help="clang's optimisation (default 1)")
    add("--gates", action="store_true", help="let Yosys map the RTL to gates first (second route)")
    add("--sanitize", action="store_true", help="also prove that no undefined behaviour is reached (clang's traps)")
    add("--plant", type=int, default=0, metavar="N", help="afterwards refute N planted faults in each file")
    add("--rtl", action="append", default=[], help="another file for a module")
    add("--c", help="another file for totem_machine.c")
    add("--limit", type=int, default=600, help="processor seconds for the solvers (default 600)")
    add("--seed", type=int, default=1)
    add("--show", type=int, default=3, help="counterexamples to print (default 3)")
    add("--root", type=Path, default=ROOT, help="another tree of the same layout")
    add("--keep", help="folder for intermediate files")
    add("--json", help="file for the result")
    add("--quiet", action="store_true")
    return parser.parse_args(words)


def main():
    options = arguments()
    result = run(options)
    print(summary(result))
    if options.json:
        Path(options.json).write_text(json.dumps(result) + "\n")
    return 0 if result["verdict"] == "proved" else 1


if __name__ == "__main__":
    sys.exit(main())
