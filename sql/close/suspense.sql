-- Cost centres that are charged but not valid on the month's last day. The journal books their cost
-- to the suspense account. They block the close if that account is not set, or if one was not
-- declared on a day of its cost: then a rule, pool or carrier names the wrong cost centre. The day
-- is a line's charge date, a job's start, the month's last day for a pool and its weights, a
-- transfer's first day for its carrier.
CREATE TEMP TABLE ended_centre ON COMMIT DROP AS
SELECT cost_centre, EXISTS (
    SELECT
    FROM (SELECT charge_date
          FROM centre_class JOIN line_class USING (class_id) JOIN class_cost_centre USING (class_id)
          WHERE class_cost_centre.cost_centre = ended.cost_centre
          UNION ALL
          SELECT start_time::date
          FROM statement_sum JOIN month USING (statement_month) JOIN statement_detail USING (statement_month, sum_id) JOIN attempt USING (attempt_id)
          WHERE statement_sum.cost_centre = ended.cost_centre
          UNION ALL
          SELECT last_day
          FROM shared_part JOIN month USING (statement_month) JOIN pool_of_month USING (pool)
          WHERE shared_kind = 'pool' AND closed_month IS NULL AND (split <> 'proportional' OR shared_part.cost_centre = owner)
            AND shared_part.cost_centre = ended.cost_centre
          UNION ALL
          SELECT greatest(valid_from, statement_month)
          FROM transfer CROSS JOIN month
          WHERE request_id IN (SELECT request_id FROM transfer_part) AND carrier = ended.cost_centre) AS charged (day)
    WHERE NOT EXISTS (SELECT FROM cost_centre AS declared
                      WHERE declared.cost_centre = ended.cost_centre AND valid_from <= day AND day < valid_to)
      AND NOT EXISTS (SELECT FROM stated_cost_centre AS declared
                      WHERE statement_month = date_trunc('month', day)::date AND declared.cost_centre = ended.cost_centre
                        AND valid_from <= day AND day < valid_to)) AS is_undeclared
FROM (SELECT DISTINCT statement_sum.cost_centre
      FROM statement_sum JOIN month USING (statement_month)
      WHERE cost_centre IS NOT NULL
        AND cost_centre NOT IN (SELECT declared.cost_centre FROM cost_centre AS declared CROSS JOIN month
                                WHERE valid_from <= last_day AND last_day < valid_to)) AS ended;

-- The text of a note: the fact, then what blocks the close. adjustments.sql uses it, too.
CREATE OR REPLACE FUNCTION pg_temp.suspense_note(what text, is_undeclared boolean, has_account boolean) RETURNS text
LANGUAGE sql IMMUTABLE
RETURN what || CASE WHEN is_undeclared THEN ', nor on the day of the cost' ELSE '' END
            || CASE WHEN has_account THEN '' ELSE '; suspense_gl_account is not set' END;

INSERT INTO statement_note (statement_month, kind, subject, quantity, unit, note, blocks_close)
SELECT statement_month, 'suspense', cost_centre, NULL, NULL,
       pg_temp.suspense_note('charged to a cost centre that cost_centres.csv does not have on the month''s last day', is_undeclared, has_account),
       is_undeclared OR NOT has_account
FROM ended_centre
CROSS JOIN month
CROSS JOIN LATERAL (SELECT pg_temp.setting_on('suspense_gl_account', last_day, NULL) IS NOT NULL) AS booked (has_account);
