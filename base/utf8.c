/* base/utf8.c: see utf8.h. */
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* The length of the character at text[0]; 0: invalid. */
static size_t character_length(const unsigned char *text, size_t left)
{
    if (text[0] < 0x80)
        return text[0] != 0;
    size_t length = text[0] >= 0xf0 ? 4 : text[0] >= 0xe0 ? 3 : 2;
    if (text[0] < 0xc2 || text[0] > 0xf4 || left < length)
        return 0;
    for (size_t i = 1; i < length; i++) {
        if ((text[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xed && text[1] > 0x9f) ||
        (text[0] == 0xf0 && text[1] < 0x90) || (text[0] == 0xf4 && text[1] > 0x8f))
        return 0;
    return length;
}

/* Checks eight bytes at once: none is NUL or has its high bit set. */
static int is_plain_word(const unsigned char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    uint64_t borrowed = word - UINT64_C(0x0101010101010101);
    return ((word | borrowed) & UINT64_C(0x8080808080808080)) == 0;
}

size_t utf8_valid_prefix(const char *text, size_t length)
{
    const unsigned char *bytes = (const unsigned char *)text;
    size_t at = 0;
    while (at < length) {
        while (length - at >= 8 && is_plain_word(bytes + at))
            at += 8;
        for (size_t stop = length - at < 8 ? length : at + 8; at < stop;) {
            size_t character = character_length(bytes + at, length - at);
            if (character == 0)
                return at;
            at += character;
        }
    }
    return length;
}

/* U+061C, U+200E, U+200F, U+202A to U+202E and U+2066 to U+2069 change the direction of the text
 * after them; U+2028 and U+2029 end a line. */
static size_t mark_length(const unsigned char *text, size_t left)
{
    if (left >= 2 && text[0] == 0xd8 && text[1] == 0x9c)
        return 2;
    if (left < 3 || text[0] != 0xe2)
        return 0;
    bool is_mark = text[1] == 0x80
                       ? text[2] == 0x8e || text[2] == 0x8f || (text[2] >= 0xa8 && text[2] <= 0xae)
                       : text[1] == 0x81 && text[2] >= 0xa6 && text[2] <= 0xa9;
    return is_mark ? 3 : 0;
}

static size_t control_length(const unsigned char *text, size_t left)
{
    if (left >= 2 && text[0] == 0xc2 && text[1] < 0xa0)
        return 2;
    return text[0] < 0x20 || text[0] == 0x7f ? 1 : mark_length(text, left);
}

size_t utf8_control(const char *text)
{
    return text[0] == '\0' ? 0 : control_length((const unsigned char *)text, strnlen(text, 3));
}

const char *utf8_excerpt(const char *bytes, size_t length, char *excerpt, size_t size)
{
    static const char ellipsis[] = "\xe2\x80\xa6";
    size_t used = 0;
    size_t at = 0;
    while (at < length) {
        size_t character = character_length((const unsigned char *)bytes + at, length - at);
        size_t room = size - used - sizeof ellipsis;
        if (size < used + sizeof ellipsis || (character > 0 ? character : 1) > room)
            break;
        size_t control = control_length((const unsigned char *)bytes + at, length - at);
        if (character == 0 || control > 0) {
            excerpt[used++] = '?';
            at += character == 0 ? 1 : control;
        } else {
            memcpy(excerpt + used, bytes + at, character);
            used += character;
            at += character;
        }
    }
    if (at < length && size >= used + sizeof ellipsis) {
        memcpy(excerpt + used, ellipsis, sizeof ellipsis - 1);
        used += sizeof ellipsis - 1;
    }
    excerpt[used] = '\0';
    return excerpt;
}
