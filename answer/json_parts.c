/* json_parts.c - parts that all JSON answers share
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/json_parts.h"

#include <math.h>

#include "answer/phrases.h"
#include "design/choice/pareto.h"
#include "design/search/limits.h"
#include "model/wave/payload.h"

const char *const tan_direction_names[] = {
    [TAN_UP] = "up", [TAN_DOWN] = "down", [TAN_UP | TAN_DOWN] = "both"};

void tan_report_set_us(struct tan_json_writer *w, json_t *object, const char *key, double seconds)
{
    if (isfinite(seconds)) {
        tan_json_set_us_digits(w, object, key, seconds, TAN_REPORT_DIGITS);
    }
}

/* Parameters given on the command line. */
static void set_given(struct tan_json_writer *w, json_t *object, const struct tan_given *given)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        tan_report_set_us(w, object, tan_param_keys[p], given->value[p]);
    }
    if (given->network.rate > 0.0) {
        tan_json_set_real(w, object, "bandwidth_bytes_per_s", given->network.rate);
        tan_json_set_int(w, object, "up_bytes", given->network.up);
        tan_json_set_int(w, object, "down_bytes", given->network.down);
    }
}

static void set_checked(struct tan_json_writer *w, json_t *object, const struct tan_checks *checks)
{
    tan_json_set_int(w, object, "trees", checks->trees);
    json_t *error = tan_json_set_object(w, object, "mean_abs_error");
    for (int m = 0; m < TAN_CHECK_MODELS; m++) {
        if (!isnan(tan_checks_error(checks, m))) {
            tan_json_set_fixed(w, error, tan_check_models[m], tan_checks_error(checks, m), 6);
        }
    }
}

static void set_machine(struct tan_json_writer *w, json_t *top, const struct tan_basis *from)
{
    json_t *machine = tan_json_set_object(w, top, "machine");
    tan_json_set_string(w, machine, "name", from->machine->name);
    tan_json_set_string(w, machine, "file", from->file);
    if (tan_given_any(from->given)) {
        set_given(w, tan_json_set_object(w, machine, "given"), from->given);
    }
    tan_json_set_string(w, machine, "method", tan_method_name(from->machine->tan.method));
    tan_json_set_bool(w, machine, "oversubscribed", from->machine->oversubscribed);
    tan_json_set_string(w, machine, "network", from->machine->network_real ? "real" : NULL);
    tan_json_set_true(w, machine, "default", from->machine->stand_in);
    tan_json_set_string(w, machine, "simulated", tan_machine_simulated(from->machine));
    if (from->machine->checks.trees > 0) {
        set_checked(w, tan_json_set_object(w, machine, "check"), &from->machine->checks);
    }
    if (from->machine->tan.work > 0.0) {
        tan_report_set_us(w, machine, "work_us", from->machine->tan.work);
    }
    tan_json_set_string(w, machine, "message_model",
                        from->machine->tan.derived ? from->machine->message_model->name : NULL);
}

/* Append to the notes what is assumed of fanout. */
static void add_reading(struct tan_json_writer *w, json_t *top, const struct tan_basis *from)
{
    char text[TAN_SENTENCE];
    struct tan_doubts reading = {.n = 0};
    if (tan_reading_text(from->model, &from->machine->tan, text)) {
        tan_doubts_add(&reading, TAN_NOTE, "fanout-cost", NAN, 1U << TAN_B, "%s", text);
    }
    tan_doubts_set(w, top, "notes", &reading, TAN_NOTE);
    tan_doubts_clear(&reading);
}

json_t *tan_document_begin(struct tan_json_writer *w, const char *schema, int64_t leaves,
                           const struct tan_basis *from)
{
    json_t *top = tan_json_new_object(w);
    if (from->whole) {
        tan_json_set_string(w, top, "schema", schema);
        tan_json_set_count(w, top, "leaves", leaves);
        set_machine(w, top, from);
        tan_json_set_bool(w, top, "trustworthy", tan_doubts_trusted(from->doubts));
        tan_doubts_set(w, top, "doubts", from->doubts, TAN_DOUBT);
        tan_doubts_set(w, top, "notes", from->doubts, TAN_NOTE);
        add_reading(w, top, from);
    }
    return top;
}

void tan_report_set_waves(struct tan_json_writer *w, json_t *top, const struct tan_basis *from)
{
    const struct tan_params *params = &from->machine->tan;
    tan_json_set_string(w, top, "model", from->model->name);
    tan_json_set_string(w, top, "fanout_cost",
                        tan_reading_name(tan_reading_of(from->model, params)));
    tan_report_set_payload(w, top, params);
}

void tan_report_set_payload(struct tan_json_writer *w, json_t *top, const struct tan_params *params)
{
    if (params->payload == NULL) {
        tan_json_set_int(w, top, "bytes", params->bytes);
        return;
    }
    tan_json_set_int(w, top, "bytes", tan_payload_bytes(params->payload));
    tan_json_set_string(w, top, "growth", tan_payload_rule_of(params->payload)->name);
    tan_json_set_string(w, top, "message_model", tan_payload_model_of(params->payload)->name);
}

void tan_report_set_limits(struct tan_json_writer *w, json_t *top, const struct tan_problem *p)
{
    const struct tan_problem *asked = tan_problem_asked(p);
    json_t *limits = tan_json_set_object(w, top, "limits");
    for (const struct tan_limit *limit = tan_limits; limit->key != NULL; limit++) {
        tan_json_set_count(w, limits, limit->key, tan_limit_of(asked, limit));
    }
    tan_json_set_string(w, top, "objective", p->objective != NULL ? p->objective->name : NULL);
}

static void set_moved(struct tan_json_writer *w, json_t *object, const char *key,
                      const struct tan_moved *moved)
{
    json_t *to = tan_json_set_object(w, object, key);
    tan_json_set_string(w, to, "best", moved->best);
    tan_json_set_fixed(w, to, "slower", moved->slower, 6);
}

void tan_report_set_sensitivities(struct tan_json_writer *w, json_t *object,
                                  const struct tan_sensitivity *rows, int n, enum tan_method method)
{
    json_t *list = n > 0 ? tan_json_set_array(w, object, "sensitivity") : NULL;
    for (int i = 0; i < n; i++) {
        const struct tan_interval stays = rows[i].stays;
        json_t *row = tan_json_append_object(w, list);
        tan_json_set_string(w, row, "parameter", tan_param_key(method, rows[i].param));
        tan_report_set_us(w, row, "value_us", rows[i].value);
        tan_json_set_pair(w, row, "stays_best_us", tan_json_us_digits(stays.low, 4),
                          isfinite(stays.high) ? tan_json_us_digits(stays.high, 4) : json_null());
        set_moved(w, row, "half", &rows[i].half);
        set_moved(w, row, "twice", &rows[i].twice);
    }
}
