/* time_text.c - times and their intervals as text
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/report/time_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"

bool tan_is_wide(struct tan_interval ci95)
{
    return ci95.high - ci95.low > 1e-9 * fabs(ci95.high);
}

const char *tan_end_text(double seconds, struct tan_interval ci95, char buffer[TAN_CELL])
{
    char number[32];
    if (!tan_is_wide(ci95)) {
        return tan_format_time(seconds, tan_time_scale(seconds), buffer, TAN_CELL);
    }
    const struct tan_time_scale unit =
        tan_time_scale(fmax(fabs(ci95.low), (ci95.high - ci95.low) / 2.0));
    /* a third of the half-width: two digits for intervals of 15 to 26 */
    tan_format_value(seconds / unit.seconds, (ci95.high - ci95.low) / 6.0 / unit.seconds, number,
                     sizeof number);
    snprintf(buffer, TAN_CELL, "%s %s", number, unit.name);
    return buffer;
}

const char *tan_exact_text(double seconds, char buffer[TAN_CELL])
{
    return tan_end_text(seconds, TAN_INTERVAL_UNKNOWN, buffer);
}

const char *tan_short_text(double seconds, char buffer[TAN_CELL])
{
    const struct tan_time_scale unit = tan_time_scale(seconds);
    const double number = seconds / unit.seconds;
    snprintf(buffer, TAN_CELL, number < 1e3 ? "%.3g %s" : "%.0f %s", number, unit.name);
    return buffer;
}

void tan_join_ends(char low[TAN_CELL], const char *high, char buffer[TAN_CELL])
{
    if (strcmp(low, high) == 0) {
        snprintf(buffer, TAN_CELL, "%s", low);
        return;
    }
    char *unit = strrchr(low, ' ');
    if (strcmp(unit, strrchr(high, ' ')) == 0) {
        *unit = '\0';
    }
    snprintf(buffer, TAN_CELL, "%.28s to %.28s", low, high);
}

const char *tan_interval_text(struct tan_interval ci95, char buffer[TAN_CELL])
{
    char low[TAN_CELL];
    char high[TAN_CELL];
    if (!tan_is_wide(ci95)) {
        return tan_exact_text(ci95.low, buffer);
    }
    tan_end_text(ci95.low, ci95, low);
    tan_end_text(ci95.high, ci95, high);
    tan_join_ends(low, high, buffer);
    return buffer;
}
