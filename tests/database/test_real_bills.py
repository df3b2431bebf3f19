"""Real and published bills: Σ billed and Σ effective by service equal an exact sum of the CSV, made
here with Python's csv and decimal; nothing is lost. The data is beside the repository, in
../shared; without it the test is skipped."""

import csv
import os
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal, getcontext
from pathlib import Path

from saying import psql

KSTAR = os.environ["KSTAR"]
DATA = Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data" / "billing"
NULLS = ("", "NULL", "null", "(null)")
getcontext().prec = 200

if not DATA.is_dir():
    print("skipped: ../shared/data/billing (FOCUS 1.0 and 1.2 samples) is not there")
    sys.exit(77)


def ingest(path, *options):
    return subprocess.run([KSTAR, "ingest", "billing", *options, str(path)], capture_output=True, text=True, check=False)


def sql(query):
    return psql(["-XAtq", "-F", "|", "-v", "ON_ERROR_STOP=1", "-c", query], capture_output=True, text=True, check=True).stdout.splitlines()


def sums_of_csv(path):
    """Service → [rows, Σ billed, Σ effective]."""
    sums = defaultdict(lambda: [0, Decimal(0), Decimal(0)])
    with open(path, newline="", encoding="utf-8-sig") as file:
        for row in csv.DictReader(file):
            service = row["ServiceName"]
            entry = sums["" if service in NULLS else service]
            entry[0] += 1
            entry[1] += Decimal(row["BilledCost"])
            entry[2] += Decimal(row["EffectiveCost"])
    return {service: tuple(entry) for service, entry in sums.items()}


def sums_of_database(source):
    query = f"""SELECT coalesce(service_name, ''), count(*), sum(billed_cost), sum(effective_cost)
                FROM kstar.current_billing_line LEFT JOIN kstar.sku USING (sku_key)
                WHERE source = '{source}' GROUP BY 1"""
    rows = (line.rsplit("|", 3) for line in sql(query))
    return {service: (int(count), Decimal(billed), Decimal(effective)) for service, count, billed, effective in rows}


for number, name in enumerate(["focus-1.0-real/focus_sample.csv", "focus-1.2-generated/focus_1_2_cost_and_usage_aws.csv",
                               "focus-1.2-generated/focus_1_2_cost_and_usage_azure.csv"]):
    print(f"- {name}: sums by service are exact")
    result = ingest(DATA / name, "--source", f"real-{number}", "--strict")
    assert result.returncode == 0, result.stderr
    expected, actual = sums_of_csv(DATA / name), sums_of_database(f"real-{number}")
    assert sum(entry[0] for entry in actual.values()) == 1000
    assert expected == actual, {key: (expected.get(key), actual.get(key)) for key in expected.keys() | actual.keys()
                                if expected.get(key) != actual.get(key)}

print("- examples without a currency column are refused, and read once the source declares one")
for folder in "commitment_discount_flexibility", "commitment_discount_scenarios":
    result = ingest(DATA / "focus-1.2-examples" / folder, "--source", folder)
    assert result.returncode == 3 and "required column missing: BillingCurrency" in result.stderr, result.stderr
    sql(f"INSERT INTO kstar.source_configuration VALUES ('{folder}', 'billing', 'focus', 'UTC', 'USD', NULL)")
    result = ingest(DATA / "focus-1.2-examples" / folder, "--source", folder)
    assert result.returncode in (0, 4), result.stderr
    rows, billed, quarantined = 0, Decimal(0), 0
    for path in sorted((DATA / "focus-1.2-examples" / folder).glob("*.csv")):
        with open(path, newline="", encoding="utf-8-sig") as file:
            for row in csv.DictReader(file):
                rows += 1
                billed += Decimal(row["BilledCost"])
    stored = sql(f"""SELECT count(*), sum(billed_cost) FROM (
        SELECT billed_cost FROM kstar.current_billing_line WHERE source = '{folder}' UNION ALL
        SELECT billed_cost FROM kstar.quarantined_row JOIN kstar.delivery USING (delivery_id) WHERE source = '{folder}') AS line""")
    assert stored[0].split("|")[0] == str(rows) and Decimal(stored[0].split("|")[1]) == billed, (stored, rows, billed)

print("- examples with a spreadsheet's dates are refused, naming the first of them")
for folder in "simple_agreements", "spend_agreements", "saas_examples":
    result = ingest(DATA / "focus-1.2-examples" / folder, "--source", folder)
    assert result.returncode == 3 and "is not a time such as" in result.stderr, result.stderr
assert sql("SELECT count(*) FROM kstar.delivery WHERE source IN ('simple_agreements', 'spend_agreements', 'saas_examples')") == ["0"]
