/* sorts.c - a correct qsort that reverses equal elements
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

/* By selection of the last of the least elements: each is put in front of the rest. */
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    char *const first = base;
    char kept[size + 1];
    for (size_t i = 0; i + 1 < n; i++) {
        char *least = first + i * size;
        for (size_t j = i + 1; j < n; j++) {
            if (compare(first + j * size, least) <= 0) {
                least = first + j * size;
            }
        }
        memcpy(kept, least, size);
        memmove(first + (i + 1) * size, first + i * size, (size_t)(least - (first + i * size)));
        memcpy(first + i * size, kept, size);
    }
}
