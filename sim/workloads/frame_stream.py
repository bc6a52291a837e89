#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the command stream of a frame, in the packets that a graphics driver sends, as a file of hexadecimal dwords.

    python3 sim/workloads/frame_stream.py [options] frame FILE     the frame
    python3 sim/workloads/frame_stream.py table FILE               values of its CLEAR_STATE: a stream that writes them

    --chip 9|10|11     generation of the packets (10)
    --states K         materials in turn (6)
    --draws N          draws of the material pass (200)

The frame: CLEAR_STATE and what every frame sets; shadow maps and a depth pass (depth only); the material pass, K states
in turn, with a returning material now and then; a compute pass on the graphics queue; tessellated ground, particles,
transparent draws; post-processing over the whole screen; text; a fence. The same arguments give the same dwords.
Opcodes, registers and events are those of rtl/packet/pm4.yaml and graphics_registers.yaml.
"""

import argparse
import random
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "gen"))
from gen_pm4 import COMPUTE_FIRST, Source  # noqa: E402, its folder comes first

SEED = 7
INDICES, TARGETS, SHADERS, CONSTANTS = 0x10_0000_0000, 0x20_0000_0000, 0x30_0000_0000, 0x40_0000_0000
FENCE = 0x7F_0000_0000
FRAME_NUMBER = 0x51
# The low four bits of a program's address, which tell the wave engine what it does (docs/engine.md).
DEPTH, MESH, SCREEN, CHEAP, DEAR, FILTER, DISPATCH = range(1, 8)
DEFAULTS = {  # of CLEAR_STATE; all others are 0
    "PA_SC_WINDOW_SCISSOR_BR": 0x40004000,
    "PA_SC_GENERIC_SCISSOR_TL": 0x80000000, "PA_SC_GENERIC_SCISSOR_BR": 0x40004000,
    "PA_SC_EDGERULE": 0xAAAAAAAA, "CB_TARGET_MASK": 0xFFFFFFFF, "CB_SHADER_MASK": 0xFFFFFFFF,
    **{f"PA_SC_VPORT_SCISSOR_{n}_BR": 0x40004000 for n in range(16)},
    **{f"PA_SC_VPORT_ZMAX_{n}": 0x3F800000 for n in range(16)},
    "PA_SU_POINT_SIZE": 0x00080008, "PA_SU_LINE_CNTL": 8, "PA_SU_VTX_CNTL": 5, "VGT_HOS_MAX_TESS_LEVEL": 0x42800000}


def real(value):
    """Bits of a float."""
    return struct.unpack("<I", struct.pack("<f", value))[0]


class Stream:
    """Packets by name; registers by name, those that follow each other in one packet."""

    def __init__(self, source, chip):
        self.source, self.chip, self.words = source, chip, []
        self.draws = self.dispatched = 0
        self.places = {(row["window"], row["name"]): row["offset"] for row in source.graphics
                       if str(chip) in row["chips"].split()}
        self.places.update({("SH", row["name"]): offset for offset, row in source.registers.items()})
        self.compute = range(COMPUTE_FIRST, COMPUTE_FIRST + len(source.registers))

    def packet(self, name, *body, low=0):
        self.words += [0xC0000000 | len(body) - 1 << 16 | self.source.numbers[name] << 8 | low, *body]

    def event(self, name, index=0):
        number = next(number for number, entry in self.source.events.items() if entry["name"] == name)
        self.packet("EVENT_WRITE", number | index << 8)

    def set(self, window, packet="", index=0, **values):
        """Registers of a window; one that the chip does not have is left out."""
        places = sorted((self.places[window, name], value) for name, value in values.items()
                        if (window, name) in self.places)
        runs = []
        for place, value in places:
            if runs and place == runs[-1][0] + len(runs[-1][1]):
                runs[-1][1].append(value)
            else:
                runs.append((place, [value]))
        for place, run in runs:
            self.packet(packet or f"SET_{window}_REG", index << 28 | place, *run)

    def sh(self, **values):
        self.set("SH", **values)

    def context(self, **values):
        """GFX11 drivers pack pairs of scattered registers; an odd one out is written twice."""
        places = [(self.places["CONTEXT", name], value) for name, value in values.items()
                  if ("CONTEXT", name) in self.places]
        if self.chip < 11 or len(places) < 3:
            self.set("CONTEXT", **values)
            return
        places += places[-1:] if len(places) % 2 else []
        pairs = zip(places[::2], places[1::2])
        self.packet("SET_CONTEXT_REG_PAIRS_PACKED", len(places),
                    *[word for (a, x), (b, y) in pairs for word in (a | b << 16, x, y)], low=4)

    def primitive(self, name):
        number = next(number for number, known in self.source.enums["primitive"].items() if known == name)
        if self.chip == 9:
            self.set("UCONFIG", "SET_UCONFIG_REG_INDEX", 1, VGT_PRIMITIVE_TYPE=number)
        else:
            self.set("UCONFIG", VGT_PRIMITIVE_TYPE=number)

    def instances(self, count):
        self.packet("NUM_INSTANCES", count)

    def indexed(self, count, buffer):
        base = INDICES + buffer * 0x10000
        self.packet("DRAW_INDEX_2", count, base & 0xFFFFFFFF, base >> 32, count, 0)
        self.draws += 1

    def auto(self, count):
        self.packet("DRAW_INDEX_AUTO", count, 2)
        self.draws += 1

    def acquire(self, gcr):
        body = [0, 0xFFFFFFFF, 0xFFFFFF, 0, 0, 10]
        self.packet("ACQUIRE_MEM", *body, *([] if self.chip == 9 else [gcr]))

    def release(self, address, value):
        event = next(n for n, entry in self.source.events.items() if entry["name"] == "CACHE_FLUSH_AND_INV_TS_EVENT")
        self.packet("RELEASE_MEM", event | 5 << 8, 1 << 29 | 2 << 24, address & 0xFFFFFFFF, address >> 32, value, 0, 0)


class Frame:
    def __init__(self, stream, states, draws):
        self.s, self.states, self.draws, self.rng = stream, states, draws, random.Random(SEED)

    def begin(self):
        s = self.s
        s.packet("CONTEXT_CONTROL", 0x80000000, 0x80000000)
        s.event("VGT_FLUSH")
        s.packet("CLEAR_STATE", 0)
        s.sh(COMPUTE_STATIC_THREAD_MGMT_SE0=0xFFFFFFFF, COMPUTE_STATIC_THREAD_MGMT_SE1=0xFFFFFFFF)
        s.set("SH", "SET_SH_REG_INDEX", 3, SPI_SHADER_PGM_RSRC3_PS=0x3FFFFF)
        s.set("UCONFIG", PA_SU_LINE_STIPPLE_VALUE=0, PA_SC_LINE_STIPPLE_STATE=0, VGT_INSTANCE_BASE_ID=0)
        s.set("UCONFIG", "SET_UCONFIG_REG_INDEX", 2, VGT_INDEX_TYPE=0)
        s.context(PA_SC_GENERIC_SCISSOR_TL=0x80000000, PA_SC_GENERIC_SCISSOR_BR=0x40004000)
        s.context(VGT_HOS_MAX_TESS_LEVEL=0x42800000, VGT_SHADER_STAGES_EN=0x02420020)
        s.context(PA_CL_GB_VERT_CLIP_ADJ=real(16), PA_CL_GB_VERT_DISC_ADJ=real(1), PA_CL_GB_HORZ_CLIP_ADJ=real(16),
                  PA_CL_GB_HORZ_DISC_ADJ=real(1))
        s.context(PA_CL_VTE_CNTL=0x43F, PA_SU_VTX_CNTL=0x2D, PA_SC_MODE_CNTL_1=0x06000000)
        s.instances(1)

    def viewport(self, width, height):
        s = self.s
        s.context(PA_CL_VPORT_XSCALE=real(width / 2), PA_CL_VPORT_XOFFSET=real(width / 2),
                  PA_CL_VPORT_YSCALE=real(height / 2), PA_CL_VPORT_YOFFSET=real(height / 2), PA_CL_VPORT_ZSCALE=real(1), PA_CL_VPORT_ZOFFSET=0)
        s.context(PA_SC_VPORT_SCISSOR_0_TL=0x80000000, PA_SC_VPORT_SCISSOR_0_BR=height << 16 | width)

    def targets(self, color, depth, size):
        """Color target `color` and depth target `depth`, None: none."""
        s, (width, height) = self.s, size
        if color is not None:
            s.context(CB_COLOR0_BASE=(TARGETS >> 8) + color * 0x20000, CB_COLOR0_VIEW=0, CB_COLOR0_INFO=0x28C70 + color)
        else:
            s.context(CB_COLOR0_INFO=0)
        if depth is not None:
            s.context(DB_Z_READ_BASE=(TARGETS >> 8) + 0x800000 + depth * 0x20000,
                      DB_Z_WRITE_BASE=(TARGETS >> 8) + 0x800000 + depth * 0x20000, DB_DEPTH_VIEW=0)
        s.context(DB_Z_INFO=0 if depth is None else 0x30003)
        self.viewport(width, height)

    def vertex_shader(self, number, entry, vgprs):
        s, base = self.s, (SHADERS >> 8) + number * 0x40 | entry
        if s.chip == 9:
            s.sh(SPI_SHADER_PGM_LO_VS=base & 0xFFFFFFFF, SPI_SHADER_PGM_HI_VS=base >> 32,
                 SPI_SHADER_PGM_RSRC1_VS=0x2C0000 | vgprs, SPI_SHADER_PGM_RSRC2_VS=0x10)
        else:
            s.sh(SPI_SHADER_PGM_LO_ES=base & 0xFFFFFFFF, SPI_SHADER_PGM_HI_ES=base >> 32)
            s.sh(SPI_SHADER_PGM_RSRC1_GS=0x602C0000 | vgprs, SPI_SHADER_PGM_RSRC2_GS=0x10 | 8 << 19)

    def pixel_shader(self, number, entry, vgprs):
        base = (SHADERS >> 8) + 0x100000 + number * 0x40 | entry
        self.s.sh(SPI_SHADER_PGM_LO_PS=base & 0xFFFFFFFF, SPI_SHADER_PGM_HI_PS=base >> 32,
                  SPI_SHADER_PGM_RSRC1_PS=0x2C0000 | vgprs, SPI_SHADER_PGM_RSRC2_PS=0x8)

    def constants(self, stage, first=2):
        """User data of a draw: where its constants lie."""
        place = CONSTANTS + self.rng.randrange(1 << 16) * 256
        stage = "VS" if stage == "GS" and self.s.chip == 9 else stage
        self.s.sh(**{f"SPI_SHADER_USER_DATA_{stage}_{first}": place & 0xFFFFFFFF,
                     f"SPI_SHADER_USER_DATA_{stage}_{first + 1}": place >> 32})

    def mesh(self, number, least=30, most=3000):
        self.s.indexed(3 * self.rng.randint(least // 3, most // 3), number)

    def depth_only(self, target, size, draws):
        s = self.s
        self.targets(None, target, size)
        s.context(CB_TARGET_MASK=0, CB_SHADER_MASK=0)
        s.context(DB_DEPTH_CONTROL=0x76, PA_SU_SC_MODE_CNTL=0x240, DB_SHADER_CONTROL=0x10)
        s.primitive("triangle_list")
        self.vertex_shader(0, DEPTH, 3)
        for number in range(draws):
            self.constants("GS")
            if number % 5 == 4:  # the other winding, for mirrored meshes
                s.context(PA_SU_SC_MODE_CNTL=0x244)
            self.mesh(number)
            if number % 5 == 4:
                s.context(PA_SU_SC_MODE_CNTL=0x240)
        s.event("DB_CACHE_FLUSH_AND_INV")

    def material(self, number):
        """State of a material. Shaders and their data lie between its context writes, as a driver sends them."""
        s, inputs = self.s, 1 + number % 4
        s.context(CB_BLEND0_CONTROL=0x20010001 if number % 3 == 2 else 0, CB_TARGET_MASK=0xF)
        self.vertex_shader(1 + number, MESH, 5 + number % 7)
        s.context(**{f"SPI_PS_INPUT_CNTL_{n}": n | (number & 1) << 10 for n in range(inputs)})
        s.context(SPI_PS_INPUT_ENA=2 + number % 2, SPI_PS_INPUT_ADDR=2 + number % 2, SPI_PS_IN_CONTROL=inputs)
        self.pixel_shader(number, DEAR if number % 3 == 2 else CHEAP, 7 + number * 3 % 17)
        s.context(SPI_SHADER_COL_FORMAT=4 + number % 2, CB_SHADER_MASK=0xF, DB_SHADER_CONTROL=0x10 | number % 2 << 6)
        s.context(DB_DEPTH_CONTROL=0x700666 if number % 3 == 2 else 0x700636, PA_SU_SC_MODE_CNTL=0x240 | number % 2)

    def materials(self):
        s, last = self.s, None
        self.targets(0, 1, (1920, 1080))
        s.primitive("triangle_list")
        for number in range(self.draws):
            material = self.rng.randrange(self.states) if number % 16 == 15 else number // 2 % self.states
            if material != last:
                if number % 24 == 22:  # an event between the writes: this state cannot be gathered
                    s.context(CB_COLOR_CONTROL=0xCC0010)
                    s.event("BREAK_BATCH")
                self.material(material)
                last = material
            self.constants("GS")
            self.constants("PS")
            if number % 11 == 10:
                s.instances(2 + number % 7)
                self.mesh(number, 12, 120)
                s.instances(1)
            else:
                self.mesh(number)

    def compute(self, number, groups):
        s, base = self.s, (SHADERS >> 8) + 0x200000 + number * 0x40 | DISPATCH
        s.event("CS_PARTIAL_FLUSH", 4)
        s.acquire(0x8D81)
        s.sh(COMPUTE_NUM_THREAD_X=8, COMPUTE_NUM_THREAD_Y=8, COMPUTE_NUM_THREAD_Z=1)
        s.sh(COMPUTE_PGM_LO=base & 0xFFFFFFFF, COMPUTE_PGM_HI=base >> 32)
        s.sh(COMPUTE_PGM_RSRC1=0x2C0000 | 5, COMPUTE_PGM_RSRC2=0x190, COMPUTE_RESOURCE_LIMITS=0)
        s.sh(COMPUTE_USER_DATA_0=number, COMPUTE_USER_DATA_1=0)
        s.packet("DISPATCH_DIRECT", *groups, 5, low=2)
        s.dispatched += groups[0] * groups[1] * groups[2]   # groups of a wave
        s.event("CS_PARTIAL_FLUSH", 4)

    def special(self):
        """Ground in patches, particles as points, lines, strips and fans, transparent draws of two materials in turn."""
        s = self.s
        s.context(VGT_LS_HS_CONFIG=3 << 14 | 3 << 8 | 21, VGT_TF_PARAM=0x49)
        s.primitive("patch")
        for number in range(4):
            self.constants("GS")
            s.auto(3 * (32 + 11 * number))
        s.context(PA_SU_POINT_SIZE=0x00100010)
        for name, counts in (("point_list", (500, 64, 65)), ("line_list", (200, 2)), ("line_strip", (90, 66)),
                             ("triangle_strip", (130, 66, 3)), ("triangle_fan", (40, 12))):
            s.primitive(name)
            for count in counts:
                self.constants("GS")
                s.auto(count)
        s.primitive("triangle_list")
        for number in range(12):
            self.material(2 if number % 2 else 5 % self.states)
            self.constants("PS")
            self.mesh(number, 30, 300)

    def post(self):
        s = self.s
        for number in range(6):
            s.event("PS_PARTIAL_FLUSH", 4)
            s.acquire(0xC183)
            self.targets(2 + number % 2, None, (960, 540) if number < 4 else (1920, 1080))
            s.context(DB_DEPTH_CONTROL=0, CB_BLEND0_CONTROL=0, CB_TARGET_MASK=0xF)
            s.primitive("rectangle_list")
            self.vertex_shader(40, SCREEN, 2)
            self.pixel_shader(40 + number, FILTER, 11)
            self.constants("PS")
            s.auto(3)
        s.context(CB_BLEND0_CONTROL=0x65010504)  # text, over the picture
        s.primitive("triangle_list")
        self.vertex_shader(41, MESH, 2)
        for number in range(10):
            self.constants("PS")
            s.instances(1 + number * 3)
            s.auto(6)
        s.instances(1)

    def end(self):
        self.s.event("PS_PARTIAL_FLUSH", 4)
        self.s.release(FENCE, FRAME_NUMBER)
        self.s.packet("NOP", 0, 0, 0)

    def write(self):
        self.begin()
        for target in range(2):
            self.depth_only(2 + target, (1024, 1024), 10)
        self.depth_only(1, (1920, 1080), 24)
        self.materials()
        self.compute(0, (60, 34, 1))
        self.compute(1, (16, 1, 1))
        self.special()
        self.post()
        self.end()


def table(stream):
    values = {stream.places["CONTEXT", name]: value for name, value in DEFAULTS.items()}
    stream.packet("SET_CONTEXT_REG", 0, *[values.get(place, 0) for place in range(1024)])


def write(file, words, made_by):
    file.write_text("// SPDX-License-Identifier: Apache-2.0\n"
                    f"// Made by: sim/workloads/{made_by}\n"
                    + "".join(f"{word:08x}\n" for word in words), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["frame", "table"])
    parser.add_argument("file", type=Path)
    parser.add_argument("--chip", type=int, choices=[9, 10, 11], default=10)
    parser.add_argument("--states", type=int, default=6)
    parser.add_argument("--draws", type=int, default=200)
    options = parser.parse_args()
    if options.states < 1 or options.draws < 0:
        parser.error("--states is 1 or more, --draws 0 or more")
    stream = Stream(Source(), options.chip)
    if options.what == "frame":
        Frame(stream, options.states, options.draws).write()
    else:
        table(stream)
    write(options.file, stream.words, f"frame_stream.py {options.what} --chip {options.chip} --states {options.states} "
                                      f"--draws {options.draws}; {stream.draws} draws")


if __name__ == "__main__":
    main()
