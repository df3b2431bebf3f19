/* cli/ingest_print.c: see ingest_print.h. */
#include "cli/ingest_print.h"

cJSON *ingest_summary_json(const char *source, const char *label, const struct ingest_summary *summary)
{
    cJSON *object = cJSON_CreateObject();
    if (source != NULL)
        cJSON_AddStringToObject(object, "source", source);
    if (label != NULL)
        cJSON_AddStringToObject(object, "label", label);
    cJSON_AddBoolToObject(object, "unchanged", summary->unchanged);
    cJSON_AddNumberToObject(object, "rows", (double)summary->rows);
    cJSON_AddNumberToObject(object, "rejected", (double)summary->rejected);
    cJSON_AddNumberToObject(object, "ignored", (double)summary->ignored);
    return object;
}
