-- For people: the rules that decided, and where each is declared.
SELECT DISTINCT rule, declared
FROM (SELECT rule::text AS rule, rule_declared AS declared FROM asked WHERE kind = 'line'
      UNION ALL
      SELECT 'cost centre ' || coalesce(cost_centre, '') || ' of job ' || cluster || '/' || job_id, centre_declared FROM asked) AS decided
WHERE declared IS NOT NULL
ORDER BY rule, declared;
