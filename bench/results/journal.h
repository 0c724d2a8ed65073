/* journal.h - finished cells on disk, for resuming a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_JOURNAL_H
#define TAN_BENCH_RESULTS_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "bench/plan/plan.h"
#include "bench/sampling/sampling.h"

/* A tan-journal/1 file: a line of JSON that identifies the run, then a line for each finished cell
 * with all its samples. Each line is one write(2) followed by fdatasync. If a full disk truncates a
 * line, it is removed and retried with the next cell. */
struct journal;

/* Default path of the journal of a run with results in `json`: FILE.journal, written to `buffer`.
 * NULL if results are not saved (NULL) or not in a regular file. */
enum { JOURNAL_PATH_MAX = 4096 };
const char *tan_journal_beside(const char *json, char buffer[JOURNAL_PATH_MAX]);

/* A cell in a journal. */
struct journal_entry {
    int launch, pass;         /* from 0 */
    int order;                /* of the cell in the command line: struct cell */
    struct measurement waves; /* owned */
};

struct journal_entries {
    struct journal_entry *list; /* in the order of measurement; owned */
    int n;
};

/* How tan_journal_open treats an existing file. */
enum journal_mode {
    JOURNAL_NEW,      /* refuse it unless it is empty */
    JOURNAL_REPLACE,  /* keep it, with "~" appended to its name */
    JOURNAL_CONTINUE, /* require it, from the same run, and read its cells */
    JOURNAL_FORCE,    /* the same, but require only the same plan */
};

/* The identity of a run in JSON: `plan`, and the parts of the environment that affect times.
 * `processes` is the number of ranks. NULL if memory is short. */
json_t *tan_journal_head(const struct plan *plan, const json_t *environment);

/* Open `path` exclusively for adding cells. With JOURNAL_CONTINUE `entries` gets the existing
 * cells; a truncated last line is dropped, with a message on stderr. */
struct journal *tan_journal_open(const char *path, enum journal_mode mode, const json_t *head,
                                 struct journal_entries *entries, struct tan_error *e);
/* Whether tan_journal_open could open `path`; nothing is created or changed. */
int tan_journal_check(const char *path, enum journal_mode mode, struct tan_error *e);
/* Whether it has at least one cell; false if it cannot be read. */
bool tan_journal_has_cells(const char *path);
/* Add a cell, and any that could not be added before. */
int tan_journal_add(struct journal *j, const struct journal_entry *entry, const char *spec,
                    struct tan_error *e);
/* Close; `finished`: remove the file. NULL is allowed. */
void tan_journal_close(struct journal *j, bool finished);

/* The command line that began journal `path`, as a JSON array of strings: a new reference. */
json_t *tan_journal_command(const char *path, struct tan_error *e);
/* Read the cells of a journal without opening it for writing, and count the complete launches, of
 * `visits` visits to cells each, from the first on. */
int tan_journal_launches(const char *path, int visits, int *complete, struct tan_error *e);
void tan_journal_entries_clear(struct journal_entries *entries);

#endif
