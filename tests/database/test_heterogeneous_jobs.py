"""A heterogeneous job is one job to whoever reads of it: one flag with the money of all components,
one result, one count of its tokens."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
import workbooks
from company import Company


def equals(expected, actual, what):
    assert actual == expected, (what, expected, actual)


# The page tests/cases/12-heterogeneous.case works the money out; its October is not used here.
company = Company("heterogeneous")
page = case_page.read_page(SOURCES / "tests" / "cases" / "12-heterogeneous.case")
for words, table in page.sections[:next(at for at, (words, _) in enumerate(page.sections) if words[0] == "expect")]:
    case_page.write_input(words, table, company.inbox)
path = company.inbox / "jobs" / "c" / "jobs.txt"
header, *records = path.read_text(encoding="utf-8").splitlines()
path.write_text("\n".join([header.replace("|JobName", "|Comment|JobName"),
                           *(re.sub(r"\|([^|]*)$", r"|trained_tokens=5|\1", record) for record in records)]) + "\n", encoding="utf-8")
company.kstar("nightly", company.inbox, "--out", company.out)
review = workbooks.values(company.out / "review-2026-09.xlsx")

print("- the review has one row of it to decide on, with the money of all components")
flagged = {row["Job"]: row for row in workbooks.table(review, "Flagged jobs", "Rank")}
money = {name: (row["Name"], row["K"], row["K*"], row["Cost"], row["Cost at K*"], row["Excess"], row["Cash saving"]) for name, row in flagged.items()}
equals({"900": ("feed", 12, 5, 304.20, 253.60, 50.60, 69.46), "910": ("train", 12, 5, 304.20, 253.60, 50.60, 69.46)}, money, "flagged")
equals("12 nodes cost USD 50.60 more than 5 and saved 9.7 hours: right only if an hour is worth more than USD 5.23; waiting not counted", flagged["900"]["In words"], "in words")

[place] = [cell for row in review["Flagged jobs"].iter_rows() for cell in row if cell.value == "An hour saved cost"]
shown = {cell.number_format for [cell] in review["Flagged jobs"].iter_rows(place.row + 1, place.row + 2, place.column, place.column)}
equals({"#,##0.00"}, shown, "what an hour saved cost has two decimals")

print("- it is counted once: by verdict and by team, and to its cost centre it is one finding")
equals([("above K*", 2, 101.20)], [(row["Verdict"], row["Jobs"], row["Excess"]) for row in workbooks.table(review, "Verdicts", "Verdict") if row["Jobs"]],
       "verdicts")
equals({("A", 1, 1, 50.60), ("B", 1, 1, 50.60)}, {(row["Cost centre"], row["Jobs"], row["Above K*"], row["Excess"])
                                                 for row in workbooks.table(review, "By team", "Cost centre")}, "by team")
for name in ("Verdicts", "By team", "Repeat offenders"):
    notes = [row[0] for row in review[name].iter_rows(values_only=True) if isinstance(row[0], str) and "aiting" in row[0]]
    equals(["Waiting not counted."], notes, f"what waiting was counted at, on {name}")
[heading] = [row[0] for row in review["Curve model"].iter_rows(max_row=6, values_only=True) if row[0] and "K* " in row[0]]
assert heading.startswith("K* 5; waiting not counted, "), heading
own = workbooks.values(company.out / "chargeback-2026-09-A.xlsx")
sentences = [cell for row in own["Summary"].iter_rows(values_only=True) for cell in row if isinstance(cell, str) and "K* is" in cell]
equals(["Job 900 (feed) ran on 12; K* is 5; waiting not counted"], sentences, "finding of its cost centre")

print("- the job is one result, of one attempt; the tokens in its comments are counted once")
units = json.loads(company.kstar("report", "units", "--period", "2026-09", "--json").stdout)
equals({("c/900", "1", "304.20", "5"), ("c/910", "1", "304.20", "5")},
       {(row["run_group"], str(row["attempts"]), str(row["true_cost"]), str(row["trained_tokens"])) for row in units["results"]}, "results")
own = workbooks.values(company.out / "data-2026-09-A.xlsx")
assert "Attempts" not in own.sheetnames or not any("900" in str(cell) for row in own["Attempts"].iter_rows(values_only=True) for cell in row), \
    "one attempt is not shown as several"

print("- an acceptance of its row is a waiver of all of it")
[first] = [row["Attempt"].split(" ")[0] for row in flagged.values() if row["Job"] == "900"]
subprocess.run(["psql", company.dsn, "-Xqc",
                "INSERT INTO kstar.review_decision (attempt_id, review_month, accept_until, reason, decided_by, declared_in) VALUES "
                f"({first}, '2026-09-01', '2026-12-01', 'a date', 'the head', 'review.xlsx'); UPDATE kstar.statement SET run_id = 'stale'"], check=True)
company.kstar("nightly", company.inbox, "--out", company.out)
equals([("900+0", "t"), ("900+1", "t"), ("910", "f")],
       [tuple(row.values()) for row in published.query("SELECT job_id, waiver IS NOT NULL AS waived FROM kstar.job_result JOIN kstar.job USING (attempt_id) "
                                                       "ORDER BY 1", company.dsn)], "waiver")

print("- to each cost centre with a part of it it is a job: it ran, was judged and is flagged")
company.reference("mapping_rules", [*case_page.REFERENCE["mapping_rules"], ("3", "job_account", "c", "C")])
records = [record.split("|") for record in path.read_text(encoding="utf-8").splitlines()]
for record in records:
    record[2:4] = ["c", "c"] if record[0] == "900+1" else record[2:4]  # cluster and account
path.write_text("".join("|".join(record) + "\n" for record in records), encoding="utf-8")
company.kstar("nightly", company.inbox, "--out", company.out)
rows = published.query("SELECT scope, headline, judged, saving FROM kstar.headlines('2026-09-01', '{\"\",A,B,C}')", company.dsn)
equals({"": ("2 of 2", "1 of 2"), "A": ("1 of 1", "0 of 1"), "B": ("1 of 1", "1 of 1"), "C": ("1 of 1", "0 of 1")},
       {row["scope"]: (row["judged"][:6], row["saving"][len("Resizing "):][:6]) for row in rows}, "jobs and flags")
equals(["A flagged job of which it has a part stands with another cost centre."], [row["headline"] for row in rows if row["scope"] == "C"], "headline")
assert "No job of its own is flagged." in (company.out / "page-2026-09-C.html").read_text(encoding="utf-8")

print("- measurements of jobs without a record are listed among what waits: of October's job, and of a mistyped id")
(company.inbox / "efficiency" / "own.csv").write_text("family,job_id,k,metric,value\nmodel,9200,6,efficiency,0.4\n", encoding="utf-8")
company.kstar("nightly", company.inbox, "--out", company.out)
waiting = json.loads(company.kstar("status", "--json").stdout)["waiting"]
equals([("measurement of an unknown job: 920 and 2 more", "3 measurements", "no job record has this id: not counted")],
       [(row["which"], row["how_much"], row["note"]) for row in waiting if row["what"] == "not counted in 2026-09"], "what waits")
