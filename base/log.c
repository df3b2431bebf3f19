/* base/log.c: see log.h.
 *
 * The format is split into fields before values are filled in, so no value can begin or end a
 * field. Each value is printed separately, then escaped for the form of the line.
 */
#include "base/log.h"

#include "base/memory.h"
#include "base/status_line.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const char *const level_names[] = { "debug", "info", "warning", "error" };
static const char *const format_names[] = { [LOG_LOGFMT] = "logfmt", [LOG_JSON] = "json" };

static const char out_of_memory[] =
    "{\"level\":\"error\",\"event\":\"error\",\"message\":\"out of memory\",\"exit_code\":1}\n";

static struct {
    enum log_level lowest;
    enum log_format format;
    const char *run, *stage;
} settings = { .lowest = LOG_INFO };

void log_set_level(enum log_level lowest)
{
    settings.lowest = lowest;
}

bool log_set_format(const char *name)
{
    for (size_t i = 0; i < sizeof format_names / sizeof format_names[0]; i++) {
        if (strcmp(name, format_names[i]) == 0) {
            settings.format = (enum log_format)i;
            if (settings.format == LOG_JSON)
                memory_last_words(out_of_memory);
            return true;
        }
    }
    return false;
}

enum log_format log_format(void)
{
    return settings.format;
}

void log_set_run(const char *number)
{
    settings.run = number;
}

void log_set_stage(const char *stage)
{
    settings.stage = stage;
}

/* ---- values, printed ---- */

/* Prints the argument of one conversion, such as %.7s or %lld. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void print_argument(FILE *out, const char *conversion, va_list *arguments)
{
    size_t length = strlen(conversion);
    char type = conversion[length - 1];
    bool is_long_long = strstr(conversion, "ll") != NULL || strchr(conversion, 'j') != NULL;
    bool is_long = !is_long_long && (strchr(conversion, 'l') != NULL || strchr(conversion, 'z') != NULL);
    if (type == 's')
        fprintf(out, conversion, va_arg(*arguments, const char *));
    else if (type == 'f' || type == 'g')
        fprintf(out, conversion, va_arg(*arguments, double));
    else if (is_long_long)
        fprintf(out, conversion, va_arg(*arguments, long long));
    else if (is_long)
        fprintf(out, conversion, va_arg(*arguments, long));
    else
        fprintf(out, conversion, va_arg(*arguments, int));
}
#pragma GCC diagnostic pop

/* Prints a part of the format with its values. */
static void print_value(FILE *out, const char *part, size_t length, va_list *arguments)
{
    const char *end = part + length;
    while (part < end) {
        size_t plain = 0;
        while (part + plain < end && part[plain] != '%')
            plain++;
        (void)fwrite(part, 1, plain, out);
        part += plain;
        if (part == end)
            break;
        /* up to the letter that ends the conversion */
        size_t used = 1 + strcspn(part + 1, "sdiufgc%");
        char conversion[16];
        snprintf(conversion, sizeof conversion, "%.*s", (int)used + 1, part);
        if (part[used] == '%')
            putc('%', out);
        else
            print_argument(out, conversion, arguments);
        part += used + 1;
    }
}

/* ---- values, escaped ---- */

/* Writes a control character of `length` bytes as its number. Returns the bytes. */
static size_t put_escaped(FILE *out, const char *text, size_t length)
{
    unsigned number = (unsigned char)text[0];
    if (length > 1)
        number &= 0xffU >> (length + 1);
    for (size_t i = 1; i < length; i++)
        number = number << 6 | ((unsigned char)text[i] & 0x3fU);
    fprintf(out, "\\u%04x", number);
    return length;
}

/* Writes a quoted text, for both forms. Escapes characters that would end a line or value; invalid
 * bytes become U+FFFD. */
static void put_quoted(FILE *out, const char *text)
{
    size_t left = strlen(text);
    putc('"', out);
    while (left > 0) {
        size_t valid = utf8_valid_prefix(text, left);
        for (size_t i = 0; i < valid; i++) {
            unsigned char byte = (unsigned char)text[i];
            if (byte == '"' || byte == '\\')
                fprintf(out, "\\%c", byte);
            else if (byte == '\n')
                fputs("\\n", out);
            else if (utf8_control(text + i) > 0)
                i += put_escaped(out, text + i, utf8_control(text + i)) - 1;
            else
                putc(byte, out);
        }
        if (valid < left) {
            fputs("\xef\xbf\xbd", out);
            valid++;
        }
        text += valid;
        left -= valid;
    }
    putc('"', out);
}

/* Whether a text needs no quotes in logfmt. */
static bool is_bare(const char *text)
{
    for (const char *at = text; *at != '\0'; at++) {
        if (*at == ' ' || *at == '"' || *at == '=' || utf8_control(at) > 0)
            return false;
    }
    return *text != '\0' && utf8_valid_prefix(text, strlen(text)) == strlen(text);
}

/* Whether a text is a number in JSON. */
static bool is_number(const char *text)
{
    size_t digits = strspn(text += *text == '-', "0123456789");
    if (digits == 0 || (text[0] == '0' && digits > 1))
        return false;
    size_t fraction = text[digits] == '.' ? strspn(text + digits + 1, "0123456789") : 0;
    return text[digits] == '\0' || (fraction > 0 && text[digits + 1 + fraction] == '\0');
}

static void put_field(FILE *out, const char *key, int key_length, const char *value, bool is_quoted)
{
    bool is_json = settings.format == LOG_JSON;
    fprintf(out, is_json ? ",\"%.*s\":" : " %.*s=", key_length, key);
    if (!is_quoted && (is_json ? is_number(value) : is_bare(value)))
        fputs(value, out);
    else
        put_quoted(out, value);
}

/* ---- lines ---- */

/* Splits the format into fields: key=value or key="value", between spaces. */
static void put_fields(FILE *out, const char *format, va_list *arguments)
{
    while (*(format += strspn(format, " ")) != '\0') {
        const char *key = format;
        int key_length = (int)strcspn(key, "=");
        const char *part = key + key_length + (key[key_length] == '=');
        bool is_quoted = *part == '"';
        part += is_quoted;
        size_t length = strcspn(part, is_quoted ? "\"" : " ");
        char *value = NULL;
        size_t size = 0;
        FILE *printed = open_memstream(&value, &size);
        print_value(printed, part, length, arguments);
        if (fclose(printed) == 0)
            put_field(out, key, key_length, value, is_quoted);
        free(value);
        format = part + length + (is_quoted && part[length] == '"');
    }
}

static void put_head(FILE *out, enum log_level level, const char *event)
{
    char when[32];
    time_t now = time(NULL);
    struct tm utc;
    (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    fprintf(out, settings.format == LOG_JSON ? "{\"time\":\"%s\"" : "time=%s", when);
    put_field(out, "level", 5, level_names[level], false);
    if (settings.run != NULL)
        put_field(out, "run", 3, settings.run, false);
    if (settings.stage != NULL)
        put_field(out, "stage", 5, settings.stage, false);
    put_field(out, "event", 5, event, false);
}

/* Writes a line at once, so that lines of several processes do not mix. It does not use `stderr`,
 * which is not ours while a workbook is closed (report/workbook.c). */
static void write_line(const char *line, size_t length)
{
    while (length > 0) {
        ssize_t written = write(STDERR_FILENO, line, length);
        if (written < 0 && errno != EINTR)
            return;
        line += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
}

void log_event(enum log_level level, const char *event, const char *fields, ...)
{
    char *line = NULL;
    size_t length = 0;
    FILE *out = level < settings.lowest ? NULL : open_memstream(&line, &length);
    if (out == NULL)
        return;
    va_list arguments;
    va_start(arguments, fields);
    put_head(out, level, event);
    put_fields(out, fields, &arguments);
    va_end(arguments);
    fputs(settings.format == LOG_JSON ? "}\n" : "\n", out);
    if (fclose(out) == 0) {
        status_line_hide();
        write_line(line, length);
    }
    free(line);
}

int64_t log_clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}
