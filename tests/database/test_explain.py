"""kstar explain: what charges are made of, of an open month and of one that was closed, and what is
asked wrongly.

Three generated months of one company, the first two closed (closed_months.py).
tests/database/test_cases.py asks of every page whether its parts add up to its statement."""

import csv
import io
import json
import os
import subprocess
import sys
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))
import case_page  # noqa: E402
import explained  # noqa: E402
import published  # noqa: E402
from closed_months import close, made  # noqa: E402
from company import Company  # noqa: E402
from publish import Publish  # noqa: E402
from saying import equals, it, kstar, output_of, run, sql  # noqa: E402

CLOSED, OPEN = "2026-07", "2026-10"


def explanation(period, *words):
    return output_of("explain", "--period", period, *words)


def refused(code, *words):
    done = run("explain", *words)
    equals(code, done.returncode)
    return done.stderr


def rows(period, *words):
    return list(csv.DictReader(io.StringIO(explanation(period, *words, "--csv"))))


made(WORK / "inbox")
close(WORK / "inbox", WORK / "out")

it("adds up to the statement, in an open month and in a closed one")
of_open, of_closed = (explained.check(run, None, period) for period in (OPEN, CLOSED))
assert len(of_open) > 1000 and len(of_closed) > 1000, (len(of_open), len(of_closed))

it("prints of a job, a cost centre, a pool, an invoice and a line the rows that the whole month has of them")
for period, whole in ((OPEN, of_open), (CLOSED, of_closed)):
    job = next(row for row in whole if row["target"] == "job" and row["charge_part"] == "hardware")
    pool = next(row["pool"] for row in whole if row["kind"] == "shared" and row["pool"] != "tax")
    place = job["file"], job["line"]
    questions = {
        ("--job", job["job_id"]): lambda row: row["attempt_id"] == job["attempt_id"] and row["target"] == "job" and row["charge_part"] not in explained.OF_JOB,
        ("--job", f"{job['cluster']}/{job['job_id']}"): lambda row: row["attempt_id"] == job["attempt_id"] and row["target"] == "job"
                                                                    and row["charge_part"] not in explained.OF_JOB,
        ("--cost-centre", job["cost_centre"]): lambda row: row["cost_centre"] == job["cost_centre"],
        ("--pool", pool): lambda row: row["pool"] == pool and row["kind"] != "internal",
        ("--pool", "tax"): lambda row: row["target"] == "tax" or row["kind"] == "shared" and row["pool"] == "tax",
        ("--invoice", job["invoice_id"]): lambda row: row["invoice_id"] == job["invoice_id"] and row["kind"] == "line",
        ("--line", f"{'/'.join(place[0].split('/')[-3:])}:{place[1]}"): lambda row: (row["file"], row["line"]) == place,
    }
    for words, wanted in questions.items():
        equals([row for row in whole if wanted(row)], rows(period, *words))
        assert "the parts above" in explanation(period, *words)

it("prints the same as JSON, with the sums")
answer = json.loads(explanation(CLOSED, "--job", job["job_id"], "--json"))
equals((CLOSED, "Final", "USD"), (answer["period"], answer["status"], answer["currency"]))
equals(len(rows(CLOSED, "--job", job["job_id"])), len(answer["parts"]))
equals(["together", "the parts above"], [row["what"] for row in answer["sums"]][-2:])
first = rows(CLOSED, "--job", job["job_id"])[0]
equals([*first, first["attempt_id"], first["charge_start"].replace(" ", "T").replace("+00", "Z")],
       [*answer["parts"][0], answer["parts"][0]["attempt_id"], answer["parts"][0]["charge_start"]])

it("prints a whole month as JSON part by part, in the memory that CSV takes")
whole = json.loads(explanation(OPEN, "--json"))["parts"]
of_csv = rows(OPEN)
equals([(row["file"], row["line"], row["amount"]) for row in of_csv],
       [(part["file"] or "", str(part["line"] or ""), part["amount"]) for part in whole])
# by a small process: what this one has counts as its child's. A sanitizer keeps freed memory.
AT_ONCE = os.environ | {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=0:thread_local_quarantine_size_kb=0"}
PEAK = "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
of_csv, of_json = (int(subprocess.check_output([sys.executable, "-c", PEAK, os.environ["KSTAR"], "explain", "--period", OPEN, form], env=AT_ONCE))
                   for form in ("--csv", "--json"))
assert of_json < of_csv + len(whole), (of_json, of_csv, len(whole))  # in KiB: less than one a part

it("answers in the first line, with the currency")
lines = explanation(CLOSED, "--job", job["job_id"]).splitlines()
equals(f"{CLOSED}, Final: job {job['job_id']} costs USD {answer['sums'][-2]['charged']}", lines[0])
[together] = [row["charged"] for row in json.loads(explanation(OPEN, "--json"))["sums"] if row["what"] == "together"]
equals(f"{OPEN}, Preliminary: the parts of the month add up to USD {together}", explanation(OPEN).splitlines()[0])

it("prints CSV that psql loads")
table = (SOURCES / "sql" / "explain" / "explained.sql").read_text(encoding="utf-8").partition("CREATE TEMP TABLE explained (")[2].partition(");")[0]
types = [cell.strip() for line in table.splitlines()
         for cell in [line.split("--")[0].strip().rstrip(",")] if cell]
(WORK / "parts.csv").write_text(explanation(OPEN, "--csv"), encoding="utf-8")
loaded = run("db", "psql", "--", "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", f"CREATE TEMP TABLE parts ({', '.join(types)})",
             "-c", f"\\copy parts FROM '{WORK}/parts.csv' WITH (FORMAT csv, HEADER MATCH)", "-c", "SELECT count(*) FROM parts")
equals(str(len(of_open)), loaded.stdout.strip() + loaded.stderr)

it("keeps what a closed month is made of, whatever becomes of its job records, and after prune")
before = explanation(CLOSED, "--csv")
kstar("prune", CLOSED)
equals("0", sql(f"SELECT count(*) FROM charge WHERE statement_month = '{CLOSED}-01'"))
equals(before, explanation(CLOSED, "--csv"))
sql("UPDATE job SET user_name = 'another', end_time = end_time - interval '1 minute'; UPDATE mapping_rule SET pattern = 'another'")
equals(before, explanation(CLOSED, "--csv"))

it("takes few bytes for a line")
lines = len({(row["file"], row["line"], row["line_in_record"]) for row in of_closed if row["kind"] == "line"})
per_line = int(sql(f"SELECT sum(length(content)) FROM closed_part WHERE statement_month = '{CLOSED}-01'")) / lines
assert per_line < 60, f"{per_line} bytes a line"
print(f"  {per_line:.1f} bytes a line")

it("says what to do where there is nothing to explain")
assert "--period is missing" in refused(2, "--job", "1")
assert "give one of" in refused(2, "--period", OPEN, "--job", "1", "--pool", "idle")
assert "give one of" in refused(2, "--period", OPEN, "--json", "--csv")
for words in (("--json",), ("--csv",), ("--job", "1"), ("--pool", "idle")):
    assert "--store takes --period alone" in refused(2, "--period", OPEN, "--store", *words)
assert "is closed" in refused(2, "--period", CLOSED, "--store")
assert "is not a file and a line" in refused(2, "--period", OPEN, "--line", "bill.csv")
assert "is not a file and a line" in refused(2, "--period", OPEN, "--line", ":12")
assert "kstar status lists the months" in refused(3, "--period", "2031-01")
assert "as the sheet Jobs has it" in refused(3, "--period", OPEN, "--job", "nobody")
for question in ("--cost-centre", "--pool", "--invoice"):
    assert "there are: " in refused(3, "--period", CLOSED, question, "nobody")
assert "there are: " in refused(3, "--period", OPEN, "--pool", "nobody")
assert "Files of the month: " in refused(3, "--period", OPEN, "--line", "nothing.csv:2")
assert "count lines from 1" in refused(3, "--period", OPEN, "--line", f"{of_open[0]['file']}:1")

for period, whole in ((OPEN, of_open), (CLOSED, of_closed)):
    names = [path.split("/")[-1] for path in sorted({row["file"] for row in whole if row["kind"] == "line"})]
    shared = next(name for name in names if names.count(name) > 1)
    assert "give more of the path" in refused(3, "--period", period, "--line", f"{shared}:2")

it("refuses a statement of earlier data, until it is made again")
centres = WORK / "inbox" / "reference" / "cost_centres.csv"
centres.write_text(centres.read_text(encoding="utf-8") + "CC-999,New,6999,ruth,,\n", encoding="utf-8")
kstar("ingest", "reference", centres.parent)
for words in ((), ("--store",)):
    assert "is of earlier data" in refused(3, "--period", OPEN, *words)
kstar("model", "--period", OPEN, "--quiet")
explanation(OPEN)

it("refuses an archive that is not that of the close")
sql(f"UPDATE closed_part SET content = '\\x00' WHERE statement_month = '{CLOSED}-01' AND chunk = 0")
assert "not those of its close" in refused(5, "--period", CLOSED)
sql(f"DELETE FROM closed_part WHERE statement_month = '{CLOSED}-01' AND chunk = 0")
assert "not those of its close" in refused(5, "--period", CLOSED, "--cost-centre", "nobody")

it("adds up what stands on one line: of one amount a row, and what is left of records that cancel")
other = WORK / "other"
case_page.write_common_reference(other)
(other / "billing" / "azure" / "2026-09").mkdir(parents=True)
DAYS = [f"{day},Usage,24,USD,disk\n" for day in ("09/10/2026", "09/11/2026")]
# the amortised dataset ends a day before the actual one: 24.00 are left, at its first row
for name, days in (("amortized.csv", DAYS[:1]), ("the-actual.csv", DAYS)):
    (other / "billing" / "azure" / "2026-09" / name).write_text("Date,ChargeType,CostInBillingCurrency,BillingCurrency,MeterName\n" + "".join(days), encoding="utf-8")
case_page.write_input(["bill", "cloud"], [["ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "BilledCost", "BillingCurrency", "Tags"],
                                          ["1 00:00", "2 00:00", "Usage", "100", "USD", "team=a"], ["1 00:00", "2 00:00", "Usage", "50", "EUR", "team=a"]], other)
case_page.write_csv(other / "reference" / "exchange_rates.csv", [["rate_date", "currency", "statement_currency", "rate"], ["2026-09-30", "EUR", "USD", "1.171"]])
dsn = published.new_database("other")
Publish(other, dsn)()


def sums_of(*words):
    answer = json.loads(output_of("explain", "--period", "2026-09", *words, "--json", "--dsn", dsn))
    return [tuple(row[name] for name in ("what", "exact", "charged")) for row in answer["sums"]]


def chunks_of(table):
    return published.query(f"SELECT cost_centre, row_count, content_sha256 FROM kstar.{table} ORDER BY chunk", dsn)


equals([("the line, as billed in USD", "48", None), ("together", "48", None), ("the parts above", "48", None)], sums_of("--line", "amortized.csv:2"))

it("adds up an invoice in each of its currencies")
equals([("invoice INV-1 of cloud, Cloud Inc., as billed in EUR", "50", "58.55"), ("invoice INV-1 of cloud, Cloud Inc., as billed in USD", "100", "100.00"),
        ("together", None, "158.55"), ("the parts above in EUR", "50", None), ("the parts above in USD", "100", None)], sums_of("--invoice", "INV-1"))

it("names the currency of an adjustment: that of the statement that carries it")
case_page.write_csv(other / "reference" / "settings.csv", [["parameter", "value", "valid_from", "valid_to"], ["statement_currency", "USD", "", "2026-10-01"],
                                                           ["statement_currency", "EUR", "2026-10-01", ""]])
with (other / "reference" / "exchange_rates.csv").open("a", encoding="utf-8") as file:
    file.write("2026-10-31,USD,EUR,0.90\n")
Publish(other, dsn)()
kstar("explain", "--period", "2026-09", "--store", "--dsn", dsn)
stored = chunks_of("open_part")
assert stored
kstar("close", "2026-09", "--accept-incomplete", "as made", "--dsn", dsn)
equals((stored, []), (chunks_of("closed_part"), chunks_of("open_part")))
case_page.write_input(["bill", "cloud"], [["ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "BilledCost", "BillingCurrency", "Tags"],
                                          ["1 00:00", "2 00:00", "Usage", "110", "USD", "team=a"], ["1 00:00", "2 00:00", "Usage", "50", "EUR", "team=a"]], other)
Publish(other, dsn)()
[adjustment] = json.loads(output_of("explain", "--period", "2026-09", "--cost-centre", "A", "--json", "--dsn", dsn))["adjustments"]
equals(("2026-10", "EUR", "142.70", "151.70", "9.00"), tuple(adjustment[name] for name in ("stands_in", "currency", "as_closed", "as_known_then", "adjustment")))

it("names the node that a machine was when its lines billed it, not all that it ever was")
machines = Company("machines")
machines.take("""
== reference nodes
cluster | node | resource_id | valid_from           | valid_to
c       | n1   | i-1         | 2026-01-01T00:00:00Z | 2026-09-01T00:00:00Z
d       | n7   | i-1         | 2026-09-01T00:00:00Z |

== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost
8 00:00           | 9 00:00         | i-1        | 24               | Hours        | 24.00

== jobs d
JobID | Account | Start   | End     | NodeList
1     | a       | 8 00:00 | 9 00:00 | n7
""")
machines.publish()
[part] = csv.DictReader(io.StringIO(output_of("explain", "--period", "2026-09", "--job", "1", "--csv", "--dsn", machines.dsn)))
equals(("nodes.csv: d/n7", "24"), (part["rule_declared"], part["amount"]))

it("distinguishes what is charged from what is unallocated")
both = Company("both")
both.take("""
== reference nodes
cluster | node | resource_id
c       | n1   | i-1

== bill cloud
ChargePeriodStart | ChargePeriodEnd | ResourceId | ConsumedQuantity | ConsumedUnit | BilledCost
8 00:00           | 9 00:00         | i-1        | 24               | Hours        | 24.00

== jobs c
JobID | Account | Start   | End     | NodeList
1     | a       | 8 00:00 | 8 18:00 | n1
2     | nobody  | 8 18:00 | 9 00:00 | n1
""")
both.publish()
sums = json.loads(output_of("explain", "--period", "2026-09", "--json", "--dsn", both.dsn))["sums"]
equals([("statement: unallocated: unmeasured_hardware", "6.00"), ("statement: unmeasured_hardware", "18.00"), ("together", "24.00"), ("the parts above", None)],
       [(row["what"], row["charged"]) for row in sums])
