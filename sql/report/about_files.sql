-- Sheet "About": the files that the statement was made from. A cost centre's own workbook has their hashes without
-- their names, which may be somebody else's.
SELECT kind, path, sha256, bytes
FROM (SELECT kind, CASE WHEN current_setting('kstar.cost_centre') = '' THEN path END AS path, sha256, bytes
      FROM statement_file
      WHERE statement_month = current_setting('kstar.statement_month')::date) AS file
ORDER BY kind COLLATE "C", path COLLATE "C", sha256;
