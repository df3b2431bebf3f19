# cron/demo, as a newcomer runs it once the packages are there: twice, from a checkout that it
# leaves alone.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
export KSTAR_CACHE_DIR=$WORK/cache KSTAR_DEMO_DIR=$WORK/demo HOME=$WORK
export PGHOST=/nonexistent # a server of somebody else's is not used
checkout() { find "$KSTAR_SOURCE_DIR" -name .git -prune -o -print | sort; }
before=$(checkout)
cd "$WORK"
# Every day kstar is not built once more: a cmake of the test puts the one under test where the demo
# expects it.
if [ "${KSTAR_TEST_WHOLE:-}" != 1 ]; then
    mkdir "$WORK/stubs"
    printf '%s\n' '#!/bin/bash' '[ "$1" = -S ] || exit 0' 'mkdir -p "$4/cli" && cp "$KSTAR" "$4/cli/kstar"' >"$WORK/stubs/cmake"
    chmod 755 "$WORK/stubs/cmake"
    export PATH=$WORK/stubs:$PATH
fi

it "writes workbooks, and ends by naming them after the three most expensive findings"
ends_with 0 "$KSTAR_SOURCE_DIR/cron/demo" out
for finding in 1 2 3; do contains "$output" "  finding $finding "; done
books=$(find "$WORK/out" -name '*.xlsx' | sort)
[ "$(wc -l <<<"$books")" -ge 3 ] || fail "only: $books"
contains "${output#*finding 3}" "workbooks:
$(sed 's/^/  /' <<<"$books")"

it "leaves no server running"
[ ! -e "$KSTAR_DEMO_DIR/postgresql/postmaster.pid" ] || fail "it runs"

it "finds nothing new the second time, and changes no byte"
hashes=$(sha256sum "$WORK"/out/*.xlsx)
ends_with 0 "$KSTAR_SOURCE_DIR/cron/demo" out
contains "$output" "  workbooks   0 written"
equals "$hashes" "$(sha256sum "$WORK"/out/*.xlsx)"

it "writes nothing into the checkout"
equals "$before" "$(checkout)"
