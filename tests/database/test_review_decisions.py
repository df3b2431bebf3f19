"""A manager's decisions come back from the review workbook: filled in as Excel and as LibreOffice
write it, they are waivers."""

import datetime
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

SOURCES, WORK, KSTAR = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"]), os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import published
import workbooks
from company import Company
from saying import kstar, output_of, rows_of

SHEET, OUT, INBOX = "Flagged jobs", WORK / "out", WORK / "inbox"


def opened():
    """The review as a manager has it, and where its columns and flagged jobs are."""
    book = workbooks.editable(OUT / "review-2026-09.xlsx")
    sheet = book[SHEET]
    header = next(row for row in sheet.iter_rows() if any(cell.value == "Accept until" for cell in row))
    columns = {cell.value: cell.column for cell in header if cell.value}
    rows = [row for row in range(header[0].row + 1, sheet.max_row + 1) if isinstance(sheet.cell(row, columns["Rank"]).value, int)]
    return book, sheet, columns, rows


def decided(name, *decisions):
    """Saves the review under a name, with (row, {heading: value}) filled in."""
    book, sheet, columns, rows = opened()
    for at, values in decisions:
        for heading, value in values.items():
            sheet.cell(rows[at], columns[heading]).value = value
    book.save(WORK / name)
    return WORK / name


shutil.copytree(SOURCES / "fixtures" / "inbox", INBOX)
kstar("nightly", INBOX, "--out", OUT, code=(0, 4))
book, sheet, columns, rows = opened()
cells = {heading: [sheet.cell(row, columns[heading]).value for row in rows] for heading in columns}
assert len(rows) >= 3, rows
keys = cells["Attempt"]
cells["Attempt"] = [key.split(" ")[0] for key in keys]

print("- the decision columns alone can be written to, and say what may be")
assert sheet.protection.sheet and not sheet.protection.password
open_columns = {heading for heading in columns if not sheet.cell(rows[0], columns[heading]).protection.locked}
assert open_columns == {"Resize to", "Accept until", "Reason", "Decided by"}, open_columns
rules = {str(rule.sqref).split(":")[0][:2]: rule.type for rule in sheet.data_validations.dataValidation}
assert sorted(rules.values()) == ["date", "whole"], rules

print("- a job that did not complete is described as not completed; the money is the same")
flagged = [str(attempt) for attempt in cells["Attempt"][:3]]
words = cells["In words"]
assert all(" more than " in sentence and " and saved " in sentence for sentence in words[:3]), words
outcomes = dict(rows_of(f"SELECT attempt_id, outcome FROM kstar.job_result WHERE attempt_id IN ({', '.join(flagged)})"))
for attempt, outcome in zip(flagged, ("failed", "cancelled", "running")):
    rows_of(f"UPDATE kstar.job_result SET outcome = '{outcome}' WHERE attempt_id = {attempt}" if outcome != "running" else
            f"UPDATE kstar.job_result SET provisional = true WHERE attempt_id = {attempt}")
PUBLISHED = "UPDATE kstar.statement SET status = status"  # publishing puts it anew
rows_of(PUBLISHED)
kstar("report", "review", "--period", "2026-09", "--out", OUT)
book, sheet, columns, rows = opened()
for row, was, until in zip(rows, words, (" until the job failed", " until the job was cancelled", " so far")):
    assert sheet.cell(row, columns["In words"]).value == was.replace(" and saved ", f"{until} and saved "), (row, was)
for attempt, outcome in outcomes.items():
    rows_of(f"UPDATE kstar.job_result SET outcome = '{outcome}', provisional = false WHERE attempt_id = {attempt}")
rows_of(PUBLISHED)
kstar("report", "review", "--period", "2026-09", "--out", OUT)

print("- the conclusion stands first: what can be saved, of whom and in which months; the decisions stand beside the sentence")
conclusion = workbooks.values(OUT / "review-2026-09.xlsx")["Conclusion"]
assert book.sheetnames[0] == "Conclusion" and " Resizing " in str(conclusion["A4"].value), conclusion["A4"].value
assert [columns[heading] - columns["In words"] for heading in ("Resize to", "Accept until", "Reason", "Decided by")] == [1, 2, 3, 4], columns
first = workbooks.values(OUT / "review-2026-09.xlsx")
for heading, column in (("Family", "family"), ("Cost centre", "cost_centre")):
    for row in workbooks.table(first, "Conclusion", heading):
        [(flags, can, cash)] = rows_of(f"SELECT count(*), count(*) FILTER (WHERE waiver IS NULL AND (job_hours <= deadline_hours AND job_hours_at_k_star > "
                                       f"deadline_hours) IS NOT TRUE), sum(cash_saving_minor) FILTER (WHERE waiver IS NULL AND (job_hours <= deadline_hours "
                                       f"AND job_hours_at_k_star > deadline_hours) IS NOT TRUE) FROM kstar.job_result WHERE verdict IN ('above K*', 'below K*') "
                                       f"AND {column} = '{row[heading]}'")
        shown = row["Attainable cash, sure"] + row["Attainable cash, low confidence"]
        assert (row["Flagged jobs"], row["Can be resized"], round(shown * 100)) == (int(flags), int(can), int(cash or 0)), (row, flags, can, cash)
assert [row["Month"] for row in workbooks.table(first, "Conclusion", "Month")] == ["2026-09"], "months"

print("- flags below an amount are one row, and the totals are the same")
rows_of("INSERT INTO kstar.setting (parameter, value) VALUES ('review_smallest_flag', '2000')")
rows_of(PUBLISHED)
kstar("report", "review", "--period", "2026-09", "--out", OUT)
fewer = workbooks.table(workbooks.Book(OUT / "review-2026-09.xlsx"), "Flagged jobs", "Rank")
small = [excess for excess in cells["Excess"] if excess < 2000]
assert small and len(fewer) == len(rows) - len(small) + 1, fewer
assert fewer[-1]["Name"].startswith(f"{len(small)} smaller flag") and abs(fewer[-1]["Excess"] - sum(small)) < 0.001 and not fewer[-1]["Attempt"], fewer[-1]
rows_of("DELETE FROM kstar.setting WHERE parameter = 'review_smallest_flag'")

print("- and so are flags after as many as are listed")
rows_of("INSERT INTO kstar.setting (parameter, value) VALUES ('workbook_jobs', '1')")
rows_of(PUBLISHED)
kstar("report", "review", "--period", "2026-09", "--out", OUT)
fewer = workbooks.table(workbooks.Book(OUT / "review-2026-09.xlsx"), "Flagged jobs", "Rank")
listed, others = fewer
assert len(rows) > 2 and (listed["Rank"], listed["Excess"]) == (1, cells["Excess"][0]), fewer
assert others["Name"] == f"{len(rows) - 1} smaller flags" and abs(others["Excess"] - sum(cells["Excess"][1:])) < 0.001 and not others["Attempt"], fewer
rows_of("DELETE FROM kstar.setting WHERE parameter = 'workbook_jobs'")
rows_of(PUBLISHED)
kstar("report", "review", "--period", "2026-09", "--out", OUT)

print("- nothing filled in is no decision, and no fault")
kstar("ingest", "reference", decided("review-2026-09.xlsx"))
assert rows_of("SELECT count(*) FROM kstar.review_decision") == [("0",)]

print("- a year's reviews of many people are read together")
many = WORK / "many"
many.mkdir()
for person in range(100):
    shutil.copy(WORK / "review-2026-09.xlsx", many / f"review-2026-09 ({person}).xlsx")
kstar("ingest", "reference", many)
assert rows_of("SELECT count(*) FROM kstar.reference_file WHERE name ~ '^review-2026-09 [(][0-9]+[)]'") == [("100",)]

print("- an acceptance is a waiver of the job, and of those of its name and user that follow, up to its day")
review = decided("review-2026-09.xlsx",
                 (0, {"Accept until": datetime.date(2026, 12, 31), "Reason": "the launch cannot wait; <&> \"quoted\"", "Decided by": "Ann Ree"}),
                 (1, {"Resize to": 16}))
output = output_of("ingest", "reference", review)
assert f"review-2026-09.xlsx: job {cells['Job'][0]} ({cells['Name'][0]}): accepted until 2026-12-31, by Ann Ree" in output, output
assert f"review-2026-09.xlsx: job {cells['Job'][1]} ({cells['Name'][1]}): next one on 16" in output, output
SUMMED = f"2 decisions: 1 accepted (excess USD {cells['Excess'][0]:,.2f}), 1 to resize (excess USD {cells['Excess'][1]:,.2f})"
assert f"  reviews     {SUMMED}\n" in output and f'event=decisions file="{review}" message="{SUMMED}"' in output, output
assert rows_of("SELECT declared_in, review_month, attempt_id, resize_to, accept_until, reason, decided_by FROM kstar.review_decision "
               "ORDER BY resize_to NULLS FIRST") == [
    ("review-2026-09.xlsx", "2026-09-01", str(cells["Attempt"][0]), "", "2026-12-31", 'the launch cannot wait; <&> "quoted"', "Ann Ree"),
    ("review-2026-09.xlsx", "2026-09-01", str(cells["Attempt"][1]), "16", "", "", "")]
kstar("model", code=(0, 4))
followers = rows_of(f"SELECT count(*) FROM kstar.job AS other JOIN kstar.job AS one USING (job_name, user_name) WHERE one.attempt_id = "
                    f"{cells['Attempt'][0]} AND other.start_time >= one.start_time")[0][0]
waived = rows_of("SELECT attempt_id, waiver FROM kstar.job_result WHERE waiver LIKE '%Ann Ree%' ORDER BY 1")
assert len(waived) == int(followers) and str(cells["Attempt"][0]) in [row[0] for row in waived], (waived, followers)
assert waived[0][1] == 'the launch cannot wait; <&> "quoted" (Ann Ree, until 2026-12-31)', waived

print("- kstar advise takes each price that is not given from the statement, and only those")
def advise(*options):
    return subprocess.run([KSTAR, "advise", "--family", "llm-pretrain", *map(str, options)], capture_output=True, text=True, check=True).stdout


def prices(text):
    return tuple(map(float, re.search(r"; ([0-9.]+) an hour of one K, ([0-9.]+) an hour besides, prices of 2026-09", text).groups()))


node, wall = prices(advise())
waiting = 120  # as settings.csv has it
assert wall > waiting, wall
for given, expected in ((("--price", 2 * node), (2 * node, wall)), (("--fixed", 0), (node, waiting)), (("--fixed", 3.5), (node, waiting + 3.5)),
                        (("--waiting", 0), (node, wall - waiting))):
    assert all(abs(a - b) < 0.001 for a, b in zip(prices(advise(*given)), expected)), (given, prices(advise(*given)), expected)
assert "; 7 an hour of one K, 0 an hour besides, waiting not counted; " in advise("--price", 7, "--fixed", 0, "--waiting", 0)

print("- the next review shows what was decided, and the money as it was")
kstar("report", "review", "--period", "2026-09", "--out", OUT)
book, sheet, columns, rows = opened()
assert sheet.cell(rows[0], columns["Accept until"]).value == datetime.datetime(2026, 12, 31)
assert sheet.cell(rows[0], columns["Decided by"]).value == "Ann Ree" and sheet.cell(rows[1], columns["Resize to"]).value == 16
assert [sheet.cell(row, columns["Excess"]).value for row in rows] == cells["Excess"]

print("- saved by LibreOffice it says the same; another reviewer's file stands beside it")
again = workbooks.saved(decided("review-2026-09.xlsx", (2, {"Resize to": 8})), WORK / "calc")
kstar("ingest", "reference", again)
assert sorted(rows_of("SELECT attempt_id, resize_to, accept_until FROM kstar.review_decision")) == sorted([
    (str(cells["Attempt"][0]), "", "2026-12-31"), (str(cells["Attempt"][1]), "16", ""), (str(cells["Attempt"][2]), "8", "")])
kstar("ingest", "reference", decided("review-2026-09 (Bo).xlsx", (2, {"Resize to": 4})))
assert rows_of("SELECT declared_in, count(*) FROM kstar.review_decision GROUP BY 1 ORDER BY 1") == [
    ("review-2026-09 (Bo).xlsx", "3"), ("review-2026-09.xlsx", "3")]

print("- in the inbox it is read with the other reference files; the same file again is nothing new")
shutil.copy(again, INBOX / "reference" / "review-2026-09.xlsx")
shutil.copy(decided("review-2026-09 (Cy).xlsx", (2, {"Resize to": 4})), INBOX / "reference")
output = output_of("nightly", INBOX, "--out", OUT, code=(0, 4))
assert "level=error" not in output, output

print("- the night says what was decided, of which kind and about how much; once")
assert re.search(r"^  reviews     3 decisions: 1 accepted \(excess USD [0-9,.]+\), 2 to resize \(excess USD [0-9,.]+\)$", output, re.M), output
assert "  reviews  " not in output_of("nightly", INBOX, "--out", OUT, code=(0, 4))

print("- what is no decision is refused, naming the cell, and nothing changes")
before = rows_of("SELECT * FROM kstar.review_decision ORDER BY 1, 3")
accepted = {"Accept until": datetime.date(2026, 12, 31), "Reason": "why", "Decided by": "Ann"}
book, sheet, columns, rows = opened()
for name in book.sheetnames:
    if name != SHEET:  # of which nothing is read
        del book[name]
for values, message in [({**accepted, "Accept until": "soon"}, 'Accept until: "soon" is not a date'),
                        ({**accepted, "Accept until": datetime.date(2026, 8, 1)}, "is not after the month that was reviewed"),
                        ({**accepted, "Reason": None}, "Reason"), ({**accepted, "Decided by": " "}, "Decided by"),
                        ({"Resize to": 2.5}, 'Resize to: "2.5"'), ({"Resize to": 0}, 'Resize to: "0"'), ({"Reason": "perhaps"}, "is not a decision"),
                        ({"Resize to": 3000000000}, 'Resize to: "3000000000"'),
                        *[({**accepted, "Reason": reason * 4000}, "is longer than 4,095 bytes") for reason in ("no", "\N{CJK UNIFIED IDEOGRAPH-6F22}")],
                        *[({"Resize to": 4, "Attempt": key}, f'Attempt: "{key}" is not the key of this row')
                          for key in ("job 7", "7 job", "-", "9" * 20, cells["Attempt"][0], keys[1], f"{int(cells['Attempt'][0]) + 1} {keys[0].split()[1]}")],
                        ({"Resize to": 4, "Job": "another"}, "is not the key of this row")]:
    as_written = {heading: sheet.cell(rows[0], columns[heading]).value for heading in values}
    for heading, value in (dict.fromkeys(accepted) | values).items():
        sheet.cell(rows[0], columns[heading]).value = value
    book.save(WORK / "review-2026-09.xlsx")
    for heading, value in as_written.items():
        sheet.cell(rows[0], columns[heading]).value = value
    error = output_of("ingest", "reference", WORK / "review-2026-09.xlsx", code=3)
    assert message in error and f"review-2026-09.xlsx, sheet {SHEET}, cell " in error, (values, error)
assert rows_of("SELECT * FROM kstar.review_decision ORDER BY 1, 3") == before

print("- so is a file that is no workbook, another workbook, or has lost its headings")
(WORK / "review-2026-10.xlsx").write_bytes(b"PK\3\4 not really")
assert "is not a zip file" in output_of("ingest", "reference", WORK / "review-2026-10.xlsx", code=3)
(WORK / "review-2026-10.xlsx").write_bytes(review.read_bytes()[:-100])
kstar("ingest", "reference", WORK / "review-2026-10.xlsx", code=3)
shutil.copy(OUT / "chargeback-2026-09.xlsx", WORK / "review-2026-10.xlsx")
assert f'has no sheet "{SHEET}"' in output_of("ingest", "reference", WORK / "review-2026-10.xlsx", code=3)
shutil.copy(review, WORK / "review-of-us.xlsx")
assert "begins with review-YYYY-MM" in output_of("ingest", "reference", WORK / "review-of-us.xlsx", code=3)
book, sheet, columns, rows = opened()
sheet.delete_cols(columns["Reason"])
book.save(WORK / "review-2026-10.xlsx")
assert "has no row with the headings" in output_of("ingest", "reference", WORK / "review-2026-10.xlsx", code=3)

print("- a flag has the interval of its excess in money: it holds the excess, and of a sure flag without waiting begins above 5 % of the cost")
flags = rows_of("SELECT verdict LIKE '_____ K*', low_confidence, waiting_per_hour, cost_minor, excess_minor, excess_low_minor, excess_high_minor FROM kstar.job_result")
known = [[float(figure) for figure in row[2:]] + [row[1] == "t"] for row in flags if row[0] == "t" and row[5]]
assert known and all(row[0] == "t" for row in flags if row[5] or row[6])
assert all(low <= excess <= high <= cost for _, cost, excess, low, high, _ in known), known
assert all(low > 0.05 * cost - 1 for waiting, cost, _, low, _, unsure in known if not unsure and not waiting), known
assert cells["Excess interval"][0] == "{} to {}".format(*(f"{int(figure) / 100:,.2f}" for figure in rows_of(
        "SELECT excess_low_minor, excess_high_minor FROM kstar.job_result ORDER BY excess_minor DESC NULLS LAST LIMIT 1")[0])), cells["Excess interval"]

print("- jobs above K* in several months are repeat offenders, with their sums and what was decided")
rows_of("CREATE TABLE kstar.another (LIKE kstar.job_result); "
        "INSERT INTO kstar.another SELECT * FROM kstar.job_result WHERE verdict = 'above K*' ORDER BY excess_minor DESC LIMIT 2; "
        "INSERT INTO kstar.job SELECT (jsonb_populate_record(job, jsonb_build_object('attempt_id', attempt_id + 1))).* FROM kstar.job "
        # a job over a month's end would be one
        "WHERE attempt_id IN (SELECT attempt_id FROM kstar.another); "
        "UPDATE kstar.another SET statement_month = '2026-07-01', excess_minor = excess_minor + 100, attempt_id = attempt_id + 1; "
        "INSERT INTO kstar.job_result SELECT * FROM kstar.another; DROP TABLE kstar.another; "
        "INSERT INTO kstar.statement SELECT (jsonb_populate_record(one, '{\"statement_month\": \"2026-07-01\"}')).* FROM kstar.statement AS one; "
        # the dearest ran over a month's end, and had another name when that month was published
        "INSERT INTO kstar.job_result SELECT (jsonb_populate_record(one, '{\"statement_month\": \"2026-07-01\", \"excess_minor\": 50, "
        "\"name_hash\": 9223372036854775807}')).* FROM kstar.job_result AS one "
        "WHERE statement_month = '2026-09-01' AND verdict = 'above K*' ORDER BY one.excess_minor DESC LIMIT 1")
kstar("report", "review", "--period", "2026-09", "--out", OUT)
book = workbooks.values(OUT / "review-2026-09.xlsx")
sheet = book["Repeat offenders"]
header = next(row for row in sheet.iter_rows() if row[0].value == "Name")
found = [{name.value: cell.value for name, cell in zip(header, row)} for row in sheet.iter_rows(min_row=header[0].row + 1) if row[0].value]
now = [dict(zip(cells, values)) for values in zip(*cells.values())][:2]
assert [row["Name"] for row in found[:2]] == [row["Name"] for row in now], found
for row, job, before in zip(found, now, (1.50, 1)):
    assert (row["Months"], row["Since"], row["Jobs"]) == (2, "2026-07", 2), row
    assert round(row["Excess"], 2) == round(job["Excess"], 2)
    assert round(row["Excess of all months"], 2) == round(2 * job["Excess"] + before, 2), row
assert found[0]["Last decision"] == '2026-09: accepted until 2026-12-31; the launch cannot wait; <&> "quoted"; Ann Ree', found[0]

print("- the teams of the review add up to its flagged jobs")
sheet = book["By team"]
header = next(row for row in sheet.iter_rows() if row[0].value == "Cost centre")
teams = [{name.value: cell.value for name, cell in zip(header, row)} for row in sheet.iter_rows(min_row=header[0].row + 1) if row[0].value]
total = teams.pop()
assert total["Cost centre"] == "Total" and round(sum(row["Excess"] for row in teams), 2) == round(total["Excess"], 2)
for centre in set(cells["Cost centre"]):
    expected = [(excess, waiver) for excess, where, waiver in zip(cells["Excess"], cells["Cost centre"], cells["Waiver"]) if where == centre]
    row = next(row for row in teams if row["Cost centre"] == centre)
    assert row["Above K*"] == len(expected) and round(row["Excess"], 2) == round(sum(excess for excess, _ in expected), 2), row

print("- of the reviews about one name and user the latest decides, from the job on that it is about")
company = Company("decided")
company.take("""
== bill cloud 2026-09
ChargePeriodStart | ChargePeriodEnd | BilledCost | Tags
1 00:00           | 10-01 00:00     | 10.00      | team=a
== bill cloud 2026-10
ChargePeriodStart | ChargePeriodEnd | BilledCost | Tags
10-01 00:00       | 11-01 00:00     | 10.00      | team=a
== bill cloud 2026-11
ChargePeriodStart | ChargePeriodEnd | BilledCost | Tags
11-01 00:00       | 12-01 00:00     | 10.00      | team=a
== jobs c
JobID | Account | JobName | User | Start       | End         | NodeList
1     | a       | train   | u    | 8 08:00     | 8 18:00     | n1
2     | a       | train   | u    | 10-08 08:00 | 10-08 18:00 | n1
3     | a       | train   | u    | 10-20 08:00 | 10-20 18:00 | n1
4     | a       | train   | u    | 11-20 08:00 | 11-20 18:00 | n1
5     | a       | train   | v    | 9 08:00     | 9 18:00     | n1
6     | a       | train   | v    | 11-20 08:00 | 11-20 18:00 | n1
7     | a       | eval    | u    | 9 08:00     | 9 18:00     | n1
8     | a       | eval    | u    | 10-09 08:00 | 10-09 18:00 | n1
9     | a       | eval    | u    | 11-20 08:00 | 11-20 18:00 | n1
10    | a       | test    | u    | 9 08:00     | 9 18:00     | n1
11    | a       | test    | u    | 10 08:00    | 10 18:00    | n1
12    | a       | test    | u    | 11-20 08:00 | 11-20 18:00 | n1
13    | a       | gone    | u    | 9 08:00     | 9 18:00     | n1
14    | a       | gone    | u    | 8 08:00     | 10-08 18:00 | n2
15    | a       | twice   | u    | 9 08:00     | 9 18:00     | n1
16    | a       | twice   | u    | 11-20 08:00 | 11-20 18:00 | n1
17    | a       | both    | u    | 9 08:00     | 9 18:00     | n1
""")
company.publish.take()
# what those reviews would be read as: name's suffix, month, job, resize to, accept until
for person, month, job, size, until in (
        # shortened; to resize takes nothing back
        ("", "09", 1, None, "2026-12-31"), ("", "10", 2, None, "2026-10-15"), ("", "11", 4, 2, None),
        # of another user
        ("", "09", 5, None, "2026-12-31"),
        ("", "09", 7, None, "2026-10-15"), ("", "10", 8, None, "2026-12-31"),                          # lengthened
        # two of one month about one job: the first by name counts
        (" (Ann)", "09", 15, None, "2026-10-15"), (" (Bo)", "09", 15, None, "2026-12-31"),
        (" (Ann)", "09", 17, 2, None), (" (Bo)", "09", 17, None, "2026-12-31"),
        # about two jobs of one name either counts
        (" (Ann)", "09", 10, None, "2026-10-15"), (" (Bo)", "09", 11, None, "2026-12-31"),
        # without a name: each for itself
        ("", "09", 13, None, "2026-12-31"), ("", "10", 14, None, "2026-10-15")):
    published.query("INSERT INTO kstar.review_decision SELECT "
                    f"'review-2026-{month}{person}.xlsx', '2026-{month}-01', attempt_id, {size or 'NULL'}, {f'{until!r}' if until else 'NULL'}, "
                    f"'of {month}', 'Ruth' FROM kstar.job WHERE job_id = '{job}' RETURNING 1", company.dsn)
published.query("UPDATE kstar.job SET job_name = NULL WHERE job_name = 'gone' RETURNING 1", company.dsn)
company.kstar("model")
early, late = "of 09 (Ruth, until 2026-12-31)", "of 10 (Ruth, until 2026-10-15)"
waivers = {row["job_id"]: row["waiver"] for row in published.query("SELECT job_id, waiver FROM kstar.job_result JOIN kstar.job USING (attempt_id)", company.dsn)}
expected = {"1": early, "2": late, "3": "", "4": "", "5": early, "6": early, "7": "of 09 (Ruth, until 2026-10-15)",
            "8": "of 10 (Ruth, until 2026-12-31)", "9": "of 10 (Ruth, until 2026-12-31)", "10": "of 09 (Ruth, until 2026-10-15)",
            "12": early, "13": early, "14": late, "15": "of 09 (Ruth, until 2026-10-15)", "16": "", "17": ""}
assert {job: waivers[job] for job in expected} == expected, waivers
