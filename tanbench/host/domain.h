/* domain.h - identifying processes on the same host
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TAN_TANBENCH_HOST_DOMAIN_H
#define TAN_TANBENCH_HOST_DOMAIN_H

/* Including the terminating NUL. */
enum { KERNEL_MAX = 40, DOMAIN_MAX = 80 };

/* The kernel's boot id; "" if it cannot be read. */
void host_kernel(char kernel[KERNEL_MAX]);

/* An identifier shared by processes that can share memory and signal each other: same kernel, same
 * /dev/shm and same PID namespace. Contains no spaces. */
void host_domain(char domain[DOMAIN_MAX]);

#endif
