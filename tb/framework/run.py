#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tinygrad on Totem and compares every result with tinygrad's CPU device, bit for bit (docs/framework.md).

    .venv/bin/python tb/framework/run.py [--engine model|both] [--config mini] [--trace FILE] [--events FILE]
                                         [--kernels FILE] [--spread CLOCKS] [NAME...]

NAME: an operation, or network; all operations without one. Sums of floats are of numbers whose sums are exact, so their
order, which tinygrad chooses for each device, does not matter; where it does, kernels are made without optimisation
(NOOPT). The last line is "N passed, N failed".
"""

import argparse
import os
import random
import sys
import time
from pathlib import Path

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--engine", default="model", choices=("model", "both"), help="both: model and RTL in lockstep")
parser.add_argument("--config", default="mini", help="configuration of the machine")
parser.add_argument("--trace", help="what the machine did, for Perfetto")
parser.add_argument("--events", help="the same as JSON lines")
parser.add_argument("--spread", help="memory answers up to so many clocks later, in any order")
parser.add_argument("--kernels", help="their names go into this file, in order")
parser.add_argument("--record", action="store_true", help="the sums go into docs/results.md")
parser.add_argument("names", nargs="*", metavar="NAME")
options = parser.parse_args()
for key in "engine", "config", "trace", "events", "spread":
    if value := getattr(options, key):
        os.environ[f"TOTEM_{key.upper()}"] = value
# The CPU device without fused multiply-add, which rounds once where others round twice.
os.environ.update(DEV="CPU::x86_64,x86-64", CC="clang-14", HCQDEV_WAIT_TIMEOUT_MS="1000000")

import ops_totem
from tinygrad import Context, Device, Tensor, TinyJit, dtypes

COUNTS = {"clocks": 9, "dispatches": 4, "waves": 5, "packets": 5, "interrupts": 4}     # and digits
draw = random.Random(1)


def whole(*shape, low=-8, high=8):
    """Small whole numbers and halves: their products and sums are exact."""
    count = 1
    for size in shape:
        count *= size
    return [draw.randrange(2 * low, 2 * high) / 2 for _ in range(count)], shape


def any_float(*shape):
    values, shape = whole(*shape)
    return [draw.uniform(-4, 4) for _ in values], shape


def integers(*shape, low=-1 << 31, high=1 << 31):
    values, shape = whole(*shape)
    return [draw.randrange(low, high) for _ in values], shape


def captured(x, y):
    """A graph that is captured, and replayed with other inputs."""
    @TinyJit
    def step(a, b):
        c = (a + b).contiguous()
        d = (c * a).contiguous()
        return (d - c.sum()).realize(), (d @ c.T).realize()
    results = []
    for n in range(4):
        inputs = (x + n).contiguous().realize(), (y * (n + 1)).contiguous().realize()
        results += [part.clone().realize() for part in step(*inputs)]
    return results


def gradients(x, w):
    loss = ((x @ w).relu() * 0.5).sum()
    return [loss.realize(), *(gradient.realize() for gradient in loss.gradient(x, w))]


# Name: inputs with their types, function, whether the order of a sum matters.
INT, FLOAT, DOUBLE = dtypes.int32, dtypes.float32, dtypes.float64
OPERATIONS = {
    "vector addition": ([(integers(1000), INT)] * 2, lambda a, b: a + b, False),
    "integers": ([(integers(96), INT), (integers(96, low=1, high=1000), INT)],
                 lambda a, b: [a * b, a // b, a % b, a ^ b, a & b, (a < b).where(a, b), a.cast(dtypes.int64) * a,
                               a.cast(dtypes.uint8) + 7, b.cast(dtypes.uint16) * 77], False),
    "three dimensions": ([(integers(3, 4, 5), INT)], lambda a: (a.permute(2, 1, 0) * 3).contiguous(), True),
    "float": ([(any_float(96), FLOAT)] * 2, lambda a, b: [a + b, a * b - a, a / b, a.trunc(), a.cast(INT)], False),
    "double": ([(any_float(16), DOUBLE)] * 2, lambda a, b: [a + b, a * b, a / b, a.abs().sqrt()], False),
    "half, bfloat16": ([(any_float(32), FLOAT)], lambda a: [(a.cast(kind) * a.cast(kind) + 1).cast(FLOAT)
                                                            for kind in (dtypes.half, dtypes.bfloat16)], False),
    "exp, log": ([(any_float(8), FLOAT)], lambda a: [a.exp(), a.abs().log()], False),
    "sin, sqrt": ([(any_float(8), FLOAT)], lambda a: [a.sin(), a.abs().sqrt()], False),
    "sum, maximum": ([(whole(16, 16), FLOAT), (integers(256), INT)],
                     lambda a, b: [a.sum(), a.max(1), b.sum(), b.min()], False),
    "matmul": ([(whole(8, 8), FLOAT)] * 2, lambda a, b: a @ b, False),
    "matrix and vector": ([(whole(1, 16), FLOAT), (whole(16, 16), FLOAT)], lambda a, b: a @ b, False),
    "softmax": ([(any_float(4, 8), FLOAT)], lambda a: a.softmax(-1), True),
    "sort": ([(integers(32), INT)], lambda a: list(a.sort()), False),
    "conv2d": ([(whole(1, 2, 5, 5), FLOAT), (whole(2, 2, 3, 3), FLOAT)], lambda a, b: a.conv2d(b), False),
    "gradients": ([(whole(4, 8), FLOAT), (whole(8, 4), FLOAT)], gradients, False),
    "captured graph": ([(whole(4, 4), FLOAT)] * 2, captured, False),
}


def network(device):
    """A perceptron of two layers learns which quarter of a picture of 4 x 4 is bright: ten steps."""
    made = random.Random(2)
    labels = [n % 4 for n in range(8)]
    pictures = [[2.0 * (n // 8 * 2 + n % 4 // 2 == label) + made.random() for n in range(16)] for label in labels]
    x, y = Tensor(pictures, device=device), Tensor(labels, device=device)
    w1 = Tensor([[made.uniform(-.5, .5) for _ in range(8)] for _ in range(16)], device=device)
    w2 = Tensor([[made.uniform(-.5, .5) for _ in range(4)] for _ in range(8)], device=device)
    results = []
    for _ in range(10):
        loss = ((x @ w1).relu() @ w2).sparse_categorical_crossentropy(y)
        g1, g2 = loss.gradient(w1, w2)
        n1, n2 = (w1 - 0.5 * g1).contiguous(), (w2 - 0.5 * g2).contiguous()
        Tensor.realize(loss, n1, n2)
        w1, w2 = n1, n2
        results += [loss, w1, w2]
        if device != "CPU":
            print(f"     loss {loss.item():.6f}", flush=True)
    return results


def as_bytes(results):
    results = results if isinstance(results, (list, tuple)) else [results]
    return [result.realize().data().tobytes() for result in results]


def operation(name, device):
    if name == "network":
        with Context(NOOPT=1):
            return as_bytes(network(device))
    inputs, function, ordered = OPERATIONS[name]
    with Context(NOOPT=int(ordered), EMULATED_DTYPES="half,bfloat16"):
        return as_bytes(function(*(Tensor(values, device=device, dtype=kind).reshape(shape).contiguous().realize()
                                   for (values, shape), kind in inputs)))


def main():
    wrong = [name for name in options.names if name not in OPERATIONS and name != "network"]
    if wrong:
        sys.exit(f"there is no operation '{wrong[0]}'; there are: {', '.join(OPERATIONS)}; network")
    passed = failed = 0
    machine, since = Device["TOTEM"].iface.machine, time.monotonic()
    print(f"tinygrad {ops_totem.VERSION} on {machine.config}, {options.engine}; results against its CPU device")
    for name in options.names or OPERATIONS:
        before = machine.counts()
        got, expected = operation(name, "TOTEM"), operation(name, "CPU")
        counts = {key: value - before[key] for key, value in machine.counts().items()}
        different = [n for n, pair in enumerate(zip(got, expected)) if pair[0] != pair[1]]
        passed, failed = passed + (not different), failed + bool(different)
        print(f"{'FAIL' if different else 'ok  '} {name:<18} {len(got):2d} results",
              f"differ: {different}" if different else "equal",
              *(f"{counts[key]:{width}d} {key}" for key, width in COUNTS.items()), flush=True)
    total = machine.counts()
    clocks = total["clocks"]
    if options.kernels:
        Path(options.kernels).write_text("\n".join(ops_totem.TotemQueue.kernels) + "\n", encoding="utf-8")
    for device in list(Device._opened_devices):
        Device[device].finalize()
    Device._opened_devices.clear()
    sound = ops_totem.stop()
    if options.record:
        sys.path.append(str(Path(__file__).resolve().parents[2] / "sim" / "gen"))
        import results
        names = options.names or list(OPERATIONS)
        sums = ", ".join(f"{value:,} {key}" for key, value in total.items())
        what = "the network" if names == ["network"] else f"{len(names)} operations"
        results.record("framework", {f"{what}, {machine.config}, {options.engine}":
                                     f"{passed} of {len(names)} with every result equal; {sums}" +
                                     ("; 0 mismatches" if sound and options.engine == "both" else "")},
                       "tb/framework/run.py " + " ".join(sys.argv[1:]))
    print(f"{clocks} clocks in {time.monotonic() - since:.0f} s",
          "0 mismatches" if sound and options.engine == "both" else "")
    print(f"{passed} passed, {failed + (not sound)} failed")
    return 0 if sound and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
