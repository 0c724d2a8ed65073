/* outputs.h - output files of a run, and checks that they can be written
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TANBENCH_OUTPUTS_H
#define TAN_CMD_TANBENCH_OUTPUTS_H

#include <time.h>

#include "cmd/tanbench/options.h"

/* Check before measuring that all outputs can be written, that no two are the same file, however
 * spelled, and that none is an input. May create files next to them temporarily, and creates the
 * folders of the user's machine file. */
int outputs_check(const struct options *o, struct tan_error *e);
/* The file with the results so far, for other launches and for `tanbench resume`; NULL: none. */
const char *outputs_results(const struct options *o);
/* After a failure: print how to resume if the file of --json is one written `since` then. */
void outputs_print_resume(const struct options *o, time_t since);

#endif
