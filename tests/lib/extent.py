"""How much a test tries: enough for every day, or with KSTAR_TEST_WHOLE=1 all of it, which
tests/release asks for."""

import os

WHOLE = os.environ.get("KSTAR_TEST_WHOLE") == "1"


def tried(every_day, whole):
    return whole if WHOLE else every_day
