/* ingest/jobs/job_labels.c: see job_labels.h. */
#include "ingest/jobs/job_labels.h"

#include "ingest/json_fields.h"

#include <stdio.h>
#include <string.h>

void job_labels_clear(struct job_labels *labels)
{
    labels->text[0] = labels->run_group[0] = '\0';
}

static void add_label(struct job_labels *labels, const char *key, const char *value)
{
    size_t used = strlen(labels->text);
    if (key == NULL || value == NULL)
        return;
    if (used + strlen(key) + strlen(value) + 4 < sizeof labels->text)
        snprintf(labels->text + used, sizeof labels->text - used, "%s%s=%s", used > 0 ? ", " : "", key,
                 value);
    if (strcmp(key, "run_group") == 0 && strlen(value) < sizeof labels->run_group)
        snprintf(labels->run_group, sizeof labels->run_group, "%s", value);
}

void job_labels_add(struct job_labels *labels, const cJSON *value)
{
    const cJSON *label;
    cJSON_ArrayForEach(label, value)
    {
        if (cJSON_IsArray(value))
            add_label(labels, json_text(label, "Key"), json_text(label, "Value"));
        else
            add_label(labels, label->string, cJSON_GetStringValue(label));
    }
}

void job_labels_put(const struct job_labels *labels, struct job_record *record)
{
    if (labels->text[0] != '\0')
        record->comment = (struct text_slice){ labels->text, strlen(labels->text) };
    if (labels->run_group[0] != '\0')
        record->run_group = (struct text_slice){ labels->run_group, strlen(labels->run_group) };
}
