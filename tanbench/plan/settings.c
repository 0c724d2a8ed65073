/* settings.c - settings of a run, as they are by default and in results
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/plan/settings.h"

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
                           .sync = {.kind = SYNC_ALL},
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
    char sync[64];
    tan_json_set_string(w, o, "mode", tan_modes[s->mode].name);
    tan_json_set_string(w, o, "filter", s->filter);
    tan_json_set_us(w, o, "work_us", s->work);
    tan_json_set_string(w, o, "sync", tan_sync_policy_format(&s->sync, sync, sizeof sync));
}
