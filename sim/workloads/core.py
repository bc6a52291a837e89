#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes workloads for the RISC-V cores of tb/core: build/workloads/NAME.yaml with its data beside it.

    python3 sim/workloads/core.py [--configuration mini|board|full] [--seed N] [--size N] [--board] KIND [NAME]

A driver's packets launch kernels of docs/core.md (made before: make -f tb/core/rules.mk kernels); what they have to
leave in memory is computed here, and each result has to be complete when the fence behind it is written.

KIND: {}
"""

import argparse
import random
from pathlib import Path

import chains
import draws
import yaml
from frame import STATES
from frame_stream import FENCE, FRAME_NUMBER, Frame, Source, Stream, table

TOP = Path(__file__).resolve().parents[2]
FOLDER = TOP / "build" / "workloads"
KERNELS = TOP / "build" / "core" / "kernels"
PROGRAMS, DATA, RINGS, FENCES, MQDS = 0x40000, 0x200000, 0x100000, 0x80000, 0x90000
WORD = 1 << 32
LOW = 0x1000, 0x8000, 0x4000, 0x6000    # the first four in 64 KiB of a board
LANES = 64                          # threads of a wave
WIDTH, ROOM = 192, 0x10000          # pixels of a row of the image, of all at most
FLUSH = "EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush"


class Work:
    """Memory, queues and expected results of a workload."""

    def __init__(self, options):
        self.name, self.random = options.name, random.Random(options.seed)
        self.image, self.queues, self.results, self.memory = [], [], [], []
        self.waves = self.fences = self.files = 0
        self.more, self.expect, self.programs = {}, {}, {}      # other keys; addresses of kernels
        self.options = options
        self.kernels, self.free, self.rings, self.written = LOW if options.board else (PROGRAMS, DATA, RINGS, FENCES)

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
            self.programs[kernel] = (self.kernels >> 8) + 0x20 * len(self.programs)
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
        address = self.written + 8 * self.fences
        self.fences += 1
        behind = {} if self.options.board else {"behind": address}
        self.results += [{"address": place, **behind, "hex": self.hex(words)} for place, words in results]
        self.memory.append({"address": address, "value": self.fences})
        return [f"RELEASE_MEM event_type=BOTTOM_OF_PIPE_TS,event_index=end_of_pipe data_sel=32_bits,"
                f"int_sel=interrupt_after_write @0x{address:x} {self.fences} 0 {self.fences}"]

    def queue(self, packets, pipe=0, queue=0, priority=7, pipe_priority=1, **more):
        number = len(self.queues)
        self.queues.append({"pipe": pipe, "queue": queue, "priority": priority, "pipe_priority": pipe_priority,
                            "ring": {"address": self.rings + 0x1000 * number, "size": 256},
                            "map_at": 0, **more, "packets": packets})

    def write(self):
        expect = {"memory": self.memory, "results": self.results, "waves": self.waves, "fences": self.fences,
                  "interrupts": self.fences} | self.expect
        text = {"name": self.name, "configuration": self.options.configuration, "core": "rv32",
                "seed": self.options.seed, "cycles": 2_000_000, "memory": {"latency": 20, "visible": "response"},
                "image": self.image, "queues": self.queues, **self.more,
                "expect": {key: value for key, value in expect.items() if value is not None}}
        file = FOLDER / f"{self.name}.yaml"
        file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
        print(f"wrote {file.relative_to(TOP)}")


def adapter(dword, engine=0):
    """A register of the cores."""
    return 0x2000 + 0x400 * engine + 4 * dword


def sums(work, count, threads=2 * LANES):
    """Packets of a vector addition with its fence."""
    a, b = work.numbers(count), work.numbers(count)
    out = work.buffer(count)
    return (work.dispatch("vecadd", -(-count // threads), threads, [work.buffer(a), work.buffer(b), out, count])
            + work.fence((out, [(x + y) % WORD for x, y in zip(a, b)])))


def vecadd(work):
    """one dispatch"""
    work.queue(sums(work, 1000))


def product(a, b, n):
    return [sum(a[n * y + k] * b[n * k + x] for k in range(n)) % WORD for y in range(n) for x in range(n)]


def matmul(work):
    """tiles in LDS"""
    n = work.options.size or 48
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


def moved(work):
    """board: a queue leaves inside its grid and goes on in the other pipe"""
    work.queue(sums(work, 6000), mqd=MQDS, doorbells=[{"at": 1000}], dequeue=[{"at": 8000, "type": 4}],
               map=[{"at": 8100, "pipe": 1, "queue": 2}])
    work.queue(sums(work, 2000), pipe=1)
    work.expect |= {"fences": None, "interrupts": None}     # also of the record and the dequeue


def reset(work):
    """a queue is reset inside its grid and begins it anew, beside another one"""
    work.queue(sums(work, 3000), mqd=MQDS, doorbells=[{"at": 1000}], dequeue=[{"at": 6000, "type": 2}],
               map=[{"at": 6100, "pipe": 0, "queue": 0}])
    work.queue(sums(work, 1000), queue=1)
    work.expect |= {"waves": None, "interrupts": None}  # some are launched twice; also of the dequeue


def endless(work):
    """waves that never end are killed, those of another queue do not notice"""
    flags = work.buffer(2)
    work.queue(work.dispatch("endless", 2, LANES, [flags]), dequeue=[{"at": 12000, "type": 2}])
    work.queue(sums(work, 1000), queue=1)
    work.results.append({"address": flags, "dwords": [1, 1]})
    work.expect["interrupts"] = None    # also of the dequeue


def priorities(work):
    """board: two pipes of different priority at one engine"""
    work.queue(sums(work, 4000), pipe_priority=0)
    work.queue(sums(work, 1000), pipe=1, pipe_priority=2, doorbells=[{"at": 6000}])


def bad(work, kernel, address, code, recorded=None):
    """One wave of six goes wrong, its fence comes, the record of the cores names it."""
    out, wrong = work.buffer(6), 2
    work.queue(work.dispatch(kernel, 6, LANES, [address, out, wrong])
               + work.fence((out, [0 if w == wrong else w + 1 for w in range(6)])))
    late = 60_000
    record = {5: 1, 6: wrong << 8 | code, 8: work.program(kernel) << 8, 9: wrong, 10: 0}   # the wave has slot 2
    if recorded is not None:
        record[7] = recorded
    work.expect["registers"] = [{"at": late, "address": adapter(dword), "value": value}
                                for dword, value in record.items()]


def bad_jump(work):
    """a wave jumps out of its program"""
    bad(work, "bad_jump", 0x300000, 1, 0x300000)


def bad_misaligned(work):
    """a wave stores a dword across two"""
    place = work.buffer(2)
    bad(work, "bad_misaligned", place, 2, place)


def bad_access(work):
    """a wave reads outside of memory"""
    work.more["writes"] = [{"at": 0, "address": adapter(12), "value": DATA + 0xFFFFF}]
    bad(work, "bad_access", DATA + 0x100000, 4, DATA + 0x100000)


def bad_illegal(work):
    """a wave has an illegal instruction"""
    bad(work, "bad_illegal", 0, 3)


def tasks(work):
    """Descriptors of scale, add, reduce, each the dependent of the one before; the address of the first."""
    groups, each = 4, 96            # of reduce: elements of a group
    count, factor, addend = groups * each, 7, 1000
    values = work.numbers(count)
    scaled, added, out = work.buffer(count), work.buffer(count), work.buffer(groups)
    results = [(value * factor + addend) % WORD for value in values]
    kernels = [("scale", count // 32, 32, [work.buffer(values), scaled, count, factor]),
               ("add", count // 32, 32, [scaled, added, count, addend]),
               ("reduce", groups, 96, [added, out, each])]
    first, release = work.buffer(0x80 * len(kernels)), FENCES + 0x800
    for n, (kernel, grid, threads, user) in enumerate(kernels):
        last = n + 1 == len(kernels)
        words = chains.task((grid, 1, 1), (threads, 1, 1), 0, lds=16, release=(release, 0xE4D, 1) if last else None,
                            dependent=None if last else first + 0x200 * (n + 1),
                            PROGRAM_LOW=work.program(f"task_{kernel}") << 8)
        work.image.append({"address": first + 0x200 * n, "dwords": words + user})
        work.waves += grid * -(-threads // 32)
    work.results += [{"address": added, "behind": release, "hex": work.hex(results)},
                     {"address": out, "behind": release,
                      "dwords": [sum(results[each * g:each * (g + 1)]) % WORD for g in range(groups)]}]
    return first


def chain(work):
    """board: three tasks, each the dependent of the one before: scale, add, reduce; no packet between"""
    work.queue([f"LAUNCH_TASK 0x{tasks(work) >> 8:x}"])


def child(work):
    """board: a wave launches them"""
    answer = work.buffer(1)
    work.queue(work.dispatch("child", 1, LANES, [tasks(work) >> 8, answer]) + work.fence((answer, [1])))


class Painted(Stream):
    """Packets of a frame with programs of the cores: each draw writes its pixels, in a blue of its own."""

    def __init__(self, work, image, buffers):
        super().__init__(Source(), 10)
        self.programs = {"SPI_SHADER_PGM_LO_PS": work.program("pixel"), "SPI_SHADER_PGM_HI_PS": 0,
                         "COMPUTE_PGM_LO": work.program("add"), "COMPUTE_PGM_HI": 0}
        self.image, self.buffers = image, buffers

    @staticmethod
    def blue(draw):
        return 97 * draw % 256      # far from that of the draw before

    def sh(self, **values):
        n = values.get("COMPUTE_USER_DATA_0")
        if n is not None:           # dispatch n adds n + 1
            values = user_data("COMPUTE_USER_DATA", [*self.buffers[n:n + 2], LANES, n + 1])
        super().sh(**{name: self.programs.get(name, value) for name, value in values.items()})

    def paint(self):
        self.sh(**user_data("SPI_SHADER_USER_DATA_PS", [self.image, ROOM, WIDTH, self.blue(self.draws)]))

    def indexed(self, count, buffer):
        self.paint()
        super().indexed(count, buffer)

    def auto(self, count):
        self.paint()
        super().auto(count)


def user_data(name, values):
    return {f"{name}_{n}": value for n, value in enumerate(values)}


def pixels(work):
    """board: the packets of frame-small on the graphics ring; its draws write an image, a pixel for each primitive"""
    image, given = work.buffer(ROOM), work.numbers(LANES)
    buffers = [work.buffer(given), work.buffer(LANES), work.buffer(LANES)]
    stream, defaults = Painted(work, image, buffers), Stream(Source(), 10)
    Frame(stream, STATES, 0).write()
    table(defaults)
    issued, result = [waves for waves, _ in draws.issued(stream.words)], []
    for draw, waves in enumerate(issued):
        for count in waves:         # of pixels: a pixel wave ends with its geometry wave
            first = len(result)
            result += [0xFF000000 | p % WIDTH << 16 | p // WIDTH << 8 | stream.blue(draw)
                       for p in range(first, first + count)] + [0] * (LANES - count)
    result += [0] * (-len(result) % WIDTH)
    packets = [f"SET_SH_REG SPI_SHADER_PGM_LO_PS 0x{work.program('pixel'):x} 0 1 0x8",     # of the depth passes
               f"INDIRECT_BUFFER @0x{work.buffer(stream.words):x} ib_size={len(stream.words)},valid=1"]
    work.more["rings"] = [{"front_end": 0, "ring": {"address": 0x180000, "size": 256}, "map_at": 0,
                           "graphics": {"hp3d": True, "bounce": True, "filter": True, "generation": 10},
                           "table": {"hex": work.hex(defaults.words)}, "packets": packets}]
    work.more["writes"] = [{"at": 0, "address": adapter(dword), "value": 1} for dword in (13, 14)]
    work.memory.append({"address": FENCE, "value": FRAME_NUMBER})
    work.results += [{"address": image, "behind": FENCE, "hex": work.hex(result)},
                     {"address": buffers[2], "behind": FENCE, "hex": work.hex([(x + 3) % WORD for x in given])}]
    geometry = sum(map(len, issued))
    work.waves, work.fences = 2 * geometry + stream.dispatched, 1
    work.expect |= {"draws": len(issued), "geometry": geometry}


KINDS = {each.__name__.replace("_", "-"): each for each in
         (vecadd, matmul, scan, histogram, moved, reset, endless, priorities, bad_jump, bad_misaligned, bad_access,
          bad_illegal, chain, child, pixels)}
BOARD = {"moved", "priorities", "chain", "child", "pixels"}


def main():
    parser = argparse.ArgumentParser(formatter_class=argparse.RawDescriptionHelpFormatter, description=__doc__.format(
        "".join(f"\n    {name:<16}{each.__doc__}" for name, each in KINDS.items())))
    parser.add_argument("--configuration", choices=["mini", "board", "full"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, help="rows of the matrices of matmul, a multiple of 16 (48)")
    parser.add_argument("--board", action="store_true",
                        help="vecadd for `totem host run`: low addresses, results compared behind the run")
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("name", nargs="?")
    options = parser.parse_args()
    if options.kind in BOARD and options.configuration == "mini":
        parser.error(f"{options.kind} wants --configuration board")
    if options.board and options.kind != "vecadd":
        parser.error(f"{options.kind} wants more than a board has; --board vecadd")
    if options.kind == "pixels" and options.configuration == "full":
        parser.error("the image is that of one engine: --configuration board")
    options.configuration = options.configuration or ("board" if options.kind in BOARD else "mini")
    options.name = options.name or options.kind
    FOLDER.mkdir(parents=True, exist_ok=True)
    work = Work(options)
    KINDS[options.kind](work)
    work.write()


if __name__ == "__main__":
    main()
