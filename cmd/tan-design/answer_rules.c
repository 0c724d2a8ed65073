/* answer_rules.c - rules of target systems for ranges of members and sizes
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <math.h>
#include <stdlib.h>

#include "base/output.h"
#include "base/units.h"
#include "model/wave/wave_doubts.h"

/* The messages of every size that is tried: `n` entries in each array. */
struct sizes {
    size_t n;
    struct tan_rules_size size[TAN_RULES_TRIED]; /* points into `up` and `down` */
    struct tan_params up[TAN_RULES_TRIED], down[TAN_RULES_TRIED];
    struct tan_payload *payload[TAN_RULES_TRIED];
};

static void clear_sizes(struct sizes *sizes)
{
    for (size_t i = 0; i < sizes->n; i++) {
        tan_payload_destroy(sizes->payload[i]);
    }
    free(sizes);
}

/* Set the parameters for size i, both ways. */
static int price_size(const struct config *c, const struct tan_basis *from, struct sizes *sizes,
                      size_t i, struct tan_error *e)
{
    const struct tan_network *network = &c->given.network;
    const int64_t bytes = sizes->size[i].bytes;
    sizes->up[i] = sizes->down[i] = from->machine->tan;
    sizes->size[i].up = sizes->size[i].down = &sizes->up[i];
    if (network->rate > 0.0) {
        tan_given_network(&c->given, &(struct tan_network){network->rate, bytes, 0}, &sizes->up[i]);
        tan_given_network(&c->given, &(struct tan_network){network->rate, 0, bytes},
                          &sizes->down[i]);
        sizes->size[i].down = &sizes->down[i];
        return 0;
    }
    if (wave_payload(from, bytes, c->message.growth, &sizes->payload[i], e) < 0) {
        return -1;
    }
    sizes->up[i].payload = sizes->down[i].payload = sizes->payload[i];
    if (wave_work_apart(c, &sizes->up[i], &sizes->down[i])) {
        sizes->size[i].down = &sizes->down[i];
    }
    return 0;
}

static struct sizes *price_sizes(const struct config *c, const struct tan_basis *from,
                                 struct tan_error *e)
{
    const int64_t measured = wave_bytes(c, from->machine);
    int64_t ends[TAN_RULES_ENDS];
    int64_t bytes[TAN_RULES_TRIED];
    struct sizes *sizes = calloc(1, sizeof *sizes);
    if (sizes == NULL) {
        tan_fail_nomem(e);
        return NULL;
    }
    const bool given = c->target.n_bytes > 0;
    const struct tan_p2p *messages = from->machine->messages;
    size_t n =
        tan_rules_ends(c->target.row, TAN_RULES_BYTES, given ? c->target.range_bytes : &measured,
                       given ? c->target.n_bytes : 1, ends);
    if (messages != NULL && messages->eager > 0 && c->model->node != NULL) {
        n = tan_rules_insert(ends, n, messages->eager + 1); /* beyond which none are made */
    }
    sizes->n = tan_rules_grid(ends, n, bytes);
    for (size_t i = 0; i < sizes->n; i++) {
        sizes->size[i].bytes = bytes[i];
        if (price_size(c, from, sizes, i, e) < 0) {
            clear_sizes(sizes);
            return NULL;
        }
    }
    return sizes;
}

enum { LONG_MESSAGE = 64 << 10 }; /* where other algorithms than trees begin to pay */

/* Doubts about the trees of all rules and of defaults that are kept, about what the file of rules
 * cannot say, and about the model's error, NaN if unknown. */
static void doubt_rules(const struct config *c, const struct tan_rules *rules,
                        const struct sizes *sizes, double error, const struct tan_machine *machine,
                        struct tan_doubts *doubts)
{
    bool offered = false;
    for (int way = 0; way < rules->n_ways; way++) {
        const bool down = rules->direction[way] == TAN_DOWN;
        for (size_t i = 0; i < rules->n[way]; i++) {
            const struct tan_rule *rule = &rules->rule[way][i];
            const bool set = rule->ruling == TAN_RULE_SETTING;
            offered |= rule->ruling == TAN_RULE_OFFERED;
            for (size_t k = 0; k < sizes->n && (set || rule->ruling == TAN_RULE_NO_GAIN); k++) {
                if (sizes->size[k].bytes >= rule->bytes &&
                    sizes->size[k].bytes <= rule->bytes_most) {
                    const struct tan_params *params = sizes->size[k].up;
                    tan_doubt_fanout(rule->max_fanout, c->model, params, machine, doubts);
                    tan_doubt_size(rule->max_fanout, rule->members_most, 0, c->model, params,
                                   machine, doubts);
                    if (set) {
                        tan_doubt_handshakes(down ? 1 : rule->max_below, c->model, params, doubts);
                    }
                }
            }
        }
    }
    for (int way = 0; way < rules->n_ways; way++) {
        const char *shared = rules->target->shared.by[rules->direction[way] == TAN_DOWN];
        if (shared != NULL) {
            tan_doubts_add(doubts, TAN_NOTE, "ranks-of-hosts", NAN, 0,
                           "settings are compared for one rank per host; where several hosts run "
                           "several ranks each, the default is %s, which comes before these rules",
                           shared);
        }
    }
    if (sizes->size[sizes->n - 1].bytes >= LONG_MESSAGE) {
        tan_doubts_add(doubts, TAN_NOTE, "segments", NAN, 0,
                       "not compared are algorithms that cut messages into segments, or are no "
                       "trees, which are often faster from some %s on",
                       tan_size_text(LONG_MESSAGE).text);
    }
    if (offered) {
        tan_doubts_add(doubts, TAN_NOTE, "rendezvous", NAN, TAN_TOUCHES_ALL,
                       "no rules are made of messages that are sent by rendezvous, longer than %s, "
                       "unlike all measured ones: tanbench calibrate --bytes measures such",
                       tan_size_text(machine->messages->eager).text);
    }
    if (isnan(error)) {
        tan_doubts_add(doubts, TAN_DOUBT, "model-error", NAN, TAN_TOUCHES_ALL,
                       "no check trees, which tanbench calibrate FILE measures, say how far %s "
                       "errs, so rules allow for no error",
                       c->model->name);
    }
}

static int write_rules(const struct config *c, const struct tan_rules *rules,
                       const json_t *document, struct tan_error *e)
{
    if (c->to.output == NULL) {
        return 0;
    }
    struct tan_output *output = begin_output(c, document, rules->target->comment, e);
    if (output == NULL) {
        return -1;
    }
    rules->target->write_rules(rules, tan_output_stream(output));
    return tan_output_commit(output, e);
}

static int deliver_rules(const struct config *c, const struct tan_basis *from,
                         const struct tan_rules *rules, const struct sizes *sizes, double error,
                         struct tan_error *e)
{
    struct tan_given given = c->given;
    struct tan_basis all_sizes = *from;
    given.network.up = given.network.down = 0; /* the rules are for many sizes */
    all_sizes.given = &given;
    doubt_rules(c, rules, sizes, error, from->machine, from->doubts);
    json_t *document = show_answer(c, tan_answer_rules(rules, error, &all_sizes));
    if (write_rules(c, rules, document, e) < 0) {
        json_decref(document);
        return -1;
    }
    return end_answer(c, document, from, e);
}

int answer_rules(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    const double error = tan_checks_may_err(&from->machine->checks, c->model->name);
    struct tan_rules rules;
    struct sizes *sizes = price_sizes(c, from, e);
    int result = -1;
    if (sizes == NULL) {
        return -1;
    }
    int64_t members[TAN_RULES_ENDS];
    const size_t n = tan_rules_ends(c->target.row, TAN_RULES_MEMBERS, c->target.range_members,
                                    c->target.n_members, members);
    const struct tan_rules_problem problem = {c->target.row, c->model, c->given.network.rate > 0.0,
                                              members,       n,        sizes->size,
                                              sizes->n,      error};
    if (tan_rules_choose(&problem, &rules, e) == 0) {
        result = deliver_rules(c, from, &rules, sizes, error, e);
        tan_rules_clear(&rules);
    }
    clear_sizes(sizes);
    return result;
}
