/* base/system/spill_sort.c: see spill_sort.h. */
#include "base/system/spill_sort.h"

#include "base/system/temporary_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* A sorted run in the file, and its part in memory: records [at, held). */
struct run {
    off_t offset;
    size_t left; /* records still in the file */
    char *records;
    size_t at, held;
};

struct spill_sort {
    size_t record_bytes, capacity;
    int (*compare)(const void *, const void *);
    char *records; /* not in the file yet */
    size_t count;
    FILE *file;
    off_t written;
    struct run *runs;
    size_t run_count;
    size_t read_records; /* records read of a run at a time */
    bool reading;
};

struct spill_sort *spill_sort_open(size_t record_bytes, size_t capacity,
                                   int (*compare)(const void *, const void *))
{
    struct spill_sort *sort = calloc(1, sizeof *sort);
    *sort = (struct spill_sort){ .record_bytes = record_bytes,
                                 .capacity = capacity,
                                 .compare = compare,
                                 .records = malloc(record_bytes * capacity) };
    return sort;
}

void spill_sort_close(struct spill_sort *sort)
{
    if (sort == NULL)
        return;
    for (size_t i = 0; i < sort->run_count; i++)
        free(sort->runs[i].records);
    if (sort->file != NULL)
        fclose(sort->file);
    free(sort->runs);
    free(sort->records);
    free(sort);
}

/* Writes the records in memory as a sorted run. */
static bool spill(struct spill_sort *sort, struct error *error)
{
    sort->runs = realloc(sort->runs, (sort->run_count + 1) * sizeof *sort->runs);
    if (sort->file == NULL && (sort->file = temporary_stream(error)) == NULL)
        return false;
    qsort(sort->records, sort->count, sort->record_bytes, sort->compare);
    if (fwrite(sort->records, sort->record_bytes, sort->count, sort->file) != sort->count)
        return temporary_file_failed(error);
    sort->runs[sort->run_count++] = (struct run){ .offset = sort->written, .left = sort->count };
    sort->written += (off_t)(sort->count * sort->record_bytes);
    sort->count = 0;
    return true;
}

bool spill_sort_put(struct spill_sort *sort, const void *record, struct error *error)
{
    if (sort->count == sort->capacity && !spill(sort, error))
        return false;
    memcpy(sort->records + sort->count++ * sort->record_bytes, record, sort->record_bytes);
    return true;
}

/* Reads the next part of a run. */
static bool refill(struct spill_sort *sort, struct run *run, struct error *error)
{
    size_t wanted = run->left < sort->read_records ? run->left : sort->read_records;
    if (fseeko(sort->file, run->offset, SEEK_SET) != 0 ||
        fread(run->records, sort->record_bytes, wanted, sort->file) != wanted)
        return error_set_errno(error, "read from a temporary file");
    run->offset += (off_t)(wanted * sort->record_bytes);
    run->left -= wanted;
    run->at = 0;
    run->held = wanted;
    return true;
}

/* The records in memory become the last run, and the memory is divided among the runs. */
static bool begin_reading(struct spill_sort *sort, struct error *error)
{
    sort->reading = true;
    if (sort->run_count == 0) {
        if (sort->count > 0)
            qsort(sort->records, sort->count, sort->record_bytes, sort->compare);
        sort->capacity = sort->count; /* from here on, `count` is the number of records read */
        sort->count = 0;
        return true;
    }
    if (sort->count > 0 && !spill(sort, error))
        return false;
    if (fflush(sort->file) != 0)
        return temporary_file_failed(error);
    free(sort->records);
    sort->records = NULL;
    sort->read_records = sort->capacity / sort->run_count + 1;
    for (size_t i = 0; i < sort->run_count; i++) {
        sort->runs[i].records = malloc(sort->read_records * sort->record_bytes);
        if (!refill(sort, &sort->runs[i], error))
            return false;
    }
    return true;
}

bool spill_sort_next(struct spill_sort *sort, void *record, bool *found, struct error *error)
{
    *found = false;
    if (!sort->reading && !begin_reading(sort, error))
        return false;
    if (sort->run_count == 0) {
        *found = sort->count < sort->capacity;
        if (*found)
            memcpy(record, sort->records + sort->count++ * sort->record_bytes, sort->record_bytes);
        return true;
    }
    struct run *first = NULL;
    for (size_t i = 0; i < sort->run_count; i++) {
        struct run *run = &sort->runs[i];
        if (run->at < run->held &&
            (first == NULL || sort->compare(run->records + run->at * sort->record_bytes,
                                            first->records + first->at * sort->record_bytes) < 0))
            first = run;
    }
    if (first == NULL)
        return true;
    *found = true;
    memcpy(record, first->records + first->at++ * sort->record_bytes, sort->record_bytes);
    return first->at < first->held || first->left == 0 || refill(sort, first, error);
}
