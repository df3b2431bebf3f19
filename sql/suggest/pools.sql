-- Proposed pools: services whose lines name neither an owner nor a resource.
SELECT string_agg(worth, ', ' ORDER BY worth) AS worth, service_name AS pool, 'shared_services' AS component, '' AS owner, '' AS split, '' AS basis,
       '' AS ends_with_job, '' AS valid_from, '' AS valid_to
FROM (SELECT service_name, sum(amount) AS amount,
             format('%s of %s line%s', pg_temp.money(currency, sum(amount)), sum(line_count),
                    CASE WHEN sum(line_count) > 1 THEN 's' END) AS worth
      FROM cost
      JOIN shared_service USING (service_name)
      GROUP BY service_name, currency) AS service
WHERE service_name NOT IN (SELECT pool FROM kstar.pool)
GROUP BY service_name
ORDER BY sum(amount) DESC, service_name COLLATE "C";
