/* report_hosted.c - trees and their placements on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "base/table.h"
#include "base/text.h"
#include "design/report/phrases.h"
#include "design/report/report.h"

enum { SPEC_WIDTH = 26 };

/* Columns that are there in some tables only. */
struct columns {
    bool racks, bars;
};

static void print_row(struct tan_table *table, const struct tan_hosted *c, struct columns columns)
{
    char text[TAN_CELL];
    char spec[TAN_NAME];
    tan_table_cell(table, "%s", tan_short_spec(c->spec, SPEC_WIDTH, spec));
    tan_table_cell(table, "%s", c->place->name);
    tan_table_cell(table, "%" PRId32, c->processes);
    tan_table_cell(table, "%" PRId32, c->hosts);
    if (columns.racks) {
        tan_table_cell(table, "%" PRId32, c->racks);
    }
    tan_table_cell(table, "%s", tan_exact_text(c->wave, text));
    tan_table_cell(table, "%s", tan_slower_text(c->slower, c->tied, text));
    if (columns.bars) {
        tan_table_cell(table, "%s",
                       c->ci95.low <= c->ci95.high ? tan_interval_text(c->ci95, text) : "");
    }
}

static void print_choices(const struct tan_hosted_design *d, FILE *to)
{
    const struct tan_hosted *best = &d->choices[0];
    const struct columns columns = {best->racks > 0, best->ci95.low <= best->ci95.high};
    const char *headings[8] = {"<tree", "<placement", "processes", "hosts"};
    int n = 4;
    if (columns.racks) {
        headings[n++] = "racks";
    }
    headings[n++] = "wave";
    headings[n++] = "slower";
    if (columns.bars) {
        headings[n++] = "95 %";
    }
    struct tan_table *table = tan_table_create(headings, n);
    for (size_t i = 0; i < d->n_choices; i++) {
        if (tan_hosted_weighed(d, i)) {
            print_row(table, &d->choices[i], columns);
        }
    }
    tan_table_print(table, to);
    tan_table_destroy(table);
}

/* Each placement that is in the table. */
static void print_places(const struct tan_hosted_design *d, FILE *to)
{
    fputs("\nPlacements:\n", to);
    for (const struct tan_place *p = tan_places; p->name != NULL; p++) {
        for (size_t i = 0; i < d->n_choices; i++) {
            if (d->choices[i].place == p) {
                tan_text_item(to, p->name, p->help, 11);
                break;
            }
        }
    }
}

/* " in 2 racks", "" where racks are not known; returns `text`. */
static const char *racks_text(int32_t racks, char text[TAN_CELL])
{
    text[0] = '\0';
    if (racks > 0) {
        snprintf(text, TAN_CELL, " in %" PRId32 " rack%s", racks, tan_plural(racks));
    }
    return text;
}

void tan_report_hosted(const struct tan_hosted_problem *problem, const struct tan_hosted_design *d,
                       FILE *to)
{
    const struct tan_hosted *best = &d->choices[0];
    char wave[TAN_CELL];
    char racks[TAN_CELL];
    char text[TAN_SENTENCE];
    snprintf(text, sizeof text,
             "The best %s %" PRId32 " %s on %" PRId32 " host%s%s with %" PRId32
             " processes each: %.280s, placement %s",
             problem->specs == NULL ? "tree for" : "of these trees with", best->leaves,
             tan_leaves_text(best->leaves), problem->room.hosts, tan_plural(problem->room.hosts),
             racks_text(problem->room.racks, racks), problem->room.per_host, best->spec,
             best->place->name);
    fputs("\n", to);
    tan_text_wrap(to, text, 0, 0);
    fprintf(to, "  wave       %s\n  processes  %" PRId32 " on %" PRId32 " host%s%s\n\n",
            tan_exact_text(best->wave, wave), best->processes, best->hosts, tan_plural(best->hosts),
            racks_text(best->racks, racks));
    print_choices(d, to);
    print_places(d, to);
    snprintf(text, sizeof text,
             "--map FILE writes where each process of the first one runs; tanbench --topo %.280s "
             "--map FILE then measures it in a job of %" PRId64 " ranks, %" PRId32 " on each host.",
             best->spec, (int64_t)problem->room.hosts * problem->room.per_host,
             problem->room.per_host);
    fputs("\n", to);
    tan_text_wrap(to, text, 0, 0);
}
