#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the PM4 and error-code constants from rtl/packet/pm4.yaml, graphics_registers.yaml and rtl/host/errors.yaml.

Written: rtl/packet/totem_pm4.vh, cmodel/packet/totem_pm4.h, docs/pm4.md. With --check nothing is written; the exit code
is 1 if a file differs from what the sources say. The sources are checked on every run: a number or a name that stands
twice, a field that overlaps another, a layout of an unknown packet end the run with a message.
"""
import re
import sys
import textwrap

import yaml

from gen_config import ConfigError, Unique
from generated import TOP, USED, generate, used

PM4 = TOP / "rtl/packet/pm4.yaml"
GRAPHICS = TOP / "rtl/packet/graphics_registers.yaml"
ERRORS = TOP / "rtl/host/errors.yaml"
RESTS = {"": 0, "data": 1, "sh": 2, "context": 3, "uconfig": 4, "config": 5, "sh_pairs": 6, "context_pairs": 7,
         "sh_packed": 8, "context_packed": 9, "context_ranges": 10}
SHOWS = {"": 0, "dec": 1, "addr": 2, "sh_register": 3, "context_register": 4}
FIRST_ENUM = 5  # value of `show` for the first enum of the source
CHIPS = "9 10 11 12"
GRAPHICS_CHIPS = "9 10 11"     # of a graphics register that names none
WIDTH = 120    # columns of a page and of a header
COMPUTE_FIRST, COMPUTE_LAST = 0x200, 0x27F
LATER = 2       # other registers that chips have at one offset, at most
FIELD = re.compile(r"^(\w+)\[(\d+)(?::(\d+))?\](?::(\w+))?(?:@([\d,]+))?$")


def stop(source, text):
    sys.exit(f"{source.relative_to(TOP)}: {text}")


def load(source):
    try:
        return yaml.load(source.read_text(), Unique)
    except ConfigError as error:  # names its own source file; the line and the rest are right
        stop(source, "line " + str(error).partition(":")[2])
    except yaml.YAMLError as error:
        stop(source, f"line {error.problem_mark.line + 1}: {error.problem}; correct the YAML")


class Field:
    def __init__(self, text, where, enums):
        match = FIELD.match(text)
        if not match:
            stop(PM4, f"{where}: field '{text}' is not name[hi:lo] or name[bit], with :how-to-show and @chips")
        self.name, high, low, self.show = match[1], int(match[2]), match[3], match[4] or ""
        self.high, self.low = high, int(low) if low is not None else high
        if not 31 >= self.high >= self.low:
            stop(PM4, f"{where}: field '{text}': bits must be [hi:lo] within 31:0")
        if self.show not in SHOWS and self.show not in enums and self.show != "event":
            stop(PM4, f"{where}: field '{text}': no enum '{self.show}'")
        self.width = self.high - self.low + 1
        self.mask = (1 << self.width) - 1
        self.chips = match[5].split(",") if match[5] else CHIPS.split()
        if not set(self.chips) < set(CHIPS.split()) and match[5]:
            stop(PM4, f"{where}: field '{text}': the chips are some of {CHIPS}")

    @property
    def bits(self):
        return str(self.high) if self.high == self.low else f"{self.high}:{self.low}"


class Fields(list):
    """Fields that count whatever the chip; `all` has those of chips, too."""
    def __init__(self, fields):
        super().__init__()
        self.all = fields
        for field in fields:
            if not any(field.mask << field.low & other.mask << other.low or field.name == other.name for other in self):
                self.append(field)


def parse_fields(text, where, enums):
    fields = [Field(part, where, enums) for part in text.split()]
    for chip in CHIPS.split():
        used, names = 0, set()
        for field in (field for field in fields if chip in field.chips):
            bits = field.mask << field.low
            if used & bits or field.name in names:
                stop(PM4, f"{where}: field '{field.name}' stands twice or overlaps another")
            used |= bits
            names.add(field.name)
    return Fields(fields)


class Form:
    def __init__(self, packet, raw, enums):
        size = str(raw["size"])
        self.open, self.size = size.endswith("+"), int(size.rstrip("+"))
        self.graphics = raw.get("queue") == "graphics"
        self.rest = raw.get("rest", "")
        self.mask = self.value = 0      # of dword 1, if there is another form of this size
        self.body = [parse_fields(word, f"packet {packet}, body dword {number}", enums)
                     for number, word in enumerate(raw["body"], 1)]
        self.when = raw.get("if", {})
        for field in (field for field in self.body[0].all if field.name in self.when) if self.when else ():
            self.mask |= field.mask << field.low
            self.value |= self.when[field.name] << field.low
        if self.open != bool(self.rest) or self.rest not in RESTS:
            stop(PM4, f"packet {packet}: a size with + needs `rest` ({', '.join(RESTS)[2:]}), others must not have it")
        if len(self.body) + 1 > self.size or (not self.open and len(self.body) + 1 != self.size):
            stop(PM4, f"packet {packet}: size {size} does not fit {len(self.body)} body dwords")


class Source:
    def __init__(self):
        raw = load(PM4)
        self.raw, self.windows = raw, raw["windows"]
        self.enums, self.others = {}, []    # others: (enum, value, name, chips), which the readable form takes too
        for enum, values in raw["enums"].items():
            self.enums[enum] = {value: self.named(enum, value, entry)["name"] for value, entry in values.items()}
        self.header = parse_fields(raw["header"]["type"], "header", self.enums)
        self.opcodes, names = {}, {}
        for entry in raw["opcodes"]:
            op, name = entry["op"], entry["name"]
            if op in self.opcodes or name in names or not 0 <= op <= 255:
                stop(PM4, f"opcode {op:#04x} {name}: the number or the name stands twice, or is out of range")
            if entry["compute"] not in ("execute", "schedule", "count"):
                stop(PM4, f"opcode {name}: compute must be execute, schedule or count")
            if entry.get("graphics") not in ("execute", "count", "error"):
                stop(PM4, f"opcode {name}: graphics must be execute, count or error")
            self.opcodes[op] = entry
            names[name] = op
        self.numbers = names
        self.forms = {}
        for packet, forms in raw["packets"].items():
            if packet not in names:
                stop(PM4, f"packet {packet}: no such opcode")
            self.forms[names[packet]] = [Form(packet, form, self.enums) for form in forms]
        for op, entry in self.opcodes.items():
            if entry["compute"] != "count" and not any(not form.graphics for form in self.forms.get(op, [])):
                stop(PM4, f"opcode {entry['name']}: executed, but `packets` has no compute form of it")
            if entry["graphics"] == "execute" and not self.forms.get(op):
                stop(PM4, f"opcode {entry['name']}: executed, but `packets` has no form of it")
        self.kinds = raw["kinds"]
        if self.kinds[:3] != ["none", "error", "pass"] or len(self.kinds) > 32:
            stop(PM4, "kinds: the first are none, error and pass, and there are at most 32")
        self.kind_numbers = [*enumerate(self.kinds),
                             *((self.kinds.index(of), name) for name, of in raw["shared_kinds"].items())]
        self.rules = {queue: self.read_rules(raw[name], queue)
                      for queue, name in (("compute", "rules"), ("graphics", "graphics_rules"))}
        self.rules["graphics"] = {op: rule for op, rule in {**self.rules["compute"], **self.rules["graphics"]}.items()
                                  if self.opcodes[op]["graphics"] == "execute"}
        self.events = {}
        for number, entry in raw["events"].items():
            self.events[number] = self.named("event", number, entry)
        self.registers = self.read_registers(raw["compute_registers"])
        self.graphics_groups = load(GRAPHICS)
        self.graphics = self.read_graphics(self.graphics_groups)
        self.enum_width = {}
        for forms in self.forms.values():
            for form in forms:
                for field in (field for word in form.body for field in word):
                    if field.show in self.enums:
                        width = self.enum_width.setdefault(field.show, field.width)
                        self.enum_width[field.show] = max(width, field.width)
        for field in (field for row in self.used() for field in row["fields"] if field.show in self.enums):
            self.enum_width.setdefault(field.show, field.width)
        self.errors = self.read_errors()

    def named(self, enum, value, entry):
        entry = entry if isinstance(entry, dict) else {"name": entry}
        also = entry.get("also", [])
        self.others += [(enum, value, name, also[name] if isinstance(also, dict) else "") for name in also]
        return entry

    def read_rules(self, rows, queue):
        rules = {}
        for packet, rule in rows.items():
            if packet not in self.numbers or self.opcodes[self.numbers[packet]][queue] not in ("execute", "schedule"):
                stop(PM4, f"rule of {packet}: a {queue} queue executes no such packet")
            if rule.get("kind") not in [name for _, name in self.kind_numbers[3:]]:
                stop(PM4, f"rule of {packet}: its kind is none of {', '.join(self.kinds[3:])}")
            rules[self.numbers[packet]] = rule
        return rules

    def read_registers(self, rows):
        registers = {}
        for row in rows:
            last = row.get("last", row["offset"])
            for offset in range(row["offset"], last + 1):
                name = row["name"] + (str(offset - row["offset"]) if "last" in row else "")
                if offset in registers or not COMPUTE_FIRST <= offset <= COMPUTE_LAST:
                    stop(PM4, f"register {name}: offset {offset:#x} stands twice or is outside the compute block")
                if row.get("reset", 0) not in (0, 0xFFFFFFFF):
                    stop(PM4, f"register {name}: reset must be 0 or 0xFFFFFFFF (the RAM's reset is one bit a register)")
                later = row.get("later", [])
                registers[offset] = {
                    "name": name, "reset": row.get("reset", 0), "also": row.get("also", []),
                    "fields": parse_fields(row["fields"], f"register {name}", self.enums),
                    "later": [{"name": one["name"], "chips": one["chips"],
                               "fields": parse_fields(one["fields"], f"register {one['name']}", self.enums)}
                              for one in (later if isinstance(later, list) else [later])],
                }
        return registers

    def read_graphics(self, groups):
        """Rows by address; those of one address are for different chips."""
        rows, windows = [], {window["name"]: window for window in self.windows}
        taken, names = set(), {}
        for window, group in groups.items():
            for raw in group:
                count = raw.get("count", 1)
                for n in range(count):
                    name = raw["name"].replace("{}", str(raw.get("first", 0) + n))
                    address = windows[window]["first"] + raw["offset"] + n * raw.get("step", 1)
                    if address > windows[window]["last"] or (count > 1) != ("{}" in raw["name"]):
                        stop(GRAPHICS, f"register {name}: outside its window, or {{}} and count do not go together")
                    for chip in raw.get("chips", GRAPHICS_CHIPS).split():
                        if (address, chip) in taken or names.setdefault((window, name, chip), address) != address:
                            stop(GRAPHICS, f"register {name}: its offset or its name stands twice for GFX{chip}")
                        taken.add((address, chip))
                    rows.append({"address": address, "name": name, "chips": raw.get("chips", GRAPHICS_CHIPS),
                                 "window": window, "offset": address - windows[window]["first"],
                                 "used": raw.get("used", False),
                                 "fields": parse_fields(raw.get("fields", ""), f"register {name}", self.enums)})
        return sorted(rows, key=lambda row: row["address"])

    def used(self):
        """Registers of a graphics queue that RTL and model read; of two offsets of a name each has its oldest chip."""
        rows, offsets = [row for row in self.graphics if row["used"]], {}
        for row in rows:
            offsets.setdefault((row["window"], row["name"]), set()).add(row["offset"])
        return [{**row, "name": row["name"] + (f"_GFX{row['chips'].split()[0]}"
                                               if len(offsets[row["window"], row["name"]]) > 1 else "")} for row in rows]

    @staticmethod
    def read_errors():
        seen, classes = {}, []
        for group in load(ERRORS)["classes"]:
            if not 1 <= group["number"] <= 7:
                stop(ERRORS, f"class {group['name']}: number must be 1 to 7")
            for error in group["errors"]:
                code = group["number"] << 5 | error["number"]
                if not 1 <= error["number"] <= 31 or code in seen:
                    stop(ERRORS, f"{group['name']} {error['name']}: number out of 1..31, or taken by {seen.get(code)}")
                seen[code] = error["name"]
                error["code"] = code
                error["full"] = f"{group['name']}_{error['name']}".upper()
            classes.append(group)
        return classes

    def executed(self):
        return [op for op in sorted(self.opcodes) if self.opcodes[op]["compute"] == "execute"]

    def scheduled(self):
        return [op for op, entry in sorted(self.opcodes.items()) if entry["compute"] == "schedule"]

    def drawn(self):
        return [op for op in sorted(self.opcodes) if self.opcodes[op]["graphics"] == "execute"]

    def packet_fields(self):
        """(PACKET_FIELD, field, body dword) of the packets a compute queue executes, each name once."""
        found = {}
        for op in self.executed():
            for form in self.forms[op]:
                if form.graphics:
                    continue
                for number, word in enumerate(form.body, 1):
                    for field in word:
                        name = f"{self.opcodes[op]['name']}_{field.name}".upper()
                        known = found.setdefault(name, (field, number))
                        # A longer form may name more bits, never the same field elsewhere.
                        if (known[0].high, known[0].low, known[1]) != (field.high, field.low, number):
                            stop(PM4, f"{name}: forms disagree about its place")
        return found

    def counts(self, op):
        """Least and greatest value of the header's count field over the compute forms."""
        forms = [form for form in self.forms[op] if not form.graphics]
        least = min(max(form.size - 2, 0) for form in forms)
        most = max(0x3FFF if form.open else form.size - 2 for form in forms)
        return least, most


def bitmap(numbers):
    return sum(1 << number for number in numbers)


BANNER = "Generated by sim/gen/gen_pm4.py from rtl/packet/*.yaml and rtl/host/errors.yaml. Do not edit."


def verilog(s):
    out = [f"// SPDX-License-Identifier: Apache-2.0", f"// {BANNER}", f"// {USED}", "`ifndef TOTEM_PM4_VH",
           "`define TOTEM_PM4_VH"]

    def section(text):
        out.extend(["", f"// {text}"])

    def define(name, value, remark=""):
        out.append(f"`define {name} {value}" + (f" // {remark}" if remark else ""))

    section("Header fields, used as word[`NAME].")
    for field in s.header:
        define(f"TOTEM_PM4_HEADER_{field.name.upper()}", field.bits)
    section("Opcodes. KNOWN: bit n is set if opcode n has a name; EXECUTED: if a compute queue has a rule for it;\n"
            "// SCHEDULED: if it has one with RUNLIST; DRAWN: if a graphics queue has one.")
    for op in sorted(s.opcodes):
        define(f"TOTEM_OP_{s.opcodes[op]['name']}", f"8'h{op:02x}")
    define("TOTEM_OP_KNOWN", f"256'h{bitmap(s.opcodes):064x}")
    define("TOTEM_OP_EXECUTED", f"256'h{bitmap(s.executed()):064x}")
    define("TOTEM_OP_SCHEDULED", f"256'h{bitmap(s.scheduled()):064x}")
    define("TOTEM_OP_DRAWN", f"256'h{bitmap(s.drawn()):064x}")
    section("Kinds of packets that the decoder hands over (rules of totem_decode_table.v).")
    for number, name in s.kind_numbers:
        define(f"TOTEM_KIND_{name.upper()}", f"5'd{number}")
    section("Header count (body dwords - 1) of the executed packets: least and greatest legal value.")
    for op in s.executed():
        least, most = s.counts(op)
        define(f"TOTEM_COUNT_MIN_{s.opcodes[op]['name']}", f"14'd{least}")
        define(f"TOTEM_COUNT_MAX_{s.opcodes[op]['name']}", f"14'd{most}")
    section("Body fields of the executed packets, used as word[`NAME]; the remark is the body dword.")
    for name, (field, number) in s.packet_fields().items():
        define(f"TOTEM_PM4_{name}", field.bits, str(number))
    section("Values of enumerated fields.")
    for enum, width in sorted(s.enum_width.items()):
        for value, name in s.enums[enum].items():
            define(f"TOTEM_{enum.upper()}_{str(name).upper()}", f"{width}'d{value}")
    section("Event types.")
    for number, entry in sorted(s.events.items()):
        define(f"TOTEM_EVENT_{entry['name']}", f"6'h{number:02x}")
    section("Register windows, absolute dword addresses.")
    for window in s.windows:
        define(f"TOTEM_WINDOW_{window['name']}_FIRST", f"18'h{window['first']:05x}")
        define(f"TOTEM_WINDOW_{window['name']}_LAST", f"18'h{window['last']:05x}")
    section("Compute block: SH offsets, fields as word[`NAME]. RESET_ONES: bit n = offset 0x200 + n resets to all "
            "ones.")
    for offset, register in sorted(s.registers.items()):
        define(f"TOTEM_SH_{register['name']}", f"10'h{offset:03x}")
        if len(register["fields"]) > 1:
            for field in register["fields"]:
                define(f"TOTEM_{register['name']}_{field.name}", field.bits)
    define("TOTEM_SH_COMPUTE_FIRST", f"10'h{COMPUTE_FIRST:03x}")
    define("TOTEM_SH_COMPUTE_LAST", f"10'h{COMPUTE_LAST:03x}")
    ones = bitmap(offset - COMPUTE_FIRST for offset, register in s.registers.items() if register["reset"])
    define("TOTEM_SH_RESET_ONES", f"128'h{ones:032x}")
    section("Registers that a graphics pipe reads: offsets in their windows, fields as word[`NAME].")
    for row in s.used():
        define(f"TOTEM_{row['window']}_{row['name']}", f"14'h{row['offset']:03x}")
        for field in row["fields"]:
            define(f"TOTEM_{row['name']}_{field.name}", field.bits)
    section("Error codes: class in [7:5].")
    define("TOTEM_ERROR_NONE", "8'h00")
    for group in s.errors:
        define(f"TOTEM_ERROR_CLASS_{group['name'].upper()}", f"3'd{group['number']}")
    for error in (error for group in s.errors for error in group["errors"]):
        define(f"TOTEM_ERROR_{error['full']}", f"8'h{error['code']:02x}")
    return used("\n".join(out + ["", "`endif", ""]), "rtl/packet/totem_pm4.vh", "sim/gen/gen_pm4.py")


def quote(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def words64(value):
    return ", ".join(f"0x{value >> 64 * n & (1 << 64) - 1:016x}u" for n in range(4))


def c_header(s):
    out = ["// SPDX-License-Identifier: Apache-2.0", f"// {BANNER}", "//",
           "// What rtl/packet/totem_pm4.vh has and software does not ask for, behind the headers that software includes.",
           f"// TOTEM_PM4_TABLES defined: also tables of names and layouts, for decoders. {USED}",
           "#ifndef TOTEM_PM4_H", "#define TOTEM_PM4_H", "",
           "#include <stdbool.h>", "#include <stddef.h>", "#include <stdint.h>", "",
           '#include "../include/totem/errors.h"', '#include "../include/totem/pm4.h"']

    def section(text):
        out.extend(["", f"// {text}"])

    def define(name, value):
        out.append(f"#define {name} {value}")

    section("Bit n of KNOWN: opcode n has a name; of EXECUTED: a compute queue has a rule for it;\n"
            "// of SCHEDULED: it has one with RUNLIST; of DRAWN: a graphics queue has one.")
    define("TOTEM_OP_KNOWN", f"{{{words64(bitmap(s.opcodes))}}}")
    define("TOTEM_OP_EXECUTED", f"{{{words64(bitmap(s.executed()))}}}")
    define("TOTEM_OP_SCHEDULED", f"{{{words64(bitmap(s.scheduled()))}}}")
    define("TOTEM_OP_DRAWN", f"{{{words64(bitmap(s.drawn()))}}}")
    for name in ("known", "executed", "scheduled", "drawn"):
        out.extend(["", f"static inline bool totem_op_{name}(uint8_t op) {{",
                    f"    const uint64_t bits[4] = TOTEM_OP_{name.upper()};",
                    "    return (bits[op >> 6] >> (op & 63u) & 1u) != 0;", "}"])
    section("Kinds of packets that the decoder hands over (rules of totem_decode_table.h).")
    for number, name in s.kind_numbers:
        define(f"TOTEM_KIND_{name.upper()}", f"{number}u")
    section("Header count (body dwords - 1) of the executed packets: least and greatest legal value.")
    for op in s.executed():
        least, most = s.counts(op)
        define(f"TOTEM_COUNT_MIN_{s.opcodes[op]['name']}", f"{least}u")
        define(f"TOTEM_COUNT_MAX_{s.opcodes[op]['name']}", f"{most}u")
    section("Register windows, absolute dword addresses.")
    for window in s.windows:
        define(f"TOTEM_WINDOW_{window['name']}_FIRST", f"0x{window['first']:05x}u")
        define(f"TOTEM_WINDOW_{window['name']}_LAST", f"0x{window['last']:05x}u")
    section("Compute block: SH offsets.")
    define("TOTEM_SH_COMPUTE_FIRST", f"0x{COMPUTE_FIRST:03x}u")
    define("TOTEM_SH_COMPUTE_LAST", f"0x{COMPUTE_LAST:03x}u")
    out.extend(["", "// Reset value of the compute-block register at this SH offset.",
                "static inline uint32_t totem_sh_reset(uint32_t offset) {", "    switch (offset) {"])
    out.extend(f"    case TOTEM_SH_{register['name']}:" for _, register in sorted(s.registers.items())
               if register["reset"])
    out.extend(["        return 0xffffffffu;", "    default:", "        return 0;", "    }", "}"])
    out.extend(["", "#ifdef TOTEM_PM4_TABLES", "#include <string.h>", ""])
    out.extend(c_tables(s))
    return used("\n".join(out + ["", "#endif", "", "#endif", ""]), "cmodel/packet/totem_pm4.h", "sim/gen/gen_pm4.py")


C_LOOKUPS = """\
// The rows of a register of a graphics queue, for different chips; `count` of them, 0 if it has no name.
static inline const totem_pm4_named *totem_pm4_find_named(uint32_t address, size_t *count) {
    size_t first = 0, last = sizeof totem_pm4_graphics / sizeof *totem_pm4_graphics;
    const size_t end = last;
    while (first < last) {
        size_t middle = (first + last) / 2;
        if (totem_pm4_graphics[middle].address < address) first = middle + 1;
        else last = middle;
    }
    for (*count = 0; first + *count < end && totem_pm4_graphics[first + *count].address == address;) ++*count;
    return &totem_pm4_graphics[first];
}

// The address of a register of a graphics queue, by its name and the window (TOTEM_PM4_REST_SH and so on). 0 if there
// is none, or if chips have it at different addresses.
static inline uint32_t totem_pm4_find_address(const char *name, size_t length, unsigned window) {
    uint32_t found = 0;
    for (size_t n = 0; n < sizeof totem_pm4_graphics / sizeof *totem_pm4_graphics; n++) {
        const totem_pm4_named *row = &totem_pm4_graphics[n];
        if (row->window != window || strlen(row->name) != length || strncmp(row->name, name, length) != 0) continue;
        if (found && found != row->address) return 0;
        found = row->address;
    }
    return found;
}

// First address of the window whose registers a packet with this rest writes; 0 if it writes none.
static inline uint32_t totem_pm4_window(unsigned rest) {
    switch (rest) {
    case TOTEM_PM4_REST_SH:
    case TOTEM_PM4_REST_SH_PAIRS:
    case TOTEM_PM4_REST_SH_PACKED: return TOTEM_WINDOW_SH_FIRST;
    case TOTEM_PM4_REST_CONTEXT:
    case TOTEM_PM4_REST_CONTEXT_PAIRS:
    case TOTEM_PM4_REST_CONTEXT_PACKED:
    case TOTEM_PM4_REST_CONTEXT_RANGES: return TOTEM_WINDOW_CONTEXT_FIRST;
    case TOTEM_PM4_REST_UCONFIG: return TOTEM_WINDOW_UCONFIG_FIRST;
    case TOTEM_PM4_REST_CONFIG: return TOTEM_WINDOW_CONFIG_FIRST;
    default: return 0;
    }
}

// Whether a packet sets consecutive registers from the offset in its dword 1 on.
static inline bool totem_pm4_sets(const totem_pm4_form *form) {
    return form && form->rest >= TOTEM_PM4_REST_SH && form->rest <= TOTEM_PM4_REST_CONFIG;
}

// The layout of a packet of this size and dword 1, the wanted queue's first; NULL if there is none.
static inline const totem_pm4_form *totem_pm4_find_form(uint8_t op, size_t dwords, bool graphics, uint32_t control) {
    const totem_pm4_form *found = NULL;
    for (size_t n = 0; n < sizeof totem_pm4_forms / sizeof *totem_pm4_forms; n++) {
        const totem_pm4_form *form = &totem_pm4_forms[n];
        if (form->op != op || (form->open ? dwords < form->size : dwords != form->size)) continue;
        if ((control & form->mask) != form->value) continue;
        if (form->graphics == graphics) return form;
        if (!found) found = form;
    }
    return found;
}

static inline bool totem_pm4_has_form(uint8_t op) {
    for (size_t n = 0; n < sizeof totem_pm4_forms / sizeof *totem_pm4_forms; n++)
        if (totem_pm4_forms[n].op == op) return true;
    return false;
}

// The only field of body dword `number`, NULL if it has several or none.
static inline const totem_pm4_field *totem_pm4_only_field(const totem_pm4_form *form, size_t number) {
    if (!form || number < 1 || number > form->words) return NULL;
    totem_pm4_range range = totem_pm4_words[form->first_word + number - 1];
    return range.count == 1 ? &totem_pm4_fields[range.first] : NULL;
}

// Whether body dwords `number` and `number` + 1 are the low and the high half of one value: ..._lo, ..._hi.
static inline bool totem_pm4_is_pair(const totem_pm4_form *form, size_t number) {
    const totem_pm4_field *low = totem_pm4_only_field(form, number);
    const totem_pm4_field *high = totem_pm4_only_field(form, number + 1);
    if (!low || !high) return false;
    size_t length = strlen(low->name);
    return length == strlen(high->name) && length > 3 && strncmp(low->name, high->name, length - 3) == 0 &&
           strcmp(low->name + length - 3, "_lo") == 0 && strcmp(high->name + length - 3, "_hi") == 0;
}
"""


def c_tables(s):
    enums = list(s.enums) + ["event"]
    show = {**SHOWS, **{name: FIRST_ENUM + number for number, name in enumerate(enums)}}
    out = ["// How a field is shown: hexadecimal, decimal, an address (the bits stand at their place), the register at",
           "// that offset in its window, or totem_pm4_enums[show - TOTEM_PM4_SHOW_ENUM]."]
    out += [f"#define TOTEM_PM4_SHOW_{(name or 'hex').upper()} {value}" for name, value in SHOWS.items()]
    out += [f"#define TOTEM_PM4_SHOW_ENUM {FIRST_ENUM}", "",
           "// What follows the named dwords of a form."]
    out += [f"#define TOTEM_PM4_REST_{(name or 'none').upper()} {value}" for name, value in RESTS.items()]
    out += ["", "typedef struct {", "    uint32_t value;", "    const char *name;", "} totem_pm4_value;", "",
            "// Another name that a value has, of these chips.", "typedef struct {", "    uint32_t show, value;",
            "    const char *name, *chips;", "} totem_pm4_other;", "",
            "// Bit 0 of chips: it counts whatever the chip; bits 1 to 4: GFX9 to GFX12 have it.",
            "typedef struct {", "    const char *name;", "    uint8_t lsb, width, show, chips;",
            "} totem_pm4_field;", "",
            "typedef struct {", "    uint16_t first, count;", "} totem_pm4_range;", "",
            "// One size of a packet: body dword n is words[first_word + n - 1]. Only where `value` stands in the bits `mask` "
            "of", "// body dword 1.", "typedef struct {", "    uint8_t op, size;", "    bool open, graphics;",
            "    uint8_t rest;", "    uint16_t first_word, words;", "    uint32_t mask, value;", "} totem_pm4_form;", "",
            "typedef struct {", "    const char *name, *chips;",
            "    bool executed, drawn; // by a compute queue, by a graphics queue",
            "} totem_pm4_opcode;", "",
            f"// What it is on chips of `later`, {LATER} at most; `others` names all of these.", "typedef struct {",
            "    const char *name;", "    totem_pm4_range fields;", "    const char *others;", "    struct {",
            "        const char *name, *chips;", "        totem_pm4_range fields;", f"    }} later[{LATER}];",
            "} totem_pm4_register;", "",
            "// A register of a graphics queue.", "typedef struct {", "    uint32_t address;",
            "    uint8_t window; // TOTEM_PM4_REST_SH, _CONTEXT or _UCONFIG", "    const char *name, *chips;",
            "    totem_pm4_range fields;", "} totem_pm4_named;", "",
            "typedef struct {", "    uint8_t code;", "    const char *name, *what, *remedy;", "} totem_error_text;", ""]
    values, enum_ranges = [], []
    for name in enums:
        pairs = ([(number, entry["name"]) for number, entry in sorted(s.events.items())] if name == "event"
                 else sorted(s.enums[name].items()))
        enum_ranges.append((name, len(values), len(pairs)))
        values += pairs
    fields = []

    def range_of(group):
        first = len(fields)
        fields.extend((field.name, field.low, field.width, show[field.show],
                       (field in group) + sum(2 << CHIPS.split().index(chip) for chip in field.chips))
                      for field in group.all)
        return first, len(group.all)

    words, forms = [], []
    for op, group in sorted(s.forms.items()):
        for form in group:
            first = len(words)
            words += [range_of(word) for word in form.body]
            forms.append((op, form.size, form.open, form.graphics, RESTS[form.rest], first, len(form.body),
                          form.mask, form.value))
    header = range_of(s.header)
    registers = []
    for offset, register in sorted(s.registers.items()):
        registers.append((offset, register["name"], range_of(register["fields"]),
                          [(later["name"], later["chips"], range_of(later["fields"])) for later in register["later"]]))
    known, graphics = {}, []
    for row in s.graphics:
        text = " ".join(f"{field.name}[{field.bits}]:{field.show}@{field.chips}" for field in row["fields"].all)
        if text not in known:
            known[text] = range_of(row["fields"])
        graphics.append((row, known[text]))

    def table(kind, name, rows):
        out.append(f"static const {kind} {name}[] = {{")
        out.extend(f"    {row}," for row in rows)
        out.extend(["};", ""])

    truth = {True: "true", False: "false"}
    table("totem_pm4_value", "totem_pm4_values", [f"{{{value}, {quote(str(name))}}}" for value, name in values])
    table("totem_pm4_range", "totem_pm4_enums", [f"{{{first}, {count}}}" for _, first, count in enum_ranges])
    table("totem_pm4_other", "totem_pm4_others",
          [f"{{{show[enum]}, {value}, {quote(name)}, {quote(chips)}}}" for enum, value, name, chips in s.others])
    table("totem_pm4_value", "totem_pm4_enum_names",
          [f"{{{n}, {quote(name)}}}" for n, (name, _, _) in enumerate(enum_ranges)])
    table("totem_pm4_field", "totem_pm4_fields",
          [f"{{{quote(name)}, {low}, {width}, {how}, {chips}}}" for name, low, width, how, chips in fields])
    out.append(f"static const totem_pm4_range totem_pm4_header_fields = {{{header[0]}, {header[1]}}};")
    out.append("")
    table("totem_pm4_range", "totem_pm4_words", [f"{{{first}, {count}}}" for first, count in words])
    table("totem_pm4_form", "totem_pm4_forms",
          [f"{{0x{op:02x}, {size}, {truth[opened]}, {truth[graphics]}, {rest}, {first}, {count}, 0x{mask:x}, "
           f"0x{value:x}}}"
           for op, size, opened, graphics, rest, first, count, mask, value in forms])
    out.append("// Index = opcode; name is NULL where no list names it.")
    out.append("static const totem_pm4_opcode totem_pm4_opcodes[256] = {")
    out.extend(f"    [0x{op:02x}] = {{{quote(entry['name'])}, {quote(entry['chips'])}, "
               f"{truth[entry['compute'] == 'execute']}, {truth[entry['graphics'] == 'execute']}}},"
               for op, entry in sorted(s.opcodes.items()))
    out.extend(["};", ""])
    table("totem_pm4_value", "totem_pm4_aliases",
          [f"{{0x{op:02x}, {quote(name)}}}" for op, entry in sorted(s.opcodes.items())
           for name in entry.get("also", [])])
    out.append(f"// Index = SH offset - 0x{COMPUTE_FIRST:x}; name is NULL where a register has none.")
    out.append(f"static const totem_pm4_register totem_pm4_registers[{COMPUTE_LAST - COMPUTE_FIRST + 1}] = {{")
    for offset, name, span, later in registers:
        text = f"    [0x{offset - COMPUTE_FIRST:02x}] = {{{quote(name)}, {{{span[0]}, {span[1]}}}"
        if later:
            names = quote("|".join(one for one, _, _ in later))
            text += f", {names},\n        {{" + ", ".join(f"{{{quote(one)}, {quote(chips)}, {{{first}, {count}}}}}"
                                                    for one, chips, (first, count) in later) + "}"
        out.append(text + "}," if later else text + ", NULL, {{NULL, NULL, {0, 0}}}},")
    out.extend(["};", ""])
    table("totem_pm4_value", "totem_pm4_register_aliases",
          [f"{{0x{offset:03x}, {quote(name)}}}" for offset, register in sorted(s.registers.items())
           for name in register["also"] + [later["name"] for later in register["later"]]])
    out.append("// By address; several rows of one address are for different chips.")
    table("totem_pm4_named", "totem_pm4_graphics",
          [f"{{0x{row['address']:05x}, {RESTS[row['window'].lower()]}, {quote(row['name'])}, {quote(row['chips'])}, "
           f"{{{first}, {count}}}}}"
           for row, (first, count) in graphics])
    out += ["", "#define TOTEM_ERROR_ROW(name, what, word, remedy) {TOTEM_ERROR_##name, #name, what, remedy},",
            "static const totem_error_text totem_error_texts[] = {", "    TOTEM_ERRORS(TOTEM_ERROR_ROW)", "};",
            "#undef TOTEM_ERROR_ROW", ""]
    out += C_LOOKUPS.splitlines()
    return out


def rows(*cells):
    """A row of a table. Values of the last cell (a list) that do not fit stand in further rows with empty cells."""
    lines, start = [], "| " + "".join(f"{cell} | " for cell in cells[:-1])
    row = start
    for value in cells[-1]:
        if row != start and len(f"{row} {value} |") > WIDTH:
            lines.append(f"{row} |")
            row = start = "| " * len(cells)
        row += value if row == start else f" {value}"
    return lines + [f"{row} |"]


SHOWN_AT = {"event": "event-types", "sh_register": "compute-registers", "context_register": "graphics-registers"}


def field_list(fields, links=True):
    """Fields with their bits and chips; the name of one whose values have names is a link to these."""
    def one(field):
        name, chips = field.name, "" if len(field.chips) == len(CHIPS.split()) else "@" + ",".join(field.chips)
        if field.show not in ("", "dec", "addr") and links:
            name = f"[{name}](#{SHOWN_AT.get(field.show) or f'values-{field.show}'.replace('_', '-')})"
        return f"{name}[{field.bits}]{chips}"
    return [one(field) for field in fields.all] or ["-"]


def field_values(s):
    """A section for every set of values: whose fields they are, value and name."""
    out = ["## Values of fields", ""]
    out += paragraph("A field takes a number or the name of a value. Names behind a slash are taken too.") + [""]
    for enum in sorted(s.enum_width):
        users = {}
        for op, forms in sorted(s.forms.items()):
            for field in (field for form in forms for word in form.body for field in word.all if field.show == enum):
                users.setdefault(field.name, {})[s.opcodes[op]["name"]] = True
        for row in s.graphics:
            for field in (field for field in row["fields"] if field.show == enum):
                users.setdefault(field.name, {})[row["name"]] = True
        values = [" / ".join([f"{value}\u00a0{name}"] + [row[2] for row in s.others if row[:2] == (enum, value)])
                  for value, name in s.enums[enum].items()]
        out += [f"### Values: {enum.replace('_', ' ')}", ""]
        text = paragraph("; ".join(f"{name} of {', '.join(of)}" for name, of in users.items()) + ": " +
                         ", ".join(values) + ".")
        out += [line.replace("\u00a0", " ") for line in text] + [""]
    return out[:-1]


def not_raised(error):
    return f" (not raised: {error['not_raised']})" if "not_raised" in error else ""


def paragraph(text, first="", indent=""):
    return textwrap.wrap(text, WIDTH, initial_indent=first, subsequent_indent=indent, break_long_words=False,
                         break_on_hyphens=False)


RESTS_TEXT = {"data": "data", "pairs": "offset of a register[15:0], its value; and so on",
              "packed": "offsets of two registers[15:0], [31:16]; the value of each; and so on",
              "ranges": "offset of a register[15:0], number of registers[13:0]; and so on"}


def layouts(s, op, forms):
    """The section of a packet."""
    out = [f"### {s.opcodes[op]['name']} 0x{op:02X}", "", "| size | dword | fields |", "|---|---|---|"]
    for form in forms:
        size = ", ".join([f"{form.size}{'+' if form.open else ''}",
                          *(f"{name} {value}" for name, value in form.when.items())])
        for number, word in enumerate(form.body, 1):
            out += rows(size, number, field_list(word))
        if form.rest:
            what = RESTS_TEXT.get(form.rest.split("_")[-1], "values of consecutive registers from reg_offset on")
            out.append(f"| {size} | {len(form.body) + 1}.. | {what} |")
    return out + [""]


def graphics_registers(s):
    """The section of the registers of a graphics queue; numbered ones share a row."""
    out = ["", "## Graphics registers", ""]
    out += paragraph("Dword addresses; the offset of SET_CONTEXT_REG, SET_SH_REG, SET_UCONFIG_REG counts from 0xA000, "
                     "0x2C00, 0xC000. Registers without a row are storage. Where an address has several rows, chips "
                     "differ.")
    out += ["", "| address | register | chips | fields |", "|---|---|---|---|"]
    firsts = {window["name"]: window["first"] for window in s.windows}
    for window, group in s.graphics_groups.items():
        for raw in group:
            place, first, count, step = f"0x{firsts[window] + raw['offset']:04X}", *(
                raw.get(key, default) for key, default in (("first", 0), ("count", 1), ("step", 1)))
            if count > 1:
                place += f" + {'' if step == 1 else f'{step} '}(n - {first})" if first else \
                    f" + {'' if step == 1 else f'{step} '}n"
            name = raw["name"].replace("{}", "n") + (f", n = {first}..{first + count - 1}" if count > 1 else "")
            out += rows(place, name, raw.get("chips", ""),
                        field_list(parse_fields(raw.get("fields", ""), raw["name"], s.enums)))
    return out


def markdown(s):
    own = [entry["name"] for entry in s.opcodes.values() if entry["chips"] == "totem"]
    refused = [entry["name"] for _, entry in sorted(s.opcodes.items()) if entry.get("refused")]
    out = [f"<!-- {BANNER} -->", "", "# PM4 packets, compute registers, error codes", ""]
    out += paragraph(
        f"{len(s.opcodes)} opcodes: {len(s.opcodes) - len(own)} of AMD's public lists for GFX9, GFX10 and GFX11 (of "
        f"GFX12 registers and fields are named), and Totem's own {', '.join(own)}. A compute queue has rules for {len(s.executed())} of them; it consumes the "
        f"others and counts them. A graphics queue is to execute {len(s.drawn())}. Any other number is an error.") + [""]
    if refused:
        out += paragraph(f"{', '.join(refused)} needs the feature TASKS; where it is 0, the packet halts its queue with "
                         "PACKET_FEATURE.") + [""]
    out += paragraph("A row of a table with empty cells in front continues the row above. A field with @ is only of "
                     "these chips: @10,11 means GFX10 and GFX11. The machine has no chip: it reads the bits that its "
                     "rules name.") + [""]
    out += ["## Header", ""]
    out += [f"`{' '.join(field_list(s.header, links=False))}`", ""]
    out += [f"* {note}" for note in s.raw["header"]["notes"]]
    out += ["", "## Packets a compute queue executes", "",
            "Size in dwords with the header; `+` grows with the data. Dword 0 is the header.", ""]
    for op in s.executed():
        out += layouts(s, op, [form for form in s.forms[op] if not form.graphics])
    out += ["## Packets of the scheduler", "",
            "Executed with the feature RUNLIST, by queue 0 of pipe 0 of front end 0 "
            "([service](contract/service.md#packets)).", ""]
    for op in s.scheduled():
        out += layouts(s, op, s.forms[op])
    out += ["## Packets a graphics queue is to execute", "",
            "Besides those above, or in another form than there.", ""]
    for op in s.drawn():
        forms = [form for form in s.forms[op] if form.graphics or op not in s.executed()]
        out += layouts(s, op, forms) if forms else []
    out += field_values(s)
    out += ["", "## All opcodes", ""]
    out += paragraph(
        "Chips and engines are those of the public packet structures. If the engine column is empty, the public lists "
        "name the number, but not its body.")
    out += ["", "| opcode | name | chips | engines | compute queue | graphics queue |", "|---|---|---|---|---|---|"]
    for op, entry in sorted(s.opcodes.items()):
        name = " / ".join([entry["name"]] + entry.get("also", []))
        action = "executes with TASKS" if entry.get("refused") else {
            "execute": "executes", "schedule": "executes with RUNLIST", "count": "counts"}[entry["compute"]]
        drawn = {"execute": "executes", "count": "counts", "error": "error"}[entry["graphics"]]
        out.append(f"| 0x{op:02X} | {name} | {entry['chips']} | {' '.join(entry['engines'])} | {action} | {drawn} |")
    out += ["", "## Event types", "", "| number | name |", "|---|---|"]
    out += [f"| 0x{number:02X} | {' / '.join([entry['name'], *entry.get('also', [])])} |"
            for number, entry in sorted(s.events.items())]
    out += ["", "## Compute registers", ""]
    out += paragraph("Offsets of SET_SH_REG; dword address = 0x2C00 + offset. Offsets of 0x200..0x27F that are not "
                     "listed are storage that resets to 0.")
    out += ["", "| offset | register | reset | fields |", "|---|---|---|---|"]
    for offset, register in sorted(s.registers.items()):
        name = " / ".join([register["name"]] + register["also"])
        out += rows(f"0x{offset:03X}", name, f"0x{register['reset']:X}", field_list(register["fields"]))
    out += ["", "On later chips some offsets have another register:", "",
            "| offset | chips | register | fields |", "|---|---|---|---|"]
    for offset, register in sorted(s.registers.items()):
        for later in register["later"]:
            chips = f"GFX{later['chips'].replace(' ', ', GFX')}"
            out += rows(f"0x{offset:03X}", chips, later["name"], field_list(later["fields"]))
    out += graphics_registers(s)
    out += ["", "## Error codes", "", "Bits 7:5 of a code are its class, 0x00 is no error.", ""]
    for group in s.errors:
        out += [f"### Class {group['number']}: {group['name'].replace('_', ' ')}", ""]
        out += paragraph(f"Effect: {group['effect']}.") + [""]
        for error in group["errors"]:
            out += paragraph(f"**0x{error['code']:02X} {error['full']}**: {error['what']}{not_raised(error)}. "
                             f"Offending word: {error['word']}. Remedy: {error['remedy']}.", "* ", "  ")
        if group["errors"]:
            out.append("")
    return "\n".join(out).rstrip("\n") + "\n"


if __name__ == "__main__":
    generate("sim/gen/gen_pm4.py", __doc__, Source,
             {"rtl/packet/totem_pm4.vh": verilog, "cmodel/packet/totem_pm4.h": c_header, "docs/pm4.md": markdown})
