# SPDX-License-Identifier: Apache-2.0
"""The device TOTEM of tinygrad: its AMD driver's queues, signals and ring set-up, on Totem (docs/framework.md).

Importing this module gives tinygrad the device. Variables of the environment: TOTEM_CONFIG (mini), TOTEM_ENGINE (model,
or both: model and RTL in lockstep), TOTEM_EVENTS and TOTEM_TRACE (files), TOTEM_SPREAD (of memory, clocks),
TOTEM_MACHINE (socket of a machine that runs; else one is started), TOTEM_GFX (11.0.0; also 9.4.3 and 12.0.0),
TOTEM_SLOT (pipe * 4 + queue), TOTEM_PRIORITY (of the queue, 0 to 15), TOTEM_TIER (pipe priority, 0 to 2), TOTEM_RING
(bytes), TOTEM_COPY=dma (copies by DMA_DATA).
"""

import atexit
import functools
import importlib
import importlib.metadata
import mmap
import os
import socket
import subprocess
import sys
import tempfile
import time
import types
from pathlib import Path

atexit.register(lambda: stop())     # before tinygrad's own, so that it comes behind: its devices are open until then

VERSION = "0.14.0"
if importlib.metadata.version("tinygrad") != VERSION:
    raise ImportError(f"tinygrad is {importlib.metadata.version('tinygrad')}; the device TOTEM is made for {VERSION}, "
                      "since what it uses of the AMD driver changes from release to release: sim/setup.sh framework")

from rv32 import RV32Renderer, link
from tinygrad.helpers import getenv, round_up
from tinygrad.runtime.autogen.am import am
from tinygrad.runtime.ops_amd import AMDComputeQueue, AMDQueueDesc, AMDSignal
from tinygrad.runtime.support.am.ip import AM_GFX
from tinygrad.runtime.support.amd import AMDIP, import_soc
from tinygrad.runtime.support.hcq import (CLikeArgsState, FileIOInterface, HCQAllocator, HCQBuffer, HCQCompiled,
                                          HCQProgram, MMIOInterface)
from tinygrad.runtime.support.memory import TLSFAllocator

TOP = Path(__file__).resolve().parents[2]
FIXED = 0x100000                    # MAP_FIXED_NOREPLACE
CLOCKS = 100000                     # of a millisecond: tinygrad takes the counter of the chip for one of 100 MHz
NBIO = {9: (7, 9, 0), 11: (4, 3, 0), 12: (6, 3, 1)}

# Totem's host registers (docs/registers.md).
ENGINE, DOORBELL, QUEUE = 0x2000, 0x4000, 0x10000
INTERRUPT_STATUS, INTERRUPT_ENABLE, EOP_STATUS, EOP_ENABLE = 0x1000, 0x1004, 0x1010, 0x1018
MQD_HIGH, ACTIVE, RPTR, DEQUEUE, STATE, MAP = 1, 2, 10, 24, 59, 60    # dwords of a queue's window
CORE_ERRORS, CORE_RECORD, CORE_ADDRESS = 5, 6, 7               # of the cores' page
KINDS = {1: "JUMP", 2: "MISALIGNED", 3: "ILLEGAL", 4: "ACCESS", 5: "HEADER", 6: "BARRIER", 7: "LDS"}
SAVE, RESET = 1, 2                                             # dequeue requests


class Machine:
    """A connection to the machine (tb/framework/machine.c), and its memory in this process."""
    own = None                      # the machine that this process has started: its socket, process
    memory = None                   # what it has mapped: address, bytes

    def __init__(self):
        path = getenv("TOTEM_MACHINE", "") or self.start()
        self.socket = socket.socket(socket.AF_UNIX)
        try:
            self.socket.connect(path)
        except OSError as error:
            raise RuntimeError(f"{path}: no machine answers there ({error.strerror})") from error
        self.file = self.socket.makefile("r")
        hello = self.file.readline().split()
        if not hello:
            raise RuntimeError(f"{path}: this machine has had as many clients as its memory has parts")
        self.config, *numbers = hello
        process, file, base, size, part, self.number, self.pipes, self.queues = map(int, numbers)
        self.first, self.part = base + self.number * part, part
        self.map(f"/proc/{process}/fd/{file}", base, size)
        self.errors = 0

    @classmethod
    def start(cls):
        """Starts a machine of this process."""
        if cls.own is None:
            engine, config = getenv("TOTEM_ENGINE", "model"), getenv("TOTEM_CONFIG", "mini")
            program = TOP / f"build/lockstep/{config}-rv32" / ("machine" if engine == "both" else "machine-model")
            if not program.exists():
                raise RuntimeError(f"{program.relative_to(TOP)} is missing: make -f tb/framework/rules.mk "
                                   f"CONFIG={config}{' ENGINE=both' if engine == 'both' else ''}")
            path = os.path.join(tempfile.mkdtemp(), "machine")
            given = {key: getenv(f"TOTEM_{key.upper()}", "") for key in ("events", "trace", "spread")}
            options = [f"--{key}={value}" for key, value in given.items() if value]
            process = subprocess.Popen([program, f"--engine={engine}", *options, path], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE)
            if process.stdout.readline() != b"ready\n":
                raise RuntimeError(f"the machine did not start: exit code {process.wait()}")
            cls.own = path, process
        return cls.own[0]

    @classmethod
    def map(cls, path, base, size):
        """The machine's memory at the addresses that it has there."""
        if cls.memory == (base, size):
            return
        try:
            at = FileIOInterface(path, os.O_RDWR).mmap(base, size, mmap.PROT_READ | mmap.PROT_WRITE,
                                                       mmap.MAP_SHARED | FIXED, 0)
        except OSError as error:
            at = error
        if at != base:
            raise RuntimeError(f"the machine's memory cannot be mapped at 0x{base:x} to 0x{base + size:x}: something "
                               f"else of this process lies there, or the kernel is too old ({at})")
        cls.memory = base, size

    def answer(self):
        words = self.file.readline().split()
        if not words or words[0] == "broken":
            raise RuntimeError("the machine has stopped: model and RTL differ or a rule is broken; its report is above")
        return words

    def ask(self, text):
        self.socket.sendall(text.encode() + b"\n")
        return self.answer()

    def read(self, address):
        if (words := self.ask(f"read {address}"))[0] != "ok":
            raise RuntimeError(f"the machine refuses to read register 0x{address:05x}")
        return int(words[1])

    def write(self, address, value):
        if self.ask(f"write {address} {value & 0xffffffff}")[0] != "ok":
            count = int(self.ask(f"wait {self.first} {1 << 63} 64")[2])     # its record is there by then
            record = " ".join(self.ask(f"error {count - 1}")[2:]) if count else "?"
            raise RuntimeError(f"the machine refuses to write 0x{value:x} to register 0x{address:05x}: {record}")

    def wait(self, address, value, clocks):
        reason, clock, errors = self.ask(f"wait {address} {value} {clocks}")
        return reason, int(clock), int(errors)

    def counts(self):
        names = "clocks", "waves", "packets", "dispatches", "fences", "interrupts"
        return dict(zip(names, map(int, self.ask("counts"))))


def stop():
    """Ends the machine of this process. False: it was not well."""
    if not Machine.own:
        return True
    process, Machine.own = Machine.own[1], None
    process.stdin.close()
    if process.wait():
        print(f"the machine ended with exit code {process.returncode}", file=sys.stderr)
    return process.returncode == 0


class Registers:
    """What tinygrad's bare-metal driver sees of a chip while it sets up a ring: the window of a queue, by register."""

    def __init__(self, interface, gc, version):
        self.interface, self.gc, self.ip_ver = interface, gc, {am.GC_HWIP: version}
        self.vram = types.SimpleNamespace(view=MMIOInterface)     # addresses are pointers
        self.gmc = types.SimpleNamespace(flush_hdp=lambda: None)
        self.selected = 0

    def __getattr__(self, name):
        if not name.startswith("reg"):
            raise AttributeError(name)
        register = getattr(self.gc, name)
        return types.SimpleNamespace(encode=register.encode, addr=register.addr,
                                     write=functools.partial(self.write, register))

    def write(self, register, value=None, inst=0, **fields):
        if register.name.endswith("GRBM_GFX_CNTL"):
            self.selected = fields["pipeid"] * 4 + fields["queueid"]
        else:
            self.wreg(register.addr[inst], register.encode(**fields) if value is None else value)

    def wreg(self, address, value):
        """Dword n of the window is the n-th register from CP_MQD_BASE_ADDR on, in the chip as in Totem."""
        dword = address - self.gc.regCP_MQD_BASE_ADDR.addr[0]
        if not 0 <= dword < 56:
            raise RuntimeError(f"setup_ring writes register 0x{address:x}, which is not of a queue's window")
        override = {self.gc.regCP_HQD_QUEUE_PRIORITY.addr[0]: "TOTEM_PRIORITY",
                    self.gc.regCP_HQD_PIPE_PRIORITY.addr[0]: "TOTEM_TIER"}.get(address)
        self.interface.write_window(dword, getenv(override, value) if override else value)


class Doorbell:
    """A doorbell is a write of a host register."""

    def __init__(self, interface):
        self.interface = interface

    def __setitem__(self, _, value):
        self.interface.machine.write(DOORBELL + 4 * (8 * self.interface.pipe + self.interface.queue), value)


class TotemInterface:
    """Memory, registers and waits of one device."""

    def __init__(self, device, gc, version):
        self.device, self.machine = device, Machine()
        self.memory = TLSFAllocator(self.machine.part, base=self.machine.first, block_size=256)
        self.slot = getenv("TOTEM_SLOT", self.machine.number)
        if self.pipe >= self.machine.pipes:
            raise RuntimeError(f"slot {self.slot} is of pipe {self.pipe}; the machine has {self.machine.pipes}")
        self.registers = Registers(self, gc, version)
        self.gfx, self.mqd = AM_GFX(self.registers), self.alloc(0x1000).va_addr
        self.gfx.xccs, self.gfx.mqd_paddr, self.gfx.mqd_mc = 1, [self.mqd] * 4, [self.mqd] * 4

    pipe = property(lambda self: self.slot // 4)
    queue = property(lambda self: self.slot % 4)

    def alloc(self, size, **_):
        at = self.memory.alloc(round_up(size, 256), 256)
        return HCQBuffer(at, size, view=MMIOInterface(at, size), owner=self.device)

    def free(self, buffer):
        self.memory.free(buffer.va_addr)

    def window(self, dword):
        return QUEUE + 0x1000 * self.pipe + 0x100 * self.queue + 4 * dword

    def write_window(self, dword, value):
        self.machine.write(self.window(dword), value)

    def create_queue(self, size):
        """A ring as tinygrad's own interfaces make it, and interrupts of its queue."""
        ring, pointers, end = self.alloc(size), self.alloc(0x100), self.alloc(0x1000)
        view = pointers.cpu_view()
        view[:] = bytes(0x100)
        self.params = ring.va_addr, ring.size, pointers.va_addr, pointers.va_addr + 8, end.va_addr, end.size
        self.setup_ring()
        self.machine.write(INTERRUPT_ENABLE, 1)
        for at in range(0, self.machine.pipes, 4):      # a register has the queues of four pipes
            self.machine.write(EOP_ENABLE + at, 0xffffffff)
        return AMDQueueDesc(ring=ring.cpu_view().view(fmt="I"), doorbell=Doorbell(self), read_ptr=view.view(0, 8, "Q"),
                            write_ptr=view.view(8, 8, "Q"), params=self.params)

    def setup_ring(self):
        self.gfx.setup_ring(*self.params, self.slot, False)

    def interrupt(self):
        """The handler: clears what is up."""
        machine = self.machine
        machine.write(INTERRUPT_STATUS, machine.read(INTERRUPT_STATUS) & ~1)
        for at in range(0, machine.pipes, 4):
            if bits := machine.read(EOP_STATUS + at):
                machine.write(EOP_STATUS + at, bits)

    def wait(self, address, value, clocks):
        """Lets the machine run until the word has reached the value."""
        left, reason = clocks, None
        while reason != "reached":
            reason, gone, errors = self.machine.wait(address, value, left)
            left -= gone
            if errors > self.machine.errors:
                self.check_records(errors)
            if reason == "irq":
                self.interrupt()
            elif reason == "limit":
                state = self.machine.read(self.window(STATE))
                raise RuntimeError(f"the word at 0x{address:x} has not reached {value} after {clocks} clocks; STATE of "
                                   f"the queue is 0x{state:08x}")
            elif reason == "idle" and getenv("TOTEM_MACHINE", ""):
                time.sleep(0.001)       # another process may have more work for it
            elif reason == "idle":
                raise RuntimeError(f"nothing is left to do, and the word at 0x{address:x} has not reached {value}")

    def check_records(self, errors):
        """Error records of this queue."""
        first, self.machine.errors = self.machine.errors, errors
        for number in range(first, errors):
            pipe, queue, *words = self.machine.ask(f"error {number}")
            if (int(pipe), int(queue)) == (self.pipe, self.queue):
                raise RuntimeError(f"the machine has stopped the queue: {' '.join(words)}")

    def check_cores(self):
        """Waves that ended in an error of their core."""
        engines = self.machine.read(0x10) >> 24
        for engine in range(engines):
            page = ENGINE + 0x400 * engine
            if not self.machine.read(page + 4 * CORE_ERRORS):
                continue
            record = self.machine.read(page + 4 * CORE_RECORD)
            if record & 15 and (record >> 20 & 3, record >> 24 & 7) == (self.pipe, self.queue):
                address = self.machine.read(page + 4 * CORE_ADDRESS)
                self.machine.write(page + 4 * CORE_RECORD, 0)
                raise RuntimeError(f"a wave ended by error {KINDS[record & 15]}, address 0x{address:x}")

    def leave(self, request):
        """Takes the queue from its slot."""
        self.write_window(DEQUEUE, request)
        while self.machine.read(self.window(ACTIVE)) & 1:
            self.machine.wait(self.machine.first, 1 << 63, 256)

    def move(self, slot):
        """The queue goes on in another slot, from its MQD, also inside a grid."""
        self.leave(SAVE)
        self.slot = slot
        self.write_window(MQD_HIGH, self.mqd >> 32)
        self.write_window(MAP, self.mqd)

    def device_fini(self):
        self.write_window(ACTIVE, 0)
        self.machine.socket.close()


class TotemSignal(AMDSignal):
    """Waiting steps the machine."""

    def wait(self, value, timeout=None):
        self.owner.iface.wait(self.value_addr, value, CLOCKS * (timeout or getenv("HCQDEV_WAIT_TIMEOUT_MS", 30000)))


class TotemQueue(AMDComputeQueue):
    """tinygrad does not look whether its ring has room."""
    kernels = []                    # names, in the order in which they were put into queues

    def exec(self, prg, *arguments):
        self.kernels.append(prg.name)
        return super().exec(prg, *arguments)

    def _submit(self, dev):
        queue, words = dev.compute_queue, len(self.indirect_cmd if dev == self.binded_device else self._q)
        if words > len(queue.ring):
            raise RuntimeError(f"{words} dwords in a ring of {len(queue.ring)}: give it more bytes with TOTEM_RING")
        while (queue.put_value + words - dev.iface.machine.read(dev.iface.window(RPTR))) & 0xffffffff > len(queue.ring):
            if dev.iface.machine.wait(dev.iface.machine.first, 1 << 63, 1024)[0] == "idle":
                raise RuntimeError("the ring is full, and nothing that could empty it runs")
        super()._submit(dev)


class TotemCopyQueue(TotemQueue):
    """Copies by DMA_DATA."""

    def copy(self, dest, src, copy_size):
        for at in range(0, copy_size, 1 << 20):
            self.pkt3(self.pm4.PACKET3_DMA_DATA, self.pm4.PACKET3_DMA_DATA_CP_SYNC, src.va_addr + at, 0,
                      dest.va_addr + at, 0, min(1 << 20, copy_size - at))
        return self


class TotemAllocator(HCQAllocator):
    """Everything lies in the machine's memory, which is mapped here."""

    def __init__(self, dev):
        super().__init__(dev, batch_size=1 << 16, batch_cnt=2, supports_copy_from_disk=False, supports_transfer=False)

    def _alloc(self, size, options):
        if options.external_ptr is not None:
            raise ValueError(f"0x{options.external_ptr:x} lies outside of the machine's memory: copy it to a buffer")
        return self.dev.iface.alloc(size)

    def _do_free(self, opaque, options):
        self.dev.iface.free(opaque)

    def _do_map(self, buf):
        if buf.owner is None or not isinstance(buf.owner, TOTEMDevice):
            raise RuntimeError(f"memory at 0x{buf.va_addr:x} is not the machine's: copy it to a buffer of TOTEM")


class TotemProgram(HCQProgram):
    """A kernel in the machine's memory."""
    enable_private_segment_sgpr = enable_dispatch_ptr = 0
    wave32, rsrc1, rsrc3 = True, 0, 0

    def __init__(self, dev, obj):
        lds, binary = int.from_bytes(obj.lib[:4], "little"), obj.lib[4:]
        self.dev, self.memory = dev, dev.iface.alloc(round_up(len(binary) + 0x8000, 0x1000))
        self.prog_addr = self.memory.va_addr
        program = link(obj.name, binary, self.prog_addr)
        self.memory.cpu_view()[:len(program)] = program
        user_data, groups = 2 << 1, 7 << 7
        self.rsrc2 = user_data | groups | -(-lds // 512) << 15
        super().__init__(CLikeArgsState, dev, obj, kernargs_alloc_size=round_up(8 * len(obj.signature), 8))

    def __del__(self):
        if hasattr(self, "memory"):
            self.dev.iface.free(self.memory)


class TOTEMDevice(HCQCompiled):
    """What AMDComputeQueue and AMDSignal see of their device."""
    xccs, sqtt_enabled, tmpring_size = 1, False, 0

    def __init__(self, device=""):
        version = tuple(map(int, getenv("TOTEM_GFX", "11.0.0").split(".")))
        if version[0] not in NBIO or len(version) != 3:
            raise RuntimeError(f"TOTEM_GFX={getenv('TOTEM_GFX', '')} is none of 9.4.3, 11.0.0, 12.0.0")
        self.target = (9, 4, 2) if version[0] == 9 else version
        names = "vega" if version[0] == 9 else "navi"
        offsets = importlib.import_module(f"tinygrad.runtime.autogen.am.{names}_offsets")
        self.soc = import_soc(self.target)
        self.pm4 = importlib.import_module(f"tinygrad.runtime.autogen.am.pm4_{'soc15' if version[0] == 9 else 'nv'}")
        self.gc = AMDIP("gc", version,
                        bases={0: tuple(getattr(offsets, f"GC_BASE__INST0_SEG{n}", 0) for n in range(6))})
        self.nbio = AMDIP("nbio" if version[0] < 12 else "nbif", NBIO[version[0]],
                          bases={0: tuple(getattr(offsets, f"NBIO_BASE__INST0_SEG{n}", 0) for n in range(9))})
        self.iface = TotemInterface(self, self.gc, version)
        self.compute_queue = self.iface.create_queue(getenv("TOTEM_RING", 16 << 20))
        self.scratch = self.iface.alloc(256)
        self.queue_event_mailbox_ptr = self.iface.alloc(256).va_addr
        self.queue_event = types.SimpleNamespace(event_id=self.iface.machine.number + 1)
        copies = functools.partial(TotemCopyQueue, self) if getenv("TOTEM_COPY", "") == "dma" else None
        super().__init__(device, TotemAllocator(self), [RV32Renderer], TotemProgram, TotemSignal,
                         functools.partial(TotemQueue, self), copies, kernargs_size=1 << 20, can_recover=True,
                         arch="rv32im")

    def is_am(self):
        return False    # each step of a device's time line ends in an interrupt, as with the kernel's driver

    def is_usb(self):
        return False

    def synchronize(self, timeout=None):
        super().synchronize(timeout)
        self.iface.check_cores()

    def on_device_hang(self):
        """As the interfaces of ops_amd do: the queue is reset and mapped anew, and what was in it is lost."""
        error = self.error_state
        self.iface.leave(RESET)
        queue = self.compute_queue
        queue.put_value = queue.read_ptr[0] = queue.write_ptr[0] = 0
        self.iface.setup_ring()
        self.timeline_signal.value = self.timeline_value - 1
        self.error_state = None
        raise RuntimeError(f"the queue was reset: {error}")


sys.modules["tinygrad.runtime.ops_totem"] = sys.modules[__name__]
