/* expected.c - the setting with the least expected wave when processes fail, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/expected.h"

#include <inttypes.h>
#include <math.h>

#include "base/table.h"
#include "base/text.h"
#include "design/report/json_parts.h"
#include "design/report/time_text.h"
#include "design/targets/setting.h"

double tan_setting_expected(const struct tan_setting_failure *s)
{
    return s->wave + s->cost.wait;
}

const struct tan_setting_failure *tan_least_expected(const struct tan_setting_failure *rows, int n)
{
    const struct tan_setting_failure *least = rows;
    for (int i = 1; i < n; i++) {
        least = tan_setting_expected(&rows[i]) < tan_setting_expected(least) ? &rows[i] : least;
    }
    return least;
}

bool tan_is_extrapolated(const struct tan_target_problem *p, const struct tan_setting_failure *s)
{
    return p->up->max_fanout > 0 && s->max_fanout > p->up->max_fanout;
}

/* Another setting with a shorter expected wave than the first one of a way. */
struct shorter {
    struct tan_setting_failure least, first;
    double slower; /* the first one's expected wave, as a share of the least more than it */
};

static bool find_shorter(const struct tan_target_answer *a, const struct tan_target_way *way,
                         struct shorter *out)
{
    const double near = 0.01;
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_setting_failure rows[TAN_SETTING_FAILURES];
    if (isnan(a->problem.failures.p) || a->problem.chunks != NULL) {
        return false;
    }
    const int n = tan_setting_failures(&a->problem, way, rows, &ignored);
    for (int i = 0; i < n; i++) {
        if (tan_setting_same(&rows[i].setting, &way->told[0].setting)) {
            out->first = rows[i];
            out->least = *tan_least_expected(rows, n);
            out->slower =
                tan_setting_expected(&out->first) / tan_setting_expected(&out->least) - 1.0;
            return out->slower > near;
        }
    }
    return false;
}

/* "Under these failures (p = 0.0002, ...) TreeWidth=64 has the least expected wave, 1.2 s; that of
 * TreeWidth=5 is 2.5 s, 2.1x as long. ..." */
static const char *shorter_text(const struct tan_target_answer *a, const struct shorter *s,
                                char text[TAN_SENTENCE])
{
    const struct tan_failures *failures = &a->problem.failures;
    char names[2][TAN_SETTING_TEXT];
    char times[3][TAN_CELL];
    char share[TAN_CELL];
    char doubt[80] = "";
    tan_setting_text(&s->first.setting, names[0]);
    tan_setting_text(&s->least.setting, names[1]);
    if (tan_is_extrapolated(&a->problem, &s->least)) {
        snprintf(doubt, sizeof doubt, " (extrapolated: no fanout beyond %" PRId64 " was measured)",
                 a->problem.up->max_fanout);
    }
    int n = snprintf(
        text, TAN_SENTENCE,
        "With these failures (p = %.3g, timeouts of %s) the least expected wave is that of %s, "
        "%s%s; that of %s is %s, %s.",
        failures->p, tan_exact_text(failures->timeout, times[0]), names[1],
        tan_exact_text(tan_setting_expected(&s->least), times[1]), doubt, names[0],
        tan_exact_text(tan_setting_expected(&s->first), times[2]),
        tan_slower_text(s->slower, false, share));
    if (!a->given) {
        snprintf(text + n, TAN_SENTENCE - (size_t)n,
                 " Take %s for the shortest waves while no process is down, %s for the shortest "
                 "on average.",
                 names[0], names[1]);
    }
    return text;
}

void tan_expected_print(const struct tan_target_answer *a, const struct tan_target_way *way,
                        FILE *to)
{
    struct shorter s;
    char text[TAN_SENTENCE];
    if (find_shorter(a, way, &s)) {
        fputc('\n', to);
        tan_text_wrap(to, shorter_text(a, &s, text), 0, 0);
    }
}

void tan_expected_set(struct tan_json_writer *w, json_t *object, const struct tan_target_answer *a,
                      const struct tan_target_way *way)
{
    struct shorter s;
    char text[TAN_SENTENCE];
    char name[TAN_SETTING_TEXT];
    if (find_shorter(a, way, &s)) {
        json_t *least = tan_json_set_object(w, object, "least_expected");
        tan_json_set_string(w, least, "setting", tan_setting_text(&s.least.setting, name));
        tan_report_set_us(w, least, "expected_us", tan_setting_expected(&s.least));
        tan_json_set_fixed(w, least, "slower", s.slower, 6);
        tan_json_set_string(w, least, "text", shorter_text(a, &s, text));
    }
}
