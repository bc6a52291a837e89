#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes command streams of a graphics pipe for `totem pm4 bounce`, as files of hexadecimal dwords.

    python3 sim/workloads/context_stream.py random SEED FILE   all packets that write context registers, few states
    python3 sim/workloads/context_stream.py hidden SEED FILE   random, with loads, calls of buffers and conditions
                                                               between, behind which a driver knows no register
    python3 sim/workloads/context_stream.py long FILE          groups as long as a CONTEXT_BOUNCE can say, and longer
    python3 sim/workloads/context_stream.py table FILE         values for CLEAR_STATE: a stream that writes them
"""

import random
import sys
from pathlib import Path

CLEAR_STATE, DISPATCH_DIRECT, DRAW_INDEX_2, DRAW_INDEX_AUTO = 0x12, 0x15, 0x27, 0x2D
COND_EXEC, INDIRECT_BUFFER, ACQUIRE_MEM, DMA_DATA, LOAD_CONTEXT_REG = 0x22, 0x3F, 0x58, 0x50, 0x61
LOAD_CONTEXT_REG_INDEX, WRITE_DATA = 0x9F, 0x37
EVENT_WRITE, CONTEXT_REG_RMW, SET_CONTEXT_REG, SET_SH_REG = 0x46, 0x51, 0x69, 0x76
NOP, PAIRS, PACKED = 0x10, 0xB8, 0xB9
REGISTERS = 1024


def packet(opcode, *body):
    return [0xC0000000 | len(body) - 1 << 16 | opcode << 8, *body]


def draw():
    return packet(DRAW_INDEX_AUTO, 3, 2)


def space(dwords):
    """Packets that concern no context register."""
    return packet(NOP, *[0] * (dwords - 1)) if dwords > 1 else packet(NOP, 0)


def state(number):
    """Three packets, eight registers: targets, depth and stencil, rasterizer."""
    return (packet(SET_CONTEXT_REG, 0x318, 0x100 + number, 0x200 + number, 0x300 + number)
            + packet(SET_CONTEXT_REG, 0x200, 0x400 + number, 0x500 + number)
            + packet(SET_CONTEXT_REG, 0x204, 0x600 + number, 0x700 + number, 0x800 + number))


def write(rng):
    registers = [0, 1, 15, 16, 17, 0x200, 0x201, 0x318, REGISTERS - 1]
    pick, value = lambda: rng.choice(registers), lambda: rng.choice([0, 1, 0xFFFFFFFF])
    kind = rng.randrange(6)
    if kind == 0:
        return packet(CONTEXT_REG_RMW, pick(), rng.choice([0, 1, 0xFFFF0000, 0xFFFFFFFF]), value())
    if kind == 1:
        return packet(PAIRS, *[word for _ in range(rng.randint(1, 4)) for word in (pick(), value())])
    if kind == 2:
        pairs = rng.randint(1, 3)
        return packet(PACKED, 2 * pairs, *[word for _ in range(pairs) for word in (pick() | pick() << 16, value(), value())])
    if kind == 3 and rng.randrange(8) == 0:
        count = rng.randint(20, 300)
        return packet(SET_CONTEXT_REG, rng.randint(0, REGISTERS - count), *[rng.randrange(3) for _ in range(count)])
    first = min(pick(), REGISTERS - 3)
    return packet(SET_CONTEXT_REG, first, *[value() for _ in range(rng.randint(1, 3))])


def loaded(rng):
    """Registers from memory, mostly overwritten by the packet behind, sometimes with a write of memory between."""
    first, count = rng.choice([0, 15, 0x200]), rng.randint(1, 3)
    words = rng.choice([packet(LOAD_CONTEXT_REG, 0x1000, 0, first, 1, first, 0, first, count),
                        packet(LOAD_CONTEXT_REG_INDEX, 0x1000, 0, first, count),
                        packet(LOAD_CONTEXT_REG_INDEX, 0x1000, 0, 1 << 31, count)])
    if rng.randrange(3):
        words = words + packet(SET_CONTEXT_REG, first, *[rng.randrange(3) for _ in range(3)])
    return words + rng.choice([[], space(2), packet(WRITE_DATA, 0x500, 0x1000, 0, 1)])


def chance(seed):
    rng = random.Random(seed)
    words = packet(CLEAR_STATE, 0) if rng.randrange(8) else []
    states = [sum((write(rng) for _ in range(rng.randint(1, 4))), []) for _ in range(rng.randint(1, 6))]
    apart = rng.choice([0, 4, 40, 200])
    for _ in range(rng.randint(50, 250)):
        words += rng.choice(states) if rng.randrange(4) else write(rng)
        if rng.randrange(12) == 0:
            words += packet(EVENT_WRITE, 0x16)
        if rng.randrange(60) == 0:
            words += packet(CLEAR_STATE, 0)
        if rng.randrange(15) == 0:
            words += packet(DISPATCH_DIRECT, 1, 1, 1, 1)
        for _ in range(rng.randrange(3)):
            words += rng.choice([draw(), packet(DRAW_INDEX_2, 3, 0, 0, 3, 0)])
        if apart and rng.randrange(2):
            words += rng.choice([space(rng.randint(1, apart)), packet(SET_SH_REG, 0x8C, 1)])
    return words + draw()


def hidden(seed):
    rng = random.Random(seed)
    words = packet(CLEAR_STATE, 0)
    states = [sum((write(rng) for _ in range(rng.randint(1, 3))), []) for _ in range(3)]
    for _ in range(120):
        body = rng.choice(states) if rng.randrange(3) else write(rng) + space(3) + write(rng)
        body = body + draw() if rng.randrange(4) else body
        kind = rng.randrange(14)
        if kind == 0:
            words += packet(COND_EXEC, 0x1000, 0, 0, len(body))
        words += body
        if kind == 1:
            words += packet(LOAD_CONTEXT_REG, 0x1000, 0, rng.randrange(900), rng.randint(1, 100))
        if 6 <= kind <= 8:
            words += loaded(rng) + rng.choice(states) + rng.choice([[], space(2)]) + write(rng) + draw()
        if kind == 2:
            words += packet(INDIRECT_BUFFER, 0x2000, 0, 64 | rng.randrange(2) << 20)
        if 3 <= kind <= 5:
            words += rng.choice([packet(ACQUIRE_MEM, 0, 0, 0, 0, 0, 0, 0), packet(DMA_DATA, 0, 0, 0, 0, 0, 4),
                                 packet(EVENT_WRITE, 0x16), packet(DISPATCH_DIRECT, 1, 1, 1, 1)])
        if kind > 11:
            words += packet(CLEAR_STATE, 0)
    return words + draw()


def lengthy():
    """Groups of 0x3FFF dwords and of one more."""
    words = packet(CLEAR_STATE, 0)
    for extra in (0, 1):
        for number in range(16):
            count = 1020 if number < 15 else 1019 + extra
            words += packet(SET_CONTEXT_REG, 0, *[number + extra] * count)
        words += packet(SET_CONTEXT_REG, 0, *[extra] * 30) + draw()
    return words


def table():
    rng = random.Random(1)
    return packet(SET_CONTEXT_REG, 0, *[rng.choice([0, 0, 1, 0xFFFFFFFF, 0x40004000]) for _ in range(REGISTERS)])


def main(arguments):
    makers = {"random": (chance, 1), "hidden": (hidden, 1), "long": (lengthy, 0), "table": (table, 0)}
    maker, count = makers.get(arguments[0] if arguments else "", (None, 0))
    if maker is None or len(arguments) != count + 2:
        sys.exit(__doc__)
    words = maker(*(int(word) for word in arguments[1:-1]))
    Path(arguments[-1]).write_text("// SPDX-License-Identifier: Apache-2.0\n"
                                   f"// Made by: sim/workloads/context_stream.py {' '.join(arguments[:-1])}\n"
                                   + "".join(f"{word:08x}\n" for word in words), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
