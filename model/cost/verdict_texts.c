/* model/cost/verdict_texts.c: see verdict_texts.h. */
#include "model/cost/verdict_texts.h"

#include <stdbool.h>
#include <stdio.h>

static const char *const verdict_names[VERDICTS] = {
    [VERDICT_NOT_MEASURED] = "not measured",
    [VERDICT_EXTRAPOLATED] = "extrapolated",
    [VERDICT_AT] = "at K*",
    [VERDICT_INSIDE] = "inside the band",
    [VERDICT_NEAR] = "near K*",
    [VERDICT_BELOW_SHARED] = "below, shared cost alone",
    [VERDICT_BELOW_WITHIN_ERROR] = "below, within measurement error",
    [VERDICT_BELOW] = "below K*",
    [VERDICT_WITHIN_ERROR] = "above, within measurement error",
    [VERDICT_ABOVE] = "above K*",
};

static const char *const reason_texts[VERDICT_REASONS] = {
    [VERDICT_REASON_NO_MEASUREMENT] = "there is no usable measurement",
    [VERDICT_REASON_ONE_SIZE] = "one size says nothing about scaling",
    [VERDICT_REASON_NOT_AT_THIS_SIZE] = "there is no law, and this size was not measured",
    [VERDICT_REASON_BELOW_SMALLEST] = "this size is below the smallest one measured",
    [VERDICT_REASON_MISFIT] =
        "the measurements contradict the law, or each other, by more than 25 %, or differ in their units",
    [VERDICT_REASON_NONE_FEASIBLE] = "no feasible size is measured or on the law",
    [VERDICT_REASON_BELOW_ZERO] =
        "its price is below zero in this statement (discounts exceed charges), so no size is the cheapest",
    [VERDICT_REASON_K_BEYOND] = "this size is beyond twice the largest one measured",
    [VERDICT_REASON_K_STAR_BEYOND] = "K* is beyond twice the largest size measured",
    [VERDICT_REASON_FALLS_FOR_EVER] = "on this law cost falls for ever, so K* is beyond anything measured",
    [VERDICT_REASON_AT] = "no size costs less money",
    [VERDICT_REASON_INSIDE] =
        "a smaller size costs less money, and this one is worth it at the rate of waiting",
    [VERDICT_REASON_SMALL_EXCESS] = "this size costs no more than K*, or too little more to act on",
    [VERDICT_REASON_OWN_NEAR] =
        "by the efficiency measured on this job itself, this size costs no more than K*, or hardly more",
    [VERDICT_REASON_NOT_SURE] = "this size costs more than K*, but measurement error may explain it",
    [VERDICT_REASON_INSIDE_NOISE] = "this size costs more, but by no more than repeats of one size differ",
    [VERDICT_REASON_ABOVE] = "this size costs more than K*, by more than measurement error explains",
    [VERDICT_REASON_ABOVE_NO_INTERVAL] = "this size costs more than K*, but the measurement error is unknown",
    [VERDICT_REASON_ABOVE_GAP] =
        "this size costs more than K*, but K* lies beside a fourfold gap between measured sizes",
    [VERDICT_REASON_ABOVE_BEYOND] = "this size costs more than K*, but it is above the largest size measured",
    [VERDICT_REASON_OWN_ABOVE] =
        "this size costs more by the efficiency measured on this job itself, and by its family's other measurements hardly more than K*",
    [VERDICT_REASON_ABOVE_MEASURED_ONLY] = "a smaller measured size costs less; no law stands behind it",
    [VERDICT_REASON_BELOW_SHARED] =
        "more nodes would lower its share of overhead, which others would bear, and hardly its own cost",
    [VERDICT_REASON_BELOW_MEASURED_ONLY] =
        "a larger measured size costs less and is quicker; no law stands behind it",
};

static const char *const next_texts[MEASURE_NEXTS] = {
    [MEASURE_NOTHING] = "nothing more is needed",
    [MEASURE_A_SIZE] = "it would tell most about how this family scales",
    [MEASURE_BEYOND_OPTIMUM] = "one size beyond the suspected optimum pins K* down best",
    [MEASURE_K_STAR] = "K* rests on the sizes around it and was never measured itself",
    [MEASURE_THE_GAP] = "K* rests on a wide gap between measured sizes",
    [MEASURE_THIS_SIZE] = "jobs run on this size, and its cost is not measured",
    [MEASURE_ONE_NODE] = "without it the price of leaving one node cannot be seen",
    [MEASURE_REPEATS] = "without repeats the noise is unknown",
    [MEASURE_ODD_SIZE] = "the measurements contradict each other most at this size",
    [MEASURE_AGAIN] = "K* rests on a single run of this size",
    [MEASURE_MORE] = "a step may hide in the noise of its runs",
    [MEASURE_NO_SIZE] = "nothing more can be measured: the family allows no other size",
};

const char *verdict_name(enum verdict verdict)
{
    return verdict_names[verdict];
}

const char *verdict_reason_text(enum verdict_reason reason)
{
    return reason_texts[reason];
}

char *verdict_next_text(const struct verdict_answer *answer, char *text, size_t size)
{
    if (answer->next == MEASURE_NOTHING || answer->next == MEASURE_NO_SIZE) {
        snprintf(text, size, "%s", next_texts[answer->next]);
    } else {
        bool is_repeat = answer->next == MEASURE_REPEATS || answer->next == MEASURE_ODD_SIZE ||
                         answer->next == MEASURE_AGAIN || answer->next == MEASURE_MORE;
        snprintf(text, size, "%s K = %u: %s", is_repeat ? "repeat" : "measure", answer->next_k,
                 next_texts[answer->next]);
    }
    return text;
}
