/* base/time_text.c: see time_text.h. The calendar is the proleptic Gregorian one, with days counted
 * from 1 March so that the leap day is last. */
#include "base/time_text.h"

#include <stdio.h>
#include <string.h>

#define MICROSECONDS_PER_SECOND INT64_C(1000000)
#define MICROSECONDS_PER_DAY    (86400 * MICROSECONDS_PER_SECOND)

enum { FIRST_YEAR = 1900, LAST_YEAR = 2200 };

struct civil_date {
    int year, month, day;
};

static int64_t days_from_civil(struct civil_date date)
{
    int year = date.year - (date.month <= 2);
    int month_from_march = (date.month + 9) % 12;
    int day_of_year = (153 * month_from_march + 2) / 5 + date.day - 1;
    int century = year / 100; /* years are positive here */
    return INT64_C(365) * year + year / 4 - century + century / 4 + day_of_year - 719468;
}

static struct civil_date civil_from_days(int64_t days)
{
    int64_t shifted = days + 719468;
    int64_t era = (shifted >= 0 ? shifted : shifted - 146096) / 146097;
    int day_of_era = (int)(shifted - era * 146097);
    int year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int month_from_march = (5 * day_of_year + 2) / 153;
    struct civil_date date;
    date.day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    date.month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    date.year = (int)(year_of_era + era * 400) + (date.month <= 2);
    return date;
}

static int days_in_month(int year, int month)
{
    static const int days[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

/* The rest of the text. */
struct cursor {
    const char *next, *end;
};

static bool take(struct cursor *cursor, char wanted)
{
    if (cursor->next == cursor->end || *cursor->next != wanted)
        return false;
    cursor->next++;
    return true;
}

static bool take_digits(struct cursor *cursor, int count, int *number)
{
    if (cursor->end - cursor->next < count)
        return false;
    int value = 0;
    for (int i = 0; i < count; i++) {
        unsigned digit = (unsigned)(cursor->next[i] - '0');
        if (digit > 9)
            return false;
        value = value * 10 + (int)digit;
    }
    cursor->next += count;
    *number = value;
    return true;
}

static bool take_date(struct cursor *cursor, struct civil_date *date)
{
    return take_digits(cursor, 4, &date->year) && take(cursor, '-') && take_digits(cursor, 2, &date->month) &&
           take(cursor, '-') && take_digits(cursor, 2, &date->day) && date->year >= FIRST_YEAR &&
           date->year <= LAST_YEAR && date->month >= 1 && date->month <= 12 && date->day >= 1 &&
           date->day <= days_in_month(date->year, date->month);
}

/* Reads .digits, to the microsecond; further digits are read and dropped. */
static bool take_fraction(struct cursor *cursor, int *microseconds)
{
    int scale = 100000;
    int value = 0;
    int digit;
    if (!take_digits(cursor, 1, &digit))
        return false;
    do {
        value += digit * scale;
        scale /= 10;
    } while (take_digits(cursor, 1, &digit));
    *microseconds = value;
    return true;
}

/* HH:MM[:SS[.fraction]] */
static bool take_clock(struct cursor *cursor, int64_t *of_day)
{
    int hour, minute, second = 0, microseconds = 0;
    if (!take_digits(cursor, 2, &hour) || !take(cursor, ':') || !take_digits(cursor, 2, &minute))
        return false;
    if (take(cursor, ':') && !take_digits(cursor, 2, &second))
        return false;
    if (take(cursor, '.') && !take_fraction(cursor, &microseconds))
        return false;
    *of_day = (hour * INT64_C(3600) + minute * INT64_C(60) + second) * MICROSECONDS_PER_SECOND + microseconds;
    return minute < 60 && second < 60 && (hour < 24 || *of_day == MICROSECONDS_PER_DAY);
}

/* Reads Z, " UTC", ±HH, ±HHMM or ±HH:MM at the end of the text; without an offset `seconds`
 * stays. */
static bool take_offset(struct cursor *cursor, int *seconds)
{
    size_t left = (size_t)(cursor->end - cursor->next);
    if (left == 0)
        return true;
    if ((left == 1 && (*cursor->next == 'Z' || *cursor->next == 'z')) ||
        (left == 4 && memcmp(cursor->next, " UTC", 4) == 0)) {
        *seconds = 0;
        return true;
    }
    bool west = *cursor->next == '-';
    if (!take(cursor, '+') && !take(cursor, '-'))
        return false;
    int hour, minute = 0;
    if (!take_digits(cursor, 2, &hour))
        return false;
    if (cursor->next < cursor->end) {
        take(cursor, ':');
        if (!take_digits(cursor, 2, &minute))
            return false;
    }
    *seconds = (hour * 3600 + minute * 60) * (west ? -1 : 1);
    return cursor->next == cursor->end && hour <= 15 && minute < 60;
}

bool time_parse_zone(const char *text, size_t length, int zone_offset_seconds, time_us *time)
{
    struct cursor cursor = { text, text + length };
    struct civil_date date;
    int64_t of_day = 0;
    int offset = zone_offset_seconds;
    if (!take_date(&cursor, &date))
        return false;
    if (cursor.next < cursor.end) {
        if (!take(&cursor, 'T') && !take(&cursor, ' ') && !take(&cursor, 't'))
            return false;
        if (!take_clock(&cursor, &of_day) || !take_offset(&cursor, &offset))
            return false;
    }
    *time = days_from_civil(date) * MICROSECONDS_PER_DAY + of_day - offset * MICROSECONDS_PER_SECOND;
    return true;
}

bool time_parse(const char *text, size_t length, time_us *time)
{
    return time_parse_zone(text, length, 0, time);
}

bool time_parse_clock(const char *text, size_t length, time_us *time, bool *is_clock)
{
    enum { DATE_LENGTH = sizeof "2026-09-01" - 1, AN_HOUR_EAST = 3600 };
    time_us elsewhere;
    if (!time_parse(text, length, time))
        return false;
    *is_clock =
        length > DATE_LENGTH && time_parse_zone(text, length, AN_HOUR_EAST, &elsewhere) && elsewhere != *time;
    return true;
}

static int64_t day_of(time_us time)
{
    int64_t day = time / MICROSECONDS_PER_DAY;
    return day - (time % MICROSECONDS_PER_DAY < 0);
}

size_t time_format(time_us time, char text[32])
{
    int64_t day = day_of(time);
    struct civil_date date = civil_from_days(day);
    int64_t of_day = time - day * MICROSECONDS_PER_DAY;
    int second = (int)(of_day / MICROSECONDS_PER_SECOND);
    int microseconds = (int)(of_day % MICROSECONDS_PER_SECOND);
    int length = snprintf(text, 32, "%04d-%02d-%02dT%02d:%02d:%02d", date.year % 10000, date.month, date.day,
                          second / 3600, second / 60 % 60, second % 60);
    if (microseconds > 0) {
        length += snprintf(text + length, 32 - (size_t)length, ".%06d", microseconds);
        while (text[length - 1] == '0')
            length--;
    }
    text[length++] = 'Z';
    text[length] = '\0';
    return (size_t)length;
}

time_us time_month_start(time_us time)
{
    struct civil_date date = civil_from_days(day_of(time));
    date.day = 1;
    return days_from_civil(date) * MICROSECONDS_PER_DAY;
}

bool period_parse(const char *text, time_us *month_start)
{
    struct cursor cursor = { text, text + strlen(text) };
    struct civil_date date = { .day = 1 };
    if (!take_digits(&cursor, 4, &date.year) || !take(&cursor, '-') ||
        !take_digits(&cursor, 2, &date.month) || cursor.next != cursor.end || date.year < FIRST_YEAR ||
        date.year > LAST_YEAR || date.month < 1 || date.month > 12)
        return false;
    *month_start = days_from_civil(date) * MICROSECONDS_PER_DAY;
    return true;
}

char *period_first_day(const char *period, char text[sizeof "2026-09-01"])
{
    *text = '\0';
    if (period != NULL)
        snprintf(text, sizeof "2026-09-01", "%.7s-01", period);
    return text;
}

char *period_of_day(const char *day, char text[sizeof "2026-09"])
{
    snprintf(text, sizeof "2026-09", "%.7s", day);
    return text;
}
