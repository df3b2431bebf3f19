-- Each issue of the month's journal balances, has the content that it was issued with, and reverses
-- the issue before it line by line. No issue is missing up to the last one that has lines or that
-- the nights have written. The final issue of a closed month books what the statement says. $1 is
-- the month.
WITH own AS (
    SELECT issue_number,
           encode(sha256(convert_to(
               coalesce(string_agg(jsonb_build_array(block, line_type, line.company, line.currency, minor_unit_digits, line.accounting_date, line.reversal_date,
                                                     gl_account, cost_centre, component, subject, minor_units, external_reference)::text,
                                   E'\n' ORDER BY line_number) FILTER (WHERE line_number IS NOT NULL), '')
               || concat_ws(' ', E'\n', issue.company, issue.currency, kind, issue.accounting_date), 'UTF8')), 'hex') = content_sha256 AS is_as_issued
    FROM journal_issue AS issue
    LEFT JOIN (SELECT * FROM journal_line WHERE block <> 'reversal') AS line USING (statement_month, issue_number)
    WHERE statement_month = $1::date
    GROUP BY statement_month, issue_number, issue.company, issue.currency, kind, issue.accounting_date, content_sha256
), uneven AS (
    SELECT issue_number, min(format('%s, %s: debits exceed credits by %s cents', company, currency, minor_units) COLLATE "C") AS what
    FROM (SELECT issue_number, company, currency, sum(minor_units) AS minor_units
          FROM journal_line WHERE statement_month = $1::date
          GROUP BY issue_number, company, currency, block = 'reversal') AS booked
    WHERE minor_units <> 0
    GROUP BY issue_number
), reversed AS (
    SELECT issue_number,
           count(*) FILTER (WHERE block = 'reversal') AS lines,
           sum(minor_units) FILTER (WHERE block = 'reversal') AS total,
           sum(minor_units * hashtextextended(concat_ws(' ', company, gl_account, cost_centre, component, subject, external_reference), 0)::numeric)
               FILTER (WHERE block = 'reversal') AS content,
           sum(minor_units * hashtextextended(concat_ws(' ', company, gl_account, cost_centre, component, subject, external_reference), 0)::numeric)
               FILTER (WHERE block <> 'reversal') AS own_content
    FROM journal_line WHERE statement_month = $1::date
    GROUP BY issue_number
), last AS (
    SELECT issue_number, coalesce(sum(minor_units) FILTER (WHERE block = 'invoice' AND line_type <> 'clearing'), 0) AS invoiced,
           coalesce(sum(minor_units) FILTER (WHERE block = 'adjustment' AND line_type <> 'clearing'), 0) AS adjusted
    FROM journal_issue
    JOIN journal_line USING (statement_month, issue_number)
    WHERE statement_month = $1::date AND kind = 'final'
    GROUP BY issue_number
), stated AS (
    SELECT (SELECT coalesce(sum(minor_units), 0) FROM statement_invoice WHERE statement_month = $1::date) AS invoiced,
           (SELECT coalesce(sum(minor_units), 0) FROM adjustment WHERE statement_month = $1::date AND source IS NOT NULL) AS adjusted
), known AS (
    SELECT issue_number FROM journal_line WHERE statement_month = $1::date
    UNION
    SELECT written_issue FROM closure WHERE statement_month = $1::date
), wrong AS (
    SELECT issue_number, what FROM uneven
    UNION ALL
    SELECT issue_number, 'there is no record of it'
    FROM generate_series(1, (SELECT max(issue_number) FROM known)) AS issue_number
    WHERE issue_number NOT IN (SELECT issue_number FROM own)
    UNION ALL
    SELECT issue_number, 'its lines are not those that were issued' FROM own WHERE NOT is_as_issued
    UNION ALL
    SELECT reversed.issue_number, format('it takes back %s, the issue before it booked %s', reversed.content, before.own_content)
    FROM reversed
    JOIN reversed AS before ON before.issue_number = reversed.issue_number - 1
    WHERE coalesce(reversed.content, 0) <> -coalesce(before.own_content, 0)
    UNION ALL
    SELECT issue_number, format('it books %s cents of invoices and %s of adjustments, the statement has %s and %s', last.invoiced, last.adjusted, stated.invoiced, stated.adjusted)
    FROM last CROSS JOIN stated
    WHERE last.invoiced <> stated.invoiced OR last.adjusted <> stated.adjusted
)
SELECT (SELECT count(*) FROM own), (SELECT count(*) FROM wrong),
       (SELECT format('issue %s: %s', issue_number, what) FROM wrong ORDER BY issue_number, what COLLATE "C" LIMIT 1), NULL;
