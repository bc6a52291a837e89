// SPDX-License-Identifier: Apache-2.0
//
// A board without a board: totem_board under Verilator, with a pseudo-terminal as its serial line. Prints the name of
// the terminal, for `totem host --port`, and runs until it gets a signal.
//
//   --link PATH     a symbolic link to the terminal, gone at the end
//   --noise N       one bit in N on the line is wrong, in both directions (0, the default: none)
//   --seed N        of the noise
//   --plant CLOCK   in that clock of every run signature and trace see pin irq of the machine inverted
//   --stick CLOCK   from that clock of every run on block flight of the machine counts nothing
//   --parent        ends when standard input is closed
//
// With NETLIST defined, the netlist of a board's top is in its place (fpga/netlist.sh), without --plant and --stick.
//
// While nothing is on the line and no run is under way the clock stands.

#include <cerrno>
#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <memory>
#include <poll.h>
#include <string>
#include <termios.h>
#include <unistd.h>

#include "Vtotem_board.h"
#include "Vtotem_board___024root.h"
#include "verilated.h"

#ifndef DIVIDE
#error "define DIVIDE: clocks of a bit, as of the Verilated board"
#endif

namespace
{

// In block flight of the machine's only compute pipe.
#define JOINED(a, b, c) a##b##c
#define JOIN(a, b, c) JOINED(a, b, c)
#define FRONT_END totem_board__DOT__machine__DOT__core__DOT__g_fe__BRA__0__KET____DOT__fe__DOT__
#define FRONT g_pipe__BRA__0__KET____DOT__pipe__DOT__front__DOT__
#define FLIGHT(name) JOIN(FRONT_END, FRONT, flight__DOT__##name)

constexpr uint64_t REST  = 8192; // clocks without a bit, behind which the clock stands
constexpr uint64_t LOOKS = 512;  // clocks between two looks at the terminal

volatile std::sig_atomic_t ended;

void end(int)
{
    ended = 1;
}

int usage()
{
    std::fputs("usage: simulate [--link PATH] [--noise N] [--seed N] [--plant CLOCK] [--stick CLOCK] [--parent]\n"
               "  --link PATH     a symbolic link to the terminal\n"
               "  --noise N       one bit in N on the line is wrong\n"
               "  --seed N        of the noise\n"
               "  --plant CLOCK   in that clock of a run signature and trace see pin irq inverted\n"
               "  --stick CLOCK   from that clock of a run on block flight counts nothing\n"
               "  --parent        ends when standard input is closed\n",
               stderr);
    return 2;
}

// splitmix64
struct noise {
    uint64_t state, of;

    bool wrong()
    {
        uint64_t z = (state += UINT64_C(0x9e3779b97f4a7c15));
        z          = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z          = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        return of && (z ^ z >> 31) % of == 0;
    }
};

// Bytes to levels, DIVIDE clocks each: start bit, eight bits, stop bit.
class sender
{
  public:
    std::deque<uint8_t> bytes;

    bool level(noise &n)
    {
        if (clock++ % DIVIDE == 0) {
            flip = n.wrong();
            bit  = bit == 10 ? -1 : bit;
            if (bit < 0 && !bytes.empty()) {
                bit   = 0;
                frame = 0x200u | bytes.front() << 1;
                bytes.pop_front();
            }
            now = bit < 0 || (frame >> bit & 1);
            bit += bit >= 0;
        }
        return now != flip;
    }

    bool rests() const
    {
        return bit < 0 && bytes.empty();
    }

  private:
    uint64_t clock = 0;
    int      bit   = -1;
    unsigned frame = 0;
    bool     now = true, flip = false;
};

// Levels to bytes.
class receiver
{
  public:
    // True: `byte` has come.
    bool take(bool level, noise &n)
    {
        if (since < 0) {
            if (!level)
                since = 0;
            return false;
        }
        since++;
        if (since % DIVIDE != DIVIDE / 2)
            return false;
        const int  bit  = static_cast<int>(since / DIVIDE);
        const bool seen = level != n.wrong();
        if (bit == 0 && seen)
            since = -1;
        else if (bit >= 1 && bit <= 8)
            byte = static_cast<uint8_t>(byte >> 1 | seen << 7);
        else if (bit == 9) {
            since = -1;
            return seen; // a byte without its stop bit is none
        }
        return false;
    }

    bool rests() const
    {
        return since < 0;
    }

    uint8_t byte = 0;

  private:
    int64_t since = -1; // clocks since the start bit began
};

// The terminal's two ends. The end of the program that talks to the board stays open here, so that it may come and go.
struct terminal {
    int         host = -1, board = -1;
    std::string name, link;

    bool open_both(const char *path)
    {
        host = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
        if (host < 0 || grantpt(host) || unlockpt(host) || !ptsname(host))
            return false;
        name  = ptsname(host);
        board = open(name.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
        termios t;
        if (board < 0 || tcgetattr(board, &t))
            return false;
        cfmakeraw(&t);
        if (tcsetattr(board, TCSANOW, &t) || fcntl(host, F_SETFL, O_NONBLOCK))
            return false;
        if (path) {
            unlink(path);
            if (symlink(name.c_str(), path))
                return false;
            link = path;
        }
        return true;
    }

    ~terminal()
    {
        if (!link.empty())
            unlink(link.c_str());
    }
};

bool number(const char *text, uint64_t *value)
{
    char *rest = nullptr;
    errno      = 0;
    *value     = std::strtoull(text, &rest, 0);
    return *text >= '0' && *text <= '9' && *rest == '\0' && errno == 0;
}

} // namespace

int main(int count, char **words)
{
    const char *path = nullptr;
    uint64_t    seed = 1, wrong = 0;
#ifndef NETLIST
    uint64_t plant = UINT64_MAX, stick = UINT64_MAX;
#endif
    bool parent = false;
    for (int n = 1; n < count; n++) {
        uint64_t *value = std::strcmp(words[n], "--noise") == 0  ? &wrong
                          : std::strcmp(words[n], "--seed") == 0 ? &seed
#ifndef NETLIST
                          : std::strcmp(words[n], "--plant") == 0 ? &plant
                          : std::strcmp(words[n], "--stick") == 0 ? &stick
#endif
                                                                  : nullptr;
        if (std::strcmp(words[n], "--parent") == 0)
            parent = true;
        else if (++n == count)
            return usage();
        else if (!value && std::strcmp(words[n - 1], "--link") == 0)
            path = words[n];
        else if (!value || !number(words[n], value))
            return usage();
    }
    terminal line;
    if (!line.open_both(path)) {
        std::fprintf(stderr, "no terminal: %s\n", std::strerror(errno));
        return 1;
    }
    std::signal(SIGTERM, end);
    std::signal(SIGINT, end);
    std::printf("%s\n", line.name.c_str());
    std::fflush(stdout);

    VerilatedContext context;
    context.randReset(2); // what the makers of cells leave open
    context.randSeed(static_cast<int>(seed));
    auto top = std::make_unique<Vtotem_board>(&context);
#ifndef NETLIST
    auto    *root      = top->rootp;
    uint64_t run_clock = 0;
#endif
    noise       to_board{seed, wrong}, to_host{~seed, wrong};
    sender      in;
    receiver    out;
    std::string back; // to the host, not yet taken
    uint64_t    clock = 0, last = 0;
    bool        closed = false;
    top->clk           = 0;
    top->rst           = 1;
    top->rxd           = 1;
    top->eval();
    while (!ended && !closed) {
        const bool under_way = top->running;
        const bool rests     = in.rests() && out.rests() && clock - last > REST && clock > 1024 && !under_way;
        if (rests || clock % LOOKS == 0) {
            if (!back.empty()) {
                const ssize_t n = write(line.host, back.data(), back.size());
                back.erase(0, n > 0 ? static_cast<size_t>(n) : 0);
            }
            pollfd ends[2] = {{line.host, static_cast<short>(POLLIN | (back.empty() ? 0 : POLLOUT)), 0},
                              {parent ? 0 : -1, POLLIN, 0}};
            // A signal ends the wait.
            if (poll(ends, 2, rests ? 1000 : 0) > 0) {
                uint8_t       bytes[512];
                const ssize_t n = ends[0].revents & POLLIN ? read(line.host, bytes, sizeof bytes) : 0;
                for (ssize_t k = 0; k < n; k++)
                    in.bytes.push_back(bytes[k]);
                closed = ends[1].revents && read(0, bytes, sizeof bytes) <= 0;
            }
            if (rests && in.bytes.empty())
                continue;
        }
        top->rst = clock < 16;
        top->rxd = in.level(to_board);
#ifndef NETLIST
        // The edge that ends this clock takes the pins of it: irq is bit 41 of word 0 of the signature, and bit 12 of
        // the host port's pins of the trace.
        const bool running = root->totem_board__DOT__boot_running, planted = running && run_clock == plant;
        const bool irq = root->totem_board__DOT__machine__DOT__core__DOT__events__DOT__irq_q;
        root->totem_board__DOT__signature__DOT__words__VforceEn[1]  = planted ? 1u << 9 : 0;
        root->totem_board__DOT__signature__DOT__words__VforceVal[1] = irq ? 0 : 1u << 9;
        root->totem_board__DOT__trace__DOT__host__VforceEn          = planted ? 1u << 12 : 0;
        root->totem_board__DOT__trace__DOT__host__VforceVal         = irq ? 0 : 1u << 12;
        root->FLIGHT(changes__VforceEn)                             = running && run_clock >= stick;
        root->FLIGHT(changes__VforceVal)                            = 0;
        run_clock                                                   = running ? run_clock + 1 : 0;
#endif
        top->clk = 1;
        top->eval();
        top->clk = 0;
        top->eval();
        if (out.take(top->txd, to_host))
            back.push_back(static_cast<char>(out.byte));
        if (!in.rests() || !out.rests())
            last = clock;
        clock++;
    }
    return 0;
}
