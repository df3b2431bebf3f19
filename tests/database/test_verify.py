"""kstar verify proves what was published, and finds one changed amount or byte of each kind.

A company of three months, two of them closed (closed_months.py); a bill of the first comes again
afterwards with another amount, so the open month has adjustments. Each fault is mended
before the next, or made in a copy of the folder of files."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import published  # noqa: E402
import saying  # noqa: E402
from closed_months import MONTHS, close, made, of_few_centres  # noqa: E402
from extent import tried  # noqa: E402
from saying import equals, it, kstar  # noqa: E402

WORK, KSTAR = Path(os.environ["WORK"]), os.environ["KSTAR"]
INBOX, OUT = WORK / "inbox", WORK / "out"
CLOSED, _, OPEN = MONTHS
GREEN, WAITS, DIFFERS = 0, 4, 5

LINES, TEXTS = "the lines are those that were read", "the texts of the lines are those that were read"
INVOICES, CHARGES = "the invoices are their lines", "the charges of each invoice are the invoice"
SHARED, PAYERS = "pools and tax handed on what they were given", "the rows of each payer are its charges"
CENTS, INTERNAL = "the rows of each invoice add up to it in cents", "internal charges add up to zero"
SUMS = "the sums on sheets and pages are those of their details"
JOBS, PRICES = "each job's true cost is the sum of its rows", "the discounts are of the invoices"
ADJUSTMENTS, JOURNALS = "the adjustments are what is due", "the issued journals balance and are as issued"
ARCHIVE, PARTS = "the archived parts are those of the close", "the archived parts add up to the statement"
FILES = "the files are as the nights wrote them"
OF_OPEN = [LINES, TEXTS, INVOICES, CHARGES, SHARED, PAYERS, CENTS, INTERNAL, SUMS, JOBS, PRICES, ADJUSTMENTS, JOURNALS, FILES]
OF_CLOSED = [*OF_OPEN[:-1], ARCHIVE, PARTS, FILES]


def verify(*words, code, dsn=None):
    """Its answers by month and proof, and what it says last."""
    done = subprocess.run([KSTAR, "verify", "--json", *words, *(["--dsn", dsn] if dsn else [])], capture_output=True, text=True, check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return {(row["month"], row["proof"]): row for row in json.loads(done.stdout)}, done.stderr


def outcomes(answers, wanted):
    return {proof for (_, proof), row in answers.items() if row["outcome"] == wanted}


def rewrite(path, change):
    """A bill with each of its rows, numbered from 0, as `change` makes it."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = [change(number, row) for number, row in enumerate(csv.DictReader(file))]
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)


made(INBOX)
of_few_centres(INBOX)
WRITTEN = ("0.00", "-0.0", "1E+3", "0001.500", "1e-7", "12345678.90123456789000")  # numbers in many forms, and a column that is not FOCUS's
rewrite(next(path for path in sorted((INBOX / "billing").rglob("*.csv")) if OPEN in str(path)),
        lambda number, row: row | {"ListCost": WRITTEN[number % len(WRITTEN)], "x_Rack": f"r{number % 7}"})
close(INBOX, OUT)
published.run(published.server(), "CREATE DATABASE pruned TEMPLATE kstar STRATEGY FILE_COPY")
bill = next(path for path in sorted((INBOX / "billing").rglob("*.csv")) if CLOSED in str(path))
with bill.open(newline="", encoding="utf-8") as file:
    rows = list(csv.DictReader(file))
dearer = next(row for row in rows if row["ChargeCategory"] == "Usage" and row["BilledCost"] == row["EffectiveCost"] not in ("", "0"))
dearer["BilledCost"] = dearer["EffectiveCost"] = str(Decimal(dearer["BilledCost"]) + 40)
rewrite(bill, lambda number, row: rows[number])
kstar("nightly", INBOX, "--out", OUT, "--quiet")

it("proves every month, the closed ones with what they were closed with, and writes nothing")
before = {path.name: path.stat().st_mtime_ns for path in OUT.iterdir()}
answers, _ = verify(code=GREEN)
equals([(month, proof) for month in MONTHS for proof in (OF_OPEN if month == OPEN else OF_CLOSED)], list(answers))
equals({"proven"}, {row["outcome"] for row in answers.values()})
equals(before, {path.name: path.stat().st_mtime_ns for path in OUT.iterdir()})
[counted] = published.query("SELECT count(*) AS lines FROM kstar.closure_load JOIN kstar.load USING (load_id, statement_month) "
                            "JOIN kstar.load_chunk USING (load_id) JOIN kstar.billing_line USING (chunk_id) WHERE statement_month = '2026-07-01'")
equals(int(counted["lines"]), answers[CLOSED, LINES]["compared"])
for proof in (SHARED, INTERNAL, JOBS, ADJUSTMENTS, FILES):
    assert answers[OPEN, proof]["compared"] > 0, proof
for proof in (JOURNALS, ARCHIVE, PARTS):
    assert answers[CLOSED, proof]["compared"] > 0, proof

OF_JULY, OF_OCTOBER = (f"(statement_month, sum_id) IN (SELECT statement_month, sum_id FROM statement_sum WHERE statement_month = '{month}-01' AND "
                       for month in (CLOSED, OPEN))

# What is changed, in which month it is found, and by which proofs.
FAULTS = [
    ("billing_line", "billed_cost = billed_cost + 0.01", "chunk_id IN (SELECT chunk_id FROM load_chunk JOIN closure_load USING (load_id) WHERE statement_month = '2026-07-01')",
     CLOSED, {LINES}),
    ("billing_line", None, "chunk_id IN (SELECT chunk_id FROM load_chunk JOIN load USING (load_id) JOIN current_load USING (load_id) WHERE statement_month = '2026-10-01')",
     OPEN, {LINES}),
    ("chunk", "lines_sum = set_byte(lines_sum, 15, get_byte(lines_sum, 15) # 1)", "billing_period = '2026-10-01'", OPEN, {LINES}),
    ("chunk", "lines_sum = NULL", "billing_period = '2026-10-01'", OPEN, {LINES}),
    ("load_chunk", None, "billing_period = '2026-10-01'", OPEN, {LINES, INVOICES}),
    ("chunk_invoice", "effective_cost = effective_cost - 0.0001", "billing_period = '2026-10-01'", OPEN, {INVOICES}),
    ("statement_invoice", "billed_cost = billed_cost + 0.01", "statement_month = '2026-10-01'", OPEN, {INVOICES, CHARGES, CENTS, PRICES}),
    ("statement_invoice", "minor_units = minor_units + 1", "statement_month = '2026-07-01'", CLOSED, {CENTS, PRICES, JOURNALS}),
    ("statement_invoice", "invoice_id = 'another'", "statement_month = '2026-07-01'", CLOSED, {INVOICES}),
    ("statement_invoice", "billing_currency = 'NOK'", "statement_month = '2026-10-01'", OPEN, {INVOICES}),
    ("charge", "effective_cost = effective_cost + 0.0001", "statement_month = '2026-10-01' AND target = 'job'", OPEN, {CHARGES, PAYERS}),
    ("charge", "billed_cost = billed_cost + 0.0001", "statement_month = '2026-10-01' AND target = 'pool'", OPEN, {CHARGES, SHARED}),
    ("class_charge", "billed_cost = billed_cost + 0.0001", "statement_month = '2026-10-01' AND target = 'cost centre'", OPEN, {CHARGES, PAYERS}),
    ("shared_part", "effective_cost = effective_cost + 0.0001", "statement_month = '2026-10-01'", OPEN, {SHARED, PAYERS}),
    ("statement_detail", "minor_units = minor_units + 1", OF_OCTOBER + "block = 'invoice')", OPEN, {CENTS, SUMS}),
    ("statement_detail", "minor_units = minor_units + 1", OF_OCTOBER + "block <> 'invoice' AND is_of_attempts)",
     OPEN, {INTERNAL, SUMS, JOBS}),
    ("statement_detail", "amount = amount + 0.0001", OF_JULY + "block = 'invoice' AND line_type = 'charge')",
     CLOSED, {CENTS, SUMS, PARTS}),
    ("statement_detail", None, OF_OCTOBER + "component = 'useful_compute' AND block = 'invoice')", OPEN, {PAYERS, CENTS, SUMS, JOBS}),
    ("statement_sum", "cost_centre = 'another'", "statement_month = '2026-07-01' AND line_type = 'charge' AND NOT is_of_attempts AND block = 'invoice'",
     CLOSED, {PAYERS, PARTS}),
    ("statement_sum", "cost_centre = 'another'", "statement_month = '2026-10-01' AND is_of_attempts", OPEN, {JOBS}),
    ("statement_sum", "component = 'credits'", "statement_month = '2026-07-01' AND component = 'direct_cost'", CLOSED, {PAYERS}),
    ("statement_sum", "pool = 'another'", "statement_month = '2026-10-01' AND pool IS NOT NULL AND block = 'invoice'", OPEN, {PAYERS}),
    ("statement_sum", "row_key = 'another'", "statement_month = '2026-10-01' AND component = 'direct_cost'", OPEN, {PAYERS}),
    ("statement_sum", "is_of_attempts = false", "statement_month = '2026-10-01' AND is_of_attempts", OPEN, {SUMS}),
    ("statement_sum", "minor_units = minor_units + 1", "statement_month = '2026-10-01'", OPEN, {SUMS}),
    ("statement_sum", None, "statement_month = '2026-07-01'", CLOSED, {SUMS}),
    ("job_result", "useful_compute_minor = useful_compute_minor + 1, true_cost_minor = true_cost_minor + 1", "statement_month = '2026-07-01'", CLOSED, {JOBS}),
    ("job_result", "true_cost_minor = true_cost_minor + 1", "statement_month = '2026-10-01'", OPEN, {JOBS}),
    ("job_result", "cash_saving_minor = cash_saving_minor + 1", "statement_month = '2026-07-01' AND excess_minor > 0", CLOSED, {JOBS}),
    ("job_result", "cost_at_k_star_minor = cost_at_k_star_minor - 1", "statement_month = '2026-10-01' AND excess_minor > 0", OPEN, {JOBS}),
    ("statement_price", "billed_minor = billed_minor + 1", "statement_month = '2026-10-01' AND cost_centre = ''", OPEN, {PRICES}),
    ("adjustment", "minor_units = minor_units + 1", "source IS NOT NULL", OPEN, {ADJUSTMENTS}),
    ("adjustment", "cost_centre = 'another'", "source IS NOT NULL AND cost_centre IS NOT NULL AND frozen_minor <> 0", OPEN, {ADJUSTMENTS}),
    ("adjustment", "component = 'credits'", "source IS NOT NULL AND component IS NOT NULL AND frozen_minor <> 0", OPEN, {ADJUSTMENTS}),
    ("adjustment", "replayed_minor = replayed_minor + 1", "source IS NOT NULL", OPEN, {ADJUSTMENTS}),
    ("adjustment", "own_minor = own_minor + 1", "exchange_rate IS NULL", OPEN, {ADJUSTMENTS}),
    ("adjustment_proof", "frozen_minor = frozen_minor + 1, replayed_minor = replayed_minor + 1", "source IS NOT NULL", OPEN, {ADJUSTMENTS}),
    ("journal_line", "minor_units = minor_units + 1", "statement_month = '2026-07-01' AND line_type = 'charge'", CLOSED, {JOURNALS}),
    ("journal_line", "gl_account = '9999'", "statement_month = '2026-07-01'", CLOSED, {JOURNALS}),
    ("closed_part", "content = set_byte(content, 40, get_byte(content, 40) # 1)", "statement_month = '2026-07-01'", CLOSED, {ARCHIVE}),
    ("closed_part", None, "statement_month = '2026-07-01'", CLOSED, {ARCHIVE}),
]

it("finds each changed amount and byte in the database, and names where it is")
for table, change, where, month, proofs in FAULTS:
    # one row: of a table of partitions the table's own is part of its place
    place = f"WHERE (tableoid, ctid) = (SELECT tableoid, ctid FROM {table} WHERE {where} ORDER BY tableoid, ctid LIMIT 1)"
    changed = saying.sql(f"DROP TABLE IF EXISTS public.kept; CREATE TABLE public.kept AS SELECT * FROM {table} {place}; "
                         + (f"UPDATE {table} SET {change} {place} RETURNING tableoid::regclass, ctid" if change else f"DELETE FROM {table} {place}")).split("|")
    answers, output = verify(month, code=DIFFERS)
    assert proofs <= outcomes(answers, "differs"), (table, change, outcomes(answers, "differs"))
    named = answers[month, min(proofs)]["first"]
    assert named, table
    assert f"error: what is stored is not what was published: {month}: " in output, output
    print(" ", table, change or "one row less", "->", named)
    saying.sql((f"DELETE FROM {changed[0]} WHERE ctid = '{changed[1]}'; " if change else "") + f"INSERT INTO {table} SELECT * FROM public.kept")
equals({"proven"}, {row["outcome"] for row in verify(code=GREEN)[0].values()})

it("finds a closed month without its close or statement, one that is open again, and an issue of the journal that is gone")
ALONE = "SET session_replication_role = replica; DROP TABLE IF EXISTS public.kept; "
for table, more, proof, named in (
        ("closure", "", ARCHIVE, "the statement is Final, and no close is recorded"),
        ("statement", "", ARCHIVE, "the month is closed and has no statement"),
        ("statement", "UPDATE public.kept SET status = 'Final'; INSERT INTO statement SELECT * FROM public.kept; "
                      f"UPDATE statement SET status = 'Preliminary' WHERE statement_month = '{CLOSED}-01'; ", ARCHIVE,
         "the month is closed and its statement is Preliminary"),
        ("journal_issue", "", JOURNALS, "issue 1: there is no record of it")):
    where = f"WHERE statement_month = '{CLOSED}-01'"
    saying.sql(f"{ALONE}CREATE TABLE public.kept AS SELECT * FROM {table} {where}; DELETE FROM {table} {where}; {more}")
    answers, output = verify(code=DIFFERS)
    assert proof in outcomes(answers, "differs"), (table, more, outcomes(answers, "differs"))
    equals(named, answers[CLOSED, proof]["first"])
    equals({CLOSED}, {month for (month, _), row in answers.items() if row["outcome"] == "differs"})
    print(" ", table, more and "changed", "->", output.splitlines()[0])
    saying.sql(f"SET session_replication_role = replica; DELETE FROM {table} {where}; "
               f"INSERT INTO {table} OVERRIDING SYSTEM VALUE SELECT * FROM public.kept")
equals({"proven"}, {row["outcome"] for row in verify(code=GREEN)[0].values()})

it("names the file and the lines of the chunk, the invoice and both amounts")
place = saying.sql("UPDATE billing_line SET billed_cost = billed_cost + 7 WHERE (tableoid, ctid) = (SELECT tableoid, ctid FROM billing_line "
                   "WHERE billing_period = '2026-10-01' ORDER BY ctid LIMIT 1) RETURNING tableoid::regclass, ctid").split("|")
first = verify(OPEN, code=DIFFERS)[0][OPEN, LINES]["first"]
assert re.fullmatch(r"billing/\S+, lines \d+ to \d+, invoice .+: [\d.]+ billed and [\d.]+ effective were read, [\d.]+ and [\d.]+ are stored", first), first
saying.sql(f"UPDATE {place[0]} SET billed_cost = billed_cost - 7 WHERE ctid = '{place[1]}'")

# Another value of each type, and one where there was none.
ANOTHER = {"timestamp with time zone": "{0} + interval '1 microsecond'", "bigint": "coalesce({0} # 1, 1)", "integer": "{0} + 1", "smallint": "{0} + 1",
           "numeric": "coalesce({0} + 0.0000001, 0)", "text": "coalesce({0} || ' ', 'x')",
           "jsonb": "jsonb_build_object('another', 1) || {0}", "date": "'2026-08-01'"}


def columns_of(table):
    return saying.rows_of("SELECT attname, format_type(atttypid, NULL) FROM pg_attribute "
                          f"WHERE attrelid = 'kstar.{table}'::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum")


def altered(table, change, where):
    """Changes one row by hand, says what verify finds, and puts the row back."""
    changed = saying.sql(f"DROP TABLE IF EXISTS public.kept; CREATE TABLE public.kept AS SELECT * FROM {table} WHERE {where}; "
                         f"UPDATE {table} SET {change} WHERE {where} RETURNING tableoid::regclass, ctid").split("|")
    answers, _ = verify(OPEN, code=DIFFERS)
    saying.sql(f"DELETE FROM {changed[0]} WHERE ctid = '{changed[1]}'; INSERT INTO {table} SELECT * FROM public.kept")
    return answers


it("finds another value in each column of a line, whatever it costs")
[(oid, place)] = saying.rows_of("SELECT tableoid::integer, ctid FROM billing_line WHERE billing_period = '2026-10-01' AND list_cost IS NOT NULL "
                                "ORDER BY ctid LIMIT 1")
columns = columns_of("billing_line")
ends = [{kind: column for column, kind in some} for some in (columns, reversed(columns))]  # the last and the first of each kind
for column, kind in tried([(column, kind) for column, kind in columns if column in (ends[0][kind], ends[1][kind])], columns):
    answers = altered("billing_line", f"{column} = {ANOTHER[kind].format(column)}", f"tableoid = {oid} AND ctid = '{place}'")
    assert answers[OPEN, LINES]["differing"] >= 1, column
    named = answers[OPEN, LINES]["first"]
    assert re.match(r"billing/\S+, lines \d+ to \d+, ", named), named
    [(oid, place)] = saying.rows_of("SELECT tableoid::integer, ctid FROM billing_line AS line WHERE billing_period = '2026-10-01' "
                                    "AND line::text = (SELECT kept::text FROM public.kept)")
    print("  billing_line", column, "->", named)

it("finds a number that is written otherwise, and null in place of a value")
for change in ("billed_cost = billed_cost + 0.00000000000", "list_cost = NULL", "sku_key = NULL"):
    answers = altered("billing_line", change, f"tableoid = {oid} AND ctid = '{place}'")
    equals({LINES}, outcomes(answers, "differs"))
    assert "a column of a line is not as it was read" in answers[OPEN, LINES]["first"], answers[OPEN, LINES]["first"]
    [(oid, place)] = saying.rows_of("SELECT tableoid::integer, ctid FROM billing_line AS line WHERE billing_period = '2026-10-01' "
                                    "AND line::text = (SELECT kept::text FROM public.kept)")

it("finds another text in each column of each dimension, and the row that is gone, by file and line")
for table in ("account", "invoice", "resource", "sku", "commitment", "charge_kind", "charge_description", "tag_set", "custom_columns"):
    [key, *texts] = columns_of(table)
    used = saying.sql(f"SELECT {key[0]} FROM billing_line WHERE billing_period = '2026-10-01' AND {key[0]} IS NOT NULL ORDER BY 1 LIMIT 1")
    assert used, table
    for column, kind in (texts[len(texts) // 2 - 1], key):
        answers = altered(table, f"{column} = {ANOTHER[kind].format(column)}", f"{key[0]} = {used}")
        named = answers[OPEN, TEXTS]["first"]
        assert re.fullmatch(rf"billing/\S+, line \d+: its {table}, key {used}, is not as it was read", named), (table, column, named)
        assert LINES not in outcomes(answers, "differs"), (table, column)
    print("  " + table, "->", named)
    others = saying.rows_of("BEGIN; " + "".join(  # by the hash itself, which is quicker
        f"SAVEPOINT as_read; UPDATE {table} SET {column} = {ANOTHER[kind].format(column)} WHERE {key[0]} = {used}; "
        f"SELECT '{column}', text_hash <> hash_array_extended(texts, dimension_key) FROM stored_dimension WHERE name = '{table}' "
        f"AND dimension_key = {used}; ROLLBACK TO as_read; " for column, kind in texts) + "ROLLBACK")
    equals([(column, "t") for column, _ in texts], others)
equals({"proven"}, {row["outcome"] for row in verify(code=GREEN)[0].values()})

it("finds a changed byte in each kind of file, and names a file that is not there")
for name in (f"chargeback-{CLOSED}.xlsx", f"data-{OPEN}.xlsx", f"review-{CLOSED}.xlsx", f"page-{OPEN}.html", f"journal-{CLOSED}.csv",
             next(path.name for path in sorted(OUT.glob(f"lines-{OPEN}-*.csv")))):
    copy = WORK / "copy"
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(OUT, copy)
    content = bytearray((copy / name).read_bytes())
    content[len(content) // 2] ^= 1
    stamp = (copy / name).stat()
    (copy / name).write_bytes(content)
    os.utime(copy / name, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))  # as a disk would change it
    month = CLOSED if CLOSED in name else OPEN
    answers, output = verify(month, "--out", str(copy), code=DIFFERS)
    equals({FILES}, outcomes(answers, "differs"))
    assert f"{copy}/{name} is not as kstar wrote it" in output and "kstar report writes it again" in output, output
    (copy / name).unlink()
    answers, _ = verify(month, "--out", str(copy), code=WAITS)
    equals({FILES}, outcomes(answers, "not proven"))
    assert f"{name} is not there" in answers[month, FILES]["why"]

it("knows what a person has kstar write again: an issued journal, the page of one cost centre")
kstar("report", "journal", "--period", OPEN, "--issue", "--out", OUT)
centre = next(path.stem.removeprefix(f"page-{OPEN}-") for path in sorted(OUT.glob(f"page-{OPEN}-*.html")))
kstar("model", "--again", "--quiet")
kstar("report", "page", "--period", OPEN, "--cost-centre", centre, "--out", OUT)
verify(OPEN, code=GREEN)
kstar("nightly", INBOX, "--out", OUT, "--quiet")
verify(OPEN, code=GREEN)

it("takes no file for changed that a night is about to replace, or has replaced before it was interrupted")
CENTRES = INBOX / "reference" / "cost_centres.csv"
# the last workbook or page, whose rename fails, and the file that is written after all of them
for number, name in enumerate((f"page-{OPEN}.html", f"journal-{OPEN}.csv")):
    in_the_way = OUT / name
    in_the_way.unlink()
    in_the_way.mkdir()
    (in_the_way / "kept").touch()
    CENTRES.write_text(CENTRES.read_text(encoding="utf-8").replace("CC-100,", f"CC-100,Renamed {number} ", 1), encoding="utf-8")
    kstar("nightly", INBOX, "--out", OUT, "--quiet", "--jobs", "1", code=1)
    answers, _ = verify(OPEN, code=WAITS)
    equals({FILES}, outcomes(answers, "not proven"))
    assert "run the night" in answers[OPEN, FILES]["why"], answers[OPEN, FILES]
    shutil.rmtree(in_the_way)
    kstar("nightly", INBOX, "--out", OUT, "--quiet")
    verify(OPEN, code=GREEN)
CENTRES.write_text(CENTRES.read_text(encoding="utf-8").replace("CC-100,", "CC-100,Again ", 1), encoding="utf-8")
with subprocess.Popen([KSTAR, "nightly", INBOX, "--out", OUT, "--quiet"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as night:
    while night.poll() is None:
        beside = subprocess.run([KSTAR, "verify", OPEN], capture_output=True, text=True, check=False)
        assert beside.returncode in (GREEN, WAITS), beside.stdout + beside.stderr
equals(0, night.returncode)
verify(OPEN, code=GREEN)

it("says what is not proven: files that nobody wrote, a statement that waits for the night, lines that were pruned")
answers, _ = verify(CLOSED, "--out", str(WORK), code=WAITS)
equals({FILES}, outcomes(answers, "not proven"))
bill = next(path for path in sorted((INBOX / "billing").rglob("*.csv")) if OPEN in str(path))
later = WORK / "later" / bill.name
later.parent.mkdir()
header, first, *rest = bill.read_text(encoding="utf-8").splitlines()
later.write_text("\n".join([header, first, first, *rest]) + "\n", encoding="utf-8")
kstar("ingest", "billing", later, "--source", bill.relative_to(INBOX).parts[1], "--quiet")
answers, _ = verify(OPEN, code=WAITS)
equals({INVOICES}, outcomes(answers, "not proven"))
assert "run the night first" in answers[OPEN, INVOICES]["why"]
equals(set(), outcomes(answers, "differs"))
kstar("prune", CLOSED, "--quiet", "--dsn", published.server() + "pruned")
answers, _ = verify(CLOSED, "--out", str(OUT), code=GREEN, dsn=published.server() + "pruned")
equals({LINES, TEXTS, INVOICES, SHARED, PAYERS}, outcomes(answers, "not proven"))
