/* predict.c - what the models say of a measured cell, with the payloads that its waves carry
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/results/predict.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/wave/payload.h"
#include "sim/host/host_load.h"

/* How answers grow on their way up; requests never do. */
static const struct tan_payload_rule *rule_of(const struct settings *s)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    return strcmp(s->filter, "concat") == 0 ? tan_payload_rule_find("concat", &ignored)
                                            : &tan_payload_rules[0];
}

static bool as_measured(const struct tan_machine *m, int64_t bytes,
                        const struct tan_payload_rule *rule)
{
    return bytes == m->tan.bytes && rule == &tan_payload_rules[0];
}

/* What a parent does with a byte of its children's answers, seconds. */
static double work_of(const struct settings *s)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    if (emulation_on(&s->emulation)) {
        return 0.0; /* the machine played has its own */
    }
    const struct filter *filter = tan_filter_find(s->filter, &ignored);
    return filter != NULL ? tan_filter_speed(filter, s->element) : 0.0;
}

/* NULL: messages are as measured, or nothing is known of others. */
static struct tan_payload *payload_of(const struct tan_machine *m, int64_t bytes,
                                      const struct tan_payload_rule *rule, double work)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_payload *payload =
        m->messages == NULL || as_measured(m, bytes, rule)
            ? NULL
            : tan_payload_create(m->messages, m->tan.bytes, bytes, rule, "", &ignored);
    if (payload != NULL) {
        tan_payload_set_work(payload, work);
    }
    return payload;
}

static double period(const struct tan_model *model, const struct tan_params *params,
                     const struct tan_tree *tree)
{
    struct tan_prediction p;
    struct tan_error ignored = TAN_ERROR_INIT;
    double seconds = NAN;
    if (tan_predict(model, params, tree, &p, &ignored) == 0) {
        seconds = p.period;
        tan_prediction_clear(&p);
    }
    return seconds;
}

/* A time of the cell's tree whose leaves (or root) send `bytes`, with which parents do `work`. */
static double time_of(double (*time)(const struct tan_model *, const struct tan_params *,
                                     const struct tan_tree *),
                      const struct results *r, const struct result *result, int model,
                      int64_t bytes, const struct tan_payload_rule *rule, double work)
{
    if (r->machine == NULL || result->tree == NULL) {
        return NAN;
    }
    struct tan_payload *payload = payload_of(r->machine, bytes, rule, work);
    struct tan_params params = r->machine->tan;
    params.payload = payload;
    const double seconds = time(&tan_models[model], &params, result->tree);
    tan_payload_destroy(payload);
    return seconds;
}

double tan_predict_up(const struct results *r, const struct result *result, int model)
{
    const struct settings *s = &r->plan->settings;
    return time_of(tan_wave_time, r, result, model, result->cell->bytes, rule_of(s), work_of(s));
}

/* Behind the models of levels. */
int tan_predict_host_model(void)
{
    int n = 0;
    while (tan_models[n].name != NULL) {
        n++;
    }
    return n;
}

const char *tan_predict_model(int model)
{
    const int n = tan_predict_host_model();
    return model < n ? tan_models[model].name : model == n ? "tan-host" : NULL;
}

bool tan_predict_knows_host(const struct results *r)
{
    return r->machine != NULL && r->sharing.placement != NULL && r->machine->host.n > 0;
}

/* What the messages of the cell's waves take of the cores besides; *load is NULL when they are
 * those of the calibration. -1: nothing is known of such messages. */
static int load_of(const struct results *r, const struct result *result,
                   const struct tan_placement *placement, struct tan_host_load **load)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    const struct settings *s = &r->plan->settings;
    const struct tan_machine *m = r->machine;
    const int64_t bytes = result->cell->bytes;
    struct tan_host_payload payload = {
        .base = m->tan.bytes,
        .request = s->request_bytes < 0 ? bytes : s->request_bytes,
        .answer = bytes,
        .rule = rule_of(s),
    };
    *load = NULL;
    if (as_measured(m, bytes, payload.rule) &&
        as_measured(m, payload.request, &tan_payload_rules[0])) {
        return 0;
    }
    payload.work = work_of(s);
    if (m->messages != NULL) {
        *load = tan_host_loads(result->tree, placement, m->messages, &payload, &ignored);
    }
    return *load != NULL ? 0 : -1;
}

/* NaN: nothing. */
static double host_wave(const struct results *r, const struct result *result)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_host_load *load = NULL;
    double wave = NAN;
    if (!tan_predict_knows_host(r) || result->tree == NULL) {
        return NAN;
    }
    struct tan_placement *placement =
        r->sharing.placement(r->sharing.job, tan_tree_size(result->tree), &ignored);
    if (placement == NULL || load_of(r, result, placement, &load) != 0 ||
        tan_host_wave(result->tree, placement, &r->machine->host, load, &wave, &ignored) != 0) {
        wave = NAN;
    }
    free(load);
    free(placement);
    return wave;
}

void tan_predict_host(struct results *r)
{
    for (int i = 0; i < r->n; i++) {
        if (isnan(r->list[i].host_wave)) {
            r->list[i].host_wave = host_wave(r, &r->list[i]);
        }
    }
}

void tan_predict_set_machine(struct results *r, const struct tan_machine *machine)
{
    r->machine = machine;
    for (int i = 0; i < r->n; i++) {
        r->list[i].host_wave = NAN;
    }
    tan_predict_host(r);
}

double tan_predict_wave(const struct results *r, const struct result *result, int model)
{
    if (model == tan_predict_host_model()) {
        return tan_results_disturbed(result) && r->machine != NULL
                   ? result->host_wave * tan_host_longer(r->machine->host.disturbed)
                   : result->host_wave;
    }
    const int64_t request = r->plan->settings.request_bytes;
    const double down =
        time_of(tan_wave_time, r, result, model, request < 0 ? result->cell->bytes : request,
                &tan_payload_rules[0], 0.0);
    return (down + tan_predict_up(r, result, model)) / 2;
}

double tan_predict_rate(const struct results *r, const struct result *result, int model)
{
    const struct settings *s = &r->plan->settings;
    return 1 / time_of(period, r, result, model, result->cell->bytes, rule_of(s), work_of(s));
}

bool tan_predict_lacks_sizes(const struct results *r)
{
    const struct tan_payload_rule *rule = rule_of(&r->plan->settings);
    bool lacks = false;
    for (int i = 0; i < r->n && r->machine != NULL && !lacks; i++) {
        const struct result *result = &r->list[i];
        const int64_t bytes = result->cell->bytes;
        if (result->tree != NULL && !as_measured(r->machine, bytes, rule)) {
            struct tan_payload *payload = payload_of(r->machine, bytes, rule, 0.0);
            lacks = payload == NULL;
            tan_payload_destroy(payload);
        }
    }
    return lacks;
}
