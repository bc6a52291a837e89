# SPDX-License-Identifier: Apache-2.0
"""The ports of modules that stand more than once in the netlist, for sim/machine_verilog.py, which writes each of them
once.

    find(net, name) -> {module: Copies}; name(wire) is what the machine calls a net

An input of a block in such a module is connected inside if it takes the same output of the module, or is the same
number, in every place. Everything else comes through a port: that of its role (machine.yaml), else one that is called
as its net, if this has the same name in every place but for the prefix, else one that is called as the input.
"""

from dataclasses import dataclass

import netlist
from channels import product
from netlist import fail, same


@dataclass
class Port:
    name: str
    size: str
    group: str      # comment above it
    reader: tuple   # (block, input, number in a list or None): the first that takes it


class Copies:
    def __init__(self, net, nodes, name):
        self.net, self.nodes, self.plain = net, nodes, nodes[0].plain
        self.members = {id(node): {instance.base: instance for instance in net.instances.values()
                                   if instance.node is node} for node in nodes}
        self.ports, self.border = {}, {}
        groups = {}
        for base, instance in self.members[id(self.plain)].items():
            for port in instance.inputs:
                for piece in self._pieces(base, port):
                    told = [self._told(node, self.members[id(node)][base], port, piece) for node in nodes]
                    where = f"{base}.{port}"
                    inside = {text for kind, text in told if kind == "inside"}
                    if len(inside) > 1:
                        fail(f"{where} of {self.plain.module} takes {' in one place and '.join(sorted(inside))} in "
                             "another", "only what comes from outside can differ")
                    role = self.plain.roles.get(where)
                    if role or len(set(told)) > 1 or told[0][0] == "outside":
                        groups.setdefault(role or tuple(told), []).append((base, port, piece))
        unknown = sorted(set(self.plain.roles) - {f"{base}.{port}" for readers in groups.values()
                                                  for base, port, _ in readers})
        if unknown:
            fail(f"{self.plain.module} has `roles` for what does not come from outside: {', '.join(unknown)}",
                 "take them away")
        for key, readers in groups.items():
            self._port(key, readers, name)

    def _all(self, base, port):
        return [self.members[id(node)][base].inputs[port] for node in self.nodes]

    def _pieces(self, base, port):
        """The parts of a list that has as many in every place; else the whole."""
        counts = {len(source.wires) if source.kind == "concat" else 0 for source in self._all(base, port)}
        return range(*counts) if len(counts) == 1 and counts != {0} else [None]

    def source(self, instance, port, piece):
        source = instance.inputs[port]
        return source if piece is None else netlist.Source("wire", source.wires[piece])

    def _told(self, node, instance, port, piece):
        """("inside", what), ("number", what) or ("outside", what): what drives an input in one place."""
        source = self.source(instance, port, piece)
        if source.kind in ("collect", "pin"):
            fail(f"{instance.name}.{port} is that of a channel or a pin of the machine",
                 f"{node.module}, which stands more than once, cannot have it")
        if source.kind in ("number", "index", "place"):
            text = {"number": lambda: source.number, "index": lambda: source.dim.name, "place": lambda: source.element}
            return "number" if source.kind == "number" else "outside", str(text[source.kind]())
        wires = source.drivers()
        inside = all(wire.instance.node is node for wire in wires)
        shown = ["low" * source.low]
        for wire in wires:
            dims = [dim.name for dim in wire.dims if dim not in node.dims]
            at = "" if inside else f"[{wire.place}] {dims} {wire.elements} {wire.width}"
            shown.append(f"{wire.instance.base if inside else wire.instance.name}.{wire.port.name}{at}")
        return "inside" if inside else "outside", ", ".join(filter(None, shown))

    def _port(self, key, readers, name):
        base, port, piece = readers[0]
        sizes = [self._size(*reader) for reader in readers]
        if not all(same(sizes[0], size) for size in sizes):
            fail(f"inputs of one port of {self.plain.module} differ in size: "
                 f"{', '.join(f'{base}.{port}' for base, port, _ in readers)}", "give them roles")
        words = None
        if isinstance(key, str):
            own, group = key, key.split("_")[0]
            if len({tuple(self._told(node, self.members[id(node)][base], port, piece) for node in self.nodes)
                    for base, port, piece in readers}) > 1:
                fail(f"the inputs of role {own} of {self.plain.module} take different things", "give them two roles")
        else:
            words = self._net(base, port, piece, name)
            own, group = words or (port, "numbers" if port.endswith("_number") else port.split("_")[0])
        if own in self.ports:
            fail(f"two ports of {self.plain.module} are called {own}, the second for {base}.{port}", "give it a role")
        self.ports[own] = Port(own, sizes[0], group, readers[0])
        self.border.update((reader, own) for reader in readers)

    def _net(self, base, port, piece, name):
        """(name, block) of the net that has the same name in every place, or None."""
        found = set()
        for node in self.nodes:
            source = self.source(self.members[id(node)][base], port, piece)
            if source.kind != "wire" or source.low:
                return None
            wire = source.wire
            plain = wire.name if wire.place else f"{wire.instance.name}.{wire.port.name}"
            found.add(plain.replace(node.prefix, "", 1) if node.prefix else plain)
            if node is self.plain:
                told = name(wire), wire.instance.name
        return told if len(found) == 1 else None

    def _size(self, base, port, piece):
        instance = self.members[id(self.plain)][base]
        if piece is None:
            return instance.ports[port].size
        wire = instance.inputs[port].wires[piece]
        return product([*(dim.size for dim in wire.instance.dims if dim not in instance.dims),
                        wire.elements or 1, wire.width])

    def port(self, instance, port, piece=None):
        """The name of the port that drives an input, or None; a list as a whole has one only if no part has."""
        return self.border.get((instance.base, port, piece))


def find(net, name):
    return {node.module: Copies(net, node.copies, name) for node in net.modules() if node.copies and node is node.plain}
