/* source.c - buffered sequential input from a file, pipe, gzip or memory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/goal/source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"

enum { KEPT = 1 << 15, CHUNK = 1 << 16, CAPACITY = KEPT + TAN_SOURCE_AHEAD + CHUNK };

static int make_buffer(struct tan_source *s, struct tan_error *e)
{
    s->buffer = malloc(CAPACITY + 1);
    if (s->buffer == NULL) {
        return tan_fail_nomem(e);
    }
    s->at = s->end = s->buffer;
    *s->end = '\0';
    return tan_source_fill(s, e);
}

int tan_source_open(struct tan_source *s, const char *path, struct tan_error *e)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    *s = (struct tan_source){.name = tan_input_name(path)};
    if (path[0] == '\0') {
        return tan_fail_usage(e, "the name of a file to read is empty");
    }
    const int fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return tan_fail_errno(e, "cannot read %s", s->name);
    }
    errno = ENOMEM; /* for errors that zlib does not describe */
    s->file = gzdopen(fd, "rb");
    if (s->file == NULL) {
        tan_fail_errno(e, "cannot read %s", s->name);
        close(fd);
        return -1;
    }
    gzbuffer(s->file, CHUNK / 2); /* read plain files directly into the buffer */
    return make_buffer(s, e);
}

int tan_source_memory(struct tan_source *s, const void *data, size_t length, const char *name,
                      struct tan_error *e)
{
    *s = (struct tan_source){.name = name, .memory = data, .memory_left = length};
    return make_buffer(s, e);
}

void tan_source_close(struct tan_source *s)
{
    if (s->file != NULL) {
        gzclose(s->file);
    }
    free(s->buffer);
    *s = (struct tan_source){.name = s->name};
}

static int read_file(struct tan_source *s, size_t wanted, size_t *got, struct tan_error *e)
{
    errno = 0;
    const int count = gzread(s->file, s->end, (unsigned)wanted);
    int code;
    const char *problem = gzerror(s->file, &code);
    if (code == Z_ERRNO) {
        return tan_fail_errno(e, "cannot read %s", s->name);
    }
    if (count < 0 || code == Z_BUF_ERROR) {
        return tan_fail_at(e, s->name, 0, 0, "cannot be decompressed: %s",
                           code == Z_BUF_ERROR ? "it ends too early" : problem);
    }
    *got = (size_t)count;
    return 0;
}

static size_t read_memory(struct tan_source *s, size_t wanted)
{
    const size_t count = wanted < s->memory_left ? wanted : s->memory_left;
    if (count > 0) {
        memcpy(s->end, s->memory, count);
        s->memory += count;
        s->memory_left -= count;
    }
    return count;
}

int tan_source_fill(struct tan_source *s, struct tan_error *e)
{
    const size_t used = (size_t)(s->at - s->buffer);
    const size_t dropped = used > KEPT ? used - KEPT : 0;
    memmove(s->buffer, s->buffer + dropped, (size_t)(s->end - s->buffer) - dropped);
    s->at -= dropped;
    s->end -= dropped;
    s->offset += dropped;
    const size_t wanted = (size_t)(s->buffer + CAPACITY - s->end);
    size_t got = 0;
    if (s->file == NULL) {
        got = read_memory(s, wanted);
    } else if (read_file(s, wanted, &got, e) < 0) {
        return -1;
    }
    s->end += got;
    *s->end = '\0';
    s->ended = got < wanted;
    return 0;
}
