/* notice.c - messages to the user and to tan-trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/notice.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"

void notice(const char *format, ...)
{
    enum { LONGEST = 1 << 14 };
    char text[LONGEST];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    fprintf(stderr, "libtantrace: %s\n", tan_printable(text));
}

bool notice_is_first(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK",
                                        "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *rank = getenv(names[i]);
        if (rank != NULL && *rank != '\0') {
            return strcmp(rank, "0") == 0;
        }
    }
    return true;
}

/* The marker is an empty file that tan-trace creates; any content means an incomplete trace. */
void notice_incomplete(void)
{
    const char *marker = getenv("TAN_TRACE_MARKER");
    if (marker != NULL && truncate(marker, 1) < 0) {
        notice("tan-trace will not report that the trace is incomplete: cannot write %s: %s",
               marker, strerror(errno));
    }
}
