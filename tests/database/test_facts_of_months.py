"""The facts of many months are hashed in one reading of the attempts; each month has the hash that it would have alone.

Second opinion: the definition of migration 0038, which read all attempts for every month, but for the pool that pays for a node's idle,
which is no fact any more, and with what became a fact of a job in 0060 and 0087. A month that was closed with it is not replayed because kstar was
installed anew. The attempts are put into five months, some never started, some held their nodes for a part of their time, so that every kind of fact is there and every month has others.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

from published import query

MONTHS = ["2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10", "2027-01"]
SPREAD = """
    SET search_path = kstar;
    UPDATE job SET start_time = start_time - number % 5 * interval '1 month', end_time = end_time - number % 5 * interval '1 month'
    FROM (SELECT attempt_id, row_number() OVER (ORDER BY attempt_id) AS number FROM job) AS numbered
    WHERE numbered.attempt_id = job.attempt_id;
    UPDATE job_node SET start_time = job.start_time, end_time = job.end_time FROM job WHERE job.attempt_id = job_node.attempt_id;
    UPDATE job_node SET end_time = start_time + interval '1 minute' WHERE attempt_id % 3 = 0;
    UPDATE job SET start_time = NULL, end_time = NULL WHERE attempt_id % 11 = 0;
    INSERT INTO node_rate (cluster, amount_per_node_hour, currency, owner) SELECT cluster, 1, 'USD', 'a' FROM node_inventory LIMIT 1;
"""
AT_ONCE = ("SELECT to_char(statement_month, 'YYYY-MM') AS month, facts FROM kstar.facts_of_months(ARRAY["
           + ", ".join(f"'{month}-01'" for month in MONTHS) + "]::date[])")


def run(sql):
    subprocess.run([os.environ["KSTAR"], "db", "psql", "--", "-Xqc", "\\set ON_ERROR_STOP 1", "-c", sql], check=True)


def as_before():
    """statement_facts of migration 0038 without the pool of idle, with what is a fact since, under a name of its own."""
    text = (SOURCES / "sql" / "migrations" / "0038_distribution.sql").read_text(encoding="utf-8")
    definition = re.search(r"CREATE OR REPLACE FUNCTION statement_facts\(.*?\n\$\$;", text, re.DOTALL).group(0)
    assert "cpus, idle_pool, valid_from" in definition
    definition = definition.replace("cpus, idle_pool,", "cpus,")
    for since in (("accelerators, node_list", "accelerators, lists_no_accelerators, accelerator_types, node_list"), ("source)::text", "source, wckey)::text")):
        assert definition.count(since[0]) == 1
        definition = definition.replace(*since)
    run(definition.replace("FUNCTION statement_facts", "FUNCTION kstar.facts_before"))


def facts():
    return {row["month"]: row["facts"] for row in query(AT_ONCE)}


def each(function):
    return {month: query(f"SELECT kstar.{function}('{month}-01') AS facts")[0]["facts"] for month in MONTHS}


def check(what, is_so):
    print(f"{'ok' if is_so else 'not ok'}: {what}")
    return is_so


subprocess.run([SOURCES / "fixtures" / "generate", "--out", WORK / "inbox", "--seed", "3", "--lines", "1500", "--jobs", "60"], check=True)
subprocess.run([os.environ["KSTAR"], "nightly", WORK / "inbox", "--out", WORK / "out", "--quiet"], check=True, stdout=subprocess.DEVNULL)
as_before()
good = check("as delivered, every month has its facts of before", facts() == each("facts_before"))
run(SPREAD)
spread = facts()
good &= check("spread over months, every month has its facts of before", spread == each("facts_before"))
good &= check("and alone those that it has among others", spread == each("statement_facts"))
good &= check("the facts of no two months are the same", len(set(spread.values())) == len(MONTHS))
for column, value in (("state", "FAILED"), ("accelerator_types", "a100")):
    known = facts()
    run(f"UPDATE kstar.job SET {column} = '{value}' WHERE start_time = (SELECT min(start_time) FROM kstar.job "
        f"WHERE start_time >= '2026-07-01' AND {column} IS DISTINCT FROM '{value}')")
    changed = {month for month, hash_now in facts().items() if hash_now != known[month]}
    good &= check(f"an attempt that started in July and has another {column} changes July and what follows",
                  changed == {month for month in MONTHS if month >= "2026-07"})
good &= check("no months, no facts", query("SELECT * FROM kstar.facts_of_months('{}')") == [])
sys.exit(0 if good else 1)
