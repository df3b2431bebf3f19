# kstar status: is the last night good, what is fresh, what waits; before the first night, after
# good ones and bad ones.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
cd "$KSTAR_SOURCE_DIR"
cp -r fixtures/inbox "$WORK/inbox"
printf 'cost_centre,month,amount\nCC-100,2026-09,1000\n' >"$WORK/inbox/reference/budgets.csv"
nightly=(kstar nightly "$WORK/inbox" --out "$WORK/out" --quiet)

# field EXPRESSION: of the status as JSON, in Python, where it is `status`.
field() { python3 -c 'import json, sys; status = json.load(sys.stdin); print(eval(sys.argv[1]))' "$1" <<<"$output"; }

ends_with 0 kstar init
it "says that there was no night yet, which is bad only for somebody who asks for its age"
ends_with 0 kstar status
equals "last night  none yet: kstar nightly INBOX --out DIR
sources
  none
months
  none" "$output"
ends_with 9 kstar status --max-age 26
ends_with 2 kstar status --max-age -1 # which is no way to say any time
contains "$errors" "--max-age -1 is less than 0"
ends_with 0 kstar status --json
equals "None [] []" "$(field '" ".join(str(status[name]) for name in ("night", "sources", "waiting"))')"

it "ends with 7 and one line where there is no server"
ends_with 7 kstar status --dsn "host=$WORK dbname=nobody"
equals 1 "$(grep -c '^error: ' <<<"$errors")"

it "shows a good night, each source with the end of its data, the month, and what waits, on one screen"
ends_with 4 "${nightly[@]}" # a row of the fixtures is quarantined
ends_with 0 kstar status --max-age 1
[[ $output =~ ^last\ night\ \ good:\ began\ [-0-9]+T[:0-9]+Z,\ took\ [0-9.]+\ s,\ ended\ with\ 4\ \(waits\) ]] || fail "$output"
contains "$output" "files written to $(realpath "$WORK/out")"
for delivery in fixtures/inbox/{billing,jobs,nodes}/*/*; do contains "$output" " ${delivery#fixtures/inbox/}"; done
[[ $output =~ billing\ +alder\ +2026-10-01T00:00:00Z\ +[0-9]+\ days ]] || fail "$output"
[[ $output =~ 2026-09\ +Preliminary\ .*\ up\ to\ date ]] || fail "$output"
[[ $output =~ quarantined\ +billing\ fjordhall\ +1\ row\  ]] || fail "$output"
[[ $output =~ close\ of\ 2026-09\ +awaiting\ job\ records:\ fjord\ +[0-9.]+\ node-hours ]] || fail "$output"
[[ $output =~ budget\ +2026-09\ CC-100\ +spent\ past\ 80,\ 100\ % ]] || fail "$output"
unallocated=$(sql "SELECT kstar.money_text(sum(minor_units), 2) || ' USD' FROM kstar.statement_row WHERE line_type = 'unallocated' AND reason = 'quarantined'")
[[ $output =~ unallocated\ +2026-09\ quarantined\ +$unallocated ]] || fail "$unallocated is not in $output"
[ "$(wc -l <<<"$output")" -le 40 ] || fail "more than a screen: $output"

it "says the same in JSON"
ends_with 0 kstar status --json
equals "good 4 waits 2026-09 up to date" "$(field '" ".join([status["night"]["verdict"], str(status["night"]["exit_code"]), status["night"]["outcome"],
    status["statements"][0]["month"], status["statements"][0]["state"]])')"
equals "$(sql "SELECT sum(row_count) || ' ' || sum(quarantined_rows) FROM kstar.delivery")" \
    "$(field '" ".join(str(sum(row[name] for row in status["deliveries"])) for name in ("rows", "quarantined"))')"
equals "$(sql "SELECT string_agg(stage, ' ' ORDER BY stage_number) FROM kstar.run_stage")" "$(field '" ".join(row["stage"] for row in status["stages"])')"
equals "$(sql "SELECT run_id FROM kstar.statement")" "$(field 'status["statements"][0]["run_id"]')"
equals "0" "$(field 'status["inbox_news"]["files"]')"

it "has keys without blanks, one for one thing, and headings with them"
equals "1 1" "$(field '" ".join(str(row["quarantined"]) for name in ("sources", "stages") for row in status[name] if row["quarantined"])')"
equals "" "$(field '" ".join(key for rows in status.values() for row in (rows if isinstance(rows, list) else [rows]) if isinstance(row, dict)
    for key in row if not key.replace("_", "a").isalpha())')"
ends_with 0 kstar status
contains "$output" "covers to" && contains "$output" "latest delivery"

it "says each time in one form, and ends no line in blanks"
screen=$output
equals "" "$(grep ' $' <<<"$screen")"
equals "" "$(grep -oE '20[0-9]{2}-[0-9]{2}-[0-9]{2}[ T][0-9:]+[^ ,]*' <<<"$(sed '/^what waits/,$d' <<<"$screen")" | grep -vE 'T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$')"
contains "$screen" "2026-10-01T00:00:00Z"

it "counts the files that came since, by when they came and not by their own time"
mkdir "$WORK/inbox/billing/alder/2026-10"
printf 'BilledCost\n1\n' >"$WORK/part.csv"
touch -d 2020-01-01 "$WORK/part.csv"
mv "$WORK/part.csv" "$WORK/inbox/billing/alder/2026-10/part.csv"
touch "$WORK/inbox/billing/alder/2026-10/.being-copied.csv"
ends_with 0 kstar status
contains "$output" "inbox       1 file since then for the next night: billing/alder/2026-10/part.csv"

it "distinguishes files that came within the second in which the night began from earlier files"
came=$(stat -c %.Z "$WORK/inbox/billing/alder/2026-10/part.csv")
night_began() {
    sql "UPDATE kstar.run_ledger SET started_at = to_timestamp($came) + interval '$1'
         WHERE run_number = (SELECT max(run_number) FROM kstar.run_ledger WHERE command = 'nightly')"
    ends_with 0 kstar status --json
    field 'status["inbox_news"]["files"]'
}
equals "1" "$(night_began "-0.05 seconds")"
equals "0" "$(night_began "0.05 seconds")"

it "counts those of a folder that was filled before and given its name since"
rm -r "$WORK/inbox/billing/alder/2026-10"
mkdir -p "$WORK/inbox/billing/alder/.2026-10/parts"
printf 'BilledCost\n1\n' | tee "$WORK/inbox/billing/alder/.2026-10/part.csv" >"$WORK/inbox/billing/alder/.2026-10/parts/2.csv"
"${nightly[@]}" >/dev/null
ends_with 0 kstar status --json
equals "0" "$(field 'status["inbox_news"]["files"]')"
mv "$WORK/inbox/billing/alder/.2026-10" "$WORK/inbox/billing/alder/2026-10"
ends_with 0 kstar status
contains "$output" "inbox       2 files since then for the next night: billing/alder/2026-10/part.csv"
rm -r "$WORK/inbox/billing/alder/2026-10/parts" # in a folder that has lost something nothing is new
"${nightly[@]}" >/dev/null || [ $? -eq 3 ] || fail "not refused"
touch "$WORK/inbox/billing/alder/2026-10/2.csv"
rm "$WORK/inbox/billing/alder/2026-10/2.csv"
ends_with 9 kstar status --json
equals "0" "$(field 'status["inbox_news"]["files"]')"

it "ends with 9 after a night that refused a delivery, and names it"
ends_with 3 "${nightly[@]}"
ends_with 9 kstar status
contains "$output" "last night  failed: "
contains "$output" "ended with 3 (refused)"
[[ $output =~ refused\ +billing/alder/2026-10\ +billing/alder/2026-10/part.csv:\ required ]] || fail "$output"
rm -r "$WORK/inbox/billing/alder/2026-10"
ends_with 0 "${nightly[@]}"
ends_with 0 kstar status

it "ends with 9 after a night that could not even begin, and not after one that found another at work"
touch "$WORK/file"
for failed in "3 $WORK/none $WORK/out" "1 $WORK/inbox $WORK/file/out"; do
    read -r code inbox out <<<"$failed"
    ends_with "$code" kstar nightly "$inbox" --out "$out"
    why=$(sed -n 's/^error: //p' <<<"$errors")
    ends_with 9 kstar status
    contains "$output" "last night  failed: "
    contains "$output" "ended with $code "
    contains "$output" "$why"
done
ends_with 0 "${nightly[@]}"
exec 7>>"$WORK/out/.kstar.lock"
flock 7
ends_with 6 "${nightly[@]}"
exec 7>&-
ends_with 0 kstar status
contains "$output" "last night  good: "
ends_with 3 kstar nightly "$WORK/none" --out "$WORK/out" --data-dir "$WORK/other"
[ ! -e "$WORK/other/postgresql" ] || fail "a database was made for nothing"

it "ends with 9 where the last night is too long ago"
sql "UPDATE kstar.run_ledger SET started_at = started_at - interval '37 hours', ended_at = ended_at - interval '37 hours'"
ends_with 9 kstar status
contains "$output" "last night  too long ago: "
contains "$output" " 37 h 0 min ago"
ends_with 9 kstar status --json
equals "too long ago" "$(field 'status["night"]["verdict"]')"
ends_with 0 kstar status --max-age 38
ends_with 0 kstar status --max-age 0

it "says when a statement is to be made again"
sql "UPDATE kstar.statement SET run_id = 'of other data'"
ends_with 0 kstar status --max-age 0
contains "$output" "to be made again"

it "says which source's delivery is late, by how much, and which never came"
printf 'source,kind,format,expected_within_hours\nalder,billing,focus,26\nboreas,billing,focus,40\nfjord,jobs,sacct,26\nelsewhere,nodes,sacctmgr,26\n' \
    >"$WORK/inbox/reference/sources.csv"
"${nightly[@]}" >/dev/null || [ $? -eq 4 ] || fail "the night failed"
sql "UPDATE kstar.run_delivery SET settled_at = CASE source WHEN 'fjord' THEN date_trunc('minute', clock_timestamp()) - interval '130 hours 30 minutes'
     ELSE date_trunc('minute', clock_timestamp()) - interval '37 hours 30 minutes' END"
ends_with 0 kstar status --max-age 0 # whoever is late
came=$(sql "SELECT to_char(max(settled_at), 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM kstar.run_delivery WHERE source = 'alder'")
[[ $output =~ billing\ +alder\ .*\ "$came"\ +11\ h\ +[0-9] ]] || fail "$output"
[[ $output =~ late\ +billing\ alder\ +11\ h\ +expected\ within\ 26\ h\ of\ $came ]] || fail "$output"
[[ $output =~ late\ +jobs\ fjord\ +4\ days\ +expected\ within\ 26\ h ]] || fail "$output"
[[ $output =~ late\ +nodes\ elsewhere\ +never\ came\ +expected\ within\ 26\ h ]] || fail "$output"
[[ ! $output =~ late\ +billing\ boreas ]] || fail "$output"
ends_with 0 kstar status --json --max-age 0
equals "{('billing', 'alder'): '11 h', ('jobs', 'fjord'): '4 days', ('nodes', 'elsewhere'): 'never came'}" \
    "$(field '{(row["kind"], row["source"]): row["late"] for row in status["sources"] if row["late"]}')"

it "takes a delivery that was refused, or is the same again, for none"
printf 'BilledCost\n1\n' >"$WORK/part.csv"
mkdir "$WORK/inbox/billing/alder/2026-10"
mv "$WORK/part.csv" "$WORK/inbox/billing/alder/2026-10/part.csv"
ends_with 3 "${nightly[@]}"
ends_with 9 kstar status --json --max-age 0 # the night was refused
equals "11 h" "$(field '[row["late"] for row in status["sources"] if row["source"] == "alder"][0]')"
