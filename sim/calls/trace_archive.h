/* trace_archive.h - the calls of a job's ranks, whatever files they stand in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_ARCHIVE_H
#define SIM_CALLS_TRACE_ARCHIVE_H

#include "base/error.h"
#include "sim/calls/trace_event.h"
#include "sim/calls/trace_names.h"

/* How traces of one kind are read; -1 and NULL are failures, with an error. */
struct trace_format {
    /* Whether a path is of this kind, which must be there. */
    bool (*holds)(const char *path);
    /* Open what all ranks share, and say how many there are. */
    void *(*open)(const char *path, uint32_t *ranks, struct tan_error *e);
    /* What errors in the calls of a rank are to name; valid until the archive is closed. */
    const char *(*path)(const void *archive, uint32_t rank);
    /* Begin with the calls of a rank; of several at the same time, too. The names are borrowed. */
    void *(*open_rank)(void *archive, uint32_t rank, struct trace_names *names,
                       struct tan_error *e);
    /* 1: *event is the next one; 0: there are no more. */
    int (*next)(void *reader, struct trace_event *event, struct tan_error *e);
    /* What was read so far of the whole. */
    const struct trace_source *(*source)(const void *reader);
    void (*close_rank)(void *reader);
    void (*close)(void *archive);
};

extern const struct trace_format tan_trace_text_format; /* a folder with a file for each rank */
extern const struct trace_format tan_trace_otf2_format; /* an anchor file, or the folder with one */

struct trace_archive {
    const struct trace_format *format;
    void *own;
    uint32_t ranks;
};

struct trace_reader {
    const struct trace_format *format;
    void *own;
};

int tan_trace_archive_open(const char *path, struct trace_archive *out, struct tan_error *e);
const char *tan_trace_archive_path(const struct trace_archive *a, uint32_t rank);
/* One that is zero is allowed. */
void tan_trace_archive_close(struct trace_archive *a);

int tan_trace_reader_open(const struct trace_archive *a, uint32_t rank, struct trace_names *names,
                          struct trace_reader *out, struct tan_error *e);
int tan_trace_reader_next(struct trace_reader *r, struct trace_event *event, struct tan_error *e);
const struct trace_source *tan_trace_reader_source(const struct trace_reader *r);
/* One that is zero is allowed. */
void tan_trace_reader_close(struct trace_reader *r);

#endif
