#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The other end of a serial line for tests of `totem host`: a board that is wrong, or none.

    sim/run/answers.py LINK WHAT     LINK: a symbolic link to a pseudo-terminal; runs until it gets a signal

WHAT: `silent` answers nothing; `gone` ends with the first byte; `garbage` sends random bytes; `echo` sends back what
comes. The others answer reads and writes of memory and of the bridge's registers (docs/contract/bridge.md), and count
words written in bridge.NOW: `hash` has another configuration, `magic` is no board, `folds` has no fold though it says
that it has some, `bit` has a data line that is always 0, `lines` an address line.
"""

import os
import random
import struct
import sys
import tty
import zlib
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gen"))
import gen_config  # noqa: E402

FLAG, ESCAPE, MEMORY = 0x7E, 0x7D, 4096
REGISTERS = {0x00: 0x42544F54, 0x04: 1, 0x08: gen_config.config_hash("mini", gen_config.configurations()["mini"]),
             0x0C: MEMORY, 0x10: 25000, 0x14: 512 << 16 | 512, 0x18: 1, 0x20: 1}


class Board:
    def __init__(self, what):
        self.what, self.memory, self.registers, self.writes = what, {}, dict(REGISTERS), 0
        if what == "hash":
            self.registers[0x08] ^= 1
        if what == "folds":
            self.registers[0x18] |= 4
        if what == "magic":
            self.registers[0x00] ^= 1

    def read(self, address):
        if address >> 28:
            return self.writes if address & 0xFFFF == 0x2C else self.registers.get(address & 0xFFFF, 0)
        return self.memory.get(address & ~(64 if self.what == "lines" else 0), 0)

    def write(self, address, value):
        self.writes += 1
        if not address >> 28:
            self.memory[address & ~(64 if self.what == "lines" else 0)] = value & ~(32 if self.what == "bit" else 0)

    def answer(self, frame):
        sequence, command, count, _, address = struct.unpack_from("<BBBBI", frame)
        words = [self.read(address + 4 * n) for n in range(count)] if command == 1 else []
        for n, value in enumerate(struct.unpack_from(f"<{count}I", frame, 8) if command == 2 else ()):
            self.write(address + 4 * n, value)
        return struct.pack(f"<BBBB{len(words)}I", sequence, 0, count, 0, *words)


def main():
    link, what = sys.argv[1:]
    host, board = os.openpty()
    tty.setraw(board)
    os.symlink(os.ttyname(board), link)
    print("ready", flush=True)
    answers, got, escaped = Board(what), bytearray(), False
    while True:
        data = os.read(host, 4096)
        if what == "gone":
            return
        if what == "garbage":
            os.write(host, random.Random(len(data)).randbytes(200))
        if what == "echo":
            os.write(host, data)
        for byte in data if what not in ("silent", "garbage", "echo") else b"":
            if byte == ESCAPE:
                escaped = True
            elif byte != FLAG:
                got.append(byte ^ 0x20 if escaped else byte)
                escaped = False
            elif got:
                answer = answers.answer(bytes(got))
                answer += struct.pack("<I", zlib.crc32(answer))
                stuffed = b"".join(bytes([ESCAPE, x ^ 0x20]) if x in (FLAG, ESCAPE) else bytes([x]) for x in answer)
                os.write(host, bytes([FLAG]) + stuffed + bytes([FLAG]))
                got.clear()


if __name__ == "__main__":
    main()
