/* outputs.h - files that a run writes, and whether they can be written
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TANBENCH_OUTPUTS_H
#define CMD_TANBENCH_OUTPUTS_H

#include "bench/results/journal.h"
#include "cmd/tanbench/options.h"

/* Before anything is measured: all outputs can be written, no two of them are the same file,
 * however it is spelled, and none is an input. Files may be made beside them for a moment. */
int outputs_check(const struct options *o, struct tan_error *e);
/* The journal that the options ask for, or NULL; `buffer` may hold its path. *mode: how the first
 * launch opens it. */
const char *outputs_journal(const struct options *o, enum journal_mode *mode,
                            char buffer[JOURNAL_PATH_MAX]);
/* After a failure: say how to go on when `journal` (NULL: none) holds what was measured. */
void outputs_print_resume(const char *journal);

#endif
