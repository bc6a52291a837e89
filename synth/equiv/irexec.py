# SPDX-License-Identifier: Apache-2.0
"""Symbolic execution of functions in LLVM IR (irtext) into an and-inverter graph.

Paths are followed in program order, merged where they meet; loops run as long as their condition is not decided
against, so constant trip counts unroll by themselves and anything else is refused. Undefined values and poison are
free inputs; undefined behaviour that the IR shows (index out of range, null pointer, division by zero, unreachable,
trap) becomes an obligation that the proof has to discharge.
"""

import heapq

from aig import FALSE, TRUE
from irmem import Access, Condition, Memory, Pointer, below, common, merge_memory, merge_values
from irtext import Refused

MAX_TURNS = 70000       # iterations of one loop
MAX_DEPTH = 64          # calls inside calls


class Flow:
    """Order of the blocks of a function: position inside each enclosing loop, and which values live where."""

    def __init__(self, function):
        self.function = function
        blocks = function.blocks
        self.next = {label: _targets(code[-1]) for label, code in blocks.items()}
        entry = function.order[0]
        order, seen = [], set()
        stack = [(entry, iter(self.next[entry]))]
        seen.add(entry)
        while stack:
            label, rest = stack[-1]
            for target in rest:
                if target not in seen:
                    seen.add(target)
                    stack.append((target, iter(self.next[target])))
                    break
            else:
                order.append(label)
                stack.pop()
        order.reverse()
        self.reached = order
        before = {label: [] for label in order}
        for label in order:
            for target in self.next[label]:
                before[target].append(label)
        place = {label: number for number, label in enumerate(order)}
        dominators = {entry: {entry}}
        changed = True
        while changed:
            changed = False
            for label in order[1:]:
                known = [dominators[p] for p in before[label] if p in dominators]
                new = set.intersection(*known) | {label}
                if dominators.get(label) != new:
                    dominators[label] = new
                    changed = True
        loops = {}
        for label in order:
            for target in self.next[label]:
                if place[target] <= place[label]:
                    if target not in dominators[label]:
                        raise Refused(f"{function.name}: control flow that is not a loop nest")
                    body = loops.setdefault(target, {target})
                    work = [label]
                    while work:
                        item = work.pop()
                        if item not in body:
                            body.add(item)
                            work.extend(before[item])
        self.loops = loops
        # Nest of loop heads around each block, outermost first.
        self.nest = {}
        for label in order:
            heads = [head for head, body in loops.items() if label in body]
            heads.sort(key=lambda head: -len(loops[head]))
            self.nest[label] = heads
        self._positions(order)
        self._liveness(order)

    def _positions(self, order):
        """A topological number of every block and loop inside its parent, loops contracted to one node."""
        self.position = {}

        def number(members, depth):
            """members: blocks at this level and deeper; depth: how many loop heads are around."""
            unit = {}
            for label in members:
                nest = self.nest[label]
                unit[label] = nest[depth] if len(nest) > depth else label
            succ, indegree = {}, {}
            for label in members:
                indegree.setdefault(unit[label], 0)
                succ.setdefault(unit[label], set())
            head = None if depth == 0 else self.nest[members[0]][depth - 1]
            for label in members:
                for target in self.next[label]:
                    if target in unit and unit[target] != unit[label] and target != head:
                        if unit[target] not in succ[unit[label]]:
                            succ[unit[label]].add(unit[target])
                            indegree[unit[target]] += 1
            ready = [u for u in succ if indegree[u] == 0]
            count = 0
            while ready:
                u = ready.pop()
                self.position[(depth, u)] = count
                count += 1
                for target in succ[u]:
                    indegree[target] -= 1
                    if indegree[target] == 0:
                        ready.append(target)
            if count != len(succ):
                raise Refused(f"{self.function.name}: control flow that is not a loop nest")
            inner = {}
            for label in members:
                if len(self.nest[label]) > depth:
                    inner.setdefault(self.nest[label][depth], []).append(label)
            for group in inner.values():
                number(group, depth + 1)

        number(order, 0)

    def key(self, label, turns):
        """Sort key of a visit: (position, turn, position in that loop, turn, ..., position)."""
        result = []
        for depth, head in enumerate(self.nest[label]):
            result += [self.position[(depth, head)], turns[depth]]
        depth = len(self.nest[label])
        result.append(self.position[(depth, label)])
        return tuple(result)

    def _liveness(self, order):
        uses, defines, phi_uses = {}, {}, {}
        for label in order:
            used, made = set(), set()
            for item in self.function.blocks[label]:
                if item[0] == "phi":
                    for source, value in item[3].items():
                        if value[0] == "reg":
                            phi_uses.setdefault((source, label), set()).add(value[1])
                else:
                    used |= {name for name in _registers(item) if name not in made}
                if item[1]:
                    made.add(item[1])
            uses[label], defines[label] = used, made
        self.live = {label: set() for label in order}       # at the start, phi results excluded
        changed = True
        while changed:
            changed = False
            for label in reversed(order):
                out = set()
                for target in self.next[label]:
                    out |= self.live[target] | phi_uses.get((label, target), set())
                new = uses[label] | (out - defines[label])
                if new != self.live[label]:
                    self.live[label] = new
                    changed = True


def _targets(item):
    if item[0] == "br":
        return [item[3]] if item[4] is None else list(dict.fromkeys((item[3], item[4])))
    if item[0] == "switch":
        return list(dict.fromkeys([item[4]] + [label for _, label in item[5]]))
    return []


def _registers(item):
    """Names of registers used by an instruction (phi excluded)."""
    found = []

    def walk(part):
        if isinstance(part, tuple):
            if len(part) == 2 and part[0] == "reg":
                found.append(part[1])
            else:
                for inner in part:
                    walk(inner)
        elif isinstance(part, list):
            for inner in part:
                walk(inner)

    walk(tuple(item[2:]))
    return found


class Edge:
    __slots__ = ("source", "condition", "env", "memory")

    def __init__(self, source, condition, env, memory):
        self.source, self.condition, self.env, self.memory = source, condition, env, memory


class Machine:
    def __init__(self, aig, module, readonly=()):
        self.aig = aig
        self.module = module
        self.access = Access(aig, set(readonly))
        self.executed = 0
        self.undefined = 0
        self._flows = {}
        self._objects = 0
        self._tables = {}
        self._root = Condition(aig, None, TRUE)
        # name of a function that has no body here -> what to do instead: (memory, arguments, condition) -> value
        self.hooks = {}

    # -- values --------------------------------------------------------------------------------------------------

    def undefined_value(self, kind, why="undefined"):
        kind = self.module.resolve(kind)
        if kind[0] == "int":
            self.undefined += 1
            return self.aig.fresh(kind[1], f"{why} {self.undefined}")
        if kind[0] == "struct":
            return [self.undefined_value(part, why) for part in kind[1]]
        if kind[0] == "array":
            return [self.undefined_value(kind[2], why) for _ in range(kind[1])]
        if kind[0] == "ptr":
            return Pointer([(TRUE, None, 0, (), 0, 0)])
        raise Refused(f"undefined value of type {kind}")

    def constant(self, const, kind):
        tag = const[0]
        if tag == "int":
            return self.aig.const(const[1], const[2])
        if tag == "undef":
            return self.undefined_value(const[1])
        kind = self.module.resolve(kind) if kind else None
        if tag == "zero":
            if kind[0] == "int":
                return self.aig.const(0, kind[1])
            parts = [kind[2]] * kind[1] if kind[0] == "array" else kind[1] if kind[0] == "struct" else None
            if parts is None:
                raise Refused("a null pointer constant")
            return [self.constant(("zero", part), part) for part in parts]
        if tag == "list":
            parts = [kind[2]] * kind[1] if kind[0] == "array" else kind[1]
            return [self.constant(item, part) for item, part in zip(const[1], parts)]
        if tag == "null":
            return Pointer([(TRUE, None, 0, (), 0, 0)])
        if tag == "global":
            return self._table(const[1])
        if tag == "gep":
            indices = [(inner, ("const", value)) for inner, value in const[3]]
            first = ("int", 64)
            return self._gep(const[1], self.constant(const[2], None),
                             [(indices[0][0] if indices else first, indices[0][1])] + indices[1:], {})
        raise Refused(f"constant {const}")

    def _table(self, name):
        if name not in self._tables:
            kind, value = self.module.global_value(name)
            data = [self.aig.const(0, 8)] * self.module.size(kind)
            self._spread(data, 0, kind, self.constant(value, kind))
            self._tables[name] = data
            self.access.readonly.add(name)
        size = len(self._tables[name])
        return Pointer([(TRUE, name, 0, (), 0, size)])

    def _spread(self, data, at, kind, value):
        for offset, byte in self.bytes_of(kind, value):
            data[at + offset] = byte

    def bytes_of(self, kind, value):
        """(offset, byte) of a value as it lies in memory."""
        kind = self.module.resolve(kind)
        if kind[0] == "int":
            bits = self.aig.extend(value, 8 * ((kind[1] + 7) // 8))
            for place in range(0, len(bits), 8):
                yield place // 8, bits[place:place + 8]
        elif kind[0] in ("array", "struct"):
            parts = [kind[2]] * kind[1] if kind[0] == "array" else kind[1]
            offsets = ([i * self.module.size(kind[2]) for i in range(kind[1])] if kind[0] == "array"
                       else self.module.offsets(kind))
            for offset, part, item in zip(offsets, parts, value):
                for inner, byte in self.bytes_of(part, item):
                    yield offset + inner, byte
        else:
            raise Refused("a pointer in memory")

    def value(self, operand, env, kind=None):
        if operand[0] == "reg":
            return env[operand[1]]
        return self.constant(operand[1], kind)

    # -- calls ---------------------------------------------------------------------------------------------------

    def allocate(self, memory, name, data):
        """A new object; returns its pointer."""
        self._objects += 1
        name = f"{name}#{self._objects}"
        memory.objects[name] = list(data)
        memory.owned.add(name)
        return Pointer([(TRUE, name, 0, (), 0, len(data))])

    def run(self, name, arguments, memory):
        """Call from outside: returns (value, memory)."""
        edge = self._call(name, arguments, memory, self._root, 0)
        if edge is None:
            raise Refused(f"{name} does not return")
        return edge.env.get("return"), edge.memory

    def _call(self, name, arguments, memory, condition, depth):
        if depth > MAX_DEPTH:
            raise Refused(f"{name}: recursion")
        function = self.module.function(name)
        flow = self._flows.get(name)
        if flow is None:
            flow = self._flows[name] = Flow(function)
        env = {}
        for (kind, param, extra), argument in zip(function.params, arguments):
            if "byval" in extra:
                size = self.module.size(extra["byval"])
                data = self.access.load(condition, memory, argument, size, f"{name}: argument")
                argument = self.allocate(memory, f"{name}.copy", data)
            env[param] = argument
        entry = function.order[0]
        waiting = {}        # key -> (label, turns, [edges])
        heap = []

        def send(source, target, turns, edge):
            nest = flow.nest[target]
            held = flow.nest[source] if source else []
            new = []
            for level, head in enumerate(nest):
                if level < len(held) and held[level] == head:
                    new.append(turns[level])
                else:
                    new.append(0)
            if target in flow.loops and source and source in flow.loops[target]:
                new[-1] += 1
                if new[-1] > MAX_TURNS:
                    raise Refused(f"{name}: a loop does not end after {MAX_TURNS} turns")
            key = flow.key(target, new)
            if key not in waiting:
                waiting[key] = (target, tuple(new), [])
                heapq.heappush(heap, key)
            waiting[key][2].append(edge)

        returns = []
        send(None, entry, (), Edge(None, condition, env, memory))
        while heap:
            label, turns, edges = waiting.pop(heapq.heappop(heap))
            arrived = [self._enter(flow, label, edge) for edge in edges]
            edge = self._join(arrived)
            out = self._block(function, label, edge, depth)
            for target, after in out:
                if target is None:
                    returns.append(after)
                else:
                    send(label, target, turns, after)
        return self._join(returns) if returns else None

    def _enter(self, flow, label, edge):
        """Values at the start of the block when it is reached over this edge."""
        env = edge.env
        new = {name: env[name] for name in flow.live[label] if name in env}
        for item in flow.function.blocks[label]:
            if item[0] != "phi":
                break
            new[item[1]] = self.value(item[3][edge.source], env, item[2])
        return Edge(edge.source, edge.condition, new, edge.memory)

    def _join(self, edges):
        """One edge from several: the two that part latest are joined first."""
        aig = self.aig
        edges = list(edges)
        while len(edges) > 1:
            deepest = max(range(len(edges)), key=lambda i: edges[i].condition.depth)
            one = edges.pop(deepest)
            best, meeting = None, None
            for place, other in enumerate(edges):
                point = common(one.condition, other.condition)
                if meeting is None or point.depth > meeting.depth:
                    best, meeting = place, point
            two = edges.pop(best)
            first = below(aig, one.condition, meeting)
            second = below(aig, two.condition, meeting)
            condition = meeting.then(aig, aig.lor(first, second))
            # Either decides; the shorter one keeps the graph small.
            if one.condition.depth <= two.condition.depth:
                bit, then, other = first, one, two
            else:
                bit, then, other = second, two, one
            env = {}
            for name, value in then.env.items():
                twin = other.env.get(name)
                if twin is not None:
                    env[name] = merge_values(aig, bit, value, twin)
            memory = merge_memory(self.access, bit, then.memory, other.memory)
            edges.append(Edge(None, condition, env, memory))
        return edges[0]

    # -- blocks --------------------------------------------------------------------------------------------------

    def _block(self, function, label, edge, depth):
        aig, env, condition = self.aig, edge.env, edge.condition
        memory = edge.memory.fork()
        for item in function.blocks[label]:
            self.executed += 1
            op = item[0]
            if op == "phi" or op == "nothing":
                continue
            if op == "binary":
                env[item[1]] = self._binary(item, env, condition, function.name)
            elif op == "icmp":
                env[item[1]] = (self._compare(item, env),)
            elif op == "cast":
                env[item[1]] = self._cast(item, env)
            elif op == "select":
                bit = self.value(item[3], env, ("int", 1))[0]
                then, other = self.value(item[4], env, item[2]), self.value(item[5], env, item[2])
                env[item[1]] = merge_values(aig, bit, then, other)
            elif op == "load":
                env[item[1]] = self._load(item, env, memory, condition, function.name)
            elif op == "store":
                self._store(item, env, memory, condition, function.name)
            elif op == "gep":
                env[item[1]] = self._gep(item[2], self.value(item[3], env), item[4], env)
            elif op == "call":
                result = self._invoke(item, env, memory, condition, depth, function.name)
                if result is None:
                    return []
                condition, memory, value = result
                if item[1]:
                    env[item[1]] = value
            elif op == "freeze":
                env[item[1]] = self.value(item[3], env, item[2])
            elif op == "alloca":
                size = self.module.size(item[2])
                env[item[1]] = self.allocate(memory, function.name, [None] * size)
            elif op == "extract":
                value = self.value(item[3], env, item[2])
                for place in item[4]:
                    value = value[place]
                env[item[1]] = value
            elif op == "insert":
                env[item[1]] = self._insert(self.value(item[3], env, item[2]), item[5],
                                            self.value(item[4], env))
            elif op == "br":
                if item[4] is None:
                    return [(item[3], Edge(label, condition, env, memory))]
                bit = self.value(item[2], env, ("int", 1))[0]
                out = []
                for target, decision in ((item[3], bit), (item[4], bit ^ 1)):
                    after = condition.then(aig, decision)
                    if after.total != FALSE:
                        out.append((target, Edge(label, after, env, memory)))
                return out
            elif op == "switch":
                return self._switch(item, label, env, memory, condition)
            elif op == "ret":
                value = {} if item[3] is None else {"return": self.value(item[3], env, item[2])}
                return [(None, Edge(label, condition, value, memory))]
            elif op == "unreachable":
                self.access.require(condition, FALSE, f"{function.name}: reaches code that cannot be reached")
                return []
            else:
                raise Refused(f"{function.name}: instruction {op}")
        raise Refused(f"{function.name}: a block without an end")

    def _switch(self, item, label, env, memory, condition):
        aig = self.aig
        bits = self.value(item[3], env, item[2])
        groups = {}
        for number, target in item[5]:
            if target != item[4]:
                groups[target] = aig.lor(groups.get(target, FALSE), aig.is_value(bits, number))
        out = []
        for target, hit in groups.items():
            after = condition.then(aig, hit)
            if after.total != FALSE:
                out.append((target, Edge(label, after, env, memory)))
            condition = condition.then(aig, hit ^ 1)
        if condition.total != FALSE:
            out.append((item[4], Edge(label, condition, env, memory)))
        return out

    # -- instructions --------------------------------------------------------------------------------------------

    def _poison(self, bad, bits, why):
        """The result where no poison arises; a free value where it does."""
        if bad == FALSE:
            return bits
        self.undefined += 1
        return self.aig.choose(bad, self.aig.fresh(len(bits), f"{why} {self.undefined}"), bits)

    def _binary(self, item, env, condition, where):
        aig = self.aig
        _, _, op, flags, width, a, b = item
        a, b = self.value(a, env, ("int", width)), self.value(b, env, ("int", width))
        if op == "and":
            return aig.both(a, b)
        if op == "or":
            return aig.either(a, b)
        if op == "xor":
            return aig.exclusive(a, b)
        if op in ("add", "sub"):
            total, carries = aig.add_carry(a, b if op == "add" else aig.invert(b), FALSE if op == "add" else TRUE)
            bad = FALSE
            if "nuw" in flags:
                bad = carries[-1] ^ (op == "sub")
            if "nsw" in flags:
                bad = aig.lor(bad, aig.lxor(carries[-1], carries[-2]))
            return self._poison(bad, total, "overflow")
        if op == "mul":
            bad = FALSE
            if flags & {"nuw", "nsw"}:
                signed = "nsw" in flags
                full = aig.mul(aig.extend(a, 2 * width, signed), aig.extend(b, 2 * width, signed))
                if signed:
                    bad = aig.any(aig.lxor(bit, full[width - 1]) for bit in full[width:])
                if "nuw" in flags:
                    full = aig.mul(aig.extend(a, 2 * width), aig.extend(b, 2 * width)) if signed else full
                    bad = aig.lor(bad, aig.any(full[width:]))
            return self._poison(bad, aig.mul(a, b), "overflow")
        if op in ("shl", "lshr", "ashr"):
            fill = a[-1] if op == "ashr" else FALSE
            result = aig.shift(a, b, op == "shl", fill)
            bad = aig.ult(b, aig.const(width, width)) ^ 1 if width >> width == 0 else FALSE
            if flags:
                if op == "shl":
                    back = aig.shift(result, b, False, FALSE)
                    if "nuw" in flags:
                        bad = aig.lor(bad, aig.equal(back, a) ^ 1)
                    if "nsw" in flags:
                        back = aig.shift(result, b, False, result[-1])
                        bad = aig.lor(bad, aig.equal(back, a) ^ 1)
                else:
                    bad = aig.lor(bad, aig.equal(aig.shift(result, b, True), a) ^ 1)
            return self._poison(bad, result, "shift")
        # Divisions
        zero = aig.any(b) ^ 1
        self.access.require(condition, zero ^ 1, f"{where}: division by zero")
        if op in ("udiv", "urem"):
            quotient, rest = aig.divide(a, b)
            if "exact" in flags:
                quotient = self._poison(aig.any(rest), quotient, "inexact")
            return quotient if op == "udiv" else rest
        least = aig.land(aig.is_value(a, 1 << (width - 1)), aig.all(b))
        self.access.require(condition, least ^ 1, f"{where}: division overflows")
        size_a = aig.choose(a[-1], aig.negate(a), a)
        size_b = aig.choose(b[-1], aig.negate(b), b)
        quotient, rest = aig.divide(size_a, size_b)
        if op == "srem":
            return aig.choose(a[-1], aig.negate(rest), rest)
        if "exact" in flags:
            quotient = self._poison(aig.any(rest), quotient, "inexact")
        return aig.choose(aig.lxor(a[-1], b[-1]), aig.negate(quotient), quotient)

    def _compare(self, item, env):
        aig = self.aig
        _, _, how, kind, a, b = item
        a, b = self.value(a, env, kind), self.value(b, env, kind)
        if isinstance(a, Pointer):
            return self._compare_pointers(how, a, b)
        if how == "eq":
            return aig.equal(a, b)
        if how == "ne":
            return aig.equal(a, b) ^ 1
        less = aig.ult if how[0] == "u" else aig.slt
        return {"lt": lambda: less(a, b), "gt": lambda: less(b, a),
                "le": lambda: less(b, a) ^ 1, "ge": lambda: less(a, b) ^ 1}[how[1:]]()

    def _compare_pointers(self, how, a, b):
        aig = self.aig
        same = FALSE
        for one in a.ways:
            for two in b.ways:
                if one[3] or two[3] or how not in ("eq", "ne"):
                    raise Refused("comparison of pointers with an index")
                if one[1] == two[1] and one[2] == two[2]:
                    same = aig.lor(same, aig.land(one[0], two[0]))
        return same if how == "eq" else same ^ 1

    def _cast(self, item, env):
        _, _, op, kind, target, a = item
        value = self.value(a, env, kind)
        if op == "bitcast":
            if isinstance(value, Pointer) or self.module.resolve(kind) == self.module.resolve(target):
                return value
            raise Refused("bitcast between values")
        return self.aig.extend(value, target[1], op == "sext")

    def _load(self, item, env, memory, condition, where):
        _, _, kind, a, limits = item
        pointer = self.value(a, env)
        size = self.module.size(kind) if kind[0] != "int" else (kind[1] + 7) // 8
        data = self._fetch(memory, pointer, condition, size, f"{where}: load")
        value = self._assemble(kind, data)
        if limits and kind[0] == "int" and kind[1] == 8:
            low, high = limits
            aig = self.aig
            good = aig.land(aig.ult(value, aig.const(low, 8)) ^ 1,
                            aig.ult(value, aig.const(high, 8)) if high < 256 else TRUE)
            self.access.require(condition, good, f"{where}: a bool that is neither 0 nor 1")
        return value

    def _fetch(self, memory, pointer, condition, size, text):
        for way in pointer.ways:
            if way[1] in self._tables and way[1] not in memory.objects:
                memory.objects[way[1]] = self._tables[way[1]]
        return self.access.load(condition, memory, pointer, size, text)

    def _assemble(self, kind, data):
        kind = self.module.resolve(kind)
        if kind[0] == "int":
            bits = []
            for byte in data[:(kind[1] + 7) // 8]:
                bits.extend(self.access.undefined_byte() if byte is None else byte)
            return tuple(bits[:kind[1]])
        if kind[0] == "struct":
            return [self._assemble(part, data[offset:offset + self.module.size(part)])
                    for part, offset in zip(kind[1], self.module.offsets(kind))]
        if kind[0] == "array":
            size = self.module.size(kind[2])
            return [self._assemble(kind[2], data[i * size:(i + 1) * size]) for i in range(kind[1])]
        raise Refused("a pointer in memory")

    def _store(self, item, env, memory, condition, where):
        _, _, kind, a, target = item
        value = self.value(a, env, kind)
        pointer = self.value(target, env)
        pieces = sorted(self.bytes_of(kind, value))
        runs = []
        for offset, byte in pieces:
            if runs and runs[-1][0] + len(runs[-1][1]) == offset:
                runs[-1][1].append(byte)
            else:
                runs.append((offset, [byte]))
        for offset, data in runs:
            self.access.store(condition, memory, pointer.moved(offset), data, f"{where}: store")

    def _insert(self, value, path, item):
        if not path:
            return item
        value = list(value)
        value[path[0]] = self._insert(value[path[0]], path[1:], item)
        return value

    def _gep(self, base, pointer, indices, env):
        module, aig = self.module, self.aig
        ways = []
        for guard, name, const, terms, low, high in pointer.ways:
            kind = base
            terms = list(terms)
            for level, (index_kind, operand) in enumerate(indices):
                bits = self.value(operand, env, index_kind)
                number = aig.value(bits)
                if number is not None and number >> (len(bits) - 1):
                    number -= 1 << len(bits)
                if level == 0:
                    stride, count = module.size(kind), None
                else:
                    kind = module.resolve(kind)
                    if kind[0] == "struct":
                        const += module.offsets(kind)[number]
                        kind = kind[1][number]
                        continue
                    if kind[0] != "array":
                        raise Refused("index into something that is no array")
                    if not terms:       # from here on the access stays in this array
                        low, high = const, const + module.size(kind)
                    kind, count = kind[2], kind[1]
                    stride = module.size(kind)
                if number is not None:
                    const += number * stride
                else:
                    terms.append((aig.extend(bits, 64, True), stride, count))
            ways.append((guard, name, const, tuple(terms), low, high))
        return Pointer(ways)

    # -- calls of the IR -----------------------------------------------------------------------------------------

    def _invoke(self, item, env, memory, condition, depth, where):
        """(condition, memory, value) after the call, None if it does not return."""
        aig = self.aig
        _, _, result, name, args = item
        if name.startswith("@llvm."):
            done, value = self._intrinsic(name, result, args, env, memory, condition, where)
            return (condition, memory, value) if done else None
        if name in ("@__assert_fail", "@abort") or name.startswith("@__ubsan_handle"):
            self.access.require(condition, FALSE, f"{where}: calls {name[1:]}")
            return None
        if name in ("@memset", "@memcpy", "@memmove"):
            _, value = self._intrinsic(f"@llvm.{name[1:]}.", result, args, env, memory, condition, where)
            return condition, memory, value
        values = [self.value(operand, env, kind) for kind, operand, _ in args]
        if name in self.hooks:
            return condition, memory, self.hooks[name](memory, values, condition)
        edge = self._call(name, values, memory, condition, depth + 1)
        if edge is None:
            return None
        return edge.condition, edge.memory.fork(), edge.env.get("return")

    def _intrinsic(self, name, result, args, env, memory, condition, where):
        aig = self.aig
        short = name[len("@llvm."):]
        if short.startswith(("lifetime.", "assume", "prefetch", "donothing", "sideeffect", "invariant.")):
            return True, None
        if short.startswith(("trap", "ubsantrap", "debugtrap")):
            self.access.require(condition, FALSE, f"{where}: undefined behaviour (trap)")
            return False, None
        if short.startswith(("memset", "memcpy", "memmove")):
            target = self.value(args[0][1], env)
            size = aig.value(self.value(args[2][1], env, args[2][0]))
            if size is None:
                raise Refused(f"{where}: {short} of a size that is not constant")
            if size:
                if short.startswith("memset"):
                    byte = self.value(args[1][1], env, args[1][0])
                    data = [byte[:8]] * size
                else:
                    data = self._fetch(memory, self.value(args[1][1], env), condition, size, f"{where}: {short[:7]}")
                self.access.store(condition, memory, target, data, f"{where}: {short[:7]}")
            return True, target
        values = [self.value(operand, env, kind) for kind, operand, _ in args]
        if short.startswith("is.constant"):
            return True, aig.const(0, 1)
        if short.startswith("objectsize"):
            return True, aig.const((1 << result[1]) - 1, result[1])
        if short.startswith(("expect", "ssa.copy")):
            return True, values[0]
        width = len(values[0])
        a = values[0]
        b = values[1] if len(values) > 1 else None
        if short.startswith("ctpop"):
            return True, aig.count_ones(a, width)
        if short.startswith(("cttz", "ctlz")):
            count = aig.leading(a, width, short.startswith("cttz"))
            if b[0] != FALSE:
                count = self._poison(aig.land(b[0], aig.any(a) ^ 1), count, "count of zeros")
            return True, count
        if short.startswith(("umin", "umax", "smin", "smax")):
            less = (aig.ult if short[0] == "u" else aig.slt)(a, b)
            return True, aig.choose(less, a, b) if short[1:4] == "min" else aig.choose(less, b, a)
        if short.startswith("abs"):
            value = aig.choose(a[-1], aig.negate(a), a)
            return True, self._poison(aig.land(b[0], aig.is_value(a, 1 << (width - 1))), value, "abs")
        if short.startswith(("fshl", "fshr")):
            left = short.startswith("fshl")
            if width & (width - 1):
                raise Refused(f"{short} of a width that is no power of two")
            amount = aig.extend(values[2][:width.bit_length() - 1], 2 * width)
            both = b + a
            moved = aig.shift(both, amount, left)
            return True, moved[width:] if left else moved[:width]
        if short.startswith("bswap"):
            return True, tuple(bit for at in range(width - 8, -1, -8) for bit in a[at:at + 8])
        if short.startswith("bitreverse"):
            return True, tuple(reversed(a))
        for kind in ("uadd", "usub", "sadd", "ssub", "umul", "smul"):
            if short.startswith(f"{kind}.with.overflow"):
                signed = kind[0] == "s"
                wide = [aig.extend(v, 2 * width if kind[1:] == "mul" else width + 1, signed) for v in (a, b)]
                full = {"add": aig.add, "sub": aig.sub, "mul": aig.mul}[kind[1:]](*wide)
                over = (aig.any(aig.lxor(bit, full[width - 1]) for bit in full[width:]) if signed
                        else aig.any(full[width:]))
                return True, [full[:width], (over,)]
            if short.startswith(f"{kind}.sat"):
                wide = [aig.extend(v, width + 1, kind[0] == "s") for v in (a, b)]
                full = (aig.add if kind[1:] == "add" else aig.sub)(*wide)
                if kind[0] == "u":
                    limit = aig.const((1 << width) - 1 if kind == "uadd" else 0, width)
                    return True, aig.choose(full[width], limit, full[:width])
                high, low = (1 << (width - 1)) - 1, 1 << (width - 1)
                limit = aig.choose(full[width], aig.const(low, width), aig.const(high, width))
                return True, aig.choose(aig.lxor(full[width], full[width - 1]), limit, full[:width])
        raise Refused(f"{where}: intrinsic {name}")
