/* report/page/html.c: see html.h. */
#include "report/page/html.h"

#include "base/utf8.h"

#include <stdarg.h>

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void html_text(FILE *out, const char *text)
{
    if (text == NULL)
        return;
    while (*text != '\0') {
        size_t control = utf8_control(text);
        const char *entity = entity_of(*text);
        if (control > 0)
            fputs("\xEF\xBF\xBD", out);
        else if (entity != NULL)
            fputs(entity, out);
        else
            putc(*text, out);
        text += control > 0 ? control : 1;
    }
}

void html_print(FILE *out, const char *pattern, ...)
{
    va_list arguments;
    va_start(arguments, pattern);
    for (const char *c = pattern; *c != '\0'; c++) {
        if (*c == '$')
            html_text(out, va_arg(arguments, const char *));
        else
            putc(*c, out);
    }
    va_end(arguments);
}
