"""What the documents name is there, and what the program has is in the documents: links, files,
options, settings, variables, events of the log, and the files of the format that
docs/adding-a-format.md shows."""

import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import documents
from documents import SOURCE, text_of
from saying import it

KSTAR = os.environ["KSTAR"]
ROOMS = ("allocate", "base", "cli", "explain", "forecast", "ingest", "model", "night", "print", "report")
FOLDERS = (*ROOMS, "cron", "docs", "fixtures", "sql", "tests")

READMES = [str(path.relative_to(SOURCE)) for folder in (*ROOMS, "cron", "fixtures", "sql", "tests") for path in sorted((SOURCE / folder).rglob("README.md"))]
ALL_PAGES = [*documents.PAGES, "CONTRIBUTING.md", *READMES]
ALL_DOCUMENTS = "\n".join(text_of(page) for page in documents.PAGES)

# Options in the documents that are other programs'.
OTHERS_OPTIONS = {
    "--accounting", "--all-namespaces", "--allocations", "--build", "--comment", "--create-home", "--duplicates", "--format", "--home-dir",
    "--install", "--json", "--now", "--output-on-failure", "--prefix", "--preset", "--roles-only", "--system", "--test-dir",
    "--training-job-name",
    "--clean", "--if-exists", "--no-owner",
    # of programs of this repository
    "--build", "--history", "--lines", "--out", "--plans", "--random-rules", "--rounds", "--seconds", "--ten", "--install",
}


def source_files():
    for folder in FOLDERS:
        yield from (path.relative_to(SOURCE) for path in sorted((SOURCE / folder).rglob("*"))
                    if path.is_file() and "__pycache__" not in path.parts)


def expect_none(wrong):
    assert not wrong, "\n".join(wrong)


def help_of(command):
    return subprocess.run([KSTAR, *command.split(), "--help"], capture_output=True, text=True, check=True).stdout


# ---- links and files ----

def anchors(page):
    """As GitHub makes them of headings."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text_of(page), flags=re.M | re.S), re.M):
        plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
        found.add(re.sub(r"[^\w\- ]", "", plain).replace(" ", "-"))
    return found


def exists(path, page):
    """From the top, or from the page's own folder; <name>, NAME and * stand for anything."""
    pattern = re.sub(r"<[^>]*>|(?<![A-Za-z])[A-Z]{2,}(?![A-Za-z])", "*", path).rstrip("/")
    return any(next(base.glob(pattern), None) is not None for base in (SOURCE, SOURCE / Path(page).parent))


it("every link leads to a page that is there, and to a heading of it")
links = [(page, target) for page in ALL_PAGES for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page))]
assert len(links) > 60, len(links)
wrong = []
for page, target in links:
    if target.startswith("https://"):
        continue
    name, _, anchor = target.partition("#")
    path = os.path.normpath(Path(page).parent / name) if name else page
    if not (SOURCE / path).exists():
        wrong.append(f"{page}: {target} is not there")
    elif anchor and anchor not in anchors(path):
        wrong.append(f"{page}: {target}: no such heading")
expect_none(wrong)

it("every page is named by the README or by a page that it names")
reached, frontier = set(), {"README.md"}
while frontier:
    page = frontier.pop()
    reached.add(page)
    frontier |= {str(path) for source, target in links if source == page and not target.startswith("https://")
                 for path in [os.path.normpath(Path(page).parent / target.partition("#")[0])] if path in documents.PAGES} - reached
expect_none([f"{page} is named nowhere" for page in documents.PAGES if page not in reached])

it("every file of the repository that is named exists")
top = "|".join(FOLDERS)
named = [(page, path) for page in ALL_PAGES
         for path in re.findall(rf"(?<![\w/.$*-])(?:{top})/[\w*<>./-]*[\w*>]", re.sub(r"\]\([^)]*\)", "]", text_of(page)))]
assert len(named) > 100, len(named)
wrong = [f"{page}: {path} is not there" for page, path in named if not exists(path, page)]
expect_none(wrong)

# ---- options, settings, variables ----

it("every command that is named is one, and has the options that it is named with")
commands = [line[2:25].strip() for line in subprocess.run([KSTAR, "help"], capture_output=True, text=True, check=True).stdout
            .split("commands:\n")[1].split("\n\n")[0].splitlines()]
known = {command: set(re.findall(r"^  (--[a-z0-9-]+)", help_of(command), re.M)) for command in commands}
groups = {command.split()[0] for command in commands}
wrong = []
for page in documents.PAGES:
    spans = [span for span in documents.code_spans(page) if span.startswith("kstar ")]
    for text in [*spans, *(command.text for command in documents.commands(page) if command.text.startswith("kstar "))]:
        words = text.split(" -- ")[0].split()
        named = next((command for command in sorted(commands, key=len, reverse=True) if words[1:1 + len(command.split())] == command.split()), None)
        if named is None and (len(words) > 2 or words[1] not in groups | {"help"}) and not words[1].startswith("--") and not words[1].isupper():
            wrong.append(f"{page}: {text}: no such command")
        options = set(re.findall(r"(?<=\s)--[a-z0-9-]+", re.sub(r"'[^']*'", "", " ".join(words))))
        wrong += [f"{page}: {text}: no option {option}" for option in sorted(options) if named is not None and option not in known[named]]
expect_none(wrong)

it("every other option that is named is one of kstar's, or known to be another program's")
every_option = set().union(*known.values()) | {"--version", "--help"} | OTHERS_OPTIONS
expect_none([f"{page}: {option}" for page in documents.PAGES for option in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", text_of(page))
             if option not in every_option])

it("every option that kstar has is in a document")
named_options = set(re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", ALL_DOCUMENTS))
expect_none([f"kstar {command} {option}: in no document" for command in commands for option in sorted(known[command]) if option not in named_options])

it("every command that kstar has is in a document")
expect_none([f"kstar {command}: in no document" for command in commands if f"kstar {command}" not in " ".join(ALL_DOCUMENTS.split())])

it("every setting is in reference.md, and no other")
in_code = set(re.findall(r'SETTING\("([a-z_]+)"', text_of("ingest/reference/reference_tables.c")))
assert in_code
rows = re.findall(r"^\| ([a-z_, ]+) \|", text_of("docs/reference.md").split("## settings.csv")[1].split("\n## ")[0], re.M)
on_page = {name for row in rows for name in row.split(", ")} - {"parameter"}
assert in_code == on_page, f"only in the code: {sorted(in_code - on_page)}; only on the page: {sorted(on_page - in_code)}"

it("every variable of the environment that programs and scripts read is in a document")
read = set()
for path in source_files():
    if path.parts[0] in ROOMS and path.suffix == ".c":
        read |= set(re.findall(r'getenv\("([A-Z_]+)"\)', text_of(path)))
    elif path.parts[0] == "cron" and path.suffix == "":
        read |= set(re.findall(r"\bKSTAR_[A-Z_]+\b", text_of(path)))
read = {name for name in read if not name.startswith("KSTAR_TEST")}
assert len(read) > 10, read
expect_none([f"{name}: in no document" for name in sorted(read) if not re.search(rf"\b{name}\b", ALL_DOCUMENTS)])

it("every metric is in operations.md, and no other; a name that goes on from the one before it begins with _")
metrics = set(re.findall(r"\bkstar_[a-z_]*[a-z]\b", text_of("sql/run/metrics.sql") + text_of("night/ledger/metrics.c")))
section = text_of("docs/operations.md").split("\n## Metrics")[1].split("\n## ")[0]
ends = re.findall(r"(?<=[ |])_[a-z_]+", section)
assert len(metrics) > 15, metrics
expect_none([f"{name}: not on the page" for name in sorted(metrics) if not re.search(rf"\b{name}\b", section) and not name.endswith(tuple(ends))])
expect_none([f"{name}: no such metric" for name in sorted(set(re.findall(r"\bkstar_[a-z_]*[a-z]\b", section))) if name not in metrics])

# ---- workbooks ----

it("every sheet that a workbook may have is in workbooks.md, and no other")
of_page = {}
for heading, source in (("Chargeback", "chargeback"), ("Data", "data"), ("Review", "review"), ("Forecast", "forecast")):
    table = re.search(rf"^## {heading}\n(?:(?!^## ).*\n)*?\| sheet \| what \|\n((?:\|.*\n)*)", text_of("docs/workbooks.md"), re.M).group(1)
    of_page[source] = {name for row in re.findall(r"^\| ([^|]*[^|-]) \|", table, re.M) for name in row.split(", ")} - {"Curve …"}
    in_code = set(re.findall(r'^    \{ "([^"]+)", [0-9]', text_of(f"report/{source}.c"), re.M))
    assert in_code == of_page[source], f"{heading}: in code or page alone: {sorted(in_code ^ of_page[source])}"
of_everybody_alone = set(re.findall(r'^    \{ "([^"]+)", [0-9], .*\bSHEET_EVERYBODY\b', text_of("report/chargeback.c"), re.M))
exceptions = re.search(r"own workbook has the same sheets but ([^.]*)\.", text_of("docs/workbooks.md")).group(1)
assert of_everybody_alone == set(re.split(r", | and ", exceptions)), (exceptions, of_everybody_alone)

# ---- the log ----

it("every event of the log is in log.md with its fields, and no other")
events = {}
for path in source_files():
    if path.parts[0] in ROOMS and path.suffix == ".c" and str(path) != "base/log.c":
        for call in re.findall(r"log_event\((.*?)\);", text_of(path), re.S):
            texts = re.findall(r'"((?:[^"\\]|\\.)*)"', call)
            fields = [text for text in texts if "=" in text]
            for event in (text for text in texts[:texts.index(fields[0])] if re.fullmatch(r"[a-z_]+", text)):
                events.setdefault(event, set()).update(re.findall(r"([a-z_0-9]+)=", re.sub(r'\\"[^"]*\\"', "", " ".join(fields))))
assert len(events) > 20, events
table = dict(re.findall(r"^\| ([a-z_]+) \| [^|]* \| ([^|]*) \|", text_of("docs/log.md"), re.M))
table.pop("event", None)
assert set(events) == set(table), f"only in the code: {sorted(set(events) - set(table))}; only on the page: {sorted(set(table) - set(events))}"
expect_none([f"{event}: fields {sorted(fields ^ set(re.findall('[a-z_0-9]+', table[event])))} are in one of code and page" for event, fields
             in sorted(events.items()) if fields != set(re.findall("[a-z_0-9]+", table[event]))])

# ---- the format that is shown ----

it("adding-a-format.md lists the files that name its format, and no other")
page = "docs/adding-a-format.md"
rows = re.findall(r"^\| (`[^|]+`) \|", text_of(page).split("\n## The files")[1].split("\n## ")[0], re.M)
listed = {path for row in rows for path in re.findall(r"`([^`]+)`", row)}
naming = {str(path) for path in source_files()
          if re.search(r"(?<![a-z])pbs(?![a-z0-9])", f"{path} " + (SOURCE / path).read_text(encoding="utf-8", errors="replace"))}
# A text about formats in general may name it, too.
naming -= {page, "docs/comparison.md", "tests/program/test_documents.py", "tests/database/test_documents.py", "tests/lib/documents.py"}
assert listed == naming, f"only on the page: {sorted(listed - naming)}; not on the page: {sorted(naming - listed)}"
