/* machine_figures.c - tables and figures of machine files, and of single messages
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "page/kinds.h"

static const struct tan_figure message_figures[] = {
    {"messages", "Single messages, by size", "bytes", "time, us", "xy",
     "One-way time with its 95 % interval, overheads and gap, as measured.",
     /* intervals for one series only, since four would hide each other */
     .rows = {{TAN_INTERVALS, "one-way time", "sizes",
               .value = {"bytes", "half_us", "ci95.half_us.0|half_us", "ci95.half_us.1|half_us"}},
              {TAN_LINE, "overhead of the sender", "sizes", .value = {"bytes", "o_s_us"}},
              {TAN_LINE, "overhead of the receiver", "sizes", .value = {"bytes", "o_r_us"}},
              {TAN_LINE, "gap between messages", "sizes", .value = {"bytes", "gap_us"}}}},
    {.name = NULL}};

static void show_sizes(struct page *p, const json_t *p2p)
{
    tan_page_tell(p, p2p,
                  "A message of {sizes.0.bytes:size} takes {sizes.0.half_us:%.4g} us one way, one "
                  "of {sizes.-1.bytes:size} {sizes.-1.half_us:%.4g} us.");
    tan_page_tell(p, p2p,
                  "{?eager_bytes}Up to {eager_bytes:%.0f} bytes a send returns before its receiver "
                  "takes the message; a longer one waits for it.");
    tan_show_figures(p, p2p, message_figures);
}

void tan_show_measured_messages(struct page *p, const json_t *document)
{
    const json_t *p2p = json_object_get(document, "p2p");
    if (json_is_object(p2p)) {
        show_sizes(p, p2p);
    } else {
        tan_page_say(p, "There are figures of one pair of ranks only.");
    }
}

/* Of the model that answers use; TAN's gap is never fitted. */
static const struct tan_listing parameters = {
    "Parameters of {@}",
    "",
    8,
    {{"parameter", "[{?@=L_us}L][{?@=a_us}a][{?@=b_us}b][{?@=o_s_us}o_s][{?@=o_r_us}o_r]"
                   "[{?@=c_us}c][{?@=g_us}{?/o_s_us + 1}g][{?@=C_us}C]"},
     {"us", "{:%.4g}"},
     {"95 % interval", "{/ci95.@.-2:%.4g} to {/ci95.@.-1:%.4g}"},
     {"what it is",
      "[{?@=L_us}latency of a message][{?@=a_us}overhead of a message]"
      "[{?@=b_us}for each further child][{?@=o_s_us}overhead of a sender]"
      "[{?@=o_r_us}overhead of a receiver][{?@=c_us}growth of that][{?@=g_us}gap between messages]"
      "[{?@=C_us}once for a wave]"}}};

static const struct tan_listing check_trees = {
    "Check trees, which no fit used, and the models' errors",
    "check",
    64,
    {{"check tree", "{topo:%.39s}"},
     {"wave us", "{wave_us:%.4g}"},
     {"tan-overlap", "{error.tan-overlap * 100:%+.1f} %"},
     {"tan", "{error.tan * 100:%+.1f} %"},
     {"logp", "{error.logp * 100:%+.1f} %"}}};

/* The model that answers use by default with a machine file: its "model", or the one with the
 * smallest error on its check trees, or "tan". */
static const char *model_of(const json_t *machine)
{
    static const char *const models[] = {"tan-overlap", "tan", "logp"};
    const char *named = tan_text_of(json_object_get(machine, "model"), "name");
    const json_t *checks = tan_array_of(machine, "check");
    const char *best = "tan";
    double least = INFINITY;
    for (int m = 0; m < 3 && named[0] == '\0'; m++) {
        double sum = json_array_size(checks) > 0 ? 0.0 : NAN;
        for (size_t i = 0; i < json_array_size(checks); i++) {
            const json_t *error = json_object_get(json_array_get(checks, i), "error");
            sum += fabs(tan_number_of(error, models[m]));
        }
        if (sum < least) {
            least = sum;
            best = models[m];
        }
    }
    return named[0] != '\0' ? named : best;
}

/* What answers use, and the parameters of that. */
static void show_model(struct page *p, const json_t *machine, const char *model)
{
    const struct tan_place at = {.entry = machine, .key = model};
    const json_t *tan = json_object_get(machine, "tan");
    const json_t *overlap = json_object_get(machine, "overlap");
    const json_t *block =
        json_is_object(overlap) && strcmp(model, "tan-overlap") == 0 ? overlap : tan;
    tan_page_tell_at(p, &at,
                     "[{?tan}Answers use the model {@:%.20s}.][ On {model.trees:%.0f} "
                     "tree[{?model.trees - 1}s] left out of the fits models are off by: "
                     "[tan-overlap {model.error.tan-overlap:share}, ]tan {model.error.tan:share}"
                     "[, logp {model.error.logp:share}].]");
    tan_page_tell(p, block,
                  "Fanouts beyond {max_fanout:%.0f} were not measured: predictions for them "
                  "extrapolate.");
    tan_show_listing(p, &(struct tan_place){.document = block, .entry = block, .key = model},
                     &parameters);
}

void tan_show_machine(struct page *p, const json_t *document)
{
    const json_t *p2p = json_object_get(document, "p2p");
    show_model(p, document, model_of(document));
    tan_show_listing(p, &(struct tan_place){.entry = document}, &check_trees);
    if (json_is_object(p2p)) {
        show_sizes(p, p2p);
    }
}

/* Fits */

#define NOT_FITTED(model, number)                                                                  \
    {                                                                                              \
        TAN_POINTS, model ", not fitted", "held_out",                                              \
            .value = {"median_us", "predicted_us." model}, .style = number                         \
    }

static const struct tan_figure fit_figures[] = {
    {"fit", "Fitted and predicted against measured waves", "measured, us", "predicted, us", "xy",
     "A mark for each tree and model. On the diagonal predictions are exact; below it waves took "
     "longer than predicted.",
     .rows = {{TAN_POINTS, "{@:%.20s}, fitted", "fitted", .value = {"median_us", "predicted_us.@"}},
              NOT_FITTED("tan", 2),
              NOT_FITTED("logp", 3),
              NOT_FITTED("logp-serial", 4),
              NOT_FITTED("tan-overlap", 5)},
     .most = 500, .diagonal = true},
    {.name = NULL}};

static const struct tan_listing fit_models = {
    "Errors of the models on trees that were not fitted",
    "models",
    12,
    {{"model", "{@}"},
     {"mean |error|", "{waves.mean_abs_error * 100:%.1f} %"},
     {"worst", "{waves.worst_abs_error * 100:%.1f} %"},
     {"bias", "{waves.mean_error * 100:%+.1f} %"},
     {"tau", "{waves.kendall_tau:%.2f}"}}};

void tan_show_fit(struct page *p, const json_t *document)
{
    const json_t *machine = json_object_get(document, "machine");
    const char *model = model_of(machine);
    const struct tan_place at = {.document = document, .entry = document, .key = model};
    if (!tan_page_tell_at(p, &at,
                          "{?held_out}{@}, fitted to {fitted} trees, errs by "
                          "{models.@.waves.mean_abs_error:share} on average on {held_out} others, "
                          "at worst by {models.@.waves.worst_abs_error:share}" TAN_UNTRUSTED ".")) {
        tan_page_tell_at(p, &at,
                         "{?fitted}{@} was fitted to {fitted} trees; no others tell how well it "
                         "predicts" TAN_UNTRUSTED ".");
    }
    tan_show_figures_at(p, &at, fit_figures);
    tan_show_listing(p, &at, &fit_models);
    show_model(p, machine, model);
}

/* Validations of single messages */

static const struct tan_listing message_models = {
    "Errors of one-way times, by model",
    "models",
    16,
    {{"model", "{@}"},
     {"mean |error|", "{mean_abs_error * 100:%.1f} %"},
     {"worst", "{worst_abs_error * 100:%.1f} %"}}};

#define OVERLAP(title, kind)                                                                       \
    {                                                                                              \
        TAN_POINTS, title, "exchanges",                                                            \
            .value = {"overlap_ratio", "overlap_ratio + overlap_ratio_error"},                     \
            .only = "kind=" kind                                                                   \
    }

static const struct tan_figure validation_figures[] = {
    {"message-errors", "Errors of the models, by message size", "bytes", "absolute error, %", "xy",
     "How far each model's one-way time is off, up or down: the lower the better. Errors below "
     "0.1 % are drawn at 0.1 %.",
     .rows = {{TAN_POINTS, "{@}", "sizes", .value = {"bytes", "error.@ abs * 100 max 0.1"},
               .each = "models"}}},
    {"overlap", "Overlap of computation and communication", "measured", "predicted", "",
     "Measured overlap ratios, which are the share of the communication that computation hides, "
     "against the predicted ones.",
     .rows = {OVERLAP("the sender computes", "sender_computes"),
              OVERLAP("the receiver computes", "receiver_computes")},
     .diagonal = true},
    {.name = NULL}};

void tan_show_messages(struct page *p, const json_t *document)
{
    tan_page_tell(p, document,
                  "By the fitted lines one-way times are {models.fitted.mean_abs_error * 100:%.1f} "
                  "% off on average, {models.fitted.worst_abs_error * 100:%.1f} % at worst.");
    tan_show_listing(p, &(struct tan_place){.entry = document}, &message_models);
    tan_show_figures(p, document, validation_figures);
}
