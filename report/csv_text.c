/* report/csv_text.c: see csv_text.h. */
#include "report/csv_text.h"

#include <string.h>

static bool is_formula(const char *text)
{
    static const char *const wide[] = { "＝", "＋", "－", "＠" };
    if (text[0] == '\0')
        return false;
    for (size_t i = 0; i < sizeof wide / sizeof wide[0]; i++) {
        if (strncmp(text, wide[i], strlen(wide[i])) == 0)
            return true;
    }
    return strchr("=+-@\t\r\n", text[0]) != NULL;
}

static bool needs_quotes(const char *text, char delimiter)
{
    size_t length = strlen(text);
    return length > 0 && (strpbrk(text, "\"\r\n,;|\t") != NULL || strchr(text, delimiter) != NULL ||
                          text[0] == ' ' || text[length - 1] == ' ');
}

void csv_text_write(FILE *out, const char *text, bool is_text, char delimiter)
{
    if (text == NULL)
        return;
    bool formula = is_text && is_formula(text);
    bool quoted = needs_quotes(text, delimiter);
    if (quoted)
        putc('"', out);
    if (formula)
        putc('\'', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '"')
            putc('"', out);
        putc(*c, out);
    }
    if (quoted)
        putc('"', out);
}
