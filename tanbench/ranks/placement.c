/* placement.c - cores shared by the ranks of the running job
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/placement.h"

#include <string.h>

bool placement_share_cores(const struct world *world, int a, int b)
{
    return world->peers[a].host_index == world->peers[b].host_index &&
           strcmp(world_binding(world, a), world_binding(world, b)) == 0;
}

int placement_partner(const struct world *world)
{
    int partner = 1;
    for (int i = world->size - 1; i > 0; i--) {
        if (world->peers[i].host_index != world->peers[0].host_index) {
            return i;
        }
        partner = placement_share_cores(world, 0, i) ? partner : i;
    }
    return partner;
}
