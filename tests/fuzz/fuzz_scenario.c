/* Any bytes as a scenario: read, or refused with a line and a column; what is read can be written
 * and read again as the same. */
#include "tests/fuzz/fuzz.h"

#include "forecast/scenario_file.h"
#include "forecast/scenario_members.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a scenario says, as text. */
static char *written(const struct scenario *scenario)
{
    cJSON *json = scenario_json(scenario);
    char *text = cJSON_PrintUnformatted(json);
    cJSON_Delete(json);
    if (text == NULL)
        abort();
    return text;
}

static void read_again(const char *text)
{
    struct scenario scenario;
    struct error error = { 0 };
    if (!scenario_read_text("again.json", text, strlen(text), &scenario, &error)) {
        fprintf(stderr, "%s\n%s\n", text, error.message);
        abort();
    }
    char *again = written(&scenario);
    if (strcmp(text, again) != 0)
        abort();
    free(again);
    scenario_free(&scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct scenario scenario;
    struct error error = { 0 };
    char *text = malloc(size + 1);
    if (text == NULL)
        return 0;
    memcpy(text, data, size);
    text[size] = '\0';
    if (memchr(text, '/', size) == NULL) { /* no other files are read */
        if (scenario_read_text("fuzz.json", text, size, &scenario, &error)) {
            char *json = written(&scenario);
            read_again(json);
            free(json);
        } else if (error.message[0] == '\0') {
            abort();
        }
        scenario_free(&scenario);
    }
    free(text);
    return 0;
}
