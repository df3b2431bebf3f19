/* base/system/file.h: files and folders: files are written whole or not at all, folders listed in a
 * stable order, and contents hashed. */
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

/* The same, but stops with false (ERROR_FAILED) when another thread clears the flag that it is
 * wanted. */
bool file_sha256_while(const char *path, const atomic_bool *is_wanted, char hex[SHA256_HEX_BYTES],
                       struct error *error);

/* The same for an open file, from its current position. */
bool stream_sha256(FILE *file, const char *path, char hex[SHA256_HEX_BYTES], struct error *error);

void text_sha256(const char *text, size_t length, char hex[SHA256_HEX_BYTES]);

/* The identity and state of a file: another file of that name, or other content, has another stamp.
 * An unreadable file has none. */
struct file_stamp {
    uint64_t device, node;
    int64_t bytes, modified_ns;
};
bool file_stamp(const char *path, struct file_stamp *stamp, struct error *error);

/* Whether the file has not changed since it was stamped, before it was read. Otherwise it is not
 * known which content was read: ERROR_ATTENTION, somebody is still writing it. */
bool file_is_as_stamped(const char *path, const struct file_stamp *stamp, struct error *error);

/* Makes a folder and its parents (mode 0750), as `mkdir -p` does. An empty name is ERROR_USAGE: a
 * variable of a script was empty. */
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

/* Whether a name is UTF-8, because the database stores names as text. Else ERROR_INPUT, with the
 * printable part of the name. */
bool path_is_text(const char *path, struct error *error);

/* Whether a file or folder of somebody else can be read. ERROR_INPUT if it is the cause itself: no
 * permission, a link to nothing, or a pipe, which may never end. */
bool path_is_readable(const char *path, struct error *error);

/* "a/b" of two parts, in memory that the caller frees. Never NULL (base/memory.h). */
char *path_join(const char *folder, const char *name);

/* A file that appears whole or not at all: write to file_pending_path(), then publish (flush,
 * rename, flush of the directory) or discard. The pending file is in the same folder, hidden, and
 * is replaced by a rerun.
 */
char *file_pending_path(const char *final_path); /* caller frees */
/* Makes the pending file anew, empty: an existing one may be a link to another file, or belong to
 * somebody else. */
bool file_pending_make(const char *pending_path, struct error *error);
bool file_publish(const char *pending_path, const char *final_path, struct error *error);
/* Publishes only if the bytes differ from the existing file; *changed says whether they do.
 * Anything else but a file, or a file of another size, differs: somebody else may write in that
 * folder. */
bool file_publish_if_changed(const char *pending_path, const char *final_path, bool *changed,
                             struct error *error);
void file_discard(const char *pending_path); /* best effort; a missing file is fine */

/* The same for a text: replaces `final_path` with a file of `length` bytes of `text` and this
 * mode. */
bool file_write(const char *final_path, const char *text, size_t length, unsigned mode, struct error *error);

/* The same with mode 0644, but if something has this name, it stays, and *is_kept is true. */
bool file_write_new(const char *final_path, const char *text, size_t length, bool *is_kept,
                    struct error *error);

/* Takes an exclusive lock on `path`, until close() of *descriptor, which children started by exec
 * do not inherit. A missing file is made for its owner alone, because whoever can open a file can
 * lock it. Without `wait`, a lock of another process is ERROR_BUSY, which names the process id in
 * the file. The file stays after the lock. */
bool file_lock(const char *path, bool wait, int *descriptor, struct error *error);

/* The same for a folder, by the file .kstar.writing in it: nobody else who takes this lock writes
 * there until directory_unlock(), which deletes the file, or the end of the process. Waits at most
 * `seconds` and logs that; then ERROR_BUSY. */
bool directory_lock(const char *folder, int seconds, int *descriptor, struct error *error);
void directory_unlock(const char *folder, int descriptor); /* -1 is fine */

#endif
