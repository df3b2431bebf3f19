/* ingest/bill/billing_piece.c: see billing_piece.h. */
#include "ingest/bill/billing_piece.h"

#include <stdlib.h>
#include <string.h>

void billing_piece_open(struct billing_piece *piece)
{
    *piece = (struct billing_piece){ .file = -1 };
    piece->rejects = calloc(PIECE_REJECTS, sizeof *piece->rejects);
    copy_stream_to_memory(&piece->rows);
}

void billing_piece_close(struct billing_piece *piece)
{
    billing_piece_drop_rejects(piece);
    free(piece->rejects);
    free(piece->invoices);
    free(piece->accounts);
    free(piece->text.bytes);
    copy_stream_discard(&piece->rows);
    *piece = (struct billing_piece){ 0 };
}

void billing_piece_drop_rejects(struct billing_piece *piece)
{
    for (int i = 0; i < piece->reject_count; i++) {
        free(piece->rejects[i].column);
        free(piece->rejects[i].commitment);
        for (int j = 0; j < 3; j++)
            free(piece->rejects[i].invoice[j]);
    }
    piece->reject_count = 0;
}

void billing_piece_restart(struct billing_piece *piece)
{
    billing_piece_drop_rejects(piece);
    copy_stream_empty(&piece->rows);
    piece->state = PIECE_PART;
    piece->known = NULL;
    piece->read = 0;
    piece->lines = 0;
    piece->records = 0;
    piece->period_count = 0;
    piece->latest = NULL;
    piece->invoice_count = 0;
    piece->account_count = 0;
}

struct piece_period *billing_piece_period(struct billing_piece *piece, const struct billing_period *period)
{
    for (int i = 0; i < piece->period_count; i++) {
        if (piece->periods[i].period == period)
            return &piece->periods[i];
    }
    struct piece_period *added = &piece->periods[piece->period_count++];
    *added = (struct piece_period){ .period = period };
    return added;
}

struct piece_invoice *billing_piece_invoice(struct billing_piece *piece, const struct billing_period *period,
                                            int64_t invoice_key)
{
    for (size_t i = piece->invoice_count; i-- > 0;) { /* mostly the one before */
        struct piece_invoice *invoice = &piece->invoices[i];
        if (invoice->invoice_key == invoice_key && invoice->period == period)
            return invoice;
    }
    if (piece->invoice_count == piece->invoice_capacity) {
        piece->invoice_capacity = 2 * piece->invoice_capacity + 4;
        piece->invoices = realloc(piece->invoices, piece->invoice_capacity * sizeof *piece->invoices);
    }
    struct piece_invoice *added = &piece->invoices[piece->invoice_count++];
    *added = (struct piece_invoice){ .period = period, .invoice_key = invoice_key };
    return added;
}

struct piece_account *billing_piece_account(struct billing_piece *piece, const struct billing_period *period,
                                            int64_t account_key, const struct csv_field *currency)
{
    for (size_t i = piece->account_count; i-- > 0;) { /* mostly the one before */
        struct piece_account *account = &piece->accounts[i];
        if (account->account_key == account_key && account->period == period &&
            memcmp(account->currency, currency->text, sizeof account->currency - 1) == 0)
            return account;
    }
    if (piece->account_count == piece->account_capacity) {
        piece->account_capacity = 2 * piece->account_capacity + 4;
        piece->accounts = realloc(piece->accounts, piece->account_capacity * sizeof *piece->accounts);
    }
    struct piece_account *added = &piece->accounts[piece->account_count++];
    *added = (struct piece_account){ .period = period, .account_key = account_key };
    memcpy(added->currency, currency->text, sizeof added->currency - 1); /* currency_code.h: three letters */
    return added;
}

void billing_piece_reject(struct billing_piece *piece, const struct csv_record *record, int64_t line,
                          const struct billing_row *row, const struct billing_period *own)
{
    struct piece_reject *reject = &piece->rejects[piece->reject_count++];
    if (own != NULL)
        piece->latest = own;
    *reject = (struct piece_reject){ .line = line,
                                     .offset = (size_t)(record->raw - piece->text.bytes),
                                     .length = record->raw_length,
                                     .period = piece->latest,
                                     .charge_known = row->time_known[TIME_CHARGE_PERIOD_START],
                                     .charge_start = row->times[TIME_CHARGE_PERIOD_START],
                                     .invoice_known = row->invoice_known };
    memcpy(reject->reason, row->problem.reason, sizeof reject->reason);
    if (row->problem.column != NULL)
        reject->column = strdup(row->problem.column);
    for (int i = 0; i < 3; i++) {
        const struct csv_field *text = &row->texts[TEXT_INVOICE_ISSUER_NAME + i];
        if (text->text != NULL && row->invoice_known)
            reject->invoice[i] = strndup(text->text, text->length);
    }
    const struct csv_field *commitment = &row->texts[TEXT_COMMITMENT_DISCOUNT_ID];
    if (commitment->text != NULL)
        reject->commitment = strndup(commitment->text, commitment->length);
    for (int i = 0; i < 2; i++) {
        reject->cost_known[i] = row->amount_known[AMOUNT_BILLED_COST + i];
        reject->cost[i] = row->amounts[AMOUNT_BILLED_COST + i];
    }
    piece->shareable = false;
}
