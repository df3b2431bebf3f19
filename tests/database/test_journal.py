"""The journal: balanced, complete to the cent, issued once, taken back exactly; against a
recomputation from the statement's rows."""

import json
import os
import shutil
import signal
import resource
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
KSTAR = os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import workbooks
import case_page
import journal
import published
from publish import Publish
from saying import check, it

NIGHTS = (0, 4)


def differ(wanted, found):
    return "\n".join(f"  {key}: {wanted.get(key)} wanted, {found.get(key)} booked"
                     for key in sorted({*wanted, *found}) if wanted.get(key) != found.get(key))


class Company:
    """An inbox, a database and a folder of their own."""

    def __init__(self, name, month="2026-09"):
        self.month, self.inbox, self.out = month, WORK / name / "inbox", WORK / name / "out"
        self.dsn = published.new_database(name)
        self.publish = Publish(self.inbox, self.dsn)

    def kstar(self, *arguments, expect=(0,), **options):
        done = subprocess.run([KSTAR, *map(str, arguments), "--dsn", self.dsn], capture_output=True, text=True, check=False, **options)
        check(done.returncode in expect, f"kstar {arguments} ended with {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def night(self, expect=NIGHTS):
        return self.kstar("nightly", self.inbox, "--out", self.out, expect=expect)

    def report(self, *options, month=None, out=None):
        """Writes the journal; what stands in the file, and its bytes."""
        month = month or self.month
        self.kstar("report", "journal", "--period", month, "--out", out or self.out, *options)
        return self.read(month, out)

    def read(self, month=None, out=None):
        path = (out or self.out) / f"journal-{month or self.month}.csv"
        written = journal.Journal(path)
        check(not written.uneven(), f"{path}: {written.uneven()}")
        written.bytes = path.read_bytes()
        return written

    def files(self):
        return {path.name: path.read_bytes() for path in self.out.iterdir() if path.name[0] != "."}

    def sql(self, query):
        subprocess.run(["psql", self.dsn, "-XAtqc", query], check=True)

    def reference(self, name, text):
        path = self.inbox / "reference" / f"{name}.csv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def bill(self, source, table, month=None):
        case_page.write_input(["bill", source, month or self.month], table, self.inbox)


def keys_of(written):
    return {row["Posting key"] for row in written.headers + written.lines}


def reversed_lines(lines):
    return [(row["GL account"], row["Cost centre"], row["Debit"], row["Credit"], row["Currency"], row["Accounting date"],
             row["Reversal date"], row["External reference"]) for row in lines]


def opens_with_reversal(written, of_lines):
    """The lines of an earlier issue with their sides changed, in their order, before everything
    else."""
    taken_back = [(account, centre, credit, debit, *rest) for account, centre, debit, credit, *rest in reversed_lines(of_lines)]
    return reversed_lines(written.lines[:len(of_lines)]) == taken_back


# ---- the invented company of fixtures/ ----

larkspur = Company("larkspur")
shutil.copytree(SOURCES / "fixtures" / "inbox", larkspur.inbox)
larkspur.publish()


def recomputed(folder):
    return journal.expected(journal.read_csv(folder / "statement_rows.csv"), journal.read_csv(folder / "invoices.csv"),
                            larkspur.inbox / "reference", "2026-09-30")


it("is a preview without posting key until it is issued")
first = larkspur.report()
check(keys_of(first) == {""} and {row["Issue"] for row in first.lines} == {""}, f"keys {keys_of(first)}")
[header] = first.headers
check((header["Company"], header["Currency"], header["Kind"], header["Accounting date"], header["Reversal date"])
      == ("LARKSPUR", "USD", "accrual", "2026-09-30", "2026-10-01") and header["Source"].startswith("kstar "), str(header))

it("books every cent of the statement once, as an independent program works it out from the bills")
wanted = recomputed(SOURCES / "fixtures" / "expected")
check(first.booked() == wanted, differ(wanted, first.booked()))
check(sum(units for units in wanted.values()) == 0, "the recomputation does not balance")
invoices = sum(int(row["minor_units"]) for row in journal.read_csv(SOURCES / "fixtures" / "expected" / "invoices.csv"))
check(-sum(units for (account, _, _), units in first.booked().items() if account == "2150") == invoices, "invoices are not cleared")

it("puts a cost centre that was closed on a named suspense line")
closed = [row for row in first.lines if "CC-400" in row["Memo"]]
check(closed and all(row["GL account"] == "1998" and row["Cost centre"] == "" and row["Memo"].startswith("2026-09 Suspense") for row in closed),
      str(closed))
check(not any(row["Cost centre"] == "CC-400" for row in first.lines), "a closed cost centre is posted to")

it("credits carriers with charges not booked yet, and omits charges already booked")
credits = [row for row in first.lines if "credit of the carrier" in row["Memo"]]
check(credits and all(row["Credit"] for row in credits), str(credits))
check(not any("Engineering" in row["Memo"] for row in first.lines), "salaries are booked twice")

it("gives the same key and the same bytes for the same content, wherever it is written")
issued = larkspur.report("--issue")
check(keys_of(issued) == {"LARKSPUR-2026-09-1"}, f"keys {keys_of(issued)}")
check(larkspur.report("--issue").bytes == issued.bytes, "issuing twice")
check(larkspur.report("--issue", out=WORK / "elsewhere").bytes == issued.bytes, "issuing into another folder")
check(larkspur.report(out=WORK / "elsewhere2").bytes == issued.bytes, "looking at it")
check(issued.booked() == wanted, "the issue differs from its preview")

it("opens the next issue with the exact reversal of the last when a bill has changed")
changed = next((larkspur.inbox / "billing" / "boreas").rglob("*.csv"))
text = changed.read_text(encoding="utf-8").splitlines()
# its first line again
changed.write_text("\n".join([text[0], text[1], *text[2:], text[1]]) + "\n", encoding="utf-8")
larkspur.publish()
preview = larkspur.report()
check(keys_of(preview) == {""} and preview.bytes != issued.bytes, "the preview of what changed has a key")
second = larkspur.report("--issue")
check(keys_of(second) == {"LARKSPUR-2026-09-2"}, f"keys {keys_of(second)}")
check(opens_with_reversal(second, issued.lines), "not the exact reversal")
check(all(row["Memo"].startswith("Reversal of LARKSPUR-2026-09-1/") for row in second.lines[:len(issued.lines)]), "memo of the reversal")
check(second.booked() == preview.booked(), "the issue differs from its preview")
subprocess.run([SOURCES / "fixtures" / "expected" / "compute", "--inbox", larkspur.inbox, "--out", WORK], check=True)
wanted = recomputed(WORK)
check(second.booked(second.lines[len(issued.lines):]) == wanted, differ(wanted, second.booked(second.lines[len(issued.lines):])))
net = second.booked(issued.lines + second.lines)
check(net == wanted, "issues together are not the statement:\n" + differ(wanted, net))

it("writes an earlier issue again as it was, and no issue that there never was")
check(larkspur.report("--number", "1").bytes == issued.bytes, "issue 1")
check("no issue 3" in larkspur.kstar("report", "journal", "--period", "2026-09", "--number", "3", "--out", larkspur.out, expect=(3,)), "issue 3")
check(larkspur.report("--issue").bytes == second.bytes, "issue 2 again")

it("lists what was issued")
listed = json.loads(larkspur.kstar("report", "journal", "--list", "--json"))
check([(row["month"], row["posting_key"], row["kind"], row["lines"], row["currency"], row["control_total"]) for row in listed]
      == [("2026-09", f"LARKSPUR-2026-09-{number}", "accrual", len(written.lines), "USD", written.headers[0]["Control total"])
          for number, written in ((2, second), (1, issued))], str(listed))
check("LARKSPUR-2026-09-2" in larkspur.kstar("report", "journal", "--list", "--period", "2026-09"), "as a table")
check(json.loads(larkspur.kstar("report", "journal", "--list", "--json", "--period", "2026-08")) == [], "of a month without issue")

it("takes the layout, the delimiter, the form of dates and the decimal mark from reference files, and keeps its key")
settings = (larkspur.inbox / "reference" / "settings.csv").read_text(encoding="utf-8")
larkspur.reference("settings", settings + "journal_delimiter,;,,\njournal_date_form,DD.MM.YYYY,,\njournal_decimal_mark,\",\",,\n")
larkspur.reference("journal_columns", "position,heading,field,valid_from,valid_to\n1,Belegdatum,accounting_date,,\n2,Soll/Haben,side,,\n"
                                      "3,Betrag,value,,\n4,Konto,gl_account,,\n5,Schlüssel,posting_key,,\n6,Text,memo,,\n")
larkspur.kstar("ingest", "reference", larkspur.inbox / "reference")
larkspur.kstar("report", "journal", "--period", "2026-09", "--issue", "--out", WORK / "layout")
rows = journal.read_csv(WORK / "layout" / "journal-2026-09.csv", ";")
check(len(rows) == len(second.lines) and list(rows[0]) == ["Belegdatum", "Soll/Haben", "Betrag", "Konto", "Schlüssel", "Text"], str(rows[0]))
for row, line in zip(rows, second.lines):
    check(row["Belegdatum"] == "30.09.2026" and row["Betrag"].replace(",", ".") == (line["Debit"] or line["Credit"])
          and (row["Soll/Haben"] == "D") == bool(line["Debit"]) and row["Konto"] == line["GL account"], f"{row} for {line}")
check({row["Schlüssel"] for row in rows} == {"LARKSPUR-2026-09-2"}, "a layout is no content")
larkspur.reference("journal_columns", "position,heading,field,valid_from,valid_to\n" + "".join(f"{i},C{i},memo,,\n" for i in range(1, 151)))
larkspur.kstar("ingest", "reference", larkspur.inbox / "reference")
larkspur.kstar("report", "journal", "--period", "2026-09", "--out", WORK / "layout")
rows = journal.read_csv(WORK / "layout" / "journal-2026-09.csv", ";")
check(list(rows[0]) == [f"C{i}" for i in range(1, 151)] and len(rows) == len(second.lines), "a layout of any number of columns")
for parameter, value in (("journal_delimiter", "x"), ("journal_date_form", "YY"), ("journal_decimal_mark", ";"), ("journal_internal", "salaries")):
    larkspur.reference("settings", settings + f"{parameter},{value},,\n")
    output = larkspur.kstar("ingest", "reference", larkspur.inbox / "reference", expect=(3,))
    check("column value" in output and f'"{value}"' in output, output)


# ---- closing, and what comes after ----

BILL = [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "EffectiveCost", "ChargeCategory", "CommitmentDiscountId", "Tags"],
        ["1 00:00", "10-01 00:00", "600.10", "600.10", "Usage", "", "team=a"],
        ["1 00:00", "10-01 00:00", "399.95", "399.95", "Usage", "", "team=b"],
        ["1 00:00", "10-01 00:00", "12000.00", "0", "Purchase", "SP-1", "team=a"],
        ["1 00:00", "10-01 00:00", "0", "900.00", "Usage", "SP-1", "team=a"],
        ["1 00:00", "10-01 00:00", "-5.05", "-5.05", "Credit", "", "team=b"]]

ledger = Company("ledger")
case_page.write_common_reference(ledger.inbox)
ledger.bill("cloud", BILL)
ledger.publish()

it("books prepaid balance change on its account, and names accounts that nobody configured")
output = ledger.kstar("report", "journal", "--out", ledger.out) # the only open month
check("lacks clearing_gl_account, journal_company, prepaid_gl_account" in output and "preview" in output, output)
check(ledger.read().booked() == {("6001", "A", "INV-1"): 150010, ("6002", "B", "INV-1"): 39490, ("PREPAID", "", "INV-1"): 1110000,
                                 ("CLEARING", "", "INV-1"): -1299500}, str(ledger.read().booked()))
ledger.reference("settings", "parameter,value\njournal_company,ACME\nclearing_gl_account,2150\nprepaid_gl_account,1480\n")

it("is a preview every night until it is issued; then it stays as issued while nothing changes, and the nights after that change nothing")
ledger.night()
check(keys_of(ledger.read()) == {""}, "a night's preview has a key")
accrual = ledger.report("--issue")
check(keys_of(accrual) == {"ACME-2026-09-1"}, f"keys {keys_of(accrual)}")
ledger.night()
before = ledger.files()
check(before["journal-2026-09.csv"] == accrual.bytes, "a night wrote over an issue")
check("nothing new; nothing was changed" in ledger.night(), "a quiet night was not quiet")
check(before == ledger.files(), "a quiet night changed a file")

it("is final once the month is closed, and takes the accrual back with its own dates")
ledger.kstar("close", "2026-09")
ledger.night()
as_closed = ledger.files()
final = ledger.report("--issue")
half = len(accrual.lines)
check(opens_with_reversal(final, accrual.lines), "not the exact reversal")
check([(row["Posting key"], row["Kind"], row["Reversal date"]) for row in final.lines]
      == [("ACME-2026-09-2R", "accrual", "2026-10-01")] * half + [("ACME-2026-09-2", "final", "")] * half, str(final.lines))
check({row["Issue"] for row in final.headers + final.lines} == {"2"}, "issue")

it("is a document with one reversal date for each header, so that a ledger that books each key once by its header is right on every day")
check([(row["Posting key"], row["Kind"], row["Accounting date"], row["Reversal date"], row["Control total"]) for row in final.headers]
      == [("ACME-2026-09-2", "final", "2026-09-30", "", "13000.05"), ("ACME-2026-09-2R", "accrual", "2026-09-30", "2026-10-01", "13000.05")],
      str(final.headers))
SEPTEMBER = {("2026-09-30", "6001", "A"): Decimal("1500.10"), ("2026-09-30", "6002", "B"): Decimal("394.90"),
             ("2026-09-30", "1480", ""): Decimal("11100.00"), ("2026-09-30", "2150", ""): Decimal("-12995.00")}
check(journal.in_ledger(accrual, final) == SEPTEMBER, str(journal.in_ledger(accrual, final)))
check({day for day, _, _ in journal.in_ledger(accrual)} == {"2026-09-30", "2026-10-01"}, "the accrual is not taken back")
check(final.booked(accrual.lines + final.lines) == accrual.booked(), "issues together are not the statement")
check(ledger.report("--issue").bytes == final.bytes, "issuing twice after the close")

it("writes both issues again as they were, prints both keys, and lists a control total for each document")
check(ledger.report("--number", "1", out=WORK / "ledger-again").bytes == accrual.bytes, "the accrual again")
check(ledger.report("--number", "2", out=WORK / "ledger-again").bytes == final.bytes, "the final issue again")
check("posting key ACME-2026-09-2, ACME-2026-09-2R\n" in ledger.kstar("report", "journal", "--period", "2026-09", "--out", ledger.out), "the posting keys in the output")
listed = json.loads(ledger.kstar("report", "journal", "--list", "--json"))
check([(row["posting_key"], row["kind"], row["reversal_date"], row["lines"], row["currency"], row["control_total"]) for row in listed]
      == [("ACME-2026-09-2", "final", "", half, "USD", "13000.05"), ("ACME-2026-09-2R", "accrual", "2026-10-01", half, "USD", "13000.05"),
          ("ACME-2026-09-1", "accrual", "2026-10-01", half, "USD", "13000.05")], str(listed))

it("touches no workbook of the closed month: the journal is its file")
ledger.night()
as_issued = ledger.files()
check({name for name in as_issued if as_issued[name] != as_closed.get(name)} == {"journal-2026-09.csv"}
      and as_issued.keys() == as_closed.keys(), "what the issue changed")
check("nothing new; nothing was changed" in ledger.night(), "the night after wrote again")

it("books adjustments to a closed month with the month that carries them, and leaves the closed one")
restated = [list(row) for row in BILL]
restated[1][2] = restated[1][3] = "640.10"
ledger.bill("cloud", restated + [["1 00:00", "10-01 00:00", "7.00", "7.00", "Usage", "", "team=nobody"]])
october = [BILL[0], ["10-01 00:00", "11-01 00:00", "100.00", "100.00", "Usage", "", "team=b"]]
october[1][0:2] = ["2026-10-01T00:00:00", "2026-11-01T00:00:00"]
ledger.bill("cloud", october, "2026-10")
ledger.publish()
carried = ledger.report(month="2026-10")
check(carried.booked() == {("6002", "B", "INV-1"): 10000, ("2150", "", "INV-1"): -10000, ("6001", "A", "cloud 2026-09"): 4000,
                           ("UNALLOCATED", "", "cloud 2026-09"): 700, ("2150", "", "cloud 2026-09"): -4700}, str(carried.booked()))
check(any(row["Memo"].startswith("2026-10 Adjustment to 2026-09: ") for row in carried.lines), "memo of an adjustment")
check(ledger.report("--issue").bytes == final.bytes, "the closed month's journal changed")

it("puts the adjustment of a cost centre that has been closed since on the suspense line")
ledger.reference("cost_centres", "cost_centre,name,gl_account,valid_from,valid_to\nA,Team A,6001,,2026-10-15\nB,Team B,6002,,\nP,Platform,6000,,\n")
ledger.publish()
ledger.kstar("report", "chargeback", "--period", "2026-10", "--out", ledger.out)
carried = ledger.report(month="2026-10")
check(carried.booked()["SUSPENSE", "", "cloud 2026-09"] == 4000 and ("6001", "A", "cloud 2026-09") not in carried.booked(), str(carried.booked()))

it("names on the statement the account that an adjustment is booked on")


def statement_accounts(book):
    """Cents of the statement's adjustments to closed invoices by account, as its sheet shows
    them."""
    cells = {}
    for row in workbooks.table(book, "Statement", "Name or subject"):
        cells[row["GL account"]] = cells.get(row["GL account"], 0) + round(row["Amount"] * 100)
    return cells


book = workbooks.Book(ledger.out / "chargeback-2026-10.xlsx")
rows = [(row["Cost centre"], row["Name or subject"], row["GL account"], row["Amount"]) for row in workbooks.table(book, "Statement", "Name or subject")]
check(rows[0] == ("A", "suspense: Team A", None, 40), f"no account is given for suspense, but the statement says {rows}")
data = workbooks.Book(ledger.out / "data-2026-10.xlsx")
check([(row["Cost centre"], row["GL account"]) for row in workbooks.table(data, "Adjustments", "Closed month")][0] == ("A", None), "the sheet Adjustments")

it("books an adjustment as its month was booked: in its company and on its accounts, whatever holds since; on today's where it had none")
SETTINGS = "parameter,value,valid_from,valid_to\njournal_company,ACME,,{0}\nclearing_gl_account,2150,,{0}\nprepaid_gl_account,1480,,\n"
ledger.reference("settings", SETTINGS.format("2026-10-01") + "journal_company,BETA,2026-10-01,\nclearing_gl_account,2160,2026-10-01,\n"
                                                             "unallocated_gl_account,9100,2026-10-01,\nsuspense_gl_account,9999,2026-10-01,\n")
ledger.publish()
ledger.kstar("report", "chargeback", "--period", "2026-10", "--out", ledger.out)
carried = ledger.report(month="2026-10")
check({(row["Company"], *cell): units for row in carried.lines for cell, units in carried.booked([row]).items()}
      == {("BETA", "6002", "B", "INV-1"): 10000, ("BETA", "2160", "", "INV-1"): -10000, ("ACME", "9999", "", "cloud 2026-09"): 4000,
          ("ACME", "9100", "", "cloud 2026-09"): 700, ("ACME", "2150", "", "cloud 2026-09"): -4700}, str(carried.lines))
check(sorted((row["Company"], row["Control total"]) for row in carried.headers) == [("ACME", "47.00"), ("BETA", "100.00")], str(carried.headers))
book = workbooks.Book(ledger.out / "chargeback-2026-10.xlsx")
check(statement_accounts(book) == {"9999": 4000, "9100": 700}, f"the journal books on 9999 and 9100, the statement says {statement_accounts(book)}")
ledger.reference("settings", SETTINGS.format(""))  # published with November

it("gives no new key to a statement that is not what the data say, and writes again what was issued")
stale = Company("stale")
case_page.write_common_reference(stale.inbox)


def stale_bill(amount, *more):
    stale.bill("cloud", [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "BillingCurrency", "Tags"],
                         ["1 00:00", "10-01 00:00", amount, "USD", "team=a"], *more])


def refused_as_stale():
    output = stale.kstar("report", "journal", "--period", "2026-09", "--issue", "--out", WORK / "stale-issue", expect=(4,))
    check("the statement of 2026-09 is not what the data say" in output and "kstar nightly" in output, output)
    check(not list((WORK / "stale-issue").iterdir()), "it refused, and wrote")
    check(keys_of(stale.report()) == {""}, "a preview is what is published")


stale_bill("500.00")
stale.publish()
WON = ["1 00:00", "10-01 00:00", "900000", "KRW", "team=b"]
stale_bill("900.00", WON)
stale.publish.take()
check("no exchange rate from KRW" in stale.kstar("model", expect=(3,)), "published without the rate")
refused_as_stale()
check(json.loads(stale.kstar("report", "journal", "--list", "--json")) == [], "a number was used up")
stale.reference("exchange_rates", "rate_date,currency,statement_currency,rate\n2026-09-30,KRW,USD,0.0007\n")
stale.kstar("ingest", "reference", stale.inbox / "reference")
refused_as_stale()
stale.publish()
once = stale.report("--issue")
check(keys_of(once) == {"COMPANY-2026-09-1"} and once.booked() == {("6001", "A", "INV-1"): 90000, ("6002", "B", "INV-1"): 63000,
                                                                   ("CLEARING", "", "INV-1"): -153000}, str(once.booked()))
stale_bill("950.00", WON)
stale.kstar("ingest", "billing", "--source", "cloud", stale.inbox / "billing" / "cloud" / "2026-09")
check(stale.report("--issue").bytes == once.bytes, "what was issued")
stale.kstar("model", "--as-of", "2026-12-01T00:00:00Z")
check(keys_of(stale.report("--issue")) == {"COMPANY-2026-09-2"}, "a statement with a given as-of")

it("asks which month where several are open, and refuses what makes no sense")
ledger.bill("cloud", [BILL[0], ["2026-11-01T00:00:00", "2026-12-01T00:00:00", "1.00", "1.00", "Usage", "", "team=b"]], "2026-11")
ledger.publish()
check("2026-10, 2026-11" in ledger.kstar("report", "journal", "--out", ledger.out, expect=(2,)), "months")
ledger.kstar("report", "journal", "--period", "2026-09", expect=(2,))
ledger.kstar("report", "journal", "--period", "2026-09", "--issue", "--number", "1", "--out", ledger.out, expect=(2,))
check("no statement" in ledger.kstar("report", "journal", "--period", "2025-01", "--issue", "--out", ledger.out, expect=(3,)), "no statement")

it("issues once when asked twice at the same moment")
both = [subprocess.Popen([KSTAR, "report", "journal", "--period", "2026-10", "--issue", "--out", WORK / f"both{i}", "--dsn", ledger.dsn],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE) for i in range(2)]
check([process.wait() for process in both] == [0, 0], "one of the two failed")
check((WORK / "both0" / "journal-2026-10.csv").read_bytes() == (WORK / "both1" / "journal-2026-10.csv").read_bytes(), "two issues")

it("is the same issue when the file could not take its place and the command is run again")
ledger.bill("cloud", october + [["2026-10-01T00:00:00", "2026-11-01T00:00:00", "2.00", "2.00", "Usage", "", "team=b"]], "2026-10")
ledger.publish()
(WORK / "blocked" / "journal-2026-10.csv").mkdir(parents=True)
ledger.kstar("report", "journal", "--period", "2026-10", "--issue", "--out", WORK / "blocked", expect=(1,))
(WORK / "blocked" / "journal-2026-10.csv").rmdir()
check(keys_of(ledger.report("--issue", month="2026-10", out=WORK / "blocked")) == {"ACME-2026-10-2"}, "another number")
check(not [path for path in (WORK / "blocked").iterdir() if path.name[0] == "." and path.name != ".kstar.written"], "something unfinished is left")

it("writes the whole file or none, and uses up no number for it")


def files_end_early():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


ledger.bill("cloud", october + [["2026-10-01T00:00:00", "2026-11-01T00:00:00", "1.00", "1.00", "Usage", "", "team=b"]], "2026-10")
ledger.publish()
output = ledger.kstar("report", "journal", "--period", "2026-10", "--issue", "--out", WORK / "full", expect=(1,), preexec_fn=files_end_early)
check("journal-2026-10.csv" in output and not list((WORK / "full").iterdir()), output)
check(keys_of(ledger.report("--issue", month="2026-10")) == {"ACME-2026-10-3"}, "a number is missing")

it("gives a new number to what was booked before the last issue, and the issues together are still the statement")
ledger.bill("cloud", october, "2026-10")
ledger.publish()
issues = [ledger.report("--number", str(number), month="2026-10") for number in (1, 2, 3)] + [ledger.report("--issue", month="2026-10")]
own = [[row for row in written.lines if not row["Memo"].startswith("Reversal of ")] for written in issues]
check(keys_of(issues[3]) == {"ACME-2026-10-4"} and reversed_lines(own[3]) == reversed_lines(own[0]), "what was booked first")
check(all(opens_with_reversal(later, before) for later, before in zip(issues[1:], own)), "each takes the one before back")
check(issues[0].booked([row for written in issues for row in written.lines]) == issues[0].booked(own[3]), "issues together")


# ---- currencies, hostile names, transfers ----

it("keeps formulas in names from being formulas, and quotes as RFC 4180 says")
hostile = Company("hostile")
case_page.write_common_reference(hostile.inbox)
names = ["=1+1", "+2", "-3", "@SUM(A1)", "＝1", 'a "quoted", name; with | all', "två\nrader", "=cmd|' /C calc'!A0"]
hostile.reference("cost_centres", "cost_centre,name,gl_account\n" + "".join(
    f'"{centre}","{centre}","{centre}"\n' for centre in (name.replace('"', '""') for name in names[:5])) + 'A,"two\nlines ""and"" more",60\nB,b,61\nP,p,62\n')
hostile.reference("mapping_rules", "priority,match,pattern,cost_centre\n" + "".join(
    f'{at + 1},tag:team,{at},"{name}"\n' for at, name in enumerate(names[:5])) + "90,tag:team,a,A\n")
hostile.reference("settings", "parameter,value\njournal_company,@ACME\n")
hostile.bill("cloud", [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "InvoiceId", "InvoiceIssuerName", "Tags"]]
             + [["1 00:00", "10-01 00:00", "1.00", f"{names[at % 8]} {at}", names[7], f"team={at}"] for at in range(5)]
             + [["1 00:00", "10-01 00:00", "1.00", names[5], names[6], "team=a"]])
hostile.publish()
written = hostile.report("--issue")
check(written.bytes.endswith(b"\r\n") and b"\n" not in written.bytes.replace(b"\r\n", b"").replace(b"two\nlines", b"").replace(b"tv\xc3\xa5\nrader", b""),
      "records end with CR LF")
for row in written.headers + written.lines:
    for name in ("Posting key", "Company", "GL account", "Cost centre", "Memo", "External reference"):
        check(not row[name][:1] in ("=", "+", "-", "@", "\t", "\r") and not row[name].startswith("＝"), f"{name} is {row[name]!r}")
check({row["Cost centre"] for row in written.lines} >= {"'" + name for name in names[:5]}, "cost centres lost")
check(any(row["External reference"] == names[5] for row in written.lines), "a quoted name did not come back")
check(any("two\nlines \"and\" more" in row["Memo"] for row in written.lines), "a name of two lines did not come back")

it("refuses a journal whose halves do not balance by themselves, even where together they do")
halves = Company("halves")
case_page.write_common_reference(halves.inbox)
halves.bill("cloud", [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "Tags"], ["1 00:00", "10-01 00:00", "12.34", "team=a"]])
halves.publish()
halves.report("--issue")
halves.sql("UPDATE kstar.journal_line SET minor_units = minor_units + 1 WHERE minor_units > 0")
halves.sql("UPDATE kstar.statement_sum SET minor_units = minor_units + 1 WHERE block = 'invoice'")
output = halves.kstar("report", "journal", "--period", "2026-09", "--issue", "--out", halves.out, expect=(5,))
check("the journal of 2026-09 does not balance" in output and "COMPANY, USD: -1 minor units" in output, output)

it("has as many decimals as the currency, and reverses in the currency that was booked")
yen = Company("yen")
case_page.write_common_reference(yen.inbox)
yen.reference("settings", "parameter,value\nstatement_currency,JPY\njournal_company,TOKYO\n")
yen.bill("cloud", [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "BillingCurrency", "Tags"], ["1 00:00", "10-01 00:00", "1000.6", "JPY", "team=a"]])
yen.publish()
one = yen.report("--issue")
check([(row["Debit"], row["Credit"]) for row in one.lines] == [("1001", ""), ("", "1001")], str(one.lines))
yen.reference("settings", "parameter,value\nstatement_currency,BHD\njournal_company,MANAMA\n")
yen.reference("exchange_rates", "rate_date,currency,statement_currency,rate\n2026-09-30,JPY,BHD,0.0025\n")
yen.publish()
two = yen.report("--issue")
check([(row["Company"], row["Currency"], row["Posting key"], row["Control total"]) for row in two.headers]
      == [("MANAMA", "BHD", "MANAMA-2026-09-2", "2.502"), ("TOKYO", "JPY", "TOKYO-2026-09-2R", "1001")], str(two.headers))
check(opens_with_reversal(two, one.lines) and [row["Debit"] + row["Credit"] for row in two.lines[2:]] == ["2.502", "2.502"], str(two.lines))

it("writes an issue again as it was when its currency had other minor units than the statement has now")
again = yen.report("--number", "1", out=WORK / "yen-again")
check([(row["Company"], row["Currency"], row["Control total"]) for row in again.headers] == [("TOKYO", "JPY", "1001")], str(again.headers))
check(again.bytes == one.bytes, "issue 1 in yen")
check(yen.report("--number", "2", out=WORK / "yen-again").bytes == two.bytes, "issue 2 in dinars")

it("has a document for each currency of one company")
yen.reference("settings", "parameter,value\nstatement_currency,JPY\njournal_company,MANAMA\n")
yen.publish()
three = yen.report("--issue")
check([(row["Company"], row["Currency"], row["Posting key"], row["Control total"]) for row in three.headers]
      == [("MANAMA", "JPY", "MANAMA-2026-09-3", "1001"), ("MANAMA", "BHD", "MANAMA-2026-09-3R", "2.502")], str(three.headers))

it("lists a document without lines with the same control total as its file")
nothing = Company("nothing")
case_page.write_common_reference(nothing.inbox)
totals = []
for currency in ("USD", "BHD"):
    nothing.reference("settings", f"parameter,value\nstatement_currency,{currency}\n")
    nothing.bill("cloud", [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "BillingCurrency", "Tags"],
                           ["1 00:00", "10-01 00:00", "0", currency, "team=a"]])
    nothing.publish()
    totals += [(currency, row["Control total"]) for row in nothing.report("--issue").headers]
listed = json.loads(nothing.kstar("report", "journal", "--list", "--json"))
check(totals == [("USD", "0.00"), ("BHD", "0.000")] and [(row["currency"], row["control_total"]) for row in listed] == totals[::-1], f"{totals} {listed}")

it("books internal charges where they are not booked already, by component")
case = case_page.read_page(SOURCES / "tests" / "cases" / "16-internal-charges.case")
transfers = Company("transfers")
case_page.write_common_reference(transfers.inbox)
for words, table in case.sections:
    if words[0] != "expect":
        case_page.write_input(words, table, transfers.inbox)
transfers.publish()
check(not any(row["External reference"] == "tuning" for row in transfers.report().lines), "salaries are booked twice")
transfers.reference("settings", "parameter,value\njournal_internal,internal_hardware engineering_overhead\n")
transfers.publish()
check({cell: units for cell, units in transfers.report().booked().items() if cell[2] == "tuning"}
      == {("6001", "A", "tuning"): 40000, ("6002", "B", "tuning"): 80000, ("6000", "P", "tuning"): -120000}, "transfers")


it("books what late facts change of transfers, by component, with the month that carries them")
def late_company(name, setting, page="03-late-job-internal-charge"):
    company = Company(name)
    case_page.write_common_reference(company.inbox)
    company.reference("settings", f"parameter,value,valid_from,valid_to\n{setting}\n")
    for words, table in case_page.read_page(SOURCES / "tests" / "cases" / f"{page}.case").sections:
        if words[0] == "close":
            company.publish.take()
            company.kstar("close", words[1], "--accept-incomplete", "as the case says")
        elif words[0] != "expect":
            case_page.write_input(words, table, company.inbox)
    company.publish()
    return company


late = late_company("late", "journal_internal,engineering_overhead,,")
check(late.report(month="2026-10").booked() == {("6002", "B", "cloud 2026-09"): 500, ("6000", "P", "cloud 2026-09"): -500,
                                                ("6001", "A", "internal 2026-09"): -60000, ("6002", "B", "internal 2026-09"): 60000},
      str(late.report(month="2026-10").booked()))
check("Adjustment to 2026-09: Team B: Engineering overhead" in late.read("2026-10").bytes.decode(), "memo")

it("books all of a node rate where the ledger holds none, whatever components its jobs have")
own = late_company("own", "journal_internal,internal_hardware,,", "19-own-hardware-closed")
check(own.report(month="2026-10").booked() == {("6001", "A", "internal 2026-09"): 3000, ("6002", "B", "internal 2026-09"): 2000,
                                               ("6000", "P", "internal 2026-09"): -5000}, str(own.report(month="2026-10").booked()))

it("changes transfers of a closed month only where the ledger holds them, whatever is booked since")
booked = late.read("2026-10").booked()
late.reference("settings", "parameter,value,valid_from,valid_to\njournal_internal,engineering_overhead,,2026-10-01\n")
late.publish()
check(late.report(month="2026-10").booked() == booked, str(late.read("2026-10").booked()))
begun = late_company("begun", "journal_internal,engineering_overhead,2026-10-01,")
check(begun.report(month="2026-10").booked() == {("6002", "B", "cloud 2026-09"): 500, ("6000", "P", "cloud 2026-09"): -500},
      str(begun.read("2026-10").booked()))

print("ok")
