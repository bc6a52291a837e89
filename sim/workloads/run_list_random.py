#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes build/workloads/NAME.yaml: random work for the run list (docs/runlist.md), judged by
tb/lockstep/judges/roster.c.

    python3 sim/workloads/run_list_random.py [--seed 1] [--configuration duo] [--file FILE] [NAME]
    python3 sim/workloads/run_list_random.py --seeds            those of the tests

Drawn are settings, memory, slots, priorities and quanta; grids short and long, with and without a flush behind them;
waits for the fence of another queue; doorbells at any packet and any time; removals, resets, new priorities, other
slots, entries that are listed twice, queues that halt; reads of rings, conditions and MQDs that fail, after which the
host resumes the queue, and saves that fail. In the end everything is listed and rung, and the fence of every queue that
was not reset, lost or halted has to come; who halts is removed at last.
"""

import argparse
import random
from pathlib import Path

from run_list import OUT, mqd

# Of entry 0: its MQD, and another one for a queue whose MQD may be lost; apart by 4096, 4096, 4096, 8, 8.
MQD, FRESH, RING, POINTER, FENCE = 0x100000, 0x200000, 0x800000, 0x600000, 0x700000
SEEDS = (2, 19, 22, 23, 13, 26, 24, 10, 48, 11, 7, 18, 17)
ADD, REMOVE, REMOVE_PROCESS, REMOVE_ALL, REMOVE_DYNAMIC, PRIORITY, MASK = range(7)
RESET = 8                   # of COMMAND


def packets(rng, entry, entries, flush, halts):
    """(packets, places behind each in dwords)"""
    lines = [("SET_SH_REG COMPUTE_PGM_LO 0x300000%x 0" % rng.randrange(4), 4),
             ("SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3 USER_SGPR=2,TGID_X_EN=1", 4),
             ("SET_SH_REG COMPUTE_USER_DATA_0 0x1000 2", 4), ("SET_SH_REG COMPUTE_NUM_THREAD_X 128 1 1", 5)]
    for _ in range(rng.randint(1, 8)):
        groups = rng.choice((1, 4, 12, 12, 60))
        lines.append((f"DISPATCH_DIRECT {groups} 1 1 compute_shader_en=1,force_start_at_000=1", 5))
        if rng.random() < flush:
            lines.append(("EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush", 2))
        if entry + 1 < entries and rng.random() < 0.15:     # for an entry behind it: nobody waits for himself
            other = rng.randrange(entry + 1, entries)
            other -= other % 7 in (3, 5) and other > entry + 1
            if other % 7 in (3, 5):
                continue
            lines.append((f"WAIT_REG_MEM function=eq,mem_space=memory @{FENCE + 8 * other:#x} {other + 1} 0xffffffff "
                          "poll_interval=4,optimize_ace_offload_mode=smart_wait", 7))
    if halts:
        lines.append(("SET_SH_REG COMPUTE_NUM_THREAD_X 1024 16 1", 5))
        lines.append(("DISPATCH_DIRECT 1 1 1 compute_shader_en=1,force_start_at_000=1", 5))
    lines.append(("RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits "
                  f"@{FENCE + 8 * entry:#x} {entry + 1} 0 1", 8))
    places = [sum(size for _, size in lines[:n + 1]) for n in range(len(lines))]
    return [line for line, _ in lines], places


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--configuration", default="duo")
    parser.add_argument("--file", type=Path)
    parser.add_argument("--seeds", action="store_true")
    parser.add_argument("name", nargs="?", default="run-list-random")
    given = parser.parse_args()
    if given.seeds:
        print(*SEEDS)
        return
    rng = random.Random(given.seed)
    entries, latency = rng.choice((4, 8, 8, 16, 31)), rng.choice((20, 20, 100, 300))
    gap = 3000 + 12 * latency       # from one command to the next
    every = 0xFFFE
    slots = rng.choice((0x2, 0xE, 0x30, 0xF0E, every)) if rng.random() < 0.7 else rng.randrange(1, 0x8000) << 1
    settings = {"runlist.YIELD": rng.choice((0, 2, 3, 10)), "runlist.PARK": rng.choice((100, 600, 2048)),
                "runlist.SPARE": rng.choice((0, 0, 1, 2)), "runlist.LEAVE": rng.choice((0, 60000)),
                "machine.QUANTUM_UNIT0": rng.choice((20, 100, 400))}
    tenants = [rng.randrange(4) for _ in range(entries)]
    levels = rng.choice(((7,), (7, 8), (3, 7, 11), tuple(range(16))))
    writes = [(0, name, value) for name, value in settings.items()]
    flush = rng.choice((0.0, 0.5, 0.5))
    halting = flush > 0 and rng.random() < 0.4      # it stands until the limit

    def halts(n):
        return halting and n % 7 == 5

    streams = [packets(rng, n, entries, flush, halts(n)) for n in range(entries)]
    clock = 100

    def command(op, **operands):
        nonlocal clock
        writes.extend((clock, f"runlist.{name}", value) for name, value in operands.items())
        writes.append((clock, "runlist.COMMAND", op))
        clock += gap

    def add(n, pointer, at=MQD):
        process = n % 3 | tenants[n] << 16 | (n % 5 == 0) << 18 | rng.choice((0, 1, 4, 40)) << 25
        command(ADD, ENTRY=n, MQD_LO=at + 4096 * n, POINTER_LO=pointer, PROCESS=process)

    command(MASK, DATA_LO=slots, DATA_HI=0)
    bells = {n: [] for n in range(entries)}
    for n in range(entries):
        add(n, POINTER + 8 * entries)                       # nothing is announced there
        places = sorted(rng.sample(streams[n][1], min(len(streams[n][1]), rng.randint(1, 4))))
        bells[n] = list(zip(sorted(clock + rng.randrange(30000) for _ in places), places))
    # Accesses that fail, until all is listed again: of any queue, and saves of those that may be reset.
    faults, listed = [], clock

    def fail(save):
        n, until = rng.randrange(entries), clock + 20000
        spot = rng.choice((RING + 4096 * n + 4 * rng.randrange(streams[n][1][-1]), FENCE + 8 * n,
                           MQD + 4096 * n + 4 * rng.choice((rng.randrange(1, 84), rng.randrange(128, 184), 93, 97))))
        kind = "read"
        if save:
            n = rng.choice(range(3, entries, 7))
            kind, spot = "write", MQD + 4096 * n + 4 * rng.choice((rng.randrange(1, 84), rng.randrange(138, 150)))
        at = listed if save else rng.randrange(listed, until)
        faults.append((spot, f"{kind}_{rng.choice(('slverr', 'decerr'))}", at, until))

    removed = set()
    for _ in range(rng.randint(0, 12)):
        n, kind = rng.randrange(entries), rng.random()
        if kind < 0.4:
            command(PRIORITY, ENTRY=n, DATA_LO=rng.choice(levels))
        elif kind < 0.7:
            command(REMOVE | RESET * (n % 7 == 3), ENTRY=n)
            removed.add(n)
        elif kind < 0.8:
            command(REMOVE_PROCESS, PROCESS=n % 3)
            removed.update(m for m in range(entries) if m % 3 == n % 3)
        elif kind < 0.85:
            op = rng.choice((REMOVE_ALL, REMOVE_DYNAMIC))
            command(op)
            removed.update(m for m in range(entries) if op == REMOVE_ALL or m % 5)
        else:
            command(MASK, DATA_LO=rng.choice((slots, every, 0xFF0)), DATA_HI=0)
    # A removed queue is not rung again; and one that would halt, only for what is before that: it halts once.
    first = min([at for at, name, _ in writes if name == "runlist.COMMAND"][entries + 1:], default=clock)
    for n in range(entries):
        writes += [(at, f"entry[{n}].DOORBELL", place) for at, place in bells[n]
                   if n not in removed or at < first and (not halts(n) or place <= streams[n][1][-3])]
    saves = rng.randrange(4, 24) if entries > 3 and rng.random() < 0.4 else 0
    for number in range(rng.randrange(4, 24) + saves if saves or rng.random() < 0.5 else 0):
        fail(number < saves)
    clock += 30000
    lost = {(spot - MQD) // 4096 for spot, kind, *_ in faults if kind.startswith("write")}
    for n in lost:
        command(REMOVE, ENTRY=n)
    clock += 30000 * bool(lost)                             # until they have left
    writes.append((clock, "runlist.YIELD", 2))      # with 0 some wait for those that never come, with 10 for long
    command(MASK, DATA_LO=every if halting else slots, DATA_HI=0)
    for n in range(entries):
        add(n, POINTER + 8 * n, FRESH if n in lost else MQD)        # RUN_ENTRY if it is listed
    for n in range(entries):
        writes.append((clock + rng.randrange(1000), f"entry[{n}].DOORBELL", streams[n][1][-1]))
    end = clock + (400000 if halting else 4000000)      # most; it ends when all has come
    clock = end - 40000
    for n in filter(halts, range(entries)):
        command(REMOVE, ENTRY=n)
    writes.sort(key=lambda row: row[0])
    lines = [f"# Made by sim/workloads/run_list_random.py.\nname: {given.name}\nconfiguration: {given.configuration}\n"
             f"seed: {given.seed}\ncycles: {end}\n"
             f"memory:\n  latency: {latency}\n  latency_spread: {rng.choice((0, 0, latency // 2))}\n",
             *[f"  resume: {rng.choice((50, 800))}\n  faults:\n"] * bool(faults),
             *(f"    - {{address: {spot:#x}, kind: {kind}, at: {at}, until: {until}}}\n"
               for spot, kind, at, until in faults), "programs:\n"]
    durations = (20, 60, 400, 3000 if flush else 8000)
    lines += [f"  - {{entry: {n}, duration: {rng.choice(durations)}, spread: 3}}\n" for n in range(4)]
    lines.append("image:\n")
    for n, (stream, places) in enumerate(streams):
        lines += [*(f"  - address: {at + 4096 * n:#x}\n    dwords: "
                    f"[{mqd(at + 4096 * n, RING + 4096 * n, rng.choice(levels))}]\n"
                    for at in ((MQD, FRESH) if n in lost else (MQD,))),
                  f"  - {{address: {POINTER + 8 * n:#x}, dwords: [{places[-1]}, 0]}}\n",
                  f"  - address: {RING + 4096 * n:#x}\n    packets:\n", *(f"      - {line}\n" for line in stream)]
    lines += ["writes:\n",
              *(f"  - {{at: {at}, register: '{name}', value: {value:#x}}}\n" for at, name, value in writes),
              "queues: []\nexpect:\n  memory:\n",
              *(f"    - {{address: {FENCE + 8 * n:#x}, value: {n + 1}}}\n" for n in range(entries)
                if n % 7 != 3 and not halts(n)),
              *["  errors:\n"] * (halting and entries > 5),
              *("    - {code: PACKET_GROUP_TOO_LARGE}\n" for n in range(entries) if halts(n))]
    OUT.mkdir(parents=True, exist_ok=True)
    (given.file or OUT / f"{given.name}.yaml").write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
