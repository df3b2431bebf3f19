"""A night in which one call to the system fails, once: memory, a write, a flush, a rename, a file
that is opened; or that is killed before its Nth statement to the server. It ends with a code of its
kind and a message. OUT shows whole files, and the next night is as if nothing had happened.

KSTAR_TEST_SEED draws the calls. Left out: writes of the C library to its own streams."""

import os
import random
import shutil
import sys
from pathlib import Path

sys.path.insert(0, os.path.join(os.environ["KSTAR_SOURCE_DIR"], "tests", "lib"))
import everything  # noqa: E402
import nights  # noqa: E402
from extent import tried  # noqa: E402
from nights import CLEAN, WORK, finish  # noqa: E402
from saying import it  # noqa: E402

LIBRARY = os.environ["KSTAR_FAILING_CALLS"]
SEED = int(os.environ.get("KSTAR_TEST_SEED", "1"))
KILLED = -9
CODES = (1, 3, 4, 7)  # the machine, a file of the inbox, the database


def faulty(call="", number=0):
    return {"env": {**os.environ, "LD_PRELOAD": LIBRARY, "KSTAR_FAULT_PROGRAM": Path(os.environ["KSTAR"]).name, "KSTAR_FAULT_CALL": call,
                    "KSTAR_FAULT_NUMBER": str(number), "KSTAR_FAULT_COUNTS": str(WORK / "counts")}}


undisturbed = nights.Undisturbed()
everything.start_over()
code, said = finish(WORK / "counted", **faulty())
assert code in CLEAN, said
counts = {call: int(number) for call, number in (line.split() for line in (WORK / "counts").read_text(encoding="utf-8").splitlines())}
print(" ", counts)
assert all(counts.values()), counts

it("fails with a message and leaves nothing half-visible, and the next night is whole")
drawn = random.Random(SEED)
for trial in range(tried(12, 600)):
    call = list(counts)[trial % len(counts)]
    number = drawn.randint(1, counts[call])
    when = f"{call} {number} of {counts[call]} (seed {SEED})"
    everything.start_over()
    folder = WORK / f"failing-{trial}"
    code, said = finish(folder, **faulty(call, number))
    print(f"  {when}: {code} {said.splitlines()[-1] if said else ''}", flush=True)
    assert code == KILLED if call == "statement" else code in (*CLEAN, *CODES), f"{when}: exit code {code}: {said}"
    assert code in (*CLEAN, KILLED) or "error: " in said, f"{when}: says nothing: {said}"
    undisturbed.check_visible(folder, when)
    undisturbed.check_again(folder, when)
    shutil.rmtree(folder)
