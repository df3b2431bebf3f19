-- Which fit (night/month/month_families.h) speaks for the jobs of a family on an accelerator, for
-- the queries below that group jobs by fit.
CREATE TEMP TABLE fit_of_jobs (
    family      text NOT NULL,
    accelerator text NOT NULL, -- '': nobody knows
    fit         text NOT NULL,
    PRIMARY KEY (family, accelerator)
) ON COMMIT DROP;
