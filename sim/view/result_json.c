/* result_json.c - results of a simulation as JSON
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jansson's set and append functions take NULL for a value as a failure, so one sum of results
 * tells whether memory was short. */
#include <jansson.h>
#include <math.h>

#include "sim/engine/link_options.h"
#include "sim/schedule/op_text.h"
#include "sim/view/result_report.h"

/* Give up an object when something in it could not be made. */
static json_t *unless(int bad, json_t *object)
{
    if (bad != 0) {
        json_decref(object);
        return NULL;
    }
    return object;
}

/* Whole nanoseconds stay whole numbers. */
static json_t *ns_json(uint64_t ps)
{
    return ps % 1000 == 0 ? json_integer((json_int_t)(ps / 1000)) : json_real((double)ps / 1e3);
}

/* What something took: the clock is no better than microseconds. */
static json_t *wall_json(double seconds)
{
    return json_real(round(seconds * 1e6) / 1e6);
}

/* A finish time of LogGOPSim's: 64 bits. */
static json_t *whole_ns_json(uint64_t ns)
{
    return ns <= INT64_MAX ? json_integer((json_int_t)ns) : json_real((double)ns);
}

static json_t *link_json(const struct tan_link *link)
{
    json_t *object = json_object();
    int bad = json_object_set_new(object, "L_ns", ns_json(link->L));
    bad |= json_object_set_new(object, "o_ns", ns_json(link->o));
    bad |= json_object_set_new(object, "g_ns", ns_json(link->g));
    bad |= json_object_set_new(object, "G_ns_per_byte", json_real(link->G / 1e3));
    bad |= json_object_set_new(object, "O_ns_per_byte", json_real(link->O / 1e3));
    return unless(bad, object);
}

static json_t *parameters_json(const struct tan_sim_report *r)
{
    const struct tan_sim_params *p = r->params;
    json_t *object = json_object();
    int bad = json_object_set_new(object, "model", json_string(r->machine ? "tan" : "loggops"));
    if (r->machine != NULL) {
        bad |= json_object_set_new(object, "machine",
                                   json_pack("{s:s, s:s, s:s}", "name", r->machine->name, "file",
                                             r->machine_file, "method",
                                             tan_method_name(r->machine->tan.method)));
    }
    bad |= json_object_set_new(object, "between", link_json(&p->between));
    bad |= json_object_set_new(object, "within", link_json(&p->within));
    bad |= json_object_set_new(object, "S_bytes", json_integer((json_int_t)p->S));
    bad |= json_object_set_new(object, "handshake", json_string(tan_handshakes[p->handshake]));
    bad |= json_object_set_new(object, "control_ns", ns_json(p->control));
    if (p->growing) {
        bad |= json_object_set_new(object, "growth_ns",
                                   json_pack("[f, f, f]", p->a / 1e3, p->b / 1e3, p->c / 1e3));
    }
    if (p->host_of != NULL) {
        bad |= json_object_set_new(object, "map", json_string(r->map));
    } else if (p->ranks_per_host > 0) {
        bad |= json_object_set_new(object, "ranks_per_host", json_integer(p->ranks_per_host));
    }
    if (p->cores > 0) {
        bad |= json_object_set_new(object, "cores", json_integer(p->cores));
    }
    if (r->noise != NULL) {
        bad |= json_object_set_new(object, "noise", json_string(r->noise));
        bad |= json_object_set_new(object, "seed", json_integer((json_int_t)r->seed));
    }
    return unless(bad, object);
}

static json_t *op_json(const struct tan_schedule *s, uint32_t op)
{
    char text[TAN_OP_TEXT];
    json_t *object = json_object();
    int bad = json_object_set_new(object, "rank", json_integer(tan_schedule_op_rank(s, op)));
    bad |= json_object_set_new(object, "operation", json_string(tan_op_text(s, op, text)));
    if (s->lines != NULL && s->lines[op] > 0) {
        bad |= json_object_set_new(object, "line", json_integer(s->lines[op]));
    }
    return unless(bad, object);
}

/* Append operations to an array. */
static int append_ops(json_t *array, const struct tan_schedule *s, const uint32_t *ops, uint32_t n)
{
    int bad = 0;
    for (uint32_t i = 0; i < n && bad == 0; i++) {
        bad = json_array_append_new(array, op_json(s, ops[i]));
    }
    return bad;
}

static json_t *finishes_json(const struct tan_sim_report *r)
{
    json_t *array = json_array();
    int bad = 0;
    for (uint32_t i = 0; i < r->schedule->ranks && bad == 0; i++) {
        bad = json_array_append_new(array, r->compatible != NULL
                                               ? whole_ns_json(r->compatible->rank_ns[i])
                                               : ns_json(r->simulation->rank_finish[i]));
    }
    return unless(bad, array);
}

json_t *tan_sim_report_json(const struct tan_sim_report *r)
{
    const struct tan_simulation *s = r->simulation;
    json_t *top = json_object();
    json_t *unmatched = json_array();
    json_t *blocked = json_array();
    json_t *circle = json_array();
    int bad = append_ops(unmatched, r->schedule, s->unexpected, s->n_unexpected);
    bad |= append_ops(unmatched, r->schedule, s->unmatched, s->n_unmatched);
    bad |= append_ops(blocked, r->schedule, s->blocked, s->n_blocked);
    for (size_t i = 0; r->stuck != NULL && r->stuck->circle && i < r->stuck->n_steps; i++) {
        bad |= append_ops(circle, r->schedule, &r->stuck->steps[i].op, 1);
    }
    bad |= json_object_set_new(top, "schema", json_string("tan-sim/1"));
    bad |= json_object_set_new(top, "source", json_string(r->source));
    if (r->sweep != NULL) {
        bad |= json_object_set_new(top, "sweep", json_string(r->sweep));
        bad |= json_object_set_new(top, "waves", json_integer(r->waves));
    }
    bad |= json_object_set_new(top, "parameters", parameters_json(r));
    bad |= json_object_set_new(top, "compatible", json_boolean(r->compatible != NULL));
    bad |= json_object_set_new(top, "hosts", json_integer(r->schedule->ranks));
    bad |= json_object_set_new(top, "operations", json_integer(r->schedule->n_ops));
    bad |= json_object_set_new(top, "events", json_integer((json_int_t)s->events));
    bad |= json_object_set_new(top, "ended", json_boolean(r->stuck == NULL));
    if (r->stuck == NULL) {
        bad |= json_object_set_new(top, "finish_ns",
                                   r->compatible != NULL ? whole_ns_json(r->compatible->last_ns)
                                                         : ns_json(s->finish));
        bad |= json_object_set_new(top, "last_host", json_integer(s->last_rank));
    }
    bad |= json_object_set_new(top, "host_finish_ns", finishes_json(r));
    bad |= json_object_set(top, "unmatched", unmatched);
    bad |= json_object_set(top, "blocked", blocked);
    bad |= json_object_set(top, "circle", circle);
    if (r->path != NULL) {
        bad |= json_object_set_new(top, "critical_path",
                                   tan_critical_path_to_json(r->path, r->schedule, TAN_SIM_LISTED));
    }
    bad |= json_object_set_new(top, "read_s", wall_json(r->read_s));
    bad |= json_object_set_new(top, "prepare_s", wall_json(r->prepare_s));
    bad |= json_object_set_new(top, "wall_s", wall_json(r->simulate_s));
    json_decref(unmatched);
    json_decref(blocked);
    json_decref(circle);
    return unless(bad, top);
}
