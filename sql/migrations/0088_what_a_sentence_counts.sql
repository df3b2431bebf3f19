-- The sentence of a job over a month's end had the month's excess beside the hours that the whole job saved, which do not divide into what an hour must be
-- worth. It now has the hours that count in the month. And where no rate is declared, the sentence says that waiting is not counted.

-- What a flag says of a job: "64 nodes cost USD 23,573.11 more than 16 and saved 17.0 hours: right only if an hour is worth more than USD 1,390"; of one
-- below the band: "2 nodes cost USD 1,229.44 more than 4 and took 18.5 hours longer". What waiting was counted at follows.
CREATE OR REPLACE FUNCTION flag_text(flag flagged_job, unit text, currency text, digits integer) RETURNS text
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT CASE WHEN (flag).is_part THEN 'in this month ' ELSE '' END
           || format('%s %s cost %s %s more than %s', (flag).k, CASE (flag).k WHEN 1 THEN rtrim(unit, 's') ELSE unit END, currency, money_text((flag).excess_minor, digits), (flag).k_star)
           || CASE WHEN (flag).provisional THEN ' so far'
                   WHEN (flag).outcome = 'failed' THEN ' until the job failed'
                   WHEN (flag).outcome = 'cancelled' THEN ' until the job was cancelled' ELSE '' END
           || CASE WHEN longer IS NULL THEN ''
                   ELSE CASE WHEN (flag).is_part AND counted IS NULL THEN '; the whole job ' ELSE ' and ' END
                        || CASE WHEN hours_text(coalesce(counted, longer)) IS NULL THEN 'saved no time'
                                WHEN longer > 0 THEN 'saved ' || hours_text(coalesce(counted, longer))
                                ELSE 'took ' || hours_text(longer) || ' longer' END END
           || coalesce(': right only if an hour is worth more than ' || currency || ' ' || break_even, '')
           || CASE WHEN (flag).waiting_per_hour > 0
                   THEN '; waiting counted at ' || currency || ' ' || trim_scale((flag).waiting_per_hour::numeric) || ' an hour'
                   ELSE '; waiting not counted' END
    FROM (SELECT (flag).job_hours_at_k_star - (flag).job_hours AS longer,
                 (flag).excess_minor / nullif((flag).break_even_minor, 0) AS counted, -- hours saved that count in the month
                 rough_text((flag).break_even_minor::numeric * ('1e-' || digits)::numeric) AS break_even) AS said;
END;
