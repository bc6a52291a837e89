#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes build/workloads/NAME.yaml: a run list that packets of the scheduler change, as those of a Linux driver do.

    python3 sim/workloads/orders.py [--entries 20] [--slots 0xe] [--change 6000] [--errors] [--configuration duo] [NAME]

Queue 0 of pipe 0 lists the queues: SET_RESOURCES, a RUN_LIST whose buffer maps two processes and ends with a RUN_LIST
that names its own start. While they run: UNMAP_QUEUES of all, QUERY_STATUS, the same list; UNMAP_QUEUES of four by
name, of a process by a reset, of all but the static one; then of all and the list again, to the end. Every second queue has
its work announced in memory when it is listed; the others ring at last. Its last packet is a fence. The account of
the harness counts the waves: a grid that is cut by the reset launches some of them again.

With --errors the list is not changed. Every packet of ERRORS comes instead, one after the other while the queues run:
each halts the scheduler's queue with its record, and the host continues with SKIP or RESUME.
"""

import argparse

from run_list import FENCE, MQD, OUT, RING, fence, mqd, packets

LIST, ORDERS, DONE, POINTER = 0x500000, 0x400000, 0x480000, 0x600000   # a buffer, the scheduler's ring, its fences
PATIENCE = 2500             # clocks from one bad packet to the next
LISTING = 300               # for a MAP_QUEUES, at most
WORK, GROUPS = 8, 12
RESUME, SKIP = 1, 2
GOOD = f"queue_sel=1,num_queues=1 doorbell_offset={2 * 31} {MQD:#x} 0 {POINTER:#x} 0"       # of a MAP_QUEUES
BAD_MQD = MQD + 4096 * 40                                   # where a read fails once
NESTED = f"RUN_LIST @{LIST + 0x1000:#x} ib_size=4,valid=1"   # it calls itself
STRANGER = """  - pipe: 1
    queue: 0
    priority: 7
    pipe_priority: 1
    privileged: true
    ring: {address: 0x4c0000, size: 64}
    map_at: 0
    doorbells: [{at: 3000}]
    write: [{at: 6000, register: CONTROL, value: 2}]
    packets:
"""
# Packet, code of its record, how the host continues.
ERRORS = (
    ("MAP_QUEUES " + GOOD.replace("queue_sel=1", "queue_sel=0"), "RUNLIST_LAYOUT", SKIP),
    ("MAP_QUEUES " + GOOD.replace("num_queues=1", "num_queues=2"), "RUNLIST_LAYOUT", SKIP),
    ("UNMAP_QUEUES action=3,queue_sel=2 0 0 0 0", "RUNLIST_LAYOUT", SKIP),
    ("UNMAP_QUEUES action=2,queue_sel=2 0 0 0 0", "RUNLIST_LAYOUT", SKIP),
    ("UNMAP_QUEUES num_queues=5 0 0 0 0", "RUNLIST_LAYOUT", SKIP),
    (f"QUERY_STATUS interrupt_sel=1,command=1 0 {DONE:#x} 0 1 0", "RUNLIST_LAYOUT", SKIP),
    (f"RUN_LIST @{LIST:#x} ib_size=8", "RUNLIST_LAYOUT", SKIP),
    ("MAP_QUEUES " + GOOD.replace("=62", "=63"), "RUNLIST_ENTRY", SKIP),            # half an entry
    ("MAP_QUEUES " + GOOD.replace("=62", "=2048"), "RUNLIST_ENTRY", SKIP),          # there is none
    ("MAP_QUEUES " + GOOD.replace("=62", "=0"), "RUNLIST_ENTRY", SKIP),             # it is listed
    ("UNMAP_QUEUES num_queues=1 0x4 0 0 0", "RUNLIST_ENTRY", SKIP),
    ("MAP_QUEUES " + GOOD.replace(f"{MQD:#x}", f"{MQD + 4:#x}"), "RUNLIST_MQD", SKIP),
    ("MAP_QUEUES " + GOOD.replace(f"{POINTER:#x}", f"{POINTER + 4:#x}"), "RUNLIST_MQD", SKIP),
    ("MAP_QUEUES " + GOOD.replace(f"{MQD:#x}", "0"), "RUNLIST_MQD", SKIP),
    ("MAP_QUEUES " + GOOD.replace(f"{MQD:#x}", f"{BAD_MQD:#x}"), "RUNLIST_MQD", RESUME),
    ("MAP_QUEUES " + GOOD.replace(f"{MQD:#x} 0", f"{MQD:#x} 0x100"), "PACKET_ADDRESS", SKIP),
    (f"QUERY_STATUS command=1 0 {DONE:#x} 0x100 1 0", "PACKET_ADDRESS", SKIP),
    (f"RUN_LIST @{LIST:#x} valid=1", "PACKET_IB_SIZE_ZERO", SKIP),
    (NESTED, "PACKET_IB_NESTED", SKIP),
)
HEAD = """# Made by sim/workloads/orders.py.
name: {name}
configuration: {configuration}
seed: 3
cycles: {cycles}
memory: {{latency: 20, faults: [{faults}]}}
programs:
  - {{entry: 0, duration: 60, spread: 3}}
queues:
  - pipe: 0
    queue: 0
    priority: 15
    pipe_priority: 2
    privileged: true
    ring: {{address: {ring:#x}, size: 1024}}
    map_at: 0
"""


def listing(count):
    """(packets of the buffer of a RUN_LIST, its dwords)."""
    lines = []
    for number in range(count):
        if number in (0, count // 2):
            lines.append(f"MAP_PROCESS pasid={1 + (number > 0)},process_quantum=10" + " 0" * 11 + " num_queues=1 0 0")
        lines.append(f"MAP_QUEUES queue_sel=1,queue_type={2 * (number == 1)},num_queues=1 doorbell_offset={2 * number} "
                     f"{MQD + 4096 * number:#x} 0 {POINTER + 8 * number:#x} 0")
    size = 7 * count + 2 * 16 + 4
    return lines + [f"RUN_LIST @{LIST:#x} ib_size={size},chain=1,valid=1"], size


def orders(slots, size):
    """(packets of the scheduler's ring, its fences, number of packets behind each change)."""
    lists = f"RUN_LIST @{LIST:#x} ib_size={size},valid=1"
    lines = [f"SET_RESOURCES vmid_mask=0xff00 {slots & 0xFFFFFFFF:#x} {slots >> 32:#x} 0 0 0 0", lists]
    fences, behind = [], [len(lines)]
    named = " ".join(f"{8 * number:#x}" for number in range(2, 6))
    for unmap in ("queue_sel=2 0 0 0 0", f"num_queues=4 {named}", "action=1,queue_sel=1 2 0 0 0", "queue_sel=3 0 0 0 0",
                  "queue_sel=2 0 0 0 0"):
        fences.append((DONE + 8 * len(fences), 0x100 + len(fences)))
        lines += ["UNMAP_QUEUES " + unmap, f"QUERY_STATUS command=1 0 {fences[-1][0]:#x} 0 {fences[-1][1]:#x} 0"]
        lines += [lists] if unmap.startswith("queue_sel=2") else []
        behind.append(len(lines))
    fences.append((DONE + 8 * len(fences), 0x600D))
    lines.append(f"QUERY_STATUS context_id=7,command=3 0 {fences[-1][0]:#x} 0 {fences[-1][1]:#x} 0")
    return lines, fences, behind[:-1] + [len(lines)]


def errors(slots, size, first):
    """Likewise; and (clock, register value) of the host behind each."""
    lines, fences, behind = orders(slots, size)
    lines, fences, behind, host = lines[:2], [(DONE, 0x600D)], behind[:1], []
    for packet, _, way in ERRORS:
        host.append((first + PATIENCE * len(behind) - 100, way))     # before the next one is announced
        lines.append(packet)
        behind.append(len(lines))
    lines.append(f"QUERY_STATUS command=3 0 {DONE:#x} 0 0x600d 0")
    return lines, fences, behind + [len(lines)], host


def block(address, key, lines):
    return f"  - address: {address:#x}\n    {key}:" + ("\n" + "".join(f"      - {line}\n" for line in lines)
                                                     if key == "packets" else f" [{lines}]\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--entries", type=int, default=20)
    parser.add_argument("--slots", type=lambda text: int(text, 0), default=0xE,
                        help="slots of the run list, bit = slot")
    parser.add_argument("--errors", action="store_true", help="bad packets, and how the scheduler's queue continues")
    parser.add_argument("--change", type=int, default=6000, help="clocks from one change of the list to the next")
    parser.add_argument("--configuration", default="duo")
    parser.add_argument("name", nargs="?", default="orders")
    given = parser.parse_args()
    buffer, size = listing(given.entries)
    image, writes, records, host, stranger, faults = [block(LIST, "packets", buffer)], [], [], [], "", ""
    if given.errors:
        stream, done, behind, host = errors(given.slots, size, 1000 + given.change)
        rings, every = LISTING * (given.entries + 5), PATIENCE
        image.append(block(LIST + 0x1000, "packets", [NESTED]))
        faults = f"{{address: {BAD_MQD + 8 * 66:#x}, kind: read_slverr, at: 0}}"
        records = [f"    - {{code: {code}, pipe: 0, queue: 0}}\n" for _, code, _ in ERRORS]
        records.append("    - {code: RUNLIST_PRIVILEGE, pipe: 1, queue: 0}\n")
        stranger = STRANGER + f"      - SET_RESOURCES 0 0xffff 0 0 0 0 0\n      - {fence(DONE + 8, 1)}\n"
        done.append((DONE + 8, 1))
    else:
        stream, done, behind = orders(given.slots, size)
        rings, every = given.change * len(behind) + LISTING * given.entries, given.change
    starts = [1000] + [1000 + given.change + every * n for n in range(len(behind) - 1)]
    bells = ", ".join(f"{{at: {at}, packets: {count}}}" for at, count in zip(starts, behind))
    resumes = ", ".join(f"{{at: {at}, register: CONTROL, value: {way}}}" for at, way in host)
    expect = list(done)
    for number in range(given.entries):
        work = packets(WORK, GROUPS) + [fence(FENCE + 8 * number, number + 1)]
        dwords = 17 + WORK * 7 + 8
        image += [block(MQD + 4096 * number, "dwords", mqd(MQD + 4096 * number, RING + 4096 * number,
                                                          8 if number % 5 == 0 else 7)),
                  block(RING + 4096 * number, "packets", work),
                  block(POINTER + 8 * number, "dwords", dwords if number % 2 else 0)]
        if number % 2 == 0:
            writes.append(f"  - {{at: {rings + 50 * number}, register: 'entry[{number}].DOORBELL', value: {dwords}}}\n")
        expect.append((FENCE + 8 * number, number + 1))
    lines = [HEAD.format(name=given.name, configuration=given.configuration, ring=ORDERS,
                         faults=faults, cycles=100000 + 20000 * given.entries),
             f"    doorbells: [{bells}]\n    write: [{resumes}]\n    packets:\n",
             *(f"      - {packet}\n" for packet in stream), stranger,
             "image:\n", *image, "writes:\n", *writes, "expect:\n  memory:\n",
             *(f"    - {{address: {address:#x}, value: {value:#x}}}\n" for address, value in expect),
             *(["  errors:\n", *records, f"  waves: {given.entries * WORK * GROUPS * 2}\n"] if records else [])]
    OUT.mkdir(parents=True, exist_ok=True)
    (OUT / f"{given.name}.yaml").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
