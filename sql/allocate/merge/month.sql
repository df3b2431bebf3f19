-- What the readers need to know after 05_lines.sql: the replayed month, whether a rule looks at
-- descriptions, the time that lines bill, and whether the lines are on several servers.
SELECT replayed_month, asks_description, lines_from::text, lines_to::text, EXISTS (SELECT FROM kstar.distributed_table), statement_month::text
FROM month
CROSS JOIN rule_change
CROSS JOIN line_span
