/* tests/bench/csv_floor.c: what libcsv alone takes to parse a file: the floor under any ingest of
 * it. */
#include <csv.h>
#include <stdio.h>
#include <stdlib.h>

struct counts {
    long fields, records;
};

static void count_field(void *field, size_t length, void *counts)
{
    (void)field;
    (void)length;
    ((struct counts *)counts)->fields++;
}

static void count_record(int terminator, void *counts)
{
    (void)terminator;
    ((struct counts *)counts)->records++;
}

int main(int argc, char **argv)
{
    static char buffer[1 << 18];
    struct counts counts = { 0, 0 };
    struct csv_parser parser;
    size_t length;
    FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (file == NULL || csv_init(&parser, CSV_APPEND_NULL) != 0) {
        fprintf(stderr, "usage: csv_floor FILE\n");
        return 2;
    }
    while ((length = fread(buffer, 1, sizeof buffer, file)) > 0) {
        if (csv_parse(&parser, buffer, length, count_field, count_record, &counts) != length)
            return 1;
    }
    csv_fini(&parser, count_field, count_record, &counts);
    csv_free(&parser);
    fclose(file);
    printf("%ld records, %ld fields\n", counts.records, counts.fields);
    return 0;
}
