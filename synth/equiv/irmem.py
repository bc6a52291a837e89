# SPDX-License-Identifier: Apache-2.0
"""Memory of the symbolic execution: objects of bytes, pointers with symbolic indices, path conditions, merging."""

from aig import FALSE, TRUE
from irtext import Refused

MAX_PLACES = 4096       # places one access may reach before the tool gives up


class Condition:
    """A path condition as a chain of decisions, so that two paths merge under what they do not share."""
    __slots__ = ("parent", "bit", "depth", "total")

    def __init__(self, aig, parent, bit):
        self.parent = parent
        self.bit = bit
        self.depth = parent.depth + 1 if parent else 0
        self.total = aig.land(parent.total, bit) if parent else TRUE

    def then(self, aig, bit):
        return self if bit == TRUE else Condition(aig, self, bit)


def common(a, b):
    while a is not b:
        if a.depth >= b.depth:
            a = a.parent
        else:
            b = b.parent
    return a


def below(aig, condition, ancestor):
    """Conjunction of the decisions between the two."""
    bits = []
    while condition is not ancestor:
        bits.append(condition.bit)
        condition = condition.parent
    result = TRUE
    for bit in reversed(bits):
        result = aig.land(result, bit)
    return result


class Pointer:
    """Alternatives (guard, object, constant offset, terms, low, high). A term is (index bits, stride, count or None):
    count elements if the array is known. An index without a count stays in [low, high)."""
    __slots__ = ("ways",)

    def __init__(self, ways):
        self.ways = tuple(ways)

    def moved(self, distance):
        return Pointer((g, o, c + distance, t, lo, hi) for g, o, c, t, lo, hi in self.ways)


class Memory:
    """Bytes of every object on one path. Copies are made when written."""
    __slots__ = ("objects", "owned")

    def __init__(self, objects, owned=()):
        self.objects = objects
        self.owned = set(owned)

    def fork(self):
        self.owned = set()
        return Memory(dict(self.objects))

    def writable(self, name):
        if name not in self.owned:
            self.objects[name] = list(self.objects[name])
            self.owned.add(name)
        return self.objects[name]


class Access:
    """Loads and stores of bytes; obligations (path condition, violated, text) are collected, never assumed."""

    def __init__(self, aig, readonly):
        self.aig = aig
        self.readonly = readonly        # objects that must not be stored to
        self.obligations = []
        self.count = 0

    def require(self, condition, good, text):
        if good != TRUE:
            self.obligations.append((self.aig.land(condition.total, good ^ 1), text))

    def undefined_byte(self):
        self.count += 1
        return self.aig.fresh(8, f"undefined memory {self.count}")

    def _places(self, condition, way, size, text, whole):
        """Tree over the terms of one way: ('leaf', offset) or ('index', bits, {value: subtree})."""
        aig = self.aig
        _, name, const, terms, low, high = way
        if size > high - low:       # clang joins copies of neighbouring members: then the object is the limit
            low, high = 0, whole

        def walk(offset, rest):
            if not rest:
                return ("leaf", offset)
            bits, stride, count = rest[0]
            if stride == 0:
                return walk(offset, rest[1:])
            if count is None:
                # Only values that keep the access inside the object, whatever the other terms do, can be meant.
                span = sum(abs(s) * ((1 << sum(b > 1 for b in bb)) if c is None else c) for bb, s, c in rest[1:])
                first = -((offset - low + span) // abs(stride)) - 1
                last = (high - size - offset + span) // abs(stride) + 1
                if stride < 0:
                    first, last = -last, -first
            else:
                first, last = 0, count - 1
            live = [place for place, bit in enumerate(bits) if bit > 1]
            fixed = sum(bit << place for place, bit in enumerate(bits) if bit < 2)
            negative = bits[-1] > 1 or bits[-1] == 1
            if not negative and first < 0:
                first = 0
            if len(live) <= 12 and not negative:
                reach = [fixed]
                for place in live:
                    reach += [value | 1 << place for value in reach]
                values = sorted(value for value in reach if first <= value <= last)
                complete = len(values) == len(reach)
            else:
                values = list(range(first, last + 1))
                complete = False
            subtrees = {}
            for value in values:
                inner = walk(offset + value * stride, rest[1:])
                if inner[0] != "leaf" or 0 <= inner[1] <= whole - size:
                    subtrees[value] = inner
                else:
                    complete = False
            if len(subtrees) > MAX_PLACES or not subtrees:
                raise Refused(f"{text}: the index reaches {len(subtrees)} places")
            if not complete:
                width = len(bits)
                if sorted(subtrees) == list(range(len(subtrees))):
                    good = aig.ult(bits, aig.const(len(subtrees), width)) if len(subtrees) >> width == 0 else TRUE
                else:
                    good = aig.any(aig.is_value(bits, value & ((1 << width) - 1)) for value in subtrees)
                self.require(condition, good, f"{text}: index out of range")
            return ("index", bits, subtrees)

        tree = walk(const, terms)
        if tree[0] == "leaf" and not 0 <= tree[1] <= whole - size:
            self.require(condition, FALSE, f"{text}: outside of {name}")
            return None
        return tree

    def load(self, condition, memory, pointer, size, text):
        """`size` bytes as a list; None marks an undefined byte."""
        aig = self.aig
        result = None
        for way in reversed(pointer.ways):
            here = condition if len(pointer.ways) == 1 else condition.then(aig, way[0])
            if here.total == FALSE:
                continue
            if way[1] is None:
                self.require(here, FALSE, f"{text}: null pointer")
                continue
            data = memory.objects[way[1]]
            tree = self._places(here, way, size, text, len(data))
            if tree is None:
                continue
            value = self._gather(tree, data, size)
            result = value if result is None else self._choose(way[0], value, result)
        return result if result is not None else [None] * size

    def _choose(self, bit, then, other):
        aig = self.aig
        result = []
        for x, y in zip(then, other):
            if x is y or x == y:
                result.append(x)
            else:
                x = self.undefined_byte() if x is None else x
                y = self.undefined_byte() if y is None else y
                result.append(aig.choose(bit, x, y))
        return result

    def _gather(self, tree, data, size):
        if tree[0] == "leaf":
            return data[tree[1]:tree[1] + size]
        _, bits, subtrees = tree
        values = {value: self._gather(inner, data, size) for value, inner in subtrees.items()}
        return [self._pick(bits, {value: item[place] for value, item in values.items()}) for place in range(size)]

    def _pick(self, bits, items):
        """The byte of the index; values that are not listed cannot occur (see the obligation)."""
        aig = self.aig
        first = next(iter(items.values()))
        if all(item is first or item == first for item in items.values()):
            return first
        items = {value: self.undefined_byte() if item is None else item for value, item in items.items()}
        if min(items) >= 0 and max(items) < 4 * len(items) + 4:
            listed = [items.get(value) for value in range(max(items) + 1)]
            last = first
            for place, item in enumerate(listed):      # gaps: any listed neighbour will do
                last = item if item is not None else last
                listed[place] = last
            return aig.pick(bits, listed)
        width = len(bits)
        result = first
        for value, item in items.items():
            result = aig.choose(aig.is_value(bits, value & ((1 << width) - 1)), item, result)
        return result

    def store(self, condition, memory, pointer, data, text):
        aig = self.aig
        for way in pointer.ways:
            here = condition if len(pointer.ways) == 1 else condition.then(aig, way[0])
            if here.total == FALSE:
                continue
            if way[1] is None:
                self.require(here, FALSE, f"{text}: null pointer")
                continue
            if way[1] in self.readonly:
                self.require(here, FALSE, f"{text}: store to {way[1]}, which is not to be changed")
                continue
            tree = self._places(here, way, len(data), text, len(memory.objects[way[1]]))
            if tree is not None:
                only = TRUE if len(pointer.ways) == 1 else way[0]
                self._scatter(tree, memory.writable(way[1]), data, only)

    def _scatter(self, tree, target, data, only):
        aig = self.aig
        if tree[0] == "leaf":
            if only == TRUE:
                target[tree[1]:tree[1] + len(data)] = data
            elif only != FALSE:
                old = target[tree[1]:tree[1] + len(data)]
                target[tree[1]:tree[1] + len(data)] = self._choose(only, data, old)
            return
        _, bits, subtrees = tree
        width = len(bits)
        low = bits
        if min(subtrees) >= 0:      # the rest of the index is an obligation, not part of the data path
            low = bits[:max(1, max(subtrees).bit_length())]
        for value, inner in subtrees.items():
            hit = aig.is_value(low, value & ((1 << width) - 1))
            self._scatter(inner, target, data, aig.land(only, hit))


def merge_values(aig, bit, then, other):
    """then if bit else other, for vectors, pointers and aggregates."""
    if then is other or bit == TRUE:
        return then
    if bit == FALSE:
        return other
    if isinstance(then, tuple) and isinstance(other, tuple):
        return aig.choose(bit, then, other)
    if isinstance(then, Pointer) and isinstance(other, Pointer):
        if then.ways == other.ways:
            return then
        ways = [(aig.land(bit, way[0]),) + way[1:] for way in then.ways]
        ways += [(aig.land(bit ^ 1, way[0]),) + way[1:] for way in other.ways]
        joined = {}
        for way in ways:
            if way[0] != FALSE:
                joined[way[1:]] = aig.lor(joined.get(way[1:], FALSE), way[0])
        return Pointer((guard,) + way for way, guard in joined.items())
    if isinstance(then, list) and isinstance(other, list):
        return [merge_values(aig, bit, x, y) for x, y in zip(then, other)]
    raise Refused("values of different kinds meet")


def merge_memory(access, bit, then, other):
    """Joins two memories; objects that only one path knows are kept as they are."""
    result = {}
    for name, data in then.objects.items():
        twin = other.objects.get(name)
        if twin is None or twin is data:
            result[name] = data
        else:
            choose = access.aig.choose
            joined = []
            for x, y in zip(data, twin):
                if x is y or x == y:
                    joined.append(x)
                elif x is None or y is None:
                    x = access.undefined_byte() if x is None else x
                    y = access.undefined_byte() if y is None else y
                    joined.append(choose(bit, x, y))
                else:
                    joined.append(choose(bit, x, y))
            result[name] = joined
    for name, data in other.objects.items():
        result.setdefault(name, data)
    return Memory(result)
