#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the comparison of model and RTL for one configuration from the contracts and tb/lockstep/instances.txt.

    python3 sim/gen/gen_lockstep.py CONFIG FOLDER [core]

writes into FOLDER (core: of totem_core, whose wave interfaces are inputs, like those of the machine)
    totem_tb.v   the machine with its inputs latched at negedge clk; with PROBES (tb/icarus) one output `probe_N` per
                 block: all outputs of the block, one after the other from bit 0, payload zeroed where its mask says
                 that it does not count
    probe.h/.c   the C model's outputs laid out as Verilator has those of the RTL, a table of names, and the RAMs
    pack.c       the C model's outputs packed like probe_N
    folds.c      those that the folds of a board have, packed likewise, and the levels in its trace
    inputs.vlt   outputs of blocks can be read; ports of modules that stand more than once are kept by Verilator
    states.vlt   registers can be read too (of the build with waves)
"""

import itertools
import re
import sys
from pathlib import Path

import contract
import gen_config
import gen_folds
import machine_verilog
import netlist

ROOT = Path(__file__).resolve().parents[2]
INSTANCES = ROOT / "tb" / "lockstep" / "instances.txt"


def instances(values):
    """[(block, overrides, RTL path, C path, C type)], in the order of the table."""
    found = []
    for number, line in enumerate(INSTANCES.read_text().splitlines(), 1):
        line = line.split("#")[0].split()
        if not line:
            continue
        match = re.fullmatch(r"(\w+)(?:\((.*)\))?", line[0])
        if not match or len(line) < 4:
            sys.exit(f"{INSTANCES}:{number}: expected `block RTL-path C-path C-type [i=COUNT ...]`")
        block = match.group(1)
        given = [item.partition("=") for item in (match.group(2) or "").split(",") if item]
        try:
            overrides = {name: contract.evaluate(text, values) for name, _, text in given}
        except ValueError as error:
            sys.exit(f"{INSTANCES}:{number}: {error}")
        ranges = [item.split("=") for item in line[4:]]
        for place in itertools.product(*[range(values[count]) for _, count in ranges]):
            rtl, c = line[1], line[2]
            for (name, _), index in zip(ranges, place):
                rtl = rtl.replace(f"[{name}]", f"[{index}]")
                c = c.replace(f"[{name}]", f"[{index}]")
            found.append((block, overrides, rtl, c, line[3]))
    return found


class Layout:
    """Outputs of a block packed from bit 0; size in 32-bit words, at least 3 so that Verilator always uses a wide word.
    With direction "in" its inputs, likewise; `outputs` is then those, and no mask hides them. `leave`: not these."""

    def __init__(self, block, values, overrides, direction="out", leave=()):
        known = contract.load(block)
        self.area, self.contract = known.area, known
        names = {name: values[name] for name in known.parameters if name in values}
        names.update(overrides)
        self.resolved = known.resolve(names)
        self.direction = direction
        self.outputs = [port for port in self.resolved.ports if port.dir == direction and port.name not in leave]
        self.masks = {port.name: port for port in self.outputs}
        self.block = block
        self.key = block + "".join(f"_{value}" for value in overrides.values())
        self.sized = bool(overrides)
        at = 0
        self.place = {}
        for port in self.outputs:
            self.place[port.name] = at
            at += (port.elements or 1) * port.width
        self.bits = at
        self.words = max(3, (at + 31) // 32)

    def mask_of(self, port):
        """(mask port, whether element by element) or (None, False)."""
        if self.direction == "in" or not port.mask or port.mask not in self.masks:
            return None, False
        mask = self.masks[port.mask]
        return mask, bool(mask.elements) and mask.elements == port.elements


def verilog_probe(layout, path):
    parts = []
    for port in layout.outputs:
        mask, each = layout.mask_of(port)
        name = f"{path}.{port.name}"
        if mask is None:
            parts.append(name)
        elif each:
            for element in range(port.elements):
                parts.append(f"({{{port.width}{{{path}.{mask.name}[{element}]}}}} & "
                             f"{name}[{element * port.width} +: {port.width}])" if port.elements > 1 or port.width > 1
                             else f"({path}.{mask.name} & {name})")
        else:
            total = (port.elements or 1) * port.width
            parts.append(f"({{{total}{{|{path}.{mask.name}}}}} & {name})")
    pad = layout.words * 32 - layout.bits
    text = ",\n        ".join(reversed(parts))
    return f"{{\n        {f'{pad}{chr(39)}d0,' if pad else ''}\n        {text}\n    }}"


def c_pack(layout, out_type, name=None):
    """Packs a block's outputs: straight code, one expression for each 32-bit word."""
    lines = [f"static void {name or f'pack_{layout.key}'}(const void *from, uint32_t *to)", "{",
             f"    const {out_type} *o = from;"]
    for name in sorted({m.name for m, each in map(layout.mask_of, layout.outputs) if m and m.elements and not each}):
        terms = " | ".join(f"o->{name}[{n}]" for n in range(layout.masks[name].elements))
        lines.append(f"    const uint32_t any_{name} = {terms};")
    words = [[] for _ in range(layout.words)]
    for port in layout.outputs:
        mask, each = layout.mask_of(port)
        for n in range(port.elements or 1):
            value = f"o->{port.name}[{n}]" if port.elements else f"o->{port.name}"
            counts = ""
            if mask is not None:
                counts = f"o->{mask.name}[{n}]" if each else f"any_{mask.name}" if mask.elements else f"o->{mask.name}"
                counts = f" & (0u - (uint32_t){counts})"
            first, done = layout.place[port.name] + n * port.width, 0
            while done < port.width:
                word, shift = divmod(first + done, 32)
                part = f"((uint32_t){f'({value} >> {done})' if done else value}{counts})"
                words[word].append(f"{part} << {shift}" if shift else part)
                done += 32 - shift
    for n, terms in enumerate(words):
        lines.append(f"    to[{n}] = " + (" |\n            ".join(terms) or "0") + ";")
    lines += ["}", ""]
    return "\n".join(lines)


def c_values(layout, item, name):
    """(declaration, name) of the named values of a port or a state, for tb/lockstep/session/difference.h."""
    rows = [f'{{ {high}, {low}, {number}u, "{text}" }}'
            for high, low, number, text in layout.contract.named(item, layout.resolved.parameters)]
    if not rows:
        return "", "NULL"
    return f"static const difference_value {name}[] = {{ {', '.join(rows)}, {{ 0, 0, 0, NULL }} }};\n", name


def inner_modules(layout):
    """{instance: module} of the instances in a block that have states of its contract."""
    names = {state.name.split(".")[0] for state in layout.resolved.state if "." in state.name}
    text = (ROOT / "rtl" / layout.area / f"totem_{layout.block}.v").read_text(encoding="utf-8") if names else ""
    return {name: re.search(rf"(totem_\w+)\s*(?:#\([^;]*?\)\s*)?\b{name}\s*\(", text)[1] for name in names}


def places(net, values):
    """{(instance, its place in arrays): RTL path}."""
    every = [rtl for _, _, rtl, *_ in instances(values)]
    found = [(instance.name, index) for instance in net.instances.values()
             for index in itertools.product(*[range(values[dim.size]) for dim in instance.dims])
             if instance.when is None or values[instance.when]]
    if len(found) != len(every):
        sys.exit(f"{INSTANCES} is not of rtl/top/machine.yaml; run make generate")
    return dict(zip(found, every))


def edges(net, values, table, where):
    """[[(probe, output)]]: the outputs that each instance of the table takes."""
    place = {rtl: n for n, (_, rtl, _) in enumerate(table)}
    found = [[] for _ in table]
    for instance in net.instances.values():
        wires = {(wire.instance.name, wire.port.name): wire for source in instance.inputs.values()
                 for wire in source.drivers()}
        for index in itertools.product(*[range(values[dim.size]) for dim in instance.dims]):
            own = dict(zip((dim.name for dim in instance.dims), index))
            rtl = where.get((instance.name, index))
            if rtl not in place:
                continue
            for wire in wires.values():
                for other in itertools.product(*[[own[dim.name]] if dim.name in own else range(values[dim.size])
                                                 for dim in wire.instance.dims]):
                    driver = place.get(where.get((wire.instance.name, other)))
                    if driver is not None:
                        names = [port.name for port in table[driver][0].outputs]
                        found[place[rtl]].append((driver, names.index(wire.port.name)))
    return found


BYTES = (1, 2, 4, 8, 4)       # an element of each kind (tb/lockstep/session/probe_table.h)


def kind_of(port):
    """(kind, elements of it) of an output as Verilator keeps it."""
    bits = (port.elements or 1) * port.width
    return (4, (bits + 31) // 32) if bits > 64 else (sum(bits > limit for limit in (8, 16, 32)), 1)


def kinds(layout):
    """{port: (kind, index)} and how many elements of each kind the block has."""
    found, counts = {}, [0] * len(BYTES)
    for port in layout.outputs:
        kind, count = kind_of(port)
        found[port.name] = kind, counts[kind]
        counts[kind] += count
    return found, counts


def c_lay(layout, out_type):
    """Outputs into the arrays of their kinds."""
    places, counts = kinds(layout)
    lines = [f"static void lay_{layout.key}(const void *from, void *const to[PROBE_KINDS], const uint32_t *at)", "{",
             f"    const {out_type} *o = from;"]
    for kind, bytes_ in enumerate(BYTES):
        if counts[kind]:
            lines.append(f"    uint{8 * bytes_}_t *k{kind} = (uint{8 * bytes_}_t *)to[{kind}] + at[{kind}];")
    for port in layout.outputs:
        kind, index = places[port.name]
        values = [(f"o->{port.name}[{n}]" if port.elements else f"o->{port.name}", n * port.width)
                  for n in range(port.elements or 1)]
        word = 64 if kind == 3 else 32
        for number in range(kind_of(port)[1]):
            low, high, terms = number * word, (number + 1) * word, []
            for value, first in values:
                if first >= high or first + port.width <= low:
                    continue
                moved = f">> {low - first}" if first < low else f"<< {first - low}" if first > low else ""
                value = f"({value} {moved})" if moved.startswith(">") else value
                value = f"(uint{word}_t){value}"
                terms.append(f"{value} {moved}" if moved.startswith("<") else value)
            text = " | ".join(f"({t})" if " << " in t else t for t in terms)
            if kind < 2:
                text = f"(uint{8 * BYTES[kind]}_t)({text})"
            lines.append(f"    k{kind}[{index + number}] = {text};")
    lines += ["    (void)to;", "    (void)at;", "    (void)o;", "}", ""]
    return "\n".join(lines)


def c_traced(net, table):
    """The levels of blocks in the trace of a board."""
    lines = ["", "uint16_t probe_traced(const void *outputs)", "{",
             "    const totem_machine_out *o = outputs;", "    uint16_t levels = 0;"]
    for bit, outputs in enumerate(gen_folds.traced(net)):
        terms = [f"o->{c}.{name}" + (f"[{n}]" if port.elements else "")
                 for layout, _, c in table for block, name in outputs if block == layout.block
                 for port in layout.outputs if port.name == name for n in range(port.elements or 1)]
        if terms:
            lines.append(f"    levels |= (uint16_t)(({' || '.join(terms)}) << {bit});")
    return "\n".join([*lines, "    return levels;", "}", ""])


TB_HEAD = """// SPDX-License-Identifier: Apache-2.0
//
// Generated by sim/gen/gen_lockstep.py for configuration {config}. Do not edit.
//
// totem_tb: the machine for lockstep: inputs latched at negedge clk (so that the Verilated model computes what depends
// on them once a clock). With PROBES the outputs of every block are packed into probes (tb/icarus).

`default_nettype none

module totem_tb (
    input  wire clk,
    input  wire rst_in,
"""


def top_ports(values):
    """Ports of the machine: [(name, direction, width)], from the contracts of host, memory and events, and `pin_sizes`
    of machine.yaml."""
    host = Layout("host", values, {}).resolved
    sizes = {name: values[size] for name, size in netlist.pin_sizes().items()}
    ports = [(p.name, p.dir, (p.elements or 1) * p.width) for p in host.ports if p.name.startswith("s_axil_")]
    ports += [("irq", "out", 1)]
    ports += [(p.name, p.dir, sizes.get(p.name, p.width) * values["FE_COUNT"])
              for p in Layout("memory", values, {}).resolved.ports if p.name.startswith("m_axi_")]
    return ports


def wave_ports(net, values):
    """Those of totem_core that its shader cores drive, likewise."""
    return [(name, "in", contract.evaluate(size, values))
            for name, (size, group) in machine_verilog.Verilog(net).modules["totem_core"].inputs.items()
            if group == "wave"]


def repeated(net):
    """Modules that stand more than once, with their ports: for inputs Verilator would put names of the parent's signals
    in their place, for outputs of the wiring names of the blocks inside, one for each instance, and make code of each
    instance its own."""
    found = {}
    for instance in net.instances.values():
        if not instance.node.module and instance.block != "ram":
            found[f"totem_{instance.block}"] = [port.name for port in instance.ports.values() if port.dir == "in"]
    for name, module in machine_verilog.Verilog(net).modules.items():
        if module.node.dims:
            found[name] = [*module.inputs, *module.outputs]
    return found


def span(width):
    return "" if width == 1 else f"[{width - 1}:0] "


def main():
    if len(sys.argv) < 3 or sys.argv[3:] not in ([], ["core"]):
        sys.exit(__doc__)
    config, folder, core = sys.argv[1], Path(sys.argv[2]), len(sys.argv) > 3
    known = gen_config.configurations()
    if config not in known:
        sys.exit(f"sim/gen/gen_lockstep.py: no configuration '{config}'; known: {', '.join(known)}")
    values = known[config]
    folder.mkdir(parents=True, exist_ok=True)
    net = netlist.load()
    every = [(Layout(block, values, over), rtl, c, kind) for block, over, rtl, c, kind in instances(values)
             if not core or rtl.startswith("core.")]
    table = [(layout, rtl, c) for layout, rtl, c, _ in every]
    ports = top_ports(values) + (wave_ports(net, values) if core else [])

    text = TB_HEAD.format(config=config)
    lines = [f"    input  wire {span(w)}{n}_in" for n, d, w in ports if d == "in"]
    lines += [f"    output wire {span(w)}{n}" for n, d, w in ports if d == "out"]
    lines += ["    output wire idle", "    output wire fatal"]
    probes = "".join(f",\n    output wire [{layout.words * 32 - 1}:0] probe_{n}"
                     for n, (layout, _, _) in enumerate(table))
    text += ",\n".join(lines) + f"\n`ifdef PROBES\n    {probes.strip()}\n`endif\n);\n    reg rst = 1'b1;\n"
    inputs = [(n, w) for n, d, w in ports if d == "in"]
    text += "".join(f"    reg {span(w)}{n} = {w}'d0;\n" for n, w in inputs)
    text += "\n    always @(negedge clk) begin\n        rst <= rst_in;\n"
    text += "".join(f"        {n} <= {n}_in;\n" for n, _ in inputs) + "    end\n\n"
    # In a block called dut, so that everything has the same name with and without wave engines.
    text += "    generate if (1) begin : dut\n    totem_core core" if core else "    totem dut"
    text += " (\n        .clk(clk), .rst(rst)" + "".join(f",\n        .{n}({n})" for n, _, _ in ports) + "\n    );\n"
    text += "    end endgenerate\n" if core else ""
    text += "    assign idle = dut.core.machine_idle_all;\n    assign fatal = dut.core.machine_fatal_any;\n"
    text += "`ifdef PROBES\n"
    for n, (layout, rtl, _) in enumerate(table):
        text += f"\n    // {rtl}\n    assign probe_{n} = {verilog_probe(layout, f'dut.{rtl}')};\n"
    text += "`endif\nendmodule\n\n`default_nettype wire\n"
    (folder / "totem_tb.v").write_text(text)

    keep = [f'public_flat_rd -module "{module}" -var "{name}"'
            for module, ports in sorted(repeated(net).items()) for name in ports]
    keep += sorted({f'public_flat_rd -module "totem_{layout.block}" -var "{port.name}"'
                    for layout, _, _ in table for port in layout.outputs})
    (folder / "inputs.vlt").write_text("`verilator_config\n" + "\n".join(keep) + "\n")
    keep = set()
    for layout, _, _ in table:
        inner = inner_modules(layout)
        for state in layout.resolved.state if layout.block != "ram" else ():
            *scope, name = f"{state.name}_q".split(".")
            module = inner[scope[0]] if scope else f"totem_{layout.block}"
            keep.add(f'public_flat_rd -module "{module}" -var "{name}"')
    (folder / "states.vlt").write_text("`verilator_config\n" + "\n".join(sorted(keep)) + "\n")

    where, order = places(net, values), [rtl for _, rtl, _ in table]
    chain = [order.index(where[place]) for place in gen_folds.chain(net, values) if where[place] in order][::-1]
    folds = {}
    for _, over, rtl, _, kind in (row for row in instances(values) if row[2] in order):
        layout = table[order.index(rtl)][0]
        folds.setdefault(layout.key, (Layout(layout.block, values, over, leave=gen_folds.left_out(net, layout.block)),
                                      f"{kind}_out"))
    words = sum(layout.words for layout, _, _ in table)
    rams = [(n, rtl, c) for n, (layout, rtl, c) in enumerate(table) if layout.key.startswith("ram_")]
    counts = [0] * len(BYTES)
    firsts = []
    for layout, _, _ in table:
        firsts.append(tuple(counts))
        counts = [a + b for a, b in zip(counts, kinds(layout)[1])]
    sizes = "\n".join(f"#define PROBE_KIND{kind} {count}" for kind, count in enumerate(counts))
    (folder / "probe.h").write_text(f"""// SPDX-License-Identifier: Apache-2.0
//
// Generated by sim/gen/gen_lockstep.py for configuration {config}. Do not edit.

#ifndef PROBE_H
#define PROBE_H

#define PROBE_COUNT {len(table)}
#define PROBE_WORDS {words}
#define PROBE_RAMS {len(rams)}
#define PROBE_FOLDS {len(chain)}
// Words of the largest probe.
#define PROBE_LONGEST {max(layout.words for layout, _, _ in table)}
// The RTL is totem_core: what shader cores show is its input.
#define PROBE_CORE {int(core)}
// Elements of each kind.
{sizes}

#include "probe_table.h"

#endif
""")

    types = {}
    packs = ""
    c_text = f"""// SPDX-License-Identifier: Apache-2.0
//
// Generated by sim/gen/gen_lockstep.py for configuration {config}. Do not edit.

#include "probe.h"

#include <stddef.h>

"""
    fields, head = "", c_text
    for layout, _, _, kind in every:
        if layout.key in types:
            continue
        types[layout.key] = True
        # A twin of another size has a type of its own at each place; those of one size have the same members.
        out_type = f"{kind}_out"
        c_text += c_lay(layout, out_type)
        packs += c_pack(layout, out_type)
        named, rows = "", ""
        for port in layout.outputs:
            text, values_of = c_values(layout, port, f"values_{layout.key}_{port.name}")
            named += text
            rows += f'    {{ "{port.name}", {layout.place[port.name]}, {port.width}, {port.elements or 0}, '
            rows += "{}, {}, {} }},\n".format(*kinds(layout)[0][port.name], values_of)
        fields += f"{named}static const probe_field fields_{layout.key}[] = {{\n{rows}}};\n\n"
        named, rows = "", ""
        for state in layout.resolved.state if layout.block != "ram" else ():
            text, values_of = c_values(layout, state, f"values_{layout.key}_{state.name.replace('.', '_')}_q")
            named += text
            member = f"(({kind} *)0)->{state.name}"
            rows += f'    {{ {{ "{state.name}", "{state.name}_q", {state.width}, {state.elements or 0}, '
            rows += f"{values_of} }}, offsetof({kind}, {state.name}), "
            rows += f"sizeof({member}{'[0]' if state.elements else ''}) }},\n"
        fields += f"{named}static const probe_state states_{layout.key}[] = {{\n{rows}"
        fields += "    { { NULL }, 0, 0 },\n};\n"
        rows = "".join(f'    {{ "{port.name}", {port.bits} }},\n' for port in layout.resolved.ports if port.dir == "in")
        fields += f"static const probe_input inputs_{layout.key}[] = {{\n{rows}    {{ NULL, 0 }},\n}};\n\n"
    drivers = edges(net, values, table, where)
    fields += "static const probe_edge drivers[] = {\n" + "\n".join(
        "    " + " ".join(f"{{ {driver}, {output} }}," for driver, output in row) for row in drivers if row)
    fields += "\n    { 0, 0 },\n};\n\n"
    c_text += fields + "const probe_instance probe_table[PROBE_COUNT] = {\n"
    at = edge = 0
    for (layout, rtl, c), first, row in zip(table, firsts, drivers):
        block = layout.key.split("_")[0]
        c_text += (
            f'    {{ "{c}", "totem_tb.dut.{rtl}", "{block}", offsetof(totem_machine_out, {c}), lay_{layout.key}, '
                   f"{{ {', '.join(map(str, first))} }}, {at}, {layout.words}, fields_{layout.key}, "
                   f"{len(layout.outputs)}, "
                   f"{'PROBE_ALWAYS' if layout.area == 'lib' else f'offsetof(totem_machine_seen, {c}.shown)'}, "
                   f"{'PROBE_ALWAYS' if layout.resolved.combinational else f'offsetof(totem_machine, {c})'}, "
                   f'"{layout.area}", states_{layout.key}, inputs_{layout.key}, drivers + {edge}, {len(row)} }},\n')
        at += layout.words
        edge += len(row)
    c_text += "};\n\nconst probe_ram probe_rams[PROBE_RAMS] = {\n"
    for n, rtl, c in rams:
        c_text += (f'    {{ "totem_tb.dut.{rtl}", {n}, offsetof(totem_machine, {c}.data), '
                   f'sizeof(((totem_machine *)0)->{c}.data), '
                   f"sizeof(((totem_machine *)0)->{c}.data[0]) }},\n")
    c_text += "};\n"
    (folder / "probe.c").write_text(c_text)
    keys = dict.fromkeys(table[n][0].key for n in chain)
    (folder / "folds.c").write_text(
        head + "".join(c_pack(*folds[key], f"fold_{key}") for key in keys) +
        "const probe_fold probe_folds[PROBE_FOLDS] = {\n" +
        "".join(f"    {{ {n}, {folds[table[n][0].key][0].words}, fold_{table[n][0].key} }},\n" for n in chain) +
        "};\n" + c_traced(net, table))
    (folder / "pack.c").write_text(head + packs +
                                   "void (*const probe_pack[])(const void *, uint32_t *) = {\n" +
                                   "".join(f"    pack_{layout.key},\n" for layout, _, _ in table) + "};\n")


if __name__ == "__main__":
    main()
