# SPDX-License-Identifier: Apache-2.0
"""The library's table of states, for sim/gen/gen_machine.py: where every state of every block lies in totem_machine, so
that the library can read, save and restore it by name.

    text(table): the text of totem_names.c; `table` is that of the instances (tb/lockstep/instances.txt)

From the state tables of the contracts and the table of instances. Sizes stay expressions of the configuration, so one
file serves all of them.
"""

import re

import contract
import gen_config
import netlist

HEAD = f"""\
// SPDX-License-Identifier: Apache-2.0
//
// {netlist.HEAD}

#include "totem_names.h"

#include "totem_bits.h"
#include "totem_machine.h"

#include <stddef.h>
"""

MACROS = """\
// clang-format off
#define AT(place) ((uint32_t)offsetof(totem_machine, place))
#define SIZE(place) ((uint32_t)sizeof(((const totem_machine *)0)->place))
#define WORD(block, name, width) {#name, AT(block.name) - AT(block), (uint8_t)SIZE(block.name), (uint8_t)(width), 0}
#define ARRAY(block, name, width) \\
    {#name, AT(block.name) - AT(block), (uint8_t)SIZE(block.name[0]), (uint8_t)(width), \\
     SIZE(block.name) / SIZE(block.name[0])}
#define BLOCK(path, block, ram, fields, ...) \\
    {path, AT(block), SIZE(block), ram, {__VA_ARGS__}, fields, (uint32_t)(sizeof fields / sizeof *fields)}
#define RANGE(count, list) {count, SIZE(list[0])}
#define ONE {1, 0}
"""


def expression(text, overrides):
    """A width of a contract as a C expression of the configuration's macros."""
    name = r"\b[A-Z][A-Z0-9_]*\b"
    own = {key: "(" + re.sub(name, r"TOTEM_\g<0>", str(value)) + ")" for key, value in overrides.items()}
    text = re.sub(name, lambda match: own.get(match[0], "TOTEM_" + match[0]), text)
    return text.replace("$clog2(", "TOTEM_BITS(")


def lines(table):
    """(block, overrides, C path, [(index, count)]) of every line of the table of instances."""
    for line in table.splitlines():
        words = line.split("#")[0].split()
        if words:
            match = re.fullmatch(r"(\w+)(?:\((.*)\))?", words[0])
            overrides = dict(item.split("=", 1) for item in (match.group(2) or "").split(",") if item)
            yield match.group(1), overrides, words[2], [item.split("=") for item in words[4:]]


def text(table):
    tables, instances = [], []
    for block, overrides, path, ranges in lines(table):
        when = next((count for name, count in ranges if name == "when"), None)
        ranges = [item for item in ranges if item[0] != "when"]
        if len(ranges) > 2:
            netlist.fail(f"{path} has more than two ranges", "widen totem_names_instance")
        if contract.load(block).combinational:
            continue
        places = sorted((path.index(f"[{name}]"), name, count) for name, count in ranges)
        first, pattern, steps = path, path, []
        for _, name, count in places:
            start = path.index(f"[{name}]")
            steps.append((f"TOTEM_{count}", re.sub(r"\[[a-z]\]", "[0]", path[:start])))
            first = first.replace(f"[{name}]", "[0]")
            pattern = pattern.replace(f"[{name}]", "[]")
        name = re.sub(r"\W+", "_", first.replace("[0]", ""))
        rows = []
        known = contract.load(block)
        sizes = {name for values in gen_config.configurations().values() for name in values}
        overrides = {**{name: text for name, text in known.expressions.items() if name not in sizes}, **overrides}
        for state in known.state:
            kind = "ARRAY" if state.elements is not None else "WORD"
            rows.append(f"    {kind}({first}, {state.name}, {expression(state.width, overrides)}),")
        fields = f"static const totem_names_field {name}[] = {{\n" + "\n".join(rows) + "\n};"
        tables.append(f"#if TOTEM_{when}\n{fields}\n#endif" if when else fields)
        steps = [f"RANGE({count}, {listed})" for count, listed in steps] + ["ONE"] * (2 - len(steps))
        ram = "true" if block == "ram" else "false"
        entry = [f'    BLOCK("{pattern}", {first}, {ram}, {name},', f'          {", ".join(steps)}),']
        instances += [f"#if TOTEM_{when}", *entry, "#endif"] if when else entry
    return "\n".join([HEAD, MACROS, "\n\n".join(tables), "",
                      "const totem_names_instance totem_names_instances[] = {", *instances, "};", "",
                      "const uint32_t totem_names_count =",
                      "    (uint32_t)(sizeof totem_names_instances / sizeof *totem_names_instances);", ""])
