// SPDX-License-Identifier: Apache-2.0
#include "host_report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

// Text that JSON can hold.
static json_t *plain(const char *text)
{
    char    copy[1024];
    json_t *string = json_string(text);
    if (string)
        return string;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *c = copy; *c; c++)
        *c = (*c & 0x80) != 0 ? '?' : *c;
    return json_string(copy);
}

// Revision of the project that the tool stands in: VERSION of a tarball, or what git says. The tool is some folders
// below it.
static json_t *version(void)
{
    char    path[1024], command[4096], line[128] = "";
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 16);
    while (length > 0 && !line[0]) {
        while (length > 0 && path[length - 1] != '/')
            length--;
        if (length == 0)
            break;
        path[--length] = 0;
        snprintf(command, sizeof command,
                 "cat '%s/VERSION' 2>/dev/null || { test -e '%s/.git' && git -C '%s' describe --always --dirty; } "
                 "2>/dev/null",
                 path, path, path);
        FILE *out = popen(command, "r");
        if (out && !fgets(line, sizeof line, out))
            line[0] = 0;
        if (out)
            pclose(out);
    }
    line[strcspn(line, "\n")] = 0;
    return line[0] ? plain(line) : json_null();
}

static json_t *system_of(void)
{
    struct utsname name = {0};
    char           line[256], os[128] = "";
    uname(&name);
    FILE *file = fopen("/etc/os-release", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "PRETTY_NAME=\"%127[^\"]", os) == 1)
            break;
    if (file)
        fclose(file);
    return json_pack("{s:o, s:o, s:o, s:o}", "kernel", plain(name.sysname), "release", plain(name.release), "machine",
                     plain(name.machine), "distribution", plain(os));
}

json_t *host_report_make(host_board *b, char *const *words, const char *command, json_t *result, int code,
                         const char *message)
{
    char            date[64];
    const time_t    seconds = time(NULL);
    struct tm       utc;
    const host_link link    = b->link; // as it was before the last question
    uint32_t        dropped = 0;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_t *line = json_array();
    for (int n = 0; words[n]; n++)
        json_array_append_new(line, plain(words[n]));
    json_t *report = json_pack("{s:s, s:o, s:s, s:o, s:o, s:s, s:i, s:o}", "report", "totem host", "tool", version(),
                               "date", date, "system", system_of(), "words", line, "command", command, "exit_code",
                               code, "message", plain(message));
    json_object_set_new(
        report, "port",
        json_pack("{s:o, s:I, s:b}", "name", plain(link.name), "baud", (json_int_t)link.baud, "opened", link.fd >= 0));
    json_object_set_new(report, "board", b->known ? host_board_json(b) : json_null());
    json_object_set_new(report, "line",
                        json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:f}", "requests", (json_int_t)link.requests,
                                  "retries", (json_int_t)link.retries, "broken_answers", (json_int_t)link.bad,
                                  "stale_answers", (json_int_t)link.stale, "bytes_sent", (json_int_t)link.sent,
                                  "bytes_received", (json_int_t)link.received, "slowest_short_answer", link.slowest[0],
                                  "slowest_long_answer", link.slowest[1]));
    // What the board counts since reset, unless it has gone.
    if (b->known && (code < 3 || link.refused) && host_board_get(b, BRIDGE_DROPPED, &dropped))
        json_object_set_new(report, "dropped_by_board", json_integer(dropped));
    json_object_set_new(report, "result", result ? json_incref(result) : json_null());
    return report;
}

bool host_report_write(const char *path, const json_t *report)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool good = json_dumpf(report, file, JSON_INDENT(1) | JSON_PRESERVE_ORDER) == 0;
    good      = fputc('\n', file) != EOF && good;
    return fclose(file) == 0 && good;
}
