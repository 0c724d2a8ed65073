/* domain.h - what tells whether two processes run on the same host
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TANBENCH_HOST_DOMAIN_H
#define TANBENCH_HOST_DOMAIN_H

/* Lengths with the final 0. */
enum { KERNEL_MAX = 40, DOMAIN_MAX = 80 };

/* The id that the running kernel got when it was booted; "" when it cannot be read. */
void host_kernel(char kernel[KERNEL_MAX]);

/* The same for processes that can share memory and know each other's process ids: they run on the
 * same kernel, see the same /dev/shm and are in the same PID namespace. Without spaces. */
void host_domain(char domain[DOMAIN_MAX]);

#endif
