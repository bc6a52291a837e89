# SPDX-License-Identifier: Apache-2.0
"""The main program of a generator: writes its files, or with --check says which are out of date."""
import argparse
import pathlib
import sys

TOP = pathlib.Path(__file__).resolve().parent.parent


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
