/* mutate-cover.c - records the basic blocks a test executes; linked into builds of tools/mutate
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each module (program or shared library) has its own copy and writes one byte per address of its
 * text to MUTATE_COVER/NAME, a file mapped by all its processes, so that it survives a kill.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define OWN __attribute__((visibility("hidden")))

extern OWN const char __ehdr_start[];
extern OWN const char etext[];

static unsigned char *hits;

OWN void __sanitizer_cov_trace_pc(void);

void __sanitizer_cov_trace_pc(void)
{
    const size_t at = (size_t)((const char *)__builtin_return_address(0) - __ehdr_start);
    /* a block that ends in this call may be a tail call, whose return address is elsewhere */
    if (hits != NULL && at < (size_t)(etext - __ehdr_start)) {
        hits[at] = 1;
    }
}

__attribute__((constructor)) static void map_hits(void)
{
    const char *folder = getenv("MUTATE_COVER");
    Dl_info module;
    char path[4096];
    if (folder == NULL || dladdr(__ehdr_start, &module) == 0) {
        return;
    }
    const char *slash = strrchr(module.dli_fname, '/');
    snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : module.dli_fname);
    const int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    const off_t size = etext - __ehdr_start;
    if (fd >= 0 && (lseek(fd, 0, SEEK_END) >= size || ftruncate(fd, size) == 0)) {
        void *at = mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        hits = at == MAP_FAILED ? NULL : at;
    }
    if (fd >= 0) {
        close(fd);
    }
}
