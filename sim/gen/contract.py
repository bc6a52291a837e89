#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads docs/contract/<block>.md: the one source of ports, masks and state.

    load("inbox")                     -> Contract, shapes as written
    load("inbox").resolve({"WIDTH": 8}) -> Resolved, everything a number
    blocks()                          -> names of all blocks that have a contract

Form: docs/contract/README.md. Only the standard library is used, so that any tool can import it.
From the shell: `python3 sim/gen/contract.py [BLOCK [NAME=VALUE ...]]` prints what was read.
"""

import argparse
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "contract"
MAX_WIDTH = 64

# Words kept by C or C++ (a name is a struct member there) and, for ports, by
# Verilog-2005 (a port has no suffix).
RESERVED_C = frozenset("""
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const constexpr
    continue default delete do double else enum explicit export extern false final float for friend goto if inline int
    long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public register restrict
    return short signed sizeof static struct switch template this throw true try typedef typeid union unsigned using
    virtual void volatile while xor xor_eq""".split())
RESERVED_VERILOG = frozenset("""
    always and assign automatic begin buf case casex casez cell cmos config deassign default defparam design disable
    edge else end endcase endconfig endfunction endgenerate endmodule endprimitive endspecify endtable endtask event for
    force forever fork function generate genvar highz0 highz1 if ifnone incdir include initial inout input instance
    integer join large liblist library localparam macromodule medium module nand negedge nmos nor noshowcancelled not
    notif0 notif1 or output parameter pmos posedge primitive pull0 pull1 pulldown pullup pulsestyle_ondetect
    pulsestyle_onevent rcmos real realtime reg release repeat rnmos rpmos rtran rtranif0 rtranif1 scalared
    showcancelled signed small specify specparam strong0 strong1 supply0 supply1 table task time tran tranif0 tranif1
    tri tri0 tri1 triand trior trireg unsigned use uwire vectored wait wand weak0 weak1 while wire wor xnor
    xor""".split())


class ContractError(Exception):
    """A contract that cannot be read. The text names file, line and remedy."""


# -- expressions -------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r"\s*(0x[0-9a-fA-F_]+|[0-9][0-9_]*|\$clog2|[A-Za-z_][A-Za-z0-9_]*"
                    r"|\*\*|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^~!<>?:()])")
_BINARY = [  # weakest first; every level is left associative
    {"||": lambda a, b: int(bool(a) or bool(b))},
    {"&&": lambda a, b: int(bool(a) and bool(b))},
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"==": lambda a, b: int(a == b), "!=": lambda a, b: int(a != b)},
    {"<": lambda a, b: int(a < b), "<=": lambda a, b: int(a <= b),
     ">": lambda a, b: int(a > b), ">=": lambda a, b: int(a >= b)},
    {"<<": lambda a, b: a << b, ">>": lambda a, b: a >> b},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b, "/": lambda a, b: a // b, "%": lambda a, b: a % b},
    {"**": lambda a, b: a ** b},
]


def clog2(value):
    """Verilog's $clog2: the least n with 2**n >= value."""
    return max(0, (value - 1).bit_length()) if value > 0 else 0


def evaluate(text, names):
    """Value of a constant expression in Verilog notation. `names` gives the parameters. Raises ValueError."""
    tokens, at = [], 0
    text = text.strip()
    while at < len(text):
        match = _TOKEN.match(text, at)
        if not match:
            raise ValueError(f"'{text}' is not an expression (at '{text[at:]}')")
        tokens.append(match.group(1))
        at = match.end()
    place = 0

    def peek():
        return tokens[place] if place < len(tokens) else None

    def take(expected=None):
        nonlocal place
        token = peek()
        if token is None or (expected is not None and token != expected):
            raise ValueError(f"'{text}' is not an expression" + (f" ('{expected}' missing)" if expected else ""))
        place += 1
        return token

    def unary():
        token = take()
        if token == "(":
            value = ternary()
            take(")")
            return value
        if token == "$clog2":
            take("(")
            value = ternary()
            take(")")
            return max(1, clog2(value))
        if token in "+-~!":
            value = unary()
            return {"+": value, "-": -value, "~": ~value, "!": int(not value)}[token]
        if token[0].isdigit():
            return int(token.replace("_", ""), 0 if token.startswith("0x") else 10)
        if token[0].isalpha() or token[0] == "_":
            if token not in names:
                raise ValueError(
                    f"'{token}' in '{text}' is not a parameter; known: {', '.join(sorted(names)) or 'none'}")
            return int(names[token])
        raise ValueError(f"'{text}' is not an expression (at '{token}')")

    def binary(level):
        if level == len(_BINARY):
            return unary()
        value = binary(level + 1)
        while peek() in _BINARY[level]:
            operator = take()
            other = binary(level + 1)
            if operator in "/%" and other == 0:
                raise ValueError(f"'{text}' divides by zero")
            if operator in ("<<", ">>", "**") and not 0 <= other <= 4096:
                raise ValueError(f"'{text}' shifts or raises by {other}")
            value = _BINARY[level][operator](value, other)
        return value

    def ternary():
        value = binary(0)
        if peek() == "?":
            take()
            yes = ternary()
            take(":")
            no = ternary()
            return yes if value else no
        return value

    value = ternary()
    if place != len(tokens):
        raise ValueError(f"'{text}' is not an expression (at '{tokens[place]}')")
    return value


def split_shape(text):
    """'QUEUESx4' -> ('QUEUES', '4'); '32' -> (None, '32'). The separator is the last x between two parts."""
    depth = 0
    for at in range(len(text) - 1, 0, -1):
        char = text[at]
        depth += (char == ")") - (char == "(")
        if char == "x" and depth == 0 and at + 1 < len(text):
            if (text[at - 1].isalnum() or text[at - 1] in "_)") and (text[at + 1].isalnum() or text[at + 1] in "_($"):
                return text[:at], text[at + 1:]
    return None, text


def c_type(width):
    """The C type that holds a word of `width` bits."""
    if not 1 <= width <= MAX_WIDTH:
        raise ValueError(f"no C type for a word of {width} bits: a word has 1 to {MAX_WIDTH}")
    if width == 1:
        return "bool"
    return next(f"uint{size}_t" for size in (8, 16, 32, 64) if width <= size)


# How an input is drawn (docs/contract/README.md, Stimuli): word -> limits of its number.
DRAWS = {"any": None, "one_in": (2, 256), "not_in": (2, 256), "few": (1, MAX_WIDTH), "low": (1, MAX_WIDTH)}


def draw_fault(draw, number, width):
    """What is wrong with the number of a draw of a port of `width` bits, and the remedy; None if nothing is."""
    low, high = DRAWS.get(draw, (0, (1 << width) - 1))
    if not low <= number <= high:
        return f"is not within {low} to {high}", "correct the number"
    if draw in ("one_in", "not_in") and number & (number - 1):
        return "is not a power of two", "take the next one"
    return None


# A memory beside the block: the ports that begin with its prefix.
RAM_PORTS = {"read_enable": "out", "read_addr": "out", "read_data": "in",
             "write_enable": "out", "write_addr": "out", "write_data": "out"}


# -- what a contract says ----------------------------------------------------------------------------------------

@dataclass(frozen=True)
class Port:
    name: str
    dir: str            # "in" or "out"
    elements: str       # expression, or None for a single word
    width: str          # expression
    mask: str           # port whose 1 makes this one count, or None
    meaning: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class State:
    name: str           # 'head', or 'fetch.head' for register head of the inner instance 'fetch'
    elements: str
    width: str
    reset: str          # expression (i = number of the element), or None: keeps its value in reset
    meaning: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Stimulus:
    port: str
    draw: str           # word of DRAWS, or "constant"
    number: str         # expression, or None
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Value:
    of: str             # port, state or field of a message that has it; `port` [hi:lo] for a part of a port
    name: str
    number: str         # expression
    meaning: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Term:
    name: str
    meaning: str
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Statement:
    """A numbered entry of `Next state` (a rule), `Invariants` or `Assumptions`."""
    number: int
    name: str           # as written between the asterisks, without the full stop; "" if it has none
    text: str           # what follows, as one line
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class ResolvedRam:
    prefix: str
    banks: int          # elements of the ports, None for single words
    addr_width: int
    width: int


@dataclass(frozen=True)
class ResolvedPort:
    name: str
    dir: str
    elements: int       # None for a single word
    width: int          # bits of one element
    mask: str
    meaning: str

    @property
    def bits(self):
        """Bits of the flattened port."""
        return self.width * (self.elements or 1)

    @property
    def c_type(self):
        return c_type(self.width)


@dataclass(frozen=True)
class ResolvedState:
    name: str
    elements: int
    width: int
    reset: tuple        # one number per element (one for a single word), or None
    meaning: str

    @property
    def bits(self):
        return self.width * (self.elements or 1)

    @property
    def c_type(self):
        return c_type(self.width)


@dataclass(frozen=True)
class Resolved:
    name: str
    area: str
    parameters: dict
    ports: tuple
    state: tuple
    stimuli: dict = field(default_factory=dict)     # input -> (draw, number); what the Stimuli table says and no more
    combinational: bool = False     # outputs are functions of the inputs of the same clock; no state, no clk, no rst

    @property
    def inputs(self):
        return tuple(port for port in self.ports if port.dir == "in")

    @property
    def outputs(self):
        return tuple(port for port in self.ports if port.dir == "out")

    def port(self, name):
        return next(port for port in self.ports if port.name == name)

    def stimulus(self, port):
        """(draw, number) of an input, with the default where the table has no row. Number is None for `any`."""
        return self.stimuli.get(port.name, ("one_in", 2) if port.width == 1 else ("any", None))

    @property
    def rams(self):
        """Memories beside the block: those of which it has all six ports."""
        by_name, found = {port.name: port for port in self.ports}, []
        for prefix in ram_prefixes(self.ports):
            data, addr = by_name[f"{prefix}_read_data"], by_name[f"{prefix}_read_addr"]
            shapes = {name: (data.elements,
                             1 if name.endswith("enable") else (addr if name.endswith("addr") else data).width)
                      for name in RAM_PORTS}
            if all((by_name[f"{prefix}_{name}"].elements, by_name[f"{prefix}_{name}"].width) == shape
                   for name, shape in shapes.items()):
                found.append(ResolvedRam(prefix, data.elements, addr.width, data.width))
        return tuple(found)


@dataclass(frozen=True)
class Contract:
    name: str
    area: str
    path: Path
    parameters: dict    # name -> default
    expressions: dict   # name -> default as written (may use parameters above it)
    lines: dict         # name -> line
    ports: tuple
    state: tuple
    stimuli: tuple = ()
    combinational: bool = False
    values: tuple = ()
    terms: tuple = ()
    rules: tuple = ()
    invariants: tuple = ()
    assumptions: tuple = ()

    def fail(self, line, what, remedy):
        raise ContractError(f"{_shown(self.path)}:{line}: {what}; {remedy}")

    def resolve(self, overrides=None):
        """The same contract in numbers. `overrides` replaces defaults; a name the block does not have is an error."""
        overrides = dict(overrides or {})
        unknown = sorted(set(overrides) - set(self.expressions))
        if unknown:
            self.fail(1, f"block {self.name} has no parameter {', '.join(unknown)}",
                      "add it to the Parameters table or leave the override away")
        values = {}
        for name, text in self.expressions.items():
            values[name] = int(overrides[name]) if name in overrides else self._number(self.lines[name], text, values)
        ports = []
        for port in self.ports:
            elements, width = self._shape(port, values)
            ports.append(ResolvedPort(port.name, port.dir, elements, width, port.mask, port.meaning))
        by_name = {port.name: port for port in ports}
        for port, written in zip(ports, self.ports):
            if port.mask is not None:
                mask = by_name[port.mask]
                if mask.width != 1 or mask.elements not in (None, port.elements):
                    self.fail(written.line, f"mask {mask.name} does not fit port {port.name}",
                              "a mask is one bit, or one bit for each element of the port")
        state = []
        for item in self.state:
            elements, width = self._shape(item, values)
            reset = None
            if item.reset is not None:
                reset = tuple(self._number(item.line, item.reset, {**values, "i": place})
                              for place in range(elements or 1))
                for value in reset:
                    if not 0 <= value < 1 << width:
                        self.fail(item.line, f"reset value {value} of {item.name} does not fit in {width} bits",
                                  "correct the reset column or the shape")
            state.append(ResolvedState(item.name, elements, width, reset, item.meaning))
        stimuli = {row.port: self._stimulus(row, by_name[row.port], values) for row in self.stimuli}
        return Resolved(self.name, self.area, values, tuple(ports), tuple(state), stimuli, self.combinational)

    def width_of(self, value):
        """Width of what has a value, an expression: of the port or state of that name, or of the bits [hi:lo]."""
        bits = re.search(r"\[(\d+)(?::(\d+))?\]$", value.of)
        if bits:
            return str(int(bits[1]) - int(bits[2] or bits[1]) + 1)
        for row in (*self.ports, *self.state):
            if row.name == value.of.strip("`"):
                return row.width
        self.fail(value.line, f"{value.of} is no port and no state, and has no bits",
                  "name one, or write the field with its bits, `word` [7:4]")

    def named(self, item, parameters):
        """[(high bit, low bit, number, name)] of the values that a port or a state, or a part of it, has names for."""
        found = []
        for value in self.values:
            match = re.fullmatch(rf"`?{re.escape(item.name)}`?(?: \[(\d+)(?::(\d+))?\])?", value.of)
            if match:
                found.append((int(match[1] or item.width - 1), int(match[2] or match[1] or 0),
                              evaluate(value.number, parameters), value.name))
        return found

    def _stimulus(self, row, port, values):
        if row.number is None:
            return row.draw, None
        number = self._number(row.line, row.number, values)
        wrong = draw_fault(row.draw, number, port.width)
        if wrong:
            self.fail(row.line, f"{row.draw} {number} of {row.port} {wrong[0]}", wrong[1])
        return row.draw, number

    def configured(self, configuration):
        """resolve() with those values of a configuration whose name is a parameter of this block."""
        return self.resolve({name: configuration[name] for name in self.expressions if name in configuration})

    def _number(self, line, text, values):
        try:
            return evaluate(text, values)
        except ValueError as error:
            self.fail(line, str(error), "write numbers, parameters listed above, operators and $clog2(...)")

    def _shape(self, item, values):
        elements = None
        if item.elements is not None:
            elements = self._number(item.line, item.elements, values)
            if elements < 1:
                self.fail(item.line, f"{item.name} has {elements} elements", "an array has at least one")
        width = self._number(item.line, item.width, values)
        if not 1 <= width <= MAX_WIDTH:
            self.fail(item.line, f"{item.name} has a width of {width}",
                      f"a word has 1 to {MAX_WIDTH} bits (for indices use a parameter such as "
                      f"N_BITS = N>1?$clog2(N):1)")
        return elements, width


# -- reading -----------------------------------------------------------------------------------------------------

_COLUMNS = {
    "parameters": ["parameter", "default", "meaning"],
    "ports": ["port", "dir", "shape", "mask", "meaning"],
    "state": ["state", "shape", "reset", "meaning"],
    "stimuli": ["port", "draw"],
    "values": ["of", "name", "value", "meaning"],
    "terms": ["term", "meaning"],
}
# Sections whose numbered entries have a name: what they are called where they stand in code.
STATEMENTS = {"next state": "rules", "invariants": "invariants", "assumptions": "assumptions"}


def _shown(path):
    try:
        return path.relative_to(ROOT)
    except ValueError:
        return path


def _cells(line):
    parts = re.split(r"(?<!\\)\|", line.strip())
    return [part.replace("\\|", "|").strip() for part in parts[1:-1]]


def _plain(cell):
    return cell[1:-1].strip() if len(cell) > 1 and cell.startswith("`") and cell.endswith("`") else cell


def ram_prefixes(ports):
    """Prefixes of which a block has all six ports of a memory, in the order of the table."""
    there = {(port.name, port.dir) for port in ports}
    return [port.name[:-len("_read_data")] for port in ports if port.name.endswith("_read_data")
            and all((port.name[:-len("read_data")] + name, way) in there for name, way in RAM_PORTS.items())]


def configuration(text):
    """For argparse: the name of a configuration. C and RTL take full for a name that they do not know."""
    section = (ROOT / "rtl" / "top" / "config.yaml").read_text(encoding="utf-8").split("\nconfigurations:\n")[1]
    names = re.findall(r"^  (\w+):", section.split("\n\n")[0], re.M)
    if text not in names:
        raise argparse.ArgumentTypeError(f"'{text}' is not a configuration; take {', '.join(names)}")
    return text


def blocks(folder=FOLDER):
    """Names of all blocks that have a contract, sorted."""
    return sorted(path.stem for path in Path(folder).glob("*.md") if path.name != "README.md")


def load(name, folder=FOLDER):
    """Read docs/contract/<name>.md. Raises ContractError."""
    path = Path(folder) / f"{name}.md"

    def fail(line, what, remedy):
        raise ContractError(f"{_shown(path)}:{line}: {what}; {remedy}")

    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ContractError(f"{_shown(path)}:1: cannot be read ({error.strerror}); "
                            f"known contracts: {', '.join(blocks(folder)) or 'none'}") from None

    title = re.fullmatch(r"# Contract: `?([a-z][a-z0-9_]*)`?", lines[0].strip()) if lines else None
    if not title or title.group(1) != name:
        fail(1, "the title does not name the block", f"write '# Contract: {name}'")

    area, tables, section, fenced, combinational = None, {}, None, None, None
    statements = {kind: [] for kind in STATEMENTS.values()}
    for number, line in enumerate(lines, 1):
        fence = re.match(r"(```|~~~)", line)
        if fence and fenced in (None, fence.group(1)):
            fenced = None if fenced else fence.group(1)
            continue
        if fenced:
            continue
        if line.startswith("## "):
            section = line[3:].strip().lower()
            if section in _COLUMNS and section in tables:
                fail(number, f"section {section} is there twice", "join the two")
            if section in _COLUMNS:
                tables[section] = []
        elif section is None and area is None:
            match = re.match(r"Area `?([a-z][a-z0-9_]*)`?[.,:; ]", line + " ")
            area = match.group(1) if match else None
        elif section == "outputs" and combinational is None and line.strip():
            combinational = re.match(r"Combinational\b", line) is not None
        elif section in STATEMENTS and not line.startswith("|"):
            entries, entry = statements[STATEMENTS[section]], re.match(r"(\d+)\. +(?:\*\*(.+?)\.?\*\* *)?(.*)", line)
            if entry:
                entries.append([int(entry[1]), entry[2] or "", entry[3], number])
            elif entries and line.startswith("   "):
                entries[-1][2] += " " + line.strip()
        elif section in _COLUMNS and line.lstrip().startswith("|"):
            if not line.rstrip().endswith("|"):
                fail(number, "a table row is not closed", "end the row with |")
            tables[section].append((number, _cells(line)))
    if area is None:
        fail(1, "no area", "let the first paragraph begin with 'Area <area>.'")
    if not tables.get("ports"):
        fail(1, "no Ports table", "add '## Ports' with the columns of docs/contract/README.md")
    if combinational and "state" in tables:
        fail(1, "a combinational block has a State section", "remove it, or 'Combinational' from '## Outputs'")
    if not combinational and not tables.get("state"):
        fail(1, "no State table", "add '## State', or let '## Outputs' begin with 'Combinational.'")

    rows = {}
    for section, columns in _COLUMNS.items():
        table = tables.get(section, [])
        rows[section] = []
        if not table:
            continue
        number, head = table[0]
        if [cell.lower() for cell in head] != columns:
            fail(number, f"the {section} table has columns {' | '.join(head)}", f"write | {' | '.join(columns)} |")
        if len(table) < 2 or not all(re.fullmatch(r":?-+:?", cell) for cell in table[1][1]):
            fail(number, f"the {section} table has no rule under its head", "add |" + "---|" * len(columns))
        for number, cells in table[2:]:
            if len(cells) != len(columns):
                fail(number, f"the row has {len(cells)} cells instead of {len(columns)}",
                     "add or remove cells; write a | inside a cell as \\|")
            rows[section].append((number, [_plain(cell) for cell in cells]))

    def check_name(number, text, pattern, what, seen):
        if not re.fullmatch(pattern, text):
            fail(number, f"'{text}' is not a name of a {what}", "one name a row, " + (
                "in capitals" if what in ("parameter", "value") else "in small letters, digits and _"))
        if text in ("clk", "rst"):
            fail(number, f"{text} is in every block", "remove the row")
        if set(text.split(".")) & RESERVED_C or (what == "port" and text in RESERVED_VERILOG):
            fail(number, f"'{text}' is a reserved word of Verilog or C", "choose another name")
        if text in seen:
            fail(number, f"{what} '{text}' is there twice", "remove one")
        seen.add(text)

    def shape(number, text):
        if not text or " " in text:
            fail(number, f"shape '{text}' is empty or has spaces", "write W or NxW without spaces")
        return split_shape(text)

    expressions, where, seen = {}, {}, set()
    for number, (parameter, default, _) in rows["parameters"]:
        check_name(number, parameter, r"[A-Z][A-Z0-9_]*", "parameter", seen)
        expressions[parameter], where[parameter] = default, number

    ports, seen = [], set()
    for number, (port, direction, text, mask, meaning) in rows["ports"]:
        check_name(number, port, r"[a-z][a-z0-9_]*", "port", seen)
        if direction not in ("in", "out"):
            fail(number, f"direction '{direction}' of {port}", "write in or out")
        ports.append(Port(port, direction, *shape(number, text), mask or None, meaning, number))
    by_name = {port.name: port for port in ports}
    for port in ports:
        if port.mask is not None and (port.mask not in by_name or port.mask == port.name
                                      or by_name[port.mask].dir != port.dir):
            fail(port.line, f"mask '{port.mask}' of {port.name} is not another port of the same direction",
                 "name the valid bit that makes the payload count, or leave the cell empty")

    state, seen = [], set()
    for number, (item, text, reset, meaning) in rows["state"]:
        check_name(number, item, r"[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)*", "state", seen)
        if item.endswith(("_q", "_d")):
            fail(number, f"state '{item}' has an RTL suffix", f"write '{item[:-2]}'")
        if reset == "":
            fail(number, f"no reset of '{item}'", "write a number, or - if reset leaves it alone")
        state.append(State(item, *shape(number, text), None if reset in ("-", "–", "—") else reset, meaning, number))

    stimuli, seen = [], set()
    kept = {f"{prefix}_read_data" for prefix in ram_prefixes(ports)}
    for number, (port, draw) in rows["stimuli"]:
        if port not in by_name or by_name[port].dir != "in":
            fail(number, f"'{port}' is not an input of {name}", "one input of the Ports table a row")
        if port in kept:
            fail(number, f"{port} is read from the memory that the bench keeps", "remove the row")
        if port in seen:
            fail(number, f"stimuli of '{port}' are there twice", "remove one")
        seen.add(port)
        word, _, rest = draw.partition(" ")
        if word not in DRAWS:
            word, rest = "constant", draw
        if (word == "any") != (not rest.strip()):
            fail(number, f"draw '{draw}' of {port} is not known",
                 "write any, one_in N, not_in N, few K, low K or a constant expression")
        stimuli.append(Stimulus(port, word, rest.strip() or None, number))

    values, seen = [], set()
    for number, (of, value, text, meaning) in rows["values"]:
        check_name(number, value, r"[A-Z][A-Z0-9_]*", "value", seen)
        values.append(Value(of, value, text, meaning, number))
    terms, seen = [], {port.name for port in ports}
    for number, (term, meaning) in rows["terms"]:
        check_name(number, term, r"[a-z][a-z0-9_]*", "term", seen)
        terms.append(Term(term, meaning, number))
    for entries in statements.values():
        for place, (number, _, _, line) in enumerate(entries, 1):
            if number != place:
                fail(line, f"number {number} stands in place {place}", "number the entries 1, 2, 3, ..")

    contract = Contract(name, area, path, {}, expressions, where, tuple(ports), tuple(state), tuple(stimuli),
                        bool(combinational), tuple(values), tuple(terms),
                        **{kind: tuple(Statement(*entry) for entry in entries) for kind, entries in statements.items()})
    contract.parameters.update(contract.resolve().parameters)
    return contract


def main(arguments):
    try:
        if not arguments:
            for name in blocks():
                contract = load(name)
                print(f"{name:<20} {contract.area:<12} {len(contract.ports):>3} ports {len(contract.state):>3} state"
                  + (" combinational" if contract.combinational else ""))
            return 0
        overrides = dict(argument.split("=", 1) for argument in arguments[1:])
        resolved = load(arguments[0]).resolve(overrides)
    except (ContractError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    for name, value in resolved.parameters.items():
        print(f"parameter {name} = {value}")
    for port in resolved.ports:
        print(f"{port.dir:<5} {port.name:<28} {port.elements or '':>4} {port.width:>3}  {port.mask or ''}")
    for item in resolved.state:
        reset = "-" if item.reset is None else ",".join(map(str, item.reset))
        print(f"state {item.name:<28} {item.elements or '':>4} {item.width:>3}  reset {reset}")
    for name, (draw, number) in resolved.stimuli.items():
        print(f"draw  {name:<28} {draw}{'' if number is None else f' {number}'}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
