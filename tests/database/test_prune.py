"""kstar prune: what goes, what stays, and that the published files do not change.

Three generated months of one company, the first two closed (closed_months.py). Before and after a
month is pruned all workbooks of all months and all published tables are compared byte by byte.
"""

import csv
import hashlib
import json
import os
import pwd
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))
from closed_months import MONTHS, close, made, of_few_centres  # noqa: E402
from company import Company  # noqa: E402
from published import query  # noqa: E402
import saying  # noqa: E402
from saying import equals, it, kstar, output_of, sql  # noqa: E402

INBOX, OUT = WORK / "inbox", WORK / "out"
PUBLISHED = """shared_part statement_invoice statement_sum statement_detail job_result family_fit statement_note statement_price statement_idle finding statement adjustment
               journal_issue journal_line closure frozen_reference job measurement node_inventory""".split()


def answer(*words):
    """What it says as JSON; the log goes beside it."""
    return json.loads(subprocess.run([KSTAR, *words, "--json"], stdout=subprocess.PIPE, text=True, check=True).stdout)


def published():
    return dict(saying.rows_of(" UNION ALL ".join(f"""SELECT '{name}', md5(string_agg(row::text, chr(10) ORDER BY row::text COLLATE "C"))
                                                     FROM (SELECT to_jsonb({name}) FROM {name}) AS t (row)""" for name in PUBLISHED)))


def files_in(folder):
    """Workbooks and journals."""
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.iterdir())
            if path.suffix == ".xlsx" or path.name.startswith("journal-")}


def written_anew(folder, *months):
    for month in months:
        for report in ("chargeback", "review", "journal"):
            kstar("report", report, "--period", month, "--out", folder, "--quiet")
    return files_in(folder)


def forecast():
    """By the history of all months, and what was bought in the latest."""
    output = subprocess.run([KSTAR, "report", "forecast", "--scenario", "base", "--months", "2", "--json"], capture_output=True, text=True, check=True).stdout
    assert '"months"' in output, output
    return output


def rows_of(found):
    return {row["table"]: row["rows"] for row in found["tables"]}


def table_bytes():
    """Bytes of kstar's tables and their indexes; those of PostgreSQL's own grow by what every
    session does."""
    return int(sql("SELECT sum(pg_total_relation_size(oid)) FROM pg_class WHERE relnamespace = 'kstar'::regnamespace AND relkind = 'r'"))


made(INBOX)
of_few_centres(INBOX)
close(INBOX, OUT)
kstar("nightly", INBOX, "--out", OUT, "--quiet")  # the workbooks of closed months, once and for all
tables, books, foreseen = published(), files_in(OUT), forecast()
assert all(any(f"{report}-{month}" in name for name in books) for month in MONTHS for report in ("chargeback", "data", "review", "journal")), books.keys()
lines = {month: int(sql(f"SELECT count(*) FROM billing_line WHERE billing_period = '{month}-01'")) for month in MONTHS}
charges = {month: int(sql(f"SELECT count(*) FROM charge WHERE statement_month = '{month}-01'")) for month in MONTHS}

it("finds months that are closed in the name of whoever closed them, also where another user runs PostgreSQL")
equals(pwd.getpwuid(os.getuid()).pw_name, sql("SELECT DISTINCT closed_by FROM closure"))

it("removes nothing where nothing was replaced and no month is asked for")
equals({"dry_run": False, "months": [], "tables": []}, answer("prune"))

it("refuses a month that is not closed, with everything as it was")
assert "it is not closed" in output_of("prune", "2026-10", code=4)
assert "it has no statement: kstar status lists the months that have one" in output_of("prune", "2026-03", code=4)
assert "2026-10" not in output_of("prune", "--keep-months", "2")
for words in (("2026-13",), ("--keep-months", "0"), ("2026-07", "--keep-months", "1"), ("2026-07", "2026-08")):
    kstar("prune", *words, code=2)
equals(lines["2026-10"], int(sql("SELECT count(*) FROM billing_line WHERE billing_period = '2026-10-01'")))

it("says beforehand what would go, in rows and bytes of each table, and does nothing")
planned = answer("prune", "--keep-months", "1", "--dry-run")
equals([{"month": "2026-07", "stays_because": ""}], planned["months"])
going = rows_of(planned)
equals((lines["2026-07"], charges["2026-07"]), (going["billing_line_20260701"], going["charge"]))
equals({"billing_line_20260701": "dropped"}, {row["table"]: row["how"] for row in planned["tables"] if row["how"] == "dropped"})
assert all(row["bytes"] > 0 for row in planned["tables"]), planned
equals(tables, published())

it("waits for a report that reads, and gives up in time")
reader = subprocess.Popen([KSTAR, "db", "psql", "--", "-XAtq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
reader.stdin.write("BEGIN; SELECT count(*) > 0 FROM kstar.billing_line;\n")
reader.stdin.flush()
equals("t\n", reader.stdout.readline())
assert "somebody holds the table; then run again" in output_of("prune", "--keep-months", "1", code=6)
reader.communicate("ROLLBACK;\n")
equals(sum(lines.values()), int(sql("SELECT count(*) FROM billing_line")))

it("gives back the space of the month, and no published row and no byte of a workbook is another one")
holds = int(sql("SELECT count(*) FROM job_hold JOIN job USING (attempt_id) WHERE job.end_time <= '2026-08-01'"))
stay = int(sql("SELECT count(*) FROM job_hold")) - holds
before = table_bytes()
equals(going, rows_of(answer("prune", "--keep-months", "1")))
assert table_bytes() <= before - sum(row["bytes"] for row in planned["tables"]) * 0.7, (before, table_bytes(), planned)
equals("", sql("SELECT to_regclass('billing_line_20260701')"))
equals((lines["2026-08"] + lines["2026-10"], charges["2026-08"] + charges["2026-10"], stay),
       tuple(int(sql(f"SELECT count(*) FROM {name}")) for name in ("billing_line", "charge", "job_hold")))
assert holds > 0 and going["job_hold"] == holds, (holds, going)
equals("0", sql("SELECT count(*) FROM prune_rewrite"))
equals(tables, published())
equals(books, written_anew(WORK / "after", *MONTHS))
equals(foreseen, forecast())

it("has nothing to do a second time")
equals({"dry_run": False, "months": [], "tables": []}, answer("prune", "--keep-months", "1"))

it("takes what is noted of tables to rewrite for names, whatever is noted")
sql("INSERT INTO prune_rewrite VALUES ('load_chunk, chunk'), ('chunk')")
assert 'relation "kstar.load_chunk, chunk" does not exist' in output_of("prune", code=7)
equals("load_chunk, chunk", sql("SELECT table_name FROM prune_rewrite"))
sql("DELETE FROM prune_rewrite")

it("leaves the next night without news")
kstar("nightly", INBOX, "--out", OUT, "--quiet")
equals(tables, published())
equals("0", sql("SELECT count(*) FROM replay"))
equals(books, files_in(OUT))
equals({name: books[name] for name in books if "2026-07" in name}, written_anew(WORK / "night", "2026-07"))

it("refuses a later bill of the pruned month by name, and the others are taken")
late = INBOX / "billing" / "boreas" / "2026-07-late"
shutil.copytree(INBOX / "billing" / "boreas" / "2026-07", late)
bill = next(late.glob("*.csv"))
with bill.open(newline="", encoding="utf-8") as file:
    header, *rows = csv.reader(file)
with bill.open("w", newline="", encoding="utf-8") as file:
    csv.writer(file, lineterminator="\n").writerows([header, *rows[:-1]])
output = output_of("nightly", INBOX, "--out", OUT, "--quiet", code=3)
assert "billing/boreas/2026-07-late: 2026-07 was pruned, and what is delivered of it differs: " in output, output
equals(tables, published())
shutil.rmtree(late)

it("keeps a late record of a job of that month as a record: its nodes are not stored, its month is not worked out again")
records = next((INBOX / "jobs").rglob("2026-07.txt"))
header, *found = records.read_text(encoding="utf-8").splitlines()
job = dict(zip(header.split("|"), found[0].split("|")))
job["JobID"] = job["JobIDRaw"] = "7777777"
late = records.with_name("2026-07-late.txt")
late.write_text("\n".join([header, "|".join(job.values())]) + "\n", encoding="utf-8")
kstar("ingest", "jobs", late)
kstar("model")
equals("1 0", sql("SELECT count(DISTINCT job.attempt_id) || ' ' || count(node) FROM job LEFT JOIN job_node USING (attempt_id) WHERE job_id_raw = '7777777'"))
# which knows of the job, and has the same output
equals("2026-08-01", sql("SELECT string_agg(statement_month::text, ' ') FROM replay"))
equals("0", sql("SELECT count(*) FROM adjustment"))

it("removes what a replaced delivery has left in a month that stays")
bill = next((INBOX / "billing" / "alder" / "2026-10").glob("*.csv"))
bill.write_text("\n".join(bill.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
kstar("ingest", "billing", bill.parent)
kstar("model")
current = sql("SELECT md5(string_agg(line::text, ' ' ORDER BY line::text)) FROM current_billing_line AS line")
left = int(sql("SELECT count(*) FROM billing_line")) - int(sql("SELECT count(*) FROM current_billing_line"))
gone = answer("prune")
equals({"billing_line_20261001": "deleted", "chunk": "deleted", "chunk_invoice": "deleted", "chunk_content": "deleted"}, {row["table"]: row["how"] for row in gone["tables"]})
assert 0 < left == rows_of(gone)["billing_line_20261001"], (left, gone)
equals(current, sql("SELECT md5(string_agg(line::text, ' ' ORDER BY line::text)) FROM current_billing_line AS line"))
equals("0", sql("SELECT count(*) FROM billing_line WHERE NOT EXISTS (SELECT FROM load_chunk WHERE load_chunk.chunk_id = billing_line.chunk_id)"))

it("keeps a month that the bill of a later one corrects")
kstar("close", "2026-10", "--accept-incomplete", "as generated")
assert "it is the month closed last" in output_of("prune", "2026-10", code=4)
kinds = sql("SELECT charge_kind_key FROM charge_kind WHERE charge_category = 'Usage' AND charge_class IS NULL LIMIT 1")
sql("INSERT INTO charge_kind (charge_kind_key, charge_category, charge_class, text_hash) VALUES (1, 'Usage', 'Correction', 0)")


def correct(condition):
    """Makes a line of October's bill a correction of August's."""
    equals("1", sql(f"""WITH changed AS (
        UPDATE billing_line SET charge_kind_key = 1, charge_period_start = '2026-08-05', charge_period_end = '2026-08-06'
        WHERE ctid = (SELECT ctid FROM billing_line WHERE billing_period = '2026-10-01' AND {condition} LIMIT 1) AND billing_period = '2026-10-01'
        RETURNING 1) SELECT count(*) FROM changed"""))


correct("resource_key IS NULL")  # of no resource: it looks for no line of August's
assert "corrects" not in output_of("prune", "--keep-months", "1", "--dry-run")
correct(f"resource_key IS NOT NULL AND charge_kind_key = {kinds}")
assert "the bill of 2026-10 corrects it" in output_of("prune", "--keep-months", "1", code=4)
equals(lines["2026-08"], int(sql("SELECT count(*) FROM billing_line WHERE billing_period = '2026-08-01'")))

it("keeps a month whose facts have changed, and one whose adjustments an open month carries")
sql("UPDATE billing_line SET charge_kind_key = (SELECT min(charge_kind_key) FROM charge_kind WHERE charge_kind_key <> 1) WHERE charge_kind_key = 1")
bill = next((INBOX / "billing" / "boreas" / "2026-08").glob("*.csv"))
bill.write_text("\n".join(bill.read_text(encoding="utf-8").splitlines()[:-1]) + "\n", encoding="utf-8")
kstar("ingest", "billing", bill.parent, "--source", "boreas", "--quiet")
assert "a change since its last replay is not counted yet" in output_of("prune", "2026-08", code=4)
kstar("model", "--quiet")
sql("UPDATE replay SET taken_sha256 = 'of other choices' WHERE statement_month = '2026-08-01'")  # as a later row of invoices.csv does
assert "a change since its last replay is not counted yet" in output_of("prune", "2026-08", code=4)
kstar("model", "--quiet")
assert "2026-11 carries its adjustments and is open" in output_of("prune", "2026-08", code=4)

it("splits the tax that comes after the prune of its invoice's month as before it")
# August's invoice S: A 60.00, B 40.00, 100.00 in advance, 2.00 of tax of its own. 20.00 of tax come
# in October: A 6.00, B 4.00, and 10.00 on the prepayment.
company = Company("taxed")
company.take("""
== bill cloud 2026-08
ChargePeriodStart | ChargePeriodEnd | BilledCost | EffectiveCost | Tags   | InvoiceId | ChargeCategory | CommitmentDiscountId
08-01 00:00       | 09-01 00:00     | 60.00      | 60.00         | team=a | S         | Usage          |
08-01 00:00       | 09-01 00:00     | 40.00      | 40.00         | team=b | S         | Usage          |
08-01 00:00       | 09-01 00:00     | 100.00     | 0             |        | S         | Purchase       | plan-1
08-01 00:00       | 09-01 00:00     | 2.00       | 2.00          |        | S         | Tax            |
== bill cloud 2026-09
ChargePeriodStart | ChargePeriodEnd | BilledCost | Tags   | InvoiceId
1 00:00           | 10-01 00:00     | 30.00      | team=p | O
""")
company.publish()
for month in ("2026-08", "2026-09"):
    company.kstar("close", month)
company.take("""
== reference invoices
invoice_id | invoice_issuer_name | currency | net_amount | tax_amount | invoice_date
S          | Cloud Inc.          | USD      | 200.00     | 22.00      | 2026-10-02
== bill cloud 2026-10
ChargePeriodStart | ChargePeriodEnd | BilledCost | InvoiceId | ChargeCategory
08-01 00:00       | 09-01 00:00     | 20.00      | S         | Tax
""")
company.publish()


def tax():
    return {row["who"]: row["minor_units"] for row in query("SELECT coalesce(cost_centre, reason) AS who, minor_units FROM kstar.statement_row "
                                                            "WHERE statement_month = '2026-10-01'", company.dsn)}


equals({"A": "600", "B": "400", "tax on a prepayment": "1000"}, tax())
company.kstar("prune", "2026-08")
company.kstar("model", "--again")
equals({"A": "600", "B": "400", "tax on a prepayment": "1000"}, tax())

it("holds an invoice against what the pruned month was published with, too")
equals([{"invoice_difference": "0.00"}], query("SELECT invoice_difference FROM kstar.statement_invoice WHERE statement_month = '2026-10-01'", company.dsn))
