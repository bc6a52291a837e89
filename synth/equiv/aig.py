#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""And-inverter graph with structural hashing, and the bit-vector arithmetic both sides of the proof are built from.

A literal is 2*node + complement; 0 is false, 1 is true. A vector is a tuple of literals, lowest bit first. C model and
RTL are blasted by the same routines into the same graph, so that what is alike in both becomes the same node before
any solver runs.
"""

FALSE, TRUE = 0, 1


class Aig:
    def __init__(self):
        self.left = [0]         # of node n; -1 marks an input
        self.right = [0]
        self.inputs = []        # node numbers, in order of creation
        self.names = {}         # input node -> name
        self._hash = {}

    # -- single bits ---------------------------------------------------------------------------------------------

    def new(self, name):
        node = len(self.left)
        self.left.append(-1)
        self.right.append(-1)
        self.inputs.append(node)
        self.names[node] = name
        return 2 * node

    def land(self, a, b):
        if a > b:
            a, b = b, a
        if a < 2:
            return b if a else 0
        if a == b:
            return a
        if a ^ b == 1:
            return 0
        key = (a << 32) | b
        found = self._hash.get(key)
        if found is not None:
            return found
        # One look into the operands: contradiction, absorption, resolution. Keeps path conditions short.
        left, right = self.left, self.right
        a0, a1 = left[a >> 1], right[a >> 1]
        b0, b1 = left[b >> 1], right[b >> 1]
        if a0 >= 0:
            if not a & 1:
                if b == a0 or b == a1:
                    return a
                if b ^ 1 == a0 or b ^ 1 == a1:
                    return 0
            else:
                if b ^ 1 == a0 or b ^ 1 == a1:
                    return b
                if b == a0:
                    return self.land(b, a1 ^ 1)
                if b == a1:
                    return self.land(b, a0 ^ 1)
        if b0 >= 0:
            if not b & 1:
                if a == b0 or a == b1:
                    return b
                if a ^ 1 == b0 or a ^ 1 == b1:
                    return 0
                if a0 >= 0 and not a & 1:
                    if a0 ^ 1 == b0 or a0 ^ 1 == b1 or a1 ^ 1 == b0 or a1 ^ 1 == b1:
                        return 0
            else:
                if a ^ 1 == b0 or a ^ 1 == b1:
                    return a
                if a == b0:
                    return self.land(a, b1 ^ 1)
                if a == b1:
                    return self.land(a, b0 ^ 1)
                if a0 >= 0 and a & 1:
                    if (a0 == b0 and a1 ^ 1 == b1) or (a0 == b1 and a1 ^ 1 == b0):
                        return a0 ^ 1
                    if (a1 == b0 and a0 ^ 1 == b1) or (a1 == b1 and a0 ^ 1 == b0):
                        return a1 ^ 1
        node = len(left)
        left.append(a)
        right.append(b)
        self._hash[key] = 2 * node
        return 2 * node

    def lor(self, a, b):
        return self.land(a ^ 1, b ^ 1) ^ 1

    def lxor(self, a, b):
        if a < 2:
            return b ^ a
        if b < 2:
            return a ^ b
        inverted = (a ^ b) & 1
        a &= ~1
        b &= ~1
        if a == b:
            return inverted
        return self.land(self.land(a, b ^ 1) ^ 1, self.land(a ^ 1, b) ^ 1) ^ 1 ^ inverted

    def mux(self, select, then, other):
        if select < 2:
            return then if select else other
        if then == other:
            return then
        if then ^ other == 1:
            return self.lxor(select, other)
        if then < 2 or then >> 1 == select >> 1:
            if then == 1 or then == select:
                return self.lor(select, other)
            return self.land(select ^ 1, other)
        if other < 2 or other >> 1 == select >> 1:
            if other == 0 or other == select:
                return self.land(select, then)
            return self.lor(select ^ 1, then)
        return self.land(self.land(select, then) ^ 1, self.land(select ^ 1, other) ^ 1) ^ 1

    def _tree(self, bits, join, empty):
        bits = list(bits)
        if not bits:
            return empty
        while len(bits) > 1:
            bits = [join(bits[i], bits[i + 1]) if i + 1 < len(bits) else bits[i] for i in range(0, len(bits), 2)]
        return bits[0]

    def all(self, bits):
        return self._tree(bits, self.land, TRUE)

    def any(self, bits):
        return self._tree(bits, self.lor, FALSE)

    def parity(self, bits):
        return self._tree(bits, self.lxor, FALSE)

    # -- vectors -------------------------------------------------------------------------------------------------

    @staticmethod
    def const(value, width):
        return tuple((value >> i) & 1 for i in range(width))

    @staticmethod
    def value(bits):
        """The number, if every bit is constant, else None."""
        number = 0
        for place, bit in enumerate(bits):
            if bit > 1:
                return None
            number |= bit << place
        return number

    def fresh(self, width, name):
        return tuple(self.new(f"{name}[{i}]") for i in range(width))

    @staticmethod
    def extend(bits, width, signed=False):
        if len(bits) >= width:
            return tuple(bits[:width])
        return tuple(bits) + ((bits[-1] if signed and bits else FALSE),) * (width - len(bits))

    @staticmethod
    def invert(bits):
        return tuple(bit ^ 1 for bit in bits)

    def both(self, a, b):
        return tuple(map(self.land, a, b))

    def either(self, a, b):
        return tuple(map(self.lor, a, b))

    def exclusive(self, a, b):
        return tuple(map(self.lxor, a, b))

    def choose(self, select, then, other):
        if select < 2:
            return then if select else other
        if then == other:
            return then
        mux = self.mux
        return tuple([x if x == y else mux(select, x, y) for x, y in zip(then, other)])

    def add_carry(self, a, b, carry=FALSE):
        """Sum and the list of carries into each bit and out of the last."""
        total, carries = [], [carry]
        land, lor, lxor = self.land, self.lor, self.lxor
        for x, y in zip(a, b):
            if x > y:
                x, y = y, x
            half = lxor(x, y)
            total.append(lxor(half, carry))
            carry = lor(land(x, y), land(half, carry)) if half > 1 else (carry if half else x)
            carries.append(carry)
        return tuple(total), carries

    def add(self, a, b):
        return self.add_carry(a, b)[0]

    def sub(self, a, b):
        return self.add_carry(a, self.invert(b), TRUE)[0]

    def negate(self, a):
        return self.add_carry(self.const(0, len(a)), self.invert(a), TRUE)[0]

    def ult(self, a, b):
        return self.add_carry(a, self.invert(b), TRUE)[1][-1] ^ 1

    def slt(self, a, b):
        return self.ult(a[:-1] + (a[-1] ^ 1,), b[:-1] + (b[-1] ^ 1,))

    def equal(self, a, b):
        return self.all(self.lxor(x, y) ^ 1 for x, y in zip(a, b))

    def is_value(self, bits, number):
        return self.all(bit if (number >> i) & 1 else bit ^ 1 for i, bit in enumerate(bits))

    def mul(self, a, b):
        """Low bits of the product; both operands have its width. The operand with fewer live bits selects rows."""
        width = len(a)
        live = [sum(bit > 1 for bit in a), sum(bit > 1 for bit in b)]
        if (live[0], tuple(a)) < (live[1], tuple(b)):
            a, b = b, a
        total = self.const(0, width)
        for place, bit in enumerate(b):
            if bit == FALSE:
                continue
            row = (FALSE,) * place + tuple(self.land(bit, x) for x in a[:width - place])
            total = self.add(total, row)
        return total

    def divide(self, a, b):
        """Unsigned quotient and remainder; of a division by zero whatever the restoring division gives."""
        width = len(a)
        wide = tuple(b) + (FALSE,)
        rest = self.const(0, width + 1)
        quotient = [FALSE] * width
        for place in reversed(range(width)):
            rest = (a[place],) + rest[:-1]
            less, carries = self.add_carry(rest, self.invert(wide), TRUE)
            fits = carries[-1]
            quotient[place] = fits
            rest = self.choose(fits, less, rest)
        return tuple(quotient), rest[:width]

    def shift(self, bits, amount, left, fill=FALSE, need=None):
        """Shift by `amount` (unsigned vector); amounts of the width and more give all `fill`. Of a right shift only the
        low `need` bits are built."""
        width = len(bits)
        need = width if need is None else min(need, width)
        bits = tuple(bits)
        stages = (width - 1).bit_length() if width > 1 else 0
        for stage in reversed(range(min(stages, len(amount)))):
            step = 1 << stage
            if left:
                bits = self.choose(amount[stage], (fill,) * step + bits[:width - step], bits)
            else:
                wanted = need + step - 1
                moved = bits[step:step + wanted]
                kept = bits[:wanted]
                bits = self.choose(amount[stage], moved + (fill,) * (len(kept) - len(moved)), kept)
        if not left:
            bits = bits[:need]
        beyond = self.any(amount[stages:])
        return self.choose(beyond, (fill,) * len(bits), bits)

    def pick(self, index, items):
        """items[index], vectors of equal width; past the end an unspecified item. High index bit first, as `shift`."""
        items = list(items)
        stages = min(len(index), (len(items) - 1).bit_length())
        items = items[:1 << stages]
        for stage in reversed(range(stages)):
            half = 1 << stage
            if len(items) > half:
                items = [self.choose(index[stage], items[i + half], items[i]) if i + half < len(items) else items[i]
                         for i in range(half)]
        return items[0]

    def count_ones(self, bits, width):
        parts = [self.extend((bit,), width) for bit in bits]
        return self._tree(parts, self.add, self.const(0, width))

    def leading(self, bits, width, from_low):
        """Number of zeros before the first 1, counted from the low or the high end; len(bits) if there is none."""
        order = list(bits) if from_low else list(reversed(bits))
        result = self.const(len(order), width)
        for place in reversed(range(len(order))):
            result = self.choose(order[place], self.const(place, width), result)
        return result

    # -- whole graph ---------------------------------------------------------------------------------------------

    def cone(self, roots):
        """Nodes (inputs included) that the literals depend on, in topological order."""
        seen = bytearray(len(self.left))
        stack = [root >> 1 for root in roots]
        left, right = self.left, self.right
        while stack:
            node = stack.pop()
            if seen[node]:
                continue
            seen[node] = 1
            if left[node] > 0:
                stack.append(left[node] >> 1)
                stack.append(right[node] >> 1)
        return [node for node in range(1, len(seen)) if seen[node]]

    def simulate(self, patterns, mask, nodes=None):
        """Values of all nodes (or of `nodes`, topologically ordered): `patterns` gives each input a word of bits."""
        values = [0] * len(self.left)
        left, right = self.left, self.right
        for node in (nodes if nodes is not None else range(1, len(left))):
            a = left[node]
            if a < 0:
                values[node] = patterns.get(node, 0)
            else:
                b = right[node]
                x = values[a >> 1]
                if a & 1:
                    x ^= mask
                y = values[b >> 1]
                if b & 1:
                    y ^= mask
                values[node] = x & y
        return values

    def write(self, path, outputs):
        """Binary AIGER of the outputs' cone. Returns (input nodes in file order, number of AND nodes)."""
        nodes = self.cone(outputs)
        ins = [node for node in nodes if self.left[node] < 0]
        ands = [node for node in nodes if self.left[node] >= 0]
        number = {0: 0}
        for node in ins + ands:
            number[node] = len(number)
        body = bytearray()
        for node in ands:
            here = 2 * number[node]
            a = 2 * number[self.left[node] >> 1] + (self.left[node] & 1)
            b = 2 * number[self.right[node] >> 1] + (self.right[node] & 1)
            if a < b:
                a, b = b, a
            for delta in (here - a, a - b):
                while delta > 127:
                    body.append(delta & 127 | 128)
                    delta >>= 7
                body.append(delta)
        head = f"aig {len(ins) + len(ands)} {len(ins)} 0 {len(outputs)} {len(ands)}\n"
        outs = "".join(f"{2 * number[o >> 1] + (o & 1)}\n" for o in outputs)
        with open(path, "wb") as file:
            file.write(head.encode() + outs.encode() + bytes(body))
        return ins, len(ands)


def read(path):
    """A binary AIGER file without latches: (graph, its outputs). Input k is graph.inputs[k]."""
    with open(path, "rb") as file:
        data = file.read()
    at = data.index(b"\n")
    kind, _, ins, latches, outs, ands = data[:at].split()[:6]
    if kind != b"aig" or int(latches):
        raise ValueError(f"{path} is not a combinational binary AIGER file")
    at += 1
    outputs = []
    for _ in range(int(outs)):
        end = data.index(b"\n", at)
        outputs.append(int(data[at:end]))
        at = end + 1
    graph = Aig()
    for place in range(int(ins)):
        graph.new(f"i{place}")
    for node in range(int(ins) + 1, int(ins) + 1 + int(ands)):
        deltas = []
        for _ in range(2):
            value = shift = 0
            while True:
                byte = data[at]
                at += 1
                value |= (byte & 127) << shift
                shift += 7
                if byte < 128:
                    break
            deltas.append(value)
        a = 2 * node - deltas[0]
        graph.left.append(a)
        graph.right.append(a - deltas[1])
    return graph, outputs
