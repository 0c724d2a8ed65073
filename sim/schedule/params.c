/* params.c - simulation parameters: links, protocol, hosts
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/schedule/params.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/output.h"
#include "topo/hostfile.h"

#define LOGGOPSIM .L = 2500000, .o = 1500000, .g = 1000000, .G = 6000, .O = 0

const struct tan_sim_params tan_sim_defaults = {
    .within = {LOGGOPSIM},
    .between = {LOGGOPSIM},
    .S = 65535,
    .handshake = TAN_HANDSHAKE_NONE,
    .control = 1500000,
};

bool tan_sim_has_control(const struct tan_sim_params *p)
{
    return p->handshake == TAN_HANDSHAKE_RAT || p->handshake == TAN_HANDSHAKE_RTA;
}

uint32_t tan_sim_host(const struct tan_sim_params *p, uint32_t rank)
{
    if (p->host_of != NULL) {
        return p->host_of[rank];
    }
    return p->ranks_per_host == 0 ? rank : rank / p->ranks_per_host;
}

/* The last entry for at most `bytes`, or else the first. */
static const struct tan_sized_link *sized_link(const struct tan_sim_params *p, uint64_t bytes)
{
    size_t i = 0;
    for (size_t end = p->n_sizes; end - i > 1;) {
        const size_t middle = i + (end - i) / 2;
        if (p->sizes[middle].bytes <= bytes) {
            i = middle;
        } else {
            end = middle;
        }
    }
    return &p->sizes[i];
}

const struct tan_link *tan_sim_link(const struct tan_sim_params *p, uint32_t a, uint32_t b,
                                    uint64_t bytes)
{
    const bool one_host = tan_sim_host(p, a) == tan_sim_host(p, b);
    if (p->n_sizes > 0) {
        const struct tan_sized_link *sized = sized_link(p, bytes);
        return one_host ? &sized->within : &sized->link;
    }
    return one_host ? &p->within : &p->between;
}

static int check_link(const struct tan_link *link, const char *where, struct tan_error *e)
{
    const uint64_t most = UINT64_C(1) << 60;
    if (link->L > most || link->o > most || link->g > most) {
        return tan_fail_usage(e, "L, o and g %s hosts can be at most 2^60 ps (13 days)", where);
    }
    if (link->o_more < -(int64_t)link->o || link->o_more > (int64_t)most) {
        return tan_fail_usage(e, "the receiver's o %s hosts must be from 0 to 2^60 ps", where);
    }
    if (!isfinite(link->G) || !isfinite(link->O) || link->G < 0 || link->O < 0) {
        return tan_fail_usage(e, "G and O %s hosts must be numbers of at least 0", where);
    }
    return 0;
}

int tan_sim_params_check(const struct tan_sim_params *p, struct tan_error *e)
{
    if (check_link(&p->within, "within", e) != 0 || check_link(&p->between, "between", e) != 0) {
        return -1;
    }
    if (p->control > UINT64_C(1) << 60) {
        return tan_fail_usage(e, "the overhead of a control message can be at most 2^60 ps");
    }
    return 0;
}

uint32_t *tan_host_map_load(const char *path, uint32_t ranks, struct tan_doubts *doubts,
                            struct tan_error *e)
{
    struct tan_hostfile list;
    uint32_t *host_of = NULL;
    if (tan_hostfile_read(path, &list, e) < 0) {
        return NULL;
    }
    const char *source = tan_input_name(path);
    if (tan_hostfile_by_slot(&list, source, e) < 0) {
        tan_hostfile_clear(&list);
        return NULL;
    }
    if (list.n != ranks) {
        tan_fail(e, "%s has %zu name%s of hosts, and there are %" PRIu32 " ranks", source, list.n,
                 list.n == 1 ? "" : "s", ranks);
    } else {
        host_of = calloc(list.n, sizeof *host_of);
        if (host_of == NULL) {
            tan_fail_nomem(e);
        } else if (tan_hostfile_number(&list, list.n, (int32_t *)host_of, e) < 0) {
            free(host_of);
            host_of = NULL;
        }
        if (list.note != NULL) {
            tan_doubts_add(doubts, TAN_NOTE, "hosts", NAN, TAN_TOUCHES_ALL, "%s", list.note);
        }
    }
    tan_hostfile_clear(&list);
    return host_of;
}
