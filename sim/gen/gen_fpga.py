#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the self-check of one top of fpga/tops.yaml, in Verilog and in C, from the contract of its block.

    python3 sim/gen/gen_fpga.py TOP FOLDER    writes into FOLDER
        totem_selfcheck.v   random bits, draws and rules, input registers, the block, and the fold of its outputs
        selfcheck.c         the same in C, with the block's twin (fpga/check.h)
        totem_alone.v       the block between registers, to measure it alone
        config.h            the top's sizes in place of cmodel/lib/totem_config.h
    python3 sim/gen/gen_fpga.py --list        name, fault, C files of every top, one a line
"""

import re
import sys
from pathlib import Path

import yaml

import contract
import gen_config
from gen_lockstep import Layout

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "fpga" / "tops.yaml"
KEYS = {"block", "configuration", "parameters", "clocks", "seed", "draws", "rules", "reset", "work", "never", "path",
        "fault", "sources"}
NAME = re.compile(r"0x[0-9a-fA-F]+|\d+|[A-Za-z_][\w.]*(?:\[\d+\])?")


def fail(what, remedy):
    sys.exit(f"fpga/tops.yaml: {what}; {remedy}")


def tops():
    """{name: row}, checked for unknown keys."""
    data = yaml.load(TABLE.read_text(encoding="utf-8"), gen_config.Unique)["tops"]
    for name, row in data.items():
        if set(row) - KEYS or "block" not in row:
            fail(f"top {name} has no block or unknown keys {sorted(set(row) - KEYS)}",
                 f"known: {', '.join(sorted(KEYS))}")
        if not 1 <= row.get("clocks", 0) < 1 << 31:
            fail(f"top {name}: clocks", "write 1 to 2^31 - 1")
    return data


def sizes(row):
    """The values of the top's configuration, with its own parameters and what follows from them."""
    base = row.get("configuration", "full")
    known = gen_config.configurations()
    if base not in known:
        fail(f"no configuration '{base}'", f"known: {', '.join(known)}")
    values, own = dict(known[base]), row.get("parameters", {})
    values.update(own)
    for key, expression in gen_config.derived().items():
        if key not in own:
            values[key] = contract.evaluate(expression, values)
    return values


def splitmix(number):
    """A 64-bit number that looks random; never 0 here."""
    mask = (1 << 64) - 1
    word = (number * 0x9e3779b97f4a7c15 + 0x9e3779b97f4a7c15) & mask
    word = ((word ^ word >> 30) * 0xbf58476d1ce4e5b9) & mask
    word = ((word ^ word >> 27) * 0x94d049bb133111eb) & mask
    return (word ^ word >> 31) or 1


def span(bits):
    return "" if bits == 1 else f"[{bits - 1}:0] "


def part(name, port, element):
    """Element of a flattened Verilog word."""
    if not port.elements or port.elements == 1:
        return name
    return f"{name}[{element}]" if port.width == 1 else f"{name}[{element * port.width} +: {port.width}]"


class Top:
    def __init__(self, name):
        table = tops()
        if name not in table:
            sys.exit(f"fpga: there is no top '{name}'; tops: {', '.join(table)}")
        self.name, self.row = name, table[name]
        self.block = self.row["block"]
        self.values = sizes(self.row)
        self.layout = Layout(self.block, self.values, {})
        self.resolved = self.layout.resolved
        self.inputs = {port.name: port for port in self.resolved.inputs}
        self.outputs = {port.name: port for port in self.resolved.outputs}
        for section in ("draws", "rules", "reset"):
            for port in self.row.get(section, {}):
                if port not in self.inputs:
                    fail(f"top {name}, {section}: block {self.block} has no input '{port}'", "correct the row")
        self.random = 0
        self.draws = {port.name: self.draw(port) for port in self.resolved.inputs}
        self.lanes = max(1, (self.random + 63) // 64)

    def draw(self, port):
        """(kind, number, first random bit)"""
        # The row goes before the contract's section Stimuli. Of that only rates count: values that never come would let
        # synthesis take a part of the block away.
        kind, number = self.resolved.stimuli.get(port.name, ("any", None))
        known = f"{kind} {number}" if kind in ("one_in", "not_in") else "any"
        text = str(self.row.get("draws", {}).get(port.name, known)).strip()
        kind, _, rest = text.partition(" ")
        if kind not in contract.DRAWS:
            kind, rest = "constant", text
        what, rest = f"top {self.name}: draw '{text}' of {port.name}", rest.strip()
        if not re.fullmatch("" if kind == "any" else r"0|[1-9]\d*|0x[0-9a-fA-F]+", rest):
            fail(f"{what} is not known", "see the head of the file")
        number = int(rest, 0) if rest else None
        wrong = contract.draw_fault(kind, number, port.width) if rest else None
        if wrong:
            fail(f"{what} {wrong[0]}", wrong[1])
        if kind in ("few", "low") and number > port.width:
            fail(f"{what} has more bits than the port, {port.width}", "correct the number")
        each = {"any": port.width, "few": number, "low": number, "constant": 0}.get(kind)
        if each is None:    # one_in, not_in
            each = port.width * (number.bit_length() - 1)
        at = self.random
        self.random += each * (port.elements or 1)
        return kind, number, at

    # -- names of rules, in both languages

    def translate(self, text, number, name, element):
        """The expression with every number and every name in the form of one language."""
        def one(match):
            word = match.group(0)
            return number(int(word, 0)) if word[0].isdigit() else name(word, element)
        return NAME.sub(one, text)

    def known(self, word, element):
        """(port, element) that a name means."""
        match = re.fullmatch(r"([a-z_]\w*)(?:\[(\d+)\])?", word)
        port = match and (self.inputs.get(match.group(1)) or self.outputs.get(match.group(1)))
        if not port:
            fail(f"top {self.name}: '{word}' is no port, parameter, draw or clock", "correct the rule")
        if match.group(2):
            element = int(match.group(2))
        if port.elements and (element is None or element >= port.elements):
            fail(f"top {self.name}: '{word}' is an array here", "write an element, as in name[0]")
        return port, element if port.elements else None

    def verilog(self, text, element=None, draw=None):
        def name(word, place):
            if word in self.values:
                return f"64'd{self.values[word]}"
            if word == "clock":
                return "{32'd0, clock}"
            if word == "draw":
                port, own, signal = draw, place, f"draw_{draw.name}"
            else:
                port, own = self.known(word, place)
                signal = f"{port.name}_q" if port.name in self.inputs else f"out_{port.name}"
            found = part(signal, port, own)
            return found if port.width in (1, 64) else f"{{{64 - port.width}'d0, {found}}}"
        return self.translate(text, lambda value: f"64'd{value}", name, element)

    def c(self, text, element=None):
        def name(word, place):
            if word in self.values:
                return f"UINT64_C({self.values[word]})"
            if word == "clock":
                return "c->clock"
            if word == "draw":
                return "draw"
            if word.startswith("state."):
                return f"(uint64_t)c->block.{word[6:]}"
            port, own = self.known(word, place)
            side = "in" if port.name in self.inputs else "out"
            return f"(uint64_t)c->{side}.{port.name}" + (f"[{own}]" if port.elements else "")
        return self.translate(text, lambda value: f"UINT64_C({value})", name, element)

    def instance(self):
        chosen = [f"        .{key}({value})" for key, value in self.resolved.parameters.items()]
        return f"    totem_{self.block} #(\n" + ",\n".join(chosen) + "\n    ) block (\n"

    # -- Verilog

    def verilog_draw(self, port):
        kind, number, at = self.draws[port.name]
        bits = port.bits
        if kind == "constant":
            return "{" + ", ".join([f"{port.width}'d{number}"] * (port.elements or 1)) + "}"
        if kind == "any":
            return f"random[{at} +: {bits}]"
        if kind in ("one_in", "not_in"):
            fields = [f"random[{at + n * bits} +: {bits}]" for n in range(number.bit_length() - 1)]
            return ("~(" if kind == "not_in" else "(") + " & ".join(fields) + ")"
        words = []
        for element in range(port.elements or 1):
            first = at + element * number
            if kind == "low":
                pad = f"{port.width - number}'d0, " if port.width > number else ""
                words.append(f"{pad}random[{first} +: {number}]")
            else:
                times, rest = divmod(port.width, number)
                begin = f"random[{first} +: {rest}], " if rest else ""
                words.append(begin + f"{{{times}{{random[{first} +: {number}]}}}}")
        return "{" + ", ".join(reversed(words)) + "}"

    def verilog_rule(self, text, port, signal, draw):
        lines = [f"    wire {span(port.bits)}{signal};"]
        for element in range(port.elements or 1):
            value = self.verilog(text, element if port.elements else None, draw)
            place = part(signal, port, element)
            if port.width == 1:
                lines.append(f"    assign {place} = |({value});")
                continue
            wide = f"wide_{signal}" + (f"_{element}" if port.elements else "")
            lines.append(f"    wire [63:0] {wide} = {value};")
            lines.append(f"    assign {place} = {wide}[{port.width - 1}:0];")
            if port.width < 64:
                lines.append(f"    wire unused_{wide} = &{{1'b0, {wide}[63:{port.width}]}};")
        return lines

    def selfcheck(self):
        rules, reset = self.row.get("rules", {}), self.row.get("reset", {})
        words = (self.layout.bits + 63) // 64
        levels = []
        while words > 1:
            words = (words + 3) // 4
            levels.append(words)
        out = [f"""// SPDX-License-Identifier: Apache-2.0
//
// Generated by sim/gen/gen_fpga.py for top {self.name}. Do not edit.
//
// totem_selfcheck: totem_{self.block} with random inputs, and its outputs folded into a signature that is
// compared with the C model's. {self.random} random bits a clock, {self.layout.bits} bits of outputs.

`default_nettype none
`include "totem_expected.vh"

module totem_selfcheck #(
    parameter [31:0]  CLOCKS   = `TOTEM_CHECK_CLOCKS,
    parameter [63:0]  EXPECTED = `TOTEM_CHECK_EXPECTED,
    parameter [511:0] MARKS    = `TOTEM_CHECK_MARKS,
    parameter         PLANT    = 0      // 1: a bit of the outputs is flipped in the middle clock
) (
    input  wire        clk,
    input  wire        restart,
    input  wire        plant,           // flips that bit while it is 1
    output wire        running,
    output wire        pass,
    output wire        fail,
    output wire [4:0]  first,
    output wire [63:0] signature,
    output wire [31:0] folded
);
    wire        reset;
    wire [31:0] clock;
    reg  [63:0] word;

    totem_check #(
        .CLOCKS(CLOCKS),
        .LATENCY({len(levels) + 1}),
        .EXPECTED(EXPECTED),
        .MARKS(MARKS)
    ) check (
        .clk(clk),
        .restart(restart),
        .reset(reset),
        .clock(clock),
        .running(running),
        .word(word),
        .pass(pass),
        .fail(fail),
        .first(first),
        .signature(signature),
        .folded(folded)
    );

    // Random bits.
    wire [{self.lanes * 64 - 1}:0] random;
"""]
        for lane in range(self.lanes):
            seed = splitmix(self.row.get("seed", 1) * 4096 + lane)
            out.append(f"    totem_random #(.SEED(64'h{seed:016x})) lane_{lane} "
                       f"(.clk(clk), .load(reset), .bits(random[{lane * 64} +: 64]));")
        if self.random < self.lanes * 64:
            out.append(f"    wire unused_random = &{{1'b0, random[{self.lanes * 64 - 1}:{self.random}]}};")

        out.append("\n    // Inputs of the block, through registers.")
        for port in self.resolved.inputs:
            out.append(f"    reg  {span(port.bits)}{port.name}_q = {port.bits}'d0;")
        out.append("\n    // Outputs of the block, and what counts of them.")
        for port in self.resolved.outputs:
            out.append(f"    wire {span(port.bits)}{port.name};")
        for port in self.resolved.outputs:
            mask, each = self.layout.mask_of(port)
            counts = port.name
            if mask is not None and each and port.elements > 1:
                bits = [f"{{{port.width}{{{mask.name}[{n}]}}}}" for n in reversed(range(port.elements))]
                counts += " & {" + ", ".join(bits) + "}"
            elif mask is not None:
                counts += f" & {{{port.bits}{{|{mask.name}}}}}"
            out.append(f"    wire {span(port.bits)}out_{port.name} = {counts};")
        out.append("\n    // Draws and rules: the inputs of the next clock.")
        for port in self.resolved.inputs:
            rule = rules.get(port.name)
            if rule is None or re.search(r"\bdraw\b", rule):
                out.append(f"    wire {span(port.bits)}draw_{port.name} = {self.verilog_draw(port)};")
            if rule is None:
                out.append(f"    wire {span(port.bits)}next_{port.name} = draw_{port.name};")
            else:
                out += self.verilog_rule(rule, port, f"next_{port.name}", port)
            if port.name in reset:
                out += self.verilog_rule(reset[port.name], port, f"clear_{port.name}", port)
        out.append("\n    always @(posedge clk) begin")
        out += [f"        {port.name}_q <= next_{port.name};" for port in self.resolved.inputs]
        out.append("        if (reset) begin")
        for port in self.resolved.inputs:
            zero = f"{port.bits}'d0"
            value = f"clock[6] ? {zero} : clear_{port.name}" if port.name in reset else zero
            out.append(f"            {port.name}_q <= {value};")
        out.append("        end\n    end\n")
        ports = [f"        .{port.name}({port.name}{'_q' if port.dir == 'in' else ''})" for port in self.resolved.ports]
        out.append(self.instance() + ",\n".join(["        .clk(clk)", "        .rst(reset)"] + ports) + "\n    );\n")

        total = (self.layout.bits + 63) // 64 * 64
        pad = [f"{total - self.layout.bits}'d0"] if total > self.layout.bits else []
        packed = ",\n        ".join(pad + [f"out_{port.name}" for port in reversed(self.layout.outputs)])
        out.append(f"    // The fold: word n turned left by 13 n bits, four words a stage.\n"
                   f"    wire [{total - 1}:0] packed = {{\n        {packed}\n    }};\n"
                   f"    reg  [{total - 1}:0] level_0 = {total}'d0;\n    reg  plant_q = 1'b0;")
        for n, count in enumerate(levels[:-1], 1):
            out.append(f"    reg  [{count * 64 - 1}:0] level_{n} = {count * 64}'d0;")
        out.append("\n    initial word = 64'd0;\n\n    always @(posedge clk) begin"
                   "\n        plant_q <= plant || (PLANT != 0 && clock == CLOCKS / 32'd2);"
                   f"\n        level_0 <= packed ^ {{{total - 1}'d0, plant_q}};")
        below, names = total // 64, [f"level_{n}" for n in range(len(levels))] + ["word"]
        if not levels:
            out[-1] = out[-1].replace("level_0 <= ", "word <= ")
            out = [text.replace(f"    reg  [{total - 1}:0] level_0 = {total}'d0;\n", "") for text in out]
        for n, count in enumerate(levels):
            for place in range(count):
                terms = []
                for source in range(place * 4, min(place * 4 + 4, below)):
                    left = 13 * source % 64 if n == 0 else 0
                    base = source * 64
                    high, low = f"{names[n]}[{base} +: {64 - left}]", f"{names[n]}[{base + 64 - left} +: {left}]"
                    terms.append(f"{{{high}, {low}}}" if left else high)
                target = "word" if n == len(levels) - 1 else f"{names[n + 1]}[{place * 64} +: 64]"
                out.append(f"        {target} <= " + "\n            ^ ".join(terms) + ";")
            below = count
        out.append("    end\nendmodule\n\n`default_nettype wire\n")
        return "\n".join(out)

    def alone(self):
        inputs, outputs = sum(p.bits for p in self.resolved.inputs) + 1, sum(p.bits for p in self.resolved.outputs)
        ports, at = ["        .clk(clk)", f"        .rst(in_q[{inputs - 1}])"], {"in": 0, "out": 0}
        for port in self.resolved.ports:
            word = "in_q" if port.dir == "in" else "out"
            ports.append(f"        .{port.name}({word}[{at[port.dir]} +: {port.bits}])")
            at[port.dir] += port.bits
        return f"""// SPDX-License-Identifier: Apache-2.0
//
// Generated by sim/gen/gen_fpga.py for top {self.name}. Do not edit.
//
// totem_alone: totem_{self.block} with every input from a flip-flop of a shift register and every output
// into a flip-flop.

`default_nettype none

module totem_alone (
    input  wire clk,
    input  wire in_bit,
    input  wire load,
    output wire out_bit
);
    reg  [{inputs - 1}:0] in_q;
    wire [{outputs - 1}:0] out;
    reg  [{outputs - 1}:0] out_q;
    reg  [{outputs - 1}:0] shift_q;
    reg  load_q;

    assign out_bit = shift_q[{outputs - 1}];

    always @(posedge clk) begin
        in_q    <= {{in_q[{inputs - 2}:0], in_bit}};
        out_q   <= out;
        load_q  <= load;
        shift_q <= load_q ? out_q : {{shift_q[{outputs - 2}:0], 1'b0}};
    end

{self.instance()}{(","+chr(10)).join(ports)}
    );
endmodule

`default_nettype wire
"""

    # -- C

    def c_draw(self, port, element):
        kind, number, at = self.draws[port.name]
        bits, width = port.bits, port.width
        ones = (1 << width) - 1
        if kind == "constant":
            return f"UINT64_C({number})"
        if kind == "any":
            return f"take(c, {at + element * width}, {width})"
        if kind in ("one_in", "not_in"):
            places = [at + n * bits + element * width for n in range(number.bit_length() - 1)]
            fields = " & ".join(f"take(c, {place}, {width})" for place in places)
            return f"(~({fields}) & UINT64_C({ones}))" if kind == "not_in" else f"({fields})"
        first = f"take(c, {at + element * number}, {number})"
        if kind == "low":
            return first
        times = sum(1 << n for n in range(0, width, number))
        return f"(({first} * UINT64_C({times})) & UINT64_C({ones}))"

    def model(self):
        rules = self.row.get("rules", {})
        work = [(name, text, False) for name, text in self.row.get("work", {}).items()]
        work += [(name, text, True) for name, text in self.row.get("never", {}).items()]
        out = [f"""// SPDX-License-Identifier: Apache-2.0
//
// Generated by sim/gen/gen_fpga.py for top {self.name}. Do not edit.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "check.h"
#include "{self.resolved.area}/totem_{self.block}.h"

enum {{ LANES = {self.lanes}, WORKS = {max(1, len(work))}, WORDS = {(self.layout.bits + 63) // 64} }};

const char *const check_name   = "{self.name}";
const uint64_t    check_clocks = {self.row["clocks"]};
const unsigned    check_bits   = {self.layout.bits};
const unsigned    check_works  = {len(work)};
const check_work  check_table[] = {{"""]
        rows = [f'    {{ "{name}", {"true" if never else "false"} }},' for name, _, never in work]
        out += rows or ['    { "", false },']
        first = self.row.get("seed", 1) * 4096
        seeds = ",\n    ".join(f"UINT64_C(0x{splitmix(first + lane):016x})" for lane in range(self.lanes))
        out.append(f"""}};

static const uint64_t seeds[LANES] = {{
    {seeds},
}};

struct check {{
    uint64_t            lanes[LANES];
    uint64_t            clock;
    uint64_t            signature;
    uint64_t            counts[WORKS];
    totem_{self.block}     block;
    totem_{self.block}_in  in;
    totem_{self.block}_out out;
}};

check *check_create(void)
{{
    check *c = calloc(1, sizeof *c);
    if (c == NULL)
        return NULL;
    for (unsigned lane = 0; lane < LANES; lane++)
        c->lanes[lane] = seeds[lane];
    c->signature = CHECK_START;
    totem_{self.block}_reset(&c->block);
    return c;
}}

uint64_t check_signature(const check *c)
{{
    return c->signature;
}}

uint64_t check_count(const check *c, unsigned work)
{{
    return c->counts[work];
}}

// Random bits of this clock.
static inline uint64_t take(const check *c, unsigned at, unsigned width)
{{
    uint64_t word = c->lanes[at / 64] >> at % 64;
    if (at % 64 + width > 64)
        word |= c->lanes[at / 64 + 1] << (64 - at % 64);
    return width == 64 ? word : word & ((UINT64_C(1) << width) - 1);
}}

static inline void put(uint64_t *words, unsigned at, uint64_t value, unsigned width)
{{
    words[at / 64] |= value << at % 64;
    if (at % 64 + width > 64)
        words[at / 64 + 1] |= value >> (64 - at % 64);
}}

// What counts of the outputs.
static void mask(totem_{self.block}_out *o)
{{""")
        for port in self.layout.outputs:
            counts, each = self.layout.mask_of(port)
            if counts is None:
                continue
            terms = [f"o->{counts.name}[{n}]" for n in range(counts.elements or 0)] or [f"o->{counts.name}"]
            for n in range(port.elements or 1):
                target = f"o->{port.name}" + (f"[{n}]" if port.elements else "")
                out.append(f"    if (!({terms[n] if each else ' || '.join(terms)}))\n        {target} = 0;")
        out.append(f"    (void)o;\n}}\n\nstatic void fold(check *c, const totem_{self.block}_out *o, int flip)\n{{\n"
                   "    uint64_t words[WORDS + 1] = { 0 };")
        for port in self.layout.outputs:
            for n in range(port.elements or 1):
                value = f"o->{port.name}" + (f"[{n}]" if port.elements else "")
                out.append(f"    put(words, {self.layout.place[port.name] + n * port.width}, {value}, {port.width});")
        out.append(f"""    if (flip >= 0)
        words[flip / 64] ^= UINT64_C(1) << flip % 64;
    c->signature = random_next(c->signature);
    for (unsigned n = 0; n < WORDS; n++)
        c->signature ^= rotate(words[n], 13 * n % 64);
}}

static void next_inputs(const check *c, totem_{self.block}_in *n)
{{
    uint64_t draw;""")
        for port in self.resolved.inputs:
            for element in range(port.elements or 1):
                own = element if port.elements else None
                value = self.c(rules[port.name], own) if port.name in rules else "draw"
                target = f"n->{port.name}" + (f"[{element}]" if port.elements else "")
                out.append(f"    draw = {self.c_draw(port, element)};")
                ones = f"UINT64_C({(1 << port.width) - 1})"
                fits = f"({value}) != 0" if port.width == 1 else f"({port.c_type})(({value}) & {ones})"
                out.append(f"    {target} = {fits};")
        out.append(f"""    (void)draw;
}}

void check_clock(check *c, int flip)
{{
    totem_{self.block}_in next;
    totem_{self.block}_outputs(&c->block, &c->out);
    mask(&c->out);
    fold(c, &c->out, flip);""")
        out += [f"    c->counts[{n}] += ({self.c(text)}) != 0;" for n, (_, text, _) in enumerate(work)]
        out.append(f"""    next_inputs(c, &next);
    totem_{self.block}_step(&c->block, &c->in);
    c->in = next;
    for (unsigned lane = 0; lane < LANES; lane++)
        c->lanes[lane] = random_next(c->lanes[lane]);
    c->clock++;
}}

static void show(const char *side, const char *name, unsigned elements, const uint64_t *values)
{{
    printf("%-3s %-32s", side, name);
    for (unsigned n = 0; n < elements; n++)
        printf(" %" PRIx64, values[n]);
    printf("\\n");
}}

void check_show(const check *c)
{{
    totem_{self.block}_out out = c->out;
    totem_{self.block}_outputs(&c->block, &out);
    mask(&out);""")
        for port in self.resolved.inputs + self.resolved.outputs:
            name = f"c->in.{port.name}" if port.dir == "in" else f"out.{port.name}"
            values = [f"{name}[{n}]" for n in range(port.elements or 0)] or [name]
            words = f"(const uint64_t[]){{ {', '.join(values)} }}"
            out.append(f'    show("{port.dir}", "{port.name}", {len(values)}, {words});')
        out.append("}\n")
        return "\n".join(out)

    def config(self):
        return ("// SPDX-License-Identifier: Apache-2.0\n//\n// Generated by sim/gen/gen_fpga.py. Do not edit. "
                "Read before any other header, it takes the place of cmodel/lib/totem_config.h.\n\n"
                "#ifndef TOTEM_CONFIG_H\n#define TOTEM_CONFIG_H\n\n"
                + "".join(f"#define TOTEM_{key} {value}\n" for key, value in self.values.items()) + "\n#endif\n")


def main():
    if sys.argv[1:] == ["--list"]:
        for name, row in tops().items():
            twin = f"cmodel/{contract.load(row['block']).area}/totem_{row['block']}.c"
            print(name, row.get("fault", "-"), *row.get("sources", [twin]))
        return
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    top, folder = Top(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in (("totem_selfcheck.v", top.selfcheck()), ("selfcheck.c", top.model()),
                       ("totem_alone.v", top.alone()), ("config.h", top.config())):
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
