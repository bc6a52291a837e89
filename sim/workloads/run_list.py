#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes build/workloads/NAME.yaml: more queues than the run list has slots for (docs/runlist.md), by registers.

    python3 sim/workloads/run_list.py [--entries 20] [--slots 0xe] [--configuration duo] [NAME]

Every entry is listed from an MQD and rings twice: for the first half of its work early, for the rest while the others
run. Every fifth has a higher priority. Its last packet is a fence; every wave is counted.
"""

import argparse
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "build/workloads"
MQD, RING, POINTER, FENCE = 0x100000, 0x800000, 0x600000, 0x700000    # of entry 0; apart by 4096, 4096, 8, 8
WORK, GROUPS = 8, 12        # dispatches of an entry, groups of each, two waves a group
LISTING = 300               # clocks from one command to the next
RUN_ADD, RUN_MASK = 0, 6
HEAD = """# Made by sim/workloads/run_list.py.
name: {name}
configuration: {configuration}
seed: 3
cycles: {cycles}
memory: {{latency: 20}}
programs:
  - {{entry: 0, duration: 60, spread: 3}}
"""


def mqd(entry):
    """Dwords of an MQD of a queue that has not run; window dword n is MQD dword 128 + n."""
    words = {0: 0xC0310800, **dict.fromkeys((23, 24, 26, 27), 0xFFFFFFFF),      # header, every engine
             128: MQD + 4096 * entry, 132: 0x0BE05300,                          # PERSISTENT_STATE without PRELOAD_REQ
             133: 1, 134: 8 if entry % 5 == 0 else 7, 136: (RING + 4096 * entry) >> 8,      # priorities, ring
             143: 1 << 30, 145: 7 | 5 << 8, 149: 0x300000, 162: 0x100, 168: 0x40000000}     # DOORBELL_EN, size, resets
    return ", ".join(hex(words.get(n, 0)) for n in range(256))


def packets(entry):
    """(packets, dwords written at the first bell, at the second)."""
    lines = ["SET_SH_REG COMPUTE_PGM_LO 0x3000000 0", "SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3 USER_SGPR=2,TGID_X_EN=1",
             "SET_SH_REG COMPUTE_USER_DATA_0 0x1000 2", "SET_SH_REG COMPUTE_NUM_THREAD_X 128 1 1"]
    for _ in range(WORK):
        lines += [f"DISPATCH_DIRECT {GROUPS} 1 1 compute_shader_en=1,force_start_at_000=1",
                  "EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush"]
    lines.append("RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits "
                 f"@{FENCE + 8 * entry:#x} {entry + 1} 0 1")
    return lines, 17 + WORK // 2 * 7, 17 + WORK * 7 + 8


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=20)
    parser.add_argument("--slots", type=lambda text: int(text, 0), default=0xE,
                        help="slots of the run list, bit = slot")
    parser.add_argument("--configuration", default="duo")
    parser.add_argument("name", nargs="?", default="run-list")
    given = parser.parse_args()
    listed = 200 + LISTING * given.entries
    lines = [HEAD.format(name=given.name, configuration=given.configuration, cycles=100000 + 20000 * given.entries)]
    writes = [(10, "runlist.DATA_LO", given.slots & 0xFFFFFFFF), (10, "runlist.DATA_HI", given.slots >> 32),
              (10, "runlist.COMMAND", RUN_MASK)]
    image, fences = [], []
    for entry in range(given.entries):
        stream, first, last = packets(entry)
        image.append(f"  - address: {MQD + 4096 * entry:#x}\n    dwords: [{mqd(entry)}]\n")
        image.append(f"  - address: {RING + 4096 * entry:#x}\n    packets:\n"
                     + "".join(f"      - {x}\n" for x in stream))
        fences.append(f"    - {{address: {FENCE + 8 * entry:#x}, value: {entry + 1}}}\n")
        writes += [(200 + LISTING * entry, f"runlist.{name}", value) for name, value in
                   (("ENTRY", entry), ("MQD_LO", MQD + 4096 * entry), ("POINTER_LO", POINTER + 8 * entry),
                    ("PROCESS", 1 | 1 << 25), ("COMMAND", RUN_ADD))]
        writes += [(listed + 20 * entry, f"entry[{entry}].DOORBELL", first),
                   (listed + 2000 + 100 * entry, f"entry[{entry}].DOORBELL", last)]
    writes.sort(key=lambda row: row[0])
    lines += ["image:\n", *image, "writes:\n",
              *(f"  - {{at: {at}, register: '{name}', value: {value:#x}}}\n" for at, name, value in writes),
              "queues: []\nexpect:\n  memory:\n", *fences,
              f"  waves: {given.entries * WORK * GROUPS * 2}\n"]
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{given.name}.yaml").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
