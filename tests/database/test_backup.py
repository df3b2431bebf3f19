"""kstar db backup and db restore: a closed and an open month come back from a backup, with roles,
grants and row-level security. A night finds nothing new, and the files have the same bytes. A
backup that was killed or changed is refused."""

import hashlib
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import case_page  # noqa: E402
from company import CENTRES  # noqa: E402
from saying import equals, it, kstar, output_of, sql  # noqa: E402

WORK, KSTAR = Path(os.environ["WORK"]), os.environ["KSTAR"]
INBOX, OUT, BACKUP, RESTORED = WORK / "inbox", WORK / "out", WORK / "backups" / "2026-10-02", WORK / "restored"
REFUSED, WRONG_COMMAND = 3, 2


def contents(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("[!.]*"))}


def restored_sql(query, role="kstar"):
    return subprocess.run(["psql", f"host={RESTORED}/socket port=5432 user=kstar dbname=kstar", "-XAtq", "-c", f"SET ROLE {role}", "-c", query],
                          check=True, capture_output=True, text=True).stdout.strip()


RIGHTS = """SELECT string_agg(said, E'\n' ORDER BY said COLLATE "C") FROM (
    SELECT format('%s %s %s %s', relname, pg_get_userbyid(relowner), relacl, relrowsecurity) FROM pg_class
    WHERE relnamespace IN ('kstar'::regnamespace, 'kstar_views'::regnamespace)
    UNION ALL SELECT format('%s %s %s %s', tablename, policyname, roles, qual) FROM pg_policies
    UNION ALL SELECT format('default %s %s', pg_get_userbyid(defaclrole), defaclacl) FROM pg_default_acl
    UNION ALL SELECT format('database %s', datacl) FROM pg_database WHERE datname = current_database()
    UNION ALL SELECT format('member %s %s', roleid::regrole, member::regrole) FROM pg_auth_members WHERE roleid::regrole::text LIKE 'kstar%'
) AS rights (said)"""

case_page.write_common_reference(INBOX)
case_page.write_csv(INBOX / "reference" / "cost_centres.csv", CENTRES)
case_page.write_csv(INBOX / "reference" / "readers.csv", [["database_role", "cost_centre"], ["ada", "A"]])
header = ["ChargePeriodStart", "ChargePeriodEnd", "ChargeCategory", "BilledCost", "Tags", "ServiceName"]
for month, days in ("2026-09", 30), ("2026-10", 2):
    case_page.write_input(["bill", "cloud", month], [header, *([f"{day} 00:00", f"{day + 1} 00:00" if day < days else f"{day} 24:00", "Usage", f"{day}.37",
                                                                 f"team={'ab'[day % 2]}", "Servers"] for day in range(1, days))], INBOX)
kstar("init", "--roles")
sql("CREATE ROLE ada LOGIN IN ROLE kstar_reader; CREATE ROLE night LOGIN IN ROLE kstar_ingest")
kstar("nightly", INBOX, "--out", OUT, "--quiet")
kstar("close", "2026-09", "--accept-incomplete", "one day is missing")
kstar("report", "journal", "--period", "2026-09", "--issue", "--out", OUT)
kstar("nightly", INBOX, "--out", OUT, "--quiet")
BACKUP.parent.mkdir()

it("backs up into a new folder with a manifest, for its owner alone")
output = output_of("db", "backup", BACKUP)
equals(f"backed up into {BACKUP}\n", output)
equals(["database.dump", "manifest", "roles.sql"], sorted(path.name for path in BACKUP.iterdir()))
equals([BACKUP.name], [path.name for path in BACKUP.parent.iterdir()])
equals(0o700, BACKUP.stat().st_mode & 0o777)
assert all(path.stat().st_mode & 0o77 == 0 for path in BACKUP.iterdir())
manifest = (BACKUP / "manifest").read_text(encoding="utf-8")
for name in "database.dump", "roles.sql":
    assert f"sha256 {hashlib.sha256((BACKUP / name).read_bytes()).hexdigest()} {name}\n" in manifest, manifest
for line in sql("SELECT concat_ws(' ', 'statement', to_char(statement_month, 'YYYY-MM'), status, run_id) FROM statement").splitlines():
    assert f"{line}\n" in manifest, manifest

it("overwrites nothing, and is about kstar's own PostgreSQL")
assert "is there already" in output_of("db", "backup", BACKUP, code=REFUSED)
assert "kstar's own PostgreSQL" in output_of("db", "backup", WORK / "other", "--dsn", "host=elsewhere", code=WRONG_COMMAND)
assert "is not empty" in output_of("db", "restore", BACKUP, code=REFUSED)

it("refuses a backup that was killed at any moment, or changed; the next one takes its place")
KILLED = WORK / "backups" / "killed"
with open(WORK / "log", "w", encoding="utf-8") as log:  # one that waits for a table
    locked = subprocess.Popen(["psql", f"host={os.environ['KSTAR_DATA_DIR']}/socket port=5432 user=kstar dbname=kstar", "-Xq"], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    locked.stdin.write("BEGIN; LOCK TABLE kstar.statement IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n")
    locked.stdin.flush()
    while "locked" not in locked.stdout.readline():
        pass
    process = subprocess.Popen([KSTAR, "db", "backup", KILLED], stdout=log, stderr=log)
    deadline = time.monotonic() + 60
    while sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_dump' AND wait_event_type = 'Lock'") == "0":
        assert time.monotonic() < deadline and process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    locked.communicate("ROLLBACK;\n")
assert not KILLED.exists()
equals(["killed.incomplete"], [path.name for path in KILLED.parent.iterdir() if path != BACKUP])
assert "is not a complete backup" in output_of("db", "restore", f"{KILLED}.incomplete", "--data-dir", RESTORED, code=REFUSED)
kstar("db", "backup", KILLED)
equals({BACKUP.name, "killed"}, {path.name for path in KILLED.parent.iterdir()})
for name in "database.dump", "roles.sql":
    whole = (KILLED / name).read_bytes()
    for changed in whole[:len(whole) // 2], whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:]:
        (KILLED / name).write_bytes(changed)
        assert "is not a complete backup" in output_of("db", "restore", KILLED, "--data-dir", RESTORED, code=REFUSED)
    (KILLED / name).write_bytes(whole)
lines = (KILLED / "manifest").read_text(encoding="utf-8").splitlines(keepends=True)
for kept in range(len(lines)):
    (KILLED / "manifest").write_text("".join(lines[:kept]), encoding="utf-8")
    assert "is not a complete backup" in output_of("db", "restore", KILLED, "--data-dir", RESTORED, code=REFUSED)
assert not RESTORED.exists()
shutil.rmtree(KILLED)

it("restores statements, roles, grants and row-level security into a new data folder")
try:
    equals(f"restored into {RESTORED}\n", output_of("db", "restore", BACKUP, "--data-dir", RESTORED, "--quiet"))
    equals(sql(RIGHTS), restored_sql(RIGHTS))
    seen = "SELECT statement_month, cost_centre, amount FROM kstar_views.report_statement ORDER BY 1, 2, 3"
    equals(sql(f"SET ROLE ada; {seen}"), restored_sql(seen, "ada"))
    assert {row.split("|")[1] for row in restored_sql(seen, "ada").splitlines()} == {"A"}
    assert "is not empty" in output_of("db", "restore", BACKUP, "--data-dir", RESTORED, code=REFUSED)

    it("proves its months there, and a night finds nothing new and writes the same bytes")
    kstar("verify", "--data-dir", RESTORED)
    shutil.copytree(OUT, WORK / "kept")
    shutil.rmtree(OUT)  # the closed months' folder
    output = output_of("nightly", INBOX, "--out", OUT, "--data-dir", RESTORED)
    for kind in "billing     0 new", "statements  0 published":
        assert kind in output, output
    for report in "chargeback", "page", "review", "journal":
        kstar("report", report, "--period", "2026-09", "--out", OUT, "--data-dir", RESTORED, "--quiet")
    equals(contents(WORK / "kept"), contents(OUT))
    kstar("verify", "--data-dir", RESTORED)
finally:
    subprocess.run([KSTAR, "db", "stop", "--force", "--data-dir", RESTORED], capture_output=True, check=False)

it("leaves an empty database if a restore is killed, into which the same command restores")
again = WORK / "again"
environment = {**os.environ, "KSTAR_DATA_DIR": str(again)}
try:
    kstar("db", "start", env=environment)
    dsn = f"host={again}/socket port=5432 user=kstar dbname=kstar"
    # the restore has to wait for a table of the server's own
    locked = subprocess.Popen(["psql", dsn, "-Xq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    locked.stdin.write("BEGIN; LOCK TABLE pg_catalog.pg_policy IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n")
    locked.stdin.flush()
    while "locked" not in locked.stdout.readline():
        pass
    process = subprocess.Popen([KSTAR, "db", "restore", BACKUP], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while subprocess.run(["psql", dsn, "-XAtqc", "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_restore' AND wait_event_type = 'Lock'"],
                         capture_output=True, text=True, check=False).stdout.strip() != "1":
        assert time.monotonic() < deadline and process.poll() is None
    process.kill()
    process.wait()
    locked.communicate("ROLLBACK;\n")
    while subprocess.run(["psql", dsn, "-XAtqc", "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'pg_restore'"],
                         capture_output=True, text=True, check=False).stdout.strip() != "0":
        assert time.monotonic() < deadline
    kstar("db", "restore", BACKUP, "--quiet", env=environment)
    kstar("verify", env=environment)
finally:
    subprocess.run([KSTAR, "db", "stop", "--force"], env=environment, capture_output=True, check=False)
