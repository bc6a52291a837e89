#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every relative link of the Markdown pages, with its heading, and every file they name in code, exists."""

import functools
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^]]*\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
NAMED = re.compile(r"`((?:rtl|cmodel|tb|sim|synth|fpga|docs)/[A-Za-z0-9_./-]+\.[a-z]+)`")


def lines(page):
    """Number and text of the lines outside of code."""
    fenced = False
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith(("```", "~~~")):
            fenced = not fenced
        elif not fenced:
            yield number, line


@functools.cache
def anchors(page):
    """Anchors of a page's headings, as hosts of Markdown make them."""
    titles = (re.sub(r"[`*]|\[([^]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()) for _,
              line in lines(page) if re.match("#+ ", line))
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def missing(page, line):
    """What a line points to: (how many are good, [what is not])."""
    good, bad = 0, []
    for name, anchor in LINK.findall(line):
        if ":" in name:
            continue
        target = page.parent / name if name else page
        if not target.exists():
            bad.append(f"{target.name} does not exist; correct the link")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            bad.append(f"{target.name} has no heading #{anchor}; correct the link")
        else:
            good += 1
    for name in NAMED.findall(line):
        if (ROOT / name).exists():
            good += 1
        else:
            bad.append(f"{name} does not exist; correct the name")
    return good, bad


def main():
    passed = failed = 0
    for page in sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md")):
        for number, line in lines(page):
            good, bad = missing(page, line)
            passed += good
            failed += len(bad)
            for text in bad:
                print(f"{page.relative_to(ROOT)}:{number}: {text}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
