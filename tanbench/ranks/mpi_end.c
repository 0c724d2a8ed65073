/* mpi_end.c - finalization of MPI that always returns
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/ranks/machine.h"

#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tanbench/ranks/mpi_try.h"
#include "tanbench/ranks/world.h"

/* Far more than any library takes, if it returns at all. */
enum { FINALIZE_SECONDS = 30 };

static struct {
    bool met;   /* mpi_end_together was called */
    bool apart; /* ranks share no memory: on several hosts, or by a setting */
    int status; /* for the signal handler */
} ending;

static void meet_ranks(MPI_Comm comm, bool apart)
{
    MPI_TRY(MPI_Barrier(comm));
    /* the barrier's last message may still be in flight */
    for (int ms = 0; apart && ms < 100; ms++) {
        int flag;
        MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE));
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    }
}

/* Whether UCX is configured without its shared-memory transports. */
static bool without_shared_memory(void)
{
    static const char *const shared[] = {"all", "sm", "shm", "mm", "posix", "sysv", "xpmem", "^"};
    const char *transports = getenv("UCX_TLS");
    for (size_t i = 0; transports != NULL && i < sizeof shared / sizeof shared[0]; i++) {
        if (strstr(transports, shared[i]) != NULL) {
            return false;
        }
    }
    return transports != NULL;
}

void mpi_end_together(const struct world *world)
{
    ending.met = true;
    ending.apart = world->hosts > 1 || without_shared_memory();
    /* unless the ranks of a host outnumber its cores, where polling would cost more than it
     * helps */
    if (!world->oversubscribed || ending.apart) {
        meet_ranks(world->comm, ending.apart);
    }
}

/* For ranks without a world, because there is nothing to measure. */
static void end_apart(void)
{
    MPI_Comm host;
    int here;
    int size;
    MPI_TRY(MPI_Comm_size(MPI_COMM_WORLD, &size));
    MPI_TRY(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host));
    MPI_TRY(MPI_Comm_size(host, &here));
    MPI_TRY(MPI_Comm_free(&host));
    ending.apart = here < size || without_shared_memory();
    if (ending.apart) {
        meet_ranks(MPI_COMM_WORLD, true);
    }
}

/* Over TCP, MPICH 4.0 with UCX waits in MPI_Finalize for ranks that sleep in a barrier of the
 * launcher and make no progress. So these ranks notify the launcher themselves by the PMI message
 * for finalization; a rank that simply exited would count as dead. Returns false without such a
 * launcher. */
static bool tell_launcher(void)
{
#ifdef MPICH_VERSION
    static const char message[] = "cmd=finalize\n";
    const char *number = getenv("PMI_FD");
    char answer[64];

    if (ending.apart && number != NULL &&
        write(atoi(number), message, strlen(message)) == (ssize_t)strlen(message)) {
        struct pollfd answered = {atoi(number), POLLIN, 0};
        return poll(&answered, 1, FINALIZE_SECONDS * 1000) == 1 &&
               read(answered.fd, answer, sizeof answer) >= 0;
    }
#endif
    return false;
}

static void exit_on_alarm(int signum)
{
    (void)signum;
    _exit(ending.status);
}

void mpi_end(int status)
{
    ending.status = status;
    fflush(NULL);
    if (!ending.met) {
        end_apart();
    }
    /* with shared memory it returns, but only after rank 0 has fitted and written everything */
    if (ending.apart) {
        signal(SIGALRM, exit_on_alarm);
        alarm(FINALIZE_SECONDS);
    }
    if (tell_launcher()) {
        _exit(status);
    }
    MPI_Finalize();
    alarm(0);
}
