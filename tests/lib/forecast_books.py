"""Forecast workbooks with other inputs than their scenario's, by LibreOffice, against kstar's own
forecast of a scenario with the same change."""

import re
import zipfile
from collections import defaultdict
from datetime import date, datetime
from xml.sax.saxutils import escape

import workbooks
from openpyxl.utils.datetime import to_excel

# Headings of the sheet "By cost centre" and kstar's names for the same.
COMPONENTS = {"Useful compute": "useful_compute", "Coordination waste": "coordination_waste", "Unmeasured hardware": "unmeasured_hardware",
              "Interruptions": "interruptions", "Failed runs": "failed_runs", "Cancelled": "cancelled", "Cloud fees": "cloud_fees",
              "Fixed overhead": "fixed_overhead", "Engineering overhead": "engineering_overhead", "Idle and unused": "idle_and_unused",
              "Shared services": "shared_services", "Direct cost without job": "direct_cost", "Tax": "tax",
              "Credits and adjustments": "credits", "Unallocated": "unallocated",
              "Unused commitments": "unused_commitments", "Freed capacity": "freed_capacity", "Contingency": "contingency"}


# What the sheet "Bridge" calls the levers of kstar's JSON; that of node counts is named after the
# scenario's policy.
LEVERS = {"growth": "Growth of the work", "efficiency_penalties": "Lower efficiency", "prices": "Changed prices", "elastic_saving": "Nodes given back early",
          "spot": "Work on spot capacity", "commitment": "Commitments", "failed_run_factor": "Failed runs", "overheads": "Other overhead", "people": "People",
          "trainings": "Planned trainings", "contingency": "Contingency"}
POLICIES = ("Node counts as they are", "Every job at its K*", "No job above the cap", "Powers of two nodes")


def lever_label(member, steps):
    """The label of "growth_minor" among those of the bridge; "base_minor" and the like have their
    own."""
    lever = member.removesuffix("_minor")
    if lever == "node_policy":
        return next((policy for policy in POLICIES if policy in steps), POLICIES[0])
    return LEVERS.get(lever, lever.replace("_", " ").capitalize())


def content(value):
    """An attribute and the element of a cell of a sheet's part that has this value."""
    if value is None:
        return ""
    if isinstance(value, str):
        return f' t="inlineStr"><is><t>{escape(value)}</t></is>'
    return f"><v>{to_excel(value) if isinstance(value, date) else value!r}</v>"


def write_changed(path, changes, other):
    """A copy with other values in the cells of those names, and all else as kstar wrote it. Only
    unlocked ones may be changed."""
    book, written = workbooks.formulas(path), workbooks.parts(path)
    for name, value in changes.items():
        ((sheet, cell),) = book.defined_names[name].destinations
        cell = cell.replace("$", "")
        assert not book[sheet][cell].protection.locked, f"{name} is locked"
        part, found = f"xl/worksheets/sheet{book.sheetnames.index(sheet) + 1}.xml", content(value)
        written[part], count = re.subn(rf'(<c r="{cell}"(?: s="\d+")?)(?: t="\w+")?(?:/>|>.*?</c>)'.encode(),
                                       lambda match: match[1] + (f"{found}</c>" if found else "/>").encode(), written[part])
        assert count == 1, f"{name} is in no cell"
    with zipfile.ZipFile(other, "w") as archive:
        for name, part in written.items():
            archive.writestr(name, part)


def changed_copies(path, changed, folder):
    """A copy of the workbook for each name -> {cell: value} of `changed`."""
    folder.mkdir(parents=True)
    copies = {name: folder / f"{number}.xlsx" for number, name in enumerate(changed)}
    for name, changes in changed.items():
        write_changed(path, changes, copies[name])
    return copies


def recalculated(path, changed, folder):
    """The same, recalculated; in one call of LibreOffice."""
    copies = changed_copies(path, changed, folder / "changed")
    return dict(zip(copies, workbooks.recalculated(list(copies.values()), folder)))


def by_centre(path, digits=2):
    """Minor units by month, cost centre and component, of the sheet that follows the inputs,
    without zeros."""
    found = {}
    for row in workbooks.table(workbooks.sheet_by_sheet(path), "By cost centre", "Cost centre"):
        month = row["Month"].date() if isinstance(row["Month"], datetime) else row["Month"]
        assert isinstance(month, date), month
        for heading, component in COMPONENTS.items():
            minor = round(row[heading] * 10 ** digits)
            if minor:
                found[month.isoformat(), row["Cost centre"], component] = minor
    return found


def by_kstar(answer):
    """The same of kstar's own forecast."""
    sums = defaultdict(int)
    for leaf in answer["leaves"]:
        sums[leaf["month"], leaf["cost_centre"] or "(company)", leaf["component"]] += leaf["minor_units"]
    return {place: minor for place, minor in sums.items() if minor}


def differing(mine, theirs):
    return [f"{place}: the workbook says {mine.get(place, 0)}, kstar {theirs.get(place, 0)}"
            for place in sorted(mine.keys() | theirs.keys()) if mine.get(place, 0) != theirs.get(place, 0)]
