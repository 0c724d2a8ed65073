/* journal.h - finished cells on disk, for resuming a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef BENCH_RESULTS_JOURNAL_H
#define BENCH_RESULTS_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "bench/plan/plan.h"
#include "bench/sampling/sampling.h"

/* A tan-journal/1 file: one line of JSON that identifies the run, then one line for each finished
 * cell with all of its samples. Each line is one write(2), then fdatasync. A line that does not fit
 * a full disk is cut off again and retried with the next cell. */
struct journal;

/* Path of the journal of a run with results in `json` that names none: FILE.journal, written to
 * `buffer`. NULL when results go nowhere (NULL) or not to a regular file. */
enum { JOURNAL_PATH_MAX = 4096 };
const char *tan_journal_beside(const char *json, char buffer[JOURNAL_PATH_MAX]);

/* One cell of a journal. */
struct journal_entry {
    int launch, pass;         /* from 0 */
    int order;                /* of the cell in the command line: struct cell */
    struct measurement waves; /* owned */
};

struct journal_entries {
    struct journal_entry *list; /* in the order of measurement; owned */
    int n;
};

/* Treatment of an existing file by tan_journal_open. */
enum journal_mode {
    JOURNAL_NEW,      /* refuse one that is not empty */
    JOURNAL_REPLACE,  /* keep it under the name with a ~ behind it */
    JOURNAL_CONTINUE, /* it must exist and be of the same run; its cells are read */
    JOURNAL_FORCE,    /* the same, but only the plan must be that of the same run */
};

/* The identity of a run in JSON: `plan` and the parts of the environment that make times
 * comparable. `processes` is the number of ranks. NULL when memory is short. */
json_t *tan_journal_head(const struct plan *plan, const json_t *environment);

/* Open `path` for adding cells; no other process can at the same time. With JOURNAL_CONTINUE the
 * cells that are there come in `entries`; a last line that was cut off is dropped, with a message
 * on stderr. */
struct journal *tan_journal_open(const char *path, enum journal_mode mode, const json_t *head,
                                 struct journal_entries *entries, struct tan_error *e);
/* Whether tan_journal_open could open `path` now; nothing is made or changed. */
int tan_journal_check(const char *path, enum journal_mode mode, struct tan_error *e);
/* It holds at least one cell; false when it cannot be read. */
bool tan_journal_has_cells(const char *path);
/* Add one cell, and those that could not be added before. */
int tan_journal_add(struct journal *j, const struct journal_entry *entry, const char *spec,
                    struct tan_error *e);
/* Close; `finished`: remove the file. NULL is allowed. */
void tan_journal_close(struct journal *j, bool finished);

/* The words of the command line that journal `path` was begun with, as a JSON array of texts: a new
 * reference. */
json_t *tan_journal_command(const char *path, struct tan_error *e);
/* Read the cells of a journal without opening it for writing, and count the launches, of `visits`
 * visits to cells each, that are complete from the first on. */
int tan_journal_launches(const char *path, int visits, int *complete, struct tan_error *e);
void tan_journal_entries_clear(struct journal_entries *entries);

#endif
