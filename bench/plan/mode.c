/* mode.c - table of the measuring modes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/plan/mode.h"

const struct mode_info tan_modes[MODES] = {
    [MODE_WAVES] = {.name = "waves",
                    .help = "the root asks, every leaf answers, and the round trip is timed with "
                            "one clock"},
    [MODE_ONEWAY] = {.name = "oneway",
                     .help = "leaves with synchronised clocks send together at an agreed instant; "
                             "the ways down and up are timed separately",
                     .clocks = true},
    [MODE_STREAM] = {.name = "stream",
                     .help = "leaves push packets by themselves, --frequency of them per second "
                             "for --duration",
                     .clocks = true,
                     .pushes = true},
    [MODE_FAILURES] = {.name = "failures",
                       .help = "as waves, on a tree that heals when a process falls silent",
                       .heals = true},
};
