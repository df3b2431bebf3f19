"""Job records as text, in a folder named after their source."""

import os
from pathlib import Path

from saying import run


def deliver(source, name, header, records, code=0):
    """Ingests them as a delivery of their own."""
    folder = Path(os.environ["WORK"]) / source
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("\n".join((header, *records)) + "\n", encoding="utf-8")
    done = run("ingest", "jobs", "--accept", folder / name)
    assert done.returncode == code, f"{done.returncode}: {done.stdout}{done.stderr}"
    return done
