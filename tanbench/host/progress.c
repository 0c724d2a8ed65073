/* progress.c - progress line on a terminal
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"

bool progress_on_terminal(void)
{
    return isatty(STDERR_FILENO);
}

/* Of the terminal: a line that wraps could not be overwritten. */
static int terminal_columns(void)
{
    enum { USUAL = 80 };
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL;
}

void progress_show(const char *format, ...)
{
    va_list arguments;
    if (!progress_on_terminal()) {
        return;
    }
    fputs("\r\033[K", stderr);
    if (format != NULL) {
        char line[512];
        va_start(arguments, format);
        vsnprintf(line, sizeof line, format, arguments);
        va_end(arguments);
        tan_text_cut(line, terminal_columns() - 1);
        fputs(line, stderr);
    }
    fflush(stderr);
}
