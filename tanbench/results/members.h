/* members.h - members of measurements as keys of results, written and read by the same tables
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_MEMBERS_H
#define TAN_TANBENCH_RESULTS_MEMBERS_H

#include <stddef.h>

#include "base/error.h"
#include "base/json.h"

/* Real numbers are null if unknown (NaN). */
enum member_kind {
    MEMBER_INT,
    MEMBER_UINT32,
    MEMBER_UINT64,
    MEMBER_US,   /* seconds, written in microseconds */
    MEMBER_PPM,  /* written in parts per million */
    MEMBER_REAL, /* any other */
};

struct member {
    const char *key; /* NULL ends a table */
    size_t offset;
    enum member_kind kind;
};

extern const struct member tan_clock_members[];    /* struct clock_quality */
extern const struct member tan_flow_members[];     /* struct flow_result */
extern const struct member tan_stream_members[];   /* struct stream_result */
extern const struct member tan_recovery_members[]; /* struct recovery */
extern const struct member tan_step_members[];     /* the same: its steps */

void tan_members_set(struct tan_json_writer *w, json_t *o, const struct member *members,
                     const void *structure);
/* All members are required. */
int tan_members_read(const struct tan_json_at *at, const struct member *members, void *structure,
                     struct tan_error *e);

#endif
