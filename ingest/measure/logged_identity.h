/* ingest/measure/logged_identity.h: what a job's log says of its work: pairs of key and value in
 * its head, which is what comes before its first speed, at most 256 KiB.
 *
 *     model="sft-7b 3f9c2e" precision=bf16 batch=512 sequence_length=4096
 *     {"accelerator": "H100", "software": "torch 2.8"}
 *
 * The keys are columns of measurements: accelerator, precision, batch, model, sequence_length
 * and software. A key stands at the beginning of a line, or behind white space, a bracket, a quote,
 * a comma, a semicolon, a bar or --. Its value follows an =, or a : if the key is quoted. A quoted
 * value ends with its quote, others with white space, a control character, a quote, or one of
 * , ; | ) ] } that no digit follows. What is empty, null or None, longer than 199 bytes, no UTF-8,
 * has a backslash or control character, or is a list or an object is not read.
 */
#ifndef KSTAR_INGEST_MEASURE_LOGGED_IDENTITY_H
#define KSTAR_INGEST_MEASURE_LOGGED_IDENTITY_H

#include <stddef.h>

enum logged_field {
    LOGGED_ACCELERATOR,
    LOGGED_PRECISION,
    LOGGED_BATCH,
    LOGGED_MODEL,
    LOGGED_SEQUENCE_LENGTH,
    LOGGED_SOFTWARE
};
enum { LOGGED_FIELDS = LOGGED_SOFTWARE + 1, LOGGED_VALUE_BYTES = 200, LOGGED_HEAD_BYTES = 256 << 10 };

extern const char *const logged_field_names[LOGGED_FIELDS];

struct logged_identity {
    char values[LOGGED_FIELDS][LOGGED_VALUE_BYTES]; /* the first of each; "": not logged */
    /* the first other value, ignoring ASCII case: the log contradicts itself; "": no other */
    char others[LOGGED_FIELDS][LOGGED_VALUE_BYTES];
    size_t head; /* bytes of lines that were taken */
};

/* Takes a line of the head, without its end; beyond LOGGED_HEAD_BYTES nothing. `identity` begins as
 * { 0 }. Time is proportional to the line, LOGGED_VALUE_BYTES a key at most. */
void logged_identity_take(struct logged_identity *identity, const char *line, size_t length);

/* Where a value without quotes ends that begins at `at`: at white space, a control character
 * (colours), a quote, or a mark that no digit follows. */
size_t logged_value_end(const char *line, size_t length, size_t at);

#endif
