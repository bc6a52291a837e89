# SPDX-License-Identifier: Apache-2.0
"""The ports of modules that stand more than once in the netlist, for sim/gen/machine_verilog.py, which writes each of
them once.

    find(net, name) -> {module: Copies}; name(wire) is what the machine calls a net

An input of a block in such a module is connected inside if it takes the same output of the module, or is the same
number, in every place. Everything else comes through a port: that of its role (machine.yaml), else one that is called
as its net, if this has the same name in every place but for the prefix, else one that is called as the input.
"""

from dataclasses import dataclass

from netlist import fail, same


@dataclass
class Port:
    size: str
    group: str      # comment above it
    reader: tuple   # (block, input): the first that takes it


class Copies:
    def __init__(self, net, nodes, name):
        self.nodes, self.plain, self.name = nodes, nodes[0].plain, name
        self.members = {id(node): {instance.base: instance for instance in net.instances.values()
                                   if instance.node is node} for node in nodes}
        self.ports, self.border = {}, {}
        groups = {}
        for base, instance in self.members[id(self.plain)].items():
            for port in instance.inputs:
                told = tuple(self._told(node, base, port) for node in nodes)
                inside = sorted({text for kind, text in told if kind == "inside"})
                if len(inside) > 1:
                    fail(f"{base}.{port} of {self.plain.module} takes {' in one place and '.join(inside)} in another",
                         "only what comes from outside can differ")
                role = self.plain.roles.get(f"{base}.{port}")
                if role or len(set(told)) > 1 or told[0][0] == "outside":
                    groups.setdefault((role, told), []).append((base, port))
        for (role, _), readers in groups.items():
            self._port(role, readers)
        unknown = sorted(set(self.plain.roles) - {f"{base}.{port}" for base, port in self.border})
        if unknown:
            fail(f"{self.plain.module} has `roles` of no inputs: {', '.join(unknown)}", "take them away")

    def _told(self, node, base, port):
        """("inside", what), ("number", what) or ("outside", what): what drives an input in one place."""
        source = self.members[id(node)][base].inputs[port]
        if source.kind in ("collect", "pin"):
            fail(f"{base}.{port} is that of a channel or a pin of the machine",
                 f"{node.module}, which stands more than once, cannot have it")
        if source.kind == "number":
            return "number", str(source.number)
        wires = source.drivers()
        inside = bool(wires) and all(wire.instance.node is node for wire in wires)
        shown = [source.dim.name if source.dim else source.element or source.part]
        for wire in wires:
            at = "" if inside else f"[{wire.place}] {[dim.name for dim in wire.dims]} {wire.elements} {wire.width}"
            shown.append(f"{wire.instance.base if inside else wire.instance.name}.{wire.port.name}{at}")
        return "inside" if inside else "outside", ", ".join(filter(None, shown))

    def _port(self, role, readers):
        base, port = readers[0]
        size = self.members[id(self.plain)][base].ports[port].size
        own, group = (role, role.split("_")[0]) if role else self._net(base, port) or (
            port, "numbers" if port.endswith("_number") else port.split("_")[0])
        if own in self.ports:
            fail(f"two ports of {self.plain.module} are called {own}, the second for {base}.{port}", "give it a role")
        for other, input_ in readers:
            if not same(self.members[id(self.plain)][other].ports[input_].size, size):
                fail(f"{other}.{input_} and {base}.{port} of {self.plain.module} differ in size", "give one a role")
        self.ports[own] = Port(size, group, readers[0])
        self.border.update((reader, own) for reader in readers)

    def _net(self, base, port):
        """(name, block) of the net that has the same name in every place, or None."""
        found = set()
        for node in self.nodes:
            source = self.members[id(node)][base].inputs[port]
            if source.kind != "wire" or source.part:
                return None
            wire = source.wire
            plain = wire.name if wire.place else f"{wire.instance.name}.{wire.port.name}"
            found.add(plain.replace(node.prefix, "", 1) if node.prefix else plain)
        wire = self.members[id(self.plain)][base].inputs[port].wire
        return (self.name(wire), wire.instance.name) if len(found) == 1 else None


def find(net, name):
    return {node.module: Copies(net, node.copies, name) for node in net.modules() if node.copies and node is node.plain}
