/* settings.c - settings of a run, as they are by default and in results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/settings.h"

#include <string.h>

#include "base/units.h"

const struct mode_info tan_modes[MODES] = {
    [MODE_WAVES] = {.name = "waves"},
    [MODE_ONEWAY] = {.name = "oneway", .clocks = true},
    [MODE_STREAM] = {.name = "stream", .clocks = true, .pushes = true},
    [MODE_FAILURES] = {.name = "failures", .heals = true},
};

void tan_settings_default(struct settings *s)
{
    *s = (struct settings){.filter = "sum",
                           .wait = "auto",
                           .request_bytes = -1,
                           .duration = 2,
                           .warmup = 5,
                           .min_waves = 10,
                           .max_waves = 1000,
                           .max_seconds = 2,
                           .precision = 0.05,
                           .passes = 1,
                           .seed = 1,
                           .n_sizes = 1,
                           .sizes = {1024}};
}

void tan_settings_write(struct tan_json_writer *w, json_t *o, const struct settings *s)
{
    tan_json_set_string(w, o, "mode", tan_modes[s->mode].name);
    tan_json_set_string(w, o, "filter", s->filter);
    tan_json_set_us(w, o, "work_us", s->work);
}

/* --- the process that falls silent --- */

enum { MAX_WAVE = 1000000 };

int tan_failure_parse(const char *what, const char *text, struct failure *failure,
                      struct tan_error *e)
{
    int64_t number;
    int64_t wave;
    const char *at = strchr(text, '@');
    if (at == NULL || at - text >= 32) {
        return tan_fail_usage(e, "%s: \"%s\" is not PROCESS@WAVE, such as 3@20", what, text);
    }
    const struct tan_text node = tan_printed("%.*s", (int)(at - text), text);
    if (strcmp(node.text, "0") == 0 || strcmp(node.text, "root") == 0) {
        return tan_fail_usage(e, "%s: the root cannot fail, since it has the results", what);
    }
    if (tan_parse_count(what, node.text, 1, TAN_TREE_MAX_NODES - 1, &number, NULL) < 0) {
        return tan_fail_usage(e, "%s: \"%s\" is not the number of a process below the root", what,
                              node.text);
    }
    if (tan_parse_count(what, at + 1, FAIL_FIRST_WAVE, MAX_WAVE, &wave, NULL) < 0) {
        return tan_fail_usage(e,
                              "%s: \"%s\" is not a wave from %d to %d (recovery is compared with "
                              "the waves before)",
                              what, at + 1, FAIL_FIRST_WAVE, MAX_WAVE);
    }
    *failure = (struct failure){.node = (int32_t)number, .wave = (int32_t)wave};
    return 0;
}
