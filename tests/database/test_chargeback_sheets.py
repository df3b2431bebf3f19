"""The chargeback workbook of the fixtures says what Python works out without kstar: from the bills'
CSVs and fixtures/expected."""

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

import published
import workbooks
from closed_months import of_few_centres
from publish import Publish
from saying import check, it, kstar

INBOX, EXPECTED, OUT = SOURCES / "fixtures" / "inbox", SOURCES / "fixtures" / "expected", WORK / "out"
QUARANTINED = 4  # exit code: one line of the fixtures cannot be read


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
book, data = (workbooks.Book(OUT / f"{kind}-2026-09.xlsx") for kind in ("chargeback", "data"))
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
        # cannot be read: quarantined, at what it was billed
        if line["ChargePeriodStart"].startswith("2026-09-31"):
            key, prices = ("Credits", "(quarantined)", None, None), [Decimal(line["BilledCost"])] * 4
        else:
            key = (block_of(line), line["ServiceName"], line["CommitmentDiscountId"], priced(line))
            prices = [Decimal(line[price]) for price in PRICES]
        rate = RATES[source, line.get("InvoiceId")]
        exact[key] = [a + b * rate * 100 for a, b in zip(exact[key], prices)]


def discount_rows(workbook, heading):
    """The rows of a block of the sheet, by service, commitment and pricing."""
    grid = list(workbook["Discounts"].iter_rows())
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
    shown = discount_rows(data, block)
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
own = workbooks.Book(OUT / "data-2026-09-CC-220.xlsx")
hardware = sum(stated(cost_centre="CC-220", component=name) for name in
               ("useful_compute", "coordination_waste", "unmeasured_hardware", "failed_runs", "cancelled", "cloud_fees", "direct_cost"))
near(sum(cents(row[6]) for row in discount_rows(own, "Usage").values()), hardware, "effective cost of CC-220", len(invoices))
check("CC-210" not in str(discount_rows(own, "Usage")), "another cost centre")

it("has key figures that are the quotients of those")
usage = {key: row for key, row in discount_rows(data, "Usage").items()}
used = sum(cents(row[6]) for key, row in usage.items() if key[2] == "committed")
covered = sum(cents(row[2]) for key, row in usage.items() if key[2] == "committed")
on_demand = sum(cents(row[2]) for key, row in usage.items() if key[2] == "on demand")
effective, listed = (block_totals["Usage"][i] + block_totals["Unused"][i] for i in (2, 0))
unallocated = sum(int(row["minor_units"]) for row in statement if row["block"] == "invoice" and row["line_type"] == "unallocated")
on_bill = {name: stated(component=name) for name in ("useful_compute", "coordination_waste", "unmeasured_hardware", "failed_runs",
                                                      "cancelled", "idle")}


def cost_of(job):
    return sum(int(job[f"{name}_minor"]) for name in ("useful_compute", "coordination_waste", "unmeasured_hardware", "failed_runs",
                                                       "cancelled", "cloud_fees"))


ended = [job for job in jobs if job["provisional"] == "false"]
by_outcome = Counter()
for job in ended:
    by_outcome[job["outcome"]] += cost_of(job)
quotients = {"Allocated share": (stated(), stated() + unallocated), "Commitment utilisation": (used, used + block_totals["Unused"][2]),
             "Commitment coverage": (covered, covered + on_demand), "Idle share": (on_bill["idle"], sum(on_bill.values())),
             "Coordination waste": (on_bill["coordination_waste"], on_bill["coordination_waste"] + on_bill["useful_compute"]),
             "Failed-run factor": (by_outcome["failed"], by_outcome["productive"])}
figures = {row["Figure"]: row for row in workbooks.table(data, "Key figures", "Figure")}
for name, (part, whole) in quotients.items():
    check(abs(figures[name]["This month"] - part / whole) < 1e-12, f"{name}: {figures[name]} is not {part} ÷ {whole}")
check(abs(figures["Effective savings rate"]["This month"] - (1 - effective / listed)) < 1e-12, f"savings: {figures['Effective savings rate']}")
check(figures["Effective savings rate"]["Last month"] == "none", "there was no month before")
check("kstar report variance" in figures["Forecast variance"]["In words"], "forecast variance")

it("hands every cent of a pool to somebody")
parts = workbooks.table(book, "Shared and idle", "Part of")
for pool in {row["pool"] for row in charged if row["pool"] and row["component"] != "tax"}:
    for centre in {row["cost_centre"] for row in charged if row["pool"] == pool}:
        shown = [row for row in parts if row["Pool"] == pool and row["Part of"] == centre]
        check(len(shown) == 1, f"{pool}, {centre}: {shown}")
        near(cents(shown[0]["Charged"]), stated(pool=pool, cost_centre=centre), f"{pool}, {centre}")
for centre in {row["cost_centre"] for row in charged}:
    near(sum(cents(row["Charged"]) for row in parts if row["Part of"] == centre and row["Component"].startswith("Fixed")),
         stated(cost_centre=centre, component="fixed_overhead"), f"overhead on the jobs of {centre}")
nobody = [row for row in statement if row["block"] == "invoice" and row["line_type"] == "unallocated" and row["component"] != "tax"]
lost = [row for row in parts if row["Part of"].startswith("unallocated")]
for pool in {row["pool"] for row in nobody if row["pool"]}:
    near(sum(cents(row["Unallocated"]) for row in lost if row["Pool"] == pool), sum(int(row["minor_units"]) for row in nobody if row["pool"] == pool), pool)
near(sum(cents(row["Unallocated"]) for row in lost if row["Component"].startswith("Fixed")),
     sum(int(row["minor_units"]) for row in nobody if row["component"] == "fixed_overhead"), "overhead on jobs without cost centre")
check(len(lost) == 4 and all(row["Charged"] is None and row["Unallocated"] > 0 for row in lost), f"{lost}")
check(all(row["Unallocated"] is None for row in parts if row not in lost), "unallocated of a cost centre")
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

it("counts failed runs by state, cost centre and family, without cancelled runs")
leaves = workbooks.table(data, "Failed runs", "Family")
for outcome, heading in (("failed", "Failed cost"), ("productive", "Productive cost"), ("cancelled", "Cancelled cost")):
    worked_out = Counter()
    for job in ended:
        worked_out[job["cost_centre"] or "(none)", job["family"] or "(none)"] += cost_of(job) if job["outcome"] == outcome else 0
    check({(row["Cost centre"], row["Family"]): cents(row[heading]) for row in leaves} == dict(worked_out), f"{heading}: {worked_out}")
states = workbooks.table(data, "Failed runs", "Final state")
near(sum(cents(row["Cost"]) for row in states), by_outcome["failed"], "failed by state")
check(sum(row["Attempts"] for row in states) == sum(job["outcome"] == "failed" for job in ended), f"attempts by state: {states}")
grid = workbooks.Book(OUT / "data-2026-09-CC-210.xlsx")["Failed runs"].iter_rows(values_only=True)
listed = [row for row in grid if row[3] in ("llm-pretrain", "world-model")]
check(len(listed) == 2 and all(None not in row[:13] for row in listed), f"a cost centre's workbook has each family once, with all columns: {listed}")

it("says what nobody held, and who pays it")
payers = [row for row in parts if row["Component"] in ("Idle nodes", "Unused commitments") and row["Charged"] is not None]
for row in payers:
    component = {"Idle nodes": "idle", "Unused commitments": "unused_commitments"}[row["Component"]]
    near(cents(row["Charged"]), stated(component=component, pool=row["Pool"], cost_centre=row["Part of"]), f"{row}")
check(sum(cents(row["Charged"]) for row in payers) == stated(component="idle") + stated(component="unused_commitments"), "idle in all")
nodes = workbooks.table(book, "Shared and idle", "Resource")
types = workbooks.table(book, "Shared and idle", "Nodes")
for row in types:
    of_type = [node for node in nodes if (node["Pool"], node["Node type"]) == (row["Pool"], row["Node type"])]
    near(row["Nodes"], len(of_type), f"{row}")
    near(cents(row["Cost"]), sum(cents(node["Cost"]) for node in of_type), f"{row}")
    check(abs(row["Node-hours"] - sum(node["Node-hours"] for node in of_type)) < 1e-6, f"{row}")

it("shows who pays a pool its total, its own weight, all weights and the idle nodes by type; its owner the nodes by name")
owners = {row["Pool"]: row["Owner"] for row in workbooks.table(book, "Shared and idle", "Owner")}
for centre in sorted({row["Part of"] for row in payers}):
    paid = workbooks.Book(OUT / f"chargeback-2026-09-{centre}.xlsx")
    own_parts = workbooks.table(paid, "Shared and idle", "Pool in all")
    for row in own_parts:
        everybodys = [part for part in parts if part["Pool"] == row["Pool"]]
        near(cents(row["Pool in all"]), sum(cents(part["Charged"]) + cents(part["Unallocated"]) for part in everybodys), f"{centre}: {row}")
        check([(row["Weight"], row["Of all weights"])] == [(part["Weight"], part["Of all weights"]) for part in everybodys if part["Part of"] == centre], f"{row}")
    seen = {row["Pool"] for row in own_parts} | {pool for pool, owner in owners.items() if owner == centre}
    check([row for row in types if row["Pool"] in seen] == workbooks.table(paid, "Shared and idle", "Nodes"), f"types that {centre} sees")
    by_name = workbooks.table(paid, "Shared and idle", "Resource")
    named = [row for row in nodes if owners.get(row["Pool"]) == centre]
    check(named == by_name if named else str(by_name[0]["Pool"]).startswith("No node"), f"nodes that {centre} sees: {by_name}")
for pool in ("aurora-idle", "borealis-idle"):
    nobody = sum(row["Share"] for row in parts if row["Pool"] == pool and row["Part of"].startswith("unallocated"))
    cost = sum(cents(row["Cost"]) for row in nodes if row["Pool"] == pool)
    near(cost - round(cost * nobody), stated(component="idle", pool=pool), pool, 1)
check(any(row["Share"] > 0 for row in parts if row["Pool"] == "borealis-idle" and row["Part of"].startswith("unallocated")), "no such share")

it("lists rows that could not be read")
quarantined = workbooks.table(book, "Open items", "First line")
check(len(quarantined) == 1 and quarantined[0]["Source"] == "fjordhall" and quarantined[0]["Rows"] == 1, f"{quarantined}")
items = {row["Not seen"]: row for row in workbooks.table(book, "Open items", "Not seen")}
counts = {item: row["Jobs, nodes"] for item, row in items.items()}
check(counts["Still running"] == sum(job["provisional"] == "true" for job in jobs), f"{counts}")
check(counts["Jobs without cost centre"] == sum(job["cost_centre"] is None for job in jobs), f"{counts}")
check(counts["Efficiency not measured"] == sum(job["efficiency"] is None and job["outcome"] == "productive" for job in jobs), f"{counts}")

it("lists nodes held for nothing, and does not count them as held nowhere: job 330 of fjord had 64 CPUs of rack3, and none of its accelerators")
bare = [job for job in jobs if Decimal(job["node_hours"]) == 0 and Decimal(job["wall_hours"]) > 0]
check([job["job_id"] for job in bare] == ["330"], f"{bare}")
check(counts["Nodes held for nothing"] == 1 and items["Nodes held for nothing"]["How much"].startswith("96.0 "), f"{items}")
check("Jobs without nodes" not in items, f"{items}")

it("lists with its money what kstar could not see, with the file that mends it, and says it in one sentence")
without_family = [job for job in jobs if job["family"] is None]
check((counts["Jobs without family"], cents(items["Jobs without family"]["Money"]))
      == (len(without_family), sum(int(job["true_cost_minor"]) for job in without_family)), f"{items}")
unmeasured = sum(int(job["true_cost_minor"]) for job in jobs if job["efficiency"] is None and job["outcome"] == "productive")
near(cents(items["Efficiency not measured"]["Money"]), unmeasured, "unmeasured")
unruled = sum(int(row["minor_units"]) for row in statement if row["line_type"] == "unallocated" and row["reason"] == "no rule matches")
near(cents(items["Cost without rule"]["Money"]), unruled, "without rule")
unheld = [row for row in nodes if row["Held by a job"] == "No"]
near(cents(items["Nodes of the bill that no job held"]["Money"]), sum(cents(row["Cost"]) for row in unheld), "nodes")
nobodys = {block: sum(int(row["minor_units"]) for row in statement if row["line_type"] == "unallocated" and row["block"] == block)
           for block in ("invoice", "internal")}
late = sum(int(row["minor_units"]) for row in statement if row["line_type"] == "unallocated" and row["reason"] == "awaiting job records")
waiting = sum(row["Quantity"] for row in workbooks.table(book, "Open items", "Kind") if row["Kind"] == "awaiting job records")
near(cents(items["Time without job records"]["Money"]), late, "awaiting job records")
unread = sum(int(row["minor_units"]) for row in statement if row["line_type"] == "unallocated" and row["reason"] == "quarantined")
near(cents(items["Quarantined rows"]["Money"]), unread, "quarantined rows")
for item, column in (("Jobs without family", "family_rules.csv"), ("Quarantined rows", "kstar ingest quarantine"), ("Cost without rule", "mapping_rules.csv"), ("Nodes of the bill that no job held", "nodes.csv")):
    check(column in next(value for key, value in items[item].items() if key.startswith("What it means")), item)
sentence = (f"Not seen: no job held {len(unheld)} of the bill's nodes, USD {sum(cents(row['Cost']) for row in unheld) / 100:,.2f}; jobs of "
            f"USD {sum(int(job['true_cost_minor']) for job in without_family) / 100:,.2f} lack a family; jobs of USD {unmeasured / 100:,.2f} "
            f"lack a measurement; USD {unruled / 100:,.2f} on the bill matches no rule; {waiting:,.1f} node-hours wait for job records of fjord, "
            f"USD {late / 100:,.2f}, before the month can be closed; USD {unread / 100:,.2f} on the bill is quarantined. Unallocated: USD {nobodys['invoice'] / 100:,.2f} of the invoices and USD {nobodys['internal'] / 100:,.2f} of "
            "internal charges.")
lines = night.stdout.splitlines()
first = next(i for i, line in enumerate(lines) if line.startswith("statement 2026-09"))
check(lines[first + 2].strip() == sentence, f"{lines[first + 2]}\n{sentence}")
check(sentence in [row[0] for row in book["Summary"].iter_rows()], "not on Summary")
whole = sum(int(row["minor_units"]) for row in statement if row["line_type"] == "charge" and (row["block"] == "invoice" or row["attempt"] is not None))
first_line = f"All cost centres together cost USD {whole / 100:,.2f} in September 2026. "
for title in ("Summary", "Conclusion"):
    shown = book if title == "Summary" else workbooks.Book(OUT / "review-2026-09.xlsx")
    check(any(str(row[0]).startswith(first_line) for row in shown[title].iter_rows()), f"{title}: {first_line}")
status = subprocess.run([KSTAR, "status"], capture_output=True, text=True, check=False).stdout
check(f"2026-09     {sentence}" in status.splitlines(), status)
own_items = workbooks.table(workbooks.Book(OUT / "chargeback-2026-09-CC-410.xlsx"), "Summary", "Not seen")
check({row["Not seen"] for row in own_items} >= {"Jobs without family"} and "Cost without rule" not in {row["Not seen"] for row in own_items}, f"{own_items}")

it("counts the rows of each bill's files, and of them those that could not be read")
delivered = [(row["Delivery"], row["Rows delivered"], row["Quarantined"], row["Rows of this month"]) for row in workbooks.table(book, "Reconciliation", "Rows delivered")]
unread = {"billing/fjordhall/2026-09": 1}
in_files = {f"billing/{folder.parent.name}/{folder.name}": sum(len(rows(path)) for path in folder.glob("*.csv"))
            for folder in sorted(INBOX.glob("billing/*/*"))}
check(delivered == [(label, count, unread.get(label, 0), count - unread.get(label, 0)) for label, count in in_files.items()], f"{delivered}")

it("has every leaf of the statement in the tidy data, once")
tidy = workbooks.table(data, "Tidy data", "Measure")
sources = {row["Invoice no."]: row["Source"] for row in workbooks.table(book, "Reconciliation", "Issuer")}
check(not workbooks.values(OUT / "data-2026-09.xlsx")["Tidy data"].merged_cells.ranges, "merged cells")
measures = {"charged": ("invoice", "charge"), "unallocated": ("invoice", "unallocated"), "balance sheet": ("invoice", "balance sheet"),
            "prepaid balance change": ("invoice", "prepaid")}
for measure, (block, line_type) in measures.items():
    leaves = Counter()
    for row in statement:
        if (row["block"], row["line_type"]) == (block, line_type):
            leaves[row["cost_centre"], row["pool"], row["attempt"] is not None, row["source"]] += int(row["minor_units"])
    shown = Counter()
    for row in tidy:
        if row["Measure"] == measure:
            shown[row["Cost centre"], row["Pool"], row["Job"] is not None, sources[row["Invoice no."]]] += cents(row["Amount"])
    check({key: value for key, value in shown.items() if value} == {key: value for key, value in leaves.items() if value},
          f"{measure}: {shown - leaves} {leaves - shown}")
internal = sum(int(row["minor_units"]) for row in statement if row["block"] == "internal" and row["attempt"])
near(sum(cents(row["Amount"]) for row in tidy if row["Measure"].endswith("internal")), internal, "internal")
check(abs(sum(row["Amount"] for row in tidy if row["Measure"] == "node-hours") - sum(float(job["node_hours"]) for job in jobs)) < 1e-3, "hours")
check({row["Period"].isoformat()[:10] for row in tidy} == {"2026-09-01"}, "period")
own_tidy = workbooks.table(own, "Tidy data", "Measure")
check({row["Cost centre"] for row in own_tidy} == {"CC-220"}, "rows of others")
near(sum(cents(row["Amount"]) for row in own_tidy if row["Measure"] == "charged"), stated(cost_centre="CC-220"), "charged to CC-220")

it("adds up what each result took")
groups = defaultdict(list)
for row in workbooks.table(data, "Attempts", "Run group"):
    groups[row["Run group"]].append(row)
by_id = defaultdict(list)
for job in jobs:
    by_id[job["attempt"].split(" ")[0], job["attempt"].split(" ")[1]].append(job)
for (cluster, job_id), attempts in by_id.items():
    if len(attempts) == 1 and attempts[0]["outcome"] == "productive":
        check(f"{cluster}/{job_id}" not in groups, f"{job_id} took one attempt")
        continue
    shown = groups.pop(f"{cluster}/{job_id}")
    check(sorted(cents(row["True cost"]) for row in shown) == sorted(int(job["true_cost_minor"]) for job in attempts), f"{job_id}: {shown}")
    near(cents(shown[-1]["Of the result so far"]), sum(int(job["true_cost_minor"]) for job in attempts), f"result of {job_id}")
    succeeded = any(job["outcome"] == "productive" for job in attempts)
    check((shown[0]["Result"] in ("succeeded", "running")) == succeeded and shown[-1]["Last"] == "Yes", f"{job_id}: {shown}")
check(not groups, f"groups of nobody: {groups.keys()}")

it("has a row of the statement per currency, with its exact amount, and room to sign")
in_currency = Counter()
for row in charged:
    in_currency[row["cost_centre"], row["currency"]] += Decimal(row["effective_cost"])
shown = Counter()
for row in workbooks.table(book, "Statement", "Component"):
    shown[row["Cost centre"], row["Invoice currency"]] += Decimal(str(row["In invoice currency"]))
for key, value in in_currency.items():
    check(abs(shown[key] - value) < Decimal("0.0001"), f"{key}: {shown[key]} and {value}")
grid = workbooks.formulas(OUT / "chargeback-2026-09.xlsx")
cells = {cell.value: cell for row in grid["Statement"].iter_rows() for cell in row}
for role in ("Prepared", "Reviewed", "Approved"):
    check(not cells[role].offset(column=1).protection.locked, f"{role} cannot sign")
check(cells["Sign-off of this statement: Preliminary"] is not None, "status")

it("names the cells of rates and parameters")
of_dates = sorted({(row["rate_date"], row["exchange_rate"]) for row in invoices if row["currency"] == "EUR"})
check(len(of_dates) == 2, "two rates in the fixtures")
for name, (_, rate) in zip(("rate_EUR", "rate_EUR_2"), of_dates):
    sheet, coordinate = next(iter(grid.defined_names[name].destinations))
    check(grid[sheet][coordinate].value == float(rate), f"{name} is {grid[sheet][coordinate].value}")
check("setting_statement_currency" in grid.defined_names, "settings")
check(not [name for name in workbooks.formulas(OUT / "chargeback-2026-09-CC-220.xlsx").defined_names if name.startswith("setting")], "others' settings")

it("leads from each figure of the summary to the rows behind it")
summary = grid["Summary"]
links = {row[0].value: row[1].hyperlink.location for row in summary.iter_rows(max_col=2) if row[1].hyperlink}
check(links["Unallocated"].startswith("Statement!") and links["Excess over K*"].startswith("Jobs!"), f"{links}")

# ---- a month after another

months = WORK / "months"
for month in ("2026-08", "2026-09"):
    subprocess.run([SOURCES / "fixtures" / "generate", "--out", months / month, "--lines", "800", "--jobs", "60", "--month", month], check=True)
for name in ("exchange_rates.csv", "invoices.csv"):
    texts = [(months / month / "reference" / name).read_text().splitlines() for month in ("2026-08", "2026-09")]
    for month in ("2026-08", "2026-09"):
        (months / month / "reference" / name).write_text("\n".join(dict.fromkeys(texts[0] + texts[1])) + "\n")
dsn = published.new_database("months")
for month in ("2026-08", "2026-09"):
    of_few_centres(months / month)
    Publish(months / month, dsn)()
for month in ("2026-08", "2026-09"):
    kstar("report", "chargeback", "--period", month, "--out", months / "out", "--dsn", dsn)
august, september = (workbooks.Book(months / "out" / f"chargeback-2026-{month}.xlsx") for month in ("08", "09"))
august_data, september_data = (workbooks.Book(months / "out" / f"data-2026-{month}.xlsx") for month in ("08", "09"))


def summary_figures(workbook):
    return {row[0]: row[1] for row in workbook["Summary"].iter_rows(max_col=2) if row[0] is not None}


it("shows the figures of the month before, and the change")
before, now = summary_figures(august), summary_figures(september)
check(before["True cost last month"] == "none", f"{before}")
near(cents(now["True cost last month"]), cents(before["True cost"]), "last month")
near(cents(now["Change"]), cents(now["True cost"]) - cents(before["True cost"]), "change")
figures = {row["Figure"]: row["Last month"] for row in workbooks.table(september_data, "Key figures", "Figure")}
for row in workbooks.table(august_data, "Key figures", "Figure"):
    if row["Figure"] != "Forecast variance":
        check(abs(figures[row["Figure"]] - row["This month"]) < 1e-12, f"{row}")


def cells_of(workbook):
    return {(row["Cost centre"], heading): cents(row[heading]) for row in workbooks.table(workbook, "Waterfall", "No.")
            for heading in row if heading not in ("No.", "Cost centre", "Name", "True cost", "Of it from invoices", "Of it internal charges")}


earlier, later = cells_of(august), cells_of(september)
moves = sorted((abs(later.get(key, 0) - earlier.get(key, 0)) for key in earlier.keys() | later.keys()), reverse=True)
movers = workbooks.table(september, "Summary", "Last month")
check([abs(cents(row["Change"])) for row in movers] == [move for move in moves if move][:len(movers)] and len(movers) == 12, f"{movers} {moves[:12]}")
for row in movers:
    near(cents(row["This month"]), later.get((row["Cost centre"], row["Component"]), 0), f"{row}")
    near(cents(row["Last month"]), earlier.get((row["Cost centre"], row["Component"]), 0), f"{row}")
found, count = workbooks.differences(months / "out" / "chargeback-2026-09.xlsx",
                                     workbooks.recalculated([months / "out" / "chargeback-2026-09.xlsx"], WORK / "office")[0])
check(not found and count > 500, "\n".join(found[:20]))

print("ok")
