# SPDX-License-Identifier: Apache-2.0
"""Counterexamples in words."""

import re
import time


def shrink(aig, item, words, inputs, seconds=4.0):
    """Set whole words to 0 while the property stays violated, so that what is printed matters."""
    nodes = aig.cone([item.bad])
    cone = set(nodes)
    end = time.monotonic() + seconds
    inputs = {node: value for node, value in inputs.items() if node in cone}
    groups = [[bit >> 1 for bit in bits if bit > 1] for _, bits in words]
    named = {node for group in groups for node in group}
    loose = [node for node in inputs if node not in named]
    groups = [[node for node in group if inputs.get(node)] for group in groups + [[node] for node in loose]]
    groups = [group for group in groups if group]

    def violated(trial):
        values = aig.simulate(trial, 1, nodes)
        return (values[item.bad >> 1] ^ item.bad) & 1

    size = max(1, len(groups) // 2)
    while groups and time.monotonic() < end:
        at, kept = 0, []
        while at < len(groups):
            piece = groups[at:at + size]
            trial = dict(inputs)
            for group in piece:
                for node in group:
                    trial[node] = 0
            if time.monotonic() < end and violated(trial):
                inputs = trial
            else:
                kept += piece
            at += size
        groups = kept
        if size == 1:
            break
        size = max(1, size // 2)
    return inputs


def _number(values, bits):
    total = 0
    for place, bit in enumerate(bits):
        total |= ((values[bit >> 1] ^ bit) & 1) << place
    return total


def _plain(value, width, named=()):
    """As in tb/lockstep/session/difference.c: hex, with the names that the value has in the contract."""
    text = str(value) if width <= 3 else f"0x{value:0{(width + 3) // 4}x}"
    return " ".join([text, *(name for high, low, number, name in named
                             if value >> low & (1 << high - low + 1) - 1 == number)])


def _signal(text):
    """(kind, name) of what a property compares: an output, an input of the wiring, or a state behind the clock."""
    if "next " in text:
        return "state", text.rpartition("next ")[2]
    kind, _, name = text.partition(" ")
    return (kind, name) if kind in ("output", "input") else ("", text)


def assigned(folder, block, kind, name):
    """Lines of the RTL that assign a register or an output, as in tb/lockstep/session/difference.c."""
    name = re.sub(r"\[.*", "", name).split(".")[-1] + ("_d" if kind == "state" else "")
    found = []
    for path in sorted(folder.glob(f"totem_{block}*.v")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if re.search(rf"\b{name}\b *(\[.*?\])? *<?=(?!=)(?! *{name[:-1]}[qd];)", line):
                found.append(f"    {path.relative_to(folder.parents[1])}:{number}: {line.strip()}")
    return found[:8] + ([f"    and {len(found) - 8} more lines that assign {name}"] if len(found) > 8 else [])


def counterexample(aig, item, words, inputs, named=None, place=None):
    """Lines that say what differs, and in which state under which inputs. named: {port or state: its named values};
    place: folder and block of the RTL."""
    def values_of(name):
        return (named or {}).get(name.partition("[")[0], ())
    inputs = shrink(aig, item, words, inputs)
    values = aig.simulate(inputs, 1)
    cone = set(aig.cone([item.bad]))
    lines = []
    if item.sides:
        ours, theirs = item.sides
        one, two = _number(values, ours), _number(values, theirs)
        width = len(theirs)
        other = "contract" if item.kind == "reset" else "RTL"
        kind, name = _signal(item.name)
        change = one ^ two
        high, low = change.bit_length() - 1, (change & -change).bit_length() - 1
        bits = "" if width <= 8 or not change else f", bit [{low}]" if high == low else f", bits [{high}:{low}]"
        lines.append(f"  {kind:<6} {name:<26} model {_plain(one, width, values_of(name)):<18} | "
                     f"{other} {_plain(two, width, values_of(name))}{bits}")
        lines += assigned(*place, kind, name) if place and kind else []
        lines.append("Values of the clock that leads to it" if kind == "state" else "Values of that clock")
    else:
        lines.append(f"{item.name}: does not hold")
    shown = []
    for text, bits in words:
        value = _number(values, bits)
        if value and any(bit >> 1 in cone for bit in bits):
            kind, _, name = text.partition(" ")
            shown.append(f"  {kind:<6} {name:<26} {_plain(value, len(bits), values_of(name))}")
    lines += shown or ["  all 0"]
    if shown:
        lines.append("  all others 0")
    loose = [aig.names[node] for node, value in inputs.items() if value and aig.names[node].startswith(
        ("x ", "undefined", "overflow", "shift", "index", "count of", "abs", "inexact"))]
    if loose:
        lines.append(f"  depends on {len(loose)} undefined bit(s), such as {loose[0]}")
    return lines
