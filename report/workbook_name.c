/* report/workbook_name.c: see workbook_name.h. */
#include "report/workbook_name.h"

#include "base/memory.h"
#include "base/system/file.h"
#include "base/utf8.h"

#include <ctype.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wctype.h>

static char *allocate(size_t bytes)
{
    return malloc(bytes);
}

/* Number of bytes of the UTF-8 character that begins here. PostgreSQL has checked that it is
 * valid. */
static size_t character_bytes(const char *text)
{
    unsigned char lead = (unsigned char)text[0];
    size_t bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    return strnlen(text, bytes);
}

static size_t utf16_units(size_t bytes)
{
    return bytes == 4 ? 2 : 1;
}

/* Whether "_xHHHH_" begins here. Spreadsheets read it as the character HHHH. */
static bool looks_escaped(const char *text)
{
    return text[0] == '_' && text[1] == 'x' && isxdigit((unsigned char)text[2]) &&
           isxdigit((unsigned char)text[3]) && isxdigit((unsigned char)text[4]) &&
           isxdigit((unsigned char)text[5]) && text[6] == '_';
}

/* Writes "_XHHHH_", which is no escape. Names of sheets and cells have no letter case. */
static void keep_unread(char *name)
{
    for (; *name != '\0'; name++)
        if (looks_escaped(name))
            name[1] = 'X';
}

char *sheet_name_from(const char *text, int number)
{
    char suffix[16] = "";
    if (number > 1)
        snprintf(suffix, sizeof suffix, " (%d)", number);
    size_t room = SHEET_NAME_UNITS - strlen(suffix);
    char *name = allocate((size_t)4 * SHEET_NAME_UNITS + sizeof suffix);
    size_t used = 0, units = 0;
    text += strspn(text, "' ");
    for (size_t bytes; *text != '\0'; text += bytes) {
        bytes = character_bytes(text);
        if (units + utf16_units(bytes) > room)
            break;
        units += utf16_units(bytes);
        if (strchr("[]:*?/\\", *text) != NULL || utf8_control(text) > 0) {
            name[used++] = '-';
        } else {
            memcpy(name + used, text, bytes);
            used += bytes;
        }
    }
    while (used > 0 && (name[used - 1] == '\'' || name[used - 1] == ' '))
        used--;
    name[used] = '\0';
    if (used == 0 || strcasecmp(name, "History") == 0)
        memcpy(name, "Sheet", used = sizeof "Sheet" - 1);
    memcpy(name + used, suffix, strlen(suffix) + 1);
    keep_unread(name);
    return name;
}

char *defined_name_from(const char *text, int number)
{
    char *name = number > 1 ? text_of("%.200s_%d", text, number) : text_of("%.200s", text);
    for (char *c = name; *c != '\0'; c++)
        if (!(*c >= 'a' && *c <= 'z') && !(*c >= 'A' && *c <= 'Z') && !(*c >= '0' && *c <= '9'))
            *c = '_';
    keep_unread(name);
    return name;
}

/* Returns the first character of *text with its case removed, and moves *text behind it. */
static wint_t next_folded(const char **text)
{
    static locale_t unicode; /* kept until the process ends; C.UTF-8 is part of the C library */
    size_t bytes = character_bytes(*text);
    wint_t character = (unsigned char)**text;
    if (bytes == 1) {
        *text += 1;
        return (wint_t)tolower((int)character);
    }
    character &= 0x7FU >> bytes;
    for (size_t i = 1; i < bytes; i++)
        character = character << 6 | ((unsigned char)(*text)[i] & 0x3FU);
    *text += bytes;
    if (unicode == (locale_t)0)
        unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    if (unicode == (locale_t)0) /* an unneeded mark is better than one file for two centres */
        return 0x80;
    return towlower_l(towupper_l(character, unicode), unicode);
}

bool names_collide(const char *a, const char *b)
{
    while (*a != '\0' && *b != '\0') {
        if (next_folded(&a) != next_folded(&b))
            return false;
    }
    return *a == *b;
}

char *file_name_part(const char *text, bool always_mark)
{
    enum { MARK_DIGITS = 8 };
    char *part = allocate(FILE_NAME_PART_BYTES + MARK_DIGITS + 2);
    size_t used = 0;
    bool mark = always_mark;
    const char *rest = text;
    for (size_t bytes; *rest != '\0'; rest += bytes) {
        bytes = character_bytes(rest);
        if (used + bytes > FILE_NAME_PART_BYTES)
            break;
        if (((unsigned char)*rest >= 0x80 && utf8_control(rest) == 0) || isalnum((unsigned char)*rest) ||
            strchr("._-", *rest) != NULL) {
            memcpy(part + used, rest, bytes);
            used += bytes;
        } else {
            part[used++] = '-';
            mark = true;
        }
    }
    mark = mark || *rest != '\0' || used == 0;
    part[used] = '\0';
    if (mark) {
        char hex[SHA256_HEX_BYTES];
        text_sha256(text, strlen(text), hex);
        snprintf(part + used, MARK_DIGITS + 2, "-%.*s", (int)MARK_DIGITS, hex);
    }
    return part;
}

static bool is_control(const char *text)
{
    unsigned char c = (unsigned char)text[0];
    return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7F;
}

/* Whether it is no character, or a character that changes how others are shown: C1, direction
 * marks. */
static bool is_replaced(const char *text)
{
    return utf8_control(text) > 1 || strncmp(text, "\xEF\xBF\xBE", 3) == 0 ||
           strncmp(text, "\xEF\xBF\xBF", 3) == 0;
}

const char *cell_text(const char *text, char **owned)
{
    *owned = NULL;
    bool change = strlen(text) > CELL_TEXT_UNITS;
    for (const char *c = text; *c != '\0' && !change; c++)
        change = is_control(c) || looks_escaped(c) || ((*c & 0x80) != 0 && is_replaced(c));
    if (!change)
        return text;

    static const char ellipsis[] = "…";
    char *safe = *owned = allocate(7 * strlen(text) + sizeof ellipsis);
    size_t used = 0, units = 0, used_before_last = 0;
    for (size_t bytes; *text != '\0'; text += bytes) {
        bytes = character_bytes(text);
        size_t added = looks_escaped(text) ? 7 : utf16_units(bytes);
        if (units + added > CELL_TEXT_UNITS) {
            memcpy(safe + used_before_last, ellipsis, sizeof ellipsis);
            return safe;
        }
        used_before_last = used;
        units += added;
        if (looks_escaped(text)) {
            memcpy(safe + used, "_x005F_", 7); /* means the underscore alone */
            used += 7;
        } else if (is_control(text)) {
            char picture = (char)(*text == 0x7F ? 0x21 : *text);
            safe[used++] = '\xE2'; /* U+2400 + c */
            safe[used++] = '\x90';
            safe[used++] = (char)('\x80' + picture);
        } else if (bytes > 1 && is_replaced(text)) {
            memcpy(safe + used, "\xEF\xBF\xBD", 3);
            used += 3;
        } else {
            memcpy(safe + used, text, bytes);
            used += bytes;
        }
    }
    safe[used] = '\0';
    return safe;
}

/* Returns the position after `characters` characters. */
static const char *past_characters(const char *text, size_t characters)
{
    for (; characters > 0 && *text != '\0'; characters--)
        text += character_bytes(text);
    return text;
}

char *text_shortened(const char *text, size_t characters)
{
    size_t length = 0;
    for (const char *c = text; *c != '\0'; c += character_bytes(c))
        length++;
    if (length <= characters)
        return text_of("%s", text);
    size_t end = (characters - 1) / 2, begin = characters - 1 - end;
    return text_of("%.*s…%s", (int)(past_characters(text, begin) - text), text,
                   past_characters(text, length - end));
}

char *text_of(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_printed(format, arguments);
    va_end(arguments);
    return text;
}
