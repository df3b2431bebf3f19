"""A database that a build made and another one, of the same version and other rules, goes on with:
each run id stands for the rules that gave its money, and what the other one reads otherwise in
files of open months it reads again. Where that build reads as the first one did, what the first one
misread is planted in the database."""

import json
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import closed_months  # noqa: E402
import everything  # noqa: E402
import published  # noqa: E402
from nights import INBOX, KSTAR, WORK, small_company  # noqa: E402
from saying import equals, it, kstar, sql  # noqa: E402

OTHER = os.environ["KSTAR_OTHER_BUILD"]
CLEAN = (0, 4)
AGAIN = "the next night reads it again"
GONE = "not read again: it is not in the inbox"
MISREAD = """UPDATE billing_line SET consumed_quantity = 1, tag_set_key = NULL;
             UPDATE job SET partition = 'misread', record_hash = 0;
             UPDATE delivered_node SET node_type = 'misread';
             UPDATE measurement SET value = 1"""
READ = ("lines", "quarantined", "jobs", "job_places", "job_nodes", "horizons", "listings", "measurements", "node_inventory")


def night(program, out, *options):
    done = subprocess.run([program, "nightly", INBOX, "--out", out, *options], capture_output=True, text=True, check=False)
    assert done.returncode in CLEAN, done.stderr
    return done.stdout


def run_ids(program, *options):
    printed = subprocess.run([program, "status", "--json", *options], capture_output=True, text=True, check=False).stdout
    status = json.loads(printed)
    return sql("SELECT string_agg(run_id, ' ' ORDER BY statement_month) FROM statement"), status


def other_loader(program):
    """What the status says of deliveries that another build has read: why, by label."""
    return {row["delivery"]: row["why"] for row in run_ids(program)[1]["other_loader"]}


def read():
    """What was read of files, as hashes."""
    found = everything.database()
    return {name: found[name] for name in READ}


def deliveries():
    """Those of an inbox: folders of bills, files of the other kinds, by their labels."""
    found = [*INBOX.glob("billing/*/*"), *INBOX.glob("jobs/*/*"), *INBOX.glob("nodes/*/*"), *INBOX.glob("efficiency/*")]
    return sorted(str(path.relative_to(INBOX)) for path in found)


small_company()
night(KSTAR, WORK / "out")
first, status = run_ids(KSTAR)

it("a build says nothing of what it read itself")
equals([], status["other_loader"])
assert "1 up to date" in night(KSTAR, WORK / "out") or "nothing" in night(KSTAR, WORK / "out")

it("a build with other rules shows the open months as outdated, and which deliveries another one read")
_, status = run_ids(OTHER)
assert {month["state"] for month in status["statements"]} != {"up to date"}, status["statements"]
equals({label: AGAIN for label in deliveries()}, other_loader(OTHER))
assert AGAIN in subprocess.run([OTHER, "status"], capture_output=True, text=True, check=False).stdout

it("it reads them again, and publishes the months again, under another run id, once")
right = read()
sql(MISREAD)
wrong = read()
equals({"lines", "jobs", "measurements"}, {name for name in READ if right[name] != wrong[name]})
output = night(OTHER, WORK / "out")
assert "1 published" in output, output
equals(right, read())
equals({}, other_loader(OTHER))
second, _ = run_ids(OTHER)
assert second != first, second
stamped = sql("SELECT string_agg(xmin::text, ' ') FROM statement")
loaded = sql("SELECT count(*), max(delivery_id) FROM delivery")
night(OTHER, WORK / "out")
equals(stamped, sql("SELECT string_agg(xmin::text, ' ') FROM statement"))
equals(loaded, sql("SELECT count(*), max(delivery_id) FROM delivery"))

it("a new database of the other build has the same run id from the same inbox")
published.run(published.server(), "CREATE DATABASE new")
new = published.server() + "new"
subprocess.run([OTHER, "init", "--quiet", "--dsn", new], check=True, stdout=subprocess.DEVNULL)
night(OTHER, WORK / "new", "--dsn", new)
equals(second, " ".join(row["run_id"] for row in published.query("SELECT run_id FROM kstar.statement ORDER BY statement_month", new)))

it("a file that is gone is named, and what was read of it stays; a later delivery of the same jobs has the last word")
later = INBOX / "jobs" / "aurora" / "2026-10.txt"
header, *records = (INBOX / "jobs" / "aurora" / "2026-09.txt").read_text(encoding="utf-8").splitlines()
column = header.split("|").index("Partition")
corrected = [record.split("|") for record in records[:40]]
later.write_text("\n".join([header, *("|".join([*row[:column], "corrected", *row[column + 1:]]) for row in corrected)]) + "\n", encoding="utf-8")
night(OTHER, WORK / "out")
right = read()
gone = ["billing/boreas/2026-09", "jobs/aurora/2026-10.txt"]
shutil.move(INBOX / gone[0], WORK / "gone")
later.unlink()
equals({label: GONE if label in gone else AGAIN for label in [*deliveries(), *gone]}, other_loader(KSTAR))
night(KSTAR, WORK / "out")
equals(dict.fromkeys(gone, GONE), other_loader(KSTAR))
equals(right, read())
equals(str(sum("." not in record[0] for record in corrected)), sql("SELECT count(*) FROM job WHERE partition = 'corrected'"))

it("nothing that a closed month was made of is touched")
home = WORK / "closed"
home.mkdir()
everything.start_over()
closed_months.made(home / "inbox")
closed_months.of_few_centres(home / "inbox")
closed_months.close(home / "inbox", home / "out", lambda: kstar("nightly", home / "inbox", "--out", home / "out", "--quiet"))
OF_CLOSED = """SELECT string_agg(row, ' ' ORDER BY row) FROM (
    SELECT 'line ' || billing_period || ' ' || chunk_id || ' ' || line_in_chunk || ' ' || xmin AS row FROM billing_line WHERE billing_period < '2026-10-01'
    UNION ALL SELECT 'job ' || attempt_id || ' ' || xmin FROM job WHERE start_time < '2026-09-01'
    UNION ALL SELECT 'hold ' || attempt_id || ' ' || xmin FROM job_hold WHERE start_time < '2026-09-01'
    UNION ALL SELECT 'load ' || closure_load::text FROM closure_load
    UNION ALL SELECT 'closure ' || closure::text FROM closure
    UNION ALL SELECT 'statement ' || statement::text FROM statement WHERE status = 'Final') AS of_closed"""
sql("UPDATE job SET record_hash = 0; UPDATE job SET partition = 'misread' WHERE start_time >= '2026-09-01'")
before = sql(OF_CLOSED)
assert before.count("line ") > 2000 and before.count("job ") > 100, before[:1000]
open_deliveries = {f"billing/{source}/2026-10" for source in ("alder", "boreas")} | {"jobs/main/2026-10.txt", "efficiency/measurements.csv"}
straddling = {"jobs/main/2026-08.txt"}  # its last record is of September
equals(dict.fromkeys(open_deliveries | straddling, AGAIN), other_loader(OTHER))
done = subprocess.run([OTHER, "nightly", home / "inbox", "--out", home / "out", "--quiet"], capture_output=True, text=True, check=False)
assert done.returncode in CLEAN, done.stderr
equals(before, sql(OF_CLOSED))
equals("0", sql("SELECT count(*) FROM job WHERE partition = 'misread'"))
equals("0", sql("SELECT count(*) FROM adjustment"))
equals({}, other_loader(OTHER))
