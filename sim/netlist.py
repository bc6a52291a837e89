#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The netlist of the machine: reads rtl/top/machine.yaml and the contracts, and says what drives every input.

    load() -> Netlist: the tree of modules and arrays, the instances, and one Source for each of their inputs

Rules of names (machine.yaml, top): `<block>_<port>`, `<bus>_<port>`, addressed ports, pins, numbers. What does not
follow from them stands under `connect`. Shapes are compared as expressions, so one netlist serves all configurations.
sim/gen_machine.py writes Verilog and C from it. From the shell: `python3 sim/netlist.py` prints every connection.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

import yaml

import contract

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "rtl" / "top" / "machine.yaml"
shown = FILE.relative_to(ROOT)          # the file that is read, for messages
RAM_INPUTS = ("write_enable", "write_addr", "write_data", "read_enable", "read_addr")

# Two expressions are the same if they agree at these places: powers of two, as sizes of indices are, with exponents of
# which no two sums agree.
SIZES = ("FE_COUNT", "PIPES", "SE_COUNT", "QUEUES", "EPOCHS", "SLOTS", "VGPRS", "LDS", "LANES")
PROBES = ({name: 1 << (1 << n) for n, name in enumerate(SIZES)},
          {name: 1 << 3 ** n for n, name in enumerate(reversed(SIZES))})


class NetlistError(Exception):
    """The netlist cannot be read. The text names the place and the remedy."""


def fail(what, remedy):
    raise NetlistError(f"{shown}: {what}; {remedy}")


def value(text, more=()):
    """An expression at the probe places."""
    return tuple(contract.evaluate(str(text), {**probe, **dict(more)}) for probe in PROBES)


def product(factors):
    """The product as an expression, short."""
    number, rest = 1, []
    for factor in map(str, factors):
        if factor.isdigit():
            number *= int(factor)
        else:
            rest.append(f"({factor})" if any(c in factor for c in "+-?<>/ ") else factor)
    if number != 1 or not rest:
        rest.append(str(number))
    return "*".join(rest)


@dataclass
class Dim:
    """A dimension of arrays."""
    name: str
    size: str       # parameter
    index: str      # name of the loop variable
    bits: int       # width of its number, as blocks know it


@dataclass
class Node:
    """A module of the netlist (module is its name) or an array of instances inside one (module is None)."""
    module: str
    name: str       # instance
    dim: Dim        # of the array that it stands in, or None
    parent: "Node"
    doc: str = ""
    exports: list = field(default_factory=list)     # `block.prefix`: outputs that leave the module whoever uses them
    nodes: list = field(default_factory=list)
    instances: list = field(default_factory=list)

    @property
    def dims(self):
        return (self.parent.dims if self.parent else []) + ([self.dim] if self.dim else [])

    @property
    def owner(self):
        """The module that this node's text stands in."""
        return self if self.module else self.parent.owner

    def within(self, other):
        return self is other or (self.parent is not None and self.parent.within(other))


@dataclass
class Port:
    name: str
    dir: str
    elements: str   # expression or None
    width: str
    mask: str

    @property
    def size(self):
        return product([self.elements or 1, self.width])


@dataclass
class Instance:
    """A block, a RAM or a selector."""
    name: str
    block: str
    node: Node
    parameters: dict            # name -> expression of the machine's parameters
    ports: dict                 # name -> Port, shapes in the machine's parameters
    given: dict                 # input -> what the netlist says
    kind: str = "block"         # block, ram, or combinational
    inputs: dict = field(default_factory=dict)      # input -> Source

    @property
    def dims(self):
        return self.node.dims


@dataclass
class Wire:
    """An output of an instance as its users see it: dimensions from the outside in, then the shape of an element.
    Slots are elements of a block's array that belong to one requester (channel): `place` is the element's number."""
    instance: Instance
    port: Port
    dims: list                  # of the instance, then those by which the port is sliced
    elements: str
    width: str
    name: str
    place: str = None           # slot: expression with the index names of the requester's dimensions
    home: Node = None           # the module that first has it

    @property
    def size(self):
        return product([self.elements or 1, self.width])


@dataclass
class Source:
    """What drives an input."""
    kind: str                   # wire, concat, index, number, collect, pin
    wire: Wire = None
    wires: list = None          # concat (first is most significant), collect: [(Wire, place)]
    dim: Dim = None             # index
    number: int = 0
    element: str = None


def same(a, b):
    return value(a) == value(b)


def net_name(instance, port):
    return port if port.startswith(instance + "_") else f"{instance}_{port}"


class Netlist:
    def __init__(self, path=FILE):
        self.text = yaml.safe_load(path.read_text())
        self.dims = {name: Dim(name, **what) for name, what in self.text["dims"].items()}
        self.buses = {name: what if isinstance(what, list) else [what]
                      for name, what in self.text.get("buses", {}).items()}
        self.pins = self.text["pins"]
        self.connect = self.text.get("connect", {})
        self.instances = {}
        self.wires = {}
        self.used = set()
        self.contracts = {}
        self.root = self._node(self.text["tree"], None, None)
        self.channels = {}
        for name, what in self.text.get("channels", {}).items():
            self._channel(name, what)
        for instance in self.instances.values():
            for port in instance.ports.values():
                if port.dir == "in":
                    instance.inputs[port.name] = self._source(instance, port)
        self._check_outputs()
        unused = sorted(set(self.connect) - self.used)
        if unused:
            fail(f"`connect` names what needs no exception or does not exist: {', '.join(unused)}",
                 "take the lines away")

    def _check_outputs(self):
        """Every output has a user, leaves the machine, or stands under `unused`."""
        taken = set()
        for instance in self.instances.values():
            for source in instance.inputs.values():
                wires = ([source.wire] if source.kind == "wire" else source.wires if source.kind == "concat"
                         else [wire for wire, _, _ in source.wires] if source.kind == "collect" else [])
                taken |= {(wire.instance.name, wire.port.name) for wire in wires}
        free = set(self.text.get("unused", []))
        for instance in self.instances.values():
            for port in instance.ports.values():
                where = f"{instance.name}.{port.name}"
                if port.dir == "out" and (instance.name, port.name) not in taken and where not in free and \
                        not any(port.name.startswith(prefix) for prefix in self.pins.get(instance.name, [])):
                    fail(f"nobody uses {where}", "rename an input after it, or write it down under `unused`")
                if where in free and (instance.name, port.name) in taken:
                    fail(f"{where} is under `unused` and used", "take the line away")

    # -- tree ------------------------------------------------------------------------------------------------------

    def _node(self, text, dim, parent):
        node = Node(text.get("module"), text.get("as", text.get("module")), dim, parent, text.get("doc", ""),
                    text.get("exports", []))
        for name in text.get("blocks", []):
            self._block(node, name, {})
        for name, what in text.get("rams", {}).items():
            self._ram(node, name, what)
        for name, what in text.get("parts", {}).items():
            self._block(node, name, what)
        for array in text.get("arrays", []):
            this = self.dims[array["dim"]]
            inner = Node(None, None, this, node)
            node.nodes.append(inner)
            for name in array.get("blocks", []):
                self._block(inner, name, {})
            for name, what in array.get("rams", {}).items():
                self._ram(inner, name, what)
            for name, what in array.get("parts", {}).items():
                self._block(inner, name, what)
            for child in array.get("modules", []):
                inner.nodes.append(self._node(child, None, inner))
        return node

    def load(self, block):
        if block not in self.contracts:
            self.contracts[block] = contract.load(block)
        return self.contracts[block]

    def _block(self, node, name, what):
        block = what.get("is", name)
        if block not in contract.blocks():
            fail(f"there is no block {block}", f"correct the name, or write docs/contract/{block}.md")
        known = self.load(block)
        parameters = {}
        for parameter in known.expressions:
            special = self.text.get("parameters", {}).get(f"{name}.{parameter}")
            parameters[parameter] = str(what.get(parameter, special if special is not None else parameter))
        ports = {}
        for port in known.ports:
            def put(text):
                return None if text is None else self._substitute(text, parameters)
            ports[port.name] = Port(port.name, port.dir, put(port.elements), put(port.width), port.mask)
        given = {key: source for key, source in what.items() if key != "is" and key not in known.expressions}
        self._add(Instance(name, block, node, parameters, ports, given,
                           "block" if known.state or not self._combinational(known) else "combinational"))

    @staticmethod
    def _combinational(known):
        return getattr(known, "combinational", not known.state)

    def _ram(self, node, name, what):
        width, depth = str(what["width"]), str(what["depth"])
        addr = f"$clog2({depth})"
        shape = {"write_enable": "1", "write_addr": addr, "write_data": width, "read_enable": "1", "read_addr": addr}
        ports = {port: Port(port, "in", None, size, None) for port, size in shape.items()}
        ports["read_data"] = Port("read_data", "out", None, width, None)
        given = {}
        for port in RAM_INPUTS:
            side = what.get(port) or what.get(port.split("_")[0]) or what.get("of")
            if side is None:
                fail(f"RAM {name} has no {port}", f"say `of: block.prefix` or `{port}: block.port`")
            given[port] = side if port in what else f"{side}_{port}"
        self._add(Instance(name, "ram", node, {"WIDTH": width, "DEPTH": depth}, ports, given, "ram"))
        data = what.get("data") or f"{what.get('read') or what['of']}_read_data"
        if data != "none":          # none: its users name it
            self.connect.setdefault(data, f"{name}.read_data")

    def _add(self, instance):
        if instance.name in self.instances:
            fail(f"two instances are called {instance.name}", "rename one")
        self.instances[instance.name] = instance

    @staticmethod
    def _substitute(text, parameters):
        """An expression of a contract in the machine's parameters."""
        import re
        return re.sub(r"\b[A-Z][A-Z0-9_]*\b", lambda m: (lambda new: new if new == m[0] or re.fullmatch(r"\w+", new)
                                                       else f"({new})")(parameters.get(m[0], m[0])), text)

    # -- channels --------------------------------------------------------------------------------------------------

    def _channel(self, name, what):
        """Requesters of an array port, numbered: a list of names, or of lists that take turns in every array place."""
        receiver = self.instances[what["at"]]
        base, numbers = "0", {}
        for group in what["requesters"]:
            group = group if isinstance(group, list) else [group]
            first = self.instances[group[0]]
            more = [dim for dim in first.dims if dim not in receiver.dims]
            flat = ""
            for dim in more:
                flat = dim.index if not flat else f"({flat}*{dim.size}+{dim.index})"
            count = product([dim.size for dim in more])
            for n, requester in enumerate(group):
                step = product([len(group), flat]) if flat else "0"
                terms = [t for t in (base, step, str(n)) if t != "0"]
                numbers[requester] = ("+".join(terms) or "0", more)
            total = product([len(group), count])
            base = total if base == "0" else f"{base}+{total}"
        self.channels[name] = {"at": receiver, "numbers": numbers, "count": base, "ports": what["ports"],
                               "also": what.get("also", {}), "reply": what.get("reply")}
        reply = what.get("reply")
        for requester, (_, dims) in numbers.items() if reply else ():
            node = receiver.node
            for dim in dims:
                inner = next((n for n in node.nodes if n.dim is dim and not n.module), None)
                if inner is None:
                    inner = Node(None, None, dim, node)
                    node.nodes.append(inner)
                node = inner
            part = {"is": "match", "COUNT": 1, "WIDTH": receiver.ports[reply["tag"]].width,
                    "valid": f"{receiver.name}.{reply['valid']}", "tag": f"{receiver.name}.{reply['tag']}",
                    "value": f"number {name} {requester}"}
            self._block(node, f"{requester}_{reply['input'].removesuffix('_valid')}", part)

    # -- sources ---------------------------------------------------------------------------------------------------

    def wire(self, instance, port, dims_of_user, elements, width):
        """The output as a user of this shape takes it, or None if the shapes do not fit."""
        source = instance.ports.get(port)
        if source is None or source.dir != "out":
            return None
        own = list(instance.dims)
        extra = [dim for dim in dims_of_user if dim not in own]
        gathered = [dim.size for dim in own if dim not in dims_of_user]
        want = product([elements or 1])
        # Slices: the leading elements of the port are those of the user's further dimensions.
        for first in range(len(extra) + 1):
            chosen = extra[first:]
            have = source.elements or "1"
            slices = product([dim.size for dim in chosen])
            if chosen:
                a, b = value(have), value(slices)
                if any(x % y for x, y in zip(a, b)):
                    continue
                rest = self._divide(have, chosen)
                if rest is None:
                    continue
            else:
                rest = have
            if same(product([product(gathered), rest]), want) and same(source.width, width):
                return Wire(instance, source, own + chosen, None if rest == "1" else rest, source.width,
                            net_name(instance.name, port), home=instance.node.owner)
            # One word per array place, seen as one element each.
            if want == "1" and rest == "1" and same(product([product(gathered), source.width]), width):
                return Wire(instance, source, own + chosen, None, source.width, net_name(instance.name, port),
                            home=instance.node.owner)
        return None

    @staticmethod
    def _divide(have, chosen):
        """`have` is a product with the sizes of `chosen` as leading factors: the rest, or None."""
        factors = have.split("*")
        for dim in chosen:
            if not factors or factors[0] != dim.size:
                return None
            factors = factors[1:]
        return "*".join(factors) or "1"

    def candidates(self, instance, name):
        """(instance, output) that the rules of names give to this input, in their order."""
        words = name.split("_")
        for n in range(len(words), 0, -1):
            prefix, rest = "_".join(words[:n]), "_".join(words[n:])
            for source in self.buses.get(prefix, []):
                block, _, lead = source.partition(".")
                yield block, "_".join(part for part in (lead, rest) if part)
        for n in range(len(words), 0, -1):
            prefix, rest = "_".join(words[:n]), "_".join(words[n:])
            if prefix in self.instances:
                if rest:
                    yield prefix, f"{instance.name}_{rest}"
                    yield prefix, rest
                yield prefix, name

    def _source(self, instance, port):
        where = f"{instance.name}.{port.name}"
        if where in self.connect:
            self.used.add(where)
            return self._given(instance, port, self.connect[where])
        if port.name in instance.given:
            return self._given(instance, port, instance.given[port.name])
        if any(port.name.startswith(prefix) for prefix in self.pins.get(instance.name, [])):
            return Source("pin")
        if port.name.endswith("_number") and port.name[:-len("_number")] in self.dims:
            return Source("index", dim=self.dims[port.name[:-len("_number")]])
        for name, channel in self.channels.items():
            source = self._slot(channel, name, instance, port)
            if source:
                return source
        for block, output in self.candidates(instance, port.name):
            if block in self.instances:
                wire = self.wire(self.instances[block], output, instance.dims, port.elements, port.width)
                if wire:
                    self._refuse_unmatched(instance, port, wire)
                    return Source("wire", wire)
        return self._missing(instance, port)

    def _refuse_unmatched(self, instance, port, wire):
        """Reports that say whom they are for: a reader elsewhere takes those that a `match` has found to be its own."""
        output = f"{wire.instance.name}.{wire.port.name}"
        parts = [part.name for part in self.instances.values()
                 if part.block == "match" and part.given["valid"] == output]
        if parts and any(dim not in instance.dims for dim in wire.instance.dims):
            fail(f"{instance.name}.{port.name} would take every {output}, whoever it is for",
                 f"write the `mine` of a match under `connect`; of {output} there is {', '.join(parts)}")

    def _missing(self, instance, port):
        shape = f"{port.elements + 'x' if port.elements else ''}{port.width}"
        near = [f"{b}.{o}" for b, o in self.candidates(instance, port.name)
                if b in self.instances and o in self.instances[b].ports]
        fail(f"nothing drives {instance.name}.{port.name} ({shape})" +
             (f", {near[0]} has another shape" if near else ""),
             "rename it after its driver, or write it down under `connect`")

    def _slot(self, channel, name, instance, port):
        ports, receiver = channel["ports"], channel["at"]
        requester = channel["also"].get(instance.name, instance.name)
        if instance is receiver and ports.get(port.name, "").startswith("from "):
            output = ports[port.name][5:]
            pieces = []
            for each, (place, dims) in channel["numbers"].items():
                other = self.instances[each]
                wire = self.wire(other, output, other.dims, port.elements and None, port.width)
                if wire is None:
                    fail(f"requester {each} of {name} has no output {output} of {port.width} bits",
                         "correct its contract")
                pieces.append((wire, place, dims))
            return Source("collect", wires=pieces, element=port.width)
        if requester in channel["numbers"]:
            for output, text in ports.items():
                if text == f"to {port.name}":
                    source = receiver.ports[output]
                    place, dims = channel["numbers"][requester]
                    return Source("wire", Wire(receiver, source, list(receiver.dims) + dims, None, source.width,
                                               f"{receiver.name}_{requester}_{output}", place, receiver.node.owner))
            reply = channel["reply"]
            if reply and port.name == reply["input"]:
                return self._given(instance, port, f"{requester}_{reply['input'].removesuffix('_valid')}.mine")
        return None

    def _given(self, instance, port, text):
        if isinstance(text, int):
            return Source("number", number=text)
        if isinstance(text, list):
            wires = [self._given(instance, Port("", "in", None, None, None), item).wire for item in text]
            sizes = []
            for wire in wires:
                gathered = [dim.size for dim in wire.instance.dims if dim not in instance.dims]
                sizes.append(product([*gathered, wire.elements or 1, wire.width]))
            if not same("+".join(sizes), port.size):
                fail(f"{instance.name}.{port.name} has {port.size} bits, its list another number", "correct it")
            return Source("concat", wires=wires)
        if text.endswith("_number") and text[:-len("_number")] in self.dims:
            return Source("index", dim=self.dims[text[:-len("_number")]])
        if text.startswith("number "):
            channel, requester = text[7:].split(" ")
            place, dims = self.channels[channel]["numbers"][requester]
            return Source("place", element=place, wires=dims)
        block, _, output = text.partition(".")
        if block not in self.instances or output not in self.instances[block].ports:
            fail(f"{instance.name}.{port.name}: there is no output {text}", "correct the name")
        source = self.instances[block].ports[output]
        if port.width is not None:
            elements, width = port.elements, port.width
        else:                       # in a list: all places that the reader does not share
            gathered = [dim.size for dim in self.instances[block].dims if dim not in instance.dims]
            extra = [dim for dim in instance.dims if dim not in self.instances[block].dims]
            rests = (self._divide(source.elements, extra[n:]) for n in range(len(extra)))
            own = source.elements and next(filter(None, rests), source.elements)
            elements, width = product([*gathered, own or 1]), source.width
        wire = self.wire(self.instances[block], output, instance.dims, elements, width)
        if wire is None:
            fail(f"{instance.name}.{port.name} ({elements or 1}x{width}) and {text} "
                 f"({source.elements or 1}x{source.width}) differ in shape", "correct one")
        return Source("wire", wire)


def load(path=FILE):
    global shown
    path = Path(path).resolve()
    shown = path.relative_to(ROOT) if path.is_relative_to(ROOT) else path.name
    return Netlist(path)


if __name__ == "__main__":
    try:
        net = load()
    except (NetlistError, contract.ContractError) as error:
        sys.exit(f"netlist: {error}")
    for inst in net.instances.values():
        for key, src in inst.inputs.items():
            told = {"wire": lambda s: f"{s.wire.instance.name}.{s.wire.port.name}" +
                    (f"[{s.wire.place}]" if s.wire.place else ""),
                    "concat": lambda s: "{" + ", ".join(w.name for w in s.wires) + "}",
                    "index": lambda s: f"number of the {s.dim.name}", "number": lambda s: str(s.number),
                    "place": lambda s: s.element, "pin": lambda s: "pin",
                    "collect": lambda s: ", ".join(f"[{p}] {w.name}" for w, p, _ in s.wires)}[src.kind](src)
            print(f"{inst.name}.{key:<28} {told}")
