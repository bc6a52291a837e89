#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a workload of the captured chains of tasks.

    python3 sim/workloads/captured_chains.py STREAMS CONFIGURATION FILE

STREAMS is the folder of the captured streams (it is not part of the project), CONFIGURATION board or full. The packets
of the ring are made from the driver's own stream of methods: a semaphore acquire becomes WAIT_REG_MEM, a launch
LAUNCH_TASK. The descriptors stand in memory where that stream and their dependents name them. The number of waves and
the values of all releases are computed from the descriptors alone.
"""

import sys
from pathlib import Path

import yaml

import tmd

DESCRIPTORS = 0x200000200                   # the first one; the next ones follow every STEP bytes
STEP = 0x1000
# Methods of the stream: byte offset.
SEM_ADDR_LO, SEND_PCAS_A, SEND_SIGNALING_PCAS2_B = 0x5C, 0x2B4, 0x2C0
ACQUIRE_AT_LEAST, LAUNCH = 3, 9             # operation of a semaphore; invalidate and schedule
WAVE = 32
DURATION, LATENCY = 4, 100                  # clocks of every wave and of every access


def read(file):
    """Dwords of a text file of hexadecimal numbers."""
    lines = (line.split("//")[0].strip() for line in file.read_text(encoding="utf-8").splitlines())
    return [int(line, 16) for line in lines if line]


def packets(words):
    """Packets of a stream of methods; the addresses of the semaphores that it acquires, with their values."""
    lines, waits, pointer, at = [], [], None, 0
    while at < len(words):
        kind, count, method = words[at] >> 29, words[at] >> 16 & 0x1FFF, 4 * (words[at] & 0xFFF)
        data = words[at + 1:at + 1 + count]
        at += 1 + count
        if kind != 1 or len(data) != count:
            sys.exit(f"captured_chains.py: dword {at}: no header of incrementing methods")
        if method == SEM_ADDR_LO and count == 5 and data[4] & 7 == ACQUIRE_AT_LEAST:
            address = data[1] << 32 | data[0]
            waits.append((address, data[2]))
            lines.append(f"WAIT_REG_MEM function=ge,mem_space=memory @0x{address:x} "
                         f"0x{data[2]:x} 0xffffffff 16")
        elif method == SEND_PCAS_A and count == 1:
            pointer = data[0]
        elif method == SEND_SIGNALING_PCAS2_B and data == [LAUNCH] and pointer is not None:
            lines.append(f"LAUNCH_TASK 0x{pointer:x}")
        else:
            sys.exit(f"captured_chains.py: method {method:#x} with {count} dwords has no packet")
    return lines, waits


def field(version, words, name):
    low, width = tmd.PLACES[version, name]
    return sum(word << 32 * n for n, word in enumerate(words)) >> low & (1 << width) - 1


def main():
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    folder, configuration, file = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    words = read(folder / "qmd_v03_00_tinygrad_chain.hex")
    lines, waits = packets(read(folder / "nv_pushbuf_v03_00_tinygrad_chain.hex"))
    image, values, waves = [], [], 0
    for n in range(0, len(words), tmd.DWORDS):
        task = words[n:n + tmd.DWORDS]
        image.append({"address": DESCRIPTORS + n // tmd.DWORDS * STEP, "dwords": task})

        def get(name, task=task):
            return field("v03_00", task, name)

        waves += get("GRID_X") * get("GRID_Y") * get("GRID_Z") * -(
            -get("BLOCK_X") * get("BLOCK_Y") * get("BLOCK_Z") // WAVE)
        if get("RELEASE0_ENABLE"):
            values.append({"address": get("RELEASE0_ADDRESS_HIGH") << 32 | get("RELEASE0_ADDRESS_LOW"),
                           "value": get("RELEASE0_PAYLOAD_LOW")})
    released = {value["address"] for value in values}
    image += [{"address": address, "dwords": [value]} for address, value in waits if address not in released]
    text = {"name": file.stem, "configuration": configuration, "seed": 1, "cycles": 5000000,
            "memory": {"latency": LATENCY}, "image": image,
            "programs": [{"entry": n, "duration": DURATION} for n in range(16)],
            "queues": [{"pipe": 0, "queue": 0, "priority": 7, "pipe_priority": 1,
                        "ring": {"address": 0x100000, "size": 64}, "map_at": 0, "packets": lines}],
            "expect": {"memory": values, "waves": waves}}
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(yaml.safe_dump(text, sort_keys=False, width=120), encoding="utf-8")
    print(f"wrote {file}: {len(image) - len(waits) + len(released)} descriptors, {waves} waves")


if __name__ == "__main__":
    main()
