"""The chargeback workbook of the fixtures says what Python works out without kstar: from the bills' CSVs and fixtures/expected."""

import csv
import os
import subprocess
import sys
from collections import Counter, defaultdict
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
KSTAR = os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import workbooks

INBOX, EXPECTED, OUT = SOURCES / "fixtures" / "inbox", SOURCES / "fixtures" / "expected", WORK / "out"
QUARANTINED = 4  # exit code: one line of the fixtures cannot be read
DIRECT = ("job", "cost centre")


def it(sentence):
    print(f"- {sentence}", flush=True)


def check(holds, message):
    if not holds:
        print(f"FAILED: {message}")
        sys.exit(1)


def rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return [{name: None if value in ("", "NULL") else value for name, value in row.items()} for row in csv.DictReader(file)]


def cents(value):
    return round((value or 0) * 100)


def half_up(value):
    return int(value.quantize(Decimal(1), ROUND_HALF_UP))


def near(mine, theirs, what, most=0):
    check(abs(mine - theirs) <= most, f"{what}: {mine} on the sheet, {theirs} worked out")


night = subprocess.run([KSTAR, "nightly", INBOX, "--out", OUT], capture_output=True, text=True, check=False)
check(night.returncode == QUARANTINED, f"{night.returncode}\n{night.stdout}{night.stderr}")
book = workbooks.values(OUT / "chargeback-2026-09.xlsx")
invoices = rows(EXPECTED / "invoices.csv")
statement = rows(EXPECTED / "statement_rows.csv")
jobs = rows(EXPECTED / "jobs.csv")
charged = [row for row in statement if row["block"] == "invoice" and row["line_type"] == "charge"]


def stated(**fields):
    return sum(int(row["minor_units"]) for row in charged if all(row[name] == value for name, value in fields.items()))


# ---- prices, from the bills themselves

RATES = {(row["source"], row["invoice_id"]): Decimal(row["exchange_rate"]) for row in invoices}
PRICES = ("ListCost", "ContractedCost", "EffectiveCost", "BilledCost")


def block_of(line):
    if line["ChargeCategory"] == "Purchase":
        return "Purchases"
    if line["ChargeCategory"] != "Usage":
        return "Credits"
    return "Unused" if line["CommitmentDiscountStatus"] == "Unused" else "Usage"


def priced(line):
    if line["ChargeCategory"] != "Usage" or line["CommitmentDiscountStatus"] == "Unused":
        return None
    if line["CommitmentDiscountStatus"] == "Used":
        return "committed"
    if line["ServiceCategory"] not in ("Compute", "AI and Machine Learning"):
        return None
    return "spot" if line["PricingCategory"] == "Dynamic" else "on demand"


exact = defaultdict(lambda: [Decimal(0)] * 4)
for path in sorted((INBOX / "billing").rglob("*.csv")):
    source = path.relative_to(INBOX / "billing").parts[0]
    for line in rows(path):
        if line["ChargePeriodStart"].startswith("2026-09-31"):  # cannot be read: quarantined, at what it was billed
            key, prices = ("Credits", "(quarantined)", None, None), [Decimal(line["BilledCost"])] * 4
        else:
            key = (block_of(line), line["ServiceName"], line["CommitmentDiscountId"], priced(line))
            prices = [Decimal(line[price]) for price in PRICES]
        rate = RATES[source, line.get("InvoiceId")]
        exact[key] = [a + b * rate * 100 for a, b in zip(exact[key], prices)]


def discount_rows(workbook, heading):
    """The rows of a block of the sheet, by service, commitment and pricing."""
    grid = [[cell.value for cell in row] for row in workbook["Discounts"].iter_rows()]
    start = next(i for i, row in enumerate(grid) if str(row[0]).startswith(heading))
    found = {}
    for row in grid[start + 2:]:
        if row[0] in ("Total", None):
            return found
        found[row[0], row[1], row[2]] = row[3:]
    return found


it("compares every line of the bills at its four prices")
block_totals = {}
for block in ("Usage", "Unused", "Purchases", "Credits"):
    shown = discount_rows(book, block)
    worked_out = {key[1:]: prices for key, prices in exact.items() if key[0] == block}
    check(shown.keys() == worked_out.keys(), f"{block}: {shown.keys() ^ worked_out.keys()}")
    for key, prices in worked_out.items():
        for column, price in zip((2, 4, 6, 10), prices):
            near(cents(shown[key][column]), half_up(price), f"{block} {key} {column}", len(invoices))
        if block == "Usage":
            near(cents(shown[key][3]), cents(shown[key][2]) - cents(shown[key][4]), f"{key} negotiated")
            near(cents(shown[key][5]), cents(shown[key][4]) - cents(shown[key][6]), f"{key} by commitment")
    block_totals[block] = [sum(cents(row[column]) for row in shown.values()) for column in (2, 4, 6, 10)]
check(sum(total[3] for total in block_totals.values()) == sum(int(row["minor_units"]) for row in invoices), "billed is not the invoices")
check(exact["Usage", "Elastic Compute", "ri-2026-03-trn8-a", "committed"][0] > 0, "nothing was saved in the fixtures: no test")

it("gives a cost centre the prices of its own jobs' lines")
own = workbooks.values(OUT / "chargeback-2026-09-CC-220.xlsx")
hardware = sum(stated(cost_centre="CC-220", component=name) for name in
               ("useful_compute", "coordination_waste", "unmeasured_hardware", "failed_runs", "cancelled", "cloud_fees", "direct_cost"))
near(sum(cents(row[6]) for row in discount_rows(own, "Usage").values()), hardware, "effective cost of CC-220", len(invoices))
check("CC-210" not in str(discount_rows(own, "Usage")), "another cost centre")

it("has key figures that are the quotients of those")
usage = {key: row for key, row in discount_rows(book, "Usage").items()}
used = sum(cents(row[6]) for key, row in usage.items() if key[2] == "committed")
covered = sum(cents(row[2]) for key, row in usage.items() if key[2] == "committed")
on_demand = sum(cents(row[2]) for key, row in usage.items() if key[2] == "on demand")
effective, listed = (block_totals["Usage"][i] + block_totals["Unused"][i] for i in (2, 0))
unallocated = sum(int(row["minor_units"]) for row in statement if row["block"] == "invoice" and row["line_type"] == "unallocated")
on_bill = {name: stated(component=name) for name in ("useful_compute", "coordination_waste", "unmeasured_hardware", "failed_runs",
                                                      "cancelled", "idle")}


def cost_of(job):
    return sum(int(job[f"{name}_minor"]) for name in ("useful_compute", "coordination_waste", "unmeasured_hardware", "failed_runs",
                                                       "cancelled", "cloud_fees", "hardware_off_bill"))


ended = [job for job in jobs if job["provisional"] == "false"]
by_outcome = Counter()
for job in ended:
    by_outcome[job["outcome"]] += cost_of(job)
quotients = {"Allocated share": (stated(), stated() + unallocated), "Commitment utilisation": (used, used + block_totals["Unused"][2]),
             "Commitment coverage": (covered, covered + on_demand), "Idle share": (on_bill["idle"], sum(on_bill.values())),
             "Coordination waste": (on_bill["coordination_waste"], on_bill["coordination_waste"] + on_bill["useful_compute"]),
             "Failed-run factor": (by_outcome["failed"], by_outcome["productive"])}
figures = {row["Figure"]: row for row in workbooks.table(book, "Key figures", "Figure")}
for name, (part, whole) in quotients.items():
    check(abs(figures[name]["This month"] - part / whole) < 1e-12, f"{name}: {figures[name]} is not {part} ÷ {whole}")
check(abs(figures["Effective savings rate"]["This month"] - (1 - effective / listed)) < 1e-12, f"savings: {figures['Effective savings rate']}")
check(figures["Effective savings rate"]["Last month"] == "none", "there was no month before")
check(figures["Forecast variance"]["This month"] == "no forecast kept", "forecast variance")

it("hands every cent of a pool to somebody")
parts = workbooks.table(book, "Shared costs", "Part of")
for pool in {row["pool"] for row in charged if row["pool"] and row["component"] != "tax"}:
    for centre in {row["cost_centre"] for row in charged if row["pool"] == pool}:
        shown = [row for row in parts if row["Pool"] == pool and row["Part of"] == centre]
        check(len(shown) == 1, f"{pool}, {centre}: {shown}")
        near(cents(shown[0]["Charged"]), stated(pool=pool, cost_centre=centre), f"{pool}, {centre}")
for centre in {row["cost_centre"] for row in charged}:
    near(sum(cents(row["Charged"]) for row in parts if row["Part of"] == centre and row["Component"].startswith("Fixed")),
         stated(cost_centre=centre, component="fixed_overhead"), f"overhead on the jobs of {centre}")
fixed = {row["cost_centre"]: Decimal(row["weight"]) for row in rows(INBOX / "reference" / "pool_weights.csv") if row["pool"] == "egress"}
check({row["Part of"]: row["Share"] for row in parts if row["Pool"] == "egress"} == {name: float(weight) for name, weight in fixed.items()},
      "weights of egress")
for pool, hours in (("control-plane", "wall_hours"), ("shared-storage", "node_hours")):
    held = Counter()
    for job in jobs:
        held[job["cost_centre"] or "unallocated: job without cost centre"] += Decimal(job[hours])
    for row in parts:
        if row["Pool"] == pool:
            check(abs(Decimal(row["Weight"]) - held[row["Part of"]]) < Decimal("0.01"), f"{pool}: {row}, {held}")

it("counts what failed, by state, cost centre and family, and leaves cancelled runs out")
leaves = workbooks.table(book, "Failed runs", "Family")
for outcome, heading in (("failed", "Failed cost"), ("productive", "Productive cost"), ("cancelled", "Cancelled cost")):
    worked_out = Counter()
    for job in ended:
        worked_out[job["cost_centre"] or "(none)", job["family"] or "(none)"] += cost_of(job) if job["outcome"] == outcome else 0
    check({(row["Cost centre"], row["Family"]): cents(row[heading]) for row in leaves} == dict(worked_out), f"{heading}: {worked_out}")
states = workbooks.table(book, "Failed runs", "Final state")
near(sum(cents(row["Cost"]) for row in states), by_outcome["failed"], "failed by state")
check(sum(row["Attempts"] for row in states) == sum(job["outcome"] == "failed" for job in ended), f"attempts by state: {states}")

it("says what nobody held, and who pays it")
payers = workbooks.table(book, "Idle and unused", "Amount")
for row in payers:
    component = {"Idle nodes": "idle", "Unused commitments": "unused_commitments"}[row["Component"]]
    near(cents(row["Amount"]), stated(component=component, pool=row["Pool"], cost_centre=row["Cost centre"]), f"{row}")
check(sum(cents(row["Amount"]) for row in payers) == stated(component="idle") + stated(component="unused_commitments"), "idle in all")
nodes = workbooks.table(book, "Idle and unused", "Resource")
for pool in ("aurora-idle", "borealis-idle"):
    nobody = sum(row["Share"] for row in parts if row["Pool"] == pool and row["Part of"].startswith("unallocated"))
    cost = sum(cents(row["Cost"]) for row in nodes if row["Pool"] == pool)
    near(cost - round(cost * nobody), stated(component="idle", pool=pool), pool, 1)
check(any(row["Share"] > 0 for row in parts if row["Pool"] == "borealis-idle" and row["Part of"].startswith("unallocated")), "no such share")

it("tells what could not be read")
quarantined = workbooks.table(book, "Data quality", "Reason")
check(len(quarantined) == 1 and quarantined[0]["Source"] == "fjordhall" and quarantined[0]["Rows"] == 1, f"{quarantined}")
counts = {row["Question"]: row["Jobs"] for row in workbooks.table(book, "Data quality", "Question")}
check(counts["Still running"] == sum(job["provisional"] == "true" for job in jobs), f"{counts}")
check(counts["Without cost centre"] == sum(job["cost_centre"] is None for job in jobs), f"{counts}")
check(counts["Efficiency not measured"] == sum(job["efficiency"] is None and job["outcome"] == "productive" for job in jobs), f"{counts}")

print("ok")
