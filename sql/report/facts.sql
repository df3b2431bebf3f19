-- All that the files of a month may show, as a text: where it is the same, so are they. What has
-- been read so far, as for a run id ($1: the rules); which transaction published this statement
-- and each one before it, as a statement that is made again keeps its run id; and which journals
-- were issued.
SELECT concat_ws(E'\n',
                 statement_run_id(current_setting('kstar.statement_month')::date, $1),
                 (SELECT string_agg(concat_ws(' ', statement_month, run_id, status, xmin), E'\n' ORDER BY statement_month)
                  FROM statement
                  WHERE statement_month <= current_setting('kstar.statement_month')::date),
                 (SELECT string_agg(concat_ws(' ', statement_month, issue_number, xmin), E'\n' ORDER BY statement_month, issue_number)
                  FROM journal_issue));
