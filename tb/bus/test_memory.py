# SPDX-License-Identifier: Apache-2.0
"""totem_memory between its requesters and AXI4 memories made by others (cocotbext-axi).

Order, data, errors, time-outs.
"""

import logging
import os
import random

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Combine, RisingEdge, with_timeout
from cocotbext.axi import AxiBus, AxiRam

from memory_side import CODE, TIMED_OUT, WORD, Disorder, Memory, Requesters, first_word

SEED = int(os.environ.get("SEED", "1"))


async def start(dut, timeout=0):
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    dut.settings_timeout.value = timeout
    dut.fence_write_room.value = (1 << len(dut.fence_write_room)) - 1
    for name in ("packet_fence_write", "record_write_valid", "record_write_word", "poll_read_exclusive",
                 "settings_dequeue_timeout", "kill_overdue"):
        getattr(dut, name).value = 0
    dut.events_error_ready.value = 1
    for name in ("arready", "awready", "wready", "rvalid", "rid", "rdata", "rresp", "rlast", "bvalid", "bid", "bresp"):
        getattr(dut, f"m_axi_{name}").value = 0
    requesters = Requesters(dut)
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0
    await RisingEdge(dut.clk)
    return requesters


async def within(clocks, awaitable):
    """A hang is a failure, not a wait."""
    return await with_timeout(awaitable, clocks * 10, "ns")


async def settle(dut, clocks=2000):
    for _ in range(clocks):
        await RisingEdge(dut.clk)
        if dut.idle.value:
            return
    raise AssertionError("idle does not come")


def random_burst(rng, page):
    line, first = rng.randrange(32), rng.randrange(16)
    return page * 4096 + line * 128 + first * WORD, rng.randint(1, 16 - first)


@cocotb.test()
async def ram_with_back_pressure(dut):
    """AxiRam and pauses on all channels: every read brings the words of its burst, every write arrives."""
    rng = random.Random(SEED)
    side = await start(dut)
    ram = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=1 << 16)
    ram.read_if.log.setLevel(logging.WARNING)
    ram.write_if.log.setLevel(logging.WARNING)

    def pauses(share):
        source = random.Random(rng.random())
        while True:
            yield source.random() < share
    for channel in (ram.read_if.ar_channel, ram.read_if.r_channel, ram.write_if.aw_channel, ram.write_if.w_channel,
                    ram.write_if.b_channel):
        channel.set_pause_generator(pauses(0.4))
    for address in range(0, 1 << 16, WORD):
        ram.write(address, first_word(address).to_bytes(8, "little"))

    async def reader(number):
        for _ in range(40):
            address, beats = random_burst(rng, rng.randrange(8))
            await side.ask(number, address, beats)
            got = await side.answer(number)
            assert got == [(first_word(address + WORD * n), 0) for n in range(beats)]

    wanted = {}

    async def writer(number):
        for tag in range(40):
            address = 0x8000 + number * 0x1000 + rng.randrange(64) * WORD
            strobe, data = rng.randrange(1, 256), rng.getrandbits(64)
            if rng.random() < 0.3:
                beats, dwords = [rng.getrandbits(64) for _ in range(16)], rng.getrandbits(32)
                for n, beat in enumerate(beats):
                    two = dwords >> 2 * n & 3
                    wanted.setdefault(address // 128 * 128 + n * WORD, []).append(
                        ((two & 1) * 0x0F | (two >> 1) * 0xF0, beat))
                await side.send_burst(number, address, dwords, tag, beats)
            else:
                wanted.setdefault(address, []).append((strobe, data))
                await side.send(number, address, strobe, tag, data)
            assert await side.ack(number) == (tag, 0)

    jobs = [cocotb.start_soon(reader(r)) for r in range(side.readers)]
    jobs += [cocotb.start_soon(writer(w)) for w in range(side.writers)]
    await within(60000, Combine(*jobs))
    await settle(dut)
    model = Memory()
    for address, writes in wanted.items():
        for strobe, data in writes:
            model.write(address, data, strobe)
        assert int.from_bytes(ram.read(address, 8), "little") == model.read(address)


async def traffic(dut, side, slave, rng, rounds):
    """Two reads of a requester in flight, two writes; every answer is compared with what the memory gave for it."""
    given = {}

    async def reader(number):
        waiting = []

        async def compare():
            address, beats = waiting.pop(0)
            got = await side.answer(number)
            assert len(got) == beats
            for n, (word, error) in enumerate(got):
                place = address + WORD * n
                turn = given.setdefault(place, 0)
                given[place] += 1
                assert error == CODE[slave.read_errors[place][turn]], "error of a beat"
                assert word == slave.read_data[place][turn], "word of a beat"
        for _ in range(rounds):
            # Pages of its own: the order of answers is known.
            burst = random_burst(rng, 16 * number + rng.randrange(16))
            await side.ask(number, *burst)
            waiting.append(burst)
            if len(waiting) == 2:
                await compare()
        while waiting:
            await compare()

    async def writer(number):
        fence = number >= side.writers * 2 // 3     # each with an ID of its own: answered in any order
        sent = {}

        async def compare():
            tag, error = await side.ack(number)
            assert tag in sent and (fence or tag == next(iter(sent))), "tag of an answer"
            address = sent.pop(tag)
            assert error == CODE[slave.write_errors[address][0]]
            if error == 0:
                assert slave.memory.read(address) == first_word(~address)
        for tag in range(rounds):
            address = (256 + number) * 4096 + tag * WORD
            if tag % 16 == 0:
                await side.send_burst(number, address, 3, tag % 64, [first_word(~address)] + 15 * [0])
            else:
                await side.send(number, address, 255, tag % 64, first_word(~address))
            sent[tag % 64] = address
            if len(sent) == 2:
                await compare()
        while sent:
            await compare()

    jobs = [cocotb.start_soon(reader(r)) for r in range(side.readers)]
    jobs += [cocotb.start_soon(writer(w)) for w in range(side.writers)]
    await within(rounds * 2000, Combine(*jobs))
    await settle(dut)
    assert slave.most_reads > side.readers and slave.most_ids == side.readers, "the test did not load the bus"


@cocotb.test()
async def reordered(dut):
    """Answers of different IDs in any order, their beats mixed."""
    rng = random.Random(SEED + 1)
    side = await start(dut)
    await traffic(dut, side, Disorder(dut, Memory(), rng), rng, 60)


@cocotb.test()
async def reordered_with_errors(dut):
    """The same with SLVERR and DECERR on any beat and any write."""
    rng = random.Random(SEED + 2)
    side = await start(dut)
    await traffic(dut, side, Disorder(dut, Memory(), rng, errors=0.2, pause=0.5), rng, 60)


@cocotb.test()
async def read_waits_for_write(dut):
    """A read of the 4 KiB of an outstanding write sees the new word, however late; other pages are not held up."""
    rng = random.Random(SEED + 3)
    side = await start(dut)
    slave = Disorder(dut, Memory(), rng, latency=5)
    for turn in range(20):
        address = 0x40000 + rng.randrange(512) * WORD
        held = True
        slave.hold_write = lambda write: held
        await side.send(turn % side.writers, address, 255, 1, turn + 1)
        await side.ask(0, address & ~127, 16)                   # the page of the write
        await side.ask(side.readers - 1, 0x80000, 2)            # another page
        got = await within(1000, side.answer(side.readers - 1))
        assert got == [(first_word(0x80000), 0), (first_word(0x80008), 0)]
        await ClockCycles(dut.clk, 100)
        assert not side.beats[0], "the read did not wait for the write"
        held = False
        got = await within(1000, side.answer(0))
        assert got[address % 128 // WORD] == (turn + 1, 0)
        assert await within(1000, side.ack(turn % side.writers)) == (1, 0)


@cocotb.test()
async def time_out_of_a_read(dut):
    """No answer: error 3, ID reserved, later requests of it fail too, others work; the late answer frees it."""
    rng = random.Random(SEED + 4)
    side = await start(dut, timeout=200)
    slave = Disorder(dut, Memory(), rng, latency=5, pause=0)
    held = {0}
    slave.hold_read = lambda burst: burst["address"] >> 16 in held
    await side.ask(0, 0x0100, 4)
    await side.ask(0, 0x0200, 4)
    for _ in range(2):
        assert await within(450, side.answer(0)) == [(0, TIMED_OUT)]
    assert dut.dead.value
    await side.ask(1, 0x10000, 3)
    assert await within(100, side.answer(1)) == [(first_word(0x10000 + 8 * n), 0) for n in range(3)]
    await side.ask(0, 0x10000, 1)                               # waits for the ID, then is given up
    assert await within(450, side.answer(0)) == [(0, TIMED_OUT)]
    await settle(dut)                                           # a reserved ID counts as drained
    await side.ask(0, 0x10080, 2)                               # this one is patient enough
    await ClockCycles(dut.clk, 20)
    held = set()
    assert await within(100, side.answer(0)) == [(first_word(0x10080 + 8 * n), 0) for n in range(2)]
    assert not dut.dead.value
    await settle(dut)


@cocotb.test()
async def time_out_of_a_write(dut):
    """The same for writes, and with an address channel that is never ready."""
    rng = random.Random(SEED + 5)
    side = await start(dut, timeout=200)
    slave = Disorder(dut, Memory(), rng, latency=5, pause=0)
    held = True
    slave.hold_write = lambda write: held and write["address"] < 0x10000
    await side.send(1, 0x100, 255, 11, 1)
    await side.send(1, 0x108, 255, 12, 2)
    assert await within(450, side.ack(1)) == (11, TIMED_OUT)
    assert await within(450, side.ack(1)) == (12, TIMED_OUT)
    assert not dut.dead.value                                   # its ID is taken, those of the fences are not
    await side.send(2, 0x10000, 255, 13, 3)
    assert await within(100, side.ack(2)) == (13, 0)
    await side.ask(0, 0x100, 1)                                 # a write that was given up holds nobody back
    await within(100, side.answer(0))
    cocotb.start_soon(side.send(1, 0x10008, 255, 14, 4))        # it borrows one of those
    assert await within(450, side.ack(1)) == (14, 0)
    held = False
    await settle(dut)
    await ClockCycles(dut.clk, 50)
    assert not dut.dead.value and slave.memory.read(0x100) == 1 and slave.memory.read(0x10008) == 4
    slave.aw.pause = True
    await ClockCycles(dut.clk, 2)
    for tag in range(min(4, side.writers)):
        cocotb.start_soon(side.send(tag, 0x20000 + tag * WORD, 255, tag, 5))
    for tag in range(min(4, side.writers)):
        got = await within(4000, side.ack(tag))
        assert got == (tag, TIMED_OUT)


@cocotb.test()
async def wrong_length(dut):
    """A burst that ends early has an error on its last beat; of one that is too long the rest is dropped."""
    rng = random.Random(SEED + 6)
    side = await start(dut)
    slave = Disorder(dut, Memory(), rng, latency=5, pause=0)
    slave.length = lambda beats: 3 if beats == 8 else 12 if beats == 4 else beats
    await side.ask(0, 0x1000, 8)
    await side.ask(0, 0x1080, 2)
    got = await within(200, side.answer(0))
    assert [error for _, error in got] == [0, 0, 1]
    assert await within(200, side.answer(0)) == [(first_word(0x1080), 0), (first_word(0x1088), 0)]
    await side.ask(0, 0x2000, 4)
    await side.ask(0, 0x2080, 5)
    got = await within(200, side.answer(0))
    assert got == [(first_word(0x2000 + 8 * n), int(n == 3)) for n in range(4)]
    assert await within(200, side.answer(0)) == [(first_word(0x2080 + 8 * n), 0) for n in range(5)]
    await ClockCycles(dut.clk, 20)
    assert not dut.dead.value and dut.idle.value


@cocotb.test()
async def answers_to_nothing(dut):
    """Responses nobody asked for, of any ID, are dropped and change nothing."""
    rng = random.Random(SEED + 7)
    side = await start(dut)
    slave = Disorder(dut, Memory(), rng, latency=5)
    for number in range(1 << len(dut.m_axi_rid)):
        await slave.r.send(slave.r._transaction_obj(rid=number, rdata=number, rresp=0, rlast=number & 1))
    for number in range(1 << len(dut.m_axi_bid)):
        await slave.b.send(slave.b._transaction_obj(bid=number, bresp=0))
    await ClockCycles(dut.clk, 100)
    assert dut.idle.value and not dut.dead.value
    assert not any(side.beats) and not any(side.acks)
    await side.ask(0, 0x3000, 16)
    assert await within(300, side.answer(0)) == [(first_word(0x3000 + 8 * n), 0) for n in range(16)]
