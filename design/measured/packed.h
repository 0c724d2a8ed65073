/* packed.h - text in compressed files and archives
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_MEASURED_PACKED_H
#define TAN_DESIGN_MEASURED_PACKED_H

#include <stddef.h>

#include "base/error.h"

/* As tan_read_text, but if the input is packed by gzip, what is in it, and of a tar archive, packed
 * or not, the only member NAME.csv, apart from the ._NAME.csv that macOS adds; if there are several
 * or none, the error names them. */
char *tan_packed_text(const char *path, size_t *length, struct tan_error *e);

#endif
