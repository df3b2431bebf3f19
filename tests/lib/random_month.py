"""A small month with random rules and every kind of line, and what its statement has to be, worked
out without kstar."""

import os
import subprocess
from pathlib import Path

SOURCES = Path(os.environ["KSTAR_SOURCE_DIR"])
MONTH = "2026-09"


def generate(inbox, seed, *more):
    subprocess.run([SOURCES / "fixtures" / "generate", "--out", inbox, "--seed", str(seed), "--lines", "1500", "--jobs", "60",
                    "--month", MONTH, "--random-rules", *more], check=True)


def compute(inbox, out):
    subprocess.run([SOURCES / "fixtures" / "expected" / "compute", "--inbox", inbox, "--month", MONTH, "--out", out], check=True)
