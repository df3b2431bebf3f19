/* ingest/jobs/kubernetes_resources.c: see kubernetes_resources.h. */
#include "ingest/jobs/kubernetes_resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Above this a double is not exact, and no cluster has so many. */
static const double THOUSANDTHS_MAXIMUM = 1e15;

static const char *const accelerators[] = {
    "nvidia.com/gpu",        "amd.com/gpu", "gpu.intel.com/i915", "habana.ai/gaudi", "google.com/tpu",
    "aws.amazon.com/neuron", NULL
};

static int64_t thousandths_of(double value)
{
    return value >= 0 && value <= THOUSANDTHS_MAXIMUM ? llround(value) : -1;
}

int64_t kubernetes_thousandths(const cJSON *member)
{
    const char *text = cJSON_GetStringValue(member);
    if (cJSON_IsNumber(member))
        return thousandths_of(member->valuedouble * 1000);
    if (text == NULL || text[0] < '0' || text[0] > '9')
        return -1;
    char *end;
    size_t digits = strspn(text, "0123456789.");
    double value = strtod(text, &end);
    if (end != text + digits)
        return -1;
    if (strcmp(end, "m") == 0)
        return thousandths_of(value);
    return *end == '\0' ? thousandths_of(value * 1000) : -1;
}

int64_t kubernetes_accelerators(const cJSON *resources)
{
    int64_t sum = 0;
    for (int i = 0; accelerators[i] != NULL; i++) {
        int64_t count =
            kubernetes_thousandths(cJSON_GetObjectItemCaseSensitive(resources, accelerators[i])) / 1000;
        sum += count > 0 && count <= INT32_MAX ? count : 0;
    }
    return sum;
}
