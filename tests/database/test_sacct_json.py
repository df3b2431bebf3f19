"""sacct --json: the same runs as sacct's text are the same attempts; every recorded data_parser
shape is read; what is broken is named. The recordings are beside the repository, in ../shared;
without them that part is skipped by name."""

import gzip
import json
import os
import re
import subprocess
from pathlib import Path

import published
from saying import rows_of

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
RECORDINGS = Path(os.environ.get("KSTAR_SHARED_DATA") or Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data")
RECORDINGS = RECORDINGS / "jobs" / "slurm-json"

COLUMNS = ("JobID JobIDRaw Cluster Partition QOS Account User Submit Eligible Start End ElapsedRaw Suspended ExitCode State "
           "AllocNodes AllocTRES NodeList JobName Comment WCKey").split()
DAY = 1757289600  # 2025-09-08 00:00 UTC


def ingest(*words, code=0):
    done = subprocess.run([KSTAR, "ingest", "jobs", "--accept", "--source", "hpc", *map(str, words)], capture_output=True, text=True,
                          check=False)
    assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
    return done


def stored():
    return {"jobs": rows_of("SELECT attempt_id, cluster, job_id, job_id_raw, attempt_mark, run_group, job_name, account, user_name, "
                            "partition, qos, wckey, comment, submit_time, eligible_time, start_time, end_time, elapsed_seconds, state, "
                            "exit_code, node_count, cpus, accelerators, lists_no_accelerators, accelerator_types, node_list, array_job_id, array_task_id, "
                            "heterogeneous_job_id, heterogeneous_offset, provisional FROM job ORDER BY attempt_id"),
            "nodes": rows_of("SELECT * FROM job_node ORDER BY attempt_id, node"), "horizon": rows_of("SELECT * FROM job_horizon")}


def forget():
    """What was read so far, and the configuration: the next ingest is the first of its database."""
    published.new_database("kstar")


# ---- the same runs, twice ----

def run(raw, start=None, end=None, elapsed=0, state="COMPLETED", nodes="", tres=(), submit=0, suspended=0, array=None, het=None,
        flags=(), name="train", code=(0, 0), shown=None, words=None):
    """One run in both forms: sacct's fields, and the object of --json."""
    clock = lambda at: "Unknown" if at is None else f"2025-09-08T{at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}"
    at = lambda seconds: 0 if seconds is None else DAY + seconds
    number = lambda value: {"set": value is not None, "infinite": False, "number": value or 0}
    count = len(nodes.split(",")) if nodes else 0
    trackable = [("cpu", "", 8 * count), ("mem", "", 512), ("node", "", count), *tres] if nodes else []
    text = dict(zip(COLUMNS, [shown or str(raw), str(raw), "hpc", "gpu", "normal", "vision", "ann", clock(submit), clock(submit),
                              clock(start), clock(end), str(elapsed), f"00:{suspended // 60:02}:{suspended % 60:02}",
                              f"{code[0]}:{code[1]}", state, str(count),
                              ",".join(f"{kind}{'/' + label if label else ''}={amount}{'M' if kind == 'mem' else ''}"
                                       for kind, label, amount in trackable),
                              nodes or "None assigned", name, "first | second", "team"]))
    record = {
        "account": "vision", "cluster": "hpc", "user": "ann", "partition": "gpu", "qos": "normal", "name": name, "job_id": raw,
        "comment": {"administrator": "", "job": "first | second", "system": ""}, "wckey": {"wckey": "team", "flags": []},
        "association": {"account": "vision", "cluster": "hpc", "partition": "", "user": "ann", "id": 7},
        "array": {"job_id": array[0] if array else 0, "task_id": number(array[1] if array else None), "task": ""},
        "het": {"job_id": het[0] if het else 0, "job_offset": number(het[1] if het else None)},
        "time": {"submission": at(submit), "eligible": at(submit), "start": at(start), "end": at(end), "elapsed": elapsed,
                 "suspended": suspended, "limit": number(60)},
        "state": {"current": words or [state, *flags], "reason": "None"}, "nodes": nodes or "None assigned", "allocation_nodes": count,
        "exit_code": {"status": ["SUCCESS"], "return_code": number(code[0]), "signal": {"id": number(code[1]), "name": ""}},
        "tres": {"allocated": [{"type": kind, "name": label, "id": 1, "count": amount} for kind, label, amount in trackable]},
        "steps": [{"step": {"id": f"{raw}.batch"}, "nodes": {"count": 1}, "state": [state]}], "submit_line": 'sbatch "x"',
    }
    return text, record


RUNS = [
    run(100, 3600, 7200, 3600, nodes="n1,n2", tres=[("gres", "gpu", 4), ("gres", "gpu:a100", 4)], submit=3500),
    run(101, 3600, 9000, 3600, nodes="n3", suspended=1800, submit=3500),
    run(102, None, 4000, 0, state="CANCELLED", submit=3500),
    run(103, 5000, None, 900, state="RUNNING", nodes="n4", submit=4000, flags=("COMPLETING",)),
    run(104, 5000, 6000, 1000, state="NODE_FAIL", nodes="n5", submit=4000, code=(1, 9)),
    run(104, 7000, 8000, 1000, nodes="n5", submit=6000),
    run(106, 5000, 5600, 600, nodes="n6", submit=4000, array=(105, 7), shown="105_7", tres=[("gres", "gpu:h100", 8)]),
    run(110, 5000, 5600, 600, nodes="n7", submit=4000, het=(110, 0), shown="110+0"),
    run(111, 5000, 5600, 600, nodes="n8", submit=4000, het=(110, 1), shown="110+1"),
    run(112, 5000, 82, 0, state="PENDING", nodes="n9", submit=4000),  # the database lags behind
    # The database keeps a flag without a base state, which JSON has as PENDING: such a run is over,
    # and is what the flag says.
    run(113, 5000, 41000, 36000, state="REQUEUED", nodes="n10,n11", submit=4000, words=["PENDING", "REQUEUED"]),
    run(113, 50000, 60000, 10000, nodes="n10,n11", submit=41000),
    run(114, 5000, 6000, 1000, state="RESIZING", nodes="n12,n13", submit=4000, words=["PENDING", "RESIZING"]),
    run(115, 5000, 6000, 1000, state="REQUEUED", nodes="n14", submit=4000, words=["PENDING", "SPECIAL_EXIT", "REQUEUED"]),
    run(116, 5000, 6000, 1000, state="SPECIAL_EXIT", nodes="n15", submit=4000, words=["PENDING", "SPECIAL_EXIT"]),
    # it waits for its next run
    run(117, None, None, state="PENDING", submit=4000, flags=("REQUEUED",)),
]


def document(records):
    return json.dumps({"meta": {"plugin": {"data_parser": "data_parser/v0.0.44"}}, "jobs": records, "errors": [], "warnings": []})


print("- the same runs as text and as JSON are the same attempts, to the last column")
text = WORK / "runs.txt"
text.write_text("|".join(COLUMNS) + "\n" + "".join("|".join(fields[name] for name in COLUMNS) + "\n" for fields, _ in RUNS),
                encoding="utf-8")
ingest(text)
as_text = stored()
assert len(as_text["jobs"]) == len(RUNS) and len(as_text["nodes"]) == 17, as_text
forget()
with gzip.open(WORK / "runs.json.gz", "wt", encoding="utf-8") as file:
    file.write(document([record for _, record in RUNS]))
ingest(WORK / "runs.json.gz", "--format", "sacct-json")
as_json = stored()
for what, rows in as_text.items():
    for left, right in zip(rows, as_json[what], strict=True):
        assert left == right, f"{what}\n{left}\n{right}"

print("- delivered again in the other form, nothing is doubled")
ingest(text)
assert stored() == as_json

print("- as are those of a source that is not in UTC: its text has a submission by the clock of its zone, JSON as a point in time")
reference = WORK / "reference"
reference.mkdir()
(reference / "sources.csv").write_text("source,kind,format,time_zone\nhpc,jobs,sacct,Etc/GMT-2\n", encoding="utf-8")
RESIZED = [*RUNS, run(114, 6000, 9000, 3000, nodes="n12", submit=4000)]
east = [fields | {name: re.sub(r"T(\d\d)", lambda hour: f"T{int(hour[1]) + 2:02}", fields[name]) for name in ("Submit", "Eligible", "Start", "End")}
        for fields, _ in RESIZED]
(WORK / "east.txt").write_text("|".join(COLUMNS) + "\n" + "".join("|".join(fields[name] for name in COLUMNS) + "\n" for fields in east),
                               encoding="utf-8")
(WORK / "resized.json").write_text(document([record for _, record in RESIZED]), encoding="utf-8")
runs = "SELECT job_id, start_time, end_time, state FROM kstar.job ORDER BY job_id, start_time, state"
for first, second in ((("east.txt",), ("resized.json", "--format", "sacct-json")), (("resized.json", "--format", "sacct-json"), ("east.txt",))):
    forget()
    assert subprocess.run([KSTAR, "ingest", "reference", str(reference)], check=False).returncode == 0
    ingest(WORK / first[0], *first[1:])
    alone = rows_of(runs)
    assert len(alone) == len(RESIZED), alone
    ingest(WORK / second[0], *second[1:])
    assert rows_of(runs) == alone, rows_of(runs)

print("- a run that was exported while it ran, and was requeued since, has ended: it does not run for ever")
forget()
running, requeued = run(113, 5000, None, 30000, state="RUNNING", nodes="n10,n11", submit=4000), RUNS[10]
for number, (_, record) in enumerate((running, requeued)):
    (WORK / f"night-{number}.json").write_text(document([record]), encoding="utf-8")
    ingest(WORK / f"night-{number}.json", "--format", "sacct-json")
assert rows_of("SELECT state, elapsed_seconds, node_count, provisional FROM kstar.job") == [("REQUEUED", "36000", "2", "f")], rows_of(
        "SELECT state, elapsed_seconds, node_count, provisional FROM kstar.job")

print("- bare numbers, a state as one text and a list without its wrapper, as older versions have them, are read")
forget()
old = [json.loads(json.dumps(record)) for _, record in RUNS]
for (fields, _), record in zip(RUNS, old, strict=True):
    record["state"]["current"] = fields["State"]
    record["array"]["task_id"] = record["array"]["task_id"]["number"] if record["array"]["job_id"] else None
    record["het"]["job_offset"] = record["het"]["job_offset"]["number"] if record["het"]["job_id"] else None
    record["exit_code"] = {"return_code": record["exit_code"]["return_code"]["number"],
                           "signal": {"signal_id": record["exit_code"]["signal"]["id"]["number"]}}
(WORK / "old.json").write_text(json.dumps(old), encoding="utf-8")
ingest(WORK / "old.json", "--format", "sacct-json")
assert stored() == as_json

print("- a record that cannot be read is quarantined with its line and member; the others are loaded")
forget()
bad = [dict(RUNS[0][1], job_id=0), dict(RUNS[1][1], state={"current": []}), RUNS[2][1],
       dict(RUNS[4][1], nodes="n[1-"), dict(RUNS[4][1], time=dict(RUNS[4][1]["time"], start="soon")),
       dict(RUNS[5][1], allocation_nodes=0, nodes="", tres={"allocated": []})]
(WORK / "bad.json").write_text(json.dumps({"jobs": bad}, indent=1), encoding="utf-8")
ingest(WORK / "bad.json", "--format", "sacct-json", code=4)
quarantined = rows_of("SELECT line_number, column_name, reason FROM kstar.quarantined_row ORDER BY line_number")
lines = (WORK / "bad.json").read_text(encoding="utf-8").splitlines()
assert [column for _, column, _ in quarantined] == ["job_id", "state.current", "nodes", "time.start", "allocation_nodes"], quarantined
assert all(lines[int(line) - 1].strip() == "{" for line, _, _ in quarantined), quarantined
assert rows_of("SELECT job_id FROM kstar.job") == [("102",)]

print("- a document that is cut off, and one of another kind, are refused by name, and nothing of them is kept")
forget()
whole = document([record for _, record in RUNS])
(WORK / "cut.json").write_text(whole[:len(whole) // 2], encoding="utf-8")
assert "cut.json" in ingest(WORK / "cut.json", "--format", "sacct-json", code=3).stderr
assert "text.json" in ingest(text.rename(WORK / "text.json"), "--format", "sacct-json", code=3).stderr
assert "sacct-json" in ingest(WORK / "cut.json", "--format", "sacct-jsno", code=3).stderr
assert rows_of("SELECT count(*) FROM kstar.job") == [("0",)]

if not RECORDINGS.is_dir():
    print(f"- skipped: {RECORDINGS.name} of ../shared is not there")
else:
    print("- every recorded shape is read: jobs by state, nodes held and seconds as Python reads them")
    forget()
    recorded, paths, found = {}, [], 0
    for path in sorted(RECORDINGS.glob("*/*/slurmdb-job-*.json")):
        # a delivery is known by its file's name, which several parsers have
        paths.append(WORK / "-".join(path.relative_to(RECORDINGS).parts))
        text = path.read_text(encoding="utf-8")
        paths[-1].write_text(text, encoding="utf-8")
        for job in json.loads(text)["jobs"]:
            ran = job["time"]["start"] > 0 and "PENDING" not in job["state"]["current"]
            row = (job["state"]["current"][0], str(job["allocation_nodes"] if ran else 0), str(job["time"]["elapsed"] if ran else 0),
                   job["nodes"] if ran else "", "t" if ran and job["time"]["end"] == 0 else "f")
            # two recordings have the same job, which is the same in both
            _, known = recorded.setdefault((str(job["job_id"]), str(job["time"]["submission"])), (path.name, row))
            assert known == row, (path, known, row)
            found += 1
    ingest(*paths, "--format", "sacct-json")
    rows = {(number, submission): tuple(row) for number, submission, *row in rows_of(
        "SELECT job_id_raw, extract(epoch FROM submit_time)::bigint, state, node_count, elapsed_seconds, node_list, provisional FROM kstar.job")}
    for key, (name, row) in recorded.items():
        assert rows.get(key) == row, (name, key, rows.get(key), row)
    assert len(rows) == len(recorded), rows.keys() - recorded.keys()
    held = rows_of("SELECT job_id_raw, extract(epoch FROM submit_time)::bigint, node FROM kstar.job_node JOIN kstar.job USING (attempt_id)")
    assert len({(number, submission) for number, submission, _ in held}) > 20, held
    for (number, submission), (name, row) in recorded.items():
        of_job = [node for *job, node in held if job == [number, submission]]
        plain = {node for node in row[3].split(",") if node and "[" not in node}
        assert plain <= set(of_job) and len(of_job) == int(row[1]), (name, number, of_job, row)
    assert found > 60, found
    print(f"  {found} jobs")
