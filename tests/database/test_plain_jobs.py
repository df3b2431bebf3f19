"""Plain CSV and JSON Lines: the same runs in both are the same attempts; what a field may be; what
is wrong is named."""

import csv
import json
import os
import subprocess
from pathlib import Path

from saying import rows_of

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])


def ingest(path, form, code=0):
    done = subprocess.run([KSTAR, "ingest", "jobs", "--accept", "--source", "lab", "--format", form, str(path)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, (path, done.returncode, done.stdout, done.stderr)
    return done


def stored():
    return (rows_of("SELECT attempt_id, cluster, job_id, attempt_mark, run_group, job_name, account, user_name, submit_time, start_time, "
                    "end_time, elapsed_seconds, state, node_count, cpus, accelerators, node_list, resource_id, provisional "
                    "FROM job ORDER BY attempt_id"), rows_of("SELECT * FROM job_node ORDER BY attempt_id, node"))


def forget():
    rows_of("TRUNCATE kstar.delivery CASCADE; DELETE FROM kstar.job_hold; DELETE FROM kstar.job; DELETE FROM kstar.job_horizon")


RUNS = [
    {"job_id": "a-1", "state": "succeeded", "submit": "2026-09-01T00:00:00Z", "start": "2026-09-01T01:00:00Z",
     "end": "2026-09-01T03:00:00+00:00", "node_list": ["n1", "n2"], "cpus": 16, "accelerators": 8, "user": "ann",
     "account": "vision", "name": "a, b", "run_group": "model 7", "resource_id": "arn:job/1", "cluster": "c"},
    {"job_id": "a-2", "state": "Failed", "submit": 1788220800, "start": 1788224400, "end": 1788228000, "nodes": 4},
    {"job_id": "a-2", "state": "RUNNING", "submit": 1788229000, "start": 1788230000, "end": None, "nodes": 4,
     "elapsed_seconds": 600},
    {"job_id": "a-3", "state": "cancelled", "start": None, "end": 1788230000, "attempt": "second", "nodes": 2},
]
NAMES = list(dict.fromkeys(name for run in RUNS for name in run))

print("- the same runs in both forms are the same attempts")
lines = WORK / "runs.jsonl"
lines.write_text("".join(json.dumps(run) + "\n" for run in RUNS), encoding="utf-8")
ingest(lines, "jsonl")
first = stored()
forget()
table = WORK / "runs.csv"
with open(table, "w", newline="", encoding="utf-8") as file:
    writer = csv.DictWriter(file, NAMES)
    writer.writeheader()
    writer.writerows({name: ",".join(value) if isinstance(value, list) else value for name, value in run.items()} for run in RUNS)
ingest(table, "csv")
assert stored() == first, f"{stored()}\n{first}"

print("- and mean what they say")
jobs = {(row[2], row[3]): row for row in first[0]}
assert jobs["a-1", "2026-09-01T00:00:00"][4:8] == ("model 7", "a, b", "vision", "ann"), jobs
assert jobs["a-1", "2026-09-01T00:00:00"][11:18] == ("7200", "COMPLETED", "2", "16", "8", "n1,n2", "arn:job/1"), jobs
assert sum(job == "a-2" for job, _ in jobs) == 2, jobs
running = next(row for row in first[0] if row[18] == "t")
assert running[12] == "RUNNING" and running[13] == "4" and running[10] == "", running
assert jobs["a-3", "second"][12:14] == ("CANCELLED", "0"), jobs
assert len(first[1]) == 2 and {row[2] for row in first[1]} == {"n1", "n2"}, first[1]

print("- a record that cannot be read is quarantined with its line and field")
forget()
good = "a,completed,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,1\n"
bad = ["", ",completed,2026-09-01,2026-09-02,1\n", "b,,2026-09-01,2026-09-02,1\n", "c,completed,soon,2026-09-02,1\n",
       "d,completed,2026-09-02,2026-09-01,1\n", "e,completed,2026-09-01,2026-09-02,some\n",
       "f,completed,2026-09-01,2026-09-02T00:00:00Z,1\n", "g,completed,2026-09-01,2026-09-02,\n",
       "h,completed,2026-09-01\n"]
table.write_text("job_id,state,start,end,nodes\n" + good + "".join(bad), encoding="utf-8")
ingest(table, "csv", code=4)
quarantined = rows_of("SELECT line_number, column_name FROM kstar.quarantined_row ORDER BY line_number")
assert quarantined == [("3", "job_id"), ("4", "state"), ("5", "start"), ("6", "end"), ("7", "nodes"), ("8", "end"), ("9", "nodes"),
                    ("10", "")], quarantined
lines.write_text(json.dumps(RUNS[0]) + '\n{"job_id": "b", "state": ["x"]}\n{"job_id": 1.5}\n[]\n', encoding="utf-8")
ingest(lines, "jsonl", code=4)
quarantined = rows_of("SELECT line_number, column_name FROM kstar.quarantined_row WHERE line_number < 4 AND column_name IN ('state', 'job_id') "
                   "AND delivery_id = (SELECT max(delivery_id) FROM kstar.delivery) ORDER BY 1")
assert quarantined == [("2", "state"), ("3", "job_id")], quarantined

print("- a run that is over has an end or an elapsed time, or else nobody knows what it held; one that completed without a start is warned of")
forget()
table.write_text("job_id,state,start,end,nodes,elapsed_seconds\n" + "".join(
    f"{run}\n" for run in ("a,killed,2026-09-01T00:00:00Z,,2,", "b,killed,2026-09-01T00:00:00Z,,2,60", "c,running,2026-09-01T00:00:00Z,,2,",
                           "d,completed,,2026-09-01T01:00:00Z,2,60")), encoding="utf-8")
assert 'event=no_hours source="lab" jobs=1' in ingest(table, "csv", code=4).stderr
quarantined = rows_of("SELECT line_number, column_name, reason FROM kstar.quarantined_row ORDER BY line_number")
assert quarantined == [("2", "end", "is missing, and so is the elapsed time, of a run that is over")], quarantined
assert rows_of("SELECT job_id, elapsed_seconds FROM job ORDER BY 1") == [("b", "60"), ("c", "0"), ("d", "0")]

print("- a number that no job has is quarantined and stops nobody's night")
forget()
table.write_text("job_id,state,start,end,nodes,elapsed_seconds,suspended_seconds,cpus,accelerators\n"
                 "a,completed,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,1,3600,,8,8\n"
                 "b,completed,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,1,99999999999999,,,\n"
                 "c,completed,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,1,,99999999999999,,\n"
                 "d,completed,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,1,,,2147483648,\n"
                 "e,completed,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,1,,,,8589934592\n", encoding="utf-8")
ingest(table, "csv", code=4)
quarantined = rows_of("SELECT line_number, column_name, reason FROM kstar.quarantined_row ORDER BY line_number")
assert quarantined == [("3", "elapsed time", "99999999999999 seconds is more than any job has"),
                    ("4", "suspended time", "99999999999999 seconds is more than any job has"),
                    ("5", "CPUs", "2147483648 is more than any job has"), ("6", "accelerators", "8589934592 is more than any job has")], quarantined
assert rows_of("SELECT job_id FROM kstar.job") == [("a",)]

print("- an id or run group of 255 bytes is stored; a longer one, for which the indexes have no room, is quarantined")
forget()
table.write_text("job_id,state,start,end,nodes,run_group\n" + "".join(
    f"{job},completed,2026-09-01T00:00:00Z,2026-09-01T01:00:00Z,1,{group}\n"
    for job, group in (("a" * 255, "g" * 255), ("b" * 256, ""), ("c", "g" * 256))), encoding="utf-8")
ingest(table, "csv", code=4)
quarantined = rows_of("SELECT line_number, column_name, right(reason, 24) FROM kstar.quarantined_row ORDER BY line_number")
assert quarantined == [("3", "job_id", "is longer than 255 bytes"), ("4", "run_group", "is longer than 255 bytes")], quarantined
assert rows_of("SELECT job_id, run_group FROM kstar.job") == [("a" * 255, "g" * 255)]

print("- a file without a needed column is refused by its name")
for header, missing in (("state,start,end,nodes", "job_id"), ("job_id,state,start,end", "nodes"), ("job_id,start,end,nodes", "state")):
    table.write_text(header + "\n", encoding="utf-8")
    assert f"column {missing} is missing" in ingest(table, "csv", code=3).stderr

print("- JSON Lines of which the last is cut off: the others are loaded, and it is quarantined; one document that is cut off is refused")
forget()
whole = [json.dumps(run) for run in RUNS]
cut = WORK / "cut.jsonl"
cut.write_text("\n".join(whole)[:-20], encoding="utf-8")
done = ingest(cut, "jsonl", 4)
assert "3 records" in done.stdout and "1 quarantined" in done.stdout, done.stdout
assert rows_of("SELECT line_number, reason, convert_from(raw, 'UTF8') FROM quarantined_row JOIN delivery USING (delivery_id) WHERE label LIKE '%cut.jsonl'") == [
    ("4", "is cut off: the file ends within it", whole[3][:-20].replace(" ", ""))]
assert rows_of("SELECT count(*) FROM job") == [("3",)]
for name, text in (("array.jsonl", "[" + ",".join(whole)[:-20]), ("wrapped.jsonl", '{"jobs": [' + ",".join(whole)[:-20])):
    (WORK / name).write_text(text, encoding="utf-8")
    done = ingest(WORK / name, "jsonl", 3)
    assert f"{name}, line 1: the document ends in the middle" in done.stderr, done.stderr
(WORK / "alone.jsonl").write_text(whole[0][:-20], encoding="utf-8")
assert "is cut off: the file ends within it" in ingest(WORK / "alone.jsonl", "jsonl", 3).stderr
assert rows_of("SELECT count(*) FROM job") == [("3",)]

print("- an attempt that is declared is one, whenever its submission becomes known")
forget()
declared = {"job_id": "a-9", "attempt": "1", "state": "succeeded", "start": "2026-09-10T01:00:00Z", "end": "2026-09-10T03:00:00Z", "node_list": ["n1"]}
for submit in (None, "2026-09-10T00:00:00Z", "2026-08-01T00:00:00Z"):
    lines.write_text(json.dumps({**declared, "submit": submit}) + "\n", encoding="utf-8")
    ingest(lines, "jsonl")
assert rows_of("SELECT to_char(submit_time, 'MM-DD'), attempt_mark FROM job") == [("08-01", "1")]

print("- a submission after its own start is none, a node that a list has twice is one, and a line of CSV that is cut off leaves the others")
forget()
lines.write_text(json.dumps({**RUNS[0], "submit": "2026-09-30T23:00:00Z", "node_list": ["n1", "n2", "n2"]}) + "\n", encoding="utf-8")
ingest(lines, "jsonl")
assert rows_of("SELECT submit_time, attempt_mark, node_count, (SELECT count(*) FROM job_node) FROM job") == [("", "", "2", "2")]
assert rows_of("SELECT to_char(horizon, 'MM-DD HH24:MI') FROM job_horizon") == [("09-01 03:00",)]
ingest(WORK / "runs.jsonl", "jsonl")
lines.write_text(json.dumps({**RUNS[0], "node_list": ["n1", "n2", "n2"]}) + "\n", encoding="utf-8")
ingest(lines, "jsonl")
assert rows_of("SELECT count(*), max(submit_time), max(node_count) FROM job") == [("1", "2026-09-01 00:00:00+00", "2")]
forget()
table.write_text("job_id,state,start,end,nodes,account\nb-1,COMPLETED,2026-09-01T01:00:00Z,2026-09-01T02:00:00Z,1,x\nb-2,COMPL", encoding="utf-8")
ingest(table, "csv", 4)
assert rows_of("SELECT job_id FROM job") == [("b-1",)]
assert rows_of("SELECT line_number FROM quarantined_row JOIN delivery USING (delivery_id) WHERE label LIKE '%runs.csv'") == [("3",)]
