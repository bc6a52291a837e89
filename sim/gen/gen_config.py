#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Generates rtl/lib/totem_config.vh, cmodel/lib/totem_config.h, tb/totem/totem_configurations.h and the table of
docs/workloads.md from rtl/top/config.yaml.

The numbers of requesters come from the channels of rtl/top/machine.yaml (`count`).

    python3 sim/gen/gen_config.py            writes the files (only if they change)
    python3 sim/gen/gen_config.py --check    exit code 1 if they are not current, nothing is written
    python3 sim/gen/gen_config.py --show     prints every configuration with its hash
    python3 sim/gen/gen_config.py --modules full mini
                                         prints for every RTL module: name, file, configuration, NAME=value...

Other tools take the values from configurations(), which gives {name: {parameter: value}}.
"""

import functools
import hashlib
import re
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    sys.exit("sim/gen/gen_config.py: the Python module yaml is missing; run 'make setup' and use .venv/bin/python")

import channels
from contract import evaluate
from generated import USED, used

ROOT = Path(__file__).resolve().parents[2]
SOURCE = ROOT / "rtl" / "top" / "config.yaml"
VERILOG = ROOT / "rtl" / "lib" / "totem_config.vh"
HEADER = ROOT / "cmodel" / "lib" / "totem_config.h"
TABLE = ROOT / "tb" / "totem" / "totem_configurations.h"
PAGE = ROOT / "docs" / "workloads.md"
# Columns of the table: what the page calls it, member of the header, parameter or feature.
COLUMNS = (("front ends", "front_ends", "FE_COUNT"), ("pipes", "pipes", "PIPE_COUNT"), ("queues", "queues", "QUEUES"),
           ("engines", "engines", "SE_COUNT"), ("wave slots", "slots", "SLOTS"), ("VGPRs", "vgprs", "VGPRS"),
           ("LDS", "lds", "LDS"), ("tasks", "tasks", "TASKS"), ("graphics", "graphics", "GRAPHICS"),
           ("run list", "run_list", "RUNLIST"), ("its queues", "entries", "RUN_QUEUES"))


class ConfigError(Exception):
    """config.yaml cannot be used. The text names file, line and remedy."""


class Unique(yaml.CSafeLoader):
    """Refuses a key that is there twice, which plain YAML readers silently accept."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            if key.value in seen:
                raise ConfigError(
                    f"{_shown(SOURCE)}:{key.start_mark.line + 1}: '{key.value}' is there twice; remove one")
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def _shown(path):
    try:
        return path.relative_to(ROOT)
    except ValueError:
        return path


def _derived(data):
    """{name: (expression, meaning)} of what follows from the sizes; numbers of requesters first."""
    try:
        counts = {channel.count: (channel.each, f"requesters of {name}, a channel of machine.yaml")
                  for name, channel in channels.load().items() if channel.count}
    except channels.ChannelError as error:
        raise ConfigError(f"{_shown(channels.FILE)}: {error}") from None
    return counts | {key: (str(expression), meaning) for key, (expression, meaning) in data["derived"].items()}


@functools.lru_cache
def _data(source):
    return yaml.load(source.read_text(encoding="utf-8"), Unique)


@functools.lru_cache
def derived(source=SOURCE):
    """{name: expression} of what follows from the sizes."""
    return {key: text for key, (text, _) in _derived(_data(source)).items()}


def features(source=SOURCE):
    """The names of what is present (1) or left out (0)."""
    return list(_data(source)["features"])


def read(source=SOURCE):
    """config.yaml as (configuration texts, values by configuration, meanings by parameter)."""
    texts, values, meanings = _read(source, source.read_text(encoding="utf-8"),
                                    channels.FILE.read_text(encoding="utf-8"))
    return dict(texts), {name: dict(row) for name, row in values.items()}, dict(meanings)


@functools.lru_cache
def _read(source, text, _):         # the third text: what channels.load reads
    def fail(key, what, remedy):
        match = re.search(rf"^\s*{re.escape(str(key))}\s*:", text, re.M)
        line = text.count("\n", 0, match.start()) + 1 if match else 1
        if match and match.group().startswith("\n"):
            line += 1
        raise ConfigError(f"{_shown(source)}:{line}: {what}; {remedy}")

    try:
        data = yaml.load(text, Unique)
    except yaml.YAMLError as error:
        raise ConfigError(
            f"{_shown(source)}:{error.problem_mark.line + 1}: {error.problem}; correct the YAML") from None
    sections = {"configurations", "parameters", "features", "derived"}
    if set(data) != sections:
        fail("configurations", f"sections {sorted(set(data) ^ sections)} are missing or unknown",
             "keep configurations, parameters, features and derived")
    names = list(data["configurations"])
    values, meanings = {name: {} for name in names}, {}
    for section, least in (("parameters", 1), ("features", 0)):
        for key, row in data[section].items():
            numbers, meaning = row[:-1], row[-1]
            if not re.fullmatch(r"[A-Z][A-Z0-9_]*", key) or key in meanings or key.startswith("CONFIG"):
                fail(key, f"'{key}' is not a free name", "write it once, in capitals, not beginning with CONFIG")
            if len(numbers) != len(names) or not isinstance(meaning, str):
                fail(key, f"{key} has {len(numbers)} values for {len(names)} configurations",
                     f"write one for each of {', '.join(names)}, then the meaning")
            meanings[key] = meaning
            for name, number in zip(names, numbers):
                if type(number) is not int or not least <= number <= (0x7fffffff if least else 1):
                    fail(key, f"{key} is {number!r} in {name}",
                         "write a number from 1" if least else "a feature is 0 or 1")
                values[name][key] = number
    for key, (expression, meaning) in _derived(data).items():
        if not re.fullmatch(r"[A-Z][A-Z0-9_]*", key) or key in meanings or key.startswith("CONFIG"):
            fail(key, f"'{key}' is not a free name", "write it once, in capitals, not beginning with CONFIG")
        meanings[key] = meaning
        for name in names:
            try:
                values[name][key] = evaluate(expression, values[name])
            except ValueError as error:
                fail(key, str(error), "use parameters above it")
    return data["configurations"], values, meanings


def overridden(name, overrides, source=SOURCE):
    """Values of a configuration in which {parameter: value} replaces what config.yaml says; derived values follow. The
    number of requesters of a channel can be replaced too."""
    _, values, meanings = read(source)
    if name not in values:
        raise ConfigError(f"no configuration '{name}'; known: {', '.join(values)}")
    counts = {channel.count for channel in channels.load().values()}
    follow = {key: text for key, text in derived(source).items() if key not in counts or key not in overrides}
    bad = sorted(key for key in overrides if key not in meanings or key in follow)
    if bad:
        raise ConfigError(f"{', '.join(bad)} cannot be set; parameters: "
                          + ", ".join(key for key in meanings if key not in follow))
    row = {**values[name], **overrides}
    for key, expression in follow.items():
        row[key] = evaluate(expression, row)
    return row


def configurations(source=SOURCE):
    """{configuration: {parameter: value}}, derived ones included."""
    return read(source)[1]


def config_hash(name, values):
    """First 32 bits of SHA-256 over the canonical form: the name, then NAME=value by name, one a line."""
    lines = [f"CONFIG={name}"] + [f"{key}={values[key]}" for key in sorted(values)]
    return int.from_bytes(hashlib.sha256("".join(line + "\n" for line in lines).encode()).digest()[:4], "big")


NOTICE = """// SPDX-License-Identifier: Apache-2.0
//
// Generated by sim/gen/gen_config.py from rtl/top/config.yaml. Do not edit; change the source and run `make generate`.
//
"""


def single(comment, name, values):
    """The values of one configuration without a choice: (totem_config.vh, totem_config.h)."""
    number = config_hash(name, values)
    rows = {"vh": [f'`define TOTEM_CONFIG_NAME "{name}"', f"`define TOTEM_CONFIG_HASH 32'h{number:08x}"]
                  + [f"`define TOTEM_{key} {value}" for key, value in values.items()],
            "h": [f'#define TOTEM_CONFIG_NAME "{name}"', f"#define TOTEM_CONFIG_HASH 0x{number:08x}u"]
                 + [f"#define TOTEM_{key} {value}" for key, value in values.items()]}
    return ("\n".join([comment, "`ifndef TOTEM_CONFIG_VH", "`define TOTEM_CONFIG_VH", *rows["vh"], "`endif"]) + "\n",
            "\n".join([comment, "#ifndef TOTEM_CONFIG_H", "#define TOTEM_CONFIG_H", *rows["h"], "#endif"]) + "\n")


def verilog(texts, values, meanings):
    """totem_config.vh: the parameters as text macros, chosen by `define TOTEM_CONFIG_<NAME>."""
    out = [NOTICE + f"// The sizes of the configuration chosen with -DTOTEM_CONFIG_<NAME>; without one, full.\n// {USED}\n"]
    out.append("`ifndef TOTEM_CONFIG_VH\n`define TOTEM_CONFIG_VH\n")
    names = [name for name in texts if name != "full"] + ["full"]
    for place, name in enumerate(names):
        opening = "`else" if name == "full" else f"`{'elsif' if place else 'ifdef'} TOTEM_CONFIG_{name.upper()}"
        out.append(f"{opening} // {name}: {texts[name]}")
        out.append(f'`define TOTEM_CONFIG_NAME "{name}"')
        out.append(f"`define TOTEM_CONFIG_HASH 32'h{config_hash(name, values[name]):08x}")
        out.extend(f"`define TOTEM_{key} {value}" for key, value in values[name].items())
    out.append("`endif\n\n`endif")
    return used("\n".join(out) + "\n", "rtl/lib/totem_config.vh", "sim/gen/gen_config.py")


def header(texts, values, meanings):
    """totem_config.h: the same names as C macros, chosen by -DTOTEM_CONFIG_<NAME>."""
    out = [NOTICE + "// The sizes of the configuration chosen with -DTOTEM_CONFIG_<NAME>; without one, full.\n//"]
    width = max(map(len, meanings)) + 6
    out.extend(f"//   {'TOTEM_' + key:<{width}} {meaning}" for key, meaning in meanings.items())
    out.append("\n#ifndef TOTEM_CONFIG_H\n#define TOTEM_CONFIG_H\n")
    choices = " + ".join(f"defined(TOTEM_CONFIG_{name.upper()})" for name in texts)
    out.append(f"#if {choices} > 1\n#error \"more than one TOTEM_CONFIG_ is defined; define one\"\n#endif\n")
    names = [name for name in texts if name != "full"] + ["full"]
    for place, name in enumerate(names):
        opening = "#else" if name == "full" else f"#{'elif' if place else 'if'} defined(TOTEM_CONFIG_{name.upper()})"
        out.append(f"{opening} // {name}: {texts[name]}")
        out.append(f'#define TOTEM_CONFIG_NAME "{name}"')
        out.append(f"#define TOTEM_CONFIG_HASH 0x{config_hash(name, values[name]):08x}u")
        out.extend(f"#define TOTEM_{key} {value}" for key, value in values[name].items())
    out.append("#endif\n\n#endif")
    return "\n".join(out) + "\n"


def table(texts, values, meanings):
    """totem_configurations.h: what of a configuration a workload needs."""
    out = [NOTICE + "// What each configuration has of what a workload may ask for.", "#ifndef TOTEM_CONFIGURATIONS_H",
           "#define TOTEM_CONFIGURATIONS_H", "", "#include <stdbool.h>", "#include <stdint.h>", "", "typedef struct {",
           "    const char *name;"]
    out += [f"    {'bool' if key in features() else 'uint32_t'} {member};" for _, member, key in COLUMNS]
    out += ["    uint32_t hash;", "} totem_configuration;", "",
            "static const totem_configuration totem_configurations[] = {"]
    out += [f'    {{"{name}", ' + ", ".join(str(values[name][key]) for _, _, key in COLUMNS) +
            f", 0x{config_hash(name, values[name]):08x}}}," for name in texts]
    return "\n".join(out + ["};", "", "#endif"]) + "\n"


def page(texts, values, _):
    """docs/workloads.md with the table as it is to be: the rows below the one that begins with `configuration`."""
    def shown(name, key):
        return ("no", "yes")[values[name][key]] if key in features() else values[name][key]
    rows = [f"| {name} | " + " | ".join(str(shown(name, key)) for _, _, key in COLUMNS) + " |" for name in texts]
    head = "| configuration | " + " | ".join(title for title, _, _ in COLUMNS) + " |"
    new = "\n".join([head, "|---" * (len(COLUMNS) + 1) + "|", *rows, ""])
    text, count = re.subn(r"^\| configuration \|.*\n(\|.*\n)+", lambda _: new, PAGE.read_text(encoding="utf-8"),
                          flags=re.M)
    if count != 1:
        raise ConfigError("docs/workloads.md has no table that begins with '| configuration |', or two; write one")
    return text


def modules(names):
    """Every module of rtl/ in every named configuration, with those of its parameters that the configuration has; widths
    that follow from them are left out."""
    values = configurations()
    unknown = sorted(set(names) - set(values))
    if unknown:
        raise ConfigError(f"no configuration {', '.join(unknown)}; known: {', '.join(values)}")
    for path in sorted((ROOT / "rtl").glob("*/totem*.v")):
        wanted = dict(re.findall(r"^\s*parameter\s+([A-Z][A-Z0-9_]*)\s*=(.*)", path.read_text(encoding="utf-8"), re.M))
        for name in names:
            overrides = [f"{key}={values[name][key]}" for key, text in wanted.items()
                         if key in values[name] and not (key.endswith("_BITS") and "$clog2" in text)]
            print(path.stem, _shown(path), name, *overrides)


def main(arguments):
    if arguments[:1] == ["--modules"]:
        try:
            modules(arguments[1:])
        except ConfigError as error:
            print(error, file=sys.stderr)
            return 1
        return 0
    if arguments not in ([], ["--check"], ["--show"]):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        texts, values, meanings = read()
    except ConfigError as error:
        print(error, file=sys.stderr)
        return 1
    if arguments == ["--show"]:
        for name, row in values.items():
            print(f"{name} ({config_hash(name, row):08x}): " + " ".join(f"{key}={value}" for key, value in row.items()))
        return 0
    stale = 0
    for path, make in ((VERILOG, verilog), (HEADER, header), (TABLE, table), (PAGE, page)):
        if path == PAGE and not path.exists():      # a copy without the pages
            continue
        text = make(texts, values, meanings)
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments:
            print(f"{_shown(path)} is not what rtl/top/config.yaml gives; run 'make generate' and commit the result")
            stale = 1
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {_shown(path)}")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
