/* options.h - the options of tan-design
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef CMD_TAN_DESIGN_OPTIONS_H
#define CMD_TAN_DESIGN_OPTIONS_H

#include "base/cli.h"
#include "cmd/tan-design/config.h"

/* Its commands are those of enum command, its configuration a struct config. */
extern const struct tan_cli design_cli;

#endif
