-- A sentence on the largest part of the coordination waste of one family and K: those with the most
-- waste whose parts are known. A cost centre's page has its own.
WITH waste AS (
    SELECT family, k, shares_from, sum(waste_minor) AS waste_minor,
           ARRAY[sum(exposed_communication_minor), sum(idle_minor), sum(other_minor)] AS parts
    FROM family_waste
    WHERE statement_month = current_setting('kstar.statement_month')::date AND current_setting('kstar.cost_centre') IN ('', cost_centre)
    GROUP BY family, k, shares_from
    HAVING sum(waste_minor) > 0
    ORDER BY waste_minor DESC, family COLLATE "C", k
    LIMIT 1
)
SELECT format('Of the %s %s of coordination waste of family %s on %s %s, %s %% is %s (%s).', statement_currency,
              money_text(waste_minor::bigint, minor_unit_digits), waste.family, k,
              CASE k WHEN 1 THEN rtrim(counts, 's') ELSE counts END, round(100 * minor_units / waste_minor), name, shares_from) AS sentence
FROM waste
JOIN statement ON statement_month = current_setting('kstar.statement_month')::date
LEFT JOIN stated_family_of_month AS declared USING (statement_month, family)
CROSS JOIN LATERAL (SELECT coalesce(declared.unit, 'nodes')) AS unit (counts)
CROSS JOIN LATERAL (SELECT minor_units, (ARRAY['exposed communication', 'idle', 'other time without compute'])[part] AS name
                    FROM unnest(parts) WITH ORDINALITY AS each (minor_units, part)
                    ORDER BY minor_units DESC, part
                    LIMIT 1) AS largest;
