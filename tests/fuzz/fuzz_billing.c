/* A bill in any format: the low four bits of the first byte are the format's place in `formats`,
 * which stays when another follows; from 128 on, a currency is declared. The rest is the file. A
 * row must keep its promises: text is UTF-8, a row without a problem has a charge category, an
 * amount marked as known is there. */
#include "tests/fuzz/fuzz.h"

#include "base/utf8.h"
#include "ingest/bill/billing_format.h"

#include <stdlib.h>
#include <string.h>

static void check_texts(const struct billing_row *row)
{
    for (int i = 0; i < TEXT_COUNT; i++) {
        const struct csv_field *field = &row->texts[i];
        if (field->text != NULL && utf8_valid_prefix(field->text, field->length) != field->length)
            abort();
    }
}

static void check(const struct billing_row *row)
{
    char text[DECIMAL_TEXT_BYTES];
    check_texts(row);
    for (int i = 0; i < AMOUNT_COUNT; i++) {
        if (row->amount_known[i] && decimal_format(&row->amounts[i], text) != strlen(text))
            abort();
    }
    if (row->problem.reason[0] != '\0')
        return;
    bool complete = row->texts[TEXT_CHARGE_CATEGORY].text != NULL && row->invoice_known &&
                    row->amount_known[AMOUNT_BILLED_COST] && row->amount_known[AMOUNT_EFFECTIVE_COST];
    for (int i = 0; i < TIME_COUNT; i++)
        complete = complete && row->time_known[i];
    if (!complete)
        abort();
}

static void read_records(struct csv_reader *reader, struct billing_file *file)
{
    struct billing_row rows[BILLING_ROWS_MAXIMUM];
    struct csv_record record;
    struct error error = { 0 };
    bool begun = false;
    while (csv_reader_next(reader, &record, &error) == CSV_RECORD) {
        if (!begun && !billing_file_begin(file, &record, &error))
            return;
        begun = true;
        int count = billing_read_rows(file, &record, rows);
        if (count == 0) /* its invoice is asked for all the same */
            check_texts(&rows[0]);
        for (int i = 0; i < count; i++)
            check(&rows[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = { "focus", "aws-cur", "azure-actual", "gcp" };
    enum { FORMATS = sizeof formats / sizeof formats[0] };
    static const struct csv_limits limits = { .record_bytes = 1 << 16,
                                              .columns = 256,
                                              .uncompressed_bytes = 1 << 20 };
    struct billing_file file = { 0 };
    struct csv_record header;
    struct error error = { 0 };
    if (size == 0)
        return 0;
    const struct billing_format *format = billing_format_find(formats[(data[0] & 0x0f) % FORMATS], &error);
    const char *currency = data[0] & 0x80 ? "USD" : NULL;
    const char *path = fuzz_file(data + 1, size - 1);
    struct csv_reader *reader = format != NULL ? csv_reader_open(path, ',', &limits, &error) : NULL;
    if (reader != NULL && csv_reader_next(reader, &header, &error) == CSV_RECORD &&
        billing_file_open(&file, format, path, currency, &header, &error))
        read_records(reader, &file);
    billing_file_free(&file);
    csv_reader_close(reader);
    return 0;
}
