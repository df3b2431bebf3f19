/* print/print_line.c: see print_line.h. */
#include "print/print_line.h"

#include "base/memory.h"
#include "base/utf8.h"

#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

void print_visible(FILE *stream, const char *text, int characters)
{
    while (*text != '\0' && characters-- > 0) {
        size_t control = utf8_control(text);
        if (control > 0 || utf8_valid_prefix(text, strnlen(text, 4)) == 0) {
            fputc('?', stream);
            text += control > 0 ? control : 1;
            continue;
        }
        do
            fputc(*text++, stream);
        while ((*text & 0xC0) == 0x80);
    }
}

static void print_arguments(FILE *stream, const char *format, va_list arguments)
{
    char *text = memory_printed(format, arguments);
    print_visible(stream, text, INT_MAX);
    free(text);
}

void print_part(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_arguments(stream, format, arguments);
    va_end(arguments);
}

void print_line(FILE *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_arguments(stream, format, arguments);
    va_end(arguments);
    fputc('\n', stream);
}

void print_written(const char *path, bool is_changed)
{
    print_line(stdout, "%s%s", path, is_changed ? "" : " (unchanged)");
}
