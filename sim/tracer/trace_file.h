/* trace_file.h - trace of one process, written while the program runs; the lock around its lines
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_SIM_TRACER_TRACE_FILE_H
#define TAN_SIM_TRACER_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Text is buffered, compressed with zstd and written in independent pieces, so that the trace of a
 * killed program ends with a complete piece and lacks less than a second's calls. Pieces are small
 * to keep ranks from pausing for long, which would delay the others. */

/* Create DIR/rank-NUMBER.txt.zst, the number with leading zeros, and delete files of an older trace
 * that this one does not overwrite; their number is stored in `removed`. On failure `problem`
 * receives a sentence and nothing is traced. */
bool trace_file_open(const char *dir, int rank, int ranks, int *removed, char *problem, int size);
/* Where the program ends without MPI_Finalize, this is done then, and tan-trace told. */
void trace_file_close(void);
/* Whether the file is open and no error has occurred. */
bool trace_file_is_open(void);
/* Whether an error has left the trace incomplete, or prevented it. */
bool trace_file_is_lost(void);

/* Output buffer; `end` itself must not be written. */
struct trace_text {
    char *at, *end;
};
extern struct trace_text trace_out;

/* Enlarge the buffer; on failure the trace ends and further output is discarded. */
void trace_grow(size_t bytes);

static inline char *trace_room(size_t bytes)
{
    if ((size_t)(trace_out.end - trace_out.at) < bytes) {
        trace_grow(bytes);
    }
    return trace_out.at;
}

static inline void trace_bytes(const char *text, size_t length)
{
    memcpy(trace_room(length), text, length);
    trace_out.at += length;
}

static inline void trace_text(const char *text)
{
    trace_bytes(text, strlen(text));
}

/* Write an unsigned number to `to`, which has room for 24 digits; returns the end. */
char *trace_put(char *to, uint64_t value);
void trace_number(int64_t value);
/* Write nanoseconds as microseconds with three decimals. */
void trace_time(int64_t nanoseconds);
/* Bytes since the last piece, to which the buffer can be reset to discard a line. */
size_t trace_mark(void);
void trace_back(size_t mark);
/* End a line; true if a piece is full, or a second old at `now`, and must be written. */
bool trace_line_end(int64_t now);
/* Write the buffer. A failure, such as a full disk, ends the trace with a message on standard
 * error. */
void trace_write_piece(int64_t now);

/* Lock around anything that several threads may do; no-op until lines_have_threads. */
void lines_have_threads(void);
void lines_lock(void);
void lines_unlock(void);

/* Write "NAME:START", and ":END:REQUEST" with the line end; a negative request is omitted. */
void lines_begin(const char *name, int64_t start);
void lines_end(int64_t end, int64_t request);

#endif
