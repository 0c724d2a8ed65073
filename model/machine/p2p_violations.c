/* p2p_violations.c - measured messages that contradict the published models
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/machine/p2p_violations.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "base/text.h"

static const double us = 1e-6;

static bool negative_latency(const struct tan_p2p *p, char text[TAN_P2P_VIOLATION_TEXT])
{
    const double latency = tan_p2p_latency(p);
    snprintf(text, TAN_P2P_VIOLATION_TEXT,
             "L is %.4g us, since both overheads of the shortest message together exceed its "
             "one-way time; the published models take 0.",
             latency / us);
    return latency < 0.0;
}

/* Sizes with an overhead longer than the time between messages, and the one with the largest
 * excess. */
static bool long_overhead(const struct tan_p2p *p, enum tan_p2p_series series, const char *name,
                          char text[TAN_P2P_VIOLATION_TEXT])
{
    const double least = 1.05; /* as for gaps that equal the overhead (p2p_fit.h) */
    double worst = least;
    int64_t at = 0;
    int sizes = 0;
    for (size_t i = 0; i < p->n_sizes; i++) {
        const double ratio = p->size[i].value[series] / p->size[i].value[TAN_P2P_INTERVAL];
        if (isfinite(ratio) && ratio > least) {
            sizes++;
            at = ratio > worst ? p->size[i].bytes : at;
            worst = fmax(worst, ratio);
        }
    }
    snprintf(text, TAN_P2P_VIOLATION_TEXT,
             "%s exceeds the time from message to message at %d of %zu sizes, the most at %" PRId64
             " B, %.3g times as long: a side that computes pays more than one in a stream.",
             name, sizes, p->n_sizes, at, worst);
    return sizes > 0;
}

bool tan_p2p_violation(const struct tan_p2p *p, int i, char text[TAN_P2P_VIOLATION_TEXT])
{
    static const struct {
        const char *name;
        enum tan_p2p_series series;
    } overheads[] = {{"o_s", TAN_P2P_SEND}, {"o_r", TAN_P2P_RECEIVE}};
    return i == 0 ? negative_latency(p, text)
                  : long_overhead(p, overheads[i - 1].series, overheads[i - 1].name, text);
}

void tan_p2p_violations_print(const struct tan_p2p *p, FILE *to)
{
    const char *heading = "\nWhat the published models do not allow for:\n";
    char text[TAN_P2P_VIOLATION_TEXT];
    for (int i = 0; i < TAN_P2P_VIOLATIONS; i++) {
        if (tan_p2p_violation(p, i, text)) {
            fputs(heading, to);
            tan_text_wrap(to, text, 0, 0);
            heading = "";
        }
    }
}

struct json_t *tan_p2p_violations_json(const struct tan_p2p *p)
{
    char text[TAN_P2P_VIOLATION_TEXT];
    json_t *list = json_array();
    int bad = list == NULL;
    for (int i = 0; i < TAN_P2P_VIOLATIONS; i++) {
        if (tan_p2p_violation(p, i, text)) {
            bad |= json_array_append_new(list, json_string(text));
        }
    }
    if (bad != 0) {
        json_decref(list);
        return NULL;
    }
    return list;
}
