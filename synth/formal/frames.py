# SPDX-License-Identifier: Apache-2.0
"""Induction over clocks in the prover's own graph: Yosys elaborates with -formal, synth/equiv evaluates clock by clock,
CaDiCaL decides. Undefined bits are free in every clock.
"""

import json
import subprocess

import solve
from aig import Aig, FALSE, TRUE
from rtl import Netlist, RtlError, SILENT


class Clock(Netlist):
    """The netlist in one clock; $anyseq and $initstate are cells here."""

    def __init__(self, aig, module, first, constants):
        self.first, self.constants = first, constants
        super().__init__(aig, module)

    def _function(self, kind, params, op, name):
        if kind == "$initstate":
            return (TRUE if self.first else FALSE,)
        if kind == "$anyseq":
            return self.aig.fresh(params["WIDTH"], f"any {name}")
        if kind == "$anyconst":
            if name not in self.constants:
                self.constants[name] = self.aig.fresh(params["WIDTH"], f"constant {name}")
            return self.constants[name]
        if kind in ("$allseq", "$allconst"):
            raise RtlError(f"{kind} is not supported")
        return super()._function(kind, params, op, name)


def elaborate(lines, folder):
    """The module after the Yosys commands."""
    out = folder / "formal.json"
    path = folder / "formal.ys"
    path.write_text("\n".join(lines + ["memory_collect", "memory_map", "dffunmap", f"write_json {out}"]) + "\n")
    run = subprocess.run(["yosys", "-q", "-s", str(path)], capture_output=True, text=True)
    if run.returncode:
        raise RtlError("yosys: " + (run.stdout + run.stderr).strip()[-800:])
    modules = json.loads(out.read_text())["modules"]
    return next(item for item in modules.values() if "top" in item.get("attributes", {}))


class Unrolled:
    """Clocks 0, 1, ... from the initial state or from any state."""

    def __init__(self, module, from_reset):
        self.aig = Aig()
        self.module = module
        self.from_reset = from_reset
        self.clocks = []
        self.constants = {}
        self.asserts = []       # one list of (name, violated) per clock
        self.covers = []
        self.assumed = []       # one literal per clock
        self._inits = {}
        for net in module["netnames"].values():
            init = net.get("attributes", {}).get("init")
            if init is not None:
                for bit, value in zip(net["bits"], reversed(str(init))):
                    if value in "01":
                        self._inits[bit] = int(value)
        self._checks = [(name, cell) for name, cell in module["cells"].items() if cell["type"] in SILENT]

    def step(self):
        """One more clock."""
        aig, number = self.aig, len(self.clocks)
        clock = Clock(aig, self.module, self.from_reset and number == 0, self.constants)
        nexts = None
        if self.clocks:
            before = self.clocks[-1]
            order = list(before.flops)
            nexts = dict(zip(order, before.vector([before.flops[q] for q in order])))
        for q in clock.flops:
            if nexts is not None:
                clock.bit[q] = nexts[q]
            elif self.from_reset and q in self._inits:
                clock.bit[q] = self._inits[q]
            else:
                clock.bit[q] = aig.new(f"start {q}")
        for name, port in self.module["ports"].items():
            if port["direction"] == "input":
                clock.bit.update(zip(port["bits"], aig.fresh(len(port["bits"]), f"{name}@{number}")))
        clock.bit[self.module["ports"]["clk"]["bits"][0]] = FALSE
        self.clocks.append(clock)
        asserts, covers, assumed = [], [], TRUE
        for name, cell in self._checks:
            if cell["type"] not in ("$assert", "$assume", "$cover"):
                continue
            a = clock.vector(cell["connections"]["A"])[0]
            enable = clock.vector(cell["connections"]["EN"])[0]
            place = cell.get("attributes", {}).get("src", name)
            if cell["type"] == "$assert":
                asserts.append((place, aig.land(enable, a ^ 1)))
            elif cell["type"] == "$cover":
                covers.append((place, aig.land(enable, a)))
            else:
                assumed = aig.land(assumed, aig.lor(enable ^ 1, a))
        self.asserts.append(asserts)
        self.covers.append(covers)
        self.assumed.append(assumed)

    def broken(self, number):
        return self.aig.any(bad for _, bad in self.asserts[number])

    def violate(self, number, given, folder, limit):
        """Can an assertion of this clock be violated while `given` and all assumptions hold? Answers as ask()."""
        aig = self.aig
        given = aig.all([given] + self.assumed)
        goals = sorted({aig.land(given, bad) for _, bad in self.asserts[number]} - {FALSE})
        if not goals:
            return "unsat", None
        verdict = "unsat"
        for goal, outcome in zip(goals, solve.decide(aig, goals, folder, max(1, limit), rounds=1)):
            if outcome.verdict == "refuted":
                values = aig.simulate(outcome.inputs, 1)
                if not (values[goal >> 1] ^ goal) & 1:
                    raise RuntimeError("a counterexample of the solver does not hold in simulation")
                return "sat", values
            if outcome.verdict == "unknown":
                verdict = "unknown"
        return verdict, None

    def ask(self, wanted, folder, limit):
        """Can `wanted` be 1 while all assumptions hold? ("sat", values of all nodes) / ("unsat", None) / ("unknown", None)"""
        aig = self.aig
        goal = aig.land(wanted, aig.all(self.assumed))
        if goal == FALSE:
            return "unsat", None
        if goal == TRUE:
            return "sat", aig.simulate({}, 1)
        verdict, inputs = solve.satisfy(aig, [goal], folder, limit)
        if verdict != "sat":
            return verdict, None
        values = aig.simulate(inputs, 1)
        if not (values[goal >> 1] ^ goal) & 1:
            raise RuntimeError("a counterexample of the solver does not hold in simulation")
        return "sat", values

    def words(self, values, last):
        """Lines that show the inputs and registers of the last clocks."""
        lines = []
        for number in range(max(0, last - 2), last + 1):
            clock, shown = self.clocks[number], []
            for name, net in sorted(self.module["netnames"].items()):
                if net.get("hide_name") or "$" in name or not (name.endswith("_q") or name in self.module["ports"] or name.startswith("f_")):
                    continue
                bits = [clock.bit[bit] for bit in net["bits"] if bit in clock.bit]
                if len(bits) == len(net["bits"]):
                    value = sum(((values[bit >> 1] ^ bit) & 1) << place for place, bit in enumerate(bits))
                    if value and name != "clk":
                        shown.append(f"{name}={value:#x}" if value > 9 else f"{name}={value}")
            lines.append(f"    clock {number}: " + (", ".join(shown) or "all 0"))
        return lines


def violations(unrolled, number, values):
    return [place for place, bad in unrolled.asserts[number] if (values[bad >> 1] ^ bad) & 1]


def induct(module, deepest, folder, seconds):
    """(verdict, lines, facts): the least depth at which the assertions are inductive, with the base case from reset."""
    end = solve.spent() + seconds
    start, loose = Unrolled(module, True), Unrolled(module, False)
    start.step()
    loose.step()
    facts = {"asserts": len(start.asserts[0]), "depth": 0}
    result = None
    for depth in range(1, deepest + 1):
        # Clocks 0..depth from reset: the step below speaks of clocks that are not the first.
        while len(start.clocks) <= depth:
            number = len(start.clocks) - 1
            verdict, values = start.violate(number, TRUE, folder, end - solve.spent())
            if verdict == "sat":
                return "refuted", [f"  violated {number} clocks after the start: {', '.join(violations(start, number, values))}"] + \
                    start.words(values, number), facts
            if verdict == "unknown":
                return "timeout", [], facts
            start.step()
        loose.step()
        good = loose.aig.all(loose.broken(number) ^ 1 for number in range(depth))
        verdict, values = loose.violate(depth, good, folder, end - solve.spent())
        if verdict == "unsat":
            number = depth
            verdict, values = start.violate(number, TRUE, folder, end - solve.spent())
            if verdict == "sat":
                return "refuted", [f"  violated {number} clocks after the start: {', '.join(violations(start, number, values))}"] + \
                    start.words(values, number), facts
            facts["depth"] = depth
            return ("proved", [], facts) if verdict == "unsat" else ("timeout", [], facts)
        if verdict == "unknown":
            return "timeout", result or [], facts
        result = [f"  not inductive over {depth} clocks: {', '.join(violations(loose, depth, values))}"] + loose.words(values, depth)
    return "open", result, facts


def bounded(module, depth, folder, seconds):
    """Is an assertion violated within `depth` clocks from reset?"""
    end = solve.spent() + seconds
    start = Unrolled(module, True)
    for number in range(depth):
        start.step()
        verdict, _ = start.violate(number, TRUE, folder, end - solve.spent())
        if verdict != "unsat":
            return verdict == "sat"
    return False


def possible(module, depth, folder, seconds):
    """Do the assumptions allow `depth` clocks from the start?"""
    start = Unrolled(module, True)
    for _ in range(depth):
        start.step()
    return start.ask(TRUE, folder, seconds)[0] == "sat"


def covered(module, depth, folder, seconds):
    """{place of a cover: clock at which it is reached, or None within `depth`}"""
    end = solve.spent() + seconds
    start = Unrolled(module, True)
    found = {}
    for number in range(depth):
        start.step()
        for place, goal in start.covers[number]:
            found.setdefault(place, None)
            if found[place] is None and solve.spent() < end:
                verdict, values = start.ask(goal, folder, max(1, end - solve.spent()))
                if verdict == "sat":
                    for other, bit in start.covers[number]:
                        if found.get(other) is None and (values[bit >> 1] ^ bit) & 1:
                            found[other] = number
    return found
