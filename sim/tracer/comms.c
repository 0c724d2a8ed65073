/* comms.c - communicators of a trace
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/tracer/comms.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/map.h"
#include "sim/tracer/trace_file.h"

enum { ANY = -1, NOBODY = -2 };

/* By handle. Numbers, unlike handles, are never reused. */
static struct tan_map numbers;
static struct tan_map outsiders; /* communicators with ranks that are not in the trace */
static struct comm_label labels[LABELS];

static struct comm_label *place_of(MPI_Comm comm)
{
    return &labels[LABEL_OF(KEY(comm))];
}

/* A communicator's ranks in MPI_COMM_WORLD, in the order of its line. */
struct members {
    int *rank; /* owned; NULL when out of memory */
    int n;
    int own;      /* where this process's group starts */
    int other;    /* where the group starts to which ranks in calls refer */
    bool outside; /* some ranks are not in MPI_COMM_WORLD */
};

static void add_group(struct members *m, MPI_Group group, MPI_Group world)
{
    int size;
    PMPI_Group_size(group, &size);
    int *own = malloc((size_t)size * sizeof *own + 1);
    int *all = realloc(m->rank, (size_t)(m->n + size) * sizeof *all + 1);
    m->rank = all == NULL ? m->rank : all;
    if (own != NULL && all != NULL) {
        for (int i = 0; i < size; i++) {
            own[i] = i;
        }
        PMPI_Group_translate_ranks(group, size, own, world, m->rank + m->n);
        for (int i = 0; i < size; i++) {
            m->outside = m->outside || m->rank[m->n + i] == MPI_UNDEFINED;
        }
        m->n += size;
    }
    free(own);
}

/* The list has this process's group, and the other one from index `first` on: move the group with
 * the lowest world rank to the front, so that the order is the same on all ranks. */
static void sort_groups(struct members *m, int first)
{
    int least = 0;
    for (int i = 0; i < m->n; i++) {
        least = m->rank[i] < m->rank[least] ? i : least;
    }
    if (m->rank == NULL || least < first) {
        m->other = first;
        return;
    }
    int *turned = malloc((size_t)m->n * sizeof *turned);
    for (int i = 0; i < m->n && turned != NULL; i++) {
        turned[i] = m->rank[(i + first) % m->n];
    }
    free(m->rank);
    m->rank = turned;
    m->own = m->n - first;
}

static struct members members_of(MPI_Comm comm)
{
    struct members m = {.n = 0};
    MPI_Group world;
    MPI_Group group;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    PMPI_Comm_group(MPI_COMM_WORLD, &world);
    PMPI_Comm_group(comm, &group);
    add_group(&m, group, world);
    PMPI_Group_free(&group);
    if (inter) {
        const int first = m.n;
        PMPI_Comm_remote_group(comm, &group);
        add_group(&m, group, world);
        PMPI_Group_free(&group);
        sort_groups(&m, first);
    }
    PMPI_Group_free(&world);
    return m;
}

static void describe_comm(MPI_Comm comm, struct comm_label *label)
{
    int size = 0;
    int inter = 0;
    *label = (struct comm_label){.key = KEY(comm), .known = true, .rank = -1};
    if (comm != MPI_COMM_NULL) {
        PMPI_Comm_rank(comm, &label->rank);
        PMPI_Comm_size(comm, &size);
        PMPI_Comm_test_inter(comm, &inter);
    }
    label->peers = size;
    if (inter) {
        const struct members m = members_of(comm);
        free(m.rank);
        PMPI_Comm_remote_size(comm, &label->peers);
        label->groups = true;
        label->shift = m.other;
        label->rank += m.own;
        size = m.n;
    }
    label->outside = tan_map_find(&outsiders, KEY(comm)) >= 0;
    label->length =
        (unsigned char)snprintf(label->text, sizeof label->text, ":%lld,%d,%d",
                                (long long)tan_map_find(&numbers, KEY(comm)), label->rank, size);
}

const struct comm_label *comms_label(MPI_Comm comm)
{
    static struct comm_label unknown;
    struct comm_label *label = place_of(comm);
    if (label->known && label->key == KEY(comm)) {
        return label;
    }
    /* a handle that no traced call created may be reused unnoticed: its label is not kept */
    label = tan_map_find(&numbers, KEY(comm)) < 0 ? &unknown : label;
    describe_comm(comm, label);
    return label;
}

static void forget_label(MPI_Comm comm)
{
    struct comm_label *label = place_of(comm);
    label->known = label->known && label->key != KEY(comm);
}

void comms_add_later(MPI_Comm comm, MPI_Comm whose)
{
    static int64_t next;
    const struct members m = members_of(whose);
    const int64_t number = tan_map_set(&numbers, KEY(comm), next) < 0 ? -1 : next++;
    tan_map_remove(&outsiders, KEY(comm));
    if (m.outside) {
        tan_map_set(&outsiders, KEY(comm), 1);
    }
    forget_label(comm);
    trace_text("# comm ");
    trace_number(number);
    trace_text(m.outside ? " has ranks outside of MPI_COMM_WORLD" : " =");
    for (int i = 0; i < m.n && !m.outside && m.rank != NULL; i++) {
        trace_text(" ");
        trace_number(m.rank[i]);
    }
    trace_text("\n");
    free(m.rank);
}

void comms_add(MPI_Comm comm)
{
    comms_add_later(comm, comm);
}

void comms_remove(MPI_Comm comm)
{
    forget_label(comm);
    tan_map_remove(&numbers, KEY(comm));
    tan_map_remove(&outsiders, KEY(comm));
}

int comms_peer(int rank, MPI_Comm comm)
{
    return rank == MPI_ANY_SOURCE  ? ANY
           : rank == MPI_PROC_NULL ? NOBODY
                                   : rank + comms_label(comm)->shift;
}

bool comms_is_root(int root, MPI_Comm comm)
{
    const struct comm_label *label = comms_label(comm);
    return label->groups ? root == MPI_ROOT : root == label->rank;
}
