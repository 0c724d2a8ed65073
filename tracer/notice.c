/* notice.c - what the tracer says to the user and to tan-trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/notice.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
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

/* The marker is an empty file of tan-trace's. */
void notice_incomplete(void)
{
    const char *marker = getenv("TAN_TRACE_MARKER");
    if (marker != NULL && truncate(marker, 1) < 0) {
        notice("tan-trace cannot be told that the trace is incomplete");
    }
}
