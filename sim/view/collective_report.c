/* collective_report.c - comparison of the algorithms of a collective operation
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/view/collective_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json_writer.h"
#include "base/table.h"
#include "base/units.h"
#include "sim/schedule/times.h"

static int by_finish(const void *a, const void *b)
{
    const struct tan_contestant *x = a, *y = b;
    if (x->simulated != y->simulated) {
        return x->simulated ? -1 : 1;
    }
    return x->finish != y->finish ? (x->finish < y->finish ? -1 : 1)
                                  : strcmp(x->pattern, y->pattern);
}

void tan_contest_sort(struct tan_contest *contest)
{
    qsort(contest->row, (size_t)contest->n, sizeof *contest->row, by_finish);
}

static double slower_by(const struct tan_contest *c, int i)
{
    const double best = (double)c->row[0].finish;
    return best > 0 ? (double)c->row[i].finish / best - 1 : 0;
}

void tan_contest_print(const struct tan_contest *contest, const struct tan_sim_report *common,
                       FILE *to)
{
    static const char *const headings[] = {"<algorithm", "<finish", "slower than the best",
                                           "operations"};
    char size[32];
    fprintf(to, "Collective: %s, %s\n", contest->collective,
            tan_format_size(contest->bytes, size, sizeof size));
    tan_sim_parameters_print(common, to);
    tan_sim_change_print(common, to);
    fputc('\n', to);
    struct tan_table *table = tan_table_create(headings, 4);
    for (int i = 0; i < contest->n; i++) {
        const struct tan_contestant *row = &contest->row[i];
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
    tan_table_destroy(table);
    fprintf(to, "\nThe fastest of these: %s\n", contest->row[0].pattern);
}

json_t *tan_contest_json(const struct tan_contest *contest, const struct tan_sim_report *common)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-collective/1");
    tan_json_set_string(&w, top, "collective", contest->collective);
    tan_json_set_int(&w, top, "bytes", contest->bytes);
    tan_sim_parameters_json(&w, tan_json_set_object(&w, top, "parameters"), common);
    tan_sim_change_json(&w, top, common);
    json_t *rows = tan_json_set_array(&w, top, "algorithms");
    for (int i = 0; i < contest->n; i++) {
        const struct tan_contestant *row = &contest->row[i];
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
