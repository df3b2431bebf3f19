/* base/text/csv_line.c: see csv_line.h. */
#include "base/text/csv_line.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Sets the top bit of the bytes of `word` that are zero. Bytes above a zero byte may be set,
 * too. */
static uint64_t zero_bytes(uint64_t word)
{
    return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

/* The first delimiter or quote in [from, end), else `end`. Eight bytes at a time. */
static const char *find_end(const char *from, const char *end, char delimiter)
{
    const uint64_t delimiters = UINT64_C(0x0101010101010101) * (unsigned char)delimiter;
    const uint64_t quotes = UINT64_C(0x0101010101010101) * '"';
    while (end - from >= 8) {
        uint64_t word;
        memcpy(&word, from, sizeof word);
        uint64_t found = zero_bytes(word ^ delimiters) | zero_bytes(word ^ quotes);
        if (found != 0)
            return from + __builtin_ctzll(found) / 8; /* the lowest is exact; little-endian */
        from += 8;
    }
    while (from < end && *from != delimiter && *from != '"')
        from++;
    return from;
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "find_end takes the lowest byte for the first");

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Reads the field that begins with the quote at `from`. Returns the place after its closing quote,
 * or NULL if the field does not end there. If the field has doubled quotes, it is copied with
 * single ones to `*room`, which moves on. */
static const char *split_quoted(const char *from, const char *end, char delimiter, char **room,
                                struct csv_field *field)
{
    const char *segment = ++from;
    char *copy = *room;
    for (;;) {
        const char *quote = memchr(from, '"', (size_t)(end - from));
        if (quote == NULL)
            return NULL; /* the field continues on the next line */
        if (quote + 1 < end && quote[1] == '"') {
            size_t length = (size_t)(quote + 1 - segment); /* including one of the two */
            memcpy(copy, segment, length);
            copy += length;
            segment = from = quote + 2;
            continue;
        }
        if (copy == *room) {
            *field = (struct csv_field){ segment, (size_t)(quote - segment) };
        } else {
            memcpy(copy, segment, (size_t)(quote - segment));
            copy += quote - segment;
            *field = (struct csv_field){ *room, (size_t)(copy - *room) };
            *room = copy;
        }
        return quote + 1 == end || quote[1] == delimiter ? quote + 1 : NULL;
    }
}

int csv_line_split(const char *line, size_t length, char delimiter, char *room, struct csv_field *fields,
                   int maximum)
{
    const char *end = line + length, *from = line;
    if (is_space(delimiter))
        return -1;
    for (int count = 0; count < maximum; count++) {
        const char *stop;
        if (from < end && *from == '"') {
            stop = split_quoted(from, end, delimiter, &room, &fields[count]);
            if (stop == NULL)
                return -1;
        } else {
            stop = find_end(from, end, delimiter);
            if ((stop < end && *stop == '"') || (stop > from && (is_space(*from) || is_space(stop[-1]))))
                return -1;
            fields[count] = (struct csv_field){ from, (size_t)(stop - from) };
        }
        if (stop == end)
            return count + 1;
        from = stop + 1;
    }
    return -1;
}
