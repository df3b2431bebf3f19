-- What managers decided on flagged jobs, in the decision columns of a review workbook.
CREATE TABLE review_decision (
    declared_in  text NOT NULL,      -- 'review-2026-09.xlsx'
    review_month date NOT NULL,
    attempt_id   bigint NOT NULL,    -- the job decided on; no reference: reviews may come before job records
    resize_to    integer CHECK (resize_to > 0),
    accept_until date CHECK (accept_until > review_month), -- the first day that is not accepted
    reason       text,
    decided_by   text,
    PRIMARY KEY (declared_in, attempt_id)
);
