# SPDX-License-Identifier: Apache-2.0
"""Kernels of tinygrad as programs of the cores behind the wave interface (docs/core.md).

tinygrad's Clang renderer writes the body of a kernel for one thread. A core runs all threads of its wave one after the
other, so the body stands in a loop. A barrier ends the loop, and another one begins behind it: what that one needs of
the values in front of the barrier it computes again, from loads and arithmetic alone.
"""

import hashlib
import subprocess
import tempfile
from pathlib import Path

from tinygrad.device import Compiler, CompileError
from tinygrad.dtype import AddrSpace, dtypes
from tinygrad.renderer.cstyle import ClangRenderer, CStyleLanguage, base_rewrite
from tinygrad.uop.ops import Ops, PatternMatcher, UPat

TOP = Path(__file__).resolve().parents[2]
KERNELS, PARTS = TOP / "tb" / "core" / "kernels", TOP / "build" / "framework"
PRIVATE, CALLS = 2048, 512      # bytes of a core's stack; what libgcc takes of them
LDS, CORES, LANES = 4096, 4, 32  # bytes of a group, cores of an engine, threads of a wave
FLAGS = ["--target=riscv32-unknown-elf", "-march=rv32im", "-mabi=ilp32", "-mcmodel=medany", "-mno-relax", "-O2",
         "-ffreestanding", "-fno-jump-tables", "-ffp-contract=off", "-fno-math-errno", "-Wno-everything",
         "-Wframe-larger-than=" + str(PRIVATE - CALLS), "-Werror=frame-larger-than",
         f"-include{KERNELS / 'totem_kernel.h'}"]
LOOP = "for (uint32_t thread = WAVE * LANES, end = thread + THREADS; thread < end; thread++) {"


class RV32Compiler(Compiler):
    """C to bytes of LDS, 4 bytes, and an object, which is linked when it is loaded, at its address."""

    def __init__(self):
        header = (KERNELS / "totem_kernel.h").read_bytes()
        super().__init__("compile_totem_" + hashlib.sha256(header + repr(FLAGS).encode()).hexdigest()[:16])

    def compile(self, src):
        made = subprocess.run(["clang-14", *FLAGS, "-xc", "-c", "-", "-o", "-"], input=src.encode(),
                              capture_output=True, check=False)
        if made.returncode:
            errors = [line for line in made.stderr.decode().splitlines() if "error:" in line]
            raise CompileError("the kernel does not compile for the cores: " + "; ".join(errors) + "\n" + src)
        return int(src[len("// LDS "):src.index("\n")]).to_bytes(4, "little") + made.stdout


def link(name, binary, address):
    """The program as it lies at this address."""
    with tempfile.TemporaryDirectory() as folder:
        kernel, linked, out = (Path(folder) / kind for kind in ("kernel.o", "kernel.elf", "kernel.bin"))
        kernel.write_bytes(binary)
        for command in (["ld", "-m", "elf32lriscv", "--no-relax", f"--defsym=BASE={address}", "-T",
                         KERNELS / "kernel.ld", PARTS / "start.o", kernel, PARTS / "floats.o", PARTS / "libgcc.a",
                         "-o", linked], ["objcopy", "-O", "binary", linked, out]):
            made = subprocess.run([f"riscv64-unknown-elf-{command[0]}", *command[1:]], capture_output=True, check=False)
            if made.returncode:
                raise CompileError(f"{name} cannot be linked: {made.stderr.decode()}")
        return out.read_bytes()


def buffer_of(uop):
    """The buffer that an address lies in."""
    while uop.op not in (Ops.BUFFER, Ops.PARAM) and uop.src:
        uop = uop.src[0]
    return uop


def phases(uops):
    """The uops between the barriers, with those in front that they compute again."""
    depth, parts, written = 0, [[]], set()
    for uop in uops:
        depth += (uop.op in (Ops.RANGE, Ops.IF)) - (uop.op in (Ops.END, Ops.ENDIF))
        if uop.op is not Ops.BARRIER:
            parts[-1].append(uop)
        elif depth:
            raise CompileError("a barrier in a loop: the threads of a wave run one after the other")
        else:
            parts.append([])
    for number, part in enumerate(parts):
        own, needed, todo = set(part), set(), list(part)
        while todo:
            uop = todo.pop()
            if uop in needed or uop.op is Ops.BARRIER:
                continue
            needed.add(uop)
            if uop.op in (Ops.AFTER, Ops.RANGE):    # what else they name is order; that of phases is kept
                todo += [uop.src[0]] + [source for source in uop.src[1:] if source in own]
            elif uop.op is not Ops.SINK:
                todo += uop.src
            if (uop not in own and uop.op in (Ops.STORE, Ops.RANGE, Ops.END, Ops.IF, Ops.ENDIF)) or \
                    (uop.op is Ops.LOAD and buffer_of(uop.src[0]) in written):
                raise CompileError("behind a barrier a sum of the thread is needed that stands in front of it")
        written |= {buffer for uop in part if uop.op is Ops.STORE and
                    (buffer := buffer_of(uop.src[0])).addrspace is AddrSpace.REG}
        yield [uop for one in parts[:number + 1] for uop in one if uop in needed]


class RV32Renderer(ClangRenderer):
    """The Clang renderer, with groups, LDS and barriers."""
    has_local, has_threads = True, False
    global_max, local_max, shared_max = (0x7fffffff, 0xffff, 0xffff), (1024, 1024, 1024), LDS
    type_map = {**ClangRenderer.type_map, dtypes.int64: "long long", dtypes.uint64: "unsigned long long"}
    barrier = '__asm__ volatile("" ::: "memory"); barrier(); __asm__ volatile("" ::: "memory");'
    string_rewrite = PatternMatcher([(UPat(Ops.SPECIAL, name="x"), lambda ctx, x: ctx.render_special(x))]) + \
        base_rewrite

    def __init__(self, target):
        CStyleLanguage.__init__(self, target)
        self.compiler = RV32Compiler()

    def supported_dtypes(self):
        return super().supported_dtypes() - {dtypes.half, dtypes.bfloat16}

    def render_special(self, uop):
        """Number of the group in a dimension, or of the thread in its group."""
        dimension = int(uop.arg[-1])
        if uop.arg[0] == "g":
            return ("GROUP_X", "GROUP_Y", "GROUP_Z")[dimension] + ";"
        below = 1
        for size in self.sizes[:dimension]:
            below *= size
        return f"thread / {below} % {self.sizes[dimension]};"

    def render_buffer(self, x):
        if x.addrspace is not AddrSpace.LOCAL:
            return super().render_buffer(x)
        kind = self._render_dtype(x.dtype)
        return f"{kind} *{self[x]} = ({kind} *)(uintptr_t)(0xf0000000u + {self.places[x]});"

    def render(self, uops):
        sizes = {uop.arg: uop.src[0].vmax for uop in uops if uop.op is Ops.SPECIAL and uop.arg[0] == "l"}
        self.sizes = [sizes.get(f"lidx{n}", 1) for n in range(3)]
        self.places, self.lds = {}, 0
        for uop in uops:
            if uop.op is Ops.BUFFER and uop.addrspace is AddrSpace.LOCAL:
                self.places[uop] = self.lds
                self.lds += -(-uop.max_numel() * uop.dtype.itemsize // 16) * 16
        parts = list(phases(uops))
        threads = self.sizes[0] * self.sizes[1] * self.sizes[2]
        if len(parts) > 1 and threads > CORES * LANES:
            raise CompileError(f"a barrier in a group of {threads} threads; the cores take {CORES * LANES}")
        if self.lds > LDS:
            raise CompileError(f"{self.lds} bytes of LDS; a group has {LDS}")
        name, _, bufs = self._render(uops)
        body = []
        for number, part in enumerate(parts):
            body += ["  " + self.barrier] * (number > 0) + ["  " + LOOP] + self._render(part)[1] + ["  }"]
        return f"// LDS {self.lds}\n" + self.render_kernel(name, body, bufs, uops)

    def _render_entry(self, function_name, bufs):
        """Arguments lie as tinygrad's CLikeArgsState has them: 8 bytes each buffer, then values."""
        at, words = 0, []
        for _, (uop, mutable) in bufs:
            size = uop.dtype.itemsize if uop.addrspace is AddrSpace.ALU else 8
            at = -(-at // size) * size
            kind = self._render_dtype(uop.dtype, sz=1, addrspace=uop.addrspace, mutable=mutable, shape=uop._shape)
            words.append(f"*({kind} *)(USER_DATA(0) + {at})")
            at += size
        return f"void wave(void) {{ {function_name}({', '.join(words)}); }}\n"
