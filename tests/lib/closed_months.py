"""A company with three generated months (the same seed, months of 31 days): made(INBOX) writes its
inbox, close(INBOX, OUT) publishes them all and closes the first two, whose journals are issued in
OUT. One of those may then be pruned: the month closed last stays."""

import csv
import os
import shutil
import subprocess
from pathlib import Path

from publish import Publish
from saying import kstar

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
MONTHS = ("2026-07", "2026-08", "2026-10")


def with_rows(path, extra):
    """A reference file and the rows of the same file of another month that it does not have."""
    lines = path.read_text(encoding="utf-8").splitlines()
    lines += [line for line in extra.read_text(encoding="utf-8").splitlines() if line not in lines]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def renumbered(text, by):
    """Job ids of a month's own: every generated month begins with the same."""
    header, *lines = text.splitlines()
    names = header.split("|")
    rows = [dict(zip(names, line.split("|"))) for line in lines]
    for row in rows:
        row["JobID"] = row["JobIDRaw"] = str(int(row["JobIDRaw"]) + by)
    return "\n".join([header, *("|".join(row[name] for name in names) for row in rows)]) + "\n"


def made(inbox, lines=1200, jobs=60, *more):
    for number, month in enumerate(MONTHS):
        folder = WORK / month
        subprocess.run([SOURCES / "fixtures" / "generate", "--out", folder, "--lines", str(lines), "--jobs", str(jobs), "--month", month, *more],
                       check=True)
        records = next((folder / "jobs").rglob("*.txt"))
        records.write_text(renumbered(records.read_text(encoding="utf-8"), 1_000_000 * number), encoding="utf-8")
        if number == 0:
            shutil.copytree(folder, inbox)
            continue
        shutil.copytree(folder / "billing", inbox / "billing", dirs_exist_ok=True)
        shutil.copytree(folder / "jobs", inbox / "jobs", dirs_exist_ok=True)
        for name in ("exchange_rates.csv", "invoices.csv"):
            with_rows(inbox / "reference" / name, folder / "reference" / name)
    with (inbox / "reference" / "exchange_rates.csv").open("a", encoding="utf-8") as file:
        file.write("2026-11-30,EUR,USD,1.1600\n")  # of the month that carries adjustments


def of_few_centres(inbox):
    """Of the thirteen cost centres four are left, which pay for the others: a night writes a
    workbook for each."""
    kept = ["CC-100", "CC-110", "CC-120", "CC-130"]
    for name in ("cost_centres", "mapping_rules", "pool_weights"):
        path = inbox / "reference" / f"{name}.csv"
        with path.open(newline="", encoding="utf-8") as file:
            header, *rows = csv.reader(file)
        place = header.index("cost_centre")
        if name == "mapping_rules":
            rows = [[*row[:place], row[place] if row[place] in kept else kept[1 + at % 3], *row[place + 1:]] for at, row in enumerate(rows)]
        with path.open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows([header, *(row for row in rows if row[place] in kept)])


def close(inbox, out, publish=None):
    """`publish` is called before and after the months are closed; without it nothing but statements
    is published, of the two months by their close."""
    if publish is None:
        publish = Publish(inbox)
        publish.take()
    else:
        publish()
    for month in MONTHS[:2]:
        kstar("close", month, "--accept-incomplete", "as generated")
        kstar("report", "journal", "--period", month, "--issue", "--out", out)
    publish()
