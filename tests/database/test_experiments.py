"""What to measure next: its price, and the most that it can save. The same figures stand on the
review, on the page and in kstar advise --next.

The bill and the jobs below say what everything costs, so volume, price, value and pay-back are
worked out here without kstar, from the share that knowing K* would save (family_curve.value_share).
That share is checked separately: of family `pair` an integral gives it, without any draw."""

import json
import math
import os
import re
import subprocess
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import case_page
import workbooks
from saying import equals, it, kstar, rows_of, sql

WORK = Path(os.environ["WORK"])
INBOX, OUT = WORK / "inbox", WORK / "out"
ON_DEMAND, COMMITTED = Decimal("2.00"), Decimal("1.00")  # a node-hour
PRICES = {"o": ON_DEMAND, "c": COMMITTED}
HOURS = Decimal("1.5")  # the setting
DAYS = 31 + 31 + 30  # of July, August and September

# Month, account, family, its nodes (o: on demand, c: committed), hours.
SURE = [("07", "a", "sure", "oooo", 10), ("08", "a", "sure", "oooo", 10), ("09", "a", "sure", "oooo", 10)]
OTHERS = [
    ("06", "a", "pair", "o", 400),  # before the three months
    ("07", "a", "pair", "o", 100), ("08", "b", "pair", "oc", 80), ("09", "a", "pair", "o", 10), ("09", "b", "pair", "oc", 20),
    ("07", "b", "idle", "o", 50),  # ran, but not in September: nothing asks for a measurement of it
    ("08", "b", "new", "cc", 30), ("09", "b", "new", "cc", 40),
    ("09", "a", "odd & <b>", "o", 3)]
# Pairs of one node and two: a step of work takes 0.525 times as long on two, by three runs that
# differ by a tenth. Of eight nodes nothing is known yet, but that they cannot be cheapest.
NOISE = (0.9, 1, 1.1)
PAIR = {1: 1, 2: 0.525, 4: 0.45}


def law(k):
    return (1 + (k - 1) * 0.03 + 0.0015 * k * (k - 1)) / k


def write(jobs):
    """The inbox for these jobs: each runs on the tenth of its month, on nodes of its own."""
    bills, records, nodes = {}, [], []
    for number, (month, account, family, kinds, hours) in enumerate(jobs, 1):
        day, end = f"{month}-{1 + 2 * (number % 5)} 00:00", f"{month}-{1 + 2 * (number % 5) + hours // 24} {hours % 24:02}:00"
        names = [f"n{number}x{i}" for i in range(len(kinds))]
        nodes += [["c", name, f"i-{name}"] for name in names]
        bills.setdefault(month, []).extend([day, end, f"i-{name}", str(hours), "Hours", str(PRICES[kind] * hours), "Committed" if kind == "c" else "Standard",
                                            f"INV-{month}"] for name, kind in zip(names, kinds))
        records.append([str(number), account, family, day, end, str(len(kinds)), ",".join(names)])
    case_page.write_common_reference(INBOX)
    for month, rows in bills.items():
        case_page.write_input(["bill", "cloud", f"2026-{month}"], [["ChargePeriodStart", "ChargePeriodEnd", "ResourceId", "ConsumedQuantity", "ConsumedUnit",
                                                                   "BilledCost", "PricingCategory", "InvoiceId"], *rows], INBOX)
    case_page.write_input(["jobs", "c"], [["JobID", "Account", "User", "Start", "End", "NNodes", "NodeList"], *records,
                                         ["99", "a", "nobody", "10-01 00:00", "10-01 01:00", "1", "n999"]], INBOX)
    case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], *nodes], INBOX)
    names = list(dict.fromkeys(family for _, _, family, _, _ in jobs))
    case_page.write_input(["reference", "families"], [["family", "maximum_k", "allowed_k"],
                                                     *[[name, "" if name == "pair" else "64", "1 2 8" if name == "pair" else ""] for name in names]], INBOX)
    case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"],
                                                         *[[str(n), "job_user", name, name] for n, name in enumerate(names, 1)]], INBOX)
    case_page.write_input(["reference", "settings"], [["parameter", "value"], ["experiment_hours", str(HOURS)]], INBOX)
    sure = [["sure", str(k), "run_time", repr(law(k) * off), "h"] for k in (1, 2, 4, 8, 16, 32) for off in (0.999, 1, 1.001)]
    pair = [["pair", str(k), "run_time", repr(hours * off), "h"] for k, hours in PAIR.items() for off in NOISE if "pair" in names]
    case_page.write_input(["efficiency"], [["family", "k", "metric", "value", "unit"], *sure, *pair], INBOX)


def night():
    done = subprocess.run([os.environ["KSTAR"], "nightly", str(INBOX), "--out", str(OUT)], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 4), done.stdout + done.stderr


def advised():
    return json.loads(kstar("advise", "--next", "--json").stdout)


def page(centre=""):
    return (OUT / f"page-2026-09{centre and '-' + centre}.html").read_text(encoding="utf-8")


def section(text):
    """The rows of the page's table of experiments; none without the section."""
    at = text.find('<h2 id="experiments">')
    table = text[at:text.find("</table>", at)] if at >= 0 else ""
    return [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.S) for row in table.split("<tr>")[2:]]


def cents(amount):
    return Decimal(amount).quantize(Decimal("0.01"), ROUND_HALF_UP)


def cost(jobs):
    return sum((PRICES[kind] * hours for _, _, _, kinds, hours in jobs for kind in kinds), Decimal(0))


def recent(family, *accounts):
    return [job for job in OTHERS if job[2] == family and job[0] >= "07" and job[1] in (accounts or "ab")]


it("without a statement there is nothing to advise; --next goes alone")
assert "no statement is published" in kstar("advise", "--next", code=3).stderr
assert "goes with no option but --json" in kstar("advise", "--next", "pair", code=2).stderr
assert "goes with no option but --json" in kstar("advise", "--next", "--price", 2, code=2).stderr

it("of families whose K* is sure nothing is to be measured")
write(SURE)
night()
equals({"period": "2026-09", "currency": "USD", "experiments": []}, advised())
assert kstar("advise", "--next").stdout.endswith("in USD\n  none\n"), kstar("advise", "--next").stdout
assert 'id="experiments"' not in page() and 'id="actions"' in page()
book = workbooks.values(OUT / "review-2026-09.xlsx")
assert any("Every family is measured well enough" in row for row in book["Measure next"].iter_rows(values_only=True))

write(SURE + OTHERS)
night()

it("the share that knowing K* saves is what an integral over the noise of the measurements says")
FREEDOM = len(PAIR) * (len(NOISE) - 1)
spread = math.sqrt(sum((off - 1) ** 2 for off in NOISE) * len(PAIR) / FREEDOM) * math.sqrt(2 / len(NOISE))
ratio = 2 * PAIR[2] / PAIR[1]  # C(2) / C(1), as nothing but nodes costs


def mean(value, steps=20_000, half_width=60):
    """Of value(r), where ln r has the noise of two means, by Student's t of FREEDOM degrees."""
    density = math.gamma((FREEDOM + 1) / 2) / math.sqrt(FREEDOM * math.pi) / math.gamma(FREEDOM / 2)
    width = 2 * half_width / steps
    points = (-half_width + (i + 0.5) * width for i in range(steps))
    return sum(value(ratio * math.exp(spread * t)) * density * (1 + t * t / FREEDOM) ** (-(FREEDOM + 1) / 2) * width for t in points)


shares = {int(k): Decimal(share) for k, share in rows_of("SELECT k, value_share FROM family_curve WHERE family = 'pair' AND statement_month = '2026-09-01' AND k <= 2")}
for k, of_two in ((1, lambda r: r), (2, lambda r: 1 / r)):
    without, known = min(1, mean(of_two)), mean(lambda r, of_two=of_two: min(1, of_two(r)))
    error = math.sqrt((mean(lambda r, of_two=of_two: min(1, of_two(r)) ** 2) - known ** 2) / 999)
    assert error < 0.0025 and without - known > 6 * error, (without, known, error)
    assert abs(float(shares[k]) - (without - known)) < 4 * error, (k, shares[k], without - known, error)

it("price, value and pay-back are what the bill and the jobs say")
found = advised()
equals(["2026-09", "USD"], [found["period"], found["currency"]])
equals(["pair", "new", "odd & <b>"], [row["family"] for row in found["experiments"]])
pair, new, odd = found["experiments"]


def experiment(*accounts):
    """Price and capacity of eight nodes, as these accounts paid for theirs in September."""
    jobs = [job for job in recent("pair", *accounts) if job[0] == "09"]
    paid = cents(8 * HOURS * cost(jobs) / sum(len(kinds) * hours for _, _, _, kinds, hours in jobs))
    return paid, cents(paid * sum(COMMITTED * hours * kinds.count("c") for _, _, _, kinds, hours in jobs) / cost(jobs))


price, capacity = experiment()
value = sum(cost([job]) * shares[len(job[3])] for job in recent("pair"))
weekly = value / (Decimal(DAYS) / 7)
assert 0 < capacity < price and value > 1, value
equals({"family": "pair", "run_on": 8, "hours": "1.5", "price": str(price), "cash": str(price - capacity), "capacity": str(capacity),
        "saves_at_most": str(cents(value)), "a_week": str(cents(weekly)), "payback_weeks": str((price / weekly).quantize(Decimal("0.1"), ROUND_HALF_UP)),
        "at_stake": str(cost(recent("pair"))), "next_measurement": "measure K = 8: it would tell most about how this family scales"}, pair)

it("of a family without a curve only the money at stake is known")
for row in (new, odd):
    unknown = ("run_on", "price", "cash", "capacity", "saves_at_most", "a_week", "payback_weeks")
    equals([None] * len(unknown), [row[name] for name in unknown])
    equals(str(cost(recent(row["family"]))), row["at_stake"])

it("the review and the page say the same")
rows = workbooks.table(workbooks.Book(OUT / "review-2026-09.xlsx"), "Measure next", "Saves at most")
headings = {"Run on": "run_on", "Hours": "hours", "Price": "price", "Cash": "cash", "Capacity": "capacity", "Saves at most": "saves_at_most", "A week": "a_week",
            "Pay-back, weeks": "payback_weeks", "At stake": "at_stake", "Measure": "next_measurement", "Family": "family"}


def as_read(cell):
    return None if cell is None or cell == "" else cell if isinstance(cell, str) and not cell[0].isdigit() else Decimal(str(cell))


for row, next_one in zip(rows, found["experiments"], strict=True):
    for heading, name in headings.items():
        equals(as_read(next_one[name]), as_read(row[heading]))
table = kstar("advise", "--next").stdout
assert "what to measure next, by the statement of 2026-09 and the two months before it, in USD" in table
assert all(str(next_one[name]) in table for next_one in found["experiments"] for name in next_one if next_one[name] is not None), table
equals([["pair", "measure K = 8 for 1.5 h", f"cash {price - capacity}, capacity {capacity}", pair["saves_at_most"], pair["payback_weeks"], pair["at_stake"]],
        ["new", new["next_measurement"], "", "", "", new["at_stake"]],
        ["odd &amp; &lt;b&gt;", odd["next_measurement"], "", "", "", odd["at_stake"]]], section(page()))

it("a cost centre's page has the families of its own jobs, and its own money alone")
for centre, account, others in (("A", "a", ["new"]), ("B", "b", ["odd"])):
    own = sum(cost([job]) * shares[len(job[3])] for job in recent("pair", account))
    first, *more = section(page(centre))
    its_price, its_capacity = experiment(account)
    equals(["pair", "measure K = 8 for 1.5 h", f"cash {its_price - its_capacity}" + (f", capacity {its_capacity}" if its_capacity else ""), str(cents(own)),
            str((its_price * DAYS / 7 / own).quantize(Decimal("0.1"), ROUND_HALF_UP)), str(cost(recent("pair", account)))], first)
    equals(1, len(more))
    assert not any(other in page(centre)[page(centre).find('id="experiments"'):] for other in others), (centre, more)
    assert not any(f">{pair[name]}<" in page(centre) for name in ("saves_at_most", "at_stake")), centre
    assert f"cash {pair['cash']}" not in page(centre), centre
equals([], section(page("P")) if (OUT / "page-2026-09-P.html").exists() else [])

it("a month that still runs counts up to what its data are as of")
shown = sql("""BEGIN; UPDATE statement SET as_of = '2026-09-16T00:00:00Z' WHERE statement_month = '2026-09-01';
               SELECT weekly_minor FROM next_experiments('2026-09-01', ARRAY['']) WHERE family = 'pair'; ROLLBACK""")
equals(str(cents(value / (Decimal(31 + 31 + 15) / 7)) * 100).split(".", maxsplit=1)[0], shown)

it("the same inputs give the same shares again")
before = sql("SELECT string_agg(family || k || value_share, ' ' ORDER BY family, k) FROM family_curve WHERE statement_month = '2026-09-01'")
kstar("model", "--period", "2026-09")
equals(before, sql("SELECT string_agg(family || k || value_share, ' ' ORDER BY family, k) FROM family_curve WHERE statement_month = '2026-09-01'"))
assert before.count("pair") >= 8, before

it("the setting is hours above 0")
(INBOX / "reference" / "settings.csv").write_text("parameter,value\nexperiment_hours,0\n", encoding="utf-8")
assert 'line 2, column value: "0" is not' in (refusal := kstar("ingest", "reference", INBOX / "reference" / "settings.csv", code=3).stderr), refusal
sys.exit(0)
