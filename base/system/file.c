/* base/system/file.c: see file.h. */
#define _GNU_SOURCE /* O_PATH */
#include "base/system/file.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/system/delivered_file.h"
#include "base/utf8.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* ---- hashes ---- */

static void hash_to_hex(EVP_MD_CTX *context, char hex[SHA256_HEX_BYTES])
{
    static const char digits[] = "0123456789abcdef";
    unsigned char hash[32];
    if (EVP_DigestFinal_ex(context, hash, NULL) != 1)
        memory_is_out(); /* only memory can be the cause, and half a hash would be wrong */
    for (size_t i = 0; i < sizeof hash; i++) {
        hex[2 * i] = digits[hash[i] >> 4];
        hex[2 * i + 1] = digits[hash[i] & 15];
    }
    hex[2 * sizeof hash] = '\0';
}

static void add_to_hash(EVP_MD_CTX *context, const void *bytes, size_t length)
{
    if (EVP_DigestUpdate(context, bytes, length) != 1)
        memory_is_out();
}

static EVP_MD_CTX *hash_start(void)
{
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    if (EVP_DigestInit_ex(context, EVP_sha256(), NULL) != 1)
        memory_is_out();
    return context;
}

void text_sha256(const char *text, size_t length, char hex[SHA256_HEX_BYTES])
{
    EVP_MD_CTX *context = hash_start();
    add_to_hash(context, text, length);
    hash_to_hex(context, hex);
    EVP_MD_CTX_free(context);
}

/* Hashes from the position of the file to its end, or until the hash is not wanted any more. */
static bool hash_stream(FILE *file, const char *path, const atomic_bool *is_wanted,
                        char hex[SHA256_HEX_BYTES], struct error *error)
{
    char buffer[1 << 16];
    size_t length;
    EVP_MD_CTX *context = hash_start();
    while (*is_wanted && (length = fread(buffer, 1, sizeof buffer, file)) > 0)
        add_to_hash(context, buffer, length);
    bool ok = !ferror(file) || error_set_errno(error, "%s: read", path);
    if (ok && !*is_wanted)
        ok = error_set(error, ERROR_FAILED, "%s: not read to its end", path);
    if (ok)
        hash_to_hex(context, hex);
    EVP_MD_CTX_free(context);
    return ok;
}

bool stream_sha256(FILE *file, const char *path, char hex[SHA256_HEX_BYTES], struct error *error)
{
    const atomic_bool is_wanted = true;
    return hash_stream(file, path, &is_wanted, hex, error);
}

bool file_sha256_while(const char *path, const atomic_bool *is_wanted, char hex[SHA256_HEX_BYTES],
                       struct error *error)
{
    FILE *file = delivered_file_stream(path, error);
    if (file == NULL)
        return false;
    bool ok = hash_stream(file, path, is_wanted, hex, error);
    fclose(file);
    return ok;
}

bool file_sha256(const char *path, char hex[SHA256_HEX_BYTES], struct error *error)
{
    const atomic_bool is_wanted = true;
    return file_sha256_while(path, &is_wanted, hex, error);
}

/* ---- files that somebody else writes ---- */

bool file_stamp(const char *path, struct file_stamp *stamp, struct error *error)
{
    struct stat status;
    if (!path_is_readable(path, error))
        return false;
    if (stat(path, &status) != 0)
        return error_set_errno(error, "%s", path);
    *stamp = (struct file_stamp){ status.st_dev, status.st_ino, status.st_size,
                                  (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec };
    return true;
}

bool file_is_as_stamped(const char *path, const struct file_stamp *stamp, struct error *error)
{
    struct file_stamp now;
    if (file_stamp(path, &now, error) && now.device == stamp->device && now.node == stamp->node &&
        now.bytes == stamp->bytes && now.modified_ns == stamp->modified_ns)
        return true;
    error_set(error, ERROR_ATTENTION,
              "%s changed while it was read: nothing of what was delivered with it is loaded", path);
    error_hint(error,
               "run again once it is whole; a file that is copied in under a name with a dot before it, and "
               "renamed when it is whole, is never read too early");
    return false;
}

/* ---- folders ---- */

bool path_is_directory(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool path_is_file(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Whether the file or its place is the cause; any other error (disk, memory) is of the machine. */
static bool blames_the_file(int cause)
{
    return cause == EACCES || cause == EPERM || cause == ENOENT || cause == ENOTDIR || cause == ELOOP ||
           cause == ENAMETOOLONG;
}

bool path_is_readable(const char *path, struct error *error)
{
    struct stat status;
    int descriptor = open(path, O_PATH | O_CLOEXEC), cause = errno;
    bool is_there = descriptor >= 0 && fstat(descriptor, &status) == 0;
    bool may_be_read = is_there && delivered_file_is_bound(descriptor, path, error);
    if (descriptor >= 0)
        close(descriptor);
    if (is_there && !may_be_read)
        return false;
    if (is_there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
        return error_set(error, ERROR_INPUT, "%s: neither a file nor a folder", path);
    if (is_there && faccessat(AT_FDCWD, path, S_ISDIR(status.st_mode) ? R_OK | X_OK : R_OK, AT_EACCESS) == 0)
        return true;
    if (is_there)
        cause = errno;
    errno = cause;
    error_set_errno(error, "%s", path);
    if (blames_the_file(cause))
        error->kind = ERROR_INPUT;
    if (cause == ENOENT)
        error_hint(error, "check the name and the folder, and that the disk is mounted");
    if (cause == EACCES)
        error_hint(error, "let the user that kstar runs as read it: chgrp and chmod g+rX");
    return false;
}

bool path_is_text(const char *path, struct error *error)
{
    char shown[300];
    size_t length = strlen(path);
    if (utf8_valid_prefix(path, length) == length)
        return true;
    error_set(error, ERROR_INPUT, "%s: the name is not UTF-8",
              utf8_excerpt(path, length, shown, sizeof shown));
    error_hint(error, "rename it");
    return false;
}

char *path_join(const char *folder, const char *name)
{
    size_t length = strlen(folder);
    bool slash = length > 0 && folder[length - 1] == '/';
    char *joined = malloc(length + strlen(name) + 2);
    stpcpy(stpcpy(stpcpy(joined, folder), slash || length == 0 ? "" : "/"), name);
    return joined;
}

static bool make_one(const char *path, struct error *error)
{
    if (mkdir(path, 0750) == 0)
        return true;
    int cause = errno; /* the check below changes errno */
    if (path_is_directory(path))
        return true;
    errno = cause;
    error_set_errno(error, "%s: make folder", path);
    if (path_is_file(path))
        error_hint(error, "a file has this name: move it away, or name another folder");
    return false;
}

bool directory_make(const char *path, struct error *error)
{
    if (path[0] == '\0')
        return error_set(error, ERROR_USAGE, "a folder's name is empty");
    char *prefix = strdup(path);
    bool ok = true;
    for (char *end = prefix + 1; ok && end[-1] != '\0'; end++) {
        char kept = *end;
        if (kept != '/' && kept != '\0')
            continue;
        *end = '\0';
        ok = make_one(prefix, error);
        *end = kept;
    }
    free(prefix);
    return ok;
}

static int by_bytes(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool directory_list(const char *path, struct directory_listing *listing, struct error *error)
{
    *listing = (struct directory_listing){ 0 };
    DIR *directory = opendir(path);
    if (directory == NULL)
        return error_set_errno(error, "%s", path);
    if (!delivered_file_is_bound(dirfd(directory), path, error)) {
        closedir(directory);
        return false;
    }
    int capacity = 0;
    struct dirent *entry;
    while (errno = 0, (entry = readdir(directory)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        if (listing->count == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            listing->names = realloc(listing->names, (size_t)capacity * sizeof *listing->names);
        }
        listing->names[listing->count++] = strdup(entry->d_name);
    }
    bool ok = errno == 0 || error_set_errno(error, "%s: read folder", path);
    closedir(directory);
    if (!ok)
        directory_listing_free(listing);
    else if (listing->count > 0)
        qsort(listing->names, (size_t)listing->count, sizeof *listing->names, by_bytes);
    return ok;
}

void directory_listing_free(struct directory_listing *listing)
{
    for (int i = 0; i < listing->count; i++)
        free(listing->names[i]);
    free(listing->names);
    *listing = (struct directory_listing){ 0 };
}

/* ---- files that appear whole ---- */

/* The folder of `path`, with a slash; "./" if it has none. Caller frees. */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, (size_t)(slash - path) + 1) : strdup("./");
}

char *file_pending_path(const char *final_path)
{
    const char *slash = strrchr(final_path, '/');
    const char *name = slash ? slash + 1 : final_path;
    char *pending = malloc(strlen(final_path) + sizeof ".pending" + 1);
    memcpy(pending, final_path, (size_t)(name - final_path));
    stpcpy(stpcpy(stpcpy(pending + (name - final_path), "."), name), ".pending");
    return pending;
}

/* Opens a new pending file for writing; −1 with `error`. */
static int pending_open(const char *pending_path, mode_t mode, struct error *error)
{
    file_discard(pending_path);
    int descriptor = open(pending_path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (descriptor < 0)
        error_set_errno(error, "%s", pending_path);
    return descriptor;
}

bool file_pending_make(const char *pending_path, struct error *error)
{
    int descriptor = pending_open(pending_path, 0640, error);
    return descriptor >= 0 && (close(descriptor) == 0 || error_set_errno(error, "%s", pending_path));
}

/* Flushes a file or folder to the disk. */
static bool flush(const char *path, struct error *error)
{
    /* does not wait for a pipe */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0)
        return error_set_errno(error, "%s", path);
    bool ok = fsync(descriptor) == 0 || error_set_errno(error, "%s: flush", path);
    close(descriptor);
    return ok;
}

bool file_publish(const char *pending_path, const char *final_path, struct error *error)
{
    char *folder = folder_of(final_path);
    bool ok = flush(pending_path, error);
    if (ok && rename(pending_path, final_path) != 0)
        ok = error_set_errno(error, "%s: rename to %s", pending_path, final_path);
    ok = ok && flush(folder, error);
    free(folder);
    return ok;
}

/* Opens a regular file with this name, not a link. NULL: there is none, or something else, which
 * anybody who may write in the folder can have put there. */
static FILE *open_regular(const char *path, struct stat *status)
{
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool is_regular = descriptor >= 0 && fstat(descriptor, status) == 0 && S_ISREG(status->st_mode);
    FILE *file = is_regular ? fdopen(descriptor, "rb") : NULL;
    if (file == NULL && descriptor >= 0)
        close(descriptor);
    return file;
}

/* Stops at the first difference, since a file may have no end. */
static bool read_the_same(FILE *a, FILE *b)
{
    char of_a[1 << 15], of_b[1 << 15];
    size_t length;
    do {
        length = fread(of_a, 1, sizeof of_a, a);
        if (fread(of_b, 1, sizeof of_b, b) != length || memcmp(of_a, of_b, length) != 0)
            return false;
    } while (length == sizeof of_a);
    return !ferror(a) && !ferror(b);
}

bool file_publish_if_changed(const char *pending_path, const char *final_path, bool *changed,
                             struct error *error)
{
    struct stat status, status_before;
    FILE *now = open_regular(pending_path, &status);
    if (now == NULL)
        return error_set(error, ERROR_FAILED, "%s: is not there any more as it was written", pending_path);
    FILE *before = open_regular(final_path, &status_before);
    *changed = before == NULL || status_before.st_size != status.st_size || !read_the_same(before, now);
    fclose(now);
    if (before != NULL)
        fclose(before);
    if (*changed)
        return file_publish(pending_path, final_path, error);
    file_discard(pending_path);
    return true;
}

void file_discard(const char *pending_path)
{
    unlink(pending_path);
}

bool file_write(const char *final_path, const char *text, size_t length, unsigned mode, struct error *error)
{
    char *pending = file_pending_path(final_path);
    int descriptor = pending_open(pending, 0600, error);
    bool ok = descriptor >= 0;
    for (size_t done = 0; ok && done < length;) {
        ssize_t written = write(descriptor, text + done, length - done);
        if (written >= 0)
            done += (size_t)written;
        else if (errno != EINTR)
            ok = error_set_errno(error, "%s: write", pending);
    }
    if (ok && fchmod(descriptor, (mode_t)mode) != 0)
        ok = error_set_errno(error, "%s: change mode", pending);
    if (descriptor >= 0)
        close(descriptor);
    ok = ok && file_publish(pending, final_path, error);
    if (!ok)
        file_discard(pending);
    free(pending);
    return ok;
}

bool file_write_new(const char *final_path, const char *text, size_t length, bool *is_kept,
                    struct error *error)
{
    struct stat status;
    *is_kept = lstat(final_path, &status) == 0;
    return *is_kept || file_write(final_path, text, length, 0644, error);
}

/* ---- locks ---- */

static bool busy(const char *path, int descriptor, struct error *error)
{
    char holder[32] = "";
    ssize_t length = pread(descriptor, holder, sizeof holder - 1, 0);
    holder[length > 0 ? length : 0] = '\0';
    holder[strspn(holder, "0123456789")] = '\0';
    error_set(error, ERROR_BUSY, "%s: locked by process %s", path, holder[0] ? holder : "unknown");
    error_hint(error, "wait until it ends; the lock goes with it");
    return false;
}

bool file_lock(const char *path, bool wait, int *descriptor, struct error *error)
{
    *descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (*descriptor < 0)
        return error_set_errno(error, "%s: make lock file", path);
    /* whoever can open a file can lock it, also one made by hand */
    (void)fchmod(*descriptor, 0600);
    int outcome;
    do
        outcome = flock(*descriptor, LOCK_EX | (wait ? 0 : LOCK_NB));
    while (outcome != 0 && errno == EINTR);
    bool ok = outcome == 0;
    if (!ok && errno == EWOULDBLOCK)
        busy(path, *descriptor, error);
    else if (!ok)
        error_set_errno(error, "%s: lock", path);
    if (ok && (ftruncate(*descriptor, 0) != 0 || dprintf(*descriptor, "%ld\n", (long)getpid()) < 0))
        ok = error_set_errno(error, "%s: write", path);
    if (!ok) {
        close(*descriptor);
        *descriptor = -1;
    }
    return ok;
}

/* The lock file of a folder. Caller frees. */
static char *folder_lock_path(const char *folder)
{
    return path_join(folder, ".kstar.writing");
}

/* Whether the path still names the open file. The holder of the lock deletes the file, which is
 * then no lock any more. */
static bool is_still_there(const char *path, int descriptor)
{
    struct stat held, named;
    return fstat(descriptor, &held) == 0 && stat(path, &named) == 0 && held.st_ino == named.st_ino &&
           held.st_dev == named.st_dev;
}

static bool try_folder(const char *path, int *descriptor, struct error *error)
{
    struct stat status;
    while (file_lock(path, false, descriptor, error)) {
        if (is_still_there(path, *descriptor))
            return true;
        close(*descriptor);
        *descriptor = -1;
    }
    if (error->kind == ERROR_FAILED && lstat(path, &status) == 0 && status.st_uid != geteuid()) {
        error->kind = ERROR_BUSY;
        error_hint(error, "a kstar of another user writes there; if it was killed, remove the file");
    }
    return false;
}

/* Gives the lock file to the owner of the folder: if root is killed, its file must not block the
 * owner. */
static void leave_to_owner(const char *folder, int descriptor)
{
    struct stat status;
    if (geteuid() == 0 && stat(folder, &status) == 0 && fchown(descriptor, status.st_uid, status.st_gid) != 0)
        log_event(LOG_WARNING, "waits_for_out", "message=\"%s: the lock stays root's\" seconds=0", folder);
}

bool directory_lock(const char *folder, int seconds, int *descriptor, struct error *error)
{
    const struct timespec pause = { .tv_nsec = 100000000 }; /* a tenth of a second */
    struct error tried = { 0 };
    char *path = folder_lock_path(folder);
    bool ok = try_folder(path, descriptor, &tried);
    if (!ok && tried.kind == ERROR_BUSY && seconds > 0)
        log_event(LOG_WARNING, "waits_for_out", "message=\"%s\" seconds=%d", tried.message, seconds);
    for (int i = 0; !ok && tried.kind == ERROR_BUSY && i < 10 * seconds; i++) {
        nanosleep(&pause, NULL);
        tried = (struct error){ 0 };
        ok = try_folder(path, descriptor, &tried);
    }
    free(path);
    if (ok)
        leave_to_owner(folder, *descriptor);
    else
        *error = tried;
    return ok;
}

void directory_unlock(const char *folder, int descriptor)
{
    if (descriptor < 0)
        return;
    char *path = folder_lock_path(folder);
    if (is_still_there(path, descriptor)) /* otherwise it now belongs to another process */
        unlink(path);
    free(path);
    close(descriptor);
}
