-- A closed month in another currency than the statement that carries its adjustments stopped every later statement. They are converted there;
-- what has been adjusted is counted in the closed month's own currency, so that nothing is lost by rounding or by a rate that moves.
ALTER TABLE adjustment
    ADD COLUMN own_minor     bigint,  -- minor_units in minor units of the closed month's currency: exact
    ADD COLUMN exchange_rate numeric, -- by which the other amounts are converted; null: the currencies are the same
    ADD COLUMN rate_date     date;
UPDATE adjustment SET own_minor = minor_units;
ALTER TABLE adjustment ALTER COLUMN own_minor SET NOT NULL;

-- As 0006 has it, with what has been adjusted in the month's own currency.
CREATE OR REPLACE VIEW prior_period_difference AS
WITH moved AS (
    SELECT statement_month FROM replay
    UNION
    SELECT adjusted_month FROM adjustment JOIN statement USING (statement_month) WHERE status = 'Final'
), said AS (
    SELECT statement_month AS adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
           minor_units AS frozen_minor, 0 AS adjusted_minor,
           CASE WHEN EXISTS (SELECT FROM replay WHERE replay.statement_month = statement_cell.statement_month)
                THEN 0 ELSE minor_units END AS replayed_minor
    FROM statement_cell JOIN moved USING (statement_month)
    UNION ALL
    SELECT statement_month, source, line_type, cost_centre, component, subject, gl_account, 0, 0, minor_units
    FROM replayed_cell
    UNION ALL
    SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account, 0, own_minor, 0
    FROM adjustment JOIN statement USING (statement_month)
    WHERE status = 'Final'
)
SELECT adjusted_month, source, line_type, cost_centre, component, subject, gl_account,
       sum(frozen_minor)::bigint                                               AS frozen_minor,
       sum(adjusted_minor)::bigint                                             AS adjusted_minor,
       sum(replayed_minor)::bigint                                             AS replayed_minor,
       sum(replayed_minor - frozen_minor - adjusted_minor)::bigint             AS minor_units
FROM said
GROUP BY adjusted_month, source, line_type, cost_centre, component, subject, gl_account
HAVING sum(replayed_minor - frozen_minor - adjusted_minor) <> 0;
