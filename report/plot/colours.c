/* colours.c - colours of series and hosts, for light and dark backgrounds
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "report/plot/colours.h"

/* Distinguishable with any colour vision (Okabe and Ito), and dark enough for a white
 * background. */
const char *const tan_colours[TAN_COLOURS] = {"#0072b2", "#d55e00", "#007a5a", "#a3488a",
                                              "#8a6000", "#3d2fa8", "#555555"};
static const char *const dark[TAN_COLOURS] = {"#5ab4f0", "#f08a4a", "#3fc79a", "#e08cc8",
                                              "#dca83c", "#a79bff", "#b8b8b8"};

void tan_colours_dark(FILE *to)
{
    static const char *const attributes[] = {"stroke", "fill", "color"};
    for (int i = 0; i < TAN_COLOURS; i++) {
        unsigned red = 0;
        unsigned green = 0;
        unsigned blue = 0;
        sscanf(tan_colours[i], "#%2x%2x%2x", &red, &green, &blue);
        for (size_t k = 0; k < sizeof attributes / sizeof attributes[0]; k++) {
            const char *a = attributes[k];
            /* gnuplot uses both forms, the second one with padded numbers */
            fprintf(to, "[%s='%s'],[%s='rgb(%3u, %3u, %3u)']{%s:%s}\n", a, tan_colours[i], a, red,
                    green, blue, a, dark[i]);
        }
    }
}
