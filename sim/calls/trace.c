/* trace.c - a traced program: its ranks and calls, and how it becomes a larger one
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace.h"

#include <stdlib.h>

void tan_trace_clear(struct tan_trace *trace)
{
    free(trace->rank);
    free(trace->call);
    free(trace->growth.pattern);
    free(trace->growth.comm);
    *trace = (struct tan_trace){.ranks = 0};
}
