"""Clocks that jump: nights by a clock that is a day behind, a day ahead, and in the hours in which
summer time begins and ends, and on a machine without time zones. What is published does not depend
on the clock. How long ago the last night was, and whether a month is over, goes by the server's.

libfaketime shows kstar another time, and in a last part its server."""

import hashlib
import os
import pwd
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
from company import Company  # noqa: E402
from saying import equals, it  # noqa: E402

LIBRARY = next(iter(sorted(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))), None)
if LIBRARY is None:
    print("skipped: other clocks, for want of package faketime")
    sys.exit(77)
WORK, KSTAR = Path(os.environ["WORK"]), os.environ["KSTAR"]
DAYS = 4


def clock(time, zone="Europe/Berlin"):
    """A clock that shows this and goes on. Times of files are the disk's own."""
    return {"LD_PRELOAD": str(LIBRARY), "FAKETIME": time, "NO_FAKE_STAT": "1", "FAKETIME_DONT_RESET": "1", "TZ": zone}


def contents(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in sorted(folder.glob("[!.]*"))}


def run(company, environment, *words, codes=(0,), before=()):
    done = subprocess.run([*before, KSTAR, *map(str, words), "--dsn", company.dsn], capture_output=True, text=True, check=False,
                          env={name: value for name, value in {**os.environ, **environment}.items() if value is not None})
    assert done.returncode in codes, (environment, words, done.returncode, done.stdout, done.stderr)
    return done.stdout + done.stderr


def bring(company, days):
    """The bill of a month up to a day. Both changes of summer time are in its hours."""
    for month in ("2026-03", "2026-10"):
        company.bill(*([f"{day} {hour:02}:00", f"{day} {hour + 1:02}:00", "Usage", f"{day}.{hour:02}7", f"team={'ab'[hour % 2]}", "Servers"]
                       for day in range(25, 25 + days) for hour in range(3)), month=month)


def nights(name, *clocks, before=()):
    """A night after each of the last days of the bill, by one clock after another."""
    company = Company(name)
    for number, environment in enumerate(clocks, DAYS + 1 - len(clocks)):
        bring(company, number)
        run(company, environment, "nightly", company.inbox, "--out", company.out, "--quiet", codes=(0, 4), before=before)
    return company


it("publishes and writes the same by clocks that jump, and in the nights in which they are changed")
real = {"TZ": "UTC"}
undisturbed = contents(nights("undisturbed", real).out)
assert len(undisturbed) > 10, undisturbed.keys()
jumping = nights("jumping", clock("+1d"), clock("-1d"), clock("@2026-03-29 01:59:58"), clock("@2026-10-25 02:59:58"))
equals(undisturbed, contents(jumping.out))
run(jumping, clock("-1d"), "verify")

it("knows the latest delivery and the last night by their order, not by a clock")
run(jumping, clock("-2d"), "nightly", jumping.inbox, "--out", jumping.out, "--quiet", codes=(0, 4))
equals(undisturbed, contents(jumping.out))
run(jumping, clock("+300d"), "status")  # how long ago the night was, the server's clock says

it("works without TZ, and on a machine that has neither time zones nor a local time")
bare = {name: None for name in ("TZ", "PGTZ", "LC_ALL", "LANG")}
equals(undisturbed, contents(nights("bare", bare).out))
without = ["unshare", "--mount", "--map-root-user"] if os.getuid() else ["unshare", "--mount"]
if subprocess.run([*without, "true"], check=False, capture_output=True).returncode != 0:
    print("skipped: a machine without zoneinfo, for want of the right to a mount namespace")
else:
    script = 'mount -t tmpfs none /usr/share/zoneinfo; [ ! -e /etc/localtime ] || mount --bind /dev/null /etc/localtime; exec "$@"'
    equals(undisturbed, contents(nights("zoneless", bare, before=[*without, "sh", "-c", script, "sh"]).out))

it("says by the server's clock that a night is too long ago, and closes a month by it")
home = Path(os.environ["KSTAR_DATA_DIR"])
owner = pwd.getpwuid((home / "postgresql").stat().st_uid)
server = ["runuser", "-u", owner.pw_name, "--"] if os.getuid() == 0 else []
binaries = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True).stdout.strip()


def restart(environment):
    subprocess.run([KSTAR, "db", "stop", "--force"], check=True, capture_output=True)
    subprocess.run([*server, "env", *(f"{name}={value}" for name, value in environment.items()), f"{binaries}/pg_ctl", "-D", str(home), "-w", "-s",
                    "-l", "/dev/null", "start"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)


restart(clock("+3d", "UTC"))
run(jumping, real, "status", codes=(9,))
restart(clock("@2026-10-20 00:00:00", "UTC"))
assert "2026-10 cannot be closed" in run(jumping, real, "close", "2026-10", "--accept-incomplete", "by the clock", codes=(4,))
run(jumping, real, "close", "2026-03", "--accept-incomplete", "by the clock")
restart({})
