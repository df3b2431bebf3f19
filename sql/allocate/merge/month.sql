-- What the readers ask of the month, once 05_lines.sql has run: the closed month that is replayed,
-- whether a rule looks at descriptions, the time of its lines, and whether they are on several
-- servers.
SELECT replayed_month, asks_description, coalesce(min(first_start), '-infinity')::text, coalesce(max(last_end), '-infinity')::text,
       EXISTS (SELECT FROM kstar.distributed_table), statement_month::text
FROM month
CROSS JOIN rule_change
LEFT JOIN line_class ON true
GROUP BY replayed_month, asks_description, statement_month
