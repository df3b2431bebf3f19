/* ingest/bill/billing_chunk.c: see billing_chunk.h. */
#include "ingest/bill/billing_chunk.h"

#include <stdlib.h>
#include <string.h>

void billing_chunk_open(struct billing_chunk *chunk)
{
    *chunk = (struct billing_chunk){ .file = -1 };
    chunk->quarantine = malloc(CHUNK_QUARANTINED * sizeof *chunk->quarantine);
    copy_stream_to_memory(&chunk->rows);
}

void billing_chunk_close(struct billing_chunk *chunk)
{
    billing_chunk_drop_quarantine(chunk);
    free(chunk->quarantine);
    free(chunk->invoices);
    free(chunk->accounts);
    free(chunk->text.bytes);
    copy_stream_discard(&chunk->rows);
    *chunk = (struct billing_chunk){ 0 };
}

void billing_chunk_drop_quarantine(struct billing_chunk *chunk)
{
    for (int i = 0; i < chunk->quarantine_count; i++) {
        free(chunk->quarantine[i].column);
        free(chunk->quarantine[i].commitment);
        for (int j = 0; j < 3; j++)
            free(chunk->quarantine[i].invoice[j]);
    }
    chunk->quarantine_count = 0;
}

void billing_chunk_restart(struct billing_chunk *chunk)
{
    billing_chunk_drop_quarantine(chunk);
    copy_stream_empty(&chunk->rows);
    chunk->state = CHUNK_PART;
    chunk->known = NULL;
    chunk->read = 0;
    chunk->lines = 0;
    chunk->records = 0;
    chunk->period_count = 0;
    chunk->latest = NULL;
    chunk->invoice_count = 0;
    chunk->account_count = 0;
}

struct chunk_period *billing_chunk_period(struct billing_chunk *chunk, const struct billing_period *period)
{
    for (int i = 0; i < chunk->period_count; i++) {
        if (chunk->periods[i].period == period)
            return &chunk->periods[i];
    }
    struct chunk_period *added = &chunk->periods[chunk->period_count++];
    *added = (struct chunk_period){ .period = period };
    return added;
}

struct chunk_invoice *billing_chunk_invoice(struct billing_chunk *chunk, const struct billing_period *period,
                                            int64_t invoice_key)
{
    for (size_t i = chunk->invoice_count; i-- > 0;) { /* mostly the one before */
        struct chunk_invoice *invoice = &chunk->invoices[i];
        if (invoice->invoice_key == invoice_key && invoice->period == period)
            return invoice;
    }
    if (chunk->invoice_count == chunk->invoice_capacity) {
        chunk->invoice_capacity = 2 * chunk->invoice_capacity + 4;
        chunk->invoices = realloc(chunk->invoices, chunk->invoice_capacity * sizeof *chunk->invoices);
    }
    struct chunk_invoice *added = &chunk->invoices[chunk->invoice_count++];
    *added = (struct chunk_invoice){ .period = period, .invoice_key = invoice_key };
    return added;
}

struct chunk_account *billing_chunk_account(struct billing_chunk *chunk, const struct billing_period *period,
                                            int64_t account_key, const struct csv_field *currency)
{
    for (size_t i = chunk->account_count; i-- > 0;) { /* mostly the one before */
        struct chunk_account *account = &chunk->accounts[i];
        if (account->account_key == account_key && account->period == period &&
            memcmp(account->currency, currency->text, sizeof account->currency - 1) == 0)
            return account;
    }
    if (chunk->account_count == chunk->account_capacity) {
        chunk->account_capacity = 2 * chunk->account_capacity + 4;
        chunk->accounts = realloc(chunk->accounts, chunk->account_capacity * sizeof *chunk->accounts);
    }
    struct chunk_account *added = &chunk->accounts[chunk->account_count++];
    *added = (struct chunk_account){ .period = period, .account_key = account_key };
    /* currency_code.h: three letters */
    memcpy(added->currency, currency->text, sizeof added->currency - 1);
    return added;
}

void billing_chunk_quarantine(struct billing_chunk *chunk, const struct csv_record *record, int64_t line,
                              const struct billing_row *row, const struct billing_period *own)
{
    struct quarantined_row *quarantined = &chunk->quarantine[chunk->quarantine_count++];
    if (own != NULL)
        chunk->latest = own;
    *quarantined = (struct quarantined_row){ .line = line,
                                             .offset = (size_t)(record->raw - chunk->text.bytes),
                                             .length = record->raw_length,
                                             .period = chunk->latest,
                                             .charge_known = row->time_known[TIME_CHARGE_PERIOD_START],
                                             .charge_start = row->times[TIME_CHARGE_PERIOD_START],
                                             .invoice_known = row->invoice_known };
    memcpy(quarantined->reason, row->problem.reason, sizeof quarantined->reason);
    if (row->problem.column != NULL)
        quarantined->column = strdup(row->problem.column);
    for (int i = 0; i < 3; i++) {
        const struct csv_field *text = &row->texts[TEXT_INVOICE_ISSUER_NAME + i];
        if (text->text != NULL && row->invoice_known)
            quarantined->invoice[i] = strndup(text->text, text->length);
    }
    const struct csv_field *commitment = &row->texts[TEXT_COMMITMENT_DISCOUNT_ID];
    if (commitment->text != NULL)
        quarantined->commitment = strndup(commitment->text, commitment->length);
    for (int i = 0; i < 2; i++) {
        quarantined->cost_known[i] = row->amount_known[AMOUNT_BILLED_COST + i];
        quarantined->cost[i] = row->amounts[AMOUNT_BILLED_COST + i];
    }
    chunk->shareable = false;
}
