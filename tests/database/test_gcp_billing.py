"""Google's billing export into the database: every cent of cost and credits once, in the statement
of its invoice month.

Exports are made here, from a generator with a fixed start; expected sums are made with Fraction
from the same fields, in another way than the program's (all of an invoice month at once, never by
line)."""

import csv
import io
import json
import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import workbooks
from saying import KSTAR, equals, it, sql

WORK = Path(os.environ["WORK"])
CLEAN, REFUSED, ATTENTION = 0, 3, 4
COLUMNS = ("billing_account_id,service.id,service.description,sku.id,sku.description,usage_start_time,usage_end_time,"
           "project.id,project.name,project.labels,labels,system_labels,location.location,location.region,location.zone,"
           "export_time,cost,currency,usage.amount,usage.unit,usage.amount_in_pricing_units,usage.pricing_unit,credits,"
           "invoice.month,cost_type,adjustment_info.type,tags,cost_at_list,resource.name,resource.global_name").split(",")


def line(**fields):
    row = dict.fromkeys(COLUMNS, "")
    row.update({"billing_account_id": "01A2B3-C4D5E6", "service.description": "Compute Engine", "currency": "USD",
                "usage_start_time": "2026-09-03 10:00:00 UTC", "usage_end_time": "2026-09-03 11:00:00 UTC",
                "credits": "[]", "labels": "[]", "invoice.month": "202609", "cost_type": "regular", "cost": "1"})
    for name, value in fields.items():
        row[name.replace("__", ".")] = value
    return row


def export(place, rows, columns=COLUMNS, spell=str):
    path = WORK / "billing" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([spell(name) for name in columns])
    writer.writerows([row.get(name, "") for name in columns] for row in rows)
    path.write_text(out.getvalue())
    return path.parent


def ingest(code, *arguments):
    result = subprocess.run([KSTAR, "ingest", "billing", "--format", "gcp", *map(str, arguments)], capture_output=True,
                            text=True, check=False)
    assert result.returncode == code, f"ended with {result.returncode}, not {code}\n{result.stdout}{result.stderr}"
    return result.stdout + result.stderr


def digits(generator):
    return f"{generator.choice(['', '-'])}{generator.randint(0, 9)}.{generator.randint(0, 10 ** 17 - 1):017d}".rstrip("0") + "1"


def invented(count, spell_credits):
    generator = random.Random(20260901)
    rows, expected = [], {}
    types = ("PROMOTION", "SUSTAINED_USAGE_DISCOUNT", "COMMITTED_USAGE_DISCOUNT", "COMMITTED_USAGE_DISCOUNT_DOLLAR_BASE",
             "DISCOUNT", "FREE_TIER", "RESELLER_MARGIN", "SUBSCRIPTION_BENEFIT", "FEE_UTILIZATION_OFFSET")
    for _ in range(count):
        month = generator.choice(("202609", "202609", "202608", "202610"))
        cost = digits(generator) if generator.random() < 0.9 else f"{generator.randint(1, 9)}.{generator.randint(0, 999)}e-05"
        credits = [(generator.choice(types), digits(generator)) for _ in range(generator.choice((0, 0, 1, 2, 4)))]
        cost_type = generator.choice(("regular",) * 8 + ("tax", "adjustment", "rounding_error"))
        rows.append(line(cost=cost, credits=spell_credits(credits), cost_type=cost_type, **{"invoice.month": month}))
        net, promotions = expected.setdefault(month, [Fraction(0), Fraction(0)])
        expected[month] = [net + Fraction(cost) + sum(Fraction(amount) for _, amount in credits),
                           promotions + sum(Fraction(amount) for kind, amount in credits if kind == "PROMOTION")]
    return rows, expected


def as_json(credits):
    return "[" + ",".join(f'{{"name":"n","amount":{amount},"full_name":"","id":"i","type":"{kind}"}}'
                          for kind, amount in credits) + "]"


def as_python(credits):
    return "[" + ", ".join(f"{{'name': \"it's\", 'amount': {amount}, 'full_name': None, 'type': '{kind}'}}"
                           for kind, amount in credits) + "]"


for source, spell_credits, spell in (("dots", as_json, str), ("underscores", as_python, lambda name: name.replace(".", "_"))):
    it(f"adds up to cost and credits, digit for digit, per invoice month ({source})")
    rows, expected = invented(2000, spell_credits)
    ingest(CLEAN, export(f"{source}/a/bill.csv", rows, spell=spell))
    for month, (net, promotions) in expected.items():
        billed, effective, credit = sql(
            "SELECT sum(billed_cost), sum(effective_cost), sum(billed_cost) FILTER (WHERE charge_category = 'Credit') "
            f"FROM current_billing_line JOIN charge_kind USING (charge_kind_key) WHERE source = '{source}' "
            f"AND to_char(statement_month, 'YYYYMM') = '{month}'").split("|")
        equals((net, net, promotions), (Fraction(billed), Fraction(effective), Fraction(credit)))
    equals("0", sql(f"SELECT count(*) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = '{source}'"))

it("books a line in its invoice month, whichever month its usage is in, with or without a declared time zone")
crossing = [
    line(cost="1", usage_start_time="2026-10-01 06:30:00 UTC", usage_end_time="2026-10-01 07:00:00 UTC"),
    line(cost="2", usage_start_time="2026-09-30T23:30:00-07:00", usage_end_time="2026-10-01T00:00:00-07:00"),
    line(cost="4", usage_start_time="2026-10-01 07:00:00+00:00", usage_end_time="2026-10-01 08:00:00+00:00",
         **{"invoice.month": "202610"}),
    line(cost="8", usage_start_time="2026-09-30 12:00:00 UTC", usage_end_time="2026-09-30 13:00:00 UTC",
         **{"invoice.month": "202610"}),
    line(cost="16", usage_start_time="2026-12-31 23:00:00 UTC", usage_end_time="2027-01-01 00:00:00 UTC",
         **{"invoice.month": "202701"}),
]
folder = export("utc/a/bill.csv", crossing)
ingest(CLEAN, folder)
sql("INSERT INTO source_configuration VALUES ('pacific', 'billing', 'gcp', 'America/Los_Angeles', NULL, NULL)")
ingest(CLEAN, "--accept", "--source", "pacific", folder)
for source in ("utc", "pacific"):
    equals("2026-09-01|2026-09-01|3\n2026-10-01|2026-10-01|12\n2027-01-01|2027-01-01|16",
           sql("SELECT billing_period, statement_month, sum(billed_cost) FROM current_billing_line "
               f"WHERE source = '{source}' GROUP BY 1, 2 ORDER BY 1"))
equals("2026-10-01 06:30:00+00", sql("SELECT DISTINCT charge_period_start FROM current_billing_line WHERE source = 'utc' "
                                     "AND billed_cost < 4"))

it("replaces an invoice month that is delivered again, and leaves the others")
ingest(CLEAN, "--accept", export("utc/b/bill.csv", [line(cost="0.5")]))
equals("2026-09-01|0.5\n2026-10-01|12\n2027-01-01|16",
       sql("SELECT billing_period, sum(billed_cost) FROM current_billing_line WHERE source = 'utc' GROUP BY 1 ORDER BY 1"))
assert "already there" in ingest(CLEAN, WORK / "billing/utc/b")

it("keeps tax, rounding error and adjustments as what they are")
kinds = [line(cost="10"), line(cost="0.8", cost_type="tax"), line(cost="-0.000001", cost_type="rounding_error"),
         line(cost="-3", cost_type="adjustment", adjustment_info__type="SLA_VIOLATION"),
         line(cost="-1", cost_type="adjustment", adjustment_info__type="GENERAL_ADJUSTMENT"),
         line(cost="-2", adjustment_info__type="USAGE_CORRECTION", usage_start_time="2026-07-03", usage_end_time="2026-07-04")]
ingest(CLEAN, export("kinds/a/bill.csv", kinds))
equals("Adjustment||-1.000001\nCredit||-3\nTax||0.8\nUsage|Correction|-2\nUsage||10",
       sql("SELECT charge_category, charge_class, sum(billed_cost) FROM current_billing_line JOIN charge_kind "
           "USING (charge_kind_key) WHERE source = 'kinds' GROUP BY 1, 2 ORDER BY 1, 2"))
equals("01A2B3-C4D5E6/202609|Google Cloud", sql("SELECT invoice_id, invoice_issuer_name FROM invoice WHERE source = 'kinds'"))

it("counts no time of cores, memory or accelerators as time of a node")
node = "//compute.googleapis.com/projects/9/zones/us-central1-a/instances/4711"
parts = [("A2 Instance Core running in Iowa", "43200", "seconds", "12", "hour"),
         ("A2 Instance Ram running in Iowa", "328583036928000", "byte-seconds", "85", "gibibyte hour"),
         ("Nvidia Tesla A100 GPU running in Iowa", "3600", "seconds", "1", "hour"),
         ("Micro Instance with burstable CPU running in Americas", "1800", "seconds", "0.5", "hour")]
ingest(CLEAN, export("parts/a/bill.csv", [
    line(sku__description=sku, usage__amount=amount, usage__unit=unit, resource__global_name=node, resource__name="gpu-1",
         **{"usage.amount_in_pricing_units": pricing, "usage.pricing_unit": pricing_unit})
    for sku, amount, unit, pricing, pricing_unit in parts]))
equals("vCPU-seconds|vCPU-hour||t\nbyte-seconds|gibibyte hour||t\nGPU-seconds|GPU-hour||t\nseconds|hour|1|t",
       sql("SELECT consumed_unit, pricing_unit, coalesce(seconds_of_unit(consumed_unit), seconds_of_unit(pricing_unit)), "
           "service_category = 'Compute' AND is_time_unit(consumed_unit) FROM current_billing_line JOIN sku USING (sku_key) "
           "WHERE source = 'parts' ORDER BY line_number"))
equals("instances|gpu-1", sql("SELECT DISTINCT resource_type, resource_name FROM current_billing_line JOIN resource "
                              "USING (resource_key) WHERE source = 'parts'"))

it("makes tags of labels that a rule can ask for")
ingest(CLEAN, export("labels/a/bill.csv", [
    line(labels=json.dumps([{"key": "team", "value": "vision"}])), line(labels="[{'key': 'team', 'value': \"l'art\"}]"),
    line(tags=json.dumps([{"key": "env", "value": "prod", "inherited": True, "namespace": "555"}]))]))
equals("vision|\nl'art|\n|prod", sql("SELECT tags ->> 'team', tags ->> '555/env' FROM current_billing_line JOIN tag_set "
                                    "USING (tag_set_key) WHERE source = 'labels' ORDER BY line_number"))

it("quarantines a line whose type, credits or month it does not know, with the net of cost and credits")
promotion = as_json([("PROMOTION", "-0.25")])
ingest(ATTENTION, "--accept", export("bad/a/bill.csv", [
    line(), line(cost="5", cost_type="surcharge", credits=promotion), line(cost="6", credits="[{'amount': Decimal('1')}]"),
    line(cost="7", credits=as_json([("LOYALTY", "-0.5")])), line(cost="8", **{"invoice.month": "Sep 2026"})]))
equals("3|cost_type|4.75\n4|credits|\n5|credits|6.5\n6|invoice.month|8",
       sql("SELECT line_number, column_name, billed_cost FROM quarantined_row JOIN delivery USING (delivery_id) "
           "WHERE source = 'bad' ORDER BY 1"))

it("refuses an export whose credits were unnested into rows, which would count its cost many times")
columns = [name for name in COLUMNS if name != "credits"] + ["credits.amount"]
output = ingest(REFUSED, export("flat/a/bill.csv", [{**line(), "credits.amount": "1"}], columns))
assert "required column missing: credits" in output, output

it("shares a machine's cores, memory and accelerators by the time that jobs held it, whatever their quantities")
# gpu-1 ran the whole hour and was held by job 1 for half of it, by job 2 for a quarter. small-1 (2
# cores) ran half an hour, all of it job 3's: its 3600 vCPU-seconds are no hour of the machine, of
# which half would then be idle.
sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))
import case_page

inbox = WORK / "night"
case_page.write_common_reference(inbox)
case_page.write_csv(inbox / "reference/sources.csv", [("source", "kind", "format", "time_zone"),
                                                      ("google", "billing", "gcp", "America/Los_Angeles")])
case_page.write_csv(inbox / "reference/nodes.csv", [
    ("cluster", "node", "resource_id", "accelerators", "valid_from", "valid_to"),
    ("c", "gpu-1", "4711", "8", "2026-05-08T10:00:00Z", "2026-05-08T11:00:00Z"),
    ("c", "small-1", "4712", "", "2026-05-08T10:30:00Z", "2026-05-08T11:00:00Z")])
case_page.write_input(["jobs", "c"], [
    ["JobID", "Account", "Start", "End", "NodeList", "GPUs"],
    ["1", "a", "05-08 10:00", "05-08 10:30", "gpu-1", "8"], ["2", "b", "05-08 10:30", "05-08 10:45", "gpu-1", "8"],
    ["3", "b", "05-08 10:30", "05-08 11:00", "small-1", ""]], inbox)


def machine(number, cost, sku, amount, unit, pricing, pricing_unit, **more):
    return line(cost=cost, sku__description=sku, usage__amount=amount, usage__unit=unit, usage__pricing_unit=pricing_unit,
                usage__amount_in_pricing_units=pricing, usage_start_time="2026-05-08 10:00:00 UTC",
                usage_end_time="2026-05-08 11:00:00 UTC", resource__global_name=node.replace("4711", number),
                invoice__month="202605", **more)


export("../night/billing/google/2026-05/bill.csv", [
    machine("4711", "12.00", "A2 Instance Core running in Iowa", "345600", "seconds", "96", "hour"),
    machine("4711", "4.00", "A2 Instance Ram running in Iowa", "5257328590848000", "byte-seconds", "1360", "gibibyte hour"),
    machine("4711", "24.00", "Nvidia Tesla A100 GPU running in Iowa", "28800", "seconds", "8", "hour",
            credits=as_json([("PROMOTION", "-4"), ("SUSTAINED_USAGE_DISCOUNT", "-8")])),
    machine("4712", "0.10", "N1 Predefined Instance Core running in Iowa", "3600", "seconds", "1", "hour"),
    line(cost="2.00", cost_type="tax", invoice__month="202605", usage_start_time="2026-05-01 07:00:00 UTC",
         usage_end_time="2026-06-01 07:00:00 UTC")])
result = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert result.returncode in (CLEAN, ATTENTION), result.stderr
# 12 + 4 + (24 − 8) = 32: 16 to A, 8 to B, 8 idle; the promotion −4 likewise; 0.10 to B.
equals("A|credits|-200\nA|unmeasured_hardware|1600\nB|credits|-100\nB|unmeasured_hardware|810\n",
       sql("SELECT cost_centre, component, sum(minor_units) FROM statement_row WHERE statement_month = '2026-05-01' "
           "AND line_type = 'charge' AND block = 'invoice' AND component <> 'tax' GROUP BY 1, 2 ORDER BY 1, 2") + "\n")
equals("idle node without pool|700", sql("SELECT reason, sum(minor_units) FROM statement_row WHERE statement_month = "
                                         "'2026-05-01' AND reason LIKE 'idle%' GROUP BY 1"))
equals("01A2B3-C4D5E6/202605|3010", sql("SELECT invoice_id, minor_units FROM statement_invoice WHERE statement_month = "
                                        "'2026-05-01'"))
equals("1|0.5\n2|0.25\n3|0.5", sql("SELECT job_id, trim_scale(node_hours::numeric) FROM job_result JOIN job USING (attempt_id) "
                                  "WHERE statement_month = '2026-05-01' ORDER BY 1"))

it("counts usage that a commitment covers as committed, though Google names the commitment on its fee alone")
# List cost: 5 covered by a credit, 3 at the price of a spend commitment, 6 on demand, 4 on spot.
export("../night/billing/google/2026-06/bill.csv", [
    line(invoice__month="202606", usage_start_time="2026-06-08 10:00:00 UTC", usage_end_time="2026-06-08 11:00:00 UTC",
         usage__amount="3600", usage__unit="seconds", cost=cost, cost_at_list=listed, sku__description=sku, **more)
    for listed, cost, sku, more in [
        ("5.00", "4.00", "A2 Instance Core running in Iowa", {"credits": as_json([("COMMITTED_USAGE_DISCOUNT", "-4")])}),
        ("3.00", "2.00", "A3 Instance Core running in Iowa", {"consumption_model__description": "Compute Flexible CUDs 1 Year"}),
        ("6.00", "6.00", "N1 Predefined Instance Core running in Iowa", {}),
        ("4.00", "1.00", "Spot Preemptible A2 Instance Core running in Iowa", {}),
        ("7.00", "7.00", "Commitment v1: A2 Cpu in Iowa for 1 Year", {"subscription__instance_id": "sub-1"})]],
    [*COLUMNS, "consumption_model.description", "subscription.instance_id"])
result = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert result.returncode in (CLEAN, ATTENTION), result.stderr
equals("purchase|||700|700\nusage||committed|800|200\nusage||on demand|600|600\nusage||spot|400|100", sql(
    "SELECT block, CASE block WHEN 'usage' THEN commitment END, nullif(pricing, ''), sum(list_minor), sum(effective_minor) FROM statement_price "
    "WHERE statement_month = '2026-06-01' AND cost_centre = '' GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"))
figures = {row["Figure"]: row["This month"] for row in workbooks.table(workbooks.Book(WORK / "out" / "data-2026-06.xlsx"), "Key figures", "Figure")}
equals(("none", 8 / 14), (figures["Commitment utilisation"], figures["Commitment coverage"]))
