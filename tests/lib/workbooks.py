"""Workbooks read by a program that did not write them, and recalculated by another.

openpyxl is Debian's (python3-openpyxl): where the first python3 on PATH is another one, the test
runs again under /usr/bin/python3.
"""

import functools
import math
import os
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path

try:
    import openpyxl
except ImportError:
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])


def values(path):
    """What a reader sees: the cached values. Not to be changed: who asks for the same file again
    gets the same."""
    return _loaded(path, data_only=True)


def sheet_by_sheet(path):
    """The same, of which a sheet is read when it is asked for: of many, few are. Anew each time."""
    return openpyxl.load_workbook(path, data_only=True, read_only=True)


def formulas(path):
    """What is written in the cells. Not to be changed, either."""
    return _loaded(path, data_only=False)


def editable(path):
    """To be changed and saved."""
    return openpyxl.load_workbook(path)


def _loaded(path, data_only):
    written = os.stat(path)
    return _loaded_once(str(path), data_only, written.st_ino, written.st_mtime_ns, written.st_size)


@functools.lru_cache(maxsize=32)
def _loaded_once(path, data_only, *_written):
    return openpyxl.load_workbook(path, data_only=data_only)


def data_of(path):
    """The data workbook beside a chargeback."""
    return path.with_name(path.name.replace("chargeback-", "data-"))


def parts(path):
    """Every file inside a workbook, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def recalculated(paths, folder):
    """The same workbooks by LibreOffice, which gets them without the cached values: what it shows
    it has computed. One call for many: a start takes as long as a workbook. Paths of one name are
    numbered."""
    bare, out = Path(folder) / "bare", Path(folder) / "recalculated"
    bare.mkdir(parents=True, exist_ok=True)
    shared = {name for name, count in Counter(path.name for path in paths).items() if count > 1}
    copies = [bare / (f"{number}-{path.name}" if path.name in shared else path.name) for number, path in enumerate(paths)]
    for path, copy in zip(paths, copies):
        with zipfile.ZipFile(copy, "w") as archive:
            for name, content in parts(path).items():
                if name.startswith("xl/worksheets/sheet"):
                    content = re.sub(rb"</f><v>[^<]*</v>", b"</f>", content)
                archive.writestr(name, content)
    subprocess.run(["soffice", "--headless", f"-env:UserInstallation=file://{os.environ['WORK']}/.office", "--convert-to", "xlsx",
                    "--outdir", out, *copies],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=str(folder)))
    return [out / copy.name for copy in copies]


def unescaped(value):
    """Text as a spreadsheet shows it: openpyxl leaves an escaped underscore as it is."""
    return value.replace("_x005F_", "_") if isinstance(value, str) else value


def same(a, b):
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-9)
    return unescaped(a) == unescaped(b)


def differences(path, other):
    """Cells of all sheets that are not the same in two workbooks, as text; and how many cells hold
    a formula."""
    mine, theirs, written = values(path), values(other), formulas(path)
    found, count = [], 0
    if mine.sheetnames != theirs.sheetnames:
        found.append(f"{path.name}: sheets {mine.sheetnames} and {theirs.sheetnames}")
        return found, count
    for sheet in written:
        size = {"max_row": sheet.max_row, "max_col": sheet.max_column}
        for row, my_row, their_row in zip(sheet.iter_rows(**size), mine[sheet.title].iter_rows(values_only=True, **size),
                                          theirs[sheet.title].iter_rows(values_only=True, **size)):
            for cell, a, b in zip(row, my_row, their_row):
                count += cell.data_type == "f"
                if a is not b and not same(a, b):
                    found.append(f"{path.name}, {sheet.title}!{cell.coordinate}: {a!r} is cached, {b!r} is recalculated: {cell.value!r}")
    return found, count


def table(workbook, sheet, heading):
    """The rows below the first row that has a cell `heading`, as dicts by heading, up to an empty
    row or the total."""
    rows = list(workbook[sheet].iter_rows(values_only=True))
    start = next(i for i, row in enumerate(rows) if heading in row)
    found = []
    for row in rows[start + 1:]:
        if all(cell is None for cell in row) or "Total" in row:
            break
        found.append({name: cell for name, cell in zip(rows[start], row) if name is not None})
    return found
