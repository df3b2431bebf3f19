/* A reference file: the first byte chooses the table, the rest is the file. */
#include "tests/fuzz/fuzz.h"

#include "ingest/reference/reference_tables.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct declared_row row;
    struct error error = { 0 };
    int count = 1, column = 0; /* there is one at least */
    char problem[DECLARED_PROBLEM_BYTES];
    if (size == 0)
        return 0;
    while (reference_tables[count].file != NULL)
        count++;
    const struct reference_table *table = &reference_tables[data[0] % count];
    struct declared_csv *csv =
        declared_csv_open(fuzz_file(data + 1, size - 1), table->columns, "docs/reference.md", &error);
    while (csv != NULL && declared_csv_next(csv, &row, &error) == CSV_RECORD) {
        if (table->check != NULL)
            table->check(row.values, &column, problem);
        for (int i = 0; table->columns[i].name != NULL; i++) {
            if ((table->columns[i].flags & DECLARED_REQUIRED) != 0 && row.values[i] == NULL)
                abort();
        }
    }
    declared_csv_close(csv);
    return 0;
}
