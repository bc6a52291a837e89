# SPDX-License-Identifier: Apache-2.0
"""Channels of rtl/top/machine.yaml: the requesters of a shared block, numbered.

    load() -> {name: Channel}     from the text of machine.yaml alone; for the netlist (sim/gen/netlist.py), for
                                  the numbers of requesters as sizes (sim/gen/gen_config.py), for those of error sources
                                  (sim/gen/gen_sources.py)
"""

import functools
import math
from dataclasses import dataclass
from pathlib import Path

import yaml

FILE = Path(__file__).resolve().parents[2] / "rtl" / "top" / "machine.yaml"


class ChannelError(Exception):
    """A channel cannot be read. The text names the place and the remedy."""


@dataclass
class Dim:
    """A dimension of arrays."""
    name: str
    size: str       # parameter
    index: str      # name of the loop variable
    bits: int       # width of its number, as blocks know it


@dataclass
class Requester:
    """Of one name: it has a number for every place in its dimensions."""
    base: str       # requesters before its group
    step: str       # members of its group
    place: str      # its place in it
    dims: list
    per: Dim        # dimension in whose places they are numbered, or None
    count: str      # how many there are in each

    @property
    def number(self):
        inner = [dim for dim in self.dims if dim is not self.per]
        outer = [product([self.count, self.per.index])] if self.per else []
        return total([*outer, self.base, product([self.step, flat(inner)]) if inner else "0", self.place])


@dataclass
class Channel:
    at: str             # the shared block
    count: str          # size that is the number of requesters (`per`: in each of its places), or None
    each: str           # that number, an expression of other sizes
    total: str          # the number of all
    requesters: dict    # name -> Requester


def product(factors):
    """The product as an expression, short."""
    number, rest = 1, []
    for factor in map(str, factors):
        if factor.isdigit():
            number *= int(factor)
        else:
            rest.append(f"({factor})" if any(c in factor for c in "+-?<>/ ") else factor)
    if number != 1 or not rest:
        rest.append(str(number))
    return "*".join(rest)


def flat(dims):
    """The number of an element of an array with these dimensions, from the index of each."""
    text = ""
    for dim in dims:
        text = dim.index if not text else f"({text}*{dim.size}+{dim.index})"
    return text


def total(terms):
    """The sum as an expression, terms of the same sizes together."""
    counts = {}
    for term in (part for text in terms for part in ([text] if "(" in text else text.split("+"))):
        factors = [term] if "(" in term else term.split("*")
        number = math.prod(int(factor) for factor in factors if factor.isdigit())
        rest = tuple(factor for factor in factors if not factor.isdigit())
        if number:
            counts[rest] = counts.get(rest, 0) + number
    return "+".join(product([number, *rest]) if "(" not in "".join(rest) else rest[0]
                    for rest, number in counts.items()) or "0"


def _places(text, dims, around=(), prefix="", when=None):
    """Block -> (dimensions of the arrays that it stands in, feature without which it does not exist)."""
    prefix, when = text.get("prefix", prefix), text.get("when", when)
    found = {prefix + name: (list(around), when) for name in [*text.get("blocks", []), *text.get("rams", {})]}
    found |= {prefix + name: (list(around), part.get("when", when)) for name, part in text.get("parts", {}).items()}
    for module in text.get("modules", []):
        found |= _places(module, dims, around, prefix, when)
    for array in text.get("arrays", []):
        inner = (*around, dims[array["dim"]])
        found |= _places(array, dims, inner, prefix, when)
    return found


@functools.lru_cache
def _of(source):
    """Of a text of machine.yaml."""
    return load(yaml.load(source, yaml.CSafeLoader))


def load(text=None):
    if text is None:
        return _of(FILE.read_text(encoding="utf-8"))
    dims = {name: Dim(name, **what) for name, what in text["dims"].items()}
    places, channels = _places(text["tree"], dims), {}
    for name, what in text.get("channels", {}).items():
        groups = [group if isinstance(group, list) else [group] for group in what["requesters"]]
        for block in [what["at"], *(block for group in groups for block in group)]:
            if block not in places:
                raise ChannelError(f"channel {name}: there is no instance {block}; correct the name")
        if what.get("per", next(iter(dims))) not in dims:
            raise ChannelError(f"channel {name}: there is no dimension {what['per']}; correct `per`")
        base, requesters, per = "0", {}, dims.get(what.get("per"))
        for group in groups:
            more = [dim for dim in places[group[0]][0] if dim not in places[what["at"]][0]]
            step = total([places[member][1] or "1" for member in group])
            for n, requester in enumerate(group):
                # Of those before it, which of them are there if it is.
                before = [places[member][1] for member in group[:n]]
                place = total(["1" if when in (None, places[requester][1]) else when for when in before])
                requesters[requester] = Requester(base, step, place, more, per, what.get("count"))
            base = total([base, product([step, *(dim.size for dim in more if dim is not per)])])
        channels[name] = Channel(what["at"], what.get("count"), base,
                                 product([per.size, base]) if per else base, requesters)
    return channels
