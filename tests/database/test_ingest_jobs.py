"""Job deliveries in the database: which record becomes which attempt, what replaces what, and time
zones."""

import datetime
import json
import os
from pathlib import Path

import job_text
from saying import rows_of, run

WORK = Path(os.environ["WORK"])
HEADER = "JobID|JobIDRaw|State|Submit|Start|End|Elapsed|NNodes|NodeList|AllocTRES|JobName"


def record(job, state, submit, start, end, elapsed="", nodes=2, node_list="n[1-2]", tres="cpu=8,node=2", raw=None):
    def time(clock):
        return f"2026-09-01T{clock}:00" if len(clock) == 5 else clock
    return "|".join(map(str, (job, raw or job, state, time(submit), time(start), time(end), elapsed, nodes, node_list, tres,
                              "train")))


def deliver(source, name, *records, code=0, header=HEADER):
    return job_text.deliver(source, name, header, records, code)


def spans(source):
    return rows_of("SELECT job_id_raw, state, to_char(start_time, 'HH24:MI'), to_char(end_time, 'HH24:MI'), provisional,"
                   " (SELECT count(*) FROM job_node n WHERE n.attempt_id = job.attempt_id"
                   "   AND n.start_time = job.start_time AND n.end_time IS NOT DISTINCT FROM job.end_time)"
                   f" FROM job WHERE source = '{source}' ORDER BY job_id_raw, start_time")


def horizon(source):
    return rows_of(f"SELECT to_char(horizon, 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM job_horizon WHERE source = '{source}'")[0][0]


print("- a running job is provisional until a later record ends it; the horizon follows")
deliver("a", "1", record(1, "RUNNING", "00:00", "01:00", "Unknown", "02:00:00"))
assert spans("a") == [("1", "RUNNING", "01:00", "", "t", "2")]
assert rows_of("SELECT horizon FROM job_horizon WHERE source = 'a'") == [("2026-09-01 03:00:00+00",)]
deliver("a", "2", record(1, "COMPLETED", "00:00", "01:00", "05:00", "04:00:00"))
assert spans("a") == [("1", "COMPLETED", "01:00", "05:00", "f", "2")]
assert rows_of("SELECT horizon FROM job_horizon WHERE source = 'a'") == [("2026-09-01 05:00:00+00",)]

print("- a record that knows less does not replace one that knows more, whenever it comes")
deliver("a", "3", record(1, "RUNNING", "00:00", "01:00", "Unknown", "03:00:00"),
        record(1, "PENDING", "00:00", "Unknown", "Unknown", "00:00:00"))
assert spans("a") == [("1", "COMPLETED", "01:00", "05:00", "f", "2")]
assert rows_of("SELECT horizon FROM job_horizon WHERE source = 'a'") == [("2026-09-01 05:00:00+00",)]

print("- a corrected record takes back the horizon of the wrong one, whatever the files are called")
deliver("typed", "1", record(1, "COMPLETED", "00:00", "01:00", "23:00"), record(2, "COMPLETED", "00:00", "01:00", "03:00"))
assert horizon("typed") == "2026-09-01T23:00:00Z"
deliver("typed", "2", record(1, "COMPLETED", "00:00", "01:00", "05:00"))
assert horizon("typed") == "2026-09-01T05:00:00Z"

print("- a time over a day beyond the next-latest one sets no horizon, and the log names its record; a day does, and so does a setting")
early = record(2, "COMPLETED", "00:00", "01:00", "03:00")
far = record(1, "COMPLETED", "00:00", "01:00", "05:00").replace("2026-09-01T05:00:00", "2036-09-01T05:00:00")
done = deliver("far", "1", early, far)
assert horizon("far") == "2026-09-01T03:00:00Z"
assert ('event=time_beyond source="far" file="jobs/far/1" line=3 job="1" time=2036-09-01T05:00:00Z horizon=2026-09-01T03:00:00Z note="no other time '
        'of the source is near') in done.stderr and "horizon_gap_hours" in done.stderr, done.stderr
deliver("a-day-later", "1", early, record(1, "PENDING", "00:00", "Unknown", "Unknown").replace("2026-09-01T00:00:00", "2026-09-02T03:00:00"))
assert horizon("a-day-later") == "2026-09-02T03:00:00Z"
over = record(1, "PENDING", "00:00", "Unknown", "Unknown").replace("2026-09-01T00:00:00", "2026-09-02T03:00:01")
deliver("over-a-day", "1", early, over)
assert horizon("over-a-day") == "2026-09-01T03:00:00Z"
(WORK / "setting").mkdir()
(WORK / "setting" / "settings.csv").write_text("parameter,value\nhorizon_gap_hours,25\n", encoding="utf-8")
assert run("ingest", "reference", WORK / "setting").returncode == 0
assert (horizon("over-a-day"), horizon("far")) == ("2026-09-02T03:00:01Z", "2026-09-01T03:00:00Z")

print("- a long run that elapsed time confirms needs no other time near its end, also while it runs")
for name, state, end, elapsed in (("over", "COMPLETED", "2026-09-22T01:00:00", "21-00:00:00"), ("under-way", "RUNNING", "Unknown", "21-00:00:00")):
    deliver(name, "1", record(1, state, "00:00", "01:00", end, elapsed), record(2, "COMPLETED", "00:00", "01:00", "03:00", "02:00:00"))
    assert horizon(name) == "2026-09-22T01:00:00Z", name

print("- a file whose one time is far beyond the others tells of its runs under way as far as the others do")
deliver("told", "1", record(1, "RUNNING", "00:00", "01:00", "Unknown", "02:00:00"), far.replace("1|1|", "2|2|"))
assert rows_of("SELECT to_char(exported_to, 'HH24:MI') FROM job WHERE source = 'told' AND job_id = '1'") == [("03:00",)]
assert rows_of("SELECT to_char(listed_to, 'HH24:MI') FROM job_listing WHERE source = 'told'") == [("03:00",)]

print("- a submission after its own start is none, and a run whose submission is put right, or comes later, stays one run")
late = record(1, "RUNNING", "00:00", "01:00", "Unknown", "01:00:00").replace("2026-09-01T00:00:00", "2026-09-30T23:00:00")
deliver("submit", "1", late)
assert horizon("submit") == "2026-09-01T02:00:00Z"
assert rows_of("SELECT submit_time, attempt_mark FROM job WHERE source = 'submit'") == [("", "")]
deliver("submit", "2", record(1, "COMPLETED", "00:00", "01:00", "05:00", "04:00:00"))
assert spans("submit") == [("1", "COMPLETED", "01:00", "05:00", "f", "2")]
assert rows_of("SELECT submit_time FROM job WHERE source = 'submit'") == [("2026-09-01 00:00:00+00",)]
deliver("submit", "3", late)
assert spans("submit") == [("1", "COMPLETED", "01:00", "05:00", "f", "2")]

print("- an end that is over a day from elapsed and suspended time sets no horizon, nor do those times; an end within a day does")
for name, elapsed, end, wanted in (("ten-years", "12:00:00", "2036-09-01T13:00:00", "01:00"), ("elapsed", "10-00:00:00", "2026-09-01T03:00:00", "01:00"),
                                    ("a-day", "12:00:00", "2026-09-02T13:00:00", "13:00")):
    deliver(name, "1", record(1, "COMPLETED", "00:00", "01:00", "05:00", elapsed).replace("2026-09-01T05:00:00", end))
    assert rows_of(f"SELECT to_char(horizon, 'HH24:MI') FROM job_horizon WHERE source = '{name}'") == [(wanted,)], name

print("- a node that a list names twice is held once")
deliver("twice", "1", record(1, "COMPLETED", "00:00", "01:00", "02:00", "01:00:00", nodes=3, node_list="n[1-3],n2"))
assert spans("twice") == [("1", "COMPLETED", "01:00", "02:00", "f", "3")]

print("- the later of two equal records wins, in a file and between files")
deliver("b", "1", record(1, "FAILED", "00:00", "01:00", "02:00", "01:00:00"),
        record(1, "COMPLETED", "00:00", "01:00", "03:00", "02:00:00", 1, "n7"))
assert spans("b") == [("1", "COMPLETED", "01:00", "03:00", "f", "1")]
deliver("b", "2", record(1, "NODE_FAIL", "00:00", "01:00", "04:00", "03:00:00"))
assert spans("b") == [("1", "NODE_FAIL", "01:00", "04:00", "f", "2")]
assert rows_of("SELECT count(*) FROM job_node JOIN job USING (attempt_id) WHERE source = 'b' AND node = 'n7'") == [("0",)]

print("- a requeued job is two attempts of one run group")
deliver("c", "1", record(9, "REQUEUED", "00:00", "01:00", "02:00", "01:00:00"),
        record(9, "COMPLETED", "02:00", "02:30", "04:00", "01:30:00"))
assert [row[1:4] for row in spans("c")] == [("REQUEUED", "01:00", "02:00"), ("COMPLETED", "02:30", "04:00")]
assert rows_of("SELECT count(DISTINCT run_group), count(DISTINCT attempt_id) FROM job WHERE source = 'c'") == [("1", "2")]

print("- spans of a resized job stay separate, and delivered again change nothing")
first = record(5, "RESIZING", "00:00", "01:00", "02:00", "01:00:00")
second = record(5, "RUNNING", "00:00", "02:00", "Unknown", "01:00:00", 1, "n1", "cpu=4,node=1")
deliver("d", "1", first, second)
assert spans("d") == [("5", "RUNNING", "01:00", "02:00", "f", "2"), ("5", "RUNNING", "02:00", "", "t", "1")]
ids = rows_of("SELECT attempt_id FROM job WHERE source = 'd' ORDER BY start_time")
deliver("d", "2", first, record(5, "COMPLETED", "00:00", "02:00", "06:00", "04:00:00", 1, "n1", "cpu=4,node=1"))
assert spans("d") == [("5", "RUNNING", "01:00", "02:00", "f", "2"), ("5", "COMPLETED", "02:00", "06:00", "f", "1")]
assert rows_of("SELECT attempt_id FROM job WHERE source = 'd' ORDER BY start_time") == ids

print("- a job that ran when it was first delivered and was resized since loses neither span")
deliver("e", "1", record(5, "RUNNING", "00:00", "01:00", "Unknown", "00:30:00"))
deliver("e", "2", first, second)
assert [row[2:4] for row in spans("e")] == [("01:00", "02:00"), ("02:00", "")]

print("- the first span may be delivered after the second")
later = record(5, "COMPLETED", "00:00", "02:00", "06:00", "04:00:00", 1, "n1", "cpu=4,node=1")
deliver("l", "1", later)
deliver("l", "2", first)
assert [row[2:4] for row in spans("l")] == [("01:00", "02:00"), ("02:00", "06:00")]
assert rows_of("SELECT continued_state FROM job WHERE source = 'l' ORDER BY start_time") == [("COMPLETED",), ("",)]
deliver("l", "3", first, later)
assert [row[2:4] for row in spans("l")] == [("01:00", "02:00"), ("02:00", "06:00")]

print("- a run whose times were put right is one run at the later times, if the two do not even meet")
deliver("put-right", "1", record(1, "COMPLETED", "00:00", "08:00", "12:00", "04:00:00"), record(2, "COMPLETED", "00:00", "13:00", "14:00", "01:00:00"))
deliver("put-right", "2", record(1, "COMPLETED", "00:00", "13:00", "17:00", "04:00:00"))
assert spans("put-right") == [("1", "COMPLETED", "13:00", "17:00", "f", "2"), ("2", "COMPLETED", "13:00", "14:00", "f", "2")]

print("- parts of a job that stood in one file stay separate without being called resized, also if one of them is delivered again alone")
deliver("apart", "1", record(1, "FAILED", "00:00", "01:00", "02:00", "01:00:00"), record(1, "COMPLETED", "00:00", "03:00", "04:00", "01:00:00"))
deliver("apart", "2", record(1, "COMPLETED", "00:00", "03:00", "05:00", "02:00:00"))
assert [row[1:4] for row in spans("apart")] == [("FAILED", "01:00", "02:00"), ("COMPLETED", "03:00", "05:00")]

print("- if no column distinguishes the runs of a job, another time is another run")
markless = HEADER.replace("Submit|", "")
for name, times in (("1", "2026-09-01T01:00:00|2026-09-01T02:00:00"), ("2", "2026-09-01T03:00:00|2026-09-01T04:00:00")):
    deliver("markless", name, f"1|1|COMPLETED|{times}|01:00:00|2|n[1-2]|cpu=8,node=2|train", header=markless)
assert [row[2:4] for row in spans("markless")] == [("01:00", "02:00"), ("03:00", "04:00")]

print("- a part of a resized job has the outcome of its own run, not of another run of the same number")
deliver("r", "1", first, second, record(6, "RESIZING", "00:00", "01:00", "02:00", "01:00:00"))
assert rows_of("SELECT job_id, continued_state FROM job WHERE source = 'r' ORDER BY job_id, start_time") == [("5", "RUNNING"), ("5", ""), ("6", "")]
deliver("r", "2", record(5, "REQUEUED", "00:00", "02:00", "03:00", "01:00:00", 1, "n1", "cpu=4,node=1"),
        record(5, "COMPLETED", "03:00", "03:30", "04:00", "00:30:00"))
assert rows_of("SELECT state, continued_state FROM job WHERE source = 'r' AND job_id = '5' ORDER BY start_time") == [
    ("RUNNING", "REQUEUED"), ("REQUEUED", ""), ("COMPLETED", "")]

print("- a task of an array or a component is one attempt, whether its file has JobIDRaw or not, and whichever comes first")
tasks = [record(job, "COMPLETED", "00:00", "01:00", "02:00", raw=raw) for job, raw in (("1080_1", 1081), ("1080_2", 1080), ("12+1", 13))]
shown = ["|".join((fields[0], *fields[2:])) for fields in (task.split("|") for task in tasks)]
for first, second in (("raw", "shown"), ("shown", "raw")):
    for form in (first, second, first):
        source = f"{first}-first"
        deliver(source, form, *(tasks if form == "raw" else shown), header=HEADER if form == "raw" else HEADER.replace("|JobIDRaw", ""))
    assert rows_of(f"SELECT job_id FROM job WHERE source = '{source}' ORDER BY 1") == [("1080_1",), ("1080_2",), ("12+1",)], source

print("- a file whose runs are another source's is held, from over a tenth of them on; a number that two clusters have does not count, nor does what the source had before")
runs = [f"y|{record(job, 'COMPLETED', '00:00', '01:00', '02:00')}" for job in range(1, 31)]
deliver("downloads", "1", *runs[:3], header=f"Cluster|{HEADER}")
for records, code in ((runs[:3], 4), (runs, 0), (runs[:3], 0)):
    folder = WORK / "uploads"
    folder.mkdir(exist_ok=True)
    (folder / "1").write_text("\n".join((f"Cluster|{HEADER}", *records)) + "\n", encoding="utf-8")
    done = run("ingest", "jobs", folder / "1")
    assert done.returncode == code, done.stderr
    assert (code == 4) == ("3 of its 3 runs are known as those of source downloads and cluster y, such as job 1:" in done.stderr), done.stderr
deliver("dunes", "1", *(f"d{line[1:]}" for line in runs[:3]), header=f"Cluster|{HEADER}")
assert rows_of("SELECT source, count(*) FROM job WHERE source IN ('downloads', 'uploads', 'dunes') GROUP BY 1 ORDER BY 1") == [
    ("downloads", "3"), ("dunes", "3"), ("uploads", "30")]

print("- so is one that has a Cluster since, or under another name")
(WORK / "tents").mkdir()
for cluster, code in (("", 0), ("t", 4), ("tents", 0)):
    (WORK / "tents" / "1").write_text("\n".join((f"Cluster|{HEADER}", *(cluster + line[1:] for line in runs))) + "\n", encoding="utf-8")
    done = run("ingest", "jobs", WORK / "tents" / "1")
    assert done.returncode == code, done.stderr
    assert (code == 4) == ("30 of its 30 runs are known as those of source tents and cluster tents" in done.stderr), done.stderr
assert rows_of("SELECT cluster, count(*) FROM job WHERE source = 'tents' GROUP BY 1") == [("tents", "30")]

print("- a file without what is known of most of its runs is held, and takes nothing away; one with more is not")
whole = record(1, "COMPLETED", "00:00", "01:00", "02:00", tres="cpu=8,gres/gpu=16,node=2")
fields = dict(zip(HEADER.split("|"), whole.split("|")))
(WORK / "poor").mkdir()
for missing, fact in (("", ""), ("NodeList", "nodes"), ("AllocTRES", "accelerators"), ("JobName", "name"), ("", "")):
    columns = [name for name in fields if name != missing]
    (WORK / "poor" / "1").write_text("|".join(columns) + "\n" + "|".join(fields[name] for name in columns) + "\n", encoding="utf-8")
    preview = run("ingest", "jobs", "--dry-run", WORK / "poor" / "1")
    assert (f"known with their {fact} come without" in preview.stdout) == (fact != ""), preview.stdout
    done = run("ingest", "jobs", WORK / "poor" / "1")
    assert done.returncode == (4 if fact else 0), done.stderr
    assert not fact or f"1 of its 1 runs that are known with their {fact} come without, such as job 1 of cluster poor" in done.stderr, done.stderr
    assert rows_of("SELECT job_name, cpus, accelerators, (SELECT count(*) FROM job_node WHERE job_node.attempt_id = job.attempt_id) "
                   "FROM job WHERE source = 'poor'") == [("train", "8", "16", "2")]

print("- a start that moved while its nodes booted is the same attempt")
deliver("f", "1", record(6, "RUNNING", "00:00", "01:00", "Unknown", "00:05:00"))
deliver("f", "2", record(6, "COMPLETED", "00:00", "01:10", "02:00", "00:50:00"))
assert spans("f") == [("6", "COMPLETED", "01:10", "02:00", "f", "2")]

print("- accelerators and CPUs of an attempt are divided by its nodes; a third has six digits")
deliver("g", "1", record(1, "COMPLETED", "00:00", "01:00", "02:00", "01:00:00", 3, "n[1-3]",
                         "cpu=10,gres/gpu=24,gres/gpu:h100=24,node=3"))
assert rows_of("SELECT DISTINCT n.cpus, n.accelerators FROM job_node n JOIN job USING (attempt_id) WHERE source = 'g'"
               ) == [("3.333333", "8.000000")]

print("- what lists its resources and no device among them had none; without a list, or with another device, nobody knows")
deliver("bare", "1", record(1, "COMPLETED", "00:00", "01:00", "02:00", tres="cpu=10,mem=8G,node=2"),
        record(2, "COMPLETED", "00:00", "01:00", "02:00", tres="cpu=10,gres/gpu=2,node=2"),
        record(3, "COMPLETED", "00:00", "01:00", "02:00", tres="cpu=10,gres/shard=2,node=2"),
        record(4, "COMPLETED", "00:00", "01:00", "02:00", tres=""),
        record(5, "PENDING", "00:00", "Unknown", "Unknown", tres="cpu=10,node=2"))
assert rows_of("SELECT job_id, accelerators, lists_no_accelerators FROM job WHERE source = 'bare' ORDER BY 1"
               ) == [("1", "", "t"), ("2", "2", "f"), ("3", "", "f"), ("4", "", "f"), ("5", "", "f")]
deliver("bare", "2", record(1, "COMPLETED", "00:00", "01:00", "02:00", tres=""))
assert rows_of("SELECT lists_no_accelerators FROM job WHERE source = 'bare' AND job_id = '1'") == [("f",)]

print("- what cannot be read is quarantined with its column; the exit code says so; the rest is loaded")
done = deliver("h", "1", record(1, "COMPLETED", "00:00", "03:00", "02:00", "01:00:00"),
               record(2, "EXPLODED", "00:00", "01:00", "02:00", "01:00:00"), "3|cut off", code=4)
assert "1 record of" in done.stdout and "2 quarantined" in done.stdout, done.stdout
assert 'event=unknown_state source="h" jobs=1 state="EXPLODED"' in done.stderr, done.stderr
assert spans("h") == [("2", "UNKNOWN", "01:00", "02:00", "f", "2")]
assert rows_of("SELECT line_number, column_name, reason, convert_from(raw, 'UTF8') FROM quarantined_row JOIN delivery USING (delivery_id)"
               " WHERE source = 'h' AND line_number = 4") == [("4", "", "has too few fields: the line was cut off", "3", "cut off")]
assert rows_of("SELECT line_number, column_name FROM quarantined_row WHERE column_name IS NOT NULL") == [("2", "End")]
assert rows_of("SELECT row_count, quarantined_rows FROM delivery WHERE source = 'h'") == [("1", "2")]

print("- what is quarantined as JSON: numbers as numbers, and null where there is nothing")
(delivery,) = rows_of("SELECT delivery_id FROM delivery WHERE source = 'h'")[0]
aside = [json.loads(line) for line in run("ingest", "quarantine", "--source", "h", "--json").stdout.splitlines()]
assert [(row["line_number"], row["column_name"], row["raw"]) for row in aside][1] == (4, None, "3|cut off"), aside
assert (aside[1]["delivery_id"], aside[1]["load_id"], aside[1]["billed"]) == (int(delivery), None, None), aside

print("- text in UTF-16, as a Windows shell writes it, is refused as such")
(WORK / "utf16").mkdir()
(WORK / "utf16" / "1").write_text(HEADER + "\n" + record(1, "COMPLETED", "00:00", "01:00", "02:00"), encoding="utf-16")
done = run("ingest", "jobs", WORK / "utf16" / "1")
assert done.returncode == 3 and f"{WORK}/utf16/1: this is UTF-16 text; kstar reads UTF-8" in done.stderr, done.stderr

print("- --strict refuses the same file, and nothing of it is seen")
(WORK / "i").mkdir()
(WORK / "h" / "1").rename(WORK / "i" / "1")
done = run("ingest", "jobs", "--strict", WORK / "i" / "1")
assert done.returncode == 3 and "line 2, column End" in done.stderr, done.stderr
assert rows_of("SELECT count(*) FROM job WHERE source = 'i'") == [("0",)]

print("- clocks are those of the source's zone; a night in which they are put back is as long as it was")
reference = WORK / "reference"
reference.mkdir()
(reference / "sources.csv").write_text("source,kind,format,time_zone,billing_currency,delimiter\n"
                                       "j,jobs,sacct,Europe/Zurich,,;\n", encoding="utf-8")
assert run("ingest", "reference", reference).returncode == 0
summer = record(1, "COMPLETED", "00:00", "01:00", "03:00", "02:00:00").replace("|", ";")
night = summer.replace("1;1;", "2;2;").replace("2026-09-01T01:00:00", "2026-10-25T01:30:00") \
    .replace("2026-09-01T03:00:00", "2026-10-25T03:30:00").replace("02:00:00", "03:00:00")
back = summer.replace("1;1;", "3;3;").replace("2026-09-01T01:00:00", "2026-10-25T02:50:00") \
    .replace("2026-09-01T03:00:00", "2026-10-25T02:10:00").replace("02:00:00", "00:20:00")
deliver("j", "1", summer, night, back, header=HEADER.replace("|", ";"))
assert rows_of("SELECT job_id_raw, start_time, end_time FROM job WHERE source = 'j' ORDER BY job_id_raw") == [
    ("1", "2026-08-31 23:00:00+00", "2026-09-01 01:00:00+00"), ("2", "2026-10-24 23:30:00+00", "2026-10-25 02:30:00+00"),
    ("3", "2026-10-25 00:50:00+00", "2026-10-25 01:10:00+00")]

print("- a record equal to the one before is not rewritten, nor are its nodes; its latest delivery is recorded")


def versions(source):
    """When each job, and what it held, was written last; and where its record was read last."""
    return dict((row[0], row[1:]) for row in rows_of(
            "SELECT job_id, job.xmin, (SELECT string_agg(DISTINCT n.xmin::text, ',') FROM job_hold n WHERE n.attempt_id = job.attempt_id),"
            f" label || ' ' || line_number FROM job JOIN job_place USING (attempt_id) JOIN delivery USING (delivery_id) WHERE job.source = '{source}'"))


def is_rewritten(job, before, after):
    return before[job][0] != after[job][0] and before[job][1] != after[job][1]


header = HEADER + "|Suspended"
days = [record(job, "COMPLETED", "00:00", f"0{job}:00", f"0{job}:40", "00:30:00") + "|00:10:00" for job in range(1, 6)]
days.append(record(6, "RUNNING", "00:00", "06:00", "Unknown", "00:30:00") + "|00:00:00")
done = deliver("same", "9", *days, header=header)
assert "records=6 superseded=0 stored=6 unchanged=0 " in done.stderr, done.stderr
first = versions("same")
days[1] = days[1].replace("n[1-2]", "n[2-3]")
days[2] = days[2].replace("|00:10:00", "|00:20:00")
days[5] = days[5].replace("|00:30:00|", "|00:50:00|")
done = deliver("same", "9", record(7, "COMPLETED", "00:00", "07:00", "08:00", "01:00:00") + "|00:00:00", *days, header=header)
assert "records=7 superseded=0 stored=4 unchanged=3 " in done.stderr, done.stderr
second = versions("same")
assert [job for job in "145" if first[job][:2] != second[job][:2]] == [], (first, second)
assert [job for job in "236" if not is_rewritten(job, first, second)] == [], (first, second)
assert [place for _, _, place in map(second.get, "17")] == ["jobs/same/9 3", "jobs/same/9 2"], second
assert rows_of("SELECT job_id, string_agg(node, ',' ORDER BY node), min(trim_scale(n.cpus)) FROM job_node n JOIN job USING (attempt_id)"
               " WHERE source = 'same' AND job_id IN ('1', '2', '3') GROUP BY 1 ORDER BY 1") == [
    ("1", "n1,n2", "3"), ("2", "n2,n3", "3"), ("3", "n1,n2", "2.4")]
deliver("same", "10", days[0], header=header)
assert versions("same")["1"] == (*second["1"][:2], "jobs/same/10 2") and versions("same")["4"] == second["4"]

print("- so is a run that says nothing new of a job of which another run does; a record that stands twice was read last where it stands last")


def last_read():
    """When each run was written last, and the line that it was read from last."""
    return rows_of("SELECT job_id, to_char(start_time, 'HH24:MI'), job.xmin, line_number FROM job JOIN job_place USING (attempt_id)"
                   " WHERE source = 'runs' ORDER BY job_id, start_time")


runs = [record(1, "FAILED", "00:00", "01:00", "02:00", "01:00:00"), record(1, "RUNNING", "03:00", "04:00", "Unknown", "00:30:00"),
        record(2, "COMPLETED", "00:00", "01:00", "02:00", "01:00:00")]
deliver("runs", "9", *runs)
first = last_read()
done = deliver("runs", "9", runs[0], runs[1].replace("|00:30:00|", "|00:50:00|"), runs[2], runs[2])
assert "records=4 superseded=1 stored=1 unchanged=2 " in done.stderr, done.stderr
second = last_read()
assert [(*row[:2], row[3]) for row in second] == [("1", "01:00", "2"), ("1", "04:00", "3"), ("2", "01:00", "5")], second
assert [one[2] == other[2] for one, other in zip(first, second)] == [True, False, True], (first, second)

print("- but where the source's clocks are those of another zone now, it says something else")
(reference / "sources.csv").write_text("source,kind,format,time_zone,billing_currency,delimiter\nsame,jobs,sacct,Asia/Tokyo,,\n", encoding="utf-8")
assert run("ingest", "reference", reference).returncode == 0
done = deliver("same", "11", days[0], header=header)
assert "stored=1 unchanged=0 " in done.stderr, done.stderr
assert rows_of("SELECT start_time FROM job WHERE source = 'same' AND job_id = '1'") == [("2026-08-31 16:00:00+00",)]

print("- a file of columns beside the records names them, and is no delivery")
(WORK / "k").mkdir()
(WORK / "k" / "columns").write_text("JobID,State\nStart,End\nNodeList\n", encoding="utf-8")
(WORK / "k" / "1").write_text("7|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|n[1-4]\n", encoding="utf-8")
done = run("ingest", "jobs", WORK / "k" / "1", WORK / "k" / "columns")
assert done.returncode == 0, done.stderr
assert spans("k") == [("7", "COMPLETED", "01:00", "02:00", "f", "4")]
assert rows_of("SELECT count(*) FROM delivery WHERE source = 'k'") == [("1",)]

print("- a file of columns that is there and cannot be read refuses the delivery: without it the records would be lost")
for name, make in (("nowhere", lambda path: path.symlink_to("/nowhere/columns")), ("itself", lambda path: path.symlink_to(path)),
                   ("pipe", os.mkfifo)):
    folder = WORK / name
    folder.mkdir()
    make(folder / "columns")
    (folder / "1").write_text("7|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|n[1-4]\n", encoding="utf-8")
    done = run("ingest", "jobs", folder / "1")
    assert done.returncode == 3 and f"{folder}/columns: " in done.stderr, f"{done.returncode}: {done.stdout}{done.stderr}"
    assert rows_of(f"SELECT count(*) FROM delivery WHERE source = '{name}'") == [("0",)]

print("- lines of columns that end as on Windows, or with a comma, name what the others do; so do names with spaces around them")
for name, columns in (("windows", b"JobID,State,Start,End,NNodes,NodeList\r\nJobName\r\n"), ("commas", b"JobID,State,\n\nStart,End,\nNNodes, NodeList ,\nJobName\n")):
    (WORK / name).mkdir()
    (WORK / name / "columns").write_bytes(columns)
    (WORK / name / "1").write_text("7|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|4|n[1-4]|a\n", encoding="utf-8")
    done = run("ingest", "jobs", WORK / name / "1")
    assert done.returncode == 0, done.stderr
    assert spans(name) == [("7", "COMPLETED", "01:00", "02:00", "f", "4")], (name, spans(name))

print("- a node that a list names twice counts once in K, and has its share of what the job was allocated")
deliver("counted", "1", record(1, "COMPLETED", "00:00", "01:00", "02:00", "01:00:00", nodes="", node_list="n1,n2,n2", tres="cpu=8"),
        record(2, "COMPLETED", "00:00", "01:00", "02:00", "01:00:00", nodes="", node_list="n[1-3][1,1],n11", tres="cpu=9"))
assert rows_of("SELECT node_count, (SELECT count(*) FROM job_node n WHERE n.attempt_id = job.attempt_id), (SELECT sum(n.cpus) FROM job_node n WHERE n.attempt_id = job.attempt_id)"
               " FROM job WHERE source = 'counted' ORDER BY job_id") == [("2", "2", "8.000000"), ("3", "3", "9.000000")]

print("- how many nodes a record and the records of a file may name is bounded by settings: what is beyond is quarantined")
(WORK / "setting" / "settings.csv").write_text("parameter,value\nlimit_record_nodes,1000\nlimit_file_nodes,1500\n", encoding="utf-8")
assert run("ingest", "reference", WORK / "setting").returncode == 0
done = deliver("many", "1", *(record(number, "COMPLETED", "00:00", "01:00", "02:00", "01:00:00", count, f"n[1-{count}]") for number, count in
                              ((1, 1001), (2, 700), (3, 700), (4, 101), (5, 100), (6, 37), (7, 292))), code=4)
assert rows_of("SELECT job_id, (SELECT count(*) FROM job_node n WHERE n.attempt_id = job.attempt_id) FROM job WHERE source = 'many' ORDER BY job_id") == [
    ("2", "700"), ("3", "700"), ("5", "100"), ("7", "292")]
assert rows_of("SELECT line_number, column_name, reason FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'many' ORDER BY line_number") == [
    ("2", "node list", "names 1001 nodes, and limit_record_nodes allows a record 1000: correct the list, or raise the limit in settings.csv"),
    ("5", "node list", "names 101 nodes, and limit_file_nodes allows the records of a file 1500: correct the list, or raise the limit in settings.csv"),
    ("7", "node list", "names 37 nodes, and limit_file_nodes allows the records of a file 1536: correct the list, or raise the limit in settings.csv")]

print("- attempts are numbered by when they were submitted, in steps of 2^21 seconds, and by a hash below it; without a submission by a hash alone")
deliver("numbered", "1", *(record(job, "COMPLETED", f"{day}T00:00:00", f"{day}T01:00:00", f"{day}T02:00:00")
                           for job, day in ((1, "2026-09-07"), (2, "2026-09-08"), (3, "1970-01-01"), (4, "2026-01-01"))),
        record(5, "COMPLETED", "Unknown", "2026-09-08T01:00:00", "2026-09-08T02:00:00"))
numbers = rows_of("SELECT job_id_raw, attempt_id >> 52, attempt_id & (1::bigint << 52) - 1 FROM job WHERE source = 'numbered' ORDER BY job_id_raw")
seconds = {day: int(datetime.datetime.fromisoformat(f"{day}T00:00:00+00:00").timestamp()) for day in ("2026-09-07", "2026-09-08", "2026-01-01")}
assert [number[1] for number in numbers[:4]] == [str(seconds["2026-09-07"] // 2 ** 21), str(seconds["2026-09-08"] // 2 ** 21), "0",
                                                 str(seconds["2026-01-01"] // 2 ** 21)], numbers
assert int(numbers[4][1]) >= 0, numbers
assert len({number[2] for number in numbers}) == 5, numbers

print("- a record that names far more nodes than its cluster is known to have is loaded, and warned of")
(WORK / "setting" / "nodes.csv").write_text("cluster,node,resource_id\nfew,n1,i-1\nfew,n2,i-2\n", encoding="utf-8")
assert run("ingest", "reference", WORK / "setting").returncode == 0
ended = ("COMPLETED", "00:00", "01:00", "02:00", "01:00:00")
done = deliver("few", "1", record(1, *ended, 4, "n[1-4]"))
assert "event=unknown_nodes" not in done.stderr, done.stderr
done = deliver("few", "2", record(2, *ended, 5, "n[1-5]"), record(3, *ended, 6, "n[1-6]"), record(4, *ended, 2, "n[1-2]"))
assert 'event=unknown_nodes source="few" jobs=2 nodes=6 known=2 note="' in done.stderr, done.stderr
assert len(spans("few")) == 4

print("- the night's summary names a time that sets no horizon, and the record that has it")
(WORK / "inbox" / "jobs" / "late").mkdir(parents=True)
(WORK / "inbox" / "jobs" / "late" / "1.txt").write_text("\n".join((HEADER, early, far.replace("2036", "2037"))) + "\n", encoding="utf-8")
night = run("nightly", WORK / "inbox", "--out", WORK / "books")
assert night.returncode == 0, night
assert ("  time beyond jobs/late/1.txt, line 3, job 1: 2037-09-01T05:00:00Z sets no horizon, since no other time is near; the records end at "
        "2026-09-01T03:00:00Z\n") in night.stdout, night.stdout
assert "time beyond" not in run("nightly", WORK / "inbox", "--out", WORK / "books").stdout

print("- by hand as by night, a source whose name is not UTF-8 is refused as input, before the database sees it")
strange = os.fsdecode(b"fj\xf8rd")
(WORK / "hand" / strange).mkdir(parents=True)
given = WORK / "hand" / strange / "1.txt"
given.write_text("\n".join(("JobID|State|Start|End|NNodes", "1|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|1", "")), encoding="utf-8")
for kind, name in (("jobs", "jobs/fj?rd/1.txt"), ("billing", "billing/fj?rd/1.txt")):
    done = run("ingest", kind, given)
    assert done.returncode == 3 and f"{name}: the name is not UTF-8" in done.stderr, (kind, done)
for words in (("jobs",), ("billing",), ("nodes",)):
    done = run("ingest", *words, "--source", strange, given)
    assert done.returncode == 2 and '--source "fj?rd" is not UTF-8' in done.stderr, (words, done)
