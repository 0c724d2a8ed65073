/* sim_screen.c - one screen of the report on a trace, or of --sensitivity
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_run.h"

#include "base/json.h"
#include "base/reply.h"

static void add_column(struct tan_json_writer *w, json_t *answer, const char *key,
                       const char *label, const char *kind)
{
    json_t *column = tan_json_append_object(w, json_object_get(answer, "columns"));
    tan_json_set_string(w, column, "key", key);
    tan_json_set_string(w, column, "label", label);
    tan_json_set_string(w, column, "kind", kind);
}

/* The longest calls. */
static void set_calls(struct tan_json_writer *w, const json_t *document, json_t *answer)
{
    enum { LISTED = 5 };
    const json_t *calls = json_object_get(json_object_get(document, "program"), "calls");
    const bool set = json_object_get(document, "change") != NULL;
    add_column(w, answer, "name", "in all ranks", "text");
    add_column(w, answer, "calls", "calls", "number");
    add_column(w, answer, "traced_us", "traced", "us");
    add_column(w, answer, "unchanged_us", "simulated", "us");
    add_column(w, answer, "simulated_us", set ? "with --set" : "simulated", "us");
    for (size_t i = 0; i < json_array_size(calls) && i < LISTED; i++) {
        tan_json_append(w, json_object_get(answer, "rows"), json_incref(json_array_get(calls, i)));
    }
}

/* With how much more of each cost the run is so much longer. */
static void set_tolerances(struct tan_json_writer *w, const struct run *r, json_t *answer)
{
    json_t *rows = json_object_get(answer, "rows");
    json_object_del(answer, tan_part_keys[TAN_PART_REMARKS]); /* say the same */
    add_column(w, answer, "cost", "more of", "text");
    for (int i = 0; i < TAN_TOLERANCES; i++) {
        char key[8], label[32];
        snprintf(key, sizeof key, "%d", i);
        snprintf(label, sizeof label, "%g %% longer", 100.0 * r->response[0].tolerance[i].share);
        add_column(w, answer, key, label, "number");
    }
    add_column(w, answer, "path", "on the critical path", "number");
    for (size_t i = 0; i < r->c->n_sensitivity; i++) {
        tan_response_row(w, tan_json_append_object(w, rows), &r->response[i]);
    }
    if (r->c->settings.n > 0) {
        tan_reply_say(w, answer, TAN_PART_REMARKS, "More than with --set.");
    }
}

void run_print_screen(const struct run *r, FILE *to)
{
    json_t *document = run_document(r);
    json_t *answer = json_object_get(document, "answer");
    json_t *first = json_object_get(answer, tan_part_keys[TAN_PART_FIRST]);
    struct tan_json_writer w = {.failed = answer == NULL};
    const double traced = r->report.change.traced;
    if (run_has_traced(r) && r->c->settings.n == 0 && traced > 0.0) {
        const double simulated = (double)r->simulation.finish / 1e12;
        char text[2][TAN_REPLY_TEXT];
        json_array_clear(first);
        tan_reply_say(&w, answer, TAN_PART_FIRST,
                      "The program took %s when it was traced, and takes %s in the simulation "
                      "(%+.1f %%).",
                      tan_reply_time(traced, text[0]),
                      tan_reply_time_like(simulated, traced, text[1]),
                      100.0 * (simulated / traced - 1.0));
    }
    json_array_remove(first, 1); /* the finish after a change */
    tan_json_set_array(&w, answer, "columns");
    tan_json_set_array(&w, answer, "rows");
    if (r->c->n_sensitivity > 0) {
        set_tolerances(&w, r, answer);
    } else {
        set_calls(&w, document, answer);
    }
    tan_reply_say(&w, answer, TAN_PART_NEXT, "Next: --details prints all of the report.");
    tan_reply_print(answer, false, to);
    json_decref(document);
}
