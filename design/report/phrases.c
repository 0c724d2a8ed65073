/* phrases.c - phrases shared by reports
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/phrases.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "design/choice/pareto.h"
#include "design/search/limits.h"
#include "design/search/search.h"
#include "design/targets/least_tree.h"

const char *tan_slower_text(double slower, bool tied, char buffer[TAN_CELL])
{
    const bool equal = fabs(slower) <= TAN_SEARCH_EQUAL;
    char text[TAN_CELL];
    tan_format_slower(equal ? 0.0 : slower, text, sizeof text);
    snprintf(buffer, TAN_CELL, "%s%.40s", tied && !equal ? "ties, " : "", text);
    return buffer;
}

const char *tan_short_fanouts(const struct tan_plan *plan, char buffer[TAN_NAME])
{
    enum { LONG = 20 };
    if (strlen(tan_plan_fanouts(plan, buffer, TAN_NAME)) <= LONG) {
        return buffer;
    }
    size_t used = 0;
    for (int i = 0, n; i < plan->height; i += n) {
        for (n = 1; i + n < plan->height && plan->fanout[i + n] == plan->fanout[i];) {
            n++;
        }
        char power[16] = "";
        if (n > 1) {
            snprintf(power, sizeof power, "^%d", n);
        }
        used += (size_t)snprintf(buffer + used, TAN_NAME - used, "%s%" PRId64 "%s",
                                 i > 0 ? "x" : "", plan->fanout[i], power);
    }
    return buffer;
}

const char *tan_short_spec(const char *spec, int most, char buffer[TAN_NAME])
{
    const int length = (int)strlen(spec);
    const int head = most / 2;
    if (length <= most) {
        snprintf(buffer, TAN_NAME, "%s", spec);
    } else {
        snprintf(buffer, TAN_NAME, "%.*s...%s", head, spec, spec + length - (most - head - 3));
    }
    return buffer;
}

const char *tan_best_of_text(const struct tan_model *model)
{
    return model->node != NULL ? "the trees evaluated" : "all trees";
}

const char *tan_span_text(const struct tan_params *params)
{
    return params->one_way ? "one way" : "half a round trip";
}

const char *tan_plural(int64_t n)
{
    return n == 1 ? "" : "s";
}

const char *tan_leaves_text(int64_t n)
{
    return n == 1 ? "leaf" : "leaves";
}

void tan_report_flat(const char *what, int64_t until, struct tan_interval ci95, FILE *to)
{
    char sentence[TAN_SENTENCE];
    char interval[TAN_CELL] = "";
    if (ci95.low <= ci95.high) {
        snprintf(interval, sizeof interval, " (95 %% interval %.0f to %.0f)", ci95.low, ci95.high);
    }
    snprintf(sentence, sizeof sentence,
             "Up to %s%s%" PRId64 "%s%s%s no tree is better than all directly below the root.",
             what == NULL ? "N = " : "", until == TAN_FLAT_MOST ? "at least " : "", until,
             what == NULL ? "" : " ", what == NULL ? "" : what, interval);
    fputc('\n', to);
    tan_text_wrap(to, sentence, 0, 0);
}

const struct tan_problem *tan_problem_asked(const struct tan_problem *p)
{
    return p->asked != NULL ? p->asked : p;
}

const char *tan_within_text(const struct tan_problem *p, char *text, size_t size)
{
    const char *before = " within ";
    int n = 0;
    text[0] = '\0';
    for (const struct tan_limit *limit = tan_limits; limit->key != NULL; limit++) {
        const int64_t most = tan_limit_of(tan_problem_asked(p), limit);
        if (most > 0) {
            n += snprintf(text + n, size - (size_t)n, "%s%s %" PRId64, before, limit->option, most);
            before = " ";
        }
    }
    if (p->objective != NULL) {
        snprintf(text + n, size - (size_t)n, " with %s", p->objective->least);
    }
    return text;
}
