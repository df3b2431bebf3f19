-- Dropped periods with charges that the delivery brings under another period with other costs, as
-- late usage does.
SELECT to_char(billing_period, 'YYYY-MM-DD'), alike_lines FROM period_again WHERE alike_lines > 0 ORDER BY billing_period;
