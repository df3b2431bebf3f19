"""The same content under another wrapping is charged once: packing, line ends, the order of lines
and the cut into files make no difference.

Under another source it is held, in the same folder it is refused, under the same label it is
nothing new. The expected sums are worked by hand from the amounts that stand in each bill."""

import gzip
import os
import random
import shutil
import subprocess
import sys
from pathlib import Path

WORK = Path(os.environ["WORK"])
sys.path.insert(0, str(Path(os.environ["KSTAR_SOURCE_DIR"]) / "tests" / "lib"))

import published
from saying import expect, failures

HEADER = ("BilledCost,EffectiveCost,BillingPeriodStart,ChargePeriodStart,ChargePeriodEnd,ChargeCategory,BillingCurrency,"
          "SubAccountId,ResourceId,ListUnitPrice,Tags")
DSN = published.new_database("same_content")
CLEAN, REFUSED, HELD = 0, 3, 4


def line(day, cost, account="", resource="", month="2026-09", price="0.5", tags=""):
    return f"{cost},{cost},{month}-01,{month}-{day:02}T00:00:00Z,{month}-{day:02}T01:00:00Z,Usage,USD,{account},{resource},{price},{tags}"


def text(lines, end="\n"):
    return "".join(row + end for row in (HEADER, *lines)).encode()


def packed(content, seconds=0):
    return gzip.compress(content, mtime=seconds)


def deliver(source, files, *options, label="2026-09"):
    """Puts {name: bytes} into a source's folder, in place of all that was there, and loads it."""
    folder = WORK / "billing" / source / label
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name, content in files.items():
        (folder / name).write_bytes(content)
    return again(source, *options, label=label)


def again(source, *options, label="2026-09"):
    return subprocess.run([os.environ["KSTAR"], "ingest", "billing", *options, WORK / "billing" / source / label, "--dsn", DSN],
                          capture_output=True, text=True, check=False)


def query(text):
    return published.query(text, DSN)


def billed(source):
    rows = query(f"SELECT coalesce(sum(billed_cost), 0)::text AS billed FROM kstar.current_billing_line WHERE source = '{source}'")
    return rows[0]["billed"]


def latest_delivery(source):
    return query(f"SELECT max(delivery_id) AS id FROM kstar.delivery WHERE source = '{source}'")[0]["id"]


def has_outcome(what, done, code, source, sum_billed, *words):
    expect(what, done.returncode == code and billed(source) == sum_billed and all(word in done.stderr for word in words),
           f"exit code {done.returncode}, {source} bills {billed(source)}\n{done.stdout}{done.stderr}")


LINES = [line(1, "10.50", "acct-1", "i-1"), line(2, "9.50", "acct-1", "i-2"), line(3, "4.00", "acct-1", "i-3", tags='"{""team"": ""a""}"')]
WRAPPINGS = {
    "its gzip": lambda rows: {"a.csv.gz": packed(text(rows))},
    "CRLF": lambda rows: {"b.csv": text(rows, "\r\n")},
    "another order": lambda rows: {"b.csv": text(reversed(rows))},
    "two files": lambda rows: {"1.csv": text(rows[:1]), "2.csv.gz": packed(text(rows[1:]))},
    "other digits of the same numbers": lambda rows: {"b.csv": text(row.replace(",0.5,", ",0.50,").replace("4.00", "4") for row in rows)},
    "null spelt out": lambda rows: {"b.csv": text(row + "NULL" if row.endswith(",") else row for row in rows)},
    "times with an offset": lambda rows: {"b.csv": text(row.replace("T00:00:00Z", "T02:00:00+02:00") for row in rows)},
}


def other_sources():
    done = deliver("first", {"a.csv": text(LINES)})
    has_outcome("a bill counts", done, CLEAN, "first", "24.00")
    for number, (name, wrap) in enumerate(WRAPPINGS.items()):
        source = f"copy-{number}"
        done = deliver(source, wrap(LINES))
        has_outcome(f"under another source it is held: {name}", done, HELD, source, "0", f"billing/{source}/2026-09 is held", "billing/first/2026-09",
                    "under source first", "USD 24", "2026-09-01", "acct-1", "--accept")
        done = again(source)
        has_outcome(f"and so the next night: {name}", done, HELD, source, "0", f"billing/{source}/2026-09 is held")
    files = {"other.csv": text([line(1, "1.00", "acct-9", "i-9")]), "part.csv": text(LINES[::-1], "\r\n")}
    done = deliver("beside", files)
    has_outcome("one file among others that repeats one is held, with both names", done, HELD, "beside", "0", "part.csv", "a.csv of billing/first/2026-09")
    two = [line(1, "3.00", "acct-2", "i-1"), line(2, "5.00", "acct-2", "i-2")]
    deliver("organisation", {"all.csv": text([*two, line(1, "7.00", "acct-3", "i-7"), line(2, "8.00", "acct-4", "i-8")])})
    done = deliver("member", {"mine.csv": text(two), "mine-too.csv": text([line(1, "6.00", "acct-5", "i-6")])})
    has_outcome("one account of several that counts already is held, with its money", done, HELD, "member", "0", "all.csv of billing/organisation/2026-09",
                "USD 8", "acct-2")
    done = deliver("another", {"a.csv": text([*LINES[:2], LINES[2].replace("4.00", "4.01")])})
    has_outcome("a line that bills otherwise is another bill", done, CLEAN, "another", "24.01")
    done = deliver("later", {"a.csv": text(row.replace("2026-09", "2026-10") for row in LINES)}, label="2026-10")
    has_outcome("and so is another month", done, CLEAN, "later", "24.00")


def same_folder():
    longer = [line(1 + number % 30, f"{number}.25", "acct-f", f"i-{number}") for number in range(3000)]
    for rows in ([line(4, "2.00", "acct-f", "i-4"), line(5, "3.00", "acct-f", "i-5")], longer):
        source = f"folder-{len(rows)}"
        others = {"CRLF": text(rows, "\r\n"), "another order": text(random.Random(1).sample(rows, len(rows)))}
        for name, content in others.items():
            done = deliver(source, {"x.csv": text(rows), "y.csv": content})
            has_outcome(f"in the same folder a copy is refused, with both names: {name}, {len(rows)} lines", done, REFUSED, source, "0", "x.csv and y.csv",
                        "same content", "leave one of them")
        done = deliver(source, {"x.csv.gz": packed(text(rows), 1), "y.csv.gz": packed(text(rows), 2)})
        has_outcome(f"and so are two gzips of one file, {len(rows)} lines", done, REFUSED, source, "0", "x.csv.gz and y.csv.gz")
        done = deliver(source, {"x.csv": text(rows), "y.csv": text(rows[:1]), "z.csv": text(rows[1:])})
        has_outcome(f"and a file beside its own parts, {len(rows)} lines", done, REFUSED, source, "0", "x.csv")
    done = deliver("free", {"x.csv": text([line(1, "0.00", "acct-g")]), "y.csv": text([line(1, "0.00", "acct-g")]), "z.csv": text([]), "zz.csv": text([])})
    has_outcome("lines without money and headers alone are nobody's copy", done, CLEAN, "free", "0.00")
    done = deliver("free-too", {"x.csv": text([line(1, "0.00", "acct-g")]), "y.csv": text([line(1, "1.00", "acct-h")])})
    has_outcome("nor are they under another source", done, CLEAN, "free-too", "1.00")
    done = deliver("alike", {"x.csv": text([line(1, "5.00", "acct-x")]), "y.csv": text([line(1, "5.00", "acct-y")])})
    has_outcome("two accounts that deliver alike are two", done, CLEAN, "alike", "10.00")
    done = deliver("doubled", {"x.csv": text([line(6, "5.00", "acct-d")]), "y.csv": text([line(6, "5.00", "acct-d")] * 2)})
    has_outcome("a line that stands twice is not the same as one that stands once", done, CLEAN, "doubled", "15.00")


def same_label():
    rows = [line(day, f"{day}.00", "acct-l", f"i-{day}") for day in range(1, 11)]
    unread = line(11, "7.70", "acct-l").replace("Usage", "Barter")
    done = deliver("label", {"a.csv": text([*rows, unread])})
    has_outcome("a bill of which a row cannot be read", done, HELD, "label", "55.00")
    before = latest_delivery("label")
    shuffled = random.Random(2).sample([*rows, unread], 11)
    for name, files in {"its gzip": {"a.csv.gz": packed(text([*rows, unread]))}, "CRLF and another order": {"a.csv": text(shuffled, "\r\n")},
                        "three files": {f"{part}.csv": text(shuffled[part::3]) for part in range(3)}}.items():
        done = deliver("label", files)
        has_outcome(f"the same label packed anew is nothing new: {name}", done, CLEAN, "label", "55.00", "event=unchanged", "other files")
        expect("nothing was stored of it, and the output says so", latest_delivery("label") == before and "already there" in done.stdout, done.stdout + done.stderr)
        done = again("label")
        expect("the next night it is known without being read", done.returncode == CLEAN and "already there" in done.stdout
               and "other files" not in done.stderr, done.stdout + done.stderr)
    quarantined = query("SELECT count(*) AS rows FROM kstar.quarantined_row JOIN kstar.delivery USING (delivery_id) WHERE source = 'label'")
    expect("what was quarantined is there once", int(quarantined[0]["rows"]) == 1, quarantined)
    done = deliver("label", {"a.csv": text([*rows, unread.replace("7.70", "7.80")])})
    expect("a row that could not be read and says something else is news", latest_delivery("label") > before, done.stderr)
    before = latest_delivery("label")
    done = deliver("label", {"a.csv": text([*rows, line(11, "0", "acct-l")])})
    expect("and so is one without money", latest_delivery("label") > before and billed("label") == "55.00", done.stderr)
    before = latest_delivery("label")
    done = deliver("label", {"a.csv": text([*rows[:-1], line(10, "10.00", "acct-l", "i-10", price="0.7"), line(11, "0", "acct-l")])})
    expect("and another price", latest_delivery("label") > before and billed("label") == "55.00", done.stderr)
    deliver("moving", {"a.csv": text([line(1, "2.00", "acct-m")])}, label="one")
    deliver("moving", {"a.csv": text([line(1, "3.00", "acct-m")])}, label="two")
    done = deliver("moving", {"a.csv.gz": packed(text([line(1, "2.00", "acct-m")]))}, label="one")
    has_outcome("what another folder has replaced since is new again", done, CLEAN, "moving", "2.00")


def without_account():
    flat = [line(1, "300.00"), line(2, "12.00")]
    deliver("hall-1", {"a.csv": text(flat)})
    done = deliver("hall-2", {"a.csv": text(flat)})
    has_outcome("identical lines without an account are held", done, HELD, "hall-2", "0", "billing/hall-1/2026-09", "USD 312", "no account")
    done = again("hall-2", "--accept")
    has_outcome("accepted, they count beside the others", done, CLEAN, "hall-2", "312.00", "event=repeat_accepted", "hall-1")
    october = [row.replace("2026-09", "2026-10") for row in flat]
    for source, name, rows, total in (("hall-2", "a restatement that repeats is not asked for again", [*flat, line(3, "1.00")], "313.00"),
                                      ("hall-1", "nor one of the other source", [*flat, line(3, "1.00")], "313.00")):
        done = deliver(source, {"b.csv.gz": packed(text(rows))})
        has_outcome(name, done, CLEAN, source, total)
    for source in ("hall-2", "hall-1"):
        done = deliver(source, {"a.csv": text(october)}, label="2026-10")
        has_outcome(f"nor the next month of {source}", done, CLEAN, source, "625.00")
    done = deliver("hall-3", {"a.csv": text(flat[:1]), "b.csv": text([line(3, "1.00"), flat[1]])})
    has_outcome("a third source is asked for", done, HELD, "hall-3", "0", "is held")


def withdrawn():
    rows = [line(7, "21.00", "acct-w", "i-w")]
    deliver("old-name", {"a.csv": text(rows)})
    deliver("new-name", {"a.csv": text(rows)})
    deliver("old-name", {"a.csv": text([])}, "--accept")
    done = again("new-name", "--accept")
    has_outcome("where the bill is withdrawn under the old name, it counts under the new one", done, CLEAN, "new-name", "21.00")
    done = deliver("old-name", {"a.csv": text(rows)})
    has_outcome("and is held under the old one: nobody has accepted both", done, HELD, "old-name", "0", "billing/new-name/2026-09")
    again("old-name", "--accept")
    deliver("old-name", {"a.csv": text([])}, "--accept")
    done = deliver("old-name", {"a.csv": text(rows)})
    has_outcome("an acceptance ends when one of the two bills is withdrawn", done, HELD, "old-name", "0", "billing/new-name/2026-09")
    deliver("restated", {"a.csv": text([line(8, "1.00", "acct-r")])})
    deliver("restated", {"a.csv": text([line(8, "2.00", "acct-r")])})
    done = deliver("heir", {"a.csv": text([line(8, "1.00", "acct-r")])})
    has_outcome("what counts no more is nobody's original", done, CLEAN, "heir", "1.00")


def unread():
    """Money of rows that could not be read stands on the statement, too."""
    row = line(9, "8.00", "acct-u").replace("Usage", "Barter")
    deliver("unread-1", {"a.csv": text([row, line(7, "1.00", "acct-u1")]), "b.csv": text([line(9, "1.00", "acct-u1")])})
    done = deliver("unread-2", {"a.csv.gz": packed(text([row, line(7, "1.00", "acct-u2")], "\r\n")), "b.csv": text([line(9, "1.00", "acct-u2")])})
    has_outcome("rows that could not be read are compared as they stand", done, HELD, "unread-2", "0", "a.csv of billing/unread-1/2026-09", "USD 8")
    footer = "End of export,,,,,,,,,,"
    deliver("footer-1", {"a.csv": text([line(9, "1.00", "acct-v1"), footer])})
    done = deliver("footer-2", {"a.csv": text([line(9, "1.00", "acct-v2"), footer]), "b.csv": text([line(9, "2.00", "acct-v2"), footer])})
    has_outcome("but those without money that can be read repeat nothing", done, HELD, "footer-2", "3.00", "footer-2")


def chunks():
    """Chunks that are not read again are known by the hash that was stored with them."""
    rows = [line(1 + number % 30, f"{number}.01", f"acct-{number % 3}c", f"i-{number}") for number in range(6000)]
    deliver("chunks", {"a.csv": text(rows)})
    rows.append(line(30, "5.00", "acct-0c", "i-last"))
    done = deliver("chunks", {"a.csv": text(rows)})
    expect("a month again, of which most chunks are known", done.returncode == CLEAN and "reused=0" not in done.stderr, done.stderr)
    done = deliver("chunks-too", {"a.csv": text(random.Random(3).sample(rows, len(rows)))})
    total = sum(range(6000)) + 60 + 5  # 0.01 for each of the 6,000 lines, and the last
    has_outcome("is recognised in another order", done, HELD, "chunks-too", "0", f"USD {total}", "3 accounts")


other_sources()
same_folder()
same_label()
without_account()
withdrawn()
unread()
chunks()
sys.exit(1 if failures else 0)
