"""Workbooks read by a program that did not write them, and recalculated by another.

openpyxl is Debian's (python3-openpyxl): where the first python3 on PATH is another one, the test
runs again under /usr/bin/python3.
"""

import datetime
import functools
import math
import os
import re
import sys
import zipfile

try:
    import openpyxl
except ImportError:
    if os.path.realpath(sys.executable) == os.path.realpath("/usr/bin/python3"):
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

import office
from office import Cells
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.utils.datetime import to_excel


def place_of(coordinate):
    column, row = re.match("([A-Z]+)([0-9]+)", coordinate).groups()
    return int(row), column_index_from_string(column)


class Sheet(Cells):
    """Those of a sheet, and its formulas."""

    def __init__(self, book, title):
        super().__init__({(row, column): value for row, cells in enumerate(book.shown[title].iter_rows(values_only=True), 1)
                          for column, value in enumerate(cells, 1) if value is not None})
        self.book, self.title = book, title

    @functools.cached_property
    def formulas(self):
        return {(row, column): cell.value[1:] for row, cells in enumerate(self.book.written[self.title].iter_rows(), 1)
                for column, cell in enumerate(cells, 1) if cell.data_type == "f"}


class Book:
    """Values and formulas of a workbook, and nothing else of it, in a fraction of the time. A sheet
    is read when it is asked for."""

    def __init__(self, path):
        self.file = open(path, "rb")  # another file may have this path when its formulas are asked for
        self.shown = openpyxl.load_workbook(self.file, read_only=True, data_only=True)
        self.sheetnames, self.sheets = self.shown.sheetnames, {}

    @functools.cached_property
    def written(self):
        return openpyxl.load_workbook(self.file, read_only=True)

    def __getitem__(self, title):
        if title not in self.sheets:
            self.sheets[title] = Sheet(self, title)
        return self.sheets[title]


def opened(path):
    """A file's Book. Who asks for the same file again gets the same."""
    return _once(Book, path)


def values(path):
    """What a reader sees: the cached values. Not to be changed: who asks for the same file again
    gets the same."""
    return _once(_with_values, path)


def formulas(path):
    """What is written in the cells. Not to be changed, either."""
    return _once(openpyxl.load_workbook, path)


def editable(path):
    """To be changed and saved."""
    return openpyxl.load_workbook(path)


def _with_values(path):
    return openpyxl.load_workbook(path, data_only=True)


def _once(load, path):
    written = os.stat(path)
    return _loaded_once(load, str(path), written.st_ino, written.st_mtime_ns, written.st_size)


@functools.lru_cache(maxsize=32)
def _loaded_once(load, path, *_written):
    return load(path)


def data_of(path):
    """The data workbook beside a chargeback."""
    return path.with_name(path.name.replace("chargeback-", "data-"))


def parts(path):
    """Every file inside a workbook, by name."""
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def without_values(path, other):
    """A copy without the cached values: what a program shows of it, it has computed. Nor does the
    copy repeat columns on each printed page, for which LibreOffice takes longer than for all
    else."""
    with zipfile.ZipFile(other, "w") as archive:
        for name, content in parts(path).items():
            if name.startswith("xl/worksheets/sheet"):
                content = re.sub(rb"</f><v>[^<]*</v>", b"</f>", content)
            elif name == "xl/workbook.xml":
                content = re.sub(rb'<definedName name="_xlnm.Print_Titles"[^>]*>[^<]*</definedName>', b"", content)
            archive.writestr(name, content)
    return other


def recalculated(paths, folder):
    """Of each workbook its sheets by name, with what LibreOffice computes of their formulas. It
    gets them without the cached values, and starts once for all: a start takes as long as some
    workbooks."""
    folder.mkdir(parents=True, exist_ok=True)
    tasks = []
    for number, path in enumerate(paths):
        tasks += [["open", without_values(path, folder / f"{number}.xlsx")], ["show", folder / str(number)], ["close"]]
    office.run(tasks, folder)
    return [office.shown(folder / str(number)) for number in range(len(paths))]


def saved(path, folder):
    """The same workbook as LibreOffice saves it, which gets it without the cached values."""
    bare, out = folder / "bare", folder / "saved"
    bare.mkdir(parents=True)
    office.start(folder, "--convert-to", "xlsx", "--outdir", out, without_values(path, bare / path.name))
    return out / path.name


def unescaped(value):
    """Text as a spreadsheet shows it: openpyxl leaves an escaped underscore as it is."""
    return value.replace("_x005F_", "_") if isinstance(value, str) else value


def same(a, b):
    if isinstance(a, datetime.date):
        a = to_excel(a)
    if isinstance(a, (int, float)) and isinstance(b, (int, float)) and not isinstance(a, bool):
        return math.isclose(a, b, rel_tol=1e-12, abs_tol=1e-9)
    return unescaped(a) == unescaped(b)


def differences(path, recalculated_sheets):
    """Cells that are not the same in a workbook and as LibreOffice computes it, as text; and how
    many cells hold a formula."""
    mine, found, count = opened(path), [], 0
    if mine.sheetnames != list(recalculated_sheets):
        return [f"{path.name}: sheets {mine.sheetnames} and {list(recalculated_sheets)}"], count
    for sheet, other_sheet in ((mine[name], recalculated_sheets[name]) for name in mine.sheetnames):
        count += len(sheet.formulas)
        for place in sorted(sheet.values.keys() | other_sheet.values.keys()):
            a, b = sheet.values.get(place), other_sheet.values.get(place)
            if a is not b and not same(a, b):
                found.append(f"{path.name}, {sheet.title}!{get_column_letter(place[1])}{place[0]}: {a!r} is cached, {b!r} is recalculated: "
                             f"{sheet.formulas.get(place)!r}")
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
