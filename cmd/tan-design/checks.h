/* checks.h - combinations of options that make no sense
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_DESIGN_CHECKS_H
#define CMD_TAN_DESIGN_CHECKS_H

#include "cmd/tan-design/config.h"

int config_check(const struct config *c, struct tan_error *e);

#endif
