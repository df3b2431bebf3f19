"""kstar deliver, month after month: which months are due, and what becomes of a workbook that was
handed over and that the statement no longer has. A company with two cost centres, A and B, and a
bill in which they have what the test says."""

import json
import os
import sys
from pathlib import Path

SOURCE, WORK = Path(os.environ["KSTAR_SOURCE_DIR"]), Path(os.environ["WORK"])
sys.path.insert(0, str(SOURCE / "tests/lib"))
from case_page import write_csv  # noqa: E402
from company import Company  # noqa: E402
from saying import equals, it  # noqa: E402

MAIL, REFUSED = WORK / "mail.txt", WORK / "refused.txt"
REFUSES, WAITS = 3, 4
SENDMAIL = WORK / "sendmail"
SENDMAIL.write_text(f"""#!/bin/sh
cat >"{WORK}/message"
to=$(sed -n 's/^To: //p' "{WORK}/message")
! grep -qxF "$to" "{REFUSED}" || exit 75
echo "$(sed -n "s/^ filename.*''//p" "{WORK}/message") to $to" >>"{MAIL}"
""", encoding="utf-8")
SENDMAIL.chmod(0o755)
REFUSED.touch()


class Owners:
    """A company, and who gets its workbooks."""

    def __init__(self, name):
        self.company = Company(name)
        self.recipients = WORK / f"{name}.csv"

    def are(self, *rows):
        write_csv(self.recipients, [("cost_centre", "address"), *rows])

    def night(self, month, **costs):
        """A bill of the whole month with what each cost centre has in it."""
        number = int(month[-2:])
        lines = [(f"{number:02}-01 00:00", f"{number + 1:02}-01 00:00", "Usage", cost, f"team={centre.lower()}", "Storage")
                 for centre, cost in costs.items()]
        self.company.bill(*lines, month=month)
        return self.company.kstar("nightly", self.company.inbox, "--out", self.company.out).stdout

    def close(self, month):
        self.company.kstar("close", month)

    def delivered(self, *options, code=0):
        output = self.company.kstar("deliver", self.company.out, *options, code=code).stdout
        return output, [line.removeprefix(f"waits: {self.company.out}/") for line in output.splitlines() if line.startswith("waits: ")]

    def mailed(self, *options, code=0):
        """What a delivery by mail sent to whom, and its lines about workbooks that wait."""
        MAIL.write_text("")
        waits = self.delivered("--recipients", self.recipients, "--mailer", SENDMAIL, *options, code=code)[1]
        return sorted(MAIL.read_text().splitlines()), waits


def book(period, centre, address):
    return f"chargeback-{period}-{centre}.xlsx to {address}"


it("hands over the final workbook of a month to the address that its owner has now, and is done with it")
owners = Owners("moved")
owners.are(("A", "old@example.org"), ("B", "b@example.org"))
owners.night("2026-07", A="100", B="50")
owners.mailed()
owners.close("2026-07")
owners.are(("A", "new@example.org"), ("B", "b@example.org"))
owners.night("2026-08", A="100", B="50")
equals((sorted(book(month, centre, address) for month in ("2026-07", "2026-08")
               for centre, address in (("A", "new@example.org"), ("B", "b@example.org"))), []), owners.mailed())
owners.close("2026-08")
owners.night("2026-09", A="100", B="50")
owners.mailed()

it("gives an address that is new the open month and the one closed last, and none closed before those")
owners.are(("A", "new@example.org"), ("A", "third@example.org"), ("B", "b@example.org"))
equals(([book("2026-08", "A", "third@example.org"), book("2026-09", "A", "third@example.org")], []), owners.mailed())

it("misses nothing of a month that was delivered and archived")
for path in owners.company.out.glob("*2026-07*"):
    path.unlink()
equals(([], []), owners.mailed())

it("goes on with a month whose final workbook one of two addresses refused, also when two months were closed since")
owners = Owners("refused")
owners.are(("A", "one@example.org"), ("A", "two@example.org"))
for month in ("2026-07", "2026-08"):
    owners.night(month, A="100")
owners.mailed()
for month in ("2026-07", "2026-08"):
    owners.close(month)
owners.night("2026-09", A="100")
REFUSED.write_text("two@example.org\n")
equals([book(month, "A", "one@example.org") for month in ("2026-07", "2026-08", "2026-09")], owners.mailed(code=WAITS)[0])
REFUSED.write_text("")
equals(([book(month, "A", "two@example.org") for month in ("2026-07", "2026-08", "2026-09")], []), owners.mailed())

it("is done with a month of which only those have no final workbook who want none any more, or have no part in it")
owners = Owners("unwanted")
owners.are(("A", "a@example.org"), ("B", "b@example.org"), ("P", "p@example.org"))
owners.night("2026-07", A="100", B="50", P="7")
owners.mailed()
owners.night("2026-07", A="150", B="50")
owners.close("2026-07")
owners.night("2026-08", A="100")
owners.close("2026-08")
owners.are(("A", "a@example.org"), ("B", "none"), ("P", "p@example.org"))
owners.night("2026-09", A="100")
equals([book(month, "A", "a@example.org") for month in ("2026-07", "2026-08", "2026-09")], owners.mailed()[0])
owners.are(("A", "a@example.org"), ("A", "second@example.org"), ("B", "none"), ("P", "p@example.org"))
equals(([book(month, "A", "second@example.org") for month in ("2026-08", "2026-09")], []), owners.mailed())

GONE = "and the statement no longer has it: inform its owner, then run with --informed"

it("waits until somebody informs an owner whose charge was taken back, wherever it went, or the statement has the charge again")
owners = Owners("restated")
owners.are(("A", "a@example.org"), ("B", "b@example.org"))
folders = WORK / "owners"
both = [book("2026-07", "A", "a@example.org"), book("2026-07", "B", "b@example.org")]
owners.night("2026-07", A="100", B="50")
owners.delivered("--directory", folders)
equals((both, []), owners.mailed())
first = (folders / "B" / "chargeback-2026-07-B.xlsx").read_bytes()
owners.night("2026-07", A="150")
by_mail = [f"chargeback-2026-07-B.xlsx: was mailed to b@example.org, {GONE} B"]
by_folder = [f"chargeback-2026-07-B.xlsx: was put into {folders}, {GONE} B"]
equals(([book("2026-07", "A", "a@example.org")], by_mail), owners.mailed(code=WAITS))
output, waits = owners.delivered("--directory", folders, code=WAITS)
equals(by_folder, waits)
assert output.endswith("1 handed over, 0 before, 1 wait\n"), output
equals(([], by_mail), owners.mailed("--dry-run", code=WAITS))
owners.night("2026-07", A="100", B="50")
equals((both[:1], []), owners.mailed())  # what B was given last is what is published
(folders / "B" / "chargeback-2026-07-B.xlsx").unlink()
owners.delivered("--directory", folders)
# nor does the folder get again what was put there last
assert not (folders / "B" / "chargeback-2026-07-B.xlsx").exists()
owners.night("2026-07", A="150")
equals(([book("2026-07", "A", "a@example.org")], by_mail), owners.mailed(code=WAITS))

it("says the same as a JSON line")
line = json.loads(owners.delivered("--recipients", owners.recipients, "--json", code=WAITS)[0])
equals(("waits", "2026-07", "B", f"{owners.company.out}/{by_mail[0]}"),
       (line["kind"], line["period"], line["cost_centre"], f"{line['file']}: {line['why']}"))

it("records that the owner was informed, for the way it was delivered by, and does not list the workbook again")
owners.night("2026-07", A="151")
equals(([], []), owners.mailed("--informed", "C", code=REFUSES))  # nothing is handed over
equals(([book("2026-07", "A", "a@example.org")], by_mail), owners.mailed(code=WAITS))
equals(([], []), owners.mailed("--informed", "B", "--dry-run"))
equals(([], by_mail), owners.mailed(code=WAITS))
equals(([], []), owners.mailed("--informed", "B"))
equals(([], []), owners.mailed())
equals(by_folder, owners.delivered("--directory", folders, code=WAITS)[1])
owners.delivered("--directory", folders, "--informed", "B")
equals([], owners.delivered("--directory", folders)[1])
owners.mailed("--informed", "B", code=REFUSES)

it("hands over a version that comes back after its owner was informed, though the owner had it before")
owners.night("2026-07", A="100", B="50")
equals((both, []), owners.mailed())
owners.delivered("--directory", folders)
equals(first, (folders / "B" / "chargeback-2026-07-B.xlsx").read_bytes())

it("goes on waiting after the close, until the next month is closed")
owners.night("2026-07", A="150")
owners.close("2026-07")
owners.night("2026-08", A="100")
equals(by_mail, owners.mailed(code=WAITS)[1])
equals(by_mail, owners.mailed("--final", code=WAITS)[1])
owners.close("2026-08")
owners.night("2026-09", A="100")
equals(([book("2026-08", "A", "a@example.org"), book("2026-09", "A", "a@example.org")], []), owners.mailed())

it("names everybody who was given a workbook of a month whose bill was withdrawn")
folder = owners.company.inbox / "billing/cloud/2026-09"
bill = folder / "bill.csv"
bill.write_text(bill.read_text().splitlines()[0] + "\n")
owners.company.kstar("ingest", "billing", "--accept", folder)
owners.company.kstar("nightly", owners.company.inbox, "--out", owners.company.out)
gone = [f"chargeback-2026-09-A.xlsx: was mailed to a@example.org, {GONE} A"]
equals(([], gone), owners.mailed(code=WAITS))
equals(([], gone), owners.mailed("--period", "2026-09", code=WAITS))
equals(([], []), owners.mailed("--final"))
equals(([], []), owners.mailed("--informed", "A"))
equals(([], []), owners.mailed())
owners.mailed("--period", "2026-09", code=REFUSES)
