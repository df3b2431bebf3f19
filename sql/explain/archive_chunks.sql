-- The chunks of closed month $1 that may have the rows asked for: of cost centre $2, with one of
-- the attempts $3 ("{1,2}"). Null: of all.
DECLARE archived_chunks NO SCROLL CURSOR FOR
SELECT sha256(content) = content_sha256, content
FROM closed_part
WHERE statement_month = $1::date AND ($2::text IS NULL OR cost_centre = $2)
  AND ($3::bigint[] IS NULL
       OR attempts && ARRAY(SELECT ((attempt_id & 4294967295) << 32 >> 32)::integer FROM unnest($3::bigint[]) AS asked (attempt_id)))
ORDER BY chunk;
