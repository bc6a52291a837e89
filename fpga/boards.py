#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The boards: fpga/<board>/board.yaml, checked, with the pins of each board against the ports of its tops.

    fpga/boards.py      prints a line for each board; an error names file and remedy
"""

import re
import sys
from collections import namedtuple
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
# For nextpnr and Yosys: program, synthesis, suffixes of pins and bitstream.
Family = namedtuple("Family", "synthesis pins bitstream")
FAMILIES = {"ice40": Family("synth_ice40 -device hx", "pcf", "bin"), "ecp5": Family("synth_ecp5 -abc9", "lpf", "bit")}
KEYS = {"label": str, "family": str, "device": str, "package": str, "speed": int, "cells": int, "rams": int,
        "oscillator": int, "goal": int}
# Of boards that have room for a machine.
MACHINE = {"machines": list, "number": int, "clock": int, "memory": int, "divide": int, "leds": int}


class Wrong(Exception):
    """A mistake in a board's folder; the text says where and what to do."""


class Board:
    """One folder: what its board.yaml says, as members, and the files beside it."""

    def __init__(self, folder):
        self.name, self.folder = folder.name, folder
        path = folder / "board.yaml"
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        where = f"fpga/{self.name}/board.yaml"
        if not isinstance(data, dict):
            raise Wrong(f"{where}: not a list of `key: value`; known keys: {', '.join({**KEYS, **MACHINE})}")
        wanted = {**KEYS, **(MACHINE if set(MACHINE) & set(data) else {})}
        for key in sorted(set(data) | set(wanted)):
            if key not in data or key not in {**KEYS, **MACHINE}:
                raise Wrong(f"{where}: {key} is {'missing' if key in wanted else 'unknown'}; keys: {', '.join(KEYS)}; "
                            f"with a machine also {', '.join(MACHINE)}")
            if not isinstance(data[key], wanted[key]) or (wanted[key] is int and data[key] < 0):
                raise Wrong(f"{where}: {key} is {data[key]!r}; write a "
                            f"{ {int: 'whole number', str: 'text', list: 'list such as [mini]'}[wanted[key]]}")
        for key, value in {**{key: [] if kind is list else 0 for key, kind in MACHINE.items()}, **data}.items():
            setattr(self, key, value)
        if self.family not in FAMILIES:
            raise Wrong(f"{where}: family {self.family}; known: {', '.join(FAMILIES)}")
        self.flow = FAMILIES[self.family]
        if self.machines:
            if self.memory < 4096 or self.memory & (self.memory - 1):
                raise Wrong(f"{where}: memory is {self.memory}; write a power of two from 4096 (bytes)")
            if not 4 <= self.divide < 65536 or not 1 <= self.number < 65536 or not 1 <= self.clock:
                raise Wrong(f"{where}: divide is 4 to 65535 clocks a bit, number from 1, clock from 1 MHz")
        self.pins = folder / f"{self.name}.{self.flow.pins}"
        self.blocks_top = folder / f"totem_{self.name}.v"           # of the tops of tops.yaml
        self.machine_top = folder / f"totem_{self.name}_machine.v"
        if bool(self.machines) != self.machine_top.exists():
            raise Wrong(f"{where}: a board with `machines` has a {self.machine_top.name}, and no other board")
        self.check_pins()

    def tops(self):
        """The board's tops as files."""
        return [path for path in (self.blocks_top, self.machine_top) if path.exists()]

    def check_pins(self):
        """Every bit of every port has one pin, and every pin is that of a port."""
        found = re.findall(r'^LOCATE COMP "([^"]+)" SITE "(\w+)";|^set_io\s+(\S+)\s+(\w+)', self.pins.read_text(), re.M)
        names = [port or other for port, _, other, _ in found]
        sites = [site or other for _, site, _, other in found]
        where = f"fpga/{self.name}/{self.pins.name}"
        for kind, listed in (("port", names), ("pin", sites)):
            twice = sorted({one for one in listed if listed.count(one) > 1})
            if twice:
                raise Wrong(f"{where}: {kind} {twice[0]} has two lines")
        clock = re.search(r'^FREQUENCY PORT "\w+" (\d+) MHZ;', self.pins.read_text(), re.M)
        if clock and int(clock.group(1)) != self.oscillator:
            raise Wrong(f"{where}: {clock.group(1)} MHZ, but oscillator in board.yaml is {self.oscillator}; mend one")
        unused = set(names)
        for top in self.tops():
            wanted = ports(top)
            if top == self.machine_top and self.leds != sum(name.startswith("led") for name in wanted):
                raise Wrong(f"fpga/{self.name}/board.yaml: leds is {self.leds}, {top.name} has another number of them; "
                            "mend one")
            for name in wanted:
                if name not in names:
                    raise Wrong(f"{where}: port {name} of {top.name} has no pin; add its line")
            unused -= set(wanted)
        if unused:
            raise Wrong(f"{where}: {sorted(unused)[0]} is a port of no top of the board; take its line away")


def ports(path):
    """Names of the bits of a top's ports, as a file of pins writes them."""
    head = path.read_text(encoding="utf-8").split(");")[0]
    bits = []
    for high, name in re.findall(r"^\s*(?:input|output|inout)\s+wire\s+(?:\[(\d+):0\]\s+)?(\w+)", head, re.M):
        bits += [f"{name}[{index}]" for index in range(int(high) + 1)] if high else [name]
    return bits


def boards(here=HERE):
    """{name: Board}."""
    found = {path.parent.name: Board(path.parent) for path in sorted(here.glob("*/board.yaml"))}
    for number in {board.number for board in found.values() if board.machines}:
        same = [name for name, board in found.items() if board.number == number]
        if len(same) > 1:
            raise Wrong(f"fpga/{same[1]}/board.yaml: number {number} is that of {same[0]}; take another")
    return found


def main():
    try:
        for name, board in boards(Path(sys.argv[1]) if sys.argv[1:] else HERE).items():
            print(f"{name}: {board.label}; {' '.join(path.stem for path in board.tops())}; "
                  f"machines: {' '.join(board.machines) or 'none'}")
    except Wrong as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
