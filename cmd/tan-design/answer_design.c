/* answer_design.c - the best tree, and comparison with given ones
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "cmd/tan-design/answers.h"

#include <stdlib.h>

#include "topo/spec.h"

/* Write the tree of any shape, or, if none is faster, the recommended tree. */
static int write_design(const struct config *c, const struct tan_design *d, const json_t *document,
                        struct tan_error *e)
{
    if (d->any_shape.tree != NULL) {
        return tree_output_write(c, d->any_shape.tree, document, e);
    }
    struct tan_tree *tree = tan_spec_build(tan_plan_spec(&d->choices[0].plan).text, e);
    const int result = tree == NULL ? -1 : tree_output_write(c, tree, document, e);
    tan_tree_destroy(tree);
    return result;
}

/* Compare the given trees with the best. The caller frees the array, also on failure. */
static int compare_specs(const struct config *c, const struct tan_design *d,
                         struct tan_compared **compared, struct tan_error *e)
{
    *compared = calloc(c->n_specs + 1, sizeof **compared);
    if (*compared == NULL) {
        return tan_fail_nomem(e);
    }
    for (size_t i = 0; i < c->n_specs; i++) {
        if (tan_compare(d, c->specs[i], &(*compared)[i], e) < 0) {
            return -1;
        }
    }
    return 0;
}

static int leaves_of(const char *spec, int64_t *leaves, struct tan_error *e)
{
    struct tan_tree *tree = tan_spec_build(spec, e);
    if (tree == NULL) {
        return -1;
    }
    *leaves = tan_tree_leaves(tree);
    tan_tree_destroy(tree);
    return 0;
}

/* The machine's parameters by LogGPO as published, if its messages are by the fitted lines. Returns
 * the payload, which the caller destroys; else NULL. */
static struct tan_payload *by_loggpo(const struct config *c, const struct tan_machine *machine,
                                     struct tan_params *params)
{
    const struct tan_payload *payload = machine->tan.payload;
    const struct tan_p2p_model *model =
        payload != NULL ? tan_payload_model_of(payload) : machine->message_model;
    if ((payload == NULL && !machine->tan.derived) ||
        !tan_p2p_by_section(machine->messages, model)) {
        return NULL;
    }
    return tan_params_by_messages(machine, tan_p2p_model_find("loggpo"), wave_bytes(c, machine),
                                  c->message.growth, params);
}

int answer_design(const struct config *c, const struct tan_basis *from, struct tan_error *e)
{
    struct tan_problem asked = problem_of(c, from);
    const int listed = (int)c->listed;
    struct tan_compared *compared = NULL;
    struct tan_design d;
    struct tan_params published;
    int result = -1;
    if (asked.leaves == 0 && leaves_of(c->specs[0], &asked.leaves, e) < 0) {
        return -1;
    }
    struct tan_payload *loggpo = by_loggpo(c, from->machine, &published);
    struct tan_problem problem = asked;
    problem.asked = &asked;
    problem.objective = c->aim.objective->least != NULL ? c->aim.objective : NULL;
    problem.published = loggpo == NULL ? NULL : &published;
    if (c->aim.objective->narrow(&problem, e) < 0 || tan_design(&problem, listed, &d, e) < 0) {
        tan_payload_destroy(loggpo);
        return -1;
    }
    if (compare_specs(c, &d, &compared, e) < 0) {
        goto done;
    }
    tan_doubt_design(&d, from->machine, from->doubts);
    tan_doubt_compared(compared, c->n_specs, c->model, from->machine, from->doubts);
    note_racks(c, from->machine, from->doubts);
    json_t *document = show_answer(c, tan_answer_design(&d, listed, compared, c->n_specs, from));
    if (c->to.output != NULL && write_design(c, &d, document, e) < 0) {
        json_decref(document);
    } else {
        result = end_answer(c, document, from, e);
    }

done:
    free(compared);
    tan_design_clear(&d);
    tan_payload_destroy(loggpo);
    return result;
}
