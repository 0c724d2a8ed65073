/* source.h - buffered sequential input from a file, pipe, gzip or memory
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_GOAL_SOURCE_H
#define TAN_SIM_GOAL_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <zlib.h>

#include "base/error.h"

/* tan_source_fill provides at least this many bytes from `at` on, unless the input ends earlier. */
#define TAN_SOURCE_AHEAD 4096

struct tan_source {
    const char *name;   /* for errors; borrowed */
    char *buffer;       /* text read last; keeps up to 32 KiB before `at`, to quote in errors */
    const char *at;     /* the next byte */
    char *end;          /* end of the text read; always holds a NUL */
    bool ended;         /* end of input reached */
    uint64_t offset;    /* of buffer[0] in the input */
    gzFile file;        /* NULL: memory */
    const char *memory; /* the unread part; borrowed */
    size_t memory_left;
};

/* Both leave *s valid for tan_source_close, even on failure. `path` "-" is standard input. */
int tan_source_open(struct tan_source *s, const char *path, struct tan_error *e);
int tan_source_memory(struct tan_source *s, const void *data, size_t length, const char *name,
                      struct tan_error *e);
void tan_source_close(struct tan_source *s);

/* Read more. Moves the buffer's contents, which invalidates pointers into it. */
int tan_source_fill(struct tan_source *s, struct tan_error *e);

/* Offset of `at` in the input. */
static inline uint64_t tan_source_offset(const struct tan_source *s)
{
    return s->offset + (uint64_t)(s->at - s->buffer);
}

#endif
