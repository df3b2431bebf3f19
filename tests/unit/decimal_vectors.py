#!/usr/bin/env python3
"""Random decimals as text, and what Python's decimal makes of them in plain notation: COUNT lines
"text<TAB>plain"."""
import random
import sys
from decimal import Decimal, getcontext

getcontext().prec = 400


def digits(generator, most):
    # short ones are the common case; runs of zeros and nines are where groups go wrong
    length = min(most, int(generator.expovariate(0.15)))
    alphabet = generator.choice(["0123456789", "09", "0", "01"])
    return "".join(generator.choice(alphabet) for _ in range(length))


def plain(text):
    """Decimal's own value and scale; a zero has no sign, a positive exponent is written out."""
    value = Decimal(text)
    if value.as_tuple().exponent > 0:
        value = value.quantize(Decimal(1)) if value else Decimal(0)
    written = format(value.copy_abs() if not value else value, "f")
    return written


def main():
    generator = random.Random(20261120)
    for _ in range(int(sys.argv[1])):
        whole, fraction = digits(generator, 60), digits(generator, 40)
        if not whole and not fraction:
            whole = "0"
        text = generator.choice(["", "", "-", "+"]) + whole
        if fraction or generator.random() < 0.1:
            text += "." + fraction
        if generator.random() < 0.3:
            text += generator.choice("eE") + generator.choice(["", "-", "+"]) + str(generator.randint(0, 24))
        print(text, plain(text), sep="\t")


main()
