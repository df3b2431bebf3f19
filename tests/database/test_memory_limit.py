"""Too little memory, by as many limits as it takes from the least with which the program starts to
one that is enough: each night ends with 1 and one line, none by a signal, OUT shows whole files
alone, and the night with enough is as one that nothing disturbed."""

import os
import resource
import subprocess
import sys

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import everything  # noqa: E402
from nights import CLEAN, KSTAR, WORK, Undisturbed, check_failed, finish  # noqa: E402
from saying import it  # noqa: E402

FAILED = 1
MIB = 1 << 20
MOST = 1024 * MIB


def limited(limit):
    return {"preexec_fn": lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))}


def starts(limit):
    return subprocess.run([KSTAR, "--version"], capture_output=True, check=False, **limited(limit)).returncode == 0


def nights_until_enough(folder, limit, step):
    """How many failed."""
    failed = 0
    while limit < MOST:
        ended = finish(folder, **limited(limit))
        undisturbed.check_visible(folder, f"with {limit >> 10} KB")
        if ended[0] in CLEAN:
            return failed
        check_failed(ended, FAILED, "memory", "run again")
        failed += 1
        limit += step
    raise AssertionError(f"{MOST >> 20} MB are not enough")


if not starts(MOST // 2):
    print("skipped: the program does not start in half a gigabyte of addresses: is it built with a sanitizer?")
    sys.exit(77)
least = next(limit for limit in range(4 * MIB, MOST, MIB // 2) if starts(limit))
undisturbed = Undisturbed()

it("while workbooks are written")
failed = nights_until_enough(WORK / "written", least, MIB // 2)
assert failed > 2, f"only {failed} nights had too little"
undisturbed.check_same(WORK / "written")

it("while files are loaded and months are published")
everything.start_over()
failed += nights_until_enough(WORK / "loaded", least, 16 * MIB)
undisturbed.check_same(WORK / "loaded")
print(f"{failed} nights with too little memory, from {least >> 10} KB on")
