/* stdin_copy.c - rewindable copy of standard input
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/launch/stdin_copy.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/output.h"

static int replace_stdin(const char *text, size_t length, struct tan_error *e)
{
    size_t written = 0;
    int fd = memfd_create("standard input", MFD_CLOEXEC);
    while (fd >= 0 && written < length) {
        const ssize_t n = write(fd, text + written, length - written);
        if (n < 0) {
            break;
        }
        written += (size_t)n;
    }
    int failed = fd < 0 || written < length || dup2(fd, STDIN_FILENO) < 0
                     ? tan_fail_errno(e, "cannot keep standard input")
                     : 0;
    if (fd >= 0) {
        close(fd);
    }
    rewind(stdin);
    return failed;
}

int stdin_copy(struct tan_error *e)
{
    size_t length;
    char *text = tan_read_file("-", &length, e);
    const int failed = text != NULL ? replace_stdin(text, length, e) : -1;
    free(text);
    return failed;
}
