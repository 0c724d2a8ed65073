/* warden.h - the process that stays when the one that started the job is killed
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_LAUNCH_WARDEN_H
#define TANBENCH_LAUNCH_WARDEN_H

#include <sys/types.h>

/* Fork a process that sleeps until this one has ended: then it sees to it that child `launcher`,
 * which is told to end by PR_SET_PDEATHSIG, does so, and removes the files named, a list that NULL
 * ends. Best effort: -1 when there is none. */
pid_t warden_start(pid_t launcher, const char *const *files);
/* This process sees to all that itself. */
void warden_end(pid_t warden);

#endif
