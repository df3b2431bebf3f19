-- Whether a reader sees parts of month $1.
SELECT EXISTS (SELECT chunk FROM kstar_views.report_part WHERE statement_month = $1::date);
