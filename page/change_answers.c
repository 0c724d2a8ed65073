/* change_answers.c - answers about --set: what it changes, how sure that is, and where the time
 * goes SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/kinds.h"
#include "page/rows.h"

bool tan_simulation_doubted(const json_t *document)
{
    const json_t *parameters = json_object_get(document, "parameters");
    return json_array_size(tan_array_of(parameters, "doubts")) > 0;
}

#define CHANGED "ith --set [*change.settings:[{?# - 1},]{:%.80s}]"
#define OTHER_MODELS                                                                               \
    "By the other models it takes {change.least_factor:factor} to {change.most_factor:factor} "    \
    "times as long. "

/* What is added is parts of the critical path, which add up to the whole. */
void tan_tell_change(struct page *p, const json_t *document)
{
    if (!tan_page_tell(
            p, document,
            "[{?parameters.doubts}Not trustworthy (see the doubts): "
            "w][{?!parameters.doubts}W]" CHANGED
            ", \"{source:%.80s}\" takes {change.factor:factor} times as long: {finish_ns:ns} "
            "instead of {change.unchanged_ns:ns}, both simulated.")) {
        return;
    }
    if (!tan_page_tell(p, document,
                       "[" OTHER_MODELS
                       "]From the traced {change.traced_ns:ns} the simulation without the change "
                       "differs by {change.error * 100:%+.1f} %; added to the traced time, the "
                       "same change would make {change.factor_from_traced:factor} times, but that "
                       "time includes what is not simulated.")) {
        tan_page_tell(p, document, OTHER_MODELS);
    }
    tan_page_tell(p, document,
                  "{?change.added}Of the {finish_ns - change.unchanged_ns:+ns}[*change.added:"
                  "{?4 - #}, {added_ns:+ns} are in {name:%.60s}][{?change.added - 3}, "
                  "{finish_ns - change.unchanged_ns - change.added.0.added_ns - "
                  "change.added.1.added_ns - change.added.2.added_ns:+ns} elsewhere], on the "
                  "critical path.");
}

void tan_tell_fastest(struct page *p, const json_t *document)
{
    tan_page_tell(p, document,
                  "[{?parameters.doubts}Not trustworthy (see the doubts): ]"
                  "[{?change}[{?parameters.doubts}w][{?!parameters.doubts}W]" CHANGED
                  ", ]{collective:%.80s}: "
                  "{algorithms.0.pattern:%.80s} is the fastest of these algorithms, "
                  "{algorithms.0.finish_ns:ns} in the simulation.");
}

static const struct tan_listing changes = {
    "Effect of the change, by model",
    "program.models",
    12,
    {
        {"model", "{model:%.20s}"},
        {"without, ms", "{unchanged_us / 1000:%.4g}"},
        {"error, %", "{unchanged_us * 1000 / /change.traced_ns - 1 * 100:%+.1f}"},
        {"with, ms", "{simulated_us / 1000:%.4g}"},
        {"times as long", "{simulated_us / unchanged_us:factor}"},
        {"from traced, ms", "{from_traced_us / 1000:%.4g}"},
    },
};

void tan_show_change(struct page *p, const json_t *document)
{
    const json_t *models = tan_array_of(json_object_get(document, "program"), "models");
    const json_t *first = json_array_get(models, 0);
    if (json_object_get(first, "unchanged_us") != NULL) {
        tan_show_listing(p, document, &changes);
    }
}
