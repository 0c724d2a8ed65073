/* machine_file.h - machine file that a calibration writes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_MACHINE_FILE_H
#define TANBENCH_HOST_MACHINE_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "model/machine/machine.h"

/* `file` NULL is the user's machine file in both. */

/* Give `machine` the parameters of single messages in the `file` to be replaced, if it has some:
 * they remain valid. */
int machine_file_keep_messages(struct tan_machine *machine, const char *file, struct tan_error *e);
/* Save `machine` to `file`, and print to `to` where it is. What is not `trusted` leaves the user's
 * machine file as it is and goes beside it; a file that was named is replaced all the same. */
int machine_file_save(const struct tan_machine *machine, const char *file, bool trusted, FILE *to,
                      struct tan_error *e);

#endif
