/* rank0.h - what rank 0 does: measure, save, fit, print
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_CMD_RANK0_H
#define TANBENCH_CMD_RANK0_H

#include "tanbench/cmd/job.h"

/* Once all ranks are there: measure, save, print. Returns the exit status, or -1 when the
 * measurement broke off; the reason is printed. */
int rank0_run(struct job *job, struct tan_error *e);
#endif
