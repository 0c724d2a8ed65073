/* awake.c - keeping cores without work from falling asleep
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/host/awake.h"

#include <fcntl.h>
#include <stdint.h>
#include <unistd.h>

#include "base/choice.h"

int awake_parse(const char *value, enum awake *awake, struct tan_error *e)
{
    static const char *const names[] = {
        [AWAKE_AUTO] = "auto", [AWAKE_YES] = "yes", [AWAKE_NO] = "no"};
    const int row = tan_choice_find(TAN_CHOICES(names), "--awake", value, e);

    *awake = row < 0 ? *awake : (enum awake)row;
    return row < 0 ? -1 : 0;
}

int awake_hold(void)
{
    const int32_t longest_us = 0;
    int fd = open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC);

    if (fd >= 0 && write(fd, &longest_us, sizeof longest_us) != sizeof longest_us) {
        close(fd);
        fd = -1;
    }
    return fd;
}
