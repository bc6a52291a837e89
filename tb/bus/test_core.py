# SPDX-License-Identifier: Apache-2.0
"""totem_core with a shader core in Python on its wave interface: an example of a core of one's own (docs/engine.md).

A wave reads USER_DATA[0] and runs for so many clocks more than the core's register 0 says, FOREVER until it is killed.
"""

import logging

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge
from cocotbext.axi import AxiBus, AxiLiteBus, AxiLiteMaster, AxiRam, AxiResp

WINDOW, DOORBELL, ENGINE = 0x10000, 0x4000, 0x2000     # docs/registers.md
RING, MQD, FENCE, SIZE = 0x1000, 0x2000, 0x3000, 1 << 16
SET_SH_REG, DISPATCH_DIRECT, RELEASE_MEM = 0x76, 0x15, 0x49
USER_DATA, FOREVER = 2, 0xFFFFFFFF
REGISTERS, NO_REGISTER = 2, 1


class Core:
    """The shader core of the one engine of `mini`. What it shows follows from the pins of the clocks before."""

    def __init__(self, dut):
        self.dut, self.clock = dut, 0
        self.waves = {}         # slot -> [(fe, pipe, queue, epoch), clock in which it ends or None]
        self.seen = []          # of every accepted wave: group, index, waves of the group, threads, its state word
        self.ended = self.killed = 0
        self.registers = [0] * REGISTERS
        self.word = None        # state word of the offered wave
        self.asked = False
        # `mini` has no geometry waves, so nothing is exported.
        for name in ("launch_ready", "done_valid", "done_slot", "wave_host_done", "wave_host_error", "wave_host_rdata",
                     "export_valid", "export_slot", "export_primitives", "export_pixels"):
            getattr(dut, name).value = 0
        dut.state_index.value = USER_DATA
        cocotb.start_soon(self._run())

    async def _run(self):
        while True:
            await RisingEdge(self.dut.clk)
            if self.dut.rst.value:
                continue
            self.clock += 1
            self._kill()
            self._launch()
            self._done()
            self._host()

    def _pins(self, *names):
        return tuple(int(getattr(self.dut, name).value) for name in names)

    def _launch(self):
        """Asks for the word in one clock, has it in the next, and accepts in the third."""
        dut = self.dut
        if dut.launch_valid.value and dut.launch_ready.value:
            slot, *owner = self._pins("launch_slot", "launch_fe", "launch_pipe", "launch_queue", "launch_epoch")
            assert slot not in self.waves, "a slot has one wave"
            clocks = self.word & FOREVER
            end = None if clocks == FOREVER else self.clock + clocks + self.registers[0]
            self.waves[slot] = [tuple(owner), end]
            self.seen.append((*self._pins("launch_group", "launch_index", "launch_waves", "launch_threads"), self.word))
            self.word, self.asked = None, False
        elif self.asked:
            self.word = int(dut.state_data.value)
        else:
            self.asked = bool(dut.launch_valid.value)
        dut.launch_ready.value = self.word is not None

    def _kill(self):
        if self.dut.kill_valid.value:
            *owner, epochs = self._pins("kill_fe", "kill_pipe", "kill_queue", "kill_epochs")
            for wave in self.waves.values():
                if wave[0][:3] == tuple(owner) and epochs >> wave[0][3] & 1 and wave[1] is None:
                    wave[1] = self.clock
                    self.killed += 1

    def _done(self):
        slot = next((slot for slot, wave in self.waves.items() if wave[1] is not None and wave[1] <= self.clock), None)
        self.dut.done_valid.value = slot is not None
        if slot is not None:
            self.dut.done_slot.value = slot
            del self.waves[slot]
            self.ended += 1

    def _host(self):
        """Registers of its own on the engine's page."""
        dut, done = self.dut, 0
        if dut.wave_host_valid.value and not dut.wave_host_done.value:
            write, dword, data = self._pins("host_write", "host_dword", "host_data")
            known, done = dword < REGISTERS, 1
            if known and write:
                self.registers[dword] = data
            dut.wave_host_error.value = 0 if known else NO_REGISTER
            dut.wave_host_rdata.value = self.registers[dword] if known else 0
        dut.wave_host_done.value = done


def packet(opcode, *body):
    return [3 << 30 | len(body) - 1 << 16 | opcode << 8, *body]


def grid(groups, threads, clocks):
    return [*packet(SET_SH_REG, 0x207, threads, 1, 1), *packet(SET_SH_REG, 0x212, 0, 2 << 1),
            *packet(SET_SH_REG, 0x240, clocks, 0xABCD), *packet(DISPATCH_DIRECT, groups, 1, 1, 1)]


@cocotb.test()
async def a_core_of_ones_own(dut):
    """Waves carry what their stream wrote, registers are the core's, the fence waits for done, a reset kills."""
    cocotb.start_soon(Clock(dut.clk, 10, "ns").start())
    dut.rst.value = 1
    core = Core(dut)
    host = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
    memory = AxiRam(AxiBus.from_prefix(dut, "m_axi"), dut.clk, dut.rst, size=SIZE)
    for side in (host.write_if, host.read_if, memory.write_if, memory.read_if):
        side.log.setLevel(logging.WARNING)
    await ClockCycles(dut.clk, 4)
    dut.rst.value = 0

    async def put(address, value):
        return (await host.write(address, value.to_bytes(4, "little"))).resp

    async def get(address):
        return int.from_bytes((await host.read(address, 4)).data, "little")

    async def until(condition):
        for _ in range(5000):
            if condition():
                return
            await RisingEdge(dut.clk)
        assert False, "not within 5000 clocks"

    def write_ring(dwords):
        memory.write(RING, b"".join(dword.to_bytes(4, "little") for dword in dwords))

    assert await put(ENGINE, 7) == AxiResp.OKAY and await get(ENGINE) == core.registers[0] == 7
    assert await put(ENGINE + 4 * REGISTERS, 7) == AxiResp.SLVERR

    ring = [*grid(3, 100, 150), *packet(RELEASE_MEM, 0x14, 1 << 29, FENCE, 0, 0x5A, 0, 0)]
    write_ring(ring)
    for dword, value in ((0, MQD), (4, 0x0BE05300), (8, RING >> 8), (15, 1 << 30), (17, 0x00300007), (2, 1)):
        assert await put(WINDOW + 4 * dword, value) == AxiResp.OKAY
    assert await put(DOORBELL, len(ring)) == AxiResp.OKAY
    await until(lambda: len(core.seen) == 6)
    assert core.seen == [(group, index, 2, 36 if index else 64, 0xABCD << 32 | 150)
                         for group in range(3) for index in range(2)]
    assert core.ended == 0 and memory.read(FENCE, 1) == b"\0", "the fence waits for the waves"
    await until(lambda: memory.read(FENCE, 1) == b"\x5A")
    assert core.ended == 6 and core.killed == 0

    ring += grid(4, 64, FOREVER)
    write_ring(ring)
    assert await put(DOORBELL, len(ring)) == AxiResp.OKAY
    await until(lambda: len(core.waves) == 4)
    assert await put(WINDOW + 4 * 24, 2) == AxiResp.OKAY         # reset
    await until(lambda: core.killed == 4 and core.ended == 10)
    for _ in range(100):
        if not await get(WINDOW + 4 * 2) & 1:
            break
    assert await get(WINDOW + 4 * 2) & 1 == 0, "the queue is unmapped"
