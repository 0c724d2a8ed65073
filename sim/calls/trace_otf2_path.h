/* trace_otf2_path.h - the anchor file of an OTF2 archive
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef SIM_CALLS_TRACE_OTF2_PATH_H
#define SIM_CALLS_TRACE_OTF2_PATH_H

#include <stdbool.h>

#include "base/error.h"

/* Whether a path is an archive's anchor file, or a folder with one, by its name (*.otf2). */
bool tan_trace_otf2_path_is(const char *path);
/* The path of the anchor file, which the caller frees. NULL: memory is short. */
char *tan_trace_otf2_path_anchor(const char *path);
/* Take the archive's files as inputs (tan_input_take), since the library opens them itself. Fails
 * where one is no regular file: the library would wait for a pipe, or read a device, for ever. */
int tan_trace_otf2_path_take(const char *anchor, struct tan_error *e);

#endif
