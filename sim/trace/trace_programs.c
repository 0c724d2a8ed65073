/* trace_programs.c - traced programs side by side
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/trace/trace_programs.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/json_writer.h"
#include "base/table.h"
#include "sim/engine/deadlock.h"
#include "sim/engine/simulate.h"

enum { DIGITS = 3 };

static uint32_t ranks_of(const struct tan_trace *t)
{
    return t->ranks * t->copies;
}

/* Finish time of the last of n ranks from `first` on, seconds. */
static double end_of(const struct tan_simulation *s, uint32_t first, uint32_t n)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < n; i++) {
        last = s->rank_finish[first + i] > last ? s->rank_finish[first + i] : last;
    }
    return (double)last / 1e12;
}

/* The hosts of the program's ranks; owned by the caller. */
static uint32_t *hosts_of(const struct tan_trace *t, const struct tan_sim_params *params,
                          struct tan_error *e)
{
    uint32_t *host_of = malloc(ranks_of(t) * sizeof *host_of);
    if (host_of == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    for (uint32_t i = 0; i < ranks_of(t); i++) {
        host_of[i] = tan_sim_host(params, t->first + i);
    }
    return host_of;
}

static int simulate_alone(const struct tan_trace *t, const struct tan_schedule *schedule,
                          const struct tan_sim_params *params, double *seconds, struct tan_error *e)
{
    struct tan_sim_params own = *params;
    struct tan_simulation s;
    uint32_t *host_of = hosts_of(t, params, e);
    int result = -1;
    own.host_of = host_of;
    if (host_of != NULL && tan_simulate(schedule, &own, false, &s, e) == 0) {
        *seconds = end_of(&s, 0, schedule->ranks);
        result = tan_ended_well(&s) || t->cut
                     ? 0
                     : tan_fail(e, "%s: simulated alone, this program never ends", t->dir);
        tan_simulation_clear(&s);
    }
    free(host_of);
    return result;
}

int tan_program_times(const struct tan_trace *t, const struct tan_trace_options *options,
                      const struct tan_sim_params *params, const struct tan_simulation *s,
                      struct tan_program_times *out, struct tan_error *e)
{
    struct tan_trace again;
    *out = (struct tan_program_times){
        .traced = tan_trace_finish(t), .simulated = end_of(s, t->first, ranks_of(t)), .alone = NAN};
    if (params->cores == 0) {
        return 0;
    }
    struct tan_schedule *schedule = tan_trace_load(t->dir, options, &again, e);
    const int result = schedule == NULL ? -1 : simulate_alone(t, schedule, params, &out->alone, e);
    tan_schedule_destroy(schedule);
    tan_trace_clear(&again);
    return result;
}

static void add_ranks(struct tan_table *table, uint32_t first, uint32_t n)
{
    if (n == 1) {
        tan_table_cell(table, "%" PRIu32, first);
    } else {
        tan_table_cell(table, "%" PRIu32 " to %" PRIu32, first, first + n - 1);
    }
}

static void print_times(const struct tan_trace *t, const struct tan_program_times *times, size_t n,
                        FILE *to)
{
    static const char *const headings[] = {"<program",     "ranks",    "traced ms",
                                           "simulated ms", "alone ms", "slower"};
    const bool alone = isfinite(times[0].alone);
    struct tan_table *table = tan_table_create(headings, alone ? 6 : 4);
    fputs("\nPrograms side by side, each from the moment at which its first rank had left "
          "MPI_Init;\nall begin at the same time:\n\n",
          to);
    for (size_t i = 0; i < n; i++) {
        tan_table_cell(table, "%s", t[i].dir);
        add_ranks(table, t[i].first, ranks_of(&t[i]));
        tan_table_cell(table, "%.6g", times[i].traced * 1e3);
        tan_table_cell(table, "%.6g", times[i].simulated * 1e3);
        if (alone) {
            tan_table_cell(table, "%.6g", times[i].alone * 1e3);
            tan_table_cell(table, "%+.1f %%", 100.0 * (times[i].simulated / times[i].alone - 1.0));
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void tan_programs_print(const struct tan_trace *t, const struct tan_program_times *times, size_t n,
                        const struct tan_trace_runs *runs, FILE *to)
{
    if (n > 1) {
        print_times(t, times, n, to);
    }
    for (size_t i = 0; i < n; i++) {
        if (n > 1) {
            fprintf(to, "\n%s, whose ranks begin at %" PRIu32 " in the job:\n", t[i].dir,
                    t[i].first);
        }
        tan_trace_print(&t[i], runs, times[i].outcome, times[i].n_outcomes, to);
    }
}

void tan_programs_set_json(struct tan_json_writer *w, struct json_t *object,
                           const struct tan_trace *t, const struct tan_program_times *times,
                           size_t n, const struct tan_trace_runs *runs)
{
    if (n == 1) {
        tan_trace_set_json(w, tan_json_set_object(w, object, "program"), t, runs, times->outcome,
                           times->n_outcomes);
        return;
    }
    json_t *list = tan_json_set_array(w, object, "programs");
    for (size_t i = 0; i < n; i++) {
        json_t *program = tan_json_append_object(w, list);
        tan_json_set_string(w, program, "source", t[i].dir);
        tan_json_set_int(w, program, "first_rank", (json_int_t)t[i].first);
        tan_json_set_fixed(w, program, "traced_us", times[i].traced * 1e6, DIGITS);
        tan_json_set_fixed(w, program, "simulated_us", times[i].simulated * 1e6, DIGITS);
        if (isfinite(times[i].alone)) {
            tan_json_set_fixed(w, program, "alone_us", times[i].alone * 1e6, DIGITS);
        }
        tan_trace_set_json(w, program, &t[i], runs, times[i].outcome, times[i].n_outcomes);
    }
}
