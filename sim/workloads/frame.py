#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a workload that plays the frame of frame_stream.py on every graphics ring: build/workloads/NAME.yaml.

    python3 sim/workloads/frame.py [options] NAME

    --configuration board|full    (board)
    --chip 9|10|11                generation of the packets (10)
    --draws N                     draws of the material pass (200)
    --bounced                     through `totem pm4 bounce`, whose digests go to NAME.digests; needs build/totem
    --pixels                      waves last longer, and geometry exports primitives with pixels
    --compute high|medium|low|all --pixels, and two compute queues on every pipe, of this pipe priority; all: in turn
    --waiting WAVES               --pixels, and a CS_HIGH queue that dispatches groups of so many waves, one by one

The rings call one indirect buffer. That of front end 0 is HP3D, but a single one with --pixels is GFX. How many waves
the draws become is computed here from their indices, instances and primitives (draws.py). With --pixels all
rings and queues begin in one clock, and what each is to get goes to NAME.json: waves of compute, of the rings'
dispatches and of geometry, pixels (shares.py judges it; waits.py how long the groups of --waiting wait).
"""

import argparse
import json
import subprocess
from pathlib import Path

import yaml

import draws
from frame_stream import (CHEAP, DEAR, DEPTH, DISPATCH, FENCE, FILTER, FRAME_NUMBER, MESH, SCREEN, Frame, Source,
                          Stream, table, write)

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "build" / "workloads"
RINGS, PIPES = {"board": 1, "full": 4}, 2
STATES = 6
BUFFER = 0x100000
PLAIN = {entry: {"duration": 40, "spread": 5} for entry in range(DEPTH, DISPATCH + 1)}
# Of the frame with pixels: clocks of a wave; of geometry, pixels of a primitive.
BUSY = {DEPTH: {"duration": 60, "spread": 5}, MESH: {"duration": 120, "spread": 6, "pixels": 8},
        SCREEN: {"duration": 60, "spread": 5, "pixels": 4096}, CHEAP: {"duration": 200, "spread": 6},
        DEAR: {"duration": 400, "spread": 7}, FILTER: {"duration": 300, "spread": 6},
        DISPATCH: {"duration": 200, "spread": 6}}
# Kernels of the compute queues: name, entry and its clocks, groups, threads, VGPRS field, LDS blocks of 128 dwords.
KERNELS = [("particles", 8, 300, 40, 64, 15, 0), ("light culling", 9, 500, 12, 256, 31, 32),
           ("ray tracing", 10, 900, 30, 64, 63, 0), ("reduction", 11, 400, 3, 1024, 15, 128)]
PRIORITIES = {"low": 0, "medium": 1, "high": 2}
QUEUES = 2      # of each pipe
LIMIT = {"board": 8, "full": 16}    # geometry waves at an engine: a quarter of its slots
TABLE = 9000    # clocks in which the host writes the table of CLEAR_STATE of a ring
MAPPING = 200   # in which it maps a queue
# Of --waiting: the last compute pipe, its entry and its clocks, its groups, clocks until it begins.
WAITING, WAITING_CLOCKS, WAITING_GROUPS, WAITING_AFTER = 15, 200, 30, 54000


def compute(number, rounds):
    """Packets of a compute queue, and their waves."""
    lines, waves = [], 0
    for n in range(rounds * len(KERNELS)):
        name, entry, _, groups, threads, vgprs, lds = KERNELS[(n + number) % len(KERNELS)]
        place = 0x5000000 + number * 0x10000 + n * 0x10 | entry
        lines += [f"SET_SH_REG COMPUTE_PGM_LO 0x{place:x} 0",
                  f"SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS={vgprs} USER_SGPR=2,TGID_X_EN=1,LDS_SIZE={lds}",
                  f"SET_SH_REG COMPUTE_USER_DATA_0 0x{number:x} 0x{n:x}",
                  f"SET_SH_REG COMPUTE_NUM_THREAD_X {threads} 1 1",
                  f"DISPATCH_DIRECT {groups} 1 1 compute_shader_en=1,force_start_at_000=1",
                  "EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush"]
        waves += groups * -(-threads // 64)
    lines.append("RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits,"
                 f"int_sel=interrupt_after_write @0x{done(number):x} {FRAME_NUMBER} 0 {FRAME_NUMBER}")
    return lines, waves


def done(number):
    """Address of the fence of a compute queue."""
    return 0x200000 + 0x100 * number


def queues(count, priority, rounds, begin):
    """The compute queues of `count` front ends, and their waves."""
    found, waves = [], 0
    for number in range(count * PIPES * QUEUES):
        lines, more = compute(number, rounds)
        tier = number % 3 if priority == "all" else PRIORITIES[priority]
        found.append({"pipe": number // QUEUES, "queue": number % QUEUES, "priority": 7, "pipe_priority": tier,
                      "ring": {"address": 0x1000000 + 0x10000 * number, "size": 2048}, "map_at": 0,
                      "doorbells": [{"at": begin}], "packets": lines})
        waves += more
    return found, waves


def waiting(pipe, waves, begin):
    """The queue of --waiting: each group is dispatched when the one before has ended."""
    lines = [f"SET_SH_REG COMPUTE_PGM_LO 0x{0x3000000 | WAITING:x} 0",
             "SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3 USER_SGPR=2,TGID_X_EN=1",
             f"SET_SH_REG COMPUTE_NUM_THREAD_X {64 * waves} 1 1" if waves <= 16 else
             f"SET_SH_REG COMPUTE_NUM_THREAD_X 1024 {waves // 16} 1"]
    lines += WAITING_GROUPS * ["DISPATCH_DIRECT 1 1 1 compute_shader_en=1,force_start_at_000=1",
                               "EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush"]
    lines.append("RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits,"
                 f"int_sel=interrupt_after_write @0x{done(0):x} {FRAME_NUMBER} 0 {FRAME_NUMBER}")
    return {"pipe": pipe, "queue": 0, "priority": 7, "pipe_priority": PRIORITIES["high"],
            "ring": {"address": 0x1000000, "size": 2048}, "map_at": 0,
            "doorbells": [{"at": begin + WAITING_AFTER}], "packets": lines}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--configuration", choices=sorted(RINGS), default="board")
    parser.add_argument("--chip", type=int, choices=[9, 10, 11], default=10)
    parser.add_argument("--draws", type=int, default=200)
    parser.add_argument("--bounced", action="store_true")
    parser.add_argument("--pixels", action="store_true")
    beside = parser.add_mutually_exclusive_group()
    beside.add_argument("--compute", choices=[*PRIORITIES, "all"])
    beside.add_argument("--waiting", type=int, choices=[*range(1, 17), *range(32, 65, 16)], metavar="WAVES")
    options = parser.parse_args()
    busy = options.pixels or options.compute or options.waiting
    FOLDER.mkdir(parents=True, exist_ok=True)
    buffer, values = FOLDER / f"{options.name}.hex", FOLDER / f"{options.name}-table.hex"
    source = Source()
    stream, defaults = Stream(source, options.chip), Stream(source, options.chip)
    Frame(stream, STATES, options.draws).write()
    table(defaults)
    write(values, defaults.words, "frame.py")
    write(buffer, stream.words, "frame.py")
    begun, waves = draws.count(stream.words)
    if options.bounced:
        plain = buffer.rename(FOLDER / f"{options.name}-plain.hex")
        subprocess.run([TOP / "build" / "totem", "pm4", "bounce", f"--table={values}", plain, "-o", buffer,
                        f"--digests={FOLDER / options.name}.digests"], check=True)
    call = Stream(source, options.chip)
    call.packet("INDIRECT_BUFFER", BUFFER, 0, len(draws.read(buffer)))
    count = RINGS[options.configuration]
    urgent = [] if busy and count == 1 else [0]
    begin = count * TABLE + (count * PIPES * QUEUES * MAPPING if options.compute else 0)
    beside, others = queues(count, options.compute, 2 + options.draws // 50, begin) if options.compute else ([], 0)
    if options.waiting:
        beside, others = [waiting(count * PIPES // 2 - 1, options.waiting, begin)], WAITING_GROUPS * options.waiting
    programs = BUSY | {entry: {"duration": clocks, "spread": 6} for _, entry, clocks, *_ in KERNELS} if busy else PLAIN
    if options.waiting:
        programs[WAITING] = {"duration": WAITING_CLOCKS, "spread": 6}
    work = {
        "name": options.name, "configuration": options.configuration, "seed": 1, "cycles": 2000000 if busy else 400000,
        "memory": {"latency": 100, "latency_spread": 20},
        "image": [{"address": BUFFER, "hex": buffer.name}],
        "programs": [{"entry": entry, **what} for entry, what in programs.items()],
        "rings": [{"front_end": f, "ring": {"address": 0x10000 + 0x1000 * f, "size": 64}, "map_at": 0,
                   "graphics": {"hp3d": f in urgent, "bounce": True, "filter": True, "generation": options.chip},
                   "table": {"hex": values.name}, **({"doorbells": [{"at": begin}]} if busy else {}),
                   "dwords": call.words} for f in range(count)],
        **({"queues": beside} if beside else {}),
        **({"throttle": {"limit": LIMIT[options.configuration]}} if busy else {}),
        "expect": {"memory": [{"address": FENCE, "value": FRAME_NUMBER},
                              *({"address": done(n), "value": FRAME_NUMBER} for n in range(len(beside)))],
                   "draws": count * begun, "geometry": count * waves, "fences": count + len(beside),
                   "interrupts": count + len(beside)}}
    (FOLDER / f"{options.name}.yaml").write_text(yaml.safe_dump(work, sort_keys=False, width=1000), encoding="utf-8")
    said = f"{options.name}: on {count} rings {begun} draws, {waves} geometry waves"
    if busy:
        pixels = sum(sum(primitives) * BUSY[entry].get("pixels", 0)
                     for primitives, entry in draws.issued(stream.words, options.chip))
        due = {"begin": begin, "hp3d": [draws.RING + f for f in urgent], "compute": others, "geometry": count * waves,
               "dispatched": count * stream.dispatched, "pixels": count * pixels,
               **({"waiting": WAITING_GROUPS} if options.waiting else {})}
        (FOLDER / f"{options.name}.json").write_text(json.dumps(due) + "\n", encoding="utf-8")
        said += f", {pixels} pixels; {len(beside)} compute queues with {others} waves"
    print(said)


if __name__ == "__main__":
    main()
