/* input.c - standard input, kept so that it can be read again
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/output.h"

static bool is_input(const char *path)
{
    return path && !strcmp(path, "-");
}

int input_uses(const struct options *o)
{
    int uses = is_input(o->experiment) + is_input(o->machine) + is_input(o->emulate);

    for (int i = 0; i < o->n_topologies; i++) {
        uses += !strcmp(o->topologies[i], "file:-");
    }
    return uses;
}

int input_keep(const struct options *o, struct tan_error *e)
{
    size_t length;
    size_t written = 0;

    if (input_uses(o) == 0) {
        return 0;
    }
    char *text = tan_read_file("-", &length, e);
    if (!text) {
        return -1;
    }
    int fd = memfd_create("standard input", MFD_CLOEXEC);
    for (ssize_t n = fd; n >= 0 && written<length; written += n> 0 ? (size_t)n : 0) {
        n = write(fd, text + written, length - written);
    }
    int failed = fd < 0 || written < length || dup2(fd, STDIN_FILENO) < 0
                     ? tan_fail_errno(e, "cannot keep standard input")
                     : 0;
    if (fd >= 0) {
        close(fd);
    }
    free(text);
    rewind(stdin);
    return failed;
}
