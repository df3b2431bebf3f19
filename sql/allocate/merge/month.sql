-- What the readers ask of the month, once 05_lines.sql has run: the closed month that is replayed,
-- whether a rule looks at descriptions, the time of its lines, and whether they are on several
-- servers.
SELECT replayed_month, asks_description, lines_from::text, lines_to::text, EXISTS (SELECT FROM kstar.distributed_table), statement_month::text
FROM month
CROSS JOIN rule_change
CROSS JOIN line_span
