/* result_json.c - results of a simulation as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "base/json.h"
#include "sim/engine/link_options.h"
#include "sim/schedule/times.h"
#include "sim/view/result_report.h"

/* Whole nanoseconds are written as integers. */
static json_t *ns_json(uint64_t ps)
{
    return ps % 1000 == 0 ? json_integer((json_int_t)(ps / 1000)) : json_real((double)ps / 1e3);
}

/* LogGOPSim's finish times are unsigned: those beyond JSON's signed integers are reals. */
static json_t *whole_ns_json(uint64_t ns)
{
    return ns <= INT64_MAX ? json_integer((json_int_t)ns) : json_real((double)ns);
}

static void set_link(struct tan_json_writer *w, json_t *object, const struct tan_link *link)
{
    tan_json_set(w, object, "L_ns", ns_json(link->L));
    tan_json_set(w, object, "o_ns", ns_json(link->o));
    if (link->o_more != 0) {
        tan_json_set(w, object, "o_r_ns", ns_json(tan_link_o_r(link)));
    }
    tan_json_set(w, object, "g_ns", ns_json(link->g));
    tan_json_set_real(w, object, "G_ns_per_byte", link->G / 1e3);
    tan_json_set_real(w, object, "O_ns_per_byte", link->O / 1e3);
}

static void set_machine(struct tan_json_writer *w, json_t *object, const struct tan_sim_report *r)
{
    tan_json_set_string(w, object, "name", r->machine->name);
    tan_json_set_string(w, object, "file", r->machine_file);
    if (r->model == NULL) {
        tan_json_set_string(w, object, "method", tan_method_name(r->machine->tan.method));
    }
    tan_json_set_string(w, object, "simulated", tan_machine_simulated(r->machine));
    tan_json_set_true(w, object, "default", r->machine->stand_in);
}

static void append_sizes(struct tan_json_writer *w, json_t *array, const struct tan_sim_params *p)
{
    for (size_t i = 0; i < p->n_sizes && !w->failed; i++) {
        json_t *object = tan_json_append_object(w, array);
        tan_json_set_int(w, object, "bytes", (json_int_t)p->sizes[i].bytes);
        set_link(w, object, &p->sizes[i].link);
        if (!tan_link_equal(&p->sizes[i].within, &p->sizes[i].link)) {
            set_link(w, tan_json_set_object(w, object, "within"), &p->sizes[i].within);
        }
    }
}

/* Texts of the doubts, or of the notes. */
static void set_doubts(struct tan_json_writer *w, json_t *object, const char *key,
                       const struct tan_doubts *doubts, enum tan_severity severity)
{
    json_t *texts = NULL;
    for (size_t i = 0; i < doubts->n; i++) {
        if (doubts->row[i].severity == severity) {
            texts = texts != NULL ? texts : tan_json_set_array(w, object, key);
            tan_json_append(w, texts, json_string(doubts->row[i].text));
        }
    }
}

void tan_sim_parameters_json(struct tan_json_writer *w, json_t *object,
                             const struct tan_sim_report *r)
{
    const struct tan_sim_params *p = r->params;
    tan_json_set_string(w, object, "model", r->model == NULL ? "tan" : r->model->name);
    if (r->machine != NULL) {
        set_machine(w, tan_json_set_object(w, object, "machine"), r);
    }
    tan_json_set_count(w, object, "bytes", (json_int_t)r->bytes);
    set_link(w, tan_json_set_object(w, object, "between"), &p->between);
    set_link(w, tan_json_set_object(w, object, "within"), &p->within);
    set_doubts(w, object, "doubts", r->doubts, TAN_DOUBT);
    set_doubts(w, object, "notes", r->doubts, TAN_NOTE);
    if (p->n_sizes > 0) {
        append_sizes(w, tan_json_set_array(w, object, "sizes"), p);
    }
    tan_json_set_int(w, object, "S_bytes", (json_int_t)p->S);
    tan_json_set_string(w, object, "handshake", tan_handshakes[p->handshake]);
    tan_json_set(w, object, "control_ns", ns_json(p->control));
    if (p->host_of != NULL) {
        tan_json_set_string(w, object, "map", r->map);
    } else {
        tan_json_set_count(w, object, "ranks_per_host", p->ranks_per_host);
    }
    if (r->noise.spec != NULL) {
        tan_json_set_string(w, object, "noise", r->noise.spec);
        tan_json_set_int(w, object, "seed", (json_int_t)r->noise.seed);
    }
}

static void append_ops(struct tan_json_writer *w, json_t *array, const struct tan_schedule *s,
                       const uint32_t *ops, uint32_t n)
{
    for (uint32_t i = 0; i < n && !w->failed; i++) {
        json_t *object = tan_json_append_object(w, array);
        tan_json_set_int(w, object, "rank", tan_schedule_op_rank(s, ops[i]));
        tan_json_set_string(w, object, "operation", tan_op_text(s, ops[i]).text);
        tan_json_set_count(w, object, "line", s->lines != NULL ? s->lines[ops[i]] : 0);
    }
}

/* Operations that did not finish. */
static void set_stuck(struct tan_json_writer *w, json_t *top, const struct tan_sim_report *r)
{
    const struct tan_simulation *s = r->simulation;
    json_t *unmatched = tan_json_set_array(w, top, "unmatched");
    append_ops(w, unmatched, r->schedule, s->unexpected, s->n_unexpected);
    append_ops(w, unmatched, r->schedule, s->unmatched, s->n_unmatched);
    json_t *blocked = tan_json_set_array(w, top, "blocked");
    append_ops(w, blocked, r->schedule, s->blocked, s->n_blocked);
    json_t *circle = tan_json_set_array(w, top, "circle");
    for (size_t i = 0; r->stuck != NULL && r->stuck->circle && i < r->stuck->n_steps; i++) {
        append_ops(w, circle, r->schedule, &r->stuck->steps[i].op, 1);
    }
}

void tan_sim_change_json(struct tan_json_writer *w, json_t *top, const struct tan_sim_report *r)
{
    enum { DECIMALS = 6 };
    const struct tan_sim_change *c = &r->change;
    if (c->n == 0) {
        return;
    }
    json_t *change = tan_json_set_object(w, top, "change");
    json_t *settings = tan_json_set_array(w, change, "settings");
    for (size_t i = 0; i < c->n; i++) {
        tan_json_append(w, settings, json_string(c->settings[i]));
    }
    set_link(w, tan_json_set_object(w, change, "between"), &c->between);
    if (!isnan(tan_sim_change_factor(r))) {
        tan_json_set_fixed(w, change, "unchanged_ns", c->unchanged * 1e9, 3);
        tan_json_set_fixed(w, change, "factor", tan_sim_change_factor(r), DECIMALS);
    }
    if (!isnan(c->least)) {
        tan_json_set_fixed(w, change, "least_factor", c->least, DECIMALS);
        tan_json_set_fixed(w, change, "most_factor", c->most, DECIMALS);
    }
    if (c->traced > 0.0) {
        tan_json_set_fixed(w, change, "traced_ns", c->traced * 1e9, 3);
        tan_json_set_fixed(w, change, "error", c->unchanged / c->traced - 1.0, DECIMALS);
    }
    if (!isnan(tan_sim_change_traced_factor(r))) {
        tan_json_set_fixed(w, change, "factor_from_traced", tan_sim_change_traced_factor(r),
                           DECIMALS);
    }
}

json_t *tan_sim_report_json(const struct tan_sim_report *r)
{
    enum { WALL_DECIMALS = 6 }; /* the clock has no better resolution than microseconds */
    const struct tan_simulation *s = r->simulation;
    struct tan_json_writer w = {false};
    json_t *top = tan_json_new_object(&w);
    tan_json_set_string(&w, top, "schema", "tan-sim/1");
    tan_sim_finish_say(&w, tan_sim_answer(&w, top, r), r);
    tan_json_set_string(&w, top, "source", r->source);
    tan_json_set_string(&w, top, "sweep", r->sweep);
    tan_sim_parameters_json(&w, tan_json_set_object(&w, top, "parameters"), r);
    tan_json_set_bool(&w, top, "compatible", r->compatible != NULL);
    tan_json_set_int(&w, top, "hosts", r->schedule->ranks);
    tan_json_set_int(&w, top, "operations", r->schedule->n_ops);
    tan_json_set_int(&w, top, "events", (json_int_t)s->events);
    tan_json_set_bool(&w, top, "ended", r->stuck == NULL);
    if (r->stuck == NULL) {
        tan_json_set(&w, top, "finish_ns",
                     r->compatible != NULL ? whole_ns_json(r->compatible->last_ns)
                                           : ns_json(s->finish));
        tan_json_set_int(&w, top, "last_host", s->last_rank);
    }
    tan_sim_change_json(&w, top, r);
    json_t *finishes = tan_json_set_array(&w, top, "host_finish_ns");
    for (uint32_t i = 0; i < r->schedule->ranks && !w.failed; i++) {
        tan_json_append(&w, finishes,
                        r->compatible != NULL ? whole_ns_json(r->compatible->rank_ns[i])
                                              : ns_json(s->rank_finish[i]));
    }
    set_stuck(&w, top, r);
    if (r->path != NULL) {
        tan_critical_path_json(&w, tan_json_set_object(&w, top, "critical_path"), r->path,
                               r->schedule, TAN_SIM_LISTED);
    }
    tan_json_set_fixed(&w, top, "read_s", r->seconds.read, WALL_DECIMALS);
    tan_json_set_fixed(&w, top, "prepare_s", r->seconds.prepare, WALL_DECIMALS);
    tan_json_set_fixed(&w, top, "wall_s", r->seconds.simulate, WALL_DECIMALS);
    return tan_json_finish(&w, top);
}
