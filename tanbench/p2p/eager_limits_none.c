/* eager_limits_none.c - eager limits where the MPI library has no tool interface, as SMPI
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/eager_limits.h"

json_t *p2p_limits(void)
{
    return json_object();
}
