# SPDX-License-Identifier: Apache-2.0
"""Expressions and types of the contracts in C, for what is generated (sim/gen/gen_headers.py, sim/gen/machine_c.py)."""

import functools
import re

import contract
import gen_config

SIZES = (8, 16, 32, 64)
SHORT = {"FE_COUNT*PIPES": "PIPE_COUNT"}        # products with a name of their own


@functools.cache
def known():
    """The names that configurations have."""
    return set(gen_config.configurations()["full"])


def expression(text, block=""):
    """An expression in C. Names that no configuration has are parameters of the block."""
    for product, name in SHORT.items():
        text = re.sub(rf"\b{re.escape(product)}\b", name, text)
    text = re.sub(r"\b[A-Z][A-Z0-9_]*\b",
                  lambda name: f"TOTEM_{name[0] if name[0] in known() else f'{block.upper()}_{name[0]}'}", text)
    text = text.replace("$clog2(", "TOTEM_BITS(")
    return re.sub(r"\s*(<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^<>?:])\s*", r" \1 ", text).strip()


def sizes(widths):
    """The sizes of integers that hold words of these widths, smallest first."""
    return sorted({next(size for size in SIZES if width <= size) for width in widths})


def word_type(width):
    """The C type of a word: that of the widest configuration, at least uint8_t if its width is an expression."""
    if width.isdigit():
        return contract.c_type(int(width))
    return f"uint{sizes(contract.evaluate(width, values) for values in gen_config.configurations().values())[-1]}_t"
