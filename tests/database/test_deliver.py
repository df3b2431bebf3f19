"""kstar deliver: each owner gets each version of the cost centre's workbook once, and nobody else
does. The cost centres have names that somebody who means ill would choose; the mailer is a script
in the place of the system's sendmail that keeps what it is given, for Python's own mail parser."""
import csv
import email
import email.policy
import hashlib
import io
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import zipfile
from xml.etree import ElementTree

SOURCE, WORK = pathlib.Path(os.environ["KSTAR_SOURCE_DIR"]), pathlib.Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCE / "tests/lib"))
from company import Company  # noqa: E402
from saying import KSTAR, equals, it, output_of, sql, wait_until  # noqa: E402

OUT, INBOX, MAIL = WORK / "out", WORK / "inbox", WORK / "mail"

# What each cost centre of the fixtures is called here.
NAMES = {
    "CC-100": "..",
    "CC-210": "CC-210\r\nBcc: evil@example.org\r\n\r\nbody",
    "CC-220": "../../../tmp/escape",
    "CC-230": "=?UTF-8?B?RXZpbA==?= $(touch evil) `touch evil`; \"quoted\" 'text'",
    "CC-310": "centre-" + "ü" * 200,
    "CC-400": "cc-400",
    "CC-410": "CC-400",
}


def run(*arguments, code=0):
    return output_of(*arguments, code=code, cwd=WORK)


def hostile_inbox():
    shutil.copytree(SOURCE / "fixtures/inbox", INBOX)
    for path in (INBOX / "reference").glob("*.csv"):
        with open(path, encoding="utf-8", newline="") as file:
            header, *rows = csv.reader(file)
        with open(path, "w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(header)
            for row in rows:
                if path.name == "cost_centres.csv":
                    # one that ends within the month would keep it from being closed
                    row[header.index("valid_to")] = ""
                writer.writerow([text if column == "pattern" else NAMES.get(text, text)
                                 for column, text in zip(header, row)])


def sink(before="", after=""):
    """A mailer that keeps its arguments and its input, and does more before and after."""
    MAIL.mkdir(exist_ok=True)
    path = WORK / "sendmail"
    path.write_text(f"""#!/bin/sh
{before}
n=$(ls "{MAIL}" | wc -l)
printf '%s\\n' "$@" >"{WORK}/arguments"
cat >"{MAIL}/$n.part" && mv "{MAIL}/$n.part" "{MAIL}/$n.eml"
{after}
""", encoding="utf-8")
    path.chmod(0o755)
    return path


def taken():
    """The messages since the last call."""
    paths = sorted(MAIL.glob("*.eml"), key=lambda path: int(path.stem))
    messages = [email.message_from_bytes(path.read_bytes(), policy=email.policy.default) for path in paths]
    for path in paths:
        path.unlink()
    return messages


def owner_of(workbook):
    """The cost centre that a workbook says it is of."""
    with zipfile.ZipFile(io.BytesIO(workbook)) as book:
        return ElementTree.fromstring(book.read("docProps/core.xml")).findtext("{http://purl.org/dc/elements/1.1/}subject")


def shown(name):
    return "".join(chr(0x2400 + ord(c)) if c == "\r" else c for c in name)


def workbook_of(message):
    (attachment,) = message.iter_attachments()
    return attachment.get_filename(), attachment.get_content()


def recipients(rows):
    path = WORK / "recipients.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([("cost_centre", "address"), *rows])
    return path


def deliver(*arguments, code=0):
    mailer = ["--mailer", WORK / "sendmail"] if "--recipients" in arguments else []
    return run("deliver", OUT, *mailer, *arguments, code=code)


def ledger():
    return int(sql("SELECT count(*) FROM handed_over"))


hostile_inbox()
run("nightly", INBOX, "--out", OUT, code=4)
books = {path.name: path.read_bytes() for path in OUT.glob("chargeback-2026-09-*.xlsx")}
centres = {owner_of(book): name for name, book in books.items()}
equals(sorted(shown(name) for name in NAMES.values()), sorted(centres))
ADDRESS = {name: f"owner{i}@example.org" for i, name in enumerate(NAMES.values())}
everybody = recipients(ADDRESS.items())
mailed = ["--recipients", everybody, "--from", "finops@example.org"]
sink()

it("says what it would do, and does nothing, in a dry run")
output = deliver(*mailed, "--dry-run")
equals([f"{centres[shown(name)]}: would be mailed to {address}" for name, address in ADDRESS.items()],
       sorted((line for line in output.splitlines() if "mailed" in line), key=lambda line: line.split()[-1]))
assert output.endswith("7 would be handed over, 0 before, 0 wait\n"), output
equals((0, 0), (len(taken()), ledger()))

it("mails each owner its own workbook, byte for byte, and nobody anything else")
deliver(*mailed)
messages = taken()
equals(["-t", "-oi"], (WORK / "arguments").read_text().split())
equals(sorted(ADDRESS.values()), sorted(message["To"] for message in messages))
for message in messages:
    name, book = workbook_of(message)
    equals(books[name], book)
    equals(message["To"], ADDRESS[next(centre for centre in NAMES.values() if shown(centre) == owner_of(book))])
    equals(hashlib.sha256(book).hexdigest(), message.get_body().get_content().split("SHA-256: ")[1].split()[0])

equals("deliver|done|7|" + str(sum(map(len, books.values()))),
       sql("SELECT stage, outcome, files, bytes FROM run_stage WHERE stage = 'deliver'"))

it("lets no name add a header or a recipient, or leave its own")
for message in messages:
    equals(["Auto-Submitted", "Content-Type", "Date", "From", "MIME-Version", "Message-ID", "Subject", "To"], sorted(message.keys()))
    centre = next(centre for centre, address in ADDRESS.items() if address == message["To"])
    visible = " ".join(centre.replace("\r", " ").replace("\n", " ").split())
    assert visible in " ".join(message["Subject"].split()), (visible, message["Subject"])
    assert all(len(line) <= 998 for line in message.as_bytes().splitlines())
assert not list(WORK.rglob("evil"))
equals(7, len({message["Message-ID"] for message in messages}))

it("hands over no version twice")
output = deliver(*mailed)
assert output.endswith("0 handed over, 7 before, 0 wait\n"), output
equals((0, 7), (len(taken()), ledger()))

it("gives what was handed over before to an address that is new, and only to it")
recipients([*ADDRESS.items(), (NAMES["CC-100"], "second@example.org")])
deliver(*mailed)
equals(["second@example.org"], [message["To"] for message in taken()])

it("hands over a new version")
run("nightly", INBOX, "--out", OUT, "--as-of", "2026-10-03")
newer = {path.name: path.read_bytes() for path in OUT.glob("chargeback-2026-09-*.xlsx")}
assert all(newer[name] != books[name] for name in books)
recipients(ADDRESS.items())
deliver(*mailed)
equals(sorted(newer.items()), sorted(workbook_of(message) for message in taken()))

it("waits for a centre without a recipient, and knows when nobody is to get one")
sql("DELETE FROM handed_over")
recipients([(name, "none" if name == ".." else address) for name, address in ADDRESS.items() if name != "CC-400"])
output = deliver(*mailed, code=4)
assert f"waits: {OUT / centres['CC-400']}: no recipient" in output and "5 handed over, 0 before, 1 wait" in output, output
equals(5, len(taken()))

it("says the same as JSON lines")
printed_lines = [json.loads(line) for line in deliver(*mailed, "--dry-run", "--json", code=4).splitlines()]
equals([{"kind": "waits", "period": "2026-09", "cost_centre": "CC-400", "file": str(OUT / centres["CC-400"]),
         "sha256": hashlib.sha256(newer[centres["CC-400"]]).hexdigest(),
         "why": "no recipient for its cost centre in the file of recipients"}], printed_lines)
recipients(ADDRESS.items())
printed_lines = [json.loads(line) for line in deliver(*mailed, "--dry-run", "--json").splitlines()]
equals([("..", "owner0@example.org", "due"), ("CC-400", "owner6@example.org", "due")],
       sorted((line["cost_centre"], line["to"], line["kind"]) for line in printed_lines))

it("waits for a mailer that refuses, hangs up or is not there, and tries again")
sql("DELETE FROM handed_over")
recipients([(name, "none") for name in NAMES.values() if name != "CC-400"] + [("CC-400", "one@example.org")])
sink(before="exit 75")
assert "exit code 75" in deliver(*mailed, code=4)
sink(before="kill -9 $$")
assert "killed by signal 9" in deliver(*mailed, code=4)
(WORK / "sendmail").unlink()
assert "cannot be run" in deliver(*mailed, code=4)
equals((0, 0), (len(taken()), ledger()))
sink()
deliver(*mailed)
equals((1, 1), (len(taken()), ledger()))

it("sends once when it was killed before the mailer had taken the message")
sql("DELETE FROM handed_over")
sink(before="kill -9 $PPID; exit 1")
deliver(*mailed, code=-signal.SIGKILL)
sink()
deliver(*mailed)
deliver(*mailed)
equals((1, 1), (len(taken()), ledger()))

it("sends again, as the same message, when it was killed before it could note that the mailer had taken it")
sql("DELETE FROM handed_over")
sink(after="kill -9 $PPID")
deliver(*mailed, code=-signal.SIGKILL)
equals(0, ledger())
sink()
deliver(*mailed)
first, second = taken()
equals(first["Message-ID"], second["Message-ID"])
equals(1, ledger())

it("sends once when two run at the same time")
sql("DELETE FROM handed_over")
os.mkfifo(WORK / "gate")
sink(before=f'read line <"{WORK}/gate"')
both = [subprocess.Popen([KSTAR, "deliver", OUT, "--mailer", WORK / "sendmail", *mailed], stdout=subprocess.PIPE, text=True)
        for _ in range(2)]
wait_until("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%INTO handed_over%'", "1")
assert all(process.poll() is None for process in both), "one has ended"
(WORK / "gate").write_text("go\n")
ends = sorted(process.communicate()[0].splitlines()[-1] for process in both)
equals(["0 handed over, 1 before, 0 wait", "1 handed over, 0 before, 0 wait"], ends)
equals((1, 1), (len(taken()), ledger()))
sink()

it("hands over no workbook of an earlier statement, of another centre, or that is none")
sql("DELETE FROM handed_over")
recipients(ADDRESS.items())
path = {name: OUT / centres[shown(name)] for name in NAMES.values()}
shutil.copy(path[NAMES["CC-210"]], path["CC-400"])
path["cc-400"].write_bytes(b"no workbook")
path[".."].unlink()
path[NAMES["CC-220"]].write_bytes(books[centres[NAMES["CC-220"]]])
output = deliver(*mailed, code=4)
for name, why in {"CC-400": "is another workbook", "cc-400": "is not a workbook", "..": "is not there",
                  NAMES["CC-220"]: "shows an earlier statement"}.items():
    assert f"waits: {path[name]}: {why}: kstar report chargeback --period 2026-09 --out {OUT} writes it" in output, (why, output)
equals(3, len(taken()))
run("nightly", INBOX, "--out", OUT, "--as-of", "2026-10-03")
deliver(*mailed)
equals(4, len(taken()))

it("refuses a file of recipients with more in an address than an address")
for address in ("a@example.org, evil@example.org", "a@example.org\nBcc: evil@example.org", "a b@example.org", "<a@example.org>",
                "@example.org", "a@", "a@b@c", "-f@example.org", "ü@example.org", "a" * 300 + "@example.org"):
    recipients([("CC-400", address)])
    assert "is neither a mail address" in deliver(*mailed, code=3)
recipients(ADDRESS.items())
deliver("--recipients", everybody, "--from", "evil\nBcc: a@example.org", code=2)
run("deliver", OUT, code=2)
deliver("--directory", "", code=2)
deliver("--directory", "", "--dry-run", code=2)
run("deliver", OUT, "--recipients", everybody, "--directory", "x", code=2)
equals(0, len(taken()))

it("puts each workbook into the folder of its centre, inside DIR, for owner and group alone")
folders = WORK / "folders"
output = deliver("--directory", folders, "--dry-run")
assert "7 would be handed over" in output and not folders.exists(), output
deliver("--directory", folders)
found = sorted(path.relative_to(folders) for path in folders.rglob("*") if path.is_file())
equals(sorted(path.name for path in path.values()), sorted(path.name for path in found))
equals({2}, {len(path.parts) for path in found})
equals(7, len({path.parts[0].lower() for path in found}))
assert not any(path.parts[0].startswith(".") for path in found), found
for relative in found:
    equals((OUT / relative.name).read_bytes(), (folders / relative).read_bytes())
    equals((0o640, 0o750), ((folders / relative).stat().st_mode & 0o777, (folders / relative).parent.stat().st_mode & 0o777))

it("does so once per version, leaves a folder's mode to the site, and follows no link that its owner has laid")
moved = folders / found[0]
moved.rename(WORK / "read-by-its-owner")
assert "0 handed over, 7 before" in deliver("--directory", folders)
assert not moved.exists()
trap = WORK / "trap"
trap.write_text("mine")
pending = moved.parent / f".{moved.name}.pending"
pending.symlink_to(trap)
moved.parent.chmod(0o2770)
sql("DELETE FROM handed_over")
deliver("--directory", folders)
equals(("mine", 0o2770), (trap.read_text(), moved.parent.stat().st_mode & 0o7777))
assert moved.is_file() and not pending.exists()

it("hands over to everybody, at once, where an owner has put a file without end, a link to one, or a pipe in the place of his workbook")
sql("DELETE FROM handed_over")
endless = WORK / "endless"
for place in (endless, folders / found[0]):
    with open(place, "wb") as file:
        file.truncate(900 << 30)  # bytes that take no room
for relative in found[1:3]:
    (folders / relative).unlink()
(folders / found[1]).symlink_to(endless)
os.mkfifo(folders / found[2])
done = subprocess.run([KSTAR, "deliver", OUT, "--directory", folders], capture_output=True, text=True, check=True, timeout=60)
assert done.stdout.endswith("7 handed over, 0 before, 0 wait\n"), done.stdout
for relative in found:
    assert (folders / relative).is_file() and not (folders / relative).is_symlink(), relative
    equals(hashlib.sha256((OUT / relative.name).read_bytes()).hexdigest(), hashlib.sha256((folders / relative).read_bytes()).hexdigest())

it("hands over the final version of a closed month, and with --final nothing preliminary")
assert "0 handed over, 0 before, 0 wait" in deliver("--directory", folders, "--final")
run("close", "2026-09", "--accept-incomplete", "a cluster was shut down")
run("nightly", INBOX, "--out", OUT, "--as-of", "2026-10-03")
output = deliver("--directory", folders, "--final")
assert "7 handed over, 0 before, 0 wait" in output, output
equals("Final|7\nPreliminary|7", sql("SELECT status, count(*) FROM handed_over GROUP BY 1 ORDER BY 1"))
assert "0 handed over, 7 before" in deliver("--directory", folders)

it("hands over a version that comes back after another one: its owner has what is published, by folder and by mail")
company = Company("restated")
own = recipients([("A", "owner@example.org")])
sink()


def restated(cost, *options):
    """A night on a bill of so much, handed over; the last line of each delivery, and whether
    the owner's file is the night's."""
    company.bill(("1 00:00", "10-01 00:00", "Usage", cost, "team=a", "Servers"))
    company.kstar("nightly", company.inbox, "--out", company.out)
    last_lines = [company.kstar("deliver", company.out, *way, *options).stdout.splitlines()[-1]
                  for way in (("--directory", WORK / "owners"), ("--recipients", own, "--mailer", WORK / "sendmail"))]
    return last_lines, [path.read_bytes() == (company.out / path.name).read_bytes() for path in (WORK / "owners").rglob("*.xlsx")]


HANDED, BEFORE = ["1 handed over, 0 before, 0 wait"] * 2, ["0 handed over, 1 before, 0 wait"] * 2
equals((HANDED, [True]), restated("100.00"))
equals((HANDED, [True]), restated("110.00"))
equals((["1 would be handed over, 0 before, 0 wait"] * 2, [False]), restated("100.00", "--dry-run"))
equals((HANDED, [True]), restated("100.00"))
equals((BEFORE, [True]), restated("100.00"))
messages = taken()
books = [workbook_of(message)[1] for message in messages]
assert len(books) == 3 and books[0] == books[2] != books[1]
equals(3, len({message["Message-ID"] for message in messages}))

it("sends the version that came back as the same message when it was killed before it could note it")
sink(after="kill -9 $PPID")
company.bill(("1 00:00", "10-01 00:00", "Usage", "110.00", "team=a", "Servers"))
company.kstar("nightly", company.inbox, "--out", company.out)
company.kstar("deliver", company.out, "--recipients", own, "--mailer", WORK / "sendmail", code=-signal.SIGKILL)
sink()
company.kstar("deliver", company.out, "--recipients", own, "--mailer", WORK / "sendmail")
killed, again = taken()
equals(killed["Message-ID"], again["Message-ID"])
assert killed["Message-ID"] not in {message["Message-ID"] for message in messages}
equals(books[1], workbook_of(again)[1])
