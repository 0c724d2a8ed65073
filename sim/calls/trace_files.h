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

/* Files with "-NUMBER" in their names (the last one counts): rank-07.txt.zst, and liballprof's
 * pmpi-trace-rank-7.txt. Each number from 0 on must occur exactly once. "rank-NUMBER" followed by
 * anything but an extension is an error. */
int tan_trace_files_find(const char *dir, struct trace_files *out, struct tan_error *e);
void tan_trace_files_clear(struct trace_files *f);

#endif
