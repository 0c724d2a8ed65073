/* results_restore.h - results of a run that did not finish, from their file
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RESULTS_RESULTS_RESTORE_H
#define TAN_TANBENCH_RESULTS_RESULTS_RESTORE_H

#include <jansson.h>

#include "base/error.h"
#include "tanbench/results/results.h"

/* The document in file `path`, tan-results/1: a new reference. NULL with an error. */
json_t *tan_restore_load(const char *path, struct tan_error *e);

/* The command line that began the run, as a JSON array of strings: a new reference. NULL on
 * failure, also if other users own or can write the file, since the command will be executed. */
json_t *tan_restore_command(const char *path, struct tan_error *e);
/* Number of complete launches in it, from the first one up to the first incomplete one. A launch
 * is complete with `visits` parts (at least 1), one for each cell and pass. */
int tan_restore_launches(const json_t *document, int visits);

/* Add the complete cells of `document`, read from `path`, to the results of the same plan, which
 * are empty. What of the environment differs from r->environment is named on stderr. Fails if the
 * plan has other cells or settings. */
int tan_restore_results(struct results *r, const json_t *document, const char *path,
                        struct tan_error *e);

#endif
