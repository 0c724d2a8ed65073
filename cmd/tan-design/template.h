/* template.h - a machine file to fill in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_TEMPLATE_H
#define TAN_CMD_TAN_DESIGN_TEMPLATE_H

#include <stdio.h>

/* Print only the file to `to`, so that it can be redirected; what its keys mean to `remarks`. */
void template_print(FILE *to, FILE *remarks);

#endif
