# cron/deliver around a script in the place of kstar: how cron/deliver calls it, what is mailed,
# what is logged.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
deliver=$KSTAR_SOURCE_DIR/cron/deliver
export KSTAR=$WORK/kstar KSTAR_CONF=$WORK/kstar.conf
cat >"$KSTAR" <<'PROGRAM'
#!/bin/sh
printf '<%s>' "$@"
echo
[ -z "${WAITS:-}" ] || echo "waits: $WAITS"
[ -z "${ERROR:-}" ] || printf 'error: %s\n  hint:   look there\n' "$ERROR" >&2
exit "${CODE:-0}"
PROGRAM
chmod +x "$KSTAR"
cd "$WORK" && touch a b
printf 'KSTAR_OUT="/srv/the out"\nKSTAR_DELIVER_OPTIONS="--directory * --final"\nKSTAR_LOG=%s/log/nightly.log\n' "$WORK" >"$KSTAR_CONF"

it "hands kstar the folder and the options of the configuration file, and says nothing when all is well"
ends_with 0 "$deliver"
equals "" "$output$errors"
contains "$(<"$WORK/log/deliver.log")" "<deliver></srv/the out><--directory><*><--final>"

it "prints what waits, or the error, and passes the exit code on"
WAITS="CC-1: nobody" CODE=4 ends_with 4 "$deliver"
contains "$output" "kstar deliver ended with 4"
contains "$output" "waits: CC-1: nobody"
[[ $output != *"<deliver>"* ]] || fail "$output"
ERROR=trouble CODE=7 ends_with 7 "$deliver"
contains "$output" "error: trouble"$'\n'"  hint:   look there"
contains "$output" "log: $WORK/log/deliver.log"

it "prints the whole output if the log's disk is full"
mv "$WORK/log/deliver.log" "$WORK/log/kept"
ln -s /dev/full "$WORK/log/deliver.log"
WAITS="CC-1: nobody" CODE=4 ends_with 4 "$deliver"
contains "$output" "waits: CC-1: nobody"
mv "$WORK/log/kept" "$WORK/log/deliver.log"

it "passes SIGTERM on, waits for kstar's own end, and keeps its output"
cp "$KSTAR" "$WORK/plain"
mkfifo "$WORK/hold"
cat >"$KSTAR" <<'PROGRAM'
#!/bin/bash
trap 'echo "waits: CC-2: ended in good order"; exit 143' TERM
echo here >here
# to open it for reading alone would wait, and a signal just before that would wait with it
until read -t 1 -r _ <>hold; do [ -p hold ] || exit; done
PROGRAM
"$deliver" >printed 2>&1 &
script=$!
until [ -e here ]; do kill -0 $script || fail "it ended: $(<printed)"; done
kill -TERM $script
code=0
wait $script || code=$?
equals 143 "$code"
contains "$(<printed)" "waits: CC-2: ended in good order"
contains "$(<"$WORK/log/deliver.log")" "ended in good order"
mv "$WORK/plain" "$KSTAR"

it "finds the error in a log of JSON, too"
cp "$KSTAR" "$WORK/plain"
printf '#!/bin/sh\necho "{\\"event\\":\\"error\\",\\"message\\":\\"told\\"}" >&2\nexit 7\n' >"$KSTAR"
KSTAR_LOG_FORMAT=json ends_with 7 "$deliver"
contains "$output" '"message":"told"'
mv "$WORK/plain" "$KSTAR"

it "prints a dry run and logs nothing of it"
before=$(<"$WORK/log/deliver.log")
ends_with 0 "$deliver" --dry-run
equals "<deliver></srv/the out><--directory><*><--final><--dry-run>" "$output"
equals "$before" "$(<"$WORK/log/deliver.log")"

it "reads a configuration file of the working folder, and refuses one with line ends of Windows"
ends_with 0 env KSTAR_CONF=kstar.conf "$deliver"
contains "$(tail -n 1 "$WORK/log/deliver.log")" "<deliver></srv/the out>"
sed 's/$/\r/' "$KSTAR_CONF" >"$WORK/windows.conf"
ends_with 2 env KSTAR_CONF=windows.conf "$deliver"
contains "$errors" "windows.conf has line ends of Windows (CR LF)"

it "says what the configuration file lacks"
echo 'KSTAR_OUT=out' >"$KSTAR_CONF"
ends_with 2 "$deliver"
contains "$errors" "lacks KSTAR_OUT or KSTAR_DELIVER_OPTIONS"
KSTAR_CONF=$WORK/none ends_with 2 "$deliver"
contains "$errors" "cannot be read"
