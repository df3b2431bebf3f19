-- Sheet "Journal": its documents in the statement's currency.
SELECT document_no, document.company, document.currency, coalesce(posting_key, 'none: preview') AS posting_key, document.kind,
       accounting_date, document.reversal_date, source, debit, credit, debit - credit AS difference, debit = credit AS balanced
FROM report_journal_document AS document
JOIN report_journal USING (currency)
ORDER BY document_no;
