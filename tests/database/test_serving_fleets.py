"""Serving fleets: costs and choices are what Python works out in fractions; prices from the bill;
who sees what; a closed month keeps it."""

import csv
import json
import os
import random
import sys
from fractions import Fraction
from math import floor
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path[:0] = [str(SOURCES / "tests" / "lib"), str(SOURCES / "fixtures" / "expected")]

import case_page
import inbox as fixtures_inbox
import published
import workbooks
from company import Site
from saying import equals, it

FLEETS = ["fleet", "cost_centre", "price_per_replica_hour", "match", "pattern", "nodes_per_replica", "fixed_per_hour", "latency_percentile",
          "latency_limit_ms", "valid_from", "valid_to"]
MEASURED = ["fleet", "replicas", "latency_percentile", "latency_ms", "tokens_per_second", "valid_from", "valid_to"]
BILL = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "SkuId", "Tags",
        "CommitmentDiscountId", "CommitmentDiscountStatus", "ChargeDescription", "ChargeClass"]

CHAT = [["chat", "A", "2.10", "", "", "", "9", "", "400", "", ""]]
CHAT_MEASURED = [["chat", "4", "", "380", "1500", "", ""], ["chat", "8", "", "310", "2600", "", ""], ["chat", "16", "", "430", "3900", "", ""],
                 ["chat", "2", "50", "100", "800", "", ""]]


def rounded(value, digits=6):
    return Fraction(floor(value * 10 ** digits + Fraction(1, 2)), 10 ** digits)


def million(price, fixed, replicas, tokens):
    return (price * replicas + fixed) / (3600 * tokens) * 10 ** 6


class Company(Site):
    def books(self):
        """The chargeback and data workbooks of September."""
        self.kstar("report", "chargeback", "--period", "2026-09", "--out", self.out)

    def __init__(self, name, inbox=None):
        super().__init__(name, inbox)
        if not inbox:
            case_page.write_common_reference(self.inbox)

    def serve(self, fleets, measured):
        self.reference("serving_fleets", [FLEETS, *fleets])
        self.reference("serving_measurements", [MEASURED, *measured])

    def bill(self, *rows, month="2026-09"):
        case_page.write_input(["bill", "cloud", month], [BILL, *([*row, *[""] * len(BILL)][:len(BILL)] for row in rows)], self.inbox)

    def answer(self, *arguments):
        return json.loads(self.kstar("report", "units", "--json", *arguments).stdout)

    def fleets(self, *arguments):
        return {row["fleet"]: row for row in self.answer(*arguments)["serving"]}

    def prices(self, month="2026-09"):
        return {row["fleet"]: Fraction(row["price_per_replica_hour"]) if row["price_per_replica_hour"] else None for row in published.query(
            f"SELECT fleet, price_per_replica_hour FROM kstar.serving_cost WHERE statement_month = '{month}-01'", self.dsn)}


def by_hand():
    company = Company("hand")
    company.bill(["30 00:00", "10-01 00:00", "10.00", "i-1", "24", "Hours", "", "team=a"])
    company.serve([*CHAT, ["rank", "B", "1.25", "", "", "", "", "", "10", "", ""], ["quiet", "B", "1", "", "", "", "", "99.9", "", "", ""],
                   ["gift", "B", "0", "", "", "", "", "", "", "", ""], ["slow", "B", "1", "", "", "", "", "", "30", "", ""]],
                  [*CHAT_MEASURED, ["rank", "2", "", "20", "300", "", ""], ["rank", "4", "", "15.5", "500", "", ""],
                   ["gift", "1", "", "20", "300", "", ""], ["gift", "2", "", "20", "400", "", ""],
                   ["slow", "1", "", "20", "1000", "", ""], ["slow", "4", "", "40", "5000", "", ""]])
    company.publish()
    company.books()

    it("finds the cheapest measured count within the limit, beside the one with the highest throughput")
    # 8 replicas: (8 · 2.10 + 9) ÷ (3600 · 2600) · 10^6 = 25.80 ÷ 9.36 = 2.756410; 16: 42.60 ÷ 14.04
    # = 3.034188, 10.1 % more, at 430 ms
    chat = company.fleets()["chat"]
    equals(("found", 8, "2.756410", 16, "3.034188"), tuple(chat[name] for name in (
        "outcome", "cheapest_replicas", "cost_per_million_tokens", "highest_throughput_replicas", "its_cost_per_million_tokens")))
    equals("chat: a million output tokens cost 2.7564 USD on 8 replicas, the cheapest within 400 ms at p95; 16, with the highest throughput, "
           "cost 3.0342 (10.1 % more) at 430 ms, past the limit. Only measured counts are compared: 4, 8, 16", chat["sentence"])

    # free of charge, nothing is so many percent of nothing; (4 · 1) ÷ (3600 · 5000) · 10^6 is 20 %
    # less than 1 ÷ (3600 · 1000) · 10^6
    equals("gift: a million output tokens cost 0.0000 USD on 1 replica, the cheapest without a latency limit; 2, with the highest throughput, "
           "cost 0.0000. Only measured counts are compared: 1, 2", company.fleets()["gift"]["sentence"])
    equals("slow: a million output tokens cost 0.2778 USD on 1 replica, the cheapest within 30 ms at p95; 4, with the highest throughput, "
           "cost 0.2222 (20.0 % less) at 40 ms, past the limit. Only measured counts are compared: 1, 4", company.fleets()["slow"]["sentence"])

    it("says in one line that no count meets the limit, or that nothing was measured at the fleet's percentile")
    text = company.kstar("report", "units").stdout
    assert "  rank: no measured replica count (2, 4) is within 10 ms at p95; the quickest, 4, takes 15.5 ms\n" in text, text
    assert "  quiet: no replica count is measured at p99.9 in this month (serving_measurements.csv)\n" in text, text
    equals(["A", "B"], sorted({row["cost_centre"] for row in company.fleets().values()}))

    it("shows one cost centre its own alone, at the terminal as in its workbook")
    equals({"chat"}, set(company.fleets("--cost-centre", "A")))
    equals({"chat"}, {row["fleet"] for row in company.answer("--cost-centre", "A")["serving_counts"]})
    text = b"".join(content for name, content in workbooks.parts(company.out / "data-2026-09-A.xlsx").items() if name.endswith(".xml"))
    assert b"chat: a million" in text and b"rank:" not in text and b"quiet" not in text

    it("recalculates to the same figures")
    path = company.out / "data-2026-09.xlsx"
    book = workbooks.values(path)
    equals([(4, 17.4, 3.222222), (8, 25.8, 2.75641), (16, 42.6, 3.034188)],
           [(row["Replicas"], round(row["Cost per hour"], 9), row["Cost per million tokens"])
            for row in workbooks.table(book, "Serving fleets", "Tokens per second") if row["Fleet"] == "chat"])
    found, count = workbooks.differences(path, workbooks.recalculated([path], WORK / "scratch")[0])
    assert not found and count > 0, found[:10]
    return company


def closed(company):
    it("keeps a closed month as it was; a measurement of a later day is the later month's")
    company.kstar("close", "2026-09", "--accept-incomplete", "the case ends here")
    company.books()
    before = (company.out / "data-2026-09.xlsx").read_bytes()
    company.bill(["10-30 00:00", "11-01 00:00", "10.00", "i-1", "48", "Hours", "", "team=a"], month="2026-10")
    company.serve(CHAT, [*(row[:5] + ["", "2026-10-01"] for row in CHAT_MEASURED), ["chat", "3", "", "390", "2000", "2026-10-01", ""]])
    company.publish()
    company.books()
    equals(before, (company.out / "data-2026-09.xlsx").read_bytes())
    equals((8, 3), tuple(company.fleets("--period", month)["chat"]["cheapest_replicas"] for month in ("2026-09", "2026-10")))


def from_the_bill():
    it("takes the price of a replica from the bill: discounts are in it, unused hours are not, repeated time counts once")
    company = Company("bill")
    company.bill(["8 00:00", "8 10:00", "30.00", "i-1", "10", "Hours", "gpu", "fleet=chat-a team=a"],
                 # a discount repeats the time
                 ["8 00:00", "8 10:00", "-6.00", "i-1", "10", "Hours", "gpu", "fleet=chat-a team=a"],
                 # another SKU, the same time
                 ["8 00:00", "8 10:00", "5.00", "i-1", "600", "Minutes", "disk-hours", "fleet=chat-a team=a"],
                 ["8 10:00", "8 12:00", "8.00", "i-2", "2", "Hours", "gpu", "fleet=chat-b team=a"],
                 # no time: a fee
                 ["8 10:00", "8 11:00", "2.00", "i-2", "1", "GB", "net", "fleet=chat-b team=a"],
                 ["8 00:00", "9 00:00", "96.00", "", "48", "Hours", "many", "fleet=bulk team=a", "", "", "in bulk"],  # two nodes
                 ["8 12:00", "8 14:00", "7.00", "i-2", "2", "Hours", "gpu", "fleet=chat-b team=a", "plan", "Unused"],
                 ["8 00:00", "8 10:00", "1000.00", "i-9", "10", "Hours", "gpu", "team=b"])
    rows = [[name, "A", "", "tag:fleet", pattern, nodes, "", "", "", "", ""] for name, pattern, nodes in (
        ("chat", "chat-*", "2"), ("bulk", "bulk", ""), ("none", "gone", ""), ("half", "bulk", "0.5"))]
    by = [["by node", "A", "", "resource_id", "i-2", "", "", "", "", "", ""], ["by words", "A", "", "charge_description", "* bulk", "", "", "", "", "", ""]]
    company.serve([*rows, *by], [["none", "2", "", "20", "300", "", ""]])
    company.publish()
    # i-1: 30 − 6 + 5 for 10 hours; i-2: 8 for 2 hours. Two nodes a replica.
    equals({"chat": rounded(Fraction(37, 12) * 2, 12), "bulk": Fraction(2), "half": Fraction(1), "by node": Fraction(4), "by words": Fraction(2), "none": None},
           company.prices())
    equals("none: nothing says what a replica costs: no hours of tag:fleet gone on the bill", company.fleets()["none"]["sentence"])

    it("takes of a node whose lines say no time what the inventory says of it")
    company = Company("brief")
    # 12 minutes of the hour: 0.50 + 0.30 are 4.00 an hour; the two lines of its cores say the same
    # 12 minutes
    company.reference("nodes", [["cluster", "node", "resource_id", "valid_from", "valid_to"],
                                ["c", "n1", "vm-1", "2026-09-08T10:00:00Z", "2026-09-08T10:12:00Z"]])
    company.bill(["8 10:00", "8 11:00", "0.50", "vm-1", "8", "vCPU-Hours", "cores", "fleet=brief team=a"],
                 ["8 10:00", "8 11:00", "0.30", "vm-1", "4.8", "vCPU-Hours", "cores", "fleet=brief team=a"],
                 ["8 12:00", "8 13:00", "3.00", "vm-2", "8", "vCPU-Hours", "cores", "fleet=unknown team=a"],
                 ["8 10:00", "8 11:00", "2.00", "vm-3", "1", "Hours", "box", "fleet=licensed team=a"],
                 ["8 11:00", "8 12:00", "2.00", "vm-3", "1", "Hours", "box", "fleet=licensed team=a"],
                 ["8 10:00", "8 12:00", "2.00", "vm-3", "2", "Hours", "licence", "fleet=licensed team=a"])
    company.serve([[name, "A", "", "tag:fleet", name, "", "", "", "", "", ""] for name in ("brief", "unknown", "licensed")], [])
    company.publish()
    # vm-2 is in no inventory: its whole hour. vm-3's licence of two hours says those of its box
    # again: 6.00 for two
    equals({"brief": Fraction(4), "unknown": Fraction(3), "licensed": Fraction(3)}, company.prices())


def corrected():
    it("omits a correction of another month's hours: those hours have their price in the month that billed them")
    company = Company("corrected")
    fleets = ("chat", "gone", "own", "account")
    company.serve([[name, "A", "", "tag:fleet", name, "", "", "", "", "", ""] for name in fleets], [])
    company.bill(*(["1 00:00", "10-01 00:00", "1440.00", f"i-{name}", "720", "Hours", "", f"fleet={name} team=a"] for name in fleets))
    company.publish()
    equals({name: Fraction(2) for name in fleets}, company.prices())

    def line(name, start, end, cost, hours, resource=None, is_correction=True):
        return [start, end, cost, f"i-{name}" if resource is None else resource, hours, "Hours", "", f"fleet={name} team=a",
                "", "", "", "Correction" if is_correction else ""]

    # 1,488.00 for October's 744 hours are 2.00 an hour. September is taken back and billed anew at
    # half of it. Node i-gone has no hours in October, and its fleet has those of i-other. Of
    # October's own hours 74.40 are taken back of a node, and 37.20 of no node by name: 1,450.80.
    company.bill(line("chat", "10-01 00:00", "11-01 00:00", "1488.00", "744", is_correction=False),
                 line("chat", "1 00:00", "10-01 00:00", "-1440.00", "-720"), line("chat", "1 00:00", "10-01 00:00", "720.00", "720"),
                 line("gone", "10-01 00:00", "11-01 00:00", "1488.00", "744", "i-other", False), line("gone", "1 00:00", "10-01 00:00", "-100.00", "-50"),
                 line("own", "10-01 00:00", "11-01 00:00", "1488.00", "744", is_correction=False),
                 line("own", "10-01 00:00", "10-02 00:00", "-74.40", "-37.2"),
                 line("account", "10-01 00:00", "11-01 00:00", "1488.00", "744", is_correction=False),
                 line("account", "10-05 00:00", "10-06 00:00", "-37.20", "-18.6", ""), line("account", "5 00:00", "6 00:00", "-200.00", "-100", ""),
                 month="2026-10")
    company.publish()
    equals({"chat": Fraction(2), "gone": Fraction(2), "own": rounded(Fraction("1413.6") / 744, 12), "account": rounded(Fraction("1450.8") / 744, 12)},
           company.prices("2026-10"))


def at_random():
    it("chooses among random fleets what Python chooses in fractions")
    dice, company = random.Random(20260908), Company("random")
    company.bill(["30 00:00", "10-01 00:00", "10.00", "i-1", "24", "Hours", "", "team=a"])
    fleets, measured, expected = [], [], {}
    for number in range(60):
        name, price, fixed = f"fleet {number:02}", Fraction(dice.randrange(0, 900), 100), Fraction(dice.randrange(0, 3000), 100)
        limit = dice.choice([None, dice.randrange(50, 500)])
        fleets.append([name, "A", f"{float(price):.2f}", "", "", "", f"{float(fixed):.2f}", "", limit or "", "", ""])
        sizes = {}
        for replicas in dice.sample(range(1, 40), dice.randrange(1, 9)):
            tokens, latency = Fraction(dice.randrange(1000, 90000) * (1 if dice.random() < 0.7 else replicas), 10), dice.randrange(40, 600)
            sizes[replicas] = tokens, latency, million(price, fixed, replicas, tokens)
            measured.append([name, str(replicas), "", str(latency), f"{float(tokens):.1f}", "", ""])
        allowed = [replicas for replicas, (_, latency, _) in sizes.items() if limit is None or latency <= limit]
        cheapest = min(allowed, key=lambda replicas: (sizes[replicas][2], replicas), default=None)
        highest = max(sizes, key=lambda replicas: (sizes[replicas][0], -replicas))
        expected[name] = ("found" if allowed else "limit not met", cheapest, cheapest and rounded(sizes[cheapest][2]), highest,
                          rounded(sizes[highest][2]))
    company.serve(fleets, measured)
    company.publish()
    found = {name: (row["outcome"], row["cheapest_replicas"], row["cost_per_million_tokens"] and Fraction(row["cost_per_million_tokens"]),
                    row["highest_throughput_replicas"], Fraction(row["its_cost_per_million_tokens"])) for name, row in company.fleets().items()}
    equals(expected, found)
    assert {row[0] for row in expected.values()} == {"found", "limit not met"} and any(row[1] not in (None, row[3]) for row in expected.values())


def rows_of(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def node_price(lines, rate_of, wanted):
    """What an hour of the nodes of these lines costs: by fixtures/expected's reading of the
    bills."""
    seconds_of, slots, cost, corrections = {"Hours": 3600, "Days": 86400}, {}, Fraction(0), []
    for line in lines:
        unit = line.consumed_unit or line.pricing_unit
        if not (wanted(line) and line.category == "Usage" and line.service_category == "Compute" and line.status != "Unused"
                and unit in seconds_of and not line.quarantined):
            continue
        amount = Fraction(line.effective) * rate_of[line.source, line.invoice_id or ""]
        if line.charge_class == "Correction":
            corrections.append((line, amount))
            continue
        cost += amount
        if line.billed >= 0 and line.effective >= 0:
            quantity = line.consumed if line.consumed_unit else line.priced
            skus = slots.setdefault((line.source, line.resource, line.start, line.end), {})
            skus.setdefault(line.sku, []).append(Fraction(quantity) * seconds_of[unit])
    for line, amount in corrections:  # of hours that this statement has
        hours = [(start, end) for (_, resource, start, end) in slots if resource == line.resource]
        if hours and line.end > min(start for start, _ in hours) and line.start < max(end for _, end in hours):
            cost += amount
    seconds = sum(max(sum(times) if sum(times) <= end - start else max(times) for times in skus.values())
                  for (_, _, start, end), skus in slots.items())
    return cost * 3600 / seconds


def fixtures():
    it("agrees with what Python makes of the fixtures' bills, in two currencies")
    source = SOURCES / "fixtures" / "inbox"
    company = Company("fixtures", source)
    company.publish()
    lines = fixtures_inbox.read(source).lines
    rate_of = {(row["source"], row["invoice_id"]): Fraction(row["exchange_rate"])
               for row in rows_of(SOURCES / "fixtures" / "expected" / "invoices.csv")}
    price = {"dialogue": rounded(node_price(lines, rate_of, lambda line: line.sku == "TRN8H"), 12),
             "ranker": rounded(node_price(lines, rate_of, lambda line: line.source == "fjordhall") / 2, 12), "voice": Fraction("4.10")}
    equals(price, company.prices())
    fixed = {"dialogue": Fraction("14.50"), "ranker": 0, "voice": Fraction("2.25")}
    sizes = {(row["fleet"], int(row["replicas"])): rounded(million(price[row["fleet"]], fixed[row["fleet"]], int(row["replicas"]),
                                                                   Fraction(row["tokens_per_second"])))
             for row in rows_of(source / "reference" / "serving_measurements.csv") if row["latency_percentile"] != "50"}
    answer = company.answer()
    equals(sizes, {(row["fleet"], row["replicas"]): Fraction(row["cost_per_million_tokens"]) for row in answer["serving_counts"]})
    equals({("dialogue", "found"), ("ranker", "found"), ("voice", "limit not met")}, {(row["fleet"], row["outcome"]) for row in answer["serving"]})


def refusals():
    it("says what is wrong with the files")
    company = Company("refusals")
    fleet, size = ["chat", "A", "2.10", "", "", "", "", "", "", "", ""], ["chat", "4", "", "380", "1500", "", ""]
    for rows, sizes, message in (
            ([["chat", "A", "", "", "", "", "", "", "", "", ""]], [], "serving_fleets.csv, line 2, column price_per_replica_hour: give either"),
            ([["chat", "A", "1", "tag:fleet", "x", "", "", "", "", "", ""]], [], 'column price_per_replica_hour: "1" give either'),
            ([["chat", "A", "", "tag:fleet", "", "", "", "", "", "", ""]], [], "column price_per_replica_hour: give either"),
            ([["chat", "Z", "1", "", "", "", "", "", "", "", ""]], [], '"Z" is no cost centre of cost_centres.csv'),
            ([["chat", "A", "1", "", "", "", "", "100.1", "", "", ""]], [], 'column latency_percentile: "100.1" is above 100'),
            ([["chat", "A", "1", "", "", "0", "", "", "", "", ""]], [], 'column nodes_per_replica: "0"'),
            ([fleet], [["other", *size[1:]]], '"other" is no fleet of serving_fleets.csv'),
            ([fleet], [["chat", "0", *size[2:]]], 'column replicas: "0"'),
            ([fleet], [["chat", "4", "", "380", "0", "", ""]], 'column tokens_per_second: "0"'),
            ([fleet], [size, ["chat", "4", "95", "370", "1400", "2026-09-02", ""]], "serving_measurements.csv, line 3: ")):
        company.serve(rows, sizes)
        done = company.kstar("ingest", "reference", company.inbox / "reference", code=3)
        assert message in done.stderr, (message, done.stderr)


closed(by_hand())
from_the_bill()
corrected()
at_random()
fixtures()
refusals()
print("ok")
