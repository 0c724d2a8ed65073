/* installed.h - version of a target on this machine
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_DESIGN_TARGETS_INSTALLED_H
#define TAN_DESIGN_TARGETS_INSTALLED_H

#include "design/targets/target.h"

/* As tan_target_find; `installed`: for the version that the target's own program reports, which is
 * an error if that program does not run or only one version is known. */
const struct tan_target *tan_target_requested(const char *name, bool installed,
                                              struct tan_error *e);

#endif
