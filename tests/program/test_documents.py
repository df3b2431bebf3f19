"""What the documents name is there: the files of the format that docs/adding-a-format.md shows."""

import os
import re
from pathlib import Path

SOURCE = Path(os.environ["KSTAR_SOURCE_DIR"])
FOLDERS = ("base", "cli", "cron", "docs", "fixtures", "ingest", "model", "report", "sql", "tests")


def it(sentence):
    print("-", sentence, flush=True)


def text_of(name):
    return (SOURCE / name).read_text(encoding="utf-8", errors="replace")


def source_files():
    for folder in FOLDERS:
        yield from (path.relative_to(SOURCE) for path in sorted((SOURCE / folder).rglob("*")) if path.is_file())


it("adding-a-format.md lists the files that name its format, and no other")
page = "docs/adding-a-format.md"
listed = set(re.findall(r"^\| `([^`]+)` \|", text_of(page).split("\n## The files")[1].split("\n## ")[0], re.M))
naming = {str(path) for path in source_files() if re.search(r"(?<![a-z])pbs(?![a-z0-9])", f"{path} {text_of(path)}")}
# What tells of formats in general may name it, too.
naming -= {page, "docs/comparison.md", "tests/program/test_documents.py"}
assert listed == naming, f"only on the page: {sorted(listed - naming)}; not on the page: {sorted(naming - listed)}"
