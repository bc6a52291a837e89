# SPDX-License-Identifier: Apache-2.0
"""Decides whether literals of the graph can be 1: random simulation, then ABC's SAT sweeping, then CaDiCaL.

Limits are processor seconds of the solvers, so that a verdict does not depend on what else the machine does.
Every "can be 1" comes with an assignment of the inputs that is checked by simulation before it is believed.
"""

import random
import resource
import subprocess
from pathlib import Path

import aig as graphs
from aig import FALSE, TRUE

PATTERNS = 2048


def spent():
    """Processor seconds of all children so far."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def limited(command, seconds, folder=None):
    """Run with a limit of processor time; the result has a negative return code when that ends it."""
    seconds = max(1, int(seconds))
    return subprocess.run(command, capture_output=True, text=True, cwd=folder,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1)))


class Outcome:
    __slots__ = ("verdict", "inputs", "by")

    def __init__(self, verdict, inputs=None, by=""):
        self.verdict = verdict      # "proved", "refuted", "unknown"
        self.inputs = inputs        # input node -> 0/1 when refuted
        self.by = by


def simulate(aig, goals, rounds, seed):
    """{index of goal: assignment} for the goals that random patterns reach."""
    rng = random.Random(seed)
    nodes = aig.cone(goals)
    ins = [node for node in nodes if aig.left[node] < 0]
    mask = (1 << PATTERNS) - 1
    found = {}
    for turn in range(rounds):
        patterns = {}
        for node in ins:
            word = rng.getrandbits(PATTERNS)
            kind = (turn + rng.randrange(4)) % 4      # denser and thinner words reach corners that even ones miss
            if kind == 1:
                word &= rng.getrandbits(PATTERNS) & rng.getrandbits(PATTERNS)
            elif kind == 2:
                word |= rng.getrandbits(PATTERNS) | rng.getrandbits(PATTERNS)
            patterns[node] = word
        values = aig.simulate(patterns, mask, nodes)
        for place, goal in enumerate(goals):
            if place in found or goal < 2:
                continue
            word = values[goal >> 1] ^ (mask if goal & 1 else 0)
            if word:
                at = (word & -word).bit_length() - 1
                found[place] = {node: (patterns[node] >> at) & 1 for node in ins}
        if len(found) == len(goals):
            break
    return found


def holds(aig, goal, inputs):
    """Value of the goal under the assignment; inputs that are not named are 0."""
    values = aig.simulate(inputs, 1, aig.cone([goal]))
    return (values[goal >> 1] ^ goal) & 1


def sweep(aig, goals, conflicts, folder, limit):
    """ABC's &fraig over all goals: (swept graph, its literals of the goals, swept input -> input of `aig`) or None."""
    source, target = Path(folder) / "miter.aig", Path(folder) / "swept.aig"
    ins, _ = aig.write(source, goals)
    target.unlink(missing_ok=True)
    command = f"&r miter.aig; &fraig -y -C {conflicts}; &w swept.aig"
    if limited(["yosys-abc", "-q", command], limit, folder).returncode < 0:
        return None
    if not target.exists():
        return None
    swept, outputs = graphs.read(target)
    return swept, outputs, dict(zip(swept.inputs, ins))


def near(aig, goals, inputs, seed):
    """Like simulate(), with patterns that differ from `inputs` in few places."""
    rng = random.Random(seed)
    nodes = aig.cone(goals)
    ins = [node for node in nodes if aig.left[node] < 0]
    mask = (1 << PATTERNS) - 1
    patterns = {}
    for node in ins:
        word = (rng.getrandbits(PATTERNS) & rng.getrandbits(PATTERNS)
                & rng.getrandbits(PATTERNS) & rng.getrandbits(PATTERNS))
        patterns[node] = word ^ (mask if inputs.get(node) else 0)
    values = aig.simulate(patterns, mask, nodes)
    found = {}
    for place, goal in enumerate(goals):
        word = values[goal >> 1] ^ (mask if goal & 1 else 0)
        if word:
            at = (word & -word).bit_length() - 1
            found[place] = {node: (patterns[node] >> at) & 1 for node in ins}
    return found


def satisfy(aig, goals, folder, limit):
    """Is one of the goals reachable? ("sat", assignment) / ("unsat", None) / ("unknown", None). Uses CaDiCaL."""
    nodes = aig.cone(goals)
    number = {node: place + 1 for place, node in enumerate(nodes)}

    def term(literal):
        return -number[literal >> 1] if literal & 1 else number[literal >> 1]

    clauses = []
    for node in nodes:
        if aig.left[node] >= 0:
            out, a, b = number[node], term(aig.left[node]), term(aig.right[node])
            clauses += [f"{-out} {a} 0", f"{-out} {b} 0", f"{out} {-a} {-b} 0"]
    clauses.append(" ".join(str(term(goal)) for goal in goals) + " 0")
    path = Path(folder) / "question.cnf"
    path.write_text(f"p cnf {len(nodes)} {len(clauses)}\n" + "\n".join(clauses) + "\n")
    run = limited(["cadical", "-q", str(path)], limit)
    if run.returncode == 20:
        return "unsat", None
    if run.returncode != 10:
        return "unknown", None
    true = set()
    for line in run.stdout.splitlines():
        if line.startswith("v"):
            true.update(int(word) for word in line[1:].split() if int(word) > 0)
    return "sat", {node: int(number[node] in true) for node in nodes if aig.left[node] < 0}


def decide(aig, goals, folder, limit=300, seed=1, progress=None, rounds=4):
    """One Outcome per goal."""
    say = progress or (lambda text: None)
    end = spent() + limit
    results = [None] * len(goals)
    for place, goal in enumerate(goals):
        if goal == FALSE:
            results[place] = Outcome("proved", by="structure")
        elif goal == TRUE:
            results[place] = Outcome("refuted", {}, "structure")
    open_ = [place for place in range(len(goals)) if results[place] is None]
    if open_:
        say("random simulation")
        for place, inputs in simulate(aig, [goals[p] for p in open_], rounds, seed).items():
            results[open_[place]] = Outcome("refuted", inputs, "simulation")
        open_ = [place for place in open_ if results[place] is None]
    # Easy equivalences first, then with more effort what is left of the cones.
    here, back, rest = aig, None, [(place, goals[place]) for place in open_]
    for conflicts, share, attempt in ((100, 0.3, 6), (1000, 0.3, 30), (10000, 0.5, 30)):
        if not rest:
            break
        say(f"ABC sweeps {len(rest)} outputs, effort {conflicts}")
        swept = sweep(here, [literal for _, literal in rest], conflicts, folder, max(2, share * (end - spent())))
        if swept is None:
            break
        here, literals, link = swept
        back = {new: (back[old] if back else old) for new, old in link.items()}
        left = []
        for (place, _), literal in zip(rest, literals):
            if literal == FALSE:
                results[place] = Outcome("proved", by="sweeping")
            else:
                left.append((place, literal))
        rest = left
        if rest:
            # One try at all of them; halves only when sweeping has nothing more to give.
            _search(aig, goals, here, back, rest, results, folder, end, say, min(attempt, (end - spent()) / 4))
            rest = [item for item in rest if results[item[0]] is None]
    if rest:
        _search(aig, goals, here, back, rest, results, folder, end, say)
    return [item if item is not None else Outcome("unknown") for item in results]


def _search(aig, goals, swept, back, rest, results, folder, end, say, only=None):
    """CaDiCaL on what sweeping left: all at once, then halves if that takes too long; with `only` no halves."""
    groups = [rest] if rest else []
    while groups and spent() < end:
        group = groups.pop()
        left = end - spent()
        say(f"CaDiCaL on {len(group)} of {sum(map(len, groups)) + len(group)} outputs")
        fixed = [item for item in group if item[1] == TRUE]
        if fixed:
            verdict, model = "sat", {}
        else:
            verdict, model = satisfy(swept, [literal for _, literal in group], folder,
                                     only or (left if len(group) == 1 else max(1, left / 3)))
        if verdict == "unsat":
            for place, _ in group:
                results[place] = Outcome("proved", by="SAT")
        elif verdict == "sat":
            inputs = {(back[node] if back else node): value for node, value in model.items()}
            values = aig.simulate(inputs, 1)
            still = []
            for place, literal in group:
                if (values[goals[place] >> 1] ^ goals[place]) & 1:
                    results[place] = Outcome("refuted", inputs, "SAT")
                else:
                    still.append((place, literal))
            if len(still) == len(group):
                raise RuntimeError("a counterexample of the solver does not hold in simulation")
            if still:       # what fails here often fails close by elsewhere
                for place, other in near(aig, [goals[p] for p, _ in still], inputs, len(still)).items():
                    results[still[place][0]] = Outcome("refuted", other, "simulation")
                still = [entry for entry in still if results[entry[0]] is None]
            if still:
                groups.append(still)
        elif len(group) > 1 and not only:
            half = len(group) // 2
            groups += [group[half:], group[:half]]
