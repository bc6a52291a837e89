// SPDX-License-Identifier: Apache-2.0
//
// traced: signals of the model in the trace that Verilator writes of the RTL, in the scope TOP.model; and TOP.clock, the
// number of the clock, since tools that show a trace know units of time alone.

#ifndef TRACED_H
#define TRACED_H

#include "difference.h"

#include "verilated_fst_c.h"

#include <set>
#include <string>
#include <vector>

class model_trace
{
    struct signal {
        std::string     prefix, name; // scopes, each with a space behind it
        uint32_t        width, count;
        difference_side side;
        uint32_t        code;
    };
    std::vector<signal>   signals;
    std::set<std::string> known;

    static void declare(void *given, VerilatedFst *trace, uint32_t code)
    {
        for (signal &s : static_cast<model_trace *>(given)->signals) {
            const uint32_t bits = s.width * s.count;
            s.code              = code;
            trace->pushNamePrefix(s.prefix);
            if (bits == 1)
                trace->declBit(code, s.name.c_str(), -1, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1);
            else
                trace->declArray(code, s.name.c_str(), -1, FST_VD_IMPLICIT, FST_VT_VCD_WIRE, false, -1,
                                 static_cast<int>(bits) - 1, 0);
            trace->popNamePrefix();
            code += (bits + 31) / 32;
        }
    }

    template <bool FULL> static void dump(void *given, VerilatedFst::Buffer *to)
    {
        std::vector<uint32_t> words;
        for (const signal &s : static_cast<model_trace *>(given)->signals) {
            const uint32_t bits = s.width * s.count;
            words.assign((bits + 31) / 32, 0);
            for (uint32_t e = 0, at = 0; e < s.count; e++) {
                const uint64_t value = difference_get(s.side, s.width, e);
                for (uint32_t n = 0; n < s.width; n++, at++)
                    words[at / 32] |= static_cast<uint32_t>(value >> n & 1) << at % 32;
            }
            uint32_t *old = to->oldp(s.code);
            if (FULL || std::memcmp(old, words.data(), 4 * words.size()) != 0) {
                if (bits == 1)
                    to->fullBit(old, static_cast<CData>(words[0]));
                else
                    to->fullWData(old, words.data(), static_cast<int>(bits));
            }
        }
    }

  public:
    // A signal of a block ("" if there is only one); a state with the name of an output is that output.
    void add(const std::string &block, const difference_signal &given, difference_side side)
    {
        std::string path = "TOP.model." + block + (block.empty() ? "" : ".") + given.name;
        if (!known.insert(path).second)
            return;
        const size_t dot    = path.rfind('.');
        std::string  prefix = path.substr(0, dot) + " ";
        for (char &c : prefix)
            c = c == '.' ? ' ' : c;
        signals.push_back({prefix, path.substr(dot + 1), given.width, given.elements ? given.elements : 1, side, 0});
    }

    // The number of the clock has to stay where it is.
    void join(VerilatedFstC *trace, const uint64_t *clock)
    {
        signals.push_back({"TOP ", "clock", 32, 1, {clock, 0, 32}, 0});
        trace->spTrace()->addInitCb(declare, this);
        trace->spTrace()->addFullCb(dump<true>, this);
        trace->spTrace()->addChgCb(dump<false>, this);
    }
};

#endif
