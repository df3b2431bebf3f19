-- The chunks of month $1 that the reader may see (docs/security.md), of cost centre $2
-- (null: of all).
DECLARE archived_chunks NO SCROLL CURSOR FOR
SELECT true, content
FROM kstar_views.report_part
WHERE statement_month = $1::date AND ($2::text IS NULL OR cost_centre = $2) AND $3::bigint[] IS NULL
ORDER BY chunk;
