/* report/book_head.h: the statement that a workbook shows, and for whom. */
#ifndef KSTAR_REPORT_BOOK_HEAD_H
#define KSTAR_REPORT_BOOK_HEAD_H

#include "base/time_text.h"

struct book_head {
    const char *kind;       /* "Chargeback" */
    const char *period;     /* "2026-09" */
    const char *month_name; /* "September 2026" */
    const char *status;     /* "Preliminary" or "Final" */
    const char *run_id, *kstar_version;
    time_us as_of;
    const char *currency;
    int minor_unit_digits;
    const char *cost_centre; /* NULL: all cost centres */
    const char *cost_centre_name;
};

#endif
