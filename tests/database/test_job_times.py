"""Times of jobs: clocks of a zone with summer time against Python's own zone database; suspended
and elapsed time; what is no time.

Every job here is made from points in time. Its record shows the clocks of the zone, as sacct does,
and its elapsed seconds.
"""

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path
from zoneinfo import ZoneInfo

import job_text
from saying import rows_of, run

WORK = Path(os.environ["WORK"])
HEADER = "JobID|State|Submit|Start|End|ElapsedRaw|Suspended|NNodes|NodeList"
ZONES = {"berlin": "Europe/Berlin", "york": "America/New_York", "howe": "Australia/Lord_Howe"}


def deliver(source, name, records, code=0, header=HEADER):
    return job_text.deliver(source, name, header, records, code)


def clock(at, zone):
    return at.astimezone(zone).strftime("%Y-%m-%dT%H:%M:%S")


def record(job, start, end, elapsed, submit="2026-01-01T00:00:00", suspended="00:00:00", state="COMPLETED"):
    return "|".join(map(str, (job, state, submit, start, end, elapsed, suspended, 1, "n1")))


def stored(source):
    rows = rows_of("SELECT job_id_raw, extract(epoch FROM start_time)::bigint, extract(epoch FROM end_time)::bigint, elapsed_seconds "
                   f"FROM job WHERE source = '{source}'")
    return {job: (int(start), int(end) if end else None, int(elapsed)) for job, start, end, elapsed in rows}


def readings(at, zone):
    """Every point in time at which the zone's clocks show what they show at this one."""
    shown = clock(at, zone)
    return [other for other in (at + timedelta(minutes=step) for step in range(-120, 121, 30)) if clock(other, zone) == shown]


def meant(start, end, zone):
    """The pairs of points in time that show these clocks and have this distance; of several the
    last."""
    return max((a, b) for a in readings(start, zone) for b in readings(end, zone) if b - a == end - start)


reference = WORK / "reference"
reference.mkdir()
(reference / "sources.csv").write_text(
    "source,kind,format,time_zone\n" + "".join(f"{source},jobs,sacct,{zone}\n" for source, zone in ZONES.items())
    + "silent,jobs,sacct,Europe/Berlin\nplain,jobs,csv,Europe/Berlin\n", encoding="utf-8")
assert run("ingest", "reference", reference).returncode == 0

CHANGES = [("berlin", datetime(2026, 3, 29, 1)), ("berlin", datetime(2026, 10, 25, 1)), ("york", datetime(2026, 3, 8, 7)),
           ("york", datetime(2026, 11, 1, 6)), ("howe", datetime(2026, 4, 4, 15)), ("howe", datetime(2026, 10, 3, 15, 30))]
for number, (source, change) in enumerate(CHANGES):
    zone, change = ZoneInfo(ZONES[source]), change.replace(tzinfo=timezone.utc)
    assert change.astimezone(zone).utcoffset() != (change - timedelta(seconds=1)).astimezone(zone).utcoffset(), (source, change)
    print(f"- {ZONES[source]}, {change:%d %B}: every start and end around the change is what elapsed time says it is")
    records, expected, doubled = [], {}, 0
    for before in range(-150, 151, 15):
        for minutes in (0, 10, 45, 60, 75, 180, 600):
            start = change + timedelta(minutes=before)
            end = start + timedelta(minutes=minutes)
            job = str(1000000 * (number + 1) + len(records))
            records.append(record(job, clock(start, zone), clock(end, zone), 60 * minutes))
            first, last = meant(start, end, zone)
            doubled += (first, last) != (start, end)
            expected[job] = (int(first.timestamp()), int(last.timestamp()), 60 * minutes)
    done = deliver(source, f"change-{number}", records)
    assert "elapsed_differs" not in done.stderr, done.stderr
    now = stored(source)
    wrong = {job: (now[job], value) for job, value in expected.items() if now[job] != value}
    assert not wrong, wrong
    # Only runs that lie within the doubled hour as a whole stay open, and are taken for the later
    # one.
    assert (doubled > 0) == (change.month > 8 and source != "howe" or change.month == 4), (source, change, doubled)

print("- without elapsed time the later reading counts, unless the run would end before it starts; elapsed is what the points say")
silent = "JobID|State|Start|End|NNodes|NodeList"
deliver("silent", "1", ["1|COMPLETED|2026-10-25T01:30:00|2026-10-25T02:30:00|1|n1", "2|COMPLETED|2026-10-25T02:50:00|2026-10-25T02:10:00|1|n1",
                        "3|COMPLETED|2026-10-25T02:10:00|2026-10-25T02:50:00|1|n1", "4|COMPLETED|2026-10-25T01:30:00|2026-10-25T03:30:00|1|n1"],
        header=silent)
night = int(datetime(2026, 10, 25, tzinfo=timezone.utc).timestamp())
assert stored("silent") == {"1": (night - 1800, night + 5400, 7200), "2": (night + 3000, night + 4200, 1200),
                            "3": (night + 4200, night + 6600, 2400), "4": (night - 1800, night + 9000, 10800)}, stored("silent")

print("- a submission in the doubled hour is before its start")
deliver("berlin", "submit", [record(1, "2026-10-25T02:20:00", "2026-10-25T04:00:00", 9600, "2026-10-25T02:15:00")])
assert rows_of("SELECT submit_time, start_time FROM job WHERE source = 'berlin' AND job_id_raw = '1'") == [
    ("2026-10-25 00:15:00+00", "2026-10-25 00:20:00+00")]

print("- suspended time decides between the two readings of a time, as elapsed time does")
deliver("berlin", "suspended", [record(2, "2026-10-25T02:20:00", "2026-10-25T04:00:00", 3600, suspended="01:40:00")])
assert stored("berlin")["2"] == (night + 1200, night + 10800, 3600), stored("berlin")["2"]

print("- a file that is read again after its zone was put right has each of its runs once, also those that were resized")
west = ZoneInfo("America/Los_Angeles")
clocks = [record(1, "2026-09-10T08:00:00", "2026-09-10T12:00:00", 14400), record(2, "2026-09-10T12:00:00", "2026-09-10T15:00:00", 10800),
          record(3, "2026-09-10T01:00:00", "2026-09-10T02:00:00", 3600, state="RESIZING"),
          record(3, "2026-09-10T02:00:00", "2026-09-10T06:30:00", 16200)]
deliver("moved", "1", clocks)
(reference / "sources.csv").write_text((reference / "sources.csv").read_text(encoding="utf-8") + "moved,jobs,sacct,America/Los_Angeles\n",
                                       encoding="utf-8")
assert run("ingest", "reference", reference).returncode == 0
deliver("moved", "1", clocks)
meant_runs = sorted((row.split("|")[0], *(datetime.fromisoformat(text).replace(tzinfo=west).astimezone(timezone.utc).strftime("%d %H:%M")
                                          for text in row.split("|")[3:5])) for row in clocks)
moved = rows_of("SELECT job_id_raw, to_char(start_time, 'DD HH24:MI'), to_char(end_time, 'DD HH24:MI') FROM job WHERE source = 'moved' ORDER BY 1, 2")
assert moved == meant_runs, moved

print("- a time that clocks skip is quarantined by name, and so is an end that is before its start on any other night")
done = deliver("berlin", "never", [record(3, "2026-03-29T02:30:00", "2026-03-29T04:00:00", 3600),
                                   record(4, "2026-03-29T01:30:00", "2026-03-29T02:30:00", 3600),
                                   record(5, "2026-07-01T12:30:00", "2026-07-01T12:00:00", 1800),
                                   record(6, "2026-07-01T12:30:00", "2026-07-01T13:30:00", 3600),
                                   record(7, "Unknown", "2026-03-29T02:30:00", 0, state="CANCELLED")], code=4)
assert "3 quarantined" in done.stdout, done.stdout
skipped = "is a time that clocks skip in Europe/Berlin: is the time zone right?"
assert rows_of("SELECT line_number, column_name, reason FROM quarantined_row JOIN delivery USING (delivery_id) WHERE source = 'berlin' ORDER BY 1") == [
    ("2", "Start", f'"2026-03-29T02:30:00" {skipped}'), ("3", "End", f'"2026-03-29T02:30:00" {skipped}'),
    ("4", "End", '"2026-07-01T12:00:00" is before Start')]
assert rows_of("SELECT convert_from(raw, 'UTF8') FROM quarantined_row WHERE line_number = 4") == [
    tuple(record(5, "2026-07-01T12:30:00", "2026-07-01T12:00:00", 1800).split("|"))]
kept = {row[0] for row in rows_of("SELECT job_id_raw FROM job WHERE source = 'berlin' AND length(job_id_raw) = 1")}
assert kept == {"1", "2", "6", "7"}, kept
assert rows_of("SELECT row_count, quarantined_rows FROM delivery WHERE label = 'jobs/berlin/never'") == [("2", "3")]

print("- --strict refuses such a file, and nothing of it is seen")
(WORK / "berlin" / "strict").write_text(HEADER + "\n" + record(8, "2026-03-29T02:30:00", "2026-03-29T04:00:00", 3600) + "\n"
                                        + record(9, "2026-07-01T12:30:00", "2026-07-01T13:30:00", 3600) + "\n", encoding="utf-8")
done = run("ingest", "jobs", "--strict", WORK / "berlin" / "strict")
assert done.returncode == 3 and 'line 2, column Start: "2026-03-29T02:30:00"' in done.stderr, done.stderr
assert rows_of("SELECT count(*) FROM job WHERE job_id_raw IN ('8', '9')") == [("0",)]

print("- a time with an offset, or in seconds since 1970, is of no zone")
(WORK / "plain").mkdir()
(WORK / "plain" / "1.csv").write_text("job_id,state,start,end,nodes\n1,completed,2026-10-25T02:30:00+02:00,2026-10-25T02:30:00+01:00,1\n"
                                      f"2,completed,{night},{night + 3600},1\n3,completed,2026-10-25T02:30:00,2026-10-25T04:30:00,1\n", encoding="utf-8")
assert run("ingest", "jobs", WORK / "plain" / "1.csv").returncode == 0
assert stored("plain") == {"1": (night + 1800, night + 5400, 3600), "2": (night, night + 3600, 3600),
                           "3": (night + 5400, night + 12600, 7200)}, stored("plain")

print("- a leap day is a day, a leap second is none, and a run may end as it starts")
utc = "1|COMPLETED|2028-02-28T00:00:00|2028-02-28T23:00:00|2028-03-01T01:00:00|93600|00:00:00|1|n1"
deliver("utc", "1", [utc, record(2, "2016-12-31T23:59:60", "2017-01-01T01:00:00", 3600), record(3, "2026-09-01T00:00:00", "2026-09-01T00:00:00", 0),
                     record(4, "2027-02-29T00:00:00", "2027-03-01T00:00:00", 86400)], code=4)
leap = int(datetime(2028, 2, 28, 23, tzinfo=timezone.utc).timestamp())
start = int(datetime(2026, 9, 1, tzinfo=timezone.utc).timestamp())
assert stored("utc") == {"1": (leap, leap + 93600, 93600), "3": (start, start, 0)}, stored("utc")

print("- clocks that drift: a minute between end - start and elapsed is not reported, more is")
done = deliver("drift", "1", [record(1, "2026-09-01T00:00:00", "2026-09-01T01:00:00", 3541)])
assert "elapsed_differs" not in done.stderr, done.stderr
done = deliver("drift", "2", [record(1, "2026-09-01T00:00:00", "2026-09-01T01:00:00", 3539), record(2, "2026-09-01T00:00:00", "2026-09-01T05:00:00", 3600, suspended="04:00:00")])
assert 'event=elapsed_differs source="drift" jobs=1' in done.stderr, done.stderr
