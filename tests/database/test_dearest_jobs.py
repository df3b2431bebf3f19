"""The workbook of all cost centres lists the dearest jobs alone, as many as the setting
workbook_jobs says, and adds up the others in a row that says where they stand. The sheet "Tidy
data" of each workbook names as many as tidy_jobs says. Every job is in its cost centre's workbook,
and every total stays.

This test works out from the rows of the database which jobs these are, and the sum of the
others."""

import collections
import os
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

SOURCES, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))
import company  # noqa: E402
import published  # noqa: E402
import workbooks  # noqa: E402
from extent import tried  # noqa: E402
from saying import equals, it  # noqa: E402

PERIOD, LISTED, NAMED, JOBS = "2026-09", 20, 12, 120
SEVERAL, OTHERS = "(several)", "(other jobs)"
SUMMED = {"Node-hours": "node_hours", "Wall hours": "wall_hours", "Useful compute": "useful_compute_minor", "Failed runs": "failed_runs_minor",
          "Engineering overhead": "engineering_overhead_minor", "True cost": "true_cost_minor"}

dsn = published.new_database("dearest")
subprocess.run(["psql", dsn, "-Xq", "-v", "ON_ERROR_STOP=1", "-v", f"jobs={JOBS}", "-f", SOURCES / "tests" / "database" / "statement.sql"], check=True)


def sql(query):
    return published.query(query, dsn)


def set_jobs(listed, named):
    asked = f"(VALUES ('workbook_jobs', '{listed}'), ('tidy_jobs', '{named}')) AS asked (parameter, value)"
    subprocess.run(["psql", dsn, "-Xqc", "DELETE FROM kstar.setting WHERE parameter IN ('workbook_jobs', 'tidy_jobs')",
                    "-c", f"INSERT INTO kstar.setting (parameter, value) SELECT parameter, value FROM {asked} WHERE value <> ''",
                    "-c", "UPDATE kstar.statement SET status = status"], check=True)


def write(folder, **environment):
    done = subprocess.run([KSTAR, "report", "chargeback", "--period", PERIOD, "--out", folder, "--dsn", dsn], capture_output=True, text=True,
                          check=False, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return workbooks.opened(folder / f"data-{PERIOD}.xlsx")


def name_of(row):
    return (row["Job"], row["Attempt"])


def centre_of(path):
    """By the row below the title."""
    return workbooks.opened(path)["About"].values[2, 1].removeprefix("Cost centre ").split(": ")[0]


def cents(row, heading):
    value = row[heading] or 0
    return round(value * 100) if SUMMED.get(heading, "_minor").endswith("_minor") else round(value, 6)


jobs = sql("""SELECT job_id, attempt_mark, job_result.*, job_result.cost_centre AS centre
              FROM kstar.job_result JOIN kstar.job USING (attempt_id)""")
assert len(jobs) == JOBS
by_cost = sorted(jobs, key=lambda job: (-int(job["true_cost_minor"]), int(job["attempt_id"])))
dearest, others = by_cost[:LISTED], by_cost[LISTED:]
nobodys = [job for job in others if job["centre"] == ""]
assert nobodys and len(nobodys) < len(others)

it("lists all jobs where there are not more than 5,000, or than the setting says")
whole = write(WORK / "whole")
equals(JOBS, len(workbooks.table(whole, "Jobs", "Job")))
as_whole = (WORK / "whole" / f"data-{PERIOD}.xlsx").read_bytes()
set_jobs(JOBS, JOBS)
book = write(WORK / "just")
equals(workbooks.table(whole, "Jobs", "Job"), workbooks.table(book, "Jobs", "Job"))
equals(workbooks.table(whole, "Tidy data", "Measure"), workbooks.table(book, "Tidy data", "Measure"))

it("lists the dearest first, then one row for the others that a cost centre pays, and one for those that none pays")
set_jobs(LISTED, NAMED)
out = WORK / "out"
write(out)
book = workbooks.opened(out / f"data-{PERIOD}.xlsx")
rows = workbooks.table(book, "Jobs", "Job")
listed, rest = rows[:-2], rows[-2:]
equals({(job["job_id"], job["attempt_mark"]) for job in dearest}, {name_of(row) for row in listed})
equals(LISTED, len(listed))
equals([(job["job_id"], job["attempt_mark"]) for job in dearest], [name_of(row) for row in listed])
equals([SEVERAL, None], [row["Cost centre"] for row in rest])
equals([f"{len(others) - len(nobodys)} more jobs", f"{len(nobodys)} more jobs"], [row["Job"] for row in rest])
assert "workbook" in rest[0]["Name"] and "cost centre" in rest[0]["Name"], rest[0]["Name"]
assert "kstar_views.report_job" in rest[1]["Name"], rest[1]["Name"]

it("adds them up to the last digit")
for row, summed in zip(rest, ([job for job in others if job["centre"] != ""], nobodys)):
    for heading, column in SUMMED.items():
        wanted = sum(Decimal(job[column]) for job in summed)
        equals((heading, wanted if column.endswith("_minor") else float(round(wanted, 6))), (heading, cents(row, heading)))
    equals(cents(row, "True cost") if row["Cost centre"] else 0, cents(row, "Charged"))
flagged = lambda of: sum(int(job["excess_minor"] or 0) for job in of if job["verdict"] in ("above K*", "below K*"))
equals([flagged(job for job in others if job["centre"]), flagged(nobodys)], [cents(row, "Excess") for row in rest])

it("says on the sheet that more jobs exist; the figures cover all jobs")
text = [str(cell) for row in book["Jobs"].iter_rows(max_row=4) for cell in row if cell]
assert any(f"The dearest {LISTED} of {JOBS} jobs" in cell for cell in text), text
[total] = [row for row in book["Jobs"].iter_rows() if row[0] == "Total"]
headings = list(book["Jobs"].iter_rows(max_row=4))[-1]
equals(sum(int(job["true_cost_minor"]) for job in jobs), round(total[headings.index("True cost")] * 100))
summary, before = ({row[0]: row[1] for row in one["Summary"].iter_rows(max_row=40, max_col=2) if row[0]} for one in (workbooks.opened(folder / f"chargeback-{PERIOD}.xlsx") for folder in (out, WORK / "whole")))
equals(before, summary)

it("lists the dearest results of several attempts, or of none, and adds up the others in one row")
of_all, of_dearest = (workbooks.table(workbooks.opened(folder / f"data-{PERIOD}.xlsx"), "Attempts", "Run group") for folder in (WORK / "whole", out))
cost_of, rows_in = collections.Counter(), collections.Counter()
for row in of_all:
    cost_of[row["Run group"]] += cents(row, "True cost")
    rows_in[row["Run group"]] += 1
wanted, room = set(), LISTED
for group in sorted(cost_of, key=lambda name: (-cost_of[name], name)):
    if room <= 0:
        break
    wanted.add(group)
    room -= rows_in[group]
*listed, rest = of_dearest
assert 0 < len(wanted) < len(cost_of), (len(wanted), len(cost_of))
shown = ("Run group", "Result", "Attempt", "Row", "Job", "Submitted", "True cost", "Of the result so far")
equals([[row[name] for name in shown] for row in of_all if row["Run group"] in wanted], [[row[name] for name in shown] for row in listed])
equals((f"{len(cost_of) - len(wanted)} more results", sum(cost_of.values()) - sum(cost_of[group] for group in wanted)),
       (rest["Run group"], cents(rest, "True cost")))

it("has every job in its cost centre's workbook")
for path in out.glob(f"data-{PERIOD}-*.xlsx"):
    own, centre = workbooks.opened(path), centre_of(path)
    equals(sorted((job["job_id"], job["attempt_mark"]) for job in jobs if job["centre"] == centre),
           sorted(name_of(row) for row in (workbooks.table(own, "Jobs", "Job") if "Jobs" in own.sheetnames else []) if row["Start (UTC)"]))
    assert not any(str(cell).startswith("The dearest") for name in own.sheetnames if name == "Jobs"
                   for row in own[name].iter_rows(max_row=4) for cell in row)

it("keeps every sum of the tidy data, of everybody's and of each cost centre's")
BY = ("Measure", "Cost centre", "Component", "Pool", "Family", "Subject", "GL account", "Invoice no.", "Unit")


def sums(tidy):
    found = collections.Counter()
    for row in tidy:
        found[tuple(row[name] for name in BY)] += round(row["Amount"] * 1000000)
    return found


for path in sorted(out.glob("data-*.xlsx")):
    facts, all_facts = (workbooks.table(book, "Tidy data", "Measure")
                        for book in map(workbooks.opened, (path, WORK / "whole" / path.name)))
    equals(sums(all_facts), sums(facts))
    of_jobs = collections.Counter(name_of(row) for row in facts if row["Job"])
    centre = centre_of(path)
    of_whom = [job for job in by_cost if path.name == f"data-{PERIOD}.xlsx" or job["centre"] == centre]
    dear = {(job["job_id"], job["attempt_mark"]) for job in of_whom[:NAMED]}
    if "harbour" not in path.name:
        equals(dear, set(of_jobs) - {(OTHERS, None)})
        assert len(facts) < len(all_facts)
        equals(len([row for row in facts if row["Job"] == OTHERS]),
               len({tuple(row[name] for name in BY) for row in facts if row["Job"] == OTHERS}))

it("shows in every cell what LibreOffice computes")
paths = sorted(out.glob("*.xlsx"))
# everybody's, and those of two cost centres: one with more jobs than are listed, one without any
paths = tried([path for path in paths if path.stem.endswith(PERIOD) or "vision" in path.name or "harbour" in path.name], paths)
assert len(paths) >= 6, paths
for path, other in zip(paths, workbooks.recalculated(paths, WORK / "office")):
    found, count = workbooks.differences(path, other)
    assert not found and count > 0, (path.name, found[:20])

it("goes on to a second sheet where the first is full")
set_jobs(70, NAMED)
book = write(WORK / "small", KSTAR_TEST_ROWS_PER_SHEET="30")
parts = [name for name in book.sheetnames if name.startswith("Jobs")]
equals(72, sum(len(workbooks.table(book, name, "Job")) for name in parts))
equals(parts, book.sheetnames[book.sheetnames.index("Jobs"):][:len(parts)])
assert not [name for name in book.sheetnames if (1, 1) not in book[name].values]

it("can list none")
set_jobs(0, 0)
rows = workbooks.table(write(WORK / "none"), "Jobs", "Job")
equals([SEVERAL, None], [row["Cost centre"] for row in rows])
equals(sum(int(job["true_cost_minor"]) for job in jobs), sum(cents(row, "True cost") for row in rows))

it("lists 5,000 jobs and names 1,000 if the settings have no value")
set_jobs("", "")
equals(as_whole, (write(WORK / "default"), (WORK / "default" / f"data-{PERIOD}.xlsx").read_bytes())[1])
subprocess.run(["psql", dsn, "-Xqc", f"""INSERT INTO kstar.job_result SELECT more.* FROM kstar.job_result, generate_series(1, {5100 - JOBS}) AS n,
    jsonb_populate_record(job_result, jsonb_build_object('attempt_id', 1000 + n, 'cost_centre', NULL, -- so none has them in its own workbook
    'useful_compute_minor', 0, 'coordination_waste_minor', 0, 'unmeasured_hardware_minor', 0, 'failed_runs_minor', 0, 'cancelled_minor', 0,
    'cloud_fees_minor', 0, 'fixed_overhead_minor', 0, 'internal_overhead_minor', 0, 'engineering_overhead_minor', 0, 'true_cost_minor', 0,
    'node_seconds', 3600)) AS more
    WHERE job_result.attempt_id = 1;
    INSERT INTO kstar.job SELECT more.* FROM kstar.job, generate_series(1, {5100 - JOBS}) AS n,
    jsonb_populate_record(job, jsonb_build_object('attempt_id', 1000 + n, 'job_id', 'more ' || n, 'job_id_raw', n + 100000)) AS more
    WHERE job.attempt_id = 1; UPDATE kstar.statement SET status = status; ANALYZE"""], check=True)
book = write(WORK / "more")
rows = workbooks.table(book, "Jobs", "Job")
equals((5001, "100 more jobs"), (len(rows), rows[-1]["Job"]))
equals(1000, len({name_of(row) for row in workbooks.table(book, "Tidy data", "Measure") if row["Job"] not in (None, OTHERS)}))

it("reads the setting from settings.csv, a whole number")
made = company.Company("setting")
made.bill(["1 00:00", "2 00:00", "Usage", "10.00", "team=a", "Servers"])
made.reference("settings", [["parameter", "value"], ["workbook_jobs", "7"]])
made.publish()
equals([{"value": "7"}], published.query("SELECT value FROM kstar.setting WHERE parameter = 'workbook_jobs'", made.dsn))
made.reference("settings", [["parameter", "value"], ["workbook_jobs", "some"]])
output = made.kstar("ingest", "reference", made.inbox / "reference", code=3).stderr
assert "settings.csv" in output and "some" in output, output
