/* journal.h - finished cells on disk, for resuming a run
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_BENCH_RESULTS_JOURNAL_H
#define TAN_BENCH_RESULTS_JOURNAL_H

#include <jansson.h>
#include <stdbool.h>

#include "base/error.h"
#include "bench/plan/plan.h"
#include "bench/sampling/sampling.h"

/* A tan-journal/1 file: a line of JSON that identifies the run (the head), then a line for each
 * finished cell with all its samples. A line is written by one write(2), followed by fdatasync. If
 * that fails, as on a full disk, what was written of it is removed, and it is written again with
 * the next cell. */
struct journal;

/* Default path of the journal of a run with results in `json`: FILE.journal, written to `buffer`.
 * NULL if `json` is NULL, "-" or no regular file, or the path is too long. */
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
    JOURNAL_REPLACE,  /* rename it, with "~" appended to its name, unless it is empty */
    JOURNAL_CONTINUE, /* require it, from the same run, and read its cells */
    JOURNAL_FORCE,    /* the same, but require only the same plan */
};

/* The head: `plan`, the command, and the parts of the environment that affect times. A new
 * reference; NULL if memory is short. */
json_t *tan_journal_head(const struct plan *plan, const json_t *environment);

/* Open and lock `path` for adding cells; `head` is compared with that of an existing journal, or
 * written. `entries`, owned by the caller, gets the cells of a continued journal and is empty
 * otherwise. A truncated last line is dropped, with a message on stderr. NULL on failure. */
struct journal *tan_journal_open(const char *path, enum journal_mode mode, const json_t *head,
                                 struct journal_entries *entries, struct tan_error *e);
/* Check that tan_journal_open could open and lock `path`, without reading, creating or changing
 * it. */
int tan_journal_check(const char *path, enum journal_mode mode, struct tan_error *e);
/* Whether it has at least one cell; false if it cannot be read. */
bool tan_journal_has_cells(const char *path);
/* Add a cell with its `spec`, and any that could not be written before. After a failure the cell is
 * kept for the next call, unless memory was short. */
int tan_journal_add(struct journal *j, const struct journal_entry *entry, const char *spec,
                    struct tan_error *e);
/* Close; `finished`: remove the file. NULL is allowed. */
void tan_journal_close(struct journal *j, bool finished);

/* The command line that began journal `path`, as a JSON array of strings: a new reference. NULL on
 * failure, also if other users own or can write the file, since the command will be executed. */
json_t *tan_journal_command(const char *path, struct tan_error *e);
/* Count the complete launches in a journal, from the first one up to the first incomplete one. A
 * launch is complete with `visits` entries (at least 1), one for each cell and pass. */
int tan_journal_launches(const char *path, int visits, int *complete, struct tan_error *e);
void tan_journal_entries_clear(struct journal_entries *entries);

#endif
