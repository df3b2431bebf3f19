-- The dropped periods of which delivery brings the same charges with other costs: late usage does.
SELECT to_char(billing_period, 'YYYY-MM-DD'), alike_lines FROM period_again WHERE alike_lines > 0 ORDER BY billing_period;
