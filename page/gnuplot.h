/* gnuplot.h - charts drawn by gnuplot
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_PAGE_GNUPLOT_H
#define TAN_PAGE_GNUPLOT_H

#include <stdio.h>

#include "base/error.h"
#include "page/chart.h"

/* Write the script that draws the chart as SVG, including the data. Its text is taken literally. */
void tan_gnuplot_script(const struct tan_chart *c, FILE *to);
/* The chart as an SVG element with title, description and ids that begin with its name; malloc'd,
 * NULL with an error. */
char *tan_gnuplot_svg(const struct tan_chart *c, struct tan_error *e);
/* Convert gnuplot's output for chart `name` to such an element: the header is replaced and ids are
 * prefixed with the name. malloc'd; NULL if memory is short or if this is not SVG. */
char *tan_svg_element(const char *svg, const char *name, const char *title, const char *caption);

#endif
