"""kstar ingest billing --check: a file that keeps every rule, then the same file with one thing
wrong at a time.

What is wrong is written here by hand, from the pages of the specification; the names of the rules
that it breaks, too."""

import csv
import gzip
import json
import os
import subprocess
from fractions import Fraction
from pathlib import Path
from saying import it

KSTAR = os.environ["KSTAR"]
WORK = Path(os.environ["WORK"])
DATA = Path(os.environ["KSTAR_SOURCE_DIR"]).parent / "shared" / "data" / "billing"
if "KSTAR_SHARED_DATA" in os.environ:
    DATA = Path(os.environ["KSTAR_SHARED_DATA"]) / "billing"

COMMON = {
    "BilledCost": "2.00", "BillingAccountId": "a", "BillingAccountName": "A", "BillingAccountType": "Payer",
    "BillingCurrency": "USD", "BillingPeriodStart": "2026-09-01T00:00:00Z", "BillingPeriodEnd": "2026-10-01T00:00:00Z",
    "CapacityReservationId": "", "CapacityReservationStatus": "", "ChargeCategory": "Usage", "ChargeClass": "",
    "ChargeDescription": "d", "ChargeFrequency": "Usage-Based", "ChargePeriodStart": "2026-09-03T10:00:00Z",
    "ChargePeriodEnd": "2026-09-03T11:00:00Z", "CommitmentDiscountCategory": "", "CommitmentDiscountId": "",
    "CommitmentDiscountName": "", "CommitmentDiscountQuantity": "", "CommitmentDiscountStatus": "",
    "CommitmentDiscountType": "", "CommitmentDiscountUnit": "", "ConsumedQuantity": "2", "ConsumedUnit": "Hours",
    "ContractedCost": "2.00", "ContractedUnitPrice": "1", "EffectiveCost": "2.00", "InvoiceId": "i",
    "InvoiceIssuerName": "I", "ListCost": "3.00", "ListUnitPrice": "1.5", "PricingCategory": "Standard",
    "PricingQuantity": "2", "PricingUnit": "Hours", "ProviderName": "P", "PublisherName": "P", "RegionId": "r",
    "RegionName": "R", "ResourceId": "i-1", "ResourceName": "n", "ResourceType": "VM", "ServiceCategory": "Compute",
    "ServiceName": "S", "ServiceSubcategory": "Virtual Machines", "SkuId": "s", "SkuMeter": "m",
    "SkuPriceDetails": '{"CoreCount": 2, "x_a": "b"}', "SkuPriceId": "p", "SubAccountId": "u", "SubAccountName": "U",
    "SubAccountType": "T", "Tags": '{"team": "vision"}', "x_own": "1",
}
COMMITMENT = {"CommitmentDiscountCategory": "Usage", "CommitmentDiscountId": "c", "CommitmentDiscountName": "C",
              "CommitmentDiscountQuantity": "2", "CommitmentDiscountType": "RI", "CommitmentDiscountUnit": "Hours"}
NO_PRICE = dict.fromkeys(("ContractedUnitPrice", "ListUnitPrice", "PricingCategory", "PricingQuantity", "PricingUnit",
                          "ConsumedQuantity", "ConsumedUnit", "SkuId", "SkuMeter", "SkuPriceId", "SkuPriceDetails"), "")
NO_USE = {"ConsumedQuantity": "", "ConsumedUnit": ""}
USAGE, USED, UNUSED, PURCHASE, TAX, CREDIT, CORRECTION = range(7)
ROWS = [
    COMMON,
    {**COMMON, **COMMITMENT, "CommitmentDiscountStatus": "Used", "PricingCategory": "Committed", "BilledCost": "0"},
    {**COMMON, **COMMITMENT, **NO_USE, "CommitmentDiscountStatus": "Unused", "PricingCategory": "Committed", "BilledCost": "0"},
    {**COMMON, **COMMITMENT, **NO_USE, "ChargeCategory": "Purchase", "ChargeFrequency": "Recurring", "EffectiveCost": "0"},
    {**COMMON, **NO_PRICE, "ChargeCategory": "Tax", "ChargeFrequency": "One-Time"},
    {**COMMON, **NO_PRICE, "ChargeCategory": "Credit", "ChargeFrequency": "One-Time", "BilledCost": "-2", "EffectiveCost": "-2",
     "ListCost": "-2.0", "ContractedCost": "-2"},
    {**COMMON, "ChargeClass": "Correction", "ListCost": "-9", "ContractedCost": "-9", "ChargePeriodStart": "2026-08-01T00:00:00Z"},
]

# What is changed in which row, and the rules that it breaks.
WRONG = [
    (USAGE, {"BilledCost": "+2"}, "BilledCost.type"),
    (USAGE, {"BilledCost": "2e+0"}, "BilledCost.type"),
    (USAGE, {"BilledCost": "1,000"}, "BilledCost.type"),
    (USAGE, {"BilledCost": "NULL"}, "BilledCost.null"),
    (USED, {"BilledCost": "0.01"}, "BilledCost.zero-when-used"),
    (USAGE, {"BillingAccountType": ""}, "BillingAccountType.null"),
    (USAGE, {"BillingCurrency": "usd"}, "BillingCurrency.code"),
    (TAX, {"BillingPeriodEnd": "2026-09-01T00:00:00Z"}, "BillingPeriodEnd.after-start"),
    (USAGE, {"BillingPeriodStart": "2026-09-01 00:00:00"}, "BillingPeriodStart.type"),
    (USAGE, {"CapacityReservationId": "c"}, "CapacityReservationStatus.set-on-usage"),
    (TAX, {"CapacityReservationStatus": "Used"}, "CapacityReservationStatus.null-without-CapacityReservationId"),
    (CREDIT, {"ChargeCategory": "Refund"}, "ChargeCategory.value"),
    (USAGE, {"ChargeClass": "correction"}, "ChargeClass.value"),
    (PURCHASE, {"ChargeFrequency": "Usage-Based"}, "ChargeFrequency.of-purchase"),
    (TAX, {"ChargePeriodEnd": "2026-09-03T10:00:00Z"}, "ChargePeriodEnd.after-start"),
    (USAGE, {"ChargePeriodStart": "2026-08-31T23:59:59Z"}, "ChargePeriodStart.in-billing-period"),
    (USED, {"CommitmentDiscountCategory": ""}, "CommitmentDiscountCategory.goes-with-CommitmentDiscountId"),
    (USED, {"CommitmentDiscountCategory": "Money"}, "CommitmentDiscountCategory.value"),
    (USAGE, {"CommitmentDiscountName": "C"}, "CommitmentDiscountName.null-without-CommitmentDiscountId"),
    (USED, {"CommitmentDiscountQuantity": "", "CommitmentDiscountUnit": ""}, "CommitmentDiscountQuantity.of-commitment"),
    (USAGE, {"CommitmentDiscountQuantity": "1", "CommitmentDiscountUnit": "h"}, "CommitmentDiscountQuantity.of-commitment"),
    (USED, {"CommitmentDiscountStatus": ""}, "CommitmentDiscountStatus.set-on-usage"),
    (TAX, {"CommitmentDiscountStatus": "Used"}, "CommitmentDiscountStatus.null-without-CommitmentDiscountId"),
    (USED, {"CommitmentDiscountType": ""}, "CommitmentDiscountType.goes-with-CommitmentDiscountId"),
    (USED, {"CommitmentDiscountUnit": ""}, "CommitmentDiscountUnit.goes-with-CommitmentDiscountQuantity"),
    (PURCHASE, {"ConsumedQuantity": "2", "ConsumedUnit": "Hours"}, "ConsumedQuantity.null-off-usage"),
    (UNUSED, {"ConsumedQuantity": "2", "ConsumedUnit": "Hours"}, "ConsumedQuantity.null-when-unused"),
    (USAGE, NO_USE, "ConsumedQuantity.set-when-used"),
    (USAGE, {"ConsumedUnit": ""}, "ConsumedUnit.goes-with-ConsumedQuantity"),
    (CREDIT, {"ContractedCost": "-1"}, "ContractedCost.equals-billed-for-credit"),
    (USAGE, {"ContractedCost": "2.02"}, "ContractedCost.product"),
    (CORRECTION, {"ContractedUnitPrice": "-1"}, "ContractedUnitPrice.not-negative"),
    (TAX, {"ContractedUnitPrice": "1"}, "ContractedUnitPrice.null-for-tax"),
    (USAGE, {"ContractedUnitPrice": ""}, "ContractedUnitPrice.set-for-usage-and-purchase"),
    (CREDIT, {"EffectiveCost": "0"}, "EffectiveCost.equals-billed-for-credit"),
    (PURCHASE, {"EffectiveCost": "0.0001"}, "EffectiveCost.zero-on-commitment-purchase"),
    (CREDIT, {"ListCost": "-2.001"}, "ListCost.equals-billed-for-credit"),
    (PURCHASE, {"ListCost": "2.98"}, "ListCost.product"),
    (CORRECTION, {"ListUnitPrice": "-1"}, "ListUnitPrice.not-negative"),
    (TAX, {"ListUnitPrice": "1"}, "ListUnitPrice.null-for-tax"),
    (PURCHASE, {"ListUnitPrice": ""}, "ListUnitPrice.set-for-usage-and-purchase"),
    (USED, {"PricingCategory": "Standard"}, "PricingCategory.committed"),
    (TAX, {"PricingCategory": "Other"}, "PricingCategory.null-for-tax"),
    (USAGE, {"PricingCategory": ""}, "PricingCategory.set-for-usage-and-purchase"),
    (USAGE, {"PricingCategory": "On-Demand"}, "PricingCategory.value"),
    (TAX, {"PricingQuantity": "1", "PricingUnit": "h"}, "PricingQuantity.null-for-tax"),
    (USAGE, {"PricingQuantity": "", "PricingUnit": ""}, "PricingQuantity.set-for-usage-and-purchase"),
    (USAGE, {"PricingUnit": ""}, "PricingUnit.goes-with-PricingQuantity"),
    (USAGE, {"RegionName": ""}, "RegionName.goes-with-RegionId"),
    (USAGE, {"ResourceId": "", "ResourceType": ""}, "ResourceName.null-without-ResourceId"),
    (USAGE, {"ResourceType": ""}, "ResourceType.goes-with-ResourceId"),
    (USAGE, {"ServiceCategory": "Computing"}, "ServiceCategory.value"),
    (TAX, {"SkuId": "s"}, "SkuId.null-for-tax"),
    (USAGE, {"SkuId": "", "SkuMeter": ""}, "SkuId.set-for-usage-and-purchase"),
    (CREDIT, {"SkuMeter": "m"}, "SkuMeter.null-without-SkuId"),
    (CREDIT, {"SkuPriceDetails": "{}"}, "SkuPriceDetails.null-without-SkuPriceId"),
    (USAGE, {"SkuPriceDetails": '{"Cores": 2}'}, "SkuPriceDetails.keys"),
    (USAGE, {"SkuPriceDetails": '{"x_a": [2]}'}, "SkuPriceDetails.type"),
    (TAX, {"SkuPriceId": "p"}, "SkuPriceId.null-for-tax"),
    (USAGE, {"SkuPriceId": "", "SkuPriceDetails": ""}, "SkuPriceId.set-for-usage-and-purchase"),
    (USAGE, {"SubAccountName": ""}, "SubAccountName.goes-with-SubAccountId"),
    (USAGE, {"SubAccountType": ""}, "SubAccountType.goes-with-SubAccountId"),
    (USAGE, {"Tags": '{"a": 1, "a": 2}'}, "Tags.type"),
    (USAGE, {"Tags": "a=1"}, "Tags.type"),
]
NEW_IN_1_3 = {"HostProviderName": "P", "ServiceProviderName": "P"}
WRONG_IN_1_3 = [
    (CREDIT, {"ConsumedQuantity": "1", "ConsumedUnit": "h"},
     "ConsumedQuantity.null-off-usage ConsumedQuantity.null-without-SkuPriceId"),
    (CREDIT, {"ContractedUnitPrice": "1"}, "ContractedUnitPrice.null-without-SkuPriceId"),
    (CORRECTION, {"ContractedUnitPrice": ""}, "ContractedUnitPrice.set-with-SkuPriceId"),
    (CREDIT, {"ListUnitPrice": "1"}, "ListUnitPrice.null-without-SkuPriceId"),
    (CORRECTION, {"ListUnitPrice": ""}, "ListUnitPrice.set-with-SkuPriceId"),
    (CORRECTION, {"ListCost": "-9.1"}, "ListCost.product"),
    (CREDIT, {"PricingCategory": "Other"}, "PricingCategory.null-without-SkuPriceId"),
    (CREDIT, {"PricingQuantity": "1", "PricingUnit": "h"}, "PricingQuantity.null-without-SkuPriceId"),
    (CORRECTION, {"PricingQuantity": "", "PricingUnit": ""}, "PricingQuantity.set-with-SkuPriceId"),
    (USAGE, {"ServiceProviderName": ""}, "ServiceProviderName.null"),
]


def equals(expected, actual, about=""):
    assert expected == actual, f"{about}\nexpected: {expected!r}\ngot:      {actual!r}"


def write(name, rows, lines=()):
    path = WORK / name
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        file.writelines(lines)
    return path


def run(*arguments):
    return subprocess.run([KSTAR, "ingest", "billing", "--check", *map(str, arguments)], capture_output=True, text=True,
                          check=False)


def check(path):
    result = run("--json", path)
    assert result.returncode == 0, result.stderr
    report, = json.loads(result.stdout)
    return report


def broken(report):
    return {finding["rule"]: finding for finding in report["broken"]}


def each_wrong(rows, cases, version):
    for at, change, rules in cases:
        report = check(write("wrong.csv", [{**row, **(change if number == at else {})} for number, row in enumerate(rows)]))
        equals(version, report["version"])
        findings = broken(report)
        equals(sorted(rules.split()), sorted(findings), change)
        for finding in findings.values():
            equals((1, [at + 2]), (finding["rows"], finding["lines"]), change)


it("finds nothing in a file that keeps every rule")
report = check(write("good.csv", ROWS))
equals({}, broken(report))
equals(("1.2", 7, [], [], 0),
       (report["version"], report["rows"], report["missing_columns"], report["unknown_columns"], report["rules_not_judged"]))

it("names the rule, and only that rule, of each thing that is wrong, with its line")
each_wrong(ROWS, WRONG, "1.2")

it("asks of 1.3 what came with it")
rows = [{**row, **NEW_IN_1_3} for row in ROWS]
rows[CORRECTION] = {**rows[CORRECTION], "ListCost": "3"}
equals({}, broken(check(write("good.csv", rows))))
each_wrong(rows, WRONG_IN_1_3, "1.3")

it("recognizes 1.4 by the columns that 1.4 removed")
rows = [{key: value for key, value in row.items() if key not in ("ProviderName", "PublisherName")} for row in rows]
rows = [{**row, "PricingCurrency": "USD", "PricingCurrencyEffectiveCost": "1"} for row in rows]
report = check(write("good.csv", rows))
equals(("1.4", [], {}), (report["version"], report["missing_columns"], broken(report)))

it("counts all rows that break a rule, and shows the first three lines and the first value")
report = check(write("many.csv", [COMMON] + [{**COMMON, "ChargeCategory": f"Fee {number}"} for number in range(1000)]))
finding = broken(report)["ChargeCategory.value"]
equals((1000, [3, 4, 5], "Fee 0", "must"), (finding["rows"], finding["lines"], finding["first_value"], finding["force"]))
equals("expected", broken(check(write("used.csv", [{**ROWS[USED], "BilledCost": "1"}])))["BilledCost.zero-when-used"]["force"])

it("takes a product for equal up to the digits that costs are written with")
for cost, price, quantity, holds in [("0.33", "0.3333333", "1", True), ("0.34", "0.3333333", "1", True),
                                     ("0.35", "0.3333333", "1", False), ("0.3333", "0.33333333", "1", True),
                                     ("0.3335", "0.33333333", "1", False), ("1000000.00", "1000000.9", "1", True),
                                     ("1000000.00", "1000002", "1", False), ("-0.30000000000000004", "0.1", "-3", True),
                                     ("3", "3.02", "1", False)]:
    report = check(write("product.csv", [{**COMMON, "ListCost": cost, "ListUnitPrice": price, "PricingQuantity": quantity}]))
    equals(holds, "ListCost.product" not in broken(report), (cost, price, quantity))

it("says which mandatory columns are missing, which names are no columns, and how many rules are not judged")
rows = [{key: value for key, value in COMMON.items() if key not in ("ChargeClass", "SkuPriceId")} | {"Id": "1", "x_b": ""}]
report = check(write("lacking.csv", rows))
equals((["ChargeClass"], ["Id"]), (report["missing_columns"], report["unknown_columns"]))
equals(3, report["rules_not_judged"])

it("reports a row of another length, and bytes that are no text, under rules of their own")
report = check(write("short.csv", [COMMON, COMMON], ["a,b\n"]))
equals((["row.fields"], [4]), (sorted(broken(report)), broken(report)["row.fields"]["lines"]))
path = write("bytes.csv", [{**COMMON, "ChargeDescription": "@"}])
path.write_bytes(path.read_bytes().replace(b"@", b"\xff"))
equals(["row.text"], sorted(broken(check(path))))

it("reads gzip, and several files and folders, in order")
folder = WORK / "folder"
folder.mkdir()
(folder / "b.csv.gz").write_bytes(gzip.compress(write("good.csv", ROWS).read_bytes()))
(folder / "a.csv").write_bytes(write("good.csv", ROWS).read_bytes())
result = run(folder)
equals((0, [f"{folder}/a.csv: FOCUS 1.2, 7 rows, {len(COMMON)} columns of which {len(COMMON) - 1} FOCUS's",
            f"{folder}/b.csv.gz: FOCUS 1.2, 7 rows, {len(COMMON)} columns of which {len(COMMON) - 1} FOCUS's"]),
       (result.returncode, [line for line in result.stdout.splitlines() if line[0] == "/"]))

it("ends with 3 only where there is nothing to judge")
(WORK / "empty.csv").write_bytes(b"")
(WORK / "other.csv").write_text("a,b\n1,2\n")
(WORK / "broken.csv.gz").write_bytes(gzip.compress(b"BilledCost\n1\n" * 100)[:-9])
for name, word in (("empty.csv", "empty"), ("other.csv", "none of its 2 columns is FOCUS's"), ("broken.csv.gz", "gzip")):
    result = run(WORK / name)
    assert result.returncode == 3 and word in result.stderr, (result.returncode, result.stderr)

if not DATA.is_dir():
    print("- skipped: ../shared/data/billing (FOCUS 1.0 and 1.2 samples) is not there")
else:
    it("finds in the published samples what Python finds in them")
    path = DATA / "focus-1.0-real" / "focus_sample.csv"
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [{key: None if value in ("", "NULL") else value for key, value in row.items()} for row in csv.DictReader(file)]

    def product_fails(row, cost, price):
        values = [row[name] for name in (cost, price, "PricingQuantity")]
        if None in values or row["ChargeClass"]:
            return False
        written, unit_price, quantity = map(Fraction, values)
        digits = max(2, len(values[0].partition(".")[2]))
        return abs(unit_price * quantity - written) > max(Fraction(1, 10 ** digits), abs(written) / 10 ** 6)

    expected = {
        "ListCost.product": [row for row in rows if product_fails(row, "ListCost", "ListUnitPrice")],
        "ContractedCost.product": [row for row in rows if product_fails(row, "ContractedCost", "ContractedUnitPrice")],
        "ResourceType.goes-with-ResourceId": [row for row in rows if (row["ResourceType"] is None) != (row["ResourceId"] is None)],
        "ContractedCost.null": [row for row in rows if row["ContractedCost"] is None],
        "ChargeFrequency.value": [row for row in rows if row["ChargeFrequency"] == "Usage-based"],
        "ConsumedQuantity.null-off-usage": [row for row in rows if row["ChargeCategory"] != "Usage" and row["ConsumedQuantity"]],
    }
    report = check(path)
    equals(("1.0", 1000, ["Id"]), (report["version"], report["rows"], report["unknown_columns"]))
    equals({rule: len(found) for rule, found in expected.items()},
           {rule: broken(report)[rule]["rows"] for rule in expected})
    for provider in ("aws", "azure"):
        report = check(DATA / "focus-1.2-generated" / f"focus_1_2_cost_and_usage_{provider}.csv")
        equals(("1.2", 1000, {}), (report["version"], report["rows"], broken(report)))
    for path in sorted((DATA / "focus-1.2-examples").glob("*/*.csv")):
        assert run(path).returncode == 0, path
