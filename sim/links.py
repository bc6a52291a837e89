#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that every relative link of the Markdown pages, and every file they name in code, exists."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINK = re.compile(r"\[[^]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
NAMED = re.compile(r"`((?:rtl|cmodel|tb|sim|synth|fpga|docs)/[A-Za-z0-9_./-]+\.[a-z]+)`")


def main():
    passed = failed = 0
    pages = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))
    for page in pages:
        fenced = False
        for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
            if line.startswith(("```", "~~~")):
                fenced = not fenced
            if fenced:
                continue
            wanted = [page.parent / link for link in LINK.findall(line) if "://" not in link and not link.startswith("mailto:")]
            wanted += [ROOT / name for name in NAMED.findall(line)]
            for target in wanted:
                if target.exists():
                    passed += 1
                else:
                    failed += 1
                    print(f"{page.relative_to(ROOT)}:{number}: {target.name} does not exist; correct the link or the name")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
