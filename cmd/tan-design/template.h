/* template.h - a machine file to fill in
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_CMD_TAN_DESIGN_TEMPLATE_H
#define TAN_CMD_TAN_DESIGN_TEMPLATE_H

#include <stdio.h>

/* Print nothing but the file on `to`, and what its keys mean on `remarks`. */
void template_print(FILE *to, FILE *remarks);

#endif
