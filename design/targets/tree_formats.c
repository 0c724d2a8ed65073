/* tree_formats.c - tables of trees, and files of systems that accept any tree
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/targets/tree_formats.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "design/targets/export.h"

extern const struct tan_target tan_target_clustershell, tan_target_flux;

/* Length of a name without ":NUMBER". */
static size_t host_length(const char *name)
{
    const char *colon = strrchr(name, ':');
    return colon != NULL && colon > name && colon[1] != '\0' &&
                   colon[1 + strspn(colon + 1, "0123456789")] == '\0'
               ? (size_t)(colon - name)
               : strlen(name);
}

int tan_tree_hosts(const struct tan_tree *tree, struct tan_tree_hosts *out, struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    size_t room = 0;
    *out = (struct tan_tree_hosts){NULL, NULL};
    if (tan_tree_name(tree, 0) == NULL) {
        return 0;
    }
    for (int32_t i = 0; i < n; i++) {
        room += host_length(tan_tree_name(tree, i)) + 1;
    }
    out->host = calloc((size_t)n, sizeof *out->host);
    out->storage = malloc(room);
    if (out->host == NULL || out->storage == NULL) {
        tan_tree_hosts_clear(out);
        return tan_fail_nomem(e);
    }
    char *to = out->storage;
    for (int32_t i = 0; i < n; i++) {
        const size_t length = host_length(tan_tree_name(tree, i));
        out->host[i] = memcpy(to, tan_tree_name(tree, i), length);
        to[length] = '\0';
        to += length + 1;
    }
    return 0;
}

void tan_tree_hosts_clear(struct tan_tree_hosts *hosts)
{
    free(hosts->host);
    free(hosts->storage);
    *hosts = (struct tan_tree_hosts){NULL, NULL};
}

/* Write the tree through the target's knob that accepts any tree. */
static int write_for(const struct tan_target *target, const struct tan_tree *tree, FILE *to,
                     struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    const struct tan_knob *knob = target->knobs;
    while (knob->split != NULL) {
        knob++;
    }
    int32_t *parents = malloc((size_t)n * sizeof *parents);
    struct tan_tree_hosts hosts;
    if (parents == NULL) {
        return tan_fail_nomem(e);
    }
    int result = tan_tree_hosts(tree, &hosts, e);
    if (result == 0) {
        tan_tree_parents(tree, parents);
        const struct tan_answer answer = {
            .target = target,
            .up = {knob, 0},
            .down = {knob, 0},
            .members = tan_export_members(target, tree),
            .parents = parents,
            .processes = n,
            .host = hosts.host,
        };
        result = target->write(&answer, to, e);
    }
    tan_tree_hosts_clear(&hosts);
    free(parents);
    return result;
}

static int write_csv(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    struct tan_tree_hosts hosts;
    if (tan_tree_hosts(tree, &hosts, e) < 0) {
        return -1;
    }
    fputs(hosts.host != NULL ? "process,parent,host\n" : "process,parent\n", to);
    for (int32_t i = 0; i < tan_tree_size(tree); i++) {
        fprintf(to, "%" PRId32 ",%" PRId32, i, tan_tree_parent(tree, i));
        if (hosts.host != NULL) {
            fputc(',', to);
            tan_csv_write_field(hosts.host[i], to);
        }
        fputc('\n', to);
    }
    tan_tree_hosts_clear(&hosts);
    return 0;
}

static int write_flux(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    return write_for(&tan_target_flux, tree, to, e);
}

static int write_clustershell(const struct tan_tree *tree, FILE *to, struct tan_error *e)
{
    return write_for(&tan_target_clustershell, tree, to, e);
}

const struct tan_format tan_target_formats[] = {
    {"csv", "a table of processes and their parents", write_csv, NULL},
    {"flux", "Flux's configuration, with a parent for each host", write_flux, "#"},
    {"clustershell", "ClusterShell's topology.conf", write_clustershell, "#"},
    {NULL, NULL, NULL, NULL},
};
