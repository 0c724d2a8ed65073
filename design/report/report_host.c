/* report_host.c - a recommendation for processes that share cores
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "design/report/phrases.h"

void tan_report_host(const struct tan_machine *machine, FILE *to)
{
    fprintf(to,
            "Model: %s, all processes on one host with %" PRId64
            " core%s, which does nothing else\n",
            TAN_HOST_MODEL, machine->cores_per_host, tan_plural(machine->cores_per_host));
}

static void print_host_best(const struct tan_host_design *d, FILE *to)
{
    const struct tan_host_tree *best = &d->choices[0];
    const struct tan_plan *plan = &best->plan;
    char text[TAN_SENTENCE];
    fprintf(to, "\n%s on this host: %s\n\n", tan_problem_text(&d->problem, text, sizeof text),
            best->spec);
    fprintf(to, "  wave       %s, half a round trip\n", tan_exact_text(best->wave, text));
    fprintf(to, "  height     %d\n", plan->height);
    fprintf(to, "  processes  %" PRId64 ": the root, %" PRId64 " internal, %" PRId64 " %s\n",
            plan->processes, plan->internal, plan->leaves, tan_leaves_text(plan->leaves));
    fprintf(to, "  measure    tanbench --topo %s\n", best->spec);
}

static void print_host_choices(const struct tan_host_design *d, int listed, FILE *to)
{
    static const char *const headings[] = {
        "", "<tree", "height", "internal", "processes", "wave", "slower than\nthe best"};
    struct tan_table *table = tan_table_create(headings, 7);
    char text[TAN_CELL];
    int n = 0;
    for (; n < listed && (size_t)n < d->n_choices; n++) {
        const struct tan_host_tree *c = &d->choices[n];
        const bool tied = c->tied && d->n_tied > 1;
        tan_table_cell(table, "%d", n + 1);
        tan_table_cell(table, "%s", c->spec);
        tan_table_cell(table, "%d", c->plan.height);
        tan_table_cell(table, "%" PRId64, c->plan.internal);
        tan_table_cell(table, "%" PRId64, c->plan.processes);
        tan_table_cell(table, "%s", tan_exact_text(c->wave, text));
        tan_table_cell(table, "%s",
                       c->tied && !tied ? "best" : tan_slower_text(c->slower, tied, text));
    }
    if (n > 1) {
        fprintf(to, "\nThe %d best trees\n\n", n);
        tan_table_print(table, to);
    }
    tan_table_destroy(table);
}

static void print_host_ties(const struct tan_host_design *d, FILE *to)
{
    char text[TAN_SENTENCE];
    int n =
        snprintf(text, sizeof text, "Simulated: %zu trees, all level-uniform ones", d->n_choices);
    if (d->height > 0) {
        n += snprintf(text + n, sizeof text - (size_t)n,
                      " with up to %" PRId64 " levels, the best ones of model %s", d->height,
                      d->problem.model->name);
    }
    n += snprintf(text + n, sizeof text - (size_t)n,
                  " and those of rules of thumb. Waves that differ by up to %.0f %% tie",
                  100 * d->tie);
    n += d->machine->host.error > 0
             ? snprintf(text + n, sizeof text - (size_t)n,
                        ": the simulation misses the trees that it was fitted to by %.0f %% on "
                        "average.",
                        100 * d->machine->host.error)
             : snprintf(text + n, sizeof text - (size_t)n, ".");
    if (d->n_tied > 1) {
        snprintf(text + n, sizeof text - (size_t)n,
                 " %zu trees tie with the fastest, %s; the one with the fewest processes is "
                 "recommended.",
                 d->n_tied, d->choices[d->fastest].spec);
    }
    fputc('\n', to);
    tan_text_wrap(to, text, 0, 0);
}

static void print_host_rules(const struct tan_host_design *d, FILE *to)
{
    static const char *const headings[] = {
        "<rule", "<tree", "height", "processes", "wave", "slower than\nthe best", "<limits"};
    const struct tan_problem *p = &d->problem;
    const bool limited = p->max_fanout > 0 || p->max_height > 0 || p->max_processes > 0;
    struct tan_table *table = tan_table_create(headings, limited ? 7 : 6);
    char text[TAN_CELL];
    for (size_t i = 0; i < d->n_rules; i++) {
        const struct tan_host_tree *t = &d->rules[i];
        tan_table_cell(table, "%s", t->rule);
        tan_table_cell(table, "%s", t->spec);
        tan_table_cell(table, "%d", t->plan.height);
        tan_table_cell(table, "%" PRId64, t->plan.processes);
        tan_table_cell(table, "%s", tan_exact_text(t->wave, text));
        tan_table_cell(table, "%s", tan_slower_text(t->slower, t->tied && d->n_tied > 1, text));
        if (limited) {
            tan_table_cell(table, "%s", t->within_limits ? "kept" : "broken");
        }
    }
    fputs("\nWhat rules of thumb build for as many leaves\n\n", to);
    tan_table_print(table, to);
    tan_table_destroy(table);
}

void tan_report_host_design(const struct tan_host_design *d, int listed, FILE *to)
{
    print_host_best(d, to);
    print_host_choices(d, listed, to);
    print_host_ties(d, to);
    print_host_rules(d, to);
}
