-- The month's chunks. A chunk never changes, so a worker can read it without the snapshot.
COPY (SELECT -1, statement_month, file_id, first_line, chunk_id, billing_period FROM month_chunk) TO STDOUT;
