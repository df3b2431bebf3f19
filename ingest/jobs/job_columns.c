/* ingest/jobs/job_columns.c: see job_columns.h. */
#include "ingest/jobs/job_columns.h"

#include "base/system/delivered_file.h"
#include "base/system/file.h"
#include "ingest/delivery_of_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char columns_file[] = "columns";

bool job_columns_is(const char *path)
{
    return strcmp(delivery_of_file_name(path), columns_file) == 0;
}

/* If something has that name, it must be a readable file: without its columns, kstar would misread
 * the records. */
static bool columns_file_is_there(const char *beside, bool *is_there, struct error *error)
{
    struct stat status;
    *is_there = lstat(beside, &status) == 0 || errno != ENOENT;
    return !*is_there || path_is_readable(beside, error);
}

/* Joins lines of names to one list with commas. A line may be empty, or end with a comma or CR. */
static void join_lines(char *names)
{
    size_t used = 0;
    char *rest = NULL;
    for (char *line = strtok_r(names, "\r\n", &rest); line != NULL; line = strtok_r(NULL, "\r\n", &rest)) {
        size_t length = strlen(line);
        while (length > 0 && strchr(" \t,", line[length - 1]) != NULL)
            length--;
        if (length > 0 && used > 0)
            names[used++] = ',';
        /* moves left: a comma replaces a line's end */
        memmove(names + used, line, length);
        used += length;
    }
    names[used] = '\0';
}

static bool read_names(const char *beside, char names[JOB_COLUMNS_BYTES], struct error *error)
{
    FILE *file = delivered_file_stream(beside, error);
    if (file == NULL)
        return false;
    size_t length = fread(names, 1, JOB_COLUMNS_BYTES - 1, file);
    bool ok = !ferror(file) && feof(file);
    fclose(file);
    if (!ok)
        return error_set(error, ERROR_INPUT, "%s: cannot be read, or is longer than 16 KiB", beside);
    names[length] = '\0';
    join_lines(names);
    return true;
}

bool job_columns_read(const char *path, char names[JOB_COLUMNS_BYTES], struct error *error)
{
    char *folder = strndup(path, (size_t)(delivery_of_file_name(path) - path));
    char *beside = path_join(folder, columns_file);
    bool is_there;
    names[0] = '\0';
    bool ok =
        columns_file_is_there(beside, &is_there, error) && (!is_there || read_names(beside, names, error));
    free(beside);
    free(folder);
    return ok;
}
