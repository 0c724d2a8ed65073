/* machine_file.h - the machine file written by a calibration
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_MACHINE_FILE_H
#define TAN_TANBENCH_HOST_MACHINE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "model/machine/machine.h"

/* In both functions `file` NULL stands for the user's machine file. */

/* Copy to `machine` the parameters of single messages from the `file` about to be replaced, if it
 * has any: they remain valid. */
int machine_file_keep_messages(struct tan_machine *machine, const char *file, struct tan_error *e);
/* Save `machine` to `file`, and print its location, and the `next` command, to `to`. If it is not
 * `trusted`, the user's machine file is kept and the new one is written beside it; a file named
 * explicitly is replaced in any case. */
int machine_file_save(const struct tan_machine *machine, const char *file, bool trusted,
                      const char *next, FILE *to, struct tan_error *e);

#endif
