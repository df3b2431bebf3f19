"""Workbooks as somebody reads them on a screen, on paper or by ear: nothing is ### or cut, charts
begin at zero, say in words what they show, and mean one thing by one colour. The fixtures' month in
a currency of many digits, with long names and reasons."""

import math
import os
import re
import shutil
import sys
import textwrap
import xml.etree.ElementTree as ET
from collections import defaultdict
from decimal import Decimal
from pathlib import Path, PurePosixPath

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCES / "tests" / "lib"))

import case_page
import published
import workbooks
from openpyxl.utils import get_column_letter, range_boundaries
from saying import equals, it, kstar

QUARANTINED = 4  # exit code: one line of the fixtures cannot be read
RUPIAH_PER_DOLLAR = 1_600_000  # a hundred times today's: the bill has 15 digits
LONG = "a very long scenario name that goes on for more than forty characters"
WAIVER = "board demonstration on 16 September; decided after the third review of the capacity board; the customer waits for it"


# ---- the month

def replaced(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text, (path, old)
    path.write_text(text.replace(old, new), encoding="utf-8")


def in_rupiah(path):
    header, *rates = path.read_text(encoding="utf-8").splitlines()
    rows = [row.split(",") for row in rates]
    dollars = {row[0] for row in rows}
    path.write_text("\n".join([header, *(f"{day},{currency},IDR,{float(rate) * RUPIAH_PER_DOLLAR:.4f}" for day, currency, _, rate in rows),
                               *(f"{day},USD,IDR,{RUPIAH_PER_DOLLAR}" for day in sorted(dollars))]) + "\n", encoding="utf-8")


inbox, out = WORK / "inbox", WORK / "out"
shutil.copytree(SOURCES / "fixtures" / "inbox", inbox)
replaced(inbox / "reference" / "settings.csv", "statement_currency,USD", "statement_currency,IDR")
replaced(inbox / "reference" / "waivers.csv", "board demonstration on 16 September", WAIVER)
in_rupiah(inbox / "reference" / "exchange_rates.csv")
kstar("nightly", inbox, "--out", out, code=QUARANTINED)
(WORK / "long.json").write_text(f'{{"name": "{LONG}", "description": "Growth", "growth": [{{"monthly": 0.02}}]}}', encoding="utf-8")
kstar("report", "forecast", "base", "k-star", WORK / "long.json", "--months", 6, "--out", out)
books = {path: workbooks.values(path) for path in sorted(out.glob("*.xlsx"))}
chargeback, data, review = (books[out / f"{kind}-2026-09.xlsx"] for kind in ("chargeback", "data", "review"))
forecast = next(book for path, book in books.items() if "long" in path.name)


def column_widths(sheet):
    """In characters, by number of the column."""
    widths = defaultdict(lambda: 8.43 - 5 / 7)
    for dimension in sheet.column_dimensions.values():
        for column in range(dimension.min, dimension.max + 1):
            widths[column] = dimension.width - 5 / 7  # the file counts the padding of five pixels
    return widths


def cells(book):
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value is not None:
                    yield sheet, cell


# ---- numbers

# Pixels of Calibri's characters at 10 points and 96 dots to the inch, rounded up; a column has
# seven to a character.
PIXELS = dict.fromkeys("0123456789", 7) | {",": 4, ".": 4, "-": 5, "%": 10, "–": 7}


def shown(value, pattern):
    """The text of a number by its format: those that kstar has."""
    parts = pattern.split(";")
    for part in parts:
        if limit := re.fullmatch(r"\[<(\S+)\](\S+)", part):
            if value < float(limit[1]):
                parts = [limit[2]]
                break
            parts = parts[1:]
    if value == 0 and len(parts) == 3:
        return "–"
    whole = re.fullmatch(r"(#,##0|0)(?:\.(0*)(#*))?(%?)", parts[0])
    assert whole, pattern
    places, optional = len(whole[2] or ""), len(whole[3] or "")
    exact = Decimal(f"{value * (100 if whole[4] else 1):.15g}")  # spreadsheets show 15 digits
    text = f"{exact:{',' if ',' in whole[1] else ''}.{places + optional}f}"
    for _ in range(optional):
        text = text.removesuffix("0")
    return text + whole[4]


def value_shown(sheet, cell, text):
    """A curve is of one measured job, which may be a step of a thousandth of a second."""
    return cell.value == 0 or not sheet.title.startswith("Curve ") or re.search("[1-9]", text)


it("shows every number, of a bill of 15 digits, too, and never ### in its place; no hour or cost of a curve as nothing")
count = most = 0
for path, book in books.items():
    widths = {sheet.title: column_widths(sheet) for sheet in book}
    for sheet, cell in cells(book):
        if isinstance(cell.value, (int, float)) and not isinstance(cell.value, bool) and "yy" not in cell.number_format:
            text, width = shown(cell.value, cell.number_format), widths[sheet.title][cell.column]
            assert sum(PIXELS[character] for character in text) <= width * 7, (path.name, sheet.title, cell.coordinate, text, width)
            assert value_shown(sheet, cell, text), (path.name, sheet.title, cell.coordinate, text, cell.value)
            count, most = count + 1, max(most, len(text))
assert count > 10_000 and most >= 20, (count, most)

it("explains each column once")
for path, book in books.items():
    for name in {"About", "Columns"} & set(book.sheetnames):
        rows = [row[:3] for row in book[name].iter_rows(values_only=True)]
        rows = rows[rows.index(("Column", "Meaning", "Sheet")):] if ("Column", "Meaning", "Sheet") in rows else []
        equals(len(set(rows)), len(rows))

# ---- texts

# Nothing else is as long: the columns that hold sentences, reasons and identifiers, by workbook and
# sheet.
SENTENCES = [(data, "Jobs", ["Why", "Waiver", "Measure next"]), (chargeback, "Jobs", ["Waiver"]), (chargeback, "Shared and idle", ["Resource"]),
             (chargeback, "Statement", ["Transfer"]), (review, "Flagged jobs", ["In words", "Why", "Waiver", "Measure next"]),
             (review, "Scaling fits", ["Series", "Why this law", "What the others say"]), (review, "Measure next", ["Measure"]),
             (forecast, "Summary", ["Scenario"])]

it("shows reasons, waivers and identifiers whole: they fit, or are wrapped in a row that is as high as its text")
for book, title, headings in SENTENCES:
    sheet, widths, found = book[title], column_widths(book[title]), 0
    for heading in headings:
        head = next(cell for row in sheet.iter_rows() for cell in row if cell.value == heading)
        for (cell,) in sheet.iter_rows(min_row=head.row + 1, min_col=head.column, max_col=head.column):
            if not isinstance(cell.value, str) or cell.font.i or cell.font.sz > 10 or len(cell.value) <= widths[head.column] - 2:
                found += cell.value is not None
                continue
            found += 1
            assert cell.alignment.wrap_text, (title, heading, cell.value, widths[head.column])
            lines = textwrap.wrap(cell.value, int(widths[head.column] * 1.15), break_on_hyphens=False)
            height = sheet.row_dimensions[cell.row].height or 15
            # of 10 points; LibreOffice does not fit rows by itself
            assert 13 * len(lines) <= height, (title, cell.coordinate, lines, height)
    assert found > 0, (title, headings)
waivers = [row["Waiver"] for row in workbooks.table(chargeback, "Jobs", "Waiver") if row["Waiver"]]
cut, DATA = [], {"Tidy data"}  # one fact a row, for pivot tables
for path, book in books.items():
    widths = {sheet.title: column_widths(sheet) for sheet in book}
    for sheet, cell in cells(book):
        if isinstance(cell.value, str) and sheet.title not in DATA and not cell.alignment.wrap_text and cell.coordinate not in sheet.merged_cells:
            beside, width = sheet.cell(cell.row, cell.column + 1).value, widths[sheet.title][cell.column]
            if beside is not None and len(cell.value) > width * 1.1:
                cut.append((path.name, sheet.title, cell.coordinate, cell.value, width))
equals([], cut)
assert waivers and all(WAIVER in waiver for waiver in waivers), waivers

# ---- charts

NAMESPACES = {"c": "http://schemas.openxmlformats.org/drawingml/2006/chart", "a": "http://schemas.openxmlformats.org/drawingml/2006/main",
              "d": "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"}


def referenced(book, reference):
    """The values of 'Sheet'!$A$1:$B$2."""
    sheet, cell_range = reference.rsplit("!", 1)
    left, top, right, bottom = range_boundaries(cell_range)
    return [cell for row in book[sheet.strip("'")].iter_rows(top, bottom, left, right, values_only=True) for cell in row]


def text_at(book, element, path):
    """A literal, or what stands in the cell that is named in its place."""
    found = element.find(path, NAMESPACES)
    if found is None:
        return None
    reference = found.find(".//c:f", NAMESPACES)
    return referenced(book, reference.text)[0] if reference is not None else found.find(".//c:v", NAMESPACES).text


def series_of(book, root):
    """Name, colour, categories and values of each series of a chart."""
    for series in root.iterfind(".//c:ser", NAMESPACES):
        colour = next((found.get("val") for place in ("c:spPr/a:solidFill", "c:spPr/a:ln/a:solidFill", "c:marker/c:spPr/a:ln/a:solidFill")
                       if (found := series.find(f"{place}/a:srgbClr", NAMESPACES)) is not None), None)
        listed = {part: referenced(book, found.text) if (found := series.find(f"c:{part}//c:f", NAMESPACES)) is not None else []
                  for part in ("cat", "val", "xVal", "yVal")}
        yield text_at(book, series, "c:tx"), colour, listed["cat"], [value for value in listed["val"] + listed["yVal"] if value is not None]


def charts(path):
    for name, content in sorted(workbooks.parts(path).items()):
        if PurePosixPath(name).match("xl/charts/chart*.xml"):
            yield name, ET.fromstring(content)


it("begins every column and bar at zero, so that one twice as long is twice as much")
seen = 0
for path, book in books.items():
    for name, root in charts(path):
        values = [value for bars in root.iterfind(".//c:barChart", NAMESPACES) for *_, listed in series_of(book, bars) for value in listed]
        if values:
            lowest = root.find(".//c:valAx/c:scaling/c:min", NAMESPACES)
            equals("0" if min(values) >= 0 else None, None if lowest is None else lowest.get("val"))
            seen += 1
assert seen >= 20, seen

it("says of every chart in a sentence what it shows")
seen = 0
for path in books:
    for name, content in workbooks.parts(path).items():
        if PurePosixPath(name).match("xl/drawings/drawing*.xml"):
            for frame in ET.fromstring(content).iterfind(".//d:graphicFrame//d:cNvPr", NAMESPACES):
                seen += 1
                description = frame.get("descr") or ""
                assert len(description) > 30 and description.endswith(".") and "###" not in description, (path.name, name, description)
assert seen == sum(1 for path in books for _ in charts(path)) > 25, seen
true_cost = next(row[1] for row in chargeback["Summary"].iter_rows(values_only=True) if row[0] == "True cost")
drawings = b" ".join(content for name, content in workbooks.parts(out / "chargeback-2026-09.xlsx").items() if "/drawing" in name).decode()
assert f"IDR {true_cost:,.2f}" in drawings, (true_cost, re.findall(r'descr="([^"]*)"', drawings))

it("means one thing by one colour, whichever chart of whichever workbook")
ALIKE = [{"Failed runs", "Failed and cancelled"}, {"Fixed overhead", "Overhead and shared"}, {"Engineering overhead", "Internal overhead"},
         {"Unmeasured hardware", "Other direct cost"}, {"Forecast", "As kstar forecasts the scenario"}]
meanings, colours = defaultdict(set), defaultdict(set)
scenarios = {"base", "k-star"}
for path, book in books.items():
    for name, root in charts(path):
        for title, colour, *_ in series_of(book, root):
            if colour is not None:
                meanings[colour].add("a scenario" if title in scenarios or "…" in title else title)
                colours[title].add(colour)
for colour, names in meanings.items():
    assert len(names) == 1 or any(names <= alike for alike in ALIKE), (colour, names)
for title, of_title in colours.items():
    equals((title, 1), (title, len(of_title)))
assert {"Adds", "Takes off", "Coordination waste", "Forecast", "K*"} <= colours.keys(), colours.keys()

it("shortens a long scenario's name in charts and headings, and has it whole in the table")
equals(1, sum(row["Scenario"] == LONG for row in workbooks.table(forecast, "Summary", "Scenario")))
names = [text for _, root in charts(next(path for path in books if "long" in path.name)) for title, _, categories, _ in series_of(forecast, root)
         for text in [title, *categories] if isinstance(text, str)]
short = {name for name in names if "…" in name}
equals({"a very long …y characters"}, {name if len(name) == 25 else f"{len(name)}" for name in short})
assert LONG not in names and "base" in names, names
for title, widest in (("Summary", 24), ("Scenarios", 64)):
    sheet, widths = forecast[title], column_widths(forecast[title])
    for _, cell in ((sheet, cell) for row in sheet.iter_rows() for cell in row if cell.fill.fgColor.rgb == "FF2B5C77" and cell.value):
        lines = math.ceil(len(cell.value) / widths[cell.column]) if cell.coordinate not in sheet.merged_cells else 1
        height = sheet.row_dimensions[cell.row].height or 15
        assert lines * 13 <= height and len(cell.value) <= 64, (title, cell.coordinate, cell.value, height)

# ---- words

it("says one of one")
counted = r"(?<![\d.,-])1 (?:[a-z]+ ){0,2}(?:jobs|nodes|months|attempts|runs|lines|invoices|measurements|days|sizes|points|repeats|draws)\b"
for path, book in books.items():
    for sheet, cell in cells(book):
        assert not isinstance(cell.value, str) or not re.search(counted, cell.value), (path.name, sheet.title, cell.value)
found = [row[2] for row in books[out / "chargeback-2026-09-CC-410.xlsx"]["Summary"].iter_rows(values_only=True) if row[0] == "failed runs"]
equals(["1 failed attempt"], found)

# ---- a month of nothing

it("says none of a share of nothing, and nothing of commitments that nobody has")
nothing = WORK / "nothing"
case_page.write_common_reference(nothing / "inbox")
case_page.write_input(["bill", "cloud"], [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "EffectiveCost", "Tags"],
                                          ["1 00:00", "10-01 00:00", "0", "0", "team=a"]], nothing / "inbox")
dsn = published.new_database("nothing")
kstar("nightly", nothing / "inbox", "--out", nothing / "out", "--dsn", dsn)
# the next month only takes something back of one commitment
case_page.write_input(["bill", "cloud", "2026-10"], [
    ["ChargePeriodStart", "ChargePeriodEnd", "ChargeClass", "BilledCost", "EffectiveCost", "CommitmentDiscountId", "CommitmentDiscountStatus", "Tags"],
    ["10-08 00:00", "10-09 00:00", "", "0", "30.00", "used", "Used", "team=a"],
    ["10-08 00:00", "10-09 00:00", "", "0", "10.00", "used", "Unused", "team=a"],
    ["8 00:00", "9 00:00", "Correction", "0", "-6.00", "gone", "Used", "team=a"]], nothing / "inbox")
kstar("nightly", nothing / "inbox", "--out", nothing / "later", "--dsn", dsn)
of_nothing, taken_back = nothing / "out" / "chargeback-2026-09.xlsx", nothing / "later" / "chargeback-2026-10.xlsx"
by_office = dict(zip((of_nothing, taken_back), workbooks.recalculated([of_nothing, taken_back], WORK / "office")))
empty = workbooks.values(of_nothing)
shares = {row[0]: row[1] for row in empty["Summary"].iter_rows(values_only=True, max_col=2) if row[0] and "share" in row[0]}
equals({"Unallocated, share": "none"}, shares)
empty_data = workbooks.values(nothing / "out" / "data-2026-09.xlsx")
assert "Jobs" not in empty.sheetnames and not {"Jobs", "Attempts", "Failed runs", "Adjustments"} & set(empty_data.sheetnames), empty_data.sheetnames
texts = [cell.value for sheet, cell in cells(empty_data) if sheet.title == "Discounts" and isinstance(cell.value, str)]
assert "No unused commitments" in texts and not any("in full" in text for text in texts), texts
assert any("rounded by itself" in text for text in texts), texts
for workbook in (empty_data, data):
    for sheet, cell in cells(workbook):
        assert not (cell.number_format == "0.0%" and cell.value == 0 and cell.column_letter == "L" and sheet.title == "Discounts"
                    and not sheet.cell(cell.row, 6).value), (sheet.title, cell.coordinate)
found, count = workbooks.differences(of_nothing, by_office[of_nothing])
assert not found and count > 50, (count, "\n".join(found[:20]))

it("says no utilisation of a commitment of which the month only takes something back")
equals({"used": (0.75, 30, 10), "gone": (None, -6, 0)},
       {row["Commitment"]: (row["Utilisation"] or None, row["Used"], row["Unused"])
        for row in workbooks.table(workbooks.Book(taken_back), "Shared and idle", "Utilisation") if row["Commitment"]})
equals([], workbooks.differences(taken_back, by_office[taken_back])[0])

# ---- paper

it("prints titles whole: what is repeated on later pages holds the title, or there is one page beside nothing")
for book in (chargeback, data, review, forecast):
    for sheet in book:
        if sheet.print_title_cols and (sheet.page_setup.fitToWidth or 1) > 1:
            left, right = (column.strip("$") for column in sheet.print_title_cols.split(":"))
            wide = sum(width for column, width in column_widths(sheet).items() if left <= get_column_letter(column) <= right)
            assert sum(11.5 for _ in sheet["A1"].value) <= wide * 7, (sheet.title, sheet["A1"].value, wide)

it("prints no sheet of A4 at less than half its size")
LANDSCAPE, A4 = (297 - 2 * 17.8) / 25.4 * 96, "9"  # pixels between Excel's margins
sheets = [sheet for book in books.values() for sheet in book if sheet.sheet_state == "visible" and str(sheet.page_setup.paperSize) == A4
          and (sheet.page_setup.fitToWidth or 1) == 1]
for sheet in sheets:
    hidden = {column for dimension in sheet.column_dimensions.values() if dimension.hidden for column in range(dimension.min, dimension.max + 1)}
    widths = column_widths(sheet)
    pixels = sum(7 * widths[column] + 5 for column in range(1, sheet.max_column + 1) if column not in hidden)
    assert LANDSCAPE / pixels >= .5, (sheet.title, LANDSCAPE / pixels)
assert len(sheets) > 20, len(sheets)
