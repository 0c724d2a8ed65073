/* trace_report.c - a traced program next to its simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/json.h"
#include "base/table.h"
#include "base/units.h"
#include "sim/trace/trace_calls.h"

enum { DIGITS = 3 };

/* Time in a call, or between calls, of all ranks. */
struct compared {
    uint64_t traced; /* nanoseconds */
    struct tan_phase_time simulated;
};

/* The simulation to which the traced times are compared. */
static const struct tan_simulation *base_of(const struct tan_trace_runs *runs)
{
    return runs->unchanged != NULL ? runs->unchanged : runs->simulation;
}

static double run_of(const struct tan_trace_rank *r)
{
    return (double)r->run_ns / 1e9;
}

static double in_mpi_of(const struct tan_trace_rank *r)
{
    return (double)r->in_mpi_ns / 1e9;
}

/* Run time of a rank in the simulation, seconds. */
static double simulated_run(const struct tan_trace *t, const struct tan_simulation *s,
                            uint32_t rank)
{
    return (double)s->rank_finish[rank] / 1e12 - t->rank[rank].started;
}

static double error_of(const struct tan_trace *t, const struct tan_simulation *s, uint32_t rank)
{
    const double run = run_of(&t->rank[rank]);
    return run > 0.0 ? simulated_run(t, s, rank) / run - 1.0 : NAN;
}

static void add_rank(struct tan_table *table, const struct tan_trace *t,
                     const struct tan_trace_runs *runs, uint32_t rank)
{
    const struct tan_simulation *s = base_of(runs);
    const struct tan_trace_rank *r = &t->rank[rank];
    tan_table_cell(table, "%" PRIu32, rank);
    tan_table_cell(table, "%" PRIu64, r->calls);
    tan_table_cell(table, "%.6g", run_of(r) * 1e3);
    tan_table_cell(table, "%.1f %%", r->run_ns > 0 ? 100.0 * in_mpi_of(r) / run_of(r) : 0.0);
    tan_table_cell(table, "%.6g", simulated_run(t, s, rank) * 1e3);
    tan_table_cell(table, "%+.1f %%", 100.0 * error_of(t, s, rank));
    if (runs->unchanged != NULL) {
        tan_table_cell(table, "%.6g", simulated_run(t, runs->simulation, rank) * 1e3);
    }
}

static void print_ranks(const struct tan_trace *t, const struct tan_trace_runs *runs, FILE *to)
{
    const bool both = runs->unchanged != NULL;
    const char *const headings[] = {"rank",         "calls",
                                    "traced ms",    "in MPI",
                                    "simulated ms", runs->changed && !both ? "difference" : "error",
                                    "with --set ms"};
    struct tan_table *table = tan_table_create(headings, both ? 7 : 6);
    for (uint32_t i = 0; i < t->ranks; i++) {
        add_rank(table, t, runs, i);
    }
    tan_table_print(table, to);
}

/* A simulation without operations has no phases. */
static struct compared compare_phase(uint64_t traced, const struct tan_simulation *s,
                                     uint16_t phase)
{
    struct compared c = {.traced = traced};
    if (s->phase != NULL) {
        c.simulated = s->phase[phase];
    }
    return c;
}

/* Seconds that the ranks spent in a phase of the simulation. */
static double in_phase(const struct tan_simulation *s, uint16_t phase)
{
    return tan_phase_seconds(compare_phase(0, s, phase).simulated);
}

/* Between calls, of all ranks; the simulation also counts the time from the first rank's start, in
 * nanoseconds. */
static struct compared computation_time(const struct tan_trace *t, const struct tan_simulation *s)
{
    struct compared c = compare_phase(0, s, TAN_TRACE_COMPUTATION);
    for (uint32_t i = 0; i < t->ranks; i++) {
        c.traced += t->rank[i].run_ns - t->rank[i].in_mpi_ns;
        c.simulated.ns -= (uint64_t)llround(t->rank[i].started * 1e9);
    }
    return c;
}

static double phase_ms(struct tan_phase_time time)
{
    return tan_phase_seconds(time) * 1e3;
}

/* Exact, so that the same time differs by nothing; milliseconds. */
static double difference_ms(struct tan_phase_time a, struct tan_phase_time b)
{
    a.ns -= b.ns;
    return phase_ms(a) - (double)b.ps / 1e9;
}

/* `unchanged`: without --set; NULL: the simulation is compared with the trace. */
static void add_compared(struct tan_table *table, struct compared c,
                         const struct compared *unchanged)
{
    const struct tan_phase_time traced = {.ns = c.traced};
    const struct tan_phase_time base = unchanged != NULL ? unchanged->simulated : traced;
    tan_table_cell(table, "%.6g", (double)c.traced / 1e6);
    if (unchanged != NULL) {
        tan_table_cell(table, "%.6g", phase_ms(base));
    }
    tan_table_cell(table, "%.6g", phase_ms(c.simulated));
    tan_table_cell(table, "%+.4g", difference_ms(c.simulated, base));
}

/* A series of tests is simulated as a wait, though the program may have worked between them. */
static void print_polls(const struct tan_trace *t, const struct tan_simulation *s, FILE *to)
{
    double polled = 0.0;
    double waited = 0.0;
    for (uint32_t i = 0; i < t->ranks; i++) {
        polled += t->rank[i].polled;
    }
    for (size_t i = 0; i < t->n_calls; i++) {
        const struct tan_trace_call *c = &t->call[i];
        const bool tests = tan_trace_call_find(c->name, strlen(c->name)).test;
        waited += tests ? in_phase(s, c->phase) : 0.0;
    }
    if (polled > 0.0) {
        fprintf(
            to,
            "\nOf this, %.6g ms are series of unsuccessful tests that end with a successful one; "
            "in the\nsimulation they are waits, of %.6g ms.\n",
            polled * 1e3, waited * 1e3);
    }
}

/* All calls and what is between them, with the differences of the last two columns. */
static void print_calls(const struct tan_trace *t, const struct tan_trace_runs *runs, FILE *to)
{
    const bool both = runs->unchanged != NULL;
    const char *const headings[] = {"<call",        "calls",
                                    "bytes",        "traced ms",
                                    "simulated ms", both ? "with --set ms" : "difference",
                                    "difference"};
    struct tan_table *table = tan_table_create(headings, both ? 7 : 6);
    struct compared unchanged = computation_time(t, base_of(runs));
    tan_table_cell(table, "computation");
    tan_table_cell(table, "-");
    tan_table_cell(table, "-");
    add_compared(table, computation_time(t, runs->simulation), both ? &unchanged : NULL);
    for (size_t i = 0; i < t->n_calls; i++) {
        const struct tan_trace_call *c = &t->call[i];
        tan_table_cell(table, "%s", c->name);
        tan_table_cell(table, "%" PRIu64, c->calls);
        tan_table_cell(table, "%" PRIu64, c->bytes);
        unchanged = compare_phase(c->time_ns, base_of(runs), c->phase);
        add_compared(table, compare_phase(c->time_ns, runs->simulation, c->phase),
                     both ? &unchanged : NULL);
    }
    tan_table_print(table, to);
    print_polls(t, runs->simulation, to);
}

double tan_trace_finish(const struct tan_trace *t)
{
    double last = 0.0;
    for (uint32_t i = 0; i < t->ranks; i++) {
        last = fmax(last, t->rank[i].started + run_of(&t->rank[i]));
    }
    return last;
}

static double finish_under(const struct tan_trace_outcome *outcomes, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(outcomes[i].model->name, name) == 0) {
            return outcomes[i].finish;
        }
    }
    return NAN;
}

/* A second estimate of the run time with --set, in seconds: the traced time plus what the change
 * adds to the simulated one. It assumes that the difference between traced and simulated time does
 * not change, such as a cost per message that the model does not include. */
static double from_traced_time(double traced, const struct tan_trace_outcome *outcome)
{
    return fmax(0.0, traced + outcome->finish - outcome->unchanged);
}

static void print_change(const struct tan_trace *t, const struct tan_trace_outcome *outcomes,
                         size_t n, FILE *to)
{
    static const char *const headings[] = {"<model",     "unchanged ms", "error",
                                           "changed ms", "times",        "from traced ms"};
    const double traced = tan_trace_finish(t);
    struct tan_table *table = tan_table_create(headings, 6);
    for (size_t i = 0; i < n; i++) {
        if (isnan(outcomes[i].finish)) {
            continue;
        }
        tan_table_cell(table, "%s", outcomes[i].model->title);
        tan_table_cell(table, "%.6g", outcomes[i].unchanged * 1e3);
        tan_table_cell(table, "%+.1f %%", 100.0 * (outcomes[i].unchanged / traced - 1.0));
        tan_table_cell(table, "%.6g", outcomes[i].finish * 1e3);
        tan_table_cell(table, "%s",
                       tan_factor_text(outcomes[i].finish / outcomes[i].unchanged, 4).text);
        tan_table_cell(table, "%.6g", from_traced_time(traced, &outcomes[i]) * 1e3);
    }
    fputs("\nEffect of --set, if the machine file is that of the traced run; \"from "
          "traced\" is the traced\ntime plus the difference of the simulated ones:\n\n",
          to);
    tan_table_print(table, to);
}

/* What is simulated under each model, and what was traced. */
static void print_models(const struct tan_trace *t, const struct tan_trace_outcome *outcomes,
                         size_t n, bool changed, FILE *to)
{
    const char *const headings[] = {"<model", changed ? "with --set ms" : "simulated ms",
                                    changed ? "difference" : "error", "<messages"};
    const double traced = tan_trace_finish(t);
    struct tan_table *table = tan_table_create(headings, 4);
    for (size_t i = 0; i < n; i++) {
        tan_table_cell(table, "%s", outcomes[i].model->title);
        if (isnan(outcomes[i].finish)) {
            tan_table_cell(table, "-");
            tan_table_cell(table, "-");
            tan_table_cell(table, "needs more than the machine file has: see --model=%s",
                           outcomes[i].model->name);
            continue;
        }
        tan_table_cell(table, "%.6g", outcomes[i].finish * 1e3);
        tan_table_cell(table, "%+.1f %%", 100.0 * (outcomes[i].finish / traced - 1.0));
        tan_table_cell(table, "%s", outcomes[i].model->help);
    }
    fprintf(to, "\nThe program%s under each model, traced%s %.6g ms:\n\n",
            changed ? " with --set" : "", changed ? " without it" : "", traced * 1e3);
    tan_table_print(table, to);
    /* the model that the assumptions about overlap are based on */
    const double fitted = finish_under(outcomes, n, "fitted");
    const double as_is = isnan(fitted) ? finish_under(outcomes, n, "loggpo") : fitted;
    const double by_overlap = finish_under(outcomes, n, "no-overlap") - as_is;
    const double by_progress = as_is - finish_under(outcomes, n, "independent");
    if (!isnan(by_overlap + by_progress)) {
        fprintf(to,
                "\nOverlap of messages and computation saves %.4g ms; progress that needs no calls "
                "would save\n%.4g ms.\n",
                fmax(by_overlap, 0.0) * 1e3, fmax(by_progress, 0.0) * 1e3);
    }
    if (changed) {
        print_change(t, outcomes, n, to);
    }
}

/* Lower bound of the last rank's finish without a tracer, if each rank had waited in MPI for the
 * tracers of all others in sequence; seconds. */
static double least_finish(const struct tan_trace *t)
{
    double all = 0.0;
    double last = 0.0;
    for (uint32_t i = 0; i < t->ranks; i++) {
        all += t->rank[i].tracer;
    }
    for (uint32_t i = 0; i < t->ranks; i++) {
        const struct tan_trace_rank *r = &t->rank[i];
        last = fmax(last, r->started + run_of(r) - fmin(all - r->tracer, in_mpi_of(r)));
    }
    return last;
}

static void print_tracer(const struct tan_trace *t, const struct tan_simulation *s, bool changed,
                         FILE *to)
{
    const double least_share = 0.005;
    const double traced = tan_trace_finish(t);
    const double finish = (double)s->finish / 1e12;
    double most = 0.0;
    for (uint32_t i = 0; i < t->ranks; i++) {
        most = fmax(most, t->rank[i].tracer);
    }
    const double least = least_finish(t);
    if (most <= 0.0) {
        return;
    }
    fprintf(
        to,
        "\nThe tracer took up to %.4g ms of a rank in addition; other ranks may have waited for "
        "it, which\nis in their traced times and not in the simulation",
        most * 1e3);
    if (!changed && traced - least > least_share * traced && least > 0.0) {
        fprintf(to, ", so that the\nerror of the whole run lies between %+.1f %% and %+.1f %%",
                100.0 * (finish / traced - 1.0), 100.0 * (finish / least - 1.0));
    }
    fputs(".\n", to);
}

void tan_trace_print(const struct tan_trace *t, const struct tan_trace_runs *runs,
                     const struct tan_trace_outcome *outcomes, size_t n, FILE *to)
{
    fprintf(to, "\nFrom MPI_Init on, as traced and as simulated%s:\n\n",
            runs->unchanged != NULL ? " without and with --set"
            : runs->changed         ? " with --set"
                                    : "");
    print_ranks(t, runs, to);
    print_tracer(t, runs->simulation, runs->changed, to);
    if (n > 0) {
        print_models(t, outcomes, n, runs->changed, to);
    }
    fputs("\nTime in calls and between them, of all ranks:\n\n", to);
    print_calls(t, runs, to);
}

static void set_seconds(struct tan_json_writer *w, json_t *object, const char *key, double seconds)
{
    if (!isnan(seconds)) {
        tan_json_set_fixed(w, object, key, seconds * 1e6, DIGITS);
    }
}

static double computed_seconds(const struct tan_trace *t, const struct tan_simulation *s)
{
    return tan_phase_seconds(computation_time(t, s).simulated);
}

void tan_trace_set_json(struct tan_json_writer *w, struct json_t *object, const struct tan_trace *t,
                        const struct tan_trace_runs *runs, const struct tan_trace_outcome *outcomes,
                        size_t n)
{
    const struct tan_simulation *s = runs->simulation;
    const struct tan_simulation *unchanged = runs->unchanged;
    json_t *ranks = tan_json_set_array(w, object, "ranks");
    for (uint32_t i = 0; i < t->ranks; i++) {
        json_t *rank = tan_json_append_object(w, ranks);
        tan_json_set_int(w, rank, "calls", (json_int_t)t->rank[i].calls);
        tan_json_set_fixed(w, rank, "traced_us", run_of(&t->rank[i]) * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "mpi_us", in_mpi_of(&t->rank[i]) * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "polled_us", t->rank[i].polled * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "started_us", t->rank[i].started * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "tracer_us", t->rank[i].tracer * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "simulated_us", simulated_run(t, s, i) * 1e6, DIGITS);
        set_seconds(w, rank, "unchanged_us",
                    unchanged != NULL ? simulated_run(t, unchanged, i) : NAN);
    }
    json_t *calls = tan_json_set_array(w, object, "calls");
    for (size_t i = 0; i < t->n_calls; i++) {
        json_t *call = tan_json_append_object(w, calls);
        tan_json_set_string(w, call, "name", t->call[i].name);
        tan_json_set_int(w, call, "calls", (json_int_t)t->call[i].calls);
        tan_json_set_int(w, call, "bytes", (json_int_t)t->call[i].bytes);
        tan_json_set_fixed(w, call, "traced_us", (double)t->call[i].time_ns / 1e3, DIGITS);
        set_seconds(w, call, "simulated_us", in_phase(s, t->call[i].phase));
        set_seconds(w, call, "unchanged_us",
                    unchanged != NULL ? in_phase(unchanged, t->call[i].phase) : NAN);
    }
    json_t *models = n > 0 ? tan_json_set_array(w, object, "models") : NULL;
    for (size_t i = 0; i < n; i++) {
        if (isnan(outcomes[i].finish)) {
            continue;
        }
        json_t *model = tan_json_append_object(w, models);
        tan_json_set_string(w, model, "model", outcomes[i].model->name);
        tan_json_set_fixed(w, model, "simulated_us", outcomes[i].finish * 1e6, DIGITS);
        if (!isnan(outcomes[i].unchanged)) {
            const double from_traced = from_traced_time(tan_trace_finish(t), &outcomes[i]);
            tan_json_set_fixed(w, model, "unchanged_us", outcomes[i].unchanged * 1e6, DIGITS);
            set_seconds(w, model, "from_traced_us", from_traced);
        }
    }
    json_t *computed = tan_json_set_object(w, object, "computation");
    tan_json_set_fixed(w, computed, "traced_us", (double)computation_time(t, s).traced / 1e3,
                       DIGITS);
    set_seconds(w, computed, "simulated_us", computed_seconds(t, s));
    set_seconds(w, computed, "unchanged_us",
                unchanged != NULL ? computed_seconds(t, unchanged) : NAN);
}
