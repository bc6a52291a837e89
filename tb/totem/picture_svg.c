// SPDX-License-Identifier: Apache-2.0
//
// picture_svg: the drawing of a picture; see picture.h. A row has one colour a column of a pixel: that of what it was
// for most of the column's clocks. So the file stays small, however long the run.
#include "picture.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT    = 96,
    COLUMNS = 1000,
    RIGHT   = 24,
    TURN    = 22, // heights of rows
    QUEUE   = 18,
    ENGINE  = 64,
    STRIP   = 5, // of an engine that a head lacks
    HEAD    = 30,
    VALUES  = 16
};

// Queues of a pipe.
static const char *const queues[PICTURE_QUEUES] = {"#80b1d3", "#fdb462", "#b3de69", "#fb8072",
                                                   "#bebada", "#ffed6f", "#8dd3c7", "#fccde5"};
static const struct {
    const char *colour, *text;
} states[TOTEM_REASON_COUNT] = {{"#2b8a3e", "works"},          {"#f59f00", "ready, another queue has the pipe"},
                                {"#ffffff", "unmapped"},       {"#868e96", "leaving"},
                                {"#c92a2a", "halted"},         {"#845ef7", "flush"},
                                {"#e64980", "no fence epoch"}, {"#4dabf7", "packets come from memory"},
                                {"#e9ecef", "empty"},          {"#1864ab", "smart wait"},
                                {"#c0a16b", "mapping"},        {"#a98467", "records differ"},
                                {"#5c3d2e", "killing"},        {"#99a98f", "state moves"},
                                {"#f06595", "polls in vain"},  {"#d3f9d8", "has the pipe, nothing to do"}};
static const struct {
    const char *colour, *text;
} kinds[PICTURE_KINDS] = {{"#4263eb", "compute waves"}, {"#e8590c", "geometry waves"}, {"#12b886", "pixel waves"}};
static const char *const lack_colour = "#e03131", *const ring_colour = "#96a5b8", *const doorbell = "doorbell";

static const char *colour_of(picture_what what, unsigned row, int value)
{
    return what == PICTURE_STATE   ? states[value].colour
           : what == PICTURE_LACKS ? lack_colour
           : row < 8               ? queues[value % PICTURE_QUEUES]
                                   : ring_colour;
}

typedef struct {
    const picture *p;
    FILE          *out;
    double         scale; // clocks of a column
    int            y, legend;
    bool           seen[VALUES]; // values that have been drawn
} canvas;

static void label(const canvas *c, double x, double y, const char *place, int size, const char *more, const char *text)
{
    fprintf(c->out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\"%s>", x, y, place, size, more);
    for (; *text; text++)
        if (*text == '&' || *text == '<')
            fputs(*text == '&' ? "&amp;" : "&lt;", c->out);
        else
            putc(*text, c->out);
    fputs("</text>\n", c->out);
}

static void box(const canvas *c, double x, double y, double width, double height, const char *colour)
{
    fprintf(c->out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>\n", x, y, width, height,
            colour);
}

// With commas between thousands.
static const char *clocks(uint64_t n, char text[32])
{
    char plain[24];
    snprintf(plain, sizeof plain, "%" PRIu64, n);
    const size_t length = strlen(plain);
    size_t       at     = 0;
    for (size_t k = 0; k < length; k++) {
        if (k && (length - k) % 3 == 0)
            text[at++] = ',';
        text[at++] = plain[k];
    }
    text[at] = 0;
    return text;
}

static double column(const canvas *c, uint64_t clock)
{
    const double x = ((double)clock - (double)c->p->first) / c->scale;
    return x < 0 ? 0 : x > COLUMNS ? COLUMNS : x;
}

// Adds the part of each column that lies between two clocks.
static void spread(const canvas *c, uint64_t from, uint64_t to, double *first, size_t step, double factor)
{
    const double a = column(c, from), b = column(c, to);
    for (int n = (int)a; n < COLUMNS && n < b; n++)
        first[(size_t)n * step] += factor * (fmin(b, n + 1) - fmax(a, n));
}

// What a row is in each column: a value, -1 nothing. Of two values that with more clocks.
static void choose(const canvas *c, picture_what what, unsigned number, int value[COLUMNS + 1])
{
    static double share[COLUMNS][VALUES];
    memset(share, 0, sizeof share);
    for (size_t n = 0; n < c->p->count; n++) {
        const picture_span *s = &c->p->spans[n];
        if (s->what == what && s->row == number)
            spread(c, s->from, s->to, &share[0][s->value], VALUES, 1);
    }
    for (int n = 0; n < COLUMNS; n++) {
        double most = 0, all = 0;
        value[n] = -1;
        for (int v = 0; v < VALUES; v++) {
            all += share[n][v];
            if (share[n][v] > most) {
                most     = share[n][v];
                value[n] = v;
            }
        }
        if (all < 0.5 && what != PICTURE_LACKS)
            value[n] = -1;
    }
    value[COLUMNS] = -2;
}

// Which entry a slot has in each column, -1 none: that of the longest part.
static void choose_entry(const canvas *c, unsigned number, int value[COLUMNS + 1])
{
    static double most[COLUMNS];
    memset(most, 0, sizeof most);
    for (int n = 0; n < COLUMNS; n++)
        value[n] = -1;
    for (size_t n = 0; n < c->p->count; n++) {
        const picture_span *s = &c->p->spans[n];
        if (s->what != PICTURE_ENTRY || s->row != number)
            continue;
        const double a = column(c, s->from), b = column(c, s->to);
        for (int k = (int)a; k < COLUMNS && k < b; k++) {
            const double part = fmin(b, k + 1) - fmax(a, k);
            if (part > most[k]) {
                most[k]  = part;
                value[k] = s->value;
            }
        }
    }
    value[COLUMNS] = -2;
}

// Numbers in those parts of a row of TURN that have room for them.
static void numbers(const canvas *c, const int value[COLUMNS + 1], int digit)
{
    for (int n = 0, from = 0; n < COLUMNS; n++) {
        char text[16];
        if (value[n] == value[n + 1])
            continue;
        const int length = snprintf(text, sizeof text, "%d", value[n]);
        if (value[n] >= 0 && n + 1 - from >= digit * (length + 1))
            label(c, LEFT + (from + n + 1) / 2.0, c->y + TURN - 3 - 6, "middle", 11, "", text);
        from = n + 1;
    }
}

// One row of turns, states or lacks: a path of each colour.
static void row(canvas *c, picture_what what, unsigned number, int height)
{
    int value[COLUMNS + 1];
    choose(c, what, number, value);
    for (int v = 0; v < VALUES; v++) {
        bool begun = false;
        for (int n = 0, from = 0; n < COLUMNS; n++) {
            if (value[n] == value[n + 1])
                continue;
            const int width = n + 1 - from;
            if (value[n] == v) {
                if (!begun)
                    fprintf(c->out, "<path fill=\"%s\" d=\"", colour_of(what, number, v));
                fprintf(c->out, "M%d %dh%dv%dh-%dz", LEFT + from, c->y, width, height, width);
                begun = true;
            }
            from = n + 1;
        }
        if (begun)
            fputs("\"/>\n", c->out);
        if (begun) // a ring: behind the queues
            c->seen[what == PICTURE_TURN && number >= 8 ? PICTURE_QUEUES : v] = true;
    }
    if (what == PICTURE_TURN && number < 8)
        numbers(c, value, 7);
}

// Doorbells above the row of a queue, fences below: triangles that point at their clock.
static void marks(const canvas *c, unsigned number, double height)
{
    int last[2] = {-9, -9};
    for (size_t n = 0; n < c->p->count; n++) {
        const picture_span *s     = &c->p->spans[n];
        const bool          fence = s->what == PICTURE_FENCE;
        if ((!fence && s->what != PICTURE_DOORBELL) || s->row != number || s->from < c->p->first ||
            s->from >= c->p->last)
            continue;
        const double x = LEFT + column(c, s->from), y = fence ? c->y + height : c->y;
        if ((int)x - last[fence] < 3)
            continue;
        last[fence] = (int)x;
        fprintf(c->out, "<path d=\"M%.1f %.1f l-3.5 %d h7 z\" fill=\"%s\"/>\n", x, fence ? y - 6 : y + 6,
                fence ? 6 : -6, fence ? "#fff\" stroke=\"#000\" stroke-width=\"0.7" : "#000");
    }
}

static void title(canvas *c, const char *text)
{
    c->y += HEAD;
    label(c, LEFT, c->y - 8, "start", 13, " font-weight=\"bold\"", text);
}

static void name_of(unsigned pipe, unsigned queue, bool both, char text[32])
{
    if (pipe >= 8)
        snprintf(text, 32, "ring %u", pipe - 8);
    else if (both)
        snprintf(text, 32, "queue %u.%u", pipe, queue);
    else
        snprintf(text, 32, "pipe %u", pipe);
}

static void turns(canvas *c)
{
    title(c, "Turns: which queue has each pipe");
    for (unsigned n = 0; n < PICTURE_PIPES; n++) {
        char text[32];
        if (!c->p->pipe[n])
            continue;
        name_of(n, 0, false, text);
        label(c, LEFT - 10, c->y + 15, "end", 12, "", text);
        box(c, LEFT, c->y, COLUMNS, TURN - 3, "#f8f9fa");
        row(c, PICTURE_TURN, n, TURN - 3);
        c->y += TURN;
    }
}

// The colour is that of the entry's number modulo 8.
static void slots(canvas *c)
{
    title(c, "Slots of the run list: which entry is mapped in each");
    for (unsigned n = 0; n < PICTURE_PIPES * PICTURE_QUEUES; n++) {
        char text[32];
        int  value[COLUMNS + 1];
        if (!c->p->slot[n])
            continue;
        name_of(n / PICTURE_QUEUES, n % PICTURE_QUEUES, true, text);
        label(c, LEFT - 10, c->y + 15, "end", 12, "", text + strlen("queue "));
        box(c, LEFT, c->y, COLUMNS, TURN - 3, "#f8f9fa");
        choose_entry(c, n, value);
        for (int k = 0, from = 0; k < COLUMNS; k++) {
            if (value[k] == value[k + 1])
                continue;
            if (value[k] >= 0)
                box(c, LEFT + from, c->y, k + 1 - from, TURN - 3, queues[value[k] % PICTURE_QUEUES]);
            from = k + 1;
        }
        numbers(c, value, 5);
        c->y += TURN;
    }
}

static void waits(canvas *c)
{
    title(c, "Queues: what each does, or waits for");
    for (unsigned n = 0; n < PICTURE_PIPES * PICTURE_QUEUES; n++) {
        char text[32];
        if (!c->p->queue[n])
            continue;
        name_of(n / PICTURE_QUEUES, n % PICTURE_QUEUES, true, text);
        label(c, LEFT - 24, c->y + 12, "end", 12, "", text);
        if (n < 8 * PICTURE_QUEUES)
            box(c, LEFT - 18, c->y + 2, 10, 11, queues[n % PICTURE_QUEUES]);
        row(c, PICTURE_STATE, n, QUEUE - 3);
        marks(c, n, QUEUE - 3);
        c->y += QUEUE;
    }
}

// The upper edge of an area from left to right, or the lower one back.
static void edge(const canvas *c, const double below[], const double above[], double bottom, double scale, bool right)
{
    for (int k = 0; k < COLUMNS; k++) {
        const int    n = right ? k : COLUMNS - 1 - k, next = right ? n + 1 : n - 1;
        const double y    = below[n] + (above ? above[n] : 0);
        const bool   last = k == COLUMNS - 1;
        if (k == 0)
            fprintf(c->out, "V%.1f", bottom - scale * y);
        if (last || fabs(below[next] + (above ? above[next] : 0) - y) * scale >= 0.05) {
            fprintf(c->out, "H%d", LEFT + n + (right ? 1 : 0));
            if (!last)
                fprintf(c->out, "V%.1f", bottom - scale * (below[next] + (above ? above[next] : 0)));
        }
    }
}

// Wave slots in use: average of each column, the kinds one above the other.
static void engine(canvas *c, unsigned number)
{
    static double used[PICTURE_KINDS][COLUMNS], below[COLUMNS];
    unsigned      now = 0, most = 0;
    char          text[32];
    memset(used, 0, sizeof used);
    memset(below, 0, sizeof below);
    for (size_t n = 0; n < c->p->count; n++) {
        const picture_span *s = &c->p->spans[n];
        if ((s->what != PICTURE_STARTED && s->what != PICTURE_ENDED) || s->row != number)
            continue;
        now += s->what == PICTURE_STARTED ? 1 : (unsigned)-1;
        most = now > most ? now : most;
        spread(c, s->from, c->p->last, used[s->value], 1, s->what == PICTURE_STARTED ? 1 : -1);
    }
    const double height = ENGINE - STRIP - 12, bottom = c->y + height;
    box(c, LEFT, c->y, COLUMNS, height, "#f8f9fa");
    for (int k = 0; k < PICTURE_KINDS && most; k++) {
        fprintf(c->out, "<path fill=\"%s\" d=\"M%d %.1f", kinds[k].colour, LEFT, bottom);
        edge(c, below, used[k], bottom, height / most, true);
        edge(c, below, NULL, bottom, height / most, false);
        fputs("z\"/>\n", c->out);
        for (int n = 0; n < COLUMNS; n++)
            below[n] += used[k][n];
    }
    snprintf(text, sizeof text, "engine %u", number);
    label(c, LEFT - 30, c->y + height / 2 + 4, "end", 12, "", text);
    snprintf(text, sizeof text, "%u", most);
    label(c, LEFT - 6, c->y + 9, "end", 10, "", text);
    label(c, LEFT - 6, bottom, "end", 10, "", "0");
    c->y += (int)height + 2;
    row(c, PICTURE_LACKS, number, STRIP);
    c->y += STRIP + 10;
}

// Clocks from the first to the last, with lines through everything above.
static void axis(canvas *c, int top)
{
    const uint64_t range = c->p->last - c->p->first;
    uint64_t       step  = 1;
    while (range / step > 50)
        step *= 10;
    step *= range / step > 25 ? 5 : range / step > 10 ? 2 : 1;
    for (uint64_t at = (c->p->first + step - 1) / step * step; at <= c->p->last; at += step) {
        char         text[32];
        const double x = LEFT + column(c, at);
        fprintf(c->out, "<path d=\"M%.1f %dV%d\" stroke=\"#000\" stroke-opacity=\"0.16\"/>\n", x, top, c->y + 4);
        label(c, x, c->y + 17, "middle", 11, "", clocks(at, text));
    }
    fprintf(c->out, "<path d=\"M%d %dH%d\" stroke=\"#495057\"/>\n", LEFT, c->y, LEFT + COLUMNS);
    label(c, LEFT + COLUMNS / 2.0, c->y + 34, "middle", 12, "", "clocks");
    c->y += 46;
}

// An entry of the legend: a box, or a triangle that points down for a doorbell, else up. A new line where there is no
// room.
static void entry(canvas *c, const char *colour, const char *text)
{
    const int width = 30 + (int)(7.0 * (double)strlen(text));
    if (c->legend + width > COLUMNS) {
        c->legend = 0;
        c->y += 20;
    }
    if (colour)
        box(c, LEFT + c->legend, c->y, 12, 12, colour);
    else if (text == doorbell)
        fprintf(c->out, "<path d=\"M%d %d l-3.5 -6 h7 z\"/>\n", LEFT + c->legend + 6, c->y + 9);
    else
        fprintf(c->out, "<path d=\"M%d %d l-3.5 6 h7 z\" fill=\"#fff\" stroke=\"#000\" stroke-width=\"0.7\"/>\n",
                LEFT + c->legend + 6, c->y + 3);
    label(c, LEFT + c->legend + 17, c->y + 11, "start", 12, "", text);
    c->legend += width;
}

static void next_line(canvas *c, const char *name)
{
    c->y += 20;
    c->legend = 0;
    label(c, LEFT - 10, c->y + 11, "end", 12, " font-weight=\"bold\"", name);
}

void picture_draw(const picture *p, const char *of, FILE *out)
{
    char   body_text[200], first[32], last[32];
    char  *body = NULL;
    size_t size = 0;
    FILE  *into = open_memstream(&body, &size);
    if (!into)
        return;
    canvas c = {.p = p, .out = into, .scale = (double)(p->last - p->first) / COLUMNS, .y = 24};
    bool   turn_seen[VALUES], state_seen[VALUES], lacked, wave[PICTURE_KINDS] = {0};
    snprintf(body_text, sizeof body_text, "%.120s: clocks %s to %s", of, clocks(p->first, first),
             clocks(p->last - 1, last));
    label(&c, LEFT, c.y, "start", 15, " font-weight=\"bold\"", body_text);
    const int top = c.y + HEAD;
    turns(&c);
    memcpy(turn_seen, c.seen, sizeof turn_seen);
    memset(c.seen, 0, sizeof c.seen);
    if (memchr(p->slot, true, sizeof p->slot))
        slots(&c);
    waits(&c);
    memcpy(state_seen, c.seen, sizeof state_seen);
    memset(c.seen, 0, sizeof c.seen);
    const bool any = memchr(p->engine, true, sizeof p->engine);
    if (any)
        title(&c, "Engines: wave slots in use");
    for (unsigned n = 0; n < PICTURE_ENGINES; n++)
        if (p->engine[n])
            engine(&c, n);
    lacked = c.seen[0];
    axis(&c, top);
    for (size_t n = 0; n < p->count; n++)
        if (p->spans[n].what == PICTURE_STARTED)
            wave[p->spans[n].value] = true;
    c.y -= 14;
    next_line(&c, "turns");
    for (int n = 0; n < PICTURE_QUEUES; n++) {
        char text[24];
        snprintf(text, sizeof text, "queue %d of its pipe", n);
        if (turn_seen[n])
            entry(&c, queues[n], text);
    }
    if (turn_seen[PICTURE_QUEUES])
        entry(&c, ring_colour, "ring");
    next_line(&c, "queues");
    for (int n = 0; n < TOTEM_REASON_COUNT; n++)
        if (state_seen[n])
            entry(&c, states[n].colour, states[n].text);
    entry(&c, NULL, doorbell);
    entry(&c, NULL, "fence acknowledged");
    if (any)
        next_line(&c, "engines");
    for (int n = 0; n < PICTURE_KINDS; n++)
        if (wave[n])
            entry(&c, kinds[n].colour, kinds[n].text);
    if (lacked)
        entry(&c, lack_colour, "a head lacks the engine");
    fclose(into);
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
            "fill=\"#212529\">\n<!-- Generated by totem picture. -->\n<rect width=\"100%%\" height=\"100%%\" "
            "fill=\"#fff\"/>\n",
            LEFT + COLUMNS + RIGHT, c.y + 30);
    fwrite(body, 1, size, out);
    fputs("</svg>\n", out);
    free(body);
}
