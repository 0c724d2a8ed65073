/* sync_policy.h - synchronisation policies of internal processes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_PLAN_SYNC_POLICY_H
#define TAN_TANBENCH_PLAN_SYNC_POLICY_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum sync_kind {
    SYNC_ALL,     /* wait for a packet from every child */
    SYNC_TIMEOUT, /* the same, but at most `timeout` after the first packet */
    SYNC_NONE,    /* forward every packet as soon as it arrives */
    SYNC_KINDS
};

/* A packet that arrives after its wave has been forwarded is late. It keeps its wave number and is
 * forwarded at once in a packet of its own; none is dropped. */
struct sync_policy {
    enum sync_kind kind;
    double timeout; /* seconds, for SYNC_TIMEOUT */
};

/* "all", "timeout:5ms" or "none"; `what` names the option or key in errors (TAN_USAGE). */
int tan_sync_policy_parse(const char *what, const char *text, struct sync_policy *sync,
                          struct tan_error *e);
/* The text that tan_sync_policy_parse reads. Returns `buffer`. */
const char *tan_sync_policy_format(const struct sync_policy *sync, char *buffer, size_t size);
void tan_sync_policy_help(FILE *to);

#endif
