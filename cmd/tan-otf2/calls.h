/* calls.h - calls of a rank in an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_OTF2_CALLS_H
#define TAN_CMD_TAN_OTF2_CALLS_H

#include "base/error.h"

/* Write the trace of every rank of an archive, given its anchor file or the directory with it, to a
 * directory that may exist. */
int convert_archive(const char *archive, const char *folder, struct tan_error *e);

#endif
