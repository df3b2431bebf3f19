/* ingest/key_text.h: how long a name may be that rows are known by.
 *
 * An entry of a PostgreSQL index is a third of a page at most, about 2,700 bytes, and a key has up
 * to four names. A longer one would stop not its own file but every night after it. So its record
 * is quarantined, or its file refused, when it is read.
 */
#ifndef KSTAR_INGEST_KEY_TEXT_H
#define KSTAR_INGEST_KEY_TEXT_H

enum { KEY_TEXT_MAXIMUM = 512 }; /* bytes */

#define KEY_TEXT_PROBLEM "is longer than 512 bytes"

#endif
