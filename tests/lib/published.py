"""A published statement beside the independent one of fixtures/expected/compute: both as tables,
and what differs.

The queries below read what kstar published in the columns of compute's CSVs, attempts and invoices
by their natural names.
"""

import csv
import functools
import io
import os
import subprocess

import saying

ATTEMPT = "job.cluster || ' ' || job.job_id_raw || ' ' || job.attempt_mark"

QUERIES = {
    "statement_rows": f"""
        SELECT block, line_type, invoice.source, invoice.billing_period, invoice_issuer_name AS issuer, invoice_id,
               billing_currency AS currency, cost_centre, component,
               CASE WHEN attempt_id IS NOT NULL AND block = 'invoice' THEN 'attempt'
                    WHEN attempt_id IS NOT NULL THEN pool
                    WHEN block = 'internal' THEN 'carrier'
                    ELSE row_key END AS row,
               {ATTEMPT} AS attempt, pool,
               CASE line_type WHEN 'unexplained' THEN NULL ELSE reason END AS reason,
               CASE line_type WHEN 'balance sheet' THEN gl_account END AS gl_account, gl_account AS account,
               trim_scale(billed_cost) AS billed_cost,
               trim_scale(effective_cost) AS effective_cost, trim_scale(amount) AS amount, minor_units
        FROM kstar.statement_row
        LEFT JOIN kstar.invoice USING (invoice_key)
        LEFT JOIN kstar.job USING (attempt_id)
        WHERE statement_month = '{{month}}-01'""",
    "invoices": """
        SELECT statement_invoice.source, billing_period, invoice.invoice_issuer_name AS issuer,
               statement_invoice.invoice_id, statement_invoice.billing_currency AS currency, line_count AS lines,
               quarantined_count AS quarantined, trim_scale(billed_cost) AS billed_cost,
               trim_scale(effective_cost) AS effective_cost, trim_scale(exchange_rate) AS exchange_rate, rate_date,
               minor_units, trim_scale(invoice_amount) AS invoice_amount, trim_scale(invoice_difference) AS invoice_difference
        FROM kstar.statement_invoice
        JOIN kstar.invoice USING (invoice_key)
        WHERE statement_month = '{month}-01'""",
    "jobs": f"""
        SELECT {ATTEMPT} AS attempt, job.job_id, cost_centre, family, outcome, job_result.provisional, k,
               trim_scale(round(node_hours::numeric, 9)) AS node_hours,
               trim_scale(round(wall_hours::numeric, 9)) AS wall_hours,
               trim_scale(round(job_hours::numeric, 9)) AS job_hours,
               trim_scale(round(unpriced_node_hours::numeric, 9)) AS unpriced_node_hours,
               trim_scale(round(internal_node_hours::numeric, 9)) AS internal_node_hours,
               trim_scale(efficiency) AS efficiency, efficiency_from, useful_compute_minor, coordination_waste_minor,
               unmeasured_hardware_minor, failed_runs_minor, cancelled_minor, cloud_fees_minor, fixed_overhead_minor,
               internal_overhead_minor, engineering_overhead_minor, true_cost_minor
        FROM kstar.job_result JOIN kstar.job USING (attempt_id)
        WHERE statement_month = '{{month}}-01'""",
    # Both verdicts above K* are one here, and both below it: the interval that distinguishes
    # them is the model's own.
    "sizes": f"""
        SELECT {ATTEMPT} AS attempt, k, trim_scale(round(job_result.price_per_node_hour::numeric, 9)) AS price_per_node_hour,
               trim_scale(round(job_result.overhead_per_node_hour::numeric, 9)) AS overhead_per_node_hour,
               trim_scale(round(job_result.fixed_per_wall_hour::numeric, 9)) AS fixed_per_wall_hour,
               trim_scale(round(job_result.waiting_per_hour::numeric, 9)) AS waiting_per_hour, job_result.k_least_money, job_result.k_with_waiting,
               job_result.k_star, job_result.k_fastest,
               CASE WHEN verdict LIKE 'above%' THEN 'above' WHEN verdict IN ('below K*', 'below, within measurement error') THEN 'below' ELSE verdict
               END AS verdict, cost_minor, cost_at_k_star_minor,
               excess_minor, cash_saving_minor, freed_capacity_minor, others_overhead_minor, deadline_hours, deadline_k, trim_scale(cost_ratio) AS cost_ratio,
               trim_scale(round(job_hours_at_k_star::numeric, 9)) AS job_hours_at_k_star
        FROM kstar.job_result
        JOIN kstar.job USING (attempt_id)
        JOIN kstar.family_fit USING (statement_month, family)
        WHERE statement_month = '{{month}}-01' AND job_result.price_per_node_hour IS NOT NULL AND measurements > 0
          AND verdict_reason NOT LIKE '%weak scaling%'""",
    "fits": """
        SELECT family, scaling, law, smallest_k, largest_k, measurements, distinct_k,
               trim_scale(round(serial_fraction::numeric, 12)) AS serial_fraction,
               trim_scale(round(communication_coefficient::numeric, 12)) AS communication_coefficient,
               trim_scale(round(step::numeric, 12)) AS step
        FROM kstar.family_fit
        WHERE statement_month = '{month}-01' AND measurements > 0""",
    "interruptions": """
        SELECT family, capacity, rate_per_node_hour, rate_per_k_hour, rate_from, failures, trim_scale(node_hours) AS node_hours,
               checkpoint_hours, restart_hours
        FROM kstar.family_interruption
        WHERE statement_month = '{month}-01'""",
    "notes": """
        SELECT kind, subject, trim_scale(sum(quantity)) AS quantity -- a node may be oversubscribed on the bill and off it
        FROM kstar.statement_note
        WHERE statement_month = '{month}-01' AND kind IN ('oversubscribed node', 'awaiting job records', 'suspense')
        GROUP BY kind, subject
        UNION ALL
        SELECT kind, NULL, count(*)
        FROM kstar.statement_note
        WHERE statement_month = '{month}-01' AND kind IN ('unread money', 'effective cost unread')
        GROUP BY kind
        UNION ALL -- there are none: each part of what is shared has a number of its own
        SELECT 'parts of one number', shared_kind, count(*)
        FROM kstar.shared_part
        WHERE statement_month = '{month}-01'
        GROUP BY shared_kind, invoice_key, pool, closed_month, part
        HAVING count(*) > 1""",
    "priced": f"""
        SELECT target, {ATTEMPT} AS attempt, pool, reason, trim_scale(sum(priced_seconds)) AS seconds
        FROM kstar.charge
        LEFT JOIN kstar.job USING (attempt_id)
        WHERE statement_month = '{{month}}-01'
        GROUP BY 1, 2, 3, 4
        HAVING sum(priced_seconds) <> 0""",
    "prices": """
        SELECT cost_centre, invoice.source, billing_period, invoice_issuer_name AS issuer, invoice_id, billing_currency AS currency,
               block, service_name AS service, commitment, pricing, line_count AS lines, unlisted_count AS unlisted,
               trim_scale(list_cost) AS list_cost, trim_scale(contracted_cost) AS contracted_cost,
               trim_scale(effective_cost) AS effective_cost, trim_scale(billed_cost) AS billed_cost,
               list_minor, contracted_minor, effective_minor, billed_minor
        FROM kstar.statement_price
        JOIN kstar.invoice USING (invoice_key)
        WHERE statement_month = '{month}-01'""",
    "idle": """
        SELECT pool, resource_id AS resource, resource_name, trim_scale(node_hours) AS node_hours, minor_units
        FROM kstar.statement_idle
        WHERE statement_month = '{month}-01'""",
}

# What is exact must be equal as text. These are worked out by the model in doubles; they may differ
# by this much.
TOLERANCE = {"serial_fraction": 1e-11, "communication_coefficient": 1e-11, "step": 1e-11, "node_hours": 1e-8,
             "wall_hours": 1e-8, "unpriced_node_hours": 1e-8, "internal_node_hours": 1e-8, "price_per_node_hour": 1e-8, "overhead_per_node_hour": 1e-8, "fixed_per_wall_hour": 1e-8,
             "job_hours": 1e-8, "job_hours_at_k_star": 1e-8, "cost_ratio": 1.5e-12, "list_cost": 1e-9, "contracted_cost": 1e-9, "deadline_hours": 0, "rate_per_node_hour": 1e-11, "rate_per_k_hour": 1e-11, "checkpoint_hours": 0, "restart_hours": 0}
KEYS = {
    "statement_rows": "block line_type source billing_period issuer invoice_id currency cost_centre component row attempt "
                      "pool reason gl_account".split(),
    "invoices": "source billing_period issuer invoice_id currency".split(),
    "jobs": ["attempt"], "sizes": ["attempt"], "fits": ["family"],
    "interruptions": ["family", "capacity"], "notes": ["kind", "subject"],
    "priced": ["target", "attempt", "pool", "reason"], "idle": ["pool", "resource", "resource_name"],
    "prices": "cost_centre source billing_period issuer invoice_id currency block service commitment pricing".split(),
}
AMOUNTS = ("billed_cost", "effective_cost", "amount", "minor_units")


MARK = "-- the next one --"


def answers(statements, dsn=None):
    """What one psql prints for each statement."""
    arguments = ["-XqAt", "-v", "ON_ERROR_STOP=1"]
    for statement in statements:
        arguments += ["-c", statement, "-c", f"\\echo '{MARK}'"]
    options = {"capture_output": True, "text": True, "check": False}
    result = saying.psql(arguments, **options) if dsn is None else subprocess.run(["psql", dsn, *arguments], **options)
    if result.returncode != 0:
        raise SystemExit(f"query failed: {result.stderr}")
    return result.stdout.split(f"{MARK}\n")[:-1]


def query_all(queries, dsn=None):
    """Of each query its rows as dictionaries, by one psql."""
    tables = answers([f"COPY ({sql}) TO STDOUT (FORMAT csv, HEADER)" for sql in queries], dsn)
    return [list(csv.DictReader(io.StringIO(text))) for text in tables]


def query(sql, dsn=None):
    """Rows as dictionaries."""
    [rows] = query_all([sql], dsn)
    return rows


def server():
    """The beginning of the DSN of each database on the private cluster, on which as_initialised is
    one that kstar init made."""
    return _server_of(os.environ["KSTAR_DATA_DIR"])


@functools.cache
def _server_of(_home):
    subprocess.run([os.environ["KSTAR"], "db", "start"], check=True, stdout=subprocess.DEVNULL)
    [where] = query("SELECT trim(both '\"' FROM current_setting('unix_socket_directories')) AS folder, "
                    "current_setting('port') AS port, current_user AS role, "
                    "EXISTS (SELECT FROM pg_database WHERE datname = 'as_initialised') AS is_made")
    dsn = f"host={where['folder']} port={where['port']} user={where['role']} dbname="
    if where["is_made"] == "f":
        run(dsn, "CREATE DATABASE as_initialised")
        subprocess.run([os.environ["KSTAR"], "init", "--quiet", "--dsn", f"{dsn}as_initialised"], check=True, stdout=subprocess.DEVNULL)
    return dsn


def run(dsn, *statements):
    """In database postgres."""
    subprocess.run(["psql", f"{dsn}postgres", "-Xq", *(word for statement in statements for word in ("-c", statement))], check=True)


def new_database(name, template="as_initialised"):
    """A new database of its own on the private cluster, a copy of one that kstar init made, or of
    another one that nobody is connected to; returns its DSN."""
    run(server(), "SET client_min_messages = error", f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)',
        # a fifth of the time that the log of every page takes
        f'CREATE DATABASE "{name}" TEMPLATE "{template}" STRATEGY FILE_COPY')
    return server() + name


def drop_database(name):
    """Nothing of it is wanted any more."""
    run(server(), f'DROP DATABASE "{name}" WITH (FORCE)')


def published(month, dsn=None):
    """Rows by table."""
    tables = dict(zip(QUERIES, query_all([sql.format(month=month) for sql in QUERIES.values()], dsn)))
    for row in tables["jobs"]:
        row["provisional"] = {"t": "true", "f": "false"}[row["provisional"]]
    return tables


def is_nothing(row):
    return all(float(row[name] or 0) == 0 for name in AMOUNTS if name in row)


def same(name, expected, actual):
    if expected == actual:
        return True
    if name in TOLERANCE and expected and actual:
        return abs(float(expected) - float(actual)) <= TOLERANCE[name] * max(1, abs(float(expected)))
    return False


def differences(table, expected, actual):
    """Sentences, one per difference. A row whose amounts are all 0 may be there or not."""
    if table == "statement_rows":
        expected, actual = ([row for row in rows if not is_nothing(row)] for rows in (expected, actual))
    key_of = lambda row: tuple(row[name] or "" for name in KEYS[table])
    wanted, found = {}, {}
    for rows, known, whose in ((expected, wanted, "expected"), (actual, found, "published")):
        for row in rows:
            if key_of(row) in known:
                yield f"{table}: {whose} twice: {name_of(key_of(row))}"
            known[key_of(row)] = row
    for key in sorted(wanted.keys() - found.keys()):
        yield f"{table}: not published: {name_of(key)}: {amounts_of(wanted[key])}"
    for key in sorted(found.keys() - wanted.keys()):
        yield f"{table}: published, not expected: {name_of(key)}: {amounts_of(found[key])}"
    for key in sorted(wanted.keys() & found.keys()):
        for name, value in wanted[key].items():
            if name in found[key] and not same(name, value or "", found[key][name] or ""):
                yield f"{table}: {name_of(key)}: {name} is {found[key][name] or 'null'}, expected {value or 'null'}"


def name_of(key):
    return " / ".join(part for part in key if part)


def amounts_of(row):
    return ", ".join(f"{name} {row[name]}" for name in row if name in AMOUNTS or name == "quantity")


def all_differences(expected_folder, month, dsn=None):
    """Sentences: what differs between the CSVs in a folder and the published statement."""
    for table, rows in published(month, dsn).items():
        with open(f"{expected_folder}/{table}.csv", newline="", encoding="utf-8") as file:
            expected = list(csv.DictReader(file))
        yield from differences(table, expected, rows)


def is_expected(expected_folder, month, dsn=None):
    return next(all_differences(expected_folder, month, dsn), None) is None


def compare(expected_folder, month, dsn=None, limit=12):
    """Prints what differs between the CSVs in a folder and the published statement; returns how
    much."""
    count = 0
    for sentence in all_differences(expected_folder, month, dsn):
        count += 1
        if count <= limit:
            print(sentence)
    if count > limit:
        print(f"… and {count - limit} more")
    return count
