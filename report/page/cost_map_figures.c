/* cost_map_figures.c - figures of which schedule is the fastest, by a cost and by message size
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report/page/kinds.h"

/* Lengths of texts, and colours of algorithms; the seventh is that of the present costs. */
enum { COST_TEXT = 48, NAMES_TEXT = 400, STYLES = 6 };

/* One of the file's costs. */
struct shown {
    const char *cost;    /* "L" */
    const json_t *names; /* of all algorithms */
    const json_t *sizes; /* ascending */
    size_t n;
    double unit; /* nanoseconds of the axis' unit */
};

/* A value of the cost; of G a time per byte. */
static const char *cost_text(const struct shown *m, double ns, char text[COST_TEXT])
{
    char time[TAN_PAGE_TIME];
    if (strcmp(m->cost, "G") == 0) {
        snprintf(text, COST_TEXT, "%.4g ns per byte", ns);
    } else {
        snprintf(text, COST_TEXT, "%s", tan_page_time(ns / 1e3, time));
    }
    return text;
}

/* "a", "a = b" or "a = b = c" of those that are equally fast in a range. */
static const char *names_of(const json_t *range, char text[NAMES_TEXT])
{
    const json_t *equal = tan_array_of(range, "as_fast");
    int used = snprintf(text, NAMES_TEXT, "%.64s", tan_text_of(range, "fastest"));
    for (size_t i = 0; i < json_array_size(equal) && used < NAMES_TEXT - 70; i++) {
        const char *name = json_string_value(json_array_get(equal, i));
        used += snprintf(text + used, (size_t)(NAMES_TEXT - used), " = %.64s",
                         name != NULL ? name : "");
    }
    return text;
}

static const json_t *size_at(const struct shown *m, size_t i)
{
    return json_array_get(m->sizes, i);
}

/* The number of the range with the present cost. */
static size_t present_range(const json_t *size)
{
    const json_t *ranges = tan_array_of(size, "ranges");
    const double at = tan_number_of(size, "present_ns");
    size_t i = 0;
    while (i + 1 < json_array_size(ranges) &&
           tan_number_of(json_array_get(ranges, i + 1), "from_ns") <= at) {
        i++;
    }
    return i;
}

static const json_t *range_at(const json_t *size, size_t i)
{
    return json_array_get(tan_array_of(size, "ranges"), i);
}

/* Of the sizes the one whose fastest algorithm changes first when the cost grows; NULL if none
 * does. */
static const json_t *first_change(const struct shown *m)
{
    const json_t *first = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < m->n; i++) {
        const json_t *size = size_at(m, i);
        const size_t now = present_range(size);
        const double more =
            tan_number_of(range_at(size, now), "to_ns") - tan_number_of(size, "present_ns");
        if (range_at(size, now + 1) != NULL && more < least) {
            least = more;
            first = size;
        }
    }
    return first;
}

static const char *size_text(const json_t *size, char text[COST_TEXT])
{
    const double bytes = tan_number_of(size, "bytes");
    const double most = 1e15;
    return tan_format_size(bytes >= 0.0 && bytes < most ? (int64_t)bytes : 0, text, COST_TEXT);
}

/* "for 8 B to 1 KiB" of sizes with the same fastest algorithm, which begin at *i; *i moves on. */
static void write_sizes(const struct shown *m, size_t *i, char *text, size_t room)
{
    char first[COST_TEXT], last[COST_TEXT], names[NAMES_TEXT], other[NAMES_TEXT];
    const json_t *size = size_at(m, *i);
    names_of(range_at(size, present_range(size)), names);
    size_text(size, first);
    const size_t begin = *i;
    for (++*i; *i < m->n; ++*i) {
        size = size_at(m, *i);
        if (strcmp(names, names_of(range_at(size, present_range(size)), other)) != 0) {
            break;
        }
    }
    size = size_at(m, *i - 1);
    size_text(size, last);
    snprintf(text, room, "%.120s for %s%s%s", names, first, *i - begin > 1 ? " to " : "",
             *i - begin > 1 ? last : "");
}

static void tell_fastest(struct page *p, const struct shown *m)
{
    char text[600] = "", part[300], cost[COST_TEXT];
    size_t used = 0;
    const double now = tan_number_of(size_at(m, 0), "present_ns");
    if (m->n == 1) {
        names_of(range_at(size_at(m, 0), present_range(size_at(m, 0))), text);
    }
    for (size_t i = 0; m->n > 1 && i < m->n && used < sizeof text;) {
        const bool first = i == 0;
        write_sizes(m, &i, part, sizeof part);
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", first ? "" : ", ", part);
    }
    const bool equal = now >= tan_number_of(size_at(m, m->n - 1), "present_ns") &&
                       now <= tan_number_of(size_at(m, m->n - 1), "present_ns");
    tan_page_answer(p, "The fastest at the present %s%s%s: %s.", m->cost, equal ? ", " : "",
                    equal ? cost_text(m, now, cost) : "", text);
}

static void tell_change(struct page *p, const struct shown *m)
{
    const json_t *size = first_change(m);
    char names[NAMES_TEXT], cost[COST_TEXT], bytes[COST_TEXT];
    if (size == NULL) {
        const json_t *last = size_at(m, m->n - 1);
        tan_page_answer(
            p, "That stays so up to the end of the range of %s, %s.", m->cost,
            cost_text(m, tan_number_of(range_at(last, present_range(last)), "to_ns"), cost));
        return;
    }
    const size_t now = present_range(size);
    size_text(size, bytes);
    tan_page_answer(p, "That stays so up to %s = %s%s; beyond, the fastest is %.120s%s%s.", m->cost,
                    json_is_true(json_object_get(range_at(size, now), "about")) ? "about " : "",
                    cost_text(m, tan_number_of(range_at(size, now), "to_ns"), cost),
                    names_of(range_at(size, now + 1), names), m->n > 1 ? " for " : "",
                    m->n > 1 ? bytes : "");
}

/* A line between two points, which a logarithmic axis bends. */
static void add_line(struct tan_chart *c, const struct shown *m, const json_t *from,
                     const json_t *to, int parts)
{
    for (int i = 1; i <= parts; i++) {
        const double t = (double)i / parts;
        tan_chart_point(c,
                        (tan_number_at(from, 0) * (1.0 - t) + tan_number_at(to, 0) * t) / m->unit,
                        (tan_number_at(from, 1) * (1.0 - t) + tan_number_at(to, 1) * t) / 1e3);
    }
}

/* A vertical line at the present cost. */
static void add_present(struct tan_chart *c, const struct shown *m, const json_t *size, double low,
                        double high)
{
    const double now = tan_number_of(size, "present_ns") / m->unit;
    tan_chart_point(c, now, low);
    tan_chart_point(c, now, high);
}

static void begin_present(struct tan_chart *c)
{
    struct tan_series *series = tan_chart_add(c, TAN_LINE, "present costs");
    if (series != NULL) {
        series->style = STYLES + 1;
    }
}

/* Finish times as functions of the cost. */
static void add_functions(struct tan_chart *c, const struct shown *m)
{
    enum { POINTS = 64 };
    const json_t *functions = tan_array_of(size_at(m, 0), "functions");
    double low, high;
    for (size_t i = 0; i < json_array_size(functions); i++) {
        const json_t *function = json_array_get(functions, i);
        const json_t *points = tan_array_of(function, "points");
        const int parts = 1 + POINTS / (1 + (int)json_array_size(points));
        struct tan_series *series = tan_chart_add(c, TAN_LINE, tan_text_of(function, "algorithm"));
        if (series != NULL) {
            series->style = 1 + (int)i % STYLES;
        }
        add_line(c, m, json_array_get(points, 0), json_array_get(points, 0), 1);
        for (size_t k = 1; k < json_array_size(points); k++) {
            add_line(c, m, json_array_get(points, k - 1), json_array_get(points, k), parts);
        }
    }
    tan_chart_range(c, 'y', &low, &high);
    begin_present(c);
    add_present(c, m, size_at(m, 0), low, high);
}

/* The ends of a size's band, halfway to its neighbours. */
static void band_of(const struct shown *m, size_t i, double *low, double *high)
{
    const double bytes = tan_number_of(size_at(m, i), "bytes");
    const double less = i > 0 ? tan_number_of(size_at(m, i - 1), "bytes") : 0.0;
    const double more = i + 1 < m->n ? tan_number_of(size_at(m, i + 1), "bytes") : 0.0;
    *low = less > 0.0 ? sqrt(less * bytes) : more > 0.0 ? bytes / sqrt(more / bytes) : bytes;
    *high = more > 0.0 ? sqrt(more * bytes) : less > 0.0 ? bytes * sqrt(bytes / less) : bytes;
}

/* The number of the algorithm whose colour a range has: the first one that is the fastest in it. */
static size_t number_of(const struct shown *m, const json_t *range)
{
    const json_t *equal = tan_array_of(range, "as_fast");
    for (size_t i = 0; i < json_array_size(m->names); i++) {
        const json_t *name = json_array_get(m->names, i);
        bool found = json_equal(name, json_object_get(range, "fastest")) != 0;
        for (size_t k = 0; k < json_array_size(equal); k++) {
            found = found || json_equal(name, json_array_get(equal, k)) != 0;
        }
        if (found) {
            return i;
        }
    }
    return json_array_size(m->names);
}

/* Add the ranges of one algorithm, or of this one and all after it. */
static void add_areas_of(struct tan_chart *c, const struct shown *m, size_t number, bool all_after)
{
    for (size_t i = 0; i < m->n; i++) {
        double low, high;
        band_of(m, i, &low, &high);
        for (size_t k = 0; range_at(size_at(m, i), k) != NULL; k++) {
            const json_t *range = range_at(size_at(m, i), k);
            const double row[TAN_CHART_COLUMNS] = {tan_number_of(range, "from_ns") / m->unit,
                                                   tan_number_of(range, "to_ns") / m->unit, low,
                                                   high};
            const size_t of_range = number_of(m, range);
            if (of_range == number || (all_after && of_range > number)) {
                tan_chart_row(c, row);
            }
        }
    }
}

static bool is_fastest(const struct shown *m, size_t number)
{
    for (size_t i = 0; i < m->n; i++) {
        for (size_t k = 0; range_at(size_at(m, i), k) != NULL; k++) {
            if (number_of(m, range_at(size_at(m, i), k)) == number) {
                return true;
            }
        }
    }
    return false;
}

static void add_areas(struct tan_chart *c, const struct shown *m)
{
    size_t left = 0;
    for (size_t i = 0; i < json_array_size(m->names); i++) {
        left += is_fastest(m, i);
    }
    for (size_t i = 0; left > 0; i++) {
        if (!is_fastest(m, i)) {
            continue;
        }
        const bool last = c->n + 1 == STYLES && left > 1;
        const char *name = json_string_value(json_array_get(m->names, i));
        struct tan_series *series = tan_chart_add(c, TAN_AREA,
                                                  last           ? "others"
                                                  : name != NULL ? name
                                                                 : "");
        if (series == NULL) {
            return;
        }
        series->style = (int)c->n;
        add_areas_of(c, m, i, last);
        left = last ? 0 : left - 1;
    }
    begin_present(c);
    for (size_t i = 0; i < m->n; i++) {
        double low, high;
        band_of(m, i, &low, &high);
        add_present(c, m, size_at(m, i), low, high);
    }
}

static void doubt_exactness(struct page *p, const struct source *s, const struct shown *m)
{
    double exact = 0.0;
    size_t n = 0;
    char text[200];
    for (size_t i = 0; i < m->n; i++) {
        const json_t *functions = tan_array_of(size_at(m, i), "functions");
        for (size_t k = 0; k < json_array_size(functions); k++) {
            exact += tan_number_of(json_array_get(functions, k), "exact_share");
            n++;
        }
    }
    if (exact < (double)n) {
        snprintf(text, sizeof text,
                 "The finish times by %s are exact in %.3g %% of all ranges together; elsewhere "
                 "they are lines between simulated times.",
                 m->cost, 100.0 * fmin(exact / (double)n, 0.999));
        tan_page_doubt(p, s->name, text);
    }
}

static void show_cost(struct page *p, const struct source *s, const json_t *of_cost)
{
    struct shown m = {.cost = tan_text_of(of_cost, "cost"),
                      .names = tan_array_of(s->document, "algorithms"),
                      .sizes = tan_array_of(of_cost, "sizes")};
    struct tan_chart c;
    char name[24], title[80], axis[60];
    m.n = json_array_size(m.sizes);
    if (m.n == 0 || strlen(m.cost) != 1 || strchr("LoG", m.cost[0]) == NULL) {
        return;
    }
    m.unit = m.cost[0] == 'G' ? 1.0 : 1e3;
    tell_fastest(p, &m);
    tell_change(p, &m);
    doubt_exactness(p, s, &m);
    snprintf(name, sizeof name, "cost-map-%s", m.cost);
    snprintf(axis, sizeof axis, "%s, %s", m.cost, m.cost[0] == 'G' ? "ns per byte" : "us");
    if (m.n == 1) {
        snprintf(title, sizeof title, "Finish time by %s", m.cost);
        tan_chart_init(&c, name, title,
                       "The lowest line is the fastest; where lines cross, it changes.");
        c.y.title = "finish, us";
        c.y.log = true;
        add_functions(&c, &m);
    } else {
        snprintf(title, sizeof title, "Fastest by %s and message size", m.cost);
        tan_chart_init(&c, name, title,
                       "The colour is that of the fastest, of equally fast ones that of the first; "
                       "where the present costs are close to a border, small errors of the costs "
                       "decide.");
        c.y.title = "message size, bytes";
        c.y.log = true;
        add_areas(&c, &m);
    }
    c.x.title = axis;
    tan_page_chart(p, &c);
}

void tan_show_cost_map(struct page *p, const struct source *s)
{
    const json_t *costs = tan_array_of(s->document, "costs");
    tan_page_section(p, "Fastest by cost of messages", s->name);
    tan_tell_costs(p, s);
    for (size_t i = 0; i < json_array_size(costs); i++) {
        show_cost(p, s, json_array_get(costs, i));
    }
}
