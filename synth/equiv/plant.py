# SPDX-License-Identifier: Apache-2.0
"""Faults on purpose: one in the RTL netlist (Yosys mutate), one in the IR of the C model. A proof that does not refute
them proves nothing."""

import random
import subprocess
from pathlib import Path


def rtl_faults(folder, count, seed):
    """Yosys commands, one fault each, for the design that folder/rtl.ys elaborates."""
    folder = Path(folder)
    lines = [line for line in (folder / "rtl.ys").read_text().splitlines() if not line.startswith("write_json")]
    # Module names may hold characters that need the flattened top alone; proc and flatten have run by then.
    lines += ["opt_clean", f"mutate -list {count} -seed {seed} -none -o {folder}/mutations.txt"]
    (folder / "mutate.ys").write_text("\n".join(lines) + "\n")
    run = subprocess.run(["yosys", "-q", "-s", str(folder / "mutate.ys")], capture_output=True, text=True, timeout=600)
    if run.returncode:
        raise RuntimeError("yosys mutate: " + (run.stdout + run.stderr).strip()[-500:])
    text = (folder / "mutations.txt").read_text()
    return [line for line in text.splitlines() if line.startswith("mutate ") and "-mode none" not in line]


SWAPS = {"add": "sub", "sub": "add", "and": "or", "or": "and", "xor": "or", "shl": "lshr", "lshr": "shl"}
FLIPS = {"eq": "ne", "ne": "eq", "ult": "ule", "ule": "ult", "ugt": "uge", "uge": "ugt",
         "slt": "sle", "sle": "slt", "sgt": "sge", "sge": "sgt"}


def c_faults(module, seed):
    """(text, apply, undo) for single-instruction faults in step and outputs, in random order."""
    rng = random.Random(seed)
    names, seen = ["@equiv_step", "@equiv_outputs"], []
    while names:
        name = names.pop()
        if name in seen or name not in module._texts:
            continue
        seen.append(name)
        for code in module.function(name).blocks.values():
            names += [item[3] for item in code if item[0] == "call"]
    faults = []
    for name in sorted(seen):
        for label, code in module.function(name).blocks.items():
            for place, item in enumerate(code):
                new = _fault(item)
                if new is not None:
                    what = item[2] if isinstance(item[2], str) else item[0]
                    faults.append((f"{name[1:]}, block {label[1:]}, instruction {place} ({what})", code, place, item,
                                   new))
    rng.shuffle(faults)
    return faults


def _fault(item):
    if item[0] == "binary" and item[2] in SWAPS:
        return ("binary", item[1], SWAPS[item[2]], frozenset()) + item[4:]
    if item[0] == "icmp" and item[2] in FLIPS:
        return ("icmp", item[1], FLIPS[item[2]]) + item[3:]
    if item[0] == "select":
        return item[:4] + (item[5], item[4])
    if item[0] == "br" and item[4] is not None:
        return ("br", None, item[2], item[4], item[3])
    return None
