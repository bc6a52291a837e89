# SPDX-License-Identifier: Apache-2.0
"""The C side: compiles a block's model to LLVM IR and finds where each name of the contract lies in its structs.

Only clang's IR is executed; the layout comes from offsetof and sizeof in the same compilation, so padding and types
are clang's and not a second opinion. Bytes of a struct that no row of the contract covers become free inputs.
"""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import gen_config
from irtext import Module

OPTIMISATION = {"1": ["-O1"], "2": ["-O2"]}
FLAGS = ["-std=c11", "-S", "-emit-llvm", "-fno-vectorize", "-fno-slp-vectorize", "-fno-unroll-loops",
         "-fno-strict-aliasing", "-fno-stack-protector", "-mgeneral-regs-only", "-Wno-everything"]
SANITIZE = ["-fsanitize=undefined", "-fsanitize-trap=undefined",
            "-fno-sanitize=alignment,null,object-size,pointer-overflow,vptr,function"]
CLANG = "clang-14"


class SourceError(Exception):
    """The C model cannot be taken into the proof; the text says why."""


@dataclass
class Field:
    offset: int
    stride: int         # bytes from element to element
    size: int           # bytes of one element
    elements: int       # None for a single word
    width: int


@dataclass
class Model:
    module: Module
    sizes: dict         # 'state', 'in', 'out' -> bytes
    state: dict         # name -> Field
    inputs: dict
    outputs: dict
    has_invariant: bool
    has_assume: bool
    has_inputs: bool
    has_outputs: bool
    files: list


def _run(command, what, folder):
    run = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if run.returncode:
        text = (run.stderr or run.stdout).replace(str(folder) + "/", "")
        raise SourceError(f"{what}: {text.strip()[:2000]}")
    return run.stdout


def _find(root, area, block):
    base = Path(root) / "cmodel" / area / f"totem_{block}"
    files = [base.with_suffix(suffix) for suffix in (".h", ".c") if base.with_suffix(suffix).exists()]
    if not files:
        raise SourceError(f"no file cmodel/{area}/totem_{block}.h")
    return files


def _includes(root, area):
    base = Path(root) / "cmodel"
    folders = [base, base / area] + sorted(item for item in base.glob("*") if item.is_dir())
    return [f"-I{item}" for item in dict.fromkeys(folders)]


def parameters(root, names, config, folder):
    """Values of TOTEM_<NAME> in the configuration, for those names that have one."""
    header = Path(root) / "cmodel" / "lib" / "totem_config.h"
    if not header.exists() or not names:
        return {}
    lines = [f'#include "{header}"']
    for name in names:
        lines += [f"#ifdef TOTEM_{name}",
                  f"const unsigned long long equiv_{name} = (unsigned long long)(TOTEM_{name});",
                  "#endif"]
    path = Path(folder) / "parameters.c"
    path.write_text("\n".join(lines) + "\n")
    text = _run([CLANG, *FLAGS, "-O1", *_defines(config), str(path), "-o", "-"], "clang", folder)
    return {name: int(value) for name, value in re.findall(r"@equiv_(\w+) = .*?constant i64 (-?\d+)", text)}


def _defines(config):
    if isinstance(config, Path):        # the header itself (configured)
        return ["-include", str(config)]
    return [f"-DTOTEM_CONFIG_{config.upper()}"] if config else []


def configured(config, overrides, folder):
    """What stands for the configuration in which some sizes have other values: its name, or its header."""
    known = gen_config.configurations()[config]
    overrides = {name: value for name, value in overrides.items() if name in known}
    if not overrides:
        return config
    path = Path(folder) / "totem_config.h"
    verilog, header = gen_config.single("", config, gen_config.overridden(config, overrides))
    path.write_text(header, encoding="utf-8")
    path.with_suffix(".vh").write_text(verilog, encoding="utf-8")       # that of the RTL: rtl.elaborate
    return path


def _forms(name, elements):
    """Ways an array of the contract may be written in C: a.b (an array) or a[..].b (an array of structs)."""
    parts = name.split(".")
    forms = [("plain", name)]
    if elements is not None:
        for at in range(len(parts) - 1):
            forms.append(("struct", ".".join(parts[:at + 1]), ".".join(parts[at + 1:])))
    return forms


def build(root, block, contract, config, optimisation, folder, sources=None, sanitize=False):
    """Compile and lay out. `sources` replaces the block's own files (for planted faults)."""
    root, folder = Path(root), Path(folder)
    files = [Path(item) for item in sources] if sources else _find(root, contract.area, block)
    body = next((item for item in files if item.suffix == ".c"), None)
    head = next((item for item in files if item.suffix == ".h"), None)
    include = [f"-I{head.parent}"] if head and sources else []
    include += _includes(root, contract.area)
    name = f"totem_{block}"
    text = "\n".join(item.read_text(encoding="utf-8") for item in files)
    rows = [("state", name, item) for item in contract.state]
    rows += [("in", f"{name}_in", item) for item in contract.inputs]
    rows += [("out", f"{name}_out", item) for item in contract.outputs]
    lines = ["#include <stddef.h>", "#include <stdint.h>", f'#include "{(head or body).name}"']
    if body and head:
        lines.append(f'#include "{body.resolve()}"')

    def present(function):
        return re.search(rf"\b{function}\s*\(", text) is not None

    flags = [*_defines(config), *include]
    probes = []
    for number, (_, struct, item) in enumerate(rows):
        for form, choice in enumerate(_forms(item.name, item.elements)):
            lvalue = f"(({struct} *)0)->{choice[1]}" + (f"[0].{choice[2]}" if choice[0] == "struct" else "")
            probes.append((number, form, choice, f"unsigned long probe_{number}_{form} = sizeof({lvalue});"))
    usable = _probe(lines, [probe[3] for probe in probes], flags, folder)
    chosen = {}
    for good, (number, form, choice, _) in zip(usable, probes):
        if good and number not in chosen:
            chosen[number] = choice
    table = []
    for number, (_, struct, item) in enumerate(rows):
        if number not in chosen:
            raise SourceError(f"struct {struct} has no member '{item.name}' as the contract says")
        choice = chosen[number]
        base = f"(({struct} *)0)->{choice[1]}"
        if choice[0] == "plain":
            offset = f"__builtin_offsetof({struct}, {choice[1]})"
            table += [offset, f"sizeof({base})", "0", "0"]
        else:
            offset = f"__builtin_offsetof({struct}, {choice[1]}[0].{choice[2]})"
            table += [offset, f"sizeof({base}[0].{choice[2]})", f"sizeof({base}[0])", f"sizeof({base})"]
    structs = {} if contract.combinational else {"state": name}
    if contract.inputs:
        structs["in"] = f"{name}_in"
    if contract.outputs:
        structs["out"] = f"{name}_out"
    for struct in structs.values():
        table.append(f"sizeof({struct})")
    wrapper = list(lines)
    wrapper.append("const unsigned long equiv_layout[] = {"
                   + ", ".join(f"(unsigned long)({item})" for item in table) + "};")
    takes = f", const {name}_in *i" if contract.inputs else ""
    passes = ", i" if contract.inputs else ""
    given = f"{name}_in" if contract.combinational else name    # what the outputs are functions of
    if not contract.combinational:
        wrapper.append(f"void equiv_step({name} *s{takes}) {{ {name}_step(s{passes}); }}")
        wrapper.append(f"void equiv_reset({name} *s) {{ {name}_reset(s); }}")
    if contract.outputs:
        wrapper.append(f"void equiv_outputs(const {given} *s, {name}_out *o) {{ {name}_outputs(s, o); }}")
    has_invariant, has_assume = present(f"{name}_invariant"), present(f"{name}_assume")
    if has_invariant:
        wrapper.append(f"_Bool equiv_invariant(const {name} *s) {{ return {name}_invariant(s); }}")
    if has_assume:
        wrapper.append(f"_Bool equiv_assume(const {name} *s{takes}) {{ return {name}_assume(s{passes}); }}")
    path = folder / "model.c"
    path.write_text("\n".join(wrapper) + "\n")
    options = [CLANG, *FLAGS, *OPTIMISATION[optimisation], *flags]
    if sanitize:
        options += SANITIZE
    _run([*options, str(path), "-o", str(folder / "model.ll")], "clang", folder)
    others = _companions(path, flags, body, folder)
    if others:
        linked = [str(folder / "model.ll")]
        for number, other in enumerate(others):
            _run([*options, str(other), "-o", str(folder / f"part{number}.ll")], "clang", folder)
            linked.append(str(folder / f"part{number}.ll"))
        _run(["llvm-link-14", "-S", *linked, "-o", str(folder / "model.ll")], "llvm-link", folder)
    module = Module((folder / "model.ll").read_text())
    _, numbers = module.global_value("@equiv_layout")
    values = [item[1] for item in numbers[1]]
    fields = {"state": {}, "in": {}, "out": {}}
    for number, (kind, struct, item) in enumerate(rows):
        offset, size, step, whole = values[4 * number:4 * number + 4]
        count = item.elements or 1
        if chosen[number][0] == "plain":
            if size % count:
                raise SourceError(f"member {item.name} of {struct} is not an array of {count} elements")
            step = size = size // count
        elif whole != step * count:
            raise SourceError(
                f"member {chosen[number][1]} of {struct} has {whole // step} elements, the contract {count}")
        if size not in (1, 2, 4, 8) or 8 * size < item.width:
            raise SourceError(f"member {item.name} of {struct} has {size} bytes an element for {item.width} bits "
                              f"({count} element(s) in the contract)")
        fields[kind][item.name] = Field(offset, step, size, item.elements, item.width)
    sizes = dict(zip(structs, values[4 * len(rows):]))
    return Model(module, sizes, fields["state"], fields["in"], fields["out"], has_invariant, has_assume,
                 bool(contract.inputs), bool(contract.outputs), files + others)


def _probe(lines, probes, flags, folder):
    """Which of the declarations compile. One run of clang; errors are told apart by their line."""
    path = Path(folder) / "probe.c"
    path.write_text("\n".join(lines + probes) + "\n")
    run = subprocess.run([CLANG, "-std=c11", "-fsyntax-only", "-ferror-limit=0", "-fno-caret-diagnostics",
                          "-Wno-everything", *flags, str(path)], capture_output=True, text=True, timeout=120)
    bad = set()
    for line in run.stderr.splitlines():
        match = re.match(r"(.*?):(\d+):\d+: (?:fatal )?error: (.*)", line)
        if match:
            number = int(match.group(2)) - 1 - len(lines)
            if Path(match.group(1)) != path or number < 0:
                raise SourceError(line.replace(str(folder) + "/", ""))
            bad.add(number)
    return [number not in bad for number in range(len(probes))]


def _companions(path, flags, body, folder):
    """Other .c files whose headers the block includes: they are compiled and linked in."""
    text = _run([CLANG, "-std=c11", "-MM", *flags, str(path)], "clang", folder).replace("\\\n", " ")
    seen, result = {body.resolve() if body else None}, []
    queue = text.split(":", 1)[1].split()
    while queue:
        item = Path(queue.pop())
        if item.suffix == ".h":
            twin = item.with_suffix(".c").resolve()
            if twin.exists() and twin not in seen:
                seen.add(twin)
                result.append(twin)
                more = _run([CLANG, "-std=c11", "-MM", *flags, str(twin)], "clang", folder).replace("\\\n", " ")
                queue.extend(more.split(":", 1)[1].split())
    return sorted(result)
