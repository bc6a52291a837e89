# SPDX-License-Identifier: Apache-2.0
"""Runs the cocotb tests of one block, or of totem_core (in `mini`), under Icarus:

    run.py BLOCK FOLDER [NAME=VALUE ...] [--rtl FILE]

FOLDER takes the build and the results. --rtl: this file in place of the block's own (planted faults). The last line is
"N passed, N failed".
"""

import sys
import xml.etree.ElementTree as xml
from pathlib import Path

from cocotb.runner import get_runner

ROOT = Path(__file__).resolve().parent.parent.parent


def main():
    block, folder, *rest = sys.argv[1:]
    sources = sorted(ROOT.glob(f"rtl/*/totem_{block}.v"))
    sources += sorted(sources[0].parent.glob(f"totem_{block}_*.v"))     # its parts
    below, defines = sorted(ROOT.glob("rtl/lib/*.v")), {}
    if sources[0].parent.name == "top":
        below, defines = sorted(set(ROOT.glob("rtl/*/*.v")) - set(sources)), {"TOTEM_CONFIG_MINI": 1}
    if "--rtl" in rest:
        at = rest.index("--rtl")
        other = Path(rest[at + 1]).resolve()
        sources = [other if path.name == other.name else path for path in sources]
        del rest[at:at + 2]
    parameters = {name: int(value) for name, value in (item.split("=") for item in rest)}
    runner = get_runner("icarus")
    includes = [folder for folder in ROOT.glob("rtl/*") if folder.is_dir()]
    sources += below
    runner.build(verilog_sources=sources, includes=includes, parameters=parameters, defines=defines,
                 hdl_toplevel=f"totem_{block}", build_dir=folder, build_args=["-g2005"], timescale=("1ns", "1ps"),
                 always=True)
    results = runner.test(hdl_toplevel=f"totem_{block}", test_module=f"test_{block}", build_dir=folder,
                          test_dir=ROOT / "tb" / "bus", results_xml=str(Path(folder).resolve() / "results.xml"))
    passed = failed = 0
    for case in xml.parse(results).getroot().iter("testcase"):
        good = case.find("failure") is None and case.find("error") is None and case.find("skipped") is None
        passed, failed = passed + good, failed + (not good)
        print(f"{'ok  ' if good else 'FAIL'} {block}: {case.get('name')}")
    print(f"{passed} passed, {failed} failed")
    return failed != 0 or passed == 0


if __name__ == "__main__":
    sys.exit(main())
