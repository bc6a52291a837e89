# SPDX-License-Identifier: Apache-2.0
"""Reads the text form of LLVM 14 IR: types, constants, functions as lists of parsed instructions.

Everything that is not understood raises Refused: the proof then says so instead of guessing.
"""

import functools
import re

TOKEN = re.compile(r'\s*(c"(?:[^"\\]|\\.)*"|[%@]"[^"]*"|[%@][-\w.$]+|"[^"]*"|-?\d+|[A-Za-z_][\w.]*|'
                   r'![\w.]*|#\d+|\.\.\.|[][{}()<>,=*|:])')


class Refused(Exception):
    """A construct outside the subset."""


class Undef:
    """Each use is a value of its own."""


UNDEF = Undef()


def tokens(text):
    result, at = [], 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            if not text[at:].strip():
                break
            raise Refused(f"cannot read '{text[at:at + 40]}' of '{text.strip()}'")
        result.append(match.group(1))
        at = match.end()
    return result


ATTRIBUTES = frozenset(
    """noundef nonnull nocapture noalias readonly writeonly readnone zeroext signext inreg immarg returned
    swiftself noreturn nofree nosync nest allocalign tail musttail notail fastcc ccc coldcc dso_local unnamed_addr
    local_unnamed_addr internal private constant hidden linkonce_odr""".split())


class Reader:
    """A cursor over the tokens of one instruction."""

    def __init__(self, module, text):
        self.module = module
        self.text = text
        self.tok = tokens(text)
        self.at = 0

    def peek(self, ahead=0):
        return self.tok[self.at + ahead] if self.at + ahead < len(self.tok) else None

    def take(self, expected=None):
        token = self.peek()
        if token is None or (expected is not None and token != expected):
            raise Refused(f"'{expected or 'more'}' expected in '{self.text.strip()}'")
        self.at += 1
        return token

    def skip(self, *words):
        """Take any of the words as long as they come; returns those taken."""
        taken = set()
        while self.peek() in words:
            taken.add(self.take())
        return taken

    # types: ('int', bits) ('ptr', t) ('array', n, t) ('struct', (t,...), packed) ('void',) ('label',)
    def type(self):
        token = self.take()
        if re.fullmatch(r"i\d+", token):
            result = ("int", int(token[1:]))
        elif token == "void":
            result = ("void",)
        elif token in ("label", "metadata", "ptr"):
            if token == "ptr":
                raise Refused("opaque pointers: clang 14 is needed")
            result = (token,)
        elif token[0] == "%":
            result = ("named", token)
        elif token == "[":
            count = int(self.take())
            self.take("x")
            result = ("array", count, self.type())
            self.take("]")
        elif token == "{" or (token == "<" and self.peek() == "{"):
            packed = token == "<"
            if packed:
                self.take("{")
            parts = []
            while self.peek() != "}":
                parts.append(self.type())
                if self.peek() == ",":
                    self.take()
            self.take("}")
            if packed:
                self.take(">")
            result = ("struct", tuple(parts), packed)
        elif token == "opaque":
            result = ("opaque",)
        elif token in ("double", "float", "half", "x86_fp80") or token == "<":
            raise Refused(f"type '{token}' (floating point or vector) in '{self.text.strip()}'")
        else:
            raise Refused(f"type '{token}' in '{self.text.strip()}'")
        while True:
            if self.peek() == "*":
                self.take()
                result = ("ptr", result)
            elif self.peek() == "(":
                self.parenthesis()
                result = ("function", result)
            else:
                return result

    def parenthesis(self):
        self.take("(")
        depth = 1
        while depth:
            token = self.take()
            depth += (token == "(") - (token == ")")

    def attributes(self):
        """Parameter attributes; returns {'byval': type} where it matters."""
        found = {}
        while True:
            token = self.peek()
            if token in ATTRIBUTES:
                self.take()
            elif token == "align":
                self.take()
                if self.peek() == "(":
                    self.parenthesis()
                else:
                    self.take()
            elif token in ("dereferenceable", "dereferenceable_or_null", "elementtype"):
                self.take()
                self.parenthesis()
            elif token in ("byval", "sret"):
                self.take()
                self.take("(")
                found[token] = self.type()
                self.take(")")
            else:
                return found

    def value(self, kind):
        """An operand: ('reg', name) or ('const', python value of that type)."""
        token = self.peek()
        if token[0] == "%":
            return ("reg", self.take())
        return ("const", self.constant(kind))

    def constant(self, kind):
        kind = self.module.resolve(kind)
        token = self.take()
        if re.fullmatch(r"-?\d+", token):
            return ("int", int(token) & ((1 << kind[1]) - 1), kind[1])
        if token in ("true", "false"):
            return ("int", int(token == "true"), 1)
        if token in ("undef", "poison"):
            return ("undef", kind)
        if token == "zeroinitializer":
            return ("zero", kind)
        if token == "null":
            return ("null",)
        if token[0] == "@":
            return ("global", token)
        if token.startswith('c"'):
            text = re.sub(r"\\([0-9A-Fa-f]{2})", lambda m: chr(int(m.group(1), 16)), token[2:-1])
            return ("list", [("int", ord(char), 8) for char in text])
        if token in ("[", "{") or (token == "<" and self.peek() == "{"):
            if token == "<":
                self.take()
            close = "]" if token == "[" else "}"
            parts = []
            while self.peek() != close:
                inner = self.type()
                parts.append(self.constant(inner))
                if self.peek() == ",":
                    self.take()
            self.take(close)
            if token == "<":
                self.take(">")
            return ("list", parts)
        if token == "getelementptr":
            self.skip("inbounds")
            self.take("(")
            base = self.type()
            indices = []
            while self.peek() == ",":
                self.take()
                self.skip("inrange")
                inner = self.type()
                indices.append((inner, self.constant(inner)))
            self.take(")")
            return ("gep", base, indices[0][1], indices[1:])
        if token == "bitcast":
            self.take("(")
            inner = self.type()
            result = self.constant(inner)
            self.take("to")
            self.type()
            self.take(")")
            return result
        raise Refused(f"constant '{token}' in '{self.text.strip()}'")

    def operand(self):
        kind = self.type()
        self.attributes()
        return kind, self.value(kind)


class Function:
    def __init__(self, name):
        self.name = name
        self.result = None
        self.params = []        # (type, name, attributes)
        self.blocks = {}        # label -> list of instructions
        self.order = []


def kept(function):
    """Layout is asked for in every access: what is known of a type is kept."""
    @functools.wraps(function)
    def wrapper(self, kind):
        key = (function, kind)
        if key not in self._layouts:
            self._layouts[key] = function(self, kind)
        return self._layouts[key]
    return wrapper


class Module:
    def __init__(self, text):
        self._layouts = {}
        self.types, self.globals, self.functions, self.metadata = {}, {}, {}, {}
        self._texts = {}
        self._parse(text)

    def resolve(self, kind):
        while kind[0] == "named":
            if kind[1] not in self.types:
                raise Refused(f"unknown type {kind[1]}")
            kind = self.types[kind[1]]
        return kind

    # -- layout --------------------------------------------------------------------------------------------------

    @kept
    def align(self, kind):
        kind = self.resolve(kind)
        if kind[0] == "int":
            size = 1
            while size * 8 < kind[1]:
                size *= 2
            return min(size, 16)
        if kind[0] == "ptr":
            return 8
        if kind[0] == "array":
            return self.align(kind[2])
        if kind[0] == "struct":
            return 1 if kind[2] else max((self.align(part) for part in kind[1]), default=1)
        raise Refused(f"no layout for type {kind}")

    @kept
    def size(self, kind):
        kind = self.resolve(kind)
        if kind[0] == "int":
            step = self.align(kind)
            return -(-((kind[1] + 7) // 8) // step) * step
        if kind[0] == "ptr":
            return 8
        if kind[0] == "array":
            return kind[1] * self.size(kind[2])
        if kind[0] == "struct":
            offsets = self.offsets(kind)
            end = offsets[-1] + self.size(kind[1][-1]) if kind[1] else 0
            step = self.align(kind)
            return -(-end // step) * step
        raise Refused(f"no layout for type {kind}")

    @kept
    def offsets(self, kind):
        kind = self.resolve(kind)
        result, at = [], 0
        for part in kind[1]:
            step = 1 if kind[2] else self.align(part)
            at = -(-at // step) * step
            result.append(at)
            at += self.size(part)
        return result

    # -- reading -------------------------------------------------------------------------------------------------

    def _parse(self, text):
        lines = iter(text.splitlines())
        for line in lines:
            line = _uncomment(line)
            if not line or line.startswith(("source_filename", "target ", "attributes", "declare", "$")):
                continue
            if line.startswith("!"):
                match = re.match(r"(!\d+) = !\{i8 (\d+), i8 (\d+)\}", line)
                if match:
                    self.metadata[match.group(1)] = (int(match.group(2)), int(match.group(3)))
                continue
            if line.startswith("%"):
                name, rest = line.split(" = type ", 1)
                self.types[name] = ("later", rest)
            elif line.startswith("@"):
                name, rest = line.split(" = ", 1)
                self.globals[name] = rest
            elif line.startswith("define"):
                body = []
                for inner in lines:
                    if inner == "}":
                        break
                    inner = _uncomment(inner)
                    if inner.strip():
                        body.append(inner)
                name = re.search(r"(@[-\w.$]+|@\"[^\"]*\")\(", line).group(1)
                self._texts[name] = (line, body)
            else:
                raise Refused(f"cannot read '{line}'")
        for name, (_, rest) in list(self.types.items()):
            self.types[name] = Reader(self, rest).type()

    def global_value(self, name):
        """(type, initial value or None, is constant)."""
        rest = self.globals.get(name)
        if rest is None:
            raise Refused(f"unknown global {name}")
        reader = Reader(self, rest)
        constant = False
        while reader.peek() in ATTRIBUTES or reader.peek() in ("external", "global", "thread_local"):
            constant |= reader.take() == "constant"
        kind = reader.type()
        if not constant:
            raise Refused(f"global variable {name}: the model has no globals")
        return kind, reader.constant(kind)

    def function(self, name):
        if name in self.functions:
            return self.functions[name]
        if name not in self._texts:
            raise Refused(f"call of {name}, which has no body here")
        head, body = self._texts[name]
        function = Function(name)
        reader = Reader(self, head[:head.rindex(")") + 1] if ")" in head else head)
        reader.take("define")
        reader.attributes()
        function.result = reader.type()
        reader.take()
        reader.take("(")
        count = 0
        while reader.peek() != ")":
            kind = reader.type()
            extra = reader.attributes()
            if reader.peek() and reader.peek()[0] == "%":
                param = reader.take()
            else:
                param = f"%{count}"
            count += 1
            function.params.append((kind, param, extra))
            if reader.peek() == ",":
                reader.take()
        label = None
        pending = ""
        for line in body:
            match = re.match(r'([-\w.$]+|"[^"]*"):', line)
            if match and not pending:
                label = "%" + match.group(1)
            else:
                if label is None:
                    unnamed = all(re.fullmatch(r"%\d+", param) for _, param, _ in function.params)
                    label = f"%{count}" if unnamed else "%entry"
                if label not in function.blocks:
                    function.blocks[label] = []
                    function.order.append(label)
                pending += " " + line.strip()
                if pending.count("[") != pending.count("]"):
                    continue
                function.blocks[label].append(_read(self, pending))
                pending = ""
        self.functions[name] = function
        return function


def _uncomment(line):
    """The line without its comment; quotes are respected."""
    quoted = False
    for place, char in enumerate(line):
        if char == '"':
            quoted = not quoted
        elif char == ";" and not quoted:
            return line[:place].rstrip()
    return line.rstrip()


BINARY = frozenset("add sub mul udiv sdiv urem srem shl lshr ashr and or xor".split())
CASTS = frozenset("zext sext trunc bitcast".split())


def _read(module, text):
    try:
        return _instruction(module, text)
    except (AttributeError, IndexError, TypeError, ValueError):
        return _refuse(text)


def _instruction(module, text):
    """(op, destination, operands...) ready for execution."""
    reader = Reader(module, text)
    dest = None
    if reader.peek(1) == "=":
        dest = reader.take()
        reader.take("=")
    reader.skip("tail", "musttail", "notail")
    op = reader.take()
    if op in BINARY:
        flags = reader.skip("nuw", "nsw", "exact")
        kind, a = reader.operand()
        reader.take(",")
        return ("binary", dest, op, flags, kind[1] if kind[0] == "int" else _refuse(text), a, reader.value(kind))
    if op in CASTS:
        kind, a = reader.operand()
        reader.take("to")
        return ("cast", dest, op, kind, reader.type(), a)
    if op == "icmp":
        how = reader.take()
        kind, a = reader.operand()
        reader.take(",")
        return ("icmp", dest, how, module.resolve(kind), a, reader.value(kind))
    if op == "select":
        kind, cond = reader.operand()
        if kind != ("int", 1):
            _refuse(text)
        reader.take(",")
        kind, a = reader.operand()
        reader.take(",")
        return ("select", dest, module.resolve(kind), cond, a, reader.operand()[1])
    if op == "freeze":
        kind, a = reader.operand()
        return ("freeze", dest, kind, a)
    if op == "phi":
        kind = module.resolve(reader.type())
        edges = {}
        while True:
            reader.take("[")
            a = reader.value(kind)
            reader.take(",")
            edges[reader.take()] = a
            reader.take("]")
            if reader.peek() != ",":
                break
            reader.take()
        return ("phi", dest, kind, edges)
    if op == "br":
        if reader.peek() == "label":
            reader.take()
            return ("br", None, None, reader.take(), None)
        _, cond = reader.operand()
        reader.take(",")
        reader.take("label")
        yes = reader.take()
        reader.take(",")
        reader.take("label")
        return ("br", None, cond, yes, reader.take())
    if op == "switch":
        kind, a = reader.operand()
        reader.take(",")
        reader.take("label")
        default = reader.take()
        reader.take("[")
        cases = []
        while reader.peek() != "]":
            inner = reader.type()
            number = reader.constant(inner)[1]
            reader.take(",")
            reader.take("label")
            cases.append((number, reader.take()))
        return ("switch", None, kind, a, default, cases)
    if op == "ret":
        if reader.peek() == "void":
            return ("ret", None, None, None)
        kind, a = reader.operand()
        return ("ret", None, kind, a)
    if op == "unreachable":
        return ("unreachable", None)
    if op == "alloca":
        kind = reader.type()
        if reader.peek() == "," and reader.peek(1) != "align":
            _refuse(text)
        return ("alloca", dest, kind)
    if op == "load":
        if reader.skip("volatile", "atomic"):
            _refuse(text)
        kind = reader.type()
        reader.take(",")
        _, a = reader.operand()
        limits = None
        match = re.search(r"!range (!\d+)", text)
        if match:
            limits = module.metadata.get(match.group(1))
        return ("load", dest, module.resolve(kind), a, limits)
    if op == "store":
        if reader.skip("volatile", "atomic"):
            _refuse(text)
        kind, a = reader.operand()
        reader.take(",")
        return ("store", None, module.resolve(kind), a, reader.operand()[1])
    if op == "getelementptr":
        reader.skip("inbounds")
        base = reader.type()
        reader.take(",")
        _, a = reader.operand()
        indices = []
        while reader.peek() == ",":
            reader.take()
            indices.append(reader.operand())
        return ("gep", dest, base, a, indices)
    if op == "extractvalue":
        kind, a = reader.operand()
        path = []
        while reader.peek() == "," and reader.peek(1).isdigit():
            reader.take()
            path.append(int(reader.take()))
        return ("extract", dest, kind, a, path)
    if op == "insertvalue":
        kind, a = reader.operand()
        reader.take(",")
        _, b = reader.operand()
        path = []
        while reader.peek() == "," and reader.peek(1).isdigit():
            reader.take()
            path.append(int(reader.take()))
        return ("insert", dest, kind, a, b, path)
    if op == "call":
        reader.attributes()
        result = module.resolve(reader.type())
        name = reader.take()
        if name[0] != "@":
            _refuse(text)
        if name.startswith(("@llvm.dbg.", "@llvm.experimental.noalias")):
            return ("nothing", None)
        reader.take("(")
        args = []
        while reader.peek() != ")":
            kind = reader.type()
            extra = reader.attributes()
            args.append((kind, reader.value(kind), extra))
            if reader.peek() == ",":
                reader.take()
        return ("call", dest, result, name, args)
    return _refuse(text)


def _refuse(text):
    raise Refused(f"instruction '{text.strip()}'")
