"""A database over several servers gives what one server gives, to the last digit and byte
(docs/distributed.md).

Citus on a coordinator and two workers beside a plain server: the fixtures, and generated months
that are closed and then change. One worker has other ideas of time zone and dates than kstar. Every
table is compared row by row, every workbook byte by byte, and the fixtures' statement with the one
that is worked out without kstar.
"""

import csv
import filecmp
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
WORK = Path(os.environ["WORK"])
KSTAR = os.environ["KSTAR"]
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import citus_cluster
import published
from extent import tried
from saying import equals, it

WRITTEN = (".xlsx", ".csv", ".html")
QUARANTINED, BUSY, FAILED_DATABASE, USAGE = 4, 6, 7, 2  # exit codes
BY_RESOURCE, BY_JOB = ["billing_line"], ["job", "job_hold"]
DIMENSIONS = ["account", "charge_description", "charge_kind", "commitment", "custom_columns", "invoice", "resource", "sku", "tag_set"]
# The ledger says when a run was and how it ended; two others are about the schema; and over several
# servers no hour of job records is kept added up.
NOT_COMPARED = {"run_ledger", "run_stage", "run_delivery", "schema_migration", "distributed_table", "job_tally",
                "job_change"}

citus_cluster.skip_unless_installed()
citus = citus_cluster.Citus(WORK / "citus")
citus.workers[0].query("ALTER SYSTEM SET timezone = 'Asia/Tokyo'")
citus.workers[0].query("ALTER SYSTEM SET datestyle = 'SQL, DMY'")
citus.workers[0].query("ALTER SYSTEM SET intervalstyle = 'sql_standard'")
# Statements take their time for each shard. Citus itself cuts a table into 32.
citus.coordinator.query(f"ALTER SYSTEM SET citus.shard_count = {tried(8, 32)}")
for server in citus.coordinator, citus.workers[0]:
    server.query("SELECT pg_reload_conf()")


def kstar(dsn, *arguments, code=0):
    """The output of a command that ends with `code`."""
    done = subprocess.run([KSTAR, *map(str, arguments), *(["--dsn", dsn] if dsn else [])], capture_output=True, text=True, check=False)
    assert done.returncode == code, f"kstar {arguments} ended with {done.returncode}\n{done.stdout}{done.stderr}"
    return done


def psql(dsn, query):
    done = subprocess.run(["psql", dsn, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", "SET timezone = 'UTC'", "-c", query], capture_output=True,
                          text=True, check=False)
    assert done.returncode == 0, f"{query}\n{done.stderr}"
    return done.stdout.splitlines()


def new_plain(name):
    return published.new_database(name)


def new_distributed(name):
    dsn = citus.new_database(name)
    kstar(dsn, "init", "--distributed", "--quiet")
    return dsn


def everything(dsn):
    """The rows of each table, and of each view that others read, sorted, as text; columns by
    name."""
    copies = psql(dsn, """SELECT format('\\echo @%s', relname) || E'\\n' ||
                                 format('COPY (SELECT %s FROM %s) TO STDOUT;', string_agg(quote_ident(attname), ', ' ORDER BY attname),
                                        pg_class.oid::regclass)
                          FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
                          WHERE relnamespace = 'kstar'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
                             OR relnamespace = 'kstar_views'::regnamespace AND relkind = 'v'
                          GROUP BY pg_class.oid ORDER BY relname""")
    done = subprocess.run(["psql", dsn, "-XAtq", "-v", "ON_ERROR_STOP=1"], input="\n".join(["SET timezone = 'UTC';", *copies]),
                          capture_output=True, text=True, check=True)
    tables, table = {}, None
    for line in done.stdout.splitlines():
        if line.startswith("@"):
            table = tables.setdefault(line[1:], [])
        else: # a closed month knows the folder of its workbooks
            table.append(line.replace("/distributed", "/plain"))
    assert {"billing_line", "report_job"} <= tables.keys(), tables.keys()
    return {name: sorted(rows) for name, rows in tables.items() if name not in NOT_COMPARED}


def databases_are_equal(plain, distributed):
    """How many tables with rows there are, all of them the same."""
    expected, found = everything(plain), everything(distributed)
    equals(list(expected), list(found))
    for table, rows in expected.items():
        missing, extra = Counter(rows) - Counter(found[table]), Counter(found[table]) - Counter(rows)
        assert not missing and not extra, (f"{table}: {len(rows)} and {len(found[table])} rows; only on one server {list(missing)[:3]}, "
                                           f"only on several {list(extra)[:3]}")
    return sum(rows != [] for rows in expected.values())


def files_are_equal(plain, distributed):
    names = sorted(path.relative_to(plain) for path in plain.rglob("*") if path.suffix in WRITTEN)
    equals(names, sorted(path.relative_to(distributed) for path in distributed.rglob("*") if path.suffix in WRITTEN))
    equals(([], []), filecmp.cmpfiles(plain, distributed, names, shallow=False)[1:])
    return len(names)


def by_server(dsn, table):
    """Rows by server, from the shards themselves, and the number of shards that have any."""
    counts, filled = Counter(), 0
    for line in psql(dsn, "SELECT nodeport, result FROM run_command_on_shards('kstar." + table + "', 'SELECT count(*) FROM %s') "
                          "JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)"):
        port, count = line.split("|")
        counts[int(port)] += int(count)
        filled += int(count) > 0
    return counts, filled


def nodes_are_whole(dsn):
    """How many resource keys a node has at most, whose lines lie in one shard."""
    lying = psql(dsn, """SELECT count(DISTINCT shard), count(DISTINCT resource_key), node
                         FROM (SELECT regexp_replace(lower(resource_id), '^.*/', '') AS node, resource_key,
                                      get_shard_id_for_distribution_column('kstar.billing_line', node_hash) AS shard
                               FROM (SELECT DISTINCT resource_key, node_hash FROM kstar.billing_line) AS line
                               JOIN kstar.resource USING (resource_key)
                               WHERE resource_id IS NOT NULL) AS lying
                         GROUP BY node""")
    equals([], [line for line in lying if line.split("|")[0] != "1"])
    equals(["0"], psql(dsn, "SELECT count(*) FROM kstar.billing_line JOIN kstar.resource USING (resource_key) "
                            "WHERE node_hash <> kstar.node_hash(resource_id)"))
    return max(int(line.split("|")[1]) for line in lying)


def refused(dsn, message, hint, code=FAILED_DATABASE, option="--distributed"):
    printed = kstar(dsn, "init", option, "--quiet", code=code).stderr
    assert message in printed and hint in printed, printed


it("says what to do if tables cannot be distributed")
refused(None, "kstar's own PostgreSQL is a single one", "--dsn", USAGE)
refused(new_plain("alone"), 'has no extension citus', "docs/distributed.md")
refused(citus.new_database("no_workers", workers=0), "has no worker to distribute to", "citus_add_node")
refused(citus.new_database("unlike", last_is="TEMPLATE template0 LC_COLLATE 'C' LC_CTYPE 'C'"), "is another kind: C C UTF8", "same encoding")
with_roles = citus.new_database("with_roles")
kstar(with_roles, "init", "--roles", "--quiet")
refused(with_roles, "has the roles of kstar init --roles", "nobody logs in as")

it("cuts lines by resource and jobs by job, says what lies where, and says it again")
first = citus.new_database("night")
printed = kstar(first, "init", "--distributed").stdout
for kind, names in (("by resource:", BY_RESOURCE), ("by job:", BY_JOB), ("on every server:", DIMENSIONS)):
    assert any(line.split(":")[0].strip() + ":" == kind and line.split(":")[1].strip() == ", ".join(names) for line in printed.splitlines()), printed
assert "lines are read on the workers, by resource" in printed, printed
assert "distributed already" in kstar(first, "init", "--distributed").stdout
refused(first, "is distributed: it takes no roles", "docs/distributed.md", option="--roles")

it("has the distribution key in every unique key of a distributed table")
equals([], psql(first, """SELECT conrelid::regclass FROM pg_constraint JOIN kstar.distributed_table ON conrelid = ('kstar.' || table_name)::regclass
                          WHERE contype IN ('p', 'u') AND distribution_key IS NOT NULL
                            AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey) AND attname = distribution_key)"""))

it("gives the night of the fixtures as one server does: every row, every workbook, and what is worked out without kstar")
plain = new_plain("night")
for dsn, out in ((plain, WORK / "plain"), (first, WORK / "distributed")):
    kstar(dsn, "nightly", SOURCES / "fixtures" / "inbox", "--out", out, code=QUARANTINED)
filled = databases_are_equal(plain, first)
written = files_are_equal(WORK / "plain", WORK / "distributed")
assert filled > 40 and written >= 10, (filled, written)
equals(0, published.compare(SOURCES / "fixtures" / "expected", "2026-09", first))

it("has lines, jobs and their nodes on both workers, and the dimensions on every server")
for table in BY_RESOURCE + BY_JOB:
    counts, filled = by_server(first, table)
    print(f"  {table}: {dict(counts)} rows by server, {filled} shards with rows")
    equals(sorted(worker.port for worker in citus.workers), sorted(counts))
    assert min(counts.values()) > 0 and filled > 5, (table, counts)
    equals(int(psql(first, f"SELECT count(*) FROM kstar.{table}")[0]), sum(counts.values()))
for table in DIMENSIONS:
    counts, _ = by_server(first, table)
    equals(3, len(counts))
    equals(1, len(set(counts.values())))

it("has all lines of a node in one shard, by the hash that SQL gives its name")
nodes_are_whole(first)

it("reads the month's lines on the worker that holds them, and none through the coordinator")
lines_read = [server.rows_fetched("month_lines", "night") for server in citus.servers()]
print(f"  lines read: coordinator {lines_read[0]}, workers {lines_read[1:]}")
of_month = int(psql(first, "SELECT count(*) FROM kstar.current_billing_line WHERE statement_month = '2026-09-01'")[0])
assert lines_read[0] == 0 and min(lines_read[1:]) > 0 and sum(lines_read) == of_month, (lines_read, of_month)

it("joins charges with their jobs, for who asks")
by_account = """SET search_path = kstar;
                SELECT account, count(*), sum(charge.effective_cost) FROM charge JOIN job USING (attempt_id) GROUP BY account ORDER BY account"""
assert len(psql(plain, by_account)) > 3
equals(*(psql(dsn, by_account) for dsn in (plain, first)))

it("changes nothing in a night without news, and refuses to distribute what is there")
kstar(first, "nightly", SOURCES / "fixtures" / "inbox", "--out", WORK / "distributed")
databases_are_equal(plain, first)
files_are_equal(WORK / "plain", WORK / "distributed")
late = citus.new_database("late")
kstar(late, "init", "--quiet")
kstar(late, "ingest", "jobs", SOURCES / "fixtures" / "inbox" / "jobs" / "fjord" / "2026-09.txt", "--source", "fjord")
refused(late, "is not empty: it holds 1 deliveries", "new database")

it("ends with 7 while a worker is down, and is as it was when it is back")
citus.workers[1].stop()
kstar(first, "model", "--period", "2026-09", "--as-of", "2026-10-02T00:00:00Z", code=FAILED_DATABASE)
citus.workers[1].start()
databases_are_equal(plain, first)

it("answers as one server does")
for command in ("report units", "report units --cost-centre CC-210 --json", "report forecast --scenario base k-star --months 3",
                "diff 2026-09 --all", "budget", "model --fits", "model --failed-runs", "model --rate-card", "ingest quarantine",
                "advise --family llm-pretrain", "verify", "explain --period 2026-09 --job aurora/41001",
                "explain --period 2026-09 --line boreas/2026-09/costs.csv:5"):
    equals(*(kstar(dsn, *command.split()).stdout for dsn in (plain, first)))
suggested = WORK / "suggested"
shutil.copytree(SOURCES / "fixtures" / "inbox", suggested)
(suggested / "reference" / "mapping_rules.csv").unlink()
proposals = []
for dsn in plain, first:
    psql(dsn, "UPDATE kstar.mapping_rule SET pattern = 'nobody'")
    kstar(dsn, "suggest", suggested)
    proposals.append({path.name: path.read_text(encoding="utf-8") for path in sorted(suggested.glob("reference/*.suggested.csv"))})
assert len(proposals[0]) > 1, proposals[0].keys()
equals(*proposals)
for dsn, out in ((plain, WORK / "plain"), (first, WORK / "distributed")):
    kstar(dsn, "report", "forecast", "--scenario", "base", "k-star", "--months", "3", "--out", out)
equals(written + 2, files_are_equal(WORK / "plain", WORK / "distributed"))


it("reads of lines of a year which of them a job can meet")
year = WORK / "year.csv"
year.write_text("BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,ResourceId,Tags\n" + "".join(
    f"9,9,2026-09-01,2026-09-01,{end},Usage,USD,{resource},{tags}\n"
    for end, resource, tags in (("2027-09-01", "", '"{""team"":""a""}"'), ("2027-03-01", "", '"{""job_id"":""7""}"'), ("2027-02-01", "i-1", ""))), encoding="utf-8")
licence = new_distributed("licence")
kstar(licence, "ingest", "billing", "--source", "licence", year)
equals(["2027-09-01 00:00:00+00|2027-03-01 00:00:00+00"], psql(licence, "SELECT covered_to, jobs_to FROM kstar.load"))


class Blocker:
    """A session on the coordinator that holds a lock of a table, until it is let go."""

    def __init__(self, database, table):
        self.process = subprocess.Popen(["psql", citus.coordinator.dsn(database), "-XAtq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.process.stdin.write(f"BEGIN; LOCK TABLE kstar.{table} IN SHARE MODE; SELECT 'locked';\n")
        self.process.stdin.flush()
        equals("locked\n", self.process.stdout.readline())

    def let_go(self):
        self.process.communicate("COMMIT;\n")
        equals(0, self.process.returncode)


def start(dsn, *arguments):
    return subprocess.Popen([KSTAR, *map(str, arguments), "--dsn", dsn], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def wait_for_lock(kind, process):
    """Until a session waits for a lock of that kind."""
    deadline = time.monotonic() + 60
    while citus.coordinator.query(f"SELECT count(*) > 0 FROM pg_locks WHERE NOT granted AND locktype = '{kind}'") != "t":
        assert process.poll() is None and time.monotonic() < deadline, process.communicate()


def ends_with(code, process):
    output = process.communicate()[0]
    assert process.returncode == code, (process.returncode, output)
    return output


def loads_and_statements():
    return psql(licence, "SELECT (SELECT count(*) FROM kstar.current_load), (SELECT sum(line_count) FROM kstar.statement_invoice)")


more = WORK / "more.csv"
more.write_text("BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency\n"
                "4,4,2026-09-01,2026-09-01,2026-09-02,Usage,USD\n", encoding="utf-8")

it("lets a delivery wait while a month is published, whose statement is without it")
blocker = Blocker("licence", "charge")
publishing = start(licence, "model", "--period", "2026-09")
wait_for_lock("relation", publishing)
loading = start(licence, "ingest", "billing", "--source", "more", more)
wait_for_lock("advisory", loading)
blocker.let_go()
ends_with(0, publishing)
ends_with(0, loading)
equals(["2|3"], loads_and_statements())
kstar(licence, "model", "--period", "2026-09")
equals(["2|4"], loads_and_statements())

it("publishes nothing while a delivery is being loaded")
blocker = Blocker("licence", "load")
again = WORK / "again.csv"
again.write_text(more.read_text(encoding="utf-8") + "5,5,2026-09-01,2026-09-01,2026-09-02,Usage,USD\n", encoding="utf-8")
loading = start(licence, "ingest", "billing", "--source", "more", again)
wait_for_lock("relation", loading)
assert "a delivery is being loaded (server process " in kstar(licence, "model", "--period", "2026-09", code=BUSY).stderr
equals(["2|4"], loads_and_statements())
blocker.let_go()
ends_with(0, loading)
kstar(licence, "model", "--period", "2026-09")
equals(["2|5"], loads_and_statements())

it("publishes nothing if the data changed past that lock")
before = psql(licence, "SELECT run_id, xmin FROM kstar.statement")
blocker = Blocker("licence", "charge")
publishing = start(licence, "model", "--period", "2026-09", "--as-of", "2028-01-01T00:00:00Z")
wait_for_lock("relation", publishing)
psql(licence, "UPDATE kstar.delivery SET quarantined_rows = quarantined_rows + 1")
blocker.let_go()
assert "the data of 2026-09 changed while its statement was made" in ends_with(BUSY, publishing)
equals(before, psql(licence, "SELECT run_id, xmin FROM kstar.statement"))


def change_bills(inbox, change):
    """Passes the rows of every bill through `change`, which returns a row or None; its second
    argument counts them."""
    for path in sorted((inbox / "billing").rglob("*.csv")):
        with path.open(newline="", encoding="utf-8") as file:
            header, *lines = csv.reader(file)
        kept = [change(dict(zip(header, line)), number) for number, line in enumerate(lines) if len(line) == len(header)]
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerows([header, *([row[name] for name in header] for row in kept if row is not None)])


def explained(row, number):
    """A difference between billed and effective cost that nothing explains would keep the month
    from its close. One node has several resource keys, as bills write it."""
    if number % 13 == 5 and row["ResourceId"] != "NULL":
        row["ResourceId"] = row["ResourceId"].upper()
    # the latter is quarantined
    if row["CommitmentDiscountId"] in ("", "NULL") or "T99" in row["ChargePeriodStart"]:
        row["EffectiveCost"] = row["BilledCost"]
    return row


def restated(row, number):
    if number % 40 == 7:
        return None
    if number % 11 == 3 and row["BilledCost"] == row["EffectiveCost"]:
        row["BilledCost"] = row["EffectiveCost"] = f"{number % 50 - 5}.25"
    return row


def night_on_both(databases, folder):
    for dsn, out in databases.items():
        night = subprocess.run([KSTAR, "nightly", folder / "inbox", "--out", folder / out, "--quiet", "--dsn", dsn], capture_output=True,
                               text=True, check=False)
        assert night.returncode in (0, QUARANTINED), night.stdout + night.stderr
    plain, distributed = databases
    databases_are_equal(plain, distributed)
    return files_are_equal(*(folder / out for out in databases.values()))


it("gives a generated month with random rules as one server does: delivered, closed, restated after the close")
for seed in map(int, sys.argv[1:] or ("3",)):
    folder = WORK / f"seed-{seed}"
    inbox = folder / "inbox"
    subprocess.run([SOURCES / "fixtures" / "generate", "--out", inbox, "--seed", str(seed), "--lines", "4000", "--jobs", "120", "--month",
                    "2026-09", "--random-rules"], check=True)
    change_bills(inbox, explained)
    with (inbox / "reference" / "exchange_rates.csv").open("a", encoding="utf-8") as file:
        file.write("2026-10-31,EUR,USD,1.1700\n")
    with (inbox / "reference" / "settings.csv").open("a", encoding="utf-8") as file:
        file.write("held_below_share,0,,\n")
    databases = {new_plain(f"month-{seed}"): "plain", new_distributed(f"month-{seed}"): "distributed"}
    subprocess.run([SOURCES / "fixtures" / "expected" / "compute", "--inbox", inbox, "--month", "2026-09", "--out", folder / "expected"],
                   check=True)
    night_on_both(databases, folder)
    assert nodes_are_whole(list(databases)[1]) > 1
    for dsn in databases:
        equals(0, published.compare(folder / "expected", "2026-09", dsn))
        kstar(dsn, "close", "2026-09", "--accept-incomplete", "as generated")
    change_bills(inbox, restated)
    night_on_both(databases, folder)
    adjusted = [psql(dsn, "SELECT count(*) FROM kstar.adjustment")[0] for dsn in databases]
    print(f"  seed {seed}: {adjusted} adjustments")
    assert adjusted[0] == adjusted[1] and int(adjusted[0]) > 20, adjusted
print("ok")
