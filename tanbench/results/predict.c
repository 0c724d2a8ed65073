/* predict.c - predictions for a measured cell, and the payloads of its waves
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/results/results.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/wave/overlap.h"
#include "model/wave/payload.h"
#include "tanbench/plan/settings.h"
#include "tanbench/results/distance.h"

/* Messages of a wave in one direction. */
struct messages {
    int64_t bytes; /* of a request, or a leaf's answer */
    const struct tan_payload_rule *rule;
    double work;   /* a parent's work per byte of its children's answers, seconds */
    double filter; /* work per child's answer due to --work, seconds */
};

/* Requests have the same size on all levels. */
static struct messages requests_of(const struct results *r, const struct result *result)
{
    const int64_t bytes = r->plan->settings.request_bytes;
    return (struct messages){bytes < 0 ? result->cell->bytes : bytes, &tan_payload_rules[0], 0.0,
                             0.0};
}

static struct messages answers_of(const struct results *r, const struct result *result)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    const struct settings *s = &r->plan->settings;
    const struct filter *filter = tan_filter_find(s->filter, &ignored);
    const bool grows = filter != NULL && filter->grows;
    /* an emulated machine's times include its filters */
    const bool works = filter != NULL && !emulation_on(&s->emulation);
    return (struct messages){result->cell->bytes,
                             grows ? tan_payload_rule_find("concat", &ignored)
                                   : &tan_payload_rules[0],
                             works ? tan_filter_speed(filter) : 0.0, s->work};
}

static bool as_measured(const struct tan_machine *m, const struct messages *messages)
{
    return messages->bytes == m->tan.bytes && messages->rule == &tan_payload_rules[0];
}

/* The costs of messages that differ from the measured ones, owned by the caller; NULL if they do
 * not differ, or their costs are unknown. */
static struct tan_payload *payload_of(const struct tan_machine *m, const struct messages *messages)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_payload *payload =
        m->messages == NULL || as_measured(m, messages)
            ? NULL
            : tan_payload_create(m->messages, NULL, m->tan.bytes, messages->bytes, messages->rule,
                                 "", &ignored);
    if (payload != NULL) {
        tan_payload_set_work(payload, messages->work);
    }
    return payload;
}

/* In one direction; seconds. */
struct times {
    double wave, period;
};

static bool has_tiers(const struct results *r, const struct tan_model *model,
                      struct tan_tiers *tiers)
{
    return r->machine != NULL && tan_model_tiers(model, r->machine, tiers);
}

bool tan_predict_knows(const struct results *r, const struct tan_model *model)
{
    struct tan_tiers ignored;
    return has_tiers(r, model, &ignored);
}

static bool knows_messages(const struct tan_machine *m, const struct messages *messages)
{
    struct tan_payload *payload = payload_of(m, messages);
    const bool known = payload != NULL || as_measured(m, messages);
    tan_payload_destroy(payload);
    return known;
}

bool tan_predict_lacks_size(const struct results *r, const struct result *result)
{
    const struct messages up = answers_of(r, result);
    const struct messages down = requests_of(r, result);
    return r->machine != NULL && result->tree != NULL &&
           !(knows_messages(r->machine, &up) &&
             (tan_modes[r->plan->settings.mode].pushes || knows_messages(r->machine, &down)));
}

/* Whether the machine has the model's parameters for such messages, and there is a tree. */
static bool is_known(const struct results *r, const struct result *result,
                     const struct tan_model *model, struct tan_tiers *tiers)
{
    return result->tree != NULL && has_tiers(r, model, tiers) && !tan_predict_lacks_size(r, result);
}

/* The hosts of the nodes of a result's tree; the caller frees *here. */
static struct tan_sites sites_of(const struct results *r, const struct result *result,
                                 int32_t **here)
{
    const size_t size = (size_t)tan_tree_size(result->tree);
    *here = result->cell->near ? calloc(size, sizeof **here) : NULL;
    if (*here == NULL && r->distance != NULL) {
        return r->distance->sites;
    }
    return (struct tan_sites){.at = {*here != NULL ? *here : r->host_of}};
}

/* By tan-overlap, whose requests and answers may differ in size: half a round trip, or the time of
 * one way. */
static double overlap_time(const struct results *r, const struct result *result,
                           const struct tan_model *model, enum tan_overlap_way way)
{
    enum { DOWN, UP };
    const struct messages messages[] = {requests_of(r, result), answers_of(r, result)};
    struct tan_params params[2];
    struct tan_payload *payload[2];
    struct tan_overlap p[2];
    struct tan_tiers tiers;
    int32_t *here;
    if (!is_known(r, result, model, &tiers)) {
        return NAN;
    }
    const struct tan_params *last = tiers.params[tiers.n - 1];
    for (int i = DOWN; i <= UP; i++) {
        payload[i] = payload_of(r->machine, &messages[i]);
        params[i] = *last;
        params[i].payload = payload[i];
        params[i].work = messages[i].filter;
        tiers.params[tiers.n - 1] = &params[i];
        p[i] = tan_overlap_tiers(&tiers);
    }
    memcpy(p[UP].request, p[DOWN].request, sizeof p[UP].request);
    const struct tan_sites sites = sites_of(r, result, &here);
    const double time = tan_overlap_time(&p[UP], way, &sites, result->tree);
    free(here);
    tan_payload_destroy(payload[DOWN]);
    tan_payload_destroy(payload[UP]);
    return way == TAN_OVERLAP_ROUND ? half(time) : time;
}

static struct times times_of(const struct results *r, const struct result *result,
                             const struct messages *messages, const struct tan_model *model)
{
    struct times times = {NAN, NAN};
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_prediction p;
    struct tan_tiers tiers;
    int32_t *here;
    if (!is_known(r, result, model, &tiers)) {
        return times;
    }
    struct tan_payload *payload = payload_of(r->machine, messages);
    const struct tan_sites sites = sites_of(r, result, &here);
    struct tan_params params[TAN_TIERS];
    for (int t = 0; t < tiers.n; t++) {
        params[t] = *tiers.params[t];
        params[t].payload = payload;
        params[t].work = messages->filter;
        params[t].one_way = model->node == NULL ? TAN_UP : 0; /* tan-overlap has round trips */
        tiers.params[t] = &params[t];
    }
    if (tan_predict_at(model, &tiers, &sites, result->tree, &p, &ignored) == 0) {
        times = (struct times){p.wave, p.period};
        tan_prediction_clear(&p);
    }
    tan_payload_destroy(payload);
    free(here);
    return times;
}

double tan_predict_up(const struct results *r, const struct result *result,
                      const struct tan_model *model)
{
    const struct messages up = answers_of(r, result);
    return model->node != NULL ? overlap_time(r, result, model, TAN_OVERLAP_UP)
                               : times_of(r, result, &up, model).wave;
}

double tan_predict_rate(const struct results *r, const struct result *result,
                        const struct tan_model *model)
{
    const double asked = r->plan->settings.frequency;
    const struct messages up = answers_of(r, result);
    const double most = 1 / times_of(r, result, &up, model).period;
    return asked > 0 && asked < most ? asked : most;
}

double tan_predict_wave(const struct results *r, const struct result *result,
                        const struct tan_model *model)
{
    if (model->node != NULL) {
        return overlap_time(r, result, model, TAN_OVERLAP_ROUND);
    }
    const struct messages down = requests_of(r, result);
    return (times_of(r, result, &down, model).wave + tan_predict_up(r, result, model)) / 2;
}

/* Whether the result's table predicts it, and some of its messages go from host to host. */
static bool is_predicted_between_hosts(const struct results *r, const struct result *result)
{
    struct tan_tiers ignored;
    if (tan_modes[r->plan->settings.mode].heals || result->cell->near ||
        (!is_known(r, result, &tan_models[TAN_MODEL_TAN], &ignored) &&
         !is_known(r, result, &tan_models[TAN_MODEL_OVERLAP], &ignored))) {
        return false;
    }
    int32_t i = 0;
    while (i < tan_tree_size(result->tree) && r->host_of != NULL && r->host_of[i] == *r->host_of) {
        i++;
    }
    return i < tan_tree_size(result->tree);
}

bool tan_predict_lacks_racks(const struct results *r)
{
    const struct tan_machine *m = r->machine;
    bool found = false;
    if (m != NULL && m->n_tiers > 0 && m->tier[m->n_tiers - 1].level > 0 && r->distance == NULL) {
        for (int i = 0; i < r->n && !found; i++) {
            found = is_predicted_between_hosts(r, &r->list[i]);
        }
    }
    return found;
}

bool tan_predict_disturbed(const struct results *r)
{
    const struct tan_machine *m = r->machine;
    bool found = false;
    for (int i = 0; i < r->n && m != NULL && m->messages != NULL && m->messages->disturbed; i++) {
        const struct result *result = &r->list[i];
        const struct messages up = answers_of(r, result);
        found |= result->tree != NULL && !as_measured(m, &up);
    }
    return found;
}

bool tan_predict_handshakes(const struct results *r)
{
    bool found = false;
    for (int i = 0; i < r->n && tan_predict_knows(r, &tan_models[TAN_MODEL_OVERLAP]); i++) {
        const struct result *result = &r->list[i];
        const struct messages up = answers_of(r, result);
        struct tan_payload *payload = result->tree != NULL ? payload_of(r->machine, &up) : NULL;
        found |= payload != NULL &&
                 tan_payload_offered_from(payload, tan_tree_max_below(result->tree)) >= 0;
        tan_payload_destroy(payload);
    }
    return found;
}
