/* ingest/jobs/node_list.c: see node_list.h. A recursive descent: a name is a prefix, then perhaps a
 * bracket whose every number is followed by the rest of the name. The name is built in place.
 */
#include "ingest/jobs/node_list.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { DIGITS_MAXIMUM = 12 };

struct expansion {
    char name[NODE_NAME_MAXIMUM + 1];
    int count;
    node_list_visitor visit;
    void *context;
    bool stopped;
    const char *reason;
};

static bool refuse(struct expansion *expansion, const char *reason)
{
    expansion->reason = reason;
    return false;
}

static bool is_digit(char character)
{
    return character >= '0' && character <= '9';
}

/* A name is text without white space, control characters, quotes. Else the record is bad. */
static bool is_name_character(char character)
{
    return (unsigned char)character > ' ' && character != 127 && character != '"' && character != '(' &&
           character != ')' && character != '=';
}

static bool append(struct expansion *expansion, size_t *used, const char *text, size_t length)
{
    if (*used + length > NODE_NAME_MAXIMUM)
        return refuse(expansion, "a name is longer than 255 bytes");
    for (size_t i = 0; i < length; i++)
        if (!is_name_character(text[i]))
            return refuse(expansion, "a name has a character that no host name has");
    memcpy(expansion->name + *used, text, length);
    *used += length;
    return true;
}

/* Reads digits; *width is how many. */
static bool read_number(struct expansion *expansion, const char **at, const char *end, int64_t *number,
                        int *width)
{
    *number = 0;
    for (*width = 0; *at < end && is_digit(**at); (*at)++, (*width)++) {
        if (*width == DIGITS_MAXIMUM)
            return refuse(expansion, "a number in a bracket is too long");
        *number = *number * 10 + (**at - '0');
    }
    return *width > 0 || refuse(expansion, "a bracket holds something else than numbers and ranges");
}

static bool expand_name(struct expansion *expansion, size_t used, const char *text, const char *end);

/* One number or range of a bracket, each followed by `rest`, what stands behind the bracket. */
static bool expand_range(struct expansion *expansion, size_t used, const char **at, const char *close,
                         const char *rest, const char *end)
{
    int64_t first, last;
    int width, last_width;
    if (!read_number(expansion, at, close, &first, &width))
        return false;
    last = first;
    if (*at < close && **at == '-') {
        (*at)++;
        if (!read_number(expansion, at, close, &last, &last_width))
            return false;
    }
    if (last < first)
        return refuse(expansion, "a range runs backwards");
    if (last - first >= NODE_LIST_MAXIMUM)
        return refuse(expansion, "it names more than 65,536 nodes");
    for (int64_t number = first; number <= last && !expansion->stopped; number++) {
        char digits[DIGITS_MAXIMUM + 12];
        size_t name_used = used;
        int length = snprintf(digits, sizeof digits, "%0*lld", width, (long long)number);
        if (!append(expansion, &name_used, digits, (size_t)length) ||
            !expand_name(expansion, name_used, rest, end))
            return false;
    }
    return true;
}

static bool expand_bracket(struct expansion *expansion, size_t used, const char *open, const char *end)
{
    const char *at = open + 1;
    const char *close = memchr(at, ']', (size_t)(end - at));
    if (close == NULL)
        return refuse(expansion, "a bracket is not closed");
    for (;;) {
        if (!expand_range(expansion, used, &at, close, close + 1, end))
            return false;
        if (at == close || expansion->stopped)
            return true;
        if (*at != ',')
            return refuse(expansion, "a bracket holds something else than numbers and ranges");
        at++;
    }
}

/* text[..end) is what is left of a name whose beginning stands in expansion->name[0..used). */
static bool expand_name(struct expansion *expansion, size_t used, const char *text, const char *end)
{
    const char *open = memchr(text, '[', (size_t)(end - text));
    const char *plain_end = open ? open : end;
    if (memchr(text, ']', (size_t)(plain_end - text)) != NULL)
        return refuse(expansion, "a bracket is closed that was not opened");
    if (!append(expansion, &used, text, (size_t)(plain_end - text)))
        return false;
    if (open != NULL)
        return expand_bracket(expansion, used, open, end);
    if (used == 0)
        return refuse(expansion, "a name is empty");
    if (++expansion->count > NODE_LIST_MAXIMUM)
        return refuse(expansion, "it names more than 65,536 nodes");
    expansion->name[used] = '\0';
    if (expansion->visit != NULL && !expansion->visit(expansion->context, expansion->name, used))
        expansion->stopped = true;
    return true;
}

/* The end of the name that begins at `text`: the next comma outside brackets. */
static const char *name_end(const char *text, const char *end)
{
    bool in_bracket = false;
    for (; text < end; text++) {
        if (*text == '[')
            in_bracket = true;
        else if (*text == ']')
            in_bracket = false;
        else if (*text == ',' && !in_bracket)
            break;
    }
    return text;
}

int node_list_expand(const char *text, size_t length, node_list_visitor visit, void *context,
                     const char **reason)
{
    struct expansion expansion = { .visit = visit, .context = context };
    const char *end = text + length;
    for (;;) {
        const char *stop = name_end(text, end);
        if (!expand_name(&expansion, 0, text, stop)) {
            *reason = expansion.reason;
            return -1;
        }
        if (stop == end || expansion.stopped)
            return expansion.count;
        text = stop + 1;
    }
}

/* ---- different names ---- */

struct hashes {
    XXH64_hash_t *hash;
    int count;
};

static bool put_hash(void *context, const char *name, size_t length)
{
    struct hashes *hashes = context;
    hashes->hash[hashes->count++] = XXH3_64bits(name, length);
    return true;
}

static int compare_hashes(const void *left, const void *right)
{
    const XXH64_hash_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

int node_list_different(const char *text, size_t length, int count)
{
    const char *reason;
    if (count <= 1)
        return count;
    struct hashes hashes = { .hash = malloc((size_t)count * sizeof *hashes.hash) };
    node_list_expand(text, length, put_hash, &hashes, &reason);
    qsort(hashes.hash, (size_t)hashes.count, sizeof *hashes.hash, compare_hashes);
    int different = 1;
    for (int i = 1; i < hashes.count; i++)
        different += hashes.hash[i] != hashes.hash[i - 1];
    free(hashes.hash);
    return different;
}
