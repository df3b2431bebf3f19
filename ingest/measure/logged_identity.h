/* ingest/measure/logged_identity.h: reads how the log of a job describes its work: pairs of key
 * and value in its head, the lines before its first speed, at most 256 KiB.
 *
 *     model="sft-7b 3f9c2e" precision=bf16 batch=512 sequence_length=4096
 *     {"accelerator": "H100", "software": "torch 2.8"}
 *
 * The keys are columns of measurements: accelerator, precision, batch, model, sequence_length and
 * software. A key is at the beginning of a line, or after white space, a bracket, a quote, a comma,
 * a semicolon, a bar or --. Its value follows an =, or a : if the key is quoted. A quoted value
 * ends with its quote, others with white space, a control character, a quote, or one of , ; | ) ] }
 * that no digit follows. Values are not read if they are empty, null, None, a list or an object,
 * are longer than 199 bytes or no UTF-8, or have a backslash or control character.
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
    char values[LOGGED_FIELDS][LOGGED_VALUE_BYTES]; /* the first value of each; "": not logged */
    /* the first other value, ignoring ASCII case, which contradicts the first; "": none */
    char others[LOGGED_FIELDS][LOGGED_VALUE_BYTES];
    size_t head; /* bytes of lines that were taken */
};

/* Reads a line of the head, without its end; ignored after LOGGED_HEAD_BYTES. `identity` begins as
 * { 0 }. Time is proportional to the line, and LOGGED_VALUE_BYTES per key at most. */
void logged_identity_take(struct logged_identity *identity, const char *line, size_t length);

/* The end of an unquoted value at `at`: at white space, a control character (colours), a quote, or
 * a mark that no digit follows. */
size_t logged_value_end(const char *line, size_t length, size_t at);

#endif
