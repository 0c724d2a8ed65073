/* lines.c - start and end of a trace line, and the lock around it
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tracer/lines.h"

#include <pthread.h>

#include "tracer/trace_file.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool threads; /* several threads may call MPI concurrently */

void lines_have_threads(void)
{
    threads = true;
}

void lines_lock(void)
{
    if (threads) {
        pthread_mutex_lock(&lock);
    }
}

void lines_unlock(void)
{
    if (threads) {
        pthread_mutex_unlock(&lock);
    }
}

void lines_begin(const char *name, int64_t start)
{
    trace_text(name);
    trace_text(":");
    trace_time(start);
}

void lines_end(int64_t end, int64_t request)
{
    trace_text(":");
    trace_time(end);
    trace_text(":");
    if (request >= 0) {
        trace_number(request);
    }
    trace_text("\n");
}
