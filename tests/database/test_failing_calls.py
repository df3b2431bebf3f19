"""Each call to the system of a small night fails once, each way to ask for memory too, and each
message to the server is the last one of a night. strace counts the calls and lets the Nth of a kind
fail, or kills kstar at it; failing_memory.c does so with memory. After a kill the power is lost,
too: of files that were not flushed, half is gone. Whatever happened, a failure is one line
with the exit code of its kind, OUT shows whole files alone, and the night after it leaves what a
night leaves that nothing disturbed.

A flushed file is kept by the disk, and so is its name once the folder is flushed. So it is also
looked up in the calls of an undisturbed night that a file is flushed before it gets its name, and
its folder after that, before anybody hears of it.

The calls that fail are drawn at random. There are 1,300, and 6,700 ways to ask for memory; all of
them would take hours:

    KSTAR_TEST_SEED=7 KSTAR_TEST_FAULTS=8000 ctest -R database.failing_calls -V

Where the system forbids tracing, the test is skipped."""

import collections
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import case_page  # noqa: E402
import published  # noqa: E402
from extent import tried  # noqa: E402
from nights import CLEAN, INBOX, KSTAR, LONGEST, WORK, Undisturbed  # noqa: E402
from saying import it  # noqa: E402

FAULTS = int(os.environ.get("KSTAR_TEST_FAULTS", tried(12, 300)))
SEED = int(os.environ.get("KSTAR_TEST_SEED", "20261125"))
PAGE = Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "cases" / "12-saving.case"
SHIM = os.environ["KSTAR_FAILING_MEMORY"]
MEMORY, MESSAGE = "memory", "sendto"  # the latter: a message to the server
# What happens at a call.
FAULTS_OF = {"openat": "error=EACCES", "write": "error=ENOSPC", "fsync": "error=EIO", "rename": "error=EIO", MESSAGE: "signal=SIGKILL"}
FAILED, REFUSED, WAITS, DATABASE = 1, 3, 4, 7
CALL = re.compile(r"(\d+) +(\w+)\((.*)")


def write_inbox():
    case_page.write_common_reference(INBOX)
    for words, table in case_page.read_page(PAGE).sections:
        if words[0] in ("bill", "jobs", "nodes", "efficiency", "reference"):
            case_page.write_input(words, table, INBOX)


def night(folder, *before, **environment):
    """Of a new database: the exit code and the output."""
    published.new_database("kstar")
    done = subprocess.run([*before, KSTAR, "nightly", INBOX, "--out", folder, "--quiet"], capture_output=True, text=True, check=False,
                          timeout=LONGEST, env=os.environ | environment)
    return done.returncode, done.stderr


def traced(folder, *options):
    return night(folder, "strace", "-qq", "-f", *options)


def failing(folder, kind, number):
    """A night in which that call fails, or is the last."""
    if kind == MEMORY:
        return night(folder, LD_PRELOAD=SHIM, KSTAR_TEST_MEMORY_FAILS=str(number))
    # a filter of the kernel's is quicker, but knows no signals
    return traced(folder, *(() if kind == MESSAGE else ("--seccomp-bpf",)), "-o", "/dev/null", "-e", f"trace={kind}", "-e",
                  f"inject={kind}:{FAULTS_OF[kind]}:when={number}")


def ways_to_memory(folder):
    """(kind, number, what it is about) of each way in which a night asks for memory."""
    code, output = night(folder, LD_PRELOAD=SHIM, KSTAR_TEST_MEMORY_FAILS="0", KSTAR_TEST_MEMORY_WAYS=str(WORK / "ways"))
    assert code in CLEAN, output
    return [(MEMORY, number, "") for number in range(1, int((WORK / "ways").read_text()) + 1)]


def calls_of_a_night(folder):
    """(kind, which one of its kind from 1, what it is about) of each call that kstar itself makes,
    but for those with which the system starts a program."""
    log = WORK / "calls"
    code, output = traced(folder, "--seccomp-bpf", "-y", "-e", "trace=" + ",".join(FAULTS_OF), "-o", log)
    if "ptrace" in output or "Operation not permitted" in output:
        print(f"skipped: strace: {output.splitlines()[0]}")
        sys.exit(77)
    assert code in CLEAN, output
    numbers, calls = collections.Counter(), []
    main, begun = None, False
    for line in log.read_text(encoding="utf-8", errors="replace").splitlines():
        found = CALL.match(line)
        if not found:
            continue
        process, kind, arguments = found.groups()
        main = main or process
        if process != main:
            continue
        numbers[kind] += 1
        begun = begun or kind != "openat" or not re.search(r'"(/lib|/usr|/etc/ld)', arguments)
        if begun:
            calls.append((kind, numbers[kind], arguments))
    return calls


def draw(calls):
    """As many of each kind, as far as there are."""
    random.Random(SEED).shuffle(calls)
    by_kind = [[call for call in calls if call[0] == kind] for kind in (*FAULTS_OF, MEMORY)]
    drawn, turn = [], 0
    while len(drawn) < FAULTS and any(by_kind):
        kind = by_kind[turn % len(by_kind)]
        drawn += [kind.pop()] if kind else []
        turn += 1
    return drawn


def check_output(code, output, when):
    """That a night which did not end as it should says so, in one line, with a code of its kind. Of
    a delivery that it refused and went on, the line is one of the log."""
    errors = [line for line in output.splitlines() if line.startswith("error: ") or code in (REFUSED, WAITS) and " level=error " in line]
    assert code in (FAILED, REFUSED, WAITS, DATABASE), f"{when}: exit code {code}: {output}"
    assert len(errors) == 1 and len(errors[0]) > len("error: ") + 10, f"{when}: not one line: {output}"


def path_of(arguments, pattern):
    return os.path.normpath(re.search(pattern, arguments)[1])


def check_flushed(calls, folder):
    """That what gets its name in OUT was flushed after its last write, and OUT after that, before
    the server or anybody else hears of it. Returns how many files got one."""
    unflushed, named, count = set(), None, 0
    for kind, _, arguments in calls:
        if kind == "openat":
            continue
        if kind == "write":
            unflushed.add(path_of(arguments, "<(.*?)>"))
        elif kind == "fsync":
            path = path_of(arguments, "<(.*?)>")
            unflushed.discard(path)
            named = None if named and os.path.dirname(named) == path else named
        elif kind == "rename":
            pending, final = re.findall(r'"(.*?)"', arguments)[:2]
            assert os.path.normpath(pending) not in unflushed, f"{pending} gets its name before it is flushed"
            named, count = os.path.normpath(final), count + 1
        assert named is None or kind == "rename", f"{named} is not flushed with its name before {kind} {arguments}"
    seen = [path for path in unflushed if os.path.dirname(path) == str(folder) and not os.path.basename(path).startswith(".")]
    assert not seen, f"written under the name that readers see: {seen}"
    return count


def lose_power(folder):
    """Half of each file that has no name yet is not on the disk."""
    for path in folder.glob(".*.pending") if folder.exists() else ():
        os.truncate(path, path.stat().st_size // 2)


write_inbox()
it("a night that nothing disturbs")
undisturbed = Undisturbed()
counted = WORK / "counted"
calls = calls_of_a_night(counted)
undisturbed.check_same(counted, "under strace")
calls += ways_to_memory(WORK / "remembered")
print(f"seed {SEED}; calls:", ", ".join(f"{kind} {count}" for kind, count in collections.Counter(kind for kind, _, _ in calls).most_common()), flush=True)

it("flushes each file before it gets its name, and its folder before anybody hears of it")
assert check_flushed(calls, counted) >= len(undisturbed.workbooks)

it("a call that fails, or is the last, leaves nothing half-done")
outcomes = collections.Counter()
for kind, number, about in draw(calls):
    folder = WORK / f"{kind}-{number}"
    when = f"{kind} {number}, {about[:80]}"
    code, output = failing(folder, kind, number)
    if kind == MESSAGE:
        assert code in (-9, 137), f"{when}: not killed, but {code}: {output}"
        lose_power(folder)
    elif code not in CLEAN:
        check_output(code, output, when)
    assert kind != MEMORY or code == FAILED and "out of memory" in output, f"{when}: {code}: {output}"
    outcomes[kind, code] += 1
    went_on_without = code == REFUSED or " event=waits " in output  # a delivery
    if folder.exists() and not went_on_without:
        undisturbed.check_visible(folder, when)
    undisturbed.check_again(folder, when)
    shutil.rmtree(folder)
for (kind, code), count in sorted(outcomes.items()):
    print(f"{kind}: {count} ended with {code}")
