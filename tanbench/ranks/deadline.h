/* deadline.h - time limit for waits that may never end
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_RANKS_DEADLINE_H
#define TAN_TANBENCH_RANKS_DEADLINE_H

/* Print "tanbench: TEXT" and end this process, and with it the job, unless deadline_end is called
 * within `seconds`; 0: no limit. Also effective while the process is blocked inside MPI, whose
 * connections may never open. Without a `format` nothing is printed. For one thread and one
 * deadline at a time: the latest one replaces the others. */
void deadline_begin(double seconds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Cheap without a deadline. */
void deadline_end(void);

#endif
