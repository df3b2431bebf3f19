"""Real job records: node-hours by state equal a sum made here from the text, and the traps of the
gcm files are read as they are meant. The data is beside the repository, in ../shared; without it
the test is skipped."""

import os
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

from saying import rows_of

KSTAR = os.environ["KSTAR"]
DATA = Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data" / "jobs" / "slurm-sacct"
LOG = DATA / "phillips.log"

if not LOG.is_file():
    print("skipped: ../shared/data/jobs/slurm-sacct (phillips.log, gcm) is not there")
    sys.exit(77)


def ingest(path, *options):
    return subprocess.run([KSTAR, "ingest", "jobs", *options, str(path)], capture_output=True, text=True, check=False)


def node_seconds_of_log():
    """State → [jobs, jobs that ran, Σ NNodes × Elapsed]."""
    sums = defaultdict(lambda: [0, 0, 0])
    for line in LOG.read_text(encoding="utf-8").splitlines():
        field = line.split("|")
        days, _, clock = field[14].rpartition("-")
        hours, minutes, seconds = clock.split(":")
        elapsed = ((int(days or 0) * 24 + int(hours)) * 60 + int(minutes)) * 60 + int(seconds)
        entry = sums[field[16].split(" ")[0]]
        entry[0] += 1
        entry[1] += field[24] != "None assigned"
        entry[2] += int(field[17]) * elapsed
    return {state: tuple(map(str, entry)) for state, entry in sums.items()}


print("- reads every record of a log without header, and counts the same node-seconds by state")
done = ingest(LOG)
assert done.returncode == 0, done.stderr
expected = node_seconds_of_log()
assert sum(int(jobs) for jobs, _, _ in expected.values()) == 4285
got = {state: (jobs, ran, seconds) for state, jobs, ran, seconds in rows_of(
        "SELECT state, count(*), count(start_time), sum(node_count * elapsed_seconds) FROM job GROUP BY state")}
assert got == expected, f"\n{got}\n{expected}"

print("- has a node row per node held, for as many seconds")
by_node = {state: seconds for state, seconds in rows_of(
        "SELECT state, sum(extract(epoch FROM n.end_time - n.start_time))::bigint"
        " FROM job_node n JOIN job USING (attempt_id) GROUP BY state")}
assert by_node == {state: seconds for state, (_, _, seconds) in expected.items()}, by_node
assert rows_of("SELECT count(*) FROM job WHERE (SELECT count(*) FROM job_node n WHERE n.attempt_id = job.attempt_id)"
               " <> node_count") == [("0",)]

print("- keeps the jobs that never ran at zero, and quarantines nothing")
assert rows_of("SELECT count(*), sum(node_count), sum(elapsed_seconds) FROM job WHERE start_time IS NULL") == [("239", "0", "0")]
assert rows_of("SELECT count(*) FROM quarantined_row") == [("0",)]
last = max(time for line in LOG.read_text(encoding="utf-8").splitlines() for time in line.split("|")[10:14:1]
           if time[:1].isdigit())
assert rows_of("SELECT to_char(horizon, 'YYYY-MM-DD\"T\"HH24:MI:SS') FROM job_horizon") == [(last,)]

print("- reads it once")
again = ingest(LOG)
assert again.returncode == 0 and "already there" in again.stdout, again.stdout + again.stderr

GCM = DATA / "gcm"
print("- joins records with line ends inside them to what they were")
for name in ("one-multiline", "multiple-multiline", "fake-line-break"):
    found = []
    for variant in ("", "-expected"):
        done = ingest(GCM / f"sample-sacct-{name}{variant}.txt", "--accept", "--source", f"{name}{variant}")
        assert done.returncode == 0, done.stderr
        found.append(rows_of("SELECT job_id_raw, state, start_time, end_time, node_count, accelerators, node_list FROM job"
                             f" WHERE source = '{name}{variant}' ORDER BY job_id_raw"))
    assert len(found[0]) == 2 and found[0] == found[1], found
assert rows_of("SELECT state, node_count, cpus, accelerators FROM job WHERE source = 'fake-line-break'"
               " ORDER BY job_id_raw") == [("FAILED", "128", "12288", "1024"), ("REQUEUED", "32", "2048", "256")]

print("- takes steps for no attempts, bad bytes in their fields or not")
done = ingest(GCM / "sample-sacct-output-invalid-utf8.txt", "--source", "bytes")
assert done.returncode == 0 and "2 records" in done.stdout and "9 steps" in done.stdout, done.stdout + done.stderr
done = ingest(GCM / "sample-sacct-running-output.txt", "--source", "running")
assert done.returncode == 0 and "0 records" in done.stdout and "10 steps" in done.stdout, done.stdout + done.stderr

print("- refuses files without the columns of a job, or without a single record")
for name, cause in (("output-midnight-edge-case-small", "column Start is missing"),
                    ("output-midnight-edge-case", "column NNodes is missing"),
                    ("output-with-invalid-lines", "line 2: has too few fields")):
    done = ingest(GCM / f"sample-sacct-{name}.txt", "--source", "refused")
    assert done.returncode == 3 and cause in done.stderr, done.stderr
assert rows_of("SELECT count(*) FROM delivery WHERE source = 'refused'") == [("0",)]
