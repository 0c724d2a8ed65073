/* eager_limits_none.c - stub for MPI libraries without tool interface, such as SMPI
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p/p2p.h"

json_t *p2p_limits(void)
{
    return json_object();
}
