-- The sheet "Repeat offenders" asks for the decisions on the jobs of each name: without this all decisions were read for each.
CREATE INDEX ON review_decision (attempt_id);
