"""The run ledger: what a night, an ingest and a killed run leave in it, and what SIGTERM and SIGINT
do in the middle of an ingest and of an allocation."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from everything import database, start_over, workbooks  # noqa: E402
from nights import INBOX, KSTAR, WORK, small_company  # noqa: E402
from saying import equals, it, run, sql, wait_until  # noqa: E402

OUT = WORK / "out"
SECONDS_TO_END = 20  # on a busy machine; kstar itself gives up after 5


def night():
    return run("nightly", INBOX, "--out", OUT, "--quiet")


class Lock:
    """What nobody else can have: the next kstar waits where it needs it."""

    def __init__(self, statement):
        self.psql = subprocess.Popen([KSTAR, "db", "psql", "--", "-XAtq", "-v", "ON_ERROR_STOP=1"], stdin=subprocess.PIPE,
                                     stdout=subprocess.PIPE, text=True)
        self.psql.stdin.write(f"BEGIN; {statement}; SELECT 'held';\n")
        self.psql.stdin.flush()
        assert self.psql.stdout.readline() == "held\n"

    def release(self):
        self.psql.communicate("ROLLBACK;\n")


def caught(table, *arguments):
    """A kstar that waits for `table`, and the lock."""
    return caught_at(f"LOCK TABLE kstar.{table} IN ACCESS EXCLUSIVE MODE", *arguments)


def caught_at(statement, *arguments):
    lock = Lock(statement)
    process = subprocess.Popen([KSTAR, *map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    wait_until("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'", "1")
    return process, lock


small_company()

it("notes a night with its stages: outcomes, rows, bytes, versions")
equals(4, night().returncode)
equals(f"nightly|{INBOX}|{OUT}|waits|4||t|t|t|{run('--version').stdout.split()[1]}|t",
       sql("SELECT command, inbox, out_dir, outcome, exit_code, message, ended_at >= started_at, seconds > 0, peak_memory_bytes > 1000000,"
           " kstar_version, current_setting('server_version') = server_version FROM run_ledger"))
equals("reference|||done\nbilling|||waits\njobs|||done\nnodes|||done\nefficiency|||done\ncompare|closed||done\ncompare|open||done\npublish|2026-09||done\nworkbooks|2026-09||done",
       sql("SELECT stage, subject, message, outcome FROM run_stage WHERE ended_at >= started_at AND seconds >= 0 ORDER BY stage_number"))
for kind in ("billing", "jobs", "nodes", "efficiency"):
    equals(sql(f"SELECT sum(row_count), sum(quarantined_rows) FROM delivery WHERE kind = '{kind}'"),
           sql(f"SELECT rows, quarantined FROM run_stage WHERE stage = '{kind}'"))
    files = [path for path in (INBOX / kind).rglob("*") if path.is_file()]
    equals(f"{len(files)}|{sum(path.stat().st_size for path in files)}", sql(f"SELECT files, bytes FROM run_stage WHERE stage = '{kind}'"))
equals(sql("SELECT run_id FROM statement"), sql("SELECT run_id FROM run_stage WHERE stage = 'publish'"))
equals(sql("SELECT count(*) FROM current_billing_line"), sql("SELECT rows FROM run_stage WHERE stage = 'publish'"))
written = [path for path in OUT.iterdir() if path.suffix in (".xlsx", ".csv", ".html")]
equals(f"{len(written)}|{sum(path.stat().st_size for path in written)}", sql("SELECT files, bytes FROM run_stage WHERE stage = 'workbooks'"))
equals(sql("SELECT kind, source, label, row_count FROM delivery ORDER BY kind, label"),
       sql("SELECT kind, source, label, rows FROM run_delivery WHERE kind <> 'reference' ORDER BY kind, label"))

it("notes a night without news, which changes nothing else")
expected, expected_workbooks = database(), workbooks(OUT)
equals(0, night().returncode)
equals("done|0", sql("SELECT outcome, exit_code FROM run_ledger WHERE run_number = 2"))
equals("0", sql("SELECT count(*) FROM run_delivery WHERE run_number = 2"))
equals((expected, expected_workbooks), (database(), workbooks(OUT)))

it("notes what was refused, in words; names that are not text are refused, too, and stop nothing else")
strange = os.fsdecode(b"\xff \xe2\x82.csv")
for folder in ("billing/alder/2026-10", "billing/alder/2026-1\udcff", "jobs/fjord"):
    (INBOX / folder).mkdir(exist_ok=True)
(INBOX / "billing/alder/2026-10" / strange).write_text("BilledCost\n1.00\n")
(INBOX / "billing/alder/2026-1\udcff/bill.csv").write_text("BilledCost\n1.00\n")
(INBOX / "jobs/fjord" / strange).write_text("JobID\n1\n")
(INBOX / "nodes/aurora/empty.txt").write_text("")
equals(3, night().returncode)
equals("refused|billing/alder/2026-10|? ??.csv: the name is not UTF-8\n"
       "refused|billing/alder/2026-1?|billing/alder/2026-1?: the name is not UTF-8\n"
       "refused|jobs/fjord/? ??.csv|jobs/fjord/? ??.csv: the name is not UTF-8",
       sql("SELECT outcome, label, message FROM run_delivery WHERE run_number = 3 AND kind <> 'nodes' ORDER BY label"))
equals("billing|refused\njobs|refused\nnodes|refused", sql("SELECT stage, outcome FROM run_stage WHERE run_number = 3 AND outcome <> 'done' ORDER BY 1"))
equals("refused|3|", sql("SELECT outcome, exit_code, message FROM run_ledger WHERE run_number = 3"))
shutil.rmtree(INBOX)
small_company()

it("notes an ingest by hand, a model and a close, and no command that only reads")
runs = int(sql("SELECT max(run_number) FROM run_ledger"))
equals(4, run("ingest", "billing", "--source", "other", "--accept", INBOX / "billing" / "fjordhall" / "2026-09").returncode)
equals(0, run("ingest", "jobs", INBOX / "jobs" / "fjord" / "2026-09.txt").returncode)
equals(3, run("ingest", "nodes", "--source", "fjord", INBOX / "reference" / "pools.csv").returncode)
equals(0, run("model").returncode)
equals(4, run("close", "2026-09").returncode)
for reading in ("status", "budget", "model --fits", "close --list", "ingest quarantine", "report journal --list"):
    run(*reading.split())
equals("ingest billing|waits|billing\ningest jobs|done|jobs\ningest nodes|refused|nodes\nmodel|done|compare\nmodel|done|publish\nclose|waits|compare\nclose|waits|close",
       sql(f"""SELECT command, run_ledger.outcome, stage FROM run_ledger JOIN run_stage USING (run_number)
               WHERE run_number > {runs} ORDER BY run_number, stage_number"""))

it("ends the stage of an ingest by hand as it ended: the first failure that ends it outweighs what waits")
jobs = WORK / "jobs" / "broken"
jobs.mkdir(parents=True)
RECORD = "JobID|State|Start|End|NNodes\n1|COMPLETED|2026-09-01T01:00:00|2026-09-01T02:00:00|1\n"
(jobs / "1-waits.txt").write_text(RECORD + "2|cut\n", encoding="utf-8")
(jobs / "2-fails.txt").write_text(RECORD.replace("1|COMP", "13|COMP"), encoding="utf-8")
sql("CREATE FUNCTION kstar.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no such job here'; END $$; "
    "CREATE TRIGGER refuse BEFORE INSERT ON kstar.job FOR EACH ROW WHEN (NEW.job_id = '13') EXECUTE FUNCTION kstar.refuse()")
runs = int(sql("SELECT max(run_number) FROM run_ledger"))
equals(7, run("ingest", "jobs", jobs / "1-waits.txt", jobs / "2-fails.txt").returncode)
equals(3, run("ingest", "jobs", jobs / "1-waits.txt", jobs / "3-missing.txt").returncode)
equals(3, run("ingest", "efficiency", jobs / "1-waits.txt").returncode)
equals("jobs|database failed|database failed|t\njobs|refused|refused|t\nefficiency|refused|refused|t",
       sql(f"""SELECT stage, run_ledger.outcome, run_stage.outcome, run_stage.message = run_ledger.message FROM run_ledger JOIN run_stage USING (run_number)
               WHERE run_number > {runs} ORDER BY run_number, stage_number"""))

it("says of a night that the database failed, whatever waited before that")
shutil.copytree(jobs, INBOX / "jobs" / "broken")
equals(7, night().returncode)
equals("jobs|database failed|database failed|7", sql("""SELECT stage, run_stage.outcome, run_ledger.outcome, exit_code FROM run_ledger JOIN run_stage USING (run_number)
                                                      WHERE run_number = (SELECT max(run_number) FROM run_ledger) ORDER BY stage_number DESC LIMIT 1"""))
shutil.rmtree(INBOX / "jobs" / "broken")
sql("DROP TRIGGER refuse ON kstar.job")

it("shows a run that was killed as interrupted at once, and the next run marks it")
start_over(OUT)
process, lock = caught("load_chunk", "nightly", INBOX, "--out", OUT, "--quiet")
equals("running|running", sql("SELECT outcome, state FROM run_state"))
seen = run("status")
equals(0, seen.returncode)
assert re.search(r"at work now\n.*\n  nightly +1  [-0-9T:]+Z  billing\n", seen.stdout), seen.stdout
process.kill()
process.communicate()
wait_until("SELECT state FROM run_state", "interrupted")
equals("running||", sql("SELECT outcome, ended_at, exit_code FROM run_ledger"))
seen = run("status")
equals(9, seen.returncode)
assert seen.stdout.startswith("last night  killed: it began "), seen.stdout
lock.release()
equals(4, night().returncode)
equals("interrupted|||killed\nwaits|t|4|", sql("SELECT outcome, ended_at > started_at, exit_code, message FROM run_ledger ORDER BY run_number"))
equals("reference|done\nbilling|interrupted", sql("SELECT stage, outcome FROM run_stage WHERE run_number = 1 ORDER BY stage_number"))
equals((expected, expected_workbooks), (database(), workbooks(OUT)))

it("goes on with its notes where the server has ended their session alone")
start_over(OUT)
process, lock = caught("load_chunk", "nightly", INBOX, "--out", OUT, "--quiet")
equals("t", sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle' AND query LIKE '%INSERT INTO run_stage%'"))
wait_until("SELECT state FROM run_state", "interrupted")
lock.release()
process.communicate()
equals("waits|4|waits", sql("SELECT outcome, exit_code, state FROM run_state"))
equals("reference|done\nbilling|waits\njobs|done", sql("SELECT stage, outcome FROM run_stage ORDER BY stage_number LIMIT 3"))

for how, where, table in ((signal.SIGTERM, "an ingest", "load_chunk"), (signal.SIGINT, "an allocation", "statement_detail"),
                          (signal.SIGTERM, "an allocation", "statement_invoice")):
    it(f"ends within seconds by {how.name} in the middle of {where}, says so, and leaves nothing half-done")
    start_over(OUT)
    process, lock = caught(table, "nightly", INBOX, "--out", OUT, "--quiet", "--metrics", WORK / "kstar.prom")
    begin = time.monotonic()
    process.send_signal(how)
    output, errors = process.communicate(timeout=SECONDS_TO_END)
    print(f"  after {time.monotonic() - begin:.2f} s")
    equals(-how, process.returncode)
    equals(("", ["error: interrupted; the open transaction is dropped, run the command again"]),
           (output, [line for line in errors.splitlines() if "event=quarantined" not in line and "event=metrics" not in line]))
    equals(f"interrupted|{128 + how}|t", sql("SELECT outcome, exit_code, ended_at > started_at FROM run_ledger"))
    equals("interrupted", sql("SELECT outcome FROM run_stage ORDER BY stage_number DESC LIMIT 1"))
    assert f"kstar_last_run_exit_code {128 + how}\n" in (WORK / "kstar.prom").read_text()
    (WORK / "kstar.prom").unlink()
    lock.release()
    wait_until("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'", "0")
    equals("0", sql(f"SELECT count(*) FROM {table}"))
    assert night().returncode in (0, 4)  # 4 where the quarantined row of the fixtures is news again
    equals((expected, expected_workbooks), (database(), workbooks(OUT)))

# The trigger acts when the night has made a working table. At `attempt` the server sorts the lines
# for the readers. At `held_time` the readers make charges.
WHEN_MADE = """
    CREATE OR REPLACE FUNCTION kstar.when_made() RETURNS event_trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF EXISTS (SELECT FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'pg_temp.{}') THEN
            {};
        END IF;
    END
    $$;
    DROP EVENT TRIGGER IF EXISTS when_made;
    CREATE EVENT TRIGGER when_made ON ddl_command_end WHEN tag IN ('CREATE TABLE AS') EXECUTE FUNCTION kstar.when_made()"""
NIGHT_OF_TWO = ("nightly", INBOX, "--out", OUT, "--quiet", "--jobs", "2")
CLIENTS = "SELECT count(*) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
READER = "state = 'idle in transaction' AND query LIKE '{}% month_holds'"
SORTED, READ = READER.format("FETCH"), READER.format("CLOSE")


def caught_with_readers(table, readers):
    """A night that waits when it has made the table, until its two readers are as far as that. None
    has written a charge."""
    start_over(OUT)
    sql(WHEN_MADE.format(table, """
            IF to_regclass('pg_temp.charge_sum') IS NOT NULL THEN
                ASSERT NOT EXISTS (SELECT FROM pg_temp.charge_sum), 'a charge is written';
            END IF;
            PERFORM pg_advisory_xact_lock(1)"""))
    process, lock = caught_at("DO $$ BEGIN PERFORM pg_advisory_xact_lock(1); END $$", *NIGHT_OF_TWO)
    wait_until(f"{CLIENTS} AND {readers}", "2")
    return process, lock


for doing, table, readers in ("sorts lines", "attempt", SORTED), ("makes charges", "held_time", READ):
    it(f"{doing} while the next steps run, and takes its readers along when it is ended then")
    process, lock = caught_with_readers(table, readers)
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=SECONDS_TO_END)
    equals(-signal.SIGTERM, process.returncode)
    lock.release()
    wait_until(CLIENTS, "0")

it("takes them along when a step fails then, and the next night is as any")
for file, table in ("08_jobs", "attempt"), ("11_held_time", "held_time"):
    sql(WHEN_MADE.format(table, "RAISE 'not now'"))
    failed = run(*NIGHT_OF_TWO)
    equals((7, [f"error: statement 2026-09: allocate/{file}.sql: database: not now"]),
           (failed.returncode, [line for line in failed.stderr.splitlines() if line.startswith("error: ")]))
    wait_until(CLIENTS, "0")
sql("DROP EVENT TRIGGER when_made; DROP FUNCTION kstar.when_made")
assert run(*NIGHT_OF_TWO).returncode in (0, 4)
equals((expected, expected_workbooks), (database(), workbooks(OUT)))

it("says so where a reader is lost then")
process, lock = caught_with_readers("attempt", SORTED)
sql(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {SORTED} LIMIT 1")
lock.release()
errors = process.communicate()[1]
equals(7, process.returncode)
assert re.search(r"^error: statement 2026-09: .*terminat", errors, re.M), errors
wait_until(CLIENTS, "0")
sql("DROP EVENT TRIGGER when_made; DROP FUNCTION kstar.when_made")

it("goes on without a ledger where it cannot be written")
sql("REVOKE ALL ON run_ledger FROM PUBLIC; ALTER TABLE run_ledger RENAME TO run_ledger_away")
again = run("nightly", INBOX, "--out", OUT)
equals(0, again.returncode)
equals(1, sum("event=ledger" in line for line in again.stderr.splitlines()))
