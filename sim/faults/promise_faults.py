#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants the faults of sim/faults/promise_faults.txt in the C model: the harness has to name the broken promise.

    python3 sim/faults/promise_faults.py [FAULT...]     all, or these; exit code 1 if one is not named

The workloads of the list are those below. Each ends well without a fault.
"""

import subprocess
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
LIST = TOP / "sim/faults/promise_faults.txt"
WORK = TOP / "build/test/promises"
COMPUTE = """{pipe: 0, queue: %d, priority: 7, pipe_priority: 1, ring: {address: 0x%x, size: 64}, %s, packets: [
    SET_SH_REG COMPUTE_PGM_LO 0x%x 0, "SET_SH_REG COMPUTE_PGM_RSRC1 VGPRS=%d USER_SGPR=2,TGID_X_EN=1",
    SET_SH_REG COMPUTE_NUM_THREAD_X 128 1 1, "DISPATCH_DIRECT %d 1 1 compute_shader_en=1,force_start_at_000=1"]}"""
HEAD = "{name: %s, configuration: %s, seed: 1, cycles: 60000, memory: {latency: 20}, "
# A rate of launches, so that waves wait on offer; a queue that is reset while its waves hear no kill; short waves.
MINI = HEAD + """writes: [{at: 0, register: "engine[0].RATE", value: 9},
  {at: 0, register: "engine[0].DURATION[1]", value: 0x80000190}], programs: [{entry: 0, duration: 100},
  {entry: 2, duration: 0, spread: 5}], queues: [""" + ",\n  ".join((COMPUTE % (0, 0x100000, "map_at: 0", 0x3000000, 63, 30), COMPUTE % (
      1, 0x101000, "mqd: 0x120000, map_at: 0, dequeue: [{at: 2000, type: 2}], map: [{at: 2100, pipe: 0, queue: 1}]",
      0x3000001, 63, 30), COMPUTE % (2, 0x102000, "map_at: 9000", 0x3000002, 0, 500))) + "]}"
# Geometry beside compute waves that launch a child task.
BOARD = HEAD + """image: [{address: 0x200000, dwords: [%s]}],
  writes: [{at: 0, register: "engine[0].CHILD[0]", value: 0x2000}], programs: [{entry: 0, duration: 100},
  {entry: 1, duration: 20, pixels: 200}, {entry: 2, duration: 20}], rings: [{front_end: 0,
  ring: {address: 0x102000, size: 256}, map_at: 0, packets: [CLEAR_STATE 0,
  SET_SH_REG SPI_SHADER_PGM_LO_VS 0x3000001 0 1 0, SET_SH_REG SPI_SHADER_PGM_LO_PS 0x3000002 0 1 0,
  SET_UCONFIG_REG VGT_PRIMITIVE_TYPE 1, NUM_INSTANCES 1, DRAW_INDEX_AUTO 900 2]}], queues: [
  """ + COMPUTE % (0, 0x100000, "map_at: 0", 0x3000000, 63, 30) + "]}"


def faults():
    """{name: (workload, file, old, new, said)}"""
    lines = []
    for line in LIST.read_text().splitlines():
        if line.startswith(" "):
            lines[-1] += " " + line.strip()
        elif line and not line.startswith("#"):
            lines.append(line)
    found = {}
    for line in lines:
        head, rest = line.split(" |", 1)
        name, workload, file = head.split()
        found[name] = workload, file, *rest.removesuffix("|").split("| |")
    return found


def build(config, planted):
    command = ["make", "-s", "-j2", "-C", "tb/lockstep", f"CONFIG={config}", f"NAME=promises-{config}",
               f"PLANTED={planted}", "alone"]
    subprocess.run(command, cwd=TOP, check=True)


def plant(config, file, old, new):
    """The object of a file of the model with this fault; without a file an empty one."""
    source, made = WORK / "planted.c", WORK / "planted.o"
    text = "typedef int nothing;\n"
    if file:
        text = (TOP / "cmodel" / file).read_text()
        if text.count(old) != 1:
            sys.exit(f"{LIST}: '{old}' stands {text.count(old)} times in cmodel/{file}; mend it")
        text = text.replace(old, new)
    source.write_text(text)
    flags = subprocess.run(["make", "-s", "-C", "cmodel", f"CONFIG={config}", "print-flags"], cwd=TOP, check=True,
                           capture_output=True, text=True).stdout.split()
    subprocess.run(["gcc", *flags, "-c", str(source), "-o",
                    str(made)], cwd=TOP, check=True)
    return made


def run(config):
    """What a run says is broken; "" nothing."""
    done = subprocess.run([f"build/lockstep/promises-{config}/totem-model", "run", "--engine", "model",
                           str(WORK / f"{config}.yaml")], cwd=TOP, capture_output=True, text=True)
    return "\n".join(line for line in done.stderr.splitlines() if done.returncode and ": " in line)


def main():
    known = faults()
    chosen = sys.argv[1:] or list(known)
    if not set(chosen) <= set(known):
        sys.exit(__doc__)
    WORK.mkdir(parents=True, exist_ok=True)
    sys.path.append(str(TOP / "sim/workloads"))
    import chains
    child = ", ".join(map(str, chains.task((2, 1, 1), (64, 1, 1), 2)))
    (WORK / "mini.yaml").write_text(MINI % ("promises", "mini"))
    (WORK / "board.yaml").write_text(BOARD % ("promises", "board", child))
    bad = 0
    for config in ("mini", "board"):
        build(config, plant(config, "", "", ""))
        said = run(config)
        print(f"{'FAIL' if said else 'ok'}   no fault, {config}: {said or 'ends well'}", flush=True)
        bad += bool(said)
        for name in [name for name in chosen if known[name][0] == config]:
            _, file, old, new, wanted = known[name]
            build(config, plant(config, file, old, new))
            said = next((line for line in run(config).splitlines() if "wave interface" in line), "nothing of promises")
            good = wanted in said
            print(f"{'ok' if good else 'FAIL'}   {name}: {said}", flush=True)
            bad += not good
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
