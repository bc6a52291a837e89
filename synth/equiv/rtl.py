# SPDX-License-Identifier: Apache-2.0
"""The RTL side: Yosys elaborates (read_verilog, hierarchy, proc, flatten), this file blasts the word-level netlist.

Every flip-flop is cut into a state input and a next value. Bits that are x (an index out of range, an assigned 'bx,
an undriven wire, a division by zero) are free inputs of their own.
"""

import json
import re
import subprocess
from pathlib import Path

from aig import FALSE, TRUE


class RtlError(Exception):
    """The RTL cannot be taken into the proof; the text says why."""


def sources(root, top, extra=()):
    """Files of the modules that `top` uses: module totem_x lives in rtl/<area>/totem_x.v."""
    known = {path.stem: path for path in sorted(Path(root).glob("rtl/*/*.v"))}
    known.update({Path(path).stem: Path(path) for path in extra})
    if top not in known:
        raise RtlError(f"no file rtl/<area>/{top}.v")
    wanted, queue = {}, [top]
    while queue:
        name = queue.pop()
        if name in wanted:
            continue
        wanted[name] = known[name]
        text = re.sub(r"//[^\n]*|/\*.*?\*/", " ", known[name].read_text(encoding="utf-8"), flags=re.S)
        if re.search(r"\b(parallel_case|full_case)\b", known[name].read_text(encoding="utf-8")):
            raise RtlError(f"{known[name]}: parallel_case and full_case are not taken on trust")
        queue.extend(word for word in set(re.findall(r"\btotem_\w+", text)) if word in known)
    return list(wanted.values())


def elaborate(root, top, parameters, folder, extra=(), passes="", config="", timeout=600):
    """Yosys JSON of the flattened module. `parameters` that the module has as `parameter` are set."""
    files = sources(root, top, extra)
    main = next(path for path in files if path.stem == top)
    text = main.read_text(encoding="utf-8")
    chosen = {name: value for name, value in parameters.items()
              if re.search(rf"\bparameter\s+(?:integer\s+|\[[^]]*\]\s*)?{name}\b", text)
              or re.search(rf",\s*{name}\s*=", text.split(");")[0])}
    folders = sorted({str(item.parent) for item in Path(root).glob("rtl/*/*.v*")})
    include = " ".join(f"-I{path}" for path in (folder, *folders))      # a totem_config.vh of its own goes first
    define = f"-DTOTEM_CONFIG_{config.upper()}" if config else ""
    out = Path(folder) / "rtl.json"
    script = "\n".join([
        f"read_verilog {define} {include} " + " ".join(str(path) for path in files),
        f"hierarchy -check -top {top} " + " ".join(f"-chparam {name} {value}" for name, value in chosen.items()),
        "proc", "flatten", "memory_collect", "memory_map", "dffunmap", passes,
        f"write_json {out}"])
    (Path(folder) / "rtl.ys").write_text(script + "\n")
    run = subprocess.run(["yosys", "-q", "-s", str(Path(folder) / "rtl.ys")], capture_output=True, text=True,
                         timeout=timeout)
    if run.returncode:
        raise RtlError("yosys: " + (run.stdout + run.stderr).strip()[-1500:])
    design = json.loads(out.read_text())
    return design["modules"][top] if top in design["modules"] else next(
        module for module in design["modules"].values() if "top" in module.get("attributes", {}))


SILENT = frozenset("$assert $assume $cover $live $fair $print $check $scopeinfo".split())


class Netlist:
    """A flattened module in the graph: state(), inputs are set by the caller, next values and outputs are read."""

    def __init__(self, aig, module, name="rtl"):
        self.aig = aig
        self.module = module
        self.name = name
        self.bit = {"0": FALSE, "1": TRUE}      # net number -> literal
        self.driver = {}                        # net number -> (cell name, port)
        self.flops = {}                         # net number of Q -> net number (or constant) of D
        self.foreign = {}                       # net number -> kind of a storage cell that does not belong in a block
        self.free = 0
        self.free_bits = []
        self._cells = module["cells"]
        clk = module["ports"].get("clk", {"bits": [None]})["bits"][0]
        for cell_name, cell in self._cells.items():
            kind = cell["type"]
            if kind in SILENT:
                continue
            links = cell["connections"]
            if kind in ("$dff", "$_DFF_P_"):
                if kind == "$_DFF_P_":
                    links = {**links, "CLK": links["C"]}
                elif int(cell["parameters"]["CLK_POLARITY"], 2) != 1:
                    links = {**links, "CLK": [None]}
                if links["CLK"][0] != clk:
                    raise RtlError(f"flip-flop {cell_name} is not clocked by posedge clk")
                for d, q in zip(links["D"], links["Q"]):
                    if q in self.flops:
                        raise RtlError(f"two flip-flops drive one net ({cell_name})")
                    self.flops[q] = d
                continue
            if re.search(r"dff|latch|\$sr$|mem|tribuf|\$_DFF", kind):
                # Refused when something reads it: Yosys makes unread latches of loop variables.
                for port, direction in cell["port_directions"].items():
                    if direction == "output":
                        self.foreign.update((net, kind) for net in links[port])
                continue
            if kind[0] != "$":
                raise RtlError(f"module {kind} is not known ({cell_name})")
            for port, direction in cell["port_directions"].items():
                if direction == "output":
                    for net in links[port]:
                        if net in self.driver:
                            raise RtlError(f"two cells drive one net ({cell_name})")
                        self.driver[net] = (cell_name, port)

    # -- names ---------------------------------------------------------------------------------------------------

    def registers(self):
        """{state name: [net numbers]}: 'u_fetch.head_q' is 'fetch.head'; indices of generate blocks order elements."""
        found = {}
        for name, net in self.module["netnames"].items():
            match = re.fullmatch(r"(.*?)_q((?:\[\d+\])*)", name)
            if not match or net.get("hide_name"):
                continue
            parts, indices = [], []
            for part in match.group(1).split("."):
                plain = re.match(r"(.*?)((?:\[\d+\])*)$", part)
                numbers = [int(number) for number in re.findall(r"\[(\d+)\]", plain.group(2))]
                indices += numbers
                if not numbers or part is match.group(1).split(".")[-1]:
                    parts.append(plain.group(1)[2:] if plain.group(1).startswith("u_") else plain.group(1))
                elif plain.group(1).startswith("u_"):
                    parts.append(plain.group(1)[2:])
            indices += [int(number) for number in re.findall(r"\[(\d+)\]", match.group(2))]
            found.setdefault(".".join(parts), {})[tuple(indices)] = net["bits"]
        result = {}
        for name, pieces in found.items():
            if () in pieces:
                result[name] = pieces[()]
            else:
                result[name] = [bit for key in sorted(pieces) for bit in pieces[key]]
        return result

    def name_of(self, net):
        names = [name for name, item in self.module["netnames"].items() if net in item["bits"]]
        names = [name for name in names if name[0] != "$"] or names
        return min(names, key=len) if names else f"net {net}"

    # -- evaluation ----------------------------------------------------------------------------------------------

    def unknown(self, why):
        self.free += 1
        bit = self.aig.new(f"x {self.free} ({why})")
        self.free_bits.append(bit)
        return bit

    def literal(self, net):
        """Literal of an evaluated net; x and z give a new free input at each use."""
        if net in ("x", "z"):
            return self.unknown("x")
        return self.bit[net]

    def vector(self, nets):
        """Evaluate a list of nets."""
        self._evaluate([net for net in nets if net not in self.bit and net not in ("x", "z")])
        return tuple(self.literal(net) for net in nets)

    def _evaluate(self, nets):
        stack = [(net, None) for net in nets]
        active = set()
        while stack:
            net, cell_name = stack.pop()
            if cell_name is not None:       # all operands are there
                self._cell(cell_name)
                active.discard(cell_name)
                continue
            if net in self.bit:
                continue
            if net in self.foreign:
                raise RtlError(
                    f"{self.name_of(net)} comes from a {self.foreign[net]}: a block has flip-flops of clk only")
            if net in self.flops:
                raise RtlError(f"flip-flop {self.name_of(net)} is not in the State table")
            if net not in self.driver:
                self.bit[net] = self.unknown(f"undriven {self.name_of(net)}")
                continue
            name = self.driver[net][0]
            if name in active:
                raise RtlError(f"combinational loop through {self.name_of(net)}")
            active.add(name)
            stack.append((None, name))
            cell = self._cells[name]
            for port, direction in cell["port_directions"].items():
                if direction == "input":
                    stack.extend((item, None) for item in cell["connections"][port]
                                 if item not in self.bit and item not in ("x", "z"))

    def _cell(self, name):
        cell = self._cells[name]
        links = cell["connections"]
        params = {key: int(value, 2) if isinstance(value, str) and re.fullmatch(r"[01]+", value) else value
                  for key, value in cell["parameters"].items()}
        operands = {port: tuple(self.literal(net) for net in links[port])
                    for port, direction in cell["port_directions"].items() if direction == "input"}
        result = self._function(cell["type"], params, operands, name)
        for net, bit in zip(links["Y"], result):
            self.bit[net] = bit

    def _function(self, kind, params, op, name):
        aig = self.aig
        width = params.get("Y_WIDTH", params.get("WIDTH", 0))
        a, b = op.get("A", ()), op.get("B", ())
        sa, sb = bool(params.get("A_SIGNED")), bool(params.get("B_SIGNED"))
        if kind.startswith("$_"):
            return self._gate(kind, op)
        kind = kind[1:]
        if kind == "mux":
            return aig.choose(op["S"][0], b, a)
        if kind == "pmux":
            return self._parallel(a, b, op["S"], len(a))
        if kind == "bmux":
            words = [a[at:at + width] for at in range(0, len(a), width)]
            return aig.pick(op["S"], words)
        if kind == "demux":
            result = ()
            for value in range(1 << len(op["S"])):
                hit = aig.is_value(op["S"], value)
                result += tuple(aig.land(hit, bit) for bit in a)
            return result
        if kind in ("not", "pos", "neg"):
            a = aig.extend(a, width, sa)
            return {"not": aig.invert, "pos": tuple, "neg": aig.negate}[kind](a)
        if kind in ("and", "or", "xor", "xnor"):
            a, b = aig.extend(a, width, sa), aig.extend(b, width, sb)
            if kind == "xnor":
                return aig.invert(aig.exclusive(a, b))
            return {"and": aig.both, "or": aig.either, "xor": aig.exclusive}[kind](a, b)
        single = None
        if kind == "reduce_and":
            single = aig.all(a)
        elif kind in ("reduce_or", "reduce_bool"):
            single = aig.any(a)
        elif kind == "reduce_xor":
            single = aig.parity(a)
        elif kind == "reduce_xnor":
            single = aig.parity(a) ^ 1
        elif kind == "logic_not":
            single = aig.any(a) ^ 1
        elif kind == "logic_and":
            single = aig.land(aig.any(a), aig.any(b))
        elif kind == "logic_or":
            single = aig.lor(aig.any(a), aig.any(b))
        elif kind in ("eq", "ne", "eqx", "nex", "lt", "le", "gt", "ge"):
            size = max(len(a), len(b))
            signed = sa and sb
            a, b = aig.extend(a, size, signed), aig.extend(b, size, signed)
            less = aig.slt if signed else aig.ult
            single = {"eq": lambda: aig.equal(a, b), "eqx": lambda: aig.equal(a, b),
                      "ne": lambda: aig.equal(a, b) ^ 1, "nex": lambda: aig.equal(a, b) ^ 1,
                      "lt": lambda: less(a, b), "gt": lambda: less(b, a),
                      "le": lambda: less(b, a) ^ 1, "ge": lambda: less(a, b) ^ 1}[kind]()
        if single is not None:
            return aig.extend((single,), width)
        if kind in ("add", "sub", "mul"):
            a, b = aig.extend(a, width, sa and sb), aig.extend(b, width, sa and sb)
            return {"add": aig.add, "sub": aig.sub, "mul": aig.mul}[kind](a, b)
        if kind in ("div", "mod"):
            return self._divide(kind, a, b, sa and sb, width)
        if kind in ("shl", "sshl"):
            return aig.shift(aig.extend(a, max(len(a), width), sa), b, True)[:width]
        if kind in ("shr", "sshr"):
            full = aig.extend(a, max(len(a), width), sa)
            fill = full[-1] if kind == "sshr" and sa else FALSE
            return aig.shift(full, b, False, fill, width)
        if kind in ("shift", "shiftx"):
            return self._shift(kind, a, b, sa, sb, width)
        if kind == "slice":
            offset = params["OFFSET"]
            return a[offset:offset + width]
        if kind == "concat":
            return a + b
        raise RtlError(f"cell ${kind} ({name}) is not supported")

    def _gate(self, kind, op):
        """Gates after simplemap: the second route, by which the word-level semantics are checked."""
        aig = self.aig
        a, b = (op[port][0] if port in op else FALSE for port in "AB")
        if kind == "$_NOT_":
            return (a ^ 1,)
        if kind == "$_BUF_":
            return (a,)
        if kind == "$_MUX_":
            return (aig.mux(op["S"][0], b, a),)
        plain = {"$_AND_": aig.land, "$_OR_": aig.lor, "$_XOR_": aig.lxor}
        inverted = {"$_NAND_": aig.land, "$_NOR_": aig.lor, "$_XNOR_": aig.lxor}
        if kind in plain:
            return (plain[kind](a, b),)
        if kind in inverted:
            return (inverted[kind](a, b) ^ 1,)
        if kind == "$_ANDNOT_":
            return (aig.land(a, b ^ 1),)
        if kind == "$_ORNOT_":
            return (aig.lor(a, b ^ 1),)
        raise RtlError(f"gate {kind} is not supported")

    def _parallel(self, default, words, selects, width):
        """One-hot choice. Yosys makes it only of cases that exclude each other (see sources() for the exception)."""
        aig = self.aig
        none = aig.any(selects) ^ 1
        result = []
        for place in range(width):
            terms = [aig.land(none, default[place])]
            terms += [aig.land(select, words[at * width + place]) for at, select in enumerate(selects)]
            result.append(aig.any(terms))
        return tuple(result)

    def _divide(self, kind, a, b, signed, width):
        aig = self.aig
        size = max(len(a), len(b), width)
        a, b = aig.extend(a, size, signed), aig.extend(b, size, signed)
        zero = aig.any(b) ^ 1
        if signed:
            quotient, rest = aig.divide(aig.choose(a[-1], aig.negate(a), a), aig.choose(b[-1], aig.negate(b), b))
            quotient = aig.choose(aig.lxor(a[-1], b[-1]), aig.negate(quotient), quotient)
            rest = aig.choose(a[-1], aig.negate(rest), rest)
        else:
            quotient, rest = aig.divide(a, b)
        result = (quotient if kind == "div" else rest)[:width]
        if zero == FALSE:
            return result
        return aig.choose(zero, tuple(self.unknown("division by zero") for _ in result), result)

    def _shift(self, kind, a, b, sa, sb, width):
        aig = self.aig
        x = kind == "shiftx"
        size = max(len(a), width)
        full = tuple(a) + tuple(self.unknown("index") if x else (a[-1] if sa else FALSE) for _ in range(size - len(a)))
        if sb and len(b) > 1:
            if b[-1] == FALSE:
                b, sb = b[:-1], False
        else:
            sb = False
        # Amounts that the free bits of b can reach decide whether anything lies outside.
        reach = sum(1 << place for place, bit in enumerate(b) if bit != FALSE)
        if x and (sb or reach + width > size):
            pad = tuple(self.unknown("index") for _ in range(width))
        else:
            pad = (FALSE,) * width
        if sb:
            left = aig.shift(full, aig.negate(b), True)[:width]
            right = self._right(full, b[:-1], pad, width)
            if x:       # below the vector: x for the bits that fall out
                ones = aig.shift((TRUE,) * size, aig.negate(b), True)[:width]
                left = tuple(aig.mux(one, bit, free) for one, bit, free in zip(ones, left, pad))
            return aig.choose(b[-1], left, right)
        return self._right(full, b, pad, width)

    def _right(self, full, b, pad, width):
        """width bits from place b on; what lies above the vector comes from pad."""
        aig = self.aig
        result = aig.shift(full, b, False, FALSE, width)
        if not any(bit != FALSE for bit in pad):
            return result
        inside = aig.shift((TRUE,) * len(full), b, False, FALSE, width)
        return tuple(aig.mux(one, bit, free) for one, bit, free in zip(inside, result, pad))
