#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The machine's wiring in Verilog with a `totem_fold` beside every block, for a board (docs/contract/fold.md).

    python3 sim/gen/gen_folds.py CONFIG FOLDER      writes totem*.v into FOLDER, prints how many folds CONFIG has

The modules are those of rtl/top with six more ports: signature_live, signature_shift, chain_in and chain_out, level_in
and level_out. All folds are one chain: in a module first its own blocks, then its modules and arrays, in the order of
rtl/top/machine.yaml; in an array from place 0 on. `chain()` is the same order for others (sim/gen/gen_lockstep.py).
A second chain goes the same way, of 16 OR gates: the levels of blocks (`traced` in machine.yaml) in the trace.
Selectors of area lib and RAMs have none: what they show is state of others, or words that no reset touches; nor have
the outputs that `unfolded` in machine.yaml names.
"""

import re
import sys
import textwrap
from pathlib import Path

import contract
import gen_config
import netlist
from channels import product, total
from machine_verilog import Verilog, vspan, vwidth
from netlist import same

SHARED = {"signature_live": "1", "signature_shift": "1"}
CHAINS = ("chain", "level")


def blocks(net, node):
    """The blocks with folds in a module or an array."""
    return [instance for instance in net.instances.values() if instance.node is node and instance.kind == "block"]


def left_out(net, block):
    """The outputs of a block that are in no fold."""
    return {port for owner, _, port in (name.partition(".") for name in net.text["unfolded"]) if owner == block}


def traced(net):
    """[[(block, output)]] of every level of blocks in the trace, from bit 0 of `inner` on."""
    places = {value.name: int(value.number) for value in contract.load("trace").values}
    found = [[] for _ in range(16)]
    for name, outputs in net.text["traced"].items():
        if places.get(name, 0) < 16:
            netlist.fail(f"`traced` names {name}, which is no level of blocks", "name one of docs/contract/trace.md")
        found[places[name] - 16] = [exists(net, "traced", output) for output in outputs]
    return found


def exists(net, key, name):
    """The block and the output that a list of machine.yaml names."""
    block, _, port = name.partition(".")
    ports = net.contracts[block].ports if block in net.contracts else ()
    if port not in {each.name for each in ports}:
        netlist.fail(f"`{key}` names {name}, which there is not", "correct it, or take it away")
    return block, port


def chain(net, values, node=None, index=()):
    """[(name of an instance, its place in arrays)] in the order of the chain."""
    node = node or net.root
    for instance in blocks(net, node):
        if values.get(instance.when, 1):
            yield instance.name, index
    for child in node.nodes:
        if not values.get(child.when, 1):
            continue
        places = range(contract.evaluate(str(child.dim.size), values)) if child.dim else [None]
        for place in places:
            yield from chain(net, values, child, index if place is None else (*index, place))


class Folded(Verilog):
    def __init__(self, net):
        super().__init__(net)
        self.links = {}         # of an instance, a module or an array: net of the chains around it, place in that
        self.lengths = {}       # of a module or an array: places of its net, less 1
        self.levels = traced(net)
        for name in net.text["unfolded"]:
            exists(net, "unfolded", name)
        self._place(net.root)

    def _place(self, node):
        at = "0"
        for thing in [*blocks(self.net, node), *node.nodes]:
            if isinstance(thing, netlist.Node):
                self._place(thing)
                if self.lengths[id(thing)] == "0":
                    continue
            size = "1" if isinstance(thing, netlist.Instance) or thing.module else str(thing.dim.size)
            self.links[id(thing)] = self.link(node), at
            when = thing.when if thing.when != node.when else None
            at = total([at, product([size, when or 1])])
        self.lengths[id(node)] = at

    @staticmethod
    def link(node):
        return "" if node.module else f"_{node.dim.name}"

    def ends(self, which, thing, more="0"):
        """Where a chain comes from before an instance, a module or a place of an array, and where it goes on."""
        name, at = self.links[id(thing)]
        return [self.part(which + name, total([at, more, n]), "16") for n in "01"]

    def declared(self, which, node, before, behind):
        name, length = which + self.link(node), self.lengths[id(node)]
        return (f"wire [16*({length})+15:0] {name} /* verilator split_var */;\n"
                f"assign {self.part(name, '0', '16')} = {before};\nassign {behind} = {self.part(name, length, '16')};")

    def array(self, module, thing, lines):
        """The chains of an array stand at its beginning."""
        node = thing.node if isinstance(thing, netlist.Instance) else thing.parent
        if node.dim and id(node) in self.links and thing.when == module.node.when:
            for which in CHAINS:
                lines.setdefault(which + self.link(node),
                                 self.declared(which, node, *self.ends(which, node, node.dim.index)))

    def instance(self, module, instance, lines):
        self.array(module, instance, lines)
        text = super().instance(module, instance, lines)
        if instance.kind != "block":
            return text
        here = [dim for dim in instance.dims if dim not in module.node.dims]
        left = left_out(self.net, instance.block)
        outputs = [port for port in instance.ports.values() if port.dir == "out" and port.name not in left]
        nets = {}
        for port in outputs:
            nets[port.name] = self.receiver(module, instance, port, here)
            if not nets[port.name]:
                nets[port.name] = f"fold_{instance.local}_{port.name}"
                lines[nets[port.name]] = f"wire {vspan(port.size)} {nets[port.name]};".replace("  ", " ")
                text = text.replace(f".{port.name}()", f".{port.name}({nets[port.name]})")
        keep = [self.keep(instance, port, nets, lines, module) for port in outputs]
        before, behind = self.ends("chain", instance)
        rows = [".clk(clk), .rst(rst), .signature_live(signature_live), .signature_shift(signature_shift),"]
        rows += textwrap.wrap(f".chain_in({before}), .chain_out({behind}),", 108, break_long_words=False)
        for name, parts, end in (("data", list(nets.values()), "),"), ("keep", keep, ")")):
            rows += textwrap.wrap(f".{name}({{{', '.join(reversed(parts))}}}{end}", 108, break_long_words=False,
                                  subsequent_indent="    ")
        width = "+".join(vwidth(port.size) for port in outputs)
        return "\n".join([text, "", self.head("totem_fold", f".WIDTH({width})", f"{instance.local}_fold"),
                          *(f"    {row}" for row in rows), ");", *self.level(instance, nets)])

    def level(self, instance, nets):
        """The chain of levels beside an instance."""
        before, behind = self.ends("level", instance)
        shown = [[f"(|{nets[port]})" for block, port in outputs if block == instance.block] for outputs in self.levels]
        if not any(shown):
            return [f"assign {behind} = {before};"]
        bits = ", ".join(" | ".join(each) or "1'b0" for each in reversed(shown))
        return textwrap.wrap(f"assign {behind} = {before} | {{{bits}}};", 116, subsequent_indent="    ")

    def keep(self, instance, port, nets, lines, module):
        """What counts of an output."""
        mask, size = instance.ports.get(port.mask), vwidth(port.size)
        if mask is None or mask.dir != "out":
            return f"{{{size}{{1'b1}}}}"
        net = nets[mask.name]
        if not mask.elements:
            return f"{{{size}{{{net}}}}}"
        if not port.elements or not same(port.elements, mask.elements):
            netlist.fail(f"{port.name} of {instance.block} has a mask of other elements", "a fold cannot take it")
        if port.width == "1":
            return net
        local, each = f"fold_{instance.local}_{port.name}_keep", vwidth(port.width)
        loop = (f"for (k = 0; k < {vwidth(port.elements)}; k = k + 1) begin : g_{local}\n"
                f"    assign {local}[k*{each} +: {each}] = {{{each}{{{local}_mask[k]}}}};\nend")
        if instance.node is module.node and instance.when == module.node.when:
            loop = f"generate\n{netlist.indent(loop)}\nendgenerate"
        lines[local] = (f"wire {vspan(mask.size)} {local}_mask = {net};\n".replace("  ", " ") +
                        f"wire {vspan(port.size)} {local};\n{loop}")
        return local

    def child(self, module, node, lines):
        self.array(module, node, lines)
        rows = [*(f".{name}({name})" for name in SHARED),
                *(f".{which}_{way}({net})" for which in CHAINS
                  for way, net in zip(("in", "out"), self.ends(which, node)))]
        return super().child(module, node, lines).removesuffix("\n);") + ",\n" + ",\n".join(
            f"    {row}" for row in rows) + "\n);"

    def text(self, module):
        inputs, outputs = dict(module.inputs), dict(module.outputs)
        module.inputs.update((name, (size, "folds")) for name, size in SHARED.items())
        module.inputs.update((f"{which}_in", ("16", "folds")) for which in CHAINS)
        module.outputs.update((f"{which}_out", ("16", "folds")) for which in CHAINS)
        text = super().text(module)
        module.inputs, module.outputs = inputs, outputs
        head, tail = text.split("\n);\n", 1)
        chains = "\n".join(self.declared(which, module.node, f"{which}_in", f"{which}_out") for which in CHAINS)
        return f"{head}\n);\n" + netlist.indent(chains) + "\n" + tail


def write(config, folder):
    """Writes the modules that change; returns the number of folds."""
    net = netlist.load()
    verilog = Folded(net)
    folder.mkdir(parents=True, exist_ok=True)
    for name, module in verilog.modules.items():
        path, text = folder / f"{name}.v", re.sub(r"\n\n\n+", "\n\n", verilog.text(module))
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    return len(list(chain(net, gen_config.configurations()[config])))


def main():
    if len(sys.argv) != 3 or sys.argv[1] not in gen_config.configurations():
        sys.exit(__doc__)
    try:
        print(write(sys.argv[1], Path(sys.argv[2])))
    except netlist.NetlistError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
