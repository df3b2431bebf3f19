/* ingest/jobs/slurm_fields.c: see slurm_fields.h. */
#include "ingest/jobs/slurm_fields.h"

#include <string.h>

enum { COUNT_DIGITS = 17 };

static bool is_word(const char *text, size_t length, const char *word)
{
    return length == strlen(word) && memcmp(text, word, length) == 0;
}

int64_t slurm_count(const char *text, size_t length)
{
    int64_t value = 0;
    if (length == 0 || length > COUNT_DIGITS)
        return -1;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

/* ---- durations ---- */

bool slurm_duration(const char *text, size_t length, int64_t *seconds)
{
    int64_t parts[3], days = 0;
    int count = 0;
    const char *dash = memchr(text, '-', length);
    if (dash != NULL) {
        days = slurm_count(text, (size_t)(dash - text));
        if (days < 0 || days > 1000000)
            return false;
        length -= (size_t)(dash + 1 - text);
        text = dash + 1;
    }
    const char *point = memchr(text, '.', length);
    if (point != NULL) {
        size_t fraction = length - (size_t)(point + 1 - text);
        if (slurm_count(point + 1, fraction) < 0)
            return false;
        length = (size_t)(point - text);
    }
    for (const char *end = text + length; count < 3; count++) {
        const char *colon = memchr(text, ':', (size_t)(end - text));
        const char *stop = colon ? colon : end;
        parts[count] = slurm_count(text, (size_t)(stop - text));
        if (parts[count] < 0 || parts[count] > 1000000)
            return false;
        if (colon == NULL) {
            count++;
            break;
        }
        if (count == 2)
            return false; /* a fourth part */
        text = colon + 1;
    }

    int64_t hours = 0, minutes = 0, rest = 0;
    if (count == 3)
        hours = parts[0], minutes = parts[1], rest = parts[2];
    else if (count == 2 && dash != NULL)
        hours = parts[0], minutes = parts[1];
    else if (count == 2)
        minutes = parts[0], rest = parts[1];
    else if (dash != NULL)
        hours = parts[0];
    else
        return false; /* a bare number is minutes in some fields and seconds in others */
    if (rest > 59 || (minutes > 59 && count == 3) || (hours > 23 && dash != NULL))
        return false;
    *seconds = ((days * 24 + hours) * 60 + minutes) * 60 + rest;
    return true;
}

/* ---- times ---- */

enum slurm_time slurm_time(const char *text, size_t length, time_us *time, bool *has_offset)
{
    static const char *const unknown[] = { "Unknown", "None", "None assigned", "N/A", "0", NULL };
    time_us an_hour_east;
    *has_offset = false;
    if (length == 0)
        return SLURM_TIME_UNKNOWN;
    for (int i = 0; unknown[i] != NULL; i++)
        if (is_word(text, length, unknown[i]))
            return SLURM_TIME_UNKNOWN;
    if (length >= 9 && length <= 10 && slurm_count(text, length) > 0) {
        *time = slurm_count(text, length) * 1000000;
        *has_offset = true;
        return SLURM_TIME_KNOWN;
    }
    if (!time_parse(text, length, time) || !time_parse_zone(text, length, 3600, &an_hour_east))
        return SLURM_TIME_BAD;
    *has_offset = an_hour_east == *time;
    return SLURM_TIME_KNOWN;
}

size_t slurm_times(const struct slurm_time_field *fields, size_t count, bool *has_offset, const char **reason)
{
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        bool has_own;
        enum slurm_time outcome =
            slurm_time(fields[i].text.text, fields[i].text.length, &fields[i].time->at, &has_own);
        fields[i].time->known = outcome == SLURM_TIME_KNOWN;
        *reason = outcome == SLURM_TIME_BAD ? "is not a time (2026-09-01T12:00:00Z, or seconds since 1970)"
                                            : "and another time of the record differ in having an offset";
        if (outcome == SLURM_TIME_BAD || (fields[i].time->known && any && has_own != *has_offset))
            return i;
        if (fields[i].time->known) {
            *has_offset = has_own;
            any = true;
        }
    }
    return count;
}

/* ---- states ---- */

static const struct {
    const char *shown; /* base states first, then flags */
    const char *base;
    bool final;
} states[] = {
    { "PENDING", "PENDING", false },     { "RUNNING", "RUNNING", false },
    { "SUSPENDED", "SUSPENDED", false }, { "COMPLETED", "COMPLETED", true },
    { "CANCELLED", "CANCELLED", true },  { "FAILED", "FAILED", true },
    { "TIMEOUT", "TIMEOUT", true },      { "NODE_FAIL", "NODE_FAIL", true },
    { "PREEMPTED", "PREEMPTED", true },  { "BOOT_FAIL", "BOOT_FAIL", true },
    { "DEADLINE", "DEADLINE", true },    { "OUT_OF_MEMORY", "OUT_OF_MEMORY", true },
    { "REQUEUED", "REQUEUED", true },    { "REVOKED", "REVOKED", true },
    { "LAUNCH_FAILED", "FAILED", true }, { "RECONFIG_FAIL", "FAILED", true },
    { "SPECIAL_EXIT", "FAILED", true },  { "REQUEUE_HOLD", "REQUEUED", true },
    { "REQUEUE_FED", "REQUEUED", true }, { "COMPLETING", "RUNNING", false },
    { "CONFIGURING", "RUNNING", false }, { "POWER_UP_NODE", "RUNNING", false },
    { "RESIZING", "RUNNING", false },    { "SIGNALING", "RUNNING", false },
    { "STAGE_OUT", "RUNNING", false },   { "STOPPED", "SUSPENDED", false },
    { "EXPEDITING", "PENDING", false },  { "RESV_DEL_HOLD", "PENDING", false },
};
enum { STATE_COUNT = sizeof states / sizeof states[0] };

const char *slurm_state(const char *text, size_t length)
{
    const char *space = memchr(text, ' ', length);
    if (space != NULL) /* "CANCELLED by 380693" */
        length = (size_t)(space - text);
    for (int i = 0; i < STATE_COUNT; i++)
        if (is_word(text, length, states[i].shown))
            return states[i].base;

    const char *found = NULL;
    if (length < 2 || text[length - 1] != '+')
        return "UNKNOWN";
    for (int i = 0; i < STATE_COUNT; i++) {
        if (strncmp(states[i].shown, text, length - 1) != 0)
            continue;
        if (found != NULL && strcmp(found, states[i].base) != 0)
            return "UNKNOWN";
        found = states[i].base;
    }
    return found ? found : "UNKNOWN";
}

bool slurm_state_is_final(const char *state)
{
    for (int i = 0; i < STATE_COUNT; i++)
        if (strcmp(states[i].shown, state) == 0)
            return states[i].final;
    return false;
}

/* ---- trackable resources ---- */

static const char accelerator_name[] = "gres/gpu";

/* An entry of a TRES text such as "gres/gpu:h100=8". */
struct tres_entry {
    struct text_slice name;
    int64_t count; /* −1: no whole number */
};

/* Reads the next entry and moves *text behind it. False at the end. */
static bool next_entry(const char **text, const char *end, struct tres_entry *entry)
{
    if (*text == NULL || *text == end)
        return false;
    const char *comma = memchr(*text, ',', (size_t)(end - *text));
    const char *stop = comma ? comma : end;
    const char *equals = memchr(*text, '=', (size_t)(stop - *text));
    entry->name = (struct text_slice){ *text, (size_t)((equals ? equals : stop) - *text) };
    entry->count = equals ? slurm_count(equals + 1, (size_t)(stop - equals - 1)) : -1;
    *text = stop + (comma != NULL);
    return true;
}

/* The type in an entry of that name: "h100" in "gres/gpu:h100"; { NULL, 0 } without one. */
static struct text_slice type_of(const struct tres_entry *entry, const char *name)
{
    size_t length = strlen(name);
    if (entry->name.length <= length || memcmp(entry->name.text, name, length) != 0 ||
        entry->name.text[length] != ':')
        return (struct text_slice){ NULL, 0 };
    return (struct text_slice){ entry->name.text + length + 1, entry->name.length - length - 1 };
}

/* The sum of the counts named `name` or, with `typed`, `name` and a type. −1: none, or an invalid
 * count. */
static int64_t sum_tres(const char *text, size_t length, const char *name, bool typed)
{
    int64_t sum = -1;
    struct tres_entry entry;
    for (const char *end = text + length; length > 0 && next_entry(&text, end, &entry);) {
        if (typed ? type_of(&entry, name).text == NULL : !slice_is(entry.name, name))
            continue;
        if (entry.count < 0)
            return -1;
        sum = (sum < 0 ? 0 : sum) + entry.count;
    }
    return sum;
}

int64_t slurm_tres(const char *text, size_t length, const char *name)
{
    return sum_tres(text, length, name, false);
}

int64_t slurm_tres_accelerators(const char *text, size_t length)
{
    int64_t total = sum_tres(text, length, accelerator_name, false);
    return total >= 0 ? total : sum_tres(text, length, accelerator_name, true);
}

static bool is_printable(struct text_slice type)
{
    for (size_t i = 0; i < type.length; i++)
        if (type.text[i] <= ' ' || type.text[i] > '~')
            return false;
    return type.length > 0;
}

/* In byte order. */
static int compare_types(struct text_slice a, struct text_slice b)
{
    int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order != 0 ? order : (a.length > b.length) - (a.length < b.length);
}

/* Inserts a type in order, if it is new; returns the number of types. */
static size_t add_type(struct text_slice *types, size_t count, struct text_slice type)
{
    size_t place = count;
    while (place > 0 && compare_types(types[place - 1], type) > 0)
        place--;
    if (place > 0 && compare_types(types[place - 1], type) == 0)
        return count;
    memmove(types + place + 1, types + place, (count - place) * sizeof *types);
    types[place] = type;
    return count + 1;
}

void slurm_tres_accelerator_types(const char *text, size_t length, char *types, size_t size)
{
    enum { TYPES = 16 };
    struct text_slice found[TYPES];
    struct tres_entry entry;
    size_t count = 0, used = 0;
    bool is_typed = sum_tres(text, length, accelerator_name, true) == slurm_tres_accelerators(text, length);
    types[0] = '\0';
    for (const char *end = text + length; is_typed && length > 0 && next_entry(&text, end, &entry);) {
        struct text_slice type = type_of(&entry, accelerator_name);
        if (type.text == NULL || entry.count <= 0)
            continue;
        if (count == TYPES || !is_printable(type))
            return;
        count = add_type(found, count, type);
    }
    for (size_t i = 0; i < count; i++)
        used += found[i].length + 1;
    if (used > size)
        return;
    for (size_t i = 0; i < count; i++) {
        types = stpncpy(types, found[i].text, found[i].length);
        *types++ = i + 1 < count ? ',' : '\0';
    }
}

bool slurm_tres_names_gres(const char *text, size_t length)
{
    static const char prefix[] = "gres/";
    struct tres_entry entry;
    for (const char *end = text + length; length > 0 && next_entry(&text, end, &entry);)
        if (entry.name.length >= strlen(prefix) && memcmp(entry.name.text, prefix, strlen(prefix)) == 0)
            return true;
    return false;
}
