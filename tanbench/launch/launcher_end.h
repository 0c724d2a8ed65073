/* launcher_end.h - ending a launcher that cannot end its job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_LAUNCH_LAUNCHER_END_H
#define TAN_TANBENCH_LAUNCH_LAUNCHER_END_H

/* A launcher asked to end a job waits for its daemons on all hosts, forever if one is unreachable,
 * even after SIGTERM; and a daemon that is cut off waits for its launcher. Forks a process that
 * gives this rank's launchers and daemons `seconds` to end, then kills them and all their
 * processes. Best effort. */
void launcher_end(int seconds);

#endif
