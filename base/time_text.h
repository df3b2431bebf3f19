/* base/time_text.h: times as text. Inside kstar a time is UTC, in microseconds since 1970-01-01. */
#ifndef KSTAR_BASE_TIME_TEXT_H
#define KSTAR_BASE_TIME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int64_t time_us;

/* Reads YYYY-MM-DD, optionally followed by 'T' or a space, HH:MM[:SS[.fraction]] and an offset
 * ('Z', " UTC", ±HH[:MM], ±HHMM). A text without an offset is UTC. Calendar and clock are checked
 * (hour 24 only as 24:00:00); years 1900 to 2200. False if text[0..length) is anything else. */
bool time_parse(const char *text, size_t length, time_us *time);

/* The same, but a text without offset is local time, `zone_offset_seconds` east of UTC. */
bool time_parse_zone(const char *text, size_t length, int zone_offset_seconds, time_us *time);

/* Writes "2026-09-01T00:00:00Z" (a fraction only if there is one). Returns the length without the
 * NUL. */
size_t time_format(time_us time, char text[32]);

/* As time_parse. *is_clock: the text has no offset and was read as UTC. */
bool time_parse_clock(const char *text, size_t length, time_us *time, bool *is_clock);

/* The first moment of the calendar month that contains `time`. */
time_us time_month_start(time_us time);

/* Converts "2026-09" to the first moment of that month; false for anything else. */
bool period_parse(const char *text, time_us *month_start);

/* "2026-09" or a day in it as "2026-09-01", and either as "2026-09"; NULL is "". Return text. */
char *period_first_day(const char *period, char text[sizeof "2026-09-01"]);
char *period_of_day(const char *day, char text[sizeof "2026-09"]);

#endif
