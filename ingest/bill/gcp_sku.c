/* ingest/bill/gcp_sku.c: see gcp_sku.h. */
#include "ingest/bill/gcp_sku.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Services by name; any other is "Other". Storage of Compute Engine is recognised by its SKU,
 * because disks are not hardware of a job. */
static const struct {
    const char *service, *category;
} service_categories[] = {
    { "AlloyDB", "Databases" },
    { "App Engine", "Compute" },
    { "Artifact Registry", "Developer Tools" },
    { "BigQuery", "Analytics" },
    { "BigQuery Reservation API", "Analytics" },
    { "BigQuery Storage API", "Analytics" },
    { "Cloud Bigtable", "Databases" },
    { "Cloud Build", "Developer Tools" },
    { "Cloud Composer", "Integration" },
    { "Cloud Dataflow", "Analytics" },
    { "Cloud Dataproc", "Analytics" },
    { "Cloud DNS", "Networking" },
    { "Cloud Filestore", "Storage" },
    { "Cloud Functions", "Compute" },
    { "Cloud Key Management Service (KMS)", "Security" },
    { "Cloud Logging", "Management and Governance" },
    { "Cloud Machine Learning Engine", "AI and Machine Learning" },
    { "Cloud Memorystore for Redis", "Databases" },
    { "Cloud Monitoring", "Management and Governance" },
    { "Cloud Pub/Sub", "Integration" },
    { "Cloud Run", "Compute" },
    { "Cloud Run Functions", "Compute" },
    { "Cloud SQL", "Databases" },
    { "Cloud Spanner", "Databases" },
    { "Cloud Storage", "Storage" },
    { "Cloud TPU", "AI and Machine Learning" },
    { "Compute Engine", "Compute" },
    { "Gemini API", "AI and Machine Learning" },
    { "Kubernetes Engine", "Compute" },
    { "Networking", "Networking" },
    { "Secret Manager", "Security" },
    { "Vertex AI", "AI and Machine Learning" },
};

static bool text_is(const struct csv_field *text, const char *wanted)
{
    return text->text != NULL && text->length == strlen(wanted) &&
           strncasecmp(text->text, wanted, text->length) == 0;
}

static bool text_begins(const struct csv_field *text, const char *wanted)
{
    size_t length = strlen(wanted);
    return text->text != NULL && text->length >= length && strncasecmp(text->text, wanted, length) == 0;
}

/* Whether the text contains `words` as whole words. */
static bool has_words(const struct csv_field *text, const char *words)
{
    size_t length = strlen(words);
    for (size_t at = 0; text->text != NULL && at + length <= text->length; at++) {
        bool begins = at == 0 || !isalnum((unsigned char)text->text[at - 1]);
        bool ends = at + length == text->length || !isalnum((unsigned char)text->text[at + length]);
        if (begins && ends && strncasecmp(text->text + at, words, length) == 0)
            return true;
    }
    return false;
}

static bool has_any(const struct csv_field *text, const char *const *words)
{
    for (; *words != NULL; words++) {
        if (has_words(text, *words))
            return true;
    }
    return false;
}

static const char *service_category(const struct csv_field *service, const struct csv_field *description)
{
    static const char *const disks[] = { "PD Capacity", "PD Snapshot",   "Hyperdisk",
                                         "Snapshot",    "Storage Image", NULL };
    if (text_is(service, "Compute Engine") && has_any(description, disks))
        return "Storage";
    for (size_t i = 0; i < sizeof service_categories / sizeof service_categories[0]; i++) {
        if (text_is(service, service_categories[i].service))
            return service_categories[i].category;
    }
    return "Other";
}

/* The first match counts: "Nvidia … GPU attached to Spot Preemptible VMs" is a GPU, and "Micro
 * Instance with burstable CPU" is an instance, billed by its own time. */
static const char *measure(const struct csv_field *description)
{
    static const char *const gpu[] = { "GPU", "GPUs", "Nvidia", NULL };
    static const char *const tpu[] = { "TPU", "TPUs", NULL };
    static const char *const core[] = { "Core", "Cores", NULL };
    static const char *const instance[] = { "Micro Instance", "Small Instance", NULL };
    static const char *const cpu[] = { "vCPU", "vCPUs", "CPU", NULL };
    if (has_any(description, gpu))
        return "GPU";
    if (has_any(description, tpu) || text_begins(description, "Tpu"))
        return "TPU";
    if (has_any(description, core))
        return "vCPU";
    if (has_any(description, instance))
        return NULL;
    return has_any(description, cpu) ? "vCPU" : NULL;
}

struct gcp_sku gcp_sku_describe(const struct csv_field *service, const struct csv_field *description)
{
    static const char *const spot[] = { "Spot", "Preemptible", NULL };
    bool fee = text_begins(description, "Commitment");
    return (struct gcp_sku){
        .service_category = service_category(service, description),
        .measure = measure(description),
        .is_spot = has_any(description, spot),
        .is_commitment_fee = fee,
        .is_spend_commitment = fee && has_words(description, "dollar based"),
    };
}

bool gcp_unit_is_time(const struct csv_field *unit)
{
    static const char *const units[] = { "second", "seconds", "sec", "s",   "minute", "minutes", "min",
                                         "hour",   "hours",   "hr",  "hrs", "h",      "day",     "days" };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        if (text_is(unit, units[i]))
            return true;
    }
    return false;
}
