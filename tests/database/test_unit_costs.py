"""Unit costs: what results cost is what Python works out in fractions from attempts; who sees what;
a closed month keeps it."""

import csv
import json
import os
import sys
from collections import defaultdict
from datetime import datetime, timedelta, timezone
from fractions import Fraction
from math import floor
from pathlib import Path

SOURCES, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path[:0] = [str(SOURCES / "tests" / "lib"), str(SOURCES / "fixtures" / "expected")]

import case_page
import inbox as fixtures_inbox
import workbooks
from company import Site
from saying import equals, it

COLUMNS = "JobID JobIDRaw Cluster Account User Submit Start End ElapsedRaw State NNodes AllocCPUS NodeList Comment JobName".split()
UNITS = ["run_group", "models", "trained_tokens", "delivered_on"]
DECLARED = {"c/6": (2, 1000000, "2026-09-30"), "c/7": (0, None, "2026-10-15"), "c/99": (1, None, "2026-09-03")}
OUTCOME = {"COMPLETED": "productive", "RUNNING": "productive", "FAILED": "failed", "TIMEOUT": "failed", "CANCELLED": "cancelled"}

# id, account, start, end, state as it is at last, comment. Every hour on a node costs 10.00. A
# second run of an id is a requeue.
ATTEMPTS = [
    ("1", "a", "09-29 00:00", "09-29 10:00", "FAILED", "trained_tokens=1000000000"),
    ("1", "a", "09-29 10:00", "09-29 20:00", "COMPLETED", "stage=2, trained_tokens=4000000000"),
    # not a whole number: not known
    ("2", "a", "09-30 00:00", "10-01 06:00", "COMPLETED", "trained_tokens=5e9"),
    ("3", "a", "09-30 12:00", "10-01 06:00", "FAILED", ""),
    ("4", "b", "09-28 00:00", "09-28 05:00", "FAILED", ""),
    ("4", "a", "09-28 05:00", "09-28 10:00", "COMPLETED", "trained_tokens=300000000 by hand"),
    # of a job that counted none
    ("5", "b", "09-30 22:00", "10-01 00:00", "COMPLETED", "trained_tokens=0"),
    ("6", "b", "09-27 00:00", "09-27 03:00", "TIMEOUT", "untrained_tokens=17"),
    ("7", "b", "09-26 00:00", "09-26 02:00", "COMPLETED", ""),
    ("8", "b", "09-25 00:00", "09-25 01:00", "CANCELLED", ""),
    ("10", "b", "10-02 00:00", "10-02 03:00", "COMPLETED", ""),
]


def when(text):
    return datetime.strptime("2026-" + text, "%Y-%m-%d %H:%M").replace(tzinfo=timezone.utc)


MONTHS = {"2026-09": (when("09-01 00:00"), when("10-01 00:00")), "2026-10": (when("10-01 00:00"), when("11-01 00:00"))}


def centre_of(account):
    return account.upper()


def half_up(value, digits=0):
    return Fraction(floor(value * 10 ** digits + Fraction(1, 2)), 10 ** digits)


def results_of(month, declared=None):
    """(run group, cost centre) -> result, models, tokens, cost, without result: in whole dollars
    and fractions of them."""
    start, end = MONTHS[month]
    declared, groups, found = declared or DECLARED, defaultdict(list), {}
    for identity, account, begin, finish, state, comment in ATTEMPTS:
        begin, finish = when(begin), when(finish)
        hours = Fraction((min(finish, end) - begin) // timedelta(seconds=1), 3600)
        is_running = finish > end
        if begin < end:
            groups[f"c/{identity}"].append((centre_of(account), "running" if is_running else OUTCOME[state], finish, 10 * hours, comment))
    for group, attempts in groups.items():
        last = max(finish for _, _, finish, _, _ in attempts)
        if group in declared:
            models, tokens, day = declared[group]
            counts = start <= datetime.fromisoformat(day).replace(tzinfo=timezone.utc) < end
        else:
            good = [attempt for attempt in attempts if attempt[1] == "productive"]
            models, tokens = int(bool(good)), None
            counts = all(attempt[1] != "running" for attempt in attempts) and start < last <= end
        token_counts = [int(word.split("=")[1]) for _, outcome, _, _, comment in attempts if outcome == "productive"
                        for word in comment.replace(",", " ").split() if word.startswith("trained_tokens=") and word.split("=")[1].isdigit()]
        tokens = tokens or sum(token_counts) or None
        if not counts:
            continue
        receiver = max(attempts, key=lambda attempt: (attempt[1] == "productive", attempt[2]))[0]
        for centre in {attempt[0] for attempt in attempts}:
            own = [attempt for attempt in attempts if attempt[0] == centre]
            outcomes = {attempt[1] for attempt in own}
            found[group, centre] = {
                "result": "succeeded" if "productive" in outcomes else "cancelled" if outcomes == {"cancelled"} else "failed, no result",
                "models": models if centre == receiver else 0, "tokens": tokens if centre == receiver else None, "has": tokens is not None,
                "cost": sum(attempt[3] for attempt in own), "wasted": sum(attempt[3] for attempt in own if attempt[1] != "productive")}
    return found


def added(results):
    """What a row of the table must say of these results."""
    results = list(results)
    models, cost = sum(row["models"] for row in results), sum(row["cost"] for row in results)
    tokens = sum(row["tokens"] or 0 for row in results)
    with_tokens = sum(row["cost"] for row in results if row["has"])
    return {"results": len(results), "succeeded": sum(row["result"] == "succeeded" for row in results), "models": models, "cost": cost,
            "wasted": sum(row["wasted"] for row in results), "per_model": half_up(cost / models, 2) if models else None,
            "tokens": tokens or None, "per_million": half_up(with_tokens * 10 ** 6 / tokens, 6) if tokens else None}


def exact(value):
    return None if value in (None, "") else Fraction(str(value))


def printed(row):
    return {"results": row["results"], "succeeded": row["succeeded"], "models": row["models"], "cost": exact(row["true_cost"]),
            "wasted": exact(row["without_result"]), "per_model": exact(row["cost_per_model"]), "tokens": exact(row["trained_tokens"]),
            "per_million": exact(row["cost_per_million_tokens"])}


def shown(row):
    return {"results": row["Results"], "succeeded": row["Succeeded"], "models": row["Models"], "cost": exact(row["True cost"]),
            "wasted": exact(row["Of it without result"]), "per_model": exact(row["Cost per model"]), "tokens": exact(row["Trained tokens"]),
            "per_million": exact(row["Cost per million tokens"])}


class Company(Site):
    def books(self, month):
        """Its chargeback and data workbooks, those of cost centres too: as bytes by name."""
        self.kstar("report", "chargeback", "--period", month, "--out", self.out)
        return {path.name: path.read_bytes() for path in self.out.glob(f"*-{month}*.xlsx")}

    def units(self, month, *arguments):
        return json.loads(self.kstar("report", "units", "--period", month, "--json", *arguments).stdout)

    def declare(self, declared):
        case_page.write_csv(self.inbox / "reference" / "run_group_units.csv",
                            [UNITS, *([group, models, tokens or "", day] for group, (models, tokens, day) in declared.items())])

    def deliver(self, month):
        """The bill of the month, and the jobs as they were known at its end: what runs past it is
        running."""
        start, end = MONTHS[month]
        bill, jobs = [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "InvoiceId"]], [COLUMNS]
        for number, (identity, account, begin, finish, state, comment) in enumerate(ATTEMPTS, 1):
            first, last = max(when(begin), start), min(when(finish), end)
            if first < last:
                hours = (last - first) // timedelta(hours=1)
                bill.append([f"{first:%m-%d %H:%M}", f"{last:%m-%d %H:%M}", f"{10 * hours}.00", f"i-{number}", str(hours), "Hours", month])
            if when(begin) < end:
                over = when(finish) <= end
                begun, ended = (f"{when(text):%Y-%m-%dT%H:%M:%S}" for text in (begin, finish))
                jobs.append([identity, identity, "c", account, "someone", begun, begun, ended if over else "Unknown", "0",
                             state if over else "RUNNING", "1", "8", f"n{number}", comment, "train"])
        moment = f"{end:%Y-%m-%dT%H:%M:%S}"
        jobs.append([f"90{month[-1]}", f"90{month[-1]}", "c", "a", "someone", moment, "Unknown", "Unknown", "0", "PENDING", "1", "8", "", "", "later"])
        case_page.write_input(["bill", "cloud", month], bill, self.inbox)
        path = self.inbox / "jobs" / "c" / "jobs.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join("|".join(row) + "\n" for row in jobs), encoding="utf-8")


def check_month(company, month):
    expected = results_of(month)
    centres = sorted({centre for _, centre in expected})
    answer = company.units(month)
    by_centre = {row["cost_centre"]: printed(row) for row in answer["units"]}
    equals({"*": added(expected.values()), **{name: added(row for (_, centre), row in expected.items() if centre == name)
                                              for name in centres}}, by_centre)
    for name in centres:
        own = {group: row for (group, centre), row in expected.items() if centre == name}
        book = workbooks.Book(company.out / f"data-{month}-{name}.xlsx")
        equals([added(own.values())], [shown(row) for row in workbooks.table(book, "Unit costs", "True cost with tokens")])
        rows = {row["Run group"]: (row["Cost centre"], row["Models"], exact(row["True cost"]), exact(row["Trained tokens"]))
                for row in workbooks.table(book, "Unit costs", "Run group") if row["Run group"]}
        equals({group: (name, row["models"], row["cost"], row["tokens"]) for group, row in own.items() if group in DECLARED or row["has"]}, rows)
    book = workbooks.Book(company.out / f"data-{month}.xlsx")
    rows = {row["Cost centre"]: shown(row) for row in workbooks.table(book, "Unit costs", "True cost with tokens")}
    equals({name: by_centre[name] for name in centres}, rows)
    return answer


def by_hand():
    company = Company("hand")
    case_page.write_common_reference(company.inbox)
    case_page.write_csv(company.inbox / "reference" / "nodes.csv",
                        [["cluster", "node", "resource_id"], *(["c", f"n{n}", f"i-{n}"] for n in range(1, len(ATTEMPTS) + 1))])
    company.declare(DECLARED)
    company.deliver("2026-09")
    company.publish()
    company.books("2026-09")

    it("counts a result in the month of its last end, or of its declared day, with all its attempts; what runs is not counted")
    answer = check_month(company, "2026-09")
    # by hand: c/1 cost 200.00 for 4,000 million tokens; c/4 cost A 50.00 of 100.00 for 300 million
    # tokens
    rows = {(row["run_group"], row["cost_centre"]): row for row in answer["results"]}
    listed = {key for key, row in results_of("2026-09").items() if key[0] in DECLARED or row["has"]}
    equals({*listed, ("c/99", "")}, set(rows))
    equals(("200.00", "0.050000", ""), tuple(rows["c/1", "A"][name] for name in ("cost_per_model", "cost_per_million_tokens", "shared")))
    equals((1, "50.00", "yes", 0, "50.00"), (rows["c/4", "A"]["models"], rows["c/4", "A"]["true_cost"], rows["c/4", "A"]["shared"],
                                            rows["c/4", "B"]["models"], rows["c/4", "B"]["true_cost"]))
    equals(("15.00", "30.000000"), tuple(rows["c/6", "B"][name] for name in ("cost_per_model", "cost_per_million_tokens")))

    it("names what is declared of a run group that no job has")
    equals("no such run group", rows["c/99", ""]["result"])

    it("shows one cost centre its own alone, at the terminal as in its workbook")
    own = company.units("2026-09", "--cost-centre", "B")
    equals({"B", "*"}, {row["cost_centre"] for row in own["units"]})
    equals({key for key in listed if key[1] == "B"}, {(row["run_group"], row["cost_centre"]) for row in own["results"]})
    text = b"".join(content for name, content in workbooks.parts(company.out / "data-2026-09-A.xlsx").items() if name.endswith(".xml"))
    assert b"c/1" in text and b"c/6" not in text and b"c/99" not in text

    it("recalculates to the same figures")
    path = company.out / "data-2026-09.xlsx"
    found, count = workbooks.differences(path, workbooks.recalculated([path], WORK / "scratch")[0])
    assert not found and count > 0, found[:10]

    company.kstar("close", "2026-09", "--accept-incomplete", "the case ends here")
    final = company.books("2026-09")

    it("does not let a group run for ever that ran when its month was closed")
    company.deliver("2026-10")
    company.publish()
    company.books("2026-10")
    check_month(company, "2026-10")
    book = workbooks.Book(company.out / "data-2026-10.xlsx")
    equals({("c/3", "failed, no result")}, {(row["Run group"], row["Result"]) for row in workbooks.table(book, "Attempts", "Run group")})

    it("keeps a closed month as it was, and says of what is declared late that it is late")
    company.declare({**DECLARED, "c/6": (5, 1000000, "2026-09-30"), "c/10": (1, 7, "2026-10-02")})
    publication = company.publish()
    assert "run_group_units.csv, line 2 speaks of 2026-09-30, in 2026-09, which is closed" in publication.stdout + publication.stderr, publication
    assert "line 5 speaks" not in publication.stdout + publication.stderr, publication
    equals(final, company.books("2026-09"))
    equals(2, next(row["models"] for row in company.units("2026-09")["results"] if row["run_group"] == "c/6"))
    equals("7", next(row["trained_tokens"] for row in company.units("2026-10")["results"] if row["run_group"] == "c/10"))

    it("says what is wrong with a file or a month")
    for row, message in ((["c/1", "-1", "", "2026-09-01"], 'column models: "-1"'), (["c/1", "1", "0", "2026-09-01"], 'column trained_tokens: "0"'),
                         (["c/1", "1", "", ""], "column delivered_on: is empty"), (["", "1", "", "2026-09-01"], "column run_group: is empty")):
        case_page.write_csv(company.inbox / "reference" / "run_group_units.csv", [UNITS, row])
        done = company.kstar("ingest", "reference", company.inbox / "reference" / "run_group_units.csv", code=3)
        assert message in done.stderr, done.stderr
    assert "no statement is published for 2025-01" in company.kstar("report", "units", "--period", "2025-01", code=3).stderr
    assert '2026-10 has no cost centre "a"' in company.kstar("report", "units", "--cost-centre", "a", code=3).stderr


# id, start, end, state and comment as September knew them; what late records say instead; a job 4
# of October follows on job 3.
LATE = [("1", "09-10 00:00", "09-10 10:00", "COMPLETED", "trained_tokens=1000000000", "alone", {"comment": "trained_tokens=4000000000"}),
        ("2", "09-29 00:00", "09-29 05:00", "FAILED", "", "chain", {"state": "COMPLETED"}),
        ("3", "09-29 06:00", "09-30 20:00", "COMPLETED", "trained_tokens=500000000", "chain", {"state": "FAILED"})]


def late_records():
    """A company whose job records change after their month was closed, and the rule that chains
    them."""
    company = Company("late")
    case_page.write_common_reference(company.inbox)
    case_page.write_csv(company.inbox / "reference" / "nodes.csv", [["cluster", "node", "resource_id"], *(["c", f"n{n}", f"i-{n}"] for n in range(1, 5))])
    case_page.write_csv(company.inbox / "reference" / "run_groups.csv", [["priority", "match", "pattern", "same", "within_hours"],
                                                                        ["1", "job_name", "chain", "job_name", "24"]])

    def deliver(month, *rows):
        bill, jobs = [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit", "InvoiceId"]], [COLUMNS]
        for identity, begin, finish, state, comment, name in rows:
            hours = (when(finish) - when(begin)) // timedelta(hours=1)
            if begin[:2] == month[5:]:
                bill.append([begin, finish, f"{10 * hours}.00", f"i-{identity}", str(hours), "Hours", month])
            begun, ended = (f"{when(text):%Y-%m-%dT%H:%M:%S}" for text in (begin, finish))
            jobs.append([identity, identity, "c", "a", "someone", begun, begun, ended, str(3600 * hours), state, "1", "8",
                         f"n{identity}", comment, name])
        moment = f"{MONTHS[month][1]:%Y-%m-%dT%H:%M:%S}"
        jobs.append(["90", "90", "c", "a", "someone", moment, "Unknown", "Unknown", "0", "PENDING", "1", "8", "", "", "later"])
        case_page.write_input(["bill", "cloud", month], bill, company.inbox)
        path = company.inbox / "jobs" / "c" / "jobs.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join("|".join(row) + "\n" for row in jobs), encoding="utf-8")
        company.publish()

    def results(month):
        return {row["run_group"]: (row["attempts"], row["true_cost"], row["trained_tokens"], row["cost_per_million_tokens"])
                for row in company.units(month)["results"]}

    it("keeps what results cost a token, and which attempts are one, when records of a closed month change")
    september = [row[:6] for row in LATE]
    deliver("2026-09", *september)
    known = {"c/1": (1, "100.00", "1000000000", "0.100000"), "c/2": (2, "430.00", "500000000", "0.860000")}
    equals(known, results("2026-09"))
    company.kstar("close", "2026-09", "--accept-incomplete", "the case ends here")
    final = company.books("2026-09")
    late = [(*row[:3], row[6].get("state", row[3]), row[6].get("comment", row[4]), row[5]) for row in LATE]
    deliver("2026-09", *late)
    equals(known, results("2026-09"))
    equals(final, company.books("2026-09"))

    it("puts what goes on in a later month with the group that the closed month knows")
    deliver("2026-10", *late, ("4", "10-01 02:00", "10-01 12:00", "COMPLETED", "trained_tokens=700000000", "chain"))
    # job 4 follows on job 3, which is known as the second attempt of c/2: 50.00 + 380.00 + 100.00
    # for 1,200 million tokens
    equals({"c/2": (3, "530.00", "1200000000", "0.441667")}, results("2026-10"))
    equals(known, results("2026-09"))


def known_late():
    """Runs that were going on when September was closed, and turn out to have ended within it."""
    company = Company("ended")
    case_page.write_common_reference(company.inbox)

    def deliver(text):
        for words, table in case_page.page_of("inputs", text).sections:
            case_page.write_input(words, table, company.inbox)
        company.publish()

    def counted(month):
        """results, with success, models, true cost: of all"""
        return tuple(next(([row["results"], row["succeeded"], row["models"], row["true_cost"]] for row in company.units(month)["units"]
                           if row["cost_centre"] == "*"), [0, 0, 0, "0.00"]))

    it("counts a run that ended in a closed month which has it running in the first month that knows better, and only there")
    # 1.00 an hour. c/1 has the 264 hours from the 20th on in September; c/2 has 10.00, and c/9,
    # which ends the records, no bill.
    deliver("""
== reference nodes
cluster | node | resource_id
c       | n1   | i-1
c       | n2   | i-2
== bill cloud 2026-09
ChargePeriodStart | ChargePeriodEnd | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit
1 00:00           | 10-01 00:00     | 720.00     | i-1        | 720              | Hours
9 00:00           | 9 10:00         | 10.00      | i-2        | 10               | Hours
== jobs c
JobID | Account | Start    | End         | NodeList | State
1     | a       | 20 00:00 | Unknown     | n1       | RUNNING
2     | b       | 9 00:00  | 9 10:00     | n2       | COMPLETED
9     | b       | 30 23:00 | 10-01 00:00 | n9       | COMPLETED
== jobs d
JobID | Account | Start    | End      | NodeList | State
20    | b       | 27 00:00 | Unknown  | n8       | RUNNING
21    | b       | 28 00:00 | 28 01:00 | n7       | COMPLETED
""")
    equals((3, 3, 3, "10.00"), counted("2026-09"))
    company.kstar("close", "2026-09", "--accept-incomplete", "the case ends here")
    # one dollar of c/2's ten is taken back in October; of cluster d nothing is heard
    deliver("""
== bill cloud 2026-10
ChargePeriodStart | ChargePeriodEnd | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit | ChargeClass
10-01 00:00       | 11-01 00:00     | 744.00     | i-1        | 744              | Hours        |
9 00:00           | 9 10:00         | -1.00      | i-2        | -1               | Hours        | Correction
== jobs c
JobID | Account | Start       | End         | NodeList | State
1     | a       | 20 00:00    | 30 12:00    | n1       | COMPLETED
2     | b       | 9 00:00     | 9 10:00     | n2       | COMPLETED
9     | b       | 30 23:00    | 10-01 00:00 | n9       | COMPLETED
10    | b       | 11-01 00:00 | 11-01 01:00 | n9       | COMPLETED
""")
    equals((3, 3, 3, "10.00"), counted("2026-09"))
    equals((1, 1, 1, "264.00"), counted("2026-10"))
    company.kstar("close", "2026-10", "--accept-incomplete", "the case ends here")
    final = company.books("2026-10")
    deliver("""
== bill cloud 2026-11
ChargePeriodStart | ChargePeriodEnd | BilledCost | ResourceId | ConsumedQuantity | ConsumedUnit
11-01 00:00       | 12-01 00:00     | 720.00     | i-1        | 720              | Hours
== jobs d
JobID | Account | Start       | End         | NodeList | State
20    | b       | 27 00:00    | 29 00:00    | n8       | FAILED
21    | b       | 28 00:00    | 28 01:00    | n7       | COMPLETED
22    | b       | 12-01 00:00 | 12-01 01:00 | n7       | COMPLETED
""")
    equals((1, 1, 1, "264.00"), counted("2026-10"))
    equals((2, 1, 1, "0.00"), counted("2026-11"))  # c/10, and d/20 that failed
    equals(final, company.books("2026-10"))


def resized():
    """A job that went on with fewer nodes: Slurm has two records of it, both with its comment."""
    it("counts the tokens of a resized job once")
    company = Company("resized")
    case_page.write_common_reference(company.inbox)
    case_page.write_csv(company.inbox / "reference" / "nodes.csv", [["cluster", "node", "resource_id"], ["c", "n1", "i-1"], ["c", "n2", "i-2"]])
    # two nodes for ten hours, then one for five: 250.00
    case_page.write_input(["bill", "cloud", "2026-09"],
                          [["ChargePeriodStart", "ChargePeriodEnd", "BilledCost", "ResourceId", "ConsumedQuantity", "ConsumedUnit"],
                           ["8 00:00", "8 15:00", "150.00", "i-1", "15", "Hours"], ["8 00:00", "8 10:00", "100.00", "i-2", "10", "Hours"]], company.inbox)
    submit, later, end, moment = (f"{when(text):%Y-%m-%dT%H:%M:%S}" for text in ("09-08 00:00", "09-08 10:00", "09-08 15:00", "10-01 00:00"))
    jobs = [COLUMNS, ["1", "1", "c", "a", "someone", submit, submit, later, "36000", "RESIZING", "2", "8", "n[1-2]", "trained_tokens=1000000", "train"],
            ["1", "1", "c", "a", "someone", submit, later, end, "18000", "COMPLETED", "1", "8", "n1", "trained_tokens=1000000", "train"],
            ["9", "9", "c", "a", "someone", moment, "Unknown", "Unknown", "0", "PENDING", "1", "8", "", "", "later"]]
    path = company.inbox / "jobs" / "c" / "jobs.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join("|".join(row) + "\n" for row in jobs), encoding="utf-8")
    company.publish()
    equals([("c/1", 1, "250.00", "1000000", "250.000000")],
           [tuple(row[name] for name in ("run_group", "models", "true_cost", "trained_tokens", "cost_per_million_tokens"))
            for row in company.units("2026-09")["results"]])


def fixtures():
    """The invented company's month: costs from fixtures/expected, ends from its job records."""
    it("agrees with the independent answer of the fixtures, by cost centre and family")
    source = SOURCES / "fixtures" / "inbox"
    with (source / "reference" / "run_group_units.csv").open(newline="", encoding="utf-8") as file:
        declared = {row["run_group"]: (int(row["models"]), int(row["trained_tokens"] or 0) or None) for row in csv.DictReader(file)}
    company = Company("fixtures", source)
    company.publish()
    month = fixtures_inbox.read(source)
    attempt_of = {(job.cluster, job.raw_id, job.mark): job for job in month.attempts.values()}
    groups = defaultdict(list)
    with (SOURCES / "fixtures" / "expected" / "jobs.csv").open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            cluster, raw_id, mark = row["attempt"].split(" ")
            job = attempt_of[cluster, raw_id, mark]
            # the components of a heterogeneous job are one
            groups[f"{cluster}/{job.het or raw_id}"].append((row, job))
    expected, turn = defaultdict(list), datetime(2026, 10, 1, tzinfo=timezone.utc).timestamp()
    for group, attempts in groups.items():
        if any(job.running for _, job in attempts) or max(job.end for _, job in attempts) > turn:
            continue
        good = [row for row, _ in attempts if row["outcome"] == "productive"]
        models, tokens = declared.get(group, (int(bool(good)), None))
        row = attempts[-1][0]
        expected[row["cost_centre"] or "(none)", row["family"] or "(none)"].append({
            "result": "succeeded" if good else "none", "models": models, "tokens": tokens, "has": tokens is not None,
            "cost": Fraction(sum(int(row["true_cost_minor"]) for row, _ in attempts), 100),
            "wasted": Fraction(sum(int(row["true_cost_minor"]) for row, _ in attempts if row["outcome"] != "productive"), 100)})
    assert 0 < len(groups) - sum(map(len, expected.values())) < 10, "no group of the fixtures is still running"
    wanted = {key: added(rows) for key, rows in expected.items()}
    wanted["*", "*"] = added(row for rows in expected.values() for row in rows)
    equals(wanted, {(row["cost_centre"], row["family"]): printed(row) for row in company.units("2026-09")["units"]})
    table = company.kstar("report", "units").stdout
    assert "cost per model" in table and "aurora/41031" in table, table


by_hand()
late_records()
known_late()
resized()
fixtures()
print("ok")
