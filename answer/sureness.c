/* sureness.c - how far parameters may be off, and what comes after the best, as text and JSON
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "answer/sureness.h"

#include <math.h>
#include <string.h>

#include "answer/json_parts.h"
#include "answer/phrases.h"
#include "base/text.h"
#include "base/units.h"

/* "as long as the latency L, 10 us here, is at least 4 us (0.4 times that)" */
static int range_text(const struct tan_sensitivity *row, enum tan_method method, char *text,
                      size_t size)
{
    static const char *const words[TAN_PARAMS] = {[TAN_L] = "the latency ",
                                                  [TAN_A] = "the overhead ",
                                                  [TAN_B] = "the cost of a further child, ",
                                                  [TAN_C2] = "the quadratic cost "};
    const struct tan_interval stays = row->stays;
    char name[TAN_NAME];
    char now[TAN_CELL];
    char low[TAN_CELL];
    char high[TAN_CELL];
    snprintf(name, sizeof name, "%s%s, %s here%s", words[row->param],
             tan_param_symbol(method, row->param), tan_short_text(row->value, now),
             row->with_b ? " (b, assumed to be the same, moves with it)" : "");
    tan_short_text(stays.low, low);
    tan_short_text(stays.high, high);
    if (stays.low > 0.0 && isfinite(stays.high)) {
        return snprintf(text, size, "as long as %s, is between %s and %s (%.2g to %.2g times that)",
                        name, low, high, stays.low / row->value, stays.high / row->value);
    }
    if (stays.low > 0.0) {
        return snprintf(text, size, "as long as %s, is at least %s (%.2g times that)", name, low,
                        stays.low / row->value);
    }
    return isfinite(stays.high)
               ? snprintf(text, size, "as long as %s, is at most %s (%.2g times that)", name, high,
                          stays.high / row->value)
               : snprintf(text, size, "from a tenth to ten times %s", name);
}

/* "; at half of it 8x8x16 would be the best, and 16x16x16 1.2 % slower" */
static int moved_text(const struct tan_moved *moved, const char *times, const char *answer,
                      char *text, size_t size)
{
    char slower[TAN_CELL];
    text[0] = '\0';
    return moved->slower > 0.0
               ? snprintf(text, size, "; at %s it %s would be the best, and %s %s slower", times,
                          moved->best, answer,
                          tan_format_share(moved->slower, slower, sizeof slower))
               : 0;
}

/* Row `i` as a sentence: the first names the answer. */
static const char *row_text(const struct tan_sensitivity *rows, int i, enum tan_method method,
                            const char *answer, char text[TAN_SENTENCE])
{
    const struct tan_sensitivity *row = &rows[i];
    int n =
        snprintf(text, TAN_SENTENCE, "%s%s stays the best ",
                 i == 0 ? "With all other parameters as they are, " : "", i == 0 ? answer : "It");
    n += range_text(row, method, text + n, TAN_SENTENCE - (size_t)n);
    n += moved_text(&row->half, "half of", answer, text + n, TAN_SENTENCE - (size_t)n);
    n += moved_text(&row->twice, "twice", answer, text + n, TAN_SENTENCE - (size_t)n);
    snprintf(text + n, TAN_SENTENCE - (size_t)n, ".");
    return text;
}

void tan_sensitivities_print(const struct tan_sensitivity *rows, int n, enum tan_method method,
                             const char *answer, FILE *to)
{
    char all[TAN_SENSITIVITIES * TAN_SENTENCE];
    size_t used = (size_t)snprintf(all, sizeof all, "How sure:");
    for (int i = 0; i < n; i++) {
        char text[TAN_SENTENCE];
        used += (size_t)snprintf(all + used, sizeof all - used, " %s",
                                 row_text(rows, i, method, answer, text));
    }
    if (n > 0) {
        tan_text_say(to, "\n%s", all);
    }
}

static void set_moved(struct tan_json_writer *w, json_t *object, const char *key,
                      const struct tan_moved *moved)
{
    json_t *to = tan_json_set_object(w, object, key);
    tan_json_set_string(w, to, "best", moved->best);
    tan_json_set_fixed(w, to, "slower", moved->slower, 6);
}

void tan_sensitivities_set(struct tan_json_writer *w, struct json_t *object,
                           const struct tan_sensitivity *rows, int n, enum tan_method method,
                           const char *answer)
{
    json_t *list = n > 0 ? tan_json_set_array(w, object, "sensitivity") : NULL;
    for (int i = 0; i < n; i++) {
        char text[TAN_SENTENCE];
        const struct tan_interval stays = rows[i].stays;
        json_t *row = tan_json_append_object(w, list);
        tan_json_set_string(w, row, "parameter", tan_param_key(method, rows[i].param));
        tan_report_set_us(w, row, "value_us", rows[i].value);
        tan_json_set_pair(w, row, "stays_best_us", tan_json_us_digits(stays.low, 4),
                          isfinite(stays.high) ? tan_json_us_digits(stays.high, 4) : json_null());
        set_moved(w, row, "half", &rows[i].half);
        set_moved(w, row, "twice", &rows[i].twice);
        tan_json_set_string(w, row, "text", row_text(rows, i, method, answer, text));
    }
}

const char *tan_runner_up_text(const char *name, double share, double mean_loss, double slower,
                               char text[TAN_SENTENCE])
{
    char loss[TAN_CELL];
    if (isnan(share)) {
        const bool ties = slower <= TAN_SEARCH_EQUAL;
        snprintf(text, TAN_SENTENCE, "The runner-up, %s, %s%s%s.", name,
                 ties ? "is as fast" : "takes ",
                 ties ? "" : tan_format_share(slower, loss, sizeof loss), ties ? "" : " longer");
    } else if (share < 0.01) {
        snprintf(text, TAN_SENTENCE, "The runner-up, %s, costs %s on average.", name,
                 tan_format_share(mean_loss, loss, sizeof loss));
    } else {
        snprintf(text, TAN_SENTENCE,
                 "The runner-up, %s, is the best with a probability of %.0f %% and costs %s on "
                 "average.",
                 name, 100.0 * share, tan_format_share(mean_loss, loss, sizeof loss));
    }
    return text;
}
