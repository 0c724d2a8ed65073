/* progress.c - progress of a run on stderr
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/progress.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/text.h"

/* Of the terminal: a line that wraps could not be overwritten. */
static int terminal_columns(void)
{
    enum { USUAL = 80 };
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : USUAL;
}

void progress_say(bool another, const char *format, ...)
{
    static double last = -INFINITY;
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const double now = tan_clock_seconds();
    char line[512];
    va_list arguments;
    last = !terminal && last < 0.0 ? now : last;
    if (now - last < (!terminal ? 60.0 : another ? 0.0 : 0.5)) {
        return;
    }
    last = now;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (terminal) {
        tan_text_cut(line, terminal_columns() - 1);
    }
    fprintf(stderr, terminal ? "\r\033[K%s" : "tanbench: %s\n", line);
    fflush(stderr);
}

void progress_hide(void)
{
    if (isatty(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
