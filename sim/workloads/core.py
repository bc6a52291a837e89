#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes workloads for the RISC-V cores of tb/core: build/workloads/NAME.yaml with its data beside it.

    python3 sim/workloads/core.py [--configuration mini|board] [--seed N] KIND NAME

A driver's packets launch kernels of docs/core.md (made before: make -f tb/core/rules.mk kernels); what they have to
leave in memory is computed here, and each result has to be complete when the fence behind it is written.

KIND: {}
"""

import argparse
import random
from pathlib import Path

import yaml

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "build" / "workloads"
KERNELS = TOP / "build" / "core" / "kernels"
PROGRAMS, DATA, RINGS, FENCES, MQDS = 0x40000, 0x200000, 0x100000, 0x80000, 0x90000
WORD = 1 << 32
LANES = 64                          # threads of a wave
FLUSH = "EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush"


class Work:
    """Memory, queues and expected results of a workload."""

    def __init__(self, options):
        self.name, self.random = options.name, random.Random(options.seed)
        self.image, self.queues, self.results, self.memory = [], [], [], []
        self.programs, self.free, self.files = {}, DATA, 0
        self.waves = self.fences = 0
        self.more = {}
        self.seed, self.configuration = options.seed, options.configuration

    def hex(self, words):
        """A file with these dwords."""
        file = FOLDER / f"{self.name}-{self.files}.hex"
        self.files += 1
        file.write_text("".join(f"{word:08x}\n" for word in words), encoding="utf-8")
        return file.name

    def buffer(self, words):
        """Room for so many dwords, or for these."""
        address = self.free
        count = words if isinstance(words, int) else len(words)
        self.free += -(-4 * count // 256) * 256
        if not isinstance(words, int):
            self.image.append({"address": address, "hex": self.hex(words)})
        return address

    def numbers(self, count, below=WORD):
        return [self.random.randrange(below) for _ in range(count)]

    def program(self, kernel):
        """Address of a kernel >> 8."""
        if kernel not in self.programs:
            self.programs[kernel] = (PROGRAMS >> 8) + 0x20 * len(self.programs)
            self.image.append({"address": self.programs[kernel] << 8, "hex": f"../core/kernels/{kernel}.hex"})
        return self.programs[kernel]

    def dispatch(self, kernel, groups, threads, user, lds=0):
        """Packets of a dispatch; `groups` in x, or (x, y)."""
        x, y = groups if isinstance(groups, tuple) else (groups, 1)
        self.waves += x * y * -(-threads // LANES)
        return [f"SET_SH_REG COMPUTE_PGM_LO 0x{self.program(kernel):x} 0",
                f"SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=3 USER_SGPR={len(user)},TGID_X_EN=1,TGID_Y_EN=1,"
                f"LDS_SIZE={-(-lds // 128)}",
                "SET_SH_REG COMPUTE_USER_DATA_0 " + " ".join(f"0x{value:x}" for value in user),
                f"SET_SH_REG COMPUTE_NUM_THREAD_X {threads} 1 1",
                f"DISPATCH_DIRECT {x} {y} 1 compute_shader_en=1,force_start_at_000=1"]

    def fence(self, *results):
        """A RELEASE_MEM with an interrupt, behind it these results: (address, dwords)."""
        address = FENCES + 8 * self.fences
        self.fences += 1
        self.results += [{"address": place, "behind": address, "hex": self.hex(words)} for place, words in results]
        self.memory.append({"address": address, "value": self.fences})
        return [f"RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits,"
                f"int_sel=interrupt_after_write @0x{address:x} {self.fences} 0 {self.fences}"]

    def queue(self, packets, pipe=0, queue=0, priority=7, pipe_priority=1, **more):
        number = len(self.queues)
        self.queues.append({"pipe": pipe, "queue": queue, "priority": priority, "pipe_priority": pipe_priority,
                            "ring": {"address": RINGS + 0x1000 * number, "size": 256},
                            "map_at": 0, **more, "packets": packets})

    def write(self):
        expect = {"memory": self.memory, "results": self.results, "waves": self.waves, "fences": self.fences,
                  "interrupts": self.fences}
        text = {"name": self.name, "configuration": self.configuration, "core": "rv32", "seed": self.seed,
                "cycles": 2_000_000, "memory": {"latency": 20}, "image": self.image, "queues": self.queues,
                "expect": expect} | self.more
        text["expect"] = {key: value for key, value in text["expect"].items() if value is not None}
        file = FOLDER / f"{self.name}.yaml"
        file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
        print(f"wrote {file.relative_to(TOP)}")


def vecadd(work):
    """one dispatch"""
    count, threads = 1000, 128
    a, b = work.numbers(count), work.numbers(count)
    out = work.buffer(count)
    work.queue(work.dispatch("vecadd", -(-count // threads), threads, [work.buffer(a), work.buffer(b), out, count])
               + work.fence((out, [(x + y) % WORD for x, y in zip(a, b)])))


def product(a, b, n):
    return [sum(a[n * y + k] * b[n * k + x] for k in range(n)) % WORD for y in range(n) for x in range(n)]


def matmul(work):
    """tiles in LDS"""
    n = 48
    a, b = work.numbers(n * n), work.numbers(n * n)
    c = work.buffer(n * n)
    work.queue(work.dispatch("matmul", (n // 16, n // 16), 4 * LANES, [work.buffer(a), work.buffer(b), c, n], 512)
               + work.fence((c, product(a, b, n))))


def scan(work):
    """prefix sums in two dispatches with a flush between"""
    count, threads = 1500, 4 * LANES
    values = work.numbers(count)
    groups = -(-count // threads)
    out, sums = work.buffer(count), work.buffer(groups)
    total, expected = 0, []
    for value in values:
        total = (total + value) % WORD
        expected.append(total)
    work.queue(work.dispatch("scan", groups, threads, [work.buffer(values), out, sums, count], 4) + [FLUSH]
               + work.dispatch("scan_add", groups, threads, [out, sums, count]) + work.fence((out, expected)))


def histogram(work):
    """counts of each group in LDS, then their sums"""
    count, threads, bins = 2000, 4 * LANES, 32
    values = work.numbers(count)
    groups = -(-count // threads)
    partial, out = work.buffer(groups * bins), work.buffer(bins)
    expected = [sum(value % bins == b for value in values) for b in range(bins)]
    work.queue(work.dispatch("histogram", groups, threads, [work.buffer(values), partial, count, bins], 4 * bins)
               + [FLUSH] + work.dispatch("histogram_sum", 1, LANES, [partial, out, groups, bins])
               + work.fence((out, expected)))


KINDS = {each.__name__: each for each in (vecadd, matmul, scan, histogram)}


def main():
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter,
                                     description=__doc__.format(", ".join(f"{name} ({each.__doc__})"
                                                                          for name, each in KINDS.items())))
    parser.add_argument("--configuration", choices=["mini", "board"], default="mini")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("name")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    work = Work(options)
    KINDS[options.kind](work)
    work.write()


if __name__ == "__main__":
    main()
