/* ingest/currency_code.h: checks currency codes of input: a code of ISO 4217, three capital
 * letters. Whether the currency exists is not checked: without a rate to the statement currency,
 * the month is not published, with a message. */
#ifndef KSTAR_INGEST_CURRENCY_CODE_H
#define KSTAR_INGEST_CURRENCY_CODE_H

#include <stdbool.h>
#include <stddef.h>

/* The message about a text that is not a currency code; it follows the text. */
#define CURRENCY_CODE_PROBLEM "is not a currency code of three capital letters"

static inline bool currency_code_is(const char *text, size_t length)
{
    bool ok = length == 3;
    for (size_t i = 0; ok && i < length; i++)
        ok = text[i] >= 'A' && text[i] <= 'Z';
    return ok;
}

#endif
