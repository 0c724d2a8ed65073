/* sim_compare.c - comparison of the algorithms of a collective operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/output.h"
#include "base/reply.h"
#include "base/table.h"
#include "base/units.h"
#include "sim/cmd/sim_run.h"
#include "sim/schedule/times.h"

enum { CONTESTANTS = 8 };

struct contestant {
    char pattern[64]; /* "ring-allreduce:1000" */
    int64_t operations;
    bool simulated;  /* false: not enough memory */
    uint64_t finish; /* picoseconds */
};

struct contest {
    const char *collective; /* "allreduce:1000" */
    int64_t bytes;
    int n;
    struct contestant row[CONTESTANTS];
};

/* The fastest first, those not simulated last. */
static int by_finish(const void *a, const void *b)
{
    const struct contestant *x = a, *y = b;
    if (x->simulated != y->simulated) {
        return x->simulated ? -1 : 1;
    }
    return x->finish != y->finish ? (x->finish < y->finish ? -1 : 1)
                                  : strcmp(x->pattern, y->pattern);
}

static double slower_by(const struct contest *c, int i)
{
    const double best = (double)c->row[0].finish;
    return best > 0 ? (double)c->row[i].finish / best - 1 : 0;
}

static void print_fastest(const void *contest, FILE *to)
{
    fprintf(to, "The fastest of these: %s\n", ((const struct contest *)contest)->row[0].pattern);
}

/* A sorted contest, the first algorithm of which was simulated. `common`: any of the simulations,
 * for the parameters. */
static void print_contest(const struct contest *contest, const struct tan_sim_report *common,
                          FILE *to)
{
    static const char *const headings[] = {"<algorithm", "<finish", "slower than the best",
                                           "operations"};
    fprintf(to, "Collective: %s, %s\n", contest->collective, tan_size_text(contest->bytes).text);
    tan_sim_parameters_print(common, to);
    tan_sim_change_print(common, to);
    fputc('\n', to);
    struct tan_table *table = tan_table_create(headings, 4);
    for (int i = 0; i < contest->n; i++) {
        const struct contestant *row = &contest->row[i];
        tan_table_cell(table, "%s", row->pattern);
        const struct tan_time_unit *unit = tan_time_unit(row->finish);
        if (row->simulated) {
            tan_table_cell(table, "%.4g %s", (double)row->finish / (double)unit->ps, unit->name);
        } else {
            tan_table_cell(table, "not simulated");
        }
        if (row->simulated && i > 0) {
            char text[32];
            tan_table_cell(table, "%s",
                           tan_format_slower(slower_by(contest, i), text, sizeof text));
        } else {
            tan_table_cell(table, "%s", i == 0 ? "best" : "");
        }
        tan_table_cell(table, "%" PRId64, row->operations);
    }
    tan_table_print(table, to);
    fputc('\n', to);
    print_fastest(contest, to);
}

/* The same as `tan-collective/1`; the caller owns the reference. NULL if memory is short. */
static json_t *contest_json(const struct contest *contest, const struct tan_sim_report *common)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-collective/1");
    tan_reply_say_printed(&w, tan_sim_answer(&w, top, common), TAN_PART_FIRST, print_fastest,
                          contest);
    tan_json_set_string(&w, top, "collective", contest->collective);
    tan_json_set_int(&w, top, "bytes", contest->bytes);
    tan_sim_parameters_json(&w, tan_json_set_object(&w, top, "parameters"), common);
    tan_sim_change_json(&w, top, common);
    json_t *rows = tan_json_set_array(&w, top, "algorithms");
    for (int i = 0; i < contest->n; i++) {
        const struct contestant *row = &contest->row[i];
        json_t *object = tan_json_append_object(&w, rows);
        tan_json_set_string(&w, object, "pattern", row->pattern);
        tan_json_set_int(&w, object, "operations", row->operations);
        if (row->simulated) {
            tan_json_set_real(&w, object, "finish_ns", (double)row->finish / 1e3);
            tan_json_set_real(&w, object, "slower", slower_by(contest, i));
        }
    }
    return tan_json_finish(&w, top);
}

int run_compare_algorithms(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    struct contest contest = {.collective = c->source.pattern, .bytes = (int64_t)run_bytes(r)};
    const struct tan_link between = r->params.between;
    const struct tan_link within = r->params.within;
    for (const struct tan_algorithm *a = c->source.algorithms;
         a->collective != NULL && strcmp(a->collective, c->source.algorithms->collective) == 0;
         a++) {
        struct contestant *row = &contest.row[contest.n++];
        snprintf(row->pattern, sizeof row->pattern, "%s%.32s", a->pattern,
                 strchr(c->source.pattern, ':'));
        r->pattern = row->pattern;
        bool fits;
        row->operations = tan_pattern_operations(r->pattern, &fits, e);
        if (row->operations < 0) {
            return -1;
        }
        if (!fits) {
            continue;
        }
        run_clear_schedule(r);
        r->params.between = between; /* before --set, which applies to each */
        r->params.within = within;
        if (run_make_schedule(r, e) < 0 || run_simulate(r, e) < 0) {
            return -1;
        }
        row->simulated = true;
        row->finish = r->simulation.finish;
    }
    qsort(contest.row, (size_t)contest.n, sizeof *contest.row, by_finish);
    if (!contest.row[0].simulated) {
        return tan_fail(e, "every algorithm of %s may take more memory than is available",
                        c->source.pattern);
    }
    /* of the sizes that algorithms send, the report shows the requested one */
    const struct tan_sized_link asked = {(uint64_t)contest.bytes, r->params.between,
                                         r->params.within};
    if (r->params.n_sizes > 0) {
        r->params.sizes = &asked;
        r->params.n_sizes = 1;
    }
    if (!tan_output_is_stdout(c->output.json)) {
        print_contest(&contest, &r->report, stdout);
    }
    return c->output.json != NULL
               ? tan_json_save_new(c->output.json, contest_json(&contest, &r->report), e)
               : 0;
}
