# What kstar says about itself, and what it does with a command line that it does not understand.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"

it "lists its commands when called plainly, and by help"
ends_with 0 kstar
contains "$output" "usage: kstar COMMAND"
plain=$output
ends_with 0 kstar help
equals "$plain" "$output"
ends_with 0 kstar --help
equals "$plain" "$output"

it "lists the exit codes that docs/operations.md explains, and no others"
listed=$(awk '/^exit codes/ { on = 1; next } /^$/ { on = 0 } on { print $1 }' <<<"$plain")
explained=$(sed -n '/^## Exit codes/,/^## /s/^| \([0-9][0-9]*\) |.*/\1/p' "$KSTAR_SOURCE_DIR/docs/operations.md")
equals "$explained" "$listed"
in_the_code=$(sed -n 's/^ *ERROR_[A-Z]* = \([0-9]*\),.*/\1/p' "$KSTAR_SOURCE_DIR/base/error.h")
equals "$in_the_code"$'\n'130$'\n'143 "$listed"

it "says its version"
ends_with 0 kstar --version
[[ $output =~ ^kstar\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "$output"

it "explains each command, with an example that begins with it"
commands=$(awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on' <<<"$plain" | cut -c3-24)
[ -n "$commands" ] || fail "no commands in: $plain"
while read -r command; do
    # shellcheck disable=SC2086 # a command may be two words
    ends_with 0 kstar $command --help
    help=$output
    contains "$help" "usage: kstar $command"
    contains "${help#*examples:}" "kstar $command"
    # shellcheck disable=SC2086
    ends_with 0 kstar help $command
    equals "$help" "$output"
done <<<"$commands"

it "lists the commands that begin with the same word"
for word in $(sed -n 's/ .*//p' <<<"$commands" | sort | uniq -d); do
    ends_with 0 kstar "$word" --help
    equals "$(grep "^$word " <<<"$commands" | sed 's/ *$//')" "$(grep "^  $word " <<<"$output" | cut -c3-24 | sed 's/ *$//')"
    listed=$output
    ends_with 0 kstar help "$word"
    equals "$listed" "$output"
    ends_with 2 kstar "$word"
    equals "error: kstar $word needs a command
  hint:   kstar $word --help lists them" "$errors"
    words+=" $word"
done
equals " db ingest report" "$words"
ends_with 2 kstar repor --help

it "suggests the command that was meant"
ends_with 2 kstar inti
equals "error: unknown command: inti
  hint:   did you mean: kstar init" "$errors"
ends_with 2 kstar db strat
contains "$errors" "did you mean: kstar db start"
ends_with 2 kstar xyzzy
contains "$errors" "kstar help lists the commands"

it "names every wrong option at once"
ends_with 2 kstar advise --serial many --max-k -3 --colour --comm
equals "error: advise: --serial \"many\" is not a number; --max-k \"-3\" is not a whole number from 1; unknown option --colour; --comm needs a value
  hint:   kstar advise --help" "$errors"

it "refuses two databases at once"
ends_with 2 kstar init --dsn dbname=x --data-dir "$WORK/db"
contains "$errors" "--dsn and --data-dir"

it "passes over no option that means nothing to what is asked"
for options in --last-step '--fits --period 2026-01' '--fits --as-of 2026-01-01' '--fits --again' '--fits --failed-runs' '--rate-card --plot' \
    '--evaluate x --family x' --json --plot '--family x' 'x.csv' '--trace'; do
    # shellcheck disable=SC2086 # several words
    ends_with 2 kstar model $options
    contains "$errors" "error: model"
done
while IFS='|' read -r command words; do
    # shellcheck disable=SC2086 # several words
    ends_with 2 kstar $command
    contains "$errors" "error: $words"
done <<'END'
close 2026-09 --json|close: --json goes with --list
close --list --by somebody|close --list: --by and --accept-incomplete go with a PERIOD
close --list --accept-incomplete why|close --list: --by and --accept-incomplete go with a PERIOD
report journal --list --out out|report journal: --out does not go with --list
report forecast --list-scenarios --months 3|report forecast: only --json goes with --list-scenarios
report forecast --list-scenarios --out out|report forecast: only --json goes with --list-scenarios
report forecast --list-scenarios k-star|report forecast: only --json goes with --list-scenarios
report forecast --months 0|report forecast: --months 0 is not between 1 and 60
deliver . --directory owners --from a@example.org|deliver: --from and --mailer go with --recipients
deliver . --directory owners --mailer /bin/true|deliver: --from and --mailer go with --recipients
deliver . --directory owners --informed=|deliver: --informed is empty
ingest billing --detect --accept .|ingest billing: --detect takes --source and --json alone
ingest billing --detect --strict .|ingest billing: --detect takes --source and --json alone
ingest billing --detect --format focus .|ingest billing: --detect takes --source and --json alone
ingest billing --check --accept .|ingest billing: --check takes --json alone
ingest billing --check --source aws .|ingest billing: --check takes --json alone
END
ends_with 2 kstar advise --family x --t1 3
contains "$errors" "measured sizes give the law"
ends_with 2 kstar ingest quarantine --delivery x
contains "$errors" "--delivery \"x\" is not a whole number"

it "takes no empty name for a folder: a setting that is missing is not the one where it was started"
ends_with 2 kstar nightly "$WORK" --out ""
contains "$errors" "nightly: --out is empty"
ends_with 2 kstar status --data-dir ""
contains "$errors" "status: --data-dir is empty"
ends_with 2 kstar nightly "" --out "$WORK/out"
contains "$errors" "takes one INBOX and --out DIR"

it "takes no empty command for alerts: it would end with 0, and the alerts would count as reported"
ends_with 2 kstar nightly "$WORK" --out "$WORK/out" --on-alert ""
contains "$errors" "nightly: --on-alert is empty"
ends_with 2 kstar budget --on-alert "$(printf ' \t')"
contains "$errors" "budget: --on-alert is empty"

it "closes no month for an empty reason, or in nobody's name"
ends_with 2 kstar close 2026-09 --accept-incomplete " "
contains "$errors" "--accept-incomplete is empty"
ends_with 2 kstar close 2026-09 --by ""
contains "$errors" "--by is empty"

it "fails when its output cannot be written"
ends_with 1 bash -c 'kstar help >/dev/full'
contains "$errors" "standard output: No space left on device"
ends_with 1 bash -c 'kstar init --help >/dev/full'
