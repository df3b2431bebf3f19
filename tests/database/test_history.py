"""History costs nothing: a night of an open month does not read the job records of the years before
it, and says the same with them as without.

Rows that are read are counted by PostgreSQL (pg_stat_user_tables), not seconds. 40,000 attempts of
two years before stand beside a month of 60. So few PostgreSQL may read through rather than look up;
the test turns that off where PostgreSQL has a choice, so that a query that still does has none."""

import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from closed_months import MONTHS, WORK, close, made, of_few_centres  # noqa: E402
from saying import KSTAR, equals, it, kstar, sql  # noqa: E402

OLD_COPIES = 220
OPEN = f"'{MONTHS[2]}-01'"
SHIFT = {"start_time", "end_time", "submit_time", "eligible_time", "covered_to", "covered_from", "next_latest_time"}


def columns(table):
    return sql(f"SELECT column_name FROM information_schema.columns WHERE table_schema = 'kstar' AND table_name = '{table}' ORDER BY ordinal_position").split()


def plant_old_attempts():
    """The attempts of the three months, again and again, a day and two years and more before; with
    the nodes that they held."""
    def copied(column):
        if column == "attempt_id":
            return "attempt_id # copy::bigint"
        if column in ("job_id", "job_id_raw"):
            return f"({column}::bigint + copy::bigint * 100000000)::text"
        return f"{column} - (copy + 730) * interval '1 day'" if column in SHIFT else column
    for table in ("job", "job_hold"):
        names = columns(table)
        sql(f"INSERT INTO {table} ({', '.join(names)}) SELECT {', '.join(map(copied, names))} "
            f"FROM {table} CROSS JOIN generate_series(1, {OLD_COPIES}) AS copy ORDER BY copy DESC, {table}.start_time")
    subprocess.run([KSTAR, "db", "psql", "--", "-Xqc", "VACUUM ANALYZE kstar.job, kstar.job_hold"], check=True)
    sql("UPDATE closure SET facts_sha256 = facts FROM facts_of_months(ARRAY(SELECT statement_month FROM closure)) AS today "
        "WHERE today.statement_month = closure.statement_month")


def measure_two_jobs(inbox):
    """The first and the last of all logged what they got through: what ran in their weeks is of use
    to the fits, and nothing that ran in the years between."""
    jobs = [line.split("|") for line in sql(
        "SELECT job_id, to_char((start_time + (end_time - start_time) / 2) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), node_count "
        "FROM job WHERE end_time > start_time AND start_time IN (SELECT min(start_time) FROM job WHERE end_time > start_time "
        "UNION SELECT max(start_time) FROM job WHERE end_time > start_time)").splitlines()]
    assert len(jobs) == 2, jobs
    (inbox / "efficiency").mkdir(exist_ok=True)
    (inbox / "efficiency" / "at_work.csv").write_text(
        "family,k,metric,value,unit,job_id,measured_at,accelerator,precision,batch,model,sequence_length,software\n" +
        "".join(f"speech,{k},throughput,100,,{job},{when},H100,bf16,512 samples,gpt-7b,4096,torch 2.4\n" for job, when, k in jobs))


def rows_read():
    """Of job and of job_hold. A server process counts what it has read when it ends, which may be
    after its client has."""
    while sql("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'") != "0":
        pass
    return [int(rows) for rows in sql("SELECT seq_tup_read + coalesce(idx_tup_fetch, 0) FROM pg_stat_user_tables "
                                      "WHERE schemaname = 'kstar' AND relname IN ('job', 'job_hold') ORDER BY relname").split()]


def published():
    """A hash of the open month's rows, table by table."""
    return {table: sql(f"SELECT md5(string_agg(row::text, E'\\n' ORDER BY row::text COLLATE \"C\")) FROM {table} AS row WHERE statement_month = {OPEN}")
            for table in ("charge", "shared_part", "statement_row", "job_result", "statement_note", "statement_price", "family_fit", "finding")}


def night(inbox, out, day):
    """One that publishes the open month again, for the sake of an exchange rate that nothing asks
    for."""
    with (inbox / "reference" / "exchange_rates.csv").open("a", encoding="utf-8") as file:
        file.write(f"2031-01-{day:02},EUR,USD,1.5\n")
    kstar("nightly", inbox, "--out", out, "--quiet")


it("the open month is published beside two closed ones")
inbox, out = WORK / "inbox", WORK / "out"
made(inbox)
of_few_centres(inbox)
kstar("init")
subprocess.run([KSTAR, "db", "psql", "--", "-Xqc", "ALTER SYSTEM SET enable_seqscan = off", "-c", "SELECT pg_reload_conf()"],
               check=True, stdout=subprocess.DEVNULL)
close(inbox, out)
without = published()
facts = int(sql("SELECT count(*) FROM job")), int(sql("SELECT count(*) FROM job_hold"))

it("years of attempts that were over long before are there")
plant_old_attempts()
measure_two_jobs(inbox)
night(inbox, out, 1)  # what has changed of closed months is added up once
planted = int(sql("SELECT count(*) FROM job")) - facts[0]
assert planted > 40000, planted

it("the night after says the same of the open month, and reads none of them")
before = rows_read()
night(inbox, out, 2)
jobs, nodes = (after - earlier for earlier, after in zip(before, rows_read()))
print(f"read {jobs} rows of job where {facts[0]} are not old, {nodes} of job_hold where {facts[1]} are not; {planted} attempts are old")
equals(without, published())
equals("0", sql("SELECT count(*) FROM replay"))
equals("2", sql("SELECT count(*) FROM measurement WHERE job_id IS NOT NULL"))
assert jobs < planted / 4, f"{jobs} rows of job"
assert nodes < planted / 4, f"{nodes} rows of job_hold"
