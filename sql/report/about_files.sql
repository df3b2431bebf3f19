-- Sheet "About": the files that the statement was made from. A cost centre's own workbook has their
-- hashes without the names, which may belong to others.
SELECT kind, named.path, sha256, bytes
FROM report_file
CROSS JOIN LATERAL (SELECT CASE WHEN current_setting('kstar.cost_centre') = '' THEN report_file.path END) AS named (path)
ORDER BY kind COLLATE "C", named.path COLLATE "C", sha256 COLLATE "C";
