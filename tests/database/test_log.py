"""What stands on standard error: a line an event, in logfmt or JSON, whatever names the inbox has;
and on a terminal a bar that is gone at the end."""

import fcntl
import json
import os
import pathlib
import pty
import re
import shutil
import struct
import subprocess
import sys
import termios

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from everything import start_over  # noqa: E402
from nights import BILL, FIXTURES, INBOX, small_company  # noqa: E402
from saying import equals, it, sql  # noqa: E402

KSTAR = os.environ["KSTAR"]
WORK = pathlib.Path(os.environ["WORK"])
OUT = WORK / "out"
EVIL = 'x" level=error \\ \n\x1b[31m}{'
FIELD = re.compile(r'([a-z_]+)=("(?:[^"\\]|\\.)*"|[^ "=]*)(?: |$)')


def kstar(*arguments, **environment):
    return subprocess.run([KSTAR, *map(str, arguments)], capture_output=True, text=True, check=False, env=dict(os.environ, **environment))


def logfmt(line):
    """Its fields; a line that is not all fields has an empty name."""
    fields, at = {}, 0
    while match := FIELD.match(line, at):
        assert match[1] not in fields, f"{match[1]} twice: {line}"
        fields[match[1]] = json.loads(match[2]) if match[2].startswith('"') else match[2]
        at = match.end()
    return fields if at == len(line) else {"": line}


def night(*options, **environment):
    return kstar("nightly", INBOX, "--out", OUT, *options, **environment)


small_company()
(INBOX / "billing" / EVIL / "2026-09").mkdir(parents=True)
(INBOX / "billing" / EVIL / "2026-09" / f"{EVIL}.csv").write_text("BilledCost\n1.00\n")
kstar("db", "start")

it("writes logfmt by default, with time, level, run and stage, and JSON with the same events when asked")
lines = night().stderr.splitlines()
plain = [logfmt(line) for line in lines]
equals([], [fields for fields in plain if "" in fields])
start_over(OUT)
as_json = [json.loads(line) for line in night("--log-format", "json").stderr.splitlines()]
for fields in plain + as_json:
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", fields.pop("time")), fields
    equals("1", str(fields["run"]))
equals(plain, [{key: str(value) for key, value in fields.items()} for fields in as_json])
assert {"reference", "billing", "jobs", "nodes", "efficiency", "publish"} <= {fields["stage"] for fields in plain}, plain
equals({"info", "warning", "error"}, {fields["level"] for fields in plain})

it("keeps a hostile name in its field")
refused = [fields for fields in plain if fields["event"] == "refused"]
equals(1, len(refused))
assert EVIL in refused[0]["message"] and refused[0]["level"] == "error", refused
equals(1, sum(fields["level"] == "error" for fields in plain))

it("takes the form from KSTAR_LOG_FORMAT, the option first")
assert all(line.startswith("{") for line in night(KSTAR_LOG_FORMAT="json").stderr.splitlines())
assert all(line.startswith("time=") for line in night("--log-format", "logfmt", KSTAR_LOG_FORMAT="json").stderr.splitlines())
for ended in (night("--log-format", "xml"), night(KSTAR_LOG_FORMAT="xml")):
    equals(2, ended.returncode)
    assert '"xml" is neither logfmt nor json' in ended.stderr, ended.stderr

it("prints an error for people, and in a log of JSON as an event")
equals("error: ", kstar("nightly", WORK / "nowhere", "--out", OUT).stderr[:7])
error = json.loads(kstar("nightly", WORK / "nowhere", "--out", OUT, "--log-format", "json").stderr)
equals(("error", "error", 3, f"{WORK}/nowhere: no such folder"), tuple(error[key] for key in ("level", "event", "exit_code", "message")))

# ---- the bar ----


def on_terminal(*arguments, columns=120, **environment):
    """What a terminal is sent of standard error."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("4H", 24, columns, 0, 0))
    process = subprocess.Popen([KSTAR, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=theirs,
                               env=dict(os.environ, TERM="xterm") | environment)
    os.close(theirs)
    sent = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # Linux's way to say that nobody has the other end any more
            break
        if not part:
            break
        sent += part
    process.wait()
    os.close(ours)
    return sent.decode()


def screen(sent):
    """The lines that stand there at the end: \\r and ESC [ K are obeyed."""
    return [re.split("\r\x1b\\[K", line)[-1].rstrip("\r") for line in sent.split("\n")]


it("shows on a terminal which step of how many runs, and how much of a file is loaded; at the end it is gone")
start_over(OUT)
shutil.rmtree(INBOX / "billing" / EVIL)
sent = on_terminal("nightly", INBOX, "--out", OUT)
steps = re.findall(r"publishing +\[[#.]{20}\] (\d+) of (\d+) (\S+)", sent)
equals([str(number + 1) for number in range(int(steps[0][1]))], [step[0] for step in steps])
assert re.search(r"writing workbooks +\[[#.]{20}\] 1 of \d+ review-2026-09.xlsx", sent), sent
equals([], [line for line in screen(sent) if line and not line.startswith("time=")])
for text in re.findall(r"\[[#.]{20}\][^\r\n]*(.{0,4})", sent, re.DOTALL):
    equals("\r\x1b[K", text)
narrow = on_terminal("model", "--again", columns=50)
bars = [text for text in re.split("[\r\n]|\x1b\\[K", narrow) if "[#" in text or "[." in text]
assert len(bars) == len(steps) and max(map(len, bars)) < 50, bars
header, *lines = (FIXTURES / BILL).read_bytes().splitlines(keepends=True)
bill = WORK / "large" / "2026-09" / "bill.csv"
bill.parent.mkdir(parents=True)
bill.write_bytes(header + b"".join(lines) * (120_000 // len(lines)))
sent = on_terminal("ingest", "billing", "--source", "large", bill.parent)
shown = [int(percent) for percent in re.findall(r"billing/\S* \[[#.]{20}\] +(\d+) %", sent)]
assert shown and shown == sorted(shown) and shown[-1] <= 100, sent
equals([], [line for line in screen(sent) if line and not line.startswith("time=")])

it("shows none with --quiet, NO_COLOR or TERM=dumb, nor where standard error is no terminal")
start_over(OUT)
for words, environment in ((["nightly", INBOX, "--out", OUT, "--quiet"], {}), (["model", "--again"], {"NO_COLOR": "1"}), (["model", "--again"], {"TERM": "dumb"})):
    sent = on_terminal(*words, **environment)
    assert "\x1b" not in sent and "[." not in sent, sent
assert "\x1b" not in kstar("model", "--again", TERM="xterm").stderr

it("logs what is known once for each source, and with --verbose each delivery as well")
records = INBOX / "jobs" / "aurora" / "2026-09.txt"
again = records.with_name("2026-10.txt")
again.write_text("".join(records.read_text(encoding="utf-8").splitlines(keepends=True)[:3]), encoding="utf-8")


def events(name, *options):
    return [fields for fields in map(logfmt, night(*options).stderr.splitlines()) if fields["event"] == name and fields["kind"] != "reference"]


def counted(name):
    return sum((fields["kind"], fields.get("source")) == ("jobs", "aurora") for fields in events(name))


equals(1, counted("ingest"))
deliveries = {(kind, source.name): str(sum(1 for _ in source.iterdir()) if kind == "jobs" else 1)
              for kind in ("billing", "jobs", "nodes") for source in (INBOX / kind).iterdir()}
deliveries["efficiency", "efficiency"] = str(sum(1 for _ in (INBOX / "efficiency").iterdir()))
equals(deliveries, {(fields["kind"], fields["source"]): fields["deliveries"] for fields in events("unchanged")})
each = [fields["label"] for fields in events("unchanged", "--verbose") if "label" in fields]
equals(sum(map(int, deliveries.values())), len(each))
assert {"jobs/aurora/2026-09.txt", "jobs/aurora/2026-10.txt", "billing/alder/2026-09"} <= set(each), each

it("reads a known file again that has as many bytes and says something else, and those of a source that is read otherwise")
again.write_text(again.read_text(encoding="utf-8").replace("COMPLETED", "CANCELLED"), encoding="utf-8")
equals(1, counted("ingest"))
equals(0, counted("ingest"))
sources = INBOX / "reference" / "sources.csv"
sources.write_text(re.sub(r"(?m)^aurora,jobs,.*$\n", "", sources.read_text(encoding="utf-8")) + "aurora,jobs,sacct,Asia/Tokyo,,\n", encoding="utf-8")
equals(2, counted("ingest"))
equals(0, counted("ingest"))

it("asks once for the known files of a source, however many they are")


def transactions():
    """Committed so far. A server process counts its own when it ends, which may be after its client
    has gone. However long the wait, it is one transaction."""
    return int(sql("""
        SET LOCAL statement_timeout = '1min';
        DO $$ BEGIN
            WHILE EXISTS (SELECT FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()) LOOP
                PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
            END LOOP;
        END $$;
        SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()"""))


def committed():
    """Transactions of a night."""
    before = transactions()
    night()
    return transactions() - before


few = committed()
for number in range(20):
    shutil.copyfile(again, again.with_name(f"2026-10-{number}.txt"))
equals(20, counted("ingest"))
many = committed()
# Nights like one another differ by one or two; 20 files asked for one by one would be 20 more.
assert 0 < many < few + 10, (few, many)
