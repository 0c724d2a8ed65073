/* outputs.h - output files of a run, and checks that they can be written
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_OUTPUTS_H
#define TAN_CMD_TANBENCH_OUTPUTS_H

#include "bench/results/journal.h"
#include "cmd/tanbench/options.h"

/* Check before measuring that all outputs can be written, that no two are the same file, however
 * spelled, and that none is an input. May create files next to them temporarily, and creates the
 * folders of the user's machine file. */
int outputs_check(const struct options *o, struct tan_error *e);
/* Path of the journal: that of the options, or one beside the first output file, in `buffer`; NULL:
 * none. *mode: how the first launch opens it. */
const char *outputs_journal(const struct options *o, enum journal_mode *mode,
                            char buffer[JOURNAL_PATH_MAX]);
/* After a failure: print how to resume if `journal` (may be NULL) holds measurements. */
void outputs_print_resume(const char *journal);

#endif
