-- Whether the archived parts of closed month $1 are those of its close.
SELECT parts_sha256 IS NOT DISTINCT FROM encode(sha256((SELECT coalesce(string_agg(content_sha256, '' ORDER BY chunk), '')
                                                        FROM closed_part WHERE closed_part.statement_month = closure.statement_month)), 'hex')
FROM closure
WHERE statement_month = $1::date;
