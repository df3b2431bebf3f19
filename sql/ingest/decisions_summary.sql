-- One line on the decisions of the review workbooks that the JSON array $1 names: how many there
-- are of each kind, and the excess of their jobs in the latest statement of the reviewed month.
WITH decision AS (
    SELECT CASE WHEN resize_to IS NULL THEN 'accepted' ELSE 'to resize' END AS kind, excess_minor, statement_currency, minor_unit_digits
    FROM review_decision
    LEFT JOIN statement ON statement_month = review_month
    LEFT JOIN job_result USING (statement_month, attempt_id)
    WHERE declared_in IN (SELECT jsonb_array_elements_text($1::jsonb))
), of_currency AS (
    SELECT kind, count(*) AS jobs, statement_currency || ' ' || money_text(sum(excess_minor)::bigint, min(minor_unit_digits)) AS excess
    FROM decision
    GROUP BY kind, statement_currency
), of_kind AS (
    SELECT sum(jobs) AS jobs, format('%s %s', sum(jobs), kind) || coalesce(format(' (excess %s)', string_agg(excess, ', ' ORDER BY excess)), '') AS words,
           kind
    FROM of_currency
    GROUP BY kind
)
SELECT CASE coalesce(sum(jobs), 0) WHEN 0 THEN 'no decision' WHEN 1 THEN '1 decision: ' ELSE sum(jobs) || ' decisions: ' END
           || coalesce(string_agg(words, ', ' ORDER BY kind), '')
FROM of_kind;
