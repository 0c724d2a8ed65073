/* trace.c - a traced program: its ranks and calls
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace.h"

#include <stdlib.h>

void tan_trace_clear(struct tan_trace *trace)
{
    free(trace->rank);
    free(trace->call);
    tan_doubts_clear(&trace->doubts);
    *trace = (struct tan_trace){.ranks = 0};
}
