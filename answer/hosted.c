/* hosted.c - trees and their placements on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "answer/answer.h"
#include "answer/fields.h"
#include "answer/figures_json.h"
#include "answer/json_parts.h"
#include "answer/phrases.h"
#include "base/text.h"

#define AT(member) offsetof(struct tan_hosted, member)
static const struct tan_field choice_fields[] = {
    {"topo", "<tree", TAN_FIELD_STRING, AT(spec)},
    {"placement", "<placement", TAN_FIELD_NAMED, AT(place)},
    {"leaves", NULL, TAN_FIELD_INT32, AT(leaves)},
    {"processes", "processes", TAN_FIELD_INT32, AT(processes)},
    {"height", NULL, TAN_FIELD_INT32, AT(height)},
    {"hosts", "hosts", TAN_FIELD_INT32, AT(hosts)},
    {"racks", "racks", TAN_FIELD_KNOWN, AT(racks)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"slower", "slower", TAN_FIELD_SHARE, AT(slower)},
    {"ci95", "95 %", TAN_FIELD_INTERVAL, AT(ci95)},
    TAN_FIELDS_END,
};

static void print_choices(const struct tan_hosted_design *d, FILE *to)
{
    enum { SPEC_WIDTH = 26 };
    struct tan_listing table = tan_listing_create(
        choice_fields, "topo= placement processes hosts racks wave_us slower= ci95");
    for (size_t i = 0; i < d->n_choices; i++) {
        const struct tan_hosted *c = &d->choices[i];
        char spec[TAN_NAME];
        char slower[TAN_CELL];
        const char *const cells[] = {tan_short_spec(c->spec, SPEC_WIDTH, spec),
                                     tan_slower_text(c->slower, c->tied, slower)};
        if (tan_hosted_weighed(d, i)) {
            tan_listing_add(&table, c, cells);
        }
    }
    tan_listing_print(&table, to);
}

/* Describe each placement in the table. */
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

/* " in 2 racks", or "" if racks are unknown; returns `text`. */
static const char *racks_text(int64_t racks, char text[TAN_CELL])
{
    text[0] = '\0';
    if (racks > 0) {
        snprintf(text, TAN_CELL, " in %" PRId64 " rack%s", racks, tan_plural(racks));
    }
    return text;
}

void tan_report_hosted(const struct tan_hosted_problem *problem, const struct tan_hosted_design *d,
                       FILE *to)
{
    const struct tan_hosted *best = &d->choices[0];
    char wave[TAN_CELL];
    char racks[TAN_CELL];
    tan_text_say(to,
                 "\nThe best %s %" PRId32 " %s on %" PRId32 " host%s%s with %" PRId32
                 " process%s each: %.280s, placement %s",
                 problem->specs == NULL ? "tree for" : "of these trees with", best->leaves,
                 tan_leaves_text(best->leaves), problem->room.hosts,
                 tan_plural(problem->room.hosts), racks_text(problem->room.racks.n, racks),
                 problem->room.per_host, problem->room.per_host == 1 ? "" : "es", best->spec,
                 best->place->name);
    fprintf(to, "  wave       %s\n  processes  %" PRId32 " on %" PRId32 " host%s%s\n\n",
            tan_exact_text(best->wave, wave), best->processes, best->hosts, tan_plural(best->hosts),
            racks_text(best->racks, racks));
    print_choices(d, to);
    print_places(d, to);
    tan_text_say(
        to,
        "\n--map FILE writes where each process of the first one runs; tanbench --topo %.280s "
        "--map FILE then measures it in a job of %" PRId64 " ranks, %" PRId32 " on each host.",
        best->spec, (int64_t)problem->room.hosts * problem->room.per_host, problem->room.per_host);
}

json_t *tan_hosted_to_json(const struct tan_hosted_problem *problem,
                           const struct tan_hosted_design *d, const struct tan_provenance *from,
                           const struct tan_doubts *doubts)
{
    struct tan_json_writer w = {false};
    json_t *top = tan_report_begin(&w, "tan-hosted/1", 0, problem->tree.model, from, doubts);
    tan_json_set_string(&w, top, "model", problem->tree.model->name);
    tan_report_set_payload(&w, top, &from->machine->tan);
    tan_json_set_int(&w, top, "hosts", problem->room.hosts);
    tan_json_set_int(&w, top, "ranks_per_host", problem->room.per_host);
    tan_json_set_count(&w, top, "racks", problem->room.racks.n);
    json_t *choices = tan_json_set_array(&w, top, "choices");
    for (size_t i = 0; i < d->n_choices; i++) {
        const struct tan_hosted *c = &d->choices[i];
        json_t *choice = tan_json_append_object(&w, choices);
        tan_fields_set(&w, choice, choice_fields, c);
        if (tan_interval_known(c->ci95)) {
            tan_json_set_bool(&w, choice, "tied", c->tied);
        }
    }
    tan_figures_set_hosted(&w, top, problem, &d->choices[0]);
    return tan_json_finish(&w, top);
}
