#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Finds properties that share a wire with the rule that they judge.

    python3 sim/shared_wires.py [--list] [--self-test] [FILE ...]

A property says a rule a second time, from ports and state. If it uses a wire of the design, a mistake in that wire is
in rule and property alike, and the proof of the property does not see it. For every rtl/<area>/totem_<name>.v this
looks at totem_<name>_properties.vh, and names each wire, reg and function of the design that is used there and is neither
a port, nor state (`name_q`, or `name_d`, what it is in the next clock), nor a constant. What is declared there is free,
and so is a cover, which judges nothing.

Exceptions are in sim/shared_wires.txt: name of the file without totem_ and .v, wires or `*` for all, `:` and the
reason. --list prints what is found, allowed or not. Exit code 1 if a wire is used that no line allows, or if a line
allows what nothing uses.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
TABLE = TOP / "sim/shared_wires.txt"


def plain(text):
    """Without comments, strings and attributes; the lines stay."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match[0])

    return re.sub(r'//[^\n]*|/\*.*?\*/|"[^"\n]*"|\(\*(?!\)).*?\*\)', blank, text, flags=re.S)


def declared(design):
    """Wires, regs and functions of the design that are no ports."""
    header = design.split(");", 1)
    ports = set()
    for item in re.finditer(r"\b(?:input|output|inout)\b([^;)]*)", header[0]):
        ports.update(re.findall(r"\b\w+\b", re.sub(r"\[[^]]*\]", " ", item[1])))
    names = set(re.findall(r"\bfunction\b\s*(?:automatic\s*)?(?:signed\s*|integer\s*)?(?:\[[^]]*\]\s*)?(\w+)", design))
    body = re.sub(r"\bfunction\b.*?\bendfunction\b", " ", header[1] if len(header) > 1 else "", flags=re.S)
    width = r"(?:\[[^;]*?\]\s*(?=\w+\s*(?:[,;=]|\[)))?"
    for item in re.finditer(rf"\b(?:wire|reg)\b\s*(?:signed\s*)?({width})([^;]*);", body):
        depth, word = 0, ""
        for char in item[2] + ",":              # names stand before `=` or `,` outside brackets
            depth += (char in "([{") - (char in ")]}")
            if char == "," and not depth:
                first = re.match(r"\s*(\w+)", word)
                names.update([first[1]] if first else [])
                word = ""
            else:
                word += char
    state = {name for name in names if name.endswith("_q")}
    state |= {name[:-2] + "_d" for name in state}
    return {name for name in names - ports - state if not name.isdigit()}


def shared(path):
    """wire -> lines of the properties that use it"""
    claims = path.with_name(f"{path.stem}_properties.vh")
    if not claims.exists():
        return {}
    return used(plain(path.read_text(encoding="utf-8")), plain(claims.read_text(encoding="utf-8")))


def used(design, claims):
    names = declared(design) - declared("x);" + claims)
    found = {}
    for number, text in enumerate(claims.splitlines(), 1):
        text = re.sub(r"^\s*cover \(.*", "", text)
        for name in re.findall(r"(?<![\w.`'$])[A-Za-z_]\w*", text):
            if name in names:
                found.setdefault(name, []).append(number)
    return found


def allowed():
    """(file, wire) -> line of the table"""
    found = {}
    if TABLE.exists():
        for number, line in enumerate(TABLE.read_text().splitlines(), 1):
            if line.strip() and not line.startswith("#"):
                head, _, reason = line.partition(":")
                words = head.split()
                if len(words) < 2 or not reason.strip():
                    sys.exit(f"{TABLE.relative_to(TOP)}:{number}: expected `file wire ..: reason`")
                found.update({(words[0], name): number for name in words[1:]})
    return found


def self_test():
    """A wire of the design is found; ports, state, constants and what the properties declare are not."""
    design = """module totem_x #(parameter N = 2) (input wire [N-1:0] a, output wire b);
    reg [N-1:0] s_q, s_d; wire c = a[0] && s_q[1], e = {a[1], 1'b0} == 2'd0; wire [3:0] d;
    function f(input g); f = g; endfunction
    wire i = d;
endmodule
"""
    claims = """    wire h = c; // d
    always @* assert (h == (a[0] && s_q[0]) && N == 2 && b && f(1'b0) && e);
"""
    names, found = declared(plain(design)), used(plain(design), plain(claims))
    good = set(found) == {"c", "e", "f"} and names == {"c", "e", "d", "f", "i"}
    print("ok   shared wires: planted ones are found" if good else
          f"FAIL shared wires: the self-test finds {sorted(found)} of {sorted(names)}")
    return good


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    if "--self-test" in sys.argv and not self_test():
        sys.exit(1)
    known, bad, unused = allowed(), 0, set(allowed())
    files = [Path(word) for word in words] or sorted(TOP.glob("rtl/*/totem_*.v"))
    for path in files:
        name = path.stem.removeprefix("totem_")
        found = shared(path)
        unused -= {(name, wire) for wire in found} | ({(name, "*")} if found else set())
        refused = [wire for wire in sorted(found) if (name, wire) not in known and (name, "*") not in known]
        wrong = {wire: found[wire] for wire in (sorted(found) if "--list" in sys.argv else refused)}
        bad += len(refused)
        for wire, lines in wrong.items():
            where = ", ".join(map(str, lines[:6])) + (", .." if len(lines) > 6 else "")
            print(f"{path.stem}_properties.vh: {wire}, used in line {where}: say the rule again, from ports and state")
    for name, wire in sorted(unused if not words else ()):
        bad += 1
        print(f"{TABLE.relative_to(TOP)}:{known[name, wire]}: no property of {name} uses {wire}; take it away")
    if bad:
        print(f"FAIL shared wires: {bad}")
        sys.exit(1)
    print(f"ok   shared wires: {len(files)} files, exceptions of {len({name for name, _ in known})}")


if __name__ == "__main__":
    main()
