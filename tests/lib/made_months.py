"""A year of statements made for tests of forecasts: two cost centres, a family each, whose work,
prices and failures are known."""

from pathlib import Path

from saying import sql

MONTHS = [f"{2025 + (9 + i) // 12}-{(9 + i) % 12 + 1:02}" for i in range(12)]  # 2025-10 to 2026-09


def made(month, centre):
    """Work that follows a line, a price that falls slowly, a fifth that fails in one cost centre;
    one row of four attempts."""
    if centre == "nlp":
        work, efficiency, price = 1000 + 40 * month, 0.8, 2.50 - 0.02 * month
    else:
        work, efficiency, price = 500 + (17 * month) % 60, 0.5, 1.20
    node_hours = work / efficiency
    hardware = round(100 * price * node_hours)
    return {"efficiency": efficiency, "node_hours": node_hours, "hardware": hardware, "useful": round(hardware * efficiency),
            "fees": 300 + 7 * month, "failed": round(hardware * (0.2 if centre == "nlp" else 0.05)) + 11 * (month % 3),
            "cancelled": 500 if centre == "vision" else 0, "fixed": 9000 + 100 * month, "engineering": 4000}


HISTORY = {centre: [made(month, centre) for month in range(12)] for centre in ("nlp", "vision")}
FAMILY = {"nlp": "llm", "vision": "vit"}
OTHER = {"nlp": 25000, "vision": 3000}  # shared services, on no job


def failed_in(index):
    """Why the failed attempt of a month failed: by itself in the last month but one."""
    return {9: "NODE_FAIL", 10: "FAILED", 11: "PREEMPTED"}.get(index, "BOOT_FAIL")


def insert(months):
    """The same as statements: a productive, a failed and a cancelled attempt a month and cost
    centre."""
    statements = ["BEGIN", "CREATE TEMP TABLE planted_row AS SELECT * FROM statement_row LIMIT 0", "ALTER TABLE planted_row DROP sum_id"]
    for number, month in enumerate(months):
        index = MONTHS.index(month)
        statements.append(f"""INSERT INTO statement VALUES ('{month}-01', 'Preliminary', 'run{number}', ('{month}-01'::date + interval '1 month'),
                              '0.1.0', 'USD', 2)""")
        statements.append(f"""INSERT INTO statement_invoice (statement_month, invoice_key, source, billing_currency, exchange_rate, line_count,
                              quarantined_count, billed_cost, effective_cost, minor_units) VALUES ('{month}-01', 1, 'aws', 'USD', 1, 1, 0, 0, 0, 0)""")
        for place, centre in enumerate(HISTORY):
            made_of, family = HISTORY[centre][index], FAMILY[centre]
            attempts = [("productive", made_of["useful"], made_of["hardware"] - made_of["useful"], 0, 0, made_of["fees"], made_of["fixed"], made_of["engineering"]),
                        ("failed", 0, 0, made_of["failed"], 0, 0, 0, 0), ("cancelled", 0, 0, 0, made_of["cancelled"], 0, 0, 0)]
            for kind, (outcome, useful, waste, failed, cancelled, fees, fixed, engineering) in enumerate(attempts):
                total = useful + waste + failed + cancelled + fees + fixed + engineering
                attempt = index * 100 + place * 10 + kind
                productive = outcome == "productive"
                statements.append(f"""INSERT INTO job_result (statement_month, attempt_id, cost_centre, family, outcome, provisional, k, node_hours, wall_hours,
                    job_hours, unpriced_node_hours, efficiency, efficiency_from, useful_compute_minor, coordination_waste_minor, unmeasured_hardware_minor,
                    failed_runs_minor, cancelled_minor, cloud_fees_minor, fixed_overhead_minor, internal_overhead_minor, engineering_overhead_minor,
                    true_cost_minor, k_star, verdict, verdict_reason, low_confidence, state_text, base_state)
                    VALUES ('{month}-01', {attempt}, '{centre}', '{family}', '{outcome}', false, 16, {made_of['node_hours'] if productive else 1!r},
                    {made_of['node_hours'] / 16!r}, 1, 0, {made_of['efficiency'] if productive else 'NULL'}, 'family', {useful}, {waste}, 0, {failed},
                    {cancelled}, {fees}, {fixed}, 0, {engineering}, {total}, 8, 'above K*', '', false, 'as delivered', '{failed_in(index) if kind == 1 else "COMPLETED"}')""")
            charged = sum(made_of[part] for part in ("hardware", "fees", "failed", "cancelled", "fixed"))
            statements.append(f"""INSERT INTO planted_row (statement_month, block, line_type, invoice_key, cost_centre, component, row_key, attempt_id, billed_cost,
                effective_cost, amount, minor_units) VALUES ('{month}-01', 'invoice', 'charge', 1, '{centre}', 'useful_compute', NULL, {attempt}, 0, 0, 0, {charged}),
                ('{month}-01', 'invoice', 'charge', 1, '{centre}', 'shared_services', 'pool', NULL, 0, 0, 0, {OTHER[centre]}),
                ('{month}-01', 'invoice', 'prepaid', 1, NULL, NULL, 'plan', NULL, 0, 0, 0, 777)""")
    statements.append("UPDATE job_result SET node_seconds = node_hours::numeric * 3600, wall_seconds = wall_hours::numeric * 3600, "
                      "is_attainable = is_attainable(waiver, job_hours, job_hours_at_k_star, deadline_hours)")
    statements.append((Path(__file__).parent / "planted_rows.sql").read_text(encoding="utf-8"))
    sql(";\n".join(statements) + ";\nCOMMIT")
