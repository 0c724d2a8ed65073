/* trace_remark.c - what makes the prediction from a trace doubtful
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_remark.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void trace_remark(struct tan_trace *t, const char *format, ...)
{
    char text[sizeof t->remark[0]];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < t->n_remarks; i++) {
        if (strcmp(t->remark[i], text) == 0) {
            return;
        }
    }
    if (t->n_remarks < TAN_TRACE_REMARKS) {
        memcpy(t->remark[t->n_remarks++], text, sizeof text);
    }
}
