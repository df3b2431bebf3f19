#!/usr/bin/env python3
"""A random CSV file PATH of SEED, and what Python's csv makes of it: per record its line and its
fields in hex.

Every hundredth record is long, so that some straddle the reader's chunks; every other seed is gzip
in several members. The whole file is made before anything is printed: whoever reads the first line
may open it. KSTAR_TEST_WHOLE=1 makes a longer one."""
import csv
import gzip
import io
import os
import random
import sys

path, seed = sys.argv[1], int(sys.argv[2])
generator = random.Random(seed)
line_end = ["\n", "\r\n", "\r"][seed % 3]
records = []
text = io.StringIO(newline="")
writer = csv.writer(text, lineterminator=line_end, quoting=generator.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
line = 1
for number in range(3000 if os.environ.get("KSTAR_TEST_WHOLE") == "1" else 1200):
    longest = 30000 if number % 100 == 99 else 12
    alphabet = 'abc",  \u00e9' + (line_end if generator.random() < 0.2 else "")
    letters = {byte: alphabet[byte % len(alphabet)] for byte in range(256)}
    fields = []
    for _ in range(generator.randint(2, 9)):
        field = generator.randbytes(generator.randint(0, longest)).decode("latin-1").translate(letters)
        # libcsv trims unquoted fields, Python does not: keep white space off the edges
        fields.append("x" + field + "x" if field.strip(" ") != field else field)
    writer.writerow(fields)
    records.append((line, fields))
    line += 1 + sum(field.count(line_end[-1]) for field in fields)
    if generator.random() < 0.02:
        text.write(line_end)
        line += 1
content = text.getvalue().encode()
with open(path, "wb") as file:
    if seed % 2:
        for start in range(0, len(content), 300001):
            file.write(gzip.compress(content[start:start + 300001], compresslevel=1))
    else:
        file.write(content)
for line, fields in records:
    print(line, *(field.encode().hex() for field in fields), sep=" ")
