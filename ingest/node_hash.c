/* ingest/node_hash.c: see node_hash.h.
 *
 * The hash is the first half of the SHA-256 of those letters of the name that every locale folds
 * alike. PostgreSQL's lower() makes a k of the Kelvin sign and an i of a capital I with a dot. So
 * those two letters and all characters beyond ASCII are not hashed.
 */
#include "ingest/node_hash.h"

#include "base/system/file.h"

#include <stdlib.h>
#include <string.h>

enum { LETTERS_MAXIMUM = 256, HEX_DIGITS = 16 };

int64_t node_hash(const char *resource_id, size_t length)
{
    char letters[LETTERS_MAXIMUM], hex[SHA256_HEX_BYTES];
    size_t first = length, count = 0;
    while (first > 0 && resource_id[first - 1] != '/')
        first--;
    for (size_t i = first; i < length && count < LETTERS_MAXIMUM; i++) {
        char letter = resource_id[i];
        if (letter >= 'A' && letter <= 'Z')
            letter = (char)(letter - 'A' + 'a');
        if ((unsigned char)letter < 0x80 && letter != 'i' && letter != 'k')
            letters[count++] = letter;
    }
    text_sha256(letters, count, hex);
    hex[HEX_DIGITS] = '\0';
    return (int64_t)strtoull(hex, NULL, 16);
}

int64_t node_hash_of(struct node_hashes *hashes, int64_t resource_key, const char *resource_id, size_t length)
{
    size_t place = (uint64_t)resource_key % NODE_HASHES;
    if (hashes->known[place].resource_key != resource_key || resource_key == 0) {
        hashes->known[place].resource_key = resource_key;
        hashes->known[place].hash = node_hash(resource_id, length);
    }
    return hashes->known[place].hash;
}
