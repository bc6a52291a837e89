# SPDX-License-Identifier: Apache-2.0
"""totem_host under a foreign AXI4-Lite master (cocotbext-axi).

Routing, refusals, strobes, back-pressure on every channel.
"""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiResp

SEED = int(os.environ.get("SEED", "1"))
MAGIC, ERRORS_LOST, MEMORY_TIMEOUT = 0x00, 0x2C, 0x40
HOLE, READ_ONLY = 1, 2
FIELDS = ("hqd", "tally", "wave", "stats", "events")
GOOD = ("tally", "stats")        # these refuse nothing


class World:
    """The blocks behind the host: each answers a request after some clocks, with a word and an error of its choice."""

    def __init__(self, dut, rng, errors=0.2):
        self.dut, self.rng, self.errors = dut, rng, errors
        self.requests = []          # (target, index, write, doorbell, queue, dword, strobe, data), word, error
        self.messages = []          # error messages, two words each
        self.ready = 1.0
        for name in FIELDS:
            for what in ("done", "error", "rdata"):
                if what != "error" or name not in GOOD:
                    getattr(dut, f"{name}_{what}").value = 0
        dut.machine_idle.value = 1
        dut.memory_dead.value = 0
        dut.events_error_ready.value = 0
        cocotb.start_soon(self._serve())
        cocotb.start_soon(self._collect())

    async def _serve(self):
        dut = self.dut
        while True:
            await RisingEdge(dut.clk)
            valid = {name: int(getattr(dut, f"{name}_valid").value) for name in FIELDS}
            if dut.rst.value or not any(valid.values()):
                continue
            assert sum(bin(bits).count("1") for bits in valid.values()) == 1, "one access, one target"
            target = next(name for name, bits in valid.items() if bits)
            index = valid[target].bit_length() - 1
            request = self._request(target, index)
            for _ in range(self.rng.randrange(6)):
                await RisingEdge(dut.clk)
                assert int(getattr(dut, f"{target}_valid").value) >> index & 1, "a request is held until it is done"
                assert self._request(target, index) == request, "a request does not change"
            bits = 16 if target == "tally" else 32
            word = self.rng.getrandbits(bits)
            error = self.rng.randrange(1, 32) if target not in GOOD and self.rng.random() < self.errors else 0
            self.requests.append((request, word, error))
            getattr(dut, f"{target}_done").value = 1 << index
            if target not in GOOD:
                getattr(dut, f"{target}_error").value = error << 5 * index
            getattr(dut, f"{target}_rdata").value = word << bits * index
            await RisingEdge(dut.clk)
            getattr(dut, f"{target}_done").value = 0

    def _request(self, target, index):
        dut = self.dut
        write = int(dut.request_write.value)
        return (target, index, write, int(dut.request_doorbell.value), int(dut.request_queue.value),
                int(dut.request_dword.value), int(dut.request_strobe.value) if write else 0,
                int(dut.request_data.value) if write else 0)

    async def _collect(self):
        dut, words = self.dut, []
        while True:
            dut.events_error_ready.value = int(self.rng.random() < self.ready)
            await RisingEdge(dut.clk)
            if not dut.rst.value and dut.error_valid.value and dut.events_error_ready.value:
                words.append(int(dut.error_word.value))
                if len(words) == 2:
                    self.messages.append(tuple(words))
                    words = []


async def start(dut, rng, pause=0.4, errors=0.2):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    world = World(dut, rng, errors)
    master = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)

    def pauses():
        source = random.Random(rng.random())
        while True:
            yield source.random() < pause
    for side, channels in ((master.write_if, ("aw", "w", "b")), (master.read_if, ("ar", "r"))):
        side.log.setLevel(logging.WARNING)
        for name in channels:
            getattr(side, f"{name}_channel").set_pause_generator(pauses())
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    return world, master


async def within(clocks, awaitable):
    return await with_timeout(awaitable, clocks * 10, "ns")


async def read(master, address):
    got = await within(2000, master.read(address, 4))
    return int.from_bytes(got.data, "little"), got.resp


async def write(master, address, value):
    return (await within(2000, master.write(address, value.to_bytes(4, "little")))).resp


@cocotb.test()
async def global_registers(dut):
    """Identity, configuration, read-only registers, holes, byte writes, the clock across its two halves."""
    rng = random.Random(SEED)
    world, master = await start(dut, rng)
    assert await read(master, MAGIC) == (0x544F544D, AxiResp.OKAY)
    counts, response = await read(master, 0x10)
    assert response == AxiResp.OKAY and (counts & 0xFF) * (counts >> 8 & 0xFF) == len(dut.hqd_valid)
    assert counts >> 24 == len(dut.wave_valid)
    wrong = 0
    for address, code in ((MAGIC, READ_ONLY), (0x10, READ_ONLY), (0x28, READ_ONLY), (0x30, HOLE), (0xFFC, HOLE),
                          (0x5000, HOLE), (0xFFFFC, HOLE), (0x3000 + 4 * 32, HOLE)):
        assert await write(master, address, 0x12345678) == AxiResp.SLVERR
        await ClockCycles(dut.clk, 8)
        wrong += 1
        first, second = world.messages[-1]
        assert (first & 0xFFFFF, first >> 56, second) == (address, 0x80 + code, 0x12345678)
        if code == HOLE:
            assert await read(master, address) == (0, AxiResp.SLVERR)
            await ClockCycles(dut.clk, 8)
            wrong += 1
    assert len(world.messages) == wrong
    assert await write(master, MEMORY_TIMEOUT, 0xA1B2C3D4) == AxiResp.OKAY
    assert int(dut.settings_timeout.value) == 0xA1B2C3D4
    assert (await within(500, master.write(MEMORY_TIMEOUT + 1, b"\x55\x66"))).resp == AxiResp.OKAY
    assert await read(master, MEMORY_TIMEOUT) == (0xA16655D4, AxiResp.OKAY)
    before = int(dut.clock.value)
    low, _ = await read(master, 0x20)
    high, _ = await read(master, 0x24)
    assert before <= high << 32 | low
    assert (high << 32 | low) <= int(dut.clock.value)
    assert not world.requests, "global registers are nobody else's"


def target_of(dut, address):
    """What the address map says, or None for a hole."""
    word = address >> 2
    block, low = word >> 10, word & 0x3FF
    pipes, engines, queues = len(dut.hqd_valid), len(dut.wave_valid), int(dut.QUEUES.value)
    if block == 1 and low < 128:
        return "events", 0, 0, 0, word & 0xFF
    if block == 2 and low >> 8 < engines:
        return "wave", low >> 8, 0, 0, word & 0xFF
    if block == 3 and low >> 8 < engines and low >> 5 & 7 == 0 and low >> 2 & 7 < pipes:
        return "stats", low >> 8, 0, 0, word & 0xFF
    if block == 4 and low < 64 and low >> 3 < pipes and (low & 7) < queues:
        return "hqd", low >> 3, 1, low & 7, word & 0xFF
    if 0x10 <= block <= 0x17 and block - 0x10 < pipes and low < 512 and low >> 6 < queues:
        return "hqd", block - 0x10, 0, low >> 6, word & 63
    if 0x20 <= block <= 0x2F and (block - 0x20) >> 1 < pipes and (word >> 8 & 7) < queues:
        return "tally", (block - 0x20) >> 1, 0, word >> 8 & 7, word & 255
    return None


def random_address(rng):
    block = rng.choice((1, 1, 2, 2, 3, 4, 4, 0x10, 0x11, 0x12, 0x17, 0x20, 0x21, 0x26, 0x2F, 5, 0x18, 0x30,
                        rng.randrange(1, 256)))
    low = rng.randrange(64) if block == 4 and rng.random() < 0.8 else rng.randrange(1024)
    return (block << 10 | low) << 2


@cocotb.test()
async def random_accesses(dut):
    """Reads and writes side by side: each reaches its block once, unchanged, and its answer comes back."""
    rng = random.Random(SEED + 1)
    world, master = await start(dut, rng)
    refused = [0]

    async def writer():
        for _ in range(300):
            address, length, data = random_address(rng), rng.randint(1, 4), rng.getrandbits(32)
            first = rng.randrange(5 - length)
            body = (data.to_bytes(4, "little"))[first:first + length]
            seen = len([r for r in world.requests if r[0][2]])
            got = (await within(2000, master.write(address + first, body))).resp
            mine = [r for r in world.requests if r[0][2]][seen:]
            place = target_of(dut, address)
            if place is None:
                assert got == AxiResp.SLVERR and not mine
                refused[0] += 1
                continue
            (target, index, _, doorbell, queue, dword, strobe, value), _, error = mine[0]
            assert len(mine) == 1 and (target, index, doorbell, queue, dword) == place
            assert strobe == ((1 << length) - 1) << first
            for byte in range(first, first + length):
                assert value >> 8 * byte & 0xFF == data >> 8 * byte & 0xFF
            assert got == (AxiResp.SLVERR if error else AxiResp.OKAY)
            refused[0] += error != 0

    async def reader():
        for _ in range(300):
            address = random_address(rng)
            seen = len([r for r in world.requests if not r[0][2]])
            value, got = await read(master, address)
            mine = [r for r in world.requests if not r[0][2]][seen:]
            place = target_of(dut, address)
            if place is None:
                assert (value, got) == (0, AxiResp.SLVERR) and not mine
                refused[0] += 1
                continue
            (target, index, _, doorbell, queue, dword, _, _), word, error = mine[0]
            assert len(mine) == 1 and (target, index, doorbell, queue, dword) == place
            assert (value, got) == ((0, AxiResp.SLVERR) if error else (word, AxiResp.OKAY))
            refused[0] += error != 0

    world.ready = 0.5
    await within(200000, Combine(cocotb.start_soon(writer()), cocotb.start_soon(reader())))
    world.ready = 1.0
    await ClockCycles(dut.clk, 20)
    lost, response = await read(master, ERRORS_LOST)
    assert response == AxiResp.OKAY and lost + len(world.messages) == refused[0], "every refusal is reported or counted"


@cocotb.test()
async def errors_nobody_takes(dut):
    """While the message of the first error waits, later ones are counted; the bus goes on."""
    rng = random.Random(SEED + 2)
    world, master = await start(dut, rng, errors=0.0)
    world.ready = 0.0
    await ClockCycles(dut.clk, 2)
    for turn in range(10):
        assert (await read(master, 0x5000 + 4 * turn))[1] == AxiResp.SLVERR
    assert await read(master, ERRORS_LOST) == (9, AxiResp.OKAY)
    world.ready = 1.0
    await ClockCycles(dut.clk, 10)
    assert len(world.messages) == 1 and world.messages[0][0] & 0xFFFFF == 0x5000
    assert await read(master, ERRORS_LOST) == (9, AxiResp.OKAY)
