/* ingest/jobs/node_list.c: see node_list.h. A recursive descent: a name is a prefix, then
 * perhaps a bracket, and the rest of the name follows each number of the bracket. Names are
 * built in place. */
#include "ingest/jobs/node_list.h"

#include <stdint.h>
#include <stdio.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { DIGITS_MAXIMUM = 12 };

struct expansion {
    char name[NODE_NAME_MAXIMUM + 1];
    int64_t count;
    node_list_visitor visit;
    void *context;
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

/* A name has no white space, control characters, quotes, or characters that separate names in other
 * kinds of lists. A record with another name is bad. */
static bool is_name_character(char character)
{
    return (unsigned char)character > ' ' && character != 127 && character != '"' && character != '(' &&
           character != ')' && character != '=' && character != ';' && character != '|';
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

/* Reads digits; *width is their number. */
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

static bool expand_number(struct expansion *expansion, size_t used, int64_t number, int width,
                          const char *rest, const char *end)
{
    char digits[DIGITS_MAXIMUM + 12];
    int length = snprintf(digits, sizeof digits, "%0*lld", width, (long long)number);
    return append(expansion, &used, digits, (size_t)length) && expand_name(expansion, used, rest, end);
}

/* Expands one number or range of a bracket. `rest`, the text after the bracket, follows each
 * number. */
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
    for (int64_t number = first; number <= last; number++) {
        int64_t before = expansion->count;
        if (!expand_number(expansion, used, number, width, rest, end))
            return false;
        if (expansion->visit == NULL && number < last - 1) { /* counting needs only the ends */
            expansion->count += (last - 1 - number) * (expansion->count - before);
            number = last - 1;
        }
    }
    return expansion->count <= NODE_LIST_MAXIMUM || refuse(expansion, "it names more than 65,536 nodes");
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
        if (at == close)
            return true;
        if (*at != ',')
            return refuse(expansion, "a bracket holds something else than numbers and ranges");
        at++;
    }
}

/* Expands text[..end), the rest of a name whose beginning is in expansion->name[0..used). */
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
    if (expansion->visit != NULL)
        expansion->visit(expansion->context, expansion->name, used);
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

/* The count of numbers in a text such as "1-3,7"; anything else counts as one. */
static int64_t count_numbers(const char *text, const char *end)
{
    int64_t sum = 0;
    while (text < end && sum <= NODE_LIST_MAXIMUM) {
        struct expansion ignored = { 0 };
        int64_t first = 0, last;
        int width;
        bool is_number = read_number(&ignored, &text, end, &first, &width);
        last = first;
        if (is_number && text < end && *text == '-' && ++text <= end)
            is_number = read_number(&ignored, &text, end, &last, &width);
        sum += is_number && last > first ? last - first + 1 : 1;
        text = memchr(text, ',', (size_t)(end - text));
        text = text != NULL ? text + 1 : end;
    }
    return sum;
}

/* The count of names in text[..end), one name with or without brackets. */
static int64_t count_names(const char *text, const char *end)
{
    int64_t product = 1;
    const char *open, *close;
    while (product <= NODE_LIST_MAXIMUM && (open = memchr(text, '[', (size_t)(end - text))) != NULL &&
           (close = memchr(open, ']', (size_t)(end - open))) != NULL) {
        product *= count_numbers(open + 1, close);
        text = close + 1;
    }
    return product;
}

int64_t node_list_count(const char *text, size_t length)
{
    const char *end = text + length;
    int64_t sum = 0;
    for (;;) {
        const char *stop = name_end(text, end);
        sum += count_names(text, stop);
        if (sum > NODE_LIST_MAXIMUM)
            return NODE_LIST_MAXIMUM + 1;
        if (stop == end)
            return sum;
        text = stop + 1;
    }
}

int node_list_expand(const char *text, size_t length, node_list_visitor visit, void *context,
                     const char **reason)
{
    struct expansion expansion = { .visit = visit, .context = context };
    *reason = "it names more than 65,536 nodes";
    if (visit == NULL && node_list_count(text, length) > NODE_LIST_MAXIMUM)
        return -1;
    const char *end = text + length;
    for (;;) {
        const char *stop = name_end(text, end);
        if (!expand_name(&expansion, 0, text, stop)) {
            *reason = expansion.reason;
            return -1;
        }
        if (stop == end)
            return (int)expansion.count;
        text = stop + 1;
    }
}

/* ---- different names ---- */

struct hashes {
    XXH64_hash_t *hash;
    int count;
};

static void put_hash(void *context, const char *name, size_t length)
{
    struct hashes *hashes = context;
    hashes->hash[hashes->count++] = XXH3_64bits(name, length);
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
