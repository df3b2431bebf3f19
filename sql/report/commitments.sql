-- Sheet "Shared and idle": how far each commitment was used.
SELECT commitment, coalesce(sum(effective_minor) FILTER (WHERE block = 'usage'), 0)::bigint AS used_minor,
       coalesce(sum(effective_minor) FILTER (WHERE block = 'unused commitment'), 0)::bigint AS unused_minor,
       CASE WHEN sum(effective_minor) <> 0
            THEN coalesce(sum(effective_minor) FILTER (WHERE block = 'usage'), 0) / sum(effective_minor) END AS utilisation
FROM statement_price
WHERE statement_month = current_setting('kstar.statement_month')::date AND cost_centre = ''
  AND (block = 'unused commitment' OR block = 'usage' AND commitment <> '')
GROUP BY commitment
ORDER BY 3 DESC, commitment COLLATE "C";
