"""A measurement whose value is worked out from the traces that its row names."""

import json
import os
import subprocess
from pathlib import Path

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
FOLDER = WORK / "efficiency"
(FOLDER / "run7").mkdir(parents=True)


def ingest(*rows, code=0):
    (FOLDER / "profiles.csv").write_text("family,job_id,k,metric,value,trace\n" + "".join(row + "\n" for row in rows), encoding="utf-8")
    done = subprocess.run([KSTAR, "ingest", "efficiency", str(FOLDER / "profiles.csv")], capture_output=True, text=True, check=False)
    assert done.returncode == code, (rows, done.returncode, done.stdout, done.stderr)
    return done


def sql(query):
    return subprocess.run([KSTAR, "db", "psql", "--", "-XAtq", "-F", "|", "-c", query], capture_output=True, text=True,
                          check=True).stdout.splitlines()


def trace(rank, compute):
    events = [{"ph": "X", "cat": "kernel", "name": name, "ts": ts, "dur": dur, "args": {"stream": 7, "correlation": ts}}
              for name, ts, dur in (("gemm", 0, compute), ("ncclAllReduce", 80, 20))]
    (FOLDER / "run7" / f"rank{rank}.json").write_text(json.dumps({"distributedInfo": {"rank": rank}, "traceEvents": events}))


print("- the ranks of a step give one compute share: 60 and 40 of 100 microseconds")
trace(0, 60)
trace(1, 40)
ingest("llm,41,2,compute_share,,run7/rank*.json", "llm,,2,compute_share,0.25,")
assert sql("SELECT job_id, k, metric, value FROM kstar.measurement ORDER BY line_number") == [
    "41|2|compute_share|0.5", "|2|compute_share|0.25"]

print("- what a row may not say is named with its column, and nothing of the file is kept")
for row, column in (("llm,41,2,throughput,,run7/rank0.json", "trace"), ("llm,41,2,compute_share,0.5,run7/rank0.json", "trace"),
                    ("llm,41,2,compute_share,,run8/rank0.json", "trace"), ("llm,41,2,compute_share,,../efficiency/run7/rank0.json", "trace"),
                    ("llm,41,2,compute_share,,", "value")):
    assert f"line 2, column {column}" in ingest(row, code=3).stderr, row
assert sql("SELECT count(*) FROM kstar.measurement") == ["2"]
