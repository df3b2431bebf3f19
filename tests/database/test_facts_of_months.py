"""The facts of many months are hashed in one reading of the attempts; each month has the hash that
it would have alone.

Second opinion: a definition that reads all attempts for every month. The attempts are put into five
months, some never started, some held their nodes for a part of their time, so that every kind of
fact is there and every month has others.
"""

import os
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
    UPDATE job_hold SET start_time = job.start_time, end_time = job.end_time FROM job WHERE job.attempt_id = job_hold.attempt_id;
    UPDATE job_hold SET end_time = start_time + interval '1 minute' WHERE attempt_id % 3 = 0;
    UPDATE job SET start_time = NULL, end_time = NULL WHERE attempt_id % 11 = 0;
    INSERT INTO node_rate (cluster, amount_per_node_hour, currency, owner) SELECT cluster, 1, 'USD', 'a' FROM node_inventory LIMIT 1;
"""
ALONE = r"""
CREATE FUNCTION kstar.facts_alone(of_month date) RETURNS text
LANGUAGE plpgsql STABLE AS $$
BEGIN
    RETURN (
        WITH current AS (
            SELECT load.*, delivery.sha256, delivery.quarantined_rows
            FROM kstar.load
            JOIN kstar.current_load USING (load_id)
            JOIN kstar.delivery USING (delivery_id)
            WHERE statement_month = of_month
        ), span AS (
            SELECT greatest(max(covered_to), (of_month + interval '1 month')::timestamptz) AS span_to
            FROM current
        ), fact AS (
            SELECT concat_ws(' ', 'load', source, billing_period, sha256, row_count, quarantined_rows) AS what FROM current
            UNION ALL
            SELECT concat_ws(' ', 'jobs', count(*),
                             sum(hashtextextended(ROW(attempt_id, job_id, job_name, account, user_name, partition, qos, comment,
                                                      extract(epoch FROM start_time), extract(epoch FROM end_time), state, node_count,
                                                      cpus, accelerators, lists_no_accelerators, accelerator_types, node_list, resource_id, heterogeneous_job_id,
                                                      source, wckey)::text, 0)::numeric))
            FROM kstar.job CROSS JOIN span
            WHERE start_time < span_to
            UNION ALL
            SELECT concat_ws(' ', 'holds', count(*),
                             sum(hashtextextended(ROW(attempt_id, node, extract(epoch FROM job_node.start_time), extract(epoch FROM job_node.end_time),
                                                      job_node.cpus, job_node.accelerators)::text, 0)::numeric))
            FROM kstar.job_node
            JOIN kstar.job USING (attempt_id)
            CROSS JOIN span
            WHERE job_node.start_time < span_to
              AND (job_node.start_time IS DISTINCT FROM job.start_time OR job_node.end_time IS DISTINCT FROM job.end_time
                   OR job_node.cpus IS DISTINCT FROM round(job.cpus / nullif(job.node_count, 0), 6)
                   OR job_node.accelerators IS DISTINCT FROM round(job.accelerators / nullif(job.node_count, 0), 6))
            HAVING count(*) > 0
            UNION ALL
            SELECT concat_ws(' ', 'horizon', source, extract(epoch FROM least(horizon, span_to)))
            FROM kstar.job_horizon CROSS JOIN span
            UNION ALL
            SELECT concat_ws(' ', 'nodes', count(*),
                             sum(hashtextextended(ROW(cluster, node, resource_id, accelerators, cpus, valid_from,
                                                      least(valid_to, span_to))::text, 0)::numeric))
            FROM kstar.node_inventory CROSS JOIN span
            WHERE valid_from < span_to
            UNION ALL
            SELECT concat_ws(' ', 'node types', count(*),
                             sum(hashtextextended(ROW(cluster, node, resource_id, node_type, valid_from)::text, 0)::numeric))
            FROM kstar.node_inventory CROSS JOIN span
            WHERE valid_from < span_to AND cluster IN (SELECT cluster FROM kstar.node_rate)
            HAVING count(*) > 0
        )
        SELECT encode(sha256(convert_to(string_agg(what, E'\n' ORDER BY what COLLATE "C"), 'UTF8')), 'hex')
        FROM fact);
END
$$;
"""
AT_ONCE = ("SELECT to_char(statement_month, 'YYYY-MM') AS month, facts FROM kstar.facts_of_months(ARRAY["
           + ", ".join(f"'{month}-01'" for month in MONTHS) + "]::date[])")


def run(sql):
    subprocess.run([os.environ["KSTAR"], "db", "psql", "--", "-Xqc", "\\set ON_ERROR_STOP 1", "-c", sql], check=True)


def facts():
    return {row["month"]: row["facts"] for row in query(AT_ONCE)}


def each(function):
    return {month: query(f"SELECT kstar.{function}('{month}-01') AS facts")[0]["facts"] for month in MONTHS}


def check(what, is_so):
    print(f"{'ok' if is_so else 'not ok'}: {what}")
    return is_so


subprocess.run([SOURCES / "fixtures" / "generate", "--out", WORK / "inbox", "--seed", "3", "--lines", "1500", "--jobs", "60"], check=True)
subprocess.run([os.environ["KSTAR"], "nightly", WORK / "inbox", "--out", WORK / "out", "--quiet"], check=True, stdout=subprocess.DEVNULL)
run(ALONE)
good = check("as delivered, every month has the facts that are read for it alone", facts() == each("facts_alone"))
run(SPREAD)
spread = facts()
good &= check("spread over months, every month has the facts that are read for it alone", spread == each("facts_alone"))
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
