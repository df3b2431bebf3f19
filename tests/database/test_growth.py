"""A night grows with the bill, not with its square: no step of a plan meets more rows than in proportion to the lines, attempts and nodes there
are, with three months of which two are closed, and one of those replayed. Rows are counted, not seconds (auto_explain), so the machine has no
say. What goes wrong otherwise is seen at a million lines first (tests/bench/night): PostgreSQL expects one row where there are thousands,
and compares each with each."""

import glob
import json
import os
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from closed_months import MONTHS, WORK, close, kstar, made  # noqa: E402
from saying import it, sql  # noqa: E402

INBOX, OUT = WORK / "inbox", WORK / "out"
LINES, JOBS = 6000, 3000  # of each month
MOST = 20  # times the rows that there are; their square is tens of thousands of times as many
# A million rows are not met in less than this, so what is faster needs no plan in the log.
PLANS = """log_destination = 'jsonlog'
session_preload_libraries = 'auto_explain'
auto_explain.log_min_duration = '10ms'
auto_explain.log_analyze = on
auto_explain.log_timing = off
auto_explain.log_format = 'json'
auto_explain.log_nested_statements = on
"""


def steps(node):
    yield node
    for below in node.get("Plans", ()):
        yield from steps(below)


def rows_met(step):
    """What it handed on and what it looked at in vain, in all of its loops."""
    return round(step["Actual Loops"] * (step["Actual Rows"] + sum(step.get(f"Rows Removed by {what}", 0)
                                                                  for what in ("Filter", "Join Filter", "Index Recheck"))))


def plans():
    """Of each statement in the server's log: its first line, and its plan."""
    for log in sorted(glob.glob(str(WORK / "db" / "log" / "*.json"))):
        with open(log, encoding="utf-8") as lines:
            for line in lines:
                words, _, plan = json.loads(line).get("message", "").partition("plan:\n")
                if words.startswith("duration:"):
                    found = json.loads(plan)
                    yield found["Query Text"].lstrip().partition("\n")[0], found["Plan"]


made(INBOX, LINES, JOBS)
kstar("init")
kstar("db", "stop")
(WORK / "db" / "local.conf").write_text(PLANS)

it("three months are published, and two of them closed")
close(INBOX, OUT)

it("a record of the first month says something else, and the month is replayed")
records = min((INBOX / "jobs").rglob("*.txt"))
records.write_text(records.read_text(encoding="utf-8").replace("|COMPLETED|", "|FAILED|", 1), encoding="utf-8")
kstar("nightly", INBOX, "--out", OUT, "--quiet")
assert sql(f"SELECT count(*) FROM adjustment WHERE adjusted_month = '{MONTHS[0]}-01'") != "0", "nothing was replayed"

it("no step meets more rows than in proportion")
facts = int(sql("SELECT (SELECT count(*) FROM billing_line) + (SELECT count(*) FROM job) + (SELECT count(*) FROM job_node)"))
most = {}
for statement, plan in plans():
    most[statement] = max([most.get(statement, (0, "")), *((rows_met(step), step["Node Type"]) for step in steps(plan))])
assert len(most) > 20, f"the plans of the nights are not in the server's log: {list(most)}"
for statement, (rows, step) in sorted(most.items(), key=lambda item: item[1], reverse=True)[:5]:
    print(f"{rows / facts:8.1f} {step:<16} {statement[:100]}")
above = [f"{statement}: {step} meets {rows} rows, {rows / facts:.0f} for each of {facts} lines, attempts and nodes"
         for statement, (rows, step) in most.items() if rows > MOST * facts]
assert not above, "\n".join(above)
