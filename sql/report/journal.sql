-- Fills the tables of report/00_session.sql for the journal of the month (docs/journal.md), which
-- books the cents of the statement. If the last issue booked the same, the journal is that issue.
-- Otherwise the journal is a preview of the next issue: the exact reversal of the last issue, then
-- what the statement says now.
DELETE FROM report_journal;
DELETE FROM report_journal_line;

INSERT INTO report_journal (statement_month, company, currency, minor_unit_digits, kind, accounting_date, reversal_date, source,
                            clearing_account, suspense_account, internal)
SELECT statement_month,
       stated_setting_value(statement_month, 'journal_company', 'COMPANY'),
       statement_currency, minor_unit_digits,
       CASE status WHEN 'Final' THEN 'final' ELSE 'accrual' END,
       (statement_month + interval '1 month')::date - 1,
       CASE status WHEN 'Final' THEN NULL ELSE (statement_month + interval '1 month')::date END,
       'kstar ' || kstar_version || ', run ' || run_id || ', as of ' || to_char(as_of, 'YYYY-MM-DD HH24:MI'),
       stated_setting_value(statement_month, 'clearing_gl_account', 'CLEARING'),
       stated_setting_value(statement_month, 'suspense_gl_account', 'SUSPENSE'),
       regexp_split_to_array(stated_setting_value(statement_month, 'journal_internal', ''), '\s+')
FROM statement
WHERE statement_month = current_setting('kstar.statement_month')::date;

-- with statistics the planner looks up this month's rows instead of reading those of all months
ANALYZE report_journal;

INSERT INTO report_journal_line (line_number, block, line_type, company, currency, minor_unit_digits, accounting_date,
                                 reversal_date, gl_account, cost_centre, component, subject, minor_units, external_reference, memo)
WITH
-- An adjustment is booked as its closed month was: in the same company, on the same clearing
-- account, and only for internal charges that were booked then. If the closed month had no company
-- or clearing account, this month's counts.
adjusted_as AS (
    SELECT adjusted_month,
           stated_setting_value(adjusted_month, 'journal_company', company) AS own_company,
           stated_setting_value(adjusted_month, 'clearing_gl_account', clearing_account) AS own_clearing_account,
           regexp_split_to_array(stated_setting_value(adjusted_month, 'journal_internal', ''), '\s+') AS own_internal
    FROM (SELECT adjusted_month FROM adjustment JOIN report_journal USING (statement_month)
          UNION
          SELECT adjusted_month FROM adjustment_proof JOIN report_journal USING (statement_month)) AS month
    CROSS JOIN report_journal
),
-- This month's invoices: their sums, and the total of each on the clearing account.
invoiced AS (
    SELECT 'invoice' AS block, line_type, NULL::date AS adjusted_month, invoice_key, NULL::text AS source, cost_centre,
           CASE line_type WHEN 'charge' THEN component END AS component,
           CASE line_type WHEN 'charge' THEN NULL WHEN 'unallocated' THEN coalesce(reason, '') ELSE row_key END AS subject,
           gl_account, sum(minor_units) AS minor_units
    FROM statement_sum JOIN report_journal USING (statement_month)
    WHERE block = 'invoice'
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
    UNION ALL
    SELECT 'invoice', 'clearing', NULL, invoice_key, NULL, NULL, NULL, NULL, clearing_account, -minor_units
    FROM statement_invoice JOIN report_journal USING (statement_month)
),
-- Internal charges that the setting journal_internal names: + for who used them, − for the carrier.
transferred AS (
    SELECT 'internal', CASE WHEN line_type = 'charge' AND NOT is_of_attempts THEN 'credit' ELSE line_type END,
           NULL::date, NULL::bigint, NULL::text, cost_centre, component, pool, gl_account, sum(minor_units)
    FROM statement_sum JOIN report_journal USING (statement_month)
    WHERE block = 'internal' AND internal_charge(component) = ANY (internal)
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
),
-- Adjustments to closed months, and their sum for each source on the clearing account.
adjusted AS (
    SELECT 'adjustment', line_type, adjusted_month, NULL::bigint, adjustment.source, cost_centre, component, nullif(subject, ''),
           gl_account, minor_units::numeric
    FROM adjustment JOIN report_journal USING (statement_month)
    WHERE adjustment.source IS NOT NULL
    UNION ALL
    SELECT 'adjustment', 'clearing', adjusted_month, NULL, adjustment_proof.source, NULL, NULL, NULL, own_clearing_account,
           -(replayed_minor - frozen_minor - adjusted_minor)
    FROM adjustment_proof JOIN report_journal USING (statement_month) JOIN adjusted_as USING (adjusted_month)
    WHERE adjustment_proof.source IS NOT NULL
),
-- Adjustments of internal charges. Those of one charge sum to zero, so jobs without a cost centre
-- have what the others lack to zero.
adjusted_transfer AS (
    SELECT 'internal adjustment',
           CASE WHEN subject LIKE 'credit of the carrier: %' THEN 'credit' ELSE line_type END,
           adjusted_month, NULL::bigint, NULL::text, cost_centre, component,
           nullif(regexp_replace(subject, '^credit of the carrier: ', ''), ''), gl_account, minor_units::numeric
    FROM adjustment JOIN report_journal USING (statement_month) JOIN adjusted_as USING (adjusted_month)
    WHERE adjustment.source IS NULL AND line_type = 'charge' AND internal_charge(component) = ANY (own_internal)
    UNION ALL
    SELECT 'internal adjustment', 'unallocated', adjusted_month, NULL, NULL, NULL, internal_charge(component), NULL, NULL, -sum(minor_units)
    FROM adjustment JOIN report_journal USING (statement_month) JOIN adjusted_as USING (adjusted_month)
    WHERE adjustment.source IS NULL AND line_type = 'charge' AND internal_charge(component) = ANY (own_internal)
    GROUP BY adjusted_month, internal_charge(component)
),
booked AS (
    SELECT * FROM invoiced
    UNION ALL SELECT * FROM transferred
    UNION ALL SELECT * FROM adjusted
    UNION ALL SELECT * FROM adjusted_transfer
),
centre AS (
    SELECT cost_centre, name
    FROM stated_cost_centre JOIN report_journal USING (statement_month)
    WHERE valid_from <= accounting_date AND accounting_date < valid_to
),
-- A cost centre that is not open on the accounting date takes no posting: its cost is booked to the
-- suspense account, under its name.
placed AS (
    SELECT booked.block,
           CASE WHEN is_closed THEN 'suspense' ELSE line_type END AS line_type,
           adjusted_month,
           CASE WHEN is_closed THEN NULL ELSE booked.cost_centre END AS cost_centre,
           CASE WHEN is_closed THEN booked.cost_centre END AS closed_centre,
           component, subject,
           CASE WHEN is_closed THEN own_account ELSE coalesce(gl_account, own_account) END AS gl_account,
           centre.name, booked.minor_units, booked.source, invoice_key,
           statement_invoice.source AS bill_source, invoice_issuer_name, invoice_id, billing_currency,
           component.position, component.title, coalesce(own_company, company) AS booked_company
    FROM booked
    CROSS JOIN report_journal
    LEFT JOIN adjusted_as USING (adjusted_month)
    LEFT JOIN centre USING (cost_centre)
    LEFT JOIN component USING (component)
    LEFT JOIN statement_invoice USING (statement_month, invoice_key)
    CROSS JOIN LATERAL (SELECT booked.cost_centre IS NOT NULL AND centre.cost_centre IS NULL) AS openness (is_closed)
    CROSS JOIN LATERAL (SELECT pg_temp.account_setting(line_type, is_closed)) AS purpose (setting)
    CROSS JOIN LATERAL (SELECT stated_setting_value(coalesce(adjusted_month, statement_month), setting,
                                                    stated_setting_value(statement_month, setting,
                                                                         upper(replace(replace(setting, '_gl_account', ''), '_', ' ')))))
        AS settings (own_account)
    WHERE booked.minor_units <> 0
),
worded AS (
    SELECT placed.*, to_char(statement_month, 'YYYY-MM') AS period,
           CASE block
               WHEN 'invoice'      THEN coalesce(invoice_id, bill_source || ' ' || to_char(statement_month, 'YYYY-MM'))
               WHEN 'internal' THEN coalesce(subject, '')
               WHEN 'adjustment'   THEN placed.source || ' ' || to_char(adjusted_month, 'YYYY-MM')
               ELSE 'internal ' || to_char(adjusted_month, 'YYYY-MM')
           END AS external_reference,
           CASE line_type
               WHEN 'charge'        THEN concat_ws(': ', name, title, subject)
               WHEN 'credit'        THEN concat_ws(': ', name, 'credit of the carrier', title, subject)
               WHEN 'suspense'      THEN concat_ws(': ', 'Suspense, ' || closed_centre || ' not open on '
                                                         || to_char(accounting_date, 'YYYY-MM-DD'), title, subject)
               WHEN 'unallocated'   THEN concat_ws(': ', 'Unallocated', CASE WHEN block LIKE 'internal%'
                                                                             THEN 'job without cost centre' END, title, subject)
               WHEN 'balance sheet' THEN 'Tax to the balance sheet'
               WHEN 'prepaid'       THEN 'Prepaid balance change: ' || subject
               WHEN 'unexplained'   THEN 'Billed and effective cost differ: ' || subject
               ELSE CASE WHEN block = 'adjustment' THEN 'invoices of ' || placed.source
                         ELSE concat_ws(', ', coalesce('Invoice ' || invoice_id, 'Invoice without number yet'), invoice_issuer_name,
                                        bill_source) END
           END AS words
    FROM placed CROSS JOIN report_journal
)
SELECT row_number() OVER (ORDER BY array_position(ARRAY['invoice', 'internal', 'adjustment', 'internal adjustment'], block),
                                   adjusted_month, worded.source COLLATE "C", bill_source COLLATE "C",
                                   invoice_issuer_name COLLATE "C", invoice_id COLLATE "C", billing_currency COLLATE "C", invoice_key,
                                   array_position(ARRAY['charge', 'credit', 'suspense', 'unallocated', 'balance sheet', 'prepaid',
                                                        'unexplained', 'clearing'], line_type),
                                   cost_centre COLLATE "C", closed_centre COLLATE "C", position, subject COLLATE "C",
                                   gl_account COLLATE "C"),
       block, line_type, booked_company, currency, minor_unit_digits, accounting_date, reversal_date, gl_account, cost_centre,
       component, concat_ws(': ', closed_centre, subject), minor_units::bigint, external_reference,
       concat_ws(' ', period, CASE WHEN adjusted_month IS NOT NULL
                                   THEN 'Adjustment to ' || to_char(adjusted_month, 'YYYY-MM') || ':' END, words)
FROM worded CROSS JOIN report_journal;

-- An account that no setting gives is a word in capitals, so that a ledger refuses it instead of
-- guessing.
UPDATE report_journal
SET lacking = (SELECT string_agg(setting, ', ' ORDER BY setting)
               FROM (SELECT DISTINCT setting
                     FROM report_journal_line
                     JOIN (VALUES ('CLEARING', 'clearing_gl_account'), ('SUSPENSE', 'suspense_gl_account'),
                                  ('UNALLOCATED', 'unallocated_gl_account'), ('PREPAID', 'prepaid_gl_account'),
                                  ('UNEXPLAINED', 'unexplained_gl_account')) AS named (gl_account, setting) USING (gl_account)
                     UNION ALL
                     SELECT 'journal_company' WHERE EXISTS (SELECT FROM report_journal_line WHERE company = 'COMPANY')) AS unset),
    content_sha256 = (SELECT encode(sha256(convert_to(
                                 coalesce(string_agg(jsonb_build_array(block, line_type, company, currency, minor_unit_digits,
                                                                       accounting_date, reversal_date, gl_account, cost_centre,
                                                                       component, subject, minor_units, external_reference)::text,
                                                     E'\n' ORDER BY line_number), '')
                                 || concat_ws(' ', E'\n', report_journal.company, report_journal.currency, kind, report_journal.accounting_date), 'UTF8')), 'hex')
                      FROM report_journal_line);

-- The journal is an issue if its content is that of the last issue, or if somebody asks for an
-- earlier issue as it was (kstar.journal_issue; '': nobody does).
UPDATE report_journal
SET issue_number = issue.issue_number, company = issue.company, currency = issue.currency, kind = issue.kind,
    accounting_date = issue.accounting_date, reversal_date = issue.reversal_date, source = issue.source,
    minor_unit_digits = coalesce((SELECT digits FROM currency_minor_unit WHERE currency_minor_unit.currency = issue.currency), 2)
FROM journal_issue AS issue
WHERE issue.statement_month = report_journal.statement_month
  AND CASE coalesce(current_setting('kstar.journal_issue', true), '')
          WHEN '' THEN issue.content_sha256 = report_journal.content_sha256
                       AND issue.issue_number = (SELECT max(issue_number) FROM journal_issue AS other
                                                 WHERE other.statement_month = issue.statement_month)
          ELSE issue.issue_number = current_setting('kstar.journal_issue')::integer
      END;

DELETE FROM report_journal_line USING report_journal WHERE issue_number IS NOT NULL;

INSERT INTO report_journal_line
SELECT line_number, block, line_type, journal_line.company, journal_line.currency, journal_line.minor_unit_digits,
       journal_line.accounting_date, journal_line.reversal_date, gl_account, cost_centre, component, subject, minor_units,
       external_reference, memo, reverses
FROM journal_line JOIN report_journal USING (statement_month, issue_number);

-- A preview begins with the reversal of the last issue, line by line as booked. That issue's own
-- reversal is not reversed again.
WITH last AS (
    SELECT journal_line.*, row_number() OVER (ORDER BY line_number) AS place,
           journal_posting_key(journal_line.company, journal_line.statement_month, journal_line.issue_number) AS posting_key
    FROM journal_line
    JOIN (SELECT statement_month, max(journal_issue.issue_number) AS issue_number
          FROM journal_issue JOIN report_journal USING (statement_month)
          WHERE report_journal.issue_number IS NULL
          GROUP BY statement_month) AS issue USING (statement_month, issue_number)
    WHERE block <> 'reversal'
), moved AS (
    UPDATE report_journal_line SET line_number = line_number + (SELECT count(*) FROM last)
)
INSERT INTO report_journal_line
SELECT place, 'reversal', line_type, company, currency, minor_unit_digits, accounting_date, reversal_date, gl_account, cost_centre,
       component, subject, -minor_units, external_reference,
       'Reversal of ' || posting_key || '/' || line_number || ': ' || memo, posting_key
FROM last;

ANALYZE report_journal_line;

-- Debits equal credits for each company and currency, in the reversal and in the rest: each may be
-- a document of its own, and the next issue reverses only the rest. A journal that does not balance
-- is not written.
DO $$
DECLARE
    uneven record;
BEGIN
    SELECT company, currency, sum(minor_units) AS missing INTO uneven
    FROM report_journal_line
    GROUP BY company, currency, block = 'reversal'
    HAVING sum(minor_units) <> 0
    ORDER BY company, currency, missing
    LIMIT 1;
    IF FOUND THEN
        RAISE EXCEPTION 'debits = credits: the journal of % does not balance', (SELECT to_char(statement_month, 'YYYY-MM') FROM report_journal)
            USING ERRCODE = 'KS001', DETAIL = uneven.company || ', ' || uneven.currency || ': ' || uneven.missing || ' minor units';
    END IF;
END
$$;
