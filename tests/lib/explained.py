"""kstar explain beside what is published: the parts of every job, cost centre, pool and invoice of
a month add up to the statement."""

import csv
import io
import random
from collections import defaultdict
from decimal import Context, Decimal

import published

EXACT = Context(prec=500)
ROWS = """SELECT line_type, block, component, cost_centre, attempt_id, amount FROM kstar.statement_row WHERE statement_month = '{month}-01'"""
CHARGES = """SELECT rule, target, coalesce(attempt_id::text, '') AS attempt_id, coalesce(pool, '') AS pool, coalesce(reason, '') AS reason,
                    billed_cost, effective_cost, line_count, priced_seconds
             FROM kstar.charge WHERE statement_month = '{month}-01'"""
CLASS_CHARGES = """SELECT target, coalesce(cost_centre, '') AS cost_centre, coalesce(pool, '') AS pool, coalesce(service_name, '') AS service_name,
                          coalesce(sku_id, '') AS sku_id, coalesce(reason, '') AS reason, billed_cost, effective_cost, list_cost, contracted_cost, line_count
                   FROM kstar.class_charge WHERE statement_month = '{month}-01'"""
INVOICES = """SELECT invoice.source, coalesce(invoice.invoice_issuer_name, '') AS issuer, coalesce(invoice.invoice_id, '') AS invoice_id,
                     invoice.billing_currency, billed_cost
              FROM kstar.statement_invoice JOIN kstar.invoice USING (invoice_key) WHERE statement_month = '{month}-01'"""
OF_JOB = ("credits", "charge_adjustments")
COSTS = "billed_cost", "effective_cost", "list_cost", "contracted_cost"


def parts(kstar, month, *question):
    done = kstar("explain", "--period", month, "--csv", *question)
    assert done.returncode == 0, done.stderr
    return list(csv.DictReader(io.StringIO(done.stdout)))


def add(sums, key, amount):
    sums[key] = EXACT.add(sums[key], Decimal(amount))


def same(what, one, other):
    one, other = ({key: value for key, value in sums.items() if value != 0} for sums in (one, other))
    assert one == other, f"{what}: explained {sorted(one.items() - other.items(), key=str)[:3]}, published {sorted(other.items() - one.items(), key=str)[:3]}"


def check_payers(rows, stated):
    explained, charged = defaultdict(Decimal), defaultdict(Decimal)
    for row in rows:
        if row["kind"] == "line" and row["target"] in ("pool", "tax", "prepaid"):
            continue
        if row["target"] == "job" and row["charge_part"] not in OF_JOB:
            add(explained, ("job", row["attempt_id"]), row["amount"])
        if row["cost_centre"]:
            add(explained, ("cost centre", row["cost_centre"]), row["amount"])
    for row in stated:
        if row["attempt_id"]:
            add(charged, ("job", row["attempt_id"]), row["amount"])
        if row["cost_centre"] and row["line_type"] == "charge":
            add(charged, ("cost centre", row["cost_centre"]), row["amount"])
    same("jobs and cost centres", explained, charged)


def check_charges(rows, charges):
    """By rule and payer: costs, how many parts, and the time of rule 2."""
    names = "billed_cost", "effective_cost"
    explained, charged = defaultdict(Decimal), defaultdict(Decimal)
    for row in rows:
        if row["kind"] == "line" and row["reason"] != "quarantined":
            key = row["rule"], row["target"], row["attempt_id"], row["pool"], row["reason"]
            add(explained, (*key, "line_count"), 1)
            if row["rule"] == "2" and row["is_priced"] == "t":
                add(explained, (*key, "priced_seconds"), row["seconds"])
            for name in names:
                add(explained, (*key, name), row[name])
    for row in charges:
        key = row["rule"], row["target"], row["attempt_id"], row["pool"], row["reason"]
        for name in (*names, "line_count", *(["priced_seconds"] if row["rule"] == "2" else [])):
            if row["reason"] != "quarantined":
                add(charged, (*key, name), row[name])
    same("charges", explained, charged)


def check_class_charges(rows, charges):
    """By what was bought, and the cost centre or pool that pays: four costs, and how many parts."""
    explained, charged = defaultdict(Decimal), defaultdict(Decimal)
    for row in rows:
        if row["kind"] == "line" and row["reason"] != "quarantined":
            add(explained, (*class_key(row), "line_count"), 1)
            for name in COSTS:
                add(explained, (*class_key(row), name), row[name])
    for row in charges:
        if row["reason"] != "quarantined":
            for name in (*COSTS, "line_count"):
                add(charged, (*class_key(row), name), row[name])
    same("class charges", explained, charged)


def class_key(row):
    return row["target"], row["cost_centre"], row["pool"], row["service_name"], row["sku_id"]


def check_wholes(rows):
    """The parts of a line are the line; so are those of a pool's cost, and of a transfer."""
    parts_of, wholes = defaultdict(Decimal), {}
    for row in rows:
        if row["target"] == "carrier":
            continue
        invoice = [row[name] for name in ("source", "invoice_issuer", "invoice_id", "billing_currency")]
        line = [row[name] for name in ("file", "line", "line_in_record", "charge_start", "charge_end", "resource_id")]
        shared = [row["pool"], row["pool"] == "tax" or (row["rule_declared"], row["whole_effective_cost"])]
        key = (row["kind"], *invoice, *(line if row["kind"] == "line" else shared))
        add(parts_of, key, row["effective_cost"])
        # only the recoverable part of a tax names the whole tax: the others divide the rest
        if key not in wholes or row["rule_declared"] == "tax_rules.csv: recoverable":
            wholes[key] = Decimal(row["whole_effective_cost"])
    same("lines", parts_of, wholes)


def check_weights(rows):
    """A part is its weight's share of the whole, but for what is cut off after six digits."""
    for row in rows:
        if row["weight"] and row["target"] != "carrier":
            for name in "billed_cost", "effective_cost":
                share = EXACT.divide(EXACT.multiply(Decimal(row[f"whole_{name}"]), Decimal(row["weight"])), Decimal(row["weights"]))
                assert abs(share - Decimal(row[name])) <= Decimal("1e-6"), (name, share, row)


def check_invoices(rows, invoices):
    explained, billed = defaultdict(Decimal), defaultdict(Decimal)
    for row in rows:
        if row["kind"] == "line":
            add(explained, (row["source"], row["invoice_issuer"], row["invoice_id"], row["billing_currency"]), row["billed_cost"])
    for row in invoices:
        add(billed, (row["source"], row["issuer"], row["invoice_id"], row["billing_currency"]), row["billed_cost"])
    same("invoices", explained, billed)


def questions(rows):
    """Whatever kstar may be asked for, with the rows of the whole month that it is about."""
    found = defaultdict(list)
    for row in rows:
        if row["target"] == "job" and row["charge_part"] not in OF_JOB:
            found["--job", f"{row['cluster']}/{row['job_id']}"].append(row)
        if row["cost_centre"]:
            found["--cost-centre", row["cost_centre"]].append(row)
        if row["kind"] == "line":
            found["--line", f"{row['file']}:{row['line']}"].append(row)
        if row["kind"] != "internal" and (row["pool"] or row["target"] == "tax"):
            found["--pool", row["pool"] or "tax"].append(row)
    return found


def check_asked(kstar, month, rows, most):
    """kstar reads little of the month for a question, and prints what the whole month has of it. At
    most so many are asked, by chance, but the same each time."""
    asked = questions(rows)
    for question in random.Random(len(rows)).sample(list(asked), min(most, len(asked))):
        found = parts(kstar, month, *question)
        assert found == asked[question], f"{question}: the whole month has {asked[question]}, asked for alone {found}"


def check(kstar, dsn, month):
    """Of a month whose statement is current. Returns its rows."""
    rows = parts(kstar, month)
    stated, invoices, charges, class_charges = published.query_all(
        [sql.format(month=month) for sql in (ROWS, INVOICES, CHARGES, CLASS_CHARGES)], dsn)
    check_wholes(rows)
    check_weights(rows)
    check_payers(rows, stated)
    check_invoices(rows, invoices)
    check_charges(rows, charges)
    check_class_charges(rows, class_charges)
    return rows
