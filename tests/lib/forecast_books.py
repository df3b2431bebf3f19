"""Forecast workbooks with other inputs than their scenario's, by LibreOffice, against kstar's own
forecast of a scenario with the same change."""

from collections import defaultdict
from datetime import date, datetime

import office
import workbooks
from openpyxl.utils.datetime import from_excel, to_excel

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


def typed(value):
    """The kind of a value and the value, as office.bas has it."""
    if value is None:
        return []
    return ["text", value] if isinstance(value, str) else ["number", f"{to_excel(value) if isinstance(value, date) else value:.17G}"]


def tasks_of(path, changed, sheets, folder):
    """Those of office.bas: each change is typed in, what it makes of the sheets is written
    into a file with its number, and what stood there before is typed in again."""
    book = workbooks.formulas(path)
    yield ["open", path]
    for number, changes in enumerate(changed.values()):
        cells = [(*next(book.defined_names[name].destinations), value) for name, value in changes.items()]
        for sheet, cell, _ in cells:
            assert not book[sheet][cell].protection.locked, f"{sheet}!{cell} is locked"
        yield from (["type", sheet, cell, *typed(value)] for sheet, cell, value in cells)
        yield ["show", folder / str(number), *sheets]
        yield from (["type", sheet, cell, *typed(book[sheet][cell].value)] for sheet, cell, _ in cells)
    yield ["close"]


def with_inputs(path, changed, sheets, folder):
    """For each name -> {cell: value} of `changed` the sheets of the workbook as LibreOffice shows
    them with these values in the cells of those names. It reads the workbook once, without the
    cached values."""
    folder.mkdir(parents=True)
    bare = workbooks.without_values(path, folder / path.name)
    office.run(tasks_of(bare, changed, sheets, folder), folder)
    return {name: office.shown(folder / str(number)) for number, name in enumerate(changed)}


def by_centre(book, digits=2):
    """Minor units by month, cost centre and component, of the sheet that follows the inputs,
    without zeros."""
    found = {}
    for row in workbooks.table(book, "By cost centre", "Cost centre"):
        month = (row["Month"] if isinstance(row["Month"], datetime) else from_excel(row["Month"])).date()
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
