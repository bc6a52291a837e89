# SPDX-License-Identifier: Apache-2.0
"""Induction over clocks in the prover's own graph: Yosys elaborates with -formal, synth/equiv evaluates clock by clock,
CaDiCaL decides. Undefined bits are free in every clock.
"""

import json
import subprocess

import solve
from aig import Aig, FALSE, TRUE
from rtl import Netlist, RtlError, SILENT


TOGETHER = 20   # seconds for assertions that are asked together, before they are asked in halves


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


class Question:
    """Clauses of a graph in which some literals hold. What follows from them by a query may be added to them."""

    def __init__(self, aig, holding, goals, folder):
        self.aig = aig
        self.holding = [literal for literal in dict.fromkeys(holding) if literal != TRUE]
        self.path = folder / "question.cnf"
        nodes = [node for node in aig.cone([*self.holding, *goals]) if node]
        self.number = {node: place + 1 for place, node in enumerate(nodes)}
        self.inputs = [node for node in nodes if aig.left[node] < 0]
        self.inside = set(aig.cone(self.holding))
        self.text, self.count = self._clauses(node for node in nodes if node in self.inside)

    def _term(self, literal):
        return -self.number[literal >> 1] if literal & 1 else self.number[literal >> 1]

    def _clauses(self, nodes):
        lines = []
        for node in nodes:
            if self.aig.left[node] >= 0:
                out, a, b = self.number[node], self._term(self.aig.left[node]), self._term(self.aig.right[node])
                lines += [f"{-out} {a} 0", f"{-out} {b} 0", f"{out} {-a} {-b} 0"]
        return "\n".join(lines) + "\n" if lines else "", len(lines)

    def _outside(self, literals):
        """Nodes below these literals that have no clauses yet."""
        left, right = self.aig.left, self.aig.right
        seen, stack = set(), [literal >> 1 for literal in literals]
        while stack:
            node = stack.pop()
            if node and node not in seen and node not in self.inside:
                seen.add(node)
                if left[node] >= 0:
                    stack += (left[node] >> 1, right[node] >> 1)
        return sorted(seen)

    def hold(self, literals):
        """These hold from now on."""
        nodes = self._outside(literals)
        text, count = self._clauses(nodes)
        self.inside.update(nodes)
        self.text, self.count = self.text + text, self.count + count
        self.holding += literals

    def ask(self, goals, limit):
        """Can one of the goals be 1? ("sat", values of all nodes) / ("unsat", None) / ("unknown", None)"""
        if FALSE in self.holding:
            return "unsat", None
        nodes = self._outside(goals)
        text, count = self._clauses(nodes)
        units = [str(self._term(literal)) for literal in self.holding]
        if TRUE not in goals:
            units.append(" ".join(str(self._term(goal)) for goal in goals if goal != FALSE))
        with open(self.path, "w", encoding="ascii") as file:
            file.write(f"p cnf {len(self.number)} {self.count + count + len(units)}\n")
            file.write(self.text + text + "".join(f"{unit} 0\n" for unit in units))
        run = solve.limited(["cadical", "-q", str(self.path)], limit)
        if run.returncode == 20:
            return "unsat", None
        if run.returncode != 10:
            return "unknown", None
        true = set()
        for line in run.stdout.splitlines():
            if line.startswith("v"):
                true.update(int(word) for word in line[1:].split() if int(word) > 0)
        values = self.aig.simulate({node: int(self.number[node] in true) for node in self.inputs}, 1)
        if not all((values[item >> 1] ^ item) & 1 for item in self.holding) or \
                not any((values[item >> 1] ^ item) & 1 for item in goals):
            raise RuntimeError("a counterexample of the solver does not hold in simulation")
        return "sat", values


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
        if "clk" in self.module["ports"]:       # a combinational block has none
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
        """Can an assertion of this clock be violated while `given` and all assumptions hold? Answers as ask(); with
        "unknown" the places that are not decided."""
        aig = self.aig
        given = aig.all([given] + self.assumed)
        asked = [(place, aig.land(given, bad)) for place, bad in self.asserts[number]]
        goals = sorted({goal for _, goal in asked} - {FALSE})
        if not goals:
            return "unsat", None
        open_ = set()
        for goal, outcome in zip(goals, solve.decide(aig, goals, folder, max(1, limit), rounds=1)):
            if outcome.verdict == "refuted":
                values = aig.simulate(outcome.inputs, 1)
                if not (values[goal >> 1] ^ goal) & 1:
                    raise RuntimeError("a counterexample of the solver does not hold in simulation")
                return "sat", values
            if outcome.verdict == "unknown":
                open_.add(goal)
        return ("unknown", [place for place, goal in asked if goal in open_]) if open_ else ("unsat", None)

    def violate_apart(self, number, good, folder, limit, first=(), whole=False):
        """As violate(), one query for the assertions of one place of the source at a time, or with `whole` for all; in
        halves if that takes long. `good` are literals that hold: they and the assumptions are clauses of their own, and
        so is what the queries before have shown of this clock. `first`: places whose turn comes first."""
        end = solve.spent() + limit
        question = Question(self.aig, [*good, *self.assumed], [bad for _, bad in self.asserts[number]], folder)
        places = {}
        for place, bad in self.asserts[number]:
            if bad != FALSE:
                places.setdefault("" if whole else place, {})[bad] = None
        groups = [list(places[place]) for place in sorted(places, key=lambda item: item not in first)]
        groups.reverse()

        def undecided(*more):
            open_ = {bad for each in (*groups, *more) for bad in each}
            return "unknown", [place for place, bad in self.asserts[number] if bad in open_]

        while groups:
            group = groups.pop()
            left = end - solve.spent()
            if left <= 0:
                return undecided(group)
            verdict, values = question.ask(group, min(left, TOGETHER) if len(group) > 1 else left)
            if verdict == "sat":
                return "sat", values
            if verdict == "unsat":
                question.hold([bad ^ 1 for bad in group])
            elif len(group) == 1:
                return undecided(group)
            else:
                half = len(group) // 2
                groups += [group[half:], group[:half]]
        return "unsat", None

    def ask(self, wanted, folder, limit):
        """Can `wanted` be 1 while all assumptions hold? Answers as above."""
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
        """Lines that show the inputs and registers of the last clocks on which the violated assertions depend."""
        aig, lines = self.aig, []
        cone = set(aig.cone([bad for _, bad in self.asserts[last] if (values[bad >> 1] ^ bad) & 1]))
        for number in range(max(0, last - 2), last + 1):
            clock, shown = self.clocks[number], []
            for name, net in sorted(self.module["netnames"].items()):
                told = name.endswith("_q") or name in self.module["ports"] or name.startswith("f_")
                if net.get("hide_name") or "$" in name or not told:
                    continue
                bits = [clock.bit[bit] for bit in net["bits"] if bit in clock.bit]
                if len(bits) == len(net["bits"]) and any(bit >> 1 in cone for bit in bits):
                    value = sum(((values[bit >> 1] ^ bit) & 1) << place for place, bit in enumerate(bits))
                    if value and name != "clk":
                        shown.append(f"{name}={value:#x}" if value > 9 else f"{name}={value}")
            lines.append(f"clock {number}: " + (", ".join(shown) or "all 0"))
        return lines


def violations(unrolled, number, values):
    return [place for place, bad in unrolled.asserts[number] if (values[bad >> 1] ^ bad) & 1]


def induct(module, deepest, folder, seconds, apart=False, depths=None):
    """(verdict, lines, facts): the least depth at which the assertions are inductive, with the base case from reset.
    If they are not, the first line says what fails, facts["places"] which assertions, and the others show clocks.
    With `apart` every assertion is asked by itself. With `depths` only these are tried, and the base case is asked
    where the step closes: the same claim, told sooner if it does not hold, but not whether it is violated from the
    start."""
    end = solve.spent() + seconds
    start, loose = Unrolled(module, True), Unrolled(module, False)
    start.step()
    loose.step()
    facts = {"asserts": len(start.asserts[0]), "depth": 0}
    result, failed = None, ()

    def from_start(number):
        if not apart:
            return start.violate(number, TRUE, folder, end - solve.spent())
        good = [bad ^ 1 for earlier in start.asserts[:number] for _, bad in earlier]
        return start.violate_apart(number, good, folder, end - solve.spent(), whole=True)

    def after(depth):
        if not apart:
            good = loose.aig.all(loose.broken(number) ^ 1 for number in range(depth))
            return loose.violate(depth, good, folder, end - solve.spent())
        good = [bad ^ 1 for earlier in loose.asserts[:depth] for _, bad in earlier]
        return loose.violate_apart(depth, good, folder, end - solve.spent(), failed)

    def base(last):
        """Clocks up to `last` from reset that were not asked yet: an answer if one is not proved."""
        while len(asked) <= last:
            number = len(asked)
            while len(start.clocks) <= number:
                start.step()
            verdict, values = from_start(number)
            if verdict == "sat":
                facts["places"] = violations(start, number, values)
                return "refuted", [f"violated {number} clocks after the start:", *start.words(values, number)], facts
            if verdict == "unknown":
                facts["places"] = values
                return "timeout", [f"not decided {number} clocks after the start:"], facts
            asked.append(number)
        return None

    asked = []
    for depth in depths or range(1, deepest + 1):
        # The step speaks of clocks that are not the first: those before it are of the base case.
        bad = None if depths else base(depth - 1)
        if bad:
            return bad
        while len(loose.clocks) <= depth:
            loose.step()
        verdict, values = after(depth)
        if verdict == "unsat":
            facts["depth"] = depth
            return base(depth) or ("proved", [], facts)
        if verdict == "unknown":
            facts["places"] = values
            return "timeout", [f"not decided over {depth} clocks:"], facts
        facts["places"] = violations(loose, depth, values)
        failed = frozenset(facts["places"])
        result = [f"not inductive over {depth} clocks:", *loose.words(values, depth)]
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
    """{place of a cover: clock at which it is reached, None: not within `depth`, -1: not decided in time}"""
    end = solve.spent() + seconds
    start = Unrolled(module, True)
    found = {}
    for number in range(depth):
        start.step()
        for place, goal in start.covers[number]:
            found.setdefault(place, None)
            if found[place] not in (None, -1):
                continue
            left = end - solve.spent()
            verdict, values = start.ask(goal, folder, max(1, left)) if left > 0 else ("unknown", None)
            if verdict == "unknown":
                found[place] = -1
            elif verdict == "sat":
                for other, bit in start.covers[number]:
                    if found.get(other) in (None, -1) and (values[bit >> 1] ^ bit) & 1:
                        found[other] = number
    return found
