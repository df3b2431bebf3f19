"""Every command in README.md and docs/*.md is run, in the order in which they stand, as a reader of
the demo would run it: on the inbox of fixtures/, with folders of its own in place of those of the
documents. What a page shows as output is what comes out."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import documents
from documents import SOURCE
from saying import it

WORK = Path(os.environ["WORK"])
HERE, INBOX, OUT, FIRST = WORK / "here", WORK / "inbox", WORK / "out", WORK / "first"

# Commands that are run elsewhere, or are other programs' own.
OTHERS_OWN = "another system's program"
CLEAN_ROOT = "tests/install/clean_root and booted_root run it, on a root of its own"
NOT_RUN = {
    "cron/demo": "database.demo runs it",
    "tests/run": "runs this test",
    "cmake --build build && ctest --test-dir build -R 'pbs|fuzz.jobs|documents'": "runs this test",
    "tests/fuzz/run --seconds 3600 jobs": "an hour",
    "cmake --preset release && cmake --build build -j2": "what this is run by",
    "cd build && cpack -G DEB": "program.package runs it",
    "apt install ./kstar_*.deb": CLEAN_ROOT,
    "install -D -o kstar -g kstar -m 640 bill.csv /var/lib/kstar/inbox/billing/aws/2026-09/bill.csv": CLEAN_ROOT,
    "sudo -u kstar kstar nightly /var/lib/kstar/inbox --out /var/lib/kstar/out": CLEAN_ROOT,
    "sudo -u kstar kstar status": CLEAN_ROOT,
    "systemctl enable --now kstar-nightly.timer": CLEAN_ROOT,
    "kstar init --distributed --dsn 'host=coordinator.example.org dbname=finops'": "database.distributed runs it, where Citus is installed",
    "TZ=UTC sacct": OTHERS_OWN,
    "sacct": OTHERS_OWN,
    "curl": OTHERS_OWN,
    "kubectl": OTHERS_OWN,
    "kstar init --template finops": "database.suggest runs it",
    "mkdir -p finops/billing/cloud/2026-09 finops/jobs/west && cp BILL… finops/billing/cloud/2026-09/ && cp JOBS… finops/jobs/west/": "the reader's files",
    "kstar nightly finops --out out": "database.suggest runs it",
    "kstar suggest finops": "database.suggest runs it",
    "kstar advise --curve sizes.csv --price 2.10 --fixed 9 --currency EUR": "program.advise runs it",
    "cp /var/spool/pbs/server_priv/accounting/20260905 inbox/jobs/CLUSTER/": "PBS's own log",
}

# Those that end with another code than 0. The month of fixtures/ has a row that cannot be read, and
# is not over for one cluster.
CODES = {
    "kstar nightly": 4,
    # reported by the night before: another one does not end with 8
    "kstar nightly /srv/finops/inbox --out /srv/finops/workbooks --on-alert": 0,
    "kstar nightly /srv/finops/inbox --out /srv/finops/restored": 0,  # a night without news
    # nothing of it is withdrawn
    "kstar deliver OUT --recipients /etc/kstar/recipients.csv --informed CC-210": 3,
    "kstar close 2026-09": 4,
    "kstar close 2026-09 --accept-incomplete": 0,
    "kstar nightly inbox --out out": 0,  # of first-month.md
    "kstar budget": 8,
    "kstar prune 2025-03": 4,  # it has no statement
}


# Those that say nothing when all is well.
QUIET = ("mkdir", "install")


def reason_not_to_run(command):
    return next((NOT_RUN[known] for known in NOT_RUN
                 if command == known or (NOT_RUN[known] == OTHERS_OWN and command.startswith(f"{known} "))), None)


def code_of(command):
    return max(((len(known), code) for known, code in CODES.items() if command == known or command.startswith(f"{known} ")), default=(0, 0))[1]


def as_here(command):
    """The command with this test's folders, server and mailer for the document's."""
    for theirs, ours in PLACES:
        command = command.replace(theirs, ours)
    if command.startswith("kstar deliver") and "--recipients" in command:
        command += f" --mailer {HERE}/mailer"
    return command


def run(command, page=None):
    """first-month.md begins with nothing: a folder and a database of its own."""
    first = {"cwd": FIRST, "env": {**os.environ, "KSTAR_DATA_DIR": str(FIRST / "db")}} if page == "docs/first-month.md" else {"cwd": HERE}
    done = subprocess.run(["bash", "-c", as_here(command)], capture_output=True, text=True, check=False, **first)
    return done.returncode, done.stdout, done.stderr


def block_after(page, words):
    """The first block behind these words on a page."""
    number = next(number for number, line in enumerate(documents.text_of(page).splitlines(), 1) if words in line)
    return next(block.lines for block in documents.blocks(page) if block.line > number)


def check_shown(shown, output, command):
    """What is shown came out: line by line, where a line of … stands for any lines."""
    rest = output.splitlines()
    for part in re.split(r"^…$", "\n".join(shown), flags=re.M):
        lines = part.strip("\n").splitlines()
        at = next((i for i in range(len(rest) - len(lines) + 1) if rest[i:i + len(lines)] == lines), None)
        assert at is not None, f"{command} does not print\n{part}\nbut\n{output}"
        rest = rest[at + len(lines):]


# ---- what the documents' reader has ----

HERE.mkdir()
FIRST.mkdir()
(HERE / "plans").mkdir()
shutil.copytree(SOURCE / "fixtures" / "inbox", INBOX)
shutil.copy(INBOX / "nodes" / "aurora" / "2026-09.txt", HERE / "instances.txt")
(HERE / "plans" / "autumn.json").write_text("\n".join(block_after("docs/scenarios.md", "## A scenario")), encoding="utf-8")
(HERE / "recipients.csv").write_text("\n".join([*block_after("docs/operations.md", "The file of recipients is"), *(f"CC-{n},none" for n in (220, 230, 310, 400, 410)), ""]),
                                     encoding="utf-8")
(HERE / "mailer").write_text(f"#!/bin/sh\ncat >>{HERE}/mails\n", encoding="utf-8")
(HERE / "mailer").chmod(0o755)
subprocess.run(["cp", "-a", os.environ["KSTAR_DATA_DIR"], FIRST / "db"], check=True)  # before it runs
subprocess.run(["kstar", "db", "start"], check=True, capture_output=True)
STATUS = subprocess.run(["kstar", "db", "status"], capture_output=True, text=True, check=True).stdout
PLACES = [
    ("/srv/finops/inbox", str(INBOX)),
    ("/srv/finops/workbooks", str(OUT)),
    ("/srv/finops/restored", str(WORK / "restored-out")),
    ("/srv/restored", str(WORK / "restored")),
    ("/srv/backup", str(WORK)),
    ("kstar deliver OUT", f"kstar deliver {OUT}"),
    ("/srv/chargeback", str(WORK / "chargeback")),
    ("/usr/share/doc/kstar", str(SOURCE / "docs")),
    ("/etc/kstar/recipients.csv", str(HERE / "recipients.csv")),
    ("/var/lib/node_exporter", str(HERE)),
    ("'host=db.example.org dbname=finops'", '"' + re.search(r"^dsn: +(.*)$", STATUS, re.M).group(1) + '"'),
    ("mail -s \"kstar: budget\" finops@example.com", f"cat >>{HERE}/alerts"),
]

all_commands = [command for page in documents.PAGES for command in documents.commands(page)]

it("every command of the documents is run here, or somewhere else for a recorded reason")
assert len(all_commands) > 50, len(all_commands)
for known in [*NOT_RUN, *CODES]:
    assert any(command.text == known or command.text.startswith(f"{known} ") for command in all_commands), f"no document has: {known}"

wrong = []
for page in documents.PAGES:
    mine = [command for command in all_commands if command.page == page and reason_not_to_run(command.text) is None]
    if mine:
        it(f"{page}: {len(mine)} commands")
    if page == "docs/budgets.md":
        (INBOX / "reference" / "budgets.csv").write_text("\n".join(block_after("docs/reference.md", "## budgets.csv")) + "\n", encoding="utf-8")
    if page in ("docs/budgets.md", "docs/operations.md"):
        run("kstar nightly /srv/finops/inbox --out /srv/finops/workbooks")
    shown_files = list(documents.files(page))
    for command in mine:
        while shown_files and shown_files[0].line < command.line:
            (FIRST / shown_files[0].name).write_text(shown_files.pop(0).text, encoding="utf-8")
        code, output, errors = run(command.text, page)
        if code != code_of(command.text):
            wrong.append(f"{page}, line {command.line}: {as_here(command.text)}\nended with {code}:\n{output[-1500:]}{errors[-1500:]}")
        shown = errors if code == 3 else output  # a refusal stands on standard error
        if not shown.strip() and ">" not in command.text and not command.text.startswith(QUIET):
            wrong.append(f"{page}, line {command.line}: {as_here(command.text)}\nprints nothing")
        if command.shown is not None:
            check_shown(command.shown, output, command.text)

    if page == "docs/operations.md":
        if (HERE / "kstar.dump").stat().st_mode & 0o777 != 0o600:
            wrong.append(f"{page}: others may read the backup")
        wrong += [f"{page}: a restored database does not give the same {path.name}" for path in sorted(OUT.glob("*-2026-09*"))
                  if not (WORK / "restored-out" / path.name).is_file() or (WORK / "restored-out" / path.name).read_bytes() != path.read_bytes()]
        subprocess.run(["kstar", "db", "stop", "--data-dir", WORK / "restored"], check=False, capture_output=True)
assert not wrong, "\n\n".join(wrong)

it("the pictures are small, and made by the script that is beside them")
for picture in (SOURCE / "docs" / "pictures").glob("*.png"):
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size < 150_000, picture
    assert f'"{picture.name}"' in (SOURCE / "docs" / "pictures" / "make").read_text(encoding="utf-8"), picture

it("every sheet of every workbook that they wrote is in workbooks.md")
page = documents.text_of("docs/workbooks.md")
books = sorted(OUT.glob("*.xlsx"))
kinds = {path.name.split("-")[0] for path in books}
assert kinds == {"chargeback", "data", "review", "forecast"}, kinds
for path in books:
    section = page.split(f"\n## {path.name.split('-')[0].capitalize()}\n")[1].split("\n## ")[0]
    on_page = {name for row in re.findall(r"^\| ([^|]+) \|", section, re.M) for name in row.split(", ")}
    for sheet in re.findall(r'<sheet name="([^"]+)"', zipfile.ZipFile(path).read("xl/workbook.xml").decode()):
        name = re.sub(r" \(\d+\)$", "", re.sub(r"^Curve .*", "Curve …", sheet))
        assert name in on_page, f"{path.name}: {sheet} is not on the page"

it("operations.md: amounts in JSON are text that a program reads as a number")
for words in ("report journal --list", "model --failed-runs", "report units", "model --rate-card"):
    done = subprocess.run(["kstar", *words.split(), "--json"], capture_output=True, text=True, check=True)
    assert re.search(r"[0-9]\.[0-9]", done.stdout) and not re.search(r"[0-9],[0-9]{3}\.[0-9]", done.stdout), (words, done.stdout[:2000])

it("budgets.md shows an alert as the hook gets it")
shown = json.loads(" ".join(block_after("docs/budgets.md", "one line on its standard input")))
alerts = [json.loads(line) for line in (HERE / "alerts").read_text(encoding="utf-8").splitlines()]
assert alerts and all(list(alert) == list(shown) for alert in alerts), (list(shown), alerts)

it("operations.md shows lines of the log as they are")
shown_text, shown_json = block_after("docs/operations.md", "Standard error carries one event a line")
night = ["kstar", "nightly", INBOX, "--out", OUT, "--log-format"]
lines = subprocess.run([*night, "logfmt"], capture_output=True, text=True, check=True).stderr.splitlines()
head = re.findall(r"(\w+)=", shown_text)[:5]
assert len(lines) > 5 and all(re.findall(r"(\w+)=", line)[:5] == head for line in lines), (head, lines)
lines = subprocess.run([*night, "json"], capture_output=True, text=True, check=True).stderr.splitlines()
assert len(lines) > 5 and all(list(json.loads(line))[:5] == list(json.loads(shown_json))[:5] for line in lines), lines

it("reference.md shows the message of a mistake")
folder = HERE / "reference"
folder.mkdir()
header, row = "pool,component,owner,split,basis,valid_from,valid_to", "p{},fixed_overhead,CC-100,keep,,,"
(folder / "pools.csv").write_text("\n".join([header, *(row.format(n) for n in range(5)), row.format(6).replace("keep", "evenly")]) + "\n",
                                  encoding="utf-8")
message = subprocess.run(["kstar", "ingest", "reference", "reference/pools.csv"], cwd=HERE, capture_output=True, text=True, check=False).stderr
assert block_after("docs/reference.md", "first mistake is one line")[0] == message.splitlines()[0], message
