#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the prover: arithmetic against Python, both sides' semantics against clang and Icarus, refusals, faults."""

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from aig import Aig, FALSE              # noqa: E402
from irexec import Machine              # noqa: E402
from irmem import Memory                # noqa: E402
from irtext import Module, Refused      # noqa: E402
import rtl                              # noqa: E402
import wiring                           # noqa: E402

results = []


def check(name, good, detail=""):
    results.append(bool(good))
    if not good:
        print(f"FAIL {name} {detail}")


def number(values, bits):
    return sum(((values[bit >> 1] ^ bit) & 1) << place for place, bit in enumerate(bits))


def arithmetic():
    rng = random.Random(7)
    for width in (1, 3, 8, 13):
        aig = Aig()
        a, b = aig.fresh(width, "a"), aig.fresh(width, "b")
        quotient, rest = aig.divide(a, b)
        top = 1 << width
        signed = lambda v: v - top if v >> (width - 1) else v       # noqa: E731
        claims = {
            "add": (aig.add(a, b), lambda x, y: (x + y) % top), "sub": (aig.sub(a, b), lambda x, y: (x - y) % top),
            "mul": (aig.mul(a, b), lambda x, y: x * y % top), "ult": ((aig.ult(a, b),), lambda x, y: x < y),
            "slt": ((aig.slt(a, b),), lambda x, y: signed(x) < signed(y)),
            "eq": ((aig.equal(a, b),), lambda x, y: x == y),
            "shl": (aig.shift(a, b, True), lambda x, y: (x << y) % top),
            "shr": (aig.shift(a, b, False), lambda x, y: x >> y),
            "div": (quotient, lambda x, y: x // y if y else None), "mod": (rest, lambda x, y: x % y if y else None),
            "ones": (aig.count_ones(a, 5), lambda x, y: bin(x).count("1")),
            "ctz": (aig.leading(a, 5, True), lambda x, y: (x & -x).bit_length() - 1 if x else width),
            "clz": (aig.leading(a, 5, False), lambda x, y: width - x.bit_length()),
            "pick": (aig.pick(a, [aig.const(i * 5 % 16, 4) for i in range(top)]), lambda x, y: x * 5 % 16),
        }
        for _ in range(200):
            x, y = rng.randrange(top), rng.choice([rng.randrange(top), rng.randrange(min(top, width + 2))])
            values = aig.simulate({bit >> 1: (v >> i) & 1 for v, bits in ((x, a), (y, b))
                                   for i, bit in enumerate(bits)}, 1)
            for name, (bits, wanted) in claims.items():
                want = wanted(x, y)
                if want is not None and number(values, bits) != int(want):
                    check(f"{name} of {width} bits", False, f"{x} {y}: {number(values, bits)} instead of {want}")
                    return
    check("arithmetic", True)


C_TEXT = """
#include <stdint.h>
#include <stdbool.h>
#include <string.h>
typedef struct { uint8_t small; uint16_t half[3]; uint32_t word; uint64_t wide[4]; bool flag[5];
                 struct { uint8_t a; uint32_t b; } inner[3]; } box;
static const uint32_t table[8] = {3, 1, 4, 1, 5, 926, 535, 0x80000001u};
static int search(const box *s, uint64_t key)
{ for (int i = 0; i < 4; i++) if (s->wide[i] == key) return i; return -1; }
static box changed(box s) { s.inner[1].b ^= 0x55; s.small++; return s; }
static uint64_t *choose(box *s, bool first) { return first ? &s->wide[0] : &s->wide[s->small & 3]; }
void test_step(box *s, const box *i)
{
    box n = *s;
    int at = search(s, i->wide[1]);
    if (at >= 0) n.wide[at] = i->wide[2] * 3; else n.flag[i->small % 5] = !n.flag[i->small % 5];
    for (int k = 0; k < 3; k++) {
        n.half[k] = (uint16_t)(s->half[(k + 1) % 3] + i->half[k]);
        if (i->inner[k].a > s->inner[k].a) n.inner[k] = i->inner[k];
        else if (i->flag[k]) break;
    }
    switch (i->small & 7) {
    case 0: n.word = i->word / 7; break;
    case 1: n.word = i->word % 1000; break;
    case 2: n.word = (uint32_t)((int32_t)i->word >> (s->small & 31)); break;
    case 3: n.word = table[s->small & 7] << (i->half[0] & 15); break;
    case 4: n.word = (uint32_t)__builtin_popcountll(i->wide[0]); break;
    case 5: n.word = i->wide[3] ? (uint32_t)__builtin_ctzll(i->wide[3]) : 99; break;
    case 6: n = changed(n); break;
    default: memset(n.half, i->small, sizeof n.half); break;
    }
    *choose(&n, i->flag[4]) += (uint64_t)(int8_t)i->small;
    n.word += (i->word << 5 | i->word >> 27) ^ (i->half[1] > i->half[2] ? i->half[1] : i->half[2]);
    *s = n;
}
"""


def model_side(folder):
    """The IR's execution against the compiled code, on random memory."""
    source = folder / "box.c"
    source.write_text(C_TEXT)
    main = folder / "main.c"
    main.write_text(C_TEXT + """
#include <stdio.h>
int main(void) { box s, i; while (fread(&s, sizeof s, 1, stdin) == 1 && fread(&i, sizeof i, 1, stdin) == 1) {
    test_step(&s, &i); fwrite(&s, sizeof s, 1, stdout); } return 0; }
""")
    subprocess.run(["clang-14", "-O1", str(main), "-o", str(folder / "box")], check=True)
    rng = random.Random(3)
    size = int(subprocess.run(["sh", "-c",
                               f"cd {folder} && printf '%s\\nunsigned long n = sizeof(box);' \"$(cat box.c)\" > n.c && "
                               "clang-14 -O1 -S -emit-llvm n.c -o - | sed -n 's/.*@n = .* i64 \\([0-9]*\\).*/\\1/p'"],
                              capture_output=True, text=True, check=True).stdout)
    for level in ("-O1", "-O2", "-Os"):
        text = subprocess.run(["clang-14", level, "-fno-vectorize", "-fno-slp-vectorize", "-fno-strict-aliasing", "-S",
                               "-emit-llvm", str(source), "-o", "-"], capture_output=True, text=True, check=True).stdout
        aig = Aig()
        machine = Machine(aig, Module(text))
        memory = Memory({})
        before, given = [aig.fresh(8, "s") for _ in range(size)], [aig.fresh(8, "i") for _ in range(size)]
        s, i = machine.allocate(memory, "s", before), machine.allocate(memory, "i", given)
        _, after = machine.run("@test_step", [s, i], memory)
        data = after.objects[s.ways[0][1]]
        blob, cases = b"", []
        for _ in range(120):
            case = []
            for _ in range(2):
                image = bytearray(rng.randrange(256) for _ in range(size))
                image[48:53] = bytes(rng.randrange(2) for _ in range(5))       # bool flag[5]
                case.append(bytes(image))
            if rng.random() < 0.5:      # let the search find something
                image = bytearray(case[1])
                image[24:32] = case[0][16 + 8 * rng.randrange(4):][:8]
                case[1] = bytes(image)
            cases.append(case)
            blob += case[0] + case[1]
        out = subprocess.run([str(folder / "box")], input=blob, capture_output=True, check=True).stdout
        used = [n for n in range(size) if n not in PADDING]
        for place, (x, y) in enumerate(cases):
            patterns = {}
            for image, words in ((x, before), (y, given)):
                for byte, bits in zip(image, words):
                    patterns.update({bit >> 1: (byte >> n) & 1 for n, bit in enumerate(bits)})
            values = aig.simulate(patterns, 1)
            wrong = [n for n in used if data[n] is not None and number(values, data[n]) != out[place * size + n]]
            if wrong:
                check(f"IR at {level}", False, f"case {place}, bytes {wrong[:8]}")
                break
        else:
            check(f"IR at {level}", True)
        bad = [condition for condition, _ in machine.access.obligations]
        values = aig.simulate({node: 0 for node in aig.inputs}, 1)
        check(f"obligations at {level}", not any(number(values, (bit,)) for bit in bad))


# box: small 0, half 2..7, word 8, wide 16..47, flag 48..52, inner from 56 with b at +4
PADDING = {1, 12, 13, 14, 15, 53, 54, 55} | {56 + 8 * n + k for n in range(3) for k in (1, 2, 3)}

V_TEXT = """
module totem_cells (input wire clk, input wire [7:0] a, input wire [7:0] b, input wire [2:0] s,
    input wire signed [5:0] c,
    input wire signed [5:0] d, input wire [31:0] w, output wire [255:0] y);
    reg [15:0] r, t; reg [31:0] m; integer i;
    always @* begin
        case (s) 0: r = a + b; 1: r = a - b; 2: r = a * b; 3: r = {a, b} >> s; 4: r = {8'd0, a} << b[3:0];
            5: r = {a < b, a <= b, a == b, a != b, a > b, a >= b};
            6: r = {&a, |a, ^a, ~^a, !a, a && b, a || b}; default: r = ~(a ^ b); endcase
        casez (a) 8'b1???_????: t = 1; 8'b01??_????: t = {13'd0, s}; 8'b0011_1???: t = b; default: t = a ~^ b; endcase
        m = w; m[s*4 +: 4] = b[3:0]; m[a[4:0]] = b[7];
        for (i = 0; i < 8; i = i + 1) if (a[i]) m = m ^ {24'd0, b} << i;
    end
    assign y = {r, t, m, w[s*4 +: 4], w[b[4:0]], c * d, c >>> s, $signed(a) >>> 2, c < d, c - d,
                 (a / (b | 8'd1)), (a % (b | 8'd1)),
        {4{s}}, a[5:2] == 4'd9, -a, +c, (s[0] ? a : b), c / 6'sd3, d % 6'sd5, w - {a, b}};
endmodule
"""


def rtl_side(folder):
    """The netlist's evaluation against Icarus, by words and by gates."""
    tree = folder / "rtl" / "lib"
    tree.mkdir(parents=True)
    (tree / "totem_cells.v").write_text(V_TEXT)
    rng = random.Random(5)
    vectors = [[rng.getrandbits(n) for n in (8, 8, 3, 6, 6, 32)] for _ in range(300)]
    lines = "".join(f"a={a};b={b};s={s};c={c};d={d};w=32'd{w};#1 $display(\"%h\",y);\n" for a, b, s, c, d, w in vectors)
    (folder / "tb.v").write_text(
        "module tb; reg [7:0] a, b; reg [2:0] s; reg signed [5:0] c, d; reg [31:0] w; wire [255:0] y;\n"
                                 "totem_cells u (.clk(1'b0), .a(a), .b(b), .s(s), .c(c), .d(d), .w(w), .y(y));\n"
                                 f"initial begin {lines} end endmodule\n")
    subprocess.run(["iverilog", "-g2005", "-o", str(folder / "tb"), str(folder / "tb.v"), str(tree / "totem_cells.v")],
                   check=True)
    shown = subprocess.run(["vvp", "-n", str(folder / "tb")], capture_output=True, text=True, check=True).stdout.split()
    for passes in ("", "techmap\nsimplemap\n"):
        module = rtl.elaborate(folder, "totem_cells", {}, folder, passes=passes)
        aig = Aig()
        netlist = rtl.Netlist(aig, module)
        for name, port in module["ports"].items():
            if port["direction"] == "input":
                netlist.bit.update(zip(port["bits"], aig.fresh(len(port["bits"]), name)))
        bits = netlist.vector(module["ports"]["y"]["bits"])
        wrong = None
        for place, vector in enumerate(vectors):
            patterns = {}
            for name, value in zip("absc" + "dw", vector):
                for n, net in enumerate(module["ports"][name]["bits"]):
                    patterns[netlist.bit[net] >> 1] = (value >> n) & 1
            values = aig.simulate(patterns, 1)
            if number(values, bits) != int(shown[place], 16):
                wrong = place
                break
        check("cells by " + ("gates" if passes else "words"), wrong is None and (netlist.free == 0 or passes),
              f"vector {wrong}")


def refusals():
    def refused(name, text, function="@f"):
        machine = Machine(Aig(), Module(text))
        try:
            machine.run(function, [machine.undefined_value(("int", 32))], Memory({}))
            check(name, False, "was not refused")
        except Refused:
            check(name, True)

    refused("loop without a bound",
            "define i32 @f(i32 %0) {\n  br label %2\n\n2:\n  %3 = phi i32 [ 0, %1 ], [ %4, %2 ]\n"
            "  %4 = add i32 %3, 1\n  %5 = icmp ult i32 %4, %0\n  br i1 %5, label %2, label %6\n\n6:\n  ret i32 %4\n}\n")
    refused("recursion", "define i32 @f(i32 %0) {\n  %2 = call i32 @f(i32 %0)\n  ret i32 %2\n}\n")
    refused("unknown function",
            "declare i32 @g(i32)\ndefine i32 @f(i32 %0) {\n  %2 = call i32 @g(i32 %0)\n  ret i32 %2\n}\n")
    refused("global variable",
            "@v = global i32 0\ndefine i32 @f(i32 %0) {\n  %2 = load i32, i32* @v\n  ret i32 %2\n}\n")
    aig = Aig()
    machine = Machine(aig, Module("define i32 @f(i32 %0) {\n  %2 = add nsw i32 %0, 1\n  %3 = xor i32 undef, undef\n"
                                  "  %4 = and i32 %2, %3\n  ret i32 %4\n}\n"))
    before = len(aig.inputs)
    machine.run("@f", [aig.fresh(32, "a")], Memory({}))
    check("undefined values are free, each for itself", len(aig.inputs) - before == 32 + 96)
    machine = Machine(aig, Module("define i32 @f(i32 %0) {\n  %2 = udiv i32 7, %0\n  ret i32 %2\n}\n"))
    machine.run("@f", [aig.fresh(32, "a")], Memory({}))
    check("division by zero is an obligation", any(bad != FALSE for bad, _ in machine.access.obligations))


def faults(folder):
    """The inbox: proved on every route; faults on both sides refuted; contract and ports that do not fit refused."""
    def prove(*options):
        out = folder / "out.json"
        out.unlink(missing_ok=True)
        run = subprocess.run([sys.executable, str(HERE / "prove.py"), "inbox", "--quiet", "--json", str(out), *options],
                             capture_output=True, text=True)
        return json.loads(out.read_text())["verdict"], run.stdout

    for options in (["--plant", "3"], ["-O", "2", "--gates", "-P", "WIDTH=7"], ["--sanitize"]):
        verdict, text = prove(*options)
        check(f"inbox {' '.join(options)}", verdict == "proved", text)
    header = (ROOT / "cmodel" / "lib" / "totem_inbox.h").read_text()
    module = (ROOT / "rtl" / "lib" / "totem_inbox.v").read_text()

    def c_with(old, new):
        assert old in header, old
        (folder / "totem_inbox.h").write_text(header.replace(old, new))
        return prove("--c", str(folder / "totem_inbox.h"))[0]

    def rtl_with(old, new):
        assert old in module, old
        (folder / "totem_inbox.v").write_text(module.replace(old, new))
        return prove("--rtl", str(folder / "totem_inbox.v"))[0]

    check("C: another bound", c_with("s->count < 2", "s->count < 3") == "FAILED")
    check("C: state outside of its width", c_with("s->count = (uint8_t)(s->count + accept - take);",
                                                  "s->count = (uint8_t)(s->count + accept - take "
                                                  "+ 4 * (s->count == 1));") == "FAILED")
    check("C: reset of another value", c_with("s->count = 0;", "s->count = 1;") == "FAILED")
    check("C: reset of what it leaves alone", c_with("s->count = 0;", "s->count = 0; s->head = 0;") == "FAILED")
    check("C: hidden state", c_with("uint8_t  count; //", "uint8_t hidden; uint8_t count; //") == "proved")
    check("C: index out of range", c_with("s->count = (uint8_t)(s->count + accept - take);",
                                          "{ static const uint8_t t[3] = {0, 1, 2}; "
                                          "s->count = (uint8_t)(t[s->count] + accept - take); }") == "FAILED")
    check("RTL: reset of what it leaves alone",
          rtl_with("count_q <= 2'd0;\n    end\n\n`ifdef",
                   "begin count_q <= 2'd0; head_q <= 0; end\n    end\n\n`ifdef") == "FAILED")
    check("RTL: x", rtl_with("head_d = count_q[1] ? tail_q : in_data;",
                             "head_d = count_q == 2 ? tail_q : count_q == 3 ? {WIDTH{1'bx}} : in_data;") == "FAILED")
    check("RTL: output looks at an input", rtl_with("assign out_data  = head_q;",
                                                    "assign out_data  = out_take ? tail_q : head_q;") == "FAILED")
    text = prove("--rtl", str(folder / "totem_inbox.v"))[1]
    check("its counterexample in words",
          re.search(r"^Mismatch in block inbox .*\n.*\n  output out_data +model \w+ +\| RTL \w+.*\n"
                    r"    rtl/lib/totem_inbox.v:\d+: assign out_data  = head_q;\nValues of that", text), text)
    check("RTL: register that the contract lacks",
          rtl_with("assign out_data  = head_q;",
                   "reg odd_q; always @(posedge clk) odd_q <= !odd_q;\n"
                   " assign out_data  = {WIDTH{odd_q}} ^ head_q;") == "error")
    check("RTL: another port", rtl_with("    input  wire             out_take\n",
                                        "    input  wire             out_take, input wire more\n") == "error")


def wires(folder):
    """The wiring of mini is proved; index off by one, swapped nets, dropped connection are refuted on each side."""
    options = wiring.arguments(["--config", "mini", "--quiet"])
    machine = wiring.Wiring(options, folder, lambda text: None)
    code, module = machine.model(), machine.netlist()

    def outcome(code, module):
        _, outcomes = wiring.decide(machine, code, module, options)
        return {item.verdict for item in outcomes}

    check("wiring", outcome(code, module) == {"proved"})

    def fault(name, file, old, new, wanted="refuted", behind=""):
        """The first `old` after the text `behind`: in C graphics pipes, which mini has not, stand in front."""
        text = (ROOT / file).read_text()
        at = text.index(old, text.index(behind))
        wrong = folder / Path(file).name
        wrong.write_text(text[:at] + text[at:].replace(old, new, 1))
        try:
            if file.endswith(".c"):
                found = outcome(machine.model(wrong), module)
            else:
                found = outcome(code, machine.netlist([wrong]))
        except wiring.FAILED as error:
            found = {"error", str(error)} if wanted == "error" else {str(error)}
        check(f"wiring, {Path(file).name}: {name}", wanted in found, str(found))

    c, fe, front = "build/generated/cmodel/top/totem_machine.c", "rtl/top/totem_fe.v", "rtl/top/totem_front.v"
    fault("index off by one", c, "i->read_addr[p * 2 + 1] = fe->pipe[p].front.poll",
          "i->read_addr[p * 2] = fe->pipe[p].front.poll")
    fault("nets swapped", c, "i->fetch_busy = front->fetch.busy;\n    i->hqd_busy = front->hqd.busy;",
          "i->fetch_busy = front->hqd.busy;\n    i->hqd_busy = front->fetch.busy;", behind="void totem_wire_pipe_idle(")
    fault("connection dropped", c, "    COPY(i->poll_once, front->poll.once);\n", "",
          behind="void totem_wire_pipe_idle(")
    once = "            step_poll(s, o, x, f, p, n);\n"
    fault("two steps", c, once, 2 * once)
    fault("left out whatever its inputs are", c,
          "(seen)->still && memcmp(&(seen)->in, &(inputs), sizeof(inputs)) == 0", "(seen)->still")
    fault("outputs left out of a block that changes", c, "n->events.shown = !n->events.still;",
          "n->events.shown = !n->events.known;")
    fault("part left out", c, "        totem_fe_idle_outputs(&i, &o->fe[f].fe_idle);\n", "")
    fault("index off by one", fe, "= memory_read_ready[p*2+1];", "= memory_read_ready[p*2];")
    fault("net with two drivers", fe, "memory_read_addr[(p*2+1)*40 +: 40] = poll",
          "memory_read_addr[(p*2)*40 +: 40] = poll", "error")
    fault("bit off by one", fe, "= fetch_read_beats[p*5 +: 5]",
          "= {fetch_read_beats[p*5], fetch_read_beats[p*5+1 +: 4]}")
    fault("nets swapped", front, ".fetch_busy(fetch_busy),\n        .hqd_busy(hqd_busy)",
          ".fetch_busy(hqd_busy),\n        .hqd_busy(fetch_busy)")
    fault("connection dropped", front, ".fetch_pending(fetch_pending),\n        .poll_once",
          ".fetch_pending(),\n        .poll_once")
    fault("another size", front, ".DEPTH(QUEUES*64)) window_ram", ".DEPTH(QUEUES*32)) window_ram", "error")


def main():
    with tempfile.TemporaryDirectory(prefix="totem-equiv-self-") as scratch:
        folder = Path(scratch)
        arithmetic()
        model_side(folder)
        rtl_side(folder)
        refusals()
        faults(folder)
        wires(folder)
    good = sum(results)
    print(f"{good} passed, {len(results) - good} failed")
    return 0 if good == len(results) else 1


if __name__ == "__main__":
    sys.exit(main())
