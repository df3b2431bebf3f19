"""Budgets: spent and forecast worked out by hand, crossings reported once, their exit code, JSON
lines, refusals, a closed month."""

import json
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import workbooks
from company import BILL, CLEAN, Company
from saying import equals, it, processor_seconds, sql

BUDGETS = ["cost_centre", "month", "amount", "spent_thresholds", "forecast_thresholds"]
ATTENTION, CROSSED = 4, 8


class Budgeted(Company):
    """With a file to which the hook adds the line that it is given."""

    def __init__(self, name):
        super().__init__(name)
        self.reported_file = WORK / name / "sent ' alerts"
        os.environ["ALERTS"] = str(self.reported_file)

    def night(self, code=CLEAN, hook='cat >>"$ALERTS"'):
        return self.kstar("nightly", self.inbox, "--out", self.out, *(("--on-alert", hook) if hook else ()), code=code).stdout

    def reported(self):
        """The crossings that the hook received, in its order."""
        if not self.reported_file.exists():
            return []
        lines = [json.loads(line, parse_float=Decimal) for line in self.reported_file.read_text(encoding="utf-8").splitlines()]
        return [(line["cost_centre"], line["measure"], line["threshold"]) for line in lines]

    def lines(self, *arguments, code=CLEAN):
        printed = self.kstar("budget", "--json", *arguments, code=code).stdout.splitlines()
        return [json.loads(line, parse_float=Decimal) for line in printed]

    def standing(self, code=CLEAN, period="2026-09"):
        """(budget, spent, forecast) by cost centre."""
        return {line["cost_centre"]: tuple(line[name] if line[name] is None else str(line[name]) for name in ("budget", "spent", "forecast"))
                for line in self.lines("--period", period, code=code) if line["kind"] == "budget"}


def september(usage_of_a, usage_of_b=("200.00", "80.00", "0.00", "-20.00")):
    """Half of September: 15 of 30 days. A: usage in three lines and support for the whole month; B:
    usage and a credit."""
    weeks = [("1 00:00", "8 00:00"), ("8 00:00", "15 00:00"), ("15 00:00", "16 00:00")]
    lines = [(*week, "Usage", cost, "team=a", "Servers") for week, cost in zip(weeks, usage_of_a)]
    lines += [(*week, "Usage", cost, "team=b", "Servers") for week, cost in zip(weeks, usage_of_b)]
    return [*lines, ("15 00:00", "16 00:00", "Credit", usage_of_b[3], "team=b", "Servers"),
            ("1 00:00", "10-01 00:00", "Usage", "100.00", "team=a", "Support"),
            ("3 00:00", "3 01:00", "Purchase", "77.00", "team=p", "Marketplace")]


def crossings():
    company = Budgeted("crossings")
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "1000", "50 80", "100"], ["B", "2026-09", "500.00", "", ""],
                                  ["C", "2026-09", "0", "none", ""], ["A", "2026-10", "1200", "", ""]])
    company.bill(*september(["200.00", "200.00", "50.00"]))

    it("ends the night with 8 and passes each crossing to the hook once: a threshold that is met is crossed")
    summary = company.night(CROSSED)
    # A: 450 of usage in half of the month and 100 for all of it: 550 spent, 450 × 2 + 100 = 1000
    # forecast. B: 200 + 80 - 20 = 260, and 520 of 500 by the end of the month. C spends nothing. P
    # has no budget; what it bought is bought.
    reported = [("A", "spent", 50), ("A", "forecast", 100), ("B", "forecast", 100)]
    equals(reported, company.reported())
    equals({"A": ("1000.00", "550.00", "1000.00"), "B": ("500.00", "260.00", "520.00"), "C": ("0.00", "0.00", "0.00"),
            "P": ("None", "77.00", "77.00")},
           {centre: tuple(map(str, values)) for centre, values in company.standing(CROSSED).items()})

    it("names them in the summary, with who has no budget")
    for words in ("budgets     USD 810.00 of 1,500.00 spent, 1,520.00 by the month's end; without a budget: P",
                  "alert       A: spent 550.00 of 1,000.00, past 50 % (new)", "alert       A: forecast 1,000.00 of 1,000.00, past 100 % (new)",
                  "alert       B: forecast 520.00 of 500.00, past 100 % (new)"):
        assert words in summary, (words, summary)
    equals(3, summary.count("  alert  "))

    it("gives the hook one line of JSON on its standard input, and nothing in its arguments")
    first = json.loads(company.reported_file.read_text(encoding="utf-8").splitlines()[0], parse_float=Decimal)
    assert len(first.pop("run_id")) == 16
    equals({"kind": "alert", "period": "2026-09", "cost_centre": "A", "name": "Team A", "measure": "spent", "threshold": 50,
            "amount": Decimal("550.00"), "budget": Decimal("1000.00"), "percent": Decimal("55.0"), "currency": "USD",
            "statement": "Preliminary", "as_of": "2026-09-16T00:00:00Z"}, first)

    sheets(company)

    it("says nothing the next night, and nothing where nothing crosses")
    summary = company.night()
    equals(reported, company.reported())
    assert "past 50 %" in summary and "(new)" not in summary, summary

    it("forgets a crossing that is below its threshold again, and reports the next one anew")
    company.bill(*september(["200.00", "130.00", "50.00"]))  # 480 spent; 380 × 2 + 100 = 860
    company.night()
    equals(reported, company.reported())
    equals(("1000.00", "480.00", "860.00"), company.standing(CROSSED)["A"])
    company.bill(*september(["200.00", "200.00", "50.00"]))
    company.night(CROSSED)
    reported += [("A", "spent", 50), ("A", "forecast", 100)]
    equals(reported, company.reported())

    it("reports the next threshold alone")
    company.bill(*september(["400.00", "200.00", "100.00"]))  # 800 spent: 80 %
    company.night(CROSSED)
    reported += [("A", "spent", 80)]
    equals(reported, company.reported())

    it("keeps an alert whose hook fails, says so, and reports the alert the next time")
    # B: 400, 80 %
    company.bill(*september(["400.00", "200.00", "100.00"], ("300.00", "120.00", "0.00", "-20.00")))
    summary = company.night(ATTENTION, hook='cat >/dev/null; exit 3')
    assert "waits       hook cat >/dev/null; exit 3: exit code 3 (2026-09 B: spent past 80 %)" in summary, summary
    assert "alert       B: spent 400.00 of 500.00, past 80 % (new)" in summary, summary
    equals(reported, company.reported())
    company.night()
    reported += [("B", "spent", 80)]
    equals(reported, company.reported())
    company.night()
    equals(reported, company.reported())

    it("prints a table, and ends with 8 while a threshold is crossed")
    table = company.kstar("budget", code=CROSSED).stdout
    assert [line.split() for line in table.splitlines()][1:3] == [
        "period cost centre name statement currency budget spent spent percent forecast forecast percent crossed".split(),
        "2026-09 A Team A Preliminary USD 1000.00 800.00 80.0 1500.00 150.0 spent 50, 80 %; forecast 100 %".split()], table
    assert table.splitlines()[-1].split()[-2:] == ["not", "budgeted"], table
    lines = company.lines(code=CROSSED)
    equals({"A": True, "B": True, "C": False, "P": False}, {line["cost_centre"]: line["is_crossed"] for line in lines if line["kind"] == "budget"})
    equals({"A", "B"}, {line["cost_centre"] for line in lines if line["kind"] == "alert"})

    it("calls hooks from the command as well, for crossings that no night reported")
    company.kstar("model", code=CLEAN)
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "500", "", ""], ["B", "2026-09", "500.00", "", ""]])
    company.kstar("ingest", "reference", company.inbox / "reference")
    company.kstar("model", "--period", "2026-09")
    company.kstar("budget", "--on-alert", 'cat >>"$ALERTS"', code=CROSSED)
    reported += [("A", "spent", 100)]  # 80 and the forecast's 100 are as they were
    equals(reported, company.reported())
    company.kstar("budget", "--on-alert", "exit 1", code=CROSSED)
    company.night(CROSSED)  # the night's own exit code reports what only the command had reported
    equals(reported, company.reported())

    it("shows the budgets of a month without a statement, and says where there are none")
    company.reference("budgets", [BUDGETS, ["A", "2026-10", "1200", "", ""], ["A", "2027-01", "100.125", "", ""]])
    company.reference("settings", [["parameter", "value", "valid_from"], ["statement_currency", "KWD", "2027-01-01"]])
    company.night()
    equals({"A": ("1200.00", None, None)}, company.standing(period="2026-10"))
    # dinars have three digits
    equals({"A": ("100.125", None, None)}, company.standing(period="2027-01"))
    equals([], company.lines())
    assert "2026-09: no budgets" in company.kstar("budget").stdout
    assert "without a budget" not in company.night()

    it("has no budgets on the summary where there are none")
    assert "Budget" not in str([row for row in workbooks.values(company.out / "chargeback-2026-09.xlsx")["Summary"].iter_rows(values_only=True)])


def rows_of(sheet, heading):
    """The rows below the heading line that begins with these columns, up to the total, and that."""
    grid = list(sheet.iter_rows(values_only=True))
    start = next(i for i, row in enumerate(grid) if row[0] == heading)
    header = next(i for i in range(start, len(grid)) if grid[i][0] == "Cost centre")
    end = next(i for i in range(header, len(grid)) if grid[i][0] == "Total")
    return [dict(zip(grid[header], row)) for row in grid[header + 1:end + 1]]


def sheets(company):
    it("shows the same on the summary, by live formulas, and what has no budget")
    chargeback = company.out / "chargeback-2026-09.xlsx"
    for book in (workbooks.Book(chargeback), *workbooks.recalculated([chargeback], WORK / "calc")):
        sheet = book["Summary"]
        shown = [[row[name] for name in ("Cost centre", "Name", "Budget", "Spent", "Left", "Of budget", "Forecast", "Forecast of budget",
                                         "Thresholds crossed")] for row in rows_of(sheet, "Budgets, the largest share spent first")]
        equals([["A", "Team A", 1000, 550, 450, 0.55, 1000, 1, "spent 50 %; forecast 100 %"],
                ["B", "Team B", 500, 260, 240, 0.52, 520, 1.04, "forecast 100 %"],
                ["C", "Team C", 0, 0, 0, None, 0, None, None],
                ["Total", None, 1500, 810, 690, None, 1520, None, None]], shown)
        equals([("P", 77, 77), ("Total", 77, 77)],
               [(row["Cost centre"], row["Spent"], row["Forecast"]) for row in rows_of(sheet, "Cost without a budget")])

    it("gives a cost centre its own row and nobody else's; without a budget it has no such table")
    own = workbooks.values(company.out / "chargeback-2026-09-A.xlsx")["Summary"]
    equals(["A", "Total"], [row["Cost centre"] for row in rows_of(own, "Budgets, the largest share spent first")])
    # a run id may hold any digits
    texts = {str(cell.value) for row in own.iter_rows() for cell in row if " · run " not in str(cell.value)}
    assert any("budget" in text.lower() for text in texts), texts
    assert not any(word in text for text in texts for word in ("Team B", "Team C", "Team P", "520", "260", "77")), texts
    assert "Thresholds crossed" not in str([*workbooks.values(company.out / "chargeback-2026-09-P.xlsx")["Summary"].iter_rows(values_only=True)])

    it("writes the same bytes again")
    before = {path.name: path.read_bytes() for path in company.out.glob("*.xlsx")}
    company.kstar("report", "chargeback", "--period", "2026-09", "--out", company.out)
    equals(before, {path.name: path.read_bytes() for path in company.out.glob("*.xlsx")})


def forecasts():
    """Two sources that end on different days, a pool, tax, a correction, engineering time."""
    company = Budgeted("forecasts")
    company.reference("pools", [["pool", "component", "owner", "split"], ["support", "shared_services", "P", "fixed"]])
    company.reference("pool_rules", [["priority", "match", "pattern", "pool"], ["1", "service_name", "Plan", "support"],
                                     ["2", "service_name", "Logs", "support"]])
    company.reference("pool_weights", [["pool", "cost_centre", "weight"], ["support", "A", "1"], ["support", "B", "3"]])
    company.reference("budgets", [BUDGETS, *([centre, "2026-09", "1000", "none", "none"] for centre in "ABC")])
    company.bill(("1 00:00", "2 00:00", "Usage", "90.00", "team=a", "Servers"), ("9 00:00", "11 00:00", "Usage", "30.00", "team=a", "Servers"),
                 ("1 00:00", "10-01 00:00", "Usage", "80.00", "", "Plan"), ("1 00:00", "2 00:00", "Usage", "40.00", "", "Logs"),
                 ("1 00:00", "10-01 00:00", "Tax", "24.00", "", "Tax"))
    company.bill(("1 00:00", "7 00:00", "Usage", "60.00", "team=a", "Servers"), ("7 00:00", "7 12:00", "Usage", "5.00", "team=b", "Servers"),
                 ("2 00:00", "3 00:00", "Adjustment", "11.00", "team=a", "Servers"), source="other", InvoiceId="INV-2")
    company.reference("engineering", [["name", "cost_centre", "hours", "hourly_rate", "currency", "carrier", "valid_from", "valid_to"],
                                      ["tuning", "A", "10", "30", "USD", "P", "2026-09-01", "2026-10-01"]])
    case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList"], ["1", "a", "1 00:00", "1 06:00", "n1"]], company.inbox)
    company.publish()
    it("carries each source on from its own end, and what is known for the month as it is")
    # cloud ends at 11 September: 10 of 30 days, × 3; other at 7 September 12:00: 6.5 days, ×
    # 60/13. cloud, A: 120 of servers × 3 = 360; of the pool (80 known, 40 × 3) a quarter: 50; tax
    # 24 by what is billed without it, 240: of it A has 150, 15.00. Of A's 150 the plan's 20 are
    # known: tax's 2/15, so 2 + 13 × 3 = 41.  360 + 50 + 41 = 451 other, A: 60 × 60/13 = 276.923; 11
    # as it is.  300 of engineering time are there from the first day.  Together 1,038.92 B: of the
    # pool 60 + 90 = 150; tax 9.00, of which 60/90 is known: 6 + 3 × 3 = 15; 5 × 60/13 = 23.08.
    # 188.08
    spent_a, spent_b = Decimal("150.00") + 15 + 60 + 11 + 300, Decimal("90.00") + 9 + 5
    equals({"A": ("1000.00", str(spent_a), "1038.92"), "B": ("1000.00", str(spent_b), "188.08"), "C": ("1000.00", "0.00", "0.00")},
           company.standing())

    it("has a budget of nothing crossed by any cost, and none crossed by a credit")
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "0", "100", "none"], ["C", "2026-09", "0", "1", "1"], ["P", "2026-09", "10", "1", "1"]])
    company.bill(("1 00:00", "2 00:00", "Credit", "-50.00", "team=p", "Servers"), ("2 00:00", "3 00:00", "Usage", "5.00", "team=p", "Servers"),
                 source="third")
    company.night(CROSSED)
    equals([("A", "spent", 100)], company.reported())
    equals(("10.00", "-45.00", "-675.00"), company.standing(CROSSED)["P"])  # × 30/2
    equals(None, next(line for line in company.lines(code=CROSSED) if line["kind"] == "alert")["percent"])

    it("keeps what the bill calls one-time as it is")
    # 14 days of 50.00 make 30 × 50.00; of the credit there is one, and of the set-up.  1500 − 300 +
    # 20
    company = Budgeted("once")
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "1200", "none", "100"], ["B", "2026-09", "1200", "none", "none"]])
    days = [(f"{day} 00:00", f"{day + 1} 00:00", "Usage", "50.00", "team=a", "Servers", "Usage-Based") for day in range(1, 15)]
    once = [("6 00:00", "7 00:00", "Credit", "-300.00", "team=a", "Servers", "One-Time"),
            ("6 00:00", "7 00:00", "Usage", "20.00", "team=a", "Servers", "One-Time")]
    case_page.write_input(["bill", "cloud", "2026-09"], [[*BILL, "ChargeFrequency"], *days, *once], company.inbox)
    company.bill(("1 00:00", "10-01 00:00", "Usage", "100.00", "team=b", "Support"), ("15 00:00", "16 00:00", "Credit", "-1.00", "team=b", "Servers"),
                 ("15 00:00", "16 00:00", "Usage", "0.00", "team=b", "Servers"), ("1 00:00", "10-01 00:00", "Tax", "19.80", "", "Tax"),
                 source="other", InvoiceId="INV-2")
    company.night(CROSSED)
    standing = company.standing(CROSSED)
    equals(("1200.00", "420.00", "1220.00"), standing["A"])
    equals([("A", "forecast", 100)], company.reported())

    it("does not carry tax on where all that it taxes is known and a small credit goes on beside it")
    equals(("1200.00", "118.80", "117.80"), standing["B"])  # 100 - 1 × 2 + 19.80

    it("counts the days of a bill whose month turns in another time zone by its own clocks, and nothing is to come of a whole one")
    company = Budgeted("zone")
    company.reference("sources", [["source", "kind", "format", "time_zone"], ["cloud", "billing", "focus", "Asia/Tokyo"]])
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "721", "none", "100"]])
    in_tokyo = [(f"{start} 15:00", f"{end} 15:00", "Usage", "24.00", "team=a", "Servers")
                for start, end in zip(["08-31", *range(1, 30)], range(1, 31))]
    for days, spent in ((15, "360.00"), (30, "720.00")):
        company.bill(*in_tokyo[:days], BillingPeriodStart="2026-08-31T15:00:00Z")
        company.night()
        equals(("721.00", spent, "720.00"), company.standing()["A"])

    it("carries nothing on after a later bill: nobody waits for more of this one")
    company = Budgeted("later")
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "100", "none", "100"]])
    company.bill(("1 00:00", "7 00:00", "Usage", "60.00", "team=a", "Servers"))
    company.night(CROSSED)
    equals(("100.00", "60.00", "300.00"), company.standing(CROSSED)["A"])
    company.bill(("10-05 00:00", "10-06 00:00", "Usage", "1.00", "team=b", "Servers"), month="2026-10")
    company.night()
    equals(("100.00", "60.00", "60.00"), company.standing()["A"])

    it("knows no forecast of a month of which no day is delivered")
    company = Budgeted("unknown")
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "100", "none", "none"]])
    company.bill(("08-31 00:00", "09-01 00:00", "Usage", "10.00", "team=a", "Servers"))
    summary = company.night()
    equals(("100.00", "10.00", None), company.standing()["A"])
    assert "10.00 of 100.00 spent, forecast not known" in summary, summary


def refusals():
    company = Budgeted("refusals")
    good = [BUDGETS, ["A", "2026-09", "100", "80", "100"]]
    for row, message in ((["Z", "2026-09", "1", "", ""], 'line 3, column cost_centre: "Z" is no cost centre of cost_centres.csv'),
                         (["B", "2026-13", "1", "", ""], 'line 3, column month: "2026-13" is not a month (YYYY-MM)'),
                         (["B", "2026-09-01", "1", "", ""], 'line 3, column month: "2026-09-01" is not a month (YYYY-MM)'),
                         (["B", "2026-09", "-1", "", ""], 'line 3, column amount: "-1" is below 0'),
                         (["B", "2026-09", "999999999999999999", "", ""],
                          'line 3, column amount: "999999999999999999" is beyond 9,000,000,000,000, the most that kstar can hold'),
                         (["B", "2026-09", "", "", ""], "line 3, column amount: is empty but is required"),
                         (["B", "2026-09", "1", "80%", ""], 'line 3, column spent_thresholds: "80%" is neither a list of percentages'),
                         (["B", "2026-09", "1", "", "0 80"], 'line 3, column forecast_thresholds: "0 80" is neither a list of percentages'),
                         (["A", "2026-09", "1", "", ""], 'line 3: "A, 2026-09" was declared for the same time in line 2')):
        it(f"refuses: {message}")
        company.reference("budgets", [*good, row])
        done = company.kstar("ingest", "reference", company.inbox / "reference", code=3)
        assert f"budgets.csv, {message}" in done.stderr, done.stderr
    company.reference("budgets", good)
    company.reference("settings", [["parameter", "value"], ["budget_spent_thresholds", "eighty"]])
    done = company.kstar("ingest", "reference", company.inbox / "reference", code=3)
    assert 'settings.csv, line 2, column value: "eighty" is neither a list of percentages' in done.stderr, done.stderr

    it("takes thresholds of settings.csv where the row has none")
    company.reference("settings", [["parameter", "value"], ["budget_spent_thresholds", "10 20.5"], ["budget_forecast_thresholds", "none"]])
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "100", "", ""], ["B", "2026-09", "100", "", "20"]])
    company.bill(("1 00:00", "2 00:00", "Usage", "20.50", "team=a", "Servers"), ("1 00:00", "2 00:00", "Usage", "1.00", "team=b", "Servers"))
    company.night(CROSSED)
    equals([("A", "spent", 10), ("A", "spent", Decimal("20.5")), ("B", "forecast", 20)], company.reported())

    it("refuses an operand and an unreadable month")
    company.kstar("budget", "September", code=2)
    company.kstar("budget", "--period", "September", code=2)


def largest():
    company = Budgeted("largest")
    company.bill(("1 00:00", "2 00:00", "Usage", "20.50", "team=a", "Servers"))
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "9000000000000", "", ""], ["A", "2026-10", "9000000000000", "", ""]])
    it("holds the largest budget there may be")
    company.publish()
    equals(("9000000000000.00", "20.50"), company.standing()["A"][:2])
    equals({"A": ("9000000000000.00", "None", "None")}, {centre: tuple(map(str, row)) for centre, row in company.standing(period="2026-10").items()})

    it("names the file that makes a month's amounts more than a statement holds")
    case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList", "State"],
                                          ["1", "a", "1 00:00", "1 01:00", "n1", "COMPLETED"]], company.inbox)
    company.reference("engineering", [["name", "hours", "hourly_rate", "currency", "carrier", "valid_from", "valid_to"],
                                      ["tuning", "1000000000", "9000000000000", "USD", "P", "2026-09-01", "2026-10-01"]])
    done = company.kstar("nightly", company.inbox, "--out", company.out, code=3)
    assert "internal charge: engineering_overhead" in done.stderr and "correct engineering.csv" in done.stderr, done.stderr
    assert "bill delivered again" not in done.stderr, done.stderr


def closed():
    company = Budgeted("closed")
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "100", "50 100", "100"]])
    company.bill(("1 00:00", "5 00:00", "Usage", "40.00", "team=a", "Servers"))
    company.night(CROSSED)  # forecast 40 × 30/4 = 300
    equals([("A", "forecast", 100)], company.reported())

    it("finds the crossings that a month's close published, and reports them once")
    company.bill(("1 00:00", "5 00:00", "Usage", "40.00", "team=a", "Servers"), ("5 00:00", "6 00:00", "Usage", "15.00", "team=a", "Servers"))
    company.kstar("ingest", "billing", company.inbox / "billing" / "cloud" / "2026-09", "--source", "cloud")
    company.bill(("10-01 00:00", "10-02 00:00", "Usage", "1.00", "team=a", "Servers"), month="2026-10")
    company.kstar("ingest", "billing", company.inbox / "billing" / "cloud" / "2026-10", "--source", "cloud")
    company.kstar("close", "2026-09", "--accept-incomplete", "the cluster was shut down")
    equals([("A", "forecast", 100)], company.reported())
    assert "  alert       2026-09, closed: A: spent 55.00 of 100.00, past 50 % (new)\n" in company.night(CROSSED)
    equals([("A", "forecast", 100), ("A", "spent", 50)], company.reported())
    assert "closed: A" not in company.night()

    it("has spent what it has spent: the forecast of a closed month is its cost")
    equals(("100.00", "55.00", "55.00"), company.standing(CROSSED)["A"])

    it("keeps the budget that a month was closed with, and says of a late one when it counts")
    company.reference("budgets", [BUDGETS, ["A", "2026-09", "500", "", ""], ["A", "2026-10", "500", "", ""]])
    done = company.kstar("ingest", "reference", company.inbox / "reference")
    assert "line 2 speaks of 2026-09, which is closed" in done.stderr and "line 3" not in done.stderr, done.stderr
    equals("100.00", company.standing(CROSSED)["A"][0])


def many():
    it("shows many cost centres in time by their number, not by its square")
    subprocess.run(["kstar", "init"], stdout=subprocess.DEVNULL, check=True)
    few, lots = (seconds_of_budgets(count) for count in (2000, 8000))
    assert lots < 8 * few, (few, lots)


def seconds_of_budgets(count):
    sql(f"""DELETE FROM budget WHERE month = '2030-01';
            INSERT INTO budget SELECT 'centre ' || number, '2030-01', 100 FROM generate_series(1, {count}) AS number""")
    return processor_seconds("budget", "--period", "2030-01")


crossings()
forecasts()
refusals()
largest()
closed()
many()
