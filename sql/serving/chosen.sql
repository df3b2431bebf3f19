-- Stores the model's choice for fleet $1: the outcome, and replica counts ('0': none).
UPDATE serving_cost
SET outcome = $2, cheapest = nullif($3::integer, 0), highest_throughput = nullif($4::integer, 0), quickest = nullif($5::integer, 0)
FROM month
WHERE serving_cost.statement_month = month.statement_month AND fleet = $1;
