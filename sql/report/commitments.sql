-- Sheet "Shared and idle": how far each commitment was used. If a month takes back more than it
-- bills, the figures say nothing of the use.
SELECT commitment, used AS used_minor, unused AS unused_minor,
       CASE WHEN least(used, unused) >= 0 THEN used::numeric / nullif(used + unused, 0) END AS utilisation
FROM (SELECT commitment, coalesce(sum(effective_minor) FILTER (WHERE block = 'usage'), 0)::bigint AS used,
             coalesce(sum(effective_minor) FILTER (WHERE block = 'unused commitment'), 0)::bigint AS unused
      FROM statement_price
      WHERE statement_month = current_setting('kstar.statement_month')::date AND cost_centre = ''
        AND (block = 'unused commitment' OR block = 'usage' AND commitment <> '')
      GROUP BY commitment) AS commitment_use
ORDER BY unused DESC, commitment COLLATE "C";
