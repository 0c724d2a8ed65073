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

/* The rows of two settings of a way. */
struct two {
    struct tan_setting_failure first, other;
};

static const struct tan_setting_failure *row_of(const struct tan_setting_failure *rows, int n,
                                                const struct tan_setting *setting)
{
    for (int i = 0; i < n; i++) {
        if (tan_setting_same(&rows[i].setting, setting)) {
            return &rows[i];
        }
    }
    return NULL;
}

/* With a probability of failures, the best setting is that with the least expected wave, and is
 * compared with the one whose wave is the shortest without failures; a given setting with the best.
 * Without one, it is compared with the default. False if there is nothing to say. */
static bool find_two(const struct tan_target_answer *a, int w, struct two *out)
{
    struct tan_error ignored = TAN_ERROR_INIT;
    struct tan_setting_failure rows[TAN_SETTING_FAILURES];
    const struct tan_target_way *way = &a->way[w];
    const bool expects = !isnan(a->problem.failures.p);
    const int n = tan_setting_failures(&a->problem, way, rows, &ignored);
    if (n <= 0) {
        return false;
    }
    const struct tan_setting_failure *first = row_of(rows, n, &way->told[0].setting);
    const struct tan_setting_failure *other = !expects   ? row_of(rows, n, &way->by_default.setting)
                                              : a->given ? tan_least_expected(rows, n)
                                                         : row_of(rows, n, &a->shortest[w]);
    if (first == NULL || other == NULL || tan_setting_same(&first->setting, &other->setting)) {
        return false;
    }
    *out = (struct two){*first, *other};
    return expects ? fabs(tan_setting_expected(first) / tan_setting_expected(other) - 1.0) > 0.01
                   : first->wave < other->wave && first->cost.one_wait > other->cost.one_wait;
}

/* "With these failures (p = 0.0002, ...) TreeWidth=64 has the least expected wave, 1.2 s; that of
 * TreeWidth=5, ..., is 2.5 s, 2.1x as long." */
static const char *expected_text(const struct tan_target_answer *a, const struct two *two,
                                 char text[TAN_SENTENCE])
{
    const struct tan_failures *failures = &a->problem.failures;
    const struct tan_setting_failure *least = a->given ? &two->other : &two->first;
    const struct tan_setting_failure *slower = a->given ? &two->first : &two->other;
    char names[2][TAN_SETTING_TEXT];
    char times[3][TAN_CELL];
    char share[TAN_CELL];
    char doubt[80] = "";
    if (tan_is_extrapolated(&a->problem, least)) {
        snprintf(doubt, sizeof doubt, " (extrapolated: no fanout beyond %" PRId64 " was measured)",
                 a->problem.up->max_fanout);
    }
    snprintf(text, TAN_SENTENCE,
             "With these failures (p = %.3g, timeouts of %s) %s has the least expected wave, %s%s; "
             "that of %s%s is %s, %s.",
             failures->p, tan_exact_text(failures->timeout, times[0]),
             tan_setting_text(&least->setting, names[0]),
             tan_exact_text(tan_setting_expected(least), times[1]), doubt,
             tan_setting_text(&slower->setting, names[1]),
             a->given ? "" : ", the fastest without them,",
             tan_exact_text(tan_setting_expected(slower), times[2]),
             tan_slower_text(tan_setting_expected(slower) / tan_setting_expected(least) - 1.0,
                             false, share));
    return text;
}

/* Waves of which one may meet a failure before the setting's gain is lost; two digits. */
static double break_even(const struct two *two)
{
    const double waves =
        (two->first.cost.one_wait - two->other.cost.one_wait) / (two->other.wave - two->first.wave);
    const double unit = pow(10.0, fmax(0.0, floor(log10(waves)) - 1.0));
    return unit * round(waves / unit);
}

static const char *break_even_text(const struct two *two, char text[TAN_SENTENCE])
{
    char names[2][TAN_SETTING_TEXT];
    char times[3][TAN_CELL];
    snprintf(text, TAN_SENTENCE,
             "%s saves %s a wave, but a wave with one process down takes up to %s, with %s %s: it "
             "pays if fewer than one wave in %.0f meets one.",
             tan_setting_text(&two->first.setting, names[0]),
             tan_exact_text(two->other.wave - two->first.wave, times[0]),
             tan_exact_text(two->first.wave + two->first.cost.one_wait, times[1]),
             tan_setting_text(&two->other.setting, names[1]),
             tan_exact_text(two->other.wave + two->other.cost.one_wait, times[2]), break_even(two));
    return text;
}

static const char *two_text(const struct tan_target_answer *a, const struct two *two,
                            char text[TAN_SENTENCE])
{
    return isnan(a->problem.failures.p) ? break_even_text(two, text) : expected_text(a, two, text);
}

void tan_expected_print(const struct tan_target_answer *a, int way, FILE *to)
{
    struct two two;
    char text[TAN_SENTENCE];
    if (find_two(a, way, &two)) {
        fputc('\n', to);
        tan_text_wrap(to, two_text(a, &two, text), 0, 0);
    }
}

void tan_expected_set(struct tan_json_writer *w, json_t *object, const struct tan_target_answer *a,
                      int way)
{
    struct two two;
    char text[TAN_SENTENCE];
    char name[TAN_SETTING_TEXT];
    if (!find_two(a, way, &two)) {
        return;
    }
    const bool expects = !isnan(a->problem.failures.p);
    json_t *with = tan_json_set_object(w, object, expects ? "least_expected" : "break_even");
    if (expects) {
        const struct tan_setting_failure *least = a->given ? &two.other : &two.first;
        tan_json_set_string(w, with, "setting", tan_setting_text(&least->setting, name));
        tan_report_set_us(w, with, "expected_us", tan_setting_expected(least));
    } else {
        tan_json_set_real(w, with, "waves", break_even(&two));
    }
    tan_json_set_string(w, with, "text", two_text(a, &two, text));
}
