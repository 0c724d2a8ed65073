/* calls.h - calls of a rank in an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_OTF2_CALLS_H
#define TAN_CMD_TAN_OTF2_CALLS_H

#include "base/error.h"

/* Convert an archive, given its anchor file or the folder with it: write the trace of each rank R
 * to the file rank-R.txt in `folder`, which is created unless it exists. */
int convert_archive(const char *archive, const char *folder, struct tan_error *e);

#endif
