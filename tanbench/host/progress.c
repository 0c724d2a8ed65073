/* progress.c - progress line on a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

bool progress_on_terminal(void)
{
    return isatty(STDERR_FILENO);
}

void progress_show(const char *format, ...)
{
    va_list arguments;

    if (!progress_on_terminal()) {
        return;
    }
    fputs("\r\033[K", stderr);
    if (format) {
        va_start(arguments, format);
        vfprintf(stderr, format, arguments);
        va_end(arguments);
    }
    fflush(stderr);
}
