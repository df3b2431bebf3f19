# What a night writes can be read by its owner and group alone, whatever umask it was started with.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
export KSTAR_LOG=$WORK/log/nightly.log
# night CODE UMASK OUT
night() { ends_with "$1" bash -c 'umask "$2"; "$KSTAR_SOURCE_DIR/cron/nightly" "$KSTAR_SOURCE_DIR/fixtures/inbox" "$3"' sh "$@"; }
others() { find "$1" \( -type f -perm /0027 -o -type d -perm /0027 \) -printf '%m %p\n'; }

it "keeps workbooks, journal, logs and folders from others under a careless umask"
night 4 000 "$WORK/out"
[ -e "$WORK/out/chargeback-2026-09.xlsx" ] && [ -e "$WORK/out/journal-2026-09.csv" ] || fail "$(ls -a "$WORK/out")"
[ -s "$KSTAR_LOG" ] || fail "no log"
equals "" "$(others "$WORK/out")$(others "$WORK/log")"
equals "750 640" "$(stat -c %a "$WORK/out" "$WORK/out/chargeback-2026-09.xlsx" | xargs)"

it "leaves a stricter umask as it is"
night 0 077 "$WORK/strict"
equals "700 600" "$(stat -c %a "$WORK/strict" "$WORK/strict/chargeback-2026-09.xlsx" | xargs)"

it "writes through no link that stands in its way, and into no file that was made beforehand"
mkdir -m 750 "$WORK/linked"
echo precious | tee "$WORK/sheet" >"$WORK/table"
ln -s "$WORK/sheet" "$WORK/linked/.chargeback-2026-09.xlsx.pending"
ln -s "$WORK/table" "$WORK/linked/.journal-2026-09.csv.pending"
touch "$WORK/linked/.review-2026-09.xlsx.pending"
chmod 666 "$WORK/linked/.review-2026-09.xlsx.pending"
night 0 027 "$WORK/linked"
equals "precious precious" "$(cat "$WORK/sheet" "$WORK/table" | xargs)"
equals "" "$(find "$WORK/linked" -type l)$(others "$WORK/linked")"
