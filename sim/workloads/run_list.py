#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes build/workloads/NAME.yaml: more queues than the run list has slots for (docs/runlist.md).

    python3 sim/workloads/run_list.py [--entries 20] [--slots 0xe] [--configuration duo] [NAME]
    python3 sim/workloads/run_list.py --configuration full --entries 1024 --slots 0xfffffffffffffffe thousand

Every queue rings twice: for the first half of its work early, for the rest while the others run. Every fifth has a
higher priority. Its last packet is a fence; every wave is counted.
"""

import argparse
from pathlib import Path

OUT = Path(__file__).resolve().parents[2] / "build/workloads"
MQD, RING, FENCE = 0x1000000, 0x2000000, 0x700000    # of entry 0; apart by 4096, 4096, 8
LISTING = 320               # clocks from one listing to the next


def packets(work, groups):
    """Of a queue: `work` grids of `groups` groups of two waves, one after the other; without its fence."""
    lines = ["SET_SH_REG COMPUTE_PGM_LO 0x3000000 0", "SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3 USER_SGPR=2,TGID_X_EN=1",
             "SET_SH_REG COMPUTE_USER_DATA_0 0x1000 2", "SET_SH_REG COMPUTE_NUM_THREAD_X 128 1 1"]
    for _ in range(work):
        lines += [f"DISPATCH_DIRECT {groups} 1 1 compute_shader_en=1,force_start_at_000=1",
                  "EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush"]
    return lines


def fence(address, value):
    return ("RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe "
            f"data_sel=32_bits,int_sel=interrupt_after_write @{address:#x} {value} 0 {value}")


def mqd(address, ring, level):
    """Dwords of the MQD at this address, of a queue with a ring of 4 KiB and this priority that has not run."""
    words = {0: 0xC0310800, **dict.fromkeys((23, 24, 26, 27), 0xFFFFFFFF),      # header, every engine
             128: address, 132: 0x0BE05300, 133: 1, 134: level, 136: ring >> 8,  # PERSISTENT_STATE without PRELOAD_REQ
             143: 1 << 30, 145: 7 | 5 << 8, 149: 0x300000, 162: 0x100, 168: 0x40000000}     # DOORBELL_EN, size, resets
    return ", ".join(hex(words.get(n, 0)) for n in range(256))


def head(name, configuration, cycles, slots, latency=20, duration=60):
    """The first keys of a workload with a run list of these slots."""
    return [f"# Made by sim/workloads.\nname: {name}\nconfiguration: {configuration}\nseed: 3\ncycles: {cycles}\n"
            f"memory: {{latency: {latency}}}\nprograms:\n  - {{entry: 0, duration: {duration}, spread: 3}}\n"
            f"run_list: {{slots: {slots:#x}}}\n"]


def entry(number, stream, list_at, doorbells, **more):
    """A queue of the run list. Its doorbells: (clock, packets); more: other keys."""
    keys = {"priority": 7, "pipe_priority": 1, **more}
    return (f"  - entry: {number}\n    mqd: {MQD + 4096 * number:#x}\n"
            f"    ring: {{address: {RING + 4096 * number:#x}, size: 1024}}\n    list_at: {list_at}\n"
            + "".join(f"    {key}: {value}\n" for key, value in keys.items())
            + "    doorbells:\n" + "".join(f"      - {{at: {at}, packets: {count}}}\n" for at, count in doorbells)
            + "    packets:\n" + "".join(f"      - {packet}\n" for packet in stream))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=20)
    parser.add_argument("--slots", type=lambda text: int(text, 0), default=0xE,
                        help="slots of the run list, bit = slot")
    parser.add_argument("--configuration", default="duo")
    parser.add_argument("--work", type=int, default=8, help="grids of a queue")
    parser.add_argument("--groups", type=int, default=12, help="groups of a grid, of two waves each")
    parser.add_argument("name", nargs="?", default="run-list")
    given = parser.parse_args()
    stream = packets(given.work, given.groups)
    listed = LISTING * (given.entries + 2)
    lines = head(given.name, given.configuration, 200000 + 20000 * given.entries, given.slots)
    lines.append("entries:\n")
    expect = []
    for n in range(given.entries):
        lines.append(entry(n, stream + [fence(FENCE + 8 * n, n + 1)], LISTING * (n + 1),
                           ((listed + 20 * n, 4 + given.work // 2 * 2), (listed + 2000 + 100 * n, len(stream) + 1)),
                           priority=8 if n % 5 == 0 else 7))
        expect.append(f"    - {{address: {FENCE + 8 * n:#x}, value: {n + 1}}}\n")
    # The host takes an interrupt now and then, of whatever queue: the judge of interrupts knows which one is next.
    lines.append("writes:\n  - {at: 0, register: events.INTERRUPT_ENABLE, value: 0x100}\n")
    lines += [f"  - {{at: {listed + 3000 + 150 * n}, register: runlist.NOTICE, value: 0xc0000000}}\n"
              for n in range(given.entries)]
    lines += ["expect:\n  memory:\n", *expect, f"  waves: {given.entries * given.work * given.groups * 2}\n"]
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{given.name}.yaml").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
