/* gnuplot.h - charts drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_REPORT_PLOT_GNUPLOT_H
#define TAN_REPORT_PLOT_GNUPLOT_H

#include <stdio.h>

#include "base/error.h"
#include "report/plot/chart.h"

/* The script that draws the chart, its data within: complete but for the terminal and the output.
 * Texts of the chart stay texts, whatever characters they have. */
void tan_gnuplot_script(const struct tan_chart *c, FILE *to);
/* The chart as an SVG element, malloc'd, with title, description and ids of its own. */
char *tan_gnuplot_svg(const struct tan_chart *c, struct tan_error *e);
/* What gnuplot wrote for the chart `name`, as such an element: the header is replaced and ids get
 * the name in front. malloc'd; NULL where memory is short or where this is no SVG. */
char *tan_svg_element(const char *svg, const char *name, const char *title, const char *caption);

/* The script's first lines: size and font, and the file that it writes, a name without quotes. */
void tan_gnuplot_terminal(const struct tan_chart *c, const char *svg, FILE *to);

#endif
