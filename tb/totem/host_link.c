// SPDX-License-Identifier: Apache-2.0
#include "host_link.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <inttypes.h>
#include <linux/serial.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 12, FIRST_TRIES = 3 };

static const struct {
    uint32_t baud;
    speed_t  speed;
} speeds[] = {{9600, B9600},       {19200, B19200},     {38400, B38400},     {57600, B57600},     {115200, B115200},
              {230400, B230400},   {460800, B460800},   {500000, B500000},   {576000, B576000},   {921600, B921600},
              {1000000, B1000000}, {1152000, B1152000}, {1500000, B1500000}, {2000000, B2000000}, {2500000, B2500000},
              {3000000, B3000000}, {3500000, B3500000}, {4000000, B4000000}};

enum { SPEEDS = sizeof speeds / sizeof *speeds };

const char *host_link_bauds(void)
{
    static char list[SPEEDS * 8 + 1];
    size_t      used = 0;
    for (size_t n = 0; n < SPEEDS; n++)
        used += (size_t)snprintf(list + used, sizeof list - used, " %" PRIu32, speeds[n].baud);
    return list + 1;
}

static const speed_t *speed_of(uint32_t baud)
{
    for (size_t n = 0; n < SPEEDS; n++)
        if (speeds[n].baud == baud)
            return &speeds[n].speed;
    return NULL;
}

bool host_link_baud_good(uint32_t baud)
{
    return speed_of(baud) != NULL;
}

double host_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// "; ports that are there: ..", or that there is none.
static void list_ports(char *text, size_t size)
{
    glob_t found;
    size_t used    = 0;
    text[0]        = 0;
    const bool any = glob("/dev/ttyUSB*", 0, NULL, &found) == 0;
    if (glob("/dev/ttyACM*", any ? GLOB_APPEND : 0, NULL, &found) == 0 || any)
        for (size_t n = 0; n < found.gl_pathc && used < size; n++)
            used += (size_t)snprintf(text + used, size - used, "%s%s", n ? " " : "", found.gl_pathv[n]);
    globfree(&found);
    if (!used)
        snprintf(text, size, "no /dev/ttyUSB* and no /dev/ttyACM*");
}

static void fail_open(host_link *l, int error)
{
    char ports[256];
    list_ports(ports, sizeof ports);
    if (error == EACCES || error == EPERM)
        snprintf(l->message, sizeof l->message,
                 "%s: this user may not open the port; `ls -l %s` shows its group (Debian: dialout): sudo adduser "
                 "$USER dialout, then log in again",
                 l->name, l->name);
    else if (error == ENOENT || error == ENODEV || error == ENXIO)
        snprintf(l->message, sizeof l->message,
                 "%s: there is no such port; is the cable plugged in? There is: %s; `dmesg | tail` names a new one",
                 l->name, ports);
    else if (error == EBUSY)
        snprintf(l->message, sizeof l->message, "%s: another program has the port; end it (`fuser %s` shows which)",
                 l->name, l->name);
    else
        snprintf(l->message, sizeof l->message, "%s: %s; there is: %s", l->name, strerror(error), ports);
}

static bool set_up(host_link *l)
{
    struct termios t;
    if (!isatty(l->fd) || tcgetattr(l->fd, &t)) {
        snprintf(l->message, sizeof l->message, "%s is no serial port; name the board's, as /dev/ttyUSB0", l->name);
        return false;
    }
    cfmakeraw(&t);
    t.c_cflag |= CLOCAL | CREAD;
    t.c_cflag &= ~(tcflag_t)(CSTOPB | CRTSCTS);
    t.c_cc[VMIN]        = 0;
    t.c_cc[VTIME]       = 0;
    const speed_t speed = *speed_of(l->baud);
    if (cfsetispeed(&t, speed) || cfsetospeed(&t, speed) || tcsetattr(l->fd, TCSANOW, &t)) {
        snprintf(l->message, sizeof l->message,
                 "%s does not take %" PRIu32 " baud: %s; take another --baud, and make "
                 "the bitstream with it",
                 l->name, l->baud, strerror(errno));
        return false;
    }
    // Without it an FTDI adapter keeps short answers for 16 ms. Others do not know it.
    struct serial_struct serial;
    if (ioctl(l->fd, TIOCGSERIAL, &serial) == 0) {
        serial.flags |= (int)ASYNC_LOW_LATENCY;
        ioctl(l->fd, TIOCSSERIAL, &serial);
    }
    tcflush(l->fd, TCIOFLUSH);
    return true;
}

void host_link_close(host_link *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}

bool host_link_open(host_link *l, const char *name, uint32_t baud, uint32_t timeout)
{
    *l    = (host_link){.name = name, .baud = baud, .timeout = timeout};
    l->fd = open(name, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (l->fd < 0)
        fail_open(l, errno);
    else if (flock(l->fd, LOCK_EX | LOCK_NB))
        fail_open(l, EBUSY);
    else if (set_up(l))
        return true;
    host_link_close(l);
    return false;
}

static bool gone(host_link *l, const char *what)
{
    snprintf(l->message, sizeof l->message, "%s: %s; was the cable pulled, or the board switched off?", l->name, what);
    return false;
}

// Whether the port can be read, or written to, before `until`. False with a message: it is gone; else the time is over.
static bool wait_for(host_link *l, short events, double until)
{
    struct pollfd port = {.fd = l->fd, .events = events};
    const double  left = until - host_now();
    const int     got  = poll(&port, 1, left <= 0 ? 0 : (int)(left * 1e3) + 1);
    if (got > 0 && (port.revents & (POLLERR | POLLHUP | POLLNVAL)))
        return gone(l, "the port is gone");
    return got > 0;
}

static bool send_bytes(host_link *l, const uint8_t *bytes, size_t count, double until)
{
    size_t done = 0;
    while (done < count) {
        const ssize_t n = write(l->fd, bytes + done, count - done);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return gone(l, strerror(errno));
        done += n > 0 ? (size_t)n : 0;
        if (done < count && !wait_for(l, POLLOUT, until))
            return l->message[0] ? false : gone(l, "nothing can be sent");
    }
    l->sent += count;
    return true;
}

typedef struct {
    uint8_t  command, count;
    uint32_t address;
} request;

static size_t pack(const host_link *l, const request *r, const uint32_t *words, uint8_t line[HOST_STUFFED])
{
    uint8_t payload[HOST_PAYLOAD] = {l->sequence, r->command, r->count, 0};
    size_t  length                = 8;
    for (int n = 0; n < 4; n++)
        payload[4 + n] = (uint8_t)(r->address >> 8 * n);
    for (uint32_t k = 0; r->command == BRIDGE_WRITE && k < r->count; k++)
        for (int n = 0; n < 4; n++)
            payload[length++] = (uint8_t)(words[k] >> 8 * n);
    return host_frame_pack(payload, length, line);
}

// An answer to this request: its form is right, whatever its status. A request that comes back (RX at TX) is none: what
// is refused before the first word has no words.
static bool fits(const host_link *l, const request *r, const uint8_t *payload, size_t length)
{
    if (length < 4 || payload[0] != l->sequence)
        return false;
    const bool early = payload[1] == BRIDGE_COMMAND || payload[1] == BRIDGE_COUNT || payload[1] == BRIDGE_ADDRESS;
    return payload[2] <= (early ? 0 : r->count) && length == 4 + (r->command == BRIDGE_READ ? 4u * payload[2] : 0);
}

// Reads until an answer to the request is there or the time is over.
static bool receive(host_link *l, const request *r, double until, host_frame_reader *reader, size_t *length)
{
    for (;;) {
        uint8_t byte;
        ssize_t n = read(l->fd, &byte, 1);
        if (n < 0 && errno != EAGAIN && errno != EINTR)
            return gone(l, strerror(errno));
        if (n != 1) {
            if (!wait_for(l, POLLIN, until))
                return false;
            continue;
        }
        l->received++;
        const host_frame_got got = host_frame_take(reader, byte, length);
        l->bad += got == HOST_FRAME_BAD;
        if (got != HOST_FRAME_GOOD)
            continue;
        if (fits(l, r, reader->bytes, *length))
            return true;
        l->stale++; // to a request that was sent twice
    }
}

static void silent(host_link *l, const request *r, uint64_t received, uint64_t bad, int tries)
{
    char what[160];
    if (l->received == received)
        snprintf(what, sizeof what, "nothing came back");
    else
        snprintf(what, sizeof what, "%" PRIu64 " bytes came back, %" PRIu64 " broken frames among them",
                 l->received - received, l->bad - bad);
    snprintf(l->message, sizeof l->message,
             "%s: no answer to %d requests at 0x%08" PRIx32 ": %s. Does LED 0 blink (is the bitstream of the machine "
             "loaded)? Does LED 3 light up at a request (else: another port, or RX and TX swapped)? LED 4 says that "
             "frames were broken: is --baud %" PRIu32 " that of the bitstream?",
             l->name, tries, r->address, what, l->baud);
}

static bool refuse(host_link *l, const request *r, const uint8_t *answer)
{
    static const char *const words[] = {
        [BRIDGE_COMMAND] = "it does not know the command; do tool and bitstream have the same revision?",
        [BRIDGE_COUNT]   = "it does not take so many words; do tool and bitstream have the same revision?",
        [BRIDGE_ADDRESS] = "there is nothing at the address",
        [BRIDGE_BUSY] =
            "a run is under way (`totem host reset` ends it), or the machine is in reset (`totem host release`)",
        [BRIDGE_BUS]      = "the machine answered with an error",
        [BRIDGE_READONLY] = "it can only be read",
        [BRIDGE_TIME_OUT] = "nothing answered there; load the bitstream again",
    };
    const unsigned status = answer[1];
    l->refused            = true;
    if (status < sizeof words / sizeof *words && words[status])
        snprintf(l->message, sizeof l->message, "%s at 0x%08" PRIx32 " was refused: %s",
                 r->command == BRIDGE_READ ? "read" : "write", r->address + 4u * answer[2], words[status]);
    else
        snprintf(l->message, sizeof l->message,
                 "0x%08" PRIx32 " was answered with status %u; do tool and bitstream have the same revision?",
                 r->address, status);
    return false;
}

static double patience(const host_link *l, bool large)
{
    const double most = 1e-3 * l->timeout;
    const double wait = 0.1 + 4 * l->slowest[large];
    return l->slowest[large] > 0 && wait < most ? wait : most;
}

bool host_link_ask(host_link *l, uint8_t command, uint32_t address, uint32_t *words, uint32_t count)
{
    const request     r = {.command = command, .count = (uint8_t)count, .address = address};
    uint8_t           line[HOST_STUFFED];
    host_frame_reader reader   = {0};
    const size_t      length   = pack(l, &r, words, line);
    const bool        large    = count > 8;
    const uint64_t    received = l->received, bad = l->bad;
    const int         tries = l->sequence ? TRIES : FIRST_TRIES;
    l->message[0]           = 0;
    l->refused              = false;
    l->requests++;
    for (int n = 0; n < tries; n++) {
        // Each time in vain the answer may take longer.
        const double began = host_now(), until = began + patience(l, large) * (1 + n / 2);
        size_t       got;
        l->retries += n != 0;
        if (!send_bytes(l, line, length, began + 1e-3 * l->timeout + 1))
            return false;
        if (!receive(l, &r, until, &reader, &got)) {
            if (l->message[0])
                return false;
            continue;
        }
        if (host_now() - began > l->slowest[large])
            l->slowest[large] = host_now() - began;
        l->sequence = (uint8_t)(l->sequence % 255 + 1);
        if (reader.bytes[1] != BRIDGE_OK)
            return refuse(l, &r, reader.bytes);
        for (uint32_t k = 0; command == BRIDGE_READ && k < count; k++) {
            words[k] = 0;
            for (int b = 0; b < 4; b++)
                words[k] |= (uint32_t)reader.bytes[4 + 4 * k + (uint32_t)b] << 8 * b;
        }
        return true;
    }
    l->sequence = (uint8_t)(l->sequence % 255 + 1);
    silent(l, &r, received, bad, tries);
    return false;
}
