/* colours.h - colours of series and hosts, on light and on dark paper
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PLOT_COLOURS_H
#define TAN_REPORT_PLOT_COLOURS_H

#include <stdio.h>

enum { TAN_COLOURS = 7 };

/* As "#0072b2": pictures have the colours for light paper. */
extern const char *const tan_colours[TAN_COLOURS];
/* Style rules that give pictures of a page the colours for dark paper. */
void tan_colours_dark(FILE *to);

#endif
