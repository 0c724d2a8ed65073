/* trace_file.h - the trace of one process, written while the program runs
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRACER_TRACE_FILE_H
#define TRACER_TRACE_FILE_H

#include <stdbool.h>
#include <stdint.h>

/* Text is collected in memory and written in pieces, each of which can be read without the next
 * ones: what a killed program leaves ends at a piece, at most a second of calls earlier. */

/* Create DIR/rank-NUMBER.txt.gz, its number with leading zeros. Without success `problem` gets a
 * sentence and nothing is traced. */
bool trace_file_open(const char *dir, int rank, int ranks, char *problem, int size);
void trace_file_close(void);
/* Whether there is a file to write to; no longer after an error. */
bool trace_file_is_open(void);

void trace_text(const char *text);
void trace_number(int64_t value);
/* Nanoseconds as microseconds with three decimals. */
void trace_time(int64_t nanoseconds);
/* The end of a line; a full buffer, or one that is a second old at `now`, is written. A failure,
 * such as a full disk, ends the trace with a sentence on standard error. */
void trace_line_end(int64_t now);

#endif
