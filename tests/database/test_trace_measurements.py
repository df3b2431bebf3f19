"""A measurement whose value is worked out from the traces that its row names."""

import json
import os
import statistics
import subprocess
from pathlib import Path

from saying import psql

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
FOLDER = WORK / "efficiency"
(FOLDER / "run7").mkdir(parents=True)


def ingest(*rows, code=0):
    (FOLDER / "profiles.csv").write_text("family,job_id,k,metric,value,trace\n" + "".join(row + "\n" for row in rows), encoding="utf-8")
    done = subprocess.run([KSTAR, "ingest", "efficiency", str(FOLDER / "profiles.csv")], capture_output=True, text=True, check=False)
    assert done.returncode == code, (rows, done.returncode, done.stdout, done.stderr)
    return done


def sql(query):
    return psql(["-XAtq", "-F", "|", "-c", query], capture_output=True, text=True, check=True).stdout.splitlines()


def trace(rank, compute, world_size=1):
    events = [{"ph": "X", "cat": "kernel", "name": name, "ts": ts, "dur": dur, "args": {"stream": 7, "correlation": ts}}
              for name, ts, dur in (("gemm", 0, compute), ("ncclAllReduce", 80, 20))]
    (FOLDER / "run7" / f"rank{rank}.json").write_text(json.dumps({"distributedInfo": {"rank": rank, "world_size": world_size}, "traceEvents": events}))


print("- the ranks of a step give one compute share: 60 and 40 of 100 microseconds")
trace(0, 60)
trace(1, 40)
ingest("llm,41,2,compute_share,,run7/rank*.json", "llm,,2,compute_share,0.25,")
assert sql("SELECT job_id, k, metric, value FROM kstar.measurement ORDER BY line_number") == [
    "41|2|compute_share|0.5", "|2|compute_share|0.25"]

print("- two files of one rank are refused, and missing ranks are logged, as by kstar model --trace")
trace(0, 60, world_size=3)
(FOLDER / "run7" / "rank0.copy.json").write_bytes((FOLDER / "run7" / "rank0.json").read_bytes())
assert "are both of rank 0" in ingest("llm,41,2,compute_share,,run7/*.json", code=3).stderr
(FOLDER / "run7" / "rank0.copy.json").unlink()
done = ingest("llm,41,2,compute_share,,run7/rank*.json", "llm,,2,compute_share,0.25,")
assert f'event=trace file="{FOLDER}/run7/rank0.json" ranks=2 of=3' in done.stderr, done.stderr

print("- a file that a row names is read again with its CSV once it changes or another fits the pattern; if it is gone, what was read stays")
rows = ("llm,41,2,compute_share,,run7/rank*.json", "llm,,2,compute_share,0.25,")
share = "SELECT round(value::numeric, 6) FROM kstar.measurement WHERE job_id = '41'"
assert "already there" in ingest(*rows).stdout
trace(1, 20)
assert "2 measurements" in ingest(*rows).stdout and sql(share) == ["0.400000"]
trace(2, 10)
assert "2 measurements" in ingest(*rows).stdout and sql(share) == ["0.300000"]
assert "already there" in ingest(*rows).stdout
for rank in range(3):
    (FOLDER / "run7" / f"rank{rank}.json").unlink()
assert "already there" in ingest(*rows).stdout and sql(share) == ["0.300000"]
assert "names no file in the folder" in ingest(*rows, "llm,,4,compute_share,0.2,", code=3).stderr
trace(0, 60)
trace(1, 40)
ingest(*rows)

print("- what a row may not say is named with its column, and nothing of the file is kept")
for row, column in (("llm,41,2,throughput,,run7/rank0.json", "trace"), ("llm,41,2,compute_share,0.5,run7/rank0.json", "trace"),
                    ("llm,41,2,compute_share,,run8/rank0.json", "trace"), ("llm,41,2,compute_share,,../efficiency/run7/rank0.json", "trace"),
                    ("llm,41,2,compute_share,,", "value")):
    assert f"line 2, column {column}" in ingest(row, code=3).stderr, row
assert sql("SELECT count(*) FROM kstar.measurement") == ["2"]

print("- brackets in the name of the folder, or of a file that is there, are no pattern")
kept, FOLDER = FOLDER, WORK / "measured [8 nodes]?"
(FOLDER / "run7").mkdir(parents=True)
trace(0, 60)
(FOLDER / "run7" / "rank0 [a].json").write_bytes((FOLDER / "run7" / "rank0.json").read_bytes())
ingest("llm,43,2,compute_share,,run7/rank0 [a].json", "llm,44,2,compute_share,,run7/rank[0-9].json")
assert sql("SELECT job_id, value FROM kstar.measurement WHERE job_id IN ('43', '44') ORDER BY job_id") == ["43|0.6", "44|0.6"]
FOLDER = kept
ingest(*rows)

print("- no pattern names a file outside of the folder, however it is written")
(WORK / "run7").mkdir()
for place in WORK, WORK / "run7":
    (place / "rank0.json").write_bytes((FOLDER / "run7" / "rank0.json").read_bytes())
depth = "/".join([".[.]"] * (len(FOLDER.parts) - 1))
for written in ("../rank0.json", ".[.]/rank0.json", ".\\./rank0.json", ".[.]/run7/*.json", "run7/.[.]/.[.]/rank0.json", f"{depth}{WORK}/rank0.json",
                "run7/.[.]/run7/rank0.json", str(WORK / "rank0.json")):
    error = ingest(f"llm,41,2,compute_share,,{written}", code=3).stderr
    assert "line 2, column trace" in error and "names no file in the folder of this one" in error, (written, error)
(FOLDER / "run7" / "a..b.json").write_bytes((FOLDER / "run7" / "rank0.json").read_bytes())
for written in "run[6-8]/rank0.json", "*/rank0.json", "./run7/rank0.json", "run7/a..b.json":
    ingest(f"llm,41,2,compute_share,,{written}", "llm,,2,compute_share,0.25,")
assert sql("SELECT count(*) FROM kstar.measurement") == ["2"]
here = subprocess.run([KSTAR, "ingest", "efficiency", "profiles.csv"], capture_output=True, text=True, check=False, cwd=FOLDER)
assert here.returncode == 0, here.stderr  # in the folder where one stands

print("- MLPerf logs: each success is a repeat, K from the system description; what is aborted or cut off is none")
(FOLDER / "results").mkdir()
(FOLDER / "system.json").write_text('{"submitter": "x", "number_of_nodes": "16.0", "accelerators_per_node": "8"}')


def log(name, seconds, status="success", prefix="0: ", batch=128):
    lines = [("global_batch_size", {"value": batch}), ("run_start", {"time_ms": 1000000})]
    if seconds is not None:
        lines.append(("run_stop", {"time_ms": 1000000 + seconds * 1000, "metadata": {"status": status}}))
    (FOLDER / "results" / name).write_text("NCCL INFO something else\n" + "".join(
        f"{prefix}:::MLLOG {json.dumps({'key': key, **rest})}\n" for key, rest in lines))


log("result_0.txt", 600)
log("result_1.txt", 660, prefix="")
log("result_2.txt", 500, status="aborted")
log("result_3.txt", None)
header = "family,k,metric,value,log,system\n"


def mlperf(row, code=0):
    (FOLDER / "mlperf.csv").write_text(header + row + "\n")
    done = subprocess.run([KSTAR, "ingest", "efficiency", str(FOLDER / "mlperf.csv")], capture_output=True, text=True, check=False)
    assert done.returncode == code, (row, done.stdout, done.stderr)
    return done


done = mlperf("rnnt,,run_time,,results/result_*.txt,system.json")
assert done.stderr.count("unfinished_run") == 2, done.stderr
assert sql("SELECT family, k, run, round((value * 3600)::numeric, 6) FROM kstar.measurement WHERE family = 'rnnt' ORDER BY run") == [
    "rnnt|16|1|600.000000", "rnnt|16|2|660.000000"]
for row, column in (("rnnt,,run_time,,results/result_*.txt,", "k"), ("rnnt,4,run_time,,results/result_2.txt,", "log"),
                    ("rnnt,4,efficiency,,results/result_0.txt,", "log"), ("rnnt,,run_time,,results/result_0.txt,none.json", "system")):
    assert f"line 2, column {column}" in mlperf(row, code=3).stderr, row

print("- logs of training scripts: the median after the warm-up, of key=value text and of JSON lines")
speeds = [10, 300, 310, 305, 295, 320, 315, 290]
(FOLDER / "train_a.log").write_text("starting\n" + "".join(f"[{n}] step={n} loss: 0.5 tokens_per_second={speed}.5 max_tokens_per_second=9\n"
                                                            for n, speed in enumerate(speeds)))
(FOLDER / "train_b.log").write_text("".join(json.dumps({"step": n, "tokens_per_second": speed}) + "\n" for n, speed in enumerate(speeds)))
(FOLDER / "steps.log").write_text("".join(f"iteration_time_ms: {2 * speed}\n" for speed in speeds))
mlperf("gpt,2,throughput,,train_?.log,")
assert [float(row) for row in sql("SELECT value FROM kstar.measurement WHERE family = 'gpt' ORDER BY run")] == [
    statistics.median(speeds[2:]) + 0.5, statistics.median(speeds[2:])]
mlperf("gpt,2,step_time,,steps.log,")
assert abs(float(sql("SELECT value * 3600 FROM kstar.measurement WHERE family = 'gpt'")[0]) - 2 * statistics.median(speeds[2:]) / 1000) < 1e-12
(FOLDER / "few.log").write_text("throughput=1\n" * 3)
(FOLDER / "two.log").write_text("tokens/s: 5\nsamples/s: 5\n")
(FOLDER / "zero.log").write_text("it/s: 0\n")
for name, message in (("few", "3 lines with a throughput"), ("two", "line 2: samples/s, where lines before have tokens/s"),
                      ("zero", "line 1: it/s is 0, not above 0")):
    assert message in mlperf(f"gpt,2,throughput,,{name}.log,", code=3).stderr, name

print("- thousands in groups and k, M, G are read as people write them; what is no number to its end is refused by line")
for number, (logged, value) in enumerate((
        ("tokens/s: 9,876.5", 9876.5), ("tokens/s: 1,234,567 (mean)", 1234567), ('{"throughput": "950.3k"}', 950300), ("throughput=1.8M", 1.8e6),
        ("throughput=2K;", 2000), ("throughput=3.5G, loss=2", 3.5e9), ("throughput=9876,loss=2", 9876), ("throughput=1.5e3]", 1500),
        ("throughput='7'", 7), ("throughput=.5|", 0.5), ("throughput=\x1b[32m8\x1b[0m", None), ("throughput=8\x1b[0m", 8),
        ("throughput=n/a", None), ("throughput=nan", None), ("throughput: 950.3 k tokens/s", 950300), ("throughput=1.8 M", 1.8e6),
        ("throughput=7 K=4", 7))):
    lines = f"{logged}\n" * 4 + ("" if value else "throughput=77\n" * 4)
    (FOLDER / f"written_{number}.log").write_text(lines)
    mlperf(f"gpt,2,throughput,,written_{number}.log,")
    assert float(sql("SELECT value FROM kstar.measurement WHERE family = 'gpt'")[0]) == (value or 77), (logged, value)
for logged in ("0,512", "5 T", "12,34", "1234,567", "9,876.5,3", "1.8T", "1.8Mx", "1.2.3", "12,345,6", "3:4", "5%", "7-8", "12,3456", "1e", "9" * 80):
    (FOLDER / "odd.log").write_text("tokens/s: 5\n" * 4 + f"tokens/s: {logged} and more\n")
    error = mlperf("gpt,2,throughput,,odd.log,", code=3).stderr
    assert f'odd.log, line 5: tokens/s is "{logged[:60]}' in error and "not a number" in error, (logged, error)
for number, logged in enumerate(("step_time: 0.5s", "step_time_ms: 500ms", "step_time: 0.5", "step_time_ms: 500", "step_time: 0.5 s", "step_time_ms: 500 ms, x")):
    (FOLDER / f"unit_{number}.log").write_text(f"{logged}\n" * 4)
    mlperf(f"gpt,2,step_time,,unit_{number}.log,")
    assert abs(float(sql("SELECT value * 3600 FROM kstar.measurement WHERE family = 'gpt'")[0]) - 0.5) < 1e-12, logged
for logged in ("step_time: 500 ms", "step_time_ms: 0.5 s", "step_time: 500ms", "step_time_ms: 0.5s", "step_time: 1.2k"):
    (FOLDER / "unit.log").write_text(f"{logged}\n" * 4)
    assert "unit.log, line 1: step_time" in mlperf("gpt,2,step_time,,unit.log,", code=3).stderr, logged

SHARED = Path(os.environ.get("KSTAR_SHARED_DATA") or Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data")
REAL = SHARED / "efficiency" / "mlperf"
if not REAL.is_dir():
    print("- skipped: mlperf of ../shared is not there")
else:
    print("- real logs give the published minutes")
    import csv
    (FOLDER / "logs").symlink_to(REAL / "logs")
    folders = {row["system_dir"]: row for row in csv.DictReader(open(REAL / "runs.csv", encoding="utf-8")) if "maskrcnn_a100_40" in row["family"]}
    (FOLDER / "mlperf.csv").write_text(header + "".join(f"maskrcnn,{row['nodes']},run_time,,logs/{name}/result_*.txt,\n" for name, row in folders.items()))
    subprocess.run([KSTAR, "ingest", "efficiency", str(FOLDER / "mlperf.csv")], check=True, capture_output=True)
    published = {(row["nodes"], f"{float(row['minutes']):.3f}") for row in csv.DictReader(open(REAL / "runs.csv", encoding="utf-8"))
                 if "maskrcnn_a100_40" in row["family"] and row["run_file"] in ("result_0.txt", "result_1.txt")}
    found = {tuple(row.split("|")) for row in sql("SELECT k, round((value * 60)::numeric, 3) FROM kstar.measurement WHERE family = 'maskrcnn'")}
    assert found == published, f"{sorted(found)}\n{sorted(published)}"
