/* print/text_amount.c: see text_amount.h. */
#include "print/text_amount.h"

#include "print/print_line.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>

enum { INDENTATION = 2 };

const char *amount_text(int64_t minor, int digits, char text[48])
{
    char plain[32], *out = text;
    uint64_t size = minor < 0 ? 0 - (uint64_t)minor : (uint64_t)minor;
    int length = snprintf(plain, sizeof plain, "%0*" PRIu64, digits + 1, size), whole = length - digits;
    if (minor < 0)
        *out++ = '-';
    for (int i = 0; i < length; i++) {
        if (i == whole)
            *out++ = '.';
        else if (i > 0 && i < whole && (whole - i) % 3 == 0)
            *out++ = ',';
        *out++ = plain[i];
    }
    *out = '\0';
    return text;
}

void text_amount_print(int64_t minor, int digits)
{
    char text[48];
    printf(" %*s", TEXT_AMOUNT, amount_text(minor, digits, text));
}

double percent_of(double share)
{
    return fabs(share) < 0.0005 ? 0 : 100 * share;
}

static void print_name(int indentation, const char *name)
{
    int used = indentation;
    for (const char *at = name; *at != '\0'; at++)
        used += (*at & 0xC0) != 0x80;
    printf("%*s", indentation, "");
    print_visible(stdout, name, INT_MAX);
    printf("%*s", used < INDENTATION + TEXT_NAME ? INDENTATION + TEXT_NAME - used : 0, "");
}

void text_name_print(const char *name)
{
    print_name(INDENTATION, name);
}

void text_part_name_print(const char *name)
{
    print_name(2 * INDENTATION, name);
}
