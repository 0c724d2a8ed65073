/* trace_growth.c - a traced job with more ranks: whom each rank follows, and with whom it speaks
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Each layout of the larger job is tried with all rules. A rule holds in a layout where it gives
 * the peers of all traced ranks, and of all ranks of the larger job, and where as many messages are
 * received from each rank as are sent. The layout that leaves least to copies is taken. */
#include "sim/growth/trace_growth.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/calls/trace_event.h"
#include "sim/calls/trace_remark.h"

/* How the ranks of a traced communicator become those of a larger one, or of several. */
enum view_kind {
    WHOLE,  /* all ranks in their order: all of the larger job */
    TURNED, /* all ranks in another order: copy after copy */
    PART,   /* those that differ in some coordinates of the grid only */
    COPIED, /* one in each copy of the traced ranks */
};

struct view {
    enum view_kind kind;
    unsigned dimensions; /* of a part: those in which its ranks differ, as bits */
    struct trace_layout layout;
    struct trace_followers followers;
};

/* A rule that holds for a group. */
struct fit {
    uint32_t group;
    struct trace_pattern pattern;
    bool holds;     /* else it gives the traced peers only */
    bool aside;     /* no message goes along the dimension that grows: in another one it would */
    uint64_t graph; /* hash of the messages in the larger job */
};

/* A layout, and what holds in it. */
struct plan {
    struct trace_layout world;
    bool preferred; /* of layouts that differ in the dimension that grows */
    struct view *view;
    struct fit *fit; /* of each group one after the other */
    uint32_t n_fits, room;
    uint32_t *start; /* of each group its first fit */
    uint32_t *first; /* of each group its first fit that holds; TRACE_MAP_NONE: there is none */
    uint32_t failed; /* groups without one */
    uint32_t copied, copied_comms;
    uint32_t group, rank; /* the first one that failed, and a rank of it whose peers do not fit */
    const char *nearly;   /* a rule that fits its traced messages only */
    bool possible;        /* every communicator has a place in the layout */
};

struct trace_growth {
    const struct trace_survey *survey;
    const struct trace_comms *comms;
    const struct trace_names *names;
    const struct tan_trace_options *options;
    struct tan_trace *trace;
    uint32_t ranks, copies;
    struct plan *plans;
    size_t n_plans, room_plans;
    struct plan *chosen;
    uint64_t *distances; /* of pairs, by communicator */
    bool *open;          /* by communicator: a receive does not say whence its message came */
    struct trace_peers scratch;
    uint32_t *members;
    uint32_t members_of, members_for; /* communicator, and rank of the larger job */
};

/* Communicators */

static uint32_t size_of(const struct view *v)
{
    return v->layout.size * v->layout.copies;
}

static bool grows(const struct view *v)
{
    return v->layout.copies > 1;
}

/* In which dimensions the ranks differ; 0: they are no part of the grid in its order. */
static unsigned dimensions_of(const struct trace_layout *world, const struct trace_comm *comm)
{
    uint32_t first[TRACE_DIMENSIONS];
    uint32_t at[TRACE_DIMENSIONS];
    unsigned dimensions = 0;
    trace_layout_place(world, false, comm->rank[0], first);
    for (uint32_t i = 1; i < comm->size; i++) {
        trace_layout_place(world, false, comm->rank[i], at);
        for (int d = 0; d < world->n; d++) {
            dimensions |= at[d] != first[d] ? 1u << d : 0;
        }
    }
    for (uint32_t i = 0; i < comm->size; i++) {
        uint32_t rest = i;
        memcpy(at, first, sizeof at);
        for (int d = world->n; d-- > 0;) {
            if ((dimensions >> d & 1) != 0) {
                at[d] = rest % world->extent[d];
                rest /= world->extent[d];
            }
        }
        if (rest != 0 || trace_layout_rank(world, false, at) != comm->rank[i]) {
            return 0;
        }
    }
    return dimensions;
}

static struct trace_layout part_of(const struct trace_layout *world, unsigned dimensions,
                                   uint32_t size)
{
    struct trace_layout part = {.kind = TRACE_GRID, .size = size, .copies = 1};
    for (int d = 0; d < world->n; d++) {
        if ((dimensions >> d & 1) == 0) {
            continue;
        }
        if (d == world->grows) {
            part.copies = world->copies;
            part.grows = part.n;
            part.ends = world->ends;
        }
        part.extent[part.n++] = world->extent[d];
    }
    return part;
}

static bool in_order(const struct trace_comm *comm)
{
    for (uint32_t i = 0; i < comm->size; i++) {
        if (comm->rank[i] != i) {
            return false;
        }
    }
    return true;
}

static bool is_plain(const struct trace_layout *l)
{
    return l->kind == TRACE_GRID && l->n == 1 && l->ends == 0;
}

/* Find a place for the communicator; false: the layout has none. */
static bool see(const struct trace_layout *world, const struct trace_comm *comm, struct view *v)
{
    const struct trace_layout fixed = {
        .kind = TRACE_GRID, .size = comm->size, .copies = 1, .n = 1, .extent = {comm->size}};
    *v = (struct view){.kind = COPIED, .layout = fixed};
    if (comm->size == world->size) {
        v->kind = in_order(comm) ? WHOLE : TURNED;
        v->layout = *world;
        return v->kind == WHOLE || is_plain(world);
    }
    const unsigned dimensions =
        world->kind == TRACE_GRID && world->n > 1 ? dimensions_of(world, comm) : 0;
    if (dimensions != 0) {
        v->kind = PART;
        v->dimensions = dimensions;
        v->layout = part_of(world, dimensions, comm->size);
    }
    return dimensions != 0 || comm->size <= 1 || is_plain(world);
}

/* The number of a rank of the larger job in a communicator. */
static uint32_t number_in(const struct trace_growth *g, const struct view *v, uint32_t rank,
                          uint32_t own)
{
    uint32_t at[TRACE_DIMENSIONS];
    uint32_t of_part[TRACE_DIMENSIONS];
    int n = 0;
    switch (v->kind) {
    case WHOLE:
        return rank;
    case TURNED:
        return own + rank / g->ranks * g->ranks;
    case COPIED:
        return own;
    default:
        break;
    }
    const struct trace_layout *world = &g->chosen->world;
    trace_layout_place(world, true, rank, at);
    for (int d = 0; d < world->n; d++) {
        if ((v->dimensions >> d & 1) != 0) {
            of_part[n++] = at[d];
        }
    }
    return trace_layout_rank(&v->layout, true, of_part);
}

/* The rank of the larger job that has a number in the communicator of `rank`. */
static uint32_t rank_of(const struct trace_growth *g, const struct view *v,
                        const struct trace_comm *comm, uint32_t rank, uint32_t number)
{
    uint32_t at[TRACE_DIMENSIONS];
    uint32_t of_part[TRACE_DIMENSIONS];
    int n = 0;
    switch (v->kind) {
    case WHOLE:
        return number;
    case TURNED:
        return comm->rank[number % g->ranks] + number / g->ranks * g->ranks;
    case COPIED:
        return comm->rank[number] + rank - trace_growth_origin(g, rank);
    default:
        break;
    }
    const struct trace_layout *world = &g->chosen->world;
    trace_layout_place(world, true, rank, at);
    trace_layout_place(&v->layout, true, number, of_part);
    for (int d = 0; d < world->n; d++) {
        if ((v->dimensions >> d & 1) != 0) {
            at[d] = of_part[n++];
        }
    }
    return trace_layout_rank(world, true, at);
}

static int find_followers(struct view *v, struct tan_error *e)
{
    const uint32_t traced = v->layout.size;
    const uint32_t size = size_of(v);
    struct trace_followers *f = &v->followers;
    if (f->list != NULL) {
        return 0;
    }
    f->list = malloc((size_t)size * sizeof *f->list);
    f->start = calloc((size_t)traced + 2, sizeof *f->start);
    if (f->list == NULL || f->start == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < size; i++) {
        f->start[trace_layout_origin(&v->layout, i) + 2]++;
    }
    for (uint32_t i = 1; i <= traced + 1; i++) {
        f->start[i] += f->start[i - 1];
    }
    for (uint32_t i = 0; i < size; i++) {
        f->list[f->start[trace_layout_origin(&v->layout, i) + 1]++] = i;
    }
    return 0;
}

/* Rules in the larger job */

static uint64_t hash(uint64_t from, uint64_t to)
{
    uint64_t x = (from << 32 | to) + UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* Sums of hashes of messages, which are the same where the messages are, in any order. */
struct sums {
    uint64_t sent, received; /* each as often as it is */
    uint64_t pairs, wanted;  /* ranks with a message, as grown, and by the rule */
};

static void add_edge(const struct trace_pattern *p, const struct trace_edge *edge, uint32_t rank,
                     bool receives, struct trace_peers *scratch, struct sums *sums)
{
    const uint64_t times = receives ? edge->receives : edge->sends;
    const struct trace_step step = {.rank = rank,
                                    .origin = receives ? edge->to : edge->from,
                                    .peer = receives ? edge->from : edge->to,
                                    .receives = receives};
    scratch->n = 0;
    if (edge->from == edge->to) {
        return;
    }
    p->rule->grow(p, &step, scratch);
    for (uint32_t i = 0; i < scratch->n; i++) {
        const bool comes = receives != scratch->list[i].turned;
        const uint32_t peer = scratch->list[i].rank;
        const uint64_t h = comes ? hash(peer, rank) : hash(rank, peer);
        sums->received += comes ? times * h : 0;
        sums->sent += comes ? 0 : times * h;
        sums->pairs += comes || times == 0 ? 0 : h;
    }
}

static void add_rank(const struct trace_pattern *p, const struct trace_group *group, uint32_t rank,
                     struct trace_peers *scratch, struct sums *sums)
{
    const uint32_t origin = trace_layout_origin(p->layout, rank);
    for (uint32_t i = group->sent[origin]; i < group->sent[origin + 1]; i++) {
        add_edge(p, &group->edge[i], rank, false, scratch, sums);
    }
    for (uint32_t i = group->received[origin]; i < group->received[origin + 1]; i++) {
        add_edge(p, &group->edge[group->got[i]], rank, true, scratch, sums);
    }
    scratch->n = 0;
    if (p->rule->sends != NULL) {
        p->rule->sends(p, true, rank, scratch);
    }
    for (uint32_t i = 0; i < scratch->n; i++) {
        sums->wanted += hash(rank, scratch->list[i].rank);
    }
}

/* Whether the rule holds in the larger job. */
static bool holds(struct trace_growth *g, struct view *v, const struct trace_group *group,
                  const struct trace_pattern *p, uint64_t *graph, struct tan_error *e)
{
    struct sums sums = {.sent = 0};
    if (find_followers(v, e) < 0) {
        return false;
    }
    for (uint32_t i = 0; i < size_of(v); i++) {
        add_rank(p, group, i, &g->scratch, &sums);
    }
    *graph = sums.sent;
    return !g->scratch.failed && sums.sent == sums.received &&
           (p->rule->sends == NULL || sums.pairs == sums.wanted);
}

/* The rule that the user wants for a tag: "ring", or "7=ring"; NULL: any. */
static const char *wanted_rule(const struct tan_trace_options *o, int64_t tag)
{
    const char *name = NULL;
    for (size_t i = 0; i < o->n_peers; i++) {
        const char *equals = strchr(o->peers[i], '=');
        if (equals == NULL || strtoll(o->peers[i], NULL, 10) == tag) {
            name = equals == NULL ? o->peers[i] : equals + 1;
        }
    }
    return name;
}

static int add_fit(struct plan *plan, const struct fit *fit, struct tan_error *e)
{
    if (plan->n_fits == plan->room) {
        const uint32_t room = 2 * plan->room + 8;
        struct fit *more = realloc(plan->fit, room * sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(e);
        }
        plan->fit = more;
        plan->room = room;
    }
    if (fit->holds && plan->first[fit->group] == TRACE_MAP_NONE) {
        plan->first[fit->group] = plan->n_fits;
    }
    plan->fit[plan->n_fits++] = *fit;
    return 0;
}

static bool goes_aside(const struct trace_pattern *p)
{
    bool aside = p->n > 0 && p->layout->n > 1;
    for (uint32_t i = 0; i < p->n; i++) {
        aside = aside && p->vector[i][p->layout->grows] == 0;
    }
    return aside;
}

/* Try all rules that are wanted. */
static int try_rules(struct trace_growth *g, struct plan *plan, uint32_t number,
                     struct tan_error *e)
{
    const struct trace_group *group = &g->survey->group[number];
    struct view *v = &plan->view[group->place];
    const char *wanted = wanted_rule(g->options, group->tag);
    struct fit fit = {.group = number};
    uint32_t rank = 0;
    const char *nearly = NULL;
    for (const struct trace_rule *rule = trace_rules; rule->name != NULL; rule++) {
        if ((wanted != NULL && strcmp(wanted, rule->name) != 0) ||
            !trace_pattern_find(rule, group, &v->layout, &v->followers, g->distances[group->place],
                                &fit.pattern, &g->scratch, &rank)) {
            continue;
        }
        fit.holds = holds(g, v, group, &fit.pattern, &fit.graph, e);
        fit.aside = goes_aside(&fit.pattern);
        nearly = fit.holds || nearly != NULL ? nearly : rule->name;
        if (e->status != TAN_DONE || add_fit(plan, &fit, e) < 0) {
            return -1;
        }
    }
    if (plan->first[number] == TRACE_MAP_NONE && plan->failed == 0) {
        plan->group = number;
        plan->rank = rank;
        plan->nearly = nearly;
    }
    return 0;
}

/* Keep the messages of a group within the copies of its communicator. */
static int try_copies(const struct trace_growth *g, struct plan *plan, uint32_t number,
                      struct tan_error *e)
{
    const struct trace_group *group = &g->survey->group[number];
    const struct view *v = &plan->view[group->place];
    const struct fit fit = {
        number, {.rule = trace_rule_copies, .layout = &v->layout}, .holds = true};
    const char *wanted = wanted_rule(g->options, group->tag);
    const bool allowed = wanted != NULL ? strcmp(wanted, trace_rule_copies->name) == 0
                                        : g->options->unrecognised_copies;
    if (grows(v) && (!allowed || !is_plain(&v->layout))) {
        plan->failed++;
        return 0;
    }
    plan->copied += grows(v);
    return add_fit(plan, &fit, e);
}

static int try_group(struct trace_growth *g, struct plan *plan, uint32_t number,
                     struct tan_error *e)
{
    const struct trace_group *group = &g->survey->group[number];
    if (grows(&plan->view[group->place]) && !g->open[group->place] &&
        try_rules(g, plan, number, e) < 0) {
        return -1;
    }
    if (plan->first[number] != TRACE_MAP_NONE) {
        return 0;
    }
    plan->group = plan->failed == 0 ? number : plan->group;
    return try_copies(g, plan, number, e);
}

static void plan_clear(struct plan *plan, uint32_t comms)
{
    for (uint32_t i = 0; plan->view != NULL && i < comms; i++) {
        free(plan->view[i].followers.list);
        free(plan->view[i].followers.start);
    }
    free(plan->view);
    plan->view = NULL;
}

static int try_plan(struct trace_growth *g, struct plan *plan, struct tan_error *e)
{
    plan->view = calloc(g->comms->n, sizeof *plan->view);
    plan->first = malloc((g->survey->n + 1) * sizeof *plan->first);
    plan->start = malloc((g->survey->n + 1) * sizeof *plan->start);
    if (plan->view == NULL || plan->first == NULL || plan->start == NULL) {
        return tan_fail_nomem(e);
    }
    plan->possible = true;
    for (uint32_t i = 0; i < g->comms->n && plan->possible; i++) {
        plan->possible = see(&plan->world, &g->comms->list[i], &plan->view[i]);
        plan->copied_comms += plan->view[i].kind == COPIED && g->comms->list[i].size > 1;
    }
    int result = 0;
    for (uint32_t i = 0; i < g->survey->n && plan->possible && result == 0; i++) {
        plan->first[i] = TRACE_MAP_NONE;
        plan->start[i] = plan->n_fits;
        result = try_group(g, plan, i, e);
    }
    return result;
}

/* Layouts */

static int add_plan(struct trace_growth *g, struct trace_layout world, bool preferred,
                    struct tan_error *e)
{
    const int wanted = g->options->grow_dimension - 1;
    world.size = g->ranks;
    world.copies = g->copies;
    if (!trace_layout_holds(&world) || (wanted >= 0 && wanted != world.grows)) {
        return 0;
    }
    if (g->n_plans == g->room_plans) {
        const size_t room = 2 * g->room_plans + 16;
        struct plan *more = realloc(g->plans, room * sizeof *more);
        if (more == NULL) {
            return tan_fail_nomem(e);
        }
        g->plans = more;
        g->room_plans = room;
    }
    g->plans[g->n_plans++] = (struct plan){.world = world, .preferred = preferred};
    return 0;
}

/* The farthest that messages among all ranks go. */
static uint32_t farthest(const struct trace_growth *g)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < g->survey->n; i++) {
        const struct trace_group *group = &g->survey->group[i];
        for (uint32_t k = 0; group->size == g->ranks && k < group->n; k++) {
            const uint32_t a = group->edge[k].from;
            const uint32_t b = group->edge[k].to;
            const uint32_t far = a < b ? b - a : a - b;
            most = far > most ? far : most;
        }
    }
    return most;
}

static int add_rows(struct trace_growth *g, struct tan_error *e)
{
    const uint32_t p = g->ranks;
    const uint32_t far = farthest(g);
    const struct trace_layout rows[] = {
        {.kind = TRACE_GRID, .n = 1, .extent = {p}},
        {.kind = TRACE_STAR, .n = 1, .extent = {p}},
        {.kind = TRACE_GRID, .n = 1, .extent = {p}, .ends = 1},
        {.kind = TRACE_GRID, .n = 1, .extent = {p}, .ends = far > 1 && far < (p + 1) / 2 ? far : p},
        {.kind = TRACE_HEAP, .n = 1, .extent = {p}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (add_plan(g, rows[i], true, e) < 0) {
            return -1;
        }
    }
    return 0;
}

/* The longest dimension grows, if it can, of equal ones the first. */
static int add_grid(struct trace_growth *g, struct trace_layout grid, struct tan_error *e)
{
    uint32_t left = (1u << grid.n) - 1;
    for (bool preferred = true; left != 0; preferred = false) {
        int longest = 0;
        while ((left >> longest & 1) == 0) {
            longest++;
        }
        for (int d = longest + 1; d < grid.n; d++) {
            if ((left >> d & 1) != 0 && grid.extent[d] > grid.extent[longest]) {
                longest = d;
            }
        }
        left &= ~(1u << longest);
        grid.grows = longest;
        for (grid.ends = 0; grid.ends <= 1; grid.ends++) {
            if (add_plan(g, grid, preferred, e) < 0) {
                return -1;
            }
        }
    }
    return 0;
}

static int add_grids(struct trace_growth *g, int n, struct tan_error *e)
{
    const uint32_t p = g->ranks;
    int result = 0;
    for (uint32_t a = 2; a <= p / 2 && result == 0; a++) {
        if (p % a != 0) {
            continue;
        }
        const uint32_t rest = p / a;
        if (n == 2) {
            result = add_grid(
                g, (struct trace_layout){.kind = TRACE_GRID, .n = 2, .extent = {a, rest}}, e);
        }
        for (uint32_t b = 2; n == 3 && b <= rest / 2 && result == 0; b++) {
            if (rest % b == 0) {
                result = add_grid(
                    g,
                    (struct trace_layout){.kind = TRACE_GRID, .n = 3, .extent = {a, b, rest / b}},
                    e);
            }
        }
    }
    return result;
}

/* Choice */

static bool is_valid(const struct plan *plan)
{
    return plan->possible && plan->failed == 0;
}

static bool is_better(const struct plan *plan, const struct plan *than)
{
    return plan->copied != than->copied ? plan->copied < than->copied
                                        : plan->copied_comms < than->copied_comms;
}

static int try_plans(struct trace_growth *g, struct tan_error *e)
{
    size_t chosen = SIZE_MAX;
    for (size_t i = 0; i < g->n_plans; i++) {
        struct plan *plan = &g->plans[i];
        if (try_plan(g, plan, e) < 0) {
            return -1;
        }
        const bool better =
            is_valid(plan) && (chosen == SIZE_MAX || is_better(plan, &g->plans[chosen]));
        if (better && chosen != SIZE_MAX) {
            plan_clear(&g->plans[chosen], g->comms->n);
        }
        if (better) {
            chosen = i;
        } else {
            plan_clear(plan, g->comms->n);
        }
        if (better && g->survey->n == 0 && plan->copied_comms == 0) {
            break;
        }
    }
    g->chosen = chosen == SIZE_MAX ? NULL : &g->plans[chosen];
    return 0;
}

static const char *tag_text(int64_t tag, char *buffer, size_t size)
{
    snprintf(buffer, size, "tag %" PRId64, tag);
    return buffer;
}

static const char *comm_text(const struct trace_growth *g, uint32_t place, char *buffer,
                             size_t size)
{
    const struct trace_comm *comm = &g->comms->list[place];
    if (comm->size == g->ranks) {
        snprintf(buffer, size, "the communicator of all ranks");
    } else {
        snprintf(buffer, size, "a communicator of %" PRIu32 " ranks from rank %" PRIu32 " on",
                 comm->size, comm->rank[0]);
    }
    return buffer;
}

/* "1, 4 and 7" */
static void peers_text(const struct trace_group *group, uint32_t from, char *text, size_t size)
{
    enum { LISTED = 6 };
    const uint32_t first = group->sent[from];
    const uint32_t n = group->sent[from + 1] - first;
    size_t used = 0;
    for (uint32_t i = 0; i < n && i < LISTED; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s%" PRIu32, i == 0 ? "" : ", ",
                                 group->edge[first + i].to);
    }
    if (n > LISTED) {
        snprintf(text + used, size - used, " and %" PRIu32 " others", n - LISTED);
    }
}

/* The first rank of which a message goes less usual a way than most do, or else `rank`. */
static uint32_t odd_rank(const struct trace_group *group, uint32_t rank)
{
    uint32_t *times = calloc(group->size, sizeof *times);
    uint32_t most = 0;
    uint32_t usual = 0;
    uint32_t odd = rank;
    for (uint32_t i = 0; times != NULL && i < group->n; i++) {
        const uint32_t way = (group->edge[i].to + group->size - group->edge[i].from) % group->size;
        times[way]++;
        usual = times[way] > most ? way : usual;
        most = times[way] > most ? times[way] : most;
    }
    for (uint32_t i = group->n; most > 1 && i-- > 0;) {
        const uint32_t way = (group->edge[i].to + group->size - group->edge[i].from) % group->size;
        odd = way != usual ? group->edge[i].from : odd;
    }
    free(times);
    return odd;
}

/* The plan that serves most groups says what is wrong. */
static int refuse(const struct trace_growth *g, struct tan_error *e)
{
    const struct plan *best = NULL;
    for (size_t i = 0; i < g->n_plans; i++) {
        const struct plan *plan = &g->plans[i];
        if (plan->possible && (best == NULL || plan->failed < best->failed)) {
            best = plan;
        }
    }
    if (best == NULL || g->survey->n == 0) {
        return tan_fail_usage(e,
                              "--grow-dimension: no grid of %" PRIu32 " ranks has a dimension "
                              "%d that can grow",
                              g->ranks, g->options->grow_dimension);
    }
    const struct trace_group *group = &g->survey->group[best->group];
    const struct trace_comm *comm = &g->comms->list[group->place];
    uint32_t rank = odd_rank(group, best->rank);
    while (rank + 1 < group->size && group->sent[rank] == group->sent[rank + 1]) {
        rank++;
    }
    rank = group->sent[rank] == group->sent[rank + 1] ? group->edge[0].from : rank;
    char peers[120] = "";
    char in[80];
    char why[160];
    peers_text(group, rank, peers, sizeof peers);
    snprintf(why, sizeof why, "whose peers no rule gives for all ranks");
    if (g->open[group->place]) {
        snprintf(why, sizeof why,
                 "where receives from any source do not say whence their messages came");
    } else if (best->nearly != NULL) {
        snprintf(why, sizeof why,
                 "which fits \"%s\", but no traced ranks can stand for all of a larger job",
                 best->nearly);
    }
    return tan_fail(e,
                    "--extrapolate: rank %" PRIu32 " calls %s in %s with tag %" PRId64
                    ", to its ranks %s, %s; --unrecognised=copies keeps such messages within each "
                    "copy of the traced ranks",
                    comm->rank[rank], g->names->count[group->edge[group->sent[rank]].call].name,
                    comm_text(g, group->place, in, sizeof in), group->tag, peers, why);
}

/* Add the names of rules of a plan that fit a group, and lead to other messages than `chosen`, or
 * would if the traced ranks could stand for all. */
static void add_others(const struct plan *plan, uint32_t group, const struct fit *chosen,
                       char *text, size_t size)
{
    for (uint32_t i = plan->start[group]; i < plan->n_fits && plan->fit[i].group == group; i++) {
        const struct fit *fit = &plan->fit[i];
        const char *name = fit->pattern.rule->name;
        const size_t used = strlen(text);
        if ((!fit->holds || fit->graph != chosen->graph) && strstr(text, name) == NULL &&
            strcmp(name, chosen->pattern.rule->name) != 0 &&
            fit->pattern.rule != trace_rule_copies && !fit->aside &&
            used + strlen(name) + 3 < size) {
            snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", name);
        }
    }
}

/* Rules that fit as well as the chosen one. That another dimension could grow is no doubt. */
static void note_others(const struct trace_growth *g, uint32_t group, char *text, size_t size)
{
    const struct plan *chosen = g->chosen;
    const struct fit *fit = &chosen->fit[chosen->first[group]];
    text[0] = '\0';
    if (fit->pattern.rule == trace_rule_copies ||
        wanted_rule(g->options, g->survey->group[group].tag) != NULL) {
        return;
    }
    for (size_t i = 0; i < g->n_plans; i++) {
        const struct plan *plan = &g->plans[i];
        const bool same_grid =
            memcmp(plan->world.extent, chosen->world.extent, sizeof plan->world.extent) == 0;
        const bool same = same_grid && plan->world.grows == chosen->world.grows;
        if (is_valid(plan) && plan->copied == 0 && (same || (!same_grid && plan->preferred))) {
            add_others(plan, group, fit, text, size);
        }
    }
}

/* What is said of a communicator's messages. */
static void describe_pattern(struct trace_growth *g, uint32_t number, struct tan_trace_pattern *to)
{
    const struct trace_group *group = &g->survey->group[number];
    const struct view *v = &g->chosen->view[group->place];
    const struct trace_pattern *p = &g->chosen->fit[g->chosen->first[number]].pattern;
    *to = (struct tan_trace_pattern){.rule = p->rule->name,
                                     .tag = group->tag,
                                     .ranks = group->size,
                                     .grown = size_of(v),
                                     .first = g->comms->list[group->place].rank[0]};
    trace_pattern_text(p, to->peers, sizeof to->peers);
    note_others(g, number, to->others, sizeof to->others);
    for (uint32_t i = 0; i < group->n; i++) {
        to->messages += group->edge[i].sends;
    }
    if (to->others[0] != '\0') {
        char in[80];
        char tag[32];
        trace_remark(g->trace, "%s in %s: \"%s\" is taken, and %s would fit as well (--peers)",
                     tag_text(group->tag, tag, sizeof tag),
                     comm_text(g, group->place, in, sizeof in), to->rule, to->others);
    }
}

/* Communicators that are alike make one row. */
static void describe_comm(const struct trace_growth *g, uint32_t place,
                          struct tan_trace_growth *growth)
{
    const struct view *v = &g->chosen->view[place];
    const struct tan_trace_larger_comm this = {
        .ranks = g->comms->list[place].size, .grown = size_of(v), .copied = v->kind == COPIED};
    for (size_t i = 0; i < growth->n_comms; i++) {
        struct tan_trace_larger_comm *row = &growth->comm[i];
        if (row->ranks == this.ranks && row->grown == this.grown && row->copied == this.copied) {
            row->number++;
            return;
        }
    }
    growth->comm[growth->n_comms] = this;
    growth->comm[growth->n_comms++].number = 1;
}

static int describe(struct trace_growth *g, struct tan_error *e)
{
    struct tan_trace_growth *growth = &g->trace->growth;
    const struct trace_layout *world = &g->chosen->world;
    growth->pattern = calloc(g->survey->n + 1, sizeof *growth->pattern);
    growth->comm = calloc(g->comms->n + 1, sizeof *growth->comm);
    if (growth->pattern == NULL || growth->comm == NULL) {
        return tan_fail_nomem(e);
    }
    trace_layout_text(world, false, growth->traced, sizeof growth->traced);
    trace_layout_text(world, true, growth->larger, sizeof growth->larger);
    growth->dimension = world->n > 1 ? world->grows + 1 : 0;
    growth->ends = world->ends;
    for (uint32_t i = 0; i < g->survey->n; i++) {
        describe_pattern(g, i, &growth->pattern[growth->n_patterns++]);
    }
    for (uint32_t i = 0; i < g->comms->n; i++) {
        if (g->comms->list[i].size > 1) {
            describe_comm(g, i, growth);
        }
    }
    return 0;
}

static bool is_rule(const char *name)
{
    for (const struct trace_rule *rule = trace_rules; rule->name != NULL; rule++) {
        if (strcmp(rule->name, name) == 0) {
            return true;
        }
    }
    return strcmp(name, trace_rule_copies->name) == 0;
}

static int check_wanted(const struct tan_trace_options *o, struct tan_error *e)
{
    for (size_t i = 0; i < o->n_peers; i++) {
        const char *equals = strchr(o->peers[i], '=');
        const size_t digits = strspn(o->peers[i], "0123456789");
        const bool numbered = equals == NULL || (digits > 0 && o->peers[i] + digits == equals);
        if (!numbered || !is_rule(equals == NULL ? o->peers[i] : equals + 1)) {
            char known[256] = "";
            trace_rules_text(known, sizeof known);
            return tan_fail_usage(e,
                                  "--peers: \"%.64s\" is no rule, such as ring, nor a tag and a "
                                  "rule, such as 7=ring; rules are %s",
                                  o->peers[i], known);
        }
    }
    return 0;
}

static int prepare(struct trace_growth *g, struct tan_error *e)
{
    if (check_wanted(g->options, e) < 0) {
        return -1;
    }
    g->distances = calloc(g->comms->n, sizeof *g->distances);
    g->open = calloc(g->comms->n, sizeof *g->open);
    if (g->distances == NULL || g->open == NULL) {
        return tan_fail_nomem(e);
    }
    for (uint32_t i = 0; i < g->survey->n; i++) {
        g->distances[g->survey->group[i].place] |= trace_group_distances(&g->survey->group[i]);
    }
    for (uint32_t i = 0; i < g->ranks; i++) {
        for (uint32_t k = 0; k < g->survey->open[i].n; k++) {
            const struct trace_open_receive *r = &g->survey->open[i].list[k];
            g->open[r->place] = g->open[r->place] || r->peer == TRACE_NOBODY;
        }
    }
    return add_rows(g, e) < 0 || add_grids(g, 2, e) < 0 ? -1 : add_grids(g, 3, e);
}

struct trace_growth *trace_growth_plan(const struct trace_survey *survey,
                                       const struct trace_comms *comms,
                                       const struct trace_names *names,
                                       const struct tan_trace_options *options,
                                       struct tan_trace *trace, struct tan_error *e)
{
    struct trace_growth *g = calloc(1, sizeof *g);
    if (g == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    *g = (struct trace_growth){.survey = survey,
                               .comms = comms,
                               .names = names,
                               .options = options,
                               .trace = trace,
                               .ranks = survey->ranks,
                               .copies = options->copies,
                               .members_of = UINT32_MAX};
    if (prepare(g, e) < 0 || try_plans(g, e) < 0 ||
        (g->chosen == NULL ? refuse(g, e) : describe(g, e)) < 0) {
        trace_growth_destroy(g);
        return NULL;
    }
    return g;
}

void trace_growth_destroy(struct trace_growth *g)
{
    if (g == NULL) {
        return;
    }
    for (size_t i = 0; i < g->n_plans; i++) {
        plan_clear(&g->plans[i], g->comms->n);
        free(g->plans[i].fit);
        free(g->plans[i].first);
        free(g->plans[i].start);
    }
    free(g->plans);
    free(g->distances);
    free(g->open);
    free(g->scratch.list);
    free(g->members);
    free(g);
}

/* The larger job */

uint32_t trace_growth_origin(const struct trace_growth *g, uint32_t rank)
{
    return trace_layout_origin(&g->chosen->world, rank);
}

const uint32_t *trace_growth_members(struct trace_growth *g, uint32_t place, uint32_t rank,
                                     uint32_t own, uint32_t *size, uint32_t *number)
{
    const struct view *v = &g->chosen->view[place];
    const bool same =
        g->members_of == place && (g->members_for == rank || v->kind == WHOLE || v->kind == TURNED);
    *size = size_of(v);
    *number = number_in(g, v, rank, own);
    if (same) {
        return g->members;
    }
    uint32_t *more = realloc(g->members, (size_t)*size * sizeof *more);
    if (more == NULL) {
        return NULL;
    }
    for (uint32_t i = 0; i < *size; i++) {
        more[i] = rank_of(g, v, &g->comms->list[place], rank, i);
    }
    g->members = more;
    g->members_of = place;
    g->members_for = rank;
    return more;
}

uint32_t trace_growth_member_origin(const struct trace_growth *g, uint32_t place, uint32_t number)
{
    return trace_layout_origin(&g->chosen->view[place].layout, number);
}

uint32_t trace_growth_first(const struct trace_growth *g, uint32_t place, uint32_t number)
{
    uint32_t first = 0;
    while (trace_growth_member_origin(g, place, first) != number) {
        first++;
    }
    return first;
}

/* The pattern of a message; with any tag that of the first one between the two. */
static const struct trace_pattern *pattern_of(const struct trace_growth *g, uint32_t place,
                                              int64_t tag, uint32_t own, uint32_t peer)
{
    const struct plan *plan = g->chosen;
    for (uint32_t i = 0; i < g->survey->n; i++) {
        const struct trace_group *group = &g->survey->group[i];
        if (group->place == place && tag == TRACE_ANY &&
            trace_group_edge(group, peer, own) != NULL) {
            return &plan->fit[plan->first[i]].pattern;
        }
    }
    return NULL;
}

const struct trace_open_receive *trace_growth_open(const struct trace_growth *g, uint32_t rank,
                                                   uint32_t number)
{
    return &g->survey->open[rank].list[number];
}

const struct trace_peers *trace_growth_peers(struct trace_growth *g, uint32_t place, int64_t tag,
                                             uint32_t rank, uint32_t own, uint32_t peer,
                                             bool receives)
{
    const struct view *v = &g->chosen->view[place];
    const struct trace_group *group = trace_survey_find(g->survey, place, tag);
    const struct trace_pattern *p =
        group == NULL ? pattern_of(g, place, tag, own, peer)
                      : &g->chosen->fit[g->chosen->first[group - g->survey->group]].pattern;
    const struct trace_step step = {number_in(g, v, rank, own), own, peer, receives};
    g->scratch.n = 0;
    if (peer == own || p == NULL) {
        trace_peers_add(&g->scratch, step.rank - own + peer, false);
    } else {
        p->rule->grow(p, &step, &g->scratch);
    }
    for (uint32_t i = 0; i < g->scratch.n; i++) {
        g->scratch.list[i].rank =
            rank_of(g, v, &g->comms->list[place], rank, g->scratch.list[i].rank);
    }
    return g->scratch.failed ? NULL : &g->scratch;
}
