/* ingest/key_text.h: how long a name may be that rows are known by.
 *
 * An entry of a PostgreSQL index is a third of a page at most, about 2,700 bytes, and a key has up
 * to four names. A longer one would not stop its own file but every night after it, so it is put
 * aside, or refuses its file, where it comes in.
 */
#ifndef KSTAR_INGEST_KEY_TEXT_H
#define KSTAR_INGEST_KEY_TEXT_H

enum { KEY_TEXT_MAXIMUM = 512 }; /* bytes */

#define KEY_TEXT_PROBLEM "is longer than 512 bytes"

#endif
