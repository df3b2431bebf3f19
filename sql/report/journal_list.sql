-- The issued journals of month $1 ("2026-09"), or of all months if it is NULL: the latest first, a
-- row per document as in report_journal_document (report/00_session.sql). An issue's own document
-- is listed even if it has no lines.
WITH booked AS (
    SELECT statement_month, issue_number, company, currency, reversal_date, minor_unit_digits, minor_units
    FROM journal_line
    UNION ALL
    SELECT statement_month, issue_number, company, currency, reversal_date, NULL, NULL
    FROM journal_issue
), document AS (
    SELECT statement_month, issue_number, company, currency, reversal_date, count(minor_units) AS lines,
           minor_amount(coalesce(sum(minor_units) FILTER (WHERE minor_units > 0), 0)::bigint, coalesce(max(minor_unit_digits), max(digits), 2)) AS total
    FROM booked
    LEFT JOIN currency_minor_unit USING (currency)
    WHERE $1::text IS NULL OR statement_month = ($1 || '-01')::date
    GROUP BY statement_month, issue_number, company, currency, reversal_date
)
SELECT to_char(statement_month, 'YYYY-MM')                                AS "month",
       journal_posting_key(document.company, statement_month, issue_number)
           || CASE WHEN is_own THEN '' ELSE 'R' END                       AS "posting_key",
       CASE WHEN document.reversal_date IS NULL THEN 'final' ELSE 'accrual' END AS "kind",
       to_char(accounting_date, 'YYYY-MM-DD')                             AS "accounting_date",
       coalesce(to_char(document.reversal_date, 'YYYY-MM-DD'), '')        AS "reversal_date",
       lines                                                              AS "lines",
       document.currency                                                  AS "currency",
       total                                                              AS "control_total",
       source                                                             AS "source"
FROM document
JOIN journal_issue USING (statement_month, issue_number)
CROSS JOIN LATERAL (SELECT document.currency = journal_issue.currency
                           AND document.reversal_date IS NOT DISTINCT FROM journal_issue.reversal_date AS is_own) AS ownership
ORDER BY statement_month DESC, issue_number DESC, document.company COLLATE "C", is_own DESC;
