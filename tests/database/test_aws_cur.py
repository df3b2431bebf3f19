"""AWS's Cost and Usage Report into the database: every cent of it once, by service and kind, in any
of its three spellings.

Invented bills come from a generator with a fixed start. Expected sums are made with Decimal from
the bill's own columns, per type of line item, in another way than the program's (a fee's two rows
are never made). The real pair is beside the repository, in ../shared; without it that part is left
out by name."""

import csv
import io
import json
import os
import random
import re
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal, getcontext
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import KSTAR, equals, it, sql

WORK = Path(os.environ["WORK"])
CLEAN, ATTENTION = 0, 4
DATA = Path(os.environ.get("KSTAR_SHARED_DATA") or Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data")
getcontext().prec = 100
ZERO = Decimal(0)


def ingest(codes, *arguments):
    """Accepts what is held: the same lines are delivered by several sources here, each in its own
    spelling."""
    result = subprocess.run([KSTAR, "ingest", "billing", "--accept", "--format", "aws-cur", *map(str, arguments)], capture_output=True,
                            text=True, check=False)
    assert result.returncode in codes, f"ended with {result.returncode}, not {codes}\n{result.stdout}{result.stderr}"
    return result.stdout + result.stderr


# ---- an invented bill ----

COLUMNS = """identity/LineItemId bill/InvoiceId bill/InvoicingEntity bill/PayerAccountId bill/BillingPeriodStartDate
    bill/BillingPeriodEndDate lineItem/UsageAccountId lineItem/LineItemType lineItem/UsageStartDate lineItem/UsageEndDate
    lineItem/ProductCode lineItem/UsageType lineItem/ResourceId lineItem/UsageAmount lineItem/CurrencyCode
    lineItem/UnblendedCost lineItem/LineItemDescription product/ProductName product/region product/sku pricing/unit
    pricing/RateId pricing/publicOnDemandCost reservation/ReservationARN reservation/EffectiveCost
    reservation/UnusedAmortizedUpfrontFeeForBillingPeriod reservation/UnusedRecurringFee savingsPlan/SavingsPlanARN
    savingsPlan/SavingsPlanEffectiveCost savingsPlan/TotalCommitmentToDate savingsPlan/UsedCommitment
    resourceTags/aws:created resourceTags/user:team resourceTags/user:job costCategory/project""".split()
PRODUCTS = [("AmazonEC2", "Amazon Elastic Compute Cloud", "USE2-BoxUsage:p5.48xlarge", "Hrs"),
            ("AmazonEC2", "Amazon Elastic Compute Cloud", "USE2-EBS:VolumeUsage.gp3", "GB-Mo"),
            ("AmazonS3", "Amazon Simple Storage Service", "TimedStorage-ByteHrs", "GB-Mo"),
            ("AmazonSageMaker", "Amazon SageMaker", "USE2-Train:ml.p4d.24xlarge", "Hrs")]


def digits(generator):
    return str(Decimal(generator.randint(1, 10 ** 12)).scaleb(-generator.randint(6, 12)))


def invented(count):
    generator = random.Random(20260903)
    lines = []

    def add(kind, cost, **fields):
        code, name, usage, unit = generator.choice(PRODUCTS)
        day, hour = generator.randint(1, 29), generator.randint(0, 22)
        line = dict.fromkeys(COLUMNS, "")
        line.update({
            "identity/LineItemId": str(len(lines)), "bill/InvoicingEntity": "Amazon Web Services EMEA SARL",
            "bill/PayerAccountId": "111122223333", "bill/BillingPeriodStartDate": "2026-09-01T00:00:00Z",
            "bill/BillingPeriodEndDate": "2026-10-01T00:00:00Z", "lineItem/UsageAccountId": "444455556666",
            "lineItem/LineItemType": kind, "lineItem/UsageStartDate": f"2026-09-{day:02}T{hour:02}:00:00Z",
            "lineItem/UsageEndDate": f"2026-09-{day:02}T{hour + 1:02}:00:00Z", "lineItem/ProductCode": code,
            "product/ProductName": name, "lineItem/UsageType": usage, "pricing/unit": unit, "lineItem/CurrencyCode": "USD",
            "lineItem/UsageAmount": "1", "lineItem/ResourceId": f"i-{generator.randint(0, 20):04x}",
            "product/region": "us-east-2",
            "lineItem/UnblendedCost": cost, "lineItem/LineItemDescription": f"{kind}, \"quoted\"",
            "resourceTags/user:team": generator.choice(["", "vision", "speech, and \"text\""]),
            "resourceTags/user:job": generator.choice(["", "4711"]), "costCategory/project": generator.choice(["", "atlas"])})
        line.update({name.replace("__", "/"): value for name, value in fields.items()})
        lines.append(line)

    for _ in range(count):
        kind = generator.choice(
            ["Usage"] * 6 + ["DiscountedUsage", "SavingsPlanCoveredUsage", "Tax", "Credit", "EdpDiscount", "RIFee",
                             "SavingsPlanRecurringFee", "SavingsPlanUpfrontFee", "Fee", "UpfrontRI"])
        cost = digits(generator)
        if kind == "DiscountedUsage":
            add(kind, "0", reservation__ReservationARN="arn:ri", reservation__EffectiveCost=digits(generator))
        elif kind == "SavingsPlanCoveredUsage":
            add(kind, cost, savingsPlan__SavingsPlanARN="arn:sp", savingsPlan__SavingsPlanEffectiveCost=digits(generator))
            add("SavingsPlanNegation", "-" + cost, savingsPlan__SavingsPlanARN="arn:sp")
        elif kind == "RIFee":
            add(kind, cost, reservation__ReservationARN="arn:ri", reservation__UnusedRecurringFee=digits(generator),
                reservation__UnusedAmortizedUpfrontFeeForBillingPeriod=digits(generator))
        elif kind == "SavingsPlanRecurringFee":
            used = digits(generator)
            add(kind, cost, savingsPlan__SavingsPlanARN="arn:sp", savingsPlan__UsedCommitment=used,
                savingsPlan__TotalCommitmentToDate=str(Decimal(used) + generator.choice([0, 1, Decimal("0.000001")])))
        elif kind == "SavingsPlanUpfrontFee":
            add(kind, cost, savingsPlan__SavingsPlanARN="arn:sp")
        elif kind == "UpfrontRI":
            add("Fee", cost, reservation__ReservationARN="arn:ri")
        else:
            add(kind, "-" + cost if kind in ("Credit", "EdpDiscount") else cost)
    return lines


def amount(text):
    return Decimal(text) if text else ZERO


def expected_sums(lines):
    """(service, category, status) → [billed, effective], from the columns that AWS says belong to
    each type."""
    sums = defaultdict(lambda: [ZERO, ZERO])

    def count(line, category, status, billed, effective):
        entry = sums[(line["product/ProductName"], category, status)]
        entry[0] += billed
        entry[1] += effective

    for line in lines:
        kind, cost = line["lineItem/LineItemType"], amount(line["lineItem/UnblendedCost"])
        if kind in ("Usage", "EdpDiscount"):
            count(line, "Usage", "", cost, cost)
        elif kind in ("Tax", "Credit"):
            count(line, kind, "", cost, cost)
        elif kind == "DiscountedUsage":
            count(line, "Usage", "Used", cost, amount(line["reservation/EffectiveCost"]))
        elif kind == "SavingsPlanCoveredUsage":
            count(line, "Usage", "Used", ZERO, amount(line["savingsPlan/SavingsPlanEffectiveCost"]))
        elif kind == "Fee":
            count(line, "Purchase", "", cost, ZERO if line["reservation/ReservationARN"] else cost)
        elif kind != "SavingsPlanNegation":
            count(line, "Purchase", "", cost, ZERO)
            left = (amount(line["savingsPlan/TotalCommitmentToDate"]) - amount(line["savingsPlan/UsedCommitment"]) +
                    amount(line["reservation/UnusedAmortizedUpfrontFeeForBillingPeriod"]) +
                    amount(line["reservation/UnusedRecurringFee"]))
            if left:
                count(line, "Usage", "Unused", ZERO, left)
    return {key: tuple(entry) for key, entry in sums.items()}


def stored_sums(source):
    rows = sql("SELECT coalesce(service_name, ''), charge_category, coalesce(commitment_discount_status, ''), "
               "sum(billed_cost), sum(effective_cost) FROM current_billing_line JOIN charge_kind USING (charge_kind_key) "
               f"LEFT JOIN sku USING (sku_key) WHERE source = '{source}' GROUP BY 1, 2, 3")
    fields = [row.split("|") for row in rows.splitlines()]
    return {tuple(row[:3]): (Decimal(row[3]), Decimal(row[4])) for row in fields}


def write(place, names, rows):
    path = WORK / "billing" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(rows)
    path.write_text(out.getvalue(), encoding="utf-8")
    return path.parent


def athena(name):
    name = re.sub("_+", "_", re.sub("[^a-z0-9]", "_", re.sub("([A-Z])", r"_\1", name).lower()))
    return name.strip("_")


def nested(lines):
    """CUR 2.0: Athena's names; products, tags and cost categories in columns of JSON."""
    maps = {"resource_tags_": "resource_tags", "cost_category_": "cost_category", "product_product_": "product",
            "product_region": "product"}
    for line in lines:
        row, objects = {}, {name: {} for name in maps.values()}
        for name, value in line.items():
            prefix = next((prefix for prefix in maps if athena(name).startswith(prefix)), None)
            if prefix is None:
                row[athena(name)] = value
            elif value:
                key = athena(name).removeprefix(prefix if prefix.endswith("tags_") or prefix.startswith("cost") else "product_")
                objects[maps[prefix]][key] = value
        yield row | {name: json.dumps(members) for name, members in objects.items()}


LINES = invented(1500)
it("adds up to the bill's own columns, digit for digit, by service, category and status")
ingest([CLEAN], write("slashes/a/bill.csv", COLUMNS, [line.values() for line in LINES]))
equals(expected_sums(LINES), stored_sums("slashes"))
equals(sum(amount(line["lineItem/UnblendedCost"]) for line in LINES),
       Decimal(sql("SELECT sum(billed_cost) FROM current_billing_line WHERE source = 'slashes'")))
equals("0", sql("SELECT count(*) FROM quarantined_row"))

it("is the same to the last field as Athena writes it, and as CUR 2.0")
ingest([CLEAN], write("athena/a/bill.csv", [athena(name) for name in COLUMNS], [line.values() for line in LINES]))
rows = list(nested(LINES))
ingest([CLEAN], write("cur2/a/bill.csv", rows[0].keys(), [row.values() for row in rows]))
fields = ("charge_period_start, charge_period_end, billed_cost, effective_cost, list_cost, contracted_cost, "
          "consumed_quantity, pricing_quantity, charge_kind_key, account_key, resource_key, sku_key, commitment_key, "
          "charge_description_key, tags, invoice_id, invoice_issuer_name, billing_currency")
of_source = (f"SELECT {fields} FROM current_billing_line JOIN invoice USING (invoice_key) LEFT JOIN tag_set "
             "USING (tag_set_key) WHERE current_billing_line.source = ")
for other in "athena", "cur2":
    equals("0|0", sql(f"SELECT (SELECT count(*) FROM ({of_source} 'slashes' EXCEPT ALL {of_source} '{other}') AS lost), "
                      f"(SELECT count(*) FROM ({of_source} '{other}' EXCEPT ALL {of_source} 'slashes') AS gained)"))
equals("speech, and \"text\"|4711|atlas",
       sql("SELECT DISTINCT tags ->> 'team', tags ->> 'job', tags ->> 'costCategory/project' FROM current_billing_line "
           "JOIN tag_set USING (tag_set_key) WHERE source = 'cur2' AND tags ?& '{team,job,costCategory/project}' "
           "AND tags ->> 'team' <> 'vision'"))

it("keeps what has no place in FOCUS, without tags and without what differs on every line")
equals("lineItem/ProductCode\nproduct/region",
       sql("SELECT DISTINCT jsonb_object_keys(columns) FROM current_billing_line JOIN custom_columns "
           "USING (custom_columns_key) WHERE source = 'slashes' ORDER BY 1"))

it("counts hours of nodes where an instance is billed, and nowhere else")
equals("Amazon Elastic Compute Cloud|Compute|Hrs\nAmazon Elastic Compute Cloud|Storage|GB-Mo\n"
       "Amazon SageMaker|AI and Machine Learning|Hrs\nAmazon Simple Storage Service|Storage|GB-Mo",
       sql("SELECT DISTINCT service_name, service_category, consumed_unit FROM current_billing_line JOIN sku USING (sku_key) "
           "WHERE source = 'slashes' AND consumed_quantity IS NOT NULL ORDER BY 1, 2"))
equals("0", sql("SELECT count(*) FROM current_billing_line JOIN charge_kind USING (charge_kind_key) WHERE source = 'slashes' "
                "AND consumed_quantity IS NOT NULL AND (charge_category <> 'Usage' OR commitment_discount_status = 'Unused')"))

it("quarantines a type that it does not know, with its money")
strange = dict(LINES[0], **{"lineItem/LineItemType": "Surcharge", "lineItem/UnblendedCost": "1.25"})
ingest([ATTENTION], write("strange/a/bill.csv", COLUMNS, [LINES[0].values(), strange.values()]))
equals("3|lineItem/LineItemType|1.25|1.25",
       sql("SELECT line_number, column_name, billed_cost, effective_cost FROM quarantined_row "
           "JOIN delivery USING (delivery_id) WHERE source = 'strange'"))

it("keeps what cancels out, of a quarantined line as well: nothing is left over")
taken_back = [line for line in LINES if line["savingsPlan/SavingsPlanARN"]]
covered = next(line for line in taken_back if line["lineItem/LineItemType"] == "SavingsPlanCoveredUsage")
unreadable = [line | {"lineItem/UsageEndDate": "soon"} if line is covered else line for line in taken_back]
ingest([ATTENTION], write("aside/a/bill.csv", COLUMNS, [line.values() for line in unreadable]))
equals("lineItem/UsageEndDate|0|" + covered["savingsPlan/SavingsPlanEffectiveCost"],
       sql("SELECT column_name, billed_cost, effective_cost FROM quarantined_row JOIN delivery USING (delivery_id) "
           "WHERE source = 'aside'"))

it("says what is left over where a bill takes back more or less than it has")
negation = next(line for line in LINES if line["lineItem/LineItemType"] == "SavingsPlanNegation")
twice = [line.values() for line in (*LINES, negation)]
output = ingest([ATTENTION], write("left/a/bill.csv", COLUMNS, twice))
assert "cancel" in output, output
equals(amount(negation["lineItem/UnblendedCost"]),
       Decimal(sql("SELECT sum(billed_cost) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'left'")))

it("carries prepayments, idle and unused commitments to the statement: charged + prepaid balance change = invoice")
# 12,000 upfront, of which an hour of gpu-1 is 900 and 100 is left; job 1 held the hour for a half,
# job 2 for a quarter. A savings plan of 50 an hour covers gpu-2 with 40, which nobody held. The
# disk of gpu-1 is 500 and no time of a node.
sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))
import case_page

inbox = WORK / "night"
case_page.write_common_reference(inbox)
for table, rows in {
    "sources": ["source kind format", "amazon billing aws-cur"],
    "nodes": ["cluster node resource_id accelerators valid_from valid_to",
              "c gpu-1 i-0a1 8 2026-09-08T10:00:00Z 2026-09-08T11:00:00Z",
              "c gpu-2 i-0a2 8 2026-09-08T10:00:00Z 2026-09-08T11:00:00Z"],
    "pools": ["pool component owner split", "unused unused_commitments P keep"],
    "pool_rules": ["priority match pattern pool", "1 commitment_discount_status Unused unused"],
}.items():
    case_page.write_csv(inbox / "reference" / f"{table}.csv", [row.split() for row in rows])
case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList", "GPUs"],
                                      ["1", "a", "8 10:00", "8 10:30", "gpu-1", "8"],
                                      ["2", "b", "8 10:30", "8 10:45", "gpu-1", "8"],
                                      ["3", "b", "8 11:00", "8 12:00", "elsewhere", ""]], inbox)


def night_line(kind, cost, resource="", usage="USE2-BoxUsage:p5.48xlarge", **fields):
    line = dict.fromkeys(COLUMNS, "")
    line.update({"bill/InvoiceId": "INV-9", "bill/BillingPeriodStartDate": "2026-09-01T00:00:00Z", "pricing/unit": "Hrs",
                 "lineItem/UsageStartDate": "2026-09-08T10:00:00Z", "lineItem/UsageEndDate": "2026-09-08T11:00:00Z",
                 "lineItem/LineItemType": kind, "lineItem/UnblendedCost": cost, "lineItem/CurrencyCode": "USD",
                 "lineItem/ProductCode": "AmazonEC2", "lineItem/UsageType": usage, "lineItem/ResourceId": resource,
                 "lineItem/UsageAmount": "1"})
    line.update({name.replace("__", "/"): value for name, value in fields.items()})
    return line


reserved, plan = {"reservation__ReservationARN": "arn:ri"}, {"savingsPlan__SavingsPlanARN": "arn:sp"}
write("../night/billing/amazon/2026-09/bill.csv", COLUMNS, [line.values() for line in [
    night_line("Fee", "12000.00", **reserved),
    night_line("DiscountedUsage", "0", "i-0a1", reservation__EffectiveCost="900.00", **reserved),
    night_line("RIFee", "0", reservation__UnusedAmortizedUpfrontFeeForBillingPeriod="100.00",
               reservation__UnusedRecurringFee="0", **reserved),
    night_line("SavingsPlanCoveredUsage", "60.00", "i-0a2", savingsPlan__SavingsPlanEffectiveCost="40.00", **plan),
    night_line("SavingsPlanNegation", "-60.00", "i-0a2", **plan),
    night_line("SavingsPlanRecurringFee", "50.00", savingsPlan__TotalCommitmentToDate="50.00",
               savingsPlan__UsedCommitment="40.00", **plan),
    night_line("Usage", "500.00", "vol-0a1", "USE2-EBS:VolumeUsage.gp3", pricing__unit="GB-Mo",
               **{"resourceTags/user:team": "b"}),
]])
result = subprocess.run([KSTAR, "nightly", str(inbox), "--out", str(WORK / "out")], capture_output=True, text=True, check=False)
assert result.returncode in (CLEAN, ATTENTION), result.stderr
equals("INV-9|1255000", sql("SELECT invoice_id, minor_units FROM statement_invoice WHERE statement_month = '2026-09-01' "
                            "AND invoice_id = 'INV-9'"))
equals("charge|A|unmeasured_hardware||45000\ncharge|B|direct_cost||50000\ncharge|B|unmeasured_hardware||22500\n"
       "charge|P|unused_commitments||11000\nprepaid||||1100000\nunallocated|||idle node without pool|26500",
       sql("SELECT line_type, cost_centre, component, reason, sum(minor_units) FROM statement_row JOIN invoice "
           "USING (invoice_key) WHERE statement_month = '2026-09-01' AND invoice_id = 'INV-9' GROUP BY 1, 2, 3, 4 "
           "ORDER BY 1, 2, 3, 4"))
equals("1|0.5|0\n2|0.25|0\n3|1|1", sql("SELECT job_id, trim_scale(node_hours::numeric), "
                                      "trim_scale(unpriced_node_hours::numeric) "
                                 "FROM job_result JOIN job USING (attempt_id) WHERE statement_month = '2026-09-01' ORDER BY 1"))

# ---- a real bill ----

PAIR = DATA / "billing" / "aws-cur"
if not PAIR.is_dir():
    print("skipped: a real bill before and after it became final; ../shared/data/billing/aws-cur is not there")
    sys.exit(0)

it("reads a real bill before and after it became final: the second replaces the first")
for number, name in enumerate(["2023-06-01-not-final.csv", "2023-06-01.csv"]):
    with open(PAIR / name, newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    ingest([ATTENTION], PAIR / name, "--source", "real")
    effective = sum(amount(line["savingsPlan/SavingsPlanEffectiveCost"]) for line in lines)
    equals({line["lineItem/LineItemType"] for line in lines}, {"SavingsPlanCoveredUsage"})
    equals({(lines[0]["product/ProductName"], "Usage", ""): (ZERO, effective)}, stored_sums("real"))
    equals("|".join([lines[0]["bill/InvoiceId"], "Amazon Web Services, Inc.", "NOK", str(len(lines)), "m5.large", "3"]),
           sql("SELECT invoice_id, invoice_issuer_name, billing_currency, count(*), "
               "min(sku_price_details::jsonb ->> 'InstanceType'), sum(consumed_quantity) FROM current_billing_line "
               "JOIN invoice USING (invoice_key) JOIN sku USING (sku_key) WHERE current_billing_line.source = 'real' "
               "GROUP BY 1, 2, 3"))
    # The bill has no negations: what its lines cost on demand is on no line, and so it is left
    # over.
    left = sum(amount(line["lineItem/UnblendedCost"]) for line in lines)
    equals(f"{left}|NOK", sql("SELECT sum(billed_cost), billing_currency FROM quarantined_row WHERE delivery_id = "
                              "(SELECT max(delivery_id) FROM delivery WHERE source = 'real') GROUP BY 2"))
