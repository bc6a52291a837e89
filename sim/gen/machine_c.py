# SPDX-License-Identifier: Apache-2.0
"""The machine's wiring in C, from the netlist (sim/gen/gen_machine.py).

    CWiring(net).header(), .body(), .variants(): the text of totem_machine.[ch], and of the blocks of other sizes
"""

import re
from dataclasses import replace

import jinja2

import c_words
import contract
import gen_config
import gen_headers
import netlist
import vocabulary
from c_words import expression, word_type
from channels import flat, product
from netlist import HEAD, indent

C_HEADER = """// SPDX-License-Identifier: Apache-2.0
//
// {{ head }}
//
// totem_machine: the whole machine: its blocks, in the arrays of the netlist, and how they are wired. Wiring only: a
// clock is totem_machine_outputs, then totem_machine_step with these outputs and the pins. Twin of rtl/top/totem.v.
// The library's interface is cmodel/totem.h.
//
// `n` is what is known of the clocks before, for one `s` and one `o`. A step leaves out a block if the last step of
// that block changed nothing, and its inputs are as in that step; the outputs of such a block are not written again.
// All 0: nothing is known, and nothing is left out; it must be so whenever somebody else has changed `s` or `o`.
// `shown`: the last totem_machine_outputs wrote the outputs of this block.

#ifndef TOTEM_MACHINE_H
#define TOTEM_MACHINE_H

{% for line in includes -%}
#include "{{ line }}"
{% endfor %}
// clang-format off
{% for line in rams -%}
{{ line }}
{% endfor %}
{%- for line in structs %}
{{ line }}
{%- endfor %}

// Pins that drive the machine in this clock; names of the ports without their prefix.
{% for line in pins -%}
{{ line }}
{% endfor -%}
// clang-format on

void totem_machine_reset(totem_machine *s);
// What every block shows in this clock.
void totem_machine_outputs(const totem_machine *s, totem_machine_out *o, totem_machine_seen *n);
void totem_machine_step(totem_machine *s, const totem_machine_out *o, const totem_machine_in *x,
                        totem_machine_seen *n);

// The same of the machine without its shader cores, the twin of rtl/top/{{ core }}.v. Nothing is written to o->wave:
// before a step the caller has put there what his shader cores show.
void totem_core_outputs(const totem_machine *s, totem_machine_out *o, totem_machine_seen *n);
void totem_core_step(totem_machine *s, const totem_machine_out *o, const totem_machine_in *x, totem_machine_seen *n);

// The wiring alone: what one instance sees in this clock. A part of the core does not look at pins: x may be NULL.
{% for line in wires -%}
{{ line }}
{% endfor %}
#endif
"""

C_BODY = """// SPDX-License-Identifier: Apache-2.0
//
// {{ head }}
//
// totem_machine: wiring of the whole machine. See totem_machine.h.

#include "totem_machine.h"

#include <string.h>

#define COPY(to, from)                                                    \\
    do {                                                                  \\
        _Static_assert(sizeof(to) == sizeof(from), "ports of one shape"); \\
        memcpy((to), (from), sizeof(to));                                 \\
    } while (0)

// A step of a block, if it can change anything. `known`: its outputs have been written since nothing was known;
// `still`: its last step changed nothing, `in` were the inputs. While a block changes, nobody looks whether it does for
// BUSY clocks.
enum { BUSY = 3 };
#define STEP(type, block, seen, inputs)                                              \\
    do {                                                                             \\
        if ((seen)->still && memcmp(&(seen)->in, &(inputs), sizeof(inputs)) == 0)    \\
            break;                                                                   \\
        (seen)->still = false;                                                       \\
        if (!(seen)->known || (seen)->busy > 0) {                                    \\
            if ((seen)->busy > 0)                                                    \\
                (seen)->busy--;                                                      \\
            type##_step(block, &(inputs));                                           \\
            break;                                                                   \\
        }                                                                            \\
        type before;                                                                 \\
        memcpy(&before, block, sizeof before);                                       \\
        type##_step(block, &(inputs));                                               \\
        if (memcmp(&before, block, sizeof before) == 0) {                            \\
            (seen)->still = true;                                                    \\
            memcpy(&(seen)->in, &(inputs), sizeof(inputs));                          \\
        } else                                                                       \\
            (seen)->busy = BUSY;                                                     \\
    } while (0)

// clang-format off
{{ body }}
"""

VARIANT = """// SPDX-License-Identifier: Apache-2.0
//
// {head}
//
// {name}: totem_{block} with other sizes: {sizes}.
"""

INDEX = {"fe": "f", "pipe": "p", "se": "e", "bank": "b", "sc": "c"}


class CWiring:
    def __init__(self, net):
        self.net = net
        # Parts see outputs of blocks and of parts before them.
        self.parts = []
        left = [instance for instance in net.instances.values() if instance.kind == "combinational"]
        while left:
            ready = [part for part in left if not any(other in self.sees(part) for other in left)]
            if not ready:
                netlist.fail(f"a loop through parts: {', '.join(part.name for part in left)}",
                             "drive one of them from a block")
            self.parts += ready
            left = [part for part in left if part not in ready]
        self.core = next(node for node in net.root.nodes if node.top)
        for part in self.parts:
            seen = ", ".join(other.name for other in self.sees(part) if not other.node.within(self.core))
            if seen or not part.node.within(self.core):
                netlist.fail(f"part {part.name} stands outside {self.core.module}, or sees what does: {seen}",
                             "what the core shows has to be a function of its state")

    @staticmethod
    def sees(instance):
        """The instances whose outputs it takes."""
        return [wire.instance for source in instance.inputs.values() for wire in source.drivers()]

    # -- places ------------------------------------------------------------------------------------------------------

    def path(self, instance, index=INDEX):
        """The member of the machine's structs."""
        text, node = "", instance.node
        while node.parent is not None:
            if node.module and not node.top:        # what is in the core stands in the machine's struct
                place = f"[{index[node.parent.dim.name]}]" if node.parent.dim else ""
                text = f"{node.name}{place}.{text}"
            node = node.parent
        own = instance.node
        return text + instance.local + (f"[{index[own.dim.name]}]" if own.module is None else "")

    def type(self, instance):
        return f"totem_{instance.name if instance.kind == 'ram' or instance.own else instance.block}"

    @staticmethod
    def loops(dims, inner):
        for dim in reversed(dims):
            i = INDEX[dim.name]
            head = f"for (int {i} = 0; {i} < TOTEM_{dim.size}; {i}++)"
            single = inner.count("\n") == 0 or (inner.startswith("for ") and inner.count(";") == 3 and "{" not in inner)
            inner = f"{head}\n{indent(inner)}" if single else f"{head} {{\n{indent(inner)}\n}}"
        return inner

    @staticmethod
    def flat(dims):
        return CWiring.place(flat([replace(dim, index=INDEX[dim.name]) for dim in dims]))

    @staticmethod
    def place(text):
        text = re.sub(r"\b([A-Z][A-Z0-9_]*)\b", r"TOTEM_\1", text)
        return re.sub(r"([*+])", r" \1 ", text)

    @staticmethod
    def guard(text, when, absent=""):
        """Text that counts only with a feature, and what stands in its place without it."""
        if not when:
            return text
        return f"#if TOTEM_{when}\n{text}\n" + (f"#else\n{absent}\n" if absent else "") + "#endif"

    # -- one input ---------------------------------------------------------------------------------------------------

    def assign(self, instance, port, source):
        """[(dims to loop over, statement)] that set member `port` of *i."""
        target = f"i->{port.name}"
        if source.kind == "collect":
            return [(dims, self.guard(f"{target}[{self.place(place)}] = o->{self.path(wire.instance)}."
                                      f"{wire.port.name}{'[0]' * (wire.port.elements == '1')};",
                                      self.net.optional(wire, instance)))
                    for wire, place, dims in source.wires]
        if source.kind == "concat" and port.elements is not None:
            found, offset = [], []
            for wire in source.wires:
                when = self.net.optional(wire, instance)
                found += [(dims, self.guard(text, when)) for dims, text in
                          self.from_wire(instance, wire, target, True, " + ".join(offset) or "0")]
                gathered = [dim.size for dim in wire.instance.dims if dim not in instance.dims]
                offset.append(expression(product([*gathered, wire.elements or 1, when or 1])))
            return found
        if source.kind == "wire" and source.part:
            return [(dims, self.guard(self.bits(port, source, text), self.net.optional(source.wire, instance)))
                    for dims, text in self.from_wire(instance, source.wire, target, port.elements is not None, "0")]
        if source.kind == "wire":
            return [(dims, self.guard(text, self.net.optional(source.wire, instance),
                                      f"memset(&{target}, 0, sizeof {target});"))
                    for dims, text in self.from_wire(instance, source.wire, target, port.elements is not None, "")]
        return [([], self.single(instance, port, source, target))]

    def single(self, instance, port, source, target):
        if source.kind == "index":
            return f"{target} = {'(uint8_t)' if source.dim.bits > 1 else ''}{INDEX[source.dim.name]};"
        if source.kind == "number":
            return f"{target} = {source.number};" if port.elements is None else f"memset({target}, 0, sizeof {target});"
        if source.kind == "place":
            return f"{target} = (uint8_t)({self.place(source.element)});"
        if source.kind == "pins":
            member, name = self.pin_member(source.name, "[k]")
            return f"for (int k = 0; k < {expression(port.elements)}; k++)\n    {target}[k] = x->{member}.{name};"
        if source.kind == "pin":
            member, name = self.pin_member(source.name, "".join(f"[{INDEX[d.name]}]" for d in instance.dims))
            pin = f"{target} = x->{member}.{name};"
            if source.wire is None:
                return pin
            [(_, text)] = self.from_wire(instance, source.wire, target, False, "")
            if source.part:
                text = self.bits(port, source, text)
            return self.guard(text, self.net.optional(source.wire, instance), pin)
        if source.kind == "concat":
            terms, shift = [], "0"
            for wire in reversed(source.wires):
                value = f"(uint32_t)o->{self.path(wire.instance)}.{wire.port.name}" + self.sliced(wire)
                terms.append(value if shift == "0" else f"{value} << ({shift})")
                shift = f"{expression(wire.width)}" if shift == "0" else f"{shift} + {expression(wire.width)}"
            text = " | ".join(f"({t})" if "<<" in t else t for t in reversed(terms))
            small = instance.kind != "ram" and word_type(port.width) != "uint32_t"
            return f"{target} = ({word_type(port.width)})({text});" if small else f"{target} = {text};"
        raise netlist.NetlistError(f"{instance.name}.{port.name}: {source.kind}")

    @staticmethod
    def bits(port, source, text):
        """The assignment, of the low or the high bits of the word."""
        own, whole = port.width, source.wire.width
        above = f"({expression(whole)}) - ({expression(own)})"
        if (whole + own).isdigit():
            above = str(int(whole) - int(own))
        value = f"\\1 & ((1u << ({expression(own)})) - 1)" if source.part == "low" else f"\\1 >> ({above})"
        return re.sub(r" = (o->.*);", rf" = ({word_type(own)})({value});", text)

    def from_wire(self, instance, wire, target, indexed, offset):
        """[(dims, statement)]: the elements of the wire into target[offset ..]."""
        from_ = f"o->{self.path(wire.instance)}.{wire.port.name}"
        if wire.place is not None:
            return [([], f"{target}{'[0]' if indexed else ''} = {from_}[{self.place(wire.place)}];")]
        gathered = [dim for dim in wire.instance.dims if dim not in instance.dims]
        sliced = [dim for dim in wire.dims if dim not in wire.instance.dims]
        many = wire.elements is not None
        count = expression(wire.elements) if many else None
        if not gathered and not sliced and many and not offset:
            return [([], f"COPY({target}, {from_});")]
        k = "k" if many else ""
        to = self.index(offset, self.flat(gathered), count, k)
        at = self.index("", self.flat(sliced), count, k)
        to = f"[{to or 0}]" if indexed else ""
        at = f"[{at or 0}]" if wire.port.elements is not None else ""
        text = f"{target}{to} = {from_}{at};"
        if many:
            text = f"for (int k = 0; k < {count}; k++)\n    {text}"
        return [(gathered, text)]

    @staticmethod
    def index(offset, place, count, k):
        if place and count:
            place = f"{place} * {count}"
        return " + ".join(term for term in (offset, place, k) if term)

    def sliced(self, wire):
        dims = [dim for dim in wire.dims if dim not in wire.instance.dims]
        return f"[{self.flat(dims)}]" if dims else "" if wire.port.elements is None else "[0]"

    def pin_member(self, name, index):
        """(member of totem_machine_in, its name there) of an input pin."""
        prefix = next(prefix for prefixes in self.net.pins.values() for prefix in prefixes if name.startswith(prefix))
        short = prefix.strip("_").split("_")[-1]
        return short + (index if any(self.net.pin(i, i.ports[name]) and i.dims for i in self.net.instances.values()
                                     if name in i.ports) else ""), name[len(prefix):]

    # -- text --------------------------------------------------------------------------------------------------------

    def inputs(self, instance):
        return [port for port in instance.ports.values() if port.dir == "in"]

    def wire_function(self, instance):
        """A function that sets all inputs of one instance, a pure function of outputs and pins."""
        lines = []
        for port in self.inputs(instance):      # neighbours with the same loops share them
            for dims, statement in self.assign(instance, port, instance.inputs[port.name]):
                if lines and lines[-1][0] == dims and dims:
                    lines[-1][1].append(statement)
                else:
                    lines.append((dims, [statement]))
        text = "\n".join(self.loops(dims, "\n".join(statements)) for dims, statements in lines)
        alias, own = "", instance.node.owner
        place = f"o->{self.path(instance).removesuffix(instance.local)}"
        if own.copies and place in text:        # the struct around the instance gets a short name
            alias = f"const {self.struct(own, '_out')} *{own.name} = &{place.rstrip('.')};\n"
            text = text.replace(place, f"{own.name}->")
        for node in ("pipe", "fe", "se"):       # so do those around that
            place = {"pipe": "fe[f].pipe[p]", "fe": "fe[f]", "se": "se[e]"}[node]
            around = {"pipe": "fp", "fe": "f", "se": "e"}[node] in "".join(INDEX[d.name] for d in instance.dims)
            if around and f"o->{place}." in text:
                alias += f"const totem_{node}_out *{node} = &o->{place};\n"
                text = text.replace(f"o->{place}.", f"{node}->")
                if not re.sub(r"(?ms)^#if.*?^#endif", "", text).count(f"{node}->"):     # only blocks of a feature read it
                    alias += f"(void){node};\n"
        void = []
        text = alias + text
        if "o->" not in text:
            void.append("(void)o;")
        if "x->" not in text or "#if" in text:
            void.append("(void)x;")
        for dim in instance.dims:
            i = INDEX[dim.name]
            if not re.search(rf"\[[^\]]*\b{i}\b|= (\(uint8_t\))?\(?{i}\b|\b{i} [*+]", text):
                void.append(f"(void){INDEX[dim.name]};")
        body = indent("\n".join([text] + void))
        return f"{self.head(instance)}\n{{\n{body}\n}}\n"

    def head(self, instance):
        """Of that function."""
        index = "".join(f"int {INDEX[d.name]}, " for d in instance.dims)
        return (f"void totem_wire_{instance.name}(const totem_machine_out *o, const totem_machine_in *x,\n"
                f"    {index}{self.type(instance)}_in *i)")

    @staticmethod
    def call(instance, pins):
        index = "".join(f"{INDEX[d.name]}, " for d in instance.dims)
        return f"totem_wire_{instance.name}(o, {pins}, {index}&i);"

    # -- what is left out when nothing has changed -------------------------------------------------------------------

    def watched(self, instance):
        """Whether it is worth a look at its inputs: a block, or a part with rules of its own."""
        return instance.kind == "block" or (instance.kind == "combinational"
                                            and self.net.load(instance.block).area != "lib")

    def step(self, m):
        """The function that steps one block or RAM."""
        place, index = self.path(m), "".join(f"int {INDEX[d.name]}, " for d in m.dims)
        text = (f"static void step_{m.name}(totem_machine *s, const totem_machine_out *o, const totem_machine_in *x,\n"
                f"    {index}totem_machine_seen *n)\n{{\n    {self.type(m)}_in i;\n")
        if m.kind == "block":
            return text + (f"    memset(&i, 0, sizeof i);\n    {self.call(m, 'x')}\n"
                           f"    STEP({self.type(m)}, &s->{place}, &n->{place}, i);\n}}\n")
        return text + f"    {self.call(m, 'x')}\n    {self.type(m)}_step(&s->{place}, &i);\n    (void)n;\n}}\n"

    def output(self, m):
        """The statements that write the outputs of one block or RAM."""
        place = self.path(m)
        text = f"{self.type(m)}_outputs(&s->{place}, &o->{place});"
        return (f"n->{place}.shown = !n->{place}.still;\nif (n->{place}.shown) {{\n    {text}\n"
                f"    n->{place}.known = true;\n}}" if m.kind == "block" else text)

    def part(self, part):
        """The statements that write the outputs of a part."""
        place = self.path(part)
        show = f"{self.type(part)}_outputs(&i, &o->{place});"
        if self.watched(part):
            inner = (f"{self.type(part)}_in i;\nmemset(&i, 0, sizeof i);\n{self.call(part, 'NULL')}\n"
                     f"n->{place}.shown = !n->{place}.still ||\n    memcmp(&n->{place}.in, &i, sizeof i) != 0;\n"
                     f"if (n->{place}.shown) {{\n    {show}\n"
                     f"    n->{place}.still = true;\n    memcpy(&n->{place}.in, &i, sizeof i);\n}}")
        else:
            inner = f"{self.type(part)}_in i;\n{self.call(part, 'NULL')}\n{show}"
        return self.loops(part.dims, inner) if part.dims else "{\n" + indent(inner) + "\n}"

    def body(self):
        blocks = [i for i in self.net.instances.values() if i.kind != "combinational"]
        text = [self.guard(self.wire_function(instance), instance.when) for instance in self.net.instances.values()]
        text += [self.guard(self.step(m), m.when) for m in blocks]
        groups = {}
        for instance in blocks:
            groups.setdefault(tuple(d.name for d in instance.dims), []).append(instance)

        def every(instances, line):
            parts = []
            for key, members in groups.items():
                here = [m for m in members if m in instances]
                if here:
                    lines = "\n".join(self.guard(line(m), m.when) for m in here)
                    parts.append(self.loops([self.net.dims[k] for k in key], lines))
            return indent("\n".join(parts))

        core = [m for m in blocks if m.node.within(self.core)]
        rest = [m for m in blocks if m not in core]

        def twice(name, args, call, line, more=""):
            """A function of the core, and that of the machine, which calls it."""
            for whose, here in (("core", core), ("machine", rest)):
                text.append(f"void totem_{whose}_{name}({args},\n    totem_machine_seen *n)\n{{\n" + every(here, line) +
                            (f"\n    totem_core_{name}({call}, n);" if here is rest else more) + "\n}\n")

        def index(m):
            return "".join(f"{INDEX[d.name]}, " for d in m.dims)

        reset = every(blocks, lambda m: f"{self.type(m)}_reset(&s->{self.path(m)});")
        text.append(f"void totem_machine_reset(totem_machine *s)\n{{\n{reset}\n}}\n")
        twice("outputs", "const totem_machine *s, totem_machine_out *o", "s, o", self.output,
              "\n" + indent("\n".join(self.guard(self.part(part), part.when) for part in self.parts)))
        twice("step", "totem_machine *s, const totem_machine_out *o, const totem_machine_in *x", "s, o, x",
              lambda m: f"step_{m.name}(s, o, x, {index(m)}n);")
        body = re.sub(r"^ +(?=#(?:if|else|endif))", "", "\n".join(text).rstrip("\n"), flags=re.M)
        return jinja2.Template(C_BODY).render(head=HEAD, body=body).replace("\\\\", "\\") + "\n"

    @staticmethod
    def ram(instance):
        """The declaration of a memory; the type of its words may depend on the configuration."""
        def of(size):
            return f"TOTEM_RAM(totem_{instance.name}, uint{size}_t, {expression(instance.parameters['DEPTH'])})"

        width = instance.parameters["WIDTH"]
        found = c_words.sizes([contract.evaluate(width, values) for values in gen_config.configurations().values()])
        if len(found) == 1:
            return of(found[0])
        small, large = found
        return f"#if {expression(width)} > {small}\n{of(large)}\n#else\n{of(small)}\n#endif"

    def header(self):
        includes, rams = set(), []
        for instance in self.net.instances.values():
            if instance.kind == "ram":
                includes.add("totem_ram.h")
                rams.append(self.ram(instance))
                continue
            area = self.net.load(instance.block).area
            includes.add(f"totem_{instance.block}.h")
            if instance.own and area == "lib":
                rams.append(self.part_type(instance))
            elif instance.own:
                includes.add(f"{self.type(instance)}.h")
        structs = []
        for suffix in ("", "_out"):
            structs += self.structs(self.net.root, suffix)
        structs += [f"typedef struct {{ {t}_in in; bool still, shown, known; uint8_t busy; }} {t}_seen;" for t in
                    dict.fromkeys(self.type(m) for m in self.net.instances.values() if self.watched(m))]
        structs += self.structs(self.net.root, "_seen")
        pins, members = [], []
        for name, prefixes in self.net.pins.items():
            instance = self.net.instances[name]
            for prefix in prefixes:
                rows = [p for p in self.inputs(instance) if self.net.pin(instance, p) == prefix]
                if not rows:
                    continue
                short = prefix.strip("_").split("_")[-1]
                pins.append("typedef struct {")
                pins += [f"    {word_type(p.width)} {p.name[len(prefix):]};" for p in rows]
                pins.append(f"}} totem_{short}_in;")
                members.append(f"    totem_{short}_in {short}{''.join(f'[TOTEM_{d.size}]' for d in instance.dims)};")
        pins += ["typedef struct {", *members, "} totem_machine_in;", ""]
        wires = [self.guard(f"{self.head(instance)};", instance.when) for instance in self.net.instances.values()]
        includes = sorted(includes | {"totem_config.h"})
        return jinja2.Template(C_HEADER).render(head=HEAD, includes=includes, rams=rams, structs=structs,
                                                pins=pins, wires=wires, core=self.core.module) + "\n"

    # -- blocks of other sizes ---------------------------------------------------------------------------------------

    def others(self):
        return [instance for instance in self.net.instances.values()
                if instance.own and instance.kind != "ram" and self.net.load(instance.block).area != "lib"]

    def around(self, instance):
        """The C files of its area: what the twin of another size is made from."""
        return sorted((netlist.ROOT / "cmodel" / self.net.load(instance.block).area).glob("*.[ch]"))

    def variants(self):
        """{file: text}: the C twins of blocks whose sizes are not the machine's, compiled once more."""
        found = {}
        known = gen_config.configurations()
        for instance in self.others():
            block, name = instance.block, self.type(instance)
            around = "".join(path.read_text() for path in self.around(instance))
            sizes = {**instance.own, **{size: text for size, text in self.follow(instance).items()
                                        if f"TOTEM_{size}" in around}}
            macros = {f"TOTEM_{size}": expression(text if re.fullmatch(r"\w+", text) else f"({text})")
                      for size, text in sizes.items() if size in c_words.known()}
            # Sizes of the block alone.
            alone = {f"_{size}": expression(text if re.fullmatch(r"\w+", text) else f"({text})")
                     for size, text in sizes.items() if size not in c_words.known()}
            told = ", ".join(f"{size} {text}" for size, text in instance.own.items())
            head = VARIANT.format(head=HEAD, name=name, block=block, sizes=told)
            text = gen_headers.Header(block, known).text()
            parts = vocabulary.parts(netlist.ROOT / "cmodel" / self.net.load(block).area, block, ".c", ".h")
            inside = text + "".join(path.read_text() for path in parts if path.stem != f"totem_{block}")
            names = sorted(set(re.findall(rf"\b(?:totem|TOTEM)_{block}\w*\b(?!\.h)|\bTOTEM_{block.upper()}_\w+",
                                          inside)))
            renamed = {old: old.replace(f"totem_{block}", name).replace(f"TOTEM_{block.upper()}_", f"{name.upper()}_")
                       for old in names}
            body = text[text.index("#ifndef"):]
            body = re.sub(r'#include "\.\./\w+/', '#include "', body)
            body = re.sub(r"\b[A-Za-z]\w+\b", lambda word: renamed.get(word[0], macros.get(word[0], word[0])), body)
            for size, macro in alone.items():
                body = re.sub(rf"(#define {name.upper()}{size}) .*", rf"\1 {macro}", body)
            found[f"{name}.h"] = head + "\n" + re.sub(r" +//.*", "", body)
            lines = []
            for size, macro in macros.items():
                lines += [f"#undef {size}", f"#define {size} {macro}"]
            lines += [f"#define TOTEM_{block.upper()}{size} {macro}" for size, macro in alone.items()]
            lines += [f"#define {old} {new}" for old, new in renamed.items() if old.startswith("totem_")]
            for part in (path for path in parts if path.suffix == ".c"):
                inner = "\n".join([*lines, "", f'#include "{part.name}"'])
                found[part.name.replace(f"totem_{block}", name)] = "\n".join(
                    [head, '#include "totem_bits.h"', '#include "totem_config.h"', "",
                     self.guard(inner, instance.when), ""])
        return found

    @staticmethod
    def follow(instance):
        """What follows from sizes that are replaced: {name: expression}."""
        found = {}
        for name, text in gen_config.derived().items():
            new = netlist.Netlist._substitute(text, {**instance.own, **found})
            if new != text and name not in instance.parameters:
                found[name] = new
        return found

    def part_type(self, instance):
        macro = f"TOTEM_{instance.block.upper()}"
        args = [expression(instance.parameters["COUNT"])]
        if "WIDTH" in instance.parameters:
            args.append(word_type(instance.parameters["WIDTH"]))
        return f"{macro}(totem_{instance.name}, {', '.join(args)})"

    def structs(self, node, suffix):
        """The struct of a module, after those of the modules in it."""
        lines, members = [], []

        def member(instance, dims):
            if (suffix == "" and instance.kind == "combinational" or
                    suffix == "_seen" and not self.watched(instance)):
                return
            count = "".join(f"[TOTEM_{d.size}]" for d in dims)
            members.append(self.guard(f"    {self.type(instance)}{suffix} {instance.local}{count};",
                                      instance.when if instance.when != node.when else None))

        def struct(child, count):
            lines.extend(self.structs(child, suffix))
            members.append(self.guard(f"    {self.struct(child, suffix)} {child.name}{count};",
                                      child.when if child.when != node.when else None))

        def inside(around):
            for instance in self.net.instances.values():
                if instance.node is around:
                    member(instance, [])
            for array in around.nodes:
                if array.module:
                    inside(array) if array.top else struct(array, "")
                    continue
                for child in array.nodes:
                    struct(child, f"[TOTEM_{array.dim.size}]")
                for instance in self.net.instances.values():
                    if instance.node is array:
                        member(instance, [array.dim])

        inside(node)
        lines += ["typedef struct {", *members, f"}} {self.struct(node, suffix)};"]
        return lines

    def struct(self, node, suffix):
        """The type of a module's struct; in places with other sizes it is another one."""
        name = "totem_machine" if node is self.net.root else node.module
        if node is not node.plain:
            name = name.replace("totem_", f"totem_{node.prefix}")
        return f"{name}{suffix}"
