/* sim_costs.c - costs of messages: options and machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cmd/sim_run.h"

#include <math.h>

#include "sim/engine/noise.h"

const struct tan_message_model *run_model(const struct run *r)
{
    const struct tan_sim_config *c = r->c;
    if (c->model != TAN_SIM_BY_OPTIONS) {
        return tan_message_model_find(tan_sim_models[c->model]);
    }
    return tan_message_model_best(r->file.machine, c->source.traced != NULL ? "loggpo" : "loggops");
}

/* The link within a host: that between hosts, with the costs of --within. */
static int set_within(const struct tan_sim_config *c, const struct tan_link *between,
                      struct tan_link *within, struct tan_error *e)
{
    *within = *between;
    for (size_t i = 0; i < c->within.n; i++) {
        if (tan_link_parse(within, "--within", c->within.text[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

uint64_t run_bytes(const struct run *r)
{
    return r->c->source.bytes >= 0 ? (uint64_t)r->c->source.bytes : DEFAULT_BYTES;
}

/* Costs of messages under a model of the machine file, for the sizes in the schedule, if it has
 * been read. */
static int set_messages(const struct run *r, const struct tan_message_model *model,
                        struct tan_sim_params *params, struct tan_sized_link **links,
                        struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    const uint64_t bytes = run_bytes(r);
    if (tan_message_model_params(model, r->file.machine, r->file.path, bytes, r->schedule, params,
                                 links, e) < 0) {
        return -1;
    }
    params->S = c->eager >= 0 ? (uint64_t)c->eager : params->S;
    for (size_t i = 0; i < params->n_sizes; i++) {
        if (set_within(c, &(*links)[i].link, &(*links)[i].within, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int run_load_costs(struct run *r, struct tan_error *e)
{
    const struct tan_sim_config *c = r->c;
    r->params = c->params;
    if (c->model == TAN_SIM_TAN || c->machine != NULL) {
        r->file.machine = tan_machine_find(c->machine, &r->file.path, e);
        if (r->file.machine == NULL) {
            return -1;
        }
    }
    if (c->model == TAN_SIM_TAN) {
        if (tan_machine_require_tan(r->file.machine, r->file.path, e) < 0 ||
            tan_wave_link(&r->file.machine->tan, &r->params.between, e) < 0) {
            return -1;
        }
        r->params.S = TAN_SCHEDULE_MAX_BYTES;
    } else if (r->file.machine != NULL) {
        if (set_messages(r, run_model(r), &r->params, &r->links, e) < 0) {
            return -1;
        }
        tan_doubt_messages(r->file.machine, &r->doubts);
        if (tan_machine_message_hosts(r->file.machine) == 1) {
            tan_doubts_add(&r->doubts, TAN_NOTE, "one host", NAN, TAN_TOUCHES_ALL,
                           "these costs of messages are between processes of one host; for those "
                           "of a network run tanbench p2p calibrate FILE over two hosts");
        }
    }
    if (set_within(c, &r->params.between, &r->params.within, e) < 0) {
        return -1;
    }
    if (r->file.machine == NULL || !tan_sim_has_control(&r->params)) {
        r->params.control = r->params.between.o;
    }
    if (c->noise.spec != NULL &&
        (r->noise = tan_noise_parse(c->noise.spec, (uint64_t)c->noise.seed, e)) == NULL) {
        return -1;
    }
    r->params.noise = r->noise;
    return 0;
}

int run_set_sizes(const struct run *r, const struct tan_message_model *model,
                  struct tan_sim_params *params, struct tan_sized_link **links, struct tan_error *e)
{
    const struct tan_link within = params->within;
    const struct tan_link between = params->between;
    const int result = set_messages(r, model, params, links, e);
    params->within = within;
    params->between = between;
    return result;
}

/* Apply --set to one link. */
static int change_link(const struct tan_sim_config *c, struct tan_link *link,
                       struct tan_change_effect *effect, struct tan_error *e)
{
    for (size_t i = 0; i < c->settings.n; i++) {
        if (tan_link_change(link, "--set", c->settings.text[i], effect, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int run_change_links(const struct tan_sim_config *c, struct tan_sim_params *params,
                     struct tan_sized_link *sizes, struct tan_change_effect *effect,
                     struct tan_error *e)
{
    if (change_link(c, &params->between, effect, e) < 0 ||
        change_link(c, &params->within, effect, e) < 0) {
        return -1;
    }
    for (size_t i = 0; i < params->n_sizes; i++) {
        if (change_link(c, &sizes[i].link, effect, e) < 0 ||
            change_link(c, &sizes[i].within, effect, e) < 0) {
            return -1;
        }
    }
    return 0;
}
