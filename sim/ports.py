#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that contract, RTL and C of a block name the same ports, state, values, terms, rules and properties.

    .venv/bin/python sim/ports.py [BLOCK...]     all blocks without arguments
    .venv/bin/python sim/ports.py --self-test    plants faults in copies and expects each to be found

In the RTL for configuration full, in the header for full and mini: every port with direction and width, every parameter
with its default, every state register with its width; in the RTL also no flip-flop that the state table does not name,
no warning of Yosys, and no net with two drivers or none. Yosys elaborates the RTL, the C preprocessor and pycparser
read the header, so neither is matched by its looks. PORTS_ALL=1: the RTL for mini too, of which the proofs of
equivalence read ports and registers as well. Of the vocabulary see sim/gen/vocabulary.py.
"""

import concurrent.futures
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent / "gen"))
import contract as contracts  # noqa: E402, its folder comes first
import vocabulary  # noqa: E402
from gen_config import ConfigError, configurations, overridden  # noqa: E402

try:
    from pycparser import c_ast, c_generator, c_parser
except ImportError:
    sys.exit("sim/ports.py: the Python module pycparser is missing; run 'make setup' and use .venv/bin/python")

CONFIGURATIONS = ("full", "mini")
SMALLER = {"ENTRIES": 16}   # in the RTL of full: Yosys reads totem_task in a time that grows with the square of it

# Stand-ins for the system headers: the types alone, since pycparser does not know the compiler's extensions.
SYSTEM_HEADERS = {
    "stdbool.h": "typedef _Bool bool;\n#define true 1\n#define false 0\n",
    "stddef.h": "typedef unsigned long size_t;\n#define NULL ((void *)0)\n",
    "stdint.h": "".join(f"typedef {sign} {kind} {prefix}int{bits}_t;\n"
                        for bits, kind in ((8, "char"), (16, "short"), (32, "int"), (64, "long"))
                        for sign, prefix in (("signed", ""), ("unsigned", "u")))
                + "".join(f"#define U{name}_C(x) x\n#define {name}_C(x) x\n"
                          for name in ("INT8", "INT16", "INT32", "INT64"))
                + "".join(f"#define UINT{bits}_MAX {2 ** bits - 1}\n" for bits in (8, 16, 32, 64)),
    "limits.h": "", "assert.h": "#define assert(x) ((void)0)\n",
    "string.h": "void *memset(void *, int, unsigned long);\nvoid *memcpy(void *, const void *, unsigned long);\n"
                "int memcmp(const void *, const void *, unsigned long);\n",
}
C_WIDTH = {"bool": 1, "uint8_t": 8, "uint16_t": 16, "uint32_t": 32, "uint64_t": 64}


class Place:
    """The folders that are checked: the project, or a copy with a planted fault."""

    def __init__(self, root=contracts.ROOT):
        self.root = Path(root)

    def contract(self, name):
        return contracts.load(name, self.root / "docs" / "contract")

    def rtl(self, contract):
        return self.root / "rtl" / contract.area / f"totem_{contract.name}.v"

    def header(self, contract):
        return self.root / "cmodel" / contract.area / f"totem_{contract.name}.h"


# -- RTL -----------------------------------------------------------------------------------------------------------

def elaborate(place, contract, configuration, name):
    """Yosys' view of the block in the configuration.

    Result: (module, module without dead cells, defaults of parameters, error)."""
    sources = sorted((place.root / "rtl" / "lib").glob("*.v"))
    block = place.rtl(contract)
    if block not in sources:
        sources += [block, *sorted(block.parent.glob(f"{block.stem}_*.v"))]    # and its parts
    top = f"totem_{contract.name}"
    overrides = " ".join(f"-chparam {parameter} {configuration[parameter]}"
                         for parameter in contract.parameters if parameter in configuration)
    with tempfile.TemporaryDirectory() as folder:
        before, after, live = (Path(folder, name) for name in ("before.json", "after.json", "live.json"))
        # Yosys takes no quotes after -I: it runs in the root, where no path has a space.
        folders = sorted((place.root / "rtl").glob("*/"))
        read = (f"read_verilog -defer -DTOTEM_CONFIG_{name.upper()} "
                + " ".join(f"-I{sub.relative_to(place.root)}" for sub in folders) + " "
                + " ".join(str(source.relative_to(place.root)) for source in sources))
        # Defaults are looked at in full, and the names of parameters in the others. Of most blocks they are the sizes
        # of full: then one elaboration is enough; else the head of the module is read besides.
        apart = name == "full" and any(configuration.get(p, value) != value for p, value in contract.parameters.items())
        if name == "full" and not apart:
            overrides = ""
        defaults = (read.replace("-defer", "-lib", 1), f"hierarchy -top {top}", f"write_json {before}", "design -reset")
        script = "\n".join((*(defaults if apart else ()),
                            read, f"hierarchy -check -top {top} {overrides}", "proc -noopt", "flatten",
                            f"write_json {after}", "opt_clean", f"write_json {live}", "check -assert")) + "\n"
        Path(folder, "script.ys").write_text(script, encoding="utf-8")
        run = subprocess.run(["yosys", "-q", "-e", ".*", "-s", str(Path(folder, "script.ys"))], capture_output=True,
                             text=True, cwd=place.root)
        if run.returncode:
            reason = next((line for line in (run.stderr + run.stdout).splitlines() if "ERROR" in line),
                          run.stderr.strip())
            return None, None, None, reason

        def top_module(path):
            modules = json.loads(path.read_text(encoding="utf-8"))["modules"]
            return next(module for module in modules.values() if int(module["attributes"].get("top", "0"), 2) == 1)

        given = top_module(before if apart else after).get("parameter_default_values", {})
        return top_module(after), top_module(live), given, None


def flip_flops(module):
    """(bits that flip-flops drive, whether there is a latch)"""
    bits, latch = set(), False
    for cell in module["cells"].values():
        if re.fullmatch(r"\$[a-z]*(ff|latch)[a-z]*", cell["type"]):
            bits.update(bit for bit in cell["connections"]["Q"] if isinstance(bit, int))
            latch |= "latch" in cell["type"]
    return bits, latch


def check_rtl(place, contract, resolved, configuration, name):
    path = place.rtl(contract)
    shown = path.relative_to(place.root)
    if not path.exists():
        return [f"{shown}: does not exist; the contract {contract.name} is in area {contract.area}"]
    module, live, defaults, error = elaborate(place, contract, configuration, name)
    if module is None:
        return [f"{shown} ({name}): yosys cannot elaborate it: {error}"]
    faults = []

    def fault(text):
        faults.append(f"{shown} ({name}): {text}")

    for parameter, value in contract.parameters.items():
        if parameter not in defaults:
            fault(f"parameter {parameter} is missing; the contract has it")
        elif name == "full" and int(defaults[parameter], 2) != value:
            fault(f"parameter {parameter} defaults to {int(defaults[parameter], 2)}; the contract says {value}")
    for parameter in sorted(set(defaults) - set(contract.parameters)):
        if parameter.endswith("_BITS"):
            continue    # the width of an index follows from the others; Verilog-2005 has no localparam before the ports
        fault(f"parameter {parameter} is not in the contract; add it there or make it a localparam")

    ports = {port: (entry["direction"].replace("put", ""), len(entry["bits"]))
             for port, entry in module["ports"].items()}
    needed = {} if contract.combinational else {"clk": ("in", 1)}
    if any(item.reset is not None for item in resolved.state) or "rst" in ports:
        needed["rst"] = ("in", 1)
    needed.update({port.name: (port.dir, port.bits) for port in resolved.ports})
    for port, (direction, bits) in needed.items():
        if port not in ports:
            fault(f"port {port} is missing; the contract has {direction} of {bits} bits")
        elif ports[port] != (direction, bits):
            fault(f"port {port} is {ports[port][0]} of {ports[port][1]} bits; the contract says {direction} of {bits}")
    for port in sorted(set(ports) - set(needed)):
        fault(f"port {port} is not in the contract; add it there first")

    memories = {memory_name: memory for memory_name, memory in module.get("memories", {}).items()
                if not memory_name.startswith("$")}
    flops = flip_flops(module)[0]
    if flip_flops(live)[1]:
        fault("has a latch; give the next value a default at the top of the always @*")
    for item in resolved.state:
        register = item.name + "_q"
        if register in memories:
            memory = memories[register]
            if contract.area != "lib":
                fault(f"{register} is an unpacked array; flatten it (only lib RAMs are arrays)")
            if (memory["size"], memory["width"]) != (item.elements, item.width):
                fault(f"memory {register} is {memory['size']}x{memory['width']}; "
                      f"the contract says {item.elements}x{item.width}")
            continue
        net = module["netnames"].get(register)
        if net is None:
            fault(f"register {register} is missing; the contract has state {item.name} of {item.bits} bits")
            continue
        if len(net["bits"]) != item.bits:
            fault(f"register {register} has {len(net['bits'])} bits; the contract says {item.bits}")
        loose = [bit for bit in net["bits"] if bit not in flops]
        if loose:
            fault(f"{register} is not a flip-flop in {len(loose)} of its bits; it must hold state")
    for memory in sorted(set(memories) - {item.name + "_q" for item in resolved.state}):
        fault(f"memory {memory} is not in the state table; add it there first")
    # Registers by their name; besides, whatever is alive: loop variables of a clocked always are dead flip-flops.
    for found, wanted in ((module, r".*_q"), (live, r".*")):
        nets = {net: entry["bits"] for net, entry in found["netnames"].items() if not entry["hide_name"]}
        listed = {bit for item in resolved.state for bit in nets.get(item.name + "_q", [])}
        unlisted = flip_flops(found)[0] - listed
        names = sorted(net for net, bits in nets.items() if unlisted & set(bits) and re.fullmatch(wanted, net))
        if names:
            fault(f"flip-flops are not in the state table: {', '.join(names)}; add them there first")
            break
    return faults


# -- C -------------------------------------------------------------------------------------------------------------

def parse_header(place, path, name):
    """Abstract syntax of the header as the compiler sees it in this configuration."""
    with tempfile.TemporaryDirectory() as folder:
        for header, text in SYSTEM_HEADERS.items():
            Path(folder, header).write_text(text, encoding="utf-8")
        folders = [folder] + sorted(str(sub) for sub in (place.root / "cmodel").iterdir() if sub.is_dir())
        run = subprocess.run([os.environ.get("CC", "cc"), "-std=c11", "-E", "-nostdinc", "-D__attribute__(x)=",
                              f"-DTOTEM_CONFIG_{name.upper()}", *(f"-I{sub}" for sub in folders), "-x", "c", str(path)],
                             capture_output=True, text=True)
    if run.returncode:
        raise ValueError("the preprocessor fails: " + next(iter(run.stderr.splitlines()), ""))
    try:
        return c_parser.CParser().parse(run.stdout, str(path))
    except Exception as error:  # pycparser changed its exception classes between versions
        raise ValueError(f"it cannot be parsed: {error}") from None


class Header:
    """Structs, constants and functions of a parsed header."""

    def __init__(self, tree):
        self.types, self.structs, self.functions, self.constants = {}, {}, {}, {}
        for node in tree.ext:
            if isinstance(node, c_ast.Typedef):
                self.types[node.name] = node.type
                self._enter(node.type)
            elif isinstance(node, c_ast.FuncDef):
                self.functions[node.decl.name] = node.decl.type
            elif isinstance(node, c_ast.Decl) and isinstance(node.type, c_ast.FuncDecl):
                self.functions[node.name] = node.type
            elif isinstance(node, c_ast.Decl):
                self._enter(node.type)

    def _enter(self, node):
        node = getattr(node, "type", node) if isinstance(node, c_ast.TypeDecl) else node
        if isinstance(node, c_ast.Struct) and node.decls and node.name:
            self.structs[node.name] = node
        if isinstance(node, c_ast.Enum) and node.values:
            value = -1
            for item in node.values.enumerators:
                value = self.number(item.value) if item.value is not None else value + 1
                self.constants[item.name] = value

    def number(self, node):
        text = c_generator.CGenerator().visit(node)
        return contracts.evaluate(re.sub(r"(?<=[0-9a-fA-F])[uUlL]+\b", "", text), self.constants)

    def struct(self, node):
        """The struct behind a type, or None."""
        if isinstance(node, c_ast.TypeDecl):
            node = node.type
        if isinstance(node, c_ast.Struct):
            return node if node.decls else self.structs.get(node.name)
        if isinstance(node, c_ast.IdentifierType) and node.names[0] in self.types and node.names[0] not in C_WIDTH:
            return self.struct(self.types[node.names[0]])
        return None

    def members(self, struct, prefix=""):
        """{name: (elements or None, C type)}; the members of an inner struct have its name and a dot before theirs."""
        found = {}
        for decl in struct.decls:
            node, elements = decl.type, None
            if isinstance(node, c_ast.ArrayDecl):
                elements, node = self.number(node.dim), node.type
                if isinstance(node, c_ast.ArrayDecl):
                    raise ValueError(f"{prefix}{decl.name} has two dimensions; flatten it as the contract does")
            if isinstance(node, c_ast.PtrDecl):
                raise ValueError(f"{prefix}{decl.name} is a pointer; a block has none in its structs")
            inner = self.struct(node)
            if inner is not None:
                for name, (inner_elements, kind) in self.members(inner, f"{prefix}{decl.name}.").items():
                    if elements and inner_elements:
                        raise ValueError(f"{name} is an array inside an array; flatten it")
                    found[name] = (elements or inner_elements, kind)
            elif isinstance(node, c_ast.TypeDecl) and isinstance(node.type, c_ast.IdentifierType):
                found[prefix + decl.name] = (elements, " ".join(node.type.names))
            else:
                raise ValueError(f"{prefix}{decl.name} has a type a contract does not know")
        return found

    def parameters(self, name):
        """Types of a function's parameters as text, e.g. ['totem_inbox *']; None if the function is missing."""
        function = self.functions.get(name)
        if function is None:
            return None
        texts = []
        for parameter in function.args.params if function.args else []:
            node = parameter.type
            if isinstance(node, c_ast.PtrDecl) and isinstance(node.type.type, c_ast.IdentifierType):
                texts.append(" ".join(node.type.quals + node.type.type.names) + " *")
            else:
                texts.append(c_generator.CGenerator().visit(parameter))
        return texts


def entry_is_one(contract, name):
    """Whether the contract writes the width of a port or state as plain 1."""
    return any(entry.name == name and str(entry.width) == "1" for entry in list(contract.ports) + list(contract.state))


def check_header(place, contract, resolved, name):
    path = place.header(contract)
    shown = path.relative_to(place.root)
    if not path.exists():
        return [f"{shown}: does not exist; the contract {contract.name} is in area {contract.area}"]
    faults = []

    def fault(text):
        faults.append(f"{shown} ({name}): {text}")

    try:
        header = Header(parse_header(place, path, name))
    except (ValueError, RecursionError) as error:
        return [f"{shown} ({name}): {error}"]
    base = f"totem_{contract.name}"
    for struct_name, entries in ((base, resolved.state), (base + "_in", resolved.inputs),
                                 (base + "_out", resolved.outputs)):
        struct = header.struct(header.types.get(struct_name, c_ast.IdentifierType(["?"])))
        if struct is None:
            if entries:
                fault(f"struct {struct_name} is missing; write it as a typedef")
            continue
        try:
            members = header.members(struct)
        except ValueError as error:
            fault(f"{struct_name}: {error}")
            continue
        for entry in entries:
            if entry.name not in members:
                fault(f"{struct_name}.{entry.name} is missing; the contract has it")
                continue
            elements, kind = members.pop(entry.name)
            if elements != entry.elements:
                fault(f"{struct_name}.{entry.name} has {elements or 'no'} elements; "
                      f"the contract says {entry.elements or 'none'}")
            # A part of lib serves every width, so it may be wider; everybody else has the exact type.
            wide = contract.area == "lib" or "." in entry.name
            # A width that follows from parameters may be 1 in a small configuration and keeps the type of the others.
            one = entry.width == 1 and kind == "uint8_t" and not entry_is_one(contract, entry.name)
            if kind not in C_WIDTH or (C_WIDTH[kind] < entry.width if wide else kind != entry.c_type and not one):
                fault(f"{struct_name}.{entry.name} is {kind}; {entry.width} bits are {entry.c_type}")
        for member in members:
            fault(f"{struct_name}.{member} is not in the contract; add it there first")
    functions = ((f"{base}_reset", [f"{base} *"]), (f"{base}_outputs", [f"const {base} *", f"{base}_out *"]),
                 (f"{base}_step", [f"{base} *", f"const {base}_in *"]))
    if contract.combinational:
        functions = ((f"{base}_outputs", [f"const {base}_in *", f"{base}_out *"]),)
        for name_of_state in (base, f"{base}_reset", f"{base}_step"):
            if name_of_state in header.types or name_of_state in header.functions:
                fault(f"{name_of_state} is there; the block is combinational and has no state")
    for function, expected in functions:
        found = header.parameters(function)
        if found != expected:
            fault(f"{function} " + ("is missing" if found is None else f"takes ({', '.join(found)})")
                  + f"; it takes ({', '.join(expected)})")
    return faults


# -- all -----------------------------------------------------------------------------------------------------------

def check(name, place=None):
    """Faults of one block, as texts; empty if all agree."""
    place = place or Place()
    faults = []
    try:
        contract = place.contract(name)
        for configuration, values in configurations().items():
            if configuration in CONFIGURATIONS:
                sizes = overridden(configuration, SMALLER) if configuration == "full" else values
                if configuration == "full" or os.environ.get("PORTS_ALL"):
                    faults += check_rtl(place, contract, contract.configured(sizes), sizes, configuration)
                faults += check_header(place, contract, contract.configured(values), configuration)
        faults += vocabulary.check(contract, place.root)
    except (contracts.ContractError, ConfigError) as error:
        faults.append(str(error))
    return list(dict.fromkeys(faults))


PLANTED = (  # file, text, replacement, what the report must contain
    ("docs/contract/inbox.md", "| `out_take` | in |", "| `out_take` | out |", "port out_take is in of 1 bits"),
    ("docs/contract/inbox.md", "| `count` | 2 |", "| `count` | 3 |", "register count_q has 2 bits"),
    ("docs/contract/inbox.md", "| `tail` | WIDTH |", "| `tail` | 2xWIDTH |", "totem_inbox.tail has no elements"),
    ("docs/contract/inbox.md", "| `WIDTH` | 64 |", "| `WIDTH` | 32 |", "parameter WIDTH defaults to 64"),
    ("docs/contract/inbox.md", "| `out_take` | in | 1 |", "| `out_grab` | in | 1 |",
     "port out_take is not in the contract"),
    ("docs/contract/ram.md", "| `data` | DEPTHxWIDTH |", "| `data` | DEPTHx8 |", "memory data_q is 16x64"),
    ("rtl/lib/totem_inbox.v", "output wire             in_ready", "output wire [1:0]       in_ready",
     "in_ready is out of 2"),
    ("rtl/lib/totem_inbox.v", "    wire accept",
     "    reg extra_q;\n    always @(posedge clk) extra_q <= in_valid;\n    wire accept",
     "flip-flops are not in the state table: extra_q;"),
    ("rtl/lib/totem_inbox.v", "assign in_ready  = !count_q[1];",
     "reg extra;\n    always @(posedge clk) extra <= count_q[1];\n    assign in_ready = !extra;",
     "flip-flops are not in the state table: extra;"),
    ("rtl/lib/totem_inbox.v", "        head_d = head_q;", "", "has a latch"),
    ("rtl/lib/totem_inbox.v", "tail_q  <= tail_d;", "", "tail_q is not a flip-flop"),
    ("rtl/lib/totem_inbox.v", "    wire accept", "    assign out_valid = in_valid;\n    wire accept",
     "conflicting drivers"),
    ("rtl/lib/totem_inbox.v", "    wire accept", "    assign implicit = 1'b0;\n    wire accept", "implicitly declared"),
    ("rtl/lib/totem_inbox.v", "parameter WIDTH = 64 ", "parameter WIDTH = 64, parameter MORE = 1 ",
     "parameter MORE is not in"),
    ("cmodel/lib/totem_inbox.h", "uint8_t  count;", "bool  count;", "totem_inbox.count is bool"),
    ("cmodel/lib/totem_inbox.h", "    bool     out_take;\n", "", "totem_inbox_in.out_take is missing"),
    ("cmodel/lib/totem_inbox.h", "    uint64_t out_data;", "    uint64_t out_data;\n    bool extra;",
     "totem_inbox_out.extra is not"),
    ("cmodel/lib/totem_inbox.h", "totem_inbox_step(totem_inbox *s, const totem_inbox_in *i)",
     "totem_inbox_step(totem_inbox *s, totem_inbox_in *i)",
     "totem_inbox_step takes"),
    ("cmodel/lib/totem_inbox.h", "totem_inbox_reset", "totem_inbox_restart", "totem_inbox_reset is missing"),
    ("docs/contract/match.md", "Combinational.", "", "no State table"),
    ("docs/contract/inbox.md", "1. **Head.** ", "1. ", "entry 1 has no name"),
    ("docs/contract/inbox.md", "| `accept` | `in", "| `accepts` | `in", "term accepts is the name of nothing in RTL"),
    ("rtl/lib/totem_inbox.v", "// 2 Tail", "// 2 Back", "has no rule `2 Back`"),
    ("rtl/lib/totem_lists.v", "// 2 Return\n            LISTS_RETURN: phase_d = LISTS_REST;\n            // 3 Read",
     "// 3 Read\n            LISTS_RETURN: phase_d = LISTS_REST;\n            // 2 Return", "the comments of rules 2"),
    ("rtl/lib/totem_lists.v", "LISTS_LOOK: begin", "4'd3: begin", "a number as label for phase"),
    ("cmodel/lib/totem_lists.c", "    case LISTS_FOLLOW:", "    case 4:", "a number as label for phase"),
    ("rtl/lib/totem_inbox_properties.vh", "assert (count_q <= 2'd2)", "assert (1'b1)", "a property of 1 says nothing"),
    ("cmodel/lib/totem_inbox.h", "    // 3 Count\n", "", "rule 3 Count stands 0 times in C"),
    ("rtl/lib/totem_inbox.v", '`include "totem_inbox_properties.vh"\n', "",
     "does not include totem_inbox_properties.vh"),
    ("rtl/lib/totem_inbox_properties.vh", "initial assume (rst)", "initial assume (rst && in_valid)",
     "an initial property is no other"),
    ("rtl/lib/totem_inbox_properties.vh", "// 1 bound", "// 2 bound", "assert ends in `// 2 bound`"),
    ("rtl/lib/totem_match.v", "input  wire [WIDTH-1:0] ", "input wire clk, input wire [WIDTH-1:0] ",
     "port clk is not in the"),
    ("cmodel/lib/totem_match.h", "totem_match, 4, uint8_t", "totem_match, 5, uint8_t",
     "totem_match_in.valid has 5 elements"),
)


def self_test():
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in ("docs/contract", "rtl", "cmodel"):
            shutil.copytree(contracts.ROOT / part, Path(folder, part))
        place = Place(folder)
        for file, text, replacement, expected in PLANTED:
            path = Path(folder, file)
            original = path.read_text(encoding="utf-8")
            if text not in original:
                print(f"FAIL {file}: '{text}' is not there any more; adapt the planted fault")
                failed += 1
                continue
            path.write_text(original.replace(text, replacement, 1), encoding="utf-8")
            faults = check(re.search(r"(inbox|ram|match|lists)", path.name).group(1), place)
            path.write_text(original, encoding="utf-8")
            if any(expected in fault for fault in faults):
                passed += 1
            else:
                failed += 1
                print(f"FAIL {file}: '{replacement.strip()}' was not found; reported: {faults or 'nothing'}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def main(arguments):
    if arguments == ["--self-test"]:
        return self_test()
    if arguments and arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    names = arguments or contracts.blocks()
    passed = failed = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, faults in zip(names, pool.map(check, names)):
            for fault in faults:
                print(fault)
            print(f"{'FAIL' if faults else 'ok  '} {name}", flush=True)
            passed, failed = (passed, failed + 1) if faults else (passed + 1, failed)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
