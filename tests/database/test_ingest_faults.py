"""What a load must survive: no server, a lost connection, a full disk; and readers who look on
while a bill is restated."""

import os
import subprocess
import sys
import threading
from pathlib import Path

KSTAR = os.environ["KSTAR"]
SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

from saying import expect, failures, run, wait_until

CLEAN, ATTENTION, DATABASE = 0, 4, 7


def sql(query):
    done = run("db", "psql", "--", "-XAtqc", query)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def generate(name, lines, seed):
    folder = WORK / name
    subprocess.run([SOURCES / "fixtures" / "generate", "--out", folder, "--seed", str(seed), "--lines", str(lines), "--jobs", "20",
                    "--month", "2026-09"], check=True)
    return max((folder / "billing").glob("*/*"), key=lambda place: sum(file.stat().st_size for file in place.iterdir()))


def ingest(folder, *options, **more):
    return run("ingest", "billing", "--source", "cloud", "--accept", folder, *options, **more)


def billed():
    return sql("SELECT count(*) || ' ' || coalesce(sum(billed_cost), 0) FROM kstar.current_billing_line WHERE source = 'cloud'")


def no_server(folder):
    done = ingest(folder, "--dsn", f"host={WORK} dbname=nobody")
    lines = done.stderr.strip().splitlines()
    expect("without a server the exit code is 7 and one line says why", done.returncode == DATABASE
           and len([line for line in lines if line.startswith("error: ")]) == 1, done.stderr)


CUT = """DO $$
BEGIN
    FOR attempt IN 1 .. 20000 LOOP
        PERFORM pg_stat_clear_snapshot();
        PERFORM pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'COPY %billing_line%' AND state = 'active';
        EXIT WHEN FOUND;
        PERFORM pg_sleep(0.001);
    END LOOP;
END $$"""


def lost_connection(folder):
    # the server itself looks for the load and cuts it off; it is looking before the load begins
    cutter = subprocess.Popen([KSTAR, "db", "psql", "--", "-Xqc", CUT], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_until("SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'DO $$%' AND state = 'active'", "1")
    done = ingest(folder)
    cutter.wait()
    expect("a connection that is cut during the load ends it with 7", done.returncode == DATABASE, f"{done.returncode} {done.stderr}")
    expect("nothing of it is visible", billed() == "0 0", billed())


def full_disk(folder, whole):
    run("db", "stop")
    limit = 20 << 20  # above the 16 MiB of a WAL segment, below the lines' own file
    # PostgreSQL takes a file that may not grow for a disk that is full
    started = run("db", "start")
    with open(os.path.join(os.environ["KSTAR_DATA_DIR"], "postgresql", "postmaster.pid"), encoding="utf-8") as pid_file:
        server = pid_file.readline().strip()
    owner = os.stat(pid_file.name)
    as_server = ["setpriv", f"--reuid={owner.st_uid}", f"--regid={owner.st_gid}", "--clear-groups"] if os.getuid() == 0 else []
    subprocess.run([*as_server, "prlimit", "--pid", server, f"--fsize={limit}:"], check=True)
    done = ingest(folder)
    expect("a full disk ends the load with 7 and says so", started.returncode == 0 and done.returncode == DATABASE
           and ("could not extend file" in done.stderr or "could not write" in done.stderr), started.stderr + done.stderr)
    run("db", "stop")
    run("db", "start")
    expect("what was there before is there still", billed() == whole, billed())


def readers(first, second):
    """Sums that a reader sees while deliveries take turns: the old one or the new one, never both
    and never neither."""
    seen, stop = [], threading.Event()

    def read():
        while not stop.is_set():
            seen.append(billed())

    ingest(first)
    sums = {billed()}
    reader = threading.Thread(target=read)
    reader.start()
    number = 0
    # until it has looked often enough, on a busy machine as well
    while number < 6 or (len(seen) <= 10 and reader.is_alive()):
        ingest((second, first)[number % 2])
        if number == 0:
            sums.add(billed())
        number += 1
    stop.set()
    reader.join()
    expect("a reader sees the old delivery or the new one", len(sums) == 2 and set(seen) <= sums and len(seen) > 10, f"{sums} {set(seen)} {len(seen)}")
    expect("both were seen", set(seen) == sums, f"{set(seen)}")


def new_period_at_once():
    """Another source's delivery has just made the partition of a new month, and is not done yet."""
    folder = WORK / "other-source"
    folder.mkdir()
    (folder / "bill.csv").write_text("BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,"
                                     "BillingCurrency\n1.00,1.00,2031-01-01T00:00:00Z,2031-01-01T00:00:00Z,2031-01-02T00:00:00Z,Usage,USD\n")
    other = subprocess.Popen([KSTAR, "db", "psql", "--", "-XAtq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    other.stdin.write("BEGIN;\nSELECT kstar.ensure_billing_partition('2031-01-01');\n")
    other.stdin.flush()
    other.stdout.readline()
    waiting = subprocess.Popen([KSTAR, "ingest", "billing", "--source", "other", folder], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               text=True)
    wait_until("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted", "t", waiting)
    other.communicate("COMMIT;\n")
    output = waiting.communicate()[1]
    expect("a month that two sources deliver at once is loaded by both", waiting.returncode == CLEAN, output)


large = generate("large", 200000, 1)
no_server(large)
run("db", "start")
run("init")
new_period_at_once()
lost_connection(large)
small, other = generate("small", 2000, 2), generate("other", 3000, 3)
ingest(small)
full_disk(large, billed())
done = ingest(large)
lines = billed()
expect("run again, all of it is there", done.returncode in (CLEAN, ATTENTION) and int(lines.split()[0]) > 100000, done.stderr + lines)
readers(small, other)
sys.exit(1 if failures else 0)
