/* ingest/key_text.h: the maximum length of a name in a key.
 *
 * An entry of a PostgreSQL index has at most a third of a page, about 2,700 bytes, and a key has up
 * to four names. A longer name would stop every night after its file. So its record is quarantined,
 * or its file refused, while reading.
 */
#ifndef KSTAR_INGEST_KEY_TEXT_H
#define KSTAR_INGEST_KEY_TEXT_H

enum { KEY_TEXT_MAXIMUM = 512 }; /* bytes */

#define KEY_TEXT_PROBLEM "is longer than 512 bytes"

#endif
