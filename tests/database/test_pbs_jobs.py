"""The accounting log of PBS: its runs are those of the same file as CSV, and a bill's node is
theirs by the time that they held it."""

import os
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import case_page
from saying import equals, it, kstar, sql

KSTAR, WORK = os.environ["KSTAR"], Path(os.environ["WORK"])
INBOX, OUT = WORK / "inbox", WORK / "out"
DAY = 1788825600  # 2026-09-08T00:00:00Z
HOUR = 3600

# Two days of a log. Job 41 ran an hour on two nodes, lost one and was queued again, and ran two
# hours more; 42 still runs when the first day ends; 43[2] is one of an array.
FIRST = f"""09/08/2026 02:00:00;Q;41.pbs01;queue=gpu
09/08/2026 02:00:05;S;41.pbs01;user=ada group=lm account="a" jobname=train queue=gpu ctime={DAY} etime={DAY} start={DAY + HOUR} \
exec_host=n1/0*32+n2/0*32 Resource_List.ncpus=64 Resource_List.ngpus=8
09/08/2026 04:00:00;R;41.pbs01;user=ada group=lm account="a" jobname=train queue=gpu ctime={DAY} etime={DAY} start={DAY + HOUR} \
exec_host=n1/0*32+n2/0*32 Resource_List.ncpus=64 Resource_List.ngpus=8 session=9 end={DAY + 2 * HOUR} Exit_status=-20 run_count=1
09/08/2026 04:00:10;S;42.pbs01;user=ben group=vision project=a account="b" jobname=eval queue=gpu ctime={DAY} etime={DAY} \
start={DAY + 2 * HOUR} exec_host=n3/0*32 Resource_List.ncpus=32
"""
SECOND = f"""09/08/2026 05:00:10;E;42.pbs01;user=ben group=vision account="b" jobname=eval queue=gpu ctime={DAY} etime={DAY} \
start={DAY + 2 * HOUR} exec_host=n3/0*32 Resource_List.ncpus=32 session=5 end={DAY + 3 * HOUR} Exit_status=0 run_count=1
09/08/2026 06:00:00;E;41.pbs01;user=ada group=lm account="a" jobname=train queue=gpu ctime={DAY} etime={DAY} start={DAY + 3 * HOUR} \
exec_host=n1/0*32+n4/0*32 Resource_List.ncpus=64 Resource_List.ngpus=8 session=12 end={DAY + 5 * HOUR} Exit_status=0 run_count=2
09/08/2026 06:00:00;E;43[2].pbs01;user=cai group=lm account="a" jobname=sweep queue=gpu ctime={DAY} etime={DAY} start={DAY} \
exec_host=n2/0*16+n2/1*16 Resource_List.ncpus=32 session=3 end={DAY + HOUR} Exit_status=271 run_count=1
"""
COLUMNS = "job_id, attempt_mark, account, user_name, state, start_time, end_time, node_count, node_list, cpus, accelerators, provisional"


def stored():
    return (sql(f"SELECT {COLUMNS} FROM kstar.job ORDER BY job_id, start_time"),
            sql("SELECT job_id, job_node.node, job_node.start_time, job_node.end_time FROM kstar.job_node JOIN kstar.job USING (attempt_id) "
                "ORDER BY 1, 3, 2"))


it("a night reads the log of a source whose format is pbs")
case_page.write_common_reference(INBOX)
case_page.write_csv(INBOX / "reference" / "sources.csv", [["source", "kind", "format"], ["lab", "jobs", "pbs"]])
case_page.write_csv(INBOX / "reference" / "nodes.csv",
                    [["cluster", "node", "resource_id"], *(["lab", f"n{n}", f"i-{n}"] for n in range(1, 5))])
(INBOX / "jobs" / "lab").mkdir(parents=True)
(INBOX / "jobs" / "lab" / "20260908").write_text(FIRST, encoding="utf-8")
kstar("nightly", INBOX, "--out", OUT)
equals("41|1788829200|a|ada|NODE_FAIL|2026-09-08 01:00:00+00|2026-09-08 02:00:00+00|2|n1,n2|64|8|f\n"
       "42|1788832800|b|ben|RUNNING|2026-09-08 02:00:00+00||1|n3|32||t", stored()[0])

it("the next day's log goes on with it: a run that has ended, a second attempt, one of an array")
(INBOX / "jobs" / "lab" / "20260909").write_text(SECOND, encoding="utf-8")
kstar("nightly", INBOX, "--out", OUT)
first = stored()
equals("41|1788829200|a|ada|NODE_FAIL|2026-09-08 01:00:00+00|2026-09-08 02:00:00+00|2|n1,n2|64|8|f\n"
       "41|1788836400|a|ada|COMPLETED|2026-09-08 03:00:00+00|2026-09-08 05:00:00+00|2|n1,n4|64|8|f\n"
       "42|1788832800|b|ben|COMPLETED|2026-09-08 02:00:00+00|2026-09-08 03:00:00+00|1|n3|32||f\n"
       "43[2]|1788825600|a|cai|CANCELLED|2026-09-08 00:00:00+00|2026-09-08 01:00:00+00|1|n2|32||f", first[0])
equals("1", sql("SELECT count(DISTINCT run_group) FROM kstar.job WHERE job_id = '41'"))

it("a node of the bill is whose job held it: of four hours of n1 at 10.00 one was the first attempt's, two the second's, one nobody's")
case_page.write_input(["bill", "cloud", "2026-09"],
                      [["ChargePeriodStart", "ChargePeriodEnd", "ResourceId", "BilledCost", "ConsumedQuantity", "ConsumedUnit"],
                       *([f"8 {hour:02}:00", f"8 {hour + 1:02}:00", "i-1", "10.00", "1", "Hours"] for hour in range(1, 5))], INBOX)
kstar("nightly", INBOX, "--out", OUT)
equals("charged|A|30.00\nunallocated||10.00",
       sql("SELECT section, cost_centre, sum(amount) FROM kstar_views.report_statement GROUP BY 1, 2 ORDER BY 1"))
equals("41|NODE_FAIL|10.00\n41|COMPLETED|20.00",
       sql("SELECT job_id, state, true_cost FROM kstar_views.report_job WHERE job_id = '41' ORDER BY true_cost"))

it("the same runs as CSV are the same attempts")
rows = [line.split("|") for line in first[0].splitlines()]
case_page.write_csv(WORK / "runs.csv",
                    [["job_id", "attempt", "account", "user", "state", "start", "end", "node_list", "cpus", "accelerators"],
                     *([*row[:5], row[5].replace(" ", "T"), row[6].replace(" ", "T"), row[8], row[9], row[10]] for row in rows)])
sql("TRUNCATE kstar.delivery CASCADE; DELETE FROM kstar.job_hold; DELETE FROM kstar.job; DELETE FROM kstar.job_horizon")
kstar("ingest", "jobs", "--source", "lab", "--format", "csv", WORK / "runs.csv")
equals(first, stored())

it("a file that is no log of PBS is refused, naming its first line")
(WORK / "other").write_text("JobID|State\n1|COMPLETED\n", encoding="utf-8")
done = subprocess.run([KSTAR, "ingest", "jobs", "--source", "lab", "--format", "pbs", str(WORK / "other")], capture_output=True, text=True,
                      check=False)
assert done.returncode == 3 and "line 1" in done.stderr and "not a record of a PBS accounting log" in done.stderr, done
