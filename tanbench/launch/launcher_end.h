/* launcher_end.h - end of a launcher that cannot end its job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_LAUNCHER_END_H
#define TANBENCH_LAUNCH_LAUNCHER_END_H

/* A launcher that is asked to end a job waits for its daemons on all hosts, for ever when one of
 * them cannot be reached, also after SIGTERM; and a daemon that is cut off waits for its launcher.
 * A process of its own gives the launchers and daemons that this rank descends from `seconds` to
 * end, then kills them with all of their processes. Best effort. */
void launcher_end(int seconds);

#endif
