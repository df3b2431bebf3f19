/* base/system/file.h: files and folders: whole or not at all, in a stable order, with their
 * hashes. */
#ifndef KSTAR_BASE_SYSTEM_FILE_H
#define KSTAR_BASE_SYSTEM_FILE_H

#include "base/error.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { SHA256_HEX_BYTES = 65 };

/* SHA-256 as 64 lower-case hexadecimal digits. */
bool file_sha256(const char *path, char hex[SHA256_HEX_BYTES], struct error *error);

/* The same, until another thread sets a flag that it is not wanted any more: then false
 * (ERROR_FAILED). */
bool file_sha256_while(const char *path, const atomic_bool *is_wanted, char hex[SHA256_HEX_BYTES],
                       struct error *error);

/* The same of an open file, from where it stands. */
bool stream_sha256(FILE *file, const char *path, char hex[SHA256_HEX_BYTES], struct error *error);

void text_sha256(const char *text, size_t length, char hex[SHA256_HEX_BYTES]);

/* Which file it is and how far it is written: another file of that name, or other content, has
 * another stamp. What is not readable has none. */
struct file_stamp {
    uint64_t device, node;
    int64_t bytes, modified_ns;
};
bool file_stamp(const char *path, struct file_stamp *stamp, struct error *error);

/* Whether the file is still as it was when it was stamped, before it was read; else it is not known
 * what was read: ERROR_ATTENTION, and somebody else is still writing it. */
bool file_is_as_stamped(const char *path, const struct file_stamp *stamp, struct error *error);

/* Makes a folder and its parents (mode 0750), as `mkdir -p` does. An empty name is ERROR_USAGE: a
 * script's variable was empty. */
bool directory_make(const char *path, struct error *error);

/* Entries of a folder by name in byte order, without those that begin with a dot. */
struct directory_listing {
    int count;
    char **names; /* owned; freed by directory_listing_free */
};
bool directory_list(const char *path, struct directory_listing *listing, struct error *error);
void directory_listing_free(struct directory_listing *listing);

bool path_is_directory(const char *path);
bool path_is_file(const char *path);

/* Whether a name is UTF-8: names are stored, and the database holds text. Else ERROR_INPUT, with
 * the name as far as it can be shown. */
bool path_is_text(const char *path, struct error *error);

/* Whether a file or folder that somebody else has put there can be read. ERROR_INPUT where it is
 * itself to blame: it is not for us to read, its link leads nowhere, or it is a pipe, of which the
 * end never comes. */
bool path_is_readable(const char *path, struct error *error);

/* "a/b" of two parts, in memory that the caller frees. Never NULL: no memory ends the program. */
char *path_join(const char *folder, const char *name);

/* A file that appears whole or not at all: write to file_pending_path(), then publish (flush,
 * rename, flush of the directory) or discard. The pending file is in the same folder, hidden, and
 * is replaced by a rerun.
 */
char *file_pending_path(const char *final_path); /* caller frees */
/* Makes it anew, empty: what stands there may be a link to another file, or somebody else's. */
bool file_pending_make(const char *pending_path, struct error *error);
bool file_publish(const char *pending_path, const char *final_path, struct error *error);
/* Publishes only where the bytes differ from what stands there; says which. What is no file there,
 * or one of another size, differs: somebody else may write in that folder. */
bool file_publish_if_changed(const char *pending_path, const char *final_path, bool *changed,
                             struct error *error);
void file_discard(const char *pending_path); /* best effort; a file that is not there is fine */

/* The same for a text: replaces `final_path` by a file with `length` bytes of `text` and this mode.
 */
bool file_write(const char *final_path, const char *text, size_t length, unsigned mode, struct error *error);

/* The same with mode 0644, unless something of that name is there: that is left as it is, and
 * `is_kept` true. */
bool file_write_new(const char *final_path, const char *text, size_t length, bool *is_kept,
                    struct error *error);

/* An exclusive lock on `path` (made if absent, for its owner alone: whoever can open a file can
 * lock it), held until close() of *descriptor, which children started by exec do not inherit.
 * Without `wait`, a lock held by another process is ERROR_BUSY and names the holder's process id as
 * found in the file. The file stays when the lock goes. */
bool file_lock(const char *path, bool wait, int *descriptor, struct error *error);

/* The same for a folder, by the file .kstar.writing in it: nobody else who asks here writes there
 * until directory_unlock(), which takes the file away, or the end of the process. Waits so many
 * seconds at most, and says in the log that it does; then ERROR_BUSY. */
bool directory_lock(const char *folder, int seconds, int *descriptor, struct error *error);
void directory_unlock(const char *folder, int descriptor); /* -1 is fine */

#endif
