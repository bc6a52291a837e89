# SPDX-License-Identifier: Apache-2.0
"""Both sides of totem_memory for the bus tests: its requesters, and an AXI4 memory that does what the standard allows.

The handshakes of all five AXI channels are cocotbext-axi's; what it answers, when and in which order is decided here,
because its own AxiRam answers in the order of the addresses.
"""

import logging
import random
from collections import deque

import cocotb
from cocotb.triggers import RisingEdge
from cocotbext.axi import AxiBus
from cocotbext.axi.axi_channels import AxiARSink, AxiAWSink, AxiBSource, AxiRSource, AxiWSink

WORD = 8
OKAY, SLVERR, DECERR = 0, 2, 3
CODE = {0: 0, 1: 0, 2: 1, 3: 2}     # response of the bus -> error for a requester
TIMED_OUT = 3


def first_word(address):
    """What lies at a word of the memory before anybody writes it."""
    return (address * 0x9E3779B97F4A7C15 + 0x1234567) & (1 << 64) - 1


class Memory:
    """Words of 64 bits, read as they were first_word() until written."""

    def __init__(self):
        self.words = {}

    def read(self, address):
        return self.words.get(address & ~7, first_word(address & ~7))

    def write(self, address, data, strobe):
        address &= ~7
        mask = sum(0xFF << 8 * byte for byte in range(8) if strobe >> byte & 1)
        self.words[address] = self.read(address) & ~mask | data & mask


class Requesters:
    """The readers and writers of a front end. Every request is a coroutine that returns its answer."""

    def __init__(self, dut):
        self.dut = dut
        self.readers, self.writers = len(dut.read_valid), len(dut.write_valid)
        self.beats = [deque() for _ in range(self.readers)]     # of each burst: list of (word, error), closed by last
        self.answered = [0] * self.readers
        self.asked = [0] * self.readers
        self.acks = [deque() for _ in range(self.writers)]
        for name in ("read_valid", "read_addr", "read_beats", "write_valid", "write_word"):
            getattr(dut, name).value = 0
        self.bits = {"read_valid": 0, "read_addr": 0, "read_beats": 0, "write_valid": 0, "write_word": 0}
        cocotb.start_soon(self._watch())

    def _set(self, name, place, width, value):
        mask = (1 << width) - 1
        self.bits[name] = self.bits[name] & ~(mask << place * width) | (value & mask) << place * width
        getattr(self.dut, name).value = self.bits[name]

    async def _watch(self):
        dut, burst = self.dut, [[] for _ in range(self.readers)]
        while True:
            await RisingEdge(dut.clk)
            if dut.rst.value:
                continue
            if dut.data_valid.value:
                reader = int(dut.data_target.value)
                burst[reader].append((int(dut.data_word.value), int(dut.data_error.value)))
                if dut.data_last.value:
                    self.beats[reader].append(burst[reader])
                    burst[reader] = []
            if dut.ack_valid.value:
                self.acks[int(dut.ack_target.value)].append((int(dut.ack_tag.value), int(dut.ack_error.value)))

    async def ask(self, reader, address, beats):
        """Hand a read request over."""
        self._set("read_addr", reader, 40, address)
        self._set("read_beats", reader, 5, beats)
        self._set("read_valid", reader, 1, 1)
        while True:
            await RisingEdge(self.dut.clk)
            if int(self.dut.read_ready.value) >> reader & 1:
                break
        self._set("read_valid", reader, 1, 0)

    async def answer(self, reader):
        """The next burst that comes back: list of (word, error)."""
        while not self.beats[reader]:
            await RisingEdge(self.dut.clk)
        return self.beats[reader].popleft()

    async def send(self, writer, address, strobe, tag, data):
        """Hand a write message over."""
        await self._send(writer, (address & ~7 | strobe << 40 | tag << 48, data))

    async def send_burst(self, writer, address, dwords, tag, beats):
        """Hand a burst over: 16 beats, of which those dwords are written."""
        await self._send(writer, (address & ~127 | 0xFF << 40 | tag << 48 | 1 << 55, dwords, *beats))

    async def _send(self, writer, words):
        for word in words:
            self._set("write_word", writer, 64, word)
            self._set("write_valid", writer, 1, 1)
            while True:
                await RisingEdge(self.dut.clk)
                if int(self.dut.write_ready.value) >> writer & 1:
                    break
        self._set("write_valid", writer, 1, 0)

    async def ack(self, writer):
        """The next acknowledge: (tag, error)."""
        while not self.acks[writer]:
            await RisingEdge(self.dut.clk)
        return self.acks[writer].popleft()


class Disorder:
    """AXI4 memory with its own mind: any order between IDs, beats of several IDs mixed, errors, pauses."""

    def __init__(self, dut, memory, rng, errors=0.0, pause=0.3, latency=40):
        self.dut, self.memory, self.rng = dut, memory, rng
        self.errors, self.latency = errors, latency
        self.reads, self.writes = {}, {}            # ID -> deque of what is to be answered
        self.read_errors = {}                       # (address of a word) -> responses that were given, in order
        self.write_errors = {}
        self.read_data = {}                         # (address of a word) -> words that were given, in order
        self.hold_read = lambda burst: False        # True: not answered now
        self.hold_write = lambda write: False
        self.length = lambda beats: beats           # beats that are really given
        self.most_reads, self.most_ids = 0, 0
        bus = AxiBus.from_prefix(dut, "m_axi")
        log = logging.getLogger("cocotb")
        level = log.level
        self.ar = AxiARSink(bus.read.ar, dut.clk, dut.rst)
        self.aw = AxiAWSink(bus.write.aw, dut.clk, dut.rst)
        self.w = AxiWSink(bus.write.w, dut.clk, dut.rst)
        self.r = AxiRSource(bus.read.r, dut.clk, dut.rst)
        self.b = AxiBSource(bus.write.b, dut.clk, dut.rst)
        log.setLevel(level)
        for channel in (self.ar, self.aw, self.w, self.r, self.b):
            channel.log.setLevel(logging.WARNING)
            if pause:
                channel.set_pause_generator(self._pauses(pause))
        self.ar.queue_occupancy_limit = self.aw.queue_occupancy_limit = self.w.queue_occupancy_limit = 2
        cocotb.start_soon(self._take_reads())
        cocotb.start_soon(self._take_writes())
        cocotb.start_soon(self._answer_reads())
        cocotb.start_soon(self._answer_writes())

    def _pauses(self, share):
        rng = random.Random(self.rng.random())
        while True:
            yield rng.random() < share

    def _due(self):
        return self.rng.randrange(self.latency + 1)

    def response(self):
        return self.rng.choice((SLVERR, DECERR)) if self.rng.random() < self.errors else OKAY

    async def _take_reads(self):
        while True:
            ar = await self.ar.recv()
            address, beats = int(ar.araddr), int(ar.arlen) + 1
            assert int(ar.arsize) == 3 and int(ar.arburst) == 1 and address % WORD == 0
            assert address % 128 + beats * WORD <= 128, "a burst crosses 128 bytes"
            queue = self.reads.setdefault(int(ar.arid), deque())
            queue.append({"address": address, "place": 0, "beats": self.length(beats), "wait": self._due()})
            assert len(queue) <= 2, "more than two reads of an ID"
            self.most_reads = max(self.most_reads, sum(len(q) for q in self.reads.values()))
            self.most_ids = max(self.most_ids, sum(bool(q) for q in self.reads.values()))

    async def _take_writes(self):
        while True:
            aw = await self.aw.recv()
            beats = [await self.w.recv() for _ in range(int(aw.awlen) + 1)]
            assert int(aw.awsize) == 3 and int(aw.awburst) == 1
            assert [int(w.wlast) for w in beats] == [0] * int(aw.awlen) + [1], "WLAST and AWLEN"
            assert int(aw.awaddr) % 128 + len(beats) * WORD <= 128, "a burst crosses 128 bytes"
            queue = self.writes.setdefault(int(aw.awid), deque())
            queue.append({"address": int(aw.awaddr), "beats": [(int(w.wdata), int(w.wstrb)) for w in beats],
                          "wait": self._due()})
            assert len(queue) <= 2, "more than two writes of an ID"

    def _choose(self, queues, held):
        """An ID whose oldest request may be answered; other IDs may overtake it."""
        for queue in queues.values():
            for request in queue:
                request["wait"] -= request["wait"] > 0
        ready = [number for number, queue in queues.items() if queue and not queue[0]["wait"] and not held(queue[0])]
        return self.rng.choice(ready) if ready else None

    async def _answer_reads(self):
        while True:
            await RisingEdge(self.dut.clk)
            number = self._choose(self.reads, self.hold_read)
            if number is None or self.r.count() > 1:
                continue
            burst = self.reads[number][0]
            address = burst["address"] + burst["place"] * WORD
            response, word = self.response(), self.memory.read(address)
            self.read_errors.setdefault(address, []).append(response)
            self.read_data.setdefault(address, []).append(word)
            burst["place"] += 1
            last = burst["place"] >= burst["beats"]
            if last:
                self.reads[number].popleft()
            await self.r.send(self.r._transaction_obj(rid=number, rdata=word, rresp=response, rlast=int(last)))

    async def _answer_writes(self):
        while True:
            await RisingEdge(self.dut.clk)
            number = self._choose(self.writes, self.hold_write)
            if number is None or self.b.count() > 1:
                continue
            write = self.writes[number].popleft()
            response = self.response()
            if response == OKAY:
                for n, beat in enumerate(write["beats"]):
                    self.memory.write(write["address"] + n * WORD, *beat)
            self.write_errors.setdefault(write["address"], []).append(response)
            await self.b.send(self.b._transaction_obj(bid=number, bresp=response))
