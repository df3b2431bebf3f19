-- The chunks that count: they never change, so that they need no snapshot.
COPY (SELECT -1, statement_month, file_id, first_line, chunk_id, billing_period FROM month_chunk) TO STDOUT;
