-- All facts that the files of a month may show, as one text: if the text is the same, the files
-- are. It has everything that was read so far, as in a run id ($1: the rules). It has the
-- transactions that published this statement and each earlier one, because a statement that is made
-- again keeps its run id. And it has the issued journals.
SELECT concat_ws(E'\n',
                 statement_run_id(current_setting('kstar.statement_month')::date, $1),
                 (SELECT string_agg(concat_ws(' ', statement_month, run_id, status, xmin), E'\n' ORDER BY statement_month)
                  FROM statement
                  WHERE statement_month <= current_setting('kstar.statement_month')::date),
                 (SELECT string_agg(concat_ws(' ', statement_month, issue_number, xmin), E'\n' ORDER BY statement_month, issue_number)
                  FROM journal_issue));
