# SPDX-License-Identifier: Apache-2.0
"""The main program of a generator: writes its files, or with --check says which are out of date. And which macros of a
header somebody uses."""
import argparse
import functools
import pathlib
import re
import sys

TOP = pathlib.Path(__file__).resolve().parents[2]
DEFINE = re.compile(r"^[`#]define (\w+)(?:.*\\\n)*.*\n", re.M)
USED = "Only names that a file of the project uses: run `make generate` after a new use."
# The files that may use a macro, by the header's suffix, and programs that write such files.
USERS = {".vh": ("rtl/*/*.v*", "tb/*/*.v", "fpga/*.v", "fpga/*/*.v", "synth/*/*.v"),
         ".h": ("cmodel/*/*.[ch]", "tb/**/*.[ch]", "tb/**/*.cpp", "tb/**/*.def", "fpga/*.[ch]")}
# The driver has headers of its own, with every name, and so has the program that writes these.
WRITERS = ("sim/*/*.py", "sim/*/*.txt", "sim/*.py", "sim/*.txt", "sim/tests.d/*.sh", "synth/*/*.py")


def words(text):
    """All but what stands in strings."""
    return set(re.findall(r"\w+", re.sub(r'"[^"\n]*"', "", text)))


@functools.cache
def _read(patterns, without):
    paths = {path for pattern in patterns for path in TOP.glob(pattern)} - {TOP / path for path in without}
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))


def used(text, path, generator):
    """The header without the macros that no file uses; `path`: where it is, `generator`: the program that makes it."""
    users = _read(USERS[pathlib.Path(path).suffix], (path, "cmodel/driver/totem_driver.c"))
    known, pasted = words(users) | words(DEFINE.sub("", text)), words(users)
    known.update(re.findall(r"\w+", _read(WRITERS, (generator, "sim/gen/gen_include.py"))))
    before, behind = (set(re.findall(form, users + text)) for form in (r"(\w+)##", r"##(\w+)"))
    kept = set()

    def wanted(name):
        return (name in known or any(name.startswith(part) and name[len(part):] in pasted for part in before)
                or any(name.endswith(part) and name[:-len(part)] in pasted for part in behind))

    while True:                         # what a macro uses that somebody uses
        more = [line for line in DEFINE.finditer(text) if line[1] not in kept and wanted(line[1])]
        if not more:
            break
        kept.update(line[1] for line in more)
        known = known.union(*(words(line[0].split(line[1], 1)[1]) for line in more))
    left = []
    for section in re.split(r"(?<=\n)\n", text):
        rest = DEFINE.sub(lambda line: line[0] if line[1] in kept else "", section)
        if rest == section or re.search(r"^(?!//).", rest, re.M):
            left.append(rest)
    return "\n".join(left)


def generate(program, doc, read, files):
    """`read`: gives the source; `files`: path below the top folder -> function of the source that gives the text."""
    parser = argparse.ArgumentParser(description=doc.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if a generated file is out of date")
    options = parser.parse_args()
    source, stale = read(), []
    for path, make in files.items():
        text, file = make(source), TOP / path
        if file.exists() and file.read_text() == text:
            continue
        if options.check:
            stale.append(path)
        else:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            print(f"wrote {path}")
    if stale:
        sys.exit(f"out of date: {', '.join(stale)}; run {program}")
