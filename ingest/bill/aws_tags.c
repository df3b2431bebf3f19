/* ingest/bill/aws_tags.c: see aws_tags.h. */
#include "ingest/bill/aws_tags.h"

#include "base/utf8.h"
#include "ingest/bill/aws_columns.h"
#include "ingest/bill/nested_text.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <xxhash.h>

/* ---- keys ---- */

/* The beginnings of column names, or of keys of `tags`, and what replaces them in Tags. */
static const struct prefix {
    const char *name, *key;
    bool is_resource_tag;
} prefixes[] = {
    { "resourceTags/", "", true },
    { "resource_tags_", "", true },
    { "costCategory/", "costCategory/", false },
    { "cost_category_", "costCategory/", false },
    { "accountTag/", "accountTag/", false },
    { "userAttribute/", "userAttribute/", false },
};
static const struct prefix resource_tag = { "", "", true };
static const struct prefix cost_category = { "", "costCategory/", false };
static const struct prefix plain = { "", "", false };

/* The prefix of a name, if the name is longer than it; else NULL. */
static const struct prefix *find_prefix(const char *name)
{
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++) {
        size_t length = strlen(prefixes[i].name);
        if (strncasecmp(name, prefixes[i].name, length) == 0 && name[length] != '\0')
            return &prefixes[i];
    }
    return NULL;
}

/* The part of a delivered name that its key keeps: `team` of resourceTags/user:team. */
static const char *key_end(const struct prefix *prefix, const char *name)
{
    const char *end = name + strlen(prefix->name);
    bool by_user = strncmp(end, "user:", 5) == 0 || strncmp(end, "user_", 5) == 0;
    return prefix->is_resource_tag && by_user && end[5] != '\0' ? end + 5 : end;
}

static size_t key_size(const struct prefix *prefix, const char *name)
{
    return strlen(prefix->key) + strlen(key_end(prefix, name)) + 1;
}

static void write_key(const struct prefix *prefix, const char *name, char *key)
{
    snprintf(key, key_size(prefix, name), "%s%s", prefix->key, key_end(prefix, name));
}

/* ---- columns ---- */

struct aws_tag_column {
    char *key;
    const char *name; /* as delivered */
    int position;
};

static int compare_columns(const void *left, const void *right)
{
    const struct aws_tag_column *a = left, *b = right;
    int order = strcmp(a->key, b->key);
    return order != 0 ? order : strcmp(a->name, b->name);
}

static void set_key(struct aws_tag_column *column, const struct prefix *prefix)
{
    free(column->key);
    column->key = malloc(key_size(prefix, column->name));
    write_key(prefix, column->name, column->key);
}

/* If two columns have the same key, as team and user:team, the second one by name keeps its whole
 * name as key. */
static void distinguish(struct aws_tags *tags)
{
    qsort(tags->columns, (size_t)tags->count, sizeof *tags->columns, compare_columns);
    for (int i = tags->count - 1; i > 0; i--) {
        if (strcmp(tags->columns[i].key, tags->columns[i - 1].key) == 0)
            set_key(&tags->columns[i], &plain);
    }
    qsort(tags->columns, (size_t)tags->count, sizeof *tags->columns, compare_columns);
}

void aws_tags_find(struct billing_file *file, struct aws_tags *tags)
{
    int kept = 0;
    *tags = (struct aws_tags){ 0 };
    if (file->custom_count == 0)
        return;
    tags->columns = calloc((size_t)file->custom_count, sizeof *tags->columns);
    for (int i = 0; i < file->custom_count; i++) {
        int position = file->custom[i];
        const struct prefix *prefix = find_prefix(file->names[position]);
        if (prefix == NULL) {
            file->custom[kept++] = position;
            continue;
        }
        struct aws_tag_column *column = &tags->columns[tags->count++];
        *column = (struct aws_tag_column){ .name = file->names[position], .position = position };
        set_key(column, prefix);
    }
    file->custom_count = kept;
    distinguish(tags);
}

void aws_tags_free(struct aws_tags *tags)
{
    for (int i = 0; i < tags->count; i++)
        free(tags->columns[i].key);
    free(tags->columns);
    *tags = (struct aws_tags){ 0 };
}

/* ---- the tags of a line ---- */

enum { TAGS_MAXIMUM = BILLING_FILE_COLUMNS_MAXIMUM };

struct tag {
    const char *key;
    uint64_t hash; /* of the key: a line may have thousands */
    struct csv_field value;
};

static struct tag make_tag(const char *key, struct csv_field value)
{
    return (struct tag){ key, XXH3_64bits(key, strlen(key)), value };
}

struct tag_list {
    struct tag tags[TAGS_MAXIMUM];
    int count;
};

static void add_columns(const struct aws_tags *tags, const struct csv_record *record, struct tag_list *list)
{
    for (int i = 0; i < tags->count && list->count < TAGS_MAXIMUM; i++) {
        struct csv_field value = billing_text(record, tags->columns[i].position);
        if (value.text != NULL)
            list->tags[list->count++] = make_tag(tags->columns[i].key, value);
    }
}

static char *keep(struct billing_file *file, const char *text)
{
    size_t size = strlen(text) + 1;
    return memcpy(billing_room(file, size), text, size);
}

/* The same tag twice is kept once if the values agree. Otherwise the second one keeps its delivered
 * name as key. */
static bool add_tag(struct billing_file *file, const struct prefix *prefix, const char *name,
                    const char *value, struct tag_list *list)
{
    char *key = billing_room(file, key_size(prefix, name));
    char *text = keep(file, value);
    if (list->count == TAGS_MAXIMUM)
        return false;
    write_key(prefix, name, key);
    uint64_t hash = XXH3_64bits(key, strlen(key));
    for (int i = 0; i < list->count; i++) {
        const struct csv_field *other = &list->tags[i].value;
        if (list->tags[i].hash != hash || strcmp(list->tags[i].key, key) != 0)
            continue;
        if (other->length == strlen(text) && memcmp(other->text, text, other->length) == 0)
            return true;
        key = keep(file, name);
        break;
    }
    list->tags[list->count++] = make_tag(key, (struct csv_field){ text, strlen(text) });
    return true;
}

/* If `prefix` is NULL, the key has its own. Returns NULL, or what is wrong with the tag. */
static const char *add_member(struct billing_file *file, const struct prefix *prefix, const cJSON *tag,
                              struct tag_list *list)
{
    if (prefix == NULL)
        prefix = find_prefix(tag->string);
    if (cJSON_IsNull(tag) || (cJSON_IsString(tag) && tag->valuestring[0] == '\0'))
        return NULL;
    if (!cJSON_IsString(tag))
        return "no object of texts";
    if (!add_tag(file, prefix != NULL ? prefix : &plain, tag->string, tag->valuestring, list))
        return "more than there is room for";
    return NULL;
}

/* The tags of a column that holds a JSON object. */
static void add_object(struct billing_file *file, const struct csv_record *record, enum aws_column column,
                       const struct prefix *prefix, struct tag_list *list, struct billing_row *row)
{
    char excerpt[80];
    const char *problem = NULL;
    struct csv_field text = aws_text(file, record, column);
    if (text.text == NULL || (text.length == 2 && memcmp(text.text, "{}", 2) == 0))
        return;
    cJSON *object = nested_text_parse(text.text, text.length, &problem);
    if (object != NULL)
        problem = cJSON_IsObject(object) ? NULL : "no JSON object";
    for (const cJSON *tag = object != NULL ? object->child : NULL; tag != NULL && problem == NULL;
         tag = tag->next)
        problem = add_member(file, prefix, tag, list);
    if (problem != NULL)
        billing_note(row, file->names[file->positions[column]], "\"%s\" is %s",
                     utf8_excerpt(text.text, text.length, excerpt, sizeof excerpt), problem);
    cJSON_Delete(object);
}

/* ---- JSON ---- */

static char *put_string(char *out, const char *text, size_t length)
{
    *out++ = '"';
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20) {
            out += snprintf(out, sizeof "\\u0000", "\\u%04x", c);
            continue;
        }
        if (c == '"' || c == '\\')
            *out++ = '\\';
        *out++ = (char)c;
    }
    *out++ = '"';
    return out;
}

static int compare_tags(const void *left, const void *right)
{
    const struct tag *a = left, *b = right;
    return strcmp(a->key, b->key);
}

/* Escaping turns one byte into six at most. */
static struct csv_field write_tags(struct billing_file *file, struct tag_list *list)
{
    size_t size = 3;
    qsort(list->tags, (size_t)list->count, sizeof list->tags[0], compare_tags);
    for (int i = 0; i < list->count; i++)
        size += 6 * (strlen(list->tags[i].key) + list->tags[i].value.length) + 6;
    char *json = billing_room(file, size), *out = json;
    for (int i = 0; i < list->count; i++) {
        *out++ = i == 0 ? '{' : ',';
        out = put_string(out, list->tags[i].key, strlen(list->tags[i].key));
        *out++ = ':';
        out = put_string(out, list->tags[i].value.text, list->tags[i].value.length);
    }
    *out++ = '}';
    return (struct csv_field){ json, (size_t)(out - json) };
}

void aws_tags_read(struct billing_file *file, const struct csv_record *record, const struct aws_tags *tags,
                   struct billing_row *row)
{
    struct tag_list list;
    list.count = 0;
    if (tags != NULL)
        add_columns(tags, record, &list);
    add_object(file, record, AWS_RESOURCE_TAGS, &resource_tag, &list, row);
    add_object(file, record, AWS_COST_CATEGORY, &cost_category, &list, row);
    add_object(file, record, AWS_TAGS, NULL, &list, row);
    if (list.count == 0)
        return;
    row->texts[TEXT_TAGS] = write_tags(file, &list);
}
