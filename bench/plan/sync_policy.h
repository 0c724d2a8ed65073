/* sync_policy.h - for whom an internal process waits before it reduces and sends on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_PLAN_SYNC_POLICY_H
#define BENCH_PLAN_SYNC_POLICY_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum sync_kind {
    SYNC_ALL,     /* for a packet of every child */
    SYNC_TIMEOUT, /* the same, but no longer than some time after the first one came */
    SYNC_NONE,    /* for nobody: every packet goes on as it came */
    SYNC_KINDS
};

/* Packets that come after the others of their wave have gone on are late. They keep the number of
 * their wave and go on at once in a packet of their own; none is dropped. */
struct sync_policy {
    enum sync_kind kind;
    double timeout; /* seconds, of SYNC_TIMEOUT */
};

/* "all", "timeout:5ms" or "none"; `what` names the option or key in errors (TAN_USAGE). */
int tan_sync_policy_parse(const char *what, const char *text, struct sync_policy *sync,
                          struct tan_error *e);
/* What tan_sync_policy_parse reads. Returns `buffer`. */
const char *tan_sync_policy_format(const struct sync_policy *sync, char *buffer, size_t size);
void tan_sync_policy_help(FILE *to);

#endif
