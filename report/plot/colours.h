/* colours.h - colours of series and hosts, for light and dark backgrounds
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PLOT_COLOURS_H
#define TAN_REPORT_PLOT_COLOURS_H

#include <stdio.h>

enum { TAN_COLOURS = 7 };

/* As "#0072b2": the colours for light backgrounds, which pictures contain. */
extern const char *const tan_colours[TAN_COLOURS];
/* Write CSS rules that replace these colours, for dark backgrounds. */
void tan_colours_dark(FILE *to);

#endif
