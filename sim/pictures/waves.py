# SPDX-License-Identifier: Apache-2.0
"""Values of a run by clock, from its FST; nothing but Python and GTKWave is needed.

    Waves(fst, pattern).clocks()    values of signals after every rising edge
"""

import re
import subprocess

PS = 1000   # units of the FST's time a clock


class Waves:
    """Values of the signals whose names match, one pass from the start of the FST (through fst2vcd of GTKWave)."""

    def __init__(self, fst, wanted):
        self.process = subprocess.Popen(["fst2vcd", fst], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.names, scope = {}, []
        for line in self.process.stdout:
            word = line.split()
            if line.startswith("$scope"):
                scope.append(word[2])
            elif line.startswith("$upscope"):
                scope.pop()
            elif line.startswith("$var"):
                name = ".".join(scope + [word[4]])
                if re.fullmatch(wanted, name):
                    self.names.setdefault(word[3], []).append(name)
            elif line.startswith("$enddefinitions"):
                break

    def clocks(self):
        """Yields (clock, {name: value}) with the values after every rising edge."""
        values, time = {}, 0
        for line in self.process.stdout:
            if line[0] == "#":
                if time % PS == 0:
                    yield time // PS, values
                time = int(line[1:])
            elif line[0] in "01xz":
                for name in self.names.get(line[1:-1], ()):
                    values[name] = line[0] == "1"
            elif line[0] == "b":
                value, code = line[1:].split()
                for name in self.names.get(code, ()):
                    values[name] = int(value, 2)

    def close(self):
        self.process.kill()
        self.process.wait()
