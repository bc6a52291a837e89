# SPDX-License-Identifier: Apache-2.0
"""Joins both sides of a block into one list of properties, each a literal that must never be 1."""

from dataclasses import dataclass, field
from pathlib import Path

from aig import Aig, FALSE, TRUE
from irexec import Machine
from irmem import Memory
from rtl import Netlist, RtlError


@dataclass
class Property:
    name: str
    bad: int                # literal that must not be 1
    counts: int = TRUE      # literal: when the comparison counts at all (vacuity)
    sides: tuple = ()       # (C bits, RTL bits) to print
    kind: str = ""


@dataclass
class Miter:
    aig: Aig
    properties: list = field(default_factory=list)
    words: list = field(default_factory=list)       # (text, bits) of state and inputs, to print counterexamples
    constraint: int = TRUE
    state_bits: int = 0
    outputs: int = 0
    executed: int = 0
    free: int = 0           # x bits and undefined values
    notes: list = field(default_factory=list)


class Model:
    """The C functions over one state."""

    def __init__(self, aig, model):
        self.aig = aig
        self.model = model
        self.machine = Machine(aig, model.module)

    def fill(self, size, fields, values):
        data = [None] * size
        for name, place in fields.items():
            for element, bits in enumerate(values[name]):
                wide = self.aig.extend(bits, 8 * place.size)
                at = place.offset + element * place.stride
                for byte in range(place.size):
                    data[at + byte] = wide[8 * byte:8 * byte + 8]
        return data

    def read(self, memory, pointer, fields):
        """{name: [bits of the whole C element]}"""
        data = memory.objects[pointer.ways[0][1]]
        result = {}
        for name, place in fields.items():
            result[name] = []
            for element in range(place.elements or 1):
                at = place.offset + element * place.stride
                bits = ()
                for byte in data[at:at + place.size]:
                    bits += byte if byte is not None else self.machine.access.undefined_byte()
                result[name].append(bits)
        return result

    def state(self, values):
        memory = Memory({})
        pointer = self.machine.allocate(memory, "state", self.fill(self.model.sizes["state"], self.model.state, values))
        return memory, pointer

    def call(self, name, memory, pointers):
        return self.machine.run(f"@equiv_{name}", pointers, memory.fork())

    def truth(self, name, memory, pointers):
        """A bool function as a literal. Debuggers' note: i1 in the IR, i8 if clang widened it."""
        value, _ = self.call(name, memory, pointers)
        return value[0]

    def taken(self):
        """Obligations since the last time."""
        found = self.machine.access.obligations
        self.machine.access.obligations = []
        return found


def words(aig, items, prefix, constant=None):
    """Free bits for every row of the contract: {name: [bits of each element]}."""
    result = {}
    for item in items:
        result[item.name] = []
        for element in range(item.elements or 1):
            text = f"{prefix}{item.name}" + (f"[{element}]" if item.elements is not None else "")
            bits = aig.fresh(item.width, text) if constant is None else aig.const(constant, item.width)
            result[item.name].append(bits)
    return result


def flat(elements):
    return tuple(bit for bits in elements for bit in bits)


def check_ports(contract, module):
    """Ports of the RTL are those of the contract; clk and rst are not in its table."""
    wanted = {port.name: ("input" if port.dir == "in" else "output", port.bits) for port in contract.ports}
    if not contract.combinational:
        wanted["clk"] = ("input", 1)
    found = {name: (port["direction"], len(port["bits"])) for name, port in module["ports"].items()}
    if "rst" in found and not contract.combinational:
        wanted["rst"] = ("input", 1)
    if found != wanted:
        text = [f"port {name}: RTL has {found.get(name, 'none')}, contract {wanted.get(name, 'none')}"
                for name in sorted(set(found) | set(wanted)) if found.get(name) != wanted.get(name)]
        raise RtlError("; ".join(text))


def bind(netlist, contract, state, inputs, rst):
    """Set state, inputs and rst of a netlist. Returns {state name: nets}."""
    registers = netlist.registers()
    ports = netlist.module["ports"]
    nets, claimed = {}, set()
    for item in contract.state:
        if item.name not in registers:
            raise RtlError(f"the RTL has no register '{item.name}_q' (an inner instance may be named with u_ in front)")
        bits = registers[item.name]
        if len(bits) != item.bits:
            raise RtlError(f"register {item.name}_q has {len(bits)} bits, the contract {item.bits}")
        for net in bits:
            if net not in netlist.flops:
                raise RtlError(f"a bit of {item.name}_q is not a flip-flop")
            if net in claimed:
                raise RtlError(f"{item.name}_q shares flip-flops with another row of the State table")
            claimed.add(net)
        nets[item.name] = bits
        netlist.bit.update(zip(bits, flat(state[item.name])))
    # A register outside the table is refused when something reads it (Netlist); loop variables are not read.
    for port in contract.inputs:
        netlist.bit.update(zip(ports[port.name]["bits"], flat(inputs[port.name])))
    if "rst" in ports:
        netlist.bit[ports["rst"]["bits"][0]] = rst
    if "clk" in ports:
        netlist.bit[ports["clk"]["bits"][0]] = FALSE
    return nets


def build(contract, model, module):
    """The miter of one block."""
    aig = Aig()
    check_ports(contract, module)
    state = words(aig, contract.state, "")
    inputs = words(aig, contract.inputs, "")
    rst = FALSE if contract.combinational else aig.new("rst")
    miter = Miter(aig)
    for items, values in ((contract.state, state), (contract.inputs, inputs)):
        for item in items:
            for element, bits in enumerate(values[item.name]):
                label = f"[{element}]" if item.elements is not None else ""
                miter.words.append((("state " if items is contract.state else "input ") + item.name + label, bits))
    if not contract.combinational:
        miter.words.append(("input rst", (rst,)))
    miter.state_bits = sum(item.bits for item in contract.state)
    miter.outputs = sum(port.bits for port in contract.outputs)

    if contract.combinational:
        return _combinational(miter, contract, model, module, inputs)

    c = Model(aig, model)
    memory, s = c.state(state)
    pointers = [s]
    if contract.inputs:
        pointers.append(c.machine.allocate(memory, "in", c.fill(model.sizes["in"], model.inputs, inputs)))
    for pointer in pointers[1:]:
        c.machine.access.readonly.add(pointer.ways[0][1])

    invariant = assumed = TRUE
    if model.has_invariant:
        invariant = c.truth("invariant", memory, [s])
        _oblige(miter, c, TRUE, "invariant")
    if model.has_assume:
        assumed = c.truth("assume", memory, pointers)
        _oblige(miter, c, invariant, "assume")
    limit = miter.constraint = aig.land(invariant, assumed)

    netlist = Netlist(aig, module)
    nets = bind(netlist, contract, state, inputs, rst)

    # Outputs: functions of the state on both sides.
    if contract.outputs:
        after = memory.fork()
        o = c.machine.allocate(after, "out", [None] * model.sizes["out"])
        _, after = c.call("outputs", after, [s, o])
        _oblige(miter, c, invariant, "outputs")
        _unchanged(miter, c, memory, after, s, limit)
        _outputs(miter, contract, c.read(after, o, model.outputs), netlist, invariant)

    # Next state; reset comes after the step.
    _, stepped = c.call("step", memory, pointers)
    _oblige(miter, c, limit, "step")
    _, resetted = c.call("reset", stepped, [s])
    _oblige(miter, c, limit, "reset")
    plain, cleared = c.read(stepped, s, model.state), c.read(resetted, s, model.state)
    for item in contract.state:
        nexts = netlist.vector([netlist.flops[net] for net in nets[item.name]])
        for element in range(item.elements or 1):
            ours = aig.choose(rst, cleared[item.name][element], plain[item.name][element])
            theirs = nexts[element * item.width:(element + 1) * item.width]
            label = f"next {item.name}" + (f"[{element}]" if item.elements is not None else "")
            _compare(miter, label, ours, theirs, limit, "next state")

    _reset_rules(miter, c, contract, model, state, memory, s)
    if model.has_invariant:
        kept = c.truth("invariant", stepped, [s])
        _oblige(miter, c, limit, "invariant after a step")
        miter.properties.append(Property("invariant is kept by a step", aig.land(limit, kept ^ 1), limit,
                                         kind="invariant"))
    _power_up(miter, c, contract, model, module, inputs, invariant, assumed)
    miter.executed = c.machine.executed
    miter.free = netlist.free + c.machine.undefined + c.machine.access.count
    return miter


def masked():
    """Blocks whose outputs are compared only while their mask is 1."""
    lines = (Path(__file__).parent / "masked.txt").read_text(encoding="utf-8").splitlines()
    return {line.split()[0] for line in lines if line.strip() and not line.startswith("#")}


def _outputs(miter, contract, c_out, netlist, limit):
    """Every output is equal, element by element, whatever its mask; of the blocks in masked.txt while its mask is 1."""
    under_masks = contract.name in masked()
    r_out = {port.name: netlist.vector(netlist.module["ports"][port.name]["bits"]) for port in contract.outputs}
    for port in contract.outputs:
        for element in range(port.elements or 1):
            ours = c_out[port.name][element]
            theirs = r_out[port.name][element * port.width:(element + 1) * port.width]
            counts = limit
            if port.mask and under_masks:
                mask = r_out[port.mask]
                counts = miter.aig.land(counts, mask[element] if len(mask) > 1 else mask[0])
            label = f"output {port.name}" + (f"[{element}]" if port.elements is not None else "")
            _compare(miter, label, ours, theirs, counts, "output")


def _combinational(miter, contract, model, module, inputs):
    """No state: every output is equal for every input, and the inputs are left alone."""
    c = Model(miter.aig, model)
    memory = Memory({})
    i = c.machine.allocate(memory, "in", c.fill(model.sizes["in"], model.inputs, inputs))
    c.machine.access.readonly.add(i.ways[0][1])
    o = c.machine.allocate(memory, "out", [None] * model.sizes["out"])
    _, after = c.call("outputs", memory, [i, o])
    _oblige(miter, c, TRUE, "outputs")
    netlist = Netlist(miter.aig, module)
    bind(netlist, contract, {}, inputs, FALSE)
    _outputs(miter, contract, c.read(after, o, model.outputs), netlist, TRUE)
    miter.executed = c.machine.executed
    miter.free = netlist.free + c.machine.undefined + c.machine.access.count
    return miter


def _oblige(miter, c, limit, where):
    for bad, text in c.taken():
        bad = miter.aig.land(limit, bad)
        name = f"no undefined behaviour in {where}: {text}"
        for item in miter.properties:
            if item.name == name:
                item.bad = miter.aig.lor(item.bad, bad)
                break
        else:
            miter.properties.append(Property(name, bad, kind="undefined behaviour"))


def _compare(miter, label, ours, theirs, counts, kind):
    aig = miter.aig
    wide = aig.extend(theirs, len(ours))
    differ = aig.any(aig.lxor(x, y) for x, y in zip(ours, wide))
    miter.properties.append(Property(label, aig.land(counts, differ), counts, (ours, theirs), kind))


def _unchanged(miter, c, before, after, s, limit):
    aig = miter.aig
    name = s.ways[0][1]
    old, new = before.objects[name], after.objects[name]
    changed = aig.any(aig.any(aig.exclusive(x, y)) for x, y in zip(old, new)
                      if x is not y and x is not None and y is not None)
    miter.properties.append(Property("outputs() leaves the state alone", aig.land(limit, changed), kind="output"))


def _reset_rules(miter, c, contract, model, state, memory, s):
    """C's reset does what the State table says, from any state; the invariant holds after it."""
    aig = miter.aig
    _, cleared = c.call("reset", memory, [s])
    _oblige(miter, c, TRUE, "reset from any state")
    found = c.read(cleared, s, model.state)
    for item in contract.state:
        for element in range(item.elements or 1):
            ours = found[item.name][element]
            wanted = state[item.name][element] if item.reset is None else aig.const(item.reset[element], item.width)
            label = f"reset of {item.name}" + (f"[{element}]" if item.elements is not None else "")
            _compare(miter, label + " as in the State table", ours, wanted, TRUE, "reset")
    if model.has_invariant:
        good = c.truth("invariant", cleared, [s])
        _oblige(miter, c, TRUE, "invariant after reset")
        miter.properties.append(Property("invariant holds after reset from any state (what has reset '-' may have any "
                                         "value there)", good ^ 1, kind="invariant"))


def _power_up(miter, c, contract, model, module, inputs, invariant, assumed):
    """The first clock: all state 0 and rst = 1. Only needed where the general proof assumes something."""
    if invariant == TRUE and assumed == TRUE:
        return
    aig = miter.aig
    zero = words(aig, contract.state, "", constant=0)
    memory, s = c.state(zero)
    pointers = [s]
    if contract.inputs:
        pointers.append(c.machine.allocate(memory, "in", c.fill(model.sizes["in"], model.inputs, inputs)))
    _, stepped = c.call("step", memory, pointers)
    _, cleared = c.call("reset", stepped, [s])
    _oblige(miter, c, TRUE, "the first clock")
    found = c.read(cleared, s, model.state)
    netlist = Netlist(aig, module)
    nets = bind(netlist, contract, zero, inputs, TRUE)
    for item in contract.state:
        nexts = netlist.vector([netlist.flops[net] for net in nets[item.name]])
        for element in range(item.elements or 1):
            label = f"first clock, next {item.name}" + (f"[{element}]" if item.elements is not None else "")
            _compare(miter, label, found[item.name][element],
                     nexts[element * item.width:(element + 1) * item.width], TRUE, "first clock")
