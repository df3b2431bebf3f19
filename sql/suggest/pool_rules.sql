-- The rules of the proposed pools (suggest/pools.sql).
SELECT format('%s line%s', sum(line_count), CASE WHEN sum(line_count) > 1 THEN 's' END) AS worth,
       coalesce((SELECT max(priority) FROM kstar.pool_rule), 0)
           + 10 * row_number() OVER (ORDER BY sum(amount) DESC, service_name COLLATE "C") AS priority,
       'service_name' AS match, service_name AS pattern, service_name AS pool, '' AS valid_from, '' AS valid_to
FROM cost
JOIN shared_service USING (service_name)
GROUP BY service_name
ORDER BY 2;
