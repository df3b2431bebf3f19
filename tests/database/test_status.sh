# kstar status before, after, and when there is something to do again.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
cd "$KSTAR_SOURCE_DIR"

it "has nothing to tell of an empty database"
ends_with 0 kstar status
equals "deliveries
  none
months
  none" "$output"

it "lists deliveries with their rows, and the month's statement"
ends_with 4 kstar nightly fixtures/inbox --out "$WORK/out" # a row of the fixtures is quarantined
ends_with 0 kstar status
for delivery in fixtures/inbox/billing/*/*; do contains "$output" " ${delivery#fixtures/inbox/} "; done
[[ $output =~ 2026-09\ +Preliminary\ .*\ up\ to\ date ]] || fail "$output"

it "says the same in JSON"
ends_with 0 kstar status --json
equals "$(sql "SELECT sum(row_count) || ' ' || sum(rejected_rows) FROM delivery") 2026-09 up to date" "$(python3 -c '
import json, sys
status = json.load(sys.stdin)
month, = status["statements"]
print(sum(row["rows"] for row in status["deliveries"]), sum(row["rejected"] for row in status["deliveries"]),
      month["month"], month["state"])' <<<"$output")"

it "says when a statement is to be made again"
sql "UPDATE statement SET run_id = 'of other data'"
ends_with 0 kstar status
contains "$output" "to be made again"
