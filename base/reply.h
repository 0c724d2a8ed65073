/* reply.h - an answer of one screen: what to do, one table, from what, how sure, what to paste
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An answer is a JSON object, which terminal and page print, so that they cannot differ. Its lists
 * of sentences are named after enum tan_part; "columns" {key, label, kind} and "rows" are its
 * table, and "details" more such tables, each with a "title". */
#ifndef TAN_BASE_REPLY_H
#define TAN_BASE_REPLY_H

#include <stdbool.h>
#include <stdio.h>

#include "base/json.h"
#include "base/text.h"

/* In the order in which they are printed; the table comes after the first. */
enum tan_part {
    TAN_PART_BEFORE,  /* doubts that change the answer */
    TAN_PART_FIRST,   /* what to do, what it gives, against what the reader has today */
    TAN_PART_REMARKS, /* on the table */
    TAN_PART_FROM,    /* numbers as given, and what was assumed */
    TAN_PART_SURE,    /* how sure it is, and "If X were ..." */
    TAN_PART_NOTES,
    TAN_PART_PASTE, /* lines for a configuration; not wrapped */
    TAN_PART_NEXT,  /* the next command */
    TAN_PARTS,
};
extern const char *const tan_part_keys[TAN_PARTS];

enum {
    TAN_REPLY_LINES = 24,
    TAN_REPLY_COLUMNS = 80,
    TAN_REPLY_ROWS = 8,   /* of the table, at most */
    TAN_REPLY_TEXT = 128, /* of a cell: so many characters, less one */
};

/* Append a sentence, or a line to paste, unless the part has it already. */
void tan_reply_say(struct tan_json_writer *w, json_t *answer, enum tan_part part,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
/* The same for each line that `print` writes of `what`; those that begin with a blank go on with
 * the one before. */
void tan_reply_say_printed(struct tan_json_writer *w, json_t *answer, enum tan_part part,
                           void (*print)(const void *what, FILE *to), const void *what);
/* A table of details, whose columns and rows the caller sets; borrowed. */
json_t *tan_reply_detail(struct tan_json_writer *w, json_t *answer, const char *title);

/* The cell of a column in a row, "" if it has none. Times, stored in microseconds, have four
 * digits, in the unit of the same column in the row `first`. */
struct tan_text tan_reply_cell(const json_t *column, const json_t *row, const json_t *first);
/* Seconds with four digits: "115.0 us", "101.0 ms", "2.639 s". */
struct tan_text tan_time_text(double seconds);
/* The same in the unit of another time, unless it is 10^5 of that or more. */
struct tan_text tan_time_like(double seconds, double like);

/* Print the answer within TAN_REPLY_LINES lines of TAN_REPLY_COLUMNS columns, whatever the
 * terminal's width, so that what is mailed is what was seen. What a longer one has too much is left
 * out: notes, rows with the highest "rank", all but the first sentence of how sure it is, remarks,
 * further rows and doubts; and the last columns of a wider table. With `details`, print all of it,
 * and the tables of details. */
void tan_reply_print(const json_t *answer, bool details, FILE *to);

#endif
