#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Streams that tinygrad's own queue makes for GFX9.4, GFX11 and GFX12 play right on the machine (docs/framework.md).

    .venv/bin/python tb/framework/streams.py [--engine model|both]

For each generation: a barrier, a wait, signals, time stamps, a chain of kernels in three dimensions, and a buffer that
is bound and submitted twice. Each wave writes what it is told of itself; signals, stamps, dimensions and order are
compared with what was asked for, and `totem pm4 decode` knows every packet. The ring's words go to
build/framework/<generation>.hex. The last line is "N passed, N failed".
"""

import argparse
import array
import os
import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
GENERATIONS = "9.4.3", "11.0.0", "12.0.0"
GROUPS, THREADS = (2, 3, 4), (20, 3, 2)
# Arguments: what waves say of themselves, 4 dwords each; a dword of every wave, which each kernel of a chain changes.
SOURCE = """// LDS 0
void wave(void)
{{
    uint32_t *told = *(uint32_t **)USER_DATA(0), *chain = *(uint32_t **)(USER_DATA(0) + 8);
    uint32_t n = ((GROUP_Z * {groups[1]} + GROUP_Y) * {groups[0]} + GROUP_X) * WAVES + WAVE;
    told[4 * n] = GROUP_X | GROUP_Y << 8 | GROUP_Z << 16;
    told[4 * n + 1] = WAVE | WAVES << 8;
    told[4 * n + 2] = THREADS | LANES << 8;
    told[4 * n + 3]++;
    chain[n] = chain[n] * 3 + {number};
}}
"""

passed = failed = 0


def check(good, text):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"{'ok  ' if good else 'FAIL'} {text}", flush=True)


def expected_waves(lanes):
    """What each wave says, in order; how often it has run comes behind."""
    threads = THREADS[0] * THREADS[1] * THREADS[2]
    waves = -(-threads // lanes)
    for z in range(GROUPS[2]):
        for y in range(GROUPS[1]):
            for x in range(GROUPS[0]):
                for wave in range(waves):
                    yield x | y << 8 | z << 16, wave | waves << 8, min(lanes, threads - wave * lanes) | lanes << 8


def play(generation):
    """The part of one generation, in a process of its own."""
    import ops_totem
    import rv32
    from tinygrad import Device, dtypes
    from tinygrad.device import Buffer, TinyELF
    from tinygrad.uop.ops import UOp
    device = Device["TOTEM"]
    interface, compiler, queue = device.iface, rv32.RV32Compiler(), device.hw_compute_queue_t
    signature = tuple((None, n, dtypes.uint32, (256,)) for n in range(2))
    kernels = [ops_totem.TotemProgram(device, TinyELF(compiler.compile(SOURCE.format(groups=GROUPS, number=number)),
                                                      f"kernel{number}", device.renderer.target, signature))
               for number in (1, 2, 3)]
    held = [Buffer("TOTEM", 1024, dtypes.uint32, preallocate=True) for _ in range(2)]
    buffers = [buffer._buf for buffer in held]
    told, chain = (buffer.cpu_view().view(fmt="I") for buffer in buffers)
    begin, end, host, done, step = (device.new_signal(value=0) for _ in range(5))

    def run(clocks=20000):
        interface.machine.wait(interface.machine.first, 1 << 63, clocks)

    # A barrier, and a wait for a signal of the host.
    queue().memory_barrier().wait(host, 3).signal(done, 5).submit(device)
    run()
    early = done.value
    host.value = 3
    done.wait(5)
    check(early == 0, f"{generation}: a signal behind a wait comes when the host has signalled, not before")

    # A chain of three kernels between time stamps.
    for view in told, chain:
        view[:] = array.array("I", [0] * len(view))
    built = queue()
    built.timestamp(begin)
    for kernel in kernels:
        built.exec(kernel, kernel.fill_kernargs(tuple(buffers)), GROUPS, THREADS)
    built.timestamp(end).signal(done, 6).submit(device)
    done.wait(6)
    first, last = int(begin.timestamp * 100), int(end.timestamp * 100)
    clocks = interface.machine.counts()["clocks"]
    check(0 < first < last <= clocks, f"{generation}: time stamps {first} and {last}, read at {clocks}")
    lanes = 64 if generation[0] == "9" else 32      # GFX9 has no bit for 32
    waves = [(*wave, 3) for wave in expected_waves(lanes)]
    got = [tuple(told[4 * n:4 * n + 4]) for n in range(len(waves))]
    check(got == waves, f"{generation}: {len(waves)} waves of {lanes}, three times, with their groups and threads")
    order = ((0 * 3 + 1) * 3 + 2) * 3 + 3
    check(all(word == order for word in chain[0:len(waves)]) and not any(chain[len(waves):256]),
          f"{generation}: the kernels of the chain one after the other")

    # A bound buffer with a value that changes, submitted twice.
    value = UOp.variable("value", 0, 1000, dtype=dtypes.uint32)
    built = queue()
    built.wait(done, value).exec(kernels[0], kernels[0].fill_kernargs(tuple(buffers)), GROUPS, THREADS)
    built.signal(step, value).bind(device)
    for number in 4, 6:
        built.submit(device, {"value": number})
        step.wait(number)
    check(all(word == (order * 3 + 1) * 3 + 1 for word in chain[0:len(waves)]),
          f"{generation}: a bound buffer, submitted twice")
    words = device.compute_queue.ring[0:device.compute_queue.put_value]
    (TOP / f"build/framework/{generation}.hex").write_text("".join(f"{word:08x}\n" for word in words), encoding="utf-8")
    Device["TOTEM"].finalize()
    Device._opened_devices.clear()
    check(ops_totem.stop(), f"{generation}: the machine ends well")
    print(f"{passed} {failed}")


def main():
    global passed, failed
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="model", choices=("model", "both"), help="both: model and RTL in lockstep")
    parser.add_argument("--role", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        return play(options.role)
    for generation in GENERATIONS:
        environment = {"DEV": "CPU", "CC": "clang-14", "TOTEM_GFX": generation, "TOTEM_ENGINE": options.engine}
        made = subprocess.run([sys.executable, __file__, "--role", generation], text=True, capture_output=True,
                              check=False, env={**os.environ, **environment})
        *lines, sums = made.stdout.splitlines() or ["0 1"]
        if made.returncode:
            lines, sums = [*lines, sums, made.stderr], "0 1"
        print("\n".join(lines))
        passed, failed = (total + int(part) for total, part in zip((passed, failed), sums.split()))
        chip = "gfx" + generation.split(".", maxsplit=1)[0]
        decoded = subprocess.run([TOP / "build/totem", "pm4", "--chip", chip, "--packets", "decode",
                                  TOP / f"build/framework/{generation}.hex"], text=True, capture_output=True,
                                 check=False)
        packets = decoded.stdout.splitlines()
        check(not decoded.returncode and not decoded.stderr and len(packets) > 40,
              f"{generation}: totem pm4 decode knows all {len(packets)} packets of the ring {decoded.stderr[:200]}")
    print(f"{passed} passed, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
