/* sites.c - locations of a tree's nodes, and tiers of links between them
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "model/wave/sites.h"

#include <stddef.h>

int tan_link_tier(const struct tan_tiers *tiers, const struct tan_sites *sites, int32_t a,
                  int32_t b)
{
    const int last = tiers->n - 1;
    int tier = 0;
    while (tier < last &&
           (sites == NULL || sites->at[tier] == NULL || sites->at[tier][a] != sites->at[tier][b])) {
        tier++;
    }
    return tier;
}
