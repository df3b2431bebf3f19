"""What script tests share: a sentence for each thing that must be true, kstar with the exit code
that it must have, and the database as anybody reads it."""

import os
import subprocess
import sys
import time

KSTAR = os.environ["KSTAR"]
NO_SERVER = 2  # psql's exit code

failures = []  # what expect() found untrue


def it(sentence):
    print("-", sentence, flush=True)


def check(holds, message):
    """Ends the test where something is not so."""
    if not holds:
        print(f"FAILED: {message}")
        sys.exit(1)


def expect(what, condition, shown=""):
    """Notes where something is not so, and the test goes on; it ends with sys.exit(bool(failures))
    or the like."""
    print(("ok: " if condition else "not ok: ") + what + ("" if condition else f"\n{shown}"), flush=True)
    if not condition:
        failures.append(what)


def equals(expected, actual):
    assert expected == actual, f"\nexpected: {expected!r}\ngot:      {actual!r}"


def run(*words, **options):
    """kstar, however it ends; options are those of subprocess.run."""
    return subprocess.run([KSTAR, *map(str, words)], capture_output=True, text=True, check=False, **options)


def kstar(*words, code=0, **options):
    """kstar, which ends with this code, or one of these."""
    done = run(*words, **options)
    assert done.returncode in (code if isinstance(code, tuple) else (code,)), (words, done.returncode, done.stdout, done.stderr)
    return done


def output_of(*words, code=0, **options):
    """All that kstar prints, on standard output and on standard error."""
    done = kstar(*words, code=code, **options)
    return done.stdout + done.stderr


def psql(arguments, **options):
    """psql on kstar's database as subprocess.run has it: by itself, in a third of the time of kstar
    db psql, which starts a server that is stopped."""
    begun = subprocess.run(["psql", f"host={os.environ['KSTAR_DATA_DIR']}/socket port=5432 user=kstar dbname=kstar", *arguments],
                           **options | {"check": False})
    if begun.returncode == NO_SERVER:
        return subprocess.run([KSTAR, "db", "psql", "--", *arguments], **options)
    if options.get("check"):
        begun.check_returncode()
    return begun


def answer(query):
    result = psql(["-XAtq", "-F", "|", "-v", "ON_ERROR_STOP=1", "-c", "SET search_path = kstar; " + query], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def sql(query):
    return answer(query).rstrip("\n")


def rows_of(query):
    return [tuple(row.split("|")) for row in answer(query).splitlines()]


def wait_until(query, wanted, process=None):
    """Asks again and again until that is the answer, or the process has ended: a minute at most. A
    psql asks for a second, as its start takes more than what it asks."""
    asking = f"""DO $asking$ BEGIN
        FOR turn IN 1..100 LOOP
            EXIT WHEN format('%s', ({query})) = '{wanted}';
            PERFORM pg_sleep(0.01), pg_stat_clear_snapshot();
        END LOOP;
    END $asking$; """
    deadline = time.monotonic() + 60
    while (found := sql(asking + query)) != wanted and (process is None or process.poll() is None):
        assert time.monotonic() < deadline, f"{query} is {found}, not {wanted}"


def run_seconds(*arguments, code=0):
    """What kstar itself takes of a processor in one run, the server not counted."""
    process = subprocess.Popen([KSTAR, *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    assert os.waitstatus_to_exitcode(status) == code, (arguments, status)
    return used.ru_utime + used.ru_stime


def processor_seconds(*arguments, code=0):
    """The least of three runs."""
    return min(run_seconds(*arguments, code=code) for _ in range(3))


def takes_less(seconds, *arguments, code=0):
    """Whether the least of three runs is below that; no run follows one that is."""
    return any(run_seconds(*arguments, code=code) < seconds for _ in range(3))
