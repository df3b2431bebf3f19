-- The dropped lines that reappear in other periods, each as often as it reappears. A line may
-- repeat in every period, such as an instalment of a contract: if another period already had the
-- line beside the dropped one, as many lines as it had there do not count. The same goes for lines
-- that a person has let stand in both periods. Of lines that differ only in their tags, those with
-- tags that the delivery brings go first.
CREATE TEMP TABLE line_again ON COMMIT DROP AS
WITH tally AS MATERIALIZED (
    SELECT role, load_id, billing_period, identity, count(*) AS lines FROM compared_line GROUP BY role, load_id, billing_period, identity
), repeated AS MATERIALIZED (
    SELECT dropped.load_id, identity, max(beside.lines) AS lines
    FROM tally AS dropped
    JOIN tally AS beside USING (identity)
    WHERE dropped.role = 'dropped' AND beside.role <> 'brought' AND beside.load_id <> dropped.load_id
    GROUP BY dropped.load_id, identity
), again AS MATERIALIZED (
    SELECT dropped.load_id, dropped.identity, sum(brought.lines - coalesce(repeated.lines, 0)) AS lines,
           array_agg(brought.billing_period ORDER BY brought.billing_period) AS reappears_in
    FROM tally AS dropped
    JOIN tally AS brought USING (identity)
    LEFT JOIN repeated ON repeated.load_id = dropped.load_id AND repeated.identity = dropped.identity
    WHERE dropped.role = 'dropped' AND brought.role = 'brought' AND brought.lines > coalesce(repeated.lines, 0)
    GROUP BY dropped.load_id, dropped.identity
), brought_tags AS (
    SELECT DISTINCT identity, coalesce(tag_set_key, 0) AS tag_set_key FROM compared_line WHERE role = 'brought'
), ranked AS (
    SELECT compared_line.*, coalesce(again.reappears_in, chunk_again.reappears_in) AS reappears_in, again.lines,
           chunk_again.load_id IS NOT NULL AS is_chunk,
           row_number() OVER (PARTITION BY compared_line.load_id, compared_line.identity
                              ORDER BY brought_tags.identity IS NULL, compared_line.file_id, compared_line.first_line, line_in_chunk, row_in_record) AS rank
    FROM compared_line
    LEFT JOIN again ON again.load_id = compared_line.load_id AND again.identity = compared_line.identity
    LEFT JOIN chunk_again ON chunk_again.load_id = compared_line.load_id AND chunk_again.file_id = compared_line.file_id
                         AND chunk_again.first_line = compared_line.first_line
    LEFT JOIN brought_tags ON brought_tags.identity = compared_line.identity
                          AND brought_tags.tag_set_key = coalesce(compared_line.tag_set_key, 0)
    WHERE role = 'dropped'
)
SELECT load_id, file_id, first_line, line_in_chunk, row_in_record, reappears_in, billed_cost, effective_cost, billing_currency
FROM ranked
WHERE is_chunk OR rank <= lines;
