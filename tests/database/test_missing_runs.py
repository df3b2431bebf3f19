"""Runs under way that later job files do not name: which formats end them, how far they are
charged, what cures them.

Each scenario is a source. Its run 1 begins at midnight on 10 September and is exported until noon,
when another job ends; the next file comes on the 11th. Hours are what the statement has of the
wall clock.
"""

import json
import os
import sys
from datetime import datetime, timezone
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
from saying import run

INBOX = WORK / "inbox"
HEADER = "JobID|Cluster|Submit|Start|End|State|NNodes|NodeList"
UNTIL_NOON, TO_MIDNIGHT = 12, 24 * 2  # of the 10th; of the 11th
failures = []


def expect(what, found, wanted):
    print(("ok: " if found == wanted else "not ok: ") + what + ("" if found == wanted else f"\n  wanted {wanted}\n  found  {found}"))
    if found != wanted:
        failures.append(what)


def at(text):
    """'10 12:00' is 10 September; a state or 'Unknown' stays."""
    return f"2026-09-{text[:2]}T{text[3:]}:00" if text[:2].isdigit() else text


def run_of(job, start, end, state=None, cluster="c", submit=None):
    return "|".join((job, cluster, at(submit or start), at(start), at(end), state or ("RUNNING" if end == "Unknown" else "COMPLETED"), "1", "n1"))


def deliver(source, name, *rows, header=HEADER):
    folder = INBOX / "jobs" / source
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")


def night():
    done = run("nightly", INBOX, "--out", WORK / "out", "--quiet")
    assert done.returncode in (0, 4), done.stdout + done.stderr


def query(text):
    return published.query(text, None)


def hours(source, job="1"):
    return [float(row["wall_hours"]) for row in query(
        f"SELECT wall_hours FROM kstar.job_result JOIN kstar.job USING (attempt_id) WHERE source = '{source}' AND job_id = '{job}' ORDER BY job.start_time, attempt_id")]


def missing_later(cluster):
    return [int(float(row["quantity"])) for row in query(
        f"SELECT quantity FROM kstar.statement_note WHERE kind = 'runs missing from later exports' AND subject = '{cluster}' AND blocks_close")]


case_page.write_common_reference(INBOX)
case_page.write_input(["bill", "cloud"], [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost"], ["1 00:00", "10-01 00:00", "1.00"]], INBOX)
case_page.write_input(["reference", "sources"], [["source", "kind", "format"], ["json", "jobs", "sacct-json"], ["declared", "jobs", "csv"],
                                                 ["pbs", "jobs", "pbs"]], INBOX)
MORNING = run_of("2", "10 08:00", "10 12:00")
EVENING = run_of("3", "11 20:00", "12 00:00")
RUNNING = run_of("1", "10 00:00", "Unknown")


def in_cluster(name, row):
    return row.replace("|c|", f"|{name}|")


def slurm_json(*rows):
    jobs = []
    for row in rows:
        job, cluster, submit, start, end, state, _, nodes = row.split("|")
        seconds = [0 if text == "Unknown" else int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp())
                   for text in (submit, start, end)]
        jobs.append({"job_id": int(job), "cluster": cluster, "state": {"current": [state]}, "nodes": nodes, "allocation_nodes": 1,
                     "time": {"submission": seconds[0], "start": seconds[1], "end": seconds[2], "elapsed": max(0, seconds[2] - seconds[1])}})
    return json.dumps({"jobs": jobs})


def pbs(letter, clock, job, start, end=None):
    day, hour = clock.split(" ")
    seconds = int(datetime(2026, 9, 10, tzinfo=timezone.utc).timestamp())
    ended = f" end={seconds + end * 3600} Exit_status=0" if end is not None else ""
    return f"09/{day}/2026 {hour}:00;{letter};{job}.pbs;user=u group=g queue=q ctime={seconds} start={seconds + start * 3600} exec_host=n1/0{ended}"


def first_day():
    for source in ("gone", "back", "old"):
        deliver(source, "10.txt", in_cluster(source, RUNNING), in_cluster(source, MORNING))
    deliver("late", "b.txt", in_cluster("late", EVENING))  # read before the file of the day before
    deliver("two", "10.txt", in_cluster("x", RUNNING), in_cluster("y", MORNING))
    deliver("parts", "10-a.txt", in_cluster("parts", RUNNING), in_cluster("parts", MORNING))
    deliver("parts", "10-b.txt", in_cluster("parts", run_of("4", "10 17:00", "10 18:00")))
    deliver("requeued", "10.txt", in_cluster("requeued", RUNNING), in_cluster("requeued", MORNING))
    deliver("array", "10.txt", in_cluster("array", run_of("8_3", "10 00:00", "Unknown")), in_cluster("array", MORNING))
    deliver("declared", "10.csv", "1,running,2026-09-10T00:00:00,,1", "2,completed,2026-09-10T08:00:00,2026-09-10T12:00:00,1",
            header="job_id,state,start,end,nodes")
    deliver("pbs", "10", pbs("E", "10 12:00", 2, 8, 12), header=pbs("S", "10 00:00", 1, 0))


def second_day():
    for source in ("gone", "back"):
        deliver(source, "11.txt", in_cluster(source, EVENING))
    deliver("late", "x.txt", in_cluster("late", RUNNING), in_cluster("late", MORNING))
    deliver("two", "11.txt", in_cluster("y", EVENING))
    deliver("requeued", "11.txt", in_cluster("requeued", run_of("1", "10 14:00", "10 17:00")))
    deliver("array", "11.txt", "8_3|81|array|2026-09-10T00:00:00|2026-09-10T00:00:00|2026-09-10T06:00:00|COMPLETED|1|n1",
            "3|3|array|2026-09-11T20:00:00|2026-09-11T20:00:00|2026-09-12T00:00:00|COMPLETED|1|n1", header=HEADER.replace("JobID", "JobID|JobIDRaw"))
    deliver("declared", "11.csv", "3,completed,2026-09-11T20:00:00,2026-09-12T00:00:00,1", header="job_id,state,start,end,nodes")
    deliver("pbs", "11", pbs("E", "12 00:00", 3, 44, 48), header=pbs("S", "11 20:00", 3, 44))


first_day()
night()
for source in ("gone", "back", "two", "requeued", "declared", "pbs"):
    expect(f"{source}: a run under way is charged up to the last record", hours(source), [UNTIL_NOON])
expect("a file of other runs of the cluster, made within six hours, ends none", (hours("parts"), missing_later("parts")), ([18], []))

(INBOX / "jobs" / "json").mkdir()
(INBOX / "jobs" / "json" / "10.json").write_text(slurm_json(RUNNING, MORNING), encoding="utf-8")
night()
expect("the same of JSON", hours("json"), [UNTIL_NOON])
(INBOX / "jobs" / "json" / "11.json").write_text(slurm_json(EVENING), encoding="utf-8")
second_day()
night()
for source, cluster in (("gone", "gone"), ("json", "c"), ("late", "late")):
    expect(f"{source}: one that a later export of its cluster does not name is charged as far as it was exported", hours(source), [UNTIL_NOON])
    expect(f"{source}: and keeps the month open", missing_later(cluster), [1])
expect("a file of another cluster of the source ends nothing", (hours("two"), missing_later("x")), ([TO_MIDNIGHT], []))
expect("nor does a list of jobs that have ended", (hours("declared"), missing_later("declared")), ([TO_MIDNIGHT], []))
expect("nor does a log of what happened", (hours("pbs"), missing_later("pbs")), ([TO_MIDNIGHT], []))
expect("a run is over where the next run of its job begins", (hours("requeued"), missing_later("requeued")), ([14, 3], []))
expect("a task of an array exported without JobIDRaw is the task exported with it", (hours("array", "8_3"), missing_later("array")), ([6], []))

deliver("back", "12.txt", in_cluster("back", RUNNING), in_cluster("back", EVENING), in_cluster("back", run_of("5", "12 00:00", "12 06:00")))
deliver("gone", "12.txt", in_cluster("gone", run_of("1", "10 00:00", "10 15:00")))
deliver("late", "x.txt", in_cluster("late", RUNNING), in_cluster("late", run_of("2", "10 08:00", "10 12:30")))
night()
expect("one that is named again goes on", (hours("back"), missing_later("back")), ([54], []))
expect("a run whose end is exported has that end", (hours("gone"), missing_later("gone")), ([15], []))
expect("an older export that names it does not bring it back", (hours("late"), missing_later("late")), ([12.5], [1]))

deliver("old", "11.txt", in_cluster("old", EVENING))
night()
expect("a running job ends where an export no longer names it", (hours("old"), missing_later("old")), ([UNTIL_NOON], [1]))

FACTS = "SELECT statement_month, facts FROM kstar.facts_of_months('{2026-08-01,2026-09-01,2026-10-01}') ORDER BY 1"
facts = query(FACTS)
run("db", "psql", "--", "-Xqc", "UPDATE kstar.job_listing SET listed_to = '2026-09-01' WHERE cluster = 'old'")
expect("a run missing from later exports is a fact of the months from then on, for which a closed month is replayed",
       [row["statement_month"] for row, before in zip(query(FACTS), facts) if row != before], ["2026-09-01", "2026-10-01"])
sys.exit(1 if failures else 0)
