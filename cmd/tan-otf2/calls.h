/* calls.h - one rank's calls in an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_OTF2_CALLS_H
#define CMD_TAN_OTF2_CALLS_H

#include "base/error.h"

/* Write the trace of every rank of an archive, its anchor file or the folder with it, into a folder
 * that may be there. */
int convert_archive(const char *archive, const char *folder, struct tan_error *e);

#endif
