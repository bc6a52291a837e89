// SPDX-License-Identifier: Apache-2.0
//
// traced: signals of the model in the trace that Verilator writes of the RTL, in the scope TOP.model; and TOP.clock, the
// number of the clock, since tools that show a trace know units of time alone. And the rows of a view that change.

#ifndef TRACED_H
#define TRACED_H

#include "difference.h"

#include "gtkwave/fstapi.h"
#include "verilated_fst_c.h"

#include <fstream>
#include <map>
#include <set>
#include <sstream>
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

// Signals of a trace that change in a window, by their names without the range of bits.
class traced_changes
{
    std::map<fstHandle, std::string> last; // value before the window
    std::map<std::string, fstHandle> handles;
    std::map<std::string, uint32_t>  bits;
    std::set<fstHandle>              changing;
    uint64_t                         first, end;

    static void value(void *given, uint64_t time, fstHandle handle, const unsigned char *text)
    {
        traced_changes   *t = static_cast<traced_changes *>(given);
        const std::string now(reinterpret_cast<const char *>(text));
        if (time <= t->first || !t->last.count(handle))
            t->last[handle] = now;
        else if (time <= t->end && now != t->last[handle])
            t->changing.insert(handle);
    }

  public:
    static std::string bare(const std::string &name)
    {
        const size_t end = name.find(':') == std::string::npos ? name.size() : name.rfind('[');
        return name.substr(0, end && name[end - 1] == ' ' ? end - 1 : end);
    }

    traced_changes(const char *path, const std::set<std::string> &names, uint64_t from, uint64_t to)
        : first(from), end(to)
    {
        void *reader = fstReaderOpen(path);
        if (!reader)
            return;
        fstReaderClrFacProcessMaskAll(reader);
        fstReaderResetScope(reader);
        while (fstHier *h = fstReaderIterateHier(reader)) {
            if (h->htyp == FST_HT_SCOPE)
                fstReaderPushScope(reader, h->u.scope.name, nullptr);
            else if (h->htyp == FST_HT_UPSCOPE)
                fstReaderPopScope(reader);
            if (h->htyp != FST_HT_VAR)
                continue;
            const char       *scope = fstReaderGetCurrentFlatScope(reader);
            const std::string name  = std::string(scope ? scope : "") + "." + bare(h->u.var.name);
            if (!names.count(bare(name)))
                continue;
            handles[name] = h->u.var.handle;
            bits[name]    = h->u.var.length;
            fstReaderSetFacProcessMask(reader, h->u.var.handle);
        }
        fstReaderIterBlocks(reader, value, this, nullptr);
        fstReaderClose(reader);
    }

    // The name with the range of bits that it has there: that of a RAM's address follows from its depth.
    std::string whole(const std::string &name) const
    {
        const auto found = bits.find(bare(name));
        if (found == bits.end() || found->second == 1)
            return name;
        return bare(name) + "[" + std::to_string(found->second - 1) + ":0]";
    }

    // One that is not in the trace counts as one that changes.
    bool any(const std::string &name) const
    {
        const auto found = handles.find(name);
        return found == handles.end() || changing.count(found->second);
    }
};

inline void traced_rows(const char *view, const char *trace)
{
    std::ifstream            file(view);
    std::vector<std::string> lines;
    std::set<std::string>    names;
    uint64_t                 first = 0;
    for (std::string line; std::getline(file, line);) {
        std::istringstream(line.compare(0, 12, "[timestart] ") ? "" : line.substr(12)) >> first;
        if (line[0] == '+')
            names.insert(traced_changes::bare(line.substr(line.find("} ") + 2)));
        lines.push_back(line);
    }
    const traced_changes changes(trace, names, first, first + DIFFERENCE_WINDOW * 1000);
    std::ofstream        to(view);
    std::string          mark, title; // lines that wait for the row or title behind them
    bool                 all = true;
    for (const std::string &line : lines) {
        if (line[0] == '@')
            mark = line + "\n";
        else if (line[0] == '-') {
            title = mark + line + "\n";
            all   = !line.compare(0, 12, "-it began in") || !line.compare(0, 5, "-then");
            continue;
        }
        const size_t      name = line[0] == '+' ? line.find("} ") + 2 : line.size();
        const std::string full = changes.whole(line.substr(name));
        if (line[0] != '@' && (line[0] != '+' || all || changes.any(traced_changes::bare(full)))) {
            to << title << (line[0] == '+' || line[0] == '#' ? mark : "") << line.substr(0, name) << full << "\n";
            title.clear();
        }
    }
}

#endif
