"""tests/bench/pandas_load.py BILL SOCKET: the usual script: pandas reads, psycopg2 inserts, ten
thousand rows at a time."""
import sys

import pandas
import psycopg2
import psycopg2.extras

connection = psycopg2.connect(host=sys.argv[2], user="kstar", dbname="kstar")
with connection, connection.cursor() as cursor:
    for frame in pandas.read_csv(sys.argv[1], dtype=str, chunksize=10_000):
        rows = frame.astype(object).where(frame.notna(), None).itertuples(index=False, name=None)
        psycopg2.extras.execute_values(cursor, "INSERT INTO public.raw VALUES %s", list(rows), page_size=1000)
