"""Closing: refusals, what a closed month keeps, nights that change nothing, late choices by name, a
killed close."""

import json
import os
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
import workbooks
from company import Site
from saying import expect, failures

HEADER = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags"]


class Company(Site):
    def __init__(self, name):
        super().__init__(name)
        case_page.write_common_reference(self.inbox)

    def bill(self, month, amount, tags="team=a"):
        year, number = month.split("-")
        end = f"{year}-{int(number) + 1:02}-01T00:00:00"
        case_page.write_input(["bill", "cloud", month], [HEADER, [f"{month}-01T00:00:00", end, amount, tags]], self.inbox)

    def kstar(self, *arguments):
        return subprocess.run([os.environ["KSTAR"], *arguments, "--dsn", self.dsn], capture_output=True, text=True, check=False)

    def close(self, month, *options):
        """Takes what is new; the close itself publishes it."""
        self.publish.take()
        return self.kstar("close", month, *options)

    def night(self):
        return self.kstar("nightly", self.inbox, "--out", self.out)

    def query(self, sql):
        return published.query(sql, self.dsn)

    def files(self):
        return {path.name: path.read_bytes() for path in self.out.glob("*.xlsx")}


def refusals_and_a_killed_close():
    company = Company("refusals")
    company.bill("2026-09", "100.00")
    company.publish()
    done = company.kstar("close", "2026-07")
    expect("a month without a bill cannot be closed", done.returncode == 3 and "2026-07" in done.stderr, done.stderr)
    done = company.kstar("close", "September")
    expect("a period is YYYY-MM", done.returncode == 2 and "September" in done.stderr, done.stderr)
    for delay in (0.0, 0.01, 0.03, 0.06, 0.1):
        process = subprocess.Popen([os.environ["KSTAR"], "close", "2026-09", "--dsn", company.dsn],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=delay)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    done = company.kstar("close", "2026-09")
    state = company.query("SELECT status, (SELECT count(*) FROM kstar.closure) AS closures, "
                          "(SELECT count(DISTINCT table_name) FROM kstar.frozen_reference) AS tables FROM kstar.statement")
    expect("a close killed at any moment is closed once by the next one",
           done.returncode == 0 and state == [{"status": "Final", "closures": "1", "tables": state[0]["tables"]}]
           and int(state[0]["tables"]) >= 2, str(state) + done.stderr)
    done = company.kstar("close", "2026-09")
    expect("closing again changes nothing", done.returncode == 0 and "already" in done.stdout, done.stdout + done.stderr)
    listed = company.kstar("close", "--list")
    expect("it is listed", "2026-09" in listed.stdout and "100.00" in listed.stdout, listed.stdout + listed.stderr)


def later_bills():
    """September's usage of cloud ends on the 29th; October's bill brings its first hours, and
    more with each delivery."""
    company = Company("later")
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ChargeCategory", "ServiceName", "InvoiceId"]
    # what stands to October's end from its first day on: a purchase, a month of support
    whole = [["2026-10-01T00:00:00", "2026-11-01T00:00:00", "5.00", "Purchase", "Plan", "INV-2"],
             ["2026-10-01T00:00:00", "2026-11-01T00:00:00", "5.00", "Usage", "Support", "INV-2"]]
    reasons = "the bill of cloud ends at 2026-09-29 00:00: the rest of the month is not delivered"

    def deliver(source, month, *rows):
        case_page.write_input(["bill", source, month], [columns, *rows], company.inbox)

    def ends_early():
        """What a close refuses."""
        company.publish.take()
        rows = company.query("SELECT source, billed_to FROM kstar.bill_extent('2026-09-01') WHERE billed_to < '2026-10-01'")
        return rows == [{"source": "cloud", "billed_to": "2026-09-29 00:00:00+00"}], str(rows)

    deliver("cloud", "2026-09", *([f"2026-09-{day:02}T00:00:00", f"2026-09-{day + 1:02}T00:00:00", "10.00", "Usage", "Servers", "INV-1"]
                                  for day in range(1, 29)))
    # a colocation bills by the month; whoever wrote its September took the 30th for the end
    deliver("colo", "2026-09", ["2026-09-01T00:00:00", "2026-09-30T00:00:00", "50.00", "Usage", "Rack", "INV-3"])
    deliver("colo", "2026-10", ["2026-10-01T00:00:00", "2026-10-31T00:00:00", "50.00", "Usage", "Rack", "INV-4"])
    done = company.close("2026-09")
    expect("a month whose bill ends early is open, and a later bill by the month is an end of one by the month", done.returncode == 4
           and [line.strip() for line in done.stdout.splitlines() if "the bill of" in line] == [reasons], done.stdout + done.stderr)
    first_hours = [*whole, ["2026-10-01T00:00:00", "2026-10-01T01:00:00", "1.00", "Usage", "Servers", "INV-2"]]
    deliver("cloud", "2026-10", *first_hours)
    expect("the next month's first hours are no end of it, nor is what stands to its end from the first day on", *ends_early())
    deliver("cloud", "2026-10", *first_hours, ["2026-10-05T22:00:00", "2026-10-05T23:00:00", "1.00", "Usage", "Servers", "INV-2"])
    expect("nor is an hour less than five days", *ends_early())
    settings = company.inbox / "reference" / "settings.csv"
    settings.write_text("parameter,value\nlater_bill_days,4\n", encoding="utf-8")
    company.publish.take()
    rows = company.query("SELECT source, billed_to FROM kstar.bill_extent('2026-09-01')")
    expect("how many days a setting says", rows == [], str(rows))
    settings.write_text("parameter,value\nlater_bill_days,7\n", encoding="utf-8")
    deliver("cloud", "2026-10", *first_hours, ["2026-10-05T23:00:00", "2026-10-06T00:00:00", "1.00", "Usage", "Servers", "INV-2"])
    expect("whichever way", *ends_early())
    settings.write_text("parameter,value\n", encoding="utf-8")
    done = company.close("2026-09")
    expect("five days are, where none says", done.returncode == 0, done.stdout + done.stderr)

    # A source whose usage has ceased: its later bills have a subscription and nothing else.
    company = Company("ceased")
    subscription = lambda month, end: [f"2026-{month}-01T00:00:00", f"2026-{end}-01T00:00:00", "5.00", "Purchase", "Plan", f"INV-{month}"]
    deliver("cloud", "2026-09", ["2026-09-28T00:00:00", "2026-09-29T00:00:00", "10.00", "Usage", "Servers", "INV-09"])
    deliver("cloud", "2026-10", subscription("10", "11"))
    deliver("other", "2026-09", ["2026-09-30T00:00:00", "2026-10-01T00:00:00", "10.00", "Usage", "Servers", "INV-10"])
    expect("a subscription of the month after is no end", *ends_early())
    deliver("cloud", "2026-11", subscription("11", "12"))
    done = company.close("2026-09")
    expect("the bill of the month after next is one, whatever it has", done.returncode == 0, done.stdout + done.stderr)


def missing_bills():
    """A source that had a bill of the month before and has none, a month without any bill, and a
    newer bill that waits to be let in."""
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "InvoiceId"]
    accepted = ("--accept-incomplete", "it is gone")

    def daily(company, source, month, last, cost="10.00"):
        case_page.write_input(["bill", source, f"2026-{month:02}"], [columns, *(
            [f"2026-{month:02}-{day:02}T00:00:00", f"2026-{month:02}-{day:02}T24:00:00", cost, f"{source}-{month}"] for day in range(1, last + 1))],
                              company.inbox)

    def monthly(company, month):
        case_page.write_input(["bill", "colo", f"2026-{month:02}"], [columns, [f"2026-{month:02}-01T00:00:00", f"2026-{month + 1:02}-01T00:00:00", "50.00",
                                                                             f"colo-{month}"]], company.inbox)

    def closing(company, month, *options):
        done = company.close(f"2026-{month:02}", *options)
        assert done.returncode in (0, 4), done.stderr
        return [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")] if done.returncode == 4 else "closed"

    lacks = "boreas has delivered no bill of 2026-08, as it did of 2026-07"
    company = Company("missing")
    for source in ("alder", "boreas"):
        daily(company, source, 7, 31)
    monthly(company, 7)
    expect("a first month has nothing before it to lack", closing(company, 7) == "closed")
    gone, without_bill = company.copy("gone"), company.copy("without-bill")
    daily(company, "alder", 8, 31)
    monthly(company, 9)
    reasons = closing(company, 8)
    expect("a source that had a bill of the month before is waited for; not one that bills by the month and has the month after", reasons == [lacks], reasons)
    daily(company, "boreas", 9, 4)
    company.publish.take()
    missing = company.query("SELECT source FROM kstar.bill_extent('2026-08-01') WHERE is_missing")
    expect("also while the month after has begun", missing == [{"source": "boreas"}], str(missing))
    daily(company, "boreas", 9, 5)
    daily(company, "alder", 9, 30)
    reasons = closing(company, 8)
    expect("not when that goes five days past the month's end", reasons == "closed", reasons)

    daily(gone, "alder", 8, 31)
    expect("who says that it is gone closes the month", closing(gone, 8, *accepted) == "closed"
           and "it is gone" in gone.kstar("close", "--list").stdout)
    daily(gone, "alder", 9, 30)
    reasons = closing(gone, 9)
    expect("and is not asked again", reasons == "closed", reasons)

    company = without_bill
    case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList"],
                                          ["1", "a", "2026-10-02T00:00:00", "2026-10-02T06:00:00", "n1"]], company.inbox)
    daily(company, "alder", 7, 31, "11.00")
    reasons = closing(company, 8)
    expect("a month of adjustments alone lacks the bills of the month before",
           reasons == [f"{source} has delivered no bill of 2026-08, as it did of 2026-07" for source in ("alder", "boreas", "colo")], reasons)
    closing(company, 8, *accepted)
    daily(company, "alder", 7, 31, "12.00")
    reasons = closing(company, 9)
    expect("the month after it any bill", reasons == ["no source has delivered a bill of 2026-09"], reasons)
    expect("which may be accepted, too", closing(company, 9, *accepted) == "closed")

    company = Company("held")
    for month, last in ((7, 31), (8, 31)):
        daily(company, "alder", month, last)
    company.publish.take()
    daily(company, "alder", 8, 20)
    reasons = closing(company, 7)
    expect("what is held of a later month is no reason", reasons == "closed", reasons)
    reasons = closing(company, 8)
    expect("what is held of the month is", reasons == ["billing/alder/2026-08 is held: it covers 2026-08-01 to 2026-08-21, but 2026-08-01 to 2026-09-01 "
                                                       "was there before"], reasons)
    expect("unless that is accepted", closing(company, 8, *accepted) == "closed")


def long_lines():
    """A line of a year covers no month but its own, and what begins within that year is a fact of
    it where a job can meet the line."""
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ServiceName", "ResourceId", "Tags"]
    day = ["2026-09-30T00:00:00", "2026-10-01T00:00:00", "10.00", "Servers", "", "team=a"]
    year = lambda name, resource, tags: ["2026-09-01T00:00:00", "2027-09-01T00:00:00", "365.00", name, resource, tags]
    as_of = "SELECT DISTINCT as_of FROM kstar.statement"

    company = Company("licence")
    case_page.write_input(["bill", "cloud", "2026-09"], [columns, day], company.inbox)
    done = company.close("2026-09")
    expect("the month of the licence is closed", done.returncode == 0, done.stdout + done.stderr)
    case_page.write_input(["bill", "cloud", "2026-09"], [columns, day, year("Licence", "", "team=a")], company.inbox)
    done = company.publish()
    expect("the licence makes no statement one of next year", company.query(as_of) == [{"as_of": "2026-10-01 00:00:00+00"}], str(company.query(as_of)) + done.stderr)
    done = company.kstar("status")
    expect("nor says that its source goes that far", "2026-10-01T00:00:00Z" in done.stdout and "2027" not in done.stdout, done.stdout)
    done = company.kstar("close", "2026-10")
    expect("nor is the month over that carries what it adjusts", done.returncode == 4 and "the data end at 2026-10-01 00:00: the month is not over" in done.stdout,
           done.stdout + done.stderr)
    case_page.write_input(["bill", "cloud", "2026-09"], [columns, year("Licence", "", "team=a")], company.inbox)
    company.kstar("ingest", "billing", "--accept", company.inbox / "billing" / "cloud" / "2026-09")
    company.publish()
    expect("alone it covers its month to the end", company.query(as_of) == [{"as_of": "2026-10-01 00:00:00+00"}], str(company.query(as_of)))

    company = Company("years")
    case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], ["c", "n1", "i-1"]], company.inbox)
    jobs = [["JobID", "Account", "Start", "End", "NodeList"], ["1", "a", "07-08 00:00", "07-08 06:00", "n1"],
            ["2", "a", "10-05 00:00", "10-05 06:00", "n1"]] # the records go past the months
    case_page.write_input(["jobs", "c"], jobs, company.inbox)
    years = (("07", "job", "Licence", "", "team=a", False), ("08", "node", "Support", "i-1", "team=a", True), ("09", "tag", "Storage", "", "job_id=7", True))
    for month, name, *line, _ in years:
        begin, last = f"2026-{month}-01T00:00:00", f"2026-{month}-30T00:00:00"
        case_page.write_input(["bill", "cloud", f"2026-{month}"], [columns, [last, last.replace("-30T00", "-30T12"), "10.00", "Servers", "", "team=a"],
                                                                  [begin, begin.replace("2026", "2027"), "365.00", *line]], company.inbox)
    for month, name, *_ in years:
        done = company.close(f"2026-{month}", "--accept-incomplete", "the year goes on")
        expect(f"{name}: the month is closed", done.returncode == 0, done.stdout + done.stderr)
    jobs.append(["7", "b", "11-02 00:00", "11-03 00:00", "n1"])
    case_page.write_input(["jobs", "c"], jobs, company.inbox)
    done = company.publish()
    paying = {row["month"] for row in company.query("SELECT DISTINCT to_char(adjusted_month, 'MM') AS month FROM kstar.adjustment WHERE cost_centre = 'B'")}
    for month, name, *_, is_met in years:
        expect(f"{name}: a job of the year after {'replays' if is_met else 'is no fact of'} its month",
               done.returncode == 0 and (f" event=replayed statement=2026-{month}" in done.stderr) == is_met, done.stdout + done.stderr)
        expect(f"{name}: {'which pays for its part' if is_met else 'and pays nothing'}", (month in paying) == is_met, str(paying))


def ends_of_months():
    """What ends with a month's last second, or with the last hour of the month in the source's time
    zone, ends with the month."""
    company = Company("ends")
    bills = {"inclusive": ("2026-09-30T23:59:59", "", True), "minute": ("2026-09-30T23:59:00", "", True), "hour": ("2026-09-30T23:00:00", "", False),
             "oslo": ("2026-10-01 00:00:00", "Europe/Oslo", True), "last-in-oslo": ("2026-09-30 23:59:59", "Europe/Oslo", True),
             "short-in-oslo": ("2026-09-30 23:00:00", "Europe/Oslo", False)}
    later = {"new-york": ("2026-10-01 00:00:00", "America/New_York", True)}  # no bill before it covers the month to its end in UTC
    case_page.write_csv(company.inbox / "reference" / "sources.csv", [["source", "kind", "format", "time_zone"], *(
        [name, "billing", "focus", zone] for name, (_, zone, _) in (bills | later).items())])

    def deliver(name, end):
        path = company.inbox / "billing" / name / "2026-09" / "bill.csv"
        case_page.write_input(["bill", name, "2026-09"], [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags", "InvoiceId"],
                                                          ["START", "END", "50.00", "team=a", name]], company.inbox)
        path.write_text(path.read_text().replace("START", "2026-09-30 00:00:00").replace("END", end))

    for name, (end, _, _) in bills.items():
        deliver(name, end)
    done = company.close("2026-09")
    reasons = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    expect("bills that end early keep the month open, and nothing else does", done.returncode == 4
           and len(reasons) == sum(not is_whole for _, _, is_whole in bills.values()), done.stdout + done.stderr)
    for name, (end, zone, is_whole) in bills.items():
        expect(f"a bill to {end} {zone} {'is' if is_whole else 'is not'} the whole month's",
               any(f"the bill of {name} ends at" in reason for reason in reasons) != is_whole, str(reasons))
    for name in ("hour", "short-in-oslo"):
        deliver(name, "2026-09-30 23:59:59")
    for name, (end, zone, _) in later.items():
        deliver(name, end)
        done = company.close("2026-09")
        expect(f"a bill to {end} {zone} is the whole month's", done.returncode == 0, done.stdout + done.stderr)


def all_that_there_was():
    """The only cluster was shut down within the month: no data will ever cover its end."""
    company = Company("shut")
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost"]
    accepted = ("--accept-incomplete", "the cluster was shut down on the 12th")

    def close(month, *options):
        case_page.write_input(["bill", "cloud", month], [columns, [f"{month}-11T00:00:00", f"{month}-12T00:00:00", "10.00"]], company.inbox)
        return company.close(month, *options)

    done = close("2026-09")
    expect("it is open while nobody says that this is all", done.returncode == 4 and "the month is not over" in done.stdout, done.stdout + done.stderr)
    done = close("2026-09", *accepted)
    expect("it is closed when somebody does", done.returncode == 0, done.stdout + done.stderr)
    company.bill("2026-10", "5.00")
    done = company.close("2026-10", *accepted)
    expect("a month with all its data is closed without the reason", done.returncode == 0 and "the reason of --accept-incomplete is not kept" in done.stdout,
           done.stdout + done.stderr)
    kept = [row["accepted"] for row in company.query("SELECT coalesce(accepted, 'nothing') AS accepted FROM kstar.closure ORDER BY statement_month")]
    expect("which the other has kept", kept == [accepted[1], "nothing"], str(kept))
    done = close("2062-09", *accepted)
    expect("but not before its end by the clock", done.returncode == 4 and done.stdout.count("is not over") == 1, done.stdout + done.stderr)


def withdrawn_bills():
    """A bill under a mistyped month, taken back: nothing of the month is left, and a bill of that
    month begins anew."""
    company = Company("withdrawn")

    def months():
        return [row["month"] for row in company.query("SELECT to_char(statement_month, 'YYYY-MM') AS month FROM kstar.statement ORDER BY 1")]

    def withdraw(month):
        bill = company.inbox / "billing" / "cloud" / month / "bill.csv"
        bill.write_text(bill.read_text().splitlines()[0] + "\n", encoding="utf-8")
        done = company.kstar("ingest", "billing", "--accept", str(bill.parent))
        assert done.returncode == 0, done.stderr

    for month in ("2062-09", "2062-10"):
        company.bill(month, "100.00")
    company.night()
    withdraw("2062-09")
    done = company.kstar("close", "2062-09")
    expect("what was withdrawn is not closed", done.returncode == 3 and "neither a bill nor an adjustment for 2062-09" in done.stderr
           and months() == ["2062-10"], str(months()) + done.stdout + done.stderr)
    withdraw("2062-10")
    done = company.night()
    expect("of the only bill, withdrawn, there is no statement", months() == [] and "event=withdrawn statement=2062-10" in done.stderr,
           str(months()) + done.stderr)
    left = sorted(path.name for path in company.out.iterdir() if "2062-" in path.name)

    def names_what_is_left(night):
        lines = [line.strip() for line in done.stdout.splitlines() if "no statement any more" in line]
        expect(f"the night {night} names the files that are left of it", len(left) == 18 and lines ==
               [f"{company.out / name} is of a month that has no statement any more" for name in left], done.stdout)

    names_what_is_left("of the withdrawal")
    done = company.night()
    names_what_is_left("after it")
    expect("which goes on, with nothing new", done.returncode == 0 and "nothing new" in done.stdout, done.stdout + done.stderr)
    done = company.kstar("status", "--json")
    states = {row["month"]: (row["statement"], row["state"]) for row in json.loads(done.stdout)["statements"]}
    expect("status says that it is withdrawn, not that it is to be made", states == {month: ("none", "withdrawn") for month in ("2062-09", "2062-10")}, str(states))
    done = company.kstar("report", "review", "--period", "2062-10", "--out", str(company.out))
    expect("a report has none, and promises none without a bill", done.returncode == 3 and "makes one, where it has a bill" in done.stderr, done.stderr)
    done = company.kstar("diff", "2062-10", "--by", "source", "--json")
    expect("diff says what went", [(row["billed_before"], row["billed_after"]) for row in json.loads(done.stdout)] == [("100", "0")], done.stdout + done.stderr)
    done = company.kstar("diff", "2062-10")
    expect("and asks for no statement of it", "run kstar model" not in done.stdout and "-100" in done.stdout, done.stdout)
    for month, amount in (("2026-08", "80.00"), ("2026-09", "90.00"), ("2062-10", "100.00")):
        company.bill(month, amount)
    company.publish()
    expect("delivered again it is there, with others", months() == ["2026-08", "2026-09", "2062-10"], str(months()))
    withdraw("2062-10")
    company.publish()
    expect("and goes alone", months() == ["2026-08", "2026-09"], str(months()))
    tables = company.query("SELECT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) "
                           "WHERE table_schema = 'kstar' AND column_name = 'statement_month' AND table_type = 'BASE TABLE' AND table_name <> 'load'")
    found = published.query_all([f"SELECT '{row['table_name']}' AS table_name FROM kstar.{row['table_name']} WHERE statement_month = '2062-10-01' LIMIT 1"
                                 for row in tables], company.dsn)
    left = [row["table_name"] for rows in found for row in rows]
    expect("no table has a row of it", len(tables) > 30 and left == [], str(left))
    done = company.kstar("close", "2062-10")
    expect("close says that there is none", done.returncode == 3 and "neither a bill nor an adjustment for 2062-10" in done.stderr, done.stderr)
    done = company.kstar("report", "units", "--json")
    expect("the last month is the last that has a bill", done.returncode == 0 and "2026-09" in done.stdout, done.stdout + done.stderr)
    for month in ("2026-08", "2026-09"):
        done = company.kstar("close", month)
        expect(f"{month} is closed", done.returncode == 0, done.stdout + done.stderr)

    # The ledger has an accrual: the statement stays until what reverses it is issued.
    company.bill("2026-10", "10.00")
    company.publish()
    company.kstar("report", "journal", "--period", "2026-10", "--issue", "--out", str(company.out))
    withdraw("2026-10")
    company.publish()
    expect("a month whose journal was issued stays", months() == ["2026-08", "2026-09", "2026-10"], str(months()))
    done = company.kstar("report", "journal", "--period", "2026-10", "--issue", "--out", str(company.out))
    booked = company.query("SELECT gl_account, sum(minor_units) AS booked FROM kstar.journal_line WHERE statement_month = '2026-10-01' GROUP BY 1")
    expect("until its reversal is issued", done.returncode == 0 and len(booked) == 2 and all(row["booked"] == "0" for row in booked), str(booked) + done.stderr)
    company.kstar("model", "--again")
    expect("then it goes", months() == ["2026-08", "2026-09"], str(months()))

    company.bill("2026-09", "95.00")
    company.publish()
    expect("what a closed month differs by stands in the month after it, without a bill", months() == ["2026-08", "2026-09", "2026-10"]
           and company.query("SELECT minor_units FROM kstar.adjustment") == [{"minor_units": "500"}], str(months()))
    company.bill("2026-09", "90.00")
    company.publish()
    expect("which goes with the difference", months() == ["2026-08", "2026-09"], str(months()))


def settings_of_a_replay():
    """A night replays September, which was closed, and cannot publish October, whose euros have no
    rate. Then it writes September's workbooks."""
    company = Company("settings")
    company.bill("2026-09", "1000.00")
    company.close("2026-09")
    for statement in ("CREATE TABLE kstar.seen AS SELECT ''::text AS statement_month, ''::text AS replayed_month LIMIT 0",
                      "CREATE FUNCTION kstar.see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO kstar.seen VALUES "
                      "(current_setting('kstar.statement_month', true), current_setting('kstar.replayed_month', true)); RETURN NULL; END $$",
                      "CREATE TRIGGER see AFTER UPDATE OF written_to ON kstar.closure FOR EACH ROW EXECUTE FUNCTION kstar.see()"):
        subprocess.run(["psql", company.dsn, "-Xqc", statement], check=True)
    company.bill("2026-09", "1001.00")
    case_page.write_input(["bill", "cloud", "2026-10"], [[*HEADER, "BillingCurrency"], ["2026-10-01T00:00:00", "2026-11-01T00:00:00", "5.00", "team=a", "EUR"]],
                          company.inbox)
    done = company.night()
    expect("a night that could not publish a month goes on", done.returncode == 3 and "EUR" in done.stderr, f"{done.returncode}: {done.stdout}{done.stderr}")
    seen = company.query("SELECT * FROM kstar.seen")
    expect("and no longer works as of the closed month that it replayed", seen == [{"statement_month": "", "replayed_month": ""}], seen)
    subprocess.run(["psql", company.dsn, "-Xqc", "DROP TRIGGER see ON kstar.closure", "-c", "DROP FUNCTION kstar.see()", "-c", "DROP TABLE kstar.seen"],
                   check=True)
    return company


def quiet_nights(company):
    """September was closed with 1000.00. October can be published now."""
    company.bill("2026-09", "1100.00")
    case_page.write_csv(company.inbox / "reference" / "exchange_rates.csv", [["rate_date", "currency", "statement_currency", "rate"],
                                                                             ["2026-10-31", "EUR", "USD", "2.00"]])
    done = company.night()
    first, rows = company.files(), company.query("SELECT * FROM kstar.adjustment")
    expect("there is one adjustment", len(rows) == 1 and rows[0]["minor_units"] == "10000", str(rows))
    expect("and the night says so", "adjustments USD 100.00 of closed months: 2026-09" in done.stdout, done.stdout)
    runs = company.query("SELECT * FROM kstar.statement ORDER BY statement_month")
    for number in range(3):
        done = company.night()
        expect(f"night {number + 2} changes neither rows nor workbooks",
               company.files() == first and company.query("SELECT * FROM kstar.adjustment") == rows
               and company.query("SELECT * FROM kstar.statement ORDER BY statement_month") == runs, done.stdout + done.stderr)
    company.kstar("model", "--again")
    expect("made again, it is the same", company.query("SELECT * FROM kstar.adjustment") == rows)


class Late(Company):
    """September is closed: choices that come late are listed, rate cards and pools among them,
    and facts are converted as it was."""

    def __init__(self):
        super().__init__("late")
        self.rates("2026-09-30,EUR,USD,1.10", "2026-10-02,EUR,USD,1.10", "2026-10-05,EUR,USD,1.20")
        self.invoices("E-1,Cloud Inc.,EUR,10.00,0,2026-10-02", "U-1,Cloud Inc.,USD,10.00,0,2026-09-30")
        self.write("pools", "pool,component,owner,split", "rest,idle,P,keep", "lab,idle,B,keep")
        self.write("node_types", "cluster,node_type,accelerators,idle_pool", "c,,,rest", "d,,,rest")
        self.write("nodes", "cluster,node,resource_id,accelerators,idle_pool,valid_from,valid_to", "c,n2,i-2,0,rest,,")
        case_page.write_input(["nodes", "c"], [["NodeName", "InstanceId", "TimeStart", "TimeEnd"], ["n1", "i-1", "1 00:00", ""]], self.inbox)
        self.bill_in_euros("1000.00")
        done = self.close("2026-09")
        expect("a month with invoices in two currencies is closed", done.returncode == 0, done.stdout + done.stderr)

    def write(self, name, *rows):
        case_page.write_input(["reference", name], [row.split(",") for row in rows], self.inbox)

    def rates(self, *rows):
        self.write("exchange_rates", "rate_date,currency,statement_currency,rate", *rows)

    def invoices(self, *rows):
        self.write("invoices", "invoice_id,invoice_issuer_name,currency,net_amount,tax_amount,invoice_date", *rows)

    def bill_in_euros(self, amount):
        row = lambda amount, team, *more: ["2026-09-01T00:00:00", "2026-10-01T00:00:00", amount, f"team={team}", *more]
        case_page.write_input(["bill", "cloud", "2026-09"], [[*HEADER, "BillingCurrency", "InvoiceId"], row("100.00", "x", "USD", "X-1"),
                                                             row("10.00", "a", "EUR", "E-1"), row("10.00", "a", "USD", "U-1"),
                                                             row(amount, "a", "EUR", "M-1")], self.inbox)

    def unallocated(self):
        return self.query("SELECT line_type, minor_units FROM kstar.statement_row WHERE statement_month = '2026-09-01' AND line_type <> 'charge'")


def late_choices(company):
    rules = company.inbox / "reference" / "mapping_rules.csv"
    rules.write_text(rules.read_text() + "30,tag:team,x,B\n", encoding="utf-8")
    done = company.night()
    line = len(rules.read_text().splitlines())
    expect("a late rule is named with its line and the day from which it counts",
           f"mapping_rules.csv, line {line} speaks of 2026-09, which is closed: it takes effect from 2026-10-01" in done.stderr,
           done.stderr)
    expect("the night's summary counts it", "1 of closed months" in done.stdout, done.stdout)
    expect("the rules that were there are not named", done.stderr.count("late_choice") == 1, done.stderr)
    expect("the closed month is what it was", company.unallocated() == [{"line_type": "unallocated", "minor_units": "10000"}])
    expect("no adjustment comes of it", company.query("SELECT * FROM kstar.adjustment") == [])


def late_invoice_dates(company):
    """By the date an invoice has its rate, which a closed month keeps; its amounts are no choice,
    and without a rate its date decides nothing."""
    company.invoices("E-1,Cloud Inc.,EUR,10.00,0.50,2026-10-05", "U-1,Cloud Inc.,USD,10.00,0.50,2026-09-29", "E-2,Cloud Inc.,EUR,1.00,0,2026-09-29")
    done = company.publish.take()
    expect("another date of a closed invoice in another currency is named", "invoices.csv, line 2 speaks of 2026-09, which is closed"
           in done.stderr, done.stderr)
    expect("and no other line of invoices.csv", done.stderr.count("late_choice") == 1, done.stderr)


def late_idle_pools(company):
    """Which pool pays for idle has no date in node_types.csv: of the months that are closed it is
    late."""
    company.write("node_types", "cluster,node_type,accelerators,idle_pool", "c,,,lab", "c,big,8,", "d,,,lab")
    company.write("nodes", "cluster,node,resource_id,accelerators,idle_pool,valid_from,valid_to", "c,n2,i-2,8,rest,,2026-10-01T00:00:00Z",
                  "c,n2,i-2,8,lab,2026-10-01T00:00:00Z,", "c,n3,i-3,8,lab,,")
    done = company.publish.take()
    expect("another pool for the idle of a cluster is named", "node_types.csv, line 2 speaks of 2026-09, which is closed: it takes effect "
           "from 2026-10-01" in done.stderr, done.stderr)
    expect("neither are other columns, what is dated after the close, nor nodes that no closed month has",
           done.stderr.count("late_choice") == 1, done.stderr)
    company.write("nodes", "cluster,node,resource_id,accelerators,idle_pool,valid_from,valid_to", "c,n2,i-2,8,lab,,")
    done = company.publish.take()
    expect("another pool for the idle of a node is named", "nodes.csv, line 2 speaks of 2026-09, which is closed" in done.stderr, done.stderr)
    expect("nothing else is", done.stderr.count("late_choice") == 1, done.stderr)


def frozen_rate(company):
    company.rates("2026-09-30,EUR,USD,1.20", "2026-10-02,EUR,USD,1.10", "2026-10-05,EUR,USD,1.20")
    company.bill_in_euros("1010.00")
    done = company.publish()
    rows = company.query("SELECT minor_units FROM kstar.adjustment")
    expect("the day of a late rate is named", "exchange_rates.csv, line 2 speaks of 2026-09-30, in 2026-09, which is closed: it takes effect from "
           "2026-10-01" in done.stderr, done.stderr)
    expect("a restatement is converted at the rate of the close, and no late choice adjusts anything: 10.00 EUR are 11.00", rows == [{"minor_units": "1100"}],
           str(rows) + done.stderr)


def final_workbooks():
    """Two months closed in one day; then facts and choices change under them."""
    company = Company("final")
    case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], ["c", "n1", "i-1"]], company.inbox)
    jobs = [["JobID", "Account", "Start", "End", "NodeList", "State"],
            ["1", "a", "2026-08-08T00:00:00", "2026-08-08T06:00:00", "n1", "COMPLETED"],
            ["2", "a", "2026-12-01T00:00:00", "2026-12-01T01:00:00", "n9", "COMPLETED"]]
    case_page.write_input(["jobs", "c"], jobs, company.inbox)
    node = [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit"],
            ["2026-08-08T00:00:00", "2026-08-08T06:00:00", "600.00", "i-1", "6", "Hours"]]
    case_page.write_input(["bill", "cloud", "2026-08"], node, company.inbox)
    company.bill("2026-09", "90.00")
    company.night()
    preliminary = company.files()
    for month, more in (("2026-08", ["--accept-incomplete", "one run was all"]), ("2026-09", [])):
        done = company.kstar("close", month, *more)
        expect(f"{month} is closed, which makes it final", done.returncode == 0 and "final" in done.stdout, done.stdout + done.stderr)
    company.bill("2026-10", "10.00")
    done = company.night()
    closed = {name: content for name, content in company.files().items() if "2026-10" not in name}
    expect("the night after says final in the workbooks of every month closed since",
           len(closed) == 10 and all(content != preliminary[name] and any(b"Final" in part for part in workbooks.parts(company.out / name).values())
                                    for name, content in closed.items()), str(closed.keys()) + done.stdout + done.stderr)
    jobs[1][5] = "FAILED"
    node[1][2] = "660.00"
    case_page.write_input(["jobs", "c"], jobs, company.inbox)
    case_page.write_input(["bill", "cloud", "2026-08"], node, company.inbox)
    company.bill("2026-09", "95.00")
    centres = company.inbox / "reference" / "cost_centres.csv"
    centres.write_text(centres.read_text().replace("Team A", "Team Anna"), encoding="utf-8")
    done = company.night()
    changed = [name for name, content in closed.items() if company.files()[name] != content]
    expect("later nights leave them", changed == [], f"{changed}\n{done.stdout}{done.stderr}")
    rows = company.query("SELECT to_char(adjusted_month, 'MM') AS month, component, minor_units FROM kstar.adjustment "
                         "WHERE statement_month = '2026-10-01' ORDER BY 1, 2")
    expect("the adjustments stand in October", [tuple(row.values()) for row in rows] == [
        ("08", "failed_runs", "66000"), ("08", "unmeasured_hardware", "-60000"), ("09", "direct_cost", "500")],
        str(rows) + done.stdout + done.stderr)
    again = WORK / "final" / "again"
    for month in ("2026-08", "2026-09"):
        for kind in ("chargeback", "review"):
            company.kstar("report", kind, "--period", month, "--out", again)
    changed = [name for name, content in closed.items() if (again / name).read_bytes() != content]
    expect("written anew they have the bytes of their close", changed == [], str(changed))


def decomposed_as_closed():
    """Three sources side by side, restated after the close: a replay splits and decomposes them as
    the close did. Two jobs, 1 and 2, are on the nodes that the source nodes bills; the others are
    on nodes of which there is no bill."""
    company = Company("decomposed")
    for words, table in (
            (["reference", "pools"], [["pool", "component", "owner", "split", "basis"], ["control", "fixed_overhead", "P", "proportional", "wall_hours"]]),
            (["reference", "pool_rules"], [["priority", "match", "pattern", "pool"], ["1", "service_name", "Control", "control"]]),
            (["reference", "families"], [["family", "unit", "accelerators_per_node", "maximum_k", "valid_from", "valid_to"],
                                         ["scalings", "nodes", "", "8", "", ""], ["ended", "accelerators", "8", "", "", "2026-09-20"]]),
            (["reference", "family_rules"], [["priority", "match", "pattern", "family"], ["1", "job_name", "train", "scalings"],
                                             ["2", "job_name", "tune", "ended"]]),
            (["reference", "nodes"], [["cluster", "node", "resource_id", "accelerators"], ["c", "n1", "i-1", ""], ["c", "n2", "i-2", "8"]]),
            (["efficiency"], [["family", "job_id", "k", "metric", "value", "scaling"],
                              ["scalings", "1", "1", "efficiency", "0.9", "strong"], ["scalings", "1", "1", "efficiency", "0.5", "weak"],
                              ["ended", "2", "8", "efficiency", "0.9", ""], ["ended", "2", "1", "efficiency", "0.5", ""]]),
            (["jobs", "c"], [["JobID", "JobIDRaw", "Account", "Start", "End", "NodeList", "GPUs", "JobName"],
                             ["1", "", "a", "8 00:00", "9 00:00", "n1", "", "train"], ["2", "", "b", "8 00:00", "9 00:00", "n2", "8", "tune"],
                             ["3", "", "a", "10-01 00:00", "10-01 01:00", "n9", "8", "other"],
                             ["900+0", "900", "a", "8 00:00", "8 12:00", "n3", "", "other"], ["900+1", "901", "a", "8 00:00", "8 12:00", "n4", "", "other"],
                             ["910", "910", "b", "9 00:00", "9 12:00", "n3", "", "other"]])):
        case_page.write_input(words, table, company.inbox)

    def bill(usage_beside_plan, storage, hardware):
        month = ["1 00:00", "10-01 00:00"]
        case_page.write_input(["bill", "plan", "2026-09"], [
            [*HEADER, "EffectiveCost", "ChargeCategory", "CommitmentDiscountId", "InvoiceId"],
            [*month, "1000.00", "", "0", "Purchase", "plan-1", "INV-2"],
            [*month, "0", "team=a", "1000.00", "Usage", "plan-1", "INV-2"],
            [*month, usage_beside_plan, "team=b", usage_beside_plan, "Usage", "", "INV-2"],
            [*month, "100.00", "", "100.00", "Tax", "", "INV-2"]], company.inbox)  # no other source's invoice
        case_page.write_input(["bill", "control", "2026-09"], [[*HEADER, "ServiceName"], [*month, "40.00", "", "Control"],
                                                               [*month, storage, "team=b", "Storage"]], company.inbox)
        case_page.write_input(["bill", "nodes", "2026-09"], [
            ["ChargePeriodStart", "ChargePeriodEnd", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "BilledCost"],
            *(["8 00:00", "9 00:00", node, "24", "Hours", hardware] for node in ("i-1", "i-2"))], company.inbox)

    def charges(table, source):
        return [tuple(row.values()) for row in company.query(
            f"SELECT coalesce(cost_centre, line_type) AS who, component, sum(minor_units)::bigint AS minor_units FROM kstar.{table} "
            f"WHERE source = '{source}' GROUP BY 1, 2 ORDER BY 1, 2")]

    # Of each job 90.00 of 100.00 of hardware are useful. E(1) of A's was measured twice, 0.9 under
    # strong and 0.5 under weak scaling. B's ran on a node with eight accelerators, which its family
    # counts until the 20th: K = 8, where 0.9 was measured on it. As nodes K would be 1, where 0.5
    # was measured.
    decomposition = [("A", "coordination_waste", "1000"), ("A", "useful_compute", "9000"), ("B", "coordination_waste", "1000"), ("B", "useful_compute", "9000")]
    bill("0", "5.00", "100.00")
    done = company.close("2026-09", "--accept-incomplete", "the bill of nodes is all there is")
    expect("the month is closed", done.returncode == 0, done.stdout + done.stderr)
    found = charges("statement_cell", "nodes")
    expect("a job is decomposed as measured under strong scaling, and by a family that ends within the month", found == decomposition, str(found))
    bill("250.00", "6.00", "200.00")
    done = company.publish()
    found = charges("adjustment", "nodes")
    expect("a replay of 200.00 each decomposes likewise", found == decomposition, str(found) + done.stdout + done.stderr)
    # 1000.00 are billed for a plan that A uses up, and 100.00 of tax: A's.
    found = charges("adjustment", "plan")
    expect("a replay splits the tax of a commitment as the close did, by its use",
           found == [("A", "tax", "-2000"), ("B", "direct_cost", "25000"), ("B", "tax", "2000")], str(found))
    # 40.00 of control plane go by wall-hours. A has 36, with twelve of the heterogeneous job 900,
    # and so has B: 20.00 each.
    found = charges("statement_cell", "control")
    expect("a heterogeneous job counts once", [row for row in found if row[1] == "fixed_overhead"] == [
        ("A", "fixed_overhead", "2000"), ("B", "fixed_overhead", "2000")], str(found))
    found = charges("adjustment", "control")
    expect("a late cent of a month with a heterogeneous job moves nobody's overhead", found == [("B", "direct_cost", "100")], str(found))


refusals_and_a_killed_close()
later_bills()
missing_bills()
long_lines()
ends_of_months()
all_that_there_was()
withdrawn_bills()
quiet_nights(settings_of_a_replay())
late = Late()
late_choices(late)
late_invoice_dates(late)
late_idle_pools(late)
frozen_rate(late)
final_workbooks()
decomposed_as_closed()
sys.exit(1 if failures else 0)
