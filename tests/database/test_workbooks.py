"""The workbooks of an invented statement (tests/database/statement.sql): right, private, harmless
and repeatable."""

import os
import re
import resource
import signal
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
KSTAR = os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import published
import workbooks
from saying import check, it

# Text by which a cost centre would be recognised in somebody else's workbook.
CENTRES = {"quill": ["quill", "Goose feather"], "Quill": ["Quill", "+Search"], "vision/lab.1": ["vision/lab.1", "Vision lab"],
           "=umber+1": ["=umber+1", "=HYPERLINK"], "harbour": ["harbour", "Harbour works"]}
FUNCTIONS = {"ROUND", "SUM", "SUMIFS", "IF", "AND", "OR", "ABS", "SUMPRODUCT", "COUNT", "MIN", "MAX", "N"}
HOSTILE = ["=1+1", "-2+3", "@SUM(A1)", "\ttab", "+cmd|calc", "=umber+1", '=HYPERLINK("http://example.org")', "@streaming", "-Colo GmbH"]


def kstar(*arguments, expect=0, **environment):
    done = subprocess.run([KSTAR, *map(str, arguments)], capture_output=True, text=True, check=False,
                          env=dict(os.environ, **environment))
    check(done.returncode == expect, f"kstar {arguments} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def psql(dsn, *arguments):
    return subprocess.run(["psql", dsn, "-XAtq", "-v", "ON_ERROR_STOP=1", *arguments], check=True, capture_output=True, text=True).stdout.strip()


def sql(query, dsn=None):
    return psql(dsn or MADE, "-c", f"SET search_path = kstar; {query}")


def invented(name, jobs):
    """A database with the invented statement."""
    dsn = published.new_database(name)
    psql(dsn, "-v", f"jobs={jobs}", "-f", SOURCES / "tests" / "database" / "statement.sql")
    return dsn


def write(folder, *reports, dsn=None, **environment):
    return "".join(kstar("report", report, "--period", "2026-09", "--out", folder, "--dsn", dsn or MADE, **environment)
                   for report in reports or ("chargeback", "review"))


def written(folder):
    return sorted(folder.glob("*.xlsx"))


def own_workbook(folder, centre):
    """The workbook whose Statement names this centre, by the row below the title."""
    for path in written(folder):
        if path.name.startswith("chargeback") and str(workbooks.opened(path)["Summary"].values.get((2, 1))).startswith(f"Cost centre {centre}: "):
            return path
    check(False, f"no workbook of {centre}")


def sheets_of(path):
    book = workbooks.opened(path)
    return [book[name] for name in book.sheetnames]


def recalculates(folder, pattern="*.xlsx"):
    """How many formulas show what LibreOffice computed of them."""
    total = 0
    for path in sorted(folder.glob(pattern)):
        found, count = workbooks.differences(path, RECALCULATED[path])
        check(not found, "\n".join(found[:20]))
        check(count > 0, f"{path.name} has no formula")
        total += count
    return total


MADE, LONG = invented("made", 60), invented("long", 210)
out, small = WORK / "out", WORK / "small"
CURRENCIES = {"JPY": (0, "#,##0;"), "BHD": (3, "#,##0.000;")}
OF_CURRENCY = {}
for currency, (digits, _) in CURRENCIES.items():
    published.run(published.server(), f'CREATE DATABASE "{currency}" TEMPLATE made STRATEGY FILE_COPY')
    OF_CURRENCY[currency] = published.server() + currency
    sql(f"UPDATE statement SET statement_currency = '{currency}', minor_unit_digits = {digits}", OF_CURRENCY[currency])

it("says that a month has no statement")
check("no statement" in subprocess.run([KSTAR, "report", "review", "--period", "2026-08", "--out", WORK / "none", "--dsn", MADE],
                                       capture_output=True, text=True, check=False).stderr, "no such message")
kstar("report", "review", "--period", "2026-08", "--out", WORK / "none", "--dsn", MADE, expect=3)
check(not written(WORK / "none"), "a workbook stands there all the same")

it("writes one for everybody, one per cost centre, the data of each, and a review")
write(out)
check(len(written(out)) == 3 + 2 * len(CENTRES), f"wrote {written(out)}")
check([path.name for path in out.glob(".*")] == [".kstar.written"], "something unfinished is left")

it("gives the same bytes again, and says that nothing changed")
check(write(out).count("(unchanged)") == 3 + 2 * len(CENTRES), "not all unchanged")
again = WORK / "again"
write(again)
for path in written(out):
    check(path.read_bytes() == (again / path.name).read_bytes(), f"{path.name} differs")

# All that LibreOffice recalculates, by one start of it.
write(small, "chargeback", KSTAR_TEST_ROWS_PER_SHEET="30")
for currency, dsn in OF_CURRENCY.items():
    write(WORK / currency, "chargeback", dsn=dsn)
asked = [*written(out), *sorted(small.glob("*-2026-09.xlsx")),
         *(path for currency in CURRENCIES for path in (WORK / currency / "chargeback-2026-09.xlsx", own_workbook(WORK / currency, "quill")))]
RECALCULATED = dict(zip(asked, workbooks.recalculated(asked, WORK / "office"), strict=True))

it("shows in every cell what LibreOffice computes, and no error value")
check(recalculates(out) > 500, "too few formulas")
for path in written(out):
    for sheet in sheets_of(path):
        for row in sheet.iter_rows():
            check(not any(isinstance(cell, str) and cell.startswith("#") for cell in row), f"{path.name}, {sheet.title}: {row}")

it("sums only by numbers and by its own words: in a name from outside SUMIFS would see a number, a pattern or a comparison")
criteria = 0
for path in written(out):
    for sheet in sheets_of(path):
        for formula in sheet.formulas.values():
            for criterion in re.findall(r",\$([A-Z]+[0-9]+)(?=[,)])", formula) if "SUMIFS(" in formula else ():
                value = sheet.values.get(workbooks.place_of(criterion))
                check(isinstance(value, int) or value in ("invoice", "adjustment"), f"{path.name}, {sheet.title}: {value!r} in {formula}")
                criteria += 1
check(criteria > 100, f"only {criteria} criteria")

it("has every check TRUE")
everybody = workbooks.opened(out / "chargeback-2026-09.xlsx")
marks = [value for value in everybody["Summary"].column(2) if value in ("TRUE", "FALSE")]
check(marks == ["TRUE"] * 7, f"checks are {marks}")
data = workbooks.opened(out / "data-2026-09.xlsx")
check("TRUE" in data["Discounts"].column(2), "the prices are not the invoices")

it("has the sheets that it is read for, and what analyses need in the data")
check(everybody.sheetnames == ["Summary", "Statement", "Waterfall", "Jobs", "Shared and idle", "Open items", "Reconciliation", "Statement lines", "About"],
      f"{everybody.sheetnames}")
own = workbooks.opened(own_workbook(out, "quill")).sheetnames
check(own == ["Summary", "Statement", "Waterfall", "Jobs", "Shared and idle", "Statement lines", "About"], f"{own}")
check({"Key figures", "Discounts", "Failed runs", "Adjustments", "Attempts", "Jobs", "Tidy data", "About"} <= set(data.sheetnames), f"{data.sheetnames}")
few, many = (sum(row == 4 for row, _ in book["Jobs"].values) for book in (everybody, data))
check(18 <= few <= 22 < many, "columns of jobs")

it("keeps adjustments to closed months in a block of their own, with their proof")
rows = workbooks.table(data, "Adjustments", "Closed month")
check([row["Adjustment"] for row in rows] == [-100.25, 140.25, -100, 0.03, -10, 10], f"adjustments are {rows}")
figures = {row[0]: row[1] for row in everybody["Summary"].iter_rows(max_row=45) if row[0]}
check(figures["Adjustments to closed months"] == -59.97, str(figures))
check(round(figures["Statement"] - figures["Invoices"], 2) == -59.97, str(figures))
quill = workbooks.opened(workbooks.data_of(own_workbook(out, "quill")))
rows = workbooks.table(quill, "Adjustments", "Closed month")
check([row["Adjustment"] for row in rows] == [140.25, 10.0], f"quill's adjustments are {rows}")

it("adds up by eye: charged, unallocated, balance sheet, prepaid balance change and unexplained are the invoices, on the sheet as in the database")
terms = {"Charged to cost centres": "charge", "Unallocated": "unallocated", "Balance sheet": "balance sheet", "Prepaid balance change": "prepaid",
         "Unexplained": "unexplained"}
for term, line_type in terms.items():
    there = int(sql(f"SELECT coalesce(sum(minor_units), 0) FROM statement_row WHERE block = 'invoice' AND line_type = '{line_type}'"))
    check(round(figures[term] * 100) == there, f"{term}: {figures[term]}, {there}")
check(sum(round(figures[term] * 100) for term in terms) == round(figures["Invoices"] * 100), str(figures))

it("sums to what the database holds")


def cents(rows, column, digits=2):
    return sum(round((row[column] or 0) * 10 ** digits) for row in rows)


def minor_units(condition, dsn=None):
    return int(sql(f"SELECT sum(minor_units) FROM statement_row WHERE {condition}", dsn))


on_bill = workbooks.table(everybody, "Statement", "Component")
check(cents(on_bill, "Amount") == minor_units("block = 'invoice' AND line_type = 'charge'"), "charged")
jobs = workbooks.table(everybody, "Jobs", "Job")
check(len(jobs) == 60, f"{len(jobs)} jobs")
check(cents(jobs, "True cost") == int(sql("SELECT sum(true_cost_minor) FROM job_result")), "true cost of jobs")
costs = [row["True cost"] for row in jobs]
check(costs == sorted(costs, reverse=True), "jobs stand by cost")
jobs = workbooks.table(data, "Jobs", "Job")
for column in ("useful_compute", "coordination_waste", "failed_runs", "engineering_overhead"):
    heading = column.replace("_", " ").capitalize()
    check(cents(jobs, heading) == int(sql(f"SELECT sum({column}_minor) FROM job_result")), heading)
for centre in CENTRES:
    subtotals = [row["Cost centre in all"] for row in on_bill if row["Cost centre"] == centre]
    check(subtotals[:-1] == [None] * (len(subtotals) - 1), f"{centre}: {subtotals}")
    check(round(subtotals[-1] * 100) == cents([row for row in on_bill if row["Cost centre"] == centre], "Amount"), f"{centre}: {subtotals}")
waterfall = workbooks.table(everybody, "Waterfall", "No.")
for row in waterfall:
    true_cost = minor_units(f"cost_centre = '{row['Cost centre']}' AND line_type = 'charge' AND (block = 'invoice' OR attempt_id IS NOT NULL)")
    check(round(row["True cost"] * 100) == true_cost, f"true cost of {row['Cost centre']}")
proof = workbooks.table(everybody, "Reconciliation", "Invoice as billed")
check(cents(proof, "Together") == cents(proof, "Invoice as billed") == int(sql("SELECT sum(minor_units) FROM statement_invoice")), "invoices")
transfers = workbooks.table(everybody, "Statement", "Transfer")
check(len(transfers) > 0 and cents(transfers, "Amount") == 0, "internal")

it("gives a cost centre its own rows and nobody else's, in any part of the file")
for centre, path in [(centre, path) for centre in CENTRES for path in (own_workbook(out, centre), workbooks.data_of(own_workbook(out, centre)))]:
    content = workbooks.parts(path)
    for other, names in CENTRES.items():
        for name in names if other != centre else []:
            escaped = name.replace("&", "&amp;").replace('"', "&quot;").encode()
            holders = [part for part, text in content.items() if escaped in text or name.encode() in text]
            check(not holders, f"{path.name} names {name} in {holders}")
            check(name not in path.name, f"{path.name} has {name}")
    book = workbooks.opened(path)
    own = workbooks.table(book, "Jobs", "Job") if "Jobs" in book.sheetnames else []
    expected = int(sql(f"SELECT count(*) FROM job_result WHERE cost_centre = '{centre}'"))
    check(len([row for row in own if row["Job"] is not None and row["Start (UTC)"] is not None]) == expected, f"{centre}: {len(own)} jobs")
check(len({path.name.lower() for path in written(out)}) == len(written(out)), "two file names differ only in case")

it("never makes a formula of a text")
seen = set()
for path in written(out):
    for sheet in sheets_of(path):
        for formula in sheet.formulas.values():
            used = set(re.findall(r"([A-Z]+)\(", formula))
            check(used <= FUNCTIONS and "!" not in re.sub(r"'[^']+'!|\w+!", "", formula), f"{path.name}, {sheet.title}: {formula}")
        seen |= {value for place, value in sheet.values.items() if place not in sheet.formulas and value in HOSTILE}
check(seen == set(HOSTILE), f"not seen: {set(HOSTILE) - seen}")

it("shows control characters, other scripts and what looks like an escape as what they are")
names = {row["Name"] for row in jobs}
check('a<b>&"c" עברית' in names, f"names are {names}")
check(any(str(name).startswith("bell\N{SYMBOL FOR BELL} and _x005F_x0041_ é 漢字 😀") for name in names), f"names are {names}")

it("keeps identifiers text, numbers numbers and dates dates")
first = workbooks.formulas(out / "chargeback-2026-09.xlsx")["Jobs"]
heading = {cell.value: cell.column for cell in first[4]}
check(first.cell(5, heading["Job"]).data_type in ("s", "inlineStr"), "Job")
check(first.cell(5, heading["K"]).data_type == "n", "K")
check(first.cell(5, heading["Start (UTC)"]).is_date, "Start")
check(first.cell(5, heading["True cost"]).number_format.startswith("#,##0.00;"), "money")

it("goes on to a second sheet where the first is full, and still adds up")
book = workbooks.opened(small / "chargeback-2026-09.xlsx")


def parts_of(name):
    return [sheet for sheet in book.sheetnames if sheet == name or sheet.startswith(f"{name} (")]


check(parts_of("Jobs") == ["Jobs", *(f"Jobs ({number})" for number in range(2, len(parts_of("Jobs")) + 1))], f"sheets are {book.sheetnames}")
check(book.sheetnames[book.sheetnames.index("Jobs"):][:len(parts_of("Jobs"))] == parts_of("Jobs"), "the parts of a long sheet stand together")
check(sum(len(workbooks.table(book, name, "Job")) for name in parts_of("Jobs")) == 60, "jobs on several sheets")
check("Goes on in Jobs (2)" in [row[0] for row in book["Jobs"].iter_rows()], "where it goes on")
for names, file in ((("Statement", "Statement lines", "About"), "chargeback"), (("Attempts", "Tidy data", "Jobs"), "data")):
    book = workbooks.opened(small / f"{file}-2026-09.xlsx")
    for name in names:
        check(len(parts_of(name)) > 1, f"one {name}: sheets are {book.sheetnames[-20:]}")
        check(name == "About" or all(max(book[part].values)[0] <= 30 for part in parts_of(name)), f"{name} has more rows")
for path in small.glob("*.xlsx"):
    empty = [sheet.title for sheet in sheets_of(path) if (1, 1) not in sheet.values]
    check(not empty, f"{path.name} has sheets without anything: {empty}")
recalculates(small, "*-2026-09.xlsx")

it("prints the first pages of a long sheet alone")
write(WORK / "long", "chargeback", dsn=LONG)
long = workbooks.formulas(WORK / "long" / "chargeback-2026-09.xlsx")
area = long["Jobs"]
check("$A$1:$U$204" in str(area.print_area) and area.print_title_rows == "$4:$4" and area.page_setup.orientation == "landscape", str(area.print_area))
check(area.page_setup.fitToWidth in (None, 1) and not long["Waterfall"].print_area, "pages beside each other")

it("publishes no workbook of which a part could not be written")


def files_end_at(size):
    """Writing beyond it fails, as on a full disk: libxlsxwriter does not look whether its temporary
    files are whole."""
    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return limit


for size, writers, what in ((20_000, 1, "-2026-09.xlsx"), (60_000, 1, "-2026-09.xlsx"), (200_000, 1, "-2026-09.xlsx"),
                            (20_000, 2, "temporary file")):
    full = subprocess.run([KSTAR, "report", "chargeback", "--period", "2026-09", "--jobs", str(writers), "--out", WORK / "full", "--dsn", MADE],
                          capture_output=True, text=True, check=False, preexec_fn=files_end_at(size))
    check(full.returncode == 1 and what in full.stderr, f"{size}: {full.returncode} {full.stderr}")
    left = list((WORK / "full").glob("*.xlsx"))
    check("chargeback-2026-09.xlsx" not in [path.name for path in left], f"{size}: {left}")
    for path in left:  # a cost centre's, which fitted and was written beside it
        check({"Summary", "Tidy data"} & set(workbooks.opened(path).sheetnames), f"{size}: {path}")

it("names a workbook of a cost centre that is gone")
sql("UPDATE statement_sum SET cost_centre = 'quill' WHERE cost_centre = '=umber+1'; "
    "UPDATE job_result SET cost_centre = 'quill' WHERE cost_centre = '=umber+1'; "
    "UPDATE statement SET status = status")  # as publishing does, which puts it anew
output = write(out)
check(output.count("no longer has") == 2 and "umber" in output, output)

it("follows the currency's digits")
for currency, (digits, pattern) in CURRENCIES.items():
    folder = WORK / currency
    for path in (folder / "chargeback-2026-09.xlsx", own_workbook(folder, "quill")):
        check(recalculates(folder, path.name) > 0, currency)
    book = workbooks.formulas(folder / "chargeback-2026-09.xlsx")
    check(book["Jobs"].cell(5, heading["True cost"]).number_format.startswith(pattern), f"{currency} format")
    charged = workbooks.table(workbooks.opened(folder / "chargeback-2026-09.xlsx"), "Statement", "Component")
    check(cents(charged, "Amount", digits) == minor_units("block = 'invoice' AND line_type = 'charge'", OF_CURRENCY[currency]), f"{currency} total")

print("ok")
