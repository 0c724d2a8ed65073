/* p2p.c - measuring single messages: a job of --p2p or --p2p-validate
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tanbench/p2p.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "tanbench/environment.h"
#include "tanbench/launch.h"
#include "tanbench/p2p_limits.h"
#include "tanbench/p2p_report.h"
#include "tanbench/stop.h"

enum { LARGEST = 4 << 20 };
static const double calibrate_seconds = 20.0;
static const double validate_seconds = 10.0;

struct tan_machine *p2p_machine(const struct options *o, int ranks, char **path,
                                struct tan_error *e)
{
    struct tan_machine *machine = NULL;
    char host[64] = "this host";
    *path = NULL;
    if (ranks < 2) {
        tan_fail_usage(e, "messages need two ranks: start it with -n 2, or run tanbench without a "
                          "launcher");
        return NULL;
    }
    if (o->p2p_validate) {
        machine = tan_machine_load(o->p2p_validate, e);
        if (machine != NULL && machine->messages == NULL) {
            tan_fail_at(e, o->p2p_validate, 0, 0,
                        "it has no p2p block to validate: --p2p --calibrate %s makes one",
                        o->p2p_validate);
            tan_machine_destroy(machine);
            return NULL;
        }
        *path = strdup(o->p2p_validate);
        return machine;
    }
    if (o->calibrate) {
        *path = o->operand ? strdup(o->operand) : tan_machine_user_path(e);
        if (*path == NULL) {
            tan_fail_nomem(e);
            return NULL;
        }
    }
    if (*path != NULL && access(*path, F_OK) == 0) {
        return tan_machine_load(*path, e);
    }
    gethostname(host, sizeof host - 1);
    machine = tan_machine_create(o->name ? o->name : host, e);
    if (machine != NULL) {
        machine->tan_known = false;
        machine->tan_derived = true;
    }
    return machine;
}

/* The largest size that is asked for. */
static int64_t largest(const struct options *o)
{
    int64_t most = o->n_sizes > 0 ? 1 : LARGEST;
    for (size_t i = 0; i < o->n_sizes; i++) {
        most = o->sizes[i] > most ? o->sizes[i] : most;
    }
    return most;
}

static void choose_sizes(const struct options *o, struct p2p_measurement *m, bool between)
{
    for (size_t i = 0; i < o->n_sizes; i++) {
        p2p_sizes_add(m, o->sizes[i]);
    }
    if (o->n_sizes == 0) {
        p2p_sizes_default(m, LARGEST, between);
    }
}

/* What either side takes beyond its computing, with `sender` and `receiver` seconds of it, when
 * nothing disturbs it; 0 or more. */
static struct p2p_overlap overhead(struct p2p_link *link, int64_t bytes, double sender,
                                   double receiver)
{
    enum { REPEATS = 15 };
    double of_sender[REPEATS];
    double of_receiver[REPEATS];
    double scratch[REPEATS];
    for (int i = 0; i < REPEATS; i++) {
        const struct p2p_overlap took = p2p_compute(link, bytes, sender, receiver);
        of_sender[i] = took.sender - sender;
        of_receiver[i] = took.receiver - receiver;
    }
    return (struct p2p_overlap){fmax(tan_p2p_undisturbed(of_sender, REPEATS, scratch), 0.0),
                                fmax(tan_p2p_undisturbed(of_receiver, REPEATS, scratch), 0.0)};
}

/* How much of messages of growing size each side can hide behind computing. */
static void find_hidden(struct p2p_link *link, struct p2p_findings *f)
{
    for (int64_t k = 1; k <= f->most && f->n_hidden < P2P_MOST_HIDDEN; k *= 16) {
        const double computation = 2.0 * tan_p2p_at(f->p2p, TAN_P2P_HALF, k);
        if (isfinite(computation)) {
            f->hidden[f->n_hidden++] = (struct p2p_hidden){
                .bytes = k,
                .computation = computation,
                .sender = overhead(link, k, computation, 0.0).sender,
                .receiver = overhead(link, k, 0.0, computation).receiver,
            };
        }
    }
}

/* Progress: messages move on their own when neither side, computing for four times the transfer,
 * has half of it left to do afterwards. Transfer: when they do not, and the receiver, waiting, is
 * done before the sender stops computing, it has fetched the message (RTA); when it has to wait for
 * the sender to come back, the sender pushes (RAT). */
static void find_mechanism(struct p2p_link *link, struct p2p_findings *f)
{
    struct tan_p2p *p = f->p2p;
    if (p->eager < 0 || p->eager >= f->most) {
        return;
    }
    const double whole = tan_p2p_at(p, TAN_P2P_HALF, f->most);
    if (!isfinite(whole)) {
        return;
    }
    const double computation = 4.0 * whole;
    const struct p2p_overlap both = overhead(link, f->most, computation, computation);
    if (both.sender < whole / 2 && both.receiver < whole / 2) {
        p->progress = TAN_PROGRESS_INDEPENDENT;
        return;
    }
    p->progress = TAN_PROGRESS_DEPENDENT;
    const double receiver = overhead(link, f->most, computation, 0.0).receiver;
    p->transfer = receiver < computation - whole / 2 ? TAN_TRANSFER_RTA
                  : receiver > computation           ? TAN_TRANSFER_RAT
                                                     : TAN_TRANSFER_UNKNOWN;
}

static struct tan_p2p *fit(const struct p2p_measurement *m, int64_t eager, uint64_t seed,
                           struct tan_error *e)
{
    struct tan_p2p_samples samples[P2P_MOST_SIZES];
    for (size_t i = 0; i < m->n_sizes; i++) {
        samples[i] =
            (struct tan_p2p_samples){.bytes = m->size[i], .n = m->passes, .train = m->train[i]};
        for (int t = 0; t < TAN_P2P_TIMINGS; t++) {
            samples[i].sample[t] = p2p_samples(m, i, (enum tan_p2p_timing)t);
        }
    }
    return tan_p2p_fit(samples, m->n_sizes, eager, seed, e);
}

/* Save the block in the machine file. */
static int save_machine(struct job *job, const struct p2p_findings *f, FILE *to,
                        struct tan_error *e)
{
    if (tan_machine_set_p2p(job->machine, p2p_block_json(f, job->environment), e) < 0) {
        return -1;
    }
    if (job->options->operand ? tan_machine_save(job->machine, job->machine_path, e)
                              : tan_machine_save_user(job->machine, e)) {
        return -1;
    }
    fprintf(to, "\nWrote %s\n", job->machine_path);
    return 0;
}

/* Takes the reference. */
static int save_json(json_t *document, const char *path, struct tan_error *e)
{
    if (document == NULL) {
        return tan_fail_nomem(e);
    }
    const int result = tan_json_save(path, document, e);
    json_decref(document);
    return result;
}

static struct p2p_effort effort(const struct options *o, bool all, double seconds)
{
    return (struct p2p_effort){
        .all = all,
        .max_seconds = o->given.max_seconds ? o->settings.max_seconds : seconds,
        .seed = o->settings.seed,
        .quiet = o->quiet,
    };
}

static FILE *tables(const struct options *o)
{
    return o->json && !strcmp(o->json, "-") ? stderr : stdout;
}

static void print_head(const struct job *job, const struct p2p_link *link, FILE *to)
{
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    const struct peer *peers = job->world->peers;
    environment_mpi(mpi, sizeof mpi);
    fprintf(to, "%s, messages between rank 0 on %s and rank %d on %s\n\n", mpi, peers[0].host,
            link->partner, peers[link->partner].host);
}

static int calibrate(struct job *job, struct p2p_link *link, struct tan_error *e)
{
    const struct options *o = job->options;
    const struct p2p_effort how = effort(o, true, calibrate_seconds);
    struct p2p_measurement m = {.n_sizes = 0};
    struct p2p_findings f = {.measured = &m, .most = largest(o), .limits = p2p_limits()};
    int result = -1;
    choose_sizes(o, &m, true);
    const int64_t eager = p2p_find_eager(link, f.most);
    if (eager > 0 && eager < f.most) {
        p2p_sizes_add(&m, eager);
        p2p_sizes_add(&m, eager + 1);
    }
    if (p2p_measure(link, &how, &m, e) < 0) {
        goto done;
    }
    f.p2p = fit(&m, eager < f.most ? eager : -1, how.seed, e);
    if (f.p2p == NULL) {
        goto done;
    }
    find_hidden(link, &f);
    find_mechanism(link, &f);
    FILE *to = tables(o);
    print_head(job, link, to);
    p2p_print(&f, to);
    result = 0;
    if (o->calibrate) {
        result = save_machine(job, &f, to, e);
    }
    if (o->json && result == 0) {
        result = save_json(p2p_results_json(&f, job->environment), o->json, e);
    }

done:
    tan_p2p_destroy(f.p2p);
    json_decref(f.limits);
    p2p_measurement_clear(&m);
    return result;
}

static int validate(struct job *job, struct p2p_link *link, struct tan_error *e)
{
    const struct options *o = job->options;
    const struct p2p_effort how = effort(o, false, validate_seconds);
    struct p2p_measurement m = {.n_sizes = 0};
    const struct p2p_comparison c = {&m, job->machine, job->machine_path};
    int result = -1;
    choose_sizes(o, &m, false);
    if (p2p_measure(link, &how, &m, e) == 0) {
        FILE *to = tables(o);
        print_head(job, link, to);
        p2p_compare_print(&c, to);
        result = o->json ? save_json(p2p_compare_json(&c, job->environment), o->json, e) : 0;
    }
    p2p_measurement_clear(&m);
    return result;
}

int p2p_run(struct job *job, int argc, char **argv, struct tan_error *e)
{
    struct p2p_link link;
    int status = TAN_DONE;
    if (p2p_link_open(&link, job->world, largest(job->options), e) < 0) {
        return -1;
    }
    if (job->world->rank != 0) {
        p2p_link_serve(&link);
        p2p_link_close(&link);
        return TAN_DONE;
    }
    job->environment = environment_describe(job->world, argc, argv);
    if (job->environment == NULL) {
        tan_error_print(e, "tanbench", stderr);
        return tan_fail_nomem(e);
    }

    launch_report_cell("messages");
    const int result =
        job->options->p2p_validate ? validate(job, &link, e) : calibrate(job, &link, e);
    if (result == 0) {
        tan_cli_close_stdout(e);
    }
    if (e->status != TAN_DONE) {
        status = tan_error_print(e, "tanbench", stderr);
    }
    if (result < 0 && world_find_dead(job->world) >= 0) {
        return -1;
    }
    p2p_link_end(&link);
    if (status == TAN_DONE && p2p_link_crowded(&link)) {
        fprintf(stderr, "tanbench: the two ranks share a core: do not trust these times\n");
        status = TAN_UNTRUSTED;
    }
    p2p_link_close(&link);
    return status;
}
