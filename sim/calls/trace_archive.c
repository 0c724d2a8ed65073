/* trace_archive.c - the calls of a job's ranks, whatever files they stand in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/calls/trace_archive.h"

#include <stdlib.h>

#include "sim/calls/trace_files.h"
#include "sim/calls/trace_text.h"

/* Text: a file for each rank */

static bool holds_text(const char *path)
{
    (void)path;
    return true; /* what it is not is said when it is opened */
}

static void close_text(void *archive)
{
    tan_trace_files_clear(archive);
    free(archive);
}

static void *open_text(const char *path, uint32_t *ranks, struct tan_error *e)
{
    struct trace_files *files = calloc(1, sizeof *files);
    if (files == NULL) {
        tan_fail_nomem(e);
    } else if (tan_trace_files_find(path, files, e) < 0) {
        close_text(files);
        files = NULL;
    } else {
        *ranks = files->n;
    }
    return files;
}

static const char *path_of_text(const void *archive, uint32_t rank)
{
    return ((const struct trace_files *)archive)->path[rank];
}

static void *open_text_rank(void *archive, uint32_t rank, struct trace_names *names,
                            struct tan_error *e)
{
    const struct trace_files *files = archive;
    return tan_trace_text_open(files->path[rank], rank, files->n, names, e);
}

static int next_in_text(void *reader, struct trace_event *event, struct tan_error *e)
{
    return tan_trace_text_next(reader, event, e);
}

static const struct trace_source *source_of_text(const void *reader)
{
    return tan_trace_text_source(reader);
}

static void close_text_rank(void *reader)
{
    tan_trace_text_close(reader);
}

const struct trace_format tan_trace_text_format = {
    holds_text,   open_text,      path_of_text,    open_text_rank,
    next_in_text, source_of_text, close_text_rank, close_text,
};

/* Any */

/* The last one takes what the others do not. */
static const struct trace_format *const formats[] = {&tan_trace_otf2_format,
                                                     &tan_trace_text_format};

int tan_trace_archive_open(const char *path, struct trace_archive *out, struct tan_error *e)
{
    size_t i = 0;
    while (!formats[i]->holds(path)) {
        i++;
    }
    *out = (struct trace_archive){.format = formats[i]};
    out->own = formats[i]->open(path, &out->ranks, e);
    return out->own == NULL ? -1 : 0;
}

const char *tan_trace_archive_path(const struct trace_archive *a, uint32_t rank)
{
    return a->format->path(a->own, rank);
}

void tan_trace_archive_close(struct trace_archive *a)
{
    if (a->own != NULL) {
        a->format->close(a->own);
    }
    a->own = NULL;
}

int tan_trace_reader_open(const struct trace_archive *a, uint32_t rank, struct trace_names *names,
                          struct trace_reader *out, struct tan_error *e)
{
    *out = (struct trace_reader){a->format, a->format->open_rank(a->own, rank, names, e)};
    return out->own == NULL ? -1 : 0;
}

int tan_trace_reader_next(struct trace_reader *r, struct trace_event *event, struct tan_error *e)
{
    return r->format->next(r->own, event, e);
}

const struct trace_source *tan_trace_reader_source(const struct trace_reader *r)
{
    return r->format->source(r->own);
}

void tan_trace_reader_close(struct trace_reader *r)
{
    if (r->own != NULL) {
        r->format->close_rank(r->own);
    }
    r->own = NULL;
}
