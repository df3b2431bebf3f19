/* ingest/file_kind.c: see file_kind.h. */
#include "ingest/file_kind.h"

#include "base/system/delivered_file.h"
#include "base/system/file.h"
#include "base/text/byte_source.h"
#include "base/text/not_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char jobs_belong[] = "job records belong into jobs/SOURCE/ of the inbox (docs/formats.md)";

static const struct table_kind table_kinds[] = {
    { "JobID", "job records of sacct", jobs_belong },
    { "JobIDRaw", "job records of sacct", jobs_belong },
    { "ContractCommitmentId", "FOCUS's contract commitments, which are terms and no charges",
      "take the file out of the delivery: their charges come with the Cost and Usage data" },
};

const struct table_kind *table_kind_find(char *const *names, int count)
{
    for (size_t kind = 0; kind < sizeof table_kinds / sizeof table_kinds[0]; kind++) {
        for (int i = 0; i < count; i++) {
            if (strcasecmp(names[i], table_kinds[kind].column) == 0)
                return &table_kinds[kind];
        }
    }
    return NULL;
}

enum { SAMPLE_BYTES = 64 << 10 };

static bool find_gzip(const char *path, bool *is_gzip, struct error *error)
{
    unsigned char magic[2];
    if (!path_is_readable(path, error))
        return false;
    FILE *file = delivered_file_stream(path, error);
    if (file == NULL)
        return false;
    *is_gzip = fread(magic, 1, sizeof magic, file) == sizeof magic && magic[0] == 0x1f && magic[1] == 0x8b;
    fclose(file);
    return true;
}

/* Reads the beginning of the file, decompressed, with a NUL at the end. Sets `kind->what` if there
 * is none. */
static bool read_sample(const char *path, char sample[SAMPLE_BYTES + 1], size_t *length,
                        struct file_kind *kind, struct error *error)
{
    size_t got = 0;
    struct error unreadable = { 0 };
    *length = 0;
    struct byte_source *source = byte_source_open(path, 0, 0, error);
    if (source == NULL)
        return false;
    bool ok = true;
    do {
        ok = byte_source_read(source, sample + *length, SAMPLE_BYTES - *length, &got, &unreadable);
        *length += ok ? got : 0;
    } while (ok && got > 0 && *length < SAMPLE_BYTES);
    byte_source_close(source);
    sample[*length] = '\0';
    if (!ok)
        snprintf(kind->what, sizeof kind->what, "not readable: %.200s", unreadable.message);
    else if (*length == 0)
        snprintf(kind->what, sizeof kind->what, "an empty file");
    return true;
}

static bool begins_with(const char *sample, size_t length, const char *magic)
{
    return length >= strlen(magic) && memcmp(sample, magic, strlen(magic)) == 0;
}

/* Names other kinds of files beside bills, by how they begin or what they contain. */
static const char *name_other(const char *sample, size_t length)
{
    static const struct {
        const char *key, *what;
    } manifests[] = {
        { "\"reportKeys\"", "the manifest of an AWS Cost and Usage Report" },
        { "\"dataFiles\"", "the manifest of an AWS Data Export" },
        { "\"blobs\"", "the manifest of an Azure Cost Management export" },
    };
    const struct not_text *kind = not_text_find(sample, length);
    if (kind != NULL)
        return kind->what;
    size_t start = begins_with(sample, length, "\xef\xbb\xbf") ? 3 : 0;
    start += strspn(sample + start, " \t\r\n");
    if (sample[start] != '{' && sample[start] != '[')
        return NULL;
    for (size_t i = 0; i < sizeof manifests / sizeof manifests[0]; i++) {
        if (strstr(sample, manifests[i].key) != NULL)
            return manifests[i].what;
    }
    return "JSON, and no manifest that is known";
}

/* The most frequent delimiter in the first line, outside quotes. */
static char find_delimiter(const char *sample)
{
    static const char delimiters[] = ",;\t|";
    int counts[sizeof delimiters] = { 0 }, best = 0;
    bool quoted = false;
    for (; *sample != '\0' && (quoted || (*sample != '\n' && *sample != '\r')); sample++) {
        const char *found = strchr(delimiters, *sample);
        if (*sample == '"')
            quoted = !quoted;
        else if (!quoted && found != NULL)
            counts[found - delimiters]++;
    }
    for (int i = 1; delimiters[i] != '\0'; i++) {
        if (counts[i] > counts[best])
            best = i;
    }
    return delimiters[best];
}

bool file_kind_find(const char *path, struct file_kind *kind, struct error *error)
{
    size_t length;
    *kind = (struct file_kind){ 0 };
    char *sample = malloc(SAMPLE_BYTES + 1);
    bool ok = find_gzip(path, &kind->is_gzip, error) && read_sample(path, sample, &length, kind, error);
    if (ok && kind->what[0] == '\0') {
        const char *other = name_other(sample, length);
        if (other != NULL)
            snprintf(kind->what, sizeof kind->what, "%s", other);
        else
            kind->delimiter = find_delimiter(sample);
    }
    free(sample);
    return ok;
}
