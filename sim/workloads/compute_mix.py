#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the default workload, build/workloads/compute-mix.yaml: 20 compute queues on 8 pipes, more work than fits.

    python3 sim/workloads/compute_mix.py [FILE]     another file

What each queue does follows the streams of a compute runtime: wait for input, then per kernel invalidate caches, set
program and shape, dispatch, flush; at the end a fence with an interrupt. Waits go from a pipe to pipes of lower number
only, so no wait can hold up, through the priorities of its pipe, what it waits for.
"""
import pathlib
import random
import sys

FILE = pathlib.Path(__file__).resolve().parents[2] / "build" / "workloads" / "compute-mix.yaml"
SEED = 2024
CYCLES = 400_000

# pipe, queue, queue priority, pipe priority (0 low, 1 medium, 2 high), role
QUEUES = [
    (0, 0, 7, 1, "training, forward"), (0, 3, 7, 1, "training, backward"), (0, 5, 10, 2, "all-reduce"),
    (1, 0, 7, 0, "batch inference"), (1, 1, 3, 0, "checkpoint compression"), (1, 7, 7, 0, "batch inference, second model"),
    (2, 0, 15, 2, "interactive inference"), (2, 2, 5, 1, "preprocessing"),
    (3, 1, 7, 1, "physics"), (3, 4, 7, 1, "particles"), (3, 6, 9, 2, "audio"),
    (4, 0, 0, 0, "background indexing"), (4, 5, 11, 2, "video encode"),
    (5, 0, 7, 1, "sparse solver"), (5, 1, 7, 1, "assembly"), (5, 2, 7, 1, "residual"),
    (6, 3, 8, 1, "alone on its pipe"),
    (7, 0, 4, 0, "analytics"), (7, 6, 12, 2, "control loop"), (7, 7, 4, 0, "analytics, second tenant"),
]

# Wave engine: entry -> (duration, spread: a random number below 2^spread is added). PGM_LO ends in its entry.
PROGRAMS = {0: (40, 0), 1: (80, 4), 2: (160, 5), 3: (240, 6), 4: (320, 7), 5: (500, 8), 6: (800, 0), 7: (60, 6)}

# Kernels: name, entry, work-groups, threads of a group, VGPRS field, LDS blocks of 128 dwords, wave size, user SGPRs
KERNELS = [
    ("vector add", 0, (24, 1, 1), (64, 1, 1), 3, 0, 64, 2),
    ("elementwise", 1, (40, 1, 1), (256, 1, 1), 7, 0, 64, 4),
    ("row softmax", 2, (16, 2, 1), (128, 1, 1), 15, 8, 32, 6),
    ("matrix tile 16x16", 3, (6, 6, 1), (16, 16, 1), 31, 64, 64, 8),
    ("matrix tile, all registers", 4, (3, 4, 1), (32, 8, 1), 63, 128, 32, 8),
    ("convolution", 5, (5, 3, 2), (8, 8, 2), 23, 32, 64, 10),
    ("reduction", 2, (12, 1, 1), (512, 1, 1), 7, 16, 64, 2),
    ("large work-group", 3, (4, 1, 1), (1024, 1, 1), 15, 256, 64, 3),
    ("one wave", 7, (1, 1, 1), (32, 1, 1), 0, 0, 32, 0),
    ("odd sizes", 1, (7, 3, 3), (20, 3, 1), 11, 1, 64, 5),
    ("long wave", 6, (10, 1, 1), (64, 1, 1), 5, 0, 64, 1),
    ("scan", 0, (64, 1, 1), (32, 1, 1), 2, 2, 32, 2),
]

# Packets of the public list without a rule on a compute queue: consumed and counted.
IGNORED = [
    "SET_UCONFIG_REG 0x240 0x4", "SET_SH_REG_INDEX index=3,reg_offset=0x216 0xffffffff 0xffffffff", "HDP_FLUSH 0",
    "CONTEXT_CONTROL 0x80000000 0x80000000", "PFP_SYNC_ME 0",
    "DMA_DATA dst_sel=nowhere,src_sel=data 0 0 0 0 byte_count=64", "SET_SH_REG 0x8 0x1000 0x0",
]
FILL = ["NOP", "NOP 0xc0ffee", "NOP 0x0 0x1 0x2 0x3 0x4", "FILLER"]


class Plan:
    """The whole workload: texts of the queues, and what must hold at the end."""

    def __init__(self):
        self.random = random.Random(SEED)
        self.image, self.queues, self.memory = [], [], []
        self.waves = self.fences = self.dispatches = 0
        self.last_fence = {}  # pipe -> [(address, value, role)]


def waves_of(threads, size):
    return -(-threads[0] * threads[1] * threads[2] // size)


def kernel(plan, number, lines, at_start):
    name, entry, groups, threads, vgprs, lds, size, user = plan.random.choice(KERNELS)
    base = (0x7000000 + number * 0x10000 + plan.random.randrange(0x800) * 0x10) | entry
    lines.append(f"# {name}: {groups[0]}x{groups[1]}x{groups[2]} work-groups of {threads[0]}x{threads[1]}x{threads[2]} "
                 f"threads, wave{size}")
    lines.append("ACQUIRE_MEM 0 0xffffffff 0xffffff 0 0 0 gcr_cntl=0x3f0" if plan.random.random() < 0.8 else
                 "ACQUIRE_MEM 0 0xffffffff 0xffffff 0 0 4")
    lines.append(f"SET_SH_REG COMPUTE_PGM_LO 0x{base:x} 0")
    lines.append(f"SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS={vgprs},FLOAT_MODE=0xc0,IEEE_MODE=1 "
                 f"USER_SGPR={user},TGID_X_EN=1,TGID_Y_EN=1,TGID_Z_EN=1,LDS_SIZE={lds}")
    if plan.random.random() < 0.5:
        lines.append("SET_SH_REG COMPUTE_TMPRING_SIZE 0x200200")
    if user:
        values = " ".join(f"0x{plan.random.randrange(1 << 32):x}" for _ in range(user))
        lines.append(f"SET_SH_REG COMPUTE_USER_DATA_0 {values}")
    origin = (0, 0, 0)
    if at_start:
        origin = (plan.random.randrange(4), plan.random.randrange(2), 0)
    end = tuple(g + o for g, o in zip(groups, origin))
    lines.append(f"SET_SH_REG COMPUTE_START_X {origin[0]} {origin[1]} {origin[2]} {threads[0]} {threads[1]} {threads[2]} 0 0")
    initiator = ["compute_shader_en=1"]
    if not at_start:
        initiator.append("force_start_at_000=1")
    if size == 32:
        initiator.append("cs_w32_en=1")
    lines.append(f"DISPATCH_DIRECT {end[0]} {end[1]} {end[2]} {','.join(initiator)}")
    plan.waves += groups[0] * groups[1] * groups[2] * waves_of(threads, size)
    plan.dispatches += 1


def fence(plan, number, count, lines, timestamp=False):
    """RELEASE_MEM; the address of its value, or None for a timestamp."""
    address = 0x03000000 + number * 0x100 + count * 8
    value = (number + 1) << 16 | (count + 1)
    plan.fences += 1
    event = "event_type=CACHE_FLUSH_AND_INV_TS_EVENT,event_index=end_of_pipe,gcr_cntl=0x70f"
    if timestamp:
        lines.append(f"RELEASE_MEM {event} data_sel=gpu_clock @0x{address:x} 0 0 0")
        return None
    if plan.random.random() < 0.3:
        high = plan.random.randrange(1, 1 << 32)
        lines.append(f"RELEASE_MEM {event} data_sel=64_bits,int_sel=interrupt_after_write @0x{address:x} 0x{value:x} "
                     f"0x{high:x} 0x{value:x}")
        plan.memory.append((address + 4, high))
    else:
        interrupt = ",int_sel=interrupt_after_write" if plan.random.random() < 0.8 else ""
        lines.append(f"RELEASE_MEM {event} data_sel=32_bits{interrupt} @0x{address:x} 0x{value:x} 0 0x{value:x}")
    plan.memory.append((address, value))
    return address, value


def write_data(plan, number, count, lines):
    address = 0x03000080 + number * 0x100 + count * 0x20 + 4 * plan.random.randrange(2)
    values = [plan.random.randrange(1 << 32) for _ in range(plan.random.randrange(1, 5))]
    lines.append(f"WRITE_DATA dst_sel=memory,wr_confirm=1 @0x{address:x} " + " ".join(f"0x{v:x}" for v in values))
    plan.memory.extend((address + 4 * n, v) for n, v in enumerate(values))


def wait(plan, pipe, lines):
    source = plan.random.choice([f for p in range(pipe) for f in plan.last_fence.get(p, [])])
    address, value, role = source
    lines.append(f"# wait for {role}")
    compare = plan.random.choice(["ge", "eq"])
    lines.append(f"WAIT_REG_MEM function={compare},mem_space=memory @0x{address:x} 0x{value:x} 0xffffffff 16")


def indirect(plan, number, lines):
    """A kernel in an indirect buffer, sometimes one that chains to a second."""
    first, second = 0x02000000 + number * 0x4000, 0x02002000 + number * 0x4000
    body, chained = [], []
    kernel(plan, number, body, False)
    if plan.random.random() < 0.5:
        kernel(plan, number, chained, False)
        chained.append("EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush")
        body.append(f"INDIRECT_BUFFER @0x{second:x} ib_size={dwords(chained)},chain=1,valid=1")
        plan.image.append((second, "chained to by the buffer before it", chained))
    else:
        body.append("EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush")
    at = len(plan.image) - (1 if chained else 0)
    plan.image.insert(at, (first, f"indirect buffer of queues[{number}]", body))
    lines.append(f"INDIRECT_BUFFER @0x{first:x} ib_size={dwords(body)},valid=1")


def dwords(lines):
    """Size of packets in readable form: the header, one per operand, two for an @address."""
    total = 0
    for line in lines:
        words = line.split("#")[0].split()
        if words and words[0] == "FILLER" or words == ["NOP"]:
            total += 1
        elif words:
            total += 1 + sum(2 if word.startswith("@") else 1 for word in words[1:])
    return total


def queue(plan, number, pipe, slot, priority, pipe_priority, role):
    pick = plan.random
    lines, fences = [], []
    if number == 5 or number == 13:  # kept off one engine
        lines.append("# not on engine 1")
        lines.append("SET_SH_REG COMPUTE_STATIC_THREAD_MGMT_SE1 0")
    sections = pick.randrange(3, 6)
    for section in range(sections):
        if pipe and section in (0, 2) and pick.random() < 0.7:
            wait(plan, pipe, lines)
        for _ in range(pick.randrange(1, 4)):
            kernel(plan, number, lines, pick.random() < 0.2)
            if pick.random() < 0.5:
                lines.append("EVENT_WRITE event_type=CS_PARTIAL_FLUSH,event_index=partial_flush")
            if pick.random() < 0.3:
                lines.append(pick.choice(IGNORED))
            if pick.random() < 0.3:
                lines.append(pick.choice(FILL))
        if section == 1 and pick.random() < 0.6:
            indirect(plan, number, lines)
        if section < 3 and pick.random() < 0.4:
            write_data(plan, number, section, lines)
        done = fence(plan, number, section, lines)
        fences.append((*done, role))
    if number % 6 == 2:
        fence(plan, number, sections, lines, timestamp=True)
    plan.last_fence.setdefault(pipe, []).extend(fences)

    size = 64
    while size < dwords(lines):
        size *= 2
    map_at = pick.randrange(0, 30) * 100
    packets = [line for line in lines if not line.startswith("#")]
    text = [f"  # {number}: {role}", f"  - pipe: {pipe}", f"    queue: {slot}", f"    priority: {priority}",
            f"    pipe_priority: {pipe_priority}", f"    ring: {{address: 0x{0x01000000 + number * 0x10000:x}, size: {size}}}",
            f"    quantum: {{enable: true, scale: 0, duration: {pick.choice([0, 0, 1])}}}",
            f"    rptr_report: 0x{0x03f00000 + number * 0x40:x}", f"    map_at: {map_at}"]
    if pick.random() < 0.5:
        text.append("    doorbells:")
        text.append(f"      - {{at: {map_at + pick.randrange(200)}, packets: {pick.randrange(1, len(packets))}}}")
        text.append(f"      - {{at: {map_at + 1000 + pick.randrange(6000)}}}")
    text.append("    packets:")
    text += [f"      {line}" if line.startswith("#") else f"      - {line}" for line in lines]
    plan.queues.append("\n".join(text))


def generate():
    plan = Plan()
    for number, row in enumerate(QUEUES):
        queue(plan, number, *row)
    out = ["# SPDX-License-Identifier: Apache-2.0", "# Made by sim/workloads/compute_mix.py.", "#",
           f"# {len(QUEUES)} compute queues on 8 pipes of 4 front ends, several queue and pipe priorities, more work than the",
           f"# engines hold: {plan.dispatches} dispatches, {plan.waves} waves, {plan.fences} fences.",
           "name: compute-mix", "configuration: full", f"seed: {SEED}", f"cycles: {CYCLES}", "",
           "memory:", "  latency: 100", "  latency_spread: 20", "", "programs:"]
    out += [f"  - {{entry: {entry}, duration: {duration}, spread: {spread}}}" for entry, (duration, spread) in PROGRAMS.items()]
    out += ["", "image:"]
    for address, about, lines in plan.image:
        out += [f"  # {about}", f"  - address: 0x{address:x}", "    packets:"]
        out += [f"      {line}" if line.startswith("#") else f"      - {line}" for line in lines]
    out += ["", "queues:", "\n".join(plan.queues), "", "expect:", f"  waves: {plan.waves}", f"  fences: {plan.fences}", "  memory:"]
    out += [f"    - {{address: 0x{address:x}, value: 0x{value:x}}}" for address, value in plan.memory]
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) > 2 or sys.argv[1:2] in (["--help"], ["-h"]):
        sys.exit(__doc__)
    file = pathlib.Path(sys.argv[1]) if sys.argv[1:] else FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(generate())


if __name__ == "__main__":
    main()
