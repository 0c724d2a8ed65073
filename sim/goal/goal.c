/* goal.c - format detection of GOAL inputs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/goal.h"

#include <string.h>

#include "sim/goal/goal_internal.h"

/* The first eight bytes as a little-endian number, 0 if there are fewer. */
static uint64_t magic_of(const struct tan_source *in)
{
    uint64_t magic = 0;
    if (in->end - in->at < 8) {
        return 0;
    }
    for (int i = 7; i >= 0; i--) {
        magic = magic << 8 | (unsigned char)in->at[i];
    }
    return magic;
}

static struct tan_schedule *read_any(struct tan_source *in, const struct tan_goal_options *options,
                                     struct tan_error *e)
{
    switch (magic_of(in)) {
    case TAN_GOAL_MAGIC:
        return tan_goal_read_binary(in, e);
    case TAN_GOAL_SPENT:
        tan_fail_at(e, in->name, 0, 0,
                    "this binary schedule was used up by a run of LogGOPSim with --save-mem; "
                    "convert its text again");
        return NULL;
    default:
        return tan_goal_read_text(in, options, e);
    }
}

struct tan_schedule *tan_goal_load(const char *path, const struct tan_goal_options *options,
                                   struct tan_error *e)
{
    struct tan_source in;
    struct tan_schedule *schedule = NULL;
    if (tan_source_open(&in, path, e) == 0) {
        schedule = read_any(&in, options, e);
    }
    tan_source_close(&in);
    return schedule;
}

struct tan_schedule *tan_goal_parse(const void *data, size_t length, const char *source,
                                    const struct tan_goal_options *options, struct tan_error *e)
{
    struct tan_source in;
    struct tan_schedule *schedule = NULL;
    if (tan_source_memory(&in, data, length, source, e) == 0) {
        schedule = read_any(&in, options, e);
    }
    tan_source_close(&in);
    return schedule;
}
