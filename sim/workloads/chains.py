#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a workload of dependent tasks for board: build/workloads/NAME.yaml.

    python3 sim/workloads/chains.py NAME

Four queues on two pipes launch chains of descriptors with LAUNCH_TASK: eight tasks one after the other, as the
generated code of a network has them; a chain between packets and dispatches of its ring; launches at the head of their
list; a wait of a ring for the end of its own chain; descriptors of version 02_02. Releases of one, two and four words.
A fifth queue has waves that launch a task each, and gets one from the host.
"""

import sys
from pathlib import Path

import yaml

import tmd

FOLDER = Path(__file__).resolve().parents[2] / "build" / "workloads"
STEP = 0x200                        # distance of descriptors: in memory their constants stand behind them
RELEASES = 0x80000
DURATIONS = {0: 40, 1: 200, 2: 90, 3: 600, 4: 150}
CHILD = 0x250000                    # of waves of program 4
SIZES = {1: 1, 2: 2, 4: 0}          # words of a release: RELEASE_SIZE


def task(grid, block, entry, registers=16, lds=0, release=None, dependent=None, version="v03_00", **more):
    """`release`: (address, value, words). `dependent`: address."""
    new = version == "v03_00"
    fields = {"GRID_X": grid[0], "GRID_Y": grid[1], "GRID_Z": grid[2], "BLOCK_X": block[0], "BLOCK_Y": block[1],
              "BLOCK_Z": block[2], "PROGRAM_LOW": 0x40000000 + (entry << 8), "REGISTER_COUNT": registers,
              "LDS_SIZE": lds, "MEMBAR_TYPE": 1, "INVALIDATE": 0x0F} | more
    if release:
        address, value, words = release
        fields |= {"RELEASE0_ENABLE": 1, "RELEASE0_ADDRESS_LOW": address, "RELEASE0_PAYLOAD_LOW": value,
                   "RELEASE0_SIZE": SIZES[words] if new else int(words == 1)}
    if dependent:
        fields |= {"DEPENDENT_ENABLE": 1, "DEPENDENT_POINTER": dependent >> 8}
        fields |= ({"DEPENDENT_ACTION": 1, "DEPENDENT_PREFETCH": more.get("DEPENDENT_PREFETCH", 1)} if new
                   else {"DEPENDENT_TYPE": 1})
    return tmd.descriptor(version, **fields)


CHAINS = {
    "network": [
        {"grid": (1, 1, 1), "block": (128, 1, 1), "entry": 0, "registers": 22, "lds": 1024},
        {"grid": (16, 1, 1), "block": (256, 1, 1), "entry": 0, "registers": 40, "lds": 27904},
        {"grid": (49, 1, 1), "block": (128, 1, 1), "entry": 2},
        {"grid": (4, 1, 8), "block": (128, 1, 1), "entry": 1, "registers": 226, "lds": 82944},
        {"grid": (1, 1, 1), "block": (128, 1, 1), "entry": 0, "registers": 22, "lds": 1024},
        {"grid": (7, 2, 4), "block": (256, 1, 1), "entry": 2, "registers": 32, "lds": 5248},
        {"grid": (30, 1, 1), "block": (96, 1, 1), "entry": 0},
        {"grid": (20, 1, 1), "block": (33, 2, 1), "entry": 1, "release": (RELEASES, 8, 4)}],
    "mixed": [
        {"grid": (6, 1, 1), "block": (64, 1, 1), "entry": 1, "release": (RELEASES + 0x20, 1, 1)},
        {"grid": (0, 1, 1), "block": (64, 1, 1), "entry": 1},
        {"grid": (3, 2, 1), "block": (8, 8, 2), "entry": 0, "release": (RELEASES + 0x28, 3, 2)}],
    "older": [
        {"grid": (5, 1, 1), "block": (64, 2, 1), "entry": 2, "release": (RELEASES + 0x40, 5, 1)},
        {"grid": (5, 5, 1), "block": (32, 1, 1), "entry": 0},
        {"grid": (1, 1, 9), "block": (32, 1, 1), "entry": 1, "release": (RELEASES + 0x50, 9, 4)}],
}


class Memory:
    def __init__(self):
        self.image, self.values, self.waves = [], [], 0

    def chain(self, base, tasks, version="v03_00"):
        """Puts tasks one behind the other in memory, each the dependent of the one before; returns its address."""
        for n, each in enumerate(tasks):
            address = base + n * STEP
            dependent = address + STEP if n + 1 < len(tasks) else None
            self.image.append({"address": address, "dwords": task(**each, dependent=dependent, version=version)})
            groups = each["grid"][0] * each["grid"][1] * each["grid"][2]
            threads = each["block"][0] * each["block"][1] * each["block"][2]
            self.waves += groups * -(-threads // 32)
            if each.get("release"):
                self.values.append({"address": each["release"][0], "value": each["release"][1]})
        return base


def packets(*lines):
    return list(lines)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    memory = Memory()
    network, mixed = memory.chain(0x200000, CHAINS["network"]), memory.chain(0x210000, CHAINS["mixed"])
    long = memory.chain(0x220000, [{"grid": (12, 1, 1), "block": (128, 1, 1), "entry": 3}])
    last = memory.chain(0x221000, [{"grid": (2, 1, 1), "block": (32, 1, 1), "entry": 0,
                                    "release": (RELEASES + 0x30, 2, 1)}])
    first = memory.chain(0x222000, [{"grid": (2, 1, 1), "block": (32, 1, 1), "entry": 0, "ADD_TO_HEAD": 1,
                                     "release": (RELEASES + 0x34, 1, 1)}])
    older = memory.chain(0x230000, CHAINS["older"], "v02_02")

    last_one = memory.chain(0x240000, [{"grid": (3, 1, 1), "block": (32, 1, 1), "entry": 0,
                                        "release": (RELEASES + 0x70, 7, 1)}])

    # Every launch of it is a task of its own; the account of the run follows each.
    children = 4
    memory.chain(CHILD, [{"grid": (3, 1, 1), "block": (64, 1, 1), "entry": 1}])
    memory.waves += (children - 1) * 6 + children
    of_host = memory.chain(0x260000, [{"grid": (2, 1, 1), "block": (64, 1, 1), "entry": 1,
                                       "release": (RELEASES + 0x80, 6, 1)}])

    def launch(address):
        return f"LAUNCH_TASK 0x{address >> 8:x}"

    ring = ["SET_SH_REG COMPUTE_PGM_LO 0x3000002 0", "SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3 USER_SGPR=2,TGID_X_EN=1",
            "SET_SH_REG COMPUTE_USER_DATA_0 0x1000 2", "SET_SH_REG COMPUTE_NUM_THREAD_X 64 1 1"]
    dispatch = "DISPATCH_DIRECT 10 1 1 compute_shader_en=1,force_start_at_000=1"
    memory.waves += 30
    streams = {
        (0, 0, 7): [launch(network)],
        (0, 1, 7): [*ring, dispatch, launch(mixed), dispatch, "NOP 0", dispatch,
                    "RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe "
                    "data_sel=32_bits,int_sel=interrupt_after_write @0x80060 0x5eed 0 1"],
        (1, 0, 7): [launch(long), launch(last), launch(first)],
        (1, 3, 7): ["SET_SH_REG COMPUTE_PGM_LO 0x3000004 0", *ring[1:],
                    f"DISPATCH_DIRECT {children} 1 1 compute_shader_en=1,force_start_at_000=1"],
        (1, 2, 9): [launch(older), f"WAIT_REG_MEM function=ge,mem_space=memory @0x{RELEASES + 0x50:x} 9 0xffffffff 16",
                    launch(last_one)],
    }
    memory.values.append({"address": 0x80060, "value": 0x5EED})
    queues = [{"pipe": pipe, "queue": queue, "priority": priority, "pipe_priority": 1,
               "ring": {"address": 0x100000 + 0x1000 * n, "size": 256}, "map_at": 0, "doorbells": [{"at": 3000}],
               "packets": lines} for n, ((pipe, queue, priority), lines) in enumerate(streams.items())]
    text = {"name": sys.argv[1], "configuration": "board", "seed": 3, "cycles": 200000, "memory": {"latency": 100},
            "image": memory.image,
            "programs": [{"entry": entry, "duration": time} | ({"child": CHILD} if entry == 4 else {})
                         for entry, time in DURATIONS.items()], "queues": queues,
            "writes": [{"at": 3000, "register": "tasks[0].TASK_POINTER", "value": of_host >> 8},
                       {"at": 3000, "register": "tasks[0].TASK_LAUNCH", "value": 1 << 3 | 3}],
            "expect": {"memory": memory.values, "waves": memory.waves}}
    FOLDER.mkdir(parents=True, exist_ok=True)
    file = FOLDER / f"{sys.argv[1]}.yaml"
    file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
    print(f"wrote {file.relative_to(FOLDER.parents[1])}: {memory.waves} waves")


if __name__ == "__main__":
    main()
