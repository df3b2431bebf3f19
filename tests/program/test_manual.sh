# The manual pages say what --help says, and nothing else; those written by hand agree with the
# program too.
. "$KSTAR_SOURCE_DIR/tests/lib/check.sh"
command -v mandoc >/dev/null || skip "needs mandoc"
shown() { zcat "$KSTAR_MANUAL/$1.gz" | mandoc -Tutf8 -O width=400 | sed 's/.\x08//g'; }
commands=$(kstar help | awk '/^commands:/ { on = 1; next } /^$/ { on = 0 } on' | cut -c3-24 | sed 's/ *$//')

it "has a page for each command, and no other"
equals "$({ echo kstar.1; tr ' ' - <<<"$commands" | sed 's/.*/kstar-&.1/'; } | sort)" \
    "$(basename -a -s .gz "$KSTAR_MANUAL"/man1/* | sort)"

it "has the options of --help with their values, its usage and its examples"
while read -r command; do
    # shellcheck disable=SC2086 # a command may be two words
    help=$(kstar $command --help)
    page=$(shown "man1/kstar-${command// /-}.1")
    names() { grep -oE -- "$1" | tr -s ' ' | sed 's/^ *//' | sort; }
    equals "$(names '^  --[a-z0-9-]+( [A-Z][^ a-z]*)?' <<<"$help")" \
        "$(names '^     --[a-z0-9-]+( [A-Z][^ a-z]*)?( |$)' <<<"$page" | sed 's/ $//')"
    while read -r line; do
        contains "$page" "$line"
    done < <(sed -n 's/^usage: //p; /^examples:/,$ s/^  //p' <<<"$help")
done <<<"$commands"

it "explains each word of docs/words.md"
equals "$(grep -c '^- ' "$KSTAR_SOURCE_DIR/docs/words.md")" "$(zcat "$KSTAR_MANUAL/man7/kstar.7.gz" | grep -c '^\.It ')"
contains "$(shown man7/kstar.7)" "K*"

it "explains each exit code of base/error.h"
equals "$(sed -n 's/^ *ERROR_[A-Z]* = \([0-9]\),.*/\1/p' "$KSTAR_SOURCE_DIR/base/error.h")" \
    "$(shown man1/kstar.1 | sed -n '/^EXIT STATUS/,/^SEE ALSO/ s/^     \([0-9]\) .*/\1/p')"

it "explains each variable that kstar reads"
read_by_kstar=$(grep -rhoE 'getenv\("[A-Z_]+"\)' "$KSTAR_SOURCE_DIR"/{base,cli,ingest,model,report} | cut -d'"' -f2 | sort -u)
page=$(shown man1/kstar.1)
for variable in $read_by_kstar; do
    [[ $variable == KSTAR_TEST_* ]] || contains "$page" "$variable"
done

it "explains each variable of kstar.conf, and no other"
equals "$(sed -n 's/^#\{0,1\}\([A-Z_]*\)=.*/\1/p' "$KSTAR_SOURCE_DIR/cron/kstar.conf" | sort -u)" \
    "$(shown man5/kstar.conf.5 | grep -oE '^     (KSTAR|PG)[A-Z_]+' | tr -d ' ' | sort)"

it "is good mdoc"
for page in "$KSTAR_MANUAL"/man?/*; do
    zcat "$page" >"$WORK/${page##*/}"
    complaints=$(mandoc -Tlint -W warning "$WORK/${page##*/}") || true
    equals "" "$complaints"
done
