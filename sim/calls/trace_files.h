/* trace_files.h - files of a trace: one per rank, in a directory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_CALLS_TRACE_FILES_H
#define TAN_SIM_CALLS_TRACE_FILES_H

#include <stdint.h>

#include "base/error.h"

/* Paths by rank; owned. */
struct trace_files {
    char **path;
    uint32_t n;
};

/* Find the files whose names end with "-NUMBER", a rank, before an extension or without one:
 * rank-07.txt.zst, and liballprof's pmpi-trace-rank-7.txt. Each number from 0 to the highest one
 * must occur exactly once. Names that begin with "." are ignored. "rank-NUMBER" followed by
 * anything but an extension is an error. *out needs no clearing after a failure. */
int tan_trace_files_find(const char *dir, struct trace_files *out, struct tan_error *e);
void tan_trace_files_clear(struct trace_files *f);

#endif
