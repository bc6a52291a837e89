#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accesses that show that the blocks answer as rtl/host/totem.rdl says, for tb/regs/totem_regs_bench.v.

    tb/regs/cases.py CONFIGURATION FILE [NAME=VALUE ...]    writes the cases, prints their number; other sizes

First what the description says by itself: every register, hole and neighbour of a block is read after reset, every
register is written with all strobes and with one, and read back. In a large machine windows of some queues are read,
and of blocks that are alike the last is written, and holes are read of the first and the last; all with REGS_ALL=1.
Then what only the contracts say: mapping with each refusal, doorbells, unmapping, records, interrupts. Expectations
come from the description, never from the RTL.
"""

import os
import random
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "rtl/host"), str(ROOT / "sim/gen")]
from gen_config import config_hash, overridden    # noqa: E402
from gen_regs import ADDRESS_BITS, SOURCE, Description    # noqa: E402

READ, WRITE, PAUSE, END, LEVELS, MESSAGE, INTERRUPT, IRQ, LOAD, IGNORED = range(10)
ALL = 0xFFFFFFFF
HOLE, READ_ONLY, VALUE, LOCKED, UNMAPPED, DISABLED, RANGE, DEQUEUE_TYPE = 1, 2, 3, 4, 5, 6, 7, 8
TASK_FULL = 22
RESUME, MAP_PIPE_PRIORITY, MAP_AQL, MAP_SIZE, MAP_NO_EPOCH, MAP_BUSY = 10, 12, 13, 14, 15, 16
MAP_POINTERS, MAP_STATE, DEQUEUE, MAP_MQD, MAP_ADDRESS = 17, 18, 19, 20, 23
# A write of these makes something happen; but for that they read 0.
ACTIONS = ("CONTROL", "MAP", "CP_PQ_WPTR_POLL_CNTL1", "RING_POLL_ONCE", "TABLE_DATA", "BOUNCE_FLUSH", "TASK_LAUNCH",
           "COMMAND", "NOTICE")


class Cases:
    def __init__(self, name, sizes):
        self.config, self.lines, self.errors = overridden(name, sizes), [], 0
        self.rings = self.config["FE_COUNT"] * self.config["GRAPHICS"]
        self.hash = config_hash(name, self.config)
        self.description = Description(SOURCE)
        self.random = random.Random(1)

    def add(self, kind, address=0, strobe=0, slverr=0, data=0, mask=0, expected=0):
        self.errors += slverr
        self.lines.append(f"{kind:x}{address:05x}{strobe:x}{slverr:x}{data:08x}{mask:08x}{expected:08x}")

    def read(self, address, expected, mask=ALL):
        self.add(READ, address, mask=mask, expected=expected & mask)

    def write(self, address, data, strobe=15):
        self.add(WRITE, address, strobe, data=data)

    def refuse(self, address, data=None, code=None):
        """An access that ends with SLVERR; with a code the record must say so (and is cleared)."""
        if code is not None:
            self.add(PAUSE, data=4 * 20, mask=6)    # the message of the refusal before has arrived
            self.write(EVENTS + 0x40, 1)
        self.add(READ if data is None else WRITE, address, 0 if data is None else 15, 1, data or 0, ALL, 0)
        if code is not None:
            self.add(PAUSE, data=4 * 20, mask=6)
            self.read(EVENTS + 0x40, 1 | (0x80 + code) << 8, 0x1F00FF01)
            self.read(EVENTS + 0x44, address)
            self.read(EVENTS + 0x4C, data or 0)
            self.write(EVENTS + 0x40, 1)

    def instances(self, block):
        """(address, registers or nothing) of all instances that the description has."""
        parents = self.instances(block.parent) if block.parent else [(0, True)]
        pipes, queues = self.config["FE_COUNT"] * self.config["PIPES"], self.config["QUEUES"]
        there = {"engine": self.config["SE_COUNT"], "stats": self.config["SE_COUNT"], "waits": pipes,
                 "tasks": self.config["FE_COUNT"] * self.config["TASKS"], "runlist": self.config["RUNLIST"],
                 "entry": self.config["RUN_QUEUES"] * self.config["RUNLIST"]}.get(
            block.name, self.rings if block.graphics else block.count)

        def of_pipe(pipe, queue):       # from 8 on they are rings, which have one queue
            return pipe < pipes and queue < queues if pipe < 8 else pipe - 8 < self.rings and queue == 0

        for base, exists in parents:
            for place in range(block.count):
                here = place < there
                if block.name in ("doorbell", "tally"):
                    here = of_pipe(*divmod(place, 8))
                if block.name == "queue":
                    here = of_pipe((base - block.parent.base) // block.parent.stride, place)
                yield base + block.base + place * block.stride, exists and here

    def large(self):
        queues = self.config["FE_COUNT"] * self.config["PIPES"] * self.config["QUEUES"]
        return queues > 16 and "REGS_ALL" not in os.environ

    def read_places(self, block):
        """Of the windows of many queues one in 7 is read after reset: some of every pipe and place in it."""
        few = 97 if block.name == "entry" else 7 if block.name in ("queue", "tally") and self.large() else 1
        return list(self.instances(block))[::few]

    def written_places(self, block):
        """Addresses of instances that are written: of the windows of queues one in 5; in a large machine the last."""
        there = [address for address, exists in self.instances(block) if exists]
        return there[-1:] if self.large() else there[::5 if block.name == "queue" else 1]

    def present(self, block, register, element):
        """Arrays in the blocks of machine and events shrink with the configuration."""
        pipes, queues = self.config["FE_COUNT"] * self.config["PIPES"], self.config["QUEUES"]
        if block.name == "tasks" and register.name == "TASKS_DONE":
            return element < 2 * self.config["PIPES"] * queues
        if register.tasks:
            return self.config["TASKS"] > 0
        if register.graphics and block.name == "engine":
            return self.rings > 0
        if block.name == "runlist" and register.name == "SLOT":
            return element < pipes * queues
        if block.name == "controls" and register.count > 1:
            return element < self.config["SE_COUNT"]
        if register.graphics and register.count > 1:
            return element < self.rings
        if register.graphics and not block.graphics:
            return self.rings > 0
        if block.name == "events" and register.name == "INT_CTXID":
            return element // 8 < pipes and element % 8 < queues
        if block.name == "events" and register.name.startswith("EOP_"):
            return element * 4 < pipes
        if block.name == "machine" and register.name in ("DRAINS", "ABANDONED"):
            return element < pipes
        return True

    def reset_of(self, block, register):
        """(value, mask) after reset."""
        if block.name == "machine":
            c = self.config
            fixed = {"CONFIG_HASH": self.hash, "FEATURES": c["GRAPHICS"] | c["TASKS"] << 1 | c["PARTITION"] << 2 | c["RUNLIST"] << 3,
                     "COUNTS": c["FE_COUNT"] | c["PIPES"] << 8 | c["QUEUES"] << 16 | c["SE_COUNT"] << 24,
                     "FRONT": c["EPOCHS"] | c["LANES"] << 8 | c["COUNT_BITS"] << 16, "ENGINE": c["SLOTS"],
                     "RESOURCES": c["VGPRS"] | c["LDS"] << 16, "STATUS": 1}
            if register.name in fixed:
                return fixed[register.name], ALL
            if register.name.startswith("CLOCK") or register.name == "ERRORS_LOST":
                return 0, 0
        if block.name == "tasks" and register.name == "TASK_ENTRIES":
            return self.config["ENTRIES"], ALL
        if block.name == "queue" and register.name == "STATE":
            return 0x00020A00, ALL      # unmapped, idle, room
        return register.reset, ALL

    def sweep(self):
        """Everything is read as it is after reset; holes too."""
        for block in self.description.leaves():
            there = [address for address, exists in self.instances(block) if exists]
            alike = there[1:-1] if self.large() else ()     # in a large machine: no holes but of the first and the last
            for address, exists in self.read_places(block):
                by_dword = {dword: (register, dword - register.dword) for register in block.registers for dword in register.dwords}
                for dword in sorted(by_dword):
                    if block.name == "tally" and dword % 15:
                        continue        # all alike
                    register, element = by_dword[dword]
                    if not exists or not self.present(block, register, element):
                        if exists or dword % 16 == 0:
                            self.refuse(address + 4 * dword)
                    elif block.name == "events" and register.name.startswith(("RECORD", "ERROR_COUNT", "INTERRUPT_STATUS")):
                        pass            # the refusals above fill them
                    elif register.readable or register.name in ACTIONS or register.name.endswith("_TEST"):
                        value, mask = self.reset_of(block, register)
                        self.read(address + 4 * dword, value, mask)
                for dword in range(0 if address in alike else block.stride // 4):
                    if exists and dword not in by_dword and (dword < 96 or dword % 61 == 0):
                        self.refuse(address + 4 * dword)
                        self.refuse(address + 4 * dword, ALL)
        taken = [(block.base, block.base + block.span) for block in self.description.blocks]
        for _ in range(200):
            address = self.random.randrange(0, 1 << ADDRESS_BITS, 4)
            if not any(low <= address < high for low, high in taken):
                self.refuse(address, self.random.choice((None, ALL)))

    def legal(self, block, register, value):
        """The nearest value that the register takes at any time."""
        if block.name == "engine":
            if register.name == "SEED":
                return value or 1
            if register.name == "EXPORT":
                return value & 0xFF00 | min(value & 7, 4)
            limits = {"SPREAD": 15, "RATE": 0xFFFF, "PIXELS": 0xFFFFF}
            return value & limits.get(register.name, ALL)
        if block.name == "graphics" and value >> 4 & 3 == 3:    # no such generation
            return value ^ 0x10
        if block.name == "controls":        # bytes that are legal together, whichever of them are written
            if register.name == "PH_THRESHOLDS":
                return value & 0xFF0F0F0F | 0x302010
            return value & {"SPI_GS_THROTTLE_CNTL1": ~0x88000, "SPI_GS_THROTTLE_CNTL2": ~1}.get(register.name, ALL)
        if block.name == "runlist":
            entry = self.config["RUN_QUEUES"] - 1
            return value & {"ENTRY": entry, "LOOK": entry, "MQD_LO": ~7, "POINTER_LO": ~7, "MQD_HI": 0xFF,
                            "POINTER_HI": 0xFF}.get(register.name, ALL)
        if block.name == "queue":
            return value & {"CP_HQD_ACTIVE": ~1, "CP_HQD_DEQUEUE_REQUEST": ~7}.get(register.name, ALL)
        return value

    def read_write(self):
        for block in self.description.leaves():
            if block.name in ("doorbell", "ring_doorbell", "entry", "tally", "waits", "ring_waits", "geometry_waits",
                              "pixel_waits"):
                continue
            for address in self.written_places(block):
                for register in block.registers:
                    if not register.writable:
                        self.refuse(address + 4 * register.dword, self.random.getrandbits(32))
                        continue
                    if block.name == "events" and not register.name.endswith("_ENABLE") or register.name in ACTIONS:
                        continue
                    taken = ALL if block.name == "queue" else sum(field.mask for field in register.fields if field.writable)
                    kept = register.kept
                    live = {"CP_HQD_ACTIVE": 1, "CP_HQD_PQ_CONTROL": 0x8000, "CP_HQD_HQ_STATUS0": 0x40000000}.get(register.name, 0)
                    for element, dword in enumerate(register.dwords):
                        if not self.present(block, register, element):
                            continue
                        if register.name == "EOP_ENABLE":
                            pipes, queues = self.config["FE_COUNT"] * self.config["PIPES"], self.config["QUEUES"]
                            taken = sum(((1 << queues) - 1) << 8 * lane for lane in range(4) if 4 * element + lane < pipes)
                        if register.name == "QUEUE_OPTIONS" and not self.config["TASKS"]:
                            taken &= ~0x18           # TMD_PRIORITY, GROUP_STRICT
                        if register.name == "REPORT_INTERRUPT":
                            taken = (1 << self.config["PIPES"] * self.config["QUEUES"]) - 1
                        if register.name == "RING_EOP_ENABLE":
                            taken = (1 << self.rings) - 1
                        value = register.reset
                        for n, strobe in enumerate((15, 15, 1, 2, 4, 8, 0)):    # first every bit the other way round
                            data = self.legal(block, register, self.random.getrandbits(32) if n else value ^ ALL)
                            lanes = sum(0xFF << 8 * lane for lane in range(4) if strobe >> lane & 1)
                            moved = lanes & taken & ~kept
                            value = value & ~moved | data & moved
                            self.write(address + 4 * dword, data, strobe)
                            self.read(address + 4 * dword, value, ALL & ~live)
                        if block.name == "events":
                            self.write(address + 4 * dword, 0)
        for ring in range(self.rings):
            self.refuse(0x5000 + ring * 0x400, 0x36, VALUE)
        for offset, data in ((0, 0xA000), (0, 0xF0000), (4, 3), (16, 0x302000), (16, 0x203010), (16, 0x413010)):
            self.refuse(0x6000 + offset, data, VALUE if self.rings else HOLE)
        tasks, queues, pipes = (self.config[name] for name in ("TASKS", "QUEUES", "PIPES"))
        for front in range(self.config["FE_COUNT"]):    # the bench has no entry for any task
            for data in (0, 8, 0x10, queues, queues - 1, 8 + queues - 1):
                there = data & 7 < queues and data >> 3 < pipes
                self.refuse(0x7004 + front * 0x400, data, (TASK_FULL if there else VALUE) if tasks else HOLE)
        for offset, data in ((0x20, self.config["RUN_QUEUES"]), (0x44, 1 << 31), (0x24, 4), (0x28, 0x100), (0x2C, 1),
                             (0x30, 1 << 31), (0x40, 7), (0x40, 8), (0x40, 0x10)):
            self.refuse(0x8000 + offset, data, VALUE if self.config["RUNLIST"] else HOLE)
        for engine in range(self.config["SE_COUNT"]):
            base = 0x2000 + engine * 0x400
            for offset, data in ((0x40, 31), (0x7C, 32), (0x80, 0), (0x84, 1 << 16)):
                self.refuse(base + offset, data, VALUE)
            for offset, data in ((0xC0, 5), (0xC4, 8), (0xFC, 1 << 16), (0x100, 1 << 20)):
                self.refuse(base + offset, data, VALUE if self.rings else HOLE)

    def mapping(self, pipe, queue):
        q = 0x10000 + pipe * 0x1000 + queue * 0x100
        bell = 0x4000 + (8 * pipe + queue if pipe < 8 else 64 + pipe - 8) * 4
        watch = pipe == 0

        def load(kind, data):
            if watch:
                self.lines.append(f"{LOAD:x}{0:019x}{queue << 45 | kind << 40 | data:012x}")

        def refuse_mapping(code):
            self.refuse(q + 8, 1, code)
            load(15, 2)                                     # a one-shot is forgotten with it

        window = {0: 0x12345678, 1: 0x000000AB, 4: 0x0BE05300, 5: 2, 6: 0x9, 7: 0x201, 8: 0xCAFE0123, 9: 0, 10: 100, 11: 0xAABBCC08, 12: 0xEE, 14: 0,
                  15: 1 << 30, 17: 0x00000503, 21: 0, 24: 0, 53: 0, 54: 110, 55: 7}
        self.refuse(bell, 111, UNMAPPED)
        self.refuse(q + 0xFC, 1, RESUME)
        for dword in range(56):
            self.write(q + 4 * dword, window.get(dword, 0) & ~(dword == 2))
        for dword, bad, code in ((0, 0x1234567C, MAP_MQD), (4, 0x80000000, MAP_STATE), (5, 3, MAP_PIPE_PRIORITY), (17, 0x04000503, MAP_AQL),
                                 (17, 0x502, MAP_SIZE), (17, 0x51F, MAP_SIZE), (17, 0x53F, MAP_SIZE),
                                 (53, 1, MAP_AQL), (54, 117, MAP_POINTERS), (54, 99, MAP_POINTERS),
                                 (1, 0x8000, MAP_ADDRESS), (9, 1, MAP_ADDRESS), (12, 0x01AB, MAP_ADDRESS), (14, 0x0100, MAP_ADDRESS)):
            self.write(q + 4 * dword, bad)
            refuse_mapping(code)
            self.write(q + 4 * dword, window[dword])
        # What needs the MQD needs its address.
        for dword in (0, 1):
            self.write(q + 4 * dword, 0)
        for dword, bad in ((4, 0x0BE05301), (21, 0x80000000)):
            self.write(q + 4 * dword, bad)
            refuse_mapping(MAP_STATE)
            self.write(q + 4 * dword, window[dword])
        for dword in (0, 1):
            self.write(q + 4 * dword, window[dword])
        self.refuse(q + 0xF0, 4, VALUE)
        self.add(LEVELS, data=0x00200000)
        refuse_mapping(MAP_NO_EPOCH)
        self.add(LEVELS, data=0x0020FF00)
        self.read(q + 8, 0)
        self.refuse(q + 0x60, 1, DEQUEUE)
        self.write(q + 0x60, 2)     # nothing of it is in flight: done by now
        self.read(q + 0x60, 0)
        self.refuse(q + 0x60, 5, DEQUEUE_TYPE)
        # The mapping itself and what it sends (PQ_EMPTY, a status bit, as it was stored at reset).
        self.write(q + 8, 3)
        for kind, data in ((4, 0xCAFE0123 << 8), (5, 0x8503), (6, 100), (7, 110), (8, 0xEEAABBCC08), (9, 0xAB12345678), (3, 0x201), (2, 2), (15, 0)):
            load(kind, data)
        self.add(PAUSE, data=20)                            # its records are compared
        load(0, 1)
        self.read(q + 8, 3)
        self.read(q + 0x44, 0x0503)                         # not empty
        self.read(q + 0x80, 0)                              # not idle
        self.read(q + 0xEC, 0x00070809)
        self.read(q + 0xE0, 100)
        self.read(q + 0xE4, 110)
        self.write(q + 8, 1)                                # again: nothing happens
        for dword in (0, 4, 8, 10, 15, 17, 53):
            self.refuse(q + 4 * dword, 0, LOCKED)
        self.refuse(q + 0x14, 3, VALUE)
        self.write(q + 0x14, 1)
        load(2, 1)
        self.write(q + 0x18, 0xF5)
        load(1, 5)
        self.read(q + 0x18, 0xF5)
        self.write(q + 0x1C, 0x101)
        load(3, 0x101)
        self.read(q + 0x1C, 0x101)
        # Write pointer: doorbell, window, ring of 16.
        self.write(bell, 116)
        load(7, 116)
        self.read(bell, 116)
        self.refuse(bell, 117, RANGE)
        self.refuse(bell, 115, RANGE)                       # backwards
        self.refuse(bell, 99, RANGE)
        self.write(q + 0xD8, 0xAB74, 1)                     # one byte of it
        load(7, 116)
        self.refuse(q + 0xD8, 120, RANGE)
        self.write(q + 0xDC, 9)
        self.read(q + 0xDC, 9)
        # Halted: resume; the write pointer still does not go back.
        self.refuse(q + 0xFC, 1, RESUME)
        self.refuse(q + 0xFC, 2, RESUME)
        self.refuse(q + 0xFC, 3, VALUE)
        self.add(LEVELS, data=0x0020FF00 | 1 << queue)
        self.read(q + 0xEC, 0x00040849)
        self.refuse(bell, 104, RANGE)
        self.write(q + 0xFC, 1)
        load(10, 0)
        self.write(q + 0xFC, 2)
        load(11, 0)
        self.add(LEVELS, data=0x0021FF00 | 1 << queue | queue << 17)
        self.refuse(q + 0xFC, 1, RESUME)                    # still selected
        # Leaving.
        self.add(LEVELS, data=0x0021FF00 | queue << 17)
        self.write(q + 8, 0)
        load(0, 0)
        self.read(q + 8, 1)
        self.refuse(q + 8, 1, MAP_BUSY)
        self.refuse(q + 0x18, 1, LOCKED)
        self.refuse(bell, 116, UNMAPPED)
        self.write(q + 8, 0)
        self.add(PAUSE, data=20)
        self.read(q + 0xEC, 0x00030C0B)
        self.add(LEVELS, data=0x0020FF00)
        self.add(PAUSE, data=20)
        self.read(q + 8, 0)
        self.read(q + 0x28, 100)                            # pointers stay readable
        self.read(q + 0xD8, 116)
        self.read(q + 0x80, 0x40000000)
        # Mapped with the doorbell switched off and the report switched off.
        self.write(q + 0x3C, 0)
        self.write(q + 0x44, 0x08000503)
        self.write(q + 8, 1)
        for kind, data in ((4, 0xCAFE0123 << 8), (5, 0x08008503), (6, 100), (7, 116), (8, 0), (9, 0xAB12345678), (3, 0x101), (2, 1), (15, 1)):
            load(kind, data)
        self.add(PAUSE, data=20)
        load(0, 1)
        self.refuse(bell, 116, DISABLED)
        self.write(q + 0xD8, 116)
        load(7, 116)
        self.write(q + 8, 0)
        load(0, 0)
        self.add(PAUSE, data=20)
        self.read(q + 8, 0)

    def tally(self, pipe, queue):
        """Packets without a rule are counted, each in its place; a write with a strobe clears one counter."""
        base = 0x20000 + (8 * pipe + queue) * 0x400
        counts = {0x3C: 3, 0x3D: 1, 0x3F: 2, 0x00: 1, 0xFF: 5, 0x76: 4}
        for opcode, count in counts.items():
            for _ in range(count):
                self.add(IGNORED, data=pipe << 16 | queue << 8 | opcode)
        for opcode in range(0, 256):
            if opcode in counts or opcode % 7 == 0 or opcode >> 2 in {other >> 2 for other in counts}:
                self.read(base + 4 * opcode, counts.get(opcode, 0))
        for opcode in list(counts):
            self.write(base + 4 * opcode, ALL, 0)
            self.read(base + 4 * opcode, counts[opcode])
            self.write(base + 4 * opcode, self.random.getrandbits(32), self.random.choice((1, 2, 8, 15)))
            counts[opcode] = 0
            for other, count in counts.items():
                self.read(base + 4 * other, count)

    def events(self):
        e = EVENTS
        self.add(PAUSE, data=100)
        self.write(e + 0x40, 1)
        self.write(e, ALL)
        self.read(e, 0)
        self.add(IRQ)
        # A memory error, then a second one that is only counted.
        before = len(self.lines)
        self.add(MESSAGE, data=0xDEADBEEF)
        self.add(MESSAGE, data=0x11111111)
        self.add(PAUSE, data=40)
        self.read(e + 0x40, 1 | 0x61 << 8 | 3 << 16 | 2 << 24)
        self.read(e + 0x44, 0x34567890)
        self.read(e + 0x48, 0x12)
        self.read(e + 0x4C, 0xDEADBEEF)
        self.read(e + 0x58, 1)
        self.read(e + 0x88, 2)
        self.read(e, 8)
        self.add(IRQ)
        self.write(e + 4, 8)
        self.add(PAUSE, data=2)
        self.add(IRQ, expected=1)
        self.write(e, 0xF7)
        self.read(e, 8)
        self.write(e, 8, 14)                                # the byte is not enabled
        self.read(e, 8)
        self.write(e, 8)
        self.read(e, 0)
        self.add(IRQ)
        self.write(e + 0x40, 0)
        self.read(e + 0x58, 1)
        self.write(e + 0x40, 1)
        self.read(e + 0x40, 0, 1)
        self.read(e + 0x58, 0)
        assert len(self.lines) > before
        # Test bits.
        for bit in range(1, 7):
            self.write(e + 8, 1 << bit)
            self.read(e, 1 << bit)
            self.write(e, ALL)
        # End of pipe of queue 2 of pipe 0.
        self.write(e + 4, 1)
        self.add(INTERRUPT, data=0xC0FFEE01)
        self.add(PAUSE, data=4)
        self.read(e + 0x10, 4)
        self.read(e, 0)
        self.add(IRQ)
        self.write(e + 0x18, 4)
        self.read(e, 1)
        self.add(IRQ, expected=1)
        self.read(e + 0x108, 0xC0FFEE01)
        self.add(INTERRUPT, data=0xC0FFEE02)
        self.add(PAUSE, data=4)
        self.read(e + 0x108, 0xC0FFEE02)
        self.write(e + 0x10, 4)
        self.read(e + 0x10, 0)
        self.add(PAUSE, data=2)
        self.add(IRQ)
        self.write(e + 0x20, 0x1)
        self.read(e + 0x10, 1)
        self.write(e + 0x10, 0x1)
        # Self-check.
        self.add(LEVELS, data=0x0030FF00)
        self.add(PAUSE, data=2)
        self.add(LEVELS, data=0x0020FF00)
        self.read(e + 0xC, 1)
        self.read(e, 0x40)
        self.write(e, 0x40)
        self.read(e, 0)
        self.read(e + 0xC, 1)


EVENTS = 0x1000


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sizes = {name: int(value) for name, value in (item.split("=") for item in sys.argv[3:])}
    cases = Cases(sys.argv[1], sizes)
    cases.sweep()
    cases.read_write()
    cases.add(PAUSE, data=200)
    pipes = cases.config["FE_COUNT"] * cases.config["PIPES"]
    places = {(0, 0), (0, cases.config["QUEUES"] - 1), (pipes - 1, 1)}
    if cases.rings:
        places.add((8 + cases.rings - 1, 0))
    for pipe, queue in sorted(places):
        cases.mapping(pipe, queue)
    for pipe, queue in sorted(places):
        cases.tally(pipe, queue)
    cases.events()
    cases.add(END)
    Path(sys.argv[2]).write_text("\n".join(cases.lines) + "\n", encoding="utf-8")
    print(len(cases.lines))


if __name__ == "__main__":
    main()
