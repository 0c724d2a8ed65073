/* trace_remark.c - what makes the prediction from a trace doubtful
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_remark.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Put a sentence into a list of `most` with `width` bytes each, unless it is there or the list is
 * full.
 */
__attribute__((format(printf, 5, 0))) static void keep(char *list, size_t width, size_t most,
                                                       size_t *n, const char *format,
                                                       va_list arguments)
{
    if (*n == most) {
        return;
    }
    char *text = list + *n * width;
    vsnprintf(text, width, format, arguments);
    for (size_t i = 0; i < *n; i++) {
        if (strcmp(list + i * width, text) == 0) {
            return;
        }
    }
    (*n)++;
}

void tan_trace_remark(struct tan_trace *t, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep(t->remark[0], sizeof t->remark[0], TAN_TRACE_REMARKS, &t->n_remarks, format, arguments);
    va_end(arguments);
}

void tan_trace_doubt(struct trace_source *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    keep(s->doubt[0], sizeof s->doubt[0], sizeof s->doubt / sizeof s->doubt[0], &s->n_doubts,
         format, arguments);
    va_end(arguments);
}
