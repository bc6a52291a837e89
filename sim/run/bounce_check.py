#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks what `totem pm4 bounce` has made of a graphics stream, by replaying both; shares no code with it.

    python3 sim/run/bounce_check.py PLAIN BOUNCED [TABLE [DIGESTS]]

TABLE: values of CLEAR_STATE, a stream that writes them. DIGESTS: what --digests wrote; at draws whose registers are all
known it must be right. Checked, for a pipe with BOUNCE_EN 0 (every group is executed)
and for pipes that keep 1, 4 and any number of states (a hash that is on chip skips the group):

* at every draw and dispatch all 1024 context registers are those of the plain stream;
* each hash is that of the registers behind its group, each group is whole packets with context writes, as many dwords
  as its CONTEXT_BOUNCE says;
* without CONTEXT_BOUNCE and context writes both streams have the same packets; context writes, draws and packets that
  no write may cross have the same order in both.
"""

import sys
from collections import OrderedDict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gen"))
from gen_pm4 import Source  # noqa: E402, its folder comes first

NAMES = {number: name for name, number in Source().numbers.items()}
WRITES = {"SET_CONTEXT_REG", "SET_CONTEXT_REG_INDEX", "SET_CONTEXT_REG_PAIRS", "SET_CONTEXT_REG_PAIRS_PACKED",
          "CONTEXT_REG_RMW", "LOAD_CONTEXT_REG", "LOAD_CONTEXT_REG_INDEX"}
LOSSES, STORES = {"INDIRECT_BUFFER"}, {"WRITE_DATA", "COPY_DATA", "DMA_DATA"}
CLEAR, BOUNCE = "CLEAR_STATE", "CONTEXT_BOUNCE"
MASK = (1 << 64) - 1
PRIMES = 11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579


def is_draw(name):
    return name.startswith(("DRAW_IND", "DISPATCH_")) and "PREAMBLE" not in name


def is_ordered(name):
    return (name in WRITES or name in LOSSES or name == CLEAR or is_draw(name) or "WAIT" in name or "DMA" in name
            or name.startswith(("COPY_DATA", "EVENT_WRITE", "RELEASE_MEM", "ACQUIRE_MEM", "COND_EXEC")))


def rotate(value, bits):
    return (value << bits | value >> 64 - bits) & MASK


def xxh64(words):
    """XXH64, seed 0, of a number of dwords that is a multiple of 8."""
    def lane(state, value):
        return rotate((state + value * PRIMES[1]) & MASK, 31) * PRIMES[0] & MASK

    states = [(PRIMES[0] + PRIMES[1]) & MASK, PRIMES[1], 0, -PRIMES[0] & MASK]
    for first in range(0, len(words), 8):
        for n in range(4):
            states[n] = lane(states[n], words[first + 2 * n] | words[first + 2 * n + 1] << 32)
    result = sum(rotate(state, bits) for state, bits in zip(states, (1, 7, 12, 18))) & MASK
    for state in states:
        result = ((result ^ lane(0, state)) * PRIMES[0] + PRIMES[3]) & MASK
    result = result + 4 * len(words) & MASK
    result = (result ^ result >> 33) * PRIMES[1] & MASK
    result = (result ^ result >> 29) * PRIMES[2] & MASK
    return result ^ result >> 32


def read(path):
    """Packets of a file: (name, dwords)."""
    text = "".join(line.partition("//")[0] + "\n" for line in Path(path).read_text().splitlines())
    words, packets, at = [int(word, 16) for word in text.split()], [], 0
    while at < len(words):
        header = words[at]
        size = 1 if header >> 30 == 2 or header == 0xFFFF1000 else 2 + (header >> 16 & 0x3FFF)
        packets.append(("FILLER" if header >> 30 == 2 else NAMES[header >> 8 & 0xFF], tuple(words[at:at + size])))
        at += size
    return packets


def memory(address, stores):
    """A dword of memory behind so many packets that write there."""
    return (address * 0x9E3779B1 + stores * 0x85EBCA77) & 0xFFFFFFFF


def writes(name, words, stores):
    """(register, value, mask) of a packet."""
    body, every = words[1:], 0xFFFFFFFF
    if name == "LOAD_CONTEXT_REG":
        return [(place, memory(body[0] + 4 * place, stores), every) for first, count in zip(body[2::2], body[3::2])
                for place in range(first, first + count)]
    if name == "LOAD_CONTEXT_REG_INDEX" and body[2] >> 31:
        return [(memory(at, stores) % 1024, memory(at + 4, stores), every)
                for at in range(body[0], body[0] + 8 * body[3], 8)]
    if name == "LOAD_CONTEXT_REG_INDEX":
        return [(body[2] + n, memory(body[0] + 4 * n, stores), every) for n in range(body[3])]
    if name == "CONTEXT_REG_RMW":
        return [(body[0] & 0xFFFF, body[2], body[1])]
    if name == "SET_CONTEXT_REG_PAIRS":
        return [(place & 0xFFFF, value, every) for place, value in zip(body[::2], body[1::2])]
    if name == "SET_CONTEXT_REG_PAIRS_PACKED":
        return [write for places, one, two in zip(body[1::3], body[2::3], body[3::3])
                for write in ((places & 0xFFFF, one, every), (places >> 16, two, every))]
    return [((body[0] & 0xFFFF) + n, value, every) for n, value in enumerate(body[1:])]


class Pipe:
    """`sets`: how many states it keeps; 0: BOUNCE_EN is 0."""

    def __init__(self, table, sets):
        self.table, self.sets = table, sets
        self.state = [place * 0x9E3779B1 & 0xFFFFFFFF for place in range(1024)]  # whatever was there
        self.tags, self.losses, self.skipped, self.condition, self.stores = OrderedDict(), 0, 0, 0, 0

    def do(self, name, words):
        # A dword that COND_EXEC governs: as if it was skipped in every second packet.
        self.losses += (name in LOSSES) or self.condition > 0
        conditional, self.condition = self.condition > 0, max(self.condition - len(words), 0)
        if name == "COND_EXEC":
            self.condition = words[4] & 0x3FFF
        if conditional and self.losses % 2:
            return
        self.stores += name in STORES
        if name in WRITES:
            for place, value, mask in writes(name, words, self.stores):
                self.state[place] = self.state[place] & ~mask | value & mask
        elif name == CLEAR:
            self.state = list(self.table)
        elif name in LOSSES and not (name == "INDIRECT_BUFFER" and words[3] >> 20 & 1):
            self.state = [(value + self.losses * 77) & 0xFFFFFFFF for value in self.state]

    def play(self, packets):
        """The registers at every draw; an error is an exception."""
        found, at = [], 0
        while at < len(packets):
            name, words = packets[at]
            at += 1
            if name == BOUNCE:
                at = self.bounce(packets, at, words)
                continue
            self.do(name, words)
            if is_draw(name):
                found.append(tuple(self.state))
        return found

    def bounce(self, packets, at, words):
        wanted, count, end = words[2] | words[3] << 32, words[1], at
        while count > 0 and packets[end][0] in WRITES:
            count -= len(packets[end][1])
            end += 1
        if count or not 0 < words[1] <= 0x3FFF:
            raise ValueError(f"group behind packet {at}: its count is not that of whole packets with context writes")
        if self.sets and wanted in self.tags:
            self.tags.move_to_end(wanted)
            self.state = list(self.tags[wanted])
            self.skipped += 1
            return end
        for name, body in packets[at:end]:
            self.do(name, body)
        if xxh64(self.state) != wanted:
            raise ValueError(f"group behind packet {at}: hash {wanted:016x}, of its registers {xxh64(self.state):016x}")
        self.tags[wanted] = tuple(self.state)
        if len(self.tags) > self.sets:
            self.tags.popitem(last=False)
        return end


def digest(state):
    result = 0
    for place, value in enumerate(state):
        x = place << 32 | value
        x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & MASK
        x = (x ^ x >> 27) * 0x94D049BB133111EB & MASK
        result ^= x ^ x >> 31
    return result


def check_digests(path, packets, expected):
    """How many lines are right; the others have unknown registers."""
    places, at, known = [], 0, {}
    for name, words in packets:
        places += [(at, name)] if is_draw(name) else []
        at += len(words)
    lines = [line.split() for line in Path(path).read_text().splitlines()]
    if [(int(line[0]), line[1]) for line in lines] != places:
        sys.exit(f"{path}: not the draws and dispatches of the stream")
    for line, state in zip(lines, expected):
        if line[3] == "0" and int(line[2], 16) != known.setdefault(state, digest(state)):
            sys.exit(f"{path}: digest at dword {line[0]} is {line[2]}, of the replay {known[state]:016x}")
    return sum(line[3] == "0" for line in lines)


def main(arguments):
    if not 2 <= len(arguments) <= 4:
        sys.exit(__doc__)
    plain, bounced = read(arguments[0]), read(arguments[1])
    table = [0] * 1024
    for name, words in read(arguments[2]) if len(arguments) > 2 else []:
        for place, value, _ in writes(name, words, 0) if name in WRITES else []:
            table[place] = value
    for what, keep in (("other packets", lambda name: name not in WRITES and name != BOUNCE), ("order", is_ordered)):
        if [p for p in plain if keep(p[0])] != [p for p in bounced if keep(p[0])]:
            sys.exit(f"{arguments[1]}: {what}: not those of the plain stream")
    expected, hits = Pipe(table, 0).play(plain), []
    if len(arguments) > 3:
        print(check_digests(arguments[3], plain, expected), "digests hold")
    for sets in (0, 1, 4, 1 << 30):
        pipe = Pipe(table, sets)
        try:
            found = pipe.play(bounced)
        except ValueError as error:
            sys.exit(f"{arguments[1]}: {error}")
        for draw, (one, two) in enumerate(zip(expected, found)):
            if one != two:
                place = next(place for place in range(1024) if one[place] != two[place])
                sys.exit(f"{arguments[1]}: draw {draw}, {sets} states: register {place:#x} is {two[place]:#x}, "
                         f"not {one[place]:#x}")
        hits.append(pipe.skipped)
    print(f"{len(expected)} draws and dispatches have the same registers; "
          f"{sum(name == BOUNCE for name, _ in bounced)} groups, skipped with 0, 1, 4, any number of states: {hits}")


if __name__ == "__main__":
    main(sys.argv[1:])
