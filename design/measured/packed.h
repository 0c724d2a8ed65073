/* packed.h - text in compressed files and archives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_PACKED_H
#define TAN_DESIGN_MEASURED_PACKED_H

#include <stddef.h>

#include "base/error.h"

/* As tan_read_text, but unpacks gzip, and returns of a tar archive, packed or not, its only member
 * NAME.csv. The ._NAME.csv that macOS adds do not count. If there is not exactly one, the error
 * names the several, or all members. `length` must not be NULL. */
char *tan_packed_text(const char *path, size_t *length, struct tan_error *e);

#endif
