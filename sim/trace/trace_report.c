/* trace_report.c - a traced program next to its simulation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_report.h"

#include <inttypes.h>
#include <math.h>

#include "base/json_writer.h"
#include "base/table.h"
#include "base/units.h"
#include "sim/trace/trace_growth_report.h"

enum { LISTED_RANKS = 32, LISTED_CALLS = 24, DIGITS = 3 };

/* Run time of a rank in the simulation, seconds. */
static double simulated(const struct tan_trace *t, const struct tan_simulation *s, uint32_t rank)
{
    return (double)s->rank_finish[t->first + t->rank[rank].place] / 1e12 - t->rank[rank].started;
}

static double error_of(const struct tan_trace *t, const struct tan_simulation *s, uint32_t rank)
{
    const double run = t->rank[rank].run;
    return run > 0.0 ? simulated(t, s, rank) / run - 1.0 : NAN;
}

static void add_rank(struct tan_table *table, const struct tan_trace *t,
                     const struct tan_simulation *s, uint32_t rank)
{
    const struct tan_trace_rank *r = &t->rank[rank];
    tan_table_cell(table, "%" PRIu32, rank);
    tan_table_cell(table, "%" PRIu64, r->calls);
    tan_table_cell(table, "%.6g", r->run * 1e3);
    tan_table_cell(table, "%.1f %%", r->run > 0.0 ? 100.0 * r->in_mpi / r->run : 0.0);
    tan_table_cell(table, "%.6g", simulated(t, s, rank) * 1e3);
    tan_table_cell(table, "%+.1f %%", 100.0 * error_of(t, s, rank));
}

static void print_ranks(const struct tan_trace *t, const struct tan_simulation *s, FILE *to)
{
    static const char *const headings[] = {"rank",   "calls",        "traced ms",
                                           "in MPI", "simulated ms", "error"};
    struct tan_table *table = tan_table_create(headings, 6);
    uint32_t shortest = 0;
    uint32_t longest = 0;
    for (uint32_t i = 0; i < t->ranks; i++) {
        shortest = t->rank[i].run < t->rank[shortest].run ? i : shortest;
        longest = t->rank[i].run > t->rank[longest].run ? i : longest;
    }
    for (uint32_t i = 0; i < t->ranks; i++) {
        if (t->ranks <= LISTED_RANKS || i == shortest || i == longest) {
            add_rank(table, t, s, i);
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
    if (t->ranks > LISTED_RANKS) {
        fprintf(to, "Of %" PRIu32 " ranks the shortest and the longest as traced.\n", t->ranks);
    }
}

static void print_calls(const struct tan_trace *t, FILE *to)
{
    static const char *const headings[] = {"<call", "calls", "bytes", "traced ms"};
    struct tan_table *table = tan_table_create(headings, 4);
    for (size_t i = 0; i < t->n_calls && i < LISTED_CALLS; i++) {
        const struct tan_trace_call *c = &t->call[i];
        tan_table_cell(table, "%s", c->name);
        tan_table_cell(table, "%" PRIu64, c->calls);
        tan_table_cell(table, "%" PRIu64, c->bytes);
        tan_table_cell(table, "%.6g", c->seconds * 1e3);
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void tan_trace_print(const struct tan_trace *t, const struct tan_simulation *s, FILE *to)
{
    if (t->copies > 1) {
        tan_trace_growth_print(t, to);
    }
    fputs(t->copies <= 1
              ? "\nFrom MPI_Init on, as traced and as simulated:\n\n"
              : "\nFrom MPI_Init on, as traced, and as simulated for the first rank of the larger "
                "job that follows\neach:\n\n",
          to);
    print_ranks(t, s, to);
    double most = 0.0;
    for (uint32_t i = 0; i < t->ranks; i++) {
        most = fmax(most, t->rank[i].tracer);
    }
    if (most > 0.0) {
        fprintf(
            to,
            "\nThe tracer took up to %.4g ms of a rank besides; other ranks may have waited for "
            "it, which\nis in their traced times and not in the simulation.\n",
            most * 1e3);
    }
    fputs("\nTime in calls, of all ranks:\n\n", to);
    print_calls(t, to);
}

void tan_trace_set_json(struct tan_json_writer *w, struct json_t *object, const struct tan_trace *t,
                        const struct tan_simulation *s)
{
    json_t *ranks = tan_json_set_array(w, object, "ranks");
    for (uint32_t i = 0; i < t->ranks; i++) {
        json_t *rank = tan_json_append_object(w, ranks);
        tan_json_set_int(w, rank, "calls", (json_int_t)t->rank[i].calls);
        tan_json_set_fixed(w, rank, "traced_us", t->rank[i].run * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "mpi_us", t->rank[i].in_mpi * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "started_us", t->rank[i].started * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "tracer_us", t->rank[i].tracer * 1e6, DIGITS);
        tan_json_set_fixed(w, rank, "simulated_us", simulated(t, s, i) * 1e6, DIGITS);
    }
    if (t->copies > 1) {
        tan_trace_growth_set_json(w, tan_json_set_object(w, object, "extrapolated"), t);
    }
    json_t *calls = tan_json_set_array(w, object, "calls");
    for (size_t i = 0; i < t->n_calls; i++) {
        json_t *call = tan_json_append_object(w, calls);
        tan_json_set_string(w, call, "name", t->call[i].name);
        tan_json_set_int(w, call, "calls", (json_int_t)t->call[i].calls);
        tan_json_set_int(w, call, "bytes", (json_int_t)t->call[i].bytes);
        tan_json_set_fixed(w, call, "traced_us", t->call[i].seconds * 1e6, DIGITS);
    }
}
