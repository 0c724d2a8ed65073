/* hosted.c - trees and their placements on hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "answer/answer.h"

#define AT(member) offsetof(struct tan_hosted, member)
static const struct tan_field choice_fields[] = {
    {"topo", "tree", TAN_FIELD_STRING, AT(spec)},
    {"placement", "placement", TAN_FIELD_NAMED, AT(place)},
    {"leaves", NULL, TAN_FIELD_INT32, AT(leaves)},
    {"processes", "processes", TAN_FIELD_INT32, AT(processes)},
    {"height", "height", TAN_FIELD_INT32, AT(height)},
    {"hosts", "hosts", TAN_FIELD_INT32, AT(hosts)},
    {"racks", "racks", TAN_FIELD_KNOWN, AT(racks)},
    {"wave_us", "wave", TAN_FIELD_TIME, AT(wave)},
    {"slower", "slower", TAN_FIELD_SHARE, AT(slower)},
    {"ci95", "95 %", TAN_FIELD_INTERVAL, AT(ci95)},
    {"tied", NULL, TAN_FIELD_FLAG, AT(tied)},
    TAN_FIELDS_END,
};
#undef AT

static void say_first(struct tan_json_writer *w, json_t *answer,
                      const struct tan_hosted_problem *problem, const struct tan_hosted_design *d)
{
    const struct tan_room *room = &problem->room;
    const int32_t racks = room->racks.n;
    const struct tan_hosted *best = &d->choices[0];
    tan_reply_say(
        w, answer, TAN_PART_FIRST,
        "The best %s %" PRId32 " %s on %" PRId32 " host%s%s of %" PRId32
        " process%s %s, placement %s: %s a wave, %" PRId32 " processes on %" PRId32 " host%s.",
        problem->specs == NULL ? "tree found for" : "of these trees with", best->leaves,
        tan_leaves_text(best->leaves), room->hosts, tan_plural(room->hosts),
        racks > 0 ? tan_printed(" in %" PRId32 " rack%s", racks, tan_plural(racks)).text : "",
        room->per_host, room->per_host == 1 ? "" : "es",
        best->parents != NULL ? "has uneven levels" : tan_printed("is %s", best->spec).text,
        best->place->name, tan_time_text(best->wave).text, best->processes, best->hosts,
        tan_plural(best->hosts));
    const size_t even = tan_hosted_first(d, best->place, true);
    if (best->parents != NULL && even < d->n_choices) {
        const struct tan_hosted *c = &d->choices[even];
        tan_reply_say(w, answer, TAN_PART_FIRST,
                      "The best of even levels there, %s, takes %s (%s).", c->spec,
                      tan_time_like(c->wave, best->wave).text,
                      tan_slower_text(c->wave / best->wave - 1.0).text);
    }
}

static void say_next(struct tan_json_writer *w, json_t *answer,
                     const struct tan_hosted_problem *problem, const struct tan_hosted *best,
                     const struct tan_basis *from)
{
    const struct tan_room *room = &problem->room;
    const bool even = best->parents == NULL;
    const int64_t ranks = (int64_t)room->hosts * room->per_host;
    char *platform = tan_answer_platform(w, from);
    const bool simulated = platform != NULL && *platform != '\0';
    tan_reply_say(
        w, answer, TAN_PART_NEXT,
        "Next: %s--map FILE writes where each process runs; tanbench%s --topo %s --map FILE%s "
        "measures it%s.",
        even ? "" : "-o tree.json writes the tree, ", simulated ? platform : "",
        even ? best->spec : "file:tree.json",
        simulated
            ? tan_printed(" --ranks %" PRId64 " --ranks-per-host %" PRId32, ranks, room->per_host)
                  .text
            : "",
        simulated ? ""
                  : tan_printed(" in a job of %" PRId64 " ranks, %" PRId32 " on each host", ranks,
                                room->per_host)
                        .text);
    free(platform);
}

/* The recommended one, the best of each kind in each placement, and the fastest. */
static void say_choices(struct tan_json_writer *w, json_t *answer,
                        const struct tan_hosted_design *d)
{
    struct tan_answer_rows rows = {.n = 0};
    for (size_t i = 0; i < d->n_choices; i++) {
        const struct tan_hosted *c = &d->choices[i];
        struct tan_answer_row *row = c->weighed ? tan_answer_row(&rows, c->wave) : NULL;
        if (row == NULL) {
            continue;
        }
        row->rank = i == 0 ? 0 : c->first ? (int64_t)rows.n : (int64_t)rows.n + TAN_REPLY_ROWS;
        snprintf(row->name, sizeof row->name, "%.64s", tan_short_spec(c->spec, 26).text);
        snprintf(row->placement, sizeof row->placement, "%s", c->place->name);
        row->processes = c->processes;
        row->hosts = c->hosts;
        if (c->wave < d->choices[0].wave && !d->choices[0].tied) { /* or links may be shared */
            tan_answer_note(row, "faster");
        } else if (c->tied && i > 0) {
            tan_answer_note(row, "ties");
        }
    }
    tan_answer_against(&rows, 0);
    for (size_t i = 1; i < rows.n; i++) {
        rows.row[i].slower = rows.row[i].slower < 0.0 ? NAN : rows.row[i].slower;
    }
    tan_answer_table(w, answer, &rows, "name placement wave_us slower processes hosts note");
}

static void set_hosted(struct tan_json_writer *w, json_t *top,
                       const struct tan_hosted_problem *problem, const struct tan_hosted_design *d,
                       const struct tan_basis *from)
{
    tan_json_set_string(w, top, "model", from->model->name);
    tan_report_set_payload(w, top, &from->machine->tan);
    tan_json_set_int(w, top, "hosts", problem->room.hosts);
    tan_json_set_int(w, top, "ranks_per_host", problem->room.per_host);
    tan_json_set_count(w, top, "racks", problem->room.racks.n);
    json_t *choices = tan_json_set_array(w, top, "choices");
    for (size_t i = 0; i < d->n_choices; i++) {
        tan_fields_set(w, tan_json_append_object(w, choices), choice_fields, &d->choices[i]);
    }
}

json_t *tan_answer_hosted(const struct tan_hosted_problem *problem,
                          const struct tan_hosted_design *d, const struct tan_basis *from)
{
    struct tan_json_writer w = {false};
    const struct tan_hosted *best = &d->choices[0];
    json_t *document = tan_document_begin(&w, "tan-hosted/1", 0, from);
    if (from->whole) {
        set_hosted(&w, document, problem, d, from);
    }
    json_t *answer = tan_answer_begin(&w, document, from);
    say_first(&w, answer, problem, d);
    say_choices(&w, answer, d);
    if (tan_is_wide(best->ci95)) {
        tan_reply_say(&w, answer, TAN_PART_SURE, "95 %% of the draws of the parameters: %s.",
                      tan_interval_text(best->ci95).text);
    } else {
        tan_reply_say(&w, answer, TAN_PART_SURE,
                      "How sure this is, is not known: the parameters have no error bars.");
    }
    tan_reply_say(&w, answer, TAN_PART_REMARKS, "placement %s: %s.%s", best->place->name,
                  best->place->help,
                  best->slower > TAN_SEARCH_EQUAL && !best->tied
                      ? " Others are faster by no more than the model may err."
                      : "");
    json_t *rows =
        tan_fields_table(&w, tan_reply_detail(&w, answer, "All of them"), choice_fields,
                         "topo placement processes height hosts racks wave_us slower ci95");
    for (size_t i = 0; i < d->n_choices; i++) {
        tan_fields_row(&w, rows, choice_fields, &d->choices[i]);
    }
    say_next(&w, answer, problem, best, from);
    return tan_json_finish(&w, document);
}
