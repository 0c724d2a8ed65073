/* machine_figures.c - figures of machine files: parameters, check trees, overhead of a node,
 * messages SPDX-License-Identifier: GPL-3.0-or-later */
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "model/machine/p2p.h"
#include "page/kinds.h"
#include "page/rows.h"

/* Fanout at which curves end if the file has no largest one; points of a curve; medians at most. */
enum { FANOUT = 64, PLACES = 33, MEDIANS = 500 };

/* Columns of "draws_us". */
enum { DRAWN_L, DRAWN_A, DRAWN_B, DRAWN_C };

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

/* Measured overheads of N-to-1 trees by fanout: medians with their intervals, in microseconds,
 * without latency and one-time cost. */
struct measured {
    size_t n;
    double x[MEDIANS], y[MEDIANS], low[MEDIANS], high[MEDIANS];
};

/* From results on this machine; empty if there are none. */
static void find_measured(const struct page *p, const json_t *machine, struct measured *m)
{
    const struct source *results = tan_page_find(p, "tan-results/1", tan_text_of(machine, "name"));
    const size_t n = results == NULL ? 0 : results->cells.n;
    const json_t *tan = json_object_get(machine, "tan");
    const double fixed = or_zero(tan_number_of(tan, "L_us")) + or_zero(tan_number_of(tan, "C_us"));
    const double bytes = tan_number_of(tan, "bytes");
    m->n = 0;
    for (size_t i = 0; i < n && m->n < MEDIANS; i++) {
        const struct cell *cell = &results->cells.list[i];
        const double y = cell->median - fixed;
        const bool same = isnan(cell->bytes) || tan_report_cell_has_size(cell, bytes);
        if (tan_report_cell_is_of(cell, "nto1:") && cell->max_fanout >= 1.0 && isfinite(y) &&
            same) {
            m->x[m->n] = cell->max_fanout;
            m->y[m->n] = y;
            m->low[m->n] = tan_report_cell_bound(cell->low, cell->median) - fixed;
            m->high[m->n++] = tan_report_cell_bound(cell->high, cell->median) - fixed;
        }
    }
}

/* Curves through the medians: linear and logarithmic. */
enum { LINES = 2 };

/* Residuals of the medians for each curve. */
static void show_residuals(struct page *p, const struct measured *m, const struct overhead *o,
                           double factor[LINES][TAN_CURVE_TERMS])
{
    struct tan_chart c;
    tan_chart_init(&c, "overhead-residuals", "What the curves leave of the medians",
                   "Measured less fitted overhead. A curve of the right form leaves points on both "
                   "sides of 0 everywhere.");
    c.x.title = "children";
    c.y.title = "measured - fitted, us";
    for (int k = 0; k <= LINES; k++) {
        tan_chart_add(&c, TAN_POINTS, k == 0 ? "TAN, fitted" : tan_curves[k - 1].title);
        for (size_t i = 0; i < m->n; i++) {
            const double fitted = k == 0 ? overhead_at(o, m->x[i])
                                         : tan_curve_at(&tan_curves[k - 1], factor[k - 1], m->x[i]);
            tan_chart_point(&c, m->x[i], m->y[i] - fitted);
        }
    }
    tan_page_chart(p, &c);
}

/* False if memory is short. */
static bool add_lines(struct tan_chart *c, const struct measured *m, double most,
                      double factor[LINES][TAN_CURVE_TERMS])
{
    for (int k = 0; k < LINES; k++) {
        char title[40];
        if (!tan_curve_fit(&tan_curves[k], m->x, m->y, m->n, factor[k])) {
            return false;
        }
        snprintf(title, sizeof title, "%s, fitted", tan_curves[k].title);
        tan_chart_add(c, TAN_DASHES, title);
        for (int i = 0; i < PLACES; i++) {
            const double x = place_of(i, most);
            tan_chart_point(c, x, tan_curve_at(&tan_curves[k], factor[k], x));
        }
    }
    return true;
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

static void show_overhead(struct page *p, const json_t *machine)
{
    enum { LEAST = 3 }; /* medians, since a line through two always fits */
    const json_t *tan = json_object_get(machine, "tan");
    const struct overhead o = overhead_of(tan);
    double factor[LINES][TAN_CURVE_TERMS];
    struct measured *m = malloc(sizeof *m);
    struct tan_chart c;
    double most = tan_number_of(tan, "max_fanout");
    if (!json_is_object(tan) || m == NULL) {
        free(m);
        return;
    }
    find_measured(p, machine, m);
    most = isfinite(most) && most > 1.0 ? most : FANOUT;
    tan_chart_init(&c, "overhead", "Overhead of a node, by its number of children",
                   "The fitted overhead of a level of the tree without its latency, up to the "
                   "largest fanout that was measured, and its 95 % band. Under LogP it can only be "
                   "a straight line.");
    c.x.title = "children";
    c.y.title = "overhead, us";
    add_band(&c, tan, most);
    tan_chart_add(&c, TAN_LINE, "TAN, fitted");
    for (int i = 0; i < PLACES; i++) {
        tan_chart_point(&c, place_of(i, most), overhead_at(&o, place_of(i, most)));
    }
    if (m->n >= LEAST) {
        c.failed = !add_lines(&c, m, most, factor);
    } else {
        const struct overhead linear = {o.a, o.b, 0.0, o.paper};
        tan_chart_add(&c, TAN_DASHES, "without c");
        for (int i = 0; i < PLACES; i++) {
            tan_chart_point(&c, place_of(i, most), overhead_at(&linear, place_of(i, most)));
        }
    }
    tan_chart_add(&c, TAN_INTERVALS, "N-to-1 medians, less L and C");
    for (size_t i = 0; i < m->n; i++) {
        const double row[TAN_CHART_COLUMNS] = {m->x[i], m->y[i], m->low[i], m->high[i]};
        tan_chart_row(&c, row);
    }
    tan_page_chart(p, &c);
    if (m->n >= LEAST) {
        show_residuals(p, m, &o, factor);
    }
    free(m);
}

/* Vertical lines at the starts of protocol sections, as high as the points. */
static void add_breaks(struct tan_chart *c, const json_t *p2p)
{
    const json_t *sections = tan_array_of(p2p, "sections");
    double low = INFINITY;
    double high = 0.0;
    for (size_t k = 0; k < c->n; k++) {
        for (size_t i = 0; i < c->series[k].n; i++) {
            low = fmin(low, c->series[k].row[i][1]);
            high = fmax(high, c->series[k].row[i][1]);
        }
    }
    for (size_t i = 1; i < json_array_size(sections) && low < high; i++) {
        const double at = tan_number_of(json_array_get(sections, i), "from_bytes");
        tan_chart_add(c, TAN_RULER, i == 1 ? "sections of the fit begin" : "");
        tan_chart_point(c, at, low);
        tan_chart_point(c, at, high);
    }
}

/* Error of each model at the sizes that its parameters were fitted to. */
static void show_model_errors(struct page *p, const json_t *p2p)
{
    const double least = 0.1; /* percent; smaller errors would only widen the axis */
    struct tan_error e = TAN_ERROR_INIT;
    struct tan_p2p *messages = tan_p2p_parse(p2p, p->source, &e);
    struct tan_chart c;
    if (messages == NULL) {
        tan_page_remark(p, "Errors of the models are left out: %s", e.text);
        return;
    }
    const struct tan_p2p_model *best = tan_p2p_best(messages);
    double sum = 0.0;
    double worst = 0.0;
    char mean[32];
    char most[32];
    size_t n = 0;
    tan_chart_init(&c, "model-errors", "Errors of the models, by message size",
                   "How far the one-way time of each model is from the measured one at the sizes "
                   "that its parameters were fitted to: the lower the better. Errors below 0.1 % "
                   "are drawn at 0.1 %. At other sizes they may be larger: tanbench p2p validate.");
    c.x.title = "bytes";
    c.y.title = "absolute error, %";
    c.x.log = true;
    c.y.log = true;
    for (const struct tan_p2p_model *model = tan_p2p_models; model->name != NULL; model++) {
        tan_chart_add(&c, TAN_POINTS, model->name);
        for (size_t i = 0; i < messages->n_sizes; i++) {
            const struct tan_p2p_size *size = &messages->size[i];
            const double predicted = model->predict(messages, size->bytes).delivered;
            const double error = 100.0 * fabs(predicted / size->value[TAN_P2P_HALF] - 1.0);
            if (isfinite(error)) {
                tan_chart_point(&c, (double)size->bytes, fmax(error, least));
                sum += model == best ? error : 0.0;
                worst = model == best ? fmax(worst, error) : worst;
                n += model == best;
            }
        }
    }
    if (n > 0) {
        tan_page_answer(p,
                        "The model %s fits the measured one-way times within %s on average, "
                        "%s at worst.",
                        best->name, tan_format_share(sum / (double)n / 100.0, mean, sizeof mean),
                        tan_format_share(worst / 100.0, most, sizeof most));
    }
    tan_page_chart(p, &c);
    tan_p2p_destroy(messages);
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
    show_model_errors(p, p2p);
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
        show_overhead(p, s->document);
    }
    tan_show_listing(p, s->document, &check_trees);
    const json_t *p2p = json_object_get(s->document, "p2p");
    if (json_is_object(p2p)) {
        show_sizes(p, p2p);
    }
}
