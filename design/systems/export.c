/* export.c - a given tree: the setting that builds it, and files for systems
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "design/systems/export.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/csv.h"
#include "topo/names.h"

const char *const tan_exported_names[] = {
    [TAN_EXPORT_EXACT] = "exact",
    [TAN_EXPORT_APPROXIMATE] = "approximate",
    [TAN_EXPORT_IMPOSSIBLE] = "impossible",
    NULL,
};

int64_t tan_export_members(const struct tan_target *target, const struct tan_tree *tree)
{
    return target->counts.population == TAN_LEAVES_APART
               ? tan_tree_leaves(tree)
               : tan_tree_size(tree) - target->counts.root_apart;
}

static uint64_t mix_bits(uint64_t x)
{
    x = (x ^ (x >> 31)) * UINT64_C(0x7fb5d329728ea185);
    x = (x ^ (x >> 27)) * UINT64_C(0x81dadef4bc2dd44d);
    return x ^ (x >> 33);
}

/* A hash of a tree's shape, independent of the order of nodes; different shapes collide with
 * probability 2^-64. */
static int tree_fingerprint(const struct tan_tree *tree, uint64_t *hash, struct tan_error *e)
{
    uint64_t *sum = calloc((size_t)tan_tree_size(tree), sizeof *sum);
    if (sum == NULL) {
        return tan_fail_nomem(e);
    }
    for (int32_t node = tan_tree_size(tree) - 1; node >= 0; node--) {
        *hash = mix_bits(sum[node] + UINT64_C(0x9e3779b97f4a7c15));
        if (node > 0) {
            sum[tan_tree_parent(tree, node)] += mix_bits(*hash);
        }
    }
    free(sum);
    return 0;
}

struct matching {
    const struct tan_target_problem *problem;
    int direction; /* both, where a setting covers both */
    uint64_t fingerprint;
    struct tan_export *out;
    bool found;
};

struct tan_shape_cost tan_export_cost(const struct tan_target_problem *p, int direction,
                                      const struct tan_tree *tree)
{
    struct tan_shape_cost cost = {
        .wave = tan_target_wave(p, direction, tree),
        .max_fanout = tan_tree_max_fanout(tree),
        .max_below = tan_tree_max_below(tree),
        .processes = tan_tree_size(tree),
        .height = tan_tree_height(tree),
    };
    struct tan_prediction prediction;
    const struct tan_params *params = direction == TAN_DOWN ? p->down : p->up;
    cost.in_turn = cost.wave;
    cost.period = NAN;
    if (p->shared == NULL && tan_predict(p->model, params, tree, &prediction, NULL) == 0) {
        cost.period = prediction.period;
        tan_prediction_clear(&prediction);
    }
    int32_t *depth = malloc((size_t)cost.processes * sizeof *depth);
    if (depth != NULL) {
        tan_tree_depths(tree, depth);
    }
    for (int32_t i = 0; i < cost.processes && depth != NULL; i++) {
        cost.hops += depth[i];
    }
    free(depth);
    return cost;
}

static bool is_nearer(const struct tan_export *x, const struct tan_shape_cost *cost)
{
    const int64_t height = x->given.height;
    const int64_t known = llabs((long long)(x->built.height - height));
    const int64_t now = llabs((long long)(cost->height - height));
    return now != known ? now < known
                        : fabs(cost->wave - x->given.wave) < fabs(x->built.wave - x->given.wave);
}

/* Check whether the setting builds the given tree, and whether it is the closest so far. */
static int match_setting(struct matching *m, const struct tan_setting *setting, struct tan_error *e)
{
    const struct tan_target_problem *p = m->problem;
    struct tan_export *x = m->out;
    struct tan_shape_cost cost;
    const struct tan_shape shape = tan_shape_of(p->target, setting, p->members, NULL);
    if (tan_target_cost(p, setting, m->direction, &cost, e) < 0) {
        return -1;
    }
    if (cost.height == x->given.height && cost.max_fanout == x->given.max_fanout &&
        cost.processes == x->given.processes) {
        uint64_t hash = 0;
        struct tan_tree *tree = tan_shape_tree(&shape, e);
        const int hashed = tree == NULL ? -1 : tree_fingerprint(tree, &hash, e);
        tan_tree_destroy(tree);
        if (hashed < 0) {
            return -1;
        }
        if (hash == m->fingerprint) {
            x->result = TAN_EXPORT_EXACT;
            x->setting = *setting;
            x->built = cost;
            return 0;
        }
    }
    if (!m->found || is_nearer(x, &cost)) {
        x->setting = *setting;
        x->built = cost;
        m->found = true;
    }
    return 0;
}

static int match_values(struct matching *m, const struct tan_knob *knob, struct tan_error *e)
{
    const int64_t size = m->problem->members + m->problem->target->counts.root_apart;
    const int64_t most = knob->most < size ? knob->most : size;
    int64_t value = knob->least;
    do {
        const struct tan_setting setting = {knob, value};
        if (match_setting(m, &setting, e) < 0) {
            return -1;
        }
    } while (m->out->result != TAN_EXPORT_EXACT && ++value <= most);
    return 0;
}

/* Where trees are too large to price all of them where the processes are, they are matched as if
 * all links were of one kind, and only what was found is priced there. */
static int match_tree(const struct tan_target_problem *problem, const struct tan_tree *tree,
                      int direction, int priced, struct tan_export *out, struct tan_error *e)
{
    const bool vast = tan_target_is_vast(problem);
    struct tan_target_problem matched = *problem;
    struct matching m = {.problem = &matched, .direction = priced, .out = out};
    int result = tree_fingerprint(tree, &m.fingerprint, e);
    matched.shared = vast ? NULL : problem->shared;
    *out = (struct tan_export){.result = TAN_EXPORT_IMPOSSIBLE,
                               .given = tan_export_cost(&matched, priced, tree)};
    for (const struct tan_knob *k = problem->target->knobs;
         k->name != NULL && result == 0 && out->result != TAN_EXPORT_EXACT; k++) {
        if ((k->directions & direction) != 0 && k->split != NULL) {
            result = match_values(&m, k, e);
        }
    }
    if (vast && result == 0) {
        out->given = tan_export_cost(problem, priced, tree);
        result = out->setting.knob == NULL
                     ? 0
                     : tan_target_cost(problem, &out->setting, priced, &out->built, e);
    }
    return result;
}

int tan_export_find(const struct tan_target_problem *problem, const struct tan_tree *tree,
                    int direction, struct tan_export *out, struct tan_error *e)
{
    const struct tan_target *target = problem->target;
    const int priced = tan_target_apart(target) ? direction : TAN_UP | TAN_DOWN;
    int result = match_tree(problem, tree, direction, priced, out, e);
    for (const struct tan_knob *k = target->knobs;
         k->name != NULL && result == 0 && out->result != TAN_EXPORT_EXACT; k++) {
        if ((k->directions & direction) != 0 && k->split == NULL) {
            *out = (struct tan_export){TAN_EXPORT_EXACT, {k, 0}, 0.0, out->given, out->given};
            return 0;
        }
    }
    if (result == 0 && out->setting.knob == NULL) {
        result = tan_fail_usage(e, "%s has no setting for messages that go %s", target->title,
                                direction == TAN_UP ? "up" : "down");
    }
    if (out->result != TAN_EXPORT_EXACT && out->built.height == out->given.height) {
        out->result = TAN_EXPORT_APPROXIMATE;
    }
    out->lost = out->built.wave - out->given.wave;
    if (fabs(out->lost) <= TAN_SEARCH_EQUAL * out->given.wave) {
        out->lost = 0.0; /* the order of additions */
    }
    return result;
}

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

/* host:index for every process; false if memory is short. */
static bool name_processes(const char *const *host, int32_t n, char **names, struct tan_error *e)
{
    struct tan_names *hosts = tan_names_create(e);
    int32_t *index = calloc((size_t)n, sizeof *index); /* next index per host */
    bool done = hosts != NULL && index != NULL;
    for (int32_t i = 0; i < n && done; i++) {
        const char *name = host[i] != NULL ? host[i] : "localhost";
        const int32_t number = tan_names_add(hosts, name, e);
        done = number >= 0 && asprintf(&names[i], "%s:%" PRId32, name, index[number]++) > 0;
        names[i] = done ? names[i] : NULL;
    }
    tan_names_destroy(hosts);
    free(index);
    return done;
}

struct tan_tree *tan_tree_on_hosts(const struct tan_tree *tree, const char *const *host,
                                   struct tan_error *e)
{
    const int32_t n = tan_tree_size(tree);
    int32_t *parents = malloc((size_t)n * sizeof *parents);
    char **names = calloc((size_t)n, sizeof *names);
    struct tan_tree *named = NULL;
    if (parents == NULL || names == NULL || (host != NULL && !name_processes(host, n, names, e))) {
        tan_fail_nomem(e);
    } else {
        tan_tree_parents(tree, parents);
        named = tan_tree_create(parents, n, host == NULL ? NULL : (const char *const *)names, e);
    }
    for (int32_t i = 0; names != NULL && i < n; i++) {
        free(names[i]);
    }
    free(names);
    free(parents);
    return named;
}

/* Write the tree through the target's knob that accepts any tree. */
static int write_for(const struct tan_target *target, const struct tan_tree *tree, FILE *to,
                     struct tan_error *e)
{
    const struct tan_knob *knob = target->knobs;
    struct tan_tree_hosts hosts;
    while (knob->split != NULL) {
        knob++;
    }
    if (tan_tree_hosts(tree, &hosts, e) < 0) {
        return -1;
    }
    const struct tan_answer answer = {
        .target = target,
        .up = {knob, 0},
        .down = {knob, 0},
        .members = tan_export_members(target, tree),
        .tree = tree,
        .host = hosts.host,
    };
    const int result = target->write(&answer, to, e);
    tan_tree_hosts_clear(&hosts);
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
