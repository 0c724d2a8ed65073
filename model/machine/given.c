/* given.c - parameters given on the command line, with or without a machine file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/given.h"

#include <gsl/gsl_math.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/units.h"

bool tan_network_one_way(const struct tan_network *t)
{
    return t->rate > 0.0 && (t->up == 0) != (t->down == 0);
}

/* `child`: seconds that a further child takes without a transfer. */
static void set_network(const struct tan_network *t, double child, struct tan_params *params)
{
    params->bytes = GSL_MAX(t->up, t->down);
    params->one_way = !tan_network_one_way(t) ? 0 : t->up > 0 ? TAN_UP : TAN_DOWN;
    params->rate = t->rate;
    params->child = child;
}

void tan_network_apply(const struct tan_network *t, struct tan_params *params)
{
    const double ways = tan_network_one_way(t) ? 1.0 : 2.0;
    double *v = params->value;
    v[TAN_L] += ((double)t->up + (double)t->down) / (ways * t->rate);
    set_network(t, fmax(v[TAN_A], v[TAN_B]), params);
    v[TAN_B] = fmax(params->child, (double)params->bytes / (ways * t->rate));
    v[TAN_C2] = 0.0;
    for (int p = 0; p < TAN_PARAMS; p++) {
        params->unidentified[p] = false;
    }
}

bool tan_network_same(const struct tan_network *t)
{
    return t->rate > 0.0 && t->up == t->down;
}

bool tan_network_overlaps(const struct tan_network *t)
{
    return tan_network_same(t) || tan_network_one_way(t);
}

/* "16 Mbit/s, 1000000 bytes down" */
static struct tan_text network_text(const struct tan_network *t)
{
    const struct tan_text rate = tan_rate_text(8.0 * t->rate);
    if (t->up == 0 && t->down == 0) {
        return rate;
    }
    if (t->up == t->down) {
        return tan_printed("%s, %" PRId64 " bytes each way", rate.text, t->up);
    }
    return tan_network_one_way(t) ? tan_printed("%s, %" PRId64 " bytes %s", rate.text,
                                                t->up + t->down, t->up > 0 ? "up" : "down")
                                  : tan_printed("%s, %" PRId64 " bytes up and %" PRId64 " down",
                                                rate.text, t->up, t->down);
}

#define MAX_SECONDS 1e9 /* as in machine files: keeps every prediction finite */

static bool is_given(const struct tan_given *given, int p)
{
    return !isnan(given->value[p]);
}

static double given_or_0(const struct tan_given *given, int p)
{
    return is_given(given, p) ? given->value[p] : 0.0;
}

bool tan_given_any(const struct tan_given *given)
{
    bool any = given->network.rate > 0.0;
    for (int p = 0; p < TAN_PARAMS; p++) {
        any |= is_given(given, p);
    }
    return any;
}

static bool draws_vary(const struct tan_params *params)
{
    for (int i = TAN_PARAMS; i < params->n_draws * TAN_PARAMS; i++) {
        if (params->draws[i] != params->draws[i - TAN_PARAMS]) {
            return true;
        }
    }
    return false;
}

/* Only L + 2a is known: a given L determines a, and a given a determines L. */
static void split_sum(const struct tan_given *given, struct tan_params *params)
{
    for (int i = -1; i < params->n_draws; i++) {
        double *v = i < 0 ? params->value : params->draws + i * TAN_PARAMS;
        const double both = v[TAN_L] + 2 * v[TAN_A];
        if (is_given(given, TAN_L)) {
            v[TAN_A] = fmax((both - given->value[TAN_L]) / 2, 0.0);
        } else {
            v[TAN_L] = fmax(both - 2 * given->value[TAN_A], 0.0);
        }
    }
    params->ci95[TAN_L] = TAN_INTERVAL_UNKNOWN;
    params->ci95[TAN_A] = TAN_INTERVAL_UNKNOWN;
    params->unidentified[TAN_L] = false;
}

void tan_given_apply(const struct tan_given *given, struct tan_params *params)
{
    if (tan_params_split(params) && is_given(given, TAN_L) != is_given(given, TAN_A)) {
        split_sum(given, params);
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (is_given(given, p)) {
            params->value[p] = given->value[p];
            params->unidentified[p] = false;
            params->ci95[p] = TAN_INTERVAL_UNKNOWN;
            for (int i = 0; i < params->n_draws; i++) {
                params->draws[i * TAN_PARAMS + p] = given->value[p];
            }
        }
    }
    tan_params_assume(params);
    if (params->n_draws > 0 && !draws_vary(params)) {
        free(params->draws);
        params->draws = NULL;
        params->n_draws = 0;
    }
}

/* Given values settle doubts about the fitted ones. */
static void settle_doubts(const struct tan_given *given, struct tan_doubts *doubts)
{
    unsigned settled = 0;
    for (int p = 0; p < TAN_PARAMS; p++) {
        settled |= is_given(given, p) ? 1u << p : 0;
    }
    tan_doubts_settle(doubts, settled);
}

/* Without a file, b and c are unknown unless given. With b given, c is 0 by default. */
static void apply_alone(const struct tan_given *given, struct tan_params *params)
{
    params->unidentified[TAN_B] = true;
    params->unidentified[TAN_C2] = !is_given(given, TAN_B);
    tan_given_apply(given, params);
}

void tan_given_network(const struct tan_given *given, const struct tan_network *network,
                       struct tan_params *params)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        params->value[p] = given_or_0(given, p);
    }
    tan_network_apply(network, params);
}

/* The same for tan-overlap, and messages of one length (tan_network_overlaps): one takes D / B
 * longer than an empty one, and occupies its link for that time, and for g. */
static void given_network_overlap(const struct tan_given *given, const struct tan_network *network,
                                  struct tan_params *params)
{
    double *v = params->value;
    v[TAN_L] = given_or_0(given, TAN_L);
    v[TAN_A] = v[TAN_B] = given_or_0(given, TAN_A); /* o_r = o_s */
    v[TAN_G] = given_or_0(given, TAN_B);            /* between two messages to or from children */
    set_network(network, fmax(v[TAN_B], v[TAN_G]), params);
    v[TAN_L] += (double)params->bytes / network->rate;
    v[TAN_G] = fmax(v[TAN_G], (double)params->bytes / network->rate);
}

/* Messages whose bytes take less than any process needs for a message. */
static void doubt_free_messages(const struct tan_given *given, struct tan_doubts *doubts)
{
    const double least = 0.3e-6; /* seconds: what a process needs for a message, at least about */
    const struct tan_network *n = &given->network;
    const int64_t bytes = n->up == 0 || (n->down > 0 && n->down < n->up) ? n->down : n->up;
    const double seconds = fmax((double)bytes / n->rate, given_or_0(given, TAN_B));
    if (bytes > 0 && !is_given(given, TAN_A) && seconds < least) {
        tan_doubts_add(doubts, TAN_DOUBT, "free-messages", seconds, TAN_TOUCHES_ALL,
                       "a message of %" PRId64 " bytes costs a process %.3g us here, while most "
                       "need 0.3 to 5 us for any: give --overhead",
                       bytes, 1e6 * seconds);
    }
}

/* A network, with L, a and b if given; else a machine with L, a and whatever else is given. */
static struct tan_machine *without_file(const struct tan_given *given, struct tan_error *e)
{
    const struct tan_network *network = &given->network;
    struct tan_machine *machine = tan_machine_create("given on the command line", e);
    if (machine != NULL && network->rate > 0.0) {
        tan_given_network(given, network, &machine->tan);
        machine->overlap_known = tan_network_overlaps(network);
        if (machine->overlap_known) {
            given_network_overlap(given, network, &machine->overlap);
        }
        doubt_free_messages(given, &machine->doubts);
    } else if (machine != NULL) {
        apply_alone(given, &machine->tan);
    }
    return machine;
}

struct tan_machine *tan_given_machine(const struct tan_given *given, const char *path, char **used,
                                      struct tan_error *e)
{
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (given->value[p] > MAX_SECONDS) {
            tan_fail_usage(e, "%s = %g s: the times of a machine are at most %g s",
                           tan_param_symbol(TAN_METHOD_JOINT, p), given->value[p], MAX_SECONDS);
            return NULL;
        }
    }
    const bool enough = is_given(given, TAN_L) && is_given(given, TAN_A);
    if (given->network.rate > 0.0 || (path == NULL && enough)) {
        *used = NULL;
        return without_file(given, e);
    }
    struct tan_machine *machine = tan_machine_find(path, used, e);
    if (machine == NULL || !tan_given_any(given)) {
        return machine;
    }
    if (machine->stand_in) {
        tan_fail_usage(e, "there is no machine file that these parameters could change: give both "
                          "--latency and --overhead, or name a file or a shipped machine, as in "
                          "--machine cab");
        tan_machine_destroy(machine);
        free(*used);
        *used = NULL;
        return NULL;
    }
    settle_doubts(given, &machine->doubts);
    if (machine->tan_known) {
        tan_given_apply(given, &machine->tan);
    } else if (enough) { /* only p2p, and too little */
        apply_alone(given, &machine->tan);
        machine->tan_known = true;
    }
    return machine;
}

struct tan_text tan_given_text(const struct tan_given *given)
{
    struct tan_text text = {""};
    if (given->network.rate > 0.0) {
        text = network_text(&given->network);
    }
    for (int p = 0; p < TAN_PARAMS; p++) {
        if (is_given(given, p)) {
            text = tan_printed("%s%s%s = %.6g us", text.text, *text.text != '\0' ? ", " : "",
                               tan_param_symbol(TAN_METHOD_JOINT, p), 1e6 * given->value[p]);
        }
    }
    return text;
}
