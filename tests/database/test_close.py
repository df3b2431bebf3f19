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
from publish import Publish
from saying import expect, failures

HEADER = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags"]


class Company:
    """An inbox and a database of its own."""

    def __init__(self, name):
        self.inbox, self.out = WORK / name / "inbox", WORK / name / "out"
        self.name, self.dsn = name, published.new_database(name)
        self.publish = Publish(self.inbox, self.dsn)
        case_page.write_common_reference(self.inbox)

    def bill(self, month, amount, tags="team=a"):
        year, number = month.split("-")
        end = f"{year}-{int(number) + 1:02}-01T00:00:00"
        case_page.write_input(["bill", "cloud", month], [HEADER, [f"{month}-01T00:00:00", end, amount, tags]], self.inbox)

    def kstar(self, *arguments):
        return subprocess.run([os.environ["KSTAR"], *arguments, "--dsn", self.dsn], capture_output=True, text=True, check=False)

    def night(self):
        return self.kstar("nightly", self.inbox, "--out", self.out)

    def query(self, sql):
        return published.query(sql, self.dsn)

    def files(self):
        return {path.name: path.read_bytes() for path in self.out.glob("*.xlsx")}


def settings_of_a_replay():
    """A night replays September, which was closed, and cannot publish October, whose euros have no
    rate. Then it writes September's workbooks."""
    company = Company("settings")
    company.bill("2026-09", "100.00")
    company.publish()
    company.kstar("close", "2026-09")
    for statement in ("CREATE TABLE kstar.seen AS SELECT ''::text AS statement_month, ''::text AS replayed_month LIMIT 0",
                      "CREATE FUNCTION kstar.see() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO kstar.seen VALUES "
                      "(current_setting('kstar.statement_month', true), current_setting('kstar.replayed_month', true)); RETURN NULL; END $$",
                      "CREATE TRIGGER see AFTER UPDATE OF written_to ON kstar.closure FOR EACH ROW EXECUTE FUNCTION kstar.see()"):
        subprocess.run(["psql", company.dsn, "-Xqc", statement], check=True)
    company.bill("2026-09", "101.00")
    case_page.write_input(["bill", "cloud", "2026-10"], [[*HEADER, "BillingCurrency"], ["2026-10-01T00:00:00", "2026-11-01T00:00:00", "5.00", "team=a", "EUR"]],
                          company.inbox)
    done = company.night()
    expect("a night that could not publish a month goes on", done.returncode == 3 and "EUR" in done.stderr, f"{done.returncode}: {done.stdout}{done.stderr}")
    seen = company.query("SELECT * FROM kstar.seen")
    expect("and no longer works as of the closed month that it replayed", seen == [{"statement_month": "", "replayed_month": ""}], seen)


def refusals():
    company = Company("refusals")
    company.bill("2026-09", "100.00")
    company.publish()
    done = company.kstar("close", "2026-07")
    expect("a month without a bill cannot be closed", done.returncode == 3 and "2026-07" in done.stderr, done.stderr)
    done = company.kstar("close", "September")
    expect("a period is YYYY-MM", done.returncode == 2 and "September" in done.stderr, done.stderr)
    done = company.kstar("close", "2026-09")
    expect("a month that adds up is closed", done.returncode == 0 and "final" in done.stdout, done.stdout + done.stderr)
    done = company.kstar("close", "2026-09")
    expect("closing again changes nothing", done.returncode == 0 and "already" in done.stdout, done.stdout + done.stderr)
    listed = company.kstar("close", "--list")
    expect("it is listed", "2026-09" in listed.stdout and "100.00" in listed.stdout, listed.stdout + listed.stderr)


def later_bills():
    """September's usage of cloud reaches to the 29th; October's bill brings its first hours, and
    more with each delivery."""
    company = Company("later")
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ChargeCategory", "ServiceName", "InvoiceId"]
    # what stands to October's end from its first day on: a purchase, a month of support
    whole = [["2026-10-01T00:00:00", "2026-11-01T00:00:00", "5.00", "Purchase", "Plan", "INV-2"],
             ["2026-10-01T00:00:00", "2026-11-01T00:00:00", "5.00", "Usage", "Support", "INV-2"]]
    reasons = "the bill of cloud ends at 2026-09-29 00:00: the rest of the month is not delivered"

    def deliver(source, month, *rows):
        case_page.write_input(["bill", source, month], [columns, *rows], company.inbox)

    def refused():
        done = company.publish()
        assert done.returncode in (0, 4), done.stderr
        done = company.kstar("close", "2026-09")
        return done.returncode == 4 and [line.strip() for line in done.stdout.splitlines() if "the bill of" in line] == [reasons], done.stdout + done.stderr

    deliver("cloud", "2026-09", *([f"2026-09-{day:02}T00:00:00", f"2026-09-{day + 1:02}T00:00:00", "10.00", "Usage", "Servers", "INV-1"]
                                  for day in range(1, 29)))
    # a colocation bills by the month; whoever wrote its September took the 30th for the end
    deliver("colo", "2026-09", ["2026-09-01T00:00:00", "2026-09-30T00:00:00", "50.00", "Usage", "Rack", "INV-3"])
    deliver("colo", "2026-10", ["2026-10-01T00:00:00", "2026-10-31T00:00:00", "50.00", "Usage", "Rack", "INV-4"])
    expect("a month whose bill ends early is open, and a later bill by the month is an end of one by the month", *refused())
    first_hours = [*whole, ["2026-10-01T00:00:00", "2026-10-01T01:00:00", "1.00", "Usage", "Servers", "INV-2"]]
    deliver("cloud", "2026-10", *first_hours)
    expect("the next month's first hours are no end of it, nor is what stands to its end from the first day on", *refused())
    deliver("cloud", "2026-10", *first_hours, ["2026-10-05T22:00:00", "2026-10-05T23:00:00", "1.00", "Usage", "Servers", "INV-2"])
    expect("nor is an hour less than five days", *refused())
    settings = company.inbox / "reference" / "settings.csv"
    settings.write_text("parameter,value\nlater_bill_days,4\n", encoding="utf-8")
    company.publish()
    rows = company.query("SELECT source, billed_to FROM kstar.bill_extent('2026-09-01')")
    expect("how many days a setting says", rows == [], str(rows))
    settings.write_text("parameter,value\nlater_bill_days,7\n", encoding="utf-8")
    deliver("cloud", "2026-10", *first_hours, ["2026-10-05T23:00:00", "2026-10-06T00:00:00", "1.00", "Usage", "Servers", "INV-2"])
    expect("whichever way", *refused())
    settings.write_text("parameter,value\n", encoding="utf-8")
    company.publish()
    done = company.kstar("close", "2026-09")
    expect("five days are, where none says", done.returncode == 0, done.stdout + done.stderr)

    # A source whose usage has ceased: its later bills have a subscription and nothing else.
    company = Company("ceased")
    subscription = lambda month, end: [f"2026-{month}-01T00:00:00", f"2026-{end}-01T00:00:00", "5.00", "Purchase", "Plan", f"INV-{month}"]
    deliver("cloud", "2026-09", ["2026-09-28T00:00:00", "2026-09-29T00:00:00", "10.00", "Usage", "Servers", "INV-09"])
    deliver("cloud", "2026-10", subscription("10", "11"))
    deliver("other", "2026-09", ["2026-09-30T00:00:00", "2026-10-01T00:00:00", "10.00", "Usage", "Servers", "INV-10"])
    expect("a subscription of the month after is no end", *refused())
    deliver("cloud", "2026-11", subscription("11", "12"))
    company.publish()
    done = company.kstar("close", "2026-09")
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
        company.publish()
        done = company.kstar("close", f"2026-{month:02}", *options)
        assert done.returncode in (0, 4), done.stderr
        return [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")] if done.returncode == 4 else "closed"

    lacks = "boreas has delivered no bill of 2026-08, as it did of 2026-07"
    company = Company("missing")
    for source in ("alder", "boreas"):
        daily(company, source, 7, 31)
    monthly(company, 7)
    expect("a first month has nothing before it to lack", closing(company, 7) == "closed")
    daily(company, "alder", 8, 31)
    monthly(company, 9)
    reasons = closing(company, 8)
    expect("a source that had a bill of the month before is waited for; not one that bills by the month and has the month after", reasons == [lacks], reasons)
    daily(company, "boreas", 9, 4)
    reasons = closing(company, 8)
    expect("also while the month after has begun", reasons == [lacks], reasons)
    daily(company, "boreas", 9, 5)
    daily(company, "alder", 9, 30)
    reasons = closing(company, 8)
    expect("not when that reaches five days past the month's end", reasons == "closed", reasons)

    company = Company("gone")
    for source in ("alder", "boreas"):
        daily(company, source, 7, 31)
    closing(company, 7)
    daily(company, "alder", 8, 31)
    expect("who says that it is gone closes the month", closing(company, 8, *accepted) == "closed"
           and "it is gone" in company.kstar("close", "--list").stdout)
    daily(company, "alder", 9, 30)
    reasons = closing(company, 9)
    expect("and is not asked again", reasons == "closed", reasons)

    company = Company("no-bill")
    daily(company, "alder", 7, 31)
    case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList"],
                                          ["1", "a", "2026-10-02T00:00:00", "2026-10-02T06:00:00", "n1"]], company.inbox)
    closing(company, 7)
    daily(company, "alder", 7, 31, "11.00")
    reasons = closing(company, 8)
    expect("a month of adjustments alone lacks the bill of the month before", reasons == ["alder has delivered no bill of 2026-08, as it did of 2026-07"], reasons)
    closing(company, 8, *accepted)
    daily(company, "alder", 7, 31, "12.00")
    reasons = closing(company, 9)
    expect("the month after it any bill", reasons == ["no source has delivered a bill of 2026-09"], reasons)
    expect("which may be accepted, too", closing(company, 9, *accepted) == "closed")

    company = Company("held")
    for month, last in ((7, 31), (8, 31)):
        daily(company, "alder", month, last)
    company.publish()
    daily(company, "alder", 8, 20)
    reasons = closing(company, 7)
    expect("what is held of a later month is no reason", reasons == "closed", reasons)
    reasons = closing(company, 8)
    expect("what is held of the month is", reasons == ["billing/alder/2026-08 is held: it covers 2026-08-01 to 2026-08-21, but 2026-08-01 to 2026-09-01 "
                                                       "was there before"], reasons)
    expect("unless that is accepted", closing(company, 8, *accepted) == "closed")


def long_lines():
    """A line of a year reaches no month but its own, and what begins within that year is a fact of
    it where a job can meet the line."""
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ServiceName", "ResourceId", "Tags"]
    day = ["2026-09-30T00:00:00", "2026-10-01T00:00:00", "10.00", "Servers", "", "team=a"]
    year = lambda name, resource, tags: ["2026-09-01T00:00:00", "2027-09-01T00:00:00", "365.00", name, resource, tags]
    as_of = "SELECT DISTINCT as_of FROM kstar.statement"

    company = Company("licence")
    case_page.write_input(["bill", "cloud", "2026-09"], [columns, day], company.inbox)
    company.publish()
    done = company.kstar("close", "2026-09")
    expect("the month of the licence is closed", done.returncode == 0, done.stdout + done.stderr)
    case_page.write_input(["bill", "cloud", "2026-09"], [columns, day, year("Licence", "", "team=a")], company.inbox)
    done = company.publish()
    expect("the licence makes no statement one of next year", company.query(as_of) == [{"as_of": "2026-10-01 00:00:00+00"}], str(company.query(as_of)) + done.stderr)
    done = company.kstar("status")
    expect("nor says that its source reaches there", "2026-10-01T00:00:00Z" in done.stdout and "2027" not in done.stdout, done.stdout)
    done = company.kstar("close", "2026-10")
    expect("nor is the month over that carries what it adjusts", done.returncode == 4 and "the data end at 2026-10-01 00:00: the month is not over" in done.stdout,
           done.stdout + done.stderr)
    case_page.write_input(["bill", "cloud", "2026-09"], [columns, year("Licence", "", "team=a")], company.inbox)
    company.kstar("ingest", "billing", "--accept", company.inbox / "billing" / "cloud" / "2026-09")
    company.publish()
    expect("alone it reaches to the end of its month", company.query(as_of) == [{"as_of": "2026-10-01 00:00:00+00"}], str(company.query(as_of)))

    for name, line, is_met in (("job", year("Licence", "", "team=a"), False), ("node", year("Support", "i-1", "team=a"), True),
                               ("tag", year("Storage", "", "job_id=7"), True)):
        company = Company(f"year-{name}")
        case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], ["c", "n1", "i-1"]], company.inbox)
        jobs = [["JobID", "Account", "Start", "End", "NodeList"], ["1", "a", "8 00:00", "8 06:00", "n1"],
                ["2", "a", "10-05 00:00", "10-05 06:00", "n1"]] # the records reach past the month
        case_page.write_input(["bill", "cloud", "2026-09"], [columns, day, line], company.inbox)
        case_page.write_input(["jobs", "c"], jobs, company.inbox)
        company.publish()
        done = company.kstar("close", "2026-09", "--accept-incomplete", "the year goes on")
        expect(f"{name}: the month is closed", done.returncode == 0, done.stdout + done.stderr)
        jobs.append(["7", "b", "11-02 00:00", "11-03 00:00", "n1"])
        case_page.write_input(["jobs", "c"], jobs, company.inbox)
        done = company.publish()
        expect(f"{name}: a job of the year after {'replays' if is_met else 'is no fact of'} its month",
               done.returncode == 0 and (" event=replayed statement=2026-09" in done.stderr) == is_met, done.stdout + done.stderr)
        moved = company.query("SELECT DISTINCT cost_centre FROM kstar.adjustment WHERE cost_centre = 'B'")
        expect(f"{name}: {'which pays for its part' if is_met else 'and pays nothing'}", (moved != []) == is_met, str(moved))


def ends_of_months():
    """What ends with a month's last second, or with the last hour of the month in the source's time
    zone, ends with the month."""
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags"]
    for name, end, zone, code in (("inclusive", "2026-09-30T23:59:59", "", 0), ("minute", "2026-09-30T23:59:00", "", 0),
                                  ("hour", "2026-09-30T23:00:00", "", 4), ("oslo", "2026-10-01 00:00:00", "Europe/Oslo", 0),
                                  ("last-in-oslo", "2026-09-30 23:59:59", "Europe/Oslo", 0), ("short-in-oslo", "2026-09-30 23:00:00", "Europe/Oslo", 4),
                                  ("new-york", "2026-10-01 00:00:00", "America/New_York", 0)):
        company = Company(name)
        case_page.write_csv(company.inbox / "reference" / "sources.csv",
                            [["source", "kind", "format", "time_zone"], ["colo", "billing", "focus", zone]])
        folder = case_page.write_input(["bill", "colo", "2026-09"], [columns, ["START", "END", "50.00", "team=a"]], company.inbox)
        path = company.inbox / "billing" / "colo" / "2026-09" / "bill.csv"
        assert "START" in path.read_text(), folder
        path.write_text(path.read_text().replace("START", "2026-09-30 00:00:00").replace("END", end))
        company.publish()
        done = company.kstar("close", "2026-09")
        expect(f"a bill to {end} {zone} {'is' if code == 0 else 'is not'} the whole month's", done.returncode == code
               and (code == 0 or "the bill of colo ends at" in done.stdout), done.stdout + done.stderr)


def all_that_there_was():
    """The only cluster was shut down within the month: no data will ever reach its end."""
    company = Company("shut")
    columns = ["ChargePeriodStart", "ChargePeriodEnd", "BilledCost"]
    accepted = ("--accept-incomplete", "the cluster was shut down on the 12th")

    def close(month, *options):
        case_page.write_input(["bill", "cloud", month], [columns, [f"{month}-11T00:00:00", f"{month}-12T00:00:00", "10.00"]], company.inbox)
        company.publish()
        return company.kstar("close", month, *options)

    done = close("2026-09")
    expect("it is open while nobody says that this is all", done.returncode == 4 and "the month is not over" in done.stdout, done.stdout + done.stderr)
    done = close("2026-09", *accepted)
    expect("it is closed when somebody does", done.returncode == 0, done.stdout + done.stderr)
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

    company.bill("2062-09", "100.00")
    company.night()
    withdraw("2062-09")
    done = company.kstar("close", "2062-09")
    expect("what was withdrawn is not closed", done.returncode == 3 and "neither a bill nor an adjustment for 2062-09" in done.stderr and months() == [],
           str(months()) + done.stdout + done.stderr)
    company.bill("2062-10", "100.00")
    company.night()
    withdraw("2062-10")
    done = company.night()
    expect("of the only bill, withdrawn, there is no statement", months() == [] and "event=withdrawn statement=2062-10" in done.stderr,
           str(months()) + done.stderr)
    left = sorted(path.name for path in company.out.iterdir() if "2062-" in path.name)
    for night in "of the withdrawal", "after it":
        said = [line.strip() for line in done.stdout.splitlines() if "no statement any more" in line]
        expect(f"the night {night} names the files that are left of it", len(left) == 18 and said ==
               [f"{company.out / name} is of a month that has no statement any more" for name in left], done.stdout)
        done = company.night()
    expect("and the next night goes on, with nothing new", done.returncode == 0 and "nothing new" in done.stdout, done.stdout + done.stderr)
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
    company.night()
    expect("delivered again it is there, with others", months() == ["2026-08", "2026-09", "2062-10"], str(months()))
    withdraw("2062-10")
    company.night()
    expect("and goes alone", months() == ["2026-08", "2026-09"], str(months()))
    tables = company.query("SELECT table_name FROM information_schema.columns JOIN information_schema.tables USING (table_schema, table_name) "
                           "WHERE table_schema = 'kstar' AND column_name = 'statement_month' AND table_type = 'BASE TABLE' AND table_name <> 'load'")
    left = [row["table_name"] for row in tables
            if company.query(f"SELECT 1 AS found FROM kstar.{row['table_name']} WHERE statement_month = '2062-10-01' LIMIT 1")]
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
    company.night()
    company.kstar("report", "journal", "--period", "2026-10", "--issue", "--out", str(company.out))
    withdraw("2026-10")
    company.night()
    expect("a month whose journal was issued stays", months() == ["2026-08", "2026-09", "2026-10"], str(months()))
    done = company.kstar("report", "journal", "--period", "2026-10", "--issue", "--out", str(company.out))
    booked = company.query("SELECT gl_account, sum(minor_units) AS booked FROM kstar.journal_line WHERE statement_month = '2026-10-01' GROUP BY 1")
    expect("until its reversal is issued", done.returncode == 0 and len(booked) == 2 and all(row["booked"] == "0" for row in booked), str(booked) + done.stderr)
    company.kstar("model", "--again")
    expect("then it goes", months() == ["2026-08", "2026-09"], str(months()))

    company.bill("2026-09", "95.00")
    company.night()
    expect("what a closed month differs by stands in the month after it, without a bill", months() == ["2026-08", "2026-09", "2026-10"]
           and company.query("SELECT minor_units FROM kstar.adjustment") == [{"minor_units": "500"}], str(months()))
    company.bill("2026-09", "90.00")
    company.night()
    expect("which goes with the difference", months() == ["2026-08", "2026-09"], str(months()))


def quiet_nights():
    company = Company("quiet")
    company.bill("2026-09", "1000.00")
    company.publish()
    company.kstar("close", "2026-09")
    company.bill("2026-09", "1100.00")
    company.bill("2026-10", "10.00")
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


def late_choices():
    company = Company("choices")
    company.bill("2026-09", "100.00", "team=x")
    company.publish()
    company.kstar("close", "2026-09")
    rules = company.inbox / "reference" / "mapping_rules.csv"
    rules.write_text(rules.read_text() + "30,tag:team,x,B\n", encoding="utf-8")
    done = company.night()
    line = len(rules.read_text().splitlines())
    expect("a late rule is named with its line and the day from which it counts",
           f"mapping_rules.csv, line {line} speaks of 2026-09, which is closed: it takes effect from 2026-10-01" in done.stderr,
           done.stderr)
    expect("the night's summary counts it", "1 of closed months" in done.stdout, done.stdout)
    expect("the rules that were there are not named", done.stderr.count("late_choice") == 1, done.stderr)
    expect("the closed month is what it was", company.query(
        "SELECT line_type, minor_units FROM kstar.statement_row WHERE statement_month = '2026-09-01'")
        == [{"line_type": "unallocated", "minor_units": "10000"}])
    expect("no adjustment comes of it", company.query("SELECT * FROM kstar.adjustment") == [])


def late_invoice_dates():
    """By the date an invoice has its rate, which a closed month keeps; its amounts are no choice,
    and without a rate its date decides nothing."""
    company = Company("invoice-dates")
    invoices = company.inbox / "reference" / "invoices.csv"
    header = "invoice_id,invoice_issuer_name,currency,net_amount,tax_amount,invoice_date\n"
    (company.inbox / "reference" / "exchange_rates.csv").write_text("rate_date,currency,statement_currency,rate\n2026-10-02,EUR,USD,1.10\n"
                                                                    "2026-10-05,EUR,USD,1.20\n", encoding="utf-8")
    row = ["2026-09-01T00:00:00", "2026-10-01T00:00:00", "10.00", "team=a"]
    case_page.write_input(["bill", "cloud", "2026-09"], [[*HEADER, "BillingCurrency", "InvoiceId"], [*row, "EUR", "E-1"], [*row, "USD", "U-1"]],
                          company.inbox)
    invoices.write_text(header + "E-1,Cloud Inc.,EUR,10.00,0,2026-10-02\nU-1,Cloud Inc.,USD,10.00,0,2026-09-30\n", encoding="utf-8")
    company.publish()
    company.kstar("close", "2026-09")
    invoices.write_text(header + "E-1,Cloud Inc.,EUR,10.00,0.50,2026-10-05\nU-1,Cloud Inc.,USD,10.00,0.50,2026-09-29\n"
                                 "E-2,Cloud Inc.,EUR,1.00,0,2026-09-29\n", encoding="utf-8")
    done = company.night()
    expect("another date of a closed invoice in another currency is named", "invoices.csv, line 2 speaks of 2026-09, which is closed"
           in done.stderr, done.stderr)
    expect("and no other line of invoices.csv", done.stderr.count("late_choice") == 1, done.stderr)


def late_idle_pools():
    """Which pool pays for idle has no date in node_types.csv: of the months that are closed it is
    late."""
    company = Company("idle-pools")
    company.bill("2026-09", "100.00")
    write = lambda name, *rows: case_page.write_input(["reference", name], [row.split(",") for row in rows], company.inbox)
    write("pools", "pool,component,owner,split", "rest,idle,P,keep", "lab,idle,B,keep")
    write("node_types", "cluster,node_type,accelerators,idle_pool", "c,,,rest", "d,,,rest")
    write("nodes", "cluster,node,resource_id,accelerators,idle_pool,valid_from,valid_to", "c,n2,i-2,0,rest,,")
    case_page.write_input(["nodes", "c"], [["NodeName", "InstanceId", "TimeStart", "TimeEnd"], ["n1", "i-1", "1 00:00", ""]], company.inbox)
    company.night()
    company.kstar("close", "2026-09")
    write("node_types", "cluster,node_type,accelerators,idle_pool", "c,,,lab", "c,big,8,", "d,,,lab")
    write("nodes", "cluster,node,resource_id,accelerators,idle_pool,valid_from,valid_to", "c,n2,i-2,8,rest,,2026-10-01T00:00:00Z",
          "c,n2,i-2,8,lab,2026-10-01T00:00:00Z,", "c,n3,i-3,8,lab,,")
    done = company.night()
    expect("another pool for the idle of a cluster is named", "node_types.csv, line 2 speaks of 2026-09, which is closed: it takes effect "
           "from 2026-10-01" in done.stderr, done.stderr)
    expect("neither are other columns, what is dated after the close, nor nodes that no closed month has",
           done.stderr.count("late_choice") == 1, done.stderr)
    write("nodes", "cluster,node,resource_id,accelerators,idle_pool,valid_from,valid_to", "c,n2,i-2,8,lab,,")
    done = company.night()
    expect("another pool for the idle of a node is named", "nodes.csv, line 2 speaks of 2026-09, which is closed" in done.stderr, done.stderr)
    expect("nothing else is", done.stderr.count("late_choice") == 1, done.stderr)
    expect("no adjustment comes of them", company.query("SELECT * FROM kstar.adjustment") == [])


def frozen_rate():
    company = Company("rate")
    rates = company.inbox / "reference" / "exchange_rates.csv"
    table = [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags", "BillingCurrency"]]
    row = ["2026-09-01T00:00:00", "2026-10-01T00:00:00", "1000.00", "team=a", "EUR"]
    case_page.write_input(["bill", "cloud", "2026-09"], [*table, row], company.inbox)
    rates.write_text("rate_date,currency,statement_currency,rate\n2026-09-30,EUR,USD,1.10\n", encoding="utf-8")
    company.publish()
    company.kstar("close", "2026-09")
    rates.write_text("rate_date,currency,statement_currency,rate\n2026-09-30,EUR,USD,1.20\n", encoding="utf-8")
    row[2] = "1010.00"
    case_page.write_input(["bill", "cloud", "2026-09"], [*table, row], company.inbox)
    done = company.publish()
    rows = company.query("SELECT minor_units FROM kstar.adjustment")
    expect("the day of a late rate is named", "exchange_rates.csv, line 2 speaks of 2026-09-30, in 2026-09, which is closed: it takes effect from "
           "2026-10-01" in done.stderr, done.stderr)
    expect("a restatement is converted at the rate of the close: 10.00 EUR are 11.00", rows == [{"minor_units": "1100"}],
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
    company.bill("2026-10", "10.00")
    company.night()
    preliminary = company.files()
    for month, more in (("2026-08", ["--accept-incomplete", "one run was all"]), ("2026-09", [])):
        done = company.kstar("close", month, *more)
        expect(f"{month} is closed", done.returncode == 0, done.stdout + done.stderr)
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


def tax_as_closed():
    """1000.00 are billed for a plan that A uses up, and 100.00 of tax: A's."""
    company = Company("tax")

    def bill(usage):
        case_page.write_input(["bill", "cloud", "2026-09"], [
            [*HEADER, "EffectiveCost", "ChargeCategory", "CommitmentDiscountId"],
            ["1 00:00", "10-01 00:00", "1000.00", "", "0", "Purchase", "plan-1"],
            ["1 00:00", "10-01 00:00", "0", "team=a", "1000.00", "Usage", "plan-1"],
            ["1 00:00", "10-01 00:00", usage, "team=b", usage, "Usage", ""],
            ["1 00:00", "10-01 00:00", "100.00", "", "100.00", "Tax", ""]], company.inbox)

    def adjusted():
        return [tuple(row.values()) for row in company.query(
            "SELECT coalesce(cost_centre, subject) AS who, component, minor_units FROM kstar.adjustment ORDER BY 1, 2")]

    bill("0")
    company.publish()
    company.kstar("close", "2026-09")
    bill("250.00")
    done = company.publish()
    expect("a replay splits the tax of a commitment as the close did, by its use",
           adjusted() == [("A", "tax", "-2000"), ("B", "direct_cost", "25000"), ("B", "tax", "2000")], str(adjusted()) + done.stdout + done.stderr)


def components_as_closed():
    """40.00 of control plane go by wall-hours: twelve of A's heterogeneous job, twelve of B's:
    20.00 each."""
    company = Company("components")
    for words, table in ((["reference", "pools"], [["pool", "component", "owner", "split", "basis"],
                                                   ["control", "fixed_overhead", "P", "proportional", "wall_hours"]]),
                         (["reference", "pool_rules"], [["priority", "match", "pattern", "pool"], ["1", "service_name", "Control", "control"]]),
                         (["jobs", "c"], [["JobID", "JobIDRaw", "Account", "Start", "End", "NNodes", "NodeList"],
                                          ["900+0", "900", "a", "8 00:00", "8 12:00", "1", "n1"],
                                          ["900+1", "901", "a", "8 00:00", "8 12:00", "1", "n2"],
                                          ["910", "910", "b", "9 00:00", "9 12:00", "1", "n1"]])):
        case_page.write_input(words, table, company.inbox)

    def bill(usage):
        case_page.write_input(["bill", "cloud", "2026-09"], [[*HEADER, "ServiceName"], ["1 00:00", "10-01 00:00", "40.00", "", "Control"],
                                                             ["1 00:00", "10-01 00:00", usage, "team=b", "Storage"]], company.inbox)
        return company.publish()

    def adjusted():
        return [tuple(row.values()) for row in company.query(
            "SELECT coalesce(cost_centre, subject) AS who, component, minor_units FROM kstar.adjustment ORDER BY 1, 2")]

    bill("5.00")
    company.kstar("close", "2026-09", "--accept-incomplete", "the test's")
    done = bill("6.00")
    expect("a late cent of a month with a heterogeneous job moves nobody's overhead", adjusted() == [("B", "direct_cost", "100")],
           str(adjusted()) + done.stdout + done.stderr)


def measured_under_two_scalings():
    """100.00 of hardware. E(1) of the job was measured twice, 0.9 under strong and 0.5 under weak
    scaling: 90.00 are useful."""
    company = Company("scalings")
    case_page.write_input(["reference", "families"], [["family", "maximum_k"], ["model", "8"]], company.inbox)
    case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"], ["1", "job_name", "train", "model"]],
                          company.inbox)
    case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id"], ["c", "n1", "i-1"]], company.inbox)
    case_page.write_input(["efficiency"], [["family", "job_id", "k", "metric", "value", "scaling"], ["model", "1", "1", "efficiency", "0.9", "strong"],
                                           ["model", "1", "1", "efficiency", "0.5", "weak"]], company.inbox)
    case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList", "JobName"],
                                          ["1", "a", "8 00:00", "9 00:00", "n1", "train"],
                                          ["2", "a", "10-01 00:00", "10-01 01:00", "n9", "other"]], company.inbox)
    replayed_as_closed(company)


def families_that_end_within_the_month():
    """100.00 of hardware of a job on a node with eight accelerators. Its family counts accelerators
    until the 20th: K = 8, where 0.9 was measured on it, so 90.00 are useful. As nodes K would be 1,
    where 0.5 was measured."""
    company = Company("ended")
    case_page.write_input(["reference", "families"], [["family", "unit", "accelerators_per_node", "valid_from", "valid_to"],
                                                      ["model", "accelerators", "8", "", "2026-09-20"]], company.inbox)
    case_page.write_input(["reference", "family_rules"], [["priority", "match", "pattern", "family"], ["1", "job_name", "train", "model"]],
                          company.inbox)
    case_page.write_input(["reference", "nodes"], [["cluster", "node", "resource_id", "accelerators"], ["c", "n1", "i-1", "8"]], company.inbox)
    case_page.write_input(["efficiency"], [["family", "job_id", "k", "metric", "value"], ["model", "1", "8", "efficiency", "0.9"],
                                           ["model", "1", "1", "efficiency", "0.5"]], company.inbox)
    case_page.write_input(["jobs", "c"], [["JobID", "Account", "Start", "End", "NodeList", "GPUs", "JobName"],
                                          ["1", "a", "8 00:00", "9 00:00", "n1", "8", "train"],
                                          ["2", "a", "10-01 00:00", "10-01 01:00", "n9", "8", "other"]], company.inbox)
    replayed_as_closed(company)


def replayed_as_closed(company):
    """100.00 of hardware, of which 90.00 are useful, also in a replay of 200.00."""
    def bill(cost):
        case_page.write_input(["bill", "cloud", "2026-09"], [
            ["ChargePeriodStart", "ChargePeriodEnd", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "BilledCost"],
            ["8 00:00", "9 00:00", "i-1", "24", "Hours", cost]], company.inbox)

    def shows(what, table, wanted):
        found = [tuple(row.values()) for row in company.query(
            f"SELECT component, sum(minor_units)::bigint AS minor_units FROM kstar.{table} WHERE line_type = 'charge' GROUP BY 1 ORDER BY 1")]
        expect(f"{company.name}: {what}", found == wanted, str(found))

    as_measured = [("coordination_waste", "1000"), ("useful_compute", "9000")]
    bill("100.00")
    company.publish()
    shows("what the statement decomposes", "statement_row", as_measured)
    company.kstar("close", "2026-09", "--accept-incomplete", "the bill is all there is")
    bill("200.00")
    company.publish()
    shows("a replay decomposes likewise", "adjustment", as_measured)


def killed_close():
    company = Company("killed")
    company.bill("2026-09", "100.00")
    company.publish()
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


refusals()
measured_under_two_scalings()
families_that_end_within_the_month()
later_bills()
missing_bills()
long_lines()
ends_of_months()
all_that_there_was()
withdrawn_bills()
quiet_nights()
late_choices()
late_invoice_dates()
late_idle_pools()
frozen_rate()
final_workbooks()
tax_as_closed()
components_as_closed()
settings_of_a_replay()
killed_close()
sys.exit(1 if failures else 0)
