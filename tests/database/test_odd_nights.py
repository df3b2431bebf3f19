"""Nights that meet something odd: another night at work, a clock that was set back, a bill that
somebody is still writing. Each ends with the database and the workbooks of a night that nothing
disturbed."""

import csv
import fcntl
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import everything  # noqa: E402
from held_copy import HeldCopy  # noqa: E402
from nights import BILL, CLEAN, INBOX, KSTAR, WORK, Undisturbed, check_failed, earlier_inbox, finish, night, small_company  # noqa: E402
from saying import equals, it, run, sql, wait_until  # noqa: E402

FAILED, USAGE, REFUSED, ATTENTION, BUSY, DATABASE, NIGHT = 1, 2, 3, 4, 6, 7, 9

COMPANY = WORK / "company"
small_company(COMPANY)
shutil.copytree(COMPANY, INBOX)
undisturbed = Undisturbed()

it("a second night into the same OUT ends with 6 and names the first; one into another OUT takes its turn or ends with 6")
everything.start_over()
held = HeldCopy(WORK / "first")
held.server_process()
check_failed(finish(WORK / "first"), BUSY, f"locked by process {held.night.pid}", "wait")
other = night(WORK / "second", "--quiet")
held.let_go()
_, output = other.communicate()
if other.returncode not in CLEAN:
    check_failed((other.returncode, output), BUSY, "process", "wait")
code, output = held.end()
if code not in CLEAN:
    check_failed((code, output), BUSY, "process", "wait")
assert code in CLEAN or other.returncode in CLEAN, f"{code} and {other.returncode}: neither went through"
for folder in (WORK / "first", WORK / "second"):
    undisturbed.check_visible(folder)
    undisturbed.check_again(folder, "two nights at once")

it("the schema is not changed beneath a night: a newer kstar ends with 6 and names it")
everything.start_over()
held = HeldCopy(WORK / "older")
held.server_process()
newer = subprocess.run([os.environ["KSTAR_MIGRATED"], "status"], capture_output=True, text=True, check=False)
check_failed((newer.returncode, newer.stderr), BUSY, "kstar nightly, run 1, is at work", "the schema is not changed")
held.let_go()
code, output = held.end()
assert code in CLEAN, output
undisturbed.check_same(WORK / "older", "a newer kstar came")

it("reports of one month into one OUT take turns, with a night too, and each leaves the files whole")
for folder, night_too in ((WORK / "reports", False), (WORK / "second", True)):
    for path in folder.glob("*.xlsx"):
        path.unlink()
    reports = [subprocess.Popen([KSTAR, "report", "chargeback", "--period", "2026-09", "--out", folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True) for _ in range(3)]
    if night_too:
        code, output = finish(folder)
        assert code in CLEAN, output
    for report in reports:
        _, output = report.communicate()
        assert report.returncode == 0, output
    undisturbed.check_visible(folder)
    equals(1 + len([name for name in undisturbed.workbooks if name.startswith("chargeback-2026-09-")]), len(list(folder.glob("chargeback-*.xlsx"))))
    assert not list(folder.glob(".*.pending")), list(folder.glob(".*"))

it("who may only read OUT holds up nobody: neither by locking the folder, nor by the files that are locked, which he cannot open")
report = [KSTAR, "report", "chargeback", "--period", "2026-09", "--out", WORK / "reports"]
held = os.open(WORK / "reports", os.O_RDONLY)
fcntl.flock(held, fcntl.LOCK_EX)
subprocess.run(report, check=True, stdout=subprocess.DEVNULL, timeout=120)
code, output = finish(WORK / "reports")
assert code in CLEAN, output
os.close(held)
equals(0o600, (WORK / "reports" / ".kstar.lock").stat().st_mode & 0o7777)

it("a report waits for another kstar that writes into OUT, says so, and goes on when that has ended; nothing is left of its lock")
writing = WORK / "reports" / ".kstar.writing"
with open(writing, "w", encoding="utf-8") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX)
    print(4711, file=lock, flush=True)
    waiting = subprocess.Popen(report, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    line = next(line for line in waiting.stderr if "event=waits_for_out" in line)
    assert "level=warning" in line and f"{writing}: locked by process 4711" in line, line
    equals(0o600, writing.stat().st_mode & 0o7777)
    assert waiting.poll() is None
_, output = waiting.communicate()
assert waiting.returncode == 0, output
assert not writing.exists()

it("a database that nothing was ever published in is not that of the workbooks in OUT: nothing is loaded")
kept = {path.name: path.read_bytes() for path in (WORK / "older").iterdir()}
everything.start_over()
code, output = finish(WORK / "older")
check_failed((code, output), DATABASE, "holds workbooks, but the database has no statement", "mounted")
equals("0", sql("SELECT count(*) FROM delivery"))
equals(kept, {path.name: path.read_bytes() for path in (WORK / "older").iterdir()} | {".kstar.lock": kept[".kstar.lock"]})

it("a bill that grows while it is read waits, the rest of the night does not; the next night takes it whole")
whole = (COMPANY / BILL).read_bytes()
half = whole.index(b"\n", 3 * len(whole) // 4) + 1
# the database that refused another's OUT takes its own
(INBOX / BILL).write_bytes(whole[:half])
held = HeldCopy(WORK / "growing")
held.server_process()
with open(INBOX / BILL, "ab") as file:
    file.write(whole[half:])
held.let_go()
code, output = held.end()
equals(ATTENTION, code)
assert f"{BILL} changed while it was read" in output, output
equals("0", sql("SELECT count(*) FROM current_billing_line WHERE source = 'alder'"))
equals("boreas,fjordhall", sql("SELECT string_agg(DISTINCT source, ',' ORDER BY source) FROM current_billing_line"))
equals("waits", sql("SELECT outcome FROM run_delivery WHERE source = 'alder' ORDER BY run_number DESC LIMIT 1"))
undisturbed.check_again(WORK / "growing", "a bill grew")

it("a reference file that grows waits likewise: all of them stay as they were")
RULES = INBOX / "reference" / "mapping_rules.csv"
rules = RULES.read_bytes()
RULES.write_bytes(rules[:rules.index(b"\n") + 1])
lock = subprocess.Popen([KSTAR, "db", "psql", "--", "-XAtq"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
lock.stdin.write("BEGIN; LOCK TABLE kstar.reference_file IN ACCESS EXCLUSIVE MODE; SELECT 'locked';\n")
lock.stdin.flush()
lock.stdout.readline()
process = night(WORK / "growing", "--quiet")
wait_until("SELECT count(*) > 0 FROM pg_locks WHERE NOT granted", "t", process)
assert process.poll() is None, process.stderr.read()
RULES.write_bytes(rules)
lock.communicate("COMMIT;\n")
_, output = process.communicate()
equals(ATTENTION, process.returncode)
assert f"{RULES} changed while it was read" in output, output
undisturbed.check_same(WORK / "growing", "a reference file grew")
undisturbed.check_again(WORK / "growing", "a reference file grew")

it("a night without standard output and error talks to the server as ever: what it would say goes nowhere, which ends it with 1")
everything.start_over()
for closed, codes in (">&- 2>&-", (FAILED,)), ("<&- 2>&-", CLEAN):
    ended = subprocess.run(["bash", "-c", f'exec "$@" {closed}', "bash", KSTAR, "nightly", INBOX, "--out", WORK / "closed"], check=False)
    assert ended.returncode in codes, f"{closed}: {ended.returncode}"
    undisturbed.check_same(WORK / "closed", closed)
    assert (WORK / "closed" / ".kstar.lock").read_text().strip().isdigit(), closed

it("what cannot be read is refused by name, whether a bill, a record or a folder; the rest of the night is as ever")
everything.start_over()
bad = [INBOX / name for name in ("billing/aws/2026-10/bill.csv", "billing/aws/loose.csv", "billing/azure/2026-10/manifest.json", "jobs/lab/link.txt",
                                 "jobs/lab/pipe.txt", "nodes/lab/link.txt", "nodes/lab/pipe.txt", "efficiency/link.csv", "efficiency/pipe.csv")]
for path in bad:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.stem in ("pipe", "manifest"):
        os.mkfifo(path)  # nobody ever writes into it
    else:
        path.symlink_to(path if path.stem == "bill" else "/nowhere")
code, output = finish(WORK / "unreadable")
equals(REFUSED, code)
for path in bad:
    assert f'"{path}: ' in output, f"{path} is not in: {output}"
labels = [str(path.relative_to(INBOX)) for path in bad[3:]] + ["billing/aws", "billing/aws/2026-10", "billing/azure/2026-10"]
equals("\n".join(sorted(labels)), sql("SELECT label FROM run_delivery WHERE outcome = 'refused' ORDER BY label COLLATE \"C\""))
for path in bad:
    path.unlink()
undisturbed.check_same(WORK / "unreadable", "something could not be read")

it("what lies in another place than deliveries do waits, and is named by night and status")
misplaced = [INBOX / name for name in ("billing/loose.csv", "efficiency/folder", "jobs/lab/2026-10", "jobs/loose.txt", "nodes/lab/folder")]
for path in misplaced:
    if path.suffix:
        path.write_bytes(whole)
    else:
        path.mkdir()
        (path / "records.txt").write_text("JobID|State\n")
(INBOX / "bills").mkdir()
shutil.rmtree(INBOX / "billing" / "aws")
shutil.rmtree(INBOX / "billing" / "azure")
code, output = finish(WORK / "unreadable")
equals(ATTENTION, code)
seen = run("status").stdout
for path in misplaced:
    assert f'"{path}: ' in output, f"{path} is not in: {output}"
    assert f" {path.relative_to(INBOX)} " in seen, f"{path} is not in: {seen}"
assert f'event=skipped file="{INBOX}/bills"' in output, output
undisturbed.check_same(WORK / "unreadable", "something was misplaced")

it("a folder whose name is nearly one that is looked for waits, and is no good night")
shutil.rmtree(INBOX)
shutil.copytree(COMPANY, INBOX)
(INBOX / "nodes").rename(INBOX / "node")
code, output = finish(WORK / "unreadable")
equals(ATTENTION, code)
assert f'event=waits message="{INBOX}/node: no such name is looked for; it is not read" detail="" hint="did you mean nodes?"' in output, output
(INBOX / "node").rename(INBOX / "nodes")

it("workbooks are not written among deliveries, where the next night would take them for some")
for place in ("billing", "billing/workbooks", "reference", "jobs/lab/../out"):
    there = (INBOX / place).exists()
    check_failed(finish(f"{INBOX}/{place}"), USAGE, f"--out {INBOX}/{place} lies among the deliveries of {INBOX}", "beside the inbox")
    equals(there, (INBOX / place).exists())

it("what the database or a variable makes of a session, its numbers, dates and patience, changes no figure and no byte, and ends none")
everything.start_over()
others = "-c extra_float_digits=-10 -c datestyle=German -c intervalstyle=sql_standard -c bytea_output=escape -c timezone=Asia/Tokyo -c idle_session_timeout=50"
code, output = finish(WORK / "settings", env={**os.environ, "PGOPTIONS": others})
assert code in CLEAN and "event=ledger" not in output, output
undisturbed.check_same(WORK / "settings", "a session of other settings")

it("an inbox without any of its folders, such as a disk that is not mounted, is no good night")
(WORK / "not-mounted").mkdir()
code, output = finish(WORK / "unreadable", inbox=WORK / "not-mounted")
equals(ATTENTION, code)
assert f"{WORK}/not-mounted: holds none of the folders" in output, output
undisturbed.check_same(WORK / "unreadable", "an inbox was empty")
shutil.rmtree(INBOX)
shutil.copytree(COMPANY, INBOX)

it("the clock is set back by a year after a night: what is delivered later is still the later one, and status says which night is the last")
everything.start_over()
code, output = finish(WORK / "set-back", inbox=earlier_inbox(WORK / "earlier"))
assert code in CLEAN, output
for table, column in (row.split("|") for row in sql(
        "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'kstar' AND data_type LIKE 'timestamp%' "
        "AND table_name IN ('run_ledger', 'run_stage', 'run_delivery', 'handed_over')").splitlines()):
    sql(f"UPDATE {table} SET {column} = {column} + interval '1 year'")
equals(0, run("status", "--max-age", "0").returncode)
equals(NIGHT, run("status").returncode)  # a night in the future is no proof of last night's
code, output = finish(WORK / "set-back")
assert code in CLEAN, output
undisturbed.check_same(WORK / "set-back", "the clock was set back")
equals(0, run("status").returncode)
equals(int(sql("SELECT max(run_number) FROM run_ledger")), json.loads(run("status", "--json").stdout)["night"]["run"])

it("a statement of all data is not stamped with a time before them: refused, and nothing is published")
everything.start_over()
check_failed(finish(WORK / "stamped", "--as-of", "2026-09-10"), USAGE, "--as-of 2026-09-10 lies before", "2026-10-", "excludes no data")
equals("0", sql("SELECT count(*) FROM statement"))
undisturbed.check_again(WORK / "stamped", "after an early --as-of")
early = run("model", "--again", "--as-of", "2026-09-10T00:00:00Z")
check_failed((early.returncode, early.stderr), USAGE, "lies before")
code, output = finish(WORK / "stamped", "--as-of", "2026-10-20")
assert code in CLEAN, output
equals("2026-10-20", sql("SELECT DISTINCT as_of::date FROM statement"))

it("a statement that was stamped is up to date, and is explained")
status = run("status").stdout
assert "up to date" in status and "to be made again" not in status, status
explained = run("explain", "--period", "2026-09")
equals((0, ""), (explained.returncode, explained.stderr))

it("names and texts of any length are kept whole")
everything.start_over()
file_name = 125 * "é" + ".csv" # 254 bytes
(INBOX / "jobs" / "fjord" / "2026-09.txt").rename(INBOX / "jobs" / "fjord" / file_name)
measured = INBOX / "efficiency" / "vision-2026-08.csv"
rows = measured.read_text().splitlines(keepends=True)
batch = 300 * "é"
half = len(rows) // 2
# names that differ in their last character
for number, part in enumerate((rows[1:half], rows[half:])):
    (INBOX / "efficiency" / f"{124 * 'é'}{number}.csv").write_text(rows[0] + "".join(part).replace(",4096,", f",{batch},"))
measured.unlink()
code, output = finish(WORK / "long")
assert code in CLEAN, output
equals(f"jobs/fjord/{file_name}", sql("SELECT label FROM delivery WHERE kind = 'jobs' AND source = 'fjord'"))
equals(str(len(rows) - 1), sql(f"SELECT count(*) FROM measurement WHERE batch = '{batch}'"))
equals(f"h100, bf16, {batch}, throughput", sql("SELECT series FROM family_fit WHERE family = 'vision'"))

it("the summary says five of the rows that wait for a kind of reason, and how many more there are")
everything.start_over()
with open(INBOX / BILL, newline="", encoding="utf-8") as bill:
    rows = list(csv.DictReader(bill))
for row in rows[:9]:
    row["BilledCost"] = "3,10"
with open(INBOX / BILL, "w", newline="", encoding="utf-8") as bill:
    writer = csv.DictWriter(bill, rows[0])
    writer.writeheader()
    writer.writerows(rows)
output = run("nightly", INBOX, "--out", WORK / "unread").stdout
equals(5, output.count("  waiting     unread money ("))
assert '\n  waiting     unread money: 4 more, see sheet "Open items"\n' in output, output
assert re.search(r"\n  Not seen: .* is quarantined, and 9 rows have no cost that can be read\.", output), output
