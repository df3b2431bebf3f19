"""Parts of random resources, worked out again with Python's fractions from the text of
model/allocation/*.h.

Nothing of the C is repeated here: slots are looked up instead of nested by a stack, weights are
fractions instead of integers."""

import json
import os
import subprocess
from fractions import Fraction
from math import floor

from extent import tried

HOUR = 3_600_000_000
ATTEMPT, REFUND, IDLE, AWAITING = range(4)
COSTS = "billed", "effective", "list", "contracted"
SEEDS, COUNT = (1, 20261123), tried(500, 1500)


def decimal(pair):
    return Fraction(int(pair[0]), 10 ** pair[1])


def split(amount, weights):
    """The integer `amount` by weights: truncated, and the rest by largest remainder."""
    total = sum(weights)
    shares = [abs(amount) * weight / total for weight in weights]
    parts = [share.numerator // share.denominator for share in shares]
    order = sorted(range(len(parts)), key=lambda i: (parts[i] - shares[i], i))
    for i in order[:abs(amount) - sum(parts)]:
        parts[i] += 1
    return [-part if amount < 0 else part for part in parts]


def slot_of(line):
    return line["source"], line["start"], line["end"]


def lies_inside(inner, outer):
    return outer[1] <= inner[1] and inner[2] <= outer[2] and inner[1] < outer[2]


def negative(line):
    return decimal(line["billed"]) < 0 or decimal(line["effective"]) < 0


class Resource:
    def __init__(self, page):
        self.page, self.lines = page, page["lines"]
        self.slots = {slot_of(line) for line in self.lines}
        self.reported = {slot: time for slot in self.slots if (time := self.time_of_lines(slot)) > 0}
        self.presence = {slot: self.present(slot) for slot in self.slots}
        self.billed, self.of_shorter = {}, set()
        for slot in self.slots:
            self.billed[slot] = self.billed_time(slot)
        self.priced = self.priced_slots()

    def time_of_lines(self, slot):
        times = {}
        period = slot[2] - slot[1]
        for line in self.lines:
            time = decimal(line["seconds"]) * 1_000_000
            if (slot_of(line) == slot and line["usage"] and not line["correction"] and line["states_time"] and not negative(line)
                    and 0 < time and (time <= period or self.page["is_job"])):
                times.setdefault(line["sku"], []).append(time)
        return max((sum(of_sku) if sum(of_sku) <= period or self.page["is_job"] else max(of_sku) for of_sku in times.values()), default=0)

    def present(self, slot):
        """(named, seconds known, seconds after the horizon)"""
        _, start, end = slot
        rows = [(max(start, since), min(end, to), horizon) for since, to, horizon in self.page["presences"] if since < end and start < to]
        named = bool(rows)
        if not rows:
            rows = [(start, end, horizon) for since, to, horizon in self.page["presences"]
                    if since < end + HOUR and start - HOUR < to][:1]
        return named, sum(to - since for since, to, _ in rows), sum(max(0, to - max(since, horizon)) for since, to, horizon in rows)

    def around(self, slot, slots):
        """The innermost of `slots` that holds the slot."""
        _, start, end = slot
        holding = [other for other in slots if other != slot and lies_inside(slot, other)]
        holding = [other for other in holding if (other[1], other[2]) != (start, end) or other < slot]
        return max(holding, key=lambda other: (other[1], -other[2], other), default=None)

    def billed_time(self, slot):
        if slot in self.reported:
            return self.reported[slot]
        if self.page["is_job"]: # only its own lines report its time
            return Fraction(0)
        inside = [other for other in self.reported if other[0] == slot[0] and lies_inside(other, slot)]
        total = sum(self.reported[other] for other in inside if not any(lies_inside(other, another) for another in inside if another != other))
        if total > 0:
            self.of_shorter.add(slot)
            return min(Fraction(total), slot[2] - slot[1])
        return Fraction(self.presence[slot][1])

    def priced_slots(self):
        first = {}
        for index, line in enumerate(self.lines):
            if line["hardware"] and not line["correction"] and not negative(line):
                first.setdefault(slot_of(line), index)

        def inside(slot):
            return [other for other in first if self.around(other, first) == slot]

        def total(slot):
            within = sum(map(total, inside(slot)))
            return max(self.billed[slot], within)

        def counted(slot):
            within = sum(map(total, inside(slot)))
            if self.billed[slot] > within:
                return [slot]
            return [one for other in inside(slot) for one in counted(other)]

        return {slot: first[slot] for top in first if self.around(top, first) is None for slot in counted(top)}

    def targets(self, slot, billed):
        named, known, unrecorded = self.presence[slot]
        weights = {}
        for start, end, attempt, numerator, divisor in self.page["holds"] if named else ():
            seconds = min(end, slot[2]) - max(start, slot[1])
            kept, refunded = self.page["attempts"][attempt]
            for target, part in ((ATTEMPT, kept), (REFUND, refunded)):
                weight = Fraction(max(0, seconds) * numerator * part, divisor * (kept + refunded))
                weights[target, attempt] = weights.get((target, attempt), 0) + weight
        held = sum(weights.values())
        awaiting = billed * unrecorded / known if known else 0
        weights[IDLE, 0] = max(0, billed - held - awaiting)
        weights[AWAITING, 0] = awaiting
        weights = {key: weight for key, weight in sorted(weights.items()) if weight > 0}
        excess = max(0, held + awaiting - billed) if slot not in self.of_shorter else 0
        return (weights, excess, True) if weights else ({(IDLE, 0): Fraction(1)}, 0, False)

    def parts(self):
        for index, line in enumerate(self.lines):
            slot = slot_of(line)
            own_time = line["correction"] and line["has_corrected"]
            billed = decimal(line["corrected"]) * 1_000_000 if own_time else self.billed[slot]
            weights, _, has_time = self.targets(slot, billed)
            excess = self.targets(slot, self.billed[slot])[1]
            amounts = [split(int(line[cost][0]) * 10 ** 6, list(weights.values())) for cost in COSTS]
            total = sum(weights.values())
            for (target, attempt), *costs in zip(weights, *amounts):
                priced = has_time and self.priced.get(slot) == index
                # corrected times are any here
                microseconds = floor(billed * weights[target, attempt] / total + Fraction(1, 2)) % 2 ** 64
                yield (index, target, attempt, costs, weights[target, attempt] if has_time else None, microseconds, priced, excess)


def printed(page):
    for line, target, attempt, costs, weight, unit, microseconds, priced, excess in page["parts"]:
        unit = int(unit)
        yield (line, target, attempt, [int(cost) for cost in costs], Fraction(int(weight), unit) if unit else None, microseconds, bool(priced),
               Fraction(excess))


program = os.path.join(os.environ["KSTAR_BUILD"], "tests", "print_resources")
compared, jobs = {ATTEMPT: 0, REFUND: 0, IDLE: 0, AWAITING: 0}, 0
for seed in SEEDS:
    output = subprocess.run([program, str(seed), str(COUNT)], stdout=subprocess.PIPE, check=True, text=True).stdout
    for number, text in enumerate(output.splitlines()):
        page = json.loads(text)
        expected, actual = sorted(Resource(page).parts()), sorted(printed(page))
        if expected != actual:
            differing = next(pair for pair in zip(expected + [None], actual + [None]) if pair[0] != pair[1])
            raise SystemExit(f"seed {seed}, resource {number}: expected {differing[0]}, got {differing[1]}")
        jobs += page["is_job"]
        for part in actual:
            compared[part[1]] += 1
assert all(count > 100 for count in compared.values()) and jobs > 100, (compared, jobs)
print("parts of", len(SEEDS) * COUNT, "resources are the same:", compared, "managed jobs:", jobs)
