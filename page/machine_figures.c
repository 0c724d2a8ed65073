/* machine_figures.c - figures of machine files: parameters, check trees, overhead of a node,
 * messages, and of validations of these
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "page/kinds.h"
#include "page/rows.h"

/* Fanout at which curves end if the file has no largest one; points of a curve. */
enum { FANOUT = 64, PLACES = 33 };

/* Columns of "draws_us", after L. */
enum { DRAWN_A = 1, DRAWN_B, DRAWN_C };

/* Parameters of a block "tan", in microseconds. */
struct overhead {
    double a, b, c;
    bool paper; /* by the paper's formula; otherwise by that of the method "joint" */
};

/* Cost of a level with x children, without latency. */
static double overhead_at(const struct overhead *o, double x)
{
    return o->paper ? o->a + o->b * (x + 1.0) + o->c * (x + 1.0) * (x + 1.0)
                    : 2.0 * o->a + o->b * (x - 1.0) + o->c * (x * x - 1.0);
}

static double or_zero(double value)
{
    return isfinite(value) ? value : 0.0;
}

static struct overhead overhead_of(const json_t *tan)
{
    return (struct overhead){
        or_zero(tan_number_of(tan, "a_us")), or_zero(tan_number_of(tan, "b_us")),
        or_zero(tan_number_of(tan, "c_us")), strcmp(tan_text_of(tan, "method"), "joint") != 0};
}

/* Number of children at place i of a curve from 1 to `most`. */
static double place_of(int i, double most)
{
    return 1.0 + (most - 1.0) * i / (PLACES - 1);
}

/* 95 % band of the file's draws. */
static void add_band(struct tan_chart *c, const json_t *tan, double most)
{
    const json_t *draws = tan_array_of(tan, "draws_us");
    const size_t n = json_array_size(draws);
    double *value = n > 1 ? malloc(n * sizeof *value) : NULL;
    if (value == NULL) {
        return;
    }
    tan_chart_add(c, TAN_BAND, "95 % band");
    for (int i = 0; i < PLACES; i++) {
        const double x = place_of(i, most);
        struct overhead o = overhead_of(tan);
        for (size_t d = 0; d < n; d++) {
            const json_t *draw = json_array_get(draws, d);
            o.a = or_zero(tan_number_at(draw, DRAWN_A));
            o.b = or_zero(tan_number_at(draw, DRAWN_B));
            o.c = or_zero(tan_number_at(draw, DRAWN_C));
            value[d] = overhead_at(&o, x);
        }
        gsl_sort(value, 1, n);
        const double row[TAN_CHART_COLUMNS] = {
            x, gsl_stats_quantile_from_sorted_data(value, 1, n, 0.025),
            gsl_stats_quantile_from_sorted_data(value, 1, n, 0.975)};
        tan_chart_row(c, row);
    }
    free(value);
}

static const char reach[] =
    "Fanouts beyond {max_fanout:%.0f} were not measured: predictions for them extrapolate.";

/* Cost of a level with a usual fanout that was measured. */
static void tell_level(struct page *p, const json_t *tan)
{
    enum { USUAL = 16 };
    const struct overhead o = overhead_of(tan);
    const double most = tan_number_of(tan, "max_fanout");
    const double x = isfinite(most) && most < USUAL ? most : USUAL;
    if (x >= 2.0) {
        tan_page_answer(p, "A level of %.0f children takes %.4g us of a wave.", x,
                        or_zero(tan_number_of(tan, "L_us")) + overhead_at(&o, x));
    }
    tan_page_tell(p, tan, reach);
}

/* The overhead of a level at the places of a curve. */
static void add_overhead(struct tan_chart *c, enum tan_mark mark, const char *title,
                         const struct overhead *o, double most)
{
    tan_chart_add(c, mark, title);
    for (int i = 0; i < PLACES; i++) {
        tan_chart_point(c, place_of(i, most), overhead_at(o, place_of(i, most)));
    }
}

static void draw_overhead(struct tan_chart *c, const json_t *tan)
{
    const struct overhead o = overhead_of(tan);
    const struct overhead linear = {o.a, o.b, 0.0, o.paper};
    double most = tan_number_of(tan, "max_fanout");
    most = isfinite(most) && most > 1.0 ? most : FANOUT;
    add_band(c, tan, most);
    add_overhead(c, TAN_LINE, "TAN, fitted", &o, most);
    add_overhead(c, TAN_DASHES, "without c", &linear, most);
}

static const struct tan_figure overhead_figures[] = {
    {"overhead", "Overhead of a node, by its number of children", "children", "overhead, us", "",
     "The fitted overhead of a level of the tree without its latency, up to the largest fanout "
     "that was measured, and its 95 % band. Under LogP it can only be a straight line.",
     .rows = {{.draw = draw_overhead}}},
    {.name = NULL}};

/* Vertical lines at the starts of protocol sections, as high as the points. */
static void add_breaks(struct tan_chart *c, const json_t *p2p)
{
    const json_t *sections = tan_array_of(p2p, "sections");
    double low;
    double high;
    tan_chart_range(c, 'y', &low, &high);
    for (size_t i = 1; i < json_array_size(sections) && low < high; i++) {
        const double at = tan_number_of(json_array_get(sections, i), "from_bytes");
        tan_chart_add(c, TAN_RULER, i == 1 ? "sections of the fit begin" : "");
        tan_chart_point(c, at, low);
        tan_chart_point(c, at, high);
    }
}

static const struct tan_figure message_figures[] = {
    {"messages", "Single messages, by size", "bytes", "time, us", "xy",
     "One-way time with its 95 % interval, overheads and gap, as measured. Vertical lines: where "
     "the library's protocol, and so the fit, changes.",
     /* intervals for one series only, since four would hide each other */
     .rows = {{TAN_INTERVALS, "one-way time", "sizes",
               .value = {"bytes", "half_us", "ci95.half_us.0|half_us", "ci95.half_us.1|half_us"}},
              {TAN_LINE, "overhead of the sender", "sizes", .value = {"bytes", "o_s_us"}},
              {TAN_LINE, "overhead of the receiver", "sizes", .value = {"bytes", "o_r_us"}},
              {TAN_LINE, "gap between messages", "sizes", .value = {"bytes", "gap_us"}},
              {.draw = add_breaks}}},
    {.name = NULL}};

static void show_sizes(struct page *p, const json_t *p2p)
{
    tan_page_tell(p, p2p,
                  "A message of {sizes.0.bytes:size} takes {sizes.0.half_us:%.4g} us one way, one "
                  "of {sizes.-1.bytes:size} {sizes.-1.half_us:%.4g} us.");
    if (tan_number_of(p2p, "eager_bytes") > 0.0) {
        tan_page_tell(p, p2p,
                      "Up to {eager_bytes:%.0f} bytes a send returns before its receiver takes the "
                      "message; a longer one waits for it.");
    }
    tan_show_figures(p, p2p, message_figures);
}

void tan_show_measured_messages(struct page *p, const struct source *s)
{
    const json_t *p2p = json_object_get(s->document, "p2p");
    tan_page_section(p, "Measured messages", s->name);
    if (json_is_object(p2p)) {
        show_sizes(p, p2p);
    } else {
        tan_page_remark(p, "There are figures of one pair of ranks only.");
    }
}

/* A value with its interval, in as many digits as that allows. */
static void set_value(double value, const json_t *ci95, char (*cell)[TAN_PAGE_CELL])
{
    const double low = tan_number_at(ci95, 0);
    const double high = tan_number_at(ci95, 1);
    const double half = fmax((high - low) / 2.0, 0.0005); /* 0.5 ns: no more digits */
    char ends[2][16];
    snprintf(cell[0], TAN_PAGE_CELL, "%.4g", value);
    snprintf(cell[1], TAN_PAGE_CELL, "-");
    if (isfinite(low) && isfinite(high)) {
        tan_format_value(value, half, cell[0], TAN_PAGE_CELL);
        snprintf(cell[1], TAN_PAGE_CELL, "%s to %s",
                 tan_format_value(low, half, ends[0], sizeof ends[0]),
                 tan_format_value(high, half, ends[1], sizeof ends[1]));
    }
}

/* The parameters of a block with their 95 % intervals. */
static void show_parameters(struct page *p, const json_t *block)
{
    enum { COLUMNS = 4, ROWS = 8 };
    static const char *const heading[COLUMNS] = {"parameter", "us", "95 % interval", "what it is"};
    static const struct {
        const char *key, *symbol, *meaning;
    } rows[ROWS] = {
        {"L_us", "L", "latency of a message"},       {"a_us", "a", "overhead of a message"},
        {"b_us", "b", "for each further child"},     {"o_s_us", "o_s", "overhead of a sender"},
        {"o_r_us", "o_r", "overhead of a receiver"}, {"c_us", "c", "growth of that"},
        {"g_us", "g", "gap between messages"},       {"C_us", "C", "once for a wave"},
    };
    const bool overlap = json_object_get(block, "o_s_us") != NULL;
    char cell[COLUMNS * ROWS][TAN_PAGE_CELL];
    size_t n = 0;
    for (size_t i = 0; i < ROWS; i++) {
        char(*at)[TAN_PAGE_CELL] = &cell[COLUMNS * n];
        const bool shown = overlap || strcmp(rows[i].symbol, "g") != 0; /* TAN's is never fitted */
        if (shown && isfinite(tan_number_of(block, rows[i].key))) {
            snprintf(at[0], TAN_PAGE_CELL, "%s", rows[i].symbol);
            set_value(tan_number_of(block, rows[i].key),
                      tan_array_of(json_object_get(block, "ci95"), rows[i].key), &at[1]);
            snprintf(at[3], TAN_PAGE_CELL, "%s", rows[i].meaning);
            n++;
        }
    }
    if (n > 0) {
        tan_page_table(p, "Parameters", heading, (const char(*)[TAN_PAGE_CELL])cell, COLUMNS, n);
    }
}

/* What the first parameters mean; b alone would mislead where c counts. */
static void tell_parameters(struct page *p, const struct source *s, const json_t *tan)
{
    const struct overhead overhead = overhead_of(tan);
    const bool grows = overhead.c > 0.0;
    char text[200];
    const struct tan_place at = {.entry = s->document, .key = text};
    snprintf(text, sizeof text,
             grows ? "the overhead of a level is about %.4g us if each process has 16 children"
                   : "every further child of a process costs about %.4g us",
             grows ? overhead_at(&overhead, 16.0) : overhead.b);
    if (isfinite(tan_number_of(tan, "b_us"))) {
        tan_page_tell_at(p, &at,
                         "On \"{name}\"[ a message is under way for {tan.L_us:%.4g} us, and] {@}.");
    }
}

/* Models of the check trees; in the order of choice between equal ones. */
static const char *const models[] = {"tan-overlap", "tan", "logp"};
enum { MODELS = sizeof models / sizeof models[0] };

const char *tan_page_model(const json_t *machine)
{
    const char *named = tan_text_of(json_object_get(machine, "model"), "name");
    const json_t *checks = tan_array_of(machine, "check");
    const char *best = "tan";
    double least = INFINITY;
    for (int m = 0; m < MODELS; m++) {
        double sum = json_array_size(checks) > 0 ? 0.0 : NAN;
        for (size_t i = 0; i < json_array_size(checks); i++) {
            const json_t *error = json_object_get(json_array_get(checks, i), "error");
            sum += fabs(tan_number_of(error, models[m]));
        }
        if (sum < least) {
            least = sum;
            best = models[m];
        }
    }
    return named[0] != '\0' ? named : best;
}

/* The model that answers use, and how far all models are off. */
static void tell_model(struct page *p, const json_t *machine)
{
    const struct tan_place at = {.entry = machine, .key = tan_page_model(machine)};
    tan_page_tell_at(p, &at,
                     "Answers use the model {@:%.20s}. On {model.trees:%.0f} "
                     "tree[{?model.trees - 1}s] left out of the fits models are off by: "
                     "[tan-overlap {model.error.tan-overlap:share}, ]tan {model.error.tan:share}"
                     "[, logp {model.error.logp:share}].");
}

static const struct tan_listing check_trees = {
    "Check trees, which no fit used, and the models' errors",
    "check",
    64,
    {{"check tree", "{topo:%.39s}"},
     {"wave us", "{wave_us:%.4g}"},
     {"tan-overlap", "{error.tan-overlap * 100:%+.1f} %"},
     {"tan", "{error.tan * 100:%+.1f} %"},
     {"logp", "{error.logp * 100:%+.1f} %"}}};

void tan_show_machine(struct page *p, const struct source *s)
{
    const json_t *tan = json_object_get(s->document, "tan");
    const json_t *overlap = json_object_get(s->document, "overlap");
    tan_page_section(p, "Machine", s->name);
    tell_model(p, s->document);
    if (json_is_object(overlap) && strcmp(tan_page_model(s->document), models[0]) == 0) {
        tan_page_tell(p, s->document,
                      "On \"{name}\" a message is under way for {overlap.L_us|0:%.4g} us, its "
                      "sender is busy for {overlap.o_s_us|0:%.4g} us and its receiver for "
                      "{overlap.o_r_us|0:%.4g} us.");
        tan_page_tell(p, overlap, reach);
        show_parameters(p, overlap);
    } else if (json_is_object(tan)) {
        tell_parameters(p, s, tan);
        show_parameters(p, tan);
        tell_level(p, tan);
        tan_show_figures(p, tan, overhead_figures);
    }
    tan_show_listing(p, s->document, &check_trees);
    const json_t *p2p = json_object_get(s->document, "p2p");
    if (json_is_object(p2p)) {
        show_sizes(p, p2p);
    }
}

/* Validations of single messages */

#define OVERLAP(title, kind)                                                                       \
    {                                                                                              \
        TAN_POINTS, title, "exchanges",                                                            \
            .value = {"overlap_ratio", "overlap_ratio + overlap_ratio_error"},                     \
            .only = "kind=" kind                                                                   \
    }

static const struct tan_figure validation_figures[] = {
    {"message-errors", "Errors of the models, by message size", "bytes", "absolute error, %", "xy",
     "How far each model's one-way time is off, up or down: the lower the better. Errors below "
     "0.1 % are drawn at 0.1 %.",
     .rows = {{TAN_POINTS, "{@}", "sizes", .value = {"bytes", "error.@ abs * 100 max 0.1"},
               .each = "models"}}},
    {"overlap", "Overlap of computation and communication", "measured", "predicted", "",
     "Measured overlap ratios, which are the share of the communication that computation hides, "
     "against the predicted ones; on the diagonal the prediction is right.",
     .rows = {OVERLAP("the sender computes", "sender_computes"),
              OVERLAP("the receiver computes", "receiver_computes"),
              {TAN_RULER, "as measured", "", .value = {"0", "0"}, .only = "exchanges"},
              {TAN_RULER, .list = "", .value = {"1", "1"}, .only = "exchanges"}}},
    {.name = NULL}};

void tan_show_messages(struct page *p, const struct source *s)
{
    const char *kind;
    json_t *value;
    double overlap = 0.0;
    tan_page_section(p, "Single messages, predicted and measured", s->name);
    tan_page_tell(p, s->document,
                  "By the fitted lines one-way times are {models.fitted.mean_abs_error * 100:%.1f} "
                  "% off on average, {models.fitted.worst_abs_error * 100:%.1f} % at worst.");
    tan_page_tell(p, s->document,
                  "By LogGPO as published one-way times are {models.loggpo.mean_abs_error * "
                  "100:%.1f} % off on average, {models.loggpo.worst_abs_error * 100:%.1f} % at "
                  "worst.");
    json_object_foreach(json_object_get(s->document, "exchange_errors"), kind, value)
    {
        const double worst = tan_number_of(value, "worst_overlap_difference");
        overlap = isfinite(worst) ? fmax(overlap, worst) : overlap;
    }
    if (overlap > 0.0) {
        tan_page_answer(p, "Overlap ratios are at most %.2f off.", overlap);
    }
    tan_show_figures(p, s->document, validation_figures);
}
