#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Processes that share one machine, a ring that is full, and what cannot be done (docs/framework.md).

    .venv/bin/python tb/framework/cases.py [--engine model|both] [--config board]

Each role below is a process of its own with a tinygrad of its own. Results are compared with those of tinygrad's CPU
device. The last line is "N passed, N failed".
"""

import argparse
import mmap
import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMMON = {"DEV": "CPU::x86_64,x86-64", "CC": "clang-14", "HCQDEV_WAIT_TIMEOUT_MS": "1000000", "PARALLEL": "0"}
UNFINISHED, SEQUENCE = 4, 61        # dwords of the window: PERSISTENT_STATE, of which bit 31 says so; switch-outs


# -- roles: functions that run in a process of their own, and talk to the script by lines ------------------------------

def tell(text):
    print(text, flush=True)


def addition(count, device="TOTEM"):
    from tinygrad import Tensor, dtypes
    a = Tensor(list(range(count)), device=device, dtype=dtypes.int32).realize()
    return (a * a + 1).realize()


def equal(got, expected):
    return got.data().tobytes() == expected.data().tobytes()


def program(source):
    """A kernel of our own."""
    import ops_totem
    from rv32 import RV32Compiler
    from tinygrad import Device
    from tinygrad.device import TinyELF
    device = Device["TOTEM"]
    binary = RV32Compiler().compile("// LDS 0\n" + source)
    return ops_totem.TotemProgram(device, TinyELF(binary, "own", device.renderer.target, ()))


def moves():
    """A long grid; in it the queue is replaced by another one, leaves its slot, and goes on in another pipe."""
    import ops_totem
    assert ops_totem
    from tinygrad import Device
    addition(16).realize()
    got = addition(32768)           # runs as soon as somebody waits
    device = Device["TOTEM"]
    interface = device.iface
    interface.machine.wait(interface.machine.first, 1 << 63, 20000)
    tell("begun")
    input()
    switched = interface.machine.read(interface.window(SEQUENCE))
    interface.move(4)               # pipe 1
    saved = interface.registers.vram.view(interface.mqd + 4 * (128 + UNFINISHED), 4, "I")[0] >> 31
    same = equal(got, addition(32768, "CPU"))
    tell(f"equal {same}, replaced {switched > 0}, inside a grid {saved == 1}, then in pipe {interface.pipe}")


def works():
    """Several grids."""
    import ops_totem
    assert ops_totem
    same = all([equal(addition(count), addition(count, "CPU")) for count in (100, 500, 1000)])
    tell(f"equal {same}")


def endless():
    """A kernel that never ends; then one that does."""
    import ops_totem
    from tinygrad import Device
    assert ops_totem
    same = equal(addition(64), addition(64, "CPU"))
    device = Device["TOTEM"]
    program("void wave(void) { for (;;) USER_DATA(0); }")(global_size=(2, 1, 1))     # it takes two of four cores
    tell("begun")
    input()
    try:
        device.synchronize(timeout=2)
        tell("it has ended")
    except RuntimeError as error:
        tell(f"equal {same and equal(addition(100), addition(100, 'CPU'))}, {error}")


def ring():
    """More commands than the ring has room for, without a wait between."""
    import ops_totem
    from tinygrad import Device
    results = [addition(16) for _ in range(24)]
    device = Device["TOTEM"]
    words = device.compute_queue.put_value
    same = all([equal(result, addition(16, "CPU")) for result in results])
    tell(f"equal {same}, {words > 4 * len(device.compute_queue.ring)}")
    try:
        queue = ops_totem.TotemQueue(device)
        queue.q(*[0] * 1000)
        queue.submit(device)
    except RuntimeError as error:
        tell(str(error))


def refused(name):
    import ops_totem
    from tinygrad import Device, Tensor, dtypes
    assert ops_totem
    if name in ("stack", "wild"):
        bodies = {"stack": "volatile int many[500]; many[GROUP_X] = 1;", "wild": "*(volatile int *)0x1000 = 1;"}
        program(f"void wave(void) {{ {bodies[name]} }}")()
        Device["TOTEM"].synchronize()
    elif name == "foreign":
        Tensor.from_blob(0x1000, (4,), device="TOTEM", dtype=dtypes.int32).realize()
    elif name == "mapped":
        from tinygrad.runtime.support.hcq import FileIOInterface
        FileIOInterface.anon_mmap(0x90000000, 4096, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x100000, 0)
        Device["TOTEM"]
    elif name == "absent":
        Device["TOTEM"]


# -- the script --------------------------------------------------------------------------------------------------------

passed = failed = 0


def check(good, text):
    global passed, failed
    passed, failed = passed + bool(good), failed + (not good)
    print(f"{'ok  ' if good else 'FAIL'} {text}", flush=True)


def child(role, **environment):
    return subprocess.Popen([sys.executable, __file__, "--role", role], text=True, stdin=subprocess.PIPE,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={**os.environ, **COMMON, **environment})


def line(process):
    text = process.stdout.readline().strip()
    return text or (process.stderr.read().strip().splitlines() or ["?"])[-1]


def go(process):
    process.stdin.write("go\n")
    process.stdin.flush()
    return line(process)


def together(options):
    """Two processes on one machine."""
    import ops_totem
    socket = ops_totem.Machine.start()
    low = child("moves", TOTEM_MACHINE=socket, TOTEM_SLOT="0", TOTEM_PRIORITY="1", TOTEM_TIER="0")
    begun = line(low)
    high = child("works", TOTEM_MACHINE=socket, TOTEM_SLOT="1", TOTEM_PRIORITY="15", TOTEM_TIER="2")
    said = line(high)
    check(said == "equal True", f"the process of higher priority, while the other one has a grid: {said}")
    said = go(low) if begun == "begun" else begun
    check(said == "equal True, replaced True, inside a grid True, then in pipe 1",
          f"the process of lower priority: {said}")
    for process in low, high:
        process.wait()
    bad = child("endless", TOTEM_MACHINE=socket, TOTEM_SLOT="2")
    begun = line(bad)
    good = child("works", TOTEM_MACHINE=socket, TOTEM_SLOT="3")
    said = line(good)
    check(begun == "begun" and said == "equal True", f"a process beside a kernel that never ends: {said}")
    said = go(bad) if begun == "begun" else begun
    check(said.startswith("equal True, the queue was reset: "), f"the process of that kernel, after it: {said}")
    for process in bad, good:
        process.wait()
    check(ops_totem.stop(), f"the machine ends well ({options.engine})")


def alone():
    """What one process does with a machine of its own."""
    process = child("ring", TOTEM_RING="2048", TOTEM_CONFIG="mini")
    said = line(process)
    check(said == "equal True, True", f"grids that fill a small ring four times and more, unwaited for: {said}")
    said = line(process)
    check(said == "1000 dwords in a ring of 512: give it more bytes with TOTEM_RING", f"too long for a ring: {said}")
    process.wait()
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "tinygrad-0.13.0.dist-info"
        other.mkdir()
        (other / "METADATA").write_text("Metadata-Version: 2.1\nName: tinygrad\nVersion: 0.13.0\n", encoding="utf-8")
        for role, text, environment in (
                ("refused absent", "tinygrad is 0.13.0; the device TOTEM is made for 0.14.0", {"PYTHONPATH": folder}),
                ("refused absent", "no machine answers there", {"TOTEM_MACHINE": folder + "/none"}),
                ("refused absent", "is missing: make -f tb/framework/rules.mk CONFIG=none", {"TOTEM_CONFIG": "none"}),
                ("refused absent", "is none of 9.4.3, 11.0.0, 12.0.0", {"TOTEM_GFX": "10.3.0"}),
                ("refused stack", "the kernel does not compile for the cores", {}),
                ("refused foreign", "lies outside of the machine's memory", {}),
                ("refused wild", "a wave ended by error ACCESS, address 0x1000", {}),
                ("refused mapped", "the machine's memory cannot be mapped", {})):
            process = child(role, **{"TOTEM_CONFIG": "mini", **environment})
            errors = process.communicate()[1]
            found = [one for one in errors.splitlines() if text in one]
            check(found, f"{role}: {found[-1] if found else errors[-400:]}"[:250])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", default="model", choices=("model", "both"), help="both: model and RTL in lockstep")
    parser.add_argument("--config", default="board", help="configuration of the machine that processes share")
    parser.add_argument("--record", action="store_true", help="the sums go into docs/results.md")
    parser.add_argument("--role", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.role:
        role, *arguments = options.role.split()
        globals()[role](*arguments)
        return 0
    os.environ.update(COMMON, TOTEM_ENGINE=options.engine, TOTEM_CONFIG=options.config)
    together(options)
    os.environ["TOTEM_ENGINE"] = "model"
    alone()
    if options.record:
        sys.path.append(str(Path(__file__).resolve().parents[2] / "sim" / "gen"))
        import results
        results.record("framework", {f"processes that share a machine, {options.config}, {options.engine}":
                                     f"{passed} of {passed + failed} checks, those of a small ring and of errors "
                                     "on the model"}, "tb/framework/cases.py " + " ".join(sys.argv[1:]))
    print(f"{passed} passed, {failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
