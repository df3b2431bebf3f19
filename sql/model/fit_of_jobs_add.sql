-- One more row of fit_of_jobs.
INSERT INTO fit_of_jobs (family, accelerator, fit) VALUES ($1, $2, $3);
