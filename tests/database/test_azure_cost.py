"""Azure cost details into the database: both datasets make one bill, in any spelling of headers and
either order of dates.

Expected sums are made with Decimal from the files' own columns. The real files are beside the
repository, in ../shared; without them that part is skipped, and a line says so."""

import csv
import io
import os
import subprocess
import sys
from collections import defaultdict
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

from saying import KSTAR, equals, it, sql

WORK = Path(os.environ["WORK"])
DATA = Path(os.environ.get("KSTAR_SHARED_DATA") or Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data")
CLEAN, REFUSED, ATTENTION = 0, 3, 4
COLUMNS = ("BillingAccountId,BillingPeriodStartDate,BillingPeriodEndDate,SubscriptionId,Date,MeterCategory,MeterName,Quantity,"
           "Cost,UnitPrice,BillingCurrency,ResourceId,Tags,UnitOfMeasure,ChargeType,Frequency,PricingModel,PayGPrice,benefitId,"
           "benefitName,ReservationId,ProductOrderId,PricingCurrency,ExchangeRatePricingToBilling,PaygCostInBillingCurrency").split(",")


def ingest(code, form, *arguments):
    """Accepts what is held: the same lines are delivered by several sources here, each in its own
    spelling."""
    named = ["--format", form] if form else []
    result = subprocess.run([KSTAR, "ingest", "billing", "--accept", *named, *map(str, arguments)], capture_output=True, text=True, check=False)
    assert result.returncode == code, f"ended with {result.returncode}, not {code}\n{result.stdout}{result.stderr}"
    # a logged value has its quotes escaped
    return (result.stdout + result.stderr).replace('\\"', '"')


def row(kind, cost, **other):
    values = {"BillingAccountId": "77", "BillingPeriodStartDate": "09/01/2026", "BillingPeriodEndDate": "09/30/2026",
              "SubscriptionId": "sub-1", "Date": "09/03/2026", "MeterCategory": "Virtual Machines", "MeterName": "ND96",
              "Quantity": "24", "Cost": cost, "UnitPrice": "2.5", "BillingCurrency": "EUR", "ResourceId": "/vm/a",
              "UnitOfMeasure": "1 Hour", "ChargeType": kind, "Frequency": "UsageBased", "PricingModel": "OnDemand"}
    return {**values, **other}


def write(place, rows, spell=str, start=b""):
    path = WORK / "billing" / place
    path.parent.mkdir(parents=True, exist_ok=True)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([spell(name) for name in COLUMNS])
    writer.writerows([[entry.get(name, "") for name in COLUMNS] for entry in rows])
    path.write_bytes(start + text.getvalue().encode())
    return path.parent


RESERVATION = {"PricingModel": "Reservation", "benefitId": "/providers/microsoft.capacity/reservationorders/r1", "benefitName": "r1"}
PLAN = {"PricingModel": "SavingsPlan", "benefitId": "/providers/microsoft.billingbenefits/savingsplanorders/p1"}
SAME = [row("Usage", "60.125"), row("Usage", "7.5", MeterCategory="Storage", UnitOfMeasure="10K", Quantity="0.0004"),
        row("Tax", "11.4", ResourceId=""), row("RoundingAdjustment", "-0.005", ResourceId="")]
ACTUAL = SAME + [row("Usage", "0", **RESERVATION), row("Usage", "0", **PLAN),
                 row("Purchase", "3600", Frequency="Recurring", ResourceId="", **RESERVATION),
                 row("Purchase", "720", Frequency="Recurring", ResourceId="", **PLAN),
                 row("Refund", "-100", Frequency="OneTime", ResourceId="", **RESERVATION)]
AMORTIZED = SAME + [row("Usage", "90.5", **RESERVATION), row("UnusedReservation", "29.5", ResourceId="", **RESERVATION),
                    row("Usage", "20", **PLAN), row("UnusedSavingsPlan", "4", ResourceId="", **PLAN)]


def total(rows):
    return sum(Decimal(entry["Cost"]) for entry in rows)


def sums(source):
    return sql("SELECT sum(billed_cost)::text, sum(effective_cost)::text FROM current_billing_line "
               f"WHERE source = '{source}'")


def number(text):
    return Decimal(text).normalize()


it("makes one bill of both datasets: billed is the actual cost, effective the amortised")
write("both/a/EA_ActualCost_1.csv", ACTUAL)
folder = write("both/a/EA_AmortizedCost_1.csv", AMORTIZED)
ingest(CLEAN, "azure", folder)
billed, effective = sums("both").split("|")
equals(number(total(ACTUAL)), number(billed))
equals(number(total(AMORTIZED)), number(effective))

it("counts each line once, a commitment's usage at no billed cost, its purchase at no effective cost")
equals(str(len(AMORTIZED) + 3), sql("SELECT count(*) FROM current_billing_line WHERE source = 'both'"))
equals("Purchase|Correction||-100|0\nPurchase|||3600|0\nUsage||Unused|0|29.5\nUsage||Used|0|90.5", sql(
    "SELECT charge_category, charge_class, commitment_discount_status, billed_cost, effective_cost FROM current_billing_line "
    "JOIN charge_kind USING (charge_kind_key) JOIN commitment USING (commitment_key) "
    "WHERE source = 'both' AND commitment_discount_type = 'Reservation' ORDER BY charge_category, billed_cost, effective_cost"))
equals("Savings Plan|Spend", sql("SELECT DISTINCT commitment_discount_type, commitment_discount_category FROM commitment "
                                 "WHERE commitment_discount_id LIKE '%billingbenefits%'"))

it("takes an adjustment or a tax on a commitment for what it is, no purchase: once, at its cost in both measures, and datasets that are "
   "alike for no copies")
same = [row("Usage", "100"), row("Adjustment", "-7", PricingModel="Reservation", ResourceId=""),
        row("Tax", "3", PricingModel="SavingsPlan", ResourceId="")]
write("adjusted/a/ActualCost.csv", same)
ingest(CLEAN, "azure", write("adjusted/a/AmortizedCost.csv", same))
equals("Adjustment|-7|-7\nTax|3|3\nUsage|100|100", sql(
    "SELECT charge_category, billed_cost, effective_cost FROM current_billing_line JOIN charge_kind USING (charge_kind_key) "
    "WHERE source = 'adjusted' ORDER BY charge_category"))
equals("0", sql("SELECT count(*) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'adjusted'"))

it("knows purchase, use and rest of a reservation by its order, in any letter case")
ORDER, MEMBER = "49ED0e4d-8e0c-4f1f-af2c-67c865056615", "f39d1c02-55a1-4c7e-9d0e-2f0c1a7b6e11"
BOUGHT = {"PricingModel": "Reservation", "ReservationId": ORDER, "ProductOrderId": ORDER, "ResourceId": "",
          "benefitId": f"/providers/Microsoft.Capacity/reservationOrders/{ORDER}/reservations/"}
USED = {"PricingModel": "Reservation", "ReservationId": MEMBER, "ProductOrderId": ORDER.lower(),
        "benefitId": f"/providers/microsoft.capacity/reservationOrders/{ORDER.lower()}/reservations/{MEMBER}"}
PLANNED = {"PricingModel": "SavingsPlan", "benefitId": "/providers/Microsoft.BillingBenefits/savingsPlanOrders/P7/savingsPlans/Q8"}
write("orders/a/ActualCost.csv", [row("Purchase", "12000", Frequency="OneTime", **BOUGHT)])
ingest(CLEAN, "azure", write("orders/a/AmortizedCost.csv", [row("Usage", "900", **USED), row("UnusedReservation", "100", **USED),
                                                            row("Usage", "5", **PLANNED)]))
equals(f"/providers/microsoft.billingbenefits/savingsplanorders/p7|-5\n/providers/microsoft.capacity/reservationorders/{ORDER.lower()}|11000",
       sql("SELECT commitment_discount_id, sum(billed_cost - effective_cost) FROM current_billing_line JOIN commitment USING (commitment_key) "
           "WHERE source = 'orders' GROUP BY 1 ORDER BY 1"))
equals(USED["benefitId"], sql("SELECT DISTINCT columns ->> 'benefitId' FROM current_billing_line JOIN custom_columns USING (custom_columns_key) "
                              "WHERE source = 'orders' AND effective_cost = 900"))
ingest(CLEAN, "azure-actual", write("unnamed-orders/a/a.csv", [row("Purchase", "1", **{**BOUGHT, "benefitId": ""}), row("Usage", "0", **{**USED, "benefitId": ""})]))
equals(ORDER.lower(), sql("SELECT DISTINCT commitment_discount_id FROM current_billing_line JOIN commitment USING (commitment_key) "
                          "WHERE source = 'unnamed-orders'"))

it("gives a day to a row, hours to a machine, and blocks to what is priced in thousands")
equals("2026-09-03 00:00:00+00|2026-09-04 00:00:00+00|24|Hours|Compute|60.0", sql(
    "SELECT charge_period_start, charge_period_end, consumed_quantity, consumed_unit, service_category, contracted_cost "
    "FROM current_billing_line JOIN sku USING (sku_key) WHERE source = 'both' AND billed_cost = 60.125"))
equals("0.0004|Units|4e-08", sql(
    "SELECT consumed_quantity, consumed_unit, pricing_quantity::float FROM current_billing_line JOIN sku USING (sku_key) "
    "WHERE source = 'both' AND billed_cost = 7.5"))

it("reads hours of a unit without a number, or in another spelling, as hours")
measures = ["1 Hour", "Hours", "1 1 Hour", "1 hora", "1 小时"]
ingest(CLEAN, "azure-actual", write("measures/a/a.csv", [row("Usage", str(number), UnitOfMeasure=measure, Quantity="6")
                                                         for number, measure in enumerate(measures)]))
equals("\n".join(f"6|Hours|6|{measure}" for measure in measures), sql(
    "SELECT consumed_quantity, consumed_unit, pricing_quantity::float, pricing_unit FROM current_billing_line JOIN sku USING (sku_key) "
    "WHERE source = 'measures' ORDER BY billed_cost"))

it("turns prices of another currency into the bill's, and has none without a rate")
FOREIGN = {"BillingCurrency": "EUR", "PricingCurrency": "USD", "UnitPrice": "10", "PayGPrice": "12", "Quantity": "10"}
ingest(CLEAN, "azure-actual", write("rates/a/a.csv", [
    row("Usage", "90", **FOREIGN, ExchangeRatePricingToBilling="0.9", PaygCostInBillingCurrency="107.5"),
    row("Usage", "91", **FOREIGN, ExchangeRatePricingToBilling="0.9"),
    row("Usage", "92", **FOREIGN),
    row("Usage", "93", **{**FOREIGN, "PricingCurrency": "EUR"}, ExchangeRatePricingToBilling="1"),
    row("Usage", "94", **{**FOREIGN, "PricingCurrency": ""})]))
equals("\n".join(["90|90|107.5|9|10.8|USD", "91|90|108|9|10.8|USD", "92|||||USD", "93|100|120|10|12|EUR", "94|100|120|10|12|"]), sql(
    "SELECT billed_cost, trim_scale(contracted_cost), trim_scale(list_cost), trim_scale(contracted_unit_price::numeric), "
    "trim_scale(list_unit_price::numeric), pricing_currency FROM current_billing_line JOIN sku USING (sku_key) "
    "WHERE source = 'rates' ORDER BY billed_cost"))

it("wants to know the dataset: a name that says neither is refused, a format says it")
OWN = ACTUAL + [row("Usage", "2.25")]
folder = write("unnamed/a/cost.csv", OWN)
assert "actual or amortized" in ingest(REFUSED, "azure", folder)
ingest(CLEAN, "azure-actual", folder)
equals(number(total(OWN)), number(sums("unnamed").split("|")[0]))

it("of one dataset alone, asks for the other: what its records would cancel is quarantined")
for dataset, rest, other in (("ActualCost", "5", row("Purchase", "3600", **RESERVATION)),
                             ("AmortizedCost", "-5", row("UnusedReservation", "29.5", **RESERVATION))):
    output = ingest(ATTENTION, "azure", write(f"alone-{dataset}/a/{dataset}.csv", [row("Usage", "5"), other]))
    assert (f"records that cancel one another leave {rest} EUR of an invoice: put actual and amortized cost of the same days into one "
            "delivery") in output, output
output = ingest(REFUSED, None, write("nameless/a/cost.csv", OWN))
assert "fits both" in output and "name the dataset in each file's path, actual or amortized; for one dataset alone, add" in output, output

it("reads camel case, translated headers, ISO dates and byte-order marks, to the same rows")
iso = [{**entry, **{name: f"2026-{entry[name][:2]}-{entry[name][3:5]}" for name in ("BillingPeriodStartDate", "Date")}} for entry in AMORTIZED]
spellings = {"camel": lambda name: name[0].lower() + name[1:], "german": lambda name: f"Größe-{name} ({name})", "shout": str.upper}
for source, spell in spellings.items():
    ingest(CLEAN, "azure-amortized", write(f"{source}/a/amortized.csv", iso, spell, b"\xef\xbb\xbf\xef\xbb\xbf"))
ingest(CLEAN, "azure-amortized", write("us/a/amortized.csv", AMORTIZED, start=b"\xef\xbb\xbf"))
lines = {source: sql("SELECT charge_period_start, billed_cost, effective_cost, resource_id, commitment_discount_id FROM current_billing_line "
                     "LEFT JOIN resource USING (resource_key) LEFT JOIN commitment USING (commitment_key) "
                     f"WHERE source = '{source}' ORDER BY effective_cost, 1, 4, 5") for source in [*spellings, "us"]}
for source, found in lines.items():
    equals(lines["us"], found)

it("quarantines a date in the other order, by column")
output = ingest(ATTENTION, "azure-actual", write("mixed/a/a.csv", [row("Usage", "1"), row("Usage", "2", Date="2026-09-03")]))
assert 'column Date: "2026-09-03" is not a date such as 09/30/2026' in output, output
output = ingest(ATTENTION, "azure-actual", write("month13/a/a.csv", [row("Usage", "1"), row("Usage", "2", Date="13/09/2026")]))
assert '"13/09/2026"' in output, output

it("reads tags with and without braces")
ingest(CLEAN, "azure-actual", write("tags/a/a.csv", [row("Usage", "1", Tags='"team": "x","n": "1"'), row("Usage", "2", Tags='{"team": "y"}')]))
equals("x\ny", sql("SELECT tags ->> 'team' FROM current_billing_line JOIN tag_set USING (tag_set_key) WHERE source = 'tags' ORDER BY billed_cost"))

it("keeps the money of a charge type that it does not know")
output = ingest(ATTENTION, "azure-actual", write("kinds/a/a.csv", [row("Usage", "1"), row("Barter", "2.5")]))
assert '"Barter" is a charge type' in output, output
equals("2.5|EUR", sql("SELECT billed_cost, billing_currency FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'kinds'"))

it("quarantines once what neither dataset's row can be read of: a date in the other order, a charge type that it does not know")
# 10 and 7 cannot be read; the actual bill is 60.125 + 12 + 10 + 7 = 89.125, of which the quarantine
# holds 17
def undated(**other):
    return row("Usage", "10", Date="2026-09-03", **other)


write("unread/a/ActualCost.csv", [row("Usage", "60.125"), undated(), row("Purchase", "12", **RESERVATION), row("Rounding", "7")])
ingest(ATTENTION, "azure", write("unread/a/AmortizedCost.csv", [row("Usage", "60.125"), undated(), row("Rounding", "7"),
                                                                row("UnusedReservation", "12", **RESERVATION)]))
equals("72.125|72.125", sums("unread"))
equals("ActualCost.csv|Date|0|0\nActualCost.csv|ChargeType|0|0\nAmortizedCost.csv|Date|10|10\nAmortizedCost.csv|ChargeType|7|7", sql(
    "SELECT path, column_name, billed_cost, effective_cost FROM quarantined_row JOIN source_file USING (file_id) "
    "JOIN delivery ON delivery.delivery_id = quarantined_row.delivery_id WHERE source = 'unread' ORDER BY path, line_number"))

it("keeps such money once, too, if its invoice is unknown")
without = [{**entry, "BillingPeriodStartDate": ""} for entry in (row("Usage", "60.125"), undated())]
write("unread-period/a/ActualCost.csv", without)
ingest(ATTENTION, "azure", write("unread-period/a/AmortizedCost.csv", without))
equals("10|10", sql("SELECT sum(billed_cost), sum(effective_cost) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'unread-period'"))

it("keeps what one dataset alone has of an unknown type in the bill as it was billed: the actual dataset is the bill")
write("one-side/a/ActualCost.csv", [row("Usage", "60.125"), row("Barter", "7")])
ingest(ATTENTION, "azure", write("one-side/a/AmortizedCost.csv", [row("Usage", "60.125"), row("Trade", "3")]))
equals(7, number(sql("SELECT sum(billed_cost) FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'one-side'")))

it("names what a file without any cost lacks")
broken = write("nocost/a/a.csv", [row("Usage", "1")], lambda name: "Preis" if name == "Cost" else name)
assert "CostInBillingCurrency, Cost or PreTaxCost" in ingest(REFUSED, "azure-actual", broken)

real = DATA / "billing" / "azure"
if not real.is_dir():
    print(f"skipped: {real} is not there")
    sys.exit(0)

it("loads a real Enterprise Agreement file: sums per meter category and charge type are exact")
with (real / "EA_ActualCost_Small.csv").open(encoding="utf-8-sig", newline="") as file:
    expected = defaultdict(Decimal)
    for entry in csv.DictReader(file):
        expected[entry["MeterCategory"], entry["ChargeType"]] += Decimal(entry["Cost"])
place = WORK / "billing" / "real" / "a"
place.mkdir(parents=True)
(place / "EA_ActualCost_Small.csv").write_bytes((real / "EA_ActualCost_Small.csv").read_bytes())
ingest(CLEAN, "azure-actual", place)
found = defaultdict(Decimal)
for line in sql("SELECT service_name, sum(billed_cost)::text FROM current_billing_line LEFT JOIN sku USING (sku_key) "
                "WHERE source = 'real' GROUP BY 1").splitlines():
    name, cost = line.rsplit("|", 1)
    found[name] += Decimal(cost)
by_meter = defaultdict(Decimal)
for (meter, _), cost in expected.items():
    by_meter[meter] += cost
equals({name: cost.normalize() for name, cost in by_meter.items()}, {name: cost.normalize() for name, cost in found.items()})

it("loads a pay-as-you-go file, and says what a file without rows or without currency is")
place = WORK / "billing" / "payg" / "a"
place.mkdir(parents=True)
(place / "actual.csv").write_bytes((real / "PayAsYouGo.csv").read_bytes())
ingest(CLEAN, "azure-actual", place)
equals("0.075|2021-02-02 00:00:00+00", sql("SELECT billed_cost, charge_period_start FROM current_billing_line WHERE source = 'payg'"))
for name, code, words in (("EA_NoRows.csv", CLEAN, "0 rows"), ("BOM.csv", REFUSED, "column BillingCurrency: a currency is required")):
    place = WORK / "billing" / name.split(".")[0].lower() / "a"
    place.mkdir(parents=True)
    (place / "actual.csv").write_bytes((real / name).read_bytes())
    assert words in (output := ingest(code, "azure-actual", place)), output
print("ok")
