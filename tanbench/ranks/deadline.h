/* deadline.h - an end to waiting for what may never come
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_RANKS_DEADLINE_H
#define TANBENCH_RANKS_DEADLINE_H

/* Print "tanbench: TEXT" and end this process, and with it the job, unless deadline_end is called
 * within `seconds`; 0: no limit. This works also while the process is held up inside of MPI, whose
 * connections may never open. Without a `format` nothing is printed. Of one thread, for one thing
 * at a time: the last one counts. */
void deadline_begin(double seconds, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Cheap when none was begun. */
void deadline_end(void);

#endif
