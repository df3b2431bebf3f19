"""Reads a page of tests/cases and makes its inbox. tests/cases/README.md says how a page is
written."""

import csv
import re
from datetime import datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

BILL_DEFAULTS = {"BillingCurrency": "USD", "InvoiceId": "INV-1", "InvoiceIssuerName": "Cloud Inc.",
                 "ChargeCategory": "Usage", "ServiceCategory": "Compute", "ServiceName": "Servers"}
JOB_COLUMNS = ("JobID JobIDRaw Cluster Account User Submit Start End ElapsedRaw Suspended State ExitCode NNodes AllocCPUS AllocTRES "
               "NodeList WCKey JobName").split()
ACCELERATOR = "H100"  # of every node, and of measurements that do not say theirs
REFERENCE = {
    "cost_centres": [("cost_centre", "name", "gl_account"), ("A", "Team A", "6001"), ("B", "Team B", "6002"),
                     ("P", "Platform", "6000")],
    "mapping_rules": [("priority", "match", "pattern", "cost_centre"), ("1", "job_account", "a", "A"),
                      ("2", "job_account", "b", "B"), ("11", "tag:team", "a", "A"), ("12", "tag:team", "b", "B"),
                      ("13", "tag:team", "p", "P")],
    "node_accelerators": [("accelerator",), (ACCELERATOR,)],
}


def read_page(path):
    """title, what it says, sections: (words of the heading, header row, data rows)."""
    return page_of(path.stem, path.read_text(encoding="utf-8"))


def page_of(name, text):
    page = SimpleNamespace(name=name, title="", sections=[])
    for line in text.splitlines():
        if line.startswith("== "):
            page.sections.append((line[3:].split(), []))
        elif page.sections and line.strip():
            page.sections[-1][1].append([cell.strip() for cell in line.split("|")])
        elif not page.title:
            page.title = line.strip()
    return page


def repeated(row):
    """A row with n[01-64] in it stands for 64 rows."""
    ranged = next((re.search(r"\[(\d+)-(\d+)\]", cell) for cell in row if re.search(r"\[\d+-\d+\]", cell)), None)
    if ranged is None:
        return [row]
    first, last = ranged.groups()
    return [[cell.replace(ranged.group(), str(number).zfill(len(first))) for cell in row]
            for number in range(int(first), int(last) + 1)]


def records(table):
    header, *rows = table
    return [dict(zip(header, row)) for row in rows]


def time_text(text):
    """'8 14:30' is 8 September 2026, 14:30; '10-02 00:00' a day of another month; a full time
    stays."""
    short = re.fullmatch(r"(?:(\d\d)-)?(\d\d?) (\d\d:\d\d)(:\d\d)?", text)
    if not short:
        return text
    month, day, clock, seconds = short.groups()
    return f"2026-{month or '09'}-{int(day):02}T{clock}{seconds or ':00'}"


def write_csv(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def bill_rows(period, table):
    header, *rows = table
    names = list(dict.fromkeys([*header, "EffectiveCost", *BILL_DEFAULTS, "BillingPeriodStart", "Tags"]))
    yield names
    for row in (copy for row in rows for copy in repeated(row)):
        line = {**BILL_DEFAULTS, "BillingPeriodStart": f"{period}-01T00:00:00Z"}
        line.update({name: cell for name, cell in zip(header, row) if cell})
        for name in ("ChargePeriodStart", "ChargePeriodEnd"):
            short = time_text(line[name])
            line[name] = short + "Z" if short != line[name] else short
        line.setdefault("EffectiveCost", line["BilledCost"])
        tags = [tag.split("=") for tag in line.get("Tags", "").split()]
        line["Tags"] = "{" + ",".join(f'"{key}":"{value}"' for key, value in tags) + "}" if tags else ""
        yield [line.get(name, "") for name in names]


def elapsed_seconds(job):
    """What Slurm says where a page does not: the time between start and end in which the job was
    not suspended."""
    if not (job["Start"][0].isdigit() and job["End"][0].isdigit()):
        return "0"
    hours, minutes, seconds = map(int, job["Suspended"].split(":"))
    suspended = timedelta(hours=hours, minutes=minutes, seconds=seconds)
    ran = datetime.fromisoformat(job["End"]) - datetime.fromisoformat(job["Start"]) - suspended
    return str(max(0, int(ran.total_seconds())))


def job_rows(cluster, table):
    yield JOB_COLUMNS
    for job in records(table):
        job = {"Cluster": cluster, "User": "someone", "State": "COMPLETED", "ExitCode": "0:0", "JobName": "train",
               **{name: cell for name, cell in job.items() if cell}}
        for name in ("Start", "End", "Submit"):
            job[name] = time_text(job.get(name, "Unknown"))
        job["Submit"] = job["Submit"] if job["Submit"] != "Unknown" else job["Start"]
        job.setdefault("JobIDRaw", job["JobID"])
        job.setdefault("Suspended", "00:00:00")
        job.setdefault("ElapsedRaw", elapsed_seconds(job))
        job.setdefault("NNodes", "1")
        job.setdefault("AllocCPUS", "8")
        job.setdefault("WCKey", "")
        gpus, types = job.get("GPUs"), job.get("GPU types", "").split()
        job["AllocTRES"] = f"cpu={job['AllocCPUS']}" + (f",gres/gpu={gpus}" if gpus else "") + "".join(f",gres/gpu:{one}" for one in types)
        yield [job[name] for name in JOB_COLUMNS]


def managed_rows(table):
    """Plain CSV records of jobs that name their own cloud resource."""
    names = list(dict.fromkeys([*table[0], "state"]))
    yield names
    for job in records(table):
        job = {"state": "COMPLETED", **{name: cell for name, cell in job.items() if cell}}
        yield [time_text(job[name]) + "Z" if name in ("start", "end", "submit") and name in job else job.get(name, "") for name in names]


def whole(row, width):
    """A row with the cells that a page omits at its end."""
    return row + [""] * (width - len(row))


def write_input(words, table, inbox):
    """What one section gives."""
    kind, *names = words
    if kind == "bill":
        period = names[1] if len(names) > 1 else "2026-09"
        write_csv(inbox / "billing" / names[0] / period / "bill.csv", bill_rows(period, table))
    elif kind == "jobs":
        path = inbox / "jobs" / names[0] / "jobs.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join("|".join(row) + "\n" for row in job_rows(names[0], table)), encoding="utf-8")
    elif kind == "managed":
        write_csv(inbox / "jobs" / names[0] / "jobs.csv", managed_rows(table))
    elif kind == "nodes":
        header, *rows = table
        place = [at for at, name in enumerate(header) if name in ("TimeStart", "TimeEnd")]
        rows = [[time_text(cell) if at in place and cell else cell or ("Unknown" if at in place else "")
                 for at, cell in enumerate(whole(row, len(header)))] for row in rows]
        path = inbox / "nodes" / names[0] / "instances.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join("|".join(row) + "\n" for row in [header, *rows]), encoding="utf-8")
    elif kind == "efficiency":
        named = table if "accelerator" in table[0] else [[*table[0], "accelerator"], *(whole(row, len(table[0])) + [ACCELERATOR] for row in table[1:])]
        write_csv(inbox / "efficiency" / "measurements.csv", named)
    elif kind == "reference":
        write_csv(inbox / "reference" / f"{names[0]}.csv",
                  [table[0]] + [copy for row in table[1:] for copy in repeated(row)])


def write_common_reference(inbox):
    """The reference tables that a page leaves to the common ones."""
    for name, rows in REFERENCE.items():
        write_csv(Path(inbox) / "reference" / f"{name}.csv", rows)
