-- Fills the tables of report/00_session.sql for the review and for pages: flags and node counts.
-- This file needs no table of the files before it.
INSERT INTO report_flag
SELECT * FROM flagged_job WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date);

-- At most as many as the setting workbook_jobs says, and none with an excess below the setting
-- review_smallest_flag.
INSERT INTO report_listed_flag
SELECT attempt_id
FROM (SELECT row_number() OVER (ORDER BY excess_minor DESC NULLS LAST, attempt_id) AS rank, attempt_id, coalesce(excess_minor, 0) AS excess_minor
      FROM report_flag) AS ranked
CROSS JOIN (SELECT stated_setting_value(statement_month, 'workbook_jobs', '5000')::bigint,
                   stated_setting_value(statement_month, 'review_smallest_flag', '0')::numeric * 10::numeric ^ minor_unit_digits
            FROM statement
            WHERE statement_month = current_setting('kstar.statement_month')::date
            OFFSET 0) -- each is looked up once
           AS setting (most, smallest_minor)
WHERE rank <= most AND excess_minor >= smallest_minor;

INSERT INTO report_run_size
SELECT cost_centre, family, k, count(*) FILTER (WHERE coalesce(judged_with, attempt_id) = attempt_id), sum(cost_minor),
       sum(excess_minor) FILTER (WHERE is_flag(verdict))
FROM job_result
WHERE statement_month = (SELECT current_setting('kstar.statement_month')::date) AND outcome <> 'not started'
GROUP BY cost_centre, family, k;
