-- The failed-run factors of the statement of month $1 (docs/unit-costs.md).
SELECT cost_centre, family, factor::double precision
FROM failed_run_factor
WHERE statement_month = $1::date AND factor IS NOT NULL;
