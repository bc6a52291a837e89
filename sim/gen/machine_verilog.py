# SPDX-License-Identifier: Apache-2.0
"""The machine's wiring in Verilog, from the netlist (sim/gen/gen_machine.py).

    Verilog(net).modules, .text(module): the text of rtl/top/totem*.v, one for each module of the netlist. One that
    stands more than once is written as it is in the place where names and sizes are the machine's (sim/gen/copies.py).
"""

import re
import textwrap

import jinja2

import copies
import gen_config
import netlist
from channels import flat, product, total
from netlist import BITS, HEAD, indent

TWIN = "build/generated/cmodel/top/totem_machine.c"


def names(text):
    return re.findall(r"\b[A-Z][A-Z0-9_]*\b", str(text))


VERILOG = """// SPDX-License-Identifier: Apache-2.0
//
// {{ head }}
//
// {{ module }}: {{ doc }}. Wiring only.
// Twin: {{ twin }}.

`default_nettype none
{% if top %}
`include "totem_config.vh"
{% endif %}
module {{ module }} #(
{%- for line in parameters %}
    {{ line }}
{%- endfor %}
) (
    input  wire clk,
    input  wire rst{{ "," if ports }}
{%- for group, lines in ports %}
    // {{ group }}
{%- for line in lines %}
    {{ line }}
{%- endfor %}
{%- endfor %}
);
{%- for group, lines in nets %}
    // {{ group }}
{%- for line in lines %}
    {{ line }}
{%- endfor %}
{%- endfor %}
{% if genvars %}
    genvar {{ genvars }};
{% endif -%}
{{ body }}
endmodule

`default_nettype wire
"""


def vwidth(text):
    """An expression of the contracts in Verilog: a width that has a name is that parameter."""
    text = str(text)
    for width, name in sorted(BITS.items(), key=lambda item: -len(item[0])):     # the whole before its parts
        text = text.replace(f"({width})", name).replace(width, name)
    return text


def vspan(size):
    size = vwidth(size)
    if size == "1":
        return ""
    return f"[{int(size) - 1}:0]" if size.isdigit() else f"[{size}-1:0]"


def zero(size):
    size = vwidth(size)
    return f"{size}'d0" if size.isdigit() else f"{{{size}{{1'b0}}}}"


class Module:
    """One module of wiring in Verilog."""

    def __init__(self, net, node):
        self.net, self.node = net, node
        self.inputs, self.outputs, self.nets = {}, {}, {}   # name -> (size, group)
        self.assigns = []                                   # (dims, text)
        self.pins = []                                      # (pin, output of a block, Wire it shows with a feature)
        self.leaves = set()                                 # (instance, output): what others take

    def below(self):
        """Every node whose text stands in this module."""
        def walk(node):
            yield node
            for child in node.nodes:
                if not child.module:
                    yield from walk(child)
        return list(walk(self.node))

    def children(self):
        return [child for node in self.below() for child in node.nodes if child.module]


class Verilog:
    def __init__(self, net):
        self.net = net
        self.defaults = gen_config.configurations()["full"]
        self.places = {id(node): Module(net, node) for node in net.modules()}
        self.modules = {node.module: self.at(node.plain) for node in net.modules()}
        self.copies = copies.find(net, self.name)
        for instance in net.instances.values():
            for name, port in instance.ports.items():
                if port.dir == "in":
                    self._need(instance, name, instance.inputs[name])
        for instance in net.instances.values():
            for port in instance.ports.values():
                if net.pin(instance, port):
                    self._pin(instance, port)
        for name, shared in self.copies.items():
            module = self.modules[name]
            module.inputs = {own: (port.size, port.group) for own, port in shared.ports.items()}
            module.outputs = {self.output_name(instance, port.name): (port.size, instance.name)
                              for instance in net.instances.values() if instance.node is module.node
                              for port in instance.ports.values()
                              if any((instance.base, port.name) in self.at(node).leaves for node in module.node.copies)}
            both = sorted({*module.inputs} & {*module.outputs, *module.nets})
            if both:
                netlist.fail(f"{name} has ports that are called as a net of it: {', '.join(both)}", "give them a role")
        for module in self.modules.values():
            for export in module.node.exports:
                block, _, lead = export.partition(".")
                instance = net.instances[block]
                for port in instance.ports.values():
                    if port.dir == "out" and port.name.startswith(lead):
                        dims = [dim.size for dim in instance.dims if dim not in module.node.dims]
                        module.outputs.setdefault(self.output_name(instance, port.name),
                                                  (product([*dims, port.size]), block))

    def at(self, node):
        """The module in one of its places."""
        return self.places[id(node)]

    def port(self, instance, name):
        """The port through which an input is driven if its module stands more than once, or None."""
        shared = self.copies.get(instance.node.owner.module)
        return shared and shared.border.get((instance.base, name))

    @staticmethod
    def _chain(node):
        """The modules around a node, innermost first."""
        found = []
        while node is not None:
            owner = node.owner
            found.append(owner)
            node = owner.parent
        return found

    def name(self, wire):
        """A net is called after its bus, else after its block."""
        if wire.place is not None:
            return wire.name
        return self.output_name(wire.instance, wire.port.name)

    def output_name(self, instance, port):
        own = self.net.text.get("names", {}).get(f"{instance.name}.{port}")
        if own:
            return own
        for bus, sources in self.net.buses.items():
            for source in sources:
                block, _, lead = source.partition(".")
                if block == instance.name and (port == lead or port.startswith(lead + "_")):
                    return bus + port[len(lead):]
        if self.net.pin(instance, instance.ports[port]) and (instance.name, port) not in self.net.shown:
            return port
        return netlist.net_name(instance.name, port)

    def _size(self, dims, wire):
        return product([dim.size for dim in dims] + [wire.elements or 1, wire.width])

    def _need(self, instance, name, source):
        user = instance.node.owner
        module, port = self.at(user), instance.ports[name]
        outer = user.parent.owner if self.port(instance, name) else user
        if source.kind == "collect":
            module.nets[f"{instance.name}_{name}"] = (port.size, instance.name)
        for wire in source.drivers():
            self._route(wire, outer)
        if source.kind == "collect":
            for wire, place, dims in source.wires:
                module.assigns.append((dims, f"{instance.name}_{name}", place, wire, port.width))
        elif source.kind == "index":
            for node in self._chain(outer):
                if source.dim in node.dims and node.dim is None and node.parent and source.dim in node.parent.dims:
                    self.at(node).inputs[f"{source.dim.name}_number"] = (str(source.dim.bits), "numbers")
                if source.dim not in (node.parent.dims if node.parent else []):
                    break

    def _route(self, wire, user):
        """Ports and nets on the way from an output to a module that uses it."""
        name, group = self.name(wire), wire.instance.name
        up, down = self._chain(wire.home), self._chain(user)
        meet = next(node for node in up if node in down)
        # Up: the output leaves its modules whole.
        source_name = self.output_name(wire.instance, wire.port.name)
        for node in up[:up.index(meet)]:
            self.at(node).outputs[source_name] = (self._raw(wire, node), group)
            self.at(node).leaves.add((wire.instance.base, wire.port.name))
        module = self.at(meet)
        module.nets[source_name] = (self._raw(wire, meet), group)
        if wire.place is not None:
            if meet is not wire.home:
                raise netlist.NetlistError(f"{name}: a requester stands outside the module of its channel")
            more = [dim for dim in wire.dims if dim not in meet.dims]
            module.nets[name] = (self._size(more, wire), group)
            module.assigns.append((more, name, None, wire, wire.width))
        # Down: one element of every array that is entered.
        for node in down[:down.index(meet)]:
            left = [dim for dim in wire.dims if dim not in node.dims]
            self.at(node).inputs[name] = (self._size(left, wire), group)

    def _raw(self, wire, node):
        """Size of an output in a module around it: its own shape, once for each place below."""
        dims = [dim for dim in wire.instance.dims if dim not in node.dims]
        return product([dim.size for dim in dims] + [wire.port.elements or 1, wire.port.width])

    def _pin(self, instance, port):
        nodes, shown = self._chain(instance.node), self.net.shown.get((instance.name, port.name))
        if shown and port.dir == "out":     # the pin begins where its own block and what it shows with a feature meet
            own = netlist.Wire(instance, port, list(instance.dims), port.elements, port.width, port.name,
                               home=instance.node.owner)
            nodes = [node for node in nodes if node in self._chain(shown.home)]
            for wire in (own, shown):
                self._route(wire, nodes[0])
            self.at(nodes[0]).pins.append((port.name, own, shown))
        for node in nodes:
            dims = [dim for dim in instance.dims if dim not in node.dims]
            size = product([dim.size for dim in dims] + [self.net.pin_size(port)])
            module = self.at(node)
            (module.outputs if port.dir == "out" else module.inputs)[port.name] = (size, "pins")

    # -- text --------------------------------------------------------------------------------------------------------

    def select(self, module, wire, dims_here, lines, node):
        """The net of `wire` as an instance in array `node` takes it; strided ones get a net of their own."""
        name = self.name(wire)
        left = [dim for dim in wire.dims if dim not in module.node.dims]
        if wire.place is None and wire.home.within(module.node):
            left = [dim for dim in wire.instance.dims if dim not in module.node.dims] + \
                   [dim for dim in wire.dims if dim not in wire.instance.dims and dim not in module.node.dims]
        for dim in [d for d in dims_here if d in left]:
            size = product([wire.elements or 1, wire.width])
            at = left.index(dim)
            rest = product([d.size for d in left[at + 1:]] + [size])
            if at == 0:
                name = self.part(name, dim.index, rest)
                left = left[1:]
                continue
            outer = left[:at]
            local = f"{name}_{dim.name}"
            count = product([d.size for d in outer])
            if local not in lines:
                text = f"wire {vspan(product([count, rest]))} {local};"
                element = self.part(name, f"{flat(outer)}*{dim.size}+{dim.index}", rest)
                inner = f"assign {self.part(local, flat(outer), rest)} = {element};"
                for d in reversed(outer):
                    head = f"for ({d.index} = 0; {d.index} < {d.size}; {d.index} = {d.index} + 1)"
                    inner = f"{head} begin : g_{local}\n    {inner}\nend"
                lines[local] = text + "\n" + inner
            name, left = local, [d for d in left if d is not dim]
        return name

    @staticmethod
    def part(name, index, size):
        size = vwidth(size)
        if size == "1":
            return f"{name}[{index}]"
        low = index if re.fullmatch(r"\w+", index) else f"({index})"
        return f"{name}[{low}*{size} +: {size}]"

    def driver(self, module, instance, port, lines, node):
        source = instance.inputs[port.name]
        here = [dim for dim in node.dims if dim not in module.node.dims]
        outer = self.port(instance, port.name)
        if outer and instance.node is module.node:
            return outer
        if source.kind == "wire":
            name = self.select(module, source.wire, here, lines, node)
            return self.bits(module, instance, port, source, name, lines, node) if source.part else name
        if source.kind == "concat":
            parts = [self.select(module, wire, here, lines, node) for wire in source.wires]
            if any(self.net.optional(wire, instance) for wire in source.wires):
                return self.gathered(module, instance, port, source, parts, lines, node)
            return "{" + ", ".join(reversed(parts) if port.elements else parts) + "}"
        if source.kind == "collect":
            return f"{instance.name}_{port.name}"
        if source.kind == "pins":
            return source.name
        if source.kind == "pin":
            return self.pin(module, instance, port, source, here, lines, node)
        if source.kind == "index":
            return source.dim.name.upper() if source.dim in here else f"{source.dim.name}_number"
        if source.kind == "place":
            local = f"{instance.name}_{port.name}".upper()
            span = vspan(port.width)
            lines[local] = (f"localparam integer {local}_PLACE = {source.element};\n"
                            f"localparam {span} {local} =" + ("\n    " if len(local) > 30 else " ") +
                            f"{local}_PLACE{span};")
            return local
        width = vwidth(port.size)
        return f"{width}'d{source.number}" if width.isdigit() else zero(port.size)

    def pin(self, module, instance, port, source, here, lines, node):
        """The element of a pin, its low bits; or a net for what a feature puts in its place."""
        size = self.net.pin_sizes[source.name]
        pin = self.element(source.name, here, size)
        if source.wire is None:
            return pin
        if size != port.size:
            pin += f"[{vwidth(port.size)}-1:0]"
        name, other = f"{instance.name}_{port.name}", self.select(module, source.wire, here, lines, node)
        if source.part:
            other = self.bits(module, instance, port, source, other, lines, node)
        when = self.net.optional(source.wire, instance)
        text = (f"if ({when} != 0) begin : g_{name}\n    assign {name} = {other};\n    wire unused = &{{1'b0, {source.name}}};\n"
                f"end else begin : g_{name}_pin\n    assign {name} = {pin};\n"
                f"    wire unused = &{{1'b0, {self.select(module, source.wire, here, lines, node)}}};\nend")
        lines[name] = f"wire {vspan(port.size)} {name};\ngenerate\n{indent(text)}\nendgenerate"
        return name

    def bits(self, module, instance, port, source, name, lines, node):
        """The low or the high bits of a word; of every element of an array a net for them."""
        local, each, whole = f"{instance.name}_{port.name}_{source.part}", vwidth(port.width), vwidth(source.wire.width)
        above = str(int(whole) - int(each)) if (whole + each).isdigit() else f"{whole}-{each}"
        above = f"+{above}" if source.part == "high" else ""
        unused = f"wire unused_{local} = &{{1'b0, {name}}};"
        if port.elements is None:
            lines[local] = unused
            element = re.fullmatch(r"(\w+)\[(.+) \+: [^:]+\]", name)
            return f"{element[1]}[{element[2]}{above} +: {each}]" if element else f"{name}[{above[1:] or 0} +: {each}]"
        text = (f"for (k = 0; k < {product([port.elements])}; k = k + 1) begin : g_{local}\n"
                f"    assign {local}[k*{each} +: {each}] = {name}[k*{whole}{above} +: {each}];\nend")
        if node is module.node:
            text = f"generate\n{indent(text)}\nendgenerate"
        lines[local] = f"wire {vspan(port.size)} {local};\n{text}\n{unused}"
        return local

    def gathered(self, module, instance, port, source, parts, lines, node):
        """A net for a list of which some parts are there only with a feature."""
        local, at, texts = f"{instance.name}_{port.name}_list", "0", []
        for n, (wire, part) in enumerate(zip(source.wires, parts)):
            gathered = [dim.size for dim in wire.instance.dims if dim not in instance.dims]
            size, when = product([*gathered, wire.elements or 1, wire.width]), self.net.optional(wire, instance)
            text = f"assign {local}[{vwidth(at)} +: {vwidth(size)}] = {part};"
            texts.append(self.choice(when, f"g_{local}_{n}", text, [], [part]) if when else text)
            at = total([at, product([size, when or 1])])
        if node is module.node:
            texts = [f"generate\n{indent(text)}\nendgenerate" if text.startswith("if ") else text for text in texts]
        lines[local] = "\n".join([f"wire {vspan(port.size)} {local};", *texts])
        return local

    def element(self, name, here, size):
        """The element of a net that belongs to the place in these arrays."""
        for dim in here:
            name = self.part(name, dim.index, size)
        return name

    def receiver(self, module, instance, port, here):
        pin = self.net.pin(instance, port) and (instance.name, port.name) not in self.net.shown
        name = port.name if pin else self.output_name(instance, port.name)
        return self.element(name, here, port.size) if pin or name in module.nets or name in module.outputs else ""

    @staticmethod
    def head(kind, sets, name):
        text = f"{kind} #({sets}) {name} (" if sets else f"{kind} {name} ("
        return "\n".join(textwrap.wrap(text, 108, subsequent_indent="    ", break_long_words=False))

    def instance(self, module, instance, lines):
        here = [dim for dim in instance.dims if dim not in module.node.dims]
        kind = "totem_" + instance.block
        sets = ", ".join(f".{name}({vwidth(text)})" for name, text in instance.parameters.items()
                         if name not in BITS.values())
        rows = []
        if instance.kind == "block":
            rows.append(".clk(clk), .rst(rst)")
        elif instance.kind == "ram":
            rows.append(".clk(clk)")
        for port in instance.ports.values():
            value = self.driver(module, instance, port, lines, instance.node) if port.dir == "in" else \
                self.receiver(module, instance, port, here)
            rows.append(f".{port.name}({value})")
        return self.head(kind, sets, instance.local) + "\n" + ",\n".join("    " + row for row in rows) + "\n);"

    def child(self, module, node, lines):
        inner = self.modules[node.module]
        here = [dim for dim in node.parent.dims if dim not in module.node.dims]
        rows = [".clk(clk), .rst(rst)"]
        sets = ", ".join(f".{name}({node.sizes.get(name, name) if node.copies else name})"
                         for name in self.parameters(inner) if name not in BITS.values())
        if node.copies:
            return self.head(node.module, sets, node.name) + "\n" + ",\n".join(
                "    " + row for row in rows + self.copy(module, node, lines)) + "\n);"
        wires = {}
        for instance in self.net.instances.values():
            if not instance.node.within(node):
                continue
            for source in instance.inputs.values():
                wires.update((self.name(wire), wire) for wire in source.drivers())
        for name, (size, group) in inner.inputs.items():
            if group == "numbers":
                dim = self.net.dims[name[:-len("_number")]]
                value = dim.name.upper() if dim in here else name
            elif group == "pins":
                value = self.element(name, here, size)
            else:
                value = self.select(module, wires[name], here, lines, node)
            rows.append(f".{name}({value})")
        for name, (size, group) in inner.outputs.items():
            known = name in module.nets or name in module.outputs
            rows.append(f".{name}({self.element(name, here, size) if known else ''})")
        return self.head(node.module, sets, node.name) + "\n" + ",\n".join("    " + row for row in rows) + "\n);"

    def copy(self, module, node, lines):
        """The connections of a module that stands more than once, in one place."""
        shared, members = self.copies[node.module], self.copies[node.module].members[id(node)]
        here = [dim for dim in node.parent.dims if dim not in module.node.dims]
        rows = []
        for name, port in shared.ports.items():
            instance, of = members[port.reader[0]], port.reader[1]
            rows.append(f".{name}({self.driver(module, instance, instance.ports[of], lines, node.parent)})")
        for base, instance in shared.members[id(node.plain)].items():
            for name in [name for name, port in instance.ports.items() if port.dir == "out"]:
                own, port = self.output_name(instance, name), members[base].ports[name]
                if own in self.modules[node.module].outputs:
                    rows.append(f".{own}({self.receiver(module, members[base], port, here)})")
        return rows

    def parameters(self, module):
        found = set()
        for instance in self.net.instances.values():
            if instance.node.within(module.node):
                for text in instance.parameters.values():
                    found |= set(names(text))
                for port in instance.ports.values():
                    found |= set(names(port.size))
            if instance.node.within(module.node) and instance.when != module.node.when:
                found.add(instance.when)
        for size, _ in [*module.inputs.values(), *module.outputs.values(), *module.nets.values()]:
            found |= set(names(size))
        for node in module.below():
            for dim in node.dims:
                if dim not in module.node.dims:
                    found.add(dim.size)
        for child in module.children():
            own = self.parameters(self.modules[child.module])
            found |= {new for name in own for new in (names(child.sizes.get(name, name)) if child.copies else [name])}
        return [name for name in netlist.PARAMETERS if name in found]

    @staticmethod
    def unread(nets):
        """Nets that nobody else may read."""
        return "\n".join(textwrap.wrap(f"wire unused = &{{1'b0, {', '.join(nets)}}};", 108, subsequent_indent="    ",
                                       break_long_words=False, break_on_hyphens=False))

    @staticmethod
    def choice(when, label, text, absent, read):
        """What is there only with a feature; without it: its outputs, and the nets that nobody else may read."""
        nets = Verilog.unread(read)
        return (f"if ({when} != 0) begin : {label}\n{indent(text)}\nend else begin : {label}_none\n" +
                indent("\n".join([*absent, nets])) + "\nend")

    def pin_choice(self, module, when):
        """What the pins show of this feature's blocks, and without it."""
        pins = [(name, self.output_name(own.instance, own.port.name), self.output_name(shown.instance, shown.port.name))
                for name, own, shown in module.pins if self.net.optional(shown, own.instance) == when]
        there = [*(f"assign {pin} = {other};" for pin, _, other in pins), self.unread([own for _, own, _ in pins])]
        absent = [f"assign {pin} = {own};" for pin, own, _ in pins]
        text = self.choice(when, f"g_{when.lower()}_pins", "\n".join(there), absent, [other for _, _, other in pins])
        return f"generate\n{indent(text)}\nendgenerate"

    def read(self, thing, text):
        """The nets that a block or a module takes, from its text."""
        inputs = ({port.name for port in thing.ports.values() if port.dir == "in"}
                  if isinstance(thing, netlist.Instance) else set(self.modules[thing.module].inputs))
        rows = re.findall(r"^ +\.(\w+)\((.*)\),?$", text, re.M)
        return [value for name, value in rows if name in inputs and re.match(r"[a-z{]", value)]

    def absent(self, module, thing):
        """The outputs of a block or a module that is not there."""
        found = []
        if isinstance(thing, netlist.Instance):
            here = [dim for dim in thing.dims if dim not in module.node.dims]
            for port in thing.ports.values():
                name = port.dir == "out" and self.receiver(module, thing, port, here)
                found += [(name, port.size)] if name else []
        else:
            here = [dim for dim in thing.parent.dims if dim not in module.node.dims]
            found = [(self.element(name, here, size), size)
                     for name, (size, _) in self.modules[thing.module].outputs.items()
                     if name in module.nets or name in module.outputs]
        return [f"assign {name} = {zero(size)};" for name, size in found]

    def text(self, module):
        params = self.parameters(module)
        lines = []
        top = module.node.top
        for name in params:
            lines.append(f"parameter {name:<8} = {f'`TOTEM_{name}' if top else self.defaults[name]}")
        rows = [("input  wire", name, size, group) for name, (size, group) in module.inputs.items()]
        rows += [("output wire", name, size, group) for name, (size, group) in module.outputs.items()]
        groups = {}
        for way, name, size, group in rows:
            groups.setdefault(group, []).append(f"{way} {vspan(size):<32} {name}")
        ports, last = [], list(groups)[-1]
        for group, texts in groups.items():
            ends = [n + 1 == len(texts) and group == last for n in range(len(texts))]
            ports.append((group, [text + ("" if end else ",") for text, end in zip(texts, ends)]))
        nets = {}
        for name, (size, group) in module.nets.items():
            if name not in module.outputs:
                nets.setdefault(group, []).append(f"wire {vspan(size):<32} {name};")

        body = []
        used = []
        read = {}
        for dims, target, place, wire, width in module.assigns:
            if place is None:       # a requester's own element of the receiver's array
                left = self.part(target, flat(dims), width) if dims else target
                right = self.part(self.output_name(wire.instance, wire.port.name), wire.place, width)
            else:
                left = self.part(target, place, width)
                right = self.part(self.name(wire), flat(dims), width) if dims else self.name(wire)
            text = f"assign {left} = {right};"
            when = wire.when if place is None else wire.instance.when
            absent = f"assign {left} = {zero(width)};" if place is None else ""
            used.append(((tuple(d.name for d in dims), when if when != module.node.when else None), dims, text, absent))
            if place is not None:
                read[right] = used[-1][0]
        for key in dict.fromkeys(k for k, _, _, _ in used):
            dims = next(d for k, d, _, _ in used if k == key)
            inner = "\n".join(dict.fromkeys(t for k, _, t, _ in used if k == key))
            names, when = key
            label = "_".join(["g_number", *names, *([when.lower()] if when else [])])
            if when:
                absent = list(dict.fromkeys(a for k, _, _, a in used if k == key and a))
                inner = self.choice(when, f"{label}_is", inner, absent, [net for net, k in read.items() if k == key])
            for dim in reversed(dims):
                inner = (f"for ({dim.index} = 0; {dim.index} < {dim.size}; {dim.index} = {dim.index} + 1) begin : "
                         f"{label}\n" + indent(inner) + "\nend")
            body.append("generate\n" + indent(inner) + "\nendgenerate" if dims or when else inner)
        for when in dict.fromkeys(self.net.optional(shown, own.instance) for _, own, shown in module.pins):
            body.append(self.pin_choice(module, when))
        for node in module.below():
            own = [instance for instance in self.net.instances.values() if instance.node is node]
            modules = [child for child in node.nodes if child.module]
            if not own and not modules:
                continue
            local, texts, optional = {}, [], {}
            for thing in [*own, *modules]:
                show = self.instance if isinstance(thing, netlist.Instance) else self.child
                if thing.when == module.node.when:
                    texts.append(show(module, thing, local))
                    continue
                inside = {}
                text = show(module, thing, inside)
                optional.setdefault(thing.when, []).append(([*inside.values(), text], self.absent(module, thing),
                                                            self.read(thing, text)))
            for when, things in optional.items():
                text = self.choice(when, f"g_{when.lower()}", "\n\n".join(t for inner, _, _ in things for t in inner),
                                   [line for _, absent, _ in things for line in absent],
                                   dict.fromkeys(net for _, _, nets in things for net in nets))
                texts.append(f"generate\n{indent(text)}\nendgenerate" if node is module.node else text)
            if node is module.node:
                body += [*local.values(), *texts]
                continue
            dim = node.dim
            constants = []
            if any(re.search(rf"\({dim.name.upper()}\)", text) for text in texts):
                constants = [f"localparam [{dim.bits - 1}:0] {dim.name.upper()} = {dim.index};"]
            inner = "\n".join(constants) + "\n\n".join([""] * bool(constants) + [*local.values(), *texts])
            body.append(f"generate\n    for ({dim.index} = 0; {dim.index} < {dim.size}; {dim.index} = {dim.index} + 1) "
                        f"begin : g_{dim.name}\n" + indent(inner, 2) + "\n    end\nendgenerate")
        text = "\n" + indent("\n\n".join(body))
        everything = text + str(ports) + str(nets)
        bits = [(re.sub(r"^\$clog2\(([\w*]+)\)$", r"(\1 > 1) ? $clog2(\1) : 1", width), name)
                for width, name in BITS.items() if re.search(rf"\b{name}\b", everything)]
        lines += [f"parameter {name} = {width}" for width, name in bits]
        lines = [line + ("," if n + 1 < len(lines) else "") for n, line in enumerate(lines)]
        genvars = sorted(set(re.findall(r"for \((\w) = 0", text)))
        doc = module.node.doc
        return jinja2.Template(VERILOG).render(head=HEAD, twin=TWIN, module=module.node.module, doc=doc, top=top,
                                               parameters=lines, ports=ports,
                                               nets=nets.items(), genvars=", ".join(genvars), body=text) + "\n"
