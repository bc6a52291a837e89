# SPDX-License-Identifier: Apache-2.0
"""Task descriptors (TMD) for workloads: fields by their names in rtl/task/tmd.yaml.

    descriptor("v03_00", GRID_X=16, ..) -> 64 dwords; the version's own fields are set, all others are 0
"""

import re
from pathlib import Path

import yaml

SOURCE = Path(__file__).resolve().parents[2] / "rtl/task/tmd.yaml"
DWORDS = 64


def _fields():
    text = yaml.safe_load(SOURCE.read_text(encoding="utf-8"))
    places = {}
    for field in text["fields"]:
        for version in text["versions"]:
            if version in field:
                high, _, low = re.search(r"\[([\d:]+)\]", field[version]).group(1).partition(":")
                places[version, field["key"]] = int(low or high), int(high) - int(low or high) + 1
    return text["versions"], places


VERSIONS, PLACES = _fields()


def descriptor(version, **values):
    values |= {"QMD_MAJOR_VERSION": VERSIONS[version]["major"], "QMD_VERSION": VERSIONS[version]["minor"]}
    number = 0
    for name, value in values.items():
        low, width = PLACES[version, name]
        if not 0 <= value < 1 << width:
            raise ValueError(f"{name} has {width} bits, not the value {value:#x}")
        number |= value << low
    return [number >> 32 * n & 0xFFFFFFFF for n in range(DWORDS)]
