/* gather.h - for whom an internal process waits before it reduces and sends on
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_GATHER_H
#define TANBENCH_GATHER_H

#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

enum gather_kind {
    GATHER_ALL,     /* for a packet of every child */
    GATHER_TIMEOUT, /* the same, but no longer than some time after the first one came */
    GATHER_NONE,    /* for nobody: every packet goes on as it came */
    GATHER_KINDS
};

/* Packets that come after the others of their wave have gone on are late. They keep the number of
 * their wave and go on at once in a packet of their own; none is dropped. */
struct gather {
    enum gather_kind kind;
    double timeout; /* seconds, of GATHER_TIMEOUT */
};

/* "all", "timeout:5ms" or "none"; `what` names the option or key in errors (TAN_USAGE). */
int gather_parse(const char *what, const char *text, struct gather *gather, struct tan_error *e);
/* What gather_parse reads. Returns `buffer`. */
const char *gather_format(const struct gather *gather, char *buffer, size_t size);
void gather_help(FILE *to);

#endif
