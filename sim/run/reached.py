# SPDX-License-Identifier: Apache-2.0
"""Which rules of its contract the inputs of `make block` reached, from the lines of the C twin that ran (gcov).

The code of a rule is what stands behind its comment `// 3 Readiness` (also `, continued`), until the comment of another
rule, or the end of the block of code that the comment is in. A rule that acts under conditions (writes a state or an
output, calls, returns a value) is not reached if none of that ran: computing the condition, a variable of the function,
or leaving it, are not enough. It is reached in part if another line of it never ran. A rule without conditions is
computed in every clock; it is reached in part until every part of its expressions was true once and false once.
"""

import json
import os
import re
import subprocess

import contract
import vocabulary

HEAD = re.compile(r"(\} )?(else\b|if \(|while \(|switch \(|case\b|default:)")
LABEL = re.compile(r"((case [^:]+|default): *)+")
LEAVES = re.compile(r"(return( (true|false|NULL|\w*0))?|break|continue);$")
ACTS = re.compile(r"(return |\w+\(|\w+ *= \w+\(|[*(&]|\w+(->|\.|\[)|\+\+|--)")
DECLARES = re.compile(r"(const|static|unsigned|bool|size_t|u?int\d+_t|totem_\w+|struct|enum) [*\w ]+[\[;=]")


def statements(path):
    """[(rule, line, end, under a condition, text)] of the code of rules; conditions, declarations and effects alike."""
    rule, margin, heads, found, text, first = None, 0, [], [], "", 0
    lines = path.read_text(encoding="utf-8").splitlines()
    bare = vocabulary.code("\n".join(lines)).splitlines()
    for number, line in enumerate(bare, 1):
        match = vocabulary.RULE.match(lines[number - 1])
        if match:
            rule, margin, heads, text = int(match[1]), len(lines[number - 1]) - len(lines[number - 1].lstrip()), [], ""
            continue
        if not line.strip() or line.startswith("#") or rule is None:
            continue
        if not text:
            first, depth = number, len(line) - len(line.lstrip())
            if depth < margin or line.startswith("}"):
                rule = None
                continue
        text = f"{text} {line.strip()}".strip()
        head = re.match(r"(\} )?(else )?(if|while|for|switch) \(", text)
        if text.count("(") > text.count(")") or not (head or re.search(r"[;{}:]$|^(\} )?else$", text)):
            continue
        heads = [above for above in heads if above < depth]
        if depth:
            found.append((rule, first, number, bool(heads) or bool(LABEL.match(text)), text))
        if HEAD.match(text):
            heads.append(depth)
        text = ""
    return found


def counts(folder, files):
    """{file name: {line: (count, whether no branch has a side that never ran)}}."""
    data = [str(path) for path in folder.glob("obj/**/*.gcda")]
    out = subprocess.run(["gcov", "--json-format", "--stdout", "--branch-probabilities", *data], check=True,
                         stdout=subprocess.PIPE, text=True).stdout if data else ""
    found = {path.name: {} for path in files}
    for file in (file for line in out.splitlines() for file in json.loads(line)["files"]):
        here = found.get(file["file"].rpartition("/")[2], {})
        for entry in file["lines"]:
            count, both = here.get(entry["line_number"], (0, True))
            here[entry["line_number"]] = (count + entry["count"],
                                          both and all(branch["count"] for branch in entry["branches"]))
    return found


def reached(block, folder, cmodel):
    """{number: (how, place of what did not run, its text)}; how is all, part, none, or absent: not in this build."""
    block = contract.load(block)
    files = vocabulary.parts(cmodel / block.area, block.name, ".c", ".h")
    ran, code = counts(folder, files), {rule.number: [] for rule in block.rules}
    for path in files:
        for rule, first, last, guarded, text in statements(path):
            lines = [ran[path.name][line] for line in range(first, last + 1) if line in ran[path.name]]
            body = LABEL.sub("", text)
            if lines and body.strip("{} ") and not LEAVES.fullmatch(body):
                acts = bool(ACTS.match(body)) and body[-1] == ";" and not DECLARES.match(body)
                code[rule].append((guarded and acts, acts, max(lines)[0] > 0, all(both for _, both in lines),
                                   f"{os.path.relpath(path)}:{first}", body))
    result = {}
    for rule, what in code.items():
        acting = [entry for entry in what if entry[0]] or [entry for entry in what if entry[1]] or what
        missed = [(place, f"never ran: {text}") for *_, ran_once, _, place, text in what if not ran_once] or \
            [(place, f"a part of it never changed: {text}") for guarded, _, _, both, place, text in what
             if not acting[0][0] and not both]
        how = "absent" if not what else "none" if not any(entry[2] for entry in acting) else "part" if missed else "all"
        result[rule] = (how, *(missed[0] if missed else ("", "")))
    return block, result


def told(name, folder, cmodel, run):
    """Lines for the end of a run that was `run` long."""
    try:
        block, result = reached(name, folder, cmodel)
    except (OSError, subprocess.CalledProcessError, json.JSONDecodeError) as error:     # another compiler
        return [f"rules reached: not told, gcov does not read what the twin counted ({error})"]
    hows = [how for how, *_ in result.values()]
    lines = [f"rules reached: {hows.count('all')} of {len(hows)}"
             + (f", and {hows.count('part')} in part" if "part" in hows else "") + f", in {run}"]
    for rule in block.rules:
        how, place, text = result[rule.number]
        if how != "all":
            what = {"part": "in part", "none": "not reached",
                    "absent": "not told, it has no code of its own in this build"}[how]
            sentence = re.match(r".*?\.(?= |$)|.*", rule.text.partition(" * ")[0])[0]
            lines += [f"  {rule.number} {rule.name}, {what}: {sentence}",
                      *([f"    {place} {text}"] if place else [])]
    return lines
