/* trace_file.h - the trace of one process, written while the program runs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_TRACE_FILE_H
#define TRACER_TRACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Text is collected in memory, compressed with zstd and written in pieces, each of which can be
 * read without the next ones: what a killed program leaves ends at a piece, at most a second of
 * calls earlier. Pieces are small, so that a rank is never away from its calls for long: others
 * would wait for it. */

/* Create DIR/rank-NUMBER.txt.zst, its number with leading zeros, and remove files of an older trace
 * from the folder that this one does not write; `removed` gets their number. Without success
 * `problem` gets a sentence and nothing is traced. */
bool trace_file_open(const char *dir, int rank, int ranks, int *removed, char *problem, int size);
/* Also where the program ends without MPI_Finalize. */
void trace_file_close(void);
/* Whether there is a file to write to; no longer after an error. */
bool trace_file_is_open(void);

/* Where text goes; `end` is not to be written. */
struct trace_text {
    char *at, *end;
};
extern struct trace_text trace_out;

/* More room; where there is none, the trace ends, and what is written goes nowhere. */
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

/* Digits of a number without a sign, written to `to`, which has room for 24; the next place. */
char *trace_put(char *to, uint64_t value);
void trace_number(int64_t value);
/* Nanoseconds as microseconds with three decimals. */
void trace_time(int64_t nanoseconds);
/* Bytes since the last piece: a line can be taken back by giving what they were before it. */
size_t trace_mark(void);
void trace_back(size_t mark);
/* The end of a line; true: a piece is full, or a second old at `now`, and is to be written. */
bool trace_line_end(int64_t now);
/* Write what there is. A failure, such as a full disk, ends the trace with a sentence on standard
 * error. */
void trace_write_piece(int64_t now);

#endif
